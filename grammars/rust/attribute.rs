//! What attributes say of the definition behind them.

use super::condition::holds;
use crate::facts::Traits;

/// Last names of attributes that make a function a test: of the language, of asynchronous runtimes and of test crates.
const TEST_ATTRIBUTES: [&str; 7] = ["test", "rstest", "test_case", "bench", "quickcheck", "proptest", "wasm_bindgen_test"];

/// Traits from an attribute as written or from the words in front of `fn`.
pub(super) fn traits(text: &str) -> Traits {
    let mut traits = Traits::default();
    let Some(inner) = text.strip_prefix('#') else {
        let words = [("async", Traits::ASYNC), ("unsafe", Traits::UNSAFE)];
        let written: Vec<&str> = text.split_whitespace().collect();
        words.iter().filter(|(word, _)| written.contains(word)).for_each(|(_, bit)| traits.add(*bit));
        return traits;
    };
    let inner = inner.trim_start().trim_start_matches('[').trim_start();
    let path_end = inner.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(inner.len());
    let name = inner[..path_end].rsplit("::").next().unwrap_or_default();
    if TEST_ATTRIBUTES.contains(&name) {
        traits.add(Traits::TEST);
        traits.add(Traits::TEST_CODE);
    }
    if name == "bench" {
        traits.add(Traits::BENCH);
    }
    // `#[case::zero(0)]` names the case after the word.
    let first = inner[..path_end].split("::").next().unwrap_or_default();
    if name == "test_case" || first == "case" {
        traits.add(Traits::TEMPLATE);
    }
    if name == "ignore" {
        traits.add(Traits::SKIPPED);
    }
    // A browser runs it.
    if name == "wasm_bindgen_test" {
        traits.add(Traits::OTHER_BUILD);
    }
    if name == "macro_export" {
        traits.add(Traits::AT_ROOT);
    }
    if name == "deprecated" {
        traits.add(Traits::DEPRECATED);
    }
    if name == "cfg" {
        let condition = &inner[path_end..];
        if needs_test(condition) {
            traits.add(Traits::TEST_CODE);
        }
        if holds(condition) == Some(false) {
            traits.add(Traits::OTHER_BUILD);
        }
    }
    traits
}

/// Whether a condition holds in test builds only: `(test)`, or `test` as a part of `all(...)`.
fn needs_test(condition: &str) -> bool {
    let compact: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let Some(condition) = compact.strip_prefix('(') else { return false };
    let (all, rest) = condition.strip_prefix("all(").map_or((false, condition), |rest| (true, rest));
    let mut depth = 0;
    let parts = rest.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let mut parts = parts.map(|part| part.trim_end_matches([')', ']']));
    if all { parts.any(|part| part == "test") } else { parts.next() == Some("test") }
}

/// Whether a line is `mod name;` for the file, and whether it is so for tests alone.
pub(super) fn declares_module(path: &str, line: &str, above: &str) -> Option<bool> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = if file == "mod.rs" { folder.rsplit('/').next().unwrap_or(folder) } else { file.trim_end_matches(".rs") };
    let declared = line.trim_end().strip_suffix(';').and_then(|line| line.strip_suffix(name))?;
    let is_for_tests = |line: &str| line.trim_start().starts_with("#[cfg(test)]");
    declared.ends_with("mod ").then(|| is_for_tests(line) || is_for_tests(above))
}
