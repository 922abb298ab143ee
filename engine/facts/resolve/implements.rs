//! Implementations: types of interfaces, and methods of the methods they fulfil.

use super::index::{Index, Member, SuperOf};
use super::shape::{Same, same_shape};
use super::{End, FileId, Link, Name, Relation, Sym};
use activate_grammars::facts::{Container, Expr, SuperKind, SymbolId, SymbolKind};
use activate_rules::links::Confidence;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Interfaces of more methods than this are not matched by method set.
const MAX_METHODS: usize = 200;

/// Adds links from types to what they implement or extend, and from methods to the methods they fulfil.
pub(super) fn add(index: &Index<'_>, links: &mut Vec<Link>) {
    for (of, supers) in index.supers.iter().collect::<BTreeMap<_, _>>() {
        for SuperOf { target, kind, line, .. } in supers {
            let relation = match kind {
                SuperKind::Implements => Relation::Implements,
                SuperKind::Extends | SuperKind::Embeds => Relation::Extends,
            };
            links.push(Link { from: End::Symbol(of.0), relation, line: *line, to: target.0, confidence: Confidence::Exact });
            if *kind != SuperKind::Embeds {
                add_methods(index, *of, *target, Confidence::Exact, links);
            }
        }
    }
    let structural = |file: FileId| index.rules(file).is_some_and(|rules| rules.structural);
    if (0..index.files.len() as u32).any(|file| structural(FileId(file))) {
        add_structural(index, links);
    }
}

/// Methods of `of` that fulfil methods of `target`.
fn add_methods(index: &Index<'_>, of: Sym, target: Sym, confidence: Confidence, links: &mut Vec<Link>) {
    let constructor = index.rules(index.symbol(target).0).and_then(|rules| rules.constructor);
    for (name, theirs) in own_methods(index, target) {
        // A constructor is its class's own and fulfils nothing.
        if constructor == Some(index.names.text(name)) {
            continue;
        }
        for mine in index.members.get(&(of, name)).into_iter().flatten() {
            if let Member::Symbol(mine) = mine
                && *mine != theirs
            {
                let line = index.symbol(*mine).1.name_line;
                links.push(Link { from: End::Symbol(mine.0), relation: Relation::Implements, line, to: theirs.0, confidence });
            }
        }
    }
}

/// The methods that a type itself declares, by name.
fn own_methods(index: &Index<'_>, of: Sym) -> Vec<(Name, Sym)> {
    let (file, _) = index.symbol(of);
    let facts = index.facts(file);
    let first = index.first_symbol[file.0 as usize];
    let own = facts
        .symbols
        .iter()
        .enumerate()
        .filter(|(place, symbol)| symbol.kind == SymbolKind::Method && index.member_of[first as usize + place] == Some(of));
    own.map(|(place, symbol)| (index.name(file, symbol.name), Sym(first + place as u32))).collect()
}

/// Types that have all methods of an interface, in languages where that is enough.
fn add_structural(index: &Index<'_>, links: &mut Vec<Link>) {
    // Types by the names of the methods declared on them.
    let mut types_with: FxHashMap<Name, Vec<Sym>> = FxHashMap::default();
    let mut interfaces: Vec<Sym> = Vec::new();
    let embedders = embedders(index);
    for number in 0..index.files.len() {
        let file = FileId(number as u32);
        if !index.rules(file).is_some_and(|rules| rules.structural) {
            continue;
        }
        for (place, symbol) in index.facts(file).symbols.iter().enumerate() {
            let sym = Sym(index.first_symbol[number] + place as u32);
            if symbol.kind == SymbolKind::Interface {
                interfaces.push(sym);
            }
            if symbol.kind == SymbolKind::Method
                && matches!(symbol.container, Container::Owner(_))
                && let Some(of) = index.member_of[sym.0 as usize]
            {
                let with = types_with.entry(index.name(file, symbol.name)).or_default();
                with.push(of);
                with.extend(embedders.get(&of).into_iter().flatten());
            }
        }
    }
    for interface in interfaces {
        let Some((methods, foreign)) = all_methods(index, interface) else { continue };
        if methods.is_empty() || methods.len() > MAX_METHODS {
            continue;
        }
        let Some((rarest, _)) = methods.iter().min_by_key(|(name, _)| types_with.get(name).map_or(0, Vec::len)) else { continue };
        let mut candidates = types_with.get(rarest).cloned().unwrap_or_default();
        candidates.sort_unstable();
        candidates.dedup();
        for of in candidates {
            let fulfils = |(name, theirs): &(Name, Sym)| {
                let members = index.find_members(of, *name);
                let shapes = members.iter().filter_map(|member| match member {
                    Member::Symbol(mine) => Some(same_shape(index, *mine, *theirs)),
                    Member::Field(..) => None,
                });
                shapes.max().unwrap_or(Same::No)
            };
            let has = |name: &&str| index.names.find(name).is_some_and(|name| !index.find_members(of, name).is_empty());
            if !foreign.iter().all(has) {
                continue;
            }
            let all = methods.iter().map(fulfils).min().unwrap_or(Same::No);
            // One method is little evidence: both must be where one knows of the other.
            if all == Same::No || (methods.len() == 1 && !near(index, of, interface)) {
                continue;
            }
            let line = index.symbol(of).1.name_line;
            let is_proved = methods.len() > 1 && all == Same::Yes;
            let confidence = if is_proved { Confidence::Qualified } else { Confidence::Unique };
            links.push(Link { from: End::Symbol(of.0), relation: Relation::Implements, line, to: interface.0, confidence });
            for (name, theirs) in &methods {
                for mine in index.members.get(&(of, *name)).into_iter().flatten() {
                    if let Member::Symbol(mine) = mine {
                        let line = index.symbol(*mine).1.name_line;
                        links.push(Link {
                            from: End::Symbol(mine.0),
                            relation: Relation::Implements,
                            line,
                            to: theirs.0,
                            confidence,
                        });
                    }
                }
            }
        }
    }
}

/// The types that take over each type's methods by embedding it, through any number of steps.
fn embedders(index: &Index<'_>) -> FxHashMap<Sym, Vec<Sym>> {
    let mut found: FxHashMap<Sym, Vec<Sym>> = FxHashMap::default();
    for of in index.supers.keys() {
        let mut open = vec![*of];
        let mut seen = vec![*of];
        while let Some(sym) = open.pop() {
            for SuperOf { target, kind, .. } in index.supers.get(&sym).into_iter().flatten() {
                if *kind == SuperKind::Embeds && !seen.contains(target) {
                    seen.push(*target);
                    open.push(*target);
                    found.entry(*target).or_default().push(*of);
                }
            }
        }
    }
    found
}

/// Names of methods of interfaces from outside.
type ForeignMethods = Vec<&'static str>;

/// The methods of an interface and of those it takes over, and the names of methods of known ones from outside. None where one that it
/// takes over is not known.
fn all_methods(index: &Index<'_>, interface: Sym) -> Option<(Vec<(Name, Sym)>, ForeignMethods)> {
    let mut methods = Vec::new();
    let mut foreign = Vec::new();
    let mut open = vec![interface];
    let mut seen = vec![interface];
    while let Some(sym) = open.pop() {
        methods.extend(own_methods(index, sym));
        let (file, _) = index.symbol(sym);
        let place = SymbolId(sym.0 - index.first_symbol[file.0 as usize]);
        let facts = index.facts(file);
        let known = index.supers.get(&sym).map_or(&[][..], Vec::as_slice);
        for each in facts.supers.iter().filter(|each| each.container == Container::Symbol(place)) {
            let (Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name)) = facts.exprs[each.of.0 as usize] else {
                return None;
            };
            let name = facts.names.get(name);
            let is_ours = known.iter().any(|above| {
                let (file, symbol) = index.symbol(above.target);
                index.facts(file).names.get(symbol.name) == name
            });
            if !is_ours {
                let interfaces = index.rules(file)?.foreign_interfaces;
                foreign.extend(interfaces.iter().find(|(known, _)| *known == name)?.1);
            }
        }
        for SuperOf { target, .. } in known {
            if !seen.contains(target) {
                seen.push(*target);
                open.push(*target);
            }
        }
    }
    Some((methods, foreign))
}

/// Whether two types are in one package, or one's package imports the other's.
fn near(index: &Index<'_>, left: Sym, right: Sym) -> bool {
    let (left, right) = (index.symbol(left).0, index.symbol(right).0);
    let module = |file: FileId| index.file_module[file.0 as usize];
    let imports = |from: FileId, to: FileId| {
        let targets = index.import_targets[from.0 as usize].iter().flatten();
        targets.into_iter().any(|item| *item == super::Item::Module(module(to)))
    };
    module(left) == module(right) || imports(left, right) || imports(right, left)
}
