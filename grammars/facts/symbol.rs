//! Definitions and what belongs to them: kinds, containers, fields, supertypes.

use super::{ExprId, ListId, NameId, SymbolId};
use serde::{Deserialize, Serialize};

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
    /// The type that an owner names: an index into [`super::FileFacts::owners`].
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
    /// First line of `doc`; that of the definition where it is empty.
    pub doc_line: u32,
    /// Declared types of a function's parameters, the instance left out; [`super::Expr::Rest`] for all further ones.
    pub parameters: ListId,
    /// Result of a function (a tuple where there are several), declared type of a variable, target of an alias.
    pub declared: ExprId,
    /// Initial value of a variable or constant; of a function the [`super::Expr::Instance`] of its type, where that is declared as a whole.
    pub value: ExprId,
}

/// Properties of a symbol, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Traits(pub u32);

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
    /// Known at the root of the crate, whatever module holds it (Rust's exported macros).
    pub const AT_ROOT: Self = Self(1 << 11);
    /// Left out of builds for the usual platform, Linux.
    pub const OTHER_BUILD: Self = Self(1 << 12);
    /// A test that only holds others.
    pub const GROUP: Self = Self(1 << 13);
    /// A test that runs once for each of several inputs, under names made from its own.
    pub const TEMPLATE: Self = Self(1 << 14);
    /// A test that does not run with the others: one that is marked to be skipped, or that only measures.
    pub const SKIPPED: Self = Self(1 << 15);
    /// Stands in a test whose title is only known at run time, and which is not a symbol for that.
    pub const UNTITLED: Self = Self(1 << 16);
    /// A test that measures, in languages where its name does not say so; where it never runs as a test, it is skipped as well.
    pub const BENCH: Self = Self(1 << 17);
    /// A method that may stand behind one of an interface from outside. The file alone does not say so: the fact base adds it.
    pub const STANDS_IN: Self = Self(1 << 18);
    /// A function that gives a value to the tests whose parameters have its name.
    pub const FIXTURE: Self = Self(1 << 19);
    /// A method that a runner calls around every test of its class, or once around all of them; a fixture that it calls unasked; a class for whose
    /// tests it calls those of the class around it as well.
    pub const LIFECYCLE: Self = Self(1 << 20);
    /// A macro without arguments that is all that its file has: what it gives is read as what the file has, and stands where it is called (Rust).
    pub const GIVES_FILE: Self = Self(1 << 21);
    /// A macro that gives what its first argument holds when nothing went wrong, and leaves the function otherwise: `tri!(read())` (Rust).
    pub const TAKES_OUT: Self = Self(1 << 22);
    /// Says that it stands in the place of a method above its type: `@Override` (Java).
    pub const OVERRIDES: Self = Self(1 << 23);
    /// What a definition takes over from the one around it.
    pub const INHERITED: Self = Self(Self::TEST_CODE.0 | Self::OTHER_BUILD.0);

    /// Whether all bits of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Clears the bits of `other`.
    pub const fn remove(&mut self, other: Self) {
        self.0 &= !other.0;
    }

    /// Sets the bits of `other`.
    pub const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A block whose members belong to a type named by an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// What the block stands in.
    pub container: Container,
    /// The type.
    pub of: ExprId,
    /// The trait that the block implements, if any.
    pub implements: ExprId,
    /// First line of the block.
    pub line: u32,
}

/// The name of a field that says what a value of its type gives when it is called.
pub const CALLABLE: &str = "()";

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
    /// Who may use it, in languages where a type takes over from those above it what it may use.
    pub visibility: Visibility,
    /// Whether it may be another name of the function that is its value, as a class says it: `run = start`. Not where its file assigns a member of
    /// that name, since an instance may have another function then.
    pub alias: bool,
}

impl Field {
    /// A field for everybody that is no variant.
    pub const fn of(container: Container, name: NameId, declared: ExprId, value: ExprId, line: u32) -> Self {
        Self { container, name, declared, value, line, variant: false, visibility: Visibility::Public, alias: false }
    }
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

/// A line that says of a type that it implements an interface, and is there for the compiler alone: `var _ io.Writer = &Buffer{}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assertion {
    /// A value of the type.
    pub value: ExprId,
    /// The interface.
    pub implements: ExprId,
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
