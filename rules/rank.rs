//! Why a node stands where it does in the order of what is active, and what decides between two.
//!
//! Read from what was derived, as [`why`](crate::why) is for scores.

use crate::atoms::{Energy, Factor, Millionths, NodeId, Thousandths};
use crate::context::PolicyContext;
use crate::facts::{Derived, Place};

/// What the rank score of a node is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranking {
    /// What decides its place.
    pub place: Place,
    /// Where its rank score comes from.
    pub source: RankSource,
}

/// Where a rank score comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankSource {
    /// From what speaks for the node, and for a definition from its file.
    Own {
        /// What words say, as a share of an exact target.
        words: Millionths,
        /// How much independent energy arrives over links.
        support: Millionths,
        /// What links count against words.
        weight: Thousandths,
        /// For a definition in a file that was reached: the share that speaks for the file, and the part of it that the file lends.
        file: Option<(NodeId, Millionths, Thousandths)>,
    },
    /// For a file whose place is learnt from that place: files have the shares that rules give them, handed out in the learnt order.
    Learnt {
        /// Its place among the files whose place is learnt, from 1.
        place: usize,
        /// How many they are.
        n_files: usize,
        /// The share that rules give it.
        by_rule: Millionths,
        /// The share of its place, and how many times that counts, where a rule of the user says so.
        prior: Option<(Millionths, Factor)>,
    },
    /// For a test from what it tests, where that gives more.
    Subject {
        /// What it tests.
        subject: NodeId,
        /// The share that speaks for it.
        share: Millionths,
        /// The part of it that a test gets.
        weight: Thousandths,
    },
}

/// What decides which of two nodes stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// One is certain and the other is not.
    Certain,
    /// Both are certain, and one scores more.
    CertainScore,
    /// One has the greater rank score.
    RankScore,
    /// With one rank score, one scores more.
    Score,
    /// All is alike, and one comes first in the order of paths.
    Path,
}

impl Decision {
    /// What decides between the places of two nodes.
    pub fn between(one: &Place, other: &Place) -> Self {
        let (&(_, certain, rank_score, score), &(_, other_certain, other_rank_score, other_score)) = (one, other);
        if (certain > Energy::ZERO) != (other_certain > Energy::ZERO) {
            Self::Certain
        } else if certain != other_certain {
            Self::CertainScore
        } else if rank_score != other_rank_score {
            Self::RankScore
        } else if score != other_score {
            Self::Score
        } else {
            Self::Path
        }
    }
}

/// What the rank score of `node` is made of; none for a node that is not active.
pub fn ranking(policy: &PolicyContext<'_>, derived: &Derived, node: NodeId) -> Option<Ranking> {
    let weights = policy.weights;
    let place = *derived.places.iter().find(|place| place.0 == node)?;
    let words = |node| Millionths::share(derived.evidence(node).unwrap_or_default(), weights.exact);
    let own = |node| words(node).or(derived.support(node).times(weights.support.ratio()));
    let holder = |node| policy.holder(node).filter(|&file| derived.score(file).is_some());
    let weighed = |file, share: Millionths| derived.prior(file).map_or(share, |factor| share.by(factor));
    let of_file = |file| derived.learnt(file).map_or_else(|| own(file), |share| weighed(file, share));
    let in_file =
        |node| holder(node).map_or_else(|| of_file(node), |file| of_file(file).times(own(node).or(weights.in_file.ratio())));
    // Of several subjects the one that lifts the test the most, of equal ones the first.
    let subjects = derived.tested.iter().rev().filter(|row| row.0 == node).map(|row| row.2);
    let subject = subjects.max_by_key(|&subject| in_file(subject)).filter(|_| place.2 > in_file(node));
    let source = match (subject, derived.learnt(node)) {
        (Some(subject), _) => RankSource::Subject { subject, share: in_file(subject), weight: weights.test },
        (None, Some(share)) => RankSource::Learnt {
            place: derived.learnt.iter().filter(|(_, other)| *other > share).count() + 1,
            n_files: derived.learnt.len(),
            by_rule: own(node),
            prior: derived.prior(node).map(|factor| (share, factor)),
        },
        (None, None) => RankSource::Own {
            words: words(node),
            support: derived.support(node),
            weight: weights.support,
            file: holder(node).map(|file| (file, of_file(file), weights.in_file)),
        },
    };
    Some(Ranking { place, source })
}
