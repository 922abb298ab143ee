//! The eight sections of a session context: their order, names and turns; their shares stand with the weights.
//!
//! Must not know tokens or text: how a section is filled and rendered is the engine's.

use crate::atoms::named;

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
    /// Its turn, from 1, when tokens that other sections did not need are handed on.
    pub reserve: u8,
}

/// The sections in the order of the packet.
///
/// What shares leave goes to the neighbourhood first, since code is what a task is short of.
pub const SECTIONS: [SectionInfo; Section::COUNT] = [
    row(Section::Blockers, "What blocks all other work", 2),
    row(Section::Supervisor, "What reviewers and safety rules ask", 3),
    row(Section::Neighbourhood, "The code around the task", 1),
    row(Section::Past, "Why the code is as it is", 4),
    row(Section::Campaign, "The larger goal", 5),
    row(Section::Peers, "What other shards and earlier steps did", 6),
    row(Section::Expert, "What an expert of the domain knows", 7),
    row(Section::Toolbox, "Tools that exist already", 8),
];

const fn row(section: Section, title: &'static str, reserve: u8) -> SectionInfo {
    SectionInfo { section, title, reserve }
}

impl Section {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The row of [`SECTIONS`] about this section.
    pub const fn info(self) -> &'static SectionInfo {
        &SECTIONS[self as usize]
    }

    /// The sections in the order in which they get what others left.
    pub fn in_reserve_order() -> [Self; Self::COUNT] {
        let mut rows = SECTIONS;
        rows.sort_by_key(|row| row.reserve);
        rows.map(|row| row.section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_section_and_each_has_a_turn_of_its_own() {
        let mut turns = SECTIONS.map(|row| usize::from(row.reserve));
        turns.sort_unstable();
        assert!(turns.into_iter().eq(1..=Section::COUNT), "{turns:?}: each number from 1 to {} once", Section::COUNT);
        assert!(Section::ALL.iter().all(|section| section.info().section == *section));
        assert_eq!(Section::in_reserve_order()[..2], [Section::Neighbourhood, Section::Blockers]);
    }
}
