//! Maps a file of the cache into memory: one of the places with `unsafe`, besides `grammars/meter.rs` and `engine/system/memory.rs`.

use memmap2::Mmap;
#[cfg(any(windows, test))]
use memmap2::MmapMut;
use std::fs::File;
use std::io;
#[cfg(any(windows, test))]
use std::io::Read as _;

/// Maps the whole of `file` for reading.
///
/// # Errors
///
/// What mapping it gives.
///
/// What makes this sound is up to who calls it, which is this crate and the store of a fleet: a file of either is written under
/// another name, renamed into place and from then on only ever replaced by the next rename or unlinked, both of which leave an
/// existing map as it was. The folder and the file belong to this user alone, so nobody else can write to or shorten the file; a program
/// of the same user that does so on purpose can end this process with SIGBUS, as it could with a plain kill. Files of a repository,
/// which anyone may shorten at any moment, are therefore never mapped.
#[expect(unsafe_code, reason = "a map makes a warm start cost no copy; the file does not change under it, see above")]
#[cfg(not(windows))]
pub fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapped file is private to this user and never changed in place.
    unsafe { Mmap::map(file) }
}

/// Reads the whole of `file` into memory of its own: on Windows a file that is mapped can be neither replaced nor removed, and its folder does
/// not tell who else may write to it.
///
/// # Errors
///
/// What reading it gives.
#[cfg(windows)]
pub fn map(file: &File) -> io::Result<Mmap> {
    copy(file)
}

#[cfg(any(windows, test))]
pub(super) fn copy(mut file: &File) -> io::Result<Mmap> {
    let mut memory = MmapMut::map_anon(file.metadata()?.len() as usize)?;
    file.read_exact(&mut memory)?;
    memory.make_read_only()
}
