//! The one format of every file of the cache: byte entries by key before a table, with checksums, built in memory exactly as on disk.
//!
//! All numbers are little-endian. A pack is written from front to end without a look back, so that nobody need hold it in memory: its
//! entries, a table sorted by key, and at its end the foot with the checksum:
//!
//! ```text
//! entries   each at a multiple of 16, the gaps zero
//! table     per entry: key 16 | offset from the start of the pack 8 | length 8 | checksum 16
//! foot      magic 8 | format 8 | tool 16 | owner 16 | length of the pack 8 | number of entries 8
//! checksum  16, over table and foot
//! ```

use super::aligned::{ALIGNMENT, AlignedBytes};
use memmap2::Mmap;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

const MAGIC: [u8; 8] = *b"activate";

/// The version of the layout above and of the keys; any other is a miss.
const FORMAT: u64 = 4;

// Places within the foot.
const LENGTH_AT: usize = 48;
const N_ENTRIES_AT: usize = 56;
const CHECKSUM_AT: usize = 64;
const FOOT_LENGTH: usize = 80;

const ROW_LENGTH: usize = 48;

/// Bytes that are read at once to be checked: they stay in the processor's cache until they are hashed.
const READ_AT_ONCE: usize = 64 * 1024;

/// The hash of a list of byte strings, of which no two different lists are written alike.
///
/// Guards against chance, not against somebody who searches for two contents with one hash.
pub(super) fn digest(parts: &[&[u8]]) -> u128 {
    let mut hash = Xxh3::new();
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.digest128()
}

/// Whose pack it is and which program can read it; a pack with another identity is a miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    tool: u128,
    owner: u128,
}

impl Identity {
    /// The identity of what this program writes for `owner`, as long as it has `fingerprint`.
    pub(super) fn new(owner: u128, fingerprint: u128) -> Self {
        // Entries may be arrays of numbers as this machine keeps them, so a pack from one of the other kind must not be read.
        let byte_order = 1_u32.to_ne_bytes();
        let tool = digest(&[env!("CARGO_PKG_VERSION").as_bytes(), &byte_order, &fingerprint.to_le_bytes()]);
        Self { tool, owner }
    }
}

/// Fills a buffer with the bytes at a place of a pack.
pub(super) type Read<'r> = &'r (dyn Fn(u64, &mut [u8]) -> io::Result<()> + Sync);

/// Byte entries by key.
#[derive(Debug)]
pub(super) struct Pack {
    bytes: Bytes,
    n_entries: usize,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Built(AlignedBytes),
}

/// What a pack has under a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) key: u128,
    /// In bytes.
    pub(super) length: u64,
}

/// One line of the table.
#[derive(Debug, Clone, Copy)]
struct Row {
    key: u128,
    offset: u64,
    length: u64,
    checksum: u128,
}

impl Pack {
    /// Lays out `entries`, in any order; of several with one key the first counts.
    pub(super) fn build(identity: Identity, entries: &[(u128, &[u8])]) -> Self {
        let entries = by_key(entries);
        let ends = entries.iter().map(|(_, content)| content.len().next_multiple_of(ALIGNMENT));
        let mut bytes = AlignedBytes::zeroed(ends.sum::<usize>() + entries.len() * ROW_LENGTH + FOOT_LENGTH);
        let sink: &mut [u8] = &mut bytes;
        let written = write_all(sink, identity, &entries);
        // What has exactly the length that is written takes all of it.
        let n_entries = written.map_or(0, |()| entries.len());
        Self { bytes: Bytes::Built(bytes), n_entries }
    }

    /// Writes what [`Pack::build`] would lay out.
    pub(super) fn write(sink: impl Write, identity: Identity, entries: &[(u128, &[u8])]) -> io::Result<()> {
        write_all(sink, identity, &by_key(entries))
    }

    /// Takes what a file holds as a pack of `identity`, if header and table are whole; entries are checked by [`Pack::get`].
    ///
    /// Costs time in proportion to the table alone.
    pub(super) fn open(map: Mmap, identity: Identity) -> Option<Self> {
        let n_entries = checked_table(&map, identity)?;
        Some(Self { bytes: Bytes::Mapped(map), n_entries })
    }

    /// The content under `key`, if it is there and as it was written.
    pub(super) fn get(&self, key: u128) -> Option<&[u8]> {
        self.find(key).and_then(|(_, row)| self.checked(row))
    }

    /// Whether there is an entry under `key`, damaged or not.
    pub(super) fn has(&self, key: u128) -> bool {
        self.find(key).is_some()
    }

    /// The place of the entry under `key` in the table.
    pub(super) fn place(&self, key: u128) -> Option<usize> {
        self.find(key).map(|(place, _)| place)
    }

    /// Where the content of each entry lies in the pack, in the order of the table, unchecked: for packs just built or found
    /// [whole](Pack::is_whole).
    pub(super) fn extents(&self) -> impl Iterator<Item = Range<usize>> {
        // A pack that was opened or built has no row that leads out of it.
        self.rows().map(|row| row.offset as usize..(row.offset + row.length) as usize)
    }

    /// Whether every entry is as it was written, as `read` gives the bytes at a place of the pack: what is mapped and not needed
    /// later need not come into memory for that.
    pub(super) fn is_whole(&self, read: Read<'_>) -> bool {
        let rows: Vec<Row> = self.rows().collect();
        rows.par_iter().all(|row| row.is_whole(read).unwrap_or(false))
    }

    /// The keys of all entries, ascending.
    pub(super) fn keys(&self) -> impl Iterator<Item = u128> {
        self.rows().map(|row| row.key)
    }

    /// All entries in the order in which they were written.
    pub(super) fn as_written(&self) -> Vec<Entry> {
        let mut rows: Vec<Row> = self.rows().collect();
        rows.sort_by_key(|row| row.offset);
        rows.iter().map(|row| Entry { key: row.key, length: row.length }).collect()
    }

    /// What tells this pack's table from every other's.
    pub(super) fn checksum(&self) -> u128 {
        let bytes = self.bytes();
        bytes.len().checked_sub(FOOT_LENGTH).and_then(|foot| u128_at(bytes, foot + CHECKSUM_AT)).unwrap_or_default()
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.n_entries
    }

    /// The whole pack, as a file holds it.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(bytes) => bytes,
            Bytes::Built(bytes) => bytes,
        }
    }

    fn rows(&self) -> impl Iterator<Item = Row> {
        (0..self.n_entries).filter_map(|row| Row::read(self.table(), row))
    }

    fn table(&self) -> &[u8] {
        table_of(self.bytes(), self.n_entries).unwrap_or_default()
    }

    fn find(&self, key: u128) -> Option<(usize, Row)> {
        let (mut low, mut high) = (0, self.n_entries);
        while low < high {
            let middle = low.midpoint(high);
            let row = Row::read(self.table(), middle)?;
            match row.key.cmp(&key) {
                std::cmp::Ordering::Equal => return Some((middle, row)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn content(&self, row: Row) -> Option<&[u8]> {
        let start = usize::try_from(row.offset).ok()?;
        let end = start.checked_add(usize::try_from(row.length).ok()?)?;
        self.bytes().get(start..end)
    }

    fn checked(&self, row: Row) -> Option<&[u8]> {
        self.content(row).filter(|content| xxh3_128(content) == row.checksum)
    }
}

impl Row {
    fn read(table: &[u8], row: usize) -> Option<Self> {
        let row = table.get(row.checked_mul(ROW_LENGTH)?..)?;
        Some(Self { key: u128_at(row, 0)?, offset: u64_at(row, 16)?, length: u64_at(row, 24)?, checksum: u128_at(row, 32)? })
    }

    fn is_whole(self, read: Read<'_>) -> io::Result<bool> {
        let mut buffer = vec![0; READ_AT_ONCE.min(self.length as usize)];
        let mut hash = Xxh3::new();
        let (mut at, mut left) = (self.offset, self.length as usize);
        while left > 0 {
            let part = &mut buffer[..READ_AT_ONCE.min(left)];
            read(at, part)?;
            hash.update(part);
            at += part.len() as u64;
            left -= part.len();
        }
        Ok(hash.digest128() == self.checksum)
    }

    fn bytes(self) -> [u8; ROW_LENGTH] {
        let mut row = [0; ROW_LENGTH];
        row[..16].copy_from_slice(&self.key.to_le_bytes());
        row[16..24].copy_from_slice(&self.offset.to_le_bytes());
        row[24..32].copy_from_slice(&self.length.to_le_bytes());
        row[32..].copy_from_slice(&self.checksum.to_le_bytes());
        row
    }
}

/// Writes a pack entry by entry.
#[derive(Debug)]
pub(super) struct PackWriter<W> {
    sink: W,
    rows: Vec<Row>,
    /// Where the next entry begins.
    at: u64,
}

impl<W: Write> PackWriter<W> {
    /// Writes to what holds nothing yet.
    pub(super) fn new(sink: W) -> Self {
        Self { sink, rows: Vec::new(), at: 0 }
    }

    /// Adds an entry; of several with one key the first counts.
    pub(super) fn add(&mut self, key: u128, content: &[u8]) -> io::Result<()> {
        let length = content.len() as u64;
        self.sink.write_all(content)?;
        self.rows.push(Row { key, offset: self.at, length, checksum: xxh3_128(content) });
        let gap = length.next_multiple_of(ALIGNMENT as u64) - length;
        self.sink.write_all(&[0; ALIGNMENT][..gap as usize])?;
        self.at += length + gap;
        Ok(())
    }

    /// Writes table and foot.
    pub(super) fn finish(mut self, identity: Identity) -> io::Result<()> {
        self.rows.sort_by_key(|row| row.key);
        self.rows.dedup_by_key(|row| row.key);
        let mut end: Vec<u8> = self.rows.iter().flat_map(|row| row.bytes()).collect();
        let length = self.at + (end.len() + FOOT_LENGTH) as u64;
        end.extend(foot(identity, length, self.rows.len() as u64));
        end.extend(xxh3_128(&end).to_le_bytes());
        self.sink.write_all(&end)?;
        self.sink.flush()
    }
}

fn by_key<'e>(entries: &[(u128, &'e [u8])]) -> Vec<(u128, &'e [u8])> {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|(key, _)| *key);
    entries.dedup_by_key(|(key, _)| *key);
    entries
}

fn write_all(sink: impl Write, identity: Identity, entries: &[(u128, &[u8])]) -> io::Result<()> {
    let mut writer = PackWriter::new(sink);
    for (key, content) in entries {
        writer.add(*key, content)?;
    }
    writer.finish(identity)
}

/// The table of a pack with so many entries.
fn table_of(bytes: &[u8], n_entries: usize) -> Option<&[u8]> {
    let end = bytes.len().checked_sub(FOOT_LENGTH)?;
    bytes.get(end.checked_sub(n_entries.checked_mul(ROW_LENGTH)?)?..end)
}

/// The number of entries, if `bytes` end with a table and a foot that fit `identity`, their checksum and the bytes' length.
///
/// A matching checksum is not trusted to mean that a writer of ours made the table: its rows are checked one by one.
fn checked_table(bytes: &[u8], identity: Identity) -> Option<usize> {
    let last = bytes.get(bytes.len().checked_sub(FOOT_LENGTH)?..)?;
    let n_entries = u64_at(last, N_ENTRIES_AT)?;
    // The rest of the foot follows from this, so one comparison finds every deviation.
    if last.get(..CHECKSUM_AT)? != foot(identity, bytes.len() as u64, n_entries) {
        return None;
    }
    let n_entries = usize::try_from(n_entries).ok()?;
    let table = table_of(bytes, n_entries)?;
    let entries_end = (bytes.len() - FOOT_LENGTH - table.len()) as u64;
    if u128_at(last, CHECKSUM_AT)? != table_checksum(bytes, table) {
        return None;
    }
    let mut previous = None;
    for row in 0..n_entries {
        let row = Row::read(table, row)?;
        let ascends = previous.is_none_or(|previous| previous < row.key);
        let is_placed = row.offset.is_multiple_of(ALIGNMENT as u64);
        if !ascends || !is_placed || row.offset.checked_add(row.length)? > entries_end {
            return None;
        }
        previous = Some(row.key);
    }
    Some(n_entries)
}

fn foot(identity: Identity, length: u64, n_entries: u64) -> [u8; CHECKSUM_AT] {
    let mut foot = [0; CHECKSUM_AT];
    foot[..8].copy_from_slice(&MAGIC);
    foot[8..16].copy_from_slice(&FORMAT.to_le_bytes());
    foot[16..32].copy_from_slice(&identity.tool.to_le_bytes());
    foot[32..LENGTH_AT].copy_from_slice(&identity.owner.to_le_bytes());
    foot[LENGTH_AT..N_ENTRIES_AT].copy_from_slice(&length.to_le_bytes());
    foot[N_ENTRIES_AT..].copy_from_slice(&n_entries.to_le_bytes());
    foot
}

fn table_checksum(bytes: &[u8], table: &[u8]) -> u128 {
    let foot = bytes.len() - FOOT_LENGTH;
    xxh3_128(&bytes[foot - table.len()..foot + CHECKSUM_AT])
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|number| u64::from_le_bytes(*number))
}

fn u128_at(bytes: &[u8], at: usize) -> Option<u128> {
    bytes.get(at..)?.first_chunk().map(|number| u128::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: Identity = Identity { tool: 1, owner: 2 };

    type Change = fn(&mut [u8]);

    fn sealed(change: Change) -> Vec<u8> {
        let pack = Pack::build(IDENTITY, &[(7, b"seven"), (5, b"five")]);
        let mut bytes = pack.bytes().to_vec();
        change(&mut bytes);
        let foot = bytes.len() - FOOT_LENGTH;
        let checksum = xxh3_128(&bytes[foot - 2 * ROW_LENGTH..foot + CHECKSUM_AT]);
        bytes[foot + CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Puts a number to a place counted from the start of the table.
    fn set(bytes: &mut [u8], at: usize, number: u64) {
        let at = bytes.len() - FOOT_LENGTH - 2 * ROW_LENGTH + at;
        bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
    }

    #[test]
    fn a_forged_table_is_a_miss_though_its_checksum_is_right() {
        const FOOT: usize = 2 * ROW_LENGTH;
        const OFFSET: usize = 16;
        const LENGTH: usize = 24;
        assert_eq!(checked_table(&sealed(|_| ()), IDENTITY), Some(2));
        let forgeries: [(&str, Change); 11] = [
            ("another magic", |bytes| set(bytes, FOOT, 9)),
            ("another format", |bytes| set(bytes, FOOT + 8, FORMAT + 1)),
            ("another tool", |bytes| set(bytes, FOOT + 16, 9)),
            ("another owner", |bytes| set(bytes, FOOT + 32, 9)),
            ("another length", |bytes| set(bytes, FOOT + LENGTH_AT, 9)),
            ("more entries than bytes", |bytes| set(bytes, FOOT + N_ENTRIES_AT, u64::MAX / 2)),
            ("an entry over the table", |bytes| set(bytes, OFFSET, 32)),
            ("an entry off its place", |bytes| set(bytes, OFFSET, 1)),
            ("an entry beyond the end", |bytes| set(bytes, OFFSET, 1 << 40)),
            ("an entry without end", |bytes| set(bytes, LENGTH, u64::MAX)),
            ("keys out of order", |bytes| set(bytes, 0, 8)),
        ];
        for (what, change) in forgeries {
            assert_eq!(checked_table(&sealed(change), IDENTITY), None, "{what}");
        }
    }

    #[test]
    fn the_written_order_of_entries_does_not_show_and_the_first_of_a_key_counts() {
        let one = Pack::build(IDENTITY, &[(2, b"b"), (1, b"a"), (2, b"late")]);
        let other = Pack::build(IDENTITY, &[(1, b"a"), (2, b"b")]);
        assert_eq!(one.bytes(), other.bytes());
        assert_eq!(one.get(2), Some(&b"b"[..]));
    }

    #[test]
    fn lists_of_parts_that_join_alike_have_different_digests() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
        assert_ne!(digest(&[b"ab"]), digest(&[b"ab", b""]));
    }
}
