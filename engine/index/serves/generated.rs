//! What a `.proto` file declares to the code that was generated from it.
//!
//! A file is generated from the `.proto` file that its head names, or whose name it has with an ending that generators give. Inside of it a type is that
//! of the message, enumeration or service whose name it has, in the way in which its language writes names, and a method of such a service is that of
//! the procedure of its name.

use super::reach::folder;
use super::{Code, Found, Link};
use activate_grammars::facts::{Container, Declared, DeclaredKind, Procedure, SymbolId, SymbolKind, Web};
use activate_rules::links::Confidence;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::FileFlags;
use crate::extract::flags;

/// The ending of files that declare.
const PROTO: &str = ".proto";
/// What generators put behind the name of a `.proto` file.
const ENDINGS: [&str; 24] = [
    ".pb.go",
    "_grpc.pb.go",
    ".pb.gw.go",
    ".connect.go",
    "_pb2.py",
    "_pb2.pyi",
    "_pb2_grpc.py",
    "_pb2_grpc.pyi",
    "_pb.ts",
    "_pb.js",
    "_pb.d.ts",
    "_grpc_pb.js",
    "_grpc_pb.d.ts",
    "_connect.ts",
    "_connect.js",
    "_connect.d.ts",
    ".pb.ts",
    ".pb.cc",
    ".pb.h",
    ".grpc.pb.cc",
    ".grpc.pb.h",
    "_pb.rb",
    "_services_pb.rb",
    ".pb.swift",
];
/// What generators put around the name of a service, in small letters without separators.
const SERVICES: [(&str, &str); 24] = [
    ("", ""),
    ("", "client"),
    ("", "server"),
    ("unimplemented", "server"),
    ("unsafe", "server"),
    ("", "stub"),
    ("", "asyncstub"),
    ("", "blockingstub"),
    ("", "blockingv2stub"),
    ("", "futurestub"),
    ("", "coroutinestub"),
    ("", "servicer"),
    ("", "implbase"),
    ("", "coroutineimplbase"),
    ("", "grpc"),
    ("", "handler"),
    ("unimplemented", "handler"),
    ("", "clientimpl"),
    ("i", "client"),
    ("i", "server"),
    ("", "promiseclient"),
    ("", "base"),
    ("", "service"),
    ("", "definition"),
];
/// The most definitions around one.
const MAX_AROUND: usize = 64;

/// The `.proto` files of a repository.
struct Protos<'a> {
    file_names: FxHashMap<&'a str, Vec<u32>>,
    packages: FxHashMap<&'a str, Vec<u32>>,
    services: FxHashMap<&'a str, Vec<u32>>,
}

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
    let mut known = Protos { file_names: FxHashMap::default(), packages: FxHashMap::default(), services: FxHashMap::default() };
    for (file, web) in webs.iter().filter(|(file, _)| protos.contains_key(file)) {
        known.file_names.entry(last(path(*file))).or_default().push(*file);
        if let Some(package) = &web.package {
            known.packages.entry(package).or_default().push(*file);
        }
        for service in web.declared.iter().filter(|each| each.kind == DeclaredKind::Service) {
            known.services.entry(&service.name).or_default().push(*file);
        }
    }
    // Several files may be made of the same ones.
    let mut all_declared: FxHashMap<Vec<u32>, Declarations<'_>> = FxHashMap::default();
    let procedures = procedures(&protos);
    for (number, file) in (0..).zip(code.files) {
        let sources = known.sources(code, number);
        if sources.is_empty() || !is_own(number) {
            continue;
        }
        for source in &sources {
            let text = format!("{FRONT}{}", last(path(*source)));
            found.links.push(Link { from: *source, line: 1, to: number, confidence: Confidence::Unique, text });
        }
        let declared = all_declared.entry(sources).or_insert_with_key(|sources| Declarations::new(sources, &protos));
        let mut services: FxHashMap<u32, usize> = FxHashMap::default();
        let symbols = &file.record.facts.symbols;
        let ids = (0..symbols.len() as u32).map(SymbolId);
        let types: Vec<(SymbolId, Meant)> = ids.filter_map(|id| Some((id, declared.of_type(code, number, id)?))).collect();
        let exact: FxHashSet<usize> = types.iter().filter(|(_, meant)| meant.is_exact).map(|(_, meant)| meant.of).collect();
        // Generators make names of several parts, too, which may read alike.
        for (id, Meant { of, .. }) in types.into_iter().filter(|(_, meant)| meant.is_exact || !exact.contains(&meant.of)) {
            let (source, each) = &declared.all[of];
            let text = format!("{FRONT}{} {}", each.kind.word(), each.name);
            let to = code.node(number, Some(id));
            found.links.push(Link { from: *source, line: each.line, to, confidence: Confidence::Unique, text });
            if each.kind == DeclaredKind::Service && symbols[id.0 as usize].kind != SymbolKind::Alias {
                services.insert(code.place(number, id), of);
            }
        }
        for (symbol, id) in symbols.iter().zip(0..).filter(|(symbol, _)| symbol.kind == SymbolKind::Method) {
            let place = code.place(number, SymbolId(id));
            let Some(of) = container(code, number, SymbolId(id)).and_then(|of| services.get(&of)) else { continue };
            let (source, service) = &declared.all[*of];
            let name = normal(file.record.facts.names.get(symbol.name));
            if let Some(Some(procedure)) = procedures.get(&(*source, service.name.as_str(), name)) {
                let text = format!("{FRONT}rpc {}.{}", procedure.service, procedure.name);
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
const FRONT: &str = "generated code of ";

impl Protos<'_> {
    /// The files that a file was generated from.
    fn sources(&self, code: &Code<'_>, file: u32) -> Vec<u32> {
        let input = &code.files[file as usize];
        if let Some(web) = input.record.facts.web.as_deref().filter(|web| !web.sources.is_empty()) {
            let said = web.sources.iter().filter_map(|said| self.said(code, input.path, said));
            let mut sources: Vec<u32> = said.collect();
            sources.sort_unstable();
            sources.dedup();
            return sources;
        }
        let name = last(input.path);
        if let Some(package) = name.strip_suffix(".rs") {
            // In Rust one file has what all files of a package declare.
            let is_generated = flags(input.path, input.record).has(FileFlags::GENERATED);
            return if is_generated { self.packages.get(package).cloned().unwrap_or_default() } else { Vec::new() };
        }
        if let Some(service) = name.strip_suffix("Grpc.java") {
            // Newer generators of Java name no file, but make this class alone.
            let base = format!("{service}ImplBase");
            let facts = &input.record.facts;
            let is_generated = facts.symbols.iter().any(|symbol| facts.names.get(symbol.name) == base);
            let sources = self.services.get(service).filter(|_| is_generated);
            return sources.and_then(|sources| nearest(code, input.path, sources)).into_iter().collect();
        }
        // The longest ending is the one that was put there.
        let stem = ENDINGS.iter().filter_map(|ending| name.strip_suffix(ending)).min_by_key(|stem| stem.len());
        let source = stem.and_then(|stem| self.file_names.get(format!("{stem}{PROTO}").as_str()));
        source.and_then(|sources| nearest(code, input.path, sources)).into_iter().collect()
    }

    /// The file that a head names.
    fn said(&self, code: &Code<'_>, path: &str, said: &str) -> Option<u32> {
        let said = said.trim_start_matches("./");
        let is_meant = |file: &&u32| {
            let of = code.files[**file as usize].path;
            of.strip_suffix(said).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let meant: Vec<u32> = self.file_names.get(last(said))?.iter().filter(is_meant).copied().collect();
        nearest(code, path, &meant)
    }
}

/// The only one of some files, or the only one whose folder ends most like that of a path.
fn nearest(code: &Code<'_>, path: &str, files: &[u32]) -> Option<u32> {
    let likeness = |file: u32| {
        let (one, other) = (folder(path), folder(code.files[file as usize].path));
        let n_same = one.rsplit('/').zip(other.rsplit('/')).take_while(|(one, other)| one == other).count();
        (one == other, n_same)
    };
    let most = files.iter().map(|file| likeness(*file)).max()?;
    let mut alike = files.iter().filter(|file| likeness(**file) == most);
    let first = alike.next()?;
    (alike.next().is_none() && (files.len() == 1 || most.1 > 0)).then_some(*first)
}

/// What a definition is the type of.
struct Meant {
    /// The declaration, by its place.
    of: usize,
    /// Whether it has the very name.
    is_exact: bool,
}

/// What the sources of a file declare.
struct Declarations<'a> {
    all: Vec<(u32, &'a Declared)>,
    /// By the name in small letters without separators; none where several have it.
    by_name: FxHashMap<String, Option<usize>>,
    /// Services, by the names that generators make of theirs.
    by_service: FxHashMap<String, Option<usize>>,
}

impl<'a> Declarations<'a> {
    fn new(sources: &[u32], protos: &FxHashMap<u32, &'a Web>) -> Self {
        let mut all: Vec<(u32, &Declared)> = Vec::new();
        for source in sources {
            all.extend(protos.get(source).into_iter().flat_map(|web| &web.declared).map(|each| (*source, each)));
        }
        let (mut by_name, mut by_service) = (FxHashMap::default(), FxHashMap::default());
        let put = |map: &mut FxHashMap<String, Option<usize>>, name: String, at: usize| {
            map.entry(name).and_modify(|known| *known = known.filter(|known| *known == at)).or_insert(Some(at));
        };
        for (at, (_, each)) in all.iter().enumerate() {
            let name = normal(&each.name);
            if each.kind == DeclaredKind::Service {
                for (front, end) in SERVICES {
                    put(&mut by_service, format!("{front}{name}{end}"), at);
                }
            } else {
                put(&mut by_name, name, at);
            }
        }
        Self { all, by_name, by_service }
    }

    /// What a definition of a generated file is the type of.
    fn of_type(&self, code: &Code<'_>, file: u32, id: SymbolId) -> Option<Meant> {
        let symbol = &code.facts(file).symbols[id.0 as usize];
        // Where types are values, too.
        let are_values = || {
            let ending = code.files[file as usize].path.rsplit_once('.').map_or("", |(_, ending)| ending);
            ["py", "pyi", "ts", "js", "rb"].contains(&ending) && symbol.container == Container::File
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
            let of = (*self.by_name.get(&normal(&whole))?)?;
            Some(Meant { of, is_exact: self.all[of].1.name.replace('.', "_") == whole })
        });
        let of_service = || self.by_service.get(&normal(names.first()?)).copied().flatten();
        known.or_else(|| of_service().map(|of| Meant { of, is_exact: true }))
    }
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
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
