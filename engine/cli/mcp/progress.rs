//! How far a call is, as a number that only rises, told to whoever asked to be told.

use index::snapshot::Progress;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How often progress is told: people see no more, and a client that counts files has better things to read.
const EVERY: Duration = Duration::from_millis(100);
/// Parts of a stage.
const PARTS: usize = 1_000;
/// The stages of a call, in the order in which most begin.
const STAGES: [&str; 8] = [
    "comparing files",
    "reading files",
    "resolving names",
    "keeping what was found",
    "asking git",
    "reading commits",
    "reading the task",
    "activating",
];

/// How far a call is, in parts of its stages.
#[derive(Clone, Default)]
pub(super) struct Steps(Arc<AtomicUsize>);

impl Steps {
    /// Notes how far the call is. Stages that run beside each other do not set it back.
    pub(super) fn note(&self, progress: Progress) {
        self.0.fetch_max(parts(progress), Ordering::Relaxed);
    }

    /// Tells a client whenever there is something new to tell, for as long as it is asked.
    pub(super) async fn tell(&self, peer: &Peer<RoleServer>, token: ProgressToken) -> Infallible {
        let mut told = 0;
        loop {
            tokio::time::sleep(EVERY).await;
            let parts = self.0.load(Ordering::Relaxed);
            if parts <= told {
                continue;
            }
            told = parts;
            let progress =
                ProgressNotificationParam::new(token.clone(), parts as f64 / PARTS as f64).with_total(STAGES.len() as f64);
            let stage = STAGES.get((parts - 1) / PARTS).copied().unwrap_or_default();
            // A client that has gone is noticed by its transport.
            let _ = peer.notify_progress(progress.with_message(stage)).await;
        }
    }
}

/// How many parts are done: at least one, so that there is something to tell from the start.
fn parts(progress: Progress) -> usize {
    let (stage, done) = match progress {
        Progress::Comparing => (0, 0),
        Progress::Reading(n_read, of) | Progress::Kept(n_read, of) => (1, n_read.min(of) * (PARTS - 1) / of.max(1)),
        Progress::Resolving => (2, 0),
        Progress::Writing => (3, 0),
        Progress::Git => (4, 0),
        Progress::History => (5, 0),
        Progress::Intent => (6, 0),
        Progress::Activation => (7, 0),
    };
    stage * PARTS + done + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_follow_each_other_and_none_reaches_into_the_next() {
        let all = [
            Progress::Comparing,
            Progress::Reading(0, 0),
            Progress::Reading(1, 2),
            Progress::Reading(2, 2),
            Progress::Resolving,
            Progress::Writing,
            Progress::Git,
            Progress::History,
            Progress::Intent,
            Progress::Activation,
        ];
        let parts = all.map(parts);
        assert!(parts.is_sorted_by(|first, second| first < second), "{parts:?}");
        let stages = parts.map(|parts| STAGES[(parts - 1) / PARTS]);
        assert_eq!(stages[1..5], ["reading files", "reading files", "reading files", "resolving names"]);
        let steps = Steps::default();
        for progress in [Progress::History, Progress::Reading(1, 2)] {
            steps.note(progress);
        }
        assert_eq!(steps.0.load(Ordering::Relaxed), super::parts(Progress::History));
    }
}
