//! What the rules derived for a fleet, kept as tables that questions read where they lie.

use crate::columns::{Rows, Value, Writer};
use crate::dataflow::Derived;
use crate::key::Key;
use crate::rules::{Link, Node, Use, UseKind};
use crate::tables::{DEPENDS, LINKS_IN, LINKS_OUT, UNUSED};
use error::Result;
use std::ops::Range;
use std::path::Path;

/// Writes what was derived into a folder, each table in its order.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where a table cannot be written.
pub fn write(folder: &Path, derived: &[Derived]) -> Result<()> {
    let mut links: Vec<Link> =
        derived.iter().filter_map(|row| if let Derived::Link(link) = row { Some(*link) } else { None }).collect();
    links.sort_unstable();
    let mut into = Writer::new(LINKS_IN);
    for Link { to, of: Use { from, line, kind }, n_meant } in &links {
        let ends = [Value::Long(to.0), Value::Int(to.1), Value::Long(from.0), Value::Int(from.1)];
        into.push(&[&ends[..], &[Value::Int(*line), Value::Text(kind.word()), Value::Int(*n_meant)]].concat());
    }
    into.write(folder)?;
    links.sort_unstable_by_key(|link| (link.of, link.to));
    let mut out = Writer::new(LINKS_OUT);
    for Link { to, of: Use { from, line, kind }, n_meant } in &links {
        let ends = [Value::Long(from.0), Value::Int(from.1), Value::Long(to.0), Value::Int(to.1)];
        out.push(&[&ends[..], &[Value::Int(*line), Value::Text(kind.word()), Value::Int(*n_meant)]].concat());
    }
    out.write(folder)?;

    let mut unused: Vec<Node> =
        derived.iter().filter_map(|row| if let Derived::Unused(node) = row { Some(*node) } else { None }).collect();
    unused.sort_unstable();
    let mut table = Writer::new(UNUSED);
    for node in unused {
        table.push(&[Value::Long(node.0), Value::Int(node.1)]);
    }
    table.write(folder)?;

    let depends = derived
        .iter()
        .filter_map(|row| if let Derived::Depends(from, to, cycle) = row { Some((*from, *to, *cycle)) } else { None });
    let mut depends: Vec<(Key, Key, bool)> = depends.collect();
    depends.sort_unstable();
    let mut table = Writer::new(DEPENDS);
    for (from, to, in_cycle) in depends {
        table.push(&[Value::Long(from), Value::Long(to), Value::Int(u32::from(in_cycle))]);
    }
    table.write(folder)
}

/// The definitions of a repository that others can see and no other repository uses, in order.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where the table is missing or damaged.
pub fn unused(folder: &Path, repository: Key) -> Result<Vec<Node>> {
    let rows = Rows::open(UNUSED, folder)?;
    let all = rows.longs(0).iter().zip(rows.ints(1)).map(|(of, node)| (*of, *node));
    Ok(all.filter(|(of, _)| *of == repository).collect())
}

/// Links between repositories, where they lie.
#[derive(Clone)]
pub struct Links {
    into: Rows,
    out: Rows,
}

impl Links {
    /// Those of a folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`](error::ErrorKind::Storage) where a table is missing or damaged.
    pub fn open(folder: &Path) -> Result<Self> {
        Ok(Self { into: Rows::open(LINKS_IN, folder)?, out: Rows::open(LINKS_OUT, folder)? })
    }

    /// The links that lead to a node.
    pub fn to(&self, node: Node) -> impl Iterator<Item = Link> + '_ {
        let rows = rows_of(&self.into, node);
        rows.filter_map(move |row| link(&self.into, row, (2, 0)))
    }

    /// The links that start at a node.
    pub fn from(&self, node: Node) -> impl Iterator<Item = Link> + '_ {
        let rows = rows_of(&self.out, node);
        rows.filter_map(move |row| link(&self.out, row, (0, 2)))
    }

    /// The links that lead to a repository.
    pub fn to_repository(&self, repository: Key) -> impl Iterator<Item = Link> + '_ {
        let repositories = self.into.longs(0);
        let first = repositories.partition_point(|key| *key < repository);
        let n_rows = repositories[first..].partition_point(|key| *key == repository);
        (first..first + n_rows).filter_map(|row| link(&self.into, row, (2, 0)))
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
