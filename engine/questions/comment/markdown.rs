//! Text of strangers in Markdown, so that it is shown as it is and does nothing.
//!
//! In a code span nothing is a mention, a link, an emoji or HTML, and only as many backticks as began it end it.

/// The most characters of a name and of a path.
const MAX_NAME: usize = 80;
const MAX_PATH: usize = 140;

/// The most characters of a sentence.
const MAX_SENTENCE: usize = 240;

/// A name as code, without the numbers that tell namesakes apart: the place beside it does; of a long one the beginning.
pub(super) fn name(text: &str) -> String {
    code(&beginning(&plain(text), MAX_NAME))
}

/// A sentence with names in it as code; of a long one the beginning.
pub(super) fn sentence(text: &str) -> String {
    code(&beginning(text, MAX_SENTENCE))
}

/// A path with a line as code; of a long one the end, which says most.
pub(super) fn place(path: &str, line: u32) -> String {
    code(&format!("{}:{line}", ending(path)))
}

/// A path as code.
pub(super) fn path(text: &str) -> String {
    code(&ending(text))
}

/// A text as code, whole and in one line.
pub(super) fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    // One blank at each side is taken away again where both are there.
    let is_bare = !text.is_empty() && !text.starts_with(['`', ' ']) && !text.ends_with(['`', ' ']);
    let pad = if is_bare { "" } else { " " };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The signs around a block of these lines, which none of them ends.
pub(super) fn fence<'l>(lines: impl IntoIterator<Item = &'l str>) -> String {
    let longest = lines.into_iter().map(longest_run).max().unwrap_or_default();
    "`".repeat((longest + 1).max(3))
}

/// A name without the numbers of namesakes: `Cart.~2.fill` is `Cart.fill`.
pub(super) fn plain(text: &str) -> String {
    let is_number = |part: &str| {
        part.strip_prefix('~').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let parts: Vec<&str> = text.split('.').filter(|part| !is_number(part)).collect();
    if parts.is_empty() { text.to_owned() } else { parts.join(".") }
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default()
}

fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn ending(path: &str) -> String {
    let n_over = path.chars().count().saturating_sub(MAX_PATH);
    match path.char_indices().nth(n_over).filter(|_| n_over > 0) {
        Some((at, _)) => format!("…{}", &path[at..]),
        None => path.to_owned(),
    }
}
