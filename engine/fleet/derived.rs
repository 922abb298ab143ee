//! What the rules derived for a fleet, kept as tables that questions read where they lie.

mod parts;

use crate::columns::{Rows, Table};
use crate::dataflow::Derived;
use crate::key::Key;
use crate::rules::{Link, Node, Use, UseKind};
use crate::tables::{LINKS_IN, LINKS_OUT, UNUSED};
use error::{Error, ErrorKind, Result};
pub(crate) use parts::Parts;
use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Parts of a table: most of the repositories of a few hundred have one of their own, and a fleet of any size has no more files.
const N_PARTS: u16 = 1 << PART_BITS;
const PART_BITS: u32 = 12;

/// The part of a table that has what belongs to a repository.
const fn part_of(repository: Key) -> u16 {
    (repository >> (Key::BITS - PART_BITS)) as u16
}

/// The file of a part of a table.
fn file_of(table: Table, part: u16) -> String {
    format!("{}.{part:03x}.arrow", table.name)
}

/// Writes what was derived into a folder, each table in its order.
///
/// # Errors
///
/// [`ErrorKind::Storage`] where a table cannot be written.
pub fn write(folder: &Path, derived: Vec<Derived>) -> Result<()> {
    let mut parts = Parts::default();
    parts.take(derived.into_iter().map(|row| (row, 1)));
    parts.write(folder, None)
}

/// A part of a table once it was asked for; none where it has nothing.
type Part = OnceLock<Result<Option<Rows>>>;

/// Links between repositories and what nobody uses, where they lie: each part is opened when it is first asked for.
pub struct Links {
    folder: PathBuf,
    /// The files of the folder: a part that is not among them has no rows, and one that is and cannot be opened is an error.
    files: BTreeSet<String>,
    into: Vec<Part>,
    out: Vec<Part>,
}

impl Links {
    /// Those of a folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where it is not there.
    pub fn open(folder: &Path) -> Result<Self> {
        let unopened = || (0..N_PARTS).map(|_| OnceLock::new()).collect();
        let name = |entry: io::Result<DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        let files = || -> io::Result<BTreeSet<String>> { fs::read_dir(folder)?.map(name).collect() };
        let failed = |error: io::Error| {
            let message = format!("`{}` cannot be read; `activate fleet sync` makes it again", folder.display());
            Error::new(ErrorKind::Storage, message).because(error)
        };
        Ok(Self { folder: folder.to_owned(), files: files().map_err(failed)?, into: unopened(), out: unopened() })
    }

    /// The part of a table that has what belongs to a repository; none where it has nothing of that.
    fn open_part(&self, table: Table, repository: Key) -> Result<Option<Rows>> {
        let name = file_of(table, part_of(repository));
        self.files.contains(&name).then(|| Rows::open_as(table, &self.folder, &name)).transpose()
    }

    fn part<'l>(&'l self, table: Table, parts: &'l [Part], repository: Key) -> Option<&'l Rows> {
        let part = parts.get(usize::from(part_of(repository)))?;
        part.get_or_init(|| self.open_part(table, repository)).as_ref().ok()?.as_ref()
    }

    /// The definitions of a repository that others can see and no other repository uses, in order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where the table is missing or damaged.
    pub fn unused(&self, repository: Key) -> Result<Vec<Node>> {
        let Some(rows) = self.open_part(UNUSED, repository)? else { return Ok(Vec::new()) };
        let all = rows.longs(0).iter().zip(rows.ints(1)).map(|(of, node)| (*of, *node));
        Ok(all.filter(|(of, _)| *of == repository).collect())
    }

    /// Parts that could not be opened when they were first asked for.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Error> {
        self.into.iter().chain(&self.out).filter_map(|part| part.get()?.as_ref().err())
    }

    /// The links that lead to a node.
    pub fn to(&self, node: Node) -> impl Iterator<Item = Link> + '_ {
        let part = self.part(LINKS_IN, &self.into, node.0);
        part.into_iter().flat_map(move |rows| rows_of(rows, node).filter_map(move |row| link(rows, row, (2, 0))))
    }

    /// The links that start at a node.
    pub fn from(&self, node: Node) -> impl Iterator<Item = Link> + '_ {
        let part = self.part(LINKS_OUT, &self.out, node.0);
        part.into_iter().flat_map(move |rows| rows_of(rows, node).filter_map(move |row| link(rows, row, (0, 2))))
    }

    /// The links that lead to a repository.
    pub fn to_repository(&self, repository: Key) -> impl Iterator<Item = Link> + '_ {
        let part = self.part(LINKS_IN, &self.into, repository);
        part.into_iter().flat_map(move |rows| {
            let repositories = rows.longs(0);
            let first = repositories.partition_point(|key| *key < repository);
            let n_rows = repositories[first..].partition_point(|key| *key == repository);
            (first..first + n_rows).filter_map(move |row| link(rows, row, (2, 0)))
        })
    }
}

/// A row, in which the columns of both ends begin at these places.
fn link(rows: &Rows, row: usize, (from, to): (usize, usize)) -> Option<Link> {
    let node = |column: usize| Some((*rows.longs(column).get(row)?, *rows.ints(column + 1).get(row)?));
    let kind = UseKind::of(rows.text(5, row))?;
    let (line, n_meant) = (*rows.ints(4).get(row)?, *rows.ints(6).get(row)?);
    Some(Link { to: node(to)?, of: Use { from: node(from)?, line, kind }, n_meant })
}

/// The rows that begin with a node, in a table that is in their order.
fn rows_of(rows: &Rows, node: Node) -> Range<usize> {
    let (repositories, nodes) = (rows.longs(0), rows.ints(1));
    let at = |row: usize| (repositories[row], nodes[row]);
    let n_rows = repositories.len().min(nodes.len());
    let find = |is_before: &dyn Fn(Node) -> bool| {
        let (mut low, mut high) = (0, n_rows);
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(at(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    };
    find(&|row| row < node)..find(&|row| row <= node)
}
