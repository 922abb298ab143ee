//! From code to the tests that run it: those that call it, those that reach it through others, those beside it.
//!
//! Links are followed backwards, and no further than a few calls: what is farther away says little.

use super::Column;
use super::{FactBase, FileFlags, Traits};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The most calls between a test and what it reaches, the last one included.
pub const MAX_CALLS: u32 = 4;

/// The most definitions that are looked through on the way back from one: hubs are reached by everything.
pub(super) const MAX_VISITED: usize = 4_000;

/// The most test files that stand for the tests of a package.
const MAX_FILES: usize = 8;

/// The most symbols that stand around one another.
pub(super) const MAX_LEVELS: usize = 32;

/// How a test reaches a subject, the closest way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// The test itself calls or names it.
    Direct,
    /// What the test calls does; or the test calls the method of an interface that the subject fulfils.
    Transitive,
    /// The test file is named after the file.
    NamedAfter,
    /// It stands in the same package, and no test is known to reach the subject.
    SamePackage,
}

impl Reach {
    /// The word for it in facts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Transitive => "transitive",
            Self::NamedAfter => "named_after",
            Self::SamePackage => "same_package",
        }
    }
}

/// A test that reaches a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reaching {
    /// The test, or a test file.
    pub test: NodeId,
    /// How it does.
    pub reach: Reach,
    /// Number of calls from the test to the subject; none where there is no call.
    pub n_calls: u32,
    /// How sure the least sure step is.
    pub confidence: Confidence,
    /// What is called on the way, from the test to the subject, without both.
    pub through: Vec<NodeId>,
}

/// The tests of a repository.
pub struct TestMap<'a> {
    base: &'a FactBase,
    /// The files with tests of each package; gathered when somebody asks.
    packages: OnceCell<BTreeMap<&'a str, Vec<NodeId>>>,
}

/// How a definition was met on the way back from a subject.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// What it calls; none for the subject.
    next: Option<NodeId>,
    confidence: Confidence,
}

type Steps = FxHashMap<NodeId, Step>;

impl<'a> TestMap<'a> {
    /// The tests of a repository.
    pub fn new(base: &'a FactBase) -> Self {
        Self { base, packages: OnceCell::new() }
    }

    fn packages(&self) -> &BTreeMap<&'a str, Vec<NodeId>> {
        self.packages.get_or_init(|| {
            let base = self.base;
            let is_test = |node: NodeId| base.traits(node).is_some_and(|traits| traits.has(Traits::TEST));
            let mut packages: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
            for file in base.files().filter(|file| base.symbols_of(*file).map(NodeId).any(is_test)) {
                if let Some(package) = base.package_of(file) {
                    packages.entry(package).or_default().push(file);
                }
            }
            packages
        })
    }

    /// The tests that reach a symbol or file, the closest and surest first; where there are none, test files of its package.
    pub fn reaching(&self, subject: NodeId) -> Vec<Reaching> {
        let mut found = if self.base.is_file(subject) { self.named_after(subject) } else { self.calling(subject) };
        if found.is_empty() {
            found = self.beside(subject);
        }
        found
    }

    fn named_after(&self, subject: NodeId) -> Vec<Reaching> {
        let reach = Reach::NamedAfter;
        let tests = self.base.tests_of(subject).into_iter();
        tests.map(|(test, confidence)| Reaching { test, reach, n_calls: 0, confidence, through: Vec::new() }).collect()
    }

    /// Follows calls back from a symbol: what is sure first, then what calls of interfaces may lead to.
    fn calling(&self, subject: NodeId) -> Vec<Reaching> {
        let mut tests = FxHashSet::default();
        let mut found = self.follow(subject, false, &mut tests);
        found.extend(self.follow(subject, true, &mut tests));
        found
    }

    /// The tests that reach a symbol, but for those that are known, the closest first.
    fn follow(&self, subject: NodeId, by_promise: bool, tests: &mut FxHashSet<NodeId>) -> Vec<Reaching> {
        let mut steps = Steps::from_iter([(subject, Step { next: None, confidence: Confidence::Exact })]);
        let mut found = Vec::new();
        let mut level = vec![subject];
        for n_calls in 1..=MAX_CALLS {
            if by_promise {
                self.add_promises(&mut level, &mut steps);
            }
            let mut next_level = Vec::new();
            for (user, called, confidence) in self.users(&level, &steps) {
                if let Some(test) = self.base.test_around(user) {
                    if tests.insert(test) {
                        let reach = if called == subject { Reach::Direct } else { Reach::Transitive };
                        found.push(Reaching { test, reach, n_calls, confidence, through: way(called, &steps) });
                    }
                } else if self.base.is_symbol(user) && !steps.contains_key(&user) && steps.len() < MAX_VISITED {
                    steps.insert(user, Step { next: Some(called), confidence });
                    next_level.push(user);
                }
            }
            level = next_level;
        }
        found.sort_by_key(|reaching| (reaching.n_calls, reaching.reach, reaching.confidence, reaching.test));
        found
    }

    /// What surely calls or names definitions, with what of them it does and how sure all of the way is: the surest way to each first.
    fn users(&self, level: &[NodeId], steps: &Steps) -> Vec<(NodeId, NodeId, Confidence)> {
        let mut users: Vec<(NodeId, NodeId, Confidence)> = Vec::new();
        for called in level {
            let sure = steps[called].confidence;
            let links = self.base.links().row(*called).filter(|(_, link)| {
                matches!(link.kind(), LinkKind::CalledBy | LinkKind::ReferencedBy | LinkKind::Serves)
                    && link.confidence() <= Confidence::Unique
            });
            users.extend(links.map(|(user, link)| (user, *called, link.confidence().max(sure))));
        }
        // The subject itself before what it fulfils.
        users.sort_unstable_by_key(|(user, called, confidence)| (*user, steps[called].next.is_some(), *confidence, *called));
        users
    }

    /// Adds the methods of interfaces and traits that methods fulfil: whoever calls those may call these, as one of so many.
    fn add_promises(&self, level: &mut Vec<NodeId>, steps: &mut Steps) {
        for at in 0..level.len() {
            let method = level[at];
            for (promise, link) in self.base.links().row(method).filter(|(_, link)| link.kind() == LinkKind::Implements) {
                let kin = self.base.links().row(promise).filter(|(_, link)| link.kind() == LinkKind::ImplementedBy);
                // What everybody fulfils has thousands of them: those past the greatest number that counts are not looked at.
                let n_kin = kin.take(Confidence::MAX_CANDIDATES + 1).count();
                let Some(one_of) = Confidence::among(n_kin) else { continue };
                let confidence = steps[&method].confidence.max(link.confidence()).max(one_of);
                if !steps.contains_key(&promise) && steps.len() < MAX_VISITED {
                    steps.insert(promise, Step { next: Some(method), confidence });
                    level.push(promise);
                }
            }
        }
    }

    /// Test files of the package of a node, those of its folder first.
    fn beside(&self, subject: NodeId) -> Vec<Reaching> {
        let file = self.base.file_of(subject);
        let Some(package) = self.base.package_of(file) else { return Vec::new() };
        let folder = |file: NodeId| self.base.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_kin = |other: &&NodeId| self.base.language(**other) == self.base.language(file);
        let mut files: Vec<NodeId> = self.packages().get(package).into_iter().flatten().filter(is_kin).copied().collect();
        files.sort_by_key(|other| (folder(*other) != folder(file), *other));
        let (reach, confidence) = (Reach::SamePackage, Confidence::Exact);
        let files = files.into_iter().take(MAX_FILES);
        files.map(|test| Reaching { test, reach, n_calls: 0, confidence, through: Vec::new() }).collect()
    }
}

/// What stands between a test that uses `called` and the subject.
fn way(called: NodeId, steps: &Steps) -> Vec<NodeId> {
    let mut way = Vec::new();
    let mut at = called;
    while let Some(Step { next: Some(next), .. }) = steps.get(&at) {
        way.push(at);
        at = *next;
    }
    way
}

impl FactBase {
    /// The tests that themselves run a symbol, or the test file that is named after a file, with the confidence of each.
    pub fn tests_of(&self, subject: NodeId) -> Vec<(NodeId, Confidence)> {
        let range = self.range(Column::TestStarts, subject.0);
        let (targets, levels) = (self.u32s(Column::TestTargets), self.bytes(Column::TestConfidence));
        let row = |at: usize| Some((NodeId(*targets.get(at)?), *Confidence::ALL.get(usize::from(*levels.get(at)?))?));
        range.filter_map(row).collect()
    }

    /// The package of a file: its folder, or that of its manifest.
    pub fn package_of(&self, file: NodeId) -> Option<&str> {
        let package = self.at(Column::FilePackage, file.0).checked_sub(1)?;
        Some(self.string(package))
    }

    /// The test that a node is or stands in; a test file for what stands in no test of it.
    pub fn test_around(&self, node: NodeId) -> Option<NodeId> {
        if self.is_file(node) {
            return Some(node).filter(|file| self.flags(*file).has(FileFlags::TEST));
        }
        let mut around = node;
        for _ in 0..MAX_LEVELS {
            let traits = self.traits(around)?;
            if traits.has(Traits::TEST) {
                // What a group of tests defines belongs to none of them.
                return Some(around).filter(|test| *test == node || !traits.has(Traits::GROUP));
            }
            around = self.container(around)?;
        }
        None
    }
}
