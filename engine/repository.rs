//! Opening a repository.

use crate::{Answer, Request, Result};
use std::fmt;
use std::path::{Path, PathBuf};

/// A repository that answers requests.
///
/// It lives as long as the agent and may be shared between threads. Each answer is about the files as they are at that moment; only what
/// changed since the last one is read again.
pub struct Engine(pub(crate) engine::Engine);

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("root", &self.0.root()).finish_non_exhaustive()
    }
}

impl Engine {
    /// Opens the repository at `root`, the folder that is asked about. Reads nothing yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRepository`](crate::ErrorKind::NoRepository) if there is no such folder.
    pub fn open(root: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(root, Options::new())
    }

    /// [`Engine::open`] with options.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRepository`](crate::ErrorKind::NoRepository) if there is no such folder, [`ErrorKind::BadInput`](crate::ErrorKind::BadInput)
    /// for a pattern that cannot be read, or a cache folder inside the repository.
    pub fn open_with(root: impl AsRef<Path>, options: Options) -> Result<Self> {
        engine::Engine::open_with(root, options.0).map(Self)
    }

    /// The same repository as it was at a commit: an id, a branch, a tag, `HEAD~1`. The work tree is not looked at.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRepository`](crate::ErrorKind::NoRepository) where there is no git data, [`ErrorKind::BadInput`](crate::ErrorKind::BadInput)
    /// if git has no such commit.
    pub fn at(&self, commit: &str) -> Result<Self> {
        self.0.at(commit).map(Self)
    }

    /// Answers a request about the files as they are now.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptyRepository`](crate::ErrorKind::EmptyRepository) and [`ErrorKind::NoSymbols`](crate::ErrorKind::NoSymbols) where nothing
    /// can be known, [`ErrorKind::BadInput`](crate::ErrorKind::BadInput) for a pin or a diff that names nothing. A partial answer lists what is
    /// missing in [`Answer::problems`].
    pub fn ask(&self, request: &Request) -> Result<Answer<'_>> {
        self.0.activate(&request.0).map(Answer)
    }
}

/// How a repository is opened.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Options(engine::Options);

impl Options {
    /// The defaults: all files that git does not ignore, one thread a core, facts kept in the user's cache folder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves out what a pattern matches, written as a line of `.gitignore`.
    pub fn exclude(mut self, pattern: impl Into<String>) -> Self {
        self.0.exclude.push(pattern.into());
        self
    }

    /// Sets the number of threads; 0 for one a core. Any number gives the same answers.
    pub const fn threads(mut self, n: usize) -> Self {
        self.0.n_threads = n;
        self
    }

    /// Keeps facts between runs in this folder, which must lie outside the repository.
    pub fn cache_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.0.cache = engine::CacheChoice::Folder(folder.into());
        self
    }

    /// Sets how much memory reading the repository may use, in bytes: 512 MiB by default, 64 MiB at least. Of many large files that do not fit
    /// only the paths are searched, the largest first; [`Answer::problems`] names them.
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.0.memory = Some(bytes);
        self
    }

    /// Keeps nothing between runs.
    pub fn no_cache(mut self) -> Self {
        self.0.cache = engine::CacheChoice::Off;
        self
    }
}
