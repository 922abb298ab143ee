//! What holds on every system, and the rules of Windows as far as they are text.

use super::*;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("activate-system-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_name_of_windows_is_one_file_and_nothing_else() {
    let refused = "\
        |a/b|a\\b|a:b|.git::$INDEX_ALLOCATION|C:|a*|a?|a\"|<|>|a\tb|a.|a |..|.|nul|NUL.txt|con|Aux.c.d|prn |com1|LPT9.log|COM¹|conin$";
    // The bar itself is refused as well.
    for name in refused.split('|').chain(["a|b"]) {
        assert!(!names::is_windows_name(name), "{name:?}");
    }
    for name in [".gitignore", "a b", "é", "nulls", "com", "com10", "com0x", "lpt", "a.nul", "x..y", "console.rs"] {
        assert!(names::is_windows_name(name), "{name:?}");
    }
}

#[test]
fn a_path_of_windows_is_text_with_slashes_and_without_a_prefix() {
    for (path, text) in [
        (r"\\?\C:\Users\a b\r", "C:/Users/a b/r"),
        (r"\\?\UNC\host\share\r", "//host/share/r"),
        (r"C:\r", "C:/r"),
        (r"r\d", "r/d"),
    ] {
        assert_eq!(names::windows_path_text(path), text);
    }
}

#[test]
fn a_name_survives_its_bytes_where_the_system_has_it() {
    for name in ["a", ".hidden", "é b"] {
        let name = OsString::from(name);
        let bytes = name_bytes(&name).expect("bytes");
        assert_eq!(name_of(&bytes).as_deref(), Some(name.as_os_str()));
    }
    assert_eq!(name_of(b"\xff").is_some(), cfg!(unix));
    assert_eq!(path_of(b"d/e"), Some(Path::new("d").join("e")));
    assert_eq!(path_bytes(&Path::new("d").join("e")).as_ref(), b"d/e");
}

#[test]
fn folders_of_the_user_follow_the_environment_where_it_is_absolute() {
    use UserFolder::{Cache, Config, State};
    // What is absolute on both.
    let root = if cfg!(windows) { "C:/" } else { "/" };
    let folder = |which: UserFolder, is_windows: bool, variables: &[(&str, &str)]| {
        let variable = |name: &str| {
            let value = variables.iter().find(|(known, _)| *known == name)?.1;
            Some(OsString::from(value.replacen('/', root, usize::from(value.starts_with('/')))))
        };
        let path = which.by(is_windows, variable)?;
        Some(path.to_string_lossy().replace('\\', "/").replacen(root, "/", 1))
    };
    assert_eq!(folder(Cache, false, &[("XDG_CACHE_HOME", "/c"), ("HOME", "/h")]).as_deref(), Some("/c/activate"));
    assert_eq!(folder(Cache, false, &[("XDG_CACHE_HOME", "c"), ("HOME", "/h")]).as_deref(), Some("/h/.cache/activate"));
    assert_eq!(folder(State, false, &[("HOME", "/h")]).as_deref(), Some("/h/.local/state/activate"));
    assert_eq!(folder(Config, false, &[("HOME", "/h")]).as_deref(), Some("/h/.config/activate"));
    assert_eq!(folder(Cache, false, &[("XDG_CACHE_HOME", ""), ("HOME", "h"), ("LOCALAPPDATA", "/l")]), None);
    let profile = [("LOCALAPPDATA", "/l"), ("APPDATA", "/r"), ("HOME", "/h")];
    assert_eq!(folder(Cache, true, &profile).as_deref(), Some("/l/activate/cache"));
    assert_eq!(folder(State, true, &profile).as_deref(), Some("/l/activate/state"));
    assert_eq!(folder(Config, true, &profile).as_deref(), Some("/r/activate"));
    assert_eq!(folder(State, true, &[("XDG_STATE_HOME", "/s")]).as_deref(), Some("/s/activate"));
    assert_eq!(folder(State, true, &[]), None);
}

#[test]
fn a_file_is_made_once_replaced_in_one_step_and_still_the_same_to_who_has_it_open() {
    let scratch = Scratch::new();
    let folder = Folder::own(&scratch.0.join("own/deep")).expect("a folder");
    folder.file("a", Access::Create).and_then(|mut file| file.write_all(b"one")).expect("a file");
    assert_eq!(folder.file("a", Access::Create).expect_err("taken").kind(), std::io::ErrorKind::AlreadyExists);
    let mut open = folder.file("a", Access::Read).expect("a file");
    let own = Identity::of(&open).expect("numbers");
    assert_eq!(folder.identity("a").expect("numbers"), Some(own));
    assert_eq!(Identity::at(&scratch.0.join("own/deep/a")).expect("numbers"), own);
    folder.file("b", Access::Create).and_then(|mut file| file.write_all(b"two!")).expect("a file");
    let mut text = String::new();
    if LOCKS_HINDER_NOBODY {
        folder.rename("b", "a").expect("a new name");
        open.read_to_string(&mut text).expect("text");
        assert_eq!(text, "one");
    } else {
        // Whoever has it open may keep it from being replaced, for a while.
        drop(open);
        folder.rename("b", "a").expect("a new name");
    }
    assert_ne!(folder.identity("a").expect("numbers"), Some(own));
    assert_eq!(
        folder.link("a", "c").and_then(|()| folder.identity("c")).expect("numbers"),
        folder.identity("a").expect("numbers")
    );
    assert_eq!(folder.link("a", "c").expect_err("taken").kind(), std::io::ErrorKind::AlreadyExists);
    let mut names = folder.list().expect("a list");
    names.sort();
    assert_eq!(names, [("a".to_owned(), 4), ("c".to_owned(), 4)]);
    folder.sync().expect("kept");
    folder.remove_if_there("c").and_then(|()| folder.remove_if_there("c")).expect("gone");
    assert_eq!(folder.identity("c").expect("an answer"), None);
}

#[test]
fn what_is_read_at_a_place_leaves_the_next_write_at_the_end() {
    let scratch = Scratch::new();
    let folder = Folder::open(&scratch.0).expect("a folder");
    let mut file = folder.file("spool", Access::Spool).expect("a file");
    file.write_all(b"abcdef").expect("room");
    let mut part = [0; 3];
    read_at(&file, 1, &mut part).expect("a part");
    assert_eq!(&part, b"bcd");
    // Its name may go while it is open.
    folder.remove("spool").expect("gone");
    file.write_all(b"ghi").expect("room");
    read_at(&file, 5, &mut part).expect("a part");
    assert_eq!(&part, b"fgh");
    assert!(read_at(&file, 7, &mut part).is_err());
}

#[test]
fn what_is_denied_is_tried_again_and_what_fails_otherwise_is_not() {
    let answers = |kinds: &[Option<std::io::ErrorKind>]| {
        let mut left = kinds.iter();
        let mut n_calls = 0;
        let result = file::until_allowed(3, std::time::Duration::ZERO, || {
            n_calls += 1;
            left.next().copied().flatten().map_or(Ok(()), |kind| Err(kind.into()))
        });
        (result.err().map(|error| error.kind()), n_calls)
    };
    let (denied, missing) = (std::io::ErrorKind::PermissionDenied, std::io::ErrorKind::NotFound);
    assert_eq!(answers(&[Some(denied), Some(denied), None]), (None, 3));
    assert_eq!(answers(&[Some(denied); 4]), (Some(denied), 3));
    assert_eq!(answers(&[Some(missing), None]), (Some(missing), 1));
}

#[test]
fn what_is_no_regular_file_is_not_opened() {
    let scratch = Scratch::new();
    let folder = Folder::open(&scratch.0).expect("a folder");
    fs::create_dir(scratch.0.join("d")).expect("a folder");
    let says = |name: &str| folder.file(name, Access::Read).expect_err("refused").to_string();
    assert_eq!(says("d"), "it is not a regular file");
    assert!(open_plain(&scratch.0.join("d"), OpenOptions::new().read(true)).is_err());
    assert!(folder.file("../x", Access::Lock).is_err() && !scratch.0.with_file_name("x").exists());
    File::create(scratch.0.join("file")).expect("a file");
    assert!(Folder::own(&scratch.0.join("file")).is_err());
    assert!(open_plain(&scratch.0.join("file"), OpenOptions::new().read(true)).is_ok());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_what_is_made_is_this_users_alone() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let scratch = Scratch::new();
    let path = |name: &str| scratch.0.join(name);
    File::create(path("file")).expect("a file");
    symlink("file", path("link")).expect("a link");
    symlink("own", path("folder-link")).expect("a link");
    let own = Folder::own(&path("own")).expect("a folder");
    let folder = Folder::open(&path("own/..")).expect("a folder");
    assert_eq!(folder.file("link", Access::Read).expect_err("refused").to_string(), "it is a link");
    assert!(folder.file("link", Access::Lock).is_err());
    assert!(open_plain(&path("link"), OpenOptions::new().read(true)).is_err());
    for odd in ["folder-link", "folder-link/", "folder-link/."] {
        assert_eq!(Folder::own(&path(odd)).expect_err("refused").to_string(), "it is a link, or not a folder");
    }
    let file = own.file("made", Access::Spool).expect("a file");
    assert_eq!(file.metadata().expect("rights").mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(path("own")).expect("rights").mode() & 0o777, 0o700);
    assert!(check_private(&file).is_ok());
    file.set_permissions(fs::Permissions::from_mode(0o620)).expect("rights");
    assert_eq!(check_private(&file).expect_err("refused").to_string(), "others may write to it");
}
