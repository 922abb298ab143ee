//! A connection to another process of a question, which may end or fall silent while an answer is under way: then this process hears which one it
//! was, and all its other connections end too, so that nobody waits for an answer that cannot come.

use crate::meet::Met;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::networking::MessageHeader;

/// How long another process may say nothing. Workers tell each other how far they are many times a second.
const MAX_SILENCE: Duration = Duration::from_secs(60);

/// Why a question of several processes has no answer; empty as long as all is well.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lost(Arc<OnceLock<String>>);

impl Lost {
    /// What to say of it.
    pub(crate) fn why(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

/// A connection to another process.
pub(crate) struct Peer {
    stream: TcpStream,
    /// Its place in the list, and where it listens.
    number: usize,
    address: Arc<str>,
    /// The connections to all other processes.
    all: Arc<Vec<TcpStream>>,
    lost: Lost,
    /// How many of the last bytes that it said were zero.
    n_zeros: usize,
}

/// Connections as the engine takes them: one to each other process in the order of the list, none to this one.
///
/// # Errors
///
/// Those of the system where a connection cannot be used by several threads.
pub(crate) fn peers(met: Met, lost: &Lost) -> io::Result<Vec<Option<Peer>>> {
    peers_within(met, lost, MAX_SILENCE)
}

fn peers_within(met: Met, lost: &Lost, silence: Duration) -> io::Result<Vec<Option<Peer>>> {
    let all: io::Result<Vec<TcpStream>> = met.streams.iter().flatten().map(TcpStream::try_clone).collect();
    let all = Arc::new(all?);
    let peer = |(number, stream): (usize, Option<TcpStream>)| -> io::Result<Option<Peer>> {
        let Some(stream) = stream else { return Ok(None) };
        stream.set_read_timeout(Some(silence))?;
        stream.set_write_timeout(Some(silence))?;
        let address = met.addresses.get(number).map_or("", String::as_str).into();
        Ok(Some(Peer { stream, number, address, all: Arc::clone(&all), lost: lost.clone(), n_zeros: 0 }))
    };
    met.streams.into_iter().enumerate().map(peer).collect()
}

impl Peer {
    /// Tells that this process is lost, and ends the question here.
    fn lose(&self, error: &io::Error) {
        let is_silent = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        let what = if is_silent {
            let seconds = self.stream.read_timeout().ok().flatten().unwrap_or(MAX_SILENCE).as_secs();
            format!("has said nothing for {seconds} s")
        } else {
            "has ended before the answer was there".to_owned()
        };
        let why = format!("the process {} at `{}` {what}: start all processes again", self.number, self.address);
        let _ = self.lost.0.set(why);
        for stream in self.all.iter() {
            // Those that are closed already need no more.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Read for Peer {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(into) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.lose(&error);
                    return Err(error);
                }
                Ok(0) => {
                    if !into.is_empty() && self.n_zeros < size_of::<MessageHeader>() {
                        self.lose(&ErrorKind::UnexpectedEof.into());
                    }
                    return Ok(0);
                }
                Ok(n_bytes) => {
                    // Whoever is done says so by a message without a length, which is a header of zeros.
                    let n_last = into.iter().take(n_bytes).rev().take_while(|byte| **byte == 0).count();
                    self.n_zeros = if n_last == n_bytes { self.n_zeros.saturating_add(n_last) } else { n_last };
                    return Ok(n_bytes);
                }
            }
        }
    }
}

impl Write for Peer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes).inspect_err(|error| {
            if error.kind() != ErrorKind::Interrupted {
                self.lose(error);
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Peer {
    fn try_clone(&self) -> io::Result<Self> {
        let Self { number, address, all, lost, .. } = self;
        let (address, all, lost) = (Arc::clone(address), Arc::clone(all), lost.clone());
        Ok(Self { stream: self.stream.try_clone()?, number: *number, address, all, lost, n_zeros: 0 })
    }

    fn set_nonblocking(&self, is_so: bool) -> io::Result<()> {
        self.stream.set_nonblocking(is_so)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// A connection as a question has it, and its other end.
    fn pair(lost: &Lost, silence: Duration) -> (Peer, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let other = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let streams = vec![None, Some(listener.accept().expect("a connection").0)];
        let met = Met { addresses: vec!["here:1".to_owned(), "there:2".to_owned()], streams };
        let mut all = peers_within(met, lost, silence).expect("connections");
        (all.pop().flatten().expect("a peer"), other)
    }

    #[test]
    fn who_ends_or_falls_silent_is_named_and_who_is_done_is_not() {
        let mut bytes = [0; 256];
        for (said, why) in [
            (&[7; 9][..], Some("the process 1 at `there:2` has ended before the answer was there: start all processes again")),
            (&[0; size_of::<MessageHeader>()], None),
        ] {
            let lost = Lost::default();
            let (mut peer, mut other) = pair(&lost, MAX_SILENCE);
            other.write_all(said).expect("it is there");
            drop(other);
            while peer.read(&mut bytes).expect("an end") > 0 {}
            assert_eq!(lost.why(), why);
        }
        let lost = Lost::default();
        let (mut peer, _other) = pair(&lost, Duration::from_millis(5));
        peer.read(&mut bytes).expect_err("nothing is said");
        assert_eq!(lost.why(), Some("the process 1 at `there:2` has said nothing for 0 s: start all processes again"));
    }
}
