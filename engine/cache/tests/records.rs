//! What becomes of records as more are written: which stay, and in which file.

use super::*;

#[test]
fn records_are_kept_replaced_and_dropped_as_asked_while_readers_keep_what_they_have() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    write(&cache, &[("a", "not needed"), ("b", "2"), ("c", "3")]).expect("records");
    let before = cache.records(REPOSITORY);
    write_needing(&cache, &[("b", "new"), ("d", "four")], &|old| old != key("a")).expect("records");
    assert_eq!(read(&cache, &["a", "b", "c", "d"]), "- new 3 four");
    assert_eq!(before.get(key("b")), Some(&b"2"[..]));

    let untouched = scratch.number(Part::Records);
    write(&cache, &[]).expect("nothing to do");
    assert_eq!(scratch.number(Part::Records), untouched);
}

#[test]
fn few_new_records_leave_the_file_of_the_others_alone_until_they_are_many() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    write(&cache, &[large(), ("a", "1"), ("b", "2")]).expect("records");
    let first = scratch.number(Part::Records);
    write(&cache, &[("a", "new"), ("c", "3")]).expect("records");
    let before = cache.records(REPOSITORY);
    write(&cache, &[("a", "newer"), ("d", "4")]).expect("records");
    let names = ["a", "b", "c", "d"];
    assert_eq!((read(&cache, &names).as_str(), cache.records(REPOSITORY).len()), ("newer 2 3 4", 5));
    assert_eq!((before.get(key("a")), before.get(key("d"))), (Some(&b"new"[..]), None));
    assert_eq!(scratch.number(Part::Records), first);

    let recent = fs::read(scratch.file(Part::Recent)).expect("a file");
    write(&cache, &[("a", "newest of all"), ("e", "5, so that these are many")]).expect("records");
    assert_eq!((read(&cache, &names).as_str(), cache.records(REPOSITORY).len()), ("newest of all 2 3 4", 6));
    assert_ne!(scratch.number(Part::Records), first);
    assert!(!scratch.file(Part::Recent).exists());
    // Left behind by one that died after the others were written.
    fs::write(scratch.file(Part::Recent), recent).expect("a file");
    assert_eq!(read(&cache, &names), "newest of all 2 3 4");
    write(&cache, &[("d", "new")]).expect("records");
    assert_eq!(read(&cache, &names), "newest of all 2 3 new");
}

#[test]
fn records_that_a_writer_does_not_need_stay_as_far_as_there_is_room_and_the_newest_longest() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let write_alone = |name: &str, text: &str| write_needing(&cache, &[(name, text)], &|_| false).expect("records");
    write_alone("a", "of the first");
    write_alone("b", "of other tree");
    assert_eq!(read(&cache, &["a", "b"]), "of the first of other tree");
    write_alone("c", "of third tree");
    assert_eq!(read(&cache, &["a", "b", "c"]), "- of other tree of third tree");
    write_alone("d", "short");
    assert_eq!(read(&cache, &["b", "c", "d"]), "- - short");
}

#[test]
fn a_damaged_record_costs_only_itself_and_is_gone_after_the_next_write() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    write(&cache, &[("a", "alpha"), ("b", "beta")]).expect("records");
    let mut bytes = fs::read(scratch.file(Part::Records)).expect("a file");
    let at = bytes.windows(5).position(|window| window == b"alpha").expect("a record");
    bytes[at] = b'A';
    fs::write(scratch.file(Part::Records), bytes).expect("a file");
    assert_eq!((read(&cache, &["a", "b"]).as_str(), cache.records(REPOSITORY).len()), ("- beta", 2));
    write(&cache, &[("c", "gamma")]).expect("records");
    assert_eq!((read(&cache, &["a", "b", "c"]).as_str(), cache.records(REPOSITORY).len()), ("- beta gamma", 2));
}
