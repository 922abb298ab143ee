//! Records and links to verdicts and their counts: precision by relation and confidence, and the worst mistakes.

use crate::recall::{Found, Recall, recall};
use crate::record::Link;
use crate::truth::{SiteId, Truth};
use crate::verdict::{Verdict, last_name};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// What is judged of the relations that `activate facts` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Relation {
    Calls,
    References,
    Imports,
    Implements,
    /// Not judged: an oracle may take it for an implementation, so that it finds some.
    Extends,
    Tests,
    /// No relation of its own: the calls and references that go from an interface's method to an implementation.
    Dispatch,
}

impl Relation {
    fn of(link: &Link) -> Option<Relation> {
        match link.relation.as_str() {
            "calls" => Some(Relation::Calls),
            "references" => Some(Relation::References),
            "imports" => Some(Relation::Imports),
            "implements" => Some(Relation::Implements),
            "extends" => Some(Relation::Extends),
            "tests" => Some(Relation::Tests),
            _ => None,
        }
    }
}

/// How sure a link says that it is, surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Level {
    Exact,
    Qualified,
    Unique,
    Ambiguous,
    /// A word that is none of ours: such a link is judged, but finds nothing.
    Unheard,
}

impl Level {
    pub(crate) const ALL: [Level; 4] = [Level::Exact, Level::Qualified, Level::Unique, Level::Ambiguous];

    /// A link that says nothing is as good as one that says it is exact.
    fn of(link: &Link) -> Level {
        match link.confidence.as_deref().unwrap_or("exact") {
            "exact" => Level::Exact,
            "qualified" => Level::Qualified,
            "unique" => Level::Unique,
            "ambiguous" => Level::Ambiguous,
            _ => Level::Unheard,
        }
    }
}

/// How many links got which verdict.
pub(crate) type Tally = BTreeMap<Verdict, usize>;

/// A mistake, with how often it was made.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Mistake {
    pub(crate) times: usize,
    /// What is mistaken: relation, confidence and name, or kind, name and file.
    pub(crate) what: String,
    /// One place, where there is more to say.
    pub(crate) example: String,
}

/// What came out for one repository.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Judgement {
    /// Files that the compiler has read, and those of them that it knows completely.
    pub(crate) files: usize,
    pub(crate) complete: usize,
    pub(crate) precision: BTreeMap<Relation, BTreeMap<Level, Tally>>,
    pub(crate) recall: BTreeMap<String, Recall>,
    pub(crate) wrong: Vec<Mistake>,
    pub(crate) missed: Vec<Mistake>,
}

impl Judgement {
    /// The verdicts on a relation at all levels together.
    pub(crate) fn all(&self, relation: Relation) -> Tally {
        let mut all = Tally::new();
        for tally in self.precision.get(&relation).into_iter().flat_map(BTreeMap::values) {
            add(&mut all, tally);
        }
        all
    }
}

/// Adds the counts of one tally to another.
pub(crate) fn add(to: &mut Tally, tally: &Tally) {
    for (verdict, times) in tally {
        *to.entry(*verdict).or_default() += times;
    }
}

/// Judges links; the same link said twice counts once. Of the mistakes, the `n_worst` most frequent are kept.
pub(crate) fn judge(truth: &Truth, links: impl IntoIterator<Item = Link>, n_worst: usize) -> Judgement {
    let known: Vec<_> = truth.files.values().filter(|file| file.file.is_some()).collect();
    let complete = known.iter().filter(|file| file.is_complete()).count();
    let mut judgement = Judgement { files: known.len(), complete, ..Judgement::default() };
    let mut found = Found::default();
    let mut wrong: BTreeMap<(Relation, Level, String), (usize, String)> = BTreeMap::new();
    let mut seen = HashSet::new();
    let reach = truth.reach();
    for link in links {
        let (Some(relation), Some(to_path)) = (Relation::of(&link), link.to_path.as_deref()) else { continue };
        let key = (relation, link.from_path.clone(), link.line, link.to_path.clone(), link.to.clone(), link.to_lines);
        // A test has no line, and neither has what implements: who they are is part of what is said.
        let from = matches!(relation, Relation::Tests | Relation::Implements | Relation::Extends)
            .then(|| (link.from.clone(), link.from_lines));
        if !link.from_path.starts_with(&truth.part.paths) || !seen.insert((key, from)) {
            continue;
        }
        let level = Level::of(&link);
        let (verdict, right): (Verdict, Vec<SiteId>) = match relation {
            Relation::Calls | Relation::References | Relation::Dispatch => truth.of_site(&link, to_path),
            Relation::Imports => (truth.of_import(&link, to_path), Vec::new()),
            Relation::Implements | Relation::Extends => (truth.of_implementation(&link, to_path), Vec::new()),
            Relation::Tests => truth.of_test(&link, to_path, &reach),
        };
        found.take(truth, &link, relation, level, verdict, &right);
        let mut count = |relation, verdict| {
            *judgement.precision.entry(relation).or_default().entry(level).or_default().entry(verdict).or_default() += 1;
        };
        if relation == Relation::Extends {
            continue;
        }
        count(relation, verdict);
        if verdict == Verdict::Dispatch {
            count(Relation::Dispatch, truth.of_dispatch(&link, to_path));
        }
        if verdict == Verdict::Wrong {
            let name = if relation == Relation::Imports { to_path } else { last_name(&link.to) };
            let line = link.line.map_or_else(String::new, |line| format!(":{line}"));
            let example = || format!("{}{line} -> {to_path}", link.from_path);
            wrong.entry((relation, level, name.to_owned())).or_insert_with(|| (0, example())).0 += 1;
        }
    }
    judgement.wrong = worst(
        wrong.into_iter().map(|((relation, level, name), (times, example))| {
            let what = format!("{} {} {name}", word(&relation), word(&level));
            Mistake { times, what, example }
        }),
        n_worst,
    );
    let (groups, missed) = recall(truth, &found);
    judgement.recall = groups;
    judgement.missed = worst(
        missed.into_iter().map(|((kind, name, path), times)| Mistake {
            times,
            what: format!("{} {name}", word(&kind)),
            example: path,
        }),
        n_worst,
    );
    judgement
}

/// The most frequent mistakes, most frequent first, else in the order of what they say.
fn worst(mistakes: impl Iterator<Item = Mistake>, n_worst: usize) -> Vec<Mistake> {
    let mut mistakes: Vec<Mistake> = mistakes.collect();
    mistakes.sort_by(|first, second| second.times.cmp(&first.times).then_with(|| first.cmp(second)));
    mistakes.truncate(n_worst);
    mistakes
}

/// The word that a value of an enum is written as.
pub(crate) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
