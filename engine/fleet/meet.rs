//! How processes of one question find each other: what they say to each other then is the engine's.
//!
//! Each process listens at its own address, calls those before it in the list, and is called by those behind it. A call begins with the number of
//! the caller; one that is none of the list is hung up.

use error::{Error, ErrorKind, Result};
use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// How long the others are waited for: somebody starts them by hand, one after the other.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// How long a caller may take to say its number.
const MAX_HELLO: Duration = Duration::from_secs(5);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// A connection to each other process, in the order of the list; none to this one.
///
/// # Errors
///
/// [`ErrorKind::Storage`] where this process cannot listen at its address, or another does not come within a minute.
pub(crate) fn meet(addresses: &[String], own: usize) -> Result<Vec<Option<TcpStream>>> {
    meet_within(addresses, own, MAX_WAIT)
}

fn meet_within(addresses: &[String], own: usize, wait: Duration) -> Result<Vec<Option<TcpStream>>> {
    let until = Instant::now() + wait;
    let failed = |number: usize, why: &str| {
        let address = addresses.get(number).map_or("", String::as_str);
        Error::new(ErrorKind::Storage, format!("the process {number} at `{address}` {why}"))
    };
    let own_address = addresses.get(own).map_or("", String::as_str);
    let listener = TcpListener::bind(own_address).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    let listener = listener.map_err(|error| failed(own, &format!("cannot listen: {error}")))?;
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    loop {
        for (number, address) in addresses.iter().enumerate().take(own) {
            if let Some(stream @ None) = streams.get_mut(number) {
                *stream = call(address, own).ok();
            }
        }
        while let Ok((stream, _)) = listener.accept() {
            let Some((number, stream)) = answer(stream) else { continue };
            if number > own
                && let Some(known @ None) = streams.get_mut(number)
            {
                *known = Some(stream);
            }
        }
        let missing = (0..addresses.len()).find(|number| *number != own && streams.get(*number).is_some_and(Option::is_none));
        match missing {
            None => return Ok(streams),
            Some(number) if Instant::now() >= until => {
                let why =
                    format!("did not come within {} s: start the same command there with `--process {number}`", wait.as_secs());
                return Err(failed(number, &why));
            }
            Some(_) => std::thread::sleep(PAUSE),
        }
    }
}

/// Calls a process and says which this is.
fn call(address: &str, own: usize) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.write_all(&(own as u64).to_be_bytes())?;
    Ok(stream)
}

/// Who calls, where it says so in time.
fn answer(mut stream: TcpStream) -> Option<(usize, TcpStream)> {
    stream.set_nonblocking(false).ok()?;
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(MAX_HELLO)).ok()?;
    let mut number = [0; 8];
    stream.read_exact(&mut number).ok()?;
    stream.set_read_timeout(None).ok()?;
    Some((usize::try_from(u64::from_be_bytes(number)).ok()?, stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_meet_whoever_else_calls_and_one_alone_gives_up() {
        let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let addresses = listeners.each_ref().map(|listener| listener.local_addr().expect("an address").to_string());
        drop(listeners);
        let said = meet_within(&addresses, 1, Duration::ZERO).expect_err("nobody is there").message;
        assert!(said.starts_with(&format!("the process 0 at `{}` did not come within 0 s", addresses[0])), "{said}");
        let met = std::thread::scope(|scope| {
            let threads = [0, 1, 2].map(|own| {
                let addresses = &addresses;
                scope.spawn(move || {
                    if own == 1 {
                        // Strangers: one says a number of nobody, one hangs up.
                        while call(&addresses[0], 77).is_err() {}
                        drop(TcpStream::connect(&addresses[0]));
                    }
                    meet_within(addresses, own, MAX_WAIT)
                })
            });
            threads.map(|thread| thread.join().expect("a thread").expect("all come"))
        });
        for (own, mut streams) in met.into_iter().enumerate() {
            assert_eq!(streams.len(), 3);
            assert!(streams.remove(own).is_none() && streams.iter().all(Option::is_some), "{own}: {streams:?}");
        }
    }
}
