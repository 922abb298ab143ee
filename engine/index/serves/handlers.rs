//! Who serves a route: what it names, and what that serves of it.

use super::Code;
use activate_grammars::facts::{Handler, Method, Route, Web};
use activate_rules::links::Confidence;
use rustc_hash::FxHashMap;

/// What handlers serve besides what their routes say.
pub(super) struct Narrowed {
    /// The methods of those that serve some alone, by their nodes.
    methods: FxHashMap<u32, Vec<Method>>,
    /// The methods of types, by the nodes of these and their names.
    members: FxHashMap<(u32, String), u32>,
}

impl Narrowed {
    pub(super) fn new(code: &Code<'_>, webs: &[(u32, &Web)]) -> Self {
        let mut methods: FxHashMap<u32, Vec<Method>> = FxHashMap::default();
        for (file, web) in webs {
            for (of, method) in &web.narrowed {
                methods.entry(code.node(*file, Some(*of))).or_default().push(*method);
            }
        }
        let mut wanted: Vec<&str> =
            webs.iter().flat_map(|(_, web)| &web.routes).filter_map(|route| route.member.as_deref()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let n_files = code.files.len() as u32;
        let mut members = FxHashMap::default();
        let containers = if wanted.is_empty() { &[][..] } else { &code.resolved.containers };
        for (of, place) in containers.iter().zip(0..) {
            let Some(of) = of else { continue };
            let (file, id) = code.symbol(place);
            let name = code.name(file, id);
            if wanted.binary_search(&name).is_ok() {
                members.entry((n_files + of, name.to_owned())).or_insert(n_files + place);
            }
        }
        Self { methods, members }
    }

    /// The method of a type, or the type itself where it has none of that name.
    pub(super) fn member(&self, of: u32, name: &str) -> u32 {
        self.members.get(&(of, name.to_owned())).copied().unwrap_or(of)
    }

    /// The methods that a handler serves of a route.
    pub(super) fn methods(&self, handler: u32, method: Method) -> Vec<Method> {
        let own = if method == Method::Any { self.methods.get(&handler) } else { None };
        own.cloned().unwrap_or_else(|| vec![method])
    }
}

/// The nodes that serve a route, whether each is only where it stands, and how sure that is.
pub(super) fn handlers(code: &Code<'_>, file: u32, route: &Route) -> Vec<(u32, bool, Confidence)> {
    let named = match &route.handler {
        Handler::Symbol(id) => return vec![(code.node(file, Some(*id)), false, Confidence::Unique)],
        Handler::Named { name, line } => code.named(file, route.from, *line, name),
        Handler::Here => Vec::new(),
    };
    let n_files = code.files.len() as u32;
    let mut found: Vec<(u32, bool, Confidence)> = named
        .iter()
        .filter_map(|(place, confidence)| {
            let level = Confidence::among(named.len())?.max(*confidence);
            Some((n_files + place, false, level))
        })
        .collect();
    if found.is_empty() {
        found.push((code.node(file, route.from), true, Confidence::Unique));
    }
    found
}
