//! Whether every byte of a file has been checked since it was written, so that nobody need check it again.
//!
//! A file counts as the one that was checked as long as its number, length and times stay and the machine has not been started anew: what a
//! power cut takes is found by the first check after it. Where the system does not tell that much, every process checks.

use super::pack::digest;
use std::fs::{self, File};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use system::Stamp;

/// Tells one start of the machine from another, on Linux.
const START: &str = "/proc/sys/kernel/random/boot_id";

/// What it told this process.
static STARTED: OnceLock<Option<Vec<u8>>> = OnceLock::new();

/// A file that was changed later than this before now may change again and have the same times.
const SETTLED: Duration = Duration::from_secs(2);

/// What tells a file as it is at the time `now` from all that it has been and will be; none where that is not to be told.
pub fn state(file: &File, now: SystemTime) -> Option<u128> {
    let stamp = Stamp::of(file).ok()?;
    let settled = now.checked_sub(SETTLED)?.duration_since(UNIX_EPOCH).ok()?;
    let is_settled = stamp.times.iter().all(|time| i128::from(*time) < settled.as_nanos() as i128);
    let start = STARTED.get_or_init(|| fs::read(START).ok()).as_ref().filter(|_| is_settled)?;
    Some(digest(&[start, &stamp.bytes()]))
}
