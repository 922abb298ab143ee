//! The fact base of a repository in which only bodies of files have changed, from the fact base before.
//!
//! What such files show to others is what it was, so nodes keep their numbers, and only what stands in these files is made again. The
//! result says exactly what a build from the records of all files would say.

use super::columns::Columns;
use super::links::{self, Edge};
use super::tests::{self, Code, TestRow};
use super::{Layout, PLACES, Section, add_diagnostics_of, counts, halves, places, unresolved};
use crate::base::{Column, FactBase, FileFlags, SiteRow};
use crate::extract::FileRecord;
use crate::outline::outline;
use crate::resolve::{self, Again, Facts, Later, Link, OfFile, Relation, SourceFile};
use crate::text;
use activate_grammars::FileFacts;
use activate_grammars::facts::{Container, Symbol, SymbolKind, Traits};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, Direction, LinkKind};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// Numbers in a row of diagnostics, and in one of notes: the first is the file.
const ROW: usize = 4;

/// A section that is made again, or that stays.
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

/// The sections of `base` after `edits`, which are in path order: those made again, and those that stay.
///
/// `tables` is what [`super::Built`] said when the base was built, and `read` gives the facts of the other files. None where an edit shows
/// to other files, where facts cannot be read and where something does not fit: then all is to be built again.
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
        for (each, OfFile { tally, .. }) in self.changed.iter().zip(&again.files) {
            let at = each.file.0 as usize;
            columns.set_u32(FileLines, at, each.new.facts.n_lines);
            let counts = counts(*tally);
            (counts.len() * at..).zip(counts).for_each(|(at, count)| columns.set_u32(FileTally, at, count));
        }
        self.put_passages(columns);
        self.put_reads(columns, again);
    }

    /// The files whose facts were asked for, those of changed ones as it is now.
    fn put_reads(&self, columns: &mut Columns, again: &Again) {
        let (base, mut n_reads, mut done) = (self.base, 0, 0);
        columns.push_u32(Column::ReadStarts, 0);
        for file in base.files() {
            let old = base.range(Column::ReadStarts, file.0);
            let new = self.places[file.0 as usize].map(|place| &again.files[place].reads);
            n_reads += new.map_or(old.len(), Vec::len) as u32;
            columns.push_u32(Column::ReadStarts, n_reads);
            if let Some(reads) = new {
                self.copy(columns, &[Column::ReadFiles], done..old.start);
                columns.put_u32s(Column::ReadFiles, reads.iter().copied());
                done = old.end;
            }
        }
        self.copy(columns, &[Column::ReadFiles], done..base.u32s(Column::ReadFiles).len());
    }

    /// The passages of all files, those of changed ones as they are now.
    fn put_passages(&self, columns: &mut Columns) {
        let base = self.base;
        let (mut n_passages, mut done) = (0, 0);
        columns.push_u32(Column::PassageStarts, 0);
        for file in base.files() {
            let old = base.passages_of(file);
            n_passages += self.facts(file.0).map_or(old.len(), |facts| facts.passages.len()) as u32;
            columns.push_u32(Column::PassageStarts, n_passages);
            if let Some(facts) = self.facts(file.0) {
                self.copy(columns, &[Column::PassageLines], done..old.start as usize);
                columns.put_u32s(Column::PassageLines, facts.passages.iter().copied());
                done = old.end as usize;
            }
        }
        self.copy(columns, &[Column::PassageLines], done..base.u32s(Column::PassageLines).len());
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
        let base = self.base;
        // What is defined has a name, and so the string has a number.
        let names = base.u32s(Column::SymbolName);
        let number = |node: NodeId| names.get((node.0 - base.n_files()) as usize).copied();
        let defined = |name: &str| number(base.each_named(name).find(|node| base.name(*node) == Some(name))?);
        let mut strings = MoreStrings::new(base);
        let mut new = Columns::default();
        let mut uses = unresolved::Uses::new();
        for (each, OfFile { open, .. }) in self.changed.iter().zip(&again.files) {
            let of_file = (each.file.0 as usize, &each.new.facts);
            add_diagnostics_of(&mut new, &mut |text| strings.add(text), of_file, &self.layout);
            let of_file = (each.file.0, &each.new.facts);
            unresolved::add_uses(&mut uses, of_file, open, &self.layout, &|name| defined(name).is_some());
        }
        for column in [Column::DiagnosticRows, Column::NoteRows] {
            let old = base.u32s(column).chunks_exact(ROW).filter(|row| self.facts(row[0]).is_none());
            let new = new.u32s(column);
            let mut rows: Vec<&[u32]> = old.chain(new.chunks_exact(ROW)).collect();
            // Rows of one file stay in their order.
            rows.sort_by_key(|row| row[0]);
            columns.put_u32s(column, rows.into_iter().flatten().copied());
        }
        unresolved::add_rows(&mut new, &uses, &mut |name| defined(name).unwrap_or_default());
        let old = base.u32s(Column::UnresolvedRows).chunks_exact(unresolved::ROW);
        let new = new.u32s(Column::UnresolvedRows);
        let rows = old.filter(|row| self.facts(row[1]).is_none()).chain(new.chunks_exact(unresolved::ROW));
        let mut rows: Vec<&[u32]> = rows.collect();
        rows.sort_by_key(|row| (base.string(row[0]), row[1], row[2], row[3]));
        columns.put_u32s(Column::UnresolvedRows, rows.into_iter().flatten().copied());
        strings.put(columns);
    }

    fn put_links(&self, columns: &mut Columns, again: Again) {
        let base = self.base;
        let files = self.changed.iter().flat_map(|each| std::iter::once(each.file.0).chain(base.symbols_of(each.file)));
        let nodes: BTreeSet<u32> = files.chain(again.declared.keys().map(|place| self.layout.symbol(*place))).collect();
        let rows: Vec<(u32, Range<usize>)> = nodes.iter().map(|node| (*node, self.sites_of(*node))).collect();
        let kept = rows.iter().flat_map(|(_, row)| base.sites_in(row.clone())).filter_map(|site| self.kept(site, &again));
        let mut sites: Vec<Edge> = kept.collect();
        let n_kept = sites.len();
        let mut new: Vec<Link> = again.declared.into_values().flatten().collect();
        for OfFile { links, dependencies, .. } in again.files {
            new.extend(links);
            sites.extend(dependencies.into_iter().filter_map(|dependency| links::of_dependency(&dependency, &self.layout)));
        }
        resolve::settle(&mut new);
        sites.extend(new.into_iter().map(|link| links::of_link(link, &self.layout)));
        let mut tests: Vec<TestRow> = self.kept_tests().collect();
        tests.extend(tests::rows(self, &sites[n_kept..]));
        tests::add_rows(columns, tests, base.n_nodes());
        sites.sort_unstable();
        self.put_sites(columns, &rows, &sites);
        self.put_link_rows(columns, &nodes, &sites);
    }

    /// Where the sites of a node stand.
    fn sites_of(&self, node: u32) -> Range<usize> {
        let from = self.base.u32s(Column::SiteFrom);
        from.partition_point(|other| *other < node)..from.partition_point(|other| *other <= node)
    }

    /// Puts sites in the place of old rows.
    fn put_sites(&self, columns: &mut Columns, rows: &[(u32, Range<usize>)], sites: &[Edge]) {
        let n_sites = self.base.u32s(Column::SiteFrom).len();
        for column in links::SITE_COLUMNS {
            columns.reserve_u32s(column, n_sites + sites.len());
        }
        let mut sites = sites;
        let mut done = 0;
        for (node, row) in rows {
            self.copy(columns, &links::SITE_COLUMNS, done..row.start);
            let (of_node, others) = sites.split_at(sites.partition_point(|site| site.from <= *node));
            links::add_sites(columns, of_node);
            (sites, done) = (others, row.end);
        }
        self.copy(columns, &links::SITE_COLUMNS, done..n_sites);
    }

    /// Copies rows of columns of numbers.
    fn copy(&self, columns: &mut Columns, which: &[Column], rows: Range<usize>) {
        for column in which {
            let bytes = self.base.bytes(*column).get(rows.start * size_of::<u32>()..rows.end * size_of::<u32>());
            columns.extend(*column, bytes.unwrap_or_default());
        }
    }

    /// Links in both directions: those of the nodes that have `sites`, and of what these lead to and led to, are put together again.
    fn put_link_rows(&self, columns: &mut Columns, nodes: &BTreeSet<u32>, sites: &[Edge]) {
        let base = self.base;
        let contains = self.changed.iter().flat_map(|each| base.symbols_of(each.file)).filter_map(|node| self.contains(node));
        let mut new: Vec<Edge> = sites.iter().copied().chain(contains).flat_map(|edge| [edge, edge.reversed()]).collect();
        new.retain(|edge| edge.from != edge.to);
        let led_to = nodes.iter().flat_map(|node| base.links_of(NodeId(*node))).map(|link| link.to.0);
        let touched: BTreeSet<u32> = nodes.iter().copied().chain(led_to).chain(new.iter().map(|edge| edge.from)).collect();
        // Who says of a link that it is there: the node whose site it is, or what is contained.
        let is_old = |edge: &Edge| match edge.kind {
            LinkKind::Contains => self.changed_symbol(edge.to).is_some(),
            LinkKind::ContainedBy => self.changed_symbol(edge.from).is_some(),
            kind if kind.info().direction == Direction::Uses => nodes.contains(&edge.from),
            _ => nodes.contains(&edge.to),
        };
        new.sort_unstable();
        for column in links::ROW_COLUMNS {
            columns.reserve_u32s(column, base.u32s(column).len() + new.len());
        }
        let mut new = new.as_slice();
        let starts = base.u32s(Column::LinkStarts);
        let start = |node: u32| starts.get(node as usize).copied().unwrap_or_default();
        let (mut done, mut n_links) = (0, 0);
        let mut copy_to = |columns: &mut Columns, node: u32, n_links: &mut u32| {
            let (from, to) = (start(done), start(node));
            columns.put_u32s(Column::LinkStarts, (done..node).map(|node| start(node) - from + *n_links));
            self.copy(columns, &links::ROW_COLUMNS, from as usize..to as usize);
            *n_links += to - from;
            done = node + 1;
        };
        for node in touched {
            copy_to(columns, node, &mut n_links);
            let (of_node, others) = new.split_at(new.partition_point(|edge| edge.from <= node));
            new = others;
            let mut row: Vec<Edge> = base.links_of(NodeId(node)).map(edge).filter(|edge| !is_old(edge)).collect();
            row.extend(of_node);
            links::settle(&mut row);
            columns.push_u32(Column::LinkStarts, n_links);
            links::put_rows(columns, &row);
            n_links += row.len() as u32;
        }
        copy_to(columns, base.n_nodes(), &mut n_links);
        columns.push_u32(Column::LinkStarts, n_links);
    }

    /// A site that stays, in the line where it is now.
    fn kept(&self, site: SiteRow, again: &Again) -> Option<Edge> {
        let SiteRow { from, kind, line, to, .. } = site;
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
            // What bodies say is made again with them.
            LinkKind::Imports | LinkKind::Calls | LinkKind::References if self.facts(from.0).is_some() => return None,
            LinkKind::Imports | LinkKind::Calls | LinkKind::References => line,
            // No site is of these kinds.
            LinkKind::ImportedBy
            | LinkKind::CalledBy
            | LinkKind::ReferencedBy
            | LinkKind::ImplementedBy
            | LinkKind::ExtendedBy
            | LinkKind::Contains
            | LinkKind::ContainedBy
            | LinkKind::ChangedWith => return None,
        };
        Some(edge(SiteRow { line, ..site }))
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

    /// What holds a symbol of a changed file.
    fn contains(&self, node: u32) -> Option<Edge> {
        let (base, symbol) = (self.base, self.changed_symbol(node)?);
        let from = base.container(NodeId(node)).unwrap_or_else(|| base.file_of(NodeId(node))).0;
        Some(Edge { from, kind: LinkKind::Contains, to: node, confidence: Confidence::Exact, line: symbol.name_line })
    }
}

fn edge(link: SiteRow) -> Edge {
    let SiteRow { from, kind, line, to, confidence } = link;
    Edge { from: from.0, kind, to: to.0, confidence, line }
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

/// Strings of a base, and those that come to them.
struct MoreStrings<'a> {
    base: &'a FactBase,
    known: FxHashMap<String, u32>,
    added: Vec<u8>,
    ends: Vec<u32>,
}

impl<'a> MoreStrings<'a> {
    fn new(base: &'a FactBase) -> Self {
        Self { base, known: FxHashMap::default(), added: Vec::new(), ends: base.u32s(Column::StringEnds).to_vec() }
    }

    fn add(&mut self, text: &str) -> u32 {
        if let Some(id) = self.known.get(text) {
            return *id;
        }
        // Few are asked for, so each is looked for among all: one that came with an earlier patch must not come again.
        let n_strings = self.ends.len() as u32 - 1;
        let id = (0..n_strings).find(|id| self.base.string(*id) == text).unwrap_or_else(|| {
            self.added.extend_from_slice(text.as_bytes());
            self.ends.push(self.ends[n_strings as usize] + text.len() as u32);
            n_strings
        });
        self.known.insert(text.to_owned(), id);
        id
    }

    fn put(self, columns: &mut Columns) {
        if !self.added.is_empty() {
            columns.copy(Column::StringText, &[self.base.bytes(Column::StringText), &self.added].concat());
            columns.put_u32s(Column::StringEnds, self.ends);
        }
    }
}
