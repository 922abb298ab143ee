//! What a review lists beside the change: who is affected by it and who is not, the tests that it changes, and what there was no room for.
//!
//! Must not test hunks: the tests of reviews do.

use super::{Ended, Scratch, run_with};

/// Files of a repository: path and text.
type Files<'f> = &'f [(&'f str, &'f str)];

/// The answer about a patch of these files.
fn review(files: Files<'_>, patch: &str, args: &[&str]) -> String {
    let scratch = Scratch::new();
    for (path, text) in files {
        scratch.file(path, text.as_bytes());
    }
    let root = scratch.0.to_str().expect("text");
    let Ended { code, stdout, stderr } =
        run_with(patch.as_bytes(), &[args, &["--diff", "-", "--repo", root, "--no-cache", "--no-state"]].concat());
    assert_eq!(code, 0, "{stderr}");
    stdout
}

/// The lines under a heading, up to the next blank one.
fn under<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
    lines.take_while(|line| !line.is_empty()).map(str::trim).collect()
}

const SERVER: Files<'static> = &[
    ("go.mod", "module x.com/web\n\ngo 1.22\n"),
    ("path.go", "package web\n\nimport \"x.com/web/conv\"\n\nfunc cleanPath(p string) string {\n\treturn conv.Text(p)\n}\n"),
    ("conv/conv.go", "package conv\n\nfunc Text(p string) string {\n\treturn p\n}\n"),
    (
        "conv/conv_test.go",
        "package conv\n\nimport \"testing\"\n\nfunc TestText(t *testing.T) {\n\tif Text(\"a\") != \"a\" {\n\t\tt.Fatal()\n\t}\n}\n",
    ),
    ("tree.go", "package web\n\nimport \"x.com/web/conv\"\n\nfunc find(p string) string {\n\treturn conv.Text(p)\n}\n"),
    ("handle.go", "package web\n\nfunc handle(p string) string {\n\treturn cleanPath(p)\n}\n"),
    ("serve.go", "package web\n\nfunc Serve(p string) string {\n\treturn handle(p)\n}\n"),
    (
        "serve_test.go",
        "package web\n\nimport \"testing\"\n\nfunc TestServe(t *testing.T) {\n\tif Serve(\"a\") != \"a\" {\n\t\tt.Fatal()\n\t}\n}\n",
    ),
];

const PATH: &str = "--- a/path.go\n+++ b/path.go\n@@ -5,3 +5,3 @@\n func cleanPath(p string) string {\n-\treturn conv.Text(p)\n+\treturn conv.Text(p + p)\n }\n";

#[test]
fn who_only_uses_the_same_as_what_changes_is_not_affected() {
    let text = review(SERVER, PATH, &[]);
    assert_eq!(
        under(&text, "IMPACTED FILES"),
        [
            "- handle.go (calls cleanPath, line 4)",
            "- serve.go (reaches cleanPath through handle)",
            "- serve_test.go (reaches cleanPath through Serve > handle)",
            "(complete)"
        ],
        "{text}"
    );
    assert_eq!(
        under(&text, "TESTS TO RUN:"),
        ["- go test . -run '^TestServe$' (reaches cleanPath through Serve > handle)", "(complete)"],
        "{text}"
    );
}

#[test]
fn who_keeps_the_same_promise_is_not_affected_and_who_calls_it_is() {
    let files: Files<'_> = &[
        ("go.mod", "module x.com/store\n\ngo 1.22\n"),
        ("store.go", "package store\n\ntype Keeper interface {\n\tKeepKey(k string) string\n}\n"),
        ("disk.go", "package store\n\ntype Disk struct{}\n\nfunc (d *Disk) KeepKey(k string) string {\n\treturn k\n}\n"),
        ("memory.go", "package store\n\ntype Memory struct{}\n\nfunc (m *Memory) KeepKey(k string) string {\n\treturn k\n}\n"),
        ("use.go", "package store\n\nfunc Use(k Keeper) string {\n\treturn k.KeepKey(\"a\")\n}\n"),
    ];
    let patch = "--- a/disk.go\n+++ b/disk.go\n@@ -5,3 +5,3 @@\n func (d *Disk) KeepKey(k string) string {\n-\treturn k\n+\treturn k + k\n }\n";
    let text = review(files, patch, &[]);
    assert_eq!(under(&text, "IMPACTED FILES")[0], "- use.go (reaches Disk.KeepKey through Keeper.KeepKey)", "{text}");
    assert!(!under(&text, "IMPACTED FILES").concat().contains("memory.go"), "{text}");
}

#[test]
fn tests_that_a_diff_changes_are_run_first_with_the_tags_that_they_need() {
    let far = "//go:build integration\n\npackage web\n\nimport \"testing\"\n\nfunc TestFar(t *testing.T) {\n\tt.Log(1)\n}\n";
    let files = [SERVER, &[("far_test.go", far)]].concat();
    let patch = format!(
        "{PATH}--- a/far_test.go\n+++ b/far_test.go\n@@ -7,3 +7,3 @@\n func TestFar(t *testing.T) {{\n-\tt.Log(1)\n+\tt.Log(2)\n }}\n"
    );
    let text = review(&files, &patch, &[]);
    assert_eq!(
        under(&text, "TESTS TO RUN:")[..2],
        [
            "- go test . -tags=integration -run '^TestFar$' (changed in the diff)",
            "- go test . -run '^TestServe$' (reaches cleanPath through Serve > handle)"
        ],
        "{text}"
    );
}

#[test]
fn little_room_leaves_a_test_and_says_which_lists_are_left_out() {
    let body: String = (0..120).map(|n| format!("\tp = conv.Text(p) + \"{n} is a number\"\n")).collect::<Vec<_>>().concat();
    let long = format!("package web\n\nimport \"x.com/web/conv\"\n\nfunc cleanPath(p string) string {{\n{body}\treturn p\n}}\n");
    let patched: String = (40..90)
        .map(|n| format!("-\tp = conv.Text(p) + \"{n} is a number\"\n+\tp = conv.Text(p) + \"{n}\"\n"))
        .collect::<Vec<_>>()
        .concat();
    let patch = format!("--- a/path.go\n+++ b/path.go\n@@ -46,50 +46,50 @@\n{patched}");
    let files: Vec<(&str, &str)> =
        SERVER.iter().map(|(path, text)| (*path, if *path == "path.go" { &long } else { *text })).collect();
    let text = review(&files, &patch, &["--budget", "900"]);
    assert!(under(&text, "TESTS TO RUN:")[0].starts_with("- go test . -run '^TestServe$'"), "{text}");
    let left_out = text.lines().find(|line| line.starts_with("Left out for want of room: ")).unwrap_or_default();
    assert!(left_out.contains("TARGET CODE (") && left_out.ends_with(": raise the budget"), "{text}");
    // With room for all, what hunks show is not shown again, and nothing is left out.
    let text = review(&files, &patch, &["--budget", "12k"]);
    assert!(text.contains("\"10 is a number\"") && text.contains("\"110 is a number\""), "{text}");
    assert_eq!(text.matches("\"60 is a number\"").count(), 1, "{text}");
    assert!(!text.contains("Left out for want of room"), "{text}");
}

#[test]
fn files_of_one_name_are_told_apart_by_their_folders() {
    let text = "import { load } from '../../core/load'\n\nload()\n\nexport function drop() {\n  return load()\n}\n";
    let files: Files<'_> = &[
        ("package.json", "{\"name\": \"x\"}"),
        ("src/core/load.ts", "export function load() {\n  return 1\n}\n"),
        ("src/a/cmd/drop.ts", text),
        ("src/b/cmd/drop.ts", text),
        ("src/use.ts", "import './a/cmd/drop'\n"),
    ];
    let patch = |folder: &str| {
        format!("--- a/src/{folder}/cmd/drop.ts\n+++ b/src/{folder}/cmd/drop.ts\n@@ -2,3 +2,3 @@\n \n-load()\n+load(1)\n \n")
    };
    let text = review(files, &(patch("a") + &patch("b")), &[]);
    assert_eq!(under(&text, "IMPACTED FILES")[0], "- src/use.ts (imports a/cmd/drop.ts, line 1)", "{text}");
}

#[test]
fn what_goes_breaks_those_that_use_it_and_nobody_else() {
    // `find` uses what stays, and nothing but `handle` what goes.
    let files: Files<'_> = &[
        ("go.mod", "module x.com/web\n\ngo 1.22\n"),
        ("path.go", "package web\n\nfunc keep() {}\n\nfunc drop() {}\n\nfunc last() {}\n"),
        ("find.go", "package web\n\nfunc find() {\n\tkeep()\n\tlast()\n}\n"),
        ("handle.go", "package web\n\nfunc handle() {\n\tdrop()\n}\n"),
        (
            "path_test.go",
            "package web\n\nimport \"testing\"\n\nfunc TestDrop(t *testing.T) {\n\tdrop()\n}\n\nfunc TestKeep(t *testing.T) {\n\tkeep()\n}\n",
        ),
    ];
    let patch = "--- a/path.go\n+++ b/path.go\n@@ -2,6 +2,4 @@\n \n func keep() {}\n \n-func drop() {}\n-\n func last() {}\n";
    let text = review(files, patch, &[]);
    assert_eq!(
        under(&text, "IMPACTED FILES"),
        ["- handle.go (uses drop, which goes, line 4)", "- path_test.go (uses drop, which goes, line 6)", "(incomplete)"],
        "{text}"
    );
    assert_eq!(under(&text, "TESTS TO RUN:")[0], "- go test . -run '^TestDrop$' (uses drop, which goes)", "{text}");
    // Who imports more says nothing to others.
    let patch = "--- a/path.go\n+++ b/path.go\n@@ -1,3 +1,5 @@\n package web\n \n+import \"fmt\"\n+\n func keep() {}\n";
    let text = review(files, patch, &[]);
    assert_eq!(under(&text, "IMPACTED FILES")[0], "- path_test.go (named after path.go)", "{text}");
    assert!(!text.contains("calls keep"), "{text}");
}
