//! One repository of a sync: its commit, and the shard of that.

#![expect(clippy::disallowed_methods, reason = "a host module: writes into the store")]

use super::{Known, Options, Repository, STAGE, State, Work, Writer, key};
use crate::fetch::{fetch, has_no_branch};
use crate::manifest::Place;
use crate::publish::{Published, publish};
use crate::shard_notes::Notes;
use engine::{CacheChoice, Engine};
use error::{Error, ErrorKind, Problem, Result};
use repo::Repo;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// What became of a repository.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) known: Known,
    pub(super) made: Made,
    /// What could not be read for a new shard.
    pub(super) problems: Vec<Problem>,
}

/// Whether its shard is another than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    New,
    Same,
}

impl Look {
    /// What is to be said of it.
    pub(super) fn problem(&self, repository: &Repository) -> Option<Problem> {
        let why = self.known.why.as_ref()?;
        let rest = match (&self.known.shard, &self.known.commit) {
            (Some(_), Some(commit)) => format!("; what is known of commit {} still counts", commit.get(..10).unwrap_or(commit)),
            _ => String::new(),
        };
        Some(Problem::new(STAGE, format!("{} is {}: {why}{rest}", repository.name, self.known.state.word())))
    }
}

/// Looks at a repository, and makes its shard where that is not there.
pub(super) fn look_at(
    repository: &Repository,
    writer: &Writer<'_>,
    last: Option<&Known>,
    options: &Options,
    work: &Work<'_>,
) -> Look {
    // A bad repository costs itself alone.
    let look = catch_unwind(AssertUnwindSafe(|| look(repository, writer, last, options, work)));
    let failed = look
        .unwrap_or_else(|_| Err((State::Unreadable, "reading it failed inside of this program; please report it".to_owned())));
    let mut look = failed.unwrap_or_else(|(state, why)| {
        let shard = last.and_then(|last| last.shard.clone()).filter(|shard| writer.store().checked(shard).is_ok());
        let known = match (shard, last) {
            (Some(_), Some(last)) => Known { state, why: Some(why), ..last.clone() },
            _ => {
                Known { state, why: Some(why), commit: None, shard: None, entry: None, shard_entry: None, n_files: 0, n_lines: 0 }
            }
        };
        Look { known, made: Made::Same, problems: Vec::new() }
    });
    look.known.entry = Some(repository.entry());
    look
}

type Failed = (State, String);

fn look(
    repository: &Repository,
    writer: &Writer<'_>,
    last: Option<&Known>,
    options: &Options,
    work: &Work<'_>,
) -> std::result::Result<Look, Failed> {
    let (folder, commit) = commit_of(repository, writer, options, work)?;
    let empty = |why: &str, commit: Option<String>| {
        let known = Known {
            state: State::Empty,
            commit,
            shard: None,
            why: Some(why.to_owned()),
            entry: None,
            shard_entry: None,
            n_files: 0,
            n_lines: 0,
        };
        Look { known, made: Made::Same, problems: Vec::new() }
    };
    let Some(commit) = commit else { return Ok(empty("it has no commit yet", None)) };
    let key = key(&commit, options);
    let kept = writer.shard(&repository.name, key);
    let is_kept = kept.is_some();
    let (shard, problems) = match kept {
        Some(shard) => (shard, Vec::new()),
        None => match make(repository, &folder, &commit, key, writer, options) {
            Ok(made) => made,
            Err(error) if error.kind == ErrorKind::EmptyRepository => {
                return Ok(empty("it holds no file that can be read", Some(commit)));
            }
            Err(error) => return Err((State::Unreadable, told(&error))),
        },
    };
    let notes = Notes::read(&writer.store().folder().join(&shard)).map_err(|error| (State::Unreadable, told(&error)))?;
    // One that was damaged is read again.
    let is_same = is_kept && last.and_then(|last| last.shard.as_ref()) == Some(&shard);
    let made = if is_same { Made::Same } else { Made::New };
    let Notes { n_files, n_lines, .. } = notes;
    let shard_entry = Some(repository.entry());
    let known = Known {
        state: State::Known,
        commit: Some(commit),
        shard: Some(shard),
        why: None,
        entry: None,
        shard_entry,
        n_files,
        n_lines,
    };
    Ok(Look { known, made, problems })
}

/// The folder with the git data of a repository, and the commit that is wanted; none where it has none yet.
fn commit_of(
    repository: &Repository,
    writer: &Writer<'_>,
    options: &Options,
    work: &Work<'_>,
) -> std::result::Result<(PathBuf, Option<String>), Failed> {
    let found = match &repository.place {
        Place::Url(url) => {
            let folder = writer.store().git_folder(&repository.name);
            fetch(repository, url, writer, work.git).map(|commit| (folder, commit))
        }
        Place::Path(path) => {
            if !path.exists() {
                let why = format!("there is no folder `{}`; correct its `path` in the manifest", path.display());
                return Err((State::Missing, why));
            }
            let branch = repository.branch.as_ref().map(|branch| format!("refs/heads/{branch}"));
            let name = repository.commit.as_deref().or(branch.as_deref()).unwrap_or("HEAD");
            let commit = Repo::commit_id(path, name, options.engine.alternates);
            let commit = commit.map_err(|error| match &repository.branch {
                Some(branch)
                    if repository.commit.is_none() && error.message.ends_with(&format!("there is no commit `{name}`")) =>
                {
                    has_no_branch(branch)
                }
                _ => error,
            });
            commit.map(|commit| (path.clone(), commit))
        }
    };
    found.map_err(|error| {
        let state = if error.kind == ErrorKind::BadInput { State::Missing } else { State::Unreadable };
        (state, told(&error))
    })
}

fn told(error: &Error) -> String {
    use std::error::Error as _;
    error.source().map_or_else(|| error.message.clone(), |cause| format!("{}: {cause}", error.message))
}

/// Makes the shard of a commit. What could not be read comes as problems.
fn make(
    repository: &Repository,
    folder: &Path,
    commit: &str,
    key: u128,
    writer: &Writer<'_>,
    options: &Options,
) -> Result<(String, Vec<Problem>)> {
    let mut own = options.engine.clone();
    if own.cache == CacheChoice::Default
        && let Some(folder) = cache::Cache::default_folder()
    {
        // Of a commit, something is kept in a folder alone that is named.
        own.cache = CacheChoice::Folder(folder);
    }
    let engine = Engine::open_at(folder, commit, own)?;
    let snapshot = engine.look_with(&|_| {})?;
    let base = &snapshot.base;
    let notes = Notes {
        commit: commit.to_owned(),
        n_files: u64::from(base.n_files()),
        n_lines: base.files().map(|file| u64::from(base.n_lines(file))).sum(),
        exclude: options.engine.exclude.clone(),
        memory: options.engine.memory,
    };
    let mut problems = Vec::new();
    let shard = writer.make_shard(&repository.name, key, |folder| {
        notes.write(folder)?;
        let secrets_key = &writer.store().secrets_key()?;
        let of = Published { repository: &repository.name, engine: &engine, snapshot: &snapshot, secrets_key, folder };
        problems = publish(&of)?;
        Ok(())
    })?;
    Ok((shard, problems))
}
