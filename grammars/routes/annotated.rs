//! Annotations and decorators in front of types and methods: `@GetMapping("/x")`, `@Path("/x")` beside `@GET`, `@Get(":id")`.

use super::ask::{each_once, said_method};
use super::read::Reader;
use super::text::{HOLE, at_top, bracketed, keyword, listed, literal, member, request_path};
use super::{MAX_ROUTES, Said, join};
use crate::facts::{Base, Container, Handler, Method, Request, Route, Router, Symbol, SymbolId, SymbolKind};

/// The most paths of one annotation.
const MAX_PATHS: usize = 64;

impl Reader<'_> {
    /// What the annotations of a definition say, whose text stands in front of it.
    pub(super) fn annotations(&mut self, said: &Said, text: &str) {
        let of = if self.words.decorates { self.behind(said) } else { said.from };
        let Some(of) = of else { return };
        let symbol = &self.facts.symbols[of.0 as usize];
        let is_type = matches!(symbol.kind, SymbolKind::Type | SymbolKind::Interface);
        if is_type && annotated(text).any(|(_, name)| self.words.asking.contains(&name)) {
            self.asking.insert(of);
        }
        let words = self.words;
        // The path of what has none of its own.
        let part = annotated(text).find(|(_, name)| words.parts.contains(name) && self.has_needs(name));
        let part_paths = part.map(|(at, name)| said_paths(&inside(text, at, name)));
        if let Some(prefix) = part_paths.as_ref().filter(|_| is_type).map(|paths| paths.first().cloned().unwrap_or_default()) {
            // A server may put all of them below a path of its own.
            self.add_router(of_type(of, Base::Unknown, prefix));
        }
        for (at, name) in annotated(text) {
            let of_word = words.annotations.iter().find(|(word, _)| *word == name && self.has_needs(word));
            let Some((word, method)) = of_word else { continue };
            let arguments = inside(text, at, name);
            let is_part = words.verbs.contains(word);
            if is_type && !is_part {
                let base = if self.asking.contains(&of) { Base::Unknown } else { Base::Root };
                let prefix = said_paths(&arguments).into_iter().next().unwrap_or_default();
                self.add_router(of_type(of, base, prefix));
            }
            if is_type {
                continue;
            }
            let methods = method.map_or_else(|| methods(keyword(&arguments, "method")), |method| vec![method]);
            let line = self.line_at(said.bytes.0 + at as u32);
            let router = self.of_container(self.facts.symbols[of.0 as usize].container, is_part);
            let paths = part_paths.clone().filter(|_| is_part).unwrap_or_else(|| said_paths(&arguments));
            for path in paths.iter().filter(|path| !path.contains(HOLE)) {
                for method in &methods {
                    self.of_method(router, *method, path, of, line);
                }
            }
        }
    }

    /// The definition that a decorator stands in front of, or in the header of.
    fn behind(&self, said: &Said) -> Option<SymbolId> {
        let at = said.bytes.0;
        let symbols = &self.facts.symbols;
        let first = symbols.partition_point(|symbol| symbol.bytes.0 <= at);
        let is_above = |symbol: &Symbol| symbol.doc.0 <= at && at < symbol.doc.1;
        let around = || self.symbol_at(at).filter(|id| at < symbols[id.0 as usize].body);
        if symbols.get(first).is_some_and(is_above) { Some(SymbolId(first as u32)) } else { around() }
    }

    /// The router of the methods of a type.
    pub(super) fn of_container(&mut self, container: Container, is_part: bool) -> u32 {
        let scope = if let Container::Symbol(id) = container { Some(id) } else { None };
        let known = self.web.routers.iter().position(|router| router.scope == scope && router.name.is_empty());
        let is_root = !is_part && !scope.is_some_and(|scope| self.asking.contains(&scope));
        let base = if is_root { Base::Root } else { Base::Unknown };
        let new = || Router { scope, name: String::new(), parameter: None, base, prefix: String::new() };
        known.map_or_else(|| self.add_router(new()), |known| known as u32)
    }

    /// A route of a method, or the request that it stands for.
    fn of_method(&mut self, router: u32, method: Method, path: &str, of: SymbolId, line: u32) {
        let known = &self.web.routers[router as usize];
        if self.web.routes.len() + self.web.requests.len() >= MAX_ROUTES {
            return;
        }
        if !known.scope.is_some_and(|scope| self.asking.contains(&scope)) {
            let (path, handler) = (path.to_owned(), Handler::Symbol(of));
            self.web.routes.push(Route { router, method, path, handler, member: None, from: Some(of), line });
        } else if let Some((path, has_base)) = request_path(&join(&known.prefix, path)) {
            self.web.requests.push(Request { method, path, has_base, from: Some(of), line });
        }
    }
}

fn of_type(of: SymbolId, base: Base, prefix: String) -> Router {
    Router { scope: Some(of), name: String::new(), parameter: None, base, prefix }
}

/// What stands between the brackets of an annotation.
fn inside<'a>(text: &'a str, at: usize, name: &str) -> Vec<(usize, &'a str)> {
    listed(bracketed(text[at + 1 + name.len()..].trim_start()).unwrap_or_default())
}

/// The paths that an annotation says; an empty one where it says none.
fn said_paths(arguments: &[(usize, &str)]) -> Vec<String> {
    let is_value = |text: &&str| !text.contains('=') || text.starts_with(['"', '\'', '`']);
    let first = arguments.first().map(|(_, text)| *text);
    // An object has the path as a member.
    let in_object = first.filter(|text| text.starts_with('{')).and_then(|object| member(object, "path"));
    let first = in_object.or_else(|| first.filter(is_value));
    let said = first.or_else(|| keyword(arguments, "value")).or_else(|| keyword(arguments, "path"));
    said.map_or_else(|| vec![String::new()], paths)
}

/// The annotations of a text, with the byte at which each begins: not those in arguments of others, in texts and in comments.
fn annotated(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let name = |at: usize| text[at + 1..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    at_top(text, b'@').into_iter().map(move |at| (at, name(at)))
}

/// The paths of an annotation: one text, or several between braces or brackets. What is not written down is a hole.
fn paths(text: &str) -> Vec<String> {
    let enclosed = |open: char, close: char| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let inside = enclosed('{', '}').or_else(|| enclosed('[', ']'));
    let each = inside.map_or_else(|| vec![text], |inside| listed(inside).into_iter().map(|(_, text)| text).collect());
    each.into_iter().take(MAX_PATHS).map(|text| literal(text).unwrap_or_else(|| HOLE.to_owned())).collect()
}

/// The methods of an annotation: `RequestMethod.POST`, `{ RequestMethod.GET, RequestMethod.POST }`.
fn methods(text: Option<&str>) -> Vec<Method> {
    let Some(text) = text else { return vec![Method::Any] };
    let found = listed(text.trim_matches(['{', '}'])).into_iter().filter_map(|(_, text)| said_method(text.trim()));
    let found = each_once(found);
    if found.is_empty() { vec![Method::Any] } else { found }
}
