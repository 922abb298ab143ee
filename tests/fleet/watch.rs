//! `activate fleet sync --watch`: what follows from a change is found out by the change alone, and is what a sync from nothing finds.

use crate::organisation::Organisation;
use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a look may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// A sync that goes on. Killed at the end.
struct Watching {
    child: Child,
    lines: Receiver<String>,
    /// What it writes to stderr.
    told: Receiver<String>,
}

fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    std::thread::spawn(move || BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
    lines
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watching {
    fn start(shop: &Organisation, store: &str, workers: &str) -> Self {
        let mut command = shop.command(store, &["sync", "--watch", "1", "--workers", workers]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let lines = lines_of(child.stdout.take().expect("a pipe"));
        let told = lines_of(child.stderr.take().expect("a pipe"));
        Self { child, lines, told }
    }

    /// What it says next of what was new.
    fn next(&self) -> String {
        let line = self.lines.recv_timeout(PATIENCE).expect("a line");
        line.split_once(';').map_or(line.clone(), |(counts, _)| counts.to_owned())
    }
}

/// Has all that a sync from nothing keeps, byte for byte.
fn assert_is_whole(shop: &Organisation, store: &str, fresh: &str) {
    shop.well(fresh, &["sync", "--workers", "1"]);
    let (kept, all) = (shop.kept(store), shop.kept(fresh));
    for (path, bytes) in &all {
        assert!(kept.get(path) == Some(bytes), "{store}: {path} is not what a sync from nothing writes");
    }
    let derived = all.keys().find(|path| path.starts_with("derived/")).and_then(|path| path.rsplit_once('/'));
    let (folder, _) = derived.expect("a table");
    for path in kept.keys().filter(|path| path.starts_with(folder)) {
        assert!(all.contains_key(path), "{store}: a sync from nothing does not write {path}");
    }
}

#[test]
fn what_is_derived_of_a_change_is_what_a_sync_from_nothing_derives() {
    let shop = Organisation::shop();
    // One begins with nothing, the other with a store that somebody else made.
    shop.well("three", &["sync"]);
    let watching = [("one", "1"), ("three", "3")].map(|(store, workers)| (store, Watching::start(&shop, store, workers)));
    assert_eq!(watching[0].1.next(), "7 new, 0 same, 0 missing");
    let rename = |name: &str, path: &str, from: &str, to: &str| {
        let text = fs::read_to_string(shop.0.join(name).join(path)).expect("a file");
        assert!(text.contains(from), "{path}: {text}");
        shop.commit(name, &[(path, &text.replace(from, to))]);
    };
    let after = |what: &str, said: &str| {
        for (store, watching) in &watching {
            assert_eq!(watching.next(), said, "{store}: {what}");
            assert_is_whole(&shop, store, &format!("fresh-{what}"));
        }
    };
    rename("kit", "client/client.go", "Fetch(", "Load(");
    after("a name goes that two others use", "1 new, 6 same, 0 missing");
    rename("api", "server/orders.go", "Fetch(", "Load(");
    after("one of them follows", "1 new, 6 same, 0 missing");
    rename("web", "package.json", "@shop/ui", "@shop/none");
    after("a cycle goes", "1 new, 6 same, 0 missing");
    rename("kit", "client/client.go", "Load(", "Fetch(");
    after("the name is back", "1 new, 6 same, 0 missing");
    // Meanwhile another process syncs, and then the manifest lists one more.
    shop.commit("extra", &[("go.mod", "module example.org/shop/extra\n"), ("a.go", "package extra\n\nfunc New() {}\n")]);
    rename("api", "server/orders.go", "Load(", "Fetch(");
    for (store, watching) in &watching {
        // Whoever came first says so.
        let said = shop.well(store, &["sync"]);
        let new = if said.starts_with("0 new") { watching.next() } else { said };
        assert!(new.starts_with("1 new, 6 same, 0 missing"), "{store}: {new}");
    }
    shop.well("one", &["add", "../extra", "--name", "extra"]);
    after("a repository comes", "1 new, 7 same, 0 missing");
}

#[test]
fn what_a_change_does_not_move_stays_the_same_file_unless_it_is_damaged() {
    let shop = Organisation::shop();
    let watching = Watching::start(&shop, "store", "1");
    assert_eq!(watching.next(), "7 new, 0 same, 0 missing");
    let change = |line: &str| {
        let path = "src/orders.ts";
        let text = fs::read_to_string(shop.0.join("web").join(path)).expect("a file");
        shop.commit("web", &[(path, &(text + line))]);
        assert_eq!(watching.next(), "1 new, 6 same, 0 missing");
    };
    change("export function later(): void {}\n");
    let tables = shop.kept("store").into_keys().filter(|path| path.contains("/links_in."));
    let tables: Vec<_> = tables.map(|path| shop.0.join("store").join(path)).collect();
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let n_names = |path| fs::metadata(path).expect("a file").nlink();
        assert!(tables.iter().any(|path| n_names(path) == 2), "each state has files of its own");
    }
    for path in tables {
        let mut bytes = fs::read(&path).expect("bytes");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&path, bytes).expect("written");
    }
    change("export function never(): void {}\n");
    assert_is_whole(&shop, "store", "fresh");
}

#[test]
fn a_look_that_fails_is_told_of_and_the_next_one_tries_again() {
    let shop = Organisation::new();
    shop.well("store", &["sync"]);
    let [key, away] = ["secrets.key", "away"].map(|name| shop.0.join("store").join(name));
    fs::rename(&key, &away).expect("renamed");
    fs::create_dir(&key).expect("a folder");
    let watching = Watching::start(&shop, "store", "1");
    let told = watching.told.recv_timeout(PATIENCE).expect("a line");
    assert!(told.starts_with("activate: error: ") && told.contains("secrets.key` cannot be read: "), "{told}");
    shop.commit("lib", &[("more.go", "package lib\n\nfunc More() {}\n")]);
    fs::remove_dir(&key).expect("gone");
    fs::rename(&away, &key).expect("renamed");
    assert_eq!(watching.next(), "1 new, 2 same, 0 missing");
    drop(watching);
    let refused = shop.run("store", &["sync", "--watch", "1", "--only", "none"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
}
