//! What is still to change once something is edited.

use crate::cli::{Scratch, run};
use crate::replay::Replayed;
use std::fs;

const HEADING: &str = "STILL TO CHANGE (likely):";

const TASK: &str = "tokens are checked with the time of the caller";

#[test]
fn once_something_is_edited_other_files_are_named_that_may_have_to_change_too() {
    let (replayed, scratch) = (Replayed::new("auth-go"), Scratch::new());
    let weights = scratch.file("weights.json", br#"{"still_to_change": 0}"#);
    let (repo, weights) = (replayed.path().to_str().expect("text"), weights.to_str().expect("text"));
    let ask = |words: &str, more: &[&str]| {
        let flags = [words, "--repo", repo, "--weights", weights, "--no-cache", "--no-state", "--quiet"];
        run(&[&flags, more].concat())
    };
    let asked = |words: &str| {
        let answer = ask(words, &[]);
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
        answer.stdout
    };
    assert!(!asked(TASK).contains(HEADING));
    let path = replayed.path().join("internal/auth/login.go");
    let text = fs::read_to_string(&path).expect("a file");
    let edited = text.replace("func ValidateToken(raw string,", "func ValidateToken(now time.Time, raw string,");
    assert_ne!(text, edited);
    fs::write(&path, edited).expect("written");
    let answer = asked(TASK);
    let list = answer.split(HEADING).nth(1).expect("a list").split("\n\n").next().unwrap_or_default();
    let files: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("  - ")).collect();
    assert!((1..=5).contains(&files.len()), "{list}");
    let middleware = files.iter().find(|file| file.starts_with("internal/auth/middleware.go ("));
    assert!(middleware.is_some_and(|file| file.contains("uses or imports what is edited")), "{list}");
    assert!(files.iter().all(|file| !file.starts_with("internal/auth/login.go")), "{list}");
    assert_eq!(asked(TASK), answer);
    // Edits can be named: a commit since which they were made, or a range of commits.
    assert!(ask(TASK, &["--edits", "HEAD"]).stdout.contains(HEADING));
    assert!(!ask(TASK, &["--edits", "HEAD..HEAD"]).stdout.contains(HEADING));
    let unknown = ask(TASK, &["--edits", "nowhere"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("nowhere"), "{}", unknown.stderr);
    // Who wants to understand changes nothing.
    assert!(!asked("explain how tokens are checked").contains(HEADING));
}
