//! The dataflow over all shards of a store: on threads, in several processes, on several hosts.

use crate::dataflow::{Dataflow, Derived};
use crate::key;
use crate::load::load;
use crate::meet::meet;
use error::{Error, ErrorKind, Problem, Result};
use std::any::Any;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards};
use timely::execute::execute_from;
use timely::worker::Worker;
use timely::{CommunicationConfig, WorkerConfig};

/// Who works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workers {
    /// Threads of each process.
    pub n_threads: usize,
    /// This process among all, and where each listens (`host:port`); none where there is one process.
    pub processes: Option<(usize, Vec<String>)>,
}

impl Workers {
    /// So many threads of one process.
    pub const fn threads(n_threads: usize) -> Self {
        Self { n_threads, processes: None }
    }

    /// Starts them, each with the same work.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where they cannot begin, or another process does not come.
    pub(crate) fn start<T: Send + 'static>(
        &self,
        work: impl Fn(&mut Worker) -> T + Send + Sync + 'static,
    ) -> Result<WorkerGuards<T>> {
        let failed = |why: String| Error::new(ErrorKind::Storage, format!("the workers cannot begin: {why}"));
        let (builders, others): (Vec<AllocatorBuilder>, Box<dyn Any + Send>) = match &self.processes {
            Some((process, addresses)) => {
                // Timely would meet them as well, but tells of it on stdout, where the answer stands, and waits for ever.
                let sockets = meet(addresses, *process)?;
                let hooks = Hooks::default();
                let own = ProcessBuilder::new_typed_vector(self.n_threads, hooks.refill.clone(), hooks.spill.clone());
                let found = initialize_networking_from_sockets(own, sockets, *process, self.n_threads, hooks);
                let (builders, guard) = found.map_err(|error| failed(error.to_string()))?;
                (builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard))
            }
            None if self.n_threads <= 1 => CommunicationConfig::Thread.try_build().map_err(failed)?,
            None => CommunicationConfig::Process(self.n_threads).try_build().map_err(failed)?,
        };
        execute_from(builders, others, WorkerConfig::default(), work).map_err(failed)
    }
}

/// A shard that takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name of its repository.
    pub name: String,
    /// The folder of its tables.
    pub folder: PathBuf,
}

/// What follows from the shards, in order; on the first of several processes all of it, on the others nothing. A shard that cannot be read takes
/// no part, and a problem says so.
///
/// # Errors
///
/// [`ErrorKind::Storage`] where the workers cannot begin, or one of them ended before all was derived.
pub fn derive(shards: &[Source], workers: &Workers) -> Result<(Vec<Derived>, Vec<Problem>)> {
    let sources = Arc::new(shards.to_vec());
    let problems = Arc::<Mutex<Vec<Problem>>>::default();
    let told = Arc::clone(&problems);
    let guards = workers.start(move |worker| {
        let mut dataflow = Dataflow::new(worker);
        let is_mine = |source: &&Source| key::repository(&source.name) % worker.peers() as u64 == worker.index() as u64;
        for source in sources.iter().filter(is_mine) {
            match load(&source.name, &source.folder) {
                Ok(rows) => dataflow.update(&rows, 1),
                Err(error) => {
                    let problem = Problem::new("fleet", format!("{} takes no part: {error}", source.name));
                    told.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
                }
            }
        }
        dataflow.settle(worker)
    })?;
    let mut derived = Vec::new();
    for found in guards.join() {
        let found =
            found.map_err(|why| Error::new(ErrorKind::Storage, format!("a worker ended before all was derived: {why}")))?;
        derived.extend(found.into_iter().map(|(row, _)| row));
    }
    derived.sort_unstable();
    let mut problems = std::mem::take(&mut *problems.lock().unwrap_or_else(PoisonError::into_inner));
    problems.sort();
    Ok((derived, problems))
}
