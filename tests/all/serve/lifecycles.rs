//! Both lifecycles, and a client that finds out which: the same lists and the same answers.

use super::{Agent, run, serve};
use crate::cli::Scratch;
use crate::replay::Replayed;
use rmcp::ClientLifecycleMode;
use rmcp::model::{GetPromptRequestParams, ProtocolVersion, ReadResourceRequestParams};
use serde_json::{Value, json};

/// The most bytes that a model reads of the tools in every session.
const MAX_LISTED: usize = 4_096;

fn modes() -> [(ClientLifecycleMode, &'static str); 3] {
    let newest = || vec![ProtocolVersion::V_2026_07_28];
    [
        (ClientLifecycleMode::Initialize, "2025-11-25"),
        (ClientLifecycleMode::Discover { preferred_versions: newest() }, "2026-07-28"),
        (ClientLifecycleMode::Auto { preferred_versions: newest(), legacy_version: None }, "2026-07-28"),
    ]
}

#[test]
fn every_lifecycle_gives_the_same_lists_and_answers() {
    let (scratch, replayed) = (Scratch::new(), Replayed::new("auth-go"));
    let mut said: Vec<Value> = Vec::new();
    for (mode, version) in modes() {
        let answers = run(async {
            let agent = Agent::start((), serve(&scratch, replayed.path(), &[]), mode).await;
            let client = &agent.client;
            assert_eq!(client.peer_info().expect("a server").protocol_version.to_string(), version);
            let tools = client.list_all_tools().await.expect("tools");
            let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
            assert_eq!(names, ["context", "read", "explain", "ask"]);
            let listed = serde_json::to_string(&tools).expect("JSON");
            assert!(listed.len() < MAX_LISTED, "{} bytes", listed.len());
            let packed = agent.answer("context", json!({ "intent": "fix ValidateToken" })).await;
            let read = agent.answer("read", json!({ "path": "internal/auth/login.go", "lines": "30:49" })).await;
            let resources = client.list_all_resources().await.expect("resources");
            let uri = format!("activate://pack/{}", packed["pack_id"].as_str().expect("an id"));
            assert_eq!(resources.iter().map(|resource| resource.uri.as_str()).collect::<Vec<_>>(), [uri.as_str()]);
            let pack = client.read_resource(ReadResourceRequestParams::new(uri)).await.expect("a pack");
            let Value::Object(intent) = json!({ "intent": "tokens" }) else { panic!("no object") };
            let prompts = client.list_all_prompts().await.expect("prompts");
            let prompt = client.get_prompt(GetPromptRequestParams::new("fix").with_arguments(intent)).await.expect("a prompt");
            let prompt = serde_json::to_value(&prompt.messages).expect("JSON");
            json!([
                listed,
                packed,
                read,
                pack.contents,
                prompts,
                prompt,
                client.list_all_resource_templates().await.expect("one")
            ])
        });
        said.push(answers);
    }
    assert_eq!(said[0], said[1]);
    assert_eq!(said[0], said[2]);
    let pack: Value = serde_json::from_str(said[0][3][0]["text"].as_str().expect("text")).expect("JSON");
    assert_eq!(pack["pack_id"], said[0][1]["pack_id"]);
    assert!(said[0][5].to_string().contains("Fix this: tokens"), "{}", said[0][5]);
}

#[test]
fn all_tools_are_listed_where_wanted_and_called_by_both_of_their_names() {
    let (scratch, replayed) = (Scratch::new(), Replayed::new("auth-go"));
    for (args, name) in [(&["--toolset", "ctx"][..], "ctx_list"), (&["--toolset", "ctx", "--tool-names", "dot"], "ctx.list")] {
        run(async {
            let agent = Agent::start((), serve(&scratch, replayed.path(), args), ClientLifecycleMode::Initialize).await;
            let tools = agent.client.list_all_tools().await.expect("tools");
            assert_eq!((tools.len(), tools[5].name.as_ref()), (12, name));
            for tool in &tools {
                let hints = tool.annotations.as_ref().expect("hints");
                assert_eq!((hints.read_only_hint, hints.open_world_hint), (Some(true), Some(false)), "{}", tool.name);
            }
            let pack = agent.answer("context", json!({ "intent": "fix ValidateToken" })).await["pack_id"].take();
            let by = |name: &'static str| agent.call(name, json!({ "pack_id": pack }));
            assert_eq!(by("ctx.list").await.structured_content, by("ctx_list").await.structured_content);
            assert!(by("ctx_list").await.structured_content.is_some());
        });
    }
}
