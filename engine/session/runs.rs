//! Runs of tests and builds: what the newest says, and how often the same tests failed turn after turn.
//!
//! Must not know who ran them, nor why a test failed.

use super::turn::{FailingTest, TestName, TestRun};
use super::{MAX_ENTRIES, MAX_TEXT, Session};
use rustc_hash::{FxHashMap, FxHashSet};

impl Session {
    /// Notes a run of tests in place of an earlier one of this turn: how many tests passed, which of them are named, and which failed. Gives
    /// how many failing tests are too many to be listed.
    ///
    /// A failing test of an earlier run that is neither named as passed nor failing now was not run, and its row goes on when it fails
    /// again. Where more tests passed than are named, the run was most likely a whole one, and the rows of all tests end that do not fail
    /// in it. A run that ran nothing says nothing about tests and changes nothing.
    pub fn record_tests(
        &mut self,
        n_passed: u32,
        passed: impl ExactSizeIterator<Item = TestName>,
        failing: impl IntoIterator<Item = TestName>,
    ) -> usize {
        let mut failing_now = FxHashSet::default();
        let mut names: Vec<TestName> = failing.into_iter().map(named).filter(|name| failing_now.insert(name.clone())).collect();
        let n_left_out = names.len().saturating_sub(MAX_ENTRIES);
        names.truncate(MAX_ENTRIES);
        if n_passed == 0 && names.is_empty() {
            return 0;
        }
        let before: FxHashMap<TestName, u32> = self.run_before(self.turn).into_iter().flat_map(TestRun::rows).map(row).collect();
        let test = |TestName { suite, name }, in_a_row| FailingTest { name, suite, in_a_row };
        let count = |name: TestName| {
            let in_a_row = before.get(&name).copied().unwrap_or_default().saturating_add(1);
            test(name, in_a_row)
        };
        // What an earlier run of this turn said is true of the tests that did not run again.
        let newest: Vec<(TestName, u32)> =
            self.run_before(self.turn.saturating_add(1)).into_iter().flat_map(TestRun::rows).map(row).collect();
        let is_whole = n_passed as usize > passed.len();
        let mut not_run = Vec::new();
        if !is_whole && !newest.is_empty() {
            let passed_now: FxHashSet<TestName> = passed.map(named).collect();
            let rows = newest.into_iter().filter(|(name, _)| !failing_now.contains(name) && !passed_now.contains(name));
            not_run = rows.map(|(name, in_a_row)| test(name, in_a_row)).take(MAX_ENTRIES).collect();
        }
        let failing = names.into_iter().map(count).collect();
        self.current().tests = Some(TestRun { n_passed, failing, not_run });
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
    /// The longest row among the tests that fail in the newest run, less one. The row of a test is the turns in which it failed, back from
    /// the newest to one in which it passed; turns that did not run it are passed over. 0 where the newest run passed.
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

    /// The newest run of tests before a turn.
    fn run_before(&self, number: u32) -> Option<&TestRun> {
        let earlier = self.turns.iter().rev().filter(|turn| turn.number < number);
        earlier.filter_map(|turn| turn.tests.as_ref()).find(|run| run.ran())
    }
}

/// A failing test and the length of its row.
fn row(test: &FailingTest) -> (TestName, u32) {
    (TestName { suite: test.suite.clone(), name: test.name.clone() }, test.in_a_row)
}

/// A name within the bound of texts.
fn named(TestName { suite, name }: TestName) -> TestName {
    TestName { suite: bounded(suite), name: bounded(name) }
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

    /// A run of tests: those that fail by their letters, those that passed in capitals; `-` for one that passed and is not named.
    fn run(session: &mut Session, letters: &str) {
        let of = |is_of: fn(&char) -> bool| -> Vec<TestName> {
            let letters = letters.chars().filter(is_of).map(|letter| letter.to_ascii_lowercase().to_string());
            letters.map(|name| TestName::from(name.as_str())).collect()
        };
        let passed = of(char::is_ascii_uppercase);
        let n_passed = passed.len() + letters.matches('-').count();
        assert_eq!(session.record_tests(n_passed as u32, passed.into_iter(), of(char::is_ascii_lowercase)), 0);
    }

    /// A session with a turn for each word: a run, `.` for none, two or more with `,` between.
    fn session(turns: &str) -> Session {
        let mut session = Session::default();
        for turn in turns.split(' ') {
            session.begin("x").unwrap();
            turn.split(',').filter(|letters| *letters != ".").for_each(|letters| run(&mut session, letters));
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
            ("a a A a", 0),
            // What ran in between was another test.
            ("a a B a", 2),
            ("a B B B B B B B B B B B B a", 1),
            ("a a B", 0),
            ("a a b a", 2),
            // The first to fail does not fail now.
            ("ab bc cd", 1),
            ("a b", 0),
            ("abc abc ab b", 3),
            ("a a a a a a a a a a a a a a a a a a a a", 19),
            // Several runs of one turn count once, and the last that ran a test says how it went.
            ("a a,a,a", 1),
            ("a a,B a", 2),
            ("a a,A a", 0),
            ("a a,A,a", 1),
            ("a a,A,B a", 0),
            ("a,B a", 1),
        ] {
            assert_eq!(session(turns).retry_count(), n_retries, "{turns}");
        }
    }

    #[test]
    fn the_rows_are_those_of_each_test_looked_at_alone() {
        /// How a test can go.
        const WAYS: [&str; 4] = ["", "x", "X", "x"];
        let by_definition = |turns: &[Vec<&str>]| {
            let ran: Vec<&Vec<&str>> = turns.iter().filter(|ways| ways.concat() != "").collect();
            let row = |test: usize| {
                let is_whole = |ways: &&&Vec<&str>| ways[3] == "X";
                let goes_on = |ways: &&&Vec<&str>| ways[test] == "x" || ways[test].is_empty() && !is_whole(ways);
                ran.iter().rev().take_while(goes_on).filter(|ways| ways[test] == "x").count()
            };
            let newest = |test: &usize| ran.last().is_some_and(|ways| ways[*test] == "x");
            (0..3).filter(newest).map(row).max().map_or(0, |n| n - 1)
        };
        for number in 0..4_096_u64 {
            // Three tests in five turns, and whether a test passed that has no name.
            let bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            let way = |turn: usize, test: usize| WAYS[(bits >> ((turn * 4 + test) * 2)) as usize & 3];
            let unnamed = |turn: usize| if (bits >> (40 + turn)).trailing_zeros() >= 3 { "X" } else { "" };
            let turns: Vec<Vec<&str>> =
                (0..5).map(|turn| (0..3).map(|test| way(turn, test)).chain([unnamed(turn)]).collect()).collect();
            let mut found = Session::default();
            for ways in &turns {
                found.begin("x").unwrap();
                let letter = |(way, letter): (&&str, char)| {
                    way.replace('x', &letter.to_string()).replace('X', &letter.to_uppercase().to_string())
                };
                let tests: String = ways.iter().zip("abc".chars()).map(letter).collect();
                run(&mut found, &(tests + if ways[3] == "X" { "-" } else { "" }));
            }
            assert_eq!(found.retry_count(), by_definition(&turns) as u32, "{turns:?}");
        }
    }

    #[test]
    fn tests_of_one_name_in_two_suites_are_two() {
        let test = |suite: &str| TestName { suite: suite.to_owned(), ..TestName::from("TestNew") };
        let mut session = Session::default();
        for turn in 0..4 {
            session.begin("x").unwrap();
            match turn {
                1 => session.record_tests(1, [test("b")].into_iter(), []),
                _ => session.record_tests(0, [].into_iter(), [test("a")]),
            };
        }
        assert_eq!(session.retry_count(), 2);
        let json = session.checked_json().unwrap();
        assert_eq!(Session::parse(&json).unwrap(), session, "{json}");
    }

    #[test]
    fn a_new_run_replaces_that_of_its_turn_and_is_counted_once() {
        let mut session = session("a a,aa");
        assert_eq!(session.retry_count(), 1);
        run(&mut session, "");
        assert_eq!(session.retry_count(), 1, "a run that ran nothing says nothing");
        run(&mut session, "b");
        assert_eq!(session.retry_count(), 0);
        run(&mut session, "a");
        assert_eq!(session.retry_count(), 1);
        let newest = session.fresh_tests().unwrap();
        assert_eq!((newest.failing.len(), newest.not_run.len()), (1, 1));
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
        assert_eq!(session.record_tests(0, [].into_iter(), (0..MAX_ENTRIES + 7).map(|n| n.to_string().as_str().into())), 7);
        assert_eq!(session.record_tests(1, ["x".into()].into_iter(), []), 0);
        assert_eq!(session.fresh_tests().map(|run| run.not_run.len()), Some(MAX_ENTRIES));
        let lines = (0..MAX_ENTRIES).map(|_| "note:a:1:x".to_owned()).chain(["error:b:1:y".to_owned(), "é".repeat(MAX_TEXT)]);
        assert_eq!(session.record_diagnostics(lines), 2);
        assert_eq!(session.fresh_diagnostics().unwrap()[0], "error:b:1:y");
        assert!(session.check().is_ok());
        assert_eq!(bounded(format!("a{}", "é".repeat(MAX_TEXT))).len(), MAX_TEXT - 1);
    }
}
