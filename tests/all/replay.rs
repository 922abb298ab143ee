//! Replays a `.history` script of the corpus into a temporary git repository; the format is described in `corpus/README.md`.
//!
//! Objects are written directly: no git program is needed, and every id is the same everywhere.

use gix::ObjectId;
use gix::objs::tree::{Entry, EntryKind};
use repo::{Alternates, Repo, WalkOptions};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The repositories of the corpus that have a history, with the commit it must end in.
pub(crate) const HISTORIES: [(&str, &str); 4] =
    [("auth-go", "4698bffdfe51"), ("auth-rust", "8b90e2aa89fe"), ("auth-ts", "4b6a93810b55"), ("polyglot", "f288f5db2aad")];

/// The folder that holds the corpus.
pub(crate) fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// A repository of the corpus with its history, checked out and clean, in a folder that is removed at the end.
pub(crate) struct Replayed {
    folder: PathBuf,
    /// The ids of its commits, oldest first.
    pub(crate) commits: Vec<ObjectId>,
}

impl Replayed {
    /// Replays the history of `name`, a folder of the corpus.
    pub(crate) fn new(name: &str) -> Self {
        let script = fs::read_to_string(corpus().join(format!("{name}.history"))).expect("a history");
        Self::of(&script, &corpus().join(name))
    }

    /// Replays a script; `source` is where its `file` steps find files.
    pub(crate) fn of(script: &str, source: &Path) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("activate-replay-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let kind = gix::create::Kind::WithWorktree;
        let options = gix::open::Options::isolated();
        let git = gix::ThreadSafeRepository::init_opts(&folder, kind, gix::create::Options::default(), options);
        let mut replay =
            Replay { git: git.expect("a repository").to_thread_local(), files: BTreeMap::new(), commits: Vec::new() };
        replay.run(script, source);
        replay.check_out(&folder);
        Self { folder, commits: replay.commits }
    }

    /// The folder of the working tree.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Replayed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A commit that was read and is not written yet.
struct Pending<'a> {
    time: &'a str,
    name: &'a str,
    email: &'a str,
    subject: &'a str,
    body: Vec<&'a str>,
}

impl<'a> Pending<'a> {
    /// Reads `<unix time> <author name> <<email>> | <subject>`.
    fn parse(line: &'a str) -> Option<Self> {
        let (who, subject) = line.split_once(" | ")?;
        let (time, who) = who.split_once(' ')?;
        let (name, email) = who.strip_suffix('>')?.split_once(" <")?;
        Some(Self { time, name, email, subject, body: Vec::new() })
    }

    fn message(&self) -> String {
        let body = if self.body.is_empty() { String::new() } else { format!("\n{}\n", self.body.join("\n")) };
        format!("{}\n{body}", self.subject)
    }
}

/// A history while it is replayed.
struct Replay {
    git: gix::Repository,
    /// The content of every file so far.
    files: BTreeMap<String, Vec<u8>>,
    commits: Vec<ObjectId>,
}

impl Replay {
    fn run(&mut self, script: &str, source: &Path) {
        let mut pending: Option<Pending<'_>> = None;
        let mut lines = script.lines().peekable();
        while let Some(line) = lines.next() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(header) = line.strip_prefix("commit ") {
                self.write(pending.take());
                pending = Some(Pending::parse(header).unwrap_or_else(|| panic!("no commit: {line}")));
            } else if let Some(text) = line.strip_prefix('|') {
                let body = &mut pending.as_mut().expect("a commit before a body").body;
                body.push(text.strip_prefix(' ').unwrap_or(text));
            } else if let Some(path) = line.strip_prefix("file ") {
                self.files.insert(path.to_owned(), fs::read(source.join(path)).expect("a file of the corpus"));
            } else if let Some(path) = line.strip_prefix("edit ") {
                let mut text = String::new();
                while let Some(added) = lines.next_if(|line| line.starts_with('+')) {
                    text.push_str(&added[1..]);
                    text.push('\n');
                }
                self.files.insert(path.to_owned(), text.into_bytes());
            } else if let Some(path) = line.strip_prefix("gone ") {
                self.files.remove(path).expect("a file that was there");
            } else {
                panic!("no step of a history: {line}");
            }
        }
        self.write(pending);
    }

    fn write(&mut self, pending: Option<Pending<'_>>) {
        let Some(pending) = pending else { return };
        let blobs =
            self.files.iter().map(|(path, content)| (path.as_str(), self.git.write_blob(content).expect("a blob").detach()));
        let tree = self.tree(&blobs.collect());
        let time = format!("{} +0000", pending.time);
        let who = gix::actor::SignatureRef { name: pending.name.into(), email: pending.email.into(), time: &time };
        let parent = self.commits.last().copied();
        let commit = self.git.commit_as(who, who, "HEAD", pending.message(), tree, parent).expect("a commit");
        self.commits.push(commit.detach());
    }

    /// Writes the tree of these files, whose paths start at its top.
    fn tree(&self, files: &BTreeMap<&str, ObjectId>) -> ObjectId {
        let mut folders: BTreeMap<&str, BTreeMap<&str, ObjectId>> = BTreeMap::new();
        let mut entries = Vec::new();
        for (path, id) in files {
            match path.split_once('/') {
                Some((folder, rest)) => _ = folders.entry(folder).or_default().insert(rest, *id),
                None => entries.push(Entry { mode: EntryKind::Blob.into(), filename: (*path).into(), oid: *id }),
            }
        }
        for (folder, files) in folders {
            entries.push(Entry { mode: EntryKind::Tree.into(), filename: folder.into(), oid: self.tree(&files) });
        }
        entries.sort();
        self.git.write_object(gix::objs::Tree { entries }).expect("a tree").detach()
    }

    /// Writes the files of the last commit and an index that knows them.
    fn check_out(&self, folder: &Path) {
        for (path, content) in &self.files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, content).expect("a file");
        }
        let tree = self.git.head_tree_id().expect("a tree");
        let mut index = self.git.index_from_tree(&tree).expect("an index");
        for (entry, path) in index.entries_mut_with_paths() {
            let metadata = folder.join(path.to_string()).metadata().expect("a file");
            entry.stat.size = metadata.size() as u32;
            entry.stat.mtime.secs = metadata.mtime() as u32;
            entry.stat.mtime.nsecs = metadata.mtime_nsec() as u32;
        }
        index.write(gix::index::write::Options::default()).expect("an index");
    }
}

#[test]
fn every_history_ends_in_its_commit_with_nothing_changed() {
    for (name, end) in HISTORIES {
        let replayed = Replayed::new(name);
        let last = replayed.commits.last().map(ToString::to_string).unwrap_or_default();
        assert!(last.starts_with(end), "{name} ends in {last}");

        let repo = Repo::open(replayed.path()).expect("a repository");
        let (git, problems) = repo.git(Alternates::Refuse);
        assert_eq!(problems, []);
        let git = git.expect("git data");
        let changes = git.changes(&repo.walk(&WalkOptions::default()).expect("a walk").files);
        assert_eq!((changes.changes, changes.problems), (Vec::new(), Vec::new()), "{name}");
        assert_eq!(git.history(usize::MAX).commits.len(), replayed.commits.len(), "{name}");
    }
}
