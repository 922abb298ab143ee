//! One passage as it is shown: its lines with their numbers, or the few that say most.
//!
//! Takes lines from redacted text only.

use super::pieces::{About, Block, Entry};
use super::reason::{reason, short_reason};
use super::summary::summary;
use super::view::View;
use super::worth::Worth;
use crate::activation::{Active, Passage, Reason};
use activate_rules::atoms::NodeId;
use index::base::{SymbolKind, SymbolRow};
use redact::{LongLines, Redacted, Safe, Trust};
use std::ops::RangeInclusive;
use tokens::Tokens;

/// The parts of a passage, in quarters of its lines, that are shown at most where all of it has no room.
const QUARTERS: [u32; 3] = [3, 2, 1];
/// Lines before and after a line that fails that are shown where there is little room, and where there is less.
const BESIDE: [u32; 2] = [6, 2];
/// The most definitions around a passage of which the first line is shown.
const MAX_OPENINGS: usize = 2;
/// The most lines above a method in which the line is looked for that opens its block.
const MAX_ABOVE: u32 = 2_000;
/// The fewest lines of the beginning of a passage that say something.
const LEAST_LINES: u32 = 4;

/// The entry of a passage with its forms, fullest first; none where its file cannot be read.
pub(super) fn entry(view: &View<'_>, passage: &Passage, worth: Worth) -> Option<Entry> {
    let text = view.text(passage.file).filter(|text| text.n_lines() > 0)?;
    let (first, last) = without_blank(&text, passage.lines);
    let trust = view.trust(passage.file);
    let form = |lines: RangeInclusive<u32>| view.counter.code(trust, view.code(&text, lines, LongLines::Cut));
    let shorter: Vec<(u32, u32)> = if passage.fails {
        let beside = |n: &u32| (passage.best_line.saturating_sub(*n).max(first), passage.best_line.saturating_add(*n).min(last));
        BESIDE.iter().map(beside).filter(|(from, to)| from <= to).collect()
    } else {
        borders(&text, first, last).into_iter().map(|last| (first, last)).collect()
    };
    let mut forms = vec![form(first..=last)];
    let mut ranges = vec![(first, last)];
    for (from, to) in shorter {
        let form = form(from..=to);
        // What is not smaller is not a form of its own.
        if forms.last().is_none_or(|last| form.tokens() < last.tokens()) {
            forms.push(form);
            ranges.push((from, to));
        }
    }
    let path = view.path(passage.file);
    let why = why(view, passage);
    let openings = openings(view, passage, &text, first);
    let header = Safe::format("{}:99999-99999 ({})", &[&path, &why]);
    let block = Block {
        path: path.clone(),
        reason: why.clone(),
        trust,
        // Tracked files share fences; those of others part them, and have their own.
        tokens: view.counter.block(&header)
            + if view.is_numbered() && trust == Trust::Tracked {
                Tokens(0)
            } else {
                view.counter.fences(trust) + view.counter.fences(Trust::Tracked)
            },
        is_numbered: view.is_numbered(),
        openings,
        lines: ranges,
        whole: passage.lines,
    };
    let active = passage.definition.and_then(|node| view.active(node));
    let file = view.active(passage.file);
    let about = About {
        kind: "code",
        id: Some(view.id(passage.definition.unwrap_or(passage.file))),
        path: Some(path),
        lines: Some((first, last)),
        part: part(view, passage),
        // The score of a file says nothing of one passage of it.
        score: active.map(|active| active.score),
        tier: active.or(file).map(|active| active.tier),
        reason: Some(why),
        trust: Some(trust),
        hops: active.or(file).map(|active| active.hops).unwrap_or_default(),
        parts: if view.sources.traced { parts(view, passage, &text) } else { Vec::new() },
        ..About::default()
    };
    Some(Entry::new(about, forms).worth(worth).within(block))
}

/// Which passage of its definition it is, or of its file where it is of none, from 0: the same whatever else is a candidate.
fn part(view: &View<'_>, passage: &Passage) -> u32 {
    let from = passage.definition.and_then(|node| view.base.symbol(node)).map_or(1, |row| row.first_line());
    let lines = view.base.passage_lines(passage.file);
    lines.iter().filter(|(first, _)| (from..passage.lines.0).contains(first)).count() as u32
}

/// The last lines of the beginnings of a passage, the longest first, that end where a statement of its outermost block does: where the next line
/// is indented no deeper than the first line of that block and opens no bracket's end.
fn borders(text: &Redacted, first: u32, last: u32) -> Vec<u32> {
    let indent = |line: u32| text.line(line).len() - text.line(line).trim_start().len();
    let is_code = |line: &u32| !text.line(*line).trim().is_empty();
    let Some(body) = (first + 1..=last).filter(is_code).map(indent).find(|indent_of| *indent_of > indent(first)) else {
        return Vec::new();
    };
    let begins = |line: &u32| indent(*line) <= body && !text.line(*line).trim_start().starts_with([')', ']', '}']);
    let ends: Vec<u32> =
        (first + 1..=last).filter(is_code).filter(begins).map(|line| line - 1).filter(|end| *end > first).collect();
    let within = |quarters: &u32| {
        let most = first + (last - first) * quarters / 4;
        ends.iter().copied().filter(|end| (first + LEAST_LINES..=most + 1).contains(&(end + 1))).max()
    };
    let mut borders: Vec<u32> = QUARTERS.iter().filter_map(within).collect();
    borders.dedup();
    borders
}

/// The lines without blank ones before and behind.
fn without_blank(text: &Redacted, (first, last): (u32, u32)) -> (u32, u32) {
    let last = last.min(text.n_lines());
    let is_blank = |line: &u32| text.line(*line).trim().is_empty();
    let from = (first..=last).find(|line| !is_blank(line)).unwrap_or(first);
    let to = (from..=last).rev().find(|line| !is_blank(line)).unwrap_or(from);
    (from, to)
}

/// The first lines of the definitions around a passage that begin before it, outermost first.
fn openings(view: &View<'_>, passage: &Passage, text: &Redacted, first: u32) -> Vec<(u32, Safe, Tokens)> {
    let mut rows: Vec<SymbolRow<'_>> = Vec::new();
    let mut node = passage.definition;
    while let Some(row) = node.and_then(|node| view.base.symbol(node)) {
        // What holds a definition may stand in another file, and in a broken one run in circles.
        if rows.len() > MAX_OPENINGS || row.file != passage.file || rows.iter().any(|known| known.node == row.node) {
            break;
        }
        node = row.container;
        rows.push(row);
    }
    let is_shown = |row: &SymbolRow<'_>| !view.activation.is_hidden(view.base, row.node);
    let is_around = |row: &&SymbolRow<'_>| row.lines.0 < first && passage.lines.1 <= row.lines.1 && is_shown(row);
    let mut lines: Vec<u32> = rows.iter().filter(is_around).map(|row| row.name_line.min(first - 1)).collect();
    if let Some((method, holders)) = rows.split_first().filter(|(row, _)| row.kind == SymbolKind::Method)
        && !holders.iter().any(|row| row.lines.0 < method.lines.0 && method.lines.1 <= row.lines.1)
    {
        lines.extend(block_around(text, method.name_line).filter(|line| *line < first));
    }
    lines.sort_unstable();
    lines.dedup();
    let opening = |line: u32| {
        let text = view.code(text, line..=line, LongLines::Cut);
        let tokens = view.counter.line(text.clone()).tokens();
        (line, text, tokens)
    };
    lines.into_iter().rev().take(MAX_OPENINGS).rev().map(opening).collect()
}

/// The line that opens the block in which a method stands whose type is defined elsewhere, as in `impl Store for Memory {`: the nearest above that
/// is indented less, unless it goes on with what begins above it.
fn block_around(text: &Redacted, method: u32) -> Option<u32> {
    let indent = |line: u32| text.line(line).len() - text.line(line).trim_start().len();
    let of_method = indent(method);
    let is_above = |line: &u32| !text.line(*line).trim().is_empty() && indent(*line) < of_method;
    let line = (method.saturating_sub(MAX_ABOVE).max(1)..method).rev().find(is_above)?;
    text.line(line).trim_end().ends_with('{').then_some(line).filter(|line| text.line(*line).trim() != "{")
}

/// Why a passage is shown, in a few words: what is said of its definition, else the words in it.
fn why(view: &View<'_>, passage: &Passage) -> Safe {
    let of_itself = |active: &&Active| !matches!(active.reason, Reason::StandsIn(_) | Reason::Words(_));
    let active = passage.definition.and_then(|node| view.active(node)).filter(of_itself);
    match active {
        _ if passage.turn.is_some() => why_failing(view, passage, active),
        Some(active) => short_reason(view.masker, &reason(view, active)),
        None if passage.words.is_empty() => match view.active(passage.file) {
            Some(file) => short_reason(view.masker, &reason(view, file)),
            None => Safe::fixed("beside what matters"),
        },
        None => {
            let words: Vec<Safe> = passage.words.iter().map(|word| view.masker.name(word)).collect();
            short_reason(view.masker, &Safe::format("words: {}", &[&Safe::join(&words, ", ")]))
        }
    }
}

/// Why a passage is shown in which something fails, or that is called by what fails.
fn why_failing(view: &View<'_>, passage: &Passage, active: Option<&Active>) -> Safe {
    let is_failure = |active: &&Active| matches!(active.reason, Reason::Failure(_));
    let file = view.active(passage.file).filter(is_failure).filter(|_| passage.fails);
    match active.filter(is_failure).or(file) {
        Some(failing) => short_reason(view.masker, &reason(view, failing)),
        None if passage.fails => Safe::fixed("something fails in it"),
        None => Safe::fixed("called by what fails"),
    }
}

/// The definitions that a passage shows, with what one line can say of each.
fn parts(view: &View<'_>, passage: &Passage, text: &Redacted) -> Vec<About> {
    let (first, last) = passage.lines;
    let is_here = |row: &SymbolRow<'_>| {
        Some(row.node) == passage.definition || (first..=last).contains(&row.lines.0) && view.active(row.node).is_some()
    };
    let symbols = view.base.symbols_of(passage.file).filter_map(|node| view.base.symbol(NodeId(node)));
    let part = |row: SymbolRow<'_>| {
        let active = view.active(row.node);
        let signature = row.name_line.max(row.lines.0).min(row.lines.1);
        let above = row.first_line()..=row.lines.0.saturating_sub(1);
        About {
            kind: "code",
            id: Some(view.id(row.node)),
            path: Some(view.path(passage.file)),
            lines: Some((row.first_line(), row.lines.1)),
            score: active.map(|active| active.score),
            tier: active.map(|active| active.tier),
            reason: active.map(|active| super::reason::full_reason(view, active)),
            trust: Some(view.trust(passage.file)),
            hops: active.map(|active| active.hops).unwrap_or_default(),
            summary: Some(summary(view.masker, text, above, row.lines.0..=signature)),
            ..About::default()
        }
    };
    symbols.filter(is_here).map(part).collect()
}
