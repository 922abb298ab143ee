//! A cache that was damaged on disk, is written by several at once, or by one that is killed, or cannot be written: answers are those
//! without one.

use crate::cli::{Ended, Scratch, command, ended};
use crate::replay::corpus;
use context::budget::Budget;
use engine::{CacheChoice, Engine, Options, Request};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// How many places of the fact base are damaged, one at a time.
const N_PLACES: usize = 120;

/// When a run is killed, in milliseconds after its start: before it reads, while it takes files apart and while it writes.
const KILLED_AFTER_MS: [u64; 9] = [0, 3, 8, 15, 30, 50, 80, 120, 180];

/// Processes that fill one empty cache at the same time.
const N_AT_ONCE: usize = 4;

/// What a process that knows nothing but the cache answers, and whether it built the fact base again.
fn answer(cache: &Path) -> (String, bool) {
    let options = Options { cache: CacheChoice::Folder(cache.to_owned()), ..Options::default() };
    let engine = Engine::open_with(corpus().join("auth-go"), options).expect("a repository");
    let activation = engine.activate(&Request::new("fix ValidateToken in the login handler")).expect("an answer");
    let context = activation.session_context(&Budget::default()).expect("a context");
    (activation.packet(&context).json(), activation.snapshot.effort.rebuilt)
}

fn base_file(cache: &Path) -> PathBuf {
    let files = fs::read_dir(cache).expect("a folder").flatten().map(|entry| entry.path());
    files.into_iter().find(|path| path.extension().is_some_and(|part| part == "base")).expect("a fact base")
}

#[test]
fn a_damaged_fact_base_is_built_anew_and_nothing_is_answered_from_it() {
    let scratch = Scratch::new();
    let cache = scratch.0.join("cache");
    let (expected, _) = answer(&cache);
    let file = base_file(&cache);
    // Files of the corpus may be so young that their times prove nothing, and then the base is written again with the next run.
    let (again, _) = answer(&cache);
    assert_eq!(again, expected);
    let mut n_rebuilt = 0;
    for place in 0..N_PLACES {
        let mut bytes = fs::read(&file).expect("a file");
        let at = place * bytes.len() / N_PLACES;
        // Many rows of numbers are small: the highest bit leads far out of them.
        bytes[at] ^= if place % 2 == 0 { 0x01 } else { 0x80 };
        // A new file under the name, as after a copy: what is mapped by another test is left alone.
        fs::remove_file(&file).expect("a file to remove");
        fs::write(&file, &bytes).expect("a file");
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&file, permissions).expect("a file of our own");
        let (found, rebuilt) = answer(&cache);
        assert!(found == expected, "another answer after damage at byte {at}");
        n_rebuilt += usize::from(rebuilt);
    }
    // The gaps between sections hold nothing.
    assert!(n_rebuilt > N_PLACES / 2, "{n_rebuilt} of {N_PLACES} places were noticed");
}

/// A repository that is in no other.
struct Asked {
    scratch: Scratch,
    root: PathBuf,
}

impl Asked {
    fn new() -> Self {
        let scratch = Scratch::new();
        let root = scratch.copy("auth-go", "repository");
        Self { scratch, root }
    }

    fn command(&self, more: &[&str]) -> Command {
        let root = self.root.to_str().expect("text");
        command(&[&["--intent", "fix ValidateToken in the login handler", "--repo", root], more].concat())
    }

    fn with_cache(&self, name: &str) -> Command {
        self.command(&["--no-state", "--cache", self.scratch.0.join(name).to_str().expect("text")])
    }

    /// The answer without a cache.
    fn expected(&self) -> Ended {
        let expected = ended(&mut self.command(&["--no-cache"]));
        assert_eq!((expected.code, expected.stderr.as_str()), (0, ""));
        expected
    }
}

#[test]
fn whenever_a_run_is_killed_the_next_one_answers_as_if_there_had_been_none() {
    let asked = Asked::new();
    let expected = asked.expected();
    let mut n_killed = 0;
    for after in KILLED_AFTER_MS {
        let cache = format!("cache-{after}");
        let mut child = asked.with_cache(&cache).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command runs");
        thread::sleep(Duration::from_millis(after));
        child.kill().expect("a child");
        n_killed += usize::from(child.wait().expect("an end").code().is_none());
        // What the killed one left, then what this one made of it.
        for _ in 0..2 {
            assert_eq!(ended(&mut asked.with_cache(&cache)), expected, "killed after {after} ms");
        }
    }
    assert!(n_killed > 0, "all ended before they were killed");
}

#[test]
fn processes_that_fill_one_cache_at_once_give_one_answer() {
    let asked = Asked::new();
    let expected = asked.expected();
    thread::scope(|scope| {
        let run = || scope.spawn(|| ended(&mut asked.with_cache("cache")));
        let children: Vec<_> = (0..N_AT_ONCE).map(|_| run()).collect();
        for child in children {
            assert_eq!(child.join().expect("a thread"), expected);
        }
    });
    assert_eq!(ended(&mut asked.with_cache("cache")), expected);
}

#[test]
fn a_cache_that_cannot_be_written_costs_one_warning_and_a_strange_one_none() {
    let asked = Asked::new();
    let expected = asked.expected();
    let check = |command: &mut Command, warning: &str| {
        let found = ended(command);
        assert!(found.code == 0 && found.stdout == expected.stdout, "another answer");
        assert!(
            found.stderr.contains(warning) && found.stderr.lines().count() == usize::from(!warning.is_empty()),
            "{}",
            found.stderr
        );
    };
    // A disk on which no file finds room for more than a block.
    let mut full = Command::new("sh");
    full.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
    let inner = asked.with_cache("full");
    full.arg(inner.get_program()).args(inner.get_args()).stdin(Stdio::null());
    check(&mut full, "the cache could not be written, so the next run repeats this work");
    check(&mut asked.with_cache("full"), "");

    asked.scratch.file("file", b"");
    check(&mut asked.with_cache("file"), "cannot be the cache folder, so nothing is cached");

    check(&mut asked.with_cache("strange"), "");
    for file in fs::read_dir(asked.scratch.0.join("strange")).expect("a folder").flatten() {
        fs::write(file.path(), "what some other program keeps under this name").expect("a file");
    }
    check(&mut asked.with_cache("strange"), "");
}
