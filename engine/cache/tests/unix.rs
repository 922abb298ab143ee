//! Links, owners and modes of a cache's folder and files.

use super::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

/// So that the folder can be removed.
pub(super) fn make_writable(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
}

#[test]
fn folders_that_are_links_files_or_of_others_are_refused() {
    let scratch = Scratch::new();
    let path = |name: &str| scratch.0.join(name);
    fs::create_dir(path("real")).expect("a folder");
    symlink("real", path("link")).expect("a link");
    symlink("nowhere", path("dangling")).expect("a link");
    fs::write(path("file"), "").expect("a file");
    let odd =
        [path("link"), path("link/"), path("link/."), path("dangling"), path("file"), path("file/x"), "a\0b".into(), "".into()];
    for folder in odd {
        let problem = Cache::open(&folder).expect_err("a refusal");
        assert_eq!((problem.stage.as_str(), problem.path), ("cache", None));
    }
    let own = fs::metadata(&scratch.0).expect("a folder").uid();
    assert_eq!(Cache::open(Path::new("/")).is_ok(), fs::metadata("/").expect("a folder").uid() == own);

    let deep = path("x/y/z");
    let cache = Cache::open(&deep).expect("a cache");
    write_base(&cache, 5).expect("a base");
    assert_is_base(&cache.base(REPOSITORY, FINGERPRINT).expect("a base"), 5);
    assert_eq!(fs::metadata(deep).expect("a folder").mode() & 0o777, 0o700);
}

#[test]
fn files_that_are_links_or_open_to_others_are_misses_and_replaced_without_being_touched() {
    let scratch = Scratch::new();
    let cache = scratch.cache();
    write_base(&cache, 5).expect("a base");
    let (file, elsewhere) = (scratch.file(Part::Base), scratch.0.join("elsewhere"));
    assert_eq!(fs::metadata(&file).expect("a file").mode() & 0o777, 0o600);
    fs::rename(&file, &elsewhere).expect("a rename");
    symlink(&elsewhere, &file).expect("a link");
    assert!(cache.base(REPOSITORY, FINGERPRINT).is_none());
    write_base(&cache, 6).expect("a base");
    assert_is_base(&cache.base(REPOSITORY, FINGERPRINT).expect("a base"), 6);
    assert_eq!(fs::read(&elsewhere).expect("a file"), base(5).bytes());

    fs::set_permissions(&file, fs::Permissions::from_mode(0o622)).expect("a mode");
    assert!(cache.base(REPOSITORY, FINGERPRINT).is_none());
    fs::remove_file(&file).expect("a file");
    fs::create_dir(&file).expect("a folder");
    assert!(cache.base(REPOSITORY, FINGERPRINT).is_none());
    write_base(&cache, 7).expect_err("a folder in the way");
}

#[test]
fn a_folder_that_became_read_only_still_serves() {
    let scratch = Scratch::new();
    write(&scratch.cache(), &[("a", "1")]).expect("records");
    fs::set_permissions(scratch.0.join("cache"), fs::Permissions::from_mode(0o500)).expect("a mode");
    let cache = scratch.cache();
    // The superuser may write all the same.
    let expected = if write(&cache, &[("a", "2")]).is_ok() { "2" } else { "1" };
    assert_eq!(read(&cache, &["a"]), expected);
}
