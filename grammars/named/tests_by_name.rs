//! What a test is where nothing but names, annotations and folders says so.

use super::TEST;
use crate::facts::Traits;
use crate::literal::Literal;
use crate::{Declared, TestCall};

/// Folders of tests.
const FOLDERS: [&str; 7] = ["test", "tests", "spec", "specs", "Tests", "Test", "__tests__"];

/// How the names of files of tests end, and of functions and types that are tests.
const ENDINGS: [&str; 8] = ["_test", "_tests", "_spec", "-test", ".test", "Test", "Tests", "Spec"];

/// Calls that describe a test, in files of tests.
const CALLS: [&str; 6] = ["it", "test", "specify", "scenario", "describe", "context"];

/// Those that hold others.
const GROUPS: [&str; 2] = ["describe", "context"];

/// Annotations that make a test of what stands behind them.
const MARKS: [&str; 9] =
    ["Test", "ParameterizedTest", "RepeatedTest", "TestMethod", "TestCase", "Fact", "Theory", "DataTestMethod", "test"];

/// Whether a path is that of a file of tests.
pub(super) fn is_test_path(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_folder = folders.split('/').any(|folder| FOLDERS.contains(&folder));
    is_folder || stem.starts_with("test_") || stem.starts_with("test-") || ENDINGS.iter().any(|ending| stem.ends_with(ending))
}

/// Traits of a function from its name: in a file of tests those that are called so run as tests.
pub(super) fn function(function: &Declared<'_>) -> Traits {
    let name = function.name;
    if !function.test_file {
        return Traits::default();
    }
    let rest = ["test", "Test", "TEST"].iter().find_map(|word| name.strip_prefix(word));
    let is_test =
        rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase)) || ENDINGS.iter().any(|ending| name.ends_with(ending));
    if is_test { TEST } else { Traits::TEST_CODE }
}

/// Whether annotations have one that makes a test.
pub(super) fn is_marked(text: &str) -> bool {
    let words = text.match_indices(['@', '[']).map(|(at, _)| &text[at + 1..]);
    let mut words = words.map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default());
    words.any(|word| MARKS.contains(&word))
}

/// The test that a call with a title describes.
pub(super) fn described(callee: &str, arguments: &str) -> Option<TestCall> {
    if !CALLS.contains(&callee) {
        return None;
    }
    let title = Literal::first(arguments, true).map(|literal| literal.body.to_owned());
    let mut traits = TEST;
    if GROUPS.contains(&callee) {
        traits.add(Traits::GROUP);
    }
    title.map(|title| TestCall { title: Some(title), traits })
}
