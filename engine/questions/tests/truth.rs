//! What answers say of themselves is true: repositories in which a list that is called complete would lack something.

use super::*;

/// The last line of an answer.
fn state(engine: &Engine, question: &Question) -> String {
    lines(engine, question).pop().unwrap_or_default()
}

#[test]
fn without_a_word_to_look_for_nothing_is_said_of_what_there_is() {
    let (_scratch, engine) = with(&[("a.ts", "let a = 1;\na += 2;\n")]);
    for words in ["+=", "a", "?"] {
        let refusal = refused(&engine, &Question::Find(named(words)));
        assert_eq!(refusal.kind, ErrorKind::BadInput, "{words}");
        assert!(refusal.message.contains("no word to look for"), "{}", refusal.message);
    }
}

#[test]
fn imports_that_lead_nowhere_leave_the_circles_open() {
    let of = |import: &str| {
        let (_scratch, engine) = with(&[
            ("k.ts", &format!("{import}\nexport const k = 1;\n")),
            ("l.ts", "import { k } from \"./k\";\nexport const l = k;\n"),
        ]);
        state(&engine, &Question::Cycles)
    };
    let open = "(incomplete: where imports of k.ts lead is not known)";
    for import in [
        "import { l } from \"@/l\";",
        "import { l } from \"~/l\";",
        "import { l } from \"#l\";",
        "import { l } from \"./gone\";",
        "const p = \"./l.js\"; import(p);",
        "const p = \"./l.js\"; const l = require(p);",
    ] {
        assert_eq!(of(import), open, "{import}");
    }
    for import in
        ["import { l } from \"lib\";", "import fs from \"node:fs\";", "import { l } from \"@scope/lib\";", "import(\"lib\");"]
    {
        assert_eq!(of(import), "(complete)", "{import}");
    }
}

#[test]
fn what_goes_through_a_file_leaves_its_users_open() {
    let (_scratch, engine) = with(&[
        ("Cargo.toml", "[package]\nname = \"lr\"\nversion = \"1.0.0\"\nedition = \"2024\"\npublish = false\n"),
        ("src/lib.rs", "mod a;\npub use a::f;\n"),
        ("src/a.rs", "pub fn f() {}\n"),
        ("src/main.rs", "use lr::f;\nfn main() { f() }\n"),
    ]);
    let why = "(incomplete: who uses what src/lib.rs passes on is not followed)";
    for question in [Question::Callers, Question::Impact, Question::Tests] {
        assert_eq!(lines(&engine, &question(named("src/lib.rs"))), ["none found", why]);
        assert_ne!(state(&engine, &question(named("src/a.rs"))), why);
    }
    assert_eq!(state(&engine, &Question::Callers(named("a.rs#f"))), "(complete)");
    // Where a file is imported by its path, who takes from it what it passes on is known, but not who takes it from the next.
    let (_scratch, engine) = with(&[
        ("a.ts", "export const f = () => 1;\n"),
        ("mid.ts", "export { f } from \"./a\";\n"),
        ("index.ts", "export { f } from \"./mid\";\n"),
        ("user.ts", "import { f } from \"./index\";\nf();\n"),
    ]);
    assert_eq!(lines(&engine, &Question::Callers(named("mid.ts"))), ["index.ts:1 (imports)", "(complete)"]);
    assert_eq!(
        state(&engine, &Question::Impact(named("mid.ts"))),
        "(incomplete: who uses what mid.ts passes on is not followed)"
    );
}

#[test]
fn a_name_in_an_attribute_or_a_macro_may_be_a_use() {
    let cargo = ("Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\n");
    let of = |code: &str, name: &str| {
        let (_scratch, engine) = with(&[cargo, ("src/main.rs", code)]);
        [Question::Callers, Question::Impact].map(|question| state(&engine, &question(named(name))))
    };
    for (code, name, line) in [
        (
            "#[derive(Parser)]\nstruct Args {\n    #[arg(value_parser = parse_millis)]\n    n: u64,\n}\nfn parse_millis() {}\n",
            "parse_millis",
            3,
        ),
        ("fn stage() {}\ncriterion_group!(benches, stage);\n", "stage", 2),
        ("const DETAILS: &str = \"\";\n#[command(\n    after_help = DETAILS\n)]\nstruct Args;\n", "DETAILS", 3),
        ("fn via() {}\nfn main() { call!(via) }\n", "via", 2),
        ("fn port() -> u16 { 1 }\nstruct S {\n    #[serde(default = \"port\")]\n    n: u16,\n}\n", "port", 3),
        (
            "struct Sec;\nimpl Sec { fn parse() {} }\nstruct S {\n    #[arg(value_parser = Sec::parse)]\n    n: u16,\n}\n",
            "Sec.parse",
            4,
        ),
        ("macro_rules! run { () => { step() } }\nfn step() {}\n", "step", 1),
    ] {
        let last = name.rsplit('.').next().unwrap_or(name);
        let why = format!("(incomplete: {last} is also written in src/main.rs:{line}, with no known meaning)");
        assert_eq!(of(code, name), [why.clone(), why], "{code}");
    }
    for (code, name) in [
        ("fn stage() {}\nfn main() { println!(\"stage\", stage()); /* call!(stage) */ }\n", "stage"),
        ("// call!(stage)\nfn stage() {}\nfn other() { let stage = 1; let _ = stage; }\n", "stage"),
        (
            "#[inline]\nfn stage() {}\nstruct S { stage: u8 }\nfn main() { let s = S { stage: 1 }; assert_eq!(s.stage, \"#[a(stage)]{stage}\"); }\n",
            "stage",
        ),
    ] {
        assert_eq!(of(code, name), ["(complete)", "(complete)"], "{code}");
    }
    // What imports it, and tests.
    let (_scratch, engine) = with(&[
        ("Cargo.toml", cargo.1),
        ("src/lib.rs", "pub fn stage() {}\n"),
        ("tests/all.rs", "use m::stage;\nrun!(stage);\n#[test]\nfn runs() {}\n"),
    ]);
    let why = "stage is also written in tests/all.rs:2, with no known meaning";
    for question in [Question::Callers, Question::Impact, Question::Tests] {
        assert!(state(&engine, &question(named("stage"))).contains(why), "{:?}", lines(&engine, &question(named("stage"))));
    }
}

#[test]
fn assembly_of_its_folder_may_call_a_function() {
    let (_scratch, engine) = with(&[
        ("go.mod", "module m\n"),
        ("p/a.go", "package p\n\nfunc helper() {}\n\nfunc other() {}\n"),
        ("p/a_amd64.s", "TEXT ·run(SB), 0, $0\n\tCALL ·helper(SB)\n"),
        ("q/b_amd64.s", "TEXT ·run(SB), 0, $0\n\tCALL ·other(SB)\n"),
    ]);
    let why = "(incomplete: helper stands in p/a_amd64.s, not understood)";
    assert_eq!(lines(&engine, &Question::Callers(named("helper"))), ["none found", why]);
    assert_eq!(lines(&engine, &Question::Callers(named("other"))), ["none found", "(complete)"]);
}

#[test]
fn what_another_way_than_an_import_may_use_is_not_called_unused() {
    let (_scratch, engine) = with(&[
        ("a.js", "function helper() {}\nvar CONFIG = 1;\nclass Widget {}\nfunction left() {}\n"),
        ("b.js", "helper(CONFIG);\n"),
        ("index.html", "<script src=\"a.js\"></script>\n<script>new Widget()</script>\n"),
        ("g.d.ts", "interface MyGlobal { a: number }\ndeclare const VERSION: string;\n"),
        ("u.ts", "export const u: MyGlobal = { a: VERSION };\n"),
        (
            "m.ts",
            "import \"react\";\n\ndeclare module \"react\" {\n  interface HTMLAttributes<T> { css?: T }\n}\ndeclare global {\n  interface \
             Window { a: number }\n}\nfunction alone() {}\n",
        ),
    ]);
    let found = lines(&engine, &Question::Unused { all: false });
    let rows: Vec<&str> =
        found.iter().filter(|line| !line.starts_with('(') && !line.starts_with("besides")).map(String::as_str).collect();
    assert_eq!(rows, ["a.js:4 left (function)"], "{found:#?}");
    let included = |include: &str| {
        let (_scratch, engine) = with(&[
            ("Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
            ("src/main.rs", &format!("fn only_inc() {{}}\nfn left() {{}}\nfn main() {{ {include} }}\n")),
            ("src/inc.in", "only_inc();\n"),
        ]);
        let found = lines(&engine, &Question::Unused { all: false });
        ["only_inc", "left"].map(|name| found.iter().any(|line| line.contains(&format!(" {name} "))))
    };
    assert_eq!(included("include!(\"inc.in\");"), [false, true]);
    assert_eq!(included("include!(concat!(env!(\"OUT_DIR\"), \"/inc.in\"));"), [false, false]);
    assert_eq!(included(""), [true, true]);
}

#[test]
fn a_member_may_be_taken_without_a_dot() {
    let of = |uses: &str| {
        let (_scratch, engine) = with(&[
            ("rows.ts", "export class Rows {\n  find() {}\n}\nexport function left() {}\n"),
            ("make.ts", "import { Rows } from \"./rows\";\nexport const make = () => new Rows();\n"),
            (
                "use.ts",
                &format!("import {{ make }} from \"./make\";\nimport * as all from \"./rows\";\nconst r = make();\n{uses}\n"),
            ),
        ]);
        ["Rows.find", "left"].map(|name| state(&engine, &Question::Callers(named(name))))
    };
    let open = |name: &str| format!("(incomplete: {name} is also written in use.ts:4, with no known meaning)");
    let complete = || "(complete)".to_owned();
    for uses in ["const { find } = r;", "r[\"find\"]();", "const f = ({ find }: Rows) => find;"] {
        assert_eq!(of(uses), [open("find"), complete()], "{uses}");
    }
    assert_eq!(of("all[\"left\"]();"), [complete(), open("left")]);
    for uses in ["r.find();", "const find = 1; const o = { find };", "// r[\"find\"]"] {
        assert_eq!(of(uses), [complete(), complete()], "{uses}");
    }
}

#[test]
fn what_something_outside_of_the_code_calls_has_no_complete_list() {
    let go = [
        ("go.mod", "module m\n"),
        ("main.go", "package main\n\nfunc init() {}\n\nfunc main() { Run() }\n\nfunc Run() {}\n"),
        ("main_test.go", "package main\n\nimport \"testing\"\n\nfunc TestRun(t *testing.T) { Run() }\n"),
    ];
    let (_scratch, engine) = with(&go);
    let of = |name: &str| state(&engine, &Question::Callers(named(name)));
    assert_eq!(of("main.go#main"), "(incomplete: the system calls main)");
    assert_eq!(of("main.go#init"), "(incomplete: whoever loads its package calls init)");
    assert_eq!(of("TestRun"), "(incomplete: a test runner calls TestRun)");
    assert_eq!(of("Run"), "(complete)");
    let (_scratch, engine) = with(&[
        ("Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        (
            "src/main.rs",
            "fn main() { inner(); }\n#[inline]\nfn inner() {}\n#[get(\"/\")]\nfn list() {}\n#[unsafe(no_mangle)]\npub extern \"C\" fn given() {}\n\
             #[cfg(test)]\nmod tests {\n    #[test]\n    fn runs() {}\n}\n",
        ),
    ]);
    let of = |name: &str| state(&engine, &Question::Callers(named(name)));
    assert_eq!(of("main.rs#main"), "(incomplete: the system calls main)");
    assert_eq!(of("list"), "(incomplete: `#[get]` may hand list to others)");
    assert_eq!(of("given"), "(incomplete: `#[no_mangle]` may hand given to others)");
    assert_eq!(of("runs"), "(incomplete: a test runner calls runs)");
    assert_eq!(of("inner"), "(complete)");
    // A change of one of them knows as much as its name.
    let of = |line: u32, old: &str| {
        let patch = format!("--- a/src/main.rs\n+++ b/src/main.rs\n@@ -{line} +{line} @@\n-{old} {{ }}\n+{old} {{}}\n");
        state(&engine, &Question::ImpactOf(Diff::of(&patch)))
    };
    assert!(of(5, "fn list()").contains("`#[get]` may hand list to others"), "{}", of(5, "fn list()"));
    assert!(!of(3, "fn inner()").contains("may hand"), "{}", of(3, "fn inner()"));
}

#[test]
fn what_serves_a_route_is_told_beside_another_of_its_name() {
    let (_scratch, engine) = with(&[
        ("Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("src/main.rs", "mod a;\nmod b;\nfn main() { Router::new().route(\"/b\", get(b::login)); }\n"),
        ("src/a.rs", "#[get(\"/a\")]\npub fn login() { crate::b::login(); }\n"),
        ("src/b.rs", "pub fn login() {}\n"),
    ]);
    let of = state(&engine, &Question::Impact(named("b.rs#login")));
    assert!(of.contains("`#[get]` may hand login to others") && of.contains("login serves a route"), "{of}");
}

#[test]
fn parts_that_are_not_looked_at_are_told() {
    let parts = (0..501).map(|n| format!("\nfunc f{n}() {{}}\n")).collect::<Vec<_>>().concat();
    let (_scratch, engine) = with(&[("go.mod", "module m\n"), ("internal/a.go", &format!("package a\n{parts}"))]);
    for question in [Question::Callers, Question::Impact] {
        assert!(
            state(&engine, &question(named("a.go"))).contains("whether others call 1 more of them is not looked at"),
            "{}",
            state(&engine, &question(named("a.go")))
        );
    }
    assert_eq!(state(&engine, &Question::Callers(named("f500"))), "(complete)");
}

#[test]
fn a_path_with_two_dots_in_a_row_is_no_range() {
    let (_scratch, engine) =
        with(&[("app/[...slug]/page.ts", "export const page = () => 1;\n"), ("main.ts", "export const HEAD = 1;\n")]);
    let of = |text: &str| Question::impact(&engine.snapshot().expect("facts").base, text);
    for name in ["app/[...slug]/page.ts", "[...slug]/page.ts#page", "HEAD\n", "\nmain.ts"] {
        assert_eq!(of(name), Question::Impact(named(name)));
        assert_eq!(asked(&engine, &of(name), LIMIT).about.len(), 1, "{name:?}");
    }
    for change in ["main..HEAD", "main..HEAD\n", "HEAD...gone", "--- a\n+++ b\n"] {
        assert!(matches!(of(change), Question::ImpactOf(_)), "{change:?}");
    }
}

#[test]
fn what_a_package_exports_may_be_used_outside() {
    // The list is that of the repository; who else there may be stands above its last line.
    let why = |name: &str, package: &str| format!("besides: whoever takes the package {package}, which exports {name}");
    let state = |engine: &Engine, question: &Question| {
        let lines = lines(engine, question);
        let beside = lines.iter().find(|line| line.starts_with("besides: whoever"));
        assert!(beside.is_none() || state(engine, question) == "(complete)");
        beside.cloned().unwrap_or_else(|| state(engine, question))
    };
    let rust = |manifest: &str| {
        let (_scratch, engine) = with(&[
            ("Cargo.toml", &format!("[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\n{manifest}")),
            (
                "src/lib.rs",
                "mod a;\npub mod b;\npub use crate::{\n    a::{f},\n    a::{\n        g as h,\n    },\n};\npub(crate) fn near() {}\n",
            ),
            ("src/a.rs", "pub fn f() {}\npub fn g() {}\npub fn kept() {}\n"),
            ("src/b.rs", "pub struct B;\nimpl B {\n    pub fn open(&self) {}\n    fn shut(&self) {}\n}\n"),
        ]);
        ["f", "g", "kept", "near", "B", "B.open", "B.shut"].map(|name| state(&engine, &Question::Callers(named(name))))
    };
    let complete = || "(complete)".to_owned();
    assert_eq!(rust(""), [why("f", "m"), why("g", "m"), complete(), complete(), why("B", "m"), why("open", "m"), complete()]);
    assert!(rust("publish = false\n").iter().all(|state| *state == complete()));
    let script = |manifest: &str| {
        let (_scratch, engine) = with(&[
            ("package.json", manifest),
            (
                "src/index.ts",
                "export * from \"./a\";\nimport * as b from \"./b\";\nimport { c, d } from \"./c\";\nexport { b, c };\n",
            ),
            ("src/a.ts", "export const a = () => 1;\nconst own = () => 1;\n"),
            ("src/b.ts", "export const inB = () => 1;\n"),
            ("src/c.ts", "export const c = () => 1;\nexport const d = () => 1;\n"),
        ]);
        ["a.ts#a", "own", "inB", "c.ts#c", "c.ts#d"].map(|name| state(&engine, &Question::Callers(named(name))))
    };
    assert_eq!(
        script("{\"name\": \"p\", \"exports\": {\".\": {\"import\": \"./dist/index.js\"}}}"),
        [why("a", "p"), complete(), why("inB", "p"), why("c", "p"), complete()]
    );
    assert!(script("{\"name\": \"p\", \"private\": true, \"main\": \"src/index.ts\"}").iter().all(|state| *state == complete()));
    let (_scratch, engine) = with(&[
        ("go.mod", "module example.com/m\n"),
        ("p/p.go", "package p\n\nfunc Open() { shut() }\n\nfunc shut() {}\n"),
        ("internal/q/q.go", "package q\n\nfunc Inner() {}\n"),
    ]);
    let of = |name: &str| state(&engine, &Question::Impact(named(name)));
    assert_eq!([of("Open"), of("shut"), of("Inner")], [why("Open", "example.com/m"), complete(), complete()]);
    // Of Python, what is installed with it: no script beside it.
    let manifest = std::cell::Cell::new("[project]\nname = \"shop-py\"\n");
    let python = |files: &[&str]| {
        let manifest = ("pyproject.toml", manifest.get());
        let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "def f(): pass\n")).chain([manifest]).collect();
        let (_scratch, engine) = with(&files);
        let snapshot = engine.snapshot().expect("facts");
        let desk = crate::desk::Desk::new(&engine, &snapshot, LIMIT);
        let is_given = |(path, _): &(&str, &str)| {
            !crate::outside::exports(&desk, &[snapshot.base.file_at(path).expect("a file")]).is_empty()
        };
        let given = files.iter().filter(|file| **file != manifest).copied().filter(is_given).map(|(path, _)| path);
        given.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(python(&["src/shop/a.py", "src/shop/_own.py", "scripts/run.py", "noxfile.py"]), "src/shop/a.py");
    assert_eq!(python(&["shop/__init__.py", "shop/a.py", "tools/b.py", "c.py"]), "shop/__init__.py shop/a.py");
    assert_eq!(python(&["shop_py.py", "scripts/run.py"]), "shop_py.py");
    manifest.set("[project]\nname = \"shop-py\"\n[tool.uv]\npackage = false\n");
    assert_eq!(python(&["shop_py.py"]), "");
    manifest.set("[project]\nname = \"shop-py\"\nclassifiers = [\"Private :: Do Not Upload\"]\n");
    assert_eq!(python(&["shop_py.py"]), "");
    // Of many packages a few are named.
    let written = (0..6).flat_map(|n| {
        let module = (format!("p{n}/go.mod"), format!("module example.com/p{n}\n"));
        [module, (format!("p{n}/a.go"), format!("package p{n}\n\nfunc F{n}() {{}}\n"))]
    });
    let written: Vec<(String, String)> = written.collect();
    let files: Vec<(&str, &str)> = written.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (_scratch, engine) = with(&files);
    let snapshot = engine.snapshot().expect("facts");
    let desk = crate::desk::Desk::new(&engine, &snapshot, LIMIT);
    let all: Vec<_> = snapshot.base.files().collect();
    let asides: Vec<String> = crate::outside::exports(&desk, &all).iter().map(|aside| aside.as_str().to_owned()).collect();
    assert_eq!((asides.len(), asides[3].as_str()), (4, "whoever takes 3 more packages"));
}

#[test]
fn what_stands_inside_of_a_function_is_not_said_to_be_known() {
    let (_scratch, engine) = with(&[(
        "a.ts",
        "export function f() {\n  interface Loc { at: number }\n  class C {\n    m() {}\n  }\n  const g = () => 1;\n  const l: Loc = { at: g() };\n  new C().m();\n  return l;\n}\n",
    )]);
    let of = |name: &str| state(&engine, &Question::Callers(named(name)));
    for name in ["Loc", "C", "m"] {
        let local = if name == "m" { "C.m" } else { name };
        assert_eq!(of(local), format!("(incomplete: {name} stands inside of a function, where not every use of it is known)"));
    }
    assert_eq!(of("f"), "(complete)");
    // A function is handed on where its name stands without a call.
    let handed = [
        ("a.ts", "export function f(l: number[]) {\n  const inner = (n: number) => n;\n  return l.map(inner);\n}\n", false),
        ("a.ts", "export function f(l: number[]) {\n  function inner(n: number) { return n; }\n  return { inner };\n}\n", false),
        ("a.ts", "export function f() {\n  const inner = () => 1;\n  // inner\n  return inner();\n}\n", true),
        ("a.py", "def f(l):\n    def inner(n):\n        return n\n    return map(inner, l)\n", false),
        ("a.py", "def f(l):\n    def inner(n):\n        return n\n    return inner(l)\n", true),
        ("a.rs", "fn f(l: Vec<u8>) {\n    fn inner(_: u8) {}\n    l.into_iter().for_each(inner)\n}\n", false),
    ];
    for (path, text, is_known) in handed {
        let (_scratch, engine) = with(&[("package.json", "{\"private\": true}"), (path, text)]);
        assert_eq!(state(&engine, &Question::Callers(named("inner"))) == "(complete)", is_known, "{text}");
    }
}

#[test]
fn what_runs_when_code_is_loaded_has_no_complete_list() {
    let deco = "def deco(f):\n    step()\n    return f\ndef step():\n    pass\n";
    let user = ("b.py", "from a import deco\n");
    let go = ("go.mod", "module m\n");
    let cases = [
        (
            go,
            ("a.go", "package m\n\nfunc init() { step() }\n\nfunc step() {}\n".to_owned()),
            "whoever loads its package calls init",
        ),
        (go, ("a.go", "package m\n\nfunc start() { step() }\n\nfunc step() {}\n".to_owned()), ""),
        (user, ("a.py", format!("{deco}@deco\ndef other():\n    pass\n")), "whoever loads a.py calls deco"),
        (user, ("a.py", format!("{deco}if __name__ == \"__main__\":\n    deco(step)\n")), ""),
        (user, ("a.py", deco.to_owned()), ""),
    ];
    for (beside, (path, text), why) in cases {
        let (_scratch, engine) = with(&[beside, (path, &text)]);
        let expected = if why.is_empty() { "(complete)".to_owned() } else { format!("(incomplete: {why})") };
        assert_eq!(state(&engine, &Question::Impact(named("step"))), expected, "{text}");
    }
}
