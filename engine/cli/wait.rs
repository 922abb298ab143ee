//! Reads files and stdin that others write while they are read: pipes, FIFOs, devices, endless streams. Nobody waits for ever.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long the next byte is waited for where nobody says otherwise.
pub(super) const DEFAULT_SECONDS: u64 = 30;
/// The longest wait that can be asked for: a day.
pub(super) const MAX_SECONDS: u64 = 86_400;
/// How many times as long all bytes of an input may take.
const TIMES: u32 = 10;

/// What the command line says.
static LIMIT: OnceLock<Duration> = OnceLock::new();

/// Sets how long the next byte of an input is waited for, once.
pub(super) fn set(seconds: u64) {
    let _ = LIMIT.set(Duration::from_secs(seconds));
}

/// An input that ends with an error when nothing came for so long, or all of it takes ten times as long.
pub(super) struct Waiting {
    source: File,
    limit: Duration,
    began: Instant,
}

impl Waiting {
    /// Opens a file without waiting for somebody who writes to it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let file = rustix::fs::openat(CWD, path, flags, Mode::empty())?;
        Ok(Self::new(file.into()))
    }

    pub(super) fn file(&self) -> &File {
        &self.source
    }

    /// stdin, without a buffer: what lies in one cannot be waited for.
    pub(super) fn stdin() -> io::Result<Self> {
        Ok(Self::new(io::stdin().as_fd().try_clone_to_owned()?.into()))
    }

    fn new(source: File) -> Self {
        let limit = LIMIT.get().copied().unwrap_or(Duration::from_secs(DEFAULT_SECONDS));
        Self { source, limit, began: Instant::now() }
    }

    /// Waits until something can be read, or nothing ever will.
    fn wait(&self) -> io::Result<()> {
        let late = |what: &str, limit: Duration| {
            let message = format!("{what} within {} seconds; `--wait SECONDS` waits longer", limit.as_secs());
            io::Error::new(io::ErrorKind::TimedOut, message)
        };
        let whole = self.limit * TIMES;
        if self.began.elapsed() >= whole {
            return Err(late("it did not end", whole));
        }
        let deadline = Instant::now() + self.limit;
        loop {
            let left = Timespec::try_from(deadline.saturating_duration_since(Instant::now())).unwrap_or_default();
            let mut fds = [PollFd::new(&self.source, PollFlags::IN)];
            match poll(&mut fds, Some(&left)) {
                Ok(0) => return Err(late("nothing was written to it", self.limit)),
                Err(Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

impl Read for Waiting {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            self.wait()?;
            match self.source.read(bytes) {
                // Somebody else read it first.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return result,
            }
        }
    }
}
