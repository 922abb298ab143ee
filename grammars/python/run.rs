//! `pytest` by paths and names, and `python -m unittest` by dotted names where nothing says pytest.

use crate::facts::{SymbolKind, Traits};
use crate::run::{Naming, Runner, TestFile, TestName, path, unique, word};

/// Folders that are another's.
const FOREIGN: [&str; 3] = ["site-packages", "node_modules", "vendor"];

/// How the tests of a file are run; `says_pytest` says whether a manifest names pytest.
pub(super) fn runner(file: &TestFile<'_>, says_pytest: bool) -> Option<Runner> {
    let is_stub = file.path.rsplit('.').next() != Some("py");
    if !file.has_tests || is_stub || file.path.split('/').any(|folder| FOREIGN.contains(&folder)) {
        return None;
    }
    let imports = |module: &str| file.imports.iter().any(|path| path.split('.').next() == Some(module));
    let is_dotted = file.path.trim_end_matches(".py").split('/').all(is_name);
    let by_unittest = !says_pytest && is_dotted && imports("unittest") && !imports("pytest");
    let (command, naming) = if by_unittest { ("python -m unittest", Naming::Dotted) } else { ("pytest", Naming::Nodes) };
    Some(Runner { folder: String::new(), command: command.to_owned(), naming })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The words that name tests.
pub(super) fn select(naming: Naming, tests: &[TestName<'_>]) -> Option<String> {
    let named = |test: &TestName<'_>| match naming {
        Naming::Nodes => Some(node(test, "::", path(test.module))?.0),
        Naming::Dotted => {
            let module = test.module.trim_end_matches(".py").replace('/', ".");
            let (name, is_known) = node(test, ".", word(&module))?;
            is_known.then_some(name)
        }
        _ => None,
    };
    let words: Option<Vec<String>> = tests.iter().map(named).collect();
    Some(format!(" {}", unique(words?.into_iter()).join(" ")))
}

/// A test by its file and the names around it, and whether a class holds it or it is all of its file. Nothing where it does not run.
fn node(test: &TestName<'_>, between: &str, file: String) -> Option<(String, bool)> {
    if test.module.is_empty() {
        return None;
    }
    let Some((last, around)) = test.levels.split_last() else { return Some((file, true)) };
    let is_test = last.traits.has(Traits::TEST) && matches!(last.kind, SymbolKind::Function | SymbolKind::Method);
    let is_class = last.kind == SymbolKind::Type;
    let holds = around.iter().all(|level| level.kind == SymbolKind::Type);
    if !holds || !(is_test || is_class) || test.levels.iter().any(|level| level.traits.has(Traits::SKIPPED)) {
        return None;
    }
    let names: Vec<&str> = test.levels.iter().map(|level| level.name).collect();
    if !names.iter().all(|name| is_name(name)) {
        return None;
    }
    Some((format!("{file}{between}{}", names.join(between)), is_class || !around.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Level;

    fn level(name: &str, kind: SymbolKind, traits: Traits) -> Level<'_> {
        Level { name, kind, traits, n_before: 0 }
    }

    fn selected(naming: Naming, levels: &[&[Level<'_>]]) -> Option<String> {
        let tests: Vec<TestName<'_>> =
            levels.iter().map(|levels| TestName { module: "tests/a b/test_x.py", levels: levels.to_vec() }).collect();
        select(naming, &tests)
    }

    #[test]
    fn tests_are_named_by_their_file_and_what_holds_them() {
        let class = level("TestX", SymbolKind::Type, Traits::TEST_CODE);
        let method = level("test_a", SymbolKind::Method, Traits::TEST);
        let function = level("test_b", SymbolKind::Function, Traits::TEST);
        let both = selected(Naming::Nodes, &[&[class, method], &[function]]);
        assert_eq!(both.as_deref(), Some(" 'tests/a b/test_x.py'::TestX::test_a 'tests/a b/test_x.py'::test_b"));
        assert_eq!(selected(Naming::Nodes, &[&[]]).as_deref(), Some(" 'tests/a b/test_x.py'"));
        let dotted = TestName { module: "tests/test_x.py", levels: vec![class, method] };
        assert_eq!(select(Naming::Dotted, &[dotted]).as_deref(), Some(" tests.test_x.TestX.test_a"));
        let helper = level("check", SymbolKind::Function, Traits::TEST_CODE);
        assert_eq!(selected(Naming::Nodes, &[&[helper]]), None);
        assert_eq!(selected(Naming::Nodes, &[&[function, level("test_c", SymbolKind::Function, Traits::TEST)]]), None);
        assert_eq!(selected(Naming::Dotted, &[&[function]]), None, "unittest runs classes");
        let skipped = Traits(Traits::TEST.0 | Traits::SKIPPED.0);
        assert_eq!(selected(Naming::Nodes, &[&[level("test_d", SymbolKind::Function, skipped)]]), None);
    }

    #[test]
    fn unittest_runs_what_it_alone_is_imported_by() {
        let line = |path: &str, imports: &[&str], says_pytest: bool| {
            let file = TestFile { path, root: None, imports, has_tests: true };
            runner(&file, says_pytest).map(|runner| runner.command)
        };
        assert_eq!(line("tests/test_a.py", &["unittest"], false).as_deref(), Some("python -m unittest"));
        assert_eq!(line("tests/test_a.py", &["unittest.mock"], true).as_deref(), Some("pytest"));
        assert_eq!(line("tests/test_a.py", &["unittest", "pytest"], false).as_deref(), Some("pytest"));
        assert_eq!(line("my-tests/test_a.py", &["unittest"], false).as_deref(), Some("pytest"));
        assert_eq!(line("venv/lib/site-packages/x/test_a.py", &[], true), None);
    }
}
