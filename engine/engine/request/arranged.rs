//! The eight sections of an answer.

use super::{Activation, mask_problems, masked};
use activate_rules::atoms::NodeId;
use context::budget::Budget;
use context::git_state::GitState;
use context::{Pin, SessionContext, Sources, reasons, session_context, session_contexts};
use error::{Error, ErrorKind, Problem, Result};
use rayon::prelude::*;
use redact::{Redacted, Safe};
use std::sync::Arc;

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

    /// [`Activation::session_context`] of several repositories in one, each with its name in front of its places and whether others use what is
    /// meant in it, the one that knows most first.
    ///
    /// # Errors
    ///
    /// As [`Activation::session_context`].
    pub fn session_context_of(all: &[(&str, &Activation<'_>, bool)], budget: &Budget) -> Result<SessionContext> {
        let gits: Vec<GitState> = all.par_iter().map(|(_, activation, _)| activation.git_state()).collect();
        let reads: Vec<_> = all.iter().map(|(_, activation, _)| |file: NodeId| activation.text(file)).collect();
        let problems: Vec<Vec<Problem>> = all
            .iter()
            .map(|(name, activation, _)| activation.problems.iter().map(|problem| problem.clone().of(name)).collect())
            .collect();
        let each = all.iter().zip(&gits).zip(&reads).zip(&problems);
        let sources: Vec<Sources<'_>> = each
            .map(|((((name, activation, used_elsewhere), git), read), problems)| {
                let given = (git, &activation.pins[..], &problems[..]);
                Sources { repository: Some(name), used_elsewhere: *used_elsewhere, ..activation.sources(false, given, read) }
            })
            .collect();
        let others: Vec<&Sources<'_>> = sources.iter().skip(1).collect();
        let (Some(first), Some((_, activation, _))) = (sources.first(), all.first()) else {
            return Err(Error::new(ErrorKind::NothingFound, "no repository has anything of what was asked"));
        };
        let mut context = session_contexts(first, &others, budget).map_err(|error| masked(&activation.masker, error))?;
        mask_problems(&activation.masker, &mut context.problems);
        Ok(context)
    }

    /// What `make` makes with all pins and what was left out. What rules pin may not keep a task from its answer: what has no room is left out, the
    /// longest first, and a problem says so.
    ///
    /// # Errors
    ///
    /// What `make` gives.
    pub fn with_pins<T>(&self, room: &str, make: impl Fn(&[Pin], &[Problem]) -> Result<T>) -> Result<T> {
        let n_named = self.named_pins().len();
        let mut pins = self.pins.clone();
        loop {
            let problems = match self.pins.len() - pins.len() {
                0 => self.problems.clone(),
                n_left_out => {
                    let have = if n_left_out == 1 { "pin of rules has" } else { "pins of rules have" };
                    let message = format!("{n_left_out} {have} no room in {room}");
                    [&self.problems[..], &[Problem::new("rules", message)]].concat()
                }
            };
            match make(&pins, &problems) {
                Err(error) if error.kind == ErrorKind::BudgetTooSmall && pins.len() > n_named => {
                    let n_lines = |pin: &Pin| {
                        pin.lines
                            .map_or_else(|| self.snapshot.base.n_lines(pin.file), |(first, last)| last.saturating_sub(first) + 1)
                    };
                    let longest = (n_named..pins.len()).max_by_key(|at| n_lines(&pins[*at]));
                    pins.remove(longest.unwrap_or(n_named));
                }
                result => return result,
            }
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
        self.engine.on_threads(|| make(&self.sources(traced, (git, pins, problems), &read)))
    }

    /// What a session context is made from.
    fn sources<'a>(
        &'a self,
        traced: bool,
        (git, pins, problems): (&'a GitState, &'a [Pin], &'a [Problem]),
        read: &'a (dyn Fn(NodeId) -> Result<Arc<Redacted>> + Sync),
    ) -> Sources<'a> {
        Sources {
            masker: &self.masker,
            repository: None,
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
            used_elsewhere: false,
            read,
        }
    }
}
