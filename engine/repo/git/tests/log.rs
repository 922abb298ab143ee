//! The log over all parents, and what single commits changed.

use super::*;

/// A repository whose second commit is merged with a side branch.
fn merged() -> (Made, ObjectId) {
    let mut made = Made::new();
    let root = made.commit("root", "a=1");
    let side = {
        let time = format!("{} +0000", START + 30);
        let who = gix::actor::SignatureRef { name: "Bo".into(), email: "bo@example.com".into(), time: &time };
        let tree = made.tree("a=1 s=1");
        made.git.commit_as(who, who, "refs/heads/side", "on the\nside\n\nWhy.\n", tree, [root]).expect("a commit").detach()
    };
    made.commit("main", "a=2");
    let tree = made.tree("a=2 s=1");
    let time = format!("{} +0000", START + 120);
    let who = gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.com".into(), time: &time };
    let parents = [*made.commits.last().expect("a commit"), side];
    let merge = made.git.commit_as(who, who, "HEAD", "merge", tree, parents).expect("a commit").detach();
    made.commits.push(merge);
    (made, side)
}

fn log(git: &Git, since: i64) -> (Vec<LogEntry>, Vec<Problem>) {
    let mut log = Vec::new();
    let problems = git.log(since, &mut |entry| log.push(entry)).expect("a log");
    (log, problems)
}

fn git(made: &Made) -> Git {
    Repo::open(made.scratch.path()).expect("a repository").git(Alternates::Refuse).0.expect("git data")
}

#[test]
fn the_log_goes_over_all_parents_newest_first_and_ends_at_a_time() {
    let (made, _) = merged();
    let subjects = |since: i64| {
        let log = log(&git(&made), since).0;
        log.iter().map(|entry| format!("{}/{}", entry.subject, entry.parents.len())).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(subjects(0), "merge/2, main/1, on the side/1, root/0");
    assert_eq!(subjects(START + 30), "merge/2, main/1, on the side/1");
    let (log, problems) = log(&git(&made), 0);
    assert_eq!((log[2].author.as_str(), log[2].body.as_str(), log[2].time), ("Bo", "Why.", START + 30));
    assert_eq!(problems, []);
}

#[test]
fn a_commit_tells_what_it_touched_and_where() {
    let (mut made, side) = merged();
    let git = git(&made);
    let touched = git.touched_by(&side.to_string()).expect("files");
    assert_eq!(touched, [(RepoPath::new("s").expect("a path"), Touch::Added)]);
    assert_eq!(git.touched_by(&made.commits[0].to_string()).expect("files"), []);
    assert!(git.touched_by("zz").is_err());

    let tree = made.tree_of("a", "one\ntwo\nthree\n");
    made.commit_tree("old", tree);
    let tree = made.tree_of("a", "one\nTWO\nthree\nfour\n");
    let new = made.commit_tree("new", tree);
    let path = RepoPath::new("a").expect("a path");
    let git = self::git(&made);
    let diff = git.diff(&new.to_string(), &path, 1 << 10).expect("a diff").expect("both sides");
    let hunks: Vec<_> =
        diff.hunks.iter().map(|hunk| (hunk.before.first, hunk.before.last, hunk.after.first, hunk.after.last)).collect();
    assert_eq!(hunks, [(2, 2, 2, 2), (4, 3, 4, 4)]);
    assert_eq!((diff.old.as_slice(), diff.new.as_slice()), (&b"one\ntwo\nthree\n"[..], &b"one\nTWO\nthree\nfour\n"[..]));
    assert_eq!(git.diff(&new.to_string(), &RepoPath::new("b").expect("a path"), 1 << 10).expect("no diff"), None);
    assert!(git.diff(&new.to_string(), &path, 14).is_err(), "the old text has 14 bytes, the new one 19");
}

#[test]
fn a_subject_ends_where_git_ends_it_and_long_messages_are_cut() {
    let mut made = Made::new();
    for message in ["one\n \t\ntwo", "\r\n\none\r\nmore \r\n\r\ntwo\r\n\r\nthree\r\n", "one\n\u{a0}\ntwo", "  one\n  more"] {
        made.commit(message, "a=1");
    }
    made.commit(&format!("{0}\n\n{0}", "é".repeat(100_000)), "a=1");
    let git = git(&made);
    let (log, _) = log(&git, 0);
    let history = git.history(MAX_COMMITS).commits;
    let texts = |subject: &str, body: &str| (subject.to_owned(), body.to_owned());
    let found: Vec<_> = log.iter().rev().map(|entry| texts(&entry.subject, &entry.body)).collect();
    let expected = [("one", "two"), ("one more", "two\r\n\r\nthree"), ("one \u{a0} two", ""), ("one   more", "")];
    assert_eq!(found[..4], expected.map(|(subject, body)| texts(subject, body)));
    assert_eq!((found[4].0.len(), found[4].1.len()), (1_024, 8_192));
    assert_eq!(found, history.iter().rev().map(|commit| texts(&commit.subject, &commit.body)).collect::<Vec<_>>());
}

#[test]
fn a_commit_that_is_there_and_cannot_be_read_is_told_and_one_that_is_missing_is_not() {
    let mut made = Made::new();
    let first = made.commit("first", "a=1");
    let large = made.commit(&"x".repeat(1 << 20), "a=2");
    made.commit("last", "a=3");
    let (found, problems) = log(&git(&made), 0);
    assert_eq!(found.iter().map(|entry| entry.subject.as_str()).collect::<Vec<_>>(), ["last"]);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].message.contains(&large.to_string()), "{problems:?}");
    for (id, expected) in [(first, 1), (large, 0)] {
        made.scratch.remove(&format!(".git/objects/{}/{}", &id.to_string()[..2], &id.to_string()[2..]));
        assert_eq!(log(&git(&made), 0).1.len(), expected);
    }
}

#[test]
fn a_file_that_becomes_a_link_is_not_modified_and_has_no_lines() {
    let mut made = Made::new();
    let oid = made.git.write_blob("target").expect("a blob").detach();
    for kind in [EntryKind::Blob, EntryKind::BlobExecutable, EntryKind::Link, EntryKind::Blob] {
        let entry = Entry { mode: kind.into(), filename: "a".into(), oid };
        let tree = made.git.write_object(gix::objs::Tree { entries: vec![entry] }).expect("a tree").detach();
        made.commit_tree("x", tree);
    }
    let (git, path) = (git(&made), RepoPath::new("a").expect("a path"));
    let told = |at: usize| {
        let commit = made.commits[at].to_string();
        let touched = git.touched_by(&commit).expect("files").into_iter().map(|(_, touch)| touch).collect::<Vec<_>>();
        (touched, git.diff(&commit, &path, 1 << 10).expect("readable").is_some())
    };
    assert_eq!(
        [told(1), told(2), told(3)],
        [(vec![Touch::Modified], true), (vec![Touch::Retyped], false), (vec![Touch::Retyped], false)]
    );
}
