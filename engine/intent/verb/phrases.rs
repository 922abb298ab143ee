//! English phrases that wish for something or complain, where no first word says what to do.

use super::opener;
use crate::scripts::words as pieces;
use activate_rules::weights::Verb;

/// Words of a text among which a wish begins.
const WISH_WORDS: usize = 15;

/// Words of a sentence among which it says that something is not as it should be.
const DENIAL_WORDS: usize = 10;

/// Sentences that are looked at for that.
const MAX_SENTENCES: usize = 6;

/// What wishes for something that is not there.
const WISHES: [&str; 12] = [
    "would be nice",
    "would be great",
    "would be good",
    "would be useful",
    "would be helpful",
    "would be cool",
    "is it possible to",
    "would love to",
    "would like to",
    "i d like to",
    "we d like to",
    "ability to",
];

/// Words between a wish and what is wished for.
const BETWEEN: [&str; 9] = ["to", "if", "we", "i", "you", "could", "can", "have", "be"];

/// What follows a wish that wishes for nothing: "I would like to report ...".
const SAYING: [&str; 6] = ["report", "know", "ask", "discuss", "mention", "share"];

/// What says that something does not do what it should.
const DENIALS: [&str; 13] = [
    "does not",
    "doesn t",
    "did not",
    "didn t",
    "no longer",
    "should not",
    "shouldn t",
    "is ignored",
    "are ignored",
    "cannot",
    "can t",
    "unable to",
    "missing",
];

/// What things are said to do to what is theirs; of a person or a change it is what is done.
const TOLD: [&str; 3] = ["drops", "removes", "deletes"];

/// What does such a thing on purpose.
const CHANGES: [&str; 6] = ["this", "pr", "patch", "commit", "change", "branch"];

/// What things are said to do that should not: of a command, after its name.
const FAULTS: [&str; 13] = [
    "fails", "panics", "crashes", "hangs", "leaks", "breaks", "omits", "loses", "ignores", "swallows", "forgets", "doesn",
    "stalls",
];

/// What begins a clause of its own: "add a retry when the login fails".
const CLAUSES: [&str; 13] =
    ["that", "which", "when", "if", "where", "who", "how", "what", "why", "because", "so", "unless", "until"];

/// Whether the first sentence tells what goes wrong behind a word that would open a task: "`pr create` fails with a bare message".
pub(super) fn tells_of_fault(text: &str, behind: &str) -> bool {
    let sentence = text.split(['.', '!', '?', '\n']).find(|sentence| !sentence.trim().is_empty()).unwrap_or_default();
    let words: Vec<String> = words_of(sentence).collect();
    let from = if behind.is_empty() { Some(0) } else { words.iter().position(|word| word == behind) };
    let said = words.iter().skip(from.map_or(words.len(), |at| at + 1)).take_while(|word| !CLAUSES.contains(&word.as_str()));
    let said: Vec<&str> = said.map(String::as_str).collect();
    // "The report breaks totals down": what it is for.
    let is_parting = said.contains(&"breaks") && said.iter().any(|word| matches!(*word, "down" | "into"));
    said.iter().any(|word| FAULTS.contains(word) && !(is_parting && *word == "breaks"))
}

/// What a wish asks for: the verb after it, or something new.
pub(super) fn wish(words: &[String]) -> Option<Verb> {
    let (at, wish) =
        (0..words.len().min(WISH_WORDS)).find_map(|at| WISHES.iter().find_map(|wish| Some((at, after(&words[at..], wish)?))))?;
    let wished = words[at + wish..].iter().find(|word| !BETWEEN.contains(&word.as_str()))?;
    (!SAYING.contains(&wished.as_str())).then(|| opener(wished).unwrap_or(Verb::Add))
}

/// Whether one of the first sentences says near its beginning that something is not as it should be.
pub(super) fn denies(text: &str) -> bool {
    text.split(['.', '!', '?', '\n']).take(MAX_SENTENCES).any(|sentence| {
        let words: Vec<String> = words_of(sentence).take(DENIAL_WORDS).collect();
        (0..words.len()).any(|at| DENIALS.iter().any(|denial| after(&words[at..], denial).is_some()))
    })
}

/// Whether a word only tells what a thing does: "it drops messages", but not "drops support for Go 1.20" or "this change drops ...".
pub(super) fn is_told(text: &str, word: &str) -> bool {
    if !TOLD.contains(&word) {
        return false;
    }
    let words: Vec<&str> = pieces(text).collect();
    let is_it = |other: &&str| other.trim_matches(|letter: char| !letter.is_alphanumeric()).eq_ignore_ascii_case(word);
    let Some(at) = words.iter().position(is_it) else { return false };
    let of_support = words.iter().skip(at + 1).take(2).any(|word| word.eq_ignore_ascii_case("support"));
    let is_first = at == 0 || words[at - 1].ends_with([':', ')']);
    let of_change = words[..at].iter().any(|word| CHANGES.iter().any(|change| word.eq_ignore_ascii_case(change)));
    // "Removes the cookie" is how commits speak, "drops rows" how reports do.
    !of_support && !of_change && (!is_first || word == "drops")
}

/// The number of words of a phrase, if words begin with it.
fn after(words: &[String], phrase: &str) -> Option<usize> {
    let mut n_words = 0;
    for wanted in phrase.split(' ') {
        words.get(n_words).filter(|word| *word == wanted)?;
        n_words += 1;
    }
    Some(n_words)
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
