//! Expressions and types as a graph of ids, local names, and the sites that use them.

use super::{BindingId, Container, ExprId, NameId, SymbolId};
use serde::{Deserialize, Serialize};

/// A local variable, parameter or type parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// Its name.
    pub name: NameId,
    /// Its declared type; the bound of a type parameter.
    pub declared: ExprId,
    /// The expression it gets its value from; the type that stands for a type parameter where none is given.
    pub value: ExprId,
    /// Whether the file asks somewhere whether it is of some subtype.
    pub narrowed: bool,
    /// Whose type parameter it is, if it stands for a type.
    pub parameter: Option<TypeParameter>,
}

/// What makes a binding a type parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeParameter {
    /// The definition or block that has it.
    pub of: Container,
    /// Its place among the type parameters there, from 0.
    pub place: u32,
}

/// A run in [`super::FileFacts::lists`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// The value of a macro: what it is called by, and the first expression that it is given.
    Expanded(ExprId, ExprId),
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
    /// A function value or type: the types of its parameters and its result.
    Function(ListId, ExprId),
    /// What the fixture of this name gives to the function that takes it.
    Given(NameId, SymbolId),
    /// What the n-th argument of a call of this callee must be.
    Argument(ExprId, u32),
    /// The n-th parameter of a function value.
    Parameter(ExprId, u32),
    /// All further ones of a tuple, a parameter list or an argument list.
    Rest(ExprId),
    /// An object or its type written in place: members, each [`Expr::Keyed`].
    Object(ListId),
    /// A named member of an [`Expr::Object`].
    Keyed(NameId, ExprId),
    /// Several values or types.
    Tuple(ListId),
    /// One of several types, or a value narrowed to several.
    Union(ListId),
    /// A generic type with arguments.
    Apply(ExprId, ListId),
    /// A pointer or reference type.
    Pointer(ExprId),
    /// Two values added: a text where one of them is.
    Sum(ExprId, ExprId),
    /// A type of many elements: slice, array.
    Many(ExprId),
    /// A map type.
    Map(ExprId, ExprId),
    /// A type described in place whose members are not known.
    Anonymous,
}

impl Expr {
    /// Whether it is an object, or its type, written in place.
    pub const fn is_object(self) -> bool {
        matches!(self, Self::Anonymous | Self::Object(_))
    }
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
    /// Takes what the fixture of this name gives.
    Given,
    /// Is a test around which a runner calls what the instance sets up and takes down.
    Around,
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
