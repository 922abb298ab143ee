//! `activate packet check`: which rules of its kind a packet breaks.

use super::worker;
use crate::exit::Outcome;
use crate::input::{self, Source};
use crate::terminal::{Terminal, write_result};
use clap::Args;
use error::{Error, ErrorKind, Result};
use packets::kinds::{kind_of, why_none};
use packets::phase::{self, Mode};
use packets::validate::Violation;
use packets::worker::receipt::validate::{is_receipt, validate as worker_receipt};
use packets::worker::{Given, against_receipt, is_worker, validate};
use redact::Masker;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct CheckOptions {
    /// The packet; its kind is recognised by its content; `-` reads it from stdin
    #[arg(value_name = "FILE|-")]
    file: Source,
    /// Also say what changed since this packet that must not; for packets of phases
    #[arg(long, value_name = "ORIGINAL")]
    against: Option<Source>,
    /// Nothing may have changed, as where a subagent hands back what it was given
    #[arg(long, requires = "against")]
    identical: bool,
    /// Also say how the packet differs from its task; for packets of workers
    #[arg(long, value_name = "FILE|-", conflicts_with = "against")]
    task: Option<Source>,
    /// Also say how the packet differs from the plan in this folder; for packets of workers; can be given more than once
    #[arg(long, value_name = "DIR", conflicts_with = "against")]
    plan: Vec<PathBuf>,
    /// Also say what the packet names and its receipt does not; for packets of workers
    #[arg(long, value_name = "FILE|-", conflicts_with = "against")]
    receipt: Option<Source>,
}

const DETAILS: &str = "\
stdout says `ok: KIND`, or a line for each rule that is broken: its name, where, and what is expected. The command then ends with 10.
Packets are checked as JSON, those of phases also as text. What is for people cannot be checked: the text of a manifest, a hydrated pack, a
context pack or a session packet.";

pub(super) fn run(options: &CheckOptions, terminal: &Terminal) -> Result<Outcome> {
    let text = input::text(&options.file, input::MAX_PACKET_BYTES)?;
    let Some(kind) = kind_of(&text) else {
        let message = format!("{} {}", options.file, why_none(&text));
        return Err(Error::new(ErrorKind::BadInput, message));
    };
    // Packets are checked without the repository that they are of.
    let masker = Masker::knowing_nothing();
    let violations = match &options.against {
        None if options.task.is_some() || !options.plan.is_empty() || options.receipt.is_some() => {
            planned(&masker, &text, options)?
        }
        None => kind.violations(&masker, &text),
        Some(original) => against(&masker, original, &text, options)?,
    };
    let lines = if violations.is_empty() { vec![format!("ok: {}", kind.name)] } else { violations.iter().map(line).collect() };
    write_result(|stdout| lines.iter().try_for_each(|line| writeln!(stdout, "{}", terminal.line(line))))?;
    Ok(if violations.is_empty() { Outcome::Answered } else { Outcome::Refused })
}

/// What a worker's packet says against its task, its plan and its receipt.
fn planned(masker: &Masker, text: &str, options: &CheckOptions) -> Result<Vec<Violation>> {
    let refused = |message: String| Err(Error::new(ErrorKind::BadInput, message));
    if !is_worker(text) {
        return refused(format!(
            "`--task`, `--plan` and `--receipt` are for packets of workers, and {} is not one",
            options.file
        ));
    }
    let sources = [Some(&options.file), options.task.as_ref(), options.receipt.as_ref()].into_iter().flatten();
    if sources.filter(|source| **source == Source::Stdin).count() > 1 {
        return refused("stdin can be the packet, its task or its receipt; name files for the others".to_owned());
    }
    let task = options.task.as_ref().map(|task| worker::task(masker, task)).transpose()?;
    let plan = if options.plan.is_empty() { None } else { Some(worker::plan(masker, &options.plan)?) };
    let given = Given { task: task.as_ref(), plan: plan.as_ref() };
    let mut violations = validate(masker, text, given);
    if let Some(source) = &options.receipt {
        let receipt = input::text(source, input::MAX_PACKET_BYTES)?;
        if !is_receipt(&receipt) {
            return refused(format!("{source} is not the receipt of a worker's packet"));
        }
        if let Some(first) = worker_receipt(&receipt).first() {
            return refused(format!("the receipt {source} is broken itself, so nothing follows from it: {}", line(first)));
        }
        violations.extend(against_receipt(masker, text, &receipt, given));
    }
    Ok(violations)
}

/// What a packet of phases says that must not differ from an earlier one.
fn against(masker: &Masker, original: &Source, returned: &str, options: &CheckOptions) -> Result<Vec<Violation>> {
    let refused = |message: String| Err(Error::new(ErrorKind::BadInput, message));
    if *original == Source::Stdin && options.file == Source::Stdin {
        return refused("stdin can be one of the two packets; name a file for the other".to_owned());
    }
    let text = input::text(original, input::MAX_PACKET_BYTES)?;
    if !phase::is_phase(&text) || !phase::is_phase(returned) {
        return refused("`--against` compares packets of phases, and one of the two is not one".to_owned());
    }
    let before = phase::read(masker, &text);
    if let Some(first) = before.violations.first() {
        return refused(format!("the original {original} is broken itself, so nothing follows from it: {}", line(first)));
    }
    let mode = if options.identical { Mode::Identical } else { Mode::Updated };
    Ok(phase::against(&before, &phase::read(masker, returned), mode))
}

/// A broken rule as a line.
pub(super) fn line(violation: &Violation) -> String {
    format!("{} at {}: {}", violation.rule, violation.place, violation.message)
}
