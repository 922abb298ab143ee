//! `activate packet worker`, `permit` and `audit`: the packet of a task's worker, what it may read beyond it, and what it wrote beyond it.
//!
//! Reads what a command line names. Must not decide what a slot holds, what is granted, or what is declared.

use crate::amount::lines;
use crate::exit::Outcome;
use crate::file;
use crate::input::{self, MAX_PACKET_BYTES, Source, unusable};
use crate::learn::{activate, snapshot};
use crate::options::{RepositoryOptions, RootOption};
use crate::terminal::{Terminal, write_result};
use clap::Args;
use engine::{Activation, Engine, Request};
use error::{Error, ErrorKind, Result};
use packets::store;
use packets::worker::access::{AccessRequest, intent, path_of};
use packets::worker::audit::{Received, writes};
use packets::worker::graph;
use packets::worker::ledger::{Asked, Ledger};
use packets::worker::plan::{self, Plan};
use packets::worker::receipt::WorkerReceipt;
use packets::worker::task::{Task, own_path};
use packets::worker::{Derived, MAX_STATE_LINES, MIN_STATE_LINES, STATE_LINES, Sources, WorkerPacket};
use redact::{Masker, Safe};
use repo::{Alternates, Repo, RepoPath, Skipped, WalkOptions};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The most notes that are shown one by one.
const MAX_NOTES: usize = 5;
/// The most files of a ledger that are named.
const MAX_SHOWN: usize = 10;
/// The most characters of a path that is recorded.
const MAX_PATH: usize = 300;

#[derive(Debug, Args)]
#[command(after_help = WORKER_DETAILS)]
pub(super) struct WorkerOptions {
    /// The task: JSON with `id`, `filesModified`, `acceptanceCriteria`, `tddMode` (hard, standard, skip) and `riskTier` (low, medium, high,
    /// critical); `-` reads it from stdin
    #[arg(long, value_name = "FILE|-")]
    task: Source,
    /// Folder with the plan's files; can be given more than once: of two files of one name, that of the first folder counts
    #[arg(long, value_name = "DIR")]
    plan: Vec<PathBuf>,
    /// Write to this file where each entry comes from, what was cut, and what a planner should know
    #[arg(long, value_name = "FILE")]
    receipt: Option<PathBuf>,
    /// The most lines of the state digest
    #[arg(long, value_name = "N", default_value_t = STATE_LINES as u32, value_parser = lines(MIN_STATE_LINES as u32, MAX_STATE_LINES as u32), allow_hyphen_values = true)]
    state_lines: u32,
    #[command(flatten)]
    repository: RepositoryOptions,
}

const WORKER_DETAILS: &str = "\
A plan may hold modules.json, api_contracts.json, symbols.json, ownership.json, test_map.json, ARCHITECTURE.md, SCARS.md,
ACCEPTANCE_MASTER.md, STATE.md, PLAN.md and DECISION_LOG.md. What is missing is derived from the code where it can be; the receipt says so.

Example:
    activate packet worker --task T02.json --plan .nexus/plan --receipt T02.receipt.json > T02.packet.json";

#[derive(Debug, Args)]
pub(super) struct PermitOptions {
    /// The packet of the worker who asks
    #[arg(long, value_name = "FILE|-")]
    packet: Source,
    /// The file that it asks for: a path from the root of the repository, or the whole `<<NEXUS_PERMISSION_REQUEST: PATH>>`
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    path: String,
    /// Record the request in this file, and say when requests show that the task's list is incomplete
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Write the request into the packet's task in this task graph (`TASK_GRAPH.json`), and from the third file on that its list is incomplete
    #[arg(long, value_name = "FILE")]
    task_graph: Option<PathBuf>,
    /// The id of the task in the graph [default: the only one with the packet's files]
    #[arg(long, value_name = "ID", requires = "task_graph")]
    task: Option<String>,
    #[command(flatten)]
    repository: RepositoryOptions,
}

#[derive(Debug, Args)]
#[command(after_help = AUDIT_DETAILS)]
pub(super) struct AuditOptions {
    /// The packet of the worker
    #[arg(long, value_name = "FILE|-")]
    packet: Source,
    /// The commit that the worker began with: HEAD, an id, a tag or a branch, as it is or with ~N or ^ behind it
    #[arg(long, value_name = "COMMIT", default_value = "HEAD")]
    base: String,
    #[command(flatten)]
    root: RootOption,
    /// Read git objects of the folders that .git/objects/info/alternates names
    #[arg(long)]
    follow_alternates: bool,
    /// Write no notes to stderr
    #[arg(long)]
    quiet: bool,
}

const AUDIT_DETAILS: &str = "\
stdout has a line for each file that was written and is not one of the packet's: its path, what was done, and where. The command then ends with
10. Files that git ignores, links that git does not track and permissions in the work tree are not looked at.";

/// Writes the packet of a task to stdout.
pub(super) fn worker(options: &WorkerOptions, terminal: &Terminal) -> Result<Outcome> {
    let (task, plan) = (input::text(&options.task, MAX_PACKET_BYTES)?, plan_files(&options.plan)?);
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    let snapshot = snapshot(&engine, &watch, terminal)?;
    let texts = plan.iter().filter_map(|(name, bytes)| Some((*name, std::str::from_utf8(bytes).ok()?)));
    let masker = snapshot.masker_with(texts.chain([("", task.as_str())]));
    terminal.learn(&masker);
    let (task, plan) = (parsed(&masker, &options.task, &task)?, Plan::new(&masker, plan)?);
    let facts = Derived::new(&snapshot.base);
    let read = |path: &RepoPath| engine.text_at(&snapshot, &masker, path);
    let sources = Sources {
        masker: &masker,
        task: &task,
        plan: &plan,
        facts: &facts,
        read: &read,
        state_lines: options.state_lines as usize,
    };
    let (packet, receipt) = WorkerPacket::new(&sources)?;
    watch.clear();
    if let Some(path) = &options.receipt {
        file::replace(path, &receipt.json())?;
    }
    write_result(|stdout| stdout.write_all(packet.json().as_bytes()))?;
    options.repository.warn(terminal, &snapshot.problems);
    if !options.repository.quiet {
        say_notes(terminal, &receipt);
    }
    watch.finish(snapshot.effort);
    Ok(Outcome::Answered)
}

/// Says the first notes on slots, and how many more there are.
fn say_notes(terminal: &Terminal, receipt: &WorkerReceipt) {
    let notes: Vec<String> =
        receipt.slots.iter().flat_map(|slot| slot.notes.iter().map(|note| format!("{}: {note}", slot.slot))).collect();
    for text in notes.iter().take(MAX_NOTES) {
        terminal.note(text);
    }
    if notes.len() > MAX_NOTES {
        terminal.note(&format!("and {} more notes; `--receipt FILE` has all", notes.len() - MAX_NOTES));
    }
}

/// The task that a flag names.
pub(super) fn task(masker: &Masker, source: &Source) -> Result<Task> {
    parsed(masker, source, &input::text(source, MAX_PACKET_BYTES)?)
}

fn parsed(masker: &Masker, source: &Source, text: &str) -> Result<Task> {
    Task::parse(masker, text).map_err(|error| unusable(source, &error.message))
}

/// The plan in folders: see [`plan_files`].
pub(super) fn plan(masker: &Masker, folders: &[PathBuf]) -> Result<Plan> {
    Plan::new(masker, plan_files(folders)?)
}

/// That a plan cannot be read, with the cause of `error`.
fn unreadable(message: String, error: Error) -> Error {
    let unreadable = Error::new(ErrorKind::UnreadableFile, message);
    match error.source {
        Some(source) => unreadable.because(source),
        None => unreadable,
    }
}

/// The files of a plan in folders, the first of which counts where two have a file of one name. No link is followed below a folder.
fn plan_files(folders: &[PathBuf]) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let mut files: Vec<(&'static str, Vec<u8>)> = Vec::new();
    for folder in folders {
        let refused = |error: Error| {
            let message = format!("the plan in `{}` cannot be read: {}", folder.display(), error.message);
            unreadable(message, error)
        };
        let unopened = |error: Error| {
            let message = format!("the plan folder `{}` cannot be opened", folder.display());
            unreadable(message, error)
        };
        let repo = Repo::open(folder).map_err(unopened)?;
        for name in plan::NAMES {
            let path = RepoPath::new(name).map_err(|why| Error::new(ErrorKind::UnreadableFile, why))?;
            if !files.iter().any(|(known, _)| *known == name) && repo.find(&path).map_err(refused)?.is_some() {
                files.push((name, repo.read(&path, plan::MAX_BYTES).map_err(refused)?));
            }
        }
    }
    Ok(files)
}

/// Answers a worker who asks for a file beyond its packet.
pub(super) fn permit(options: &PermitOptions, terminal: &Terminal) -> Result<Outcome> {
    let packet = received(&terminal.masker(), &options.packet)?;
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    let path = path_of(&options.path);
    let mut is_file = false;
    // Whatever is said of the path is masked with the secrets of the repository.
    let snapshot = snapshot(&engine, &watch, terminal);
    let mut permit = match own_path(&terminal.masker(), &path) {
        Err(why) => {
            let masker = terminal.masker();
            AccessRequest::denied(&masker, &path, masker.line(&format!("it is {why}")))
        }
        Ok(path) => {
            let snapshot = snapshot?;
            let activation = activate(&engine, &Request::new(intent(&packet, &snapshot.base)), &watch, terminal)?;
            is_file = activation.snapshot.base.file_at(path.as_str()).is_some();
            decide(&engine, &activation, &packet, &path, |file| {
                AccessRequest::decide(activation.masker(), &packet, file, &activation.snapshot.base, &activation.found)
            })
        }
    };
    watch.clear();
    let is_own = packet.files.iter().any(|file| file.as_str() == path);
    let asked = Asked { path: &path, is_file, granted: permit.granted };
    if let Some(file) = options.ledger.as_deref().filter(|_| !is_own) {
        permit.sign = record(terminal, file, &packet, asked)?;
    }
    if let Some(file) = options.task_graph.as_deref().filter(|_| !is_own) {
        let sign = flag(terminal, file, &packet, options.task.as_deref(), asked)?;
        permit.sign = permit.sign.or(sign);
    }
    write_result(|stdout| stdout.write_all(permit.json().as_bytes()))?;
    if let Some(sign) = permit.sign.as_ref().filter(|_| !options.repository.quiet) {
        terminal.note(sign.as_str());
    }
    Ok(if permit.granted { Outcome::Answered } else { Outcome::Refused })
}

/// The permit for a path, with the file's text where it is granted.
fn decide(
    engine: &Engine,
    activation: &Activation<'_>,
    packet: &Received,
    path: &RepoPath,
    decide: impl FnOnce(context::NodeId) -> AccessRequest,
) -> AccessRequest {
    let (snapshot, masker) = (&activation.snapshot, activation.masker());
    let denied = |reason| AccessRequest::denied(masker, path.as_str(), reason);
    let permit = snapshot.base.file_at(path.as_str()).map(decide);
    if permit.as_ref().is_some_and(|permit| !permit.granted) {
        return permit.unwrap_or_else(|| denied(Safe::default()));
    }
    match (engine.text_at(snapshot, masker, path), permit) {
        (Ok(Some(text)), Some(permit)) => permit.with(&text),
        (Err(error), _) => denied(masker.line(&error.message)),
        _ if packet.owns(path) => denied(Safe::fixed("it does not exist yet: the worker makes it")),
        _ => denied(Safe::fixed("there is no such file; a new file must stand in the task's list")),
    }
}

/// Records a request and says whether it is one too many.
fn record(terminal: &Terminal, file: &Path, packet: &Received, asked: Asked<'_>) -> Result<Option<Safe>> {
    let unwritten =
        |error| Error::new(ErrorKind::Storage, format!("the ledger `{}` cannot be written", file.display())).because(error);
    // Of two requests at once, the second must count the first.
    let mut held = store::held(file, system::private_file(OpenOptions::new().append(true).create(true))).map_err(unwritten)?;
    let known = input::text(&Source::File(file.to_owned()), MAX_PACKET_BYTES)?;
    let id = packet.id();
    let ledger = Ledger::parse(&known, &id);
    if ledger.n_unread > 0 {
        terminal.note(&format!(
            "warning: {} lines of the ledger `{}` are not requests and do not count",
            ledger.n_unread,
            file.display()
        ));
    }
    let path: String = asked.path.chars().take(MAX_PATH).collect();
    let request = ledger.next(&terminal.masker(), &id, Asked { path: &path, ..asked });
    // A line that was torn off must not swallow the next.
    let gap = if known.is_empty() || known.ends_with('\n') { "" } else { "\n" };
    let line = format!("{gap}{}", request.line());
    held.file.write_all(line.as_bytes()).map_err(unwritten)?;
    if !request.is_sign() {
        return Ok(None);
    }
    Ok(Some(sign(&terminal.masker(), request.n_files, &ledger.files(&request))))
}

/// That so many files were asked for that the task's list is likely incomplete.
fn sign(masker: &Masker, n_files: usize, files: &[String]) -> Safe {
    let shown: Vec<Safe> = files.iter().take(MAX_SHOWN).map(|file| masker.name(file)).collect();
    let (n, shown) = (Safe::number(n_files as i64), Safe::join(&shown, ", "));
    let sign = "{} files were asked for beyond the packet, so the task's list is likely incomplete; tell the planner: {}";
    let mut sign = Safe::format(sign, &[&n, &shown]);
    if n_files > MAX_SHOWN {
        sign.push(&Safe::fixed(" and more"));
    }
    sign
}

/// Writes a request into a task graph, in one step, and says whether it is one too many.
fn flag(terminal: &Terminal, file: &Path, packet: &Received, task: Option<&str>, asked: Asked<'_>) -> Result<Option<Safe>> {
    let masker = terminal.masker();
    let message = || format!("the task graph `{}` cannot be kept from others meanwhile", file.display());
    let unheld = |error| Error::new(ErrorKind::Storage, message()).because(error);
    // Of two requests at once, the second must see the first.
    let held = store::held(file, OpenOptions::new().read(true)).map_err(unheld)?;
    let text = input::text(&Source::File(file.to_owned()), MAX_PACKET_BYTES)?;
    let path: String = asked.path.chars().take(MAX_PATH).collect();
    let flagged = graph::flag(&masker, &text, packet, task, Asked { path: &path, ..asked })?;
    file::replace(file, &flagged.text)?;
    drop(held);
    Ok((!flagged.files.is_empty()).then(|| sign(&masker, flagged.files.len(), &flagged.files)))
}

/// Lists what was written that a packet does not declare.
pub(super) fn audit(options: &AuditOptions, terminal: &Terminal) -> Result<Outcome> {
    let packet = received(&terminal.masker(), &options.packet)?;
    let repo = Repo::open(&options.root.folder()?)?;
    let alternates = if options.follow_alternates { Alternates::Follow } else { Alternates::Refuse };
    let (git, problems) = repo.git(alternates);
    let refused = |why: &str| Error::new(ErrorKind::BadInput, format!("what was written cannot be told: {why}"));
    let git = git.ok_or_else(|| {
        refused(
            problems.first().map_or("this is not a git repository; name its root with `--repo DIR`", |problem| &problem.message),
        )
    })?;
    let is_new = git.head().map_err(|problem| refused(&problem.message))?.commit.is_none();
    let since = if is_new { None } else { Some(git.since(&options.base).map_err(|problem| refused(&problem.message))?) };
    let walk = repo.walk(&WalkOptions::default())?;
    // What a worker wrote may be the index, too.
    let changes = git.contents(&walk.files);
    // A list with holes would clear who is not.
    let unlisted = walk.problems.iter().filter(|_| walk.skipped.unlisted > 0);
    if let Some(problem) = changes.problems.iter().chain(unlisted).next() {
        return Err(refused(&problem.message));
    }
    // What files of the repository give away is masked in names of others. Where no facts can be had, there is nothing to learn.
    let engine = options.root.open()?;
    let _ = engine.snapshot();
    terminal.learn(&engine.masker());
    let (writes, n_declared) = writes(&terminal.masker(), &packet, &changes.changes, since.as_ref());
    let n_writes = writes.len();
    write_result(|stdout| {
        for write in &writes {
            writeln!(stdout, "{}: {}", write.path, Safe::join(&write.how, ", "))?;
        }
        if n_writes == 0 { writeln!(stdout, "ok: {n_declared} files written, all of them declared") } else { Ok(()) }
    })?;
    if !options.quiet {
        say_skipped(terminal, walk.skipped);
    }
    Ok(if writes.is_empty() { Outcome::Answered } else { Outcome::Refused })
}

/// Says what was not looked at.
fn say_skipped(terminal: &Terminal, skipped: Skipped) {
    let Skipped { ignored, links, .. } = skipped;
    if ignored + links > 0 {
        terminal.note(&format!(
            "not looked at: {ignored} ignored files or folders, and of {links} links those that git does not track"
        ));
    }
}

fn received(masker: &Masker, source: &Source) -> Result<Received> {
    Received::parse(masker, &input::text(source, MAX_PACKET_BYTES)?).map_err(|error| unusable(source, &error.message))
}
