//! Whether a `cfg` condition holds in a build for Linux, the platform that most repositories are built on first.
//!
//! Must not guess: features, test builds and whatever is not a platform stay unknown.

/// Conditions without a value that the platform decides, or that only builds of documentation have.
const WORDS: [(&str, bool); 4] = [("unix", true), ("windows", false), ("doc", false), ("docsrs", false)];

/// Those that builds of documentation have.
const DOCUMENTATION: [&str; 2] = ["doc", "docsrs"];

/// Keys whose value the platform decides, with the value that holds.
const KEYS: [(&str, &str); 2] = [("target_os", "linux"), ("target_family", "unix")];

/// Deepest nesting that is looked at.
const MAX_NESTING: usize = 16;

/// Whether a condition in parentheses holds; none where the platform does not decide.
pub(super) fn holds(condition: &str) -> Option<bool> {
    let compact: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let end = compact.rfind(')')?;
    term(compact.strip_prefix('(')?.get(..end - 1)?, MAX_NESTING)
}

/// Whether attributes have a condition that holds in builds of documentation alone.
pub(super) fn of_documentation(attributes: &str) -> bool {
    let conditions = attributes.split("#[cfg(").skip(1).filter_map(|rest| rest.split_once(']'));
    conditions.map(|(condition, _)| format!("({condition}")).any(|condition| {
        let words = condition.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_'));
        let in_documentation = words.map(|word| match word.trim_end_matches([',', ')']) {
            known if DOCUMENTATION.contains(&known) => word.replacen(known, "unix", 1),
            _ => word.to_owned(),
        });
        let in_documentation: String = in_documentation.collect();
        holds(&condition) == Some(false) && holds(&in_documentation) != Some(false)
    })
}

fn term(text: &str, nesting: usize) -> Option<bool> {
    let nesting = nesting.checked_sub(1)?;
    if let Some((word, list)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        let members: Vec<Option<bool>> = members(list).into_iter().map(|member| term(member, nesting)).collect();
        return match word {
            "not" => members.first().copied().flatten().map(|held| !held),
            "all" if members.contains(&Some(false)) => Some(false),
            "any" if members.contains(&Some(true)) => Some(true),
            "all" | "any" if members.contains(&None) => None,
            "all" => Some(true),
            "any" => Some(false),
            _ => None,
        };
    }
    match text.split_once('=') {
        Some((key, value)) => KEYS.iter().find(|(known, _)| *known == key).map(|(_, held)| value.trim_matches('"') == *held),
        None => WORDS.iter().find(|(known, _)| *known == text).map(|(_, held)| *held),
    }
}

/// Features with which a condition in parentheses can hold, as few as the first way needs; none where it needs none or something else.
pub(super) fn features(condition: &str) -> Vec<String> {
    let compact: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = compact.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let mut found = inner.and_then(|text| needed(text, MAX_NESTING)).unwrap_or_default();
    found.sort();
    found.dedup();
    found
}

fn needed(text: &str, nesting: usize) -> Option<Vec<String>> {
    let deeper = nesting.checked_sub(1)?;
    if let Some((word, list)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        return match word {
            // What a build leaves off by itself.
            "not" => (term(text, nesting) != Some(false)).then(Vec::new),
            "all" => {
                members(list).into_iter().map(|member| needed(member, deeper)).collect::<Option<Vec<_>>>().map(|all| all.concat())
            }
            "any" => {
                let ways: Vec<Vec<String>> = members(list).into_iter().filter_map(|member| needed(member, deeper)).collect();
                ways.iter().find(|way| way.is_empty()).or(ways.first()).cloned()
            }
            _ => None,
        };
    }
    match text.split_once('=') {
        Some(("feature", name)) => Some(vec![name.trim_matches('"').to_owned()]),
        _ if text == "test" => Some(Vec::new()),
        _ => (term(text, nesting) == Some(true)).then(Vec::new),
    }
}

/// The members of a list, split at commas that stand in no parentheses.
fn members(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = list.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{features, holds, of_documentation};

    #[test]
    fn a_condition_needs_the_features_of_its_first_way() {
        for (condition, expected) in [
            ("(feature = \"full\")", "full"),
            ("(all(feature = \"b\", not(target_os = \"wasi\"), not(miri), feature = \"a\", unix))", "a b"),
            ("(any(feature = \"x\", feature = \"y\"))", "x"),
            ("(any(feature = \"x\", unix))", ""),
            ("(all(test, not(feature = \"x\")))", ""),
            ("(all(loom, feature = \"x\"))", ""),
            ("(windows)", ""),
            ("(", ""),
        ] {
            assert_eq!(features(condition).join(" "), expected, "{condition}");
        }
    }

    #[test]
    fn what_only_documentation_has_is_known() {
        for (attributes, expected) in [
            ("/// A module.\n#[cfg(docsrs)]\n#[path = \"a.rs\"]", true),
            ("#[cfg(all(doc, whatever))]", true),
            ("#[cfg(any(doc, feature = \"x\"))]", false),
            ("#[cfg(not(docsrs))]", false),
            ("#[cfg(all(docsrs, windows))]", false),
            ("#[cfg(windows)]", false),
            ("#[doc(hidden)]", false),
            ("#[cfg(docsrs", false),
        ] {
            assert_eq!(of_documentation(attributes), expected, "{attributes}");
        }
    }

    #[test]
    fn the_platform_decides_what_names_it() {
        for (condition, expected) in [
            ("(unix)", Some(true)),
            ("(windows)]", Some(false)),
            ("(docsrs)", Some(false)),
            ("(not(unix))", Some(false)),
            ("(target_os = \"macos\")", Some(false)),
            ("(any(target_os = \"linux\", target_os = \"macos\"))", Some(true)),
            ("(all(unix, not(target_os = \"linux\"),))", Some(false)),
            ("(any(windows, target_arch = \"wasm32\"))", None),
            ("(feature = \"x\")", None),
            ("(test)", None),
            ("", None),
        ] {
            assert_eq!(holds(condition), expected, "{condition}");
        }
    }
}
