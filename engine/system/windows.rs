//! The system's edge on Windows.
//!
//! Whose a file is says its access list, which new files take from their folder: the folders of the user's profile are the user's alone.
//! Whatever else redirects, as junctions and mount points do, counts as a link.

use super::Identity;
use super::file::until_allowed;
use super::names::{is_windows_name, windows_path_text};
use cap_std::fs::{Dir, Metadata, MetadataExt as _};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom};
use std::os::windows::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Opens a link or whatever else redirects, and not what is behind it.
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
/// Opens folders as well.
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
const FILE_ATTRIBUTE_REPARSE_POINT: u32 = 0x400;
/// How often a file is replaced that somebody has open, and how long it is waited in between: whoever reads one needs milliseconds.
const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// A name as bytes; none where it has no bytes that stand for it everywhere.
pub fn name_bytes(name: &OsStr) -> Option<Cow<'_, [u8]>> {
    name.to_str().filter(|name| is_windows_name(name)).map(|name| Cow::Borrowed(name.as_bytes()))
}

/// The name of one file that bytes give; none where no file of this system can have it.
pub fn name_of(bytes: &[u8]) -> Option<Cow<'_, OsStr>> {
    std::str::from_utf8(bytes).ok().filter(|name| is_windows_name(name)).map(|name| Cow::Borrowed(OsStr::new(name)))
}

pub(super) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    Cow::Owned(windows_path_text(&path.to_string_lossy()).into_bytes())
}

pub(super) fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

/// A path to compare with patterns: what the system has no path for stands as something like it.
pub fn path_like(bytes: &[u8]) -> Cow<'_, Path> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => Cow::Borrowed(Path::new(text)),
        Cow::Owned(text) => Cow::Owned(PathBuf::from(text)),
    }
}

/// Whether an entry leads elsewhere.
pub fn is_link(metadata: &Metadata) -> bool {
    metadata.is_symlink() || metadata.file_attributes() & FILE_ATTRIBUTE_REPARSE_POINT != 0
}

/// The last change of the content, and the making of the file, in nanoseconds since 1970: this system tells no change of metadata.
pub fn times(metadata: &Metadata) -> (i64, i64) {
    /// 1970 in steps of 100 nanoseconds since 1601.
    const EPOCH: i64 = 116_444_736_000_000_000;
    let time = |steps: u64| i64::try_from(steps).unwrap_or(i64::MAX).saturating_sub(EPOCH).saturating_mul(100);
    (time(metadata.last_write_time()), time(metadata.creation_time()))
}

pub(super) fn identity_at(path: &Path) -> io::Result<Identity> {
    identity(path, FILE_FLAG_OPEN_REPARSE_POINT)
}

pub(super) fn identity_behind(path: &Path) -> io::Result<Identity> {
    identity(path, 0)
}

fn identity(path: &Path, flags: u32) -> io::Result<Identity> {
    Identity::of(&OpenOptions::new().access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS | flags).open(path)?)
}

/// Opening waits for nobody: here it never does.
pub fn without_waiting(options: &mut cap_std::fs::OpenOptions) -> &mut cap_std::fs::OpenOptions {
    options
}

pub(super) fn for_user_alone(options: &mut cap_std::fs::OpenOptions) -> &mut cap_std::fs::OpenOptions {
    options
}

pub(super) fn as_itself(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
}

pub(super) fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

pub(super) fn private_folder(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder
}

pub(super) fn patiently(call: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    until_allowed(TRIES, PAUSE, call)
}

/// Fills the buffer with what stands at a place of a file; what is written next still goes to its end.
///
/// # Errors
///
/// Those of the system, and that the file ends before.
pub fn read_at(mut file: &File, mut at: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n_read) => {
                buffer = buffer.get_mut(n_read..).unwrap_or_default();
                at += n_read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // Reading moved the place of the next write.
    file.seek(SeekFrom::End(0)).map(drop)
}

#[expect(clippy::unnecessary_wraps, reason = "on other systems it may fail")]
pub(super) fn sync(_: &Dir) -> io::Result<()> {
    Ok(())
}

/// Refuses what belongs to another user: here access lists say that.
///
/// # Errors
///
/// None on this system.
pub fn check_owner(_: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Refuses what belongs to another user, or what others may write to: here access lists say that.
///
/// # Errors
///
/// None on this system.
pub fn check_private(_: &File) -> io::Result<()> {
    Ok(())
}

/// Gives a new file the old one's rights.
///
/// # Errors
///
/// Those of the system.
pub fn keep_owner(file: &cap_std::fs::File, before: &Metadata) -> io::Result<()> {
    file.set_permissions(before.permissions())
}

/// Whether this user may run a file.
pub fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// The names that the file of a program may have.
pub fn program_names(name: &str) -> Vec<String> {
    const ENDINGS: [&str; 4] = ["com", "exe", "bat", "cmd"];
    let ending = Path::new(name).extension().unwrap_or_default();
    if ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
        return vec![name.to_owned()];
    }
    ENDINGS.iter().map(|ending| format!("{name}.{ending}")).collect()
}

/// Whether this user may make files in a folder, as far as its attributes tell.
///
/// # Errors
///
/// Why not.
pub fn is_writable(folder: &Path) -> io::Result<()> {
    folder.metadata().map(drop)
}

/// The time of all processors that this process took so far; none where the system is not asked.
pub fn processor_time() -> Option<Duration> {
    None
}
