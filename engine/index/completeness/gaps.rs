//! Where uses of a subject may stand that no link shows.
//!
//! Sites that were not resolved and use its name, those that take a member of its name from a value of a type from outside, code that could
//! not be parsed, code of languages that are not understood, macros, attributes and texts that write its name, and whoever calls a method
//! without writing it. Of most of these the words alone are known.

use super::mentions::{ending, files_with, files_with_text, files_writing, stem, word_of};
use super::{Subject, count, some};
use crate::base::{FactBase, FileFlags, Lead, SymbolKind, UnresolvedRow};
use activate_grammars::facts::Traits;
use activate_grammars::project::is_below;
use activate_grammars::scope::ModuleModel;
use activate_grammars::{Level, language_of};
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Endings of code without a language here that is read as text alone and may use code of ours: by its modules, by the other side of a
/// binding, in a template. Data and prose name code and do not run it.
#[rustfmt::skip]
pub(super) const OTHER_CODE: [&str; 36] = [
    "S", "asm", "astro", "clj", "coffee", "dart", "el", "erb", "erl", "ex", "exs", "fs", "graphql", "groovy", "hbs", "hs", "html", "jl", "m",
    "ml", "mli", "mm", "nim", "pl", "pm", "proto", "r", "s", "svelte", "templ", "thrift", "tmpl", "vb", "vue", "wat", "zig",
];

/// Those of them that hold script and import it by path: there a name of one word counts beside the name of its file.
const COMPONENTS: [&str; 3] = ["astro", "svelte", "vue"];

/// Assembly: it calls functions of its own folder by their names.
const ASSEMBLY: [&str; 3] = ["S", "asm", "s"];

/// Names of files that many files have, and that say nothing beside a word.
const COMMON_STEMS: [&str; 6] = ["index", "lib", "main", "mod", "types", "utils"];

/// A file whose text may hold a use, by what is not known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blind {
    /// Its language.
    Language,
    /// Some or all of its syntax.
    Syntax,
}

/// What is looked at to find what is missing.
pub(super) struct Gaps<'a> {
    base: &'a FactBase,
    names: BTreeSet<(&'static str, &'a str)>,
    /// Those of them that methods have which may stand behind one of an interface from outside.
    standing_in: BTreeSet<(&'static str, &'a str)>,
    /// Files that reach the subject by imports, however many.
    pub(super) reach: FxHashSet<NodeId>,
    /// The names of the files that it stands in, as words, where they say something.
    stems: BTreeSet<String>,
    /// The files that it stands in.
    home: BTreeSet<NodeId>,
    /// Those of them that it is as a whole.
    whole: BTreeSet<NodeId>,
    /// The files of which only the words are known, or some of the code.
    blind: FxHashMap<NodeId, Blind>,
    /// The first folders of the files that it stands in.
    tops: BTreeSet<&'a str>,
    /// The folders of these.
    folders: BTreeSet<&'a str>,
    /// For each name the blind files whose code has it, once that was asked.
    mentions: OnceCell<ByName<'a>>,
    /// For each name the files that write it with no known meaning, once that was asked.
    written: OnceCell<ByName<'a>>,
}

/// Names with files.
type ByName<'a> = Vec<(&'a str, BTreeSet<NodeId>)>;

impl<'a> Gaps<'a> {
    pub(super) fn new(subject: &Subject<'a>) -> Self {
        let (base, names, standing_in) = (subject.base, subject.names(), subject.names_standing_in());
        let reach = within_reach(base, subject.files());
        let stems = subject.home.iter().map(|file| stem(base.path(*file)));
        let stems = stems.filter(|stem| !COMMON_STEMS.contains(stem)).map(|stem| word_of(stem).0).collect();
        let blind = blind(base, &names, &reach);
        let tops = subject.home.iter().map(|file| top(base.path(*file))).collect();
        let folders = subject.home.iter().map(|file| folder(base.path(*file))).collect();
        let (mentions, written) = (OnceCell::new(), OnceCell::new());
        let home = subject.home.clone();
        let whole = home.iter().copied().filter(|file| subject.nodes.contains(file)).collect();
        Self { base, names, standing_in, reach, stems, home, whole, blind, tops, folders, mentions, written }
    }

    /// Why users may be missing, as far as they would stand in a `wanted` file.
    pub(super) fn reasons(&self, wanted: &dyn Fn(NodeId) -> bool) -> Vec<String> {
        let mut reasons: Vec<String> = self.unresolved(wanted).into_iter().chain(self.outside(wanted)).collect();
        let mut found: [(BTreeSet<&str>, BTreeSet<NodeId>); 2] = Default::default();
        for (name, files) in self.mentions.get_or_init(|| self.find_mentions()) {
            for file in files.iter().filter(|file| wanted(**file)) {
                let (names, files) = &mut found[usize::from(self.blind.get(file) == Some(&Blind::Syntax))];
                names.insert(name);
                files.insert(*file);
            }
        }
        let sentences = ["not understood", "not parsed whole"];
        for ((names, files), what) in found.into_iter().zip(sentences).filter(|((names, _), _)| !names.is_empty()) {
            let paths = some(files.iter().map(|file| self.base.path(*file)));
            let verb = if names.len() == 1 { "stands" } else { "stand" };
            reasons.push(format!("{} {verb} in {paths}, {what}", some(names)));
        }
        reasons.extend(self.written(wanted));
        reasons.extend(self.unled(wanted));
        reasons.extend(self.vendored(wanted));
        reasons
    }

    /// Why users may be missing wherever they stand: what calls a method by another way than its name.
    pub(super) fn unwritten(subject: &Subject<'a>) -> Vec<String> {
        let base = subject.base;
        let methods = subject.nodes.iter().filter_map(|node| base.symbol(*node)).filter(|row| row.kind == SymbolKind::Method);
        let (mut implicit, mut fronts): (BTreeSet<&str>, BTreeSet<String>) = Default::default();
        let mut asked = FxHashSet::default();
        for row in methods {
            let Some(language) = base.rules_of(row.file) else { continue };
            // What stands in front of a method follows from its language and name.
            if !asked.insert((language.name, row.name)) {
                continue;
            }
            // Whoever makes an instance of a class that it is given writes no constructor; of the whole class its name says enough.
            let makes = || row.container.is_none_or(|class| !subject.nodes.contains(&class));
            let is_implicit = language.scope.implicit_methods.contains(&row.name);
            if is_implicit || language.scope.constructor == Some(row.name) && makes() {
                implicit.insert(row.name);
            }
            if language.scope.modules != ModuleModel::Tree {
                fronts.extend(subject.unlinked_fronts(&row).iter().map(|front| base.id(*front)));
            }
        }
        let mut reasons = Vec::new();
        if !implicit.is_empty() {
            reasons.push(format!("the language or its library may call {} unwritten", some(implicit)));
        }
        if !fronts.is_empty() {
            reasons.push(format!("calls of {} may mean it", some(fronts.iter().map(String::as_str))));
        }
        reasons
    }

    /// Names of several parts in code or texts of the same language where nothing is known to have such a name: macros, attributes, formats.
    fn written(&self, wanted: &dyn Fn(NodeId) -> bool) -> Option<String> {
        let (mut names, mut files): (BTreeSet<&str>, BTreeSet<NodeId>) = Default::default();
        for (name, with_name) in self.written.get_or_init(|| self.find_written()) {
            let wanted: Vec<NodeId> = with_name.iter().copied().filter(|file| wanted(*file)).collect();
            if !wanted.is_empty() {
                names.insert(name);
                files.extend(wanted);
            }
        }
        let paths = some(files.iter().map(|file| self.base.path(*file)));
        let verb = if names.len() == 1 { "is" } else { "are" };
        (!names.is_empty()).then(|| format!("{} {verb} also written in {paths}, with no known meaning", some(names)))
    }

    /// Files with an import that leads nobody knows where, and with the name of a module of the subject; where it is a part of one, with its own too.
    fn unled(&self, wanted: &dyn Fn(NodeId) -> bool) -> Option<String> {
        let index = self.base.text().ok()?;
        let mut found: BTreeSet<NodeId> = BTreeSet::new();
        for home in &self.home {
            let is_open = |file: &NodeId| {
                self.base.imports(*file).open > 0
                    && self.base.language(*file) == self.base.language(*home)
                    && file != home
                    && wanted(*file)
            };
            let files: BTreeSet<NodeId> =
                files_with(&index, &word_of(module_name(self.base.path(*home))).0).filter(is_open).collect();
            if self.whole.contains(home) || files.is_empty() {
                found.extend(files);
                continue;
            }
            for (_, name) in &self.names {
                found.extend(files_with(&index, &word_of(name).0).filter(|file| files.contains(file)));
            }
        }
        let paths = some(found.iter().map(|file| self.base.path(*file)));
        let verb = if found.len() == 1 { "has an import that leads" } else { "have imports that lead" };
        (!found.is_empty()).then(|| format!("{paths} {verb} nobody knows where, perhaps here"))
    }

    /// Vendored files that write the name, and the path by which others import what it stands in.
    fn vendored(&self, wanted: &dyn Fn(NodeId) -> bool) -> Option<String> {
        let index = self.base.text().ok()?;
        let mut found: BTreeSet<NodeId> = BTreeSet::new();
        for home in &self.home {
            let path = self.base.path(*home);
            let is_vendored = |file: &NodeId| {
                self.base.flags(*file).has(FileFlags::VENDORED)
                    && self.base.language(*file) == self.base.language(*home)
                    && self.base.level(*file) == Some(Level::ByName)
                    && wanted(*file)
            };
            let published = self.base.published().filter(|known| is_below(path, known.folder));
            let Some(published) = published.max_by_key(|known| known.folder.len()) else { continue };
            let below = folder(path).strip_prefix(published.folder).unwrap_or_default();
            let mut parts = published.name.split('/').chain(below.split('/')).filter(|part| !part.is_empty()).map(word_of);
            let Some((first, _)) = parts.next() else { continue };
            let mut importing: FxHashSet<NodeId> = files_with_text(&index, &first).filter(is_vendored).collect();
            for (part, _) in parts {
                if importing.is_empty() {
                    break;
                }
                let with_part: FxHashSet<NodeId> = files_with_text(&index, &part).collect();
                importing.retain(|file| with_part.contains(file));
            }
            if importing.is_empty() {
                continue;
            }
            for (_, name) in &self.names {
                found.extend(files_with(&index, &word_of(name).0).filter(|file| importing.contains(file)));
            }
        }
        let paths = some(found.iter().map(|file| self.base.path(*file)));
        let verb = if found.len() == 1 { "is" } else { "are" };
        (!found.is_empty()).then(|| format!("{paths} {verb} vendored and may use it"))
    }

    /// For each name of several parts the files near the subject that write it and of which nothing is known to have such a name.
    fn find_written(&self) -> ByName<'a> {
        let Some(index) = self.base.text().ok() else { return Vec::new() };
        let of = |(language, name): &(&'static str, &'a str)| {
            let (word, is_compound) = word_of(name);
            if !is_compound {
                return None;
            }
            let is_near = |file: NodeId| self.reach.contains(&file) || self.tops.contains(top(self.base.path(file)));
            let is_open =
                |file: &NodeId| self.base.language(*file) == Some(language) && !self.blind.contains_key(file) && is_near(*file);
            let mut files: BTreeSet<NodeId> = files_writing(&index, &word).filter(is_open).collect();
            if !files.is_empty() {
                let known = self.known_with(name, &files_with_text(&index, &word).collect());
                files.retain(|file| !known.contains(file));
            }
            let names_members = |file: &NodeId| self.base.rules_of(*file).is_some_and(|of| of.scope.texts_name_members);
            files.extend(files_with_text(&index, &word).filter(|file| self.home.contains(file) && names_members(file)));
            Some((*name, files))
        };
        self.names.iter().filter_map(of).collect()
    }

    /// The files that define something of this name, use it or have an unresolved use of it, and those that have a variable of its own and no
    /// text with it, by which a member could be taken: what they write is accounted for.
    fn known_with(&self, name: &str, texts: &FxHashSet<NodeId>) -> FxHashSet<NodeId> {
        // In Rust a text that names a variable means that.
        let is_taken = |file: NodeId| {
            texts.contains(&file) && self.base.rules_of(file).is_none_or(|language| language.scope.modules != ModuleModel::Tree)
        };
        let unresolved = self.base.unresolved_named(name).filter(|row| match row.lead {
            Lead::Unknown => true,
            Lead::Outside => false,
            Lead::Local => !is_taken(row.file),
        });
        let mut known: FxHashSet<NodeId> = unresolved.map(|row| row.file).collect();
        let is_inner = |node: &NodeId| self.base.traits(*node).is_some_and(|traits| traits.has(Traits::NESTED));
        for node in self.base.symbols_named(name).into_iter().filter(|node| !is_inner(node)) {
            known.insert(self.base.file_of(node));
            known.extend(self.base.links().row(node).map(|(from, _)| self.base.file_of(from)));
        }
        known
    }

    /// Sites with one of the names that could mean anything.
    fn unresolved(&self, wanted: &dyn Fn(NodeId) -> bool) -> Option<String> {
        let is_meant = |row: &UnresolvedRow<'_>| row.lead == Lead::Unknown && self.reach.contains(&row.file) && wanted(row.file);
        let (n_uses, names, files) = self.uses(&self.names, &is_meant)?;
        let uses = count(n_uses, "unresolved use", "unresolved uses");
        Some(format!("{uses} of {names} in {files}"))
    }

    /// Sites that take a member with one of the names from a value whose type comes from outside, or is not known: whoever has such a value need
    /// not reach the type behind it.
    fn outside(&self, wanted: &dyn Fn(NodeId) -> bool) -> Option<String> {
        let may_mean = |row: &UnresolvedRow<'_>| match row.lead {
            Lead::Unknown => !self.reach.contains(&row.file),
            Lead::Outside => true,
            Lead::Local => false,
        };
        let is_meant = |row: &UnresolvedRow<'_>| may_mean(row) && wanted(row.file);
        let (n_uses, names, files) = self.uses(&self.standing_in, &is_meant)?;
        let uses = count(n_uses, "use", "uses");
        Some(format!("{uses} of {names} in {files} on types from outside or unknown may mean it"))
    }

    /// How many uses of names are meant, with the names and the files of these.
    fn uses(
        &self,
        of: &BTreeSet<(&'static str, &'a str)>,
        is_meant: &dyn Fn(&UnresolvedRow<'_>) -> bool,
    ) -> Option<(usize, String, String)> {
        let (mut names, mut files): (BTreeMap<&str, u32>, BTreeMap<&str, u32>) = Default::default();
        for (language, name) in of {
            let rows = self.base.unresolved_named(name).filter(|row| self.base.language(row.file) == Some(language));
            for row in rows.filter(is_meant) {
                *names.entry(name).or_default() += row.n_uses;
                *files.entry(self.base.path(row.file)).or_default() += row.n_uses;
            }
        }
        let n_uses: u32 = names.values().sum();
        (n_uses > 0).then(|| (n_uses as usize, some(most_first(&names)), some(most_first(&files))))
    }

    /// Whether a file is assembly of a folder that the subject stands in.
    fn is_assembly(&self, file: NodeId) -> bool {
        let path = self.base.path(file);
        ASSEMBLY.contains(&ending(path)) && self.folders.contains(folder(path))
    }

    /// For each name the blind files whose code has it. To another language a name of one word is a word like any other.
    fn find_mentions(&self) -> ByName<'a> {
        let Some(index) = self.base.text().ok().filter(|_| !self.blind.is_empty()) else { return Vec::new() };
        let beside: BTreeSet<NodeId> = self.stems.iter().flat_map(|stem| files_with(&index, stem)).collect();
        let of = |name: &'a str| {
            let (word, is_compound) = word_of(name);
            let is_use = |file: &NodeId| match self.blind.get(file) {
                None => false,
                Some(Blind::Language) => {
                    is_compound || is_component(self.base.path(*file)) && beside.contains(file) || self.is_assembly(*file)
                }
                Some(Blind::Syntax) => true,
            };
            (name, files_with(&index, &word).filter(is_use).collect())
        };
        let names: BTreeSet<&'a str> = self.names.iter().map(|(_, name)| *name).collect();
        names.into_iter().map(of).collect()
    }
}

/// The files of which only the words are known, or some of the code; of those of its languages, where imports are known, only such as
/// reach it.
fn blind(base: &FactBase, names: &BTreeSet<(&str, &str)>, reach: &FxHashSet<NodeId>) -> FxHashMap<NodeId, Blind> {
    let languages: BTreeSet<&str> = names.iter().map(|(language, _)| *language).collect();
    let is_near = |file: NodeId| base.language(file).is_some_and(|language| languages.contains(language));
    let broken = base.diagnostics().map(|error| error.file);
    let broken = broken.filter(|file| is_near(*file) && reach.contains(file)).map(|file| (file, Blind::Syntax));
    let others = base.files().filter_map(|file| match base.level(file) {
        None | Some(Level::ByName) => is_other_code(base, file).then_some((file, Blind::Language)),
        Some(Level::Resolved) => (base.limit(file).is_some() && is_near(file)).then_some((file, Blind::Syntax)),
    });
    broken.chain(others).collect()
}

fn is_other_code(base: &FactBase, file: NodeId) -> bool {
    let flags = base.flags(file);
    let is_ours = ![FileFlags::BINARY, FileFlags::VENDORED, FileFlags::GENERATED].iter().any(|flag| flags.has(*flag));
    let path = base.path(file);
    let by_name =
        || language_of(path).is_some_and(|(_, language)| language.level() == Level::ByName && !language.scope.runs_programs);
    is_ours && (OTHER_CODE.binary_search(&ending(path)).is_ok() || by_name())
}

fn is_component(path: &str) -> bool {
    COMPONENTS.contains(&ending(path))
}

/// Keys, those with the greatest number first.
fn most_first<'k>(counts: &BTreeMap<&'k str, u32>) -> Vec<&'k str> {
    let mut keys: Vec<(&str, u32)> = counts.iter().map(|(key, n)| (*key, *n)).collect();
    keys.sort_by_key(|(key, n)| (std::cmp::Reverse(*n), *key));
    keys.into_iter().map(|(key, _)| key).collect()
}

/// The files from which a chain of imports leads to one of `home`, and these. Where all files of a folder are one module, who reaches one of them
/// reaches all.
pub(super) fn within_reach(base: &FactBase, home: BTreeSet<NodeId>) -> FxHashSet<NodeId> {
    let mut folders: FxHashMap<&str, Vec<NodeId>> = FxHashMap::default();
    for file in base.files().filter(|file| is_of_folder(base, *file)) {
        folders.entry(folder(base.path(file))).or_default().push(file);
    }
    let mut found: FxHashSet<NodeId> = home.iter().copied().collect();
    // A value may have a type that the file neither imports nor names, and files of one package may lie anywhere.
    let languages: BTreeSet<_> =
        home.iter().filter(|file| is_of_package(base, **file)).map(|file| base.language(*file)).collect();
    found.extend(base.files().filter(|file| languages.contains(&base.language(*file))));
    let mut open: Vec<NodeId> = home.into_iter().collect();
    while let Some(file) = open.pop() {
        let path = base.path(file);
        let mates = folders.get(folder(path)).filter(|_| is_of_folder(base, file)).into_iter().flatten().copied();
        let importers = base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy).map(|(from, _)| from);
        open.extend(mates.chain(importers).filter(|file| found.insert(*file)));
    }
    found
}

fn is_of_package(base: &FactBase, file: NodeId) -> bool {
    base.rules_of(file).is_some_and(|language| language.scope.modules == ModuleModel::Package)
}

fn is_of_folder(base: &FactBase, file: NodeId) -> bool {
    base.rules_of(file).is_some_and(|language| language.scope.modules == ModuleModel::Folder)
}

/// The first folder of a path, empty for a file of the root.
fn top(path: &str) -> &str {
    path.split_once('/').map_or("", |(top, _)| top)
}

/// The name that imports have for the module of a file: that of its folder where the file's own says nothing.
fn module_name(path: &str) -> &str {
    let name = stem(path);
    let is_common = COMMON_STEMS.contains(&name) || name == "__init__";
    if is_common { folder(path).rsplit('/').next().unwrap_or(name) } else { name }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
