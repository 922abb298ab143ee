//! Packets of workers on repositories of the corpus: with the plan, with parts of it and without; permits, and audits of a history.
//!
//! Golden packets and receipts stand beside this file; `UPDATE_EXPECT=1` writes them again.

use super::{packet, shown};
use crate::cli::{Ended, Scratch};
use crate::replay::{Replayed, corpus};
use engine::{CacheChoice, Engine, Options};
use expect_test::expect_file;
use packets::worker::plan::Plan;
use packets::worker::task::Task;
use packets::worker::{Derived, Given, Sources, WorkerPacket, against_receipt, validate};
use redact::Masker;
use repo::RepoPath;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// How files of Rust end.
const RUST: &str = ".rs";

const GO: [&str; 3] = ["internal/auth/middleware.go", "internal/auth/middleware_test.go", "internal/auth/logout.go"];

/// A task about files.
fn task(scratch: &Scratch, files: &[&str]) -> PathBuf {
    let task = json!({"id": "T02", "filesModified": files, "acceptanceCriteria": ["AC-3", "AC-4"], "tddMode": "hard", "riskTier": "high"});
    scratch.file("task.json", task.to_string().as_bytes())
}

/// Makes a packet and its receipt; every rule of the checker is asked about it.
fn made(scratch: &Scratch, root: &Path, files: &[&str], plan: Option<&Path>) -> (String, String) {
    let (task, receipt) = (task(scratch, files), scratch.0.join("receipt.json"));
    let planned = plan.map_or_else(Vec::new, |plan| vec!["--plan", shown(plan)]);
    let arguments =
        ["worker", "--task", shown(&task), "--repo", shown(root), "--no-cache", "--quiet", "--receipt", shown(&receipt)];
    let answer = packet(&[&arguments[..], &planned].concat());
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{answer:?}");
    let made = scratch.file("packet.json", answer.stdout.as_bytes());
    let with_receipt = [&["--receipt", shown(&receipt)][..], &planned].concat();
    let with_task = [&["--task", shown(&task)][..], &planned].concat();
    for given in [&[][..], &["--task", shown(&task)], &planned, &with_task, &with_receipt] {
        let checked = packet(&[&["check", shown(&made)], given].concat());
        assert_eq!((checked.code, checked.stdout.as_str()), (0, "ok: worker\n"), "{given:?} {checked:?}");
    }
    assert_eq!(packet(&["check", shown(&receipt)]).stdout, "ok: worker-receipt\n");
    (answer.stdout, fs::read_to_string(receipt).expect("a receipt"))
}

/// Compares with the golden files of this name.
fn compare(name: &str, made: &(String, String)) {
    for (kind, text) in [("packet", &made.0), ("receipt", &made.1)] {
        expect_file![format!("worker/{name}.{kind}.json")].assert_eq(text);
    }
}

#[test]
fn a_packet_is_made_with_a_plan_with_parts_of_it_and_without() {
    let scratch = Scratch::new();
    let (go, plan) = (corpus().join("auth-go"), corpus().join("auth-go.plan"));
    let whole = made(&scratch, &go, &GO, Some(&plan));
    assert_eq!(made(&scratch, &go, &GO, Some(&plan)), whole, "the same bytes again");
    compare("go-plan", &whole);
    for name in ["SCARS.md", "PLAN.md", "ARCHITECTURE.md", "symbols.json"] {
        scratch.file(&format!("part/{name}"), &fs::read(plan.join(name)).expect("a file of the plan"));
    }
    compare("go-part", &made(&scratch, &go, &GO, Some(&scratch.0.join("part"))));
    compare("go", &made(&scratch, &go, &GO, None));
    compare("rust", &made(&scratch, &corpus().join("auth-rust"), &["src/auth/middleware.rs", "src/session.rs"], None));
    compare("ts", &made(&scratch, &corpus().join("auth-ts"), &["src/auth/middleware.ts"], None));
}

/// Each file of each corpus as a task of its own, and each with the one before it, whose tests alone the plan's map names.
#[test]
fn whatever_the_map_lacks_no_packet_of_ours_is_refused() {
    let masker = Masker::knowing_nothing();
    let mut n_derived = 0;
    for name in ["auth-go", "auth-rust", "auth-ts", "broken-go", "broken-rust", "broken-ts", "parcels", "polyglot"] {
        let options = Options { cache: CacheChoice::Off, ..Options::default() };
        let engine = Engine::open_with(corpus().join(name), options).expect("a repository");
        let snapshot = engine.snapshot().expect("facts");
        let facts = Derived::new(&snapshot.base);
        let read = |path: &RepoPath| Ok(engine.read_text(&snapshot, path.as_str()).ok());
        let files: Vec<&str> = snapshot.base.files().map(|file| snapshot.base.path(file)).collect();
        for (at, file) in files.iter().enumerate() {
            let mapped = files[at.saturating_sub(1)];
            let own = [&[mapped, *file][usize::from(mapped == *file)..], &[*file]];
            for files in own {
                let task =
                    json!({"id": "T", "filesModified": files, "acceptanceCriteria": [], "tddMode": "hard", "riskTier": "low"});
                // Names with what looks like a secret are no task's.
                let Ok(task) = Task::parse(&masker, &task.to_string()) else { continue };
                let map = json!({"testMap": [{"sourceFile": mapped, "testFiles": ["qa/login.robot"]}]});
                let map = if files.len() > 1 { vec![("test_map.json", map.to_string().into_bytes())] } else { Vec::new() };
                let plan = Plan::new(&masker, map).expect("a plan");
                let sources = Sources { masker: &masker, task: &task, plan: &plan, facts: &facts, read: &read, state_lines: 80 };
                let (packet, receipt) = WorkerPacket::new(&sources).expect("a packet");
                let given = Given { task: Some(&task), plan: Some(&plan) };
                let (packet, receipt) = (packet.json(), receipt.json());
                assert_eq!(validate(&masker, &packet, given), [], "{name}: {files:?}");
                assert_eq!(against_receipt(&masker, &packet, &receipt, given), [], "{name}: {files:?}");
                // What is left out is code of other crates that holds tests within.
                let mut left_out = receipt.lines().filter(|line| line.contains("and is left out: it neither looks"));
                assert!(left_out.all(|line| line.trim().split('`').nth(1).is_some_and(|test| test.ends_with(RUST))), "{receipt}");
                n_derived += receipt.matches("derived: tests").count();
            }
        }
    }
    assert!(n_derived > 200, "{n_derived} tests are derived");
}

#[test]
fn no_packet_holds_a_line_of_another_file() {
    let scratch = Scratch::new();
    let root = corpus().join("auth-go");
    let (made, _) = made(&scratch, &root, &GO, Some(&corpus().join("auth-go.plan")));
    let other = fs::read_to_string(root.join("internal/auth/keys.go")).expect("a file");
    let held = serde_json::from_str::<Value>(&made).expect("JSON").to_string();
    let lines: Vec<&str> = other.lines().filter(|line| line.len() > 30).collect();
    assert!(lines.len() > 10 && lines.iter().all(|line| !held.contains(&line.replace('\t', "\\t").replace('"', "\\\""))));
}

#[test]
fn what_cannot_be_read_is_an_error_and_never_empty() {
    let scratch = Scratch::new();
    let root = scratch.copy("auth-go", "repo");
    for (path, content) in
        [("bytes.go", &b"package a\n// \xff\n"[..]), ("image.go", b"a\0b"), (".env", b"A=1\n"), (".ignore", b".env\n")]
    {
        scratch.file(&format!("repo/{path}"), content);
    }
    std::os::unix::fs::symlink("go.mod", root.join("link.go")).expect("a link");
    std::os::unix::fs::symlink("internal", root.join("inner")).expect("a link");
    for (path, says) in [
        ("bytes.go", "it is not UTF-8 text"),
        ("image.go", "it is not UTF-8 text"),
        (".env", "it is ignored or excluded"),
        ("link.go", "it is a link"),
        ("inner/auth/new.go", "it is a link or lies behind one"),
        ("internal", "it is a folder"),
        ("go.mod/new.go", "on the way to it is not one"),
    ] {
        let task = task(&scratch, &[path]);
        let answer = packet(&["worker", "--task", shown(&task), "--repo", shown(&root), "--no-cache", "--quiet"]);
        assert_eq!((answer.code, answer.stdout.as_str()), (7, ""), "{path}");
        assert!(answer.stderr.contains(&format!("`{path}` cannot be ")) && answer.stderr.contains(says), "{}", answer.stderr);
    }
    let outside = task(&scratch, &["../outside.go"]);
    let answer = packet(&["worker", "--task", shown(&outside), "--repo", shown(&root), "--no-cache", "--quiet"]);
    assert!(
        answer.code == 2 && answer.stderr.contains("`filesModified`: `../outside.go` is a path with `..`"),
        "{}",
        answer.stderr
    );
    // A plan is read without its links.
    scratch.file("secret", b"# State\n");
    scratch.file("plan/PLAN.md", b"");
    std::os::unix::fs::symlink("../secret", scratch.0.join("plan/STATE.md")).expect("a link");
    let (task, plan) = (task(&scratch, &["go.mod"]), scratch.0.join("plan"));
    let answer =
        packet(&["worker", "--task", shown(&task), "--plan", shown(&plan), "--repo", shown(&root), "--no-cache", "--quiet"]);
    assert!(answer.code == 7 && answer.stderr.contains("`STATE.md` cannot be read"), "{}", answer.stderr);
}

#[test]
fn a_file_that_is_close_is_granted_and_one_that_is_far_is_not() {
    let scratch = Scratch::new();
    let root = corpus().join("auth-go");
    made(&scratch, &root, &GO, None);
    let (made, ledger) = (scratch.0.join("packet.json"), scratch.0.join("ledger.jsonl"));
    let ask = |path: &str| -> (i32, Value) {
        let arguments = ["permit", "--packet", shown(&made), "--path", path, "--ledger", shown(&ledger)];
        let answer = packet(&[&arguments[..], &["--repo", shown(&root), "--no-cache", "--quiet"]].concat());
        (answer.code, serde_json::from_str(&answer.stdout).expect("JSON"))
    };
    let (code, permit) = ask("<<NEXUS_PERMISSION_REQUEST: internal/auth/claims.go>>");
    assert_eq!((code, &permit["granted"]), (0, &json!(true)));
    assert_eq!(permit["reason"], "internal/auth/middleware.go imports or uses it");
    assert_eq!(permit["content"], fs::read_to_string(root.join("internal/auth/claims.go")).expect("a file"));
    assert!(permit.get("sign").is_none());
    let (code, permit) = ask("internal/billing/report.go");
    assert_eq!((code, &permit["granted"]), (10, &json!(false)));
    assert!(permit.get("content").is_none() && !permit["useInstead"].as_array().expect("a list").is_empty(), "{permit}");
    // Asking again for the same is not a sign, nor is one of its own files.
    for path in ["internal/auth/claims.go", GO[0], "internal/auth/middleware_test.go"] {
        let (code, permit) = ask(path);
        assert!(code == 0 && permit.get("sign").is_none(), "{permit}");
    }
    // Neither is what the repository does not have.
    for path in ["none.go", "../../etc/passwd", "/etc/passwd", "internal", ".git/config"] {
        let (code, permit) = ask(path);
        assert!(code == 10 && permit.get("sign").is_none(), "{permit}");
    }
    let (code, permit) = ask("./internal/auth/keys.go");
    assert_eq!((code, &permit["path"]), (0, &json!("internal/auth/keys.go")));
    assert!(permit["sign"].as_str().expect("a sign").contains("3 files were asked for beyond the packet"), "{permit}");
    for (path, says) in [
        ("../x", "`..`"),
        (".git/config", "git's own data"),
        ("none.go", "no such file"),
        ("internal", "is a folder"),
        (GO[2], "does not exist yet"),
    ] {
        let (code, permit) = ask(path);
        let is_right = permit["reason"].as_str().expect("a reason").contains(says) && permit.get("sign").is_none();
        assert!(code == 10 && is_right, "{permit}");
    }
    let kept = fs::read_to_string(&ledger).expect("a ledger");
    assert!(kept.lines().all(|line| serde_json::from_str::<Value>(line).expect("JSON").get("content").is_none()));
    assert_eq!(kept.lines().count(), 13);
}

#[test]
fn requests_stand_in_the_task_graph_where_one_is_named() {
    let scratch = Scratch::new();
    let root = corpus().join("auth-go");
    made(&scratch, &root, &GO, None);
    let graph = json!({"version": "6.0.0", "tasks": [{"id": "T01", "filesModified": ["a.go"]}, {"id": "T02", "filesModified": GO}], "waves": {}});
    let before = serde_json::to_string_pretty(&graph).expect("JSON");
    let (made, graph) = (scratch.0.join("packet.json"), scratch.file("TASK_GRAPH.json", before.as_bytes()));
    let ask = |path: &str, more: &[&str]| {
        let arguments = ["permit", "--packet", shown(&made), "--path", path, "--repo", shown(&root), "--no-cache", "--quiet"];
        packet(&[&arguments[..], more].concat())
    };
    let kept = || fs::read_to_string(&graph).expect("the graph");
    let named = ["--task-graph", shown(&graph)];
    // Only where it is named, and never of the packet's own files.
    ask("internal/auth/keys.go", &[]);
    ask(GO[0], &named);
    assert_eq!(kept(), before);
    for (path, code, is_sign) in [
        ("<<NEXUS_PERMISSION_REQUEST: internal/auth/claims.go>>", 0, false),
        ("internal/billing/report.go", 10, false),
        ("internal/auth/claims.go", 0, false),
        ("internal/auth/keys.go", 0, true),
    ] {
        let answer = ask(path, &named);
        assert_eq!(answer.code, code, "{answer:?}");
        assert_eq!(answer.stdout.contains("3 files were asked for beyond the packet"), is_sign, "{answer:?}");
    }
    let added = ",\n      \"permissionRequests\": [\n        \
                 {\"path\": \"internal/auth/claims.go\", \"granted\": true, \"exists\": true, \"times\": 2},\n        \
                 {\"path\": \"internal/billing/report.go\", \"granted\": false, \"exists\": true, \"times\": 1},\n        \
                 {\"path\": \"internal/auth/keys.go\", \"granted\": true, \"exists\": true, \"times\": 1}\n      ],\n      \
                 \"filesModifiedIncomplete\": true";
    let last = "\"id\": \"T02\"";
    assert_eq!(kept(), before.replacen(last, &format!("{last}{added}"), 1));
    // What is wrong changes nothing.
    let all = kept();
    for (more, says) in [
        (&["--task-graph", shown(&graph), "--task", "T9"][..], "no task in it has the id `T9`"),
        (&["--task-graph", shown(&made)], "it has no list `tasks`"),
        (&["--task", "T02"], "--task-graph"),
    ] {
        let answer = ask("internal/auth/keys.go", more);
        assert!(answer.code == 2 && answer.stderr.contains(says), "{answer:?}");
    }
    assert_eq!(kept(), all);
    let beside: Vec<_> = fs::read_dir(&scratch.0).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert!(beside.iter().all(|name| !name.to_string_lossy().contains(".activate-")), "nothing is left behind: {beside:?}");
}

/// What an audit says.
fn audit(scratch: &Scratch, root: &Path, base: &str) -> Ended {
    let made = scratch.0.join("packet.json");
    packet(&["audit", "--packet", shown(&made), "--base", base, "--repo", shown(root), "--quiet"])
}

#[test]
fn an_audit_lists_what_was_written_and_is_not_declared() {
    let scratch = Scratch::new();
    let replayed = Replayed::new("auth-go");
    let root = replayed.path();
    made(&scratch, root, &GO, None);
    let said = |base: &str| {
        let audit = audit(&scratch, root, base);
        (audit.code, audit.stdout)
    };
    assert_eq!(said("HEAD"), (0, "ok: 0 files written, all of them declared\n".to_owned()));
    fs::write(root.join(GO[0]), "package auth\n").expect("a file");
    fs::write(root.join(GO[2]), "package auth\n").expect("a file");
    assert_eq!(said("HEAD"), (0, "ok: 2 files written, all of them declared\n".to_owned()));
    fs::write(root.join("internal/auth/keys.go"), "package auth\n").expect("a file");
    fs::write(root.join("notes.md"), "notes\n").expect("a file");
    fs::remove_file(root.join("internal/billing/report.go")).expect("a file");
    let expected = "internal/auth/keys.go: changed in the work tree\ninternal/billing/report.go: deleted in the work tree\nnotes.md: added in the work tree\n";
    assert_eq!(said("HEAD"), (10, expected.to_owned()));
    let since = said("HEAD~1");
    assert_eq!(since.0, 10);
    let last = replayed.commits.last().expect("a commit").to_string();
    for line in ["internal/auth/login.go: changed in commit ", "internal/auth/login_test.go: added in commit "] {
        assert!(since.1.contains(&format!("{line}{}\n", &last[..12])), "{}", since.1);
    }
    assert!(!since.1.contains(GO[1]), "what a commit wrote and the packet declares is not a finding");
    // A change that was taken back was written all the same.
    let older = said(&replayed.commits[5].to_string()[..12]).1;
    assert!(
        older.lines().any(|line| line.starts_with("internal/auth/login.go: ") && line.matches("in commit").count() >= 3),
        "{older}"
    );
    let unknown = audit(&scratch, root, "nowhere");
    assert!(unknown.code == 2 && unknown.stderr.contains("there is no commit `nowhere`"), "{}", unknown.stderr);
}

#[test]
fn an_audit_sees_what_a_merge_brings_and_what_it_adds_itself() {
    let scratch = Scratch::new();
    let replayed = Replayed::new("auth-go");
    made(&scratch, replayed.path(), &GO, None);
    let git = gix::open_opts(replayed.path(), gix::open::Options::isolated()).expect("a repository");
    let head = git.head_id().expect("a commit").detach();
    let who = gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.com".into(), time: "1800000000 +0000" };
    let with = |tree: gix::ObjectId, name: &str| {
        let mut tree = git.find_tree(tree).expect("a tree").decode().expect("a tree").to_owned();
        let oid = git.write_blob("text\n").expect("a blob").detach();
        tree.entries.push(gix::objs::tree::Entry { mode: gix::objs::tree::EntryKind::Blob.into(), filename: name.into(), oid });
        tree.entries.sort();
        git.write_object(tree).expect("a tree").detach()
    };
    let top = git.find_commit(head).expect("a commit").tree_id().expect("a tree").detach();
    let side_tree = with(top, "side.md");
    let side = git.commit_as(who, who, "refs/heads/side", "side", side_tree, Some(head)).expect("a commit").detach();
    let merged = with(side_tree, "merge.md");
    git.commit_as(who, who, "HEAD", "merge", merged, [head, side]).expect("a commit");
    let said = audit(&scratch, replayed.path(), &head.to_string());
    // The work tree has neither.
    for line in [
        "merge.md: deleted in the work tree, added by a merge".to_owned(),
        format!("side.md: deleted in the work tree, added in commit {}", &side.to_string()[..12]),
    ] {
        assert!(said.stdout.lines().any(|found| found == line), "{line}: {}", said.stdout);
    }
}
