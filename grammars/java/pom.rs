//! Maven's `pom.xml`, as far as folders and names need it: elements with the path of their names and their text.

/// The deepest element that is read; poms have few levels.
const MAX_DEPTH: usize = 32;

/// What a `pom.xml` says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pom {
    /// Its own `artifactId`.
    pub(super) artifact: String,
    /// The folders of its modules, as they are written.
    pub(super) modules: Vec<String>,
    /// Where it says that sources lie, relative to its folder.
    pub(super) sources: Option<String>,
    /// Where it says that tests lie.
    pub(super) tests: Option<String>,
}

impl Pom {
    pub(super) fn read(text: &str) -> Self {
        let mut pom = Self::default();
        each_element(text, &mut |path, text| match path {
            ["project", "artifactId"] => text.clone_into(&mut pom.artifact),
            ["project", .., "modules", "module"] => pom.modules.push(text.to_owned()),
            ["project", "build", "sourceDirectory"] => pom.sources = Some(text.to_owned()),
            ["project", "build", "testSourceDirectory"] => pom.tests = Some(text.to_owned()),
            _ => {}
        });
        pom
    }
}

/// Gives each element that holds text alone, with the names of those around it. What is no element is passed over; an element that is not
/// closed ends what is read.
pub(super) fn each_element<'a>(text: &'a str, take: &mut dyn FnMut(&[&'a str], &'a str)) {
    let mut path: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some((_, tag)) = rest.split_once('<') {
        if let Some(comment) = tag.strip_prefix("!--") {
            let Some((_, behind)) = comment.split_once("-->") else { return };
            rest = behind;
            continue;
        }
        let Some((head, behind)) = tag.split_once('>') else { return };
        rest = behind;
        if head.starts_with('/') {
            path.pop();
        } else if !head.starts_with(['?', '!']) && !head.ends_with('/') {
            if path.len() >= MAX_DEPTH {
                return;
            }
            path.push(head.split_whitespace().next().unwrap_or_default());
            let inner = behind.split('<').next().unwrap_or_default().trim();
            if !inner.is_empty() {
                take(&path, inner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pom;

    #[test]
    fn a_pom_says_its_name_its_modules_and_its_folders() {
        let text = "<?xml version=\"1.0\"?>\n<!-- <artifactId>no</artifactId> -->\n<project xmlns=\"x\">\n<parent><artifactId>up</artifactId></parent>\n\
                    <artifactId> shop </artifactId><packaging/>\n<modules><module>core</module><module>../web</module></modules>\n\
                    <build><sourceDirectory>src</sourceDirectory><plugins><plugin><artifactId>p</artifactId></plugin></plugins></build>\n\
                    </project>";
        let expected = Pom {
            artifact: "shop".to_owned(),
            modules: vec!["core".to_owned(), "../web".to_owned()],
            sources: Some("src".to_owned()),
            tests: None,
        };
        assert_eq!(Pom::read(text), expected);
        assert_eq!(Pom::read("<project><artifactId>a</artifactId><build"), Pom { artifact: "a".to_owned(), ..Pom::default() });
        assert_eq!(Pom::read(&"<a>".repeat(100_000)), Pom::default());
    }
}
