//! Texts at the bounds of their formats: what ends a document, a title or a list, and what is kept behind it.

use super::{report, written};
use crate::Report;
use crate::input::MAX_GIVEN_BYTES;

/// A failure of Go, to stand behind what is broken.
const GO: &str = "--- FAIL: TestA (0.00s)\n    a_test.go:3: want x\nFAIL\texample.com/a\t0.1s\n";
const GO_READ: &str = "failed go test | example.com/a | TestA at a_test.go:3:0 in example.com/a: want x";

fn names(report: &Report) -> Vec<&str> {
    report.tests.iter().map(|test| test.name.as_str()).collect()
}

#[test]
fn one_message_in_two_forms_is_kept_once() {
    let text = "\
error[E0599]: no method named `x` found for struct `T` in the current scope
 --> src/lib.rs:3:5
  |
3 |     t.x();
  |       ^ method not found in `T`
";
    let json = r#"{"reason":"compiler-message","message":{"message":"no method named `x` found for struct `T` in the current scope","code":{"code":"E0599"},"level":"error","spans":[{"file_name":"src/lib.rs","line_start":3,"line_end":3,"column_start":5,"is_primary":true,"label":"method not found in `T`"},{"file_name":"src/lib.rs","line_start":1,"line_end":1,"column_start":1,"is_primary":false,"label":"method `x` not found for this struct"}],"children":[]}}"#;
    assert_eq!(report(format!("{json}\n{text}")).diagnostics.len(), 1);
}

#[test]
fn an_xml_document_is_a_report_by_its_first_element_and_ends_with_its_fault() {
    let suite = "<testsuite name=\"s\"><testcase name=\"t\"><failure message=\"no\"/></testcase></testsuite>\n";
    let page = written(&report(format!("<title>x <b>y</title>\n{suite}{GO}")));
    assert!(page.contains("failed junit | s | t: no") && page.contains(GO_READ) && !page.contains("unreadable"), "{page}");
    let broken = written(&report(format!("<?xml version=\"1.0\"?>\n<!-- x -->\n<testsuites><a></b>\n{suite}{GO}")));
    assert!(broken.contains("| t: no") && broken.contains(GO_READ) && broken.contains("line 3"), "{broken}");
    let cut = written(&report(format!("<testsuites>\n<testsuite name=\"s\">\n{GO}")));
    assert!(cut.contains(GO_READ) && cut.contains("unreadable"), "{cut}");
}

#[test]
fn lines_that_begin_as_documents_cannot_hide_one_without_a_word() {
    let document = "[\n{\"filePath\":\"a.js\",\"messages\":[{\"message\":\"first\",\"line\":1}]}]\n";
    for line in ["<b>x</b>\n", "{ x\n", "{\n  x: 1\n}\n", "[\n  1\n]\n"] {
        let found = report(format!("{}{document}", line.repeat(2_000)));
        assert_eq!((found.diagnostics.len(), found.unreadable.len()), (1, 0), "{line}");
    }
    let found = written(&report(format!("{}{document}", "{\"x\": [\n\n".repeat(2_000))));
    assert!(found.contains("too many lines begin as a document might"), "{found}");
}

#[test]
fn many_goroutines_cost_little() {
    let frames = "example.com/a.f()\n\t/src/a.go:3 +0x1\n".repeat(256);
    let dump = format!(
        "--- FAIL: TestA (0.00s)\npanic: x\n\ngoroutine 1 [running]:\n{frames}{}",
        "goroutine 2 [running]:\n".repeat(2_000)
    );
    let (found, n_frames) = work::done_by(|| report(format!("{dump}FAIL\texample.com/a\t0.1s\n")));
    assert_eq!(names(&found)[0], "TestA");
    // Each goroutine through the frames of the first would be 512,000.
    assert!((256..10_000).contains(&n_frames), "{n_frames}");
}

#[test]
fn a_code_of_the_compiler_makes_any_words_a_path() {
    let found = written(&report("src/my page/a.ts(3,4): error TS2304: Cannot find name 'x'.\nnot a path(3,4): error X1: no\n"));
    assert_eq!(found, "error tsc TS2304 at src/my page/a.ts:3:4: Cannot find name 'x'.\n");
}

#[test]
fn a_title_ends() {
    let found = report(format!("FAIL a.test.js\n  ● adds\n    Expected: 1\n\n  ● x\n{}", "noise\n".repeat(1_000)));
    assert_eq!(names(&found), ["adds", &format!("x{}", "\nnoise".repeat(7))]);
    assert_eq!(found.tests[0].message, "Expected: 1");
}

#[test]
fn tests_that_fail_alike_are_counted() {
    let tests: Vec<String> = (0..1_500).map(|number| format!(" FAIL  a.test.ts > t{number}\n")).collect();
    let found = report(format!("{}Error: no\n⎯⎯⎯\n", tests.concat()));
    assert_eq!((found.tests.len(), found.n_left_out), (1_000, 500));
}

#[test]
fn an_analyzer_that_failed_is_said() {
    let text = "# example.com/a\n{\n\t\"example.com/a\": {\n\t\t\"printf\": {\n\t\t\t\"error\": \"cannot load\"\n\t\t}\n\t}\n}\n";
    assert_eq!(written(&report(text)), "error go vet printf: the analyzer failed: cannot load\n");
}

#[test]
fn an_empty_text_is_a_problem_only_where_something_was_to_be_said() {
    for (text, is_empty) in [
        (String::new(), true),
        ("\u{feff} \n\t\r\n".to_owned(), true),
        ("\n".repeat(100_000), true),
        ("\n".repeat(100_000) + "a.c:1:2: error: x\n", false),
        ("hello\n".to_owned(), false),
        ("[]".to_owned(), false),
    ] {
        let mut found = report(&text);
        assert!(!found.problems().iter().any(|problem| problem.message.contains("empty")));
        found.should_say_something();
        let mut added = Report::default();
        added.add(found);
        let messages: Vec<String> = added.problems().into_iter().map(|problem| problem.message).collect();
        assert_eq!(messages.contains(&"text: empty: nothing to read".to_owned()), is_empty, "{:?}", text.get(..9));
    }
}

#[test]
fn vet_that_finds_nothing_is_understood_and_what_it_repeats_is_said_once() {
    for (text, is_silent) in [
        ("{}\n", false),
        ("# example.com/a\n{}\n# example.com/b\n{}\n\n", false),
        ("{}\nhello\n", true),
        ("# example.com/a\n", true),
        ("{ }\n", true),
    ] {
        assert_eq!(written(&report(text)), if is_silent { "silent: text\n" } else { "" }, "{text}");
    }
    let build = "# example.com/m/a\na/a.go:3:23: undefined: y\n";
    let vet = "# example.com/m/a\nvet: a/a.go:3:23: undefined: y\n";
    let once = "error go build at a/a.go:3:23 in example.com/m/a: undefined: y\n";
    for text in [[build, vet].concat(), [vet, build].concat(), format!("{vet}{{}}\n")] {
        assert_eq!(written(&report(&text)), once, "{text}");
    }
}

#[test]
fn what_stands_behind_a_document_is_read_however_long_it_is() {
    let document = "[{\"filePath\":\"a.js\",\"messages\":[{\"message\":\"first\",\"line\":1}]}]\n";
    let noise = format!("{}\n", "é noise".repeat(200_000));
    let found = written(&report(format!("{document}{}a.c:1:2: error: behind\n", noise.repeat(45))));
    assert_eq!(found, "warning eslint at a.js:1:0: first\nerror at a.c:1:2: behind\n");
    let many = report((0..500).map(|line| document.replace(":1}", &format!(":{}}}", line + 1))).collect::<Vec<_>>().concat());
    assert_eq!((many.diagnostics.len(), many.unreadable.len()), (500, 0));
}

#[test]
fn the_work_for_documents_is_bounded_and_what_it_leaves_out_is_said() {
    // Each document is given out with all that follows it: a thousand of them before a long text would be read for as many times its bytes.
    let document = |line: usize| format!("[{{\"filePath\":\"a.js\",\"messages\":[{{\"message\":\"m\",\"line\":{line}}}]}}]\n");
    let text = (1..=1_000).map(document).collect::<String>() + &format!("{}\n", "noise ".repeat(20)).repeat(200_000);
    let n_bytes = text.len() as u64;
    let (found, n_given) = work::done_by(|| report(text + "a.c:1:2: error: behind\n"));
    assert!((n_bytes..=MAX_GIVEN_BYTES + 2 * n_bytes).contains(&n_given), "{n_given}");
    let (behind, read) = found.diagnostics.split_last().expect("a diagnostic");
    assert_eq!(behind.message, "behind");
    assert!((100..1_000).contains(&read.len()), "{}", read.len());
    let line = read.len() + 1;
    let said: Vec<String> = found.unreadable.iter().map(ToString::to_string).collect();
    assert_eq!(said, [format!("text line {line} column 1: the text holds more documents than are read")]);
}

#[test]
fn python_says_itself_where_it_stopped() {
    let suite = "<testsuite name=\"pytest\"><testcase name=\"t\" classname=\"tests.test_a\" file=\"tests/test_a.py\" line=\"0\">\
                 <failure message=\"assert 1 == 2\">def t():\n&gt;  assert 1 == 2\n\ntests/test_a.py:2: AssertionError</failure></testcase></testsuite>";
    assert_eq!(report(suite).tests[0].place.as_ref().map(|place| place.line), Some(2));
}

#[test]
fn tests_of_many_open_packages_are_given_out_before_their_ends() {
    let event =
        |package: usize, test: usize| format!("{{\"Action\":\"fail\",\"Package\":\"p{package}\",\"Test\":\"Test{test}\"}}\n");
    let all: Vec<String> = (0..20_001).map(|number| event(number % 7, number)).collect();
    let ends: Vec<String> = (0..7).map(|package| format!("{{\"Action\":\"fail\",\"Package\":\"p{package}\"}}\n")).collect();
    let found = report(all.concat() + &ends.concat());
    assert_eq!((found.tests.len(), found.n_left_out), (10_000, 10_001), "each once, and no package of its own");
}
