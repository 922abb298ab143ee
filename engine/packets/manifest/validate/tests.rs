//! A pack for each rule that breaks this rule and no other.

use super::validate;
use crate::validate::{edited, told};

const PACK: &str = r#"{
  "schema": "activate.pack.v1", "pack_id": "00000000000000000000000000000000",
  "task_id": null, "run_id": null, "mode": "hydrated", "intent": "fix A", "pinned_sources": ["b.go"],
  "file_entries": [
    {"path": "b.go", "why": "named by the caller", "range": [0, 0], "hash": "00000000000000000000000000000001",
     "score": null, "tier": "pinned", "trust": "tracked", "tokens": 0, "text": ""},
    {"path": "x/a.go", "why": "named in the intent", "range": [3, 9], "hash": "00000000000000000000000000000002",
     "score": 27.394, "tier": "hot", "trust": "untracked", "tokens": 2, "text": "hello world"}
  ],
  "signals": {"failing_tests": [], "logs": ["error:a.go:1:x"], "diff_summary": [], "recent_commits": [], "n_left_out": 0},
  "budgets": {"max_files": 2, "max_lines": 7, "depth": 2, "topk": 20, "max_tokens": 900},
  "used": {"files": 2, "lines": 7, "tokens": 2, "n_left_out": 0},
  "redaction_stats": {"jwt": 1}, "problems": [], "more": 1
}
"#;
const ID: &[&str] = &["pack_id"];

#[test]
fn each_rule_has_a_pack_that_breaks_it() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("", "", &[]),
        // Fields that are not known are allowed.
        ("\"tier\": \"hot\"", "\"certainty\": \"weak\", \"tier\": \"hot\"", &[]),
        ("activate.pack.v1", "activate.pack.v2", &["schema at schema"]),
        ("\"run_id\": null,", "", &["missing-field at the pack"]),
        ("\"why\": \"named in the intent\",", "", &["missing-field at file_entries[1]", "why at file_entries[1].why"]),
        ("\"hydrated\"", "\"whole\"", &["mode at mode", "text at file_entries[0].text", "text at file_entries[1].text"]),
        ("\"fix A\"", "7", &["intent at intent"]),
        ("{\"path\": \"b.go\"", "1, {\"path\": \"b.go\"", &["entry-object at file_entries[0]"]),
        ("x/a.go", "/etc/passwd", &["path at file_entries[1].path"]),
        ("x/a.go", "../a.go", &["path at file_entries[1].path"]),
        ("x/a.go", "x/./a.go", &["path at file_entries[1].path"]),
        ("x/a.go", ".git/config", &["path at file_entries[1].path"]),
        ("x/a.go", "", &["path at file_entries[1].path"]),
        ("named in the intent", "", &["why at file_entries[1].why"]),
        ("00000002", "0000000x", &["hash at file_entries[1].hash"]),
        ("27.394", "\"27\"", &["score at file_entries[1].score"]),
        ("\"hot\"", "\"boiling\"", &["tier at file_entries[1].tier"]),
        ("\"untracked\"", "\"zz\"", &["trust at file_entries[1].trust"]),
        ("[3, 9]", "[9, 3]", &["range at file_entries[1].range", "used at used.lines"]),
        ("[3, 9]", "[1, 18446744073709551615]", &["range at file_entries[1].range", "used at used.lines"]),
        ("[3, 9]", "[1, 4294967295]", &["over-budget at budgets.max_lines", "used at used.lines"]),
        (
            "\"tokens\": 2, \"text\"",
            "\"tokens\": 18446744073709551615, \"text\"",
            &["tokens at file_entries[1].tokens", "used at used.tokens"],
        ),
        ("\"tokens\": 2, \"text\"", "\"tokens\": 3, \"text\"", &["tokens at file_entries[1].tokens", "used at used.tokens"]),
        (", \"text\": \"hello world\"", "", &["text at file_entries[1].text"]),
        ("\"logs\": [", "\"logs\": [1, ", &["signals at signals.logs"]),
        ("\"max_files\": 2", "\"max_files\": 1", &["over-budget at budgets.max_files"]),
        ("\"max_lines\": 7", "\"max_lines\": 6", &["over-budget at budgets.max_lines"]),
        ("\"max_tokens\": 900", "\"max_tokens\": 90", &["over-budget at budgets.max_tokens"]),
        ("\"max_tokens\": 900", "\"max_tokens\": null", &["budget at budgets.max_tokens"]),
        ("\"topk\": 20", "\"topk\": \"20\"", &["budget at budgets.topk"]),
        ("\"files\": 2, \"lines\"", "\"files\": 99, \"lines\"", &["used at used.files"]),
        ("\"lines\": 7, \"tokens\"", "\"lines\": 1, \"tokens\"", &["used at used.lines"]),
        ("\"tokens\": 2, \"n_left", "\"tokens\": 99, \"n_left", &["used at used.tokens"]),
        ("\"jwt\": 1", "\"jwt\": \"1\"", &["redaction-stats at redaction_stats"]),
        ("\"pinned\"", "\"hot\"", &["pins at pinned_sources"]),
    ];
    for (from, to, rules) in cases {
        assert_eq!(told(&validate(&edited(PACK, from, to, Some(ID)))), *rules, "{from:?} -> {to:?}");
    }
    let entry = &PACK[PACK.find("{\"path\": \"x").expect("an entry")..PACK.find("\n  ],").expect("the end of the entries")];
    let twice = edited(PACK, entry, &format!("{entry}, {entry}"), Some(ID));
    let rules =
        ["entry-twice at file_entries[2]", "over-budget at budgets.max_lines", "used at used.lines", "used at used.tokens"];
    assert_eq!(told(&validate(&twice)), rules);
}

#[test]
fn an_id_is_the_hash_of_the_content_however_it_is_spaced() {
    let pack = edited(PACK, "", "", Some(ID));
    let spaced = pack.replace(": ", " :  ").replace('\n', "\r\n");
    for text in [&pack, &spaced, &format!("\u{feff}{pack}")] {
        assert_eq!(told(&validate(text)), [""; 0]);
        for (from, to) in [("fix A", "fix B"), ("[3", "[4"), ("\"more\"", "\"less\""), ("error:a.go", "error:b.go")] {
            assert!(told(&validate(&edited(text, from, to, None))).contains(&"pack-id at pack_id".to_owned()), "{from}");
        }
    }
    assert_eq!(told(&validate(PACK)), ["pack-id at pack_id"]);
    assert_eq!(told(&validate(&PACK.replace("00000000000000000000000000000000", "x"))), ["pack-id at pack_id"]);
}

#[test]
fn a_pack_that_either_tokenizer_finds_small_enough_is() {
    // What the two count differently, as long as that makes a difference.
    let word = "\u{0938}\u{0902}\u{0938}\u{094d}\u{0915}\u{0943}\u{0924} ".repeat(100);
    let pack = edited(PACK, "fix A", &word, Some(ID));
    let mut counts = crate::validate::n_tokens(&pack);
    counts.sort_unstable();
    let [fewer, more] = counts;
    assert!(fewer + 9 < more, "{fewer} {more}");
    let most = |n: u64| edited(&pack, "\"max_tokens\": 900", &format!("\"max_tokens\": {n}"), Some(ID));
    assert_eq!(told(&validate(&most(fewer + 5))), [""; 0]);
    assert_eq!(told(&validate(&most(fewer - 9))), ["over-budget at budgets.max_tokens"]);
}
