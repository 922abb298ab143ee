//! What calls mean in languages where definitions of one name are told apart by what they are given.

use super::alone::Alone;
use super::bare::Bare;
use super::index::{Index, Member, SuperOf};
use super::sites::{MAX_CANDIDATES, Meaning, ambiguous, missing_member};
use super::types::{Called, Place, Type, TypeId, Types};
use super::{End, FileId, Item, Link, ModuleId, Name, Relation, Sym};
use activate_grammars::facts::{Expr, ExprId, Site, SiteKind, SymbolId, SymbolKind, Traits};
use activate_grammars::scope::NAMED_AS_TYPE;
use activate_rules::links::Confidence;
use rustc_hash::FxHashSet;

/// What a site means, where such a language has an answer of its own.
pub(super) fn meaning(index: &Index<'_>, types: &mut Types<'_, '_>, alone: &Alone, place: Place, site: &Site) -> Option<Meaning> {
    if !index.rules(place.file).is_some_and(|rules| rules.overloads) {
        return None;
    }
    let facts = index.facts(place.file);
    let expr = facts.exprs[site.expr.0 as usize];
    match (site.kind, expr) {
        (SiteKind::Call, Expr::This(_)) => {
            let of = types.of_value(place, site.expr, 0);
            Some(made(index, types, place, site.expr, of))
        }
        (SiteKind::Call, Expr::Super(container)) => {
            let own = index.container_type(place.file, container)?;
            let Some(class) = class_above(index, own) else { return Some(Meaning::Foreign) };
            let of = types.add(Type::Named(class.target, Vec::new()));
            Some(made(index, types, place, site.expr, of))
        }
        (SiteKind::Call, Expr::Name(name) | Expr::Member(_, name)) => {
            let name = index.name(place.file, name);
            Some(called(index, types, alone, (place, name), site))
        }
        (SiteKind::New, Expr::ThisType(_)) => {
            let of = types.as_type(place, site.expr, 0);
            Some(made(index, types, place, site.expr, of))
        }
        (SiteKind::New, _) => match index.path_of(place.file, place.module, site.expr, 0).as_slice() {
            [Item::Symbol(sym)] => {
                let of = types.add(Type::Named(*sym, Vec::new()));
                Some(made(index, types, place, site.expr, of))
            }
            _ => None,
        },
        // Functions have names apart: what is no type and no field is of a type from outside.
        (SiteKind::Mention, Expr::Name(name) | Expr::Member(_, name)) => {
            let is_type = facts.names.get(name).starts_with(char::is_uppercase);
            let is_known = || !index.path_of(place.file, place.module, site.expr, 0).is_empty();
            (!is_type && !is_known()).then_some(Meaning::Foreign)
        }
        _ => None,
    }
}

/// An instance made: the constructor that is meant and the class, or the class alone where it writes none.
fn made(index: &Index<'_>, types: &mut Types<'_, '_>, place: Place, callee: ExprId, of: TypeId) -> Meaning {
    let of = types.settle(of, 0);
    let Type::Named(sym, _) = *types.get(of) else { return Meaning::Foreign };
    let constructors = index.constructors(sym);
    let chosen = types.choose(place, callee, of, &constructors, 0);
    let is_call = !matches!(index.facts(place.file).exprs[callee.0 as usize], Expr::Super(_) | Expr::This(_));
    let mut found = sure_or_several(chosen, Confidence::Exact);
    if is_call || found.is_empty() {
        found.push((sym, Confidence::Exact));
    }
    Meaning::Symbols(found)
}

/// What runs beside classes that a call makes instances of, where constructors have a name of their own: the nearest in the order of inheritance.
pub(super) fn constructors(
    index: &Index<'_>,
    file: FileId,
    site: &Site,
    symbols: &[(Sym, Confidence)],
) -> Vec<(Sym, Confidence)> {
    let name = index.rules(file).and_then(|rules| rules.constructor).and_then(|name| index.names.find(name));
    let Some(name) = name.filter(|_| matches!(site.kind, SiteKind::Call | SiteKind::New)) else { return Vec::new() };
    let of_class = |(class, sure): &(Sym, Confidence)| {
        let members = if index.symbol(*class).1.kind == SymbolKind::Type { index.find_members(*class, name) } else { Vec::new() };
        let methods = members.into_iter().filter_map(|member| if let Member::Symbol(sym) = member { Some(sym) } else { None });
        let mut found: Vec<Sym> = methods.filter(|sym| index.symbol(*sym).1.kind == SymbolKind::Method).collect();
        // Of what is declared several times the one with a body runs.
        let has_body = |sym: &Sym| !index.symbol(*sym).1.traits.has(Traits::BODILESS);
        if found.iter().any(has_body) {
            found.retain(has_body);
        }
        let is_own = found.iter().all(|sym| index.member_of[sym.0 as usize] == Some(*class));
        let sure = if is_own || !index.has_supers_outside(*class) { *sure } else { Confidence::Unique.max(*sure) };
        let sure = if found.len() > 1 { ambiguous(found.len()).max(sure) } else { sure };
        found.into_iter().take(MAX_CANDIDATES).map(move |sym| (sym, sure)).collect::<Vec<_>>()
    };
    symbols.iter().flat_map(of_class).collect()
}

/// The most classes above one that are passed for the next constructor.
const MAX_ABOVE: usize = 32;

/// Calls of constructors above that nobody writes: by constructors that begin with no other, and by classes that have none.
pub(super) fn unwritten(index: &Index<'_>, file: FileId) -> Vec<Link> {
    if index.rules(file).is_none_or(|rules| rules.constructor != Some(NAMED_AS_TYPE)) {
        return Vec::new();
    }
    let facts = index.facts(file);
    let own = |id: SymbolId| Sym(index.first_symbol[file.0 as usize] + id.0);
    let expr = |site: &Site| facts.exprs[site.expr.0 as usize];
    let others =
        facts.sites.iter().filter(|site| site.kind == SiteKind::Call && matches!(expr(site), Expr::This(_) | Expr::Super(_)));
    let with_other: FxHashSet<Sym> = others.filter_map(|site| site.from.map(own)).collect();
    // A class in place has its call where it stands.
    let made: FxHashSet<ExprId> = facts.sites.iter().filter(|site| site.kind == SiteKind::New).map(|site| site.expr).collect();
    let mut links = Vec::new();
    for (number, _) in facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.kind == SymbolKind::Type) {
        let class = own(SymbolId(number as u32));
        let Some(above) = class_above(index, class).filter(|above| !made.contains(&index.written(above).of)) else { continue };
        let line = std::iter::successors(Some(above.target), |above| class_above(index, *above).map(|above| above.target));
        let Some(all) = line.take(MAX_ABOVE).map(|of| index.constructors(of)).find(|all| !all.is_empty()) else { continue };
        let n_taken = |sym: &Sym| index.symbol(*sym).1.parameters.len;
        let Some(to) = all.iter().find(|sym| n_taken(sym) == 0).or(all.first().filter(|_| all.len() == 1)) else { continue };
        let written = index.constructors(class);
        let callers = if written.is_empty() { vec![class] } else { written };
        links.extend(callers.into_iter().filter(|from| !with_other.contains(from)).map(|from| {
            let (from, line) = (End::Symbol(from.0), index.symbol(from).1.name_line);
            Link { from, relation: Relation::Calls, line, to: to.0, confidence: Confidence::Exact }
        }));
    }
    links
}

/// The class above another: interfaces make no instances.
fn class_above<'i>(index: &'i Index<'_>, class: Sym) -> Option<&'i SuperOf> {
    let mut above = index.supers.get(&class).into_iter().flatten();
    above.find(|above| index.glance(above.target).1.kind == SymbolKind::Type)
}

/// One definition as sure as it is, or a guess at each of a few.
fn sure_or_several(found: Vec<Sym>, sure: Confidence) -> Vec<(Sym, Confidence)> {
    let confidence = match found.len() {
        0 | 1 => sure,
        n if n <= MAX_CANDIDATES => ambiguous(n),
        _ => return Vec::new(),
    };
    found.into_iter().map(|sym| (sym, confidence)).collect()
}

fn called(index: &Index<'_>, types: &mut Types<'_, '_>, alone: &Alone, (place, name): (Place, Name), site: &Site) -> Meaning {
    let is_derived = index.rules(place.file).is_some_and(|rules| rules.derived_methods.contains(&index.names.text(name)));
    match types.called(place, site.expr, 0) {
        Some(Called::Methods(of, methods, sure)) => {
            let chosen = types.choose(place, site.expr, of, &methods, 0);
            let of = types.settle(of, 0);
            let sure =
                if chosen.iter().any(|sym| may_be_outside(index, types, of, *sym)) { sure.max(Confidence::Unique) } else { sure };
            let found = sure_or_several(chosen, sure);
            if !found.is_empty() {
                return Meaning::Symbols(found);
            }
            match *types.get(of) {
                _ if is_derived => Meaning::Foreign,
                Type::Named(sym, _) if index.has_supers_outside(sym) => Meaning::Outside,
                _ => Meaning::Unresolved,
            }
        }
        Some(Called::Missing(of)) => {
            let of = types.settle(of, 0);
            if is_derived {
                return Meaning::Foreign;
            }
            match *types.get(of) {
                Type::Named(sym, _) => {
                    if types.has_field(place, of, name) {
                        Meaning::Foreign
                    } else {
                        missing_member(index, Some(sym), name)
                    }
                }
                Type::Unknown if is_of_missing_type(index, place, site.expr) => Meaning::Unresolved,
                Type::Unknown if is_member(index, place.file, site.expr) => by_name(index, types, alone, (place, name), site),
                _ => Meaning::Unresolved,
            }
        }
        Some(Called::Outside(_)) if is_derived => Meaning::Foreign,
        Some(Called::Outside(_)) => Meaning::Outside,
        Some(Called::Foreign) => Meaning::Foreign,
        None => Meaning::Unresolved,
    }
}

/// Whether a class from outside may have a method that an interface of the repository promises: of a type that takes from both.
fn may_be_outside(index: &Index<'_>, types: &Types<'_, '_>, of: TypeId, sym: Sym) -> bool {
    let Type::Named(own, _) = *types.get(of) else { return false };
    let holder = index.member_of[sym.0 as usize].filter(|holder| *holder != own);
    holder.is_some_and(|holder| index.glance(holder).1.kind == SymbolKind::Interface) && index.has_supers_outside(own)
}

fn is_member(index: &Index<'_>, file: FileId, expr: ExprId) -> bool {
    matches!(index.facts(file).exprs[expr.0 as usize], Expr::Member(..))
}

/// How many names a value may have on the way to where its type is written.
const MAX_VALUES: usize = 8;

/// Whether the value in front of a member is of a type that is written, and that nothing known has the name of.
fn is_of_missing_type(index: &Index<'_>, place: Place, expr: ExprId) -> bool {
    let Expr::Member(base, _) = index.facts(place.file).exprs[expr.0 as usize] else { return false };
    let (mut at, mut file, mut is_type) = (base, place.file, false);
    for _ in 0..MAX_VALUES {
        let facts = index.facts(file);
        let here = if file == place.file { place.module } else { index.file_scope[file.0 as usize] };
        match facts.exprs[at.0 as usize] {
            Expr::Apply(base, _) if is_type => at = base,
            Expr::Instance(of) => (at, is_type) = (of, true),
            Expr::Local(id) => {
                let binding = facts.bindings[id.0 as usize];
                if is_type || binding.parameter.is_some() {
                    return false;
                }
                is_type = binding.declared != ExprId::UNKNOWN;
                at = if is_type { binding.declared } else { binding.value };
            }
            Expr::Name(name) => match index.bare_value(Bare { file, here, expr: at, name: index.name(file, name) }) {
                Some((_, _, Member::Field(of, field))) if !is_type => {
                    let field = index.facts(of).fields[field as usize];
                    is_type = field.declared != ExprId::UNKNOWN;
                    (at, file) = (if is_type { field.declared } else { field.value }, of);
                }
                _ => {
                    let is_type = is_type || facts.names.get(name).starts_with(char::is_uppercase);
                    return is_type && index.path_of(file, here, at, 0).is_empty();
                }
            },
            Expr::Member(_, name) | Expr::Scoped(_, name) => {
                let is_type = is_type || facts.names.get(name).starts_with(char::is_uppercase) && is_path(index, file, here, at);
                return is_type && index.path_of(file, here, at, 0).is_empty();
            }
            _ => return false,
        }
    }
    false
}

/// Whether members are taken of nothing that has a value: of packages and types.
fn is_path(index: &Index<'_>, file: FileId, here: ModuleId, expr: ExprId) -> bool {
    let mut at = expr;
    for _ in 0..MAX_VALUES {
        match index.facts(file).exprs[at.0 as usize] {
            Expr::Member(base, _) | Expr::Scoped(base, _) => at = base,
            Expr::Name(name) => {
                return index.bare_value(Bare { file, here, expr: at, name: index.name(file, name) }).is_none();
            }
            _ => return false,
        }
    }
    false
}

/// A method of a value of which nothing is known: those of its name that take what it is given.
fn by_name(index: &Index<'_>, types: &mut Types<'_, '_>, alone: &Alone, (place, name): (Place, Name), site: &Site) -> Meaning {
    let Meaning::Symbols(found) = alone.method(index, place.file, name, site) else { return Meaning::Unresolved };
    let symbols: Vec<Sym> = found.iter().map(|(sym, _)| *sym).collect();
    let chosen = types.choose(place, site.expr, TypeId::UNKNOWN, &symbols, 0);
    let least = found.iter().map(|(_, confidence)| *confidence).max().unwrap_or(Confidence::Unique);
    let sure = if symbols.len() == 1 { least } else { least.max(ambiguous(2)) };
    let found = sure_or_several(chosen, sure);
    if found.is_empty() { Meaning::Unresolved } else { Meaning::Symbols(found) }
}
