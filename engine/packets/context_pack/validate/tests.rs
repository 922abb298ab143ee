//! Packs that break a rule which the form's own validator does not have; the others stand in `tests/openclaw/verdicts.txt`.

use super::validate;
use crate::validate::{edited, told};

const PACK: &str = r#"{
  "schema": "openclaw-mem.context-pack.v1",
  "meta": {"ts": "", "query": "fix A", "scope": null, "budgetTokens": 60, "maxItems": 3, "packId": "00000000000000000000000000000000"},
  "bundle_text": "Only words point here.\n- [x/a.go#A] func A()\n- [b.go:3-4] defines B\n- [branch:main] Branch: main\n",
  "items": [
    {"recordRef": "x/a.go#A", "layer": "L1", "type": "code", "importance": "must_remember", "trust": "unknown", "text": "func A()",
     "citations": {"url": "x/a.go#L3-L9", "recordRef": "x/a.go#A"}},
    {"recordRef": "b.go:3-4", "layer": "L0", "type": "code", "importance": "nice_to_have", "trust": "trusted", "text": "defines B",
     "citations": {"url": "b.go", "recordRef": "b.go:3-4"}},
    {"recordRef": "branch:main", "layer": "L0", "type": "branch", "importance": "ignore", "trust": "unknown", "text": "Branch: main",
     "citations": {"url": null, "recordRef": "branch:main"}}
  ],
  "notes": {"how_to_use": [], "certainty": "weak"}
}
"#;
const ID: &[&str] = &["meta", "packId"];

#[test]
fn each_rule_has_a_pack_that_breaks_it() {
    let reference = |path: &str| {
        let pack = PACK.replace("b.go:3-4", path);
        told(&validate(&edited(&pack, "", "", Some(ID))))
    };
    let cases: &[(&str, &str, &[&str])] = &[
        ("", "", &[]),
        ("func A()\",", "func Z()\",", &["bundle-agrees at items[0]", "bundle-agrees at bundle_text"]),
        ("] func A()\\n", "] func Z()\\n", &["bundle-agrees at items[0]", "bundle-agrees at bundle_text"]),
        ("- [b.go:3-4] defines B\\n", "", &["bundle-agrees at items[1]"]),
        ("Branch: main\\n", "Branch: main\\n- [c.go] C\\n", &["bundle-agrees at bundle_text"]),
        ("Branch: main\\n", "Branch: main", &[]),
        ("\"x/a.go#L3-L9\"", "\"/etc/passwd#L3-L9\"", &["path at items[0].citations.url"]),
        ("\"x/a.go#L3-L9\"", "\"x/../../a.go\"", &["path at items[0].citations.url"]),
        ("\"x/a.go#L3-L9\"", "\"https://example.org/a\"", &[]),
        ("\"recordRef\": \"x/a.go#A\"}}", "\"recordRef\": \"b.go\"}}", &["citation at items[0].citations.recordRef"]),
        ("\"L1\"", "1", &["item-value at items[0].layer"]),
        ("\"must_remember\"", "\"vital\"", &["item-value at items[0].importance"]),
        ("\"trusted\"", "\"tracked\"", &["item-value at items[1].trust"]),
    ];
    for (from, to, rules) in cases {
        assert_eq!(told(&validate(&edited(PACK, from, to, Some(ID)))), *rules, "{from:?} -> {to:?}");
    }
    for path in ["/etc/passwd", "../b.go:3-4", "x/../../b.go", ".git/config"] {
        assert_eq!(reference(path), ["path at items[1].recordRef"], "{path}");
    }
    for path in ["b.go", "b.go:3", "a b/c.go:1-2", "commit:../x", "a..b.go"] {
        assert_eq!(reference(path), [""; 0], "{path}");
    }
}

#[test]
fn an_id_that_is_a_hash_is_that_of_the_content() {
    assert_eq!(told(&validate(PACK)), ["pack-id at meta.packId"]);
    let pack = edited(PACK, "", "", Some(ID));
    assert_eq!(told(&validate(&edited(&pack, "fix A", "fix B", None))), ["pack-id at meta.packId"]);
    // Others name their packs as they like; one that shows that it is ours keeps its id.
    let note =
        "[\"For the text behind an item with a url, as long as its file is there: activate packet read PACK_ID RECORD_REF.\"]";
    for (from, to) in [
        ("", ""),
        ("\"scope\"", "\"aim\": {\"certainty\": \"weak\"}, \"scope\""),
        ("\"how_to_use\": []", &format!("\"how_to_use\": {note}")),
    ] {
        let pack = edited(PACK, from, to, Some(ID));
        assert_eq!(told(&validate(&pack)), [""; 0], "{to}");
        let rules: &[&str] = if from.is_empty() { &[] } else { &["pack-id at meta.packId"] };
        let (at, _) = pack.match_indices(", \"packId\"").next().expect("an id");
        let id = &pack[at..at + ", \"packId\": \"\"".len() + 32];
        for other in ["", ", \"packId\": \"mine\"", ", \"packId\": null", ", \"packId\": \"\""] {
            assert_eq!(told(&validate(&pack.replace(id, other))), *rules, "{to} {other}");
        }
    }
}
