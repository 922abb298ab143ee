//! Tools and hints of the repository in the order in which they are shown.

use super::View;
use super::neighbourhood::likely_files;
use activate_rules::atoms::{ItemId, NodeId, Tier};
use intent::guides::{Content, FoundItem, Hint, Tool};
use rustc_hash::FxHashSet;

/// Something found that is shown.
pub(super) struct Shown<'a, T> {
    pub(super) item: &'a FoundItem,
    pub(super) id: ItemId,
    pub(super) what: &'a T,
}

/// How closely an item concerns a task: less is closer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    /// It names an active symbol.
    Symbol,
    /// It names a likely file, or a symbol there that nothing but the file speaks for.
    File,
    /// It names a folder with a likely file.
    Folder,
    /// Every task needs it.
    Always,
}

/// The tools that the policy placed, the nearest and most specific first.
pub(super) fn tools<'a>(view: &View<'a>) -> Vec<Shown<'a, Tool>> {
    shown(view, |content| if let Content::Tool(tool) = content { Some(tool) } else { None })
}

/// The hints that the policy placed, the nearest and most specific first.
pub(super) fn hints<'a>(view: &View<'a>) -> Vec<Shown<'a, Hint>> {
    shown(view, |content| if let Content::Hint(hint) = content { Some(hint) } else { None })
}

/// What was placed and is about a file that the reader is shown as likely, for many more are warm; and what every task needs.
fn shown<'a, T>(view: &View<'a>, what: impl Fn(&'a Content) -> Option<&'a T>) -> Vec<Shown<'a, T>> {
    let found: &'a [FoundItem] = view.sources.found;
    let likely: FxHashSet<NodeId> = likely_files(view).map(|file| file.node).collect();
    let numbered = found.iter().zip(view.items.len() as u32..).map(|(item, number)| (item, ItemId(number)));
    let placed = numbered.filter(|(_, id)| view.is_placed(*id));
    let mut shown: Vec<_> = placed
        .filter_map(|(item, id)| {
            let always = item.is_always_on.then_some((Closeness::Always, 0));
            let (closeness, rank) = closest(view, item, &likely).or(always)?;
            Some(((item.distance, closeness, rank, id), Shown { item, id, what: what(&item.content)? }))
        })
        .collect();
    shown.sort_by_key(|(key, _)| *key);
    shown.into_iter().map(|(_, shown)| shown).collect()
}

/// How closely an item concerns what is active in the likely files, and the rank of the best of these that it does.
fn closest(view: &View<'_>, item: &FoundItem, likely: &FxHashSet<NodeId>) -> Option<(Closeness, usize)> {
    let named = item.named.iter().map(|node| {
        let is_active_symbol = !view.base.is_file(*node) && view.active(*node).is_some();
        (if is_active_symbol { Closeness::Symbol } else { Closeness::File }, *node)
    });
    let all = named.chain(item.below.iter().map(|node| (Closeness::Folder, *node)));
    let is_meant = |node: NodeId| view.activation.derived.tier(node) != Tier::Cold && likely.contains(&view.base.file_of(node));
    let meant = all.filter(|(_, node)| is_meant(*node));
    meant.map(|(closeness, node)| (closeness, view.rank(view.base.file_of(node)))).min()
}
