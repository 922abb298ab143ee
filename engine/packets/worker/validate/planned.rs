//! The rules that the plan proves: what is in a packet stands in the plan, and what the plan has for the task is in the packet.

use super::super::conventions;
use super::super::criteria;
use super::super::json::{Json, safe};
use super::super::owning::id;
use super::super::plan::{CONTRACTS, DECISIONS, Entry, MODULES, Plan, STATE, TEST_MAP};
use super::super::prose::{MAX_SCAR_LINES, RULES, boundaries, rules, without_others};
use super::super::receipt::SlotDraft;
use super::super::slices::{
    MAX_DEPENDENCIES, MAX_ENTRIES, MAX_SLICE_BYTES, MAX_TESTS, best, exports, imports, modules, named, overlapping, owned, tests,
};
use super::super::state::{DECISIONS_TITLE, MIN_STATE_LINES, NOTE};
use super::super::task::Task;
use super::slots::Slots;
use super::{Found, rule};
use redact::{Masker, fits};
use std::collections::BTreeSet;

/// The rules of a packet against its plan.
pub(super) fn validate(slots: &Slots<'_>, plan: &Plan, task: Option<&Task>, found: &mut Found<'_>) {
    architecture(slots, plan, found);
    if let Some(task) = task {
        contracts(slots, plan, task, found);
        criteria(slots, plan, task, found);
    }
    symbols(slots, plan, task, found);
    test_files(slots, plan, found);
    scars(slots, plan, found);
    state(slots, plan, found);
    let expected: Vec<String> = boundaries(plan).iter().map(|text| safe(found.masker, text).as_str().to_owned()).collect();
    if expected != slots.boundaries {
        let at = expected.iter().zip(&slots.boundaries).position(|(expected, item)| expected != item);
        let at = at.unwrap_or(expected.len().min(slots.boundaries.len()));
        let message = match expected.get(at) {
            Some(text) => format!("PLAN.md says `{}` here, word for word", text.lines().next().unwrap_or_default()),
            None => "PLAN.md has no such item under DO NOT CHANGE".to_owned(),
        };
        found.add(rule::BOUNDARIES, &format!("boundaries[{at}]"), message);
    }
}

/// The ids of entries.
fn ids<'a>(entries: impl IntoIterator<Item = Entry<'a>>) -> BTreeSet<&'a str> {
    entries.into_iter().filter_map(|entry| id(entry.name, entry.value)).collect()
}

fn architecture(slots: &Slots<'_>, plan: &Plan, found: &mut Found<'_>) {
    let listed = modules(plan);
    let known: BTreeSet<&str> = slots.modules.iter().filter_map(|module| id(None, module)).collect();
    for file in &slots.files {
        let owners = best(&listed, file).into_iter().filter_map(|entry| Some((id(entry.name, entry.value)?, entry)));
        let missing =
            owners.filter(|(owner, entry)| !known.contains(owner) && has_room(found.masker, slots.modules, *entry, &slots.files));
        for owner in missing.map(|(owner, _)| owner).collect::<BTreeSet<&str>>() {
            let message = format!("`{owner}` of {MODULES} owns `{file}` and is missing");
            found.add(rule::ARCHITECTURE, "architectureSlice.modules", message);
        }
    }
    // A module of the plan belongs here only where it knows a file best.
    let all = ids(listed.iter().map(|module| module.entry));
    let owners: BTreeSet<&str> = slots.files.iter().flat_map(|file| ids(best(&listed, file))).collect();
    for (at, module) in slots.modules.iter().enumerate() {
        if let Some(name) = id(None, module).filter(|name| all.contains(name) && !owners.contains(name)) {
            let message = format!("`{name}` of {MODULES} is not the module that owns one of the files");
            found.add(rule::ARCHITECTURE, &format!("architectureSlice.modules[{at}]"), message);
        }
    }
}

/// Whether an entry would have had room beside those that a slice shows: else a limit cut it.
fn has_room(masker: &Masker, shown: &[Json], entry: Entry<'_>, files: &[&str]) -> bool {
    let n_bytes = |text: serde_json::Result<String>| text.map_or(usize::MAX, |text| text.len());
    let all = shown.iter().map(|entry| n_bytes(serde_json::to_string(entry)));
    let own = n_bytes(serde_json::to_string(&named(entry, files, &mut SlotDraft::of(masker, ""))));
    shown.len() < MAX_ENTRIES && all.fold(own, usize::saturating_add) <= MAX_SLICE_BYTES
}

fn contracts(slots: &Slots<'_>, plan: &Plan, task: &Task, found: &mut Found<'_>) {
    let known = ids(overlapping(plan, task));
    for (at, contract) in slots.contracts.iter().enumerate() {
        let name = id(None, contract).unwrap_or_default();
        if !known.contains(name) {
            let message = format!("`{name}` is not a contract of {CONTRACTS} that overlaps with the files");
            found.add(rule::CONTRACTS, &format!("contractsSlice.contracts[{at}]"), message);
        }
    }
    let shown: BTreeSet<&str> = slots.contracts.iter().filter_map(|contract| id(None, contract)).collect();
    let mut missing = overlapping(plan, task).into_iter().filter_map(|entry| {
        let name = id(entry.name, entry.value)?;
        (!shown.contains(name) && has_room(found.masker, slots.contracts, entry, &slots.files)).then_some(name)
    });
    if let Some(missing) = missing.next() {
        let message = format!("`{missing}` of {CONTRACTS} overlaps with the files and is missing");
        found.add(rule::CONTRACTS, "contractsSlice.contracts", message);
    }
}

fn symbols(slots: &Slots<'_>, plan: &Plan, task: Option<&Task>, found: &mut Found<'_>) {
    let (imports, exports) = (imports(plan), exports(found.masker, plan));
    // Where the plan says what every file imports, nothing else is imported.
    let is_known = !slots.files.is_empty() && slots.files.iter().all(|file| imports.contains_key(file));
    let imported: BTreeSet<&str> = slots.files.iter().filter_map(|file| imports.get(file)).flatten().copied().collect();
    let owned = task.map(|task| owned(plan, &task.id)).unwrap_or_default();
    for (path, names) in slots.symbols {
        let place = format!("dependencySymbols.{path}");
        if is_known && !imported.contains(path.as_str()) {
            found.add(rule::SYMBOLS, &place, "the plan says that no file of the packet imports it");
        }
        if owned.contains(path.as_str()) {
            found.add(rule::SYMBOLS, &place, "ownership.json gives it to the task: only files that are not owned belong here");
        }
        let Some(known) = exports.get(path.as_str()) else { continue };
        let known: BTreeSet<&str> = known.iter().copied().collect();
        if let Some(name) = names.texts().into_iter().find(|name| !known.contains(name)) {
            found.add(rule::SYMBOLS, &place, format!("`{name}` is not a symbol that symbols.json has of it"));
        }
    }
    // A full slot has no room for another.
    let shown: BTreeSet<&str> = slots.symbols.iter().map(|(path, _)| path.as_str()).chain(slots.files.iter().copied()).collect();
    let has_names = |path: &&&str| exports.get(**path).is_some_and(|names| !names.is_empty());
    let missing = imported.iter().find(|path| has_names(path) && !shown.contains(**path) && !owned.contains(**path));
    if let Some(path) = missing.filter(|_| slots.symbols.len() < MAX_DEPENDENCIES) {
        found.add(rule::SYMBOLS, "dependencySymbols", format!("`{path}` is imported and not owned, and is missing"));
    }
}

fn test_files(slots: &Slots<'_>, plan: &Plan, found: &mut Found<'_>) {
    let mapped = tests(plan);
    let own: BTreeSet<&str> = slots.files.iter().filter_map(|file| mapped.get(file)).flatten().copied().collect();
    // A file that the map lacks may have tests all the same: those that facts can give.
    let unmapped: Vec<&str> = slots.files.iter().filter(|file| !mapped.contains_key(**file)).copied().collect();
    for (at, test) in slots.tests.iter().enumerate().filter(|(_, test)| !own.contains(**test)) {
        let place = format!("testsSlice[{at}]");
        if unmapped.is_empty() {
            found.add(rule::TESTS, &place, format!("{TEST_MAP} has `{test}` for none of the files"));
        } else if !unmapped.iter().any(|file| conventions::may_test(test, file)) {
            let lacks = unmapped.join("`, `");
            found.add(
                rule::TESTS,
                &place,
                format!("{TEST_MAP} has `{test}` for none of the files, and it can be no test of `{lacks}`, which the map lacks"),
            );
            if !slots.files.contains(test) && !conventions::is_test(test) {
                found.add(rule::OTHERS, &place, format!("`{test}` is not among `files`, and no test: it must not be here"));
            }
        }
    }
    if let Some(test) = own.iter().find(|test| !slots.tests.contains(test))
        && slots.tests.len() < MAX_TESTS
    {
        found.add(rule::TESTS, "testsSlice", format!("`{test}` of {TEST_MAP} is missing"));
    }
}

/// Whether a line is one of the plan, of which the packet may mask more: what files of the repository give away is not known here.
fn stands_in(known: &BTreeSet<String>, line: &str) -> bool {
    known.contains(line.trim_end()) || known.iter().any(|plan| fits(line.trim_end(), plan))
}

/// A line as it leaves.
fn shown(masker: &Masker, line: &str) -> String {
    safe(masker, line).as_str().trim_end().to_owned()
}

fn scars(slots: &Slots<'_>, plan: &Plan, found: &mut Found<'_>) {
    let known: Vec<String> = rules(plan).into_iter().map(|line| shown(found.masker, line)).collect();
    let rows: Vec<&str> = slots.scars.iter().map(|line| line.trim_end()).filter(|line| line.starts_with('|')).collect();
    if let Some(row) = rows.iter().find(|row| !known.iter().any(|line| fits(row, line))) {
        let row: String = row.chars().take(60).collect();
        found.add(rule::SCARS, "scarsDigest", format!("`{row}` is not a row of the table in SCARS.md"));
    }
    let n_expected = known.len().min(MAX_SCAR_LINES - 1);
    if rows.len() < n_expected {
        let message = format!("it has {} rows; the table in SCARS.md has {}", rows.len(), known.len());
        found.add(rule::SCARS, "scarsDigest", message);
    }
}

fn criteria(slots: &Slots<'_>, plan: &Plan, task: &Task, found: &mut Found<'_>) {
    let mut unsaid = SlotDraft::of(found.masker, "");
    let whole = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
    let passages = criteria::passages(plan, &task.acceptance_criteria).into_iter();
    let passages: Vec<(String, Vec<String>)> =
        passages.map(|(id, lines)| (id, without_others(whole(&lines), &slots.files, &mut unsaid))).collect();
    let known: BTreeSet<String> = passages.iter().flat_map(|(_, lines)| lines).map(|line| shown(found.masker, line)).collect();
    for (at, line) in slots.criteria.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if !stands_in(&known, line) {
            let message = "this line stands in no criterion of the task in ACCEPTANCE_MASTER.md";
            found.add(rule::CRITERIA, &format!("acceptanceCriteria line {}", at + 1), message);
            break;
        }
    }
    // With a line between two of them; what the limit cut may end in empty lines, so those that are there do not tell.
    let n_lines: usize = passages.iter().map(|(_, lines)| lines.len() + 1).sum();
    if n_lines <= criteria::MAX_LINES {
        for (id, lines) in &passages {
            let has = |line: &&String| slots.criteria.iter().any(|known| fits(known.trim_end(), &shown(found.masker, line)));
            if !lines.iter().filter(|line| !line.trim().is_empty()).all(|line| has(&line)) {
                found.add(rule::CRITERIA, "acceptanceCriteria", format!("`{id}` is missing or not whole"));
            }
        }
    }
}

fn state(slots: &Slots<'_>, plan: &Plan, found: &mut Found<'_>) {
    let files = [STATE, DECISIONS].into_iter().flat_map(|name| plan.lines(name)).chain(rules(plan));
    let own = [format!("## {RULES}"), DECISIONS_TITLE.to_owned(), NOTE.to_owned()];
    let known: BTreeSet<String> = files.map(|line| shown(found.masker, line)).chain(own).collect();
    for (at, line) in slots.state.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if !stands_in(&known, line) && !line.contains("NEXUS_PERMISSION_REQUEST") {
            let message = "this line stands neither in STATE.md nor in the rules or decisions of the plan";
            found.add(rule::STATE, &format!("stateDigest line {}", at + 1), message);
            break;
        }
    }
    let lines = plan.lines(STATE);
    let n_blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
    // A digest of fewer lines was cut by no limit: from the smallest on, rules and decisions may have taken the room.
    let is_whole = slots.state.len() + n_blank < MIN_STATE_LINES;
    let first = lines.get(n_blank).map(|line| shown(found.masker, line)).filter(|_| is_whole);
    if first.is_some_and(|first| !slots.state.iter().any(|line| fits(line.trim_end(), &first))) {
        found.add(rule::STATE, "stateDigest", "the beginning of STATE.md is missing");
    }
}
