//! Every JSON that a command about packets or code prints or writes is as the committed schema of its form says, and each schema is of something.

use crate::cli::{Scratch, command, ended};
use crate::replay::{Replayed, corpus};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Schemas of what other commands print or read, which their own tests look after.
const OF_OTHERS: [&str; 4] = ["checks", "eval", "session-file", "session-state"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/packets/schema")
}

/// A repository, a folder for what is written, and the schemas that something was held against.
struct Held {
    scratch: Scratch,
    replayed: Replayed,
    seen: BTreeSet<String>,
}

impl Held {
    /// Runs a command and holds what it prints against a schema, and the receipt against another, if it writes one.
    fn holds(&mut self, schema: &str, receipt: Option<&str>, code: i32, arguments: &[&str]) -> Value {
        let path = self.scratch.0.join("receipt.json");
        let mut command = command(arguments);
        command.arg("--repo").arg(self.replayed.path()).args(["--no-cache", "--quiet"]);
        if arguments[0] != "packet" || ["expand", "trim", "rebuild"].contains(&arguments[1]) {
            command.arg("--state").arg(self.scratch.0.join("state"));
        }
        if receipt.is_some() {
            command.arg("--receipt").arg(&path);
        }
        let ended = ended(&mut command);
        assert_eq!(ended.code, code, "{arguments:?}: {}", ended.stderr);
        if let Some(receipt) = receipt {
            self.is_valid(receipt, &fs::read_to_string(&path).expect("a receipt"), arguments);
        }
        self.is_valid(schema, &ended.stdout, arguments)
    }

    fn is_valid(&mut self, schema: &str, text: &str, what: &[&str]) -> Value {
        let value: Value = serde_json::from_str(text).expect("JSON");
        let file = fs::read_to_string(folder().join(format!("{schema}.schema.json"))).expect("a schema");
        let validator = jsonschema::validator_for(&serde_json::from_str(&file).expect("JSON")).expect("a schema");
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert_eq!(errors, [""; 0], "{schema}: {what:?}");
        // A field that the schema does not know would be let through.
        let known = serde_json::from_str::<Value>(&file).expect("JSON");
        let fields = |value: &Value| value.as_object().map(|object| object.keys().cloned().collect::<BTreeSet<String>>());
        let (has, may) = (fields(&value).expect("an object"), fields(&known["properties"]).expect("properties"));
        assert!(has.is_subset(&may), "{schema}: {has:?} {may:?}");
        self.seen.insert(schema.to_owned());
        value
    }
}

#[test]
fn every_answer_and_receipt_is_as_its_schema_says() {
    let mut held = Held { scratch: Scratch::new(), replayed: Replayed::new("auth-go"), seen: BTreeSet::new() };
    for intent in ["fix ValidateToken", "zzzqqq"] {
        for (kind, schema) in
            [("session", "session"), ("context-pack", "context-pack"), ("manifest", "pack"), ("hydrated", "pack")]
        {
            let code = if intent == "zzzqqq" { 3 } else { 0 };
            let pins = ["--pin", "go.mod", "--task-id", "T", "--run-id", "R", "--scope", "auth", "--format", "json"];
            held.holds(schema, Some("receipt"), code, &[&["--intent", intent, "--packet", kind][..], &pins].concat());
        }
    }
    let pack = held.holds("pack", None, 0, &["--intent", "fix ValidateToken", "--packet", "manifest"]);
    let id = pack["pack_id"].as_str().expect("an id");
    held.holds("pack", None, 0, &["packet", "expand", id, "--depth", "3"]);
    held.holds("pack", None, 0, &["packet", "trim", id, "--max-files", "1"]);
    held.holds("pack", None, 0, &["packet", "rebuild", id]);

    let task = r#"{"id": "T02", "filesModified": ["internal/auth/middleware.go"], "acceptanceCriteria": ["AC-3"], "tddMode": "hard", "riskTier": "low"}"#;
    let (task, packet) = (held.scratch.file("task.json", task.as_bytes()), held.scratch.0.join("packet.json"));
    let (plan, ledger) = (corpus().join("auth-go.plan"), held.scratch.0.join("ledger.jsonl"));
    let [task, plan, packet, ledger] = [&task, &plan, &packet, &ledger].map(|path| path.to_str().expect("a path"));
    held.holds("worker", Some("worker-receipt"), 0, &["packet", "worker", "--task", task]);
    let worker = held.holds("worker", Some("worker-receipt"), 0, &["packet", "worker", "--task", task, "--plan", plan]);
    fs::write(packet, worker.to_string()).expect("written");
    for (path, code) in [
        ("internal/auth/claims.go", 0),
        ("internal/auth/middleware.go", 0),
        ("internal/billing/report.go", 10),
        ("none.go", 10),
        ("../x", 10),
    ] {
        held.holds("worker-permit", None, code, &["packet", "permit", "--packet", packet, "--path", path, "--ledger", ledger]);
    }

    let new =
        ["packet", "phase", "new", "--task-id", "T", "--title", "a", "--description", "b", "--feature", "c", "--format", "json"];
    held.holds("phase", Some("receipt"), 0, &new);
    let given = ["--test-type", "both", "--subtask-id", "T.1", "--now", "2026-02-25T00:00:00Z"];
    held.holds("phase", Some("receipt"), 0, &[&new[..], &given].concat());

    held.holds("question", None, 0, &["callers", "login.go#ValidateToken", "--format", "json"]);
    held.holds("question", None, 0, &["impact", "--diff", "HEAD~1..HEAD", "--format", "json", "--limit", "1"]);

    let names = fs::read_dir(folder()).expect("the schemas").flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let schemas: BTreeSet<String> = names.filter_map(|name| name.strip_suffix(".schema.json").map(str::to_owned)).collect();
    let others = OF_OTHERS.map(str::to_owned);
    assert_eq!(schemas, held.seen.into_iter().chain(others).collect(), "a schema that no answer was held against");
}
