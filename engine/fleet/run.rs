//! The dataflow over all shards of a store: on threads, in several processes, on several hosts.

use crate::dataflow::{Dataflow, Derived};
use crate::key;
use crate::left_out::{LeftOut, Telling};
use crate::load::load;
use crate::meet::meet;
use crate::peer::{Lost, peers};
use error::{Error, ErrorKind, Result};
use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards};
use timely::execute::execute_from;
use timely::worker::Worker;
use timely::{CommunicationConfig, WorkerConfig};
use xxhash_rust::xxh3::xxh3_64;

/// Stands for this program: all sources of this crate, and what it is built with.
const PROGRAM: &str = env!("ACTIVATE_FLEET_PROGRAM");

/// How often a thread that waits for others asks whether one of them has ended.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

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
        work: impl Fn(&mut Worker, &Ended) -> T + Send + Sync + 'static,
    ) -> Result<Vec<T>> {
        let lost = Lost::default();
        let guards = self.start(key, &lost, &Ended::default(), work)?;
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
        ended: &Ended,
        work: impl Fn(&mut Worker, &Ended) -> T + Send + Sync + 'static,
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
        let ended = ended.clone();
        let work = move |worker: &mut Worker| {
            let _watch = Watch(&ended);
            let found = work(worker, &ended);
            // Others may need what is still to be sent from here.
            ended.finish(worker);
            if ended.is_so() {
                for dataflow in worker.installed_dataflows() {
                    worker.drop_dataflow(dataflow);
                }
            }
            found
        };
        execute_from(builders, others, WorkerConfig::default(), work).map_err(failed)
    }
}

/// Whether a thread of this process ended before all was done. What the others wait for then never comes: they leave it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ended(Arc<AtomicBool>);

impl Ended {
    pub(crate) fn is_so(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Works until all is done.
    pub(crate) fn finish(&self, worker: &mut Worker) {
        while !self.is_so() && worker.has_dataflows() {
            worker.step_or_park(Some(PAUSE));
        }
    }
}

/// Tells when its thread panics.
struct Watch<'e>(&'e Ended);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.0.store(true, Ordering::Release);
        }
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

impl Source {
    /// Its name, and that of its folder: this stands for what is in it, and where it lies is another matter on each host.
    pub(crate) fn stands_for(&self) -> String {
        format!("{} {}", self.name, self.folder.file_name().unwrap_or_default().to_string_lossy())
    }
}

/// What follows from the shards, in order, and what was left out; on the first of several processes all of it, on the others nothing. A shard that
/// cannot be read takes no part.
///
/// # Errors
///
/// [`ErrorKind::Storage`] where the workers cannot begin, or one of them ended before all was derived.
pub fn derive(shards: &[Source], workers: &Workers) -> Result<(Vec<Derived>, LeftOut)> {
    let sources = Arc::new(shards.to_vec());
    let names: Vec<String> = shards.iter().map(Source::stands_for).collect();
    let key = xxh3_64(format!("derive {names:?}").as_bytes());
    let found = workers.run(key, move |worker, ended| {
        let (mut dataflow, mut telling) = (Dataflow::new(worker), Telling::new(worker));
        let is_mine = |source: &&Source| key::repository(&source.name) % worker.peers() as u64 == worker.index() as u64;
        for source in sources.iter().filter(is_mine) {
            match load(&source.name, &source.folder) {
                Ok(rows) => {
                    dataflow.update(&rows, 1);
                    rows.left_out.into_iter().for_each(|what| telling.tell((source.name.clone(), false, what)));
                }
                Err(error) => telling.tell((source.name.clone(), true, error.to_string())),
            }
        }
        (dataflow.settle(worker, ended), telling.heard(worker, ended))
    })?;
    let (rows, lacks): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let mut derived: Vec<Derived> = rows.into_iter().flatten().map(|(row, _)| row).collect();
    derived.sort_unstable();
    Ok((derived, LeftOut::of(lacks.iter().flatten())))
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
        let work = |worker: &mut Worker, ended: &Ended| Dataflow::new(worker).settle(worker, ended).len();
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

    #[test]
    fn a_thread_that_panics_is_an_error_and_nobody_waits_for_it() {
        for n_threads in [1, 3] {
            let work = |worker: &mut Worker, ended: &Ended| {
                let mut dataflow = Dataflow::new(worker);
                assert_ne!(worker.index() + 1, worker.peers(), "the last thread panics");
                dataflow.settle(worker, ended)
            };
            let said = Workers::threads(n_threads).run(7, work).expect_err("one has ended").message;
            assert!(said.starts_with("a worker ended before all was done"), "{said}");
        }
    }
}
