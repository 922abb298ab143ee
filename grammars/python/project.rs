//! Manifests of Python to roots of modules: where packages lie, what they are called, which tools they use.
//!
//! Reads `pyproject.toml` and the files of configuration that came before it; a `setup.py` is a program, of which the commonest words are read.

use super::check::checks;
use super::outward;
use super::run::runner;
use super::standard;
use crate::check::Check;
use crate::project::{
    self, Candidates, Guarded, Importable, Manifest, Need, Project, ProjectRules, Published, Registry, folder_of, is_below, join,
};
use crate::run::{Runner, TestFile};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

pub(super) const RULES: ProjectRules = ProjectRules {
    is_manifest: |name| MANIFESTS.contains(&name),
    runs_by: "a file name that pytest or unittest looks for",
    vendored_in: &[],
    load,
};

/// Files that say where packages lie or how they are checked.
const MANIFESTS: [&str; 8] =
    ["pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "pytest.ini", "tox.ini", "mypy.ini", "ruff.toml"];

/// Those of them that make their folder that of a package, and what lists requirements whether there is a package or not.
const OF_PACKAGES: [&str; 3] = ["pyproject.toml", "setup.cfg", "setup.py"];
const REQUIREMENTS: &str = "requirements.txt";

/// What is `false` where a project is no package, by tool, and the classifier that keeps a package from a registry.
const KEPT: [&[&str]; 3] = [&["tool", "uv", "package"], &["tool", "poetry", "package-mode"], &["tool", "pdm", "distribution"]];
const PRIVATE: &str = "Private ::";

/// Folders below a manifest that hold packages by custom.
const CUSTOMARY: [&str; 3] = ["", "src", "lib"];

/// Endings of what a module may be, best first: the file of a folder goes before a file beside it.
const MODULE_FILES: [&str; 4] = ["/__init__.py", ".py", "/__init__.pyi", ".pyi"];

/// The file that makes its folder a package.
const PACKAGE_FILE: &str = "__init__.py";

/// The most roots that an import is looked for in.
const MAX_ROOTS: usize = 48;

/// What the manifests of one folder say.
#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) folder: String,
    name: String,
    /// Whether something can be built or installed from the folder.
    is_built: bool,
    /// Whether it says that nobody gets it.
    is_private: bool,
    /// How many manifests configure something: a list of requirements alone does not.
    n_configuring: u32,
    /// Folders of which the modules below are known by their paths, from the root of the repository.
    roots: BTreeSet<String>,
    /// Those of them from which packages are built: others know modules by their paths below these.
    built_roots: BTreeSet<String>,
    /// Tools that are configured here or that it depends on.
    pub(super) tools: BTreeSet<&'static str>,
    /// Whether mypy is told what it checks.
    pub(super) lists_typed: bool,
    /// Its manifests by name and text, for what they ask for.
    texts: Vec<(&'static str, String)>,
}

/// What tells mypy what it checks.
const TYPED: [&str; 3] = ["files", "modules", "packages"];

/// Tools whose names are looked for in manifests.
pub(super) const TOOLS: [&str; 5] = ["pytest", "ruff", "flake8", "mypy", "pyright"];

#[derive(Debug, Default)]
struct PythonProject {
    /// Longest folder first, so that the first that holds a file is the innermost.
    packages: Vec<Package>,
    problems: Vec<(String, String)>,
}

fn load(manifests: &[Manifest<'_>], _: &dyn Fn(&str) -> bool) -> Box<dyn Project> {
    let mut packages: BTreeMap<&str, Package> = BTreeMap::new();
    let mut problems = Vec::new();
    for manifest in manifests {
        let (folder, name) = (folder_of(manifest.path), manifest.path.rsplit('/').next().unwrap_or(manifest.path));
        let package = packages.entry(folder).or_insert_with(|| Package { folder: folder.to_owned(), ..Package::default() });
        package.n_configuring += u32::from(name != REQUIREMENTS);
        package.is_built |= OF_PACKAGES.contains(&name);
        let kept = OF_PACKAGES.into_iter().chain([REQUIREMENTS]).find(|known| *known == name);
        package.texts.extend(kept.map(|name| (name, manifest.text.to_owned())));
        match name {
            "pyproject.toml" => match manifest.text.parse::<Table>() {
                Ok(table) => package.read_project(&table),
                Err(error) => problems.push((manifest.path.to_owned(), error.message().to_owned())),
            },
            "setup.py" => package.read_program(manifest.text),
            REQUIREMENTS => {}
            "ruff.toml" => {
                package.tools.insert("ruff");
            }
            _ => package.read_sections(name, manifest.text),
        }
    }
    let mut packages: Vec<Package> = packages.into_values().collect();
    packages.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
    Box::new(PythonProject { packages, problems })
}

/// What stands below a path of keys.
fn at<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(table.get(*first)?, |value, key| value.get(key))
}

/// The texts of a value: of a list, a table, or itself.
fn texts(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        Some(Value::Table(table)) => table.values().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

impl Package {
    /// Whether its name is that of a module, as far as a module can have it.
    fn provides(&self, module: &str) -> bool {
        let plain = |c: char| if matches!(c, '-' | '.') { '_' } else { c.to_ascii_lowercase() };
        !self.name.is_empty() && self.name.chars().map(plain).eq(module.chars().map(|c| c.to_ascii_lowercase()))
    }

    fn add_root(&mut self, relative: &str) {
        self.add_searched(relative);
        self.built_roots.extend(join(&self.folder, relative.trim_matches('/')));
    }

    /// A folder in which a tool looks for modules, which nobody gets for that.
    fn add_searched(&mut self, relative: &str) {
        self.roots.extend(join(&self.folder, relative.trim_matches('/')));
    }

    /// `pyproject.toml`: the standard, and the tables of the programs that build packages.
    fn read_project(&mut self, table: &Table) {
        let name = [&["project", "name"][..], &["tool", "poetry", "name"], &["tool", "flit", "metadata", "module"]];
        name.iter().find_map(|path| at(table, path)?.as_str()).unwrap_or_default().clone_into(&mut self.name);
        self.is_private = KEPT.iter().any(|path| at(table, path).and_then(Value::as_bool) == Some(false))
            || texts(at(table, &["project", "classifiers"])).iter().any(|classifier| classifier.starts_with(PRIVATE));
        let lists: [&[&str]; 7] = [
            &["tool", "setuptools", "package-dir"],
            &["tool", "setuptools", "packages", "find", "where"],
            &["tool", "hatch", "build", "sources"],
            &["tool", "hatch", "build", "targets", "wheel", "sources"],
            &["tool", "pdm", "build", "package-dir"],
            &["tool", "maturin", "python-source"],
            &["tool", "uv", "build-backend", "module-root"],
        ];
        for root in lists.iter().flat_map(|path| texts(at(table, path))) {
            self.add_root(root);
        }
        let searched: [&[&str]; 2] = [&["tool", "pytest", "ini_options", "pythonpath"], &["tool", "pyright", "extraPaths"]];
        for root in searched.iter().flat_map(|path| texts(at(table, path))) {
            self.add_searched(root);
        }
        // Of what is named itself, the folder around is the root.
        for package in texts(at(table, &["tool", "hatch", "build", "targets", "wheel", "packages"])) {
            self.add_root(folder_of(package.trim_matches('/')));
        }
        for package in at(table, &["tool", "poetry", "packages"]).and_then(Value::as_array).into_iter().flatten() {
            if let Some(from) = package.get("from").and_then(Value::as_str) {
                self.add_root(from);
            }
        }
        let configures = |tool: &&str| at(table, &["tool", tool]).is_some();
        self.tools.extend(TOOLS.into_iter().filter(configures));
        self.lists_typed |= TYPED.iter().any(|key| at(table, &["tool", "mypy", key]).is_some());
        let mut depends = texts(at(table, &["project", "dependencies"]));
        let groups = [&["project", "optional-dependencies"][..], &["dependency-groups"], &["tool", "pdm", "dev-dependencies"]];
        for group in groups.iter().filter_map(|path| at(table, path)?.as_table()) {
            depends.extend(group.values().flat_map(|list| texts(Some(list))));
        }
        let mut poetry = vec![at(table, &["tool", "poetry", "dependencies"]), at(table, &["tool", "poetry", "dev-dependencies"])];
        let of_groups = at(table, &["tool", "poetry", "group"]).and_then(Value::as_table).into_iter().flat_map(Table::values);
        poetry.extend(of_groups.map(|group| group.get("dependencies")));
        depends.extend(poetry.into_iter().flatten().filter_map(Value::as_table).flat_map(|list| list.keys().map(String::as_str)));
        self.depend(depends.into_iter());
    }

    /// Notes the tools among requirements: `pytest>=7`, `pytest-cov`.
    fn depend<'t>(&mut self, requirements: impl Iterator<Item = &'t str>) {
        for requirement in requirements {
            let end = requirement.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(requirement.len());
            let name = &requirement[..end];
            self.tools.extend(TOOLS.into_iter().find(|tool| name.eq_ignore_ascii_case(tool)));
        }
    }

    /// A file of sections: `setup.cfg`, `tox.ini`, `pytest.ini`, `mypy.ini`.
    fn read_sections(&mut self, file: &str, text: &str) {
        let (mut section, mut key) = ("", "");
        for line in text.lines() {
            let bare = line.trim();
            if bare.is_empty() || bare.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                (section, key) = (name.trim(), "");
                let tool = name.trim().trim_start_matches("tool:");
                self.tools.extend(TOOLS.into_iter().filter(|known| *known == tool));
                continue;
            }
            let value = if line.starts_with(char::is_whitespace) {
                bare
            } else {
                let (name, value) = bare.split_once(['=', ':']).unwrap_or((bare, ""));
                key = name.trim();
                value.trim()
            };
            match (file, section, key) {
                (_, "mypy", key) if TYPED.contains(&key) => self.lists_typed = true,
                ("setup.cfg", "metadata", "name") if self.name.is_empty() => value.clone_into(&mut self.name),
                ("setup.cfg", "options", "package_dir" | "package-dir") => {
                    if let Some(("", root)) = value.split_once('=').map(|(package, root)| (package.trim(), root.trim())) {
                        self.add_root(root);
                    }
                }
                ("setup.cfg", "options.packages.find", "where") if !value.is_empty() => self.add_root(value),
                (_, "tool:pytest" | "pytest", "pythonpath") => {
                    for root in value.split_whitespace() {
                        self.add_searched(root);
                    }
                }
                (_, _, "deps" | "tests_require" | "commands" | "test" | "dev") => self.depend(value.split_whitespace()),
                _ => {}
            }
        }
    }

    /// A `setup.py`: `package_dir={"": "src"}`, `find_packages("src")`, `name="a"`.
    fn read_program(&mut self, text: &str) {
        let quoted = |text: &str| -> Option<String> {
            let start = text.find(['"', '\''])?;
            let quote = text[start..].chars().next()?;
            let (word, _) = text[start + 1..].split_once(quote)?;
            Some(word.to_owned())
        };
        let behind = |mark: &str| text.split_once(mark).map(|(_, rest)| rest.lines().next().unwrap_or_default());
        if self.name.is_empty()
            && let Some(name) = outward::written(text, "name")
        {
            name.clone_into(&mut self.name);
        }
        if let Some(root) = behind("package_dir").and_then(|rest| quoted(rest.split_once(':')?.1)) {
            self.add_root(&root);
        }
        for mark in ["find_packages(", "find_namespace_packages(", "where="] {
            if let Some(root) =
                behind(mark).filter(|rest| rest.starts_with(['"', '\'']) || rest.starts_with("where")).and_then(quoted)
            {
                self.add_root(&root);
            }
        }
    }
}

impl PythonProject {
    /// The folders from whose modules paths count, for a file: those of its own package first.
    fn roots(&self, from: &str) -> Vec<&str> {
        let (own, others): (Vec<&Package>, Vec<&Package>) =
            self.packages.iter().partition(|package| is_below(from, &package.folder));
        let mut roots: Vec<&str> = Vec::new();
        for package in own.into_iter().chain(others) {
            for root in package.roots.iter().map(String::as_str) {
                if roots.len() < MAX_ROOTS && !roots.contains(&root) {
                    roots.push(root);
                }
            }
        }
        roots
    }
}

impl Project for PythonProject {
    fn candidates(&self, from: &str, path: &str) -> Candidates {
        let path = path.trim();
        let n_dots = path.bytes().take_while(|byte| *byte == b'.').count();
        let names = path[n_dots..].trim();
        let inner = names.split('.').map(str::trim).collect::<Vec<_>>().join("/");
        let mut found = Candidates::default();
        if n_dots > 0 {
            let mut folder = folder_of(from);
            for _ in 1..n_dots {
                if folder.is_empty() {
                    return found;
                }
                folder = folder_of(folder);
            }
            add(&mut found, folder, &inner);
            return found;
        }
        if inner.is_empty() || inner.split('/').any(str::is_empty) {
            return found;
        }
        let first = inner.split('/').next().unwrap_or_default();
        let is_standard = standard::MODULES.binary_search(&first).is_ok();
        // A folder that is no package is where a program or a test in it looks first.
        let mut folder = folder_of(from);
        loop {
            let unless = join(folder, PACKAGE_FILE).unwrap_or_default();
            for root in CUSTOMARY.iter().filter_map(|inner| join(folder, inner)) {
                let below = join(&root, &inner).unwrap_or_default();
                let guarded = |path: String| Guarded { path, unless: unless.clone() };
                found.guarded.extend(MODULE_FILES.iter().map(|ending| guarded(format!("{below}{ending}"))));
                found.guarded_folders.push(guarded(below));
            }
            if folder.is_empty() || is_standard {
                break;
            }
            folder = folder_of(folder);
        }
        for root in self.roots(from) {
            add(&mut found, root, &inner);
        }
        // A package of the repository that is called as the module is has it where packages usually have theirs.
        for package in self.packages.iter().filter(|package| package.is_built && package.provides(first)).take(MAX_ROOTS) {
            for root in CUSTOMARY.iter().filter_map(|custom| join(&package.folder, custom)) {
                add(&mut found, &root, &inner);
            }
        }
        found.external = names.split('.').next().map(str::to_owned);
        found
    }

    fn package(&self, path: &str) -> Option<String> {
        let around = self.packages.iter().find(|package| package.is_built && is_below(path, &package.folder));
        around.map(|package| package.folder.clone())
    }

    fn published(&self) -> Vec<Published> {
        let named = self.packages.iter().filter(|package| package.is_built && !package.is_private && !package.name.is_empty());
        named
            .map(|package| Published { registry: Registry::PyPi, name: package.name.clone(), folder: package.folder.clone() })
            .collect()
    }

    fn packages(&self) -> Vec<project::Package> {
        let of = |Published { registry, name, folder }| {
            let texts = self.packages.iter().filter(|package| package.folder == folder).flat_map(|package| &package.texts);
            let version = texts.into_iter().find_map(|(name, text)| outward::version(name, text));
            project::Package { registry, name: outward::normal(&name), version, folder }
        };
        self.published().into_iter().map(of).collect()
    }

    fn needs(&self) -> Vec<Need> {
        let asked = |package: &Package| -> Vec<outward::Dependency> {
            package.texts.iter().flat_map(|(name, text)| outward::dependencies(name, text)).collect()
        };
        let all = self.packages.iter().flat_map(|package| asked(package).into_iter().map(move |asked| (package, asked)));
        let need = |(package, asked): (&Package, outward::Dependency)| Need {
            folder: package.folder.clone(),
            registry: Registry::PyPi,
            name: asked.name,
            requirement: asked.requirement,
            is_local: asked.is_local,
            line: asked.line,
        };
        all.map(need).collect()
    }

    fn outside(&self, _: &str, path: &str) -> Option<(Registry, String)> {
        let path = path.trim();
        let first = path.split('.').next()?;
        let is_standard = standard::MODULES.binary_search(&first).is_ok();
        (!first.is_empty() && !is_standard).then(|| (Registry::PyPi, path.to_owned()))
    }

    fn importable(&self, files: &[&str]) -> Vec<Importable> {
        let of_file = |file: &&str| {
            let package = self.packages.iter().find(|package| package.is_built && is_below(file, &package.folder))?;
            if package.is_private {
                return None;
            }
            let custom = CUSTOMARY.iter().filter_map(|custom| join(&package.folder, custom)).map(|root| (root, false));
            // A folder that holds all there is says no more than the manifest in it.
            let built = package.built_roots.iter().map(|root| (root.clone(), *root != package.folder));
            let roots = built.chain(custom).filter(|(root, _)| is_below(file, root));
            let (root, is_said) = roots.max_by_key(|(root, is_said)| (root.len(), *is_said))?;
            let inner = if root.is_empty() { *file } else { file.get(root.len() + 1..)? };
            let name = outward::module(inner)?;
            let first = inner.split('/').next().unwrap_or(inner);
            // Beside packages stand tests, examples and programs.
            let is_package = join(&root, first)
                .and_then(|folder| join(&folder, PACKAGE_FILE))
                .is_some_and(|path| files.binary_search(&path.as_str()).is_ok());
            let is_known = is_package && !outward::is_beside(first) || is_said || package.provides(name.split('.').next()?);
            let is_stub = file.strip_suffix('i').is_some_and(|source| files.binary_search(&source).is_ok());
            (is_known && !is_stub).then(|| Importable { registry: Registry::PyPi, name, file: (*file).to_owned() })
        };
        files.iter().filter_map(of_file).collect()
    }

    fn runner(&self, file: &TestFile<'_>) -> Option<Runner> {
        let mut around = self.packages.iter().filter(|package| is_below(file.path, &package.folder));
        runner(file, around.any(|package| package.tools.contains("pytest")))
    }

    fn checks(&self, exists: &dyn Fn(&str) -> bool) -> Vec<Check> {
        self.packages.iter().filter(|package| package.n_configuring > 0).flat_map(|package| checks(package, exists)).collect()
    }

    fn problems(&self) -> &[(String, String)] {
        &self.problems
    }
}

/// Adds what a module may be below a folder.
fn add(found: &mut Candidates, folder: &str, inner: &str) {
    let Some(below) = join(folder, inner) else { return };
    if inner.is_empty() {
        let package = if below.is_empty() { String::new() } else { format!("{below}/") };
        found.files.extend([PACKAGE_FILE, "__init__.pyi"].map(|file| format!("{package}{file}")));
    } else {
        found.files.extend(MODULE_FILES.iter().map(|ending| format!("{below}{ending}")));
    }
    found.folders.push(below);
}
