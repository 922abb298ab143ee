//! Reading a large repository ahead: it ends when nobody asks, and whatever ends it leaves a cache that answers are right from.

use crate::cli::{Scratch, command, ended};
use crate::first_answer::{Large, TASK, is_known};
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// More packages than are read before what was read is kept for the first time.
const N_PACKAGES: usize = 2_300;

/// How often a process is killed that reads in the background.
const N_KILLED: u32 = 25;
/// How often it is begun to be stopped at most.
const N_STOPPED: usize = 10;
/// How often with one cache.
const N_IN_A_ROW: u32 = 5;

/// The file of a cache with this ending.
fn file_of(cache: &Path, ending: &str) -> Option<PathBuf> {
    let files = fs::read_dir(cache).ok()?.flatten().map(|entry| entry.path());
    files.into_iter().find(|path| path.extension().is_some_and(|found| found == ending))
}

/// A copy of a cache.
fn copied(cache: &Path, scratch: &Scratch, name: &str) -> PathBuf {
    let to = scratch.0.join(name);
    fs::create_dir(&to).expect("a folder");
    for file in fs::read_dir(cache).into_iter().flatten().flatten() {
        fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
    }
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    fs::set_permissions(&to, permissions).expect("a folder of our own");
    to
}

fn started(large: &Large, more: &[&str]) -> Child {
    large.index(more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs")
}

#[test]
fn what_nobody_asks_for_is_not_read_to_its_end() {
    let large = Large::of(N_PACKAGES);
    let mut child = started(&large, &["--background"]);
    // As if the last one had asked a while ago.
    let long_ago = SystemTime::now() - Duration::from_secs(601);
    let status = loop {
        if let Some(file) = file_of(&large.cache(), "indexing").and_then(|mark| fs::File::options().write(true).open(mark).ok()) {
            file.set_modified(long_ago).expect("a time");
        }
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        thread::sleep(Duration::from_millis(1));
    };
    assert!(status.success() && !is_known(&large.cache()));
    // Where somebody asked less long ago, it goes on.
    let recent = SystemTime::now() - Duration::from_secs(300);
    let mut child = started(&large, &["--background"]);
    while child.try_wait().expect("a child").is_none() {
        let mark = file_of(&large.cache(), "indexing").expect("a mark");
        fs::File::options().write(true).open(mark).and_then(|file| file.set_modified(recent)).expect("a time");
        thread::sleep(Duration::from_millis(1));
    }
    assert!(is_known(&large.cache()));
}

#[test]
fn however_often_it_is_killed_answers_are_those_without_a_cache() {
    let large = Large::of(N_PACKAGES);
    let expected = large.ask_with(&large.scratch.0.join("none"), &[]);
    assert_eq!((expected.code, expected.stderr.as_str()), (0, ""));
    let first = large.ask_with(&large.scratch.0.join("none-first"), &["--first"]);
    let start = Instant::now();
    assert!(ended(&mut large.index(&["--background"])).code == 0 && is_known(&large.cache()));
    // How long it takes, by how many were killed before with the same cache: what these kept makes it quicker.
    let mut lasts = [start.elapsed(); N_IN_A_ROW as usize];
    fs::remove_dir_all(large.cache()).expect("a cache");
    let mut n_killed = 0;
    for number in 0..N_KILLED {
        let mut child = started(&large, &["--background"]);
        let n_before = number % N_IN_A_ROW;
        // The moments lie over all that it does.
        let (start, last) = (Instant::now(), &mut lasts[n_before as usize]);
        while start.elapsed() < *last * (number * 7 % N_KILLED) / N_KILLED && child.try_wait().expect("a child").is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("a child");
        if child.wait().expect("an end").code().is_none() {
            n_killed += 1;
        } else {
            // It was quicker than those before.
            *last = start.elapsed() * 3 / 4;
        }
        if n_before + 1 == N_IN_A_ROW {
            let copy = copied(&large.cache(), &large.scratch, &format!("copy-{number}"));
            // Of two that ask at the same time both are answered.
            let ask = |more: &'static [&'static str]| large.ask_with(&copy, more);
            let (one, other) = thread::scope(|scope| {
                let one = scope.spawn(|| ask(&["--first"]));
                let other = scope.spawn(|| ask(&[]));
                (one.join().expect("an answer"), other.join().expect("an answer"))
            });
            assert!(one == first || one == expected, "{} {}", one.stdout, one.stderr);
            assert_eq!(other, expected, "killed {number} times");
        }
        if n_before + 1 == N_IN_A_ROW || is_known(&large.cache()) {
            let _ = fs::remove_dir_all(large.cache());
        }
    }
    assert!(n_killed > N_KILLED / 5, "{n_killed}");
    assert_eq!(large.ask_with(&large.cache(), &[]), expected);
}

#[test]
fn who_asks_while_it_is_read_in_the_background_gets_the_answer_without_a_cache() {
    let large = Large::of(N_PACKAGES);
    let expected = large.ask_with(&large.scratch.0.join("none"), &[]);
    let mut child = started(&large, &["--background"]);
    thread::scope(|scope| {
        let asked = [0, 1].map(|_| scope.spawn(|| large.ask_with(&large.cache(), &[])));
        for answer in asked {
            assert_eq!(answer.join().expect("an answer"), expected);
        }
    });
    assert!(child.wait().expect("an end").success());
    assert_eq!(large.ask_with(&large.cache(), &[]), expected);
}

#[test]
fn who_stops_it_by_hand_is_told_how_much_is_kept() {
    let large = Large::of(2 * N_PACKAGES);
    let n_files = 2 * N_PACKAGES + 6;
    // On a busy machine it may be done before it is stopped: then it is begun anew.
    let (status, said) = (0..N_STOPPED)
        .find_map(|_| {
            let _ = fs::remove_dir_all(large.cache());
            let child = started(&large, &[]);
            while file_of(&large.cache(), "lock").is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(20));
            kill_process(Pid::from_child(&child), Signal::INT).expect("a child");
            let output = child.wait_with_output().expect("an end");
            (!output.status.success()).then_some((output.status, String::from_utf8(output.stderr).expect("text")))
        })
        .expect("it is stopped before it is done");
    assert_eq!(status.signal(), Some(Signal::INT.as_raw()), "{said}");
    let rest = format!(" of {n_files} files are kept; `activate index` goes on from there\n");
    let n_kept = said.strip_prefix("activate: stopped: ").and_then(|said| said.strip_suffix(&rest));
    let n_kept: usize = n_kept.and_then(|n_kept| n_kept.parse().ok()).unwrap_or_else(|| panic!("{said}"));
    let next = ended(&mut large.index(&["--timings"]));
    let n_left = n_files - n_kept;
    assert!(n_left > 0 && next.stderr.contains(&format!(" {n_left} extracted")), "{said}{}", next.stderr);
}

/// Runs the command on stderr that is a terminal, and gives its stdout and what the terminal got.
fn on_terminal(arguments: &[&str]) -> (String, String) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let no_own = i32::try_from(OFlags::NOCTTY.bits()).expect("a flag");
    let end = fs::OpenOptions::new().read(true).write(true).custom_flags(no_own).open(OsStr::from_bytes(name.to_bytes()));
    let mut asked = command(arguments);
    let child =
        asked.env("TERM", "xterm").stdout(Stdio::piped()).stderr(end.expect("a terminal")).spawn().expect("the command runs");
    // Reading ends when nobody has the other end any more.
    drop(asked);
    let shown = thread::spawn(move || {
        let mut shown = Vec::new();
        let _ = fs::File::from(master).read_to_end(&mut shown);
        String::from_utf8_lossy(&shown).into_owned()
    });
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success());
    (String::from_utf8(output.stdout).expect("text"), shown.join().expect("what was shown"))
}

#[test]
fn on_a_terminal_the_progress_names_the_place_of_a_first_look() {
    let large = Large::of(2 * N_PACKAGES);
    let (root, cache) = (large.root.to_str().expect("text"), large.cache());
    let asked = ["--intent", TASK, "--repo", root, "--cache", cache.to_str().expect("text"), "--no-state"];
    let (stdout, shown) = on_terminal(&asked);
    let expected = large.ask_with(&large.scratch.0.join("none"), &[]);
    assert_eq!((stdout.as_str(), expected.stderr.as_str()), (expected.stdout.as_str(), ""));
    assert!(shown.contains("first look: auth/token.go:"), "{shown}");
    // What is known needs no look, nor does who wants no progress.
    assert!(!on_terminal(&asked).1.contains("first look"));
    let quiet = [&asked[..], &["--quiet", "--no-cache"]].concat();
    let quiet: Vec<&str> = quiet.iter().copied().filter(|word| *word != "--cache" && *word != asked[5]).collect();
    assert_eq!(on_terminal(&quiet), (expected.stdout, String::new()));
}
