//! What was considered for a context, and what became of it: who was shown, and which limit stopped whom.
//!
//! Holds names and numbers, never text.

use super::fill::Draft;
use super::pieces::About;
use activate_rules::sections::Section;
use rustc_hash::FxHashMap;

/// Something that was considered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What is known of it.
    pub about: About,
    /// Its name within the packet: its kind with its place or line.
    pub key: String,
    /// The section it was meant for.
    pub section: Section,
    /// Its turn among what is worth showing; 0 in sections that are not packed by worth, where the text has the order.
    pub turn: usize,
    /// What became of it.
    pub fate: Disposition,
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// It is shown, in its fullest form or in a smaller one.
    Shown {
        /// Whether a smaller form stands for it.
        smaller: bool,
    },
    /// A limit stopped it.
    Stopped(Limit),
}

/// What stops a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The order of compression: it made room for what matters more.
    Compression,
    /// The tokens of its section.
    Section,
    /// The reader has it.
    Sent,
    /// The tokens of the whole.
    Total,
}

impl Limit {
    /// The name of the limit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compression => "compression",
            Self::Section => "section-budget",
            Self::Sent => "sent-before",
            Self::Total => "total-budget",
        }
    }
}

/// The candidates while drafts are cut, in the order of the text.
pub(super) struct Trace(Option<Vec<Candidate>>);

impl Trace {
    /// Notes what all drafts could say, if anybody wants to know. Entries have their keys.
    pub(super) fn start(wanted: bool, drafts: &[Draft]) -> Self {
        let candidate = |section: Section| {
            move |entry: &super::Entry| Candidate {
                about: entry.about.clone(),
                key: entry.key.clone(),
                section,
                turn: entry.turn,
                fate: Disposition::Shown { smaller: false },
            }
        };
        let all = || drafts.iter().flat_map(|draft| draft.entries().map(candidate(draft.section))).collect();
        Self(wanted.then(all))
    }

    /// Notes that what is no longer among the drafts' entries was stopped by a limit, unless another did so before.
    pub(super) fn stop(&mut self, drafts: &[Draft], limit: Limit) {
        let Some(candidates) = &mut self.0 else { return };
        let shown: FxHashMap<&str, bool> =
            drafts.iter().flat_map(Draft::entries).map(|entry| (entry.key.as_str(), entry.is_shrunk())).collect();
        for candidate in candidates {
            if let Disposition::Shown { smaller } = &mut candidate.fate {
                match shown.get(candidate.key.as_str()) {
                    Some(is_shrunk) => *smaller = *is_shrunk,
                    None => candidate.fate = Disposition::Stopped(limit),
                }
            }
        }
    }

    /// What was noted.
    pub(super) fn finish(self) -> Vec<Candidate> {
        self.0.unwrap_or_default()
    }
}
