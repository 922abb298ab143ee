//! Cargo: `Cargo.toml` to packages, their crates and what each may name.
//!
//! A package belongs to the nearest workspace above it, as in Cargo itself: an unlisted package there would be an error, so that the lists
//! of members say nothing more than where manifests stand.

use super::check::checks;
use super::run::{CrateTarget, KINDS, matches, runner, targets};
use crate::check::Check;
use crate::project::{
    self, Candidates, Importable, MAX_NAME, Manifest, Need, Project, ProjectRules, Published, Registry, TreeRoot, folder_of, join,
};
use crate::run::{Runner, TestFile};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

pub(super) const RULES: ProjectRules = ProjectRules {
    is_manifest: |name| name == "Cargo.toml",
    runs_by: "a Cargo.toml whose crates have it",
    vendored_in: &[],
    load,
};

/// Crates that every package may name.
const STANDARD: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

/// Tables of a manifest that name dependencies; also below `target.<condition>`.
const DEPENDENCY_TABLES: [&str; 5] =
    ["dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"];

/// What a package may name by one word.
#[derive(Debug, Clone)]
struct Dependency {
    /// The word; that of the library where it was not renamed and stands in the repository.
    name: String,
    /// Name of the package.
    package: String,
    /// Folder of the package, if it stands in the repository.
    folder: Option<String>,
    renamed: bool,
    /// The versions that are wanted, as they are written.
    requirement: String,
    /// The word as the manifest has it, and its line.
    key: String,
    line: u32,
}

#[derive(Debug, Default)]
struct Package {
    name: String,
    version: Option<String>,
    /// Name and file of its library.
    library: Option<(String, String)>,
    dependencies: Vec<Dependency>,
    /// The crates that its manifest names.
    targets: Vec<CrateTarget>,
    /// Folders, relative to its own, whose files are crates, with the kind of these.
    discovered: Vec<(&'static str, &'static str)>,
    /// Whether the workspace at the root of the repository surely has it.
    is_member: bool,
}

/// What a workspace says for its members.
#[derive(Debug, Default)]
struct Workspace {
    dependencies: Vec<Dependency>,
    /// The version of members that take it from here.
    version: Option<String>,
    /// Patterns of folders that it lists.
    members: Vec<String>,
    /// Folders it does not want.
    excluded: Vec<String>,
}

#[derive(Debug, Default)]
struct CargoProject {
    /// By folder.
    packages: BTreeMap<String, Package>,
    roots: Vec<TreeRoot>,
    /// The names of packages by the folder from which they are built: that of their workspace, or their own where they have none.
    built_in: BTreeMap<String, BTreeSet<String>>,
    problems: Vec<(String, String)>,
}

fn load(manifests: &[Manifest<'_>], exists: &dyn Fn(&str) -> bool) -> Box<dyn Project> {
    let mut project = CargoProject::default();
    let mut tables: BTreeMap<&str, Table> = BTreeMap::new();
    for manifest in manifests {
        match manifest.text.parse::<Table>() {
            Ok(table) => {
                tables.insert(folder_of(manifest.path), table);
            }
            Err(error) => project.problems.push((manifest.path.to_owned(), error.message().to_owned())),
        }
    }
    let workspaces: BTreeMap<&str, Workspace> =
        tables.iter().filter_map(|(folder, table)| Some((*folder, read_workspace(folder, table)?))).collect();
    for (folder, table) in &tables {
        if let Some(about) = table.get("package").or_else(|| table.get("project")).and_then(Value::as_table) {
            let (built_in, workspace) = workspace_of(folder, about, &workspaces).unzip();
            let name = about.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            if !is_for_fuzzing(about) {
                project.built_in.entry(built_in.unwrap_or(folder).to_owned()).or_default().insert(name);
            }
            project.add_package(folder, about, table, workspace, exists);
            if let (Some(package), Some(root)) = (project.packages.get_mut(*folder), workspaces.get("")) {
                let is_excluded = root.excluded.iter().any(|excluded| is_below(folder, excluded));
                package.is_member |= !is_excluded && root.members.iter().any(|pattern| matches(pattern, folder));
            }
        }
    }
    project.name_dependencies();
    for manifest in manifests {
        let dependencies = project.packages.get_mut(folder_of(manifest.path)).map(|package| &mut package.dependencies);
        let mut lines: BTreeMap<&str, u32> = BTreeMap::new();
        let mut is_list = false;
        for (line, text) in (1..).zip(manifest.text.lines()) {
            let table = text.split('#').next().unwrap_or(text).trim().strip_prefix('[');
            if let Some(table) = table {
                is_list = table.trim_end_matches(']').ends_with("dependencies");
            }
            if let Some(key) = key_of_line(text).filter(|_| is_list || table.is_some()) {
                lines.entry(key).or_insert(line);
            }
        }
        for dependency in dependencies.into_iter().flatten() {
            dependency.line = lines.get(dependency.key.as_str()).copied().unwrap_or(1);
        }
    }
    // One file may be named twice; as a library it can be imported.
    project.roots.sort_by(|a, b| a.file.cmp(&b.file).then_with(|| b.name.cmp(&a.name)));
    project.roots.dedup_by(|second, first| second.file == first.file);
    Box::new(project)
}

fn read_workspace(folder: &str, table: &Table) -> Option<Workspace> {
    let about = table.get("workspace")?.as_table()?;
    let version = about.get("package").and_then(|package| package.get("version")?.as_str()).map(str::to_owned);
    let mut workspace = Workspace { version, ..Workspace::default() };
    if let Some(named) = about.get("dependencies").and_then(Value::as_table) {
        workspace.dependencies.extend(named.iter().map(|(name, value)| read_dependency(folder, name, value, None)));
    }
    let list =
        |key: &str| about.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    workspace.members.extend(list("members").map(str::to_owned));
    workspace.excluded.extend(list("exclude").filter_map(|path| join(folder, path)));
    // A patch leads every member that names the package to a folder of the repository.
    for patches in table.get("patch").and_then(Value::as_table).into_iter().flat_map(Table::values) {
        for (name, value) in patches.as_table().into_iter().flatten() {
            let patch = read_dependency(folder, name, value, None);
            if patch.folder.is_some() && workspace.dependencies.iter().all(|known| known.name != patch.name) {
                workspace.dependencies.push(patch);
            }
        }
    }
    Some(workspace)
}

/// The workspace that a package names or the nearest above it that does not exclude it, with its folder.
fn workspace_of<'a>(
    folder: &str,
    about: &Table,
    workspaces: &'a BTreeMap<&'a str, Workspace>,
) -> Option<(&'a str, &'a Workspace)> {
    let at = |folder: &str| workspaces.get_key_value(folder).map(|(folder, found)| (*folder, found));
    if let Some(path) = about.get("workspace").and_then(Value::as_str) {
        return at(&join(folder, path)?);
    }
    let excludes = |found: &Workspace| found.excluded.iter().any(|excluded| is_below(folder, excluded));
    above(folder).find_map(|outer| at(outer).filter(|(_, found)| !excludes(found)))
}

/// One line of a dependency table; `workspace` answers for `workspace = true`.
fn read_dependency(folder: &str, name: &str, value: &Value, workspace: Option<&Workspace>) -> Dependency {
    let key = crate_name(name);
    let shared = workspace.and_then(|workspace| workspace.dependencies.iter().find(|known| known.name == key));
    let text = |field: &str| value.get(field).and_then(Value::as_str);
    let path = text("path").and_then(|path| join(folder, path));
    if let Some(shared) = shared
        && path.is_none()
        && (value.get("workspace").and_then(Value::as_bool) == Some(true) || shared.folder.is_some())
    {
        return Dependency { key: name.to_owned(), ..shared.clone() };
    }
    let package = text("package").unwrap_or(name).to_owned();
    let renamed = crate_name(&package) != key;
    let requirement = value.as_str().or_else(|| text("version")).unwrap_or_default().to_owned();
    Dependency { name: key, package, folder: path, renamed, requirement, key: name.to_owned(), line: 0 }
}

impl CargoProject {
    fn add_package(
        &mut self,
        folder: &str,
        about: &Table,
        table: &Table,
        workspace: Option<&Workspace>,
        exists: &dyn Fn(&str) -> bool,
    ) {
        let name = about.get("name").and_then(Value::as_str).unwrap_or_default();
        let in_folder = |path: &str| join(folder, path).filter(|file| exists(file));
        let lib_text = |field: &str| table.get("lib").and_then(|lib| lib.get(field)?.as_str());
        let library = in_folder(lib_text("path").unwrap_or("src/lib.rs"))
            .map(|file| (crate_name(lib_text("name").unwrap_or(name)), file))
            .filter(|(name, _)| !name.is_empty());
        let targets = targets(folder, about, table, exists);
        let mut roots: Vec<String> = targets.iter().map(|target| target.file.clone()).collect();
        let build = about.get("build");
        if build.and_then(Value::as_bool) != Some(false) {
            roots.extend(in_folder(build.and_then(Value::as_str).unwrap_or("build.rs")));
        }
        let root = |name: &str, file: String| TreeRoot { name: name.to_owned(), file, folder: folder.to_owned() };
        self.roots.extend(library.iter().map(|(name, file)| root(name, file.clone())));
        self.roots.extend(roots.into_iter().map(|file| root("", file)));
        let is_on = |key: &str| about.get(key).and_then(Value::as_bool) != Some(false);
        let discovered = KINDS.iter().filter(|(.., key)| is_on(key)).map(|(kind, folder, _)| (*folder, *kind)).collect();
        let platforms = table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
        let mut dependencies = Vec::new();
        for holder in platforms.filter_map(Value::as_table).chain([table]) {
            for named in DEPENDENCY_TABLES.iter().filter_map(|key| holder.get(*key)?.as_table()) {
                dependencies.extend(named.iter().map(|(name, value)| read_dependency(folder, name, value, workspace)));
            }
        }
        let own = about.get("version");
        let shared = own.and_then(|version| version.get("workspace")?.as_bool()).and_then(|_| workspace?.version.clone());
        let version = own.and_then(Value::as_str).map(str::to_owned).or(shared);
        let (name, is_member) = (name.to_owned(), folder.is_empty());
        self.packages.insert(folder.to_owned(), Package { name, version, library, dependencies, targets, discovered, is_member });
    }

    /// Gives dependencies in the repository the names of their libraries, which need not be those of their packages.
    fn name_dependencies(&mut self) {
        let libraries: BTreeMap<String, String> = self
            .packages
            .iter()
            .filter_map(|(folder, package)| Some((folder.clone(), package.library.as_ref()?.0.clone())))
            .collect();
        for dependency in self.packages.values_mut().flat_map(|package| &mut package.dependencies) {
            let library = dependency.folder.as_ref().and_then(|folder| libraries.get(folder));
            if let Some(library) = library.filter(|_| !dependency.renamed) {
                dependency.name.clone_from(library);
            }
        }
    }

    /// The innermost package that holds a file, with its folder.
    fn package_of(&self, file: &str) -> Option<(&str, &Package)> {
        above(folder_of(file))
            .find_map(|folder| self.packages.get_key_value(folder))
            .map(|(folder, package)| (folder.as_str(), package))
    }
}

impl Package {
    /// Kind and name of the crate that a file of the package in `folder` is the root of by its place alone.
    fn discovered<'a>(&self, folder: &str, file: &'a str) -> Option<(&'static str, &'a str)> {
        let inner = if folder.is_empty() { file } else { file.strip_prefix(folder)?.strip_prefix('/')? };
        self.discovered.iter().find_map(|(place, kind)| {
            let rest = inner.strip_prefix(place)?.strip_prefix('/')?;
            let name = match rest.split_once('/') {
                None => rest.strip_suffix(".rs"),
                Some((name, "main.rs")) => Some(name),
                Some(_) => None,
            };
            Some((*kind, name?))
        })
    }
}

impl Project for CargoProject {
    fn candidates(&self, from: &str, path: &str) -> Candidates {
        let mut candidates = Candidates::default();
        if let Some((_, package)) = self.package_of(from) {
            let own = package.library.iter().filter(|(name, _)| name == path);
            candidates.files.extend(own.map(|(_, file)| file.clone()));
            for dependency in package.dependencies.iter().filter(|dependency| dependency.name == path) {
                let there = dependency.folder.as_ref().and_then(|folder| self.packages.get(folder));
                match there.and_then(|package| package.library.as_ref()) {
                    Some((_, file)) if !candidates.files.contains(file) => candidates.files.push(file.clone()),
                    Some(_) => {}
                    None => candidates.external = Some(dependency.package.clone()),
                }
            }
        }
        if candidates.files.is_empty() && candidates.external.is_none() && STANDARD.contains(&path) {
            candidates.external = Some(path.to_owned());
        }
        candidates
    }

    fn child(&self, from: &str, is_root: bool, inside: &[&str], name: &str, explicit: Option<&str>) -> Vec<String> {
        let folder = folder_of(from);
        let file = from.rsplit('/').next().unwrap_or(from);
        let is_root = is_root || self.discovers(from);
        let own = if is_root || file == "mod.rs" { "" } else { file.strip_suffix(".rs").unwrap_or(file) };
        let plain = |name: &str| name.strip_prefix("r#").unwrap_or(name).to_owned();
        let below = std::iter::once(own.to_owned()).chain(inside.iter().map(|name| plain(name)));
        let base = join(folder, &below.collect::<Vec<_>>().join("/")).unwrap_or_default();
        if let Some(path) = explicit {
            return join(if inside.is_empty() { folder } else { &base }, path).into_iter().collect();
        }
        let name = plain(name);
        [format!("{name}.rs"), format!("{name}/mod.rs")].iter().filter_map(|path| join(&base, path)).collect()
    }

    fn roots(&self) -> &[TreeRoot] {
        &self.roots
    }

    fn discovers(&self, path: &str) -> bool {
        self.package_of(path).is_some_and(|(folder, package)| package.discovered(folder, path).is_some())
    }

    fn package(&self, path: &str) -> Option<String> {
        self.package_of(path).map(|(folder, _)| folder.to_owned())
    }

    fn published(&self) -> Vec<Published> {
        let named = self.packages.iter().map(|(folder, package)| (&package.name, folder));
        let named = named.filter(|(name, _)| !name.is_empty());
        named.map(|(name, folder)| Published { registry: Registry::Cargo, name: name.clone(), folder: folder.clone() }).collect()
    }

    fn packages(&self) -> Vec<project::Package> {
        let named = self.packages.iter().filter(|(_, package)| !package.name.is_empty());
        let package = |(folder, package): (&String, &Package)| project::Package {
            registry: Registry::Cargo,
            name: package.name.clone(),
            version: package.version.clone(),
            folder: folder.clone(),
        };
        named.map(package).collect()
    }

    fn needs(&self) -> Vec<Need> {
        let all = self.packages.iter().flat_map(|(folder, package)| package.dependencies.iter().map(move |each| (folder, each)));
        let need = |(folder, each): (&String, &Dependency)| Need {
            folder: folder.clone(),
            registry: Registry::Cargo,
            name: each.package.clone(),
            requirement: each.requirement.clone(),
            is_local: each.folder.is_some(),
            line: each.line,
        };
        all.map(need).collect()
    }

    /// By the name of the package: that of its library is not known here.
    fn outside(&self, from: &str, path: &str) -> Option<(Registry, String)> {
        let (_, package) = self.package_of(from)?;
        let dependency = package.dependencies.iter().find(|dependency| dependency.name == path)?;
        if dependency.package.len() > MAX_NAME {
            return None;
        }
        let is_here = dependency.folder.as_ref().is_some_and(|folder| self.packages.contains_key(folder));
        (!is_here).then(|| (Registry::Cargo, crate_name(&dependency.package)))
    }

    fn importable(&self, _: &[&str]) -> Vec<Importable> {
        let libraries = self.packages.values().filter_map(|package| Some((&package.name, &package.library.as_ref()?.1)));
        let importable = |(name, file): (&String, &String)| Importable {
            registry: Registry::Cargo,
            name: crate_name(name),
            file: file.clone(),
        };
        libraries.map(importable).collect()
    }

    fn runner(&self, file: &TestFile<'_>) -> Option<Runner> {
        let root = file.root?;
        let (folder, package) = self.package_of(root)?;
        let declared = package.targets.iter().find(|target| target.file == root).cloned();
        let found = || {
            let (kind, name) = package.discovered(folder, root)?;
            Some(CrateTarget::found(kind, name, root.to_owned()))
        };
        Some(runner(&package.name, folder, package.is_member, &declared.or_else(found)?))
    }

    fn checks(&self, _: &dyn Fn(&str) -> bool) -> Vec<Check> {
        let names = |packages: &BTreeSet<String>| packages.iter().filter(|name| !name.is_empty()).cloned().collect();
        self.built_in.iter().flat_map(|(folder, packages)| checks(folder, names(packages))).collect()
    }

    fn problems(&self) -> &[(String, String)] {
        &self.problems
    }
}

/// Whether a package is one of `cargo fuzz`: only that tool builds it, with a nightly compiler.
fn is_for_fuzzing(about: &Table) -> bool {
    about.get("metadata").and_then(|metadata| metadata.get("cargo-fuzz")).and_then(Value::as_bool) == Some(true)
}

/// A folder and those above it, innermost first; the root is the empty path.
fn above(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The dependency that a line of a manifest may be about: `name = "1"`, `name.workspace = true`, `[dependencies.name]`.
fn key_of_line(line: &str) -> Option<&str> {
    let line = line.trim();
    if let Some(table) = line.strip_prefix('[') {
        let (front, key) = table.trim_end_matches(']').rsplit_once('.')?;
        return front.ends_with("dependencies").then(|| key.trim_matches('"'));
    }
    let (key, _) = line.split_once('=')?;
    let key = key.trim().split('.').next()?.trim_matches('"');
    (!key.is_empty()).then_some(key)
}

fn crate_name(package: &str) -> String {
    package.replace('-', "_")
}
