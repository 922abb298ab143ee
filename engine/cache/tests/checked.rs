//! A base is checked whole once, and again when its file has changed.

use super::*;
use std::time::{Duration, SystemTime};

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "the system does not tell when it was started")]
fn a_base_is_checked_once_and_again_when_its_file_has_changed() {
    let scratch = Scratch::new();
    let calls = Calls::default();
    let cache = scratch.cache_on(FailingDisk::sound(&calls)).expect("a cache");
    write_base(&cache, 1).expect("a base");
    let later = |seconds| SystemTime::now() + Duration::from_secs(seconds);
    // Whether a base is there, and whether its sections were read for that.
    let look = |now| {
        let n_reads = || calls.names().iter().filter(|name| **name == "read").count();
        let before = n_reads();
        let found = cache.base_at(REPOSITORY, FINGERPRINT, now).is_some();
        (found, n_reads() > before)
    };
    assert_eq!(look(later(0)), (true, true), "it may change again within the tick of a clock");
    assert_eq!(look(later(0)), (true, true));
    assert_eq!(look(later(9)), (true, true));
    assert_eq!(look(later(9)), (true, false));

    let path = scratch.file(Part::Base);
    let sound = fs::read(&path).expect("a file");
    let replace = |bytes: &[u8], seconds| {
        fs::write(&path, bytes).expect("a file");
        fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(later(seconds))).expect("a time");
    };
    let mut damaged = sound.clone();
    damaged[0] ^= 1;
    replace(&damaged, 10);
    assert_eq!(look(later(20)), (false, true));
    assert_eq!(look(later(20)), (false, true), "nothing is noted of what is damaged");
    replace(&sound, 11);
    assert_eq!(look(later(20)), (true, true));
    assert_eq!(look(later(20)), (true, false));

    let mut mark = fs::read(scratch.file(Part::Checked)).expect("a file");
    mark[0] ^= 1;
    fs::write(scratch.file(Part::Checked), mark).expect("a file");
    assert_eq!(look(later(20)), (true, true), "a damaged note says nothing");
    assert!(cache.base_at(REPOSITORY, FINGERPRINT + 1, later(20)).is_none());
}
