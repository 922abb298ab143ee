//! `activate why TARGET`: the derivation of a score, or with `--not` what stopped one.
//!
//! Must not explain by itself: the engine does.

use super::Command;
use super::exit::Outcome;
use super::options::{RepositoryOptions, TaskOptions, activate};
use super::terminal::{note, safe_line, write_result};
use crate::error::Result;
use crate::facts::base::FactBase;
use activate_rules::atoms::NodeId;
use clap::Args;

pub(super) const COMMAND: Command = Command {
    name: "why",
    about: "Explain why a file or symbol is active for an intent, step by step, or why it is not",
    details: "",
    options: WhyOptions::augment_args,
    run: |matches| run(&super::options_of(matches)?),
};

/// The most other candidates that are named for an ambiguous target.
const MAX_OTHERS: usize = 4;

#[derive(Debug, Args)]
struct WhyOptions {
    /// path, path:line, path#Type.method, or a name
    target: String,
    /// Say what stopped the target, for one that is missing or lower than expected
    #[arg(long)]
    not: bool,
    #[command(flatten)]
    task: TaskOptions,
    #[command(flatten)]
    repository: RepositoryOptions,
}

fn run(options: &WhyOptions) -> Result<Outcome> {
    let request = options.task.request(&options.repository)?;
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    let activation = activate(&engine, &request, &watch)?;
    watch.clear();
    let mut lines = if options.not { Vec::new() } else { activation.why(&options.target)? };
    if lines.is_empty() {
        // What was not reached has no derivation; what stopped it is the answer to both questions.
        lines = activation.why_not(&options.target)?;
    }
    write_result(|stdout| lines.iter().try_for_each(|line| writeln!(stdout, "{}", safe_line(line))))?;
    options.repository.warn(activation.problems());
    if !options.repository.quiet {
        say_what_was_meant(&activation.snapshot.base, &options.target, &activation.targets(&options.target)?);
    }
    watch.finish(activation.snapshot.effort);
    Ok(Outcome::Answered)
}

/// Says what a target was taken for, if not for what it says letter by letter, and what else it could mean.
fn say_what_was_meant(base: &FactBase, target: &str, candidates: &[NodeId]) {
    let (id, symbol) = (base.id(candidates[0]), base.symbol(candidates[0]));
    let is_line = target.contains(':') && target.ends_with(|c: char| c.is_ascii_digit());
    match symbol {
        _ if id == target.trim() => {}
        Some(symbol) => note(&format!("`{target}` is taken for `{id}`, lines {} to {}", symbol.lines.0, symbol.lines.1)),
        None if is_line => note(&format!("`{target}` is taken for `{id}`: no definition stands at that line")),
        None => note(&format!("`{target}` is taken for `{id}`")),
    }
    if candidates.len() > 1 {
        let others: Vec<String> =
            candidates.iter().skip(1).take(MAX_OTHERS).map(|node| format!("`{}`", base.id(*node))).collect();
        let n_others = candidates.len() - 1;
        note(&format!("warning: {n_others} others match `{target}` too, among them {}", others.join(", ")));
    }
}
