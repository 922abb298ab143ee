//! An index in the SCIP format, with the sources that it is of: which names stand where, and what defines them.
//!
//! Must not decide what becomes a record: that is for `convert`.

use crate::record::Kind;
use crate::syntax::{Language, Place, Source};
use protobuf::Message as _;
use scip::types::{Index, Occurrence, PositionEncoding, SymbolRole, occurrence::Typed_range};
use std::collections::{BTreeMap, HashMap};
use tree_sitter::Point;

/// A symbol; a local one belongs to its document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Symbol {
    document: Option<String>,
    text: String,
}

impl Symbol {
    fn new(path: &str, text: &str) -> Symbol {
        let is_local = text.starts_with("local ");
        Symbol { document: is_local.then(|| path.to_owned()), text: text.to_owned() }
    }

    pub(crate) fn is_local(&self) -> bool {
        self.document.is_some()
    }

    /// Whether it is the root module of a Rust crate.
    pub(crate) fn is_crate(&self) -> bool {
        self.text.ends_with(" crate/")
    }
}

/// Where a symbol is defined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Defined {
    pub(crate) path: String,
    /// The line of the name, from 1.
    pub(crate) line: u32,
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// A file with the names that the index knows in it.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) source: Source,
    /// The symbols used at a place; none where one is defined only.
    pub(crate) names: BTreeMap<Place, Vec<Symbol>>,
}

/// A whole index.
#[derive(Debug, Default)]
pub(crate) struct Indexed {
    pub(crate) documents: BTreeMap<String, Document>,
    pub(crate) definitions: HashMap<Symbol, Vec<Defined>>,
    /// What implements what, where the index says so.
    pub(crate) implements: Vec<(Symbol, Symbol)>,
}

/// The longest name that is kept, in characters: some names are whole expressions.
const MAX_NAME: usize = 80;

/// The name at a node, cut, and without the mark of a private or raw one: links are compared by what follows such marks.
pub(crate) fn short(text: &str) -> String {
    let bare = text.strip_prefix("r#").or(text.strip_prefix('#')).unwrap_or(text);
    bare.chars().take(MAX_NAME).collect()
}

impl Indexed {
    /// Reads an index. `read` gives the text of a file by its path in the index; files without one, and files of packages that lie within
    /// the tree, are left out.
    pub(crate) fn read(language: &Language, bytes: &[u8], read: impl Fn(&str) -> Option<String>) -> Result<Indexed, String> {
        let index = Index::parse_from_bytes(bytes).map_err(|error| format!("this is not a SCIP index: {error}"))?;
        let mut indexed = Indexed::default();
        for document in &index.documents {
            let path = document.relative_path.as_str();
            if path.starts_with("..") || path.contains("node_modules/") {
                continue;
            }
            if !indexed.documents.contains_key(path) {
                let Some(source) = read(path).and_then(|text| Source::parse(language, path, text)) else { continue };
                indexed.documents.insert(path.to_owned(), Document { source, names: BTreeMap::new() });
            }
            let encoding = document.position_encoding.enum_value_or_default();
            for occurrence in &document.occurrences {
                indexed.take(language, path, encoding, occurrence);
            }
            for information in &document.symbols {
                let implemented = information.relationships.iter().filter(|relationship| relationship.is_implementation);
                let from = Symbol::new(path, &information.symbol);
                indexed.implements.extend(implemented.map(|to| (from.clone(), Symbol::new(path, &to.symbol))));
            }
        }
        Ok(indexed)
    }

    fn take(&mut self, language: &Language, path: &str, encoding: PositionEncoding, occurrence: &Occurrence) {
        let Some([line, first, last_line, last]) = range(occurrence) else { return };
        let symbol = Symbol::new(path, &occurrence.symbol);
        let is_definition = occurrence.symbol_roles & SymbolRole::Definition as i32 != 0;
        let Some(document) = self.documents.get_mut(path) else { return };
        let is_start = line == 0 && first == 0;
        let is_module = occurrence.symbol.ends_with('/');
        // A module that is a whole file is defined by all of it, or by nothing at its start.
        if is_definition && (first == last && line == last_line || is_start && (is_module || last_line != line)) {
            let name = file_name(path).to_owned();
            self.definitions.entry(symbol).or_default().push(Defined {
                path: path.to_owned(),
                line: 1,
                name,
                kind: Kind::Module,
            });
            return;
        }
        let Some(text) = document.source.line(line).filter(|_| line == last_line) else { return };
        let column =
            |column| if encoding == PositionEncoding::UTF8CodeUnitOffsetFromLineStart { column } else { bytes(text, column) };
        let place = (Point::new(line, column(first)), Point::new(line, column(last)));
        let used = document.names.entry(place).or_default();
        if !is_definition {
            used.push(symbol);
            return;
        }
        let node = document.source.node(place);
        if (language.widens)(node) {
            return;
        }
        let kind = if is_module && language.names_modules { Kind::Module } else { (language.kind)(node) };
        let kind = match (symbol.is_local(), kind) {
            (true, Kind::Made) => Kind::Local,
            (true, kind) => kind.nested(),
            (false, kind) => kind,
        };
        let name = if kind == Kind::Module { file_name(path).to_owned() } else { short(document.source.text_of(node)) };
        let defined = Defined { path: path.to_owned(), line: line as u32 + 1, name, kind };
        self.definitions.entry(symbol).or_default().push(defined);
    }

    /// The definitions of what is used at a place.
    pub(crate) fn defined_at(&self, document: &Document, place: Place) -> Vec<&Defined> {
        let symbols = document.names.get(&place).into_iter().flatten();
        symbols.filter_map(|symbol| self.definitions.get(symbol)).flatten().collect()
    }
}

/// First line and column, last line and column, from 0; older indexes give them as three or four numbers.
fn range(occurrence: &Occurrence) -> Option<[usize; 4]> {
    let numbers = match &occurrence.typed_range {
        Some(Typed_range::SingleLineRange(range)) => [range.line, range.start_character, range.line, range.end_character],
        Some(Typed_range::MultiLineRange(range)) => {
            [range.start_line, range.start_character, range.end_line, range.end_character]
        }
        _ => match occurrence.range[..] {
            [line, first, last] => [line, first, line, last],
            [line, first, last_line, last] => [line, first, last_line, last],
            _ => return None,
        },
    };
    numbers.iter().all(|number| *number >= 0).then(|| numbers.map(|number| number as usize))
}

/// A column in UTF-16 units as one in bytes.
fn bytes(line: &str, column: usize) -> usize {
    let mut units = 0;
    let starts = line.char_indices().take_while(|(_, character)| {
        let is_before = units < column;
        units += character.len_utf16();
        is_before
    });
    starts.map(|(at, character)| at + character.len_utf8()).last().unwrap_or(0)
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
