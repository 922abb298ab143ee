//! Files of the cache that hold anything: a miss, never a panic, and never what was not written.
#![no_main]

use cache::Cache;
use index::extract::FileRecord;
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

const REPOSITORY: &str = "/repository";
const FINGERPRINT: u128 = 7;

/// A cache with one file of each kind, and their names.
static FILES: LazyLock<(PathBuf, Vec<PathBuf>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let cache = Cache::open(&folder).expect("a cache");
    cache.write_base(REPOSITORY, FINGERPRINT, &[("names", b"abc".as_slice())]).expect("written");
    cache.write_blob(REPOSITORY, "list", b"list").expect("written");
    let files = cache.list().expect("files").into_iter().map(|(name, _)| folder.join(name)).collect();
    (folder, files)
});

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let _ = postcard::from_bytes::<FileRecord>(bytes);
    let (folder, files) = &*FILES;
    let file = &files[usize::from(*first) % files.len()];
    let good = fs::read(file).expect("a file");
    // Half of them are a good file with a part of it replaced.
    let mut written = bytes.to_vec();
    if *first >= 128 && !bytes.is_empty() {
        written = good.clone();
        let at = usize::from(bytes[0]) % written.len();
        for (place, byte) in written[at..].iter_mut().zip(&bytes[1..]) {
            *place ^= byte;
        }
    }
    fs::write(file, &written).expect("written");
    let cache = Cache::open(folder).expect("a cache");
    if let Some(base) = cache.base(REPOSITORY, FINGERPRINT) {
        let place = base.place("names").expect("what was written");
        assert_eq!(base.section(place), b"abc");
    }
    if let Some(blob) = cache.blob(REPOSITORY, "list") {
        assert_eq!(blob, b"list");
    }
    assert!(cache.records(REPOSITORY).is_empty());
    fs::write(file, good).expect("written");
});
