//! Which files a configuration of Jest takes for tests, where it is JSON.
//!
//! `--runTestsByPath` does not run what the configuration does not take, so a command must name the configuration that does.

use crate::project::{folder_of, is_below, join};
use regex::{Regex, RegexBuilder};
use serde_json::Value;
use std::collections::BTreeMap;

/// Configurations that are files of JSON, by path.
pub(super) type Files = BTreeMap<String, Value>;

/// What Jest takes where nothing says otherwise.
const USUAL: [&str; 2] = ["**/__tests__/**/*.?([mc])[jt]s?(x)", "**/?(*.)+(spec|test).?([mc])[jt]s?(x)"];
const USUALLY_LEFT_OUT: &str = "/node_modules/";

/// The folder of a configuration's files, as it writes that.
const ROOT: &str = "<rootDir>";

/// The most patterns of a list and the longest one, in bytes; more is not read.
const MAX_PATTERNS: usize = 64;
const MAX_PATTERN: usize = 1_000;

/// The most memory that one pattern takes, in bytes.
const MAX_COMPILED: usize = 1 << 20;

/// Settings that bring patterns from elsewhere.
const FROM_ELSEWHERE: [&str; 2] = ["projects", "preset"];

/// Whether a call of Jest runs a file; later ones are the better reason to choose a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    No,
    /// Its patterns are those that Jest has without being told, or nobody can tell.
    Usual,
    /// By patterns of its own.
    Named,
}

/// A configuration.
#[derive(Debug)]
pub(super) struct Config {
    /// Folders that hold its tests.
    roots: Vec<String>,
    takes: Vec<Regex>,
    leaves_out: Vec<Regex>,
    is_usual: bool,
}

/// Whether a file has the name of a configuration.
pub(super) fn is_config(name: &str) -> bool {
    name.starts_with("jest") && name.rsplit('.').next() == Some("json")
}

impl Config {
    /// The configuration of a call: the one that it names, else that of the manifest or its folder, which may have a file of it. None where it
    /// is not JSON.
    pub(super) fn of_call(named: Option<&str>, folder: &str, manifest: &Value, files: &Files, has_file: bool) -> Option<Self> {
        let file = |path: &str| {
            let path = join(folder, path)?;
            Self::read(folder_of(&path), files.get(&path)?)
        };
        let own = &manifest["jest"];
        match named.or_else(|| own.as_str()) {
            Some(path) => file(path),
            None if has_file && !own.is_object() => file("jest.config.json"),
            None => Self::read(folder, own),
        }
    }

    fn read(folder: &str, value: &Value) -> Option<Self> {
        if FROM_ELSEWHERE.iter().any(|setting| value.get(*setting).is_some()) {
            return None;
        }
        let root = join(folder, value["rootDir"].as_str().unwrap_or("."))?;
        let list = |setting: &str| match &value[setting] {
            Value::Null => Some(Vec::new()),
            Value::String(one) => Some(vec![one.as_str()]),
            Value::Array(all) if all.len() <= MAX_PATTERNS => all.iter().map(Value::as_str).collect(),
            _ => None,
        };
        let slashed = if root.is_empty() { String::new() } else { format!("/{root}") };
        let regex = |pattern: &str| compiled(&pattern.replace(ROOT, &regex::escape(&slashed)));
        let glob = |pattern: &str| compiled(&of_glob(&pattern.replace(ROOT, &slashed))?);
        let (by_regex, by_glob) = (list("testRegex")?, list("testMatch")?);
        let is_usual = by_regex.is_empty() && by_glob.is_empty();
        let globs = if is_usual { USUAL.to_vec() } else { by_glob };
        let takes = by_regex.into_iter().map(regex).chain(globs.into_iter().map(glob)).collect::<Option<_>>()?;
        let leaves_out = match list("testPathIgnorePatterns")? {
            none if none.is_empty() => vec![USUALLY_LEFT_OUT],
            all => all,
        };
        let leaves_out = leaves_out.into_iter().map(regex).collect::<Option<_>>()?;
        let roots = match list("roots")? {
            none if none.is_empty() => vec![root],
            all => {
                let of_root = |path: &str| path.strip_prefix(ROOT).map_or(path, |rest| rest.trim_start_matches('/')).to_owned();
                all.into_iter().map(|path| join(&root, &of_root(path))).collect::<Option<_>>()?
            }
        };
        Some(Self { roots, takes, leaves_out, is_usual })
    }

    /// Whether it takes a file of the repository.
    pub(super) fn fit(&self, file: &str) -> Fit {
        let path = format!("/{file}");
        let is_inside = self.roots.iter().any(|root| is_below(file, root));
        let is_any = |patterns: &[Regex]| patterns.iter().any(|pattern| pattern.is_match(&path));
        match is_inside && is_any(&self.takes) && !is_any(&self.leaves_out) {
            false => Fit::No,
            true if self.is_usual => Fit::Usual,
            true => Fit::Named,
        }
    }
}

fn compiled(pattern: &str) -> Option<Regex> {
    let is_short = pattern.len() <= MAX_PATTERN;
    RegexBuilder::new(pattern).size_limit(MAX_COMPILED).build().ok().filter(|_| is_short)
}

/// A glob of Jest as a regular expression; none for what a whole list decides, such as exceptions.
fn of_glob(glob: &str) -> Option<String> {
    let mut found = "^".to_owned();
    if !glob.starts_with(['/', '*']) {
        found.push_str("(?:.*/)?");
    }
    // What closes each group that is open.
    let mut open: Vec<&str> = Vec::new();
    let mut rest = glob;
    while let Some(next) = rest.chars().next() {
        let group = rest[next.len_utf8()..].starts_with('(').then_some(match next {
            '?' => ")?",
            '*' => ")*",
            '+' => ")+",
            '@' => ")",
            '!' => return None,
            _ => "",
        });
        if let Some(end) = group.filter(|end| !end.is_empty()) {
            open.push(end);
            found.push_str("(?:");
            rest = &rest[2..];
            continue;
        }
        let (written, taken) = match next {
            '*' if rest.starts_with("**/") => ("(?:.*/)?".to_owned(), 3),
            '*' if rest.starts_with("**") => (".*".to_owned(), 2),
            '*' => ("[^/]*".to_owned(), 1),
            '?' => ("[^/]".to_owned(), 1),
            '[' => {
                let end = rest.find(']')?;
                (rest[..=end].to_owned(), end + 1)
            }
            '{' => {
                open.push("}");
                ("(?:".to_owned(), 1)
            }
            ',' if open.last() == Some(&"}") => ("|".to_owned(), 1),
            '|' if !open.is_empty() => ("|".to_owned(), 1),
            '}' | ')' => {
                let end = open.pop()?;
                (if end == "}" { ")".to_owned() } else { end.to_owned() }, 1)
            }
            '!' => return None,
            _ => (regex::escape(&rest[..next.len_utf8()]), next.len_utf8()),
        };
        found.push_str(&written);
        rest = &rest[taken..];
    }
    open.is_empty().then(|| found + "$")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(config: &str, files: &[&str]) -> Vec<Fit> {
        let value = serde_json::from_str(config).expect("a configuration");
        let config = Config::read("web", &value).expect("patterns that can be read");
        files.iter().map(|file| config.fit(file)).collect()
    }

    #[test]
    fn a_configuration_takes_what_its_folders_and_patterns_do() {
        use Fit::{Named, No, Usual};
        let files = ["web/src/a.spec.ts", "web/test/b.e2e-spec.ts", "web/src/__tests__/c.tsx", "web/src/d.ts", "api/e.spec.ts"];
        assert_eq!(fits("{}", &files), [Usual, No, Usual, No, No]);
        assert_eq!(fits(r#"{"rootDir": "src", "testRegex": ".*\\.spec\\.ts$"}"#, &files), [Named, No, No, No, No]);
        assert_eq!(fits(r#"{"rootDir": "..", "testRegex": ["e2e-spec.ts$", "/d\\."]}"#, &files), [No, Named, No, Named, No]);
        assert_eq!(fits(r#"{"testMatch": ["<rootDir>/{src,test}/*spec.ts"]}"#, &files), [Named, Named, No, No, No]);
        assert_eq!(fits(r#"{"roots": ["<rootDir>/test"], "testMatch": ["**/*.@(spec|e2e-spec).ts"]}"#, &files)[..2], [No, Named]);
        let left_out = r#"{"testRegex": "spec", "testPathIgnorePatterns": ["<rootDir>/test/"]}"#;
        assert_eq!(fits(left_out, &files)[..2], [Named, No]);
        assert_eq!(fits("{}", &["web/node_modules/a/a.test.js", "web/test.mjs", "web/a.test.mts"]), [No, Usual, Usual]);
    }

    #[test]
    fn what_a_configuration_does_not_say_is_not_known() {
        for config in [
            r#"{"preset": "ts-jest"}"#,
            r#"{"projects": ["a"]}"#,
            r#"{"testRegex": "(?<=a)b"}"#,
            r#"{"testMatch": ["!**/a.ts"]}"#,
            r#"{"testMatch": ["!(a).ts"]}"#,
            r#"{"testMatch": ["a{b"]}"#,
            r#"{"testMatch": ["a)"]}"#,
            r#"{"testMatch": [1]}"#,
            r#"{"roots": ["../../.."]}"#,
        ] {
            assert!(Config::read("web", &serde_json::from_str(config).expect("JSON")).is_none(), "{config}");
        }
    }
}
