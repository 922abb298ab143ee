//! Questions about small repositories and one of the corpus: names in, lines out.

mod by_name;
mod promises;
mod taken;
mod truth;
mod way;

use super::*;
use engine::{CacheChoice, Options};
use error::ErrorKind;
use expect_test::expect_file;
use repo::testing::Scratch;
use std::path::{Path, PathBuf};

/// An engine that keeps nothing.
fn engine(root: PathBuf) -> Engine {
    Engine::open_with(root, Options { cache: CacheChoice::Off, ..Options::default() }).expect("a repository")
}

fn corpus() -> Engine {
    corpus_of("auth-go")
}

/// A repository of the corpus.
pub(crate) fn corpus_of(name: &str) -> Engine {
    engine(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name))
}

/// A repository with these files.
pub(crate) fn with(files: &[(&str, &str)]) -> (Scratch, Engine) {
    let scratch = Scratch::new();
    for (path, text) in files {
        scratch.write(path, text);
    }
    let engine = engine(scratch.path().to_owned());
    (scratch, engine)
}

fn asked(engine: &Engine, question: &Question, limit: usize) -> Answer {
    ask(engine, &engine.snapshot().expect("facts"), question, limit).expect("an answer")
}

fn lines(engine: &Engine, question: &Question) -> Vec<String> {
    asked(engine, question, LIMIT).text().lines().map(str::to_owned).collect()
}

fn refused(engine: &Engine, question: &Question) -> Error {
    ask(engine, &engine.snapshot().expect("facts"), question, LIMIT).expect_err("a refusal")
}

fn named(name: &str) -> String {
    name.to_owned()
}

#[test]
fn callers_are_all_places_and_callees_stand_where_they_are_defined() {
    let engine = corpus();
    assert_eq!(
        lines(&engine, &Question::Callers(named("auth/login.go#ValidateToken"))),
        [
            "cmd/server/routes.go:39 server.validate",
            "cmd/tokenctl/main.go:36 check",
            "internal/auth/login.go:84 CheckToken",
            "internal/auth/login_test.go:38 TestValidateToken",
            "internal/auth/middleware.go:27 Guard.Wrap",
            "internal/session/session.go:29 Book.Login",
            "(complete)",
        ]
    );
    assert_eq!(
        lines(&engine, &Question::Callees(named("login.go#ValidateToken"))),
        [
            "internal/auth/claims.go:10 Claims (references, line 33)",
            "internal/auth/claims.go:17 Claims.Expired (line 45)",
            "internal/auth/keys.go:18 KeySet (references, line 33)",
            "internal/auth/login.go:17 ErrEmptyToken (references, line 35)",
            "internal/auth/login.go:18 ErrExpiredToken (references, line 46)",
            "internal/auth/login.go:52 parseToken (line 37)",
            "internal/auth/login.go:61 getClaims (line 41)",
            "(complete)",
        ]
    );
}

#[test]
fn impact_goes_by_depth_and_ends_with_the_commands_of_the_tests_in_it() {
    let found = lines(&corpus(), &Question::Impact(named("login.go#parseToken")));
    let at = |line: &str| found.iter().position(|found| found == line).unwrap_or_else(|| panic!("no {line}: {found:#?}"));
    let order = [
        "depth 1:",
        "internal/auth/login.go:37 ValidateToken",
        "depth 2:",
        "internal/session/session.go:29 Book.Login (through ValidateToken)",
        "depth 3:",
        "internal/session/session_test.go:22 TestLoginRefusesEmptyToken (test, through Book.Login > ValidateToken)",
        "depth 4:",
        "run: go test ./internal/session -run '^TestLoginRefusesEmptyToken$'",
        "(incomplete: 1 more user is not listed)",
    ];
    assert!(order.map(at).is_sorted(), "{found:#?}");
}

#[test]
fn tests_come_with_the_calls_between_and_a_command() {
    let found = lines(&corpus(), &Question::Tests(named("login.go#getClaims")));
    assert!(found.iter().any(|line| line == "internal/auth/login_test.go:57 TestGetClaims.unknown key"), "{found:#?}");
    assert!(found.iter().any(|line| line.starts_with("run: go test ./internal/auth -run ")), "{found:#?}");
    let itself = lines(&corpus(), &Question::Tests(named("login_test.go#TestGetClaims")));
    assert!(itself.iter().any(|line| line == "internal/auth/login_test.go:57 TestGetClaims.unknown key"), "{itself:#?}");
    assert!(itself.iter().all(|line| !line.starts_with("no test")), "{itself:#?}");
}

#[test]
fn names_that_several_have_are_listed_and_names_that_none_has_are_refused() {
    let engine = corpus();
    let several = refused(&engine, &Question::Callers(named("ValidateToken")));
    assert_eq!(
        (several.kind, several.message.as_str()),
        (
            ErrorKind::NothingFound,
            "`ValidateToken` may be any of 2: `internal/apikey/apikey.go#ValidateToken`, `internal/auth/login.go#ValidateToken`; say which \
             of them is meant"
        )
    );
    let none = refused(&engine, &Question::Tests(named("noSuchThing")));
    assert!(none.kind == ErrorKind::NothingFound && none.message.contains("`noSuchThing`"), "{}", none.message);
    let folder = refused(&engine, &Question::Callers(named("internal/auth")));
    assert!(folder.message.contains("activate outline internal/auth"), "{}", folder.message);
    assert_eq!(refused(&engine, &Question::Find(named(" "))).kind, ErrorKind::BadInput);
    // The same definition by each way of naming it.
    for name in ["KeySet.Close", "internal/auth/keys.go#KeySet.Close", "(*KeySet).Close", "auth.KeySet.Close", "KeySet.Close()"] {
        let about = asked(&engine, &Question::Callees(named(name)), LIMIT).about;
        assert_eq!(about.first().map(redact::Safe::as_str), Some("internal/auth/keys.go#KeySet.Close"), "{name}");
    }
}

#[test]
fn twins_and_names_of_one_letter_are_named_without_a_path() {
    let (_scratch, engine) = with(&[
        ("go.mod", "module m\n"),
        ("a.go", "package m\n\nfunc init() { f() }\n\nfunc init() {}\n\nfunc f() {}\n"),
        ("b.ts", "class C {\n  go() {}\n  go() {}\n}\n"),
    ]);
    for (name, id) in [
        ("f", "a.go#f"),
        ("~2.init", "a.go#~2.init"),
        ("init", "a.go#init"),
        ("C.~2.go", "b.ts#C.~2.go"),
        ("~2.go", "b.ts#C.~2.go"),
        ("C.go", "b.ts#C.go"),
        ("b.ts#~2.go", "b.ts#C.~2.go"),
    ] {
        let about = asked(&engine, &Question::Callees(named(name)), LIMIT).about;
        assert_eq!(about.iter().map(redact::Safe::as_str).collect::<Vec<_>>(), [id], "{name}");
        let snapshot = engine.snapshot().expect("facts");
        let located = intent::locate(&snapshot.base, name).expect("a target");
        assert_eq!(located.iter().map(|node| snapshot.base.id(*node)).collect::<Vec<_>>(), [id], "{name}");
    }
}

#[test]
fn an_outline_has_every_definition_and_find_has_passages_with_the_words() {
    let engine = corpus();
    let outline = lines(&engine, &Question::Outline(named("login.go")));
    let expected =
        "internal/auth/login.go:33-49 ValidateToken (function): func ValidateToken(raw string, keys *KeySet) (*Claims, error) {";
    assert!(
        outline.iter().any(|line| line == expected) && outline.last().is_some_and(|line| line == "(complete)"),
        "{outline:#?}"
    );
    let folder = lines(&engine, &Question::Outline(named("internal/auth")));
    assert!(folder.contains(&"internal/auth/claims.go:10-14 Claims (type)".to_owned()), "{folder:#?}");
    let found = lines(&engine, &Question::Find(named("token has expired")));
    assert!(found[0].contains("errors.New(\"token has expired\")"), "{found:#?}");
}

#[test]
fn a_limit_leaves_the_rest_counted_and_the_list_incomplete() {
    let answer = asked(&corpus(), &Question::Callers(named("login.go#ValidateToken")), 2);
    assert_eq!((answer.rows.len(), answer.n_left, answer.completeness.state), (2, 4, "incomplete"));
    assert!(answer.text().ends_with("(incomplete: 4 more: raise the limit)\n"), "{}", answer.text());
}

#[test]
fn many_reasons_stand_in_lines_of_their_own_and_are_bounded() {
    let mut answer = asked(&corpus(), &Question::Callers(named("login.go#ValidateToken")), 2);
    let of = |answer: &mut Answer, n: usize| {
        answer.completeness.reasons.truncate(1);
        let reasons = (0..n).map(|n| redact::Safe::format("reason {}", &[&redact::Safe::number(n as i64)]));
        answer.completeness.reasons.extend(reasons);
        answer.text().rsplit_once("(incomplete:").expect("a last line").1.to_owned()
    };
    assert_eq!(of(&mut answer, 3), " 4 more: raise the limit; reason 0; reason 1; reason 2)\n");
    let lines = |n: usize| (0..n).map(|n| format!("\n  reason {n}")).collect::<Vec<_>>().concat();
    assert_eq!(of(&mut answer, 5), format!("{}\n  4 more: raise the limit)\n", lines(5)));
    let more = "\n  12 more reasons, which `--format json` lists\n  4 more: raise the limit)\n";
    assert_eq!(of(&mut answer, 20), lines(8) + more);
}

#[test]
fn circles_of_imports_are_found_and_trees_of_modules_are_none() {
    let (_scratch, engine) = with(&[
        ("a.ts", "import { b } from \"./b\";\nexport const a = () => b();\n"),
        ("b.ts", "import { c } from \"./c\";\nexport const b = () => c();\n"),
        ("c.ts", "import { a } from \"./a\";\nexport const c = () => a();\n"),
        ("d.ts", "import { a } from \"./a\";\nexport const d = () => a();\n"),
    ]);
    assert_eq!(lines(&engine, &Question::Cycles), ["a.ts:1 > b.ts:1 > c.ts:1 > a.ts", "(complete)"]);
    let (_scratch, engine) = with(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("src/lib.rs", "mod cart;\npub fn open() { cart::fill() }\n"),
        ("src/cart.rs", "pub fn fill() {}\n"),
    ]);
    assert_eq!(lines(&engine, &Question::Cycles), ["none found", "(complete)"]);
    // A circle that imports of tests close is no circle of the program.
    let (_scratch, engine) = with(&[
        ("a.test.ts", "import { b } from \"./b\";\nexport const help = () => b();\n"),
        ("b.ts", "import { help } from \"./a.test\";\nexport const b = () => help;\n"),
        ("c.ts", "import { d } from \"./d\";\nexport const c = () => d;\n"),
        ("d.ts", "import { e } from \"./e\";\nexport const d = () => e;\n"),
        ("e.ts", "import { c } from \"./c\";\nexport const e = () => c;\n"),
    ]);
    let found = ["c.ts:1 > d.ts:1 > e.ts:1 > c.ts", "a.test.ts:1 > b.ts:1 > a.test.ts (by imports of tests)", "(complete)"];
    assert_eq!(lines(&engine, &Question::Cycles), found);
    let (_scratch, engine) = with(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("src/lib.rs", "mod cart;\nmod till;\n"),
        (
            "src/cart.rs",
            "pub fn fill() {}\n#[cfg(test)]\nmod tests {\n    use crate::till::pay;\n    #[test]\n    fn pays() { pay() }\n}\n",
        ),
        ("src/till.rs", "use crate::cart::fill;\npub fn pay() { fill() }\n"),
    ]);
    let found = ["src/cart.rs:4 > src/till.rs:1 > src/cart.rs (by imports of tests)", "(complete)"];
    assert_eq!(lines(&engine, &Question::Cycles), found);
}

#[test]
fn what_nothing_uses_is_told_only_where_it_is_sure() {
    let (_scratch, engine) = with(&[
        ("go.mod", "module example.com/shop\n"),
        (
            "shop.go",
            "package shop\n\nfunc Open() { used() }\n\nfunc used() {}\n\nfunc left() {}\n\n//go:noinline\nfunc ordered() {}\n\nfunc init() {}\n",
        ),
        ("tools.go", "package shop\n\nvar table = map[string]string{\"by\": \"spoken\"}\n\nfunc spoken() {}\n"),
    ]);
    let found = lines(&engine, &Question::Unused { all: false });
    let has = |name: &str| found.iter().any(|line| line.contains(name));
    assert!(has("shop.go:7 left"), "{found:#?}");
    assert!(!["Open", "used (", "ordered", "init", "spoken"].into_iter().any(has), "{found:#?}");
    let aside = "besides: 2 more have no known use, but may have one: `unused --all` lists them".to_owned();
    assert!(found.contains(&aside), "{found:#?}");
    let all = lines(&engine, &Question::Unused { all: true });
    assert_eq!(all[0], "shop.go:7 left (function)");
    assert!(all.contains(&"tools.go:5 spoken (function, may have a use)".to_owned()) && !all.contains(&aside), "{all:#?}");
}

#[test]
fn a_graph_has_a_node_a_definition_and_no_name_ends_its_quotes() {
    let answer = asked(&corpus(), &Question::Callees(named("login.go#CheckToken")), LIMIT);
    let drawing = answer.drawing.expect("a graph");
    assert_eq!(
        drawing.mermaid(),
        "flowchart LR\n    n0[\"internal/auth/login.go#35;CheckToken\"]\n    n1[\"internal/auth/keys.go#35;KeySet\"]\n    \
         n2[\"internal/auth/login.go#35;ValidateToken\"]\n    n0 --> n1\n    n0 --> n2\n"
    );
    assert!(drawing.dot().contains("    n0 [label=\"internal/auth/login.go#CheckToken\"];\n"), "{}", drawing.dot());
    let (_scratch, engine) = with(&[
        ("a\"];x[\".ts", "import { b } from \"./b\";\nexport const a = () => b();\n"),
        ("b.ts", "export const b = () => 1;\n"),
    ]);
    let drawing = asked(&engine, &Question::Callers(named("b.ts#b")), LIMIT).drawing.expect("a graph");
    let mermaid = drawing.mermaid();
    assert!(mermaid.lines().all(|line| line.matches('"').count() % 2 == 0 && !line.contains("\"];x")), "{mermaid}");
}

#[test]
fn json_is_as_the_schema_says_and_the_same_each_time() {
    let schema = serde_json::to_value(schemars::schema_for!(Answer)).expect("a schema is JSON");
    let written = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    expect_file!["../packets/schema/question.schema.json"].assert_eq(&written);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let engine = corpus();
    for question in [
        Question::Callers(named("login.go#ValidateToken")),
        Question::Callees(named("KeySet.Find")),
        Question::Impact(named("login.go#parseToken")),
        Question::Tests(named("login.go#parseToken")),
        Question::Outline(named("internal")),
        Question::Find(named("expired token")),
        Question::Cycles,
        Question::Unused { all: false },
    ] {
        let json = asked(&engine, &question, LIMIT).json();
        let value = serde_json::from_str(&json).expect("JSON");
        assert!(validator.is_valid(&value), "{json}");
        assert_eq!((value["question"].as_str(), value["schema"].as_str()), (Some(question.word()), Some(SCHEMA)));
        assert_eq!(json, asked(&corpus(), &question, LIMIT).json());
    }
}

#[test]
fn an_impact_has_what_uses_the_symbol_and_counts_who_only_imports_its_file() {
    let (_scratch, engine) = with(&[
        ("package.json", "{\"private\": true, \"devDependencies\": {\"vitest\": \"1\"}}"),
        ("a.ts", "export class Rows {\n  near() {}\n  far() {}\n}\nexport const other = () => 1;\n"),
        ("b.ts", "import { Rows } from \"./a\";\nexport const b = (rows: Rows) => rows.near();\n"),
        ("c.ts", "import { Rows } from \"./a\";\nexport const c = (rows: Rows) => rows.far();\n"),
        ("d.ts", "import { other } from \"./a\";\nexport const d = () => other();\n"),
        ("a.test.ts", "import { it } from \"vitest\";\nimport { other } from \"./a\";\nit(\"x\", () => { other(); });\n"),
        (
            "b.test.ts",
            "import { it } from \"vitest\";\nimport { b } from \"./b\";\nit(\"y\", () => { b(null); });\nit(\"z\", () => { b(null); });\n",
        ),
    ]);
    assert_eq!(
        lines(&engine, &Question::Impact(named("Rows.near"))),
        [
            "depth 1:",
            "b.ts:2 b",
            "depth 2:",
            "b.test.ts:3 y (test, through b)",
            "b.test.ts:4 z (test, through b)",
            "run: npx vitest run b.test.ts -t '^y$|^z$'",
            "besides: 1 file imports a file of it, with no known use of it",
            "besides: 1 test file is named after a file of it, with no known use of it",
            "(complete)",
        ]
    );
    let few = asked(&engine, &Question::Impact(named("Rows.near")), 1);
    assert_eq!((few.rows.len(), few.commands.len()), (1, 1));
    assert!(few.text().contains("besides: 1 test more that is farther away may notice\n"), "{}", few.text());
}

#[test]
fn tests_that_run_it_come_before_what_only_stands_beside_it() {
    let (_scratch, engine) = with(&[
        ("Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\npublish = false\n"),
        ("src/lib.rs", "mod a;\nmod b;\nmod costs;\n#[cfg(test)] mod kit;\n"),
        ("src/kit.rs", "pub fn kit() { crate::b::alone() }\n"),
        ("src/a.rs", "pub fn run() { step() }\nfn step() {}\npub fn left() {}\n#[cfg(test)] mod tests;\n"),
        ("src/a/tests.rs", "use super::run;\n#[test] fn runs() { run() }\nfn help() {}\n"),
        ("src/b.rs", "pub fn alone() {}\n#[cfg(test)] mod tests { #[test] fn twice() { super::alone() } }\n"),
        ("src/costs.rs", "pub fn rest() {}\n"),
        ("tests/with_costs_rest.rs", "#[test] fn stands() {}\n"),
    ]);
    let of = |name: &str| lines(&engine, &Question::Tests(named(name)));
    assert_eq!(of("a.rs#run")[0], "src/a/tests.rs:2 runs");
    assert_eq!(of("step")[0], "src/a/tests.rs:2 runs (through run)");
    assert_eq!(of("alone")[0], "src/b.rs:2 tests.twice");
    let beside = of("left");
    assert_eq!(beside[0], "no test is known to run it; beside it stand:");
    assert!(beside[1..3].iter().all(|line| line.ends_with("(same package)")), "{beside:#?}");
    // They come in the order of what they share with it.
    assert_eq!(of("rest")[2..4], ["tests/with_costs_rest.rs:1 (same package)", "src/a/tests.rs:1 (same package)"]);
    let impact = lines(&engine, &Question::Impact(named("alone")));
    assert!(impact.contains(&"src/kit.rs:1 kit (test)".to_owned()), "{impact:#?}");
}

#[test]
fn callers_of_a_type_are_those_that_surely_use_it_and_no_kin_of_it() {
    let (_scratch, engine) = with(&[
        ("Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\npublish = false\n"),
        (
            "src/lib.rs",
            "pub trait Shape { fn area(&self) -> u32; }\npub struct Disk;\nimpl Shape for Disk { fn area(&self) -> u32 { 3 } }\n\
             pub struct Cube;\nimpl Shape for Cube { fn area(&self) -> u32 { 6 } }\npub fn sum(shape: &dyn Shape) -> u32 { shape.area() }\n\
             pub fn sure() -> u32 { Disk.area() }\n",
        ),
    ]);
    let whole = lines(&engine, &Question::Callers(named("Disk")));
    assert!(whole.contains(&"src/lib.rs:7 sure (uses Disk.area)".to_owned()), "{whole:#?}");
    assert!(!whole.iter().any(|line| line.contains("Cube") || line.contains(" sum")), "{whole:#?}");
    assert!(
        whole.contains(&"besides: 1 place means it or another of several: ask for its method by name to see it".to_owned()),
        "{whole:#?}"
    );
    let method = lines(&engine, &Question::Callers(named("Disk.area")));
    assert_eq!(
        method[..2],
        ["src/lib.rs:7 sure", "src/lib.rs:6 sum (through Shape.area, one of 2 that implement it)"],
        "{method:#?}"
    );
}
