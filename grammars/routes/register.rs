//! Types that serve by their methods: view sets of the REST framework of Django, registered with routers.

use super::add::methods_of;
use super::expression::expression;
use super::read::{Arguments, Reader};
use super::text::{before, is_dotted, keyword, last_part, literal};
use super::{MAX_ROUTES, Said, join};
use crate::facts::{Base, SymbolId};
use crate::facts::{Handler, Method, Mount, Mounted, Route, Router};
use rustc_hash::FxHashMap;

/// What a view set serves: below its prefix, by which of its methods.
const SERVED: [(&str, Method, &str); 6] = [
    ("/", Method::Get, "list"),
    ("/", Method::Post, "create"),
    (ONE, Method::Get, "retrieve"),
    (ONE, Method::Put, "update"),
    (ONE, Method::Patch, "partial_update"),
    (ONE, Method::Delete, "destroy"),
];
/// One of the things that a view set serves.
const ONE: &str = "/{pk}/";
/// What takes over which of these methods.
const BASES: [(&str, &[&str]); 13] = [
    ("ModelViewSet", &["list", "create", "retrieve", "update", "partial_update", "destroy"]),
    ("ReadOnlyModelViewSet", &["list", "retrieve"]),
    ("CreateModelMixin", &["create"]),
    ("ListModelMixin", &["list"]),
    ("RetrieveModelMixin", &["retrieve"]),
    ("UpdateModelMixin", &["update", "partial_update"]),
    ("DestroyModelMixin", &["destroy"]),
    ("GenericViewSet", &[]),
    ("ViewSet", &[]),
    ("ViewSetMixin", &[]),
    ("APIView", &[]),
    ("GenericAPIView", &[]),
    ("object", &[]),
];
/// The word that registers.
const REGISTER: &str = "register";
/// What stands behind a router where its routes are given on.
const URLS: &str = ".urls";
/// The most bytes of a router's name.
const MAX_NAME: usize = 128;
/// The list of routes of a module.
const LIST: &str = "urlpatterns";
/// The most places of a router's name that are looked at.
const MAX_PLACES: usize = 64;

/// Whether a type of the framework has a method; nothing where the type is not known.
pub fn has_method(base: &str, method: &str) -> Option<bool> {
    BASES.iter().find(|(known, _)| *known == base).map(|(_, methods)| methods.contains(&method))
}

impl<'a> Reader<'a> {
    /// What a call or a decorator says of view sets. Says whether it is one that does.
    pub(super) fn registered(&mut self, said: &Said, receiver: &str, word: &str, arguments: &Arguments<'_>) -> bool {
        let is_decorator = || before(self.source, said.bytes.0 as usize).trim_end().ends_with('@');
        match word {
            REGISTER => self.view_set(said, receiver, arguments).is_some(),
            "action" if is_decorator() => self.decorated(said.bytes.1).is_some_and(|of| self.action(said, of, arguments)),
            "api_view" if is_decorator() => self.decorated(said.bytes.1).is_some_and(|of| {
                let first = arguments.first().map(|(_, text)| *text);
                let methods = methods_of(keyword(arguments, "http_method_names").or(first), Method::Get);
                let n_more = MAX_ROUTES.saturating_sub(self.web.narrowed.len());
                self.web.narrowed.extend(methods.into_iter().take(n_more).map(|method| (of, method)));
                true
            }),
            _ => false,
        }
    }

    /// `router.register(r"users", UserViewSet)`.
    fn view_set(&mut self, said: &Said, receiver: &str, arguments: &Arguments<'_>) -> Option<()> {
        let router = self.variable(receiver, said.bytes.0, said.from).filter(|router| self.registering.contains(router))?;
        // A bus that is called router has a method of that name, too.
        let is_given = || self.urls().contains_key(self.web.routers[router as usize].name.as_str());
        if !self.has_needs(REGISTER) && !is_given() {
            return None;
        }
        let prefix = keyword(arguments, "prefix").or_else(|| arguments.first().map(|(_, text)| *text)).and_then(literal)?;
        // Patterns with groups of their own are not understood.
        let is_plain = prefix.chars().all(|c| c.is_alphanumeric() || "/_-.".contains(c));
        let (at, set) = arguments.get(1).copied().filter(|_| is_plain)?;
        let set = keyword(&[(0, set)], "viewset").unwrap_or(set);
        if !is_dotted(set) || self.web.routes.len() + SERVED.len() > MAX_ROUTES {
            return None;
        }
        let start = said.arguments.map_or(0, |(start, _)| start) + at as u32;
        let line = self.line_at(start);
        let name = last_part(set).to_owned();
        for (path, method, member) in SERVED {
            let (path, member) = (join(&prefix, path), Some(member.to_owned()));
            let handler = Handler::Named { name: name.clone(), line };
            self.web.routes.push(Route { router, method, path, handler, member, from: said.from, line });
        }
        // What its own methods serve besides.
        let target = Mounted::Named { name, line, argument: None };
        self.web.mounts.push(Mount { router, prefix, target, from: said.from });
        Some(())
    }

    /// `@action(detail=True, methods=["post"])`: a route of a method of a view set.
    fn action(&mut self, said: &Said, of: SymbolId, arguments: &Arguments<'_>) -> bool {
        let symbol = &self.facts.symbols[of.0 as usize];
        let name = self.facts.names.get(symbol.name).to_owned();
        let container = symbol.container;
        // A regular expression, which most of these paths are as plain texts, too.
        let read = |text: &str| if text.contains(['(', '\\']) { expression(text) } else { literal(text) };
        let Some(path) = keyword(arguments, "url_path").map_or(Some(name), read) else { return true };
        let path = if keyword(arguments, "detail") == Some("True") { join(ONE, &path) } else { path };
        let router = self.of_container(container, true);
        let line = self.line_of_arguments(said);
        let methods = methods_of(keyword(arguments, "methods"), Method::Get);
        let n_more = MAX_ROUTES.saturating_sub(self.web.routes.len());
        for method in methods.into_iter().take(n_more) {
            let (path, handler) = (path.clone(), Handler::Symbol(of));
            self.web.routes.push(Route { router, method, path, handler, member: None, from: Some(of), line });
        }
        true
    }

    /// `urlpatterns = router.urls`, `include([*router.urls])`: routers whose routes are those of the module, or of a list in it.
    pub(super) fn list_registering(&mut self) {
        let mut routers: Vec<u32> = self.registering.iter().copied().collect();
        routers.sort_unstable();
        for router in routers {
            let known = &self.web.routers[router as usize];
            if known.scope.is_some() || known.name.is_empty() {
                continue;
            }
            let places = self.urls().get(known.name.as_str()).cloned().unwrap_or_default();
            for at in places {
                let line = before(self.source, at).trim_start();
                let is_spread = line.ends_with('*');
                let around = self.around.iter().rfind(|((from, to), ..)| is_spread && (*from..*to).contains(&(at as u32)));
                let around = around.map(|(_, outer, prefix)| (*outer, prefix.clone()));
                let is_list =
                    || line.starts_with(LIST) && line.contains('=') && !line.contains('(') || is_spread && self.is_list(at);
                let (outer, prefix) = match around {
                    Some(around) => around,
                    None if is_list() => (self.list_of_module(), String::new()),
                    None => continue,
                };
                self.web.mounts.push(Mount { router: outer, prefix, target: Mounted::Router(router), from: None });
            }
        }
    }

    /// The places of `NAME.urls`, by the name, in one pass.
    fn urls(&self) -> &FxHashMap<&'a str, Vec<usize>> {
        let source = self.source;
        self.urls.get_or_init(|| {
            let mut places: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
            for end in memchr::memmem::find_iter(source.as_bytes(), URLS) {
                let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte) || !byte.is_ascii();
                let n_bytes = source.as_bytes()[..end].iter().rev().take(MAX_NAME).take_while(|byte| is_in(byte)).count();
                let known = places.entry(source.get(end - n_bytes..end).unwrap_or_default()).or_default();
                known.extend(Some(end - n_bytes).filter(|_| known.len() < MAX_PLACES));
            }
            places
        })
    }

    /// Whether a byte stands in the list of routes of the module.
    fn is_list(&self, at: usize) -> bool {
        let symbol = self.symbol_at(at as u32);
        symbol.is_some_and(|id| self.facts.names.get(self.facts.symbols[id.0 as usize].name) == LIST)
    }

    /// The router of the list of routes of the module.
    fn list_of_module(&mut self) -> u32 {
        let list = self.web.routers.iter().position(|router| router.scope.is_none() && router.name == LIST);
        let new = || Router { scope: None, name: LIST.to_owned(), parameter: None, base: Base::Unknown, prefix: String::new() };
        list.map_or_else(|| self.add_router(new()), |list| list as u32)
    }
}
