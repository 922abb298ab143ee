//! What follows from the boundaries of all shards, on differential dataflow: a change of one shard derives again only what follows from it.
//!
//! In the order of derivation, as rules (`:-` reads "holds where"); a *place* is a definition or a module, a *term* says how code gets at one:
//!
//! ```text
//! wanted(t)       :- use(_, t).                          Only terms that lead to a use are followed, with
//! wanted(b)       :- wanted(t), step(t, .. b ..).        what they are made of and what types are written with.
//!
//! item(t, p)      :- wanted(t), step(t, outside(m)), module(m, p).
//! item(p, p)      :- wanted(p), place(p).
//! item(t, p)      :- step(t, member(b, n)), holder(b, h), named(h, n, u), item(u, p).
//! meant(t, p)     :- item(t, p).
//! meant(t, p)     :- meant(t, a), alias(a, u), meant(u, p).
//!
//! value(t, y)     :- step(t, instance(b)), meant(b, y).
//! value(t, y)     :- step(t, result(b, 0)), meant(b, y), type(y).
//! value(t, y)     :- step(t, result(b, n)), meant(b, f), gives(f, n, u), value(u, y).
//! value(t, y)     :- step(t, result(b, 1)), meant(b, f), gives(f, 0, u), value(u, y).
//! value(t, y)     :- step(t, result(b, n)), value(b, y), n < 2.                     What is no function.
//! value(t, y)     :- step(t, member(b, n)), holder(b, h), named(h, n, u), value(u, y).
//! value(t, t)     :- step(t, many(_)).
//! value(t, y)     :- step(t, element(b)), held(b, m), step(m, many(u)), value(u, y).
//! held(t, y)      :- value(t, y).
//! held(t, y)      :- meant(t, v), holds(v, u), value(u, y).
//! held(t, y)      :- value(t, v), holds(v, u), value(u, y).                      What a type of many is declared as.
//!
//! holder(t, p)    :- meant(t, p).
//! holder(t, y)    :- held(t, y).
//! above(p, q, 0)  :- holder(_, p), q = p.                Supertypes, and modules of which all names are passed on.
//! above(p, q, d)  :- above(p, r, d - 1), over(r, u), meant(u, q).
//! named(p, n, u)  :- above(p, q, d), member(q, n, u), no nearer q has n.
//!
//! link(f, p)      :- use(f, t), item(t, p), f and p stand in different repositories.
//! link(f, p)      :- choice(f, t, rank), item(t, p), no t' of f with a lower rank has an item.
//! link(f, r)      :- request(f, w), route(w', r), w may mean w'; likewise who declares a procedure or asks for it and who serves it.
//! unused(p)       :- export(p), not link(_, p).
//! depends(a, b)   :- needs(a, name), package(name, b).
//! cycle(a, b)     :- depends(a, b), each reaches the other.
//! ```

use crate::key::{Key, Step, is_place};
use crate::routes::may_mean;
use differential_dataflow::AsCollection as _;
use differential_dataflow::VecCollection;
use differential_dataflow::algorithms::graphs::scc::strongly_connected;
use differential_dataflow::lattice::Lattice;
use differential_dataflow::operators::iterate::VecVariable;
use serde::{Deserialize, Serialize};
use timely::dataflow::operators::vec::{Filter as _, Map as _};
use timely::order::Product;
use timely::progress::Timestamp;

/// The most places that a term stands for: of more, the first by key count, so that a name that hundreds publish costs no more than these.
pub(crate) const MAX_MEANT: usize = 8;

/// The most supertypes, or modules that pass on all names, between what is asked and what has the name.
const MAX_ABOVE: u32 = 8;

/// The most rounds of derivation. A term of ten steps takes some thirty; facts that deny themselves (a supertype that is one only as long as it is
/// none) would take any number. What still changes in the last rounds stands for nothing.
const MAX_ROUNDS: u32 = 192;
const LAST_ROUNDS: u32 = 16;

/// A node of a shard: the key of its repository, and its number in the fact base there.
pub type Node = (Key, u32);

/// What a use does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum UseKind {
    /// Imports it.
    Import,
    /// Calls it.
    Call,
    /// Extends it.
    Extend,
    /// Implements it.
    Implement,
    /// Asks for the path that it serves, or declares the procedure.
    Request,
    /// Mentions it. The last, since of several uses on one line the first says most.
    Reference,
}

impl UseKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::Import, Self::Call, Self::Extend, Self::Implement, Self::Request, Self::Reference];

    /// The word for it: that of the same link inside of a repository.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Import => "imports",
            Self::Call => "calls",
            Self::Reference => "references",
            Self::Extend => "extends",
            Self::Implement => "implements",
            Self::Request => "requests",
        }
    }

    /// The kind that a word stands for.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A place in a shard where a term is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Use {
    /// The definition or file that it stands in.
    pub from: Node,
    /// Its line there.
    pub line: u32,
    /// What it does.
    pub kind: UseKind,
}

/// A use and what it leads to in another repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// What it leads to.
    pub to: Node,
    /// The use.
    pub of: Use,
    /// How many places the term may stand for: of one it is sure.
    pub n_meant: u32,
}

/// A use that may be of one of several terms: the site, the rank of the term, and the use.
pub(crate) type Choice = ((u32, u32), Use);

/// The boundaries of all shards, as collections.
pub(crate) struct Facts<'s, T: Timestamp + Lattice> {
    /// How terms are made.
    pub steps: VecCollection<'s, T, (Key, Step)>,
    /// Modules by the names under which they are published.
    pub modules: VecCollection<'s, T, (Key, Key)>,
    /// What names mean in places: place and name, term.
    pub members: VecCollection<'s, T, ((Key, Key), Key)>,
    /// Supertypes, and modules whose names a module passes on: place, term.
    pub over: VecCollection<'s, T, (Key, Key)>,
    /// What aliases stand for: place, term.
    pub aliases: VecCollection<'s, T, (Key, Key)>,
    /// What values hold, and what values of types are made of: place, term of a value.
    pub holds: VecCollection<'s, T, (Key, Key)>,
    /// What calls give: place, part (0 for all), term of a value.
    pub gives: VecCollection<'s, T, (Key, (u32, Key))>,
    /// Places that are types.
    pub types: VecCollection<'s, T, Key>,
    /// Where places are defined.
    pub defined: VecCollection<'s, T, (Key, Node)>,
    /// Uses by term.
    pub uses: VecCollection<'s, T, (Key, Use)>,
    /// Uses that may be of one of several terms, by each of these: the site, the rank, and the use.
    pub choices: VecCollection<'s, T, (Key, Choice)>,
    /// Routes by [`keys`](crate::routes::keys): method and path, and what serves it.
    pub routes: VecCollection<'s, T, (Key, (String, Node))>,
    /// Requests that their own repository does not serve, by key: method and path, and the use.
    pub requests: VecCollection<'s, T, (Key, (String, Use))>,
    /// Procedures that are served, by name.
    pub served: VecCollection<'s, T, (Key, Node)>,
    /// Procedures that `.proto` files declare or generated clients ask for, by name.
    pub asked: VecCollection<'s, T, (Key, Use)>,
    /// Definitions that others can see.
    pub exports: VecCollection<'s, T, Node>,
    /// Packages by the names under which they are published: name, package.
    pub packages: VecCollection<'s, T, (Key, Key)>,
    /// What packages need: package, name of the other.
    pub needs: VecCollection<'s, T, (Key, Key)>,
}

/// Pairs of a term and a place.
type Pairs<'s, T> = VecCollection<'s, T, (Key, Key)>;

/// `term`, `place` for every term that a use needs.
pub(crate) fn items<'s, T>(facts: &Facts<'s, T>) -> Pairs<'s, T>
where
    T: Timestamp + Lattice + std::hash::Hash,
{
    let outer = facts.uses.scope();
    let used = facts.uses.clone().map(|(term, _)| term).concat(facts.choices.clone().map(|(term, _)| term)).distinct();
    let (items, unsettled) = outer.scoped::<Product<T, u32>, _, _>("items", |scope| {
        let step_on = || Product::new(T::Summary::default(), 1);
        let (wanted_is, wanted) = VecVariable::<_, Key, isize>::new(scope, step_on());
        let (item_is, item) = VecVariable::<_, (Key, Key), isize>::new(scope, step_on());
        let (meant_is, meant) = VecVariable::<_, (Key, Key), isize>::new(scope, step_on());
        let (value_is, value) = VecVariable::<_, (Key, Key), isize>::new(scope, step_on());
        let (above_is, above) = VecVariable::<_, (Key, (Key, u32)), isize>::new(scope, step_on());

        let steps = facts.steps.clone().enter(scope).semijoin(wanted.clone());
        let own = wanted.filter(|key| is_place(*key)).map(|place| (place, place));
        let [modules, over, aliases, holds] =
            [&facts.modules, &facts.over, &facts.aliases, &facts.holds].map(|of| of.clone().enter(scope));
        let (members, gives, types) =
            (facts.members.clone().enter(scope), facts.gives.clone().enter(scope), facts.types.clone().enter(scope));

        // Types of values: (term, type).
        let holding = meant.clone().concat(value.clone()).map(|(term, place)| (place, term));
        let held_by = holding.join_map(holds, |_, term, of| (*of, *term));
        let held = held_by.clone().join_map(value.clone(), |_, term, of| (*term, *of)).concat(value.clone());
        let instances =
            steps.clone().flat_map(|(term, step)| if let Step::Instance(of) = step { Some((of, term)) } else { None });
        let instances = instances.join_map(meant.clone(), |_, term, of| (*term, *of));
        let results = steps
            .clone()
            .flat_map(|(term, step)| if let Step::Result(of, part) = step { Some((of, (part, term))) } else { None });
        let called = results.clone().join_map(meant.clone(), |_, (part, term), of| (*of, (*part, *term)));
        // The first of what is one value is that.
        let called = called.clone().concat(called.flat_map(|(of, (part, term))| (part == 1).then_some((of, (0, term)))));
        let results = results.filter(|(_, (part, _))| *part < 2).join_map(value.clone(), |_, (_, term), of| (*term, *of));
        let made = called.clone().semijoin(types).flat_map(|(of, (part, term))| (part == 0).then_some((term, of)));
        let by_part = called.map(|(of, (part, term))| ((of, part), term));
        let of_calls = by_part.join_map(gives.map(|(of, (part, to))| ((of, part), to)), |_, term, to| (*to, *term));
        let got = of_calls.clone().join_map(value.clone(), |_, term, of| (*term, *of));
        let many = steps.clone().flat_map(|(term, step)| if let Step::Many(of) = step { Some((term, of)) } else { None });
        let elements = steps.clone().flat_map(|(term, step)| if let Step::Element(of) = step { Some((of, term)) } else { None });
        let elements = elements.join_map(held.clone(), |_, term, many| (*many, *term));
        let element_of = elements.join_map(many.clone(), |_, term, of| (*of, *term));
        let elements = element_of.clone().join_map(held.clone(), |_, term, of| (*term, *of));
        let each = many.map(|(term, _)| (term, term));

        // What names mean in what holds them.
        let asked = steps
            .clone()
            .flat_map(|(term, step)| if let Step::Member(of, name) = step { Some((of, (name, term))) } else { None });
        let holder = held.concat(meant.clone());
        let asked = asked.join_map(holder, |_, (name, term), of| (*of, (*name, *term))).distinct();
        let holders = asked.clone().map(|(of, _)| (of, (of, 0)));
        let over =
            over.join_map(above.clone().map(|(of, (at, depth))| (at, (of, depth))), |_, to, (of, depth)| (*to, (*of, *depth)));
        let higher = over.clone().join_map(meant.clone(), |_, (of, depth), at| (*of, (*at, depth + 1)));
        let higher = higher.filter(|(_, (_, depth))| *depth <= MAX_ABOVE);
        let lowest = holders
            .concat(higher)
            .map(|(of, (at, depth))| ((of, at), depth))
            .reduce(|_, depths, out| out.push((*depths[0].0, 1)));
        above_is.set(bounded(lowest.map(|((of, at), depth)| (of, (at, depth)))));
        let at = asked.join_map(above, |_, (name, term), (at, depth)| ((*at, *name), (*depth, *term)));
        let named = at.join_map(members, |_, (depth, term), to| (*term, (*depth, *to)));
        // Of several places that have the name the nearest is meant.
        let named = named.reduce(|_, found, out| {
            let nearest = found.first().map(|((depth, _), _)| *depth);
            out.extend(
                found.iter().filter(|((depth, _), _)| Some(*depth) == nearest).take(MAX_MEANT).map(|((_, to), _)| (*to, 1)),
            );
        });

        let fields = named.clone().map(|(term, to)| (to, term)).join_map(value, |_, term, of| (*term, *of));
        value_is.set(bounded(few(instances.concatenate([made, got, results, fields, each, elements]))));

        // What terms stand for.
        let roots =
            steps.clone().flat_map(|(term, step)| if let Step::Outside(module) = step { Some((module, term)) } else { None });
        let roots = roots.join_map(modules, |_, term, place| (*term, *place));
        let members = named.clone().map(|(term, to)| (to, term)).join_map(item, |_, term, place| (*term, *place));
        let found = few(own.concatenate([roots, members]));
        item_is.set(bounded(found.clone()));
        let renamed = meant.clone().map(|(term, place)| (place, term)).join_map(aliases.clone(), |_, term, to| (*to, *term));
        let behind = renamed.clone().join_map(meant, |_, term, place| (*term, *place));
        meant_is.set(bounded(few(found.clone().concat(behind))));

        let bases = steps.flat_map(|(_, step)| step.base());
        let first = [held_by, of_calls, element_of, renamed].map(|pairs| pairs.map(|(term, _)| term));
        let others = [over.map(|(term, _)| term), named.map(|(_, term)| term), bases];
        wanted_is.set(bounded(used.enter(scope).concatenate(first.into_iter().chain(others)).distinct()));
        (bounded(found.clone()).leave(outer), unsettled(found).leave(outer))
    });
    // Whether it is there depends on the number of rounds.
    let unsettled = unsettled.threshold(|_, n| isize::from(*n != 0)).map(|(term, _)| term).distinct();
    items.antijoin(unsettled)
}

/// What is derived within the rounds that there may be; later ones change nothing.
fn bounded<T, D>(derived: VecCollection<'_, Product<T, u32>, D>) -> VecCollection<'_, Product<T, u32>, D>
where
    T: Timestamp + Lattice,
    D: differential_dataflow::Data,
{
    derived.inner.filter(|(_, time, _)| time.inner < MAX_ROUNDS).as_collection()
}

/// What changes in the last rounds, each change with its round.
fn unsettled<T: Timestamp + Lattice>(
    derived: Pairs<'_, Product<T, u32>>,
) -> VecCollection<'_, Product<T, u32>, (Key, (Key, u32))> {
    let late = derived.inner.filter(|(_, time, _)| (MAX_ROUNDS - LAST_ROUNDS..MAX_ROUNDS).contains(&time.inner));
    late.map(|((term, place), time, diff)| {
        let round = time.inner;
        ((term, (place, round)), time, diff)
    })
    .as_collection()
}

/// The first places of each term, each once.
fn few<T: Timestamp + Lattice>(pairs: Pairs<'_, T>) -> Pairs<'_, T> {
    pairs.reduce(|_, places, out| out.extend(places.iter().take(MAX_MEANT).map(|(place, _)| (**place, 1))))
}

/// Every use that leads into another repository.
pub(crate) fn links<'s, T>(facts: &Facts<'s, T>, items: Pairs<'s, T>) -> VecCollection<'s, T, Link>
where
    T: Timestamp + Lattice,
{
    let counted = items.reduce(|_, places, out| {
        let n_meant = places.len() as u32;
        out.extend(places.iter().map(|(place, _)| ((**place, n_meant), 1)));
    });
    let counted = counted.arrange_by_key();
    let aimed = facts.uses.clone().join_core(counted.clone(), |_, of, (place, n_meant)| Some((*place, (*of, *n_meant))));
    // Of the terms of one site those of the lowest rank that mean something, and all places that these mean.
    let choices =
        facts.choices.clone().join_core(counted, |_, ((site, rank), of), (place, _)| Some(((*site, *of), (*rank, *place))));
    let chosen = choices.reduce(|_, found, out| {
        let lowest = found.first().map(|((rank, _), _)| *rank);
        let places: Vec<Key> =
            found.iter().map(|(choice, _)| **choice).filter(|(rank, _)| Some(*rank) == lowest).map(|(_, place)| place).collect();
        let n_meant = places.len() as u32;
        out.extend(places.into_iter().take(MAX_MEANT).map(|place| ((place, n_meant), 1)));
    });
    let aimed = aimed.concat(chosen.map(|((_, of), (place, n_meant))| (place, (of, n_meant))));
    let links = aimed.join_map(facts.defined.clone(), |_, (of, n_meant), to| Link { to: *to, of: *of, n_meant: *n_meant });
    let links = links.filter(|link| link.to.0 != link.of.from.0);
    let meeting = facts.requests.clone().join_core(facts.routes.clone().arrange_by_key(), |_, (asked, of), (route, to)| {
        (of.from.0 != to.0 && may_mean(asked, route)).then_some((*of, *to))
    });
    let procedures = facts.asked.clone();
    let procedures =
        procedures.join_core(facts.served.clone().arrange_by_key(), |_, of, to| (of.from.0 != to.0).then_some((*of, *to)));
    let asked = meeting.concat(procedures).reduce(|_, found, out| {
        let n_meant = found.len() as u32;
        out.extend(found.iter().take(MAX_MEANT).map(|(to, _)| ((**to, n_meant), 1)));
    });
    links.concat(asked.map(|(of, (to, n_meant))| Link { to, of, n_meant })).distinct()
}

/// Definitions that others can see and no other repository uses.
pub(crate) fn unused<'s, T>(facts: &Facts<'s, T>, links: &VecCollection<'s, T, Link>) -> VecCollection<'s, T, Node>
where
    T: Timestamp + Lattice,
{
    let used = links.clone().map(|link| link.to).distinct();
    facts.exports.clone().map(|node| (node, ())).antijoin(used).map(|(node, ())| node)
}

/// Packages that need others, and whether these need them too, by way of others perhaps.
pub(crate) fn depends<'s, T>(facts: &Facts<'s, T>) -> VecCollection<'s, T, (Key, Key, bool)>
where
    T: Timestamp + Lattice + std::hash::Hash,
{
    let needs = facts.needs.clone().map(|(package, name)| (name, package));
    let edges = needs.join_map(facts.packages.clone(), |_, from, to| (*from, *to)).filter(|(from, to)| from != to).distinct();
    let cycles = strongly_connected(edges.clone());
    let others = edges.concat(cycles.clone().negate()).map(|(from, to)| (from, to, false));
    others.concat(cycles.map(|(from, to)| (from, to, true)))
}
