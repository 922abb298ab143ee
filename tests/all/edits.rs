//! What is still to change once something is edited.

use crate::cli::{Scratch, run, run_with};
use crate::replay::Replayed;
use std::fs;
use std::path::{Path, PathBuf};

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
    assert!(middleware.is_some_and(|file| file.contains("uses or imports an edited file")), "{list}");
    assert!(files.iter().all(|file| !file.starts_with("internal/auth/login.go")), "{list}");
    assert_eq!(asked(TASK), answer);
    // Edits can be named: a commit since which they were made, or a range of commits.
    assert!(ask(TASK, &["--edits", "HEAD"]).stdout.contains(HEADING));
    let none = ask(TASK, &["--edits", "HEAD..HEAD"]);
    assert!(none.code == 0 && !none.stdout.contains(HEADING), "{}", none.stderr);
    assert!(none.stdout.contains("nothing changed from HEAD to HEAD"), "{}", none.stdout);
    let unknown = ask(TASK, &["--edits", "nowhere"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("nowhere"), "{}", unknown.stderr);
    // Who wants to understand, or to judge, changes nothing.
    assert!(!asked("review how tokens are checked").contains(HEADING));
    assert!(!asked("explain how tokens are checked").contains(HEADING));
}

#[test]
fn edits_on_stdin_are_read_and_their_secrets_are_kept_nowhere() {
    const SECRET: &str = "copper-walnut-5512";
    let (replayed, scratch) = (Replayed::new("auth-go"), Scratch::new());
    let (repo, state) = (replayed.path().to_str().expect("text"), scratch.0.join("state"));
    let patch = format!(
        "--- a/config/.env\n+++ b/config/.env\n@@ -1 +0,0 @@\n-DB_PASSWORD={SECRET}\n--- a/internal/auth/z.go\n+++ b/internal/auth/z.go\n@@ -1,2 +1 @@\n \
         package auth\n-// connects with {SECRET}\n"
    );
    let state_flag = state.to_str().expect("text");
    let flags = [TASK, "--edits", "-", "--repo", repo, "--state", state_flag, "--no-cache", "--quiet"];
    let answer = run_with(patch.as_bytes(), &flags);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let kept = format!("{:?}", files(&state));
    assert!(kept.contains("connects with [REDACTED:") && !kept.contains(SECRET) && !answer.stdout.contains(SECRET), "{kept}");
    let both = run_with(b"", &["--intent", "-", "--edits", "-", "--repo", repo]);
    assert!(both.code == 2 && both.stderr.contains("cannot both read stdin"), "{}", both.stderr);
}

/// The texts of all files below a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let of = |path: PathBuf| {
        if path.is_dir() { files(&path) } else { vec![String::from_utf8_lossy(&fs::read(path).expect("a file")).into_owned()] }
    };
    entries.flat_map(of).collect()
}
