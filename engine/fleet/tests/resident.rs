//! The dataflow kept running: whatever changes, what it says is what the rules derive from nothing.

use crate::columns::Value::{Int, Long, Text};
use crate::columns::Writer;
use crate::dataflow::{Derived, Rows};
use crate::key;
use crate::resident::{Change, Last, Resident, Running};
use crate::run::{Source, Workers, derive};
use crate::store::mark;
use crate::tables::{MEMBERS, MODULES, NEEDS, PACKAGES, PROCEDURES, REQUESTS, ROUTES, SYMBOLS, TERMS, TYPES, USES};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::Path;

/// Writes a shard whose package needs others: all are called by numbers.
fn shard(folder: &Path, package: u64, needed: &[u64]) {
    shard_serving(folder, package, needed, 0);
}

/// The same with so many routes of one path, and procedures of one name.
fn shard_serving(folder: &Path, package: u64, needed: &[u64], n_served: u32) {
    fs::create_dir_all(folder).expect("a folder");
    for table in [SYMBOLS, TERMS, MODULES, MEMBERS, TYPES, USES, REQUESTS] {
        Writer::new(table).write(folder).expect("a table");
    }
    let (mut routes, mut procedures) = (Writer::new(ROUTES), Writer::new(PROCEDURES));
    for node in 0..n_served {
        routes.push(&[Int(node), Int(1), Text("GET /a/one")]);
        procedures.push(&[Text("p.One/Do"), Text("served"), Int(node), Int(1)]);
    }
    routes.write(folder).expect("a table");
    procedures.write(folder).expect("a table");
    let mut packages = Writer::new(PACKAGES);
    packages.push(&[Long(package), Long(package * 100), Text("go"), Text("p"), Text(""), Text("")]);
    packages.write(folder).expect("a table");
    let mut needs = Writer::new(NEEDS);
    for other in needed {
        needs.push(&[Long(package * 100), Long(*other), Text("go"), Text("p"), Text(""), Text(""), Int(1)]);
    }
    needs.write(folder).expect("a table");
    mark(folder, None).expect("a list of its files");
}

/// Which packages need which, with a star where they are in a cycle.
fn told(derived: &[Derived]) -> String {
    let row = |row: &Derived| match row {
        Derived::Depends(from, to, in_cycle) => format!("{}-{}{} ", from / 100, to / 100, if *in_cycle { "*" } else { "" }),
        _ => String::new(),
    };
    derived.iter().map(row).collect()
}

/// Who it is about, in short.
fn said(problem: &str) -> String {
    let (who, _) = problem.split_once(": ").expect("a name");
    format!("({who}) ")
}

#[test]
fn any_change_is_taken_in_and_whatever_became_of_the_tables_of_before() {
    let root = std::env::temp_dir().join(format!("activate-resident-{}", std::process::id()));
    let at = |name: &str| root.join(name);
    let sources = |folders: &[&str]| -> Vec<Source> {
        folders.iter().map(|folder| Source { name: folder[..1].to_owned(), folder: at(folder) }).collect()
    };
    for n_threads in [1, 3] {
        let mut resident = Resident::new(n_threads);
        // As a sync from nothing says it, problems and all.
        let mut now = |folders: &[&str]| {
            let left_out = resident.hold(&sources(folders)).expect("rows");
            let fresh = derive(&sources(folders), &Workers::threads(1)).expect("rows");
            assert_eq!((resident.derived(), &left_out), (fresh.0, &fresh.1), "{folders:?} on {n_threads}");
            let said = left_out.problems.iter().map(|problem| said(&problem.to_string()));
            [told(&resident.derived())].into_iter().chain(said).collect::<String>()
        };
        shard(&at("a1"), 1, &[2]);
        shard(&at("b1"), 2, &[3]);
        shard(&at("c1"), 3, &[]);
        assert_eq!(now(&["a1", "b1"]), "1-2 ");
        assert_eq!(now(&["a1", "b1", "c1"]), "1-2 2-3 ");
        shard(&at("c2"), 3, &[1]);
        assert_eq!(now(&["a1", "b1", "c2"]), "1-2* 2-3* 3-1* ");
        assert_eq!(now(&["a1", "b1", "c1"]), "1-2 2-3 ");
        // The tables of before are gone, or are not what they were.
        fs::remove_dir_all(at("c1")).expect("gone");
        shard(&at("c3"), 3, &[2]);
        assert_eq!(now(&["a1", "b1", "c3"]), "1-2 2-3* 3-2* ");
        fs::copy(at("a1").join(NEEDS.file()), at("c3").join(NEEDS.file())).expect("a table");
        assert_eq!(now(&["a1", "b1", "c2"]), "1-2* 2-3* 3-1* ");
        // One that cannot be read takes no part until it can.
        shard(&at("b2"), 2, &[1]);
        fs::write(at("b2").join(NEEDS.file()), "no table").expect("a file");
        assert_eq!(now(&["a1", "b2", "c2"]), "3-1 (b takes no part) ");
        assert_eq!(now(&["a1", "b2", "c2"]), "3-1 (b takes no part) ");
        shard(&at("b2"), 2, &[1]);
        assert_eq!(now(&["a1", "b2", "c2"]), "1-2* 2-1* 3-1 ");
        // Of one that has too many routes some are left out as long as it is there.
        shard_serving(&at("b3"), 2, &[1], 1_001);
        assert_eq!(now(&["a1", "b3", "c2"]), "1-2* 2-1* 3-1 (b) (b) ");
        assert_eq!(now(&["a1", "b3"]), "1-2* 2-1* (b) (b) ");
        assert_eq!(now(&["a1", "b2"]), "1-2* 2-1* ");
        assert_eq!(now(&[]), "");
        fs::remove_dir_all(&root).expect("gone");
    }
}

#[test]
fn files_are_taken_from_what_was_written_of_the_same_shards_alone() {
    let root = std::env::temp_dir().join(format!("activate-last-{}", std::process::id()));
    let at = |name: &str| root.join(name);
    let sources = |folders: [&str; 2]| folders.map(|folder| Source { name: folder[..1].to_owned(), folder: at(folder) });
    for (folder, package) in [("a1", 1), ("a2", 1), ("b1", 2)] {
        shard(&at(folder), package, &[]);
        let mut symbols = Writer::new(SYMBOLS);
        symbols.push(&[Text("a.go#A"), Text("function"), Long(package * 1_000), Int(1), Int(1)]);
        symbols.write(&at(folder)).expect("a table");
        fs::remove_file(at(folder).join("whole.json")).expect("the list of before");
        mark(&at(folder), None).expect("a list of its files");
    }
    let unused_of = |folder: &str| -> BTreeMap<String, Vec<u8>> {
        let names = fs::read_dir(at(folder)).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.into_string().expect("text")).filter(|name| name.starts_with("unused."));
        names.map(|name| (name.clone(), fs::read(at(folder).join(name)).expect("bytes"))).collect()
    };
    let mut resident = Resident::new(1);
    let mut write = |shards: [&str; 2], folder: &str, last: Option<[&str; 2]>| {
        resident.hold(&sources(shards)).expect("rows");
        fs::create_dir_all(at(folder)).expect("a folder");
        let last = last.map(|shards| Last { folder: at("other"), shards: sources(shards).to_vec() });
        resident.write(&at(folder), last.as_ref()).expect("tables");
        unused_of(folder)
    };
    let own = write(["a1", "b1"], "one", None);
    assert_eq!(own.len(), 2);
    fs::create_dir_all(at("other")).expect("a folder");
    for name in own.keys() {
        fs::write(at("other").join(name), "of another").expect("a file");
    }
    // What somebody derived of other shards is not what was written last, whatever its files are called.
    assert_eq!(write(["a2", "b1"], "two", Some(["a3", "b1"])), own);
    // What is derived of the same shards is.
    assert_eq!(write(["a1", "b1"], "three", Some(["a2", "b1"])), unused_of("other"));
    fs::remove_dir_all(&root).expect("gone");
}

#[test]
fn what_is_left_out_of_each_table_is_counted() {
    let folder = std::env::temp_dir().join(format!("activate-many-{}", std::process::id()));
    shard_serving(&folder, 1, &[], 1_002);
    let rows = crate::load::load("a", &folder).expect("rows");
    assert_eq!((rows.routes.len(), rows.served.len()), (1_000, 1_000));
    let told = [
        "2 routes or requests are left out: more than 1000 have the same last fixed segment",
        "2 procedures or users of them are left out: more than 1000 have the same name",
    ];
    assert_eq!(rows.left_out, told);
    fs::remove_dir_all(&folder).expect("gone");
}

#[test]
fn a_thread_that_panics_gives_nothing_and_nobody_waits_for_it() {
    let source = |name: &&str| Source { name: (*name).to_owned(), folder: Path::new("").to_owned() };
    for n_threads in [1, 3] {
        let threads =
            Running::start(n_threads, |name, _| if name == "e" { panic!("as a mistake would") } else { Ok(Rows::default()) });
        let threads = threads.expect("threads");
        let change = |names: &[&str]| threads.change(&Change { gone: Vec::new(), new: names.iter().map(source).collect() });
        assert_eq!(change(&["a", "b"]), Some((Vec::new(), Vec::new())));
        assert_eq!(change(&["c", "d", "e", "f"]), None);
        assert_eq!(change(&["g"]), None);
        drop(threads);
    }
}

#[test]
fn the_first_of_several_processes_hears_what_the_others_lack() {
    let root = std::env::temp_dir().join(format!("activate-several-{}", std::process::id()));
    let of = |process: u64| ["a", "b", "c", "d", "e"].into_iter().find(|name| key::repository(name) % 2 == process);
    let [first, second] = [0, 1].map(|process| of(process).expect("a name"));
    // On each host they lie elsewhere.
    let sources = [0, 1].map(|host| {
        [(first, 1), (second, 2)].map(|(name, number)| {
            let folder = root.join(format!("host-{host}/{name}-1"));
            shard(&folder, number, &[3 - number]);
            Source { name: name.to_owned(), folder }
        })
    });
    let derive_by = |hosts: [&[Source]; 2]| {
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let addresses = listeners.map(|listener| listener.local_addr().expect("an address").to_string()).to_vec();
        let by = |process: usize| Workers { n_threads: 1, processes: Some((process, addresses.clone())) };
        std::thread::scope(|scope| {
            let other = scope.spawn(|| derive(hosts[1], &by(1)));
            let found = derive(hosts[0], &by(0)).expect("rows");
            assert_eq!(other.join().expect("a thread").expect("nothing"), Default::default());
            found
        })
    };
    let hosts = [&sources[0][..], &sources[1][..]];
    let whole = derive_by(hosts);
    assert_eq!(whole, derive(hosts[0], &Workers::threads(1)).expect("rows"));
    assert_eq!(told(&whole.0), "1-2* 2-1* ");
    fs::remove_file(sources[1][1].folder.join(NEEDS.file())).expect("gone");
    let (derived, left_out) = derive_by(hosts);
    assert_eq!((told(&derived), left_out.lacking), (String::new(), vec![second.to_owned()]));
    let problem = left_out.problems.first().expect("a problem").to_string();
    assert!(problem.starts_with(&format!("{second} takes no part: cannot read the table")), "{problem}");
    fs::remove_dir_all(&root).expect("gone");
}
