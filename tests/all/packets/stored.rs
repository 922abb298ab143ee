//! Packs that were sent: shown, expanded, trimmed, made again and read from, by the command.

use crate::cli::{Ended, Scratch, command, ended};
use crate::replay::Replayed;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The command on a repository with a state folder of its own.
struct Bench {
    scratch: Scratch,
    replayed: Replayed,
}

impl Bench {
    fn new() -> Self {
        Self { scratch: Scratch::new(), replayed: Replayed::new("auth-go") }
    }

    fn run(&self, args: &[&str]) -> Ended {
        let (state, repo) = (self.scratch.0.join("state"), self.replayed.path());
        let mut command = command(args);
        command.args(["--state", state.to_str().expect("a path")]);
        if args.get(1) != Some(&"show") {
            command.args(["--repo", repo.to_str().expect("a path"), "--no-cache"]);
        }
        ended(&mut command)
    }

    /// A pack that is an answer.
    fn pack(&self, args: &[&str]) -> (Value, String) {
        let ended = self.run(args);
        assert_eq!(ended.code, 0, "{args:?}: {}", ended.stderr);
        (serde_json::from_str(&ended.stdout).expect("JSON"), ended.stderr)
    }

    fn manifest(&self) -> (Value, String) {
        let (pack, _) = self.pack(&["--intent", "fix ValidateToken", "--packet", "manifest", "--task-id", "T1"]);
        let id = pack["pack_id"].as_str().expect("an id").to_owned();
        (pack, id)
    }
}

fn paths(pack: &Value) -> Vec<&str> {
    pack["file_entries"].as_array().expect("entries").iter().filter_map(|entry| entry["path"].as_str()).collect()
}

fn write(root: &Path, path: &str, change: impl FnOnce(String) -> String) {
    let path = root.join(path);
    let text = fs::read_to_string(&path).expect("a file");
    fs::write(path, change(text)).expect("written");
}

#[test]
fn a_pack_is_shown_expanded_and_trimmed_and_each_answer_says_what_changed() {
    let bench = Bench::new();
    let (pack, id) = bench.manifest();
    let shown = bench.run(&["packet", "show", &id[..8]]);
    assert_eq!((shown.code, serde_json::from_str::<Value>(&shown.stdout).expect("JSON")), (0, pack.clone()));

    let (trimmed, said) = bench.pack(&["packet", "trim", &id, "--max-files", "2", "--drop", "tests", "--keep", "go.mod"]);
    assert_eq!(paths(&trimmed)[0], "go.mod", "what is kept comes first");
    assert!(paths(&trimmed).iter().all(|path| !path.ends_with("_test.go")));
    assert_eq!((&trimmed["used"]["files"], &trimmed["task_id"]), (&Value::from(2), &Value::from("T1")));
    assert!(said.contains("takes the place of") && said.contains("gone: ") && said.contains("new: go.mod"), "{said}");

    let trimmed_id = trimmed["pack_id"].as_str().expect("an id");
    let (expanded, said) = bench.pack(&["packet", "expand", &id, "--depth", "3", "--topk", "40", "--include", "docs"]);
    assert!(
        paths(&expanded).len() > paths(&pack).len() && paths(&expanded).iter().any(|path| path.ends_with("README.md")),
        "{said}"
    );
    assert_eq!((&expanded["budgets"]["depth"], &expanded["budgets"]["topk"]), (&Value::from(3), &Value::from(40)));

    let (same, said) = bench.pack(&["packet", "rebuild", trimmed_id]);
    assert_eq!(same, trimmed);
    assert!(said.contains("is as it was"), "{said}");

    let ledger = fs::read_to_string(bench.scratch.0.join("state/ledger.jsonl")).expect("a ledger");
    let lines: Vec<Value> = ledger.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        lines.iter().map(|line| line["verb"].as_str().expect("a verb")).collect::<Vec<_>>(),
        ["manifest", "show", "trim", "expand", "rebuild"]
    );
    assert!(!ledger.contains("func "), "a ledger holds no content");
}

#[test]
fn a_file_that_changed_since_the_pack_gives_no_other_lines() {
    let bench = Bench::new();
    let (_, id) = bench.manifest();
    let file = "internal/auth/login.go";
    let before = bench.run(&["packet", "read", &id, &format!("{file}:1-3")]);
    assert_eq!(before.code, 0, "{}", before.stderr);
    let text = fs::read_to_string(bench.replayed.path().join(file)).expect("a file");
    assert_eq!(before.stdout, text.split_inclusive('\n').take(3).collect::<String>());

    write(bench.replayed.path(), file, |text| format!("// A new first line.\n{text}"));
    let after = bench.run(&["packet", "read", &id, &format!("{file}:1-3")]);
    assert_eq!((after.code, after.stdout.as_str()), (10, ""));
    assert!(after.stderr.contains("changed since pack") && after.stderr.contains("activate packet rebuild"), "{}", after.stderr);
    let (rebuilt, said) = bench.pack(&["packet", "rebuild", &id]);
    assert!(said.contains("gone: ") || said.contains("changed on disk"), "{said}");
    let id = rebuilt["pack_id"].as_str().expect("an id");
    assert_eq!(bench.run(&["packet", "read", id, &format!("{file}:1-1")]).stdout, "// A new first line.\n");

    fs::remove_file(bench.replayed.path().join(file)).expect("removed");
    let gone = bench.run(&["packet", "read", id, &format!("{file}:1-1")]);
    assert_eq!((gone.code, gone.stdout.as_str()), (10, ""), "{}", gone.stderr);
    assert!(
        gone.stderr.contains("is not a file of the repository any more") && gone.stderr.contains("packet rebuild"),
        "{}",
        gone.stderr
    );
    let (rebuilt, _) = bench.pack(&["packet", "rebuild", id]);
    assert!(!paths(&rebuilt).contains(&file));

    for (place, why) in
        [("internal/none.go", "no such file"), ("../../etc/passwd", "no such file"), (&format!("{file}:9-3"), "first-last")]
    {
        let refused = bench.run(&["packet", "read", id, place]);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{place}");
        assert!(refused.stderr.contains(why), "{place}: {}", refused.stderr);
    }
}

#[test]
fn an_item_of_a_context_pack_is_read_in_full_by_its_reference() {
    let bench = Bench::new();
    let (pack, _) = bench.pack(&["--intent", "fix ValidateToken", "--packet", "context-pack", "--budget", "4000"]);
    let id = pack["meta"]["packId"].as_str().expect("an id");
    let items = pack["items"].as_array().expect("items");
    let code = items.iter().find(|item| item["type"] == "code").expect("code");
    let text = bench.run(&["packet", "read", id, code["recordRef"].as_str().expect("a reference")]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    assert!(text.stdout.contains("ValidateToken"), "{}", text.stdout);
    let placed: Vec<&str> =
        items.iter().filter(|item| item["citations"]["url"].is_string()).filter_map(|item| item["recordRef"].as_str()).collect();
    assert!(placed.iter().any(|reference| !reference.contains(['#', ':'])), "a whole file is among them: {placed:?}");
    for reference in placed {
        let text = bench.run(&["packet", "read", id, reference]);
        assert!(text.code == 0 && !text.stdout.is_empty(), "{reference}: {}", text.stderr);
    }
}

/// What a run of tests says.
const LOG: &str = "--- FAIL: TestValidateToken (0.00s)\n    login_test.go:20: got nil, want ErrExpired\nFAIL\nFAIL\tgithub.com/example/auth/internal/auth\t0.01s\n";
const SESSION: &str =
    r#"{"recent_actions": ["/fix ValidateToken"], "files_touched": [{"path": "internal/auth/claims.go", "turns_ago": 1}]}"#;

#[test]
fn a_pack_of_an_unchanged_repository_is_rebuilt_to_the_byte_whatever_was_asked() {
    let bench = Bench::new();
    let file = |name: &str, text: &str| bench.scratch.file(name, text.as_bytes()).to_str().expect("text").to_owned();
    let weights = r#"{"gate": 25000, "links": {"calls": 750}}"#;
    let (log, session, weights) = (file("log", LOG), file("session", SESSION), file("weights", weights));
    let story = "a long story of how it came about ".repeat(20);
    let intent = format!("{story}fix ValidateToken");
    let common = [
        "--intent",
        &intent,
        "--tests",
        &log,
        "--session",
        &session,
        "--weights",
        &weights,
        "--depth",
        "2",
        "--topk",
        "9",
        "--pin",
        "internal/auth/keys.go:1-9",
        "--tokenizer",
        "cl100k",
        "--scope",
        "only tokens",
        "--now",
        "2026-03-01T00:00:00Z",
    ];
    let places =
        ["--max-files", "9", "--max-lines", "300", "--include", "tests", "--drop", "docs", "--task-id", "T1", "--run-id", "R1"];
    let items = ["--max-items", "5", "--trust", "require"];
    for (kind, own) in [("manifest", &places[..]), ("hydrated", &places), ("context-pack", &items)] {
        let made = bench.run(&[&["--packet", kind], &common[..], own].concat());
        assert_eq!(made.code, 0, "{kind}: {}", made.stderr);
        let pack: Value = serde_json::from_str(&made.stdout).expect("JSON");
        let id = pack["pack_id"].as_str().or_else(|| pack["meta"]["packId"].as_str()).expect("an id");
        let again = bench.run(&["packet", "rebuild", id]);
        assert_eq!((again.code, again.stdout.as_str()), (0, made.stdout.as_str()), "{kind}: {}", again.stderr);
        assert!(again.stderr.contains("is as it was"), "{}", again.stderr);
    }
}

#[test]
fn a_pack_is_of_its_repository_and_of_its_commit() {
    let bench = Bench::new();
    let (pack, id) = bench.manifest();
    let other = Replayed::new("auth-ts");
    let state = bench.scratch.0.join("state");
    let elsewhere = ["--state", state.to_str().expect("text"), "--repo", other.path().to_str().expect("text"), "--no-cache"];
    for asked in [&["packet", "rebuild", &id][..], &["packet", "read", &id, "internal/auth/login.go:1-2"]] {
        let refused = ended(&mut command(&[asked, &elsewhere].concat()));
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(
            refused.stderr.contains("was made of `") && refused.stderr.contains("name that with `--repo`"),
            "{}",
            refused.stderr
        );
    }
    let (old, _) = bench.pack(&["--intent", "fix ValidateToken", "--packet", "manifest", "--at", "HEAD~2"]);
    let old_id = old["pack_id"].as_str().expect("an id");
    write(bench.replayed.path(), "internal/auth/login.go", |text| format!("// new\n{text}"));
    let (again, stderr) = bench.pack(&["packet", "rebuild", old_id]);
    assert_eq!(again, old, "{stderr}");
    let (now, stderr) = bench.pack(&["packet", "rebuild", &id]);
    assert!(now != pack && stderr.contains("new: internal/auth/login.go:18-"), "{stderr}");
}

#[test]
fn what_says_nothing_to_a_kind_is_refused() {
    let bench = Bench::new();
    let (_, id) = bench.manifest();
    let (pack, _) = bench.pack(&["--intent", "fix ValidateToken", "--packet", "context-pack"]);
    let bullets = pack["meta"]["packId"].as_str().expect("an id");
    let session = bench.scratch.0.join("session.json");
    assert_eq!(ended(&mut command(&["session", "new", session.to_str().expect("text")])).code, 0);
    let receipt = bench.scratch.0.join("receipt.json");
    let asks = |more: &[&'static str]| [&["--intent", "fix ValidateToken"], more].concat();
    for (args, why) in [
        (
            asks(&["--max-files", "3"]),
            "`--max-files` is for manifest and hydrated packs, and `--packet` asks for a session packet",
        ),
        (asks(&["--packet", "manifest", "--trust", "require"]), "`--trust` is for context packs"),
        (asks(&["--packet", "manifest", "--include", "tests", "--drop", "tests"]), "name the same part"),
        (
            [&asks(&["--format", "facts", "--receipt"])[..], &[receipt.to_str().expect("text")]].concat(),
            "`--format facts` makes none",
        ),
        (
            [&asks(&["--packet", "manifest", "--record", "--session"])[..], &[session.to_str().expect("text")]].concat(),
            "`--record` records session packets",
        ),
        (vec!["packet", "trim", bullets, "--max-lines", "10"], "is a context pack, which holds no files or lines to trim"),
        (vec!["packet", "trim", &id], "say what the pack is to lose"),
        (vec!["packet", "expand", &id], "say by what the pack is to grow"),
        (vec!["packet", "read", &id, "internal/auth/login.go:900-950"], "there is no line 900 to read"),
    ] {
        let refused = bench.run(&args);
        assert!(refused.code == 2 && refused.stderr.contains(why) && refused.stdout.is_empty(), "{args:?}: {refused:?}");
    }
}
