//! `activate why TARGET`: the derivation of a score, or with `--not` what stopped one, on its way or at the border of a packet.
//!
//! Must not explain by itself: the engine does.

use super::Command;
use super::exit::{Outcome, usage};
use super::kinds;
use super::learn::activate;
use super::options::RepositoryOptions;
use super::packet::open_again;
use super::state::nowhere;
use super::task_options::TaskOptions;
use super::terminal::{Terminal, write_answer};
use activate_rules::atoms::NodeId;
use clap::Args;
use clap::builder::Resettable;
use context::budget::Budget;
use error::{Error, ErrorKind, Result};
use index::base::FactBase;
use packets::answer::{Kind, Packs, StoredPack};
use tokens::Tokens;

pub(super) const COMMAND: Command = Command {
    name: "why",
    about: "Explain why a file or symbol is active for an intent, step by step, or why it is not",
    details: DETAILS,
    // A packet that was made before holds what was asked.
    options: |command| {
        let about =
            "What is to be done, in any words; `-` reads it from stdin [default: that of the last packet of this repository]";
        WhyOptions::augment_args(command)
            .mut_arg("intent", |intent| intent.required(false).required_unless_present(Resettable::Reset).help(about))
    },
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

const DETAILS: &str = "\
Examples:
    activate why ValidateToken
    activate why ValidateToken --intent \"fix ValidateToken\"
    activate why internal/auth/rarely.go --not --intent \"fix ValidateToken\" --budget 2k
    activate why internal/auth/rarely.go --not --pack 3f1c9a04
    activate why internal/auth/login.go --over internal/auth/middleware.go --intent \"fix ValidateToken\"";

/// The most other candidates that are named for an ambiguous target.
const MAX_OTHERS: usize = 4;

#[derive(Debug, Args)]
struct WhyOptions {
    /// path, path:line, path#Type.method, or a name
    target: String,
    /// Say what stopped the target, for one that is missing or lower than expected
    #[arg(long)]
    not: bool,
    /// Compare the target with another one: which of the two stands first, and what decides
    #[arg(long, value_name = "OTHER", conflicts_with = "not")]
    over: Option<String>,
    /// With `--not`: say what became of it in a session packet of so many tokens, what stopped it, what stood before it, and at which budget it
    /// enters
    #[arg(long, value_name = "N", requires = "not", value_parser = kinds::budget, allow_hyphen_values = true)]
    budget: Option<u32>,
    /// With `--not`: say the same of a session packet that was sent, for what was asked then; its id, or the first digits of it
    #[arg(long, value_name = "PACK", requires = "not", conflicts_with_all = ["intent", "diagnostics", "tests", "session", "pin", "rules", "no_user_rules", "weights", "depth"])]
    pack: Option<String>,
    #[command(flatten)]
    task: TaskOptions,
    #[command(flatten)]
    repository: RepositoryOptions,
}

fn run(options: &WhyOptions, terminal: &Terminal) -> Result<Outcome> {
    let sent = match &options.pack {
        Some(id) => Some(options.find(id)?),
        None if options.task.is_empty() => Some(options.last(terminal)?),
        None => None,
    };
    let request = match &sent {
        Some(pack) => pack.asked.again()?,
        None => options.task.request(&options.repository, terminal)?,
    };
    let watch = options.repository.watch();
    let engine = match &sent {
        Some(pack) => open_again(pack, &options.repository, terminal)?,
        None => options.repository.open()?,
    };
    let activation = activate(&engine, &request, &watch, terminal)?;
    watch.clear();
    let mut lines = if let Some(other) = &options.over {
        activation.why_over(&options.target, other)?
    } else if options.not {
        Vec::new()
    } else {
        activation.why(&options.target)?
    };
    if lines.is_empty() {
        // What was not reached has no derivation; what stopped it is the answer to both questions.
        lines = activation.why_not(&options.target)?;
    }
    let asked = sent.as_ref().filter(|_| options.not).map(|pack| pack.asked.wanted.budget());
    let budget = options.budget.map(|tokens| Budget { total: Tokens(tokens), ..asked.unwrap_or_default() }).or(asked);
    if let Some(budget) = &budget {
        lines.extend(activation.in_packet(&options.target, budget)?);
    }
    if let (Some(pack), Some(budget)) = (&sent, &asked)
        && activation.session_context(budget)?.pack_id != pack.pack_id
    {
        lines.push(format!(
            "pack {} would be different if it were made again, since files, rules of the configuration or what is kept of the request changed: this is about the files as they are now",
            pack.pack_id
        ));
    }
    let shown: Vec<String> = lines.iter().map(|line| terminal.line(line) + "\n").collect();
    write_answer(&shown.concat())?;
    options.repository.warn(terminal, activation.problems());
    if !options.repository.quiet {
        say_what_was_meant(terminal, &activation.snapshot.base, &options.target, &activation.targets(&options.target)?);
    }
    watch.finish(activation.snapshot.effort);
    Ok(Outcome::Answered)
}

impl WhyOptions {
    /// The last packet of this repository, which is told.
    fn last(&self, terminal: &Terminal) -> Result<StoredPack> {
        let engine = self.repository.open()?;
        let root = engine.masker().name(engine.root());
        let is_own =
            |pack: &StoredPack| engine.masker().name(&pack.asked.root) == root && pack.asked.wanted.kind == Kind::Session;
        let last = self.task.state_folder(&self.repository)?.and_then(|state| Packs::at(&state).newest().find(is_own));
        let last = last.ok_or_else(|| usage("give `--intent TEXT`: no packet of this repository is kept"))?.repeatable()?;
        if !self.repository.quiet {
            let task = engine.masker().line(last.asked.intent.lines().next().unwrap_or_default());
            terminal.note(&format!("for the last packet, {}: {task}", last.pack_id));
        }
        Ok(last)
    }

    /// A session packet that was sent.
    fn find(&self, id: &str) -> Result<StoredPack> {
        let state = self.task.state_folder(&self.repository)?.ok_or_else(nowhere)?;
        let pack = Packs::at(&state).find(id)?.repeatable()?;
        let kind = pack.asked.wanted.kind;
        if kind == Kind::Session {
            return Ok(pack);
        }
        let message = format!(
            "pack {} is a {} pack: what became of each of its candidates stands in its receipt; ask for it again with `--receipt FILE`",
            pack.pack_id,
            kind.name()
        );
        Err(Error::new(ErrorKind::BadInput, message))
    }
}

/// Says what a target was taken for, if not for what it says letter by letter, and what else it could mean.
fn say_what_was_meant(terminal: &Terminal, base: &FactBase, target: &str, candidates: &[NodeId]) {
    let (id, symbol) = (base.id(candidates[0]), base.symbol(candidates[0]));
    let is_line = target.contains(':') && target.ends_with(|c: char| c.is_ascii_digit());
    match symbol {
        _ if id == target.trim() => {}
        Some(symbol) => terminal.note(&format!("`{target}` is taken for `{id}`, lines {} to {}", symbol.lines.0, symbol.lines.1)),
        None if is_line => terminal.note(&format!("`{target}` is taken for `{id}`: there is no definition at that line")),
        None => terminal.note(&format!("`{target}` is taken for `{id}`")),
    }
    if candidates.len() > 1 {
        let others: Vec<String> =
            candidates.iter().skip(1).take(MAX_OTHERS).map(|node| format!("`{}`", base.id(*node))).collect();
        let n_others = candidates.len() - 1;
        terminal.note(&format!("warning: {n_others} others match `{target}` too, among them {}", others.join(", ")));
    }
}
