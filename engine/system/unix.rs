//! The system's edge on Linux, macOS and other Unix systems.

use super::Identity;
use cap_std::fs::{Dir, Metadata, MetadataExt as _, OpenOptionsExt as _};
use rustix::fs::{Access, Gid, Mode, OFlags, Uid, access, fchown};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Readable by this user alone: what this program keeps tells about private code.
const PRIVATE_FOLDER: u32 = 0o700;
const PRIVATE_FILE: u32 = 0o600;

/// What would let somebody else change a file while it is mapped.
const OTHERS_WRITE: u32 = 0o022;

/// No waiting for a fifo's other end, no terminal taken over.
const WITHOUT_WAITING: OFlags = OFlags::NONBLOCK.union(OFlags::NOCTTY);

/// A name as bytes; none where it has no bytes that stand for it everywhere.
pub fn name_bytes(name: &OsStr) -> Option<Cow<'_, [u8]>> {
    Some(Cow::Borrowed(name.as_bytes()))
}

/// The name of one file that bytes give; none where no file of this system can have it.
pub fn name_of(bytes: &[u8]) -> Option<Cow<'_, OsStr>> {
    Some(Cow::Borrowed(OsStr::from_bytes(bytes)))
}

pub(super) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    Cow::Borrowed(path.as_os_str().as_bytes())
}

#[expect(clippy::unnecessary_wraps, reason = "on other systems there are bytes that are no path")]
pub(super) fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    Some(PathBuf::from(OsStr::from_bytes(bytes)))
}

/// A path to compare with patterns: what the system has no path for stands as something like it.
pub fn path_like(bytes: &[u8]) -> Cow<'_, Path> {
    Cow::Borrowed(Path::new(OsStr::from_bytes(bytes)))
}

/// Whether an entry leads elsewhere.
pub fn is_link(metadata: &Metadata) -> bool {
    metadata.is_symlink()
}

/// The last change of the content, and of content or metadata, in nanoseconds since 1970.
pub fn times(metadata: &Metadata) -> (i64, i64) {
    const NANOSECONDS: i64 = 1_000_000_000;
    let time = |seconds: i64, nanoseconds: i64| seconds.saturating_mul(NANOSECONDS).saturating_add(nanoseconds);
    (time(metadata.mtime(), metadata.mtime_nsec()), time(metadata.ctime(), metadata.ctime_nsec()))
}

pub(super) fn identity_at(path: &Path) -> io::Result<Identity> {
    path.symlink_metadata().map(|found| Identity::new(found.dev(), found.ino()))
}

pub(super) fn identity_behind(path: &Path) -> io::Result<Identity> {
    path.metadata().map(|found| Identity::new(found.dev(), found.ino()))
}

/// Opening waits for nobody.
pub fn without_waiting(options: &mut cap_std::fs::OpenOptions) -> &mut cap_std::fs::OpenOptions {
    options.custom_flags(WITHOUT_WAITING.bits() as i32)
}

pub(super) fn for_user_alone(options: &mut cap_std::fs::OpenOptions) -> &mut cap_std::fs::OpenOptions {
    options.mode(PRIVATE_FILE)
}

pub(super) fn as_itself(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((WITHOUT_WAITING | OFlags::NOFOLLOW).bits() as i32)
}

pub(super) fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(PRIVATE_FILE)
}

pub(super) fn private_folder(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder.mode(PRIVATE_FOLDER)
}

pub(super) fn patiently(mut call: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    call()
}

/// Fills the buffer with what stands at a place of a file; what is written next still goes to its end.
///
/// # Errors
///
/// Those of the system, and that the file ends before.
pub fn read_at(file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()> {
    file.read_exact_at(buffer, at)
}

pub(super) fn sync(folder: &Dir) -> io::Result<()> {
    // The folder may be open for its names alone.
    let folder = rustix::fs::openat(folder, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(rustix::fs::fsync(folder)?)
}

/// Refuses what belongs to another user.
///
/// # Errors
///
/// That it does.
pub fn check_owner(metadata: &Metadata) -> io::Result<()> {
    if metadata.uid() == rustix::process::geteuid().as_raw() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "it belongs to another user"))
    }
}

/// Refuses what belongs to another user, or what others may write to.
///
/// # Errors
///
/// That it does, or that they may.
pub fn check_private(file: &File) -> io::Result<()> {
    let metadata = Metadata::from_file(file)?;
    check_owner(&metadata)?;
    if metadata.mode() & OTHERS_WRITE == 0 {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "others may write to it"))
    }
}

/// Gives a new file to whom the old one belongs, under `sudo` it would be the administrator's, and the old one's rights.
///
/// # Errors
///
/// Those of the system.
pub fn keep_owner(file: &cap_std::fs::File, before: &Metadata) -> io::Result<()> {
    let now = file.metadata()?;
    if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
        fchown(file, Some(Uid::from_raw(before.uid())), Some(Gid::from_raw(before.gid())))?;
    }
    file.set_permissions(before.permissions())
}

/// Whether this user may run a file.
pub fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file()) && access(file, Access::EXEC_OK).is_ok()
}

/// The names that the file of a program may have.
pub fn program_names(name: &str) -> Vec<String> {
    vec![name.to_owned()]
}

/// Whether this user may make files in a folder.
///
/// # Errors
///
/// Why not.
pub fn is_writable(folder: &Path) -> io::Result<()> {
    Ok(access(folder, Access::WRITE_OK)?)
}

/// The time of all processors that this process took so far; none where the system is not asked.
pub fn processor_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}
