//! Terms while they are made, each once.

use crate::boundary::{Boundary, Definition, ModuleId as Module, Place, Registry, Term, TermId};
use crate::resolve::index::Index;
use crate::resolve::{ModuleId, Sym};
use activate_grammars::facts::SymbolKind;
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The deepest term: what goes on and on is not known.
const MAX_TERM_DEPTH: u8 = 200;

/// The most terms of which one is meant.
pub(super) const MAX_EITHER: usize = 4;

/// The most values of several that are told apart.
pub(super) const MAX_PARTS: usize = 64;

/// A term by its place in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id(u32);

impl Id {
    pub(super) const UNKNOWN: Self = Self(0);

    /// Itself, if it is known.
    pub(super) fn known(self) -> Option<Self> {
        (self != Self::UNKNOWN).then_some(self)
    }

    /// Itself, or what is known otherwise.
    pub(super) fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::UNKNOWN { other() } else { self }
    }
}

/// A term, or what only the evaluator knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Unknown,
    Outside(Registry, String),
    Module(ModuleId),
    Symbol(Sym),
    Member(Id, String),
    Result(Id),
    Instance(Id),
    Part(Id, u32),
    Many(Id),
    Element(Id),
    /// Several values.
    Tuple(Vec<Id>),
    /// A map from keys to values.
    Map(Id, Id),
    /// A function value by what it gives.
    Function(Id),
    /// A value of a generic type from outside, and what is known of it as of those of the language: many, or what it wraps.
    Both(Id, Id),
    /// A value of a type of the repository, with what stands for the parameters of that.
    Applied(Id, Vec<Id>),
    /// A parameter of a type of the repository, by its place among those, and what its bounds say.
    Parameter(Sym, u32, Id),
    /// What may go wrong: a value, and what it is otherwise. Where nothing else is said the first is meant.
    Tried(Id, Id),
    /// A function of the repository that is asked of a value.
    Asked(Id, Id),
    /// One of several, of which only who knows the others can tell which it is.
    Either(Vec<Id>),
}

/// What is said of a term beside itself.
#[derive(Debug, Clone, Copy)]
struct About {
    depth: u8,
    /// Whether it leads out of the repository.
    leads_out: bool,
    /// Whether others can read it.
    is_plain: bool,
}

pub(super) struct Store {
    nodes: Vec<Node>,
    about: Vec<About>,
    ids: FxHashMap<Node, Id>,
    /// Terms that a boundary mentions, by place there.
    written: Vec<Id>,
    places: FxHashMap<Id, TermId>,
    by_term: FxHashMap<Term, TermId>,
    terms: Vec<Term>,
    n_files: u32,
}

impl Store {
    pub(super) fn new() -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            about: Vec::new(),
            ids: FxHashMap::default(),
            written: Vec::new(),
            places: FxHashMap::default(),
            by_term: FxHashMap::default(),
            terms: Vec::new(),
            n_files: 0,
        };
        store.put(Node::Unknown, About { depth: 0, leads_out: false, is_plain: false });
        store
    }

    /// Says where the nodes of definitions begin.
    pub(super) fn set_files(&mut self, n_files: usize) {
        self.n_files = n_files as u32;
    }

    fn put(&mut self, node: Node, about: About) -> Id {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.about.push(about);
        self.ids.insert(node, id);
        id
    }

    fn about(&self, id: Id) -> About {
        self.about[id.0 as usize]
    }

    /// Adds a term; one over what is not known is not known.
    pub(super) fn add(&mut self, node: Node) -> Id {
        self.add_as(node, false)
    }

    /// Adds a term that leads out of the repository though nothing in it says so: by what a type takes over.
    pub(super) fn add_outward(&mut self, node: Node) -> Id {
        self.add_as(node, true)
    }

    /// One of several.
    pub(super) fn either(&mut self, of: &[Id]) -> Id {
        let mut all: Vec<Id> = Vec::new();
        for id in of {
            let each = if let Node::Either(each) = self.get(*id) { each.clone() } else { vec![*id] };
            for id in each.into_iter().map(|id| self.bound(id)).collect::<Vec<_>>() {
                if id != Id::UNKNOWN && !all.contains(&id) && all.len() < MAX_EITHER {
                    all.push(id);
                }
            }
        }
        match all.as_slice() {
            [] => Id::UNKNOWN,
            [only] => *only,
            [first, ..] => {
                let about = About { is_plain: false, ..self.about(*first) };
                self.put(Node::Either(all), about)
            }
        }
    }

    /// What a step makes of each of several terms.
    fn step_of_each(&mut self, node: &Node) -> Option<Id> {
        let (Node::Member(of, _) | Node::Result(of) | Node::Instance(of) | Node::Part(of, _) | Node::Element(of)) = node else {
            return None;
        };
        let Node::Either(each) = self.get(*of).clone() else { return None };
        let step = |of: Id| match node {
            Node::Member(_, name) => Node::Member(of, name.clone()),
            Node::Result(_) => Node::Result(of),
            Node::Instance(_) => Node::Instance(of),
            Node::Part(_, n) => Node::Part(of, *n),
            _ => Node::Element(of),
        };
        let each: Vec<Id> = each.into_iter().map(|of| self.add(step(of))).collect();
        Some(self.either(&each))
    }

    /// A term, or all of which one is meant.
    pub(super) fn each(&self, id: Id) -> Vec<Id> {
        if let Node::Either(each) = self.get(id) { each.clone() } else { vec![id] }
    }

    fn add_as(&mut self, node: Node, leads_out: bool) -> Id {
        if let Some(each) = self.step_of_each(&node) {
            return each;
        }
        let plain = |depth: u8, leads_out: bool| About { depth, leads_out, is_plain: true };
        let about = match &node {
            Node::Unknown | Node::Either(_) => return Id::UNKNOWN,
            Node::Outside(..) => plain(1, true),
            Node::Module(_) | Node::Symbol(_) => plain(1, false),
            Node::Member(of, _)
            | Node::Result(of)
            | Node::Instance(of)
            | Node::Part(of, _)
            | Node::Many(of)
            | Node::Element(of) => {
                if *of == Id::UNKNOWN {
                    return Id::UNKNOWN;
                }
                let inner = self.about(*of);
                About { depth: inner.depth.saturating_add(1), leads_out: inner.leads_out || leads_out, is_plain: inner.is_plain }
            }
            Node::Tuple(of) => {
                if of.iter().all(|id| *id == Id::UNKNOWN) {
                    return Id::UNKNOWN;
                }
                About {
                    depth: of.iter().map(|id| self.about(*id).depth).max().unwrap_or(0) + 1,
                    leads_out: false,
                    is_plain: false,
                }
            }
            Node::Map(key, value) => {
                if *key == Id::UNKNOWN && *value == Id::UNKNOWN {
                    return Id::UNKNOWN;
                }
                About { depth: self.about(*key).depth.max(self.about(*value).depth) + 1, leads_out: false, is_plain: false }
            }
            Node::Both(instance, held) => {
                let instance = self.about(*instance);
                let depth = instance.depth.max(self.about(*held).depth) + 1;
                About { depth, leads_out: instance.leads_out, is_plain: false }
            }
            Node::Applied(instance, given) => {
                if given.iter().all(|id| *id == Id::UNKNOWN) {
                    return *instance;
                }
                let instance = self.about(*instance);
                let deepest = given.iter().map(|id| self.about(*id).depth).fold(instance.depth, u8::max);
                About { depth: deepest.saturating_add(1), leads_out: instance.leads_out, is_plain: instance.is_plain }
            }
            Node::Parameter(_, _, bound) => {
                let bound = self.about(*bound);
                About { depth: bound.depth.saturating_add(1), leads_out: bound.leads_out, is_plain: false }
            }
            Node::Tried(of, failed) => {
                if *of == Id::UNKNOWN && *failed == Id::UNKNOWN {
                    return Id::UNKNOWN;
                }
                let depth = self.about(*of).depth.max(self.about(*failed).depth).saturating_add(1);
                About { depth, leads_out: self.about(*of).leads_out, is_plain: false }
            }
            Node::Asked(function, of) => {
                About { depth: self.about(*of).depth.saturating_add(1), is_plain: false, ..self.about(*function) }
            }
            Node::Function(result) => {
                if *result == Id::UNKNOWN {
                    return Id::UNKNOWN;
                }
                About { depth: self.about(*result).depth + 1, leads_out: false, is_plain: false }
            }
        };
        if about.depth > MAX_TERM_DEPTH { Id::UNKNOWN } else { self.put(node, about) }
    }

    pub(super) fn get(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Whether a term leads out of the repository.
    pub(super) fn leads_out(&self, id: Id) -> bool {
        self.about(id).leads_out
    }

    /// What the bounds of a parameter say, and of what may go wrong what it is when it does not; of all else itself.
    pub(super) fn bound(&self, mut id: Id) -> Id {
        while let Node::Parameter(_, _, bound) | Node::Tried(bound, _) = self.get(id) {
            id = *bound;
        }
        id
    }

    /// What the bounds of a parameter say; of what may go wrong itself.
    pub(super) fn bound_but_tried(&self, mut id: Id) -> Id {
        while let Node::Parameter(_, _, bound) = self.get(id) {
            id = *bound;
        }
        id
    }

    /// The definition that a term is.
    pub(super) fn symbol(&self, id: Id) -> Option<Sym> {
        match self.get(id) {
            Node::Symbol(sym) => Some(*sym),
            Node::Asked(function, _) => self.symbol(*function),
            _ => None,
        }
    }

    /// The item that a value is of.
    pub(super) fn item_of(&self, id: Id) -> Option<Id> {
        match self.get(id) {
            Node::Instance(item) => Some(*item),
            Node::Applied(instance, _) => self.item_of(*instance),
            Node::Parameter(_, _, bound) | Node::Tried(bound, _) => self.item_of(*bound),
            _ => None,
        }
    }

    /// A term as others can read it: maps are many of their values.
    pub(super) fn plain(&mut self, id: Id) -> Id {
        match *self.get(id) {
            Node::Map(_, value) => {
                let value = self.plain(value);
                self.add(Node::Many(value))
            }
            Node::Many(of) if !self.about(id).is_plain => {
                let of = self.plain(of);
                self.add(Node::Many(of))
            }
            Node::Both(instance, _) | Node::Asked(instance, _) => instance,
            Node::Parameter(_, _, of) | Node::Tried(of, _) => self.plain(of),
            _ if self.about(id).is_plain => id,
            _ => Id::UNKNOWN,
        }
    }

    /// Writes a term for others; none where they cannot read it.
    pub(super) fn write(&mut self, id: Id) -> Option<TermId> {
        let id = self.plain(id).known()?;
        if let Node::Applied(instance, _) = *self.get(id) {
            return self.write(instance);
        }
        if let Some(known) = self.places.get(&id) {
            return Some(*known);
        }
        let term = match self.get(id).clone() {
            Node::Outside(registry, name) => Term::Outside(registry, name),
            Node::Module(module) => Term::Own(Place::Module(Module(module.0))),
            Node::Symbol(sym) => Term::Own(Place::Symbol(self.node(sym))),
            Node::Member(of, name) => Term::Member(self.write(of)?, name),
            Node::Result(of) => Term::Result(self.write(of)?),
            Node::Instance(of) => Term::Instance(self.write(of)?),
            Node::Part(of, n) => Term::Part(self.write(of)?, n),
            Node::Many(of) => Term::Many(self.write(of)?),
            Node::Element(of) => Term::Element(self.write(of)?),
            Node::Unknown
            | Node::Tuple(_)
            | Node::Map(..)
            | Node::Function(_)
            | Node::Both(..)
            | Node::Applied(..)
            | Node::Parameter(..)
            | Node::Tried(..)
            | Node::Asked(..)
            | Node::Either(_) => return None,
        };
        // Values of one type that differ in what stands for its parameters are one term for others.
        let place = *self.by_term.entry(term).or_insert_with_key(|term| {
            self.terms.push(term.clone());
            self.written.push(id);
            TermId(self.terms.len() as u32 - 1)
        });
        self.places.insert(id, place);
        Some(place)
    }

    /// The node of a definition.
    pub(super) fn node(&self, sym: Sym) -> NodeId {
        NodeId(self.n_files + sym.0)
    }

    /// The term at a place as the evaluator has it, if there are so many.
    pub(super) fn written_at(&self, place: usize) -> Option<&Node> {
        self.written.get(place).map(|id| self.get(*id))
    }

    /// Puts lists in order.
    pub(super) fn finish(self, boundary: &mut Boundary, index: &Index<'_>) {
        boundary.terms = self.terms;
        let of_terms = boundary.terms.iter().filter_map(|term| match term {
            Term::Own(Place::Symbol(node)) => Some(*node),
            _ => None,
        });
        let of_places = boundary.members.iter().filter_map(|member| match member.of {
            Place::Symbol(node) => Some(node),
            Place::Module(_) => None,
        });
        let all: BTreeSet<NodeId> = of_terms.chain(of_places).chain(boundary.supers.iter().map(|above| above.of)).collect();
        let kind = |node: NodeId| -> SymbolKind { index.symbol(Sym(node.0 - self.n_files)).1.kind };
        boundary.definitions = all.into_iter().map(|node| Definition { node, kind: kind(node) }).collect();
        boundary.modules.sort_unstable();
        boundary.modules.dedup();
        boundary.members.sort_unstable();
        boundary.members.dedup();
        boundary.globs.sort_unstable();
        boundary.globs.dedup();
        boundary.types.sort_unstable();
        boundary.types.dedup();
        boundary.supers.sort_unstable();
        boundary.supers.dedup();
        boundary.uses.sort_unstable();
        boundary.uses.dedup();
    }
}
