//! From the rows of cases to figures: how often, how high, how much is shown.

use super::rows::{BUDGETS, Row, Share, Shown};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Decimals of a figure, as a factor.
pub(super) const DECIMALS: f64 = 10_000.0;

/// How many of a list are looked at, as the names of figures say: a screen of it, two, and all that anybody reads.
pub(super) const FEW: u32 = 5;
const SOME: u32 = 10;
const MANY: u32 = 20;

/// Figures over some cases, each a mean from 0 to 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Figures {
    /// Cases whose gold files are all among the first so many.
    pub acc_1: f64,
    /// The same of the first five.
    pub acc_5: f64,
    /// The same of the first ten.
    pub acc_10: f64,
    /// The share of gold files among the first so many.
    pub r_1: f64,
    /// The same of the first five.
    pub r_5: f64,
    /// The same of the first ten.
    pub r_10: f64,
    /// The same of the first twenty.
    pub r_20: f64,
    /// One by the rank of the best gold file.
    pub mrr: f64,
    /// The share of the gold files other than the best among the first ten, over cases with several; none without such cases.
    pub others_10: Option<f64>,
}

/// Figures over the symbols of cases that have some.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct SymbolFigures {
    /// Cases with gold symbols.
    pub n: u32,
    /// Cases with a gold symbol at the top.
    pub any_1: f64,
    /// The same within the first five.
    pub any_5: f64,
    /// The same within the first ten.
    pub any_10: f64,
    /// Cases whose gold symbols are all within so many.
    pub all_1: f64,
    /// The same within the first five.
    pub all_5: f64,
    /// The same within the first ten.
    pub all_10: f64,
    /// One by the rank of the best gold symbol.
    pub mrr: f64,
}

/// What the text of a budget shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct TextFigures {
    /// The budget in tokens.
    pub budget: u32,
    /// Tokens that texts have.
    pub tokens: f64,
    /// The share of gold files that are named.
    pub paths: f64,
    /// The share of gold symbols of which file and name are shown; none without such cases.
    pub symbols: Option<f64>,
    /// The share of changed lines that are shown; none without such cases.
    pub lines: Option<f64>,
    /// The share of changed lines that chunks of plain text search show in as many tokens; none without such cases.
    pub chunk_lines: Option<f64>,
    /// The share of tokens that are code of gold files.
    pub gold_code: f64,
}

/// A figure with four decimals: more is noise, and differs between machines.
pub(super) fn rounded(figure: f64) -> f64 {
    (figure * DECIMALS).round() / DECIMALS
}

/// The mean, none of nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0_u32, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| rounded(sum / f64::from(n)))
}

/// Whether all of the ranks are within the first `k`.
pub(super) fn all_within(ranks: &[Option<u32>], k: u32) -> bool {
    ranks.iter().all(|rank| rank.is_some_and(|rank| rank <= k))
}

fn any_within(ranks: &[Option<u32>], k: u32) -> bool {
    ranks.iter().flatten().any(|rank| *rank <= k)
}

/// The share of ranks within the first `k`.
pub(super) fn share_within(ranks: &[Option<u32>], k: u32) -> f64 {
    let n_within = ranks.iter().flatten().filter(|rank| **rank <= k).count();
    n_within as f64 / ranks.len().max(1) as f64
}

/// One by the best rank; 0 without one.
pub(super) fn reciprocal(ranks: &[Option<u32>]) -> f64 {
    ranks.iter().flatten().min().map_or(0.0, |best| 1.0 / f64::from(*best))
}

/// The share of the ranks other than the best within the first `k`; none where there is no other.
pub(super) fn others_within(ranks: &[Option<u32>], k: u32) -> Option<f64> {
    let n_others = ranks.len().checked_sub(1).filter(|n| *n > 0)?;
    let mut found: Vec<u32> = ranks.iter().flatten().copied().collect();
    found.sort_unstable();
    let n_within = found.iter().skip(1).filter(|rank| **rank <= k).count();
    Some(n_within as f64 / n_others as f64)
}

impl Figures {
    /// Figures over the ranks of each case.
    pub fn new<'a>(cases: impl Iterator<Item = &'a [Option<u32>]>) -> Self {
        let cases: Vec<&[Option<u32>]> = cases.collect();
        let over = |figure: &dyn Fn(&[Option<u32>]) -> f64| mean(cases.iter().map(|ranks| figure(ranks))).unwrap_or_default();
        let acc = |k| over(&|ranks| f64::from(u8::from(all_within(ranks, k))));
        let share = |k| over(&|ranks| share_within(ranks, k));
        Self {
            acc_1: acc(1),
            acc_5: acc(FEW),
            acc_10: acc(SOME),
            r_1: share(1),
            r_5: share(FEW),
            r_10: share(SOME),
            r_20: share(MANY),
            mrr: over(&reciprocal),
            others_10: mean(cases.iter().filter_map(|ranks| others_within(ranks, SOME))),
        }
    }
}

impl SymbolFigures {
    /// Figures over the cases that have gold symbols; none without one.
    pub(super) fn new(rows: &[&Row]) -> Option<Self> {
        let cases: Vec<&[Option<u32>]> =
            rows.iter().map(|row| row.symbol_ranks.as_slice()).filter(|ranks| !ranks.is_empty()).collect();
        let over = |figure: &dyn Fn(&[Option<u32>]) -> f64| mean(cases.iter().map(|ranks| figure(ranks))).unwrap_or_default();
        let any = |k| over(&|ranks| f64::from(u8::from(any_within(ranks, k))));
        let all = |k| over(&|ranks| f64::from(u8::from(all_within(ranks, k))));
        (!cases.is_empty()).then(|| Self {
            n: cases.len() as u32,
            any_1: any(1),
            any_5: any(FEW),
            any_10: any(SOME),
            all_1: all(1),
            all_5: all(FEW),
            all_10: all(SOME),
            mrr: over(&reciprocal),
        })
    }
}

impl TextFigures {
    /// Figures of each budget over rows with texts.
    pub(super) fn all(rows: &[&Row]) -> Vec<Self> {
        let of = |budget: u32| {
            let shown: Vec<&Shown> = rows.iter().filter_map(|row| row.shown.get(&budget)).collect();
            (!shown.is_empty()).then(|| Self {
                budget,
                tokens: mean(shown.iter().map(|shown| f64::from(shown.tokens))).unwrap_or_default(),
                paths: part(&shown, |shown| shown.paths).unwrap_or_default(),
                symbols: part(&shown, |shown| shown.symbols),
                lines: part(&shown, |shown| shown.lines),
                chunk_lines: part(&shown, |shown| shown.chunk_lines),
                gold_code: mean(shown.iter().map(|shown| f64::from(shown.gold_tokens) / f64::from(shown.tokens.max(1))))
                    .unwrap_or_default(),
            })
        };
        BUDGETS.into_iter().filter_map(of).collect()
    }
}

/// The mean share over those that have any.
fn part(shown: &[&Shown], share: impl Fn(&Shown) -> Share) -> Option<f64> {
    let shares = shown.iter().map(|shown| share(shown)).filter(|share| share.of > 0);
    mean(shares.map(|share| f64::from(share.hits) / f64::from(share.of)))
}

/// Rows by what a function says of them, in order of that.
pub(super) fn grouped<'a>(rows: &[&'a Row], name: impl Fn(&Row) -> String) -> BTreeMap<String, Vec<&'a Row>> {
    let mut groups: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(name(row)).or_default().push(row);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_ranks_made_by_hand() {
        let cases: [&[Option<u32>]; 4] = [&[Some(1)], &[Some(2), Some(7)], &[None, Some(4), Some(20)], &[None]];
        let figures = Figures::new(cases.into_iter());
        let expected = Figures {
            acc_1: 0.25,
            acc_5: 0.25,
            acc_10: 0.5,
            r_1: 0.25,
            r_5: rounded((1.0 + 0.5 + 1.0 / 3.0) / 4.0),
            r_10: rounded((1.0 + 1.0 + 1.0 / 3.0) / 4.0),
            r_20: rounded((1.0 + 1.0 + 2.0 / 3.0) / 4.0),
            mrr: rounded((1.0 + 0.5 + 0.25) / 4.0),
            // One of one, and none of two.
            others_10: Some(0.5),
        };
        assert_eq!(figures, expected);
        assert_eq!(Figures::new([].into_iter()), Figures::default());
    }

    #[test]
    fn the_best_gold_file_is_not_one_of_the_others() {
        assert_eq!(others_within(&[Some(3)], 10), None);
        assert_eq!(others_within(&[Some(30), Some(3)], 10), Some(0.0));
        assert_eq!(others_within(&[Some(9), Some(3), None], 10), Some(0.5));
        assert_eq!(others_within(&[None, None], 10), Some(0.0));
    }
}
