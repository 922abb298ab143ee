//! Section 5: the larger goal that the task serves.
//!
//! Must not order tasks: it says what was given.

use super::{Draft, Section, View, given, more};
use crate::fill::Group;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let state = view.state;
    let mut entries = Vec::new();
    if state.campaign_active {
        let mut add = |sentence, text: &str| {
            if !text.is_empty() {
                entries.push(given(view, "campaign", None, sentence, text));
            }
        };
        add("  Current Phase: {}", state.campaign_phase.as_deref().unwrap_or_default());
        add("  Phase Goal: {}", state.campaign_goal.as_deref().unwrap_or_default());
        add("  Blocked by: {}", &state.task_dependencies.join(", "));
        add("  Fulfills requirements: {}", &state.linked_requirements.join(", "));
    }
    Draft::new(Section::Campaign, vec![Group::new(view.counter, "CAMPAIGN CONTEXT:", entries, more("lines"))])
}
