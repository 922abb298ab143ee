//! From what was chosen to the pack: text read and counted, signals gathered, the whole within its tokens.

use super::fit::{Fitted, PINNED, fit};
use super::spec::How;
use crate::manifest::{
    Choice, FileEntry, PackBudgets, PackPacket, Place, PlaceTier, SCHEMA, Signals, Used, Wish, choose, n_lines,
};
use context::git_state::GitState;
use context::packet::ID_DIGITS;
use context::packet::resolution::IntentResolution;
use context::packet::session::{Points, ProblemPacket};
use context::{NodeId, Pin, Tier};
use engine::{Activation, blackboard, usual_pins};
use error::{Problem, Result};
use index::base::{FactBase, FileFlags};
use redact::{LongLines, Redacted, Safe, Trust};
use repo::ChangeKind;
use std::collections::BTreeMap;
use tokens::Tokenizer;

/// The most signals of a kind; more are counted.
const MAX_SIGNALS: usize = 20;
/// Digits of a commit's hash that are shown.
const SHORT: usize = 8;
/// Why a pin is there.
const NAMED: &str = "named by the caller";
/// Why something is pinned that nobody named.
const TOLD: &str = "requirements, or what agents are told here";
/// Why something is there that only what was asked for brought in.
const ASKED: &str = "tests or describes what is active";

/// A pack with what it was chosen from.
#[derive(Debug, Clone)]
pub struct Pack {
    /// The pack.
    pub packet: PackPacket,
    /// What was considered, with why it is active and how far it can be trusted: what is in the pack, and what is not because of which limit.
    pub candidates: Vec<(Choice, Safe, Trust)>,
    /// What it does not know, as it says itself.
    pub problems: Vec<Problem>,
}

impl Pack {
    /// The pack of an activation.
    ///
    /// # Errors
    ///
    /// [`BudgetTooSmall`](error::ErrorKind::BudgetTooSmall) if the pins alone exceed the budgets.
    pub fn new(activation: &Activation<'_>, how: &How<'_>) -> Result<Self> {
        let PackBudgets { max_files, max_lines, max_tokens, .. } = how.budgets;
        let room = format!("{max_files} files, {max_lines} lines and {max_tokens} tokens");
        activation.with_pins(&room, |pins, problems| Self::with_pins(activation, how, pins, problems.to_vec()))
    }

    /// The pack with these pins: those that were named, then those of rules.
    fn with_pins(activation: &Activation<'_>, how: &How<'_>, pins: &[Pin], mut problems: Vec<Problem>) -> Result<Self> {
        let (base, masker) = (&activation.snapshot.base, activation.masker());
        let wish = Wish { include: how.include, drop: how.drop };
        let own = if how.auto_pins { own_pins(base, pins, &how.budgets, &mut problems) } else { Vec::new() };
        let of_rules = &pins[activation.named_pins().len()..];
        let files = |pins: &[Pin]| pins.iter().map(|pin| pin.file).collect::<Vec<NodeId>>();
        let mut unnamed = Unnamed { own: files(&own), of_rules: files(of_rules) };
        unnamed.of_rules.retain(|file| activation.named_pins().iter().all(|pin| pin.file != *file));
        let pins = [pins, &own].concat();
        let mut choices = choose(base, &activation.found, &pins, &wish, &how.budgets)?;
        let git = activation.git_state();
        let nodes: Vec<NodeId> = choices.iter().map(|choice| choice.place.node).collect();
        let reasons = activation.reasons(&git, &nodes);
        let mut entries = Vec::new();
        for (choice, reason) in choices.iter_mut().zip(&reasons).filter(|(choice, _)| choice.limit.is_none()) {
            match entry(activation, &git, &choice.place, reason, &unnamed, how.tokenizer) {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    problems.push(Problem::at("read", base.path(choice.place.file), error.to_string()));
                    choice.limit = Some("unreadable");
                }
            }
        }
        let request = activation.request();
        let safe = |text: &String| masker.line(text);
        let mut packet = PackPacket {
            schema: SCHEMA,
            pack_id: String::new(),
            task_id: how.names.task_id.as_ref().map(safe),
            run_id: how.names.run_id.as_ref().map(safe),
            mode: how.mode,
            intent: masker.line(&request.intent),
            aim: IntentResolution::new(masker, base, &activation.found.intent).brief(),
            pinned_sources: request
                .pins
                .iter()
                .cloned()
                .chain(of_rules.iter().chain(&own).map(|pin| match pin.lines {
                    Some((first, last)) => format!("{}:{first}-{last}", base.path(pin.file)),
                    None => base.path(pin.file).to_owned(),
                }))
                .map(|pin| masker.name(&pin))
                .collect(),
            file_entries: entries,
            signals: signals(activation, &git),
            budgets: how.budgets,
            used: Used::default(),
            redaction_stats: BTreeMap::new(),
            problems: problems.iter().map(|problem| ProblemPacket::new(masker, problem)).collect(),
        };
        let n_left = choices.iter().filter(|choice| choice.limit.is_some()).count();
        let Fitted { stays, problem } = fit(masker, &mut packet, how, n_left)?;
        problems.extend(problem);
        let unlimited = choices.iter_mut().filter(|choice| choice.limit.is_none());
        for (choice, _) in unlimited.zip(stays).filter(|(_, stays)| !stays) {
            choice.limit = Some("max-tokens");
        }
        let trusts: Vec<Trust> = choices.iter().map(|choice| trust(activation, &git, &choice.place, &unnamed)).collect();
        let candidates = choices.into_iter().zip(reasons).zip(trusts).map(|((choice, reason), trust)| (choice, reason, trust));
        Ok(Self { packet, candidates: candidates.collect(), problems })
    }
}

/// The most of a pack's files and lines, as a divisor, that it pins by itself.
const OWN_PART: u32 = 4;

/// What the pack pins by itself: the requirements and what agents are told, as far as they leave room for the task.
fn own_pins(base: &FactBase, named: &[Pin], budgets: &PackBudgets, problems: &mut Vec<Problem>) -> Vec<Pin> {
    let lines_of = |pin: &Pin| pin.lines.map_or(base.n_lines(pin.file), |(first, last)| last - first + 1);
    let n_named: u32 = named.iter().map(lines_of).sum();
    let bytes_named: u64 = named.iter().map(|pin| base.size(pin.file)).sum();
    let (mut n_lines, mut n_bytes, mut own) = (0, 0, Vec::new());
    for pin in usual_pins(base).into_iter().filter(|pin| !named.iter().any(|other| other.file == pin.file)) {
        let (lines, bytes) = (lines_of(&pin), base.size(pin.file));
        // A token has four bytes, roughly, and a quarter of them may go here; what the caller names comes first.
        let fits = n_lines + lines <= budgets.max_lines / OWN_PART
            && n_bytes + bytes <= u64::from(budgets.max_tokens)
            && (own.len() as u32) < budgets.max_files.div_ceil(OWN_PART)
            && (n_named + n_lines + lines) * 2 <= budgets.max_lines
            && bytes_named + n_bytes + bytes <= u64::from(budgets.max_tokens) * 2
            && named.len() as u32 * 2 <= budgets.max_files;
        if fits && !base.flags(pin.file).has(FileFlags::BINARY) {
            (n_lines, n_bytes) = (n_lines + lines, n_bytes + bytes);
            own.push(pin);
        } else {
            let what = format!("not pinned, since the pack has no room for its {lines} lines: `--pin` pins it, or lines of it");
            problems.push(Problem::at("pins", base.path(pin.file), what));
        }
    }
    own
}

/// The files that are pinned though nobody named them.
struct Unnamed {
    /// By the pack itself.
    own: Vec<NodeId>,
    of_rules: Vec<NodeId>,
}

fn entry(
    activation: &Activation<'_>,
    git: &GitState,
    place: &Place,
    reason: &Safe,
    unnamed: &Unnamed,
    tokenizer: Tokenizer,
) -> Result<FileEntry> {
    let base = &activation.snapshot.base;
    let (first, last) = place.lines;
    let text = activation.text(place.file)?;
    let lines = if n_lines(place) == 0 { Safe::default() } else { Safe::code(&text, first..=last, LongLines::Cut) };
    let path = base.path(place.file);
    Ok(FileEntry {
        path: activation.masker().name(path),
        why: match place.tier {
            PlaceTier::Pinned if unnamed.own.contains(&place.file) => Safe::fixed(TOLD),
            PlaceTier::Pinned if unnamed.of_rules.contains(&place.file) => {
                of_rule(activation, place).unwrap_or(Safe::fixed(NAMED))
            }
            PlaceTier::Pinned => Safe::fixed(NAMED),
            PlaceTier::Linked => Safe::fixed(ASKED),
            PlaceTier::Active(_) => reason.clone(),
        },
        range: place.lines,
        hash: hash(&text),
        score: place.score.map(Points::from),
        tier: match place.tier {
            PlaceTier::Pinned => PINNED,
            PlaceTier::Linked => "linked",
            PlaceTier::Active(tier) => Tier::name(tier),
        },
        trust: trust(activation, git, place, unnamed).label(),
        tokens: tokenizer.count(lines.as_str()).0,
        text: Some(lines),
    })
}

/// The rule of the user that pins a place, or a part of it.
fn of_rule(activation: &Activation<'_>, place: &Place) -> Option<Safe> {
    let (base, custom) = (&activation.snapshot.base, &activation.found.custom);
    let is_in = |pin: Pin| {
        let (first, last) = pin.lines.unwrap_or((1, base.n_lines(pin.file)));
        pin.file == place.file && place.lines.0 <= first && last <= place.lines.1
    };
    let (_, rule) = custom.pins.iter().find(|(node, _)| Pin::of(base, *node).is_some_and(is_in))?;
    Some(Safe::format("rule {}", &[&activation.masker().name(custom.place(*rule))]))
}

/// The hash of a file's content as packs have it: of what may be seen of it, since a short secret could be guessed by its hash.
pub fn hash(text: &Redacted) -> String {
    format!("{:0ID_DIGITS$x}", text.hash())
}

/// How far a place can be trusted: the caller vouches for what it names, for all else who wrote the file.
fn trust(activation: &Activation<'_>, git: &GitState, place: &Place, unnamed: &Unnamed) -> Trust {
    let (base, file) = (&activation.snapshot.base, place.file);
    if place.tier == PlaceTier::Pinned && !unnamed.own.contains(&file) && !unnamed.of_rules.contains(&file) {
        Trust::Trusted
    } else if base.flags(file).has(FileFlags::GENERATED) {
        Trust::Generated
    } else if git.tracks(base.path(file)) {
        Trust::Tracked
    } else {
        Trust::Untracked
    }
}

fn signals(activation: &Activation<'_>, git: &GitState) -> Signals {
    let (base, masker) = (&activation.snapshot.base, activation.masker());
    let mut n_left_out = 0;
    let mut first = |mut list: Vec<Safe>| {
        n_left_out += list.len().saturating_sub(MAX_SIGNALS) as u32;
        list.truncate(MAX_SIGNALS);
        list
    };
    let request = activation.request();
    let failing = activation.failures.tests.iter().map(|test| masker.line(&test.result.name));
    let failing = failing.chain(request.state.failing_tests.iter().map(|name| masker.line(name)));
    let change = |change: &repo::Change| {
        let kind = match &change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Untracked => "untracked",
            ChangeKind::Modified => "modified",
            ChangeKind::Deleted => "deleted",
            ChangeKind::Renamed { .. } => "renamed",
        };
        Safe::format("{} {}", &[&Safe::fixed(kind), &masker.name(change.path.as_str())])
    };
    let commit = |commit: &&context::git_state::CommitLine| {
        let sha = commit.sha.get(..SHORT).unwrap_or(&commit.sha);
        Safe::format("{} {}", &[&masker.name(sha), &masker.line(&commit.subject)])
    };
    let unique = |list: Vec<Safe>| {
        let mut seen = rustc_hash::FxHashSet::default();
        list.into_iter().filter(|text| seen.insert(text.clone())).collect::<Vec<_>>()
    };
    let logs = blackboard::lines(masker, base, &activation.failures)
        .into_iter()
        .chain(request.state.current_diagnostics.iter().cloned());
    let signals = Signals {
        failing_tests: first(unique(failing.collect())),
        logs: first(unique(logs.map(|line| masker.line(&line)).collect())),
        diff_summary: first(activation.snapshot.changes.iter().map(change).collect()),
        recent_commits: first(git.commits.iter().collect::<Vec<_>>().iter().map(commit).collect()),
        n_left_out: 0,
    };
    Signals { n_left_out, ..signals }
}
