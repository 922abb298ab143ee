//! Messages over standard input and output, a line each: one thread reads, one writes, and the runtime waits for neither.

use super::frames::{Frame, MAX_LINE_BYTES};
use super::long::id_of;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta as _, JsonRpcMessage, ProtocolVersion, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

/// Lines that wait between a thread and the runtime: whoever sends faster waits.
const QUEUE: usize = 16;
/// Requests without an answer, the longest of which has a hundred kilobytes: whoever asks for more at once waits.
const MAX_WAITING: usize = 64;

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// Without its line feed.
    Text(Vec<u8>),
    /// It was skipped; its id is that of the request it is.
    TooLong(Option<RequestId>),
}

/// The next line; one that is too long is skipped and not kept. None at the end, and for a last line that is not finished.
fn read_line(from: &mut impl BufRead, max_bytes: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    from.by_ref().take(max_bytes as u64 + 1).read_until(b'\n', &mut line)?;
    if line.pop_if(|byte| *byte == b'\n').is_some() {
        return Ok(Some(Line::Text(line)));
    }
    if line.len() <= max_bytes {
        return Ok(None);
    }
    Ok(Some(Line::TooLong(id_of(&line, from)?)))
}

/// The lines of a client and those to it.
pub(super) struct Stdio {
    lines: mpsc::Receiver<Line>,
    replies: mpsc::Sender<Vec<u8>>,
    /// What is to be said before the next line is read. Kept here: the runtime drops what waits in [`Transport::receive`].
    refusal: Option<Vec<u8>>,
    waiting: Arc<Waiting>,
    /// Whether a request came with which a session begins.
    has_begun: bool,
    ended: CancellationToken,
}

impl Stdio {
    /// Starts the two threads. `ended` is cancelled when there is nothing more to read or nobody who reads, and `written` when all that was
    /// said is written or nobody reads it.
    pub(super) fn start(
        mut input: impl BufRead + Send + 'static,
        mut output: impl Write + Send + 'static,
        ended: CancellationToken,
        written: CancellationToken,
    ) -> Self {
        let (read, lines) = mpsc::channel(QUEUE);
        let (replies, mut to_write) = mpsc::channel::<Vec<u8>>(QUEUE);
        let (at_end, when_gone) = (ended.clone(), ended.clone());
        std::thread::spawn(move || {
            while let Ok(Some(line)) = read_line(&mut input, MAX_LINE_BYTES) {
                if read.blocking_send(line).is_err() {
                    break;
                }
            }
            at_end.cancel();
        });
        std::thread::spawn(move || {
            while let Some(reply) = to_write.blocking_recv() {
                if output.write_all(&reply).and_then(|()| output.flush()).is_err() {
                    break;
                }
            }
            when_gone.cancel();
            written.cancel();
        });
        Self { lines, replies, refusal: None, waiting: Arc::default(), has_begun: false, ended }
    }
}

/// The requests that have no answer yet.
#[derive(Debug, Default)]
struct Waiting {
    ids: Mutex<Vec<RequestId>>,
    answered: Notify,
}

impl Waiting {
    fn ids(&self) -> MutexGuard<'_, Vec<RequestId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, id: RequestId) {
        self.ids().push(id);
    }

    /// It has its answer, or wants none any more; of several with one id only the last is answered.
    fn remove(&self, id: &RequestId) {
        self.ids().retain(|other| other != id);
        self.answered.notify_one();
    }

    /// Waits until there are few.
    async fn until_few(&self) {
        while self.ids().len() >= MAX_WAITING {
            self.answered.notified().await;
        }
    }
}

fn bytes(message: &ServerJsonRpcMessage) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(message).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Whether the SDK takes a request for the beginning of a session, in either lifecycle.
fn begins(request: &ClientRequest) -> bool {
    let meta = request.get_meta();
    let is_whole = || meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
    let is_known = || meta.protocol_version().is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version));
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        _ => is_whole() && is_known(),
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (replies, waiting) = (self.replies.clone(), Arc::clone(&self.waiting));
        async move {
            let id = match &message {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                _ => None,
            };
            let sent = replies.send(bytes(&message)).await;
            // One that nobody read is not an answer yet.
            if let Some(id) = &id {
                waiting.remove(id);
            }
            sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.refusal.is_some() {
                // Where nobody reads any more, `ended` says so.
                let place = self.replies.reserve().await.ok()?;
                if let Some(refusal) = self.refusal.take() {
                    place.send(refusal);
                }
            }
            self.waiting.until_few().await;
            let frame = match self.lines.recv().await? {
                Line::TooLong(id) => Frame::too_long(id),
                Line::Text(line) => Frame::of(&line),
            };
            match frame {
                Frame::Wrong(error, id) => self.refusal = Some(bytes(&ServerJsonRpcMessage::error(error, id))),
                Frame::Nothing => {}
                Frame::Message(message) => match *message {
                    JsonRpcMessage::Request(request) => {
                        self.has_begun |= begins(&request.request);
                        self.waiting.add(request.id.clone());
                        return Some(JsonRpcMessage::Request(request));
                    }
                    // Before a session the SDK takes anything else for a broken one, and ends.
                    other if self.has_begun => {
                        if let JsonRpcMessage::Notification(notification) = &other
                            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                            && let Some(id) = &cancelled.params.request_id
                        {
                            self.waiting.remove(id);
                        }
                        return Some(other);
                    }
                    _ => {}
                },
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.ended.cancel();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped_and_an_unfinished_one_is_none() {
        let text = [b"a\n".as_slice(), &b"x".repeat(50), b"\n0123456789\n01234567890\nb\nc"].concat();
        let mut from = text.as_slice();
        let lines: Vec<Line> = std::iter::from_fn(|| read_line(&mut from, 10).expect("memory")).collect();
        let text = |line: &[u8]| Line::Text(line.to_vec());
        assert_eq!(lines, [text(b"a"), Line::TooLong(None), text(b"0123456789"), Line::TooLong(None), text(b"b")]);
    }

    #[test]
    fn whoever_sent_a_line_that_is_too_long_is_found_wherever_the_id_stands() {
        let long = "x".repeat(50);
        for (line, id) in [
            (format!(r#"{{"id":7,"params":{{"id":8,"a":"{long}"}}}}"#), Some(RequestId::Number(7))),
            (format!(r#"{{"params":{{"id":8,"a":["{long}\n"]}},"id":"end"}}"#), Some(RequestId::String("end".into()))),
            (format!(r#"{{"params":"{long}"}}"#), None),
            (format!(r#"{{"id":[7],"params":"{long}"}}"#), None),
            (format!(r#"{{"id":7,"params":"{long}"#), None),
        ] {
            let text = format!("{line}\nnext\n");
            let mut from = text.as_bytes();
            assert_eq!(read_line(&mut from, 10).expect("memory"), Some(Line::TooLong(id)), "{line}");
            assert_eq!(read_line(&mut from, 10).expect("memory"), Some(Line::Text(b"next".to_vec())), "{line}");
        }
    }
}
