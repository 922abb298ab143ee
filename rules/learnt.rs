//! The learnt order of files, and how likely each is: sums of small decision trees over the columns of the comparison, in integers.
//!
//! The trees stand in `weights/learnt*.rs`, which `benches/train` writes. Orders were fitted by `LambdaMART` (Burges 2010, "From `RankNet` to
//! `LambdaRank` to `LambdaMART`"), the likelihood by log loss, on changes of public repositories; `weights/learnt*.md` say which, and what came out.

use crate::atoms::{Millionths, NodeId, Thousandths};
use crate::columns::{Named, columns};
use crate::features::{Columns, Feature, value};
use crate::weights::{OwnWeights, learnt, learnt_likely, learnt_next, learnt_passages};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Leaves of a tree; it has one split less.
pub(crate) const N_LEAVES: usize = 7;
pub(crate) const N_SPLITS: usize = N_LEAVES - 1;

/// A split: the column, the greatest value that goes left, and what stands left and right: the number of a split, or, below zero, -1 for the
/// first leaf, -2 for the second and so on.
pub(crate) type Split = (u8, i32, i8, i8);

/// Trees that were fitted to one question.
#[derive(Clone, Copy)]
pub struct Trees {
    /// What all files score before any split, in ten-thousandths of a unit of the fit.
    base: i32,
    /// The splits of each tree.
    splits: &'static [[Split; N_SPLITS]],
    /// The leaves of each tree, in ten-thousandths of a unit of the fit.
    leaves: &'static [[i16; N_LEAVES]],
    /// The mean below each split.
    means: &'static [[i16; N_SPLITS]],
}

/// Which files a task changes.
pub const FILES: Trees = Trees { base: learnt::BASE, splits: learnt::SPLITS, leaves: learnt::LEAVES, means: learnt::MEANS };

/// Which files a task changes besides those that are edited already.
pub const NEXT: Trees =
    Trees { base: learnt_next::BASE, splits: learnt_next::SPLITS, leaves: learnt_next::LEAVES, means: learnt_next::MEANS };

/// How likely a task changes a file: [`probability`] of the score.
pub const LIKELY: Trees = Trees {
    base: learnt_likely::BASE,
    splits: learnt_likely::SPLITS,
    leaves: learnt_likely::LEAVES,
    means: learnt_likely::MEANS,
};

/// Which lines of these files it changes: in doublings of what a line is worth.
pub const PASSAGES: Trees = Trees {
    base: learnt_passages::BASE,
    splits: learnt_passages::SPLITS,
    leaves: learnt_passages::LEAVES,
    means: learnt_passages::MEANS,
};

/// What a unit of the fit is in scores.
pub const UNIT: i64 = 10_000;

impl Trees {
    /// How a candidate scores: the sum of a leaf of each tree, in ten-thousandths of a unit of the fit.
    pub fn score(&self, candidate: &[i32]) -> i64 {
        let of = |(splits, leaves): (&[Split; N_SPLITS], &[i16; N_LEAVES])| i64::from(leaves[leaf(splits, candidate, |_, _| {})]);
        i64::from(self.base) + self.splits.iter().zip(self.leaves).map(of).sum::<i64>()
    }

    /// What each feature adds to the score of a candidate, the greatest first: at each split what the mean of the tree below changes by (Saabas,
    /// "Interpreting random forests", 2014). With what all candidates have, the base and the means at the roots, they sum up to the score.
    pub fn parts<F: Named>(&self, candidate: &[i32]) -> Vec<(F, i64)> {
        sorted(self.by_feature(candidate))
    }

    fn by_feature<F: Named>(&self, candidate: &[i32]) -> BTreeMap<F, i64> {
        let feature_of: Vec<F> = columns().map(|(feature, _)| feature).collect();
        let mut parts: BTreeMap<F, i64> = BTreeMap::new();
        for ((splits, leaves), means) in self.splits.iter().zip(self.leaves).zip(self.means) {
            let mut before: Option<(F, i16)> = None;
            let mut add = |before: Option<(F, i16)>, mean: i16| {
                if let Some((feature, known)) = before {
                    *parts.entry(feature).or_default() += i64::from(mean) - i64::from(known);
                }
            };
            let end = leaf(splits, candidate, |split, column| {
                add(before, means[split]);
                before = feature_of.get(column).map(|feature| (*feature, means[split]));
            });
            add(before, leaves[end]);
        }
        parts
    }

    /// What each feature adds to the score by which [`order`](Self::order) puts files, with what `own` adds.
    pub fn parts_with(&self, own: &OwnWeights, file: &Columns) -> Vec<(Feature, i64)> {
        let mut parts = self.by_feature(file);
        for (feature, part) in own.parts(file) {
            *parts.entry(feature).or_default() += part;
        }
        sorted(parts)
    }

    /// What each feature adds to the score of one file more than to that of another, the greatest difference first.
    pub fn parts_over(&self, own: &OwnWeights, file: &Columns, other: &Columns) -> Vec<(Feature, i64)> {
        let mut differences: BTreeMap<Feature, i64> = self.parts_with(own, file).into_iter().collect();
        for (feature, part) in self.parts_with(own, other) {
            *differences.entry(feature).or_default() -= part;
        }
        sorted(differences)
    }

    /// The files that are meant, the best first, each with its score and what `own` adds; of those that score alike, as rules order them.
    pub fn order(&self, own: &OwnWeights, files: &[(NodeId, Columns)], is_meant: impl Fn(NodeId) -> bool) -> Vec<(NodeId, i64)> {
        let meant = files.iter().filter(|(node, _)| is_meant(*node));
        let score = |columns: &Columns| self.score(columns) + own.parts(columns).map(|(_, part)| part).sum::<i64>();
        let scored = meant.map(|(node, columns)| (Reverse(score(columns)), value(columns, Feature::Place), *node));
        let mut scored: Vec<(Reverse<i64>, i32, NodeId)> = scored.collect();
        scored.sort_unstable();
        scored.into_iter().map(|(Reverse(score), _, node)| (node, score)).collect()
    }

    /// Whether nothing was fitted: then rules order.
    pub const fn is_empty(&self) -> bool {
        self.splits.is_empty()
    }
}

/// The logistic function at 0, 1/4, 2/4 and so on up to 8, in thousandths: `1000 / (1 + exp(-x))`, rounded.
const LOGISTIC: [i64; 33] = [
    500, 562, 622, 679, 731, 777, 818, 852, 881, 905, 924, 940, 953, 963, 971, 977, 982, 986, 989, 991, 993, 995, 996, 997, 998,
    998, 998, 999, 999, 999, 999, 1000, 1000,
];

/// The probability that has these log odds, in ten-thousandths: the logistic function between the nearest two of `LOGISTIC`, so that all
/// machines have the same. It is off by two thousandths at most.
pub fn probability(log_odds: i64) -> Thousandths {
    const STEP: i64 = UNIT / 4;
    let most = (LOGISTIC.len() as i64 - 1) * STEP - 1;
    let odds = log_odds.clamp(-most, most).abs();
    let (at, over) = ((odds / STEP) as usize, odds % STEP);
    let value = LOGISTIC[at] + (LOGISTIC[at + 1] - LOGISTIC[at]) * over / STEP;
    Thousandths::new(if log_odds < 0 { 1000 - value } else { value } as u32)
}

/// Parts that are not nothing, the greatest first.
fn sorted<F: Named>(parts: BTreeMap<F, i64>) -> Vec<(F, i64)> {
    let mut parts: Vec<(F, i64)> = parts.into_iter().filter(|(_, part)| *part != 0).collect();
    parts.sort_by_key(|&(feature, part)| (Reverse(part.abs()), feature));
    parts
}

/// The leaf of a tree in which a candidate ends; `pass` is given each split on the way, and its column.
fn leaf(splits: &[Split; N_SPLITS], candidate: &[i32], mut pass: impl FnMut(usize, usize)) -> usize {
    let mut split = 0;
    // A tree has no more splits than this, and each is passed once.
    for _ in 0..N_SPLITS {
        let (column, most, left, right) = splits[split];
        pass(split, usize::from(column));
        let next = if candidate[usize::from(column)] <= most { left } else { right };
        match usize::try_from(next) {
            Ok(next) => split = next.min(N_SPLITS - 1),
            Err(_) => return (-1 - isize::from(next)) as usize % N_LEAVES,
        }
    }
    0
}

/// The shares that rules give the files, handed out in the learnt order: what was learnt decides who stands where, and rules how much that is.
/// Each is at least a millionth more than the next, so that the order holds.
pub fn shares(own: &OwnWeights, files: &[(NodeId, Columns)], may_move: impl Fn(NodeId) -> bool) -> Vec<(NodeId, Millionths)> {
    let moving = files.iter().filter(|(node, _)| may_move(*node));
    let mut given: Vec<i32> = moving.map(|(_, columns)| value(columns, Feature::Share)).collect();
    given.sort_unstable();
    let mut next = -1;
    for share in &mut given {
        *share = (*share).max(next + 1);
        next = *share;
    }
    let given = given.into_iter().rev().map(Millionths::from_count);
    FILES.order(own, files, may_move).into_iter().zip(given).map(|((node, _), share)| (node, share)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{column_names, columns_hash};
    use crate::features::column_of;
    use crate::passage_features::PassageFeature;

    /// A file whose columns all have one value.
    fn file(value: i32) -> Columns {
        [value; size_of::<Columns>() / size_of::<i32>()]
    }

    /// One tree: the first column above 10 leads to a split by the second, which is that of another feature.
    const SMALL: Trees = Trees {
        base: 7_000,
        splits: &[[(0, 10, -1, 1), (1, 5, -2, -3), (0, 0, -1, -1), (0, 0, -1, -1), (0, 0, -1, -1), (0, 0, -1, -1)]],
        leaves: &[[100, 20, -30, 0, 0, 0, 0]],
        means: &[[40, -5, 0, 0, 0, 0]],
    };

    #[test]
    fn a_file_ends_in_the_leaf_that_its_columns_lead_to_and_each_split_says_what_it_adds() {
        let of = |one: i32, two: i32| {
            let mut file = file(0);
            (file[0], file[1]) = (one, two);
            file
        };
        let own = OwnWeights::default();
        let [first, second] = [0, 1].map(|column| columns::<Feature>().nth(column).expect("a column").0);
        assert_eq!((SMALL.score(&of(10, 9)), SMALL.parts_with(&own, &of(10, 9))), (7_100, vec![(first, 60)]));
        assert_eq!((SMALL.score(&of(11, 5)), SMALL.parts_with(&own, &of(11, 5))), (7_020, vec![(first, -45), (second, 25)]));
        assert_eq!((SMALL.score(&of(11, 6)), SMALL.parts_with(&own, &of(11, 6))), (6_970, vec![(first, -45), (second, -25)]));
        assert_eq!(SMALL.parts_over(&own, &of(11, 5), &of(11, 6)), [(second, 50)]);
        // What a repository's own history adds counts like the rest.
        let own: OwnWeights = serde_json::from_str(r#"{"churn": 200}"#).expect("weights");
        let mut often = of(11, 6);
        often[column_of(Feature::Churn) + 1] = 500;
        assert_eq!(SMALL.parts_with(&own, &often), [(Feature::Churn, 100), (first, -45), (second, -25)]);
        let files = [(NodeId(1), of(11, 5)), (NodeId(2), often)];
        assert_eq!(SMALL.order(&own, &files, |_| true), [(NodeId(2), 7_070), (NodeId(1), 7_020)]);
    }

    #[test]
    fn probabilities_are_those_of_the_logistic_function_and_rise_with_the_odds() {
        let mut before = Thousandths::new(0);
        for odds in (-120_000..=120_000).step_by(50) {
            let (found, exact) = (probability(odds), 1000.0 / (1.0 + (-f64::from(odds as i32) / UNIT as f64).exp()));
            assert!((f64::from(found.get()) - exact).abs() <= 2.0 && found >= before, "{odds}: {found:?} for {exact}");
            before = found;
        }
    }

    #[test]
    fn each_leaf_of_the_fitted_trees_is_reached_in_one_way_and_they_were_fitted_to_these_columns() {
        let files = (columns_hash::<Feature>(), column_names::<Feature>().count());
        let passages = (columns_hash::<PassageFeature>(), column_names::<PassageFeature>().count());
        for (trees, hash, (columns, n_columns)) in [
            (FILES, learnt::COLUMNS, files),
            (NEXT, learnt_next::COLUMNS, files),
            (LIKELY, learnt_likely::COLUMNS, files),
            (PASSAGES, learnt_passages::COLUMNS, passages),
        ] {
            assert!(!trees.is_empty() && trees.splits.len() == trees.leaves.len() && trees.leaves.len() == trees.means.len());
            assert_eq!(hash, columns, "features changed: fit again, see benches/train");
            for splits in trees.splits {
                let (mut open, mut leaves) = (vec![0_i8], Vec::new());
                while let Some(next) = open.pop() {
                    let Ok(split) = usize::try_from(next) else {
                        leaves.push(-next);
                        continue;
                    };
                    let (column, _, left, right) = splits[split];
                    assert!(
                        usize::from(column) < n_columns && [left, right].iter().all(|to| *to < 0 || *to > next),
                        "{splits:?}"
                    );
                    open.extend([left, right]);
                }
                leaves.sort_unstable();
                assert_eq!(leaves, (1..=leaves.len() as i8).collect::<Vec<_>>(), "{splits:?}");
                assert!(leaves.len() <= N_LEAVES, "{splits:?}");
            }
        }
    }

    #[test]
    fn shares_of_rules_are_handed_out_in_the_learnt_order_and_what_may_not_move_keeps_its_own() {
        let share = |node: u32, share: i32, place: i32| {
            let mut columns = file(0);
            (columns[column_of(Feature::Share)], columns[column_of(Feature::Place)]) = (share, place);
            (NodeId(node), columns)
        };
        let files = [share(1, 0, 5), share(2, 900, 1), share(3, 500, 2), share(4, 500, 3), share(5, 0, 4)];
        let given = shares(&OwnWeights::default(), &files, |node| node != NodeId(2));
        let mut nodes: Vec<u32> = given.iter().map(|(node, _)| node.0).collect();
        nodes.sort_unstable();
        assert_eq!(nodes, [1, 3, 4, 5]);
        assert_eq!(given.iter().map(|(_, share)| share.get()).collect::<Vec<_>>(), [501, 500, 1, 0]);
    }
}
