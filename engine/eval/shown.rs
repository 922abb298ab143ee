//! What a packet's text shows: which paths it names, which symbols, and which lines of which files.
//!
//! Reads the text as an agent would, not what it was made from. Must not know how it was made beyond the form of its pieces of code.

use std::collections::BTreeSet;

/// Whether a text names `path` as a whole: not as the end of a longer path, nor as its beginning.
pub(super) fn names_path(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let mut before = text[..at].chars().rev();
        let (last, last_but_one) = (before.next(), before.next());
        let mut after = text[at + path.len()..].chars();
        let (first, second) = (after.next(), after.next());
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let goes_on_before = is_word(last) || matches!(last, Some('.' | '-')) || last == Some('/') && is_word(last_but_one);
        let goes_on_after = is_word(first) || matches!(first, Some('/' | '-')) || first == Some('.') && is_word(second);
        !goes_on_before && !goes_on_after
    })
}

/// Whether a text holds `name` as an identifier of its own.
pub(super) fn names_symbol(text: &str, name: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
    !name.is_empty()
        && text
            .match_indices(name)
            .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next()))
}

/// The lines of `path` that stand in a text's pieces of code.
pub(super) fn shown_lines(text: &str, path: &str) -> BTreeSet<u32> {
    let mut shown = BTreeSet::new();
    let mut lines = text.lines();
    let mut first = None;
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("[data ") else {
            first = first_line(line, path);
            continue;
        };
        let end = format!("[end {}]", fence.split(' ').next().unwrap_or_default());
        let mut number = first.take();
        for code in lines.by_ref().take_while(|line| *line != end) {
            let Some(at) = number else { continue };
            number = gap_end(code).unwrap_or(at).checked_add(1);
            if gap_end(code).is_none() {
                shown.insert(at);
            }
        }
    }
    shown
}

/// The first line of a piece of code of `path`, from its header `path:first-last (`.
fn first_line(header: &str, path: &str) -> Option<u32> {
    let lines = header.strip_prefix(path)?.strip_prefix(':')?.split_once(" (")?.0;
    let (first, last) = lines.split_once('-')?;
    last.parse::<u32>().ok().and_then(|_| first.parse().ok())
}

/// The last of the lines that `[... lines a-b are not shown ...]` leaves out.
fn gap_end(line: &str) -> Option<u32> {
    let lines = line.strip_prefix("[... lines ")?.strip_suffix(" are not shown ...]")?;
    lines.split_once('-')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_only_as_a_whole() {
        for (text, path, named) in [
            ("see a/b.go.", "a/b.go", true),
            ("(a/b.go:3)", "a/b.go", true),
            ("x/a/b.go", "a/b.go", false),
            ("/a/b.go", "a/b.go", true),
            ("a/b.gox", "a/b.go", false),
            ("a/b.go.bak", "a/b.go", false),
            ("my-b.go b.go", "b.go", true),
            ("my-b.go", "b.go", false),
            ("é/b.go", "b.go", false),
        ] {
            assert_eq!(names_path(text, path), named, "{path} in {text}");
        }
    }

    #[test]
    fn a_symbol_is_named_only_as_a_whole() {
        assert!(names_symbol("func (s *T) Run(", "Run"));
        assert!(!names_symbol("Runner $Run Run_2", "Run"));
        assert!(!names_symbol("anything", ""));
    }

    #[test]
    fn lines_count_from_the_header_and_jump_over_gaps() {
        let text = "LIKELY\n  - a.go (50, x)\n\na.go:3-20 (f, 50, why)\n[data 12 tracked]\nx\ny\n[... lines 5-9 are not shown ...]\nz\n[end 12]\n\
                    b.go:1-2 (g, 1, why)\n[data 12 tracked]\nq\n[end 12]\na.go:30-31 function f (1, why)\n[data 12 log]\nno\n[end 12]\n";
        assert_eq!(shown_lines(text, "a.go").into_iter().collect::<Vec<_>>(), [3, 4, 10]);
        assert_eq!(shown_lines(text, "b.go").into_iter().collect::<Vec<_>>(), [1]);
        assert!(shown_lines(text, "c.go").is_empty());
    }
}
