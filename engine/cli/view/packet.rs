//! What the packet holds, what did not fit, and at which budget that would enter.
//!
//! Must not decide anything: it asks for packets and looks into them.

use super::model::{BudgetView, ItemView, SectionView};
use super::nodes::Nodes;
use context::budget::{Budget, CEILING};
use context::packet::candidates::reference;
use context::pieces::About;
use context::{Candidate, Disposition, Item, SessionContext};
use engine::Activation;
use error::Result;
use redact::Safe;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use tokens::Tokens;

/// Budgets that are tried beside the one that is asked for, in hundredths of it, and to which tokens they are rounded up.
const LARGER: [u32; 9] = [110, 125, 150, 175, 200, 250, 300, 400, 600];
const STEP: u32 = 100;
/// The most entries of a section that are listed, and of those that were cut.
const MAX_ITEMS: usize = 80;
const MAX_CUT: usize = 40;

/// The packet and larger ones.
pub(super) struct Packets {
    asked: SessionContext,
    budget: Budget,
    /// By rising budget; the last is the largest that can be asked for.
    larger: Vec<(u32, SessionContext)>,
}

impl Packets {
    /// Makes them.
    ///
    /// # Errors
    ///
    /// That the budget is too small for any packet.
    pub(super) fn new(activation: &Activation<'_>, budget: &Budget) -> Result<Self> {
        let asked = activation.traced_context(budget)?;
        let total = budget.total.0;
        let mut totals: Vec<u32> = LARGER
            .iter()
            .map(|part| (u64::from(total) * u64::from(*part) / 100) as u32)
            .map(|tokens| tokens.div_ceil(STEP) * STEP)
            .filter(|tokens| *tokens > total && *tokens < CEILING.0)
            .collect();
        totals.extend(Some(CEILING.0).filter(|ceiling| *ceiling > total));
        let mut larger = Vec::with_capacity(totals.len());
        for tokens in totals {
            larger.push((tokens, activation.traced_context(&Budget { total: Tokens(tokens), ..*budget })?));
        }
        Ok(Self { asked, budget: *budget, larger })
    }

    /// The packet that was asked for.
    pub(super) fn asked(&self) -> &SessionContext {
        &self.asked
    }

    /// The one that shows most.
    pub(super) fn widest(&self) -> &SessionContext {
        self.larger.last().map_or(&self.asked, |(_, context)| context)
    }

    /// What the page says of them.
    pub(super) fn view(&self, activation: &Activation<'_>, nodes: &Nodes) -> BudgetView {
        let at = ids(activation, nodes);
        let node = |about: &About| about.id.as_ref().or(about.path.as_ref()).and_then(|id| at.get(id)).copied();
        let shown: Vec<(u32, Shown<'_>)> = self.larger.iter().map(|(tokens, context)| (*tokens, Shown::of(context))).collect();
        let smaller: FxHashSet<&str> = self
            .asked
            .candidates
            .iter()
            .filter(|candidate| candidate.fate == Disposition::Shown { smaller: true })
            .map(|candidate| candidate.key.as_str())
            .collect();
        let item = |item: &Item| ItemView {
            name: name(&item.about, &item.key),
            kind: item.about.kind,
            tokens: self.budget.tokenizer.count(item.text.as_str()).0,
            reason: item.about.reason.clone().unwrap_or_default(),
            is_smaller: smaller.contains(item.key.as_str()),
            limit: None,
            enters: None,
            node: node(&item.about),
        };
        let cut = |candidate: &Candidate| {
            let Disposition::Stopped(limit) = candidate.fate else { return None };
            Some(ItemView {
                name: name(&candidate.about, &candidate.key),
                kind: candidate.about.kind,
                tokens: 0,
                reason: candidate.about.reason.clone().unwrap_or_default(),
                is_smaller: false,
                limit: Some(limit.name()),
                enters: shown.iter().find(|(_, shown)| shown.has(candidate)).map(|(tokens, _)| *tokens),
                node: node(&candidate.about),
            })
        };
        let sections = self.asked.sections.iter().map(|section| {
            let mut stopped: Vec<&Candidate> =
                self.asked.candidates.iter().filter(|candidate| candidate.section == section.section).collect();
            stopped.sort_by_key(|candidate| (candidate.turn, Reverse(candidate.about.score)));
            let stopped: Vec<ItemView> = stopped.into_iter().filter_map(cut).collect();
            let n_more = section.items.len().saturating_sub(MAX_ITEMS) + stopped.len().saturating_sub(MAX_CUT);
            SectionView {
                name: section.section.name(),
                tokens: section.tokens.0,
                budget: section.budget.0,
                items: section.items.iter().take(MAX_ITEMS).map(item).collect(),
                cut: stopped.into_iter().take(MAX_CUT).collect(),
                n_more,
            }
        });
        // Packets that are larger than all there is to say are one packet.
        let all = self.widest().tokens;
        let n_larger = self.larger.iter().position(|(_, context)| context.tokens == all).map_or(0, |at| at + 1);
        let larger = self.larger.iter().take(n_larger);
        let n_items = |context: &SessionContext| context.sections.iter().map(|section| section.items.len()).sum();
        BudgetView {
            total: self.asked.budget.0,
            used: self.asked.tokens.0,
            sections: sections.collect(),
            larger: larger.map(|(tokens, context)| (*tokens, context.tokens.0, n_items(context))).collect(),
        }
    }
}

/// The nodes of the page by their ids as they are shown.
pub(super) fn ids(activation: &Activation<'_>, nodes: &Nodes) -> FxHashMap<Safe, usize> {
    let base = &activation.snapshot.base;
    nodes.at.iter().map(|(node, at)| (activation.masker().name(&base.id(*node)), *at)).collect()
}

/// What an entry is called: what one line can say of it where it is no place.
fn name(about: &About, key: &str) -> Safe {
    let said = about.summary.as_ref().filter(|_| matches!(about.kind, "test_command" | "commit" | "tool" | "hint"));
    said.cloned().unwrap_or_else(|| reference(about.kind, about.id.as_ref(), about.path.as_ref(), about.lines, key))
}

/// What a context shows.
struct Shown<'c> {
    keys: FxHashSet<&'c str>,
    lines: FxHashMap<(&'static str, &'c Safe), Vec<(u32, u32)>>,
}

impl<'c> Shown<'c> {
    fn of(context: &'c SessionContext) -> Self {
        let mut shown = Self { keys: FxHashSet::default(), lines: FxHashMap::default() };
        for item in context.sections.iter().flat_map(|section| &section.items) {
            shown.keys.insert(&item.key);
            if let (Some(path), Some(lines)) = (&item.about.path, item.about.lines) {
                shown.lines.entry((item.about.kind, path)).or_default().push(lines);
            }
        }
        shown
    }

    /// Whether it shows an entry, or some of its lines.
    fn has(&self, candidate: &'c Candidate) -> bool {
        let about = &candidate.about;
        let overlaps = |(first, last): (u32, u32), path: &'c Safe| {
            let shown = self.lines.get(&(about.kind, path));
            shown.is_some_and(|shown| shown.iter().any(|lines| lines.0 <= last && first <= lines.1))
        };
        match (about.lines, &about.path) {
            (Some(lines), Some(path)) => overlaps(lines, path),
            _ => self.keys.contains(candidate.key.as_str()),
        }
    }
}
