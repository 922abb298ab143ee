//! `package.json` and `pnpm-workspace.yaml`: which packages the repository holds and which files their names stand for.

use super::check::TestTools;
use super::configs::{best_match, words};
use super::jest::Files;
use super::runners::Tests;
use crate::project::{MAX_NAME, folder_of, is_below, join};
use serde_json::Value;

/// A package of the repository.
#[derive(Debug)]
pub(super) struct Package {
    /// Its name; empty where it has none.
    pub(super) name: String,
    /// Folder of its `package.json`.
    pub(super) folder: String,
    /// Whether a workspace lists it.
    pub(super) is_member: bool,
    /// What it says of running tests.
    pub(super) tests: Tests,
    /// What it says of checks.
    pub(super) said: TestTools,
    /// Its version.
    pub(super) version: Option<String>,
    /// Whether nobody gets it.
    pub(super) is_private: bool,
    exports: Value,
    imports: Value,
    /// Files it names as its entry without `exports`, best first.
    entries: Vec<String>,
}

/// Fields that name the entry of a package, best first.
const ENTRY_FIELDS: [&str; 5] = ["source", "types", "typings", "module", "main"];

/// Conditions of `exports` that lead to declarations or sources, best first; others follow as written.
const CONDITIONS: [&str; 6] = ["source", "types", "import", "module", "default", "require"];

/// Folders that builds write to.
const OUTPUT_FOLDERS: [&str; 10] = ["dist", "build", "lib", "out", "output", "esm", "cjs", "es", "types", "_esm"];

/// Endings of files that builds write, longest first.
const BUILT_ENDINGS: [&str; 8] = [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".ts", ".jsx"];

/// Endings of the sources they are built from, best first.
const SOURCE_ENDINGS: [&str; 7] = [".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".mjs"];

/// The most exports that are read of one package.
const MAX_EXPORTS: usize = 512;

/// The longest target, with what stands for its stars.
const MAX_TARGET: usize = 4096;

/// The most targets that are read of one export: real ones have a handful.
const MAX_TARGETS: usize = 64;

impl Package {
    /// Reads a manifest. `globs` are the folders that workspaces list, `jests` configurations of Jest.
    pub(super) fn new(path: &str, value: &Value, globs: &[Glob], exists: &dyn Fn(&str) -> bool, jests: &Files) -> Self {
        let folder = folder_of(path).to_owned();
        let field = |name: &str| value.get(name).cloned().unwrap_or_default();
        let entries = ENTRY_FIELDS.iter().filter_map(|name| Some(value.get(*name)?.as_str()?.to_owned())).collect();
        Self {
            name: value.get("name").and_then(Value::as_str).filter(|name| name.len() <= MAX_NAME).unwrap_or_default().to_owned(),
            is_member: globs.iter().any(|glob| glob.includes(&folder)),
            tests: Tests::read(&folder, value, exists, jests),
            said: TestTools::read(value),
            version: value.get("version").and_then(Value::as_str).map(str::to_owned),
            is_private: value.get("private").and_then(Value::as_bool) == Some(true),
            folder,
            exports: field("exports"),
            imports: field("imports"),
            entries,
        }
    }

    /// Packages of a workspace come before those of the same name that lie about, such as fixtures; then the nearest to the root.
    pub(super) fn rank(&self) -> (bool, usize, &str) {
        (!self.is_member, self.folder.len(), &self.folder)
    }

    /// Files that the package stands for: `below` is what follows its name, without a slash in front.
    pub(super) fn files(&self, below: &str) -> Vec<String> {
        if self.exports.is_null() {
            return if below.is_empty() { self.built(self.entries.iter().map(String::as_str)) } else { Vec::new() };
        }
        let key = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
        let subpaths = self.exports.as_object().filter(|exports| exports.keys().any(|key| key.starts_with('.')));
        match subpaths {
            Some(subpaths) => self.matching(subpaths, &key),
            None if below.is_empty() => self.built(targets(&self.exports).into_iter()),
            None => Vec::new(),
        }
    }

    /// Whether files below the package can be imported by their path.
    pub(super) fn is_open(&self) -> bool {
        self.exports.is_null()
    }

    /// The paths below it that others can import, as far as it names them; empty for itself. A star stands for any.
    pub(super) fn named_paths(&self) -> Vec<&str> {
        let subpaths = self.exports.as_object().filter(|exports| exports.keys().any(|key| key.starts_with('.')));
        let Some(subpaths) = subpaths else { return vec![""] };
        let below = subpaths.keys().filter_map(|key| key.strip_prefix('.'));
        let below = below.map(|key| key.strip_prefix('/').unwrap_or(key));
        // A key with two stars means nothing.
        below.filter(|key| key.len() <= MAX_NAME && key.matches('*').count() < 2).take(MAX_EXPORTS).collect()
    }

    /// Files that an internal import, one that starts with `#`, stands for.
    pub(super) fn internal(&self, specifier: &str) -> Vec<String> {
        self.imports.as_object().map_or_else(Vec::new, |imports| self.matching(imports, specifier))
    }

    fn matching(&self, patterns: &serde_json::Map<String, Value>, key: &str) -> Vec<String> {
        let patterns = patterns.iter().map(|(pattern, value)| (pattern.as_str(), value));
        let Some((value, star)) = best_match(patterns, key) else { return Vec::new() };
        let fits = |target: &&str| target.len() + target.matches('*').count() * star.len() <= MAX_TARGET;
        let targets: Vec<String> = targets(value).into_iter().filter(fits).map(|target| target.replace('*', star)).collect();
        self.built(targets.iter().map(String::as_str))
    }

    /// The files named, then the sources they may be built from.
    fn built<'a>(&self, targets: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
        let named = targets.clone().filter_map(|target| join(&self.folder, target));
        let sources = targets.flat_map(sources_of).filter_map(|source| join(&self.folder, &source));
        let mut files: Vec<String> = Vec::new();
        for file in named.chain(sources) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }
}

/// The paths a value of `exports` names, in the order of [`CONDITIONS`].
fn targets(value: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(target) if found.len() < MAX_TARGETS => found.push(target.as_str()),
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::Object(conditions) => {
                let rank = |name: &str| CONDITIONS.iter().position(|known| *known == name).unwrap_or(CONDITIONS.len());
                let mut ordered: Vec<(&String, &Value)> = conditions.iter().collect();
                ordered.sort_by_key(|(name, _)| rank(name));
                open.extend(ordered.into_iter().rev().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

/// Sources that a built file may come from: `dist/esm/a.d.ts` from `src/a.ts`, `a.ts`.
fn sources_of(target: &str) -> Vec<String> {
    let target = target.trim_start_matches("./");
    let Some(stem) = BUILT_ENDINGS.iter().find_map(|ending| target.strip_suffix(ending)) else { return Vec::new() };
    let mut sources = Vec::new();
    let mut stem = stem;
    while let Some((first, rest)) = stem.split_once('/') {
        if !OUTPUT_FOLDERS.contains(&first) {
            break;
        }
        sources.extend(SOURCE_ENDINGS.iter().map(|ending| format!("src/{rest}{ending}")));
        sources.extend(SOURCE_ENDINGS.iter().map(|ending| format!("{rest}{ending}")));
        stem = rest;
    }
    if sources.is_empty() {
        sources.extend(SOURCE_ENDINGS.iter().map(|ending| format!("{stem}{ending}")));
    }
    sources
}

/// A package of the repository that a manifest depends on in place, not by a version that a registry has.
#[derive(Debug)]
pub(super) enum Link {
    /// By its name.
    Named(String),
    /// By its folder.
    Folder(String),
}

/// Fields of a manifest that list packages.
pub(super) const DEPENDENCY_FIELDS: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

impl Link {
    /// The links of a `package.json`.
    pub(super) fn of_package(path: &str, value: &Value) -> Vec<Self> {
        let listed = DEPENDENCY_FIELDS.iter().filter_map(|field| value.get(*field)?.as_object()).flatten();
        let link = |(name, version): (&String, &Value)| {
            let (protocol, rest) = version.as_str()?.split_once(':')?;
            match protocol {
                "workspace" => Some(Self::Named(name.clone())),
                "file" | "link" | "portal" => join(folder_of(path), rest).map(Self::Folder),
                _ => None,
            }
        };
        listed.filter_map(link).collect()
    }

    /// Whether it means the package with this name in this folder.
    pub(super) fn means(&self, name: &str, folder: &str) -> bool {
        match self {
            Self::Named(known) => known == name,
            Self::Folder(known) => known == folder,
        }
    }
}

/// A pattern of folders that a workspace lists.
#[derive(Debug)]
pub(super) struct Glob {
    root: String,
    parts: Vec<String>,
}

impl Glob {
    /// The patterns of a `package.json`: a list, or a list under `packages`.
    pub(super) fn of_package(path: &str, value: &Value) -> Vec<Self> {
        let workspaces = value.get("workspaces");
        let list = workspaces.and_then(|workspaces| workspaces.get("packages")).or(workspaces);
        words(list).into_iter().map(|word| Self::new(path, word)).collect()
    }

    /// The patterns of a `pnpm-workspace.yaml`: the items under `packages:`.
    pub(super) fn of_pnpm(path: &str, text: &str) -> Vec<Self> {
        let lines = text.lines().skip_while(|line| line.trim_end() != "packages:").skip(1);
        let items = lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let items = items.map_while(|line| line.strip_prefix('-'));
        items.map(|item| Self::new(path, item.split(" #").next().unwrap_or(item).trim().trim_matches(['"', '\'']))).collect()
    }

    fn new(path: &str, pattern: &str) -> Self {
        let parts = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect();
        Self { root: folder_of(path).to_owned(), parts }
    }

    /// Whether a folder fits: `*` stands for one name or a part of it, `**` for all below.
    fn includes(&self, folder: &str) -> bool {
        if !is_below(folder, &self.root) {
            return false;
        }
        let mut names = folder[self.root.len()..].split('/').filter(|name| !name.is_empty());
        for part in &self.parts {
            if part == "**" {
                return true;
            }
            let fits = |name: &str| match part.split_once('*') {
                None => part == name,
                Some((before, after)) => {
                    name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
                }
            };
            if !names.next().is_some_and(fits) {
                return false;
            }
        }
        names.next().is_none()
    }
}
