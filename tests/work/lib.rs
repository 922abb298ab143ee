//! Counts work, for tests that bound it: a clock says how busy a machine is, a count says what a program does.
//!
//! Code that is counted calls [`add`] under `#[cfg(test)]`, so that nothing is left of it elsewhere.

use std::cell::Cell;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Adds steps, bytes or whatever else is counted to what this thread has done.
pub fn add(n: usize) {
    DONE.set(DONE.get() + n as u64);
}

/// What a closure returns, and the work that it did. It runs in a pool of one thread, so that what it does in parallel is counted too.
///
/// # Panics
///
/// Where the system gives no thread.
pub fn done_by<T: Send>(of: impl FnOnce() -> T + Send) -> (T, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        let before = DONE.get();
        let returned = of();
        (returned, DONE.get() - before)
    })
}
