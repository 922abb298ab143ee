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
