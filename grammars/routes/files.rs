//! Routes that are files: handlers of Next.js, whose paths are those of their folders.

use super::Method;
use crate::facts::{Base, Container, FileFacts, Handler, Route, Router, Symbol, SymbolId, Traits, Visibility, Web};

/// The endings of such files.
const ENDINGS: [&str; 4] = [".ts", ".tsx", ".js", ".jsx"];

/// Adds the routes that the path of a file says.
pub(super) fn add(path: &str, facts: &FileFacts, web: &mut Web) {
    let Some(stem) = ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)) else { return };
    let parts: Vec<&str> = stem.split('/').collect();
    let Some((name, folders)) = parts.split_last() else { return };
    let is_top = |symbol: &Symbol| symbol.container == Container::File;
    let mut found: Vec<(String, Method, Handler, Option<SymbolId>, u32)> = Vec::new();
    if let (&"route", Some(at)) = (name, folders.iter().position(|folder| *folder == "app")) {
        // Every exported function of such a name serves its method.
        for (symbol, id) in facts.symbols.iter().zip(0..) {
            let word = facts.names.get(symbol.name);
            let method = Method::named(word).filter(|_| word.bytes().all(|byte| byte.is_ascii_uppercase()));
            if let (Some(method), Some(path)) = (method, served(&folders[at + 1..]))
                && is_top(symbol)
                && symbol.visibility != Visibility::Private
            {
                let id = SymbolId(id);
                found.push((path, method, Handler::Symbol(id), Some(id), symbol.name_line));
            }
        }
    } else if let Some(at) = folders.windows(2).position(|two| two == ["pages", "api"]) {
        let mut below = folders[at + 1..].to_vec();
        below.extend(Some(*name).filter(|name| *name != "index"));
        let default = facts.symbols.iter().position(|symbol| is_top(symbol) && symbol.traits.has(Traits::DEFAULT));
        if let (Some(path), Some(default)) = (served(&below), default) {
            let id = SymbolId(default as u32);
            found.push((path, Method::Any, Handler::Symbol(id), Some(id), facts.symbols[default].name_line));
        }
    }
    if found.is_empty() {
        return;
    }
    let router = web.routers.len() as u32;
    web.routers.push(Router { scope: None, name: String::new(), parameter: None, base: Base::Root, prefix: String::new() });
    for (path, method, handler, from, line) in found {
        web.routes.push(Route { router, method, path, handler, member: None, from, line });
    }
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
