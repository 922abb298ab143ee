//! Exit codes and advice: the one place that says what a kind of error means to a shell and to whoever reads the message.

use error::{Error, ErrorKind};

/// How a command ended that did what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// With an answer.
    Answered,
    /// With an answer that says that nothing was found.
    NothingFound,
    /// With the rules that a checked packet breaks, why a request is denied, or what was written against a packet.
    Refused,
    /// With what is wrong with the command line.
    Misused,
    /// With nothing written, since nobody said yes.
    Unanswered,
    /// With a server that does not answer.
    Unreachable,
}

/// The exit codes, as the help shows them.
pub(super) const EXIT_CODES: &str = "\
Exit codes:
    0  there is an answer (also when its reader stops reading)
    2  a flag, argument or given file has a value that cannot be used
    3  nothing was found for the intent; the packet says what was tried (`tune`, `session weights`: no better weights;
       `check`: no command, or no words for what fails that are known; `callers` and the like: nothing has the name, or several have)
    4  the repository folder does not exist or cannot be opened
    5  the repository holds no file that can be read
    6  the repository holds code, but not one definition was found in it
    7  a named file cannot be read
    8  title and pins alone are larger than the budget
    9  output, cache or session cannot be written
   10  a checked packet breaks a rule, a request for a file is denied, a worker wrote what its packet does not declare, or a file
       changed since its pack was made
   11  nothing was written, since nobody said yes (`setup`)
   12  a server that is set up does not answer (`setup`, `doctor`)
  101  internal error";

/// The exit code of an internal error, as the runtime has it for a panic.
pub(super) const INTERNAL: u8 = 101;

/// The exit code of a wrong command line, as `clap` has it too.
pub(super) const USAGE: u8 = 2;

impl Outcome {
    /// Its exit code.
    pub(super) const fn exit_code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::NothingFound => 3,
            Self::Refused => 10,
            Self::Misused => USAGE,
            Self::Unanswered => 11,
            Self::Unreachable => 12,
        }
    }
}

/// The error of a command line that the command does not take. Unlike other bad input it points at the help.
pub(super) fn usage(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Usage, message)
}

/// The exit code of a kind of error, and what to do about it, where that is the same for all of the kind.
pub(super) const fn code_and_advice(kind: ErrorKind) -> (u8, &'static str) {
    match kind {
        ErrorKind::NothingFound => {
            (3, "give a name as it is listed, such as `file#Type.method`; `activate outline PATH` lists those of a file")
        }
        ErrorKind::NoRepository => (4, "give an existing folder that you may read with `--repo DIR`"),
        ErrorKind::EmptyRepository => {
            (5, "check `--repo` and `--exclude`, and what .gitignore, .ignore and .activateignore leave out")
        }
        ErrorKind::NoSymbols => (6, "check that `--repo` is the root of the sources and that `--exclude` leaves them in"),
        ErrorKind::UnreadableFile => (7, "check that it is a regular file that you may read, and no link"),
        ErrorKind::BudgetTooSmall => {
            (8, "raise `--budget` or the limit that is named, or pin fewer lines with `--pin PATH:FIRST-LAST`")
        }
        ErrorKind::Changed => {
            (10, "ask for it again: `activate packet rebuild PACK` makes the pack again, without what was secret in it")
        }
        ErrorKind::Storage => (9, "check that the folder exists, who may write to it, and its free space"),
        // Errors of usage are told where the help of their command is. Of bad input, and whatever kinds may come, the message says what is wrong,
        // and no flag would mend it.
        _ => (USAGE, ""),
    }
}
