//! A change as one comment for those who review it: what it reaches, which of that no test runs, what to run, what usually changes too.
//!
//! Markdown as GitHub has it, of at most [`MAX_LINES`] lines. Whatever the repository says stands in code spans, fences and quoted labels, where
//! nothing is a mention, a link, an image or HTML.

mod gather;
mod markdown;
mod page;
mod parts;
mod runs;
mod sketch;
mod untested;

#[cfg(test)]
mod tests;

use super::desk::Desk;
use engine::Engine;
use error::{Error, Problem, Result};
use index::snapshot::Snapshot;
use review::Diff;
use std::sync::Arc;
use tokens::Tokens;

/// The first line, by which whoever wrote a comment finds it again.
pub const MARKER: &str = "<!-- activate-review -->";

/// The most lines.
pub const MAX_LINES: usize = 60;

/// The most tokens where nobody says how many: what sixty ordinary lines have.
pub const BUDGET: Tokens = Tokens(4_000);

/// The fewest tokens that can be asked for.
pub const MIN_BUDGET: Tokens = Tokens(300);

/// A change as a comment.
#[derive(Debug, Clone)]
pub struct Comment {
    /// The text, with a line feed at its end.
    pub markdown: String,
    /// What is not known of the change.
    pub problems: Vec<Problem>,
}

/// Writes the comment on a change, with at most so many tokens.
///
/// # Errors
///
/// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for revisions that git does not have.
pub fn comment(engine: &Engine, snapshot: &Arc<Snapshot>, diff: &Diff, budget: Tokens) -> Result<Comment> {
    let desk = Desk::new(engine, snapshot, usize::MAX);
    let masker = desk.masker.clone();
    let reviewed = engine
        .review_if_any(snapshot, diff)
        .map_err(|error: Error| error.reworded(|message| masker.text("", message).into_owned()))?;
    let desk = desk.with_masker(reviewed.masker.clone());
    let found = gather::gather(&desk, &reviewed);
    Ok(Comment { markdown: page::page(&found, budget), problems: reviewed.problems })
}
