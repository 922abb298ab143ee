//! From code to the tests that run it: those that call it, those that reach it through others, those beside it.
//!
//! Links are followed backwards, and no further than a few calls: what is farther away says little.

mod knows;

pub(super) use knows::{Knows, Users};

use super::Column;
use super::{FactBase, FileFlags, Traits};
use crate::text::{Form, for_each_word};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most calls between a test and what it reaches, the last one included.
pub const MAX_CALLS: u32 = 4;

/// The most definitions that are looked through on the way back from one: hubs are reached by everything.
pub(super) const MAX_VISITED: usize = 4_000;

/// The most test files that stand for the tests of a package.
const MAX_FILES: usize = 8;

/// The most tests and users that are met through methods of interfaces that more types fulfil than have a level of confidence: whoever calls such
/// a method may run any of them, so that what is met so says little, and of a popular interface it is most of the code.
pub(super) const MAX_ANY_OF: usize = 50;

/// The most symbols that stand around one another.
pub(super) const MAX_LEVELS: usize = 32;

/// How a test reaches a subject, the closest way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// The test itself calls or names it.
    Direct,
    /// What the test calls does; or the test calls the method of an interface that the subject fulfils.
    Transitive,
    /// The test, or what it calls, calls the method of an interface that the subject fulfils with more others than have a level of confidence.
    AnyOf,
    /// The test file is named after the file.
    NamedAfter,
    /// It stands in the same package, and no test is known to reach the subject.
    SamePackage,
}

impl Reach {
    /// Whether calls lead to it, sure or not.
    pub const fn is_by_calls(self) -> bool {
        matches!(self, Self::Direct | Self::Transitive | Self::AnyOf)
    }

    /// The word for it in facts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Transitive => "transitive",
            Self::AnyOf => "any_of",
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
    /// The method of an interface on the way that the most fulfil.
    pub promise: Option<Promise>,
    /// How far the test, or the closest of what it calls in front of that method, is from the type of the one that is to be run: 0 uses it, 1 uses
    /// a method of it or what uses it, 2 stands in a file that does, 3 neither. 0 where ways are not told apart by it.
    pub type_distance: u32,
}

/// The method of an interface or trait, or one that others override: whoever calls it may run any method that fulfils it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promise {
    /// The method that is called.
    pub method: NodeId,
    /// The number of methods that fulfil it.
    pub n_kin: u32,
}

impl Promise {
    /// What a call of a method promises.
    pub fn of(base: &FactBase, method: NodeId) -> Self {
        let kin = base.links().row(method).filter(|(_, link)| link.kind() == LinkKind::ImplementedBy);
        Self { method, n_kin: kin.count() as u32 }
    }

    /// Whether too many fulfil a method for a level of confidence. What everybody fulfils has thousands of them: those past the greatest number that
    /// counts are not looked at.
    pub(super) fn is_wide(base: &FactBase, method: NodeId) -> bool {
        let kin = base.links().row(method).filter(|(_, link)| link.kind() == LinkKind::ImplementedBy);
        kin.take(Confidence::MAX_CANDIDATES + 1).count() > Confidence::MAX_CANDIDATES
    }

    /// How sure it is that a call of it runs a certain one of those that fulfil it; nothing where they are too many to say.
    pub(super) const fn confidence(self) -> Option<Confidence> {
        Confidence::among(self.n_kin as usize)
    }

    /// The one of two that more fulfil.
    pub(super) fn wider(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let n_kin = |promise: Option<Self>| promise.map_or(0, |promise| promise.n_kin);
        if n_kin(other) > n_kin(one) { other } else { one }
    }
}

impl Reaching {
    /// That a test stands where it does, or is what it is: no call says it.
    pub const fn of_file(test: NodeId, reach: Reach) -> Self {
        Self { test, reach, n_calls: 0, confidence: Confidence::Exact, through: Vec::new(), promise: None, type_distance: 0 }
    }

    /// What one has to do with the type that the promised method belongs to: the closest of the test and what it calls in front of the promise.
    fn knows(&self, base: &FactBase, users: &Users) -> Knows {
        let promised = self.promise.map(|promise| promise.method);
        let before = self.through.iter().copied().take_while(|node| Some(*node) != promised);
        before.chain([self.test]).map(|node| users.knows(base, node)).min().unwrap_or(Knows::Nothing)
    }
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
    /// The widest on the way to the subject.
    promise: Option<Promise>,
}

/// Which methods of interfaces are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// None: only what surely calls.
    Calls,
    /// Those that so few fulfil that one of them has a level of confidence.
    Few,
    /// All of them.
    Any,
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
        let tests = self.base.tests_of(subject).into_iter();
        tests.map(|(test, confidence)| Reaching { confidence, ..Reaching::of_file(test, Reach::NamedAfter) }).collect()
    }

    /// Follows calls back from a symbol: what is sure first, then what calls of interfaces may lead to.
    fn calling(&self, subject: NodeId) -> Vec<Reaching> {
        let mut tests = FxHashSet::default();
        let (mut found, _) = self.follow(subject, Follow::Calls, &mut tests);
        let (promised, wide) = self.follow(subject, Follow::Few, &mut tests);
        found.extend(promised);
        if !wide.is_empty() {
            let (any, _) = self.follow(subject, Follow::Any, &mut tests);
            // Of those that may run any, the ones that know the type of this come first.
            let users = Users::of(self.base, wide);
            let mut any: Vec<(Knows, Reaching)> = any.into_iter().map(|way| (way.knows(self.base, &users), way)).collect();
            any.sort_by_key(|(knows, way)| (*knows, way.n_calls, way.test));
            let any = any.into_iter().take(MAX_ANY_OF);
            found.extend(any.map(|(knows, way)| Reaching { type_distance: knows as u32, ..way }));
        }
        found
    }

    /// The tests that reach a symbol, but for those that are known, the closest first; and the methods on the way that fulfil one which too many
    /// fulfil to be followed.
    fn follow(&self, subject: NodeId, follow: Follow, tests: &mut FxHashSet<NodeId>) -> (Vec<Reaching>, Vec<NodeId>) {
        let root = Step { next: None, confidence: Confidence::Exact, promise: None };
        let mut steps = Steps::from_iter([(subject, root)]);
        let (mut found, mut wide) = (Vec::new(), Vec::new());
        let mut level = vec![subject];
        for n_calls in 1..=MAX_CALLS {
            if follow != Follow::Calls {
                wide.extend(self.add_promises(&mut level, &mut steps, follow));
            }
            let mut next_level = Vec::new();
            for (user, called, confidence) in self.users(&level, &steps) {
                let promise = steps[&called].promise;
                if let Some(test) = self.base.test_around(user) {
                    if tests.insert(test) {
                        let reach = match promise {
                            Some(promise) if promise.confidence().is_none() => Reach::AnyOf,
                            _ if called == subject => Reach::Direct,
                            _ => Reach::Transitive,
                        };
                        let through = way(called, &steps);
                        found.push(Reaching { test, reach, n_calls, confidence, through, promise, type_distance: 0 });
                    }
                } else if self.base.is_symbol(user) && !steps.contains_key(&user) && steps.len() < MAX_VISITED {
                    steps.insert(user, Step { next: Some(called), confidence, promise });
                    next_level.push(user);
                }
            }
            level = next_level;
        }
        found.sort_by_key(|reaching| (reaching.n_calls, reaching.reach, reaching.confidence, reaching.test));
        (found, wide)
    }

    /// What surely calls or names definitions, or asks for their routes, with what of them it does and how sure all of the way is: the surest way to each
    /// first.
    fn users(&self, level: &[NodeId], steps: &Steps) -> Vec<(NodeId, NodeId, Confidence)> {
        let mut users: Vec<(NodeId, NodeId, Confidence)> = Vec::new();
        for called in level {
            let sure = steps[called].confidence;
            let links = self.base.links().row(*called).filter(|(_, link)| match link.kind() {
                LinkKind::CalledBy | LinkKind::ReferencedBy => link.confidence() <= Confidence::Unique,
                // Of a request often only the end of the path is known, which its row says.
                LinkKind::Serves => link.confidence() <= Confidence::AmongTwo,
                _ => false,
            });
            users.extend(links.map(|(user, link)| (user, *called, link.confidence().max(sure))));
        }
        // The subject itself before what it fulfils.
        users.sort_unstable_by_key(|(user, called, confidence)| (*user, steps[called].next.is_some(), *confidence, *called));
        users
    }

    /// Adds the methods of interfaces and traits that methods fulfil: whoever calls those may call these, as one of so many. Gives the
    /// methods that fulfil one which was left out because too many do.
    fn add_promises(&self, level: &mut Vec<NodeId>, steps: &mut Steps, follow: Follow) -> Vec<NodeId> {
        let mut wide = Vec::new();
        let mut at = 0;
        while let Some(&method) = level.get(at) {
            at += 1;
            for (above, link) in self.base.links().row(method).filter(|(_, link)| link.kind() == LinkKind::Implements) {
                let Step { confidence, promise, .. } = steps[&method];
                if follow != Follow::Any && Promise::is_wide(self.base, above) {
                    wide.push(method);
                    continue;
                }
                let of = Promise::of(self.base, above);
                let one_of = of.confidence().unwrap_or(Confidence::AmongFour);
                if !steps.contains_key(&above) && steps.len() < MAX_VISITED {
                    let confidence = confidence.max(link.confidence()).max(one_of);
                    let promise = Promise::wider(promise, Some(of));
                    steps.insert(above, Step { next: Some(method), confidence, promise });
                    level.push(above);
                }
            }
        }
        wide
    }

    /// How often each file uses what a file defines, or imports it.
    fn n_uses(&self, file: NodeId) -> FxHashMap<NodeId, u32> {
        let uses = [LinkKind::CalledBy, LinkKind::ReferencedBy, LinkKind::ImportedBy, LinkKind::ExtendedBy];
        let nodes = self.base.symbols_of(file).map(NodeId).chain([file]);
        let links = nodes.flat_map(|node| self.base.links().row(node)).filter(|(_, link)| uses.contains(&link.kind()));
        let mut n_uses = FxHashMap::default();
        for (user, _) in links {
            *n_uses.entry(self.base.file_of(user)).or_default() += 1;
        }
        n_uses
    }

    /// Test files of the package of a node: those of its folder first, then those that use most of its file, then those whose names share most words
    /// with it.
    fn beside(&self, subject: NodeId) -> Vec<Reaching> {
        let file = self.base.file_of(subject);
        let Some(package) = self.base.package_of(file) else { return Vec::new() };
        let folder = |file: NodeId| self.base.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_kin = |other: &&NodeId| self.base.language(**other) == self.base.language(file);
        let mut files: Vec<NodeId> = self.packages().get(package).into_iter().flatten().filter(is_kin).copied().collect();
        let n_uses = self.n_uses(file);
        let words = name_words(&format!("{} {}", self.base.path(file), self.base.name(subject).unwrap_or_default()));
        files.sort_by_cached_key(|other| {
            let n_shared = name_words(self.base.path(*other)).intersection(&words).count();
            let n_uses = n_uses.get(other).copied().unwrap_or_default();
            (folder(*other) != folder(file), Reverse(n_uses), Reverse(n_shared), *other)
        });
        files.into_iter().take(MAX_FILES).map(|test| Reaching::of_file(test, Reach::SamePackage)).collect()
    }
}

/// The words of a text of names, those of the folders of a path aside.
fn name_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let names = text.split(' ').map(|path| path.rsplit('/').next().unwrap_or(path));
    for name in names {
        for_each_word(name.as_bytes(), |word, form| {
            if form != Form::Whole {
                words.insert(word.to_owned());
            }
        });
    }
    words
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
