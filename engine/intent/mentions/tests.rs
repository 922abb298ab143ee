//! Texts as they are split.

use super::*;

fn check(text: &str, expected: &[&str]) {
    let found = mentions(text, &[], &ReadingWeights::default()).found;
    let written: Vec<String> = found
        .iter()
        .map(|mention| match &mention.form {
            Form::Place { path, line } => format!("place {path} {line}"),
            Form::Frame { path, line } => format!("frame {path} {line}"),
            Form::Function => format!("function {}", mention.text),
            Form::Code => format!("code {}", mention.text),
            Form::Imported { package } => format!("import {} of {package}", mention.text),
            Form::Capitalised => format!("capital {}", mention.text),
            Form::Quoted => format!("quoted {}", mention.text),
        })
        .collect();
    assert_eq!(written, expected, "{text}");
}

#[test]
fn names_written_as_code_are_told_from_words() {
    check("fix ValidateToken in package auth", &["code ValidateToken"]);
    check("what does (*KeySet).Close do to the secrets?", &["code (*KeySet).Close"]);
    check("call auth.ValidateToken(ctx, token) and Book.Login()", &["code auth.ValidateToken", "code Book.Login"]);
    check("use `load` or `a b` (see docs), e.g. v1.2.3 and/or sign-in, 3.5 times.", &["code load"]);
    check("The banner of the Logger prints JSON", &["capital Logger", "capital JSON"]);
    check("Fix Panic When Loading Config", &[]);
    check("config: Fix Panic When Loading Values", &[]);
    check("fix Login with Authorization: Bearer", &["capital Login", "capital Authorization"]);
    check("`handle` and \"retry\", 'don't' say 'two words' (“copy”).", &["code handle", "quoted retry", "quoted copy"]);
    check("handle", &["quoted handle"]);
    check("```ts\nimport { open } from \"keys\";\nopen(parseKey)\n```", &["import open of keys"]);
    check("Copy?", &["quoted Copy"]);
    check("handle timeouts", &[]);
    check("42", &[]);
    check("TypeError: no (reading 'map')\n    at sum (/app/s.ts:8:27)", &["code TypeError", "frame /app/s.ts 8"]);
    check("parse_token, `mod::func`; Vec<Foo>::new", &["code parse_token", "code mod::func", "code Vec<Foo>::new"]);
    check(
        "src/auth/login.go#ValidateToken and src/auth/ (tests too)",
        &["code src/auth/login.go#ValidateToken", "code src/auth/"],
    );
}

#[test]
fn places_are_read_in_every_spelling() {
    check("src/a.go:45 panics", &["place src/a.go 45"]);
    check("(see src\\a.go:45:7), or a.ts(12,5): error", &["place src\\a.go 45", "place a.ts 12"]);
    check("look at b.rs#L10-L20 and `c.rs`, line 3", &["place b.rs 10", "place c.rs 3"]);
    check("https://github.com/o/r/blob/main/src/x.rs#L45 https://example.com/a.b", &["place src/x.rs 45"]);
    check("at 12:30 on localhost:8080 and 127.0.0.1:51034", &[]);
    check("\u{1b}[31msrc/\u{1b}[0ma.go:4: bad", &["place src/a.go 4"]);
}

#[test]
fn names_and_places_stand_between_letters_of_any_script() {
    check("修复ValidateToken的问题", &["code ValidateToken"]);
    check("src/auth/login.go:45でpanic", &["place src/auth/login.go 45"]);
    check(
        "「parse_token」と『handle』を、Banner가 c.rs 第45行",
        &["code parse_token", "quoted handle", "capital Banner", "place c.rs 45"],
    );
    check("请看“copy”，（auth.Login）。", &["quoted copy", "code auth.Login"]);
}

#[test]
fn frames_hide_the_functions_beside_them() {
    check(
        "goroutine 3 [running]:\nx.com/auth.(*Set).Find(0x0)\n\t/srv/auth/keys.go:47 +0x3b\nmain.inlined(...)\n\t/srv/a.go:3\nmain.main()\n\t/srv/main.go:2 +0x9",
        &["frame /srv/auth/keys.go 47", "frame /srv/a.go 3", "frame /srv/main.go 2"],
    );
    check(
        "thread 'auth::tests::expired' panicked at src/login.rs:81:9:\n  3: auth::f\n     at ./src/f.rs:4:5",
        &["code auth::tests::expired", "frame src/login.rs 81", "frame ./src/f.rs 4"],
    );
    check(
        "TypeError: no\n    at sum (/app/src/s.ts:8:27)\n    at Array.map (<anonymous>)\n    at <anonymous> (/app/m.ts:2:1)\n    at async Promise.all (index 0)",
        &["code TypeError", "frame /app/src/s.ts 8", "frame /app/m.ts 2"],
    );
    check(
        "   0: rust_begin_unwind\n   3: auth::main\n  12:     0x55d0c0 - <auth::Book as auth::Session>::end::{{closure}}::h0123456789abcdef\n  13: main",
        &["function rust_begin_unwind", "function auth::main", "function auth::Book::end", "function main"],
    );
    check("3: auth::main", &["function auth::main"]);
    check("/srv/relay/tree.go:756 (0x7f1c0e)", &["frame /srv/relay/tree.go 756"]);
    check("1: open the Logger\n2: call parse_token twice", &["capital Logger", "code parse_token"]);
    check("  File \"/app/jobs/run.py\", line 7, in main", &["place /app/jobs/run.py 7"]);
}

#[test]
fn lines_of_traces_are_no_prose() {
    let prose =
        |text: &str| mentions(text, &[], &ReadingWeights::default()).prose.split_whitespace().collect::<Vec<_>>().join(" ");
    let go = "the server dies on logout\n> panic: runtime error: index out of range [5]\n[signal SIGSEGV: code=0x1 addr=0x0]\n\ngoroutine 35 [running]:\n\
              net/http.(*conn).serve.func1()\n\t/usr/local/go/src/net/http/server.go:1947 +0xbe\nmain.inlined(...)\n\t/srv/a.go:3\ncreated by main.run in goroutine 1\n/srv/main.go:2 +0x9\nexit status 2";
    let rust = "thread 'main' (7) panicked at crates/core/main.rs:81:9:\nno such token: 0xbeef\nstack backtrace:\n  0: rust_begin_unwind\n     at /rustc/1a2b/library/std/src/panicking.rs:647:5\n\
                1: core::panicking::panic_fmt\n  2: auth::run::{{closure}}\nnote: run with `RUST_BACKTRACE=full` for a verbose backtrace.";
    let js = "Uncaught TypeError: token is null\n    at Server.emit (node:events:519:28)\n    at file:///app/dist/main.js:3:4";
    let python = "Traceback (most recent call last):\n  File \"/app/run.py\", line 7, in main\nKeyError: no subject";
    let cases = [
        (go, "the server dies on logout runtime error: index out of range"),
        (rust, "no such token:"),
        (js, "TypeError: token is null"),
        (python, "KeyError: no subject"),
        ("rg panicked at src/a.rs:3:4 when I search twice", "rg when I search twice"),
        ("thread 'main' panicked at 'no key', src/a.rs:3:4", "no key"),
        ("The server panicked at startup; the key was 0x00.", "The server panicked at startup; the key was 0x00."),
        ("start\n  at the end: 12:30\n1: do this", "start at the end: 12:30 1: do this"),
    ];
    for (text, expected) in cases {
        assert_eq!(prose(text), expected, "{text}");
    }
}

#[test]
fn a_header_gives_scopes_and_no_name() {
    let scopes = |text: &str| mentions(text, &[], &ReadingWeights::default()).scopes;
    assert_eq!(scopes("fix(auth)!: no"), ["auth"]);
    assert_eq!(scopes("feat(cli, core/x): yes"), ["cli", "core/x"]);
    assert_eq!(scopes("cmd/server: stop"), ["cmd/server"]);
    assert!(scopes("fix: stop").is_empty() && scopes("Why: stop it").is_empty() && scopes("login.go:45: stop").is_empty());
    check("fix(auth): stop", &[]);
}

#[test]
fn hostile_text_is_bounded() {
    let junk = "a_b::c(".repeat(200_000);
    assert!(mentions(&junk, &[], &ReadingWeights::default()).found.is_empty());
    let many = (0..100_000).map(|n| format!("name_{n}")).collect::<Vec<_>>().join(" ");
    let many = mentions(&many, &[], &ReadingWeights::default());
    assert!(many.is_cut && many.found.len() == MAX_MENTIONS);
    for text in ["`", "```", "``", "(", "((((", ")", "*", "**", ": ", "(*", "\u{1b}", "\u{1b}[", "#L", ":1", "é:1 ü(", "://"] {
        mentions(text, &[], &ReadingWeights::default());
    }
}
