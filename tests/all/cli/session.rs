//! The session file and the built command: what goes in comes out, nothing is lost or leaks, and what cannot be used is refused.
//!
//! Must not test a rule over turns: the session's tests do.

use super::{Scratch, command, corpus, run, run_with};
use context::state::SessionState;
use engine::blackboard::Blackboard;
use redact::Masker;
use session::{Sent, SentEntry, Session, store};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// A session file in a folder of its own.
struct File {
    scratch: Scratch,
    path: PathBuf,
}

impl File {
    fn new() -> Self {
        let scratch = Scratch::new();
        let path = scratch.0.join("s.json");
        let file = Self { scratch, path };
        file.ask("new", &[]);
        file
    }

    fn text(&self) -> &str {
        self.path.to_str().expect("text")
    }

    /// What a command about the file writes, which must succeed.
    fn ask(&self, command: &str, args: &[&str]) -> String {
        let answer = run(&[&["session", command, self.text()], args].concat());
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{command} {args:?}");
        answer.stdout
    }

    /// A command about the file that must be refused and change nothing.
    fn refused(&self, command: &str, args: &[&str], code: i32, says: &str) {
        let before = fs::read(&self.path).ok();
        let answer = run(&[&["session", command, self.text()], args].concat());
        assert_eq!((answer.code, answer.stdout.as_str()), (code, ""), "{command} {args:?}: {}", answer.stderr);
        assert!(answer.stderr.contains(says), "{command} {args:?}: {}", answer.stderr);
        assert_eq!(fs::read(&self.path).ok(), before);
    }

    fn read(&self) -> Session {
        store::read(&self.path).expect("a session")
    }

    /// The names in its folder.
    fn beside(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.scratch.0).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
    }
}

#[test]
fn what_is_noted_is_shown_and_reaches_the_packet() {
    let file = File::new();
    assert_eq!(file.ask("turn", &["--intent", "fix ValidateToken"]), "turn 1\n");
    let finding = "[SECURITY] ValidateToken takes empty tokens (reviewer)";
    let noted = file.ask(
        "note",
        &[
            "--action",
            "/fix login.go",
            "--touched",
            "./internal/auth/login.go",
            "--finding",
            finding,
            "--result",
            "tester:failed:go test:3 fail",
            "--warning",
            "Keys need permission",
            "--blocked",
            "rm -rf is forbidden",
        ],
    );
    assert_eq!(noted, "finding 1\n");
    file.ask("note", &["--knowledge", "Claims expire", "--topic", "claims", "--confidence", "0.9"]);
    file.ask("note", &["--knowledge", "Claims expire", "--topic", "Claims"]);
    file.ask(
        "note",
        &["--hint", "Sign with RS256", "--exemplar", "See keys.go", "--anti-pattern", "HS256", "--topic", "nowhere"],
    );
    file.ask("note", &["--tool", "keygen:Makes keys: all:.tools/keygen", "--topic", "auth"]);
    file.ask("campaign", &["--goal", "signed tokens", "--task", "T1:keys", "--task", "T2:tokens:after=T1", "--doing", "T2"]);
    file.ask("campaign", &["--phase", "Phase 1: keys", "--goal", "make keys", "--requirement", "REQ-1"]);
    assert_eq!(file.ask("turn", &["--intent", "fix it\nagain"]), "turn 2\n");

    let shown = file.ask("show", &[]);
    assert_eq!(
        shown,
        "turn 2: fix it again\n\
         tests: not run in this turn or the one before; retries: 0\n\
         open findings: 1\n  \
           1 [SECURITY] ValidateToken takes empty tokens (reviewer)\n\
         blocked actions: 1\n  \
           rm -rf is forbidden\n\
         warnings: 1\n  \
           Keys need permission\n\
         campaign: active\n  \
           phase Phase 1: keys\n  \
           goal make keys\n  \
           T1 open keys\n  \
           T2 doing tokens (after T1)\n  \
           blocked by T1:keys\n  \
           fulfils REQ-1\n\
         files changed: 1\n  \
           internal/auth/login.go (turn 1)\n\
         earlier turns: 1\n  \
           turn 1: fix ValidateToken; edited internal/auth/login.go; tester failed; found 1 [SECURITY]\n\
         the next packet has\n  \
           whatever the task is: 1 safety_warning, 1 blocked_action, 1 shard_result, 1 action\n  \
           what the task touches of: 1 finding, 1 knowledge, 1 hint, 1 tool\n"
    );
    assert_eq!(file.ask("show", &[]), shown);
    let state = SessionState::parse(&file.ask("show", &["--json"])).expect("a state");
    assert_eq!(state, SessionState::of(&file.read()).expect("a state"));
    assert_eq!(state.knowledge_atoms.len(), 1, "the same words are the same fact");

    let go = corpus().join("auth-go");
    let intent = ["--intent", "fix ValidateToken in internal/auth", "--repo", go.to_str().expect("text")];
    let quiet = ["--no-cache", "--no-state", "--quiet", "--session", file.text()];
    let packet = run(&[&intent[..], &quiet].concat()).stdout;
    for line in [
        "  - [SECURITY] ValidateToken takes empty tokens (reviewer) (finding 1)",
        "  BLOCKED: rm -rf is forbidden",
        "  WARNING: Keys need permission",
        "  Current Phase: Phase 1: keys",
        "  Blocked by: T1:keys",
        "  [tester] FAILED: go test - 3 fail",
        "  - /fix login.go",
        "  turn 1: fix ValidateToken; edited internal/auth/login.go; tester failed; found 1 [SECURITY]",
        "  - Claims expire",
        "  - keygen: Makes keys: all",
    ] {
        assert!(packet.contains(&format!("{line}\n")), "{line}: {packet}");
    }
    assert!(!packet.contains("RS256"), "the task does not touch it");

    file.ask("resolve", &["--finding", "1"]);
    file.ask("campaign", &["--done", "T1"]);
    let packet = run(&[&intent[..], &quiet].concat()).stdout;
    assert!(!packet.contains("takes empty tokens") && !packet.contains("Blocked by"), "{packet}");
    file.ask("campaign", &["--end"]);
    assert!(!SessionState::of(&file.read()).expect("a state").campaign_active);
    assert!(file.ask("show", &[]).contains("campaign: over\n  phase Phase 1: keys\n"));

    // What is over stays over.
    file.refused("campaign", &["--done", "T2"], 2, "there is no task `T2`; there is none yet");
    file.ask("campaign", &["--goal", "faster start"]);
    let shown = file.ask("show", &[]);
    assert!(shown.contains("campaign: active\n  goal faster start\nfiles changed: 1\n"), "{shown}");
}

#[test]
fn a_file_is_as_its_schema_says() {
    let file = File::new();
    file.ask("turn", &["--intent", "x"]);
    file.ask("note", &["--finding", "[X] y", "--tool", "a:b:c", "--hint", "d"]);
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/packets/schema/session-file.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(schema).expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let session = serde_json::from_str(&fs::read_to_string(&file.path).expect("a file")).expect("JSON");
    assert_eq!(validator.iter_errors(&session).map(|error| error.to_string()).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn many_processes_lose_nothing() {
    const N_PROCESSES: usize = 8;
    const N_NOTES: usize = 25;
    let file = File::new();
    file.ask("turn", &["--intent", "x"]);
    thread::scope(|scope| {
        for process in 0..N_PROCESSES {
            let file = &file;
            scope.spawn(move || {
                for note in 0..N_NOTES {
                    file.ask("note", &["--action", &format!("{process} {note}"), "--finding", &format!("[X] {process} {note}")]);
                }
            });
        }
    });
    let session = file.read();
    let actions = &session.turns[0].actions;
    for process in 0..N_PROCESSES {
        let own: Vec<&String> = actions.iter().filter(|action| action.starts_with(&format!("{process} "))).collect();
        assert_eq!(own, (0..N_NOTES).map(|note| format!("{process} {note}")).collect::<Vec<_>>().iter().collect::<Vec<_>>());
    }
    let mut numbers: Vec<u32> = session.findings().map(|finding| finding.number).collect();
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq(1..=(N_PROCESSES * N_NOTES) as u32), "{numbers:?}");
    assert_eq!(file.beside(), ["s.json"]);
}

#[test]
fn who_is_killed_leaves_a_file_that_can_be_read_and_changed() {
    let file = File::new();
    // So much that writing takes a while.
    let mut session = file.read();
    session.safety_warnings = (0..4_000).map(|number| format!("{number} {}", "x".repeat(400))).collect();
    store::update(&file.path, &Masker::knowing_nothing(), |known| {
        *known = session;
        Ok(())
    })
    .expect("a session");
    let mut noted: Vec<String> = Vec::new();
    let mut n_killed = 0;
    for round in 0..40 {
        let text = format!("note {round}");
        let args = ["session", "note", file.text(), "--blocked", &text];
        let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a command");
        thread::sleep(Duration::from_millis(round * 3));
        child.kill().expect("a child of ours");
        n_killed += usize::from(child.wait().expect("an end").code().is_none());
        let now = file.read();
        assert_eq!(now.safety_warnings.len(), 4_000, "round {round}");
        noted.push(text);
        noted.retain(|text| now.blocked_actions.contains(text));
        assert_eq!(now.blocked_actions, noted, "round {round}: each is there once, or it is not there");
    }
    assert!(n_killed > 0);
    file.ask("note", &["--blocked", "the last"]);
    noted.push("the last".to_owned());
    assert_eq!(file.read().blocked_actions, noted);
    assert_eq!(file.beside(), ["s.json"], "what the killed left behind is gone");
}

#[test]
fn what_cannot_be_used_is_refused_with_its_place_and_stays() {
    let file = File::new();
    file.refused("new", &[], 2, "exists already and stays as it is");
    file.refused("note", &[], 2, "--action <TEXT>");
    file.refused("note", &["--finding", "x", "--topic", "y"], 2, "`--topic` says what a fact, a hint or a tool is about");
    file.refused("note", &["--action", "x", "--always"], 2, "--knowledge");
    file.refused("note", &["--touched", "../x"], 2, "`../x` cannot be noted: a path with `..`");
    file.refused("note", &["--result", "x:done:y"], 2, "`done` is neither `ok` nor `failed`");
    file.refused("note", &["--knowledge", "x", "--confidence", "2"], 2, "from 0 to 1");
    file.refused("note", &["--action", &"x".repeat(20_000)], 2, "`actions` holds a text of 20000 bytes, more than 16384");
    file.refused("turn", &["--intent", " "], 2, "the intent is empty");
    file.refused("resolve", &["--finding", "1"], 2, "there is no finding 1; none is open");
    file.refused("campaign", &["--done", "T9"], 2, "there is no task `T9`; there is none yet");
    file.refused("campaign", &["--task", "A:a:after=B", "--task", "B:b:after=A"], 2, "the tasks `A`, `B` wait for each other");
    file.refused("campaign", &["--task", "A:a:after=Z"], 2, "`A` waits for `Z`, which no task has");
    file.refused("outcome", &["--edited", "a.go"], 2, "no packet of this session is known");
    let link = File { path: file.scratch.0.join("link.json"), scratch: Scratch::new() };
    std::os::unix::fs::symlink(&file.path, &link.path).expect("a link");
    link.refused("show", &[], 7, "it is a link");
    link.refused("turn", &["--intent", "x"], 7, "it is a link");
    link.refused("new", &[], 2, "exists already");
    let gone = File { path: file.scratch.0.join("gone.json"), scratch: Scratch::new() };
    gone.refused("turn", &["--intent", "x"], 7, "make it with `activate session new ");
    assert!(!gone.path.exists());
    let form = "{\n  \"schema\": \"activate.session-file.v1\",\n";
    for (content, says) in [
        (format!("{form}  \"turn\": 1,\n}}"), "line 4 column 1: trailing comma"),
        (format!("{form}  \"turn\": 1, \"turms\": []\n}}"), "line 3 column 20: unknown field `turms`"),
        (form.replace("v1", "v2"), "line 2 column 38: unknown variant `activate.session-file.v2`"),
        (String::new(), "line 1 column 1: expected an object"),
    ] {
        fs::write(&file.path, &content).expect("a file");
        file.refused("show", &[], 2, says);
        file.refused("turn", &["--intent", "x"], 2, &format!("s.json` cannot be used: {says}"));
        let ask = run(&["--intent", "x", "--session", file.text(), "--no-cache", "--no-state"]);
        assert!(ask.code == 2 && (content.is_empty() || ask.stderr.contains(says)), "{}", ask.stderr);
    }
}

#[test]
fn no_secret_reaches_the_file() {
    let token = ["ghp", "_", "q9Rt2LmX7vKc4PzW8nBd5HyF3sJg6TaE1uQo"].concat();
    let file = File::new();
    fs::remove_file(&file.path).expect("a file");
    file.ask("new", &["--goal", &token, "--phase", &token]);
    let stdin = run_with(format!("fix it\nwith {token}").as_bytes(), &["session", "turn", file.text(), "--intent", "-"]);
    assert_eq!(stdin.code, 0, "{}", stdin.stderr);
    let with = |text: &str| text.replace('@', &token);
    for flags in [
        &["--action", "@"][..],
        &["--touched", "a/@/b.go"],
        &["--finding", "[X] @ (y)"],
        &["--result", "@:ok:@:@"],
        &["--warning", "@", "--blocked", "@"],
        &["--knowledge", "@", "--topic", "@"],
        &["--hint", "@", "--exemplar", "@", "--anti-pattern", "@"],
        &["--tool", "@:@:@"],
    ] {
        let flags: Vec<String> = flags.iter().map(|flag| with(flag)).collect();
        file.ask("note", &flags.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let task = with("@:@");
    file.ask("campaign", &["--phase", &token, "--goal", &token, "--requirement", &token, "--task", &task]);
    let text = fs::read_to_string(&file.path).expect("a file");
    assert!(!text.contains(&token[4..]), "{text}");
    assert!(text.matches("[REDACTED:").count() > 20, "{text}");
    let shown = file.ask("show", &[]);
    assert!(!shown.contains(&token[4..]), "{shown}");
}

#[test]
fn no_token_is_written_that_a_library_user_put_into_a_session() {
    let scratch = Scratch::new();
    let path = scratch.0.join("s.json");
    let token = ["ghp", "_", &"a1B2c3D4e5".repeat(4)[..36]].concat();
    let text = format!("it logs {token}");
    let note = |session: &mut Session| {
        session.begin(&text)?;
        session.current().actions.push(text.clone());
        session.safety_warnings.push(text.clone());
        session.add_finding(&text).map(drop)
    };
    let board = Blackboard::default();
    board.change(note).expect("a finding");
    store::create(&path, &board.session(), &Masker::knowing_nothing()).expect("a session");
    let created = fs::read_to_string(&path).expect("a file");
    store::update(&path, &Masker::knowing_nothing(), note).expect("a session");
    let updated = fs::read_to_string(&path).expect("a file");
    for (text, n_masks) in [(&created, 4), (&updated, 8)] {
        assert!(!text.contains(&token[4..]), "{text}");
        assert_eq!(text.matches("[REDACTED:").count(), n_masks, "{text}");
    }
    let again = scratch.0.join("again.json");
    store::create(&again, &store::read(&path).expect("a session"), &Masker::knowing_nothing()).expect("a session");
    assert_eq!(fs::read_to_string(&again).expect("a file"), updated);
}

#[test]
fn outcomes_are_counted_and_weigh_links_where_their_file_is_named() {
    let file = File::new();
    let entry = |path: String, link: &str| SentEntry { path: Some(path), link: Some(link.to_owned()), ..SentEntry::default() };
    let mut entries: Vec<SentEntry> = (0..30).map(|number| entry(format!("caller{number}.go"), "called_by")).collect();
    entries.extend((0..30).map(|number| entry(format!("other{number}.go"), "imports")));
    entries.push(entry("meant.go".into(), "named"));
    store::update(&file.path, &Masker::knowing_nothing(), |session| {
        session.begin("x")?;
        session.record_sent(Sent { pack_id: "0123".into(), entries });
        Ok(())
    })
    .expect("a session");
    let out = file.scratch.0.join("weights.json");
    let out = out.to_str().expect("text");
    let weights = || run(&["session", "weights", file.text(), "--out", out]);
    assert_eq!((weights().code, Path::new(out).exists()), (3, false));
    let edited: Vec<String> = (0..15).map(|number| format!("./caller{number}.go")).collect();
    let edited: Vec<&str> = ["--edited", "meant.go", "new.go"].into_iter().chain(edited.iter().map(String::as_str)).collect();
    for _ in 0..2 {
        let counted = file.ask("outcome", &edited);
        assert!(counted.starts_with("packet 0123: 16 of 61 files edited; edited and not in it: 1\n"), "{counted}");
        assert!(
            counted.contains("  called_by: 15 of 30 edited\n  imports: 0 of 30 edited\n  named: 1 of 1 edited\n"),
            "{counted}"
        );
    }
    let answer = weights();
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    let row = |link: &str| answer.stdout.lines().find(|line| line.starts_with(&format!("{link} "))).expect("a row").to_owned();
    let words = |line: String| line.split_whitespace().take(5).collect::<Vec<_>>().join(" ");
    assert_eq!(words(row("called_by")), "called_by 30 15 700 1000");
    assert_eq!(words(row("imports")), "imports 30 0 600 300");
    assert!(row("calls").ends_with("fewer than 20 files: as it was"));
    assert_eq!(
        fs::read_to_string(out).expect("weights"),
        "{\n  \"links\": {\n    \"called_by\": 1000,\n    \"imports\": 300\n  }\n}\n"
    );
    let go = corpus().join("auth-go");
    let ask = ["--intent", "fix ValidateToken", "--repo", go.to_str().expect("text"), "--no-cache", "--no-state", "--quiet"];
    let plain = run(&ask);
    let weighed = run(&[&ask[..], &["--weights", out]].concat());
    assert!(weighed.code == 0 && weighed.stdout != plain.stdout);
    // The intent of the turn says nothing here: only its own outcomes could change the answer, and they do not.
    assert_eq!(run(&[&ask[..], &["--session", file.text()]].concat()).stdout, plain.stdout);
    assert_eq!(run(&[&ask[..], &["--session", file.text(), "--record"]].concat()).stdout, plain.stdout);
    let counted = file.ask("outcome", &["--edited", "internal/auth/login.go"]);
    assert!(counted.contains(" files edited; edited and not in it: 0\n") && counted.contains(": 1 of "), "{counted}");
}

#[test]
fn retries_are_counted_over_runs_of_other_tests() {
    let go = corpus().join("auth-go");
    let fails = "=== RUN   TestA\n    a_test.go:3: no\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s\n";
    let other = "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/b\t0.1s\n";
    let passes = "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/a\t0.1s\n";
    let quiet = "ok  \texample.com/a\t0.1s\n";
    let quiet_other = "ok  \texample.com/b\t0.1s\n";
    let broken = "# example.com/a\na/a.go:3:5: undefined: Q\nFAIL\texample.com/a [build failed]\nok  \texample.com/b\t0.1s\n";
    // The heading of a binary goes to stderr.
    let rust = "running 2 tests\ntest works ... FAILED\ntest other ... ok\n\nfailures:\n\n---- works stdout ----\nno\n\nfailures:\n    works\n\n\
                test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let rust_whole = format!("     Running unittests src/lib.rs (target/debug/deps/shop-0123456789abcdef)\n\n{rust}");
    let rust_dots = "running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let vitest = "      Tests  3 passed (3)\n";
    let go = fs::canonicalize(go).expect("a folder");
    let root = go.to_str().expect("text");
    let jest_json = format!(
        r#"{{"numRuntimeErrorTestSuites": 0, "testResults": [{{"name": "{root}/web/a.test.js", "status": "failed", "assertionResults": [
            {{"ancestorTitles": ["login"], "title": "works", "status": "failed", "failureMessages": ["Error: no"]}}]}}]}}"#
    );
    let jest = "FAIL web/a.test.js\n  ● login › works\n\n    no\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 7 passed, 8 total\n";
    let (failing, passing) = ("1 failing; retries: ", "passing; retries: ");
    let not_run = "1 that failed before was not run; retries: ";
    let both = "1 failing, 1 that failed before was not run; retries: ";
    let dialogues: [&[(&str, &str, u32)]; 6] = [
        &[
            (fails, failing, 0),
            (fails, failing, 1),
            (other, not_run, 0),
            (fails, failing, 2),
            (passes, passing, 0),
            (fails, failing, 0),
            (quiet, passing, 0),
            (fails, failing, 0),
        ],
        &[(fails, failing, 0), (fails, failing, 1), (broken, not_run, 0), (fails, failing, 2)],
        &[(fails, failing, 0), (fails, failing, 1), (quiet_other, not_run, 0), (fails, failing, 2)],
        &[
            (rust, failing, 0),
            (&rust_whole, failing, 1),
            (vitest, not_run, 0),
            (rust, failing, 2),
            (rust_dots, passing, 0),
            (&rust_whole, failing, 0),
        ],
        &[(jest, failing, 0), (&jest_json, failing, 1), (jest, failing, 2), (vitest, not_run, 0), (&jest_json, failing, 3)],
        &[(rust, failing, 0), (fails, both, 0), (&rust_whole, both, 1)],
    ];
    for logs in dialogues {
        let file = File::new();
        for (log, tests, retries) in logs {
            file.ask("turn", &["--intent", "fix it"]);
            let args = ["--session", file.text(), "--record", "--tests", "-", "--no-cache", "--no-state", "--quiet"];
            let answer = run_with(log.as_bytes(), &[&args[..], &["--repo", root]].concat());
            assert!(answer.stdout.starts_with("# Session context: fix it\n"), "{}", answer.stderr);
            let shown = file.ask("show", &[]);
            assert!(shown.contains(&format!("tests: {tests}{retries}\n")), "{log}: {shown}");
            assert!(!fs::read_to_string(&file.path).expect("a session").contains(&format!("{root}/web")));
        }
    }
}

#[test]
fn nothing_of_a_log_of_another_project_is_recorded() {
    let go = corpus().join("auth-go");
    let file = File::new();
    file.ask("turn", &["--intent", "fix ValidateToken"]);
    let record = |log: &str, flag: &str| {
        let args = ["--session", file.text(), "--record", flag, "-", "--no-cache", "--no-state"];
        let answer = run_with(log.as_bytes(), &[&args[..], &["--repo", go.to_str().expect("text")]].concat());
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        (answer.stderr, file.ask("show", &[]))
    };
    let own = "--- FAIL: TestValidateToken (0.00s)\n    login_test.go:9: no\nFAIL\texample.com/auth/internal/auth\t0.1s\n";
    let (said, shown) = record(own, "--tests");
    let state = SessionState::of(&file.read()).expect("a state");
    assert!(!said.contains("not recorded") && shown.contains("tests: 1 failing"), "{said}{shown}");
    let far = "--- FAIL: TestFar (0.00s)\n    far/away_test.go:9: no\n--- FAIL: TestOff (0.00s)\n    far/off_test.go:9: no\nFAIL\tother/far\t0.1s\n";
    for (log, flag) in [(far, "--tests"), ("far/away.go:3:4: undefined: y\nfar/off.go:3:4: undefined: y\n", "--diagnostics")] {
        let (said, after) = record(log, flag);
        assert!(said.contains("is it a log of another project?"), "{said}");
        assert!(said.contains("what stdin says is not recorded as failing here: it may be about another project"), "{said}");
        assert_eq!(after.lines().nth(1), shown.lines().nth(1), "{after}");
        assert_eq!(SessionState::of(&file.read()).expect("a state"), state);
    }
}

#[test]
fn a_log_that_is_empty_or_of_another_project_is_said_to_be_so() {
    let go = corpus().join("auth-go");
    let ask = |log: &str| {
        let args = ["--intent", "fix ValidateToken", "--diagnostics", "-", "--no-cache", "--no-state"];
        let answer = run_with(log.as_bytes(), &[&args[..], &["--repo", go.to_str().expect("text")]].concat());
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        answer.stderr
    };
    for log in ["", " \n\n"] {
        assert!(ask(log).contains("stdin: empty: nothing to read"), "{}", ask(log));
    }
    let other = ask("far/away.go:3:4: undefined: y\nfar/off.go:3:4: undefined: y\n");
    assert!(
        other.contains("none of the 2 files named in stdin is in this repository: is it a log of another project?"),
        "{other}"
    );
    assert!(!ask("# example.com/a\n{}\n").contains("stdin"));
}
