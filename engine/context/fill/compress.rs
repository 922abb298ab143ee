//! What goes first where a section lacks room: the order of compression over all sections.
//!
//! Sections that matter more are served first: what a section gives up goes to those before it that nobody but the caller gave.

use super::super::budget::Grant;
use super::{Draft, Step};
use tokens::Tokens;

/// What is given up, in this order, as the design has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compression {
    /// The oldest turns of the history.
    History,
    /// Commits, down to the newest few.
    Commits,
    /// Findings, to one line a category.
    Findings,
    /// Impacted files that are more than one link away.
    Impacted,
    /// Knowledge, the least sure first.
    Atoms,
}

impl Compression {
    const ALL: [Self; 5] = [Self::History, Self::Commits, Self::Findings, Self::Impacted, Self::Atoms];
}

/// Takes from sections, in the order of compression, what sections before them lack.
pub fn compress(drafts: &mut [Draft], grants: &mut [Grant]) {
    for stage in Compression::ALL {
        let holds = |draft: &Draft| draft.compression.iter().any(|(of, _)| *of == stage);
        let Some(from) = drafts.iter().position(holds) else { continue };
        let lacks = |at: usize| drafts[at].tokens().0.saturating_sub(grants[at].granted.0);
        let is_given = |at: &usize| !drafts[*at].by_worth && !drafts[*at].is_found;
        let short: Vec<(usize, u32)> = (0..from).filter(is_given).map(|at| (at, lacks(at))).filter(|(_, n)| *n > 0).collect();
        let wanted: u32 = short.iter().map(|(_, n)| n).sum();
        if wanted == 0 {
            continue;
        }
        let granted = grants[from].granted;
        let mut freed = if drafts[from].by_worth {
            // It can do with any room: what it loses, it does not need.
            let before = drafts[from].tokens();
            drafts[from].compress(stage, Tokens(before.0.saturating_sub(wanted)));
            before.0.saturating_sub(drafts[from].tokens().0).min(wanted).min(granted.0)
        } else {
            let least = Tokens(granted.0.saturating_sub(wanted)).max(drafts[from].least);
            drafts[from].compress(stage, least);
            granted.0.saturating_sub(drafts[from].tokens().0)
        };
        for (at, lack) in short {
            let more = lack.min(freed);
            freed -= more;
            grants[from].granted.0 -= more;
            grants[at].granted.0 += more;
            grants[at].budget = grants[at].budget.max(grants[at].granted);
        }
    }
}

impl Draft {
    /// Takes the steps of a stage that were not taken yet, each only as far as needed.
    fn compress(&mut self, stage: Compression, granted: Tokens) {
        let (now, later): (Vec<(Compression, Step)>, Vec<_>) =
            std::mem::take(&mut self.compression).into_iter().partition(|(of, _)| *of == stage);
        self.compression = later;
        for (_, step) in now {
            if self.tokens() > granted {
                self.take(step, granted);
            }
        }
    }
}
