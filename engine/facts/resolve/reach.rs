//! Which modules the values of a file can come from: those it imports, and those that these import.
//!
//! Asked only where no type says what a method belongs to: a name proves something only of what is at hand.

use super::index::Index;
use super::{FileId, Item, ModuleId};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// How many imports away a type may be whose values a file gets: what it calls gives it the types of that one's own imports.
const MAX_STEPS: usize = 2;

/// The modules at hand in one file, found when they are asked for.
#[derive(Debug, Default)]
pub(super) struct Reach(OnceCell<FxHashSet<ModuleId>>);

impl Reach {
    /// Whether definitions of `other` are at hand in `file`.
    pub(super) fn holds(&self, index: &Index<'_>, file: FileId, other: FileId) -> bool {
        let modules = self.0.get_or_init(|| modules_at_hand(index, file));
        modules.contains(&index.file_module[other.0 as usize])
    }
}

fn modules_at_hand(index: &Index<'_>, file: FileId) -> FxHashSet<ModuleId> {
    let own = index.file_module[file.0 as usize];
    let mut found = FxHashSet::from_iter([own]);
    let mut level = vec![own];
    for _ in 0..MAX_STEPS {
        let mut next = Vec::new();
        for module in level {
            for file in index.files_of(module) {
                for item in index.import_targets[file.0 as usize].iter().flatten() {
                    let target = match item {
                        Item::Symbol(sym) => index.file_module[index.symbol(*sym).0.0 as usize],
                        Item::Module(module) => *module,
                        Item::Foreign => continue,
                    };
                    if found.insert(target) {
                        next.push(target);
                    }
                }
            }
        }
        level = next;
    }
    found
}
