//! Routers that are given to functions: `users(api)`, `users(app.Group("/api"))`.

use super::read::Reader;
use super::text::{before, is_dotted, last_part};
use crate::facts::{Mount, Mounted, SymbolId};

/// The most routers whose names are looked for.
const MAX_VARIABLES: usize = 64;
/// The most places of a name that are looked at.
const MAX_PLACES: usize = 256;

impl Reader<'_> {
    /// Finds the functions that routers are given to.
    pub(super) fn give(&mut self) {
        let mut mounts = Vec::new();
        for variable in self.variables.iter().filter(|variable| is_dotted(&variable.name)).take(MAX_VARIABLES) {
            let (start, end) = (variable.bytes.0 as usize, variable.bytes.1 as usize);
            let text = self.source.get(start..end).unwrap_or_default();
            for (at, name) in text.match_indices(variable.name.as_str()).take(MAX_PLACES) {
                let is_whole = text[at + name.len()..].trim_start().starts_with([',', ')']);
                // One of the same name further in is another.
                let is_meant = || {
                    let at = (start + at) as u32;
                    self.variable(name, at, self.symbol_at(at)) == Some(variable.router)
                };
                if is_whole && is_meant() {
                    mounts.extend(self.given(start + at, variable.router));
                }
            }
        }
        self.web.mounts.extend(mounts);
    }

    /// The function that takes an argument which begins at a byte.
    pub(super) fn given(&self, at: usize, router: u32) -> Option<Mount> {
        let line = before(self.source, at);
        let (mut depth, mut argument) = (0_usize, 0);
        let open = line.bytes().enumerate().rev().find_map(|(place, byte)| {
            match byte {
                b')' | b']' | b'}' => depth += 1,
                b'(' if depth == 0 => return Some(place),
                b'(' | b'[' | b'{' => depth = depth.checked_sub(1)?,
                b',' if depth == 0 => argument += 1,
                _ => {}
            }
            None
        })?;
        let after = line[open + 1..].rsplit(',').next()?.trim();
        let callee = line[..open].trim_end();
        let is_other = |c: &char| !c.is_alphanumeric() && !"_.:$".contains(*c);
        let name_at = callee.char_indices().rfind(|(_, c)| is_other(c)).map_or(0, |(at, c)| at + c.len_utf8());
        let callee = callee[name_at..].trim_start_matches(|c: char| !c.is_alphabetic() && c != '_');
        let in_front = line[..open].strip_suffix(callee).unwrap_or_default().trim_end();
        let is_defined = ["def", "func", "fn", "function"].iter().any(|word| in_front.ends_with(word));
        let is_call =
            after.is_empty() && is_dotted(callee) && !is_defined && !self.is_word(last_part(callee)) && !self.is_client(callee);
        let line = self.line_at(at as u32);
        let target = Mounted::Named { name: last_part(callee).to_owned(), line, argument: Some(argument) };
        is_call.then(|| Mount { router, prefix: String::new(), target, from: self.symbol_at(at as u32) })
    }

    /// Whether a word has a meaning of its own.
    fn is_word(&self, word: &str) -> bool {
        let words = self.words;
        ["func", "function", "fn", "def", "if", "for", "while", "switch", "return"].contains(&word)
            || words.mounts.iter().any(|mounts| mounts.word == word)
            || words.adds.iter().any(|adds| adds.word == word)
    }

    /// The innermost definition around a byte.
    pub(super) fn symbol_at(&self, at: u32) -> Option<SymbolId> {
        let symbols = &self.facts.symbols;
        let end = symbols.partition_point(|symbol| symbol.bytes.0 <= at);
        (0..end).rev().take(MAX_PLACES).find(|id| at < symbols[*id].bytes.1).map(|id| SymbolId(id as u32))
    }
}
