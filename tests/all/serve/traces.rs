//! What a server leaves behind: nothing in the repository, and nothing open.

use super::{Wire, serve, serve_to, tiny};
use crate::cli::{Scratch, ended, files};
use serde_json::json;
use std::fs;

/// How many calls are made, and how many before files are counted.
const N_CALLS: usize = 300;
const N_FIRST: usize = 20;

#[test]
fn many_calls_write_nothing_into_the_repository_and_leave_nothing_open() {
    let scratch = Scratch::new();
    let root = tiny(&scratch);
    let before = files(&root);
    let mut wire = Wire::begin(&mut serve(&scratch, &root, &[]));
    let n_open = |wire: &Wire| fs::read_dir(format!("/proc/{}/fd", wire.child.id())).expect("a process").count();
    let mut n_open_first = 0;
    for number in 0..N_CALLS {
        if number == N_FIRST {
            n_open_first = n_open(&wire);
        }
        let (tool, arguments) = match number % 3 {
            0 => ("context", json!({ "intent": format!("fix First {number}") })),
            1 => ("read", json!({ "path": "b.go" })),
            _ => ("explain", json!({ "target": "a.go", "intent": "fix First" })),
        };
        assert_eq!(wire.call(tool, &arguments)["isError"], false, "{tool}");
    }
    assert_eq!(n_open(&wire), n_open_first);
    assert_eq!(files(&root), before);
}

#[test]
fn files_are_as_they_are_at_each_call() {
    let scratch = Scratch::new();
    let root = tiny(&scratch);
    let mut wire = Wire::begin(&mut serve(&scratch, &root, &[]));
    let mut says = |path: &str| wire.call("read", &json!({ "path": path })).to_string();
    assert!(says("c.go").contains("does not exist"));
    fs::write(root.join("c.go"), "package tiny\n\nfunc Third() {}\n").expect("a file");
    assert!(says("c.go").contains("func Third"));
    fs::rename(root.join("c.go"), root.join("d.go")).expect("a file");
    assert!(says("c.go").contains("does not exist") && says("d.go").contains("func Third"));
}

/// The most bytes of what every model reads before it has asked anything, and the most tools of it.
const MAX_LISTED: usize = 4_000;
const MAX_TOOLS: usize = 5;

#[test]
fn a_client_gets_each_text_once_in_the_form_that_it_understands() {
    let scratch = Scratch::new();
    let root = tiny(&scratch);
    for (client, is_structured) in [("claude-code", true), ("cursor-vscode", false), ("test", false)] {
        let mut wire = Wire::begin_as(&mut serve_to(&scratch, &root, &[]), client);
        let listed = wire.ask("tools/list", &json!({}));
        let tools = listed["result"]["tools"].as_array().expect("tools");
        assert!(listed.to_string().len() <= MAX_LISTED && tools.len() <= MAX_TOOLS, "{} bytes", listed.to_string().len());
        assert!(tools.iter().all(|tool| tool["outputSchema"].is_object() == is_structured), "{client}");
        let context = tools.iter().find(|tool| tool["name"] == "context").expect("the tool");
        assert_eq!(context["inputSchema"]["properties"]["budget"]["type"], json!(["integer", "string", "null"]));
        for (tool, arguments) in [
            ("context", json!({ "intent": "fix First" })),
            ("read", json!({ "path": "a.go" })),
            ("explain", json!({ "target": "a.go", "intent": "fix First" })),
            ("ask", json!({ "question": "outline", "name": "a.go" })),
        ] {
            let reply = wire.call(tool, &arguments);
            let (text, structured) = (&reply["content"][0]["text"], &reply["structuredContent"]["text"]);
            assert_eq!((text.is_string(), structured.is_string()), (!is_structured, is_structured), "{client} {tool}: {reply}");
            // The server's instructions say it once.
            let n_notices = reply.to_string().matches("never instructions").count();
            assert_eq!(n_notices, usize::from(tool == "context"), "{client} {tool}");
        }
        assert!(wire.call("read", &json!({ "path": "a.go", "lines": "4:4" })).to_string().contains("\\n4 func First"));
    }
}

#[test]
fn nothing_is_read_before_the_first_call() {
    let scratch = Scratch::new();
    let root = scratch.0.join("empty");
    fs::create_dir_all(&root).expect("a folder");
    let mut wire = Wire::begin(&mut serve(&scratch, &root, &[]));
    assert_eq!(wire.ask("tools/list", &json!({}))["result"]["tools"].as_array().map(Vec::len), Some(4));
    let refused = wire.call("context", &json!({ "intent": "fix First" }));
    let text = refused["content"][0]["text"].as_str().expect("text");
    assert!(refused["isError"] == true && text.contains("holds no file") && text.contains("`--repo`"), "{refused}");
    fs::write(root.join("a.go"), "package a\n\nfunc First() {}\n").expect("a file");
    assert_eq!(wire.call("context", &json!({ "intent": "fix First" }))["isError"], false);
}

#[test]
fn a_state_folder_inside_the_repository_is_refused() {
    let scratch = Scratch::new();
    let root = tiny(&scratch);
    let inside = root.join("state");
    let args = ["serve", "--no-cache", "--repo", root.to_str().expect("text"), "--state", inside.to_str().expect("text")];
    let refused = ended(&mut crate::cli::command(&args));
    assert!(refused.code == 2 && refused.stderr.contains("lies inside the repository"), "{}", refused.stderr);
    assert!(!inside.exists());
}

#[test]
fn a_pack_that_a_secret_was_given_for_is_shown_as_it_was_sent() {
    let scratch = Scratch::new();
    let root = tiny(&scratch);
    fs::write(root.join("note.txt"), "First knows copper-walnut-5512\n").expect("a file");
    let mut wire = Wire::begin(&mut serve(&scratch, &root, &["--toolset", "ctx"]));
    let made = wire.call("context", &json!({ "intent": "fix First, DB_PASSWORD=copper-walnut-5512" }));
    let pack = made["structuredContent"]["pack_id"].as_str().expect("a pack").to_owned();
    let shown = wire.ask("resources/read", &json!({ "uri": format!("activate://pack/{pack}") }));
    let text = shown["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{shown}"));
    assert!(text.contains(&pack) && !shown.to_string().contains("copper"), "{shown}");
    let refused = wire.call("ctx_read", &json!({ "pack_id": pack, "path": "note.txt" })).to_string();
    assert!(refused.contains("made with a secret") && !refused.contains("copper"), "{refused}");
}
