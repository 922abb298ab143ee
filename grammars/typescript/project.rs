//! `tsconfig.json`, `package.json` and workspaces: from the text of an import to the files it may mean.

use super::check::{Compiled, checks};
use super::configs::{Configs, read_json};
use super::jest;
use super::packages::{Glob, Link, Package};
use super::runners::runner;
use crate::check::Check;
use crate::project::{Candidates, Manifest, Project, ProjectRules, Published, Registry, folder_of, is_below, join};
use crate::run::{Runner, TestFile};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) const RULES: ProjectRules =
    ProjectRules { is_manifest, runs_by: "a package.json above it that names a test tool", vendored_in: &["node_modules"], load };

/// Endings that an import may leave out, best first.
const ENDINGS: [&str; 10] = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];

/// Endings that are written for what a file is compiled to, with those of its source.
const COMPILED: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx", ".d.ts"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
];

fn is_manifest(name: &str) -> bool {
    matches!(name, "package.json" | "pnpm-workspace.yaml" | "jsconfig.json") || is_config(name) || jest::is_config(name)
}

fn is_config(name: &str) -> bool {
    name == "jsconfig.json" || name.contains("tsconfig") && name.rsplit('.').next() == Some("json")
}

#[derive(Debug, Default)]
struct TypeScriptProject {
    configs: Configs,
    /// What the compiler takes, by folder.
    compiled: BTreeMap<String, Compiled>,
    /// Longest folder first, so that the first that holds a file is its package.
    packages: Vec<Package>,
    /// Packages by name, best first.
    by_name: BTreeMap<String, Vec<usize>>,
    problems: Vec<(String, String)>,
}

fn load(manifests: &[Manifest<'_>], exists: &dyn Fn(&str) -> bool) -> Box<dyn Project> {
    let mut problems = Vec::new();
    let mut configs = BTreeMap::new();
    let mut packages = Vec::new();
    let mut globs = Vec::new();
    let mut links = Vec::new();
    let mut jests = jest::Files::new();
    for manifest in manifests {
        let name = manifest.path.rsplit('/').next().unwrap_or(manifest.path);
        if name == "pnpm-workspace.yaml" {
            globs.extend(Glob::of_pnpm(manifest.path, manifest.text));
            continue;
        }
        match read_json(manifest.text) {
            Ok(value) if is_config(name) => {
                configs.insert(manifest.path, value);
            }
            Ok(value) if jest::is_config(name) => {
                jests.insert(manifest.path.to_owned(), value);
            }
            Ok(value) => {
                globs.extend(Glob::of_package(manifest.path, &value));
                links.extend(Link::of_package(manifest.path, &value));
                packages.push((manifest.path, value));
            }
            Err(message) => problems.push((manifest.path.to_owned(), message)),
        }
    }
    let compiled = configs.iter().filter_map(|(path, config)| Compiled::read(path, config)).collect();
    let configs = Configs::load(&configs, &mut problems);
    let package = |(path, value): &(&str, Value)| Package::new(path, value, &globs, exists, &jests);
    let mut packages: Vec<Package> = packages.iter().map(package).collect();
    packages.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    // A package that lies about, as fixtures do, is not what its name means.
    let is_linked = |package: &Package| package.is_member || links.iter().any(|link| link.means(&package.name, &package.folder));
    for (index, package) in packages.iter().enumerate().filter(|(_, package)| !package.name.is_empty() && is_linked(package)) {
        by_name.entry(package.name.clone()).or_default().push(index);
    }
    for indexes in by_name.values_mut() {
        indexes.sort_by(|a, b| packages[*a].rank().cmp(&packages[*b].rank()));
    }
    problems.sort();
    problems.dedup();
    Box::new(TypeScriptProject { configs, compiled, packages, by_name, problems })
}

impl Project for TypeScriptProject {
    fn candidates(&self, from: &str, path: &str) -> Candidates {
        // Bundlers take wishes behind a question mark: `./icon.svg?url`.
        let specifier = path.split('?').next().unwrap_or(path);
        let mut files = Vec::new();
        if is_relative(specifier) {
            if let Some(path) = join(folder_of(from), specifier) {
                let is_folder = path.is_empty() || specifier.ends_with(['/', '.']);
                self.add_files(&path, is_folder, &mut files);
            }
            return Candidates { files, ..Candidates::default() };
        }
        for path in self.configs.paths(from, specifier) {
            self.add_files(&path, false, &mut files);
        }
        if specifier.starts_with('#') {
            let own = self.packages.iter().find(|package| is_below(from, &package.folder));
            for file in own.map_or_else(Vec::new, |own| own.internal(specifier)) {
                self.add_files(&file, false, &mut files);
            }
            return Candidates { files, ..Candidates::default() };
        }
        let (name, below) = split_name(specifier);
        for package in self.by_name.get(name).into_iter().flatten().map(|index| &self.packages[*index]) {
            self.add_package(package, below, &mut files);
        }
        // A package knows itself by its name.
        let own = self.packages.iter().find(|package| is_below(from, &package.folder));
        if let Some(own) = own.filter(|own| own.name == name && files.is_empty()) {
            self.add_package(own, below, &mut files);
        }
        let is_named = !name.is_empty() && !name.starts_with(['/', '.']);
        Candidates { files, external: is_named.then(|| name.to_owned()), ..Candidates::default() }
    }

    fn package(&self, path: &str) -> Option<String> {
        self.packages.iter().find(|package| is_below(path, &package.folder)).map(|package| package.folder.clone())
    }

    fn published(&self) -> Vec<Published> {
        let named = self.packages.iter().map(|package| (&package.name, &package.folder));
        let named = named.filter(|(name, _)| !name.is_empty());
        named.map(|(name, folder)| Published { registry: Registry::Npm, name: name.clone(), folder: folder.clone() }).collect()
    }

    fn runner(&self, file: &TestFile<'_>) -> Option<Runner> {
        let around = self.packages.iter().filter(|package| is_below(file.path, &package.folder));
        runner(around, file)
    }

    fn checks(&self, exists: &dyn Fn(&str) -> bool) -> Vec<Check> {
        checks(&self.packages, &self.compiled, exists)
    }

    fn problems(&self) -> &[(String, String)] {
        &self.problems
    }
}

impl TypeScriptProject {
    /// Adds the files that a path without a certain ending may mean.
    fn add_files(&self, path: &str, is_folder: bool, files: &mut Vec<String>) {
        if !is_folder {
            for (ending, sources) in COMPILED {
                if let Some(stem) = path.strip_suffix(ending) {
                    files.extend(sources.iter().map(|source| format!("{stem}{source}")));
                }
            }
            files.push(path.to_owned());
            files.extend(ENDINGS.iter().map(|ending| format!("{path}{ending}")));
        }
        if let Some(package) = self.packages.iter().find(|package| package.folder == path) {
            files.extend(package.files(""));
        }
        let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
        files.extend(ENDINGS.iter().map(|ending| format!("{folder}index{ending}")));
    }

    /// Adds the files that a package's name, with what follows it, may mean.
    fn add_package(&self, package: &Package, below: &str, files: &mut Vec<String>) {
        for file in package.files(below) {
            // An entry may leave out its ending as an import may.
            let has_ending = ENDINGS.iter().any(|ending| file.ends_with(ending));
            if has_ending { files.push(file) } else { self.add_files(&file, false, files) }
        }
        if package.is_open() {
            let roots = [below.to_owned(), format!("src/{below}")];
            for path in roots.iter().filter_map(|root| join(&package.folder, root)) {
                let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
                if !below.is_empty() {
                    files.push(path.clone());
                    files.extend(ENDINGS.iter().map(|ending| format!("{path}{ending}")));
                }
                files.extend(ENDINGS.iter().map(|ending| format!("{folder}index{ending}")));
            }
        }
    }
}

fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

/// A bare import as package name and what follows it: `@scope/name/a/b` as `@scope/name`, `a/b`.
fn split_name(specifier: &str) -> (&str, &str) {
    let from = if specifier.starts_with('@') { specifier.find('/').map_or(0, |at| at + 1) } else { 0 };
    match specifier[from..].find('/') {
        Some(at) => (&specifier[..from + at], &specifier[from + at + 1..]),
        None => (specifier, ""),
    }
}
