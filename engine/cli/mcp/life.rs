//! How a server lives and ends: its runtime, and the signals and closed streams after which it is gone within a second.

use super::http::{self, Listening, Token};
use super::served::Served;
use super::server::{Listing, Server};
use super::stdio::Stdio;
use crate::process::{on_signal, when_reader_goes};
use error::{Error, ErrorKind, Result};
use rmcp::ServiceExt as _;
use std::io::{self, BufReader};
use std::process;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;

/// How long calls may go on when there is nothing more to read: whoever pipes requests in wants the replies.
const GRACE: Duration = Duration::from_millis(500);
/// How long a server that is to end may take to say so, and what it said to be written.
const LAST: Duration = Duration::from_millis(150);
/// After how long a signal ends the process whatever it does: more than all of the above.
const AT_LAST: Duration = Duration::from_millis(900);
// What `serve` promises.
const _: () = assert!(GRACE.as_millis() + 2 * LAST.as_millis() < AT_LAST.as_millis() && AT_LAST.as_millis() < 1_000);
/// Threads that wait for disks and processors, beside those of the engine: one that works for nobody any more may hold its turn.
const MAX_THREADS: usize = 2 * super::calls::MAX_AT_WORK;
/// The stack of such a thread: what a main thread has, on which commands do the same work.
const STACK_BYTES: usize = 8 << 20;

/// How a server is reached.
pub enum Reached {
    /// By standard input and output.
    Stdio,
    /// By HTTP.
    Http(Listening, Token),
}

/// Serves the tools until the client goes or one of `signals` comes.
///
/// # Errors
///
/// [`ErrorKind::Storage`] where the system refuses what a server needs.
pub fn serve<B: Served>(tools: B, listing: Listing, reached: Reached, signals: &[i32]) -> Result<()> {
    let refused = |error: io::Error| Error::new(ErrorKind::Storage, "the server cannot be started").because(error);
    let stop = CancellationToken::new();
    end_on(signals, stop.clone()).map_err(refused)?;
    let mut runtime = Builder::new_current_thread();
    // Sockets need a poller, and pipes have threads.
    if matches!(reached, Reached::Http(..)) {
        runtime.enable_io();
    }
    let runtime =
        runtime.enable_time().max_blocking_threads(MAX_THREADS).thread_stack_size(STACK_BYTES).build().map_err(refused)?;
    let server = Server::new(tools, listing, stop.clone());
    let outcome = runtime.block_on(async {
        match reached {
            Reached::Stdio => {
                over_stdio(server, stop).await;
                Ok(())
            }
            Reached::Http(listening, token) => http::serve(listening, token, server, stop).await,
        }
    });
    // Work that was given up is not waited for.
    runtime.shutdown_background();
    outcome.map_err(refused)
}

async fn over_stdio<B: Served>(server: Server<B>, stop: CancellationToken) {
    let gone = stop.clone();
    when_reader_goes(move || gone.cancel());
    let (ended, written) = (CancellationToken::new(), CancellationToken::new());
    let transport = Stdio::start(BufReader::new(io::stdin()), io::stdout(), ended.clone(), written.clone());
    let (stopped, ending) = (stop.clone(), stop.clone());
    tokio::spawn(async move {
        ended.cancelled().await;
        tokio::time::sleep(GRACE).await;
        ending.cancel();
    });
    let session = async {
        // It does not begin where the client goes before it asks for anything.
        if let Ok(running) = server.serve_with_ct(transport, stop.child_token()).await {
            let _ = running.waiting().await;
        }
    };
    tokio::select! {
        () = session => {}
        () = async { stopped.cancelled().await; tokio::time::sleep(LAST).await } => {}
    }
    // The replies that are on their way; a client that does not read them is not waited for.
    let _ = tokio::time::timeout(LAST, written.cancelled()).await;
}

/// Stops when one of the signals comes.
fn end_on(signals: &[i32], stop: CancellationToken) -> io::Result<()> {
    on_signal(signals, move || {
        stop.cancel();
        std::thread::sleep(AT_LAST);
        process::exit(0);
    })
}
