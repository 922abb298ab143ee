//! Adds to the points of passages what was learnt of such.

use super::passage_features::{Candidate, compared};
use super::{Activated, Passage};
use crate::worth::{half_to, n_lines};
use activate_rules::atoms::{Energy, PassageCue, Thousandths};
use activate_rules::learnt::{PASSAGES, UNIT};
use activate_rules::passage_features::{Columns, PassageFeature, value};
use index::base::FactBase;
use index::passages::PassageWords;

/// The most that is added or taken, in thousandths of a point: as much as a weight may be.
const MOST: i64 = 1_000_000;

/// Puts passages beside each other, and adds what was learnt of such: for so many doublings of the worth of a line as the trees say, so many times the
/// points that double it.
///
/// It was learnt of source alone. Tests, documents and the like get what source gets in the mean, each passage counted by what it is worth by rule: so they
/// stand to source as rules say. What the task names gets as much as what gets most, or, where it may mean another, nearer to that the surer it is: so
/// nothing passes it that stood below it. Where something fails, nothing is added.
pub(super) fn learn(base: &FactBase, activation: &Activated, found: &[PassageWords], candidates: &mut [Candidate]) {
    if activation.weights.learnt == 0 || activation.fails {
        return;
    }
    let doubling = i64::from(activation.weights.packing.doubling.0);
    let rows = compared(base, activation, found, candidates);
    for (one, columns) in candidates.iter_mut().zip(rows) {
        one.passage.learnt = Energy((PASSAGES.score(&columns) * doubling / UNIT).clamp(-MOST, MOST) as i32);
        one.passage.columns = Some(Box::new(columns));
    }
    let sources = || candidates.iter().filter(|one| one.passage.columns.as_deref().is_some_and(is_source));
    let best = sources().map(|one| one.points).max().unwrap_or_default();
    let weight =
        |one: &Candidate| u128::from(n_lines(&one.passage) * half_to(i64::from((best - one.points).0) * 1000 / doubling.max(1)));
    let (sum, of) = sources().fold((0, 0), |(sum, of), one| {
        let weight = weight(one) as i128;
        (sum + weight * i128::from(one.passage.learnt.0), of + weight)
    });
    let mean = Energy((sum / of.max(1)) as i32);
    let most = sources().map(|one| one.passage.learnt).max().unwrap_or_default().max(mean);
    for Candidate { passage, .. } in candidates {
        if !passage.columns.as_deref().is_some_and(is_source) {
            passage.learnt = mean;
        }
        passage.learnt = passage.learnt + (most - passage.learnt).times(named(passage).ratio());
    }
}

/// How surely the task names it.
fn named(passage: &Passage) -> Thousandths {
    passage.parts.iter().find(|(cue, _)| *cue == PassageCue::Named).map_or(Thousandths::new(0), |(_, strength)| *strength)
}

/// Whether a passage is source, of which was learnt.
fn is_source(columns: &Columns) -> bool {
    let of = |feature| value(columns, feature);
    (of(PassageFeature::Test), of(PassageFeature::Text)) == (0, 0) && of(PassageFeature::Role) == Thousandths::ONE.get() as i32
}

impl Passage {
    /// Whether the trees say all that was learnt of it.
    pub(super) fn is_of_trees(&self) -> bool {
        self.columns.as_deref().is_some_and(is_source) && named(self) == Thousandths::new(0)
    }
}
