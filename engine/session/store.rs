//! The session file: read whole, replaced in one step, changed by one process at a time.
//!
//! The only part of the session that touches the disk.
//!
//! A file never changes under its name: a new one takes its place. So a reader needs no lock, and whoever dies on the way leaves the old file
//! or the new one. The lock is on the file itself, or on Windows on one beside it; the system gives it back when a process dies.

#![expect(clippy::disallowed_methods, reason = "a host module: the session file lies on disk")]

use super::{MAX_BYTES, Session};
use error::{Error, ErrorKind, Result};
use redact::Masker;
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;
use system::{Access, Folder, Identity};

/// How often a process asks for the lock, and how long it pauses in between: five seconds in all.
const LOCK_TRIES: u32 = 1_000;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Reads a session file.
///
/// # Errors
///
/// [`ErrorKind::UnreadableFile`] for a file that is not there, no regular file or a link; [`ErrorKind::BadInput`] for what
/// [`Session::parse`] refuses.
pub fn read(path: &Path) -> Result<Session> {
    Place::of(path)?.read()
}

/// Writes a new session file, without the secrets that the masker finds.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] where there is a file already, which stays as it is; [`ErrorKind::Storage`] where none can be written.
pub fn create(path: &Path, session: &Session, masker: &Masker) -> Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let place = Place::of(path)?;
    let json = session.checked_json(masker).map_err(|error| place.unusable(&error))?;
    // Nobody else's name: there is no lock on a file that is not there yet.
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = place.temporary(&format!("new-{}-{number}", std::process::id()));
    let result = place.write(&temporary, &json).and_then(|()| {
        // Unlike a rename, a second name is refused where the name is taken.
        place.folder.link(&temporary, &place.name)
    });
    let _ = place.folder.remove(&temporary);
    match result {
        Ok(()) => place.keep(),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let message = format!("`{}` exists already and stays as it is; name another file or remove it", place.shown());
            Err(Error::new(ErrorKind::BadInput, message))
        }
        Err(error) => Err(place.unwritable(error)),
    }
}

/// Changes a session file: what `change` makes of it takes its place, unless that is an error or nothing new. It is written without the
/// secrets that the masker finds.
///
/// Waits up to five seconds for another process that changes it.
///
/// # Errors
///
/// As [`read`], the error of `change`, and [`ErrorKind::Storage`] where the file cannot be locked or written. The file is then as it was.
pub fn update<T>(path: &Path, masker: &Masker, change: impl FnOnce(&mut Session) -> Result<T>) -> Result<T> {
    let place = Place::of(path)?;
    let lock = place.lock(LOCK_TRIES)?;
    let mut session = if system::LOCKS_HINDER_NOBODY { place.parse(&lock)? } else { place.read()? };
    let before = session.clone();
    let result = change(&mut session)?;
    if session != before {
        let json = session.checked_json(masker).map_err(|error| place.unusable(&error))?;
        // One name is enough, since there is one writer; whatever has it was left behind by one that died.
        let temporary = place.temporary("new");
        let written = place.folder.remove_if_there(&temporary).and_then(|()| place.write(&temporary, &json));
        let replaced = written.and_then(|()| place.folder.rename(&temporary, &place.name));
        if let Err(error) = replaced {
            let _ = place.folder.remove(&temporary);
            return Err(place.unwritable(error));
        }
        place.keep()?;
    }
    drop(lock);
    Ok(result)
}

/// Where a session file lies.
struct Place {
    path: PathBuf,
    folder: Folder,
    name: OsString,
}

impl Place {
    fn of(path: &Path) -> Result<Self> {
        // A slash at the end would let the system follow a link.
        let Some(name) = path.file_name().filter(|_| !system::is_folder_like(path)) else {
            let message = format!("`{}` cannot be a session file: it names none", path.display());
            return Err(Error::new(ErrorKind::BadInput, message));
        };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = Folder::open(parent).map_err(|error| {
            let message = format!("the folder of the session file `{}` cannot be opened", path.display());
            Error::new(ErrorKind::UnreadableFile, message).because(error)
        })?;
        Ok(Self { path: path.to_owned(), folder, name: name.to_owned() })
    }

    /// The path as it was given.
    fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// A hidden file beside the session file.
    fn temporary(&self, part: &str) -> OsString {
        let mut name = OsString::from(".");
        name.push(&self.name);
        name.push(format!(".activate-{part}"));
        name
    }

    /// Opens the file to read it; refuses what is not a regular file.
    fn open(&self) -> io::Result<File> {
        self.folder.file(&self.name, Access::Read)
    }

    fn read(&self) -> Result<Session> {
        let file = self.open().map_err(|error| self.unreadable(error))?;
        self.parse(&file)
    }

    /// Opens what is locked for the file: the file itself, or one beside it that stays, where a lock on it would hinder who reads or replaces
    /// it.
    fn open_to_lock(&self) -> io::Result<File> {
        let file = self.open()?;
        if system::LOCKS_HINDER_NOBODY { Ok(file) } else { self.folder.file(self.temporary("lock"), Access::Lock) }
    }

    /// Takes the file's lock, which is given back when the result is closed.
    fn lock(&self, n_tries: u32) -> Result<File> {
        let failed = |error: io::Error| {
            let message = format!("the session file `{}` cannot be locked", self.shown());
            Error::new(ErrorKind::Storage, message).because(error)
        };
        let mut file = self.open_to_lock().map_err(|error| self.unreadable(error))?;
        for _ in 0..n_tries {
            match file.try_lock() {
                Ok(()) => {
                    // Another process may have put a new file in its place; what is locked then is nobody's any more.
                    if !system::LOCKS_HINDER_NOBODY || self.is_current(&file).map_err(failed)? {
                        return Ok(file);
                    }
                    file = self.open_to_lock().map_err(|error| self.unreadable(error))?;
                }
                Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => thread::sleep(LOCK_PAUSE),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        let seconds = (LOCK_PAUSE * n_tries).as_secs();
        let message = format!(
            "the session file `{}` is being changed by another process, which did not end within {seconds} seconds; try again later",
            self.shown()
        );
        Err(Error::new(ErrorKind::Storage, message))
    }

    /// Whether the name still leads to a file that is open.
    fn is_current(&self, file: &File) -> io::Result<bool> {
        Ok(self.folder.identity(&self.name)? == Some(Identity::of(file)?))
    }

    fn parse(&self, file: &File) -> Result<Session> {
        let mut bytes = Vec::new();
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| self.unreadable(error))?;
        if bytes.len() > MAX_BYTES {
            let message = format!("it is larger than {MAX_BYTES} bytes");
            return Err(self.unusable(&Error::new(ErrorKind::BadInput, message)));
        }
        let json = String::from_utf8(bytes).map_err(|error| {
            let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            let valid = String::from_utf8_lossy(valid);
            let line = valid.matches('\n').count() + 1;
            let column = valid.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            let message = format!("line {line} column {column}: this is not UTF-8 text");
            self.unusable(&Error::new(ErrorKind::BadInput, message))
        })?;
        Session::parse(&json).map_err(|error| self.unusable(&error))
    }

    /// Writes a new file whose content will survive a power cut.
    fn write(&self, name: &OsStr, json: &str) -> io::Result<()> {
        let mut file = self.folder.file(name, Access::Create)?;
        file.write_all(json.as_bytes())?;
        file.sync_all()
    }

    /// Returns when the names in the folder will survive a power cut.
    fn keep(&self) -> Result<()> {
        self.folder.sync().map_err(|error| self.unwritable(error))
    }

    fn unreadable(&self, error: io::Error) -> Error {
        let advice = if error.kind() == io::ErrorKind::NotFound {
            format!("; make it with `activate session new {}`", self.shown())
        } else {
            String::new()
        };
        let message = format!("the session file `{}` cannot be read{advice}", self.shown());
        Error::new(ErrorKind::UnreadableFile, message).because(error)
    }

    fn unusable(&self, error: &Error) -> Error {
        Error::new(ErrorKind::BadInput, format!("the session file `{}` cannot be used: {}", self.shown(), error.message))
    }

    fn unwritable(&self, error: io::Error) -> Error {
        Error::new(ErrorKind::Storage, format!("the session file `{}` cannot be written", self.shown())).because(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    struct Scratch(PathBuf);

    impl Scratch {
        fn new() -> Self {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let folder = std::env::temp_dir().join(format!("activate-session-{}-{number}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn names(&self) -> Vec<String> {
            let mut names: Vec<String> =
                fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.retain(|name| !name.ends_with(".activate-lock"));
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn warn(path: &Path, text: &str) -> Result<()> {
        update(path, &Masker::knowing_nothing(), |session| {
            session.safety_warnings.push(text.to_owned());
            Ok(())
        })
    }

    #[test]
    fn a_file_is_made_once_and_replaced_as_a_whole() {
        let scratch = Scratch::new();
        let path = scratch.0.join("s.json");
        assert!(read(&path).unwrap_err().message.contains("make it with `activate session new "));
        create(&path, &Session::default(), &Masker::knowing_nothing()).unwrap();
        let error = create(&path, &Session { turn: 7, ..Session::default() }, &Masker::knowing_nothing()).unwrap_err();
        assert!(error.kind == ErrorKind::BadInput && error.message.contains("exists already and stays"), "{error}");
        // One who died left this.
        fs::write(scratch.0.join(".s.json.activate-new"), "half a fi").unwrap();
        let before = fs::read_to_string(&path).unwrap();
        let open = system::LOCKS_HINDER_NOBODY.then(|| File::open(&path).unwrap());
        warn(&path, "a").unwrap();
        if let Some(mut open) = open {
            let mut seen = String::new();
            open.read_to_string(&mut seen).unwrap();
            assert_eq!(seen, before, "who reads the old file reads all of it");
        }
        assert_eq!(read(&path).unwrap().safety_warnings, ["a"]);
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::MetadataExt::mode(&fs::metadata(&path).unwrap()) & 0o777, 0o600);
        assert_eq!(scratch.names(), ["s.json"]);
        let before = Identity::at(&path).unwrap();
        update(&path, &Masker::knowing_nothing(), |_| Ok(())).unwrap();
        assert_eq!(Identity::at(&path).unwrap(), before, "nothing new is not written");
    }

    #[test]
    fn what_cannot_be_used_is_refused_and_stays() {
        let scratch = Scratch::new();
        let path = scratch.0.join("s.json");
        for (content, says) in [
            (&b"{\n  \"turn\": 1,\n"[..], "line 3 column 0: EOF"),
            (b"", "line 1 column 1: expected an object"),
            (b"{\n  \"schema\": \"activate.session-file.v9\"}", "line 2 column 38: unknown variant `activate.session-file.v9`"),
            (b"{\n  \"schema\": \"\xff", "line 2 column 14: this is not UTF-8 text"),
        ] {
            fs::write(&path, content).unwrap();
            for error in [read(&path).unwrap_err(), warn(&path, "x").unwrap_err()] {
                assert!(error.kind == ErrorKind::BadInput && error.message.contains(says), "{error}");
                assert!(error.message.contains("s.json` cannot be used: "), "{error}");
            }
            assert_eq!(fs::read(&path).unwrap(), content);
        }
        let large = File::create(&path).unwrap();
        large.set_len(MAX_BYTES as u64 + 1).unwrap();
        drop(large);
        assert!(read(&path).unwrap_err().message.contains("larger than 16777216 bytes"));
        fs::remove_file(&path).unwrap();
        create(&path, &Session::default(), &Masker::knowing_nothing()).unwrap();
        let error = update(&path, &Masker::knowing_nothing(), |session| {
            session.turn = 9;
            session.safety_warnings = vec!["x".repeat(1 << 20)];
            Ok(())
        });
        assert!(error.unwrap_err().message.contains("`safety_warnings` holds a text of"));
        assert_eq!(read(&path).unwrap(), Session::default(), "a change that cannot be kept changes nothing");
        assert_eq!(scratch.names(), ["s.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_what_is_no_file_are_refused() {
        use std::os::unix::fs::symlink;
        let scratch = Scratch::new();
        let (path, link) = (scratch.0.join("s.json"), scratch.0.join("link.json"));
        create(&path, &Session::default(), &Masker::knowing_nothing()).unwrap();
        symlink(&path, &link).unwrap();
        symlink(scratch.0.join("nowhere"), scratch.0.join("loose.json")).unwrap();
        let causes = |error: &Error| format!("{error}: {}", error.source.as_ref().map(ToString::to_string).unwrap_or_default());
        for result in [read(&link).map(drop), warn(&link, "x"), read(&scratch.0.join("loose.json")).map(drop)] {
            let error = result.unwrap_err();
            assert!(error.kind == ErrorKind::UnreadableFile && causes(&error).contains("it is a link"), "{}", causes(&error));
        }
        for name in ["link.json", "loose.json"] {
            assert!(
                create(&scratch.0.join(name), &Session::default(), &Masker::knowing_nothing())
                    .unwrap_err()
                    .message
                    .contains("exists already")
            );
        }
        assert!(causes(&read(&scratch.0).unwrap_err()).contains("it is not a regular file"));
        for path in ["/", "..", "x/"] {
            assert!(read(Path::new(path)).unwrap_err().message.contains("names none"), "{path}");
        }
        assert!(read(&scratch.0.join("none/s.json")).unwrap_err().message.contains("the folder of the session file"));
        assert_eq!(read(&path).unwrap(), Session::default());
        assert!(!scratch.0.join("nowhere").exists());
    }

    #[test]
    fn who_changes_a_file_waits_for_another_and_not_for_ever() {
        let scratch = Scratch::new();
        let path = scratch.0.join("s.json");
        create(&path, &Session::default(), &Masker::knowing_nothing()).unwrap();
        let place = Place::of(&path).unwrap();
        let held = place.lock(1).unwrap();
        let error = place.lock(2).unwrap_err();
        assert!(error.kind == ErrorKind::Storage && error.message.contains("is being changed by another process"), "{error}");
        assert!(read(&path).is_ok(), "a reader waits for nobody");
        drop(held);
        assert!(place.lock(1).is_ok());
    }

    #[test]
    fn changes_made_at_the_same_time_are_all_kept() {
        const N_THREADS: usize = 4;
        const N_CHANGES: usize = 10;
        let scratch = Scratch::new();
        let path = scratch.0.join("s.json");
        create(&path, &Session::default(), &Masker::knowing_nothing()).unwrap();
        thread::scope(|scope| {
            for thread in 0..N_THREADS {
                let path = &path;
                scope.spawn(move || (0..N_CHANGES).for_each(|change| warn(path, &format!("{thread} {change}")).unwrap()));
            }
        });
        let warnings = read(&path).unwrap().safety_warnings;
        let is_in_order = (0..N_THREADS).all(|thread| {
            let own: Vec<&String> = warnings.iter().filter(|text| text.starts_with(&format!("{thread} "))).collect();
            own.is_sorted() && own.len() == N_CHANGES
        });
        assert!(is_in_order, "{warnings:?}");
        assert_eq!(warnings.len(), N_THREADS * N_CHANGES);
    }
}
