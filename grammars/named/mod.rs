//! Languages of which only definitions are known: what files define, and calls that one name alone explains.
//!
//! Each has a table of its own, `<name>.scm`, and a line here. None has manifests, scopes or types: who uses a definition is never said to be
//! known whole.

mod common;
mod macros;
mod tests_by_name;
pub(crate) mod words;

#[cfg(test)]
#[expect(clippy::needless_raw_string_hashes, reason = "that is how expected texts are written again")]
mod tests;

use crate::facts::{Traits, Visibility};
use crate::project::{Candidates, Load, Project, ProjectRules, folder_of, join};
use crate::scope::{ModuleModel, ScopeRules};
use crate::{Language, QueryFile, Reading};
use common::COMMON_METHODS;
use std::sync::OnceLock;

/// C.
pub static C: Language = by_name(Own {
    name: "c",
    extensions: &["c"],
    grammar: |_| tree_sitter_c::LANGUAGE.into(),
    queries: &[("named/c.scm", include_str!("c.scm"))],
    reading: Reading { unread: macros::macros, ..READING },
    shares_names_of: Some("cpp"),
    load: |_, _| Box::new(Includes),
    ..PLAIN
});

/// C++, and headers of both: its grammar reads those of C too.
pub static CPP: Language = by_name(Own {
    name: "cpp",
    extensions: &["h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "inl", "ipp", "tcc"],
    grammar: |_| tree_sitter_cpp::LANGUAGE.into(),
    queries: &[("named/c.scm", include_str!("c.scm")), ("named/cpp.scm", include_str!("cpp.scm"))],
    reading: Reading { unread: macros::macros, ..READING },
    load: |_, _| Box::new(Includes),
    ..PLAIN
});

/// Ruby.
pub static RUBY: Language = by_name(Own {
    name: "ruby",
    extensions: &["rb", "rake", "gemspec"],
    grammar: |_| tree_sitter_ruby::LANGUAGE.into(),
    queries: &[("named/ruby.scm", include_str!("ruby.scm"))],
    reading: Reading { test_call: tests_by_name::described, import_calls: &["require", "require_relative", "load"], ..READING },
    types_are_values: true,
    ..PLAIN
});

/// PHP.
pub static PHP: Language = by_name(Own {
    name: "php",
    extensions: &["php", "phtml", "inc"],
    grammar: |_| tree_sitter_php::LANGUAGE_PHP.into(),
    queries: &[("named/php.scm", include_str!("php.scm"))],
    ..PLAIN
});

/// Lua.
pub static LUA: Language = by_name(Own {
    name: "lua",
    extensions: &["lua"],
    grammar: |_| tree_sitter_lua::LANGUAGE.into(),
    queries: &[("named/lua.scm", include_str!("lua.scm"))],
    reading: Reading { test_call: tests_by_name::described, import_calls: &["require"], ..READING },
    ..PLAIN
});

/// Bash and the shells before it.
pub static BASH: Language = by_name(Own {
    name: "bash",
    extensions: &["sh", "bash", "ksh"],
    grammar: |_| tree_sitter_bash::LANGUAGE.into(),
    queries: &[("named/bash.scm", include_str!("bash.scm"))],
    runs_programs: true,
    ..PLAIN
});

/// Kotlin.
pub static KOTLIN: Language = by_name(Own {
    name: "kotlin",
    extensions: &["kt", "kts"],
    reading: Reading { words: Some(&words::languages::KOTLIN), test_call: tests_by_name::described, ..READING },
    ..PLAIN
});

/// Swift.
pub static SWIFT: Language = by_name(Own {
    name: "swift",
    extensions: &["swift"],
    reading: Reading { words: Some(&words::languages::SWIFT), test_call: tests_by_name::described, ..READING },
    ..PLAIN
});

/// Scala.
pub static SCALA: Language = by_name(Own {
    name: "scala",
    extensions: &["scala", "sc"],
    reading: Reading { words: Some(&words::languages::SCALA), test_call: tests_by_name::described, ..READING },
    ..PLAIN
});

/// C#.
pub static CSHARP: Language = by_name(Own {
    name: "csharp",
    extensions: &["cs"],
    reading: Reading { words: Some(&words::languages::CSHARP), ..READING },
    ..PLAIN
});

/// What a language of this folder has of its own.
struct Own {
    name: &'static str,
    extensions: &'static [&'static str],
    grammar: fn(&str) -> tree_sitter::Language,
    queries: &'static [QueryFile],
    reading: Reading,
    /// The language whose definitions its names mean too.
    shares_names_of: Option<&'static str>,
    /// Whether what it calls are programs.
    runs_programs: bool,
    types_are_values: bool,
    /// Where its imports lead.
    load: Load,
}

/// What a language begins with.
const PLAIN: Own = Own {
    name: "",
    extensions: &[],
    // Nobody asks for that of a language that is read by its words.
    grammar: |_| tree_sitter_lua::LANGUAGE.into(),
    queries: &[],
    reading: READING,
    shares_names_of: None,
    runs_programs: false,
    types_are_values: false,
    load: |_, _| Box::new(Nothing),
};

/// How declarations are read in all of them.
const READING: Reading = Reading {
    hoists: true,
    visibility: |_, words, _| if words.is_some_and(is_private) { Visibility::Private } else { Visibility::Public },
    attribute: |text| if tests_by_name::is_marked(text) { TEST } else { Traits(0) },
    function: tests_by_name::function,
    deprecated_marks: &["@deprecated", "@Deprecated", "[[deprecated", "[Obsolete"],
    generated_marks: &["DO NOT EDIT", "@generated", "<auto-generated"],
    ..Reading::PLAIN
};

/// What runs as a test.
const TEST: Traits = Traits(Traits::TEST.0 | Traits::TEST_CODE.0);

/// The language with what all of them have.
const fn by_name(own: Own) -> Language {
    Language {
        name: own.name,
        extensions: own.extensions,
        grammar: own.grammar,
        dialect: |_| 0,
        queries: own.queries,
        dialect_queries: [&[]; 2],
        is_test_path: tests_by_name::is_test_path,
        is_bench_path: |_| false,
        has_tests_within: false,
        reading: own.reading,
        scope: ScopeRules {
            modules: ModuleModel::Unknown,
            common_methods: &COMMON_METHODS,
            shares_names_of: own.shares_names_of,
            runs_programs: own.runs_programs,
            types_are_values: own.types_are_values,
            ..ScopeRules::PLAIN
        },
        project: ProjectRules { is_manifest: |_| false, runs_by: "a runner that is known", vendored_in: &[], load: own.load },
        select_tests: |_, _| None,
        measure: None,
        test_flag: None,
        tables: [const { OnceLock::new() }; 2],
    }
}

/// Whether words in front of a definition keep it for its file or type.
fn is_private(words: &str) -> bool {
    words.split_whitespace().any(|word| matches!(word, "private" | "fileprivate" | "static" | "local"))
}

/// No manifest is read, so no import leads anywhere for sure.
struct Nothing;

impl Project for Nothing {
    fn candidates(&self, _: &str, _: &str) -> Candidates {
        Candidates::default()
    }

    fn package(&self, _: &str) -> Option<String> {
        None
    }
}

/// The files that C takes in: what stands in quotes is looked for beside the file first. Other folders are the compiler's to know.
struct Includes;

impl Project for Includes {
    fn candidates(&self, from: &str, path: &str) -> Candidates {
        Candidates { files: join(folder_of(from), path).into_iter().collect(), ..Candidates::default() }
    }

    fn package(&self, _: &str) -> Option<String> {
        None
    }
}
