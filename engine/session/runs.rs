//! Runs of tests and builds: what the newest says, and how often the same tests failed turn after turn.

use super::rows::{Rows, Unnamed};
use super::turn::{FailingTest, TestName, TestRun};
use super::{MAX_ENTRIES, MAX_TEXT, Session};
use rustc_hash::FxHashSet;

impl Session {
    /// Notes a run of tests in place of an earlier one of this turn: how many tests passed, which, and which failed. Gives how many failing
    /// tests are too many to be listed.
    ///
    /// A failing test of an earlier run that did not pass and does not fail now was not run, and its row goes on when it fails again. Tests
    /// that passed without a name end the rows of their suite but for those that fail now; without a suite, those of their runner. A run
    /// that ran nothing says nothing about tests and changes nothing.
    pub fn record_tests(
        &mut self,
        n_passed: u32,
        passed: impl IntoIterator<Item = TestName>,
        failing: impl IntoIterator<Item = TestName>,
    ) -> usize {
        let mut known = FxHashSet::default();
        let mut names: Vec<TestName> = failing.into_iter().map(named).collect();
        names.retain(|test| known.insert((test.suite.clone(), test.name.clone())));
        if n_passed == 0 && names.is_empty() {
            return 0;
        }
        // What an earlier run of this turn said is true of the tests that did not run again.
        let newest = Rows::of(self.run_before(self.turn.saturating_add(1)));
        let found = |test: &TestName| newest.find(test).into_iter().chain(newest.find_whole(&test.suite));
        let mut ran: FxHashSet<usize> = names.iter().flat_map(found).collect();
        let mut unnamed = Unnamed::default();
        for test in passed.into_iter().map(named) {
            if test.name.is_empty() { unnamed.add(test) } else { ran.extend(found(&test)) }
        }
        let rows = newest.all().iter().enumerate().filter(|(number, row)| !ran.contains(number) && !unnamed.may_hold(row));
        let not_run = rows.map(|(_, row)| FailingTest::clone(row)).take(MAX_ENTRIES).collect();
        let n_left_out = names.len().saturating_sub(MAX_ENTRIES);
        names.truncate(MAX_ENTRIES);
        let before = Rows::of(self.run_before(self.turn));
        let count = |test: TestName| {
            let in_a_row = before.find(&test).map_or(0, |number| before.in_a_row(number)).saturating_add(1);
            let TestName { runner, suite, name } = test;
            FailingTest { name, suite, runner, in_a_row }
        };
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

/// A name within the bound of texts.
fn named(TestName { runner, suite, name }: TestName) -> TestName {
    TestName { runner: bounded(runner), suite: bounded(suite), name: bounded(name) }
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
        let mut passed = of(char::is_ascii_uppercase);
        passed.extend(letters.matches('-').map(|_| TestName::default()));
        assert_eq!(session.record_tests(passed.len() as u32, passed, of(char::is_ascii_lowercase)), 0);
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
        /// Runner, suite and name of tests, with all that a report may say of the suite. Two of one name are told apart by their suites.
        const TESTS: [(&str, &[&str], &str); 5] = [
            ("go test", &["x/a"], "TestNew"),
            ("go test", &["x/b"], "TestNew"),
            ("cargo test", &["shop", ""], "works"),
            ("jest", &["/r/web/a.test.js", "web/a.test.js", "a.test.js"], "login > works"),
            ("jest", &["web/b.test.js", "/r/web/b.test.js"], "login > works"),
        ];
        /// What a report says of tests that passed without their names: the runner, the suite, and which tests may be among them.
        const UNNAMED: [(&str, &str, &[usize]); 5] = [
            ("go test", "x/a", &[0]),
            ("go test", "x/c", &[]),
            ("cargo test", "", &[2]),
            ("cargo test", "shop", &[2]),
            ("jest", "", &[3, 4]),
        ];
        /// What a turn says: of each test whether it failed, or passed, and the suite as written; and what passed without names.
        type TurnReport = ([(Option<bool>, usize); TESTS.len()], Vec<usize>);
        const N_TURNS: usize = 5;

        // The way back from the newest run to one in which the test passed, by what it is and not by how that is written.
        let by_definition = |turns: &[TurnReport]| {
            let has_run = |(tests, unnamed): &&TurnReport| !unnamed.is_empty() || tests.iter().any(|(fails, _)| fails.is_some());
            let ran: Vec<&TurnReport> = turns.iter().filter(has_run).collect();
            let fails = |said: &&&TurnReport, test: usize| said.0[test].0 == Some(true);
            let passed = |said: &&&TurnReport, test: usize| {
                let is_among = |unnamed: &usize| UNNAMED[*unnamed].2.contains(&test);
                said.0[test].0 == Some(false) || !fails(said, test) && said.1.iter().any(is_among)
            };
            let row = |test: usize| {
                let since = ran.iter().rev().take_while(|said| !passed(said, test));
                since.filter(|said| fails(said, test)).count()
            };
            let newest = |test: &usize| ran.last().is_some_and(|said| fails(&said, *test));
            (0..TESTS.len()).filter(newest).map(row).max().map_or(0, |n| n.saturating_sub(1))
        };
        let (mut state, mut n_retries) = (7_u64, [0; N_TURNS]);
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..4_000 {
            let mut turn = || -> TurnReport {
                let tests = TESTS
                    .map(|(_, suites, _)| ([None, None, Some(true), Some(true), Some(false)][random(5)], random(suites.len())));
                (tests, (0..UNNAMED.len()).filter(|_| random(12) == 0).collect())
            };
            let turns: Vec<TurnReport> = (0..N_TURNS).map(|_| turn()).collect();
            let mut session = Session::default();
            for (tests, unnamed) in &turns {
                session.begin("x").unwrap();
                let name = |runner: &str, suite: &str, name: &str| TestName {
                    runner: runner.to_owned(),
                    suite: suite.to_owned(),
                    name: name.to_owned(),
                };
                let went = |fails: bool| {
                    let tests = TESTS.iter().zip(tests).filter(move |(_, (went, _))| *went == Some(fails));
                    tests.map(move |((runner, suites, test), (_, suite))| name(runner, suites[*suite], test)).collect::<Vec<_>>()
                };
                let mut passed = went(false);
                passed.extend(unnamed.iter().map(|number| name(UNNAMED[*number].0, UNNAMED[*number].1, "")));
                session.record_tests(passed.len() as u32, passed, went(true));
            }
            let found = session.retry_count() as usize;
            assert_eq!(found, by_definition(&turns), "{turns:?}");
            n_retries[found] += 1;
        }
        assert!(n_retries.iter().all(|n| *n > 10), "{n_retries:?}");
    }

    #[test]
    fn a_suite_that_is_not_said_is_one_only_where_it_can_be_no_other() {
        let count = |turns: &[&[(&str, &str)]]| {
            let mut session = Session::default();
            for turn in turns {
                session.begin("x").unwrap();
                let test = |(runner, suite): &(&str, &str)| TestName {
                    runner: (*runner).into(),
                    suite: (*suite).into(),
                    name: "t".into(),
                };
                session.record_tests(0, [], turn.iter().map(test));
            }
            session.retry_count()
        };
        let (go, rust, jest) = ("go test", "cargo test", "jest");
        assert_eq!(count(&[&[(rust, "a")], &[(rust, "")]]), 1);
        assert_eq!(count(&[&[(rust, "a"), (rust, "b")], &[(rust, "")]]), 0);
        assert_eq!(count(&[&[(rust, "a"), (rust, "b")], &[(rust, "b")], &[(rust, "a"), (rust, "")]]), 1);
        assert_eq!(count(&[&[(rust, "a")], &[(go, "")]]), 0, "another runner");
        assert_eq!(count(&[&[(rust, "")], &[("", "a")]]), 1, "an older file says no runner");
        assert_eq!(count(&[&[(jest, "/r/a/x.test.js")], &[(jest, "a/x.test.js")], &[(jest, "x.test.js")]]), 2);
        assert_eq!(count(&[&[(jest, "/r/a/x.test.js"), (jest, "/r/b/x.test.js")], &[(jest, "x.test.js")]]), 0);
        assert_eq!(count(&[&[(jest, "/r/a/x.test.js")], &[(jest, "b/x.test.js")]]), 0);
        assert_eq!(count(&[&[(go, "example.com/shop/auth")], &[(go, "auth")]]), 0, "packages of Go are not files");
        // Many of one name are not compared with each other.
        let many = |start: &str| (0..MAX_ENTRIES).map(|n| format!("{start}{n}/x.test.js")).collect::<Vec<_>>();
        let (long, short) = (many("/r/"), many(""));
        let [long, short] = [&long, &short].map(|suites| suites.iter().map(|suite| (jest, suite.as_str())).collect::<Vec<_>>());
        assert_eq!((count(&[&long, &short]), count(&[&long, &long])), (0, 1));
    }

    #[test]
    fn a_suite_that_failed_as_a_whole_has_run_when_one_of_its_tests_has() {
        let test = |name: &str| TestName { suite: "x/a".to_owned(), ..TestName::from(name) };
        for (passed, failing, n_not_run) in [(Some("TestB"), None, 0), (None, Some("TestB"), 0), (None, None, 1)] {
            let mut session = session(".");
            session.record_tests(0, [], [test("x/a")]);
            session.record_tests(1, passed.map(test).into_iter().chain(["other".into()]), failing.map(test));
            assert_eq!(session.fresh_tests().unwrap().not_run.len(), n_not_run, "{passed:?} {failing:?}");
        }
    }

    #[test]
    fn tests_of_one_name_in_two_suites_are_two() {
        let test = |suite: &str| TestName { suite: suite.to_owned(), ..TestName::from("TestNew") };
        let mut session = Session::default();
        for turn in 0..4 {
            session.begin("x").unwrap();
            match turn {
                1 => session.record_tests(1, [test("b")], []),
                _ => session.record_tests(0, [], [test("a")]),
            };
        }
        assert_eq!(session.retry_count(), 2);
        let json = session.checked_json(&redact::Masker::knowing_nothing()).unwrap();
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
        assert_eq!(session.record_tests(0, [], (0..MAX_ENTRIES + 7).map(|n| n.to_string().as_str().into())), 7);
        assert_eq!(session.record_tests(1, ["x".into()], []), 0);
        assert_eq!(session.fresh_tests().map(|run| run.not_run.len()), Some(MAX_ENTRIES));
        let lines = (0..MAX_ENTRIES).map(|_| "note:a:1:x".to_owned()).chain(["error:b:1:y".to_owned(), "é".repeat(MAX_TEXT)]);
        assert_eq!(session.record_diagnostics(lines), 2);
        assert_eq!(session.fresh_diagnostics().unwrap()[0], "error:b:1:y");
        assert!(session.validate().is_ok());
        assert_eq!(bounded(format!("a{}", "é".repeat(MAX_TEXT))).len(), MAX_TEXT - 1);
    }
}
