//! Routes that are files: handlers of Next.js, whose paths are those of their folders.

use super::Method;
use super::text::{first_bytes, listed};
use crate::facts::{Base, Container, FileFacts, Handler, Route, Router, Symbol, SymbolId, Traits, Visibility, Web};

/// The endings of such files.
const ENDINGS: [&str; 4] = [".ts", ".tsx", ".js", ".jsx"];
/// The package whose projects have such files.
const FRAMEWORK: &str = "next";
/// What manifests list packages in.
const DEPENDENCIES: [&str; 3] = ["dependencies", "devDependencies", "peerDependencies"];
/// The most lists of what a file gives out that are read, and the most bytes of one.
const MAX_EXPORTS: usize = 64;
const MAX_EXPORT: usize = 2 << 10;

/// Whether files of a package are routes, by its manifest.
pub fn serves_files(manifest: &str) -> bool {
    let Ok(manifest) = serde_json::from_str::<serde_json::Value>(manifest) else { return false };
    DEPENDENCIES.iter().any(|list| manifest[*list].get(FRAMEWORK).is_some())
}

/// Adds the routes that the path of a file says.
pub(super) fn add(path: &str, source: &str, facts: &FileFacts, web: &mut Web) {
    let Some(stem) = ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)) else { return };
    let parts: Vec<&str> = stem.split('/').collect();
    let Some((name, folders)) = parts.split_last() else { return };
    let mut found: Vec<(Method, Option<SymbolId>)> = Vec::new();
    let path = if let (&"route", Some(at)) = (name, top(folders)) {
        found = by_method(source, facts);
        served(&folders[at + 1..])
    } else if let Some(at) = folders.windows(2).position(|two| two == ["pages", "api"]) {
        found.extend(by_default(source, facts));
        let mut below = folders[at + 1..].to_vec();
        below.extend(Some(*name).filter(|name| *name != "index"));
        served(&below)
    } else {
        None
    };
    let Some(path) = path.filter(|_| !found.is_empty()) else { return };
    let router = web.routers.len() as u32;
    web.routers.push(Router { scope: None, name: String::new(), parameter: None, base: Base::Package, prefix: String::new() });
    for (method, of) in found {
        let (path, handler) = (path.clone(), of.map_or(Handler::Here, Handler::Symbol));
        let line = of.map_or(1, |of| facts.symbols[of.0 as usize].name_line);
        web.routes.push(Route { router, method, path, handler, member: None, from: of, line });
    }
}

/// The folder of all routes. A package or a part of a path may have its name, too: it is the last one in front of what only paths have.
fn top(folders: &[&str]) -> Option<usize> {
    let is_of_path = |folder: &&str| *folder == "api" || folder.starts_with(['[', '(', '@', '_']);
    let outer = &folders[..folders.iter().position(is_of_path).unwrap_or(folders.len())];
    let is_top = |folder: &&str| *folder == "app";
    let in_sources = || outer.windows(2).rposition(|two| two == ["src", "app"]).map(|at| at + 1);
    in_sources().or_else(|| outer.iter().rposition(is_top)).or_else(|| folders.iter().position(is_top))
}

fn is_top(symbol: &Symbol) -> bool {
    symbol.container == Container::File
}

/// The definition of a name at the top of a file.
fn defined(facts: &FileFacts, name: &str) -> Option<SymbolId> {
    let is_meant = |symbol: &Symbol| is_top(symbol) && facts.names.get(symbol.name) == name;
    facts.symbols.iter().position(is_meant).map(|at| SymbolId(at as u32))
}

/// The methods that a file serves: every function of such a name that it gives out. What it gives on from elsewhere is served by the file.
fn by_method(source: &str, facts: &FileFacts) -> Vec<(Method, Option<SymbolId>)> {
    let method = |word: &str| Method::named(word).filter(|_| word.bytes().all(|byte| byte.is_ascii_uppercase()));
    let mut found: Vec<(Method, Option<SymbolId>)> = Vec::new();
    for (symbol, id) in facts.symbols.iter().zip(0..) {
        if let Some(method) =
            method(facts.names.get(symbol.name)).filter(|_| is_top(symbol) && symbol.visibility != Visibility::Private)
        {
            found.push((method, Some(SymbolId(id))));
        }
    }
    for export in exports(source) {
        if export.trim_start().starts_with('*') && found.is_empty() {
            found.push((Method::Any, None));
        }
        let Some((_, inside)) = export.split_once('{').filter(|(front, _)| ["", "const", "let"].contains(&front.trim())) else {
            continue;
        };
        for (_, item) in listed(inside) {
            let mut names = item.split(|c: char| c.is_whitespace() || c == ':' || c == ',').filter(|name| !name.is_empty());
            let (Some(own), given) = (names.next(), names.next_back()) else { continue };
            if let Some(method) = method(given.unwrap_or(own)).filter(|method| found.iter().all(|(known, _)| known != method)) {
                found.push((method, defined(facts, own)));
            }
        }
    }
    found
}

/// What a file gives out without a name, if anything: a definition, or what only the file has. It serves every method.
fn by_default(source: &str, facts: &FileFacts) -> Option<(Method, Option<SymbolId>)> {
    let default = facts.symbols.iter().position(|symbol| is_top(symbol) && symbol.traits.has(Traits::DEFAULT));
    if let Some(default) = default {
        return Some((Method::Any, Some(SymbolId(default as u32))));
    }
    for export in exports(source).map(str::trim_start) {
        if let Some(rest) = export.strip_prefix("default").map(str::trim_start) {
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next().unwrap_or_default();
            let is_all = rest[name.len()..].trim_start_matches([' ', '\t']).starts_with([';', '\n', '\r']);
            return Some((Method::Any, defined(facts, name).filter(|_| is_all)));
        }
        if export.starts_with('{') && export.split('}').next().is_some_and(|list| list.contains("default")) {
            return Some((Method::Any, None));
        }
    }
    source.contains("module.exports").then_some((Method::Any, None))
}

/// What stands behind the word with which lines give something out.
fn exports(source: &str) -> impl Iterator<Item = &str> {
    let at_start = |at: &usize| *at == 0 || source.as_bytes()[*at - 1] == b'\n';
    let words = memchr::memmem::find_iter(source.as_bytes(), "export ").filter(at_start).take(MAX_EXPORTS);
    words.filter_map(move |at| Some(first_bytes(source.get(at + "export".len()..)?, MAX_EXPORT)))
}

/// The path that folders serve: groups in brackets are no part of it, and private folders are not served.
fn served(folders: &[&str]) -> Option<String> {
    let mut path = String::new();
    for folder in folders {
        if folder.starts_with('_') || folder.starts_with("(.") {
            return None;
        }
        if folder.starts_with('@') || folder.starts_with('(') && folder.ends_with(')') {
            continue;
        }
        let inside = folder.trim_start_matches('[').trim_end_matches(']');
        path.push('/');
        match inside.strip_prefix("...") {
            Some(_) => path.push('*'),
            None if inside.len() < folder.len() => path.extend(["{", inside, "}"]),
            None => path.push_str(folder),
        }
    }
    Some(if path.is_empty() { "/".to_owned() } else { path })
}
