//! `activate session outcome` and `weights`: what became of packets, and what that says about kinds of links.
//!
//! Must not use weights by itself: they count where a command line names their file.

use super::{At, FileArgument};
use crate::exit::Outcome;
use activate_rules::atoms::{Factor, Thousandths};
use activate_rules::links::LinkKind;
use activate_rules::weights::LinkWeights;
use clap::Args;
use error::{Error, ErrorKind, Result};
use serde_json::{Map, Value, json};
use session::{Learnt, MIN_SAMPLES, store};
use std::fs;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct OutcomeOptions {
    #[command(flatten)]
    session: FileArgument,
    /// Files that were edited since, each a path from the root of the repository; without one, none was
    #[arg(long, value_name = "PATH", num_args = 0.., required = true)]
    edited: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = WEIGHTS_DETAILS)]
pub(super) struct WeightsOptions {
    #[command(flatten)]
    session: FileArgument,
    /// Where the weights that differ from the defaults are written, as a file for --weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

const WEIGHTS_DETAILS: &str = "\
A weight becomes its default times the share of the files of its kind that were edited, divided by that share for all kinds of links; at
least half of the default and at most one and a half. Kinds with fewer than 20 files stay as they are. Where nothing changes, no file is
written and the command ends with 3.";

pub(super) fn record(options: &OutcomeOptions, at: &At<'_>) -> Result<Outcome> {
    let edited = options.edited.iter().map(|path| at.stored_path(path)).collect::<Result<Vec<String>>>()?;
    let lines = store::update(&options.session.file, &at.masker, |session| {
        let outcome = session.record_outcome(&edited)?;
        let (injected, n_edited) = outcome.links.iter().fold((0, 0), |sum, link| (sum.0 + link.injected, sum.1 + link.edited));
        let mut lines = vec![format!(
            "packet {}: {n_edited} of {injected} files edited; edited and not in it: {}",
            outcome.pack_id,
            (outcome.edited.len() as u32).saturating_sub(n_edited)
        )];
        lines.extend(outcome.links.iter().map(|link| format!("  {}: {} of {} edited", link.link, link.edited, link.injected)));
        Ok(lines)
    })?;
    at.say(&lines)
}

pub(super) fn weights(options: &WeightsOptions, at: &At<'_>) -> Result<Outcome> {
    let session = store::read(&options.session.file)?;
    let kinds: Vec<&str> = LinkKind::ALL.iter().map(|kind| kind.name()).collect();
    let defaults = LinkWeights::default();
    let mut lines = vec![format!("{:<16} {:>8} {:>8} {:>8} {:>8}  why", "link", "injected", "edited", "default", "new")];
    let mut changed = Map::new();
    for (kind, learnt) in LinkKind::ALL.iter().zip(session.learnt(&kinds)) {
        let default = (kind.info().weight)(&defaults);
        let (new, why) = weighed(default, &learnt);
        let counts = &learnt.outcome;
        lines.push(format!(
            "{:<16} {:>8} {:>8} {:>8} {:>8}  {why}",
            kind.name(),
            counts.injected,
            counts.edited,
            default.get(),
            new.get()
        ));
        if new != default {
            changed.insert(kind.name().to_owned(), json!(new.get()));
        }
    }
    if changed.is_empty() {
        lines.push("nothing changes, and no file is written".to_owned());
        at.say(&lines)?;
        return Ok(Outcome::NothingFound);
    }
    // Numbers and names can be written.
    let json = serde_json::to_string_pretty(&json!({ "links": Value::Object(changed) })).unwrap_or_default() + "\n";
    let failed = |error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", options.out.display())).because(error);
    fs::write(&options.out, json).map_err(failed)?;
    lines.push(format!("written to {}; they count with `--weights {0}`", options.out.display()));
    at.say(&lines)
}

/// The new weight of a kind, and why it is that.
fn weighed(default: Thousandths, learnt: &Learnt) -> (Thousandths, String) {
    let ratio = |factor: u32| format!("{}.{:03} times as often as links on the whole", factor / 1_000, factor % 1_000);
    match learnt.factor {
        _ if learnt.outcome.injected < MIN_SAMPLES => (default, format!("fewer than {MIN_SAMPLES} files: as it was")),
        None => (default, "no file of any link was edited: as it was".to_owned()),
        Some(factor) => (default.scaled(Factor::new(factor)), format!("edited {}", ratio(factor))),
    }
}
