//! One question to all repositories: those that have its words are asked, what is hot in them leads along links into others, and one packet comes
//! out.
//!
//! Each repository is activated as it would be alone. What reaches it from another is evidence for it, with the link as the reason.

use crate::choose::choose;
use crate::key::Key;
use crate::rules::{Link, Node, UseKind};
use crate::shards::{Shard, Shards};
use activate_rules::atoms::{Energy, NodeId, Thousandths};
use activate_rules::links::{Confidence, LinkKind};
use activate_rules::weights::{FleetWeights, Weights};
use context::SessionContext;
use context::activation::Role;
use context::budget::Budget;
use engine::{Activation, Engine, Linked, Request};
use error::{Error, ErrorKind, Problem, Result};
use index::snapshot::{Progress, Snapshot};
use intent::How;
use rayon::prelude::*;
use redact::Elsewhere;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The points at which a link speaks as strongly as the text itself could.
const FULL: Energy = Energy::points(100);

/// Repositories that cannot be opened and have others in their place, at most.
const MAX_GONE: usize = 16;
/// Problems that an error tells of.
const MAX_LACKS: usize = 3;

/// Opens the repository of a shard at its commit.
pub type Open<'o> = &'o (dyn Fn(&Shard) -> Result<Arc<Engine>> + Sync);

/// Told how far the reading of repositories is.
pub type ProgressFn<'p> = &'p (dyn Fn(Progress) + Sync);

/// A repository that takes part in an answer.
struct Opened<'s> {
    shard: &'s Shard,
    engine: Arc<Engine>,
    snapshot: Arc<Snapshot>,
}

/// What a request activated in the repositories that have to do with it, the one that knows most first.
pub struct Asked<'a> {
    all: Vec<(&'a str, Activation<'a>)>,
    shards: &'a Shards,
    crossings: &'a [Crossing<'a>],
    problems: Vec<Problem>,
    /// Whether there is no other repository: then nothing has a name in front.
    is_only: bool,
}

/// Links from hot places that lead into one repository: where each starts, and what it says there.
struct Crossing<'s> {
    shard: &'s Shard,
    linked: Vec<(Node, Linked)>,
}

/// Activates a request in all repositories of a fleet and answers with what `answer` makes of it; `secrets` are those of all of them, whoever may see
/// which.
///
/// # Errors
///
/// [`ErrorKind::NothingFound`] where no repository has a word of it, what `answer` gives, and what opening the only repository gives; one of several
/// that cannot be opened is left out, and a problem says so.
pub fn ask<T>(
    shards: &Shards,
    secrets: &Arc<Elsewhere>,
    open: Open<'_>,
    (request, weights): (&Request, &FleetWeights),
    progress: ProgressFn<'_>,
    answer: impl FnOnce(&Asked<'_>) -> Result<T>,
) -> Result<T> {
    let own = Request { elsewhere: Some(Arc::clone(secrets)), ..request.clone() };
    if let [only] = shards.all() {
        let engine = open(only)?;
        let all = vec![(only.name.as_str(), engine.activate_with(&own, progress)?)];
        return answer(&Asked { all, shards, crossings: &[], problems: Vec::new(), is_only: true });
    }
    let mut problems = Vec::new();
    let mut gone: Vec<Key> = Vec::new();
    let (chosen, known) = loop {
        let chosen = choose(shards, &request.intent, weights, &|shard| !gone.contains(&shard.key));
        let chosen: Vec<&Shard> = chosen.iter().map(|choice| &shards.all()[choice.shard]).collect();
        let known = opened(&chosen, open, progress, &mut problems);
        let n_gone = gone.len();
        let is_open = |shard: &Shard| known.iter().any(|of| of.shard.key == shard.key);
        gone.extend(chosen.iter().filter(|shard| !is_open(shard)).map(|shard| shard.key));
        // In the place of those that cannot be opened others come.
        if gone.len() == n_gone || gone.len() > MAX_GONE {
            break (chosen, known);
        }
    };
    let all: Vec<&Opened<'_>> = known.iter().collect();
    let first = activated(&all, |_| Request { only_scores: true, ..own.clone() }, progress, &mut problems);
    let full = named_whole(&first);
    // Elsewhere the last part of such a name is another's.
    let (loose, mut first): (Vec<_>, Vec<_>) = first.into_iter().partition(|(_, activation)| is_named_in_part(activation, &full));
    let loose: BTreeSet<&str> = loose.into_iter().map(|(name, _)| name).collect();
    let is_strict = |shard: &Shard| {
        loose.contains(shard.name.as_str()) || !full.is_empty() && known.iter().all(|of| of.shard.key != shard.key)
    };
    let request_for = |shard: &Shard| {
        let mut request = own.clone();
        if is_strict(shard) {
            request.weights.reading.names.unknown_qualifier = Thousandths::new(0);
        }
        request
    };
    let again: Vec<&Opened<'_>> = known.iter().filter(|of| loose.contains(of.shard.name.as_str())).collect();
    first.extend(activated(&again, |shard| Request { only_scores: true, ..request_for(shard) }, progress, &mut problems));
    let crossings = crossings(shards, &known, &first, request, weights);
    // Where nothing comes from another, what was activated stays.
    let is_reached = |name: &str| crossings.iter().any(|crossing| crossing.shard.name == name);
    let same: Vec<_> = first.into_iter().filter(|(name, _)| !is_reached(name)).collect();
    let strength = |crossing: &Crossing<'_>| crossing.linked.iter().map(|(_, link)| link.strength).max().unwrap_or_default();
    let others = crossings.iter().filter(|crossing| !chosen.iter().any(|known| known.key == crossing.shard.key));
    let mut others: Vec<(&Shard, Thousandths)> = others.map(|crossing| (crossing.shard, strength(crossing))).collect();
    others.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.name.cmp(&other.0.name)));
    let others: Vec<&Shard> = others.into_iter().take(weights.most_by_links as usize).map(|(shard, _)| shard).collect();
    let others = opened(&others, open, progress, &mut problems);
    let reached: Vec<&Opened<'_>> = known.iter().filter(|of| is_reached(&of.shard.name)).chain(&others).collect();
    let request_of = |shard: &Shard| {
        let crossing = crossings.iter().find(|crossing| crossing.shard.key == shard.key);
        let linked = crossing.map_or_else(Vec::new, |crossing| crossing.linked.iter().map(|(_, link)| link.clone()).collect());
        Request { linked, ..request_for(shard) }
    };
    let mut all = activated(&reached, request_of, progress, &mut problems);
    all.par_extend(same.into_par_iter().map(|(name, activation)| (name, activation.completed())));
    let mut told = BTreeSet::new();
    problems.retain(|problem| told.insert(problem.clone()));
    if all.is_empty() {
        let message = "no repository has anything of what was asked: name a definition, a file, a package or a repository";
        let lacks = problems.iter().take(MAX_LACKS).map(|problem| problem.message.as_str());
        let said: Vec<&str> = std::iter::once(message).chain(lacks).collect();
        return Err(Error::new(ErrorKind::NothingFound, said.join("; ")));
    }
    let best = |activation: &Activation<'_>| activation.found.files.iter().map(|file| file.score).max().unwrap_or_default();
    all.sort_by(|one, other| best(&other.1).cmp(&best(&one.1)).then(one.0.cmp(other.0)));
    answer(&Asked { all, shards, crossings: &crossings, problems, is_only: false })
}

impl<'a> Asked<'a> {
    /// The packet: of several repositories each place with its repository in front.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BudgetTooSmall`] as for one repository.
    pub fn context(&self, budget: &Budget) -> Result<SessionContext> {
        if let ([(_, only)], true) = (&self.all[..], self.is_only) {
            return only.session_context(budget);
        }
        let each = |(name, activation): &'_ (&'a str, Activation<'a>)| {
            let targets = activation.found.symbols.iter().filter(|active| active.role == Role::Target);
            let targets: Vec<NodeId> = targets.map(|active| active.node).collect();
            !self.users_elsewhere(name, &targets).is_empty()
        };
        let used: Vec<bool> = self.all.iter().map(each).collect();
        let named: Vec<(&str, &Activation<'_>, bool)> =
            self.all.iter().zip(used).map(|((name, activation), is_used)| (*name, activation, is_used)).collect();
        Activation::session_context_of(&named, budget)
    }

    /// That a packet shows no code of repositories that define what the task names.
    pub fn without_room(&self, context: &SessionContext) -> Option<Problem> {
        if self.is_only {
            return None;
        }
        let names: Vec<String> = self.all.iter().map(|(name, activation)| activation.safe_name(name)).collect();
        // A repository may be called like a folder of another.
        let of_path = |path: &str| {
            let is_of = |name: &&String| path.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('/'));
            names.iter().filter(is_of).max_by_key(|name| name.len())
        };
        let items = context.sections.iter().flat_map(|section| &section.items).filter(|item| item.about.kind == "code");
        let shown: BTreeSet<&String> = items.filter_map(|item| of_path(item.about.path.as_ref()?.as_str())).collect();
        let is_named = |activation: &Activation<'_>| !activation.found.intent.targets.is_empty();
        let unseen = self.all.iter().zip(&names).filter(|((_, activation), name)| is_named(activation) && !shown.contains(name));
        let lacking: Vec<&str> = unseen.map(|(_, name)| name.as_str()).collect();
        let have = if lacking.len() == 1 { "has" } else { "have" };
        let message = format!(
            "{} {have} what the task names, and no code of that is shown in {} tokens",
            lacking.join(", "),
            context.budget
        );
        (!lacking.is_empty()).then(|| Problem::new("fleet", message))
    }

    /// Repositories that take no part, and why.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Why a place is in the answer: what speaks for it in its repository, and where that came from another, what speaks for it there.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where no repository that takes part has it.
    pub fn why(&self, place: &str) -> Result<Vec<String>> {
        let own = self
            .all
            .iter()
            .filter_map(|(name, activation)| Some((*name, activation, place.strip_prefix(name)?.strip_prefix('/')?)));
        let found = own.max_by_key(|(name, ..)| name.len());
        let Some((name, activation, place)) = found else {
            if let ([(_, only)], true) = (&self.all[..], self.is_only) {
                return only.why(place);
            }
            let names: Vec<&str> = self.all.iter().map(|(name, _)| *name).collect();
            let is_whole = names.contains(&place);
            let message = if is_whole {
                format!("`{place}` is a repository: name a place in it, as in `{place}/path#Name`")
            } else {
                format!("`{place}` is in none of the repositories that take part: {}", names.join(", "))
            };
            return Err(Error::new(ErrorKind::BadInput, message));
        };
        let mut lines = self.why_within(name, activation, place)?;
        let crossing = self.crossings.iter().find(|crossing| crossing.shard.name == name);
        let mut told: Vec<Node> = Vec::new();
        for (from, linked) in crossing.iter().flat_map(|crossing| &crossing.linked) {
            let there = self.all.iter().find(|(other, _)| crate::key::repository(other) == from.0);
            let Some((other, there)) = there.filter(|_| lines.iter().any(|line| line.contains(&linked.said))) else { continue };
            if told.contains(from) {
                continue;
            }
            told.push(*from);
            let id = there.snapshot.base.id(NodeId(from.1));
            lines.extend(self.why_within(other, there, &id)?);
        }
        Ok(lines)
    }
}

impl Asked<'_> {
    /// Why a place of a repository is in the answer, below its name; the places in it are those of the repository.
    fn why_within(&self, name: &str, activation: &Activation<'_>, place: &str) -> Result<Vec<String>> {
        let targets = activation.targets(place)?;
        let mut told = activation.why_within(place, &format!(", within {}", activation.safe_name(name)))?;
        if told.is_empty() {
            told.push("nothing of the task leads to it".to_owned());
        }
        told.extend(self.used_by_others(name, &targets));
        let id = targets.first().map(|node| activation.snapshot.base.id(*node)).unwrap_or_default();
        let told = told.into_iter().map(|line| format!("  {line}"));
        Ok(std::iter::once(format!("{}/{}:", activation.safe_name(name), activation.safe_name(&id))).chain(told).collect())
    }

    /// Who surely uses nodes of a repository in others that may be seen.
    fn users_elsewhere(&self, name: &str, nodes: &[NodeId]) -> BTreeSet<Node> {
        let links = nodes.iter().flat_map(|node| self.shards.links.to((crate::key::repository(name), node.0)));
        let sure = links.filter(|link| link.n_meant == 1 && self.shards.of(link.of.from.0).is_some());
        sure.map(|link| link.of.from).collect()
    }

    /// The same in words: what is said of nodes within their repository knows of none.
    fn used_by_others(&self, name: &str, nodes: &[NodeId]) -> Option<String> {
        let users = self.users_elsewhere(name, nodes);
        let repositories: BTreeSet<Key> = users.iter().map(|user| user.0).collect();
        let (n_users, n) = (users.len(), repositories.len());
        let (places, others) =
            (if n_users == 1 { "place" } else { "places" }, if n == 1 { "repository" } else { "repositories" });
        (n > 0).then(|| format!("used by {n_users} {places} in {n} other {others}: `activate fleet callers` lists them"))
    }
}

/// The names in the task, with what qualifies them, and the files that some repository has as a whole.
fn named_whole(activated: &[(&str, Activation<'_>)]) -> BTreeSet<String> {
    let targets = activated.iter().flat_map(|(_, activation)| &activation.found.intent.targets);
    targets
        .filter(|target| matches!(target.how, How::Qualified | How::Path | How::PathLine))
        .map(|target| target.text.clone())
        .collect()
}

/// Whether a repository has no more than the last part of one of these names, or of one that is qualified as one of them is.
fn is_named_in_part(activation: &Activation<'_>, full: &BTreeSet<String>) -> bool {
    let qualifier = |text: &str| text.rfind(['.', '#', ':']).map(|at| text[..at].to_owned());
    // What qualifies in small letters may be a variable.
    let is_type = |of: &String| of.contains(char::is_uppercase);
    let known: BTreeSet<String> = full.iter().filter_map(|text| qualifier(text).filter(is_type)).collect();
    let is_part = |how: How| matches!(how, How::Exact | How::CaseInsensitive);
    let is_meant = |text: &str| full.contains(text) || qualifier(text).is_some_and(|of| known.contains(&of));
    activation.found.intent.targets.iter().any(|target| is_part(target.how) && is_meant(&target.text))
}

/// Opens repositories; those that cannot be are left out.
fn opened<'s>(shards: &[&'s Shard], open: Open<'_>, progress: ProgressFn<'_>, problems: &mut Vec<Problem>) -> Vec<Opened<'s>> {
    let each = |shard: &&'s Shard| {
        let engine = open(shard)?;
        let snapshot = engine.snapshot_with(progress)?;
        let n_nodes = snapshot.base.n_files() + snapshot.base.n_symbols();
        if shard.n_nodes() != Some(n_nodes as usize) {
            let message = "its shard is not of the files that it has now; `activate fleet sync` makes it again";
            return Err(Error::new(ErrorKind::Changed, message));
        }
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
    opened: &[&'o Opened<'_>],
    request: impl Fn(&Shard) -> Request + Sync,
    progress: ProgressFn<'_>,
    problems: &mut Vec<Problem>,
) -> Vec<(&'o str, Activation<'o>)> {
    let each = |of: &&'o Opened<'_>| of.engine.activate_on(&of.snapshot, &request(of.shard), progress);
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
fn crossings<'s>(
    shards: &'s Shards,
    opened: &[Opened<'_>],
    activated: &[(&str, Activation<'_>)],
    request: &Request,
    weights: &FleetWeights,
) -> Vec<Crossing<'s>> {
    let mut found: FxHashMap<Node, (Thousandths, String, Node)> = FxHashMap::default();
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
                let known = found.entry(there).or_insert_with(|| (strength, said.clone(), here));
                if (strength, &known.1) > (known.0, &said) {
                    *known = (strength, said, here);
                }
            }
        }
    }
    let mut all: Vec<Crossing<'s>> = Vec::new();
    for ((repository, node), (strength, said, from)) in found {
        let Some(shard) = shards.of(repository) else { continue };
        let linked = (from, Linked { to: shard.id(node).to_owned(), strength, said });
        match all.iter_mut().find(|crossing| crossing.shard.key == repository) {
            Some(crossing) => crossing.linked.push(linked),
            None => all.push(Crossing { shard, linked: vec![linked] }),
        }
    }
    for crossing in &mut all {
        crossing.linked.sort_by(|one, other| one.1.to.cmp(&other.1.to));
    }
    all.sort_by(|one, other| one.shard.name.cmp(&other.shard.name));
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
        UseKind::Request => LinkKind::ServedBy,
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
        (UseKind::Request, true) => "serves",
        (UseKind::Request, false) => "asked for by",
    }
}
