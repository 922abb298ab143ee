//! What names, decorators and paths say of definitions: visibility, properties, tests.

use crate::Declared;
use crate::facts::{Traits, Visibility};
use crate::scope::Around;

/// What the names of classes hold whose methods unittest runs.
const TEST_BASE: &str = "Test";

/// Functions at the top of a module that unittest and pytest call around its tests, and that pytest calls around those outside of classes.
const OF_MODULES: [&str; 4] = ["setUpModule", "tearDownModule", "setup_module", "teardown_module"];
const OF_FUNCTIONS: [&str; 2] = ["setup_function", "teardown_function"];

/// Methods that pytest calls around the tests of any class.
const OF_CLASSES: [&str; 4] = ["setup_method", "teardown_method", "setup_class", "teardown_class"];

/// Methods that unittest and Django call around the tests of classes that have such a base, and nobody calls elsewhere.
const OF_CASES: [&str; 7] = ["setUp", "tearDown", "setUpClass", "tearDownClass", "setUpTestData", "asyncSetUp", "asyncTearDown"];
const CASE: &str = "TestCase";

/// What of these is called around some tests alone.
pub(super) const AROUND: Around = Around { functions_of_functions: &OF_FUNCTIONS, methods_of_cases: &OF_CASES, case: Some(CASE) };

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
        "fixture" if is_unasked(text) => Traits(Traits::FIXTURE.0 | Traits::LIFECYCLE.0),
        "fixture" => Traits::FIXTURE,
        "skip" => Traits::SKIPPED,
        "parametrize" | "expand" => Traits::TEMPLATE,
        "deprecated" => Traits::DEPRECATED,
        _ => Traits::default(),
    }
}

/// The name that a decorator of a fixture gives it: `@pytest.fixture(name="client")`.
pub(super) fn fixture_name(above: &str) -> Option<&str> {
    let (_, rest) = above.split_once("fixture(")?;
    let arguments = &rest[..rest.find(')').unwrap_or(rest.len())];
    let mut keys = arguments.match_indices("name").map(|(at, key)| (&arguments[..at], &arguments[at + key.len()..]));
    let is_key = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let (_, value) = keys.find(|(before, value)| is_key(before) && value.trim_start().starts_with('='))?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let name = value[1..].split(quote).next().unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(name)
}

/// Whether a fixture is called for all tests that see it: `fixture(autouse=True)`.
fn is_unasked(text: &str) -> bool {
    text.split_once("autouse")
        .is_some_and(|(_, rest)| rest.trim_start().strip_prefix('=').is_some_and(|value| value.trim_start().starts_with("True")))
}

/// Which functions are tests: those of files that runners look into, at the top of the module or of a class of tests.
pub(super) fn function(function: &Declared<'_>) -> Traits {
    let mut traits = Traits::default();
    let around: [&[&str]; 2] = if function.holder.is_some() { [&OF_CLASSES, &OF_CASES] } else { [&OF_MODULES, &OF_FUNCTIONS] };
    if around.iter().any(|names| names.contains(&function.name)) && !function.is_nested {
        traits.add(Traits::LIFECYCLE);
    }
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
