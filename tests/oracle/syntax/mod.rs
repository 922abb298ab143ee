//! What the syntax says at a place: what is defined there, whether the name is called, what stands around it.
//!
//! An index says which names belong together, hardly what they are.

mod python;
mod rust;
mod typescript;

use crate::record::{Kind, Run};
use tree_sitter::{Node, Parser, Point, Tree};

/// A language as the judge reads it.
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) name: &'static str,
    grammar: fn(&str) -> tree_sitter::Language,
    pub(crate) is_test_path: fn(&str) -> bool,
    /// What the name of a definition defines.
    pub(crate) kind: fn(Node<'_>) -> Kind,
    /// Whether a name is what a call calls.
    pub(crate) is_called: fn(Node<'_>) -> bool,
    /// The name that a node gives to what stands within.
    scope: fn(&Source, Node<'_>) -> Option<String>,
    /// Package, kind and name of the build target that a file belongs to, as far as its path says.
    pub(crate) target: fn(&str) -> (&str, &str, &str),
    /// Whether modules are named like other things, and every type may be called.
    pub(crate) names_modules: bool,
    /// Whether the name of a definition only widens a module that lies elsewhere.
    pub(crate) widens: fn(Node<'_>) -> bool,
    /// Whether a name stands in a test within a file that is none as a whole.
    pub(crate) is_in_test: fn(&Source, Node<'_>) -> bool,
    /// Whether a name stands among the tokens of a macro call.
    pub(crate) is_in_macro: fn(Node<'_>) -> bool,
    /// What a name imports, where it does.
    pub(crate) import: fn(&Source, Node<'_>) -> Option<ImportSyntax>,
    /// The module that a name of an import may name, as it is written, where modules are files whose paths are written so.
    pub(crate) module: fn(&Source, Node<'_>) -> Option<String>,
    /// The names that a file gives to what it imports, of a language whose index takes some names of a module for others: any other name means what
    /// is defined by it.
    pub(crate) renames: Option<fn(&Source) -> Vec<String>>,
    /// Nodes that a build may leave out, and nodes that macros make code from.
    pub(crate) apart: fn(&Source) -> (Vec<Place>, Vec<Place>),
    /// What runners of tests call of a file, where they call more than its tests.
    pub(crate) run: fn(&Source) -> Run,
    /// What a file says about implementations by its syntax alone.
    pub(crate) implementations: fn(&Source) -> Implementations,
}

pub(crate) static LANGUAGES: [&Language; 3] = [&python::LANGUAGE, &rust::LANGUAGE, &typescript::LANGUAGE];

/// The kind of target that others use.
pub(crate) const LIBRARY: &str = "lib";

/// The longest error that leaves the tree around it whole, in bytes: `in` and `out` of a type's parameter, `type` of an export, the `!` of
/// a macro that stands in an odd place.
const MAX_SLIP: usize = 4;

/// First and last position, as row and column in bytes from 0; the last is just behind.
pub(crate) type Place = (Point, Point);

/// How a name is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportSyntax {
    /// By the text of a path.
    Specifier,
    /// In a `use`; with the name before it on its path.
    Use(Option<Place>),
    /// In a `use`, as a part of the path to what is imported.
    Segment(Option<Place>),
    /// As a module of its own file.
    Mod,
}

/// Traits and what implements them, as far as syntax says it.
#[derive(Debug, Default)]
pub(crate) struct Implementations {
    /// By the line of a trait's name: its methods with the lines of their names.
    pub(crate) traits: Vec<(u32, Vec<(String, u32)>)>,
    pub(crate) blocks: Vec<Block>,
}

/// A block of code that implements a trait for a type.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) of_trait: Place,
    pub(crate) for_type: Option<Place>,
    pub(crate) methods: Vec<(String, u32)>,
}

/// A parsed file.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    text: String,
    /// Where each line starts, in bytes.
    starts: Vec<usize>,
    tree: Tree,
}

impl Source {
    /// Parses a file; `None` only if a grammar does not fit the parser. Items in macros that pass them on are read as items: what the compiler names
    /// there is judged, and nothing else is.
    pub(crate) fn parse(language: &Language, path: &str, text: String) -> Option<Source> {
        let known = activate_grammars::LANGUAGES.iter().find(|known| known.name == language.name)?;
        let text = activate_grammars::opened_text(known, path, &text).unwrap_or(text);
        let mut parser = Parser::new();
        parser.set_language(&(language.grammar)(path)).ok()?;
        let tree = parser.parse(&text, None)?;
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Some(Source { path: path.to_owned(), text, starts, tree })
    }

    /// Whether the grammar understood the file: nothing is missing, and what it did not expect is a word or mark here and there.
    pub(crate) fn is_whole(&self) -> bool {
        !self.root().has_error()
            || walk(self.root()).all(|node| !node.is_missing() && (!node.is_error() || node.byte_range().len() <= MAX_SLIP))
    }

    /// A line, counted from 0.
    pub(crate) fn line(&self, row: usize) -> Option<&str> {
        let end = self.starts.get(row + 1).copied().unwrap_or(self.text.len());
        self.text.get(*self.starts.get(row)?..end)
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The smallest node that holds a place.
    pub(crate) fn node(&self, (first, last): Place) -> Node<'_> {
        let root = self.root();
        root.descendant_for_point_range(first, last).unwrap_or(root)
    }

    pub(crate) fn text_of(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a node's field.
    fn field(&self, node: Node<'_>, field: &str) -> Option<&str> {
        node.child_by_field_name(field).map(|node| self.text_of(node))
    }

    /// The names of what stands around a node, outermost first, joined by dots, with the lines of the innermost.
    pub(crate) fn enclosing(&self, language: &Language, node: Node<'_>) -> (Option<String>, Option<(u32, u32)>) {
        let mut names = Vec::new();
        let mut innermost = None;
        for around in ancestors(node) {
            if let Some(name) = (language.scope)(self, around) {
                names.push(name);
                innermost = innermost.or(Some(lines(place(around))));
            }
        }
        names.reverse();
        (Some(names.join(".")).filter(|names| !names.is_empty()), innermost)
    }

    /// Every name in the file, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = Node<'_>> {
        walk(self.root()).filter(|node| is_name(*node))
    }
}

fn is_name(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "identifier"
            | "property_identifier"
            | "private_property_identifier"
            | "type_identifier"
            | "field_identifier"
            | "shorthand_property_identifier"
    )
}

/// A node and all below it, in the order of the text.
fn walk(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut waiting = vec![node];
    std::iter::from_fn(move || {
        let node = waiting.pop()?;
        waiting.extend((0..node.child_count()).rev().filter_map(|index| node.child(index)));
        Some(node)
    })
}

/// A node and all above it, innermost first.
fn ancestors(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(Some(node), tree_sitter::Node::parent)
}

/// Whether a node is what a field of another holds.
fn is_field(of: Node<'_>, field: &str, node: Node<'_>) -> bool {
    of.child_by_field_name(field).is_some_and(|found| found.byte_range() == node.byte_range())
}

/// Where a node stands.
pub(crate) fn place(node: Node<'_>) -> Place {
    (node.start_position(), node.end_position())
}

pub(crate) fn first_line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// First and last line of a place, from 1.
pub(crate) fn lines((first, last): Place) -> (u32, u32) {
    (first.row as u32 + 1, last.row as u32 + 1)
}

/// The folders on the way to a path, outermost first, and its file name.
fn parts(path: &str) -> (impl Iterator<Item = &str>, &str) {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    (folders.split('/'), file)
}
