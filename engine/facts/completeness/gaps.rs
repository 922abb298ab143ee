//! Where uses of a subject may stand that no link shows.
//!
//! Three places: sites that were not resolved and use its name, code that could not be parsed, code of languages that are not understood.
//! Of the latter two the words are known. Must not count a file that cannot reach the subject by imports where its imports are known.

use super::{Subject, count, some};
use crate::facts::base::{FactBase, FileFlags};
use crate::facts::text::{Field, Form, TextIndex, for_each_word};
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Endings of code that is read as text alone. Data and prose name code too, but do not run it.
#[rustfmt::skip]
const OTHER_CODE: [&str; 58] = [
    "astro", "bash", "c", "cc", "clj", "coffee", "cpp", "cs", "cxx", "dart", "el", "erb", "erl", "ex", "exs", "fish", "fs",
    "graphql", "groovy", "h", "hbs", "hpp", "hs", "html", "hxx", "java", "jl", "kt", "kts", "lua", "m", "ml", "mli", "mm",
    "nim", "php", "pl", "pm", "proto", "ps1", "py", "pyi", "r", "rb", "scala", "sh", "sql", "svelte", "swift", "templ",
    "thrift", "tmpl", "v", "vb", "vue", "wat", "zig", "zsh",
];

/// A file whose text may hold a use, by what is not known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blind {
    /// Its language.
    Language,
    /// Some or all of its syntax.
    Syntax,
}

/// What is looked at to find what is missing.
pub(super) struct Gaps<'s, 'a> {
    subject: &'s Subject<'a>,
    base: &'a FactBase,
    names: BTreeSet<(&'static str, &'a str)>,
    /// Files that reach the subject by imports, however many.
    reach: FxHashSet<NodeId>,
}

impl<'s, 'a> Gaps<'s, 'a> {
    pub(super) fn new(subject: &'s Subject<'a>) -> Self {
        let base = subject.base;
        Self { subject, base, names: subject.names(), reach: within_reach(base, subject.files()) }
    }

    /// Why users may be missing, as far as they would stand in a `wanted` file.
    pub(super) fn reasons(&self, wanted: &dyn Fn(NodeId) -> bool) -> Vec<String> {
        let mut reasons: Vec<String> = self.unresolved(wanted).into_iter().collect();
        let blind = self.blind();
        let mut found: [(BTreeSet<&str>, BTreeSet<NodeId>); 2] = Default::default();
        for (name, files) in self.mentions(&blind) {
            for file in files.into_iter().filter(|file| wanted(*file)) {
                let (names, files) = &mut found[usize::from(blind.get(&file) == Some(&Blind::Syntax))];
                names.insert(name);
                files.insert(file);
            }
        }
        let sentences = ["code that is not understood", "code that could not be parsed whole"];
        for ((names, files), what) in found.into_iter().zip(sentences).filter(|((names, _), _)| !names.is_empty()) {
            let paths = some(files.iter().map(|file| self.base.path(*file)));
            let verb = if names.len() == 1 { "stands" } else { "stand" };
            reasons.push(format!("{} {verb} in {what}: {paths}", some(names)));
        }
        reasons
    }

    /// Sites with one of the names that could mean anything.
    fn unresolved(&self, wanted: &dyn Fn(NodeId) -> bool) -> Option<String> {
        let (mut names, mut files): (BTreeMap<&str, u32>, BTreeMap<&str, u32>) = Default::default();
        for (language, name) in &self.names {
            for row in self.base.unresolved_named(name) {
                let is_near = self.base.language(row.file) == Some(language) && self.reach.contains(&row.file);
                if is_near && wanted(row.file) {
                    *names.entry(name).or_default() += row.n_uses;
                    *files.entry(self.base.path(row.file)).or_default() += row.n_uses;
                }
            }
        }
        let n_uses: u32 = names.values().sum();
        let uses = count(n_uses as usize, "unresolved use", "unresolved uses");
        (n_uses > 0).then(|| format!("{uses} of {} in {}", some(most_first(&names)), some(most_first(&files))))
    }

    /// The files of which only the words are known, or some of the code.
    fn blind(&self) -> FxHashMap<NodeId, Blind> {
        let base = self.base;
        let languages: BTreeSet<&str> = self.names.iter().map(|(language, _)| *language).collect();
        let is_near = |file: NodeId| base.language(file).is_some_and(|language| languages.contains(language));
        let broken = base.diagnostics().map(|error| error.file);
        let broken = broken.filter(|file| is_near(*file) && self.reach.contains(file)).map(|file| (file, Blind::Syntax));
        let others = base.files().filter_map(|file| match base.language(file) {
            None => is_other_code(base, file).then_some((file, Blind::Language)),
            Some(_) => (base.limit(file).is_some() && is_near(file)).then_some((file, Blind::Syntax)),
        });
        broken.chain(others).collect()
    }

    /// For each name the blind files whose code has it. A name of one word is a word like any other to another language: there it counts
    /// beside the name of the file that it is defined in, as an import has both.
    fn mentions(&self, blind: &FxHashMap<NodeId, Blind>) -> Vec<(&'a str, BTreeSet<NodeId>)> {
        let Some(index) = self.base.text().ok().filter(|_| !blind.is_empty()) else { return Vec::new() };
        let stems = self.subject.home.iter().map(|file| word_of(stem(self.base.path(*file))).0);
        let beside: BTreeSet<NodeId> = stems.flat_map(|stem| files_with(&index, &stem)).collect();
        let of = |name: &'a str| {
            let (word, is_compound) = word_of(name);
            let is_use = |file: &NodeId| match blind.get(file) {
                None => false,
                Some(Blind::Language) => is_compound || beside.contains(file),
                Some(Blind::Syntax) => true,
            };
            (name, files_with(&index, &word).filter(is_use).collect())
        };
        let names: BTreeSet<&'a str> = self.names.iter().map(|(_, name)| *name).collect();
        names.into_iter().map(of).collect()
    }
}

fn is_other_code(base: &FactBase, file: NodeId) -> bool {
    let name = base.path(file).rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let flags = base.flags(file);
    let is_ours = ![FileFlags::BINARY, FileFlags::VENDORED, FileFlags::GENERATED].iter().any(|flag| flags.has(*flag));
    is_ours && OTHER_CODE.binary_search(&ending).is_ok()
}

/// The files in whose code a word stands, not counting comments and literals.
fn files_with<'i>(index: &TextIndex<'i>, word: &str) -> impl Iterator<Item = NodeId> + use<'i> {
    let in_code = index.lookup(word).filter(|posting| posting.fields().contains(Field::Body));
    in_code.map(|posting| NodeId(posting.doc))
}

/// A name as the index has it, and whether it has several parts.
fn word_of(name: &str) -> (String, bool) {
    let mut found = (String::new(), false);
    for_each_word(name.as_bytes(), |word, form| {
        if found.0.is_empty() {
            found = (word.to_owned(), form == Form::Whole);
        }
    });
    found
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// Keys, those with the greatest number first.
fn most_first<'k>(counts: &BTreeMap<&'k str, u32>) -> Vec<&'k str> {
    let mut keys: Vec<(&str, u32)> = counts.iter().map(|(key, n)| (*key, *n)).collect();
    keys.sort_by_key(|(key, n)| (std::cmp::Reverse(*n), *key));
    keys.into_iter().map(|(key, _)| key).collect()
}

/// The files from which a chain of imports leads to one of `home`, and these. Where all files of a folder are one module, who reaches one of them
/// reaches all.
fn within_reach(base: &FactBase, home: BTreeSet<NodeId>) -> FxHashSet<NodeId> {
    let mut folders: FxHashMap<&str, Vec<NodeId>> = FxHashMap::default();
    for file in base.files().filter(|file| is_of_folder(base.path(*file))) {
        folders.entry(folder(base.path(file))).or_default().push(file);
    }
    let mut found: FxHashSet<NodeId> = home.iter().copied().collect();
    let mut open: Vec<NodeId> = home.into_iter().collect();
    while let Some(file) = open.pop() {
        let path = base.path(file);
        let mates = folders.get(folder(path)).filter(|_| is_of_folder(path)).into_iter().flatten().copied();
        let importers = base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy).map(|(from, _)| from);
        open.extend(mates.chain(importers).filter(|file| found.insert(*file)));
    }
    found
}

fn is_of_folder(path: &str) -> bool {
    activate_grammars::language_of(path).is_some_and(|(_, language)| language.scope.modules == ModuleModel::Folder)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
