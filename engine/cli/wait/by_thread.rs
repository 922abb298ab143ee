//! Inputs that a thread reads, since the system cannot be asked about them.
//!
//! The thread goes on until something comes or the program ends: nobody waits for it.

use super::Input;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Bytes that are read at once: what a pipe holds.
const CHUNK_BYTES: usize = 64 << 10;
/// How many such parts may wait to be wanted.
const MAX_WAITING: usize = 4;

/// An open file, or what a thread reads of one.
pub(super) enum Source {
    /// A file whose end is known: nobody waits for more of it.
    Plain(File),
    /// What may end or not.
    Read { parts: Receiver<io::Result<Vec<u8>>>, part: Vec<u8>, n_used: usize, has_ended: bool },
}

impl Source {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata().is_ok_and(|metadata| metadata.is_file()) { Ok(Self::Plain(file)) } else { Self::by_thread(file) }
    }

    #[cfg(windows)]
    pub(super) fn stdin() -> io::Result<Self> {
        Self::by_thread(io::stdin())
    }

    #[cfg(windows)]
    pub(super) fn metadata(&self) -> Option<Metadata> {
        self.plain()
    }

    fn plain(&self) -> Option<Metadata> {
        match self {
            Self::Plain(file) => file.metadata().ok(),
            Self::Read { .. } => None,
        }
    }

    pub(super) fn by_thread(mut source: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, parts) = sync_channel(MAX_WAITING);
        let forward = move || {
            loop {
                let mut bytes = vec![0; CHUNK_BYTES];
                let part = match source.read(&mut bytes) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    other => other.map(|n_read| {
                        bytes.truncate(n_read);
                        bytes
                    }),
                };
                let is_last = part.as_ref().map_or(true, Vec::is_empty);
                if sender.send(part).is_err() || is_last {
                    return;
                }
            }
        };
        std::thread::Builder::new().spawn(forward)?;
        Ok(Self::Read { parts, part: Vec::new(), n_used: 0, has_ended: false })
    }
}

impl Input for Source {
    fn is_ready(&mut self, within: Duration) -> io::Result<bool> {
        let Self::Read { parts, part, n_used, has_ended } = self else { return Ok(true) };
        if *has_ended || *n_used < part.len() {
            return Ok(true);
        }
        match parts.recv_timeout(within) {
            Err(RecvTimeoutError::Timeout) => return Ok(false),
            Err(RecvTimeoutError::Disconnected) => part.clear(),
            Ok(next) => *part = next?,
        }
        (*n_used, *has_ended) = (0, part.is_empty());
        Ok(true)
    }

    fn read_now(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.read(bytes),
            Self::Read { part, n_used, .. } => {
                let n_read = part.get(*n_used..).unwrap_or_default().read(bytes)?;
                *n_used += n_read;
                Ok(n_read)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Write as _, pipe};

    const LONG: Duration = Duration::from_secs(60);

    /// All that comes, by so many bytes at once.
    fn all(source: &mut Source, n_bytes: usize) -> Vec<u8> {
        let (mut all, mut bytes) = (Vec::new(), vec![0; n_bytes]);
        loop {
            assert!(source.is_ready(LONG).expect("an input"));
            match source.read_now(&mut bytes).expect("bytes") {
                0 => return all,
                n_read => all.extend(&bytes[..n_read]),
            }
        }
    }

    #[test]
    fn all_that_is_written_comes_in_order_and_nothing_is_waited_for_longer_than_said() {
        let (reader, mut writer) = pipe().expect("a pipe");
        let mut source = Source::by_thread(reader).expect("a thread");
        assert!(!source.is_ready(Duration::from_millis(20)).expect("an input"));
        let text: Vec<u8> = (0..300_000_u32).map(|at| at as u8).collect();
        let written = text.clone();
        let writing = std::thread::spawn(move || writer.write_all(&written));
        assert_eq!(all(&mut source, 1000), text);
        assert!(source.is_ready(Duration::ZERO).expect("an input"), "an end stays one");
        writing.join().expect("a thread").expect("a reader");
    }

    #[test]
    fn a_file_is_read_as_it_is() {
        let path = std::env::temp_dir().join(format!("activate-wait-{}", std::process::id()));
        std::fs::write(&path, "text").expect("a file");
        let mut source = Source::open(&path).expect("a file");
        assert_eq!(source.plain().map(|found| found.len()), Some(4));
        assert_eq!(all(&mut source, 3), b"text");
        std::fs::remove_file(&path).expect("gone");
    }
}
