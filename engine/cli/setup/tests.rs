//! Settings as people have them are set up and put back: the bytes before and after are compared, and what agents read.

mod again;
mod files;

use super::agents::{AGENTS, Agent, Scope};
use super::diff::unified;
use super::place::Place;
use super::plan::Plan;
use super::probe::ask;
use super::record::Records;
use super::settings::{Command, Settings, What};
use super::world::World;
use super::{RULE, jsonc, tables};
use files::{FILES, REFUSED};
use repo::testing::Scratch;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

const PROGRAM: &str = "/home/ada lovelace/bin/activate";

/// A home, a project and a state folder.
struct Bench {
    folder: Scratch,
    world: World,
    records: Records,
}

impl Bench {
    fn new(program: &str) -> Self {
        let folder = Scratch::new();
        let [home, project, state] = ["home", "project", "state"].map(|name| folder.path().join(name));
        for folder in [&home, &project] {
            fs::create_dir_all(folder).expect("a folder");
        }
        let world = World::new(&home, &project, program);
        Self { world, records: Records::at(&state), folder }
    }

    fn settings(&self, agent: &str, what: What) -> Settings<'_> {
        Settings { agent: Agent::named(agent).expect("an agent"), what, world: &self.world }
    }

    /// A file of an agent with this text.
    fn file(settings: &Settings<'_>, text: &str) -> (Place, PathBuf) {
        let scope = if settings.agent.has_project() { Scope::Project } else { Scope::User };
        let place = settings.place(scope).expect("readable").expect("a place");
        let path = place.path();
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("a mode");
        (place, path)
    }

    fn carry_out(&self, plan: Option<Plan>) {
        plan.expect("something to do").carry_out(&self.records).expect("written");
    }

    /// All files and folders but those of the state folder.
    fn all(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().join("home"), self.folder.path().join("project")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path.clone());
                }
                found.push(path);
            }
        }
        found
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn settings_are_set_up_once_and_put_back_to_the_byte() {
    for (agent, what, old) in FILES {
        let bench = Bench::new(PROGRAM);
        let settings = bench.settings(agent, what);
        let had = settings.is_there(old).expect("readable");
        let (place, path) = Bench::file(&settings, old);
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        let new = text(&path);
        let seen = unified(agent, Some(old), Some(&new));
        // What agents read: the entry, and all else as it was.
        assert!(settings.is_current(&new).expect("readable"), "{seen}");
        assert_eq!(settings.rest(&new).expect("readable"), settings.rest(old).expect("readable"), "{seen}");
        // Every byte of the old text stands in the new one, in order; of an entry that was there, the command alone goes.
        let record = bench.records.find(&path).expect("a record");
        let gone: String = record.edits.iter().map(|edit| edit.removed.trim()).collect();
        let is_command = gone.contains("activate") && gone.len() < 60 && !gone.contains(':');
        assert!(if had { is_command } else { gone.is_empty() }, "{gone}\n{seen}");
        let mixes = |text: &str| text.contains("\r\n") && text.matches('\n').count() != text.matches("\r\n").count();
        assert!(!mixes(&new) && new.starts_with('\u{feff}') == old.starts_with('\u{feff}'), "{seen}");
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o640);
        // A second time there is nothing to do.
        assert!(settings.set_up(&place, &bench.records).expect("a plan").is_none(), "{seen}");
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), old, "{seen}");
        assert!(bench.records.find(&path).is_none() && settings.undo(&place, &bench.records).expect("a plan").is_none());
        // Edited since: our entry alone goes.
        if !had {
            bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
            let comment = if path.extension().is_some_and(|end| end == "toml") { "\n# later\n" } else { "\n// later\n" };
            fs::write(&path, format!("{new}{comment}")).expect("written");
            bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
            assert_eq!(text(&path), format!("{old}{comment}"), "{seen}");
        }
    }
}

/// Also where nobody knows any more what was written.
#[test]
fn an_entry_is_taken_out_between_others_that_came_later() {
    for (agent, before, after, left) in [
        (
            "claude-code",
            "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n",
            "\"activate\": {",
            "{\n  \"mcpServers\": {\n    \"a\": {},\n    \"z\": {}\n  }\n}\n",
        ),
        (
            "codex",
            "[mcp_servers.a]\ncommand = \"a\"\n",
            "[mcp_servers.activate]",
            "[mcp_servers.a]\ncommand = \"a\"\n\n[mcp_servers.z]\ncommand = \"z\"\n",
        ),
    ] {
        let bench = Bench::new("/usr/bin/activate");
        let settings = bench.settings(agent, What::Server);
        let (place, path) = Bench::file(&settings, before);
        bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
        let new = text(&path);
        assert!(new.contains(after));
        let edited = if agent == "codex" {
            format!("{new}\n[mcp_servers.z]\ncommand = \"z\"\n").replace("command = \"/usr", "enabled = true\ncommand = \"/usr")
        } else {
            // Written anew by a program that indents otherwise, with an entry of the user's own.
            new.replace("      \"", "        \"").replace("    }\n  }\n}", "    },\n    \"z\": {}\n  }\n}")
        };
        fs::write(&path, &edited).expect("written");
        bench.records.forget(&path).expect("forgotten");
        bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
        assert_eq!(text(&path), left, "{edited}");
    }
    // A server of this name that is another program stays.
    let bench = Bench::new("/usr/bin/activate");
    let settings = bench.settings("gemini", What::Server);
    let (place, _) =
        Bench::file(&settings, "{\"mcpServers\": {\"activate\": {\"command\": \"conda\", \"args\": [\"activate\"]}}}");
    assert!(settings.undo(&place, &bench.records).expect("a plan").is_none());
}

#[test]
fn files_and_folders_that_were_not_there_go_again() {
    for agent in &AGENTS {
        for scope in [Scope::Project, Scope::User] {
            for what in [What::Server, What::Hook] {
                let bench = Bench::new(PROGRAM);
                let settings = Settings { agent, what, world: &bench.world };
                let before = bench.all();
                let Some(place) = settings.place(scope).expect("readable") else { continue };
                bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
                let new = text(&place.path());
                assert!(settings.is_current(&new).expect("readable") && new.ends_with('\n'), "{new}");
                bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
                assert_eq!(bench.all(), before, "{}", agent.name);
                // What somebody put beside it stays, with its folder.
                bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
                let beside = place.path().with_file_name("beside");
                fs::write(&beside, "").expect("written");
                bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
                assert!(beside.exists() && !place.path().exists());
            }
        }
    }
}

#[test]
fn a_program_that_moved_is_written_anew_and_undone_to_what_was_before_both() {
    let old = "{\n  \"mcpServers\": {\n    \"a\": {} // first\n  }\n}\n";
    let mut bench = Bench::new("/opt/one/activate");
    let settings = bench.settings("claude-code", What::Server);
    let (place, path) = Bench::file(&settings, old);
    bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
    let world = World::new(&bench.folder.path().join("home"), &bench.folder.path().join("project"), "/opt/two/activate-context");
    bench.world = world;
    let settings = bench.settings("claude-code", What::Server);
    bench.carry_out(settings.set_up(&place, &bench.records).expect("a plan"));
    let new = text(&path);
    assert!(new.contains("/opt/two/activate-context") && !new.contains("/opt/one"), "{new}");
    bench.carry_out(settings.undo(&place, &bench.records).expect("a plan"));
    assert_eq!(text(&path), old);
}

#[test]
fn what_cannot_be_parsed_is_refused_with_its_place() {
    for (agent, old, said) in REFUSED {
        let bench = Bench::new(PROGRAM);
        let settings = bench.settings(agent, What::Server);
        let (place, path) = Bench::file(&settings, old);
        let error = settings.set_up(&place, &bench.records).err().expect("refused").to_string();
        assert!(error.contains(said) && error.contains(path.to_str().expect("text")), "{error}");
        assert_eq!(text(&path), old);
    }
    let bench = Bench::new(PROGRAM);
    let settings = bench.settings("amp", What::Server);
    let (place, path) = Bench::file(&settings, "");
    fs::write(&path, b"{\n  \"a\": \"\xff\"}").expect("written");
    let error = settings.set_up(&place, &bench.records).err().expect("refused").to_string();
    assert!(error.contains("line 2, column 9: it is not UTF-8"), "{error}");
    fs::write(&path, " ".repeat(2 << 20)).expect("written");
    let error = settings.set_up(&place, &bench.records).err().expect("refused").to_string();
    assert!(error.contains("larger than 1048576 bytes"), "{error}");
    fs::write(&path, "[".repeat(100_000)).expect("written");
    let error = settings.set_up(&place, &bench.records).err().expect("refused").to_string();
    assert!(error.contains("nesting depth"), "{error}");
}

#[test]
fn nothing_is_read_or_written_through_a_link() {
    for link in [".cursor", ".cursor/mcp.json"] {
        let bench = Bench::new(PROGRAM);
        let settings = bench.settings("cursor", What::Server);
        let outside = bench.folder.path().join("outside");
        let target = if link == ".cursor" { outside.join("mcp.json") } else { outside.join("any.json") };
        fs::create_dir_all(&outside).expect("a folder");
        fs::write(&target, "{}").expect("written");
        let link_path = bench.world.project.join(link);
        fs::create_dir_all(link_path.parent().expect("a folder")).expect("folders");
        symlink(if link == ".cursor" { &outside } else { &target }, &link_path).expect("a link");
        let place = settings.place(Scope::Project).expect("readable").expect("a place");
        let error = settings.set_up(&place, &bench.records).err().expect("refused");
        let cause = std::error::Error::source(&error).expect("a cause").to_string();
        assert!(cause.ends_with("is a link, and nothing is read or written through one"), "{cause}");
        assert!(place.write(Some("{}"), "changed").is_err() && place.write(None, "changed").is_err());
        assert_eq!(text(&target), "{}");
    }
    // What changed since it was shown stays.
    let bench = Bench::new(PROGRAM);
    let settings = bench.settings("cursor", What::Server);
    let (place, path) = Bench::file(&settings, "{}");
    let plan = settings.set_up(&place, &bench.records).expect("a plan").expect("something to do");
    fs::write(&path, "{\"a\": 1}").expect("written");
    assert!(plan.carry_out(&bench.records).is_err());
    assert_eq!(text(&path), "{\"a\": 1}");
}

#[test]
fn a_change_is_shown_as_a_diff_and_a_long_line_in_part() {
    let old = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4\n}";
    let new = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4,\n  \"e\": 5\n}";
    let shown = "--- x.json\n+++ x.json\n@@ -2,5 +2,6 @@\n   \"a\": 1,\n   \"b\": 2,\n   \"c\": 3,\n-  \"d\": 4\n+  \"d\": 4,\n+  \"e\": 5\n }\n\\ No newline at end of file\n";
    assert_eq!(unified("x.json", Some(old), Some(new)), shown);
    let line = |end: &str| format!("{}{end}", "x".repeat(100_000));
    let shown = unified("x.json", Some(&line("old")), Some(&line("new")));
    assert!(shown.len() < 1_000 && shown.contains("xold\n") && shown.contains("xnew\n"), "{shown}");
}

#[test]
fn what_is_printed_is_what_is_written_and_the_rule_is_short() {
    let bench = Bench::new(PROGRAM);
    for agent in &AGENTS {
        let settings = Settings { agent, what: What::Server, world: &bench.world };
        let whole = settings.whole();
        let value = match agent.name {
            "codex" => tables::value(&whole).expect("TOML"),
            _ => jsonc::value(&whole).expect("JSON").expect("a value"),
        };
        let command = &value[agent.servers]["activate"]["command"];
        assert!(command == PROGRAM || command[0] == PROGRAM, "{whole}");
        let found = settings.found(&whole).expect("readable").expect("a command");
        assert_eq!(found.arguments[0], "serve", "{whole}");
    }
    let hook = bench.settings("claude-code", What::Hook).whole();
    assert!(hook.contains("\"command\": \"'/home/ada lovelace/bin/activate' hook\""), "{hook}");
    assert!(RULE.lines().count() <= 12);
}

#[test]
fn a_server_that_does_not_answer_is_told_of() {
    let say = |script: &str, patience: Duration| {
        let command = Command { program: "/bin/sh".to_owned(), arguments: vec!["-c".to_owned(), script.to_owned()] };
        ask(&command, Path::new("/"), patience).expect_err("no answer")
    };
    let long = Duration::from_secs(60);
    let mute = say("cat > /dev/null", Duration::ZERO);
    assert_eq!(mute, "`initialize` was not answered in time; a first look at a large repository takes longer");
    assert_eq!(say("read line; echo one >&2; echo two >&2", long), "the server ended: two");
    assert_eq!(say("exec cat", long), "`initialize` was answered with its own words");
    assert_eq!(say("echo hello; cat > /dev/null", long), "`initialize` was answered with what is no JSON");
    let refused = r#"echo '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}'; cat > /dev/null"#;
    assert_eq!(say(refused, long), "`initialize` failed: no");
    let missing = Command { program: "/nowhere/activate".to_owned(), arguments: Vec::new() };
    assert!(ask(&missing, Path::new("/"), long).expect_err("none").starts_with("`/nowhere/activate` cannot be started: "));
}
