//! Twenty ways to ask for the same, of every kind: the packet and its receipt have the same bytes.

use super::INTENTS;
use crate::cli::{Scratch, command, ended};
use crate::replay::Replayed;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A task for the kinds that are made from one.
const TASK: &str = r#"{"id": "T12", "title": "Signed tokens", "description": "Tokens are signed.", "subtasks": [{"id": 2}, {"id": 3}],
  "filesModified": ["internal/auth/login.go", "internal/auth/new.go"], "acceptanceCriteria": ["AC-3"], "tddMode": "hard", "riskTier": "high"}"#;

/// How files are written again elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copied {
    /// With the times that they have.
    Whole,
    /// With times of now, as after touching them all.
    Touched,
    /// In the reverse order, with times of now.
    Reversed,
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: PathBuf, how: Copied) -> PathBuf {
    let mut folders = vec![from.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let is_folder = entry.path().is_dir();
            found.push((entry.path(), is_folder));
            folders.extend(is_folder.then(|| entry.path()));
        }
    }
    found.sort();
    if how == Copied::Reversed {
        found.reverse();
    }
    for (path, is_folder) in found {
        let target = to.join(path.strip_prefix(from).expect("below the folder"));
        let folder = if is_folder { &target } else { target.parent().expect("a folder") };
        fs::create_dir_all(folder).expect("folders");
        if !is_folder {
            fs::write(&target, fs::read(&path).expect("a file")).expect("written");
            if how == Copied::Whole {
                let written = path.metadata().and_then(|data| data.modified()).expect("a time");
                File::options().write(true).open(target).and_then(|file| file.set_modified(written)).expect("set");
            }
        }
    }
    to
}

/// Where a cache is.
#[derive(Clone, Copy)]
enum Cached {
    Nowhere,
    /// In a folder of this name: cold for the first who has it, warm for others.
    At(&'static str),
}

/// Which of the repositories, how many threads, where the cache is, and which variables differ.
type Way = (usize, u8, Cached, &'static [(&'static str, &'static str)]);

const TURKISH: &[(&str, &str)] = &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"), ("TZ", "Asia/Tokyo")];
const PLAIN: &[(&str, &str)] = &[("LC_ALL", "C"), ("LANG", "C"), ("TZ", "America/Caracas"), ("COLUMNS", "20"), ("NO_COLOR", "1")];
const HOMELESS: &[(&str, &str)] = &[("HOME", "/nonexistent"), ("USER", "nobody"), ("TMPDIR", "/nonexistent")];
const COLOURED: &[(&str, &str)] = &[("CLICOLOR_FORCE", "1"), ("TERM", "xterm-256color"), ("RUST_LOG", "trace")];

const WAYS: [Way; 20] = [
    (0, 1, Cached::Nowhere, &[]),
    (0, 2, Cached::Nowhere, TURKISH),
    (0, 8, Cached::Nowhere, HOMELESS),
    (0, 1, Cached::At("first"), PLAIN),
    (0, 1, Cached::At("first"), &[]),
    (0, 8, Cached::At("first"), TURKISH),
    (1, 2, Cached::Nowhere, COLOURED),
    (1, 8, Cached::At("first"), HOMELESS),
    (1, 1, Cached::At("second"), &[]),
    (1, 2, Cached::At("second"), PLAIN),
    (2, 1, Cached::Nowhere, TURKISH),
    (2, 8, Cached::At("whole"), &[]),
    (2, 2, Cached::At("whole"), COLOURED),
    (3, 1, Cached::At("first"), &[]),
    (3, 8, Cached::Nowhere, PLAIN),
    (3, 2, Cached::At("touched"), HOMELESS),
    (4, 1, Cached::At("reversed"), &[]),
    (4, 8, Cached::At("reversed"), TURKISH),
    (4, 2, Cached::Nowhere, HOMELESS),
    (0, 8, Cached::At("whole"), COLOURED),
];

/// Asks in all ways; `FILE` in the arguments stands for the task.
fn check(arguments: &[&str]) {
    let (scratch, first, second) = (Scratch::new(), Replayed::new("auth-go"), Replayed::new("auth-go"));
    let copied = |name: &str, how| copy(first.path(), scratch.0.join(name), how);
    let repositories = [
        first.path().to_owned(),
        second.path().to_owned(),
        copied("whole", Copied::Whole),
        copied("touched ñ/a folder", Copied::Touched),
        copied("reversed", Copied::Reversed),
    ];
    let (task, receipt) = (scratch.file("task.json", TASK.as_bytes()), scratch.0.join("receipt.json"));
    let mut made: Vec<(String, String)> = Vec::new();
    for (number, threads, cached, variables) in WAYS {
        let mut command = command(&[]);
        command.args(arguments.iter().map(|argument| if *argument == "FILE" { task.as_os_str() } else { argument.as_ref() }));
        command.arg("--repo").arg(&repositories[number]).arg("--receipt").arg(&receipt).arg("--quiet");
        command.arg(format!("--threads={threads}")).envs(variables.iter().copied());
        match cached {
            Cached::Nowhere => command.arg("--no-cache"),
            Cached::At(name) => command.arg("--cache").arg(scratch.0.join("caches").join(name)),
        };
        let ended = ended(&mut command);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{arguments:?} {number} {threads}");
        made.push((ended.stdout, fs::read_to_string(&receipt).expect("a receipt")));
        fs::remove_file(&receipt).expect("a receipt");
    }
    let other = made.iter().position(|one| *one != made[0]);
    assert_eq!(other, None, "{arguments:?}");
    assert!(made[0].0.len() > 500 && made[0].1.len() > 500, "{arguments:?}");
}

#[test]
fn a_session_packet_has_the_same_bytes_in_every_way() {
    // The object holds the text.
    check(&["--intent", INTENTS[0].1, "--format", "json"]);
}

#[test]
fn a_context_pack_has_the_same_bytes_in_every_way() {
    check(&["--intent", INTENTS[0].1, "--packet", "context-pack", "--format", "json"]);
}

#[test]
fn a_manifest_has_the_same_bytes_in_every_way() {
    check(&["--intent", INTENTS[0].1, "--packet", "manifest", "--format", "json", "--include", "docs", "--include", "tests"]);
}

#[test]
fn a_hydrated_pack_has_the_same_bytes_in_every_way() {
    check(&["--intent", INTENTS[0].1, "--packet", "hydrated", "--format", "json"]);
}

#[test]
fn a_packet_of_a_worker_has_the_same_bytes_in_every_way() {
    let plan = crate::replay::corpus().join("auth-go.plan");
    check(&["packet", "worker", "--task", "FILE"]);
    check(&["packet", "worker", "--task", "FILE", "--plan", plan.to_str().expect("a path")]);
}

#[test]
fn a_packet_of_phases_has_the_same_bytes_in_every_way() {
    check(&["packet", "phase", "new", "--task", "FILE", "--subtask-id", "3", "--feature", "refuse empty tokens"]);
}
