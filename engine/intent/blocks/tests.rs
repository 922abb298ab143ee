//! Each text, and the blocks that it is cut into.

use super::{blocks, headline};

/// Each block on a line of its own: its kind, and its lines in one.
fn cut(text: &str) -> Vec<String> {
    let one_line = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" / ");
    let all = blocks(text, &[]).into_iter().map(|block| format!("{:?}: {}", block.kind, one_line(&block.text)));
    all.filter(|block| !block.ends_with(": ")).collect()
}

#[test]
fn a_greeting_ends_where_its_sentence_ends() {
    let cases: [(&str, &[&str]); 8] = [
        ("Hi all,\nno", &["Boilerplate: Hi all,", "Title: no"]),
        ("Hello! Logout hangs", &["Boilerplate: Hello!", "Title: Logout hangs"]),
        ("Hi I see a panic", &["Boilerplate: Hi", "Title: I see a panic"]),
        ("hi-res images are cut", &["Title: hi-res images are cut"]),
        ("Thanks for the tool! saveFile panics.", &["Boilerplate: Thanks for the tool!", "Title: saveFile panics."]),
        ("Sorry for the noise, but saveFile panics", &["Boilerplate: Sorry for the noise,", "Title: but saveFile panics"]),
        ("no\nplease let me know if saveFile may panic", &["Title: no", "Prose: please let me know if saveFile may panic"]),
        ("no\nThanks in advance for any help, Maria", &["Title: no", "Boilerplate: Thanks in advance for any help, Maria"]),
    ];
    for (text, expected) in cases {
        assert_eq!(cut(text), expected, "{text}");
    }
}

#[test]
fn a_name_before_a_colon_tells_of_a_machine_only_with_a_short_value() {
    let cases: [(&str, &[&str]); 4] = [
        ("no\n\nDescription: saveFile returns 500", &["Title: no", "Prose: Description: saveFile returns 500"]),
        ("Build: saveFile does not compile on Go 1.24", &["Title: Build: saveFile does not compile on Go 1.24"]),
        (
            "no\nOS: Ubuntu\nDescription: Ubuntu 22.04.3 LTS\nRelease: 22.04",
            &["Title: no", "Environment: OS: Ubuntu / Description: Ubuntu 22.04.3 LTS / Release: 22.04"],
        ),
        (
            "no\ngo: it hangs for 30 seconds when a token expires",
            &["Title: no", "Prose: go: it hangs for 30 seconds when a token expires"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(cut(text), expected, "{text}");
    }
}

#[test]
fn a_question_is_of_a_form_where_it_asks_whoever_reports() {
    let form = "### What version of Parcels are you using?\n\n1.2\n\n### What steps can reproduce the bug?\n\nOpen it.";
    assert_eq!(
        cut(form),
        [
            "Boilerplate: What version of Parcels are you using?",
            "Environment: 1.2",
            "Boilerplate: What steps can reproduce the bug?",
            "Title: Open it."
        ]
    );
    let german = "### Beschreibung\n\nsaveFile hängt.\n\n### Umgebung\n\nGo 1.24\n\n### Verhalten von saveFile\n\nnein";
    assert_eq!(
        cut(german),
        [
            "Boilerplate: Beschreibung",
            "Title: saveFile hängt.",
            "Boilerplate: Umgebung",
            "Environment: Go 1.24",
            "Heading: Verhalten von saveFile",
            "Prose: nein"
        ]
    );
    assert_eq!(cut("# What does saveFile do?\n\nTell me."), ["Title: What does saveFile do?", "Prose: Tell me."]);
}

#[test]
fn a_patch_ends_with_the_lines_that_its_hunks_announce() {
    let patch = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    let diff = "Diff: diff --git a/a.go b/a.go / --- a/a.go / +++ b/a.go / @@ -1,2 +1,2 @@ / a / -b / +c";
    let with = |text: &str| cut(&format!("{patch}{text}"));
    assert_eq!(with("\n- saveFile must not panic"), [diff, "Title: - saveFile must not panic"]);
    assert_eq!(
        with("--- a/b.go\n+++ b/b.go\n@@ -1 +1 @@\n-x\n+y\n\\ No newline at end of file\n"),
        [format!("{diff} / --- a/b.go / +++ b/b.go / @@ -1 +1 @@ / -x / +y / \\ No newline at end of file")]
    );
    assert_eq!(cut("@@ -1 +1 @@ is a hunk"), ["Title: @@ -1 +1 @@ is a hunk"]);
}

#[test]
fn the_package_above_errors_is_no_heading() {
    let text = "# x.com/auth [x.com/auth.test]\n./login_test.go:3:1: undefined: f\n\nMend it.";
    assert_eq!(cut(text)[0], "Output: # x.com/auth [x.com/auth.test]");
    assert_eq!(cut("[GIN] 2026/11/23 - 07:09:03 | 200\nno"), ["Output: [GIN] 2026/11/23 - 07:09:03 | 200", "Title: no"]);
    assert_eq!(headline("Please help. saveFile fails.", &[]), "Please help. saveFile fails.");
}

#[test]
fn what_tells_of_a_machine_between_fences_does_without_a_heading() {
    let fenced = |text: &str| cut(&format!("no\n\n```\n{text}\n```"));
    let machine = "System:\n  OS: macOS 26\n  CPU: (10) arm64\nBinaries:\n  Node: 22.17.1 - /usr/bin/node\n  npm: 10.9.2";
    assert!(fenced(machine)[1].starts_with("Environment: "), "{:?}", fenced(machine));
    assert!(fenced("node: the leak\nlogin(user)\nlogout(user)\nlogin(user)")[1].starts_with("Code: "));
    let form = "no\n\n### Provide environment information\n\nmy own machine\n\n### Platform\n\nLinux";
    assert_eq!(cut(form)[2], "Environment: my own machine");
    assert_eq!(cut(form)[4], "Environment: Linux");
}
