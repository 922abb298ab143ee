//! The fact base: everything known about a repository, as flat columns in named byte sections.
//!
//! Reading costs nothing: columns are looked at where they lie, in memory or in a mapped file; only those that changed since the file was
//! written are put together when first asked for. Damaged columns read as empty, never as a panic.

mod aliases;
mod by_name;
mod column;
mod dependents;
mod fields;
mod ids;
mod language;
mod links;
mod moved;
mod published;
mod routes;
mod sections;
mod tally;
mod test_commands;
mod test_map;
mod unresolved;

#[cfg(test)]
mod tests;

pub use activate_grammars::run::Runner;
pub use aliases::AliasRow;
pub(super) use column::{Column, N_COLUMNS};
pub use dependents::{Dependence, Dependents, Uses};
pub(super) use moved::Moved;
pub use published::PublishedRow;
pub use routes::{RouteRow, ServedRow};
pub use sections::{MemorySections, Sections};
pub(crate) use tally::N_COUNTS;
pub use tally::{CallTally, ImportTally};
pub use test_map::{MAX_CALLS, Promise, Reach, Reaching, TestMap};
pub use unresolved::{Lead, UnresolvedRow};

use super::build::Part;
use super::resolve::ListsRef;
use super::text::TextIndex;
pub use activate_grammars::facts::{Limit, NoteKind, SymbolKind, Traits, Visibility};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use cache::{Base, Cache, View};
use column::Places;
use error::Result;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Everything known about a repository.
#[derive(Clone)]
pub struct FactBase {
    sections: Arc<dyn Sections>,
    places: Arc<Places>,
    n_files: u32,
    n_symbols: u32,
    n_nodes: u32,
}

/// Properties of a file, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileFlags(pub u32);

impl FileFlags {
    /// A test file by its name or folder.
    pub const TEST: u32 = 1;
    /// Written by a program.
    pub const GENERATED: u32 = 1 << 1;
    /// Code of others kept in the repository.
    pub const VENDORED: u32 = 1 << 2;
    /// Not text: only its path takes part.
    pub const BINARY: u32 = 1 << 3;
    /// Documentation or prose.
    pub const DOCUMENT: u32 = 1 << 4;
    /// An example or sample.
    pub const EXAMPLE: u32 = 1 << 5;
    /// Runs the program that its package builds.
    pub const RUNS_PROGRAM: u32 = 1 << 6;
    /// Holds secrets that are to be masked wherever else they stand.
    pub const GIVES_VALUES: u32 = 1 << 7;
    /// Rules find nothing to mask in its text, all of which was read.
    pub const PLAIN: u32 = 1 << 8;

    /// Whether all bits of `bits` are set.
    pub const fn has(self, bits: u32) -> bool {
        self.0 & bits == bits
    }
}

/// What stands in the row of a symbol.
#[derive(Debug, Clone, Copy)]
pub struct SymbolRow<'a> {
    /// Its node.
    pub node: NodeId,
    /// The file it stands in.
    pub file: NodeId,
    /// Its name.
    pub name: &'a str,
    /// Its name within the file: `Container.name`.
    pub local_id: &'a str,
    /// What it is.
    pub kind: SymbolKind,
    /// Who may use it.
    pub visibility: Visibility,
    /// Its properties.
    pub traits: Traits,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// Line of its name.
    pub name_line: u32,
    /// Byte range of the definition.
    pub bytes: (u32, u32),
    /// Byte at which the body begins.
    pub body: u32,
    /// First line of the comments and attributes above; that of the definition where there are none.
    pub doc_line: u32,
    /// The symbol around it or the type it is a member of.
    pub container: Option<NodeId>,
}

impl SymbolRow<'_> {
    /// First line with what stands above: never behind the definition, even where the base is damaged.
    pub fn first_line(&self) -> u32 {
        self.doc_line.clamp(1, self.lines.0.max(1))
    }
}

/// A site with what it was resolved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteRow {
    /// The symbol or file it stands in.
    pub from: NodeId,
    /// What it is: calls, references, implements, extends or imports.
    pub kind: LinkKind,
    /// Its line in the file of `from`.
    pub line: u32,
    /// What it leads to.
    pub to: NodeId,
    /// How sure that is.
    pub confidence: Confidence,
}

/// A syntax error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagnosticRow<'a> {
    /// Where.
    pub file: NodeId,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: &'a str,
}

/// A note on code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteRow {
    /// The file it stands in.
    pub file: NodeId,
    /// The symbol it concerns, if not the whole file.
    pub symbol: Option<NodeId>,
    /// What it says.
    pub kind: NoteKind,
    /// Line, from 1.
    pub line: u32,
}

impl FactBase {
    /// A fact base over sections.
    pub fn new(sections: Arc<dyn Sections>) -> Self {
        let places = Arc::new(Places::of(sections.as_ref()));
        let mut base = Self { sections, places, n_files: 0, n_symbols: 0, n_nodes: 0 };
        let n_rows = |column| base.view(column).len() / size_of::<u32>();
        let counted = [Column::FilePath, Column::SymbolName, Column::NodeFile].map(n_rows);
        [base.n_files, base.n_symbols, base.n_nodes] = counted.map(|n_rows| n_rows as u32);
        base
    }

    /// The sections in which some are made of pieces of what they are here; none where these do not fit or the base is only in memory.
    pub(crate) fn next(&self, parts: Vec<Part>) -> Option<Base> {
        self.sections.as_base()?.next(parts)
    }

    /// The same base, where what only the next base is made from is out of memory until then.
    pub(crate) fn at_rest(self) -> Self {
        let Some(base) = self.sections.as_base() else { return self };
        let sections = base.unread(Column::FOR_THE_NEXT.map(Column::name));
        Self { sections: Arc::new(sections), ..self }
    }

    /// This base as a cache can keep it beside the one that `last` goes on from; none where that has no file or little of it stays. `index` is
    /// that one with the index of words, if this base has none.
    pub(crate) fn beside(&self, last: &Self, index: Option<&Base>) -> Option<Base> {
        let whole = last.sections.as_base()?.whole();
        let moved = Moved::between(&Self::new(Arc::new(whole.clone())), self);
        let mut sections = self.sections();
        sections.retain(|(name, _)| index.is_none() || !Column::is_text(name));
        index.unwrap_or(&whole).with_sections(&sections, &|section| moved.content(section))
    }

    /// The base that another process has put in its place in a cache, if one did.
    pub(crate) fn another(&self, cache: &Cache, repository: &str, fingerprint: u128) -> Option<Self> {
        let found = cache.another_base(repository, fingerprint, self.sections.as_base()?)?;
        Some(Self::new(Arc::new(found)))
    }

    /// The tables of the resolver, for when files change; empty where the base was built without.
    pub(crate) fn tables(&self) -> ListsRef<'_> {
        let numbers = Column::TABLES.map(|column| self.u32s(column));
        ListsRef { numbers, rest: self.bytes(Column::TableRest), text: self.bytes(Column::TableText) }
    }

    /// All sections.
    pub(crate) fn sections(&self) -> Vec<(&'static str, &[u8])> {
        Column::ALL.iter().map(|column| (column.name(), self.bytes(*column))).collect()
    }

    /// Number of files: nodes from 0 to this are files, in path order.
    pub fn n_files(&self) -> u32 {
        self.n_files
    }

    /// Number of symbols: they follow the files, in file order, then source order.
    pub fn n_symbols(&self) -> u32 {
        self.n_symbols
    }

    /// Number of all nodes: packages from outside follow the symbols.
    pub fn n_nodes(&self) -> u32 {
        self.n_nodes
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.n_files).map(NodeId)
    }

    /// Whether a node is a file.
    pub fn is_file(&self, node: NodeId) -> bool {
        node.0 < self.n_files
    }

    /// Whether a node is a symbol.
    pub fn is_symbol(&self, node: NodeId) -> bool {
        (self.n_files..self.n_files + self.n_symbols).contains(&node.0)
    }

    /// The path of the file that a node is or stands in; empty for packages.
    pub fn path(&self, node: NodeId) -> &str {
        let file = self.file_of(node);
        self.string(self.at(Column::FilePath, file.0))
    }

    /// Whether a file has this path: [`FactBase::path`] compared, for less.
    pub fn has_path(&self, file: NodeId, path: &str) -> bool {
        self.path_bytes(file) == path.as_bytes()
    }

    /// The path of a file as it lies in memory: [`FactBase::path`] for less, where all files are looked at and few are wanted.
    pub fn path_bytes(&self, file: NodeId) -> &[u8] {
        self.string_bytes(self.at(Column::FilePath, file.0))
    }

    /// The file that a node is or stands in; packages stand for themselves.
    pub fn file_of(&self, node: NodeId) -> NodeId {
        self.u32s(Column::NodeFile).get(node.0 as usize).map_or(node, |file| NodeId(*file))
    }

    /// The file with this path.
    pub fn file_at(&self, path: &str) -> Option<NodeId> {
        let (mut low, mut high) = (0, self.n_files);
        while low < high {
            let middle = low.midpoint(high);
            match self.path(NodeId(middle)).cmp(path) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(NodeId(middle)),
            }
        }
        None
    }

    /// Properties of a file.
    pub fn flags(&self, file: NodeId) -> FileFlags {
        FileFlags(self.u32s(Column::FileFlags).get(file.0 as usize).copied().unwrap_or_default())
    }

    /// Why facts of a file are incomplete, if they are.
    pub fn limit(&self, file: NodeId) -> Option<Limit> {
        match self.bytes(Column::FileLimit).get(file.0 as usize)? {
            1 => Some(Limit::Size),
            2 => Some(Limit::Work),
            3 => Some(Limit::Depth),
            4 => Some(Limit::Encoding),
            5 => Some(Limit::Words),
            _ => None,
        }
    }

    /// Number of lines of a file.
    pub fn n_lines(&self, file: NodeId) -> u32 {
        self.at(Column::FileLines, file.0)
    }

    /// Size of a file in bytes, as it was when it was read.
    pub fn size(&self, file: NodeId) -> u64 {
        self.u64s(Column::FileSize).get(file.0 as usize).copied().unwrap_or_default()
    }

    /// Time of the last change of a file in nanoseconds, as it was when it was read.
    pub fn mtime(&self, file: NodeId) -> i64 {
        self.u64s(Column::FileMtime).get(file.0 as usize).copied().unwrap_or_default() as i64
    }

    /// Time of the last change of content or metadata of a file in nanoseconds, as it was when it was read.
    pub fn ctime(&self, file: NodeId) -> i64 {
        self.u64s(Column::FileCtime).get(file.0 as usize).copied().unwrap_or_default() as i64
    }

    /// Hash of the content of a file.
    pub fn hash(&self, file: NodeId) -> u128 {
        self.u128(Column::FileHash, file)
    }

    /// The hash of what a file shows to others: [`outline`](super::outline::outline).
    pub fn outline(&self, file: NodeId) -> u128 {
        self.u128(Column::FileOutline, file)
    }

    /// The outlines of all files, as bytes.
    pub fn outlines(&self) -> &[u8] {
        self.bytes(Column::FileOutline)
    }

    fn u128(&self, column: Column, file: NodeId) -> u128 {
        let halves = self.u64s(column);
        let half = |at: usize| u128::from(halves.get(at).copied().unwrap_or_default());
        half(file.0 as usize * 2) << 64 | half(file.0 as usize * 2 + 1)
    }

    /// The symbols of a file, in source order.
    pub fn symbols_of(&self, file: NodeId) -> Range<u32> {
        let starts = self.u32s(Column::FileMembers);
        let at = |index: u32| starts.get(index as usize).copied().unwrap_or(self.n_files + self.n_symbols);
        if self.is_file(file) { at(file.0)..at(file.0 + 1) } else { 0..0 }
    }

    /// The passages of a file, in the order of their lines.
    pub fn passages_of(&self, file: NodeId) -> Range<u32> {
        let range = if self.is_file(file) { self.range(Column::PassageStarts, file.0) } else { 0..0 };
        range.start as u32..range.end as u32
    }

    /// First and last line of each passage of a file, in order.
    pub fn passage_lines(&self, file: NodeId) -> Vec<(u32, u32)> {
        let range = self.passages_of(file);
        let firsts = self.u32s_in(Column::PassageLines, range.start as usize..range.end as usize);
        let lasts = firsts.iter().skip(1).map(|next| next.saturating_sub(1)).chain([self.n_lines(file)]);
        firsts.iter().copied().zip(lasts).filter(|(first, last)| first <= last).collect()
    }

    /// The row of a symbol.
    pub fn symbol(&self, node: NodeId) -> Option<SymbolRow<'_>> {
        if !self.is_symbol(node) {
            return None;
        }
        let row = node.0 - self.n_files;
        let at = |column: Column| self.at(column, row);
        let kind = self.kind(node)?;
        let visibility = match self.bytes(Column::SymbolVisibility).get(row as usize)? {
            0 => Visibility::Private,
            1 => Visibility::Package,
            _ => Visibility::Public,
        };
        let container = at(Column::SymbolContainer);
        Some(SymbolRow {
            node,
            file: self.file_of(node),
            name: self.string(at(Column::SymbolName)),
            local_id: self.string(at(Column::SymbolId)),
            kind,
            visibility,
            traits: Traits(at(Column::SymbolTraits)),
            lines: (at(Column::SymbolFirstLine), at(Column::SymbolLastLine)),
            name_line: at(Column::SymbolNameLine),
            bytes: (at(Column::SymbolStart), at(Column::SymbolEnd)),
            body: at(Column::SymbolBody),
            doc_line: at(Column::SymbolDocLine),
            container: (container > 0).then(|| NodeId(container - 1)),
        })
    }

    /// Every syntax error, in path order.
    pub fn diagnostics(&self) -> impl Iterator<Item = DiagnosticRow<'_>> {
        let rows = self.u32s(Column::DiagnosticRows);
        rows.chunks_exact(4).map(|row| DiagnosticRow {
            file: NodeId(row[0]),
            line: row[1],
            column: row[2],
            message: self.string(row[3]),
        })
    }

    /// Every note, in path order.
    pub fn notes(&self) -> impl Iterator<Item = NoteRow> + '_ {
        let kinds = [NoteKind::Generated, NoteKind::Cgo, NoteKind::Unsafe, NoteKind::Deprecated];
        let rows = self.u32s(Column::NoteRows).chunks_exact(4);
        rows.filter_map(move |row| {
            let symbol = (row[1] > 0).then(|| NodeId(row[1] - 1));
            Some(NoteRow { file: NodeId(row[0]), symbol, kind: *kinds.get(row[2] as usize)?, line: row[3] })
        })
    }

    /// The text index; its documents are the files, by number.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`](error::ErrorKind::Storage) if the index is damaged.
    pub fn text(&self) -> Result<TextIndex<'_>> {
        use Column::{TextBlocks, TextByDoc, TextBySlot, TextLengths, TextPostings, TextTerms, TextTotals};
        let columns = [TextTotals, TextBlocks, TextTerms, TextPostings, TextLengths, TextBySlot, TextByDoc];
        TextIndex::open(&columns.map(|column| (column.name(), self.view(column))))
    }

    /// What was left out when the base was built, as whoever built it wrote it down.
    pub fn problems(&self) -> &[u8] {
        self.bytes(Column::Problems)
    }

    /// The bytes of a section by its name, as they would be if the base had been built whole.
    #[cfg(any(test, feature = "testing"))]
    pub fn section(&self, name: &str) -> Vec<u8> {
        if Column::is_text(name)
            && let Ok(index) = self.text()
        {
            let docs: Vec<_> = (0..index.n_docs()).map(super::text::Doc::Old).collect();
            let whole = super::text::next(&index, &docs).unwrap_or_default();
            return whole.into_iter().find(|(section, _)| *section == name).map(|(_, bytes)| bytes).unwrap_or_default();
        }
        self.sections.place(name).map_or(&[][..], |place| self.sections.section(place)).to_vec()
    }

    /// A column, to be read in parts.
    fn view(&self, column: Column) -> View<'_> {
        self.places.get(column).map_or_else(View::default, |place| self.sections.view(place))
    }

    pub(crate) fn bytes(&self, column: Column) -> &[u8] {
        self.places.get(column).map_or(&[], |place| self.sections.section(place))
    }

    pub(crate) fn u32s(&self, column: Column) -> &[u32] {
        bytemuck::try_cast_slice(self.bytes(column)).unwrap_or_default()
    }

    fn u64s(&self, column: Column) -> &[u64] {
        bytemuck::try_cast_slice(self.bytes(column)).unwrap_or_default()
    }

    /// Some rows of a column; none where it does not have all of them.
    fn u32s_in(&self, column: Column, rows: Range<usize>) -> &[u32] {
        const ROW: usize = size_of::<u32>();
        let column_length = self.view(column).len() / ROW;
        if rows.is_empty() || rows.end > column_length {
            return &[];
        }
        let part = self.view(column).get(rows.start.saturating_mul(ROW)..rows.end.saturating_mul(ROW));
        // What is new in a column may lie where numbers cannot be read in place.
        let part = part.and_then(|bytes| bytemuck::try_cast_slice(bytes).ok());
        part.or_else(|| self.u32s(column).get(rows)).unwrap_or_default()
    }

    fn at(&self, column: Column, index: u32) -> u32 {
        let at = index as usize;
        self.u32s_in(column, at..at.saturating_add(1)).first().copied().unwrap_or_default()
    }

    /// The range of row `index` in a column of starts.
    pub(crate) fn range(&self, column: Column, index: u32) -> Range<usize> {
        let starts = self.u32s(column);
        let at = |index: u32| starts.get(index as usize).copied().unwrap_or_default() as usize;
        at(index)..at(index.saturating_add(1)).max(at(index))
    }

    pub(crate) fn string(&self, id: u32) -> &str {
        std::str::from_utf8(self.string_bytes(id)).unwrap_or_default()
    }

    /// A string before it is known to be one.
    fn string_bytes(&self, id: u32) -> &[u8] {
        self.view(Column::StringText).get(self.range(Column::StringEnds, id)).unwrap_or_default()
    }
}
