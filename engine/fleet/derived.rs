//! What the rules derived for a fleet, kept as tables that questions read where they lie.

use crate::columns::{Rows, Table, Value, Writer};
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
    let mut by_user = links.clone();
    // Each is millions of rows, of which a change moves few: the two tables are made side by side.
    let (into, out) = rayon::join(
        || write_links(LINKS_IN, folder, &links, |link| (link.to, link.of.from)),
        || {
            by_user.sort_unstable_by_key(|link| (link.of, link.to));
            write_links(LINKS_OUT, folder, &by_user, |link| (link.of.from, link.to))
        },
    );
    into.and(out)?;

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

/// Writes a table of links in this order; `ends` gives the two ends as the columns have them.
fn write_links(table: Table, folder: &Path, links: &[Link], ends: impl Fn(&Link) -> (Node, Node)) -> Result<()> {
    let mut writer = Writer::new(table);
    for link in links {
        let (first, second) = ends(link);
        writer.push(&[
            Value::Long(first.0),
            Value::Int(first.1),
            Value::Long(second.0),
            Value::Int(second.1),
            Value::Int(link.of.line),
            Value::Text(link.of.kind.word()),
            Value::Int(link.n_meant),
        ]);
    }
    writer.write(folder)
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
