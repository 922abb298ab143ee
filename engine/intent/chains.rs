//! Chains of wrapped errors in logs: `server: store x is in use: permission denied`. Each part is a message of some code, which has its
//! words in a string.
//!
//! Must not know messages: a part speaks only for the files that have all of its words in strings.

use super::blocks::{Kind, blocks};
use super::bounds::{MAX_SHARED, MAX_TEXT, WHOLE};
use super::evidence::CueHits;
use super::shapes::beginning;
use activate_rules::atoms::{Cue, NodeId};
use index::base::FactBase;
use index::text::{Field, Form, TextIndex, for_each_word};
use rustc_hash::FxHashSet;

/// What stands between an error and the one that it wraps.
const WRAPS: &str = ": ";

/// The fewest parts of a chain: who writes, what failed, and why.
const MIN_PARTS: usize = 3;

/// The most parts that are looked up: a log repeats its errors.
const MAX_PARTS: usize = 40;

/// The fewest words of a part that say something, the fewest letters of such a word, and the most words of a part.
const MIN_WORDS: usize = 2;
const MIN_LETTERS: usize = 3;
const MAX_WORDS: usize = 16;

/// Adds the files whose strings have the words of a part of a chain. `is_read` as for [`blocks`].
pub(super) fn add_chains(base: &FactBase, text: &str, is_read: &[bool], cue_hits: &mut CueHits<'_>) {
    let is_chain = |line: &str| line.split(WRAPS).nth(MIN_PARTS - 1).is_some();
    let Some(index) = base.text().ok().filter(|_| text.lines().any(is_chain)) else { return };
    let mut known: FxHashSet<Vec<String>> = FxHashSet::default();
    for block in blocks(beginning(text, MAX_TEXT), is_read).iter().filter(|block| block.kind == Kind::Output) {
        for message in block.text.lines().filter(|line| is_chain(line)).flat_map(|line| line.split(WRAPS)) {
            let words = words(message);
            if known.len() == MAX_PARTS {
                return;
            }
            if !(MIN_WORDS..=MAX_WORDS).contains(&words.iter().filter(|word| word.len() >= MIN_LETTERS).count())
                || !known.insert(words.clone())
            {
                continue;
            }
            let files = with_literals(&index, &words);
            if files.len() <= MAX_SHARED {
                for file in &files {
                    cue_hits.add_said(*file, Cue::Failure, WHOLE / files.len() as u32, &words);
                }
            }
        }
    }
}

/// The words of a message without the values that were put into it.
fn words(message: &str) -> Vec<String> {
    let is_value = |word: &&str| word.contains(|c: char| c.is_ascii_digit() || matches!(c, '/' | '\\' | '=' | '"' | '\'' | '`'));
    let mut words = Vec::new();
    for word in message.split_whitespace().filter(|word| !is_value(word)).take(MAX_WORDS) {
        for_each_word(word.as_bytes(), |word, form| {
            if form != Form::Part {
                words.push(word.to_owned());
            }
        });
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// The files that have all of these words in strings.
fn with_literals(index: &TextIndex<'_>, words: &[String]) -> Vec<NodeId> {
    let mut rarest: Vec<&String> = words.iter().collect();
    rarest.sort_by_key(|word| index.document_frequency(word));
    let of_word = |word: &String| -> FxHashSet<u32> {
        let postings = index.lookup(word).filter(|posting| posting.fields().contains(Field::Literal));
        postings.map(|posting| posting.doc).collect()
    };
    let mut words = rarest.into_iter();
    let mut files = words.next().map(&of_word).unwrap_or_default();
    for word in words {
        if files.is_empty() {
            break;
        }
        let others = of_word(word);
        files.retain(|file| others.contains(file));
    }
    let mut files: Vec<NodeId> = files.into_iter().map(NodeId).collect();
    files.sort_unstable();
    files
}

#[cfg(test)]
mod tests {
    use super::super::{Intent, read};
    use activate_rules::atoms::Cue;
    use activate_rules::weights::Weights;
    use index::fixture::base;
    use index::history::PastCommits;

    #[test]
    fn a_part_of_a_chain_speaks_for_the_files_that_have_its_words_in_a_string() {
        let base = base(
            "//- disk.go\npackage m\nfunc Open() error { return fmt.Errorf(\"shelf %s is taken: %w\", path, err) }\n\
             //- shelf.go\npackage m\n// A shelf is taken by nobody.\nfunc take() {}\n\
             //- run.go\npackage m\nfunc run() { log.Fatalf(\"server: %v\", err) }\n",
        );
        let failing = |text: &str| {
            let intent: Intent = read(&base, text, &Weights::default(), &PastCommits::default());
            let cue_hits = intent.cue_hits.iter().filter(|hit| hit.cue == Cue::Failure);
            cue_hits.map(|hit| base.id(hit.node)).collect::<Vec<_>>()
        };
        let stamps = ["Feb 25 06:12:44 db2 auth[8121]", "2026-02-25T06:12:44Z ERROR auth"];
        for stamp in stamps {
            let text = format!("it stops after the night\n\n{stamp}: server: shelf /var/7 is taken: permission denied\n");
            assert_eq!(failing(&text), ["disk.go"], "{text}");
        }
        for text in ["the shelf is taken: server: why", "it stops\n\n2026-02-25T06:12:44Z the shelf was full: no room: sorry\n"] {
            assert!(failing(text).is_empty(), "{text}");
        }
    }
}
