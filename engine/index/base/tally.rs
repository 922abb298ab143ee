//! Numbers of a file: what became of its calls and of its imports.

use super::{Column, FactBase};
use activate_rules::atoms::NodeId;

/// What became of the calls in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallTally {
    /// Linked to a definition.
    pub resolved: u32,
    /// Left the repository.
    pub foreign: u32,
    /// Of values held in local names.
    pub local: u32,
    /// Nothing could be said.
    pub unresolved: u32,
}

/// What became of the imports in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportTally {
    /// Those that may lead to files of the repository, to which is not known.
    pub open: u32,
    /// Names and modules of other files that others can import through this one.
    pub passed_on: u32,
}

/// How many numbers the tallies of a file are.
pub(crate) const N_COUNTS: usize = 6;

impl FactBase {
    /// What became of the calls in a file.
    pub fn tally(&self, file: NodeId) -> CallTally {
        let at = |n| self.count(file, n);
        CallTally { resolved: at(0), foreign: at(1), local: at(2), unresolved: at(3) }
    }

    /// What became of the imports in a file.
    pub fn imports(&self, file: NodeId) -> ImportTally {
        ImportTally { open: self.count(file, 4), passed_on: self.count(file, 5) }
    }

    fn count(&self, file: NodeId, n: usize) -> u32 {
        self.u32s(Column::FileTally).get(file.0 as usize * N_COUNTS + n).copied().unwrap_or_default()
    }
}
