//! The first answer about a large repository that nobody has read: from a part of it, and the same as the whole where that counts.

use crate::cli::{Ended, Scratch, command, ended, run};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A repository of 900 packages in Go, of which three are about tokens; of a file of settings whose secret stands in code again; and its cache.
pub(crate) struct Large {
    pub(crate) scratch: Scratch,
    pub(crate) root: PathBuf,
}

/// A path that is a token by its form.
const SECRET_PATH: &str = concat!("ghp", "_16C7e42F292c6912E7710c838347Ae178B4a");
const SECRET: &str = "k3xQ9vTz71LmPw02";

impl Large {
    fn new() -> Self {
        Self::of(900)
    }

    /// One with so many packages.
    pub(crate) fn of(n_packages: usize) -> Self {
        let scratch = Scratch::new();
        let root = scratch.0.join("repository");
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("go.mod", "module example.com/large\n\ngo 1.22\n");
        for number in 0..n_packages {
            let text = format!(
                "package p{number}\n\n// Sum{number} adds.\nfunc Sum{number}(a, b int) int {{\n\treturn a + b + {number}\n}}\n"
            );
            write(&format!("pkg/p{number:03}/sum.go"), &text);
        }
        write(
            "auth/token.go",
            "package auth\n\nimport \"example.com/large/clock\"\n\n// ValidateToken checks a bearer token.\nfunc ValidateToken(token string) bool {\n\treturn token != \"\" && clock.Fresh(token)\n}\n",
        );
        write("clock/clock.go", "package clock\n\nfunc Fresh(text string) bool {\n\treturn len(text) > 3\n}\n");
        let server = format!(
            "package api\n\nimport \"example.com/large/auth\"\n\nfunc Serve(header string) bool {{\n\treturn header == \"{SECRET}\" || auth.ValidateToken(header)\n}}\n"
        );
        write("api/serve.go", &server);
        write(
            "auth/token_test.go",
            "package auth\n\nimport \"testing\"\n\nfunc TestValidateToken(t *testing.T) {\n\tif ValidateToken(\"\") {\n\t\tt.Fail()\n\t}\n}\n",
        );
        write("deploy/api.properties", &format!("api.password={SECRET}\n"));
        Self { scratch, root }
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.scratch.0.join("cache")
    }

    fn ask(&self, more: &[&str]) -> Ended {
        self.ask_with(&self.cache(), more)
    }

    /// The same with another cache.
    pub(crate) fn ask_with(&self, cache: &Path, more: &[&str]) -> Ended {
        let root = self.root.to_str().expect("text");
        let task = ["--intent", TASK, "--repo", root, "--cache", cache.to_str().expect("text"), "--no-state"];
        run(&[&task, more].concat())
    }

    /// What has it read, with its cache.
    pub(crate) fn index(&self, more: &[&str]) -> Command {
        let (root, cache) = (self.root.to_str().expect("text"), self.cache());
        command(&[&["index", "--repo", root, "--cache", cache.to_str().expect("text")], more].concat())
    }
}

/// What is asked of it.
pub(crate) const TASK: &str = "bearer tokens are validated wrongly";

pub(crate) fn is_known(cache: &Path) -> bool {
    run(&["cache", "--cache", cache.to_str().expect("text")]).stdout.contains(".base\n")
}

#[test]
fn a_first_answer_reads_what_the_words_lead_to_and_says_so() {
    let large = Large::new();
    let first = large.ask(&["--first"]);
    let warning = " of 906 files are not read yet: only those that the words of the task lead to; `activate index` reads all\n";
    assert!(first.code == 0 && first.stderr.ends_with(warning), "{}", first.stderr);
    let header = first.stdout.lines().find(|line| line.starts_with("Task: ")).expect("a line");
    assert!(
        header.contains(" Partial: ")
            && header.ends_with(" of 906 files read, so lists are incomplete; `activate index` reads all."),
        "{header}"
    );
    for shown in ["- auth/token.go\n", "func ValidateToken", "api/serve.go", "Fresh", "auth/token_test.go"] {
        assert!(first.stdout.contains(shown), "{shown} is not in\n{}", first.stdout);
    }
    assert!(!first.stdout.contains(SECRET), "what settings give away is masked in code");
    assert!(!is_known(&large.cache()), "what knows a part is not kept as the whole");
    // The records of what was read are there the second time.
    assert_eq!(large.ask(&["--first"]), first);
    assert_eq!(large.ask(&["--first", "--threads", "1"]), first);
    let packet: Value = serde_json::from_str(&large.ask(&["--first", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(packet["partial"]["files"], 906);
    assert!(packet["partial"]["files_read"].as_u64().is_some_and(|n_read| n_read < 400), "{}", packet["partial"]);

    let indexed = ended(&mut large.index(&[]));
    assert_eq!((indexed.code, indexed.stdout.as_str()), (0, "906 files with 904 definitions are known\n"));
    let whole = large.ask(&["--first"]);
    assert!(!whole.stdout.contains("Partial"), "{}", whole.stdout);
    let packet: Value = serde_json::from_str(&large.ask(&["--format", "json"]).stdout).expect("JSON");
    assert_eq!((&packet["partial"], &packet["files"][0]["path"]), (&Value::Null, &json!("auth/token.go")));
    let (code, stderr) = (whole.code, whole.stderr);
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn a_hook_answers_from_a_part_and_has_the_rest_read_for_the_next_prompt() {
    let large = Large::new();
    let cache = large.cache();
    let ask = |prompt: &str| {
        let mut hook = command(&["hook", "--no-state", "--cache", cache.to_str().expect("text")]);
        let mut hook = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a hook");
        let event = json!({ "prompt": prompt, "cwd": large.root, "hook_event_name": "UserPromptSubmit" });
        write!(hook.stdin.take().expect("stdin"), "{event}").expect("an event");
        let output = hook.wait_with_output().expect("an answer");
        let answer: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        answer.map(|answer| answer["hookSpecificOutput"]["additionalContext"].as_str().expect("text").to_owned())
    };
    // A reply to the agent has nothing read.
    for reply in ["yes, go on", "thanks, looks good", "ok", "nein"] {
        assert_eq!(ask(reply), None, "{reply}");
    }
    assert!(!cache.exists() || fs::read_dir(&cache).expect("a folder").next().is_none(), "nobody reads it");
    // On a slow machine it gives up, and has all read as well.
    if let Some(first) = ask(TASK) {
        assert!(first.contains(" of 906 files read") && first.contains("func ValidateToken"), "{first}");
    }
    let end = Instant::now() + Duration::from_secs(120);
    while !is_known(&cache) {
        assert!(Instant::now() < end, "it is not read in the background");
        std::thread::sleep(Duration::from_millis(50));
    }
    let next = ask(TASK).expect("an answer");
    assert!(!next.contains("files read") && next.contains("func ValidateToken"), "{next}");
}

#[test]
fn one_process_reads_in_the_background() {
    let large = Large::new();
    let engine = engine::Engine::open_with(
        &large.root,
        engine::Options { cache: engine::CacheChoice::Folder(large.cache()), ..engine::Options::default() },
    );
    let engine = engine.expect("a repository");
    let turn = engine.begin_indexing().expect("a cache").expect("nobody else has it");
    assert!(engine.begin_indexing().expect("a cache").is_none());
    let (root, cache) = (large.root.to_str().expect("text"), large.cache());
    let index = || ended(&mut large.index(&["--background"]));
    let nothing = Ended { code: 0, stdout: String::new(), stderr: String::new() };
    assert_eq!(index(), nothing);
    assert!(!is_known(&cache), "another process reads it");
    assert!(engine.ask_for_indexing() && turn.idle() < Duration::from_secs(600));
    drop(turn);
    assert_eq!(index(), nothing);
    assert!(is_known(&cache));
    // What cannot be kept is not read again and again: here since a path is a secret.
    fs::write(large.root.join(format!("{SECRET_PATH}.md")), "a").expect("a file");
    assert_eq!(run(&["cache", "--clear", "--repo", root, "--cache", cache.to_str().expect("text")]).code, 0);
    assert_eq!(index(), nothing);
    assert!(!is_known(&cache) && !engine.ask_for_indexing());
}
