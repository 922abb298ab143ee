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
        ("Cargo.toml", "[package]\nname = \"lr\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
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
