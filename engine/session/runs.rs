//! Runs of tests and builds: what the newest says, and how often the same tests failed turn after turn.
//!
//! Must not know who ran them, nor why a test failed.

use super::turn::{FailingTest, TestRun};
use super::{MAX_ENTRIES, MAX_TEXT, Session};
use rustc_hash::{FxHashMap, FxHashSet};

impl Session {
    /// Notes a run of tests in place of an earlier one of this turn; gives how many failing tests are too many to be listed.
    ///
    /// A run that ran nothing says nothing about tests and changes nothing.
    pub fn record_tests(&mut self, n_passed: u32, failing: impl IntoIterator<Item = String>) -> usize {
        let mut seen = FxHashSet::default();
        let mut names: Vec<String> = failing.into_iter().map(bounded).filter(|name| seen.insert(name.clone())).collect();
        let n_left_out = names.len().saturating_sub(MAX_ENTRIES);
        names.truncate(MAX_ENTRIES);
        let before: FxHashMap<&str, u32> = self
            .run_before()
            .map_or_else(FxHashMap::default, |run| run.failing.iter().map(|test| (test.name.as_str(), test.in_a_row)).collect());
        let test = |name: String| {
            let in_a_row = before.get(name.as_str()).copied().unwrap_or_default().saturating_add(1);
            FailingTest { name, in_a_row }
        };
        let run = TestRun { n_passed, failing: names.into_iter().map(test).collect() };
        if run.ran() {
            self.current().tests = Some(run);
        }
        n_left_out
    }

    /// Notes what a build or a linter says in place of what one said in this turn, nothing being as good as it gets; gives how many lines
    /// are too many to be kept.
    pub fn record_diagnostics(&mut self, lines: impl IntoIterator<Item = String>) -> usize {
        let mut lines: Vec<String> = lines.into_iter().map(bounded).collect();
        let n_left_out = lines.len().saturating_sub(MAX_ENTRIES);
        if n_left_out > 0 {
            // What blocks all other work is kept before what does not.
            lines.sort_by_key(|line| !line.starts_with("error:"));
            lines.truncate(MAX_ENTRIES);
        }
        self.current().diagnostics = Some(lines);
        n_left_out
    }

    /// How many times failing tests were to be fixed already.
    ///
    /// The greatest number of turns, back from the newest that ran tests, in all of which one same test failed, less one: turns that ran
    /// none are passed over, and a run without that test among the failing ends the row. 0 where the newest run passed.
    pub fn retry_count(&self) -> u32 {
        let newest = self.turns.iter().rev().filter_map(|turn| turn.tests.as_ref()).find(|run| run.ran());
        let longest = newest.and_then(|run| run.failing.iter().map(|test| test.in_a_row).max());
        longest.unwrap_or_default().saturating_sub(1)
    }

    /// The newest run of tests, if it was in this turn or the one before: an older one says nothing about the code as it is.
    pub fn fresh_tests(&self) -> Option<&TestRun> {
        self.fresh().find_map(|turn| turn.tests.as_ref())
    }

    /// What the newest build or linter said, if it ran in this turn or the one before.
    pub fn fresh_diagnostics(&self) -> Option<&[String]> {
        self.fresh().find_map(|turn| turn.diagnostics.as_deref())
    }

    /// The current turn and the one before, newest first.
    fn fresh(&self) -> impl Iterator<Item = &super::Turn> {
        self.turns.iter().rev().take_while(|turn| self.turns_ago(turn) <= 1)
    }

    /// The newest run of tests of an earlier turn.
    fn run_before(&self) -> Option<&TestRun> {
        let earlier = self.turns.iter().rev().filter(|turn| turn.number < self.turn);
        earlier.filter_map(|turn| turn.tests.as_ref()).find(|run| run.ran())
    }
}

/// A text within the bound of texts: its beginning, where it is longer.
fn bounded(mut text: String) -> String {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A session with a turn for each word: the tests that fail in it by their letters, `-` for a passing run, `.` for none.
    fn session(turns: &str) -> Session {
        let mut session = Session::default();
        for turn in turns.split(' ') {
            session.begin("x").unwrap();
            match turn {
                "." => {}
                "-" => assert_eq!(session.record_tests(1, []), 0),
                letters => assert_eq!(session.record_tests(0, letters.chars().map(String::from)), 0),
            }
        }
        session
    }

    #[test]
    fn a_retry_is_a_turn_that_left_a_same_test_failing() {
        for (turns, n_retries) in [
            (".", 0),
            ("a", 0),
            ("a a", 1),
            ("a ab a", 2),
            ("a . . . . . . . . . . . . a . a .", 2),
            ("a - a", 0),
            ("a a -", 0),
            // One test was fixed and another broken: no test failed throughout.
            ("ab bc cd", 1),
            ("a b", 0),
            ("abc abc ab b", 3),
            ("a a a a a a a a a a a a a a a a a a a a", 19),
        ] {
            assert_eq!(session(turns).retry_count(), n_retries, "{turns}");
        }
    }

    #[test]
    fn the_rows_are_those_of_the_sets_looked_at_as_a_whole() {
        // The definition itself: the most newest sets with a common test.
        let by_definition = |turns: &[u8]| {
            let ran: Vec<u8> = turns.iter().copied().filter(|set| *set > 0).collect();
            let in_common = |n: usize| ran.iter().rev().take(n).fold(u8::MAX, |common, set| common & set & 0b0111);
            (1..=ran.len()).rev().find(|n| in_common(*n) > 0).map_or(0, |n| n - 1)
        };
        // Three tests, a bit each; the fourth bit is a test that passed.
        for number in 0..4_096_u32 {
            let turns: Vec<u8> = (0..5).map(|turn| (number.wrapping_mul(2_654_435_761) >> (turn * 4)) as u8 & 0b1111).collect();
            let mut session = Session::default();
            for set in &turns {
                session.begin("x").unwrap();
                let failing = (0..3).filter(|bit| set & (1 << bit) > 0).map(|bit| bit.to_string());
                session.record_tests(u32::from(set >> 3), failing);
            }
            assert_eq!(session.retry_count() as usize, by_definition(&turns), "{turns:?}");
        }
    }

    #[test]
    fn a_new_run_replaces_that_of_its_turn_and_is_counted_once() {
        let mut session = session("a a");
        session.record_tests(0, ["a".to_owned(), "a".to_owned()]);
        assert_eq!(session.retry_count(), 1);
        session.record_tests(0, []);
        assert_eq!(session.retry_count(), 1, "a run that ran nothing says nothing");
        session.record_tests(0, ["b".to_owned()]);
        assert_eq!(session.retry_count(), 0);
        session.record_tests(0, ["a".to_owned()]);
        assert_eq!(session.retry_count(), 1);
    }

    #[test]
    fn what_a_tool_said_lasts_until_it_speaks_again_and_one_turn_more() {
        let mut session = session("a");
        session.record_diagnostics(["error:a.go:1:x".to_owned()]);
        session.begin("next").unwrap();
        assert_eq!((session.fresh_diagnostics().map(<[_]>::len), session.fresh_tests().is_some()), (Some(1), true));
        session.record_diagnostics([]);
        assert_eq!(session.fresh_diagnostics(), Some(&[][..]), "the error was fixed");
        session.begin("next").unwrap();
        session.begin("next").unwrap();
        assert_eq!((session.fresh_diagnostics(), session.fresh_tests()), (None, None));
    }

    #[test]
    fn more_than_can_be_kept_is_counted_and_errors_come_first() {
        let mut session = session(".");
        assert_eq!(session.record_tests(0, (0..MAX_ENTRIES + 7).map(|n| n.to_string())), 7);
        let lines = (0..MAX_ENTRIES).map(|_| "note:a:1:x".to_owned()).chain(["error:b:1:y".to_owned(), "é".repeat(MAX_TEXT)]);
        assert_eq!(session.record_diagnostics(lines), 2);
        assert_eq!(session.fresh_diagnostics().unwrap()[0], "error:b:1:y");
        assert!(session.check().is_ok());
        assert_eq!(bounded(format!("a{}", "é".repeat(MAX_TEXT))).len(), MAX_TEXT - 1);
    }
}
