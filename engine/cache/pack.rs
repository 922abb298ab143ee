//! The one format of every file of the cache: byte entries by key behind a table, with checksums, built in memory exactly as on disk.
//!
//! Must not know files or folders, nor what the entries mean.
//!
//! All numbers are little-endian. A pack is a header, the header's checksum, a table sorted by key, and the entries:
//!
//! ```text
//! header    magic 8 | format 8 | tool 16 | owner 16 | stamp 16 | length of the pack 8 | number of entries 8
//! checksum  16, over header and table
//! table     per entry: key 16 | offset from the start of the pack 8 | length 8 | checksum 16
//! entries   each at a multiple of 16, the gaps zero
//! ```

use super::aligned::{ALIGNMENT, AlignedBytes};
use memmap2::Mmap;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

const MAGIC: [u8; 8] = *b"activate";

/// The version of the layout above and of the keys; any other is a miss.
const FORMAT: u64 = 2;

const STAMP_AT: usize = 48;
const LENGTH_AT: usize = 64;
const N_ENTRIES_AT: usize = 72;
const CHECKSUM_AT: usize = 80;
const TABLE_AT: usize = 96;
const ROW_LENGTH: usize = 48;

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
    pub(super) fn build(identity: Identity, stamp: u128, mut entries: Vec<(u128, &[u8])>) -> Self {
        entries.sort_by_key(|(key, _)| *key);
        entries.dedup_by_key(|(key, _)| *key);
        let table_end = TABLE_AT + entries.len() * ROW_LENGTH;
        let length = entries.iter().fold(table_end, |end, (_, content)| end.next_multiple_of(ALIGNMENT) + content.len());
        let mut bytes = AlignedBytes::zeroed(length);
        bytes[..CHECKSUM_AT].copy_from_slice(&header(identity, stamp, length as u64, entries.len() as u64));
        let mut end = table_end;
        for (row, (key, content)) in entries.iter().enumerate() {
            let offset = end.next_multiple_of(ALIGNMENT);
            end = offset + content.len();
            bytes[offset..end].copy_from_slice(content);
            let row = &mut bytes[TABLE_AT + row * ROW_LENGTH..][..ROW_LENGTH];
            Row { key: *key, offset: offset as u64, length: content.len() as u64, checksum: xxh3_128(content) }.write(row);
        }
        let n_entries = entries.len();
        seal(&mut bytes, n_entries);
        Self { bytes: Bytes::Built(bytes), n_entries }
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
        self.row(key).and_then(|row| self.checked(row))
    }

    /// The content under `key`, unchecked: for packs just built or found [whole](Pack::is_whole).
    pub(super) fn get_unchecked(&self, key: u128) -> Option<&[u8]> {
        self.row(key).and_then(|row| self.content(row))
    }

    /// Whether every entry is as it was written.
    pub(super) fn is_whole(&self) -> bool {
        self.rows().all(|row| self.checked(row).is_some())
    }

    /// The keys of all entries, ascending.
    pub(super) fn keys(&self) -> impl Iterator<Item = u128> {
        self.rows().map(|row| row.key)
    }

    /// What the writer said about the state it was made from.
    pub(super) fn stamp(&self) -> u128 {
        u128_at(self.bytes(), STAMP_AT).unwrap_or_default()
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
        (0..self.n_entries).filter_map(|row| Row::read(self.bytes(), row))
    }

    fn row(&self, key: u128) -> Option<Row> {
        let (mut low, mut high) = (0, self.n_entries);
        while low < high {
            let middle = low.midpoint(high);
            let row = Row::read(self.bytes(), middle)?;
            match row.key.cmp(&key) {
                std::cmp::Ordering::Equal => return Some(row),
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
    fn read(bytes: &[u8], row: usize) -> Option<Self> {
        let at = row.checked_mul(ROW_LENGTH)?.checked_add(TABLE_AT)?;
        let row = bytes.get(at..)?;
        Some(Self { key: u128_at(row, 0)?, offset: u64_at(row, 16)?, length: u64_at(row, 24)?, checksum: u128_at(row, 32)? })
    }

    fn write(self, row: &mut [u8]) {
        row[..16].copy_from_slice(&self.key.to_le_bytes());
        row[16..24].copy_from_slice(&self.offset.to_le_bytes());
        row[24..32].copy_from_slice(&self.length.to_le_bytes());
        row[32..].copy_from_slice(&self.checksum.to_le_bytes());
    }
}

/// The number of entries, if `bytes` begin with a header and a table that fit `identity`, their checksum and the bytes' length.
///
/// A matching checksum is not trusted to mean that a writer of ours made the table: its rows are checked one by one.
fn checked_table(bytes: &[u8], identity: Identity) -> Option<usize> {
    let (stamp, n_entries) = (u128_at(bytes, STAMP_AT)?, u64_at(bytes, N_ENTRIES_AT)?);
    // The rest of the header follows from these two, so one comparison finds every deviation.
    if bytes.get(..CHECKSUM_AT)? != header(identity, stamp, bytes.len() as u64, n_entries) {
        return None;
    }
    let n_entries = usize::try_from(n_entries).ok()?;
    let table_end = n_entries.checked_mul(ROW_LENGTH)?.checked_add(TABLE_AT)?;
    if table_end > bytes.len() || u128_at(bytes, CHECKSUM_AT)? != table_checksum(bytes, table_end) {
        return None;
    }
    let mut previous = None;
    for row in 0..n_entries {
        let row = Row::read(bytes, row)?;
        let ascends = previous.is_none_or(|previous| previous < row.key);
        let is_placed = row.offset >= table_end as u64 && row.offset.is_multiple_of(ALIGNMENT as u64);
        if !ascends || !is_placed || row.offset.checked_add(row.length)? > bytes.len() as u64 {
            return None;
        }
        previous = Some(row.key);
    }
    Some(n_entries)
}

fn header(identity: Identity, stamp: u128, length: u64, n_entries: u64) -> [u8; CHECKSUM_AT] {
    let mut header = [0; CHECKSUM_AT];
    header[..8].copy_from_slice(&MAGIC);
    header[8..16].copy_from_slice(&FORMAT.to_le_bytes());
    header[16..32].copy_from_slice(&identity.tool.to_le_bytes());
    header[32..STAMP_AT].copy_from_slice(&identity.owner.to_le_bytes());
    header[STAMP_AT..LENGTH_AT].copy_from_slice(&stamp.to_le_bytes());
    header[LENGTH_AT..N_ENTRIES_AT].copy_from_slice(&length.to_le_bytes());
    header[N_ENTRIES_AT..].copy_from_slice(&n_entries.to_le_bytes());
    header
}

/// Writes the checksum over header and table into its place.
fn seal(bytes: &mut [u8], n_entries: usize) {
    let checksum = table_checksum(bytes, TABLE_AT + n_entries * ROW_LENGTH);
    bytes[CHECKSUM_AT..TABLE_AT].copy_from_slice(&checksum.to_le_bytes());
}

fn table_checksum(bytes: &[u8], table_end: usize) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(&bytes[..CHECKSUM_AT]);
    hash.update(&bytes[TABLE_AT..table_end]);
    hash.digest128()
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
        let pack = Pack::build(IDENTITY, 3, vec![(7, b"seven"), (5, b"five")]);
        let mut bytes = pack.bytes().to_vec();
        change(&mut bytes);
        seal(&mut bytes, 2);
        bytes
    }

    fn set(bytes: &mut [u8], at: usize, number: u64) {
        bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
    }

    #[test]
    fn a_forged_table_is_a_miss_though_its_checksum_is_right() {
        const OFFSET: usize = TABLE_AT + 16;
        const LENGTH: usize = TABLE_AT + 24;
        assert_eq!(checked_table(&sealed(|_| ()), IDENTITY), Some(2));
        let forgeries: [(&str, Change); 11] = [
            ("another magic", |bytes| bytes[0] = b'A'),
            ("another format", |bytes| set(bytes, 8, FORMAT + 1)),
            ("another tool", |bytes| set(bytes, 16, 9)),
            ("another owner", |bytes| set(bytes, 32, 9)),
            ("another length", |bytes| set(bytes, LENGTH_AT, 9)),
            ("more entries than bytes", |bytes| set(bytes, N_ENTRIES_AT, u64::MAX / 2)),
            ("an entry over the table", |bytes| set(bytes, OFFSET, 16)),
            ("an entry off its place", |bytes| set(bytes, OFFSET, (TABLE_AT + 2 * ROW_LENGTH + 1) as u64)),
            ("an entry beyond the end", |bytes| set(bytes, OFFSET, 1 << 40)),
            ("an entry without end", |bytes| set(bytes, LENGTH, u64::MAX)),
            ("keys out of order", |bytes| set(bytes, TABLE_AT, 8)),
        ];
        for (what, change) in forgeries {
            assert_eq!(checked_table(&sealed(change), IDENTITY), None, "{what}");
        }
    }

    #[test]
    fn the_written_order_of_entries_does_not_show_and_the_first_of_a_key_counts() {
        let one = Pack::build(IDENTITY, 0, vec![(2, b"b"), (1, b"a"), (2, b"late")]);
        let other = Pack::build(IDENTITY, 0, vec![(1, b"a"), (2, b"b")]);
        assert_eq!(one.bytes(), other.bytes());
        assert_eq!(one.get(2), Some(&b"b"[..]));
    }

    #[test]
    fn lists_of_parts_that_join_alike_have_different_digests() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
        assert_ne!(digest(&[b"ab"]), digest(&[b"ab", b""]));
    }
}
