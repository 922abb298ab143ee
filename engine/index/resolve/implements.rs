//! Implementations: types of interfaces, and methods of the methods they fulfil.

use super::index::{Index, Member, SuperOf};
use super::lookup::MAX_SUPERS;
use super::overrides;
use super::shape::{Same, Steps, same_shape};
use super::vendored::Vendored;
use super::{End, FileId, Item, Link, ModuleId, Name, Relation, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, Owner, SuperKind, SymbolId, SymbolKind};
use activate_grammars::scope::ModuleModel;
use activate_rules::links::Confidence;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Interfaces of more methods than this are not matched by method set.
const MAX_METHODS: usize = 200;

/// What is looked up while implementations are found.
struct Tables<'i, 'a> {
    index: &'i Index<'a>,
    /// The methods that a type declares in its own file.
    methods: FxHashMap<Sym, Vec<(Name, Sym)>>,
    /// What is written as the supertypes of a type, by file and symbol.
    written: FxHashMap<(FileId, SymbolId), Vec<ExprId>>,
    /// The modules that each file imports.
    imported: FxHashSet<(FileId, ModuleId)>,
    vendored: Vendored<'i, 'a>,
}

/// Interfaces that are compared side by side before their steps are counted.
const INTERFACES_AT_ONCE: usize = 64;

/// What an interface may take of the steps that are left while others are compared beside it, one part in so many. One that needs more is
/// compared again by itself.
const PART_OF_STEPS: usize = 16;

/// Adds links from types to what they implement or extend, and from methods to the methods they fulfil. Says whether all were compared.
pub(super) fn add(index: &Index<'_>, links: &mut Vec<Link>) -> bool {
    let (tables, steps) = (Tables::new(index), Steps::default());
    for (of, supers) in index.supers.iter().collect::<BTreeMap<_, _>>() {
        for above in supers {
            let SuperOf { target, kind, .. } = above;
            links.push(declared(index, *of, above));
            let file = index.symbol_file[of.0 as usize];
            // A method of a trait beside one of a trait above is another one. Where methods are told apart by what they take, names alone say nothing.
            let is_of_trait =
                *kind == SuperKind::Extends && index.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Tree);
            if *kind != SuperKind::Embeds && !is_of_trait && !index.has_bare_members(file) {
                tables.add_methods(&steps, *of, *target, links);
            }
        }
    }
    tables.add_of_blocks(&steps, links);
    overrides::add(index, &steps, links);
    let structural = |file: FileId| index.rules(file).is_some_and(|rules| rules.structural);
    if (0..index.files.len() as u32).any(|file| structural(FileId(file))) {
        tables.add_structural(&steps, links);
    }
    !steps.are_spent()
}

/// The link from a type to one that it is declared to take over or to fulfil.
pub(super) fn declared(index: &Index<'_>, of: Sym, above: &SuperOf) -> Link {
    // A block may stand in another file than its type, whose lines are meant.
    let is_here = index.symbol_file[of.0 as usize] == above.file;
    let line = if is_here { index.written(above).line } else { index.symbol(of).1.name_line };
    Link { from: End::Symbol(of.0), relation: relation(above.kind), line, to: above.target.0, confidence: Confidence::Exact }
}

/// What a type is to its supertypes.
fn relation(kind: SuperKind) -> Relation {
    match kind {
        SuperKind::Implements => Relation::Implements,
        SuperKind::Extends | SuperKind::Embeds => Relation::Extends,
    }
}

impl<'i, 'a> Tables<'i, 'a> {
    fn new(index: &'i Index<'a>) -> Self {
        let mut methods: FxHashMap<Sym, Vec<(Name, Sym)>> = FxHashMap::default();
        let mut written: FxHashMap<(FileId, SymbolId), Vec<ExprId>> = FxHashMap::default();
        let mut imported = FxHashSet::default();
        for number in 0..index.files.len() {
            let file = FileId(number as u32);
            let facts = index.facts(file);
            for (place, symbol) in facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.kind == SymbolKind::Method) {
                let sym = Sym(index.first_symbol[number] + place as u32);
                if let Some(of) = index.member_of[sym.0 as usize].filter(|of| index.symbol(*of).0 == file) {
                    methods.entry(of).or_default().push((index.name(file, symbol.name), sym));
                }
            }
            for each in &facts.supers {
                if let Container::Symbol(of) = each.container {
                    written.entry((file, of)).or_default().push(each.of);
                }
            }
            imported.extend(index.import_targets[number].iter().flatten().filter_map(|item| match item {
                Item::Module(module) => Some((file, *module)),
                Item::Symbol(_) | Item::Foreign => None,
            }));
        }
        Self { index, methods, written, imported, vendored: Vendored::new(index) }
    }

    /// The methods that a type itself declares, by name.
    fn own_methods(&self, of: Sym) -> &[(Name, Sym)] {
        self.methods.get(&of).map_or(&[], Vec::as_slice)
    }

    /// Methods of `of` that fulfil methods of `target`.
    fn add_methods(&self, steps: &Steps, of: Sym, target: Sym, links: &mut Vec<Link>) {
        let index = self.index;
        let constructor = index.rules(index.symbol(target).0).and_then(|rules| rules.constructor);
        for (name, theirs) in self.own_methods(target) {
            if !steps.take() {
                return;
            }
            // A constructor is its class's own and fulfils nothing.
            if constructor != Some(index.names.text(*name)) {
                self.link_methods(of, (*name, *theirs), Confidence::Exact, links);
            }
        }
    }

    /// Methods of blocks that implement an interface of the repository for a type that is none of it, or for many types.
    fn add_of_blocks(&self, steps: &Steps, links: &mut Vec<Link>) {
        let index = self.index;
        for number in 0..index.files.len() {
            let file = FileId(number as u32);
            let facts = index.facts(file);
            let interface = |owner: &Owner| {
                let here = index.module_of(file, owner.container);
                (owner.implements != ExprId::UNKNOWN).then(|| index.type_symbol(file, here, owner.implements)).flatten()
            };
            let interfaces: Vec<Option<Sym>> = facts.owners.iter().map(interface).collect();
            for (place, symbol) in facts.symbols.iter().enumerate() {
                let mine = Sym(index.first_symbol[number] + place as u32);
                let (Container::Owner(at), SymbolKind::Method, None) =
                    (symbol.container, symbol.kind, index.member_of[mine.0 as usize])
                else {
                    continue;
                };
                let Some(interface) = interfaces.get(at as usize).copied().flatten() else { continue };
                let name = index.name(file, symbol.name);
                for (_, theirs) in self.own_methods(interface).iter().filter(|(other, _)| *other == name) {
                    if !steps.take() {
                        return;
                    }
                    links.push(Link {
                        from: End::Symbol(mine.0),
                        relation: Relation::Implements,
                        line: symbol.name_line,
                        to: theirs.0,
                        confidence: Confidence::Exact,
                    });
                }
            }
        }
    }

    fn link_methods(&self, of: Sym, (name, theirs): (Name, Sym), confidence: Confidence, links: &mut Vec<Link>) {
        for mine in self.index.members.get(&(of, name)).into_iter().flatten() {
            if let Member::Symbol(mine) = mine
                && *mine != theirs
            {
                let line = self.index.symbol(*mine).1.name_line;
                links.push(Link { from: End::Symbol(mine.0), relation: Relation::Implements, line, to: theirs.0, confidence });
            }
        }
    }

    /// Types that have all methods of an interface, in languages where that is enough.
    fn add_structural(&self, steps: &Steps, links: &mut Vec<Link>) {
        let index = self.index;
        // By the name of a method the types that it is declared on, and how many types have it that way or by embedding one of them.
        let mut types_with: FxHashMap<Name, (Vec<Sym>, usize)> = FxHashMap::default();
        let mut interfaces: Vec<Sym> = Vec::new();
        let embedders = embedders(index);
        let embedders = |of: &Sym| embedders.get(of).map_or(&[][..], Vec::as_slice);
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
                    let (types, n_types) = types_with.entry(index.name(file, symbol.name)).or_default();
                    types.push(of);
                    *n_types += 1 + embedders(&of).len();
                }
            }
        }
        let candidates = |methods: &[(Name, Sym)]| {
            let n_types = |name: &Name| types_with.get(name).map_or(0, |(_, n_types)| *n_types);
            let (rarest, _) = methods.iter().min_by_key(|(name, _)| n_types(name))?;
            let (declaring, _) = types_with.get(rarest)?;
            let mut candidates: Vec<Sym> = declaring.iter().flat_map(|of| embedders(of).iter().chain([of])).copied().collect();
            candidates.sort_unstable();
            candidates.dedup();
            Some(candidates)
        };
        let of_interface = |interface: Sym, steps: &Steps| {
            let found = self.all_methods(interface).and_then(|all| Some((candidates(&all.0)?, all)));
            found.map_or_else(Vec::new, |(candidates, (methods, foreign))| {
                self.fulfilling(steps, interface, &methods, &foreign, candidates)
            })
        };
        for part in interfaces.chunks(INTERFACES_AT_ONCE) {
            let most = steps.left() / PART_OF_STEPS;
            let beside = |interface: &Sym| {
                let own = Steps::of(most);
                let links = of_interface(*interface, &own);
                (links, most - own.left())
            };
            let found: Vec<(Vec<Link>, usize)> = part.par_iter().map(beside).collect();
            for (interface, (found, n_steps)) in part.iter().zip(found) {
                if steps.are_spent() {
                    return;
                }
                if n_steps < most && n_steps < steps.left() {
                    steps.take_many(n_steps);
                    links.extend(found);
                } else {
                    links.extend(of_interface(*interface, steps));
                }
            }
        }
    }

    /// The links of types that have all methods of an interface, from those among which they are looked for.
    fn fulfilling(
        &self,
        steps: &Steps,
        interface: Sym,
        methods: &[(Name, Sym)],
        foreign: &[&str],
        candidates: Vec<Sym>,
    ) -> Vec<Link> {
        let index = self.index;
        let mut links = Vec::new();
        for of in candidates {
            let has = |name: &&str| index.names.find(name).is_some_and(|name| !index.find_members(of, name).is_empty());
            if !steps.take() || !foreign.iter().all(has) {
                continue;
            }
            let all = self.fulfils(steps, of, methods);
            // One method is little evidence: both must be where one knows of the other.
            if all == Same::No || (methods.len() == 1 && !self.near(of, interface)) {
                continue;
            }
            let line = index.symbol(of).1.name_line;
            let is_proved = methods.len() > 1 && all == Same::Yes;
            let confidence = if is_proved { Confidence::Qualified } else { Confidence::Unique };
            links.push(Link { from: End::Symbol(of.0), relation: Relation::Implements, line, to: interface.0, confidence });
            for method in methods {
                self.link_methods(of, *method, confidence, &mut links);
            }
        }
        links
    }

    /// Whether a type has all of an interface's methods.
    fn fulfils(&self, steps: &Steps, of: Sym, methods: &[(Name, Sym)]) -> Same {
        let mut all = Same::Yes;
        for (name, theirs) in methods {
            let members = self.index.find_members(of, *name);
            let shapes = members.iter().filter_map(|member| match member {
                Member::Symbol(mine) => Some(same_shape(self.index, steps, *mine, *theirs)),
                Member::Field(..) => None,
            });
            all = all.min(shapes.max().unwrap_or(Same::No));
            if all == Same::No {
                break;
            }
        }
        all
    }

    /// Whether two types are in one package, or one's package imports the other's.
    fn near(&self, left: Sym, right: Sym) -> bool {
        let (left, right) = (self.index.symbol(left).0, self.index.symbol(right).0);
        let module = |file: FileId| self.index.file_module[file.0 as usize];
        let imports = |from: FileId, to: FileId| self.imported.contains(&(from, module(to)));
        module(left) == module(right) || imports(left, right) || imports(right, left)
    }
}

/// The types that take over each type's methods by embedding it, through any number of steps, as far as members are looked for.
fn embedders(index: &Index<'_>) -> FxHashMap<Sym, Vec<Sym>> {
    let mut found: FxHashMap<Sym, Vec<Sym>> = FxHashMap::default();
    for of in index.supers.keys() {
        let mut seen = vec![*of];
        let mut at = 0;
        while let Some(sym) = seen.get(at).copied() {
            at += 1;
            for SuperOf { target, kind, .. } in index.supers.get(&sym).into_iter().flatten() {
                if seen.len() > MAX_SUPERS {
                    break;
                }
                if *kind == SuperKind::Embeds && !seen.contains(target) {
                    seen.push(*target);
                    found.entry(*target).or_default().push(*of);
                }
            }
        }
    }
    found
}

/// Names of methods of interfaces from outside.
type ForeignMethods<'a> = Vec<&'a str>;

impl<'a> Tables<'_, 'a> {
    /// The methods of an interface and of those it takes over, and the names of methods of known ones from outside. None where one that it
    /// takes over is not known, and where there are too many to be matched.
    fn all_methods(&self, interface: Sym) -> Option<(Vec<(Name, Sym)>, ForeignMethods<'a>)> {
        let index = self.index;
        let mut methods = Vec::new();
        let mut foreign = Vec::new();
        let mut seen = vec![interface];
        let mut at = 0;
        while let Some(sym) = seen.get(at).copied() {
            at += 1;
            let (file, _) = index.symbol(sym);
            let place = SymbolId(sym.0 - index.first_symbol[file.0 as usize]);
            let facts = index.facts(file);
            let own = self.own_methods(sym);
            let known = index.supers.get(&sym).map_or(&[][..], Vec::as_slice);
            let written = self.written.get(&(file, place)).map_or(&[][..], Vec::as_slice);
            if methods.len() + own.len() > MAX_METHODS || written.len() > MAX_SUPERS {
                return None;
            }
            methods.extend(own);
            for of in written {
                let (Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name)) = facts.exprs[of.0 as usize] else {
                    return None;
                };
                let name = facts.names.get(name);
                let is_ours = known.iter().any(|above| {
                    let (file, symbol) = index.symbol(above.target);
                    index.facts(file).names.get(symbol.name) == name
                });
                if is_ours {
                    continue;
                }
                if let Some(methods) = self.vendored.methods(file, *of) {
                    foreign.extend(methods);
                } else {
                    let interfaces = index.rules(file)?.foreign_interfaces;
                    foreign.extend(interfaces.iter().find(|(known, _)| *known == name)?.1);
                }
            }
            for SuperOf { target, .. } in known {
                if !seen.contains(target) {
                    seen.push(*target);
                }
            }
            if seen.len() > MAX_SUPERS {
                return None;
            }
        }
        Some((methods, foreign))
    }
}
