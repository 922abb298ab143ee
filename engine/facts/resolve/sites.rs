//! Every site to its link, and the dependencies of files that follow from links and imports.

use super::imports::Seen;
use super::index::{Index, Member};
use super::reach::Reach;
use super::types::{Place, Type, TypeId, Types};
use super::{Dependency, End, FileId, Item, Link, Name, Relation, Resolved, Sym, Tally, Target};
use activate_grammars::facts::{Container, Expr, ImportKind, Site, SiteKind, SymbolKind, Traits};
use activate_rules::links::Confidence;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The most candidates among which an ambiguous name is still a link.
const MAX_CANDIDATES: usize = 4;

/// What a site means.
enum Meaning {
    /// Definitions of the repository.
    Symbols(Vec<Sym>, Confidence),
    /// Something outside, a module, a field: not a link and not a gap.
    Foreign,
    /// A value in a local name.
    Local,
    /// Nothing could be said.
    Unresolved,
}

/// Resolves the sites of all files.
pub(super) fn resolve_sites(index: &Index<'_>) -> Resolved {
    let files: Vec<(Vec<Link>, Vec<Dependency>, Tally, Vec<u32>)> =
        (0..index.files.len() as u32).into_par_iter().map(|file| resolve_file(index, FileId(file))).collect();
    let mut resolved = Resolved::default();
    for (links, dependencies, tally, unresolved) in files {
        resolved.links.extend(links);
        resolved.dependencies.extend(dependencies);
        resolved.tallies.push(tally);
        resolved.unresolved.push(unresolved);
    }
    resolved
}

fn resolve_file(index: &Index<'_>, file: FileId) -> (Vec<Link>, Vec<Dependency>, Tally, Vec<u32>) {
    let facts = index.facts(file);
    let mut types = Types::new(index);
    let reach = Reach::default();
    let mut links = Vec::new();
    let mut tally = Tally::default();
    let mut unresolved = Vec::new();
    let mut dependencies = import_dependencies(index, file);
    for (number, site) in facts.sites.iter().enumerate() {
        let is_call = matches!(site.kind, SiteKind::Call | SiteKind::New | SiteKind::Macro);
        match meaning(index, &mut types, &reach, file, site) {
            Meaning::Symbols(symbols, confidence) => {
                tally.resolved += u32::from(is_call);
                let from = site.from.map_or(End::File(file.0), |id| End::Symbol(index.first_symbol[file.0 as usize] + id.0));
                for sym in symbols {
                    if from == End::Symbol(sym.0) && !is_call {
                        continue;
                    }
                    let (to_file, symbol) = index.symbol(sym);
                    let constructs = index.rules(file).is_some_and(|rules| rules.constructor.is_some());
                    let is_type = matches!(symbol.kind, SymbolKind::Type | SymbolKind::Alias | SymbolKind::Interface);
                    // Making an instance runs code only where there are constructors.
                    let callable = symbol.kind != SymbolKind::Module && (constructs || !(is_type || site.kind == SiteKind::New));
                    let relation = if is_call && callable { Relation::Calls } else { Relation::References };
                    links.push(Link { from, relation, line: site.line, to: sym.0, confidence });
                    if to_file != file {
                        add_dependency(&mut dependencies, Target::File(to_file.0), confidence, site.line);
                    }
                }
            }
            Meaning::Foreign => tally.foreign += u32::from(is_call),
            Meaning::Local => tally.local += u32::from(is_call),
            Meaning::Unresolved => {
                tally.unresolved += u32::from(is_call);
                unresolved.push(number as u32);
            }
        }
    }
    let dependencies =
        dependencies.into_iter().map(|(to, (confidence, line))| Dependency { from: file.0, to, confidence, line }).collect();
    (links, dependencies, tally, unresolved)
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
    let Some(project) = index.project(file) else { return dependencies };
    let by_folder = index.rules(file).is_some_and(|rules| rules.modules == activate_grammars::scope::ModuleModel::Folder);
    for (place, import) in facts.imports.iter().enumerate() {
        let items = index.import_items(file, place as u32, &mut Seen::default());
        for item in &items {
            let target = match item {
                // A package of several files: which of them the uses tell.
                Item::Module(_) if by_folder => None,
                Item::Module(module) => index.modules[module.0 as usize].file,
                Item::Symbol(sym) => Some(index.symbol(*sym).0),
                Item::Foreign => None,
            };
            if let Some(target) = target.filter(|target| *target != file) {
                add_dependency(&mut dependencies, Target::File(target.0), Confidence::Exact, import.line);
            }
        }
        // The file that is named in the statement is a dependency too, where the item comes through it.
        if let Some(first) = import.path.first() {
            let text = facts.names.get(*first);
            let candidates = project.candidates(index.files[file.0 as usize].path, text);
            let named = candidates.files.iter().find_map(|path| index.file_at(path)).filter(|target| *target != file);
            let is_tree = index.rules(file).is_some_and(|rules| rules.modules == activate_grammars::scope::ModuleModel::Tree);
            if let (Some(target), false) = (named, is_tree) {
                add_dependency(&mut dependencies, Target::File(target.0), Confidence::Exact, import.line);
            }
            let foreign =
                items.contains(&Item::Foreign) || (items.is_empty() && named.is_none() && import.kind != ImportKind::Child);
            if let (Some(package), true) = (candidates.external, foreign) {
                add_dependency(&mut dependencies, Target::Package(package), Confidence::Exact, import.line);
            }
        }
    }
    dependencies
}

fn meaning(index: &Index<'_>, types: &mut Types<'_, '_>, reach: &Reach, file: FileId, site: &Site) -> Meaning {
    let facts = index.facts(file);
    let container = site.from.map_or(Container::File, Container::Symbol);
    let place = Place { file, module: index.module_of(file, container) };
    let expr = facts.exprs[site.expr.0 as usize];
    let items = index.path_of(file, place.module, site.expr, 0);
    if !items.is_empty() {
        return items_meaning(index, &items, site, Confidence::Exact);
    }
    match expr {
        Expr::Name(name) if site.kind == SiteKind::Macro => macro_by_text(index, file, index.name(file, name), site),
        Expr::Local(_) => Meaning::Local,
        Expr::Super(_) => {
            let of = types.of_value(place, site.expr, 0);
            let constructor = index.rules(file).and_then(|rules| rules.constructor).and_then(|name| index.names.find(name));
            member_meaning(index, types, of, constructor, Confidence::Qualified)
        }
        Expr::Member(base, name) => {
            let name = index.name(file, name);
            let of = types.of_value(place, base, 0);
            let is_own = matches!(facts.exprs[base.0 as usize], Expr::This(_));
            let sure = if is_own { Confidence::Exact } else { Confidence::Qualified };
            match member_meaning(index, types, of, Some(name), sure) {
                Meaning::Unresolved if types.settle(of, 0) == TypeId::UNKNOWN => by_name_alone(index, reach, file, name, site),
                found => found,
            }
        }
        Expr::Scoped(base, name) => {
            // `Type::name` of a type parameter or of what a path means only as a type.
            let name = index.name(file, name);
            let of = types.as_type(place, base, 0);
            member_meaning(index, types, of, Some(name), Confidence::Qualified)
        }
        _ => Meaning::Unresolved,
    }
}

fn items_meaning(index: &Index<'_>, items: &[Item], site: &Site, sure: Confidence) -> Meaning {
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
            SiteKind::Call | SiteKind::New | SiteKind::Mention => !matches!(kind, SymbolKind::Interface | SymbolKind::Macro),
        }
    };
    if symbols.iter().any(wanted) {
        symbols.retain(wanted);
    } else if site.kind == SiteKind::Macro {
        return Meaning::Foreign;
    }
    // Overloads and build twins are one thing declared several times: all are right, none is a guess.
    let same_place = symbols.windows(2).all(|pair| same_module(index, pair[0], pair[1]));
    let confidence = if symbols.len() == 1 || same_place { sure } else { ambiguous(symbols.len()) };
    if symbols.len() > MAX_CANDIDATES && !same_place {
        return Meaning::Unresolved;
    }
    Meaning::Symbols(symbols, confidence)
}

/// A macro that no path leads to: the last one above in the same file, else the only ones of that name in the crate.
fn macro_by_text(index: &Index<'_>, file: FileId, name: Name, site: &Site) -> Meaning {
    let known = index.macros.get(&(index.root_of(file), name)).map_or(&[][..], Vec::as_slice);
    let above = known.iter().rev().copied().find(|sym| {
        let (of, symbol) = index.symbol(*sym);
        of == file && symbol.lines.0 <= site.line
    });
    match (above, known.len()) {
        (Some(sym), _) => Meaning::Symbols(vec![sym], Confidence::Exact),
        (None, 0) => Meaning::Unresolved,
        (None, 1) => Meaning::Symbols(known.to_vec(), Confidence::Qualified),
        (None, 2..=MAX_CANDIDATES) => Meaning::Symbols(known.to_vec(), ambiguous(known.len())),
        (None, _) => Meaning::Unresolved,
    }
}

fn same_module(index: &Index<'_>, left: Sym, right: Sym) -> bool {
    index.file_module[index.symbol(left).0.0 as usize] == index.file_module[index.symbol(right).0.0 as usize]
}

fn ambiguous(n: usize) -> Confidence {
    Confidence::among(n).unwrap_or(Confidence::AmongFour)
}

fn member_meaning(index: &Index<'_>, types: &mut Types<'_, '_>, of: TypeId, name: Option<Name>, sure: Confidence) -> Meaning {
    let Some(name) = name else { return Meaning::Unresolved };
    let of = types.settle(of, 0);
    if of == TypeId::FOREIGN || matches!(types.get(of), Type::Generic(..) | Type::Many(_) | Type::Map(..) | Type::Function(..)) {
        return Meaning::Foreign;
    }
    let members = types.members(of, name);
    let symbols: Vec<Sym> =
        members.iter().filter_map(|member| if let Member::Symbol(sym) = member { Some(*sym) } else { None }).collect();
    if symbols.is_empty() {
        return if members.is_empty() && !matches!(types.get(of), Type::Named(..) | Type::Object(..)) {
            Meaning::Unresolved
        } else {
            Meaning::Foreign
        };
    }
    let one_type = symbols.windows(2).all(|pair| index.member_of[pair[0].0 as usize] == index.member_of[pair[1].0 as usize]);
    if symbols.len() == 1 || one_type {
        Meaning::Symbols(symbols, sure)
    } else if symbols.len() <= MAX_CANDIDATES {
        let confidence = ambiguous(symbols.len());
        Meaning::Symbols(symbols, confidence)
    } else {
        Meaning::Unresolved
    }
}

/// A method of a value whose type is not known: a link only if few methods have the name and the file can reach them.
fn by_name_alone(index: &Index<'_>, reach: &Reach, file: FileId, name: Name, site: &Site) -> Meaning {
    if site.kind != SiteKind::Call {
        return Meaning::Unresolved;
    }
    let text = index.names.text(name);
    let common = index
        .rules(file)
        .is_some_and(|rules| rules.common_methods.contains(&text) || rules.known_methods.iter().any(|(known, _)| *known == text));
    let Some(candidates) = index.methods.get(&name).filter(|_| !common) else { return Meaning::Unresolved };
    let language = index.files[file.0 as usize].language;
    let in_reach = |sym: &&Sym| {
        let (of, symbol) = index.symbol(**sym);
        index.files[of.0 as usize].language == language
            && index.member_of[sym.0 as usize].is_some()
            && (!symbol.traits.has(Traits::TEST_CODE) || of == file)
            && reach.holds(index, file, of)
    };
    let reachable: Vec<Sym> = candidates.iter().filter(in_reach).copied().collect();
    match reachable.len() {
        1 => Meaning::Symbols(reachable, Confidence::Unique),
        n if (2..=MAX_CANDIDATES).contains(&n) => Meaning::Symbols(reachable, ambiguous(n)),
        _ => Meaning::Unresolved,
    }
}
