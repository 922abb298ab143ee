//! What showing something is worth, and what it costs: the model by which section 3 is packed.
//!
//! The passages that speak for the task are worth one together. A passage is worth its lines, each line twice as much for every so many
//! points of its score; the name or outline of a file is worth a part of what its passages are worth, and other lists a part of the whole
//! that falls from entry to entry. Whoever packs takes what is worth most per token first. Whole numbers throughout, so that every machine
//! packs alike.

use crate::activation::Passage;
use activate_rules::atoms::{NodeId, Thousandths};
use activate_rules::weights::Weights;
use rustc_hash::FxHashMap;

/// A share of everything, in billionths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Worth(pub(super) u64);

/// Everything.
const WHOLE: u64 = 1_000_000_000;
/// The most lines of a passage that count: a whole definition has no more.
const MAX_LINES: u64 = 40;
/// Binary digits behind the point while worths are added up.
const DIGITS: u32 = 40;

impl Worth {
    /// More than anything else together: what fails is shown before what may matter.
    pub(super) const URGENT: Self = Self(u64::MAX);

    /// A part of it.
    pub(super) fn part(self, part: Thousandths) -> Self {
        Self(self.0 * u64::from(part.get()) / 1000)
    }

    /// What is left for the nth of a list, from 0.
    pub(super) fn nth(self, n: usize) -> Self {
        let n = n as u64 + 1;
        Self(self.0 / (n * n))
    }

    /// Worth per token, to be compared with that of others alone.
    pub(super) fn density(self, tokens: u32) -> u64 {
        self.0.saturating_mul(1000) / u64::from(tokens.max(1))
    }
}

/// What passages and their files are worth.
#[derive(Debug, Default)]
pub(super) struct Worths {
    /// By passage, in the order in which they were given.
    pub(super) passages: Vec<Worth>,
    of_file: FxHashMap<NodeId, u64>,
}

impl Worths {
    /// The worths of these passages.
    pub(super) fn new(passages: &[Passage], weights: &Weights) -> Self {
        let doubling = i64::from(weights.packing.doubling.0.max(1));
        // What fails is shown first whatever it is worth, and takes nothing from the rest.
        let score = |passage: &Passage| passage.turn.is_none().then_some(i64::from(passage.score.0));
        let best = passages.iter().filter_map(score).max().unwrap_or_default();
        let worth =
            |passage: &Passage| score(passage).map_or(0, |score| n_lines(passage) * half_to((best - score) * 1000 / doubling));
        let mut worths: Vec<u64> = passages.iter().map(worth).collect();
        // What a file says again is worth less: the first passage of another may say something new.
        let again = u64::from(weights.packing.again.get());
        let mut n_of_file: FxHashMap<NodeId, u64> = FxHashMap::default();
        let mut order: Vec<usize> = (0..passages.len()).filter(|at| passages[*at].turn.is_none()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(passages[*at].score), *at));
        for at in order {
            let n = n_of_file.entry(passages[at].file).or_default();
            worths[at] = worths[at] * 1000 / (1000 + again * *n);
            *n += 1;
        }
        let total = worths.iter().sum::<u64>().max(1);
        let share = |worth: u64| (u128::from(worth) * u128::from(WHOLE) / u128::from(total)) as u64;
        let mut of_file: FxHashMap<NodeId, u64> = FxHashMap::default();
        for (passage, worth) in passages.iter().zip(&worths) {
            *of_file.entry(passage.file).or_default() += share(*worth);
        }
        Self { passages: worths.into_iter().map(|worth| Worth(share(worth))).collect(), of_file }
    }

    /// What all passages of a file are worth.
    pub(super) fn of_file(&self, file: NodeId) -> Worth {
        Worth(self.of_file.get(&file).copied().unwrap_or_default())
    }

    /// What everything is worth.
    pub(super) fn all() -> Worth {
        Worth(WHOLE)
    }
}

pub(crate) fn n_lines(passage: &Passage) -> u64 {
    // Blank lines behind a definition are part of its passage, however many.
    (u64::from(passage.lines.1.saturating_sub(passage.lines.0)) + 1).min(MAX_LINES)
}

/// One half to the power of so many thousandths, in fixed point; straight lines between whole powers.
pub(crate) fn half_to(thousandths: i64) -> u64 {
    let thousandths = thousandths.max(0) as u64;
    let (power, rest) = (thousandths / 1000, thousandths % 1000);
    if power >= u64::from(DIGITS) {
        return 0;
    }
    let upper = (1_u64 << DIGITS) >> power;
    upper - upper / 2 * rest / 1000
}

#[cfg(test)]
mod tests {
    use super::*;
    use activate_rules::atoms::Energy;

    #[test]
    fn so_many_points_double_the_worth_of_a_line() {
        let whole = 1 << DIGITS;
        assert_eq!([0, 1000, 2000, 500].map(half_to), [whole, whole / 2, whole / 4, whole / 4 * 3]);
        assert_eq!([half_to(-5), half_to(40_000), half_to(i64::MAX)], [whole, 0, 0]);
        let passage = |score, lines| Passage {
            file: NodeId(0),
            lines,
            definition: None,
            score: Energy::points(score),
            parts: Vec::new(),
            words: Vec::new(),
            best_line: 1,
            fails: false,
            n_bytes: (lines.1 + 1 - lines.0) * 32,
            turn: None,
            learnt: Energy::ZERO,
            columns: None,
        };
        let passages = [passage(54, (1, 10)), passage(40, (11, 20)), passage(40, (21, 40))];
        let mut weights = Weights::default();
        weights.packing.again = Thousandths::new(0);
        let worths = Worths::new(&passages, &weights);
        assert_eq!(worths.passages, [400_000_000, 200_000_000, 400_000_000].map(Worth));
        assert_eq!(worths.of_file(NodeId(0)), Worths::all());
        // The second passage of a file is worth half where each takes the whole, the third a third; blank lines are not worth more and more.
        weights.packing.again = Thousandths::ONE;
        assert_eq!(
            Worths::new(&[passage(40, (1, 10)), passage(40, (11, 20))], &weights).passages,
            [666_666_666, 333_333_333].map(Worth)
        );
        weights.packing.again = Thousandths::new(0);
        let blank = Worths::new(&[passage(40, (1, 40)), passage(40, (41, 9_000_000))], &weights);
        assert_eq!(blank.passages, [500_000_000; 2].map(Worth));
        assert!(Worth(10).density(5) > Worth(10).density(6));
    }
}
