//! Which entries of a plan are about which files: paths, folders and globs of modules and contracts.

use super::json::Json;
use super::plan::is_path;
use globset::{GlobBuilder, GlobMatcher};

/// Fields of a module that say which files it owns.
const MODULE_PATHS: [&str; 8] = ["path", "paths", "owns", "files", "root", "dir", "directory", "folder"];

/// Fields that say what an entry is called, the first that is there.
pub(super) const IDS: [&str; 4] = ["id", "name", "module", "title"];

/// Fields of a contract that say which module it is of, where it names no file.
const CONTRACT_MODULES: [&str; 3] = ["module", "moduleId", "owner"];

/// How deep in a contract a file may be named.
const MAX_DEPTH: usize = 4;

/// The whole repository.
const ROOT: &str = ".";

/// Characters that make a path a pattern.
const WILD: [char; 4] = ['*', '?', '[', '{'];

/// A path, a folder or a glob by which an entry says what it is about.
pub(super) struct Pattern {
    /// As it is written, without `./` before it and `/` behind it.
    plain: String,
    glob: Option<GlobMatcher>,
}

impl Pattern {
    /// A pattern; one that is not a glob covers nothing. `*` stays within a folder.
    pub(super) fn new(text: &str) -> Self {
        let text = text.trim();
        let plain = text.trim_start_matches("./").trim_end_matches('/');
        let plain = if plain.is_empty() && !text.is_empty() { ROOT } else { plain };
        let build = || GlobBuilder::new(plain).literal_separator(true).build().ok();
        let glob = if plain.contains(WILD) { build().map(|glob| glob.compile_matcher()) } else { None };
        Self { plain: plain.to_owned(), glob }
    }

    /// How much of a path it says, if it covers it: the more, the better it knows the file.
    pub(super) fn covers(&self, file: &str) -> Option<usize> {
        let plain = self.plain.as_str();
        if let Some(at) = plain.find(WILD) {
            return self.glob.as_ref().filter(|glob| glob.is_match(file)).map(|_| at);
        }
        if plain == ROOT {
            return Some(0);
        }
        let rest = file.strip_prefix(plain).filter(|_| !plain.is_empty())?;
        (rest.is_empty() || rest.starts_with('/')).then_some(plain.len())
    }
}

/// How much of a path a pattern says, if it covers it.
pub(super) fn covers(pattern: &str, file: &str) -> Option<usize> {
    Pattern::new(pattern).covers(file)
}

/// What an entry is called.
pub(super) fn id<'a>(name: Option<&'a str>, entry: &'a Json) -> Option<&'a str> {
    entry.any(&IDS).and_then(Json::text).or(name)
}

/// The patterns by which a module says what it owns.
pub(super) fn patterns(name: Option<&str>, module: &Json) -> Vec<Pattern> {
    let mut found: Vec<&str> = MODULE_PATHS.iter().filter_map(|field| module.get(field)).flat_map(Json::texts).collect();
    found.retain(|pattern| !pattern.contains(char::is_whitespace));
    if found.is_empty() {
        found.extend(name.filter(|name| is_path(name)));
    }
    found.into_iter().map(Pattern::new).collect()
}

/// What a contract is about.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum About {
    /// It names files, this one among them or not.
    File(bool),
    /// It names no file, but a module.
    Module(String),
    /// Neither.
    Nothing,
}

/// Whether a contract is about one of these files.
pub(super) fn about(contract: &Json, files: &[&str]) -> About {
    let mut named = Vec::new();
    name_files(contract, 0, &mut named);
    if !named.is_empty() {
        let is_about = |pattern: &Pattern| files.iter().any(|file| pattern.covers(file).is_some());
        return About::File(named.into_iter().map(Pattern::new).any(|pattern| is_about(&pattern)));
    }
    let module = contract.any(&CONTRACT_MODULES).and_then(Json::text);
    module.map_or(About::Nothing, |module| About::Module(module.to_owned()))
}

/// The paths that an entry names: in fields for paths and files, but for those of schemas. A path of an interface begins at the root.
fn name_files<'a>(entry: &'a Json, depth: usize, named: &mut Vec<&'a str>) {
    if depth > MAX_DEPTH {
        return;
    }
    for (name, value) in entry.fields() {
        let name = name.to_lowercase();
        if name.ends_with("schema") {
            continue;
        }
        if name.contains("path") || name.contains("file") || matches!(name.as_str(), "handler" | "implementation") {
            named.extend(value.texts().into_iter().filter(|text| is_path(text)));
        }
        name_files(value, depth + 1, named);
        value.items().iter().for_each(|item| name_files(item, depth + 1, named));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_covers_what_is_below_it() {
        for (pattern, file, expected) in [
            ("src/auth/", "src/auth/login.ts", Some(8)),
            ("./src/auth", "src/auth/login.ts", Some(8)),
            ("src/auth", "src/author.ts", None),
            ("src/auth/login.ts", "src/auth/login.ts", Some(17)),
            ("src/**", "src/auth/login.ts", Some(4)),
            ("src/*.ts", "src/auth/login.ts", None),
            ("src/[", "src/[", None),
            (".", "a.go", Some(0)),
            ("", "a.go", None),
        ] {
            assert_eq!(covers(pattern, file), expected, "{pattern} {file}");
        }
    }

    #[test]
    fn a_contract_is_about_files_or_about_a_module() {
        let about = |json: &str| about(&Json::parse(json).unwrap(), &["src/auth/login.ts"]);
        assert_eq!(about(r#"{"path": "src/auth/login.ts"}"#), About::File(true));
        assert_eq!(
            about(r#"{"path": "/api/login", "related": {"files": ["src/a.ts", "src/auth/login.ts"]}}"#),
            About::File(true)
        );
        assert_eq!(about(r#"{"file": "src/pay/pay.ts", "module": "auth"}"#), About::File(false));
        assert_eq!(about(r#"{"path": "/api/login", "module": "auth"}"#), About::Module("auth".to_owned()));
        assert_eq!(about(r#"{"endpoint": "POST /api", "requestSchema": {"path": "src/auth/login.ts"}}"#), About::Nothing);
    }
}
