//! What a coding agent does in a day: asks, reads, edits, asks again, searches, compares, fails, asks why, and makes mistakes.

use super::{Agent, asked, run, serve};
use crate::cli::{Scratch, command, ended};
use crate::replay::Replayed;
use rmcp::ClientLifecycleMode;
use serde_json::{Value, json};
use std::fs;

const FILE: &str = "internal/auth/login.go";
const EDIT: &str = "\t// The agent was here.\n";

/// What `go test` says of a test that fails.
const FAILED: &str = "\
--- FAIL: TestValidateToken (0.00s)
    login_test.go:20: want an error, got none
FAIL
FAIL\texample.com/auth/internal/auth\t0.004s
FAIL
";

#[test]
fn an_agent_gets_through_its_day() {
    let (scratch, replayed) = (Scratch::new(), Replayed::new("auth-go"));
    let login = replayed.path().join(FILE);
    run(async {
        let server = serve(&scratch, replayed.path(), &["--toolset", "ctx"]);
        let agent = Agent::start((), server, ClientLifecycleMode::Initialize).await;
        let task = "fix ValidateToken in internal/auth";

        let first = agent.answer("context", json!({ "intent": task })).await;
        assert!(text(&first).contains("func ValidateToken("), "{first}");
        let pack = &first["pack_id"];
        let lines = agent.answer("read", json!({ "path": FILE, "lines": "30:49", "pack_id": pack })).await;
        assert!(text(&lines).contains("[data ") && text(&lines).contains("func ValidateToken("), "{lines}");
        let listed = agent.answer("ctx_list", json!({ "pack_id": pack })).await;
        assert!(text(&listed).contains(FILE), "{listed}");

        let code = fs::read_to_string(&login).expect("a file");
        let edited = code.replacen("(*Claims, error) {\n", &format!("(*Claims, error) {{\n{EDIT}"), 1);
        assert_ne!(code, edited);
        fs::write(&login, &edited).expect("a file");

        let again = agent.answer("context", json!({ "intent": task, "since": pack })).await;
        assert!(text(&again).contains(EDIT) && text(&again).contains(FILE), "{}", text(&again));
        assert_ne!(again["pack_id"], *pack);
        let stale = json!({ "path": FILE, "lines": "30:49", "pack_id": pack });
        let refused = agent.refusal("read", stale).await;
        assert!(refused.contains("changed since the pack was made") && refused.contains("`context`"), "{refused}");
        let fresh = agent.answer("read", json!({ "path": FILE, "lines": "30:49", "pack_id": again["pack_id"] })).await;
        assert!(text(&fresh).contains(EDIT), "{fresh}");

        let found = agent.answer("ctx_search", json!({ "pack_id": pack, "query": "parseToken(", "scope": "repo" })).await;
        assert!(text(&found).contains(&format!("{FILE}:")), "{found}");
        let diff = agent.answer("ctx_diff", json!({ "pack_id": pack, "ref": "HEAD" })).await;
        assert!(text(&diff).contains(&format!("+{EDIT}")), "{diff}");
        let log = agent.answer("ctx_gitlog", json!({ "pack_id": pack, "n": 3 })).await;
        assert!(text(&log).contains("[data "), "{log}");
        let stats = agent.answer("ctx_stats", json!({ "pack_id": pack })).await;
        assert!(text(&stats).contains(FILE), "{stats}");

        let failing = agent.answer("context", json!({ "tests": FAILED })).await;
        let failures = agent.answer("ctx_failures", json!({ "pack_id": failing["pack_id"] })).await;
        assert!(text(&failures).contains("TestValidateToken"), "{failures}");
        let logs = agent.answer("ctx_logs", json!({ "pack_id": failing["pack_id"], "source": "tests", "tail": 5 })).await;
        assert!(text(&logs).contains("want an error, got none"), "{logs}");

        let why = agent.answer("explain", json!({ "target": FILE, "intent": task })).await;
        assert!(text(&why).contains("seed: "), "{why}");
        let not = agent.answer("explain", json!({ "target": "go.mod", "intent": task, "not": true })).await;
        assert!(text(&not).contains("go.mod is warm: nothing stopped it but"), "{not}");
    });
}

#[test]
fn mistakes_are_refused_with_the_argument_and_what_to_do() {
    let (scratch, replayed) = (Scratch::new(), Replayed::new("auth-go"));
    let other = scratch.copy("auth-ts", "other");
    let state = scratch.0.join("state");
    let args = ["--packet", "manifest", "--intent", "fix validateToken", "--no-cache", "--quiet", "--repo"];
    let args = [&args[..], &[other.to_str().expect("text"), "--state", state.to_str().expect("text")]].concat();
    let manifest: Value = serde_json::from_str(&ended(&mut command(&args)).stdout).expect("JSON");
    let foreign = manifest["pack_id"].as_str().expect("an id");
    run(async {
        let agent = Agent::start((), serve(&scratch, replayed.path(), &[]), ClientLifecycleMode::Initialize).await;
        for (tool, arguments, says) in [
            ("read", json!({ "path": FILE, "pack_id": foreign }), "`pack_id`: pack"),
            ("read", json!({ "path": FILE, "pack_id": foreign }), "was made of another repository"),
            ("context", json!({ "intent": "fix it", "repo": "/" }), "`repo`"),
            ("context", json!({}), "`intent`"),
            ("read", json!({ "path": "/etc/passwd" }), "`path`"),
            ("read", json!({ "path": FILE, "lines": "9:1" }), "`lines`"),
            ("read", json!({ "path": 5 }), "expected a string"),
            ("explain", json!({ "target": FILE }), "`intent`"),
        ] {
            let refused = agent.refusal(tool, arguments.clone()).await;
            assert!(refused.contains(says), "{tool} {arguments}: {refused}");
            assert!(refused.lines().count() == 2 && refused.len() < 1_000, "{refused}");
        }
        let unknown = agent.client.call_tool(asked("no_such_tool", json!({}))).await.expect_err("refused");
        assert!(unknown.to_string().contains("there is no such tool"), "{unknown}");
        let resource = rmcp::model::ReadResourceRequestParams::new(format!("activate://pack/{foreign}"));
        let refused = agent.client.read_resource(resource).await.expect_err("refused");
        assert!(refused.to_string().contains("another repository"), "{refused}");
        assert!(agent.client.list_all_resources().await.expect("a list").is_empty());
    });
}

#[test]
fn ten_calls_in_flight_are_each_answered_with_their_own() {
    let (scratch, replayed) = (Scratch::new(), Replayed::new("auth-go"));
    run(async {
        let agent = Agent::start((), serve(&scratch, replayed.path(), &[]), ClientLifecycleMode::Initialize).await;
        let calls = (1..=10).map(|line| {
            let peer = agent.client.peer().clone();
            let params = asked("read", json!({ "path": FILE, "lines": format!("{line}:{}", line + 3) }));
            (line, tokio::spawn(async move { peer.call_tool(params).await }))
        });
        for (line, call) in calls.collect::<Vec<_>>() {
            let said = call.await.expect("a call").expect("an answer").structured_content.expect("an answer");
            assert_eq!(said["lines"], json!([line, line + 3]));
        }
    });
}

fn text(said: &Value) -> &str {
    said["text"].as_str().expect("text")
}
