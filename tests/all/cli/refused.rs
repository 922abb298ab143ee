//! What the built command refuses, each with its exit code and a message that says what failed, where, and what to do.

use super::{FIX, Scratch, command, corpus, ended, files, run};
use std::fs;
use std::path::Path;

#[test]
fn each_error_has_its_exit_code_and_says_where_and_what_to_do() {
    let scratch = Scratch::new();
    let empty = scratch.0.join("empty");
    fs::create_dir_all(&empty).expect("a folder");
    scratch.file("blank/a.go", b"package a\n");
    scratch.file("prose/notes.txt", b"how tokens are validated\n");
    let weights = scratch.file("weights.json", b"{\n  \"gaet\": 1\n}");
    let list = scratch.file("list.json", b"[]");
    let list_inside = scratch.file("inside.json", b"{\"items\": {\"error\": [1, 2]}}");
    let session = scratch.file("session.json", b"{\n  \"failing_test\": []\n}");
    let bytes = scratch.file("bytes.json", b"{}\n\xff");
    let text = |path: &Path| path.to_str().expect("text").to_owned();
    let go = text(&corpus().join("auth-go"));
    let check = |args: &[&str], code: i32, says: &[&str]| {
        let answer = run(&[args, &["--no-cache"]].concat());
        assert_eq!(answer.code, code, "{args:?}: {}", answer.stderr);
        assert_eq!(answer.stdout, "", "{args:?}");
        assert!(says.iter().all(|part| answer.stderr.contains(part)), "{args:?}: {}", answer.stderr);
    };
    let on = |repo: &str, args: &[&str], code: i32, says: &[&str]| {
        check(&[&["--intent", "fix ValidateToken", "--repo", repo], args].concat(), code, says);
    };
    check(&[], 2, &["--intent"]);
    check(&["--intent", " \n"], 2, &["the intent is empty", "--intent -"]);
    check(&["--intent", "x", "--format", "yaml"], 2, &["yaml", "text, json, facts"]);
    on(&go, &["--budget", "0"], 2, &["--budget"]);
    on(&go, &["--pin", "none.go"], 2, &["the pin `none.go` cannot be used"]);
    for (pattern, why) in
        [("[z-a]", "invalid range"), ("[", "unclosed character class"), ("", "matches nothing"), ("# a", "matches nothing")]
    {
        on(&go, &["--exclude", pattern], 2, &["--exclude", &format!("'{pattern}'"), why, ".gitignore"]);
    }
    on(&go, &["--weights", &text(&weights)], 2, &["weights.json", "unknown field `gaet`", "line 2 column 8"]);
    on(&go, &["--weights", &text(&list)], 2, &["list.json", "line 1 column 1", "expected weights by name, such as {\""]);
    on(&go, &["--weights", &text(&list_inside)], 2, &["inside.json", "`items.error` is a list", "expected weights by name"]);
    on(&go, &["--session", &text(&session)], 2, &["session.json", "`failing_test`", "line 2 column 16"]);
    on(&go, &["--session", &text(&bytes)], 2, &["bytes.json", "line 2 column 1"]);
    on(&text(&scratch.0.join("none")), &[], 4, &["none", "cannot be opened", "--repo DIR"]);
    on(&text(&empty), &[], 5, &["empty", "holds no file", "--exclude"]);
    on(&text(&scratch.0.join("blank")), &[], 6, &["blank", "1 files of code", "--repo"]);
    check(&["facts", "--repo", &text(&scratch.0.join("blank"))], 6, &["blank", "1 files of code"]);
    on(&go, &["--session", &text(&scratch.0.join("gone.json"))], 7, &["gone.json", "cannot be read"]);
    on(&go, &["--pin", "internal/auth/login.go", "--budget", "50"], 8, &["title and pins need", "--budget"]);
    for (target, says) in [
        ("nowhere.go", "has the path `nowhere.go`"),
        ("ValidateTokn", "the nearest names are `ValidateToken`"),
        ("internal/auth", "`internal/auth` is a folder"),
        ("login.go:999", "`internal/auth/login.go` has no line 999"),
    ] {
        check(&[&["why", target, "--repo", &go], &FIX[..]].concat(), 2, &[says, "give "]);
    }

    let nothing = run(&["--intent", "zzzqqq", "--repo", &go, "--no-cache"]);
    assert_eq!(nothing.code, 3);
    assert!(nothing.stdout.contains("Nothing was found: paths, names"), "{}", nothing.stdout);
    let prose = run(&["--intent", "validated tokens", "--repo", &text(&scratch.0.join("prose")), "--no-cache"]);
    assert!(prose.code == 0 && prose.stderr.contains("only paths and text are searched"), "{}", prose.stderr);
    let quiet = run(&["--intent", "validated tokens", "--repo", &text(&scratch.0.join("prose")), "--no-cache", "--quiet"]);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (prose.stdout, ""));
}

#[test]
fn a_cache_inside_the_repository_is_refused_and_not_made() {
    let scratch = Scratch::new();
    let root = scratch.copy("auth-go", "repository");
    let link = scratch.0.join("link");
    std::os::unix::fs::symlink(root.join("internal"), &link).expect("a link");
    let before = files(&root);
    let text = |path: &Path| path.to_str().expect("text").to_owned();
    let repo = ["--repo", &text(&root)];
    let refused = |args: &[&str], cache: Option<&str>, home: &Path| {
        let args = [args, &repo, &cache.map_or(vec![], |cache| vec!["--cache", cache])].concat();
        let answer = ended(command(&args).current_dir(&root).env("XDG_CACHE_HOME", home));
        assert_eq!((answer.code, answer.stdout.as_str()), (2, ""), "{args:?}");
        let folder = cache.map_or_else(|| text(&home.join("activate")), str::to_owned);
        let says = [format!("the cache folder `{folder}` lies inside the repository `{}`", repo[1]), "`--cache DIR`".to_owned()];
        assert!(says.iter().all(|part| answer.stderr.contains(part)), "{args:?}: {}", answer.stderr);
        assert!(answer.stderr.contains("`--no-cache`"), "{}", answer.stderr);
        assert!(files(&root) == before && !root.join("cache").exists(), "{args:?} wrote into the repository");
    };
    let home = scratch.0.join("home");
    for cache in [root.join("cache"), root.clone(), root.join("internal"), root.join("cache/deeper"), link.join("cache")] {
        refused(&FIX, Some(&text(&cache)), &home);
    }
    refused(&FIX, Some("cache"), &home);
    refused(&FIX, Some("./internal/../cache"), &home);
    refused(&FIX, None, &root.join("cache"));
    refused(&["facts"], Some("cache"), &home);
    refused(&[&["why", "go.mod"], &FIX[..]].concat(), Some("cache"), &home);
    refused(&["cache", "--clear"], Some("cache"), &home);
    assert_eq!(run(&["cache", "--cache", &text(&root.join("cache"))]).stdout, "");
    assert!(!root.join("cache").exists());
    // A name that only begins like that of the repository, and no cache at all, are fine.
    let beside = text(&scratch.0.join("repository-cache"));
    for cache in [&["--cache", beside.as_str()][..], &["--no-cache"]] {
        let answer = ended(command(&[&FIX[..], &repo, cache].concat()).env("XDG_CACHE_HOME", root.join("cache")));
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{cache:?}");
    }
    assert!(files(&root) == before && Path::new(&beside).exists());
}

#[test]
fn nobody_waits_for_ever_for_an_input() {
    let scratch = Scratch::new();
    let go = corpus().join("auth-go");
    let go = go.to_str().expect("text");
    let pipe = scratch.0.join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).expect("a pipe");
    let pipe = pipe.to_str().expect("text");
    for flag in ["--tests", "--diagnostics", "--session", "--weights", "--template"] {
        let answer = run(&["--wait", "1", "--intent", "fix ValidateToken", "--repo", go, "--no-cache", flag, pipe]);
        assert_eq!((answer.code, answer.stdout.as_str()), (7, ""), "{flag}: {}", answer.stderr);
        let is_clear = answer.stderr.contains("nothing was written to it within 1 seconds; `--wait SECONDS` waits longer");
        assert!(is_clear && answer.stderr.contains(pipe), "{flag}: {}", answer.stderr);
    }
    // What does not end is too large.
    let answer = run(&["--intent", "fix ValidateToken", "--repo", go, "--no-cache", "--weights", "/dev/zero"]);
    assert!(answer.code == 2 && answer.stderr.contains("larger than"), "{}", answer.stderr);
}
