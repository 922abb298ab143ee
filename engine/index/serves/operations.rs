//! Operations of `OpenAPI` documents to the functions that have their names.
//!
//! A name counts where it has several words, and where one function alone has it: one of the code that is generated, and, where no route serves the
//! operation by its path, one of the code that people write for servers. That is what stands in a file with routes and asks for nothing itself, or
//! fulfils what generated code demands. A name is less than a path, so such a link is no surer than [`Confidence::AmongTwo`].

use super::procedures::is_generated;
use super::{Code, Found, Link};
use crate::resolve::{End, Relation};
use activate_grammars::facts::{SymbolId, SymbolKind, Traits, Web};
use activate_rules::links::Confidence;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::FileFlags;
use crate::extract::flags;

/// What functions of a name there are.
#[derive(Default)]
struct Functions {
    /// Those that people write: the first, and how many there are.
    written: Option<(u32, usize)>,
    /// Those that are generated.
    generated: Option<(u32, usize)>,
}

/// Adds which functions have the names of operations.
pub(super) fn add(code: &Code<'_>, webs: &[(u32, &Web)], found: &mut Found) {
    let mut by_name: FxHashMap<String, Functions> = FxHashMap::default();
    for operation in webs.iter().flat_map(|(_, web)| &web.operations) {
        for name in names(&operation.name) {
            by_name.entry(name).or_default();
        }
    }
    if by_name.is_empty() {
        return;
    }
    let fulfils = fulfilling(code);
    for (number, file) in (0..).zip(code.files) {
        let flags = flags(file.path, file.record);
        if [FileFlags::TEST, FileFlags::VENDORED, FileFlags::EXAMPLE].iter().any(|flag| flags.has(*flag)) {
            continue;
        }
        let is_generated = flags.has(FileFlags::GENERATED);
        let web = file.record.facts.web.as_deref();
        let has_routes = web.is_some_and(|web| !web.routes.is_empty());
        let asking: FxHashSet<SymbolId> =
            web.into_iter().flat_map(|web| &web.requests).flat_map(|request| code.around(number, request.from)).collect();
        for (symbol, id) in file.record.facts.symbols.iter().zip(0..) {
            let is_function = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
            if !is_function || symbol.traits.has(Traits::TEST_CODE) {
                continue;
            }
            let Some(functions) = by_name.get_mut(&words(code.name(number, SymbolId(id))).concat()) else { continue };
            let serves = has_routes && !asking.contains(&SymbolId(id)) || fulfils.contains(&code.place(number, SymbolId(id)));
            let of = match is_generated {
                true => &mut functions.generated,
                false if serves => &mut functions.written,
                false => continue,
            };
            of.get_or_insert((code.node(number, Some(SymbolId(id))), 0)).1 += 1;
        }
    }
    let served: FxHashSet<(u32, u32)> = found.links.iter().map(|link| (link.from, link.line)).collect();
    for (file, web) in webs {
        for operation in &web.operations {
            let Some(request) = web.requests.get(operation.request as usize) else { continue };
            let only = |of: Option<(u32, usize)>| of.filter(|(_, n)| *n == 1).map(|(node, _)| node);
            let mut link = |to: u32, confidence: Confidence, text: String| {
                found.links.push(Link { from: *file, line: request.line, to, confidence, text });
            };
            let functions: Vec<&Functions> = names(&operation.name).iter().filter_map(|name| by_name.get(name)).collect();
            let text = format!("operation {}", operation.name);
            if let Some(to) = functions.iter().find_map(|functions| functions.generated).and_then(|of| only(Some(of))) {
                link(to, Confidence::Unique, format!("generated code of {text}"));
            }
            let written = functions.iter().find_map(|functions| functions.written).and_then(|of| only(Some(of)));
            if let Some(to) = written.filter(|_| !served.contains(&(*file, request.line))) {
                link(to, Confidence::AmongTwo, text);
            }
        }
    }
}

/// The functions that fulfil what generated code demands.
fn fulfilling(code: &Code<'_>) -> FxHashSet<u32> {
    let links = code.resolved.links.iter().filter(|link| link.relation == Relation::Implements);
    let of_generated = links.filter(|link| is_generated(code, code.symbol(link.to).0));
    of_generated.filter_map(|link| if let End::Symbol(place) = link.from { Some(place) } else { None }).collect()
}

/// The names that functions of an operation have, in small letters: its own, and what stands behind its tag, as in `users-read_user`. A single word
/// may mean anything.
fn names(operation: &str) -> Vec<String> {
    let behind_tag = operation.split_once('-').map(|(_, rest)| rest);
    let names = std::iter::once(operation).chain(behind_tag).map(words);
    names.filter(|words| words.len() > 1).map(|words| words.concat()).collect()
}

/// The words of a name in small letters: `readUser` and `read_user` are the same.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            is_new = true;
            continue;
        }
        if is_new || c.is_uppercase() && was_small {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
        (is_new, was_small) = (false, !c.is_uppercase());
    }
    words
}
