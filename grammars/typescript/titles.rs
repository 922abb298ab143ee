//! Tests of vitest, jest, mocha, node and playwright: calls with a title.

use crate::TestCall;
use crate::facts::Traits;
use crate::literal::{Literal, unescape};

/// The function that defines a test that measures.
const BENCH: &str = "bench";

/// Functions that define a test.
const TESTS: [&str; 8] = [BENCH, "fit", "it", "specify", "test", "xit", "xspecify", "xtest"];

/// Functions that define a group of tests.
const GROUPS: [&str; 6] = ["context", "describe", "fdescribe", "suite", "xcontext", "xdescribe"];

/// What may follow them: `it.each(table)`, `test.concurrent.only`.
const MODIFIERS: [&str; 16] = [
    "concurrent",
    "describe",
    "each",
    "failing",
    "fails",
    "fixme",
    "for",
    "only",
    "parallel",
    "runIf",
    "sequential",
    "serial",
    "shuffle",
    "skip",
    "skipIf",
    "todo",
];

/// Words among them by which a test does not run with the others.
const SKIPPING: [&str; 9] = [BENCH, "fixme", "skip", "todo", "xcontext", "xdescribe", "xit", "xspecify", "xtest"];

/// Words by which a test runs once for each of several inputs.
const REPEATING: [&str; 2] = ["each", "for"];

/// The test or group that a call defines.
pub(super) fn test_call(callee: &str, arguments: &str) -> Option<TestCall> {
    // `it.each(table)` is itself called with the title: only the names before the first argument matter.
    let names = callee.split(['(', '`', '<', '\n', ' ']).next().unwrap_or_default();
    let names: Vec<&str> = names.split('.').collect();
    let (root, modifiers) = names.split_first()?;
    let is_group = GROUPS.contains(root) || modifiers.contains(&"describe");
    if !(is_group || TESTS.contains(root)) || !modifiers.iter().all(|name| MODIFIERS.contains(name)) {
        return None;
    }
    let (title, has_holes) = match title(arguments) {
        Some((title, has_holes)) => (Some(title), has_holes),
        // A title that is put together at run time, in front of what is run.
        None if arguments.contains("=>") || arguments.contains("function") => (None, false),
        None => return None,
    };
    let mut traits = Traits::TEST;
    let repeats = modifiers.iter().any(|name| REPEATING.contains(name));
    let bits = [
        (true, Traits::TEST_CODE),
        (is_group, Traits::GROUP),
        (has_holes || repeats, Traits::TEMPLATE),
        (names.iter().any(|name| SKIPPING.contains(name)), Traits::SKIPPED),
        // One that is skipped as well is not measured either.
        (names.contains(&BENCH) && !names.iter().any(|name| *name != BENCH && SKIPPING.contains(name)), Traits::BENCH),
    ];
    bits.iter().filter(|(set, _)| *set).for_each(|(_, bit)| traits.add(*bit));
    Some(TestCall { title, traits })
}

/// The title among the arguments of a call, and whether parts of it are known at run time only.
fn title(arguments: &str) -> Option<(String, bool)> {
    let literal = Literal::first(arguments, true)?;
    let text = unescape(literal.body)?;
    if literal.rest.starts_with('+') {
        return Some((format!("{text}${{...}}"), true));
    }
    let has_holes = literal.quote == '`' && literal.body.contains("${");
    literal.is_whole().then_some((text, has_holes))
}

#[cfg(test)]
mod tests {
    use super::test_call;
    use crate::facts::Traits;

    #[test]
    fn a_title_is_what_the_runner_shows() {
        let found = |callee: &str, arguments: &str| {
            test_call(callee, arguments).map_or_else(
                || "none".to_owned(),
                |test| {
                    let marks = [
                        (Traits::GROUP, "group"),
                        (Traits::TEMPLATE, "template"),
                        (Traits::SKIPPED, "skipped"),
                        (Traits::BENCH, "bench"),
                    ];
                    let marks = marks.iter().filter(|(bit, _)| test.traits.has(*bit)).map(|(_, word)| *word);
                    std::iter::once(test.title.as_deref().unwrap_or("unknown")).chain(marks).collect::<Vec<_>>().join(" | ")
                },
            )
        };
        for (callee, arguments, expected) in [
            ("it", r#"("isn't \"empty\"", f)"#, r#"isn't "empty""#),
            ("it", r"('it\'s\n2', f)", "it's\n2"),
            ("test.only", "(`two\nlines`, f)", "two\nlines"),
            ("it", "(`adds ${a.b({})}`, f)", "adds ${a.b({})} | template"),
            ("it", "('adds ' + n, f)", "adds ${...} | template"),
            ("it.each([1])", "('adds %i', f)", "adds %i | template"),
            ("test.concurrent.for(rows)", "('adds $a', f)", "adds $a | template"),
            ("describe.each`a`", "('g', f)", "g | group | template"),
            ("describe", "('g', f)", "g | group"),
            ("test.describe", "('g', f)", "g | group"),
            ("it.skip", "('a', f)", "a | skipped"),
            ("xdescribe", "('g', f)", "g | group | skipped"),
            ("bench", "('a', f)", "a | skipped | bench"),
            ("bench.skip", "('a', f)", "a | skipped"),
            ("test.todo", "('a')", "a | skipped"),
            ("it", "(name, () => {})", "unknown"),
            ("describe", "('a'.repeat(2), function () {})", "unknown | group"),
            ("test", "(name)", "none"),
            ("test.extend", "('a', f)", "none"),
            ("pattern.test", "('a')", "none"),
        ] {
            assert_eq!(found(callee, arguments), expected, "{callee}{arguments}");
        }
    }
}
