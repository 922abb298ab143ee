//! The cases that `eval` and `tune` share: where they come from, where their repositories are, and how these are opened.
//!
//! Reads what flags name.

use super::exit::usage;
use super::input::{self, Source};
use super::options::MAX_MEMORY_MIB;
use super::terminal::Terminal;
use super::wait::Waiting;
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use engine::{CacheChoice, Options};
use error::{Error, ErrorKind, Result};
use eval::{Case, Evaluation, mine, read_cases, spread_cases};
use index::snapshot::MIN_MEMORY;
use repo::{Alternates, Repo};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The most cases that are taken from a history.
const MAX_CASES: i64 = 10_000;

/// The most bytes of a file of cases or of results: a case has one or two thousand.
const MAX_LINES_BYTES: u64 = 256 << 20;

/// The most worker threads that can be asked for: each has 64 MiB of stack reserved.
const MAX_THREADS: i64 = 256;

/// Which cases, and how they are run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cases")]
pub(super) struct CaseOptions {
    /// Repository whose history gives the cases, bare or not
    #[arg(long, value_name = "DIR", required_unless_present = "cases", requires = "commits")]
    pub(super) repo: Option<PathBuf>,
    /// How many cases are taken from the history
    #[arg(long, value_name = "N", requires = "repo", value_parser = clap::value_parser!(u32).range(1..=MAX_CASES))]
    commits: Option<u32>,
    /// Cases as JSON lines; can be given more than once
    #[arg(long, value_name = "FILE", requires = "repos", conflicts_with = "repo")]
    cases: Vec<PathBuf>,
    /// Folder with the repositories of the cases: DIR/owner/name, DIR/owner+name, DIR/owner+name/repo or DIR/name, bare or not
    #[arg(long, value_name = "DIR", requires = "cases")]
    repos: Option<PathBuf>,
    /// At most so many cases of each repository, spread over time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Numbers of the policy that differ from the default, as JSON, in thousandths
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(Source::File))]
    weights: Option<Source>,
    /// Ask with the bodies of cases too, those of commits their first paragraph, and tell what the subjects alone give
    #[arg(long)]
    with_body: bool,
    /// Make no texts, which take most of the time
    #[arg(long)]
    pub(super) no_text: bool,
    /// Keep what is known of each case's repository in this folder, for the next run
    #[arg(long, value_name = "DIR")]
    pub(super) work: Option<PathBuf>,
    /// Read git objects of the folders that .git/objects/info/alternates names
    #[arg(long)]
    follow_alternates: bool,
    /// Worker threads of each of the two repositories that are worked on at once; 0 for one a core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=MAX_THREADS))]
    threads: u16,
    /// Memory that reading a repository may use, in MiB [default: 512]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(MIN_MEMORY >> 20..=MAX_MEMORY_MIB))]
    memory: Option<u64>,
}

impl CaseOptions {
    /// The cases, each once. What of a history cannot be read is told, unless it is to be `quiet`.
    pub(super) fn cases(&self, terminal: &Terminal, quiet: bool) -> Result<Vec<Case>> {
        let mut cases = Vec::new();
        let mut cut_off = None;
        if let (Some(folder), Some(n_cases)) = (&self.repo, self.commits) {
            let repo = Repo::open_at(folder, "HEAD", self.alternates())?;
            if let (Some(git), _) = repo.git(self.alternates()) {
                let (mined, problems) = mine(&git, &name_of(folder), n_cases as usize)?;
                cases = mined;
                cut_off = git.cut_off();
                terminal.warn(if quiet || cases.is_empty() { &[] } else { &problems });
            }
        }
        for path in &self.cases {
            let name = path.display().to_string();
            cases.extend(read_cases(&name, &text(path)?)?);
        }
        if let Some(limit) = self.limit {
            cases = spread_cases(cases, limit as usize);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        cases.retain(|case| seen.insert(case.id.clone()));
        if cases.is_empty() {
            let message = match &self.repo {
                Some(repo) => {
                    let why = cut_off.map(|why| format!(": {why}")).unwrap_or_default();
                    format!("the history of `{}` has no commit that makes a case{why}", repo.display())
                }
                None => "there is no case in the files that `--cases` names".to_owned(),
            };
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        Ok(cases)
    }

    /// How they are run; texts of these budgets are looked at.
    pub(super) fn evaluation(&self, budgets: &[u32], work: Option<PathBuf>) -> Result<Evaluation> {
        let weights = self.weights.as_ref().map(input::weights).transpose()?.unwrap_or_default();
        let cache = work.map_or(CacheChoice::Off, CacheChoice::Folder);
        let options = Options {
            n_threads: usize::from(self.threads),
            cache,
            alternates: self.alternates(),
            memory: self.memory.map(|mib| mib << 20),
            ..Options::default()
        };
        let budgets = if self.no_text { Vec::new() } else { budgets.to_vec() };
        Ok(Evaluation { weights, with_body: self.with_body, budgets, options })
    }

    fn alternates(&self) -> Alternates {
        if self.follow_alternates { Alternates::Follow } else { Alternates::Refuse }
    }

    /// The folder of a repository of the cases.
    pub(super) fn place(&self, repo: &str) -> Result<PathBuf> {
        if let Some(folder) = &self.repo {
            return Ok(folder.clone());
        }
        let Some(repos) = &self.repos else { return Err(usage("`--repos DIR` is missing")) };
        let plus = repo.replace('/', "+");
        let name = repo.rsplit('/').next().unwrap_or(repo);
        let mut places = vec![format!("{plus}/repo"), repo.to_owned(), plus, name.to_owned()];
        let mut seen = rustc_hash::FxHashSet::default();
        places.retain(|place| seen.insert(place.clone()));
        // A name from a file of cases must not lead out of the folder.
        let is_plain = !repo.is_empty() && repo.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        places.iter().map(|place| repos.join(place)).find(|place| is_plain && place.is_dir()).ok_or_else(|| {
            let places = places.join("`, `");
            let message = format!("there is no repository `{repo}` in `{}`; looked for `{places}`", repos.display());
            Error::new(ErrorKind::NoRepository, message)
        })
    }
}

/// What a repository is called, from where it lies: as [`CaseOptions::place`] finds it again.
fn name_of(folder: &Path) -> String {
    let folder = system::canonical(folder).unwrap_or_else(|_| folder.to_owned());
    let name = |folder: &Path| folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let above = folder.parent().map(name).unwrap_or_default();
    let own = name(&folder);
    let name = if own == "repo" && above.contains('+') { above } else { own };
    name.replace('+', "/")
}

/// The text of a file of lines.
fn text(path: &Path) -> Result<String> {
    Ok(String::from_utf8_lossy(&bytes(path)?).into_owned())
}

/// The bytes of a file of lines.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>> {
    let unreadable = |error| Error::new(ErrorKind::UnreadableFile, format!("`{}` cannot be read", path.display())).because(error);
    let mut bytes = Vec::new();
    Waiting::open(path).and_then(|file| file.take(MAX_LINES_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_LINES_BYTES {
        return Err(Error::new(ErrorKind::BadInput, format!("`{}` is larger than {MAX_LINES_BYTES} bytes", path.display())));
    }
    Ok(bytes)
}
