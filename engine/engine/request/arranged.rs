//! The eight sections of an answer.

use super::{Activation, mask_problems, masked};
use activate_rules::atoms::NodeId;
use context::budget::Budget;
use context::git_state::GitState;
use context::{Pin, SessionContext, Sources, reasons, session_context};
use error::{ErrorKind, Problem, Result};
use redact::Safe;

impl Activation<'_> {
    /// Arranges what is active in the eight sections, within the budget.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BudgetTooSmall`](error::ErrorKind::BudgetTooSmall) if what must be said alone is larger than the budget.
    pub fn session_context(&self, budget: &Budget) -> Result<SessionContext> {
        self.context(*budget, false)
    }

    /// [`Activation::session_context`] with what was considered for it: [`SessionContext::candidates`].
    ///
    /// # Errors
    ///
    /// As [`Activation::session_context`].
    pub fn traced_context(&self, budget: &Budget) -> Result<SessionContext> {
        self.context(*budget, true)
    }

    fn context(&self, budget: Budget, traced: bool) -> Result<SessionContext> {
        let git = self.git_state();
        let make = |pins: &[Pin], problems: &[Problem]| {
            self.with_sources(traced, &git, (pins, problems), |sources| session_context(sources, &budget))
        };
        let context = self.with_pins(&format!("a budget of {}", budget.total), make);
        let mut context = context.map_err(|error| masked(&self.masker, error))?;
        mask_problems(&self.masker, &mut context.problems);
        Ok(context)
    }

    /// What `make` makes with all pins and what was left out. What rules pin may not keep a task from its answer: where it has no room, it is
    /// left out, and a problem says so.
    ///
    /// # Errors
    ///
    /// What `make` gives.
    pub fn with_pins<T>(&self, room: &str, make: impl Fn(&[Pin], &[Problem]) -> Result<T>) -> Result<T> {
        let (named, n_all) = (self.named_pins(), self.pins.len());
        match make(&self.pins, &self.problems) {
            Err(error) if error.kind == ErrorKind::BudgetTooSmall && n_all > named.len() => {
                let message = format!("{} pins of rules have no room in {room}", n_all - named.len());
                make(named, &[&self.problems[..], &[Problem::new("rules", message)]].concat())
            }
            result => result,
        }
    }

    /// Why nodes are active, as short phrases; empty for those that are not.
    pub fn reasons(&self, git: &GitState, nodes: &[NodeId]) -> Vec<Safe> {
        self.with_sources(false, git, (&self.pins, &self.problems), |sources| reasons(sources, nodes))
    }

    fn with_sources<T: Send>(
        &self,
        traced: bool,
        git: &GitState,
        (pins, problems): (&[Pin], &[Problem]),
        make: impl FnOnce(&Sources<'_>) -> T + Send,
    ) -> T {
        let read = |file: NodeId| self.text(file);
        self.engine.on_threads(|| {
            let sources = Sources {
                masker: &self.masker,
                base: &self.snapshot.base,
                activation: &self.found,
                state: &self.request.state,
                failures: &self.failures,
                found: &self.found_items,
                review: self.review.as_ref(),
                git,
                pins,
                since: self.request.since.as_ref(),
                traced,
                problems,
                unseen: &self.snapshot.unseen,
                partial: self.snapshot.partial.map(|partial| (partial.n_read as u32, partial.n_files as u32)),
                read: &read,
            };
            make(&sources)
        })
    }
}
