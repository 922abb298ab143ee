//! Audits of what a worker did to files in commits and in the work tree, and of bases that cannot be one.

use super::{packet, shown};
use crate::cli::{Ended, Scratch};
use crate::replay::Replayed;
use gix::ObjectId;
use gix::objs::tree::{Entry, EntryKind};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

/// A repository with a packet that declares `go.mod` alone.
struct Audited {
    scratch: Scratch,
    replayed: Replayed,
    git: gix::Repository,
}

impl Audited {
    fn new() -> Self {
        let (scratch, replayed) = (Scratch::new(), Replayed::new("auth-go"));
        let task =
            scratch.file("task.json", br#"{"id": "T1", "filesModified": ["go.mod"], "tddMode": "hard", "riskTier": "low"}"#);
        let repository = shown(replayed.path());
        let made = packet(&["worker", "--task", shown(&task), "--repo", repository, "--no-cache", "--quiet"]);
        scratch.file("packet.json", made.stdout.as_bytes());
        let git = gix::open_opts(replayed.path(), gix::open::Options::isolated()).expect("a repository");
        Self { scratch, replayed, git }
    }

    fn head(&self) -> ObjectId {
        self.git.head_id().expect("a commit").detach()
    }

    /// The entries at the top of a commit.
    fn top(&self, commit: ObjectId) -> Vec<Entry> {
        let tree = self.git.find_commit(commit).expect("a commit").tree().expect("a tree");
        let entries = tree.decode().expect("a tree").entries.clone();
        entries.into_iter().map(Into::into).collect()
    }

    /// Writes a commit with these entries at its top, and moves a branch there.
    fn commit(&self, branch: &str, mut entries: Vec<Entry>, parents: &[ObjectId]) -> ObjectId {
        entries.sort();
        let tree = self.git.write_object(gix::objs::Tree { entries }).expect("a tree").detach();
        let who = gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.com".into(), time: "1800000000 +0000" };
        let name = format!("refs/heads/{branch}");
        self.git.commit_as(who, who, name, branch, tree, parents.iter().copied()).expect("a commit").detach()
    }

    /// The name of the branch that is checked out.
    fn branch(&self) -> String {
        self.git.head_name().expect("a head").expect("a branch").shorten().to_string()
    }

    fn blob(&self, name: &str, kind: EntryKind, text: &str) -> Entry {
        Entry { mode: kind.into(), filename: name.into(), oid: self.git.write_blob(text).expect("a blob").detach() }
    }

    fn audit(&self, base: &str) -> Ended {
        let made = self.scratch.0.join("packet.json");
        packet(&["audit", "--packet", shown(&made), "--base", base, "--repo", shown(self.replayed.path()), "--quiet"])
    }
}

#[test]
fn what_was_renamed_deleted_or_made_executable_is_found_in_the_commit_that_did_it() {
    let audited = Audited::new();
    let base = audited.head();
    let mut entries = audited.top(base);
    let readme = entries.iter().position(|entry| entry.filename == "README.md").expect("a file");
    entries[readme].filename = "GUIDE.md".into();
    let renamed = audited.commit(&audited.branch(), entries.clone(), &[base]);
    let text = "module example.com/auth\n";
    entries.retain(|entry| entry.filename != "GUIDE.md" && entry.filename != "go.mod");
    entries.push(audited.blob("go.mod", EntryKind::BlobExecutable, text));
    entries.push(audited.blob("run.sh", EntryKind::Blob, "true\n"));
    let deleted = audited.commit(&audited.branch(), entries.clone(), &[renamed]);
    entries.retain(|entry| entry.filename != "run.sh");
    entries.push(audited.blob("run.sh", EntryKind::BlobExecutable, "true\n"));
    let executable = audited.commit(&audited.branch(), entries, &[deleted]);
    let ended = audited.audit(&base.to_string());
    let [renamed, deleted, executable] = [renamed, deleted, executable].map(|id| id.to_string()[..12].to_owned());
    // The index and the work tree are those of the base: to the last commit, they took its changes back.
    let expected = format!(
        "GUIDE.md: deleted in commit {deleted}, added in commit {renamed}\n\
         README.md: added in the work tree, deleted in commit {renamed}\n\
         run.sh: deleted in the work tree, changed in commit {executable}, added in commit {deleted}\n"
    );
    assert_eq!((ended.code, ended.stdout), (10, expected), "{}", ended.stderr);
}

#[test]
fn what_the_work_tree_moved_lost_or_gained_is_found_and_its_permissions_are_not_looked_at() {
    let audited = Audited::new();
    let root = audited.replayed.path();
    fs::rename(root.join("README.md"), root.join("GUIDE.md")).expect("renamed");
    fs::remove_file(root.join("internal/auth/keys.go")).expect("removed");
    fs::write(root.join("go.mod"), "module other\n").expect("written");
    fs::create_dir(root.join("new")).expect("a folder");
    fs::write(root.join("new/untracked.go"), "package new\n").expect("written");
    fs::set_permissions(root.join("internal/auth/login.go"), fs::Permissions::from_mode(0o755)).expect("changed");
    // What is said of a file stands under its own name alone, whatever the name is.
    fs::write(root.join("ok: 0 files\nwritten"), "").expect("written");
    let ended = audited.audit("HEAD");
    let mut lines: Vec<&str> = ended.stdout.lines().collect();
    lines.sort_unstable();
    let expected = [
        "GUIDE.md: added in the work tree",
        "README.md: deleted in the work tree",
        "internal/auth/keys.go: deleted in the work tree",
        "new/untracked.go: added in the work tree",
        "ok: 0 files\\u{a}written: added in the work tree",
    ];
    assert_eq!((ended.code, lines), (10, expected.to_vec()), "{}", ended.stderr);
}

#[test]
fn a_base_that_the_work_did_not_begin_with_is_refused_with_what_to_name_instead() {
    let audited = Audited::new();
    let (head, root) = (audited.head(), audited.replayed.commits[0]);
    let with = |name: &str| [audited.top(head), vec![audited.blob(name, EntryKind::Blob, "text\n")]].concat();
    let ahead = audited.commit("ahead", with("ahead.md"), &[head]);
    let lone = audited.commit("lone", with("lone.md"), &[]);
    let work = audited.commit(&audited.branch(), with("work.md"), &[head]);
    for (base, says) in [
        ("none".to_owned(), "there is no commit `none`".to_owned()),
        ("0".repeat(40), format!("there is no commit `{}`", "0".repeat(40))),
        ("--all".to_owned(), "--all".to_owned()),
        ("HEAD:go.mod".to_owned(), "`HEAD:go.mod`".to_owned()),
        ("ahead".to_owned(), format!("does not come from {ahead}, but both come from {head}: name that one")),
        ("lone".to_owned(), format!("does not come from {lone}, and the two have no commit in common")),
    ] {
        let ended = audited.audit(&base);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{base}");
        assert!(ended.stderr.contains(&says), "{base}: {}", ended.stderr);
    }
    for base in [head.to_string(), root.to_string(), "HEAD~1".to_owned()] {
        let said = audited.audit(&base).stdout;
        assert!(
            said.contains(&format!("work.md: deleted in the work tree, added in commit {}", &work.to_string()[..12])),
            "{said}"
        );
        assert!(!said.contains("by a merge"), "{said}");
    }
}
