//! What was derived for a fleet, in parts by repository: of a change those parts alone are made anew that it moves, and the files of the others stay
//! what they were.

#![expect(clippy::disallowed_methods, reason = "a host module: keeps files of ours")]

use super::{file_of, part_of};
use crate::columns::{Table, Value, Writer};
use crate::dataflow::Derived;
use crate::key::Key;
use crate::rules::{Link, Node, Use};
use crate::tables::{DEPENDS, LINKS_IN, LINKS_OUT, UNUSED};
use error::Result;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A link as it stands in the table by users: the use, what it leads to, and how many places it may mean.
type ByUser = (Use, Node, u32);

/// A package that needs another, and whether both are in a cycle.
type Depends = (Key, Key, bool);

/// What follows from shards, in the order of its tables.
#[derive(Default)]
pub(crate) struct Parts {
    links_in: OfTable<Link>,
    links_out: OfTable<ByUser>,
    unused: OfTable<Node>,
    depends: Vec<(Depends, isize)>,
}

/// A table in parts.
struct OfTable<R>(BTreeMap<u16, Part<R>>);

impl<R> Default for OfTable<R> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

struct Part<R> {
    /// Its rows in order, each with how often it follows.
    rows: Vec<(R, isize)>,
    /// Whether they are others than those that were written last.
    is_new: bool,
}

impl Parts {
    /// Takes in what came and what went.
    pub(crate) fn take(&mut self, changes: impl IntoIterator<Item = (Derived, isize)>) {
        let (mut links_in, mut links_out, mut unused) = (Changes::new(), Changes::new(), Changes::new());
        for (row, n_times) in changes {
            match row {
                Derived::Link(link) => {
                    links_in.entry(part_of(link.to.0)).or_default().push((link, n_times));
                    let by_user = (link.of, link.to, link.n_meant);
                    links_out.entry(part_of(link.of.from.0)).or_default().push((by_user, n_times));
                }
                Derived::Unused(node) => unused.entry(part_of(node.0)).or_default().push((node, n_times)),
                Derived::Depends(from, to, in_cycle) => self.depends.push(((from, to, in_cycle), n_times)),
            }
        }
        rayon::join(|| self.links_in.take(links_in), || self.links_out.take(links_out));
        self.unused.take(unused);
        settle(&mut self.depends);
    }

    /// Writes it into a folder. Of what did not change since it was written last the files are those of that folder, if it is still there.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`](error::ErrorKind::Storage) where a table cannot be written.
    pub(crate) fn write(&mut self, folder: &Path, last: Option<&Path>) -> Result<()> {
        let (into, out) = rayon::join(
            || self.links_in.write(LINKS_IN, (folder, last), |link, table| push(table, link, (link.to, link.of.from))),
            || {
                let link = |(of, to, n_meant): &ByUser| Link { to: *to, of: *of, n_meant: *n_meant };
                self.links_out.write(LINKS_OUT, (folder, last), |of, table| push(table, &link(of), (of.0.from, of.1)))
            },
        );
        into.and(out)?;
        self.unused.write(UNUSED, (folder, last), |node, table| table.push(&[Value::Long(node.0), Value::Int(node.1)]))?;
        let mut table = Writer::new(DEPENDS);
        for ((from, to, in_cycle), _) in &self.depends {
            table.push(&[Value::Long(*from), Value::Long(*to), Value::Int(u32::from(*in_cycle))]);
        }
        table.write(folder)
    }

    /// All of it, in order.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<Derived> {
        let links = self.links_in.rows().map(|link| Derived::Link(*link));
        let unused = self.unused.rows().map(|node| Derived::Unused(*node));
        let depends = self.depends.iter().map(|((from, to, in_cycle), _)| Derived::Depends(*from, *to, *in_cycle));
        links.chain(unused).chain(depends).collect()
    }
}

/// Adds a link whose ends stand in this order.
fn push(table: &mut Writer, link: &Link, (first, second): (Node, Node)) {
    table.push(&[
        Value::Long(first.0),
        Value::Int(first.1),
        Value::Long(second.0),
        Value::Int(second.1),
        Value::Int(link.of.line),
        Value::Text(link.of.kind.word()),
        Value::Int(link.n_meant),
    ]);
}

/// What came and what went, by part.
type Changes<R> = BTreeMap<u16, Vec<(R, isize)>>;

impl<R: Ord + Send + Sync> OfTable<R> {
    fn take(&mut self, changes: Changes<R>) {
        for (number, changes) in changes {
            let part = self.0.entry(number).or_insert_with(|| Part { rows: Vec::new(), is_new: true });
            if part.rows.is_empty() {
                part.rows = changes;
            } else {
                part.rows.extend(changes);
            }
            part.is_new = true;
        }
        self.0.par_iter_mut().filter(|(_, part)| part.is_new).for_each(|(_, part)| settle(&mut part.rows));
        self.0.retain(|_, part| !part.rows.is_empty());
    }

    fn write(
        &mut self,
        table: Table,
        (folder, last): (&Path, Option<&Path>),
        push: impl Fn(&R, &mut Writer) + Sync,
    ) -> Result<()> {
        self.0.par_iter_mut().try_for_each(|(number, part)| {
            let name = file_of(table, *number);
            let kept = last.filter(|_| !part.is_new);
            let own = folder.join(&name);
            let is_kept = kept.is_some_and(|last| fs::hard_link(last.join(&name), &own).is_ok());
            if !is_kept {
                // A link that was made and not told of must not be written through.
                let _ = fs::remove_file(own);
                let mut writer = Writer::new(table);
                part.rows.iter().for_each(|(of, _)| push(of, &mut writer));
                writer.write_as(folder, &name)?;
            }
            part.is_new = false;
            Ok(())
        })
    }

    #[cfg(test)]
    fn rows(&self) -> impl Iterator<Item = &R> {
        self.0.values().flat_map(|part| &part.rows).map(|(row, _)| row)
    }
}

/// Puts rows in order, each once with how often it follows; those that follow no more go.
fn settle<R: Ord>(rows: &mut Vec<(R, isize)>) {
    // Runs that are in order are merged.
    rows.sort();
    rows.dedup_by(|next, row| {
        let is_same = next.0 == row.0;
        row.1 += if is_same { next.1 } else { 0 };
        is_same
    });
    rows.retain(|(_, n_times)| *n_times != 0);
}
