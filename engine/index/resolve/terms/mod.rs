//! What expressions mean outside of the repository, as terms over the names that others publish.
//!
//! An evaluator beside [`super::types`]: where that one says only that something comes from outside, this one says by which way. What belongs to the
//! repository it looks up as far as its declarations go, and what it does not know it leaves unknown. It must not be asked on the ordinary path.

mod bare;
mod builtin;
mod clauses;
mod extensions;
mod generic;
mod many;
mod members;
mod overrides;
mod paths;
mod store;
mod tried;
mod types;
mod uses;
mod values;
mod visible;

use super::index::{Index, Member};
use super::types::Place;
use super::{FileId, Name, Sym};
use crate::base::FactBase;
use crate::boundary::Boundary;
use activate_grammars::facts::{Container, ExprId, SymbolKind};
use activate_grammars::scope::ModuleModel;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use store::{Id, Store};

/// The deepest chain of declarations that is followed.
const MAX_DEPTH: usize = 48;

/// How many steps one file may take; beyond, what is not known yet stays unknown.
const MAX_STEPS: u64 = 2_000_000;

/// How many steps all that others can see may take, for each definition of the repository.
const MAX_STEPS_EACH: u64 = 2_000;

/// How an expression is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum As {
    /// As the item that it names.
    Item,
    /// The same, where members of it follow: a module before a function of the same name.
    Holder,
    /// As a value.
    Value,
    /// As a type, for a value of it.
    Type,
}

/// Evaluates expressions.
pub(crate) struct Terms<'i, 'a> {
    index: &'i Index<'a>,
    store: Store,
    /// What is known of the expressions of the file at hand, and of others that it led to.
    known: FxHashMap<(FileId, ExprId, As), (Id, bool)>,
    /// What definitions hold or give.
    of_symbols: Kept<Sym, Id>,
    of_imports: Kept<(FileId, u32), Id>,
    /// Imports that are being followed.
    following: FxHashSet<(FileId, u32)>,
    /// Where the supertypes of types are written, by file: places among those of the file.
    written_supers: FxHashMap<FileId, FxHashMap<Container, Vec<u32>>>,
    /// Blocks that write supertypes of a type, by type.
    blocks: FxHashMap<Sym, Vec<(FileId, u32)>>,
    /// Types that take over something from outside, by themselves or through others.
    outward: Kept<Sym, bool>,
    /// Traits that files import for their methods.
    extensions: FxHashMap<FileId, Rc<extensions::Extensions>>,
    /// What stands for parameters of types where nothing is given, by file: places of parameters, each with a type.
    defaults: FxHashMap<FileId, FxHashMap<Sym, Vec<(u32, ExprId)>>>,
    /// Packages of files that are called otherwise than their paths say.
    unnamed: FxHashMap<FileId, Rc<clauses::Unnamed<'a>>>,
    /// Methods of interfaces of the repository by name, each with the interface.
    own_methods: FxHashMap<Name, Vec<(Sym, Sym)>>,
    /// The names of methods of types of the repository.
    methods: FxHashSet<Name>,
    /// The methods of each type, of languages in which types implement what they have the methods of.
    methods_of: FxHashMap<Sym, Vec<Sym>>,
    /// What types of the language have of interfaces of the repository.
    fulfilled: Option<builtin::ByType>,
    /// Sites that may name one of several terms.
    n_choices: u32,
    steps: u64,
    max_steps: u64,
    /// Whether something was not followed to its end since this was last unset: too deep, or too many steps.
    is_cut: bool,
}

/// What stays known from one file to the next. What was not followed to its end is known of the file at hand alone, so that it does not depend on
/// which file asked first.
struct Kept<K, V> {
    known: FxHashMap<K, (V, bool)>,
    cut: Vec<K>,
}

impl<K: Copy + Eq + std::hash::Hash, V: Copy> Kept<K, V> {
    fn new() -> Self {
        Self { known: FxHashMap::default(), cut: Vec::new() }
    }

    /// What is known, and whether it was cut.
    fn get(&self, key: K) -> Option<(V, bool)> {
        self.known.get(&key).copied()
    }

    fn set(&mut self, key: K, value: V, is_cut: bool) {
        self.known.insert(key, (value, is_cut));
        if is_cut {
            self.cut.push(key);
        }
    }

    /// Forgets what was cut.
    fn forget(&mut self) {
        for key in self.cut.drain(..) {
            self.known.remove(&key);
        }
    }
}

/// Methods of interfaces by name, of languages in which they may be for all types.
fn own_methods(index: &Index<'_>) -> FxHashMap<Name, Vec<(Sym, Sym)>> {
    let mut found: FxHashMap<Name, Vec<(Sym, Sym)>> = FxHashMap::default();
    for ((of, name), members) in &index.members {
        let (file, symbol) = index.symbol(*of);
        let is_tree = index.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Tree);
        if is_tree && symbol.kind == SymbolKind::Interface {
            let methods =
                members.iter().filter_map(|member| if let Member::Symbol(sym) = member { Some((*of, *sym)) } else { None });
            found.entry(*name).or_default().extend(methods);
        }
    }
    found
}

/// The names of methods of types.
fn methods(index: &Index<'_>) -> FxHashSet<Name> {
    let is_method = |member: &Member| matches!(member, Member::Symbol(sym) if index.symbol(*sym).1.kind == SymbolKind::Method);
    let named = index.members.iter().filter(|(_, members)| members.iter().any(is_method));
    named.map(|((_, name), _)| *name).collect()
}

/// The methods of types by type, of languages in which types implement what they have the methods of.
fn methods_of(index: &Index<'_>) -> FxHashMap<Sym, Vec<Sym>> {
    let mut found: FxHashMap<Sym, Vec<Sym>> = FxHashMap::default();
    for (number, first) in (0..index.files.len() as u32).zip(&index.first_symbol) {
        let file = FileId(number);
        if !index.rules(file).is_some_and(|rules| rules.structural) {
            continue;
        }
        for (symbol, at) in index.facts(file).symbols.iter().zip(0..) {
            if symbol.kind == SymbolKind::Method
                && let Some(of) = index.member_of[(first + at) as usize]
            {
                found.entry(of).or_default().push(Sym(first + at));
            }
        }
    }
    found
}

/// Fills the lists of a boundary that files and names give.
///
/// `is_test_data` says of a path whether what lies there is of tests, so that nobody imports it.
pub(crate) fn fill(boundary: &mut Boundary, index: &Index<'_>, base: &FactBase, is_test_data: &dyn Fn(&str) -> bool) {
    let mut terms = Terms::new(index);
    terms.add_uses(boundary, base);
    terms.add_visible(boundary, is_test_data);
    terms.store.finish(boundary, index);
}

impl<'i, 'a> Terms<'i, 'a> {
    fn new(index: &'i Index<'a>) -> Self {
        let mut blocks: FxHashMap<Sym, Vec<(FileId, u32)>> = FxHashMap::default();
        for number in 0..index.files.len() as u32 {
            let file = FileId(number);
            for written in &index.facts(file).supers {
                if let Container::Owner(at) = written.container
                    && let Some(of) = index.container_type(file, written.container)
                {
                    let known = blocks.entry(of).or_default();
                    if known.last() != Some(&(file, at)) {
                        known.push((file, at));
                    }
                }
            }
        }
        Self {
            blocks,
            index,
            store: Store::new(),
            known: FxHashMap::default(),
            of_symbols: Kept::new(),
            of_imports: Kept::new(),
            following: FxHashSet::default(),
            written_supers: FxHashMap::default(),
            outward: Kept::new(),
            extensions: FxHashMap::default(),
            defaults: FxHashMap::default(),
            unnamed: FxHashMap::default(),
            own_methods: own_methods(index),
            methods: methods(index),
            methods_of: methods_of(index),
            fulfilled: None,
            n_choices: 0,
            steps: 0,
            max_steps: MAX_STEPS,
            is_cut: false,
        }
    }

    /// Begins with another file.
    fn begin(&mut self) {
        self.forget();
        self.steps = 0;
    }

    /// Forgets what is known of the file at hand alone.
    fn forget(&mut self) {
        // To clear a map takes as long as it was ever large.
        self.known = FxHashMap::default();
        self.of_symbols.forget();
        self.of_imports.forget();
        self.outward.forget();
        self.is_cut = false;
    }

    /// Takes a step at a depth; whether there are no more.
    fn is_over(&mut self, depth: usize) -> bool {
        self.steps += 1;
        let is_over = depth > MAX_DEPTH || self.steps > self.max_steps;
        self.is_cut |= is_over;
        is_over
    }

    /// What `make` finds, and whether it was cut; what was cut before stays said.
    fn watched<V>(&mut self, make: impl FnOnce(&mut Self) -> V) -> (V, bool) {
        let before = std::mem::take(&mut self.is_cut);
        let found = make(self);
        let is_cut = self.is_cut;
        self.is_cut |= before;
        (found, is_cut)
    }

    /// What is known, where it was cut said once more.
    fn again<V>(&mut self, (known, is_cut): (V, bool)) -> V {
        self.is_cut |= is_cut;
        known
    }

    /// What an expression means; while that is being found out, nothing.
    fn remember(
        &mut self,
        place: Place,
        expr: ExprId,
        read: As,
        depth: usize,
        make: fn(&mut Self, Place, ExprId, usize) -> Id,
    ) -> Id {
        if expr == ExprId::UNKNOWN || self.is_over(depth) {
            return Id::UNKNOWN;
        }
        let key = (place.file, expr, read);
        if let Some(known) = self.known.get(&key).copied() {
            return self.again(known);
        }
        self.known.insert(key, (Id::UNKNOWN, false));
        let found = self.watched(|terms| make(terms, place, expr, depth + 1));
        self.known.insert(key, found);
        found.0
    }

    /// The item that an expression names.
    fn item(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        self.remember(place, expr, As::Item, depth, Self::make_item)
    }

    /// The item that an expression names, for its members.
    fn holder(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        self.remember(place, expr, As::Holder, depth, Self::make_holder)
    }

    /// The value of an expression.
    fn value(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        self.remember(place, expr, As::Value, depth, Self::make_value)
    }

    /// A value of the type that an expression names.
    fn typed(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        self.remember(place, expr, As::Type, depth, Self::make_typed)
    }

    /// The place of the declarations of a symbol.
    fn place_of(&self, sym: Sym) -> (Place, &'a activate_grammars::facts::Symbol) {
        let (file, symbol) = self.index.symbol(sym);
        (Place { file, module: self.index.module_of(file, symbol.container) }, symbol)
    }

    /// The places at which the supertypes of a type are written in its own file.
    fn supers_written(&mut self, file: FileId, container: Container) -> Vec<u32> {
        let index = self.index;
        let of_file = self.written_supers.entry(file).or_insert_with(|| {
            let mut found: FxHashMap<Container, Vec<u32>> = FxHashMap::default();
            for (written, place) in index.facts(file).supers.iter().zip(0..) {
                found.entry(written.container).or_default().push(place);
            }
            found
        });
        of_file.get(&container).cloned().unwrap_or_default()
    }
}
