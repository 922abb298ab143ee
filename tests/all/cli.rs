//! The built command on repositories of the corpus: what it prints where, how it ends, and that nothing but the task decides the bytes.
//!
//! Must not test what an answer holds beyond that it answers: the engine's tests do.

mod affected;
mod border;
mod ranges;
mod redact;
mod refused;
mod review;
mod session;

use crate::replay::{Replayed, corpus};
use activate_rules::written::parse;
use context::state::SessionState;
use engine::{CacheChoice, Engine, Options, Request};
use error::ErrorKind;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed at the end.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("activate-cli-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        Self(folder)
    }

    /// A copy of a repository of the corpus, in a folder of this name.
    pub(crate) fn copy(&self, repository: &str, name: &str) -> PathBuf {
        let (from, to) = (corpus().join(repository), self.0.join(name));
        for (path, content) in files(&from) {
            let path = to.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, content).expect("a file");
        }
        to
    }

    /// A file with this content.
    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, content).expect("a file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every file below a folder with its content.
pub(crate) fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut folders = vec![root.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let content = fs::read(&path).expect("a file");
                found.insert(path.strip_prefix(root).expect("below the root").to_owned(), content);
            }
        }
    }
    found
}

/// How the command ended and what it wrote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_activate"));
    command.args(args).stdin(Stdio::null()).env("XDG_CACHE_HOME", std::env::temp_dir().join("activate-cli-cache"));
    command.env("XDG_STATE_HOME", std::env::temp_dir().join("activate-cli-state"));
    command.env("XDG_CONFIG_HOME", std::env::temp_dir().join("activate-cli-config"));
    command
}

/// The command with a folder of its own for all that is kept.
pub(crate) fn command_keeping(folder: &Path, args: &[&str]) -> Command {
    let mut command = command(args);
    for (variable, name) in [("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")] {
        command.env(variable, folder.join(name));
    }
    // Agents of whoever runs this have their settings elsewhere.
    command.env("HOME", folder.join("home")).env_remove("CODEX_HOME").env_remove("CLAUDE_CONFIG_DIR");
    command
}

pub(crate) fn ended(command: &mut Command) -> Ended {
    let output = command.output().expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Ended { code: output.status.code().expect("an exit code"), stdout: text(output.stdout), stderr: text(output.stderr) }
}

pub(crate) fn run(args: &[&str]) -> Ended {
    ended(&mut command(args))
}

/// Runs with a text on stdin.
pub(crate) fn run_with(stdin: &[u8], args: &[&str]) -> Ended {
    let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a command");
    // The command stops reading at its cap, so the end of a long text may find nobody.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin);
    let output = child.wait_with_output().expect("an end");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Ended { code: output.status.code().expect("an exit code"), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs the main job on a repository of the corpus without a cache, nor a warning that the folder around it is another repository.
fn ask(repository: &str, args: &[&str]) -> Ended {
    let root = corpus().join(repository);
    let shared = ["--repo", root.to_str().expect("text"), "--no-cache", "--quiet"];
    run(&[args, &shared].concat())
}

pub(crate) const FIX: [&str; 2] = ["--intent", "fix ValidateToken"];

#[test]
fn the_main_job_answers_on_stdout_alone() {
    for repository in ["auth-go", "auth-rust", "auth-ts"] {
        let answer = ask(repository, &["--intent", "fix ValidateToken validate_token validateToken"]);
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{repository}");
        assert!(answer.stdout.starts_with("# Session context: "), "{}", answer.stdout);
        assert!(answer.stdout.contains("LIKELY FILES (most likely first):"));
    }
}

#[test]
fn json_is_as_its_schema_says_and_holds_the_text() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/packets/schema/session.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(schema).expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for intent in ["fix ValidateToken", "zzzqqq"] {
        let answer = ask("auth-go", &["--intent", intent, "--format", "json"]);
        let packet = serde_json::from_str(&answer.stdout).expect("JSON");
        assert_eq!(validator.iter_errors(&packet).map(|error| error.to_string()).collect::<Vec<_>>(), [""; 0]);
        assert_eq!(packet["text"], ask("auth-go", &["--intent", intent]).stdout);
    }
}

#[test]
fn derived_facts_read_back_and_come_in_the_documented_order() {
    let answer = ask("auth-go", &[&FIX[..], &["--format", "facts"]].concat());
    let facts = parse(&answer.stdout).expect("facts");
    let mut relations: Vec<&str> = facts.iter().map(|fact| fact.relation.as_str()).collect();
    relations.dedup();
    let derived = ["cue_hit", "seed", "score", "tier", "support", "certain", "learnt", "compared", "rank_score", "place"];
    let ordered = ["passage_hit", "passage_learnt", "passage", "listed", "placed"];
    assert_eq!(relations, [&["intent", "target"], &derived[..], &ordered].concat());
    assert!(answer.stdout.contains("tier(\"internal/auth/login.go\", /hot)."));
    // The lists of the packet are the lists of the facts.
    let json = ask("auth-go", &[&FIX[..], &["--format", "json"]].concat());
    let packet: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let files = packet["files"].as_array().expect("files");
    for (file, n) in files.iter().zip(1..) {
        let fact = format!("listed({}, /files, {n}).", file["path"]);
        assert!(answer.stdout.contains(&fact), "{fact}");
    }
}

#[test]
fn every_relation_is_listed_in_both_forms_with_the_same_rows() {
    let replayed = Replayed::new("auth-go");
    fs::write(replayed.path().join("internal/auth/broken.go"), "package auth\n\nfunc broken( {\n").expect("a file");
    fs::write(replayed.path().join("internal/auth/open.go"), "package auth\n\nfunc open() { unknown().String() }\n")
        .expect("a file");
    let root = replayed.path().to_str().expect("text");
    let written = run(&["facts", "--repo", root, "--no-cache"]);
    let json = run(&["facts", "--repo", root, "--no-cache", "--format", "jsonl"]);
    let facts = parse(&written.stdout).expect("facts");
    let rows: Vec<serde_json::Value> = json.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_rows: Vec<&str> = rows.iter().filter_map(|row| row["relation"].as_str()).collect();
    assert_eq!(facts.iter().map(|fact| fact.relation.as_str()).collect::<Vec<_>>(), of_rows);
    for line in [
        r#"calls("cmd/server/main.go#main", "cmd/server/main.go#run", 17, /exact)."#,
        r#"diagnostic(/error, "internal/auth/broken.go", 3,"#,
        r#"file_state("internal/auth/broken.go", /added, 0)."#,
        r#"unresolved("internal/auth/open.go", "String", 1)."#,
    ] {
        assert!(written.stdout.contains(line), "{line}");
    }
    let call = rows.iter().find(|row| row["relation"] == "calls").expect("a call");
    let expected = serde_json::json!({
        "relation": "calls", "from": "cmd/server/main.go#main", "from_path": "cmd/server/main.go", "from_lines": [16, 21], "line": 17,
        "to": "cmd/server/main.go#run", "to_path": "cmd/server/main.go", "to_lines": [23, 42], "confidence": "exact",
    });
    assert_eq!(*call, expected);
    let calls = run(&["facts", "--repo", root, "--no-cache", "--relation", "touched", "--relation", "calls"]).stdout;
    assert!(calls.lines().all(|line| line.starts_with("calls(") || line.starts_with("touched(")) && calls.contains("touched("));
}

#[test]
fn why_says_what_decides_between_two() {
    let over = |one, other| ask("auth-go", &[&["why", one, "--over", other], &FIX[..]].concat());
    let files = over("internal/auth/middleware.go", "internal/auth/login.go");
    let lines: Vec<&str> = files.stdout.lines().collect();
    assert_eq!(files.code, 0);
    let head = "internal/auth/login.go stands before internal/auth/middleware.go, at place 2 of ";
    assert!(lines[0].starts_with(head) && lines[0].ends_with(": the task points at it, and not at the other"), "{lines:?}");
    assert!(lines[1].starts_with("rank: internal/auth/login.go: certain, score 52.376; noisy-or of "), "{lines:?}");
    assert!(
        lines[2].starts_with("rank: internal/auth/middleware.go: score 31.425; place 4 of 13 by what was learnt"),
        "{lines:?}"
    );
    // Definitions stand in the order of their passages.
    let definitions = over("parseToken", "getClaims").stdout;
    assert!(definitions.contains(": its best passage is number "), "{definitions}");
    // What has no place says what stopped it.
    let absent = over("go.mod", "internal/auth/login.go").stdout;
    assert!(absent.starts_with("go.mod is not in the list of files\n"), "{absent}");
    assert_eq!(over("parseToken", "nothing_of_this_name").code, 2);
}

#[test]
fn why_shows_the_arithmetic_and_why_not_what_stopped_it() {
    let why = ask("auth-go", &[&["why", "internal/auth/middleware.go"], &FIX[..]].concat());
    assert_eq!(why.code, 0);
    assert!(why.stdout.starts_with("seed: ") && why.stdout.contains(" x 0.6 imported_by x 1.0 exact = "), "{}", why.stdout);
    let not = ask("auth-go", &[&["why", "--not", "go.mod"], &FIX[..]].concat());
    assert!(not.stdout.contains("nothing that was reached is linked to go.mod"), "{}", not.stdout);
    let root = corpus().join("auth-go");
    let line = run(&[&["why", "auth/login.go:41", "--no-cache", "--repo", root.to_str().expect("text")], &FIX[..]].concat());
    let meant = "`auth/login.go:41` is taken for `internal/auth/login.go#ValidateToken`, lines 33 to 49";
    assert!(line.code == 0 && line.stderr.contains(meant), "{}", line.stderr);
    // Of those that share a name, the one that the intent means is explained.
    let root = root.to_str().expect("text");
    let args = ["why", "ValidateToken", "--intent", "fix ValidateToken in internal/auth", "--no-cache", "--repo", root];
    let named = run(&args);
    assert!(named.stderr.contains("is taken for `internal/auth/login.go#ValidateToken`"), "{}", named.stderr);
    assert!(named.stderr.contains("match `ValidateToken` too, among them `internal/apikey/"), "{}", named.stderr);
    assert!(named.stdout.starts_with("seed: internal/auth/login.go#ValidateToken"), "{}", named.stdout);
    let beside = ask("auth-go", &[&FIX[..], &["--why"]].concat());
    assert_eq!(beside.stdout, ask("auth-go", &FIX).stdout);
    assert!(beside.stderr.contains("seed: internal/auth/login.go"), "{}", beside.stderr);
}

#[test]
fn stdin_is_read_to_its_cap_and_says_when_it_was_cut() {
    let scratch = Scratch::new();
    let root = scratch.copy("auth-go", "repository");
    let root = root.to_str().expect("text");
    let ask_stdin = |text: &str| run_with(text.as_bytes(), &["--intent", "-", "--no-cache", "--repo", root]);
    let by_flag = run(&[&FIX[..], &["--no-cache", "--repo", root]].concat());
    assert_eq!((by_flag.code, by_flag.stderr.as_str()), (0, ""));
    assert_eq!(ask_stdin("fix ValidateToken"), by_flag);
    let cut = ask_stdin(&format!("fix ValidateToken\n{}", "padding ".repeat(100_000)));
    assert!(cut.stdout.contains("login.go") && cut.stderr.contains("only the first 262144 bytes"), "{}", cut.stderr);
}

#[test]
fn a_session_on_stdin_is_as_good_as_one_in_a_file() {
    let scratch = Scratch::new();
    let session = br#"{"recent_findings": ["[SECURITY] ValidateToken logs the token"]}"#;
    let file = scratch.file("session.json", session);
    let go = corpus().join("auth-go");
    let shared = ["--no-cache", "--quiet", "--repo", go.to_str().expect("text")];
    let ask = |stdin: &[u8], args: &[&str]| run_with(stdin, &[args, &shared].concat());
    let from_file = ask(b"", &[&FIX[..], &["--session", file.to_str().expect("text")]].concat());
    assert!(from_file.code == 0 && from_file.stdout.contains("[SECURITY] ValidateToken logs the token"), "{}", from_file.stdout);
    assert_eq!(ask(session, &[&FIX[..], &["--session", "-"]].concat()), from_file);
    let refused = |stdin: &[u8], args: &[&str], says: &str| {
        let answer = ask(stdin, args);
        assert!(answer.code == 2 && answer.stdout.is_empty() && answer.stderr.contains(says), "{}", answer.stderr);
    };
    refused(b"{\n  \"turn\": 1\n}", &[&FIX[..], &["--session", "-"]].concat(), "stdin line 2 column 8: the session state");
    refused(b"", &[&FIX[..], &["--session", "-"]].concat(), "expected an object");
    for command in [&[][..], &["why", "go.mod"]] {
        let both = [command, &["--intent", "-", "--session", "-"]].concat();
        refused(session, &both, "`--intent -` and `--session -` cannot both read stdin");
    }
}

#[test]
fn a_pin_is_a_path_of_the_repository_however_a_shell_writes_it() {
    let scratch = Scratch::new();
    let root = scratch.copy("auth-go", "repository");
    let pinned = |pin: &str, folder: &Path| {
        let args = [&FIX[..], &["--no-cache", "--quiet", "--repo", root.to_str().expect("text"), "--pin", pin]].concat();
        let answer = ended(command(&args).current_dir(folder));
        let line = answer.stdout.lines().find(|line| line.ends_with(" (pinned)"));
        line.map_or_else(|| answer.stderr.clone(), str::to_owned)
    };
    let inside = root.join("internal/auth");
    for (pin, folder) in [
        ("internal/auth/keys.go:2-9", &scratch.0),
        ("./internal/auth/keys.go:2-9", &scratch.0),
        ("./internal/auth/keys.go:2-9", &root),
        ("internal/./auth/keys.go:2-9", &inside),
        ("internal/auth/keys.go:2-9", &inside),
        ("./keys.go:2-9", &inside),
        ("../auth/keys.go:2-9", &inside),
    ] {
        assert_eq!(pinned(pin, folder), "internal/auth/keys.go:2-9 (pinned)", "{pin} in {folder:?}");
    }
    assert!(pinned("./login.go:9000-9001", &inside).contains("cannot be used: the file has "));
    assert!(pinned("../../../out.go", &inside).contains("the pin `../../../out.go` cannot be used: a path with `..`"));
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let root = corpus().join("auth-go");
    let mut command = command(&["facts", "--no-cache", "--quiet", "--repo", root.to_str().expect("text")]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn nothing_but_files_and_flags_decides_the_bytes() {
    let scratch = Scratch::new();
    let (here, there) = (scratch.copy("polyglot", "here"), scratch.copy("polyglot", "a/deeper folder/there"));
    let before = files(&here);
    let cache = scratch.0.join("cache");
    let (here, there, cache) = (here.to_str().expect("text"), there.to_str().expect("text"), cache.to_str().expect("text"));
    for format in ["text", "json", "facts"] {
        let args = |repo, more: &[&str]| {
            let all = [&["--intent", "retry failed jobs in the queue", "--format", format, "--repo", repo], more].concat();
            command(&all)
        };
        let expected = ended(&mut args(here, &["--no-cache", "--threads", "1"]));
        assert_eq!((expected.code, expected.stderr.as_str()), (0, ""));
        assert!(!expected.stdout.contains(scratch.0.to_str().expect("text")), "a path of this machine");
        let mut variants = Vec::new();
        variants.extend(["2", "8"].map(|n| args(here, &["--no-cache", "--threads", n])));
        variants.push(args(there, &["--no-cache"]));
        // Cold, then warm.
        variants.extend([(), ()].map(|()| args(here, &["--cache", cache])));
        let mut elsewhere = args(here, &["--no-cache"]);
        elsewhere.envs([("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Asia/Kathmandu"), ("HOME", "/nonexistent"), ("TERM", "dumb")]);
        elsewhere.current_dir(std::env::temp_dir());
        variants.push(elsewhere);
        for variant in &mut variants {
            assert_eq!(ended(variant), expected, "{variant:?}");
        }
    }
    assert_eq!(files(Path::new(here)), before, "something was written into the repository");
}

#[test]
fn a_warm_run_takes_apart_only_the_file_that_changed() {
    let scratch = Scratch::new();
    let root = scratch.copy("auth-go", "repository");
    let cache = scratch.0.join("cache");
    // An engine each time: nothing is remembered but what the cache holds.
    let effort = || {
        let options = Options { cache: CacheChoice::Folder(cache.clone()), ..Options::default() };
        Engine::open_with(&root, options).and_then(|engine| engine.snapshot()).expect("a snapshot").effort
    };
    let cold = effort();
    assert_eq!((cold.n_extracted, cold.rebuilt), (cold.n_files, true));
    let warm = effort();
    assert_eq!((warm.n_extracted, warm.rebuilt), (0, false));
    fs::write(root.join("internal/auth/login.go"), "package auth\n\nfunc ValidateToken() {}\n").expect("a file");
    let edited = effort();
    assert_eq!((edited.n_extracted, edited.rebuilt), (1, true));
    // What does not show outside of the file costs no more than the file.
    fs::write(root.join("internal/auth/login.go"), "package auth\n\nfunc ValidateToken() { ValidateToken() }\n").expect("a file");
    let edited = effort();
    assert_eq!((edited.n_extracted, edited.rebuilt), (1, false));
}

#[test]
fn the_cache_is_listed_and_cleared() {
    let scratch = Scratch::new();
    let root = scratch.copy("auth-go", "repository");
    let cache = scratch.0.join("cache");
    let (root, cache) = (root.to_str().expect("text"), cache.to_str().expect("text"));
    assert_eq!(run(&["--intent", "fix ValidateToken", "--repo", root, "--cache", cache]).code, 0);
    let listed = run(&["cache", "--cache", cache]).stdout;
    assert!(listed.contains(".base\n"));
    let sizes = listed.lines().filter_map(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    let stdout = format!("{} files with {} bytes are removed\n", listed.lines().count(), sizes.sum::<u64>());
    let cleared = || run(&["cache", "--clear", "--repo", root, "--cache", cache]);
    assert_eq!(cleared(), Ended { code: 0, stdout, stderr: String::new() });
    assert_eq!(cleared().stdout, "0 files with 0 bytes are removed\n");
    assert_eq!(run(&["cache", "--cache", cache]).stdout, "");
}

#[test]
fn tools_and_hints_of_the_repository_stand_in_every_format() {
    let scratch = Scratch::new();
    let root = scratch.copy("auth-go", "auth");
    fs::write(root.join("AGENTS.md"), "Every caller of `ValidateToken` logs.\n\n`NoSuchName` is gone.\n").expect("a file");
    fs::write(root.join("Makefile"), "lint: ## checks\n\tgolint\nstart:\n\t./run\n").expect("a file");
    let root = root.to_str().expect("text");
    let ask = |format: &str| {
        let args = ["--intent", "fix ValidateToken", "--repo", root, "--no-cache", "--quiet", "--format", format];
        let ended = run(&args);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{format}");
        ended.stdout
    };
    let text = ask("text");
    assert!(
        text.contains("\n  - HINT: Every caller of `ValidateToken` logs. (AGENTS.md:1)\n")
            && !text.contains("HINT: `NoSuchName`"),
        "{text}"
    );
    assert!(
        text.contains("\n  - make lint: checks\n") && !text.contains("Binary: make lint") && !text.contains("make start"),
        "{text}"
    );
    let packet: serde_json::Value = serde_json::from_str(&ask("json")).expect("JSON");
    let items = packet["sections"].as_array().expect("sections").iter().filter_map(|section| section["items"].as_array());
    let hint = items.flatten().find(|item| item["kind"] == "hint").expect("a hint");
    assert_eq!((&hint["trust"], &hint["path"], &hint["lines"][0]), (&"untracked".into(), &"AGENTS.md".into(), &1.into()));
    let facts = ask("facts");
    assert!(
        facts.contains("placed(\"AGENTS.md:1 (hint)\", /expert).\n")
            && facts.contains("placed(\"Makefile:1 (tool)\", /toolbox).\n")
    );
}

#[test]
fn an_engine_answers_several_threads_at_once() {
    fn assert_shared<T: Send + Sync>() {}
    assert_shared::<Engine>();
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(corpus().join("auth-go"), options).expect("a repository");
    let ask = || {
        let state = SessionState::default();
        let activation = engine.activate(&Request { state, ..Request::new("fix ValidateToken") }).expect("an answer");
        activation.session_context(&context::budget::Budget::default()).expect("a context").text.text
    };
    let texts: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(texts.iter().all(|text| *text == texts[0] && text.contains("ValidateToken")));
}

#[test]
fn the_library_says_itself_where_no_code_was_understood() {
    let scratch = Scratch::new();
    let blank = scratch.file("code/a.go", b"package a\n");
    let notes = scratch.file("prose/notes.txt", b"how tokens are validated\n");
    let open = |file: &Path| {
        let options = Options { cache: CacheChoice::Off, ..Options::default() };
        Engine::open_with(file.parent().expect("a folder"), options).expect("a repository")
    };
    let request = Request::new("validated tokens");
    let engine = open(&blank);
    assert_eq!(engine.activate(&request).err().map(|error| error.kind), Some(ErrorKind::NoSymbols));
    assert_eq!(engine.snapshot().err().map(|error| error.kind), Some(ErrorKind::NoSymbols));
    fs::write(&blank, "package a\n\nfunc Validated() {}\n").expect("a file");
    assert!(engine.activate(&request).is_ok(), "the engine goes on as soon as something is defined");
    let engine = open(&notes);
    let activation = engine.activate(&request).expect("an answer");
    let context = activation.session_context(&context::budget::Budget::default()).expect("a context");
    assert!(context.text.text.contains("only paths and text are searched"), "{}", context.text.text);
    assert_eq!(activation.problems().len(), 1);
}
