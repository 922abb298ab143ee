//! Members that no word begins, by their shape: a type, a name and what stands behind it, as in C#.

use super::find::Finder;
use super::header::Name;
use super::tokens::WORD;
use crate::facts::SymbolKind;

/// The most tokens between the word and the parameters of a delegate.
const MAX_DELEGATE: usize = 32;

/// What begins a delegate.
pub(super) const DELEGATE: &str = "delegate";

impl Finder<'_> {
    /// The type of a function that has a name: C#.
    pub(super) fn delegate(&mut self, at: usize) {
        let reader = self.reader;
        let brackets = (at + 1..at + MAX_DELEGATE).find(|at| matches!(reader.kind(*at), b'(' | b'{' | b';' | b'='));
        let name = brackets
            .filter(|bracket| reader.kind(*bracket) == b'(' && *bracket > at + 1)
            .and_then(|bracket| self.name_before(bracket));
        if let Some((name, bracket)) = name.zip(brackets) {
            let end = reader.end(at, reader.behind(bracket));
            self.defined.insert(name);
            let named = Name { text: reader.of(name), receiver: None, token: name, next: bracket };
            self.symbol(named, SymbolKind::Alias, (reader.first(at), end), None, self.is_direct(at));
        }
    }

    /// Whether a member without a word of its own may begin at a token.
    pub(super) fn begins_member(&self, at: usize) -> bool {
        let around = self.around();
        around.is_type && !around.is_enum && self.is_direct(at) && matches!(self.reader.before(at), b'{' | b'}' | b';' | b']')
    }

    /// A method, property or field: a type and a name, and what stands behind it.
    pub(super) fn member(&mut self, start: usize) {
        let reader = self.reader;
        let depth = self.around().depth;
        let mut at = start;
        let mut operator = None;
        while let Some(token) = reader.token(at).filter(|token| token.depth == depth) {
            match token.kind {
                WORD if reader.of(at) == DELEGATE || self.words.begins.iter().any(|(word, _)| *word == reader.of(at)) => return,
                WORD if reader.of(at) == "operator" => operator = Some(at),
                b'(' => {
                    let before = self.name_before(at).filter(|name| *name >= start);
                    if let Some(name) = operator.or(before) {
                        self.method(start, name, at, operator.is_some());
                        return;
                    }
                    at = reader.behind(at);
                    continue;
                }
                b'[' => {
                    at = reader.behind(at);
                    continue;
                }
                b'<' if operator.is_none() => {
                    at = reader.behind_angles(at).unwrap_or(at + 1);
                    continue;
                }
                b'=' | b',' if operator.is_some() => {}
                b'{' | b'=' | b';' | b',' if at > start => {
                    let name = at - 1;
                    if reader.kind(name) == WORD && name > start && !self.words.modifiers.contains(&reader.of(name)) {
                        self.defined.insert(name);
                        self.field(name, false);
                    }
                    return;
                }
                b'}' | b'{' | b'=' | b';' => return,
                _ => {}
            }
            at += 1;
        }
    }

    /// The name of what has these parameters.
    fn name_before(&self, bracket: usize) -> Option<usize> {
        let mut at = bracket.checked_sub(1)?;
        if self.reader.kind(at) == b'>' {
            let open = (at.saturating_sub(64)..at).rev().find(|open| self.reader.behind_angles(*open) == Some(at + 1))?;
            at = open.checked_sub(1)?;
        }
        let is_name = self.reader.kind(at) == WORD
            && !self.words.modifiers.contains(&self.reader.of(at))
            && !self.words.reserved.contains(&self.reader.of(at));
        is_name.then_some(at)
    }

    fn method(&mut self, start: usize, name: usize, bracket: usize, is_operator: bool) {
        let reader = self.reader;
        // Attributes stand above, with what the words say.
        let text = if is_operator {
            let span = |at: usize| reader.token(at).map_or((0, 0), |token| (token.start, token.end));
            reader.text.get(span(name).0 as usize..span(bracket).0 as usize).unwrap_or_default().trim()
        } else {
            reader.of(name)
        };
        let end = reader.end(start, reader.behind(bracket));
        self.defined.insert(name);
        let named = Name { text, receiver: None, token: name, next: bracket };
        let symbol = self.symbol(named, SymbolKind::Method, (start, end), None, true);
        self.enter(symbol, name, SymbolKind::Method, end, false);
    }
}
