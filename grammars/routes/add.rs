//! Routes: calls, decorators and attributes that add one.

use super::ask::{each_once, is_store, said_method};
use super::expression::expression;
use super::handler::{Named, by_method, handler, is_function};
use super::read::{Arguments, Reader, Variable};
use super::text::{before, bracketed, is_dotted, keyword, last_part, listed, literal};
use super::words::{Adds, At, By, client_method};
use super::{MAX_ROUTES, Said};
use crate::facts::{Base, Handler, Method, Mount, Mounted, Route, Router, SymbolId};

/// What names of routers end with, and short ones that they have in files with a package of routers.
const ROUTERS: [&str; 14] =
    ["app", "router", "routes", "server", "api", "mux", "group", "engine", "fastify", "web", "e", "g", "m", "r"];

/// Clients of pages that take a function for the answer: no routers, however much it looks like a handler.
const CALLED_BACK: [&str; 2] = ["$", "jQuery"];

impl Reader<'_> {
    /// Adds routes. Says whether that is what the call does.
    pub(super) fn add(&mut self, adds: &Adds, said: &Said, receiver: &str, arguments: &Arguments<'_>) -> bool {
        let is_decorator = before(self.source, said.bytes.0 as usize).trim_end().ends_with('@');
        let is_asking = CALLED_BACK.contains(&receiver);
        if (adds.handler == At::Nowhere) != is_decorator || !self.has_needs(adds.word) || is_asking {
            return false;
        }
        let text = |at: usize| arguments.get(at).map(|(_, text)| *text);
        // What a chain has said of the path is not said again.
        let is_chain = self.chains.contains_key(&said.bytes.0) && text(0).is_some_and(|first| literal(first).is_none());
        let is_pattern = self.words.patterns.contains(&adds.word);
        let first = text(0).and_then(|first| if is_pattern { expression(first) } else { literal(first) });
        let (mut path, mut methods, mut n_said) = (first.clone().unwrap_or_default(), Vec::new(), 1);
        match adds.method {
            By::Word(method) => methods.push(method),
            By::Keyword(name, otherwise) => methods = methods_of(keyword(arguments, name), otherwise),
            By::Path => {
                if let Some(method) = text(0).and_then(said_method) {
                    methods.push(method);
                    path = text(1).and_then(literal).unwrap_or_default();
                    n_said = 2;
                } else if let Some((method, rest)) = path.clone().split_once(' ') {
                    methods.extend(Method::named(method));
                    rest.trim().clone_into(&mut path);
                }
            }
            By::Argument(at) => {
                let Some(method) = text(at).and_then(said_method) else { return false };
                methods.push(method);
                path = text(at + 1).and_then(literal).unwrap_or_default();
                n_said = at + 2;
            }
            By::Handler | By::Chain => {}
        }
        let is_list = self.words.needs.iter().any(|(word, _)| *word == adds.word);
        let is_path =
            path.starts_with('/') || path.is_empty() && (is_chain || text(0).is_some_and(|first| literal(first).is_some()));
        if !(is_path || is_list) || is_list && first.is_none() {
            return false;
        }
        if is_decorator {
            let found = self.decorated(said.bytes.1);
            return found.is_some_and(|of| self.push(said, receiver, &path, &methods, &Handler::Symbol(of)));
        }
        let n_said = if is_chain { 0 } else { n_said };
        let at = match adds.handler {
            At::Argument(at) => at,
            At::Keyword(name) => {
                arguments.iter().position(|(_, text)| keyword(&[(0, *text)], name).is_some()).unwrap_or(usize::MAX)
            }
            _ if self.has_first => n_said,
            _ => arguments.len().saturating_sub(1).max(n_said),
        };
        let Some((at, text)) = arguments.get(at) else { return false };
        let text = if let At::Keyword(name) = adds.handler { keyword(&[(0, *text)], name).unwrap_or_default() } else { text };
        let start = said.arguments.map_or(0, |(start, _)| start) + *at as u32;
        if is_list {
            self.list(said);
        }
        if is_list && let Some(inside) = text.strip_prefix("include").and_then(bracketed) {
            self.include(said, &path, (start, inside));
            return true;
        }
        if !is_function(text) && (self.is_client(receiver) || self.may_be_other(adds.word, said, receiver)) {
            return false;
        }
        if adds.method == By::Handler {
            let handlers = by_method(text);
            for (method, text) in &handlers {
                // It is a part of the source.
                let inner = (text.as_ptr() as usize - self.source.as_ptr() as usize) as u32;
                let Some(handler) = self.handler(inner, text) else { continue };
                self.push(said, receiver, &path, &[*method], &handler);
            }
            return !handlers.is_empty();
        }
        let Some(handler) = self.handler(start, text) else { return false };
        self.push(said, receiver, &path, &methods, &handler)
    }

    /// Whether a word that collections and caches have too is not called on a router, as far as anybody knows.
    fn may_be_other(&self, word: &str, said: &Said, receiver: &str) -> bool {
        let is_known = self.chains.contains_key(&said.bytes.0) || self.variables.iter().any(|variable| variable.name == receiver);
        let name = last_part(receiver).to_ascii_lowercase();
        let is_common = client_method(word).is_some();
        let is_router = |router: &&str| {
            let is_long = router.len() > 2;
            name == **router && (is_long || self.has_package) || is_long && name.ends_with(*router)
        };
        is_common && !is_known && (is_store(receiver) || !ROUTERS.iter().any(is_router))
    }

    /// The handler that a text names which begins at a byte.
    fn handler(&self, start: u32, text: &str) -> Option<Handler> {
        Some(match handler(text)? {
            Named::Here => Handler::Here,
            Named::By(name) => {
                let at = text.rfind(name).unwrap_or_default() as u32;
                Handler::Named { name: name.to_owned(), line: self.line_at(start + at) }
            }
        })
    }

    fn push(&mut self, said: &Said, receiver: &str, path: &str, methods: &[Method], handler: &Handler) -> bool {
        let router = self.router(said, receiver);
        self.chains.entry(said.bytes.0).or_insert(router);
        let (first, line) = (self.web.routes.len(), self.line_of_arguments(said));
        let methods = if methods.is_empty() { &[Method::Any] } else { methods };
        let n_more = MAX_ROUTES.saturating_sub(first);
        for method in methods.iter().take(n_more) {
            let (path, handler) = (path.to_owned(), handler.clone());
            self.web.routes.push(Route { router, method: *method, path, handler, member: None, from: said.from, line });
        }
        self.ends.insert(said.bytes.1, (first, self.web.routes.len()));
        true
    }

    /// Says to which list the route of a call belongs: that of a variable, or one below the prefix of another route.
    fn list(&mut self, said: &Said) {
        let start = said.bytes.0;
        let around = self.around.iter().rfind(|((from, to), ..)| *from <= start && start < *to);
        let (base, prefix) =
            around.map_or((Base::Unknown, String::new()), |(_, router, path)| (Base::Router(*router), path.clone()));
        let symbol = self.symbol_at(start).map(|id| self.facts.names.get(self.facts.symbols[id.0 as usize].name).to_owned());
        let name = symbol.filter(|_| base == Base::Unknown).unwrap_or_default();
        let known =
            self.web.routers.iter().position(|router| (&router.name, router.base, &router.prefix) == (&name, base, &prefix));
        let router = match known {
            Some(known) => known as u32,
            None => self.add_router(Router { scope: None, name: name.clone(), parameter: None, base, prefix }),
        };
        if known.is_none() && !name.is_empty() {
            self.variables.push(Variable { name, bytes: (0, self.source.len() as u32), router });
        }
        self.chains.insert(start, router);
    }

    /// The routes of another module, below a path.
    fn include(&mut self, said: &Said, path: &str, (start, inside): (u32, &str)) {
        let router = self.router(said, "");
        let first = listed(inside).first().map_or("", |(_, text)| *text);
        if first.starts_with(['[', '(']) {
            self.around.push(((start, start + inside.len() as u32), router, path.to_owned()));
        } else if let Some(module) = literal(first) {
            let mount = Mount { router, prefix: path.to_owned(), target: Mounted::Module(module), from: said.from };
            self.web.mounts.push(mount);
        } else if let Some(of) = first.strip_suffix(".urls").filter(|of| of.to_ascii_lowercase().ends_with("router")) {
            self.mounted(said, router, path, (start, of), None);
        } else if is_dotted(first) {
            self.mounted(said, router, path, (start, first), None);
        }
    }

    /// The first definition behind a byte.
    pub(super) fn decorated(&self, end: u32) -> Option<SymbolId> {
        let first = self.facts.symbols.partition_point(|symbol| symbol.bytes.0 <= end);
        (first < self.facts.symbols.len()).then_some(SymbolId(first as u32))
    }

    /// `#[get("/x")]`: a route of what follows.
    pub(super) fn attribute(&mut self, said: &Said, text: &str) {
        if !text.starts_with('#') {
            return self.annotations(said, text);
        }
        let Some((word, rest)) = text.trim_start_matches(['#', '[']).split_once('(') else { return };
        let arguments = listed(rest);
        let word = last_part(word.trim());
        let Some(path) = arguments.first().and_then(|(_, text)| literal(text)).filter(|path| path.starts_with('/')) else {
            return;
        };
        let method = match keyword(&arguments, "method") {
            Some(method) if word == "route" => said_method(method),
            _ => Method::named(word),
        };
        let (Some(method), Some(of)) = (method, self.decorated(said.bytes.1)) else { return };
        let of_itself =
            Router { scope: Some(of), name: String::new(), parameter: None, base: Base::Unknown, prefix: String::new() };
        let router = self.add_router(of_itself);
        self.chains.insert(said.bytes.0, router);
        self.push(said, "", &path, &[method], &Handler::Symbol(of));
    }

    /// Narrows the routes in front of a call to some methods.
    pub(super) fn restrict(&mut self, said: &Said, receiver: &str, arguments: &Arguments<'_>) {
        let end = said.callee.0 + receiver.len() as u32;
        let methods = each_once(arguments.iter().filter_map(|(_, text)| said_method(text)));
        let (Some((first, last)), Some((method, more))) = (self.ends.get(&end).copied(), methods.split_first()) else { return };
        for at in first..last {
            self.web.routes[at].method = *method;
            let n_more = MAX_ROUTES.saturating_sub(self.web.routes.len());
            for other in more.iter().take(n_more) {
                let route = Route { method: *other, ..self.web.routes[at].clone() };
                self.web.routes.push(route);
            }
        }
    }
}

/// The methods of a list, or of one word.
pub(super) fn methods_of(text: Option<&str>, otherwise: Method) -> Vec<Method> {
    let Some(text) = text else { return vec![otherwise] };
    each_once(text.split(['"', '\'']).filter_map(Method::named))
}
