//! What goes wrong: a clear word, never a wrong answer, and a bad repository costs itself alone.

use crate::organisation::{Organisation, files};
use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::time::Duration;

#[test]
fn a_repository_that_goes_keeps_its_last_shard_until_it_is_taken_out() {
    let organisation = Organisation::new();
    organisation.well("store", &["sync"]);
    let kept = organisation.kept("store");
    for name in ["lib", "api"] {
        fs::rename(organisation.0.join(name), organisation.0.join(format!("{name}.away"))).expect("renamed");
    }
    let ended = organisation.run("store", &["sync"]);
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (Some(0), "0 new, 1 same, 1 missing, 1 unreadable; 0 files with 0 lines read\n")
    );
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert!(
        lines[0].starts_with("activate: warning: lib is missing: there is no folder `../lib`; correct its `path` in the manifest; what is known of commit "),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("activate: warning: shop/api is unreadable: `git ls-remote` failed: "), "{lines:?}");
    assert!(lines[1].ends_with(" still counts") && lines.len() == 2, "{lines:?}");
    let list = organisation.well("store", &["list"]);
    assert!(list.contains("missing") && list.contains("unreadable") && list.contains("known"), "{list}");
    let shards = |kept: &std::collections::BTreeMap<String, Vec<u8>>| {
        kept.iter()
            .filter(|(path, _)| *path != "current.json")
            .map(|(path, bytes)| (path.clone(), bytes.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(shards(&organisation.kept("store")), shards(&kept), "nothing that counts was lost");
    for name in ["lib", "api"] {
        fs::rename(organisation.0.join(format!("{name}.away")), organisation.0.join(name)).expect("renamed");
    }
    assert_eq!(organisation.well("store", &["sync"]), "0 new, 3 same, 0 missing; 0 files with 0 lines read\n");
    assert_eq!(organisation.kept("store"), kept);
}

#[test]
fn an_empty_and_a_broken_repository_cost_themselves_alone() {
    let organisation = Organisation::new();
    fs::create_dir(organisation.0.join("none")).expect("a folder");
    organisation.git("none", &["init", "--quiet"]);
    organisation.commit("bare", &[]);
    organisation.commit("broken", &[("a.go", "package a\n")]);
    fs::remove_dir_all(organisation.0.join("broken/.git/objects")).expect("gone");
    fs::create_dir(organisation.0.join("plain")).expect("a folder");
    let none = organisation.url("none");
    for (name, place) in
        [("none", "../none"), ("fetched", &none), ("bare", "../bare"), ("broken", "../broken"), ("plain", "../plain")]
    {
        organisation.well("store", &["add", place, "--name", name]);
    }
    organisation.well("store", &["add", "../lib", "--name", "branch", "--branch", "nowhere"]);
    organisation.well("store", &["add", &organisation.url("lib"), "--name", "branch2", "--branch", "nowhere"]);
    let ended = organisation.run("store", &["sync"]);
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (Some(0), "3 new, 0 same, 2 missing, 2 unreadable, 3 empty; 6 files with 25 lines read\n"),
        "{}",
        ended.stderr
    );
    let list = organisation.well("store", &["list"]);
    let states: Vec<(&str, &str)> = list
        .lines()
        .map(|line| {
            let mut words = line.split_whitespace();
            (words.next().expect("a name"), words.next().expect("a state"))
        })
        .collect();
    let expected = [
        ("bare", "empty"),
        ("branch", "missing"),
        ("branch2", "missing"),
        ("broken", "unreadable"),
        ("fetched", "empty"),
        ("lib", "known"),
        ("none", "empty"),
        ("plain", "unreadable"),
        ("shop/api", "known"),
        ("web", "known"),
    ];
    assert_eq!(states, expected, "{list}");
    let why = "(it has no branch `nowhere`; correct its `branch` in the manifest)";
    assert_eq!(list.matches(why).count(), 2, "{list}");
}

#[test]
fn a_folder_with_files_of_others_is_no_store() {
    let organisation = Organisation::new();
    organisation.file("store/git/mine/notes.txt", "mine");
    let ended = organisation.run("store", &["sync"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("holds other files and is no store; name an empty folder"), "{}", ended.stderr);
    organisation.file("store/secrets.key", "mine too");
    assert_eq!(organisation.run("store", &["sync"]).code, Some(2));
    let entries: Vec<String> = files(&organisation.0.join("store")).into_keys().collect();
    assert_eq!(entries, ["git/mine/notes.txt", "secrets.key"]);
    // A sync that was killed at once left its lock.
    organisation.file("killed/lock", "");
    organisation.well("killed", &["sync"]);
    // One that was named by mistake is told of.
    let ended = organisation.run("stoer", &["list"]);
    assert!(ended.code == Some(0) && ended.stderr.contains("there is no store in `"), "{}", ended.stderr);
}

#[test]
fn where_nothing_could_be_read_the_list_says_why() {
    let organisation = Organisation::empty();
    organisation.file("org/fleet.toml", "[[repository]]\nname = 'a'\npath = '../a'\n");
    assert_eq!(organisation.run("store", &["sync"]).code, Some(3));
    let ended = organisation.run("store", &["callers", "a#x"]);
    assert!(
        ended
            .stderr
            .contains("nothing could be read of the repositories of fleet.toml; `activate fleet list` says how each stands"),
        "{}",
        ended.stderr
    );
}

/// Damages a file in ways that a crash or a disk does.
fn damages(bytes: &[u8]) -> Vec<Vec<u8>> {
    let half = bytes.len() / 2;
    let mut flipped = bytes.to_vec();
    flipped[half] ^= 1;
    vec![bytes[..half].to_vec(), Vec::new(), flipped]
}

#[test]
fn a_half_written_shard_is_seen_and_made_again() {
    let organisation = Organisation::new();
    organisation.well("store", &["sync"]);
    let kept = organisation.kept("store");
    let store = organisation.0.join("store");
    let shard: Vec<&String> =
        kept.keys().filter(|path| path.starts_with("shards/lib/") || path.starts_with("derived/")).collect();
    assert!(shard.len() > 10, "{shard:?}");
    for path in shard {
        for damaged in damages(&kept[path]) {
            fs::write(store.join(path), damaged).expect("written");
            if path.starts_with("shards") {
                let list = organisation.well("store", &["list"]);
                assert!(list.starts_with("lib       damaged "), "{path}: {list}");
            }
        }
        organisation.well("store", &["sync"]);
        assert!(organisation.kept("store") == kept, "{path} is not as it was");
    }
    for damaged in damages(&kept["current.json"]) {
        fs::write(store.join("current.json"), damaged).expect("written");
        let ended = organisation.run("store", &["list"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(9), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains("is damaged; `activate fleet sync` makes it again"), "{}", ended.stderr);
        assert_eq!(organisation.run("store", &["sync"]).code, Some(0));
        assert!(organisation.kept("store") == kept);
    }
}

#[test]
fn what_is_damaged_of_others_is_made_again_by_a_sync_of_one() {
    let organisation = Organisation::new();
    organisation.well("store", &["sync"]);
    let kept = organisation.kept("store");
    let table = kept.keys().find(|path| path.starts_with("shards/lib/") && path.ends_with("modules.arrow")).expect("a table");
    for path in [table, "current.json"] {
        for damaged in damages(&kept[path]) {
            fs::write(organisation.0.join("store").join(path), damaged).expect("written");
            let ended = organisation.run("store", &["sync", "--only", "web"]);
            assert!(ended.code == Some(0) && ended.stderr.contains(" looked at"), "{path}: {ended:?}");
            assert!(organisation.kept("store") == kept, "{path} is not as it was");
        }
    }
}

#[test]
fn a_damaged_key_of_secrets_is_made_anew_with_all_shards() {
    let organisation = Organisation::new();
    organisation.well("store", &["sync"]);
    let kept = organisation.kept("store");
    let key = organisation.0.join("store/secrets.key");
    let first = fs::read(&key).expect("a key");
    let mark = organisation.0.join("store").join(kept.keys().find(|path| path.ends_with("whole.json")).expect("a shard"));
    let made = || fs::metadata(&mark).and_then(|found| found.modified()).expect("a time");
    let before = made();
    for damaged in damages(&first) {
        fs::write(&key, &damaged).expect("written");
        organisation.well("store", &["sync"]);
        let now = fs::read(&key).expect("a key");
        assert!(now.len() == first.len() && now != damaged && now != first);
        assert!(organisation.kept("store") == kept && made() > before, "shards are made with the new key");
    }
}

#[test]
fn two_syncs_at_once_wait_for_one_another() {
    let organisation = Organisation::new();
    organisation.well("calm", &["sync"]);
    let mut both: Vec<_> = (0..2).map(|_| organisation.command("store", &["sync"]).spawn().expect("a command")).collect();
    for child in &mut both {
        assert!(child.wait().expect("an end").success());
    }
    assert!(organisation.kept("store") == organisation.kept("calm"));
}

#[test]
#[cfg(unix)]
fn a_git_that_hangs_is_ended_and_who_waits_for_it_is_told() {
    let organisation = Organisation::new();
    let log = organisation.0.join("pid");
    organisation.program("git", &format!("echo $$ > {}\nsleep 300", log.display()));
    let mut first = organisation.command("store", &["sync", "--wait", "3", "--quiet"]).spawn().expect("a command");
    let has_begun = || log.exists() && organisation.0.join("store/holder").exists();
    assert!((0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        has_begun()
    }));
    let second = organisation.run("store", &["sync", "--wait", "1"]);
    assert_eq!((second.code, second.stdout.as_str()), (Some(9), ""));
    let who = format!("another `activate fleet sync` (process {}) has been changing", first.id());
    assert!(second.stderr.contains(&who), "{}", second.stderr);
    assert!(first.wait().expect("an end").success());
    let number = fs::read_to_string(&log).expect("a number");
    assert!(!Path::new(&format!("/proc/{}", number.trim())).exists(), "it went on");
    let list = organisation.well("store", &["list"]);
    assert!(list.contains("shop/api  unreadable") && list.contains("git did not end within 3 seconds"), "{list}");
    assert_eq!(list.matches(" known ").count(), 2, "{list}");
    fs::remove_file(organisation.0.join("bin/git")).expect("gone");
    assert_eq!(organisation.well("store", &["sync"]), "1 new, 2 same, 0 missing; 2 files with 12 lines read\n");
}

#[test]
#[cfg(unix)]
fn a_sync_that_is_told_to_end_takes_git_with_it() {
    use std::os::unix::process::ExitStatusExt as _;
    const SIGTERM: i32 = 15;
    let organisation = Organisation::new();
    let log = organisation.0.join("pid");
    organisation.program("git", &format!("echo $$ > {}\nsleep 300", log.display()));
    let mut sync = organisation.command("store", &["sync", "--quiet"]).spawn().expect("a command");
    let number = || fs::read_to_string(&log).ok().filter(|text| text.ends_with('\n'));
    let soon = |is_so: &mut dyn FnMut() -> bool| {
        (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            is_so()
        })
    };
    assert!(soon(&mut || number().is_some()));
    let told = Command::new("kill").args(["-TERM", &sync.id().to_string()]).status().expect("kill");
    assert!(told.success());
    let mut end = None;
    assert!(soon(&mut || {
        end = sync.try_wait().expect("a child");
        end.is_some()
    }));
    assert_eq!(end.and_then(|end| end.signal()), Some(SIGTERM));
    // Whoever takes over what has ended may not have asked for its end yet.
    let stat = format!("/proc/{}/stat", number().expect("its number").trim());
    let runs = || fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(soon(&mut || !runs()), "it went on");
    fs::remove_file(organisation.0.join("bin/git")).expect("gone");
    assert!(organisation.well("store", &["sync"]).starts_with("3 new, 0 same, 0 missing; "));
}

#[test]
#[cfg(unix)]
fn a_poisoned_manifest_is_refused_before_anything_is_run_or_written() {
    let organisation = Organisation::empty();
    organisation.program("git", &format!("touch {}", organisation.0.join("ran").display()));
    let of = |name: &str, rest: &str| format!("[[repository]]\nname = \"{name}\"\n{rest}\n");
    let texts: Vec<(Vec<u8>, &str)> = vec![
        (
            of("a", "url = \"--upload-pack=touch x\"").into(),
            "activate: error: fleet.toml:3: `--upload-pack=touch x` begins with `-`",
        ),
        (of("a", "url = \"ext::sh -c x\"").into(), "fleet.toml:3: "),
        (of("a", "url = \"ssh://-oProxyCommand=x/a\"").into(), "fleet.toml:3: the host begins with `-`"),
        (of("a", "path = \"x\"\nbranch = \"--output=x\"").into(), "fleet.toml:4: `--output=x` cannot be the name of a branch"),
        (of("../../a", "path = \"x\"").into(), "fleet.toml:2: the name `../../a` leads out of its folder"),
        (of("a\\u001b[31m", "path = \"x\"").into(), "fleet.toml:2: this holds control characters"),
        (b"[[repository]]\nname = \"\xff\"\n".to_vec(), "fleet.toml:2: it is not UTF-8 text"),
        (vec![b'#'; (4 << 20) + 1], "it has more than 4194304 bytes"),
        ("[".repeat(100_000).into(), "fleet.toml:1: "),
        (of("a", &format!("path = {}", "[".repeat(50_000))).into(), "fleet.toml:"),
    ];
    for (text, says) in texts {
        fs::write(organisation.0.join("org/fleet.toml"), text).expect("written");
        for args in [&["sync"][..], &["list"], &["remove", "a"]] {
            let ended = organisation.run("store", args);
            assert!(matches!(ended.code, Some(2 | 7)) && ended.stdout.is_empty(), "{args:?} {ended:?}");
            assert!(ended.stderr.contains(says) && ended.stderr.len() < 1_000, "{args:?} {says}: {}", ended.stderr);
        }
    }
    let missing = organisation.run("store", &["sync", "--manifest", "none.toml"]);
    assert!(
        missing.code == Some(7) && missing.stderr.contains("there is none; `activate fleet add` makes one"),
        "{}",
        missing.stderr
    );
    let left: Vec<String> = files(&organisation.0).into_keys().collect();
    assert_eq!(left, ["bin/git", "org/fleet.toml"]);
}

#[test]
fn secrets_and_signs_of_names_are_not_shown_as_they_are() {
    let organisation = Organisation::new();
    let url = "https://host.invalid/ghp_0123456789abcdefghijABCDEFGHIJ012345/x.git";
    organisation.well("store", &["add", url]);
    for args in [&["list"][..], &["list", "--format", "jsonl"]] {
        let list = organisation.run("store", args).stdout;
        assert!(list.contains("host.invalid") && !list.contains("ghp_0123456789"), "{list}");
    }
}

#[test]
fn what_the_manifest_names_otherwise_is_told_of_until_it_is_read() {
    let organisation = Organisation::new();
    organisation.well("store", &["sync"]);
    let manifest = organisation.0.join("org/fleet.toml");
    let list = |args: &[&str]| {
        let list = organisation.well("store", &[&["list"], args].concat());
        let line = list.lines().find(|line| line.starts_with("lib ")).expect("a line").to_owned();
        line.split_whitespace().nth(1).expect("a state").to_owned() + if line.contains(" (") { " and why" } else { "" }
    };
    // Whoever names it otherwise means the same.
    assert_eq!([list(&[]), list(&["--manifest", manifest.to_str().expect("text")])], ["known", "known"]);
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text.replace("../lib\"", "../moved\"")).expect("written");
    let warned = || {
        let ended = organisation.run("store", &["unused", "web"]);
        let warning =
            "the manifest names another place, branch or commit than this answer knows of lib; `activate fleet sync` reads it";
        ended.stderr.contains(warning)
    };
    assert_eq!((list(&[]).as_str(), warned()), ("changed", true));
    assert_eq!(organisation.run("store", &["sync"]).code, Some(0));
    assert_eq!((list(&[]).as_str(), warned()), ("missing and why", true));
    fs::rename(organisation.0.join("lib"), organisation.0.join("moved")).expect("renamed");
    organisation.well("store", &["sync"]);
    assert_eq!((list(&[]).as_str(), warned()), ("known", false));
}
