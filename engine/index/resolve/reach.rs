//! Which modules the values of a file can come from: those it imports, and those that these import.
//!
//! Asked only where no type says what a method belongs to: a name proves something only of what is at hand.

use super::index::Index;
use super::{FileId, Item, ModuleId};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::hash_map::Entry;

/// How many imports away a type may be whose values a file gets: what it calls gives it the types of that one's own imports.
const MAX_STEPS: usize = 2;

/// The modules at hand in one file, found when they are asked for.
#[derive(Debug, Default)]
pub(super) struct Reach(OnceCell<FxHashMap<ModuleId, usize>>);

impl Reach {
    /// How many imports away from `file` the definitions of `other` are, if they are at hand.
    pub(super) fn steps(&self, index: &Index<'_>, file: FileId, other: FileId) -> Option<usize> {
        let modules = self.0.get_or_init(|| modules_at_hand(index, file));
        modules.get(&index.file_module[other.0 as usize]).copied()
    }
}

fn modules_at_hand(index: &Index<'_>, file: FileId) -> FxHashMap<ModuleId, usize> {
    let own = index.file_module[file.0 as usize];
    let mut found = FxHashMap::from_iter([(own, 0)]);
    let mut level = vec![own];
    for step in 1..=MAX_STEPS {
        let mut next = Vec::new();
        for module in level {
            for file in index.files_of(module) {
                for item in index.import_targets[file.0 as usize].iter().flatten() {
                    let target = match item {
                        Item::Symbol(sym) => index.file_module[index.symbol_file[sym.0 as usize].0 as usize],
                        Item::Module(module) => *module,
                        Item::Foreign => continue,
                    };
                    if let Entry::Vacant(entry) = found.entry(target) {
                        entry.insert(step);
                        next.push(target);
                    }
                }
            }
        }
        level = next;
    }
    found
}
