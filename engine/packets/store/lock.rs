//! A file that one process at a time changes: whoever comes second waits, and then sees what the first one left.
//!
//! No link to the file is followed.

use std::ffi::OsString;
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

/// A file that nobody else who asks so has, until this is dropped.
pub struct Held {
    /// The file.
    pub file: File,
    /// The file beside it that is locked for it, where a lock on it would hinder who reads it.
    _lock: Option<File>,
}

/// Opens a regular file that is not a link and keeps others who ask so from it until the result is dropped.
///
/// # Errors
///
/// Those of opening; [`io::ErrorKind::TimedOut`] where another has it for more than five seconds.
pub fn held(path: &Path, options: &mut OpenOptions) -> io::Result<Held> {
    let end = Instant::now() + PATIENCE;
    if !system::LOCKS_HINDER_NOBODY {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".lock");
        let beside = path.with_file_name(name);
        let lock = system::open_plain(&beside, system::private_file(OpenOptions::new().read(true).write(true).create(true)))?;
        locked(&lock, end)?;
        return Ok(Held { file: system::open_plain(path, options)?, _lock: Some(lock) });
    }
    loop {
        let file = system::open_plain(path, options)?;
        locked(&file, end)?;
        // Whoever had it may have put another file in its place.
        match Identity::at(path) {
            Ok(now) if now == Identity::of(&file)? => return Ok(Held { file, _lock: None }),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
}

/// Waits for the lock of a file, which is given back when the file is closed.
fn locked(file: &File, end: Instant) -> io::Result<()> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < end => sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                let message = format!("another process has been changing it for {} seconds", PATIENCE.as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}
