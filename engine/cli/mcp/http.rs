//! The same server over HTTP on this machine alone, a request at a time and without sessions, for whoever has the token.
//!
//! Host and origin are checked by the SDK, so that no page in a browser reaches it.

use super::frames::{MAX_LINE_BYTES, MAX_VALUES, has_few_values};
use super::served::Served;
use super::server::Server;
use error::{Error, ErrorKind, Result};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HOST, HeaderName, HeaderValue, ORIGIN, WWW_AUTHENTICATE};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Where the server answers.
const PATH: &str = "/mcp";
/// Random bytes of a token: as many as a key has.
const TOKEN_BYTES: usize = 32;
/// The fewest and the most characters of a token that somebody else made.
const TOKEN_LENGTHS: std::ops::RangeInclusive<usize> = 16..=1_024;
/// How long the head of a request may take.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The most bytes of the head of a request.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// The most connections at a time that have not shown the token; where there are more, the oldest of them is closed.
const MAX_STRANGERS: usize = 64;
/// Headers that a request may have once: of two, a client and this server could mean different ones.
const ONCE: [HeaderName; 3] = [AUTHORIZATION, HOST, ORIGIN];
/// How long it is waited where no connection can be taken: there are too many files open, and some will be closed.
const PAUSE: Duration = Duration::from_millis(50);

/// What a client must know to be answered.
pub struct Token(Option<String>);

impl Token {
    /// A new one.
    ///
    /// # Errors
    ///
    /// That the system gives no random bytes.
    pub fn random() -> Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        let failed = |error| Error::new(ErrorKind::Storage, "the system gives no random numbers for a token").because(error);
        getrandom::fill(&mut bytes).map_err(failed)?;
        let mut digits = String::with_capacity(2 * TOKEN_BYTES);
        for byte in bytes {
            let _ = write!(digits, "{byte:02x}");
        }
        Ok(Self(Some(digits)))
    }

    /// One that somebody else made.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a text that cannot stand in a header or is guessed too soon.
    pub fn of(text: &str) -> Result<Self> {
        let text = text.trim();
        if TOKEN_LENGTHS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(Self(Some(text.to_owned())));
        }
        let message =
            format!("a token has {} to {} visible characters of ASCII and no space", TOKEN_LENGTHS.start(), TOKEN_LENGTHS.end());
        Err(Error::new(ErrorKind::BadInput, message))
    }

    /// None: every program of this machine is answered.
    pub const fn nobodys() -> Self {
        Self(None)
    }

    /// It as text; none where none is asked for.
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Whether a request has it. Compared to the end, so that time tells nothing of where it differs.
    fn is_in<B>(&self, request: &Request<B>) -> bool {
        let Some(token) = &self.0 else { return true };
        let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        // The scheme is a word in any case: RFC 9110, section 11.1.
        let given = given.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let given = given.map_or("", |(_, token)| token);
        let differs = given.bytes().zip(token.bytes()).fold(0, |differs, (given, own)| differs | (given ^ own));
        given.len() == token.len() && differs == 0
    }
}

/// A port of this machine that is listened on.
pub struct Listening {
    listener: TcpListener,
    port: u16,
}

impl Listening {
    /// Listens on a port, or with 0 on any that is free.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where that is not possible.
    pub fn on(port: u16) -> Result<Self> {
        let failed = |error| Error::new(ErrorKind::BadInput, format!("port {port} cannot be listened on")).because(error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        listener.set_nonblocking(true).map_err(failed)?;
        Ok(Self { listener, port })
    }

    /// Where the server answers.
    pub fn url(&self) -> String {
        format!("http://{}:{}{PATH}", Ipv4Addr::LOCALHOST, self.port)
    }
}

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Serves until `stop` is cancelled.
pub(super) async fn serve<B: Served>(
    listening: Listening,
    token: Token,
    server: Server<B>,
    stop: CancellationToken,
) -> io::Result<()> {
    let Listening { listener, port } = listening;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let hosts = [format!("{}:{port}", Ipv4Addr::LOCALHOST), format!("localhost:{port}")];
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts.clone())
        .with_allowed_origins(hosts.clone().map(|host| format!("http://{host}")))
        .enforce_origin_validation()
        .with_max_request_body_bytes(MAX_LINE_BYTES)
        .with_cancellation_token(stop.child_token());
    let mcp = StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config);
    let (token, strangers) = (Arc::new(token), Arc::new(Strangers::default()));
    loop {
        let stream = tokio::select! {
            () = stop.cancelled() => return Ok(()),
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else {
                    tokio::time::sleep(PAUSE).await;
                    continue;
                };
                stream
            }
        };
        let connection = stop.child_token();
        let number = strangers.add(connection.clone());
        let (mcp, token, known) = (mcp.clone(), Arc::clone(&token), Arc::clone(&strangers));
        let (ending, hosts) = (stop.clone(), hosts.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let (mcp, token, known, stop) = (mcp.clone(), Arc::clone(&token), Arc::clone(&known), ending.clone());
            let hosts = hosts.clone();
            async move {
                let is_doubled = ONCE.iter().any(|name| request.headers().get_all(name).iter().count() > 1);
                if token.is_in(&request) && !is_doubled {
                    known.remove(number);
                }
                // Two that read such a request could mean two hosts.
                let is_doubtful = request.uri().authority().is_some_and(|host| !hosts.iter().any(|own| own == host.as_str()));
                Ok::<Answer, Infallible>(match request.uri().path() {
                    _ if is_doubled || is_doubtful => empty(StatusCode::BAD_REQUEST),
                    _ if !token.is_in(&request) => empty(StatusCode::UNAUTHORIZED),
                    _ if request.body().size_hint().lower() > MAX_LINE_BYTES as u64 => empty(StatusCode::PAYLOAD_TOO_LARGE),
                    PATH => match whole(request).await {
                        Ok(request) => {
                            let answer = mcp.handle(request).await;
                            // A call that was given up since the server ends is no fault of it.
                            let is_ended = stop.is_cancelled() && answer.status() == StatusCode::INTERNAL_SERVER_ERROR;
                            if is_ended { empty(StatusCode::SERVICE_UNAVAILABLE) } else { answer }
                        }
                        Err(status) => empty(status),
                    },
                    _ => empty(StatusCode::NOT_FOUND),
                })
            }
        });
        let strangers = Arc::clone(&strangers);
        tokio::spawn(async move {
            let mut http = Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(MAX_HEAD_BYTES);
            // A connection that breaks is the client's business.
            tokio::select! { _ = http.serve_connection(TokioIo::new(stream), service) => {}, () = connection.cancelled() => {} }
            strangers.remove(number);
        });
    }
}

/// Connections that have not shown the token, the oldest first: whoever half opens many costs nobody else anything.
#[derive(Default)]
struct Strangers(Mutex<(u64, VecDeque<(u64, CancellationToken)>)>);

impl Strangers {
    /// Adds one and gives its number. Where there are too many, the oldest is closed.
    fn add(&self, connection: CancellationToken) -> u64 {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, waiting) = &mut *held;
        *next += 1;
        waiting.push_back((*next, connection));
        if waiting.len() > MAX_STRANGERS
            && let Some((_, oldest)) = waiting.pop_front()
        {
            oldest.cancel();
        }
        *next
    }

    /// Takes one out that has shown the token, or has ended.
    fn remove(&self, number: u64) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.1.retain(|(stranger, _)| *stranger != number);
    }
}

/// A request with its body, which is as small as a line over stdin must be, in bytes and in values.
async fn whole(request: Request<Incoming>) -> std::result::Result<Request<Full<Bytes>>, StatusCode> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, MAX_LINE_BYTES)
        .collect()
        .await
        .map_err(|why| if why.is::<LengthLimitError>() { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::BAD_REQUEST })?;
    let bytes = body.to_bytes();
    if has_few_values(&bytes) { Ok(Request::from_parts(head, Full::new(bytes))) } else { Err(StatusCode::PAYLOAD_TOO_LARGE) }
}

/// An answer that is a status, and what to do about it.
fn empty(status: StatusCode) -> Answer {
    let text = match status {
        StatusCode::BAD_REQUEST => "give Authorization, Host and Origin once each, one host, and a body that ends\n".to_owned(),
        StatusCode::PAYLOAD_TOO_LARGE => {
            format!(
                "a body has at most {MAX_LINE_BYTES} bytes and {MAX_VALUES} values; give what tools wrote as the path of a file\n"
            )
        }
        StatusCode::SERVICE_UNAVAILABLE => "the server ends; ask the next one\n".to_owned(),
        StatusCode::NOT_FOUND => format!("the server answers at {PATH}\n"),
        _ => String::new(),
    };
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    *answer.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_asked_for_whole_and_as_it_is() {
        let token = Token::of(" 0123456789abcdef\n").expect("a token");
        let has = |header: &str| token.is_in(&Request::builder().header("Authorization", header).body(()).expect("a request"));
        assert!(has("Bearer 0123456789abcdef"));
        for header in
            ["", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdeg", "Bearer 0123456789abcdef0", "0123456789abcdef"]
        {
            assert!(!has(header), "{header}");
        }
        assert!(!token.is_in(&Request::new(())) && Token::nobodys().is_in(&Request::new(())));
        assert!(["", "short", "with a space in it, so no token"].iter().all(|text| Token::of(text).is_err()));
        let (first, second) = (Token::random().expect("a token"), Token::random().expect("a token"));
        assert_eq!(first.text().map(str::len), Some(2 * TOKEN_BYTES));
        assert_ne!(first.text(), second.text());
    }
}
