//! What is left out of what follows from all shards, and how workers tell the first of it.

use crate::dataflow::Time;
use crate::run::{Ended, PAUSE};
use crate::sync::STAGE;
use differential_dataflow::AsCollection as _;
use differential_dataflow::input::{Input as _, InputSession};
use error::Problem;
use std::cell::RefCell;
use std::rc::Rc;
use timely::dataflow::ProbeHandle;
use timely::dataflow::operators::Exchange as _;
use timely::worker::Worker;

/// What was left out of what follows from the shards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// In words, in order.
    pub problems: Vec<Problem>,
    /// The names of repositories that take no part, in order: what follows from all is not known before they can be read.
    pub lacking: Vec<String>,
}

/// What a worker lacks: the name of a repository, whether that takes no part, and why, or what it does without.
pub(crate) type Lack = (String, bool, String);

impl LeftOut {
    pub(crate) fn of<'l>(lacks: impl IntoIterator<Item = &'l Lack>) -> Self {
        let mut left_out = Self::default();
        for (name, is_lacking, what) in lacks {
            let how = if *is_lacking { " takes no part" } else { "" };
            left_out.problems.push(Problem::new(STAGE, format!("{name}{how}: {what}")));
            left_out.lacking.extend(is_lacking.then(|| name.clone()));
        }
        left_out.problems.sort();
        left_out.lacking.sort();
        left_out
    }
}

/// A way to the first worker, which may be one of another process.
pub(crate) struct Telling {
    input: InputSession<Time, Lack, isize>,
    probe: ProbeHandle<Time>,
    heard: Rc<RefCell<Vec<Lack>>>,
}

impl Telling {
    /// All workers must make one at the same moment.
    pub(crate) fn new(worker: &mut Worker) -> Self {
        let (heard, probe) = (Rc::<RefCell<Vec<Lack>>>::default(), ProbeHandle::new());
        let out = Rc::clone(&heard);
        let input = worker.dataflow::<Time, _, _>(|scope| {
            let (input, lacks) = scope.new_collection::<Lack, isize>();
            let lacks = lacks.inner.exchange(|_| 0).as_collection();
            lacks.inspect(move |(lack, _, _)| out.borrow_mut().push(lack.clone())).probe_with(&probe);
            input
        });
        Self { input, probe, heard }
    }

    pub(crate) fn tell(&mut self, lack: Lack) {
        self.input.insert(lack);
    }

    /// What all workers told, on the first one.
    pub(crate) fn heard(self, worker: &mut Worker, ended: &Ended) -> Vec<Lack> {
        let Self { input, probe, heard } = self;
        input.close();
        worker.step_or_park_while(Some(PAUSE), || !probe.done() && !ended.is_so());
        std::mem::take(&mut *heard.borrow_mut())
    }
}
