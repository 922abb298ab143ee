//! What names, decorators and paths say of definitions: visibility, properties, tests.

use crate::Declared;
use crate::facts::{Traits, Visibility};

/// What the names of classes hold whose methods unittest runs.
const TEST_BASE: &str = "Test";

/// Whether a file holds tests or what they need, by its name or its folders.
pub(super) fn is_test_path(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    is_collected(name) || name == "conftest.py" || folders.split('/').any(|folder| matches!(folder, "test" | "tests" | "testing"))
}

/// Whether a runner of tests looks into a file of this name.
fn is_collected(name: &str) -> bool {
    let stem = name.strip_suffix(".py").unwrap_or_default();
    stem.starts_with("test_") || stem.ends_with("_test") || matches!(stem, "test" | "tests")
}

/// Names with underscores in front are for their module or class alone, by custom; those with two on both sides are the language's own.
pub(super) fn visibility(name: &str) -> Visibility {
    match name.strip_prefix('_') {
        None => Visibility::Public,
        Some(_) if name.starts_with("__") && name.ends_with("__") => Visibility::Public,
        Some(rest) if rest.starts_with('_') => Visibility::Private,
        Some(_) => Visibility::Package,
    }
}

/// What a decorator says of the definition below it.
pub(super) fn decorator(text: &str) -> Traits {
    let path = text.trim_start_matches('@').split('(').next().unwrap_or_default().trim();
    let last = path.rsplit('.').next().unwrap_or(path);
    match last {
        "property" | "cached_property" | "setter" | "getter" | "deleter" | "abstractproperty" | "classproperty"
        | "hybrid_property" => Traits::GETTER,
        "overload" => Traits::BODILESS,
        "fixture" => Traits::FIXTURE,
        "skip" => Traits::SKIPPED,
        "parametrize" | "expand" => Traits::TEMPLATE,
        "deprecated" => Traits::DEPRECATED,
        _ => Traits::default(),
    }
}

/// Which functions are tests: those of files that runners look into, at the top of the module or of a class of tests.
pub(super) fn function(function: &Declared<'_>) -> Traits {
    let mut traits = Traits::default();
    if !function.test_file {
        return traits;
    }
    traits.add(Traits::TEST_CODE);
    let file = function.path.rsplit('/').next().unwrap_or(function.path);
    let is_of_tests = match function.holder {
        None => true,
        Some((name, bases)) => name.starts_with(TEST_BASE) || bases.contains(TEST_BASE),
    };
    if is_collected(file) && !function.is_nested && is_of_tests && function.name.starts_with("test") {
        traits.add(Traits::TEST);
    }
    traits
}
