//! The behaviour of an open repository, on folders and git data made for each test.

use super::*;
use crate::testing::Scratch;

fn open(scratch: &Scratch) -> Repo {
    Repo::open(scratch.path()).expect("a repository")
}

fn walked(scratch: &Scratch, options: &WalkOptions) -> String {
    let walk = open(scratch).walk(options).expect("a walk");
    walk.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(" ")
}

/// Files of the repository with their text, patterns to exclude, files listed.
type Row = (&'static [(&'static str, &'static str)], &'static [&'static str], &'static str);

#[test]
fn ignore_files_leave_out_what_they_name_and_nothing_else() {
    let table: &[Row] = &[
        (&[(".gitignore", "*.log\n!keep.log\n"), ("a.log", ""), ("keep.log", ""), ("d/b.log", "")], &[], ".gitignore keep.log"),
        (&[(".gitignore", "/out\n"), ("out/a", ""), ("d/out/a", "")], &[], ".gitignore d/out/a"),
        (&[(".gitignore", "build/\n"), ("build", ""), ("d/build/a", "")], &[], ".gitignore build"),
        (&[("d/.gitignore", "a\n"), ("a", ""), ("d/a", ""), ("d/e/a", "")], &[], "a d/.gitignore"),
        (&[(".gitignore", "a\n"), ("d/.gitignore", "!a\n"), ("a", ""), ("d/a", "")], &[], ".gitignore d/.gitignore d/a"),
        (&[(".gitignore", "a\nb\n"), (".ignore", "!a\n"), ("a", ""), ("b", "")], &[], ".gitignore .ignore a"),
        (&[(".ignore", "!a\n"), (".activateignore", "a\n"), ("a", ""), ("b", "")], &[], ".activateignore .ignore b"),
        (&[(".git/info/exclude", "a\n"), (".git/HEAD", "x"), ("a", ""), ("b", "")], &[], "b"),
        (&[(".hidden/a", ""), ("d/.git/config", ""), ("d/.GIT/b", ""), (".github/c", "")], &[], ".github/c .hidden/a"),
        (&[(".gitignore", "!a.gen\n"), ("a.gen", ""), ("d/b", ""), ("c", "")], &["*.gen", "d/"], ".gitignore c"),
        (&[(".gitignore", "\u{feff}a\r\nb[\n"), ("a", ""), ("b", "")], &[], ".gitignore b"),
    ];
    for (files, exclude, expected) in table {
        let scratch = Scratch::new();
        files.iter().for_each(|(name, text)| scratch.write(name, text));
        let exclude = exclude.iter().map(ToString::to_string).collect();
        assert_eq!(walked(&scratch, &WalkOptions { exclude, ..WalkOptions::default() }), *expected, "{files:?}");
    }
}

#[test]
fn a_pattern_to_exclude_that_leaves_nothing_out_is_refused() {
    let scratch = Scratch::new();
    scratch.write("a", "");
    let walk = |pattern: &str| open(&scratch).walk(&WalkOptions { exclude: vec![pattern.to_owned()], ..WalkOptions::default() });
    for pattern in ["[", "a[", "a{", "[z-a]", "", "  ", "!", "/", "# a"] {
        let error = walk(pattern).expect_err(pattern);
        assert!(error.kind == ErrorKind::BadInput && error.message.contains(&format!("`{pattern}` cannot be used: ")), "{error}");
        assert!(check_exclude(pattern).is_err(), "{pattern}");
    }
    for pattern in ["[b]", r"\[", r"\# a", "!b", "/b/", "b\n\n# a\nc"] {
        assert_eq!(walk(pattern).map(|walk| walk.files.len()).ok(), Some(1), "{pattern}");
    }
}

#[test]
fn ignore_files_count_once_for_each_text_and_no_more_of_them_than_are_worth_it() {
    let scratch = Scratch::new();
    let long = |name: &str| (0..9_000).map(|line| format!("{name}{line}\n")).collect::<Vec<_>>().concat();
    // Twenty folders of one list, and three more lists, of which one finds no room any more.
    (0..20).for_each(|at| scratch.write(format!("a{at:02}/.gitignore"), &long("x")));
    for name in ["b", "c"] {
        scratch.write(format!("{name}/.gitignore"), &long(name));
    }
    for folder in ["a19", "b", "c"] {
        scratch.write(format!("{folder}/x1"), "");
        scratch.write(format!("{folder}/{folder}1"), "");
    }
    let walk = open(&scratch).walk(&WalkOptions::default()).expect("a walk");
    let files = walk.files.iter().map(|file| file.path.as_str()).filter(|path| !path.ends_with(".gitignore"));
    assert_eq!(files.collect::<Vec<_>>(), ["a19/a191", "b/x1", "c/c1", "c/x1"]);
    let problems: Vec<String> = walk.problems.iter().map(|problem| format!("{:?}: {}", problem.path, problem.message)).collect();
    assert!(matches!(problems.as_slice(), [one] if one.contains("c/.gitignore") && one.contains("not applied")), "{problems:?}");
}

#[test]
fn ignore_files_above_the_root_do_not_count() {
    let scratch = Scratch::new();
    scratch.write(".gitignore", "*\n");
    scratch.write("r/a", "");
    let repo = Repo::open(&scratch.path().join("r")).expect("a repository");
    assert_eq!(repo.walk(&WalkOptions::default()).expect("a walk").files.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_walk_counts_links_and_special_files_and_follows_neither() {
    let scratch = Scratch::new();
    scratch.write("a", "text");
    scratch.link("/etc", "folder-link");
    scratch.link("a", "file-link");
    scratch.fifo("fifo");
    scratch.fifo(".ignore");
    let walk = open(&scratch).walk(&WalkOptions::default()).expect("a walk");
    assert_eq!(walk.files.iter().map(|file| (file.path.as_str(), file.size)).collect::<Vec<_>>(), [("a", 4)]);
    assert_eq!(walk.skipped, Skipped { links: 2, special: 2, ..Skipped::default() });
    assert_eq!(walk.problems.iter().map(|problem| problem.path.as_deref()).collect::<Vec<_>>(), [Some(".ignore")]);
}

#[test]
fn a_walk_beyond_its_limit_is_the_same_part_each_time_and_says_so() {
    let scratch = Scratch::new();
    (0..40).for_each(|file| scratch.write(format!("d{}/f{file}", file % 7), ""));
    scratch.write("top", "");
    let options = WalkOptions { max_files: 10, ..WalkOptions::default() };
    let first = open(&scratch).walk(&options).expect("a walk");
    let second =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool").install(|| open(&scratch).walk(&options));
    assert_eq!(first.files, second.expect("a walk").files);
    assert_eq!(first.files.len(), 10);
    assert!(first.problems[0].message.contains("left out"));
    assert_eq!(first.skipped.unlisted, 31);
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_listed_and_read_by_their_escaped_path() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new();
    for name in [&b"bad\xff"[..], b"new\nline", "bidi\u{202e}".as_bytes(), b"back\\slash"] {
        scratch.write(OsStr::from_bytes(name), "text");
    }
    let repo = open(&scratch);
    let files = repo.walk(&WalkOptions::default()).expect("a walk").files;
    let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, [r"back\\slash", r"bad\xff", "bidi\u{202e}", "new\nline"]);
    for file in files {
        assert_eq!(repo.read(&file.path, 10).expect("a file"), b"text");
    }
}

#[test]
fn a_read_stays_inside_and_never_waits() {
    let outer = Scratch::new();
    for name in ["outside/secret", "r/file", "r/.git/config", "r/.GIT/config", "r/d/.git/config"] {
        outer.write(name, "text");
    }
    #[cfg(unix)]
    {
        outer.link("../outside/secret", "r/link");
        outer.link("../outside", "r/folder-link");
        outer.link("file", "r/inner-link");
        outer.fifo("r/fifo");
    }
    let repo = Repo::open(&outer.path().join("r")).expect("a repository");
    let read = |text: &str, max| RepoPath::new(text).map(|path| repo.read(&path, max).map_err(|error| error.to_string()));
    for path in [
        "link",
        "folder-link/secret",
        "inner-link",
        "fifo",
        "d",
        "missing",
        "file/x",
        ".git/config",
        ".GIT/config",
        "d/.git/config",
        ".git /config",
        "git~1/config",
    ] {
        let refused = read(path, 100).expect("a path").expect_err(path);
        assert!(refused.starts_with(&format!("`{path}` cannot be read: ")), "{refused}");
    }
    for path in ["../outside/secret", "/etc/passwd", "d/../file", "file\0", ""] {
        assert!(read(path, 100).is_err(), "{path:?}");
    }
    assert!(read("file", 3).expect("a path").expect_err("too large").contains("4 bytes and the limit is 3"));
    assert_eq!(read("file", 4), Ok(Ok(b"text".to_vec())));
}

#[test]
fn only_the_folder_itself_makes_a_git_repository_and_an_enclosing_one_is_named() {
    let scratch = Scratch::new();
    scratch.write(".git/HEAD", "ref: refs/heads/main\n");
    scratch.write("a/b/file", "");
    let inner = scratch.path().join("a/b");
    assert_eq!(Repo::discover(&inner), system::canonical(scratch.path()).expect("a folder"));
    let (git, problems) = Repo::open(&inner).expect("a folder").git(Alternates::Refuse);
    assert!(git.is_none());
    assert!(problems[0].message.contains("`../..`"), "{problems:?}");
    let missing = Repo::open(&scratch.path().join("missing")).expect_err("nothing there");
    assert_eq!(missing.kind, ErrorKind::NoRepository);
}
