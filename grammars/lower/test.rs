//! Tests that are calls with a title: everything inside belongs to them.

use super::{Frame, Lower};
use crate::TestCall;
use crate::facts::{Container, ExprId, ListId, Symbol, SymbolId, SymbolKind, Traits, Visibility};
use tree_sitter::Node;

/// Longest title of a test that is kept, in bytes.
const MAX_TITLE_BYTES: usize = 200;

impl Lower<'_> {
    /// Defines the test that a call stands for, and gives it what has been found inside the call; without a title, tests inside learn of it.
    pub(super) fn define_test(&mut self, test: &TestCall, node: &Node<'_>, frame: Frame) {
        let around = self.open_symbols.last().copied();
        let container = around.map_or(Container::File, Container::Symbol);
        let Some(title) = test.title.as_ref().filter(|title| !title.is_empty() && title.len() <= MAX_TITLE_BYTES) else {
            let inner = self.facts.symbols[frame.first_symbol as usize..].iter_mut();
            let tests = inner.filter(|symbol| symbol.kind == SymbolKind::Test && symbol.container == container);
            tests.for_each(|symbol| symbol.traits.add(Traits::UNTITLED));
            return;
        };
        let name = self.facts.names.push(title);
        let id = SymbolId(self.facts.symbols.len() as u32);
        let (first, last) = (node.start_position().row as u32 + 1, node.end_position().row as u32 + 1);
        self.facts.symbols.push(Symbol {
            name,
            kind: SymbolKind::Test,
            container,
            visibility: Visibility::Private,
            traits: test.traits,
            lines: (first, last),
            name_line: first,
            bytes: (node.start_byte() as u32, node.end_byte() as u32),
            body: node.end_byte() as u32,
            doc: (node.start_byte() as u32, node.start_byte() as u32),
            doc_line: first,
            parameters: ListId::default(),
            declared: ExprId::UNKNOWN,
            value: ExprId::UNKNOWN,
        });
        for site in &mut self.facts.sites[frame.first_site as usize..] {
            if site.from == around {
                site.from = Some(id);
            }
        }
        // What stands in it was met last.
        let start = node.start_byte() as u32;
        for said in self.said.iter_mut().rev().take_while(|said| said.bytes.0 >= start) {
            if said.from == around {
                said.from = Some(id);
            }
        }
        let inner = &mut self.facts.symbols[frame.first_symbol as usize..id.0 as usize];
        for symbol in inner.iter_mut().filter(|symbol| symbol.container == container) {
            symbol.container = Container::Symbol(id);
        }
    }
}
