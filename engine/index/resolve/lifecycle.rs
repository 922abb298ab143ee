//! What runners call around tests: the methods of their class, and of those above it, that set up and take down, and fixtures that nobody asks for.

use super::given::holders;
use super::index::{Index, Member};
use super::{End, FileId, Link, Name, Relation, Sym};
use activate_grammars::facts::{Container, Expr, Site, Symbol, SymbolKind, Traits};
use activate_rules::links::Confidence;
use std::collections::BTreeSet;

/// The most classes around one.
const MAX_LEVELS: usize = 16;

/// The most methods that are called around one test.
const MAX_METHODS: usize = 64;

/// The links of a test to what is called around it.
pub(super) fn links(index: &Index<'_>, file: FileId, site: &Site) -> Vec<Link> {
    let Some(test) = site.from.map(|id| Sym(index.first_symbol[file.0 as usize] + id.0)) else { return Vec::new() };
    let Expr::This(container) = index.facts(file).exprs[site.expr.0 as usize] else { return Vec::new() };
    let mut called: BTreeSet<Sym> = of_modules(index, file);
    let mut class = index.container_type(file, container);
    for _ in 0..MAX_LEVELS {
        let Some(of) = class else { break };
        called.extend(of_class(index, of));
        // A class within another has what that sets up only where it says so.
        class = index.member_of[of.0 as usize].filter(|_| index.symbol(of).1.traits.has(Traits::LIFECYCLE));
    }
    let called = called.into_iter().filter(|sym| *sym != test).take(MAX_METHODS);
    let (from, relation, line) = (End::Symbol(test.0), Relation::Calls, site.line);
    called.map(|sym| Link { from, relation, line, to: sym.0, confidence: Confidence::Exact }).collect()
}

/// The methods that are called around the tests of a class: the nearest of each name, for what stands in its place is called instead.
fn of_class(index: &Index<'_>, class: Sym) -> Vec<Sym> {
    let mut names: BTreeSet<Name> = BTreeSet::new();
    for above in index.with_supers(class) {
        let (file, _) = index.symbol(above);
        let is_own = |sym: Sym, _: &Symbol| index.member_of[sym.0 as usize] == Some(above);
        names.extend(lifecycles(index, file, &is_own).map(|(_, symbol)| index.name(file, symbol.name)));
    }
    let members = names.into_iter().flat_map(|name| index.find_members(class, name));
    members.filter_map(|member| if let Member::Symbol(sym) = member { Some(sym) } else { None }).collect()
}

/// The functions and fixtures of a file, and of those that hold fixtures for it, that are called around all of its tests.
fn of_modules(index: &Index<'_>, file: FileId) -> BTreeSet<Sym> {
    let Some(holder) = index.rules(file).and_then(|rules| rules.given_in) else { return BTreeSet::new() };
    let is_outermost = |_: Sym, symbol: &Symbol| symbol.container == Container::File;
    let is_fixture = |_: Sym, symbol: &Symbol| symbol.container == Container::File && symbol.traits.has(Traits::FIXTURE);
    let own: Vec<Sym> = lifecycles(index, file, &is_outermost).map(|(sym, _)| sym).collect();
    let above = holders(index, file, holder)
        .flat_map(|above| lifecycles(index, above, &is_fixture).map(|(sym, _)| sym).collect::<Vec<_>>());
    above.chain(own).collect()
}

/// The functions of a file that runners call around tests, as far as they are wanted.
fn lifecycles<'i>(
    index: &'i Index<'_>,
    file: FileId,
    is_wanted: &'i dyn Fn(Sym, &Symbol) -> bool,
) -> impl Iterator<Item = (Sym, &'i Symbol)> {
    let first = index.first_symbol[file.0 as usize];
    let symbols = index.facts(file).symbols.iter().zip(first..).map(|(symbol, number)| (Sym(number), symbol));
    symbols.filter(move |(sym, symbol)| {
        let is_function = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
        is_function && symbol.traits.has(Traits::LIFECYCLE) && is_wanted(*sym, symbol)
    })
}
