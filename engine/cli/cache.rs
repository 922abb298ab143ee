//! `activate cache`: what the cache holds, and its removal.

use super::Command;
use super::exit::Outcome;
use super::options::RootOption;
use super::terminal::{Terminal, write_result};
use cache::Cache;
use clap::Args;
use engine::check_cache_folder;
use error::{Error, ErrorKind, Problem, Result};
use repo::Repo;
use std::io;
use std::path::PathBuf;

pub(super) const COMMAND: Command = Command {
    name: "cache",
    about: "List the files of the cache with their sizes in bytes, or remove those of a repository",
    details: "The cache is disposable: whatever is removed is made again by the next run.",
    options: CacheOptions::augment_args,
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct CacheOptions {
    /// Remove what is kept of the repository
    #[arg(long)]
    clear: bool,
    /// Folder of the cache [default: activate in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    #[command(flatten)]
    root: RootOption,
}

fn run(options: &CacheOptions, terminal: &Terminal) -> Result<Outcome> {
    let Some(folder) = options.cache.clone().or_else(Cache::default_folder) else {
        let message = format!(
            "there is no cache folder: neither XDG_CACHE_HOME nor {} is an absolute path; name one with `--cache DIR`",
            system::HOME
        );
        return Err(Error::new(ErrorKind::Storage, message));
    };
    let failed = |problem: Problem| Error::new(ErrorKind::Storage, problem.message);
    // A folder is made when it is opened: not for a list, nor inside a repository.
    let repo = options.clear.then(|| Repo::open(&options.root.folder()?)).transpose()?;
    if let Some(repo) = &repo {
        check_cache_folder(repo, &folder)?;
    }
    if folder.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(Outcome::Answered);
    }
    let cache = Cache::open(&folder).map_err(failed)?;
    let files = cache.list().map_err(failed)?;
    if let Some(repo) = repo {
        // The records of files are those of all work trees; the others take their files apart once more.
        for name in [repo.root_text(), repo.shared_text()] {
            cache.clear(name).map_err(failed)?;
        }
        let left = cache.list().map_err(failed)?;
        let n_bytes = |files: &[(String, u64)]| files.iter().map(|(_, n_bytes)| n_bytes).sum::<u64>();
        let n_files = files.len().saturating_sub(left.len());
        let n_bytes = n_bytes(&files).saturating_sub(n_bytes(&left));
        write_result(|stdout| writeln!(stdout, "{n_files} files with {n_bytes} bytes are removed"))?;
        return Ok(Outcome::Answered);
    }
    write_result(|stdout| {
        let folder = folder.display().to_string();
        files
            .iter()
            .try_for_each(|(name, n_bytes)| writeln!(stdout, "{n_bytes:>12} {}", terminal.line(&format!("{folder}/{name}"))))
    })?;
    Ok(Outcome::Answered)
}
