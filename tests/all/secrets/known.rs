//! A secret that one file gives away reaches nobody from any other place: not bare in code, titles, commits, logs, sessions, plans or arguments.
//!
//! Must not test what a secret looks like.

use crate::cli::{Ended, Scratch, command, ended};
use crate::replay::Replayed;
use context::budget::Budget;
use engine::{CacheChoice, Engine, Options, Request};
use signals::{self, Report};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Given away by `.env`, which git ignores, by a listed file, and by a log.
const IGNORED: &str = "copper-walnut-5512";
const LISTED: &str = "Hx7vpq2W-d9Lk4Tz";
const LOGGED: &str = "bV83kqPz61mXw0Yt";

const HISTORY: &str = r#"
commit 1704963600 Ada <ada@example.com> | Log in with IGNORED
| It was LISTED before.
edit .gitignore
+.env
edit go.mod
+module example.com/a
edit config/app.ini
+[mail]
+password = LISTED
edit a/login.go
+package a
+
+// Login was tried with LISTED and IGNORED.
+func Login(name string) string { return name + "IGNORED" + "LISTED" + "LOGGED" }
edit a/login_test.go
+package a
+
+import "testing"
+
+func TestLogin(t *testing.T) {
+	t.Run("takes IGNORED", func(t *testing.T) { Login("LISTED") })
+}
edit Makefile
+test: ; LOGIN=IGNORED X=LOGGED go test ./...
edit docs/PRD.md
+# Login
+Everybody logs in as IGNORED.
edit AGENTS.md
+Before you call `Login` see a/login.go, never use IGNORED.
"#;

const LOG: &str = "=== RUN   TestLogin
    login_test.go:6: Authorization: Bearer LOGGED
    login_test.go:6: Login was IGNORED, LISTED, LOGGED
--- FAIL: TestLogin (0.00s)
    --- FAIL: TestLogin/takes_IGNORED (0.00s)
        login_test.go:6: got LOGGED, want LISTED
FAIL
FAIL\texample.com/a\t0.01s
";

const SESSION: &str =
    r#"{"recent_actions": ["/fix Login with IGNORED"], "recent_findings": ["[SECURITY] LISTED is logged (reviewer)"]}"#;

fn planted(text: &str) -> String {
    text.replace("IGNORED", IGNORED).replace("LISTED", LISTED).replace("LOGGED", LOGGED)
}

/// A repository, and folders of the user's own.
struct Bench {
    scratch: Scratch,
    repository: Replayed,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { scratch: Scratch::new(), repository: Replayed::of(&planted(HISTORY), Path::new("")) };
        fs::write(bench.repository.path().join(".env"), format!("DB_PASSWORD={IGNORED}\n")).expect("a file");
        bench
    }

    fn path(&self, name: &str) -> String {
        self.scratch.0.join(name).to_str().expect("text").to_owned()
    }

    fn file(&self, name: &str, text: &str) -> String {
        self.scratch.file(name, planted(text).as_bytes()).to_str().expect("text").to_owned()
    }

    /// What a command writes, of which nothing may be a secret.
    fn run(&self, args: &[&str]) -> Ended {
        let mut command = command(args);
        command.current_dir(self.repository.path());
        command.env("XDG_CACHE_HOME", self.path("cache")).env("XDG_STATE_HOME", self.path("state"));
        let ended = ended(&mut command);
        assert_clean(&args.join(" "), &format!("{}{}", ended.stdout, ended.stderr));
        ended
    }

    fn answer(&self, args: &[&str]) -> String {
        let ended = self.run(args);
        assert_eq!(ended.code, 0, "{args:?}: {ended:?}");
        ended.stdout
    }
}

/// What no log gives away is not known without it.
fn assert_clean(what: &str, text: &str) {
    let secrets = [IGNORED, LISTED, LOGGED];
    for secret in &secrets[..if what.contains("--tests") { 3 } else { 2 }] {
        // The index of words has lower case alone.
        let lower = text.to_lowercase();
        assert!(!lower.contains(&secret.to_lowercase()), "{secret} stands in {what}:\n{text}");
    }
}

/// Every file below a folder, as text.
fn assert_clean_folder(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    for file in &files {
        assert_clean(&file.display().to_string(), &String::from_utf8_lossy(&fs::read(file).expect("a file")));
    }
    files.len() + folders.iter().map(|folder| assert_clean_folder(folder)).sum::<usize>()
}

#[test]
fn no_packet_receipt_or_record_holds_what_another_text_gives_away() {
    let bench = Bench::new();
    let (log, session, receipt) = (bench.file("log", LOG), bench.file("session.json", SESSION), bench.path("receipt.json"));
    let intent = planted("fix Login for IGNORED and LISTED");
    for kind in ["session", "context-pack", "manifest", "hydrated"] {
        let kind =
            ["--packet", kind, "--intent", &intent, "--scope", &planted("only IGNORED"), "--pin", "PRD", "--receipt", &receipt];
        for given in [&[][..], &["--tests", &log, "--session", &session]] {
            let answer = bench.answer(&[&kind[..], given].concat());
            assert!(answer.contains("[REDACTED:assigned-secret]"), "{answer}");
            assert_clean(&format!("the receipt {given:?}"), &fs::read_to_string(&receipt).expect("a receipt"));
        }
    }
    let text = bench.answer(&["--intent", &intent, "--why", "--tests", &log]);
    for shown in
        ["fix Login for [REDACTED:assigned-secret] and", "| got [REDACTED:http-credential], want [REDACTED:assigned-secret]"]
    {
        assert!(text.contains(shown), "{text}");
    }
    bench.answer(&["--intent", "fix Login", "--format", "facts"]);
    bench.answer(&["why", "a/login.go", "--intent", &intent]);
    let pack: serde_json::Value =
        serde_json::from_str(&bench.answer(&["--intent", &intent, "--packet", "manifest"])).expect("JSON");
    let id = pack["pack_id"].as_str().expect("an id");
    for args in [&["show", id][..], &["expand", id, "--include", "tests"], &["trim", id, "--max-lines", "9"], &["rebuild", id]] {
        bench.answer(&[&["packet"], args].concat());
    }
    assert!(bench.answer(&["packet", "read", id, "a/login.go:1-4"]).contains("[REDACTED:assigned-secret]"));
    bench.run(&["packet", "read", id, IGNORED]);
    assert!(assert_clean_folder(Path::new(&bench.path("state"))) > 4);
}

#[test]
fn no_worker_or_phase_packet_holds_it() {
    let bench = Bench::new();
    let task =
        r#"{"id": "T1", "filesModified": ["a/login.go"], "acceptanceCriteria": ["AC-1"], "tddMode": "hard", "riskTier": "high"}"#;
    let (task, receipt) = (bench.file("task.json", task), bench.path("receipt.json"));
    bench.file("plan/SCARS.md", "## Active Prevention Rules\n\n| Rule |\n| --- |\n| Never log IGNORED |\n");
    bench.file("plan/STATE.md", "# State\nStill logs IGNORED.\n");
    bench.file("plan/ACCEPTANCE_MASTER.md", "# AC-1\nLogin refuses LISTED.\n");
    let plan = bench.path("plan");
    let packet = bench.answer(&["packet", "worker", "--task", &task, "--plan", &plan, "--receipt", &receipt]);
    assert!(packet.contains("Login refuses [REDACTED:assigned-secret]"), "{packet}");
    assert_clean("the receipt", &fs::read_to_string(&receipt).expect("a receipt"));
    let packet = bench.file("packet.json", &packet);
    for given in [&["--task", &task][..], &["--task", &task, "--plan", &plan]] {
        assert_eq!(bench.answer(&[&["packet", "check", &packet], given].concat()), "ok: worker\n");
    }
    bench.answer(&["packet", "permit", "--packet", &packet, "--path", "a/login_test.go"]);
    // A path that is none is answered and recorded like others.
    let ledger = bench.path("ledger.jsonl");
    bench.run(&["packet", "permit", "--packet", &packet, "--path", &planted("../IGNORED"), "--ledger", &ledger]);
    assert_clean("the ledger", &fs::read_to_string(&ledger).expect("a ledger"));
    fs::write(bench.repository.path().join(format!("a/x{LISTED}.go")), "package a\n").expect("a file");
    let audit = bench.run(&["packet", "audit", "--packet", &packet]);
    assert!(audit.stdout.contains("a/x[REDACTED:assigned-secret].go: "), "{audit:?}");
}

#[test]
fn what_somebody_says_gives_away_what_code_holds() {
    let bench = Bench::new();
    // What stands in no file and no log of these questions, but bare in the code.
    let code = || bench.answer(&["--intent", "fix Login"]);
    assert!(code().contains(LOGGED));
    let session = bench.file("session.json", r#"{"recent_findings": ["[SECURITY] Authorization: Bearer LOGGED is logged (x)"]}"#);
    let said = planted("fix Login with password=LOGGED");
    for given in [&["--intent", &said][..], &["--intent", "fix Login", "--session", &session]] {
        for kind in ["session", "context-pack", "hydrated"] {
            let answer = bench.answer(&[&["--packet", kind], given].concat());
            assert!(answer.contains("[REDACTED:") && !answer.contains(LOGGED), "{given:?} {kind}: {answer}");
        }
    }
    let task =
        r#"{"id": "T1", "filesModified": ["a/login.go"], "acceptanceCriteria": [], "tddMode": "hard", "riskTier": "high"}"#;
    let task = bench.file("task.json", task);
    bench.file("plan/STATE.md", "# State\nauth_token = \"LOGGED\"\n");
    let worker = |plan: &[&str]| bench.answer(&[&["packet", "worker", "--task", &task], plan].concat());
    assert!(worker(&[]).contains(LOGGED) && !worker(&["--plan", &bench.path("plan")]).contains(LOGGED));

    let phase = bench.path("phase.md");
    let (title, status) = (planted("Log in as IGNORED"), planted("LISTED fails, Authorization: Bearer LOGGED"));
    let new = ["packet", "phase", "new", "--task-id", "T", "--title", &title, "--description", "b", "--feature", &title];
    bench.answer(&[&new[..], &["--test-type", "unit", "--out", &phase]].concat());
    let intent = planted("LOGGED and IGNORED");
    bench.answer(&["packet", "phase", "update", &phase, "--phase", "RED", "--status", &status, "--test-intent", &intent]);
    let text = fs::read_to_string(&phase).expect("a packet");
    assert_clean("--tests: the packet of phases", &text);
    assert!(text.contains("Log in as [REDACTED:") && text.contains("[REDACTED:http-credential] and [REDACTED:"), "{text}");
}

#[test]
fn a_session_is_shown_without_what_is_given_away_later_and_written_without_it_where_nothing_is_defined() {
    let bench = Bench::new();
    let (file, env) = (bench.path("kept.json"), bench.repository.path().join(".env"));
    let given = fs::read(&env).expect("a file");
    fs::remove_file(&env).expect("removed");
    let note = |args: &[&str]| {
        let mut command = command(args);
        command.current_dir(bench.repository.path()).env("XDG_CACHE_HOME", bench.path("cache"));
        assert_eq!(ended(&mut command).code, 0, "{args:?}");
    };
    note(&["session", "new", &file]);
    note(&["session", "note", &file, "--finding", &planted("[SECURITY] IGNORED is logged (reviewer)")]);
    fs::write(&env, &given).expect("a file");
    assert!(bench.answer(&["session", "show", &file, "--json"]).contains("[REDACTED:assigned-secret]"));

    for code in ["a/login.go", "a/login_test.go"] {
        fs::write(bench.repository.path().join(code), "package a\n").expect("a file");
    }
    let other = bench.path("other.json");
    bench.answer(&["session", "new", &other]);
    bench.answer(&["session", "turn", &other, "--intent", &planted("log in as IGNORED")]);
    assert_clean("the session", &fs::read_to_string(&other).expect("a session"));
}

#[test]
fn files_that_git_ignores_give_away_what_code_holds_also_at_a_commit() {
    let bench = Bench::new();
    for args in [&[][..], &["--at", "HEAD"], &["--exclude", ".env"]] {
        let answer = bench.answer(&[&["--intent", "fix Login"], args].concat());
        assert!(answer.contains("[REDACTED:assigned-secret]"), "{args:?}: {answer}");
    }
    let npmrc = format!("//registry.example.com/:_authToken={LOGGED}\n");
    fs::write(bench.repository.path().join(".npmrc"), npmrc).expect("a file");
    fs::write(bench.repository.path().join(".gitignore"), ".env\n.npmrc\n").expect("a file");
    assert!(!bench.answer(&["--intent", "fix Login"]).contains(LOGGED));
}

#[test]
fn nobody_is_told_where_a_secret_stands_that_was_guessed() {
    let bench = Bench::new();
    let facts = |guess: &str| {
        let intent = format!("explain {guess}");
        bench.run(&["--intent", &intent, "--format", "facts"]).stdout
    };
    assert_eq!(facts(LISTED), facts("[REDACTED:assigned-secret]"));
    assert!(facts("Login").contains("a/login.go"));
}

#[test]
fn messages_of_commits_are_kept_without_it_and_come_back_when_it_is_none_any_more() {
    let bench = Bench::new();
    let says = |bench: &Bench| bench.run(&["--intent", "fix Login"]).stdout;
    let history = |bench: &Bench| {
        let cached = fs::read_dir(Path::new(&bench.path("cache")).join("activate")).expect("a cache").flatten();
        let kept = format!("Log in with {IGNORED}");
        cached.map(|entry| fs::read(entry.path()).expect("a file")).any(|bytes| String::from_utf8_lossy(&bytes).contains(&kept))
    };
    assert!(says(&bench).contains("Log in with [REDACTED:assigned-secret]"));
    assert!(!history(&bench));
    fs::remove_file(bench.repository.path().join(".env")).expect("removed");
    let mut command = command(&["--intent", "fix Login"]);
    command
        .current_dir(bench.repository.path())
        .env("XDG_CACHE_HOME", bench.path("cache"))
        .env("XDG_STATE_HOME", bench.path("state"));
    assert!(ended(&mut command).stdout.contains(&format!("Log in with {IGNORED}")));
    fs::write(bench.repository.path().join(".env"), format!("DB_PASSWORD={IGNORED}\n")).expect("a file");
    assert!(says(&bench).contains("Log in with [REDACTED:assigned-secret]"));
    assert!(!history(&bench));
}

#[test]
fn what_cannot_be_kept_without_its_secrets_is_not_kept() {
    let bench = Bench::new();
    // A rule of the user that masks words by which packets are told apart.
    let rule = "[[rules]]\nid = 'own-word'\nregex = '\\b(manifest)\\b'\n";
    bench.scratch.file("config/activate/redaction.toml", rule.as_bytes());
    let mut command = command(&["--packet", "manifest", "--intent", &planted("fix Login, DB_PASSWORD=LOGGED")]);
    command.current_dir(bench.repository.path()).env("XDG_CONFIG_HOME", bench.path("config"));
    command.env("XDG_CACHE_HOME", bench.path("cache")).env("XDG_STATE_HOME", bench.path("state"));
    let ended = ended(&mut command);
    assert!(ended.code == 0 && ended.stderr.contains("is not kept"), "{ended:?}");
    assert_clean_folder(Path::new(&bench.path("state")));
}

#[test]
fn a_secret_in_a_text_of_any_length_is_known() {
    let bench = Bench::new();
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(bench.repository.path(), options).expect("a repository");
    let packet = |request: &Request| {
        let activation = engine.activate(request).expect("an answer");
        let context = activation.session_context(&Budget::default()).expect("a context");
        serde_json::to_string(&activation.packet(&context)).expect("JSON")
    };
    assert!(packet(&Request::new("fix Login")).contains(LOGGED));
    let filling = "All is well so far.\n".repeat(20_000);
    let (first, last) = (planted("fix Login\npassword=LOGGED\n"), planted("\nAuthorization: Bearer LOGGED\n"));
    let report = |text: &str| {
        let mut report = Report::default();
        signals::read(planted(text).as_bytes(), "log", None, &mut report).expect("a report");
        Arc::new(report)
    };
    let noted = report("error: no login\n --> a/login.go:4:1\n  |\n  = note: password=LOGGED was refused\n");
    let mut log: Vec<String> =
        (0..5_000).map(|line| format!("a/login.go:{line}:1: undefined: name{line} of the login")).collect();
    log.push("a/login.go:4:1: cannot log in with password=LOGGED".to_owned());
    let built = report(&log.join("\n"));
    for request in [
        Request::new(format!("{first}{filling}")),
        Request::new(format!("fix Login\n{filling}{last}")),
        Request { report: noted, ..Request::new("fix Login") },
        Request { report: built, ..Request::new("fix Login") },
    ] {
        let packet = packet(&request);
        assert!(packet.contains("[REDACTED:") && !packet.contains(LOGGED), "{packet}");
    }
}

/// Lines of base64 as a key has them.
fn key_lines() -> Vec<String> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".as_bytes();
    let mut drawn = 0x9e37_79b9_u64;
    let mut letter = || {
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(letters[(drawn >> 33) as usize % letters.len()])
    };
    (0..6).map(|_| (0..64).map(|_| letter()).collect()).collect()
}

#[test]
fn no_line_of_a_key_comes_back_from_an_intent() {
    let bench = Bench::new();
    let lines = key_lines();
    let block =
        [&["-----BEGIN PRIVATE KEY-----".to_owned()], lines.as_slice(), &["-----END PRIVATE KEY-----".to_owned()]].concat();
    let quoted = |before: &str| block.iter().map(|line| format!("{before}{line}\n")).collect::<Vec<_>>().concat();
    for said in [quoted("> "), quoted("2026-01-01T00:00:00Z app[1]: "), quoted("   1 | "), block.join(" ")] {
        let intent = format!("fix Login\n{said}");
        for args in [&[][..], &["--format", "json"], &["--format", "facts"]] {
            let ended = bench.run(&[&["--intent", &intent], args].concat());
            let told = lines
                .iter()
                .find(|line| line.as_bytes().windows(20).any(|part| ended.stdout.contains(&*String::from_utf8_lossy(part))));
            assert!(ended.code == 0 && told.is_none(), "{intent}: {ended:?}");
        }
    }
}

#[test]
fn settings_in_utf_16_give_away_what_they_hold() {
    let bench = Bench::new();
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let marked = [&[0xff, 0xfe][..], &utf_16(&planted("[db]\r\npassword = LOGGED\r\n"))].concat();
    for content in [marked, utf_16(&planted("db_password=LOGGED\r\n")), planted("a = \0b\ndb_password=LOGGED\n").into_bytes()] {
        fs::write(bench.repository.path().join("config/settings.ini"), content).expect("a file");
        let answer = bench.answer(&["--intent", "fix Login"]);
        assert!(answer.contains("func Login") && !answer.contains(LOGGED), "{answer}");
    }
}

#[test]
fn a_label_under_the_name_of_a_password_hides_no_code() {
    let bench = Bench::new();
    let file = |path: &str, text: &str| fs::write(bench.repository.path().join(path), text).expect("a file");
    file(
        "routes.ts",
        "export const PASSWORDS = { a: 1 };\nexport const routes = { changePassword: 'RotateLogin9', password: 'ChangePasswordV2' };\n",
    );
    file("page.ts", "export function RotateLogin9() {}\nexport function ChangePasswordV2() {}\n");
    for name in ["RotateLogin9", "ChangePasswordV2"] {
        let answer = bench.answer(&["--intent", &format!("fix {name}")]);
        assert!(answer.contains(&format!("export function {name}()")), "{answer}");
    }
}

#[test]
fn a_list_of_files_does_not_tell_how_long_a_secret_is() {
    let bench = Bench::new();
    let made = bench.answer(&["--intent", "fix Login", "--packet", "manifest", "--format", "json"]);
    let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
    let pack = made["pack_id"].as_str().expect("an id");
    let listed: serde_json::Value =
        serde_json::from_str(&bench.answer(&["ctx", "list", pack, "--format", "json"])).expect("JSON");
    let file =
        listed["files"].as_array().and_then(|files| files.iter().find(|file| file["path"] == "a/login.go")).expect("the file");
    let masked = planted(
        "package a\n\n// Login was tried with LISTED and IGNORED.\nfunc Login(name string) string { return name + \"IGNORED\" + \"LISTED\" \
         + \"LOGGED\" }\n",
    );
    let masked = masked.replace(IGNORED, "[REDACTED:assigned-secret]").replace(LISTED, "[REDACTED:assigned-secret]");
    assert_eq!(file["size"], masked.len(), "{listed}");
}
