//! Whatever happens to a folder, a walk that knows an earlier one finds what a walk that knows nothing finds.

use super::*;
use crate::Repo;
use crate::testing::Scratch;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Longer than files and folders are too young for their times to tell.
const UNTIL_OLD: Duration = Duration::from_nanos(crate::RACY_NS as u64 + 10_000_000);

/// A repository with whatever a walk decides about: nested ignore files, one that leaves itself out, git's own list, something that git
/// tracks though it ignores it, links, a folder without files, an empty one.
fn first_files() -> Scratch {
    let scratch = Scratch::new();
    let files = [
        (".gitignore", "*.log\n/out/\n"),
        (".git/info/exclude", "private\n"),
        ("README.md", "read me"),
        ("a/.gitignore", ".gitignore\n*.tmp\n"),
        ("a/deep/deeper/one.go", "package one"),
        ("a/one.go", "package a"),
        ("a/one.tmp", ""),
        ("a.b/two.go", "package b"),
        ("b/.ignore", "!x.log\n"),
        ("b/x.log", "kept"),
        ("b/two.go", "package b"),
        ("log/kept.log", "tracked"),
        ("log/other.log", "not tracked"),
        ("out/made.go", "package out"),
        ("private", ""),
        ("swap/one/in/1.go", "package one"),
        ("swap/two/in/2.go", "package two"),
    ];
    for (name, text) in files {
        scratch.write(name, text);
    }
    write_index(&scratch, &["README.md", "log/kept.log"]);
    scratch.link("README.md", "link");
    fs::create_dir_all(scratch.path().join("empty/inner")).expect("folders");
    scratch
}

/// Writes an index that tracks these paths.
fn write_index(scratch: &Scratch, paths: &[&str]) {
    let mut bytes = [b"DIRC\0\0\0\x02".as_slice(), &(paths.len() as u32).to_be_bytes()].concat();
    for path in paths {
        let entry = [&[0; 24], 0o100_644_u32.to_be_bytes().as_slice(), &[0; 33], &[path.len() as u8], path.as_bytes()].concat();
        bytes.extend(&entry);
        bytes.extend(vec![0; 8 - entry.len() % 8]);
    }
    bytes.extend([0; 20]);
    fs::write(scratch.path().join(".git/index"), bytes).expect("an index");
}

fn walk_of(scratch: &Scratch) -> Walk {
    Repo::open(scratch.path()).expect("a repository").walk(&WalkOptions::default()).expect("a walk")
}

/// What a walk that knows `known` leaves, and whether it listed less than everything. Checks that it, and one that knows what it leaves,
/// find what a walk that knows nothing finds.
fn walk_again(scratch: &Scratch, known: &[u8]) -> (Vec<u8>, bool) {
    let full = walk_of(scratch);
    let again = |known: &[u8]| {
        let mut again =
            Repo::open(scratch.path()).expect("a repository").walk_again(&WalkOptions::default(), known).expect("a walk");
        assert_eq!(again.files, full.files);
        assert_eq!((again.skipped, &again.problems), (full.skipped, &full.problems));
        (again.take_listing().unwrap_or_else(|| known.to_vec()), again.n_listed < full.n_listed)
    };
    let (left, takes_known) = again(known);
    again(&left);
    (left, takes_known)
}

fn old_listing(scratch: &Scratch) -> Vec<u8> {
    std::thread::sleep(UNTIL_OLD);
    let known = walk_of(scratch).take_listing().expect("a full walk");
    assert!(!known.is_empty());
    known
}

/// Gives a folder back the modification time that it had; the change of its metadata shows all the same.
fn keeping_mtime(folder: &Path, change: impl FnOnce()) {
    let before = fs::metadata(folder).and_then(|metadata| metadata.modified()).expect("a time");
    change();
    fs::File::open(folder).and_then(|folder| folder.set_modified(before)).expect("a time");
}

fn rename(scratch: &Scratch, from: &str, to: &str) {
    fs::rename(scratch.path().join(from), scratch.path().join(to)).expect("a new name");
}

/// What happens, and whether the walk takes what it knows; if not, it lists everything again.
type Row = (&'static str, bool, fn(&Scratch));

#[test]
fn every_change_is_seen_and_only_a_change_of_the_rules_or_a_folder_gone_costs_a_full_walk() {
    let rows: [Row; 29] = [
        ("nothing", true, |_| ()),
        ("another text of the same length", true, |at| at.write("a/one.go", "package z")),
        ("the same with the time put back", true, |at| {
            at.write("a/one.go", "package z");
            at.set_time("a/one.go", 1_000_000_000);
        }),
        ("a file in the place of another", true, |at| {
            at.write("a/new.go", "package z");
            rename(at, "a/new.go", "a/one.go");
        }),
        ("a new file", true, |at| at.write("a/deep/deeper/two.go", "")),
        ("a new file, the folder's time put back", true, |at| {
            keeping_mtime(&at.path().join("a/deep"), || at.write("a/deep/two.go", ""));
        }),
        ("a new file in an empty folder", true, |at| at.write("empty/inner/new.go", "")),
        ("a new file that is ignored by the folder above", true, |at| at.write("a/deep/deeper/two.tmp", "")),
        ("a new folder", true, |at| at.write("a/new/newer/two.go", "")),
        ("a new folder that is ignored in part", true, |at| {
            at.write("b/new/x.log", "");
            at.write("b/new/y.log", "");
        }),
        ("a new ignored folder", true, |at| at.write("out/new/two.go", "")),
        ("a file gone", true, |at| at.remove("a/one.go")),
        ("a file renamed", true, |at| rename(at, "a/one.go", "a/three.go")),
        ("a file moved", true, |at| rename(at, "a/one.go", "b/one.go")),
        ("a link in the place of a file", true, |at| {
            at.remove("a/one.go");
            at.link("../README.md", "a/one.go");
        }),
        ("a file in the place of a link", true, |at| {
            at.remove("link");
            at.write("link", "");
        }),
        ("git tracks more", true, |at| write_index(at, &["README.md", "log/kept.log", "log/other.log"])),
        ("git tracks less", true, |at| write_index(at, &["README.md"])),
        ("git tracks what lies in an ignored folder", true, |at| write_index(at, &["log/kept.log", "out/made.go"])),
        ("a folder gone", false, |at| at.remove("a/deep")),
        ("a folder renamed", false, |at| rename(at, "a/deep", "a/deeper")),
        ("two folders that change places", true, |at| {
            rename(at, "swap/one/in", "swap/in");
            rename(at, "swap/two/in", "swap/one/in");
            rename(at, "swap/in", "swap/two/in");
        }),
        ("a link in the place of a folder", false, |at| {
            rename(at, "a/deep", "b/deep");
            at.link("../b/deep", "a/deep");
        }),
        ("an ignore file with other lines of the same length", false, |at| at.write(".gitignore", "*.txt\n/out/\n")),
        ("an ignore file that is ignored itself", false, |at| at.write("a/.gitignore", ".gitignore\n*.go\n")),
        ("a new ignore file", false, |at| at.write("a/deep/.activateignore", "*.go\n")),
        ("a new folder with an ignore file", false, |at| at.write("a/new/.ignore", "*.go\n")),
        ("an ignore file gone", false, |at| at.remove("b/.ignore")),
        ("git's own list", false, |at| at.write(".git/info/exclude", "")),
    ];
    for (what, takes_known, change) in rows {
        let scratch = first_files();
        let known = old_listing(&scratch);
        change(&scratch);
        let (left, took_known) = std::panic::catch_unwind(|| walk_again(&scratch, &known)).unwrap_or_else(|_| panic!("{what}"));
        assert_eq!(took_known, takes_known, "{what}");
        // Once things are old, what was left is all there is to know.
        std::thread::sleep(UNTIL_OLD);
        let (left, _) = walk_again(&scratch, &left);
        let walk = Repo::open(scratch.path()).and_then(|repo| repo.walk_again(&WalkOptions::default(), &left)).expect("a walk");
        assert_eq!(walk.n_listed, 0, "{what}");
    }
}

#[test]
fn a_folder_too_young_for_its_times_to_tell_is_listed_again() {
    let scratch = first_files();
    let known = old_listing(&scratch);
    scratch.write("b/young.go", "");
    let young = walk_of(&scratch).take_listing().expect("a full walk");
    let is_racy = |bytes: &[u8]| {
        let known: Known<'_> = postcard::from_bytes(bytes).expect("a listing");
        let of = |path: &[u8]| known.folders.iter().find(|seen| seen.path == path).is_some_and(|seen| seen.own.ctime_ns == 0);
        (of(b"a"), of(b"b"))
    };
    assert_eq!((is_racy(&known), is_racy(&young)), ((false, false), (false, true)));
    assert!(walk_again(&scratch, &young).1);
}

#[test]
fn what_is_known_under_other_options_or_of_another_state_of_git_is_not_taken() {
    let scratch = first_files();
    let known = old_listing(&scratch);
    let repo = Repo::open(scratch.path()).expect("a repository");
    let lists_anew = |options: &WalkOptions| repo.walk_again(options, &known).expect("a walk").n_listed > 0;
    assert!(!lists_anew(&WalkOptions::default()));
    assert!(lists_anew(&WalkOptions { exclude: vec!["*.go".to_owned()], ..WalkOptions::default() }));
    assert!(lists_anew(&WalkOptions { max_files: 3, ..WalkOptions::default() }));
    rename(&scratch, ".git", "no-git");
    assert!(!walk_again(&scratch, &known).1);
}

#[test]
fn nothing_is_remembered_of_a_walk_with_problems() {
    let scratch = first_files();
    scratch.write("a/.ignore", "[z-a]\n");
    let mut walk = walk_of(&scratch);
    assert_eq!((walk.problems.len(), walk.take_listing()), (1, Some(Vec::new())));
}

#[test]
fn beyond_the_most_changed_folders_everything_is_listed_anew() {
    let scratch = first_files();
    (0..=MAX_CHANGED).for_each(|folder| scratch.write(format!("many/{folder}/file"), ""));
    let known = old_listing(&scratch);
    (1..=MAX_CHANGED).for_each(|folder| scratch.write(format!("many/{folder}/new"), ""));
    assert!(walk_again(&scratch, &known).1);
    scratch.write("many/0/new", "");
    assert!(!walk_again(&scratch, &known).1);
}

#[test]
fn damaged_bytes_are_no_panic_and_lead_nowhere_outside() {
    let scratch = first_files();
    let known = old_listing(&scratch);
    let repo = Repo::open(scratch.path()).expect("a repository");
    for at in 0..known.len() {
        assert!(repo.walk_again(&WalkOptions::default(), &known[..at]).expect("a walk").n_listed > 0, "{at}");
        let mut damaged = known.clone();
        for byte in [0, b'/', b'.', 0x7f, 0xff] {
            damaged[at] = byte;
            repo.walk_again(&WalkOptions::default(), &damaged).expect("a walk");
        }
    }
}

/// The names of which paths are made.
const NAMES: [&str; 7] = [".gitignore", ".ignore", "a", "b", "c.go", "x.log", "y.tmp"];
const TEXTS: [&str; 6] = ["", "*.log\n", "*.tmp\n", "a/\n", "!x.log\n", "b\n"];

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn a_walk_that_knows_an_earlier_one_is_as_one_that_knows_nothing(
        turns in prop::collection::vec(prop::collection::vec((0..6, prop::collection::vec(0..NAMES.len(), 1..4), 0..TEXTS.len()), 1..5), 1..7),
    ) {
        let scratch = first_files();
        let mut known = old_listing(&scratch);
        for changes in turns {
            for (what, names, text) in changes {
                let path = scratch.path().join(names.iter().map(|name| NAMES[*name]).collect::<Vec<_>>().join("/"));
                let elsewhere = scratch.path().join(NAMES[text]);
                // What cannot be done as things are is not done.
                _ = match what {
                    0 | 1 => fs::create_dir_all(path.parent().expect("a folder")).and_then(|()| fs::write(&path, TEXTS[text])),
                    2 => fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)),
                    3 => fs::rename(&path, elsewhere),
                    4 => fs::create_dir_all(&path),
                    _ => std::os::unix::fs::symlink(elsewhere, &path),
                };
            }
            known = walk_again(&scratch, &known).0;
        }
    }
}
