//! What runners call around tests: the methods of their class, and of those above it, that set up and take down, and fixtures that nobody asks for.

use super::given::holders;
use super::index::{Index, Member};
use super::{End, FileId, Link, Name, Relation, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, FileFacts, Site, SymbolKind, Traits};
use activate_rules::links::Confidence;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::OnceLock;

/// The most classes around one.
const MAX_LEVELS: usize = 16;

/// The most methods that are called around one test, and of one class or file that are looked at.
const MAX_METHODS: usize = 64;

/// How deep the name of a base class is looked for in what says it.
const MAX_DEPTH: usize = 4;

/// What runners may call around tests, by file: found when the file is first asked about.
#[derive(Debug, Default)]
pub(super) struct Lifecycles(OnceLock<Vec<OnceLock<OfFile>>>);

/// What runners may call around tests, of one file.
#[derive(Debug)]
struct OfFile {
    /// In order: the class that each belongs to, if any; whether it is a fixture; the function.
    functions: Box<[(Option<Sym>, bool, Sym)]>,
    /// The classes that say to be cases of tests.
    cases: FxHashSet<Sym>,
}

/// What is called around the tests of a file that is being resolved, by their class.
pub(super) type Around = FxHashMap<Option<Sym>, Rc<[Sym]>>;

/// The links of a test to what is called around it.
pub(super) fn links(index: &Index<'_>, around: &mut Around, file: FileId, site: &Site) -> Vec<Link> {
    let Some(test) = site.from.map(|id| Sym(index.first_symbol[file.0 as usize] + id.0)) else { return Vec::new() };
    let Expr::This(container) = index.facts(file).exprs[site.expr.0 as usize] else { return Vec::new() };
    let class = index.container_type(file, container);
    let called = around.entry(class).or_insert_with(|| of_tests(index, file, class));
    let called = called.iter().filter(|sym| **sym != test).take(MAX_METHODS);
    let (from, relation, line) = (End::Symbol(test.0), Relation::Calls, site.line);
    called.map(|sym| Link { from, relation, line, to: sym.0, confidence: Confidence::Exact }).collect()
}

/// What is called around the tests of a class, or around those of a file that stand in none.
fn of_tests(index: &Index<'_>, file: FileId, class: Option<Sym>) -> Rc<[Sym]> {
    let mut called = of_modules(index, file, class.is_none());
    let mut level = class;
    for _ in 0..MAX_LEVELS {
        let Some(of) = level else { break };
        called.extend(of_class(index, of));
        // A class within another has what that sets up only where it says so.
        level = index.member_of[of.0 as usize].filter(|_| index.symbol(of).1.traits.has(Traits::LIFECYCLE));
    }
    called.into_iter().collect()
}

/// The methods that are called around the tests of a class: the nearest of each name, for what stands in its place is called instead.
fn of_class(index: &Index<'_>, class: Sym) -> Vec<Sym> {
    let above = index.with_supers(class);
    let of_cases = index.rules(index.symbol(class).0).map_or(&[][..], |rules| rules.around.methods_of_cases);
    let is_case = of_cases.is_empty() || above.iter().any(|of| lifecycles(index, index.symbol(*of).0).cases.contains(of));
    let mut names: BTreeSet<Name> = BTreeSet::new();
    for of in above {
        let file = index.symbol(of).0;
        let methods = lifecycles(index, file).of(Some(of), None).take(MAX_METHODS);
        let methods = methods.map(|sym| index.name(file, index.symbol(sym).1.name));
        names.extend(methods.filter(|name| is_case || !of_cases.contains(&index.names.text(*name))));
    }
    let members = names.into_iter().flat_map(|name| index.find_members(class, name));
    members.filter_map(|member| if let Member::Symbol(sym) = member { Some(sym) } else { None }).collect()
}

/// The functions and fixtures of a file, and of those that hold fixtures for it, that are called around all of its tests, or around those outside of
/// classes.
fn of_modules(index: &Index<'_>, file: FileId, is_outside: bool) -> BTreeSet<Sym> {
    let Some((holder, rules)) = index.rules(file).and_then(|rules| Some((rules.given_in?, rules))) else {
        return BTreeSet::new();
    };
    let facts = index.facts(file);
    let of_functions = rules.around.functions_of_functions;
    let is_called = |sym: &Sym| is_outside || !of_functions.contains(&facts.names.get(index.symbol(*sym).1.name));
    let own = lifecycles(index, file).of(None, None).filter(is_called).take(MAX_METHODS);
    let above = holders(index, file, holder).flat_map(|above| lifecycles(index, above).of(None, Some(true)).take(MAX_METHODS));
    own.chain(above).collect()
}

impl OfFile {
    /// The functions of a class, or of the file itself; all of them, or the fixtures or others alone.
    fn of(&self, class: Option<Sym>, is_fixture: Option<bool>) -> impl Iterator<Item = Sym> {
        let first = self.functions.partition_point(|(of, ..)| *of < class);
        let of_class = self.functions[first..].iter().take_while(move |(of, ..)| *of == class);
        let first = of_class.skip_while(move |(_, fixture, _)| is_fixture.is_some_and(|is_fixture| is_fixture != *fixture));
        first.take_while(move |(_, fixture, _)| is_fixture.is_none_or(|is_fixture| is_fixture == *fixture)).map(|(.., sym)| *sym)
    }
}

/// What runners may call around tests, of a file.
fn lifecycles<'i>(index: &'i Index<'_>, file: FileId) -> &'i OfFile {
    // Whoever asks has asked for the facts, though they are looked through once.
    let facts = index.facts(file);
    let files = index.lifecycles.0.get_or_init(|| index.files.iter().map(|_| OnceLock::new()).collect());
    files[file.0 as usize].get_or_init(|| find(index, file, facts))
}

fn find(index: &Index<'_>, file: FileId, facts: &FileFacts) -> OfFile {
    #[cfg(test)]
    work::add(facts.symbols.len());
    let first = index.first_symbol[file.0 as usize];
    let symbols = facts.symbols.iter().zip(first..).map(|(symbol, number)| (Sym(number), symbol));
    let found = symbols.filter_map(|(sym, symbol)| {
        let is_function = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
        let class = index.member_of[sym.0 as usize];
        let is_called = is_function && symbol.traits.has(Traits::LIFECYCLE);
        let is_placed = class.is_some() || symbol.container == Container::File;
        (is_called && is_placed).then(|| (class, symbol.traits.has(Traits::FIXTURE), sym))
    });
    let mut functions: Box<[_]> = found.collect();
    functions.sort_unstable();
    let case = index.rules(file).and_then(|rules| rules.around.case);
    let says_case = |each: &&activate_grammars::facts::Super| case.is_some_and(|case| says(facts, each.of, case, 0));
    let cases = facts.supers.iter().filter(says_case).filter_map(|each| index.container_type(file, each.container)).collect();
    OfFile { functions, cases }
}

/// Whether what stands for a base class has a word in one of its names.
fn says(facts: &FileFacts, of: ExprId, word: &str, depth: usize) -> bool {
    let parts = |parts: &[ExprId]| depth < MAX_DEPTH && parts.iter().any(|part| says(facts, *part, word, depth + 1));
    match facts.exprs[of.0 as usize] {
        Expr::Name(name) | Expr::Member(_, name) if facts.names.get(name).contains(word) => true,
        Expr::Member(base, _) | Expr::Apply(base, _) => parts(&[base]),
        Expr::Call(callee, first) => parts(&[callee, first]),
        _ => false,
    }
}
