//! Requests: calls of clients with a path.

use super::Said;
use super::read::Reader;
use super::text::{first_bytes, last_part, literal, member, request_path, written};
use super::words::{By, client_method};
use crate::facts::{Method, Request};

/// The most bytes behind a call in which its method is looked for.
const MAX_BEHIND: usize = 256;

/// What stands in names of values that keep others by keys.
const STORES: [&str; 6] = ["cache", "redis", "valkey", "etcd", "consul", "zookeeper"];

impl Reader<'_> {
    /// The request that a call makes, if it is one.
    pub(super) fn ask(&mut self, said: &Said, callee: &str, arguments: &[(usize, &str)]) {
        let Some((method, path)) = self.asked(said, callee, arguments) else { return };
        let Some((_, text)) = arguments.get(path) else { return };
        if let Some((path, has_base)) = written(text).as_deref().and_then(request_path) {
            let line = self.line_of_arguments(said);
            self.web.requests.push(Request { method, path, has_base, from: said.from, line });
        }
    }

    /// The method of a request, and the argument with its path.
    fn asked(&self, said: &Said, callee: &str, arguments: &[(usize, &str)]) -> Option<(Method, usize)> {
        let words = self.words;
        let (receiver, word) = split_callee(callee);
        let is_meant = |of: &str| of == callee || of.starts_with('.') && callee.ends_with(of);
        if let Some(asks) = words.asks.iter().find(|asks| is_meant(asks.callee) && self.has_needs(asks.callee)) {
            let text = |at: usize| arguments.get(at).map(|(_, text)| *text);
            let method = match asks.method {
                By::Word(method) => method,
                By::Argument(at) => {
                    let method = said_method(text(at)?);
                    // A word that others have too makes a request only with a method.
                    if asks.callee.starts_with('.') { method? } else { method.unwrap_or(Method::Any) }
                }
                By::Keyword(name, otherwise) => match text(asks.path + 1) {
                    None => otherwise,
                    Some(options) => match member(options, name) {
                        Some(method) => said_method(method).unwrap_or(Method::Any),
                        None if options.starts_with('{') && !options.contains("...") => otherwise,
                        None => Method::Any,
                    },
                },
                By::Chain => self.chained(said, receiver),
                By::Path | By::Handler => Method::Any,
            };
            return Some((method, asks.path));
        }
        if !self.is_client(receiver) {
            return None;
        }
        Some((client_method(word)?, 0))
    }

    /// Whether a value makes requests, by its name.
    pub(super) fn is_client(&self, receiver: &str) -> bool {
        // `request(app)`, `TestClient(app)`.
        let name = receiver.split_once('(').map_or(receiver, |(name, _)| name);
        if is_store(name) {
            return false;
        }
        let name = last_part(name.trim());
        self.words.clients.iter().any(|word| name == *word || word.len() > 4 && name.ends_with(word))
    }

    /// The method that calls in front of one say, or those behind it.
    fn chained(&self, said: &Said, receiver: &str) -> Method {
        let behind = self.source.get(said.bytes.1 as usize..).unwrap_or_default();
        let behind = first_bytes(behind, MAX_BEHIND).split(';').next().unwrap_or_default();
        let in_call = |text: &str| {
            let (_, rest) = text.split_once("method(")?;
            said_method(rest.split(')').next()?)
        };
        let made = || {
            let (callee, _) = receiver.rsplit_once('(')?;
            Method::named(last_part(callee.trim()))
        };
        in_call(receiver).or_else(made).or_else(|| in_call(behind)).unwrap_or(Method::Get)
    }
}

/// Whether a value keeps others by keys that may look like paths, by its name.
pub(super) fn is_store(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    STORES.iter().any(|store| name.contains(store))
}

/// Methods in their order, each once.
pub(super) fn each_once(methods: impl Iterator<Item = Method>) -> Vec<Method> {
    let mut found = Vec::new();
    for method in methods {
        if !found.contains(&method) {
            found.push(method);
        }
    }
    found
}

/// What is called, and of what.
pub(super) fn split_callee(callee: &str) -> (&str, &str) {
    let word = last_part(callee);
    (callee[..callee.len() - word.len()].trim_end().trim_end_matches(['.', ':', '?', '!']).trim_end(), word.trim())
}

/// A method as it is written: `"POST"`, `http.MethodPost`, `Method::POST`.
pub(super) fn said_method(text: &str) -> Option<Method> {
    if let Some(word) = literal(text) {
        return Method::named(&word);
    }
    let word = last_part(text.trim());
    Method::named(word.strip_prefix("Method").unwrap_or(word))
}
