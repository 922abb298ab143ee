//! The fact base of a repository in which only bodies of files have changed, from the fact base before.
//!
//! What such files show to others is what it was, so nodes keep their numbers, and only what stands in these files is made anew. The
//! result says exactly what a build from the records of all files would say.

use super::columns::Columns;
use super::links::{self, Edge};
use super::tests::{self, Code, TestRow};
use super::{Layout, PLACES, Section, add_diagnostics_of, counts, halves, places, unresolved};
use crate::facts::base::{Column, FactBase, FileFlags, SiteRow};
use crate::facts::extract::FileRecord;
use crate::facts::outline::outline;
use crate::facts::resolve::{self, Again, Facts, Later, Link, Relation, SourceFile};
use crate::facts::text;
use activate_grammars::FileFacts;
use activate_grammars::facts::{Container, Symbol, SymbolKind, Traits};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Numbers in a row of diagnostics, and in one of notes: the first is the file.
const ROW: usize = 4;

/// A section that is made anew, or that stays.
pub type Part<'b> = (&'static str, Cow<'b, [u8]>);

/// A file that is not as the fact base has it.
pub struct Edit<'a> {
    /// Which.
    pub file: NodeId,
    /// Bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Time of the last change of content or metadata, in nanoseconds since 1970.
    pub ctime_ns: i64,
    /// Hash of the content.
    pub hash: u128,
    /// What it yielded before, and what it yields now; none where only its times are others.
    pub records: Option<(&'a FileRecord, &'a FileRecord)>,
}

/// The sections of `base` after `edits`, which are in path order: those made anew, and those that stay.
///
/// `tables` is what [`super::Built`] said when the base was built, and `read` gives the facts of the other files. None where an edit shows
/// to other files, where facts cannot be read and where something does not fit: then all is to be built anew.
pub fn patch<'b>(
    base: &'b FactBase,
    tables: &[u8],
    edits: &[Edit<'_>],
    read: &(dyn Fn(NodeId) -> Option<FileFacts> + Sync),
) -> Option<Vec<Part<'b>>> {
    let changed: Vec<Changed<'_>> =
        edits.iter().filter_map(|edit| edit.records.map(|(old, new)| Changed { file: edit.file, old, new })).collect();
    if changed.iter().any(|each| outline(base.path(each.file), each.new) != base.outline(each.file)) {
        return None;
    }
    let patched = Patch::new(base, changed);
    let again = patched.resolve(tables, read)?;
    let mut columns = Columns::default();
    patched.put_files(&mut columns, edits, &again);
    patched.put_symbols(&mut columns);
    patched.put_rows(&mut columns, &again);
    patched.put_links(&mut columns, again);
    let texts: Vec<text::Changed<'_>> = patched
        .changed
        .iter()
        .map(|each| text::Changed { doc: each.file.0, old: &each.old.words, new: &each.new.words })
        .collect();
    let mut sections = columns.finish();
    sections.extend(text::patch(&base.text().ok()?, &texts)?);
    Some(with_rest(base, sections))
}

/// New sections, and those of the base for which there is no new one.
fn with_rest(base: &FactBase, new: Vec<Section>) -> Vec<Part<'_>> {
    let mut new: FxHashMap<&str, Vec<u8>> = new.into_iter().collect();
    let section = |column: &Column| {
        let name = column.name();
        (name, new.remove(name).map_or_else(|| Cow::Borrowed(base.bytes(*column)), Cow::Owned))
    };
    Column::ALL.iter().map(section).collect()
}

/// The numbers of nodes as a base has them.
fn layout(base: &FactBase) -> Layout {
    let n_files = base.n_files();
    Layout {
        n_files,
        first_symbol: base.u32s(Column::FileMembers).iter().map(|node| node - n_files).collect(),
        packages: (n_files + base.n_symbols()..base.n_nodes()).map(|node| base.package(NodeId(node)).to_owned()).collect(),
    }
}

/// A file whose content changed.
struct Changed<'a> {
    file: NodeId,
    old: &'a FileRecord,
    new: &'a FileRecord,
}

struct Patch<'a> {
    base: &'a FactBase,
    layout: Layout,
    /// In path order.
    changed: Vec<Changed<'a>>,
    /// The place of each file among the changed.
    places: Vec<Option<usize>>,
}

impl<'a> Patch<'a> {
    fn new(base: &'a FactBase, changed: Vec<Changed<'a>>) -> Self {
        let mut places = vec![None; base.n_files() as usize];
        changed.iter().enumerate().for_each(|(at, each)| places[each.file.0 as usize] = Some(at));
        Self { base, layout: layout(base), changed, places }
    }

    /// The facts of a node's file as they are now, if it changed.
    fn facts(&self, node: u32) -> Option<&'a FileFacts> {
        let place = *self.places.get(self.base.file_of(NodeId(node)).0 as usize)?;
        Some(&self.changed[place?].new.facts)
    }

    /// A symbol of a changed file as it is now.
    fn changed_symbol(&self, node: u32) -> Option<&'a Symbol> {
        let facts = self.facts(node)?;
        let first = self.base.symbols_of(self.base.file_of(NodeId(node))).start;
        facts.symbols.get(node.checked_sub(first)? as usize)
    }

    fn resolve(&self, tables: &[u8], read: &(dyn Fn(NodeId) -> Option<FileFacts> + Sync)) -> Option<Again> {
        let base = self.base;
        let read = |file: usize| read(NodeId(file as u32));
        let later: Vec<Later<'_>> = (0..base.n_files() as usize).map(|file| Later::new(file, &read)).collect();
        let source = |(file, later)| SourceFile {
            path: base.path(file),
            language: activate_grammars::language_of(base.path(file)).map(|(number, _)| number),
            facts: self.facts(file.0).map_or(Facts::Later(later), Facts::Here),
        };
        let sources: Vec<SourceFile<'_>> = base.files().zip(&later).map(source).collect();
        let numbers: Vec<u32> = self.changed.iter().map(|each| each.file.0).collect();
        resolve::again(tables, &sources, &numbers)
    }

    fn put_files(&self, columns: &mut Columns, edits: &[Edit<'_>], again: &Again) {
        use Column::{FileCtime, FileHash, FileLines, FileMtime, FileSize, FileTally};
        let copied = [FileLines, FileSize, FileMtime, FileCtime, FileHash, FileTally];
        for column in copied {
            columns.copy(column, self.base.bytes(column));
        }
        for edit in edits {
            let at = edit.file.0 as usize;
            columns.set_u64(FileSize, at, edit.size);
            columns.set_u64(FileMtime, at, edit.mtime_ns as u64);
            columns.set_u64(FileCtime, at, edit.ctime_ns as u64);
            let halves = halves(edit.hash);
            (halves.len() * at..).zip(halves).for_each(|(at, half)| columns.set_u64(FileHash, at, half));
        }
        for (each, (_, _, tally, _)) in self.changed.iter().zip(&again.files) {
            let at = each.file.0 as usize;
            columns.set_u32(FileLines, at, each.new.facts.n_lines);
            let counts = counts(*tally);
            (counts.len() * at..).zip(counts).for_each(|(at, count)| columns.set_u32(FileTally, at, count));
        }
    }

    fn put_symbols(&self, columns: &mut Columns) {
        for column in PLACES {
            columns.copy(column, self.base.bytes(column));
        }
        for each in &self.changed {
            let first = self.layout.first_symbol[each.file.0 as usize] as usize;
            for (row, symbol) in (first..).zip(&each.new.facts.symbols) {
                PLACES.into_iter().zip(places(symbol)).for_each(|(column, value)| columns.set_u32(column, row, value));
            }
        }
    }

    /// Rows of diagnostics, notes and unresolved names.
    fn put_rows(&self, columns: &mut Columns, again: &Again) {
        let mut strings = MoreStrings::new(self.base);
        let mut new = Columns::default();
        let mut uses = unresolved::Uses::new();
        for (each, (_, _, _, unresolved)) in self.changed.iter().zip(&again.files) {
            let of_file = (each.file.0 as usize, &each.new.facts);
            add_diagnostics_of(&mut new, &mut |text| strings.add(text), of_file, &self.layout);
            let is_defined = |name: &str| self.base.each_named(name).any(|node| self.base.name(node) == Some(name));
            unresolved::add_uses(&mut uses, (each.file.0, &each.new.facts), unresolved, &is_defined);
        }
        for column in [Column::DiagnosticRows, Column::NoteRows] {
            let old = self.base.u32s(column).chunks_exact(ROW).filter(|row| self.facts(row[0]).is_none());
            let new = new.u32s(column);
            let mut rows: Vec<&[u32]> = old.chain(new.chunks_exact(ROW)).collect();
            // Rows of one file stay in their order.
            rows.sort_by_key(|row| row[0]);
            columns.put_u32s(column, rows.into_iter().flatten().copied());
        }
        let others = self.base.unresolved().filter(|row| self.facts(row.file.0).is_none());
        uses.extend(others.map(|row| ((row.name, row.file.0), row.n_uses)));
        // What is used has a definition, and so the string has a number.
        let names = self.base.u32s(Column::SymbolName);
        let number = |node: NodeId| names.get((node.0 - self.base.n_files()) as usize).copied();
        let known = |name: &str| number(self.base.each_named(name).find(|node| self.base.name(*node) == Some(name))?);
        unresolved::add_rows(columns, &uses, &mut |name| known(name).unwrap_or_else(|| strings.add(name)));
        strings.put(columns);
    }

    fn put_links(&self, columns: &mut Columns, again: Again) {
        let base = self.base;
        let kept = base.sites().filter_map(|site| self.kept(site, &again));
        let mut sites: Vec<Edge> = kept.collect();
        let mut new: Vec<Link> = again.declared.into_values().flatten().collect();
        let n_kept = sites.len();
        for (links, dependencies, ..) in again.files {
            new.extend(links);
            sites.extend(dependencies.into_iter().filter_map(|dependency| links::of_dependency(&dependency, &self.layout)));
        }
        resolve::settle(&mut new);
        sites.extend(new.into_iter().map(|link| links::of_link(link, &self.layout)));
        let mut rows: Vec<TestRow> = self.kept_tests().collect();
        rows.extend(tests::rows(self, &sites[n_kept..]));
        tests::add_rows(columns, rows, base.n_nodes());
        sites.sort_unstable();
        links::add_sites(columns, &sites);
        sites.extend(self.contains());
        links::add_rows(columns, sites, base.n_nodes());
    }

    /// A site that stays, in the line where it is now.
    fn kept(&self, site: SiteRow, again: &Again) -> Option<Edge> {
        let SiteRow { from, kind, line, to, confidence } = site;
        let line = match kind {
            LinkKind::Implements | LinkKind::Extends => {
                let place = |node: NodeId| node.0.saturating_sub(self.base.n_files());
                let relation = if kind == LinkKind::Extends { Relation::Extends } else { Relation::Implements };
                if again.declares(place(from), place(to), relation) {
                    return None;
                }
                // What no declaration says is said of a name.
                self.changed_symbol(from.0).map_or(line, |symbol| symbol.name_line)
            }
            _ if self.facts(from.0).is_some() => return None,
            _ => line,
        };
        Some(Edge { from: from.0, kind, to: to.0, confidence, line })
    }

    /// The tests of all nodes, those in changed files left out.
    fn kept_tests(&self) -> impl Iterator<Item = TestRow> {
        let base = self.base;
        let starts = base.u32s(Column::TestStarts).windows(2);
        let (targets, confidences) = (base.u32s(Column::TestTargets), base.bytes(Column::TestConfidence));
        let rows = (0..).zip(starts).flat_map(|(subject, range)| (range[0]..range[1]).map(move |at| (subject, at as usize)));
        let rows = rows.filter_map(move |(subject, at)| Some((subject, *targets.get(at)?, *confidences.get(at)?)));
        rows.filter(|(_, test, _)| self.facts(*test).is_none())
    }

    fn contains(&self) -> impl Iterator<Item = Edge> {
        let base = self.base;
        let lines = base.u32s(Column::SymbolNameLine);
        let symbols = (base.n_files()..base.n_files() + base.n_symbols()).zip(lines);
        symbols.map(move |(node, line)| Edge {
            from: base.container(NodeId(node)).unwrap_or_else(|| base.file_of(NodeId(node))).0,
            kind: LinkKind::Contains,
            to: node,
            confidence: Confidence::Exact,
            line: self.changed_symbol(node).map_or(*line, |symbol| symbol.name_line),
        })
    }
}

impl Code for Patch<'_> {
    fn symbol(&self, node: u32) -> Option<(u32, SymbolKind, Traits)> {
        let node = NodeId(node);
        Some((self.base.file_of(node).0, self.base.kind(node)?, self.base.traits(node)?))
    }

    fn around(&self, symbol: u32) -> Option<u32> {
        let Container::Symbol(id) = self.changed_symbol(symbol)?.container else { return None };
        Some(self.base.symbols_of(self.base.file_of(NodeId(symbol))).start + id.0)
    }

    fn path(&self, file: u32) -> Option<&str> {
        self.base.is_file(NodeId(file)).then(|| self.base.path(NodeId(file)))
    }

    fn is_vendored(&self, file: u32) -> bool {
        self.base.flags(NodeId(file)).has(FileFlags::VENDORED)
    }
}

/// Strings of a base and those that come to them. One may come twice, which costs its bytes and no more.
struct MoreStrings<'a> {
    base: &'a FactBase,
    known: FxHashMap<Cow<'a, str>, u32>,
    added: Vec<u8>,
    ends: Vec<u32>,
}

impl<'a> MoreStrings<'a> {
    fn new(base: &'a FactBase) -> Self {
        let messages = base.u32s(Column::DiagnosticRows).chunks_exact(ROW).map(|row| row[ROW - 1]);
        let known = messages.map(|id| (Cow::Borrowed(base.string(id)), id)).collect();
        Self { base, known, added: Vec::new(), ends: base.u32s(Column::StringEnds).to_vec() }
    }

    fn add(&mut self, text: &str) -> u32 {
        if let Some(id) = self.known.get(text) {
            return *id;
        }
        self.added.extend_from_slice(text.as_bytes());
        let id = self.ends.len() as u32 - 1;
        self.ends.push(self.ends[id as usize] + text.len() as u32);
        self.known.insert(Cow::Owned(text.to_owned()), id);
        id
    }

    fn put(self, columns: &mut Columns) {
        if !self.added.is_empty() {
            columns.copy(Column::StringText, &[self.base.bytes(Column::StringText), &self.added].concat());
            columns.put_u32s(Column::StringEnds, self.ends);
        }
    }
}
