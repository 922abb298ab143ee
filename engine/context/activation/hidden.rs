//! What rules of the user hide beyond the nodes that they name: what a definition holds, and its lines. And what they hide of what the policy
//! reached, for lists of facts, which name it all the same.
//!
//! Must not decide what a rule hides, nor whether what the task names is shown all the same: the policy says both.

use super::{Activated, Active, Passage, Reason};
use activate_rules::atoms::{NodeId, Tier};
use activate_rules::facts::Derived;
use activate_rules::links::LinkKind;
use activate_rules::weights::Weights;
use index::base::{FactBase, SymbolRow};
use index::passages::Texts;
use intent::Intent;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

impl Activated {
    /// Whether a rule of the user hides a file or symbol, or the file that it stands in.
    pub fn is_hidden(&self, base: &FactBase, node: NodeId) -> bool {
        self.derived.is_hidden(node, base.file_of(node))
    }
}

/// Adds what hidden definitions hold to them, but for what the task names with all that that holds.
pub(super) fn add_held(base: &FactBase, intent: &Intent, hidden: &mut Vec<NodeId>) {
    if hidden.is_empty() {
        return;
    }
    let named: FxHashSet<NodeId> = intent.targets.iter().map(|target| target.node).collect();
    let is_open = |node: &NodeId| base.is_symbol(*node) && !named.contains(node);
    let mut open: Vec<NodeId> = hidden.iter().copied().filter(is_open).collect();
    let mut known: FxHashSet<NodeId> = hidden.iter().copied().collect();
    while let Some(node) = open.pop() {
        let held = base.links().row(node).filter(|(_, link)| link.kind() == LinkKind::Contains).map(|(to, _)| to);
        for member in held.filter(is_open) {
            if known.insert(member) {
                hidden.push(member);
                open.push(member);
            }
        }
    }
}

/// What would be active if no rule hid it, symbols before files, each by score. `active` says what a node is to the task.
pub(super) fn would_be_active(
    base: &FactBase,
    derived: &Derived,
    weights: &Weights,
    active: impl Fn(NodeId) -> Option<Active>,
) -> Vec<Active> {
    if derived.hidden.is_empty() {
        return Vec::new();
    }
    let is_known = |node: NodeId| base.is_file(node) || base.is_symbol(node);
    let reached = derived.scores.iter().filter(|(_, score)| *score >= weights.warm).map(|(node, _)| *node);
    let hidden = reached.filter(|node| is_known(*node) && derived.is_hidden(*node, base.file_of(*node)));
    let tier = |active: &Active| if active.score > weights.hot { Tier::Hot } else { Tier::Warm };
    let with_tier = |active: Active| Active { tier: tier(&active), ..active };
    let mut all: Vec<Active> = hidden.filter_map(active).map(with_tier).collect();
    all.retain(|active| !matches!(active.reason, Reason::StandsIn(_)));
    all.sort_by_key(|active| (base.is_file(active.node), Reverse(active.score), active.node));
    all
}

/// The lines of a file that are of hidden definitions, in order: without those that they hold and that are shown.
pub fn hidden_lines(base: &FactBase, derived: &Derived, file: NodeId) -> Vec<(u32, u32)> {
    if derived.hidden.is_empty() {
        return Vec::new();
    }
    let mut rows: Vec<(SymbolRow<'_>, bool)> = base
        .symbols_of(file)
        .filter_map(|node| base.symbol(NodeId(node)))
        .map(|row| (row, derived.is_hidden(row.node, file)))
        .collect();
    if !rows.iter().any(|(_, is_hidden)| *is_hidden) {
        return Vec::new();
    }
    // What is held overrides what holds it, and what is hidden what begins with it.
    rows.sort_by_key(|(row, is_hidden)| (row.first_line(), Reverse(row.lines.1), *is_hidden));
    let n_lines = base.n_lines(file) as usize;
    let mut is_hidden = vec![false; n_lines + 1];
    for (row, hides) in &rows {
        let to = (row.lines.1 as usize).min(n_lines);
        if let Some(lines) = is_hidden.get_mut(row.first_line() as usize..=to) {
            lines.fill(*hides);
        }
    }
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for line in (1..=n_lines as u32).filter(|line| is_hidden[*line as usize]) {
        match runs.last_mut().filter(|(_, last)| *last + 1 == line) {
            Some((_, last)) => *last = line,
            None => runs.push((line, line)),
        }
    }
    runs
}

/// The lines of files that rules of the user hide.
pub(super) struct HiddenLines(FxHashMap<NodeId, Vec<(u32, u32)>>);

impl HiddenLines {
    /// Those of these files; of other files nothing is known.
    pub(super) fn new(base: &FactBase, derived: &Derived, files: &[NodeId]) -> Self {
        let lines = files.iter().map(|file| (*file, hidden_lines(base, derived, *file)));
        Self(lines.filter(|(_, lines)| !lines.is_empty()).collect())
    }

    /// Whether a line is hidden.
    pub(super) fn has(&self, file: NodeId, line: u32) -> bool {
        self.of(file).iter().any(|(first, last)| (*first..=*last).contains(&line))
    }

    /// Passages without what is hidden of them.
    pub(super) fn cut(&self, passages: Vec<Passage>, texts: Texts<'_>) -> Vec<Passage> {
        if self.0.is_empty() {
            return passages;
        }
        passages.into_iter().flat_map(|passage| self.parts(passage, texts)).collect()
    }

    fn of(&self, file: NodeId) -> &[(u32, u32)] {
        self.0.get(&file).map_or(&[], Vec::as_slice)
    }

    /// The parts of a passage that are neither hidden nor blank.
    fn parts(&self, passage: Passage, texts: Texts<'_>) -> Vec<Passage> {
        let runs = without(self.of(passage.file), passage.lines);
        if runs == [passage.lines] {
            return vec![passage];
        }
        let Some(text) = texts(passage.file) else { return Vec::new() };
        let n_lines = |(first, last): (u32, u32)| u64::from(last.saturating_sub(first)) + 1;
        let is_blank = |line: u32| text.line(line).trim().is_empty();
        let part = |(first, last): (u32, u32)| Passage {
            lines: (first, last),
            n_bytes: (u64::from(passage.n_bytes) * n_lines((first, last)) / n_lines(passage.lines)) as u32,
            fails: passage.fails && (first..=last).contains(&passage.best_line),
            best_line: passage.best_line.clamp(first, last),
            ..passage.clone()
        };
        runs.into_iter().filter(|(first, last)| !(*first..=*last).all(is_blank)).map(part).collect()
    }
}

/// The runs of these lines that are not hidden, in order.
fn without(hidden: &[(u32, u32)], (from, to): (u32, u32)) -> Vec<(u32, u32)> {
    let (mut next, mut runs) = (from, Vec::new());
    for &(first, last) in hidden.iter().skip_while(|(_, last)| *last < from).take_while(|(first, _)| *first <= to) {
        if next < first {
            runs.push((next, first - 1));
        }
        next = last.saturating_add(1);
    }
    if next <= to {
        runs.push((next, to));
    }
    runs
}
