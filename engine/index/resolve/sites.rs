//! Every site to its link, and the dependencies of files that follow from links and imports.

use super::alone::Alone;
use super::facts::asked_by;
use super::given::given;
use super::imports::Seen;
use super::index::{Index, MAX_DEFINITIONS, Member};
use super::lifecycle;
use super::line::once_around;
use super::macros;
use super::reuse::{Reuse, Sites};
use super::types::{Place, Type, TypeId, Types};
use super::{Dependency, End, FileId, Item, Link, ModuleId, Name, Relation, Resolved, Sym, Tally, Target};
use super::{by_name, calls};
use activate_grammars::facts::{Container, Expr, Import, ImportKind, Site, SiteKind, Symbol, SymbolKind, Traits};
use activate_grammars::scope::ModuleModel;
use activate_rules::links::Confidence;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The most candidates among which an ambiguous name is still a link.
pub(super) const MAX_CANDIDATES: usize = 4;

/// What names of modules begin with that bundlers lead to folders.
const ALIASES: [&str; 4] = ["@/", "~", "$", "#"];

/// Files whose links wait for those of the others: enough to keep all threads busy, few enough to be small together.
const FILES_AT_ONCE: usize = 1024;

/// What a site means.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// Definitions of the repository, each with its confidence.
    Symbols(Vec<(Sym, Confidence)>),
    /// Something outside, a module, a field: not a link and not a gap.
    Foreign,
    /// A member of a value whose type comes from outside: where that is an interface, a method of the repository may stand behind it.
    Outside,
    /// A value in a local name.
    Local,
    /// Nothing could be said.
    Unresolved,
}

/// Resolves the sites of all files, but for those that mean what they meant before.
pub(super) fn resolve_sites(index: &Index<'_>, reuse: Option<&Reuse<'_, '_>>) -> Resolved {
    let mut resolved = Resolved::default();
    // About as many as there can be: room that is not used costs nothing, room that grows is copied.
    resolved.links.reserve_exact(index.files.iter().map(|file| file.facts.get().sites.len()).sum());
    let files: Vec<u32> = (0..index.files.len() as u32).collect();
    for part in files.chunks(FILES_AT_ONCE) {
        let of_file = |file: &u32| {
            let file = FileId(*file);
            let known = reuse.and_then(|reuse| Some((reuse.sites(file)?, reuse.file(file))));
            known.map_or_else(
                || (resolve_file(index, file), None),
                |((Sites { links, dependencies, tally }, reads), of)| {
                    (OfFile { links, dependencies, tally, open: Vec::new(), reads }, of)
                },
            )
        };
        let found: Vec<(OfFile, Option<u32>)> = part.par_iter().map(of_file).collect();
        for (OfFile { links, dependencies, tally, open, reads }, reused) in found {
            resolved.links.extend(links);
            resolved.dependencies.extend(dependencies);
            resolved.tallies.push(tally);
            resolved.open.push(open);
            resolved.reads.push(reads);
            resolved.reused.push(reused);
        }
    }
    resolved
}

/// A site that leads to no definition for sure, and may lead to one all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenSite {
    /// Its place in the sites of its file.
    pub site: u32,
    /// Whether it takes a member of a value whose type comes from outside; else nothing could be said about it.
    pub is_outside: bool,
}

/// What the sites of one file give.
pub struct OfFile {
    /// Its links.
    pub links: Vec<Link>,
    /// Its dependencies.
    pub dependencies: Vec<Dependency>,
    /// What became of the sites.
    pub tally: Tally,
    /// Those that stay open.
    pub open: Vec<OpenSite>,
    /// The files whose facts were asked for, in order.
    pub reads: Vec<u32>,
}

/// What the sites of a file give.
pub(super) fn resolve_file(index: &Index<'_>, file: FileId) -> OfFile {
    let (found, reads) = asked_by(|| once_around(|| resolve_each(index, file)));
    OfFile { reads, ..found }
}

fn resolve_each(index: &Index<'_>, file: FileId) -> OfFile {
    let facts = index.facts(file);
    let mut types = Types::of_file(index, file);
    let alone = Alone::default();
    let mut links = Vec::new();
    let mut tally = Tally::default();
    let mut open = Vec::new();
    let mut around = lifecycle::Around::default();
    let mut dependencies = import_dependencies(index, file);
    (tally.open_imports, tally.passed_on) = (open_imports(index, file), passed_on(index, file));
    for (number, site) in facts.sites.iter().enumerate() {
        if site.kind == SiteKind::Around {
            links.extend(lifecycle::links(index, &mut around, file, site));
            continue;
        }
        let is_call = matches!(site.kind, SiteKind::Call | SiteKind::New | SiteKind::Macro | SiteKind::Given);
        match meaning(index, &mut types, &alone, file, site) {
            Meaning::Symbols(symbols) => {
                tally.resolved += u32::from(is_call);
                let is_type =
                    |sym: Sym| matches!(index.symbol(sym).1.kind, SymbolKind::Type | SymbolKind::Alias | SymbolKind::Interface);
                // Who calls a constructor names its class.
                let by_constructor = site.kind == SiteKind::New && symbols.iter().any(|(sym, _)| !is_type(*sym));
                let from = site.from.map_or(End::File(file.0), |id| End::Symbol(index.first_symbol[file.0 as usize] + id.0));
                let constructors = calls::constructors(index, file, site, &symbols);
                for (sym, confidence) in symbols.into_iter().chain(constructors) {
                    if from == End::Symbol(sym.0) && !is_call {
                        continue;
                    }
                    let (to_file, symbol) = index.symbol(sym);
                    let constructs = index.rules(file).is_some_and(|rules| rules.constructor.is_some());
                    let is_type = is_type(sym);
                    // Making an instance runs code only where there are constructors.
                    let callable = symbol.kind != SymbolKind::Module && (constructs || !(is_type || site.kind == SiteKind::New));
                    let callable = callable && !(by_constructor && is_type);
                    let relation = if is_call && callable { Relation::Calls } else { Relation::References };
                    // What a function holds for itself is read with the function; its calls alone say more.
                    if relation == Relation::References && symbol.traits.has(Traits::NESTED) && !is_call {
                        continue;
                    }
                    links.push(Link { from, relation, line: site.line, to: sym.0, confidence });
                    // A guess does not make a file depend on another, and what a fixture gives names no file.
                    if site.kind != SiteKind::Given && to_file != file && confidence <= Confidence::Qualified {
                        add_dependency(&mut dependencies, Target::File(to_file.0), confidence, site.line);
                    }
                }
            }
            Meaning::Foreign => tally.foreign += u32::from(is_call),
            Meaning::Outside => {
                tally.foreign += u32::from(is_call);
                open.push(OpenSite { site: number as u32, is_outside: true });
            }
            Meaning::Local => tally.local += u32::from(is_call),
            Meaning::Unresolved => {
                tally.unresolved += u32::from(is_call);
                open.push(OpenSite { site: number as u32, is_outside: false });
            }
        }
    }
    links.extend(calls::unwritten(index, file));
    let dependencies =
        dependencies.into_iter().map(|(to, (confidence, line))| Dependency { from: file.0, to, confidence, line }).collect();
    // Those of all files are held together.
    open.shrink_to_fit();
    OfFile { links, dependencies, tally, open, reads: Vec::new() }
}

type Dependencies = BTreeMap<Target, (Confidence, u32)>;

fn add_dependency(dependencies: &mut Dependencies, to: Target, confidence: Confidence, line: u32) {
    let entry = dependencies.entry(to).or_insert((confidence, line));
    if (confidence, line) < *entry {
        *entry = (confidence, line);
    }
}

/// What the import statements of a file alone say: files of file modules and trees, packages from outside.
fn import_dependencies(index: &Index<'_>, file: FileId) -> Dependencies {
    let facts = index.facts(file);
    let mut dependencies = Dependencies::new();
    let model = index.rules(file).map(|rules| rules.modules);
    let is_tree = model == Some(ModuleModel::Tree);
    let has_submodules = index.rules(file).is_some_and(|rules| rules.submodules.is_some());
    for (place, import) in facts.imports.iter().enumerate() {
        let items = index.import_items(file, place as u32, &mut Seen::default());
        for item in &items {
            let target = match item {
                Item::Module(module) if is_tree || has_submodules => index.modules[module.0 as usize].file,
                Item::Symbol(sym) => Some(index.symbol(*sym).0),
                // Which files of a package, and what a file passes on under a name, the uses tell; the file named here follows below.
                Item::Module(_) | Item::Foreign => None,
            };
            if let Some(target) = target.filter(|target| *target != file) {
                add_dependency(&mut dependencies, Target::File(target.0), Confidence::Exact, import.line);
            }
            if let (Item::Module(module), ImportKind::Effect, Some(ModuleModel::Folder)) = (item, import.kind, model) {
                for target in run_by_import(index, *module) {
                    add_dependency(&mut dependencies, Target::File(target.0), Confidence::Exact, import.line);
                }
            }
        }
        // The file that is named in the statement is a dependency too, where the item comes through it.
        if !import.path.is_empty() {
            let named = index.import_origin(file, place as u32).file.filter(|target| *target != file);
            if let (Some(target), false) = (named, is_tree) {
                add_dependency(&mut dependencies, Target::File(target.0), Confidence::Exact, import.line);
            }
            let foreign =
                items.contains(&Item::Foreign) || (items.is_empty() && named.is_none() && import.kind != ImportKind::Child);
            if foreign && let Some(package) = index.package_outside(file, import) {
                add_dependency(&mut dependencies, Target::Package(package), Confidence::Exact, import.line);
            }
        }
    }
    dependencies
}

/// The files of a folder that an import for its effects runs: those with a function that is run then, else the first.
fn run_by_import(index: &Index<'_>, module: ModuleId) -> Vec<FileId> {
    let path = |file: FileId| index.files[file.0 as usize].path;
    let is_test = |file: FileId| activate_grammars::language_of(path(file)).is_some_and(|(_, of)| (of.is_test_path)(path(file)));
    let files: Vec<FileId> = index.files_of(module).iter().copied().filter(|file| !is_test(*file)).collect();
    let runs = |file: &FileId| {
        let facts = index.facts(*file);
        let name = index.rules(*file).and_then(|rules| rules.runs_on_import);
        let is_run = |symbol: &Symbol| {
            symbol.container == Container::File
                && symbol.kind == SymbolKind::Function
                && !symbol.traits.has(Traits::OTHER_BUILD)
                && Some(facts.names.get(symbol.name)) == name
        };
        facts.symbols.iter().any(is_run)
    };
    let run: Vec<FileId> = files.iter().copied().filter(runs).collect();
    if run.is_empty() { files.into_iter().take(1).collect() } else { run }
}

/// How many imports of a file may lead to files of the repository, to which is not known.
fn open_imports(index: &Index<'_>, file: FileId) -> u32 {
    let facts = index.facts(file);
    if index.project(file).is_none() {
        return facts.n_computed_imports;
    }
    let by_file = index.rules(file).is_some_and(|rules| rules.modules == ModuleModel::File);
    let is_open = |(place, import): &(usize, &Import)| {
        let Some(first) = import.path.first().filter(|_| import.kind != ImportKind::Child) else { return false };
        let items = index.import_items(file, *place as u32, &mut Seen::default());
        let text = facts.names.get(*first);
        if items.contains(&Item::Foreign) {
            return by_file && (may_be_alias(index, text) || index.may_be_module(file, text));
        }
        if !items.is_empty() {
            return false;
        }
        if index.has_packages(file) {
            return true;
        }
        // A file that does not have what is taken from it is known all the same, and so is another crate.
        let origin = index.import_origin(file, *place as u32);
        !origin.may_be_outside && origin.file.is_none()
    };
    facts.n_computed_imports + facts.imports.iter().enumerate().filter(is_open).count() as u32
}

/// Whether what is imported like a package from outside may be of the repository, by settings of a bundler that are not known.
fn may_be_alias(index: &Index<'_>, text: &str) -> bool {
    let top = text.split('/').next().unwrap_or(text);
    let has_folder = |folder: String| {
        let at = index.files.partition_point(|file| file.path < folder.as_str());
        index.files.get(at).is_some_and(|file| file.path.starts_with(&folder))
    };
    ALIASES.iter().any(|mark| text.starts_with(mark)) || has_folder(format!("{top}/")) || has_folder(format!("src/{top}/"))
}

/// How many names and modules of other files others can import through this one.
fn passed_on(index: &Index<'_>, file: FileId) -> u32 {
    let is_other = |item: &Item| match item {
        Item::Symbol(sym) => index.symbol(*sym).0 != file,
        Item::Module(module) => index.modules[module.0 as usize].file.is_some_and(|of| of != file),
        Item::Foreign => false,
    };
    let is_passed = |(place, import): &(usize, &Import)| {
        (import.exported || import.kind == ImportKind::Child)
            && index.import_items(file, *place as u32, &mut Seen::default()).iter().any(is_other)
    };
    index.facts(file).imports.iter().enumerate().filter(is_passed).count() as u32
}

fn meaning(index: &Index<'_>, types: &mut Types<'_, '_>, alone: &Alone, file: FileId, site: &Site) -> Meaning {
    let facts = index.facts(file);
    if let Some(language) = index.by_name_in(file) {
        return by_name::meaning(index, file, language, site);
    }
    let container = site.from.map_or(Container::File, Container::Symbol);
    let place = Place { file, module: index.module_of(file, container) };
    let expr = facts.exprs[site.expr.0 as usize];
    if let Some(found) = calls::meaning(index, types, alone, place, site) {
        return found;
    }
    if let (SiteKind::Given, Expr::Name(name)) = (site.kind, expr) {
        let by = site.from.map(|id| Sym(index.first_symbol[file.0 as usize] + id.0));
        let found = given(index, file, index.name(file, name), by);
        return if found.is_empty() { Meaning::Foreign } else { candidates(index, found, Confidence::Exact) };
    }
    let items = index.path_of(file, place.module, site.expr, 0);
    if !items.is_empty() {
        return match items_meaning(index, &items, site, Confidence::Exact) {
            // `Trait::method(value)`
            Meaning::Foreign if matches!(expr, Expr::Scoped(..)) && site.kind == SiteKind::Call && by_traits(index, file) => {
                Meaning::Outside
            }
            found => found,
        };
    }
    match expr {
        Expr::Name(name) if site.kind == SiteKind::Macro => macros::by_text(index, file, index.name(file, name), site),
        Expr::Scoped(base, name) if site.kind == SiteKind::Macro => {
            macros::of_root(index, &index.path_of(file, place.module, base, 0), index.name(file, name))
        }
        Expr::Local(_) => Meaning::Local,
        Expr::Super(_) => {
            let of = types.of_value(place, site.expr, 0);
            let constructor = index.rules(file).and_then(|rules| rules.constructor).and_then(|name| index.names.find(name));
            unless_outside(member_meaning(index, types, of, (constructor, site.kind), Confidence::Qualified))
        }
        Expr::Member(base, name) => {
            let name = index.name(file, name);
            let of = types.receiver(place, base, name, 0);
            let is_super = matches!(facts.exprs[base.0 as usize], Expr::Super(_));
            let is_own = is_super || matches!(facts.exprs[base.0 as usize], Expr::This(_));
            let sure = if is_own { Confidence::Exact } else { Confidence::Qualified };
            let mut found = member_meaning(index, types, of, (Some(name), site.kind), sure);
            if let (Meaning::Symbols(symbols), Expr::Local(id)) = (&mut found, facts.exprs[base.0 as usize])
                && facts.bindings[id.0 as usize].narrowed
            {
                // Where it is known to be of a subtype, the subtype's own member may be meant.
                let overridden = symbols.iter_mut().filter(|(sym, _)| index.is_overridden(*sym));
                overridden.for_each(|(_, confidence)| *confidence = (*confidence).max(Confidence::Unique));
            }
            match found {
                // A trait of the repository can give methods to types from outside.
                // Of what an unknown instance is one, the class around says nothing.
                Meaning::Unresolved if types.settle(of, 0) == TypeId::UNKNOWN && !is_own => alone.method(index, file, name, site),
                Meaning::Foreign | Meaning::Outside | Meaning::Unresolved if by_traits(index, file) => {
                    let is_ours = types.is_instance(of);
                    alone.extension(index, place, (name, is_ours), site).unwrap_or(found)
                }
                found => found,
            }
        }
        Expr::Scoped(base, name) => {
            // `Type::name` of a type parameter or of what a path means only as a type.
            let name = index.name(file, name);
            let of = types.as_type(place, base, 0);
            unless_outside(member_meaning(index, types, of, (Some(name), site.kind), Confidence::Qualified))
        }
        _ => Meaning::Unresolved,
    }
}

/// What belongs to a type itself, or to the one above, stands in for nothing.
fn unless_outside(meaning: Meaning) -> Meaning {
    if matches!(meaning, Meaning::Outside) { Meaning::Foreign } else { meaning }
}

fn items_meaning(index: &Index<'_>, items: &[Item], site: &Site, sure: Confidence) -> Meaning {
    if items.len() > MAX_DEFINITIONS {
        return Meaning::Unresolved;
    }
    let mut symbols: Vec<Sym> =
        items.iter().filter_map(|item| if let Item::Symbol(sym) = item { Some(*sym) } else { None }).collect();
    if symbols.is_empty() {
        return Meaning::Foreign;
    }
    // One name can mean a type and a value: the use decides.
    let wanted = |sym: &Sym| {
        let kind = index.symbol(*sym).1.kind;
        match site.kind {
            SiteKind::Macro => kind == SymbolKind::Macro,
            SiteKind::Type => matches!(kind, SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias),
            SiteKind::Call | SiteKind::New | SiteKind::Mention | SiteKind::Given | SiteKind::Around => {
                !matches!(kind, SymbolKind::Interface | SymbolKind::Macro)
            }
        }
    };
    if symbols.iter().any(wanted) {
        symbols.retain(wanted);
    } else if site.kind == SiteKind::Macro {
        return Meaning::Foreign;
    }
    candidates(index, symbols, sure)
}

/// A link to each of the definitions that a name may mean.
pub(super) fn candidates(index: &Index<'_>, symbols: Vec<Sym>, sure: Confidence) -> Meaning {
    if symbols.len() > MAX_DEFINITIONS {
        return Meaning::Unresolved;
    }
    let is_other_build = |sym: &Sym| index.symbol(*sym).1.traits.has(Traits::OTHER_BUILD);
    let (others, here): (Vec<Sym>, Vec<Sym>) = symbols.into_iter().partition(is_other_build);
    let (here, others) = if here.is_empty() { (others, here) } else { (here, others) };
    // What is declared several times in one place, as overloads are, is one thing: all are right, none is a guess.
    let is_one = here.windows(2).all(|pair| same_declaration(index, pair[0], pair[1]));
    if here.len() > MAX_CANDIDATES && !is_one {
        return Meaning::Unresolved;
    }
    let confidence = if is_one { sure } else { ambiguous(here.len()) };
    let twins = others.into_iter().map(|sym| (sym, ambiguous(2)));
    Meaning::Symbols(here.into_iter().map(|sym| (sym, confidence)).chain(twins).collect())
}

/// Whether two definitions of one name are parts of one declaration: overloads, merged declarations, twins for other builds.
fn same_declaration(index: &Index<'_>, left: Sym, right: Sym) -> bool {
    let ((left_file, left_symbol), (right_file, right_symbol)) = (index.symbol(left), index.symbol(right));
    let module = |file: FileId| index.file_module[file.0 as usize];
    let same_block = left_symbol.container == right_symbol.container || left_file != right_file;
    let is_told_apart = index.has_packages(left_file) && left_file != right_file
        || index.rules(left_file).is_some_and(|rules| rules.overloads) && left_symbol.kind == SymbolKind::Method;
    let explicit = index.rules(left_file).is_some_and(|rules| rules.modules == ModuleModel::Tree);
    module(left_file) == module(right_file)
        && index.member_of[left.0 as usize] == index.member_of[right.0 as usize]
        && !is_told_apart
        // Blocks that implement different traits are different things.
        && (same_block || !explicit)
}

pub(super) fn ambiguous(n: usize) -> Confidence {
    Confidence::among(n).unwrap_or(Confidence::AmongFour)
}

fn member_meaning(
    index: &Index<'_>,
    types: &mut Types<'_, '_>,
    of: TypeId,
    (name, kind): (Option<Name>, SiteKind),
    sure: Confidence,
) -> Meaning {
    let Some(name) = name else { return Meaning::Unresolved };
    let of = types.settle(of, 0);
    if of == TypeId::FOREIGN || matches!(types.get(of), Type::Generic(..)) {
        return Meaning::Outside;
    }
    if matches!(types.get(of), Type::Many(_) | Type::Map(..) | Type::Function(..)) {
        return Meaning::Foreign;
    }
    let members = types.members_meant(of, name, kind != SiteKind::Mention);
    let symbols: Vec<Sym> =
        members.iter().filter_map(|member| if let Member::Symbol(sym) = member { Some(*sym) } else { None }).collect();
    if symbols.is_empty() {
        let aliased = aliased(index, &members);
        if !aliased.is_empty() {
            // Another file may give an instance another function.
            return candidates(index, aliased, sure.max(Confidence::Qualified));
        }
    }
    match (symbols.is_empty(), members.is_empty(), types.get(of)) {
        (false, ..) => candidates(index, symbols, sure),
        (true, false, _) => Meaning::Foreign,
        (true, true, Type::Named(sym, _)) => missing_member(index, Some(*sym), name),
        (true, true, Type::Object(..)) => missing_member(index, None, name),
        (true, true, _) => Meaning::Unresolved,
    }
}

/// The functions that a member is another name of, if all that its class says of it is that.
fn aliased(index: &Index<'_>, members: &[Member]) -> Vec<Sym> {
    let alias = |member: &Member| {
        let Member::Field(file, at) = *member else { return None };
        Some((file, index.facts(file).fields[at as usize])).filter(|(_, field)| field.alias)
    };
    let Some(fields) = members.iter().map(alias).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let items =
        fields.into_iter().flat_map(|(file, field)| index.path_of(file, index.module_of(file, field.container), field.value, 0));
    let is_function = |sym: &Sym| matches!(index.symbol(*sym).1.kind, SymbolKind::Function | SymbolKind::Method);
    items.filter_map(|item| if let Item::Symbol(sym) = item { Some(sym) } else { None }).filter(is_function).collect()
}

/// A member that a type of the repository does not have, as far as is known: what mixes it in, or has it for every type, may not be known.
pub(super) fn missing_member(index: &Index<'_>, of: Option<Sym>, name: Name) -> Meaning {
    let rules = of.and_then(|of| index.rules(index.symbol(of).0));
    let is_derived = rules.is_some_and(|rules| rules.derived_methods.contains(&index.names.text(name)));
    // Where types get methods by traits, one from outside says nothing of the others.
    let is_closed = rules.is_some_and(|rules| rules.modules != ModuleModel::Tree);
    if is_derived || !index.methods.contains_key(&name) || is_closed && of.is_some_and(|of| index.embeds(of, name)) {
        Meaning::Foreign
    } else if is_closed && of.is_some_and(|of| index.takes_from_outside(of)) {
        Meaning::Outside
    } else {
        Meaning::Unresolved
    }
}

/// Whether methods of the language's types can come from traits elsewhere.
pub(super) fn by_traits(index: &Index<'_>, file: FileId) -> bool {
    index.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Tree)
}
