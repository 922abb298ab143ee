//! Finds the file of a program on PATH.
//!
//! Never one of the repository: what a stranger put there must not pass for a tool. Must not run anything.

use repo::Repo;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where a program is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Program {
    /// In this file.
    Found(PathBuf),
    /// Nowhere but in the repository.
    Inside,
    /// Nowhere.
    Missing,
}

impl Program {
    /// Looks for a program in the folders of PATH, as the environment gives it. Entries that are not absolute mean another folder in each
    /// folder, and do not count.
    pub(super) fn find(name: &str, path: Option<&OsStr>, repo: &Repo) -> Self {
        let folders = path.into_iter().flat_map(std::env::split_paths).filter(|folder| folder.is_absolute());
        let names = system::program_names(name);
        let files = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>());
        let files: Vec<PathBuf> = files.filter(|file| system::is_executable(file)).collect();
        match files.iter().find(|file| !is_inside(file, repo)) {
            Some(file) => Self::Found(file.clone()),
            None if files.is_empty() => Self::Missing,
            None => Self::Inside,
        }
    }

    /// Why a program cannot be used; nothing for one that can.
    pub(super) fn fault(&self, name: &str) -> Option<String> {
        match self {
            Self::Found(_) => None,
            Self::Inside => Some(format!("the `{name}` on PATH lies in the repository")),
            Self::Missing => Some(format!("`{name}` is not on PATH")),
        }
    }
}

/// Whether a file or what it links to lies in the repository.
fn is_inside(file: &Path, repo: &Repo) -> bool {
    repo.holds(file) || file.parent().is_some_and(|folder| repo.holds(folder))
}
