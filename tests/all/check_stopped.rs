//! Commands of `activate check --run` that are stopped: by the limit of time and by signals.

use crate::check::Bench;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A script that does not end, nor does what it starts, and writes down the numbers of both.
fn endless(numbers: &Path) -> String {
    let deaf = "trap '' TERM INT; while :; do sleep 1; done";
    format!("echo 'src/main.rs:1: begun'; ({deaf}) & echo $$ $! > '{0}.new'; mv '{0}.new' '{0}'; {deaf}", numbers.display())
}

/// Whether none of the processes with the numbers in a file is left. What nobody waits for yet has ended.
fn all_gone(numbers: &Path) -> bool {
    let numbers = fs::read_to_string(numbers).expect("numbers");
    let is_gone = |number: &str| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with(['Z', 'X']))
    };
    within(Duration::from_secs(5), || numbers.split_whitespace().all(is_gone))
}

/// Whether something is the case soon: so long is waited for processes, and no test passes sooner or later for it.
fn within(limit: Duration, is_so: impl Fn() -> bool) -> bool {
    let started = Instant::now();
    while !is_so() {
        if started.elapsed() > limit {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[test]
fn at_the_limit_of_time_everything_is_stopped_and_the_rest_is_not_run() {
    let bench = Bench::new("auth-rust");
    let numbers = bench.path("numbers");
    bench.tool("tools/cargo", &endless(&numbers));
    // It would not end by itself.
    let answer = bench.run(&["--timeout", "1"]);
    assert!(all_gone(&numbers));
    assert_eq!((answer.code, answer.stdout.as_str()), (3, ""));
    assert!(answer.stderr.contains("was stopped at the limit of 1 s for all commands"), "{}", answer.stderr);
    assert!(answer.stderr.contains("was not run: the limit of 1 s for all commands was reached"), "{}", answer.stderr);
}

/// Whether whoever started the tests ignores a signal, as `nohup` does, so that what they start ignores it as well.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored =
        status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    ignored.is_some_and(|set| set >> (signal.as_raw() - 1) & 1 == 1)
}

#[test]
fn an_interrupt_ends_what_runs_and_then_the_command() {
    let signals = [Signal::INT, Signal::TERM, Signal::QUIT, Signal::HUP];
    for signal in signals.into_iter().filter(|signal| !is_ignored(*signal)) {
        let bench = Bench::new("auth-rust");
        let numbers = bench.path("numbers");
        bench.tool("tools/cargo", &endless(&numbers));
        let mut command = bench.command(&["tools"], &["--run", "--no-state"]);
        let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a command");
        assert!(within(Duration::from_secs(60), || numbers.exists()));
        let id = Pid::from_raw(running.id() as i32).expect("a number");
        kill_process(id, signal).expect("a signal");
        let status = running.wait().expect("an end");
        assert_eq!(status.signal(), Some(signal.as_raw()));
        assert!(all_gone(&numbers));
    }
}

#[test]
fn after_an_interrupt_no_further_command_begins() {
    let bench = Bench::new("auth-rust");
    let begun = bench.path("begun");
    let signal = [Signal::INT, Signal::TERM].into_iter().find(|signal| !is_ignored(*signal)).expect("a signal that ends");
    bench.tool("tools/cargo", &format!("trap '' TERM\necho \"$1\" >> '{}'\nkill -{} $PPID", begun.display(), signal.as_raw()));
    let mut command = bench.command(&["tools"], &["--run", "--no-state"]);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a command");
    assert_eq!(status.signal(), Some(signal.as_raw()));
    assert_eq!(fs::read_to_string(&begun).expect("what began"), "check\n");
}
