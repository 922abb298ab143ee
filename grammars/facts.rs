//! What one file says about itself: symbols, imports, sites, scopes and notes, with exact places.
//!
//! Knows no repository: a name that the file does not define stays a name. Everything is in source order, ids index the lists of the same
//! file, lines count from 1, bytes from 0. Texts that can be cut from the source (signature, doc) are byte ranges, never copies.

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
    /// Imports, re-exports and module declarations.
    pub imports: Vec<Import>,
    /// Local variables, parameters and type parameters that other facts mention.
    pub bindings: Vec<Binding>,
    /// Expressions and types that other facts mention, as a graph of ids; `exprs[0]` is [`Expr::Unknown`].
    pub exprs: Vec<Expr>,
    /// Members of tuples, unions and argument lists: runs of ids that [`Expr`] points into.
    pub lists: Vec<ExprId>,
    /// Calls and references.
    pub sites: Vec<Site>,
    /// Syntax errors.
    pub diagnostics: Vec<SyntaxError>,
    /// What an editor of the file should know.
    pub notes: Vec<Note>,
    /// Number of lines.
    pub n_lines: u32,
    /// Why facts of this file are incomplete, if they are.
    pub limit: Option<Limit>,
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

    /// Puts `replacement` in place of every name that `hides` says must not be shown.
    pub fn hide(&mut self, hides: impl Fn(&str) -> bool, replacement: &str) {
        let mut shown = Self::default();
        for name in self.iter() {
            shown.push(if hides(name) { replacement } else { name });
        }
        *self = shown;
    }

    pub(crate) fn push(&mut self, text: &str) -> NameId {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        NameId(self.ends.len() as u32 - 1)
    }
}

/// What a definition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum SymbolKind {
    /// A function outside any type.
    Function,
    /// A function of a type, interface or object.
    Method,
    /// A struct, class, enum, union or defined type.
    Type,
    /// An interface or trait.
    Interface,
    /// Another name for a type.
    Alias,
    /// A constant.
    Constant,
    /// A variable outside functions.
    Variable,
    /// A module or namespace inside the file.
    Module,
    /// A macro.
    Macro,
    /// A test that is a call with a title: `it("...")`, `t.Run("...")`.
    Test,
}

impl SymbolKind {
    /// Every kind, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Function,
        Self::Method,
        Self::Type,
        Self::Interface,
        Self::Alias,
        Self::Constant,
        Self::Variable,
        Self::Module,
        Self::Macro,
        Self::Test,
    ];

    /// The word for the kind in facts and output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Type => "type",
            Self::Interface => "interface",
            Self::Alias => "alias",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Module => "module",
            Self::Macro => "macro",
            Self::Test => "test",
        }
    }
}

/// Who may use a symbol, as the declaration says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Visibility {
    /// Its file, class or module only.
    Private,
    /// Its package or crate.
    Package,
    /// Everyone.
    Public,
}

impl Visibility {
    /// The word for it in facts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Package => "package",
            Self::Public => "public",
        }
    }
}

/// What a member is a member of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Container {
    /// The file.
    File,
    /// A symbol of the same file.
    Symbol(SymbolId),
    /// The type that an owner names: an index into [`FileFacts::owners`].
    Owner(u32),
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name; the title of a [`SymbolKind::Test`].
    pub name: NameId,
    /// What it is.
    pub kind: SymbolKind,
    /// What it belongs to.
    pub container: Container,
    /// Who may use it.
    pub visibility: Visibility,
    /// Properties that the declaration shows.
    pub traits: Traits,
    /// First and last line, doc comment not included.
    pub lines: (u32, u32),
    /// Line of the name.
    pub name_line: u32,
    /// Byte range, doc comment not included.
    pub bytes: (u32, u32),
    /// Byte at which the body begins; the end where there is none. `bytes.0..body` is the signature.
    pub body: u32,
    /// Byte range of the comments and attributes directly above; empty where there are none.
    pub doc: (u32, u32),
    /// Result of a function (a tuple where there are several), declared type of a variable, target of an alias.
    pub declared: ExprId,
    /// Initial value of a variable or constant.
    pub value: ExprId,
}

/// Properties of a symbol, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Traits(pub u16);

impl Traits {
    /// Runs as a test.
    pub const TEST: Self = Self(1);
    /// Marked deprecated.
    pub const DEPRECATED: Self = Self(1 << 1);
    /// Marked unsafe.
    pub const UNSAFE: Self = Self(1 << 2);
    /// Takes the instance: `self`, a Go receiver, a method that is not static.
    pub const INSTANCE: Self = Self(1 << 3);
    /// The file's default export.
    pub const DEFAULT: Self = Self(1 << 4);
    /// Its value is a promise or future of the declared result.
    pub const ASYNC: Self = Self(1 << 5);
    /// Stands in code that is compiled for tests only.
    pub const TEST_CODE: Self = Self(1 << 6);
    /// A declaration without a body: an overload, an interface's or a trait's method.
    pub const BODILESS: Self = Self(1 << 7);
    /// A getter or a field-like member: its value is the declared type, not a function.
    pub const GETTER: Self = Self(1 << 8);
    /// Declared inside a function.
    pub const NESTED: Self = Self(1 << 9);
    /// Takes a pointer to the instance (Go).
    pub const POINTER: Self = Self(1 << 10);

    /// Whether all bits of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets the bits of `other`.
    pub const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A block whose members belong to a type named by an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// The type.
    pub of: ExprId,
    /// The trait that the block implements, if any.
    pub implements: ExprId,
    /// First line of the block.
    pub line: u32,
}

/// A field or variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The type it belongs to.
    pub container: Container,
    /// Its name.
    pub name: NameId,
    /// Its declared type; for a variant its payload as a tuple.
    pub declared: ExprId,
    /// Its initial value, where there is no declared type.
    pub value: ExprId,
    /// Its line.
    pub line: u32,
    /// Whether it is a variant of an enum.
    pub variant: bool,
}

/// How a type takes over members of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SuperKind {
    /// Inherits: `extends`, a supertrait, an interface within an interface.
    Extends,
    /// Promises: `implements`, `impl Trait for`.
    Implements,
    /// Contains and promotes: Go embedding in a struct.
    Embeds,
}

/// A supertype or embedded type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Super {
    /// The type that has it.
    pub container: Container,
    /// The type it names.
    pub of: ExprId,
    /// How.
    pub kind: SuperKind,
    /// Its line.
    pub line: u32,
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
    /// Whether only types pass.
    pub type_only: bool,
    /// Its line.
    pub line: u32,
}

/// A local variable, parameter or type parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// Its name.
    pub name: NameId,
    /// Its declared type; the bound of a type parameter.
    pub declared: ExprId,
    /// The expression it gets its value from.
    pub value: ExprId,
    /// Whether it stands for a type.
    pub type_parameter: bool,
}

/// A run in [`FileFacts::lists`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ListId {
    /// First index.
    pub start: u32,
    /// Number of members.
    pub len: u32,
}

/// An expression or a type, as far as resolution needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Expr {
    /// Nothing is known.
    Unknown,
    /// A name that no scope of the file binds locally.
    Name(NameId),
    /// A local binding.
    Local(BindingId),
    /// A definition inside a function, named within its scope.
    Symbol(SymbolId),
    /// `self` or `this` inside the container.
    This(Container),
    /// `Self` inside the container.
    ThisType(Container),
    /// The superclass of the container.
    Super(Container),
    /// `base.name`.
    Member(ExprId, NameId),
    /// `base::name`.
    Scoped(ExprId, NameId),
    /// The value of a call: callee and first argument.
    Call(ExprId, ExprId),
    /// An instance of a type: literal, cast, `new`.
    Instance(ExprId),
    /// `base[...]`.
    Index(ExprId),
    /// The n-th of several values.
    Nth(ExprId, u32),
    /// A member met when iterating.
    Element(ExprId),
    /// A key met when iterating.
    Key(ExprId),
    /// The n-th value inside a pattern's variant: matched value, variant.
    Payload(ExprId, ExprId, u32),
    /// A field taken out of a value by a pattern.
    FieldOf(ExprId, NameId),
    /// The value behind `&x`, `*x`.
    Deref(ExprId),
    /// The value behind `await x`.
    Await(ExprId),
    /// The value behind `x?`, `x!`, `x.unwrap()`-like operators.
    Try(ExprId),
    /// A literal of a built-in type: string, number, boolean and so on, named in the language's words.
    Literal(NameId),
    /// A function value or type with its result.
    Function(ExprId),
    /// Several values or types.
    Tuple(ListId),
    /// One of several types, or a value narrowed to several.
    Union(ListId),
    /// A generic type with arguments.
    Apply(ExprId, ListId),
    /// A pointer or reference type.
    Pointer(ExprId),
    /// A type of many elements: slice, array, channel.
    Many(ExprId),
    /// A map type.
    Map(ExprId, ExprId),
    /// A type described in place whose members are not known: struct, object, interface literal.
    Anonymous,
}

/// What a site does with the thing it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SiteKind {
    /// Calls it.
    Call,
    /// Makes an instance of it.
    New,
    /// Uses it as a type.
    Type,
    /// Mentions it.
    Mention,
    /// Expands it.
    Macro,
}

/// A place where the file uses something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// What is named there.
    pub expr: ExprId,
    /// Line of the name.
    pub line: u32,
    /// The innermost symbol around it.
    pub from: Option<SymbolId>,
    /// What is done with it.
    pub kind: SiteKind,
    /// Whether it was read from a macro's tokens.
    pub in_macro: bool,
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
