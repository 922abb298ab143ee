//! What a change of the targets may affect: what depends on them, and how that is said.
//!
//! Must not know lists: who is listed is told whether it is affected, and why.

use super::View;
use crate::activation::{Active, Reason, Role};
use crate::reason::{linked, name, reason, through};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use index::base::{Dependence, Dependents, FactBase, FileFlags, Uses};
use index::completeness::dependents_of_change;
use intent::Intent;
use redact::Safe;
use review::Review;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// The most of those that are not active that are looked through: many can stand in one file.
const MAX_OTHERS: usize = 200;

/// What depends on the targets.
pub(super) struct Affected<'a> {
    dependents: Dependents<'a>,
    is_review: bool,
}

impl<'a> Affected<'a> {
    pub(super) fn new(view: &View<'a>) -> Self {
        let Some(review) = view.sources.review else {
            return Self { dependents: Dependents::new(view.base, &meant(view), |_, _| true), is_review: false };
        };
        Self { dependents: affected_by(view.base, &view.activation.intent, review), is_review: true }
    }

    /// Why a change of the targets may affect a file or symbol that is active; nothing where it does not. In a review it is said how it depends on
    /// what changes, elsewhere why it is active, as far as that leads to a target.
    pub(super) fn why(&self, view: &View<'_>, active: &Active) -> Option<Safe> {
        let is_to_target = match active.reason {
            Reason::Failure(_) => return Some(reason(view, active)),
            Reason::Link { via, .. } | Reason::Tests(via) => self.dependents.has(via),
            Reason::Holds(symbol) => self.dependents.has(symbol),
            _ => false,
        };
        if !self.is_review && is_to_target {
            return Some(reason(view, active));
        }
        let (node, way) = self.of(view, active)?;
        Some(phrase(view, node, &way))
    }

    /// What depends on what changes in a review, active or not: the closest first, of those code before tests, then the surest; each with why.
    pub(super) fn others(&self, view: &View<'_>) -> Vec<(NodeId, Dependence, Safe)> {
        if !self.is_review {
            return Vec::new();
        }
        let mut all = self.dependents.all();
        all.retain(|(_, way)| way.confidence <= Confidence::Unique && !way.is_wide());
        let is_test =
            |node: NodeId| view.base.test_around(node).is_some() || view.base.flags(view.base.file_of(node)).has(FileFlags::TEST);
        all.sort_by_cached_key(|(node, way)| {
            let score = view.active(*node).or_else(|| view.active(view.base.file_of(*node))).map(|active| active.score);
            (way.through.len(), is_test(*node), way.confidence, Reverse(score), *node)
        });
        let said = |(node, way): (NodeId, Dependence)| {
            let why = phrase(view, node, &way);
            (node, way, why)
        };
        all.into_iter().take(MAX_OTHERS).map(said).collect()
    }

    /// How an active node depends on a target, and which part of it does: of a file what holds it, then itself, then the part that is closest.
    fn of(&self, view: &View<'_>, active: &Active) -> Option<(NodeId, Dependence)> {
        let of = |node: NodeId| Some((node, self.dependents.of(node)?));
        let held = match active.reason {
            Reason::Holds(symbol) => of(symbol),
            _ => None,
        };
        let found = held.or_else(|| of(active.node));
        if found.is_some() || !view.base.is_file(active.node) {
            return found;
        }
        let parts = view.base.symbols_of(active.node).filter_map(|node| of(NodeId(node)));
        parts.min_by_key(|(node, way)| (way.through.len(), *node))
    }
}

/// What depends on a change.
pub fn affected_by<'a>(base: &'a FactBase, intent: &Intent, review: &Review) -> Dependents<'a> {
    let changed: Vec<NodeId> = intent.targets.iter().map(|target| target.node).collect();
    let at_large: FxHashSet<NodeId> = review.files.iter().filter(|file| file.is_at_large).filter_map(|file| file.file).collect();
    dependents_of_change(base, &changed, |file| at_large.contains(&file))
}

/// What a task is about that is not a review: what is meant, and what a test uses that fails or is meant, since that is what is mended.
fn meant(view: &View<'_>) -> Vec<NodeId> {
    let all = || view.activation.symbols.iter().chain(&view.activation.files);
    let is_test = |node: NodeId| view.base.test_around(node).is_some();
    let is_used_by_test = |active: &Active| match active.reason {
        Reason::Link { kind: LinkKind::CalledBy | LinkKind::ReferencedBy, via, .. } if is_test(via) => {
            view.active(via).is_some_and(|test| !matches!(test.reason, Reason::Link { .. } | Reason::Tests(_)))
        }
        _ => false,
    };
    let is_meant = |active: &&Active| active.role == Role::Target || is_used_by_test(active);
    let nodes = all().filter(is_meant).map(|active| active.node).collect();
    // A file that is itself meant is meant with all that it holds.
    let is_whole = |file: NodeId| {
        view.active(file).is_some_and(|active| matches!(active.reason, Reason::Named(_) | Reason::Words(_) | Reason::Touched))
    };
    with_parts(view, nodes, is_whole)
}

/// Targets with the parts of files of which nothing smaller is meant, and of those that are meant as a whole.
fn with_parts(view: &View<'_>, mut nodes: Vec<NodeId>, is_whole: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    let of_symbols = nodes.iter().filter(|node| view.base.is_symbol(**node)).map(|node| view.base.file_of(*node));
    let of_symbols: FxHashSet<NodeId> = of_symbols.collect();
    let files = nodes.iter().filter(|node| view.base.is_file(**node) && (is_whole(**node) || !of_symbols.contains(node)));
    let parts: Vec<NodeId> = files.flat_map(|file| view.base.symbols_of(*file).map(NodeId)).collect();
    nodes.extend(parts);
    nodes
}

/// How a node depends on a target, in a few words.
fn phrase(view: &View<'_>, node: NodeId, way: &Dependence) -> Safe {
    let is_test = view.base.test_around(node).is_some() || view.base.flags(view.base.file_of(node)).has(FileFlags::TEST);
    match way.uses {
        _ if !way.through.is_empty() => through(view, way.target, &way.through),
        Uses::Link(LinkKind::Calls | LinkKind::References) if is_test => Safe::format("tests {}", &[&name(view, way.target)]),
        Uses::Link(kind) => {
            let line = view.base.link_line(node, kind, way.target);
            linked(view, node, kind, way.target, line, way.confidence)
        }
        Uses::NamedAfter | Uses::Passes => Safe::format("named after {}", &[&name(view, way.target)]),
    }
}
