//! The rules that a packet alone, or with its task, proves.

use super::super::criteria::{self, begins, families};
use super::super::json::Json;
use super::super::markdown::is_row;
use super::super::owning::{About, about, id, patterns};
use super::super::prose::{MAX_SCAR_LINES, RULES, is_fence, names_other};
use super::super::slices::{
    MAX_DEPENDENCIES, MAX_ENTRIES, MAX_NAMES, MAX_SLICE_BYTES, MAX_TESTS, MAX_TEXT_LINES, is_content, is_symbol,
};
use super::super::state::{MAX_STATE_LINES, NOTE};
use super::super::task::{Task, own_path, twice};
use super::super::{SLOTS, task};
use super::{Found, LABELS, rule};
use repo::RepoPath;
use std::collections::BTreeSet;

/// The most entries or lines of a slot that are looked at: more than any limit, so that a slot of more is refused for that.
const MAX_LOOKED_AT: usize = 1_000;
/// What the note about permissions names, whatever its words.
const PERMISSION: &str = "NEXUS_PERMISSION_REQUEST";

/// The slots of a packet as far as they have the right form.
pub(super) struct Slots<'a> {
    pub(super) files: Vec<&'a str>,
    pub(super) content: &'a [(String, Json)],
    pub(super) modules: &'a [Json],
    pub(super) contracts: &'a [Json],
    pub(super) symbols: &'a [(String, Json)],
    pub(super) tests: Vec<&'a str>,
    pub(super) scars: Vec<&'a str>,
    pub(super) criteria: Vec<&'a str>,
    pub(super) state: Vec<&'a str>,
    pub(super) boundaries: Vec<&'a str>,
    slices: [(&'static str, &'a Json); 2],
}

/// The first entries of a slot.
fn first<T>(entries: &[T]) -> &[T] {
    entries.get(..MAX_LOOKED_AT).unwrap_or(entries)
}

/// What a slot must be.
#[derive(Clone, Copy)]
enum Form {
    Paths,
    Texts,
    Object,
    /// An object whose field of this name is a list of objects.
    Slice(&'static str),
    Text,
}

const FORMS: [Form; 10] = [
    Form::Paths,
    Form::Object,
    Form::Slice("modules"),
    Form::Slice("contracts"),
    Form::Object,
    Form::Paths,
    Form::Text,
    Form::Text,
    Form::Text,
    Form::Texts,
];

static NOTHING: Json = Json::Null;

impl<'a> Slots<'a> {
    /// Takes a packet apart; says which slots are missing, too many, or of another form.
    pub(super) fn of(packet: &'a Json, found: &mut Found<'_>) -> Self {
        let mut seen = BTreeSet::new();
        for (name, _) in packet.fields() {
            let is_new = seen.insert(name);
            if !SLOTS.contains(&name.as_str()) && !LABELS.contains(&name.as_str()) {
                found.add(rule::TEN_SLOTS, name, "this is not a slot; a packet has the ten slots, tddMode and riskTier");
            } else if !is_new {
                found.add(rule::TEN_SLOTS, name, "it stands there twice");
            }
        }
        for (slot, form) in SLOTS.into_iter().zip(FORMS) {
            match packet.get(slot) {
                None => found.add(rule::TEN_SLOTS, slot, "it is missing; an empty slot is there all the same"),
                Some(value) => {
                    if let Some(expected) = wrong_form(value, form) {
                        found.add(rule::TEN_SLOTS, slot, format!("it is {}; expected {expected}", value.form()));
                    }
                }
            }
        }
        let slot = |name: &str| packet.get(name).unwrap_or(&NOTHING);
        let list = |name: &str, field: &str| first(slot(name).get(field).map(Json::items).unwrap_or_default());
        let lines = |name: &str| slot(name).text().map(|text| text.lines().take(MAX_LOOKED_AT).collect()).unwrap_or_default();
        let texts = |name: &str| slot(name).texts().into_iter().take(MAX_LOOKED_AT).collect();
        Self {
            files: texts("files"),
            content: first(slot("filesContent").fields()),
            modules: list("architectureSlice", "modules"),
            contracts: list("contractsSlice", "contracts"),
            symbols: first(slot("dependencySymbols").fields()),
            tests: texts("testsSlice"),
            scars: lines("scarsDigest"),
            criteria: lines("acceptanceCriteria"),
            state: lines("stateDigest"),
            boundaries: slot("boundaries").texts(),
            slices: ["architectureSlice", "contractsSlice"].map(|name| (name, slot(name))),
        }
    }

    /// Rules 2 to 10, as far as packet and task prove them.
    pub(super) fn validate(&self, task: Option<&Task>, found: &mut Found<'_>) {
        self.files(task, found);
        for file in &self.files {
            if !self.content.iter().any(|(name, _)| name == file) {
                found.add(rule::CONTENT, &format!("filesContent.{file}"), "it is missing; a new file has an empty text");
            }
        }
        for (name, text) in self.content.iter().filter(|(_, value)| value.text().is_none()) {
            found.add(rule::CONTENT, &format!("filesContent.{name}"), format!("it is {}; expected a string", text.form()));
        }
        for (at, module) in self.modules.iter().enumerate() {
            let paths = patterns(None, module);
            let is_owner = self.files.iter().any(|file| paths.iter().any(|pattern| pattern.covers(file).is_some()));
            if !is_owner {
                let name = id(None, module).unwrap_or("it");
                let message = format!("`{name}` owns none of the files; only modules that own one belong here");
                found.add(rule::ARCHITECTURE, &format!("architectureSlice.modules[{at}]"), message);
            }
        }
        for (at, contract) in self.contracts.iter().enumerate() {
            if about(contract, &self.files) == About::File(false) {
                let name = id(None, contract).unwrap_or("it");
                let message = format!("`{name}` names other files alone; only contracts that overlap with the files belong here");
                found.add(rule::CONTRACTS, &format!("contractsSlice.contracts[{at}]"), message);
            }
        }
        self.symbols(found);
        self.tests(found);
        self.scars(found);
        self.criteria(task, found);
        self.state(found);
    }

    fn files(&self, task: Option<&Task>, found: &mut Found<'_>) {
        let mut paths: Vec<RepoPath> = Vec::new();
        for (at, file) in self.files.iter().enumerate() {
            match own_path(found.masker, file) {
                Ok(path) => paths.push(path),
                Err(why) => found.add(rule::FILES, &format!("files[{at}]"), format!("`{file}` is {why}")),
            }
        }
        if let Some(twice) = twice(&paths) {
            found.add(rule::FILES, "files", format!("`{twice}` stands there twice"));
        }
        if self.files.is_empty() || self.files.len() > task::MAX_FILES {
            let message = format!("it has {} files; a task has 1 to {}", self.files.len(), task::MAX_FILES);
            found.add(rule::FILES, "files", message);
        }
        let Some(task) = task else { return };
        let own: Vec<&str> = task.files.iter().map(RepoPath::as_str).collect();
        if own != self.files {
            let missing = own.iter().find(|file| !self.files.contains(file));
            let broader = self.files.iter().find(|file| !own.contains(file));
            let message = match (broader, missing) {
                (Some(file), _) => format!("`{file}` is not a file of the task"),
                (None, Some(file)) => format!("`{file}` of the task is missing"),
                (None, None) => "the files stand in another order than in the task".to_owned(),
            };
            found.add(rule::FILES, "files", message);
        }
    }

    fn symbols(&self, found: &mut Found<'_>) {
        for (path, names) in self.symbols {
            let place = format!("dependencySymbols.{path}");
            if self.files.contains(&path.as_str()) {
                found.add(rule::SYMBOLS, &place, "the packet owns this file; only files that are not owned belong here");
            } else if let Err(why) = own_path(found.masker, path) {
                found.add(rule::SYMBOLS, &place, format!("this is {why}"));
            }
            let texts = names.texts();
            if texts.is_empty() || texts.len() != names.items().len() {
                found.add(rule::SYMBOLS, &place, format!("it is {}; expected a list of names, at least one", names.form()));
            } else if let Some(name) = texts.iter().find(|name| !is_symbol(found.masker, name)) {
                let name: String = name.chars().take(40).collect();
                found.add(rule::SYMBOLS, &place, format!("`{name}` is not a name of a symbol"));
            }
        }
    }

    fn tests(&self, found: &mut Found<'_>) {
        for (at, test) in self.tests.iter().enumerate() {
            let place = format!("testsSlice[{at}]");
            if let Err(why) = own_path(found.masker, test) {
                found.add(rule::TESTS, &place, format!("`{test}` is {why}"));
            } else if self.tests.iter().take(at).any(|other| other == test) {
                found.add(rule::TESTS, &place, format!("`{test}` stands there twice"));
            }
        }
    }

    fn scars(&self, found: &mut Found<'_>) {
        let lines: Vec<(usize, &str)> =
            self.scars.iter().enumerate().map(|(at, line)| (at + 1, *line)).filter(|(_, line)| !line.trim().is_empty()).collect();
        let is_title = |line: &str| line.trim_matches(['#', '*', ' ', ':']) == RULES;
        for (number, line) in
            lines.iter().enumerate().filter(|(at, (_, line))| !(is_row(line) || *at == 0 && is_title(line))).map(|(_, line)| line)
        {
            let shown: String = line.chars().take(40).collect();
            let message = format!("`{shown}` is not a row of the table; only the table of active prevention rules belongs here");
            found.add(rule::SCARS, &format!("scarsDigest line {number}"), message);
        }
        if self.scars.len() > MAX_SCAR_LINES {
            let message = format!("it has {} lines; the most are {MAX_SCAR_LINES}", self.scars.len());
            found.add(rule::SCARS, "scarsDigest", message);
        }
    }

    fn criteria(&self, task: Option<&Task>, found: &mut Found<'_>) {
        if self.criteria.len() > criteria::MAX_LINES {
            let message = format!("it has {} lines; the most are {}", self.criteria.len(), criteria::MAX_LINES);
            found.add(rule::CRITERIA, "acceptanceCriteria", message);
        }
        let Some(task) = task else { return };
        let ids = &task.acceptance_criteria;
        let families = families(ids);
        if ids.is_empty() && self.criteria.iter().any(|line| !line.trim().is_empty()) {
            found.add(rule::CRITERIA, "acceptanceCriteria", "the task names no criteria, so nothing belongs here");
        }
        for (at, line) in self.criteria.iter().enumerate() {
            // What is indented belongs to the criterion above it.
            let id = begins(line, &families).filter(|_| !line.starts_with([' ', '\t']));
            if let Some(id) = id.filter(|id| !ids.iter().any(|known| known == id)) {
                let message = format!("`{id}` is not a criterion of the task");
                found.add(rule::CRITERIA, &format!("acceptanceCriteria line {}", at + 1), message);
            }
        }
    }

    fn state(&self, found: &mut Found<'_>) {
        if self.state.len() > MAX_STATE_LINES {
            let message = format!("it has {} lines; the most are {MAX_STATE_LINES}", self.state.len());
            found.add(rule::STATE, "stateDigest", message);
        }
        if !self.state.iter().any(|line| line.contains(PERMISSION)) {
            found.add(rule::STATE, "stateDigest", format!("the note about more context is missing: {NOTE}"));
        }
        let rows = self.scars.iter().filter(|line| is_row(line));
        if let Some(row) = rows.into_iter().find(|row| !self.state.contains(row)) {
            let row: String = row.chars().take(60).collect();
            found.add(rule::STATE, "stateDigest", format!("the active prevention rules belong here too; `{row}` is missing"));
        }
    }

    /// Rules 13 and 14.
    pub(super) fn check_narrow(&self, task: Option<&Task>, found: &mut Found<'_>) {
        for (slot, n, max) in [
            ("dependencySymbols", self.symbols.len(), MAX_DEPENDENCIES),
            ("testsSlice", self.tests.len(), MAX_TESTS),
            ("architectureSlice", self.modules.len(), MAX_ENTRIES),
            ("contractsSlice", self.contracts.len(), MAX_ENTRIES),
        ] {
            if n > max {
                found.add(rule::NARROW, slot, format!("it has {n} entries; the most of a narrow packet are {max}"));
            }
        }
        for (path, names) in self.symbols.iter().filter(|(_, names)| names.items().len() > MAX_NAMES) {
            let message = format!("it names {} symbols; the most are {MAX_NAMES}", names.items().len());
            found.add(rule::NARROW, &format!("dependencySymbols.{path}"), message);
        }
        for (slot, slice) in self.slices {
            let n_bytes = serde_json::to_string(slice).map_or(0, |text| text.len());
            // A slice has two lists at most, with names and brackets around their entries.
            if n_bytes > MAX_SLICE_BYTES * 3 {
                found.add(rule::NARROW, slot, format!("it has {n_bytes} bytes; a slice has at most {MAX_SLICE_BYTES}"));
            }
            self.other_content(slot, slice, found);
        }
        for (name, _) in self.content.iter().filter(|(name, _)| !self.files.contains(&name.as_str())) {
            let message = "this file is not among `files`: its content must not be here";
            found.add(rule::OTHERS, &format!("filesContent.{name}"), message);
        }
        if let Some(file) = self.files.iter().find(|file| task.is_some_and(|task| !task.owns(file))) {
            found.add(rule::OTHERS, "files", format!("`{file}` is not a file of the task: the worker must not write it"));
        }
        let digests = [("scarsDigest", &self.scars), ("acceptanceCriteria", &self.criteria), ("stateDigest", &self.state)];
        for (slot, lines) in digests {
            // Content under the name of a file is what a packer of files writes.
            let shows =
                lines.iter().zip(lines.iter().skip(1)).find(|(line, next)| names_other(line, &self.files) && is_fence(next));
            if let Some((line, _)) = shows {
                found.add(rule::OTHERS, slot, format!("`{line}` shows content of another file"));
            }
        }
    }

    /// Texts of a slice that hold what a file holds. As deep as JSON is read, with a list of what is still to be looked at.
    fn other_content(&self, slot: &'static str, slice: &Json, found: &mut Found<'_>) {
        let mut pending = vec![(slot.to_owned(), "", slice)];
        while let Some((place, name, value)) = pending.pop() {
            pending.extend(value.fields().iter().map(|(name, value)| (format!("{place}.{name}"), name.as_str(), value)));
            pending.extend(value.items().iter().enumerate().map(|(at, value)| (format!("{place}[{at}]"), name, value)));
            let Some(text) = value.text() else { continue };
            let n_lines = text.lines().count();
            if is_content(name, text, &self.files) {
                found.add(
                    rule::OTHERS,
                    &place,
                    "it holds what a file holds; only `filesContent` does, of the packet's own files",
                );
            } else if n_lines > MAX_TEXT_LINES {
                found.add(
                    rule::NARROW,
                    &place,
                    format!("it has {n_lines} lines; the most of a text in a slice are {MAX_TEXT_LINES}"),
                );
            }
        }
    }
}

/// What a slot should be, if it is something else.
fn wrong_form(value: &Json, form: Form) -> Option<&'static str> {
    let is_texts = || matches!(value, Json::List(items) if items.iter().all(|item| item.text().is_some()));
    let (is_right, expected) = match form {
        Form::Paths => (is_texts(), "a list of paths"),
        Form::Texts => (is_texts(), "a list of strings"),
        Form::Object => (matches!(value, Json::Object(_)), "an object"),
        Form::Slice(field) => {
            let is_list = value.get(field).is_some_and(
                |list| matches!(list, Json::List(items) if items.iter().all(|item| matches!(item, Json::Object(_)))),
            );
            let expected = if field == "modules" {
                "an object with a list of objects, `modules`"
            } else {
                "an object with a list of objects, `contracts`"
            };
            (is_list, expected)
        }
        Form::Text => (value.text().is_some(), "a string"),
    };
    (!is_right).then_some(expected)
}
