//! Tests that are calls with a title: `it("...")`, `t.Run("...")`.
//!
//! Must not know which calls are: the language says so.

use super::{Frame, Lower};
use crate::facts::{Container, ExprId, ListId, Symbol, SymbolId, SymbolKind, Traits, Visibility};
use tree_sitter::Node;

/// Longest title of a test that is kept, in bytes.
const MAX_TITLE_BYTES: usize = 200;

impl Lower<'_> {
    /// A test that is a call with a title: everything inside belongs to it.
    pub(super) fn define_test(&mut self, arguments: &str, node: &Node<'_>, frame: Frame) {
        let start = self.source.len() - self.source[node.start_byte()..].len();
        let Some(title) = first_string(arguments) else { return };
        let at = start + self.source[start..node.end_byte()].find(title).unwrap_or(0);
        let source = self.source;
        let name = self.name(&source[at..at + title.len()]);
        let id = SymbolId(self.facts.symbols.len() as u32);
        let (first, last) = (node.start_position().row as u32 + 1, node.end_position().row as u32 + 1);
        let around = self.open_symbols.last().copied();
        let container = around.map_or(Container::File, Container::Symbol);
        let mut traits = Traits::TEST;
        traits.add(Traits::TEST_CODE);
        self.facts.symbols.push(Symbol {
            name,
            kind: SymbolKind::Test,
            container,
            visibility: Visibility::Private,
            traits,
            lines: (first, last),
            name_line: first,
            bytes: (node.start_byte() as u32, node.end_byte() as u32),
            body: node.end_byte() as u32,
            doc: (node.start_byte() as u32, node.start_byte() as u32),
            parameters: ListId::default(),
            declared: ExprId::UNKNOWN,
            value: ExprId::UNKNOWN,
        });
        for site in &mut self.facts.sites[frame.first_site as usize..] {
            if site.from == around {
                site.from = Some(id);
            }
        }
        let inner = &mut self.facts.symbols[frame.first_symbol as usize..id.0 as usize];
        for symbol in inner.iter_mut().filter(|symbol| symbol.container == container) {
            symbol.container = Container::Symbol(id);
        }
    }
}

/// The first argument, where it is a string written in place.
pub(super) fn first_string(arguments: &str) -> Option<&str> {
    let text = arguments.strip_prefix('(')?.trim_start();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let body = &text[1..];
    let mut escaped = false;
    let end = body.find(|c| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    let title = &body[..end?];
    (!title.is_empty() && title.len() <= MAX_TITLE_BYTES && !title.contains('\n')).then_some(title)
}
