//! Changes whose repositories no script of a history makes: modes, links, submodules, branches side by side, files that move together.
//!
//! Must not test what is said of hunks: the tests of reviews do.

use super::{Ended, Scratch, run};
use gix::ObjectId;
use gix::objs::tree::{Entry, EntryKind};
use std::collections::BTreeMap;
use std::fs;

/// What a tree has under each name of its top, a folder of files behind a slash.
type Files = BTreeMap<String, (EntryKind, String)>;

/// A repository under construction, with nothing checked out.
struct Made {
    scratch: Scratch,
    git: gix::Repository,
    n_commits: u64,
}

impl Made {
    fn new() -> Self {
        let scratch = Scratch::new();
        let (kind, options) = (gix::create::Kind::WithWorktree, gix::open::Options::isolated());
        let git = gix::ThreadSafeRepository::init_opts(&scratch.0, kind, gix::create::Options::default(), options);
        Self { git: git.expect("a repository").to_thread_local(), scratch, n_commits: 0 }
    }

    fn tree(&self, files: &Files) -> ObjectId {
        let mut folders: BTreeMap<&str, Files> = BTreeMap::new();
        let mut entries = Vec::new();
        for (path, (kind, text)) in files {
            if let Some((folder, name)) = path.split_once('/') {
                folders.entry(folder).or_default().insert(name.to_owned(), (*kind, text.clone()));
                continue;
            }
            let oid = match kind {
                EntryKind::Commit => ObjectId::from_hex(text.as_bytes()).expect("an id"),
                _ => self.git.write_blob(text).expect("a blob").detach(),
            };
            entries.push(Entry { mode: (*kind).into(), filename: path.as_str().into(), oid });
        }
        for (folder, files) in folders {
            entries.push(Entry { mode: EntryKind::Tree.into(), filename: folder.into(), oid: self.tree(&files) });
        }
        entries.sort();
        self.git.write_object(gix::objs::Tree { entries }).expect("a tree").detach()
    }

    fn commit(&mut self, branch: &str, parents: &[ObjectId], files: &Files) -> ObjectId {
        self.n_commits += 1;
        let time = format!("{} +0000", 1_700_000_000 + 100 * self.n_commits);
        let who = gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.com".into(), time: &time };
        let (tree, parents) = (self.tree(files), parents.iter().copied());
        self.git.commit_as(who, who, branch, "a commit", tree, parents).expect("a commit").detach()
    }

    /// Writes files and an index that knows them.
    fn check_out(&self, files: &Files) {
        for (path, (_, text)) in files.iter().filter(|(_, (kind, _))| matches!(kind, EntryKind::Blob)) {
            let path = self.scratch.0.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        let mut index = self.git.index_from_tree(&self.tree(files)).expect("an index");
        index.write(gix::index::write::Options::default()).expect("an index");
    }

    fn review(&self, args: &[&str]) -> Ended {
        run(&[args, &["--repo", self.scratch.0.to_str().expect("text"), "--no-cache", "--no-state"]].concat())
    }

    /// What a command says that keeps no state.
    fn asked(&self, args: &[&str]) -> Ended {
        run(&[args, &["--repo", self.scratch.0.to_str().expect("text"), "--no-cache"]].concat())
    }
}

fn files(list: &[(&str, &str)]) -> Files {
    list.iter().map(|(path, text)| ((*path).to_owned(), (EntryKind::Blob, (*text).to_owned()))).collect()
}

fn says(ended: &Ended, parts: &[&str]) {
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let said = format!("{}\n{}", ended.stdout, ended.stderr);
    for part in parts {
        assert!(said.contains(part), "no {part:?} in\n{said}");
    }
}

const LINES: &str = "package a\n\nfunc one() {}\n\nfunc two() {}\n\nfunc three() {}\n\nfunc four() {}\n";

#[test]
fn modes_links_and_submodules_are_named_though_no_line_of_them_changes() {
    let mut made = Made::new();
    made.scratch.file("run.sh", b"echo\n");
    let state = |mode, target: &str, id: &str| -> Files {
        let more = [("link", EntryKind::Link, target), ("lib", EntryKind::Commit, id), ("run.sh", mode, "echo\n")];
        more.into_iter().map(|(path, kind, text)| (path.to_owned(), (kind, text.to_owned()))).collect()
    };
    let first = made.commit("HEAD", &[], &state(EntryKind::Blob, "a", &"1".repeat(40)));
    made.commit("HEAD", &[first], &state(EntryKind::BlobExecutable, "b", &"2".repeat(40)));
    let range = made.review(&["--diff", "HEAD~1..HEAD"]);
    says(
        &range,
        &[
            "CHANGED FILES (HEAD~1 to HEAD: 3 files, +0 -0):",
            "  - run.sh (+0 -0, file to executable)\n",
            "  - link (+0 -0, symbolic link)\n",
            "  - lib (+0 -0, submodule)\n",
        ],
    );
    assert!(!range.stderr.contains("no such file"), "{}", range.stderr);
}

#[test]
fn a_file_that_is_too_large_is_named_and_counted_and_nothing_changed_is_an_answer() {
    let mut made = Made::new();
    let large = |last: &str| "a line of data\n".repeat(80_000) + last;
    let first = made.commit("HEAD", &[], &files(&[("a.go", LINES), ("data.txt", &large("1"))]));
    let changed = LINES.replace("two()", "two(n int)");
    let after = files(&[("a.go", &changed), ("data.txt", &large("2"))]);
    let second = made.commit("HEAD", &[first], &after);
    made.check_out(&after);
    let review = |range: &str| made.asked(&["review", range]);
    says(
        &review("HEAD~1..HEAD"),
        &["`HEAD~1 to HEAD`, 2 files (+1 −1)", "Note: `data.txt: it is not compared: ", "warning: data.txt: "],
    );
    says(&review("HEAD..HEAD"), &["`HEAD to HEAD`: nothing changed.\n"]);
    says(&made.asked(&["impact", "--diff", "HEAD..HEAD"]), &["nothing changed\n(complete)\n"]);
    let view = made.asked(&["view", "fix two"]);
    assert!(view.code == 2 && view.stderr.contains("--out <FILE>|--open"), "{}", view.stderr);

    // Of source nobody knows what changes in it.
    let source = |name: &str| files(&[("a.go", &format!("{LINES}{}func {name}() {{}}\n", "// a line of data\n".repeat(80_000)))]);
    let third = made.commit("HEAD", &[second], &source("last"));
    made.commit("HEAD", &[third], &source("late"));
    let unknown = "what changes in a.go is not known, as it is too large";
    says(&made.asked(&["impact", "--diff", "HEAD~1..HEAD"]), &["(incomplete: ", unknown]);
    says(&made.asked(&["review", "HEAD~1..HEAD"]), &["Uses may be missing: ", unknown]);
}

#[test]
fn a_folder_of_any_number_of_files_moves_as_a_whole() {
    let mut made = Made::new();
    let text = |number: usize| format!("{LINES}\nfunc own{number}() {{}}\n");
    let folder = |name: &str| -> Files {
        (0..1_100).map(|number| (format!("{name}/f{number:04}.go"), (EntryKind::Blob, text(number)))).collect()
    };
    let first = made.commit("HEAD", &[], &folder("src"));
    let mut moved = folder("dst");
    moved.insert("dst/f0700.go".to_owned(), (EntryKind::Blob, text(700).replace("four", "five")));
    made.commit("HEAD", &[first], &moved);
    made.check_out(&moved);
    says(
        &made.review(&["--diff", "HEAD~1..HEAD"]),
        &[
            "(HEAD~1 to HEAD: 400 files, +1 -1):",
            "  - dst/f0700.go (moved from src/f0700.go, +1 -1)\n",
            "  - dst/f0000.go (moved from src/f0000.go, +0 -0)\n",
            "700 of the changed files are left out",
        ],
    );
}

#[test]
fn files_of_the_work_tree_that_moved_are_found_by_what_they_hold_and_have_the_line_ends_of_the_commit() {
    let mut made = Made::new();
    let old = files(&[("src/a.go", LINES), ("src/b.go", "package b\n"), ("src/c.go", "package c\n"), ("src/empty.go", "")]);
    made.commit("HEAD", &[], &old);
    let crlf = LINES.replace("two", "second").replace('\n', "\r\n");
    made.check_out(&old);
    fs::write(made.scratch.0.join("src/a.go"), &crlf).expect("a file");
    says(&made.review(&["--diff"]), &["(HEAD to the work tree: 1 files, +1 -1)", "\n-func two() {}\n+func second() {}\n"]);

    fs::rename(made.scratch.0.join("src"), made.scratch.0.join("dst")).expect("a folder");
    fs::write(made.scratch.0.join("dst/b.go"), "package b\r\n").expect("a file");
    says(
        &made.review(&["--diff"]),
        &[
            "(HEAD to the work tree: 4 files, +1 -1)",
            "  - dst/a.go (moved from src/a.go, +1 -1)\n",
            "  - dst/b.go (moved from src/b.go, +0 -0)\n",
            "  - dst/c.go (moved from src/c.go, +0 -0)\n",
            "  - dst/empty.go (moved from src/empty.go, +0 -0)\n",
        ],
    );
}

#[test]
fn a_branch_that_is_not_checked_out_differs_from_what_is_here() {
    let mut made = Made::new();
    let base = files(&[("a.go", LINES), ("b.go", LINES), ("gone.go", LINES), ("same.go", LINES)]);
    let first = made.commit("HEAD", &[], &base);
    made.check_out(&base);
    let changed = LINES.replace("two", "second");
    made.commit("refs/heads/feat", &[first], &files(&[("a.go", &changed), ("b.go", LINES), ("same.go", LINES)]));
    let name = made.git.head_name().expect("a head").expect("a branch").shorten().to_string();
    let range = format!("{name}...feat");
    let beside = made.review(&["--diff", &range]);
    let told = format!("2 of the files that `{range}` changes differ here from the end of the range, a.go among them");
    says(&beside, &["2 files, +1 -", "  - gone.go (deleted, ", &told]);
    assert!(!beside.stderr.contains("since"), "{}", beside.stderr);

    // The end of the range with other line ends is the end of the range.
    fs::write(made.scratch.0.join("a.go"), changed.replace('\n', "\r\n")).expect("a file");
    fs::remove_file(made.scratch.0.join("gone.go")).expect("a file");
    let here = made.review(&["--diff", &range]);
    says(&here, &["2 files, +1 -"]);
    assert!(!here.stderr.contains("differ here"), "{}", here.stderr);
}

#[test]
fn what_is_missing_of_the_git_data_is_told_with_what_to_do() {
    let mut made = Made::new();
    let texts = [LINES, &LINES.replace("two", "second"), &LINES.replace("two", "third")].map(|text| files(&[("src/a.go", text)]));
    let mut parents = Vec::new();
    for text in &texts {
        parents = vec![made.commit("HEAD", &parents, text)];
    }
    made.check_out(&texts[2]);
    let below = made.scratch.0.join("src");
    let refused = run(&["--diff", "HEAD~1..HEAD", "--repo", below.to_str().expect("text"), "--no-cache", "--no-state"]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert!(refused.stderr.contains("name the root folder of the repository, or give a patch"), "{}", refused.stderr);
    assert!(!refused.stderr.contains("such as"), "{}", refused.stderr);

    let lost = made.git.write_blob(&texts[0]["src/a.go"].1).expect("a blob").detach().to_string();
    fs::remove_file(made.scratch.0.join(format!(".git/objects/{}/{}", &lost[..2], &lost[2..]))).expect("an object");
    let asked = made.review(&["--intent", "what a commit did to third in src/a.go"]);
    says(&asked, &["1 differences that commits made cannot be read", &format!("src/a.go: blob {lost}")]);
    let none = made.review(&["--diff", "HEAD~2..HEAD"]);
    assert_eq!(none.code, 2, "{}", none.stdout);
    assert!(none.stderr.contains("no file that could be compared changed from HEAD~2 to HEAD"), "{}", none.stderr);
    // What was not compared may have changed.
    says(
        &made.asked(&["impact", "--diff", "HEAD~2..HEAD"]),
        &["no file that could be compared changed\n(incomplete: 1 part of the change is left out)\n"],
    );
    says(&made.asked(&["review", "HEAD~2..HEAD"]), &["`HEAD~2 to HEAD`: no file that could be compared changed. Note: "]);
}
