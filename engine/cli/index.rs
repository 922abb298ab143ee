//! `activate index`: reads a repository ahead, by hand or in the background for whoever asks and cannot wait.

use super::exit::{Outcome, usage};
use super::options::RepositoryOptions;
use super::process::Interrupts;
use super::progress::Watch;
use super::terminal::{Terminal, say, write_result};
use super::{Command, options_of, process};
use clap::Args;
use engine::Engine;
use error::Result;
use index::snapshot::Progress;
use std::process::Stdio;
use std::time::Duration;

pub(super) const COMMAND: Command = Command {
    name: "index",
    about: "Read a whole repository now, so that answers about it wait for nothing",
    details: "\
Every command reads what it needs by itself; this only does it earlier. What is found out is kept in the cache. `activate hook` and `activate
serve` answer from a part of a large repository that nobody has read yet, and start this in the background: at low priority, one process for a
repository, until all is read or nobody has asked for ten minutes.",
    options: IndexOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

/// How long nobody may have asked while it is read in the background.
const MAX_IDLE: Duration = Duration::from_secs(600);

#[derive(Debug, Args)]
struct IndexOptions {
    /// Do it for others: say nothing, leave the processors to them, and stop where another process does it or nobody asks any more
    #[arg(long, hide = true)]
    background: bool,
    #[command(flatten)]
    repository: RepositoryOptions,
}

fn run(options: &IndexOptions, terminal: &Terminal) -> Result<Outcome> {
    if options.background {
        // Before there are threads, which begin as this one stands.
        process::stand_back();
        return behind(&options.repository.open()?);
    }
    if options.repository.cache_folder().is_none() {
        return Err(usage("`activate index` keeps what it finds out in a cache, and `--no-cache` leaves it none".to_owned()));
    }
    let engine = options.repository.open()?;
    let watch = options.repository.watch();
    // Where signals cannot be watched, they end it as they do everywhere.
    let interrupts = Interrupts::watch().unwrap_or_default();
    let progress = |progress: Progress| {
        watch.tell(progress);
        if interrupts.is_caught() {
            stop(progress, &interrupts, &watch, options.repository.quiet);
        }
    };
    let snapshot = engine.index_with(&progress, &|| interrupts.is_caught())?;
    drop(interrupts);
    watch.clear();
    options.repository.warn(terminal, &snapshot.problems);
    watch.finish(snapshot.effort);
    let (n_files, n_symbols) = (snapshot.base.n_files(), snapshot.base.n_symbols());
    write_result(|stdout| writeln!(stdout, "{n_files} files with {n_symbols} definitions are known"))?;
    Ok(Outcome::Answered)
}

/// Ends this program after a signal, as soon as what was read is kept.
fn stop(progress: Progress, interrupts: &Interrupts, watch: &Watch, is_quiet: bool) {
    // A second one does not wait for that.
    interrupts.leave_alone();
    match progress {
        Progress::Reading(..) => return,
        Progress::Kept(n_kept, n_files) if !is_quiet => {
            watch.clear();
            say(&format!("stopped: {n_kept} of {n_files} files are kept; `activate index` goes on from there"));
        }
        _ => watch.clear(),
    }
    interrupts.obey();
}

/// Reads the repository where no other process does, as long as somebody asks.
fn behind(engine: &Engine) -> Result<Outcome> {
    let Some(indexing) = engine.begin_indexing()? else { return Ok(Outcome::Answered) };
    let progress = |_: Progress| {
        if indexing.idle() > MAX_IDLE {
            // Files of the cache are whole whenever it ends.
            std::process::exit(0);
        }
    };
    engine.index_with(&progress, &|| false)?;
    if !engine.is_known() {
        // Some path is a secret, or the disk is full. Where not even this can be noted, the next does it again.
        let _ = indexing.give_up();
    }
    Ok(Outcome::Answered)
}

/// Has a repository read in the background that an answer did not wait for. Where that cannot be, the next answer is as this one was.
pub(super) fn start(engine: &Engine, options: &RepositoryOptions) {
    // What is known of a commit is kept by whoever asks about it.
    if engine.repo().is_at_commit() || !engine.ask_for_indexing() {
        return;
    }
    let (Ok(program), Some(cache)) = (std::env::current_exe(), options.cache_folder()) else { return };
    let mut command = std::process::Command::new(program);
    command.args([COMMAND.name, "--background", "--quiet"]).args(options.again(engine.repo().path())).current_dir(cache);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    process::detach(&mut command);
    if let Ok(mut child) = command.spawn() {
        // A server that stays takes note of its end.
        std::thread::spawn(move || child.wait());
    }
}
