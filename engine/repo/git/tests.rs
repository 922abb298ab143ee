//! Git data of small repositories, built object by object: no git program is needed, and every id is the same everywhere.

mod at;
mod fork;
mod log;
mod shapes;

use super::history::MAX_STRETCH_TREE_BYTES;
use super::*;
use crate::testing::{FILES_WRITTEN, INDEX_WRITTEN, Made, START, Scratch};
use crate::{Repo, RepoPath, WalkOptions};
use gix::ObjectId;
use gix::objs::tree::{Entry, EntryKind};
use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn changes_are_what_differs_between_commit_index_and_disk() {
    // Last commit, index, disk, changes.
    let table = [
        ("a=1 d/b=2", "a=1 d/b=2", "a=1 d/b=2", ""),
        ("a=1", "a=1", "a=2", "M:a"),
        ("a=1", "a=2", "a=2", "M:a"),
        ("a=1", "a=2", "a=1", "M:a"),
        ("a=1 d/b=2", "a=1 d/b=2", "a=1", "D:d/b"),
        ("a=1 d/b=2", "a=1", "a=1", "D:d/b"),
        ("a=1", "", "a=1", "?:a"),
        ("", "a=1", "a=1", "A:a"),
        ("", "a=1", "", ""),
        ("", "", "d/e/a=1", "?:d/e/a"),
        ("a=1 b=2", "c=1 b=2", "c=1 b=2", "R:a>c"),
        ("a=1 b=1", "c=1 d=1", "c=1 d=1", "R:a>c R:b>d"),
        ("a=1", "a=1", "a/b=1", "D:a ?:a/b"),
        ("a=1", "a=1", ".gitignore=a a=2", "?:.gitignore M:a"),
        (r"a\\b=1", r"a\\b=1", "", r"D:a\\\\b"),
    ];
    // Who writes an index on Windows refuses names with a backslash.
    for (head, index, disk, expected) in table.into_iter().filter(|row| cfg!(unix) || !row.0.contains('\\')) {
        let mut made = Made::new();
        made.commit("all", head);
        made.check_out(disk);
        made.stage(index);
        assert_eq!(made.changes(), expected, "{head} | {index} | {disk}");
    }
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let made = Made::new();
    made.check_out("a=1 b=2");
    assert_eq!(made.changes(), "?:a ?:b");
    made.stage("a=1");
    assert_eq!(made.changes(), "A:a ?:b");
    let (_, git) = made.open();
    assert_eq!(git.head(), Ok(Head { branch: Some("main".to_owned()), commit: None, time: None }));
    let history = git.history(MAX_COMMITS);
    assert_eq!((history.commits.len(), history.problems.len()), (0, 0));
}

#[test]
fn equal_length_and_time_prove_a_file_unchanged_unless_it_may_be_younger_than_the_index() {
    let mut made = Made::new();
    made.commit("all", "a=1");
    made.check_out("a=1");
    made.stage("a=1");
    made.check_out("a=2");
    assert_eq!(made.changes(), "", "git believes the same");
    assert_eq!(made.contents(), ("M:a".to_owned(), 0), "whatever the index says");
    let index = made.scratch.path().join(".git/index");
    let kept = std::fs::read(&index).expect("an index");
    made.scratch.write(".git/index", "DIRC and nothing that an index has");
    assert_eq!(made.contents(), ("M:a".to_owned(), 1), "without an index that can be read");
    std::fs::write(&index, kept).expect("an index");
    made.scratch.set_time(".git/index", FILES_WRITTEN);
    assert_eq!(made.changes(), "M:a");
    made.scratch.write("a", "1");
    assert_eq!(made.changes(), "", "another time, the same content");
}

#[test]
fn line_ends_alone_are_no_change() {
    let mut made = Made::new();
    let tree = made.tree_of("a", "1\n2\n");
    made.commit_tree("all", tree);
    made.stage_tree(tree);
    made.scratch.write("a", "1\r\n2\r\n");
    assert_eq!(made.changes(), "");
    made.scratch.write("a", "1\r2\r\n");
    assert_eq!(made.changes(), "M:a");
}

#[cfg(unix)]
#[test]
fn links_are_compared_by_what_they_name() {
    let mut made = Made::new();
    let oid = made.git.write_blob("target").expect("a blob").detach();
    let link = Entry { mode: EntryKind::Link.into(), filename: "a".into(), oid };
    let tree = made.git.write_object(gix::objs::Tree { entries: vec![link] }).expect("a tree").detach();
    made.commit_tree("link", tree);
    made.stage_tree(tree);
    made.scratch.link("target", "a");
    assert_eq!(made.changes(), "");
    made.scratch.remove("a");
    made.scratch.link("/etc/passwd", "a");
    assert_eq!(made.changes(), "M:a");
}

#[test]
fn history_tells_each_commit_against_its_first_parent_newest_first() {
    let mut made = Made::new();
    made.commit("first\nline\n\nbody\n\nmore\n", "a=1 d/b=2");
    made.commit("second", "a=2 d/b=2 d/c=3");
    made.commit("third", "a=2 d=4");
    made.commit("empty", "a=2 d=4");
    let (_, git) = made.open();
    let history = git.history(MAX_COMMITS);
    let told = |commit: &Commit| {
        let touched: Vec<String> = commit.touched.iter().map(|(path, touch)| format!("{touch:?}:{path}")).collect();
        format!("{} {} {}", commit.subject, commit.time - START, touched.join(" "))
    };
    let lines: Vec<String> = history.commits.iter().map(told).collect();
    assert_eq!(
        lines,
        [
            "empty 180 ",
            "third 120 Added:d Deleted:d/b Deleted:d/c",
            "second 60 Modified:a Added:d/c",
            "first line 0 Added:a Added:d/b"
        ]
    );
    let first = &history.commits[3];
    assert_eq!((first.body.as_str(), first.author.as_str(), first.n_touched, first.bulk), ("body\n\nmore", "Ada", 2, false));
    assert_eq!(
        git.head(),
        Ok(Head { branch: Some("main".to_owned()), commit: Some(made.commits[3].to_string()), time: Some(START + 180) })
    );

    let since = git.history_since(Some(&first.id), MAX_COMMITS);
    assert!(since.joins_known);
    assert_eq!(since.commits, history.commits[..3]);
    let unknown = git.history_since(Some("not an id"), 2);
    assert!(!unknown.joins_known);
    assert_eq!(unknown.commits, history.commits[..2]);
}

#[test]
fn a_commit_over_very_many_files_is_counted_but_not_listed() {
    let mut made = Made::new();
    let files: Vec<String> = (0..=MAX_TOUCHED).map(|file| format!("d{}/f{file}=1", file % 10)).collect();
    made.commit("import", &files.join(" "));
    let commit = &made.open().1.history(1).commits[0];
    assert_eq!((commit.touched.len(), commit.n_touched as usize, commit.bulk), (0, MAX_TOUCHED + 1, true));
}

#[test]
fn a_tree_that_holds_another_many_times_over_costs_no_more_than_its_share() {
    let mut made = Made::new();
    let folder = |of: &Made, inside: ObjectId| {
        let entry = |at: usize| Entry { mode: EntryKind::Tree.into(), filename: format!("{at:04}").into(), oid: inside };
        of.git.write_object(gix::objs::Tree { entries: (0..4_000).map(entry).collect() }).expect("a tree").detach()
    };
    // Two trees of some 100 kB each, that differ in every entry, below which there are as many folders again, and no file at the end.
    for at in 0..3 {
        let inner = folder(&made, made.git.write_object(gix::objs::Tree { entries: Vec::new() }).expect("a tree").detach());
        let entry = |name: &str, oid| Entry { mode: EntryKind::Tree.into(), filename: name.into(), oid };
        let other =
            made.git.write_object(gix::objs::Tree { entries: vec![entry(&format!("x{at}"), inner)] }).expect("a tree").detach();
        let tree = (0..2).fold(other, |inside, _| folder(&made, inside));
        made.commit_tree("bomb", tree);
    }
    let git = made.open().1;
    let (history, n_bytes) = work::done_by(|| git.history(MAX_COMMITS));
    assert!(history.commits.iter().all(|commit| commit.bulk || commit.touched.is_empty()), "none is told in part");
    assert_eq!(history.commits.len(), 3, "the commits themselves are told");
    // All folders of one of these trees are 1.6 terabytes.
    assert!((1 << 20..=MAX_STRETCH_TREE_BYTES).contains(&(n_bytes as usize)), "{n_bytes}");
}

#[test]
fn changed_lines_are_those_of_one_commit_in_one_file() {
    let mut made = Made::new();
    let trees = [made.tree_of("d/a", "1\n2\n3\n"), made.tree_of("d/a", "1\ntwo\n3\n4\n")];
    let [first, second] = trees.map(|tree| made.commit_tree("x", tree).to_string());
    let (_, git) = made.open();
    let lines = |commit: &str, path: &str| {
        let changed = git.changed_lines(commit, &RepoPath::new(path).expect("a path"))?;
        Ok::<_, Problem>(changed.ranges.iter().map(|range| (range.first, range.last)).collect::<Vec<_>>())
    };
    assert_eq!(lines(&first, "d/a"), Ok(vec![(1, 3)]));
    assert_eq!(lines(&second, "d/a"), Ok(vec![(2, 2), (4, 4)]));
    assert_eq!(lines(&second, "d/b"), Ok(vec![]));
    assert_eq!(lines(&second, "d"), Ok(vec![]));
    assert!(lines("no id", "d/a").is_err());
    assert!(lines(&first.replace(|_: char| true, "7"), "d/a").is_err());
}

/// Asks everything there is to ask.
fn ask_everything(repo: &Repo) -> Vec<Problem> {
    let files = repo.walk(&WalkOptions::default()).expect("a walk").files;
    let (git, mut problems) = repo.git(Alternates::Refuse);
    let Some(git) = git else { return problems };
    problems.extend(git.head().err());
    problems.extend(git.changes(&files).problems);
    let history = git.history(MAX_COMMITS);
    problems.extend(history.problems);
    for commit in &history.commits {
        for (path, _) in &commit.touched {
            problems.extend(git.changed_lines(&commit.id, path).err());
        }
    }
    problems
}

#[test]
fn no_command_of_a_hostile_configuration_is_run() {
    let mut made = Made::new();
    made.commit("first", "a=1 .gitattributes=x");
    made.commit("second", "a=2 .gitattributes=x");
    made.check_out("a=1 b=2");
    made.stage("a=2");
    made.scratch.write(".gitattributes", "* filter=x diff=x merge=x\n");
    made.scratch.write(".git/info/attributes", "* filter=x diff=x\n");
    let fired = made.scratch.path().join("fired");
    let command = format!("touch {}", crate::path::escape(&system::path_bytes(&fired)));
    made.scratch.write(".git/hooks/post-index-change", &format!("#!/bin/sh\n{command}\n"));
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = {command}\n\tsshCommand = {command}\n\tpager = {command}\n\
         \talternateRefsCommand = {command}\n\thooksPath = .git/hooks\n\
         [filter \"x\"]\n\tclean = {command}\n\tsmudge = {command}\n\tprocess = {command}\n\trequired = true\n\
         [diff]\n\texternal = {command}\n[diff \"x\"]\n\tcommand = {command}\n\ttextconv = {command}\n\
         [merge \"x\"]\n\tdriver = {command}\n[gpg]\n\tprogram = {command}\n[log]\n\tshowSignature = true\n\
         [credential]\n\thelper = !{command}\n[remote \"o\"]\n\turl = ext::{command}\n\tpromisor = true\n\tuploadpack = {command}\n\
         [extensions]\n\tpartialClone = o\n"
    );
    made.scratch.write(".git/config", &config);
    let missing_blob = made.git.find_commit(made.commits[0]).expect("a commit").tree().expect("a tree");
    let missing_blob = missing_blob.lookup_entry_by_path("a").expect("a tree").expect("an entry").object_id().to_string();
    made.scratch.remove(&format!(".git/objects/{}/{}", &missing_blob[..2], &missing_blob[2..]));
    let problems = ask_everything(&Repo::open(made.scratch.path()).expect("a folder"));
    assert!(problems.iter().any(|problem| problem.message.contains("missing")), "{problems:?}");
    assert!(!fired.exists());
}

#[test]
fn damaged_git_data_costs_git_data_and_never_the_process() {
    let mut made = Made::new();
    made.commit("first", "a=1 d/b=2");
    made.commit("second", "a=2 d/b=2");
    made.check_out("a=1 d/b=2");
    made.stage("a=2 d/b=2");
    let git = made.scratch.path().join(".git");
    let mut files = vec!["HEAD".into(), "index".into(), "refs/heads/main".into(), "config".into()];
    let listed = std::fs::read_dir(git.join("objects")).expect("objects");
    for folder in
        listed.map(|entry| entry.expect("an entry").path()).filter(|path| path.file_name().is_some_and(|name| name.len() == 2))
    {
        let objects = std::fs::read_dir(&folder).expect("objects");
        files.extend(objects.map(|entry| entry.expect("an entry").path().strip_prefix(&git).expect("below").to_owned()));
    }
    assert_eq!(files.len(), 4 + 7);
    for file in files {
        let path = git.join(&file);
        let whole = std::fs::read(&path).expect("a file");
        let flipped: Vec<u8> = whole.iter().map(|byte| byte ^ 0x55).collect();
        for damage in [&[][..], &whole[..whole.len() / 2], &flipped, b"ref: refs/heads/../../../etc/passwd\n", b"ref: HEAD\n"] {
            std::fs::remove_file(&path).expect("a file");
            std::fs::write(&path, damage).expect("a file");
            let repo = Repo::open(made.scratch.path()).expect("a folder");
            ask_everything(&repo);
            assert_eq!(repo.walk(&WalkOptions::default()).expect("a walk").files.len(), 2);
        }
        std::fs::remove_file(&path).expect("a file");
        std::fs::write(&path, &whole).expect("a file");
    }
    assert_eq!(ask_everything(&Repo::open(made.scratch.path()).expect("a folder")), []);
}

/// The reason why a folder's git data is not used, empty where it is.
fn refusal(path: &Path, alternates: Alternates) -> String {
    let (git, problems) = Repo::open(path).expect("a folder").git(alternates);
    let head = git.map(|git| git.head());
    assert!(head.is_none_or(|head| head.is_ok_and(|head| head.commit.is_some())), "{problems:?}");
    problems.first().map_or_else(String::new, |problem| problem.message.clone())
}

#[test]
fn a_git_file_is_believed_only_if_the_folder_it_names_points_back() {
    let mut made = Made::at("main");
    made.commit("first", "a=1");
    let root = made.scratch.path();
    let absolute = |name: &str| root.join(name).display().to_string();
    made.scratch.write("tree/.git", &format!("gitdir: {}\n", absolute("main/.git/worktrees/t")));
    made.scratch.write("main/.git/worktrees/t/gitdir", &format!("{}\n", absolute("tree/.git")));
    made.scratch.write("main/.git/worktrees/t/commondir", "../..\n");
    made.scratch.write("main/.git/worktrees/t/HEAD", "ref: refs/heads/main\n");
    assert_eq!(refusal(&root.join("tree"), Alternates::Refuse), "", "a linked work tree");
    let shared = |name: &str| {
        let repo = Repo::open(&root.join(name)).expect("a folder");
        let root = Repo::open(root).expect("a folder").folder_text();
        repo.shared_text().strip_prefix(&root).expect("a folder of the test").to_owned()
    };
    assert_eq!([shared("main"), shared("tree"), shared("main/.git")], ["/main/.git"; 3]);

    made.scratch.write("other/.git", &format!("gitdir: {}\n", absolute("main/.git/worktrees/t")));
    assert!(refusal(&root.join("other"), Alternates::Refuse).contains("belongs to another work tree"));
    made.scratch.write("thief/.git", &format!("gitdir: {}\n", absolute("main/.git")));
    assert!(refusal(&root.join("thief"), Alternates::Refuse).contains("does not name this work tree"));

    made.scratch.write("forged/.git", "gitdir: evil\n");
    made.scratch.write("forged/evil/gitdir", "../.git\n");
    made.scratch.write("forged/evil/commondir", &absolute("main/.git"));
    made.scratch.write("forged/evil/HEAD", "ref: refs/heads/main\n");
    assert!(refusal(&root.join("forged"), Alternates::Refuse).contains("not where git keeps them"));
    assert_eq!(["other", "thief", "forged"].map(shared), ["/other", "/thief", "/forged"], "nobody's but their own");

    let config = std::fs::read_to_string(root.join("main/.git/config")).expect("a configuration");
    made.scratch.write("main/.git/config", &format!("{config}[core]\n\tworktree = ../../sub\n"));
    made.scratch.write("sub/.git", "gitdir: ../main/.git\n");
    assert_eq!(refusal(&root.join("sub"), Alternates::Refuse), "", "a submodule");
}

#[test]
fn git_folders_that_lead_elsewhere_or_block_are_refused() {
    /// A part of the reason, and what is done to the repository.
    type Row = (&'static str, fn(&Scratch));
    let table: &[Row] = &[
        ("`commondir`", |scratch| scratch.write(".git/commondir", "/somewhere/.git\n")),
        ("`.git/HEAD` is larger than 4096", |scratch| scratch.write(".git/HEAD", &"x".repeat(5000))),
        ("`.git/HEAD` names something that is not a reference", |scratch| scratch.write(".git/HEAD", "ref: objects/pack/huge\n")),
        ("`.git/HEAD` is not a regular file", |scratch| {
            scratch.remove(".git/HEAD");
            scratch.write(".git/HEAD/main", "");
        }),
        ("allow it to follow alternates", |scratch| scratch.write(".git/objects/info/alternates", "/somewhere/objects\n")),
    ];
    #[cfg(unix)]
    let links: &[Row] = &[
        ("`.git/HEAD` is not a regular file", |scratch| {
            scratch.remove(".git/HEAD");
            scratch.fifo(".git/HEAD");
        }),
        ("`.git/refs/heads/main` is larger than 4096", |scratch| scratch.write_zeros(".git/refs/heads/main", 1 << 40)),
        ("`.git/packed-refs` is larger than", |scratch| scratch.write_zeros(".git/packed-refs", 1 << 40)),
        ("`.git/refs/heads` holds a link", |scratch| scratch.fifo(".git/refs/heads/topic")),
        ("`.git/objects` holds a link", |scratch| scratch.link("/tmp", ".git/objects/ab")),
        ("`.git` is a link", |scratch| {
            std::fs::rename(scratch.path().join(".git"), scratch.path().join("real")).expect("a move");
            scratch.link("real", ".git");
        }),
    ];
    #[cfg(not(unix))]
    let links: &[Row] = &[];
    for (expected, change) in table.iter().chain(links) {
        let mut made = Made::new();
        made.commit("first", "a=1");
        change(&made.scratch);
        let refusal = refusal(made.scratch.path(), Alternates::Refuse);
        assert!(refusal.contains(expected), "{refusal:?}");
    }
}

#[test]
fn alternates_are_followed_only_when_allowed_and_then_it_is_said() {
    let mut made = Made::at("lender");
    made.commit("first", "a=1");
    let root = made.scratch.path();
    let borrower = gix::ThreadSafeRepository::init_opts(
        root.join("borrower"),
        gix::create::Kind::WithWorktree,
        gix::create::Options::default(),
        gix::open::Options::isolated(),
    );
    borrower.expect("a repository");
    made.scratch.write("borrower/.git/objects/info/alternates", &root.join("lender/.git/objects").display().to_string());
    made.scratch.write("borrower/.git/refs/heads/main", &made.commits[0].to_string());
    assert!(refusal(&root.join("borrower"), Alternates::Refuse).contains("not used"));
    assert!(refusal(&root.join("borrower"), Alternates::Follow).contains("objects of other repositories are read"));
}
