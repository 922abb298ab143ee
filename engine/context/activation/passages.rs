//! Which passages of the likely files matter: what speaks for each, as the policy adds it up.
//!
//! Translates and sorts only: a passage has its score from the rules.

use super::failing::{Failing, Part, Turn};
use super::hidden::HiddenLines;
use super::passage_features::Candidate;
use super::passage_worth::learn;
use super::{Activated, Active, Role};
use crate::worth::n_lines;
use activate_rules::atoms::{Energy, NodeId, PassageCue, PassageId, Thousandths};
use activate_rules::facts::{PassageParts, worth};
use activate_rules::links::LinkKind;
use activate_rules::passage_features::Columns;
use activate_rules::weights::{PackingWeights, PassageFallWeights, PassageRoleWeights};
use index::base::{FactBase, FileFlags, SymbolKind, SymbolRow};
use index::history::PastCommits;
use index::passages::{PassageWords, Texts, find};
use index::past_lines::{Diff, PastLines};
use intent::failures::Failures;
use intent::{FileKinds, log2};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The likeliest files in which passages are looked for. On 420 changes of the past later files than the twentieth added nothing in
/// 8,000 tokens.
const MAX_FILES: usize = 24;
/// The likeliest files, of which definitions are candidates by how high they stand, whatever words say.
const MAX_DEEP: usize = 10;
/// The most passages that the rules see: those of which most is said.
const MAX_PASSAGES: usize = 600;
/// The likeliest files of which it is looked up which lines commits changed.
const MAX_CHANGED_FILES: usize = 20;
/// The most definitions whose callers' lines speak for a passage, and the most calls of one that are looked at.
const MAX_CALLED: usize = 12;
const MAX_CALLS: usize = 200;
/// The whole, in thousandths.
const WHOLE: u32 = 1000;
/// The most words that a passage is said to hold.
const MAX_WORDS: usize = 3;

/// A passage that something speaks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The file.
    pub file: NodeId,
    /// First and last line.
    pub lines: (u32, u32),
    /// The definition that it is, that it is part of, or the highest that begins in it.
    pub definition: Option<NodeId>,
    /// What speaks for it, in points.
    pub score: Energy,
    /// What speaks for it, each with its strength.
    pub parts: Vec<(PassageCue, Thousandths)>,
    /// Words of the task that stand in it, those that say most first.
    pub words: Vec<String>,
    /// The line that says most.
    pub best_line: u32,
    /// Bytes of its lines.
    pub n_bytes: u32,
    /// Whether something fails in its lines, the best one among them.
    pub fails: bool,
    /// When it is to be read, where something fails in it or is called by what fails.
    pub turn: Option<Turn>,
    /// What was learnt adds to its score, in points.
    pub learnt: Energy,
    /// The passage beside the others, where that is learnt.
    pub columns: Option<Box<Columns>>,
}

impl Passage {
    /// Whether it is of a definition: that begins in it, or it is a part of what that does.
    pub fn is_of(&self, row: &SymbolRow<'_>) -> bool {
        is_of(row, self.lines)
    }
}

/// What is read for passages.
pub struct Reads<'a> {
    /// Files as they are, masked.
    pub texts: Texts<'a>,
    /// What commits changed.
    pub diff: Diff<'a>,
    /// The commits.
    pub past: &'a PastCommits,
}

/// The passages of what is active, what fails first, then by score, path and line.
pub fn passages(base: &FactBase, activation: &Activated, failures: &Failures, reads: &Reads<'_>) -> Vec<Passage> {
    let mut failing = Failing::new(base, failures, &activation.derived);
    let files = files(base, activation, &failing);
    let hidden = HiddenLines::new(base, &activation.derived, &files);
    failing.lines.retain(|(_, file, line)| !hidden.has(*file, *line));
    let terms = &activation.intent.terms;
    let newest = &files[..files.len().min(MAX_CHANGED_FILES)];
    let past = PastLines::find(base, reads.past, terms, &activation.weights.reading.history, newest, reads.diff);
    let found = find(base, terms, &files, &activation.weights.passage_text, &past, reads.texts);
    let places = files.iter().copied().zip(0..).collect();
    let has_code = files.iter().any(|file| base.language(*file).is_some());
    let mut failing_by_file: FxHashMap<NodeId, Vec<(u32, Turn)>> = FxHashMap::default();
    for (turn, file, line) in &failing.lines {
        failing_by_file.entry(*file).or_default().push((*line, *turn));
    }
    for lines in failing_by_file.values_mut() {
        lines.sort_unstable();
    }
    let reader = Reader { base, activation, failing, failing_by_file, places, hidden, best: best(&found), has_code };
    let calls = reader.calls();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut at = 0;
    for of_file in found.chunk_by(|one, other| one.file == other.file) {
        reader.add(at, of_file, &calls, &mut candidates);
        at += of_file.len();
    }
    if candidates.len() > MAX_PASSAGES {
        candidates.sort_by_key(|Candidate { passage, points, .. }| {
            (passage.turn.is_none(), Reverse(*points), passage.file, passage.lines)
        });
        candidates.truncate(MAX_PASSAGES);
    }
    learn(base, activation, &found, &mut candidates);
    let parts: PassageParts = candidates
        .iter()
        .zip(0..)
        .flat_map(|(one, id)| one.passage.parts.iter().map(move |(cue, strength)| (PassageId(id), *cue, *strength)))
        .collect();
    let learnt: Vec<(PassageId, Energy)> =
        candidates.iter().zip(0..).map(|(one, id)| (PassageId(id), one.passage.learnt)).collect();
    for (PassageId(id), score) in worth(&activation.weights.passages, &parts, &learnt) {
        candidates[id as usize].passage.score = score;
    }
    let mut passages: Vec<Passage> = candidates.into_iter().map(|one| one.passage).collect();
    let is_later = |passage: &Passage| passage.turn.is_none();
    passages.sort_by_key(|one| (is_later(one), one.turn, Reverse(one.score), one.file, one.lines));
    reader.hidden.cut(passages, reads.texts)
}

/// Definitions of a file that are listed for their passages though more of them than fit stand before these by what speaks for their file.
const MAX_BY_PASSAGE: usize = 3;

/// Puts definitions in the order of the best passages that are theirs; those without a passage follow as they stood. Where the task names no
/// definition, the best of each file come in of those that had no place in the list: on 325 changes of the past a right one is then within ten in
/// .69 of the described ones, else in .67 (2026-11-27); where it names some, they would stand before these.
pub fn order_symbols(base: &FactBase, activation: &mut Activated) {
    let mut of_file: FxHashMap<NodeId, Vec<(usize, &Passage)>> = FxHashMap::default();
    for (place, (passage, _)) in by_standing(activation).into_iter().enumerate() {
        of_file.entry(passage.file).or_default().push((place, passage));
    }
    let place = |active: &Active| {
        let row = base.symbol(active.node)?;
        let passages = of_file.get(&base.file_of(active.node))?;
        passages.iter().find(|(_, passage)| passage.is_of(&row)).map(|(place, _)| *place)
    };
    let all = activation.symbols.iter().chain(&activation.beyond);
    let places: FxHashMap<NodeId, usize> = all.filter_map(|active| Some((active.node, place(active)?))).collect();
    let mut beyond = std::mem::take(&mut activation.beyond);
    if activation.intent.targets.iter().any(|target| base.is_symbol(target.node)) {
        beyond.clear();
    }
    beyond.retain(|active| places.contains_key(&active.node));
    beyond.sort_by_key(|active| places[&active.node]);
    let mut n_of: FxHashMap<NodeId, usize> = FxHashMap::default();
    beyond.retain(|active| {
        let n_listed = n_of.entry(base.file_of(active.node)).or_default();
        *n_listed += 1;
        *n_listed <= MAX_BY_PASSAGE
    });
    activation.n_left_out -= beyond.len() as u32;
    activation.symbols.append(&mut beyond);
    activation.symbols.sort_by_key(|active| places.get(&active.node).copied().unwrap_or(usize::MAX));
}

/// The passages in the order that definitions take from them, each with its points there: a definition is sooner changed the more lines it has, so a
/// doubling of lines counts in part like a doubling of the worth of each line.
fn by_standing(activation: &Activated) -> Vec<(&Passage, Energy)> {
    let points = |passage: &Passage| passage.score + for_lines(n_lines(passage), &activation.weights.packing);
    let mut passages: Vec<(&Passage, Energy)> = activation.passages.iter().map(|passage| (passage, points(passage))).collect();
    passages
        .sort_by_key(|(passage, points)| (passage.turn.is_none(), passage.turn, Reverse(*points), passage.file, passage.lines));
    passages
}

/// What so many lines add to the points of a passage in the order of definitions.
fn for_lines(n_lines: u64, packing: &PackingWeights) -> Energy {
    let doublings = log2(n_lines) as i64 * i64::from(packing.definition_lines.get()) / i64::from(WHOLE);
    Energy((i64::from(packing.doubling.0) * doublings / i64::from(WHOLE)) as i32)
}

/// Where the best passage that is a definition's stands in the order of definitions, from 0, with its points there.
pub(super) fn passage_of(base: &FactBase, activation: &Activated, node: NodeId) -> Option<(usize, Energy)> {
    let (row, file) = (base.symbol(node)?, base.file_of(node));
    let mut passages = by_standing(activation).into_iter().enumerate();
    passages.find(|(_, (passage, _))| passage.file == file && passage.is_of(&row)).map(|(place, (_, points))| (place, points))
}

/// The files in which passages are looked for, the likeliest first: those that are listed, and those in which something fails.
fn files(base: &FactBase, activation: &Activated, failing: &Failing) -> Vec<NodeId> {
    let listed = activation.files.iter().map(|file| file.node).take(MAX_FILES);
    let defined = activation.symbols.iter().map(|symbol| base.file_of(symbol.node)).take(MAX_FILES);
    let failed = failing.lines.iter().map(|(_, file, _)| *file);
    let named = activation.intent.targets.iter().map(|target| base.file_of(target.node));
    let mut files: Vec<NodeId> = Vec::new();
    for file in listed.chain(defined).chain(failed.take(MAX_FILES)).chain(named.take(MAX_FILES)) {
        let is_text = base.is_file(file) && !base.flags(file).has(FileFlags::BINARY);
        if is_text && !activation.is_hidden(base, file) && !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

fn best(found: &[PassageWords]) -> u32 {
    found.iter().map(|passage| passage.score).max().unwrap_or_default()
}

/// A strength that falls with the logarithm of a place, from the whole at the first to nothing at the last that counts.
fn by_place(place: usize, weights: &PassageFallWeights) -> u32 {
    let lost = log2(place as u64 + 1) * u64::from(WHOLE) / log2(weights.last_place.into()).max(1);
    WHOLE.saturating_sub(lost as u32)
}

/// Reads what was activated, passage by passage.
struct Reader<'r> {
    base: &'r FactBase,
    activation: &'r Activated,
    failing: Failing,
    /// Its lines, in order.
    failing_by_file: FxHashMap<NodeId, Vec<(u32, Turn)>>,
    /// The place of each file that is looked at.
    places: FxHashMap<NodeId, usize>,
    /// What is not shown of them.
    hidden: HiddenLines,
    /// The most that words say of any passage.
    best: u32,
    /// Whether there is a likely file in a language that is understood: then others are what is beside the code.
    has_code: bool,
}

impl Reader<'_> {
    /// The lines on which definitions that stand high are called, with how high, by file.
    fn calls(&self) -> FxHashMap<NodeId, Vec<(u32, u32)>> {
        let mut calls: FxHashMap<NodeId, Vec<(u32, u32)>> = FxHashMap::default();
        let named = |node: NodeId| self.activation.intent.targets.iter().any(|target| target.node == node);
        let called = self.activation.symbols.iter().filter(|active| active.role == Role::Target || named(active.node));
        for active in called.take(MAX_CALLED) {
            let strength = (i64::from(active.score.0) / 100).clamp(0, i64::from(WHOLE)) as u32;
            let callers = self.base.links_of(active.node).filter(|link| link.kind == LinkKind::CalledBy);
            for link in callers.take(MAX_CALLS) {
                let file = self.base.file_of(link.to);
                if !self.hidden.has(file, link.line) {
                    calls.entry(file).or_default().push((link.line, strength));
                }
            }
        }
        calls
    }

    /// Adds the passages of one file that something speaks for; its first one was found as number `first_found`.
    fn add(
        &self,
        first_found: usize,
        of_file: &[PassageWords],
        calls: &FxHashMap<NodeId, Vec<(u32, u32)>>,
        out: &mut Vec<Candidate>,
    ) {
        let Some(file) = of_file.first().map(|passage| passage.file) else { return };
        let (base, derived, weights) = (self.base, &self.activation.derived, &self.activation.weights);
        let symbols = base.symbols_of(file).map(NodeId).filter(|node| !derived.is_hidden(*node, file));
        let symbols: Vec<SymbolRow<'_>> = symbols.filter_map(|node| base.symbol(node)).collect();
        // What words say of hidden lines says nothing of those beside them.
        let has_words = |passage: &PassageWords| passage.score > 0 && !self.hidden.has(file, passage.best_line);
        let mut order: Vec<usize> = (0..of_file.len()).filter(|at| has_words(&of_file[*at])).collect();
        order.sort_by_key(|at| (Reverse(of_file[*at].score), *at));
        let ranks: FxHashMap<usize, usize> = order.into_iter().zip(0..).collect();
        let rank_score = derived.rank_score(file).get();
        let halvings = u64::from(weights.passage_fall.halvings.max(1));
        let floor = log2(1_000_000).saturating_sub(halvings * 1000);
        let by_rank = (log2(u64::from(rank_score.max(1))).saturating_sub(floor) / halvings).min(u64::from(WHOLE)) as u32;
        let score =
            derived.score(file).map_or(0, |score| i64::from(score.0) * i64::from(WHOLE) / i64::from(weights.exact.0.max(1)));
        let score = score.clamp(0, i64::from(WHOLE)) as u32;
        let is_deep = self.places.get(&file).is_some_and(|place| *place < MAX_DEEP);
        let place = self.places.get(&file).copied().map_or(0, |place| by_place(place, &weights.passage_fall));
        let mut by_passage: Vec<Vec<&SymbolRow<'_>>> = vec![Vec::new(); of_file.len()];
        for row in &symbols {
            let from = of_file.partition_point(|passage| passage.lines.1 < row.first_line().min(row.lines.0));
            let touched =
                of_file.iter().zip(&mut by_passage).skip(from).take_while(|(passage, _)| passage.lines.0 <= row.lines.1);
            touched.filter(|(passage, _)| is_of(row, passage.lines)).for_each(|(_, here)| here.push(row));
        }
        for ((at, passage), here) in of_file.iter().enumerate().zip(by_passage) {
            let (first, last) = passage.lines;
            let own = |row: &&&SymbolRow<'_>| (derived.rank_score(row.node), Reverse(row.node));
            let definition = here.iter().max_by_key(own).map(|row| row.node);
            let high = definition.map_or(0, |node| derived.rank_score(node).get() / 1000);
            let is_own = |node: &NodeId| derived.evidence(*node).is_some() || derived.support(*node).get() > 0;
            let own = definition.filter(|node| is_deep || is_own(node)).map_or(0, |_| high);
            let named = self.named(file, passage.lines, &here);
            let (fails, turn) = self.fails(file, passage.lines, &here);
            let says = if has_words(passage) { passage.score } else { 0 };
            let words = (u64::from(says) * u64::from(WHOLE) / u64::from(self.best.max(1))) as u32;
            let called = calls.get(&file).into_iter().flatten().filter(|(line, _)| (first..=last).contains(line));
            let called = called.map(|(_, strength)| *strength).max().unwrap_or_default();
            // That it stands in an active file is not a reason to show it, unless that is one of the likeliest.
            if [own, named, fails, words, called, passage.changed].iter().all(|strength| *strength == 0) {
                continue;
            }
            let is_head = at == 0 && here.is_empty();
            let strengths = [
                (PassageCue::Named, named),
                (PassageCue::Fails, fails),
                (PassageCue::Definition, high),
                (PassageCue::Words, words),
                (PassageCue::First, ranks.get(&at).copied().map_or(0, |place| by_place(place, &weights.passage_fall))),
                (PassageCue::Calls, called),
                (PassageCue::History, passage.changed),
                (PassageCue::Head, if is_head { WHOLE } else { 0 }),
                (PassageCue::Place, place),
                (PassageCue::File, by_rank),
                (PassageCue::Score, score),
                (PassageCue::Role, self.role(file, &here, &weights.passage_roles)),
            ];
            let failing_line = self.failing_line(file, passage.lines);
            let parts = strengths.into_iter().filter(|(_, strength)| *strength > 0);
            let parts: Vec<_> = parts.map(|(cue, strength)| (cue, Thousandths::new(strength.min(WHOLE)))).collect();
            // What the rules will say.
            let said = parts.iter().map(|(cue, strength)| weights.passages.of(*cue).times(strength.ratio()));
            let points = said.fold(Energy::ZERO, |sum, part| sum + part);
            let begins = here.iter().filter(|row| (first..=last).contains(&row.lines.0));
            let n_definitions =
                begins.fold((0, 0), |(n, n_named), row| (n + 1, n_named + u32::from(derived.evidence(row.node).is_some())));
            let terms = passage.terms.iter().filter(|_| has_words(passage));
            let words = terms.filter_map(|term| self.activation.intent.terms.get(*term));
            let passage = Passage {
                file,
                lines: passage.lines,
                definition,
                score: Energy::ZERO,
                parts,
                words: words.take(MAX_WORDS).map(|term| term.text.clone()).collect(),
                n_bytes: passage.n_bytes,
                fails: failing_line.is_some(),
                best_line: failing_line.unwrap_or(passage.best_line),
                turn,
                learnt: Energy::ZERO,
                columns: None,
            };
            out.push(Candidate { found: first_found + at, points, n_definitions, passage });
        }
    }

    /// How surely the task names lines of a passage, or the definition that it is part of.
    fn named(&self, file: NodeId, (first, last): (u32, u32), here: &[&SymbolRow<'_>]) -> u32 {
        let targets = &self.activation.intent.targets;
        let is_here = |node: NodeId| here.iter().any(|row| row.node == node);
        let shares = targets.iter().filter_map(|target| match target.line {
            Some(line) => (self.base.file_of(target.node) == file && (first..=last).contains(&line)).then_some(target.share),
            None => is_here(target.node).then_some(target.share),
        });
        shares.map(Thousandths::get).max().unwrap_or_default()
    }

    /// How much of what fails stands in a passage, and when that is to be read.
    fn fails(&self, file: NodeId, (first, last): (u32, u32), here: &[&SymbolRow<'_>]) -> (u32, Option<Turn>) {
        let by_line = self.failing_lines(file, (first, last)).iter().map(|(_, turn)| *turn).min();
        let has_line = |row: &SymbolRow<'_>| !self.failing_lines(file, row.lines).is_empty();
        let by_symbol =
            here.iter().filter_map(|row| Some((self.failing.part(row.node)?, *row))).filter_map(|((turn, part), row)| {
                // Of a definition with a failing line, that line is what is to be read.
                (part != Part::Fails || !has_line(row)).then_some(turn)
            });
        let turn = by_line.into_iter().chain(by_symbol).min();
        let fall = &self.activation.weights.passage_fall;
        let by_turn = |turn: Turn| WHOLE.saturating_sub(turn.number().saturating_mul(fall.turn_step.get()));
        let strength = turn.map_or(0, |turn| by_turn(turn).max(fall.least_turn.get()));
        (strength, turn)
    }

    fn failing_line(&self, file: NodeId, (first, last): (u32, u32)) -> Option<u32> {
        self.failing_lines(file, (first, last)).iter().min_by_key(|(line, turn)| (*turn, *line)).map(|(line, _)| *line)
    }

    /// The lines of a file in which something fails, within these.
    fn failing_lines(&self, file: NodeId, (first, last): (u32, u32)) -> &[(u32, Turn)] {
        let lines = self.failing_by_file.get(&file).map_or(&[][..], Vec::as_slice);
        let of = lines.partition_point(|(line, _)| *line < first)..lines.partition_point(|(line, _)| *line <= last);
        lines.get(of).unwrap_or_default()
    }

    /// What is left of a passage in a file that is seldom meant.
    fn role(&self, file: NodeId, here: &[&SymbolRow<'_>], roles: &PassageRoleWeights) -> u32 {
        let flags = self.base.flags(file);
        let FileKinds { tests, documents, examples } = self.activation.intent.wanted;
        let is_test = flags.has(FileFlags::TEST) || here.iter().any(|row| super::failing::is_of_tests(self.base, row.node));
        let rows = [
            (is_test && !tests, roles.test),
            (flags.has(FileFlags::GENERATED), roles.generated),
            (flags.has(FileFlags::VENDORED), roles.vendored),
            (flags.has(FileFlags::EXAMPLE) && !examples, roles.example),
            (flags.has(FileFlags::DOCUMENT) && !documents, roles.document),
            // Settings, locks and data.
            (self.has_code && self.base.language(file).is_none(), roles.document),
        ];
        rows.iter().filter(|(applies, _)| *applies).map(|(_, left)| left.get()).min().unwrap_or(WHOLE)
    }
}

/// Whether a passage is of a definition: that begins in it, or it is a part of what that does.
fn is_of(row: &SymbolRow<'_>, (first, last): (u32, u32)) -> bool {
    let begins = (first..=last).contains(&row.lines.0) || (first..=last).contains(&row.first_line());
    let holds = row.lines.0 <= first && last <= row.lines.1;
    let does = matches!(row.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro | SymbolKind::Test);
    row.kind != SymbolKind::Module && (begins || holds && does)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_factor_of_two_for_each_doubling_of_lines() {
        let packing = PackingWeights { doubling: Energy::points(14), ..PackingWeights::default() };
        assert_eq!([1, 2, 8, 40].map(|lines| for_lines(lines, &packing).to_string()), ["0", "7", "21", "36.75"]);
    }
}
