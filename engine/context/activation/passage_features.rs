//! Fills in what is known of each passage that may matter: the features of `activate-rules`.
//!
//! Reads what was found of passages and what the policy derived; decides nothing.

use super::{Activated, Passage};
use activate_rules::atoms::{Energy, NodeId, PassageCue, Thousandths};
use activate_rules::columns::{Named, compare, log2};
use activate_rules::learnt::LIKELY;
use activate_rules::links::{Direction, LinkKind};
use activate_rules::passage_features::{Columns, Features, LEAST_ODDS, PassageFeature};
use index::base::{FactBase, FileFlags, SymbolKind, SymbolRow, Visibility};
use index::passages::PassageWords;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The most links of a definition that are looked at.
const MAX_LINKS: usize = 200;

/// The place of a file that is not active.
const UNPLACED: usize = 1_000;

/// The whole, in thousandths.
const WHOLE: u64 = 1_000;

/// A passage that is compared: where its words stand among those that were found, and what the cues say of it together.
pub(super) struct Candidate {
    pub(super) found: usize,
    pub(super) points: Energy,
    /// Definitions that begin in it, and those of them that words speak for.
    pub(super) n_definitions: (u32, u32),
    pub(super) passage: Passage,
}

/// The features of passages, beside each other.
pub(super) fn compared(
    base: &FactBase,
    activation: &Activated,
    found: &[PassageWords],
    candidates: &[Candidate],
) -> Vec<Columns> {
    let table = Table::new(base, activation, found, candidates);
    let rows: Vec<((), Features)> = candidates.iter().enumerate().map(|(at, _)| ((), table.features(at))).collect();
    compare::<PassageFeature, _, _, _>(&rows).into_iter().map(|((), columns)| columns).collect()
}

/// What is known of a file with passages.
#[derive(Default)]
struct OfFile {
    /// Its place among the active files, from 1.
    place: Option<usize>,
    odds: i32,
    n_passages: u32,
    n_candidates: u32,
    /// What the words say of all its passages, and of the best.
    words: u64,
    best: u32,
}

struct Table<'a> {
    base: &'a FactBase,
    activation: &'a Activated,
    found: &'a [PassageWords],
    candidates: &'a [Candidate],
    files: FxHashMap<NodeId, OfFile>,
    /// The place of each candidate in its file: by points, and by words.
    places: Vec<(u32, u32)>,
    /// The most points of the passages of each definition: of the best, and of the next.
    points: FxHashMap<NodeId, (Energy, Energy)>,
    task: Features,
}

impl<'a> Table<'a> {
    fn new(base: &'a FactBase, activation: &'a Activated, found: &'a [PassageWords], candidates: &'a [Candidate]) -> Self {
        let mut files: FxHashMap<NodeId, OfFile> = FxHashMap::default();
        for passage in found {
            let of_file = files.entry(passage.file).or_default();
            of_file.n_passages += 1;
            of_file.words += u64::from(passage.score);
            of_file.best = of_file.best.max(passage.score);
        }
        for (active, place) in activation.files.iter().zip(1..) {
            if let Some(of_file) = files.get_mut(&active.node) {
                of_file.place = Some(place);
            }
        }
        for (file, of_file) in &mut files {
            let known = activation.compared.binary_search_by_key(file, |(node, _)| *node).ok();
            of_file.odds =
                known.map_or(0, |at| (LIKELY.score(&activation.compared[at].1) - LEAST_ODDS).clamp(0, i32::MAX.into()) as i32);
        }
        let mut points: FxHashMap<NodeId, (Energy, Energy)> = FxHashMap::default();
        for candidate in candidates {
            if let Some(of_file) = files.get_mut(&candidate.passage.file) {
                of_file.n_candidates += 1;
            }
            if let Some(node) = candidate.passage.definition {
                let (best, next) = points.entry(node).or_default();
                *next = candidate.points.min(*best).max(*next);
                *best = candidate.points.max(*best);
            }
        }
        let mut places = vec![(0, 0); candidates.len()];
        let mut number = |key: &dyn Fn(&Candidate) -> i64, set: &dyn Fn(&mut (u32, u32), u32)| {
            let mut order: Vec<usize> = (0..candidates.len()).collect();
            order.sort_by_key(|at| (candidates[*at].passage.file, Reverse(key(&candidates[*at])), candidates[*at].passage.lines));
            let mut before = (None, 0);
            for at in order {
                let file = Some(candidates[at].passage.file);
                before = if before.0 == file { (file, before.1 + 1) } else { (file, 1) };
                set(&mut places[at], before.1);
            }
        };
        number(&|candidate| candidate.points.0.into(), &|place, number| place.0 = number);
        number(&|candidate| found[candidate.found].score.into(), &|place, number| place.1 = number);
        let mut task = [0; PassageFeature::ALL.len()];
        let mut set = |feature: PassageFeature, value: u64| task[feature as usize] = i32::try_from(value).unwrap_or(i32::MAX);
        set(PassageFeature::TaskWords, activation.intent.terms.len() as u64);
        set(PassageFeature::TaskBytes, log2(activation.intent.text.len() as u64));
        set(PassageFeature::TaskTargets, activation.intent.targets.len() as u64);
        set(PassageFeature::Candidates, candidates.len() as u64);
        set(PassageFeature::CandidateFiles, files.values().filter(|file| file.n_candidates > 0).count() as u64);
        Self { base, activation, found, candidates, files, places, points, task }
    }

    fn features(&self, at: usize) -> Features {
        use PassageFeature as Of;
        let (base, derived) = (self.base, &self.activation.derived);
        let Candidate { found, points, n_definitions, passage } = &self.candidates[at];
        let words = &self.found[*found];
        let file = passage.file;
        let mut features = self.task;
        let mut set = |feature: Of, value: i64| features[feature as usize] = value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let cue = |cue: PassageCue| {
            passage.parts.iter().find(|(of, _)| *of == cue).map_or(0, |(_, strength)| i64::from(Thousandths::get(*strength)))
        };
        set(Of::Points, points.0.into());
        for (feature, of) in [
            (Of::Named, PassageCue::Named),
            (Of::Definition, PassageCue::Definition),
            (Of::Calls, PassageCue::Calls),
            (Of::History, PassageCue::History),
            (Of::Role, PassageCue::Role),
            (Of::Head, PassageCue::Head),
        ] {
            set(feature, cue(of).min(if of == PassageCue::Head { 1 } else { i64::MAX }));
        }
        set(Of::Words, words.score.into());
        set(Of::Coverage, words.rarity.into());
        set(Of::NameCoverage, words.named_rarity.into());
        set(Of::Rarest, words.rarest.into());
        set(Of::Terms, words.terms.len() as i64);
        set(Of::FileRank, derived.rank_score(file).get().into());
        set(Of::FileScore, derived.score(file).unwrap_or_default().0.into());
        let n_lines = u64::from(base.n_lines(file)).max(1);
        if let Some(of_file) = self.files.get(&file) {
            set(Of::FilePlace, of_file.place.unwrap_or(UNPLACED) as i64);
            set(Of::FileOdds, of_file.odds.into());
            set(Of::FilePassages, of_file.n_passages.into());
            set(Of::FileCandidates, of_file.n_candidates.into());
            set(Of::FileShare, (u64::from(words.score) * WHOLE / of_file.words.max(1)) as i64);
            set(Of::FileBest, (u64::from(words.score) * WHOLE / u64::from(of_file.best.max(1))) as i64);
        }
        let (by_points, by_words) = self.places[at];
        set(Of::PlaceInFile, by_points.into());
        set(Of::PlaceByWords, if words.score > 0 { by_words.into() } else { 0 });
        set(Of::Position, (u64::from(passage.lines.0) * WHOLE / n_lines) as i64);
        let beside = |at: Option<usize>| at.and_then(|at| self.found.get(at)).filter(|other| other.file == file);
        set(Of::Before, beside(found.checked_sub(1)).map_or(0, |other| other.score.into()));
        set(Of::After, beside(Some(found + 1)).map_or(0, |other| other.score.into()));
        let n_passage_lines = u64::from(passage.lines.1.saturating_sub(passage.lines.0)) + 1;
        set(Of::Lines, n_passage_lines as i64);
        set(Of::LineBytes, (u64::from(passage.n_bytes) / n_passage_lines) as i64);
        set(Of::FileLines, log2(n_lines) as i64);
        set(Of::Test, base.flags(file).has(FileFlags::TEST).into());
        set(Of::Text, base.language(file).is_none().into());
        set(Of::Definitions, n_definitions.0.into());
        set(Of::DefinitionsNamed, n_definitions.1.into());
        if let Some(row) = passage.definition.and_then(|node| base.symbol(node)) {
            for (feature, value) in self.of_definition(&row, *points, passage) {
                set(feature, value);
            }
        }
        features
    }

    /// What is known of the definition of a passage.
    fn of_definition(&self, row: &SymbolRow<'_>, points: Energy, passage: &Passage) -> Vec<(PassageFeature, i64)> {
        use PassageFeature as Of;
        let (base, derived) = (self.base, &self.activation.derived);
        // How many links lead in and out, and the most points at their other ends.
        let (mut inward, mut outward) = ((0_u64, Energy::ZERO), (0_u64, Energy::ZERO));
        let links = base.links_of(row.node).filter(|link| link.kind != LinkKind::ContainedBy && link.kind != LinkKind::Contains);
        for link in links.take(MAX_LINKS) {
            let linked = self.points.get(&link.to).map_or(Energy::ZERO, |(best, _)| *best);
            let way = if link.kind.info().direction == Direction::UsedBy { &mut inward } else { &mut outward };
            *way = (way.0 + 1, way.1.max(linked));
        }
        let (best, next) = self.points.get(&row.node).copied().unwrap_or_default();
        vec![
            (Of::Kind, kind(row.kind)),
            (Of::Exported, (row.visibility == Visibility::Public).into()),
            (Of::Evidence, derived.evidence(row.node).unwrap_or_default().0.into()),
            (Of::Support, derived.support(row.node).get().into()),
            (Of::Score, derived.score(row.node).unwrap_or_default().0.into()),
            (Of::Begins, (passage.lines.0..=passage.lines.1).contains(&row.lines.0).into()),
            (Of::DefinitionLines, i64::from(row.lines.1.saturating_sub(row.lines.0)) + 1),
            (Of::Used, log2(inward.0 + 1) as i64),
            (Of::Uses, log2(outward.0 + 1) as i64),
            (Of::UserPoints, inward.1.0.into()),
            (Of::UsedPoints, outward.1.0.into()),
            (Of::PartPoints, if points == best { next } else { best }.0.into()),
        ]
    }
}

const fn kind(kind: SymbolKind) -> i64 {
    match kind {
        SymbolKind::Function => 1,
        SymbolKind::Method => 2,
        SymbolKind::Type => 3,
        SymbolKind::Interface => 4,
        SymbolKind::Alias => 5,
        SymbolKind::Constant => 6,
        SymbolKind::Variable => 7,
        SymbolKind::Module => 8,
        SymbolKind::Macro => 9,
        SymbolKind::Test => 10,
    }
}
