//! Settings that people changed between a set-up and the next one, or before it is undone.

use super::super::settings::What;
use super::super::world::World;
use super::super::{SetupOptions, Terminal, carry_out, plans};
use super::{Bench, PROGRAM, text};
use clap::{Args as _, FromArgMatches as _};
use std::fs;
use std::path::Path;

const FIRST: &str = "/opt/one/activate";
const SECOND: &str = "/opt/two/activate";

/// The same with another program.
fn moved(mut bench: Bench) -> Bench {
    bench.world = World::new(&bench.folder.path().join("home"), &bench.folder.path().join("project"), SECOND);
    bench
}

/// What somebody changes in a file.
fn edit(path: &Path, from: &str, to: &str) -> String {
    let old = text(path);
    assert_eq!(old.matches(from).count(), 1, "{old}");
    let new = old.replace(from, to);
    fs::write(path, &new).expect("written");
    new
}

#[test]
fn a_second_set_up_keeps_what_the_user_put_into_the_entry() {
    for (agent, before, from, to) in [
        (
            "claude-code",
            "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n",
            "\"args\": [\"serve\"]",
            "\"env\": { \"TOKEN\": \"mine\" },\n      \"args\": [\"serve\", \"--budget\", \"4000\"]",
        ),
        (
            "opencode",
            "{\n  \"mcp\": {\n    \"a\": {}\n  }\n}\n",
            "\"serve\"]",
            "\"serve\", \"--budget\", \"4000\"],\n      \"timeout\": 9",
        ),
        (
            "codex",
            "model = \"x\"\n",
            "args = [\"serve\"]\n",
            "args = [\"serve\", \"--budget\", \"4000\"]\nstartup_timeout_sec = 90\n[mcp_servers.activate.env]\nTOKEN = \"mine\"\n",
        ),
        (
            "codex",
            "model = \"x\"\n",
            "args = [\"serve\"]\n",
            "args = [\"serve\"]\n[mcp_servers.activate.env]\nTOKEN = \"mine\"\n",
        ),
    ] {
        let bench = Bench::new(FIRST);
        let settings = bench.settings(agent, What::Server);
        let (place, path) = Bench::file(&settings, before);
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        let edited = edit(&path, from, to);
        let bench = moved(bench);
        let settings = bench.settings(agent, What::Server);
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), edited.replace(FIRST, SECOND));
        // It is still an entry of ours, which goes as a whole.
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), before);
        assert!(bench.records.find(&path).is_none());
    }
}

/// An entry that was there before, in a file in which something else changes later.
const REPLACED: [(&str, What, &str, &str, &str); 4] = [
    (
        "claude-code",
        What::Server,
        "{\n  \"mcpServers\": {\n    \"b\": { \"command\": \"b\", \"args\": [\"serve\"] },\n    \"activate\": {\n      \"command\": \"/usr/bin/docker\",\n      \
         \"args\": [\"run\", \"my-own-thing\"],\n      \"env\": { \"TOKEN\": \"mine\" }\n    }\n  }\n}\n",
        "\"command\": \"b\"",
        "\"command\": \"/usr/bin/c\"",
    ),
    (
        "opencode",
        What::Server,
        "{\"mcp\": {\"b\": {}, \"activate\": {\"type\": \"local\", \"command\": [\"docker\", \"run\"], \"enabled\": false}}}\n",
        "\"b\": {}",
        "\"b\": {\"url\": \"http://[::1]:3/\"}",
    ),
    (
        "codex",
        What::Server,
        "model = \"x\"\n\n[mcp_servers.activate]\ncommand = \"docker\" # mine\nargs = [\"run\", \"my-own-thing\"]\n\n[mcp_servers.activate.env]\n\
         TOKEN = \"mine\"\n",
        "model = \"x\"",
        "model = \"other\"",
    ),
    (
        "claude-code",
        What::Hook,
        "{\"model\": \"x\", \"hooks\": {\"UserPromptSubmit\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"activate hook\", \"timeout\": 9}]}]}}\n",
        "\"model\": \"x\"",
        "\"model\": \"other\"",
    ),
];

#[test]
fn an_entry_that_was_there_before_is_put_back_into_a_file_that_changed() {
    for (agent, what, before, from, to) in REPLACED {
        let bench = Bench::new(FIRST);
        let settings = bench.settings(agent, what);
        let (place, path) = Bench::file(&settings, before);
        let put_back = before.replace(from, to);
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        let edited = edit(&path, from, to);
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), put_back);
        // After a second set-up too.
        fs::write(&path, before).expect("written");
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        edit(&path, from, to);
        let bench = moved(bench);
        let settings = bench.settings(agent, what);
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), edited.replace(FIRST, SECOND));
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), put_back);
    }
}

#[test]
fn an_entry_that_was_there_before_and_cannot_be_put_back_stays() {
    for (agent, what, before, ..) in REPLACED {
        let bench = Bench::new(FIRST);
        let settings = bench.settings(agent, what);
        let (place, path) = Bench::file(&settings, before);
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        let edited = edit(&path, FIRST, "/opt/mine/activate");
        let refused = "what was there before cannot be put back by itself here";
        let error = settings.undo(&place, &bench.records).err().expect("refused").to_string();
        assert!(error.contains(refused) && text(&path) == edited, "{error}");
        // A second set-up forgets nothing.
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), edited.replace("/opt/mine/activate", FIRST));
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), before);
    }
}

const BY_HAND: &str = "{\n  \"mcpServers\": {\n    \"activate\": {\n      \"command\": \"activate\",\n      \"args\": [\"serve\"],\n      \
                       \"env\": { \"TOKEN\": \"mine\" }\n    }\n  }\n}\n";

#[test]
fn what_could_not_be_written_is_not_undone() {
    let bench = Bench::new(FIRST);
    let settings = bench.settings("claude-code", What::Server);
    let (place, path) = Bench::file(&settings, BY_HAND);
    let fails = |settings: &super::Settings<'_>| {
        let plan = settings.set_up(&place, &bench.records).expect("a plan").expect("something to do");
        let old = text(&path);
        fs::write(&path, format!("{old}\n")).expect("written");
        assert!(plan.carry_out(&bench.records).is_err());
        fs::write(&path, old).expect("written");
    };
    fails(&settings);
    assert!(bench.records.find(&path).is_none());
    assert!(settings.undo(&place, &bench.records).expect("a plan").is_none());
    // The record of what was written before stays.
    bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
    let record = bench.records.find(&path);
    let world = World::new(&bench.folder.path().join("home"), &bench.folder.path().join("project"), SECOND);
    fails(&super::Settings { world: &world, ..settings });
    assert_eq!(bench.records.find(&path), record);
    // One that was kept by a process that ended before it wrote says nothing of this file.
    fs::write(&path, BY_HAND).expect("written");
    assert!(settings.undo(&place, &bench.records).expect("a plan").is_none());
    bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
    bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
    assert_eq!(text(&path), BY_HAND);
}

fn options(words: &[&str]) -> SetupOptions {
    let command = SetupOptions::augment_args(clap::Command::new("setup").no_binary_name(true));
    SetupOptions::from_arg_matches(&command.get_matches_from(words)).expect("options")
}

#[test]
fn in_the_home_each_file_is_undone_once_and_one_that_fails_keeps_no_other() {
    let bench = Bench::new(PROGRAM);
    let home = bench.folder.path().join("home");
    let world = World::new(&home, &home, PROGRAM);
    let terminal = Terminal::new();
    let old = "model = \"x\"\n";
    fs::create_dir(home.join(".codex")).expect("a folder");
    fs::write(home.join(".codex/config.toml"), old).expect("written");
    let planned = |words: &[&str]| plans(&options(words), &world, &bench.records, &terminal).expect("plans");
    let (plans, refused) = planned(&["codex", "gemini", "--user"]);
    assert!(carry_out(&plans, refused, &bench.records, &world, &terminal).is_ok());
    let (plans, refused) = planned(&["--undo"]);
    assert!(plans.len() == 2 && refused.is_none());
    let path = home.join(".codex/config.toml");
    let new = edit(&path, "\"x\"", "\"y\"");
    let error = carry_out(&plans, refused, &bench.records, &world, &terminal).expect_err("refused").to_string();
    assert!(error.contains("config.toml` changed meanwhile"), "{error}");
    assert!(text(&path) == new && !home.join(".gemini").exists());
}

#[test]
fn a_hook_keeps_its_arguments() {
    let file = |commands: &[&str]| {
        let hooks: Vec<String> = commands
            .iter()
            .map(|command| format!("{{\"hooks\": [{{\"type\": \"command\", \"command\": {command:?}}}]}}"))
            .collect();
        format!("{{\"hooks\": {{\"UserPromptSubmit\": [{}]}}}}\n", hooks.join(", "))
    };
    for (old, new) in [
        ("/opt/one/activate hook --budget 1000", "/opt/two/activate hook --budget 1000"),
        ("  activate  hook\t--budget 1000 || true ", "/opt/two/activate hook\t--budget 1000 || true"),
        ("'/home/o'\\''neil x/activate' hook -v", "/opt/two/activate hook -v"),
        ("\"/opt/my tools/activate\" hook -v", "/opt/two/activate hook -v"),
        ("/opt/one/activate-context hook", "/opt/two/activate hook"),
    ] {
        let bench = Bench::new(SECOND);
        let settings = bench.settings("claude-code", What::Hook);
        let (place, path) = Bench::file(&settings, &file(&["stamp", old]));
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), file(&["stamp", new]));
        assert!(settings.set_up(&place, &bench.records).expect("a plan").is_none());
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), file(&["stamp", old]));
        // By its whole path it is ours, also where nobody knows any more what was written.
        fs::write(&path, file(&["stamp", new])).expect("written");
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), file(&["stamp"]));
    }
    for other in
        ["stamp hook", "activate hooks", "activate -v hook", "'activate hook", "activate 'hook'x", "activatehook", "'' hook"]
    {
        let bench = Bench::new(SECOND);
        assert!(!bench.settings("claude-code", What::Hook).is_there(&file(&[other])).expect("readable"), "{other}");
    }
}
