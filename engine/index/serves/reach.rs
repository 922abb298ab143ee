//! Which code a file can reach by imports, folder by folder.

use super::Code;
use crate::resolve::Target;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};

/// The folders that files reach; found when somebody asks.
#[derive(Default)]
pub(super) struct Reach<'a> {
    /// The folders that files of a folder import from.
    imports: OnceCell<FxHashMap<&'a str, FxHashSet<&'a str>>>,
    reached: RefCell<FxHashMap<&'a str, FxHashSet<&'a str>>>,
}

impl<'a> Reach<'a> {
    /// Whether the folder of one file is that of another or imports it, through others as well.
    pub(super) fn reaches(&self, code: &'a Code<'a>, from: u32, to: u32) -> bool {
        let of = |file: u32| folder(code.files[file as usize].path);
        let imports = self.imports.get_or_init(|| {
            let mut imports: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
            for dependency in &code.resolved.dependencies {
                if let Target::File(to) = dependency.to {
                    imports.entry(of(dependency.from)).or_default().insert(of(to));
                }
            }
            imports
        });
        let mut known = self.reached.borrow_mut();
        let reached = known.entry(of(from)).or_insert_with(|| {
            let mut reached = FxHashSet::from_iter([of(from)]);
            let mut open = vec![of(from)];
            while let Some(folder) = open.pop() {
                open.extend(imports.get(folder).into_iter().flatten().filter(|next| reached.insert(**next)));
            }
            reached
        });
        reached.contains(of(to))
    }
}

/// The folder of a path.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
