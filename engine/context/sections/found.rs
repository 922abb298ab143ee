//! Tools and hints of the repository in the order in which they are shown.
//!
//! Must not know how they were found, nor how they are written down.

use super::View;
use super::neighbourhood::likely_files;
use crate::facts::found::{Content, FoundItem, Hint, Tool};
use activate_rules::atoms::{ItemId, NodeId};
use rustc_hash::FxHashSet;

/// Something found that is shown.
pub(super) struct Shown<'a, T> {
    pub(super) item: &'a FoundItem,
    pub(super) id: ItemId,
    pub(super) what: &'a T,
    /// The best node that it is about; nothing for a tool that every task needs.
    pub(super) node: Option<NodeId>,
}

/// How closely an item concerns a task: less is closer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    Symbol,
    File,
    /// It names a folder with an active file, or none: every task needs it.
    Folder,
}

/// The tools that the policy placed, the nearest and most specific first.
pub(super) fn tools<'a>(view: &View<'a>) -> Vec<Shown<'a, Tool>> {
    shown(view, |content| if let Content::Tool(tool) = content { Some(tool) } else { None })
}

/// The hints that the policy placed, the nearest and most specific first.
pub(super) fn hints<'a>(view: &View<'a>) -> Vec<Shown<'a, Hint>> {
    shown(view, |content| if let Content::Hint(hint) = content { Some(hint) } else { None })
}

/// What was placed and concerns a file that the reader is shown as likely: many more files are warm.
fn shown<'a, T>(view: &View<'a>, what: impl Fn(&'a Content) -> Option<&'a T>) -> Vec<Shown<'a, T>> {
    let found: &'a [FoundItem] = view.sources.found;
    let likely: FxHashSet<NodeId> = likely_files(view).map(|file| file.node).collect();
    let numbered = found.iter().zip(view.items.len() as u32..).map(|(item, number)| (item, ItemId(number)));
    let placed = numbered.filter(|(_, id)| view.is_placed(*id));
    let mut shown: Vec<_> = placed
        .filter_map(|(item, id)| {
            let (closeness, rank, node) = closest(view, item, &likely);
            if node.is_none() && !item.is_always_on {
                return None;
            }
            Some(((item.distance, closeness, rank, id), Shown { item, id, what: what(&item.content)?, node }))
        })
        .collect();
    shown.sort_by_key(|(key, _)| *key);
    shown.into_iter().map(|(_, shown)| shown).collect()
}

/// The best node in a likely file that an item is about: of symbols, else of files, else of the files of folders.
fn closest(view: &View<'_>, item: &FoundItem, likely: &FxHashSet<NodeId>) -> (Closeness, usize, Option<NodeId>) {
    let named = item.named.iter().map(|node| (if view.base.is_file(*node) { Closeness::File } else { Closeness::Symbol }, *node));
    let all = named.chain(item.below.iter().map(|node| (Closeness::Folder, *node)));
    let is_active = |node: NodeId| view.active(node).is_some() && likely.contains(&view.base.file_of(node));
    let active = all.filter(|(_, node)| is_active(*node));
    let best = active.map(|(closeness, node)| (closeness, view.rank(view.base.file_of(node)), node)).min();
    best.map_or((Closeness::Folder, usize::MAX, None), |(closeness, rank, node)| (closeness, rank, Some(node)))
}
