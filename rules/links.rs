//! The kinds of links, how a link is packed, and the flat table that holds all links of a repository.
//!
//! Must not know a weight's value or what a node is: the table is read, never built, here.

use crate::atoms::{Millionths, NodeId, Reciprocal, Thousandths, named};
use crate::weights::LinkWeights;

named! {
    /// What a link says. Each relation has a kind for either direction, with a weight of its own.
    pub enum LinkKind {
        /// The source file imports the target; re-exports count as imports.
        Imports = "imports",
        /// The source is imported by the target file.
        ImportedBy = "imported_by",
        /// The source symbol calls the target.
        Calls = "calls",
        /// The source symbol is called by the target.
        CalledBy = "called_by",
        /// The source symbol names the target without calling it.
        References = "references",
        /// The source symbol is named by the target.
        ReferencedBy = "referenced_by",
        /// The source type has the methods of the target interface or trait.
        Implements = "implements",
        /// The source interface or trait is implemented by the target.
        ImplementedBy = "implemented_by",
        /// The source type extends or embeds the target.
        Extends = "extends",
        /// The source type is extended or embedded by the target.
        ExtendedBy = "extended_by",
        /// The source file or type holds the target symbol.
        Contains = "contains",
        /// The source symbol stands in the target file or type.
        ContainedBy = "contained_by",
        /// Source and target file changed in the same commits more often than by chance.
        ChangedWith = "changed_with",
        /// The source asks for a path that the target serves; between languages too.
        ServedBy = "served_by",
        /// The source serves a path that the target asks for.
        Serves = "serves",
    }
}

/// Which way a kind of link points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From what uses to what is used: followed to understand.
    Uses,
    /// From what is used to what uses it: followed to see what a change reaches.
    UsedBy,
    /// The relation has no direction.
    Both,
}

/// What is fixed about a kind of link.
#[derive(Debug, Clone, Copy)]
pub struct KindInfo {
    /// Which kind it is.
    pub kind: LinkKind,
    /// The kind of the same relation seen from its other end.
    pub reverse: LinkKind,
    /// Which way it points.
    pub direction: Direction,
    /// Its weight; the value and the reason for it stand in [`LinkWeights`].
    pub weight: fn(&LinkWeights) -> Thousandths,
}

/// Every kind of link, in the order of [`LinkKind::ALL`].
pub const KINDS: [KindInfo; 15] = {
    use Direction::{Both, UsedBy, Uses};
    use LinkKind as K;
    [
        row(K::Imports, K::ImportedBy, Uses, |weights| weights.imports),
        row(K::ImportedBy, K::Imports, UsedBy, |weights| weights.imported_by),
        row(K::Calls, K::CalledBy, Uses, |weights| weights.calls),
        row(K::CalledBy, K::Calls, UsedBy, |weights| weights.called_by),
        row(K::References, K::ReferencedBy, Uses, |weights| weights.references),
        row(K::ReferencedBy, K::References, UsedBy, |weights| weights.referenced_by),
        row(K::Implements, K::ImplementedBy, Uses, |weights| weights.implements),
        row(K::ImplementedBy, K::Implements, UsedBy, |weights| weights.implemented_by),
        row(K::Extends, K::ExtendedBy, Uses, |weights| weights.extends),
        row(K::ExtendedBy, K::Extends, UsedBy, |weights| weights.extended_by),
        row(K::Contains, K::ContainedBy, Uses, |weights| weights.contains),
        row(K::ContainedBy, K::Contains, UsedBy, |weights| weights.contained_by),
        row(K::ChangedWith, K::ChangedWith, Both, |weights| weights.changed_with),
        row(K::ServedBy, K::Serves, Uses, |weights| weights.served_by),
        row(K::Serves, K::ServedBy, UsedBy, |weights| weights.serves),
    ]
};

const fn row(kind: LinkKind, reverse: LinkKind, direction: Direction, weight: fn(&LinkWeights) -> Thousandths) -> KindInfo {
    KindInfo { kind, reverse, direction, weight }
}

impl LinkKind {
    /// The row of [`KINDS`] about this kind.
    pub const fn info(self) -> &'static KindInfo {
        &KINDS[self as usize]
    }

    /// The kind of the same relation seen from its other end.
    #[must_use]
    pub const fn reverse(self) -> Self {
        self.info().reverse
    }
}

named! {
    /// How sure a link is.
    pub enum Confidence {
        /// A scope or an import proves it.
        Exact = "exact",
        /// The package or the receiver's type is known.
        Qualified = "qualified",
        /// Only one definition of that name is in reach.
        Unique = "unique",
        /// One of two candidates.
        AmongTwo = "among_2",
        /// One of three candidates.
        AmongThree = "among_3",
        /// One of four candidates; more give no link.
        AmongFour = "among_4",
    }
}

impl Confidence {
    /// The greatest number of candidates that gives a level.
    pub const MAX_CANDIDATES: usize = Self::AmongFour.n_candidates() as usize;

    /// The level of one among `n_candidates` that only their name speaks for; none where that is nobody or too many.
    pub const fn among(n_candidates: usize) -> Option<Self> {
        match n_candidates {
            1 => Some(Self::Unique),
            2 => Some(Self::AmongTwo),
            3 => Some(Self::AmongThree),
            4 => Some(Self::AmongFour),
            _ => None,
        }
    }

    /// How many candidates share the link's energy.
    pub const fn n_candidates(self) -> u32 {
        match self {
            Self::Exact | Self::Qualified | Self::Unique => 1,
            Self::AmongTwo => 2,
            Self::AmongThree => 3,
            Self::AmongFour => 4,
        }
    }
}

/// The number of links of one kind up to which a node passes its full energy along each.
///
/// Almost all nodes of real code have fewer; without a limit one hub makes thousands of nodes hot.
const FULL_FAN_OUT: u32 = 8;

/// The divisor of the energy that a node with `fan_out` links of one kind passes along each of them: it grows with the logarithm.
pub const fn damping(fan_out: u32) -> u8 {
    if fan_out <= FULL_FAN_OUT { 1 } else { 1 + (fan_out / FULL_FAN_OUT).ilog2() as u8 }
}

/// The reciprocal of every damping: links are many, and a division costs more than all else that is done with one.
const RECIPROCALS: [Reciprocal; LinkAttribute::FIELD as usize + 1] = {
    let mut reciprocals = [Reciprocal::of(1); LinkAttribute::FIELD as usize + 1];
    let mut damping = 1;
    while damping < reciprocals.len() {
        reciprocals[damping] = Reciprocal::of(damping as u8);
        damping += 1;
    }
    reciprocals
};

/// Kind, confidence and damping of one link in 24 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkAttribute(u32);

impl LinkAttribute {
    const CONFIDENCE_SHIFT: u32 = 8;
    const DAMPING_SHIFT: u32 = 16;
    const FIELD: u32 = 0xff;

    /// The attribute of a link of this kind and confidence, from a source with this [`damping`].
    pub const fn new(kind: LinkKind, confidence: Confidence, damping: u8) -> Self {
        Self(kind as u32 | (confidence as u32) << Self::CONFIDENCE_SHIFT | (damping as u32) << Self::DAMPING_SHIFT)
    }

    /// The attribute that `bits` stand for, if they name a kind and a confidence: a stored table may be damaged.
    pub fn from_bits(bits: u32) -> Option<Self> {
        let attribute = Self(bits);
        let known = attribute.kind_index() < KINDS.len() && attribute.confidence_index() < Confidence::ALL.len();
        (known && bits >> Self::DAMPING_SHIFT <= Self::FIELD).then_some(attribute)
    }

    /// The stored form.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// What the link says.
    pub fn kind(self) -> LinkKind {
        KINDS[self.kind_index()].kind
    }

    /// How sure it is.
    pub fn confidence(self) -> Confidence {
        Confidence::ALL[self.confidence_index()]
    }

    /// What is left of a strength after damping.
    pub(crate) const fn damped(self, strength: Millionths) -> Millionths {
        strength.times_reciprocal(RECIPROCALS[(self.0 >> Self::DAMPING_SHIFT & Self::FIELD) as usize])
    }

    /// What the source's fan-out divides its energy by, at least 1.
    pub const fn damping(self) -> u8 {
        let damping = (self.0 >> Self::DAMPING_SHIFT & Self::FIELD) as u8;
        if damping == 0 { 1 } else { damping }
    }

    pub(crate) const fn kind_index(self) -> usize {
        (self.0 & Self::FIELD) as usize
    }

    pub(crate) const fn confidence_index(self) -> usize {
        (self.0 >> Self::CONFIDENCE_SHIFT & Self::FIELD) as usize
    }
}

/// All links of a repository as flat rows: those of node `n` stand at `starts[n]..starts[n + 1]`.
///
/// Each link has its reverse in the row of its target. Rows and targets that point outside are left out, so that a damaged table gives
/// fewer links and never a panic.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinkTable<'a> {
    /// Where each node's row starts, and the end of the last: one more than there are nodes.
    pub starts: &'a [u32],
    /// The target of each link.
    pub targets: &'a [u32],
    /// The [`LinkAttribute`] of each link.
    pub attributes: &'a [u32],
}

impl<'a> LinkTable<'a> {
    /// The links out of `from`, in stored order.
    pub fn row(self, from: NodeId) -> impl Iterator<Item = (NodeId, LinkAttribute)> + 'a {
        let range = row_range(self.starts, from).unwrap_or_default();
        let targets = self.targets.get(range.clone()).unwrap_or_default();
        let attributes = self.attributes.get(range).unwrap_or_default();
        let n_nodes = self.starts.len().saturating_sub(1);
        targets.iter().zip(attributes).filter_map(move |(&target, &bits)| {
            let attribute = LinkAttribute::from_bits(bits)?;
            ((target as usize) < n_nodes).then_some((NodeId(target), attribute))
        })
    }
}

/// Nodes in flat rows, such as the tests of each subject: those of node `n` stand at `starts[n]..starts[n + 1]`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rows<'a> {
    /// Where each node's row starts, and the end of the last.
    pub starts: &'a [u32],
    /// The nodes of all rows.
    pub targets: &'a [u32],
}

impl<'a> Rows<'a> {
    /// The nodes in the row of `node`, in stored order.
    pub fn row(self, node: NodeId) -> impl Iterator<Item = NodeId> + 'a {
        let targets = row_range(self.starts, node).and_then(|range| self.targets.get(range)).unwrap_or_default();
        targets.iter().map(|&target| NodeId(target))
    }
}

/// Where the row of `node` stands, if the table has one.
pub(crate) fn row_range(starts: &[u32], node: NodeId) -> Option<std::ops::Range<usize>> {
    let row = node.0 as usize;
    let start = *starts.get(row)?;
    let end = *starts.get(row.checked_add(1)?)?;
    Some(start as usize..end as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_the_greatest_number_of_candidates_has_a_level_and_one_of_more_has_none() {
        assert!(Confidence::among(Confidence::MAX_CANDIDATES).is_some());
        assert_eq!(Confidence::among(Confidence::MAX_CANDIDATES + 1), None);
    }

    #[test]
    fn every_kind_stands_at_its_row_and_its_reverse_leads_back() {
        for (kind, row) in LinkKind::ALL.iter().zip(&KINDS) {
            assert_eq!(*kind, row.kind);
            assert_eq!(kind.reverse().reverse(), *kind);
        }
    }

    #[test]
    fn an_attribute_keeps_its_three_fields_and_unknown_bits_are_refused() {
        for &kind in LinkKind::ALL {
            for &confidence in Confidence::ALL {
                let attribute = LinkAttribute::new(kind, confidence, 14);
                assert_eq!(LinkAttribute::from_bits(attribute.bits()), Some(attribute));
                assert_eq!((attribute.kind(), attribute.confidence(), attribute.damping()), (kind, confidence, 14));
            }
        }
        assert!([KINDS.len() as u32, 0x0600, 0x0100_0000, u32::MAX].iter().all(|&bits| LinkAttribute::from_bits(bits).is_none()));
    }

    #[test]
    fn damping_starts_after_eight_links_and_grows_with_the_logarithm() {
        assert_eq!([0, 1, 8, 9, 15, 16, 31, 32, 2349].map(damping), [1, 1, 1, 1, 1, 2, 2, 3, 9]);
        assert_eq!(damping(u32::MAX), 29);
    }

    #[test]
    fn a_damaged_table_gives_fewer_links_and_no_panic() {
        let bits = LinkAttribute::new(LinkKind::Calls, Confidence::Exact, 1).bits();
        let table = LinkTable { starts: &[0, 2, 1, 9], targets: &[1, 77], attributes: &[bits, bits] };
        assert_eq!(table.row(NodeId(0)).map(|(to, _)| to).collect::<Vec<_>>(), [NodeId(1)]);
        assert!([1, 2, 3, u32::MAX].iter().all(|&node| table.row(NodeId(node)).next().is_none()));
    }
}
