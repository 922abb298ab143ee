//! What is to be done, read from the first words of an intent.
//!
//! Must not know names or places; a word in quotes is a name, whatever it means otherwise.

use activate_rules::weights::Verb;

/// Words of the beginning among which a complaint is looked for.
const FIRST_WORDS: usize = 40;

/// Words from the verb on that say what is to be done: "add more tests", "make the parser faster".
const ASKED_WORDS: usize = 4;

/// Words of the beginning among which the verb is looked for, those that only ask aside.
const FIRST_OPENERS: usize = 3;

/// What begins a name in quotes.
const QUOTES: [char; 5] = ['`', '"', '\'', '“', '‘'];

/// What a word says when it opens the intent or is the type of a conventional commit.
const OPENERS: [(Verb, &[&str]); 9] = [
    (Verb::Fix, &["fix", "bugfix", "hotfix", "repair", "resolve", "correct", "debug", "handle", "prevent", "avoid", "revert"]),
    (Verb::Add, &["add", "feat", "feature", "implement", "support", "create", "introduce", "allow", "enable", "expose", "make"]),
    (
        Verb::Refactor,
        &[
            "refactor",
            "rename",
            "move",
            "extract",
            "simplify",
            "restructure",
            "clean",
            "cleanup",
            "split",
            "merge",
            "style",
            "replace",
        ],
    ),
    (Verb::Explain, &["explain", "describe", "understand"]),
    (Verb::Test, &["test", "tests", "cover"]),
    (Verb::Review, &["review", "audit", "inspect", "verify"]),
    (Verb::Remove, &["remove", "delete", "drop", "deprecate"]),
    (Verb::Optimize, &["perf", "optimize", "optimise", "speed", "reduce"]),
    (Verb::Document, &["docs", "doc", "document", "documentation"]),
];

/// What a question begins with; later in a sentence these words only join clauses ("show a hint when ...").
const QUESTIONS: [&str; 3] = ["why", "how", "what"];

/// What begins a question or a clause.
const PLACES: [&str; 3] = ["where", "when", "which"];

/// What follows these in a question.
const AUXILIARIES: [&str; 8] = ["does", "do", "is", "are", "did", "was", "were", "will"];

/// Words that ask for something and do not say what.
const ASKING: [&str; 12] = ["please", "we", "i", "you", "need", "want", "would", "like", "should", "must", "can", "to"];

/// Words that may stand before a question and leave it one: "show me how ...", "please tell us why ...".
const BEFORE_QUESTIONS: [&str; 7] = ["show", "tell", "find", "me", "us", "out", "say"];

/// Words that complain wherever they stand, by how they begin.
const COMPLAINTS: [&str; 14] = [
    "panic",
    "crash",
    "fail",
    "broken",
    "bug",
    "error",
    "wrong",
    "leak",
    "hang",
    "deadlock",
    "incorrect",
    "regress",
    "exception",
    "flak",
];

/// The verb of an intent of this text; `has_trace` when it holds a stack trace.
pub(super) fn verb(text: &str, has_trace: bool) -> Verb {
    let words_of = |text: &'_ str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    // "please fix", "we should add": the second and third words count where the first says nothing.
    // `login_test.go:12` tests nothing.
    let is_name = |word: &str| {
        // The scope of `fix(http_client):` says nothing of its type.
        let word = word.split('(').next().unwrap_or_default();
        word.contains('_') || word.trim_end_matches(['.', '?', '!']).contains('.') || word.contains("::")
    };
    let unquoted = text.split_whitespace().filter(|word| !word.starts_with(QUOTES) && !is_name(word));
    let asks = |word: &String| ASKING.contains(&word.as_str());
    let opening: Vec<String> = unquoted.flat_map(words_of).filter(|word| !asks(word)).take(FIRST_OPENERS).collect();
    let mut asked = opening.iter().map(String::as_str).skip_while(|word| BEFORE_QUESTIONS.contains(word));
    let (first, second) = (asked.next().unwrap_or_default(), asked.next().unwrap_or_default());
    // "When the token is empty, the server crashes" asks nothing.
    let is_question =
        QUESTIONS.contains(&first) || PLACES.contains(&first) && (text.contains('?') || AUXILIARIES.contains(&second));
    if is_question && !has_trace {
        return Verb::Explain;
    }
    let is_opener = |word: &String| opener(word).is_some();
    if let Some(verb) = opening.iter().find_map(|word| opener(word)) {
        let asked: Vec<String> =
            text.split_whitespace().flat_map(words_of).skip_while(|word| !is_opener(word)).take(ASKED_WORDS).collect();
        let has = |list: &[&str]| asked.iter().any(|word| list.contains(&word.as_str()));
        return match verb {
            Verb::Add if has(&["test", "tests", "coverage"]) => Verb::Test,
            Verb::Add if has(&["faster", "quicker", "smaller", "cheaper"]) => Verb::Optimize,
            // Reports begin with the tests that failed.
            Verb::Test if has_trace => Verb::Fix,
            verb => verb,
        };
    }
    let complains = has_trace || text.split_whitespace().flat_map(words_of).take(FIRST_WORDS).any(|word| is_complaint(&word));
    if complains { Verb::Fix } else { Verb::Other }
}

/// What a word says at the beginning, in its inflected forms too.
pub(super) fn opener(word: &str) -> Option<Verb> {
    let is = |stem: &str| {
        word.strip_prefix(stem).is_some_and(|rest| matches!(rest, "" | "s" | "es" | "ed" | "d" | "ing"))
            || stem.strip_suffix('e').and_then(|stem| word.strip_prefix(stem)) == Some("ing")
    };
    OPENERS.iter().find(|(_, stems)| stems.iter().any(|stem| is(stem))).map(|(verb, _)| *verb)
}

fn is_complaint(word: &str) -> bool {
    COMPLAINTS.iter().any(|complaint| word.starts_with(complaint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_is_the_first_word_that_says_what_to_do() {
        let cases = [
            ("fix ValidateToken", Verb::Fix),
            ("feat(logger): ability to skip logs", Verb::Add),
            ("Please refactor the store", Verb::Refactor),
            ("src/auth/login.go:45 panics on empty token", Verb::Fix),
            ("login_test.go:45: Login() = nil, wanted an error", Verb::Fix),
            ("why does parse_token fail?", Verb::Explain),
            ("fix(http_client): empty header", Verb::Fix),
            ("When the header is empty the server crashes", Verb::Fix),
            ("where are tokens parsed", Verb::Explain),
            ("Show me how tokens are parsed", Verb::Explain),
            ("show a hint when a token is old", Verb::Other),
            ("check for existence of the file", Verb::Other),
            ("we need to remove the cookie", Verb::Remove),
            ("add unit tests for the cookie", Verb::Test),
            ("make the parser faster", Verb::Optimize),
            ("we are removing the cookie", Verb::Remove),
            ("removing the cookie", Verb::Remove),
            ("docs: say what a token is", Verb::Document),
            ("the banner cuts long messages", Verb::Other),
            ("`handle` loses rows", Verb::Other),
            ("\"test\" fails on Windows", Verb::Fix),
            ("handle timeouts in `fix`", Verb::Fix),
            ("rg crashes when the file is empty", Verb::Fix),
            ("", Verb::Other),
        ];
        for (text, expected) in cases {
            assert_eq!(verb(text, false), expected, "{text}");
        }
        assert_eq!(verb("main.main()", true), Verb::Fix);
        assert_eq!(verb("test result: 1 failed", true), Verb::Fix);
    }
}
