//! Looks for better weights: one number at a time, on one half of the cases, and believes the result only if the other half agrees.
//!
//! Must not know what a weight means, nor write anything. Tries the same numbers in the same order every time.

use super::ask::Ready;
use super::cases::Case;
use super::figures::{DECIMALS, Figures, TextFigures, reciprocal};
use super::leaves::{Leaf, difference, json};
use super::paired::Paired;
use super::rows::{Evaluation, Row};
use super::run::{N_WORKERS, Place};
use activate_rules::weights::Weights;
use error::{Error, ErrorKind, Result};
use redact::Masker;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The budget of the texts that are looked at, in tokens.
pub const TUNED_BUDGET: u32 = 8_000;

/// What one case adds to the sum of a part when its best file goes from the second place to the first: a weight is changed only if the
/// objective gains more than that. It is not proof of anything: many weights are tried, and the other half is there to say which were luck.
const ONE_RANK: f64 = 0.5;

/// The greatest probability of chance, by the sign test over the held-out cases, with which weights are accepted: three cases better and
/// none worse are the fewest that reach it. Less would take one lucky case for a proof; a usual 0.05 would need six without one worse, more
/// than most histories have.
const MOST_CHANCE: f64 = 0.25;

/// The step between two figures, which are rounded: what is less is not seen.
const ROUNDING: f64 = 1.0 / DECIMALS;

/// What is tuned.
#[derive(Debug, Clone, Default)]
pub struct Tuning {
    /// How cases are run; its weights are where the search begins.
    pub evaluation: Evaluation,
    /// Paths of weights, or of what holds them; all without one.
    pub only: Vec<String>,
    /// The most times that all weights are tried.
    pub n_rounds: u32,
}

/// What a search for weights came to.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// Each change that was kept, in order.
    pub steps: Vec<Step>,
    /// The half of the cases on which weights were tried.
    pub tuned: Half,
    /// The half that had no say.
    pub held_out: Half,
    /// The weights that differ from the defaults, as a file of weights.
    pub weights: Value,
    /// How many cases cannot be opened, which count as nothing found, and why the first of them cannot; none where all can.
    pub unopened: Option<(u32, String)>,
}

/// A weight that was changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Which, as `links.calls`.
    pub path: String,
    /// What it was.
    pub from: i64,
    /// What it is.
    pub to: i64,
    /// The objective on the tuned half from then on.
    pub objective: f64,
}

/// A half of the cases before and after.
#[derive(Debug, Clone)]
pub struct Half {
    /// How many cases.
    pub n: u32,
    /// With the weights that the search began with.
    pub before: Objective,
    /// With those that it found.
    pub after: Objective,
    /// Cases whose best gold file stands higher.
    pub mrr: Paired,
}

/// What is made large: the mean of its parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Objective {
    /// The mean.
    pub value: f64,
    /// One by the rank of the best gold file.
    pub mrr: f64,
    /// Cases whose gold files are all among the first five.
    pub acc_5: f64,
    /// The share of the other gold files among the first ten; none without changes of several files.
    pub others_10: Option<f64>,
    /// The share of gold symbols that a text of [`TUNED_BUDGET`] tokens shows; none without texts.
    pub symbols: Option<f64>,
}

/// How far a search is: what is being done, how often it was, and how often at most.
pub type Tell<'a> = &'a (dyn Fn(usize, usize) + Sync);

impl Tuned {
    /// Whether the half that had no say is better too: its objective is greater, and more cases have their best file higher than lower, so
    /// many more that chance alone does it with a probability of at most 0.25.
    pub fn is_accepted(&self) -> bool {
        let Half { before, after, mrr, .. } = &self.held_out;
        let is_better = after.value > before.value && mrr.wins > mrr.losses;
        !self.steps.is_empty() && is_better && mrr.p <= MOST_CHANCE
    }

    /// How many cases would have told, where the best file moved in too few of the held-out ones to tell anything.
    fn too_few(&self) -> Option<u32> {
        let Paired { wins, losses, .. } = self.held_out.mrr;
        let least = (1..=u32::MAX).find(|n| Paired::of(*n, 0).p <= MOST_CHANCE)?;
        (wins + losses < least).then_some(least)
    }

    /// What was tried and found, for people.
    pub fn text(&self) -> String {
        let mut text =
            "objective: mean of mrr, acc@5, others (r@10 beyond the best) and s8k, as far as they are known\n\n".to_owned();
        let _ = writeln!(text, "{:<10}    n         objective    mrr  acc@5 others    s8k", "half");
        for (name, half) in [("tuned", &self.tuned), ("held out", &self.held_out)] {
            for (when, objective) in [("before", &half.before), ("after", &half.after)] {
                let Objective { value, mrr, acc_5, others_10, symbols } = objective;
                let part = |part: &Option<f64>| part.map_or_else(|| "-".to_owned(), |part| format!("{part:.3}"));
                let (others, symbols) = (part(others_10), part(symbols));
                let n = half.n;
                let _ =
                    writeln!(text, "{name:<10} {n:>4}  {when:>6} {value:>9.4} {mrr:>6.3} {acc_5:>6.3} {others:>6} {symbols:>6}");
            }
            let Paired { wins, losses, p } = half.mrr;
            let _ = writeln!(text, "{:<10}       best file higher in {wins} cases, lower in {losses}, p = {p:.4}", "");
        }
        text.push('\n');
        for Step { path, from, to, objective } in &self.steps {
            let _ = writeln!(text, "{path}: {from} -> {to} (objective {objective:.4})");
        }
        if let Some((n_cases, why)) = &self.unopened {
            let _ = writeln!(
                text,
                "{n_cases} cases cannot be opened and count as nothing found; the first: {}",
                Masker::knowing_nothing().line(why)
            );
        }
        let verdict = match (self.steps.is_empty(), self.is_accepted()) {
            (true, _) => "no weight that was tried makes the tuned half better".to_owned(),
            (false, true) => "accepted: the half that was held out is better too".to_owned(),
            (false, false) => match self.too_few() {
                Some(least) => format!(
                    "not accepted: there are too few cases to tell: of the half that was held out the best file moved in {}, and {least} \
                     are the fewest that could tell it from chance",
                    self.held_out.mrr.wins + self.held_out.mrr.losses
                ),
                None => {
                    format!("not accepted: the half that was held out is not better, or by chance alone (p above {MOST_CHANCE})")
                }
            },
        };
        let _ = writeln!(text, "{verdict}");
        text
    }
}

/// Looks for weights that are better on one half of the cases.
///
/// # Errors
///
/// As [`evaluate`](crate::run::evaluate).
pub fn tune(cases: &[Case], tuning: &Tuning, place: Place<'_>, tell: Tell<'_>) -> Result<Tuned> {
    let (tuned, held_out) = halves(cases);
    if tuned.is_empty() || held_out.is_empty() {
        return Err(Error::new(ErrorKind::BadInput, "there are too few cases to tune: at least two are needed"));
    }
    let leaves = Leaf::all(&tuning.only);
    if leaves.is_empty() {
        let message = format!("there is no weight below {}", tuning.only.join(", "));
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let n_most = cases.len() + leaves.len() * tuning.n_rounds as usize;
    let n_done = AtomicUsize::new(0);
    let done = || tell(n_done.fetch_add(1, Ordering::Relaxed) + 1, n_most);
    let tuned = Cases::open(&tuned, tuning, place, &done)?;
    let held_out = Cases::open(&held_out, tuning, place, &done)?;
    for half in [&tuned, &held_out] {
        if let Some((n_unopened, why)) = half.unopened().filter(|(n_unopened, _)| *n_unopened as usize == half.cases.len()) {
            let message = format!("none of {n_unopened} cases can be opened; the first: {why}");
            return Err(Error::new(ErrorKind::BadInput, message));
        }
    }
    let unopened = match (tuned.unopened(), held_out.unopened()) {
        (Some((one, why)), Some((other, _))) => Some((one + other, why)),
        (one, other) => one.or(other),
    };

    let start = &tuning.evaluation.weights;
    let before = (tuned.rows(start), held_out.rows(start));
    let mut search = Search { weights: json(start), rows: before.0.clone(), steps: Vec::new(), cases: &tuned };
    let mut active = leaves;
    for _ in 0..tuning.n_rounds {
        let n_steps = search.steps.len();
        active.retain(|leaf| {
            done();
            search.try_steps(leaf)
        });
        if search.steps.len() == n_steps {
            break;
        }
    }
    let found: Weights = serde_json::from_value(search.weights.clone()).unwrap_or_else(|_| start.clone());
    let after = (search.rows, held_out.rows(&found));
    Ok(Tuned {
        steps: search.steps,
        tuned: Half::new(&before.0, &after.0),
        held_out: Half::new(&before.1, &after.1),
        weights: difference(&json(&Weights::default()), &search.weights),
        unopened,
    })
}

/// Splits cases: by repository where there are several, else every other case. The first half has one more.
fn halves(cases: &[Case]) -> (Vec<&Case>, Vec<&Case>) {
    let mut repos: Vec<&str> = cases.iter().map(|case| case.repo.as_str()).collect();
    repos.sort_unstable();
    repos.dedup();
    let number = |at: usize, case: &Case| match repos.binary_search(&case.repo.as_str()) {
        Ok(number) if repos.len() > 1 => number,
        _ => at,
    };
    let (first, second): (Vec<_>, Vec<_>) = cases.iter().enumerate().partition(|(at, case)| number(*at, case) % 2 == 0);
    (first.into_iter().map(|(_, case)| case).collect(), second.into_iter().map(|(_, case)| case).collect())
}

/// A search under way.
struct Search<'a> {
    weights: Value,
    rows: Vec<Row>,
    steps: Vec<Step>,
    cases: &'a Cases<'a>,
}

impl Search<'_> {
    /// Tries other values of a weight and keeps the best; says whether any of them made a difference.
    fn try_steps(&mut self, leaf: &Leaf) -> bool {
        let value = leaf.value(&self.weights);
        let before = Objective::new(&self.rows);
        let mut best = before.value + before.least_gain(self.rows.len());
        let mut matters = false;
        let mut kept = None;
        for step in leaf.steps(value) {
            let Some((json, weights)) = leaf.with(&self.weights, step) else { continue };
            let rows = self.cases.rows(&weights);
            matters |= rows != self.rows;
            let objective = Objective::new(&rows).value;
            if objective > best {
                best = objective;
                kept = Some((json, rows, step));
            }
        }
        if let Some((json, rows, to)) = kept {
            self.steps.push(Step { path: leaf.path.clone(), from: value, to, objective: best });
            self.weights = json;
            self.rows = rows;
        }
        matters
    }
}

/// Cases whose repositories are open.
struct Cases<'a> {
    tuning: &'a Tuning,
    cases: Vec<(&'a Case, Result<Ready>)>,
}

impl<'a> Cases<'a> {
    /// Opens all of them, repositories side by side.
    fn open(cases: &[&'a Case], tuning: &'a Tuning, place: Place<'_>, done: &(dyn Fn() + Sync)) -> Result<Self> {
        let mut by_repo: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
        for case in cases {
            by_repo.entry(&case.repo).or_default().push(case);
        }
        let work = by_repo.into_iter().map(|(repo, of_repo)| Ok((place(repo)?, of_repo))).collect::<Result<Vec<_>>>()?;
        let work = Mutex::new(work);
        let opened = Mutex::new(Vec::new());
        let next = || work.lock().unwrap_or_else(PoisonError::into_inner).pop();
        std::thread::scope(|scope| {
            for _ in 0..N_WORKERS {
                scope.spawn(|| {
                    while let Some((folder, mut of_repo)) = next() {
                        of_repo.sort_by(|one, other| (&one.date, &one.id).cmp(&(&other.date, &other.id)));
                        let mut ready: Vec<(&Case, Result<Ready>)> = Vec::new();
                        for case in of_repo {
                            let last = ready.iter().rev().find_map(|(_, ready)| ready.as_ref().ok());
                            let opened = Ready::open(&folder, case, &tuning.evaluation, last);
                            // A case that cannot be asked is found by no weights.
                            ready.push((case, opened.and_then(|ready| ready.mapped(case))));
                            done();
                        }
                        opened.lock().unwrap_or_else(PoisonError::into_inner).extend(ready);
                    }
                });
            }
        });
        let mut cases = opened.into_inner().unwrap_or_else(PoisonError::into_inner);
        cases.sort_by(|one, other| one.0.id.cmp(&other.0.id));
        Ok(Self { tuning, cases })
    }

    /// How many cannot be opened, and why the first of them cannot.
    fn unopened(&self) -> Option<(u32, String)> {
        let mut reasons = self.cases.iter().filter_map(|(case, ready)| Some((case, ready.as_ref().err()?)));
        let (case, why) = reasons.next()?;
        Some((reasons.count() as u32 + 1, format!("{}: {why}", case.id)))
    }

    /// The rows with some weights, in the order of the cases' names.
    fn rows(&self, weights: &Weights) -> Vec<Row> {
        let next = AtomicUsize::new(0);
        let rows = Mutex::new(vec![None; self.cases.len()]);
        std::thread::scope(|scope| {
            for _ in 0..N_WORKERS {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some((case, ready)) = self.cases.get(at) else { break };
                        let row = self.row(case, ready, weights);
                        rows.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(row);
                    }
                });
            }
        });
        rows.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
    }

    fn row(&self, case: &Case, ready: &Result<Ready>, weights: &Weights) -> Row {
        let evaluation = &self.tuning.evaluation;
        let row = Row::unanswered(case, &evaluation.budgets, String::new());
        let answered = ready.as_ref().map(|ready| ready.answer(&row, case, evaluation, weights));
        match answered {
            Ok(Ok(row)) => row,
            Ok(Err(error)) => Row { problem: Some(error.to_string()), ..row },
            Err(error) => Row { problem: Some(error.to_string()), ..row },
        }
    }
}

impl Half {
    fn new(before: &[Row], after: &[Row]) -> Self {
        let pairs = after.iter().zip(before).map(|(after, before)| (reciprocal(&after.ranks), reciprocal(&before.ranks)));
        Self { n: before.len() as u32, before: Objective::new(before), after: Objective::new(after), mrr: Paired::new(pairs) }
    }
}

impl Objective {
    fn new(rows: &[Row]) -> Self {
        let Figures { mrr, acc_5, others_10, .. } = Figures::new(rows.iter().map(|row| row.ranks.as_slice()));
        let texts = TextFigures::all(&rows.iter().collect::<Vec<_>>());
        let symbols = texts.iter().find(|texts| texts.budget == TUNED_BUDGET).and_then(|texts| texts.symbols);
        let mut objective = Self { value: 0.0, mrr, acc_5, others_10, symbols };
        objective.value = objective.parts().sum::<f64>() / objective.parts().count() as f64;
        objective
    }

    /// What is known of its parts.
    fn parts(&self) -> impl Iterator<Item = f64> {
        [Some(self.mrr), Some(self.acc_5), self.others_10, self.symbols].into_iter().flatten()
    }

    /// What it must gain over so many cases for a weight to be changed: more than one case gains by a rank.
    fn least_gain(&self, n_cases: usize) -> f64 {
        ONE_RANK / (n_cases * self.parts().count()) as f64 + ROUNDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tier;

    fn case(id: &str, repo: &str) -> Case {
        let text = |text: &str| text.to_owned();
        Case {
            id: text(id),
            repo: text(repo),
            language: text("go"),
            date: String::new(),
            parent: text("0"),
            commit: String::new(),
            intent: text("x"),
            body: String::new(),
            gold: vec![text("a.go")],
            gold_symbols: Vec::new(),
            tier: Tier::Named,
            named_ids: Vec::new(),
            changed_lines: 3,
        }
    }

    fn split(cases: &[(&str, &str)]) -> (String, String) {
        let cases: Vec<Case> = cases.iter().map(|(id, repo)| case(id, repo)).collect();
        let (first, second) = halves(&cases);
        let ids = |half: &[&Case]| half.iter().map(|case| case.id.as_str()).collect::<Vec<_>>().join(" ");
        (ids(&first), ids(&second))
    }

    #[test]
    fn halves_share_no_repository_where_there_are_several() {
        assert_eq!(split(&[("1", "b"), ("2", "a"), ("3", "b"), ("4", "c")]), ("2 4".to_owned(), "1 3".to_owned()));
        assert_eq!(split(&[("1", "a"), ("2", "a"), ("3", "a")]), ("1 3".to_owned(), "2".to_owned()));
    }

    #[test]
    fn the_objective_is_the_mean_of_what_is_known() {
        let mut row = Row::unanswered(&case("1", "a"), &[], String::new());
        row.ranks = vec![Some(2)];
        let objective = Objective::new(&[row.clone()]);
        assert_eq!((objective.value, objective.others_10, objective.symbols), (0.75, None, None));
        row.ranks = vec![Some(2), Some(20)];
        let objective = Objective::new(&[row]);
        assert_eq!((objective.mrr, objective.others_10), (0.5, Some(0.0)));
        assert!((objective.value - 0.5 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_result_is_accepted_only_if_the_other_half_is_better_too() {
        let objective = |value| Objective { value, mrr: value, acc_5: value, others_10: None, symbols: None };
        let half =
            |after, wins, losses| Half { n: 2, before: objective(0.5), after: objective(after), mrr: Paired::of(wins, losses) };
        let step = Step { path: "gate".to_owned(), from: 1, to: 2, objective: 0.6 };
        let tuned = |steps: &[Step], held_out| Tuned {
            steps: steps.to_vec(),
            tuned: half(0.6, 1, 0),
            held_out,
            weights: Value::Null,
            unopened: None,
        };
        let steps = std::slice::from_ref(&step);
        assert!(tuned(steps, half(0.6, 3, 0)).is_accepted());
        assert!(!tuned(steps, half(0.5, 3, 0)).is_accepted());
        assert!(!tuned(&[], half(0.6, 3, 0)).is_accepted());
        // What chance does as well is not proof, and what could be none says so.
        for (wins, losses, says) in [
            (1, 0, "too few cases to tell: of the half that was held out the best file moved in 1, and 3 are the fewest"),
            (2, 0, "moved in 2, and 3 are the fewest"),
            (3, 1, "not better, or by chance alone (p above 0.25)"),
            (0, 3, "not better, or by chance alone (p above 0.25)"),
        ] {
            let found = tuned(steps, half(0.6, wins, losses));
            assert!(!found.is_accepted() && found.text().contains(says), "{wins} to {losses}: {}", found.text());
        }
        assert!(tuned(steps, half(0.6, 7, 2)).is_accepted());
    }

    #[test]
    fn one_rank_of_one_case_changes_no_weight() {
        let row = |rank| Row { ranks: vec![Some(rank)], ..Row::unanswered(&case("1", "a"), &[], String::new()) };
        let rows = |ranks: &[u32]| ranks.iter().map(|rank| row(*rank)).collect::<Vec<_>>();
        for n in [2, 7, 50, 999] {
            let objective = |n_first: usize| {
                let ranks: Vec<u32> = (0..n).map(|at| if at < n_first { 1 } else { 2 }).collect();
                Objective::new(&rows(&ranks))
            };
            let least = objective(0).value + objective(0).least_gain(n);
            assert!(objective(1).value <= least && objective(2).value > least, "{n} cases: {least}");
        }
    }
}
