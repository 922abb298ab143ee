//! Which numbers of a fact base are which numbers of a later one, so that the later one can be kept as what differs.
//!
//! A number that is taken for another by mistake costs bytes and nothing else: what is kept is compared byte by byte.

use super::{Column, FactBase};
use crate::resolve::{Names, Numbered};
use activate_rules::atoms::NodeId;
use cache::{Content, Renumbering, Step};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// By what numbers moved on.
pub(crate) struct Moved {
    nodes: Vec<Step>,
    /// Places among all symbols.
    syms: Vec<Step>,
    strings: Vec<Step>,
    /// Names and modules of the resolver's tables.
    names: Vec<Step>,
    modules: Vec<Step>,
}

impl Moved {
    /// Compares two bases.
    pub(crate) fn between(old: &FactBase, new: &FactBase) -> Self {
        let (nodes, syms) = nodes(old, new);
        let texts = |base: &FactBase| base.u32s(Column::StringEnds).len().saturating_sub(1) as u32;
        let old_strings: Vec<&[u8]> = (0..texts(old)).map(|id| old.string_bytes(id)).collect();
        let new_strings: Vec<&[u8]> = (0..texts(new)).map(|id| new.string_bytes(id)).collect();
        let (of_old, of_new) = (Numbered::of(old.tables()).unwrap_or_default(), Numbered::of(new.tables()).unwrap_or_default());
        let modules = modules(&of_old, &of_new, &nodes, &syms);
        let names = of_texts(&of_old.names, &of_new.names);
        Self { nodes, syms, strings: of_texts(&old_strings, &new_strings), names, modules }
    }

    /// What a section holds.
    pub(crate) fn content(&self, section: &str) -> Content {
        let column = Column::ALL.iter().find(|column| column.name() == section);
        column.map_or(Content::Bytes, |column| self.content_of(*column))
    }

    fn content_of(&self, column: Column) -> Content {
        use Column::{
            AliasFile, AliasName, AliasOf, DiagnosticRows, FileCtime, FileFlags, FileHash, FileLines, FileMembers, FileMtime,
            FileOutline, FilePackage, FilePath, FileSize, FileTally, LinkAttributes, LinkLines, LinkStarts, LinkTargets,
            NodeFile, NoteRows, PackageName, PassageLines, PassageStarts, PlaceCommand, PlaceFolder, PlaceModule,
            PublishedFolder, PublishedName, ReadFiles, ReadStarts, RouteRows, ServedRows, SiteAttribute, SiteFrom, SiteLine,
            SiteTo, StringEnds, SymbolBody, SymbolByName, SymbolContainer, SymbolDocLine, SymbolEnd, SymbolFirstLine, SymbolId,
            SymbolLastLine, SymbolName, SymbolNameLine, SymbolStart, SymbolTraits, TestStarts, TestTargets, TextBlocks,
            TextLengths, UnresolvedRows,
        };
        let all = |steps: &[Step]| Content::Numbers(Renumbering::of_all(steps.to_vec()));
        let rows = |row: u32, columns: &[(u32, &[Step])]| {
            let moved = columns.iter().fold(Renumbering::of_rows(row), |moved, (at, steps)| moved.with(&[*at], steps.to_vec()));
            Content::Numbers(moved)
        };
        let (nodes, strings) = (&self.nodes[..], &self.strings[..]);
        if let Some((_, names)) = Column::TABLES.iter().zip(Names::ALL).find(|(table, _)| **table == column) {
            return match names {
                Names::Sym => all(&self.syms),
                Names::Name => all(&self.names),
                Names::Module => all(&self.modules),
                Names::File => all(nodes),
            };
        }
        match column {
            FileMembers | NodeFile | LinkTargets | SiteFrom | SiteTo | TestTargets | ReadFiles | AliasOf | AliasFile => {
                all(nodes)
            }
            SymbolByName => all(&self.syms),
            // Nothing is 0.
            SymbolContainer => all(&behind(nodes)),
            FilePackage => all(&behind(strings)),
            FilePath | SymbolName | SymbolId | PackageName | PublishedName | PublishedFolder | AliasName | PlaceFolder
            | PlaceCommand | PlaceModule => all(strings),
            UnresolvedRows => rows(5, &[(0, strings), (1, nodes), (2, nodes)]),
            DiagnosticRows => rows(4, &[(0, nodes), (3, strings)]),
            NoteRows => rows(4, &[(0, nodes), (1, &behind(nodes))]),
            RouteRows => rows(4, &[(0, nodes), (1, nodes), (3, strings)]),
            ServedRows => rows(4, &[(0, nodes), (2, nodes), (3, strings)]),
            LinkStarts | TestStarts | PassageStarts | ReadStarts | StringEnds => Content::Starts { lists: 1 },
            TextBlocks => Content::Starts { lists: 2 },
            FileFlags | FileLines | FileSize | FileMtime | FileCtime | FileHash | FileTally | FileOutline | PassageLines
            | SymbolTraits | SymbolFirstLine | SymbolLastLine | SymbolNameLine | SymbolStart | SymbolEnd | SymbolBody
            | SymbolDocLine | LinkAttributes | LinkLines | SiteLine | SiteAttribute | TextLengths => all(&[]),
            _ => Content::Bytes,
        }
    }
}

/// Steps of numbers that are one greater.
fn behind(steps: &[Step]) -> Vec<Step> {
    steps.iter().map(|(from, add)| (from.saturating_add(1), *add)).collect()
}

/// Steps while they are found.
#[derive(Default)]
struct Steps(Vec<Step>);

impl Steps {
    /// Says which number one is, and what follows it where nothing else is said. In ascending order.
    fn push(&mut self, old: u32, new: u32) {
        // What is said later of one number is meant: a file without symbols begins where the next one does.
        self.0.pop_if(|(from, _)| *from == old);
        let add = new.wrapping_sub(old);
        if self.0.last().map_or(0, |(_, add)| *add) != add {
            self.0.push((old, add));
        }
    }

    /// The steps, where the greatest number names nothing and stays.
    fn finish(mut self) -> Vec<Step> {
        self.push(u32::MAX, u32::MAX);
        self.0
    }
}

/// The steps of nodes, and of places among symbols.
fn nodes(old: &FactBase, new: &FactBase) -> (Vec<Step>, Vec<Step>) {
    let (mut nodes, mut syms) = (Steps::default(), Steps::default());
    let mut rest = new.files().peekable();
    let with_path = |file: NodeId| {
        let path = old.path_bytes(file);
        while rest.next_if(|new_file| new.path_bytes(*new_file) < path).is_some() {}
        rest.next_if(|new_file| new.path_bytes(*new_file) == path).map(|new_file| (file, new_file))
    };
    let files: Vec<(NodeId, NodeId)> = old.files().filter_map(with_path).collect();
    for (file, new_file) in &files {
        nodes.push(file.0, new_file.0);
    }
    let mut symbol = |node: u32, new_node: u32| {
        nodes.push(node, new_node);
        syms.push(node.wrapping_sub(old.n_files()), new_node.wrapping_sub(new.n_files()));
    };
    for (file, new_file) in files {
        let (were, are) = (old.symbols_of(file), new.symbols_of(new_file));
        if old.hash(file) == new.hash(new_file) || old.outline(file) == new.outline(new_file) {
            symbol(were.start, are.start);
            continue;
        }
        let places: FxHashMap<&[u8], u32> = ids(new, are).collect();
        for (id, node) in ids(old, were) {
            if let Some(new_node) = places.get(id) {
                symbol(node, *new_node);
            }
        }
    }
    symbol(old.n_files() + old.n_symbols(), new.n_files() + new.n_symbols());
    let packages = |base: &FactBase| base.n_files() + base.n_symbols()..base.n_nodes();
    let places: FxHashMap<&str, u32> = packages(new).map(|node| (new.package(NodeId(node)), node)).collect();
    for node in packages(old) {
        if let Some(new_node) = places.get(old.package(NodeId(node))) {
            nodes.push(node, *new_node);
        }
    }
    nodes.push(old.n_nodes(), new.n_nodes());
    (nodes.finish(), syms.finish())
}

/// Symbols by the names that they have within their file.
fn ids(base: &FactBase, nodes: Range<u32>) -> impl Iterator<Item = (&[u8], u32)> {
    // A damaged base says more.
    let (first, end) = (base.n_files(), base.n_files() + base.n_symbols());
    let nodes = nodes.start.max(first)..nodes.end.min(end);
    nodes.map(move |node| (base.string_bytes(base.at(Column::SymbolId, node - first)), node))
}

/// The steps of texts that have numbers in the order of lists.
fn of_texts<T: Eq + std::hash::Hash>(old: &[T], new: &[T]) -> Vec<Step> {
    let (mut steps, mut next) = (Steps::default(), 0);
    let mut places: FxHashMap<&T, usize> = FxHashMap::default();
    for (text, number) in old.iter().zip(0..) {
        if new.get(next) != Some(text) {
            if places.is_empty() {
                places = new.iter().zip(0..).collect();
            }
            let Some(place) = places.get(text) else { continue };
            next = *place;
        }
        steps.push(number, next as u32);
        next += 1;
    }
    steps.push(old.len() as u32, new.len() as u32);
    steps.finish()
}

/// The steps of modules, by the files and symbols whose modules they are.
fn modules(old: &Numbered<'_>, new: &Numbered<'_>, nodes: &[Step], syms: &[Step]) -> Vec<Step> {
    let moved = |steps: &[Step], number: u32| {
        let step = steps.partition_point(|(from, _)| *from <= number).checked_sub(1);
        step.map_or(number, |step| number.wrapping_add(steps[step].1))
    };
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (were, file) in old.modules_of_files.iter().zip(0..) {
        if let Some(are) = new.modules_of_files.get(moved(nodes, file) as usize) {
            pairs.extend(were.iter().copied().zip(are.iter().copied()));
        }
    }
    let of_symbols: FxHashMap<u32, u32> = new.modules_of_symbols.iter().copied().collect();
    for (sym, was) in &old.modules_of_symbols {
        pairs.extend(of_symbols.get(&moved(syms, *sym)).map(|is| (*was, *is)));
    }
    pairs.sort_unstable();
    pairs.dedup_by_key(|(was, _)| *was);
    let mut steps = Steps::default();
    for (was, is) in pairs {
        steps.push(was, is);
    }
    steps.push(old.n_modules, new.n_modules);
    steps.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{FileInput, link};
    use crate::extract::{FileRecord, extract};
    use cache::Base;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    /// A base of files as it would be kept.
    fn base(files: &BTreeMap<String, String>) -> FactBase {
        let records: Vec<(&String, FileRecord)> =
            files.iter().map(|(path, text)| (path, extract(path, Some(text.as_bytes())))).collect();
        let inputs: Vec<FileInput<'_>> = records.iter().map(|(path, record)| FileInput::untimed(path, 0, record)).collect();
        let sections = link(&inputs, true, None).finish().sections;
        FactBase::new(Arc::new(Base::build("", 0, &sections)))
    }

    #[test]
    fn what_an_edit_leaves_is_kept_as_little() {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        files.insert("go.mod".into(), "module example.com/m\n".into());
        for package in 0..60 {
            let other = (package * 7 + 3) % 60;
            let text = format!(
                "package p{package}\n\nimport \"example.com/m/p{other}\"\n\ntype T{package} struct{{ at int }}\n\nfunc (t T{package}) Get() int {{ return t.at }}\n\nfunc F{package}() {{ p{other}.F{other}() }}\n"
            );
            files.insert(format!("p{package}/a.go"), text);
            files.insert(format!("p{package}/b.md"), format!("about {package}\n"));
        }
        let before = base(&files);
        let tables = before.tables();
        assert!(tables.numbers.iter().all(|list| !list.is_empty()), "each type of number has its list");
        let numbered = Numbered::of(tables).expect("tables");
        assert!(numbered.names.contains(&"F7") && numbered.modules_of_files.len() == before.n_files() as usize);
        let edits: [(&str, &str); 5] = [
            // A function more, in a file behind which one has no symbols; another one; a package from outside that is the first; a new file.
            ("p10/a.go", "\nfunc More() {}\n"),
            ("p9/a.go", "\nfunc More() { F9() }\n"),
            ("p59/a.go", "\nvar x = 1\n"),
            ("p20/new.go", "package p20\n\nfunc New() { F20() }\n"),
            ("p00/a.go", "package p00\n\nimport \"fmt\"\n\nfunc New() { fmt.Println() }\n"),
        ];
        for (path, more) in edits {
            let mut edited = files.clone();
            edited.entry(path.to_owned()).or_default().push_str(more);
            let after = base(&edited);
            let moved = Moved::between(&before, &after);
            let whole = before.sections.as_base().expect("a base").whole();
            let sections: Vec<_> = after.sections().into_iter().filter(|(name, _)| !Column::is_text(name)).collect();
            let n_bytes: usize = sections.iter().map(|(_, bytes)| bytes.len()).sum();
            let next = whole.with_sections(&sections, &|section| moved.content(section)).expect("little that differs");
            for (name, bytes) in &sections {
                let made = next.place(name).map_or(&[][..], |place| next.section(place));
                assert_eq!(made, *bytes, "{name} after {path}");
            }
            assert!(next.n_changed_bytes() < n_bytes / 4, "{} of {n_bytes} after {path}", next.n_changed_bytes());
        }
    }
}
