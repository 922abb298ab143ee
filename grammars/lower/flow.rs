//! Which assignments of a name reach a place where it is used, in languages whose names belong to whole functions.
//!
//! Reads the order of the text and its branches, no loops: what is assigned further down in a loop counts where nothing above it does.

use super::{Frame, Lower};
use crate::capture::Form;
use crate::facts::{Binding, BindingId, Expr, ExprId, NameId};
use rustc_hash::FxHashMap;

/// The most assignments of which one may have reached a place; of more, the last ones count.
pub(super) const MAX_REACHING: usize = 8;

/// How far outward the statement stands whose branch a block is: `if`, its `else`, the block.
const MAX_OUTWARD: usize = 3;

/// How many branches outward are looked at.
const MAX_BRANCHES: usize = 16;

/// Statements that may be passed over.
#[derive(Debug, Clone, Copy)]
struct Branch {
    /// The one around it, plus one; zero for none.
    around: u32,
    bytes: (u32, u32),
    /// The statement of whose branches one runs, where it is one of those.
    alternatives: (u32, u32),
    /// Whether it leaves the function or a loop.
    leaves: bool,
    /// Whether it leaves the function: nothing behind it runs.
    ends: bool,
}

/// The branches of a file.
#[derive(Debug, Default)]
pub(super) struct Flow {
    branches: Vec<Branch>,
    /// The open branches, each plus one.
    open: Vec<u32>,
    /// Bindings that stand for several.
    merged: FxHashMap<Vec<BindingId>, BindingId>,
}

/// Whether a binding reaches a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// It cannot.
    Not,
    /// It may, as may those before it.
    Perhaps,
    /// It does, and none before it.
    Surely,
}

impl Flow {
    /// The innermost open branch, plus one; zero for none.
    pub(super) fn innermost(&self) -> u32 {
        self.open.last().copied().unwrap_or(0)
    }

    /// Whether what is bound in a branch reaches a place behind the binding.
    pub(super) fn reach(&self, branch: u32, at: u32) -> Reach {
        let mut found = Reach::Surely;
        let mut branch = branch;
        let mut n_outward = 0;
        while let Some(Branch { around, bytes, alternatives, ends, .. }) =
            branch.checked_sub(1).and_then(|index| self.branches.get(index as usize)).copied()
        {
            n_outward += 1;
            if n_outward > MAX_BRANCHES {
                return Reach::Perhaps;
            }
            if (bytes.0..bytes.1).contains(&at) {
                break;
            }
            if ends || (alternatives.0..alternatives.1).contains(&at) {
                return Reach::Not;
            }
            found = Reach::Perhaps;
            branch = around;
        }
        found
    }
}

impl Lower<'_> {
    /// Opens the branch that a node is.
    pub(super) fn open_branch(&mut self, bytes: (u32, u32)) {
        let around = self.frames.iter().rev().take(MAX_OUTWARD);
        let has = |frame: &Frame, form| self.table.patterns(frame.kind).iter().any(|pattern| pattern.form == form);
        let alternatives = around.into_iter().find(|frame| has(frame, Form::Alternatives)).map_or((0, 0), |frame| frame.bytes);
        let branch = Branch { around: self.flow.innermost(), bytes, alternatives, leaves: false, ends: false };
        self.flow.branches.push(branch);
        self.flow.open.push(self.flow.branches.len() as u32);
    }

    /// Closes the innermost branch.
    pub(super) fn close_branch(&mut self) {
        let closed = self.flow.open.pop().and_then(|branch| self.flow.branches.get(branch.checked_sub(1)? as usize)).copied();
        if let Some(Branch { leaves, bytes, .. }) = closed {
            self.narrow_behind(leaves, bytes);
        }
    }

    /// Says that the innermost branch leaves, and whether it leaves the function.
    pub(super) fn leave_branch(&mut self, ends: bool) {
        if let Some(branch) = self.flow.innermost().checked_sub(1) {
            let branch = &mut self.flow.branches[branch as usize];
            (branch.leaves, branch.ends) = (true, branch.ends || ends);
        }
    }

    /// The binding that stands for any of several, the last one first.
    pub(super) fn merged(&mut self, name: NameId, mut bindings: Vec<BindingId>) -> BindingId {
        bindings.truncate(MAX_REACHING);
        if let [only] = bindings.as_slice() {
            return *only;
        }
        if let Some(known) = self.flow.merged.get(&bindings) {
            return *known;
        }
        let members: Vec<ExprId> = bindings.iter().map(|id| self.add_expr(Expr::Local(*id))).collect();
        let list = self.list(members);
        let value = self.add_expr(Expr::Union(list));
        self.facts.bindings.push(Binding { name, declared: ExprId::UNKNOWN, value, narrowed: false, parameter: None });
        let id = BindingId(self.facts.bindings.len() as u32 - 1);
        self.flow.merged.insert(bindings, id);
        id
    }
}
