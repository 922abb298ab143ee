//! The dataflow kept running: whatever changes, what it says is what the rules derive from nothing.

use crate::columns::Value::{Int, Long, Text};
use crate::columns::Writer;
use crate::dataflow::Derived;
use crate::resident::Resident;
use crate::run::{Source, Workers, derive};
use crate::store::mark;
use crate::tables::{MEMBERS, MODULES, NEEDS, PACKAGES, PROCEDURES, REQUESTS, ROUTES, SYMBOLS, TERMS, TYPES, USES};
use std::fs;
use std::path::Path;

/// Writes a shard whose package needs others: all are called by numbers.
fn shard(folder: &Path, package: u64, needed: &[u64]) {
    fs::create_dir_all(folder).expect("a folder");
    for table in [SYMBOLS, TERMS, MODULES, MEMBERS, TYPES, USES, ROUTES, REQUESTS, PROCEDURES] {
        Writer::new(table).write(folder).expect("a table");
    }
    let mut packages = Writer::new(PACKAGES);
    packages.push(&[Long(package), Long(package * 100), Text("go"), Text("p"), Text(""), Text("")]);
    packages.write(folder).expect("a table");
    let mut needs = Writer::new(NEEDS);
    for other in needed {
        needs.push(&[Long(package * 100), Long(*other), Text("go"), Text("p"), Text(""), Text(""), Int(1)]);
    }
    needs.write(folder).expect("a table");
    mark(folder).expect("a list of its files");
}

/// Which packages need which, with a star where they are in a cycle.
fn told(derived: &[Derived]) -> String {
    let row = |row: &Derived| match row {
        Derived::Depends(from, to, in_cycle) => format!("{}-{}{} ", from / 100, to / 100, if *in_cycle { "*" } else { "" }),
        _ => String::new(),
    };
    derived.iter().map(row).collect()
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
            let (derived, problems) = resident.derive(&sources(folders)).expect("rows");
            let (fresh, lacks) = derive(&sources(folders), &Workers::threads(1)).expect("rows");
            assert_eq!((&derived, problems.len()), (&fresh, lacks.len()), "{folders:?} on {n_threads}");
            told(&derived)
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
        assert_eq!(now(&["a1", "b2", "c2"]), "3-1 ");
        assert_eq!(now(&["a1", "b2", "c2"]), "3-1 ");
        shard(&at("b2"), 2, &[1]);
        assert_eq!(now(&["a1", "b2", "c2"]), "1-2* 2-1* 3-1 ");
        assert_eq!(now(&[]), "");
        fs::remove_dir_all(&root).expect("gone");
    }
}
