//! Records of all files to the columns of the fact base.

mod before;
mod columns;
mod edited;
mod links;
mod patch;
mod tests;
mod unresolved;

use super::base::{Column, FileFlags, N_COUNTS};
use super::extract::{FileRecord, flags};
use super::outline::outline;
use super::resolve::{self, Alias, End, Facts, Lists, Resolved, SourceFile};
use super::text::IndexBuilder;
use activate_grammars::facts::{Container, Expr, FileFacts, Limit, Symbol, SymbolId, Traits};
use activate_grammars::project::Manifest;
pub use before::Before;
use columns::{Columns, Strings};
pub use edited::Part;
use error::Problem;
pub use patch::{Edit, patch};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A named byte section, as [`super::base::Sections`] will give it back.
pub type Section = (&'static str, Vec<u8>);

/// A file with what it yielded.
#[derive(Debug, Clone, Copy)]
pub struct FileInput<'a> {
    /// Repository path.
    pub path: &'a str,
    /// Bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Time of the last change of content or metadata, in nanoseconds since 1970.
    pub ctime_ns: i64,
    /// Hash of the content.
    pub hash: u128,
    /// What it yielded.
    pub record: &'a FileRecord,
    /// What it shows to others, if that is known: [`outline`] of the record.
    pub outline: Option<u128>,
}

impl<'a> FileInput<'a> {
    /// A file of so many bytes of which nobody asks for times and hash: for tests and benches.
    pub fn untimed(path: &'a str, size: u64, record: &'a FileRecord) -> Self {
        Self { path, size, mtime_ns: 0, ctime_ns: 0, hash: 0, record, outline: None }
    }
}

/// The name of the section that says what was left out, for whoever builds a base to fill.
pub const PROBLEMS: &str = Column::Problems.name();

/// A fact base that is built.
pub struct Built {
    /// Its sections.
    pub sections: Vec<Section>,
    /// What was left out.
    pub problems: Vec<Problem>,
}

/// Builds the sections of the fact base. `files` in path order.
pub fn build(files: &[FileInput<'_>]) -> Built {
    let mut words = IndexBuilder::default();
    for file in files {
        words.add(&file.record.words);
    }
    let mut linked = link(files, false, None);
    linked.add(words.finish());
    linked.finish()
}

/// A fact base of which nothing but the rows of links is still to be made: records are needed no more.
pub struct Linked {
    columns: Columns,
    sections: Vec<Section>,
    edges: Vec<links::Edge>,
    n_nodes: u32,
    n_resolved: usize,
    problems: Vec<Problem>,
}

/// Builds all that needs records, but the index of words. `files` in path order; `keeps_tables` says whether the resolver's tables are wanted.
pub fn link(files: &[FileInput<'_>], keeps_tables: bool, before: Option<&Before<'_>>) -> Linked {
    let language = |path: &str| activate_grammars::resolved_language_of(path).map(|(number, _)| number);
    let sources: Vec<SourceFile<'_>> = files
        .iter()
        .map(|file| SourceFile { path: file.path, language: language(file.path), facts: Facts::Here(&file.record.facts) })
        .collect();
    let manifests: Vec<Manifest<'_>> =
        files.iter().filter_map(|file| Some(Manifest { path: file.path, text: file.record.manifest.as_deref()? })).collect();
    let mut resolved = match before {
        Some(before) => before.with(files, |before| resolve::resolve(&sources, &manifests, keeps_tables, Some(before))),
        None => resolve::resolve(&sources, &manifests, keeps_tables, None),
    };
    drop((sources, manifests));
    let mut problems: Vec<Problem> =
        resolved.problems.iter().map(|(path, why)| Problem::at("resolve", path, format!("manifest not used: {why}"))).collect();
    problems.extend(resolved.limits.iter().map(|limit| Problem::new("resolve", *limit)));
    problems.extend(limit_problems(files));
    let mut columns = Columns::default();
    let mut strings = Strings::default();
    let layout = Layout::new(files, &resolved);
    let edges = links::add(&mut columns, &mut strings, files, &mut resolved, &layout);
    add_files(&mut columns, &mut strings, files, &resolved);
    add_symbols(&mut columns, &mut strings, files, &resolved, &layout);
    for package in &layout.packages {
        let name = strings.add(package);
        columns.push_u32(Column::PackageName, name);
    }
    for package in &resolved.published {
        columns.push_u8(Column::PublishedRegistry, package.registry as u8);
        for (column, text) in [(Column::PublishedName, &package.name), (Column::PublishedFolder, &package.folder)] {
            let text = strings.add(text);
            columns.push_u32(column, text);
        }
    }
    add_aliases(&mut columns, &mut strings, &resolved.aliases, &layout);
    columns.put_u32s(Column::NodeFile, layout.node_files(files));
    tests::add_places(&mut columns, &mut strings, &resolved);
    add_diagnostics(&mut columns, &mut strings, files, &layout);
    unresolved::add(&mut columns, &mut strings, files, &resolved, &layout, before);
    add_tables(&mut columns, resolved.tables);
    // Columns are there where they are empty, too: an edit may give them their first row.
    let others = [Column::StringText, Column::StringEnds, Column::Problems];
    Column::ALL
        .iter()
        .filter(|column| !Column::is_text(column.name()) && !others.contains(column))
        .for_each(|column| columns.touch(*column));
    let sections = strings.finish();
    let n_resolved = resolved.reused.iter().filter(|of| of.is_none()).count();
    Linked { columns, sections, edges, n_nodes: layout.n_nodes(), n_resolved, problems }
}

impl Linked {
    /// Files of which all sites were resolved.
    pub fn n_resolved(&self) -> usize {
        self.n_resolved
    }

    /// Adds the index of the words of all files, in their order.
    pub fn add(&mut self, text: Vec<Section>) {
        self.sections.extend(text);
    }

    /// Adds the rows of links, and gives all sections.
    pub fn finish(mut self) -> Built {
        links::add_rows(&mut self.columns, self.edges, self.n_nodes);
        let mut sections = self.columns.finish();
        sections.append(&mut self.sections);
        Built { sections, problems: self.problems }
    }
}

fn limit_problems(files: &[FileInput<'_>]) -> Vec<Problem> {
    let limited = files.iter().filter_map(|file| {
        let message = match file.record.facts.limit? {
            Limit::Size => "too large to be parsed; only its words are searched",
            Limit::Work => "the parser gave up on it; only its words are searched",
            Limit::Depth => "nested too deeply; facts below that depth are missing",
            Limit::Encoding => "not valid UTF-8; only its words are searched",
            Limit::Words => "more than 100,000 different words; the others are not searched",
        };
        Some(Problem::at("extract", file.path, message))
    });
    limited.collect()
}

/// Which numbers files, symbols and packages have as nodes.
struct Layout {
    n_files: u32,
    first_symbol: Vec<u32>,
    packages: Vec<String>,
}

impl Layout {
    fn new(files: &[FileInput<'_>], resolved: &Resolved) -> Self {
        let mut first_symbol = vec![0];
        let mut n_symbols = 0;
        for file in files {
            n_symbols += file.record.facts.symbols.len() as u32;
            first_symbol.push(n_symbols);
        }
        let mut packages: Vec<String> = resolved
            .dependencies
            .iter()
            .filter_map(|dependency| match &dependency.to {
                resolve::Target::Package(name) => Some(name.clone()),
                resolve::Target::File(_) => None,
            })
            .collect();
        packages.sort_unstable();
        packages.dedup();
        Self { n_files: files.len() as u32, first_symbol, packages }
    }

    fn n_symbols(&self) -> u32 {
        self.first_symbol.last().copied().unwrap_or_default()
    }

    fn n_nodes(&self) -> u32 {
        self.n_files + self.n_symbols() + self.packages.len() as u32
    }

    /// The node of a symbol by its place among all symbols.
    fn symbol(&self, place: u32) -> u32 {
        self.n_files + place
    }

    /// The node of a symbol of a file.
    fn symbol_in(&self, file: usize, id: SymbolId) -> u32 {
        self.symbol(self.first_symbol[file] + id.0)
    }

    fn package(&self, name: &str) -> Option<u32> {
        let place = self.packages.binary_search_by(|package| package.as_str().cmp(name)).ok()?;
        Some(self.n_files + self.n_symbols() + place as u32)
    }

    fn node_files(&self, files: &[FileInput<'_>]) -> Vec<u32> {
        let mut of: Vec<u32> = (0..self.n_files).collect();
        for (number, file) in files.iter().enumerate() {
            of.extend(std::iter::repeat_n(number as u32, file.record.facts.symbols.len()));
        }
        of.extend(self.n_files + self.n_symbols()..self.n_nodes());
        of
    }
}

fn add_files(columns: &mut Columns, strings: &mut Strings, files: &[FileInput<'_>], resolved: &Resolved) {
    let outline = |file: &FileInput<'_>| file.outline.unwrap_or_else(|| outline(file.path, file.record));
    let outlines: Vec<u128> = files.par_iter().map(outline).collect();
    let mut n_passages = 0;
    columns.push_u32(Column::PassageStarts, 0);
    let mut n_reads = 0;
    columns.push_u32(Column::ReadStarts, 0);
    for reads in &resolved.reads {
        n_reads += reads.len() as u32;
        columns.push_u32(Column::ReadStarts, n_reads);
        columns.put_u32s(Column::ReadFiles, reads.iter().copied());
    }
    for ((number, file), outline) in files.iter().enumerate().zip(outlines) {
        n_passages += file.record.facts.passages.len() as u32;
        columns.push_u32(Column::PassageStarts, n_passages);
        columns.put_u32s(Column::PassageLines, file.record.facts.passages.iter().copied());
        let path = strings.add(file.path);
        columns.push_u32(Column::FilePath, path);
        let language = activate_grammars::language_of(file.path).map_or(u8::MAX, |(number, _)| number as u8);
        columns.push_u8(Column::FileLanguage, language);
        let FileFlags(bits) = flags(file.path, file.record);
        columns.push_u32(Column::FileFlags, bits);
        columns.push_u8(
            Column::FileLimit,
            match file.record.facts.limit {
                None => 0,
                Some(Limit::Size) => 1,
                Some(Limit::Work) => 2,
                Some(Limit::Depth) => 3,
                Some(Limit::Encoding) => 4,
                Some(Limit::Words) => 5,
            },
        );
        columns.push_u32(Column::FileLines, file.record.facts.n_lines);
        columns.push_u64(Column::FileSize, file.size);
        columns.push_u64(Column::FileMtime, file.mtime_ns as u64);
        columns.push_u64(Column::FileCtime, file.ctime_ns as u64);
        for (column, hash) in [(Column::FileHash, file.hash), (Column::FileOutline, outline)] {
            for half in halves(hash) {
                columns.push_u64(column, half);
            }
        }
        let tally = resolved.tallies.get(number).copied().unwrap_or_default();
        for count in counts(tally) {
            columns.push_u32(Column::FileTally, count);
        }
    }
}

/// A hash as it is stored.
fn halves(hash: u128) -> [u64; 2] {
    [(hash >> u64::BITS) as u64, hash as u64]
}

/// What became of calls and imports as it is stored.
fn counts(tally: resolve::Tally) -> [u32; N_COUNTS] {
    [tally.resolved, tally.foreign, tally.local, tally.unresolved, tally.open_imports, tally.passed_on]
}

/// The columns that say where a symbol stands in its file.
const PLACES: [Column; 7] = [
    Column::SymbolFirstLine,
    Column::SymbolLastLine,
    Column::SymbolNameLine,
    Column::SymbolStart,
    Column::SymbolEnd,
    Column::SymbolBody,
    Column::SymbolDocLine,
];

/// What stands in [`PLACES`].
fn places(symbol: &Symbol) -> [u32; PLACES.len()] {
    let Symbol { lines, name_line, bytes, body, doc_line, .. } = symbol;
    [lines.0, lines.1, *name_line, bytes.0, bytes.1, *body, *doc_line]
}

/// Adds the rows of symbols.
fn add_symbols(columns: &mut Columns, strings: &mut Strings, files: &[FileInput<'_>], resolved: &Resolved, layout: &Layout) {
    for (number, file) in files.iter().enumerate() {
        columns.push_u32(Column::FileMembers, layout.symbol(layout.first_symbol[number]));
        let facts = &file.record.facts;
        let ids = local_ids(facts);
        for (place, symbol) in facts.symbols.iter().enumerate() {
            let name = strings.add(facts.names.get(symbol.name));
            let id = strings.add(&ids[place]);
            let sym = layout.first_symbol[number] as usize + place;
            let member_of = resolved.containers.get(sym).copied().flatten();
            let mut traits = symbol.traits;
            if resolved.stands_in.get(sym) == Some(&true) {
                traits.add(Traits::STANDS_IN);
            }
            let container = match (member_of, symbol.container) {
                (Some(of), _) => layout.symbol(of) + 1,
                (None, Container::Symbol(around)) => layout.symbol_in(number, around) + 1,
                (None, _) => 0,
            };
            let row = [
                (Column::SymbolName, name),
                (Column::SymbolId, id),
                (Column::SymbolContainer, container),
                (Column::SymbolTraits, traits.0),
            ];
            for (column, value) in row.into_iter().chain(PLACES.into_iter().zip(places(symbol))) {
                columns.push_u32(column, value);
            }
            columns.push_u8(Column::SymbolKind, symbol.kind as u8);
            columns.push_u8(Column::SymbolVisibility, symbol.visibility as u8);
        }
    }
    columns.push_u32(Column::FileMembers, layout.symbol(layout.n_symbols()));
    columns.put_u32s(Column::SymbolByName, order_by_name(files));
}

/// Adds the tables of the resolver. They are there where they are empty, too: they take the place of older ones.
fn add_tables(columns: &mut Columns, tables: Lists) {
    for (column, numbers) in Column::TABLES.into_iter().zip(tables.numbers) {
        columns.put_u32s(column, numbers);
    }
    columns.put_bytes(Column::TableRest, tables.rest);
    columns.put_bytes(Column::TableText, tables.text);
}

/// Adds the rows of aliases, by lower-cased name.
fn add_aliases(columns: &mut Columns, strings: &mut Strings, aliases: &[Alias], layout: &Layout) {
    let mut aliases: Vec<(String, &Alias)> = aliases.iter().map(|alias| (alias.name.to_lowercase(), alias)).collect();
    aliases.sort_unstable();
    let node = |of: End| match of {
        End::File(file) => file,
        End::Symbol(place) => layout.symbol(place),
    };
    columns.put_u32s(Column::AliasName, aliases.iter().map(|(_, alias)| strings.add(&alias.name)));
    columns.put_u32s(Column::AliasOf, aliases.iter().map(|(_, alias)| node(alias.of)));
    columns.put_u32s(Column::AliasFile, aliases.iter().map(|(_, alias)| alias.file));
}

/// Places of all symbols, by lower-cased name, then place.
fn order_by_name(files: &[FileInput<'_>]) -> Vec<u32> {
    let names = |file: &FileInput<'_>| -> Vec<String> {
        let facts = &file.record.facts;
        facts.symbols.iter().map(|symbol| facts.names.get(symbol.name).to_lowercase()).collect()
    };
    let names: Vec<Vec<String>> = files.par_iter().map(names).collect();
    let mut order: Vec<(String, u32)> = names.into_iter().flatten().zip(0..).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, place)| place).collect()
}

/// Most bytes that a name has in an id, and that all names around it have. Every id repeats what is around it: without a limit a few long
/// names make ids of thousands of times the size of the source. The longest in real code have two hundred, most of them titles of tests.
const MAX_ID_NAME_BYTES: usize = 256;
const MAX_ID_AROUND_BYTES: usize = 512;

/// Names of symbols within their file: `Container.name`, with a counter before the name where one occurs again: `Container.~2.name`.
fn local_ids(facts: &FileFacts) -> Vec<String> {
    let mut ids: Vec<String> = Vec::with_capacity(facts.symbols.len());
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    for symbol in &facts.symbols {
        let name = cut(facts.names.get(symbol.name), MAX_ID_NAME_BYTES);
        let around = match symbol.container {
            Container::File => None,
            Container::Symbol(id) => ids.get(id.0 as usize).map(String::as_str),
            Container::Owner(at) => last_name(facts, facts.owners[at as usize].of),
        };
        let around = around.map_or_else(String::new, |around| format!("{}.", cut(around, MAX_ID_AROUND_BYTES)));
        let id = format!("{around}{name}");
        let count = seen.entry(id.clone()).or_insert(0);
        *count += 1;
        ids.push(if *count == 1 { id } else { format!("{around}~{count}.{name}") });
    }
    ids
}

/// The start of `text`, at most `max` bytes, cut between characters.
fn cut(text: &str, max: usize) -> &str {
    let end = (0..=max.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// The last name of a type expression.
fn last_name(facts: &FileFacts, expr: activate_grammars::facts::ExprId) -> Option<&str> {
    let mut at = expr;
    // A type expression is short; what is longer has no name worth showing.
    for _ in 0..8 {
        match facts.exprs[at.0 as usize] {
            Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => return Some(facts.names.get(name)),
            Expr::Local(id) => return Some(facts.names.get(facts.bindings[id.0 as usize].name)),
            Expr::Symbol(id) => return Some(facts.names.get(facts.symbols[id.0 as usize].name)),
            Expr::Apply(base, _) | Expr::Pointer(base) | Expr::Many(base) | Expr::Deref(base) => at = base,
            _ => return None,
        }
    }
    None
}

fn add_diagnostics(columns: &mut Columns, strings: &mut Strings, files: &[FileInput<'_>], layout: &Layout) {
    for (number, file) in files.iter().enumerate() {
        add_diagnostics_of(columns, &mut |text| strings.add(text), (number, &file.record.facts), layout);
    }
}

/// Adds the syntax errors of a file, and its notes.
fn add_diagnostics_of(
    columns: &mut Columns,
    string: &mut dyn FnMut(&str) -> u32,
    (number, facts): (usize, &FileFacts),
    layout: &Layout,
) {
    for error in &facts.diagnostics {
        let message = string(&error.message);
        for value in [number as u32, error.line, error.column, message] {
            columns.push_u32(Column::DiagnosticRows, value);
        }
    }
    for note in &facts.notes {
        let symbol = note.symbol.map_or(0, |id| layout.symbol_in(number, id) + 1);
        for value in [number as u32, symbol, note.kind as u32, note.line] {
            columns.push_u32(Column::NoteRows, value);
        }
    }
}

#[cfg(test)]
mod id_tests {
    use super::*;

    #[test]
    fn ids_stay_short_and_apart_however_long_names_are() {
        let name = |at: usize| format!("{}{at}", "x".repeat(1_000));
        let nested = (0..50).map(|at| format!("function {}() {{\n", name(at))).collect::<Vec<_>>().concat();
        let source = format!("{nested}{}", "}".repeat(50));
        let (_, language) = activate_grammars::language_of("a.ts").expect("a language");
        let facts = activate_grammars::extract(language, "a.ts", source.as_bytes()).facts;
        let ids = local_ids(&facts);
        let different: rustc_hash::FxHashSet<&String> = ids.iter().collect();
        assert_eq!((ids.len(), different.len()), (50, 50));
        // A name, what is around it, and a counter.
        assert!(ids.iter().all(|id| id.len() <= MAX_ID_AROUND_BYTES + MAX_ID_NAME_BYTES + "..~50".len()));
    }
}
