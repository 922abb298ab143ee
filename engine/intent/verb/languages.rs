//! What a text in another language than English asks for.
//!
//! What is not plain stays open: a wrong verb is worse than none.

use super::tables::{CHINESE, JAPANESE, KOREAN, SPACED, Spaced, THAI, Unspaced};
use crate::scripts::is_wide;
use crate::shapes::beginning;
use activate_rules::weights::Verb;
use index::text::{LanguageCounts, fold};

/// Bytes of the beginning of a text that are read.
const MAX_BYTES: usize = 2048;

/// Sentences that are read: greetings come first.
const MAX_SENTENCES: usize = 3;

/// Words of a sentence among which the verb is looked for.
const MAX_WORDS: usize = 40;

/// Words among which a question begins.
const FIRST_WORDS: usize = 3;

/// What denies the Chinese verb right after it.
const DENIALS: [&str; 5] = ["不", "没", "无法", "無法", "未能"];

/// What a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VerbReading {
    /// What is to be done.
    Verb(Verb),
    /// Something that does not work.
    Complaint,
    /// Two things at once.
    Open,
}

/// What the beginning of a text says, in any of the languages of the tables.
pub(super) fn verb_reading(text: &str) -> Option<VerbReading> {
    let text = fold(beginning(text, MAX_BYTES));
    let sentences = sentences(&text).take(MAX_SENTENCES);
    let counts = LanguageCounts::new(&text);
    // English texts have words of the tables by chance.
    let n_of = |table: &Spaced| table.language.map(|language| counts.of(language));
    let mut spaced: Vec<&Spaced> = SPACED.iter().filter(|table| n_of(table).is_none_or(|n| n >= counts.english)).collect();
    spaced.sort_by_key(|table| std::cmp::Reverse(n_of(table)));
    for sentence in sentences {
        let found = if sentence.contains(is_wide) {
            in_unspaced(sentence)
        } else {
            let words: Vec<&str> = words(sentence).take(MAX_WORDS).collect();
            spaced.iter().find_map(|table| in_spaced(&words, table, n_of(table) == Some(0)))
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The sentences and lines of a text; a dot inside a name ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split(['\n', '。', '！', '？', '!', '?', '؟', '।']);
    lines.flat_map(|line| line.split(". ")).map(str::trim).filter(|sentence| sentence.chars().any(char::is_alphabetic))
}

/// The words of a sentence. Vowel signs of Indic scripts belong to their letters.
fn words(sentence: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '\u{900}'..='\u{963}' | '\u{980}'..='\u{9e3}');
    sentence.split(move |letter: char| !is_of_word(letter)).filter(|word| !word.is_empty())
}

/// Words that are also English ones, or of names: they count only where other words are of the language.
const SHARED: [&str; 15] = [
    "comment", "come", "remove", "cree", "crea", "sistema", "retire", "jak", "wie", "como", "error", "sil", "gider", "pada",
    "revise",
];

fn in_spaced(words: &[&str], table: &Spaced, is_alone: bool) -> Option<VerbReading> {
    let starts = |entries: &[&str], at: usize| {
        entries.iter().any(|entry| !(is_alone && SHARED.contains(entry)) && begins_with(&words[at..], entry))
    };
    let any = |entries: &[&str]| (0..words.len()).any(|at| starts(entries, at));
    let verb_at = |at: usize| table.verbs.iter().find(|(_, entries)| starts(entries, at)).map(|(verb, _)| (at, *verb));
    let n_asking = if table.asks_anywhere { words.len() } else { FIRST_WORDS.min(words.len()) };
    let question = (0..n_asking).find(|at| starts(table.questions, *at));
    let is_denied = |at: usize| (1..=2.min(at)).any(|n| table.denials.contains(&words[at - n..at].join(" ").as_str()));
    let verb = (0..words.len()).find_map(verb_at);
    let fails = any(table.failures);
    if let Some(at) = question
        && (table.asks_anywhere || verb.is_none_or(|(verb_at, _)| at < verb_at))
    {
        return Some(VerbReading::Verb(Verb::Explain));
    }
    match verb {
        // "does not remove", "when adding": what happens.
        Some((at, _)) if is_denied(at) => Some(if fails { VerbReading::Complaint } else { VerbReading::Open }),
        Some((at, verb)) if verb != Verb::Fix && fails && at > 1 => Some(VerbReading::Open),
        Some((_, verb)) => Some(VerbReading::Verb(verb)),
        None => (fails || any(table.faults)).then_some(VerbReading::Complaint),
    }
}

/// Whether words begin with those of an entry.
fn begins_with(words: &[&str], entry: &str) -> bool {
    let mut words = words.iter();
    entry.split(' ').all(|wanted| {
        words.next().is_some_and(|word| match wanted.strip_suffix('*') {
            Some(beginning) => word.starts_with(beginning),
            None => *word == wanted,
        })
    })
}

fn in_unspaced(sentence: &str) -> Option<VerbReading> {
    let has = |first: char, last: char| sentence.contains(|letter| (first..=last).contains(&letter));
    let table = if has('\u{3041}', '\u{30ff}') {
        &JAPANESE
    } else if has('\u{ac00}', '\u{d7a3}') {
        &KOREAN
    } else if has('\u{e01}', '\u{e4e}') {
        &THAI
    } else {
        &CHINESE
    };
    let any = |entries: &[&str]| entries.iter().any(|entry| sentence.contains(entry));
    let fails = any(table.failures);
    // A request stands beside a question only in a clause of its own: "I do not know why, please fix".
    let clauses: Vec<&str> = sentence.split(['，', ',', '；', ';', '、']).collect();
    let asks = |clause: &str| table.questions.iter().any(|entry| clause.contains(entry));
    let mut verbs: Vec<Verb> = clauses.iter().filter(|clause| !asks(clause)).filter_map(|clause| asked(clause, table)).collect();
    if table.is_verb_last {
        verbs.reverse();
    }
    match verbs.first() {
        Some(&verb) if verb != Verb::Fix && fails => Some(VerbReading::Open),
        Some(&verb) => Some(VerbReading::Verb(verb)),
        None if asks(sentence) => Some(VerbReading::Verb(Verb::Explain)),
        None => (fails || any(table.faults)).then_some(VerbReading::Complaint),
    }
}

/// The verb of a clause that asks for something.
fn asked(clause: &str, table: &Unspaced) -> Option<Verb> {
    let mut found: Vec<(usize, usize, Verb)> = Vec::new();
    for (verb, entries) in table.verbs {
        for entry in *entries {
            for (at, _) in clause.match_indices(entry) {
                let rest = &clause[at + entry.len()..];
                let is_denied = DENIALS.iter().any(|denial| clause[..at].trim_end_matches('能').ends_with(denial));
                if !is_denied && !table.told.iter().any(|told| rest.starts_with(told)) {
                    found.push((at, entry.len(), *verb));
                }
            }
        }
    }
    // Of two that begin at one place the longer one says more.
    let key = |&(at, length, _): &(usize, usize, Verb)| {
        (if table.is_verb_last { usize::MAX - (at + length) } else { at }, usize::MAX - length)
    };
    found.into_iter().min_by_key(key).map(|(.., verb)| verb)
}
