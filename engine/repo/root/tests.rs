//! Both ways give the same, and refuse the same.

use super::*;
use crate::testing::Scratch;

/// The folder at a path by each way that this system has.
fn ways(path: &Path) -> Vec<Root> {
    let portable = Root::Portable(portable::Root::open(path).expect("a folder"));
    let own = Root::open(path).expect("a folder");
    #[cfg(target_os = "linux")]
    assert!(matches!(own, Root::Kernel(_)), "the kernel confines");
    vec![own, portable]
}

/// A folder with what is read, listed and refused, and a secret beside it.
fn folder() -> Scratch {
    let outer = Scratch::new();
    outer.write("outside", "secret");
    outer.write("beside/a", "secret");
    outer.write("r/a", "one");
    outer.write("r/d/a", "two");
    outer.write("r/d/e/f", "three");
    outer.write("r/.git/config", "four");
    #[cfg(unix)]
    {
        outer.link("../outside", "r/link");
        outer.link("d", "r/dirlink");
        outer.link("../beside", "r/d/out");
        outer.link("nowhere", "r/dangling");
        outer.fifo("r/fifo");
        _ = std::os::unix::net::UnixListener::bind(outer.path().join("r/socket")).expect("a socket");
    }
    outer
}

#[test]
fn what_is_read_and_why_something_is_not_is_the_same_both_ways() {
    let outer = folder();
    for root in ways(&outer.path().join("r")) {
        let read = |path: &str| root.read(path.as_bytes(), 100);
        assert_eq!(read("a").as_deref(), Ok(&b"one"[..]));
        assert_eq!(read("d/a").as_deref(), Ok(&b"two"[..]));
        assert_eq!(root.read(b"d/e/f", 4), Err(Refusal::TooLarge { size: 5, max: 4 }));
        assert_eq!(read("missing"), Err(Refusal::Absent));
        assert_eq!(read("missing/a"), Err(Refusal::Absent));
        assert_eq!(read("a/b"), Err(Refusal::NoFolder));
        assert_eq!(read("d"), Err(Refusal::NotAFile(Kind::Folder)));
        assert!(read("d/..").is_err());
        for path in ["../outside", "d/../../outside", ".."] {
            assert_eq!(read(path), Err(Refusal::Outside), "{path}");
        }
        if cfg!(unix) {
            for path in ["link", "dirlink/a", "dirlink", "d/out/a", "dangling"] {
                assert_eq!(read(path), Err(Refusal::Link), "{path}");
            }
            for path in ["fifo", "socket"] {
                assert_eq!(read(path), Err(Refusal::NotAFile(Kind::Special)), "{path}");
            }
            assert_eq!(root.read_link(b"d/out").as_deref(), Ok(&b"../beside"[..]));
            assert!(root.read_link(b"dirlink/out").is_err() && root.read_link(b"a").is_err());
        }
    }
}

#[test]
fn what_is_listed_and_its_numbers_are_the_same_both_ways() {
    type Seen = Vec<(Vec<u8>, Option<Kind>, (Kind, FileStat))>;
    let outer = folder();
    let seen = |root: &Root, path: &[u8]| -> (FileStat, Seen) {
        let mut folder = root.folder(path).expect("a folder");
        let mut entries = folder.entries().expect("entries");
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        let entries = entries.into_iter().map(|(name, kind)| {
            let stat = folder.stat(&name).expect("numbers");
            let place = root.place(path).expect("a place");
            let name_text = std::str::from_utf8(&name).expect("text");
            assert_eq!(place.stat_name(name_text).as_ref(), Ok(&stat));
            assert_eq!(place.stat(&std::ffi::CString::new(name.as_slice()).expect("a name")).as_ref(), Ok(&stat));
            assert_eq!(place.own_stat(), folder.own_stat());
            (name, kind, stat)
        });
        let entries = entries.collect();
        (folder.own_stat().expect("numbers"), entries)
    };
    let ways = ways(&outer.path().join("r"));
    for path in [&b""[..], b"d", b"d/e"] {
        let all: Vec<(FileStat, Seen)> = ways.iter().map(|root| seen(root, path)).collect();
        assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
        assert!(all[0].1.iter().all(|(_, kind, (found, stat))| kind.is_none_or(|kind| kind == *found) && stat.mtime_ns > 0));
    }
    for root in &ways {
        let below = root.below(b"d").expect("a folder");
        assert_eq!(below.read(b"a", 100).as_deref(), Ok(&b"two"[..]));
        assert_eq!(below.read(b"../a", 100), Err(Refusal::Outside));
        assert!(root.folder(b"a").is_err() && root.below(b"a").is_err() && root.place(b"a").is_err());
        if cfg!(unix) {
            assert!(root.folder(b"dirlink").is_err() && root.below(b"d/out").is_err() && root.place(b"dirlink/e").is_err());
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_mounted_below_the_root_is_not_read() {
    for root in ways(Path::new("/")) {
        assert_eq!(root.read(b"proc/version", 10_000), Err(Refusal::Outside));
    }
}
