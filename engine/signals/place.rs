//! A place as people and tools write it: a path with a line.
//!
//! Reads form only: must not know which files exist.

/// Longest extension of a file, in bytes.
const MAX_EXTENSION: usize = 8;

/// Words with a dot or a slash that are prose.
const PROSE: [&str; 8] = ["e.g", "i.e", "and/or", "n/a", "w/o", "a.k.a", "i/o", "etc.)"];

/// Path and line of `path:line`, `path:line:column`, `path#L45`, `path(12,5)` and ranges of these.
pub(crate) fn position(word: &str) -> Option<(&str, u32)> {
    if let Some((path, line)) = word.split_once("#L") {
        return Some((path, leading_number(line)?)).filter(|_| looks_like_path(path));
    }
    if let Some((path, inside)) = word.strip_suffix(')').and_then(|word| word.split_once('(')) {
        let is_numbers = inside.chars().all(|c| c.is_ascii_digit() || c == ',');
        return Some((path, leading_number(inside)?)).filter(|_| is_numbers && looks_like_path(path));
    }
    let (front, last) = word.rsplit_once(':')?;
    let last = leading_number(last)?;
    if let Some((path, line)) = front.rsplit_once(':')
        && let Some(line) = leading_number(line)
        && looks_like_path(path)
    {
        return Some((path, line));
    }
    Some((front, last)).filter(|_| looks_like_path(front))
}

/// The number that a text starts with, if only a range or nothing follows.
fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let is_range = text[end..].is_empty() || text[end..].starts_with(['-', ',']);
    text[..end].parse().ok().filter(|&number| number > 0 && is_range)
}

/// Whether a word has the form of a path: folders, or a name with an extension.
pub(crate) fn looks_like_path(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        let is_short = (1..=MAX_EXTENSION).contains(&extension.len());
        !stem.is_empty()
            && is_short
            && extension.chars().all(char::is_alphanumeric)
            && !extension.starts_with(|c: char| c.is_ascii_digit())
    });
    let has_folder = word.contains(['/', '\\']) && word.chars().any(char::is_alphabetic);
    (has_extension || has_folder) && !word.contains("::") && word.chars().all(is_of_path) && !is_prose(word)
}

/// Whether a letter may stand in a path.
pub(crate) fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '/' | '\\' | '.' | '_' | '-' | '+' | '@' | ':' | '$' | '[' | ']' | '(' | ')' | '~')
}

/// Whether a word with a dot or a slash is one of prose.
pub(crate) fn is_prose(word: &str) -> bool {
    PROSE.iter().any(|prose| word.eq_ignore_ascii_case(prose))
}
