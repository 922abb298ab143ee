//! A receipt for each rule that breaks this rule and no other.

use super::validate;
use crate::validate::{edited, told};

const RECEIPT: &str = r#"{
  "kind": "openclaw-mem.pack.trace.v1", "ts": "", "version": {"openclaw_mem": "activate 9"}, "query": {}, "budgets": {"maxItems": 40}, "lanes": [],
  "candidates": [
    {"id": "x/a.go#A", "layer": "L2", "importance": "must_remember", "trust": "unknown",
     "scores": {"rrf": 0, "fts": 0, "semantic": 0, "activation": 27.394},
     "decision": {"included": true, "reason": ["code", "hot"], "rationale": ["named in the intent"], "caps": {}},
     "citations": {"url": null, "recordRef": "x/a.go#A"}},
    {"id": "b.go:3-4", "layer": "L0", "importance": "nice_to_have", "trust": "untrusted",
     "scores": {"rrf": 0, "fts": 0, "semantic": 0, "activation": 0},
     "decision": {"included": false, "reason": ["code", "warm", "max-items"], "rationale": [], "caps": {}},
     "citations": {"url": null, "recordRef": "b.go:3-4"}}
  ],
  "output": {"includedCount": 1, "excludedCount": 1, "l2IncludedCount": 1, "citationsCount": 1, "refreshedRecordRefs": [],
    "coverage": {"rationaleMissingCount": 0, "citationMissingCount": 0, "allIncludedHaveRationale": true, "allIncludedHaveCitations": true}},
  "timing": {},
  "extensions": {"activate": {"receipt_id": "00000000000000000000000000000000", "packet": "manifest", "pack_id": "0123456789abcdef0123456789abcdef", "by_lane": {"hot": 1, "warm": 1, "cold": 7},
    "by_trust": {"unknown": 1}, "by_importance": {"must_remember": 1}, "by_limit": {"max-items": 1}, "fail_open": [], "redactions": {"jwt": 2}, "more": 1}}
}
"#;

const ID: &[&str] = &["extensions", "activate", "receipt_id"];

#[test]
fn each_rule_has_a_receipt_that_breaks_it() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("", "", &[]),
        ("trace.v1", "trace.v2", &["kind at kind"]),
        ("\"lanes\": [],", "", &["missing-field at the receipt"]),
        ("\"more\": 1", "\"decisions\": [{\"key\": \"a\", \"says\": \"b.\"}]", &[]),
        (
            "\"more\": 1",
            "\"decisions\": [{\"key\": \"a\"}]",
            &["missing-field at extensions.activate.decisions[0]", "decision at extensions.activate.decisions[0]"],
        ),
        ("\"ts\"", "\"text\": \"x\", \"ts\"", &["content at the receipt.text"]),
        ("\"layer\": \"L0\"", "\"content\": \"x\", \"layer\": \"L0\"", &["content at candidates[1].content"]),
        ("{\"id\": \"b.go", "7, {\"id\": \"b.go", &["candidate-object at candidates[1]"]),
        ("\"id\": \"b.go:3-4\"", "\"id\": \"\"", &["id at candidates[1].id"]),
        ("\"id\": \"b.go:3-4\"", "\"id\": \"x/a.go#A\"", &["id-twice at candidates[1].id"]),
        ("\"id\": \"b.go:3-4\"", "\"id\": \"/etc/passwd:3-4\"", &["path at candidates[1].id"]),
        ("\"id\": \"b.go:3-4\"", "\"id\": \"../b.go#B\"", &["path at candidates[1].id"]),
        ("\"L0\"", "\"L9\"", &["layer at candidates[1].layer"]),
        ("\"nice_to_have\"", "7", &["importance at candidates[1].importance"]),
        ("\"untrusted\"", "\"tracked\"", &["trust at candidates[1].trust"]),
        ("27.394", "\"27\"", &["scores at candidates[0].scores.activation"]),
        ("\"fts\": 0,", "", &["missing-field at candidates[0].scores"]),
        (
            "[\"code\", \"warm\", \"max-items\"]",
            "[]",
            &["limit at candidates[1].decision.reason", "count at extensions.activate.by_limit"],
        ),
        ("\"recordRef\": \"x/a.go#A\"}", "\"recordRef\": \"c.go\"}", &["citation at candidates[0].citations.recordRef"]),
        (
            "\"recordRef\": \"x/a.go#A\"}",
            "\"recordRef\": \"\"}",
            &[
                "citation at candidates[0].citations.recordRef",
                "count at output.citationsCount",
                "coverage at output.coverage.citationMissingCount",
                "coverage at output.coverage.allIncludedHaveCitations",
            ],
        ),
        (
            "[\"named in the intent\"]",
            "[\"\"]",
            &[
                "rationale at candidates[0].decision.rationale",
                "coverage at output.coverage.rationaleMissingCount",
                "coverage at output.coverage.allIncludedHaveRationale",
            ],
        ),
        ("\"includedCount\": 1", "\"includedCount\": 9", &["count at output.includedCount"]),
        ("\"excludedCount\": 1", "\"excludedCount\": 9", &["count at output.excludedCount"]),
        ("\"l2IncludedCount\": 1", "\"l2IncludedCount\": 777", &["count at output.l2IncludedCount"]),
        ("\"citationsCount\": 1", "\"citationsCount\": 0", &["count at output.citationsCount"]),
        ("\"citationMissingCount\": 0", "\"citationMissingCount\": 9", &["coverage at output.coverage.citationMissingCount"]),
        (
            "\"allIncludedHaveRationale\": true",
            "\"allIncludedHaveRationale\": 1",
            &["coverage at output.coverage.allIncludedHaveRationale"],
        ),
        ("0123456789abcdef0123", "", &["pack-id at extensions.activate.pack_id"]),
        ("\"hot\": 1", "\"hot\": 999", &["count at extensions.activate.by_lane.hot"]),
        ("\"cold\": 7", "\"cold\": -1", &["count at extensions.activate.by_lane.cold"]),
        ("{\"unknown\": 1}", "{\"unknown\": 1, \"trusted\": 3}", &["count at extensions.activate.by_trust"]),
        ("{\"must_remember\": 1}", "{}", &["count at extensions.activate.by_importance.must_remember"]),
        ("{\"max-items\": 1}", "{\"max-items\": 2}", &["count at extensions.activate.by_limit.max-items"]),
        ("{\"jwt\": 2}", "[\"jwt\"]", &["redactions at extensions.activate.redactions"]),
    ];
    for (from, to, rules) in cases {
        assert_eq!(told(&validate(&edited(RECEIPT, from, to, Some(ID)))), *rules, "{from:?} -> {to:?}");
    }
    let undecided = told(&validate(&edited(RECEIPT, "\"included\": false", "\"included\": 0", Some(ID))));
    assert_eq!(undecided[0], "included at candidates[1].decision.included");
    // Receipts of others have none of what only ours say; who wrote it is said by its version.
    let at = RECEIPT.find(",\n  \"extensions\"").expect("what is ours");
    let bare = format!("{}}}", &RECEIPT[..at]);
    assert_eq!(told(&validate(&edited(&bare, "activate 9", "openclaw-mem 2", None))), [""; 0]);
    let rules = told(&validate(&bare));
    assert!(rules.contains(&"receipt-id at extensions.activate.receipt_id".to_owned()), "{rules:?}");
}

#[test]
fn an_id_is_the_hash_of_the_whole_receipt() {
    const RULE: [&str; 1] = ["receipt-id at extensions.activate.receipt_id"];
    let receipt = edited(RECEIPT, "", "", Some(ID));
    assert_eq!(told(&validate(&receipt)), [""; 0]);
    let numbers = [
        ("\"maxItems\": 40", "\"maxItems\": 41"),
        ("{\"jwt\": 2}", "{\"jwt\": 0}"),
        ("{\"jwt\": 2}", "{}"),
        ("\"cold\": 7", "\"cold\": 8"),
    ];
    for (from, to) in
        numbers.into_iter().chain([("27.394", "27.395"), ("named in the intent", "named"), ("\"more\": 1", "\"less\": 1")])
    {
        assert_eq!(told(&validate(&edited(&receipt, from, to, None))), RULE, "{from:?} -> {to:?}");
    }
    for id in ["", "x", "0123456789abcdef0123456789abcdef"] {
        assert_eq!(told(&validate(&edited(RECEIPT, "00000000000000000000000000000000", id, None))), RULE, "{id}");
    }
    assert_eq!(told(&validate(RECEIPT)), RULE, "zeros are no hash");
}
