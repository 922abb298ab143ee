//! How likely it is that the task changes each file, and from that how sure an answer is.

use super::{Activated, Active};
use activate_rules::atoms::{NodeId, Thousandths};
use activate_rules::facts::Derived;
use activate_rules::features::{Columns, Feature, value};
use activate_rules::learnt::{LIKELY, probability};
use activate_rules::weights::Weights;
use intent::{Certainty, Intent, Verb};

/// The first files of an answer of which it is said how likely they are: so many it was learnt from.
const MAX_LIKELY: usize = 100;

/// The fewest words of a task that does not say what to do.
const MIN_WORDS: usize = 6;

/// The first source files of an answer, of which one or more should be right.
const N_FIRST: usize = 5;

/// The source files among the first files of an answer, in path order, each with the probability that the task changes it. Whoever wants to understand
/// or to judge changes nothing.
pub(super) fn likelihoods(verb: Verb, files: &[Active], compared: &[(NodeId, Columns)]) -> Vec<(NodeId, Thousandths)> {
    if matches!(verb, Verb::Explain | Verb::Review) {
        return Vec::new();
    }
    let of = |active: &Active| Some((active.node, probability(LIKELY.score(columns_of(compared, active.node)?))));
    let mut likelihoods: Vec<_> = files.iter().take(MAX_LIKELY).filter_map(of).collect();
    likelihoods.sort_unstable();
    likelihoods
}

/// Where nothing but words speaks for files: an answer is sure if it is likely enough that one of its first source files is right, and these have enough
/// of the words.
pub(super) fn settle(
    intent: &mut Intent,
    derived: &Derived,
    files: &[Active],
    compared: &[(NodeId, Columns)],
    likelihoods: &[(NodeId, Thousandths)],
    weights: &Weights,
) {
    // A few words that ask for nothing may be a reply to somebody.
    let may_be_reply = intent.verb == Verb::Other && intent.terms.len() < MIN_WORDS;
    // What fails, or was changed, says where to look.
    let is_pointed_at = derived.seeds.iter().any(|(_, _, cause, _)| cause.is_certain());
    if likelihoods.is_empty() || may_be_reply || is_pointed_at || !intent.is_of_words() {
        return;
    }
    let first: Vec<(NodeId, Thousandths)> =
        files.iter().filter_map(|active| Some((active.node, find(likelihoods, active.node)?))).take(N_FIRST).collect();
    let most = |feature: Feature| {
        let of = first.iter().filter_map(|(file, _)| columns_of(compared, *file)).map(|columns| value(columns, feature));
        of.max().unwrap_or_default() as u32
    };
    let has_words = most(Feature::Coverage) >= weights.likely_coverage.get() && most(Feature::Words) >= weights.likely_words;
    let is_sure = has_words && one_is_right(first.iter().map(|(_, likely)| *likely)) >= weights.likely_enough;
    intent.settle(if is_sure { Certainty::Strong } else { Certainty::Weak });
}

/// The probability that one of some files is right, where each is by itself.
fn one_is_right(likelihoods: impl Iterator<Item = Thousandths>) -> Thousandths {
    let whole = u64::from(Thousandths::ONE.get());
    // In millionths.
    let none = likelihoods.fold(whole * whole, |none, likely| none * (whole - u64::from(likely.get())) / whole);
    Thousandths::new(((whole * whole - none) / whole) as u32)
}

impl Activated {
    /// The probability that the task changes a file, if that is known.
    pub fn likelihood(&self, file: NodeId) -> Option<Thousandths> {
        find(&self.likelihoods, file)
    }
}

fn columns_of(compared: &[(NodeId, Columns)], file: NodeId) -> Option<&Columns> {
    compared.binary_search_by_key(&file, |(node, _)| *node).ok().map(|at| &compared[at].1)
}

fn find(likelihoods: &[(NodeId, Thousandths)], file: NodeId) -> Option<Thousandths> {
    likelihoods.binary_search_by_key(&file, |(node, _)| *node).ok().map(|at| likelihoods[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_some_files_is_right_as_likely_as_not_all_are_wrong() {
        let of = |likelihoods: &[u32]| one_is_right(likelihoods.iter().map(|likely| Thousandths::new(*likely))).get();
        assert_eq!((of(&[]), of(&[700]), of(&[500, 500]), of(&[450, 450]), of(&[1_000, 3])), (0, 700, 750, 697, 1_000));
    }
}
