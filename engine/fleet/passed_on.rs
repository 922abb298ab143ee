//! What a name of a module leads to where the module only passes it on, from another repository perhaps: `serde#Serialize`.

use crate::columns::{Rows, Table};
use crate::key::{self, Key, is_place};
use crate::rules::Node;
use crate::shards::{Shard, Shards};
use crate::tables::{MEMBERS, MODULES, TERMS, TYPES};
use error::{Error, Result};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

/// The most steps between a name and what it means, and the most that are taken in all: what passes names on in a circle ends there.
const MAX_STEPS: u32 = 24;
const MAX_ALL: u32 = 4_096;

/// A place in a shard, by its number and key.
type Spot = (usize, Key);

/// The tables of a shard by which names are followed.
struct Tables {
    members: Rows,
    terms: Rows,
    types: Rows,
}

struct Follow<'s> {
    shards: &'s Shards,
    opened: Vec<OnceCell<Option<Tables>>>,
    /// Modules by the keys of the names under which they are published.
    published: OnceCell<FxHashMap<Key, Vec<Spot>>>,
    n_taken: u32,
    failed: RefCell<Option<Error>>,
}

/// The definitions that a name means in the modules of some shards that `is_meant` knows by registry and name; `name` may have members behind dots.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where nothing was found and a table could not be read.
pub(crate) fn passed_on(
    shards: &Shards,
    is_own: &dyn Fn(&Shard) -> bool,
    is_meant: &dyn Fn(&str, &str) -> bool,
    name: &str,
) -> Result<Vec<Node>> {
    let opened = shards.all().iter().map(|_| OnceCell::new()).collect();
    let mut follow = Follow { shards, opened, published: OnceCell::new(), n_taken: 0, failed: RefCell::new(None) };
    let (first, members) = name.split_once('.').map_or((name, None), |(first, members)| (first, Some(members)));
    let mut found: BTreeSet<Spot> = BTreeSet::new();
    for at in (0..shards.all().len()).filter(|at| is_own(&shards.all()[*at])) {
        for (_, place) in follow.modules(at, is_meant) {
            follow.named((at, place), key::name(first), 0, &mut found);
        }
    }
    let nodes: Vec<Node> = found.iter().flat_map(|(at, place)| nodes(&shards.all()[*at], *place, members)).collect();
    match follow.failed.into_inner() {
        Some(error) if nodes.is_empty() => Err(error),
        _ => Ok(nodes),
    }
}

/// The definition that a key stands for, or a member of it.
fn nodes(shard: &Shard, place: Key, members: Option<&str>) -> Vec<Node> {
    let found = shard.node_of(place);
    let node = match members {
        None => found,
        Some(members) => found.and_then(|node| shard.node_called(&format!("{}.{members}", shard.id(node)))),
    };
    node.map(|node| (shard.key, node)).into_iter().collect()
}

impl Follow<'_> {
    fn open(&self, at: usize, table: Table) -> Option<Rows> {
        let rows = Rows::open(table, &self.shards.all()[at].folder);
        rows.map_err(|error| self.failed.borrow_mut().get_or_insert(error).kind).ok()
    }

    fn tables(&self, at: usize) -> Option<&Tables> {
        let open = || {
            let [members, terms, types] = [MEMBERS, TERMS, TYPES].map(|table| self.open(at, table));
            Some(Tables { members: members?, terms: terms?, types: types? })
        };
        self.opened[at].get_or_init(open).as_ref()
    }

    /// Modules of a shard by registry and name, each with the key of its name.
    fn modules(&self, at: usize, is_meant: &dyn Fn(&str, &str) -> bool) -> Vec<(Key, Key)> {
        let Some(modules) = self.open(at, MODULES) else { return Vec::new() };
        let rows = (0..modules.len()).filter(|row| is_meant(modules.text(1, *row), modules.text(2, *row)));
        rows.filter_map(|row| Some((*modules.longs(0).get(row)?, *modules.longs(3).get(row)?))).collect()
    }

    fn published(&self, name: Key) -> &[Spot] {
        let all = self.published.get_or_init(|| {
            let mut all: FxHashMap<Key, Vec<Spot>> = FxHashMap::default();
            for at in 0..self.opened.len() {
                for (published, place) in self.modules(at, &|_, name| !name.is_empty()) {
                    all.entry(published).or_default().push((at, place));
                }
            }
            all
        });
        all.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Adds what a name means in a place, or in the nearest of what the place passes on.
    fn named(&mut self, place: Spot, name: Key, n_steps: u32, found: &mut BTreeSet<Spot>) {
        let mut level = BTreeSet::from([place]);
        let mut seen = level.clone();
        for depth in n_steps..MAX_STEPS {
            let mut meant: Vec<(usize, Key)> = Vec::new();
            let mut above: Vec<(usize, Key)> = Vec::new();
            for (at, place) in level {
                let Some(Tables { members, types, .. }) = self.tables(at) else { continue };
                let names = members.longs(1);
                meant.extend(of(members, place, |row| names[row] == name).map(|term| (at, term)));
                above.extend(of(types, place, |row| types.text(1, row) == "over").map(|term| (at, term)));
            }
            if !meant.is_empty() || above.is_empty() {
                for (at, term) in meant {
                    self.meant(at, term, depth + 1, found);
                }
                return;
            }
            level = BTreeSet::new();
            for (at, term) in above {
                self.meant(at, term, depth + 1, &mut level);
            }
            level.retain(|spot| seen.insert(*spot));
        }
    }

    /// Adds the places that a term of a shard stands for.
    fn meant(&mut self, at: usize, term: Key, n_steps: u32, found: &mut BTreeSet<Spot>) {
        self.n_taken += 1;
        if n_steps > MAX_STEPS || self.n_taken > MAX_ALL {
            return;
        }
        if is_place(term) {
            found.insert((at, term));
            return;
        }
        let Some(Tables { terms, .. }) = self.tables(at) else { return };
        let Ok(row) = terms.longs(0).binary_search(&term) else { return };
        let (base, name) = (terms.longs(2)[row], terms.longs(3)[row]);
        match terms.text(1, row) {
            "outside" => found.extend(self.published(name)),
            "member" => {
                let mut holders = BTreeSet::new();
                self.meant(at, base, n_steps + 1, &mut holders);
                for holder in holders {
                    self.named(holder, name, n_steps + 1, found);
                }
            }
            _ => {}
        }
    }
}

/// The terms in the rows of a place, whose table is in the order of places.
fn of(rows: &Rows, place: Key, is_wanted: impl Fn(usize) -> bool) -> impl Iterator<Item = Key> {
    let (places, terms) = (rows.longs(0), rows.longs(3));
    let first = places.partition_point(|key| *key < place);
    let last = first + places[first..].partition_point(|key| *key == place);
    (first..last).filter(move |row| is_wanted(*row)).map(|row| terms[row])
}
