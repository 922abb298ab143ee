//! Every tool under any arguments: an answer that is bounded and fits its schema, or an error that names what is wrong.

use super::Bench;
use cli::mcp::{TOOLS, Tool, Toolbox};
use engine::{CacheChoice, Engine, Options};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use std::fs;

/// The most characters of an answer where nobody names a budget.
const MAX_CHARS: usize = 24_000;
/// The longest error: what is repeated of an argument is cut.
const MAX_ERROR: usize = 2_000;

fn toolbox(bench: &Bench) -> Toolbox {
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(bench.repository.path(), options).expect("a repository");
    Toolbox::new(engine, bench.scratch.0.join("state"))
}

/// A repository with what is long in every way.
fn long() -> Bench {
    let bench = Bench::new();
    let line = |number: usize| format!("needle {number} \"{}\" \\ \t\u{202e}é\n", "long ".repeat(number % 120));
    let lines = (0..4_000).map(line).collect::<Vec<_>>().concat();
    for name in ["long.txt", "internal/auth/long.go"] {
        fs::write(bench.repository.path().join(name), format!("package auth\n// {lines}")).expect("written");
    }
    fs::write(bench.repository.path().join("one_line.txt"), "needle ".repeat(100_000)).expect("written");
    for number in 0..300 {
        let name = format!("many/{}{number}.go", "a".repeat(150));
        fs::create_dir_all(bench.repository.path().join("many")).expect("a folder");
        fs::write(
            bench.repository.path().join(name),
            format!("package many\n\n// Needle{number} is one.\nfunc Needle{number}() {{}}\n"),
        )
        .expect("written");
    }
    bench
}

fn check(tool: &Tool, arguments: &Map<String, Value>, toolbox: &Toolbox) {
    let shown = || {
        let text = Value::Object(arguments.clone()).to_string();
        format!("{}: {}", tool.name, text.chars().take(400).collect::<String>())
    };
    match tool.call(toolbox, Value::Object(arguments.clone()), &|_| {}) {
        Ok(reply) => {
            let json = reply.structured.to_string();
            let has_budget = tool.name == "context" && arguments.get("budget").is_some_and(|budget| !budget.is_null());
            assert!(has_budget || json.chars().count() <= MAX_CHARS, "{} characters: {}", json.chars().count(), shown());
            let text = reply.text();
            assert!(!text.is_empty(), "{}", shown());
            assert!(!text.contains(['\u{202e}', '\u{1b}', '\u{0}']), "{}", shown());
            assert_eq!(text.matches("\n[data ").count(), text.matches("\n[end ").count(), "{}", shown());
            let schema = jsonschema::validator_for(&Value::Object(tool.output())).expect("a schema");
            assert!(
                schema.is_valid(&reply.structured),
                "{}: {:?}",
                shown(),
                schema.validate(&reply.structured).err().map(|e| e.to_string())
            );
        }
        Err(error) => {
            assert!(error.message.chars().count() <= MAX_ERROR, "{}: {}", shown(), error.message);
            assert!(!error.message.contains(['\u{202e}', '\u{1b}', '\u{0}']), "{}: {:?}", shown(), error.message);
        }
    }
}

/// Values as models give them, and as nobody should.
fn value(id: String) -> impl Strategy<Value = Value> {
    let texts = vec![
        "needle",
        "fix Needle7",
        "internal/auth/login.go",
        "long.txt",
        "one_line.txt",
        "../../etc/passwd",
        "/etc/passwd",
        ".git/HEAD",
        "a\u{0}b",
        "\u{202e}\u{1b}[31m",
        "",
        "**/*.go",
        "[",
        "{a,b",
        "1:4",
        "5:1",
        "0:0",
        "HEAD",
        "--output=x",
        "HEAD~99999999999",
        "repo",
        "pack",
        "session",
        "manifest",
        "hydrated",
        "context-pack",
        "tests",
        "diagnostics",
        "1-0",
        "x: error: y",
        "callers",
        "impact",
        "many",
    ];
    prop_oneof![
        4 => Just(Value::from(id)),
        6 => prop::sample::select(texts).prop_map(Value::from),
        2 => any::<i64>().prop_map(Value::from),
        2 => (0..400_u32).prop_map(Value::from),
        1 => any::<f64>().prop_map(|number| json!(number)),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!([["x"], {"a": {"b": []}}])),
        1 => (1..40_usize).prop_map(|n| Value::from("é\u{202e}".repeat(n * 5_000))),
        1 => prop::collection::vec(any::<char>(), 0..40).prop_map(|chars| Value::from(chars.into_iter().collect::<String>())),
        1 => Just(json!(["internal/auth/login.go", "../x"])),
    ]
}

#[test]
fn no_arguments_make_a_tool_say_too_much_or_break() {
    let bench = long();
    let toolbox = toolbox(&bench);
    let context = Tool::named("context").expect("a tool");
    let intent = json!({ "intent": "fix Needle7 and needle in internal/auth/long.go", "kind": "hydrated", "budget": 20_000 });
    let made = context.call(&toolbox, intent, &|_| {}).expect("a packet");
    let id = made.structured["pack_id"].as_str().expect("an id").to_owned();
    for tool in &TOOLS {
        let needed = json!({ "pack_id": id, "intent": "fix needle", "path": "internal/auth/long.go", "target": "Needle7", "query": "needle", "question": "find", "name": "many" });
        let fields = tool.input()["properties"].as_object().expect("fields").clone();
        let of_tool = |(name, value): (&String, &Value)| fields.contains_key(name).then(|| (name.clone(), value.clone()));
        let mut good: Map<String, Value> = needed.as_object().expect("fields").iter().filter_map(of_tool).collect();
        if tool.name == "explain" {
            good.remove("intent");
        }
        let mut wide = good.clone();
        for (name, value) in [
            ("scope", json!("repo")),
            ("top_k", json!(200)),
            ("tail", json!(2_000)),
            ("n", json!(200)),
            ("kind", json!("manifest")),
            ("question", json!("outline")),
            ("limit", json!(1_000)),
        ] {
            wide.extend(fields.contains_key(name).then(|| (name.to_owned(), value)));
        }
        for arguments in [&good, &wide] {
            assert!(tool.call(&toolbox, Value::Object(arguments.clone()), &|_| {}).is_ok(), "{}", tool.name);
            check(tool, arguments, &toolbox);
        }
        let names: Vec<String> = fields.keys().cloned().chain(["repo".to_owned(), "\u{202e}x".to_owned()]).collect();
        let changed = prop::collection::vec((prop::sample::select(names), value(id.clone())), 0..3);
        let mut runner = TestRunner::new(Config { cases: 48, failure_persistence: None, ..Config::default() });
        let run = runner.run(&changed, |changed| {
            let mut arguments = good.clone();
            arguments.extend(changed);
            check(tool, &arguments, &toolbox);
            Ok(())
        });
        run.unwrap_or_else(|error| panic!("{}: {error}", tool.name));
    }
}

#[test]
fn an_error_names_the_argument_and_the_next_step() {
    let bench = Bench::new();
    let toolbox = toolbox(&bench);
    for (tool, arguments, says) in [
        ("context", json!({}), "say what is to be done: `intent`"),
        ("context", json!({ "intent": 3 }), "`intent`: invalid type"),
        ("context", json!({ "intent": "x", "repo": "/etc" }), "unknown field `repo`"),
        ("context", json!({ "intent": "x", "budget": 0 }), "`budget` is 0; give 1 to 20000"),
        ("context", json!({ "intent": "x", "budget": "8 pages" }), "give a number of tokens"),
        ("context", json!({ "intent": "x", "paths": ["/etc"] }), "`paths`: an absolute path"),
        ("context", json!({ "intent": "x", "tests": "../log" }), "`tests`: a path with `..`"),
        ("context", json!({ "intent": "x", "diagnostics": "none.log" }), "`diagnostics`: `none.log` cannot be read"),
        ("context", json!({ "intent": "x", "since": "12345678" }), "`since`: no packet `12345678`"),
        (
            "context",
            json!({ "intent": "x", "since": "12345678", "kind": "manifest" }),
            "`since` goes with packets of kind `session`",
        ),
        ("read", json!({ "path": "a\u{0}b" }), "`path`: a path with a NUL byte"),
        ("read", json!({ "path": "go.mod", "lines": "9:1" }), "`lines` is not a range"),
        ("read", json!({ "path": "go.mod", "lines": "900" }), "lines: there is no line 900"),
        ("explain", json!({ "target": "x" }), "either as `intent` or as the `pack_id`"),
        ("ctx_stats", json!({ "pack_id": "12345678" }), "`pack_id`: no packet `12345678`"),
        ("ctx_stats", json!({ "pack_id": "../../x" }), "hexadecimal digits"),
    ] {
        let error = Tool::named(tool).expect("a tool").call(&toolbox, arguments.clone(), &|_| {}).expect_err("refused");
        assert!(error.message.contains(says), "{tool} {arguments}: {}", error.message);
    }
}

#[test]
fn the_whole_repository_and_a_change_are_asked_about_and_budgets_are_written_as_people_do() {
    let bench = Bench::new();
    let toolbox = toolbox(&bench);
    let call = |tool: &str, arguments: serde_json::Value| {
        let tool = Tool::named(tool).expect("a tool");
        tool.call(&toolbox, arguments, &|_| {}).expect("an answer").text().to_owned()
    };
    assert!(call("ask", json!({ "question": "cycles" })).contains("none found"));
    assert!(call("ask", json!({ "question": "unused" })).contains("are not looked at"));
    let patch = "--- a/internal/auth/login.go\n+++ b/internal/auth/login.go\n@@ -53,1 +53,1 @@\n-\tparts, err := jwt.Split(raw)\n\
                 +\tparts, err := jwt.Split(raw + \"\")\n";
    let impact = call("ask", json!({ "question": "impact", "name": patch }));
    assert!(impact.contains("internal/auth/login.go:37 ValidateToken"), "{impact}");
    assert_eq!(
        call("context", json!({ "intent": "fix parseToken", "budget": "1.5k" })),
        call("context", json!({ "intent": "fix parseToken", "budget": 1_500 }))
    );
}
