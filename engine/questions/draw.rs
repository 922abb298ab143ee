//! A graph of an answer in the forms of Mermaid and Graphviz.
//!
//! Names stand in quotes, and whatever could end these is written as an entity or behind a backslash.

use redact::Safe;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A graph: from what uses to what is used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    edges: Vec<(Safe, Safe)>,
    known: BTreeSet<(Safe, Safe)>,
}

impl Drawing {
    /// Adds an edge, unless it is there.
    pub(crate) fn add(&mut self, from: Safe, to: Safe) {
        let edge = (from, to);
        if self.known.insert(edge.clone()) {
            self.edges.push(edge);
        }
    }

    /// The names in the order of first use, each with its number.
    fn nodes(&self) -> (Vec<&Safe>, BTreeMap<&Safe, usize>) {
        let (mut order, mut numbers) = (Vec::new(), BTreeMap::new());
        for name in self.edges.iter().flat_map(|(from, to)| [from, to]) {
            numbers.entry(name).or_insert_with(|| {
                order.push(name);
                order.len() - 1
            });
        }
        (order, numbers)
    }

    /// As Mermaid.
    pub fn mermaid(&self) -> String {
        let (order, numbers) = self.nodes();
        let mut text = "flowchart LR\n".to_owned();
        for (number, name) in order.iter().enumerate() {
            let _ = writeln!(text, "    n{number}[\"{}\"]", entities(name.as_str()));
        }
        for (from, to) in &self.edges {
            let _ = writeln!(text, "    n{} --> n{}", numbers[from], numbers[to]);
        }
        text
    }

    /// As Graphviz.
    pub fn dot(&self) -> String {
        let (order, numbers) = self.nodes();
        let mut text = "digraph answer {\n    rankdir=LR;\n    node [shape=box];\n".to_owned();
        for (number, name) in order.iter().enumerate() {
            let name = name.as_str().replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "    n{number} [label=\"{name}\"];");
        }
        for (from, to) in &self.edges {
            let _ = writeln!(text, "    n{} -> n{};", numbers[from], numbers[to]);
        }
        text.push_str("}\n");
        text
    }
}

/// A name with every letter that says something to Mermaid or HTML as an entity of Mermaid.
pub(crate) fn entities(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_alphanumeric() || " ._-/:,*".contains(letter) {
            text.push(letter);
        } else {
            let _ = write!(text, "#{};", letter as u32);
        }
    }
    text
}
