//! What tests need: temporary folders, and git data of small repositories, built object by object, so that no git program is needed and
//! every id is the same everywhere.

#![expect(missing_docs, clippy::missing_panics_doc, clippy::new_without_default, reason = "for tests")]

use crate::{Alternates, Change, ChangeKind, Changes, Git, Repo, WalkOptions};
use gix::ObjectId;
use gix::objs::tree::{Entry, EntryKind};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("activate-repo-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: impl AsRef<Path>, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    /// Sets a file's modification time, in seconds since 1970.
    pub fn set_time(&self, name: &str, seconds: u64) {
        let file = fs::File::options().append(true).open(self.0.join(name)).expect("a file");
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        file.set_modified(time).expect("a time");
    }

    /// Makes a file of so many zero bytes that take no room.
    pub fn write_zeros(&self, name: &str, len: u64) {
        fs::File::create(self.0.join(name)).and_then(|file| file.set_len(len)).expect("a file");
    }

    pub fn remove(&self, name: &str) {
        let path = self.0.join(name);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("a file or folder");
    }

    #[cfg(unix)]
    pub fn link(&self, target: &str, name: &str) {
        std::os::unix::fs::symlink(target, self.0.join(name)).expect("a link");
    }

    #[cfg(unix)]
    pub fn fifo(&self, name: &str) {
        // The only way to make one that every Unix has.
        let status = std::process::Command::new("mkfifo").arg(self.0.join(name)).status();
        assert!(status.expect("mkfifo").success());
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Seconds since 1970 of a repository's first commit; each further one is a minute later.
pub const START: i64 = 1_700_000_000;

/// When the files and the index of a test were written: long ago, the index last.
pub const FILES_WRITTEN: u64 = 1_600_000_000;
pub const INDEX_WRITTEN: u64 = FILES_WRITTEN + 100;

/// A repository under construction.
pub struct Made {
    pub scratch: Scratch,
    pub git: gix::Repository,
    pub commits: Vec<ObjectId>,
}

impl Made {
    pub fn new() -> Self {
        Self::at("")
    }

    /// A repository in a folder of the scratch folder.
    pub fn at(folder: &str) -> Self {
        let scratch = Scratch::new();
        let path = scratch.path().join(folder);
        std::fs::create_dir_all(&path).expect("a folder");
        let options = gix::open::Options::isolated();
        let git =
            gix::ThreadSafeRepository::init_opts(path, gix::create::Kind::WithWorktree, gix::create::Options::default(), options);
        Self { scratch, git: git.expect("a repository").to_thread_local(), commits: Vec::new() }
    }

    /// Writes a tree of files given as `path=text`.
    pub fn tree(&self, files: &str) -> ObjectId {
        let files = files.split_whitespace().filter_map(|file| file.split_once('='));
        let files = files.map(|(path, text)| (path.to_owned(), self.git.write_blob(text).expect("a blob").detach()));
        self.subtree(&files.collect())
    }

    pub fn subtree(&self, files: &BTreeMap<String, ObjectId>) -> ObjectId {
        let mut folders: BTreeMap<&str, BTreeMap<String, ObjectId>> = BTreeMap::new();
        let mut entries = Vec::new();
        for (path, id) in files {
            match path.split_once('/') {
                Some((folder, rest)) => _ = folders.entry(folder).or_default().insert(rest.to_owned(), *id),
                None => entries.push(Entry { mode: EntryKind::Blob.into(), filename: path.as_str().into(), oid: *id }),
            }
        }
        for (folder, files) in folders {
            entries.push(Entry { mode: EntryKind::Tree.into(), filename: folder.into(), oid: self.subtree(&files) });
        }
        entries.sort();
        self.git.write_object(gix::objs::Tree { entries }).expect("a tree").detach()
    }

    /// Writes a tree of one file at `path`, for texts that the short notation cannot hold.
    pub fn tree_of(&self, path: &str, text: &str) -> ObjectId {
        let blob = self.git.write_blob(text).expect("a blob").detach();
        self.subtree(&BTreeMap::from([(path.to_owned(), blob)]))
    }

    pub fn commit(&mut self, message: &str, files: &str) -> ObjectId {
        let tree = self.tree(files);
        self.commit_tree(message, tree)
    }

    pub fn commit_tree(&mut self, message: &str, tree: ObjectId) -> ObjectId {
        let parents = self.commits.last().copied();
        let seconds = START + 60 * self.commits.len() as i64;
        let time = format!("{seconds} +0000");
        let who = gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.com".into(), time: &time };
        let id = self.git.commit_as(who, who, "HEAD", message, tree, parents).expect("a commit").detach();
        self.commits.push(id);
        id
    }

    /// Writes the files to disk.
    pub fn check_out(&self, files: &str) {
        for (path, text) in files.split_whitespace().filter_map(|file| file.split_once('=')) {
            self.scratch.write(path, text);
            self.scratch.set_time(path, FILES_WRITTEN);
        }
    }

    /// Writes an index with these files, and what the disk says of those that are there with the same text.
    pub fn stage(&self, files: &str) {
        self.stage_tree(self.tree(files));
    }

    pub fn stage_tree(&self, tree: ObjectId) {
        let mut index = self.git.index_from_tree(&tree).expect("an index");
        for (entry, path) in index.entries_mut_with_paths() {
            let path = self.scratch.path().join(path.to_string());
            if let (Ok(stat), Ok(text)) = (path.metadata(), std::fs::read(&path))
                && self.git.write_blob(text).expect("a blob") == entry.id
            {
                entry.stat.size = stat.len() as u32;
                let written = stat.modified().expect("a time").duration_since(std::time::UNIX_EPOCH);
                entry.stat.mtime.secs = written.expect("after 1970").as_secs() as u32;
            }
        }
        index.write(gix::index::write::Options::default()).expect("an index");
        self.scratch.set_time(".git/index", INDEX_WRITTEN);
    }

    pub fn open(&self) -> (Repo, Git) {
        let repo = Repo::open(self.scratch.path()).expect("a folder");
        let (git, problems) = repo.git(Alternates::Refuse);
        (repo, git.unwrap_or_else(|| panic!("{problems:?}")))
    }

    /// What git was told not to check out.
    pub fn absent(&self) -> Option<String> {
        let (repo, git) = self.open();
        git.changes(&repo.walk(&WalkOptions::default()).expect("a walk").files).absent.sentence()
    }

    /// The changes, one word of letter and path each.
    pub fn changes(&self) -> String {
        let (repo, git) = self.open();
        let found = git.changes(&repo.walk(&WalkOptions::default()).expect("a walk").files);
        assert_eq!(found.problems, []);
        Self::words(&found)
    }

    /// The changes of contents, and how many problems there are of those that the index tells.
    pub fn contents(&self) -> (String, usize) {
        let (repo, git) = self.open();
        let files = repo.walk(&WalkOptions::default()).expect("a walk").files;
        let found = git.contents(&files);
        assert_eq!(found.problems, []);
        (Self::words(&found), git.changes(&files).problems.len())
    }

    fn words(found: &Changes) -> String {
        let words = found.changes.iter().map(|Change { path, kind }| match kind {
            ChangeKind::Added => format!("A:{path}"),
            ChangeKind::Modified => format!("M:{path}"),
            ChangeKind::Deleted => format!("D:{path}"),
            ChangeKind::Renamed { from } => format!("R:{from}>{path}"),
            ChangeKind::Untracked => format!("?:{path}"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Three commits, of which the first two are named.
    pub fn of_three() -> (Self, ObjectId, ObjectId) {
        let mut made = Self::new();
        let first = made.commit("first", "a=1");
        let second = made.commit("second", "a=2");
        made.commit("third", "a=3");
        made.check_out("a=3");
        made.stage("a=3");
        (made, first, second)
    }

    /// Loses the object that `id` names.
    pub fn lose(&self, id: ObjectId) {
        let id = id.to_string();
        self.scratch.remove(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    }
}
