//! The dataflow kept running: where shards change, only what follows from that is derived again.

use crate::dataflow::{Dataflow, Derived};
use crate::key;
use crate::load::load;
use crate::peer::Lost;
use crate::run::{Source, Workers};
use crate::store::is_whole;
use error::{Error, ErrorKind, Problem, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use timely::communication::WorkerGuards;

/// Threads that hold the boundaries of all shards, and what follows from them.
pub struct Resident {
    n_threads: usize,
    /// None before they are needed, and after one of them ended.
    workers: Option<Running>,
    /// The shards whose rows the threads hold: their folders by the names of their repositories.
    held: BTreeMap<String, PathBuf>,
    /// What was left out of these.
    left_out: Told,
    /// What follows from these, in order, each with how often it does.
    derived: Vec<(Derived, isize)>,
}

/// Shards that go and shards that come.
#[derive(Debug, Default)]
struct Change {
    gone: Vec<Source>,
    new: Vec<Source>,
}

/// Names of repositories, each with what is to be said of it.
type Told = Vec<(String, String)>;

/// What came and what went on one thread, which shards could not be read there, each with the reason, and what was left out of others.
type Found = (Vec<(Derived, isize)>, Told, Told);

impl Resident {
    /// So many threads of this process. They hold nothing yet.
    pub fn new(n_threads: usize) -> Self {
        Self { n_threads: n_threads.max(1), workers: None, held: BTreeMap::new(), left_out: Vec::new(), derived: Vec::new() }
    }

    /// What follows from the shards, as [`derive`](crate::derive) says it: what changed since the last time is taken in, and all else is known.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where the threads cannot begin, or one of them ended; the next time all is taken in again.
    pub fn derive(&mut self, shards: &[Source]) -> Result<(Vec<Derived>, Vec<Problem>)> {
        let mut change = self.change(shards);
        // Rows go as they came: where the tables of a shard that goes are not what they were, all of them are taken in again.
        if !change.gone.iter().all(|source| is_whole(&source.folder)) {
            self.forget();
            change = self.change(shards);
        }
        let mut failed = self.take_in(&change)?;
        if failed.iter().any(|(name, _)| change.gone.iter().any(|source| source.name == *name)) {
            self.forget();
            change = self.change(shards);
            failed = self.take_in(&change)?;
        }
        for source in &change.gone {
            self.held.remove(&source.name);
        }
        for source in change.new.into_iter().filter(|source| failed.iter().all(|(name, _)| *name != source.name)) {
            self.held.insert(source.name, source.folder);
        }
        let mut problems: Vec<Problem> =
            failed.iter().map(|(name, why)| Problem::new("fleet", format!("{name} takes no part: {why}"))).collect();
        problems.extend(self.left_out.iter().map(|(name, what)| Problem::new("fleet", format!("{name}: {what}"))));
        problems.sort();
        Ok((self.derived.iter().map(|(row, _)| *row).collect(), problems))
    }

    /// What is to go and to come until these shards are held.
    fn change(&self, shards: &[Source]) -> Change {
        let wanted: BTreeSet<(&str, &PathBuf)> = shards.iter().map(|source| (source.name.as_str(), &source.folder)).collect();
        let gone = self.held.iter().filter(|(name, folder)| !wanted.contains(&(name.as_str(), *folder)));
        let gone = gone.map(|(name, folder)| Source { name: name.clone(), folder: folder.clone() }).collect();
        let new = shards.iter().filter(|source| self.held.get(&source.name) != Some(&source.folder)).cloned().collect();
        Change { gone, new }
    }

    /// Derives what follows from a change, and gives what could not be read for it.
    fn take_in(&mut self, change: &Change) -> Result<Told> {
        if change.gone.is_empty() && change.new.is_empty() {
            return Ok(Vec::new());
        }
        let workers = match self.workers.take() {
            Some(workers) => workers,
            None => Running::start(self.n_threads)?,
        };
        let Some((changes, failed, left_out)) = workers.change(change) else {
            self.forget();
            return Err(Error::new(ErrorKind::Storage, "a worker ended before all was derived"));
        };
        self.workers = Some(workers);
        self.left_out.retain(|(name, _)| change.gone.iter().all(|source| source.name != *name));
        self.left_out.extend(left_out);
        self.derived.extend(changes);
        // Two runs that are in order are merged.
        self.derived.sort();
        self.derived.dedup_by(|next, row| {
            let is_same = next.0 == row.0;
            row.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        self.derived.retain(|(_, n_times)| *n_times != 0);
        Ok(failed)
    }

    /// Holds nothing any more.
    fn forget(&mut self) {
        *self = Self::new(self.n_threads);
    }
}

/// Threads that wait for changes.
struct Running {
    commands: Vec<Sender<Arc<Change>>>,
    results: Receiver<Found>,
    /// Ends when the commands do.
    _workers: WorkerGuards<()>,
}

impl Running {
    fn start(n_threads: usize) -> Result<Self> {
        let (commands, receivers): (Vec<_>, Vec<_>) = (0..n_threads).map(|_| channel::<Arc<Change>>()).unzip();
        let (sender, results) = channel::<Found>();
        // Each thread has the only sender of its own: when all have ended, nobody waits for them.
        let ends: Vec<_> = receivers.into_iter().map(|receiver| Some((receiver, sender.clone()))).collect();
        let ends = Mutex::new(ends);
        let workers = Workers::threads(n_threads).start(0, &Lost::default(), move |worker| {
            let taken = ends.lock().unwrap_or_else(PoisonError::into_inner).get_mut(worker.index()).and_then(Option::take);
            let Some((receiver, sender)) = taken else { return };
            let mut dataflow = Dataflow::new(worker);
            let (peers, index) = (worker.peers() as u64, worker.index() as u64);
            let is_mine = |source: &&Source| key::repository(&source.name) % peers == index;
            for change in receiver {
                let (mut failed, mut left_out) = (Vec::new(), Vec::new());
                for (sources, diff) in [(&change.gone, -1), (&change.new, 1)] {
                    for source in sources.iter().filter(is_mine) {
                        match load(&source.name, &source.folder) {
                            Ok(rows) => {
                                dataflow.update(&rows, diff);
                                let new = rows.left_out.into_iter().filter(|_| diff > 0);
                                left_out.extend(new.map(|what| (source.name.clone(), what)));
                            }
                            Err(error) => failed.push((source.name.clone(), error.to_string())),
                        }
                    }
                }
                let changes = dataflow.settle(worker);
                if sender.send((changes, failed, left_out)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { commands, results, _workers: workers })
    }

    /// What comes and goes with a change; none where a thread has ended.
    fn change(&self, change: &Change) -> Option<Found> {
        let change = Arc::new(Change { gone: change.gone.clone(), new: change.new.clone() });
        for worker in &self.commands {
            worker.send(Arc::clone(&change)).ok()?;
        }
        let (mut derived, mut failed, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        for _ in &self.commands {
            let (changes, lacks, more) = self.results.recv().ok()?;
            derived.extend(changes);
            failed.extend(lacks);
            left_out.extend(more);
        }
        Some((derived, failed, left_out))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Threads end when nobody can tell them anything any more.
        self.commands.clear();
    }
}
