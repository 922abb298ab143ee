//! One question to all repositories: those that have its words are asked, what is hot in them leads along links into others, and one packet comes
//! out.
//!
//! Each repository is activated as it would be alone. What reaches it from another is evidence for it, with the link as the reason.

use crate::choose::choose;
use crate::rules::{Link, Node, UseKind};
use crate::shards::{Shard, Shards};
use activate_rules::atoms::{Energy, Thousandths};
use activate_rules::links::{Confidence, LinkKind};
use activate_rules::weights::{FleetWeights, Weights};
use context::SessionContext;
use context::budget::Budget;
use engine::{Activation, Engine, Linked, Request};
use error::{Error, ErrorKind, Problem, Result};
use index::snapshot::Snapshot;
use rayon::prelude::*;
use redact::Elsewhere;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The points at which a link speaks as strongly as the text itself could.
const FULL: Energy = Energy::points(100);

/// Opens the repository of a shard at its commit.
pub type Open<'o> = &'o (dyn Fn(&Shard) -> Result<Engine> + Sync);

/// A repository that takes part in an answer.
struct Opened<'s> {
    shard: &'s Shard,
    engine: Engine,
    snapshot: Arc<Snapshot>,
}

/// Answers a request about all repositories of a fleet; `secrets` are those of all of them, whoever may see which. With one repository the answer is that of the repository alone.
///
/// # Errors
///
/// [`ErrorKind::NothingFound`] where no repository has a word of it, [`ErrorKind::BudgetTooSmall`] as for one repository, and what opening the
/// only repository gives; one of several that cannot be opened is left out, and a problem says so.
pub fn ask(
    shards: &Shards,
    secrets: &Arc<Elsewhere>,
    open: Open<'_>,
    request: &Request,
    (budget, weights): (&Budget, &FleetWeights),
) -> Result<SessionContext> {
    if let [only] = shards.all() {
        let engine = open(only)?;
        return engine.activate(request)?.session_context(budget);
    }
    let chosen: Vec<&Shard> = choose(shards, &request.intent, weights).iter().map(|choice| &shards.all()[choice.shard]).collect();
    let mut problems = Vec::new();
    let mut opened = opened(&chosen, open, &mut problems);
    let own = Request { elsewhere: Some(Arc::clone(secrets)), ..request.clone() };
    let first = activated(&opened, |_| Request { only_scores: true, ..own.clone() }, &mut problems);

    let linked = links(shards, &opened, &first, request, weights);
    drop(first);
    let others = linked.iter().filter(|(shard, _)| !chosen.iter().any(|known| known.name == shard.name));
    let mut others: Vec<(&Shard, Thousandths)> =
        others.map(|(shard, links)| (*shard, links.iter().map(|link| link.strength).max().unwrap_or_default())).collect();
    others.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.name.cmp(&other.0.name)));
    let others: Vec<&Shard> = others.into_iter().take(weights.most_by_links as usize).map(|(shard, _)| shard).collect();
    opened.extend(self::opened(&others, open, &mut problems));
    let request_of = |shard: &Shard| {
        let linked = linked.iter().find(|(of, _)| of.name == shard.name).map_or_else(Vec::new, |(_, links)| links.clone());
        Request { linked, ..own.clone() }
    };
    let mut all = activated(&opened, request_of, &mut problems);
    let best = |activation: &Activation<'_>| activation.found.files.iter().map(|file| file.score).max().unwrap_or_default();
    all.sort_by(|one, other| best(&other.1).cmp(&best(&one.1)).then(one.0.cmp(other.0)));
    let named: Vec<(&str, &Activation<'_>)> = all.iter().map(|(name, activation)| (*name, activation)).collect();
    let mut context = Activation::session_context_of(&named, budget)?;
    context.problems.extend(problems);
    Ok(context)
}

/// Opens repositories; those that cannot be are left out.
fn opened<'s>(shards: &[&'s Shard], open: Open<'_>, problems: &mut Vec<Problem>) -> Vec<Opened<'s>> {
    let each = |shard: &&'s Shard| {
        let engine = open(shard)?;
        let snapshot = engine.snapshot()?;
        Ok(Opened { shard, engine, snapshot })
    };
    let results: Vec<Result<Opened<'s>>> = shards.par_iter().map(each).collect();
    let mut opened = Vec::new();
    for (shard, result) in shards.iter().zip(results) {
        match result {
            Ok(shard) => opened.push(shard),
            Err(error) => problems.push(left_out(shard, &error)),
        }
    }
    opened
}

/// What a repository that takes no part lacks in the answer.
fn left_out(shard: &Shard, error: &Error) -> Problem {
    Problem::new("fleet", format!("{} takes no part: {}", shard.name, error.message))
}

/// What a request activates in each repository. Nothing of it, where one has nothing that could be meant.
fn activated<'o>(
    opened: &'o [Opened<'_>],
    request: impl Fn(&Shard) -> Request + Sync,
    problems: &mut Vec<Problem>,
) -> Vec<(&'o str, Activation<'o>)> {
    let each = |of: &'o Opened<'_>| of.engine.activate_on(&of.snapshot, &request(of.shard), &|_| {});
    let results: Vec<Result<Activation<'o>>> = opened.par_iter().map(each).collect();
    let mut all = Vec::new();
    for (of, result) in opened.iter().zip(results) {
        match result {
            Ok(activation) if activation.found.files.is_empty() => {}
            Ok(activation) => all.push((of.shard.name.as_str(), activation)),
            Err(error) if error.kind == ErrorKind::NothingFound => {}
            Err(error) => problems.push(left_out(of.shard, &error)),
        }
    }
    all
}

/// What the links of all that is hot say for places in other repositories, by repository; of several links to one place the strongest.
fn links<'s>(
    shards: &'s Shards,
    opened: &[Opened<'_>],
    activated: &[(&str, Activation<'_>)],
    request: &Request,
    weights: &FleetWeights,
) -> Vec<(&'s Shard, Vec<Linked>)> {
    let mut found: FxHashMap<Node, (Thousandths, String)> = FxHashMap::default();
    for (name, activation) in activated {
        let Some(of) = opened.iter().find(|of| of.shard.name == *name) else { continue };
        let base = &activation.snapshot.base;
        for active in activation.found.symbols.iter().filter(|active| active.score >= weights.least_score) {
            let here = (of.shard.key, active.node.0);
            let into = shards.links.to(here).map(|link| (link, link.of.from, true));
            let out = shards.links.from(here).map(|link| (link, link.to, false));
            let seen = into.chain(out).filter(|(_, there, _)| shards.of(there.0).is_some());
            let mut seen: Vec<(Link, Node, bool)> = seen.collect();
            seen.sort_by_key(|(link, there, _)| (link.n_meant, *there, link.of.line));
            for (link, there, is_into) in seen.into_iter().take(weights.most_links as usize) {
                let strength = passed_on(&request.weights, active.score, &link, is_into);
                let said = format!("{} {name}/{}", phrase(link.of.kind, is_into), base.id(active.node));
                let known = found.entry(there).or_insert_with(|| (strength, said.clone()));
                if (strength, &known.1) > (known.0, &said) {
                    *known = (strength, said);
                }
            }
        }
    }
    let mut by_shard: FxHashMap<u64, Vec<Linked>> = FxHashMap::default();
    for ((repository, node), (strength, said)) in found {
        let Some(shard) = shards.of(repository) else { continue };
        by_shard.entry(repository).or_default().push(Linked { to: shard.id(node).to_owned(), strength, said });
    }
    let mut all: Vec<(&Shard, Vec<Linked>)> = Vec::new();
    for (repository, mut linked) in by_shard {
        linked.sort_by(|one, other| one.to.cmp(&other.to));
        all.extend(shards.of(repository).map(|shard| (shard, linked)));
    }
    all.sort_by(|one, other| one.0.name.cmp(&other.0.name));
    all
}

/// What is left of a score behind a link, as a fraction of what the text itself could say: the weight of such a link inside of a repository, and how
/// sure it is.
fn passed_on(weights: &Weights, score: Energy, link: &Link, is_into: bool) -> Thousandths {
    let kind = match link.of.kind {
        UseKind::Import => LinkKind::Imports,
        UseKind::Call => LinkKind::Calls,
        UseKind::Reference => LinkKind::References,
        UseKind::Extend => LinkKind::Extends,
        UseKind::Implement => LinkKind::Implements,
    };
    let kind = if is_into { kind.reverse() } else { kind };
    let confidence = match link.n_meant {
        1 => Confidence::Qualified,
        2 => Confidence::AmongTwo,
        _ => Confidence::AmongThree,
    };
    let weight = i64::from((kind.info().weight)(&weights.links).get()) * i64::from(weights.confidence.of(confidence).get());
    let energy = i64::from(score.0.min(FULL.0)) * weight / 1_000_000;
    Thousandths::new((energy * 1_000 / i64::from(FULL.0)) as u32)
}

/// How a place there has to do with one here.
const fn phrase(kind: UseKind, is_into: bool) -> &'static str {
    match (kind, is_into) {
        (UseKind::Import, true) => "imports",
        (UseKind::Import, false) => "imported by",
        (UseKind::Call, true) => "calls",
        (UseKind::Call, false) => "called by",
        (UseKind::Reference, true) => "uses",
        (UseKind::Reference, false) => "used by",
        (UseKind::Extend, true) => "extends",
        (UseKind::Extend, false) => "extended by",
        (UseKind::Implement, true) => "implements",
        (UseKind::Implement, false) => "implemented by",
    }
}
