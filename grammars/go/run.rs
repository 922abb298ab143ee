//! `go test`: by package, and by a pattern for each level of tests within tests.

use crate::facts::{SymbolKind, Traits};
use crate::project::folder_of;
use crate::run::{Level, Naming, Runner, TestName, path, pattern, quoted, unique};

/// Functions whose names begin like this measure.
const BENCHMARK: &str = "Benchmark";

/// How the tests of a file are run from the folder of its module.
pub(super) fn runner(module: &str, file: &str) -> Option<Runner> {
    let inner = if module.is_empty() { file } else { file.strip_prefix(module)?.strip_prefix('/')? };
    // Packages in these folders are not the module's own.
    if inner.split('/').any(|folder| folder == "vendor") {
        return None;
    }
    let package = folder_of(inner);
    let package = if package.is_empty() { ".".to_owned() } else { path(&format!("./{package}")) };
    Some(Runner { folder: module.to_owned(), command: format!("go test {package}"), naming: Naming::Levels })
}

/// The flags that name tests.
pub(super) fn select(_: Naming, tests: &[TestName<'_>]) -> Option<String> {
    if tests.iter().any(|test| test.levels.is_empty()) {
        return Some(String::new());
    }
    let roots: Option<Vec<&str>> = tests.iter().map(root).collect();
    let (measured, run): (Vec<&str>, Vec<&str>) = roots?.into_iter().partition(|name| name.starts_with(BENCHMARK));
    let patterns = |names: &[&str]| match (tests, names) {
        ([test], [_]) => test.levels.iter().flat_map(level).collect::<Vec<_>>().join("/"),
        (_, []) => "^$".to_owned(),
        (_, names) => match unique(names.iter().map(|name| pattern(name, hidden))).as_slice() {
            [name] => format!("^{name}$"),
            names => format!("^({})$", names.join("|")),
        },
    };
    let run = format!(" -run {}", quoted(&patterns(&run)));
    Some(if measured.is_empty() { run } else { format!("{run} -bench {}", quoted(&patterns(&measured))) })
}

/// The function that a test is or belongs to. Methods are run by functions that only a test framework knows, and a file that a plain build
/// leaves out by flags that nobody wrote down.
fn root<'a>(test: &TestName<'a>) -> Option<&'a str> {
    let (first, inner) = test.levels.split_first()?;
    let is_built = !first.traits.has(Traits::OTHER_BUILD);
    let is_root = first.kind == SymbolKind::Function && first.traits.has(Traits::TEST) && is_built;
    (is_root && inner.iter().all(|level| level.kind == SymbolKind::Test)).then_some(first.name)
}

/// The patterns of a test within its parent: a name with slashes counts as several levels.
fn level(level: &Level<'_>) -> Vec<String> {
    let shown: String = level.name.chars().map(|c| if is_space(c) { '_' } else { c }).collect();
    let mut patterns: Vec<String> = shown.split('/').map(|part| format!("^{}$", pattern(part, hidden))).collect();
    if level.traits.has(Traits::UNTITLED) {
        patterns.insert(0, ".*".to_owned());
    }
    if let (Some(last), n_before @ 1..) = (patterns.last_mut(), level.n_before) {
        // Of several subtests of one name that run, the later ones get numbers.
        last.insert_str(last.len() - 1, &format!("(#{n_before:02})?"));
    }
    patterns
}

/// What the names of subtests have an underscore for.
fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// What matches a character that cannot be seen, or that may be such: names of subtests hold some as they are and some as escapes.
fn hidden(c: char) -> String {
    let escaped = match c {
        '\u{7}' => r"\a".to_owned(),
        '\u{8}' => r"\b".to_owned(),
        c if c.is_ascii() => format!(r"\x{:02x}", u32::from(c)),
        c if u32::from(c) > 0xffff => format!(r"\U{:08x}", u32::from(c)),
        c => format!(r"\u{:04x}", u32::from(c)),
    };
    format!(r"(\x{{{:x}}}|\{escaped})", u32::from(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str) -> Level<'_> {
        Level { name, kind: SymbolKind::Function, traits: Traits::TEST, n_before: 0 }
    }

    fn subtest(name: &str) -> Level<'_> {
        Level { name, kind: SymbolKind::Test, traits: Traits::TEST, n_before: 0 }
    }

    fn selected(tests: &[&[Level<'_>]]) -> Option<String> {
        let tests: Vec<TestName<'_>> = tests.iter().map(|levels| TestName { module: "", levels: levels.to_vec() }).collect();
        select(Naming::Levels, &tests)
    }

    #[test]
    fn a_package_is_named_from_the_folder_of_its_module() {
        let line = |module: &str, file: &str| runner(module, file).map(|runner| runner.line(""));
        assert_eq!(line("", "a_test.go").as_deref(), Some("go test ."));
        assert_eq!(line("", "internal/a b/a_test.go").as_deref(), Some("go test './internal/a b'"));
        assert_eq!(line("svc", "svc/auth/a_test.go").as_deref(), Some("cd svc && go test ./auth"));
        assert_eq!(line("", "vendor/x/a_test.go"), None);
    }

    #[test]
    fn subtests_are_named_as_go_writes_them() {
        let of = |titles: &[&str]| {
            let levels: Vec<Level<'_>> = std::iter::once(function("TestX")).chain(titles.iter().map(|it| subtest(it))).collect();
            selected(&[&levels]).unwrap_or_default()
        };
        assert_eq!(of(&[]), " -run '^TestX$'");
        assert_eq!(of(&["empty token"]), " -run '^TestX$/^empty_token$'");
        assert_eq!(of(&["a/b", "c"]), " -run '^TestX$/^a$/^b$/^c$'");
        assert_eq!(of(&["isn't $(rm) [1|2]?"]), r" -run '^TestX$/^isn'\''t_\$\(rm\)_\[1\|2\]\?$'");
        assert_eq!(of(&["a\n\tb\u{a0}c"]), " -run '^TestX$/^a__b_c$'");
        assert_eq!(of(&["é\u{7}\u{202e}"]), r" -run '^TestX$/^é(\x{7}|\\a)(\x{202e}|\\u202e)$'");
        let inner = Level { traits: Traits(Traits::TEST.0 | Traits::UNTITLED.0), ..subtest("b") };
        assert_eq!(selected(&[&[function("TestX"), subtest("a"), inner]]).as_deref(), Some(" -run '^TestX$/^a$/.*/^b$'"));
        let twin = Level { n_before: 1, ..subtest("a") };
        assert_eq!(selected(&[&[function("TestX"), twin]]).as_deref(), Some(" -run '^TestX$/^a(#01)?$'"));
    }

    #[test]
    fn several_tests_share_a_command_and_benchmarks_have_a_flag_of_their_own() {
        let (a, b, bench) = (function("TestA"), function("TestB"), function("BenchmarkC"));
        assert_eq!(selected(&[&[b, subtest("x")], &[a], &[b]]).as_deref(), Some(" -run '^(TestB|TestA)$'"));
        assert_eq!(selected(&[&[b, subtest("x")], &[b, subtest("y")]]).as_deref(), Some(" -run '^TestB$'"));
        assert_eq!(selected(&[&[bench, subtest("x")]]).as_deref(), Some(" -run '^$' -bench '^BenchmarkC$/^x$'"));
        assert_eq!(selected(&[&[a], &[bench]]).as_deref(), Some(" -run '^TestA$' -bench '^BenchmarkC$'"));
        assert_eq!(selected(&[&[]]).as_deref(), Some(""));
    }

    #[test]
    fn what_only_a_framework_or_a_caller_runs_has_no_name() {
        let suite = Level { kind: SymbolKind::Type, traits: Traits::TEST_CODE, ..function("Suite") };
        let helper = Level { traits: Traits::TEST_CODE, ..function("check") };
        assert_eq!(selected(&[&[suite, Level { kind: SymbolKind::Method, ..function("TestA") }]]), None);
        assert_eq!(selected(&[&[helper, subtest("a")]]), None);
        let windows = Traits(Traits::TEST.0 | Traits::OTHER_BUILD.0);
        assert_eq!(selected(&[&[Level { traits: windows, ..function("TestA") }]]), None);
    }
}
