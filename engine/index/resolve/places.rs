//! Where tests stand and how they are run: the module of each file in its tree, and the command of its project.

use super::index::{Index, Module};
use super::{FileId, Item, ModuleId};
use activate_grammars::LANGUAGES;
use activate_grammars::facts::{ImportKind, Traits};
use activate_grammars::run::{Runner, TestFile};
use activate_grammars::scope::ModuleModel;
use rustc_hash::FxHashMap;

/// The longest way from a file to the root of its tree.
const MAX_DEPTH: usize = 64;

/// What is between the names of modules.
const SEPARATOR: &str = "::";

/// How the tests of a file are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The command, or why there is none.
    pub runner: Result<Runner, &'static str>,
    /// The path of the file's module below the root of its tree; empty for the root, and in languages without trees. The path of the file where
    /// tests are named by it.
    pub module: String,
}

/// What paths of benchmarks hold.
const BENCH: &str = "bench";

/// The place of each file that holds tests and that a command runs, or of which more is known than that there is none.
pub(super) fn places(index: &Index<'_>) -> Vec<Option<Place>> {
    let names = names(index);
    (0..index.files.len() as u32)
        .map(|file| place(index, &names, FileId(file)).or_else(|| without(index, FileId(file))))
        .collect()
}

/// Why no command runs the tests of a file.
fn without(index: &Index<'_>, file: FileId) -> Option<Place> {
    let path = index.files[file.0 as usize].path;
    if !index.facts(file).symbols.iter().any(|symbol| symbol.traits.has(Traits::TEST)) {
        return None;
    }
    let why = index.project(file)?.lacks(&TestFile { path, root: None, imports: &[], has_tests: true })?;
    Some(Place { runner: Err(why), module: String::new() })
}

fn place(index: &Index<'_>, names: &FxHashMap<ModuleId, &str>, file: FileId) -> Option<Place> {
    let (source, facts) = (&index.files[file.0 as usize], index.facts(file));
    let language = LANGUAGES[source.language?];
    let has_tests = facts.symbols.iter().any(|symbol| symbol.traits.has(Traits::TEST));
    let is_tested = has_tests || (language.is_test_path)(source.path);
    // Benchmarks that no attribute marks stand in files that a manifest calls so.
    if !is_tested && !source.path.contains(BENCH) {
        return None;
    }
    let (root, module) = match language.scope.modules {
        ModuleModel::Tree => {
            let (root, module) = way(index, names, file)?;
            (Some(index.files[root.0 as usize].path), module)
        }
        ModuleModel::File | ModuleModel::Folder | ModuleModel::Package | ModuleModel::Unknown => (None, String::new()),
    };
    let imports = facts.imports.iter().filter_map(|import| import.path.first());
    let imports: Vec<&str> = imports.map(|name| facts.names.get(*name)).collect();
    let mut runner = index.project(file)?.runner(&TestFile { path: source.path, root, imports: &imports, has_tests })?;
    if let Some(flag) = facts.test_flag {
        runner.command = format!("{} {}", runner.command, facts.names.get(flag));
    }
    let module = if runner.naming.is_by_file() { source.path.to_owned() } else { module };
    let counts = is_tested || runner.naming.measures();
    counts.then_some(Place { runner: Ok(runner), module })
}

/// The file at the root of a file's tree, and the names of the modules on the way from there.
fn way(index: &Index<'_>, names: &FxHashMap<ModuleId, &str>, file: FileId) -> Option<(FileId, String)> {
    let mut at = index.file_module[file.0 as usize];
    let mut way = Vec::new();
    while let Module { parent: Some(parent), .. } = index.modules[at.0 as usize] {
        way.push(*names.get(&at)?);
        at = parent;
        if way.len() > MAX_DEPTH {
            return None;
        }
    }
    let Module { file, root, .. } = index.modules[at.0 as usize];
    way.reverse();
    // What no root leads to is compiled into nothing.
    root.filter(|root| *root == at).and(file).map(|file| (file, way.join(SEPARATOR)))
}

/// The names of modules where they are declared.
fn names<'a>(index: &Index<'a>) -> FxHashMap<ModuleId, &'a str> {
    let mut names = FxHashMap::default();
    for (number, targets) in index.import_targets.iter().enumerate() {
        let file = FileId(number as u32);
        let facts = index.facts(file);
        for (import, items) in facts.imports.iter().zip(targets).filter(|(import, _)| import.kind == ImportKind::Child) {
            let declared_in = index.module_of(file, import.container);
            if let (Some(name), [Item::Module(child)]) = (import.path.first(), items.as_slice())
                && index.modules[child.0 as usize].parent == Some(declared_in)
            {
                names.entry(*child).or_insert_with(|| facts.names.get(*name));
            }
        }
    }
    for (sym, module) in index.inline_modules() {
        let (file, symbol) = index.symbol(sym);
        names.insert(module, index.facts(file).names.get(symbol.name));
    }
    names
}
