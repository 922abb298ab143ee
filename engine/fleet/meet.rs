//! How processes of one question find each other: what they say to each other then is the engine's.
//!
//! Each process listens at its own address, calls those before it in the list, and is called by those behind it. A call begins with the number of
//! the caller and a key of the question; one that is none of the list is hung up, and one with another question is an error. Strangers are heard one
//! after the other, so whoever calls waits for the answer: a call that was given up would stand in the queue as if somebody were there.

use error::{Error, ErrorKind, Result};
use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

/// How long the others are waited for: somebody starts them by hand, one after the other.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// How long a caller may take to say its number.
const MAX_HELLO: Duration = Duration::from_secs(1);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// All processes of a question, and the connections to them.
#[derive(Debug)]
pub(crate) struct Met {
    /// Where each listens.
    pub(crate) addresses: Vec<String>,
    /// A connection to each; none to this one.
    pub(crate) streams: Vec<Option<TcpStream>>,
}

/// Meets the other processes of a list. The key stands for all that has to be the same: the question, what it is asked of, the program.
///
/// # Errors
///
/// [`ErrorKind::Storage`] where this process cannot listen at its address, or another does not come within a minute;
/// [`ErrorKind::BadInput`] where another has another key.
pub(crate) fn meet(addresses: &[String], own: usize, key: u64) -> Result<Met> {
    meet_within(addresses, own, key, MAX_WAIT)
}

fn meet_within(addresses: &[String], own: usize, key: u64, wait: Duration) -> Result<Met> {
    let until = Instant::now() + wait;
    let failed = |number: usize, why: &str| {
        let address = addresses.get(number).map_or("", String::as_str);
        Error::new(ErrorKind::Storage, format!("the process {number} at `{address}` {why}"))
    };
    let own_address = addresses.get(own).map_or("", String::as_str);
    let listener = TcpListener::bind(own_address).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    let listener = listener.map_err(|error| failed(own, &format!("cannot listen: {error}")))?;
    let differs = |number: usize| {
        let said =
            failed(number, "was started with another question, other workers, another version or for another state of the fleet");
        Error::new(ErrorKind::BadInput, format!("{}: start all with the same command", said.message))
    };
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    loop {
        for (number, address) in addresses.iter().enumerate().take(own) {
            if let Some(stream @ None) = streams.get_mut(number) {
                match call(address, own, key, until) {
                    Ok((_, theirs)) if theirs != key => return Err(differs(number)),
                    Ok((called, _)) => *stream = Some(called),
                    // It is not there yet.
                    Err(_) => {}
                }
            }
        }
        while Instant::now() < until
            && let Ok((stream, _)) = listener.accept()
        {
            let Ok((number, theirs, stream)) = answer(stream, key) else { continue };
            if number > own
                && let Some(known) = streams.get_mut(number)
            {
                if theirs != key {
                    return Err(differs(number));
                }
                // Whoever calls again was started again.
                *known = Some(stream);
            }
        }
        let missing = (0..addresses.len()).find(|number| *number != own && streams.get(*number).is_some_and(Option::is_none));
        match missing {
            None => return Ok(Met { addresses: addresses.to_vec(), streams }),
            Some(number) if Instant::now() >= until => {
                let why =
                    format!("did not come within {} s: start the same command there with `--process {number}`", wait.as_secs());
                return Err(failed(number, &why));
            }
            Some(_) => std::thread::sleep(PAUSE),
        }
    }
}

/// Calls a process and says which this is and for what; gives the other's key, for which it is waited until then.
fn call(address: &str, own: usize, key: u64, until: Instant) -> io::Result<(TcpStream, u64)> {
    let found = address.to_socket_addrs()?.next().ok_or(io::ErrorKind::NotFound)?;
    let mut stream = TcpStream::connect_timeout(&found, MAX_HELLO)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(until.saturating_duration_since(Instant::now()).max(MAX_HELLO)))?;
    stream.write_all(&[(own as u64).to_be_bytes(), key.to_be_bytes()].concat())?;
    let theirs = number(&mut stream)?;
    Ok((stream, theirs))
}

/// Who calls and for what, where it says so in time; it is told this process's key.
fn answer(mut stream: TcpStream, key: u64) -> io::Result<(usize, u64, TcpStream)> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(MAX_HELLO))?;
    let (caller, theirs) = (number(&mut stream)?, number(&mut stream)?);
    stream.write_all(&key.to_be_bytes())?;
    Ok((usize::try_from(caller).unwrap_or(usize::MAX), theirs, stream))
}

fn number(stream: &mut TcpStream) -> io::Result<u64> {
    let mut bytes = [0; 8];
    stream.read_exact(&mut bytes)?;
    Ok(u64::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_meet_whoever_else_calls_and_one_alone_gives_up() {
        let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let addresses = listeners.each_ref().map(|listener| listener.local_addr().expect("an address").to_string());
        drop(listeners);
        let said = meet_within(&addresses, 1, 5, Duration::ZERO).expect_err("nobody is there").message;
        assert!(said.starts_with(&format!("the process 0 at `{}` did not come within 0 s", addresses[0])), "{said}");
        let met = std::thread::scope(|scope| {
            let threads = [0, 1, 2].map(|own| {
                let addresses = &addresses;
                scope.spawn(move || {
                    if own == 1 {
                        // Strangers: one says a number of nobody, one hangs up.
                        while call(&addresses[0], 77, 5, Instant::now()).is_err() {}
                        drop(TcpStream::connect(&addresses[0]));
                    }
                    meet_within(addresses, own, 5, MAX_WAIT)
                })
            });
            threads.map(|thread| thread.join().expect("a thread").expect("all come"))
        });
        for (own, Met { mut streams, .. }) in met.into_iter().enumerate() {
            assert_eq!(streams.len(), 3);
            assert!(streams.remove(own).is_none() && streams.iter().all(Option::is_some), "{own}: {streams:?}");
        }
    }

    #[test]
    fn strangers_who_say_nothing_keep_nobody_apart() {
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let addresses = listeners.each_ref().map(|listener| listener.local_addr().expect("an address").to_string());
        drop(listeners);
        let met = std::thread::scope(|scope| {
            let first = scope.spawn(|| meet_within(&addresses, 0, 5, MAX_WAIT));
            let stranger =
                || (0..500).find_map(|_| TcpStream::connect(&addresses[0]).map_err(|_| std::thread::sleep(PAUSE)).ok());
            let strangers = [(); 2].map(|()| stranger().expect("it listens"));
            // One came before, and is no longer there.
            drop(call(&addresses[0], 1, 5, Instant::now()));
            let second = meet_within(&addresses, 1, 5, MAX_WAIT);
            drop(strangers);
            [first.join().expect("a thread"), second]
        });
        let [mut first, mut second] = met.map(|met| met.expect("both come").streams.into_iter().flatten().next().expect("one"));
        second.write_all(&[7; 8]).expect("it is there");
        assert_eq!(number(&mut first).expect("what the other says"), u64::from_be_bytes([7; 8]));
    }

    #[test]
    fn who_has_another_question_is_told_at_once() {
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let addresses = listeners.each_ref().map(|listener| listener.local_addr().expect("an address").to_string());
        drop(listeners);
        let said = std::thread::scope(|scope| {
            let threads = [0, 1].map(|own| {
                let addresses = &addresses;
                scope.spawn(move || meet_within(addresses, own, own as u64, MAX_WAIT).expect_err("they differ"))
            });
            threads.map(|thread| thread.join().expect("a thread"))
        });
        for error in said {
            assert_eq!(error.kind, ErrorKind::BadInput, "{}", error.message);
            assert!(error.message.ends_with("start all with the same command"), "{}", error.message);
        }
    }
}
