//! What a package of the repository exports to others: in Rust what the library's root passes on, in TypeScript what the entries of its
//! manifest do, in Go every exported name of a package that others may import.

use super::cargo::library;
use super::clause::package_clause;
use super::entries::entries;
use super::statement::{module_of, passes, statements};
use crate::desk::Desk;
use activate_grammars::facts::{Traits, Visibility};
use activate_grammars::language_of;
use activate_grammars::project::Registry;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use index::base::{FileFlags, PublishedRow, SymbolRow};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most files that are looked through on the way from a definition to what its package exports.
const MAX_FILES: usize = 300;

/// How much is read on all of these ways, in bytes of statements: so that many definitions in files that many import are told within a second.
const MAX_READ: usize = 64 << 20;

/// What it costs at least to look at a file that imports another, in such bytes.
const FILE_COST: usize = 64;

/// The most containers around a definition.
const MAX_LEVELS: usize = 64;

/// The most definitions of a file that are asked for.
const MAX_SYMBOLS: usize = 50;

/// The longest name of a package, in bytes: that of a registry of JavaScript.
const MAX_NAME: usize = 214;

/// Folders below the manifest of a package of Python that hold its sources and nothing else.
const SOURCES: [&str; 2] = ["src", "lib"];

/// How files of Python end.
const PYTHON: &str = ".py";

/// Files that no package hands out.
const ASIDE: [u32; 4] = [FileFlags::TEST, FileFlags::VENDORED, FileFlags::EXAMPLE, FileFlags::DOCUMENT];

/// The package of a file, as others get it.
#[derive(Clone)]
struct Home<'a> {
    name: &'a str,
    model: ModuleModel,
    /// The files that others get; none where they get every file.
    roots: Option<Rc<[NodeId]>>,
}

/// The packages of the repository that others can take. What was found out is kept: many definitions stand in few files.
pub(super) struct Published<'d, 'a> {
    desk: &'d Desk<'a>,
    /// The packages of files.
    homes: FxHashMap<NodeId, Option<Home<'a>>>,
    /// The files that a package gives to others, by its registry and folder.
    roots: FxHashMap<(u8, &'a str), Option<Rc<[NodeId]>>>,
    /// The statements of files that import or pass on.
    statements: FxHashMap<NodeId, Vec<String>>,
    /// Whether a package exports a name of a file.
    reached: FxHashMap<(NodeId, &'a str), bool>,
    /// How much may still be read, as [`MAX_READ`].
    room: usize,
    /// Whether something was not followed to its end.
    is_cut: bool,
}

impl<'d, 'a> Published<'d, 'a> {
    pub(super) fn new(desk: &'d Desk<'a>) -> Self {
        Self {
            desk,
            homes: FxHashMap::default(),
            roots: FxHashMap::default(),
            statements: FxHashMap::default(),
            reached: FxHashMap::default(),
            room: MAX_READ,
            is_cut: false,
        }
    }

    /// Whether there may be more that is exported than was found.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The package that exports a definition, or a definition of a file.
    pub(super) fn exporter(&mut self, node: NodeId) -> Option<&'a str> {
        let base = self.desk.base;
        if let Some(symbol) = base.symbol(node) {
            return self.exporter_of(symbol);
        }
        let mut symbols =
            base.symbols_of(node).filter_map(|node| base.symbol(NodeId(node))).filter(|row| row.container.is_none());
        let found = symbols.by_ref().take(MAX_SYMBOLS).find_map(|symbol| self.exporter_of(symbol));
        self.is_cut |= found.is_none() && symbols.next().is_some();
        found
    }

    fn exporter_of(&mut self, symbol: SymbolRow<'a>) -> Option<&'a str> {
        let outermost = self.outermost(symbol)?;
        let known = self.homes.get(&symbol.file).cloned();
        let home = known.unwrap_or_else(|| {
            let home = self.home(symbol.file);
            self.homes.insert(symbol.file, home.clone());
            home
        })?;
        let Some(roots) = &home.roots else { return Some(home.name) };
        let known = self.reached.get(&(symbol.file, outermost)).copied();
        let is_exported = known.unwrap_or_else(|| {
            let is_exported = self.reaches(symbol.file, outermost, roots, home.model);
            self.reached.insert((symbol.file, outermost), is_exported);
            is_exported
        });
        is_exported.then_some(home.name)
    }

    /// The package that gives a file to others.
    fn home(&mut self, file: NodeId) -> Option<Home<'a>> {
        let base = self.desk.base;
        if ASIDE.iter().any(|flag| base.flags(file).has(*flag)) {
            return None;
        }
        let path = base.path(file);
        let (_, language) = language_of(path)?;
        let model = language.scope.modules;
        if let Some(of_folder) = language.scope.submodules {
            // Whatever of it has a name without an underscore can be imported from outside.
            let package = self.package(path, Registry::PyPi)?;
            let is_open = path.split('/').all(|part| !part.starts_with('_') || part.starts_with("__"));
            let is_given = is_open && self.is_installed(path, &package, of_folder);
            return is_given.then_some(Home { name: package.name, model, roots: None });
        }
        let registry = match model {
            ModuleModel::Folder => Registry::Go,
            ModuleModel::Tree => Registry::Cargo,
            ModuleModel::File => Registry::Npm,
            ModuleModel::Package | ModuleModel::Unknown => return None,
        };
        let package = self.package(path, registry)?;
        let roots = match model {
            ModuleModel::Folder => {
                let is_given = !path.split('/').any(|part| part == "internal") && !self.is_program(file);
                return is_given.then_some(Home { name: package.name, model, roots: None });
            }
            ModuleModel::Tree | ModuleModel::File | ModuleModel::Package | ModuleModel::Unknown => self.roots(&package)?,
        };
        Some(Home { name: package.name, model, roots: Some(roots) })
    }

    /// Whether a file of Python is of what is installed with a package: below its folder of sources, or else in a folder that is a package itself or
    /// has the name of the package; not a script, or what builds and tests it.
    fn is_installed(&self, path: &str, package: &PublishedRow<'_>, of_folder: &str) -> bool {
        let base = self.desk.base;
        let of_sources: Vec<String> = SOURCES.iter().map(|folder| below(package.folder, &format!("{folder}/"))).collect();
        if of_sources.iter().any(|folder| path.starts_with(folder.as_str())) {
            return true;
        }
        let is_source = |file: NodeId| {
            let other = base.path(file);
            other.ends_with(PYTHON) && of_sources.iter().any(|folder| other.starts_with(folder.as_str()))
        };
        if base.files().any(is_source) {
            return false;
        }
        let rest = path.strip_prefix(package.folder).unwrap_or(path).trim_start_matches('/');
        let first = rest.split('/').next().unwrap_or(rest);
        let is_package = || base.file_at(&below(package.folder, &format!("{first}/{of_folder}{PYTHON}"))).is_some();
        let stem = first.strip_suffix(PYTHON).unwrap_or(first);
        let name = package.name.replace(['-', '.'], "_");
        stem.eq_ignore_ascii_case(&name) || rest.contains('/') && is_package()
    }

    /// The files that a package of Rust, TypeScript or JavaScript gives to others.
    fn roots(&mut self, package: &PublishedRow<'a>) -> Option<Rc<[NodeId]>> {
        let key = (package.registry as u8, package.folder);
        if let Some(known) = self.roots.get(&key) {
            return known.clone();
        }
        let files = if package.registry == Registry::Cargo { self.library(package) } else { self.entries(package) };
        let files: Option<Rc<[NodeId]>> = files.map(Into::into);
        self.roots.insert(key, files.clone());
        files
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
    fn package(&self, path: &str, registry: Registry) -> Option<PublishedRow<'a>> {
        let holds = |row: &PublishedRow<'_>| {
            row.registry == registry
                && row.name.len() <= MAX_NAME
                && (row.folder.is_empty() || path.strip_prefix(row.folder).is_some_and(|rest| rest.starts_with('/')))
        };
        self.desk.base.published().filter(holds).max_by_key(|row| row.folder.len())
    }

    fn is_program(&self, file: NodeId) -> bool {
        let Some(text) = self.desk.text(file) else { return false };
        package_clause((1..=text.n_lines()).map(|line| text.line(line))) == Some("main")
    }

    /// The root of the library of a package of Rust; none where it has none or keeps it.
    fn library(&self, package: &PublishedRow<'_>) -> Option<Vec<NodeId>> {
        let manifest = self.manifest(package, "Cargo.toml")?;
        let root = || self.desk.base.file_at("Cargo.toml").and_then(|file| self.whole(file));
        let path = library(&manifest, root)?;
        self.desk.base.file_at(&below(package.folder, &path)).map(|file| vec![file])
    }

    /// The files that the manifest of a package of TypeScript or JavaScript gives to others; none where it is private.
    fn entries(&self, package: &PublishedRow<'_>) -> Option<Vec<NodeId>> {
        let manifest: serde_json::Value = serde_json::from_str(&self.manifest(package, "package.json")?).ok()?;
        if manifest.get("private").and_then(serde_json::Value::as_bool) == Some(true) {
            return None;
        }
        let base = self.desk.base;
        let mut files: Vec<NodeId> = entries(&manifest).filter_map(|path| base.file_at(&below(package.folder, &path))).collect();
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
    fn reaches(&mut self, file: NodeId, name: &str, roots: &[NodeId], model: ModuleModel) -> bool {
        let desk = self.desk;
        let mut seen: BTreeSet<(NodeId, String)> = BTreeSet::new();
        let mut open = vec![(file, name.to_owned())];
        while let Some((file, name)) = open.pop() {
            if roots.contains(&file) {
                return true;
            }
            if !seen.insert((file, name.clone())) {
                continue;
            }
            let module = module_of(desk.base.path(file));
            for importer in self.importers(file) {
                let all = self.statements.entry(importer).or_insert_with(|| {
                    let text = desk.text(importer);
                    text.map(|text| statements((1..=text.n_lines()).map(|line| text.line(line)))).unwrap_or_default()
                });
                let cost = FILE_COST + all.iter().map(String::len).sum::<usize>();
                if seen.len() > MAX_FILES || cost > self.room {
                    self.is_cut = true;
                    return false;
                }
                self.room -= cost;
                open.extend(passes(all, module, &name, model).map(|name| (importer, name)));
            }
        }
        false
    }

    /// The files that import a file.
    fn importers(&self, file: NodeId) -> BTreeSet<NodeId> {
        let base = self.desk.base;
        let links = base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy);
        links.map(|(from, _)| base.file_of(from)).collect()
    }
}

fn below(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}
