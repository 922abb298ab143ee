//! The files that texts spell out.

use repo::FileEntry;
use rustc_hash::FxHashSet;

/// The most words of texts that may be paths: whole logs are pasted.
const MAX_WORDS: usize = 4_096;

/// The files whose paths, or ends of paths, stand in texts, those with the longest first; then what lies below folders that do.
pub(super) fn spelled(texts: &[&str], files: &[FileEntry]) -> Vec<usize> {
    let is_end = |letter: char| letter.is_whitespace() || "\"'`()[]{}<>,;:#|=".contains(letter);
    let words = texts.iter().flat_map(|text| text.split(is_end)).map(|word| word.trim_matches(['.', '/']));
    let words: FxHashSet<&str> = words.filter(|word| word.contains(['.', '/'])).take(MAX_WORDS).collect();
    // Of an absolute path and of `b/src/a.rs` in a patch the end is one of the repository.
    let ends: FxHashSet<&str> = words.iter().flat_map(|word| tails(word)).collect();
    let found = |(number, entry): (usize, &FileEntry)| {
        let end = tails(entry.path.as_str()).find(|tail| ends.contains(tail))?;
        Some((std::cmp::Reverse(end.matches('/').count()), number))
    };
    let mut files_found: Vec<_> = files.iter().enumerate().filter_map(found).collect();
    files_found.sort_unstable();
    let is_below = |path: &str| path.match_indices('/').any(|(at, _)| words.contains(&path[..at]));
    let below = files.iter().enumerate().filter(|(_, entry)| is_below(entry.path.as_str()));
    files_found.into_iter().map(|(_, number)| number).chain(below.map(|(number, _)| number)).collect()
}

/// A path and what is left of it behind each slash, the longest first.
fn tails(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path).chain(path.match_indices('/').map(|(at, _)| &path[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::spelled;
    use repo::testing::Scratch;
    use repo::{Repo, WalkOptions};

    #[test]
    fn paths_are_found_by_their_ends_and_folders_by_their_whole() {
        let scratch = Scratch::new();
        for path in ["a.go", "api/serve.go", "auth/token.go", "authz/token.go", "docs/a b.md", "lib/auth/token.go"] {
            scratch.write(path, "package a\n");
        }
        let files = Repo::open(scratch.path()).expect("a repository").walk(&WalkOptions::default()).expect("a list").files;
        let found =
            |text: &str| -> Vec<&str> { spelled(&[text], &files).into_iter().map(|file| files[file].path.as_str()).collect() };
        assert_eq!(found("panics at /home/me/r/api/serve.go:12:3"), ["api/serve.go"]);
        assert_eq!(found("+++ b/lib/auth/token.go"), ["lib/auth/token.go", "auth/token.go", "authz/token.go"]);
        assert_eq!(found("in `auth/` and ./a.go."), ["a.go"]);
        assert_eq!(found("in auth/ and lib/auth"), ["lib/auth/token.go"]);
        assert_eq!(found("GET / fails // at 10.0.0.1 | src/none.go"), [""; 0]);
    }
}
