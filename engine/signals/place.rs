//! A place as people and tools write it: a path with a line.
//!
//! Reads form only: must not know which files exist.

use super::Place;
use std::borrow::Cow;

/// Longest extension of a file, in bytes.
const MAX_EXTENSION: usize = 8;

/// Folders of what was installed, in paths that tools write: never the repository's own files. Images of containers have them at other
/// places than homes of people, so that only their ends are looked for.
const FOREIGN: [&str; 15] = [
    "/rustc/",
    "/rustlib/src/",
    "cargo/registry/src/",
    "cargo/git/checkouts/",
    "rustup/toolchains/",
    "/rustdoctest",
    "_testmain.go",
    "/pkg/mod/",
    "/sysdeps/",
    "node_modules/",
    "/site-packages/",
    "/dist-packages/",
    "lib/python3.",
    "node:",
    "webpack/bootstrap",
];

/// Words with a dot or a slash that are prose.
const PROSE: [&str; 8] = ["e.g", "i.e", "and/or", "n/a", "w/o", "a.k.a", "i/o", "etc.)"];

/// Where sources of Go stand: those of its own packages, which have no dot in the first name, or a workspace of somebody.
const GO_SOURCES: &str = "/go/src/";

/// Whether a path is one of something that was installed.
pub fn is_installed(path: &str) -> bool {
    let is_own_of_go = |(_, below): (&str, &str)| !below.split('/').next().unwrap_or_default().contains('.');
    FOREIGN.iter().any(|folder| path.contains(folder)) || path.split_once(GO_SOURCES).is_some_and(is_own_of_go)
}

impl Place {
    /// The path from the root of the repository as far as it is known, else as written.
    pub fn from_root(&self) -> Cow<'_, str> {
        match &self.ran_in {
            Some(ran_in) if !ran_in.is_empty() && self.folder.is_empty() && !self.is_absolute() => {
                Cow::Owned(format!("{ran_in}/{}", self.path))
            }
            _ => Cow::Borrowed(&self.path),
        }
    }

    /// Whether the path says all of where it is.
    pub fn is_absolute(&self) -> bool {
        self.path.starts_with('/') || self.path.get(1..3) == Some(":/")
    }

    /// Says in which folder the tool ran, unless it is known.
    pub(super) fn run_in(&mut self, folder: &str) {
        self.ran_in.get_or_insert_with(|| folder.to_owned());
    }

    /// A path as a tool writes it, which may be a URI, with line and column from 1, or 0 where they are not known.
    pub fn at(path: &str, line: u32, column: u32) -> Self {
        let path = path_of(path.trim());
        Self { path: path.strip_prefix("./").unwrap_or(&path).to_owned(), line, column, end_line: line, ..Self::default() }
    }

    /// Reads `path:line:column` and `path:line` where nothing but a place can stand, so that the path may be any.
    pub(super) fn written(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let (front, last) = text.trim().rsplit_once(':')?;
        let last = number(last)?;
        let (path, line, column) = match front.rsplit_once(':').and_then(|(path, line)| Some((path, number(line)?))) {
            Some((path, line)) => (path, line, last),
            None => (front, last, 0),
        };
        (!path.is_empty()).then(|| Self::at(path, line, column))
    }

    /// A URI as the formats write it that allow nothing else: also one without a scheme is encoded.
    pub(super) fn of_uri(uri: &str, line: u32, column: u32) -> Self {
        let uri = uri.trim();
        if uri.contains("://") {
            Self::at(uri, line, column)
        } else {
            Self::at(&decoded(uri.strip_prefix("file:").unwrap_or(uri)), line, column)
        }
    }

    /// Says from where the path may be meant.
    #[must_use]
    pub(super) fn within(mut self, folder: &str) -> Self {
        folder.clone_into(&mut self.folder);
        self
    }
}

/// What bundlers and frameworks write before the path of a module below the root of a program.
const BUNDLER: &str = "webpack";
const BUNDLED_ROOT: &str = "/./";

/// The path of a URI, or a path, with forward slashes.
fn path_of(written: &str) -> String {
    let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let Some((scheme, rest)) = written.split_once("://").filter(|(scheme, _)| scheme.bytes().all(is_of_scheme)) else {
        return written.replace('\\', "/");
    };
    if scheme.starts_with(BUNDLER) {
        // `webpack://shop/./src/x.ts?4f2a`, `webpack-internal:///(app)/./src/x.ts`: below the name of the program and of its part.
        let rest = rest.split('?').next().unwrap_or_default();
        if let Some((_, path)) = rest.split_once(BUNDLED_ROOT) {
            return decoded(path);
        }
    }
    // A server of a browser's tests names its files from its root, with a stamp behind.
    let rest = if scheme.starts_with("http") { rest.split(['?', '#']).next().unwrap_or_default() } else { rest };
    let path = rest.find('/').map_or(rest, |at| &rest[at..]);
    let path = if scheme.starts_with("http") { path.trim_start_matches('/') } else { path };
    let path = decoded(path);
    let is_of_drive = matches!(path.as_bytes(), [b'/', drive, b':', ..] if drive.is_ascii_alphabetic());
    if is_of_drive { path[1..].to_owned() } else { path }
}

/// Text in which `%20` stands for a byte.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|digits| *first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let byte = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Path and line of `path:line`, `path:line:column`, `path#L45`, `path(12,5)` and ranges of these.
pub fn position(word: &str) -> Option<(&str, u32)> {
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
pub fn looks_like_path(word: &str) -> bool {
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
pub fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '/' | '\\' | '.' | '_' | '-' | '+' | '@' | ':' | '$' | '[' | ']' | '(' | ')' | '~')
}

/// Whether a word with a dot or a slash is one of prose.
pub fn is_prose(word: &str) -> bool {
    PROSE.iter().any(|prose| word.eq_ignore_ascii_case(prose))
}
