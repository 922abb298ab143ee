//! Texts that are damaged, mixed, strangely encoded or meant to do harm.

use super::diagnostics::DIAGNOSTICS;
use super::{report, written};
use crate::{Diagnostic, Report, Severity, read};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;

/// The texts of the corpus with the name of their format.
const FORMATS: &[(&str, &str)] = &[
    ("cargo-check.jsonl", "cargo"),
    ("clippy.jsonl", "cargo"),
    ("cargo-check.txt", "rustc"),
    ("go-build.jsonl", "go-build-json"),
    ("go-build.txt", "go"),
    ("go-vet.txt", "go"),
    ("generic.txt", "gcc"),
    ("golangci-lint.json", "golangci-lint"),
    ("tsc.txt", "tsc"),
    ("tsc-pretty.txt", "tsc"),
    ("eslint.json", "eslint"),
    ("eslint.sarif", "sarif"),
    ("clippy.sarif", "sarif"),
    ("javac.txt", "javac"),
    ("maven.txt", "maven"),
    ("gradle-compile.txt", "javac"),
    ("lsp.json", "lsp"),
    ("lsp.jsonl", "lsp"),
];

/// Formats that are read up to a fault, and in which nothing is taken back later.
const IN_ORDER: &[&str] =
    &["cargo-check.jsonl", "go-build.jsonl", "go-vet.json", "generic.txt", "golangci-lint.json", "tsc.txt", "eslint.json"];

/// In how many places texts are cut.
const N_CUTS: usize = 200;

fn text_of(name: &str) -> &'static str {
    DIAGNOSTICS.iter().find(|(known, _)| *known == name).expect("a text of the corpus").1
}

#[test]
fn every_text_is_known_by_what_it_says() {
    for (name, format) in FORMATS {
        let found = report(text_of(name));
        let mut asked = Report::default();
        read(text_of(name).as_bytes(), "text", Some(format), &mut asked).unwrap();
        assert_eq!(written(&found), written(&asked), "{name}");
        assert!(
            !found.diagnostics.is_empty() && found.unreadable.is_empty() && found.n_left_out == 0,
            "{name}: {}",
            written(&found)
        );
    }
    let mut report = Report::default();
    let error = read("".as_bytes(), "text", Some("cobol"), &mut report).unwrap_err();
    assert!(error.to_string().starts_with("there is no format `cobol`; known are eslint, "), "{error}");
}

#[test]
fn a_mixture_says_what_its_parts_say() {
    // Two forms of one message differ in their notes, and the first is kept.
    let all = |report: Report| -> BTreeSet<_> {
        let key = |found: Diagnostic| (found.tool, found.severity, found.code, found.place.map(|place| (place.path, place.line)));
        report.diagnostics.into_iter().map(key).collect()
    };
    for reversed in [false, true] {
        let mut texts: Vec<&str> = DIAGNOSTICS.iter().map(|(_, text)| *text).collect();
        if reversed {
            texts.reverse();
        }
        let parts: BTreeSet<_> = texts.iter().flat_map(|text| all(report(text))).collect();
        let mixture = report(texts.join("\nscript: next tool\n\n"));
        assert!(mixture.unreadable.is_empty() && mixture.silent.is_empty(), "{}", written(&mixture));
        assert_eq!(all(mixture), parts);
    }
}

#[test]
fn other_encodings_say_the_same() {
    for (name, text) in DIAGNOSTICS {
        let expected = written(&report(text));
        let wide =
            |bytes: fn(u16) -> [u8; 2]| "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect::<Vec<u8>>();
        for (how, bytes) in [
            ("with a mark", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
            ("with carriage returns", text.replace('\n', "\r\n").into_bytes()),
            ("little-endian", wide(u16::to_le_bytes)),
            ("big-endian", wide(u16::to_be_bytes)),
            ("little-endian without a mark", wide(u16::to_le_bytes).split_off(2)),
            ("big-endian without a mark", wide(u16::to_be_bytes).split_off(2)),
        ] {
            assert_eq!(written(&report(bytes)), expected, "{name} {how}");
        }
    }
    // Zeros among letters do not make a text wide.
    for noise in ["\0\0\0\0\n", "x\0\0x\0\n", "\0x\n\0x\0\0\0\n"] {
        assert_eq!(written(&report(format!("{noise}a.c:1:2: error: x\n"))), "error at a.c:1:2: x\n", "{noise:?}");
    }
    let coloured = text_of("cargo-check.txt")
        .lines()
        .map(|line| format!("\u{1b}[1m\u{1b}[31m{line}\u{1b}[0m\n"))
        .collect::<Vec<_>>()
        .concat();
    assert_eq!(written(&report(coloured)), written(&report(text_of("cargo-check.txt"))));
}

#[test]
fn what_stands_before_the_end_of_a_cut_text_is_kept() {
    for name in IN_ORDER {
        let text = text_of(name);
        let whole = report(text).diagnostics;
        let mut n_before = 0;
        for cut in (0..text.len()).step_by(text.len() / N_CUTS).filter(|cut| text.is_char_boundary(*cut)) {
            let part = report(&text[..cut]).diagnostics;
            // The last may be cut itself.
            let complete = &part[..part.len().saturating_sub(1)];
            assert_eq!(complete, &whole[..complete.len()], "{name} up to {cut}");
            assert!(part.len() >= n_before, "{name} up to {cut}");
            n_before = part.len();
        }
        assert!(n_before + 2 >= whole.len(), "{name}: {n_before} of {}", whole.len());
    }
}

#[test]
fn what_is_too_much_is_said() {
    let file = "[{\"filePath\":\"a.js\",\"messages\":[{\"message\":\"first\",\"line\":1}, ";
    let first = "warning eslint at a.js:1:0: first\n";
    let deep = "{\"params\":".repeat(1_000);
    let lines =
        |number: Range<u32>, word: &str| number.map(|line| format!("a.c:{line}:1: {word}: x\n")).collect::<Vec<_>>().concat();
    for (text, expected) in [
        (
            format!("{file}{}", "[".repeat(100_000)),
            format!("{first}unreadable: text line 1 column 100062: the JSON ends too early; what stands before is kept\n"),
        ),
        (
            format!("{file}nothing"),
            format!("{first}unreadable: text line 1 column 64: no valid JSON: expected ident; what stands before is kept\n"),
        ),
        (
            format!("noise\n\n  {{\n\"x\": 1}}\n[\n{}\n tail", &file[1..]),
            format!("{first}unreadable: text line 7 column 3: no valid JSON: expected ident; what stands before is kept\n"),
        ),
        (
            format!("{{\"jsonrpc\":\"2.0\",\"params\":{{\"x\":\"publishDiagnostics\"}}}}\n{{\"jsonrpc\":\"2.0\",{}", &deep[1..]),
            "unreadable: text line 2 column 1287: no valid JSON: recursion limit exceeded; what stands before is kept\n"
                .to_owned(),
        ),
        (
            format!("{}\na.c:1:2: error: behind\n", "x".repeat(5 << 20)),
            "error at a.c:1:2: behind\nunreadable: text line 1 column 1: the line is longer than the limit\n".to_owned(),
        ),
        (
            format!("{}a.c:1:2: error: behind\n", "[]\n[{\"filePath\":\"a.js\",\"messages\":[]}]\n".repeat(5_000)),
            "error at a.c:1:2: behind\nunreadable: text line 8194 column 1: the text holds more documents than are read\n"
                .to_owned(),
        ),
        ("\0\0\0a.c:1:2: error: x\n\0\n".to_owned(), "silent: text\n".to_owned()),
        (" \n\t\n".to_owned(), String::new()),
    ] {
        assert_eq!(written(&report(&text)), expected, "{}", &text[..text.len().min(200)]);
    }
    let many = report(lines(1..9_001, "warning") + &lines(9_001..12_001, "error"));
    let n_errors = many.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    assert_eq!((many.diagnostics.len(), n_errors, many.n_left_out), (10_000, 2_000, 2_000));
    let long = report(format!("a.c:1:2: error: {}\n", "x".repeat(1 << 20)));
    assert!(long.diagnostics[0].message.len() < 5_000 && long.unreadable.is_empty());
    let long = report(format!("{}.c:1:2: error: x\n", "x".repeat(1 << 20)));
    assert_eq!((long.diagnostics.len(), long.n_left_out), (0, 1));
}

#[test]
fn arguments_of_a_message_are_no_messages_themselves() {
    let sarif = |arguments: &str| {
        format!(
            r#"{{"version":"2.1.0","runs":[{{"tool":{{"driver":{{"name":"Q","rules":[{{"id":"a","shortDescription":{{"text":"{{0}} of {{1}}, {{9}} {{x}}"}}}}]}}}},
            "results":[{{"ruleId":"a","message":{{"arguments":{arguments}}}}}]}}]}}"#
        )
    };
    assert_eq!(written(&report(sarif(r#"["{1}{1}", "{0}"]"#))), "warning Q a: {1}{1} of {0}, {9} {x}\n");
    // Each names the next ten times: as many bytes as ten to the power of their number, were they filled in again.
    let arguments: Vec<String> = (1..12).map(|next| format!("\"{}\"", format!("{{{next}}}").repeat(10))).collect();
    let found = report(sarif(&format!("[{},\"x\"]", arguments.join(","))));
    assert_eq!((found.diagnostics.len(), found.diagnostics[0].message.len()), (1, 30 + 4 + 30 + 2 + 40 + 4));
}

/// Parts that mean something to some format.
const PARTS: [&str; 24] = [
    "null",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "7",
    "-1e99",
    "true",
    "\\u0000",
    "\n",
    "\r",
    "\t",
    "  ",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    ":",
    "::",
    "# a/b\n",
    " --> a.rs:1:1\n",
    "error: x\n",
    "{\"uri\":\"\",\"diagnostics\":[{}]}\n",
    "[{\"filePath\":\"\",\"messages\":[{}]}]\n",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_texts_are_read_within_bounds(
        which in 0..DIAGNOSTICS.len(),
        damages in vec((any::<prop::sample::Index>(), 0..40_usize, 0..PARTS.len(), any::<Option<u8>>()), 1..12),
        start in any::<prop::sample::Index>(),
    ) {
        let whole = DIAGNOSTICS[which].1.as_bytes();
        let mut bytes = whole[start.index(whole.len()) / 2..].to_vec();
        for (at, n_bytes, part, byte) in damages {
            let at = at.index(bytes.len() + 1);
            let end = (at + n_bytes).min(bytes.len());
            let part = byte.map_or(PARTS[part].as_bytes().to_vec(), |byte| vec![byte]);
            bytes.splice(at..end, part);
        }
        let report = report(&bytes);
        prop_assert!(report.diagnostics.len() <= bytes.len());
        for diagnostic in &report.diagnostics {
            prop_assert!(!diagnostic.message.is_empty() && diagnostic.notes.len() <= 16);
            let is_coloured = diagnostic.message.contains('\u{1b}');
            prop_assert!(!is_coloured);
        }
    }
}
