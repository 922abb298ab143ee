//! The fact base of a repository in which only bodies of files have changed, from the fact base before.
//!
//! What such files show to others is what it was, so nodes keep their numbers, and only what stands in these files is made again. The
//! result says exactly what a build from the records of all files would say.

use super::columns::Columns;
use super::edited::{Edited, Part};
use super::links::{self, Edge};
use super::tests::{self, Code, TestRow};
use super::{Layout, PLACES, add_diagnostics_of, counts, halves, places, unresolved};
use crate::base::{Column, FactBase, FileFlags, SiteRow};
use crate::extract::FileRecord;
use crate::outline::outline;
use crate::resolve::{self, Again, Facts, Later, Link, OfFile, Relation, SourceFile, Target};
use crate::text;
use activate_grammars::FileFacts;
use activate_grammars::facts::{Container, Symbol, SymbolKind, Traits};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, Direction, LinkKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::Range;

/// Numbers in a row of diagnostics, and in one of notes: the first is the file.
const ROW: usize = 4;

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

/// The sections of `base` that `edits`, which are in path order, change, as pieces of what they were.
///
/// `tables` is what [`super::Built`] said when the base was built, and `read` gives the facts of the other files. None where an edit shows
/// to other files, where facts cannot be read and where something does not fit: then all is to be built again.
pub fn patch(base: &FactBase, edits: &[Edit<'_>], read: &(dyn Fn(NodeId) -> Option<FileFacts> + Sync)) -> Option<Vec<Part>> {
    let changed: Vec<Changed<'_>> =
        edits.iter().filter_map(|edit| edit.records.map(|(old, new)| Changed { file: edit.file, old, new })).collect();
    if changed.iter().any(|each| outline(base.path(each.file), each.new) != base.outline(each.file)) {
        return None;
    }
    let patched = Patch::new(base, changed);
    let again = patched.resolve(read)?;
    if patched.reaches_others(&again) {
        return None;
    }
    let mut edited = Edited::new(base);
    patched.put_files(&mut edited, edits, &again);
    patched.put_symbols(&mut edited);
    patched.put_rows(&mut edited, &again);
    patched.put_links(&mut edited, again);
    let texts: Vec<text::Changed<'_>> = patched
        .changed
        .iter()
        .map(|each| text::Changed { doc: each.file.0, old: &each.old.words, new: &each.new.words })
        .collect();
    let mut parts = edited.finish();
    parts.extend(text::patch(&base.text().ok()?, &texts)?);
    Some(parts)
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

    fn resolve(&self, read: &(dyn Fn(NodeId) -> Option<FileFacts> + Sync)) -> Option<Again> {
        let base = self.base;
        let read = |file: usize| read(NodeId(file as u32));
        let later: Vec<Later<'_>> = (0..base.n_files() as usize).map(|file| Later::new(file, &read)).collect();
        let source = |(file, later)| SourceFile {
            path: base.path(file),
            language: activate_grammars::resolved_language_of(base.path(file)).map(|(number, _)| number),
            facts: self.facts(file.0).map_or(Facts::Later(later), Facts::Here),
        };
        let sources: Vec<SourceFile<'_>> = base.files().zip(&later).map(source).collect();
        let numbers: Vec<u32> = self.changed.iter().map(|each| each.file.0).collect();
        resolve::again(base.tables(), &sources, &numbers)
    }

    /// Whether a changed file depends on other folders than before where there are routes: which of them serves a request depends on that.
    fn reaches_others(&self, again: &Again) -> bool {
        let base = self.base;
        let folder = |file: u32| base.path(NodeId(file)).rsplit_once('/').map_or("", |(folder, _)| folder);
        let has_routes = !base.u32s(Column::RouteRows).is_empty();
        has_routes
            && self.changed.iter().zip(&again.files).any(|(each, OfFile { dependencies, .. })| {
                let imports = base.sites_in(self.sites_of(each.file.0)).filter(|site| site.kind == LinkKind::Imports);
                // A file reaches its own folder however little it uses of it.
                let is_other = |to: &&str| *to != folder(each.file.0);
                let old = imports.filter(|site| base.is_file(site.to)).map(|site| folder(site.to.0));
                let old: BTreeSet<&str> = old.filter(is_other).collect();
                let new = dependencies.iter().filter_map(|dependency| match dependency.to {
                    Target::File(to) => Some(folder(to)),
                    Target::Package(_) => None,
                });
                old != new.filter(is_other).collect()
            })
    }

    fn put_files(&self, edited: &mut Edited<'_>, edits: &[Edit<'_>], again: &Again) {
        use Column::{
            FileCtime, FileHash, FileLines, FileMtime, FileSize, FileTally, PassageLines, PassageStarts, ReadFiles, ReadStarts,
        };
        for edit in edits {
            let at = edit.file.0 as usize;
            edited.set_u64(FileSize, at, edit.size);
            edited.set_u64(FileMtime, at, edit.mtime_ns as u64);
            edited.set_u64(FileCtime, at, edit.ctime_ns as u64);
            let halves = halves(edit.hash);
            (halves.len() * at..).zip(halves).for_each(|(at, half)| edited.set_u64(FileHash, at, half));
        }
        for (each, OfFile { tally, reads, .. }) in self.changed.iter().zip(&again.files) {
            let at = each.file.0 as usize;
            edited.set_u32(FileLines, at, each.new.facts.n_lines);
            let counts = counts(*tally);
            edited.replace(FileTally, counts.len() * at..counts.len() * (at + 1), counts);
            let rows = [(PassageStarts, PassageLines, &each.new.facts.passages), (ReadStarts, ReadFiles, reads)];
            for (starts, column, new) in rows {
                let old = self.base.range(starts, each.file.0);
                edited.set_length(starts, each.file.0, old.len(), new.len());
                edited.replace(column, old, new.iter().copied());
            }
        }
    }

    fn put_symbols(&self, edited: &mut Edited<'_>) {
        for each in &self.changed {
            let first = self.layout.first_symbol[each.file.0 as usize] as usize;
            let symbols = &each.new.facts.symbols;
            for (at, column) in PLACES.into_iter().enumerate() {
                edited.replace(column, first..first + symbols.len(), symbols.iter().map(|symbol| places(symbol)[at]));
            }
        }
    }

    /// Rows of diagnostics, notes and unresolved names.
    fn put_rows(&self, edited: &mut Edited<'_>, again: &Again) {
        let base = self.base;
        // What is defined has a name, and so the string has a number.
        let names = base.u32s(Column::SymbolName);
        let number = |node: NodeId| names.get((node.0 - base.n_files()) as usize).copied();
        let defined = |name: &str| number(base.each_named(name).find(|node| base.name(*node) == Some(name))?);
        let mut strings = MoreStrings::new(base);
        let mut uses = unresolved::Uses::new();
        for (each, OfFile { open, .. }) in self.changed.iter().zip(&again.files) {
            let mut new = Columns::default();
            let of_file = (each.file.0 as usize, &each.new.facts);
            add_diagnostics_of(&mut new, &mut |text| strings.add(text), of_file, &self.layout);
            for column in [Column::DiagnosticRows, Column::NoteRows] {
                let (rows, _) = base.u32s(column).as_chunks::<ROW>();
                let start = rows.partition_point(|row| row[0] < each.file.0);
                let end = rows.partition_point(|row| row[0] <= each.file.0);
                edited.replace(column, start * ROW..end * ROW, new.u32s(column));
            }
            let of_file = (each.file.0, &each.new.facts);
            unresolved::add_uses(&mut uses, of_file, open, &self.layout, &|name| defined(name).is_some());
        }
        let mut new = Columns::default();
        unresolved::add_rows(&mut new, &uses, &mut |name| defined(name).unwrap_or_default());
        self.put_unresolved(edited, &new.u32s(Column::UnresolvedRows));
        strings.put(edited);
    }

    /// Puts rows of unresolved names between those of files that stay.
    fn put_unresolved(&self, edited: &mut Edited<'_>, new: &[u32]) {
        use unresolved::ROW;
        let base = self.base;
        let (old, _) = base.u32s(Column::UnresolvedRows).as_chunks::<ROW>();
        let place = |row: &[u32; ROW]| (base.string(row[0]), row[1], row[2], row[3]);
        let gone: Vec<usize> = (0..old.len()).filter(|at| self.facts(old[*at][1]).is_some()).collect();
        let (new, _) = new.as_chunks::<ROW>();
        let (were, are): (FxHashSet<_>, FxHashSet<_>) = (gone.iter().map(|at| &old[*at]).collect(), new.iter().collect());
        for at in gone.iter().filter(|at| !are.contains(&old[**at])) {
            edited.replace(Column::UnresolvedRows, at * ROW..(at + 1) * ROW, []);
        }
        let mut new: Vec<&[u32; ROW]> = new.iter().filter(|row| !were.contains(row)).collect();
        new.sort_by_key(|row| place(row));
        for row in new {
            let at = old.partition_point(|old| place(old) < place(row)) * ROW;
            edited.replace(Column::UnresolvedRows, at..at, row.iter().copied());
        }
    }

    fn put_links(&self, edited: &mut Edited<'_>, again: Again) {
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
        let kept = sites[..n_kept].iter().filter(|site| site.kind == LinkKind::ServedBy);
        let of_bodies: Vec<Edge> = kept.chain(&sites[n_kept..]).copied().collect();
        self.put_tests(edited, tests::rows(self, &of_bodies));
        sites.sort_unstable();
        put_sites(edited, &rows, &sites);
        self.put_link_rows(edited, &nodes, &sites);
    }

    /// Where the sites of a node stand.
    fn sites_of(&self, node: u32) -> Range<usize> {
        let from = self.base.u32s(Column::SiteFrom);
        from.partition_point(|other| *other < node)..from.partition_point(|other| *other <= node)
    }

    /// Links in both directions: those of the nodes that have `sites`, and of what these lead to and led to, are put together again.
    fn put_link_rows(&self, edited: &mut Edited<'_>, nodes: &BTreeSet<u32>, sites: &[Edge]) {
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
        let mut new = new.as_slice();
        for node in touched {
            let (of_node, others) = new.split_at(new.partition_point(|edge| edge.from <= node));
            new = others;
            let mut row: Vec<Edge> = base.links_of(NodeId(node)).map(edge).filter(|edge| !is_old(edge)).collect();
            row.extend(of_node);
            links::settle(&mut row);
            let old = base.range(Column::LinkStarts, node);
            edited.set_length(Column::LinkStarts, node, old.len(), row.len());
            let mut columns = Columns::default();
            links::put_rows(&mut columns, &row);
            for column in links::ROW_COLUMNS {
                edited.replace(column, old.clone(), columns.u32s(column));
            }
        }
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
            // Of a file with requests the outline says in which lines they stand.
            LinkKind::Imports | LinkKind::Calls | LinkKind::References | LinkKind::ServedBy => line,
            // No site is of these kinds.
            LinkKind::ImportedBy
            | LinkKind::CalledBy
            | LinkKind::ReferencedBy
            | LinkKind::ImplementedBy
            | LinkKind::ExtendedBy
            | LinkKind::Contains
            | LinkKind::ContainedBy
            | LinkKind::ChangedWith
            | LinkKind::Serves => return None,
        };
        Some(edge(SiteRow { line, ..site }))
    }

    /// The tests of what tests in changed files ran or run now.
    fn put_tests(&self, edited: &mut Edited<'_>, mut new: Vec<TestRow>) {
        use Column::{TestConfidence, TestStarts, TestTargets};
        let base = self.base;
        let (starts, targets, confidences) = (base.u32s(TestStarts), base.u32s(TestTargets), base.bytes(TestConfidence));
        let subject = |at: usize| starts.partition_point(|start| *start as usize <= at).saturating_sub(1) as u32;
        let ran = (0..).zip(targets).filter(|(_, test)| self.facts(**test).is_some()).map(|(at, _)| subject(at));
        let subjects: BTreeSet<u32> = ran.chain(new.iter().map(|(subject, ..)| *subject)).collect();
        new.sort_unstable();
        let mut new = new.as_slice();
        for subject in subjects {
            let (of_subject, others) = new.split_at(new.partition_point(|(other, ..)| *other <= subject));
            new = others;
            let old = base.range(TestStarts, subject);
            let row = |at: usize| Some((*targets.get(at)?, *confidences.get(at)?));
            let stays = old.clone().filter_map(row).filter(|(test, _)| self.facts(*test).is_none());
            let mut rows: Vec<(u32, u8)> =
                stays.chain(of_subject.iter().map(|(_, test, confidence)| (*test, *confidence))).collect();
            rows.sort_unstable();
            rows.dedup_by_key(|(test, _)| *test);
            edited.set_length(TestStarts, subject, old.len(), rows.len());
            edited.replace(TestTargets, old.clone(), rows.iter().map(|(test, _)| *test));
            let confidences: Vec<u8> = rows.iter().map(|(_, confidence)| *confidence).collect();
            edited.replace_bytes(TestConfidence, old, &confidences);
        }
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

/// Puts sites in the place of rows of nodes.
fn put_sites(edited: &mut Edited<'_>, rows: &[(u32, Range<usize>)], mut sites: &[Edge]) {
    for (node, row) in rows {
        let (of_node, others) = sites.split_at(sites.partition_point(|site| site.from <= *node));
        sites = others;
        let mut columns = Columns::default();
        links::add_sites(&mut columns, of_node);
        for column in links::SITE_COLUMNS {
            edited.replace(column, row.clone(), columns.u32s(column));
        }
    }
}

/// Strings of a base, and those that come to them.
struct MoreStrings<'a> {
    base: &'a FactBase,
    known: FxHashMap<String, u32>,
    added: Vec<u8>,
    /// Where those added end.
    ends: Vec<u32>,
}

impl<'a> MoreStrings<'a> {
    fn new(base: &'a FactBase) -> Self {
        Self { base, known: FxHashMap::default(), added: Vec::new(), ends: Vec::new() }
    }

    fn add(&mut self, text: &str) -> u32 {
        if let Some(id) = self.known.get(text) {
            return *id;
        }
        // Few are asked for, so each is looked for among all: one that came with an earlier patch must not come again.
        let n_strings = self.base.u32s(Column::StringEnds).len().saturating_sub(1) as u32;
        let id = (0..n_strings).find(|id| self.base.string(*id) == text).unwrap_or_else(|| {
            self.added.extend_from_slice(text.as_bytes());
            self.ends.push((self.base.bytes(Column::StringText).len() + self.added.len()) as u32);
            n_strings + self.ends.len() as u32 - 1
        });
        self.known.insert(text.to_owned(), id);
        id
    }

    fn put(self, edited: &mut Edited<'_>) {
        let n_bytes = self.base.bytes(Column::StringText).len();
        edited.replace_bytes(Column::StringText, n_bytes..n_bytes, &self.added);
        let n_ends = self.base.u32s(Column::StringEnds).len();
        edited.replace(Column::StringEnds, n_ends..n_ends, self.ends);
    }
}
