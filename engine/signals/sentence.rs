//! Tells what people write below a log from what programs write into it.
//!
//! Reads one line by its form. Must not know formats: programs write sentences too, so that what stands behind decides.

/// The fewest words of a sentence, and the fewest letters where words are not parted by blanks.
const MIN_WORDS: usize = 4;
const MIN_LETTERS: usize = 8;

/// Of so many words, this many are plain ones.
const PARTS: usize = 4;
const PLAIN_PARTS: usize = 3;

/// How headings of Markdown begin. One `#` begins comments too.
const HEADINGS: [&str; 4] = ["## ", "### ", "#### ", "**"];

/// What stands before an entry of a list.
const ENTRIES: [&str; 3] = ["- ", "* ", "> "];

/// Tags that end a block of text in HTML.
const ENDS: [&str; 3] = ["</details>", "</pre>", "</code>"];

/// Whether a line looks like one of somebody who writes to people: a sentence, a heading, the end of a folded text.
pub(super) fn is_sentence(line: &str) -> bool {
    let line = line.trim_end();
    if HEADINGS.iter().any(|start| line.starts_with(start)) || ENDS.iter().any(|end| line.starts_with(end)) {
        return true;
    }
    let inner = ENTRIES.iter().find_map(|start| line.strip_prefix(start)).unwrap_or(line);
    if !inner.starts_with(char::is_alphabetic) {
        return false;
    }
    let is_wide = |letter: char| letter.is_alphabetic() && !letter.is_lowercase() && !letter.is_uppercase();
    if inner.chars().filter(|letter| is_wide(*letter)).count() >= MIN_LETTERS {
        return true;
    }
    let mut words = inner.split_whitespace().peekable();
    // `error: no such file`
    let is_labelled = words.peek().is_some_and(|word| word.ends_with(':'));
    let (n_plain, n_words) = words.fold((0, 0), |(n, of), word| (n + usize::from(is_plain(word)), of + 1));
    !is_labelled && n_words >= MIN_WORDS && n_plain * PARTS >= n_words * PLAIN_PARTS
}

/// Whether a word is made of letters, marks of sentences around it aside.
fn is_plain(word: &str) -> bool {
    let inner = word.trim_matches(['.', ',', ';', ':', '!', '?', '(', ')', '"', '\'', '`', '*', '…', '“', '”']);
    !inner.is_empty() && inner.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '’' | '-'))
}

#[cfg(test)]
mod tests {
    use super::is_sentence;

    #[test]
    fn sentences_are_told_from_lines_of_programs() {
        for line in [
            "It only fails on my laptop, and I don't know why.",
            "- the `login` of guests is refused as well",
            "## Expected",
            "**Expected** that it passes",
            "升级之后登录测试一直失败",
            "</details>",
        ] {
            assert!(is_sentence(line), "{line}");
        }
        for line in [
            "",
            "    left: 1",
            "error: test failed, to rerun pass the name of it",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            "ok  \tx.com/auth\t0.2s",
            "# x.com/auth",
            "FAILED tests/test_a.py::test_b - assert 1 == 2",
            "at Object.<anonymous> (a.js:1:2)",
        ] {
            assert!(!is_sentence(line), "{line}");
        }
    }
}
