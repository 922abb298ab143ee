//! The lists beside the code: what a change may reach, what the code uses, what an editor should know.
//!
//! Must not follow a link: what is active or stands in the fact base is all it says.

use super::affected::Affected;
use super::code::{STOP_SHARE, WHOLE_SHARE};
use super::{Entry, Safe, View, given};
use crate::activation::{Active, Reason, Role, SYNTAX_ITEMS};
use crate::pieces::About;
use crate::reason::{name, short_reason};
use crate::view::is_share;
use activate_rules::atoms::{Hops, ItemId, NodeId};
use activate_rules::items::ItemKind;
use activate_rules::links::LinkKind;
use index::base::{Limit, NoteKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most target files whose imports are listed, and of active files whose notes are.
const MAX_FILES: usize = 5;
/// The most files that a change may reach, and of those that the code uses, that are listed.
const MAX_IMPACTED: usize = 8;
const MAX_DEPENDENCIES: usize = 8;
/// The most targets that the lists are about: as many as are shown whole.
const MAX_SUBJECTS: usize = 12;
/// The fewest places that call a symbol for the number to be worth a line.
const MANY_CALLERS: usize = 5;

/// The files that a change may reach, best first, each with the best reason; then those that the caller names. With it the set of them.
pub(super) fn impacted(view: &View<'_>, affected: &Affected<'_>) -> (Vec<Entry>, FxHashSet<NodeId>) {
    let best = view.best();
    let targets = targets(view);
    let reached =
        |active: &&Active| matches!(active.role, Role::Impacted | Role::Test) && is_share(active.score, best, STOP_SHARE);
    let says_why = |active: &&Active| !matches!(active.reason, Reason::StandsIn(_) | Reason::Holds(_));
    // A symbol says why more exactly than its file.
    let mut active: Vec<&Active> = view.activation.symbols.iter().filter(reached).filter(says_why).collect();
    active.extend(view.activation.files.iter().filter(reached));
    let hidden = &view.activation.hidden;
    if !hidden.is_empty() {
        // A rule hides code, not what a change reaches.
        active.extend(hidden.iter().filter(reached));
        active.sort_by_key(|active| (view.base.is_file(active.node), Reverse(active.score)));
    }
    let mut seen = FxHashSet::default();
    let mut entries = Vec::new();
    let is_target = |file: NodeId| {
        let is_changed = view.sources.review.is_some_and(|review| review.has(file));
        is_changed || targets.iter().take(MAX_FILES).any(|target| *target == file)
    };
    let gone = view.sources.review.into_iter().flat_map(|review| &review.removed);
    let uses = gone.flat_map(|gone| gone.uses.iter().map(move |(file, line)| (gone, *file, *line)));
    let mut broken = Vec::new();
    for (gone, file, line) in uses {
        if broken.len() < MAX_IMPACTED && !is_target(file) && seen.insert(file) {
            let why = Safe::format("uses {}, which goes, line {}", &[&view.masker.name(&gone.name), &Safe::number(line)]);
            broken.push(impacted_file(view, file, &why, About { hops: Hops(1), ..About::default() }));
        }
    }
    for active in active {
        let file = view.base.file_of(active.node);
        if is_target(file) || seen.contains(&file) {
            continue;
        }
        // What only has words of the task is among the likely files.
        if entries.len() == MAX_IMPACTED || matches!(active.reason, Reason::Words(_)) {
            continue;
        }
        // In a review those that depend on the change come in the order of how close they are, below.
        if view.sources.review.is_some() && !matches!(active.reason, Reason::Failure(_)) {
            continue;
        }
        // Who only uses the same as what changes notices nothing of it.
        let Some(why) = affected.why(view, active) else { continue };
        seen.insert(file);
        let (score, tier, hops) = (Some(active.score), Some(active.tier), active.hops);
        entries.push(impacted_file(view, active.node, &why, About { score, tier, hops, ..About::default() }));
    }
    for (node, way, why) in affected.others(view) {
        let file = view.base.file_of(node);
        if entries.len() < MAX_IMPACTED && !is_target(file) && seen.insert(file) {
            let hops = Hops(u8::try_from(way.through.len()).unwrap_or(u8::MAX).saturating_add(1));
            let active = view.active(node).or_else(|| view.active(file));
            let (score, tier) = (active.map(|active| active.score), active.map(|active| active.tier));
            entries.push(impacted_file(view, node, &why, About { score, tier, hops, ..About::default() }));
        }
    }
    if view.sources.review.is_none() {
        entries.sort_by_key(|entry| Reverse(entry.about.score));
    }
    // Whoever uses what goes is broken.
    entries.splice(0..0, broken);
    entries.truncate(MAX_IMPACTED);
    entries.extend(view.state.impacted_files.iter().map(|text| given(view, "impacted_file", None, "  - {}", text)));
    seen.extend(targets);
    (entries, seen)
}

/// `  - path (reason)`: a file that a change may reach, with what of it does.
fn impacted_file(view: &View<'_>, node: NodeId, why: &Safe, about: About) -> Entry {
    let file = view.base.file_of(node);
    let path = view.path(file);
    let about = About {
        kind: "impacted_file",
        id: Some(view.id(node)),
        path: Some(path.clone()),
        reason: Some(why.clone()),
        trust: Some(view.trust(file)),
        ..about
    };
    Entry::line(view.counter, about, Safe::format("  - {} ({})", &[&path, &short_reason(view.masker, why)]))
}

/// The files of the repository that the target files import and that are not named anyway, the best first. Packages from outside are known to
/// whoever knows the language, and stand in the imports. With them how many more there are.
pub(super) fn dependencies(view: &View<'_>, named: &FxHashSet<NodeId>) -> (Vec<Entry>, usize) {
    let mut found = BTreeSet::new();
    let mut all = FxHashSet::default();
    for file in targets(view).into_iter().take(MAX_FILES) {
        let links = view.base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::Imports);
        let files: Vec<NodeId> = links.map(|(to, _)| to).filter(|to| view.base.is_file(*to)).collect();
        all.extend(files.iter().copied());
        found.extend(files.into_iter().filter(|file| !named.contains(file)).map(|file| (view.rank(file), file)));
    }
    let entry = |(_, file): (usize, NodeId)| {
        let id = view.path(file);
        let trust = Some(view.trust(file));
        let about = About { kind: "dependency", path: Some(id.clone()), id: Some(id.clone()), trust, ..About::default() };
        Entry::line(view.counter, about, Safe::format("  - {}", &[&id]))
    };
    let mut entries: Vec<Entry> = found.into_iter().take(MAX_DEPENDENCIES).map(entry).collect();
    let n_more = all.len().saturating_sub(entries.len());
    entries.extend(view.state.dependency_context.iter().map(|text| given(view, "dependency", None, "  - {}", text)));
    (entries, n_more)
}

/// What an editor of the target code should know, and where facts are incomplete. `shown` are files whose code is shown.
pub(super) fn notes(view: &View<'_>, shown: &[NodeId]) -> Vec<Entry> {
    let given_notes = view.placed(&[ItemKind::CodeNote], &view.state.code_dom_warnings);
    let mut entries: Vec<Entry> = given_notes.map(|(item, text)| given(view, "code_note", Some(item), "  - {}", text)).collect();
    let mut add = |node: NodeId, line: Safe| {
        let file = view.base.file_of(node);
        let about = About {
            kind: "code_note",
            id: Some(view.id(node)),
            path: Some(view.path(file)),
            trust: Some(view.trust(file)),
            ..About::default()
        };
        entries.push(Entry::line(view.counter, about, line));
    };
    let files = noted_files(view);
    let noted: FxHashSet<NodeId> = files.iter().copied().collect();
    for note in view.base.notes().filter(|note| noted.contains(&note.file)) {
        // A note on one symbol matters where that symbol does.
        if note.symbol.is_some_and(|symbol| view.active(symbol).is_none_or(|active| matches!(active.reason, Reason::StandsIn(_))))
        {
            continue;
        }
        let node = note.symbol.unwrap_or(note.file);
        let sentence = match note.kind {
            NoteKind::Generated => "  - WARNING: {} is generated: changes will be overwritten.",
            NoteKind::Cgo => "  - WARNING: {} calls C: be careful with memory.",
            NoteKind::Unsafe => "  - WARNING: {} holds unsafe code: keep its safety conditions.",
            NoteKind::Deprecated => "  - NOTE: {} is deprecated.",
        };
        add(node, Safe::format(sentence, &[&name(view, node)]));
    }
    let mut called: Vec<Safe> = Vec::new();
    for symbol in view.activation.symbols.iter().filter(|symbol| symbol.role == Role::Target).take(MAX_FILES) {
        let n_callers = view.base.links().row(symbol.node).filter(|(_, link)| link.kind() == LinkKind::CalledBy).count();
        if n_callers >= MANY_CALLERS {
            let pieces = [&name(view, symbol.node), &Safe::number(n_callers as i64)];
            let line = Safe::format("  - NOTE: {} is called from {} places.", &pieces);
            // Overloads have one name.
            if !called.contains(&line) {
                called.push(line.clone());
                add(symbol.node, line);
            }
        }
    }
    for (file, n_lines) in gaps(view, &files, shown) {
        let (n, path) = (Safe::number(n_lines as i64), view.path(file));
        let lines = Safe::fixed(if n_lines == 1 { "line" } else { "lines" });
        add(file, Safe::format("  - NOTE: {} {} of {} could not be parsed; links there may be missing.", &[&n, &lines, &path]));
    }
    // Of target files their lists say it.
    let n_targets = targets(view).len().min(MAX_FILES);
    for file in files.into_iter().skip(n_targets) {
        let path = name(view, file);
        let why = match view.base.limit(file) {
            Some(Limit::Size) => Some("  - NOTE: {} is too large to be parsed: its symbols and calls are not known."),
            Some(Limit::Work) => Some("  - NOTE: the parser gave up on {}: its symbols and calls are not known."),
            Some(Limit::Depth) => Some("  - NOTE: {} is nested too deeply: some of its calls are not known."),
            Some(Limit::Encoding) => Some("  - NOTE: {} is not valid UTF-8: its symbols and calls are not known."),
            Some(Limit::Words) | None => None,
        };
        if let Some(sentence) = why {
            add(file, Safe::format(sentence, &[&path]));
        }
        let tally = view.base.tally(file);
        if tally.unresolved > 0 {
            let n_calls = tally.resolved.saturating_add(tally.foreign).saturating_add(tally.unresolved);
            let pieces = [&Safe::number(tally.unresolved), &Safe::number(n_calls), &path];
            add(file, Safe::format("  - NOTE: {} of {} calls in {} could not be resolved: links may be missing.", &pieces));
        }
    }
    entries
}

/// Files that are noted or shown and have lines that the parser did not understand, with how many. Where these count as errors, in files
/// that were changed, section 1 lists them; elsewhere the grammar is behind its language, or the file is broken on purpose.
fn gaps(view: &View<'_>, noted: &[NodeId], shown: &[NodeId]) -> Vec<(NodeId, usize)> {
    let mut lines: FxHashMap<NodeId, BTreeSet<u32>> = FxHashMap::default();
    for (error, item) in view.base.diagnostics().zip(SYNTAX_ITEMS..) {
        if !view.is_placed(ItemId(item)) {
            lines.entry(error.file).or_default().insert(error.line);
        }
    }
    let files = noted.iter().chain(shown);
    files.filter_map(|file| lines.remove(file).map(|lines| (*file, lines.len()))).collect()
}

/// The files that the task points at, by rank: those of target symbols, or target files where no symbol is meant.
fn targets(view: &View<'_>) -> Vec<NodeId> {
    let best = view.best();
    let is_target = |active: &&Active| active.role == Role::Target && is_share(active.score, best, STOP_SHARE);
    let symbols = view.activation.symbols.iter().filter(is_target).map(|active| view.base.file_of(active.node));
    let files = view.activation.files.iter().filter(is_target).map(|active| active.node);
    let mut seen = FxHashSet::default();
    symbols.chain(files).filter(|file| seen.insert(*file)).collect()
}

/// What the lists beside the code are about: the targets that are as sure as code that is shown whole, symbols before the files that they
/// stand in; and why that may not be all.
pub(super) fn subject(view: &View<'_>) -> (Vec<NodeId>, Option<String>) {
    let best = view.best();
    let is_changed = |active: &Active| view.sources.review.is_some() && matches!(active.reason, Reason::Named(_));
    let is_meant =
        |active: &&Active| active.role == Role::Target && (is_share(active.score, best, WHOLE_SHARE) || is_changed(active));
    let mut nodes: Vec<NodeId> = view.activation.symbols.iter().filter(is_meant).map(|active| active.node).collect();
    let with_symbols: FxHashSet<NodeId> = nodes.iter().map(|node| view.base.file_of(*node)).collect();
    let files = view.activation.files.iter().filter(is_meant).map(|active| active.node);
    nodes.extend(files.filter(|file| !with_symbols.contains(file)));
    let n_left = nodes.len().saturating_sub(MAX_SUBJECTS);
    nodes.truncate(MAX_SUBJECTS);
    let left = (n_left > 0).then(|| format!("{n_left} more targets were not looked at"));
    (nodes, left)
}

/// Target files, then the best others.
fn noted_files(view: &View<'_>) -> Vec<NodeId> {
    let mut seen = FxHashSet::default();
    let files = view.activation.files.iter().take(MAX_FILES).map(|active| active.node);
    targets(view).into_iter().take(MAX_FILES).chain(files).filter(|file| seen.insert(*file)).collect()
}
