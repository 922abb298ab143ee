//! Which words of what fails speak: names, quoted texts, and what the failing code says itself.
//!
//! The rest of a message is a phrase of a runtime, a compiler or a runner, of which any file may have the words by chance.

use super::shapes::is_code;
use crate::failures::Failures;
use activate_rules::atoms::NodeId;
use index::base::FactBase;
use index::text::{Field, Form, TextIndex, for_each_word, is_stop_word};
use rustc_hash::{FxHashMap, FxHashSet};

/// What stands around words without belonging to them.
const AROUND: [char; 12] = ['(', ')', '[', ']', '{', '}', ',', ';', ':', '.', '!', '?'];

/// The words of messages that speak, line by line.
pub(super) fn failure_terms(base: &FactBase, failures: &Failures, messages: &str) -> String {
    let Ok(index) = base.text() else { return String::new() };
    let mut judge = Judge { files: failing_files(base, failures), index, known: FxHashMap::default() };
    let mut terms = String::new();
    for line in messages.lines() {
        let n_quotes = line.matches('"').count();
        for (at, stretch) in line.split('"').enumerate() {
            // Without its other end a quote is none.
            let is_quoted = at % 2 == 1 && at < n_quotes;
            for word in stretch.split_whitespace().filter(|word| is_quoted || judge.speaks(word)) {
                // Packages and folders before a name say where it is from, and so of nearly all names; what is quoted is meant as it is.
                let name = word.rsplit('/').find(|name| !name.is_empty()).filter(|_| !is_quoted);
                terms.push_str(name.unwrap_or(word));
                terms.push(' ');
            }
        }
        terms.push('\n');
    }
    terms
}

/// The files in which something fails, or through which the way to it leads.
fn failing_files(base: &FactBase, failures: &Failures) -> FxHashSet<NodeId> {
    let of_tests = failures.tests.iter().flat_map(|test| &test.frames);
    let through = failures.diagnostics.iter().flat_map(|found| &found.frames).chain(of_tests).map(|(_, spot)| spot.file);
    failures.nodes().into_iter().map(|node| base.file_of(node)).chain(through).collect()
}

struct Judge<'b> {
    files: FxHashSet<NodeId>,
    index: TextIndex<'b>,
    /// What was looked up: messages repeat themselves.
    known: FxHashMap<String, bool>,
}

impl Judge<'_> {
    fn speaks(&mut self, word: &str) -> bool {
        let word = word.trim_matches(AROUND);
        let is_between = |quote: char| word.len() > 2 && word.strip_prefix(quote).is_some_and(|rest| rest.ends_with(quote));
        if is_between('`') || is_between('\'') || is_code(word) {
            return true;
        }
        let mut is_said = false;
        for_each_word(word.as_bytes(), |part, form| is_said |= form != Form::Part && self.is_literal(part));
        is_said
    }

    /// Whether a string of the failing code has a word: then its message does. Words of grammar stand in strings of any code.
    fn is_literal(&mut self, word: &str) -> bool {
        if is_stop_word(word) {
            return false;
        }
        if let Some(known) = self.known.get(word) {
            return *known;
        }
        let mut postings = self.index.lookup(word);
        let is_literal =
            postings.any(|posting| self.files.contains(&NodeId(posting.doc)) && posting.fields().contains(Field::Literal));
        self.known.insert(word.to_owned(), is_literal);
        is_literal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::fixture::base;
    use redact::Masker;
    use signals::Report;

    #[test]
    fn names_quotes_and_what_the_failing_code_says_speak_and_words_of_grammar_do_not() {
        let base = base("//- a.go\npackage a\n\nfunc Pay() string { return \"to pay but this ledger is shut\" }\n");
        let mut report = Report::default();
        signals::read(&b"a.go:3:1: undefined: ledger\n"[..], "log", None, &mut report).expect("a log");
        let failures = Failures::locate(&Masker::knowing_nothing(), &base, "", "", &report);
        let of = |message: &str| failure_terms(&base, &failures, message);
        assert_eq!(of("this method takes 2 arguments but 1 argument was supplied to `pay`"), "`pay` \n");
        assert_eq!(of("ledger is shut, said \"but no\" and PayLater"), "ledger shut, but no PayLater \n");
    }
}
