//! What a list is about, who is known to use it, and what that leaves open.
//!
//! Must not look for what is missing: that is the gaps' part.

use super::gaps::Gaps;
use super::mentions::{files_with, word_of};
use super::programs::{UNFOLLOWED_RUNS, has_unlisted_runs};
use super::{Completeness, State, count, some};
use crate::base::{FactBase, FileFlags, Lead, Limit, SymbolKind, SymbolRow, Traits, UnresolvedRow};
use activate_grammars::Level;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkAttribute, LinkKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// The most callers that are followed to tests: beyond so many, most of the tests of the repository reach it.
const MAX_CALLERS: usize = 20_000;

/// Links to those who would notice a change.
const USED_BY: [LinkKind; 5] =
    [LinkKind::CalledBy, LinkKind::ReferencedBy, LinkKind::ImplementedBy, LinkKind::ExtendedBy, LinkKind::ImportedBy];

/// Links to those who run it.
const CALLED_BY: [LinkKind; 2] = [LinkKind::CalledBy, LinkKind::ReferencedBy];

/// Code that a list is about.
pub struct Subject<'a> {
    pub(super) base: &'a FactBase,
    /// The files it stands in, as far as their code is known.
    pub(super) home: BTreeSet<NodeId>,
    /// The other files it stands in, each with the reason.
    dark: Vec<String>,
    /// Files of the repository of which nothing is known, as phrases.
    unseen: &'a [String],
    /// It and its parts: whoever uses one of them uses it.
    pub(super) nodes: BTreeSet<NodeId>,
    /// The methods of interfaces that its methods stand in for: whoever calls one of them may call it.
    fronts: BTreeSet<NodeId>,
    /// Where users may be missing, once that was asked.
    gaps: OnceCell<Gaps<'a>>,
}

impl<'a> Subject<'a> {
    /// Files and symbols as one subject; none if there is no code among them. `unseen` says which files of the repository the base does
    /// not have: they may hold anything.
    pub fn new(base: &'a FactBase, nodes: &[NodeId], unseen: &'a [String]) -> Option<Self> {
        Self::of_nodes(base, nodes, unseen, true)
    }

    /// The same where a part is of the subject only if it is among the nodes: of what is met on a way its parts are not met.
    pub fn without_parts(base: &'a FactBase, nodes: &[NodeId], unseen: &'a [String]) -> Option<Self> {
        Self::of_nodes(base, nodes, unseen, false)
    }

    fn of_nodes(base: &'a FactBase, nodes: &[NodeId], unseen: &'a [String], with_parts: bool) -> Option<Self> {
        let empty = BTreeSet::new;
        let gaps = OnceCell::new();
        let mut subject = Self { base, home: empty(), dark: Vec::new(), unseen, nodes: empty(), fronts: empty(), gaps };
        let mut seen = FxHashSet::default();
        for &node in nodes {
            let file = base.file_of(node);
            if !base.is_file(file) || base.flags(file).has(FileFlags::DOCUMENT) {
                continue;
            }
            match darkness(base, file) {
                None => {
                    subject.home.insert(file);
                    subject.add(node, with_parts);
                }
                Some(reason) if seen.insert(file) => subject.dark.push(reason),
                Some(_) => {}
            }
        }
        (!subject.home.is_empty() || !subject.dark.is_empty()).then_some(subject)
    }

    /// Adds a node with its fronts, and with its parts if that is wanted.
    fn add(&mut self, node: NodeId, with_parts: bool) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if !self.nodes.insert(node) {
                continue;
            }
            let is_method = self.base.kind(node) == Some(SymbolKind::Method);
            for (to, link) in self.base.links().row(node) {
                match link.kind() {
                    LinkKind::Contains if with_parts => open.push(to),
                    LinkKind::Implements if is_method => drop(self.fronts.insert(to)),
                    _ => {}
                }
            }
        }
    }

    /// Methods of interfaces with the name of one of its methods that somebody calls, and that it is not known to stand in for.
    pub(super) fn unlinked_fronts(&self, method: &SymbolRow<'_>) -> Vec<NodeId> {
        let base = self.base;
        let is_front = |node: &NodeId| {
            // A name may have thousands of definitions, most of which a look at the kinds rules out.
            base.kind(*node) == Some(SymbolKind::Method)
                && base.container(*node).is_some_and(|container| base.kind(container) == Some(SymbolKind::Interface))
                && base.name(*node) == Some(method.name)
                && !self.nodes.contains(node)
                && !self.fronts.contains(node)
                && base.language(base.file_of(*node)) == base.language(method.file)
                && base.links().row(*node).any(|(_, link)| link.kind() == LinkKind::CalledBy)
        };
        base.each_named(method.name).filter(is_front).collect()
    }

    /// The names that uses of it are written with, each with its language.
    pub(super) fn names(&self) -> BTreeSet<(&'static str, &'a str)> {
        let names = self.nodes.iter().filter_map(|node| {
            let row = self.base.symbol(*node)?;
            let has_users = row.kind != SymbolKind::Test && !row.traits.has(Traits::NESTED);
            Some((self.base.language(row.file)?, row.name)).filter(|_| has_users)
        });
        names.collect()
    }

    /// Those of its names that methods have which may stand behind one of an interface from outside.
    pub(super) fn names_standing_in(&self) -> BTreeSet<(&'static str, &'a str)> {
        let rows = self.nodes.iter().filter_map(|node| self.base.symbol(*node));
        rows.filter(|row| row.traits.has(Traits::STANDS_IN))
            .filter_map(|row| Some((self.base.language(row.file)?, row.name)))
            .collect()
    }

    /// The files that it and its parts stand in: members of a type can stand in other files than it.
    pub(super) fn files(&self) -> BTreeSet<NodeId> {
        self.nodes.iter().map(|node| self.base.file_of(*node)).collect()
    }

    /// The files that use it, each with its surest link; so does a file that imports it to give it on.
    pub fn users(&self) -> BTreeMap<NodeId, Confidence> {
        let mut users: BTreeMap<NodeId, Confidence> = BTreeMap::new();
        let nodes = self.nodes.iter().map(|node| (*node, &USED_BY[..]));
        for (node, kinds) in nodes.chain(self.fronts.iter().map(|node| (*node, &CALLED_BY[..]))) {
            let links = self.base.links().row(node).filter(|(_, link)| kinds.contains(&link.kind()));
            for (from, link) in links.filter(|(from, _)| !self.nodes.contains(from)) {
                let sure = users.entry(self.base.file_of(from)).or_insert(link.confidence());
                *sure = (*sure).min(link.confidence());
            }
        }
        for file in self.importers() {
            users.entry(file).or_insert(Confidence::Exact);
        }
        users
    }

    /// The files that import a definition by its name. Who imports a whole file that is meant is linked to it.
    pub fn importers(&self) -> BTreeSet<NodeId> {
        let Ok(index) = self.base.text() else { return BTreeSet::new() };
        let rows = self.nodes.iter().filter_map(|node| self.base.symbol(*node));
        let is_importable =
            |row: &SymbolRow<'_>| row.container.is_none() && !row.traits.has(Traits::NESTED) && !self.nodes.contains(&row.file);
        // A file can have many of them, and many importers.
        let mut by_file: FxHashMap<NodeId, BTreeSet<NodeId>> = FxHashMap::default();
        let mut all = BTreeSet::new();
        for row in rows.filter(is_importable) {
            let importers = by_file.entry(row.file).or_insert_with(|| {
                let links = self.base.links().row(row.file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy);
                links.map(|(from, _)| from).collect()
            });
            // A default goes by whatever name the importer gives it.
            if row.traits.has(Traits::DEFAULT) {
                all.extend(importers.iter().copied());
            } else if !importers.is_empty() {
                all.extend(files_with(&index, &word_of(row.name).0).filter(|file| importers.contains(file)));
            }
        }
        all.retain(|file| !self.home.contains(file));
        all
    }

    /// The tests that call it, with the test files named after its own.
    fn tests(&self) -> BTreeSet<NodeId> {
        let subjects = self.nodes.iter().chain(&self.home);
        subjects.flat_map(|node| self.base.tests_of(*node)).map(|(test, _)| test).collect()
    }

    /// The tests that reach it by calls, however many.
    fn reaching_tests(&self) -> BTreeSet<NodeId> {
        let mut open: Vec<NodeId> = self.nodes.iter().chain(&self.fronts).copied().collect();
        let mut seen: FxHashSet<NodeId> = open.iter().copied().collect();
        let mut tests = BTreeSet::new();
        while let Some(node) = open.pop().filter(|_| seen.len() < MAX_CALLERS) {
            if let Some(test) = self.base.test_around(node) {
                tests.insert(test);
                continue;
            }
            let is_method = self.base.kind(node) == Some(SymbolKind::Method);
            let leads_up = |link: LinkAttribute| match link.kind() {
                LinkKind::CalledBy => link.confidence() <= Confidence::Unique,
                LinkKind::Implements => is_method,
                _ => false,
            };
            let above = self.base.links().row(node).filter(|(_, link)| leads_up(*link)).map(|(from, _)| from);
            open.extend(above.filter(|from| seen.insert(*from)));
        }
        tests
    }

    /// How complete a list of files that use it is; `listed` are the files that it names, or nothing if it names all users.
    pub fn of_users(&self, listed: Option<&FxHashSet<NodeId>>) -> Completeness {
        let users = self.users();
        let is_listed = |file: NodeId| listed.is_some_and(|listed| listed.contains(&file));
        let mut completeness = self.of(&|file| users.contains_key(&file) || is_listed(file), &|_| true);
        if completeness.state == State::Unknown {
            return completeness;
        }
        self.add_passed_on(listed.is_none(), &mut completeness);
        self.add_doubts(&users, &mut completeness);
        let n_more = listed.map_or(0, |_| users.keys().filter(|file| !is_listed(**file)).count());
        if n_more > 0 {
            completeness.lacks(count(n_more, "more user is not listed", "more users are not listed"));
        }
        completeness
    }

    /// How complete a list of all places that use it is: a file that has one may have others that no link shows.
    pub fn of_places(&self) -> Completeness {
        let mut completeness = self.of(&|_| false, &|_| true);
        if completeness.state != State::Unknown {
            self.add_passed_on(true, &mut completeness);
            self.add_doubts(&self.users(), &mut completeness);
        }
        completeness
    }

    /// How complete a list is of all that notices a change and of the tests among it, where the subject is what changes and all that the list has.
    /// `is_met` says what the list has or goes through.
    pub fn of_way(&self, is_met: &dyn Fn(NodeId) -> bool) -> Completeness {
        let mut completeness = self.of(&|_| false, &|_| true);
        if completeness.state == State::Unknown {
            return completeness;
        }
        self.add_passed_on(false, &mut completeness);
        self.add_doubts(&self.users(), &mut completeness);
        let links = |node: NodeId, kinds: &'static [LinkKind]| {
            self.base.links().row(node).filter(|(_, link)| kinds.contains(&link.kind())).map(|(from, _)| from)
        };
        let definitions = self.nodes.iter().filter(|node| self.base.is_symbol(**node));
        let users = definitions
            .flat_map(|node| links(*node, &USED_BY))
            .chain(self.fronts.iter().flat_map(|node| links(*node, &CALLED_BY)));
        let missed: BTreeSet<NodeId> = users.filter(|from| !is_met(*from)).collect();
        if !missed.is_empty() {
            completeness.lacks(count(missed.len(), "more user is not listed", "more users are not listed"));
        }
        let gaps = self.gaps.get_or_init(|| Gaps::new(self));
        // Where all users are known, a program that is none of them does not run it.
        let may_be_met = |entry: NodeId| completeness.state != State::Complete || is_met(entry);
        if has_unlisted_runs(self.base, &gaps.reach, is_met, &may_be_met) {
            completeness.lacks(UNFOLLOWED_RUNS.to_owned());
        }
        completeness
    }

    /// Adds that whole files of it pass on what stands in others. Who imports a file by its path is `direct` known to use it; where modules are a
    /// tree, a path only goes through it.
    fn add_passed_on(&self, direct: bool, completeness: &mut Completeness) {
        let is_path = |file: NodeId| self.base.rules_of(file).is_some_and(|language| language.scope.modules == ModuleModel::Tree);
        let whole = self.home.iter().copied().filter(|file| self.nodes.contains(file) && (!direct || is_path(*file)));
        let paths: Vec<&str> =
            whole.filter(|file| self.base.imports(*file).passed_on > 0).map(|file| self.base.path(file)).collect();
        if !paths.is_empty() {
            let verb = if paths.len() == 1 { "passes" } else { "pass" };
            completeness.lacks(format!("who uses what {} {verb} on is not followed", some(paths)));
        }
    }

    /// Adds who may use it without writing its name, and who may not use it after all.
    fn add_doubts(&self, users: &BTreeMap<NodeId, Confidence>, completeness: &mut Completeness) {
        for reason in Gaps::unwritten(self) {
            completeness.lacks(reason);
        }
        let n_ambiguous = users.values().filter(|sure| **sure > Confidence::Unique).count();
        if n_ambiguous > 0 {
            completeness.lacks(format!("{} by ambiguous links", count(n_ambiguous, "file uses it only", "files use it only")));
        }
    }

    /// How complete a list of tests is; `listed` are those that it runs, with their files.
    pub fn of_tests(&self, listed: &FxHashSet<NodeId>) -> Completeness {
        let known: RefCell<FxHashMap<NodeId, bool>> = RefCell::default();
        let is_test = |file: NodeId| *known.borrow_mut().entry(file).or_insert_with(|| self.is_test(file));
        let mut completeness = self.of(&|file| listed.contains(&file), &is_test);
        if completeness.state == State::Unknown {
            return completeness;
        }
        self.add_passed_on(false, &mut completeness);
        if self.nodes.iter().any(|node| self.serves(*node)) {
            completeness.lacks("it serves a route, and whoever knows its path may ask for it".to_owned());
        }
        let gaps = self.gaps.get_or_init(|| Gaps::new(self));
        if has_unlisted_runs(self.base, &gaps.reach, &|test| listed.contains(&test), &|_| true) {
            completeness.lacks(UNFOLLOWED_RUNS.to_owned());
        }
        let direct = self.tests();
        let (calling, named): (BTreeSet<NodeId>, BTreeSet<NodeId>) =
            direct.iter().filter(|test| !listed.contains(test)).partition(|test| self.base.is_symbol(**test));
        if !calling.is_empty() {
            completeness.lacks(count(calling.len(), "more test calls it", "more tests call it"));
        }
        let calling_files: BTreeSet<NodeId> = calling.iter().map(|test| self.base.file_of(*test)).collect();
        let n_named = named.difference(&calling_files).count();
        if n_named > 0 {
            completeness.lacks(format!("{} named after its file", count(n_named, "more test file is", "more test files are")));
        }
        let n_far = self.reaching_tests().iter().filter(|test| !direct.contains(test) && !listed.contains(test)).count();
        if n_far > 0 {
            completeness.lacks(format!("{} it through other code", count(n_far, "more test reaches", "more tests reach")));
        }
        completeness
    }

    /// Whether a definition serves a route: one that adds a route for a function in place does not.
    fn serves(&self, node: NodeId) -> bool {
        let Some(row) = self.base.symbol(node) else { return false };
        let is_inside = |line: u32| row.name_line < line && line <= row.lines.1;
        self.base.routes_of(node).any(|route| route.file != row.file || !is_inside(route.line))
    }

    /// How complete a list is of what it and its parts use.
    pub fn of_callees(&self) -> Completeness {
        if self.home.iter().any(|file| self.nodes.contains(file)) {
            return self.of_dependencies();
        }
        let mut completeness = self.dark();
        let base = self.base;
        let stands_in = |row: &UnresolvedRow<'_>| {
            let is_one =
                |node: NodeId| base.name(node) == Some(row.name) && base.language(base.file_of(node)) == base.language(row.file);
            let mut namesakes = base.each_named(row.name).filter(|node| is_one(*node));
            namesakes.any(|node| base.traits(node).is_some_and(|traits| traits.has(Traits::STANDS_IN)))
        };
        for (lead, more) in [(Lead::Unknown, ""), (Lead::Outside, " on types from outside may mean a method of here")] {
            let (mut names, mut files): (BTreeSet<&str>, BTreeSet<&str>) = Default::default();
            let mut n_uses = 0;
            let rows = base.unresolved_places().filter(|row| row.lead == lead && self.nodes.contains(&row.from));
            for row in rows.filter(|row| lead == Lead::Unknown || stands_in(row)) {
                names.insert(row.name);
                files.insert(base.path(row.file));
                n_uses += row.n_uses as usize;
            }
            if n_uses > 0 {
                let what = if lead == Lead::Unknown { ("unresolved use", "unresolved uses") } else { ("use", "uses") };
                completeness.lacks(format!("{} of {} in {}{more}", count(n_uses, what.0, what.1), some(names), some(files)));
            }
        }
        self.add_unparsed(&mut completeness);
        completeness
    }

    /// How complete a list is of what the files it stands in use.
    pub fn of_dependencies(&self) -> Completeness {
        let mut completeness = self.dark();
        let (mut n_calls, mut n_unresolved, mut files) = (0, 0, Vec::new());
        for file in &self.home {
            let tally = self.base.tally(*file);
            if tally.unresolved > 0 {
                n_unresolved += tally.unresolved;
                n_calls += tally.resolved + tally.foreign + tally.unresolved;
                files.push(self.base.path(*file));
            }
        }
        if n_unresolved > 0 {
            completeness.lacks(format!("{n_unresolved} of {n_calls} calls in {} are unresolved", some(files)));
        }
        self.add_unparsed(&mut completeness);
        completeness
    }

    /// Adds which of the files that it stands in are not known whole.
    fn add_unparsed(&self, completeness: &mut Completeness) {
        let broken: BTreeSet<NodeId> =
            self.base.diagnostics().map(|error| error.file).filter(|file| self.home.contains(file)).collect();
        let deep = self.home.iter().filter(|file| self.base.limit(**file).is_some());
        let partly: BTreeSet<&str> = broken.iter().chain(deep).map(|file| self.base.path(*file)).collect();
        if !partly.is_empty() {
            completeness.lacks(format!("{} could not be parsed whole", some(partly)));
        }
    }

    /// Who uses it, which tests call it and what its files use, each as a line with how complete that is; `within` says what is looked at where that
    /// is not all.
    pub fn summary(&self, within: &str) -> Vec<String> {
        let dark = self.dark();
        if dark.state == State::Unknown {
            return vec![format!("who uses it and what it uses is {}", dark.line())];
        }
        let (users, tests) = (self.users(), self.tests());
        let listed = tests.iter().flat_map(|test| [*test, self.base.file_of(*test)]).collect();
        let is_used =
            |file: &NodeId| self.base.links().row(*file).filter(|(_, link)| link.kind() == LinkKind::Imports).map(|(to, _)| to);
        let used: BTreeSet<NodeId> = self.home.iter().flat_map(is_used).collect();
        let line = |what: &str, n: usize, one: &str, many: &str, completeness: &Completeness| {
            let found = if n == 0 { "none found".to_owned() } else { count(n, one, many) };
            format!("{what}{within}: {found} ({})", completeness.line())
        };
        vec![
            line("used by", users.len(), "file", "files", &self.of_users(None)),
            line(
                "called by tests",
                tests.iter().filter(|test| self.base.is_symbol(**test)).count(),
                "test",
                "tests",
                &self.of_tests(&listed),
            ),
            line("its file uses", used.len(), "file or package", "files and packages", &self.of_dependencies()),
        ]
    }

    /// What is open about uses in other files than those that are `known`, as far as they are `wanted`.
    fn of(&self, known: &dyn Fn(NodeId) -> bool, wanted: &dyn Fn(NodeId) -> bool) -> Completeness {
        let mut completeness = self.dark();
        if completeness.state != State::Unknown {
            let gaps = self.gaps.get_or_init(|| Gaps::new(self));
            for reason in gaps.reasons(&|file| !known(file) && wanted(file)) {
                completeness.lacks(reason);
            }
        }
        completeness
    }

    /// Unknown where none of it is understood, incomplete where some is not or where files are not known.
    fn dark(&self) -> Completeness {
        if self.home.is_empty() {
            return Completeness { state: State::Unknown, reasons: self.dark.clone() };
        }
        Completeness::of([&self.dark, self.unseen].concat())
    }

    /// Whether tests stand in a file; of one whose code is not known its path must do.
    fn is_test(&self, file: NodeId) -> bool {
        let base = self.base;
        let of_symbol = |node: u32| {
            base.kind(NodeId(node)) == Some(SymbolKind::Test)
                || base.traits(NodeId(node)).is_some_and(|traits| traits.has(Traits::TEST))
        };
        base.flags(file).has(FileFlags::TEST)
            || base.symbols_of(file).any(of_symbol)
            || base.language(file).is_none() && ["test", "spec"].iter().any(|word| base.path(file).contains(word))
    }
}

/// Why the code of a file is not known, if it is not.
fn darkness(base: &FactBase, file: NodeId) -> Option<String> {
    let path = base.path(file);
    match base.limit(file) {
        _ if base.language(file).is_none() => Some(format!("{path} is not in a language that is parsed")),
        _ if base.rules_of(file).is_some_and(|language| language.is_vendored(path)) => {
            Some(format!("{path} is code of a package from outside: uses of its names are not followed"))
        }
        _ if base.level(file) == Some(Level::ByName) => Some(format!("uses of names are not resolved in the language of {path}")),
        Some(Limit::Size) => Some(format!("{path} is too large to be parsed")),
        Some(Limit::Work) => Some(format!("the parser gave up on {path}")),
        Some(Limit::Encoding) => Some(format!("{path} is not valid UTF-8")),
        // What is not too deep is known.
        Some(Limit::Depth | Limit::Words) | None => None,
    }
}
