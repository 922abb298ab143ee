//! The set-ups of agents in the documentation: each is read as the agent reads it, and what it starts is spoken to.

use super::{Wire, tiny};
use crate::cli::{Scratch, command_keeping};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// How many agents start the server.
const N_SERVERS: usize = 5;

/// The blocks of a section of the page for agents: what they are written in, and what they say.
fn blocks(title: &str) -> Vec<(String, String)> {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/agents.md")).expect("the page");
    let (_, section) = readme.split_once(&format!("\n## {title}\n")).expect("the section");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let blocks = section.split("\n```").skip(1).step_by(2);
    blocks.filter_map(|block| block.split_once('\n').map(|(kind, text)| (kind.to_owned(), text.to_owned()))).collect()
}

/// Every object below a value that has a field.
fn having<'v>(value: &'v Value, field: &str, found: &mut Vec<&'v Value>) {
    if value.get(field).is_some() {
        found.push(value);
    }
    match value {
        Value::Object(fields) => fields.values().for_each(|value| having(value, field, found)),
        Value::Array(list) => list.iter().for_each(|value| having(value, field, found)),
        _ => {}
    }
}

#[test]
fn every_set_up_of_the_readme_starts_what_it_says() {
    let scratch = Scratch::new();
    let root: PathBuf = tiny(&scratch);
    let (mut n_servers, mut n_hooks) = (0, 0);
    for (kind, text) in blocks("Set up an agent") {
        let value: Value = match kind.as_str() {
            "json" => serde_json::from_str(&text).expect("JSON"),
            "toml" => toml::from_str(&text).expect("TOML"),
            _ => continue,
        };
        let mut started = Vec::new();
        having(&value, "command", &mut started);
        let [started] = started[..] else { panic!("one command each: {text}") };
        let program = started["command"].as_str().expect("text");
        let Some(arguments) = started["args"].as_array() else {
            let (program, arguments) = program.split_once(' ').expect("a command with arguments");
            assert_eq!(program, "activate");
            let mut hook = command_keeping(&scratch.0, &arguments.split(' ').collect::<Vec<_>>());
            let mut child = hook.current_dir(&root).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a command");
            let event = json!({ "hook_event_name": "UserPromptSubmit", "prompt": "fix First in a.go", "cwd": root });
            child.stdin.take().expect("a pipe").write_all(event.to_string().as_bytes()).expect("written");
            let answer: Value = serde_json::from_slice(&child.wait_with_output().expect("an end").stdout).expect("JSON");
            assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "UserPromptSubmit", "{answer}");
            n_hooks += 1;
            continue;
        };
        assert_eq!(program, "activate", "{text}");
        let mine = |argument: &Value| {
            let argument = argument.as_str().expect("text");
            argument
                .replace("${workspaceFolder}", root.to_str().expect("text"))
                .replace("/path/to/project", root.to_str().expect("text"))
        };
        let arguments: Vec<String> = arguments.iter().map(mine).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut wire = Wire::begin(command_keeping(&scratch.0, &arguments).current_dir(&root));
        assert_eq!(wire.call("context", &json!({ "intent": "fix First" }))["isError"], false, "{text}");
        n_servers += 1;
    }
    assert_eq!((n_servers, n_hooks), (N_SERVERS, 1));
}
