//! `cargo test`: by package and crate, and by paths through modules.

use super::condition;
use crate::facts::{SymbolKind, Traits};
use crate::project::join;
use crate::run::{Naming, Runner, TestName, path, unique, word};
use toml::{Table, Value};

/// Tables of a manifest that name crates of a package beside its library, with the folder whose files are such crates, and the key that
/// turns this off.
pub(super) const KINDS: [(&str, &str, &str); 4] = [
    ("bin", "src/bin", "autobins"),
    ("test", "tests", "autotests"),
    ("example", "examples", "autoexamples"),
    ("bench", "benches", "autobenches"),
];

/// The kind of crates whose programs measure.
const BENCH: &str = "bench";

/// What runs tests, and what runs benchmarks.
const TEST: &str = "cargo test";
const MEASURE: &str = "cargo bench";

/// A crate of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CrateTarget {
    /// The flag that names it.
    flag: String,
    /// Whether it is a bench, whose tests nothing runs.
    is_bench: bool,
    /// Its root.
    pub(super) file: String,
    /// Features without which it is not built.
    features: Vec<String>,
    /// Whether the usual harness runs its tests.
    has_harness: bool,
}

impl CrateTarget {
    /// A crate that is found by the place of its root.
    pub(super) fn found(kind: &str, name: &str, file: String) -> Self {
        let flag = format!("--{kind} {}", word(name));
        Self { flag, is_bench: kind == BENCH, file, features: Vec::new(), has_harness: true }
    }

    fn declared(table: &Value, target: Self) -> Self {
        let features = table.get("required-features").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Self {
            features: features.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            has_harness: table.get("harness").and_then(Value::as_bool) != Some(false),
            ..target
        }
    }
}

/// The crates that a manifest names, and those at the places where Cargo looks without being told: best first for one file.
pub(super) fn targets(folder: &str, about: &Table, table: &Table, exists: &dyn Fn(&str) -> bool) -> Vec<CrateTarget> {
    let package = about.get("name").and_then(Value::as_str).unwrap_or_default();
    let in_folder = |path: &str| join(folder, path).filter(|file| exists(file));
    let mut targets = Vec::new();
    let lib = table.get("lib");
    let library = lib.and_then(|lib| lib.get("path")?.as_str()).unwrap_or("src/lib.rs");
    if let Some(file) = in_folder(library) {
        let found = CrateTarget { flag: "--lib".to_owned(), ..CrateTarget::found("lib", "", file) };
        targets.push(lib.map_or_else(|| found.clone(), |lib| CrateTarget::declared(lib, found.clone())));
    }
    for (kind, place, _) in KINDS {
        for declared in table.get(kind).and_then(Value::as_array).into_iter().flatten() {
            let name = declared.get("name").and_then(Value::as_str).unwrap_or_default();
            let file = match declared.get("path").and_then(Value::as_str) {
                Some(path) => in_folder(path),
                None if name.is_empty() => None,
                None => {
                    let main = (kind == "bin").then(|| "src/main.rs".to_owned());
                    let guesses = [format!("{place}/{name}.rs"), format!("{place}/{name}/main.rs")];
                    guesses.into_iter().chain(main).find_map(|path| in_folder(&path))
                }
            };
            targets.extend(file.map(|file| CrateTarget::declared(declared, CrateTarget::found(kind, name, file))));
        }
    }
    let is_on = about.get(KINDS[0].2).and_then(Value::as_bool) != Some(false);
    targets.extend(in_folder("src/main.rs").filter(|_| is_on).map(|file| CrateTarget::found("bin", package, file)));
    targets
}

/// How the tests of a crate are run: from the root of the repository where its workspace surely has the package, else from its folder.
pub(super) fn runner(package: &str, folder: &str, is_member: bool, target: &CrateTarget) -> Runner {
    let flag = &target.flag;
    let features =
        if target.features.is_empty() { String::new() } else { format!(" --features {}", word(&target.features.join(","))) };
    let naming = match (target.is_bench, target.has_harness) {
        (false, true) => Naming::Paths,
        (false, false) => Naming::Whole,
        (true, true) => Naming::BenchPaths,
        (true, false) => Naming::BenchWhole,
    };
    let call = if target.is_bench { MEASURE } else { TEST };
    let (folder, package) =
        if is_member { (String::new(), format!(" -p {}", path(package))) } else { (folder.to_owned(), String::new()) };
    Runner { folder, command: format!("{call}{package} {flag}{features}"), naming }
}

/// The flag with the features without which a file is left out as a whole, by the conditions that stand at its top.
pub(super) fn features(text: &str) -> Option<String> {
    let (mut rest, mut all) = (text, Vec::new());
    loop {
        rest = rest.trim_start();
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, rest)| rest);
        } else if let Some(attribute) = rest.strip_prefix("#![") {
            // A bracket in a text ends it early: then nothing is read of what follows.
            let (attribute, behind) = attribute.split_once(']')?;
            all.extend(attribute.trim().strip_prefix("cfg").map(str::trim).map_or_else(Vec::new, condition::features));
            rest = behind;
        } else {
            break;
        }
    }
    let is_name = |feature: &String| !feature.is_empty() && feature.chars().all(|c| c.is_alphanumeric() || "_-+./".contains(c));
    all.sort();
    all.dedup();
    (!all.is_empty() && all.iter().all(is_name)).then(|| format!("--features {}", word(&all.join(","))))
}

/// The command that measures what `runner` runs once as tests.
pub(super) fn measure(runner: &Runner) -> Option<Runner> {
    let rest = runner.command.strip_prefix(TEST).filter(|_| runner.naming == Naming::Paths)?;
    Some(Runner { command: format!("{MEASURE}{rest}"), naming: Naming::BenchPaths, ..runner.clone() })
}

/// Whether a folder is what a pattern such as `crates/*` names.
pub(super) fn matches(pattern: &str, folder: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let folder: Vec<&str> = folder.split('/').collect();
    let part = |(pattern, name): (&&str, &&str)| match pattern.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => pattern == name,
    };
    pattern.len() == folder.len() && pattern.iter().zip(&folder).all(part)
}

/// The names of tests as the harness takes them.
pub(super) fn select(naming: Naming, tests: &[TestName<'_>]) -> Option<String> {
    // A file may be the root of its crate: then all tests of the crate are meant.
    if tests.iter().any(|test| test.levels.is_empty() && test.module.is_empty()) {
        return Some(String::new());
    }
    let paths: Vec<String> = unique(tests.iter().map(name).collect::<Option<Vec<_>>>()?.into_iter());
    if !matches!(naming, Naming::Paths | Naming::BenchPaths) || paths.is_empty() {
        return None;
    }
    let is_bench = |test: &TestName<'_>| test.levels.last().is_none_or(|level| level.traits.has(Traits::BENCH));
    if naming == Naming::BenchPaths && !tests.iter().all(is_bench) {
        return None;
    }
    // What ends like this holds several tests: it is looked for in their names.
    let exact = if paths.iter().any(|path| path.ends_with("::")) { "" } else { " --exact" };
    let is_skipped = |test: &TestName<'_>| test.levels.last().is_some_and(|level| level.traits.has(Traits::SKIPPED));
    let skipped = if tests.iter().any(is_skipped) { " --include-ignored" } else { "" };
    Some(format!(" --{exact}{skipped} {}", paths.iter().map(|path| word(path)).collect::<Vec<_>>().join(" ")))
}

/// The path of a test within its crate; that of what holds several ends with colons.
fn name(test: &TestName<'_>) -> Option<String> {
    let modules = if test.module.is_empty() { String::new() } else { format!("{}::", test.module) };
    let Some((last, outer)) = test.levels.split_last() else { return Some(modules) };
    let is_run = last.kind == SymbolKind::Function && !last.traits.has(Traits::OTHER_BUILD);
    if !is_run || outer.iter().any(|level| level.kind != SymbolKind::Module) {
        return None;
    }
    let outer = outer.iter().map(|level| format!("{}::", level.name)).collect::<Vec<_>>().concat();
    let end = if last.traits.has(Traits::TEMPLATE) { "::" } else { "" };
    Some(format!("{modules}{outer}{}{end}", last.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Level;

    fn level(name: &str, kind: SymbolKind, traits: Traits) -> Level<'_> {
        Level { name, kind, traits, n_before: 0 }
    }

    #[test]
    fn tests_are_named_by_their_path_through_modules() {
        let module = level("tests", SymbolKind::Module, Traits::TEST_CODE);
        let test = |name, traits| level(name, SymbolKind::Function, traits);
        let one = |module, levels: &[Level<'_>]| select(Naming::Paths, &[TestName { module, levels: levels.to_vec() }]);
        assert_eq!(one("", &[test("works", Traits::TEST)]).as_deref(), Some(" -- --exact works"));
        assert_eq!(
            one("auth::login", &[module, test("works", Traits::TEST)]).as_deref(),
            Some(" -- --exact auth::login::tests::works")
        );
        assert_eq!(one("a", &[test("cases", Traits::TEMPLATE)]).as_deref(), Some(" -- a::cases::"));
        assert_eq!(one("", &[test("slow", Traits::SKIPPED)]).as_deref(), Some(" -- --exact --include-ignored slow"));
        assert_eq!(one("", &[test("größe", Traits::TEST)]).as_deref(), Some(" -- --exact 'größe'"));
        // All tests of a file, and of a crate.
        assert_eq!(one("auth::login", &[]).as_deref(), Some(" -- auth::login::"));
        assert_eq!(one("", &[]).as_deref(), Some(""));
        // Nothing runs these.
        assert_eq!(one("", &[test("windows", Traits::OTHER_BUILD)]), None);
        assert_eq!(one("", &[level("A", SymbolKind::Type, Traits::default()), test("a", Traits::TEST)]), None);
        let both = [[module, test("a", Traits::TEST)], [module, test("b", Traits::TEST)], [module, test("a", Traits::TEST)]];
        let both = both.map(|levels| TestName { module: "", levels: levels.to_vec() });
        assert_eq!(select(Naming::Paths, &both).as_deref(), Some(" -- --exact tests::a tests::b"));
        assert_eq!(select(Naming::Whole, &both), None);
    }

    #[test]
    fn a_file_may_need_features_as_a_whole() {
        let top = "// Tests.\n#![warn(rust_2018_idioms)]\n/* all */ #![cfg(all(feature = \"full\", not(miri)))]\n#![cfg(feature = \"a$b\")]\nuse a;";
        assert_eq!(features(top), None, "no name of a feature");
        assert_eq!(features(&top.replace("a$b", "b")).as_deref(), Some("--features b,full"));
        assert_eq!(features("use a;\n#![cfg(feature = \"x\")]"), None);
        assert_eq!(features("#![cfg("), None);
    }

    #[test]
    fn benchmarks_are_measured_and_tests_among_them_are_not_run() {
        fn name<'a>(levels: &[Level<'a>]) -> TestName<'a> {
            TestName { module: "", levels: levels.to_vec() }
        }
        let of = |kind: &str, has_harness: bool| {
            let target = CrateTarget { has_harness, ..CrateTarget::found(kind, "tokens", "benches/tokens.rs".to_owned()) };
            let runner = runner("auth", "", true, &target);
            (runner.line(""), runner.naming)
        };
        assert_eq!(of("bench", true), ("cargo bench -p auth --bench tokens".to_owned(), Naming::BenchPaths));
        assert_eq!(of("bench", false), ("cargo bench -p auth --bench tokens".to_owned(), Naming::BenchWhole));
        let bench = level("decode", SymbolKind::Function, Traits(Traits::TEST.0 | Traits::BENCH.0));
        let test = level("works", SymbolKind::Function, Traits::TEST);
        assert_eq!(select(Naming::BenchPaths, &[name(&[bench])]).as_deref(), Some(" -- --exact decode"));
        assert_eq!(select(Naming::BenchPaths, &[name(&[test])]), None);
        assert_eq!(select(Naming::BenchPaths, &[name(&[bench]), name(&[test])]), None);
        assert_eq!(select(Naming::BenchWhole, &[name(&[bench])]), None);
        assert_eq!(select(Naming::BenchWhole, &[name(&[])]).as_deref(), Some(""));
        // One among the tests of a library.
        let lib = Runner { folder: String::new(), command: "cargo test -p auth --lib".to_owned(), naming: Naming::Paths };
        assert_eq!(measure(&lib).map(|runner| runner.line("")).as_deref(), Some("cargo bench -p auth --lib"));
        assert_eq!(measure(&Runner { naming: Naming::Whole, ..lib }), None);
    }

    #[test]
    fn members_are_named_part_by_part() {
        for (pattern, folder, is_named) in [
            ("crates/*", "crates/a", true),
            ("./crates/a/", "crates/a", true),
            ("crates/*", "crates/a/b", false),
            ("crates/*-sys", "crates/z-sys", true),
            ("aa*a", "aa", false),
            ("*", "crates/a", false),
        ] {
            assert_eq!(matches(pattern, folder), is_named, "{pattern} {folder}");
        }
    }
}
