use std::sync::mpsc::{channel, Sender};
use std::thread;

/// A piece of work.
pub type Job = Box<dyn FnOnce() + Send>;

/// Threads that wait for jobs, and whose turn it is.
pub struct Pool {
    workers: Vec<Sender<Job>>,
    turn: usize,
}

impl Pool {
    /// Starts so many threads.
    pub fn new(threads: usize) -> Self {
        let workers = (0..threads).map(|_| {
            let (sender, jobs) = channel::<Job>();
            thread::spawn(move || jobs.into_iter().for_each(|job| job()));
            sender
        });
        Self { workers: workers.collect(), turn: 0 }
    }
}

/// Hands a job to the thread whose turn it is.
pub fn spawn(pool: &mut Pool, job: Job) {
    let worker = pool.turn % pool.workers.len();
    pool.turn += 1;
    pool.workers[worker].send(job).expect("a worker that lives");
}
