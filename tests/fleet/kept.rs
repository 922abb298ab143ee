//! What `add`, `sync`, `list` and `remove` do where nothing goes wrong.

use crate::organisation::Organisation;
use expect_test::expect;
use std::fs;

#[test]
fn what_is_added_is_read_once_and_again_where_it_is_new() {
    let organisation = Organisation::new();
    let manifest = organisation.0.join("org/fleet.toml");
    let before = fs::read_to_string(&manifest).expect("a manifest");
    organisation.commit("tools", &[("tool.py", "def tool():\n    return 1\n")]);
    assert_eq!(organisation.well("store", &["add", "../tools", "--branch", "main"]), "added tools\n");
    let after = fs::read_to_string(&manifest).expect("a manifest");
    assert_eq!(after, format!("{before}\n[[repository]]\nname = \"tools\"\npath = \"../tools\"\nbranch = \"main\"\n"));
    let list = || organisation.run("store", &["list"]).stdout;
    expect![[r"
        lib       new        -               0 files        0 lines  ../lib
        shop/api  new        -               0 files        0 lines  file://FOLDER/api
        tools     new        -               0 files        0 lines  ../tools
        web       new        -               0 files        0 lines  ../web
    "]]
    .assert_eq(&list());
    let sync = |args: &[&str]| organisation.well("store", &[&["sync"], args].concat());
    assert_eq!(sync(&["--only", "tools"]), "1 new, 0 same, 0 missing; 1 files with 2 lines read\n");
    assert_eq!(sync(&[]), "3 new, 1 same, 0 missing; 6 files with 25 lines read\n");
    expect![[r"
        lib       known      ba7a597292      2 files        9 lines  ../lib
        shop/api  known      de59e83f9f      2 files       12 lines  file://FOLDER/api
        tools     known      8ba01817c2      1 files        2 lines  ../tools
        web       known      66e45b28fc      2 files        4 lines  ../web
    "]]
    .assert_eq(&list());
    let kept = organisation.kept("store");
    assert_eq!(sync(&[]), "0 new, 4 same, 0 missing; 0 files with 0 lines read\n");
    assert_eq!(organisation.kept("store"), kept);
    // Of two with new commits one follows a branch that has none.
    organisation.git("tools", &["checkout", "--quiet", "-b", "side"]);
    for name in ["tools", "api"] {
        organisation.commit(name, &[("more/more.py", "def more():\n    return 2\n")]);
    }
    assert_eq!(sync(&[]), "1 new, 3 same, 0 missing; 3 files with 14 lines read\n");
    assert_eq!(organisation.well("store", &["remove", "tools"]), "removed tools\n");
    assert_eq!(fs::read_to_string(&manifest).expect("a manifest"), before);
    assert_eq!(sync(&[]), "0 new, 3 same, 0 missing; 0 files with 0 lines read\n");
    assert!(!list().contains("tools") && list().contains("shop/api"));
}

#[test]
fn a_commit_is_stayed_at_and_history_that_was_rewritten_is_followed() {
    let organisation = Organisation::new();
    let head = fs::read_to_string(organisation.0.join("api/.git/refs/heads/main")).expect("an id");
    let pinned = format!(
        "[[repository]]\nname = \"pinned\"\nurl = \"{}\"\ncommit = \"{}\"\n\n[[repository]]\nname = \"api\"\nurl = \"{0}\"\n",
        organisation.url("api"),
        head.trim()
    );
    organisation.file("org/fleet.toml", &pinned);
    organisation.commit("api", &[("more.go", "package api\n\nfunc More() {}\n")]);
    let commits = || {
        let list = organisation.well("store", &["list"]);
        list.lines().map(|line| line.split_whitespace().nth(2).expect("a commit").to_owned()).collect::<Vec<_>>()
    };
    organisation.well("store", &["sync"]);
    let first = commits();
    assert!(head.starts_with(&first[1]) && first[0] != first[1], "{first:?}");
    organisation.git("api", &["commit", "--quiet", "--amend", "--message=another"]);
    organisation.well("store", &["sync"]);
    let second = commits();
    assert!(second[1] == first[1] && second[0] != first[0], "{second:?}");
}

#[test]
fn any_number_of_jobs_gives_the_same_bytes() {
    let organisation = Organisation::new();
    organisation.well("one", &["sync", "--jobs", "1"]);
    organisation.well("many", &["sync", "--jobs", "8", "--no-cache"]);
    let kept = organisation.kept("one");
    assert_eq!(kept, organisation.kept("many"));
    assert!(kept.len() > 10 && kept.contains_key("current.json"), "{:?}", kept.keys());
}

#[test]
fn what_is_not_granted_is_neither_named_nor_counted() {
    let organisation = Organisation::new();
    organisation.file(
        "org/access.toml",
        "[[grant]]\nwho = \"ann\"\nrepositories = [\"shop/*\"]\n\n[[grant]]\nwho = \"*\"\nrepositories = [\"web\"]\n",
    );
    organisation.well("store", &["sync"]);
    let names = |args: &[&str]| {
        let list = organisation.well("store", &[&["list", "--access", "access.toml"], args].concat());
        list.lines().map(|line| line.split_whitespace().next().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (names(&["--as", "ann"]), names(&["--as", "bob"]), names(&[])),
        (vec!["shop/api".into(), "web".into()], vec!["web".into()], vec!["web".into()])
    );
    let refused = organisation.run("store", &["list", "--access", "none.toml"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(7), ""), "{}", refused.stderr);
}
