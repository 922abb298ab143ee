//! What is known of a change, of its tests and of whoever may stand behind a promise from outside.

use super::*;

/// The last line of an answer.
fn state(engine: &Engine, question: &Question) -> String {
    lines(engine, question).pop().unwrap_or_default()
}

#[test]
fn a_call_on_a_type_from_outside_may_mean_a_method_that_stands_in_for_it() {
    let of = |files: &[(&str, &str)], names: [&str; 3]| {
        let (_scratch, engine) = with(files);
        names.map(|name| state(&engine, &Question::Callers(named(name))))
    };
    let open =
        |name: &str, file: &str| format!("(incomplete: 1 use of {name} in {file} on types from outside or unknown may mean it)");
    let complete = || "(complete)".to_owned();
    let go = [
        ("go.mod", "module m\n"),
        (
            "w.go",
            "package m\n\nimport \"net/http\"\n\ntype Writer interface {\n\thttp.Flusher\n\tSize() int\n}\n\ntype writer struct{}\n\nfunc (w *writer) \
             Flush() {}\n\nfunc (w *writer) Hijack() {}\n\nfunc (w *writer) hide() {}\n",
        ),
        (
            "use.go",
            "package m\n\nimport \"net/http\"\n\nfunc use(w Writer, h http.Hijacker) {\n\tw.Flush()\n\th.Hijack()\n\th.hide()\n\thttp.Flush()\n}\n",
        ),
    ];
    let found = of(&go, ["writer.Flush", "writer.Hijack", "writer.hide"]);
    assert_eq!(found, [open("Flush", "use.go"), open("Hijack", "use.go"), complete()]);
    let (_scratch, engine) = with(&go);
    let why = "(incomplete: 2 uses of Flush, Hijack in use.go on types from outside may mean a method of here)";
    assert_eq!(state(&engine, &Question::Callees(named("use"))), why);
    let script = [
        (
            "a.ts",
            "import { Link, Base } from \"pkg\";\nclass Near extends Base {}\nexport class A implements Link { run() {} }\nexport class B extends Near { \
             stop() {} }\nexport class C { wait() {} }\n",
        ),
        (
            "b.ts",
            "import type { Link } from \"pkg\";\nexport const go = (l: Link) => { l.run(); l.stop(); l.wait(); [1].wait(); };\n",
        ),
    ];
    assert_eq!(of(&script, ["A.run", "B.stop", "C.wait"]), [open("run", "b.ts"), open("stop", "b.ts"), complete()]);
    let manifest = "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[dependencies]\nouter = \"1\"\n";
    let rust = |manifest: &'static str| {
        [
            ("Cargo.toml", manifest),
            (
                "src/main.rs",
                "use outer::Sink;\nmod near;\nstruct A;\nimpl Sink for A {\n    fn take(&self) {}\n    fn give() {}\n}\nimpl A {\n    fn own(&self) {}\n}\nfn main() {}\n",
            ),
            (
                "src/near.rs",
                "use outer::Sink;\nfn go(s: &dyn Sink, n: u32) {\n    s.take();\n    s.own();\n    Sink::give();\n}\n",
            ),
        ]
    };
    let found = of(&rust(manifest), ["A.take", "A.give", "A.own"]);
    assert_eq!(found, [open("take", "src/near.rs"), open("give", "src/near.rs"), complete()]);
    let without = "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\n";
    assert_eq!(of(&rust(without), ["A.take", "A.own", "A.own"]), [open("take", "src/near.rs"), complete(), complete()]);
}

#[test]
fn tests_and_impact_know_as_much_as_the_callers_of_all_on_the_way() {
    let of = |uses: &str| {
        let (_scratch, engine) = with(&[
            ("package.json", "{\"private\": true, \"devDependencies\": {\"vitest\": \"1\"}}"),
            ("step.ts", "export function step() {}\n"),
            ("rows.ts", "import { step } from \"./step\";\nexport class Rows {\n  find() { step(); }\n}\n"),
            (
                "rows.test.ts",
                &format!(
                    "import {{ it }} from \"vitest\";\nimport {{ Rows }} from \"./rows\";\nimport {{ make }} from \"pkg\";\nit(\"x\", () => {{ const r = \
                     new Rows(); {uses} }});\n"
                ),
            ),
        ]);
        let of = |question: fn(String) -> Question| state(&engine, &question(named("step")));
        [of(Question::Tests), of(Question::Impact)]
    };
    assert_eq!(of("r.find();"), ["(complete)", "(complete)"]);
    for (uses, why) in [
        ("const { find } = r;", "find is also written in rows.test.ts:4, with no known meaning"),
        ("const a: any = r; a.self().find();", "1 unresolved use of find in rows.test.ts"),
    ] {
        let why = format!("(incomplete: {why})");
        assert_eq!(of(uses), [why.clone(), why], "{uses}");
    }
    // What uses it farther away than is followed.
    let chain = (0..6).map(|n| format!("func F{n}() {{ F{}() }}\n\n", n + 1)).collect::<Vec<_>>().concat();
    let (_scratch, engine) =
        with(&[("go.mod", "module m\n"), ("internal/a.go", &format!("package a\n\n{chain}func F6() {{}}\n"))]);
    for question in [Question::Tests, Question::Impact] {
        assert_eq!(state(&engine, &question(named("F6"))), "(incomplete: 1 more user is not listed)");
        assert_eq!(state(&engine, &question(named("F3"))), "(complete)");
    }
}

#[test]
fn tests_that_run_the_program_leave_tests_and_impact_open() {
    let of = |files: &[(&str, &str)], name: &str| {
        let (_scratch, engine) = with(files);
        let of = |question: fn(String) -> Question| state(&engine, &question(named(name)));
        [of(Question::Tests), of(Question::Impact)]
    };
    let script = |run: &str| {
        let test = format!("import {{ it }} from \"vitest\";\n{run}\n");
        let files = [
            ("package.json", "{\"private\": true, \"devDependencies\": {\"vitest\": \"1\"}}"),
            ("args.ts", "export function parseArgs() {}\n"),
            ("cli.ts", "import { parseArgs } from \"./args\";\nparseArgs();\n"),
            ("cli.test.ts", test.as_str()),
        ];
        of(&files, "parseArgs")
    };
    let open = ["(incomplete: tests that run the program are not followed)"; 2];
    for module in ["child_process", "node:child_process"] {
        let run = format!("import {{ spawn }} from \"{module}\";\nit(\"runs\", () => {{ spawn(\"node\", [\"cli.js\"]); }});");
        assert_eq!(script(&run), open);
    }
    assert_eq!(script("it(\"adds\", () => {});"), ["(complete)"; 2]);
    let go = |run: &str| {
        let test = format!("package main\n\nimport \"testing\"\n\nfunc TestRuns(t *testing.T) {{ {run} }}\n");
        let files = [
            ("go.mod", "module m\n"),
            ("main.go", "package main\n\nfunc main() { parse() }\n\nfunc parse() {}\n"),
            ("main_test.go", test.as_str()),
        ];
        of(&files, "parse")
    };
    assert_eq!(go("exec.Command(os.Args[0]).Run()"), open);
    assert_eq!(go("exec.Command(\"git\").Run()"), ["(complete)"; 2]);
}

#[test]
fn callees_of_a_definition_lack_what_stands_in_it_alone() {
    let (_scratch, engine) = with(&[(
        "a.ts",
        "export class Rows {\n  find() {}\n}\nexport const a = (x: any) => x.self().find();\nexport const b = () => 1;\n",
    )]);
    let of = |name: &str| state(&engine, &Question::Callees(named(name)));
    assert_eq!([of("a.ts#a"), of("a.ts#b")], ["(incomplete: 1 unresolved use of find in a.ts)", "(complete)"]);
}

#[test]
fn what_is_left_out_and_what_is_meant_is_said() {
    let (_scratch, engine) = with(&[
        ("go.mod", "module m\n"),
        ("internal/a.go", "package a\n\ntype Set struct{}\n\nfunc (s *Set) Add() { s.grow() }\n\nfunc (s *Set) grow() {}\n"),
        ("internal/b.go", "package a\n\nfunc use(s *Set) {\n\ts.Add()\n}\n"),
    ]);
    let callers = |name: &str| lines(&engine, &Question::Callers(named(name)));
    let beside = |name: &str| callers(name).into_iter().filter(|line| line.starts_with("besides")).collect::<Vec<_>>();
    assert_eq!(beside("Set"), ["besides: 2 uses by its own members are left out"]);
    assert_eq!(beside("b.go:4"), ["besides: `b.go:4` is taken for `internal/b.go#use`, lines 3 to 5"]);
    // Files of a package need no import of one another.
    assert_eq!(callers("a.go")[..2], ["internal/b.go:3 use (references, uses Set)", "internal/b.go:4 use (uses Set.Add)"]);
    let of_file = lines(&engine, &Question::Callees(named("b.go")));
    assert!(!of_file.iter().any(|line| line.contains("imports")), "{of_file:#?}");
}

#[test]
fn a_local_variable_of_the_name_is_no_use() {
    let of = |user: &str| {
        let (_scratch, engine) = with(&[
            ("a.ts", "export class Rows {\n  emptyAll() {}\n}\n"),
            ("b.ts", &format!("export const b = (x: any) => {{ {user} }};\n")),
        ]);
        state(&engine, &Question::Callers(named("emptyAll")))
    };
    for value in ["1", "() => 1"] {
        let own = format!("const own = () => {{ const emptyAll = {value}; return emptyAll(); }};");
        assert_eq!(of(&own), "(complete)");
        for user in ["const { emptyAll } = x; return emptyAll();", "x(({ emptyAll }) => x(emptyAll));", "x[`emptyAll`]();"] {
            // What another function of the file has of the name says nothing of it.
            for user in [user.to_owned(), format!("{own} {user}"), format!("{user} }}; {own} export const c = () => {{")] {
                assert_ne!(of(&user), "(complete)", "{user}");
            }
        }
    }
}

#[test]
fn a_test_that_makes_a_request_says_by_which_route() {
    let engine = corpus_of("routes");
    let of = |name: &str| lines(&engine, &Question::Tests(named(name)));
    let own = of("gate/server.go#Gate.seats");
    let by = "by route GET /api/crossings/{id}/seats, known by its path alone";
    assert_eq!(own[0], format!("gate/server_test.go:25 TestSeats ({by})"));
    let far = of("gate/server.go#Gate.reserve");
    let by = "by route POST /api/crossings/{id}/seats, through reserveSeat, known by its path alone";
    assert!(far.iter().any(|line| *line == format!("web/src/client.test.ts:4 takes a seat ({by})")), "{far:?}");
}

#[test]
fn a_test_that_asks_for_the_end_of_a_path_is_no_other_than_callers_names() {
    let (_scratch, engine) = with(&[
        ("pyproject.toml", "[project]\nname = \"app\"\n[tool.pytest.ini_options]\n"),
        ("app/__init__.py", ""),
        (
            "app/main.py",
            "from fastapi import FastAPI\nfrom app import login\nfrom app.config import settings\napp = FastAPI()\napp.include_router(login.router, prefix=settings.API)\n",
        ),
        ("app/config.py", "from os import environ\nclass Settings:\n    API = environ[\"API\"]\nsettings = Settings()\n"),
        (
            "app/login.py",
            "from fastapi import APIRouter\nrouter = APIRouter()\n@router.post(\"/reset-password\")\ndef reset():\n    pass\n",
        ),
        (
            "tests/test_login.py",
            "from fastapi.testclient import TestClient\nfrom app.config import settings\nfrom app.main import app\nclient = TestClient(app)\ndef test_reset():\n    client.post(f\"{settings.API}/reset-password\")\n",
        ),
    ]);
    let callers = lines(&engine, &Question::Callers(named("app/login.py#reset"))).join("\n");
    let tests = lines(&engine, &Question::Tests(named("app/login.py#reset"))).join("\n");
    for answer in [callers, tests] {
        let test = answer.lines().find(|line| line.contains("test_reset")).unwrap_or_default();
        assert!(test.contains("by route POST …/reset-password, known by the end of its path alone"), "{answer}");
    }
}

#[test]
fn a_line_of_one_overload_means_that_one_alone() {
    let (_scratch, engine) = with(&[
        (
            "src/main/java/a/Money.java",
            "package a;\npublic class Money {\n  static int of(int cents) { return cents; }\n  static int of(String text) { return 0; }\n}\n",
        ),
        (
            "src/main/java/a/Use.java",
            "package a;\nclass Use {\n  int one() { return Money.of(1); }\n  int other() { return Money.of(\"1\"); }\n}\n",
        ),
    ]);
    let callers = |name: &str| -> Vec<String> {
        let lines = lines(&engine, &Question::Callers(named(name))).into_iter();
        lines.filter_map(|line| line.strip_prefix("src/main/java/a/Use.java:").map(str::to_owned)).collect()
    };
    assert_eq!(callers("Money.java:3"), ["3 Use.one"]);
    assert_eq!(callers("Money.java:4"), ["4 Use.other"]);
    assert_eq!(callers("Money.of"), ["3 Use.one", "4 Use.other"]);
}

#[test]
fn a_call_among_two_says_whether_the_other_is_known() {
    let (_scratch, engine) = with(&[
        ("kit/__init__.py", "from kit._models import Answer\n"),
        ("kit/_models.py", "class Answer:\n    def must_pass(self): pass\n    def must_stay(self): pass\n"),
        (
            "kit/_other.py",
            "from kit._models import Answer\n\nclass Other:\n    def must_stay(self): pass\n\ndef all(one): one.must_stay()\n",
        ),
        ("tests/test_hooks.py", "import kit\n\ndef hook(response):\n    response.must_pass()\n"),
    ]);
    let of = |name: &str| lines(&engine, &Question::Callers(named(name)))[0].clone();
    assert_eq!(of("Answer.must_pass"), "tests/test_hooks.py:4 hook (may mean another)");
    assert_eq!(of("Answer.must_stay"), "kit/_other.py:6 all (one of 2)");
}
