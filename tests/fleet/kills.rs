//! Syncs that are killed: whatever the moment, the next one gives the bytes of one that nobody disturbed.

use crate::organisation::Organisation;
use std::fs;
use std::process::Stdio;
use std::time::Instant;

const N_KILLS: u32 = 100;
/// How many stores are tried at once.
const N_THREADS: u32 = 4;

#[test]
fn a_sync_that_is_killed_at_any_moment_leaves_nothing_wrong() {
    let organisation = Organisation::new();
    let began = Instant::now();
    organisation.well("calm", &["sync", "--no-cache"]);
    let whole = began.elapsed();
    let (kept, list) = (organisation.kept("calm"), organisation.well("calm", &["list"]));
    let known: Vec<&str> = list.lines().collect();
    let kill = |number: u32| {
        let store = format!("store-{number}");
        let mut child =
            organisation.command(&store, &["sync", "--no-cache", "--quiet"]).stdout(Stdio::null()).spawn().expect("a command");
        // Most are killed early: on a busy machine the first sync may have taken far longer than these do.
        std::thread::sleep(whole * (number * number) / (N_KILLS * N_KILLS));
        child.kill().expect("killed");
        let has_ended = child.wait().expect("an end").success();
        // A reader sees what was there before, or all.
        let list = organisation.run(&store, &["list"]);
        assert!(list.code == Some(0) && (list.stderr.is_empty() || list.stderr.contains(": there is no store in `")), "{list:?}");
        let seen = list.stdout;
        let is_new = seen.lines().all(|line| line.contains(" new "));
        assert!(is_new || seen.lines().eq(known.iter().copied()), "{number}: {seen}");
        assert!(!(has_ended && is_new), "{number}: it ended, and nothing is known");
        organisation.well(&store, &["sync", "--no-cache"]);
        assert!(organisation.kept(&store) == kept, "{number}: not the same bytes");
        fs::remove_dir_all(organisation.0.join(&store)).expect("gone");
        is_new
    };
    let n_new: usize = std::thread::scope(|scope| {
        let kill = &kill;
        let work = |first: u32| move || (first..N_KILLS).step_by(N_THREADS as usize).filter(|number| kill(*number)).count();
        let threads: Vec<_> = (0..N_THREADS).map(|first| scope.spawn(work(first))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread")).sum()
    });
    assert!(n_new > 10, "it was killed too late to show anything: {n_new} of {N_KILLS}, {whole:?}");
}
