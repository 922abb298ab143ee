//! What names, words, annotations and paths say of definitions: visibility, properties, tests.

use crate::Declared;
use crate::facts::{Traits, Visibility};

/// How the names of files of tests end, and how they begin.
const ENDINGS: [&str; 5] = ["Test", "Tests", "TestCase", "IT", "ITCase"];

/// Folders that hold tests and what they need.
const FOLDERS: [&str; 6] = ["test", "tests", "androidTest", "integrationTest", "testFixtures", "it"];

/// Annotations that make a test of the method behind them: `JUnit` 4 and 5, `TestNG`.
const MARKS: [&str; 6] = ["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory"];

/// Those of them whose tests run once for each of several inputs.
const TEMPLATES: [&str; 4] = ["ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"];

/// Annotations of methods that runners call around tests: `JUnit` 4 and 5, `TestNG`.
const LIFECYCLES: [&str; 16] = [
    "Before",
    "BeforeEach",
    "BeforeClass",
    "BeforeAll",
    "BeforeMethod",
    "BeforeTest",
    "BeforeSuite",
    "BeforeGroups",
    "After",
    "AfterEach",
    "AfterClass",
    "AfterAll",
    "AfterMethod",
    "AfterTest",
    "AfterSuite",
    "AfterGroups",
];

/// Those of them that take no arguments: with some they are another framework's, as those of aspects are.
const WITHOUT_ARGUMENTS: [&str; 2] = ["Before", "After"];

/// The annotation of classes of tests for which those of the class around them are called as well.
const NESTED: &str = "Nested";

/// Annotations of `TestNG` for what gives tests their values and is none.
const GIVERS: [&str; 3] = ["DataProvider", "Factory", "Parameters"];

/// Annotations of what does not run with the others.
const SKIPPED: [&str; 2] = ["Disabled", "Ignore"];

/// The class whose methods that begin with `test` `JUnit` 3 runs, and what it calls around each.
const TEST_CASE: &str = "TestCase";
const AROUND_CASE: [&str; 2] = ["setUp", "tearDown"];

/// Whether a file holds tests or what they need, by its name or its folders.
pub(super) fn is_test_path(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.strip_suffix(".java").unwrap_or(name);
    let is_named = ENDINGS.iter().any(|ending| stem.ends_with(ending)) || is_word_before(stem, "Test");
    is_named || folders.split('/').any(|folder| FOLDERS.contains(&folder))
}

/// Whether a name begins with a word that ends there: `TestUsers`, and not `Testimony`.
fn is_word_before(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

/// The visibility that words in front of a definition give it; members of interfaces are public without a word, which costs nothing to believe of
/// others.
pub(super) fn visibility(words: Option<&str>) -> Visibility {
    let has = |word: &str| words.is_some_and(|words| words.split_whitespace().any(|other| other == word));
    match (has("private"), has("public"), has("protected")) {
        (true, ..) => Visibility::Private,
        (_, true, _) | (.., true) => Visibility::Public,
        _ => Visibility::Package,
    }
}

/// What the annotations in front of a definition say of it.
pub(super) fn modifiers(text: &str) -> Traits {
    let mut traits = Traits::default();
    for (name, arguments) in annotations(text) {
        if MARKS.contains(&name) {
            traits.add(Traits::TEST);
            traits.add(Traits::TEST_CODE);
        }
        if TEMPLATES.contains(&name) {
            traits.add(Traits::TEMPLATE);
        }
        let is_other = WITHOUT_ARGUMENTS.contains(&name) && !arguments.trim().is_empty();
        if LIFECYCLES.contains(&name) && !is_other || name == NESTED {
            traits.add(Traits::LIFECYCLE);
        }
        if SKIPPED.contains(&name) {
            traits.add(Traits::SKIPPED);
        }
        if name == "Deprecated" {
            traits.add(Traits::DEPRECATED);
        }
        if name == "Override" {
            traits.add(Traits::OVERRIDES);
        }
    }
    traits
}

/// The last names of annotations and what they are given: `Test` and `timeout = 1` of `@org.junit.Test(timeout = 1)`. What stands in the arguments of
/// others, in texts or in comments is none.
fn annotations(text: &str) -> Vec<(&str, &str)> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some((mark, behind)) = next_mark(rest) {
        rest = behind;
        if mark != '@' {
            continue;
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))).unwrap_or(rest.len());
        let (path, behind) = rest.split_at(end);
        rest = behind;
        let given = behind.trim_start().strip_prefix('(').unwrap_or_default();
        let (mut depth, mut left) = (u32::from(!given.is_empty()), given);
        while depth > 0
            && let Some((mark, behind)) = next_mark(left)
        {
            (left, rest) = (behind, behind);
            match mark {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
        }
        let arguments = &given[..given.len() - left.len()];
        let arguments = arguments.strip_suffix(')').unwrap_or(arguments);
        found.extend(path.rsplit('.').next().filter(|name| !name.is_empty()).map(|name| (name, arguments)));
    }
    found
}

/// The next mark of annotations or brackets outside of texts and comments, and what stands behind it.
fn next_mark(text: &str) -> Option<(char, &str)> {
    let mut rest = text;
    loop {
        let at = rest.find(['@', '(', ')', '"', '\'', '/'])?;
        let mark = rest[at..].chars().next()?;
        rest = &rest[at + 1..];
        rest = match mark {
            '"' | '\'' => {
                let mut escaped = false;
                let is_end = |c: char| {
                    let ends = c == mark && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                };
                &rest[rest.find(is_end)? + 1..]
            }
            '/' if rest.starts_with('/') => rest.split_once('\n')?.1,
            '/' if rest.starts_with('*') => rest[1..].split_once("*/")?.1,
            '/' => rest,
            _ => return Some((mark, rest)),
        };
    }
}

/// Which functions are tests without a mark of their own: those of `JUnit` 3 by their names, those of a class that `TestNG` runs as a whole.
pub(super) fn function(function: &Declared<'_>) -> Traits {
    let mut traits = Traits::default();
    if function.test_file {
        traits.add(Traits::TEST_CODE);
    }
    let is_of_case = function.holder.is_some_and(|(_, above)| above.contains(TEST_CASE));
    if is_of_case && AROUND_CASE.contains(&function.name) {
        traits.add(Traits::LIFECYCLE);
    }
    if is_of_case && function.test_file && function.name.starts_with("test") || function.of_tests && is_run(function) {
        traits.add(Traits::TEST);
    }
    traits
}

/// Whether `TestNG` runs a method of a class of tests: public ones that give nothing, but for those that do something else.
fn is_run(function: &Declared<'_>) -> bool {
    let has = |word: &str| function.words.split_whitespace().any(|other| other == word);
    let is_other = |name: &str| LIFECYCLES.contains(&name) || GIVERS.contains(&name);
    function.gives == "void"
        && has("public")
        && !has("static")
        && !annotations(function.words).into_iter().any(|(name, _)| is_other(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tests_are_known_by_folder_and_name() {
        for path in ["src/test/java/a/Users.java", "a/UsersTest.java", "a/TestUsers.java", "UsersIT.java", "core/it/A.java"] {
            assert!(is_test_path(path), "{path}");
        }
        for path in ["src/main/java/a/Users.java", "a/Testimony.java", "a/Contest.java", "a/Latest.java", "a/Testing.java"] {
            assert!(!is_test_path(path), "{path}");
        }
    }

    #[test]
    fn annotations_are_read_without_their_arguments() {
        let text = "@org.junit.Test(timeout = 1)\n@Tag(\"a\\\") @B\") /* @C */ @D(x = @E(1), y = ')') // @F\n@G() public";
        let found = [("Test", "timeout = 1"), ("Tag", "\"a\\\") @B\""), ("D", "x = @E(1), y = ')'"), ("G", "")];
        assert_eq!(annotations(text), found);
        for (text, is_around) in [("@Before", true), ("@Before()", true), ("@Before(\"execution(* *(..))\")", false)] {
            assert_eq!(modifiers(text).has(Traits::LIFECYCLE), is_around, "{text}");
        }
        assert!(modifiers("@BeforeMethod(alwaysRun = true)").has(Traits::LIFECYCLE));
        assert!(modifiers("@ParameterizedTest @ValueSource(ints = 1)").has(Traits(Traits::TEST.0 | Traits::TEMPLATE.0)));
        assert!(!modifiers("@TestOnly public").has(Traits::TEST));
        assert_eq!(visibility(Some("@A public static")), Visibility::Public);
        assert_eq!(visibility(Some("private final")), Visibility::Private);
        assert_eq!(visibility(None), Visibility::Package);
    }
}
