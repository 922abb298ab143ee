//! `activate fleet sync`: brings the store up to what the repositories are.

use super::super::process::Interrupts;
use super::super::progress::{Stage, Watch};
use super::super::run::{End, Run, SETTINGS as OF_RUNS, run as run_program};
use super::super::terminal::{say, write_result};
use super::super::{Command, Outcome, Terminal, options_of, wait};
use super::options::StoreOptions;
use clap::Args;
use engine::CacheChoice;
use error::{Error, ErrorKind, Problem, Result};
use fleet::fetch::{self, Said};
use fleet::manifest::Manifest;
use fleet::store::Store;
use fleet::sync::{Derive, Options, Report, Work};
use fleet::{Last, Resident, Source};
use index::checks::Streams;
use index::snapshot::{DEFAULT_MEMORY, MIN_MEMORY};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

pub(super) const COMMAND: Command = Command {
    name: "sync",
    about: "Fetch and read what is new of each repository",
    details: "\
A repository whose commit is known is not read again. One that cannot be fetched or read never stops the others: what is known of it still counts,
and the end says so. Two at once wait for one another. One that is stopped goes on from there the next time. `--wait` says how long git may take to
say what is new, a tenth of how long a fetch may take, and how long another sync is waited for.
With `--watch` it goes on until it is stopped. What follows from all repositories is kept in memory then, and only what a change touches is found out
again. A round that fails is told of, and the next one tries again.

Example:
    activate fleet sync --jobs 4
    activate fleet sync --watch 10
    activate fleet sync --only shop/api --wait 600",
    options: SyncOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

/// The most repositories that can be read at once.
const MAX_JOBS: i64 = 256;
/// How many are, where nobody says.
const DEFAULT_JOBS: usize = 4;
/// How many times as long as for a question to git a fetch may take.
const TIMES: u32 = 10;
/// The most that git may write: ids and names of references, and what went wrong.
const MAX_SAID_BYTES: u64 = 16 << 20;
/// How long a shard stays that does not count any more: as long as a question may take that has opened it.
const GRACE: Duration = Duration::from_secs(600);
/// How long a sync that is to stop may take to stop git; what it reads or derives is left as it is.
const STOP: Duration = Duration::from_secs(1);
/// The most problems that are shown one by one.
const MAX_TOLD: usize = 20;

/// Seconds between two looks where nobody says how many, and the most.
const WATCH_SECONDS: &str = "60";
const MAX_WATCH_SECONDS: u64 = 86_400;
/// How often somebody who waits for the next look asks whether to end.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug, Args)]
struct SyncOptions {
    /// Look at these alone; may be given several times
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// How many repositories are read at once; 0 for one a core, four at most
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=MAX_JOBS))]
    jobs: u16,
    /// Threads that find out what follows from all repositories; 0 for one a core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=MAX_JOBS))]
    workers: u16,
    /// Look again so many seconds after each look, until it is stopped
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = WATCH_SECONDS, value_parser = clap::value_parser!(u64).range(1..=MAX_WATCH_SECONDS))]
    watch: Option<u64>,
    #[command(flatten)]
    store: StoreOptions,
    /// Leave out files that match, as a line of .gitignore would
    #[arg(long, value_name = "GLOB", value_parser = super::super::options::exclude, help_heading = "Repositories")]
    exclude: Vec<String>,
    /// Memory that reading one repository may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MEMORY >> 20, value_parser = clap::value_parser!(u64).range(MIN_MEMORY >> 20..=super::super::options::MAX_MEMORY_MIB), help_heading = "Repositories")]
    memory: u64,
    /// Folder of the cache [default: activate in the user's cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache", help_heading = "Repositories")]
    cache: Option<PathBuf>,
    /// Keep nothing of files for the next run, and use nothing of the last
    #[arg(long, help_heading = "Repositories")]
    no_cache: bool,
    /// Write no warnings and no progress to stderr
    #[arg(long, help_heading = "Repositories")]
    quiet: bool,
}

fn run(options: &SyncOptions, terminal: &Terminal) -> Result<Outcome> {
    // Where signals cannot be watched, they end it as they do everywhere.
    let interrupts = Interrupts::watch().unwrap_or_default();
    interrupts.obey_within(STOP);
    let (manifest, store) = options.store.open()?;
    let Some(seconds) = options.watch else {
        let derive = |sources: &[Source], folder: &Path, _: Option<&Last>| {
            let (derived, left_out) = fleet::derive(sources, &fleet::Workers::threads(options.threads()))?;
            fleet::write(folder, derived)?;
            write_beside(sources, folder)?;
            Ok(left_out)
        };
        let report = look(options, (&manifest, &store), &derive, &interrupts)?;
        options.warn(&report.problems, terminal);
        return Ok(if report.current.shards().next().is_none() { Outcome::NothingFound } else { Outcome::Answered });
    };
    let resident = Mutex::new(Resident::new(options.threads()));
    let resident = || resident.lock().unwrap_or_else(PoisonError::into_inner);
    let derive = |sources: &[Source], folder: &Path, last: Option<&Last>| {
        let mut resident = resident();
        let left_out = resident.hold(sources)?;
        resident.write(folder, last)?;
        write_beside(sources, folder)?;
        Ok(left_out)
    };
    let mut told = Vec::new();
    let mut look = |manifest: &Manifest, store: &Store| {
        let report = look(options, (manifest, store), &derive, &interrupts)?;
        // What stays as it is is told once.
        if report.problems != told {
            options.warn(&report.problems, terminal);
            told = report.problems;
        }
        // What somebody else derived is taken in too: the next change is then small.
        resident().hold(&report.sources).map(drop)
    };
    match look(&manifest, &store) {
        // Arguments that cannot be meant will not be meant the next time.
        Err(error) if error.kind == ErrorKind::BadInput => return Err(error),
        first => tell(first, terminal),
    }
    loop {
        let until = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < until {
            if interrupts.is_caught() {
                end(&interrupts);
            }
            std::thread::sleep(PAUSE);
        }
        tell(options.store.open().and_then(|(manifest, store)| look(&manifest, &store)), terminal);
    }
}

/// Tells of a look that failed; the next one tries again.
fn tell(look: Result<()>, terminal: &Terminal) {
    if let Err(error) = look {
        terminal.report(&error);
    }
}

/// Brings the store up to what the repositories are, and says what was new.
fn look(
    options: &SyncOptions,
    (manifest, store): (&Manifest, &Store),
    derive: &Derive<'_>,
    interrupts: &Interrupts,
) -> Result<Report> {
    let began = Instant::now();
    let watch = Watch::start(false, !options.quiet);
    let git = |arguments: &[String], folder: &Path| git(arguments, folder, interrupts);
    let progress = |n_done: usize, n_all: usize| {
        watch.count(Stage::Repositories, n_done, n_all);
        if interrupts.is_caught() {
            watch.clear();
            end(interrupts);
        }
    };
    let work = Work { git: &git, derive: Some(derive), progress: &progress };
    let report = fleet::sync::sync(manifest, store, &options.read(), &work)?;
    watch.clear();
    // Whoever watches is told of what changed.
    if options.watch.is_none() || report.n_new > 0 {
        let seconds = began.elapsed().as_secs_f64();
        write_result(|stdout| writeln!(stdout, "{}", summary(&report, seconds)))?;
    }
    Ok(report)
}

impl SyncOptions {
    fn warn(&self, problems: &[Problem], terminal: &Terminal) {
        if !self.quiet {
            warn(problems, terminal);
        }
    }

    fn threads(&self) -> usize {
        let n_cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.workers == 0 { n_cores() } else { usize::from(self.workers) }
    }

    fn read(&self) -> Options {
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let n_jobs = if self.jobs == 0 { n_cores.min(DEFAULT_JOBS) } else { usize::from(self.jobs) };
        let cache = match &self.cache {
            _ if self.no_cache => CacheChoice::Off,
            Some(folder) => CacheChoice::Folder(folder.clone()),
            None => CacheChoice::Default,
        };
        let engine = engine::Options {
            exclude: self.exclude.clone(),
            n_threads: (n_cores / n_jobs).max(1),
            cache,
            memory: Some(self.memory << 20),
            ..engine::Options::default()
        };
        Options { n_jobs, only: self.only.clone(), engine, wait: wait::limit(), grace: GRACE }
    }
}

/// Writes what stands beside what follows from shards.
fn write_beside(sources: &[Source], folder: &Path) -> Result<()> {
    fleet::catalog::write(folder, sources)?;
    fleet::secrets::write(folder, sources)
}

fn summary(report: &Report, seconds: f64) -> String {
    let Report { n_new, n_same, n_missing, n_unreadable, n_empty, n_files, n_lines, .. } = report;
    let told = |n: usize, what: &str| if n > 0 { format!(", {n} {what}") } else { String::new() };
    let (unreadable, empty) = (told(*n_unreadable, "unreadable"), told(*n_empty, "empty"));
    format!(
        "{n_new} new, {n_same} same, {n_missing} missing{unreadable}{empty}; {n_files} files with {n_lines} lines read in {seconds:.1} s"
    )
}

fn warn(problems: &[Problem], terminal: &Terminal) {
    for problem in problems.iter().take(MAX_TOLD) {
        terminal.note(&format!("warning: {problem}"));
    }
    if let Some(n_more) = problems.len().checked_sub(MAX_TOLD).filter(|n_more| *n_more > 0) {
        terminal.note(&format!("warning: and {n_more} more; `activate fleet list` says how each repository stands"));
    }
}

/// How many gits run.
static N_RUNNING: AtomicUsize = AtomicUsize::new(0);

/// A git that runs, or is about to.
struct Running;

impl Running {
    fn begin() -> Self {
        N_RUNNING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        N_RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends this program by the signal that came, once no git runs any more: each is stopped by the thread that waits for it.
fn end(interrupts: &Interrupts) {
    while N_RUNNING.load(Ordering::SeqCst) > 0 {
        std::thread::sleep(PAUSE);
    }
    interrupts.leave_alone();
    interrupts.obey();
}

/// Runs git within limits of time and size.
fn git(arguments: &[String], folder: &Path, interrupts: &Interrupts) -> Result<Said> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let failed = |why: String| Error::new(ErrorKind::NoRepository, why);
    let program = PROGRAM.get_or_init(|| find_git(std::env::var_os("PATH").as_deref()));
    let program = program.as_deref().ok_or_else(|| failed("git is not on PATH, and is needed for urls".to_owned()))?;
    let times = if arguments.iter().any(|word| word == "fetch") { TIMES } else { 1 };
    let limit = wait::limit() * times;
    let settings = [&OF_RUNS[..1], &fetch::SETTINGS].concat();
    let run = Run {
        program,
        arguments,
        folder,
        streams: Streams::Apart,
        settings: &settings,
        cleared: &fetch::CLEARED,
        deadline: Instant::now() + limit,
        max_bytes: MAX_SAID_BYTES,
    };
    let ran = {
        let _running = Running::begin();
        // What begins after the signal would be stopped by nobody.
        (!interrupts.is_caught()).then(|| run_program(&run, interrupts))
    };
    let Some(ran) = ran else {
        end(interrupts);
        return Err(failed("it was stopped".to_owned()));
    };
    let mut ran = ran.map_err(|error| failed("git cannot be run".to_owned()).because(error))?;
    let is_well = match ran.end {
        End::Exit(code) => code == 0,
        End::Signal(signal) => return Err(failed(format!("git was ended by signal {signal}"))),
        End::TimedOut => {
            let seconds = limit.as_secs();
            let why = format!(
                "git did not end within {seconds} seconds; it may wait for a password or a host's key: try `git ls-remote` of the url by \
                 hand, or wait longer with `--wait SECONDS`"
            );
            return Err(failed(why));
        }
        End::TooLong => return Err(failed(format!("git wrote more than {MAX_SAID_BYTES} bytes"))),
        End::Interrupted => {
            say("stopped; `activate fleet sync` goes on from there");
            end(interrupts);
            return Err(failed("it was stopped".to_owned()));
        }
    };
    let mut text = |at: usize| {
        let output = ran.outputs.get_mut(at).map(|output| output.text().and_then(std::io::read_to_string));
        output.transpose().map(Option::unwrap_or_default)
    };
    let (stdout, stderr) = (text(0), text(1).unwrap_or_default());
    let stdout = stdout.map_err(|error| failed("what git wrote is no text".to_owned()).because(error))?;
    Ok(Said { is_well, stdout, stderr })
}

/// The first git in the folders of PATH that are absolute: others mean another folder in each folder.
fn find_git(path: Option<&OsStr>) -> Option<PathBuf> {
    let folders = path.into_iter().flat_map(std::env::split_paths).filter(|folder| folder.is_absolute());
    let names = system::program_names("git");
    let mut files = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>());
    files.find(|file| system::is_executable(file))
}
