//! How much of what there is a list of users, tests or dependencies has: complete, incomplete or unknown, and why.
//!
//! Rests on what the fact base says that it does not know.

mod change;
mod foreign;
mod gaps;
mod mentions;
mod programs;
mod subject;

#[cfg(test)]
mod tests;

pub use change::dependents_of_change;
pub use foreign::unparsed;
pub use subject::Subject;

/// How much of what there is a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Everything that was looked at is settled, and the list has it.
    Complete,
    /// Something is missing, or may be.
    Incomplete,
    /// What would have to be looked at is not understood.
    Unknown,
}

impl State {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Incomplete => "incomplete",
            Self::Unknown => "unknown",
        }
    }
}

/// How much of what there is one list has, and why not more. Speaks of the repository alone: nobody knows who uses it from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completeness {
    /// The word.
    pub state: State,
    /// Why it is not complete, as phrases; none where it is.
    pub reasons: Vec<String>,
}

impl Completeness {
    /// Incomplete for these reasons, complete without any.
    fn of(reasons: Vec<String>) -> Self {
        let state = if reasons.is_empty() { State::Complete } else { State::Incomplete };
        Self { state, reasons }
    }

    /// Takes note of one more reason why the list does not have everything.
    pub fn lacks(&mut self, reason: String) {
        self.state = self.state.max(State::Incomplete);
        // Several parts of what is asked for may lack the same.
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// The word and the reasons in one line: `incomplete: 3 unresolved uses of Handle in a.ts, b.ts`.
    pub fn line(&self) -> String {
        let between = if self.reasons.is_empty() { "" } else { ": " };
        format!("{}{between}{}", self.state.word(), self.reasons.join("; "))
    }
}

/// Names in a sentence: all of few, else the first and how many more there are.
fn some<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.as_slice() {
        [first, _, _, ..] => format!("{first} and {} more", names.len() - 1),
        few => few.join(", "),
    }
}

/// A number of things.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
