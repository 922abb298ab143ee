//! Which code is shown of what fails, in which order, and that what fails is named however little room there is.

use super::under;
use super::world::{Scene, World, strings};
use crate::activation::{Reason, Role};
use crate::context::SessionContext;
use crate::signals::{self, Report};
use activate_rules::sections::Section;
use proptest::prelude::*;
use std::sync::LazyLock;

const CART: &str = "package shop

import (
\t\"errors\"
\t\"fmtt\"
)

// ErrEmpty is returned for a cart without entries.
var ErrEmpty = errors.New(\"wrong order\")

// Cart holds entries.
type Cart struct{ entries []int }

// Lines returns the entries in order.
func (c *Cart) Lines() []int {
\treturn sorted(c.entries)
}

func sorted(entries []int) []int {
\tfor at := range entries {
\t\tentries[at] = entries[len(entries)]
\t}
\treturn entries
}

// Len counts the entries.
func (c *Cart) Len() int { return len(c.entries) }
";

const CART_TEST: &str = "package shop

import \"testing\"

func TestLines(t *testing.T) {
\tcart := &Cart{entries: []int{3, 1}}
\tt.Run(\"in order\", func(t *testing.T) {
\t\tcheckLines(t, cart.Lines())
\t})
}

func checkLines(t *testing.T, lines []int) {
\tt.Helper()
\tif lines[0] != 1 {
\t\tt.Fatalf(\"not sorted: %v\", lines)
\t}
}
";

const DAY: &str = "package shop

// Index finds the runtime error of a map that is out of range: nil where the panic of an entry ended before its tests.
func Index(entry string) error { return nil }

// Order is the wrong order of a day.
func Order() {}
";

fn world() -> World {
    World::new(&[("go.mod", "module m\n"), ("cart.go", CART), ("cart_test.go", CART_TEST), ("day.go", DAY)])
}

fn report(output: &str) -> Report {
    let mut report = Report::default();
    signals::read(output.as_bytes(), "log", None, &mut report).unwrap();
    report
}

fn context(world: &World, intent: &str, output: &str) -> SessionContext {
    let mut scene = Scene::new(world, intent);
    scene.report = report(output);
    scene.real_context()
}

/// The code of a context, as `path:first-last`: what is target code, and what is related.
fn code(context: &SessionContext) -> [Vec<String>; 2] {
    let section = context.sections.iter().find(|section| section.section == Section::Neighbourhood).unwrap();
    let (mut target, mut related) = (Vec::new(), Vec::new());
    let mut is_target = true;
    for item in &section.items {
        is_target &= item.about.kind != "outline";
        if let ("code", Some(path), Some((first, last))) = (item.about.kind, &item.about.path, item.about.lines) {
            if is_target { &mut target } else { &mut related }.push(format!("{path}:{first}-{last}"));
        }
    }
    [target, related]
}

const ASSERTION: &str = "--- FAIL: TestLines (0.00s)
    --- FAIL: TestLines/in_order (0.00s)
        cart_test.go:8: not sorted: [3 1]
FAIL
FAIL\tm\t0.003s
";

#[test]
fn what_a_failing_test_calls_comes_before_what_only_words_speak_for() {
    let world = world();
    let context = context(&world, "", ASSERTION);
    let [target, related] = code(&context);
    // The test with what sets it up, the code under test, then the helper that asserts.
    assert_eq!(target, ["cart_test.go:5-10", "cart.go:14-17"], "{}", context.text.text);
    assert_eq!(related.first().map(String::as_str), Some("cart_test.go:12-17"), "{}", context.text.text);
    assert!(context.text.text.contains("\tcart := &Cart{"));
}

const PANIC: &str = "--- FAIL: TestLines (0.00s)
    --- FAIL: TestLines/in_order (0.00s)
panic: runtime error: index out of range [2] with length 2 [recovered, repanicked]

goroutine 8 [running]:
panic({0xae9ea8?, 0x29208896c1f8?})
\t/usr/lib/go/src/runtime/panic.go:859 +0x125
m.sorted(...)
\t/src/m/cart.go:21
m.(*Cart).Lines(...)
\t/src/m/cart.go:16
m.TestLines.func1(0x2920889ecb48)
\t/src/m/cart_test.go:8 +0x685
FAIL\tm\t0.006s
FAIL
";

#[test]
fn the_innermost_frame_comes_first_and_keeps_its_line() {
    let world = world();
    let context = context(&world, "", PANIC);
    let [target, _] = code(&context);
    let at = |piece: &str| target.iter().position(|other| other.starts_with(piece));
    assert_eq!((at("cart.go:"), target.len()), (Some(0), 2), "{target:?}");
    let mut scene = Scene::new(&world, "");
    scene.report = report(PANIC);
    for budget in (260..900).step_by(20) {
        let text = scene.real_context_within(budget).unwrap().text.text;
        assert!(!text.contains("func sorted(") || text.contains("entries[at] = entries[len"), "{budget}: {text}");
    }
}

#[test]
fn phrases_of_runtimes_speak_for_no_code() {
    let world = world();
    for output in [
        PANIC,
        "--- FAIL: TestLines (0.00s)\npanic: assignment to entry in nil map\n\ngoroutine 8 [running]:\nm.sorted(...)\n\t/src/m/cart.go:21\nFAIL\tm\t0.006s\n",
        "=== RUN   TestLines\nFAIL\tm\t0.006s\nFAIL\n",
    ] {
        let text = context(&world, "", output).text.text;
        assert!(!text.contains("day.go"), "{text}");
    }
    // What a test says itself, what is quoted and what is named as code does speak.
    let output = ASSERTION.replace("not sorted", "wrong \"order\" in Index()");
    assert!(context(&world, "", &output).text.text.contains("day.go"));
}

#[test]
fn an_error_outside_of_all_symbols_is_shown_with_what_is_beside_it() {
    let world = world();
    let context = context(&world, "", "# m\n./cart.go:5:2: \"fmtt\" imported and not used\n");
    let [target, _] = code(&context);
    assert_eq!(target.first().map(String::as_str), Some("cart.go:3-7"), "{}", context.text.text);
    assert!(context.text.text.contains("cart.go:3-7 (a failure lies in it)\n[data"), "{}", context.text.text);

    // What is only warned of is no failure.
    let warned = self::context(&world, "", "cart.go:5:2: warning: \"fmtt\" is deprecated\n").text.text;
    assert!(warned.contains("cart.go:3-7 (a warning lies in it)\n[data") && !warned.contains("a failure"), "{warned}");
}

#[test]
fn an_exact_target_has_its_neighbours_before_words() {
    let world = World::auth_go();
    let mut scene = Scene::new(&world, "fix ValidateToken");
    let link = |kind, via: &str| Reason::Link { kind, via: world.node(via), line: None, confidence: super::Confidence::Exact };
    scene.add("internal/auth/login.go#ValidateToken", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    scene.add(
        "internal/auth/login.go#parseToken",
        70_000,
        Role::Dependency,
        link(super::LinkKind::CalledBy, "internal/auth/login.go#ValidateToken"),
    );
    scene.add("internal/auth/keys.go#Key", 40_000, Role::Target, Reason::Words(strings(&["key"])));
    let text = scene.context(80_000).text.text;
    let place = |what: &str| text.find(what).unwrap_or(usize::MAX);
    assert!(place("parseToken, 70") < place("Key, 40"), "{text}");
    assert!(place("RELATED CODE:") < place("(Key, 40") || place("RELATED CODE:") < place("Key (40"), "{text}");
}

static WORLD: LazyLock<World> = LazyLock::new(world);

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn what_fails_is_named_whatever_the_budget_is(
        budget in 100_u32..900,
        n_tests in 0_usize..30,
        n_errors in 0_usize..30,
        retries in 0_u32..5,
        n_warnings in 0_usize..3,
    ) {
        let mut scene = Scene::new(&WORLD, "fix it");
        scene.add("cart.go#Cart.Lines", 100_000, Role::Target, Reason::Named("named in the intent".into()));
        scene.state = super::full_state();
        scene.state.tdd_retry_count = retries;
        scene.state.failing_tests = (0..n_tests).map(|n| format!("TestNumber{n}/of_some_length")).collect();
        scene.state.current_diagnostics = (0..n_errors).map(|n| format!("error:cart.go:{}:undefined: thing{n}", n + 1)).collect();
        let warnings = (0..n_warnings).map(|n| format!("warning:day.go:{}:unused thing", n + 1));
        scene.state.current_diagnostics.extend(warnings);
        let Ok(context) = scene.try_context(budget) else { return Ok(()) };
        let text = &context.text.text;
        prop_assert!(context.tokens.0 <= budget);
        let names_one = text.contains("  - TestNumber0/") || text.contains("  error:cart.go:1:");
        prop_assert!(n_tests + n_errors == 0 || names_one, "{budget}: {text}");
    }
}

#[test]
fn retries_come_after_the_name_of_what_fails() {
    let mut scene = Scene::new(&WORLD, "fix it");
    scene.add("cart.go#Cart.Lines", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    scene.state.failing_tests = strings(&["TestLines", "TestOther"]);
    scene.state.tdd_retry_count = 3;
    let first = |budget| under(&scene.context(budget), "TEST STATE: FAILING").concat();
    assert_eq!(first(160), "  - TestLines");
    let roomy = first(2_000);
    assert!(roomy.starts_with("  TDD Retry: 3") && roomy.contains("- TestOther"), "{roomy}");
}
