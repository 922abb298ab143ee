//! `activate query`: the relations are those of `activate facts`, from whichever end they are found, and what is asked ends as it says.

use crate::cli::{Scratch, command_keeping, run, run_with};
use crate::replay::corpus;
use activate_rules::written::{Value, parse};
use expect_test::expect;
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Relations that are found from an end, with how many columns they have.
const FOUND: [(&str, usize); 8] = [
    ("defines", 6),
    ("contains", 2),
    ("imports", 4),
    ("calls", 4),
    ("references", 4),
    ("implements", 4),
    ("extends", 4),
    ("tests", 3),
];

/// The others.
const SCANNED: [(&str, usize); 8] = [
    ("serves", 5),
    ("route", 4),
    ("unresolved", 3),
    ("reaches", 5),
    ("test_command", 2),
    ("diagnostic", 5),
    ("code_note", 3),
    ("file_state", 3),
];

/// What a program of its own facts gives, whatever the repository is.
const MOST_ACTIVE: &str = "\
Fact                         Score
ValidateToken                100
internal/auth/login.go       150
internal/auth/login_test.go  120
";

/// Rows by their columns, as they are written.
type Rows = BTreeSet<Vec<String>>;

fn variables(n_columns: usize) -> Vec<String> {
    (0..n_columns).map(|column| format!("C{column}")).collect()
}

/// What each question of a program gives.
fn answers(program: &str, root: &str) -> Vec<Rows> {
    let ended = run(&["query", "--format", "jsonl", "--no-cache", "--quiet", "--repo", root, program]);
    assert!([0, 3].contains(&ended.code), "{program}: {}", ended.stderr);
    let mut answers = Vec::new();
    for line in ended.stdout.lines() {
        let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).expect("an object");
        let question = row["Question"].as_i64().expect("a number") as usize;
        answers.resize(answers.len().max(question + 1), Rows::new());
        let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        let columns = variables(row.len() - 1);
        answers[question].insert(columns.iter().map(|column| text(&row[column])).collect());
    }
    answers
}

fn facts(relation: &str, root: &str) -> Rows {
    let ended = run(&["facts", "--relation", relation, "--no-cache", "--quiet", "--repo", root]);
    let text = |value: &Value| match value {
        Value::Text(text) | Value::Name(text) => text.clone(),
        Value::Number(number) => number.to_string(),
    };
    let row = |fact: &activate_rules::written::Fact| fact.args.iter().map(text).collect();
    parse(&ended.stdout).expect("facts").iter().map(row).collect()
}

#[test]
fn relations_are_those_of_facts_from_whichever_end_they_are_found() {
    for name in ["auth-go", "auth-py", "routes"] {
        let root = corpus().join(name);
        let root = root.to_str().expect("text");
        for (relation, n_columns) in FOUND.into_iter().chain(SCANNED) {
            let expected = facts(relation, root);
            let columns = variables(n_columns);
            let mut program = format!("?- {relation}({}), Question = 0.\n", columns.join(", "));
            let mut wanted = vec![expected.clone()];
            let firsts: BTreeSet<&String> = expected.iter().map(|row| &row[0]).collect();
            let seconds: BTreeSet<&String> = expected.iter().map(|row| &row[1]).collect();
            let is_found = FOUND.iter().any(|(found, _)| *found == relation);
            for (column, ends) in [(0, firsts), (1, seconds)] {
                for end in ends.into_iter().filter(|_| is_found) {
                    // What is asked for comes first, and is bound when the relation is.
                    let question = wanted.len();
                    let of = &columns[column];
                    let rows = format!("{relation}({})", columns.join(", "));
                    program.extend(["?- ", of, " = ", &format!("{end:?}"), ", ", &rows, &format!(", Question = {question}.\n")]);
                    wanted.push(expected.iter().filter(|row| row[column] == *end).cloned().collect());
                }
            }
            let mut found = answers(&program, root);
            found.resize(wanted.len().max(found.len()), Rows::new());
            for (question, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                // A confidence that nobody can say is a name here and nothing there.
                let shorter = |row: &Vec<String>| row.iter().filter(|value| *value != "unknown").cloned().collect::<Vec<_>>();
                assert_eq!(&found.iter().map(shorter).collect::<Rows>(), wanted, "{name}, {relation}: question {question}");
            }
        }
    }
}

#[test]
fn a_query_ends_as_it_says() {
    let scratch = Scratch::new();
    let root = corpus().join("auth-go");
    let root = root.to_str().expect("text");
    let rules = scratch.file("rules.dl", b"reach(X, Y) :- calls(X, Y).\nreach(X, Z) :- calls(X, Y), reach(Y, Z).\n");
    let rules = rules.to_str().expect("text");
    let broken = scratch.file("broken.dl", b"reach(X, Y) :- calls(X, Y).\n?- reach(X Y).\n");
    let broken = broken.to_str().expect("text");
    let open = scratch.file("open.dl", b"short(X) :- defines(_, X, _, A, B), B - A < 40");
    let open = open.to_str().expect("text");
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/engine/query/tests/trace.mg");
    let endless = "n(0). n(N + 1) :- n(N). ?- n(N).";
    for (args, code, says) in [
        (
            &["reach(X, \"internal/auth/login.go#parseToken\")", "--file", rules][..],
            0,
            "internal/session/session.go#Book.Login\n",
        ),
        (&["--file", rules], 2, "the program asks nothing"),
        (&["--file", rules, "--check"], 0, "the program is right: 2 rules, 0 questions\n"),
        (&["--file", broken], 2, "broken.dl:2:12: expected `,` or `)` behind a column, found `Y`"),
        (&["reach(X Y)", "--file", rules], 2, "error: line 1, column 9: expected `,` or `)` behind a column, found `Y`"),
        // A text need not end with a full stop, whatever is read behind it.
        (&["short(X), calls(X, _)", "--file", rules, "--file", open], 0, "internal/auth/login.go#ValidateToken\n"),
        (&["--file", rules, "--file", broken, "short(X)"], 2, "broken.dl:2:12: "),
        (&["--file", "/nowhere.dl"], 7, "`/nowhere.dl` cannot be read"),
        (&["--syntax", "mangle", "--file", trace, "context_priority(Fact, Score), Score > 70"], 0, MOST_ACTIVE),
        (&["--syntax", "mangle", "--file", trace, "p(X) :- X = [1]."], 2, "error: line 1, column 13: lists are not supported"),
        (&["calls(X, X)"], 3, "no rows: X\n"),
        (&["calls(X, _)", "--fail-if-any"], 10, "cmd/server/main.go#main\n"),
        (&["calls(X, X)", "--fail-if-any"], 0, "no rows: X\n"),
        (&["calls(_, \"internal/auth/login.go#parseToken\")"], 0, "yes\n"),
        (&[endless, "--derived", "1"], 2, "more than 1 MiB (--derived); there were 65537 rows of `n`"),
        (&["calls(X, _)", "--why", "--format", "csv"], 2, "proofs are shown in a table and in JSON lines alone"),
        (&["defines(F, _), glob(F, \"[ab\")", "--fail-if-any"], 2, "this is no pattern: "),
        (&["--relations"], 0, "calls(from: file or symbol, to: file or symbol, line: number, confidence: name)\n"),
        (&[], 2, "PROGRAM"),
    ] {
        let ended = run(&[&["query", "--no-cache", "--repo", root], args].concat());
        assert_eq!(ended.code, code, "{args:?}: {}", ended.stderr);
        assert!((ended.stdout + &ended.stderr).contains(says), "{args:?}: {}", ended.stderr);
    }
    let ended = run_with(b"tests(X, _).", &["query", "--no-cache", "--repo", root, "--file", "-", "--format", "mermaid"]);
    assert_eq!((ended.code, ended.stdout.lines().next()), (2, None), "{}", ended.stderr);
    let ended = run_with(
        b"?- tests(X, \"internal/auth/login.go#ValidateToken\").",
        &["query", "--no-cache", "--repo", root, "--file", "-", "--format", "mermaid"],
    );
    assert_eq!((ended.code, ended.stdout.lines().next()), (0, Some("graph LR")), "{}", ended.stderr);
}

#[test]
fn a_proof_says_where_its_facts_and_rules_stand() {
    let scratch = Scratch::new();
    let root = corpus().join("auth-go");
    let root = root.to_str().expect("text");
    let rules =
        scratch.file("house.dl", b"# Who comes to it.\nreach(X, Y) :- calls(X, Y).\nreach(X, Z) :- calls(X, Y), reach(Y, Z).\n");
    let rules = rules.to_str().expect("text");
    let program = r#"tried(T, F) :- tests(T, F), contains(File, F), not imports(_, F), imports(File, _).
?- _T = "internal/auth/login_test.go#TestGetClaims", tried(_T, F), reach(_T, F), defines(_, F, _)."#;
    let query =
        |format| run(&["query", "--no-cache", "--quiet", "--repo", root, "--file", rules, "--why", "--format", format, program]);
    let table = query("table");
    expect![[r#"
        F
        internal/auth/login.go#parseToken
            tried("internal/auth/login_test.go#TestGetClaims", "internal/auth/login.go#parseToken")  by the rule on line 1
                tests("internal/auth/login_test.go#TestGetClaims", "internal/auth/login.go#parseToken")  at internal/auth/login_test.go:53
                no imports(_, "internal/auth/login.go#parseToken")
                contains("internal/auth/login.go", "internal/auth/login.go#parseToken")  at internal/auth/login.go:52
                imports("internal/auth/login.go", "internal/auth/claims.go")  at internal/auth/login.go:33
            reach("internal/auth/login_test.go#TestGetClaims", "internal/auth/login.go#parseToken")  by the rule at house.dl:2
                calls("internal/auth/login_test.go#TestGetClaims", "internal/auth/login.go#parseToken")  at internal/auth/login_test.go:53
            defines("internal/auth/login.go", "internal/auth/login.go#parseToken", /function)  at internal/auth/login.go:52
    "#]].assert_eq(&table.stdout.replace(rules, "house.dl"));
    let lines = query("jsonl").stdout.replace(rules, "house.dl");
    let steps: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    expect![[r#"
        [{"depth":1,"relation":"tried","row":["internal/auth/login_test.go#TestGetClaims","internal/auth/login.go#parseToken"],"rule":"line 1"},
        {"at":"internal/auth/login_test.go:53","depth":2,"relation":"tests","row":["internal/auth/login_test.go#TestGetClaims","internal/auth/login.go#parseToken"]},
        {"depth":2,"not":true,"relation":"imports","row":[null,"internal/auth/login.go#parseToken"]},
        {"at":"internal/auth/login.go:52","depth":2,"relation":"contains","row":["internal/auth/login.go","internal/auth/login.go#parseToken"]},
        {"at":"internal/auth/login.go:33","depth":2,"relation":"imports","row":["internal/auth/login.go","internal/auth/claims.go"]},
        {"depth":1,"relation":"reach","row":["internal/auth/login_test.go#TestGetClaims","internal/auth/login.go#parseToken"],"rule":"house.dl:2"},
        {"at":"internal/auth/login_test.go:53","depth":2,"relation":"calls","row":["internal/auth/login_test.go#TestGetClaims","internal/auth/login.go#parseToken"]},
        {"at":"internal/auth/login.go:52","depth":1,"relation":"defines","row":["internal/auth/login.go","internal/auth/login.go#parseToken","function"]}]
    "#]].assert_eq(&format!("{}\n", steps[0]["why"]).replace("},{", "},\n{"));
}

/// A session on a terminal: each text is typed when what stands before it was shown. How it ends, and all that was shown.
fn typed(asked: &mut Command, keys: &[(&str, &str)]) -> (Option<i32>, String) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let no_own = i32::try_from(OFlags::NOCTTY.bits()).expect("a flag");
    let mut options = File::options();
    let end = options.read(true).write(true).custom_flags(no_own).open(OsStr::from_bytes(name.to_bytes())).expect("a terminal");
    asked.stdin(end.try_clone().expect("a terminal")).stdout(end.try_clone().expect("a terminal")).stderr(end);
    let mut child = asked.env("TERM", "xterm").spawn().expect("the command runs");
    // Reading ends when nobody has the other end any more.
    asked.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut master = File::from(master);
    let mut from = master.try_clone().expect("a terminal");
    let (sender, shown) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(n_read @ 1..) = from.read(&mut bytes) {
            let _ = sender.send(String::from_utf8_lossy(&bytes[..n_read]).into_owned());
        }
    });
    let (mut all, mut seen) = (String::new(), 0);
    for (before, keys) in keys {
        while !all[seen..].contains(before) {
            all += &shown.recv_timeout(Duration::from_secs(120)).unwrap_or_else(|_| panic!("{before} does not come: {all}"));
        }
        seen = all.len();
        master.write_all(keys.as_bytes()).expect("a terminal");
    }
    let code = child.wait().expect("an end").code();
    all.extend(shown.iter());
    (code, all)
}

#[test]
fn on_a_terminal_lines_are_asked_for_and_remembered() {
    let scratch = Scratch::new();
    let root = corpus().join("auth-go");
    let args = ["query", "--no-cache", "--repo", root.to_str().expect("text")];
    let (code, shown) = typed(
        &mut command_keeping(&scratch.0, &args),
        &[
            ("1> ", "callers(X) :- calls(X, \"internal/auth/login.go#parse\t\").\r"),
            ("2> ", "callers(\r"),
            ("3| ", "\u{3}"),
            ("3> ", "callers(X), starts_with(X, \"internal/auth/login.go\").\r"),
            ("4> ", ".quit\r"),
        ],
    );
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("1 rule is kept\r\n") && shown.contains("X\r\ninternal/auth/login.go#ValidateToken\r\n"), "{shown}");
    // The next session has it.
    let (code, shown) =
        typed(&mut command_keeping(&scratch.0, &args), &[("1> ", "\u{1b}[A\u{1b}[A\u{1b}[A\r"), ("2> ", "\u{4}")]);
    assert!(code == Some(0) && shown.contains("1 rule is kept\r\n"), "{shown}");
    // Without one there is nobody to ask.
    let ended = run(&args);
    assert!(ended.code == 2 && ended.stdout.is_empty(), "{}", ended.stdout);
}
