//! What can go wrong, once: kinds with their advice, and the problems that ride along with a partial result.
//!
//! Must not know exit codes or terminals: the command line maps a kind to both.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A result of the engine.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a whole operation failed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Error {
    /// Which situation it is; decides the exit code and the advice.
    pub kind: ErrorKind,
    /// What failed and where, as one sentence without a full stop.
    pub message: String,
    /// What to do about it, where that is not what it is for all of its kind; empty where the message says so.
    pub advice: Option<&'static str>,
    /// The cause, where another library reported one.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The situations in which an operation fails as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The named repository folder does not exist, is not a folder or cannot be opened.
    NoRepository,
    /// The repository holds no file that can be read.
    EmptyRepository,
    /// The repository has files, and not one definition in a language that is parsed.
    NoSymbols,
    /// A named file cannot be read: missing, unreadable, outside the root, a link, too large.
    UnreadableFile,
    /// A command line is not one that the command takes: its help says what is.
    Usage,
    /// A flag, argument or given file has a value that cannot be used.
    BadInput,
    /// The intent names nothing that the repository has.
    NothingFound,
    /// Pins alone are larger than the budget.
    BudgetTooSmall,
    /// What was asked for is not what it was when it was named.
    Changed,
    /// The cache folder or another file of ours could not be written or read.
    Storage,
}

impl Error {
    /// An error of `kind` with a message that says what failed and where.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), advice: None, source: None }
    }

    /// The same error in other words.
    #[must_use]
    pub fn reworded(mut self, reword: impl FnOnce(&str) -> String) -> Self {
        self.message = reword(&self.message);
        self
    }

    /// The same error with other advice than all of its kind; with none where the message says what to do.
    #[must_use]
    pub const fn advised(mut self, advice: &'static str) -> Self {
        self.advice = Some(advice);
        self
    }

    /// Attaches the cause.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }
}

/// The stage of the cache's problems. They cost the next run time and an answer nothing, and may name folders of this machine.
pub const CACHE_STAGE: &str = "cache";

/// Something that was left out of a result that is otherwise good.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Problem {
    /// The stage that met it: `walk`, `read`, `extract`, `resolve`, `git`, `cache`, `signals`, `failures`, `diff`, `checks`, `session`, `since`,
    /// `state`, `cases`.
    pub stage: String,
    /// The repository-relative path it concerns, if it concerns one.
    pub path: Option<String>,
    /// What happened and what it means for the result, one sentence.
    pub message: String,
}

impl Problem {
    /// A problem of a stage about no file in particular.
    pub fn new(stage: &str, message: impl Into<String>) -> Self {
        Self { stage: stage.to_owned(), path: None, message: message.into() }
    }

    /// A problem of a stage about one file.
    pub fn at(stage: &str, path: impl fmt::Display, message: impl Into<String>) -> Self {
        Self { stage: stage.to_owned(), path: Some(path.to_string()), message: message.into() }
    }

    /// The same, with its repository in front where there are several.
    #[must_use]
    pub fn of(self, repository: &str) -> Self {
        match self.path {
            Some(path) => Self { path: Some(format!("{repository}/{path}")), ..self },
            None => Self { message: format!("{repository}: {}", self.message), ..self },
        }
    }
}

/// What happened, behind the path that it concerns.
impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(formatter, "{path}: ")?;
        }
        formatter.write_str(&self.message)
    }
}
