//! Fills in what is known of each file that may be meant: the features of `activate-rules`.
//!
//! Reads the intent, the text index, past commits and what the policy derived; decides nothing.

use super::Activated;
use activate_rules::atoms::{Cause, Cue, Hops, Millionths, NodeId};
use activate_rules::columns::{Named, compare, log2};
use activate_rules::facts::Derived;
use activate_rules::features::{Columns, Feature, Features};
use activate_rules::links::{Direction, LinkAttribute, LinkKind};
use activate_rules::weights::Weights;
use index::base::{FactBase, FileFlags};
use index::history::PastCommits;
use index::text::{Field, FieldScores, FieldWeights, QueryRarity, Scores};
use intent::Intent;
use rustc_hash::{FxHashMap, FxHashSet};

/// The files that have most of the task's words, which are compared whatever else speaks for them.
const MAX_BY_TEXT: usize = 300;

/// The most files that are compared: those with the greatest scores.
const MAX_COMPARED: usize = 1_000;

/// The likeliest files by rule, for which history is asked what changed with them.
const N_FIRSTS: usize = 10;

/// What stands for a change that is not known: more commits, and more days, than any that are.
const NEVER_COMMITS: i32 = 100_000;
const NEVER_DAYS: i32 = 10_000;

/// The newest commits that are lately, and often.
const LATELY: u32 = 30;
const OFTEN: u32 = 300;

/// The number of commits after which a change counts half.
const CHURN_HALF: u64 = 100;

/// Links to what is not reached.
const UNREACHED: i32 = 9;

const SECONDS_A_DAY: u64 = 24 * 60 * 60;

/// Names of files that stand for the folder they are in.
const INDEX_STEMS: [&str; 6] = ["mod", "index", "__init__", "lib", "main", "doc"];

/// What features are read from.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) base: &'a FactBase,
    pub(super) past: &'a PastCommits,
    pub(super) intent: &'a Intent,
    pub(super) weights: &'a Weights,
    pub(super) added: &'a [(NodeId, NodeId, LinkAttribute)],
    pub(super) derived: &'a Derived,
}

/// The source files that may be meant, compared with each other, in path order.
pub fn compared(base: &FactBase, past: &PastCommits, activated: &Activated) -> Vec<(NodeId, Columns)> {
    let Activated { intent, weights, added, derived, .. } = activated;
    compare::<Feature, _, _, _>(&features(Sources { base, past, intent, weights, added, derived }, &[]))
}

/// The features of all source files that may be meant, those that are `beside` among them, in path order.
pub(super) fn features(sources: Sources<'_>, beside: &[NodeId]) -> Vec<(NodeId, Features)> {
    let Sources { base, intent, weights, derived, .. } = sources;
    let field_weights = FieldWeights::from(&weights.text);
    let index = base.text().ok();
    let mut files: Vec<NodeId> = derived.scores.iter().map(|(node, _)| *node).filter(|node| base.is_file(*node)).collect();
    if files.len() > MAX_COMPARED {
        files.sort_by_key(|file| (std::cmp::Reverse(derived.score(*file)), *file));
        files.truncate(MAX_COMPARED);
    }
    files.extend(derived.evidence.iter().map(|(node, _)| *node).filter(|node| base.is_file(*node)));
    if let Some(index) = &index {
        let hits = index.search(
            &intent.terms,
            &field_weights,
            MAX_BY_TEXT,
            |doc| is_compared(base, NodeId(doc)),
            &mut Scores::default(),
        );
        files.extend(hits.iter().map(|hit| NodeId(hit.doc)));
    }
    files.extend(beside);
    files.retain(|file| is_compared(base, *file));
    files.sort_unstable();
    files.dedup();
    let docs: Vec<u32> = files.iter().map(|file| file.0).collect();
    let (texts, rarity) = match &index {
        Some(index) => index.field_scores(&docs, &intent.terms, &field_weights),
        None => (vec![FieldScores::default(); files.len()], QueryRarity::default()),
    };
    let table = Table::new(sources, &files, &texts, rarity);
    let mut features: Vec<(NodeId, Features)> =
        files.iter().zip(&texts).map(|(file, text)| (*file, table.features(*file, text))).collect();
    number(&mut features, derived);
    features
}

/// Numbers the files as rules order them: what is certain by its score, the others by share, then by what words say.
fn number(files: &mut [(NodeId, Features)], derived: &Derived) {
    let key = |(node, features): &(NodeId, Features)| {
        let of = |feature: Feature| features[feature as usize];
        let certain = if derived.certain.binary_search(node).is_ok() { of(Feature::Score) } else { 0 };
        std::cmp::Reverse((certain, of(Feature::Share), of(Feature::Score), of(Feature::Bm25)))
    };
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|at| files.get(*at).map(key));
    for (at, place) in order.into_iter().zip(1..) {
        files[at].1[Feature::Place as usize] = place;
    }
}

/// Whether a file is one of those that are compared: source of a language that is not a test.
pub(super) fn is_compared(base: &FactBase, file: NodeId) -> bool {
    base.language(file).is_some() && !base.flags(file).has(FileFlags::TEST)
}

/// What is looked up for each file.
struct Table<'a> {
    sources: Sources<'a>,
    rarity: QueryRarity,
    /// Strengths of the cues of files.
    cues: FxHashMap<(NodeId, Cue), i32>,
    /// Of each file the greatest evidence of a definition, their sum, and their number.
    definitions: FxHashMap<NodeId, (i32, i32, i32)>,
    like: FxHashMap<NodeId, (i32, i32)>,
    hops: FxHashMap<NodeId, Hops>,
    /// The files in which the task spells out a place, or something fails or was changed.
    spelled_out: FxHashSet<NodeId>,
    /// Of each file what it has in common with the first and with the first ten.
    with: FxHashMap<NodeId, (i32, i32)>,
    /// Of each folder the sum, the best score with its file, and the best of another.
    folders: FxHashMap<&'a str, (i32, NodeId, i32, i32)>,
    task: Features,
}

impl<'a> Table<'a> {
    fn new(sources: Sources<'a>, files: &[NodeId], texts: &[FieldScores], rarity: QueryRarity) -> Self {
        let Sources { base, past, intent, added, derived, .. } = sources;
        let cues = derived.cue_hits.iter().filter(|(node, ..)| base.is_file(*node));
        let cues = cues.map(|(node, cue, strength)| ((*node, *cue), strength.get() as i32)).collect();
        let mut definitions: FxHashMap<NodeId, (i32, i32, i32)> = FxHashMap::default();
        for (node, energy) in derived.evidence.iter().filter(|(node, _)| base.is_symbol(*node)) {
            let (best, sum, n) = definitions.entry(base.file_of(*node)).or_default();
            *best = energy.0.max(*best);
            *sum = sum.saturating_add(energy.0);
            *n += 1;
        }
        let mut hops: FxHashMap<NodeId, Hops> = FxHashMap::default();
        for (node, n, _) in &derived.reached {
            let known = hops.entry(base.file_of(*node)).or_insert(*n);
            *known = (*n).min(*known);
        }
        hops.extend(derived.seeds.iter().map(|(node, ..)| (base.file_of(*node), Hops::NONE)));
        let spelled = intent.targets.iter().filter(|target| target.is_spelled_out).map(|target| base.file_of(target.node));
        let caused = derived.seeds.iter().filter(|(_, _, cause, _)| cause.is_certain() && *cause != Cause::Exact);
        let spelled_out = spelled.chain(caused.map(|(node, ..)| base.file_of(*node))).collect();
        let mut ranked: Vec<_> = derived.evidence.iter().filter(|(node, _)| base.is_file(*node)).collect();
        ranked.sort_by_key(|(node, energy)| (std::cmp::Reverse(*energy), *node));
        let firsts: Vec<NodeId> = ranked.iter().take(N_FIRSTS).map(|(node, _)| *node).collect();
        let mut with: FxHashMap<NodeId, (i32, i32)> = FxHashMap::default();
        for (from, to, link) in
            added.iter().filter(|(from, _, link)| link.kind() == LinkKind::ChangedWith && firsts.contains(from))
        {
            let strength = 1000 / i32::from(link.damping().max(1));
            let (first, any) = with.entry(*to).or_default();
            if firsts.first() == Some(from) {
                *first = strength.max(*first);
            }
            *any = strength.max(*any);
        }
        let mut folders: FxHashMap<&str, (i32, NodeId, i32, i32)> = FxHashMap::default();
        for (file, text) in files.iter().zip(texts) {
            let row = folders.entry(folder(base.path(*file))).or_insert((0, *file, 0, 0));
            row.0 = row.0.saturating_add(text.all);
            if text.all > row.2 {
                *row = (row.0, *file, text.all, row.2);
            } else {
                row.3 = row.3.max(text.all);
            }
        }
        let mut task = [0; Feature::ALL.len()];
        let mut set = |feature: Feature, value: u64| task[feature as usize] = i32::try_from(value).unwrap_or(i32::MAX);
        set(Feature::TaskWords, intent.terms.len() as u64);
        set(Feature::TaskBytes, log2(intent.text.len() as u64));
        set(Feature::TaskRarest, rarity.greatest.into());
        let covered = texts.iter().map(|text| text.rarity).max().unwrap_or_default();
        set(Feature::TaskCoverage, share(covered, rarity.sum));
        set(Feature::Files, log2(base.n_files().into()));
        set(Feature::Candidates, files.len() as u64);
        set(Feature::Commits, log2(past.commits.len() as u64));
        let like = intent.like.iter().map(|like| (like.file, (like.sum.min(i32::MAX as u32) as i32, like.n as i32))).collect();
        Self { sources, rarity, cues, definitions, like, hops, spelled_out, with, folders, task }
    }

    fn features(&self, file: NodeId, text: &FieldScores) -> Features {
        let Sources { base, past, weights, derived, .. } = self.sources;
        let mut features = self.task;
        let mut set = |feature: Feature, value: i32| features[feature as usize] = value;
        let evidence = derived.evidence(file).unwrap_or_default();
        let support = derived.support(file);
        let words = Millionths::share(evidence, weights.exact);
        let is_certain = derived.certain.binary_search(&file).is_ok();
        set(Feature::Certain, i32::from(is_certain) + i32::from(is_certain && self.spelled_out.contains(&file)));
        set(Feature::Evidence, evidence.0);
        set(Feature::Support, support.get() as i32);
        set(Feature::Score, derived.score(file).unwrap_or_default().0);
        set(Feature::Share, words.or(support.times(weights.support.ratio())).get() as i32);
        for (feature, cue) in [
            (Feature::Text, Cue::Text),
            (Feature::Path, Cue::Path),
            (Feature::Scope, Cue::Scope),
            (Feature::Holds, Cue::Holds),
            (Feature::History, Cue::History),
            (Feature::Failure, Cue::Failure),
        ] {
            set(feature, self.cues.get(&(file, cue)).copied().unwrap_or_default());
        }
        let (best, sum, n) = self.definitions.get(&file).copied().unwrap_or_default();
        set(Feature::BestDefinition, best);
        set(Feature::Definitions, sum);
        set(Feature::DefinitionsNamed, n);
        set(Feature::Bm25, text.all);
        for (feature, field) in [
            (Feature::Body, Field::Body),
            (Feature::Name, Field::Name),
            (Feature::PathWords, Field::Path),
            (Feature::Comment, Field::Comment),
            (Feature::Literal, Field::Literal),
            (Feature::Doc, Field::Doc),
        ] {
            set(feature, text.fields[field as usize]);
        }
        set(Feature::Coverage, share(text.rarity, self.rarity.sum) as i32);
        set(Feature::NameCoverage, share(text.named_rarity, self.rarity.sum) as i32);
        set(Feature::Words, text.n_words as i32);
        set(Feature::Rarest, text.rarest as i32);
        let (sum, n) = self.like.get(&file).copied().unwrap_or_default();
        set(Feature::LikeSum, sum);
        set(Feature::LikeCount, n);
        let touching = past.touching(base.path(file));
        set(Feature::Since, touching.first().map_or(NEVER_COMMITS, |newest| *newest as i32));
        set(Feature::Touches, touching.len() as i32);
        set(Feature::TouchesLately, touching.partition_point(|number| *number < LATELY) as i32);
        set(Feature::TouchesOften, touching.partition_point(|number| *number < OFTEN) as i32);
        let churn: u64 = touching.iter().map(|number| 100 * CHURN_HALF / (CHURN_HALF + u64::from(*number))).sum();
        set(Feature::Churn, churn as i32);
        let days = touching.first().map(|newest| past.age(*newest) / SECONDS_A_DAY);
        set(Feature::Days, days.map_or(NEVER_DAYS, |days| (days as i32).min(NEVER_DAYS)));
        let (first, any) = self.with.get(&file).copied().unwrap_or_default();
        set(Feature::WithFirst, first);
        set(Feature::WithFirsts, any);
        let path = base.path(file);
        if let Some(&(sum, best_file, best, second)) = self.folders.get(folder(path)) {
            set(Feature::FolderBest, if best_file == file { second } else { best });
            set(Feature::FolderSum, sum);
        }
        let (mut beside, mut of_test, mut n_used) = (0, 0, 0);
        for (other, link) in base.links().row(file) {
            n_used += u64::from(link.kind() != LinkKind::ContainedBy && link.kind().info().direction == Direction::UsedBy);
            let said = self.cues.get(&(other, Cue::Text)).copied().unwrap_or_default();
            match link.kind() {
                LinkKind::ImportedBy if base.flags(other).has(FileFlags::TEST) => of_test = said.max(of_test),
                LinkKind::Imports | LinkKind::ImportedBy => beside = said.max(beside),
                _ => {}
            }
        }
        set(Feature::NextText, beside);
        set(Feature::TestText, of_test);
        set(Feature::Used, log2(n_used + 1) as i32);
        set(Feature::Lines, log2(u64::from(base.n_lines(file)) + 1) as i32);
        set(Feature::Size, base.symbols_of(file).len() as i32);
        set(Feature::Depth, path.matches('/').count() as i32);
        let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
        set(Feature::Index, i32::from(INDEX_STEMS.contains(&stem)));
        set(Feature::Hops, self.hops.get(&file).map_or(UNREACHED, |hops| i32::from(hops.0)));
        let flags = base.flags(file);
        let is_aside = [FileFlags::GENERATED, FileFlags::VENDORED, FileFlags::EXAMPLE].iter().any(|flag| flags.has(*flag));
        set(Feature::Aside, i32::from(is_aside));
        features
    }
}

/// The folder of a path.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What a part is of a whole, in thousandths.
fn share(part: u32, whole: u32) -> u64 {
    u64::from(part) * 1000 / u64::from(whole.max(1))
}
