//! The rules that a packet's receipt proves: what the packet names is what the receipt says where it is from.

use super::super::conventions::may_test;
use super::super::json::Json;
use super::super::plan::{Plan, TEST_MAP};
use super::super::receipt::source;
use super::super::slices::tests;
use super::slots::Slots;
use super::{Found, rule};
use std::collections::BTreeSet;

/// The rules of a packet against its receipt.
pub(super) fn validate(slots: &Slots<'_>, receipt: &Json, plan: Option<&Plan>, found: &mut Found<'_>) {
    let files: Vec<&str> = entries(receipt, "files").into_iter().map(|(name, _)| name).collect();
    if files != slots.files {
        return found.add(rule::FILES, "files", "the receipt is of a packet with other files");
    }
    let symbols: Vec<&str> = slots.symbols.iter().map(|(path, _)| path.as_str()).collect();
    for (slot, rule, shown) in [("dependencySymbols", rule::SYMBOLS, &symbols), ("testsSlice", rule::TESTS, &slots.tests)] {
        let told: Vec<&str> = entries(receipt, slot).into_iter().map(|(name, _)| name).collect();
        let known: BTreeSet<&str> = told.iter().copied().collect();
        for path in shown.iter().filter(|path| !known.contains(*path)) {
            found.add(rule, slot, format!("the receipt does not say where `{path}` is from"));
        }
        let known: BTreeSet<&str> = shown.iter().copied().collect();
        for path in told.iter().filter(|path| !known.contains(*path)) {
            found.add(rule, slot, format!("`{path}` of the receipt is missing"));
        }
    }
    let mapped = plan.map(tests);
    let of_file = |file: &&str| mapped.as_ref().and_then(|mapped| mapped.get(*file));
    let are_all_mapped = slots.files.iter().all(|file| of_file(file).is_some());
    let of_files: BTreeSet<&str> = slots.files.iter().filter_map(of_file).flatten().copied().collect();
    for (path, from) in entries(receipt, "testsSlice") {
        let message = match &mapped {
            _ if from == source::TESTS && !slots.files.iter().any(|file| may_test(path, file)) => {
                "the receipt says that it is derived, and it can be no test of the files".to_owned()
            }
            Some(_) if from == source::TESTS && are_all_mapped => {
                format!("the receipt says that it is derived, and {TEST_MAP} has tests of every file")
            }
            Some(_) if from == source::TEST_MAP && !of_files.contains(path) => {
                format!("the receipt says that it is from {TEST_MAP}, which has it for none of the files")
            }
            _ => continue,
        };
        found.add(rule::TESTS, &format!("testsSlice: {path}"), message);
    }
}

/// What a receipt says of a slot: names with where they are from.
fn entries<'a>(receipt: &'a Json, slot: &str) -> Vec<(&'a str, &'a str)> {
    let slots = receipt.get("slots").map(Json::items).unwrap_or_default();
    let of_slot = slots.iter().find(|known| known.get("slot").and_then(Json::text) == Some(slot));
    let list = of_slot.and_then(|slot| slot.get("entries")).map(Json::items).unwrap_or_default();
    list.iter().filter_map(|entry| Some((entry.get("name")?.text()?, entry.get("source")?.text()?))).collect()
}
