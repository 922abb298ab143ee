//! What a name of a module leads to where the module only passes it on, from another repository perhaps: `serde#Serialize`.

use crate::columns::Rows;
use crate::key::{self, Key, is_place};
use crate::rules::Node;
use crate::shards::{Shard, Shards};
use crate::tables::{MEMBERS, MODULES, TERMS, TYPES};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The most steps between a name and what it means, and the most that are taken in all: what passes names on in a circle ends there.
const MAX_STEPS: u32 = 24;
const MAX_ALL: u32 = 4_096;

/// A place in a shard, by its number and key.
type Spot = (usize, Key);

/// The tables of a shard by which names are followed.
struct Tables {
    modules: Rows,
    members: Rows,
    terms: Rows,
    types: Rows,
}

struct Follow<'s> {
    shards: &'s Shards,
    opened: Vec<OnceCell<Option<Tables>>>,
    n_taken: u32,
}

/// The definitions that a name means in the modules of some shards that `is_meant` knows by registry and name; `name` may have members behind dots.
pub(crate) fn passed_on(shards: &Shards, is_meant: &dyn Fn(&str, &str) -> bool, name: &str) -> Vec<Node> {
    let mut follow = Follow { shards, opened: shards.all().iter().map(|_| OnceCell::new()).collect(), n_taken: 0 };
    let (first, members) = name.split_once('.').map_or((name, None), |(first, members)| (first, Some(members)));
    let mut found: BTreeSet<Spot> = BTreeSet::new();
    for spot in follow.modules(is_meant) {
        follow.named(spot, key::name(first), 0, &mut found);
    }
    found.iter().flat_map(|(at, place)| nodes(&shards.all()[*at], *place, members)).collect()
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
    fn tables(&self, at: usize) -> Option<&Tables> {
        let folder = &self.shards.all()[at].folder;
        let open = || {
            let [modules, members, terms, types] = [MODULES, MEMBERS, TERMS, TYPES].map(|table| Rows::open(table, folder).ok());
            Some(Tables { modules: modules?, members: members?, terms: terms?, types: types? })
        };
        self.opened[at].get_or_init(open).as_ref()
    }

    /// Modules by what they are called, each with its shard.
    fn modules(&self, is_meant: &dyn Fn(&str, &str) -> bool) -> Vec<Spot> {
        let mut found = Vec::new();
        for at in 0..self.opened.len() {
            let Some(Tables { modules, .. }) = self.tables(at) else { continue };
            let rows = (0..modules.len()).filter(|row| is_meant(modules.text(1, *row), modules.text(2, *row)));
            found.extend(rows.filter_map(|row| Some((at, *modules.longs(3).get(row)?))));
        }
        found
    }

    fn published(&self, name: Key) -> Vec<Spot> {
        let mut found = Vec::new();
        for at in 0..self.opened.len() {
            let Some(Tables { modules, .. }) = self.tables(at) else { continue };
            let rows = modules.longs(0).iter().zip(modules.longs(3)).filter(|(published, _)| **published == name);
            found.extend(rows.map(|(_, place)| (at, *place)));
        }
        found
    }

    /// Adds what a name means in a place, or in what the place passes on.
    fn named(&mut self, (at, place): Spot, name: Key, n_steps: u32, found: &mut BTreeSet<Spot>) {
        let Some(Tables { members, types, .. }) = self.tables(at) else { return };
        let rows = |rows: &Rows, wanted: &dyn Fn(usize) -> bool| {
            let of = rows.longs(0);
            let first = of.partition_point(|key| *key < place);
            let last = first + of[first..].partition_point(|key| *key == place);
            let to = rows.longs(3);
            (first..last).filter(|row| wanted(*row)).map(|row| to[row]).collect::<Vec<Key>>()
        };
        let meant = rows(members, &|row| members.longs(1)[row] == name);
        if meant.is_empty() {
            for term in rows(types, &|row| types.text(1, row) == "over") {
                let mut above = BTreeSet::new();
                self.meant(at, term, n_steps + 1, &mut above);
                for spot in above {
                    self.named(spot, name, n_steps + 1, found);
                }
            }
        }
        for term in meant {
            self.meant(at, term, n_steps + 1, found);
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
