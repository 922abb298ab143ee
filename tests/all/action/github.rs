//! As much of GitHub as comments need: a server on this machine that lists, makes and changes them, or refuses to.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Who comments by the token of a job.
pub(super) const OURS: &str = "github-actions[bot]";

/// How many comments a page has.
const PAGE: usize = 100;

#[derive(Default)]
struct State {
    /// Author and text of each comment, by number.
    comments: Vec<(String, String)>,
    /// What writing is answered with instead.
    refusal: Option<u16>,
    tokens: Vec<String>,
}

/// A server that lives as long as the test.
pub(super) struct GitHub {
    pub(super) url: String,
    state: Arc<Mutex<State>>,
}

impl GitHub {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let state: Arc<Mutex<State>> = Arc::default();
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(stream, &mut lock(&shared));
            }
        });
        Self { url, state }
    }

    pub(super) fn add(&self, author: &str, text: &str) {
        lock(&self.state).comments.push((author.to_owned(), text.to_owned()));
    }

    pub(super) fn refuse(&self, status: u16) {
        lock(&self.state).refusal = Some(status);
    }

    /// The comments of an author.
    pub(super) fn of(&self, author: &str) -> Vec<String> {
        lock(&self.state).comments.iter().filter(|(by, _)| by == author).map(|(_, text)| text.clone()).collect()
    }

    /// What every request had as its right.
    pub(super) fn tokens(&self) -> Vec<String> {
        lock(&self.state).tokens.clone()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads one request and answers it.
fn answer(stream: TcpStream, state: &mut State) {
    let mut reader = BufReader::new(stream);
    let (mut first, mut n_bytes, mut token) = (String::new(), 0, String::new());
    reader.read_line(&mut first).expect("a request");
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a header");
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        match name.to_lowercase().as_str() {
            "content-length" => n_bytes = value.parse().expect("a number"),
            "authorization" => value.clone_into(&mut token),
            _ => {}
        }
    }
    let mut body = vec![0; n_bytes];
    reader.read_exact(&mut body).expect("a body");
    state.tokens.push(token);
    let (status, said) = said(&first, &body, state);
    let said = said.to_string();
    let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", said.len());
    reader.into_inner().write_all((head + &said).as_bytes()).expect("an answer");
}

fn said(first: &str, body: &[u8], state: &mut State) -> (u16, Value) {
    let mut words = first.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let text = || serde_json::from_slice::<Value>(body).expect("JSON")["body"].as_str().expect("a text").to_owned();
    let shown = |at: usize, (author, text): &(String, String)| json!({"id": at, "user": {"login": author}, "body": text});
    match (method, path.strip_prefix("/repos/acme/shop/issues/").unwrap_or_default()) {
        ("GET", "7/comments") => {
            let page = query.split('&').find_map(|part| part.strip_prefix("page=")?.parse::<usize>().ok()).expect("a page");
            let all: Vec<Value> = state.comments.iter().enumerate().map(|(at, comment)| shown(at, comment)).collect();
            (200, all.chunks(PAGE).nth(page - 1).map_or_else(|| json!([]), |page| json!(page)))
        }
        _ if state.refusal.is_some() => (state.refusal.unwrap_or_default(), json!({"message": "refused"})),
        ("POST", "7/comments") => {
            state.comments.push((OURS.to_owned(), text()));
            (201, json!({}))
        }
        ("PATCH", path) => {
            let at: usize = path.strip_prefix("comments/").and_then(|at| at.parse().ok()).expect("a number");
            state.comments[at].1 = text();
            (200, json!({}))
        }
        _ => (404, json!({"message": "not found"})),
    }
}
