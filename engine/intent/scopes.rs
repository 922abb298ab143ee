//! The scopes before the message of a commit: `fix(auth): ...`, `cmd/server: ...`.

use super::verb::opener;

/// Types of conventional commits that say nothing about what is to be done.
const PLAIN_TYPES: [&str; 5] = ["chore", "ci", "build", "style", "wip"];

/// Longest scope of a commit in bytes.
const MAX_SCOPE: usize = 64;

/// The scopes of a text's first line, and where its message begins.
pub(super) fn header(text: &str) -> (Vec<String>, usize) {
    let nothing = (Vec::new(), 0);
    let line = text.lines().next().unwrap_or_default();
    let Some((head, _)) = line.split_once(": ").filter(|(head, _)| head.len() <= MAX_SCOPE) else {
        return nothing;
    };
    let start = head.len() + 1;
    let bare = head.trim_end_matches('!');
    let names = |list: &str| list.split([',', ' ', '+', '`']).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let is_type = |word: &str| opener(word).is_some() || PLAIN_TYPES.contains(&word);
    if let Some((kind, scope)) = bare.strip_suffix(')').and_then(|bare| bare.split_once('(')) {
        return if is_type(kind) { (names(scope), start) } else { nothing };
    }
    if is_type(bare) {
        return (Vec::new(), start);
    }
    // `cmd/server: ...` and `auth, store: ...`, but not `login.go:45: ...`, `3: main` or a sentence with a colon.
    let is_list = bare.split(", ").all(|name| {
        name.contains(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '/' | '.'))
    });
    if is_list { (names(bare), start) } else { nothing }
}
