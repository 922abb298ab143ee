//! Section 8: tools that exist already: those that the caller has, then those of the repository.

use super::found::{Shown, tools};
use super::{Draft, Entry, Safe, Section, View, more, stated};
use crate::fill::Group;
use crate::pieces::{About, Piece};
use activate_rules::items::ItemKind;
use intent::guides::Tool;
use redact::Trust;

/// The most tools of the repository that are shown.
const MAX_FOUND: usize = 12;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let given = view.placed(&[ItemKind::Tool], &view.state.available_tools).map(|(_, tool)| {
        let name = Safe::format("  - {}: {}", &[&view.masker.name(&tool.name), &view.masker.line(&tool.description)]);
        let about = About { kind: "tool", trust: Some(Trust::Trusted), ..About::default() };
        entry(view, about, name, &view.masker.name(&tool.binary_path))
    });
    let given: Vec<Entry> = given.collect();
    let n_given = given.len();
    let found = tools(view).into_iter().filter_map(|shown| found(view, &shown));
    let entries = given.into_iter().chain(found).collect();
    let mut group = Group::new(view.counter, "AVAILABLE TOOLS (use instead of creating new ones):", entries, more("tools"));
    group.keep(n_given + MAX_FOUND);
    let note = Safe::fixed("  NOTE: If a tool already exists for the task, USE IT instead of creating a new one.");
    group.footer = Some(view.counter.line(note));
    Draft { is_found: n_given == 0, ..Draft::new(Section::Toolbox, vec![group]) }
}

/// A tool of the repository with its command; nothing where that cannot be shown as it is.
fn found(view: &View<'_>, shown: &Shown<'_, Tool>) -> Option<Entry> {
    let Tool { call, parameters, description, .. } = shown.what;
    let command = shown.what.command();
    // With secrets masked or hidden characters made visible it would be another command.
    let binary = Some(view.masker.name(&command)).filter(|safe| safe.as_str() == command)?;
    let call = if parameters.is_empty() { view.masker.name(call) } else { view.masker.line(&format!("{call} {parameters}")) };
    let name = if description.is_empty() {
        Safe::format("  - {}", &[&call])
    } else {
        Safe::format("  - {}: {}", &[&call, &view.masker.line(description)])
    };
    Some(entry(view, stated(view, "tool", shown), name, &binary))
}

fn entry(view: &View<'_>, about: About, name: Safe, binary: &Safe) -> Entry {
    // What is called as it is named says it once.
    let called = name.as_str().trim_start_matches("  - ");
    let is_named = called.strip_prefix(binary.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    let binary = (!is_named).then(|| Piece::Line(Safe::format("    Binary: {}", &[binary])));
    Entry::new(about, vec![view.counter.form(std::iter::once(Piece::Line(name)).chain(binary).collect())])
}
