//! Go: grammar, queries and how its declarations are read.

mod build;
mod check;
mod expressions;
mod project;
mod run;

use crate::facts::{Traits, Visibility};
use crate::literal::{Literal, unescape};
use crate::scope::{InProcess, ModuleModel, ScopeRules};
use crate::{Declared, Language, Reading, TestCall};
use std::sync::OnceLock;

/// The language.
pub static LANGUAGE: Language = Language {
    name: "go",
    extensions: &["go"],
    grammar: |_| tree_sitter_go::LANGUAGE.into(),
    dialect: |_| 0,
    queries: &[
        ("go/symbols.scm", include_str!("symbols.scm")),
        ("go/imports.scm", include_str!("imports.scm")),
        ("go/calls.scm", include_str!("calls.scm")),
        ("go/scopes.scm", include_str!("scopes.scm")),
        ("go/tests.scm", include_str!("tests.scm")),
    ],
    dialect_queries: [&[]; 2],
    is_test_path: |path| path.ends_with("_test.go"),
    is_bench_path: |_| false,
    has_tests_within: false,
    reading: Reading {
        explicit_self: true,
        visibility: |name, _, _| if name.starts_with(char::is_uppercase) { Visibility::Public } else { Visibility::Package },
        function: test_traits,
        deprecated_marks: &["Deprecated:"],
        test_call: subtest,
        generated_marks: &["DO NOT EDIT"],
        cgo_path: Some("C"),
        unsafe_path: Some("unsafe"),
        program_marks: &[
            "(\"go\", \"build\"",
            "(\"go\", \"run\"",
            "gexec.Build(",
            "testscript.",
            "exec.Command(os.Args[0]",
            "os.Executable()",
        ],
        is_left_out: build::is_left_out,
        unread: expressions::new_of_values,
        routes: &crate::routes::GO,
        ..Reading::PLAIN
    },
    scope: ScopeRules {
        modules: ModuleModel::Folder,
        runs_on_import: Some("init"),
        asks_in_process: Some(InProcess::Imported),
        program: Some("main"),
        builtins: &[
            "any",
            "bool",
            "byte",
            "comparable",
            "complex64",
            "complex128",
            "error",
            "float32",
            "float64",
            "int",
            "int8",
            "int16",
            "int32",
            "int64",
            "rune",
            "string",
            "uint",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "uintptr",
            "append",
            "cap",
            "clear",
            "close",
            "complex",
            "copy",
            "delete",
            "imag",
            "len",
            "make",
            "max",
            "min",
            "new",
            "panic",
            "print",
            "println",
            "real",
            "recover",
        ],
        common_methods: &[
            "Add", "Bytes", "Cancel", "Clone", "Close", "Copy", "Delete", "Do", "Done", "Equal", "Err", "Error", "Exec", "Flush",
            "Format", "Get", "Handle", "Info", "Init", "Len", "Less", "Load", "Lock", "Log", "Name", "New", "Next", "Open",
            "Parse", "Print", "Printf", "Put", "Query", "Read", "Remove", "Reset", "Run", "Scan", "Send", "Set", "Size", "Sort",
            "Start", "Stop", "Store", "String", "Swap", "Sync", "Unlock", "Update", "Value", "Wait", "Write",
        ],
        element_of: &[("Seq2", 1), ("chan", 0)],
        key_of: Some(&[("Seq", 0), ("Seq2", 0), ("chan", 0)]),
        makes_argument: &["new", "make"],
        implicit_methods: &[
            "As",
            "Close",
            "Error",
            "Format",
            "GoString",
            "Is",
            "Len",
            "Less",
            "MarshalJSON",
            "MarshalText",
            "Read",
            "ReadFrom",
            "RoundTrip",
            "Scan",
            "ServeHTTP",
            "String",
            "Swap",
            "UnmarshalJSON",
            "UnmarshalText",
            "Unwrap",
            "Value",
            "Write",
            "WriteTo",
        ],
        structural: true,
        foreign_interfaces: &[
            ("error", &["Error"]),
            ("Stringer", &["String"]),
            ("Closer", &["Close"]),
            ("Reader", &["Read"]),
            ("Writer", &["Write"]),
            ("Seeker", &["Seek"]),
            ("ReaderAt", &["ReadAt"]),
            ("WriterTo", &["WriteTo"]),
            ("ReaderFrom", &["ReadFrom"]),
            ("ByteReader", &["ReadByte"]),
            ("StringWriter", &["WriteString"]),
            ("ReadCloser", &["Read", "Close"]),
            ("WriteCloser", &["Write", "Close"]),
            ("ReadWriter", &["Read", "Write"]),
            ("ReadWriteCloser", &["Read", "Write", "Close"]),
            ("ReadSeeker", &["Read", "Seek"]),
            ("Locker", &["Lock", "Unlock"]),
            ("Handler", &["ServeHTTP"]),
            ("Context", &["Deadline", "Done", "Err", "Value"]),
            ("Marshaler", &["MarshalJSON"]),
            ("Unmarshaler", &["UnmarshalJSON"]),
        ],
        exports_only: true,
        ..ScopeRules::PLAIN
    },
    project: project::RULES,
    select_tests: run::select,
    measure: None,
    test_flag: Some(build::tags),
    tables: [const { OnceLock::new() }; 2],
};

/// Prefixes that make a function of a test file run as a test.
const TEST_PREFIXES: [&str; 4] = ["Test", "Benchmark", "Fuzz", "Example"];

fn test_traits(function: &Declared<'_>) -> Traits {
    let name = function.name;
    let mut traits = Traits::default();
    if function.test_file {
        traits.add(Traits::TEST_CODE);
        let rest = TEST_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
        // `Testimony` is not a test: what follows the prefix must not go on in lower case.
        if rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase) && name != "TestMain") {
            traits.add(Traits::TEST);
        }
    }
    traits
}

/// The subtest that `t.Run(title, func...)` runs.
fn subtest(callee: &str, arguments: &str) -> Option<TestCall> {
    let (_, "Run") = callee.rsplit_once('.')? else { return None };
    let literal = Literal::first(arguments, false);
    // Commands are run too, with a text or nothing as second argument.
    let takes_function = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_');
    let title = match literal.and_then(|literal| Some((literal, literal.rest.strip_prefix(',')?))) {
        Some((literal, rest)) if takes_function(rest) => {
            if literal.quote == '`' {
                Some(literal.body.to_owned())
            } else {
                unescape(literal.body)
            }
        }
        None if arguments.contains(", func(") => None,
        _ => return None,
    };
    let mut traits = Traits::TEST;
    traits.add(Traits::TEST_CODE);
    Some(TestCall { title, traits })
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGE, subtest};
    use crate::extract;
    use crate::facts::NoteKind;

    #[test]
    fn unsafe_code_is_noted_once_a_function() {
        let n_functions = 500;
        let functions = (0..n_functions).map(|at| format!("func f{at}() {{ unsafe.Pointer(x); unsafe.Sizeof(x) }}\n"));
        let source = format!("package a\nimport \"unsafe\"\n{}", functions.collect::<Vec<_>>().concat());
        let facts = extract(&LANGUAGE, "a.go", source.as_bytes()).facts;
        let noted = facts.notes.iter().filter(|note| note.kind == NoteKind::Unsafe).map(|note| note.symbol);
        assert_eq!(noted.collect::<Vec<_>>(), (0..n_functions).map(|at| Some(crate::facts::SymbolId(at))).collect::<Vec<_>>());
    }

    #[test]
    fn a_subtest_has_a_title_and_a_function() {
        let title = |callee: &str, arguments: &str| subtest(callee, arguments).map(|test| test.title);
        for (callee, arguments, expected) in [
            ("t.Run", r#"("isn't \"a\"\t", func(t *testing.T) {})"#, Some(Some("isn't \"a\"\t"))),
            ("t.Run", r"(`raw \n`, check)", Some(Some(r"raw \n"))),
            ("b.Run", r#"("a", test.run)"#, Some(Some("a"))),
            ("t.Run", "(c.name, func(t *testing.T) {})", Some(None)),
            ("t.Run", r#"("a" + b, func(t *testing.T) {})"#, Some(None)),
            ("cmd.Run", r#"("git", "status")"#, None),
            ("app.Run", r#"("serve")"#, None),
            ("app.Run", "(args)", None),
            ("Run", r#"("a", check)"#, None),
            ("t.Log", r#"("a", check)"#, None),
        ] {
            assert_eq!(title(callee, arguments), expected.map(|title| title.map(str::to_owned)), "{callee}{arguments}");
        }
    }
}
