//! What a commit's message says of the change: whether its subject can be asked, as what, and which identifiers it names.
//!
//! Works on text alone.

use regex::Regex;
use repo::beginning;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Fewest words of an intent.
const MIN_WORDS: usize = 4;

/// Most bytes of a body that are kept.
const MAX_BODY_BYTES: usize = 600;

/// Fewest letters of an identifier that can be named.
const MIN_NAME: usize = 3;

type Pattern = LazyLock<Option<Regex>>;

/// Subjects of chores: nobody asks where they happen.
static CHORE: Pattern = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^(docs?|ci|build|style|tests?|release|revert|deps?|chore\(deps.*|format|lint|types?\(test.*)(\(.*?\))?!?:|^(fixup|squash|amend)!|",
        r"\b(bump(s|ed|ing)?|typos?|spelling|misspell\w*|changelog|release[sd]?|revert(s|ed|ing)?|merged?|merging|",
        r"rustfmt|gofmt|gofumpt|goimports|prettier|eslint|clippy|lint(s|er|ers|ing)?|golangci\S*|fmt|reformat\w*|formatting|",
        r"dependabot|renovate|copyright|licen[cs]e headers?|readme|dependenc(y|ies)|vendor(ed|ing)?|",
        r"code review|review (comments?|feedback|suggestions?)|address (\w+ )?(comments?|feedback)|suggestions? from|",
        r"wip|cleanup|clean up|doc(s|ument(s|ed|ing|ation)?|strings?)?|jsdoc|rustdoc|godoc|wording|grammar|\S+\.md|comm+ents?|",
        r"go\.(mod|sum)|nolint|staticcheck|revive|\w{2}\d{4}|to (the )?latest|cherry[- ]?pick\w*|backport\w*|",
        r"(fix|update|add|more|flaky|failing) (\w+ )?tests?|code style|nits?|prep(are)? for|go ?mod|toolchain|msrv|",
        r"(update|upgrade|regenerate) \S+ (to )?v?\d)\b|^v?\d+\.\d+",
    ))
    .ok()
});
/// Authors that are programs.
static PROGRAM: Pattern = LazyLock::new(|| Regex::new(r"(?i)\[bot\]|renovate|dependabot").ok());
/// The number of an issue, with what leads to it.
static ISSUE: Pattern = LazyLock::new(|| {
    Regex::new(r"(?i)\s*[\(\[]?(\b(closes?|fix(es)?|refs?|resolves?|pr|issue|see|re|gh)\b:?\s*)?[\w./-]*#\d+(,?\s*#\d+)*[\)\]]?")
        .ok()
});
static ADDRESS: Pattern = LazyLock::new(|| Regex::new(r"https?://\S+").ok());
static EMPTY_BRACKETS: Pattern = LazyLock::new(|| Regex::new(r"\(\s*\)|\[\s*\]").ok());
static SPACES: Pattern = LazyLock::new(|| Regex::new(r"\s+").ok());
/// A word of an intent.
static WORD: Pattern = LazyLock::new(|| Regex::new(r"[A-Za-z][\w'-]*").ok());
/// The end of an intent from which something was taken away.
static DANGLING: Pattern = LazyLock::new(|| Regex::new(r"\b(of|in|to|for|from|with|and|on|at|by|the)$").ok());
static NO_WORD: Pattern = LazyLock::new(|| Regex::new(r"\W+").ok());
/// A line at the end of a message that says whose it is, or what it closes.
static TRAILER: Pattern = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^(signed-off-by|co-authored-by|reviewed-by|change-id|fixes|closes|refs?|resolves|see|pr|issue|ref|",
        r"updates|related|cc|acked-by|tested-by|approved-by|suggested-by|reported-by|close|fix|closing)\b[:\s]*(#|http|\S+@|.*<.*>)",
    ))
    .ok()
});
/// A line of a body that says nothing.
static EMPTY_LINE: Pattern = LazyLock::new(|| Regex::new(r"^(<!--.*|#+ .*|http\S+|---+|\* \S+: .{0,20})$").ok());
/// The kind or package that a subject begins with.
static PREFIX: Pattern = LazyLock::new(|| Regex::new(r"^\s*[\w-]+(\([^)]*\))?!?:\s*").ok());
static FIRST: Pattern = LazyLock::new(|| Regex::new(r"^\W*([A-Za-z_$][\w$]*)").ok());
static IDENTIFIER: Pattern = LazyLock::new(|| Regex::new(r"[A-Za-z_$][\w$]*").ok());
/// A spelling that no plain word has.
static RICH: Pattern = LazyLock::new(|| Regex::new(r"[a-z0-9][A-Z]|_|\d|[A-Z]{2}[a-z]").ok());
/// What follows the point of a file's name or of an address.
static FILE_ENDING: Pattern = LazyLock::new(|| {
    Regex::new(r"^(json5?|ya?ml|toml|md|[cm]?[jt]sx?|rs|go|html?|s?css|lock|mod|sum|meta|com|dev|io|org|exe|txt|sh|git)\b").ok()
});

fn is_match(pattern: &Pattern, text: &str) -> bool {
    // The patterns are fixed; the tests use each of them.
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

fn replaced(pattern: &Pattern, text: &str, with: &str) -> String {
    pattern.as_ref().map_or_else(|| text.to_owned(), |pattern| pattern.replace_all(text, with).into_owned())
}

/// Whether a commit of this subject and author is a chore.
pub(super) fn is_chore(subject: &str, author: &str) -> bool {
    is_match(&PROGRAM, author) || is_match(&CHORE, subject)
}

/// A subject as it can be asked: without numbers of issues, addresses, and names of the files that are the answer.
pub(super) fn intent_of(subject: &str, gold: &[String]) -> String {
    let text = replaced(&ADDRESS, &replaced(&ISSUE, subject, " "), "");
    let is_answer = |word: &&str| {
        let core = word.trim_matches(|c| "`'\"()[],:;.".contains(c));
        let is_name = gold.iter().any(|path| path == core || path.rsplit('/').next() == Some(core));
        is_name || core.contains('/') && has_ending(core) && gold.iter().any(|path| path.ends_with(core))
    };
    let kept: Vec<&str> = text.split_whitespace().filter(|word| !is_answer(word)).collect();
    let text = replaced(&SPACES, &replaced(&EMPTY_BRACKETS, &kept.join(" "), ""), " ");
    text.trim_matches(|c| " -:,".contains(c)).to_owned()
}

fn has_ending(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, _)| !stem.is_empty())
}

/// Whether an intent says enough.
pub(super) fn says_enough(intent: &str) -> bool {
    let n_words = WORD.as_ref().map_or(0, |word| word.find_iter(intent).count());
    n_words >= MIN_WORDS && !is_match(&DANGLING, intent)
}

/// What two intents have in common that say the same.
pub(super) fn key(intent: &str) -> String {
    replaced(&NO_WORD, &intent.to_lowercase(), " ")
}

/// The first paragraph of a body that says something.
pub(super) fn first_paragraph(body: &str) -> String {
    let body = body.replace('\r', "");
    let mut paragraphs: Vec<Vec<&str>> = vec![Vec::new()];
    for line in body.lines().map(str::trim) {
        match paragraphs.last_mut() {
            Some(paragraph) if !line.is_empty() => paragraph.push(line),
            _ => paragraphs.push(Vec::new()),
        }
    }
    for lines in paragraphs {
        let said = lines.into_iter().filter(|line| !is_match(&TRAILER, line) && !is_match(&EMPTY_LINE, line));
        let text = replaced(&ADDRESS, &said.collect::<Vec<_>>().join(" "), "");
        let text = text.trim();
        if text.split_whitespace().count() >= MIN_WORDS {
            return beginning(text, MAX_BODY_BYTES).to_owned();
        }
    }
    String::new()
}

/// The identifiers of an intent that are among `defined`, in alphabetical order. A plain word counts only where it is written as code, or
/// with a capital letter inside the sentence.
pub(super) fn named(intent: &str, defined: &BTreeSet<String>) -> Vec<String> {
    let body = replaced(&PREFIX, intent, "");
    let first = FIRST.as_ref().and_then(|first| first.captures(&body)).and_then(|found| found.get(1));
    let start = intent.find(&body).unwrap_or_default();
    let is_first = |at: usize, word: &str| first.is_some_and(|first| first.as_str() == word && at <= start + first.start());
    let words = IDENTIFIER.iter().flat_map(|identifier| identifier.find_iter(intent));
    let is_named = |at: usize, word: &str| {
        let is_capital = word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase) && !is_first(at, word);
        is_capital || is_match(&RICH, word) || is_code(&intent[..at], word, &intent[at + word.len()..])
    };
    let named = words.filter(|word| word.len() >= MIN_NAME && defined.contains(word.as_str()));
    let named: BTreeSet<&str> = named.filter(|word| is_named(word.start(), word.as_str())).map(|word| word.as_str()).collect();
    named.into_iter().map(str::to_owned).collect()
}

/// Whether what stands around a word makes it code: backticks, `x()`, `a.x`, `a::x`.
fn is_code(before: &str, word: &str, after: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let member = before.strip_suffix('.').is_some_and(|before| before.ends_with(is_word)) && !is_match(&FILE_ENDING, word);
    let owner = after.strip_prefix('.').is_some_and(|after| after.starts_with(is_word) && !is_match(&FILE_ENDING, after));
    before.ends_with('`') && after.starts_with(['`', '('])
        || after.starts_with("()")
        || after.starts_with("::")
        || before.ends_with("::")
        || member
        || owner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chores_are_not_asked_for() {
        for subject in [
            "docs: say more about routers",
            "chore(deps): update x",
            "Bump foo from 1 to 2",
            "fix typo in router",
            "Merge branch x",
            "release 1.2",
            "v1.2.3",
            "address review comments",
            "run gofmt on everything",
            "fix flaky tests",
            "test(router): more",
            "upgrade serde to 2",
            "fixup! router",
            "Revert \"add routes\"",
            "clean up the router",
            "update README",
        ] {
            assert!(is_chore(subject, "Ada"), "{subject}");
        }
        assert!(is_chore("fix the router of the server", "renovate[bot]"));
        for subject in ["fix the router", "feat(build): allow flags", "contest: wrap errors", "testing hooks for routers"] {
            assert!(!is_chore(subject, "Ada"), "{subject}");
        }
    }

    #[test]
    fn numbers_addresses_and_the_answer_are_taken_out() {
        let gold = ["pkg/router/tree.go".to_owned(), "context.go".to_owned()];
        for (subject, intent) in [
            ("fix(router): wrong params (#123)", "fix(router): wrong params"),
            ("Handle empty paths, fixes #12, #13", "Handle empty paths"),
            ("Closes: owner/repo#4 handle paths", "handle paths"),
            ("handle paths [#77] https://example.com/x", "handle paths"),
            ("fix panic in `context.go` on reuse", "fix panic in on reuse"),
            ("router/tree.go: fix panic", "fix panic"),
            ("fix other.go in context", "fix other.go in context"),
        ] {
            assert_eq!(intent_of(subject, &gold), intent, "{subject}");
        }
        assert!(says_enough("fix panic in the router"));
        assert!(!says_enough("fix the router"));
        assert!(!says_enough("take the lock out of"));
        assert_eq!(key("Fix: the `Router`!"), key("fix the router "));
    }

    #[test]
    fn the_first_paragraph_that_says_something_is_kept() {
        let body = "Fixes #12\nSigned-off-by: Ada <ada@example.com>\n\n## Why\nhttps://example.com\n\nIt was wrong  \r\nfor empty paths.\n\nMore.";
        assert_eq!(first_paragraph(body), "It was wrong for empty paths.");
        assert_eq!(first_paragraph("short one\n\nCo-authored-by: x <y@z>"), "");
    }

    #[test]
    fn identifiers_are_named_by_their_spelling_or_by_what_stands_around() {
        let defined: BTreeSet<String> =
            ["Router", "handle", "parsePath", "Fix", "json", "ID", "max_depth", "context"].map(str::to_owned).into();
        for (intent, names) in [
            ("fix handle of the Router", "Router"),
            ("Fix what the router does", ""),
            ("Router: fix it", "Router"),
            ("fix: Router does wrong", ""),
            ("router: parsePath and max_depth", "max_depth parsePath"),
            ("let `handle` return", "handle"),
            ("call handle() twice", "handle"),
            ("keep context.json as it is", ""),
            ("keep context.handle as it is", "context handle"),
            ("keep a::handle", "handle"),
        ] {
            assert_eq!(named(intent, &defined).join(" "), names, "{intent}");
        }
    }
}
