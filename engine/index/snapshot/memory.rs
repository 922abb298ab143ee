//! How much memory taking a snapshot may use: which files are too large for it, and how many are extracted at once.
//!
//! Which files are read depends on their sizes and on the limit alone, so that every machine reads the same; how many threads work at once
//! does not show in the result.

use repo::FileEntry;
use std::sync::{Condvar, Mutex, PoisonError};

/// The memory that a process may use, in bytes, where nobody says otherwise.
pub const DEFAULT_MEMORY: u64 = 512 << 20;
/// The least that can be asked for: with less, not even one file of code of a megabyte can be parsed.
pub const MIN_MEMORY: u64 = 64 << 20;

/// A file with more bytes counts as large, and one that is parsed with more than so many.
const LARGE_BYTES: u64 = 1 << 20;
const LARGE_SOURCE_BYTES: u64 = 256 << 10;
/// What part of the memory all large files together may have as their own bytes: words of a large file take about as much as itself, in the
/// records and again in the index.
const LARGE_SHARE: u64 = 4;
/// The same of files that are parsed: what dense code yields takes about seven times its bytes (measured 2026-11-24). The files of kubernetes
/// that are as large have 48 MB together, those of TypeScript 36.
const LARGE_SOURCE_SHARE: u64 = 8;

/// Bytes of memory for a byte of source that is parsed, and for one of text (measured 2026-11-24: dense code takes 65, prose 25 where every
/// word is another one).
const PER_BYTE_PARSED: u64 = 64;
const PER_BYTE_READ: u64 = 24;
/// What part of the memory is for files that are extracted at the same time.
const EXTRACTION_SHARE: u64 = 2;

/// The files that are too large to be read, together with all others: the largest go first.
#[derive(Debug, Default)]
pub(super) struct TooLarge {
    /// Size and path of the first one that is not read.
    first: Option<(u64, String)>,
    /// The same of those that would be parsed.
    first_source: Option<(u64, String)>,
}

impl TooLarge {
    /// Those of a listing.
    pub(super) fn of(files: &[FileEntry], memory: u64) -> Self {
        let is_large = |file: &&FileEntry| file.size > LARGE_BYTES;
        let is_large_source = |file: &&FileEntry| file.size > LARGE_SOURCE_BYTES && is_source(file);
        Self {
            first: first(files.iter().filter(is_large), memory / LARGE_SHARE),
            first_source: first(files.iter().filter(is_large_source), memory / LARGE_SOURCE_SHARE),
        }
    }

    /// Whether a file is one of them.
    pub(super) fn holds(&self, file: &FileEntry) -> bool {
        let is_behind = |first: &Option<(u64, String)>| {
            first.as_ref().is_some_and(|(size, path)| (file.size, file.path.as_str()) >= (*size, path.as_str()))
        };
        is_behind(&self.first) || is_source(file) && is_behind(&self.first_source)
    }
}

/// Whether a file is parsed. One that is too large for that is read like others.
fn is_source(file: &FileEntry) -> bool {
    file.size <= activate_grammars::MAX_PARSE_BYTES as u64 && activate_grammars::language_of(file.path.as_str()).is_some()
}

/// The first of files, in the order of their sizes and paths, that has no place in so many bytes.
fn first<'a>(files: impl Iterator<Item = &'a FileEntry>, bytes: u64) -> Option<(u64, String)> {
    let mut files: Vec<(u64, &str)> = files.map(|file| (file.size, file.path.as_str())).collect();
    files.sort_unstable();
    let mut left = bytes;
    let first = files.into_iter().find(|(size, _)| {
        let fits = left.checked_sub(*size);
        left = fits.unwrap_or_default();
        fits.is_none()
    });
    first.map(|(size, path)| (size, path.to_owned()))
}

/// Lets as many files be extracted at once as there is memory for; one in any case.
#[derive(Debug)]
pub(super) struct Gate {
    capacity: u64,
    /// What is taken by files that are extracted now.
    taken: Mutex<u64>,
    freed: Condvar,
}

impl Gate {
    pub(super) fn new(memory: u64) -> Self {
        Self { capacity: memory / EXTRACTION_SHARE, taken: Mutex::default(), freed: Condvar::new() }
    }

    /// Runs `work` on a file of so many bytes once there is memory for it.
    pub(super) fn pass<T>(&self, n_bytes: usize, is_parsed: bool, work: impl FnOnce() -> T) -> T {
        let per_byte = if is_parsed { PER_BYTE_PARSED } else { PER_BYTE_READ };
        let cost = (n_bytes as u64).saturating_mul(per_byte).min(self.capacity);
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut u64| *taken > 0 && *taken + cost > self.capacity;
        *self.freed.wait_while(taken, is_full).unwrap_or_else(PoisonError::into_inner) += cost;
        // What it took is given back also where the work panics.
        let _turn = Turn { gate: self, cost };
        work()
    }
}

struct Turn<'g> {
    gate: &'g Gate,
    cost: u64,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.gate.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.cost;
        self.gate.freed.notify_all();
    }
}

/// The part of the machine's memory that a process may use where nobody says otherwise: a quarter.
const MACHINE_SHARE: u64 = 4;

/// Memory for extraction: what was asked for, or the default as far as the machine has it.
pub(super) fn for_extraction(memory: u64) -> u64 {
    machine().map_or(memory, |machine| memory.min((machine / MACHINE_SHARE).max(MIN_MEMORY)))
}

/// The memory of the machine in bytes, where it can be known.
fn machine() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let info = rustix::system::sysinfo();
        (info.totalram as u64).checked_mul(u64::from(info.mem_unit))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(test)]
mod tests {
    use super::{Gate, MIN_MEMORY, TooLarge};
    use repo::testing::Scratch;
    use repo::{Repo, WalkOptions};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn the_largest_files_go_first_and_the_order_of_the_list_does_not_matter() {
        let scratch = Scratch::new();
        for (path, megabytes) in [("a.txt", 5), ("b.txt", 4), ("c.txt", 4), ("d.txt", 2), ("e.txt", 1)] {
            scratch.write_zeros(path, megabytes << 20);
        }
        let mut files = Repo::open(scratch.path()).expect("a repository").walk(&WalkOptions::default()).expect("a list").files;
        let left_out = |files: &[repo::FileEntry], megabytes: u64| {
            let too_large = TooLarge::of(files, (megabytes << 20) * 4);
            let mut paths: Vec<String> =
                files.iter().filter(|file| too_large.holds(file)).map(|file| file.path.to_string()).collect();
            paths.sort();
            paths.join(" ")
        };
        for _ in 0..2 {
            assert_eq!(left_out(&files, 15), "");
            assert_eq!(left_out(&files, 14), "a.txt");
            assert_eq!(left_out(&files, 9), "a.txt c.txt");
            assert_eq!(left_out(&files, 1), "a.txt b.txt c.txt d.txt", "what is not large is always read");
            files.reverse();
        }
    }

    #[test]
    fn no_more_is_extracted_at_once_than_there_is_memory_for_and_one_in_any_case() {
        let gate = Gate::new(MIN_MEMORY);
        let (now, most) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for n_bytes in [200 << 10, 64 << 20, 100 << 10] {
                        gate.pass(n_bytes, true, || {
                            let cost = (n_bytes as u64 * 64).min(MIN_MEMORY / 2);
                            most.fetch_max(now.fetch_add(cost, Ordering::SeqCst) + cost, Ordering::SeqCst);
                            std::thread::yield_now();
                            now.fetch_sub(cost, Ordering::SeqCst);
                        });
                    }
                });
            }
        });
        assert!(most.load(Ordering::SeqCst) <= MIN_MEMORY / 2);
        assert_eq!(*gate.taken.lock().expect("a lock"), 0);
    }
}
