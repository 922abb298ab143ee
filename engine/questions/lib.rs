//! Daily questions about a repository: who calls a definition, what it calls, what a change of it reaches, which tests run it, what a file
//! defines, where words stand, which files import one another in a circle, and what nothing uses.
//!
//! Every answer is a list of places with how much of what there is it has. Must not read files but through the engine, nor show a name that
//! is not masked.

mod answer;
mod commands;
mod comment;
mod cycles;
mod desk;
mod draw;
mod find;
mod impact;
mod name;
mod outline;
mod outside;
mod rows;
mod taken;
mod tests_of;
mod tokens;
mod unused;
mod uses;
mod written;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Known, Row, SCHEMA};
pub use comment::{BUDGET, Comment, MARKER, MAX_LINES, MIN_BUDGET, comment};
pub use draw::Drawing;

use activate_rules::atoms::NodeId;
use desk::Desk;
use engine::Engine;
use error::{Error, Result};
use index::base::FactBase;
use index::snapshot::Snapshot;
use review::Diff;
use std::sync::Arc;

/// The most rows where nobody says how many.
pub const LIMIT: usize = 200;

/// A question. Names are `file#Type.method` or any end of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Where is it called or named?
    Callers(String),
    /// What does it call and name?
    Callees(String),
    /// What may notice a change of it?
    Impact(String),
    /// What may notice this change?
    ImpactOf(Diff),
    /// Which tests run it?
    Tests(String),
    /// What does a file or folder define?
    Outline(String),
    /// Which passages hold words?
    Find(String),
    /// Which files import one another in a circle?
    Cycles,
    /// Which definitions does nothing use?
    Unused {
        /// Also those that may have a use that is not known.
        all: bool,
    },
}

impl Question {
    /// What may notice a change of what a text names, else of what it is: a range or a patch. Of names only a path has two dots in a row.
    pub fn impact(base: &FactBase, text: &str) -> Self {
        let has_dots = |nodes: Vec<NodeId>| nodes.iter().any(|node| base.id(*node).contains(".."));
        let is_one_line = !text.trim().contains('\n');
        if is_one_line && (!text.contains("..") || intent::exact(base, text).into_iter().any(has_dots)) {
            Self::Impact(text.to_owned())
        } else {
            Self::ImpactOf(Diff::of(text))
        }
    }

    /// The word for it, as the command has it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Callers(_) => "callers",
            Self::Callees(_) => "callees",
            Self::Impact(_) | Self::ImpactOf(_) => "impact",
            Self::Tests(_) => "tests",
            Self::Outline(_) => "outline",
            Self::Find(_) => "find",
            Self::Cycles => "cycles",
            Self::Unused { .. } => "unused",
        }
    }
}

/// Answers a question about a snapshot of the engine's repository, with at most `limit` rows.
///
/// # Errors
///
/// [`ErrorKind::NothingFound`](error::ErrorKind::NothingFound) for a name that nothing has, with what is nearest, and for one that several
/// definitions have, with these; [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for an empty one, and what comparing a change gives.
pub fn ask(engine: &Engine, snapshot: &Arc<Snapshot>, question: &Question, limit: usize) -> Result<Answer> {
    let desk = Desk::new(engine, snapshot, limit);
    let masker = desk.masker.clone();
    let answer = match question {
        Question::Callers(name) => uses::callers(&desk, name),
        Question::Callees(name) => uses::callees(&desk, name),
        Question::Impact(name) => impact::of_name(&desk, name),
        Question::ImpactOf(diff) => impact::of_change(&desk, diff),
        Question::Tests(name) => tests_of::tests(&desk, name),
        Question::Outline(path) => outline::outline(&desk, path),
        Question::Find(words) => find::find(&desk, words),
        Question::Cycles => Ok(cycles::cycles(&desk)),
        Question::Unused { all } => Ok(unused::unused(&desk, *all)),
    };
    let answer = answer.map(|mut answer| {
        if let Question::Callers(name) | Question::Callees(name) | Question::Impact(name) | Question::Tests(name) = question {
            answer.asides.extend(name::taken_for(&desk, name));
        }
        answer
    });
    answer.map_err(|error: Error| error.reworded(|message| masker.text("", message).into_owned()))
}
