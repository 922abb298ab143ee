//! What a shard publishes, as tables: its symbols and links, and its boundary in keys.

use crate::columns::Value::{Int, Long, Text};
use crate::columns::Writer;
use crate::commits;
use crate::key::{self, Key, Step};
use crate::owners::Owners;
use crate::rules::UseKind;
use crate::secrets;
use crate::tables::{INNER, MEMBERS, MODULES, NEEDS, PACKAGES, PROCEDURES, REQUESTS, ROUTES, SYMBOLS, TERMS, TYPES, USES, WORDS};
use activate_grammars::resolved_language_of;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use engine::Engine;
use error::{Problem, Result};
use index::base::{FactBase, FileFlags, SymbolKind, Traits};
use index::boundary::{self, Boundary, ModuleId, Place, Registry, Side, Term, TermId};
use index::snapshot::Snapshot;
use index::text::Field;
use redact::KEY_BYTES;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// A repository of which a shard is made.
pub(crate) struct Published<'p> {
    /// What the manifest calls it.
    pub(crate) repository: &'p str,
    /// Opened at the commit.
    pub(crate) engine: &'p Engine,
    /// As it is at the commit.
    pub(crate) snapshot: &'p Snapshot,
    /// The key of the store, with which hashes of its secrets are made.
    pub(crate) secrets_key: &'p [u8; KEY_BYTES],
    /// The folder of the shard.
    pub(crate) folder: &'p Path,
}

/// Writes the tables of a repository. What could not be read comes as problems.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where one cannot be written.
pub(crate) fn publish(of: &Published<'_>) -> Result<Vec<Problem>> {
    let Published { repository, engine, snapshot, secrets_key, folder } = *of;
    let base = &snapshot.base;
    let boundary = &engine.boundary(snapshot)?;
    let keys = Keys::of(repository, base, boundary);
    symbols(base, boundary, &keys).write(folder)?;
    inner(base).write(folder)?;
    terms(boundary, &keys).write(folder)?;
    modules(boundary, &keys).write(folder)?;
    members(boundary, &keys).write(folder)?;
    types(base, boundary, &keys).write(folder)?;
    uses(boundary, &keys).write(folder)?;
    words(base)?.write(folder)?;
    routes(base).write(folder)?;
    requests(boundary).write(folder)?;
    procedures(boundary).write(folder)?;
    secrets::table(snapshot.masker().known().prints(secrets_key)).write(folder)?;
    let (packages, needs) = (packages(repository, boundary), needs(repository, boundary));
    packages.write(folder)?;
    needs.write(folder)?;
    commits::table(repository, &snapshot.past).write(folder)?;
    let (owners, problems) = Owners::read(engine);
    owners.table(base).write(folder)?;
    Ok(problems)
}

/// The key of a package of a repository.
pub(crate) fn package(repository: &str, of: Registry, name: &str) -> Key {
    key::place(repository, &format!("package {} {name}", of.word()))
}

/// The keys of places and terms of a boundary.
struct Keys<'a> {
    repository: &'a str,
    base: &'a FactBase,
    modules: FxHashMap<ModuleId, Key>,
    /// The keys of terms, and how they are made; nothing of those that are places.
    terms: Vec<(Key, Option<Step>)>,
}

impl<'a> Keys<'a> {
    fn of(repository: &'a str, base: &'a FactBase, boundary: &Boundary) -> Self {
        let mut modules = FxHashMap::default();
        let mut n_of_file: FxHashMap<u32, u32> = FxHashMap::default();
        for module in &boundary.modules {
            let n_before = n_of_file.entry(module.file.0).or_default();
            modules.entry(module.of).or_insert_with(|| {
                *n_before += 1;
                key::place(repository, &format!("module {} {n_before}", base.path(module.file)))
            });
        }
        let mut keys = Self { repository, base, modules, terms: Vec::with_capacity(boundary.terms.len()) };
        for term in &boundary.terms {
            let made = keys.term(term);
            keys.terms.push(made);
        }
        keys
    }

    fn place(&self, place: Place) -> Key {
        match place {
            Place::Module(module) => {
                let unknown = || key::place(self.repository, &format!("module {}", module.0));
                self.modules.get(&module).copied().unwrap_or_else(unknown)
            }
            Place::Symbol(node) => key::place(self.repository, &self.base.id(node)),
        }
    }

    fn key(&self, term: TermId) -> Key {
        self.terms.get(term.0 as usize).map_or(0, |(key, _)| *key)
    }

    fn term(&self, term: &Term) -> (Key, Option<Step>) {
        let step = match term {
            Term::Own(place) => return (self.place(*place), None),
            Term::Outside(of, name) => Step::Outside(key::published(of.word(), name)),
            Term::Member(base, name) => Step::Member(self.key(*base), key::name(name)),
            Term::Result(base) => Step::Result(self.key(*base), 0),
            Term::Instance(base) => Step::Instance(self.key(*base)),
            Term::Many(base) => Step::Many(self.key(*base)),
            Term::Element(base) => Step::Element(self.key(*base)),
            Term::Part(base, n) => match self.terms.get(base.0 as usize) {
                Some((_, Some(Step::Result(of, 0)))) => Step::Result(*of, n + 1),
                // The first of what is one value is that.
                Some(known) if *n == 0 => return *known,
                _ => Step::Outside(0),
            },
        };
        (step.key(), Some(step))
    }
}

/// Says that others can see a definition which is a test or stands in a file of tests: nobody is asked to use it.
const OF_TESTS: u32 = 2;

/// Says that others can see a definition and may use it without its name: in Rust what a block has for a trait from outside, such as operators, and
/// types that types are associated with.
const WITHOUT_NAME: u32 = 3;

/// Says that the compiler keeps most others from a definition: in Go what stands below a folder `internal`.
const INTERNAL: u32 = 4;

fn symbols(base: &FactBase, boundary: &Boundary, keys: &Keys<'_>) -> Writer {
    let mentioned: FxHashSet<u32> = boundary.definitions.iter().map(|definition| definition.node.0).collect();
    let (seen, without_name) = (visible(boundary), used_without_name(base));
    let is_test = |node: NodeId| {
        base.symbol(node).is_some_and(|symbol| symbol.traits.has(Traits::TEST))
            || base.flags(base.file_of(node)).has(FileFlags::TEST)
    };
    let visible = |node: NodeId| match seen.contains(&node.0) {
        false => 0,
        true if is_test(node) => OF_TESTS,
        true if is_internal(base.path(node)) => INTERNAL,
        true if without_name.contains(&node.0) => WITHOUT_NAME,
        true => 1,
    };
    let mut table = Writer::new(SYMBOLS);
    for file in base.files() {
        table.push(&[Text(base.path(file)), Text("file"), Long(0), Int(1), Int(0)]);
    }
    for node in base.n_files()..base.n_files() + base.n_symbols() {
        let node = NodeId(node);
        let (kind, line) = base.symbol(node).map_or(("", 0), |symbol| (symbol.kind.word(), symbol.name_line));
        let place = if mentioned.contains(&node.0) { keys.place(Place::Symbol(node)) } else { 0 };
        table.push(&[Text(&base.id(node)), Text(kind), Long(place), Int(line), Int(visible(node))]);
    }
    table
}

fn is_internal(path: &str) -> bool {
    let has_folders = resolved_language_of(path).is_some_and(|(_, language)| language.scope.modules == ModuleModel::Folder);
    has_folders && path.rsplit_once('/').is_some_and(|(folder, _)| folder.split('/').any(|part| part == "internal"))
}

/// The definitions of Rust that may be used where their names do not stand.
fn used_without_name(base: &FactBase) -> FxHashSet<u32> {
    let is_tree = |file: &NodeId| {
        resolved_language_of(base.path(*file)).is_some_and(|(_, language)| language.scope.modules == ModuleModel::Tree)
    };
    let mut found = FxHashSet::default();
    for file in base.files().filter(is_tree) {
        let all = || base.symbols_of(file).filter_map(|node| base.symbol(NodeId(node)));
        let traits: FxHashSet<&str> =
            all().filter(|symbol| symbol.kind == SymbolKind::Interface).map(|symbol| symbol.local_id).collect();
        for symbol in all() {
            let Some((above, _)) = symbol.local_id.rsplit_once('.') else { continue };
            let stands_in = symbol.traits.has(Traits::STANDS_IN) && !traits.contains(above);
            if symbol.kind == SymbolKind::Alias || stands_in {
                found.insert(symbol.node.0);
            }
        }
    }
    found
}

/// The definitions that a path of names leads to from a module with a name that others know.
fn visible(boundary: &Boundary) -> FxHashSet<u32> {
    let own = |term: TermId| if let Some(Term::Own(place)) = boundary.terms.get(term.0 as usize) { Some(*place) } else { None };
    let mut below: FxHashMap<Place, Vec<Place>> = FxHashMap::default();
    let members = boundary.members.iter().map(|member| (member.of, member.to));
    let passed_on = boundary.globs.iter().map(|glob| (Place::Module(glob.of), glob.to));
    for (of, to) in members.chain(passed_on) {
        below.entry(of).or_default().extend(own(to));
    }
    let named = boundary.modules.iter().filter(|module| !module.name.is_empty());
    let mut open: Vec<Place> = named.map(|module| Place::Module(module.of)).collect();
    let mut seen: FxHashSet<Place> = open.iter().copied().collect();
    while let Some(place) = open.pop() {
        let next = below.get(&place).into_iter().flatten().filter(|place| seen.insert(**place));
        open.extend(next.collect::<Vec<_>>());
    }
    seen.into_iter().filter_map(|place| if let Place::Symbol(node) = place { Some(node.0) } else { None }).collect()
}

fn inner(base: &FactBase) -> Writer {
    let n_nodes = base.n_files() + base.n_symbols();
    let mut rows: Vec<_> = base.sites().filter(|site| site.to.0 < n_nodes).collect();
    rows.sort_unstable_by_key(|site| (site.to, site.from, site.line, site.kind, site.confidence));
    let mut table = Writer::new(INNER);
    for site in rows {
        table.push(&[Int(site.to.0), Int(site.from.0), Int(site.line), Text(site.kind.name()), Text(site.confidence.name())]);
    }
    table
}

fn terms(boundary: &Boundary, keys: &Keys<'_>) -> Writer {
    let mut rows: Vec<(Key, Step, &str)> = Vec::new();
    for (term, (key, step)) in boundary.terms.iter().zip(&keys.terms) {
        let text = if let Term::Outside(_, name) | Term::Member(_, name) = term { name.as_str() } else { "" };
        rows.extend(step.map(|step| (*key, step, text)));
    }
    rows.sort_unstable();
    rows.dedup_by_key(|(key, ..)| *key);
    let mut table = Writer::new(TERMS);
    for (key, step, text) in rows {
        let (word, name, part) = match step {
            Step::Outside(name) => ("outside", name, 0),
            Step::Member(_, name) => ("member", name, 0),
            Step::Result(_, part) => ("result", 0, part),
            Step::Instance(_) => ("instance", 0, 0),
            Step::Many(_) => ("many", 0, 0),
            Step::Element(_) => ("element", 0, 0),
        };
        table.push(&[Long(key), Text(word), Long(step.base().unwrap_or(0)), Long(name), Int(part), Text(text)]);
    }
    table
}

fn modules(boundary: &Boundary, keys: &Keys<'_>) -> Writer {
    let mut table = Writer::new(MODULES);
    for module in &boundary.modules {
        let of = module.registry.word();
        // What only other modules lead to has no name that others know it by.
        let published = if module.name.is_empty() { 0 } else { key::published(of, &module.name) };
        let place = keys.place(Place::Module(module.of));
        table.push(&[Long(published), Text(of), Text(&module.name), Long(place), Int(module.file.0)]);
    }
    table
}

fn members(boundary: &Boundary, keys: &Keys<'_>) -> Writer {
    let row = |member: &'_ boundary::Member| (keys.place(member.of), key::name(&member.name), keys.key(member.to));
    let mut rows: Vec<_> = boundary.members.iter().map(|member| (row(member), member.name.as_str())).collect();
    rows.sort_unstable();
    let mut table = Writer::new(MEMBERS);
    for ((of, name, to), text) in rows {
        table.push(&[Long(of), Long(name), Text(text), Long(to)]);
    }
    table
}

fn types(base: &FactBase, boundary: &Boundary, keys: &Keys<'_>) -> Writer {
    let mut rows: Vec<(Key, &str, u32, Key)> = Vec::new();
    for of_type in &boundary.types {
        let how = match base.symbol(of_type.of).map(|symbol| symbol.kind) {
            Some(SymbolKind::Alias) => "alias",
            Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro) => "gives",
            _ => "holds",
        };
        let part = of_type.part.map_or(0, |part| part + 1);
        rows.push((keys.place(Place::Symbol(of_type.of)), how, part, keys.key(of_type.to)));
    }
    rows.extend(boundary.supers.iter().map(|of| (keys.place(Place::Symbol(of.of)), "over", 0, keys.key(of.to))));
    rows.extend(boundary.globs.iter().map(|of| (keys.place(Place::Module(of.of)), "over", 0, keys.key(of.to))));
    rows.sort_unstable();
    let mut table = Writer::new(TYPES);
    for (of, how, part, to) in rows {
        table.push(&[Long(of), Text(how), Int(part), Long(to)]);
    }
    table
}

fn uses(boundary: &Boundary, keys: &Keys<'_>) -> Writer {
    let mut table = Writer::new(USES);
    for of in &boundary.uses {
        let kind = match of.kind {
            boundary::UseKind::Import => UseKind::Import,
            boundary::UseKind::Call => UseKind::Call,
            boundary::UseKind::Reference => UseKind::Reference,
            boundary::UseKind::Extends => UseKind::Extend,
            boundary::UseKind::Implements => UseKind::Implement,
        };
        let (site, rank) = (Int(of.site), Int(u32::from(of.rank)));
        table.push(&[Long(keys.key(of.term)), Int(of.from.0), Int(of.line), Text(kind.word()), site, rank]);
    }
    table
}

fn words(base: &FactBase) -> Result<Writer> {
    let mut rows: Vec<(Key, u32, u32)> = Vec::new();
    base.text()?.for_each_term(Field::Name, |term, n_files, n_naming| {
        rows.extend(std::str::from_utf8(term).ok().map(|term| (key::name(term), n_files, n_naming)));
    });
    rows.sort_unstable();
    let mut table = Writer::new(WORDS);
    for (word, n_files, n_naming) in rows {
        table.push(&[Long(word), Int(n_files), Int(n_naming)]);
    }
    Ok(table)
}

fn routes(base: &FactBase) -> Writer {
    let mut table = Writer::new(ROUTES);
    for route in base.routes() {
        table.push(&[Int(route.handler.0), Int(route.line), Text(route.text)]);
    }
    table
}

fn requests(boundary: &Boundary) -> Writer {
    let mut table = Writer::new(REQUESTS);
    for request in &boundary.requests {
        table.push(&[Int(request.from.0), Int(request.line), Text(&request.text)]);
    }
    table
}

fn procedures(boundary: &Boundary) -> Writer {
    let mut table = Writer::new(PROCEDURES);
    for procedure in &boundary.procedures {
        let side = match procedure.side {
            Side::Declared => "declared",
            Side::Asked => "asked",
            Side::Served => "served",
        };
        table.push(&[Text(&procedure.name), Text(side), Int(procedure.node.0), Int(procedure.line)]);
    }
    table
}

fn packages(repository: &str, boundary: &Boundary) -> Writer {
    let mut table = Writer::new(PACKAGES);
    for of in &boundary.packages {
        let word = of.registry.word();
        let (published, package) = (key::published(word, &of.name), package(repository, of.registry, &of.name));
        let version = of.version.as_deref().unwrap_or_default();
        table.push(&[Long(published), Long(package), Text(word), Text(&of.name), Text(version), Text(&of.folder)]);
    }
    table
}

/// What its packages need of others. What no package of a folder publishes is asked for by the folder itself.
fn needs(repository: &str, boundary: &Boundary) -> Writer {
    let mut table = Writer::new(NEEDS);
    let own: FxHashMap<(Registry, &str), &str> =
        boundary.packages.iter().rev().map(|of| ((of.registry, of.folder.as_str()), of.name.as_str())).collect();
    for need in &boundary.needs {
        let word = need.registry.word();
        let folder = || key::place(repository, &format!("folder {word} {}", need.folder));
        let own = own.get(&(need.registry, need.folder.as_str()));
        let package = own.map_or_else(folder, |name| package(repository, need.registry, name));
        let (published, versions) = (key::published(word, &need.name), need.requirement.as_str());
        table.push(&[
            Long(package),
            Long(published),
            Text(word),
            Text(&need.name),
            Text(versions),
            Text(&need.folder),
            Int(need.line),
        ]);
    }
    table
}
