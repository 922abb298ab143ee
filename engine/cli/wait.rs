//! Reads files and stdin that others write while they are read: pipes, FIFOs, devices, endless streams. Nobody waits for ever.

#[cfg(any(windows, test))]
mod by_thread;
#[cfg(unix)]
mod polled;

#[cfg(windows)]
use by_thread::Source;
#[cfg(unix)]
use polled::Source;

use std::fs::Metadata;
use std::io::{self, Read};
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

/// How long the next byte of an input is waited for.
pub(super) fn limit() -> Duration {
    LIMIT.get().copied().unwrap_or(Duration::from_secs(DEFAULT_SECONDS))
}

/// What can be waited for and read.
trait Input {
    /// Waits until something can be read, or nothing ever will; no where the time is over.
    fn is_ready(&mut self, within: Duration) -> io::Result<bool>;
    /// Reads what is there; [`io::ErrorKind::WouldBlock`] where it went meanwhile.
    fn read_now(&mut self, bytes: &mut [u8]) -> io::Result<usize>;
}

/// An input that ends with an error when nothing came for so long, or all of it takes ten times as long.
pub(super) struct Waiting {
    source: Source,
    limit: Duration,
    began: Instant,
}

impl Waiting {
    /// Opens a file without waiting for somebody who writes to it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Source::open(path).map(Self::new)
    }

    /// stdin, without a buffer: what lies in one cannot be waited for.
    pub(super) fn stdin() -> io::Result<Self> {
        Source::stdin().map(Self::new)
    }

    /// What the system says of the file; none of stdin.
    pub(super) fn metadata(&self) -> Option<Metadata> {
        self.source.metadata()
    }

    fn new(source: Source) -> Self {
        Self { source, limit: limit(), began: Instant::now() }
    }

    /// Waits until something can be read, or nothing ever will.
    fn wait(&mut self) -> io::Result<()> {
        let late = |what: &str, limit: Duration| {
            let message = format!("{what} within {} seconds; `--wait SECONDS` waits longer", limit.as_secs());
            io::Error::new(io::ErrorKind::TimedOut, message)
        };
        let whole = self.limit * TIMES;
        if self.began.elapsed() >= whole {
            return Err(late("it did not end", whole));
        }
        if self.source.is_ready(self.limit)? { Ok(()) } else { Err(late("nothing was written to it", self.limit)) }
    }
}

impl Read for Waiting {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            self.wait()?;
            match self.source.read_now(bytes) {
                // Somebody else read it first.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return result,
            }
        }
    }
}
