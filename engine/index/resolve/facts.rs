//! The facts of a file: at hand, or read when somebody first asks for them.

use activate_grammars::FileFacts;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;

/// The facts of a file.
#[derive(Clone, Copy)]
pub enum Facts<'a> {
    /// At hand.
    Here(&'a FileFacts),
    /// Somewhere else.
    Later(&'a Later<'a>),
}

/// Facts that are read when they are first asked for.
pub struct Later<'a> {
    known: OnceLock<Box<FileFacts>>,
    file: usize,
    read: &'a (dyn Fn(usize) -> Option<FileFacts> + Sync),
}

/// Facts could not be read.
struct Lost;

impl<'a> Later<'a> {
    /// Facts that `read` gives for a file, if it can. It is called while others wait for it, and so must not use threads itself.
    pub fn new(file: usize, read: &'a (dyn Fn(usize) -> Option<FileFacts> + Sync)) -> Self {
        Self { known: OnceLock::new(), file, read }
    }

    fn facts(&self) -> Box<FileFacts> {
        // Whoever asks for facts in the depth of the resolver relies on them: without them the whole of it is given up.
        Box::new((self.read)(self.file).unwrap_or_else(|| resume_unwind(Box::new(Lost))))
    }
}

#[cfg(panic = "abort")]
compile_error!("the resolver unwinds where facts cannot be read");

/// What `work` gives; none if it met facts that cannot be read.
pub(super) fn unless_lost<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(payload) if payload.is::<Lost>() => None,
        Err(payload) => resume_unwind(payload),
    }
}

impl<'a> Facts<'a> {
    /// The facts.
    pub fn get(self) -> &'a FileFacts {
        match self {
            Self::Here(facts) => facts,
            Self::Later(later) => later.known.get_or_init(|| later.facts()),
        }
    }

    /// The facts, if they are at hand from the start.
    pub(super) fn at_hand(self) -> Option<&'a FileFacts> {
        match self {
            Self::Here(facts) => Some(facts),
            Self::Later(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, Later, unless_lost};
    use activate_grammars::FileFacts;

    #[test]
    fn work_that_meets_facts_which_cannot_be_read_is_given_up() {
        let read = |file: usize| (file == 0).then(|| FileFacts { n_lines: 7, ..FileFacts::default() });
        let n_lines = |file: usize| unless_lost(|| Facts::Later(&Later::new(file, &read)).get().n_lines);
        assert_eq!((n_lines(0), n_lines(1)), (Some(7), None));
    }
}
