//! What is said of a program that is not right, and of an answer that could not be given.

use super::program::Sources;
use query::{Checked, Mistake, Place, Stopped, Unanswered};
use redact::Masker;
use std::time::Duration;

/// Letters of a message at most.
const MAX_MESSAGE: usize = 300;

/// Names that nothing has, told one by one at most.
const MAX_NOTES: usize = 5;

/// What an answer may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Memory, in MiB.
    pub(super) derived: u64,
    pub(super) seconds: u64,
}

impl Bounds {
    /// Memory in bytes.
    pub(super) fn bytes(self) -> usize {
        (self.derived << 20) as usize
    }

    pub(super) fn time(self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// A message with a piece of the program in it: masked, then cut, so that no half of a secret is left.
pub(super) fn cut(masker: &Masker, message: &str) -> String {
    let shown = masker.line(message);
    let mut short: String = shown.as_str().chars().take(MAX_MESSAGE).collect();
    if short.len() < shown.as_str().len() {
        short.push('…');
    }
    short
}

/// A mistake in the program, with its place.
pub(super) fn told(mistake: &Mistake, sources: &Sources, masker: &Masker) -> String {
    cut(masker, &format!("{}: {}", sources.place(mistake.place), mistake.message))
}

/// What may be meant in another way, from a place on.
pub(super) fn notes(checked: &Checked, sources: &Sources, masker: &Masker, from: Place) -> Vec<String> {
    let notes: Vec<&Mistake> = checked.notes.iter().filter(|note| note.place >= from).collect();
    let mut told: Vec<String> = notes.iter().take(MAX_NOTES).map(|note| told(note, sources, masker)).collect();
    if let Some(n_more) = notes.len().checked_sub(MAX_NOTES).filter(|n_more| *n_more > 0) {
        told.push(format!("{n_more} more names of the program are no file, symbol or package"));
    }
    told
}

/// A limit that was met, with what had been derived.
pub(super) fn stopped(unanswered: &Unanswered, bounds: Bounds, sources: &Sources) -> String {
    let derived: Vec<String> = unanswered.derived.iter().map(|(name, n_rows)| format!("{n_rows} rows of `{name}`")).collect();
    let derived = if derived.is_empty() { "no rows".to_owned() } else { derived.join(", ") };
    match unanswered.why {
        Stopped::Memory => format!(
            "what is derived takes more than {} MiB (--derived); there were {derived}. Ask for less: name a file or symbol, or bind a variable",
            bounds.derived
        ),
        Stopped::Time => format!(
            "no answer within {} seconds (--seconds); there were {derived}. Ask for less: name a file or symbol, or bind a variable",
            bounds.seconds
        ),
        Stopped::Pattern => {
            format!("`glob` was given a text that is no pattern, or one that is too long; there were {derived}")
        }
        Stopped::Number(place) => format!(
            "{}: a number that does not fit into 32 bits, or a division by zero; there were {derived}",
            sources.place(place)
        ),
    }
}

/// Why rows have no proof that should have one.
pub(super) fn unproven(why: Stopped, n_proven: usize, bounds: Bounds) -> String {
    let limit = match why {
        Stopped::Memory => format!("{} MiB (--derived) do not suffice", bounds.derived),
        Stopped::Time => format!("{} seconds (--seconds) do not suffice", bounds.seconds),
        Stopped::Number(_) | Stopped::Pattern => "something cannot be computed".to_owned(),
    };
    format!("all rows are there, but only {n_proven} of them are proven: for more proofs {limit}")
}
