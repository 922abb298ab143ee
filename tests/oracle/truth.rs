//! What a compiler says of a repository, arranged by file and line.
//!
//! Must not judge links: that is for `verdict`.

use crate::record::{File, How, Implements, Import, Other, Record, Site};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The place of a site in [`Truth::sites`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SiteId(pub(crate) usize);

/// Which part of a repository is judged.
#[derive(Debug, Clone, Default)]
pub(crate) struct Part {
    /// Only links and records of files whose paths start so.
    pub(crate) paths: String,
    /// Links into these folders are not judged: nested modules, vendored code.
    pub(crate) ignore_to: Vec<String>,
}

impl Part {
    pub(crate) fn ignores(&self, path: &str) -> bool {
        self.ignore_to.iter().any(|folder| path.starts_with(folder.as_str()))
    }
}

/// What the compiler says of one file.
#[derive(Debug, Default)]
pub(crate) struct FileTruth {
    pub(crate) file: Option<File>,
    pub(crate) lines: BTreeMap<u32, Line>,
    /// The first import of each file or package by each way.
    pub(crate) imports: BTreeMap<(String, How), Import>,
    /// Every file that it names in any way.
    pub(crate) names: HashSet<String>,
    /// Every package that it imports.
    pub(crate) packages: HashSet<String>,
    /// What its definitions implement.
    pub(crate) implements: BTreeSet<Implements>,
    /// First and last lines of definitions that are tests or belong to them.
    tests: BTreeSet<(u32, u32)>,
}

impl FileTruth {
    /// Whether what the compiler does not say of the file is not there.
    pub(crate) fn is_complete(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.complete)
    }
}

/// The names on one line.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) sites: Vec<SiteId>,
    pub(crate) others: Vec<Other>,
}

/// All records of a repository.
#[derive(Debug, Default)]
pub(crate) struct Truth {
    pub(crate) part: Part,
    /// The files of the judged part.
    pub(crate) files: BTreeMap<String, FileTruth>,
    /// Every used name with a definition, and whether it is called.
    pub(crate) sites: Vec<(Site, bool)>,
    /// By path and line of what is implemented: what implements it.
    pub(crate) implementations: HashMap<(String, u32), Vec<(String, u32)>>,
}

impl Truth {
    pub(crate) fn new(records: impl IntoIterator<Item = Record>, part: Part) -> Truth {
        let mut truth = Truth { part, ..Truth::default() };
        for record in records {
            truth.add(record);
        }
        truth
    }

    fn add(&mut self, record: Record) {
        let path = match &record {
            Record::File(file) => &file.path,
            Record::Call(site) | Record::Reference(site) => &site.from_path,
            Record::Import(import) => &import.from_path,
            Record::Other(other) => &other.from_path,
            Record::Implements(implements) => &implements.from_path,
        };
        // What implements a method of the part may stand outside it.
        if !path.starts_with(&self.part.paths) && !matches!(record, Record::Implements(_)) {
            return;
        }
        let is_call = matches!(record, Record::Call(_));
        let truth = self.files.entry(path.clone()).or_default();
        match record {
            Record::File(file) => truth.file = Some(file),
            Record::Call(site) | Record::Reference(site) => {
                truth.names.insert(site.to_path.clone());
                truth.lines.entry(site.line).or_default().sites.push(SiteId(self.sites.len()));
                truth.tests.extend(site.from_lines.filter(|_| site.test));
                self.sites.push((site, is_call));
            }
            Record::Import(import) => {
                let targets = if import.how == How::Package { &mut truth.packages } else { &mut truth.names };
                targets.extend(import.alts.iter().chain([&import.to_path]).cloned());
                if import.how != How::Segment {
                    truth.imports.entry((import.to_path.clone(), import.how)).or_insert(import);
                }
            }
            Record::Other(other) => truth.lines.entry(other.line).or_default().others.push(other),
            Record::Implements(pair) => {
                let to = (pair.to_path.clone(), pair.to_line);
                self.implementations.entry(to).or_default().push((pair.from_path.clone(), pair.line));
                truth.implements.insert(pair);
            }
        }
    }

    pub(crate) fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0].0
    }

    /// Whether the compiler has read a file of the judged part.
    pub(crate) fn knows(&self, path: &str) -> bool {
        self.files.get(path).is_some_and(|truth| truth.file.is_some())
    }

    /// Whether a definition is a test or belongs to one, as far as the compiler's records show.
    pub(crate) fn is_test(&self, path: &str, line: u32) -> bool {
        self.files.get(path).is_some_and(|truth| {
            truth.file.as_ref().is_some_and(|file| file.test)
                || truth.tests.range(..=(line, u32::MAX)).any(|(_, last)| line <= *last)
        })
    }

    /// What implements a definition.
    pub(crate) fn implementations_of(&self, path: &str, line: u32) -> impl Iterator<Item = (&str, u32)> {
        let all = self.implementations.get(&(path.to_owned(), line));
        all.into_iter().flatten().map(|(path, line)| (path.as_str(), *line))
    }

    /// What code reaches what, over the calls and references that the compiler knows.
    pub(crate) fn reach(&self) -> Reach<'_> {
        let mut reach: Reach<'_> = HashMap::new();
        for (site, _) in &self.sites {
            if let Some((first, last)) = site.from_lines {
                reach.entry(&site.from_path).or_default().entry((first, last)).or_default().push((&site.to_path, site.to_line));
            }
        }
        reach
    }

    /// Every definition that is reached from sites, through implementations of what is named too; in no order.
    pub(crate) fn reached<'a>(
        &'a self,
        from: impl Iterator<Item = SiteId>,
        reach: &'a Reach<'_>,
    ) -> impl Iterator<Item = (&'a str, u32)> {
        let mut waiting: Vec<(&str, u32)> = from.map(|id| (self.site(id).to_path.as_str(), self.site(id).to_line)).collect();
        let mut seen: HashSet<(&str, u32)> = waiting.iter().copied().collect();
        while let Some((path, line)) = waiting.pop() {
            // A definition's sites are those of the code that starts at or just above its name's line and holds it.
            let bodies = reach.get(path).into_iter().filter_map(|bodies| bodies.range(..=(line, u32::MAX)).next_back());
            let to = bodies.filter(|((_, last), _)| line <= *last).flat_map(|(_, to)| to);
            for next in to.copied().chain(self.implementations_of(path, line)) {
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        seen.into_iter()
    }
}

/// By file, and by first and last line of a definition in it: the definitions that its code uses.
pub(crate) type Reach<'a> = HashMap<&'a str, BTreeMap<(u32, u32), Vec<(&'a str, u32)>>>;
