//! A connection to another process of a question, which may end or fall silent while an answer is under way: then this process hears which one it
//! was, and all its other connections end too, so that nobody waits for an answer that cannot come.

use crate::meet::Met;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

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
    said: Said,
}

/// Where in its messages the other process is: each is a header with the length of what follows. Whoever is done says so by one without a length.
#[derive(Default)]
struct Said {
    /// What was said of a header.
    header: Vec<u8>,
    /// How much of what follows it is still to come.
    n_left: u64,
    is_done: bool,
}

/// The bytes of a header: six numbers, each with its highest byte first.
const HEADER: usize = 6 * size_of::<u64>();
/// Where in it the length is.
const LENGTH: std::ops::Range<usize> = 32..40;

impl Said {
    fn hear(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let in_message = usize::try_from(self.n_left).unwrap_or(usize::MAX).min(bytes.len());
            self.n_left -= in_message as u64;
            bytes = &bytes[in_message..];
            let in_header = bytes.len().min(HEADER - self.header.len());
            self.header.extend(&bytes[..in_header]);
            bytes = &bytes[in_header..];
            if self.header.len() == HEADER {
                let length = self.header[LENGTH].iter().fold(0, |length, byte| (length << 8) | u64::from(*byte));
                (self.n_left, self.is_done) = (length, length == 0);
                self.header.clear();
            }
        }
    }
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
        Ok(Some(Peer { stream, number, address, all: Arc::clone(&all), lost: lost.clone(), said: Said::default() }))
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
                    if !into.is_empty() && !self.said.is_done {
                        self.lose(&ErrorKind::UnexpectedEof.into());
                    }
                    return Ok(0);
                }
                Ok(n_bytes) => {
                    self.said.hear(&into[..n_bytes]);
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
        Ok(Self { stream: self.stream.try_clone()?, number: *number, address, all, lost, said: Said::default() })
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
    use timely::communication::networking::MessageHeader;

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
        let message = |length: usize| {
            let header = MessageHeader { channel: 3, source: 1, target_lower: 0, target_upper: 1, length, seqno: 9 };
            let mut bytes = Vec::new();
            header.write_to(&mut bytes).expect("it is written");
            bytes
        };
        let done = vec![0; HEADER];
        let whole = [message(2 * HEADER), vec![0; 2 * HEADER]].concat();
        let ended = Some("the process 1 at `there:2` has ended before the answer was there: start all processes again");
        for (said, why) in [
            (vec![7; 9], ended),
            (message(2 * HEADER), ended),
            // Zeros of a message, though as many as a header has.
            ([message(2 * HEADER), vec![0; HEADER]].concat(), ended),
            (whole.clone(), ended),
            ([&whole[..], &done[1..]].concat(), ended),
            (done.clone(), None),
            ([&whole[..], &whole, &done].concat(), None),
        ] {
            for n_at_once in [1, 100, 1_000] {
                let lost = Lost::default();
                let (mut peer, mut other) = pair(&lost, MAX_SILENCE);
                other.write_all(&said).expect("it is there");
                drop(other);
                while peer.read(&mut vec![0; n_at_once]).expect("an end") > 0 {}
                assert_eq!(lost.why(), why, "{said:?}");
            }
        }
        let mut bytes = [0; 256];
        let lost = Lost::default();
        let (mut peer, _other) = pair(&lost, Duration::from_millis(5));
        peer.read(&mut bytes).expect_err("nothing is said");
        assert_eq!(lost.why(), Some("the process 1 at `there:2` has said nothing for 0 s: start all processes again"));
    }
}
