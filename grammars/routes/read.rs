//! Calls to routers, routes, mounts and requests.

use super::ask::split_callee;
use super::handler::is_function;
use super::text::{arguments, assigned, is_dotted, keyword, last_part, listed, literal, member};
use super::words::{At, Mounts, RouteWords, is_registering};
use super::{Said, join};
use crate::facts::{Base, Container, FileFacts, Mount, Mounted, Router, SymbolId, SymbolKind, Web};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};

/// Arguments of a call, each with its place in the text of all.
pub(super) type Arguments<'a> = [(usize, &'a str)];

/// What calls say of routes and requests.
pub(crate) fn read(words: &'static RouteWords, source: &str, facts: &FileFacts, mut said: Vec<Said>) -> Web {
    // What stands in front of a call in a chain, and around it, comes first.
    said.sort_unstable_by_key(|said| said.bytes);
    let mut known: Vec<(&str, bool)> = Vec::new();
    let mut is_there = |mark: &'static str| {
        let met = known.iter().find(|(of, _)| *of == mark).map(|(_, is_there)| *is_there);
        met.unwrap_or_else(|| {
            let is_there = memchr::memmem::find(source.as_bytes(), mark.as_bytes()).is_some();
            known.push((mark, is_there));
            is_there
        })
    };
    let unmet = words.needs.iter().filter(|(_, mark)| !is_there(mark)).map(|(word, _)| *word).collect();
    let has_first = words.handler_first.iter().any(|module| source.contains(module));
    let line_ends = memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at as u32).collect();
    let mut reader = Reader {
        words,
        source,
        line_ends,
        facts,
        has_first,
        unmet,
        asking: FxHashSet::default(),
        has_package: words.packages.iter().any(|package| source.contains(package)),
        parameters: RefCell::default(),
        web: Web::default(),
        variables: Vec::new(),
        chains: FxHashMap::default(),
        ends: FxHashMap::default(),
        around: Vec::new(),
        registering: FxHashSet::default(),
        urls: OnceCell::new(),
    };
    for each in &said {
        reader.read(each);
    }
    reader.give();
    reader.list_registering();
    reader.web
}

/// A name that means a router in a stretch of the text.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) bytes: (u32, u32),
    pub(super) router: u32,
}

/// What has been read of a file.
pub(super) struct Reader<'a> {
    pub(super) words: &'static RouteWords,
    pub(super) source: &'a str,
    pub(super) facts: &'a FileFacts,
    /// The bytes of the ends of lines.
    line_ends: Vec<u32>,
    /// Whether the handler is the first argument behind the path.
    pub(super) has_first: bool,
    /// Words that count in files alone in which a word stands that is not in this one.
    unmet: Vec<&'static str>,
    /// Types that ask for the routes of their methods.
    pub(super) asking: FxHashSet<SymbolId>,
    /// Whether the file names a package of routers.
    pub(super) has_package: bool,
    /// The places of the parameters of functions that were asked for.
    parameters: RefCell<FxHashMap<SymbolId, FxHashMap<&'a str, u32>>>,
    pub(super) web: Web,
    pub(super) variables: Vec<Variable>,
    /// The router of each chain of calls, by its first byte.
    pub(super) chains: FxHashMap<u32, u32>,
    /// The routes of each call, by the byte at which it ends.
    pub(super) ends: FxHashMap<u32, (usize, usize)>,
    /// Arguments in which a router is put below a prefix of another, as byte ranges.
    pub(super) around: Vec<((u32, u32), u32, String)>,
    /// Routers that types are registered with.
    pub(super) registering: FxHashSet<u32>,
    /// The places at which the routes of a variable are named, by its name; found when somebody asks.
    pub(super) urls: OnceCell<FxHashMap<&'a str, Vec<usize>>>,
}

impl<'a> Reader<'a> {
    fn text(&self, bytes: (u32, u32)) -> &'a str {
        self.source.get(bytes.0 as usize..bytes.1 as usize).unwrap_or_default()
    }

    /// Whether the file has what makes a word count.
    pub(super) fn has_needs(&self, word: &str) -> bool {
        !self.unmet.contains(&word)
    }

    fn read(&mut self, said: &Said) {
        let callee = self.text(said.callee);
        let Some(bytes) = said.arguments else { return self.attribute(said, callee) };
        let arguments = arguments(self.text(bytes));
        let (receiver, word) = split_callee(callee);
        let words = self.words;
        if let Some(makes) = words.makes.iter().find(|makes| makes.callee == callee) {
            let prefix = Self::prefix(makes.prefix, &arguments);
            let base = if makes.is_root { Base::Root } else { Base::Unknown };
            self.make(said, base, prefix);
        } else if words.registers && is_registering(word) && !word.starts_with(char::is_lowercase) {
            // Those that are derived from FastAPI's take a prefix.
            let prefix = Self::prefix(At::Keyword("prefix"), &arguments);
            let router = self.make(said, Base::Unknown, prefix);
            self.registering.insert(router);
        } else if words.registers && self.registered(said, receiver, word, &arguments) {
        } else if words.restricts.contains(&word) {
            self.restrict(said, receiver, &arguments);
        } else if let Some(mounts) = words.mounts.iter().find(|mounts| mounts.word == word && !receiver.is_empty())
            && self.mount(mounts, said, receiver, &arguments)
        {
        } else if words.groups.contains(&word) && !receiver.is_empty() {
            self.group(said, receiver, &arguments);
        } else {
            let adds = words.adds.iter().find(|adds| adds.word == word);
            let is_added = adds.is_some_and(|adds| self.add(adds, said, receiver, &arguments));
            if !is_added {
                self.ask(said, callee, &arguments);
            }
        }
    }

    /// The text of a prefix; empty where there is none, `{}` where it is not written down.
    fn prefix(at: At, arguments: &Arguments<'_>) -> String {
        let text = match at {
            At::Argument(at) => arguments.get(at).map(|(_, text)| *text),
            At::Last => arguments.last().map(|(_, text)| *text),
            At::Keyword(name) => keyword(arguments, name),
            At::Member(name) => arguments.iter().find_map(|(_, text)| member(text, name)),
            At::Nowhere => None,
        };
        text.map_or_else(String::new, |text| literal(text).unwrap_or_else(|| super::text::HOLE.to_owned()))
    }

    pub(super) fn add_router(&mut self, router: Router) -> u32 {
        self.web.routers.push(router);
        self.web.routers.len() as u32 - 1
    }

    /// A router that a call gives: to a variable, to a chain of calls, or to what is around it.
    fn make(&mut self, said: &Said, base: Base, prefix: String) -> u32 {
        let start = said.bytes.0;
        let name = assigned(self.source, start as usize).unwrap_or_default().to_owned();
        let around = self.around.iter().rfind(|((from, to), ..)| *from <= start && start < *to);
        let (base, prefix) = match around {
            Some((_, outer, outside)) if name.is_empty() => (Base::Router(*outer), join(outside, &prefix)),
            _ => (base, prefix),
        };
        let scope = self.scope(said.from);
        let router = self.add_router(Router { scope, name: name.clone(), parameter: None, base, prefix });
        self.chains.insert(start, router);
        if name.is_empty() {
            self.web.mounts.extend(self.given(start as usize, router));
        } else {
            let bytes = (start, self.end_of(scope));
            self.variables.push(Variable { name, bytes, router });
        }
        router
    }

    /// The definition whose names are known in what a definition holds: of a variable what is around it.
    fn scope(&self, of: Option<SymbolId>) -> Option<SymbolId> {
        let mut at = of;
        // What holds a definition stands before it.
        while let Some(id) = at {
            let symbol = &self.facts.symbols[id.0 as usize];
            if !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant) {
                return at;
            }
            at = match symbol.container {
                Container::Symbol(outer) if outer < id => Some(outer),
                _ => None,
            };
        }
        None
    }

    fn end_of(&self, symbol: Option<SymbolId>) -> u32 {
        symbol.map_or(self.source.len() as u32, |id| self.facts.symbols[id.0 as usize].bytes.1)
    }

    /// The router that a call is made on.
    pub(super) fn router(&mut self, said: &Said, receiver: &str) -> u32 {
        if let Some(router) = self.chains.get(&said.bytes.0) {
            return *router;
        }
        // Of a chain on a variable the variable.
        let name = match receiver.split_once('(') {
            Some((called, _)) => called.rsplit_once('.').map_or("", |(name, _)| name).trim(),
            None => receiver,
        };
        if let Some(known) = self.variable(name, said.bytes.0, said.from) {
            return known;
        }
        let scope = self.scope(said.from).filter(|_| !name.is_empty());
        // The functions of Go's package serve at the root.
        let base = if name == "http" { Base::Root } else { Base::Unknown };
        let parameter = scope.and_then(|scope| self.parameter(scope, name));
        let router = self.add_router(Router { scope, name: name.to_owned(), parameter, base, prefix: String::new() });
        let start = scope.map_or(0, |id| self.facts.symbols[id.0 as usize].bytes.0);
        let bytes = (start, self.end_of(scope));
        self.variables.push(Variable { name: name.to_owned(), bytes, router });
        router
    }

    /// The router that a name means at a byte of a definition. A parameter is no variable from outside.
    pub(super) fn variable(&self, name: &str, at: u32, of: Option<SymbolId>) -> Option<u32> {
        let function = self.scope(of).filter(|scope| self.parameter(*scope, name).is_some());
        let start = function.map_or(0, |id| self.facts.symbols[id.0 as usize].bytes.0);
        let is_meant = |of: &&Variable| of.name == name && start <= of.bytes.0 && of.bytes.0 <= at && at < of.bytes.1;
        self.variables.iter().rfind(is_meant).map(|known| known.router)
    }

    /// The place of a name among the parameters of a function, the instance left out.
    fn parameter(&self, function: SymbolId, name: &str) -> Option<u32> {
        let mut known = self.parameters.borrow_mut();
        known.entry(function).or_insert_with(|| self.parameters(function).unwrap_or_default()).get(name).copied()
    }

    fn parameters(&self, function: SymbolId) -> Option<FxHashMap<&'a str, u32>> {
        let symbol = &self.facts.symbols[function.0 as usize];
        let header = self.text((symbol.bytes.0, symbol.body));
        let after = header.split_once(self.facts.names.get(symbol.name))?.1;
        let list = super::text::bracketed(&after[after.find('(')?..])?;
        let parts = listed(list);
        let first = parts.first().map_or("", |(_, text)| *text);
        let n_instances = usize::from(["self", "cls", "&self", "&mut self"].contains(&first));
        // `mut name: Type`, `name Type`.
        let said = |text: &'a str| match text.split_once(':') {
            Some((name, _)) => name.split_whitespace().next_back(),
            None => text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next(),
        };
        let mut places = FxHashMap::default();
        for ((_, text), at) in parts.iter().skip(n_instances).zip(0..) {
            if let Some(name) = said(text) {
                places.entry(name).or_insert(at);
            }
        }
        Some(places)
    }

    /// A router below another one.
    fn group(&mut self, said: &Said, receiver: &str, arguments: &Arguments<'_>) {
        let first = arguments.first().map_or("", |(_, text)| *text);
        let function = arguments.last().filter(|(_, text)| is_function(text));
        let prefix = if is_function(first) { Some(String::new()) } else { literal(first) };
        let Some(prefix) = prefix.filter(|prefix| prefix.is_empty() || prefix.contains('/')) else { return };
        let base = Base::Router(self.router(said, receiver));
        let Some((at, text)) = function else {
            self.make(said, base, prefix);
            return;
        };
        let router = self.add_router(Router { scope: said.from, name: String::new(), parameter: None, base, prefix });
        // A function without parameters adds to what the group is of.
        let parameters = text.split_once('(').map_or("", |(_, rest)| rest);
        let name = parameters.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let name = if name.is_empty() { receiver } else { name }.to_owned();
        let start = said.arguments.map_or(said.bytes.0, |(start, _)| start + *at as u32);
        self.variables.push(Variable { name, bytes: (start, said.bytes.1), router });
    }

    /// Puts something below a prefix. Says whether that is what the call does.
    fn mount(&mut self, mounts: &Mounts, said: &Said, receiver: &str, arguments: &Arguments<'_>) -> bool {
        let target = match mounts.target {
            At::Argument(at) => arguments.get(at),
            // Without a path it is below the router itself.
            _ => arguments.last().filter(|(_, text)| arguments.len() > 1 || is_dotted(text)),
        };
        let Some((at, text)) = target.filter(|(_, text)| !is_function(text)) else { return false };
        let is_bare = mounts.prefix == At::Argument(0) && arguments.len() == 1;
        let prefix = if is_bare { String::new() } else { Self::prefix(mounts.prefix, arguments) };
        if mounts.prefix == At::Argument(0) && !prefix.starts_with(['/', '{']) && !prefix.is_empty() {
            return false;
        }
        let router = self.router(said, receiver);
        self.chains.entry(said.bytes.0).or_insert(router);
        let start = said.arguments.map_or(0, |(start, _)| start) + *at as u32;
        let names = text.strip_prefix("routes!").or_else(|| text.strip_prefix("rocket::routes!"));
        if let Some(names) = names {
            let names = names.trim_matches(['[', ']', '(', ')']).split(',').map(str::trim).filter(|name| is_dotted(name));
            for name in names {
                self.mounted(said, router, &prefix, (start, name), None);
            }
            return true;
        }
        let given = mounts.gives.then_some(0);
        let callee = text.strip_suffix(')').and_then(|text| text.split_once('(')).map_or(*text, |(callee, _)| callee);
        let made = text.strip_prefix("new ").unwrap_or(text).split_once(['(', '<']).map_or("", |(made, _)| made.trim());
        let is_made = self.words.makes.iter().any(|makes| makes.callee == made);
        if is_made || !is_dotted(callee) {
            self.around.push(((start, start + text.len() as u32), router, prefix));
        } else {
            self.mounted(said, router, &prefix, (start, callee), given);
        }
        true
    }

    pub(super) fn mounted(&mut self, said: &Said, router: u32, prefix: &str, (at, text): (u32, &str), argument: Option<u32>) {
        let target = match self.variable(text, at, said.from) {
            Some(known) => Mounted::Router(known),
            None => Mounted::Named { name: last_part(text).to_owned(), line: self.line_at(at), argument },
        };
        self.web.mounts.push(Mount { router, prefix: prefix.to_owned(), target, from: said.from });
    }

    /// The line of the first argument's bracket.
    pub(super) fn line_of_arguments(&self, said: &Said) -> u32 {
        said.arguments.map_or(said.row + 1, |(start, _)| self.line_at(start))
    }

    /// The line of a byte.
    pub(super) fn line_at(&self, at: u32) -> u32 {
        self.line_ends.partition_point(|end| *end < at) as u32 + 1
    }
}
