//! Tells lines that a test runner or a build writes around failures from what they are about.
//!
//! Reads form only: must not know which tests or packages exist.

use signals::place::position;

/// What stands before the name of a test: the runners of Go, Rust and JavaScript.
const BEFORE_TEST: [&str; 9] =
    ["--- FAIL: ", "--- PASS: ", "--- SKIP: ", "=== RUN ", "=== NAME ", "=== CONT ", "=== PAUSE ", "Test: ", "test "];

/// What the line of a Rust test ends with.
const AFTER_TEST: [&str; 3] = [" ... FAILED", " ... ok", " ... ignored"];

/// Lines that say how it went and nothing of where.
const VERDICTS: [&str; 4] = ["FAIL", "PASS", "failures:", "ok"];

/// How such lines begin when they go on.
const BEGINNINGS: [&str; 19] = [
    "FAIL\t",
    "ok  \t",
    "exit status ",
    "test result: ",
    "error: test failed",
    "error: could not compile",
    "error: aborting due to",
    "RUN  v",
    "Test Files  ",
    "Tests  ",
    "Start at  ",
    "Duration  ",
    "Coverage enabled with ",
    "npm warn ",
    "npm error ",
    "npm ERR! ",
    "yarn run v",
    "error Command failed with exit code",
    "Blocking waiting for file lock",
];

/// The name of a test in a line of a report, empty where the line names none; nothing for a line that is of no report.
///
/// `next` is the line below.
pub(super) fn read<'t>(line: &'t str, next: &str) -> Option<&'t str> {
    let line = line.trim();
    if let Some(test) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
        return Some(test);
    }
    for before in BEFORE_TEST {
        let Some(rest) = line.strip_prefix(before) else { continue };
        if before == "test " {
            return AFTER_TEST.iter().find_map(|after| rest.strip_suffix(after));
        }
        let mut words = rest.split_whitespace();
        let test = words.next();
        // `TestLogin/empty (0.00s)` is one, and "Test: log in without a password" is a sentence.
        if words.all(|word| word.starts_with('(')) {
            return test;
        }
    }
    let is_package = || line.strip_prefix("# ").is_some_and(|rest| is_package(rest, next));
    let is_report =
        VERDICTS.contains(&line) || is_step(line) || BEGINNINGS.iter().any(|start| line.starts_with(start)) || is_package();
    is_report.then_some("")
}

/// How Cargo begins lines about a package.
const STEPS: [&str; 8] = ["Compiling", "Checking", "Documenting", "Fresh", "Downloaded", "Updating", "Adding", "Locking"];

/// `Compiling auth v0.1.0 (/srv/auth)`, `Finished dev [unoptimized] target(s)`, or `> auth@1.2.0 build` of npm.
fn is_step(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second, third) =
        (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_version = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.');
    let is_of_cargo = STEPS.contains(&first) && third.strip_prefix('v').is_some_and(is_version)
        || ["Finished `", "Running `", "Running unittests ", "Running tests/"].iter().any(|start| line.starts_with(start))
        || first == "Finished" && line.contains("target(s) in ");
    is_of_cargo || first == ">" && second.rsplit_once('@').is_some_and(|(_, version)| is_version(version))
}

/// `x.com/auth [x.com/auth.test]`, or a package alone above a place: what `go build` and `go vet` write above the errors of a package.
fn is_package(rest: &str, next: &str) -> bool {
    let (package, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_test = rest.starts_with('[') && rest.ends_with(']');
    let place = next.trim_start_matches("vet: ").split(": ").next().and_then(position);
    !package.is_empty() && (is_test || rest.is_empty() && place.is_some())
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_reports_are_told_from_sentences() {
        let cases = [
            ("--- FAIL: TestLogin/empty (0.00s)", Some("TestLogin/empty")),
            ("    --- FAIL: TestLogin (0.00s)", Some("TestLogin")),
            ("=== RUN   TestLogin", Some("TestLogin")),
            ("test auth::tests::expired ... FAILED", Some("auth::tests::expired")),
            ("---- auth::tests::expired stdout ----", Some("auth::tests::expired")),
            ("FAIL\tx.com/auth\t0.2s", Some("")),
            ("FAIL", Some("")),
            ("# x.com/auth [x.com/auth.test]", Some("")),
            ("# x.com/auth", Some("")),
            ("exit status 1", Some("")),
            ("   Compiling auth v0.1.0 (/srv/auth)", Some("")),
            ("> auth@1.2.0 build", Some("")),
            ("Checking out takes a minute", None),
            ("   Duration  1.57s (transform 329ms)", Some("")),
            ("        \tTest:       \tTestLogin/empty", Some("TestLogin/empty")),
            ("test the login of guests", None),
            ("Test: Login with an empty password", None),
            ("ok then, fix it", None),
            ("FAIL when the token is empty", None),
        ];
        for (line, expected) in cases {
            assert_eq!(super::read(line, "./login_test.go:3:1: undefined: f"), expected, "{line}");
        }
        assert_eq!(super::read("# Login", "The login fails."), None);
    }
}
