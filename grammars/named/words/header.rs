//! The header of a definition: what stands in front of its word, its name, and where it ends.

use super::Words;
use super::tokens::{NONE, TEXT, Token, Tokens, WORD};

/// The most tokens that stand in front of the word of a definition.
const MAX_AROUND: usize = 64;

/// The most tokens of a list of types in angles.
const MAX_IN_ANGLES: usize = 256;

/// The name of a definition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    /// What stands in front of its last dot: the type that gets a function from outside.
    pub(super) receiver: Option<&'a str>,
    /// The token of the name.
    pub(super) token: usize,
    /// The token behind it.
    pub(super) next: usize,
}

/// Where a definition ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// Its last token.
    pub(super) last: usize,
    /// The token that its body begins with.
    pub(super) body: Option<usize>,
    /// Whether the body stands in braces, and is no value.
    pub(super) is_block: bool,
}

/// Tokens with their text.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) words: &'a Words,
    pub(super) tokens: &'a Tokens,
    pub(super) text: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn token(&self, at: usize) -> Option<Token> {
        self.tokens.all.get(at).copied()
    }

    pub(super) fn kind(&self, at: usize) -> u8 {
        self.token(at).map_or(0, |token| token.kind)
    }

    /// The kind of the token in front of one; 0 at the start.
    pub(super) fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |before| self.kind(before))
    }

    pub(super) fn of(&self, at: usize) -> &'a str {
        self.token(at).map_or("", |token| &self.text[token.start as usize..token.end as usize])
    }

    /// The token behind the bracket that closes this one; the next where none does.
    pub(super) fn behind(&self, at: usize) -> usize {
        self.token(at)
            .filter(|token| token.other != NONE && token.other as usize > at)
            .map_or(at + 1, |token| token.other as usize + 1)
    }

    /// The token behind a list of types in angles that begins here.
    pub(super) fn behind_angles(&self, start: usize) -> Option<usize> {
        let (mut at, mut depth) = (start, 0);
        while at < start + MAX_IN_ANGLES {
            match self.kind(at) {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                b'(' | b'[' => {
                    at = self.behind(at);
                    continue;
                }
                WORD | b',' | b'.' | b'?' | b':' | b'&' | b'*' | b'-' | b'@' => {}
                _ => return None,
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// The first token of the words in front of the word of a definition.
    pub(super) fn first(&self, at: usize) -> usize {
        let is_modifier = |at: usize| self.words.modifiers.contains(&self.of(at));
        let mut first = at;
        while let Some(before) = first.checked_sub(1).filter(|_| at - first < MAX_AROUND) {
            match self.token(before) {
                Some(token) if token.kind == WORD && is_modifier(before) => first = before,
                // `private(set)`, `private[shop]`
                Some(token) if matches!(token.kind, b')' | b']') && token.other != NONE && token.other > 0 => {
                    let word = token.other as usize - 1;
                    if !is_modifier(word) || self.kind(word) != WORD {
                        break;
                    }
                    first = word;
                }
                _ => break,
            }
        }
        first
    }

    /// The first token of the annotations in front of a definition.
    pub(super) fn annotated(&self, first: usize) -> usize {
        let mut at = first;
        while let Some(before) = at.checked_sub(1).filter(|_| first - at < MAX_AROUND * 4) {
            let Some(token) = self.token(before) else { break };
            // Brackets of C# stand for themselves; others belong to a name behind `@`.
            let opened = if matches!(token.kind, b')' | b']') && token.other != NONE { Some(token.other as usize) } else { None };
            if token.kind == b']'
                && let Some(opened) =
                    opened.filter(|opened| self.words.by_shape && matches!(self.before(*opened), 0 | b'{' | b'}' | b';' | b']'))
            {
                at = opened;
                continue;
            }
            let mut name = opened.map_or(Some(before), |opened| opened.checked_sub(1));
            while let Some(word) = name.filter(|word| self.kind(*word) == WORD && matches!(self.before(*word), b'.' | b':')) {
                name = word.checked_sub(2);
            }
            match name {
                Some(word) if self.kind(word) == WORD && self.before(word) == b'@' => at = word - 1,
                _ => break,
            }
        }
        at
    }

    /// The name behind the word of a definition, which may have a path and lists of types.
    pub(super) fn name(&self, word: usize, takes_signs: bool) -> Option<Name<'a>> {
        let mut at = word + 1;
        if self.kind(at) == b'<' && !takes_signs
            || self.kind(at) == b'<' && self.behind_angles(at).is_some_and(|next| self.kind(next) == WORD)
        {
            at = self.behind_angles(at)?;
        }
        let is_sign = |kind: u8| {
            kind.is_ascii_punctuation() && !matches!(kind, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' | TEXT)
        };
        if takes_signs && is_sign(self.kind(at)) {
            let start = at;
            let adjoins = |at: usize| self.token(at).zip(self.token(at + 1)).is_some_and(|(one, next)| one.end == next.start);
            while adjoins(at) && is_sign(self.kind(at + 1)) {
                at += 1;
            }
            // Types in angles may stand right behind a name of signs.
            if at > start && self.kind(at) == b'<' && self.kind(at + 1) == WORD {
                at -= 1;
            }
            let (from, to) = (self.token(start)?.start, self.token(at)?.end);
            return Some(Name { text: &self.text[from as usize..to as usize], receiver: None, token: start, next: at + 1 });
        }
        let mut receiver = None;
        loop {
            if self.kind(at) != WORD {
                return None;
            }
            let mut next = at + 1;
            if self.kind(next) == b'<' {
                next = self.behind_angles(next).unwrap_or(next);
            }
            let dot = if self.kind(next) == b'?' { next + 1 } else { next };
            if self.kind(dot) == b'.' && self.kind(dot + 1) == WORD {
                receiver = Some(self.of(at));
                at = dot + 1;
                continue;
            }
            let text = self.of(at).trim_matches('`');
            return (!text.is_empty() && text != "_").then_some(Name { text, receiver, token: at, next });
        }
    }

    /// A name with all of its path.
    pub(super) fn whole_path(&self, name: Name<'a>) -> Name<'a> {
        let mut first = name.token;
        while let Some(before) = first.checked_sub(2).filter(|_| self.before(first) == b'.') {
            first = before;
        }
        let span = |at: usize| self.token(at).map_or((0, 0), |token| (token.start as usize, token.end as usize));
        Name { text: self.text.get(span(first).0..span(name.token).1).unwrap_or(name.text), receiver: None, ..name }
    }

    /// Where a definition ends whose name stands in front of `from`. Without `;` it goes on over lines that are indented more than its first.
    pub(super) fn end(&self, word: usize, from: usize) -> End {
        let first_row = self.token(word).map_or(0, |token| token.row);
        let indent = self.tokens.indent(first_row);
        let depth = self.token(word).map_or(0, |word| word.depth);
        // Behind this a comma stands in a list of what the definition extends.
        let mut is_list = false;
        let mut body = None;
        let mut at = from;
        while let Some(token) = self.token(at).filter(|_| self.tokens.may_look()) {
            let last = at - 1;
            is_list |= token.kind == b':' || matches!(self.of(at), "extends" | "with" | "implements");
            let is_new_line = self.token(last).is_some_and(|before| before.last_row < token.row);
            let goes_on = self.words.by_shape
                || token.kind == b'{' && body.is_none()
                || matches!(self.of(at), "where" | "extends" | "with")
                || self.tokens.indent(token.row) > indent;
            if is_new_line && !goes_on {
                return End { last, body, is_block: false };
            }
            match token.kind {
                b'}' | b')' | b']' => return End { last, body, is_block: false },
                b';' => return End { last: if self.words.by_shape { at } else { last }, body, is_block: false },
                b'{' if body.is_none() => {
                    let last = if token.other == NONE { self.end_by_lines(at, indent) } else { self.behind(at) - 1 };
                    return End { last, body: Some(at), is_block: true };
                }
                b'=' if body.is_none() && !self.is_comparison(at) => {
                    body = Some(at + 1);
                    at += 1;
                }
                b',' if body.is_none() && token.depth == depth && !is_new_line && !is_list => {
                    return End { last, body, is_block: false };
                }
                b'(' | b'[' | b'{' => at = self.behind(at),
                b'<' if body.is_none() => at = self.behind_angles(at).unwrap_or(at + 1),
                _ => at += 1,
            }
        }
        End { last: at.saturating_sub(1).max(word), body, is_block: false }
    }

    /// Where braces end that nothing closes, as where both sides of a condition open them: before the next line that is indented as little, with
    /// the brace there.
    fn end_by_lines(&self, brace: usize, indent: u32) -> usize {
        let row = self.token(brace).map_or(0, |token| token.row);
        let is_outside = |token: &Token| !self.tokens.may_look() || token.row > row && self.tokens.indent(token.row) <= indent;
        let next =
            self.tokens.all[brace + 1..].iter().position(is_outside).map_or(self.tokens.all.len(), |next| brace + 1 + next);
        if self.kind(next) == b'}' { next } else { next - 1 }
    }

    /// Whether `=` is part of `==`, `<=`, `!=` and the like.
    fn is_comparison(&self, at: usize) -> bool {
        let Some(token) = self.token(at) else { return false };
        let adjoins = |other: Option<Token>, kinds: &[u8]| {
            other.is_some_and(|other| kinds.contains(&other.kind) && (other.end == token.start || other.start == token.end))
        };
        let before = at.checked_sub(1).and_then(|before| self.token(before));
        adjoins(before, b"=!<>") || adjoins(self.token(at + 1), b"=")
    }
}
