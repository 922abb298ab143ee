//! Secrets of all repositories of a fleet, to be masked wherever they stand. What is kept of one is a keyed hash, never what it is.

use crate::columns::Value::{Int, Long, Text};
use crate::columns::{Rows, Writer};
use crate::run::Source;
use crate::tables::SECRETS;
use error::Result;
use redact::{Elsewhere, KEY_BYTES, Print};
use std::path::Path;

/// The table of prints.
pub(crate) fn table(prints: impl IntoIterator<Item = Print>) -> Writer {
    let mut table = Writer::new(SECRETS);
    for Print { anchor, whole, length, is_part, kind } in prints {
        table.push(&[Int(anchor), Long(whole), Int(length), Int(u32::from(is_part)), Text(&kind)]);
    }
    table
}

fn read(folder: &Path) -> Result<Vec<Print>> {
    let rows = Rows::open(SECRETS, folder)?;
    let number = |column: usize, row: usize| rows.ints(column).get(row).copied().unwrap_or_default();
    let print = |(row, whole): (usize, &u64)| Print {
        anchor: number(0, row),
        whole: *whole,
        length: number(2, row),
        is_part: number(3, row) == 1,
        kind: rows.text(4, row).to_owned(),
    };
    Ok(rows.longs(1).iter().enumerate().map(print).collect())
}

/// Gathers those of all shards in one table.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where that of a shard cannot be read: what is not known cannot be masked.
pub fn write(folder: &Path, shards: &[Source]) -> Result<()> {
    let mut all = Vec::new();
    for source in shards {
        all.extend(read(&source.folder)?);
    }
    all.sort_unstable();
    all.dedup();
    table(all).write(folder)
}

/// Those of all repositories of which something was derived.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where they cannot be read.
pub(crate) fn open(derived: &Path, key: Box<[u8; KEY_BYTES]>) -> Result<Elsewhere> {
    Ok(Elsewhere::new(key, read(derived)?))
}
