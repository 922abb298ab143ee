//! Scopes, containers and symbols that a node opens when it is entered and closes when it is left, and the comments above it.

use super::{Above, Frame, Lower, Opened, define::NO_NAME, scope::Target};
use crate::capture::{Form, Role};
use crate::facts::{Container, ExprId, ListId, Owner, Symbol, SymbolId, SymbolKind, Traits, Visibility};
use crate::table::Pattern;
use tree_sitter::Node;

impl Lower<'_> {
    /// Opens scope, symbol and container as the forms of the node's kind ask for.
    pub(super) fn open(&mut self, node: &Node<'_>, patterns: &[Pattern]) -> Opened {
        let mut opened = Opened::default();
        let mut container = None;
        for pattern in patterns {
            // What a name gets by way of a value has its scope in the value.
            let by_value = pattern.children.iter().any(|child| child.role == Some(Role::Value));
            match pattern.form {
                Form::DefFunction | Form::DefMethod => {
                    opened.scope |= !by_value;
                    opened.function |= !by_value;
                    container = Some(pattern.form);
                }
                Form::ExprFunction => (opened.scope, opened.function) = (true, true),
                Form::DefType | Form::DefInterface | Form::DefAnonymous | Form::DefModule | Form::DefAlias | Form::Owner => {
                    opened.scope |= !by_value;
                    container = Some(pattern.form);
                }
                Form::DefVariable | Form::DefConstant | Form::DefGets => container = Some(pattern.form),
                Form::DefMacro | Form::DefDeclared => {}
                Form::Scope | Form::ScopeMatch | Form::ScopeCase => opened.scope = true,
                Form::ScopeEnd => self.end_names(node.start_byte() as u32),
                Form::Branch => opened.branch = true,
                Form::Tokens => (opened.tokens, opened.scope) = (true, true),
                _ => continue,
            }
            if is_definition(pattern.form) && opened.symbol.is_none() {
                opened.symbol = Some(self.reserve(node));
            }
        }
        if let Some(symbol) = opened.symbol {
            self.open_symbols.push(symbol);
        }
        if let Some(form) = container {
            let container = match (form, opened.symbol) {
                (Form::Owner, _) => {
                    let line = node.start_position().row as u32 + 1;
                    let container = self.container();
                    self.facts.owners.push(Owner { container, of: ExprId::UNKNOWN, implements: ExprId::UNKNOWN, line });
                    Container::Owner(self.facts.owners.len() as u32 - 1)
                }
                (_, Some(symbol)) => Container::Symbol(symbol),
                (_, None) => Container::File,
            };
            self.containers.push(container);
            self.container_kinds.push(node.kind_id());
            opened.container = true;
        }
        if opened.branch {
            let bytes = (node.start_byte() as u32, node.end_byte() as u32);
            self.open_branch(bytes);
            self.narrow_branch(bytes);
        }
        if opened.scope {
            self.open_scope(opened.function);
        }
        if opened.function {
            self.n_open_functions += 1;
            self.returns.push(Vec::new());
        }
        self.n_open_tokens += usize::from(opened.tokens);
        opened
    }

    /// Closes what [`Lower::open`] opened, innermost first, and makes a local definition known in the scope around it.
    pub(super) fn close(&mut self, frame: &Frame) {
        let opened = frame.opened;
        self.n_open_tokens -= usize::from(opened.tokens);
        if opened.branch {
            self.close_branch();
        }
        if opened.function {
            let n_open = self.n_open_functions;
            while self.outside.pop_if(|(depth, _)| *depth >= n_open).is_some() {}
            while self.instances.pop_if(|(depth, _)| *depth >= n_open).is_some() {}
            while self.instance_types.pop_if(|(depth, _)| *depth >= n_open).is_some() {}
            self.n_open_functions -= 1;
            self.returns.pop();
        }
        if opened.scope {
            self.close_scope();
        }
        if opened.container {
            self.containers.pop();
            self.container_kinds.pop();
        }
        if let Some(id) = opened.symbol {
            self.open_symbols.pop();
            let symbol = &self.facts.symbols[id.0 as usize];
            let (name, kind, start) = (symbol.name, symbol.kind, symbol.bytes.0);
            if name != NO_NAME && self.n_open_functions > 0 && !matches!(kind, SymbolKind::Method | SymbolKind::Test) {
                // A definition is known in its whole block; where names flow, it is what the name means from there on.
                let known_from = if self.language.reading.flows { start } else { 0 };
                self.bind_name(name, Target::Symbol(id), known_from);
            }
        }
    }

    /// Makes room for a symbol, so that what stands inside can name it.
    pub(super) fn reserve(&mut self, node: &Node<'_>) -> SymbolId {
        let (start, end) = (node.start_position(), node.end_position());
        let rows = (start.row as u32, if end.column == 0 && end.row > start.row { end.row as u32 - 1 } else { end.row as u32 });
        let mut traits = Traits::default();
        let (mut doc, mut doc_row) = ((node.start_byte() as u32, node.start_byte() as u32), rows.0);
        if self.is_below_above(node.start_byte(), rows.0) {
            let above = std::mem::take(&mut self.above);
            (doc, doc_row) = (above.bytes, above.rows.0);
            for (from, to) in &above.attributes {
                traits.add((self.language.reading.attribute)(&self.source[*from as usize..*to as usize]));
            }
            let text = &self.source[doc.0 as usize..doc.1 as usize];
            if self.language.reading.deprecated_marks.iter().any(|mark| text.contains(mark)) {
                traits.add(Traits::DEPRECATED);
            }
        }
        if let Some(outer) = self.open_symbols.last() {
            traits.add(Traits(self.facts.symbols[outer.0 as usize].traits.0 & Traits::INHERITED.0));
        }
        self.facts.symbols.push(Symbol {
            name: NO_NAME,
            kind: SymbolKind::Variable,
            container: self.container(),
            visibility: Visibility::Private,
            traits,
            lines: (rows.0 + 1, rows.1 + 1),
            name_line: rows.0 + 1,
            bytes: (node.start_byte() as u32, node.end_byte() as u32),
            body: node.end_byte() as u32,
            doc,
            doc_line: doc_row + 1,
            parameters: ListId::default(),
            declared: ExprId::UNKNOWN,
            value: ExprId::UNKNOWN,
        });
        SymbolId(self.facts.symbols.len() as u32 - 1)
    }

    /// Whether a node stands directly below the remembered comments: at most words such as `export` may stand between.
    fn is_below_above(&self, start: usize, row: u32) -> bool {
        let above = &self.above;
        let adjoins = above.bytes.1 > above.bytes.0 && above.rows.1 + 1 >= row && above.rows.1 <= row;
        let is_word = |byte: &u8| byte.is_ascii_alphabetic() || byte.is_ascii_whitespace();
        adjoins && self.source.as_bytes().get(above.bytes.1 as usize..start).is_some_and(|gap| gap.iter().all(is_word))
    }

    /// A text that says what the definition around it is for counts as a comment.
    pub(super) fn zone_of_doc(&mut self, node: &Node<'_>) {
        self.zone(node, crate::facts::ZoneKind::Comment);
        let text = &self.source[node.byte_range()];
        if self.language.reading.deprecated_marks.iter().any(|mark| text.contains(mark))
            && let Some(symbol) = self.open_symbols.last()
        {
            self.facts.symbols[symbol.0 as usize].traits.add(Traits::DEPRECATED);
        }
    }

    /// Remembers a comment or attribute as standing above what follows.
    pub(super) fn note_above(&mut self, node: &Node<'_>, attribute: bool) {
        let bytes = (node.start_byte() as u32, node.end_byte() as u32);
        let text = &self.source.as_bytes()[bytes.0 as usize..bytes.1 as usize];
        let (start, end) = (node.start_position().row as u32, node.end_position().row as u32);
        let end = if text.last() == Some(&b'\n') { end.saturating_sub(1) } else { end };
        let before = &self.source.as_bytes()[..bytes.0 as usize];
        let own_line = before.iter().rev().take_while(|byte| **byte != b'\n').all(u8::is_ascii_whitespace);
        let continues = self.above.bytes.1 > self.above.bytes.0 && start <= self.above.rows.1 + 1;
        if continues {
            (self.above.bytes.1, self.above.rows.1) = (bytes.1, end);
        // An attribute belongs to what follows, wherever on its line it stands.
        } else if own_line || attribute {
            self.above = Above { bytes, rows: (start, end), attributes: Vec::new() };
        } else {
            self.above = Above::default();
            return;
        }
        self.levels.end_above(end as usize);
        if attribute {
            self.note_call(node, bytes, None);
            self.above.attributes.push(bytes);
        }
    }
}

pub(super) fn is_definition(form: Form) -> bool {
    matches!(
        form,
        Form::DefFunction
            | Form::DefMethod
            | Form::DefType
            | Form::DefInterface
            | Form::DefAnonymous
            | Form::DefAlias
            | Form::DefConstant
            | Form::DefVariable
            | Form::DefModule
            | Form::DefMacro
            | Form::DefDeclared
            | Form::DefGets
    )
}
