//! `activate packet show|expand|trim|rebuild|read`: a pack that was sent, by its id: shown again, changed, or read from.

use crate::amount::lines;
use crate::exit::{Outcome, usage};
use crate::kinds::{PartOption, time};
use crate::learn::{activate, learn};
use crate::options::RepositoryOptions;
use crate::state::StateOptions;
use crate::terminal::{Terminal, write_result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use engine::Engine;
use error::{Error, ErrorKind, Result};
use packets::answer::{self, Answer, Asked, Kind, Packs, StoredPack, StoredPlace, answer};
use redact::Safe;
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use tokens::Tokenizer;

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

/// How the pack is written.
#[derive(Debug, Args)]
struct AnswerOption {
    /// How the pack is written
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = PossibleValuesParser::new(["json", "text"]))]
    format: String,
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
    answer: AnswerOption,
    #[command(flatten)]
    repository: RepositoryOptions,
}

#[derive(Debug, Args)]
pub(super) struct TrimOptions {
    #[command(flatten)]
    pack: PackOption,
    /// The most lines, such as 500 or 1.5k
    #[arg(long, value_name = "N", value_parser = lines(1, u32::MAX), allow_hyphen_values = true)]
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
    answer: AnswerOption,
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
    answer: AnswerOption,
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

pub(super) fn show(options: &ShowOptions, terminal: &Terminal) -> Result<Outcome> {
    let (state, pack) = options.pack.find()?;
    // What the repository gives away now may have been no secret when the pack was sent.
    let at = pack.asked.at.as_ref().map(|commit| format!("@{commit}")).unwrap_or_default();
    let folder = pack.asked.root.strip_suffix(&at).unwrap_or(&pack.asked.root);
    let masker = learn(terminal, Engine::open(folder), []);
    let packet = pack.sent(&masker)?;
    write_result(|stdout| stdout.write_all(packet.as_bytes()))?;
    let unwritten = answer::note(&terminal.masker(), &state, "show", &pack.pack_id, &pack.asked.intent, (pack.n_files(), 0));
    terminal.warn(unwritten.as_slice());
    Ok(Outcome::Answered)
}

pub(super) fn expand(options: &ExpandOptions, terminal: &Terminal) -> Result<Outcome> {
    let include = PartOption::parts(&options.include);
    if include.is_empty() && options.depth.is_none() && options.topk.is_none() {
        return Err(usage("say by what the pack is to grow: `--depth`, `--topk` or `--include`"));
    }
    let how = Change { verb: "expand", now: None, format: &options.answer.format, of_places: !include.is_empty() };
    change(terminal, &how, &options.pack, &options.repository, |asked| {
        asked.depth = options.depth.or(asked.depth);
        asked.topk = options.topk.or(asked.topk);
        let wanted = &mut asked.wanted;
        wanted.budgets.depth = options.depth.unwrap_or(wanted.budgets.depth);
        wanted.budgets.topk = options.topk.unwrap_or(wanted.budgets.topk);
        wanted.drop.retain(|part| !include.contains(part));
        wanted.include.extend(include);
    })
}

pub(super) fn trim(options: &TrimOptions, terminal: &Terminal) -> Result<Outcome> {
    let drop = PartOption::parts(&options.drop);
    let of_places = !drop.is_empty() || options.max_lines.is_some() || options.max_files.is_some();
    if !of_places && options.keep.is_empty() {
        return Err(usage("say what the pack is to lose: `--max-lines`, `--max-files` or `--drop`"));
    }
    let how = Change { verb: "trim", now: None, format: &options.answer.format, of_places };
    change(terminal, &how, &options.pack, &options.repository, |asked| {
        let wanted = &mut asked.wanted;
        wanted.budgets.max_lines = options.max_lines.unwrap_or(wanted.budgets.max_lines);
        wanted.budgets.max_files = options.max_files.unwrap_or(wanted.budgets.max_files);
        wanted.include.retain(|part| !drop.contains(part));
        wanted.drop.extend(drop);
        asked.pins.extend(options.keep.iter().cloned());
    })
}

pub(super) fn rebuild(options: &RebuildOptions, terminal: &Terminal) -> Result<Outcome> {
    let how = Change { verb: "rebuild", now: options.now.clone(), format: &options.answer.format, of_places: false };
    change(terminal, &how, &options.pack, &options.repository, |_| {})
}

/// Reads lines of a file as they were when the pack was made, or says that they are others now.
pub(super) fn read(options: &ReadOptions, terminal: &Terminal) -> Result<Outcome> {
    let (state, pack) = options.pack.find()?;
    let pack = pack.repeatable()?;
    let engine = open_again(&pack, &options.repository, terminal)?;
    let snapshot = engine.snapshot();
    terminal.learn(&engine.masker());
    let snapshot = snapshot?;
    let (place, lines) = find_place(&pack, &options.place)?;
    let is_gone = snapshot.base.file_at(&place.path).is_none();
    let text =
        engine.read_text(&snapshot, &place.path).map_err(|error| if is_gone { gone(&pack, place, error) } else { error })?;
    if answer::hash(&text) != place.hash {
        let message = format!(
            "`{}` changed since pack {} was made, so its lines may be others: `activate packet rebuild {}` makes the pack again",
            place.path,
            pack.pack_id,
            &pack.pack_id[..8]
        );
        return Err(Error::new(ErrorKind::Changed, message));
    }
    let (first, last) = lines;
    if first > text.n_lines().max(1) {
        let message = format!("`{}` has {} lines: there is no line {first} to read", place.path, text.n_lines());
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let end = last.min(first.saturating_add(MAX_READ - 1)).min(text.n_lines());
    let code = Safe::code(&text, first..=end, redact::LongLines::Cut);
    write_result(|stdout| stdout.write_all(code.as_str().as_bytes()))?;
    if end < last.min(text.n_lines()) {
        terminal.note(&format!("lines {first} to {end} of {first} to {last}: ask again from {}", end + 1));
    }
    let n_tokens = Tokenizer::default().count(code.as_str()).0;
    options.repository.warn(
        terminal,
        answer::note(&terminal.masker(), &state, "read", &pack.pack_id, &options.place, (1, n_tokens)).as_slice(),
    );
    Ok(Outcome::Answered)
}

/// That the file of a place was there when the pack was made.
fn gone(pack: &StoredPack, place: &StoredPlace, error: Error) -> Error {
    let message = format!(
        "`{}` is not a file of the repository any more, as it was when pack {} was made: `activate packet rebuild {}` makes the pack again",
        place.path,
        pack.pack_id,
        &pack.pack_id[..8]
    );
    Error::new(ErrorKind::Changed, message).because(error)
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

/// How a pack is changed.
struct Change<'a> {
    verb: &'static str,
    now: Option<String>,
    format: &'a str,
    /// Whether the wishes are about places, which a context pack does not have.
    of_places: bool,
}

/// Makes a pack again with other wishes, and says what changed.
fn change(
    terminal: &Terminal,
    how: &Change<'_>,
    option: &PackOption,
    repository: &RepositoryOptions,
    change: impl FnOnce(&mut Asked),
) -> Result<Outcome> {
    let (state, old) = option.find()?;
    let old = old.repeatable()?;
    if how.of_places && old.asked.wanted.kind == Kind::ContextPack {
        let message = format!(
            "pack {} is a context pack, which holds no files or lines to {}: ask for it again with `--max-items`, `--budget` or `--pin`",
            old.pack_id, how.verb
        );
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let mut asked = old.asked.clone();
    change(&mut asked);
    let wanted = &mut asked.wanted;
    wanted.include.dedup();
    wanted.drop.dedup();
    wanted.receipt = false;
    wanted.now = how.now.clone().or_else(|| wanted.now.take());
    let watch = repository.watch();
    let engine = open_again(&old, repository, terminal)?;
    let activation = activate(&engine, &asked.again()?, &watch, terminal)?;
    let new = answer(&activation, &asked.wanted)?;
    watch.clear();
    let text = if how.format == "text" { &new.text } else { &new.json };
    write_result(|stdout| stdout.write_all(text.as_bytes()))?;
    difference(&old, &new).lines().for_each(|line| terminal.note(line));
    let mut problems = answer::keep(&state, how.verb, &activation, &new);
    problems.extend(new.problems.iter().cloned());
    repository.warn(terminal, &problems);
    Ok(Outcome::Answered)
}

/// Opens the repository that a pack was made of, at its commit if it was made of one.
pub(crate) fn open_again(pack: &StoredPack, repository: &RepositoryOptions, terminal: &Terminal) -> Result<Engine> {
    let (masker, asked) = (terminal.masker(), &pack.asked);
    let engine = repository.open_as(asked.at.as_deref(), &asked.exclude)?;
    if masker.name(engine.root()) == masker.name(&asked.root) {
        return Ok(engine);
    }
    let message = format!(
        "pack {} was made of `{}`, not of `{}`: name that with `--repo`, or ask for a new pack here",
        pack.pack_id,
        asked.root,
        engine.root()
    );
    Err(Error::new(ErrorKind::BadInput, message))
}

/// What is different between two packs, for people.
fn difference(old: &StoredPack, new: &Answer) -> String {
    let told = |place: &StoredPlace| (format!("{}:{}-{}", place.path, place.lines.0, place.lines.1), place.hash.clone());
    let before: Vec<(String, String)> = old.places.iter().map(told).collect();
    let after: Vec<(String, String)> = new.places.iter().map(told).collect();
    if old.pack_id == new.pack_id {
        return format!("pack {} is as it was", new.pack_id);
    }
    let names = |list: &[(String, String)]| list.iter().map(|(name, _)| name.clone()).collect::<FxHashSet<String>>();
    let (known, now) = (names(&before), names(&after));
    let mut text = format!("pack {} takes the place of {}\n", new.pack_id, old.pack_id);
    let mut list = |what: &str, places: Vec<&String>| {
        // Writing to memory cannot fail.
        for place in places.iter().take(MAX_NAMED) {
            let _ = writeln!(text, "{what}: {place}");
        }
        if let Some(more) = places.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
            let _ = writeln!(text, "{what}: {more} more");
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
