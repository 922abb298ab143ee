//! Repositories of which a part is elsewhere or nowhere: cut histories, missing objects, several work trees, files not checked out.

use super::*;

impl Made {
    /// Writes an index that `change` has been made to.
    fn stage_changed(&self, files: &str, change: impl FnOnce(&mut gix::index::File)) {
        let mut index = self.git.index_from_tree(&self.tree(files)).expect("an index");
        change(&mut index);
        index.sort_entries();
        index.write(gix::index::write::Options::default()).expect("an index");
        self.scratch.set_time(".git/index", INDEX_WRITTEN);
    }
}

fn listed(path: &Path) -> String {
    let walk = Repo::open(path).expect("a folder").walk(&WalkOptions::default()).expect("a walk");
    walk.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_shallow_clone_tells_the_commits_that_are_there_and_where_to_get_the_others() {
    let (made, first, second) = Made::of_three();
    made.scratch.write(".git/shallow", &format!("{second}\n"));
    made.lose(first);
    assert_eq!(made.changes(), "");
    let history = made.open().1.history(MAX_COMMITS);
    let told: Vec<_> = history.commits.iter().map(|commit| (commit.subject.as_str(), commit.touched.len())).collect();
    assert_eq!(told, [("third", 1), ("second", 0)]);
    let problems: Vec<&str> = history.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert!(problems.iter().any(|problem| problem.contains("`git fetch --unshallow` gets them")), "{problems:?}");
    assert_eq!(made.open().1.history(2).problems.iter().filter(|problem| problem.message.contains("unshallow")).count(), 0);
}

#[test]
fn a_partial_clone_tells_what_needs_no_missing_content_and_fetches_nothing() {
    let mut made = Made::new();
    made.commit("first", "a=1 b=1");
    let second = made.commit("second", "a=2 b=1");
    made.check_out("a=2 b=3");
    made.stage("a=2 b=1");
    let config = std::fs::read_to_string(made.scratch.path().join(".git/config")).expect("a configuration");
    let fired = made.scratch.path().join(".git/fired");
    let remote = format!(
        "[remote \"o\"]\n\turl = ext::touch {}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n",
        crate::path::escape(&system::path_bytes(&fired))
    );
    made.scratch.write(".git/config", &format!("{config}{remote}[extensions]\n\tpartialClone = o\n"));
    for text in ["1", "2"] {
        made.lose(gix::objs::compute_hash(second.kind(), gix::objs::Kind::Blob, text.as_bytes()).expect("an id"));
    }
    assert_eq!(made.changes(), "M:b");
    let (_, git) = made.open();
    let history = git.history(MAX_COMMITS);
    assert_eq!((history.commits.len(), history.commits[0].touched.len(), history.problems.len()), (2, 1, 0));
    let problem = git.changed_lines(&second.to_string(), &RepoPath::new("a").expect("a path")).expect_err("no content");
    assert!(problem.message.contains("missing"), "{problem:?}");
    assert!(!fired.exists());
}

#[test]
fn files_outside_a_sparse_checkout_are_neither_listed_nor_gone() {
    use gix::index::entry::{Flags, Mode, Stat};
    let mut made = Made::new();
    let files = "a=1 d/b=2 d/e/c=3";
    made.commit("all", files);
    made.check_out("a=1");
    made.stage(files);
    assert_eq!(made.changes(), "D:d/b D:d/e/c");
    assert_eq!(made.absent(), None);
    // Every file is named, with a mark.
    made.stage_changed(files, |index| {
        let outside = index.entries_mut_with_paths().filter(|(_, path)| path.starts_with(b"d/"));
        outside.for_each(|(entry, _)| entry.flags |= Flags::EXTENDED | Flags::SKIP_WORKTREE);
    });
    assert_eq!(made.changes(), "");
    assert_eq!(made.absent().as_deref(), Some("2 tracked files are not checked out"));
    // What is there all the same is known.
    made.check_out("d/b=2");
    assert_eq!(made.absent().as_deref(), Some("1 tracked file is not checked out"));
    std::fs::remove_dir_all(made.scratch.path().join("d")).expect("a folder");
    // One folder stands for all files in it.
    let folder = made.tree("b=2 e/c=3");
    made.stage_changed("a=1", |index| {
        index.dangerously_push_entry(Stat::default(), folder, Flags::EXTENDED | Flags::SKIP_WORKTREE, Mode::DIR, b"d/".into());
    });
    assert_eq!((made.changes().as_str(), listed(made.scratch.path()).as_str()), ("", "a"));
    assert_eq!(made.absent().as_deref(), Some("1 tracked folder is not checked out"));
    made.scratch.write("a", "changed");
    assert_eq!(made.changes(), "M:a");
}

#[test]
fn files_of_a_submodule_are_listed_and_their_changes_are_the_submodules_own() {
    use gix::index::entry::{Flags, Mode, Stat};
    let mut made = Made::new();
    let inner = made.commit("all", "a=1");
    made.check_out("a=1 sub/b=2 other/c=3");
    made.scratch.write("sub/.git", "gitdir: ../.git/modules/sub\n");
    made.stage_changed("a=1", |index| {
        index.dangerously_push_entry(Stat::default(), inner, Flags::empty(), Mode::COMMIT, b"sub".into());
    });
    assert_eq!(made.changes(), "?:other/c A:sub");
    assert_eq!(listed(made.scratch.path()), "a other/c sub/b");
}

#[test]
fn a_linked_work_tree_has_its_own_branch_and_shares_commits_and_exclusions() {
    let mut made = Made::at("main");
    made.commit("first", "a=1");
    let second = made.commit("second", "a=2");
    let absolute = |name: &str| made.scratch.path().join(name).display().to_string();
    for (path, text) in [
        ("tree/.git", format!("gitdir: {}\n", absolute("main/.git/worktrees/t"))),
        ("main/.git/worktrees/t/gitdir", format!("{}\n", absolute("tree/.git"))),
        ("main/.git/worktrees/t/commondir", "../..\n".to_owned()),
        ("main/.git/worktrees/t/HEAD", "ref: refs/heads/topic\n".to_owned()),
        ("main/.git/refs/heads/topic", format!("{}\n", made.commits[0])),
        ("main/.git/info/exclude", "*.log\n".to_owned()),
    ] {
        made.scratch.write(path, &text);
    }
    made.scratch.write("tree/a", "1");
    made.scratch.write("tree/x.log", "");
    let head = |name: &str| {
        let (git, problems) = Repo::open(&made.scratch.path().join(name)).expect("a folder").git(Alternates::Refuse);
        assert_eq!(problems, []);
        let git = git.expect("git data");
        (git.head().expect("a head"), git.history(MAX_COMMITS).commits.len())
    };
    let (main, tree) = (head("main"), head("tree"));
    assert_eq!((main.0.branch.as_deref(), main.0.commit, main.1), (Some("main"), Some(second.to_string()), 2));
    assert_eq!((tree.0.branch.as_deref(), tree.0.commit, tree.1), (Some("topic"), Some(made.commits[0].to_string()), 1));
    assert_eq!(listed(&made.scratch.path().join("tree")), "a");
}
