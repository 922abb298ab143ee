//! A receipt for each rule that breaks this rule and no other.

use super::validate;
use crate::kinds::kind_of;
use crate::validate::{edited, told};
use crate::worker::SLOTS;

const ID: &[&str] = &["receiptId"];

fn receipt() -> String {
    let slot = |name: &&str| {
        format!(
            "{{\"slot\": \"{name}\", \"entries\": [{{\"name\": \"x/{name}.go\", \"source\": \"task\"}}], \"nEntriesCut\": 0, \"nLinesCut\": 0, \"notes\": []}}"
        )
    };
    let slots: Vec<String> = SLOTS.iter().map(slot).collect();
    let slots = slots.join(",\n");
    format!(
        "{{\"schema\": \"activate.worker-receipt.v1\", \"receiptId\": \"00000000000000000000000000000000\", \"task\": \"T1\", \"slots\": [{slots}], \"redactions\": {{\"jwt\": 1}}, \"more\": 1}}"
    )
}

#[test]
fn each_rule_has_a_receipt_that_breaks_it() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("", "", &[]),
        ("receipt.v1", "receipt.v2", &["schema at schema"]),
        ("\"task\": \"T1\", ", "", &["missing-field at the receipt", "task at task"]),
        ("\"T1\"", "\"\"", &["task at task"]),
        ("{\"slot\": \"files\"", "7, {\"slot\": \"files\"", &["slot-object at slots[0]"]),
        ("\"slot\": \"boundaries\"", "\"slot\": \"bounds\"", &["ten-slots at slots"]),
        ("\"nEntriesCut\": 0, ", "", &["missing-field at slots[0]"]),
        ("\"nEntriesCut\": 0", "\"nEntriesCut\": -1", &["count at slots[0].nEntriesCut"]),
        ("\"notes\": []", "\"notes\": [1]", &["notes at slots[0].notes"]),
        ("\"notes\": []", "\"notes\": [], \"content\": \"x\"", &["content at slots[0].content"]),
        ("\"source\": \"task\"", "\"source\": \"task\", \"text\": \"x\"", &["content at slots[0].entries[0].text"]),
        ("\"source\": \"task\"", "\"source\": \"rumour\"", &["source at slots[0].entries[0].source"]),
        ("{\"name\": \"x/files.go\"", "7, {\"name\": \"x/files.go\"", &["entry-object at slots[0].entries[0]"]),
        ("\"x/files.go\"", "\"\"", &["name at slots[0].entries[0].name"]),
        ("\"x/files.go\"", "\"/etc/passwd\"", &["path at slots[0].entries[0].name"]),
        ("\"x/testsSlice.go\"", "\"../a_test.go\"", &["path at slots[5].entries[0].name"]),
        ("\"x/boundaries.go\"", "\"../a module\"", &[]),
        ("\"jwt\": 1", "\"jwt\": \"x\"", &["redactions at redactions"]),
        ("\"more\": 1", "\"decisions\": [{\"key\": \"a\", \"says\": \"b.\"}]", &[]),
        ("\"more\": 1", "\"decisions\": 1", &["decisions-array at decisions"]),
        ("\"more\": 1", "\"decisions\": [1]", &["decision-object at decisions[0]"]),
        ("\"more\": 1", "\"decisions\": [{\"key\": \"a\", \"says\": \"\"}]", &["decision at decisions[0]"]),
    ];
    for (from, to, rules) in cases {
        let text = edited(&receipt(), from, to, Some(ID));
        assert_eq!(kind_of(&text).map(|kind| kind.name), Some("worker-receipt"));
        assert_eq!(told(&validate(&text)), *rules, "{from:?} -> {to:?}");
    }
    let twice = edited(&receipt(), "\"slot\": \"filesContent\"", "\"slot\": \"files\"", Some(ID));
    assert_eq!(told(&validate(&twice)), ["ten-slots at slots"]);
    let whole = edited(&receipt(), "", "", Some(ID));
    for (from, to) in
        [("\"jwt\": 1", "\"jwt\": 2"), ("\"jwt\": 1", ""), ("\"nLinesCut\": 0", "\"nLinesCut\": 9"), ("\"T1\"", "\"T2\"")]
    {
        assert_eq!(told(&validate(&edited(&whole, from, to, None))), ["receipt-id at receiptId"], "{from:?} -> {to:?}");
    }
    assert_eq!(told(&validate(&receipt())), ["receipt-id at receiptId"]);
}
