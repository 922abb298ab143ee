//! The rules on one worker: what goes in, shard by shard, and what comes out.

use crate::key::{Key, Step};
use crate::rules::{Choice, Facts, Link, Node, Use, depends, items, links, unused};
use differential_dataflow::input::{Input as _, InputSession};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use timely::dataflow::ProbeHandle;
use timely::dataflow::operators::Exchange as _;
use timely::worker::Worker;

/// Which state of the fleet is meant: each change is one more.
pub(crate) type Time = u64;

/// The boundary of one shard, as the rules take it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rows {
    /// See [`Facts::steps`].
    pub steps: Vec<(Key, Step)>,
    /// See [`Facts::modules`].
    pub modules: Vec<(Key, Key)>,
    /// See [`Facts::members`].
    pub members: Vec<((Key, Key), Key)>,
    /// See [`Facts::over`].
    pub over: Vec<(Key, Key)>,
    /// See [`Facts::aliases`].
    pub aliases: Vec<(Key, Key)>,
    /// See [`Facts::holds`].
    pub holds: Vec<(Key, Key)>,
    /// See [`Facts::gives`].
    pub gives: Vec<(Key, (u32, Key))>,
    /// See [`Facts::types`].
    pub types: Vec<Key>,
    /// See [`Facts::defined`].
    pub defined: Vec<(Key, Node)>,
    /// See [`Facts::uses`].
    pub uses: Vec<(Key, Use)>,
    /// See [`Facts::choices`].
    pub choices: Vec<(Key, Choice)>,
    /// See [`Facts::routes`].
    pub routes: Vec<(Key, (String, Node))>,
    /// See [`Facts::requests`].
    pub requests: Vec<(Key, (String, Use))>,
    /// See [`Facts::served`].
    pub served: Vec<(Key, Node)>,
    /// See [`Facts::asked`].
    pub asked: Vec<(Key, Use)>,
    /// See [`Facts::exports`].
    pub exports: Vec<Node>,
    /// See [`Facts::packages`].
    pub packages: Vec<(Key, Key)>,
    /// See [`Facts::needs`].
    pub needs: Vec<(Key, Key)>,
    /// What was left out of them, in words.
    pub left_out: Vec<String>,
}

/// What the rules derive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Derived {
    /// A use that leads into another repository.
    Link(Link),
    /// A definition that others can see and no other repository uses.
    Unused(Node),
    /// A package that needs another, and whether both need each other, by way of others perhaps.
    Depends(Key, Key, bool),
}

/// The inputs of one worker.
struct Inputs {
    steps: InputSession<Time, (Key, Step), isize>,
    modules: InputSession<Time, (Key, Key), isize>,
    members: InputSession<Time, ((Key, Key), Key), isize>,
    over: InputSession<Time, (Key, Key), isize>,
    aliases: InputSession<Time, (Key, Key), isize>,
    holds: InputSession<Time, (Key, Key), isize>,
    gives: InputSession<Time, (Key, (u32, Key)), isize>,
    types: InputSession<Time, Key, isize>,
    defined: InputSession<Time, (Key, Node), isize>,
    uses: InputSession<Time, (Key, Use), isize>,
    choices: InputSession<Time, (Key, Choice), isize>,
    routes: InputSession<Time, (Key, (String, Node)), isize>,
    requests: InputSession<Time, (Key, (String, Use)), isize>,
    served: InputSession<Time, (Key, Node), isize>,
    asked: InputSession<Time, (Key, Use), isize>,
    exports: InputSession<Time, Node, isize>,
    packages: InputSession<Time, (Key, Key), isize>,
    needs: InputSession<Time, (Key, Key), isize>,
}

/// Does the same with each pair of an input and the rows for it.
macro_rules! each {
    ($inputs:expr, $name:ident => $do:expr) => {{
        let inputs = $inputs;
        each!(@one inputs, $name, $do; steps modules members over aliases holds gives types defined uses choices routes requests served asked exports packages needs);
    }};
    (@one $inputs:ident, $name:ident, $do:expr; $($field:ident)*) => { $({ let $name = &mut $inputs.$field; $do })* };
}

impl Inputs {
    fn update(&mut self, rows: &Rows, diff: isize) {
        fn put<D: differential_dataflow::Data>(input: &mut InputSession<Time, D, isize>, rows: &[D], diff: isize) {
            for row in rows {
                input.update(row.clone(), diff);
            }
        }
        put(&mut self.steps, &rows.steps, diff);
        put(&mut self.modules, &rows.modules, diff);
        put(&mut self.members, &rows.members, diff);
        put(&mut self.over, &rows.over, diff);
        put(&mut self.aliases, &rows.aliases, diff);
        put(&mut self.holds, &rows.holds, diff);
        put(&mut self.gives, &rows.gives, diff);
        put(&mut self.types, &rows.types, diff);
        put(&mut self.defined, &rows.defined, diff);
        put(&mut self.uses, &rows.uses, diff);
        put(&mut self.choices, &rows.choices, diff);
        put(&mut self.routes, &rows.routes, diff);
        put(&mut self.requests, &rows.requests, diff);
        put(&mut self.served, &rows.served, diff);
        put(&mut self.asked, &rows.asked, diff);
        put(&mut self.exports, &rows.exports, diff);
        put(&mut self.packages, &rows.packages, diff);
        put(&mut self.needs, &rows.needs, diff);
    }

    fn advance_to(&mut self, time: Time) {
        each!(self, input => { input.advance_to(time); input.flush(); });
    }
}

/// The rules on one worker.
pub(crate) struct Dataflow {
    inputs: Inputs,
    probe: ProbeHandle<Time>,
    derived: Rc<RefCell<Vec<(Derived, isize)>>>,
    time: Time,
}

impl Dataflow {
    /// Builds the rules. All that is derived comes out on the first worker, which writes it.
    pub(crate) fn new(worker: &mut Worker) -> Self {
        let derived = Rc::<RefCell<Vec<(Derived, isize)>>>::default();
        let probe = ProbeHandle::new();
        let inputs = worker.dataflow::<Time, _, _>(|scope| {
            let (steps_in, steps) = scope.new_collection();
            let (modules_in, modules) = scope.new_collection();
            let (members_in, members) = scope.new_collection();
            let (over_in, over) = scope.new_collection();
            let (aliases_in, aliases) = scope.new_collection();
            let (holds_in, holds) = scope.new_collection();
            let (gives_in, gives) = scope.new_collection();
            let (types_in, types) = scope.new_collection();
            let (defined_in, defined) = scope.new_collection();
            let (uses_in, uses) = scope.new_collection();
            let (choices_in, choices) = scope.new_collection();
            let (routes_in, routes) = scope.new_collection();
            let (requests_in, requests) = scope.new_collection();
            let (served_in, served) = scope.new_collection();
            let (asked_in, asked) = scope.new_collection();
            let (exports_in, exports) = scope.new_collection();
            let (packages_in, packages) = scope.new_collection();
            let (needs_in, needs) = scope.new_collection();
            let facts = Facts {
                steps,
                modules,
                members,
                over,
                aliases,
                holds,
                gives,
                types,
                defined,
                uses,
                choices,
                routes,
                requests,
                served,
                asked,
                exports,
                packages,
                needs,
            };
            let links = links(&facts, items(&facts));
            let all = [
                unused(&facts, &links).map(Derived::Unused),
                depends(&facts).map(|(from, to, in_cycle)| Derived::Depends(from, to, in_cycle)),
                links.map(Derived::Link),
            ];
            let [first, second, third] = all;
            let out = Rc::clone(&derived);
            let each = first.concatenate([second, third]).inner.exchange(|_| 0);
            let each = differential_dataflow::AsCollection::as_collection(each);
            each.inspect(move |(derived, _, diff)| out.borrow_mut().push((*derived, *diff))).probe_with(&probe);
            Inputs {
                steps: steps_in,
                modules: modules_in,
                members: members_in,
                over: over_in,
                aliases: aliases_in,
                holds: holds_in,
                gives: gives_in,
                types: types_in,
                defined: defined_in,
                uses: uses_in,
                choices: choices_in,
                routes: routes_in,
                requests: requests_in,
                served: served_in,
                asked: asked_in,
                exports: exports_in,
                packages: packages_in,
                needs: needs_in,
            }
        });
        Self { inputs, probe, derived, time: 0 }
    }

    /// Adds the rows of a shard, or takes them away (`-1`).
    pub(crate) fn update(&mut self, rows: &Rows, diff: isize) {
        self.inputs.update(rows, diff);
    }

    /// Derives what follows from the rows so far: what came and what went on this worker, in order. All workers must ask for it equally often.
    pub(crate) fn settle(&mut self, worker: &mut Worker) -> Vec<(Derived, isize)> {
        self.time += 1;
        self.inputs.advance_to(self.time);
        let time = self.time;
        worker.step_while(|| self.probe.less_than(&time));
        let mut changes = std::mem::take(&mut *self.derived.borrow_mut());
        differential_dataflow::consolidation::consolidate(&mut changes);
        changes
    }
}
