//! The behaviour of the cache on folders made for each test.

mod changes;
mod checked;
mod records;
#[cfg(unix)]
mod unix;

use super::failing::{Calls, FailingDisk, Failure};
use super::*;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

const REPOSITORY: &str = "/r";
const OTHER_REPOSITORY: &str = "/other";
const FINGERPRINT: u128 = 7;
const SECTIONS: [(&str, &[u8]); 3] = [("names", b"a bc"), ("links", &[1, 2, 3, 4, 5, 6, 7, 8]), ("empty", b"")];
const VERSION: &str = "version";

/// A folder of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("activate-cache-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn cache(&self) -> Cache {
        self.cache_on(FailingDisk::sound(&Calls::default())).expect("a cache")
    }

    fn cache_on(&self, disk: FailingDisk) -> Result<Cache, Problem> {
        Cache::open_on(&self.0.join("cache"), Box::new(disk))
    }

    /// The path of the only file of `REPOSITORY` that is a `part`.
    fn file(&self, part: Part<'_>) -> PathBuf {
        self.0.join("cache").join(format!("{:032x}.{}", repository_id(REPOSITORY), part.label()))
    }

    /// The number of that file, which is another's once it was replaced.
    fn number(&self, part: Part<'_>) -> system::Identity {
        system::Identity::at(&self.file(part)).expect("a file")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        #[cfg(unix)]
        unix::make_writable(&self.0.join("cache"));
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn key(name: &str) -> RecordKey {
    Cache::key(&[name.as_bytes()])
}

fn write(cache: &Cache, records: &[(&str, &str)]) -> Result<(), Problem> {
    write_needing(cache, records, &|_| true)
}

fn write_needing(cache: &Cache, records: &[(&str, &str)], is_needed: &dyn Fn(RecordKey) -> bool) -> Result<(), Problem> {
    let mut spool = cache.spool(REPOSITORY)?;
    let put = |(name, record): &(&str, &str)| Ok((key(name), spool.put(record.as_bytes())?));
    let new = records.iter().map(put).collect::<Result<Vec<_>, Problem>>()?;
    cache.write_records(REPOSITORY, (&new, &spool), is_needed)
}

/// A record beside which others of some bytes are few.
fn large() -> (&'static str, &'static str) {
    const TEXT: [u8; 1024] = [b'x'; 1024];
    ("large", str::from_utf8(&TEXT).expect("text"))
}

/// The records of `REPOSITORY` under the given names, `-` for a miss.
fn read(cache: &Cache, names: &[&str]) -> String {
    let records = cache.records(REPOSITORY);
    let read = |name: &&str| records.get(key(name)).map_or("-".into(), |record| String::from_utf8_lossy(record).into_owned());
    names.iter().map(read).collect::<Vec<_>>().join(" ")
}

/// The sections of a base, and one that tells it from others.
fn sections(version: &[u8; 1]) -> Vec<(&'static str, &[u8])> {
    SECTIONS.into_iter().chain([(VERSION, &version[..])]).collect()
}

fn base(version: u8) -> Base {
    Base::build(REPOSITORY, FINGERPRINT, &sections(&[version]))
}

fn write_base(cache: &Cache, version: u8) -> Result<(), Problem> {
    cache.write_base(REPOSITORY, FINGERPRINT, &sections(&[version])).map(drop)
}

fn section<'b>(base: &'b Base, name: &str) -> &'b [u8] {
    base.place(name).map_or(&[], |place| base.section(place))
}

fn assert_is_base(base: &Base, version: u8) {
    assert_eq!(section(base, VERSION), [version]);
    for (name, content) in SECTIONS {
        assert_eq!(section(base, name), content, "{name}");
        assert_eq!(section(base, name).as_ptr().addr() % aligned::ALIGNMENT, 0, "{name}");
    }
    assert_eq!(base.place("unknown"), None);
    assert_eq!(base.section(usize::MAX), b"");
}

#[test]
fn what_is_written_is_read_and_nothing_else() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    assert_eq!(read(&cache, &["a"]), "-");
    assert!(cache.base(REPOSITORY, FINGERPRINT).is_none());
    assert_eq!(cache.blob(REPOSITORY, "history"), None);

    write(&cache, &[("b", "beta"), ("a", "alpha"), ("nothing", "")]).expect("records");
    write_base(&cache, 5).expect("a base");
    cache.write_blob(REPOSITORY, "history", b"commits").expect("a blob");
    cache.write_blob(REPOSITORY, "../x", b"odd").expect("a blob with an odd name");

    assert_eq!(read(&cache, &["a", "b", "c", "nothing"]), "alpha beta - ");
    assert_is_base(&cache.base(REPOSITORY, FINGERPRINT).expect("a base"), 5);
    assert_eq!(cache.blob(REPOSITORY, "history").as_deref(), Some(&b"commits"[..]));
    assert_eq!(cache.blob(REPOSITORY, "../x").as_deref(), Some(&b"odd"[..]));

    assert!(cache.records(OTHER_REPOSITORY).is_empty());
    assert!(cache.base(OTHER_REPOSITORY, FINGERPRINT).is_none());
    assert!(cache.base(REPOSITORY, FINGERPRINT + 1).is_none());
    assert_eq!(cache.blob(REPOSITORY, "other"), None);
}

#[test]
fn a_base_in_memory_serves_as_one_from_the_cache_does_and_from_any_thread() {
    let base = base(5);
    assert_is_base(&base, 5);
    thread::scope(|scope| scope.spawn(|| assert_is_base(&base, 5)).join()).expect("another thread");
}

#[test]
fn a_copy_holds_what_a_map_holds_and_stays_where_the_file_changes() {
    let scratch = Scratch::new();
    for content in [&b""[..], b"some bytes"] {
        fs::write(scratch.0.join("file"), content).expect("a file");
        let file = fs::File::open(scratch.0.join("file")).expect("a file");
        let copy = super::map::copy(&file).expect("a copy");
        fs::write(scratch.0.join("file"), "other").expect("a file");
        assert_eq!(&copy[..], content);
    }
}

#[test]
fn a_flipped_byte_is_a_miss_or_harmless() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    write(&cache, &[large(), ("a", "alpha")]).expect("records");
    write(&cache, &[("b", "beta")]).expect("records");
    write_base(&cache, 5).expect("a base");
    for part in [Part::Records, Part::Recent, Part::Base] {
        let whole = fs::read(scratch.file(part)).expect("a file");
        let mut misses = 0;
        for at in 0..whole.len() {
            for bits in [1, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] ^= bits;
                fs::write(scratch.file(part), damaged).expect("a file");
                misses += usize::from(misses_something(&cache));
            }
        }
        // All but the gaps in front of the entries.
        let gaps = (SECTIONS.len() + 1) * aligned::ALIGNMENT;
        assert!(misses >= 3 * (whole.len() - gaps), "{part:?}: {misses} misses of {} bytes", whole.len());
        fs::write(scratch.file(part), whole).expect("a file");
        assert!(!misses_something(&cache), "{part:?}");
    }
}

#[test]
fn a_file_cut_or_grown_is_a_miss() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    write(&cache, &[large(), ("a", "alpha")]).expect("records");
    write(&cache, &[("b", "beta")]).expect("records");
    write_base(&cache, 5).expect("a base");
    for part in [Part::Records, Part::Recent, Part::Base] {
        let whole = fs::read(scratch.file(part)).expect("a file");
        for length in 0..whole.len() {
            fs::write(scratch.file(part), &whole[..length]).expect("a file");
            assert!(misses_something(&cache), "{part:?} of {length}");
        }
        fs::write(scratch.file(part), [&whole[..], b"\0"].concat()).expect("a file");
        assert!(misses_something(&cache), "{part:?}");
        fs::write(scratch.file(part), whole).expect("a file");
    }
}

/// Whether some of what the tests above wrote is missing; what is there must be right.
fn misses_something(cache: &Cache) -> bool {
    let records = read(cache, &["a", "b"]);
    assert!(["alpha beta", "- beta", "alpha -", "- -"].contains(&records.as_str()), "{records}");
    let base = cache.base(REPOSITORY, FINGERPRINT);
    if let Some(base) = &base {
        assert_is_base(base, 5);
    }
    let lost_large = read(cache, &[large().0]) != large().1;
    records.contains('-') || lost_large || base.is_none()
}

#[test]
fn a_file_under_the_name_of_another_is_a_miss() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    cache.write_base(OTHER_REPOSITORY, FINGERPRINT, &SECTIONS).expect("a base");
    cache.write_blob(REPOSITORY, "one", b"1").expect("a blob");
    let other = format!("{:032x}.base", repository_id(OTHER_REPOSITORY));
    fs::copy(scratch.0.join("cache").join(other), scratch.file(Part::Base)).expect("a copy");
    fs::copy(scratch.file(Part::Blob("one")), scratch.file(Part::Blob("two"))).expect("a copy");
    fs::copy(scratch.file(Part::Blob("one")), scratch.file(Part::Records)).expect("a copy");
    assert!(cache.base(OTHER_REPOSITORY, FINGERPRINT).is_some());
    assert!(cache.base(REPOSITORY, FINGERPRINT).is_none());
    assert_eq!(cache.blob(REPOSITORY, "two"), None);
    assert!(cache.records(REPOSITORY).is_empty());
}

#[test]
fn writers_of_one_repository_lose_nothing_and_readers_never_see_half() {
    const N_WRITERS: usize = 4;
    const N_WRITES: usize = 5;
    let scratch = Scratch::new();
    let cache = &scratch.cache();
    write(cache, &[large()]).expect("records");
    thread::scope(|scope| {
        for writer in 0..N_WRITERS {
            scope.spawn(move || {
                for number in 0..N_WRITES {
                    let name = format!("{writer}-{number}");
                    write(cache, &[(&name, &name)]).expect("records");
                    write_base(cache, 5).expect("a base");
                    assert_eq!(read(cache, &[&name]), name);
                    assert_is_base(&cache.base(REPOSITORY, FINGERPRINT).expect("a base"), 5);
                }
            });
        }
    });
    assert_eq!(cache.records(REPOSITORY).len(), 1 + N_WRITERS * N_WRITES);
}

#[test]
fn a_writer_is_given_the_base_that_it_wrote_whoever_writes_at_the_same_time() {
    const N_WRITES: usize = 20;
    let scratch = Scratch::new();
    let cache = &scratch.cache();
    thread::scope(|scope| {
        for version in 0..4 {
            scope.spawn(move || {
                for _ in 0..N_WRITES {
                    let written = cache.write_base(REPOSITORY, FINGERPRINT, &sections(&[version])).expect("a base");
                    assert_is_base(&written.expect("what was written"), version);
                }
            });
        }
    });
}

#[test]
fn a_writer_that_holds_the_lock_too_long_costs_others_their_write_and_nobody_a_read() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    write(&cache, &[("a", "1")]).expect("records");
    let writer = cache.store.writer(repository_id(REPOSITORY)).expect("the lock");
    let problem = write(&cache, &[("a", "2")]).expect_err("no lock");
    assert!(problem.message.contains("another process"), "{problem:?}");
    assert_eq!(read(&cache, &["a"]), "1");
    cache.write_blob(OTHER_REPOSITORY, "one", b"1").expect("another repository's lock is another");
    drop(writer);
    write(&cache, &[("a", "2")]).expect("records");
    assert_eq!(read(&cache, &["a"]), "2");
}

#[test]
fn records_are_on_the_device_before_they_get_their_name_and_what_is_made_of_them_waits_for_no_device() {
    let scratch = Scratch::new();
    let calls = Calls::default();
    let cache = scratch.cache_on(FailingDisk::sound(&calls)).expect("a cache");
    cache.write_blob(REPOSITORY, "history", b"new").expect("a blob");
    assert_eq!(calls.names().join(" "), "folder open lock remove open write rename");
    let calls = Calls::default();
    let scratch = Scratch::new();
    let cache = scratch.cache_on(FailingDisk::sound(&calls)).expect("a cache");
    write(&cache, &[("a", "1")]).expect("records");
    assert!(calls.names().join(" ").contains("write sync rename sync"), "{:?}", calls.names());
}

#[test]
fn whichever_call_fails_the_old_content_or_the_new_is_there_afterwards() {
    // Into the one file, beside it, and into one that is made of two.
    let beside: [&[(&str, &str)]; 3] = [&[], &[large()], &[large(), ("c", "as much as fits in")]];
    let failures = [Failure::Broken, Failure::Full, Failure::Dead];
    for (failure, beside) in failures.into_iter().flat_map(|failure| beside.map(|beside| (failure, beside))) {
        for fails_at in 0.. {
            let scratch = Scratch::new();
            let sound = scratch.cache();
            write(&sound, &[&[("a", "old"), ("b", "old")], beside.get(..1).unwrap_or_default()].concat()).expect("records");
            write(&sound, beside.get(1..).unwrap_or_default()).expect("records");
            write_base(&sound, 1).expect("a base");
            sound.write_blob(REPOSITORY, "history", b"old").expect("a blob");

            let calls = Calls::default();
            let failing = scratch.cache_on(FailingDisk::new(failure, fails_at, &calls));
            let n_failed = failing.map_or(1, |failing| rewrite(&failing, true));
            let n_calls = calls.names().len();
            check(&sound, false);

            // Nothing that a failure leaves behind stands in the way of the next run.
            assert_eq!(rewrite(&sound, false), 0, "{failure:?} at {fails_at}");
            assert_eq!(read(&sound, &["a"]), "newer");
            let files = sound.list().expect("a list").into_iter().filter(|(name, _)| !name.contains(".spool"));
            assert!((3..=3 + beside.len().min(1)).contains(&files.count()));
            if fails_at >= n_calls {
                assert!(n_failed == 0 && n_calls > 20, "{n_calls} calls were all there were to fail");
                break;
            }
        }
    }
}

/// Writes new content over old and tells how many writes failed. Reads are part of it: a failing disk may make them miss, no more.
fn rewrite(cache: &Cache, may_miss: bool) -> usize {
    let writes = [write(cache, &[("a", "newer")]), write_base(cache, 2), cache.write_blob(REPOSITORY, "history", b"new")];
    check(cache, may_miss);
    writes.iter().filter(|write| write.is_err()).count()
}

fn check(cache: &Cache, may_miss: bool) {
    let records = read(cache, &["a", "b"]);
    // New records are written without the old ones if these could not be read.
    let is_right = ["old old", "newer old", "newer -"].contains(&records.as_str());
    assert!(is_right || may_miss && records == "- -", "{records}");
    match cache.base(REPOSITORY, FINGERPRINT) {
        Some(base) => assert_is_base(&base, if section(&base, VERSION) == [1] { 1 } else { 2 }),
        None => assert!(may_miss),
    }
    match cache.blob(REPOSITORY, "history").as_deref() {
        Some(blob) => assert!([b"old", b"new"].iter().any(|known| blob == *known), "{blob:?}"),
        None => assert!(may_miss),
    }
}

#[test]
fn what_is_spooled_is_given_back_in_any_order_and_leaves_no_file() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let (mut one, mut other) = (cache.spool(REPOSITORY).expect("a spool"), cache.spool(REPOSITORY).expect("another spool"));
    let places: Vec<_> = [&b"alpha"[..], b"", b"beta"].iter().map(|bytes| one.put(bytes).expect("a place")).collect();
    let place = other.put(b"gamma").expect("a place");
    let given: Vec<Vec<u8>> = places.iter().rev().map(|place| one.get(place).expect("bytes")).collect();
    assert_eq!((given.concat(), other.get(&place).expect("bytes")), (b"betaalpha".to_vec(), b"gamma".to_vec()));
    if !system::LOCKS_HINDER_NOBODY {
        // Their names may last until they are closed.
        drop((one, other));
    }
    assert_eq!(fs::read_dir(scratch.0.join("cache")).expect("a folder").count(), 0);
}

#[test]
fn spools_of_one_repository_are_made_at_the_same_time_and_past_what_was_left_behind() {
    const N_SPOOLS: usize = 200;
    let scratch = Scratch::new();
    let cache = &scratch.cache();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || (0..N_SPOOLS).for_each(|_| drop(cache.spool(REPOSITORY).expect("a spool"))));
        }
    });
    let left = scratch.file(Part::Records).with_extension("spool");
    fs::write(&left, "left by a process that died").expect("a file");
    cache.spool(REPOSITORY).expect("a spool");
    assert!(left.exists(), "a file of another is not touched");
    cache.clear(REPOSITORY).expect("a clear cache");
    assert!(!left.exists());
}

#[test]
fn clearing_and_listing_know_the_files_of_a_repository_and_no_strangers() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    write(&cache, &[("a", "1")]).expect("records");
    write_base(&cache, 5).expect("a base");
    cache.write_blob(OTHER_REPOSITORY, "one", b"1").expect("a blob");
    fs::write(scratch.0.join("cache/notes.txt"), "mine").expect("a file");
    fs::write(scratch.file(Part::Records).with_extension("tmp"), "left by a writer that died").expect("a file");
    let listed = cache.list().expect("a list");
    assert_eq!(listed.len(), 4);
    assert!(listed.is_sorted() && listed.contains(&(file_name(&scratch.file(Part::Base)), base(5).bytes().len() as u64)));

    cache.clear(REPOSITORY).expect("a clear cache");
    assert_eq!(read(&cache, &["a"]), "-");
    assert!(cache.base(REPOSITORY, FINGERPRINT).is_none());
    assert_eq!(cache.list().expect("a list").len(), 1);
    assert_eq!(cache.blob(OTHER_REPOSITORY, "one").as_deref(), Some(&b"1"[..]));
    assert!(scratch.0.join("cache/notes.txt").exists());
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}
