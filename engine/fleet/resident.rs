//! The dataflow kept running: where shards change, only what follows from that is derived again.

use crate::dataflow::{Dataflow, Derived, Rows};
use crate::derived::Parts;
use crate::key;
use crate::left_out::{Lack, LeftOut};
use crate::load::load;
use crate::peer::Lost;
use crate::run::{Ended, PAUSE, Source, Workers};
use crate::store::is_whole;
use error::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
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
    left_out: Vec<Lack>,
    /// What follows from these.
    derived: Parts,
    /// The shards from which what was written last follows.
    written: Option<BTreeMap<String, PathBuf>>,
}

/// What was derived before.
pub struct Last {
    /// The folder of its tables.
    pub folder: PathBuf,
    /// The shards of which it was derived, in the order of names.
    pub shards: Vec<Source>,
}

fn pair(source: &Source) -> (&String, &PathBuf) {
    (&source.name, &source.folder)
}

/// Shards that go and shards that come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Change {
    pub(crate) gone: Vec<Source>,
    pub(crate) new: Vec<Source>,
}

/// What came and what went on one thread, and what was left out of that.
type Found = (Vec<(Derived, isize)>, Vec<Lack>);

impl Resident {
    /// So many threads of this process. They hold nothing yet.
    pub fn new(n_threads: usize) -> Self {
        Self {
            n_threads: n_threads.max(1),
            workers: None,
            held: BTreeMap::new(),
            left_out: Vec::new(),
            derived: Parts::default(),
            written: None,
        }
    }

    /// Takes in what changed since the last time, until it holds these shards, and gives what was left out of them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where the threads cannot begin, or one of them ended; the next time all is taken in again.
    pub fn hold(&mut self, shards: &[Source]) -> Result<LeftOut> {
        let mut change = self.change(shards);
        // Rows go as they came: where the tables of a shard that goes are not what they were, all of them are taken in again.
        if !change.gone.iter().all(|source| is_whole(&source.folder)) {
            self.forget();
            change = self.change(shards);
        }
        let mut lacking = self.take_in(&change)?;
        if lacking.iter().any(|(name, ..)| change.gone.iter().any(|source| source.name == *name)) {
            self.forget();
            change = self.change(shards);
            lacking = self.take_in(&change)?;
        }
        for source in &change.gone {
            self.held.remove(&source.name);
        }
        for source in change.new.into_iter().filter(|source| lacking.iter().all(|(name, ..)| *name != source.name)) {
            self.held.insert(source.name, source.folder);
        }
        Ok(LeftOut::of(lacking.iter().chain(&self.left_out)))
    }

    /// Writes what follows from the shards that it holds into a folder. `last` is what was derived before, and of which shards: where these are those
    /// of which was written last, the files of what did not change since are taken from there.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where a table cannot be written.
    pub fn write(&mut self, folder: &Path, last: Option<&Last>) -> Result<()> {
        let written = self.written.take();
        let is_same = |last: &&Last| written.as_ref().is_some_and(|written| last.shards.iter().map(pair).eq(written));
        self.derived.write(folder, last.filter(is_same).map(|last| &*last.folder))?;
        self.written = Some(self.held.clone());
        Ok(())
    }

    /// What follows from the shards that it holds, in order.
    #[cfg(test)]
    pub(crate) fn derived(&self) -> Vec<Derived> {
        self.derived.all()
    }

    /// What is to go and to come until these shards are held.
    fn change(&self, shards: &[Source]) -> Change {
        let wanted: BTreeSet<(&str, &PathBuf)> = shards.iter().map(|source| (source.name.as_str(), &source.folder)).collect();
        let gone = self.held.iter().filter(|(name, folder)| !wanted.contains(&(name.as_str(), *folder)));
        let gone = gone.map(|(name, folder)| Source { name: name.clone(), folder: folder.clone() }).collect();
        let new = shards.iter().filter(|source| self.held.get(&source.name) != Some(&source.folder)).cloned().collect();
        Change { gone, new }
    }

    /// Derives what follows from a change, and gives who could not be read for it.
    fn take_in(&mut self, change: &Change) -> Result<Vec<Lack>> {
        if change.gone.is_empty() && change.new.is_empty() {
            return Ok(Vec::new());
        }
        let workers = match self.workers.take() {
            Some(workers) => workers,
            None => Running::start(self.n_threads, load)?,
        };
        let Some((changes, lacks)) = workers.change(change) else {
            self.forget();
            return Err(Error::new(ErrorKind::Storage, "a worker ended before all was derived"));
        };
        self.workers = Some(workers);
        let (lacking, left_out): (Vec<Lack>, Vec<Lack>) = lacks.into_iter().partition(|(_, is_lacking, _)| *is_lacking);
        self.left_out.retain(|(name, ..)| change.gone.iter().all(|source| source.name != *name));
        self.left_out.extend(left_out);
        self.derived.take(changes);
        Ok(lacking)
    }

    /// Holds nothing any more.
    fn forget(&mut self) {
        *self = Self::new(self.n_threads);
    }
}

/// Threads that wait for changes.
pub(crate) struct Running {
    commands: Vec<Sender<Arc<Change>>>,
    results: Receiver<Found>,
    ended: Ended,
    /// End when the commands do; none while they are joined.
    workers: Option<WorkerGuards<()>>,
}

/// Reads the shard of a repository.
pub(crate) type Load = fn(&str, &Path) -> Result<Rows>;

impl Running {
    pub(crate) fn start(n_threads: usize, load: Load) -> Result<Self> {
        let (commands, receivers): (Vec<_>, Vec<_>) = (0..n_threads).map(|_| channel::<Arc<Change>>()).unzip();
        let (sender, results) = channel::<Found>();
        // Each thread has the only sender of its own: when all have ended, nobody waits for them.
        let ends: Vec<_> = receivers.into_iter().map(|receiver| Some((receiver, sender.clone()))).collect();
        let (ends, ended) = (Mutex::new(ends), Ended::default());
        let workers = Workers::threads(n_threads).start(0, &Lost::default(), &ended, move |worker, ended| {
            let taken = ends.lock().unwrap_or_else(PoisonError::into_inner).get_mut(worker.index()).and_then(Option::take);
            let Some((receiver, sender)) = taken else { return };
            let mut dataflow = Dataflow::new(worker);
            let (peers, index) = (worker.peers() as u64, worker.index() as u64);
            let is_mine = |source: &&Source| key::repository(&source.name) % peers == index;
            for change in receiver {
                let mut lacks = Vec::new();
                for (sources, diff) in [(&change.gone, -1), (&change.new, 1)] {
                    for source in sources.iter().filter(is_mine) {
                        match load(&source.name, &source.folder) {
                            Ok(rows) => {
                                dataflow.update(&rows, diff);
                                let new = rows.left_out.into_iter().filter(|_| diff > 0);
                                lacks.extend(new.map(|what| (source.name.clone(), false, what)));
                            }
                            Err(error) => lacks.push((source.name.clone(), true, error.to_string())),
                        }
                    }
                }
                let changes = dataflow.settle(worker, ended);
                // What is not all is nothing.
                if ended.is_so() || sender.send((changes, lacks)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { commands, results, ended, workers: Some(workers) })
    }

    /// What comes and goes with a change; none where a thread has ended.
    pub(crate) fn change(&self, change: &Change) -> Option<Found> {
        let change = Arc::new(change.clone());
        for worker in &self.commands {
            worker.send(Arc::clone(&change)).ok()?;
        }
        let (mut derived, mut lacks) = (Vec::new(), Vec::new());
        for _ in &self.commands {
            let (changes, more) = self.next()?;
            derived.extend(changes);
            lacks.extend(more);
        }
        Some((derived, lacks))
    }

    /// What the next thread found.
    fn next(&self) -> Option<Found> {
        loop {
            match self.results.recv_timeout(PAUSE) {
                Ok(found) => return Some(found),
                Err(RecvTimeoutError::Timeout) if !self.ended.is_so() => {}
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Threads end when nobody can tell them anything any more.
        self.commands.clear();
        if let Some(workers) = self.workers.take() {
            // One that panicked was told of already.
            let _ = workers.join();
        }
    }
}
