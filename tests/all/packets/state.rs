//! A state folder that others wrote into, and several who write at once: a clear error or a warning, nothing outside, and never a panic.

use crate::cli::{Ended, Scratch, command, ended};
use crate::replay::Replayed;
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

const FIND: [&str; 4] = ["--intent", "fix ValidateToken", "--packet", "manifest"];

/// A repository and a state folder with one pack.
struct Kept {
    scratch: Scratch,
    replayed: Replayed,
    id: String,
}

impl Kept {
    fn new() -> Self {
        let mut kept = Self { scratch: Scratch::new(), replayed: Replayed::new("auth-go"), id: String::new() };
        let made = kept.run(&FIND);
        let pack: Value = serde_json::from_str(&made.stdout).expect("JSON");
        pack["pack_id"].as_str().expect("an id").clone_into(&mut kept.id);
        kept
    }

    fn state(&self) -> PathBuf {
        self.scratch.0.join("state")
    }

    /// The file of the pack.
    fn file(&self) -> PathBuf {
        self.state().join(format!("packs/{}.json", self.id))
    }

    fn command(&self, args: &[&str]) -> std::process::Command {
        let mut command = command(args);
        command.arg("--state").arg(self.state());
        if args.get(1) != Some(&"show") {
            command.arg("--repo").arg(self.replayed.path()).arg("--no-cache");
        }
        command
    }

    fn run(&self, args: &[&str]) -> Ended {
        ended(&mut self.command(args))
    }

    /// Every command that takes a pack.
    fn all(&self, id: &str) -> Vec<Ended> {
        let commands: [&[&str]; 5] = [
            &["packet", "show", id],
            &["packet", "read", id, "internal/auth/login.go:1-2"],
            &["packet", "expand", id, "--depth", "3"],
            &["packet", "trim", id, "--max-files", "2"],
            &["packet", "rebuild", id],
        ];
        commands.iter().map(|args| self.run(args)).collect()
    }
}

/// Puts a link to `to` where a file or folder was.
fn link(at: &Path, to: &Path) {
    fs::rename(at, at.with_extension("away")).expect("moved");
    symlink(to, at).expect("a link");
}

#[test]
fn a_pack_that_is_not_as_it_was_written_is_refused_by_every_command_with_what_to_do() {
    let kept = Kept::new();
    let (file, whole) = (kept.file(), fs::read_to_string(kept.file()).expect("a pack"));
    let other = kept.scratch.file("outside.json", whole.as_bytes());
    let edit = |from: &str, to: &str| {
        let edited = whole.replacen(from, to, 1);
        assert_ne!(edited, whole, "{from}");
        edited.into_bytes()
    };
    let cases: [(&str, Vec<u8>, &str); 10] = [
        ("empty", Vec::new(), "EOF"),
        ("truncated", whole.as_bytes()[..whole.len() / 2].to_vec(), "EOF"),
        ("garbage", b"\x00\xff\xfe garbage".to_vec(), "UTF-8"),
        ("deep", "[".repeat(100_000).into_bytes(), "expected"),
        ("another form", b"{\"schema\": \"activate.stored-pack.v99\"}".to_vec(), "another version"),
        ("another id", edit(&kept.id, "0"), "changed since it was written"),
        ("another intent", edit("fix ValidateToken", "explain Claims"), "changed since it was written"),
        ("another path", edit("internal/auth/login.go", "../../etc/passwd"), "changed since it was written"),
        ("another budget", edit("\"depth\":2", "\"depth\":255"), "changed since it was written"),
        ("one field more", edit("{\"schema\"", "{\"more\":1,\"schema\""), "unknown field `more`"),
    ];
    for (name, content, says) in cases {
        fs::write(&file, content).expect("written");
        for ended in kept.all(&kept.id) {
            assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{name}: {}", ended.stderr);
            assert!(ended.stderr.contains(says) && ended.stderr.contains("ask for the packet again"), "{name}: {}", ended.stderr);
        }
    }
    // What is asked for again takes the place of what was damaged.
    assert_eq!(kept.run(&FIND).code, 0);
    assert_eq!(fs::read_to_string(&file).expect("a pack"), whole);
    // A copy under another id is not a pack of that id.
    let copied = file.with_file_name(format!("{}.json", "a".repeat(32)));
    fs::copy(&file, &copied).expect("a copy");
    assert!(kept.run(&["packet", "show", "aaaaaaaa"]).stderr.contains("changed since it was written"));
    // Links, folders and pipes are none either; nothing is read behind them, and nobody is waited for.
    for (name, place) in [
        ("a link", (|at: &Path, other: &Path| symlink(other, at).expect("a link")) as fn(&Path, &Path)),
        ("a folder", |at, _| fs::create_dir(at).expect("a folder")),
        ("a pipe", |at, _| {
            rustix::fs::mknodat(rustix::fs::CWD, at, rustix::fs::FileType::Fifo, 0o600.into(), 0).expect("a pipe");
        }),
    ] {
        fs::remove_file(&file).expect("removed");
        place(&file, &other);
        for ended in kept.all(&kept.id) {
            assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{name}: {}", ended.stderr);
            assert!(ended.stderr.contains("cannot be used: "), "{name}: {}", ended.stderr);
        }
        if name == "a folder" {
            assert!(kept.run(&FIND).stderr.contains("was not recorded for later"));
            fs::remove_dir(&file).expect("removed");
        }
        assert_eq!(kept.run(&FIND).stderr, "", "{name} gives way to a pack");
        assert_eq!(fs::read_to_string(&other).expect("a file"), whole, "nothing is written behind a link");
    }
}

#[test]
fn an_id_is_digits_and_names_no_place() {
    let kept = Kept::new();
    kept.scratch.file("state/outside.json", b"{}");
    let long = "a".repeat(10_000);
    for id in [
        "../outside",
        "..",
        "/etc/passwd",
        "packs/../../x",
        "",
        "1234567",
        "ffffffff\0"[..8].trim(),
        "ﬀﬀﬀﬀﬀﬀﬀﬀ",
        "ffffffff/",
        &long,
    ] {
        for ended in kept.all(id) {
            assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{id}");
            let is_clear = ended.stderr.contains("hexadecimal digits") || ended.stderr.contains("has no record of it");
            assert!(is_clear, "{id}: {}", ended.stderr);
        }
    }
    // What lies about in the folder is none of ours: it is neither found nor in the way.
    for name in [&format!("{}-copy.json", &kept.id), &format!("{}.txt", &kept.id[..8]), "notes.json"] {
        fs::write(kept.state().join("packs").join(name), "mine").expect("written");
    }
    assert_eq!(kept.run(&["packet", "show", &kept.id[..8]]).code, 0);
}

#[test]
fn a_pack_is_not_shown_once_it_holds_what_is_a_secret_now() {
    let kept = Kept::new();
    let made = kept.run(&["--intent", "fix ValidateToken for copper-walnut-5512", "--packet", "manifest"]);
    let pack: Value = serde_json::from_str(&made.stdout).expect("JSON");
    let show = ["packet", "show", pack["pack_id"].as_str().expect("an id")];
    assert!(kept.run(&show).stdout.contains("copper-walnut-5512"));
    fs::write(kept.replayed.path().join(".env"), "DB_PASSWORD=copper-walnut-5512\n").expect("written");
    let shown = kept.run(&show);
    assert_eq!((shown.code, shown.stdout.as_str()), (10, ""), "{}", shown.stderr);
    assert!(shown.stderr.contains("holds what is a secret of the repository now") && !shown.stderr.contains("copper"));
}

#[test]
fn nothing_behind_a_link_in_the_state_folder_is_read_or_written() {
    let kept = Kept::new();
    let outside = kept.scratch.0.join("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::copy(kept.file(), outside.join(kept.file().file_name().expect("a name"))).expect("a copy");
    let lines = kept.scratch.file("lines.txt", b"mine\n");
    kept.run(&["--intent", "fix ValidateToken"]);
    for name in ["packs", "packets"] {
        link(&kept.state().join(name), &outside);
    }
    link(&kept.state().join("ledger.jsonl"), &lines);
    let before = fs::read_dir(&outside).expect("a folder").count();
    let shown = kept.run(&["packet", "show", &kept.id]);
    assert!(shown.code == 2 && shown.stderr.contains("cannot be listed: it is a link, or not a folder"), "{}", shown.stderr);
    for kind in ["session", "manifest"] {
        let asked = kept.run(&["--intent", "fix ValidateToken", "--packet", kind, "--quiet"]);
        assert!(asked.code == 0 && !asked.stdout.is_empty(), "an answer costs no record: {}", asked.stderr);
    }
    assert!(kept.run(&FIND).stderr.contains("the ledger"));
    assert_eq!(fs::read_dir(&outside).expect("a folder").count(), before);
    assert_eq!(fs::read_to_string(&lines).expect("a file"), "mine\n");
}

#[test]
fn nobody_waits_for_a_pipe_in_the_place_of_the_ledger() {
    let kept = Kept::new();
    let (ledger, pack) = (kept.state().join("ledger.jsonl"), kept.run(&FIND).stdout);
    fs::remove_file(&ledger).expect("removed");
    rustix::fs::mknodat(rustix::fs::CWD, &ledger, rustix::fs::FileType::Fifo, 0o600.into(), 0).expect("a pipe");
    let asked = kept.run(&FIND);
    assert!(asked.code == 0 && asked.stdout == pack && asked.stderr.contains("the ledger"), "{}", asked.stderr);
    let shown = kept.run(&["packet", "show", &kept.id]);
    assert!(shown.code == 0 && shown.stdout == pack && shown.stderr.contains("the ledger"), "{}", shown.stderr);
    // Nor for one that somebody reads.
    let reader = fs::OpenOptions::new().read(true).write(true).open(&ledger).expect("a reader");
    assert!(kept.run(&FIND).stderr.contains("it is not a regular file"));
    drop(reader);
}

#[test]
fn a_state_folder_that_cannot_be_written_costs_a_warning_and_no_answer() {
    let kept = Kept::new();
    let pack = kept.run(&FIND).stdout;
    fs::set_permissions(kept.state().join("packs"), Permissions::from_mode(0o500)).expect("set");
    // Who may do anything is not kept out by permissions.
    let may_all = fs::write(kept.state().join("packs/probe"), "").is_ok();
    let asked = kept.run(&FIND);
    assert!(asked.code == 0 && asked.stdout == pack && (may_all || asked.stderr.contains("warning")), "{}", asked.stderr);
    assert_eq!(kept.run(&["packet", "show", &kept.id]).code, 0, "what is there can be read");
    fs::set_permissions(kept.state().join("packs"), Permissions::from_mode(0o700)).expect("set");
    for in_the_way in ["packs", "ledger.jsonl", ""] {
        let at = if in_the_way.is_empty() { kept.state() } else { kept.state().join(in_the_way) };
        fs::rename(&at, kept.scratch.0.join("away")).expect("moved");
        if in_the_way == "ledger.jsonl" { fs::create_dir(&at) } else { fs::write(&at, "") }.expect("put there");
        let asked = kept.run(&FIND);
        assert!(asked.code == 0 && asked.stdout == pack && asked.stderr.contains("warning"), "{in_the_way}: {}", asked.stderr);
        let shown = kept.run(&["packet", "show", &kept.id]);
        assert_eq!(shown.code, if in_the_way == "ledger.jsonl" { 0 } else { 2 }, "{in_the_way}: {}", shown.stderr);
        if at.is_dir() { fs::remove_dir(&at) } else { fs::remove_file(&at) }.expect("removed");
        fs::rename(kept.scratch.0.join("away"), &at).expect("moved back");
    }
}

#[test]
fn the_ledger_counts_the_files_of_a_pack_whoever_asks() {
    let kept = Kept::new();
    assert_eq!(kept.run(&["packet", "show", &kept.id]).code, 0);
    kept.run(&["--intent", "fix ValidateToken", "--packet", "context-pack"]);
    let ledger = fs::read_to_string(kept.state().join("ledger.jsonl")).expect("a ledger");
    let lines: Vec<Value> = ledger.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for line in &lines {
        let pack = fs::read_to_string(kept.state().join(format!("packs/{}.json", line["pack_id"].as_str().expect("an id"))));
        let pack: Value = serde_json::from_str(&pack.expect("a pack")).expect("JSON");
        let paths =
            pack["sent"]["places"].as_array().expect("a list").iter().map(|place| place["path"].as_str().expect("a path"));
        let n_files = paths.collect::<std::collections::BTreeSet<_>>().len();
        assert_eq!(line["files"], n_files, "{line}");
    }
    assert_eq!(lines.len(), 3);
}

#[test]
fn several_at_once_keep_the_pack_and_a_line_each() {
    const N: usize = 6;
    let kept = Kept::new();
    let lines = || fs::read_to_string(kept.state().join("ledger.jsonl")).expect("a ledger");
    let before = lines().lines().count();
    let asked: Vec<Ended> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..N).map(|_| scope.spawn(|| kept.run(&FIND))).collect();
        running.into_iter().map(|running| running.join().expect("an end")).collect()
    });
    assert!(asked.iter().all(|ended| *ended == asked[0] && ended.code == 0 && ended.stderr.is_empty()), "{asked:?}");
    assert_eq!(lines().lines().count(), before + N);
    assert!(lines().lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    let names = fs::read_dir(kept.state().join("packs")).expect("a folder").count();
    assert_eq!(names, 1, "nothing is left behind");
}
