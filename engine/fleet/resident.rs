//! The dataflow kept running, for a server: a change of one shard derives again only what follows from it.

use crate::dataflow::{Dataflow, Derived};
use crate::key;
use crate::load::load;
use crate::run::{Source, Workers};
use error::{Error, ErrorKind, Problem, Result};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use timely::communication::WorkerGuards;

/// A shard before and after it changed: none before it came, none after it went.
pub type Change = (Option<Source>, Option<Source>);

/// What came and what went, and which shards could not be read.
pub(crate) type Found = (Vec<(Derived, isize)>, Vec<Problem>);

/// Workers that hold the boundaries of all shards.
pub struct Resident {
    commands: Vec<Sender<Arc<Vec<Change>>>>,
    results: Receiver<Found>,
    /// Ends when the commands do.
    _workers: WorkerGuards<()>,
}

impl Resident {
    /// Starts the threads of one process. They hold nothing yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where they cannot begin.
    pub fn start(n_threads: usize) -> Result<Self> {
        let (commands, receivers): (Vec<_>, Vec<_>) = (0..n_threads.max(1)).map(|_| channel::<Arc<Vec<Change>>>()).unzip();
        let (sender, results) = channel::<Found>();
        let receivers: Mutex<Vec<Option<Receiver<_>>>> = Mutex::new(receivers.into_iter().map(Some).collect());
        let sender = Mutex::new(sender);
        let workers = Workers::threads(n_threads).start(move |worker| {
            let receiver = receivers.lock().unwrap_or_else(PoisonError::into_inner)[worker.index()].take();
            let sender = sender.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let mut dataflow = Dataflow::new(worker);
            let (peers, index) = (worker.peers() as u64, worker.index() as u64);
            let is_mine = |name: &str| key::repository(name) % peers == index;
            for changes in receiver.into_iter().flatten() {
                let mut problems = Vec::new();
                for (before, after) in changes.iter() {
                    for (source, diff) in [(before, -1), (after, 1)] {
                        let Some(source) = source.as_ref().filter(|source| is_mine(&source.name)) else { continue };
                        match load(&source.name, &source.folder) {
                            Ok(rows) => dataflow.update(&rows, diff),
                            Err(error) => {
                                problems.push(Problem::new("fleet", format!("{} takes no part: {}", source.name, error.message)));
                            }
                        }
                    }
                }
                let changes = dataflow.settle(worker);
                if sender.send((changes, problems)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { commands, results, _workers: workers })
    }

    /// What comes and goes with changes of shards, in order. The tables of a shard before its change must still be there.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where a worker has ended.
    pub fn change(&self, changes: Vec<Change>) -> Result<Found> {
        let ended = || Error::new(ErrorKind::Storage, "a worker of the fleet has ended; start the server again");
        let changes = Arc::new(changes);
        for worker in &self.commands {
            worker.send(Arc::clone(&changes)).map_err(|_| ended())?;
        }
        let (mut derived, mut problems) = (Vec::new(), Vec::new());
        for _ in &self.commands {
            let (changes, lacks) = self.results.recv().map_err(|_| ended())?;
            derived.extend(changes);
            problems.extend(lacks);
        }
        derived.sort_unstable();
        problems.sort();
        Ok((derived, problems))
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        // Workers end when nobody can tell them anything any more.
        self.commands.clear();
    }
}
