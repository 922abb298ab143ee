//! `tsconfig.json`, `package.json` and workspaces: from the text of an import to the files it may mean.

use super::check::{Compiled, checks};
use super::configs::{Configs, read_json};
use super::jest;
use super::outward::{Dependency, is_of_runtime, plain};
use super::packages::{Glob, Link, Package};
use super::runners::runner;
use crate::check::Check;
use crate::project::{
    self, Candidates, Importable, Manifest, Need, Project, ProjectRules, Published, Registry, folder_of, is_below, join,
};
use crate::run::{Runner, TestFile};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::OnceLock;

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

/// The most paths that are tried for what the stars of exports stand for, in all packages of a repository.
const MAX_TRIES: usize = 200_000;

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
    /// Manifests: path and text, read for what they ask for when somebody wants to know.
    texts: Vec<(String, String)>,
    dependencies: OnceLock<BTreeMap<String, Vec<Dependency>>>,
    problems: Vec<(String, String)>,
}

fn load(manifests: &[Manifest<'_>], exists: &dyn Fn(&str) -> bool) -> Box<dyn Project> {
    let mut problems = Vec::new();
    let mut configs = BTreeMap::new();
    let mut packages = Vec::new();
    let mut globs = Vec::new();
    let mut links = Vec::new();
    let mut texts = Vec::new();
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
                texts.push((manifest.path.to_owned(), manifest.text.to_owned()));
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
    Box::new(TypeScriptProject { configs, compiled, packages, by_name, texts, dependencies: OnceLock::new(), problems })
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

    fn packages(&self) -> Vec<project::Package> {
        let named = self.packages.iter().filter(|package| !package.name.is_empty() && !package.is_private);
        let package = |package: &Package| project::Package {
            registry: Registry::Npm,
            name: package.name.clone(),
            version: package.version.clone(),
            folder: package.folder.clone(),
        };
        named.map(package).collect()
    }

    fn needs(&self) -> Vec<Need> {
        let all = self.dependencies().iter().flat_map(|(folder, asked)| asked.iter().map(move |each| (folder, each)));
        let need = |(folder, each): (&String, &Dependency)| Need {
            folder: folder.clone(),
            registry: Registry::Npm,
            name: each.name.clone(),
            requirement: each.requirement.clone(),
            is_local: each.is_local || self.by_name.contains_key(&each.local),
            line: each.line,
        };
        all.map(need).collect()
    }

    fn outside(&self, from: &str, path: &str) -> Option<(Registry, String)> {
        let specifier = path.split('?').next().unwrap_or(path);
        if is_relative(specifier) || specifier.starts_with(['#', '/', '.']) || is_of_runtime(specifier) {
            return None;
        }
        let (name, below) = split_name(plain(specifier));
        let around = self.packages.iter().filter(|package| is_below(from, &package.folder));
        let mut asked = around.filter_map(|package| self.dependencies().get(&package.folder)).flatten();
        let name = asked.find(|asked| asked.local == name).map_or(name, |asked| asked.name.as_str());
        let name = if below.is_empty() { name.to_owned() } else { format!("{name}/{below}") };
        (!name.is_empty()).then_some((Registry::Npm, name))
    }

    fn importable(&self, files: &[&str]) -> Vec<Importable> {
        let mut found = Vec::new();
        let mut n_tries = 0;
        for package in self.packages.iter().filter(|package| !package.name.is_empty() && !package.is_private) {
            self.add_importable(package, files, &mut n_tries, &mut found);
        }
        found
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

    /// What packages ask for, by folder.
    fn dependencies(&self) -> &BTreeMap<String, Vec<Dependency>> {
        let of = |(path, text): &(String, String)| {
            let folder = folder_of(path);
            Some((folder.to_owned(), Dependency::all(folder, &read_json(text).ok()?, text)))
        };
        self.dependencies.get_or_init(|| self.texts.iter().filter_map(of).collect())
    }

    /// Adds the modules of a package that others can import.
    fn add_importable(&self, package: &Package, files: &[&str], n_tries: &mut usize, found: &mut Vec<Importable>) {
        let folder = if package.folder.is_empty() { String::new() } else { format!("{}/", package.folder) };
        let start = files.partition_point(|file| *file < folder.as_str());
        let own = files[start..].iter().take_while(|file| file.starts_with(&folder));
        let inner = own.filter_map(|file| Some((*file, file.strip_prefix(&folder)?)));
        let inner = inner.filter(|(_, inner)| !super::is_test_path(inner) && !inner.contains("node_modules/"));
        let own: Vec<(&str, &str)> = inner.map(|(file, inner)| (file, stem(inner))).collect();
        let mut add = |below: &str, wanted: Option<&str>| {
            let mut meant = Vec::new();
            self.add_package(package, below, &mut meant);
            let file = meant.into_iter().find(|file| files.binary_search(&file.as_str()).is_ok());
            if let Some(file) = file.filter(|file| wanted.is_none_or(|wanted| file == wanted)) {
                let name = if below.is_empty() { package.name.clone() } else { format!("{}/{below}", package.name) };
                found.push(Importable { registry: Registry::Npm, name: plain(&name).to_owned(), file });
            }
        };
        for below in package.named_paths() {
            if below.contains('*') {
                for (file, stem) in &own {
                    let inner = stem.strip_prefix("src/").unwrap_or(stem);
                    for end in inner.match_indices('/').map(|(at, _)| at + 1).chain([0]) {
                        *n_tries += 1;
                        if *n_tries > MAX_TRIES {
                            return;
                        }
                        add(&below.replace('*', &inner[end..]), Some(file));
                    }
                }
            } else {
                add(below, None);
            }
        }
        if package.is_open() {
            // Of files with one stem the import means that which is first of the endings.
            let rank = |file: &str, stem: &str| ENDINGS.iter().position(|ending| file[folder.len() + stem.len()..] == **ending);
            let mut by_stem: BTreeMap<&str, (Option<usize>, &str)> = BTreeMap::new();
            for (file, stem) in &own {
                let this = (rank(file, stem), *file);
                let known = by_stem.entry(*stem).or_insert(this);
                *known = this.min(*known);
            }
            for (stem, (_, file)) in &by_stem {
                let mut add = |below: &str| {
                    let name = format!("{}/{below}", package.name);
                    found.push(Importable { registry: Registry::Npm, name, file: (*file).to_owned() });
                };
                add(stem);
                stem.strip_suffix("/index").filter(|folder| !by_stem.contains_key(folder)).into_iter().for_each(add);
            }
        }
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

/// A path without the ending that an import may leave out.
fn stem(path: &str) -> &str {
    let stem = ENDINGS.iter().filter_map(|ending| path.strip_suffix(ending)).min_by_key(|stem| stem.len());
    stem.unwrap_or(path)
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
