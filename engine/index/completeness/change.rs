//! Who would notice a change that was made: the dependents of its definitions, without those that take something else from its files.

use super::Subject;
use crate::base::{Dependents, FactBase};
use activate_rules::atoms::NodeId;

/// The most definitions that stand around one another.
const MAX_LEVELS: usize = 32;

/// What depends on a change of these definitions and files. `is_at_large` says of which files something changes that is of no definition.
pub fn dependents_of_change<'a>(base: &'a FactBase, changed: &[NodeId], is_at_large: impl Fn(NodeId) -> bool) -> Dependents<'a> {
    // Who imports a file for something else in it notices nothing.
    let outermost: Vec<NodeId> =
        changed.iter().filter(|node| base.is_symbol(**node)).map(|node| outermost(base, *node)).collect();
    let by_name = Subject::new(base, &outermost, &[]).map(|subject| subject.importers()).unwrap_or_default();
    Dependents::new(base, changed, |from, of| is_at_large(of) || by_name.contains(&from))
}

/// What others import to use a definition: the outermost one around it.
fn outermost(base: &FactBase, node: NodeId) -> NodeId {
    let around = |node: &NodeId| base.symbol(*node).and_then(|row| row.container);
    std::iter::successors(Some(node), around).take(MAX_LEVELS).last().unwrap_or(node)
}
