//! What a `.proto` file declares to the code that was generated from it.
//!
//! A file is generated from the `.proto` file that its head names, or whose name it has with an ending that generators give. Inside of it a type is that
//! of the message, enumeration or service whose name it has, in the way in which its language writes names, and a method of such a service is that of
//! the procedure of its name.

use super::sources::Protos;
use super::{Code, Found, Link};
use activate_grammars::facts::{Container, Declared, DeclaredKind, Procedure, SymbolId, SymbolKind, Web};
use activate_grammars::language_of;
use activate_grammars::routes::{PROTO, types_of_service};
use activate_rules::links::Confidence;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::FileFlags;
use crate::extract::flags;

/// The most definitions around one.
const MAX_AROUND: usize = 64;

/// Adds what was generated from which declaration.
pub(super) fn add(code: &Code<'_>, webs: &[(u32, &Web)], found: &mut Found) {
    let path = |file: u32| code.files[file as usize].path;
    let is_own = |file: u32| !flags(path(file), code.files[file as usize].record).has(FileFlags::VENDORED);
    let is_contract = |web: &Web| !web.declared.is_empty() || web.package.is_some();
    let protos: FxHashMap<u32, &Web> =
        webs.iter().copied().filter(|(file, web)| is_contract(web) && path(*file).ends_with(PROTO) && is_own(*file)).collect();
    if protos.is_empty() {
        return;
    }
    let known = Protos::new(code, protos.iter().map(|(file, web)| (*file, *web)));
    // Several files may be made of the same one.
    let mut all_declared: FxHashMap<u32, Declarations<'_>> = FxHashMap::default();
    let procedures = procedures(&protos);
    for (number, file) in (0..).zip(code.files) {
        let sources = known.of(code, number);
        if sources.is_empty() || !is_own(number) {
            continue;
        }
        for source in &sources {
            let text = format!("{GENERATED}{}", last(path(*source)));
            found.links.push(Link { from: *source, line: 1, to: number, confidence: Confidence::Unique, text });
            all_declared.entry(*source).or_insert_with(|| Declarations::new(protos.get(source).copied()));
        }
        let declared: Vec<(u32, &Declarations<'_>)> =
            sources.iter().filter_map(|source| Some((*source, all_declared.get(source)?))).collect();
        let mut services: FxHashMap<u32, (u32, &Declared)> = FxHashMap::default();
        let symbols = &file.record.facts.symbols;
        let ids = (0..symbols.len() as u32).map(SymbolId);
        let types: Vec<(SymbolId, Meant<'_>)> = ids.filter_map(|id| Some((id, of_type(&declared, code, number, id)?))).collect();
        let exact: FxHashSet<(u32, &str)> =
            types.iter().filter(|(_, meant)| meant.is_exact).map(|(_, meant)| meant.key()).collect();
        // Generators make names of several parts, too, which may read alike.
        for (id, Meant { source, each, .. }) in
            types.into_iter().filter(|(_, meant)| meant.is_exact || !exact.contains(&meant.key()))
        {
            let text = format!("{GENERATED}{} {}", each.kind.word(), each.name);
            let to = code.node(number, Some(id));
            found.links.push(Link { from: source, line: each.line, to, confidence: Confidence::Unique, text });
            if each.kind == DeclaredKind::Service && symbols[id.0 as usize].kind != SymbolKind::Alias {
                services.insert(code.place(number, id), (source, each));
            }
        }
        for (symbol, id) in symbols.iter().zip(0..).filter(|(symbol, _)| symbol.kind == SymbolKind::Method) {
            let place = code.place(number, SymbolId(id));
            let Some((source, service)) = container(code, number, SymbolId(id)).and_then(|of| services.get(&of)) else {
                continue;
            };
            let name = normal(file.record.facts.names.get(symbol.name));
            if let Some(Some(procedure)) = procedures.get(&(*source, service.name.as_str(), name)) {
                let text = format!("{GENERATED}rpc {}.{}", procedure.service, procedure.name);
                let to = code.files.len() as u32 + place;
                let link = Link { from: *source, line: procedure.line, to, confidence: Confidence::Unique, text };
                found.links.push(link);
            }
        }
    }
}

/// The procedures of some files by file, service and name in small letters without separators; none where several have it.
fn procedures<'a>(protos: &FxHashMap<u32, &'a Web>) -> FxHashMap<(u32, &'a str, String), Option<&'a Procedure>> {
    let mut found = FxHashMap::default();
    for (file, web) in protos {
        for each in &web.procedures {
            let key = (*file, each.service.as_str(), normal(&each.name));
            found.entry(key).and_modify(|known| *known = None).or_insert(Some(each));
        }
    }
    found
}

/// What the texts of these links begin with.
pub(crate) const GENERATED: &str = "generated code of ";

/// What a definition is the type of.
struct Meant<'a> {
    /// The file that declares it.
    source: u32,
    each: &'a Declared,
    /// Whether it has the very name.
    is_exact: bool,
}

impl<'a> Meant<'a> {
    fn key(&self) -> (u32, &'a str) {
        (self.source, &self.each.name)
    }
}

/// What a file declares.
struct Declarations<'a> {
    /// By the name in small letters without separators; none where several have it.
    by_name: FxHashMap<String, Option<&'a Declared>>,
    /// Services, by the names that generators make of theirs.
    by_service: FxHashMap<String, Option<&'a Declared>>,
}

impl<'a> Declarations<'a> {
    fn new(web: Option<&'a Web>) -> Self {
        let (mut by_name, mut by_service) = (FxHashMap::default(), FxHashMap::default());
        let put = |map: &mut FxHashMap<String, Option<&'a Declared>>, name: String, each: &'a Declared| {
            map.entry(name).and_modify(|known| *known = known.filter(|known| std::ptr::eq(*known, each))).or_insert(Some(each));
        };
        for each in web.into_iter().flat_map(|web| &web.declared) {
            let name = normal(&each.name);
            if each.kind == DeclaredKind::Service {
                types_of_service(&name).for_each(|name| put(&mut by_service, name, each));
            } else {
                put(&mut by_name, name, each);
            }
        }
        Self { by_name, by_service }
    }
}

/// What one of several files declares; nothing where several do.
fn only<'a>(
    declared: &[(u32, &Declarations<'a>)],
    find: impl Fn(&Declarations<'a>) -> Option<Option<&'a Declared>>,
) -> Option<(u32, &'a Declared)> {
    let mut found = declared.iter().filter_map(|(source, declared)| Some((*source, find(declared)?)));
    let (source, each) = found.next()?;
    if found.next().is_some() { None } else { Some((source, each?)) }
}

/// What a definition of a generated file is the type of.
fn of_type<'a>(declared: &[(u32, &Declarations<'a>)], code: &Code<'_>, file: u32, id: SymbolId) -> Option<Meant<'a>> {
    let symbol = &code.facts(file).symbols[id.0 as usize];
    let are_values = || {
        let of = language_of(code.files[file as usize].path);
        of.is_some_and(|(_, language)| language.scope.types_are_values) && symbol.container == Container::File
    };
    let is_type = match symbol.kind {
        SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias => true,
        SymbolKind::Constant | SymbolKind::Variable => are_values(),
        _ => false,
    };
    if !is_type {
        return None;
    }
    // The name with those around it, the longest first: an outer class may hold all types of a file.
    let names: Vec<&str> = code.around(file, Some(id)).take(MAX_AROUND).map(|id| code.name(file, id)).collect();
    let known = (1..=names.len()).rev().find_map(|n| {
        let whole = names[..n].iter().rev().copied().collect::<Vec<&str>>().join("_");
        let name = normal(&whole);
        let (source, each) = only(declared, |declared| declared.by_name.get(&name).copied())?;
        Some(Meant { source, each, is_exact: each.name.replace('.', "_") == whole })
    });
    let of_service = || {
        let name = normal(names.first()?);
        only(declared, |declared| declared.by_service.get(&name).copied())
    };
    known.or_else(|| of_service().map(|(source, each)| Meant { source, each, is_exact: true }))
}

/// The place of what a method belongs to.
fn container(code: &Code<'_>, file: u32, id: SymbolId) -> Option<u32> {
    let symbol = &code.facts(file).symbols[id.0 as usize];
    match symbol.container {
        Container::Symbol(of) => Some(code.place(file, of)),
        _ => code.resolved.containers.get(code.place(file, id) as usize).copied().flatten(),
    }
}

/// A name in small letters without separators, which languages write in their own ways.
fn normal(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The last part of a path.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
