//! What a single word looks like: a position, a path, a name written as code.

use signals::place::{is_of_path, is_prose, looks_like_path};

/// The first `most` bytes of a text, or up to three fewer where a character would be cut.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    let end = (most.saturating_sub(3)..=most).rev().find_map(|end| text.get(..end));
    if text.len() <= most { text } else { end.unwrap_or_default() }
}

/// The part of a link to a file on a forge that names the file.
pub(super) fn url_path(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("/blob/").or_else(|| url.split_once("/src/branch/"))?;
    rest.split_once('/').map(|(_, path)| path)
}

/// Whether a word has a form that prose has not: `_ . :: ( ) / #` between letters, or a capital after a small letter.
pub(crate) fn is_code(word: &str) -> bool {
    let word = word.trim_start_matches(['-', '&', '@']);
    let name = cut_call(word);
    let is_call = name.len() < word.len() && is_identifier(name.rsplit(['.', ':', '/']).next().unwrap_or_default());
    let is_plural = matches!(&word[name.len()..], "(s)" | "(es)" | "(ing)" | "(ed)");
    if !name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '.' | '/' | '~' | '(')) || is_prose(name) || is_plural {
        return false;
    }
    if !name.chars().all(|c| is_of_path(c) || matches!(c, '<' | '>' | '*' | '#' | '&' | ',')) {
        return false;
    }
    is_call || has_inner_capital(name) || joins_names(name) || looks_like_path(name) && name.contains(['/', '\\', '.'])
}

/// Whether parts that are names are joined as code joins them.
fn joins_names(word: &str) -> bool {
    let separators = ["::", "_", ".", "#"];
    separators.iter().any(|separator| {
        let mut parts = word.split(separator);
        word.contains(separator)
            && parts.all(|part| {
                let part = part.trim_matches(['(', ')', '*', '&', '<', '>', '_', '.', ':']);
                part.is_empty() && *separator == "_"
                    || part.starts_with(char::is_alphabetic)
                    || *separator == "_" && !part.is_empty()
            })
            && word.chars().any(char::is_alphabetic)
    })
}

fn has_inner_capital(word: &str) -> bool {
    let mut letters = word.chars().zip(word.chars().skip(1));
    let has_small = word.chars().any(char::is_lowercase);
    has_small && letters.any(|(before, letter)| before.is_alphanumeric() && letter.is_uppercase())
}

/// Whether a word is a path from the root of a machine, a home or a disk: also `/users/:name` of a server.
pub(super) fn is_rooted(word: &str) -> bool {
    let is_drive =
        word.get(1..3).is_some_and(|sign| matches!(sign, ":/" | ":\\")) && word.starts_with(|c: char| c.is_ascii_alphabetic());
    word.starts_with('/') || word.starts_with("~/") || is_drive
}

/// Whether a word can be a name by itself.
pub(crate) fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_') && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A name without the arguments it is called with; `(*T).m` keeps its receiver.
pub(crate) fn cut_call(word: &str) -> &str {
    let start = if word.starts_with('(') { word.find(')').map_or(0, |end| end + 1) } else { 0 };
    word[start..].find('(').map_or(word, |end| &word[..start + end])
}

/// Whether a word begins with a capital and goes on small: `Logger`.
pub(super) fn is_capitalised(word: &str) -> bool {
    let mut letters = word.chars();
    let is_name = letters.next().is_some_and(char::is_uppercase) && word.len() >= 3;
    is_name && letters.all(|c| c.is_lowercase() || c.is_ascii_digit())
}

/// Whether a word is written in capitals throughout, a plural aside: `JSON`, `URLs`.
pub(super) fn is_acronym(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    word.len() >= 2 && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit()) && word.starts_with(char::is_uppercase)
}
