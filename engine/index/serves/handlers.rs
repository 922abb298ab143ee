//! Who serves a route: what it names, and what that serves of it.

use super::Code;
use super::procedures::last_name;
use crate::resolve::{End, Relation};
use activate_grammars::facts::{Container, Handler, Method, Route, SymbolKind, Web};
use activate_grammars::routes::has_method;
use activate_rules::links::Confidence;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most types above one that are looked at.
const MAX_ABOVE: usize = 64;

/// What handlers serve besides what their routes say.
pub(super) struct Narrowed<'a> {
    /// The methods of those that serve some alone, by their nodes.
    methods: FxHashMap<u32, Vec<Method>>,
    /// The methods of types, by the nodes of these and their names.
    members: FxHashMap<(u32, String), u32>,
    /// The names of what stands above types, by the places of these; none for what is no name.
    above: FxHashMap<u32, Vec<Option<&'a str>>>,
}

impl<'a> Narrowed<'a> {
    pub(super) fn new(code: &'a Code<'_>, webs: &[(u32, &Web)]) -> Self {
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
        let mut above: FxHashMap<u32, Vec<Option<&str>>> = FxHashMap::default();
        for (file, number) in code.files.iter().zip(0..).filter(|_| !wanted.is_empty()) {
            for each in &file.record.facts.supers {
                if let Container::Symbol(of) = each.container {
                    above.entry(code.place(number, of)).or_default().push(last_name(&file.record.facts, each.of));
                }
            }
        }
        Self { methods, members, above }
    }

    /// The method of a type, or the type itself where one above it has the method or may have it; nothing where none has.
    pub(super) fn member(&self, code: &Code<'_>, of: u32, name: &str) -> Option<u32> {
        let own = self.members.get(&(of, name.to_owned())).copied();
        own.or_else(|| self.takes_over(code, of, name).then_some(of))
    }

    /// Whether a type may have a method from those above it.
    fn takes_over(&self, code: &Code<'_>, of: u32, name: &str) -> bool {
        let n_files = code.files.len() as u32;
        // Of what is no type of the repository nothing is known.
        let Some(first) = of.checked_sub(n_files).filter(|place| is_type(code, *place)) else { return true };
        let mut seen = FxHashSet::from_iter([first]);
        let mut open = vec![first];
        while let Some(place) = open.pop() {
            let links = &code.resolved.links;
            let start = links.partition_point(|link| link.from < End::Symbol(place));
            let of_type = links[start..].iter().take_while(|link| link.from == End::Symbol(place));
            let own: Vec<u32> = of_type.filter(|link| link.relation == Relation::Extends).map(|link| link.to).collect();
            for base in self.above.get(&place).into_iter().flatten() {
                let Some(base) = base else { return true };
                let is_meant = |place: &&u32| {
                    let (file, id) = code.symbol(**place);
                    code.name(file, id) == *base
                };
                let mut is_own = false;
                for above in own.iter().filter(is_meant) {
                    is_own = true;
                    if self.members.contains_key(&(n_files + above, name.to_owned())) || seen.len() >= MAX_ABOVE {
                        return true;
                    }
                    open.extend(Some(*above).filter(|above| seen.insert(*above)));
                }
                if !is_own && has_method(base, name) != Some(false) {
                    return true;
                }
            }
        }
        false
    }

    /// The methods that a handler serves of a route.
    pub(super) fn methods(&self, handler: u32, method: Method) -> Vec<Method> {
        let own = if method == Method::Any { self.methods.get(&handler) } else { None };
        own.cloned().unwrap_or_else(|| vec![method])
    }
}

fn is_type(code: &Code<'_>, place: u32) -> bool {
    let (file, id) = code.symbol(place);
    matches!(code.facts(file).symbols[id.0 as usize].kind, SymbolKind::Type | SymbolKind::Interface)
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
