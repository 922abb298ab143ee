//! Whether two methods take and give the same types, as far as they are written.
//!
//! Types are compared by what they name, not by how it is written: packages have types of one name.

use super::index::{Def, Index};
use super::{FileId, Item, Sym};
use activate_grammars::facts::{Expr, ExprId, ListId, SymbolKind};
use std::cell::Cell;

/// Deepest type expression that two methods are compared by, aliases counted.
const MAX_DEPTH: usize = 16;

/// Whether two types are the same, the surest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Same {
    No,
    /// Nothing speaks against it.
    Unknown,
    Yes,
}

impl Same {
    /// Whether all of several are the same: looks no further than the first that is not.
    pub(super) fn all(each: impl IntoIterator<Item = Self>) -> Self {
        let mut least = Self::Yes;
        for one in each {
            least = least.min(one);
            if least == Self::No {
                break;
            }
        }
        least
    }
}

/// A type expression and the file it stands in.
type Written = (FileId, ExprId);

/// The most steps of comparing types and methods with one another in a repository: types times interfaces, and types written by means of
/// types, make any number out of a small source.
const MAX_STEPS: usize = 4_000_000;

/// How many steps are left.
#[derive(Debug)]
pub(super) struct Steps(Cell<usize>);

impl Default for Steps {
    fn default() -> Self {
        Self(Cell::new(MAX_STEPS))
    }
}

impl Steps {
    /// So many steps.
    pub(super) fn of(n_steps: usize) -> Self {
        Self(Cell::new(n_steps))
    }

    /// How many are left.
    pub(super) fn left(&self) -> usize {
        self.0.get()
    }

    /// Takes several steps, as far as they are left.
    pub(super) fn take_many(&self, n_steps: usize) {
        self.0.set(self.0.get().saturating_sub(n_steps));
    }

    /// Takes a step, if one is left.
    pub(super) fn take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether none is left, so that what was found may be a part.
    pub(super) fn are_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// Whether two methods take and give the same types. Nothing is the same once the steps are spent.
pub(super) fn same_shape(index: &Index<'_>, steps: &Steps, mine: Sym, theirs: Sym) -> Same {
    let ((left, mine), (right, theirs)) = (index.symbol(mine), index.symbol(theirs));
    let parameters = same_lists(index, steps, (left, mine.parameters), (right, theirs.parameters), MAX_DEPTH);
    if parameters == Same::No {
        return Same::No;
    }
    parameters.min(same_type(index, steps, (left, mine.declared), (right, theirs.declared), MAX_DEPTH))
}

/// Whether two methods take the same types, type arguments left out: what a compiler asks where methods of one name are told apart by them.
pub(super) fn same_parameters(index: &Index<'_>, steps: &Steps, mine: Sym, theirs: Sym) -> Same {
    let ((left, mine), (right, theirs)) = (index.symbol(mine), index.symbol(theirs));
    let of = |(file, list): (FileId, ListId)| {
        let members = &index.facts(file).lists[list.start as usize..(list.start + list.len) as usize];
        members.iter().map(move |expr| erased(index, (file, *expr)))
    };
    if mine.parameters.len != theirs.parameters.len {
        return Same::No;
    }
    let pairs = of((left, mine.parameters)).zip(of((right, theirs.parameters)));
    // What a type parameter stands for is no type of the language.
    let is_apart = |one: Written, other: Written| {
        let expr = |(file, expr): Written| index.facts(file).exprs[expr.0 as usize];
        matches!((expr(one), expr(other)), (Expr::Literal(_), Expr::Local(_)) | (Expr::Local(_), Expr::Literal(_)))
    };
    Same::all(pairs.map(|(mine, theirs)| {
        if is_apart(mine, theirs) || are_of_other_packages(index, mine, theirs) {
            Same::No
        } else {
            same_type(index, steps, mine, theirs, MAX_DEPTH)
        }
    }))
}

/// Whether two methods take types from outside that have one name in several packages, at the same place.
pub(super) fn take_of_other_packages(index: &Index<'_>, mine: Sym, theirs: Sym) -> bool {
    let of = |sym: Sym| {
        let (file, symbol) = index.symbol(sym);
        let list = symbol.parameters;
        let members = &index.facts(file).lists[list.start as usize..(list.start + list.len) as usize];
        members.iter().map(move |expr| erased(index, (file, *expr)))
    };
    of(mine).zip(of(theirs)).any(|(mine, theirs)| are_of_other_packages(index, mine, theirs))
}

/// Whether two types, or those that they are many of, are from outside and known to be of several packages.
fn are_of_other_packages(index: &Index<'_>, mine: Written, theirs: Written) -> bool {
    let path = |(file, expr): Written| {
        let facts = index.facts(file);
        let mut at = expr;
        for _ in 0..MAX_DEPTH {
            match facts.exprs[at.0 as usize] {
                Expr::Apply(inner, _) | Expr::Many(inner) | Expr::Rest(inner) => at = inner,
                _ => break,
            }
        }
        path_outside(index, (file, at))
    };
    path(mine).is_some_and(|mine| path(theirs).is_some_and(|theirs| mine != theirs))
}

/// The packages and names that lead to a type from outside, as it is written or imported.
fn path_outside<'a>(index: &Index<'a>, (file, expr): Written) -> Option<Vec<&'a str>> {
    let here = index.file_scope[file.0 as usize];
    if !index.has_packages(file) || index.path_of(file, here, expr, 0) != [Item::Foreign] {
        return None;
    }
    let facts = index.facts(file);
    let mut behind = Vec::new();
    let mut at = expr;
    let first = loop {
        match facts.exprs[at.0 as usize] {
            Expr::Member(base, name) | Expr::Scoped(base, name) if behind.len() < MAX_DEPTH => {
                behind.push(facts.names.get(name));
                at = base;
            }
            Expr::Name(name) => break name,
            _ => return None,
        }
    };
    let imported = index.definitions(here, index.name(file, first)).iter().find_map(|def| match def {
        Def::Import(of, place) => Some((index.facts(*of), &index.facts(*of).imports[*place as usize])),
        _ => None,
    });
    let mut path: Vec<&str> = match imported {
        Some((facts, import)) => import.path.iter().map(|name| facts.names.get(*name)).collect(),
        // What no import names is of the language or of a package of which all is imported.
        None if facts.names.get(first).starts_with(char::is_uppercase) => return None,
        None => vec![facts.names.get(first)],
    };
    path.extend(behind.into_iter().rev());
    Some(path)
}

/// A type without its arguments, and many of a type for those that take the rest.
fn erased(index: &Index<'_>, (file, expr): Written) -> Written {
    let facts = index.facts(file);
    let mut at = expr;
    for _ in 0..MAX_DEPTH {
        match facts.exprs[at.0 as usize] {
            Expr::Apply(base, _) => at = base,
            Expr::Rest(many) if matches!(facts.exprs[many.0 as usize], Expr::Many(_)) => at = many,
            _ => break,
        }
    }
    (file, at)
}

fn same_lists(index: &Index<'_>, steps: &Steps, left: (FileId, ListId), right: (FileId, ListId), depth: usize) -> Same {
    let of = |(file, list): (FileId, ListId)| {
        index.facts(file).lists[list.start as usize..(list.start + list.len) as usize].iter().map(move |expr| (file, *expr))
    };
    if left.1.len != right.1.len {
        return Same::No;
    }
    Same::all(of(left).zip(of(right)).map(|(mine, theirs)| same_type(index, steps, mine, theirs, depth)))
}

fn same_type(index: &Index<'_>, steps: &Steps, left: Written, right: Written, depth: usize) -> Same {
    if !steps.take() {
        return Same::No;
    }
    let Some(depth) = depth.checked_sub(1) else { return Same::Unknown };
    let expr = |(file, expr): Written| index.facts(file).exprs[expr.0 as usize];
    let both = |of: ExprId, other: ExprId| same_type(index, steps, (left.0, of), (right.0, other), depth);
    let lists = |list: ListId, other: ListId| same_lists(index, steps, (left.0, list), (right.0, other), depth);
    match (expr(left), expr(right)) {
        (Expr::Pointer(of), Expr::Pointer(other)) | (Expr::Many(of), Expr::Many(other)) | (Expr::Rest(of), Expr::Rest(other)) => {
            both(of, other)
        }
        (Expr::Map(key, of), Expr::Map(other_key, other)) => both(key, other_key).min(both(of, other)),
        (Expr::Tuple(list), Expr::Tuple(other)) => lists(list, other),
        (Expr::Function(list, of), Expr::Function(other_list, other)) => lists(list, other_list).min(both(of, other)),
        (Expr::Apply(of, list), Expr::Apply(other, other_list)) => both(of, other).min(lists(list, other_list)),
        // What is described in place has the same parts, if it has the same form.
        (Expr::Anonymous, Expr::Anonymous) => Same::Yes,
        (Expr::Unknown, Expr::Unknown) if left.1 == ExprId::UNKNOWN && right.1 == ExprId::UNKNOWN => Same::Yes,
        // Nothing against one value.
        (Expr::Unknown, _) | (_, Expr::Unknown) if left.1 == ExprId::UNKNOWN || right.1 == ExprId::UNKNOWN => Same::No,
        (one, other) if is_named(one) || is_named(other) => same_named(index, steps, left, right, depth),
        (one, other) if is_composed(one) && is_composed(other) => Same::No,
        _ => Same::Unknown,
    }
}

fn is_named(expr: Expr) -> bool {
    matches!(expr, Expr::Name(_) | Expr::Member(..) | Expr::Scoped(..) | Expr::Literal(_))
}

fn is_composed(expr: Expr) -> bool {
    matches!(expr, Expr::Pointer(_) | Expr::Many(_) | Expr::Map(..) | Expr::Tuple(_) | Expr::Function(..) | Expr::Apply(..))
}

/// A type, one of the two at least named.
fn same_named(index: &Index<'_>, steps: &Steps, left: Written, right: Written, depth: usize) -> Same {
    let (one, other) = (named(index, left), named(index, right));
    let target = |of: &Named<'_>| if let Named::Ours(sym) = of { alias_of(index, *sym) } else { None };
    match (&one, &other) {
        (Named::Ours(one), Named::Ours(other)) if one == other => return Same::Yes,
        (Named::Outside(one), Named::Outside(other)) if one == other => return Same::Yes,
        _ => {}
    }
    if let Some(target) = target(&one) {
        return same_type(index, steps, target, right, depth);
    }
    if let Some(target) = target(&other) {
        return same_type(index, steps, left, target, depth);
    }
    // What is outside can be another name for what is composed there, but hardly for a pointer or list.
    if one == Named::Unknown || other == Named::Unknown { Same::Unknown } else { Same::No }
}

/// What a type expression names.
#[derive(Debug, PartialEq, Eq)]
enum Named<'a> {
    Ours(Sym),
    /// The path that its package is imported by, and its name; no path for types of the language.
    Outside((&'a str, &'a str)),
    /// A type put together from others.
    Composed,
    Unknown,
}

fn named<'a>(index: &Index<'a>, (file, expr): Written) -> Named<'a> {
    let facts = index.facts(file);
    let made = facts.exprs[expr.0 as usize];
    if is_composed(made) {
        return Named::Composed;
    }
    let items = index.path_of(file, index.file_scope[file.0 as usize], expr, 0);
    let ours = items.iter().find_map(|item| if let Item::Symbol(sym) = item { Some(*sym) } else { None });
    match (ours, made) {
        (Some(sym), _) => Named::Ours(sym),
        (None, Expr::Name(name)) if items == [Item::Foreign] => Named::Outside(("", facts.names.get(name))),
        (None, Expr::Literal(name)) => Named::Outside(("", facts.names.get(name))),
        (None, Expr::Member(base, name) | Expr::Scoped(base, name)) if items == [Item::Foreign] => {
            let package = package_of(index, file, base);
            package.map_or(Named::Unknown, |package| Named::Outside((package, facts.names.get(name))))
        }
        _ => Named::Unknown,
    }
}

/// The path by which a file imports the package that it knows by a name.
fn package_of<'a>(index: &Index<'a>, file: FileId, base: ExprId) -> Option<&'a str> {
    let facts = index.facts(file);
    let Expr::Name(name) = facts.exprs[base.0 as usize] else { return None };
    let definitions = index.definitions(index.file_scope[file.0 as usize], index.name(file, name));
    definitions.iter().find_map(|def| match def {
        Def::Import(file, place) => {
            let facts = index.facts(*file);
            Some(facts.names.get(*facts.imports[*place as usize].path.first()?))
        }
        _ => None,
    })
}

/// What an alias stands for.
fn alias_of(index: &Index<'_>, sym: Sym) -> Option<Written> {
    let (file, symbol) = index.symbol(sym);
    (symbol.kind == SymbolKind::Alias && symbol.declared != ExprId::UNKNOWN).then_some((file, symbol.declared))
}
