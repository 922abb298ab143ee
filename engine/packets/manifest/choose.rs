//! Which lines of which files a pack points at: pins, then what is active, within the most files and lines.
//!
//! It works on places and numbers, and reads no file.

use super::PackBudgets;
use context::activation::{Activated, Active, Reason, hidden_lines};
use context::{Energy, NodeId, Pin, Tier};
use error::{Error, ErrorKind, Result};
use index::base::{FactBase, FileFlags};
use intent::Verb;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Lines of a file of which no definition is active: its head says what it is.
const HEAD_LINES: u32 = 60;
/// The most lines of one place: what is longer is read on by whoever needs it.
const MAX_PLACE: u32 = 200;
/// Tokens of a line, roughly, and which part of a pack's tokens one place of several definitions may have: what is joined enters or stays out
/// as a whole.
const LINE_TOKENS: u32 = 10;
const PLACE_PART: u32 = 4;
/// Which part of a pack's lines a file may have beyond its best place.
const FILE_PART: u32 = 5;
/// Lines between two places that are not worth two entries.
const MAX_GAP: u32 = 3;
/// The most files of tests or documents that are added for each file that is active.
const MAX_LINKED: usize = 3;
/// What documents beside code are called, in any case.
const DOCUMENT: &str = "readme";

/// Files that can be asked for, or left out, as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Documents.
    Docs,
    /// Tests.
    Tests,
}

/// A place that a pack could point at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: NodeId,
    /// First and last line, from 1; 0 to 0 for an empty file.
    pub lines: (u32, u32),
    /// The node that is the reason; the file itself where no definition is active.
    pub node: NodeId,
    /// Its score; none for a pin and for what is linked.
    pub score: Option<Energy>,
    /// How it came in.
    pub tier: PlaceTier,
}

/// How a place came into a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceTier {
    /// The caller named it.
    Pinned,
    /// It is active.
    Active(Tier),
    /// It tests or describes what is active, and that was asked for.
    Linked,
}

/// A place that was considered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The place.
    pub place: Place,
    /// The name of the limit that stopped it; none where it is in the pack.
    pub limit: Option<&'static str>,
}

/// What the caller wants besides budgets.
#[derive(Debug, Clone, Default)]
pub struct Wish<'a> {
    /// Parts that are added, though nothing makes them active.
    pub include: &'a [Part],
    /// Parts that are left out, but for pins.
    pub drop: &'a [Part],
}

/// The places of an activation in the order of the pack: which are within the budgets, and which are not. The best enter first, wherever they
/// stand.
///
/// # Errors
///
/// [`ErrorKind::BudgetTooSmall`] if the pins alone exceed the budgets.
pub fn choose(base: &FactBase, found: &Activated, pins: &[Pin], wish: &Wish<'_>, budgets: &PackBudgets) -> Result<Vec<Choice>> {
    let longest = (budgets.max_tokens / LINE_TOKENS / PLACE_PART).min(MAX_PLACE);
    let pins = merge(pins.iter().map(|pin| pinned(base, pin)).collect(), longest);
    let n_files = pins.iter().map(|pin| pin.file).collect::<FxHashSet<NodeId>>().len() as u32;
    let n_lines: u32 = pins.iter().map(n_lines).sum();
    if n_files > budgets.max_files || n_lines > budgets.max_lines {
        let message = format!(
            "the pins alone are {n_files} files with {n_lines} lines, more than the {} files and {} lines that may be in it: raise `--max-files` or `--max-lines`, or pin less",
            budgets.max_files, budgets.max_lines
        );
        return Err(Error::new(ErrorKind::BudgetTooSmall, message));
    }
    let unpinned = active(base, found, wish).into_iter().chain(linked(base, found, wish));
    let unpinned: Vec<Place> = unpinned.flat_map(|place| outside(place, &pins)).collect();
    let mut order: Vec<usize> = (0..unpinned.len()).collect();
    // Whoever is sent a failing test mends what it tests: other tests come after that.
    let is_aside = |at: &usize| unpinned[*at].tier != PlaceTier::Linked && is_other_test(base, found, &unpinned[*at]);
    order.sort_by_cached_key(|at| (is_aside(at), Reverse(unpinned[*at].score), *at));
    let mut room = Room {
        budgets: *budgets,
        files: pins.iter().map(|pin| pin.file).collect(),
        n_lines,
        longest,
        places: FxHashMap::default(),
    };
    let limits: FxHashMap<usize, &'static str> =
        order.into_iter().filter_map(|at| Some((at, room.take(&unpinned[at])?))).collect();
    let mut choices: Vec<Choice> = pins.into_iter().map(|place| Choice { place, limit: None }).collect();
    let mut left = Vec::new();
    for (at, place) in unpinned.into_iter().enumerate() {
        if let Some(limit) = limits.get(&at) {
            left.push(Choice { place, limit: Some(limit) });
        } else {
            // What was taken of a file is one list, in the place of the file's first.
            let taken = room.places.remove(&place.file).into_iter().flatten();
            let hidden = hidden(base, found, place.file);
            choices.extend(taken.flat_map(|place| outside(place, &hidden)).map(|place| Choice { place, limit: None }));
        }
    }
    choices.extend(left);
    Ok(choices)
}

/// The lines of a file that rules of the user hide, as places.
fn hidden(base: &FactBase, found: &Activated, file: NodeId) -> Vec<Place> {
    let place = |lines| Place { file, lines, node: file, score: None, tier: PlaceTier::Linked };
    hidden_lines(base, &found.derived, file).into_iter().map(place).collect()
}

/// What is used up.
struct Room {
    budgets: PackBudgets,
    files: FxHashSet<NodeId>,
    n_lines: u32,
    /// The most lines of places that are joined.
    longest: u32,
    /// By file what was taken, merged.
    places: FxHashMap<NodeId, Vec<Place>>,
}

impl Room {
    /// Takes a place, or says which limit it is beyond.
    fn take(&mut self, place: &Place) -> Option<&'static str> {
        if !self.files.contains(&place.file) && self.files.len() as u32 >= self.budgets.max_files {
            return Some("max-files");
        }
        let before = self.places.get(&place.file).map_or(&[][..], Vec::as_slice);
        let after = merge(before.iter().chain([place]).cloned().collect(), self.longest);
        let n_all = |places: &[Place]| places.iter().map(n_lines).sum::<u32>();
        let n_more = n_all(&after).saturating_sub(n_all(before));
        // One file must not crowd out the others, however much of it is active.
        if !before.is_empty() && n_all(&after) > self.budgets.max_lines / FILE_PART {
            return Some("file-lines");
        }
        if n_more > self.budgets.max_lines.saturating_sub(self.n_lines) {
            return Some("max-lines");
        }
        self.n_lines += n_more;
        self.files.insert(place.file);
        self.places.insert(place.file, after);
        None
    }
}

/// The parts of a place that no pin holds: its lines are shown once.
fn outside(place: Place, pins: &[Place]) -> Vec<Place> {
    let mut parts = vec![place];
    for pin in pins {
        let cut = |part: Place| {
            let (first, last) = part.lines;
            if pin.file != part.file || pin.lines.1 < first || last < pin.lines.0 {
                return vec![part];
            }
            let before = (first < pin.lines.0).then(|| Place { lines: (first, pin.lines.0 - 1), ..part.clone() });
            let after = (pin.lines.1 < last).then(|| Place { lines: (pin.lines.1 + 1, last), ..part.clone() });
            before.into_iter().chain(after).collect()
        };
        parts = parts.into_iter().flat_map(cut).collect();
    }
    parts
}

/// Lines of a place.
pub fn n_lines(place: &Place) -> u32 {
    let (first, last) = place.lines;
    if first == 0 { 0 } else { last + 1 - first }
}

fn pinned(base: &FactBase, pin: &Pin) -> Place {
    let n_lines = base.n_lines(pin.file);
    let (first, last) = pin.lines.unwrap_or((1, n_lines));
    let lines = (first.min(n_lines), last.min(n_lines));
    Place { file: pin.file, lines, node: pin.file, score: None, tier: PlaceTier::Pinned }
}

/// Whether a place is a test that the task neither names nor reports as failing, nor asks for.
fn is_other_test(base: &FactBase, found: &Activated, place: &Place) -> bool {
    let all = || found.symbols.iter().chain(&found.files);
    let is_meant = || {
        let active = all().find(|active| active.node == place.node);
        active.is_some_and(|active| matches!(active.reason, Reason::Named(_) | Reason::Failure(_)))
    };
    let asks = found.intent.wanted.tests || found.intent.verb == Verb::Test;
    !asks && base.flags(place.file).has(FileFlags::TEST) && !is_meant()
}

/// Which part a file belongs to, if any.
fn part(base: &FactBase, file: NodeId) -> Option<Part> {
    let flags = base.flags(file);
    if flags.has(FileFlags::TEST) { Some(Part::Tests) } else { flags.has(FileFlags::DOCUMENT).then_some(Part::Docs) }
}

/// The places of what is active: the best file first, in it the lines in order.
fn active(base: &FactBase, found: &Activated, wish: &Wish<'_>) -> Vec<Place> {
    let mut symbols: FxHashMap<NodeId, Vec<&Active>> = FxHashMap::default();
    for symbol in &found.symbols {
        symbols.entry(base.file_of(symbol.node)).or_default().push(symbol);
    }
    let mut places = Vec::new();
    let files = found.files.iter().filter(|file| part(base, file.node).is_none_or(|part| !wish.drop.contains(&part)));
    for file in files {
        let within = symbols.get(&file.node).map_or(&[][..], |symbols| symbols);
        let place = |symbol: &&Active| {
            let row = base.symbol(symbol.node)?;
            let first = row.first_line();
            let last = row.lines.1.min(first.saturating_add(MAX_PLACE - 1));
            Some(Place { lines: (first, last), score: Some(symbol.score), tier: PlaceTier::Active(symbol.tier), ..whole(file) })
                .map(|place| Place { node: symbol.node, ..place })
        };
        let mut of_file: Vec<Place> = within.iter().filter_map(place).collect();
        if of_file.is_empty() {
            of_file.push(head(base, &whole(file)));
        }
        places.extend(of_file);
    }
    places
}

/// A file as a place without lines.
fn whole(file: &Active) -> Place {
    Place { file: file.node, lines: (0, 0), node: file.node, score: Some(file.score), tier: PlaceTier::Active(file.tier) }
}

/// The first lines of a file.
fn head(base: &FactBase, place: &Place) -> Place {
    let n_lines = base.n_lines(place.file);
    Place { lines: (n_lines.min(1), n_lines.min(HEAD_LINES)), ..place.clone() }
}

/// Tests and documents of what is active, where they are asked for and not active themselves.
fn linked(base: &FactBase, found: &Activated, wish: &Wish<'_>) -> Vec<Place> {
    let mut known: FxHashSet<NodeId> = found.files.iter().map(|file| file.node).collect();
    let mut places = Vec::new();
    for file in &found.files {
        let mut beside: Vec<NodeId> = Vec::new();
        if wish.include.contains(&Part::Tests) {
            let symbols = base.symbols_of(file.node).map(NodeId);
            let tests = std::iter::once(file.node).chain(symbols).flat_map(|subject| base.tests_of(subject));
            beside.extend(tests.map(|(test, _)| base.file_of(test)));
        }
        if wish.include.contains(&Part::Docs) {
            let folder = base.path(file.node).rsplit_once('/').map_or("", |(folder, _)| folder);
            beside.extend(base.files().filter(|document| is_about(base.path(*document), folder)));
        }
        beside.retain(|node| !found.is_hidden(base, *node));
        beside.sort_unstable();
        beside.dedup();
        let linked = |node: NodeId| head(base, &Place { file: node, lines: (0, 0), node, score: None, tier: PlaceTier::Linked });
        places.extend(beside.into_iter().filter(|node| known.insert(*node)).take(MAX_LINKED).map(linked));
    }
    places
}

/// Whether a document describes a folder: it is the folder's own, or that of one above.
fn is_about(document: &str, folder: &str) -> bool {
    let (place, name) = document.rsplit_once('/').unwrap_or(("", document));
    let is_above = place.is_empty() || folder == place || folder.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'));
    is_above && name.get(..DOCUMENT.len()).is_some_and(|start| start.eq_ignore_ascii_case(DOCUMENT))
}

/// Whether two places, the first not behind the second, are one: they share lines, or touch and are of one tier and not too long together.
fn belong(place: &Place, next: &Place, longest: u32) -> bool {
    let touch = next.lines.0 <= place.lines.1.saturating_add(MAX_GAP);
    let is_short = next.lines.1.saturating_sub(place.lines.0) < longest;
    place.file == next.file && (next.lines.0 <= place.lines.1 || touch && is_short && place.tier == next.tier)
}

/// Places of one file after the other, each in the order of lines, those that belong together as one: it has the best score of them.
fn merge(places: Vec<Place>, longest: u32) -> Vec<Place> {
    let mut merged: Vec<Place> = Vec::new();
    let mut by_file: Vec<(NodeId, Vec<Place>)> = Vec::new();
    for place in places {
        match by_file.iter_mut().find(|(file, _)| *file == place.file) {
            Some((_, places)) => places.push(place),
            None => by_file.push((place.file, vec![place])),
        }
    }
    for (_, mut places) in by_file {
        places.sort_by_key(|place| place.lines);
        for place in places {
            match merged.last_mut().filter(|last| belong(last, &place, longest)) {
                Some(last) => {
                    last.lines.1 = last.lines.1.max(place.lines.1);
                    if place.score > last.score {
                        (last.score, last.node, last.tier) = (place.score, place.node, place.tier);
                    }
                }
                None => merged.push(place),
            }
        }
    }
    merged
}
