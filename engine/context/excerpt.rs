//! One piece of code at three resolutions: its body, its signature with doc, one line.
//!
//! Takes lines from redacted text only. Must not know how much room there is, nor which pieces are chosen.

use super::gist::gist;
use super::pieces::{About, Entry, Piece};
use super::reason::{full_reason, lies_in_it, local_name, reason};
use super::redact::{LongLines, Redacted, Safe};
use super::view::{View, points};
use crate::activation::{Active, Reason};
use crate::facts::base::{SymbolKind, SymbolRow};
use crate::signals::Severity;
use activate_rules::atoms::{NodeId, Tier};
use activate_rules::links::LinkKind;
use std::ops::RangeInclusive;

/// The most lines of a body: longer ones are cut to what concerns the task. Nine in ten functions are shorter.
const MAX_LINES: u32 = 120;
/// The lines of a body that is cut since there is little room.
const FEW_LINES: u32 = 40;
/// The lines of a file that is shown without a symbol of it.
const FILE_LINES: u32 = 60;
/// Lines before and after a line that matters.
const AROUND: u32 = 5;
/// The most lines of a signature and of the doc above it.
const MAX_SIGNATURE: u32 = 8;
const MAX_DOC: u32 = 6;
/// The most signatures in one piece.
const MAX_SIGNATURES: usize = 8;
/// The most lines of a test that is shown around the part of it that fails: it sets up what that part needs.
const MAX_SETUP: u32 = 60;
/// Lines before and after a line that fails and is all there is to show, and the most lines that fail that a signature keeps.
const BESIDE: u32 = 2;
const MAX_KEPT: usize = 4;
/// The most lines that are not left out between, before or behind others: the mark of a gap costs about as much.
const SMALL_GAP: u32 = 3;
/// Symbols whose call sites in a body matter.
const MAX_CALLEES: usize = 20;

/// How much of the code is wanted, where there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resolution {
    /// All of it.
    Body,
    /// Its signature with the doc above.
    Signature,
    /// One line that names it.
    Line,
}

/// A symbol within an excerpt.
#[derive(Debug, Clone)]
pub(super) struct Part<'a> {
    active: &'a Active,
    row: SymbolRow<'a>,
    /// First line, doc included.
    first: u32,
    /// Last line of the signature.
    signature: u32,
}

/// Code of one file that is shown in one piece.
#[derive(Debug, Clone)]
pub(super) struct Excerpt<'a> {
    /// The file.
    pub(super) file: NodeId,
    /// The symbols, best first.
    parts: Vec<Part<'a>>,
    /// How much of them is wanted.
    pub(super) resolution: Resolution,
    /// First and last line of what is shown around them.
    setup: Option<(u32, u32)>,
}

impl<'a> Excerpt<'a> {
    /// An excerpt of one symbol.
    pub(super) fn new(view: &View<'a>, active: &'a Active, resolution: Resolution) -> Option<Self> {
        let row = view.base.symbol(active.node)?;
        let mut signature = row.name_line.max(row.lines.0);
        // Where secrets were masked, byte positions are those of another text: then the line of the name must do.
        let is_original = |text: &Redacted| text.as_str().len() as u64 == view.base.size(row.file);
        if let Some(text) = view.text(row.file).filter(|text| is_original(text)) {
            let line_feeds = |from: u32, to: u32| {
                text.as_str().get(from as usize..to as usize).unwrap_or_default().matches('\n').count() as u32
            };
            signature = row.lines.0.saturating_add(line_feeds(row.bytes.0, row.body));
        }
        let first = row.first_line();
        let signature = signature.min(row.lines.0.saturating_add(MAX_SIGNATURE - 1)).min(row.lines.1);
        Some(Self { file: row.file, parts: vec![Part { active, row, first, signature }], resolution, setup: None })
    }

    /// Takes in the function or test around a part of it, if that is short: it sets up what the part needs.
    pub(super) fn add_setup(&mut self, view: &View<'a>) {
        let mut container = self.parts.first().and_then(|part| part.row.container);
        while let Some(row) = container.and_then(|node| view.base.symbol(node)) {
            let is_code = matches!(row.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Test);
            if !is_code || row.lines.1.saturating_sub(row.lines.0) >= MAX_SETUP {
                break;
            }
            // What holds a part may stand elsewhere in a broken file; it must not run in circles there.
            let is_wider = self.setup.is_none_or(|(first, last)| row.lines.0 <= first && last <= row.lines.1);
            if !is_wider || self.setup == Some(row.lines) {
                break;
            }
            self.setup = Some(row.lines);
            container = row.container;
        }
    }

    /// First and last line, docs included.
    pub(super) fn lines(&self) -> (u32, u32) {
        let first = self.parts.iter().map(|part| part.first).min().unwrap_or_default();
        let last = self.parts.iter().map(|part| part.row.lines.1).max().unwrap_or_default();
        self.setup.map_or((first, last), |(from, to)| (first.min(from), last.max(to)))
    }

    /// Whether all of `other` lies in the lines of this one.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let ((first, last), (from, to)) = (self.lines(), other.lines());
        self.file == other.file && first <= from && to <= last
    }

    /// Takes over `next` if both are wanted alike and belong together: bodies that overlap or touch, up to an empty line, and are not too
    /// long together; signatures of one file.
    pub(super) fn merge(&mut self, next: &Self) -> bool {
        let ((first, last), (from, to)) = (self.lines(), next.lines());
        let belongs = match self.resolution {
            Resolution::Body => {
                let touch = from <= last.saturating_add(2) && first <= to.saturating_add(2);
                touch && last.max(to).saturating_sub(first.min(from)) < MAX_LINES
            }
            Resolution::Signature => self.parts.len() < MAX_SIGNATURES,
            Resolution::Line => false,
        };
        let joins = belongs && self.file == next.file && self.resolution == next.resolution;
        if joins {
            self.parts.extend(next.parts.iter().cloned());
            // What is in one piece is shown from its first to its last line.
            self.setup = next.setup.into_iter().chain(self.setup).reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        }
        joins
    }

    /// The entry with its forms, fullest first.
    pub(super) fn entry(&self, view: &View<'_>) -> Entry {
        let (first, last) = self.lines();
        let path = Safe::name(view.base.path(self.file));
        let header = self.header(view, &path, first, last);
        let trust = view.trust(self.file);
        let mut forms = Vec::new();
        if let Some(text) = view.text(self.file).filter(|_| self.resolution != Resolution::Line) {
            let mut fenced = |code: Safe| {
                forms.push(view.counter.form(vec![Piece::Line(header.clone()), Piece::Fenced(trust, code)]));
            };
            if self.resolution == Resolution::Body {
                let mut before = Vec::new();
                for most in [MAX_LINES, FEW_LINES] {
                    let kept = if last - first < most { vec![first..=last] } else { self.windows(view, &text, most) };
                    // Most bodies are short enough for both.
                    if kept != before {
                        fenced(code(&text, &kept, first..=last));
                    }
                    before = kept;
                }
            }
            // A line that fails says more than the signature above it.
            let wrong = view.wrong_lines(self.file).into_iter().filter(|line| (first..=last).contains(line)).take(MAX_KEPT);
            let wrong = wrong.map(|line| line.saturating_sub(1).max(first)..=line.saturating_add(1).min(last));
            let kept = joined(self.signatures().into_iter().chain(wrong).collect());
            fenced(code(&text, &kept, first..=last));
        }
        let lines = self.parts.iter().map(|part| Piece::Line(line(view, &path, part))).collect();
        forms.push(view.counter.form(lines));
        let best = self.parts.first().map(|part| self.about(view, part)).unwrap_or_default();
        let parts =
            if view.sources.traced { self.parts.iter().map(|part| self.about_part(view, part)).collect() } else { Vec::new() };
        Entry::new(About { lines: Some((first, last)), parts, ..best }, forms)
    }

    /// What is known of the node of a part.
    fn about(&self, view: &View<'_>, part: &Part<'_>) -> About {
        let active = part.active;
        About {
            kind: "code",
            id: Some(Safe::name(&view.base.id(active.node))),
            path: Some(Safe::name(view.base.path(self.file))),
            score: Some(active.score),
            tier: Some(active.tier),
            reason: Some(reason(view, active)),
            trust: Some(view.trust(self.file)),
            hops: active.hops,
            ..About::default()
        }
    }

    /// The same with its own lines and what one line can say of it.
    fn about_part(&self, view: &View<'_>, part: &Part<'_>) -> About {
        let (first, last) = (part.row.lines.0, part.row.lines.1);
        let text = view.text(self.file);
        let gist = text.map(|text| gist(&text, part.first..=first.saturating_sub(1), first..=part.signature));
        let reason = Some(full_reason(view, part.active));
        About { lines: Some((part.first, last)), reason, gist, ..self.about(view, part) }
    }

    /// `path:first-last (id, score, reason; id, score, reason)`.
    fn header(&self, view: &View<'_>, path: &Safe, first: u32, last: u32) -> Safe {
        let parts: Vec<Safe> = self
            .parts
            .iter()
            .map(|part| {
                let id = local_name(&part.row);
                Safe::format("{}, {}, {}", &[&id, &points(part.active.score), &reason(view, part.active)])
            })
            .collect();
        let (first, last) = (Safe::number(first), Safe::number(last));
        Safe::format("{}:{}-{} ({})", &[path, &first, &last, &Safe::join(&parts, "; ")])
    }

    /// Docs and signatures of all parts.
    fn signatures(&self) -> Vec<RangeInclusive<u32>> {
        let mut ranges = Vec::new();
        for part in &self.parts {
            let doc = part.first..=part.row.lines.0.saturating_sub(1).min(part.first.saturating_add(MAX_DOC - 1));
            if !doc.is_empty() {
                ranges.push(doc);
            }
            ranges.push(part.row.lines.0..=part.signature);
        }
        joined(ranges)
    }

    /// The lines of a long body that concern the task: the signature, what is around the lines that matter, most important first, and the
    /// end.
    fn windows(&self, view: &View<'_>, text: &Redacted, most: u32) -> Vec<RangeInclusive<u32>> {
        let (first, last) = self.lines();
        let mut kept = self.signatures();
        kept.push(last..=last);
        let mut important = important_in_file(view, self.file, first, last);
        for part in &self.parts {
            let callees = view.activation.symbols.iter().take(MAX_CALLEES);
            important.extend(callees.filter_map(|callee| view.base.link_line(part.row.node, LinkKind::Calls, callee.node)));
            important.extend(lines_with_words(part.active, text, first, last));
        }
        // The beginning fills what nothing else asks for.
        important.extend(first..=last);
        for line in important.into_iter().filter(|line| (first..=last).contains(line)) {
            let window = line.saturating_sub(AROUND).max(first)..=line.saturating_add(AROUND).min(last);
            let next = joined(kept.iter().cloned().chain([window]).collect());
            if next.iter().map(|range| range.end() - range.start() + 1).sum::<u32>() > most {
                break;
            }
            kept = next;
        }
        joined(kept)
    }
}

/// `path:first-last kind id (score, reason)`.
fn line(view: &View<'_>, path: &Safe, part: &Part<'_>) -> Safe {
    let row = &part.row;
    let (first, last) = (Safe::number(row.lines.0), Safe::number(row.lines.1));
    let (kind, id) = (Safe::fixed(row.kind.word()), local_name(row));
    let pieces = [path, &first, &last, &kind, &id, &points(part.active.score), &reason(view, part.active)];
    Safe::format("{}:{}-{} {} {} ({}, {})", &pieces)
}

/// The entry of a file that matters without a symbol of it: its beginning and the lines that concern the task.
pub(super) fn file_entry(view: &View<'_>, active: &Active) -> Entry {
    let file = active.node;
    let path = Safe::name(view.base.path(file));
    let (score, why, trust) = (points(active.score), reason(view, active), view.trust(file));
    let mut forms = Vec::new();
    if let Some(text) = view.text(file).filter(|text| text.n_lines() > 0) {
        let last = text.n_lines();
        let mut kept = Vec::new();
        let mut important = important_in_file(view, file, 1, last);
        important.extend(lines_with_words(active, &text, 1, last));
        important.extend(1..=last.min(FILE_LINES));
        for line in important {
            let window = line.saturating_sub(AROUND).max(1)..=line.saturating_add(AROUND).min(last);
            let next: Vec<_> = joined(kept.iter().cloned().chain([window]).collect());
            if next.iter().map(|range: &RangeInclusive<u32>| range.end() - range.start() + 1).sum::<u32>() > FILE_LINES {
                break;
            }
            kept = next;
        }
        let (from, to) = (kept.first().map_or(1, |range| *range.start()), kept.last().map_or(1, |range| *range.end()));
        // As the text below has them: a small gap in front or behind is shown.
        let (from, to) = (if from - 1 <= SMALL_GAP { 1 } else { from }, if last - to <= SMALL_GAP { last } else { to });
        let header = Safe::format("{}:{}-{} ({}, {})", &[&path, &Safe::number(from), &Safe::number(to), &score, &why]);
        forms.push(view.counter.form(vec![Piece::Line(header), Piece::Fenced(trust, code(&text, &kept, 1..=last))]));
    }
    forms.push(view.counter.line(Safe::format("{} ({}, {})", &[&path, &score, &why])));
    let about = About {
        kind: "code",
        id: Some(path.clone()),
        path: Some(path),
        score: Some(active.score),
        tier: Some(active.tier),
        reason: Some(why),
        trust: Some(trust),
        hops: active.hops,
        ..About::default()
    };
    Entry::new(about, forms)
}

/// Lines of a file that no symbol holds and in which something fails, this badly at worst, with what is right beside them: those that are near in one piece.
pub(super) fn lines_entries(view: &View<'_>, file: NodeId, worst: Severity, lines: &[u32]) -> Vec<Entry> {
    let Some(text) = view.text(file) else { return Vec::new() };
    let n_lines = text.n_lines();
    let around = |line: &u32| line.saturating_sub(BESIDE).max(1)..=line.saturating_add(BESIDE).min(n_lines);
    let ranges = joined(lines.iter().filter(|line| (1..=n_lines).contains(line)).map(around).collect());
    let (path, trust, active) = (Safe::name(view.base.path(file)), view.trust(file), view.active(file));
    let why = lies_in_it(worst);
    let entry = |range: RangeInclusive<u32>| {
        let (first, last) = (*range.start(), *range.end());
        let header = Safe::format("{}:{}-{} ({})", &[&path, &Safe::number(first), &Safe::number(last), &why]);
        let about = About {
            kind: "code",
            id: Some(path.clone()),
            path: Some(path.clone()),
            lines: Some((first, last)),
            score: active.map(|active| active.score),
            tier: Some(active.map_or(Tier::Warm, |active| active.tier)),
            reason: Some(why.clone()),
            trust: Some(trust),
            ..About::default()
        };
        let fenced = Piece::Fenced(trust, code(&text, &[range], first..=last));
        Entry::new(about, vec![view.counter.form(vec![Piece::Line(header.clone()), fenced]), view.counter.line(header)])
    };
    ranges.into_iter().map(entry).collect()
}

/// The lines that the intent names and where something is wrong.
fn important_in_file(view: &View<'_>, file: NodeId, first: u32, last: u32) -> Vec<u32> {
    let targets = &view.activation.intent.targets;
    let named = targets.iter().filter(|target| view.base.file_of(target.node) == file).filter_map(|target| target.line);
    named.chain(view.wrong_lines(file)).filter(|line| (first..=last).contains(line)).collect()
}

/// The lines that hold words of the intent, those with most of them first.
fn lines_with_words(active: &Active, text: &Redacted, first: u32, last: u32) -> Vec<u32> {
    let Reason::Words(words) = &active.reason else { return Vec::new() };
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).filter(|word| !word.is_empty()).collect();
    let lines = text.as_str().lines().zip(1_u32..).skip(first.saturating_sub(1) as usize);
    let mut hits: Vec<(usize, u32)> = lines
        .take_while(|(_, number)| *number <= last)
        .filter_map(|(line, number)| {
            let line = line.to_lowercase();
            let n_words = words.iter().filter(|word| line.contains(word.as_str())).count();
            (n_words > 0).then_some((n_words, number))
        })
        .collect();
    hits.sort_by_key(|(n_words, number)| (std::cmp::Reverse(*n_words), *number));
    hits.into_iter().map(|(_, number)| number).collect()
}

/// Ranges in order, those that overlap, touch or leave a small gap made one.
fn joined(mut ranges: Vec<RangeInclusive<u32>>) -> Vec<RangeInclusive<u32>> {
    ranges.sort_unstable_by_key(|range| (*range.start(), *range.end()));
    let mut joined: Vec<RangeInclusive<u32>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(SMALL_GAP + 1) => {
                *last = *last.start()..=*last.end().max(range.end());
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// The text of ranges within `whole`, with a mark for what is left out before, between and behind them; a small gap is shown.
fn code(text: &Redacted, ranges: &[RangeInclusive<u32>], whole: RangeInclusive<u32>) -> Safe {
    let mut code = Safe::default();
    let mut show = |first: u32, last: u32, is_kept: bool| {
        let n_lines = (first..=last).count();
        if n_lines > 0 && (is_kept || n_lines <= SMALL_GAP as usize) {
            code.push(&Safe::code(text, first..=last, LongLines::Cut));
        } else if n_lines > 0 {
            code.push(&Safe::format("[... lines {}-{} are not shown ...]\n", &[&Safe::number(first), &Safe::number(last)]));
        }
    };
    let mut next = *whole.start();
    for range in ranges {
        show(next, range.start().saturating_sub(1), false);
        show(*range.start(), *range.end(), true);
        next = range.end().saturating_add(1);
    }
    show(next, (*whole.end()).min(text.n_lines()), false);
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_with_a_small_gap_are_joined_and_larger_gaps_are_marked() {
        assert_eq!(joined(vec![7..=8, 1..=3, 2..=2, 13..=13]), [1..=8, 13..=13]);
        let text = Redacted::file("a", b"1\n2\n3\n4\n5\n6\n7\n8\n");
        let shown = |ranges: &[RangeInclusive<u32>], whole| code(&text, ranges, whole).as_str().to_owned();
        assert_eq!(shown(&[1..=2, 7..=7], 1..=7), "1\n2\n[... lines 3-6 are not shown ...]\n7\n");
        assert_eq!(shown(&[1..=2, 6..=6], 1..=6), "1\n2\n3\n4\n5\n6\n");
        assert_eq!(shown(&[5..=5], 1..=8), "[... lines 1-4 are not shown ...]\n5\n6\n7\n8\n");
        assert_eq!(shown(&[1..=4], 1..=8), "1\n2\n3\n4\n[... lines 5-8 are not shown ...]\n");
        assert_eq!(shown(&[3..=4], 2..=5), "2\n3\n4\n5\n");
        // A symbol of an older state of the file may end behind its end.
        assert_eq!(shown(&[7..=8], 7..=20), "7\n8\n");
    }
}
