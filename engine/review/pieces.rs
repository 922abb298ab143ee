//! Hunks cut where one definition ends and another begins.

use super::hunks::CONTEXT;
use super::locate::{Placed, PlacedHunk};
use super::patch::Sign;
use activate_rules::atoms::NodeId;
use index::base::{FactBase, SymbolRow, Traits};
use redact::Redacted;
use std::collections::BTreeSet;

/// A part of a hunk that lies in one definition, or outside of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The innermost definition around what changes; none outside of all, and in a file that is not here.
    pub definition: Option<NodeId>,
    /// First and last line in the file as it is now; as the patch has them where it does not fit.
    pub lines: (u32, u32),
    /// Its lines with those around.
    pub rows: Vec<Row>,
    /// Lines that are added.
    pub n_added: u32,
    /// Lines that are removed.
    pub n_removed: u32,
}

/// A line of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// What becomes of it.
    pub sign: Sign,
    /// Its number in the old text where it is removed, else in the new one.
    pub line: u32,
}

impl Piece {
    /// How many lines change.
    pub fn n_lines(&self) -> u32 {
        self.n_added + self.n_removed
    }
}

/// The pieces of a file, in the order of lines.
pub(super) fn pieces(base: &FactBase, placed: &Placed, old: &Redacted, new: &Redacted) -> Vec<Piece> {
    let owners = Owners::new(base, placed.file);
    placed.hunks.iter().flat_map(|hunk| of_hunk(hunk, placed, &owners, old, new)).collect()
}

/// A line with the one at which it stands in the file as it is now.
struct Placing {
    row: Row,
    /// In the old text and in the new one: its own, or that of the next line there.
    old: u32,
    new: u32,
    /// Whether it is blank: such a line belongs to what stands around it.
    is_blank: bool,
}

/// For each line the nearest above and below that the file has, with nothing between that stays.
fn beside(placings: &[Placing], gone: Sign) -> Vec<(Option<usize>, Option<usize>)> {
    let step = |last: &mut Option<usize>, at: usize| {
        let known = *last;
        *last = match placings[at].row.sign {
            Sign::Kept => None,
            sign if sign != gone => Some(at),
            _ => known,
        };
        *last
    };
    let (mut above, mut below) = (None, None);
    let mut beside: Vec<(Option<usize>, Option<usize>)> = (0..placings.len()).map(|at| (step(&mut above, at), None)).collect();
    for at in (0..placings.len()).rev() {
        beside[at].1 = step(&mut below, at);
    }
    beside
}

fn of_hunk(hunk: &PlacedHunk, placed: &Placed, owners: &Owners, old: &Redacted, new: &Redacted) -> Vec<Piece> {
    let (mut old_at, mut new_at) = (hunk.old_at, hunk.new_at);
    let placings = hunk.signs.iter().map(|sign| {
        let (at_old, at_new) = (old_at, new_at);
        old_at += u32::from(*sign != Sign::Added);
        new_at += u32::from(*sign != Sign::Removed);
        let (text, line) = if *sign == Sign::Removed { (old, at_old) } else { (new, at_new) };
        let is_blank = text.line(line).trim().is_empty();
        Placing { row: Row { sign: *sign, line }, old: at_old, new: at_new, is_blank }
    });
    let placings: Vec<Placing> = placings.collect();
    let here = |placing: &Placing| if placed.is_old { placing.old } else { placing.new };
    // Whether the file as it is now has the line.
    let gone = if placed.is_old { Sign::Added } else { Sign::Removed };
    let beside = beside(&placings, gone);
    let mut pieces: Vec<(Option<NodeId>, Vec<usize>)> = Vec::new();
    let mut pending: Vec<usize> = Vec::new();
    for (at, placing) in placings.iter().enumerate() {
        if placing.row.sign == Sign::Kept || placing.is_blank && !pieces.is_empty() {
            pending.push(at);
            continue;
        }
        let owner = if !hunk.fits {
            None
        } else if placing.row.sign == gone {
            // What replaces a line stands where it stood.
            let (before, replaced) = beside[at];
            let (before, replaced) = (before.map(|at| &placings[at]), replaced.map(|at| &placings[at]));
            match replaced.filter(|next| !next.is_blank).or(before) {
                Some(beside) => owners.at(here(beside)),
                None => owners.around_gap(here(placing)),
            }
        } else {
            owners.at(here(placing))
        };
        match pieces.last_mut() {
            Some((known, rows)) if *known == owner => rows.append(&mut pending),
            last => {
                let (behind, before) = parted(&pending, &placings);
                if let Some((_, rows)) = last {
                    rows.extend(behind);
                }
                pieces.push((owner, before));
                pending.clear();
            }
        }
        if let Some((_, rows)) = pieces.last_mut() {
            rows.push(at);
        }
    }
    if let Some((_, rows)) = pieces.last_mut() {
        rows.append(&mut pending);
    }
    let piece = |(definition, rows): (Option<NodeId>, Vec<usize>)| {
        let count = |sign| rows.iter().filter(|at| placings[**at].row.sign == sign).count() as u32;
        let there: Vec<u32> = rows.iter().filter(|at| placings[**at].row.sign != gone).map(|at| here(&placings[*at])).collect();
        let first = there.first().copied().or_else(|| rows.first().map(|at| here(&placings[*at]))).unwrap_or(1);
        let lines = (first, there.last().copied().unwrap_or(first));
        let (n_added, n_removed) = (count(Sign::Added), count(Sign::Removed));
        Piece { definition, lines, rows: rows.iter().map(|at| placings[*at].row).collect(), n_added, n_removed }
    };
    pieces.into_iter().map(piece).collect()
}

/// Lines between two pieces: those that go with the one above, and those that go with the one below. Blank ones that change stay.
fn parted(between: &[usize], placings: &[Placing]) -> (Vec<usize>, Vec<usize>) {
    let is_changed = |at: &usize| placings[*at].row.sign != Sign::Kept;
    let context = CONTEXT as usize;
    let n_changed = between.iter().rposition(is_changed).map_or(0, |last| last + 1);
    let rest = &between[n_changed..];
    let n_behind = if rest.len() > context { context.min(rest.len() - context.min(rest.len() / 2)) } else { 0 };
    let behind = between[..n_changed].iter().chain(&rest[..n_behind]).copied().collect();
    let before = rest[n_behind.max(rest.len().saturating_sub(context))..].to_vec();
    (behind, before)
}

/// The definitions of a file that a change can be theirs: what stands within a function belongs to the function.
struct Owners {
    /// The innermost definition with each line, the comments above it among its lines.
    at: Runs,
    /// The innermost definition with the place before each line.
    gaps: Runs,
}

impl Owners {
    fn new(base: &FactBase, file: Option<NodeId>) -> Self {
        let symbols = file.into_iter().flat_map(|file| base.symbols_of(file)).filter_map(|node| base.symbol(NodeId(node)));
        let rows: Vec<SymbolRow<'_>> = symbols.filter(|symbol| !symbol.traits.has(Traits::NESTED)).collect();
        Self { at: Runs::new(&rows, 0), gaps: Runs::new(&rows, 1) }
    }

    fn at(&self, line: u32) -> Option<NodeId> {
        self.at.get(line)
    }

    fn around_gap(&self, line: u32) -> Option<NodeId> {
        self.gaps.get(line)
    }
}

/// Runs of lines that have the same innermost definition, by their first lines.
struct Runs(Vec<(u32, Option<NodeId>)>);

impl Runs {
    /// Each definition is around its lines but this many at its beginning.
    fn new(rows: &[SymbolRow<'_>], n_less: u32) -> Self {
        let first = |row: &SymbolRow<'_>| row.first_line() + n_less;
        // Where a definition begins and where it has ended.
        let mut edges: Vec<(u32, bool, (u32, NodeId))> = Vec::with_capacity(rows.len() * 2);
        for row in rows.iter().filter(|row| first(row) <= row.lines.1) {
            let size = (row.lines.1 - row.lines.0, row.node);
            edges.extend([(first(row), true, size), (row.lines.1.saturating_add(1), false, size)]);
        }
        edges.sort_unstable();
        let mut around = BTreeSet::new();
        let mut runs: Vec<(u32, Option<NodeId>)> = Vec::new();
        for (line, begins, size) in edges {
            if begins {
                around.insert(size);
            } else {
                around.remove(&size);
            }
            let innermost = around.first().map(|(_, node)| *node);
            match runs.last_mut() {
                Some((known, node)) if *known == line => *node = innermost,
                _ => runs.push((line, innermost)),
            }
        }
        Self(runs)
    }

    fn get(&self, line: u32) -> Option<NodeId> {
        let run = self.0.partition_point(|(first, _)| *first <= line).checked_sub(1)?;
        self.0[run].1
    }
}
