//! Who would notice a change of definitions: what uses, implements or imports them, and what uses those in turn.
//!
//! Links are followed from what is used to what uses it, and never back down: who merely calls the same function notices nothing.

use super::test_map::{Knows, MAX_ANY_OF, MAX_CALLS, MAX_VISITED, Promise, Users};
use super::{FactBase, SymbolKind, Traits};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Links from a definition to what uses it.
const USED_BY: [LinkKind; 5] =
    [LinkKind::CalledBy, LinkKind::ReferencedBy, LinkKind::ImplementedBy, LinkKind::ExtendedBy, LinkKind::Serves];

/// Links from what stands for a definition to what uses it.
const CALLED_BY: [LinkKind; 2] = [LinkKind::CalledBy, LinkKind::ReferencedBy];

/// The dependents of some definitions.
pub struct Dependents<'a> {
    base: &'a FactBase,
    steps: FxHashMap<NodeId, Step>,
    /// Methods of interfaces that too many fulfil to be followed with the rest, by how far away they are, each with what fulfils it.
    wide: [Vec<(NodeId, NodeId)>; MAX_CALLS as usize],
    /// What uses the types of what fulfils them, once they are followed.
    users: Option<Users>,
}

/// How a node was met on the way up.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// What it uses; none for what changes.
    next: Option<NodeId>,
    link: Uses,
    confidence: Confidence,
    /// The widest on the way to what changes.
    promise: Option<Promise>,
    /// What it, or what it uses in front of a method that too many fulfil, has to do with the type of the one that changes.
    knows: Knows,
}

impl Step {
    /// What changes, or holds it.
    const ROOT: Self = Self { next: None, link: Uses::Passes, confidence: Confidence::Exact, promise: None, knows: Knows::Type };
}

/// What a node does with the next on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uses {
    /// It has a link to it.
    Link(LinkKind),
    /// It is a file of tests that is named after it.
    NamedAfter,
    /// Nothing: it only lies on the way, as the method of an interface does that a method fulfils.
    Passes,
}

/// The way from a dependent to what changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// What changes.
    pub target: NodeId,
    /// What it does with the first on the way, or with the target where there is nothing between.
    pub uses: Uses,
    /// How sure that is.
    pub confidence: Confidence,
    /// What lies between, from the dependent to the target.
    pub through: Vec<NodeId>,
    /// The method of an interface on the way that the most fulfil.
    pub promise: Option<Promise>,
    /// How far the dependent, or the closest of what it uses in front of that method, is from the type of the one that changes: 0 uses it, 1 uses a
    /// method of it or what uses it, 2 stands in a file that does, 3 neither. 0 where ways are not told apart by it.
    pub type_distance: u32,
}

impl Dependence {
    /// Whether too many fulfil a method on the way to say how sure it is.
    pub fn is_wide(&self) -> bool {
        self.promise.is_some_and(|promise| promise.confidence().is_none())
    }
}

impl<'a> Dependents<'a> {
    /// The dependents of definitions and files. Who uses a part of a type uses the type; who uses a part of a file is found only where that
    /// part is given too. `is_importer` says whether a file that imports that of a target depends on it.
    pub fn new(base: &'a FactBase, targets: &[NodeId], is_importer: impl Fn(NodeId, NodeId) -> bool) -> Self {
        let mut dependents = Self { base, steps: FxHashMap::default(), wide: Default::default(), users: None };
        let mut level = Vec::new();
        let mut open: Vec<NodeId> = targets.iter().rev().copied().collect();
        while let Some(node) = open.pop() {
            if dependents.steps.insert(node, Step::ROOT).is_none() {
                level.push(node);
                let parts = base.links().row(node).filter(|(_, link)| link.kind() == LinkKind::Contains);
                open.extend(parts.map(|(part, _)| part).filter(|_| !base.is_file(node)));
            }
        }
        let files: BTreeSet<NodeId> = targets.iter().map(|node| base.file_of(*node)).collect();
        for file in &files {
            dependents.steps.entry(*file).or_insert(Step::ROOT);
        }
        dependents.follow(level);
        dependents.follow_wide();
        // That a file imports what changes says less than what it calls.
        for file in files {
            let tests = base.tests_of(file).into_iter().map(|(test, sure)| (test, Uses::NamedAfter, sure));
            let importers = base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy);
            let importers = importers.map(|(from, link)| (from, Uses::Link(LinkKind::Imports), link.confidence()));
            for (from, link, confidence) in tests.chain(importers.filter(|(from, ..)| is_importer(*from, file))) {
                dependents.steps.entry(from).or_insert(Step { next: Some(file), link, confidence, ..Step::ROOT });
            }
        }
        dependents
    }

    /// Follows what surely depends on definitions, and what calls methods that few fulfil.
    fn follow(&mut self, mut level: Vec<NodeId>) {
        for n_steps in 0..MAX_CALLS as usize {
            self.add_passed(&mut level, n_steps);
            level = self.add_users(&level, n_steps, usize::MAX);
        }
    }

    /// Follows methods that many fulfil, where nothing surer was met, to so many users.
    fn follow_wide(&mut self) {
        let wide = std::mem::take(&mut self.wide);
        if wide.iter().all(Vec::is_empty) {
            return;
        }
        self.users = Some(Users::of(self.base, wide.iter().flatten().map(|(_, method)| *method)));
        let most = self.steps.len() + wide.iter().map(Vec::len).sum::<usize>() + MAX_ANY_OF;
        let mut level = Vec::new();
        for (n_steps, promises) in wide.into_iter().enumerate() {
            for (method, next) in promises {
                if !self.steps.contains_key(&method) && self.steps.len() < MAX_VISITED {
                    let promise = Promise::wider(self.promise_of(next), Some(Promise::of(self.base, method)));
                    let (confidence, knows) = (Confidence::AmongFour, Knows::Nothing);
                    let step = Step { next: Some(next), link: Uses::Passes, confidence, promise, knows };
                    self.steps.insert(method, step);
                    level.push(method);
                }
            }
            self.add_passed(&mut level, n_steps);
            level = self.add_users(&level, n_steps, most);
        }
    }

    fn promise_of(&self, node: NodeId) -> Option<Promise> {
        self.steps.get(&node).and_then(|step| step.promise)
    }

    /// What one that uses a node has to do with the type of what is promised there.
    fn knows(&self, from: NodeId, used: NodeId) -> Knows {
        let known = self.steps.get(&used).map_or(Knows::Nothing, |step| step.knows);
        self.users.as_ref().map_or(known, |users| known.min(users.knows(self.base, from)))
    }

    /// Adds what uses the nodes of a level, as long as fewer than `most` are known, those that know the type before others; gives what is to be
    /// followed from there.
    fn add_users(&mut self, level: &[NodeId], n_steps: usize, most: usize) -> Vec<NodeId> {
        // Of what is farther away, only sure links say something.
        let least = if n_steps == 0 { Confidence::AmongFour } else { Confidence::Unique };
        let mut users: Vec<(Knows, NodeId, Confidence, LinkKind, usize)> = Vec::new();
        for (at, used) in level.iter().enumerate() {
            let links = self.base.links().row(*used);
            // Who fulfils the same promise in another way notices nothing.
            let is_passed = self.steps.get(used).is_some_and(|step| step.next.is_some() && step.link == Uses::Passes);
            let kinds = if is_passed { &CALLED_BY[..] } else { &USED_BY[..] };
            let links = links.filter(|(_, link)| kinds.contains(&link.kind()) && link.confidence() <= least);
            users.extend(links.map(|(user, link)| (self.knows(user, *used), user, link.confidence(), link.kind().reverse(), at)));
        }
        users.sort_unstable();
        let mut next_level = Vec::new();
        for (knows, user, confidence, kind, at) in users {
            if self.steps.contains_key(&user) || self.steps.len() >= most.min(MAX_VISITED) {
                continue;
            }
            let promise = self.promise_of(level[at]);
            self.steps.insert(user, Step { next: Some(level[at]), link: Uses::Link(kind), confidence, promise, knows });
            // What may not use it says nothing of who uses that.
            let is_sure = confidence <= Confidence::Unique;
            if is_sure && self.base.is_symbol(user) && self.base.test_around(user).is_none() {
                next_level.push(user);
            }
        }
        next_level
    }

    /// Adds what stands for definitions where others use them: the methods of interfaces that methods fulfil, and the functions in which
    /// functions stand. Methods that too many fulfil are kept for later.
    fn add_passed(&mut self, level: &mut Vec<NodeId>, n_steps: usize) {
        let base = self.base;
        let mut at = 0;
        while let Some(&node) = level.get(at) {
            at += 1;
            let own = self.promise_of(node);
            let knows = self.steps.get(&node).map_or(Knows::Nothing, |step| step.knows);
            let mut passed: Vec<(NodeId, Confidence, Option<Promise>)> = Vec::new();
            if base.kind(node) == Some(SymbolKind::Method) {
                for (method, link) in base.links().row(node).filter(|(_, link)| link.kind() == LinkKind::Implements) {
                    if Promise::is_wide(base, method) {
                        self.wide[n_steps].push((method, node));
                        continue;
                    }
                    let promise = Promise::of(base, method);
                    let sure = promise.confidence().map(|one_of| link.confidence().max(one_of));
                    passed.extend(sure.map(|sure| (method, sure, Promise::wider(own, Some(promise)))));
                }
            }
            if base.traits(node).is_some_and(|traits| traits.has(Traits::NESTED)) && base.test_around(node).is_none() {
                passed.extend(base.container(node).map(|around| (around, Confidence::Exact, own)));
            }
            for (node_above, confidence, promise) in passed {
                if !self.steps.contains_key(&node_above) && self.steps.len() < MAX_VISITED {
                    self.steps.insert(node_above, Step { next: Some(node), link: Uses::Passes, confidence, promise, knows });
                    level.push(node_above);
                }
            }
        }
    }

    /// All that depend on a target, in the order of their nodes.
    pub fn all(&self) -> Vec<(NodeId, Dependence)> {
        let mut all: Vec<(NodeId, Dependence)> = self.steps.keys().filter_map(|node| Some((*node, self.of(*node)?))).collect();
        all.sort_unstable_by_key(|(node, _)| *node);
        all
    }

    /// Whether a node depends on a target or is one.
    pub fn has(&self, node: NodeId) -> bool {
        self.steps.contains_key(&node)
    }

    /// How a node depends on a target; nothing for a target, for what only lies on a way, and for what does not.
    pub fn of(&self, node: NodeId) -> Option<Dependence> {
        let step = self.steps.get(&node).filter(|step| step.link != Uses::Passes)?;
        let (mut target, mut through) = (step.next?, Vec::new());
        // A way is no longer than there are steps: each was known before the next.
        while let Some(next) = self.steps.get(&target).and_then(|step| step.next) {
            through.push(target);
            target = next;
        }
        let (uses, confidence, promise, type_distance) = (step.link, step.confidence, step.promise, step.knows as u32);
        Some(Dependence { target, uses, confidence, through, promise, type_distance })
    }
}
