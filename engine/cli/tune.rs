//! `activate tune`: looks for numbers of the policy that give better answers on changes of the past.
//!
//! Reads and writes the files that flags name.

use super::Command;
use super::cases::CaseOptions;
use super::exit::Outcome;
use super::progress::{Stage, Watch};
use super::temporary::Temporary;
use super::terminal::{Terminal, write_result};
use clap::Args;
use error::{Error, ErrorKind, Result};
use eval::{TUNED_BUDGET, Tuning, tune};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

pub(super) const COMMAND: Command = Command {
    name: "tune",
    about: "Look for numbers of the policy that give better answers on changes of the past",
    details: DETAILS,
    options: TuneOptions::augment_args,
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

const DETAILS: &str = "\
One number after another is tried at parts and multiples of its value, on one half of the cases: whole repositories where there are
several, else every other case. A change is kept if the objective gains more than one case adds by going from second to first: the mean of
mrr, acc@5, the share of the gold files other than the best within ten, and with texts the share of gold symbols that 8,000 tokens show.
The result is written only if the other half of the cases, which had no say, is better too: its objective is larger, and in more of its cases
the best file stands higher than lower, with p of at most 0.25 by an exact two-sided sign test: three better and none worse at the least. A few
cases more can still say otherwise. Else the command ends with 3.";

#[derive(Debug, Args)]
struct TuneOptions {
    #[command(flatten)]
    cases: CaseOptions,
    /// Try only this weight, or those below it, as links or links.calls; can be given more than once
    #[arg(long, value_name = "PREFIX", help_heading = "Search")]
    only: Vec<String>,
    /// The most times that all weights are tried; fewer if nothing changes any more
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=MAX_ROUNDS), help_heading = "Search")]
    rounds: u32,
    /// Where the weights that differ from the defaults are written, as a file for --weights
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    out: PathBuf,
    /// Write to stderr how long the run took
    #[arg(long, help_heading = "Search")]
    timings: bool,
    /// Write no progress to stderr
    #[arg(long, help_heading = "Search")]
    quiet: bool,
}

/// The most rounds that can be asked for: nothing changes any more long before.
const MAX_ROUNDS: i64 = 100;

/// That no folder could be made for the work.
fn unmade(error: io::Error) -> Error {
    let message = format!("no folder can be made in `{}`; name one with `--work DIR`", std::env::temp_dir().display());
    Error::new(ErrorKind::Storage, message).because(error)
}

/// Says before a search, which takes long, that its result could not be written.
fn check_out(path: &Path) -> io::Result<()> {
    match File::options().write(true).create_new(true).open(path) {
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => File::options().append(true).open(path).map(drop),
        Err(error) => Err(error),
    }
}

fn run(options: &TuneOptions, terminal: &Terminal) -> Result<Outcome> {
    let failed = |error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", options.out.display())).because(error);
    check_out(&options.out).map_err(failed)?;
    let cases = options.cases.cases(terminal, options.quiet)?;
    let work = options.cases.work.clone();
    // Removed at the end of the run, when nothing is read from it any more.
    let temporary = if work.is_none() { Some(Temporary::new("tune").map_err(unmade)?) } else { None };
    let work = work.or_else(|| temporary.as_ref().map(|temporary| temporary.path().to_owned()));
    let evaluation = options.cases.evaluation(&[TUNED_BUDGET], work)?;
    let tuning = Tuning { evaluation, only: options.only.clone(), n_rounds: options.rounds };
    let watch = Watch::start(options.timings, !options.quiet);
    let tell = |done: usize, all: usize| watch.count(Stage::Tune, done, all);
    let tuned = tune(&cases, &tuning, &|repo| options.cases.place(repo), &tell)?;
    watch.clear();
    if tuned.is_accepted() {
        // Numbers and names can be written.
        let weights = serde_json::to_string_pretty(&tuned.weights).unwrap_or_default() + "\n";
        fs::write(&options.out, weights).map_err(failed)?;
    }
    write_result(|stdout| stdout.write_all(tuned.text().as_bytes()))?;
    watch.finish_cases(cases.len(), cases.len());
    Ok(if tuned.is_accepted() { Outcome::Answered } else { Outcome::NothingFound })
}
