//! How likely it is that the task changes each file, and how sure the answer is from that.

use super::{Activated, Active};
use activate_rules::atoms::{NodeId, Thousandths};
use activate_rules::features::Columns;
use activate_rules::learnt::{LIKELY, probability};
use activate_rules::weights::Weights;
use intent::{Certainty, Intent};

/// The first files of an answer of which it is said how likely they are: so many it was learnt from.
const MAX_LIKELY: usize = 100;

/// The first files of an answer, of which one or more should be right.
const N_FIRST: usize = 5;

/// The first files of an answer that were compared, in path order, each with the probability that the task changes it.
pub(super) fn likelihoods(files: &[Active], compared: &[(NodeId, Columns)]) -> Vec<(NodeId, Thousandths)> {
    let columns = |file: NodeId| compared.binary_search_by_key(&file, |(node, _)| *node).ok().map(|at| &compared[at].1);
    let of = |active: &Active| Some((active.node, probability(LIKELY.score(columns(active.node)?))));
    let mut likelihoods: Vec<_> = files.iter().take(MAX_LIKELY).filter_map(of).collect();
    likelihoods.sort_unstable();
    likelihoods
}

/// How sure an answer is: as the reading of the task says where it names a place or finds nothing; else strong where it is likely enough that one
/// of the first files is right.
pub(super) fn certainty(
    intent: &Intent,
    files: &[Active],
    likelihoods: &[(NodeId, Thousandths)],
    weights: &Weights,
) -> Certainty {
    if likelihoods.is_empty() || intent.certainty == Certainty::None || !intent.targets.is_empty() {
        return intent.certainty;
    }
    let whole = u64::from(Thousandths::ONE.get());
    let first = files.iter().filter_map(|active| find(likelihoods, active.node)).take(N_FIRST);
    let none_is_right = first.fold(whole * whole, |none, likely| none * (whole - u64::from(likely.get())) / whole);
    let is_likely = whole * whole - none_is_right >= u64::from(weights.sure.get()) * whole;
    if is_likely { Certainty::Strong } else { Certainty::Weak }
}

impl Activated {
    /// The probability that the task changes a file, if it is one of the first source files.
    pub fn likelihood(&self, file: NodeId) -> Option<Thousandths> {
        find(&self.likelihoods, file)
    }
}

fn find(likelihoods: &[(NodeId, Thousandths)], file: NodeId) -> Option<Thousandths> {
    likelihoods.binary_search_by_key(&file, |(node, _)| *node).ok().map(|at| likelihoods[at].1)
}
