//! Which code a file can reach: by imports, folder by folder, and by calls.

use super::Code;
use crate::resolve::{End, Relation, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::collections::VecDeque;

/// The most definitions that a file is known to lead to, the nearest first.
const MAX_RUN: usize = 4_096;

/// The folders that files reach; found when somebody asks.
#[derive(Default)]
pub(super) struct Reach<'a> {
    /// The folders that files of a folder import from.
    imports: OnceCell<FxHashMap<&'a str, FxHashSet<&'a str>>>,
    reached: RefCell<FxHashMap<&'a str, FxHashSet<&'a str>>>,
    /// The places of the definitions that files lead to by calls.
    run: RefCell<FxHashMap<u32, FxHashSet<u32>>>,
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

    /// Whether what stands in a file leads to the definition at a place, by calls and what is passed on.
    pub(super) fn runs(&self, code: &Code<'_>, file: u32, place: u32) -> bool {
        self.run.borrow_mut().entry(file).or_insert_with(|| run(code, file)).contains(&place)
    }
}

fn run(code: &Code<'_>, file: u32) -> FxHashSet<u32> {
    let links = &code.resolved.links;
    let first = code.first_symbol[file as usize];
    let own = first..first + code.facts(file).symbols.len() as u32;
    let mut open: VecDeque<End> = std::iter::once(End::File(file)).chain(own.map(End::Symbol)).collect();
    let mut reached = FxHashSet::default();
    while let Some(from) = open.pop_front() {
        let start = links.partition_point(|link| link.from < from);
        let of_node = links[start..].iter().take_while(|link| link.from == from);
        for link in of_node.filter(|link| matches!(link.relation, Relation::Calls | Relation::References)) {
            if reached.len() < MAX_RUN && reached.insert(link.to) {
                open.push_back(End::Symbol(link.to));
            }
        }
    }
    reached
}

/// The folder of a path.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
