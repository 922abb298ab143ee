//! What a sync keeps where the store is not as it was: nothing of a repository is lost because another one was asked for.

use crate::columns::{Value, Writer};
use crate::impact::impact;
use crate::key;
use crate::left_out::LeftOut;
use crate::manifest::Manifest;
use crate::run::{Source, Workers};
use crate::shards::Shards;
use crate::store::{Current, Known, State, Store};
use crate::sync::{FORM, Options, Report, Work, sync};
use crate::tables::{INNER, SYMBOLS, WORDS};
use error::Result;
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A store with shards of the repositories `a` and `b`, which are gone: what is known of them counts. Removed at the end.
struct Kept {
    folder: PathBuf,
    store: Store,
    manifest: Manifest,
    /// Of which shards all was derived, each time.
    derived_of: Mutex<Vec<String>>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Kept {
    fn new(name: &str, form: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("activate-kept-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let text = "[[repository]]\nname = \"a\"\npath = \"no-a\"\n\n[[repository]]\nname = \"b\"\npath = \"no-b\"\n";
        let manifest = Manifest::parse(text, &folder.join("fleet.toml")).expect("a manifest");
        let store = Store::at(&folder.join("store"));
        let writer = store.write(Duration::ZERO).expect("nobody else");
        let known = |name: &str| {
            let fill = |folder: &Path| -> Result<()> {
                fs::write(folder.join("table"), name).expect("written");
                Ok(())
            };
            let shard = writer.make_shard(name, 1, fill).expect("a shard");
            let commit = Some("0123456789abcdef".to_owned());
            (
                name.to_owned(),
                Known {
                    state: State::Known,
                    commit,
                    shard: Some(shard),
                    why: None,
                    entry: None,
                    shard_entry: None,
                    n_files: 1,
                    n_lines: 1,
                },
            )
        };
        let repositories = BTreeMap::from(["a", "b"].map(known));
        writer.set(&Current { form: form.to_owned(), repositories, derived: None }).expect("written");
        drop(writer);
        fs::create_dir_all(store.git_folder("b")).expect("a folder");
        Self { folder, store, manifest, derived_of: Mutex::default() }
    }

    /// A sync of `a` alone, in which some take no part although their shards are there.
    fn sync(&self, lacking: &[&str]) -> Report {
        let derive = |sources: &[Source], folder: &Path, _: Option<&crate::Last>| {
            let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
            let names: Vec<&str> = names.into_iter().filter(|name| !lacking.contains(name)).collect();
            self.derived_of.lock().expect("no panic").push(names.concat());
            fs::write(folder.join("links"), names.concat()).expect("written");
            Ok(LeftOut { lacking: lacking.iter().map(|name| (*name).to_owned()).collect(), ..LeftOut::default() })
        };
        let git = |_: &[String], _: &Path| unreachable!("nothing is fetched");
        let work = Work { git: &git, derive: Some(&derive), progress: &|_, _| {} };
        let options = Options { only: vec!["a".to_owned()], ..Options::default() };
        sync(&self.manifest, &self.store, &options, &work).expect("a report")
    }

    /// Of what that was derived which counts now.
    fn links(&self, report: &Report) -> String {
        let derived = report.current.derived.as_deref().expect("something was derived");
        fs::read_to_string(self.store.folder().join(derived).join("links")).expect("a table")
    }

    fn of_b(&self) -> PathBuf {
        self.store.folder().join(self.store.current().expect("it is whole").repositories["b"].shard.clone().expect("a shard"))
    }
}

fn states(report: &Report) -> Vec<(&str, &str, bool)> {
    let of = &report.current.repositories;
    of.iter().map(|(name, known)| (name.as_str(), known.state.word(), known.shard.is_some())).collect()
}

fn says(report: &Report, what: &str) -> usize {
    report.problems.iter().filter(|problem| problem.to_string().contains(what)).count()
}

#[test]
fn after_another_version_all_are_read_whoever_was_asked_for() {
    let kept = Kept::new("version", "another");
    let report = kept.sync(&[]);
    assert_eq!(states(&report), [("a", "missing", false), ("b", "missing", false)]);
    assert_eq!(says(&report, "were read by another version of this program: all are looked at"), 1, "{:?}", report.problems);
    let kept = Kept::new("same", FORM);
    let report = kept.sync(&[]);
    assert_eq!((states(&report), says(&report, "another version")), (vec![("a", "missing", true), ("b", "known", true)], 0));
}

#[test]
fn where_what_counts_is_damaged_nothing_is_lost_of_others() {
    let kept = Kept::new("damaged", FORM);
    let current = kept.store.folder().join("current.json");
    let text = fs::read_to_string(&current).expect("a file");
    fs::write(&current, &text[1..]).expect("written");
    let report = kept.sync(&[]);
    assert_eq!(states(&report), [("a", "missing", false), ("b", "missing", false)]);
    assert_eq!(says(&report, "is damaged: all repositories are looked at"), 1, "{:?}", report.problems);
    assert!(kept.store.git_folder("b").exists(), "what was fetched is gone");
}

#[test]
fn a_shard_that_is_damaged_is_looked_at_whoever_was_asked_for() {
    let kept = Kept::new("shard", FORM);
    assert_eq!(kept.links(&kept.sync(&[])), "ab");
    fs::write(kept.of_b().join("table"), "other").expect("written");
    let report = kept.sync(&[]);
    assert_eq!(states(&report), [("a", "missing", true), ("b", "missing", false)]);
    assert_eq!((kept.links(&report), says(&report, "b is looked at too: `")), ("a".to_owned(), 1), "{:?}", report.problems);
    assert!(kept.store.git_folder("b").exists(), "what was fetched is gone");
}

#[test]
fn what_was_derived_while_a_shard_could_not_be_read_is_derived_again() {
    let kept = Kept::new("lacking", FORM);
    let first = kept.sync(&["b"]);
    assert_eq!(kept.links(&first), "a");
    // It is no other folder as long as it is the same.
    assert_eq!(kept.sync(&["b"]).current.derived, first.current.derived);
    assert_eq!(kept.links(&kept.sync(&[])), "ab");
    assert_eq!(kept.links(&kept.sync(&[])), "ab");
    assert_eq!(*kept.derived_of.lock().expect("no panic"), ["a", "a", "ab"]);
}

#[test]
fn a_key_of_secrets_that_cannot_be_read_now_costs_no_shard() {
    let kept = Kept::new("key", FORM);
    let (key, away) = (kept.store.folder().join("secrets.key"), kept.store.folder().join("away"));
    fs::rename(&key, &away).expect("renamed");
    fs::create_dir(&key).expect("a folder");
    let error = kept.store.write(Duration::ZERO).map(drop).expect_err("it is no file");
    assert!(error.message.ends_with("secrets.key` cannot be read"), "{}", error.message);
    fs::remove_dir(&key).expect("gone");
    fs::rename(&away, &key).expect("renamed");
    assert!(kept.store.write(Duration::ZERO).is_ok() && kept.of_b().join("table").exists());
}

#[test]
fn a_table_that_is_gone_when_it_is_asked_for_is_told_of() {
    let kept = Kept::new("table", FORM);
    let folder = kept.folder.join("derived");
    fs::create_dir_all(&folder).expect("a folder");
    crate::derived::write(&folder, Vec::new()).expect("tables");
    let shards = Shards::open(&[Source { name: "b".to_owned(), folder: kept.of_b() }], Vec::new(), &folder).expect("shards");
    assert_eq!(shards.problems(), []);
    assert_eq!(shards.all()[0].word(7), None);
    let problems = shards.problems();
    let begin = format!("b takes no whole part: cannot read the table `{}`", kept.of_b().join(WORDS.file()).display());
    assert!(problems.len() == 1 && problems[0].message.starts_with(&begin), "{problems:?}");
}

#[test]
fn what_another_process_cannot_read_is_told_by_the_first() {
    let kept = Kept::new("hosts", FORM);
    // One of two workers has the repositories with even keys, the other those with odd ones.
    let name = ["a", "b", "c", "d", "e"].into_iter().find(|name| key::repository(name) % 2 == 1).expect("an odd one");
    let addresses = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let addresses = addresses.map(|listener| listener.local_addr().expect("an address").to_string()).to_vec();
    let ask = |process: usize, has_links: bool| {
        let host = kept.folder.join(process.to_string());
        let [shard, derived] = ["shard", "derived"].map(|folder| host.join(folder));
        for folder in [&shard, &derived] {
            fs::create_dir_all(folder).expect("a folder");
        }
        crate::derived::write(&derived, Vec::new()).expect("tables");
        let mut symbols = Writer::new(SYMBOLS);
        for id in ["a.go", "b.go"] {
            symbols.push(&[Value::Text(id), Value::Text("file"), Value::Long(0), Value::Int(1), Value::Int(0)]);
        }
        symbols.write(&shard).expect("a table");
        if has_links {
            let mut inner = Writer::new(INNER);
            inner.push(&[Value::Int(0), Value::Int(1), Value::Int(7), Value::Text("calls"), Value::Text("exact")]);
            inner.write(&shard).expect("a table");
        }
        let shards =
            Arc::new(Shards::open(&[Source { name: name.to_owned(), folder: shard }], Vec::new(), &derived).expect("shards"));
        let workers = Workers { n_threads: 1, processes: Some((process, addresses.clone())) };
        impact(&shards, &[(key::repository(name), 0)], 1, &workers).expect("an answer")
    };
    for (has_links, n_reached, n_problems) in [(true, 2, 0), (false, 1, 1)] {
        let first = std::thread::scope(|scope| {
            scope.spawn(|| ask(1, has_links));
            ask(0, true)
        });
        let _ = fs::remove_dir_all(kept.folder.join("1"));
        assert_eq!((first.reached.len(), first.problems.len()), (n_reached, n_problems), "{first:?}");
        let begin = format!("process 1: {name} takes no whole part: cannot read the table");
        assert!(first.problems.iter().all(|problem| problem.message.starts_with(&begin)), "{first:?}");
    }
}
