//! The slots that are slices of a plan's lists: modules, contracts, symbols and tests; what the plan lacks comes from facts.

use super::conventions::may_test;
use super::json::{Json, safe};
use super::owning::{About, Pattern, about, id, patterns};
use super::plan::{CONTRACTS, Entry, MODULES, OWNERSHIP, Plan, SYMBOLS, TEST_MAP, entries, is_path};
use super::prose;
use super::receipt::{SlotDraft, source};
use super::task::{Task, own_path};
use redact::{Masker, Safe};
use repo::RepoPath;
use std::collections::{BTreeMap, BTreeSet};

/// The most bytes of a slice as JSON: what is larger is not a slice.
pub(super) const MAX_SLICE_BYTES: usize = 64 << 10;
/// The most modules, contracts or boundaries between modules.
pub(super) const MAX_ENTRIES: usize = 500;
/// The most lines of a text in a slice: a few paragraphs on a module, and no file.
pub(super) const MAX_TEXT_LINES: usize = 60;
/// Fields that hold what a file holds.
const CONTENT_FIELDS: [&str; 6] = ["content", "contents", "source", "sourcecode", "code", "filescontent"];
/// The most files whose symbols are named.
pub(super) const MAX_DEPENDENCIES: usize = 100;
/// The most symbols that are named of a file.
pub(super) const MAX_NAMES: usize = 200;
/// The most test files.
pub(super) const MAX_TESTS: usize = 100;
/// The most characters of the name of a symbol.
pub(super) const MAX_NAME: usize = 200;

/// What facts say where the plan says nothing.
pub trait Facts {
    /// The module that a file belongs to, with `id` and `path`, and the rest as far as it is known.
    fn module_of(&self, file: &str) -> Option<Json>;
    /// The files of the repository that a file imports or uses, by path.
    fn imports_of(&self, file: &str) -> Vec<String>;
    /// The symbols of a file that one of `users` imports or uses; those of tests only where a user is a test.
    fn used_of(&self, file: &str, users: &[&str]) -> Vec<String>;
    /// The test files that run a file, the closest first.
    fn tests_of(&self, file: &str) -> Vec<String>;
}

/// What a plan and facts say about a task.
pub(super) struct Slicer<'a> {
    pub(super) task: &'a Task,
    pub(super) plan: &'a Plan,
    pub(super) facts: &'a dyn Facts,
}

impl<'a> Slicer<'a> {
    fn files(&self) -> Vec<&'a str> {
        self.task.files.iter().map(RepoPath::as_str).collect()
    }

    /// The modules that own the task's files, each once: those that know a file best.
    pub(super) fn architecture(&self, receipt: &mut SlotDraft<'_>) -> Json<Safe> {
        let (listed, files) = (modules(self.plan), self.files());
        let mut found: Vec<(String, Json<Safe>, &'static str)> = Vec::new();
        let mut seen: Vec<&Json> = Vec::new();
        let mut add = |name: &str, module: Json<Safe>, source| {
            if !found.iter().any(|(_, known, _)| *known == module) {
                found.push((name.to_owned(), module, source));
            }
        };
        for file in self.files() {
            let owners = best(&listed, file);
            for owner in &owners {
                // Of two files of one module, the first brings it.
                if seen.iter().any(|known| std::ptr::eq(*known, owner.value)) {
                    continue;
                }
                seen.push(owner.value);
                add(id(owner.name, owner.value).unwrap_or(file), named(*owner, &files, receipt), source::MODULES);
            }
            if !owners.is_empty() {
                continue;
            }
            if let Some(module) = prose::module_of(self.plan, file) {
                add(id(None, &module).unwrap_or(file), module.safe(receipt.masker), source::ARCHITECTURE);
            } else if let Some(module) = self.facts.module_of(file) {
                add(id(None, &module).unwrap_or(file), module.safe(receipt.masker), source::PACKAGES);
            } else {
                receipt.note(format!("no module of plan or facts owns `{file}`"));
            }
        }
        let ids: Vec<&str> = found.iter().map(|(id, _, _)| id.as_str()).collect();
        let between =
            boundaries(self.plan, &ids).into_iter().map(|entry| narrow(entry, "", &files, receipt).safe(receipt.masker));
        let between: Vec<Json<Safe>> = between.collect();
        let found = found.into_iter().map(|(name, module, source)| (name, source, module)).collect();
        let mut fields = vec![(safe(receipt.masker, "modules"), Json::List(within_limit(found, receipt)))];
        if !between.is_empty() {
            let between = between.into_iter().map(|entry| ("boundary".to_owned(), source::MODULES, entry)).collect();
            fields.push((safe(receipt.masker, "boundaries"), Json::List(within_limit(between, receipt))));
        }
        Json::Object(fields)
    }

    /// The contracts that name a file of the task, or no file and a module that owns one.
    pub(super) fn contracts(&self, receipt: &mut SlotDraft<'_>) -> Json<Safe> {
        let listed = contracts(self.plan);
        if !self.plan.has(CONTRACTS) {
            receipt.note("the plan has no api_contracts.json, and facts know no contracts");
        }
        let overlapping = overlapping(self.plan, self.task);
        let n_silent = listed.iter().filter(|entry| about(entry.value, &[]) == About::Nothing).count();
        if n_silent > 0 {
            receipt.note(format!("{n_silent} contracts name neither a file nor a module: whether they overlap is not known"));
        }
        let files = self.files();
        let mut found = Vec::new();
        for entry in overlapping {
            let name = id(entry.name, entry.value).unwrap_or("contract").to_owned();
            found.push((name, source::CONTRACTS, named(entry, &files, receipt)));
        }
        Json::Object(vec![(safe(receipt.masker, "contracts"), Json::List(within_limit(found, receipt)))])
    }

    /// The symbols of files that the task's files import and the task does not own, by path.
    pub(super) fn dependencies(&self, receipt: &mut SlotDraft<'_>) -> Vec<(Safe, Vec<Safe>)> {
        let imports = imports(self.plan);
        let exports = exports(receipt.masker, self.plan);
        let owned = owned(self.plan, &self.task.id);
        let beyond: Vec<&&str> = owned.iter().filter(|path| !self.task.owns(path)).collect();
        if !beyond.is_empty() {
            let n = beyond.len();
            receipt.note(format!("ownership.json gives the task {n} files that its list lacks, among them `{}`", beyond[0]));
        }
        let mut wanted: BTreeSet<String> = BTreeSet::new();
        for file in self.files() {
            match imports.get(file) {
                Some(planned) => wanted.extend(planned.iter().map(|path| (*path).to_owned())),
                None => wanted.extend(self.facts.imports_of(file)),
            }
        }
        wanted.retain(|path| !self.task.owns(path) && !owned.contains(path.as_str()));
        let mut found = Vec::new();
        for path in wanted {
            if own_path(receipt.masker, &path).is_err() {
                receipt.note(format!("`{path}` is not a path that can be shown"));
                continue;
            }
            let (names, source) = match exports.get(path.as_str()) {
                Some(names) => (names.iter().map(|name| (*name).to_owned()).collect(), source::SYMBOLS),
                None => (self.facts.used_of(&path, &self.files()), source::USES),
            };
            let names: Vec<String> = names.into_iter().filter(|name| is_symbol(receipt.masker, name)).collect();
            if names.is_empty() {
                receipt.note(format!("no symbol of `{path}` is known that the task's files use"));
                continue;
            }
            if found.len() == MAX_DEPENDENCIES {
                receipt.cut_entries(1);
                continue;
            }
            receipt.cut_lines(names.len().saturating_sub(MAX_NAMES));
            receipt.add(&path, source);
            found
                .push((receipt.masker.name(&path), names.iter().take(MAX_NAMES).map(|name| receipt.masker.name(name)).collect()));
        }
        if found.is_empty() {
            receipt.note("neither plan nor facts know a file that the task imports and does not own");
        }
        found
    }

    /// The test files of the task's files.
    pub(super) fn tests(&self, receipt: &mut SlotDraft<'_>) -> Vec<Safe> {
        let mapped = tests(self.plan);
        let mut found: Vec<Safe> = Vec::new();
        for file in self.files() {
            let (tests, source) = match mapped.get(file) {
                Some(tests) => (tests.iter().map(|test| (*test).to_owned()).collect(), source::TEST_MAP),
                None => (self.facts.tests_of(file), source::TESTS),
            };
            for test in tests {
                if found.iter().any(|known| known.as_str() == test) {
                    continue;
                }
                if source == source::TESTS && !may_test(&test, file) {
                    // Whoever checks the packet could not tell it from any other file.
                    receipt.note(format!(
                        "`{test}` runs `{file}` and is left out: it neither looks like a test nor stands in its package"
                    ));
                } else if own_path(receipt.masker, &test).is_err() {
                    receipt.note(format!("`{test}` is not a path of a test file that can be shown"));
                } else if found.len() == MAX_TESTS {
                    receipt.cut_entries(1);
                } else {
                    receipt.add(&test, source);
                    found.push(receipt.masker.name(&test));
                }
            }
        }
        if found.is_empty() {
            receipt.note("neither plan nor facts know a test of the task's files");
        }
        found
    }
}

/// An entry with its name in it, where it stood in an object under its name, and without what a slice must not hold.
pub(super) fn named(entry: Entry<'_>, files: &[&str], receipt: &mut SlotDraft<'_>) -> Json<Safe> {
    match (entry.name, narrow(entry.value, "", files, receipt).safe(receipt.masker)) {
        (Some(name), Json::Object(mut fields)) if id(None, entry.value).is_none() => {
            fields.insert(0, (safe(receipt.masker, "id"), Json::Text(safe(receipt.masker, name))));
            Json::Object(fields)
        }
        (_, value) => value,
    }
}

/// Whether a text under this name holds what a file holds: it has lines, and the name says so or is the path of a file that is not owned.
pub(super) fn is_content(name: &str, text: &str, files: &[&str]) -> bool {
    let says_so = CONTENT_FIELDS.contains(&name.to_lowercase().as_str());
    (says_so || is_path(name) && !files.contains(&name)) && text.lines().nth(1).is_some()
}

/// A value without the content of files, its texts no longer than those of a slice. As deep as JSON is read.
fn narrow(value: &Json, name: &str, files: &[&str], receipt: &mut SlotDraft<'_>) -> Json {
    match value {
        Json::Text(text) => {
            let n_lines = text.lines().count();
            let n_kept = if is_content(name, text, files) { 0 } else { n_lines.min(MAX_TEXT_LINES) };
            if n_kept == n_lines {
                return value.clone();
            }
            receipt.cut_lines(n_lines - n_kept);
            Json::Text(text.lines().take(n_kept).collect::<Vec<_>>().join("\n"))
        }
        Json::List(items) => Json::List(items.iter().map(|item| narrow(item, name, files, receipt)).collect()),
        Json::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), narrow(value, name, files, receipt)));
            Json::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// What stays below the limit of a slice, in order.
fn within_limit(found: Vec<(String, &'static str, Json<Safe>)>, receipt: &mut SlotDraft<'_>) -> Vec<Json<Safe>> {
    let mut left = MAX_SLICE_BYTES;
    let mut kept = Vec::new();
    for (name, source, entry) in found {
        let n_bytes = serde_json::to_string(&entry).map_or(usize::MAX, |text| text.len());
        if n_bytes > left || kept.len() == MAX_ENTRIES {
            receipt.cut_entries(1);
            receipt.note(format!("`{name}` is left out: a slice has at most {MAX_SLICE_BYTES} bytes and {MAX_ENTRIES} entries"));
            continue;
        }
        left -= n_bytes;
        receipt.add(&name, source);
        kept.push(entry);
    }
    kept
}

/// A module of a plan with what it owns.
pub(super) struct Module<'a> {
    pub(super) entry: Entry<'a>,
    patterns: Vec<Pattern>,
}

/// The modules of a plan.
pub(super) fn modules(plan: &Plan) -> Vec<Module<'_>> {
    let listed = entries(plan.json(MODULES), &["modules"]).into_iter();
    listed.map(|entry| Module { entry, patterns: patterns(entry.name, entry.value) }).collect()
}

/// The modules that know a file best, among those that own it.
pub(super) fn best<'a>(modules: &[Module<'a>], file: &str) -> Vec<Entry<'a>> {
    let how_well = |module: &Module<'a>| module.patterns.iter().filter_map(|pattern| pattern.covers(file)).max();
    let known: Vec<(usize, Entry<'a>)> = modules.iter().filter_map(|module| Some((how_well(module)?, module.entry))).collect();
    let most = known.iter().map(|(how_well, _)| *how_well).max();
    known.into_iter().filter(|(how_well, _)| Some(*how_well) == most).map(|(_, entry)| entry).collect()
}

/// What the plan says between modules, one of which is one of these.
fn boundaries<'a>(plan: &'a Plan, ids: &[&str]) -> Vec<&'a Json> {
    let listed = plan.json(MODULES).and_then(|json| json.get("boundaries")).map(Json::items).unwrap_or_default();
    let names = |entry: &&Json| entry.fields().iter().flat_map(|(_, value)| value.texts()).any(|text| ids.contains(&text));
    listed.iter().filter(names).collect()
}

/// The contracts of a plan.
fn contracts(plan: &Plan) -> Vec<Entry<'_>> {
    entries(plan.json(CONTRACTS), &["contracts", "apiContracts", "api_contracts"])
}

/// The contracts of a plan that overlap with a task.
pub(super) fn overlapping<'a>(plan: &'a Plan, task: &Task) -> Vec<Entry<'a>> {
    let files: Vec<&str> = task.files.iter().map(RepoPath::as_str).collect();
    let modules = modules(plan);
    let owners: Vec<&str> =
        files.iter().flat_map(|file| best(&modules, file)).filter_map(|entry| id(entry.name, entry.value)).collect();
    let overlaps = |entry: &Entry<'_>| match about(entry.value, &files) {
        About::File(is_about) => is_about,
        About::Module(module) => owners.contains(&module.as_str()),
        About::Nothing => false,
    };
    contracts(plan).into_iter().filter(overlaps).collect()
}

/// The path that an entry is about.
fn path_of(entry: Entry<'_>) -> Option<&str> {
    let named = entry.value.any(&["file", "path", "sourceFile", "source_file", "source"]).and_then(Json::text);
    named.or(entry.name).map(|path| path.trim_start_matches("./")).filter(|path| is_path(path))
}

/// What files export, by path, as far as the plan says it.
pub(super) fn exports<'p>(masker: &Masker, plan: &'p Plan) -> BTreeMap<&'p str, Vec<&'p str>> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in entries(plan.json(SYMBOLS), &["symbols", "files"]) {
        let Some(path) = path_of(entry) else { continue };
        let listed = entry.value.any(&["exports", "symbols", "exportedSymbols"]).unwrap_or(entry.value);
        let names = found.entry(path).or_default();
        names.extend(listed.texts());
        names.extend(listed.items().iter().filter(|item| is_exported(item)).filter_map(|item| item.get("name")?.text()));
        // One entry a symbol.
        if listed.items().is_empty() && is_exported(entry.value) {
            names.extend(entry.value.any(&["name", "symbol"]).and_then(Json::text));
        }
    }
    for names in found.values_mut() {
        let mut seen = BTreeSet::new();
        names.retain(|name| is_symbol(masker, name) && seen.insert(*name));
    }
    found
}

fn is_exported(symbol: &Json) -> bool {
    symbol.any(&["exported", "isExported"]) != Some(&Json::Bool(false))
}

/// Whether a text can be the name of a symbol.
pub(super) fn is_symbol(masker: &Masker, name: &str) -> bool {
    !name.is_empty()
        && !name.contains(char::is_whitespace)
        && name.chars().count() <= MAX_NAME
        && masker.name(name).as_str() == name
}

/// What files import, by path, as far as the plan says it.
pub(super) fn imports(plan: &Plan) -> BTreeMap<&str, Vec<&str>> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let listed = [(OWNERSHIP, &["ownership", "files"][..]), (SYMBOLS, &["symbols", "files"])];
    for (file, names) in listed {
        for entry in entries(plan.json(file), names) {
            if let (Some(path), Some(imports)) = (path_of(entry), entry.value.any(&["imports", "dependsOn", "dependencies"])) {
                let paths = imports.texts().into_iter().map(|path| path.trim_start_matches("./")).filter(|path| is_path(path));
                found.entry(path).or_default().extend(paths);
            }
        }
    }
    found
}

/// The files that the plan gives a task.
pub(super) fn owned<'a>(plan: &'a Plan, task: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let json = plan.json(OWNERSHIP);
    for entry in entries(json, &["ownership", "files"]) {
        let owner = entry.value.any(&["owner", "task", "taskId", "task_id"]).unwrap_or(entry.value).text();
        if owner == Some(task) {
            found.extend(path_of(entry));
            found.extend(entry.value.any(&["files", "paths"]).map(Json::texts).unwrap_or_default());
        }
        if entry.name == Some(task) {
            found.extend(entry.value.texts());
        }
    }
    found
}

/// The test files of sources, by path, as far as the plan says it.
pub(super) fn tests(plan: &Plan) -> BTreeMap<&str, Vec<&str>> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in entries(plan.json(TEST_MAP), &["testMap", "test_map", "tests", "mappings"]) {
        let Some(path) = path_of(entry) else { continue };
        let listed =
            entry.value.any(&["testFiles", "test_files", "testFile", "test_file", "tests", "test"]).unwrap_or(entry.value);
        let tests =
            listed.texts().into_iter().chain(listed.items().iter().filter_map(|item| item.any(&["file", "path"])?.text()));
        let tests = tests.map(|test| test.trim_start_matches("./"));
        found.entry(path).or_default().extend(tests.filter(|test| is_path(test)));
    }
    found
}
