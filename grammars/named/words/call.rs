//! Calls, imports and tests that are calls.

use super::find::Finder;
use super::header::{End, Name};
use super::tokens::{TEXT, WORD};
use crate::facts::{Container, Expr, ExprId, Import, ImportKind, Site, SiteKind, SymbolKind};

/// The most bytes of a title of a test.
const MAX_TITLE_BYTES: usize = 200;

/// The most tokens of an import.
const MAX_IMPORT: usize = 64;

impl Finder<'_> {
    /// What a line imports.
    pub(super) fn import(&mut self, at: usize) {
        let reader = self.reader;
        let Some(word) = reader.token(at) else { return };
        let mut last = at;
        while let Some(token) = reader
            .token(last + 1)
            .filter(|token| last - at < MAX_IMPORT && token.row == word.row && !matches!(token.kind, b';' | b'('))
        {
            last += usize::from(token.last_row >= word.row);
        }
        let to = reader.token(last).map_or(word.end, |token| token.end);
        let path = reader.text.get(word.end as usize..to as usize).unwrap_or_default().trim();
        if last > at && !path.is_empty() {
            let (path, line) = (vec![self.name(path)], word.row + 1);
            let container = Container::File;
            let made = Import {
                container,
                kind: ImportKind::Effect,
                path,
                item: None,
                local: None,
                exported: false,
                in_package: false,
                type_only: false,
                line,
            };
            self.facts.imports.push(made);
        }
    }

    /// A call, where brackets stand behind a word.
    pub(super) fn call(&mut self, at: usize) {
        let reader = self.reader;
        let (before, text) = (reader.before(at), reader.of(at));
        let is_declared = self.words.by_shape
            && (self.words.modifiers.contains(&text) || before == WORD && !self.words.reserved.contains(&reader.of(at - 1)));
        if self.words.reserved.contains(&text) || before == b'@' || is_declared || self.defined.contains(&at) {
            return;
        }
        let row = |at: usize| reader.token(at).map_or(0, |token| token.row);
        let mut next = at + 1;
        if let b'<' | b'[' = reader.kind(next) {
            next = if reader.kind(next) == b'[' { reader.behind(next) } else { reader.behind_angles(next).unwrap_or(next) };
        }
        let is_braces =
            self.words.calls_with_braces && reader.kind(next) == b'{' && self.around().is_function && self.is_inner(at);
        if row(next) != row(at) || reader.kind(next) != b'(' && !is_braces {
            return;
        }
        self.described(at, next);
        let is_new = at > 0 && reader.of(at - 1) == "new";
        let name = self.name(text);
        let expr = if before == b'.' {
            let base = at.checked_sub(2).filter(|base| reader.kind(*base) == WORD).map(|base| self.name(reader.of(base)));
            let base = base.map_or(ExprId::UNKNOWN, |base| self.expr(Expr::Name(base)));
            self.expr(Expr::Member(base, name))
        } else {
            self.expr(Expr::Name(name))
        };
        let kind = if is_new { SiteKind::New } else { SiteKind::Call };
        let (line, from) = (self.line(at), self.around().symbol);
        self.facts.sites.push(Site { expr, line, from, kind, in_macro: false });
    }

    /// Whether a token stands in the body of what is around it, not in its header.
    fn is_inner(&self, at: usize) -> bool {
        let around = self.around();
        around.symbol.is_some_and(|id| {
            let body = self.facts.symbols[id.0 as usize].body;
            self.reader.token(at).is_some_and(|token| token.start > body)
        })
    }

    /// A test that is a call with a title.
    fn described(&mut self, at: usize, bracket: usize) {
        let reader = self.reader;
        if !self.test_file || reader.kind(bracket + 1) != TEXT || self.around().is_type && !self.is_direct(at) {
            return;
        }
        let closed = reader.behind(bracket);
        let last = if reader.kind(closed) == b'{' { reader.behind(closed) - 1 } else { closed - 1 };
        let Some((from, to)) = reader.token(bracket).zip(reader.token(closed - 1)) else { return };
        let arguments = reader.text.get(from.start as usize..to.end as usize).unwrap_or_default();
        let Some(test) = (self.language.reading.test_call)(reader.of(at), arguments) else { return };
        let Some(start) = arguments.find('"').filter(|_| test.title.as_ref().is_some_and(|title| title.len() <= MAX_TITLE_BYTES))
        else {
            return;
        };
        let title = test.title.unwrap_or_default();
        let from = from.start as usize + start + 1;
        let Some(name) = reader.text.get(from..from + title.len()).filter(|name| !name.is_empty()) else { return };
        let end = End { last, body: None, is_block: false };
        let named = Name { text: name, receiver: None, token: at, next: bracket };
        let id = self.symbol(named, SymbolKind::Test, (at, end), None, true);
        self.facts.symbols[id.0 as usize].traits.add(test.traits);
        self.enter(id, at, SymbolKind::Test, end, false);
    }
}
