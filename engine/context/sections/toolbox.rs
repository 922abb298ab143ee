//! Section 8: tools that exist already.
//!
//! Must not run or look for any of them.

use super::{Draft, Entry, Safe, Section, View, more};
use crate::context::fill::Group;
use crate::context::pieces::{About, Piece};
use crate::context::redact::Trust;
use activate_rules::items::ItemKind;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let tools = view.placed(&[ItemKind::Tool], &view.state.available_tools).map(|(_, tool)| {
        let name = Safe::format("  - {}: {}", &[&Safe::name(&tool.name), &Safe::line(&tool.description)]);
        let binary = Safe::format("    Binary: {}", &[&Safe::name(&tool.binary_path)]);
        let about = About { kind: "tool", trust: Some(Trust::Trusted), ..About::default() };
        Entry::new(about, vec![view.counter.form(vec![Piece::Line(name), Piece::Line(binary)])])
    });
    let tools = tools.collect();
    let mut group = Group::new(view.counter, "AVAILABLE TOOLS (use instead of creating new ones):", tools, more("tools"));
    let note = Safe::fixed("  NOTE: If a tool already exists for the task, USE IT instead of creating a new one.");
    group.footer = Some(view.counter.line(note));
    Draft::new(Section::Toolbox, vec![group])
}
