//! Types in quotes, as annotations write them that name what is defined further down: `"Token | None"`.

use super::{Entry, Lower, Value};
use crate::facts::{Expr, ExprId, SiteKind};

/// Deepest nesting of brackets that is read.
const MAX_NESTING: usize = 16;

/// The longest text that is read as a type, in bytes.
const MAX_BYTES: usize = 1_000;

/// What is left of the text, and where it stands.
struct Reader<'a> {
    rest: &'a str,
    /// The byte of the file behind the text.
    end: u32,
    row: u32,
}

impl<'a> Reader<'a> {
    fn takes(&mut self, token: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&mut self) -> (&'a str, u32) {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let at = self.end - self.rest.len() as u32;
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (word, at)
    }
}

impl Lower<'_> {
    /// The type that a text in quotes names.
    pub(super) fn quoted_type(&mut self, entry: &Entry) -> Value {
        let text = self.text(entry);
        let mark = if text.starts_with("\"\"\"") || text.starts_with("'''") { 3 } else { 1 };
        let is_plain = text.starts_with(['"', '\'']) && text.len() >= 2 * mark && text.len() <= MAX_BYTES && !text.contains('\n');
        let Some(inner) = text.get(mark..text.len().saturating_sub(mark)).filter(|_| is_plain) else {
            return Value::Expr(ExprId::UNKNOWN);
        };
        let mut reader = Reader { rest: inner, end: entry.end - mark as u32, row: entry.row };
        Value::Expr(self.read_union(&mut reader, MAX_NESTING))
    }

    fn read_union(&mut self, reader: &mut Reader<'_>, nesting: usize) -> ExprId {
        let mut members = vec![self.read_type(reader, nesting)];
        while reader.takes('|') {
            members.push(self.read_type(reader, nesting));
        }
        self.either(members)
    }

    fn read_type(&mut self, reader: &mut Reader<'_>, nesting: usize) -> ExprId {
        let Some(nesting) = nesting.checked_sub(1) else { return ExprId::UNKNOWN };
        let (word, at) = reader.word();
        if word.is_empty() || word == "None" || word.starts_with(|c: char| c.is_ascii_digit()) {
            return ExprId::UNKNOWN;
        }
        // The names are those of the file, which holds the text.
        let source = self.source;
        let of_file = |at: u32, word: &str| source.get(at as usize..at as usize + word.len()).unwrap_or_default();
        let word = of_file(at, word);
        if self.language.reading.this_type == Some(word) {
            let container = self.type_container();
            return self.add_expr(Expr::ThisType(container));
        }
        let name = self.name(word);
        let mut of = self.add_expr(Expr::Name(name));
        self.await_name(of, name, at, true);
        self.add_site(of, reader.row, SiteKind::Type);
        while reader.takes('.') {
            let (word, at) = reader.word();
            if word.is_empty() {
                return ExprId::UNKNOWN;
            }
            let name = self.name(of_file(at, word));
            of = self.add_expr(Expr::Member(of, name));
            self.add_site(of, reader.row, SiteKind::Type);
        }
        if !reader.takes('[') {
            return of;
        }
        let mut arguments = Vec::new();
        while !reader.takes(']') && !reader.rest.is_empty() {
            // A list of parameters stands for itself.
            let before = reader.rest.len();
            arguments.push(self.read_union(reader, nesting));
            if !reader.takes(',') && reader.rest.len() == before {
                break;
            }
        }
        let list = self.list(arguments);
        self.add_expr(Expr::Apply(of, list))
    }
}
