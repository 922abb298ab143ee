//! What a packet's text shows: which paths it names, which symbols, and which lines of which files.
//!
//! Reads the text as an agent would, not what it was made from.

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

/// The numbers of the lines of `path` that stand in a text's pieces of code, and these pieces.
pub(super) fn shown_code(text: &str, path: &str) -> (BTreeSet<u32>, String) {
    let (mut shown, mut pieces) = (BTreeSet::new(), String::new());
    let mut end = None;
    let (mut is_of_path, mut number) = (false, None);
    for line in text.lines() {
        match line.strip_prefix("[data ") {
            Some(fence) if end.is_none() => {
                end = Some(format!("[end {}]", fence.split(' ').next().unwrap_or_default()));
                continue;
            }
            _ if end.as_deref() == Some(line) => (end, is_of_path) = (None, false),
            _ => {}
        }
        // A line has its number, or the next one; what has another word in the gutter is not a line of the file: a header, or a gap.
        number = match line.split(' ').next().unwrap_or_default() {
            "" => number.map(|before: u32| before + 1),
            gutter => gutter.parse().ok(),
        };
        match number.filter(|_| end.is_some()) {
            Some(number) if is_of_path => {
                shown.insert(number);
                pieces.push_str(line);
                pieces.push('\n');
            }
            None if line != GAP => is_of_path = first_line(line, path).is_some(),
            _ => {}
        }
    }
    (shown, pieces)
}

/// What stands for lines that are left out.
const GAP: &str = "...";

/// The first line of a piece of code of `path`, from its header `path:first-last (`.
fn first_line(header: &str, path: &str) -> Option<u32> {
    let lines = header.strip_prefix(path)?.strip_prefix(':')?.split_once(" (")?.0;
    let (first, last) = lines.split_once('-')?;
    last.parse::<u32>().ok().and_then(|_| first.parse().ok())
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
    fn lines_are_those_with_numbers_below_the_header_of_their_file() {
        let text = "LIKELY\n  - a.go (x)\n\n[data 12 tracked]\na.go:3-20 (why)\n3 x\n\n y\n...\n10 z\nb.go:1-2 (why)\n1 q\n[end 12]\na.go:30-31 function f (why)\n[data 12 log]\n30 no\n[end 12]\n";
        let lines = |path: &str| shown_code(text, path).0.into_iter().collect::<Vec<_>>();
        assert_eq!(lines("a.go"), [3, 4, 5, 10]);
        assert_eq!(shown_code(text, "b.go"), (BTreeSet::from([1]), "1 q\n".to_owned()));
        assert!(lines("c.go").is_empty());
    }
}
