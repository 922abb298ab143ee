//! A repository as it was at a commit.

use super::*;
use error::ErrorKind;

/// The files of a commit, as `path=text`.
fn files(repo: &Repo, options: &WalkOptions) -> String {
    let walk = repo.walk(options).expect("a walk");
    let text = |path: &RepoPath| String::from_utf8(repo.read(path, 1 << 20).expect("a file")).expect("text");
    walk.files.iter().map(|file| format!("{}={}", file.path, text(&file.path))).collect::<Vec<_>>().join(" ")
}

fn open(made: &Made, commit: &str) -> Repo {
    Repo::open_at(made.scratch.path(), commit, Alternates::Refuse).expect("a repository")
}

#[test]
fn files_and_history_are_those_of_the_commit_whatever_the_folder_holds() {
    let mut made = Made::new();
    let first = made.commit("one", "a=1 d/b=2");
    made.commit("two", "a=1 d/b=3 e=4");
    made.check_out("a=dirty new=file");
    let repo = open(&made, &first.to_string());
    assert_eq!(files(&repo, &WalkOptions::default()), "a=1 d/b=2");
    assert!(repo.root_text().ends_with(&format!("@{first}")), "{}", repo.root_text());
    let git = repo.git(Alternates::Refuse).0.expect("git data");
    let head = git.head().expect("a head");
    assert_eq!((head.branch, head.commit), (None, Some(first.to_string())));
    assert_eq!(git.history(usize::MAX).commits.len(), 1);
    assert_eq!(git.changes(&[]).changes, []);
    // Nothing was written.
    assert_eq!(std::fs::read_to_string(made.scratch.path().join("a")).expect("a file"), "dirty");

    let none = repo.at("HEAD~", Alternates::Refuse).expect_err("the first commit");
    assert!(none.kind == ErrorKind::BadInput && none.message.contains("has 0 parents"), "{none}");
    let second = repo.at(&made.commits[1].to_string(), Alternates::Refuse).expect("the other commit");
    assert_eq!(files(&second, &WalkOptions::default()), "a=1 d/b=3 e=4");
    let entries = |repo: &Repo| repo.walk(&WalkOptions::default()).expect("a walk").files;
    assert_eq!(entries(&repo)[0], entries(&second)[0], "the same content is known as the same");
    assert_ne!(entries(&repo)[1], entries(&second)[1]);
}

#[test]
fn a_commit_is_found_by_its_names() {
    let mut made = Made::new();
    let first = made.commit("one", "a=1");
    let second = made.commit("two", "a=2");
    let time = format!("{START} +0000");
    let who = gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.com".into(), time: &time };
    let must = gix::refs::transaction::PreviousValue::Any;
    made.git.tag("v1", first, gix::objs::Kind::Commit, Some(who), "a tag", must).expect("a tag");
    let branch = made.git.head_name().expect("a head").expect("a branch").shorten().to_string();
    for (name, expected) in [
        ("HEAD", second),
        ("v1", first),
        (branch.as_str(), second),
        (&first.to_string(), first),
        (&first.to_string()[..8], first),
    ] {
        assert!(open(&made, name).root_text().ends_with(&expected.to_string()), "{name}");
    }
    let tree = made.tree("a=1").to_string();
    for name in ["v2", "", "abc", "HEAD~2", "v1^{tree}", "../config", &tree, &"0".repeat(40)] {
        let error = Repo::open_at(made.scratch.path(), name, Alternates::Refuse).expect_err(name);
        assert!(error.kind == ErrorKind::BadInput && error.message.contains(&format!("`{name}`")), "{error}");
    }
    let error = Repo::open_at(Scratch::new().path(), "HEAD", Alternates::Refuse).expect_err("no git data");
    assert_eq!(error.kind, ErrorKind::NoRepository);
}

#[test]
fn a_commit_is_found_from_another_and_other_expressions_are_refused_as_such() {
    let mut made = Made::new();
    let first = made.commit("one", "a=1");
    let second = made.commit("two", "a=2");
    let (tree, time) = (made.tree("a=3"), format!("{START} +0000"));
    let who = gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.com".into(), time: &time };
    let merge = made.git.commit_as(who, who, "HEAD", "merge", tree, [second, first]).expect("a merge").detach();
    let must = gix::refs::transaction::PreviousValue::Any;
    made.git.tag("v1", second, gix::objs::Kind::Commit, Some(who), "a tag", must).expect("a tag");
    let branch = made.git.head_name().expect("a head").expect("a branch").as_bstr().to_string();
    for (name, expected) in [
        ("HEAD~1", second),
        ("@~", second),
        ("HEAD^", second),
        ("HEAD^2", first),
        ("HEAD~2", first),
        ("HEAD^^", first),
        ("HEAD^1~1", first),
        ("HEAD^0", merge),
        ("v1^{}", second),
        ("v1^{commit}~1", first),
        ("refs/tags/v1", second),
        ("tags/v1", second),
        (branch.as_str(), merge),
    ] {
        assert!(open(&made, name).root_text().ends_with(&expected.to_string()), "{name}");
    }
    for (name, says) in [
        ("HEAD^3", "has 2 parents"),
        ("HEAD~3", "has 0 parents"),
        ("HEAD~99999999999999999999", "goes back more than 5000 commits"),
        ("v1^{tree}", "only `~N`, `^`, `^N`, `^{}` and `^{commit}` are supported"),
        ("HEAD@{1}", "reflogs, ranges and `:` are not supported"),
        ("HEAD..v1", "reflogs, ranges and `:` are not supported"),
        ("HEAD:a", "reflogs, ranges and `:` are not supported"),
    ] {
        let error = Repo::open_at(made.scratch.path(), name, Alternates::Refuse).expect_err(name);
        assert!(error.kind == ErrorKind::BadInput && error.message.contains(says), "{name}: {error}");
    }
    // Where the clone ends, that is the reason.
    std::fs::write(made.scratch.path().join(".git/shallow"), format!("{second}\n")).expect("a file");
    let (folder, file) = (first.to_string(), made.scratch.path().join(".git/objects"));
    std::fs::remove_file(file.join(&folder[..2]).join(&folder[2..])).expect("the object");
    let error = Repo::open_at(made.scratch.path(), "HEAD~2", Alternates::Refuse).expect_err("cut off");
    assert!(error.message.contains("the clone is shallow"), "{error}");
}

#[test]
fn links_submodules_and_unsafe_names_are_left_out_and_ignore_files_hold() {
    let mut made = Made::new();
    let blob = |text: &str| made.git.write_blob(text).expect("a blob").detach();
    let entry = |kind: EntryKind, name: &str, text: &str| Entry { mode: kind.into(), filename: name.into(), oid: blob(text) };
    let inner =
        [entry(EntryKind::Blob, "a", "5"), entry(EntryKind::Blob, "b.log", "6"), entry(EntryKind::Blob, ".ignore", "a\n")];
    let mut inner = inner.to_vec();
    inner.sort();
    let folder = made.git.write_object(gix::objs::Tree { entries: inner }).expect("a tree").detach();
    let mut entries = vec![
        entry(EntryKind::Blob, "a", "1"),
        entry(EntryKind::BlobExecutable, "run", "2"),
        entry(EntryKind::Link, "link", "/etc/passwd"),
        Entry { mode: EntryKind::Commit.into(), filename: "sub".into(), oid: ObjectId::null(gix::hash::Kind::Sha1) },
        entry(EntryKind::Blob, "..", "3"),
        entry(EntryKind::Blob, ".GIT", "4"),
        entry(EntryKind::Blob, ".activateignore", "*.log\nout/\n"),
        entry(EntryKind::Blob, ".gitignore", "run\n"),
        Entry { mode: EntryKind::Tree.into(), filename: "d".into(), oid: folder },
        Entry { mode: EntryKind::Tree.into(), filename: "out".into(), oid: folder },
        Entry { mode: EntryKind::Tree.into(), filename: "x".into(), oid: folder },
    ];
    entries.sort();
    let tree = made.git.write_object(gix::objs::Tree { entries }).expect("a tree").detach();
    made.commit_tree("one", tree);
    let options = WalkOptions { exclude: vec!["x/".to_owned()], ..WalkOptions::default() };
    let walk = open(&made, "HEAD").walk(&options).expect("a walk");
    let paths: Vec<&str> = walk.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, [".activateignore", ".gitignore", "a", "d/.ignore", "run"]);
    assert_eq!((walk.skipped.links, walk.skipped.ignored, walk.skipped.excluded), (1, 3, 1));
    assert_eq!(walk.problems.len(), 1, "{:?}", walk.problems);
    assert_eq!(walk.problems[0].path.as_deref(), Some(".."));
}

#[test]
fn a_file_over_the_limit_is_listed_and_not_read() {
    let mut made = Made::new();
    let tree = made.tree_of("large", &"x".repeat((1 << 20) + 1));
    made.commit_tree("one", tree);
    let repo = open(&made, "HEAD");
    let file = &repo.walk(&WalkOptions::default()).expect("a walk").files[0];
    assert_eq!(file.size, (1 << 20) + 1);
    assert_eq!(repo.read(&file.path, file.size).expect("the limit is the caller's").len(), (1 << 20) + 1);
    let error = repo.read(&file.path, 1 << 20).expect_err("too large");
    assert!(error.message.contains("it has 1048577 bytes and the limit is 1048576"), "{error}");
    assert!(repo.read(&RepoPath::new("other").expect("a path"), 10).is_err());
}

#[test]
fn a_bare_repository_is_opened_at_a_commit() {
    let mut made = Made::new();
    let first = made.commit("one", "a=1");
    let bare = made.scratch.path().join(".git");
    let repo = Repo::open_at(&bare, &first.to_string(), Alternates::Refuse).expect("a bare repository");
    assert_eq!(files(&repo, &WalkOptions::default()), "a=1");
}
