//! Lines in, text out.

use super::{Asks, History, Prompt, Taken};
use crate::input::Source;
use crate::query::messages::Bounds;
use crate::query::program::Sources;
use crate::query::{About, Format};
use engine::{CacheChoice, Engine, Options};
use expect_test::{Expect, expect};
use index::snapshot::Snapshot;
use query::Syntax;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const ASKS: Asks = Asks { format: Format::Table, syntax: Syntax::Own, why: false, bounds: Bounds { derived: 4, seconds: 60 } };

fn snapshot() -> Arc<Snapshot> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/auth-go");
    let engine = Engine::open_with(&root, Options { cache: CacheChoice::Off, ..Options::default() }).expect("a repository");
    engine.snapshot().expect("its facts")
}

/// What a session shows of these lines, each behind its prompt.
fn shows(prompt: &mut Prompt<'_>, lines: &str, expected: &Expect) {
    let mut out = Vec::new();
    for line in lines.lines() {
        out.extend(format!("{}{line}\n", prompt.prompt()).bytes());
        if prompt.take(line, &mut out).expect("memory") == Taken::Ends {
            out.extend(b"(ends)\n");
        }
    }
    expected.assert_eq(&String::from_utf8(out).expect("text"));
}

#[test]
fn rules_stay_and_questions_are_answered_at_once() {
    let snapshot = snapshot();
    let mut prompt = Prompt::new(&snapshot, ASKS, Arc::default());
    shows(
        &mut prompt,
        r#"
reach(X, Y) :- calls(X, Y).
reach(X, Z) :-
    calls(X, Y), # and on
    reach(Y, Z).
reach(X, "internal/auth/login.go#parseToken").
calls(X, "internal/auth/login.go#parseToken"), not tests(_, X)

layer("internal/auth", 1). layer(L, 1).
.why
layer(L, N).
.why off
.rules"#,
        &expect![[r#"
            1> 
            2> reach(X, Y) :- calls(X, Y).
            1 rule is kept
            3> reach(X, Z) :-
            4|     calls(X, Y), # and on
            5|     reach(Y, Z).
            1 rule is kept
            6> reach(X, "internal/auth/login.go#parseToken").
            X
            cmd/server/main.go#main
            cmd/server/main.go#run
            cmd/server/routes.go#server.login
            cmd/server/routes.go#server.routes
            cmd/server/routes.go#server.validate
            cmd/tokenctl/main.go#check
            cmd/tokenctl/main.go#main
            internal/auth/login.go#CheckToken
            internal/auth/login.go#ValidateToken
            internal/auth/login_test.go#TestGetClaims
            internal/auth/login_test.go#TestParseTokenRefusesTwoParts
            internal/auth/login_test.go#TestValidateToken
            internal/auth/middleware.go#Guard.Wrap
            internal/auth/middleware_test.go#TestGuardRefusesEmptyToken
            internal/session/session.go#Book.Login
            internal/session/session_test.go#TestLoginRefusesEmptyToken
            7> calls(X, "internal/auth/login.go#parseToken"), not tests(_, X)
            8| 
            X
            internal/auth/login_test.go#TestGetClaims
            internal/auth/login_test.go#TestParseTokenRefusesTwoParts
            9> layer("internal/auth", 1). layer(L, 1).
            1 rule is kept
            L
            internal/auth
            10> .why
            rows are shown with how they came about
            11> layer(L, N).
            L              N
            internal/auth  1
                layer("internal/auth", 1)  by the fact on line 9
            12> .why off
            rows are shown alone
            13> .rules
            2  reach(X, Y) :- calls(X, Y).
            3  reach(X, Z) :-
            4      calls(X, Y), # and on
            5      reach(Y, Z).
            9  layer("internal/auth", 1). layer(L, 1).
        "#]],
    );
    // A mistake says where it is, and nothing of its statement stays.
    shows(
        &mut prompt,
        r#"deep(X) :- reach(X, Y), depp(Y).
deep(X) :- reach(X, _). deep(1).
deep(X).
calls(X, "ValidateToken").
calls(X
Y).
.depp
n(0). n(N + 1) :- n(N).
n(N).
.clear
.rules
.quit"#,
        &expect![[r#"
            14> deep(X) :- reach(X, Y), depp(Y).
            line 14, column 25: there is no relation `depp`: is `deep` meant?
            15> deep(X) :- reach(X, _). deep(1).
            line 15, column 30: a file or symbol (column `from` of `calls`) is never a number (`1`)
            16> deep(X).
            line 16, column 1: there is no relation `deep`: `activate query --relations` lists those of the repository, and no rule derives it
            17> calls(X, "ValidateToken").
            line 17, column 10: no file, symbol or package is called "ValidateToken"; there is "internal/apikey/apikey.go#ValidateToken", "internal/auth/login.go#ValidateToken"
            no rows: X
            18> calls(X
            19| Y).
            line 19, column 1: expected `,` or `)` behind a column, found `Y`
            20> .depp
            there is no command `.depp`; `.help` lists those that there are
            21> n(0). n(N + 1) :- n(N).
            2 rules are kept
            22> n(N).
            what is derived takes more than 4 MiB (--derived); there were 262145 rows of `n`. Ask for less: name a file or symbol, or bind a variable
            23> .clear
            24> .rules
            there is no rule yet
            25> .quit
            (ends)
        "#]],
    );
}

#[test]
fn rules_of_files_are_there_before_the_first_line() {
    let scratch = std::env::temp_dir().join(format!("activate-query-house-{}", std::process::id()));
    let house = scratch.join("house.dl");
    std::fs::create_dir_all(&scratch).and_then(|()| std::fs::write(&house, "\nused(F) :- imports(_, F)")).expect("a file");
    let sources = Sources::of(&[Source::File(house)], None).expect("a file");
    std::fs::remove_dir_all(&scratch).expect("a folder");
    let snapshot = snapshot();
    let program = sources.read(Syntax::Own).expect("rules");
    let mut prompt = Prompt::new(&snapshot, Asks { why: true, ..ASKS }, Arc::default()).with(About::default(), program, sources);
    let mut out = Vec::new();
    for line in ["top(F) :- used(F), ends_with(F, \"config.go\").", "top(F).", "top(F, F).", ".rules", ".clear", ".rules"] {
        prompt.take(line, &mut out).expect("memory");
    }
    let folder = format!("{}/", scratch.display());
    expect![[r#"
        1 rule is kept
        F
        internal/config/config.go
            top("internal/config/config.go")  by the rule on line 1
                used("internal/config/config.go")  by the rule at house.dl:2
                    imports("cmd/server/main.go", "internal/config/config.go")  at cmd/server/main.go:24
        line 3, column 1: `top` has 1 columns and not 2
        1  top(F) :- used(F), ends_with(F, "config.go").
        and those of house.dl
        there is no rule yet
    "#]]
    .assert_eq(&String::from_utf8(out).expect("text").replace(&folder, ""));
}

#[test]
fn a_running_question_is_stopped_and_the_session_goes_on() {
    let snapshot = snapshot();
    let stopped = Arc::new(AtomicBool::new(false));
    let bounds = Bounds { derived: 1 << 10, seconds: 600 };
    let mut prompt = Prompt::new(&snapshot, Asks { bounds, ..ASKS }, Arc::clone(&stopped));
    let mut out = Vec::new();
    prompt.take("n(0). n(N + 1) :- n(N).", &mut out).expect("memory");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Again and again: what was set before the question began does not count.
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                stopped.store(true, Ordering::Relaxed);
                std::thread::yield_now();
            }
        });
        prompt.take("n(N).", &mut out).expect("memory");
        is_over.store(true, Ordering::Relaxed);
    });
    prompt.take("layer(1).", &mut out).expect("memory");
    prompt.take("layer(", &mut out).expect("memory");
    prompt.forget();
    prompt.take("layer(X).", &mut out).expect("memory");
    expect![[r"
        2 rules are kept
        stopped
        1 rule is kept
        X
        1
    "]]
    .assert_eq(&String::from_utf8(out).expect("text"));
}

#[test]
fn what_may_come_next_is_offered() {
    let snapshot = snapshot();
    let mut prompt = Prompt::new(&snapshot, ASKS, Arc::default());
    let mut out = Vec::new();
    prompt.take("reach(X, Y) :- calls(X, Y).", &mut out).expect("memory");
    let offered = |line: &str| {
        let (begin, offered) = prompt.complete(line, line.len());
        format!("{line}: {} from {begin}\n", offered.join(" "))
    };
    let lines = [
        "re",
        "calls(X, Y), not",
        "defines(F, S, /f",
        "calls(X, Y, L, /",
        "calls(X, \"internal/au",
        "calls(X, \"internal/auth/login.go#Va",
        "calls(X, \"ValidateT",
        "calls(X, \"a\"), calls(Y, Z",
        ".r",
        "N < 3 * X",
        "día(ca",
    ];
    expect![[r#"
        re: reach( reaches( references( from 0
        calls(X, Y), not: not  from 13
        defines(F, S, /f: function from 15
        calls(X, Y, L, /: among_2 any_of cgo code constant deprecated direct document exact function generated go interface method named_after none package private public qualified same_package test transitive type unique unsafe variable vendored from 16
        calls(X, "internal/au: internal/auth/ internal/authpb/ from 10
        calls(X, "internal/auth/login.go#Va: internal/auth/login.go#ValidateToken from 10
        calls(X, "ValidateT: internal/apikey/apikey.go#ValidateToken internal/auth/login.go#ValidateToken from 10
        calls(X, "a"), calls(Y, Z:  from 24
        .r: relations rules from 1
        N < 3 * X:  from 8
        día(ca: calls( from 5
    "#]].assert_eq(&lines.map(offered).concat());
    assert!(prompt.complete("calls(X, \"", 10).1.len() > 5, "all folders");
}

#[test]
fn what_was_typed_is_kept_for_its_owner_alone_and_not_for_ever() {
    let folder = std::env::temp_dir().join(format!("activate-query-history-{}", std::process::id()));
    let history = History::at(&folder);
    assert!(history.statements().is_empty());
    let long = "p(X) :-\n    q(X, \"a\\\\b\").";
    for number in 0..1_010 {
        history.keep(&format!("n({number}).")).expect("a folder");
    }
    for statement in [long, long, "", &"x".repeat(1 << 20)] {
        history.keep(statement).expect("a folder");
    }
    let statements = history.statements();
    assert_eq!((statements.len(), statements[0].as_str(), statements[999].as_str()), (1_000, "n(11).", long));
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let mode = |path: &Path| std::fs::metadata(path).expect("a file").mode() & 0o777;
        assert_eq!((mode(&folder.join("query/history")), mode(&folder.join("query"))), (0o600, 0o700));
    }
    assert_eq!(std::fs::read_dir(folder.join("query")).expect("a folder").count(), 1);
    std::fs::remove_dir_all(folder).expect("a folder");
}
