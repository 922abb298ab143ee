//! An index to records: every name of every file once, with its definition or the reason why there is none.

use crate::record::{File, How, Implements, Import, Kind, Other, Record, Site, Why};
use crate::scip::{Defined, Document, Indexed, Symbol, file_name, short};
use crate::syntax::{ImportSyntax, LIBRARY, Language, Place, first_line, lines, place};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tree_sitter::Node;

/// A file is complete up to this share of call sites that the compiler does not know: one in ten.
const MAX_UNRESOLVED_SHARE: usize = 10;

/// How many definitions of an imported name are followed: it can stand for a type and a value.
const MAX_IMPORTED: usize = 2;

/// How many further definitions are kept beside the first; a name declared more often is a widened interface of hundreds.
const MAX_ALTERNATIVES: usize = 64;

/// All records of an index, file by file.
pub(crate) fn records(language: &Language, indexed: &Indexed) -> Vec<Record> {
    let mut records = Vec::new();
    let renames =
        language.renames.map(|renames| indexed.documents.values().flat_map(|document| renames(&document.source)).collect());
    for document in indexed.documents.values() {
        let is_test = (language.is_test_path)(&document.source.path);
        Converter { language, indexed, document, is_test, renames: renames.as_ref(), records: &mut records }.convert();
    }
    records.extend(implementations(language, indexed).into_iter().map(Record::Implements));
    records
}

/// Converts one document.
struct Converter<'a> {
    language: &'a Language,
    indexed: &'a Indexed,
    document: &'a Document,
    is_test: bool,
    /// The names that imports give, where others mean what is defined by them.
    renames: Option<&'a HashSet<String>>,
    records: &'a mut Vec<Record>,
}

impl Converter<'_> {
    fn convert(&mut self) {
        let source = &self.document.source;
        let (optional, made) = (self.language.apart)(source);
        // The index holds nothing at all of what the build leaves out.
        let is_known = |(first, last): Place| self.document.names.range((first, first)..(last, last)).next().is_some();
        let configured: Vec<Place> = optional.into_iter().filter(|place| !is_known(*place)).collect();
        let (mut call_sites, mut unresolved) = (0, 0);
        for name in source.names().filter(|name| (self.language.is_called)(*name)) {
            let at = place(name);
            if configured.iter().any(|(first, last)| *first <= at.0 && at.1 <= *last) {
                continue;
            }
            call_sites += 1;
            if !self.document.names.contains_key(&at) {
                unresolved += 1;
                self.other(Why::Unresolved, name, None);
            }
        }
        for at in self.document.names.iter().filter(|(_, symbols)| !symbols.is_empty()).map(|(at, _)| *at) {
            unresolved += usize::from(self.name(at) && (self.language.is_called)(source.node(at)));
        }
        self.records.push(Record::File(File {
            path: source.path.clone(),
            lang: self.language.name.to_owned(),
            test: self.is_test,
            call_sites,
            unresolved,
            complete: source.is_whole() && unresolved * MAX_UNRESOLVED_SHARE <= call_sites,
            configured: configured.into_iter().map(lines).collect(),
            made: made.into_iter().map(lines).collect(),
            run: (self.language.run)(source),
        }));
    }

    /// The records of a used name; says whether the compiler left it unresolved.
    fn name(&mut self, at: Place) -> bool {
        let (source, indexed) = (&self.document.source, self.indexed);
        let node = source.node(at);
        let symbols = self.document.names.get(&at).map_or(&[][..], Vec::as_slice);
        let mut defined = self.narrow(indexed.defined_at(self.document, at));
        if symbols.iter().any(Symbol::is_crate) && source.text_of(node) != "crate" {
            // A crate that is named from outside is its library.
            let is_library = |defined: &&Defined| file_name(&defined.path) == "lib.rs";
            let library: Vec<&Defined> = indexed.defined_at(self.document, at).into_iter().filter(is_library).collect();
            defined = if library.is_empty() { defined } else { library };
        }
        if matches!(node.kind(), "crate" | "super" | "self") && self.language.names_modules {
            return false;
        }
        if let Some(import) = (self.language.import)(source, node) {
            let module = (self.language.module)(source, node).and_then(|module| self.module(&module));
            // What a module has under the name goes before a module of that name.
            if let Some(module) = &module
                && (import == ImportSyntax::Specifier || defined.is_empty())
            {
                defined = vec![module];
            }
            self.import(node, import, &defined);
            return false;
        }
        if defined.is_empty() {
            // A local name that is defined nowhere is one that the compiler made up.
            let is_unresolved = symbols.iter().any(Symbol::is_local);
            self.other(if is_unresolved { Why::Unresolved } else { Why::Outside }, node, None);
            return is_unresolved;
        }
        let (modules, mut defined): (Vec<&Defined>, _) = defined.into_iter().partition(|defined| defined.kind == Kind::Module);
        defined.sort_by_key(|defined| (rank(defined.kind), defined.path != source.path, *defined));
        defined.dedup();
        let Some((first, alternatives)) = defined.split_first() else {
            // The front of a path that goes on: what it leads to is another name.
            let named = modules.into_iter().filter(|_| self.language.names_modules);
            named.for_each(|module| self.other(Why::Module, node, Some(module)));
            return false;
        };
        let is_call = (self.language.is_called)(node);
        let written = source.text_of(node);
        let is_other =
            |renames: &HashSet<String>| written != first.name && !renames.contains(written) && !first.name.starts_with("__");
        if self.renames.is_some_and(is_other) && !matches!(first.kind, Kind::Local) {
            // The index means another name; that it knows the file well is none the less so.
            self.other(Why::Unresolved, node, None);
            return false;
        }
        match first.kind {
            Kind::Local => self.other(Why::Local, node, Some(first)),
            Kind::Field => self.other(Why::Field, node, Some(first)),
            Kind::Made => self.other(Why::Made, node, Some(first)),
            // A library's class, whose type a declaration of the repository widens.
            Kind::Type if is_call && !self.language.names_modules => self.other(Why::Outside, node, None),
            to_kind => {
                let (from_name, from_lines) = source.enclosing(self.language, node);
                let site = Site {
                    from_path: source.path.clone(),
                    line: first_line(node),
                    name: short(source.text_of(node)),
                    from_name,
                    from_lines,
                    to_path: first.path.clone(),
                    to_name: first.name.clone(),
                    to_line: first.line,
                    to_kind,
                    test: self.is_test || (self.language.is_in_test)(source, node),
                    in_macro: (self.language.is_in_macro)(node),
                    alts: alternatives
                        .iter()
                        .take(MAX_ALTERNATIVES)
                        .map(|other| (other.path.clone(), other.line, other.name.clone()))
                        .collect(),
                };
                self.records.push(if is_call { Record::Call(site) } else { Record::Reference(site) });
            }
        }
        false
    }

    /// The file that a module is, by its path as it is written: the index does not say where relative ones lead. Nothing where several may be
    /// meant.
    fn module(&self, written: &str) -> Option<Defined> {
        let n_dots = written.bytes().take_while(|byte| *byte == b'.').count();
        let inner = written[n_dots..].replace('.', "/");
        let files = [format!("{inner}.py"), format!("{inner}/__init__.py")];
        let known = &self.indexed.documents;
        let path = if n_dots > 0 {
            let mut folder = self.document.source.path.as_str();
            for _ in 0..n_dots {
                folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            }
            let below = |file: &String| format!("{folder}/{file}").trim_matches('/').replace("//", "/");
            files.iter().map(below).find(|path| known.contains_key(path))?
        } else {
            // What stands in a package is not known by its own name.
            let is_root = |folder: &str| !known.contains_key(&format!("{folder}/__init__.py"));
            let is_file = |path: &str, file: &String| match path.strip_suffix(file.as_str()) {
                Some("") => true,
                Some(folder) => folder.strip_suffix('/').is_some_and(is_root),
                None => false,
            };
            let ends = |path: &&String| files.iter().any(|file| is_file(path, file));
            let mut found = known.keys().filter(ends);
            found.next().filter(|_| found.next().is_none())?.clone()
        };
        Some(Defined { name: file_name(&path).to_owned(), path, line: 1, kind: Kind::Module })
    }

    /// The files of the packages around a module.
    fn packages_around(&self, path: &str) -> Vec<String> {
        let folders = std::iter::successors(path.rsplit_once('/'), |(folder, _)| folder.rsplit_once('/'));
        let files = folders.map(|(folder, _)| format!("{folder}/__init__.py"));
        files.take_while(|file| self.indexed.documents.contains_key(file)).filter(|file| file != path).collect()
    }

    /// Of several definitions of one symbol: those of the same build target, else of the same kind of target in the package, else of its
    /// library, else all. The library, the programs, the tests and the examples of a Rust package share the names of their symbols.
    fn narrow<'d>(&self, defined: Vec<&'d Defined>) -> Vec<&'d Defined> {
        if defined.iter().all(|other| other.path == defined[0].path) {
            return defined;
        }
        let target = self.language.target;
        let (package, kind, name) = target(&self.document.source.path);
        let tests: [&dyn Fn(&Defined) -> bool; 3] = [
            &|other| target(&other.path) == (package, kind, name),
            &|other| matches!(target(&other.path), (its_package, its_kind, _) if (its_package, its_kind) == (package, kind)),
            &|other| target(&other.path).1 == LIBRARY,
        ];
        let narrowed = tests.iter().map(|keeps| defined.iter().copied().filter(|other| keeps(other)).collect::<Vec<_>>());
        narrowed.into_iter().find(|kept| !kept.is_empty()).unwrap_or(defined)
    }

    fn import(&mut self, node: Node<'_>, import: ImportSyntax, defined: &[&Defined]) {
        let path = &self.document.source.path;
        let others = |defined: &[&Defined]| -> BTreeSet<String> {
            defined.iter().map(|defined| &defined.path).filter(|to| *to != path).cloned().collect()
        };
        let (how, owner) = match import {
            ImportSyntax::Specifier => (How::Specifier, None),
            ImportSyntax::Mod => (How::Mod, None),
            ImportSyntax::Use(owner) => (How::Use, owner),
            ImportSyntax::Segment(owner) => (How::Segment, owner),
        };
        let followed: Vec<&Defined> = match import {
            ImportSyntax::Specifier => defined.iter().copied().filter(|defined| defined.kind == Kind::Module).collect(),
            _ => defined.iter().copied().take(MAX_IMPORTED).collect(),
        };
        let owners = owner.map(|owner| self.indexed.defined_at(self.document, owner)).unwrap_or_default();
        let owners: Vec<&Defined> = owners.into_iter().filter(|owner| owner.kind == Kind::Module).collect();
        let mut alts: Vec<String> = others(&self.narrow(owners)).into_iter().collect();
        if import == ImportSyntax::Specifier {
            // Who imports a module runs the packages around it.
            alts.extend(followed.iter().flat_map(|module| self.packages_around(&module.path)));
        }
        for to_path in others(&followed) {
            self.records.push(Record::Import(Import {
                how,
                from_path: path.clone(),
                line: first_line(node),
                to_path,
                test: self.is_test,
                alts: alts.clone(),
            }));
        }
    }

    fn other(&mut self, why: Why, node: Node<'_>, defined: Option<&Defined>) {
        let source = &self.document.source;
        self.records.push(Record::Other(Other {
            why,
            from_path: source.path.clone(),
            line: first_line(node),
            name: short(source.text_of(node)),
            call: (self.language.is_called)(node),
            to_path: defined.map(|defined| defined.path.clone()),
            to_line: defined.map(|defined| defined.line),
            to_name: defined.map(|defined| defined.name.clone()),
        }));
    }
}

/// Which of several kinds of definitions of one name stands for it: what can be called first.
fn rank(kind: Kind) -> usize {
    match kind {
        Kind::Function | Kind::Method | Kind::InterfaceMethod => 0,
        Kind::Class | Kind::Macro | Kind::NestedFunction => 1,
        _ => 2,
    }
}

/// What implements what: as the index says, and as the syntax says of names that the index knows.
fn implementations(language: &Language, indexed: &Indexed) -> BTreeSet<Implements> {
    let mut found = BTreeSet::new();
    let is_linked = |defined: &&Defined| !matches!(defined.kind, Kind::Local | Kind::Field | Kind::Module | Kind::Made);
    for (from, to) in &indexed.implements {
        let all = |symbol| indexed.definitions.get(symbol).into_iter().flatten().filter(is_linked);
        found.extend(all(from).flat_map(|from| all(to).map(|to| pair(from, to))));
    }
    let by_syntax = indexed.documents.values().map(|document| (document, (language.implementations)(&document.source)));
    let by_syntax: Vec<_> = by_syntax.collect();
    let mut promises: BTreeMap<(&str, u32), &[(String, u32)]> = BTreeMap::new();
    for (document, syntax) in &by_syntax {
        let traits = syntax.traits.iter().map(|(line, methods)| ((document.source.path.as_str(), *line), methods.as_slice()));
        promises.extend(traits);
    }
    for (document, syntax) in &by_syntax {
        for block in &syntax.blocks {
            let Some(of_trait) = indexed.defined_at(document, block.of_trait).into_iter().find(|of| of.kind == Kind::Type) else {
                continue;
            };
            let for_type = block.for_type.map(|place| indexed.defined_at(document, place)).unwrap_or_default();
            found.extend(for_type.into_iter().filter(|of| of.kind == Kind::Type).map(|of| pair(of, of_trait)));
            for (name, line) in &block.methods {
                let methods = promises.get(&(of_trait.path.as_str(), of_trait.line)).copied().unwrap_or_default();
                let same = methods.iter().filter(|(method, _)| method == name);
                found.extend(same.map(|(_, to_line)| Implements {
                    from_path: document.source.path.clone(),
                    line: *line,
                    name: name.clone(),
                    to_path: of_trait.path.clone(),
                    to_line: *to_line,
                    to_name: name.clone(),
                }));
            }
        }
    }
    found
}

fn pair(from: &Defined, to: &Defined) -> Implements {
    Implements {
        from_path: from.path.clone(),
        line: from.line,
        name: from.name.clone(),
        to_path: to.path.clone(),
        to_line: to.line,
        to_name: to.name.clone(),
    }
}
