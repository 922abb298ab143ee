//! The rules on one worker: what goes in, shard by shard, and what comes out.

use crate::key::{Key, Step};
use crate::rules::{Choice, Facts, Link, Node, Use, depends, items, links, unused};
use crate::run::Ended;
use differential_dataflow::input::{Input as _, InputSession};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use timely::dataflow::operators::Exchange as _;
use timely::dataflow::{ProbeHandle, Scope};
use timely::worker::Worker;

/// Which state of the fleet is meant: each change is one more.
pub(crate) type Time = u64;

/// The tables of a boundary, each with what a row of it is.
macro_rules! tables {
    ($($name:ident: $row:ty,)*) => {
        /// The boundary of one shard, as the rules take it.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub(crate) struct Rows {
            $(
                #[doc = concat!("See [`Facts::", stringify!($name), "`].")]
                pub $name: Vec<$row>,
            )*
            /// What was left out of them, in words.
            pub left_out: Vec<String>,
        }

        /// The inputs of one worker.
        struct Inputs {
            $($name: InputSession<Time, $row, isize>,)*
        }

        impl Inputs {
            /// Inputs, and the collections that they make.
            fn new(scope: Scope<'_, Time>) -> (Self, Facts<'_, Time>) {
                $(let $name = scope.new_collection();)*
                (Self { $($name: $name.0,)* }, Facts { $($name: $name.1,)* })
            }

            fn update(&mut self, rows: &Rows, diff: isize) {
                $(put(&mut self.$name, &rows.$name, diff);)*
            }

            fn advance_to(&mut self, time: Time) {
                $(
                    self.$name.advance_to(time);
                    self.$name.flush();
                )*
            }
        }
    };
}

tables! {
    steps: (Key, Step),
    modules: (Key, Key),
    members: ((Key, Key), Key),
    over: (Key, Key),
    aliases: (Key, Key),
    holds: (Key, Key),
    gives: (Key, (u32, Key)),
    types: Key,
    defined: (Key, Node),
    uses: (Key, Use),
    choices: (Key, Choice),
    routes: (Key, (String, Node)),
    requests: (Key, (String, Use)),
    served: (Key, Node),
    asked: (Key, Use),
    exports: Node,
    packages: (Key, Key),
    needs: (Key, Key),
}

fn put<D: differential_dataflow::Data>(input: &mut InputSession<Time, D, isize>, rows: &[D], diff: isize) {
    for row in rows {
        input.update(row.clone(), diff);
    }
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
            let (inputs, facts) = Inputs::new(scope);
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
            inputs
        });
        Self { inputs, probe, derived, time: 0 }
    }

    /// Adds the rows of a shard, or takes them away (`-1`).
    pub(crate) fn update(&mut self, rows: &Rows, diff: isize) {
        self.inputs.update(rows, diff);
    }

    /// Derives what follows from the rows so far: what came and what went on this worker, in order. All workers must ask for it equally often. Where
    /// one of them ended, it is not all.
    pub(crate) fn settle(&mut self, worker: &mut Worker, ended: &Ended) -> Vec<(Derived, isize)> {
        self.time += 1;
        self.inputs.advance_to(self.time);
        let time = self.time;
        worker.step_while(|| self.probe.less_than(&time) && !ended.is_so());
        let mut changes = std::mem::take(&mut *self.derived.borrow_mut());
        differential_dataflow::consolidation::consolidate(&mut changes);
        changes
    }
}
