//! How much of what the compiler knows was found, by what is used and where, cumulative over confidence.
//!
//! Must not judge links: it is told which were right.

use crate::judge::{Level, Relation, word};
use crate::record::{Kind, Link, Site};
use crate::truth::{FileTruth, Line, SiteId, Truth};
use crate::verdict::{Verdict, folder_or_dot, is_pair};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// How many there were to find, and how many were found at the surest levels down to each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recall {
    pub(crate) of: usize,
    pub(crate) exact: usize,
    pub(crate) qualified: usize,
    pub(crate) unique: usize,
    pub(crate) ambiguous: usize,
}

impl Recall {
    fn take(&mut self, level: Option<Level>) {
        self.of += 1;
        self.exact += usize::from(level <= Some(Level::Exact) && level.is_some());
        self.qualified += usize::from(level <= Some(Level::Qualified) && level.is_some());
        self.unique += usize::from(level <= Some(Level::Unique) && level.is_some());
        self.ambiguous += usize::from(level <= Some(Level::Ambiguous) && level.is_some());
    }

    /// Adds the counts of another.
    pub(crate) fn add(&mut self, other: &Recall) {
        self.of += other.of;
        self.exact += other.exact;
        self.qualified += other.qualified;
        self.unique += other.unique;
        self.ambiguous += other.ambiguous;
    }
}

/// From a definition, given by its file and lines, to another, given by its file and the line of its name.
type Pair = (String, (u32, u32), String, u32);

/// From a file of tests to a definition, given by its file and the line of its name.
type Subject = (String, String, u32);

/// The best level of the right links to whatever there is to find.
#[derive(Debug, Default)]
pub(crate) struct Found {
    sites: HashMap<SiteId, Level>,
    pairs: HashMap<Pair, Level>,
    /// By file, and by the file or package that it imports.
    imports: HashMap<(String, String), Level>,
    /// By file of tests, and by file and line of what they call.
    tests: HashMap<Subject, Level>,
    /// By file: links that say what implements what.
    implements: HashMap<String, Vec<(Link, Level)>>,
}

impl Found {
    /// Takes notice of a link, with the sites that it is right for.
    pub(crate) fn take(
        &mut self,
        truth: &Truth,
        link: &Link,
        relation: Relation,
        level: Level,
        verdict: Verdict,
        sites: &[SiteId],
    ) {
        let Some(to_path) = link.to_path.as_deref().filter(|_| verdict == Verdict::Right && level != Level::Unheard) else {
            return;
        };
        for id in sites {
            if relation == Relation::Tests {
                better(&mut self.tests, subject(truth.site(*id)), level);
            } else {
                better(&mut self.sites, *id, level);
                if let Some(pair) = pair(truth.site(*id)) {
                    better(&mut self.pairs, pair, level);
                }
            }
        }
        match relation {
            Relation::Imports => {
                for to in [to_path, folder_or_dot(to_path)] {
                    better(&mut self.imports, (link.from_path.clone(), to.to_owned()), level);
                }
            }
            Relation::Implements | Relation::Extends => {
                self.implements.entry(link.from_path.clone()).or_default().push((link.clone(), level));
            }
            _ => {}
        }
    }
}

fn better<K: std::hash::Hash + Eq>(table: &mut HashMap<K, Level>, key: K, level: Level) {
    let best = table.entry(key).or_insert(level);
    *best = level.min(*best);
}

fn pair(site: &Site) -> Option<Pair> {
    Some((site.from_path.clone(), site.from_lines?, site.to_path.clone(), site.to_line))
}

fn subject(site: &Site) -> Subject {
    (site.from_path.clone(), site.to_path.clone(), site.to_line)
}

/// Calls that no link finds, by kind, name and file of the definition.
pub(crate) type Missed = BTreeMap<(Kind, String, String), usize>;

/// What was found of each group, and the calls that were not. Only complete files count.
pub(crate) fn recall(truth: &Truth, found: &Found) -> (BTreeMap<String, Recall>, Missed) {
    let mut count =
        Count { truth, found, groups: BTreeMap::new(), missed: Missed::new(), pairs: BTreeMap::new(), subjects: BTreeMap::new() };
    for file in truth.files.values().filter(|file| file.is_complete()) {
        for line in file.lines.values() {
            count.line(line);
        }
        count.imports(file);
        count.implements(file);
    }
    for level in std::mem::take(&mut count.pairs).into_values() {
        count.take("symbol pairs", level);
    }
    for level in std::mem::take(&mut count.subjects).into_values() {
        count.take("tests", level);
    }
    (count.groups, count.missed)
}

/// Counts what was found.
struct Count<'a> {
    truth: &'a Truth,
    found: &'a Found,
    groups: BTreeMap<String, Recall>,
    missed: Missed,
    pairs: BTreeMap<Pair, Option<Level>>,
    subjects: BTreeMap<Subject, Option<Level>>,
}

impl Count<'_> {
    fn take(&mut self, group: &str, level: Option<Level>) {
        self.groups.entry(group.to_owned()).or_default().take(level);
    }

    fn line(&mut self, line: &Line) {
        // A line that names something twice is one to find; a link to the same definition finds it, called or not.
        let mut wanted: BTreeMap<(&str, u32, &str, bool), &Site> = BTreeMap::new();
        for id in &line.sites {
            let (site, is_call) = &self.truth.sites[id.0];
            wanted.insert((&site.to_path, site.to_line, &site.to_name, *is_call), site);
        }
        for ((to_path, to_line, _, is_call), site) in wanted {
            let same = line.sites.iter().filter(|id| {
                let other = self.truth.site(**id);
                other.to_path == to_path && other.to_line == to_line
            });
            let level = same.filter_map(|id| self.found.sites.get(id)).min().copied();
            if !is_call {
                self.take("references", level);
            } else if site.to_kind.is_nested() {
                self.take("calls to nested definitions", level);
            } else {
                self.call(site, level);
            }
        }
    }

    fn call(&mut self, site: &Site, level: Option<Level>) {
        self.take("calls", level);
        self.take(&format!("calls to {}", word(&site.to_kind)), level);
        self.take(if site.to_path == site.from_path { "calls within a file" } else { "calls to other files" }, level);
        self.take(if site.test { "calls from tests" } else { "calls not from tests" }, level);
        if site.in_macro {
            self.take("calls in macro arguments", level);
        }
        if let Some(pair) = pair(site) {
            let level = self.found.pairs.get(&pair).copied();
            self.pairs.insert(pair, level);
        }
        if site.test && !self.truth.is_test(&site.to_path, site.to_line) {
            let subject = subject(site);
            let level = self.found.tests.get(&subject).copied();
            self.subjects.insert(subject, level);
        }
        if level.is_none() {
            *self.missed.entry((site.to_kind, site.to_name.clone(), site.to_path.clone())).or_default() += 1;
        }
    }

    fn imports(&mut self, file: &FileTruth) {
        for ((to, how), import) in &file.imports {
            let ways = import.alts.iter().chain([to]);
            let level = ways.filter_map(|to| self.found.imports.get(&(import.from_path.clone(), to.clone()))).min().copied();
            self.take("imports", level);
            self.take(&format!("imports by {}", word(how)), level);
        }
    }

    fn implements(&mut self, file: &FileTruth) {
        for pair in &file.implements {
            let links = self.found.implements.get(&pair.from_path).into_iter().flatten();
            let right = links.filter(|(link, _)| link.to_path.as_deref().is_some_and(|to| is_pair(link, to, pair)));
            let level = right.map(|(_, level)| *level).min();
            self.take("implements", level);
        }
    }
}
