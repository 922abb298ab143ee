//! Runs what calls ask for on threads of their own: so many at a time, none for nobody, and none that takes the server with it.

use super::toolbox::ProgressFn;
use index::snapshot::Progress;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Calls at work at the same time: each uses all processors where there is much to do.
pub(super) const MAX_AT_WORK: usize = 2;
/// Calls at work and waiting: each costs some seven kilobytes in the SDK (measured 2026-11-22).
const MAX_CALLS: usize = 128;

/// Why a call has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// Too many wait already.
    Busy,
    /// Nobody waits for it any more.
    Cancelled,
    /// It panicked.
    Panicked,
}

/// The calls of a server.
#[derive(Clone)]
pub(super) struct Calls {
    places: Arc<Semaphore>,
    at_work: Arc<Semaphore>,
    /// Cancelled when the server is to end.
    stop: CancellationToken,
}

/// Says to a piece of work that nobody waits for it any more.
#[derive(Clone, Default)]
struct Flag(Arc<AtomicBool>);

/// Raises its flag when it is dropped: when the call was answered, cancelled or forgotten.
struct Raised(Flag);

impl Drop for Raised {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// A call is given up.
///
/// The engine tells how far it is at many places in the depth of its work, and none of them asks whether to go on: it is left from there by
/// unwinding, as the resolver is where facts cannot be read. Nothing is written between a place where it tells and the end of a file.
struct Cancelled;

#[cfg(panic = "abort")]
compile_error!("a cancelled call unwinds");

impl Calls {
    /// None yet. When `stop` is cancelled, calls are given up.
    pub(super) fn new(stop: CancellationToken) -> Self {
        Self { places: Arc::new(Semaphore::new(MAX_CALLS)), at_work: Arc::new(Semaphore::new(MAX_AT_WORK)), stop }
    }

    /// Does a piece of work on a thread of its own, until `cancelled`. It is handed what to tell its progress to, which goes to `tell`.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        cancelled: &CancellationToken,
        tell: impl Fn(Progress) + Send + Sync + 'static,
        work: impl FnOnce(ProgressFn<'_>) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        let _place = self.places.try_acquire().map_err(|_| Unanswered::Busy)?;
        let flag = Flag::default();
        let _raised = Raised(flag.clone());
        let done = async {
            // What was given up keeps its turn until it is really over.
            let turn = Arc::clone(&self.at_work).acquire_owned().await.map_err(|_| Unanswered::Cancelled)?;
            let work = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                unless_panicked(|| work(&|progress| until_raised(&flag, progress, &tell)))
            });
            let done = work.await.unwrap_or(Err(Unanswered::Panicked));
            // Beside the answer's way out, and nobody waits for it.
            drop(tokio::task::spawn_blocking(system::give_back_memory));
            done
        };
        tokio::select! {
            biased;
            () = cancelled.cancelled() => Err(Unanswered::Cancelled),
            () = self.stop.cancelled() => Err(Unanswered::Cancelled),
            done = done => done,
        }
    }
}

/// Tells progress, and leaves the work where nobody waits for it.
fn until_raised(flag: &Flag, progress: Progress, tell: &impl Fn(Progress)) {
    if flag.0.load(Ordering::Relaxed) {
        // Not a panic: nothing is wrong, and no hook is to hear of it.
        resume_unwind(Box::new(Cancelled));
    }
    tell(progress);
}

/// What `work` gives, unless it was given up or panicked.
fn unless_panicked<T>(work: impl FnOnce() -> T) -> Result<T, Unanswered> {
    let why = |payload: Box<dyn Any + Send>| if payload.is::<Cancelled>() { Unanswered::Cancelled } else { Unanswered::Panicked };
    catch_unwind(AssertUnwindSafe(work)).map_err(why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::mpsc::channel;
    use tokio::runtime::{Builder, Runtime};

    fn runtime() -> Runtime {
        Builder::new_current_thread().build().expect("a runtime")
    }

    #[test]
    fn a_panic_is_that_of_its_call_alone() {
        let (calls, never) = (Calls::new(CancellationToken::new()), CancellationToken::new());
        runtime().block_on(async {
            let panics = |_: ProgressFn<'_>| -> u8 { resume_unwind(Box::new("on purpose")) };
            for _ in 0..=MAX_CALLS {
                assert_eq!(calls.run(&never, |_| (), panics).await, Err(Unanswered::Panicked));
            }
            assert_eq!(calls.run(&never, |_| (), |_| 7).await, Ok(7));
        });
    }

    #[test]
    fn work_that_nobody_waits_for_ends_where_it_tells_its_progress() {
        let calls = Calls::new(CancellationToken::new());
        let cancelled = CancellationToken::new();
        let (say, heard) = channel();
        let cancel = cancelled.clone();
        let answer = runtime().block_on(calls.run(
            &cancelled,
            |_| (),
            move |progress| {
                let ended = unless_panicked(|| {
                    cancel.cancel();
                    loop {
                        progress(Progress::Comparing);
                    }
                });
                say.send(ended).expect("somebody listens");
            },
        ));
        assert_eq!(answer, Err(Unanswered::Cancelled));
        assert_eq!(heard.recv(), Ok(Err::<(), _>(Unanswered::Cancelled)));
    }

    #[test]
    fn two_are_at_work_and_the_rest_waits_or_is_sent_away() {
        let (calls, never) = (Calls::new(CancellationToken::new()), CancellationToken::new());
        let (started, counted) = channel();
        // One more than are at work holds those back until all that may wait do so.
        let gate = Arc::new(Barrier::new(MAX_AT_WORK + 1));
        let runtime = runtime();
        let all = runtime.block_on(async {
            let local = tokio::task::LocalSet::new();
            let waiting: Vec<_> = (0..MAX_CALLS)
                .map(|number| {
                    let (calls, never, started, gate) = (calls.clone(), never.clone(), started.clone(), Arc::clone(&gate));
                    local.spawn_local(async move {
                        let work = move |_: ProgressFn<'_>| {
                            started.send(number).expect("somebody counts");
                            if number < MAX_AT_WORK {
                                gate.wait();
                            }
                            number
                        };
                        calls.run(&never, |_| (), work).await
                    })
                })
                .collect();
            local
                .run_until(async {
                    while calls.places.available_permits() > 0 || calls.at_work.available_permits() > 0 {
                        tokio::task::yield_now().await;
                    }
                    assert_eq!(calls.run(&never, |_| (), |_| 0).await, Err(Unanswered::Busy));
                    let first: Vec<usize> = counted.iter().take(MAX_AT_WORK).collect();
                    assert_eq!((first.len(), counted.try_recv().ok()), (MAX_AT_WORK, None));
                    gate.wait();
                    let mut all = Vec::new();
                    for call in waiting {
                        all.push(call.await.expect("a call"));
                    }
                    all
                })
                .await
        });
        assert_eq!(all, (0..MAX_CALLS).map(Ok).collect::<Vec<_>>());
    }
}
