//! Tools and hints that the repository has, as items for the policy behind those of the session.

use crate::activation::TaskFacts;
use activate_rules::atoms::{ItemId, Turns};
use intent::guides::FoundItem;

/// Adds what was found to the items of a task, numbered behind those that it has.
pub fn add_found(task: &mut TaskFacts, found: &[FoundItem]) {
    for (item, number) in found.iter().zip(task.items.len() as u32..) {
        let id = ItemId(number);
        task.items.push((id, item.kind(), Turns(0)));
        task.always_on.extend(item.is_always_on.then_some(id));
        task.about.extend(item.named.iter().chain(&item.below).map(|node| (id, *node)));
    }
}
