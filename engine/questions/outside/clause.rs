//! The clause of a file of Go that names its package.

/// The name of the package that the lines of a file are of.
pub(super) fn package_clause<'t>(lines: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let mut in_comment = false;
    for line in lines {
        let mut rest = line.trim_start_matches('\u{feff}').trim_start();
        loop {
            if in_comment {
                let Some((_, behind)) = rest.split_once("*/") else { break };
                (rest, in_comment) = (behind.trim_start(), false);
            } else if let Some(inside) = rest.strip_prefix("/*") {
                (rest, in_comment) = (inside, true);
            } else if rest.is_empty() || rest.starts_with("//") {
                break;
            } else {
                return rest.strip_prefix("package")?.split([' ', '\t', ';', '/']).find(|word| !word.is_empty());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::package_clause;

    #[test]
    fn the_first_clause_outside_of_comments_counts() {
        for (text, name) in [
            ("package main\n", Some("main")),
            ("\u{feff}// package main\n/* package main\npackage main */ package p // main\n", Some("p")),
            ("package p\n\nconst x = `\npackage main\n`\n", Some("p")),
            ("/* a */ /* b\n", None),
            ("var x\npackage main\n", None),
        ] {
            assert_eq!(package_clause(text.lines()), name, "{text}");
        }
    }
}
