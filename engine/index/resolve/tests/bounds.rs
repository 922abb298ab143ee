//! What a small source can make a lot of: each costs no more than its share, and what is left out shows.

use super::{check, links};
use crate::resolve::alone::MAX_NAMESAKES;
use crate::resolve::index::MAX_DEFINITIONS;

#[test]
fn a_name_of_very_many_definitions_stays_unknown() {
    let source = |n: usize| format!("//- a.ts\n{}f();\nf();\n", "function f() {}\n".repeat(n));
    assert_eq!(links(&source(MAX_DEFINITIONS)).lines().count(), 2 * MAX_DEFINITIONS, "each use means each of them");
    assert_eq!(links(&source(MAX_DEFINITIONS + 1)), "a.ts: f unknown");
    let class = |n: usize| format!("//- a.ts\nclass A {{ {} }}\nnew A().m();\n", "m() {}\n".repeat(n));
    assert_eq!(links(&class(MAX_DEFINITIONS + 1)).lines().last(), Some("a.ts: m unknown"));
}

#[test]
fn a_method_of_very_many_namesakes_is_not_looked_for_by_its_name() {
    let methods = (0..=MAX_NAMESAKES).map(|at| format!("func (T{at}) fooBar() {{}}\n")).collect::<Vec<_>>().concat();
    let source = format!("//- go.mod\nmodule m\n//- a.go\npackage m\n{methods}func g(x Missing) {{ x.fooBar(); x.fooBar() }}\n");
    assert_eq!(links(&source), "a.go: fooBar unknown");
}

#[test]
fn modules_that_bring_all_of_one_another_are_looked_through_once() {
    // Forty modules, each with a glob of each: a name is looked for in a thousand places and not in each of a thousand ways there.
    let n = 40;
    let modules = (0..n).map(|at| format!("pub mod a{at};\n")).collect::<Vec<_>>().concat();
    let globs = (0..n).map(|at| format!("pub use crate::a{at}::*;\n")).collect::<Vec<_>>().concat();
    let files = (0..n)
        .map(|at| format!("//- src/a{at}.rs\n{globs}pub fn f{at}() {{ f0(); f{}(); none(); }}\n", n - 1))
        .collect::<Vec<_>>()
        .concat();
    let found = links(&format!(
        "//- Cargo.toml\n[package]\nname = \"x\"\n//- src/lib.rs\n{modules}mod other {{ fn none() {{}} }}\n{files}"
    ));
    assert_eq!(found.lines().filter(|line| line.contains(" calls src/a0.rs#f0, exact")).count(), n);
    assert_eq!(found.lines().filter(|line| line.ends_with("none unknown")).count(), n);
}

#[test]
fn supertypes_far_away_are_not_looked_through() {
    let chain = (0..100).map(|at| format!("type A{at} struct {{ A{} }}\n", at + 1)).collect::<Vec<_>>().concat();
    check(
        &format!(
            "//- go.mod\nmodule m\n//- a.go\npackage m\n{chain}type A100 struct{{}}\nfunc (A100) Far() {{}}\nfunc (A60) Near() {{}}\nfunc g(x A0) {{ x.Near(); x.Far() }}\n"
        ),
        "a.go:105 calls a.go#A60.Near, qualified\na.go: Far unknown",
    );
}

#[test]
fn a_type_that_holds_another_many_times_over_is_looked_at_once() {
    let (n, n_calls) = (24, 100);
    let source = |first: &str| {
        let types = (1..n).map(|at| format!("type A{at} = [A{0}, A{0}];\n", at - 1)).collect::<Vec<_>>().concat();
        let call = "const r = wrap(v); r.fooBar();";
        // The small ones first, so that no chain is too deep to be followed.
        let calls = (0..n).map(|at| format!("function f{at}(v: A{at}) {{ {call} }}\n")).collect::<Vec<_>>().concat();
        let last = format!("function g(v: A{}) {{ {} }}\n", n - 1, format!("{{ {call} }}").repeat(n_calls));
        format!(
            "//- b.ts\nexport class Y {{ fooBar() {{}} }}\n//- a.ts\nimport {{ X, wrap }} from \"ext\";\nimport {{ Y }} from \"./b\";\ntype A0 = [{first}, {first}];\n{types}{calls}{last}"
        )
    };
    // Each way down would be 17 million for each call.
    let (foreign, n_looked_at) = work::done_by(|| links(&source("X")));
    assert_eq!(foreign, "", "what is made of foreign types alone is foreign");
    assert!((n_calls..10_000).contains(&(n_looked_at as usize)), "{n_looked_at}");
    let own = links(&source("Y"));
    assert_eq!(own.matches(" calls b.ts#Y.fooBar, unique").count(), n + 1, "what holds one of ours may give it back: {own}");
}

#[test]
fn whether_a_member_is_overridden_is_found_once_for_all() {
    let n = 2_000;
    let classes = (0..n).map(|at| format!("class C{at} {{ own() {{}} }}\n")).collect::<Vec<_>>().concat()
        + "class D extends B { m() {} }\n";
    let call = "if (x instanceof D) { x.m(); x.own(); }\n";
    let source = format!("//- a.ts\nclass B {{ m() {{}} own() {{}} }}\n{classes}function f(x: B) {{\n{}}}\n", call.repeat(n));
    // Each call against each class would be 4 million lists of supertypes.
    let (found, n_lists) = work::done_by(|| links(&source));
    assert!((n..100 * n).contains(&(n_lists as usize)), "{n_lists}");
    assert_eq!(found.matches(" calls a.ts#B.m, unique").count(), n, "a subtype has its own");
    assert_eq!(found.matches(" calls a.ts#B.own, qualified").count(), n);
}

#[test]
fn a_name_is_looked_for_once_around_a_type_and_above() {
    let (n_around, n_above, n_names) = (40, 40, 500);
    let chain = (0..n_above).map(|at| format!("class C{at} extends C{} {{}}\n", at + 1)).collect::<Vec<_>>().concat();
    let calls = format!("{} int x; int y = x;", "Q.R.go(n0); n1.go(); ".repeat(n_names));
    let nested = (0..n_around).map(|at| format!("class N{at} extends C0 {{ ")).collect::<Vec<_>>().concat();
    let source = format!(
        "//- A.java\npackage a;\n{chain}class C{n_above} {{ A n0; A n1; }}\nclass A {{ void go() {{}} }}\n{nested}void f() {{ {calls} }}{}\n",
        " }".repeat(n_around)
    );
    let (found, n_looked_at) = work::done_by(|| links(&source));
    assert_eq!(found.matches("calls A.java#A.go").count(), 1, "{found}");
    // Each use on its own would be 40 types times 40 above, 500 times over.
    assert!((1..200_000).contains(&n_looked_at), "{n_looked_at}");
}

#[test]
fn types_above_many_others_are_put_in_a_line_once() {
    // Each interface extends both of the next two: more ways up than can be walked.
    let n = 60;
    let each = (0..n).map(|at| format!("interface I{at} extends I{}, I{} {{}}\n", at + 1, at + 2)).collect::<Vec<_>>().concat();
    let source = format!(
        "//- A.java\npackage a;\n{each}interface I{n} {{ default void near() {{}} }}\ninterface I{} {{ default void far() {{}} }}\nclass A {{ void f(I0 i) {{ i.near(); i.far(); }} }}\n",
        n + 1
    );
    check(&source, "A.java:64 calls A.java#I60.near, qualified\nA.java:64 calls A.java#I61.far, qualified");
}

#[test]
fn what_is_too_far_above_a_type_rules_out_no_overload() {
    let chain = |n: usize| (0..n).map(|at| format!("class C{at} extends C{} {{}}\n", at + 1)).collect::<Vec<_>>().concat();
    let source = |n: usize| {
        format!(
            "//- A.java\npackage a;\ninterface I {{}}\n{}class C{n} {{}}\nclass S {{ void e(I i) {{}} void e(Object o) {{}} void f(C0 c) {{ e(c); }} }}\n",
            chain(n)
        )
    };
    assert_eq!(links(&source(40)).matches("calls A.java#S.~2.e, exact").count(), 1);
    assert_eq!(links(&source(100)).matches(", among_2").count(), 2);
}

#[test]
fn what_is_called_around_tests_is_found_once_for_all_of_them() {
    let (n_folders, n_tests, n_helpers) = (10, 1_000, 1_000);
    let folder = |depth: usize| (0..depth).map(|at| format!("d{at}/")).collect::<Vec<_>>().concat();
    let helpers = (0..n_helpers).map(|at| format!("def h{at}(): 0\n")).collect::<Vec<_>>().concat();
    let fixture = "import pytest\n@pytest.fixture(autouse=True)\ndef auto(): 0\n";
    let above = (0..n_folders).map(|depth| format!("//- {}conftest.py\n{fixture}{helpers}", folder(depth)));
    let tests = |begin: &str| (0..n_tests).map(|at| format!("{begin}{at}(self): 0\n")).collect::<Vec<_>>().concat();
    let class = format!("class TestA:\n  def setup_method(self): 0\n{}", tests("  def test_"));
    let classes =
        (0..n_tests).map(|at| format!("class TestB{at}(TestA):\n  def test_own(self): 0\n")).collect::<Vec<_>>().concat();
    let source = above.collect::<Vec<_>>().concat()
        + &format!("//- {}test_a.py\n{}{class}{classes}", folder(n_folders), tests("def test_"));
    let (found, n_looked_at) = work::done_by(|| links(&source));
    assert_eq!(found.matches("conftest.py#auto, exact").count(), 3 * n_tests * n_folders);
    assert_eq!(found.matches("#TestA.setup_method, exact").count(), 2 * n_tests);
    // Each test on its own would look at thousands of definitions.
    let n_definitions = n_folders * n_helpers + 4 * n_tests;
    assert!((n_definitions..3 * n_definitions).contains(&(n_looked_at as usize)), "{n_looked_at}");
}
