//! `activate check` on repositories of the corpus: which commands it prints, and what comes of running them with tools that say what real
//! ones said.

use crate::cli::{Ended, Scratch, command, ended};
use crate::replay::corpus;
use crate::secrets::token;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the usual programs are.
const SYSTEM: &str = "/usr/bin:/bin";

/// Those that scripts of these tests use. No others are on their path: a machine may have Go or npx beside them.
const USUAL: [&str; 9] = ["sh", "cat", "echo", "head", "mv", "seq", "sleep", "touch", "yes"];

/// A copy of a repository of the corpus, and a folder of tools.
pub(crate) struct Bench {
    scratch: Scratch,
    root: PathBuf,
}

impl Bench {
    pub(crate) fn new(repository: &str) -> Self {
        let scratch = Scratch::new();
        let root = scratch.copy(repository, "project");
        let usual = scratch.0.join("usual");
        fs::create_dir_all(&usual).expect("a folder");
        for program in USUAL {
            let found = SYSTEM.split(':').map(|folder| Path::new(folder).join(program)).find(|path| path.exists());
            std::os::unix::fs::symlink(found.expect("a usual program"), usual.join(program)).expect("a link");
        }
        Self { scratch, root }
    }

    /// A tool that is this script, in a folder beside the repository or in it.
    pub(crate) fn tool(&self, path: &str, script: &str) {
        let file = self.scratch.file(path, format!("#!/bin/sh\n{script}\n").as_bytes());
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("a program");
    }

    /// The place of a file beside the repository.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.scratch.0.join(name)
    }

    /// The command with the tools of these folders.
    pub(crate) fn command(&self, folders: &[&str], args: &[&str]) -> Command {
        let own = folders.iter().map(|folder| self.path(folder).display().to_string());
        let path = own.chain([self.path("usual").display().to_string()]).collect::<Vec<_>>().join(":");
        let mut command = command(&[&["check"], args, &["--no-cache"]].concat());
        command.arg("--repo").arg(&self.root).env("PATH", path);
        command
    }

    fn check(&self, args: &[&str]) -> Ended {
        ended(&mut self.command(&["tools"], args))
    }

    /// Runs the checks and does the main job, with these flags beside.
    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        self.check(&[&["--run", "--no-state"], args].concat())
    }
}

/// A script that says what a file of the corpus holds where its first argument is this one, and fails; else it goes on.
fn says(argument: &str, file: &str) -> String {
    let said = corpus().join("signals").join(file);
    format!("if [ \"$1\" = {argument} ]; then cat '{}'; exit 1; fi\n", said.display())
}

#[test]
fn the_commands_of_each_repository_are_printed_by_what_they_are_for() {
    let list = |repository: &str| {
        let root = corpus().join(repository);
        let mut command = command(&["check", "--no-cache", "--quiet", "--repo", root.to_str().expect("text")]);
        let answer = ended(command.env("PATH", "relative::/nowhere"));
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{repository}");
        let plain = |line: &str| line.split("  # ").next().expect("a line").to_owned();
        answer.stdout.lines().map(plain).map(|line| line + "\n").collect::<String>()
    };
    let rust = "\
Build:
  cargo check --workspace --all-targets --keep-going --message-format=json
Lint:
  cargo clippy --workspace --all-targets --keep-going --message-format=json
Test:
  cargo test --workspace --no-fail-fast
";
    assert_eq!(list("auth-rust"), rust);
    assert_eq!(list("broken-rust"), rust);
    let go = "\
Build:
  go build -o /dev/null ./...
Lint:
  go vet ./...
Test:
  go test -json ./...
";
    assert_eq!(list("broken-go"), go);
    assert!(list("auth-go").contains("  go test -json ./...\n  cd third/ident && go test -json ./...\n"));
    let python = "\
Build:
  mypy --no-error-summary --no-pretty --show-column-numbers
Lint:
  flake8
  ruff check --output-format sarif .
Test:
  pytest -q --color=no --tb=short
";
    assert_eq!(list("broken-py"), python);
    let java = "\
Build:
  mvn -B -q -fae test-compile
  cd kiosk && gradle -q --console=plain --continue testClasses
Test:
  mvn -B -fae test -DtrimStackTrace=false
  cd kiosk && gradle --console=plain --continue test
";
    assert_eq!(list("broken-java"), java);
    let web = "\
Build:
  npx --no-install tsc --noEmit --pretty false
Test:
  npx --no-install vitest run --reporter=default
";
    assert_eq!(list("auth-ts"), web);
    let bikes = "\
Build:
  npx --no-install tsc --noEmit --pretty false
Lint:
  npx --no-install eslint -f json .
Test:
  npx --no-install jest --json
  npx --no-install vitest run --reporter=default
";
    assert_eq!(list("broken-ts"), bikes);
    let polyglot = "\
Build:
  cd backend && go build -o /dev/null ./...
  cd shared/ident && go build -o /dev/null ./...
  cd web && npx --no-install tsc --noEmit --pretty false
  cd worker && cargo check --workspace --all-targets --keep-going --message-format=json
Lint:
  cd backend && go vet ./...
  cd shared/ident && go vet ./...
  cd worker && cargo clippy --workspace --all-targets --keep-going --message-format=json
Test:
  cd backend && go test -json ./...
  cd shared/ident && go test -json ./...
  cd web && npx --no-install vitest run --reporter=default
  cd worker && cargo test --workspace --no-fail-fast
";
    assert_eq!(list("polyglot"), polyglot);
}

/// Whether a value has the form that is promised.
fn is_valid(json: &serde_json::Value) -> bool {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/packets/schema/checks.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(schema).expect("a schema")).expect("JSON");
    jsonschema::is_valid(&schema, json)
}

#[test]
fn nothing_runs_without_the_flag_and_what_is_missing_is_said() {
    let bench = Bench::new("polyglot");
    let witness = bench.path("ran");
    bench.tool("tools/go", &format!("touch '{}'", witness.display()));
    let printed = ended(bench.command(&["tools"], &["--only", "test"]).env("PATH", bench.path("tools")));
    assert_eq!(printed.code, 0);
    let line = |name: &str| printed.stdout.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    assert_eq!(line("backend"), "  cd backend && go test -json ./...");
    assert!(line("web").ends_with("  # `npx` is not on PATH"), "{}", printed.stdout);
    assert!(!printed.stdout.contains("Build:") && printed.stderr.contains("nothing was run"), "{}", printed.stderr);
    let json: serde_json::Value = serde_json::from_str(&bench.check(&["--format", "json"]).stdout).expect("JSON");
    assert!(is_valid(&json) && json["ran"].is_null(), "{json}");
    assert_eq!(json["checks"][0]["line"], "cd backend && go build -o /dev/null ./...");
    // Flags of the main job, which would be of no use, and a commit, whose files nobody can build.
    for args in
        [&["--budget", "9000"][..], &["--intent", "x"], &["--timeout", "9"], &["--format", "facts"], &["--run", "--at", "HEAD"]]
    {
        assert_eq!(bench.check(args).code, 2, "{args:?}");
    }
    assert!(!witness.exists());
    let empty = Scratch::new();
    empty.file("project/notes.txt", b"nothing to build\n");
    let bench = Bench { root: empty.0.join("project"), scratch: empty };
    for args in [&[][..], &["--run"]] {
        let answer = bench.check(args);
        assert_eq!((answer.code, answer.stdout.as_str()), (3, ""));
        assert!(answer.stderr.contains("no manifest of the repository proves a command"), "{}", answer.stderr);
    }
}

#[test]
fn what_fails_stands_in_the_packet_with_its_symbol() {
    let bench = Bench::new("broken-go");
    bench.tool("tools/go", &says("build", "go-build.txt"));
    let answer = bench.run(&[]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stderr.contains("failed with exit code 1 after "), "{}", answer.stderr);
    assert!(answer.stdout.starts_with("# Session context: Fix what fails\n"), "{}", answer.stdout);
    assert!(answer.stdout.contains("internal/receipt/receipt.go:16"), "{}", answer.stdout);
    assert!(answer.stdout.contains("undefined: strings"), "{}", answer.stdout);
    assert!(!answer.stdout.contains("checks: "), "{}", answer.stdout);
    // The same through a file, which says when it is older than what it names.
    let text = fs::read(corpus().join("signals/go-build.txt")).expect("an output");
    let file = bench.scratch.file("log/go-build.txt", &text);
    let root = bench.root.to_str().expect("text");
    let args = ["--diagnostics", file.to_str().expect("text"), "--repo", root, "--no-cache", "--no-state"];
    assert_eq!(answer.stdout, ended(&mut command(&args)).stdout);
    let time = |time: SystemTime| fs::File::options().write(true).open(&file).and_then(|file| file.set_modified(time));
    time(UNIX_EPOCH).expect("a time");
    let older = ended(&mut command(&args)).stdout;
    let newer = "    (a file is newer than this: its lines may have moved; run the tool again)\n";
    assert!(older.contains(newer), "{older}");
    assert_eq!(answer.stdout.matches(newer).count(), 0);
}

#[test]
fn builds_and_tests_stand_in_one_packet_and_no_result_of_a_test_is_said() {
    let bench = Bench::new("broken-go");
    bench.tool("tools/go", &(says("build", "go-build.txt") + &says("test", "go-test.jsonl")));
    let answer = bench.run(&[]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let section = answer.stdout.split("TEST STATE: FAILING").nth(1).expect("tests");
    assert!(section.contains("is internal/ledger/ledger_test.go#TestPost\n"), "{section}");
    assert!(answer.stdout.contains("CURRENT BUILD/LINT ERRORS"), "{}", answer.stdout);
    let bench = Bench::new("broken-rust");
    bench.tool("tools/cargo", &(says("check", "cargo-check.jsonl") + &says("test", "cargo-check.txt")));
    let answer = bench.run(&["--quiet"]);
    assert!(answer.stdout.contains("crates/notices/src/lib.rs:28:14: cannot find type `Cents`"), "{}", answer.stdout);
    let only = "`cargo test -p calendar -p fees -p shelf -p xtask --no-fail-fast` gave no test result";
    assert!(answer.stdout.contains(only), "{}", answer.stdout);
}

#[test]
fn what_is_only_warned_of_has_a_packet_that_calls_it_no_failure() {
    let bench = Bench::new("broken-rust");
    bench.tool("tools/cargo", "printf 'warning: unused variable: `x`\\n  --> crates/fees/src/lib.rs:39:5\\n\\n'");
    let answer = bench.run(&["--only", "build"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stdout.contains("warning:crates/fees/src/lib.rs:39:5: unused variable"), "{}", answer.stdout);
    assert!(answer.stdout.contains("(a warning lies in it)"), "{}", answer.stdout);
    assert!(!answer.stdout.contains("a failure lies in it"), "{}", answer.stdout);
}

#[test]
fn flags_that_cannot_be_used_are_refused_before_anything_runs() {
    let bench = Bench::new("broken-go");
    let witness = bench.path("ran");
    bench.tool("tools/go", &format!("touch '{}'", witness.display()));
    let mistaken = bench.scratch.file("mistaken.dl", b"hide(X) :- targets(X).").display().to_string();
    for (args, code) in [
        (&["--pin", "nowhere.go"][..], 2),
        (&["--rules", "nowhere.dl"], 7),
        (&["--rules", &mistaken], 2),
        (&["--pin", "go.mod:900-901"], 2),
        (&["--intent", ""], 2),
        (&["--budget", "0"], 2),
        (&["--budget", "1"], 8),
        (&["--budget", "40", "--pin", "internal/ledger/ledger.go"], 8),
        (&["--since", "0123456789"], 2),
        (&["--budget", "50", "--intent", &"mend the ledger ".repeat(130)], 8),
    ] {
        let answer = bench.run(args);
        assert_eq!((answer.code, answer.stdout.as_str()), (code, ""), "{args:?}: {}", answer.stderr);
        assert!(!witness.exists(), "{args:?}");
    }
    assert_eq!(bench.run(&["--pin", "go.mod"]).code, 0);
    assert!(witness.exists());
}

#[test]
fn the_exit_code_says_whether_it_is_known_what_fails() {
    let build = ["--only", "build"];
    let code = |script: &str| {
        let bench = Bench::new("broken-go");
        bench.tool("tools/go", script);
        bench.run(&build).code
    };
    assert_eq!(code(&says("build", "go-build.txt")), 0, "something fails");
    assert_eq!(code("exit 0"), 0, "nothing fails");
    assert_eq!(code("exit 1"), 3, "something fails, and nobody knows what");
    assert_eq!(Bench::new("broken-go").run(&build).code, 3, "nothing can be run");
}

#[test]
fn the_help_says_which_flags_need_checks_to_be_run() {
    let help = ended(&mut command(&["check", "--help"])).stdout;
    let part = |title: &str| {
        help.split_once(&format!("\n{title}:\n")).map(|(_, rest)| rest.split("\n\n  --").next().unwrap_or(rest).to_owned())
    };
    for (title, flag) in
        [("Task, with --run", "--intent"), ("Answer, with --run", "--budget"), ("Checks, with --run", "--timeout")]
    {
        assert!(part(title).is_some_and(|part| part.contains(flag)), "{title}: {help}");
    }
    assert!(part("Task").is_none(), "{help}");
}

/// A tool that is the real one, by the folder it is in; nothing where the machine has none.
fn folder_of_tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find(|folder| folder.join(name).is_file())
}

#[test]
fn tests_of_packages_that_compile_are_run_where_others_do_not() {
    let scratch = Scratch::new();
    let package = |name: &str, more: &str| {
        let own = name.rsplit('/').next().expect("a name");
        let manifest = format!("[package]\nname = \"{own}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}");
        scratch.file(&format!("project/{name}/Cargo.toml"), manifest.as_bytes());
    };
    let source = |path: &str, text: &str| scratch.file(&format!("project/{path}"), text.as_bytes());
    source(
        "Cargo.toml",
        "[workspace]\nresolver = \"2\"\nmembers = [\"good\", \"broken\", \"needs\", \"behind\", \"notest\", \"benchonly\"]\n",
    );
    package("good", "");
    package("broken", "");
    package("needs", "[dev-dependencies]\nbroken = { path = \"../broken\" }\n");
    package("behind", "[dependencies]\nbroken = { path = \"../broken\" }\n");
    package("notest", "[lib]\ntest = false\nbench = false\n");
    package("benchonly", "[[bench]]\nname = \"speed\"\nharness = false\n");
    // No member has it.
    package("templates/tpl", "");
    source("behind/src/lib.rs", "");
    source("notest/src/lib.rs", "/// ```\n/// notest::call();\n/// ```\npub fn call() {}\n");
    source("benchonly/benches/speed.rs", "fn main() {}\n");
    source("templates/tpl/src/lib.rs", "");
    source("good/src/lib.rs", "#[test]\nfn holds() {}\n#[test]\nfn breaks() { panic!(\"it broke\") }\n");
    source("broken/src/lib.rs", "pub fn number() -> u8 { \"one\" }\n");
    source("needs/src/lib.rs", "#[test]\nfn waits() {}\n");
    let bench = Bench { root: scratch.0.join("project"), scratch };
    let cargo = folder_of_tool("cargo").expect("cargo, which runs this test");
    let run = |args: &[&str]| {
        let mut command = bench.command(&[], &[&["--run", "--no-state", "--only", "build", "--only", "test"], args].concat());
        let path = [cargo.as_os_str().to_str().expect("text"), SYSTEM].join(":");
        command.env("PATH", path).env("CARGO_TARGET_DIR", bench.path("target")).env("CARGO_NET_OFFLINE", "true");
        ended(&mut command)
    };
    let answer = run(&[]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stderr.contains("2 of 2: `cargo test -p benchonly -p good -p notest --no-fail-fast`\n"), "{}", answer.stderr);
    assert!(answer.stderr.contains("commands run: 2, tests passed: 2, failed: 1, diagnostics: 1\n"), "{}", answer.stderr);
    assert!(answer.stdout.contains("broken/src/lib.rs:1:"), "{}", answer.stdout);
    assert!(answer.stdout.contains("is good/src/lib.rs#breaks"), "{}", answer.stdout);
    let said = "`cargo test --workspace --no-fail-fast` was left without the tests of these packages, since they, or packages that they need, do not compile: \
                `broken`, `needs`; packages that the compiler did not mention are not tested either: `behind`, `tpl`";
    assert!(answer.stdout.contains(said), "{}", answer.stdout);
    // An error where no test is keeps none from being run.
    bench.scratch.file("project/broken/src/lib.rs", b"pub fn number() -> u8 { 1 }\n");
    bench.scratch.file("project/benchonly/benches/speed.rs", b"fn main() { let _: u8 = \"one\"; }\n");
    let answer = run(&[]);
    assert!(answer.stderr.contains("2 of 2: `cargo test --workspace --no-fail-fast`\n"), "{}", answer.stderr);
    assert!(answer.stderr.contains("tests passed: 3, failed: 1, diagnostics: 1\n"), "{}", answer.stderr);
    assert!(!answer.stdout.contains("without the tests"), "{}", answer.stdout);
    // Where nothing compiles, no test is run.
    for name in ["broken", "notest"] {
        bench.scratch.file(&format!("project/{name}/src/lib.rs"), b"pub fn number() -> u8 { \"one\" }\n");
    }
    bench.scratch.file("project/good/src/lib.rs", b"pub fn number() -> u8 { \"one\" }\n");
    let answer = run(&[]);
    assert!(answer.stderr.contains("commands run: 1, "), "{}", answer.stderr);
    let said = "`cargo test --workspace --no-fail-fast` was not run: no package compiles with its tests";
    assert!(answer.stdout.contains(said), "{}", answer.stdout);
}

#[test]
fn a_session_hears_what_fails_and_that_it_is_mended_unless_a_command_did_not_say_all() {
    let bench = Bench::new("broken-go");
    let file = bench.path("session.json");
    let file = file.to_str().expect("text");
    let session = |args: &[&str]| ended(&mut command(&[&["session"], args].concat())).stdout;
    session(&["new", file]);
    session(&["turn", file, "--intent", "fix the ledger"]);
    let heard = |script: &str, args: &[&str]| {
        bench.tool("tools/go", script);
        let answer = bench.run(&[&["--session", file, "--record", "--quiet"], args].concat());
        assert!(answer.stdout.starts_with("# Session context: fix the ledger\n"), "{}", answer.stderr);
        let shown = session(&["show", file]);
        (shown.contains("receipt.go:16:undefined: strings"), shown.contains("tests: 4 failing"))
    };
    let broken = says("build", "go-build.txt") + &says("test", "go-test.jsonl");
    assert_eq!(heard(&broken, &[]), (true, true));
    assert_eq!(heard("exit 1", &[]), (true, true));
    assert_eq!(heard("if [ \"$1\" = test ]; then exit 1; fi", &[]), (false, true));
    let passed = r#"echo '{"Action":"pass","Package":"example.com/stall","Test":"TestPost"}'"#;
    assert_eq!(heard(passed, &["--only", "test"]), (false, false));
}

#[test]
fn packages_that_are_not_installed_are_one_problem() {
    let bench = Bench::new("broken-ts");
    let witness = bench.path("ran");
    bench.tool("tools/npx", &format!("touch '{}'", witness.display()));
    bench.scratch.file("project/package-lock.json", b"{}");
    let answer = bench.run(&[]);
    assert_eq!((answer.code, answer.stdout.as_str()), (3, ""));
    let said = "packages are not installed: run `npm ci`; commands that were not run without them: 4\n";
    assert!(answer.stderr.contains(said) && answer.stderr.matches("npm").count() == 1, "{}", answer.stderr);
    assert!(!witness.exists());
    fs::create_dir(bench.root.join("node_modules")).expect("a folder");
    let answer = bench.run(&[]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(witness.exists());
}

#[test]
fn paths_are_meant_from_the_folder_in_which_a_command_ran() {
    let bench = Bench::new("polyglot");
    bench.tool("tools/go", "if [ \"$1\" = build ]; then echo './go.mod:1:1: first' >&2; exit 1; fi");
    let answer = bench.run(&["--only", "build"]);
    for folder in ["backend", "shared/ident"] {
        assert!(answer.stdout.contains(&format!("{folder}/go.mod:1:1: first")), "{folder}: {}", answer.stdout);
    }
}

#[test]
fn where_nothing_fails_there_is_a_packet_for_an_intent_alone() {
    let bench = Bench::new("auth-go");
    bench.tool("tools/go", "");
    let answer = bench.run(&[]);
    assert_eq!((answer.code, answer.stdout.as_str()), (0, ""));
    assert!(answer.stderr.contains("nothing fails; commands run: 6, tests passed: 0"), "{}", answer.stderr);
    let answer = bench.run(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    assert!(is_valid(&json) && answer.code == 0, "{json}");
    assert_eq!(json["ran"], serde_json::json!({"commands": 6, "unclear": 0, "tests_passed": 0}));
    let answer = bench.run(&["--intent", "fix ValidateToken", "--quiet"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    assert!(answer.stdout.starts_with("# Session context: fix ValidateToken\n"), "{}", answer.stdout);
}

#[test]
fn what_fails_in_words_that_nobody_knows_is_quoted_without_its_secrets() {
    let bench = Bench::new("broken-go");
    let secret = token("output");
    bench.tool("tools/go", &format!("echo first; echo 'the proxy refused {secret}' >&2; exit 7"));
    let answer = bench.run(&["--only", "test"]);
    assert_eq!((answer.code, answer.stdout.as_str()), (3, ""));
    assert!(answer.stderr.contains("failed with exit code 7 and says: first / the proxy refused"), "{}", answer.stderr);
    assert!(!answer.stderr.contains(&secret), "{}", answer.stderr);
    let answer = bench.run(&["--only", "test", "--intent", "fix the ledger", "--quiet"]);
    assert!(answer.stdout.contains("failed with exit code 7 and says: first"), "{}", answer.stdout);
    assert!(!answer.stdout.contains(&secret), "{}", answer.stdout);
    // What a file of the repository gives away is no secret by its form.
    bench.scratch.file("project/.env", b"DB_PASSWORD=copper-walnut-5512\n");
    bench.tool("tools/go", "echo 'logs in as copper-walnut-5512'; exit 7");
    let answer = bench.run(&["--only", "test", "--format", "json"]);
    let said = [answer.stdout, answer.stderr].concat();
    assert!(said.contains("logs in as [REDACTED") && !said.contains("walnut"), "{said}");
}

#[test]
fn no_program_of_the_repository_is_used() {
    let bench = Bench::new("broken-go");
    let witness = bench.path("ran");
    let script = format!("touch '{}'", witness.display());
    bench.tool("project/bin/go", &script);
    fs::create_dir_all(bench.path("links")).expect("a folder");
    std::os::unix::fs::symlink(bench.path("project/bin/go"), bench.path("links/go")).expect("a link");
    let mut inside = bench.command(&["project/bin", "links"], &["--run", "--no-state"]);
    let answer = ended(inside.current_dir(bench.path("project/bin")));
    assert_eq!((answer.code, answer.stdout.as_str()), (3, ""));
    assert!(answer.stderr.contains("was not run: the `go` on PATH lies in the repository"), "{}", answer.stderr);
    // An entry that means the current folder, and one that is empty, which means it too.
    let mut relative = bench.command(&[], &["--run", "--no-state"]);
    let answer = ended(relative.current_dir(bench.path("project/bin")).env("PATH", ".::bin"));
    assert!(answer.stderr.contains("was not run: `go` is not on PATH"), "{}", answer.stderr);
    assert!(!witness.exists());
}

#[test]
fn tests_that_both_outputs_of_a_command_count_are_counted_once() {
    let bench = Bench::new("broken-ts");
    fs::create_dir(bench.root.join("node_modules")).expect("a folder");
    let json = r#"{"numRuntimeErrorTestSuites": 0, "testResults": [{"name": "a.test.js", "status": "passed", "assertionResults": [
        {"title": "x", "status": "passed"}, {"title": "y", "status": "passed"}]}]}"#;
    let jest = format!("echo '{json}'; echo 'Tests:       2 passed, 2 total' >&2; exit 1");
    bench.tool("tools/npx", &format!("if [ \"$2\" = jest ]; then {jest}; fi"));
    let answer = bench.run(&["--only", "test"]);
    assert!(answer.stderr.contains("commands run: 2, tests passed: 2"), "{}", answer.stderr);
    // What only the other output says is added.
    bench.tool("tools/npx", &format!("if [ \"$2\" = jest ]; then {}; fi", jest.replace("2 passed, 2", "5 passed, 5")));
    let answer = bench.run(&["--only", "test"]);
    assert!(answer.stderr.contains("commands run: 2, tests passed: 5"), "{}", answer.stderr);
}
