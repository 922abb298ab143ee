//! What a program is asked about: relations that somebody else holds, read where they lie.

use std::borrow::Cow;

/// What the values of a column are. Only values of one kind are ever equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A file, a symbol or a package from outside.
    Node,
    /// A text.
    Text,
    /// A word of a closed list: `/exact`.
    Name,
    /// A whole number of 32 bits.
    Number,
}

/// A value of a column, as a word whose meaning its type says: the number of a node, that of a text or name among [`super::Words`], a number as its
/// bits.
pub type Value = u32;

/// A column of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// What it is called where the relation is explained.
    pub name: &'static str,
    /// What its values are.
    pub of: Type,
}

impl Column {
    /// A column of files, symbols and packages.
    pub const fn node(name: &'static str) -> Self {
        Self { name, of: Type::Node }
    }

    /// A column of texts.
    pub const fn text(name: &'static str) -> Self {
        Self { name, of: Type::Text }
    }

    /// A column of words of a closed list.
    pub const fn word(name: &'static str) -> Self {
        Self { name, of: Type::Name }
    }

    /// A column of numbers.
    pub const fn number(name: &'static str) -> Self {
        Self { name, of: Type::Number }
    }
}

/// A relation that is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation {
    /// Its name: small letters, digits and `_`.
    pub name: &'static str,
    /// Its columns.
    pub columns: &'static [Column],
    /// What a row says, in one sentence without an end.
    pub says: &'static str,
}

/// Whether more rows are wanted.
pub type Flow = std::ops::ControlFlow<()>;

/// Relations to be asked about.
pub trait Facts {
    /// All of them; a relation is told by its place in here.
    fn relations(&self) -> &[Relation];

    /// Whether the rows that have given values in some columns are found without a look at all rows: `bound` says of each column whether it has one.
    fn finds(&self, relation: usize, bound: &[bool]) -> bool;

    /// Hands the rows of a relation that have these values to `take`, in an order that is always the same, until it wants no more. Rows have all columns.
    /// A row may come again.
    fn rows(
        &self,
        relation: usize,
        bound: &[Option<Value>],
        words: &super::Words,
        take: &mut dyn FnMut(&[Value]) -> Flow,
    ) -> Flow;

    /// The words that a column of names can have, if they are known.
    fn names(&self, _relation: usize, _column: usize) -> Option<Vec<&'static str>> {
        None
    }

    /// Rows there may be, for the order of joins.
    fn n_rows(&self, relation: usize) -> usize;

    /// The node that a text names.
    fn node(&self, text: &str) -> Option<Value>;

    /// A node for a text that names none: equal to itself alone, and in no row.
    fn missing(&self, text: &str, words: &super::Words) -> Value;

    /// What a node is called.
    fn node_text(&self, node: Value) -> Cow<'_, str>;

    /// Names of nodes that are most like a text that names none, best first.
    fn like(&self, text: &str) -> Vec<String>;
}
