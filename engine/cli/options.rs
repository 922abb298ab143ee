//! The flags that say which repository, and how it is read.

use super::progress::Watch;
use super::rules;
use super::terminal::Terminal;
use cache::Cache;
use clap::Args;
use engine::{CacheChoice, Engine, Options, UserRules};
use error::{Error, ErrorKind, Problem, Result};
use index::snapshot::{DEFAULT_MEMORY, MIN_MEMORY};
use repo::{Alternates, Repo, RepoPath, check_exclude};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The most worker threads that can be asked for: each has 64 MiB of stack reserved.
const MAX_THREADS: i64 = 256;

/// The most memory that can be asked for, in MiB.
pub(super) const MAX_MEMORY_MIB: u64 = 1 << 20;

/// Which repository.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Repository")]
pub(super) struct RootOption {
    /// Root of the repository, exactly [default: the nearest folder upwards with .git, else the current one]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
}

impl RootOption {
    /// The root folder, as named or found.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        if let Some(root) = &self.repo {
            return Ok(root.clone());
        }
        let gone = |error| Error::new(ErrorKind::NoRepository, "the current folder cannot be found").because(error);
        std::env::current_dir().map(|folder| Repo::discover(&folder)).map_err(gone)
    }

    /// Opens the repository with everything else as it is by default.
    pub(super) fn open(&self) -> Result<Engine> {
        self.folder().and_then(Engine::open)
    }

    /// The root folder as tools write it; empty where that is not text.
    pub(super) fn text(&self) -> String {
        let root = self.folder().ok().and_then(|root| system::canonical(&root).ok());
        root.and_then(|root| String::from_utf8(system::path_bytes(&root).into_owned()).ok()).unwrap_or_default()
    }

    /// The path of the current folder within the repository; empty at the root and outside.
    pub(super) fn current_folder(&self) -> Result<String> {
        let root = system::canonical(&self.folder()?).ok();
        let current = std::env::current_dir().and_then(|folder| system::canonical(&folder)).ok();
        let below = current.zip(root).and_then(|(current, root)| current.strip_prefix(root).map(Path::to_owned).ok());
        let path = below.and_then(|below| RepoPath::from_bytes(&system::path_bytes(&below)).ok());
        Ok(path.map(|path| path.as_str().to_owned()).unwrap_or_default())
    }
}

/// Which repository, and how it is read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Repository")]
#[expect(clippy::struct_excessive_bools, reason = "a flag without a value is either given or not")]
pub(super) struct RepositoryOptions {
    #[command(flatten)]
    pub(super) root: RootOption,
    /// Answer as of a commit: HEAD, an id, a tag or a branch, as it is or with ~N or ^ behind it; the work tree is not read
    #[arg(long, value_name = "COMMIT")]
    at: Option<String>,
    /// Leave out files that match, as a line of .gitignore would
    #[arg(long, value_name = "GLOB", value_parser = exclude)]
    exclude: Vec<String>,
    /// Worker threads; 0 for one a core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=MAX_THREADS))]
    threads: u16,
    /// Memory that reading the repository may use, in MiB; of many large files that do not fit, only the paths are searched
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MEMORY >> 20, value_parser = clap::value_parser!(u64).range(MIN_MEMORY >> 20..=MAX_MEMORY_MIB))]
    memory: u64,
    /// Folder of the cache [default: activate in the user's cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,
    /// Keep nothing for the next run, and use nothing of the last
    #[arg(long)]
    no_cache: bool,
    /// Read git objects of the folders that .git/objects/info/alternates names
    #[arg(long)]
    follow_alternates: bool,
    /// Write to stderr what each stage took: wall time, time of all processors, and the peak of memory so far
    #[arg(long)]
    timings: bool,
    /// Write no warnings and no progress to stderr
    #[arg(long)]
    pub(super) quiet: bool,
}

/// A pattern to exclude, checked while flags are read: then the message names the flag, and nothing was opened yet.
pub(super) fn exclude(pattern: &str) -> std::result::Result<String, String> {
    check_exclude(pattern).map_err(|why| format!("{why}; write it like a line of a .gitignore"))?;
    Ok(pattern.to_owned())
}

impl RepositoryOptions {
    /// Opens the repository.
    pub(super) fn open(&self) -> Result<Engine> {
        self.open_as(None, &[])
    }

    /// Opens the repository, at this commit and without these files where the flags name none.
    pub(super) fn open_as(&self, commit: Option<&str>, exclude: &[String]) -> Result<Engine> {
        self.open_in(&self.root.folder()?, commit, exclude)
    }

    fn open_in(&self, root: &Path, commit: Option<&str>, exclude: &[String]) -> Result<Engine> {
        let alternates = if self.follow_alternates { Alternates::Follow } else { Alternates::Refuse };
        let folder = root.to_owned();
        let options = Options {
            exclude: if self.exclude.is_empty() { exclude.to_vec() } else { self.exclude.clone() },
            n_threads: usize::from(self.threads),
            pool: None,
            cache: self.cache_choice(),
            alternates,
            memory: Some(self.memory << 20),
            rules: UserRules::new(move || rules::of_user(&|rules| Repo::open(&folder).is_ok_and(|repo| repo.holds(rules)))),
        };
        match self.at.as_deref().or(commit) {
            Some(commit) => Engine::open_at(root, commit, options),
            None => Engine::open_with(root, options),
        }
    }

    /// The flags that read the repository at `root` in the same way.
    pub(super) fn again(&self, root: &Path) -> Vec<OsString> {
        let mut flags: Vec<OsString> = vec!["--repo".into(), root.into()];
        flags.extend([format!("--memory={}", self.memory).into(), format!("--threads={}", self.threads).into()]);
        flags.extend(self.exclude.iter().map(|pattern| format!("--exclude={pattern}").into()));
        if let Some(folder) = self.cache_folder() {
            flags.extend(["--cache".into(), std::path::absolute(&folder).unwrap_or(folder).into()]);
        }
        if self.follow_alternates {
            flags.push("--follow-alternates".into());
        }
        flags
    }

    /// Opens the repository that the flags name, else the one around a folder.
    pub(super) fn open_near(&self, folder: Option<&Path>) -> Result<Engine> {
        match folder {
            Some(folder) if self.root.repo.is_none() => self.open_in(&Repo::discover(folder), None, &[]),
            _ => self.open(),
        }
    }

    /// The root folder, as named or found.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        self.root.folder()
    }

    /// The folder of the cache, if one is used.
    pub(super) fn cache_folder(&self) -> Option<PathBuf> {
        match self.cache_choice() {
            CacheChoice::Off => None,
            CacheChoice::Folder(folder) => Some(folder),
            CacheChoice::Default => Cache::default_folder(),
        }
    }

    /// Where facts are kept.
    fn cache_choice(&self) -> CacheChoice {
        match &self.cache {
            _ if self.no_cache => CacheChoice::Off,
            Some(folder) => CacheChoice::Folder(folder.clone()),
            None => CacheChoice::Default,
        }
    }

    /// What watches the run.
    pub(super) fn watch(&self) -> Watch {
        Watch::start(self.timings, !self.quiet)
    }

    /// Warns of problems, unless nobody wants to know.
    pub(super) fn warn(&self, terminal: &Terminal, problems: &[Problem]) {
        if !self.quiet {
            terminal.warn(problems);
        }
    }
}
