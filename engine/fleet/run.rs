//! The dataflow over all shards of a store: on threads, in several processes, on several hosts.

use crate::dataflow::{Dataflow, Derived};
use crate::key;
use crate::load::load;
use crate::meet::meet;
use crate::peer::{Lost, peers};
use error::{Error, ErrorKind, Problem, Result};
use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards};
use timely::execute::execute_from;
use timely::worker::Worker;
use timely::{CommunicationConfig, WorkerConfig};
use xxhash_rust::xxh3::xxh3_64;

/// Stands for this program: all sources of this crate, and what it is built with.
const PROGRAM: &str = env!("ACTIVATE_FLEET_PROGRAM");

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

    /// Has each do the same work, and gives what each of this process found, in their order. The key stands for the work: processes with
    /// different keys do not begin.
    ///
    /// # Errors
    ///
    /// Those of [`Workers::start`], and [`ErrorKind::Storage`] where a worker or another process ends or falls silent before all is done.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        key: u64,
        work: impl Fn(&mut Worker) -> T + Send + Sync + 'static,
    ) -> Result<Vec<T>> {
        let lost = Lost::default();
        let guards = self.start(key, &lost, work)?;
        // Threads of connections that were lost panic, and so does whoever joins them.
        let found = panic::catch_unwind(AssertUnwindSafe(move || guards.join().into_iter().collect()));
        let ended = || Error::new(ErrorKind::Storage, lost.why().unwrap_or("a worker ended before all was done"));
        match found {
            Ok(Ok(found)) if lost.why().is_none() => Ok(found),
            Ok(Err(why)) if lost.why().is_none() => Err(Error::new(ErrorKind::Storage, format!("{}: {why}", ended().message))),
            _ => Err(ended()),
        }
    }

    /// What processes have in common that work together: the version of this program, threads and work.
    fn greeting(&self, key: u64) -> u64 {
        xxh3_64(format!("{PROGRAM} {} {key}", self.n_threads).as_bytes())
    }

    /// Starts them, each with the same work.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where they cannot begin, or another process does not come; [`ErrorKind::BadInput`] where another has another key.
    pub(crate) fn start<T: Send + 'static>(
        &self,
        key: u64,
        lost: &Lost,
        work: impl Fn(&mut Worker) -> T + Send + Sync + 'static,
    ) -> Result<WorkerGuards<T>> {
        let failed = |why: String| Error::new(ErrorKind::Storage, format!("the workers cannot begin: {why}"));
        let (builders, others): (Vec<AllocatorBuilder>, Box<dyn Any + Send>) = match &self.processes {
            Some((process, addresses)) => {
                // Timely would meet them as well, but tells of it on stdout, where the answer stands, and waits for ever.
                let met = meet(addresses, *process, self.greeting(key))?;
                let sockets = peers(met, lost).map_err(|error| failed(error.to_string()))?;
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
    let key = xxh3_64(format!("derive {shards:?}").as_bytes());
    let found = workers.run(key, move |worker| {
        let mut dataflow = Dataflow::new(worker);
        let is_mine = |source: &&Source| key::repository(&source.name) % worker.peers() as u64 == worker.index() as u64;
        let tell = |lines: Vec<String>| {
            let problems = lines.into_iter().map(|line| Problem::new("fleet", line));
            told.lock().unwrap_or_else(PoisonError::into_inner).extend(problems);
        };
        for source in sources.iter().filter(is_mine) {
            match load(&source.name, &source.folder) {
                Ok(rows) => {
                    dataflow.update(&rows, 1);
                    tell(rows.left_out.iter().map(|what| format!("{}: {what}", source.name)).collect());
                }
                Err(error) => tell(vec![format!("{} takes no part: {error}", source.name)]),
            }
        }
        dataflow.settle(worker)
    })?;
    let mut derived: Vec<Derived> = found.into_iter().flatten().map(|(row, _)| row).collect();
    derived.sort_unstable();
    let mut problems = std::mem::take(&mut *problems.lock().unwrap_or_else(PoisonError::into_inner));
    problems.sort();
    Ok((derived, problems))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_process_that_ends_early_is_named_and_nobody_waits_for_it() {
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let addresses = listeners.map(|listener| listener.local_addr().expect("an address").to_string()).to_vec();
        let workers = |process: usize| Workers { n_threads: 2, processes: Some((process, addresses.clone())) };
        let work = |worker: &mut Worker| Dataflow::new(worker).settle(worker).len();
        let said = std::thread::scope(|scope| {
            let other = workers(1);
            // It comes, and goes before it did anything.
            let addresses = &addresses;
            scope.spawn(move || meet(addresses, 1, other.greeting(7)).map(drop));
            workers(0).run(7, work).expect_err("nobody answers")
        });
        let end = "has ended before the answer was there: start all processes again";
        assert!(said.message.starts_with("the process 1 at `127.0.0.1:") && said.message.ends_with(end), "{}", said.message);
        assert_ne!(workers(0).greeting(7), Workers { n_threads: 3, ..workers(0) }.greeting(7));
    }
}
