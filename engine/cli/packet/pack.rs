//! `activate packet show|expand|trim|rebuild|read`: a pack that was sent, by its id: shown again, changed, or read from.
//!
//! Must not decide what a pack holds.

use crate::answer::{self, Answer, Names, Wanted, answer};
use crate::cli::exit::Outcome;
use crate::cli::kinds::{PartOption, kind_of, time};
use crate::cli::options::{RepositoryOptions, activate};
use crate::cli::state::{StateOptions, kept, noted};
use crate::cli::terminal::{note, warn, write_result};
use crate::context::redact::Safe;
use crate::context::state::SessionState;
use crate::context::tokens::Tokenizer;
use crate::error::{Error, ErrorKind, Result};
use crate::packet::context_pack::ContextPackBudgets;
use crate::packet::store::Packs;
use crate::packet::stored::{Asked, StoredPack, StoredPlace};
use crate::request::Request;
use clap::Args;
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// The most lines that one call reads.
const MAX_READ: u32 = 2_000;
/// Places that are named of what changed; more are counted.
const MAX_NAMED: usize = 20;

/// Which pack, and where.
#[derive(Debug, Args)]
pub(super) struct PackOption {
    /// Its id, or the first digits of it
    #[arg(value_name = "PACK")]
    id: String,
    #[command(flatten)]
    state: StateOptions,
}

#[derive(Debug, Args)]
pub(super) struct ShowOptions {
    #[command(flatten)]
    pack: PackOption,
}

#[derive(Debug, Args)]
pub(super) struct ExpandOptions {
    #[command(flatten)]
    pack: PackOption,
    /// The most links between what the intent names and what the pack reaches
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=10))]
    depth: Option<u8>,
    /// The most places at which words of the intent let activation start
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    topk: Option<u32>,
    /// Add tests or documents of what is active
    #[arg(long, value_name = "PART", value_enum)]
    include: Vec<PartOption>,
    #[command(flatten)]
    repository: RepositoryOptions,
}

#[derive(Debug, Args)]
pub(super) struct TrimOptions {
    #[command(flatten)]
    pack: PackOption,
    /// The most lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_lines: Option<u32>,
    /// The most files
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_files: Option<u32>,
    /// Leave out tests or documents
    #[arg(long, value_name = "PART", value_enum)]
    drop: Vec<PartOption>,
    /// Keep this file whatever the budget is; can be given more than once
    #[arg(long, value_name = "PATH")]
    keep: Vec<String>,
    #[command(flatten)]
    repository: RepositoryOptions,
}

#[derive(Debug, Args)]
pub(super) struct RebuildOptions {
    #[command(flatten)]
    pack: PackOption,
    /// The time to write into the pack [default: that of the last commit]
    #[arg(long, value_name = "TIME", value_parser = time)]
    now: Option<String>,
    #[command(flatten)]
    repository: RepositoryOptions,
}

#[derive(Debug, Args)]
pub(super) struct ReadOptions {
    #[command(flatten)]
    pack: PackOption,
    /// A path of the pack, with lines or without (`a/b.go:10-20`), or a reference of one of its items
    #[arg(value_name = "PATH[:A-B]|REFERENCE")]
    place: String,
    #[command(flatten)]
    repository: RepositoryOptions,
}

pub(super) fn show(options: &ShowOptions) -> Result<Outcome> {
    let (state, pack) = options.pack.find()?;
    write_result(|stdout| stdout.write_all(pack.packet.as_bytes()))?;
    let unwritten = noted(&state, "show", &pack.pack_id, &pack.asked.intent, (pack.places.len() as u32, 0));
    warn(unwritten.as_slice());
    Ok(Outcome::Answered)
}

pub(super) fn expand(options: &ExpandOptions) -> Result<Outcome> {
    change("expand", &options.pack, &options.repository, None, |asked| {
        let budgets = &mut asked.budgets;
        budgets.depth = options.depth.unwrap_or(budgets.depth);
        budgets.topk = options.topk.unwrap_or(budgets.topk);
        let include = PartOption::parts(&options.include);
        asked.drop.retain(|part| !include.contains(part));
        asked.include.extend(include);
    })
}

pub(super) fn trim(options: &TrimOptions) -> Result<Outcome> {
    change("trim", &options.pack, &options.repository, None, |asked| {
        let budgets = &mut asked.budgets;
        budgets.max_lines = options.max_lines.unwrap_or(budgets.max_lines);
        budgets.max_files = options.max_files.unwrap_or(budgets.max_files);
        let drop = PartOption::parts(&options.drop);
        asked.include.retain(|part| !drop.contains(part));
        asked.drop.extend(drop);
        asked.pins.extend(options.keep.iter().cloned());
    })
}

pub(super) fn rebuild(options: &RebuildOptions) -> Result<Outcome> {
    change("rebuild", &options.pack, &options.repository, options.now.clone(), |_| {})
}

/// Reads lines of a file as they were when the pack was made, or says that they are others now.
pub(super) fn read(options: &ReadOptions) -> Result<Outcome> {
    let (state, pack) = options.pack.find()?;
    let engine = options.repository.open()?;
    let snapshot = engine.snapshot()?;
    let (place, lines) = find_place(&pack, &options.place)?;
    let text = engine.read_text(&snapshot, &place.path)?;
    if answer::hash(&text) != place.hash {
        let message = format!(
            "`{}` changed since pack {} was made, so its lines may be others: `activate packet rebuild {}` makes the pack anew",
            place.path,
            pack.pack_id,
            &pack.pack_id[..8]
        );
        return Err(Error::new(ErrorKind::Changed, message));
    }
    let (first, last) = lines;
    let end = last.min(first.saturating_add(MAX_READ - 1)).min(text.n_lines());
    let code = Safe::code(&text, first..=end, crate::context::redact::LongLines::Cut);
    write_result(|stdout| stdout.write_all(code.as_str().as_bytes()))?;
    if end < last.min(text.n_lines()) {
        note(&format!("lines {first} to {end} of {first} to {last}: ask again from {}", end + 1));
    }
    let n_tokens = Tokenizer::default().count(code.as_str()).0;
    options.repository.warn(noted(&state, "read", &pack.pack_id, &options.place, (1, n_tokens)).as_slice());
    Ok(Outcome::Answered)
}

/// The place that is meant, and its lines.
fn find_place<'a>(pack: &'a StoredPack, wanted: &str) -> Result<(&'a StoredPlace, (u32, u32))> {
    if let Some(place) = pack.places.iter().find(|place| place.reference == wanted) {
        return Ok((place, place.lines));
    }
    let (path, lines) = match wanted.rsplit_once(':') {
        Some((path, lines)) if lines.starts_with(|c: char| c.is_ascii_digit()) => (path, Some(lines)),
        _ => (wanted, None),
    };
    let refused =
        |why: &str| Error::new(ErrorKind::BadInput, format!("`{wanted}` cannot be read from pack {}: {why}", pack.pack_id));
    let Some(place) = pack.places.iter().find(|place| place.path == path.trim_start_matches("./")) else {
        return Err(refused("it has no such file and no such reference; `activate packet show` lists them"));
    };
    let Some(lines) = lines else {
        let of_file = || pack.places.iter().filter(|other| other.path == place.path).map(|other| other.lines);
        return Ok((
            place,
            (of_file().map(|lines| lines.0).min().unwrap_or(1), of_file().map(|lines| lines.1).max().unwrap_or(1)),
        ));
    };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok((place, (first, last))),
        _ => Err(refused("give lines as `first-last`, counted from 1")),
    }
}

/// Makes a pack anew with other wishes, and says what changed.
fn change(
    verb: &'static str,
    option: &PackOption,
    repository: &RepositoryOptions,
    now: Option<String>,
    change: impl FnOnce(&mut Asked),
) -> Result<Outcome> {
    let (state, old) = option.find()?;
    let mut asked = old.asked.clone();
    change(&mut asked);
    asked.include.dedup();
    asked.drop.dedup();
    let kind = kind_of(asked.mode);
    let watch = repository.watch();
    let engine = repository.open()?;
    let known = SessionState {
        current_diagnostics: asked.diagnostics.clone(),
        failing_tests: asked.failing_tests.clone(),
        ..SessionState::default()
    };
    let request = Request {
        state: known,
        depth: asked.mode.map(|_| asked.budgets.depth),
        topk: asked.mode.map(|_| asked.budgets.topk),
        pins: asked.pins.clone(),
        ..Request::new(asked.intent.clone())
    };
    let activation = activate(&engine, &request, &watch)?;
    let wanted = Wanted {
        tokens: asked.budgets.max_tokens,
        max_items: ContextPackBudgets::default().max_items,
        budgets: asked.budgets,
        include: asked.include.clone(),
        drop: asked.drop.clone(),
        names: Names { task_id: asked.task_id.clone(), run_id: asked.run_id.clone() },
        now,
        ..Wanted::new(kind)
    };
    let new = answer(&activation, &wanted)?;
    watch.clear();
    write_result(|stdout| stdout.write_all(new.json.as_bytes()))?;
    difference(&old, &new).lines().for_each(note);
    let mut problems = kept(&state, verb, &new);
    problems.extend(new.problems.iter().cloned());
    repository.warn(&problems);
    Ok(Outcome::Answered)
}

/// What is different between two packs, for people.
fn difference(old: &StoredPack, new: &Answer) -> String {
    let places = |pack: &StoredPack| -> Vec<(String, String)> {
        pack.places
            .iter()
            .map(|place| (format!("{}:{}-{}", place.path, place.lines.0, place.lines.1), place.hash.clone()))
            .collect()
    };
    let (before, after) = (places(old), new.stored.as_ref().map(places).unwrap_or_default());
    if old.pack_id == new.pack_id {
        return format!("pack {} is as it was", new.pack_id);
    }
    let names = |list: &[(String, String)]| list.iter().map(|(name, _)| name.clone()).collect::<FxHashSet<String>>();
    let (known, now) = (names(&before), names(&after));
    let mut text = format!("pack {} takes the place of {}\n", new.pack_id, old.pack_id);
    let mut list = |what: &str, places: Vec<&String>| {
        if !places.is_empty() {
            let more = places.len().saturating_sub(MAX_NAMED);
            let listed: Vec<&str> = places.iter().take(MAX_NAMED).map(|place| place.as_str()).collect();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            // Writing to memory cannot fail.
            let _ = writeln!(text, "{what}: {}{more}", listed.join(", "));
        }
    };
    list("new", after.iter().map(|(name, _)| name).filter(|name| !known.contains(*name)).collect());
    list("gone", before.iter().map(|(name, _)| name).filter(|name| !now.contains(*name)).collect());
    let is_changed = |(name, hash): &&(String, String)| before.iter().any(|(other, old)| other == name && old != hash);
    list("changed on disk", after.iter().filter(is_changed).map(|(name, _)| name).collect());
    text
}

impl PackOption {
    /// The state folder and the pack in it.
    fn find(&self) -> Result<(std::path::PathBuf, StoredPack)> {
        let state = self.state.folder()?;
        let pack = Packs::at(&state).find(&self.id)?;
        Ok((state, pack))
    }
}
