//! What one file says about itself: symbols, imports, sites, scopes and notes, with exact places.
//!
//! Knows no repository: a name that the file does not define stays a name. Everything is in source order, ids index the lists of the same
//! file, lines count from 1, bytes from 0. Texts that can be cut from the source (signature, doc) are byte ranges, never copies.

mod expr;
mod symbol;
mod web;

pub use expr::{Binding, Expr, ListId, Site, SiteKind, TypeParameter};
pub use symbol::{Assertion, CALLABLE, Container, Field, Owner, Super, SuperKind, Symbol, SymbolKind, Traits, Visibility};
pub use web::{Base, Declared, DeclaredKind, Handler, Method, Mount, Mounted, Operation, Procedure, Request, Route, Router, Web};

use serde::{Deserialize, Serialize};

/// Facts about one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Every identifier the lists below mention.
    pub names: Names,
    /// The package clause (Go).
    pub package: Option<NameId>,
    /// Definitions, in source order.
    pub symbols: Vec<Symbol>,
    /// Blocks that give their members a container which is a type expression: Rust `impl`, Go receivers.
    pub owners: Vec<Owner>,
    /// Fields and enum variants: members with a type that are not symbols.
    pub fields: Vec<Field>,
    /// Supertypes and embedded types.
    pub supers: Vec<Super>,
    /// Lines that say of types that they implement something, where types do without saying so.
    pub assertions: Vec<Assertion>,
    /// Imports, re-exports and module declarations.
    pub imports: Vec<Import>,
    /// Imports whose path is put together at run time: where they lead nobody knows.
    pub n_computed_imports: u32,
    /// Local variables, parameters and type parameters that other facts mention.
    pub bindings: Vec<Binding>,
    /// Expressions and types that other facts mention, as a graph of ids; `exprs[0]` is [`Expr::Unknown`].
    pub exprs: Vec<Expr>,
    /// Members of tuples, unions and argument lists: runs of ids that [`Expr`] points into.
    pub lists: Vec<ExprId>,
    /// Names by which patterns take parts out of values, each once.
    pub taken: Vec<NameId>,
    /// Calls and references.
    pub sites: Vec<Site>,
    /// What calls are given, by what they call, in the order of these: where definitions of one name are told apart by it.
    pub arguments: Vec<(ExprId, ListId)>,
    /// The innermost type around names that no scope binds, in the order of these: where its members are known by their names alone.
    pub within: Vec<(ExprId, SymbolId)>,
    /// Other names by which tests ask for fixtures, which are not asked for by their own then.
    pub fixtures: Vec<(NameId, SymbolId)>,
    /// Routes that it serves and requests that it makes; none in almost all files.
    pub web: Option<Box<Web>>,
    /// Syntax errors.
    pub diagnostics: Vec<SyntaxError>,
    /// What an editor of the file should know.
    pub notes: Vec<Note>,
    /// The flag that its tests need to be built, where its text asks for one.
    pub test_flag: Option<NameId>,
    /// Whether its code runs the program that its package builds.
    pub runs_program: bool,
    /// Number of lines.
    pub n_lines: u32,
    /// The first line of each passage: a definition, or a run of whole statements of a long one. The first is 1 where there are lines.
    pub passages: Vec<u32>,
    /// Why facts of this file are incomplete, if they are.
    pub limit: Option<Limit>,
}

impl FileFacts {
    /// Leaves what the file defines and what its types take over, and nothing else of what it uses or how its types are made.
    pub(crate) fn keep_definitions(&mut self) {
        self.fields.clear();
        self.assertions.clear();
        self.imports.clear();
        self.n_computed_imports = 0;
        self.taken.clear();
        self.sites.clear();
        self.fixtures.clear();
        self.diagnostics.clear();
        for symbol in &mut self.symbols {
            (symbol.parameters, symbol.declared, symbol.value) = (ListId::default(), ExprId::UNKNOWN, ExprId::UNKNOWN);
        }
        // The type that a block is of is a part of the names of its members.
        self.owners.iter_mut().for_each(|owner| owner.implements = ExprId::UNKNOWN);
    }

    /// Gives back the memory that lists reserved to grow.
    pub fn shrink_to_fit(&mut self) {
        self.names.text.shrink_to_fit();
        self.names.ends.shrink_to_fit();
        self.symbols.shrink_to_fit();
        self.owners.shrink_to_fit();
        self.fields.shrink_to_fit();
        self.supers.shrink_to_fit();
        self.assertions.shrink_to_fit();
        self.imports.shrink_to_fit();
        self.bindings.shrink_to_fit();
        self.exprs.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.taken.shrink_to_fit();
        self.sites.shrink_to_fit();
        self.arguments.shrink_to_fit();
        self.within.shrink_to_fit();
        self.fixtures.shrink_to_fit();
        self.passages.shrink_to_fit();
    }
}

impl FileFacts {
    /// What a call is given, by what it calls, where that is known.
    pub fn arguments_of(&self, callee: ExprId) -> Option<&[ExprId]> {
        let at = self.arguments.binary_search_by_key(&callee, |(of, _)| *of).ok()?;
        let list = self.arguments[at].1;
        self.lists.get(list.start as usize..(list.start + list.len) as usize)
    }

    /// The innermost type around a name, where its members are known by their names alone.
    pub fn type_around(&self, name: ExprId) -> Option<SymbolId> {
        let at = self.within.binary_search_by_key(&name, |(of, _)| *of).ok()?;
        Some(self.within[at].1)
    }
}

/// A name in [`FileFacts::names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NameId(pub u32);

/// An index into [`FileFacts::symbols`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SymbolId(pub u32);

/// An index into [`FileFacts::exprs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ExprId(pub u32);

impl ExprId {
    /// The expression nothing is known about.
    pub const UNKNOWN: Self = Self(0);
}

/// An index into [`FileFacts::bindings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BindingId(pub u32);

/// Identifiers of one file in one string.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    /// The text of a name.
    pub fn get(&self, name: NameId) -> &str {
        let index = name.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    /// Number of names; ids run from 0 to this.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All names in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(NameId(index as u32)))
    }

    /// Puts another name in place of every one for which `other` gives one.
    pub fn replace(&mut self, other: impl Fn(&str) -> Option<String>) {
        let mut replaced = Self::default();
        for name in self.iter() {
            replaced.push(other(name).as_deref().unwrap_or(name));
        }
        *self = replaced;
    }

    pub(crate) fn push(&mut self, text: &str) -> NameId {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        NameId(self.ends.len() as u32 - 1)
    }
}

/// What an import makes known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ImportKind {
    /// The module as a namespace: Go packages, `import * as x`, `require`.
    Module,
    /// One item of it.
    Item,
    /// Its default export.
    Default,
    /// All its public items.
    Glob,
    /// Nothing: it runs.
    Effect,
    /// A child module in another file: Rust `mod x;`.
    Child,
    /// A member of a type: Java's `import static`.
    Member,
}

/// An import, re-export or module declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The module in which the name becomes known.
    pub container: Container,
    /// What it makes known.
    pub kind: ImportKind,
    /// Segments of the path in the order written; a single one where the language names modules by a string. Empty: this file.
    pub path: Vec<NameId>,
    /// The name of the item in the module it comes from ([`ImportKind::Item`]).
    pub item: Option<NameId>,
    /// The name it gets here.
    pub local: Option<NameId>,
    /// Whether others can import it from here.
    pub exported: bool,
    /// Whether only what stands in the same package can.
    pub in_package: bool,
    /// Whether only types pass.
    pub type_only: bool,
    /// Its line.
    pub line: u32,
}

/// A place that the parser could not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyntaxError {
    /// Line.
    pub line: u32,
    /// Column, in bytes from 1.
    pub column: u32,
    /// What is wrong; never text of the file.
    pub message: String,
}

/// What an editor of the code should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NoteKind {
    /// Written by a program: changes will be overwritten.
    Generated,
    /// Calls C.
    Cgo,
    /// Holds unsafe code.
    Unsafe,
    /// Should not be used any more.
    Deprecated,
}

impl NoteKind {
    /// The word for the kind in facts and output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Generated => "generated",
            Self::Cgo => "cgo",
            Self::Unsafe => "unsafe",
            Self::Deprecated => "deprecated",
        }
    }
}

/// A note on the file or on one symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What it says.
    pub kind: NoteKind,
    /// The symbol it concerns; the file if none.
    pub symbol: Option<SymbolId>,
    /// Its line.
    pub line: u32,
}

/// Why facts of a file are incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// Larger than [`crate::MAX_PARSE_BYTES`]: text only.
    Size,
    /// The parser used up its budget: text only.
    Work,
    /// Nested deeper than [`crate::MAX_DEPTH`]: facts below are missing.
    Depth,
    /// Not valid UTF-8: text only.
    Encoding,
    /// More different words than are kept of a file: the others are not searched.
    Words,
}

/// What a stretch of text is, for search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ZoneKind {
    /// A comment.
    Comment,
    /// A string literal.
    Literal,
    /// The name of a definition.
    Name,
}

/// A stretch of text: byte range and kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// What it is.
    pub kind: ZoneKind,
}
