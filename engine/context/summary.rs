//! What one line can say of a symbol: its signature, and the first sentence of what stands above it.
//!
//! For packets that have room for no more. Takes lines from redacted text only.

use redact::{LongLines, Masker, Redacted, Safe};
use std::ops::RangeInclusive;

/// Characters of a signature and of a sentence: most are shorter, and what is longer says little more behind these.
const MAX_SIGNATURE: usize = 200;
const MAX_SENTENCE: usize = 160;
/// What begins a line that is not a definition: comments and attributes.
const ASIDE: [&str; 5] = ["//", "/*", "*", "#[", "@"];
/// What stands around the words of a comment.
const MARKS: [char; 5] = ['/', '*', '!', ' ', '\t'];
/// What a tag in a comment begins with: what follows is for tools.
const TAG: char = '@';

/// The lines of a signature as one, with the first sentence of the lines above it.
pub(super) fn summary(masker: &Masker, text: &Redacted, above: RangeInclusive<u32>, signature: RangeInclusive<u32>) -> Safe {
    let lines = Safe::code(text, signature, LongLines::Cut);
    let is_said = |line: &&str| !line.is_empty() && !ASIDE.iter().any(|start| line.starts_with(start));
    let mut words = String::new();
    for line in lines.as_str().lines().map(str::trim).filter(is_said) {
        words.push_str(if words.is_empty() { "" } else { " " });
        words.push_str(line);
        if is_whole(&words) {
            break;
        }
    }
    let signature = masker.line(&cut(words.trim_end_matches(['{', ' ']), MAX_SIGNATURE));
    let sentence = if above.is_empty() { String::new() } else { sentence(Safe::code(text, above, LongLines::Cut).as_str()) };
    if sentence.is_empty() { signature } else { Safe::format("{} — {}", &[&signature, &masker.line(&sentence)]) }
}

/// Whether the lines of a signature so far are all of it: what it opens it closes, or a body begins.
fn is_whole(words: &str) -> bool {
    let plain = words.replace("->", "").replace("=>", "");
    let count = |marks: [char; 3]| plain.matches(marks).count();
    let opens_body = words.ends_with('{') && !words.ends_with("({");
    opens_body || count(['(', '[', '<']) <= count([')', ']', '>'])
}

/// The first sentence of comments.
fn sentence(comments: &str) -> String {
    let mut text = String::new();
    for line in comments.lines().map(str::trim) {
        let words = line.trim_matches(MARKS);
        if line.starts_with("#[") || words.is_empty() || words.starts_with(TAG) {
            if text.is_empty() {
                continue;
            }
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(words);
        if text.len() > MAX_SENTENCE {
            break;
        }
    }
    let end = text.match_indices(". ").map(|(at, _)| at + 1).find(|at| text[*at..].trim_start().starts_with(char::is_uppercase));
    cut(&text[..end.unwrap_or(text.len())], MAX_SENTENCE)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_the_whole_signature_and_the_first_sentence_above() {
        let of = |text: &str, signature: RangeInclusive<u32>| {
            let masker = Masker::knowing_nothing();
            let text = masker.file("a", text.as_bytes());
            summary(&masker, &text, 1..=signature.start() - 1, signature).as_str().to_owned()
        };
        assert_eq!(
            of("// Sum adds, e.g. 1 and 2.\n// It never fails. Never.\nfunc Sum(\n\ta int,\n\tb int,\n) int {\n", 3..=6),
            "func Sum( a int, b int, ) int — Sum adds, e.g. 1 and 2."
        );
        assert_eq!(
            of("/**\n * Reads it.\n *\n * Slowly.\n * @param a b\n */\nexport class A {\n", 7..=7),
            "export class A — Reads it."
        );
        assert_eq!(of("/// Counts.\n#[must_use]\npub fn n() -> u32 {\n", 3..=3), "pub fn n() -> u32 — Counts.");
        assert_eq!(of("// @__PURE__\nlet x = 1\n", 2..=2), "let x = 1");
        assert_eq!(of("\ntype Options struct {\n\tWidth int\n", 2..=3), "type Options struct");
        assert_eq!(of("\nexport function f({\n  a,\n}: A): Map<\n  B\n> {\n", 2..=6), "export function f({ a, }: A): Map< B >");
        let long = of(&format!("// {}\nfn a() {{\n", "word ".repeat(100)), 2..=2);
        assert!(long.ends_with('…') && long.chars().count() < MAX_SENTENCE + 20, "{long}");
        assert!(!of("// see ghp_Zx81kQmW0vYbN3rTc5LpJ7sHdUe2Fa4GiK9o\nfn a() {\n", 2..=2).contains("ghp_"));
    }
}
