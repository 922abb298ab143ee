//! What a fleet has, in two tables: its repositories with their commits, and the packages that they publish.

use crate::columns::Value::{Long, Text};
use crate::columns::{Rows, Writer};
use crate::key::{self, Key};
use crate::run::Source;
use crate::shard_notes::Notes;
use crate::tables::{DEPENDS, NEEDS, PACKAGES, PUBLISHED, REPOSITORIES};
use error::Result;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::Path;

/// Writes the tables of shards, in the order given.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where a table cannot be written, or what a shard says of itself and its packages not read.
pub fn write(folder: &Path, shards: &[Source]) -> Result<()> {
    let mut repositories = Writer::new(REPOSITORIES);
    let mut published = Writer::new(PUBLISHED);
    for source in shards {
        let commit = Notes::read(&source.folder)?.commit;
        let repository = key::repository(&source.name);
        repositories.push(&[Long(repository), Text(&source.name), Text(&commit)]);
        let packages = Rows::open(PACKAGES, &source.folder)?;
        for row in 0..packages.len() {
            let text = |column| Text(packages.text(column, row));
            let package = packages.longs(1).get(row).copied().unwrap_or_default();
            published.push(&[Long(package), Long(repository), text(2), text(3), text(4), text(5)]);
        }
        // What a manifest without a name of its own needs is needed by its folder.
        let named: FxHashSet<Key> = packages.longs(1).iter().copied().collect();
        let needs = Rows::open(NEEDS, &source.folder)?;
        let folders = needs.longs(0).iter().enumerate().filter(|(_, key)| !named.contains(key));
        let folders: BTreeMap<Key, usize> = folders.map(|(row, key)| (*key, row)).collect();
        for (key, row) in folders {
            let folder = needs.text(5, row);
            let name = format!("{}/{folder}", source.name);
            let name = Text(name.trim_end_matches('/'));
            published.push(&[Long(key), Long(repository), Text(needs.text(2, row)), name, Text(""), Text(folder)]);
        }
    }
    repositories.write(folder)?;
    published.write(folder)
}

/// A package of the fleet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// The name of its repository.
    pub repository: String,
    /// Where others get it from: `go`, `cargo`, `npm`, `pypi`, `maven`.
    pub registry: String,
    /// Its name there; of a manifest without a name its repository and folder.
    pub name: String,
    /// Its version, where the manifest says one.
    pub version: String,
}

/// A package that needs another of the fleet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    /// The package.
    pub from: Package,
    /// The other.
    pub to: Package,
    /// Whether the other needs it too, by way of others perhaps.
    pub in_cycle: bool,
}

/// Which packages of a fleet need which others, as far as a reader sees the repositories of both, in order.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where a table cannot be read.
pub fn needs(folder: &Path, sees: &dyn Fn(&str) -> bool) -> Result<Vec<Need>> {
    let repositories = Rows::open(REPOSITORIES, folder)?;
    let names = repositories.longs(0).iter().enumerate().map(|(row, key)| (*key, repositories.text(1, row)));
    let names: FxHashMap<Key, &str> = names.filter(|(_, name)| sees(name)).collect();
    let published = Rows::open(PUBLISHED, folder)?;
    let package = |row: usize| {
        let text = |column| published.text(column, row).to_owned();
        let repository = (*names.get(published.longs(1).get(row)?)?).to_owned();
        Some(Package { repository, registry: text(2), name: text(3), version: text(4) })
    };
    let packages: FxHashMap<Key, Package> =
        published.longs(0).iter().enumerate().filter_map(|(row, key)| Some((*key, package(row)?))).collect();
    let depends = Rows::open(DEPENDS, folder)?;
    let row = |((from, to), in_cycle): ((&Key, &Key), &u32)| {
        Some(Need { from: packages.get(from)?.clone(), to: packages.get(to)?.clone(), in_cycle: *in_cycle == 1 })
    };
    let mut needs: Vec<Need> = depends.longs(0).iter().zip(depends.longs(1)).zip(depends.ints(2)).filter_map(row).collect();
    needs.sort();
    Ok(needs)
}
