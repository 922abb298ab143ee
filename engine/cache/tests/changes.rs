//! Bases of which some sections are pieces of what they were.

use super::*;

/// The section that tells versions apart, as another one, and the links moved on by one and back.
fn next(base: &Base, version: u8) -> Base {
    let moved = |add| vec![Piece::Kept { bytes: 0..8, add }];
    let between = base.next(vec![(VERSION, vec![Piece::New(vec![version])]), ("links", moved([1, 2]))]).expect("a next base");
    assert_eq!(section(&between, "links"), [2, 2, 3, 4, 7, 6, 7, 8]);
    between.next(vec![("links", moved([u32::MAX, u32::MAX - 1]))]).expect("a next base")
}

fn write_changes(cache: &Cache, base: &Base) -> Result<bool, Problem> {
    cache.write_changes(REPOSITORY, FINGERPRINT, base)
}

fn version(cache: &Cache) -> u8 {
    let base = cache.base(REPOSITORY, FINGERPRINT).expect("a base");
    let version = section(&base, VERSION)[0];
    assert_is_base(&base, version);
    version
}

#[test]
fn changes_stand_beside_their_base_until_it_is_written_whole() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let written = cache.write_base(REPOSITORY, FINGERPRINT, &sections(&[1])).expect("a base").expect("what was written");
    let second = next(&written, 2);
    assert_is_base(&second, 2);
    assert!(write_changes(&cache, &second).expect("changes"));
    assert_eq!(version(&cache), 2);
    // What is read goes on as what was made.
    let third = next(&cache.base(REPOSITORY, FINGERPRINT).expect("a base"), 3);
    assert!(write_changes(&cache, &third).expect("changes"));
    assert_eq!(version(&cache), 3);
    assert_eq!(cache.list().expect("a list").len(), 2);

    write_base(&cache, 4).expect("a base");
    assert_eq!(version(&cache), 4);
    assert_eq!(cache.list().expect("a list").len(), 1);
    assert!(!write_changes(&cache, &third).expect("no changes"), "their base is gone");
    let same = written.next(vec![("names", vec![Piece::same(0..4)])]).expect("a next base");
    assert_eq!(section(&same, "names").as_ptr(), section(&written, "names").as_ptr(), "what stays is not copied");
    assert_eq!(version(&cache), 4);
    assert_is_base(&third, 3);
}

#[test]
fn changes_of_another_base_and_damaged_ones_leave_the_base_as_it_was_written() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let written = cache.write_base(REPOSITORY, FINGERPRINT, &sections(&[1])).expect("a base").expect("what was written");
    assert!(write_changes(&cache, &next(&written, 2)).expect("changes"));
    let whole = fs::read(scratch.file(Part::Changes)).expect("a file");
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x81;
        fs::write(scratch.file(Part::Changes), damaged).expect("a file");
        assert!([1, 2].contains(&version(&cache)), "byte {at}");
        fs::write(scratch.file(Part::Changes), &whole[..at]).expect("a file");
        assert_eq!(version(&cache), 1, "{at} bytes");
    }
    fs::write(scratch.file(Part::Changes), &whole).expect("a file");
    assert_eq!(version(&cache), 2);

    write_base(&cache, 4).expect("a base");
    fs::write(scratch.file(Part::Changes), &whole).expect("a file");
    assert_eq!(version(&cache), 4, "these are the changes of another base");
    assert!(cache.base(REPOSITORY, FINGERPRINT + 1).is_none());
}

#[test]
fn whichever_call_fails_the_old_changes_or_the_new_are_there_afterwards() {
    for failure in [Failure::Broken, Failure::Full, Failure::Dead] {
        for fails_at in 0.. {
            let scratch = Scratch::new();
            let sound = scratch.cache();
            let written = sound.write_base(REPOSITORY, FINGERPRINT, &sections(&[1])).expect("a base").expect("what was written");
            let second = next(&written, 2);
            assert!(write_changes(&sound, &second).expect("changes"));

            let calls = Calls::default();
            let failing = scratch.cache_on(FailingDisk::new(failure, fails_at, &calls));
            let wrote = failing.and_then(|failing| write_changes(&failing, &next(&second, 3)));
            let n_calls = calls.names().len();
            assert!([2, 3].contains(&version(&sound)), "{failure:?} at {fails_at}");
            if let Ok(true) = wrote {
                assert_eq!(version(&sound), 3, "{failure:?} at {fails_at}");
            }
            assert!(write_changes(&sound, &next(&second, 4)).expect("changes"));
            assert_eq!(version(&sound), 4);
            if fails_at >= n_calls {
                assert!(matches!(wrote, Ok(true)) && n_calls > 5, "{n_calls} calls were all there were to fail");
                break;
            }
        }
    }
}

#[test]
fn sections_that_are_made_anew_are_kept_as_what_differs() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let bytes = |numbers: &[u32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
    let numbers: Vec<u32> = (0..900_u32).map(|at| at.wrapping_mul(2_654_435_761) % 900).collect();
    let before = [("rows", bytes(&numbers)), ("other", b"stays".to_vec()), ("none", Vec::new())];
    let written = cache.write_base(REPOSITORY, FINGERPRINT, &before).expect("a base").expect("what was written");
    let content =
        |name: &str| if name == "rows" { Content::Numbers(Renumbering::of_all(vec![(300, 1)])) } else { Content::Bytes };
    // What all rows name is one further on; then one row more, and the first change is one of the second no more.
    let mut moved: Vec<u32> = numbers.iter().map(|number| number + u32::from(*number >= 300)).collect();
    let mut last = written.clone();
    for row in [7, 8] {
        moved.insert(400, row);
        last = last.with_sections(&[("rows", bytes(&moved))], &content).expect("few changes");
        assert!(write_changes(&cache, &last).expect("changes"));
        let kept = cache.base(REPOSITORY, FINGERPRINT).expect("a base");
        assert_eq!(section_bytes(&kept, "rows"), bytes(&moved));
        assert_eq!(section_bytes(&kept, "other"), b"stays");
        // An edit goes on from there.
        let edited =
            kept.next(vec![("rows", vec![Piece::same(0..8), Piece::New(bytes(&[1])), Piece::same(8..16)])]).expect("one");
        assert_eq!(section_bytes(&edited, "rows"), bytes(&[moved[0], moved[1], 1, moved[2], moved[3]]));
    }
    assert!(cache.list().expect("a list").iter().any(|(name, length)| name.ends_with(".changes") && *length < 600));
    assert!(last.with_sections(&[("new", b"x")], &content).is_none(), "there is no such section");
    assert!(last.with_sections(&[("new", b"")], &content).is_some());
    let other: Vec<u32> = (0..900).map(|at: u32| at.wrapping_mul(40_503)).collect();
    assert!(last.with_sections(&[("rows", bytes(&other))], &content).is_none(), "nothing is as it was");
    // Another process sees that there are other changes, and which.
    let seen = |base: &Base| cache.another_base(REPOSITORY, FINGERPRINT, base).map(|other| section_bytes(&other, "rows"));
    assert_eq!((seen(&last), seen(&written)), (None, Some(bytes(&moved))));
}

fn section_bytes(base: &Base, name: &str) -> Vec<u8> {
    base.section(base.place(name).expect("a section")).to_vec()
}

#[test]
fn many_changes_are_better_written_whole() {
    let large = vec![7_u8; 4_000];
    let base = Base::build(REPOSITORY, FINGERPRINT, &[("large", &large[..]), ("small", b"abcd")]);
    let with = |n_bytes: usize| base.next(vec![("small", vec![Piece::New(vec![0; n_bytes])])]).expect("a next base");
    assert!(with(900).has_few_changes());
    assert!(!with(1_100).has_few_changes());
    assert!(!with(900).next(vec![("large", vec![Piece::same(0..4), Piece::New(vec![0; 200])])]).expect("one").has_few_changes());
    assert!(base.next(vec![("unknown", Vec::new())]).is_none());
    assert!(base.next(vec![("small", vec![Piece::same(0..5)])]).is_none());
}
