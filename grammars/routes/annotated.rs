//! Annotations in front of types and methods: `@GetMapping("/x")`.

use super::ask::{each_once, said_method};
use super::read::Reader;
use super::text::{HOLE, bracketed, keyword, listed, literal, request_path};
use super::{MAX_ROUTES, Said, join};
use crate::facts::{Base, Container, Handler, Method, Request, Route, Router, SymbolId, SymbolKind};

/// The most paths of one annotation.
const MAX_PATHS: usize = 64;

impl Reader<'_> {
    /// What the annotations of a definition say, whose text stands in front of it.
    pub(super) fn annotations(&mut self, said: &Said, text: &str) {
        let Some(of) = said.from else { return };
        let symbol = &self.facts.symbols[of.0 as usize];
        let is_type = matches!(symbol.kind, SymbolKind::Type | SymbolKind::Interface);
        if is_type && annotated(text).any(|(_, name)| self.words.asking.contains(&name)) {
            self.asking.insert(of);
        }
        for (at, name) in annotated(text) {
            let Some((_, method)) = self.words.annotations.iter().find(|(word, _)| *word == name) else { continue };
            let inside = bracketed(text[at + 1 + name.len()..].trim_start()).unwrap_or_default();
            let arguments = listed(inside);
            let first = arguments.first().map(|(_, text)| *text).filter(|text| !text.contains('=') || text.starts_with('"'));
            let said_path = first.or_else(|| keyword(&arguments, "value")).or_else(|| keyword(&arguments, "path"));
            let paths = said_path.map_or_else(|| vec![String::new()], paths);
            if is_type {
                let base = if self.asking.contains(&of) { Base::Unknown } else { Base::Root };
                let prefix = paths.into_iter().next().unwrap_or_default();
                let of_type = Router { scope: Some(of), name: String::new(), parameter: None, base, prefix };
                self.web.routers.push(of_type);
                continue;
            }
            let methods = method.map_or_else(|| methods(keyword(&arguments, "method")), |method| vec![method]);
            let line = self.line_at(said.bytes.0 + at as u32);
            let router = self.of_type(self.facts.symbols[of.0 as usize].container);
            for path in paths.iter().filter(|path| !path.contains(HOLE)) {
                for method in &methods {
                    self.of_method(router, *method, path, of, line);
                }
            }
        }
    }

    /// The router of the methods of a type.
    fn of_type(&mut self, container: Container) -> u32 {
        let scope = if let Container::Symbol(id) = container { Some(id) } else { None };
        let known = self.web.routers.iter().position(|router| router.scope == scope && router.name.is_empty());
        known.map_or_else(
            || {
                let base = if scope.is_some_and(|scope| self.asking.contains(&scope)) { Base::Unknown } else { Base::Root };
                self.add_router(Router { scope, name: String::new(), parameter: None, base, prefix: String::new() })
            },
            |known| known as u32,
        )
    }

    /// A route of a method, or the request that it stands for.
    fn of_method(&mut self, router: u32, method: Method, path: &str, of: SymbolId, line: u32) {
        let known = &self.web.routers[router as usize];
        if self.web.routes.len() + self.web.requests.len() >= MAX_ROUTES {
            return;
        }
        if known.base == Base::Root {
            let handler = Handler::Symbol(of);
            self.web.routes.push(Route { router, method, path: path.to_owned(), handler, from: Some(of), line });
        } else if let Some((path, has_base)) = request_path(&join(&known.prefix, path)) {
            self.web.requests.push(Request { method, path, has_base, from: Some(of), line });
        }
    }
}

/// The annotations of a text, with the byte at which each begins.
fn annotated(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let name = |at: usize| text[at + 1..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    text.match_indices('@').map(move |(at, _)| (at, name(at)))
}

/// The paths of an annotation: one text, or several between braces. What is not written down is a hole.
fn paths(text: &str) -> Vec<String> {
    let inside = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
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
