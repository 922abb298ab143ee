//! The places that a text names: paths, names written as code, and words that stand in quotes of code.
//!
//! Reads form only: must not know which of them exist.

use crate::shapes::{cut_call, is_code, is_identifier};
use signals::place::{looks_like_path, position};

/// The most places of one text: one that mentions everything is about nothing.
pub(super) const MAX_PLACES: usize = 8;

/// Letters of the shortest word in quotes of code that can be the name of a definition.
const MIN_WORD: usize = 4;

/// Words in quotes of code that are seldom names of definitions: branches, values, kinds and commands that guides are full of. Sorted.
#[rustfmt::skip]
const PLAIN_WORDS: [&str; 40] = [
    "bench", "body", "boolean", "build", "check", "clean", "compile", "debug", "default", "develop", "dist", "docs", "error", "export",
    "false", "fix", "format", "head", "help", "import", "install", "latest", "lint", "main", "major", "master", "minor", "next", "none",
    "null", "number", "patch", "release", "start", "string", "test", "tests", "true", "undefined", "version",
];

/// A place as a text names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// A path of a file or folder, and perhaps a line.
    Path(String, Option<u32>),
    /// A name with a dot, which can be a file or a member.
    Dotted(String),
    /// A name written as code.
    Name(String),
    /// A word that only its quotes make code.
    Word(String),
}

/// The places that a text for people names. What stands between backticks is written as code whatever it looks like.
pub(super) fn of_prose(text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for (number, part) in text.split('`').enumerate() {
        let is_quoted = number % 2 == 1;
        let is_one_word = is_quoted && !part.trim().contains(char::is_whitespace);
        for word in words(part) {
            let place = if is_one_word { quoted(word) } else { written(word) };
            add(&mut places, place);
        }
    }
    places
}

/// The places that commands name, behind those that are known.
pub(super) fn of_command<'t>(commands: impl Iterator<Item = &'t str>, known: Vec<Place>) -> Vec<Place> {
    let mut places = known;
    for word in commands.flat_map(words) {
        // Names in commands are variables and flags, and what starts with a slash is not of the repository: only other paths are sure.
        let is_inside = |path: &str| path.contains('/') && !path.starts_with('/');
        let place = written(word).filter(|place| matches!(place, Place::Path(path, _) if is_inside(path)));
        add(&mut places, place);
    }
    places
}

/// The place that a link leads to, if it is one of the repository.
pub(super) fn of_link(target: &str) -> Option<Place> {
    let path = target.split(['#', '?', ' ']).next().unwrap_or_default();
    let is_path = !path.is_empty() && !target.contains("://") && !target.starts_with("mailto:");
    is_path.then(|| Place::Path(path.to_owned(), None))
}

fn add(places: &mut Vec<Place>, place: Option<Place>) {
    if let Some(place) = place.filter(|place| places.len() < MAX_PLACES && !places.contains(place)) {
        places.push(place);
    }
}

/// The words of a text without the signs around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'' | '`' | '|'));
    words.map(|word| {
        let word = word.trim_end_matches(['.', ':', '!', '?', '…']);
        let is_wrapped = word.starts_with(['(', '[']);
        let word = if is_wrapped { word[1..].trim_end_matches([')', ']']) } else { word };
        // `parse()` keeps what makes it a call.
        if word.ends_with(')') && !word.contains('(') { word.trim_end_matches(')') } else { word }
    })
}

/// A word that stands alone in quotes of code.
fn quoted(word: &str) -> Option<Place> {
    if let Some(place) = written(word) {
        // A file without a folder can be a member as well: `main.go`, `keys.close`.
        return Some(match place {
            Place::Path(path, None) if !path.contains('/') => Place::Dotted(path),
            place => place,
        });
    }
    let is_word = is_identifier(word) && word.len() >= MIN_WORD;
    let starts_large = word.starts_with(char::is_uppercase);
    let is_plain = PLAIN_WORDS.binary_search(&word).is_ok();
    (is_word && !is_plain).then(|| if starts_large { Place::Name(word.to_owned()) } else { Place::Word(word.to_owned()) })
}

/// A word that has the form of a path or a name by itself.
fn written(word: &str) -> Option<Place> {
    let is_outside = word.contains("://") || word.starts_with(['-', '@', '~', '$', '<', '=', '#', '%']);
    if is_outside || word.contains(['$', '=', '\\']) {
        return None;
    }
    if let Some((path, line)) = position(word) {
        return Some(Place::Path(path.to_owned(), Some(line)));
    }
    let path = without_pattern(word);
    if !path.is_empty() && !path.contains('(') && looks_like_path(path) {
        return Some(Place::Path(path.to_owned(), None));
    }
    let name = cut_call(word);
    let is_name = is_code(word) && path == word && !name.contains(['/', '@', '~', '[']);
    is_name.then(|| Place::Name(name.to_owned()))
}

/// A path up to the first folder that is a pattern or stands for others: `src/` of `src/**/*.rs`. Other words are as they were.
fn without_pattern(word: &str) -> &str {
    let Some(at) = word.find(['*', '{', '<', '…']) else { return word };
    word[..at].rfind('/').map_or(word, |slash| &word[..=slash])
}
