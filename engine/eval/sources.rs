//! Which paths count as source that a change is looked for in: no tests, examples, generated code, or code of others.
//!
//! Decides by path alone. The rule is the evaluation's own, so that lists of other tools are judged by it too; what the engine takes for a
//! test does not change who wins.

use regex::Regex;
use std::sync::LazyLock;

/// Folders of tests, examples and documentation.
static TEST_FOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    any_case(
        r"^(_*tests?_*|testdata|testing|test[-_]?(utils?|helpers?|support|cases?|suites?)|.*[-_]tests?|_*mocks?_*|specs?|e2e|playground|fixtures?|__snapshots__|integration|interop|(.*[-_])?bench(es|marks?|marking)?|fuzz(ing|er)?|examples?|samples?|demos?|docs?|website|stress-test)$",
    )
});

/// Files of tests and of builds.
static TEST_FILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    any_case(
        r"(_test\.go|_tests?\.rs|_tests?\.py|(^|/)(test[-_][^/]*|tests?|conftest)\.py|[.-](test|spec|bench|e2e|stories|mock|test-d|type-test)\.tsx?|(^|[/_-])mocks?(_.*)?\.(go|ts|rs)|(^|/)(tests?|benches|build)\.rs|(?-i:(Tests?|TestCase|IT|ITCase)\.java|(^|/)Test[A-Z][^/]*\.java)|(^|/)test[-_][^/]*\.(rs|ts|tsx))$",
    )
});

/// Files that programs write, or that set up programs.
static GENERATED_FILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    any_case(
        r"(\.pb(\.\w+)?\.go|_gen\.(go|rs|ts)|[._-]generated\.(go|rs|ts|tsx)|(^|/)zz_generated[^/]*|(^|/)bindata\.go|(^|/)gulpfile\.\w+|\.gen\.tsx?|\.d\.ts|\.min\.\w+|_string\.go|\.config\.[mc]?tsx?)$",
    )
});

/// What the head of a generated file says.
static GENERATED_HEAD: LazyLock<Option<Regex>> =
    LazyLock::new(|| any_case(r"Code generated .* DO NOT EDIT|@generated|AUTO-?GENERATED|automatically generated"));

/// Folders with code of others, or of programs.
const FOREIGN_FOLDERS: [&str; 10] = [
    "vendor",
    "deno_dist",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "dist",
    "external",
    "generated",
    "__generated__",
];

/// Lines at the top of a file in which it says that it is generated.
const HEAD_LINES: usize = 15;

/// Endings of source files with the language's name.
const LANGUAGES: [(&str, &str); 6] =
    [("go", "go"), ("java", "java"), ("py", "python"), ("rs", "rust"), ("ts", "typescript"), ("tsx", "typescript")];

fn any_case(pattern: &str) -> Option<Regex> {
    // The patterns are fixed; the tests of this module use each of them.
    Regex::new(&format!("(?i){pattern}")).ok()
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// The language of a path by its ending, for the languages that cases are of.
pub(super) fn language(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = name.rsplit_once('.')?;
    LANGUAGES.iter().find(|(known, _)| *known == ending && !stem.is_empty()).map(|(_, language)| *language)
}

fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit_once('/').map_or("", |(folders, _)| folders).split('/')
}

/// Whether a path is that of a test, an example or documentation.
pub(super) fn is_test(path: &str) -> bool {
    matches(&TEST_FILE, path) || folders(path).any(|folder| matches(&TEST_FOLDER, folder))
}

/// Whether a path is that of source in which a change is looked for.
pub fn is_source(path: &str) -> bool {
    language(path).is_some()
        && !is_test(path)
        && !matches(&GENERATED_FILE, path)
        && !folders(path).any(|folder| FOREIGN_FOLDERS.contains(&folder))
}

/// Whether a text says at its head that a program wrote it.
pub(super) fn says_generated(text: &str) -> bool {
    text.lines().take(HEAD_LINES).any(|line| matches(&GENERATED_HEAD, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use activate_grammars::Level;

    /// Endings of languages whose files are no source that a change is looked for in: what is written in them is seldom the code itself.
    const LEFT_OUT: [&str; 7] = ["pyi", "mts", "cts", "jsx", "js", "mjs", "cjs"];

    #[test]
    fn every_language_has_its_endings_here_and_its_tests_are_tests() {
        // Cases are of languages whose names are resolved.
        let resolved = activate_grammars::LANGUAGES.into_iter().filter(|language| language.level() == Level::Resolved);
        for language in resolved {
            let known = |ending: &str| LANGUAGES.iter().find(|(known, _)| *known == ending).map(|(_, name)| *name);
            let counted = language.extensions.iter().filter(|ending| !LEFT_OUT.contains(ending));
            for ending in counted {
                assert_eq!(
                    known(ending),
                    Some(language.name),
                    "add .{ending} to LANGUAGES of engine/eval/sources.rs, or to LEFT_OUT"
                );
                // What test files and their folders are called anywhere.
                let files = ["a_test", "a_tests", "test_a", "a.test", "a.spec", "a-test", "tests", "test", "conftest"];
                let paths = files.map(|file| format!("src/{file}.{ending}")).into_iter();
                let folders = ["test", "tests", "__tests__", "spec"].map(|folder| format!("{folder}/a.{ending}"));
                for path in paths.chain(folders).filter(|path| (language.is_test_path)(path)) {
                    assert!(is_test(&path), "{path} is a test of {}: add it to TEST_FILE or TEST_FOLDER", language.name);
                }
            }
        }
        for (ending, name) in LANGUAGES {
            let of = activate_grammars::language_of(&format!("a.{ending}")).map(|(_, language)| language.name);
            assert_eq!(of, Some(name), ".{ending}");
        }
    }

    #[test]
    fn tests_examples_generated_code_and_code_of_others_are_no_source() {
        for path in
            ["a.go", "cmd/x/main.go", "src/lib.rs", "src/a.ts", "src/App.tsx", "contest/a.go", "src/latest.ts", "a_testing.go"]
        {
            assert!(is_source(path), "{path}");
        }
        for path in [
            "README.md",
            ".go",
            "a.js",
            "a_test.go",
            "src/a_tests.rs",
            "src/a.test.ts",
            "src/a.spec.tsx",
            "x/mock_store.go",
            "build.rs",
            "src/tests.rs",
            "src/test_util.rs",
            "tests/a.rs",
            "Test/a.go",
            "pkg/testdata/a.go",
            "test-utils/a.ts",
            "runtime-tests/a.ts",
            "__mocks__/a.ts",
            "benches/a.rs",
            "my-benchmarks/a.ts",
            "examples/a.go",
            "docs/a.ts",
            "api/a.pb.go",
            "api/a.pb.gw.go",
            "a_gen.go",
            "a.generated.ts",
            "k8s/zz_generated.deepcopy.go",
            "types/a.d.ts",
            "kind_string.go",
            "vite.config.ts",
            "vendor/a/b.go",
            "dist/a.ts",
            "node_modules/a/b.ts",
            "deno_dist/a.ts",
        ] {
            assert!(!is_source(path), "{path}");
        }
    }

    #[test]
    fn a_head_that_says_so_is_generated() {
        assert!(says_generated("// Code generated by protoc-gen-go. DO NOT EDIT.\n"));
        assert!(says_generated("\n\n/* @generated */"));
        assert!(!says_generated(&format!("{}// @generated", "\n".repeat(HEAD_LINES))));
    }
}
