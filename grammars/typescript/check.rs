//! How packages are checked: by the compiler, linter, vitest and jest where they depend on them, else by the test script.
//!
//! A package of a workspace takes tools from its root, and is left out where what runs there covers it.

use super::configs::words as paths;
use super::packages::Package;
use super::runners::{CONFIG_ENDINGS, SCRIPT, own_script, words};
use crate::check::{Check, Install, What};
use crate::project::{folder_of, is_below, join};
use crate::run::at_root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Included, Unbounded};

/// What runs a tool that is installed, and never fetches one.
const INSTALLED: [&str; 2] = ["npx", "--no-install"];

/// The package of the compiler, and its configuration.
const COMPILER: &str = "typescript";
const COMPILER_CONFIG: &str = "tsconfig.json";
const CONFIG_ENDING: &str = ".json";

/// A tool that checks a folder with all below it.
struct Tool {
    /// Its package.
    name: &'static str,
    what: What,
    /// How it is called.
    call: &'static [&'static str],
    /// Whether it writes a document to standard output.
    is_document: bool,
    /// Names of its configurations without their endings, and whether what has one is run by itself, also where a folder above is run.
    configs: &'static [(&'static str, bool)],
    /// The field of a `package.json` that stands for a configuration.
    field: &'static str,
}

const TOOLS: [Tool; 3] = [
    Tool {
        name: "eslint",
        what: What::Lint,
        call: &["eslint", "-f", "json", "."],
        is_document: true,
        configs: &[("eslint.config", true), (".eslintrc", false)],
        field: "eslintConfig",
    },
    Tool {
        name: "vitest",
        what: What::Test,
        // Newer versions write their documents to files in the repository; the text is the same in all of them.
        call: &["vitest", "run", "--reporter=default"],
        is_document: false,
        configs: &[("vitest.config", true), ("vite.config", true), ("vitest.workspace", true)],
        field: "",
    },
    Tool {
        name: "jest",
        what: What::Test,
        call: &["jest", "--json"],
        is_document: true,
        configs: &[("jest.config", true)],
        field: "jest",
    },
];

impl Tool {
    /// Whether a package is run by itself, where it configures the tool.
    fn configured(&self, package: &Package, exists: &dyn Fn(&str) -> bool) -> Option<bool> {
        let is_there = |name: &str| join(&package.folder, name).is_some_and(|path| exists(&path));
        let named = |name: &str| CONFIG_ENDINGS.iter().chain(&[""]).any(|ending| is_there(&format!("{name}{ending}")));
        let found = self.configs.iter().find(|(name, _)| named(name)).map(|(_, is_alone)| *is_alone);
        found.or_else(|| package.said.configures.contains(self.name).then_some(self.what == What::Test))
    }
}

/// Other runners of tests by the words with which a script calls them: what it calls is run by the script.
const OTHER_RUNNERS: [&[&str]; 12] = [
    &["bun", "test"],
    &["deno", "test"],
    &["--test"],
    &["ava"],
    &["cypress"],
    &["jasmine"],
    &["karma"],
    &["mocha"],
    &["playwright", "test"],
    &["tap"],
    &["tape"],
    &["uvu"],
];

/// A program that installs packages.
struct Manager {
    /// How it runs the test script.
    test: &'static [&'static str],
    /// How it installs what packages depend on; empty where it does so by itself.
    install: &'static str,
}

const NPM: Manager = Manager { test: &["npm", "test"], install: "npm install" };
const NPM_LOCKED: Manager = Manager { install: "npm ci", ..NPM };
const BUN: Manager = Manager { test: &["bun", "run", "test"], install: "bun install" };

/// Files that say which program installs packages; without one of them npm does.
const MANAGERS: [(&str, Manager); 7] = [
    ("pnpm-lock.yaml", Manager { test: &["pnpm", "test"], install: "pnpm install" }),
    ("yarn.lock", Manager { test: &["yarn", "test"], install: "yarn install" }),
    ("bun.lock", BUN),
    ("bun.lockb", BUN),
    ("deno.lock", Manager { test: &["deno", "task", "test"], install: "" }),
    ("package-lock.json", NPM_LOCKED),
    ("npm-shrinkwrap.json", NPM_LOCKED),
];

/// What stands in the folder of a package or above it where its packages are installed: as folders, and as an archive with an index.
const INSTALLED_AS: [&str; 2] = ["node_modules", ".pnp.cjs"];

/// Words of a script that hand over to the packages of a workspace.
const HANDS_OVER: [&str; 8] = ["turbo", "lerna", "nx", "-r", "--recursive", "--workspaces", "-ws", "foreach"];

/// What a `package.json` says of checks.
#[derive(Debug, Default)]
pub(super) struct TestTools {
    /// Tools that it depends on.
    depends: BTreeSet<&'static str>,
    /// Tools that it holds a configuration of.
    configures: BTreeSet<&'static str>,
    /// Tools that its scripts of tests call.
    calls: BTreeSet<&'static str>,
    /// Whether its test script hands over to other packages, where it has one.
    script: Option<bool>,
    /// Whether its test script calls a runner of tests, and none of those tools.
    calls_other: bool,
    /// Whether it depends on anything.
    has_dependencies: bool,
}

impl TestTools {
    /// Reads a manifest.
    pub(super) fn read(manifest: &Value) -> Self {
        let depends = |name: &&str| ["devDependencies", "dependencies"].iter().any(|list| manifest[*list].get(*name).is_some());
        let scripts = manifest["scripts"].as_object().into_iter().flatten();
        let scripts = scripts.filter(|(name, _)| name.starts_with(SCRIPT)).filter_map(|(_, script)| script.as_str());
        let called: Vec<String> = scripts.flat_map(words).collect();
        let calls = |name: &&str| called.iter().any(|word| word.rsplit('/').next() == Some(*name));
        let hands_over = |script| words(script).iter().any(|word| HANDS_OVER.contains(&word.as_str()));
        let is_filled = |list: &Value| list.as_object().is_some_and(|list| !list.is_empty());
        let names = || TOOLS.iter().map(|tool| tool.name);
        let own = own_script(manifest).map(words).unwrap_or_default();
        let own: Vec<&str> = own.iter().filter_map(|word| word.rsplit('/').next()).collect();
        let mut testing = TOOLS.iter().filter(|tool| tool.what == What::Test);
        let calls_tool = testing.any(|tool| own.contains(&tool.name));
        let is_other = || OTHER_RUNNERS.iter().any(|call| own.windows(call.len()).any(|words| words == *call));
        Self {
            depends: names().chain([COMPILER]).filter(depends).collect(),
            configures: TOOLS.iter().filter(|tool| manifest.get(tool.field).is_some()).map(|tool| tool.name).collect(),
            calls: names().filter(calls).collect(),
            script: own_script(manifest).map(hands_over),
            calls_other: !calls_tool && is_other(),
            has_dependencies: ["devDependencies", "dependencies"].iter().any(|list| is_filled(&manifest[*list])),
        }
    }
}

/// What the `tsconfig.json` of a folder says of what it compiles.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// Whether it names files of its own; without a word it takes all below it.
    names_files: bool,
    /// Whether it takes no file.
    is_empty: bool,
    /// Folders whose configurations it refers to.
    refers: Vec<String>,
    /// Configurations that it takes from.
    extends: Vec<String>,
}

impl Compiled {
    /// Reads a configuration: its folder and what it says, where it is the one that the compiler looks for.
    pub(super) fn read(path: &str, config: &Value) -> Option<(String, Self)> {
        let folder = folder_of(path);
        if path.rsplit('/').next() != Some(COMPILER_CONFIG) {
            return None;
        }
        let references = config["references"].as_array().into_iter().flatten();
        let refers = references.filter_map(|reference| {
            let path = join(folder, reference["path"].as_str()?)?;
            let file = path.strip_suffix(CONFIG_ENDING).map(|_| folder_of(&path).to_owned());
            Some(file.unwrap_or(path))
        });
        let extends = paths(config.get("extends")).into_iter().filter(|name| name.starts_with('.'));
        let lists: Vec<&Value> = ["files", "include"].iter().filter_map(|list| config.get(*list)).collect();
        let compiled = Self {
            names_files: !lists.is_empty(),
            is_empty: !lists.is_empty() && lists.iter().all(|list| list.as_array().is_some_and(Vec::is_empty)),
            refers: refers.collect(),
            extends: extends.filter_map(|name| join(folder, name)).collect(),
        };
        Some((folder.to_owned(), compiled))
    }

    /// Whether it does nothing but refer to others.
    fn is_solution(&self) -> bool {
        !self.refers.is_empty() && self.is_empty
    }
}

/// The packages of a repository with what is said of them.
struct Packages<'p> {
    by_folder: BTreeMap<&'p str, &'p Package>,
    /// Tools that are configured in a folder, and whether what has that configuration is run by itself.
    configured: BTreeMap<(&'p str, &'static str), bool>,
    /// Folders of packages that are the roots of workspaces.
    roots: BTreeSet<&'p str>,
    /// Tools that packages of the workspace of a folder call or configure.
    claimed_below: BTreeSet<(&'p str, &'static str)>,
    exists: &'p dyn Fn(&str) -> bool,
}

/// The checks of all packages; `configs` are the configurations of the compiler by folder, `exists` says whether a path is a file.
pub(super) fn checks(packages: &[Package], configs: &BTreeMap<String, Compiled>, exists: &dyn Fn(&str) -> bool) -> Vec<Check> {
    let packages = Packages::new(packages, exists);
    let mut checks = packages.compiled(configs);
    let mut tested = BTreeSet::new();
    for package in packages.by_folder.values() {
        for tool in &TOOLS {
            let is_covered = packages.is_covered(package, tool);
            let is_run = !is_covered && packages.runs(package, tool);
            let is_used = package.said.depends.contains(tool.name) || package.said.calls.contains(tool.name);
            if tool.what == What::Test && !package.said.calls_other && (is_run || is_covered && is_used) {
                tested.insert(package.folder.as_str());
            }
            if is_run {
                let check = Check::new(tool.what, &package.folder, tool.name, &[&INSTALLED, tool.call].concat());
                checks.push(if tool.is_document { check.document() } else { check });
            }
        }
    }
    checks.extend(packages.scripts(&tested));
    for check in &mut checks {
        check.install = packages.install(check);
    }
    checks
}

impl<'p> Packages<'p> {
    fn new(packages: &'p [Package], exists: &'p dyn Fn(&str) -> bool) -> Self {
        let by_folder = packages.iter().map(|package| (package.folder.as_str(), package)).collect();
        let (configured, roots, claimed_below) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let mut found = Self { by_folder, configured, roots, claimed_below, exists };
        for package in packages {
            let own = |tool: &'static Tool| Some((tool.name, tool.configured(package, exists)?));
            let own: Vec<(&'static str, bool)> = TOOLS.iter().filter_map(own).collect();
            if let Some(root) = found.root(package).map(|root| root.folder.as_str()) {
                found.roots.insert(root);
                let claimed = own.iter().map(|(tool, _)| tool).chain(&package.said.calls);
                found.claimed_below.extend(claimed.map(|tool| (root, *tool)));
            }
            found.configured.extend(own.into_iter().map(|(tool, is_alone)| ((package.folder.as_str(), tool), is_alone)));
        }
        found
    }

    /// The root of the workspace that has a package.
    fn root(&self, package: &Package) -> Option<&'p Package> {
        let above = || folders_upwards(&package.folder).skip(1).filter_map(|folder| self.by_folder.get(folder).copied());
        // A list may name the root itself.
        if package.is_member { above().find(|root| !root.is_member).or_else(|| above().last()) } else { None }
    }

    /// Whether a package can call a tool: its own, or that of its workspace.
    fn can_call(&self, package: &Package, tool: &str) -> bool {
        package.said.depends.contains(tool) || self.root(package).is_some_and(|root| root.said.depends.contains(tool))
    }

    /// Whether a tool is run in a package's folder, as far as that package decides.
    fn runs(&self, package: &Package, tool: &Tool) -> bool {
        let at = (package.folder.as_str(), tool.name);
        // A runner needs no configuration. Where nobody but packages of the workspace say that they use it, it is there for them.
        let is_claimed = || package.said.calls.contains(tool.name);
        let is_owned = || package.said.depends.contains(tool.name) && !self.claimed_below.contains(&at);
        let is_used = match tool.what {
            // The test script is the word of the package on who runs its tests.
            What::Test if package.said.calls_other => is_claimed(),
            What::Test => self.configured.contains_key(&at) || is_claimed() || is_owned(),
            _ => self.configured.contains_key(&at),
        };
        is_used && self.can_call(package, tool.name)
    }

    /// Whether a tool that is run at the root of the workspace is run for a package.
    fn is_covered(&self, package: &Package, tool: &Tool) -> bool {
        let is_alone = self.configured.get(&(package.folder.as_str(), tool.name)) == Some(&true);
        !is_alone && self.root(package).is_some_and(|root| self.runs(root, tool))
    }

    /// The checks of the compiler.
    fn compiled(&self, configs: &BTreeMap<String, Compiled>) -> Vec<Check> {
        let of_packages = configs.iter().filter(|(folder, _)| self.by_folder.contains_key(folder.as_str()));
        let taken = of_packages.flat_map(|(folder, config)| config.extends.iter().map(move |path| (folder, base_folder(path))));
        let bases: BTreeSet<&str> = taken.filter(|(folder, base)| folder != base).map(|(_, base)| base).collect();
        let of_package = |package: &&&Package| self.can_call(package, COMPILER);
        let packages = self.by_folder.values().filter(of_package);
        let own = packages.filter_map(|package| Some((package.folder.as_str(), configs.get(&package.folder)?)));
        // What others take from and names no file of its own would take all of theirs.
        let own: Vec<(&str, &Compiled)> =
            own.filter(|(folder, config)| config.names_files || !config.refers.is_empty() || !bases.contains(folder)).collect();
        let mut built: BTreeSet<&str> = BTreeSet::new();
        let mut solutions: BTreeSet<&str> = BTreeSet::new();
        for (folder, _) in own.iter().filter(|(_, config)| config.is_solution()) {
            if built.contains(folder) {
                continue;
            }
            solutions.insert(folder);
            let mut open = vec![*folder];
            while let Some(folder) = open.pop() {
                let referred = configs.get(folder).into_iter().flat_map(|config| config.refers.iter().map(String::as_str));
                open.extend(referred.filter(|folder| built.insert(folder)));
            }
        }
        let check = |(folder, config): (&str, &Compiled)| {
            // With `--noEmit`, projects that refer to each other would be refused (TypeScript 5.6 to 5.9: TS6310), and their errors unsaid.
            let call: &[&str] = if config.is_solution() { &["tsc", "-b"] } else { &["tsc", "--noEmit"] };
            Check::new(What::Build, folder, COMPILER, &[&INSTALLED, call, &["--pretty", "false"]].concat())
        };
        own.into_iter().filter(|(folder, _)| solutions.contains(folder) || !built.contains(folder)).map(check).collect()
    }

    /// What must be installed for a check: nothing for a test script of a package that depends on nothing.
    fn install(&self, check: &Check) -> Option<Install> {
        let package = self.by_folder.get(check.folder.as_str())?;
        let (locked, manager) = manager(&package.folder, self.exists);
        // Without a lock file, all of a workspace is installed at its root.
        let folder = locked.unwrap_or_else(|| self.root(package).map_or(package.folder.as_str(), |root| root.folder.as_str()));
        let is_needed = INSTALLED.first() == Some(&check.program()) || package.said.has_dependencies;
        let command = at_root(folder, manager.install);
        (is_needed && !manager.install.is_empty()).then_some(Install { command, shows: &INSTALLED_AS })
    }

    /// The test scripts of packages whose tests nothing else runs.
    fn scripts(&self, tested: &BTreeSet<&str>) -> Vec<Check> {
        // What hands over to packages whose tests are run anyway would run them twice.
        let is_tested =
            |folder: &str| tested.contains(folder) || self.by_folder.get(folder).is_some_and(|at| at.said.script.is_some());
        let has_tested = |root: &str| {
            let start = if root.is_empty() { String::new() } else { format!("{root}/") };
            let below = self.by_folder.range::<str, _>((Included(start.as_str()), Unbounded));
            let mut members = below.take_while(|(folder, _)| is_below(folder, root)).filter(|(folder, _)| **folder != root);
            members.any(|(folder, package)| package.is_member && is_tested(folder))
        };
        let script = |package: &&Package| {
            let hands_over = package.said.script?;
            let folder = package.folder.as_str();
            let command = manager(folder, self.exists).1.test;
            let is_left = tested.contains(folder) || hands_over && self.roots.contains(folder) && has_tested(folder);
            let needs = command.first().filter(|_| !is_left)?;
            Some(Check::new(What::Test, folder, needs, command))
        };
        self.by_folder.values().filter_map(script).collect()
    }
}

/// The folder whose `tsconfig.json` a configuration takes from, if that is the one it names; a name may leave out its end.
fn base_folder(path: &str) -> &str {
    let path = path.strip_suffix(CONFIG_ENDING).unwrap_or(path);
    let stem = COMPILER_CONFIG.trim_end_matches(CONFIG_ENDING);
    match path.rsplit_once('/') {
        None if path == stem => "",
        Some((folder, name)) if name == stem => folder,
        _ => path,
    }
}

/// The program that installs what the package in a folder depends on, by the nearest lock file, with the folder of that.
fn manager<'f>(folder: &'f str, exists: &dyn Fn(&str) -> bool) -> (Option<&'f str>, &'static Manager) {
    let has = |folder: &str, lock: &str| join(folder, lock).is_some_and(|path| exists(&path));
    let of = |folder| Some((Some(folder), &MANAGERS.iter().find(|(lock, _)| has(folder, lock))?.1));
    folders_upwards(folder).find_map(of).unwrap_or((None, &NPM))
}

/// A folder and those above it, innermost first.
fn folders_upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}
