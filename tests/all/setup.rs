//! The built command sets agents up and puts their settings back, as a script and as somebody without a terminal would.
//!
//! Must not test forms of settings: the command's own tests do.

use crate::cli::{Ended, Scratch, command_keeping, ended, files};
use crate::replay::Replayed;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

/// A home with a link to the program on PATH, and a repository.
struct Bench {
    scratch: Scratch,
    repository: Replayed,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { scratch: Scratch::new(), repository: Replayed::new("auth-go") };
        for folder in ["home", "bin"] {
            fs::create_dir_all(bench.scratch.0.join(folder)).expect("a folder");
        }
        symlink(env!("CARGO_BIN_EXE_activate"), bench.link()).expect("a link");
        bench
    }

    fn link(&self) -> PathBuf {
        self.scratch.0.join("bin/activate")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let settings = command_keeping(&self.scratch.0, &[]);
        let mut command = Command::new("activate");
        command.args(arguments).stdin(std::process::Stdio::null()).current_dir(self.repository.path());
        command.envs(settings.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env_remove("CODEX_HOME").env_remove("CLAUDE_CONFIG_DIR").env("PATH", self.scratch.0.join("bin"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        ended(&mut self.command(arguments))
    }

    /// What stands in home and repository, but for git's own.
    fn all(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let home = files(&self.scratch.0.join("home")).into_iter();
        let repository = files(self.repository.path()).into_iter().filter(|(path, _)| !path.starts_with(".git"));
        home.chain(repository).collect()
    }
}

#[test]
fn agents_are_found_set_up_tried_and_put_back() {
    let bench = Bench::new();
    let none = bench.run(&["setup"]);
    assert_eq!((none.code, none.stdout.as_str()), (2, ""));
    assert!(none.stderr.contains("no agent was found here; name one: claude-code, codex,"), "{}", none.stderr);
    bench.scratch.file("home/.codex/config.toml", b"model = \"x\" # mine\r\n");
    bench.scratch.file("home/.claude.json", b"{\"numStartups\":1}");
    let secret = "q7Jx2vKd9sTz4LmW";
    fs::write(bench.repository.path().join(".mcp.json"), format!("{{\n  \"env\": {{ \"DB_PASSWORD\": \"{secret}\" }}\n}}\n"))
        .expect("written");
    let before = bench.all();
    // Without a terminal the change is shown alone.
    let shown = bench.run(&["setup", "--hook"]);
    assert_eq!(shown.code, 11, "{}", shown.stderr);
    assert!(shown.stderr.contains("nothing was written; a yes on a terminal or `--yes` writes it"), "{}", shown.stderr);
    assert!(shown.stdout.contains("+++ .mcp.json\n") && !shown.stdout.contains(secret), "{}", shown.stdout);
    assert_eq!(bench.all(), before);
    // With a yes it is written, and the servers answer.
    let written = bench.run(&["setup", "--hook", "--yes"]);
    assert_eq!((written.code, written.stderr.as_str()), (0, ""), "{}", written.stdout);
    for name in [".mcp.json", ".claude/settings.json", ".codex/config.toml", ".codex/hooks.json"] {
        assert!(written.stdout.contains(&format!("written: {name}\n")), "{}", written.stdout);
    }
    assert_eq!(written.stdout.matches(": the server answered after ").count(), 2, "{}", written.stdout);
    // What an agent waits for is told.
    assert!(
        written.stdout.contains("; it uses a server of a project once you said yes to it, and asks when it starts here\n"),
        "{}",
        written.stdout
    );
    assert!(
        written.stdout.contains("; it uses it once you trust this folder, and asks when it starts here\n"),
        "{}",
        written.stdout
    );
    let settings: Value =
        serde_json::from_slice(&fs::read(bench.repository.path().join(".mcp.json")).expect("a file")).expect("JSON");
    assert_eq!(settings["mcpServers"]["activate"]["command"], bench.link().to_str().expect("text"));
    let again = bench.run(&["setup", "--hook", "--yes"]);
    assert_eq!((again.code, again.stdout.matches("nothing to do: ").count()), (0, 4), "{}", again.stdout);
    let doctor = bench.run(&["doctor"]);
    assert_eq!((doctor.code, doctor.stdout.matches(": the server answered after ").count()), (0, 2), "{}", doctor.stdout);
    // What a server was asked to try it is no packet.
    let why = bench.run(&["why", "ValidateToken"]);
    assert!(why.code == 2 && why.stderr.contains("no packet of this repository is kept"), "{}", why.stderr);
    // What is put back is what was there.
    let unasked = bench.run(&["setup", "--undo"]);
    assert_eq!((unasked.code, unasked.stdout.matches("\n+++ ").count()), (11, 4), "{}", unasked.stdout);
    let undone = bench.run(&["setup", "--undo", "--yes"]);
    assert_eq!((undone.code, undone.stderr.as_str()), (0, ""));
    assert_eq!(bench.all(), before);
    assert_eq!(bench.run(&["setup", "--undo", "--yes"]).stdout, "nothing is set up here\n");
    // The user's own, on request.
    assert_eq!(bench.run(&["setup", "codex", "--user", "--yes"]).code, 0);
    let codex = fs::read_to_string(bench.scratch.0.join("home/.codex/config.toml")).expect("a file");
    assert!(codex.starts_with("model = \"x\" # mine\r\n\r\n[mcp_servers.activate]\r\ncommand = "), "{codex}");
    assert_eq!(bench.run(&["setup", "codex", "--undo", "--yes"]).code, 0);
    assert_eq!(bench.all(), before);
}

#[test]
fn what_strangers_name_is_not_started_and_a_server_that_fails_is_told_of() {
    let bench = Bench::new();
    let ran = bench.scratch.0.join("ran");
    let hostile = format!(
        "{{\"mcpServers\": {{\"activate\": {{\"command\": \"/bin/sh\", \"args\": [\"-c\", \"\\u001b[31m: > {}\"]}}}}}}",
        ran.display()
    );
    fs::write(bench.repository.path().join(".mcp.json"), hostile).expect("written");
    let doctor = bench.run(&["doctor"]);
    assert_eq!(doctor.code, 0, "{}", doctor.stderr);
    let said = "warning  Claude Code, .mcp.json: it starts another program, /bin/sh, which was not tried";
    assert!(doctor.stdout.contains(said) && !ran.exists(), "{}", doctor.stdout);
    let shown = bench.run(&["setup", "claude-code"]);
    assert!(!shown.stdout.contains('\u{1b}') && !ran.exists(), "{}", shown.stdout);
    // A file that cannot be parsed stays, and keeps no other from being written.
    fs::write(bench.repository.path().join(".mcp.json"), "{\n  \"a\" 1\n}\n").expect("written");
    let refused = bench.run(&["setup", "claude-code", "gemini", "--yes"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains(".mcp.json`, line 2, column "), "{}", refused.stderr);
    assert!(bench.repository.path().join(".gemini/settings.json").exists());
    // The server keeps its cache in no folder of the repository, and ends.
    let state = bench.scratch.0.join("state");
    let inside = bench.repository.path().join("cache");
    let mut failing = bench.command(&["setup", "amp", "--yes", "--state", state.to_str().expect("text")]);
    let failed = ended(failing.env("XDG_CACHE_HOME", inside));
    assert_eq!(failed.code, 12, "{}", failed.stdout);
    assert!(failed.stderr.contains("Amp, .amp/settings.json: the server ended: "), "{}", failed.stderr);
}

#[test]
fn what_is_printed_is_written_nowhere() {
    let bench = Bench::new();
    let before = bench.all();
    let printed = bench.run(&["setup", "--print", "zed", "claude", "--hook"]);
    assert_eq!(printed.code, 0, "{}", printed.stderr);
    for part in ["Claude Code, .mcp.json:\n\n{", "Claude Code, .claude/settings.json:\n\n{", "Zed, .zed/settings.json:\n\n{"] {
        assert!(printed.stdout.contains(part), "{}", printed.stdout);
    }
    let (_, rule) = printed.stdout.split_once("For AGENTS.md, if you like:\n\n").expect("the rule");
    assert!(rule.contains("`context`") && rule.lines().count() <= 12, "{rule}");
    assert_eq!(bench.all(), before);
}
