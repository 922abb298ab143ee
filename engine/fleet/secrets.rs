//! Secrets of all repositories of a fleet, to be masked wherever they stand. What is kept of one is a keyed hash, never what it is.

use crate::columns::Value::{Int, Long, Text};
use crate::columns::{Rows, Writer};
use crate::run::Source;
use crate::tables::SECRETS;
use error::{Error, ErrorKind, Result};
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
    // What is not known cannot be masked.
    if rows.ints(0).iter().any(|anchor| *anchor >= Print::ANCHORS) {
        let message = "a table of secrets is damaged; `activate fleet sync` makes it again";
        return Err(Error::new(ErrorKind::Storage, message));
    }
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
/// [`ErrorKind::Storage`] where that of a shard cannot be read: what is not known cannot be masked.
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
/// [`ErrorKind::Storage`] where they cannot be read.
pub(crate) fn open(derived: &Path, key: Box<[u8; KEY_BYTES]>) -> Result<Elsewhere> {
    Ok(Elsewhere::new(key, read(derived)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_print_that_cannot_be_is_an_error() {
        let folder = std::env::temp_dir().join(format!("activate-prints-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let print = |anchor| Print { anchor, whole: 7, length: 9, is_part: false, kind: "token".to_owned() };
        table([print(Print::ANCHORS - 1)]).write(&folder).expect("a table");
        assert!(open(&folder, Box::default()).is_ok_and(|known| !known.is_empty()));
        table([print(Print::ANCHORS)]).write(&folder).expect("a table");
        assert!(open(&folder, Box::default()).is_err_and(|error| error.kind == ErrorKind::Storage));
        std::fs::remove_dir_all(&folder).expect("the folder");
    }
}
