//! The facts of a file: at hand, or read when somebody first asks for them.

use activate_grammars::FileFacts;
use std::cell::{Cell, RefCell};
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

thread_local! {
    /// The file whose facts the work of this thread asked for last, while somebody wants to know: most questions are about it again.
    static LAST: Cell<u32> = const { Cell::new(NOBODY_ASKS) };
    static ASKED: RefCell<Asked> = const { RefCell::new(Asked { marks: Vec::new(), files: Vec::new() }) };
}

/// Nobody wants to know what is asked for.
const NOBODY_ASKS: u32 = u32::MAX;
/// Somebody does, and nothing was asked for yet.
const NONE_YET: u32 = u32::MAX - 1;

/// Files whose facts were asked for.
struct Asked {
    /// A bit for each file.
    marks: Vec<u64>,
    files: Vec<u32>,
}

/// Says that the facts of a file are asked for, or what the tables know of it.
#[inline]
pub(super) fn ask(file: u32) {
    let last = LAST.get();
    if last != NOBODY_ASKS && last != file {
        LAST.set(file);
        ASKED.with_borrow_mut(|asked| {
            let (at, bit) = (file as usize / u64::BITS as usize, 1 << (file % u64::BITS));
            if asked.marks.len() <= at {
                asked.marks.resize(at + 1, 0);
            }
            if asked.marks[at] & bit == 0 {
                asked.marks[at] |= bit;
                asked.files.push(file);
            }
        });
    }
}

/// What `work` gives, which uses no other thread, and the files whose facts it asked for, in order.
pub(super) fn asked_by<T>(work: impl FnOnce() -> T) -> (T, Vec<u32>) {
    // Work before may have ended in the middle.
    ASKED.with_borrow_mut(Asked::take);
    LAST.set(NONE_YET);
    let _end = Asking;
    let done = work();
    let mut files = ASKED.with_borrow_mut(Asked::take);
    files.sort_unstable();
    (done, files)
}

/// While it is there, somebody wants to know.
struct Asking;

impl Drop for Asking {
    fn drop(&mut self) {
        LAST.set(NOBODY_ASKS);
    }
}

impl Asked {
    /// Takes the files out.
    fn take(&mut self) -> Vec<u32> {
        for file in &self.files {
            self.marks[*file as usize / u64::BITS as usize] = 0;
        }
        std::mem::take(&mut self.files)
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
    use super::{Facts, Later, ask, asked_by, unless_lost};
    use activate_grammars::FileFacts;

    #[test]
    fn files_are_asked_for_once_and_only_where_somebody_wants_to_know() {
        ask(3);
        let ((), files) = asked_by(|| [70, 2, 2, 70, 0].into_iter().for_each(ask));
        ask(5);
        assert_eq!((files, asked_by(|| ask(1)).1), (vec![0, 2, 70], vec![1]));
    }

    #[test]
    fn work_that_meets_facts_which_cannot_be_read_is_given_up() {
        let read = |file: usize| (file == 0).then(|| FileFacts { n_lines: 7, ..FileFacts::default() });
        let n_lines = |file: usize| unless_lost(|| Facts::Later(&Later::new(file, &read)).get().n_lines);
        assert_eq!((n_lines(0), n_lines(1)), (Some(7), None));
    }
}
