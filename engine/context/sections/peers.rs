//! Section 6: what other shards and earlier steps did.

use super::{Draft, Section, View, given, more};
use crate::fill::{End, Group, Step};
use crate::pieces::Entry;
use activate_rules::items::ItemKind;

const RESULTS: usize = 0;
const ACTIONS: usize = 1;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let state = view.state;
    let results = view.placed(&[ItemKind::ShardResult], &state.prior_shard_outputs).map(|(item, output)| {
        let status = if output.success { "SUCCESS" } else { "FAILED" };
        let summary = if output.summary.is_empty() { String::new() } else { format!(" - {}", output.summary) };
        let text = format!("[{}] {status}: {}{summary}", output.shard, output.task);
        given(view, "shard_result", Some(item), "  {}", &text)
    });
    let results = results.collect();
    let actions = actions(view);
    let mut draft = Draft::new(
        Section::Peers,
        vec![
            Group::new(view.counter, "PRIOR SHARD RESULTS:", results, more("earlier results")),
            Group::new(view.counter, "RECENT SESSION ACTIONS:", actions, more("earlier actions")),
        ],
    );
    draft.steps = vec![Step::Drop(ACTIONS, End::First, 0), Step::Drop(RESULTS, End::First, 0)];
    draft
}

/// The actions as they were given; their items are numbered in the same order.
fn actions(view: &View<'_>) -> Vec<Entry> {
    let actions: Vec<&str> = view.state.actions().map(|(_, text)| text).collect();
    let placed = view.placed(&[ItemKind::Action], &actions);
    placed.map(|(item, text)| given(view, "action", Some(item), "  - {}", text)).collect()
}
