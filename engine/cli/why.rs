//! `activate why TARGET`: the derivation of a score, or with `--not` what stopped one.
//!
//! Must not explain by itself: the engine does.

use super::Command;
use super::exit::Outcome;
use super::options::{RepositoryOptions, TaskOptions, activate};
use super::terminal::{note, safe_line, write_result};
use crate::error::Result;
use crate::facts::intent::locate;
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
    let base = &activation.snapshot.base;
    let candidates = locate(base, &options.target);
    if candidates.len() > 1 && !options.repository.quiet {
        let others: Vec<String> =
            candidates.iter().skip(1).take(MAX_OTHERS).map(|node| format!("`{}`", base.id(*node))).collect();
        let n_others = candidates.len() - 1;
        note(&format!("warning: {n_others} others match `{}` too, among them {}", options.target, others.join(", ")));
    }
    watch.finish(activation.snapshot.effort);
    Ok(Outcome::Answered)
}
