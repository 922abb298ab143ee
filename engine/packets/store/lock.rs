//! A file that one process at a time changes: whoever comes second waits, and then sees what the first one left.
//!
//! No link to the file is followed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};
use system::Identity;

/// How long a file is waited for: whoever changes one needs milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// Opens a regular file that is not a link and keeps others who ask so from it until the result is dropped.
///
/// # Errors
///
/// Those of opening; [`io::ErrorKind::TimedOut`] where another has it for more than five seconds.
pub fn held(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let end = Instant::now() + PATIENCE;
    loop {
        let file = system::open_plain(path, options)?;
        while let Err(error) = file.try_lock() {
            match error {
                TryLockError::WouldBlock if Instant::now() < end => sleep(PAUSE),
                TryLockError::WouldBlock => {
                    let message = format!("another process has been changing it for {} seconds", PATIENCE.as_secs());
                    return Err(io::Error::new(io::ErrorKind::TimedOut, message));
                }
                TryLockError::Error(error) => return Err(error),
            }
        }
        // Whoever had it may have put another file in its place.
        match Identity::at(path) {
            Ok(now) if now == Identity::of(&file)? => return Ok(file),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
}
