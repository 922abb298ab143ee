//! The part of section 3 about a change that is reviewed: its files, what it took away that is used, its hunks, and what is not in it.
//!
//! Takes lines from masked text only. Must not read files or git: what a change does is given.

use super::code::is_told;
use super::{Entry, Safe, View, more};
use crate::activation::Passage;
use crate::fill::{Cut, Group};
use crate::pieces::{About, Block, Piece as Part};
use crate::reason::{local_name, name};
use crate::worth::{Worth, Worths};
use activate_rules::atoms::NodeId;
use index::base::SymbolKind;
use redact::{LongLines, Trust};
use review::{ChangedFile, ChangedKind, ModeChange, Piece, Removed, Review, Row, Sign};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use tokens::Tokens;

/// The most folders by which files that are not named are counted: as many lines as a screen has.
const MAX_FOLDERS: usize = 40;
/// The most names of such a folder.
const MAX_DEPTH: usize = 8;
/// The most definitions that went and are used, and the most places that are named of each.
const MAX_REMOVED: usize = 12;
const MAX_USES: usize = 4;
/// The most files that are missed in the change.
const MAX_PARTNERS: usize = 8;
/// The most rows of a piece that is shown with the next, and the most names above both.
const MAX_SMALL: usize = 8;
const MAX_NAMES: usize = 3;
/// Rows of a piece, where there is room and where there is less: only how long a form is. The first is longer than nearly every function that
/// people write.
const ROWS: [usize; 5] = [160, 60, 30, 14, 6];
/// Rows of what goes with its file: that it goes is what matters.
const ROWS_OF_GONE: [usize; 2] = [14, 6];
/// Turns of what comes first: behind failures, names before uses before hunks.
const NAMES: usize = 10_000;
const USES: usize = 20_000;
const HUNKS: usize = 30_000;

/// The lists about the change, in the order of the text; none where none is reviewed.
pub(super) fn groups(view: &View<'_>) -> Vec<Group> {
    let Some(review) = view.sources.review.filter(|review| !review.files.is_empty()) else { return Vec::new() };
    let counter = view.counter;
    let (n_added, n_removed) = review.n_lines();
    // A patch can name a file several times.
    let paths: BTreeSet<&str> = review.files.iter().map(|file| file.path.as_str()).collect();
    let n_files = Safe::number(paths.len() as i64);
    let pieces = [&view.masker.name(&review.name), &n_files, &Safe::number(n_added), &Safe::number(n_removed)];
    let heading = Safe::format("CHANGED FILES ({}: {} files, +{} -{}):", &pieces);
    let mut files = Group::plain(counter, files(view, review), more("files"));
    files.heading = Some(counter.form(vec![Part::Line(Safe::default()), Part::Line(heading)]));
    let removed = Group::new(counter, "REMOVED AND STILL USED:", removed(view, review), more("definitions"));
    let cut = Cut { indent: "", noun: "hunks", how: "raise the budget" };
    let mut hunks = Group::new(counter, "CHANGED CODE:", hunks(view, review), cut);
    hunks.are_passages = true;
    let partners = Group::new(counter, "USUALLY CHANGED TOO, NOT IN THIS DIFF:", partners(view, review), more("files")).quiet();
    vec![files, removed, hunks, partners]
}

/// `  - path (+12 -3)`, source first; those that are not named are counted by folder.
fn files(view: &View<'_>, review: &Review) -> Vec<Entry> {
    let n_named = (view.activation.weights.change.named as usize).min(review.files.len());
    let entry = |(at, file): (usize, &ChangedFile)| {
        let path = view.masker.name(&file.path);
        let (n_added, n_removed) = (Safe::number(file.n_added), Safe::number(file.n_removed));
        let why = match (file.kind, &file.from) {
            (ChangedKind::Added, _) => Safe::format("new, +{}", &[&n_added]),
            (ChangedKind::Deleted, _) => Safe::format("deleted, -{}", &[&n_removed]),
            (ChangedKind::Binary, _) => Safe::fixed("no text"),
            (ChangedKind::Large, _) => Safe::fixed("too large to show"),
            (ChangedKind::Renamed, Some(from)) => {
                Safe::format("moved from {}, +{} -{}", &[&view.masker.name(from), &n_added, &n_removed])
            }
            (ChangedKind::Renamed | ChangedKind::Modified, _) => Safe::format("+{} -{}", &[&n_added, &n_removed]),
        };
        let why = match file.mode {
            None => why,
            Some(ModeChange::Is(mode)) => Safe::format("{}, {}", &[&why, &Safe::fixed(mode.word())]),
            Some(ModeChange::To(old, new)) => {
                Safe::format("{}, {} to {}", &[&why, &Safe::fixed(old.word()), &Safe::fixed(new.word())])
            }
        };
        let active = file.file.and_then(|file| view.active(file));
        let about = About {
            kind: "changed_file",
            id: Some(path.clone()),
            path: Some(path.clone()),
            score: active.map(|active| active.score),
            reason: Some(Safe::format("changed in the diff: {}", &[&why])),
            trust: Some(trust(view, file)),
            ..About::default()
        };
        Entry::line(view.counter, about, Safe::format("  - {} ({})", &[&path, &why])).worth(Worth::URGENT).in_turn(NAMES + at)
    };
    let rest = folders(&review.files[n_named..]).into_iter().enumerate().map(|(at, (folder, files))| {
        let count = |of: fn(&ChangedFile) -> u32| Safe::number(files.iter().map(|file| of(file)).fold(0, u32::saturating_add));
        let (n_added, n_removed) = (count(|file| file.n_added), count(|file| file.n_removed));
        let n_files = Safe::number(files.len() as i64);
        let line = Safe::format("  - {}: {} more files (+{} -{})", &[&view.masker.name(&folder), &n_files, &n_added, &n_removed]);
        let about = About {
            kind: "changed_folder",
            id: Some(view.masker.name(&folder)),
            reason: Some(Safe::fixed("files that are changed in the diff")),
            trust: Some(Trust::Untracked),
            ..About::default()
        };
        Entry::line(view.counter, about, line).worth(Worth::URGENT).in_turn(NAMES + n_named + at)
    });
    review.files[..n_named].iter().enumerate().map(entry).chain(rest).collect()
}

/// Files by their folders, `src/x/`; by fewer of the folders above where they are too many, and the last of them together.
fn folders(files: &[ChangedFile]) -> Vec<(String, Vec<&ChangedFile>)> {
    let depth = |file: &ChangedFile| file.path.matches('/').count();
    let by = |depth: usize| {
        let mut folders: BTreeMap<String, Vec<&ChangedFile>> = BTreeMap::new();
        for file in files {
            let (folder, _) = file.path.rsplit_once('/').unwrap_or((".", ""));
            let names: Vec<&str> = folder.split('/').take(depth).collect();
            folders.entry(names.join("/") + "/").or_default().push(file);
        }
        folders
    };
    let deepest = files.iter().map(depth).max().unwrap_or_default().clamp(1, MAX_DEPTH);
    let found = (1..=deepest).rev().map(by).find(|folders| folders.len() <= MAX_FOLDERS);
    let mut folders: Vec<_> = found.unwrap_or_else(|| by(1)).into_iter().collect();
    if folders.len() > MAX_FOLDERS {
        let rest = folders.split_off(MAX_FOLDERS - 1);
        folders.push(("other folders".to_owned(), rest.into_iter().flat_map(|(_, files)| files).collect()));
    }
    folders
}

/// `  - Store.Close (method, was store.go:12): used at a.go:3, b.go:14 (+2 more)`.
fn removed(view: &View<'_>, review: &Review) -> Vec<Entry> {
    let entry = |(at, removed): (usize, &Removed)| {
        let place = |(file, line): &(NodeId, u32)| Safe::format("{}:{}", &[&view.path(*file), &Safe::number(*line)]);
        let uses = Safe::join(&removed.uses.iter().take(MAX_USES).map(place).collect::<Vec<_>>(), ", ");
        let n_left = removed.n_uses.saturating_sub(MAX_USES);
        let uses = if n_left == 0 { uses } else { Safe::format("{} (+{} more)", &[&uses, &Safe::number(n_left as i64)]) };
        let (name, path, line) = (view.masker.name(&removed.name), view.masker.name(&removed.path), Safe::number(removed.line));
        let text = Safe::format("  - {} ({}, was {}:{}): used at {}", &[&name, &Safe::fixed(removed.kind), &path, &line, &uses]);
        let about = About {
            kind: "removed_use",
            id: Some(Safe::format("{}#{}", &[&path, &name])),
            path: removed.uses.first().map(|(file, _)| view.path(*file)),
            lines: removed.uses.first().map(|(_, line)| (*line, *line)),
            reason: Some(Safe::fixed("the diff takes it away, and its name is used")),
            trust: Some(Trust::Untracked),
            ..About::default()
        };
        Entry::line(view.counter, about, text).worth(Worth::URGENT).in_turn(USES + at)
    };
    review.removed.iter().take(MAX_REMOVED).enumerate().map(entry).collect()
}

/// `  - path (changed with store.go in 7 of 9 commits)`.
fn partners(view: &View<'_>, review: &Review) -> Vec<Entry> {
    let worth = Worths::all().part(view.activation.weights.packing.test);
    let entry = |(at, partner): (usize, &index::history::Partner)| {
        let path = view.path(partner.file);
        let pieces = [&name(view, partner.with), &Safe::number(partner.n_both), &Safe::number(partner.n_all)];
        let why = Safe::format("changed with {} in {} of {} commits", &pieces);
        let about = About {
            kind: "missing_change",
            id: Some(path.clone()),
            path: Some(path.clone()),
            score: view.active(partner.file).map(|active| active.score),
            reason: Some(Safe::format("{}, not in this diff", &[&why])),
            trust: Some(view.trust(partner.file)),
            ..About::default()
        };
        Entry::line(view.counter, about, Safe::format("  - {} ({})", &[&path, &why])).worth(worth.nth(at))
    };
    review.partners.iter().take(MAX_PARTNERS).enumerate().map(entry).collect()
}

/// Pieces that are shown as one, with how many rows in each form.
struct Shown<'r> {
    file: &'r ChangedFile,
    /// Small ones that follow each other, such as constants in a row; mostly one.
    pieces: &'r [Piece],
    /// How many lines of source their definitions change.
    n_lines: u64,
    /// Which piece of its definition the first is, from 0.
    part: u32,
    /// The most rows first.
    rows: Vec<usize>,
    /// The tokens of each form.
    tokens: Vec<Tokens>,
    /// Which form is the fullest for which there is room.
    level: usize,
}

/// The hunks, file by file, those first that change most of the source. Where there is less room, all are shortened before one is left out.
fn hunks(view: &View<'_>, review: &Review) -> Vec<Entry> {
    let weights = &view.activation.weights.change;
    let mut changed: FxHashMap<(&str, Option<NodeId>), u64> = FxHashMap::default();
    let mut parts: FxHashMap<(&str, Option<NodeId>), u32> = FxHashMap::default();
    for file in &review.files {
        for piece in &file.pieces {
            let n_lines = u64::from(piece.n_lines()) * u64::from(file.role);
            // What stands outside of definitions is mostly imports.
            let is_outside = piece.definition.is_none() && file.file.is_some();
            let n_lines = if is_outside { n_lines * u64::from(weights.outside.get()) / 1000 } else { n_lines };
            *changed.entry((&file.path, piece.definition)).or_default() += n_lines;
        }
    }
    let mut shown: Vec<Shown<'_>> = Vec::new();
    for file in &review.files {
        for pieces in file.pieces.chunk_by(|one, next| are_one(view, one, next)) {
            let counts: &[usize] = if file.kind == ChangedKind::Deleted { &ROWS_OF_GONE } else { &ROWS };
            let n_rows = pieces.iter().map(|piece| piece.rows.len()).sum();
            let mut rows: Vec<usize> = counts.iter().map(|n| (*n).min(n_rows)).collect();
            rows.dedup();
            let tokens =
                rows.iter().map(|n| view.counter.code(trust(view, file), text(view, file, pieces, *n)).tokens()).collect();
            let of = |piece: &Piece| changed.get(&(file.path.as_str(), piece.definition)).copied().unwrap_or_default();
            let n_lines = pieces.iter().map(of).max().unwrap_or_default();
            let part = parts.entry((&file.path, pieces[0].definition)).or_default();
            shown.push(Shown { file, pieces, n_lines, part: *part, rows, tokens, level: 0 });
            *part += 1;
        }
    }
    shown.sort_by_key(|shown| {
        let is_gone = shown.file.kind == ChangedKind::Deleted;
        (is_gone, Reverse(shown.file.role), Reverse(shown.n_lines), &shown.file.path, shown.pieces[0].lines)
    });
    let n_urgent = shorten(view, &mut shown);
    let mut order: Vec<&str> = Vec::new();
    for shown in &shown {
        if !order.contains(&shown.file.path.as_str()) {
            order.push(&shown.file.path);
        }
    }
    let of_file = |path: &str| order.iter().position(|other| *other == path);
    let mut entries: Vec<(Option<usize>, (u32, u32), Entry)> = Vec::new();
    for (at, shown) in shown.iter().enumerate() {
        let worth = if at < n_urgent { Worth::URGENT } else { Worths::all().part(view.activation.weights.packing.test).nth(at) };
        let entry = entry(view, shown).worth(worth).in_turn(HUNKS + at);
        entries.push((of_file(&shown.file.path), shown.pieces[0].lines, entry));
    }
    entries.sort_by_key(|(file, lines, entry)| (*file, *lines, entry.turn));
    entries.into_iter().map(|(.., entry)| entry).collect()
}

/// Whether two pieces are so small that they say more together: lines outside of functions and types that follow each other.
fn are_one(view: &View<'_>, one: &Piece, next: &Piece) -> bool {
    let is_small = |piece: &Piece| {
        let kind = piece.definition.and_then(|node| view.base.symbol(node)).map(|row| row.kind);
        matches!(kind, None | Some(SymbolKind::Constant | SymbolKind::Variable)) && piece.rows.len() <= MAX_SMALL
    };
    next.lines.0 <= one.lines.1 + 1 && is_small(one) && is_small(next)
}

/// Shortens pieces, the last first, until all have room in the part of the budget that hunks come first in; how many have it.
fn shorten(view: &View<'_>, shown: &mut [Shown<'_>]) -> usize {
    let weights = &view.activation.weights.change;
    let is_beside = |passage: &Passage| {
        passage.turn.is_some() || is_told(passage) && view.sources.review.is_none_or(|review| !review.has(passage.file))
    };
    let part = if view.activation.passages.iter().any(is_beside) { weights.room } else { weights.room_alone };
    let room = u64::from(view.most.0) * u64::from(part.get()) / 1000;
    // A header and fences for each file, a gap for each piece.
    let frame = u64::from(view.counter.fences(Trust::Tracked).0) + 24;
    let mut files: Vec<&str> = shown.iter().map(|shown| shown.file.path.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let of = |shown: &Shown<'_>| u64::from(shown.tokens.get(shown.level).copied().unwrap_or_default().0) + 2;
    let mut total = frame * files.len() as u64 + shown.iter().map(of).sum::<u64>();
    for level in 1..ROWS.len() {
        for shown in shown.iter_mut().rev() {
            if total <= room {
                return usize::MAX;
            }
            if shown.level + 1 == level && level < shown.rows.len() {
                total -= of(shown);
                shown.level = level;
                total += of(shown);
            }
        }
    }
    if total <= room {
        return usize::MAX;
    }
    let mut used = 0;
    shown
        .iter()
        .take_while(|shown| {
            used += of(shown) + frame / 2;
            used <= room
        })
        .count()
}

fn entry(view: &View<'_>, shown: &Shown<'_>) -> Entry {
    let Shown { file, pieces, .. } = shown;
    let lines = (pieces[0].lines.0, pieces[pieces.len() - 1].lines.1);
    let definition = pieces.iter().find_map(|piece| piece.definition);
    let count = |of: fn(&Piece) -> u32| Safe::number(pieces.iter().map(of).sum::<u32>());
    let (path, trust) = (view.masker.name(&file.path), trust(view, file));
    let counts = shown.rows.get(shown.level..).unwrap_or_default();
    let forms: Vec<_> = counts.iter().map(|n| view.counter.code(trust, text(view, file, pieces, *n))).collect();
    let of_file = [&Safe::number(file.n_added), &Safe::number(file.n_removed)];
    let header_reason = match file.kind {
        ChangedKind::Added => Safe::format("new, +{}", &of_file[..1]),
        ChangedKind::Deleted => Safe::format("deleted, -{}", &of_file[1..]),
        _ => Safe::format("changed, +{} -{}", &of_file),
    };
    let header = Safe::format("{}:99999-99999 ({})", &[&path, &header_reason]);
    let block = Block {
        path: path.clone(),
        reason: header_reason,
        trust,
        tokens: view.counter.block(&header) + view.counter.fences(trust),
        // What begins with a sign is not a line of a file, and no file has the numbers of both sides.
        is_numbered: false,
        openings: Vec::new(),
        lines: counts.iter().map(|_| lines).collect(),
        whole: lines,
    };
    let active = definition.or(file.file).and_then(|node| view.active(node));
    let id = definition.map_or_else(|| path.clone(), |node| view.id(node));
    let why = Safe::format("changed in the diff: +{} -{}", &[&count(|piece| piece.n_added), &count(|piece| piece.n_removed)]);
    let about = About {
        kind: "hunk",
        id: Some(id),
        path: Some(path),
        lines: Some(lines),
        part: shown.part,
        score: active.map(|active| active.score),
        tier: active.map(|active| active.tier),
        reason: Some(why),
        trust: Some(trust),
        ..About::default()
    };
    Entry::new(about, forms).within(block)
}

/// Pieces with at most so many rows in all: what they are of, then their lines with their signs.
fn text(view: &View<'_>, file: &ChangedFile, pieces: &[Piece], n_rows: usize) -> Safe {
    let rows: Vec<&Row> = pieces.iter().flat_map(|piece| &piece.rows).collect();
    let (first, last) = (pieces[0].lines.0, pieces[pieces.len() - 1].lines.1);
    let definitions = pieces.iter().filter_map(|piece| view.base.symbol(piece.definition?));
    let mut names: Vec<Safe> = definitions.map(|row| local_name(view.masker, &row)).collect();
    names.dedup();
    if names.len() > MAX_NAMES {
        names.truncate(MAX_NAMES);
        names.push(Safe::fixed("…"));
    }
    let names = Safe::join(&names, ", ");
    let names = if names.is_empty() { names } else { Safe::format(" {}", &[&names]) };
    let state = Safe::fixed(if file.is_old && file.kind != ChangedKind::Added { " (not applied)" } else { "" });
    let mut text = Safe::format("@@ {}-{}{}{}\n", &[&Safe::number(first), &Safe::number(last), &names, &state]);
    // Of what is cut, the lines that change say more than those before them.
    let is_changed = |row: &&&Row| row.sign != Sign::Kept;
    let first = rows.iter().position(|row| row.sign != Sign::Kept).unwrap_or_default().saturating_sub(1);
    let from = first.min(rows.len().saturating_sub(n_rows));
    let shown = &rows[from..(from + n_rows).min(rows.len())];
    for row in shown {
        text.push(&line(file, **row));
    }
    let n_left = rows.iter().filter(is_changed).count() - shown.iter().filter(is_changed).count();
    if n_left > 0 {
        text.push(&Safe::format("@@ {} more changed lines\n", &[&Safe::number(n_left as i64)]));
    }
    text
}

/// A line behind its sign.
fn line(file: &ChangedFile, row: Row) -> Safe {
    let (sign, text) = match row.sign {
        Sign::Kept => (" ", &file.new),
        Sign::Removed => ("-", &file.old),
        Sign::Added => ("+", &file.new),
    };
    let code = Safe::code(text, row.line..=row.line, LongLines::Cut);
    let code = code.lines().next().unwrap_or_default();
    Safe::format("{}{}\n", &[&Safe::fixed(sign), &code])
}

/// Where the lines of a changed file come from: what is not in the file as it is comes from whoever gave the diff.
fn trust(view: &View<'_>, file: &ChangedFile) -> Trust {
    file.file.filter(|_| !file.is_old).map_or(Trust::Untracked, |file| view.trust(file))
}
