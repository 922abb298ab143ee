//! Results of tests, and stack traces.

use super::{report, written};
use crate::{Report, read};
use expect_test::expect_file;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Texts of real runners, by their names in the corpus, with the format that each is of.
macro_rules! corpus {
    ($($name:literal $format:literal),* $(,)?) => {
        &[$(($name, $format, include_str!(concat!("../../../corpus/signals/", $name)))),*]
    };
}

const RESULTS: &[(&str, &str, &str)] = corpus![
    "cargo-test.txt" "libtest",
    "cargo-test-backtrace.txt" "libtest",
    "libtest.jsonl" "libtest-json",
    "libtest.junit.xml" "junit",
    "nextest.txt" "nextest",
    "nextest.jsonl" "libtest-json",
    "go-test.txt" "go-test",
    "go-test-verbose.txt" "go-test",
    "go-test.jsonl" "go-test-json",
    "jest.txt" "jest",
    "jest.json" "jest-json",
    "vitest.txt" "vitest",
    "vitest.json" "jest-json",
    "gotestsum.junit.xml" "junit",
    "jest.junit.xml" "junit",
    "nextest.junit.xml" "junit",
    "vitest.junit.xml" "junit",
    "rust-panic.txt" "panic",
    "go-panic.txt" "panic",
    "node-error.txt" "panic",
    "pytest.txt" "pytest",
    "pytest-short.txt" "pytest",
    "pytest.junit.xml" "junit",
    "python-error.txt" "python",
    "surefire.txt" "surefire",
    "surefire-whole.txt" "surefire",
    "surefire.junit.xml" "junit",
    "gradle.txt" "gradle",
    "gradle-short.txt" "gradle",
    "gradle.junit.xml" "junit",
    "java-error.txt" "java",
];

/// What stands before a case in the file of cases, and before what is read of it.
const CASE: &str = "\n%%% CASE ";
const READ: &str = "%%% READ\n";

/// The most that may be kept of a text from a stranger.
const MAX_TESTS: usize = 10_000;
const MAX_MESSAGE_BYTES: usize = 5 << 10;

#[test]
fn the_outputs_of_real_runners_are_read_whole() {
    for (name, _, text) in RESULTS {
        expect_file![format!("{name}.read")].assert_eq(&written(&report(text)));
    }
}

#[test]
fn every_case_is_read_as_it_is_written_below_it() {
    let cases = include_str!("results.txt");
    let mut text = String::new();
    for case in cases.split(CASE).skip(1) {
        let (input, _) = case.split_once(READ).unwrap();
        let (title, input) = input.split_once('\n').unwrap();
        text = [&text, CASE, title, "\n", input, READ, &written(&report(input))].concat();
    }
    expect_file!["results.txt"].assert_eq(&text);
}

#[test]
fn a_test_has_one_name_whether_it_passed_or_failed() {
    let libtest = "     Running tests/it.rs (target/debug/deps/it-0123456789abcdef)\n\nrunning 2 tests\ntest a::b ... RESULT\ntest c ... ok\n\n\
                   test result: x. PASSED passed; 0 failed; 0 ignored\n";
    let jest = r#"{"numRuntimeErrorTestSuites": 0, "testResults": [{"name": "/r/a.test.js", "status": "RESULT", "assertionResults": [
        {"ancestorTitles": ["x"], "title": "y", "status": "RESULT"}, {"title": "z", "status": "passed"}]}]}"#;
    let junit = "<testsuite name=\"s\"><testcase classname=\"k\" name=\"t\">RESULT</testcase><testcase classname=\"k\" name=\"u\"/></testsuite>";
    let go = "=== RUN   TestA\n--- RESULT: TestA (0.00s)\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nFAIL\texample.com/a\t0.1s\n";
    let go_json = "{\"Action\":\"RESULT\",\"Package\":\"p\",\"Test\":\"TestA\"}\n{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"TestB\"}\n\
                   {\"Action\":\"fail\",\"Package\":\"p\"}\n";
    let nextest = "        RESULT [   0.005s] shop::it a::b\n        PASS [   0.005s] shop::it c\n";
    for (text, failed, passed) in [
        (libtest, "FAILED", "ok"),
        (jest, "failed", "passed"),
        (junit, "<failure/>", ""),
        (go, "FAIL", "PASS"),
        (go_json, "fail", "pass"),
        (nextest, "FAIL", "PASS"),
    ] {
        let fails = report(text.replace("RESULT", failed).replace("PASSED", "1"));
        let passes = report(text.replace("RESULT", passed).replace("PASSED", "2"));
        let failing: Vec<(&str, &str)> = fails.failed().map(|test| (test.suite.as_str(), test.name.as_str())).collect();
        let passing: Vec<(&str, &str)> = passes.passed_by_name().collect();
        assert!(failing.len() == 1 && fails.n_passed == 1 && passes.n_passed == 2, "{text}");
        assert!(passing.len() == 2 && passing.contains(&failing[0]), "{text}: {failing:?} in {passing:?}");
        let mut added = Report::default();
        added.add(passes.clone());
        assert!(added.passed_by_name().eq(passes.passed_by_name()) && added.n_passed == 2, "{text}");
    }
    // What is only counted has no name.
    let quiet = "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t(cached)\nok  \texample.com/c\t0.1s [no tests to run]\n?   \texample.com/d\t[no test files]\n";
    let dots = "running 3 tests\n...\ntest result: ok. 3 passed; 0 failed; 0 ignored\n";
    let headed = format!("     Running tests/it.rs (target/debug/deps/it-0123456789abcdef)\n\n{dots}");
    for (text, n_passed, unnamed) in [
        (quiet, 2, &[("go test", "example.com/a"), ("go test", "example.com/b")][..]),
        ("Tests:       3 passed, 3 total\n", 3, &[("jest", "")]),
        ("      Tests  3 passed (3)\n", 3, &[("vitest", "")]),
        (dots, 3, &[("cargo test", "")]),
        (&headed, 3, &[("cargo test", "it")]),
        ("Tests:       3 failed, 3 total\n", 0, &[]),
    ] {
        let found = report(text);
        assert_eq!((found.n_passed, found.passed_by_name().len(), found.silent.len()), (n_passed, 0, 0), "{text}");
        assert!(found.passed_unnamed().eq(unnamed.iter().copied()), "{text}");
        let mut added = Report::default();
        added.add(found.clone());
        assert!(added.passed_unnamed().eq(found.passed_unnamed()), "{text}");
    }
}

#[test]
fn each_text_is_known_as_what_it_is_and_nothing_of_it_is_unreadable() {
    for (name, format, text) in RESULTS {
        let all = report(text);
        let mut own = Report::default();
        read(text.as_bytes(), name, Some(format), &mut own).unwrap();
        assert_eq!(all.tests, own.tests, "{name}");
        assert_eq!(all.n_passed, own.n_passed, "{name}");
        assert!(own.diagnostics.iter().all(|diagnostic| all.diagnostics.contains(diagnostic)), "{name}");
        assert!(!own.is_empty() && all.unreadable.is_empty() && all.silent.is_empty() && all.n_left_out == 0, "{name}");
    }
}

#[test]
fn line_ends_marks_and_encodings_change_nothing() {
    for (name, format, text) in RESULTS {
        let expected = written(&report(text));
        let dos = text.replace('\n', "\r\n");
        let mut wide = vec![0xff, 0xfe];
        wide.extend(dos.encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(written(&report(format!("\u{feff}{text}"))), expected, "{name}");
        assert_eq!(written(&report(wide)), expected, "{name}");
        assert_eq!(written(&report(dos)), expected, "{name}");
        if matches!(*format, "nextest" | "go-test" | "vitest" | "jest") {
            let coloured = text.replace('\n', "\u{1b}[0m\n\u{1b}[31m").replace("FAIL", "F\u{1b}[1mAI\u{1b}[22mL");
            assert_eq!(written(&report(coloured)), expected, "{name}");
        }
    }
}

#[test]
fn what_is_whole_before_a_cut_is_kept_and_the_cut_is_said() {
    let names = |report: &Report| report.tests.iter().map(|test| test.name.clone()).collect::<BTreeSet<_>>();
    for (name, format, text) in RESULTS.iter().filter(|(_, format, _)| matches!(*format, "junit" | "jest-json")) {
        let whole = report(text);
        let mut n_kept = 0;
        for at in (1..text.trim_end().len()).step_by(61).filter(|at| text.is_char_boundary(*at)) {
            let mut cut = Report::default();
            read(&text.as_bytes()[..at], name, Some(format), &mut cut).unwrap();
            // Between two documents nothing is cut.
            let is_between = text.matches("<testsuites").count() > 1 && cut.unreadable.is_empty();
            assert!(is_between || cut.unreadable.len() == 1, "{name} cut at {at}");
            let n_same = names(&cut).intersection(&names(&whole)).count();
            assert!(cut.tests.len() <= whole.tests.len() && n_same + 1 >= n_kept, "{name} cut at {at}");
            n_kept = n_kept.max(n_same);
        }
        assert!(n_kept + 1 >= whole.tests.len(), "{name}");
    }
}

#[test]
fn definitions_of_types_and_depth_without_end_are_refused() {
    let bomb = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE testsuites [\n<!ENTITY a \"{}\">\n<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\n]>\n\
         <testsuites><testsuite><testcase name=\"t\"><failure message=\"&b;\">&b;</failure></testcase></testsuite></testsuites>",
        "lol".repeat(1000)
    );
    expect_file!["refused.read"].assert_eq(
        &[
            written(&report(bomb)),
            written(&report(format!("<testsuites>{}", "<testsuite>".repeat(10_000)))),
            written(&report(format!(
                "<testsuite name=\"s\"><testcase name=\"t\"><failure>told</failure></testcase>{}",
                "<a>".repeat(10_000)
            ))),
            written(&report(format!("{{\"testResults\":{}", "[".repeat(10_000)))),
            written(&report("<testsuite><testcase name=\"open\"><failure message=\"told\">and</testcase></testsuite>")),
        ]
        .concat(),
    );
}

#[test]
fn what_is_too_much_is_counted_and_what_is_too_long_is_cut() {
    let line = format!("    a_test.go:3: {}\n", "long ".repeat(2_000_000));
    let tests: Vec<String> = (0..30_000).map(|number| format!("--- FAIL: Test{number} (0.00s)\n    a_test.go:3: no\n")).collect();
    let report = report(format!("--- FAIL: TestLong (0.00s)\n{line}{}FAIL\texample.com/a\t0.1s\n", tests.concat()));
    assert_eq!((report.tests.len(), report.n_left_out), (MAX_TESTS, 20_001));
    assert_eq!(report.unreadable.len(), 1, "{:?}", report.unreadable);
    assert!(report.tests[0].message.len() < MAX_MESSAGE_BYTES && report.tests[0].message.starts_with("long long"));
}

/// A change to a text: what is done, where, and how much of it.
fn changes() -> impl Strategy<Value = Vec<(u8, prop::sample::Index, prop::sample::Index)>> {
    prop::collection::vec((any::<u8>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..24)
}

/// Words on which readers turn.
const WORDS: [&str; 16] = [
    "\n",
    "\n\n",
    "failures:\n",
    "test result: ",
    "--- FAIL: ",
    "FAIL\t",
    "panic: ",
    "goroutine 1 [running]:\n",
    "stack backtrace:\n",
    "    ",
    "\"",
    "}",
    "<![CDATA[",
    "]]>",
    "&#xA;",
    "\u{1b}[31m",
];

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn no_text_does_harm(first in 0..RESULTS.len(), second in 0..RESULTS.len(), changes in changes()) {
        let mut bytes = RESULTS[first].2.as_bytes().to_vec();
        let other = RESULTS[second].2.as_bytes();
        for (what, at, end) in changes {
            let (at, end) = (at.index(bytes.len() + 1), end.index(bytes.len() + 1));
            let range = at.min(end)..at.max(end).min(at.min(end) + 400);
            match what % 6 {
                0 => drop(bytes.drain(range)),
                1 => drop(bytes.splice(at..at, WORDS[usize::from(what) / 6 % WORDS.len()].bytes())),
                2 => drop(bytes.splice(end..end, other[at.min(other.len())..].iter().copied().take(400))),
                3 => bytes[range].reverse(),
                4 => bytes.truncate(at.max(64)),
                _ => bytes.get_mut(at).into_iter().for_each(|byte| *byte = what),
            }
        }
        let report = report(&bytes);
        let again = super::report(&bytes);
        prop_assert_eq!(&report, &again);
        prop_assert!(report.tests.len() + report.diagnostics.len() <= bytes.len());
        for test in &report.tests {
            prop_assert!(!test.name.is_empty() && test.message.len() < MAX_MESSAGE_BYTES && test.frames.len() <= 64);
        }
    }
}
