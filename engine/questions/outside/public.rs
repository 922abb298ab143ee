//! What a package of the repository exports to others: in Rust what the library's root passes on, in TypeScript what the entries of its
//! manifest do, in Go every exported name of a package that others may import.

use super::entries::entries;
use super::statement::{all_as, has_word, passed_as, statements};
use crate::desk::Desk;
use activate_grammars::facts::{Traits, Visibility};
use activate_grammars::language_of;
use activate_grammars::project::Registry;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use index::base::{FileFlags, PublishedRow, SymbolRow};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The most files that are looked through on the way from a definition to what its package exports.
const MAX_FILES: usize = 300;

/// The most containers around a definition.
const MAX_LEVELS: usize = 64;

/// The most definitions of a file that are asked for.
const MAX_SYMBOLS: usize = 50;

/// Files that no package hands out.
const ASIDE: [u8; 4] = [FileFlags::TEST, FileFlags::VENDORED, FileFlags::EXAMPLE, FileFlags::DOCUMENT];

/// The packages of the repository that others can take.
pub(super) struct Published<'d, 'a> {
    desk: &'d Desk<'a>,
    /// The statements of files that import or pass on, as far as they were asked for.
    statements: RefCell<FxHashMap<NodeId, Vec<String>>>,
}

impl<'d, 'a> Published<'d, 'a> {
    pub(super) fn new(desk: &'d Desk<'a>) -> Self {
        Self { desk, statements: RefCell::default() }
    }

    /// The package that exports a definition, or a definition of a file.
    pub(super) fn exporter(&self, node: NodeId) -> Option<&'a str> {
        let base = self.desk.base;
        let Some(symbol) = base.symbol(node) else {
            let symbols =
                base.symbols_of(node).map(NodeId).filter(|node| base.symbol(*node).is_some_and(|row| row.container.is_none()));
            return symbols.take(MAX_SYMBOLS).find_map(|node| self.exporter(node));
        };
        let path = base.path(symbol.file);
        if ASIDE.iter().any(|flag| base.flags(symbol.file).has(*flag)) {
            return None;
        }
        let outermost = self.outermost(symbol)?;
        let (_, language) = language_of(path)?;
        let model = language.scope.modules;
        let package = self.package(path, model)?;
        let is_exported = match model {
            ModuleModel::Folder => !path.split('/').any(|part| part == "internal") && !self.is_program(symbol.file),
            ModuleModel::Tree => self.reaches(symbol.file, outermost, &self.library(&package)?, model),
            ModuleModel::File => self.reaches(symbol.file, outermost, &self.entries(&package)?, model),
        };
        is_exported.then_some(package.name)
    }

    /// The name of the outermost definition around one, where all of them are for everybody.
    fn outermost(&self, symbol: SymbolRow<'a>) -> Option<&'a str> {
        let hidden = [Traits::NESTED, Traits::TEST_CODE, Traits::TEST, Traits::UNTITLED];
        let mut row = symbol;
        for _ in 0..MAX_LEVELS {
            if row.visibility != Visibility::Public || hidden.iter().any(|each| row.traits.has(*each)) {
                return None;
            }
            match row.container.and_then(|container| self.desk.base.symbol(container)) {
                Some(container) => row = container,
                None => return Some(row.name),
            }
        }
        None
    }

    /// The package of a file, as others know it.
    fn package(&self, path: &str, model: ModuleModel) -> Option<PublishedRow<'a>> {
        let registry = match model {
            ModuleModel::Folder => Registry::Go,
            ModuleModel::Tree => Registry::Cargo,
            ModuleModel::File => Registry::Npm,
        };
        let holds = |row: &PublishedRow<'_>| {
            row.registry == registry
                && (row.folder.is_empty() || path.strip_prefix(row.folder).is_some_and(|rest| rest.starts_with('/')))
        };
        self.desk.base.published().filter(holds).max_by_key(|row| row.folder.len())
    }

    fn is_program(&self, file: NodeId) -> bool {
        let Some(text) = self.desk.text(file) else { return false };
        (1..=text.n_lines()).any(|line| text.line(line).split_whitespace().take(2).eq(["package", "main"]))
    }

    /// The root of the library of a package of Rust; none where it has none or keeps it.
    fn library(&self, package: &PublishedRow<'_>) -> Option<Vec<NodeId>> {
        let manifest = self.manifest(package, "Cargo.toml")?;
        let keeps = |text: &str| {
            let plain = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            text.lines().any(|line| matches!(plain(line).as_str(), "publish=false" | "publish=[]"))
        };
        let is_inherited = manifest.lines().any(|line| line.trim_start().starts_with("publish.workspace"));
        let root = || self.desk.base.file_at("Cargo.toml").and_then(|file| self.whole(file));
        if keeps(&manifest) || is_inherited && root().is_some_and(|text| keeps(&text)) {
            return None;
        }
        let section =
            manifest.lines().skip_while(|line| line.trim() != "[lib]").skip(1).take_while(|line| !line.starts_with('['));
        let named = section.filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "path");
        let path = named.map_or("src/lib.rs", |(_, path)| path.trim().trim_matches(['"', '\'']));
        self.desk.base.file_at(&below(package.folder, path)).map(|file| vec![file])
    }

    /// The files that the manifest of a package of TypeScript or JavaScript gives to others; none where it is private.
    fn entries(&self, package: &PublishedRow<'_>) -> Option<Vec<NodeId>> {
        let manifest: serde_json::Value = serde_json::from_str(&self.manifest(package, "package.json")?).ok()?;
        if manifest.get("private").and_then(serde_json::Value::as_bool) == Some(true) {
            return None;
        }
        let base = self.desk.base;
        let mut files: Vec<NodeId> =
            entries(&manifest).iter().filter_map(|path| base.file_at(&below(package.folder, path))).collect();
        if files.is_empty() {
            let usual = ["src/index.ts", "src/index.tsx", "index.ts", "src/index.js", "index.js"];
            files.extend(usual.iter().find_map(|path| base.file_at(&below(package.folder, path))));
        }
        (!files.is_empty()).then_some(files)
    }

    fn manifest(&self, package: &PublishedRow<'_>, name: &str) -> Option<String> {
        self.desk.base.file_at(&below(package.folder, name)).and_then(|file| self.whole(file))
    }

    fn whole(&self, file: NodeId) -> Option<String> {
        let text = self.desk.text(file)?;
        Some((1..=text.n_lines()).map(|line| text.line(line)).collect::<Vec<_>>().join("\n"))
    }

    /// Whether one of the files that others get passes on a name of a file, itself or through others.
    fn reaches(&self, file: NodeId, name: &str, roots: &[NodeId], model: ModuleModel) -> bool {
        let mut seen: BTreeSet<(NodeId, String)> = BTreeSet::new();
        let mut open = vec![(file, name.to_owned())];
        while let Some((file, name)) = open.pop() {
            if roots.contains(&file) {
                return true;
            }
            if seen.len() >= MAX_FILES || !seen.insert((file, name.clone())) {
                continue;
            }
            let module = module_of(self.desk.base.path(file));
            for importer in self.importers(file) {
                open.extend(self.passes(importer, module, &name, model).map(|name| (importer, name)));
            }
        }
        false
    }

    /// The name under which a file passes on a name of a module that it imports.
    fn passes(&self, file: NodeId, module: &str, name: &str, model: ModuleModel) -> Option<String> {
        let mut known = self.statements.borrow_mut();
        let all = known.entry(file).or_insert_with(|| {
            let text = self.desk.text(file);
            text.map(|text| statements((1..=text.n_lines()).map(|line| text.line(line)))).unwrap_or_default()
        });
        let leads = |said: &str| match said.split_once(" from ") {
            Some((_, path)) => module_of(path.trim_matches([' ', ';', '"', '\''])) == module,
            None => model == ModuleModel::Tree && has_word(said, module),
        };
        if model == ModuleModel::Tree {
            return all.iter().filter(|said| leads(said)).find_map(|said| match said.strip_prefix("pub mod ") {
                Some(child) => has_word(child, module).then(|| name.to_owned()),
                None => said.strip_prefix("pub use ").and_then(|rest| passed_as(rest, name).or_else(|| all_as(rest, name))),
            });
        }
        let mut passed = None;
        for said in all.iter().filter(|said| leads(said)) {
            let (clause, _) = said.split_once(" from ").unwrap_or((said, ""));
            let local = passed_as(clause, name).or_else(|| all_as(clause, name));
            if said.starts_with("export") {
                passed = passed.or(local);
                continue;
            }
            // What is imported under a name and exported by another statement.
            let default = clause.strip_prefix("import ").and_then(|rest| rest.split([' ', ',', '{']).next()).map(str::to_owned);
            let Some(local) = local.or(default) else { continue };
            let exports = all.iter().filter(|said| said.starts_with("export") && !said.contains(" from "));
            let mut clauses =
                exports.filter(|said| ["{", "default", "="].iter().any(|start| said[6..].trim_start().starts_with(start)));
            passed = passed.or_else(|| clauses.find_map(|said| passed_as(said, &local)));
        }
        passed
    }

    /// The files that import a file.
    fn importers(&self, file: NodeId) -> BTreeSet<NodeId> {
        let base = self.desk.base;
        let links = base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy);
        links.map(|(from, _)| base.file_of(from)).collect()
    }
}

/// The name of the module that a file is, by its path: that of its folder where its own says nothing.
fn module_of(path: &str) -> &str {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match name.split('.').next().unwrap_or(name) {
        "mod" | "index" | "lib" => folder.rsplit('/').next().unwrap_or(folder),
        stem => stem,
    }
}

fn below(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}
