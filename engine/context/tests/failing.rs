//! Which code is shown of what fails, in which order, and that what fails is named however little room there is.

use super::fixture::{Fixture, Scene, strings};
use super::under;
use crate::SessionContext;
use crate::activation::{Reason, Role};
use activate_rules::sections::Section;
use proptest::prelude::*;
use signals::{self, Report};
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

fn fixture() -> Fixture {
    Fixture::new(&[("go.mod", "module m\n"), ("cart.go", CART), ("cart_test.go", CART_TEST), ("day.go", DAY)])
}

fn report(output: &str) -> Report {
    let mut report = Report::default();
    signals::read(output.as_bytes(), "log", None, &mut report).unwrap();
    report
}

fn context(fixture: &Fixture, intent: &str, output: &str) -> SessionContext {
    let mut scene = Scene::new(fixture, intent);
    scene.report = report(output);
    scene.real_context()
}

/// The code of a context, as `path:first-last`, in the order of the text.
fn code(context: &SessionContext) -> Vec<String> {
    let section = context.sections.iter().find(|section| section.section == Section::Neighbourhood);
    let items = section.into_iter().flat_map(|section| &section.items).map(|item| &item.about);
    let places = items.filter(|about| about.kind == "code").filter_map(|about| Some((about.path.clone()?, about.lines?)));
    places.map(|(path, (first, last))| format!("{path}:{first}-{last}")).collect()
}

/// The code of a scene in the order in which it enters as there is more room.
fn entering(context: impl Fn(u32) -> SessionContext) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    for budget in (250..1_500).step_by(25) {
        for place in code(&context(budget)) {
            if !order.contains(&place) {
                order.push(place);
            }
        }
    }
    order
}

const ASSERTION: &str = "--- FAIL: TestLines (0.00s)
    --- FAIL: TestLines/in_order (0.00s)
        cart_test.go:8: not sorted: [3 1]
FAIL
FAIL\tm\t0.003s
";

#[test]
fn what_a_failing_test_calls_comes_before_what_only_words_speak_for() {
    let fixture = fixture();
    let mut scene = Scene::new(&fixture, "fix Order");
    scene.report = report(ASSERTION);
    let order = entering(|budget| scene.real_context_within(budget).unwrap());
    // The test with what sets it up, the code under test, then the helper that asserts.
    assert_eq!(order[..2], ["cart_test.go:5-10", "cart.go:14-17"], "{order:?}");
    assert!(order[2].starts_with("cart_test.go:12-"), "{order:?}");
    let text = scene.real_context().text.text;
    assert!(text.contains("\ncart_test.go:5-17 (") && text.contains("\n \tcart := &Cart{"), "{text}");
    // What the task names comes after what fails, not in its place.
    assert!(order[3..].iter().any(|place| place.starts_with("day.go:")), "{order:?}");
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
    let fixture = fixture();
    let mut scene = Scene::new(&fixture, "");
    scene.report = report(PANIC);
    let order = entering(|budget| scene.real_context_within(budget).unwrap());
    assert_eq!(order[..3], ["cart.go:19-24", "cart.go:14-17", "cart_test.go:5-10"], "{order:?}");
    for budget in (260..900).step_by(20) {
        let text = scene.real_context_within(budget).unwrap().text.text;
        assert!(!text.contains("func sorted(") || text.contains("entries[at] = entries[len"), "{budget}: {text}");
    }
}

#[test]
fn phrases_of_runtimes_speak_for_no_code() {
    let fixture = fixture();
    for output in [
        PANIC,
        "--- FAIL: TestLines (0.00s)\npanic: assignment to entry in nil map\n\ngoroutine 8 [running]:\nm.sorted(...)\n\t/src/m/cart.go:21\nFAIL\tm\t0.006s\n",
        "=== RUN   TestLines\nFAIL\tm\t0.006s\nFAIL\n",
    ] {
        let text = context(&fixture, "", output).text.text;
        assert!(!text.contains("day.go"), "{text}");
    }
    // What a test says itself, what is quoted and what is named as code does speak.
    let output = ASSERTION.replace("not sorted", "wrong \"order\" in Index()");
    assert!(context(&fixture, "", &output).text.text.contains("day.go"));
}

#[test]
fn an_error_outside_of_all_symbols_is_shown_with_what_is_beside_it() {
    let fixture = fixture();
    let context = context(&fixture, "", "# m\n./cart.go:5:2: \"fmtt\" imported and not used\n");
    assert_eq!(code(&context).first().map(String::as_str), Some("cart.go:1-12"), "{}", context.text.text);
    let header = under(&context, "TARGET CODE:")[1];
    assert!(header.starts_with("cart.go:1-") && header.ends_with(" (a failure lies in it)"), "{header}");

    // What is only warned of is not a failure.
    let warned = self::context(&fixture, "", "cart.go:5:2: warning: \"fmtt\" is deprecated\n").text.text;
    assert!(warned.contains("]\ncart.go:1-") && !warned.contains("fail"), "{warned}");
}

#[test]
fn an_exact_target_has_its_neighbours_before_words() {
    let fixture = Fixture::auth_go();
    let mut scene = Scene::new(&fixture, "fix ValidateToken");
    let link = |kind, via: &str| Reason::Link { kind, via: fixture.node(via), line: None, confidence: super::Confidence::Exact };
    let validate = fixture.node("internal/auth/login.go#ValidateToken");
    scene.add("internal/auth/login.go", 100_000, Role::Target, Reason::Holds(validate));
    scene.add("internal/auth/login.go#ValidateToken", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    scene.add(
        "internal/auth/login.go#parseToken",
        70_000,
        Role::Dependency,
        link(super::LinkKind::CalledBy, "internal/auth/login.go#ValidateToken"),
    );
    scene.add("internal/auth/keys.go#Key", 40_000, Role::Target, Reason::Words(strings(&["key"])));
    scene.add("internal/auth/keys.go", 40_000, Role::Target, Reason::Words(strings(&["key"])));
    let order = entering(|budget| scene.context(budget));
    let place = |what: &str| order.iter().position(|place| place.starts_with(what)).unwrap_or(usize::MAX);
    let places = ["login.go:30-", "login.go:51-", "keys.go:"].map(|what| place(&format!("internal/auth/{what}")));
    assert!(places.is_sorted() && places[0] == 0 && places[2] < usize::MAX, "{order:?}");
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(fixture);

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
        let mut scene = Scene::new(&FIXTURE, "fix it");
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
fn what_fails_and_what_retries_mean_is_said_in_any_case() {
    let mut scene = Scene::new(&FIXTURE, "fix it");
    scene.add("cart.go#Cart.Lines", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    scene.state.failing_tests = strings(&["TestLines", "TestOther"]);
    scene.state.tdd_retry_count = 3;
    let first = |context: &SessionContext| under(context, "TEST STATE: FAILING").concat();
    let tight = (50..400).find_map(|budget| scene.try_context(budget).ok()).expect("a context");
    let said = "  TDD Retry: 3 (stop: the fixes so far were wrong; ask the user before trying again)  - TestLines";
    assert_eq!(first(&tight), format!("{said}  - TestOther"));
    let roomy = first(&scene.context(2_000));
    assert!(roomy.starts_with(said) && roomy.contains("  - TestOther") && roomy.len() > first(&tight).len(), "{roomy}");
}
