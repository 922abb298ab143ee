//! What a `.proto` file declares: its package, messages, enumerations, services and their procedures.

use super::contract::MAX_PROMISES;
use crate::facts::{Declared, DeclaredKind, Procedure, Web};

/// The most declarations that stand inside of one another; what is deeper is passed over.
const MAX_DEPTH: usize = 64;

/// Reads the declarations of a file.
pub(super) fn read(text: &str, web: &mut Web) {
    let mut words = Words { rest: text, line: 1 };
    // What is open, each with the name of a message or a service.
    let mut open: Vec<Option<(DeclaredKind, String)>> = Vec::new();
    let (mut n_deeper, mut begun, mut is_start) = (0_usize, None, true);
    while let Some((word, line)) = words.next() {
        match word {
            "{" if open.len() < MAX_DEPTH => open.push(begun.take()),
            "{" => n_deeper += 1,
            "}" if n_deeper > 0 => n_deeper -= 1,
            "}" => drop(open.pop()),
            "package" if is_start && open.is_empty() && web.package.is_none() => web.package = words.name(),
            "message" | "enum" | "service" if is_start && n_deeper == 0 => {
                let Some(name) = words.name() else { break };
                let kind = match word {
                    "message" => DeclaredKind::Message,
                    "enum" => DeclaredKind::Enum,
                    _ => DeclaredKind::Service,
                };
                // `message` may be the name of a field's type.
                if words.peek() == Some('{') && web.declared.len() < MAX_PROMISES {
                    let outer = open.last().and_then(Option::as_ref).filter(|(kind, _)| *kind == DeclaredKind::Message);
                    let name = outer.map_or_else(|| name.clone(), |(_, outer)| format!("{outer}.{name}"));
                    web.declared.push(Declared { kind, name: name.clone(), line });
                    begun = Some((kind, name));
                }
            }
            "rpc" if is_start => {
                let Some(name) = words.name() else { break };
                if let Some(Some((DeclaredKind::Service, service))) = open.last()
                    && web.procedures.len() < MAX_PROMISES
                {
                    web.procedures.push(Procedure { service: service.clone(), name, line });
                }
            }
            _ => {}
        }
        is_start = matches!(word, "{" | "}" | ";");
    }
}

/// Words and signs of a text, without comments and strings.
struct Words<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Words<'a> {
    /// The next word or sign, with its line.
    fn next(&mut self) -> Option<(&'a str, u32)> {
        self.skip();
        let first = self.rest.chars().next()?;
        let line = self.line;
        if let quote @ ('"' | '\'') = first {
            self.pass(end_of_string(self.rest, quote));
            return Some(("\"", line));
        }
        let is_in = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = self.rest.find(|c| !is_in(c)).filter(|end| *end > 0).unwrap_or(if is_in(first) {
            self.rest.len()
        } else {
            first.len_utf8()
        });
        let word = &self.rest[..end];
        self.pass(end);
        Some((word, line))
    }

    /// The name that follows.
    fn name(&mut self) -> Option<String> {
        self.next().map(|(name, _)| name.to_owned()).filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    }

    /// The sign that follows.
    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest.chars().next()
    }

    /// Passes over blanks and comments.
    fn skip(&mut self) {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.pass(blanks);
            let end = if self.rest.starts_with("//") {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").map_or(self.rest.len(), |end| end + 2)
            } else {
                return;
            };
            self.pass(end);
        }
    }

    fn pass(&mut self, n_bytes: usize) {
        let (passed, rest) = self.rest.split_at(n_bytes);
        self.line += memchr::memchr_iter(b'\n', passed.as_bytes()).count() as u32;
        self.rest = rest;
    }
}

/// Where a string ends that a text begins with: behind its quote, or at the end of the line.
fn end_of_string(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
