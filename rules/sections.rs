//! The eight sections of a session context: their order, names and shares of the budget.
//!
//! Must not know tokens or text: how a section is filled and rendered is the engine's.

use crate::atoms::{Thousandths, named};

named! {
    /// A section of the session context, in the order of the packet.
    pub enum Section {
        /// Errors and failing tests.
        Blockers = "blockers",
        /// Findings and safety constraints.
        Supervisor = "supervisor",
        /// Target code, the files around it, tests to run.
        Neighbourhood = "neighbourhood",
        /// Git state and earlier turns.
        Past = "past",
        /// Phase, goal, dependencies and requirements of a campaign.
        Campaign = "campaign",
        /// Results of other shards and recent actions.
        Peers = "peers",
        /// Domain knowledge, hints, exemplars and anti-patterns.
        Expert = "expert",
        /// Tools that exist already.
        Toolbox = "toolbox",
    }
}

/// What is fixed about a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionInfo {
    /// Which section it is.
    pub section: Section,
    /// What it is for, as a short title.
    pub title: &'static str,
    /// Its share of the whole budget; all shares together are the whole.
    pub share: Thousandths,
    /// Its turn, from 1, when tokens that other sections did not need are handed on.
    pub reserve: u8,
}

/// The sections in the order of the packet.
///
/// The shares are those of an 80,000 token context of 10, 8, 20, 10, 8, 8, 10 and 6 thousand. What is left goes to the neighbourhood
/// first, since code is what a task is short of.
pub const SECTIONS: [SectionInfo; 8] = [
    row(Section::Blockers, "What blocks all other work", 125, 2),
    row(Section::Supervisor, "What reviewers and safety rules ask", 100, 3),
    row(Section::Neighbourhood, "The code around the task", 250, 1),
    row(Section::Past, "Why the code is as it is", 125, 4),
    row(Section::Campaign, "The larger goal", 100, 5),
    row(Section::Peers, "What other shards and earlier steps did", 100, 6),
    row(Section::Expert, "What an expert of the domain knows", 125, 7),
    row(Section::Toolbox, "Tools that exist already", 75, 8),
];

const fn row(section: Section, title: &'static str, share: u32, reserve: u8) -> SectionInfo {
    SectionInfo { section, title, share: Thousandths::new(share), reserve }
}

impl Section {
    /// The row of [`SECTIONS`] about this section.
    pub const fn info(self) -> &'static SectionInfo {
        &SECTIONS[self as usize]
    }

    /// The sections in the order in which they get what others left.
    pub fn in_reserve_order() -> [Self; 8] {
        let mut rows = SECTIONS;
        rows.sort_by_key(|row| row.reserve);
        rows.map(|row| row.section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_the_whole_and_rows_stand_at_their_section() {
        assert_eq!(SECTIONS.iter().map(|row| row.share.get()).sum::<u32>(), Thousandths::ONE.get());
        assert!(Section::ALL.iter().all(|section| section.info().section == *section));
        assert_eq!(Section::in_reserve_order()[..2], [Section::Neighbourhood, Section::Blockers]);
    }
}
