//! Macros of C and C++ that stand where a grammar wants none: attributes by another name, and what opens and closes namespaces.
//!
//! What a macro stands for is not known; without it the rest of the declaration can be read.

use super::words::tokens::{NONE, Token, Tokens, WORD};
use super::words::{Quotes, Words};
use std::ops::Range;

/// How the tokens of C are read.
const C: Words = Words {
    begins: &[],
    modifiers: &[],
    reserved: &[],
    imports: &[],
    nests_comments: false,
    quotes: Quotes { hole: None, fills_behind_words: false, characters: true, verbatim: false },
    has_orders: true,
    by_shape: false,
    calls_with_braces: false,
};

/// Words behind which a declaration goes on.
const SPECIFIERS: [&str; 14] = [
    "static",
    "inline",
    "virtual",
    "extern",
    "explicit",
    "constexpr",
    "friend",
    "const",
    "unsigned",
    "typedef",
    "mutable",
    "public",
    "private",
    "protected",
];

/// Words that name a type behind them.
const TYPES: [&str; 5] = ["class", "struct", "union", "enum", "namespace"];

/// Words that name a type by themselves.
const OWN_TYPES: [&str; 10] = ["bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"];

/// Words that may stand behind parameters.
const BEHIND: [&str; 5] = ["const", "override", "final", "noexcept", "volatile"];

/// Words that begin a statement with a value behind them.
const STATEMENTS: [&str; 8] = ["return", "case", "else", "throw", "new", "delete", "do", "co_return"];

/// The stretches of macros that can be left out.
pub(super) fn macros(text: &str) -> Vec<Range<usize>> {
    let tokens = Tokens::read(&C, text).all;
    let of = |token: &Token| &text[token.start as usize..token.end as usize];
    let mut found = comments_in_orders(text);
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != WORD || !is_macro(of(token)) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let has_arguments = tokens.get(at + 1).is_some_and(|next| next.kind == b'(' && next.other as usize > at);
        let last = if has_arguments { tokens[at + 1].other as usize } else { at };
        let Some(end) = tokens.get(last) else { continue };
        let (next, second) = (tokens.get(last + 1), tokens.get(last + 2));
        let is_alone = before.is_none_or(|before| before.last_row < token.row) && next.is_none_or(|next| next.row > end.last_row);
        let leads = match before {
            None => true,
            Some(before) if before.kind == WORD => {
                SPECIFIERS.contains(&of(before)) || before.last_row < token.row && is_macro(of(before))
            }
            Some(before) => matches!(before.kind, b';' | b'{' | b'}' | b'>' | b':' | b')' | b']'),
        };
        let is_word = |token: Option<&Token>| token.is_some_and(|token| token.kind == WORD);
        let is_attribute = before.is_some_and(|before| TYPES.contains(&of(before))) && is_word(next);
        // A type has its name behind it; a macro has both.
        let makes = second.is_some_and(|second| {
            second.kind == b'('
                && second.other != NONE
                && tokens.get(second.other as usize + 1).is_some_and(|next| next.kind == b':')
        });
        let is_followed = next.is_some_and(|next| next.kind == b'~')
            || is_word(next) && (makes || second.is_some_and(|second| matches!(second.kind, WORD | b'*' | b'&' | b'<' | b':')));
        let is_line = is_alone && leads && !(has_arguments && next.is_some_and(|next| next.kind == b'{'));
        let is_behind = before.is_some_and(|before| {
            let is_of_member = before.kind == WORD && has_arguments && !STATEMENTS.contains(&of(before));
            let is_qualified = BEHIND.contains(&of(before)) && at > 1 && tokens[at - 2].kind == b')';
            before.last_row == token.row && (before.kind == b')' || is_qualified || is_of_member)
        });
        // No call is given a type.
        let is_statement = has_arguments
            && next.is_some_and(|next| next.kind == b';')
            && tokens[at + 1..last]
                .windows(2)
                .any(|pair| matches!(pair[0].kind, b'(' | b',') && OWN_TYPES.contains(&of(&pair[1])));
        let ends = next.is_some_and(|next| matches!(next.kind, b';' | b'{' | b'=' | b':') || BEHIND.contains(&of(next)));
        if is_line || is_attribute || leads && (is_followed || is_statement) || is_behind && ends {
            found.push(token.start as usize..end.end as usize);
        }
    }
    found
}

/// Comments in macros of several lines: the grammar lets the macro end there.
fn comments_in_orders(text: &str) -> Vec<Range<usize>> {
    let (mut start, mut goes_on) = (0, false);
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let is_order = goes_on || line.trim_start().starts_with('#');
        goes_on = is_order && line.trim_end().ends_with('\\');
        if goes_on
            && let Some(open) = line.find("/*")
            && let Some(length) = line[open..].find("*/")
        {
            found.push(start + open..start + open + length + 2);
        }
        start += line.len();
    }
    found
}

/// Whether a name is written as those of macros are.
fn is_macro(name: &str) -> bool {
    let is_large = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.len() > 3 && name.contains('_') && name.bytes().all(is_large) && name.bytes().any(|byte| byte.is_ascii_uppercase())
}
