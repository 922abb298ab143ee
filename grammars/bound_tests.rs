//! Whatever binds a name, no use of it stays free: a free name is linked to whatever else has that name, which is a link to the wrong place.

use crate::facts::Expr;
use crate::{LANGUAGES, Language, Level, extract};

/// Snippets of a language, by the way in which they bind `bound`; none where the language has no such way. Each uses it by `bound.run()` where it
/// is known, and nowhere else.
struct Ways {
    /// The ending of their files.
    ending: &'static str,
    /// A variable in a function.
    local: &'static [&'static str],
    /// A parameter without a type.
    plain: &'static [&'static str],
    /// A parameter with a default.
    default: &'static [&'static str],
    /// A parameter with a type.
    typed: &'static [&'static str],
    /// A parameter that takes what is left.
    variadic: &'static [&'static str],
    /// A parameter of a lambda or closure.
    closure: &'static [&'static str],
    /// A variable of a loop.
    each: &'static [&'static str],
    /// What a catch, a case or another pattern takes out of a value.
    pattern: &'static [&'static str],
}

/// Every language whose names are resolved has its line here.
const WAYS: [(&str, Ways); 5] = [("go", GO), ("java", JAVA), ("python", PYTHON), ("rust", RUST), ("typescript", TYPESCRIPT)];

const GO: Ways = Ways {
    ending: "go",
    local: &[
        "func f() { bound := g(); bound.run() }",
        "func f() { var bound = g(); bound.run() }",
        "func f() { var other, bound T; bound.run() }",
        "func f() { const bound = g; bound.run() }",
        "func f() { if bound, ok := g(); ok { bound.run() } else { bound.run() } }",
        "func f() { switch bound := g(); bound.run() { case bound.run(): bound.run() } }",
        "func f() { var (\n other = 1\n bound T = g()\n)\n bound.run() }",
    ],
    plain: &[],
    default: &[],
    typed: &[
        "func f(bound T) { bound.run() }",
        "func f(other, bound T) { bound.run() }",
        "func (bound T) f() { bound.run() }",
        "func (bound *T[K]) f() { bound.run() }",
        "func f() (bound T) { bound.run(); return }",
        "func f() (other int, bound T) { bound.run(); return }",
    ],
    variadic: &["func f(bound ...T) { bound.run() }"],
    closure: &[
        "var c = func(bound T) { bound.run() }",
        "func f() { g(func(other int, bound ...T) { bound.run() }) }",
        "func f() { g(func() (bound T) { bound.run(); return }) }",
        "func f() { go func(bound T) { bound.run() }(1) }",
    ],
    each: &[
        "func f() { for _, bound := range g() { bound.run() } }",
        "func f() { for bound := range g() { bound.run() } }",
        "func f() { for bound := g(); bound.run(); bound.run() { bound.run() } }",
    ],
    pattern: &[
        "func f() { switch bound := g().(type) { case T: bound.run(); default: bound.run() } }",
        "func f() { switch bound := g().(type) { case T, U: bound.run(); case nil: bound.run() } }",
        "func f() { select { case bound := <-g(): bound.run() } }",
        "func f() { select { case bound, ok := <-g(): bound.run(ok) } }",
    ],
};

const JAVA: Ways = Ways {
    ending: "java",
    local: &[
        "void f() { var bound = g(); bound.run(); }",
        "void f() { T other, bound = g(); bound.run(); }",
        "void f() { final T bound; bound.run(); }",
        "void f() { T bound[] = g(); bound.run(); }",
        "void f() { try (T bound = g()) { bound.run(); } }",
        "void f() { try (var bound = g()) { bound.run(); } catch (E e) {} }",
        "class A { static { T bound = g(); bound.run(); } }",
        "class A { { T bound = g(); bound.run(); } }",
        "class A { T x = h(() -> { T bound = g(); bound.run(); }); }",
        "void f() { T bound = g(); Object o = new Object() { void h() { bound.run(); } }; }",
    ],
    plain: &[],
    default: &[],
    typed: &[
        "void f(T bound) { bound.run(); }",
        "void f(final @A T bound) { bound.run(); }",
        "void f(int[] bound) { bound.run(); }",
        "class A { A(T bound) { bound.run(); } }",
        "interface A { default void f(T bound) { bound.run(); } }",
        "record A(T bound) { void f() { bound.run(); } }",
        "record A(T bound) { A { bound.run(); } }",
        "enum A { B { void f(T bound) { bound.run(); } } }",
    ],
    variadic: &["void f(T... bound) { bound.run(); }", "void f(int x, final T... bound) { bound.run(); }"],
    closure: &[
        "void f() { g(bound -> bound.run()); }",
        "void f() { g((bound, other) -> bound.run()); }",
        "void f() { g((T bound) -> { bound.run(); }); }",
        "void f() { g((var bound) -> bound.run()); }",
        "class A { F c = bound -> bound.run(); }",
    ],
    each: &[
        "void f() { for (T bound : g()) bound.run(); }",
        "void f() { for (var bound : g()) { bound.run(); } }",
        "void f() { for (int i = 0, bound = g(); bound.run(); bound.run()) bound.run(); }",
    ],
    pattern: &[
        "void f() { try {} catch (E | F bound) { bound.run(); } }",
        "void f() { if (x instanceof T bound) bound.run(); }",
        "void f() { if (!(x instanceof T bound)) return; bound.run(); }",
        "void f() { if (x instanceof R(T bound, var o)) bound.run(); }",
        "void f() { switch (x) { case T bound -> bound.run(); default -> {} } }",
        "void f() { switch (x) { case R(var bound) when bound.run() -> bound.run(); default -> {} } }",
        "void f() { switch (x) { case T bound: bound.run(); } }",
    ],
};

const RUST: Ways = Ways {
    ending: "rs",
    local: &[
        "fn f() { let bound = g(); bound.run() }",
        "fn f() { let mut bound: T; bound.run() }",
        "fn f() { let (other, S { bound, .. }) = g(); bound.run() }",
        "fn f() { let [bound, ..] = g(); bound.run() }",
        "fn f() { let [first, bound @ ..] = g(); bound.run() }",
        "fn f() { let Some(bound) = g() else { return }; bound.run() }",
        "fn f() { let S { other: bound } = g(); bound.run() }",
        "fn f() { let S { ref bound, .. } = g(); bound.run() }",
        "fn f() { let S { mut bound, .. } = g(); bound.run() }",
        "fn f() { let S { ref mut bound, .. } = g(); bound.run() }",
        "fn f() { let Box(ref mut bound) = g(); bound.run() }",
        "fn f() { let &bound = g(); bound.run() }",
        "fn f() { let &mut bound = g(); bound.run() }",
        "fn f() { let (bound) = g(); bound.run() }",
        "fn f() { let (mut bound, _) = g(); bound.run() }",
        "fn f() { static BOUND: T = 1; const bound: T = 1; bound.run() }",
        "async fn f() { async move { let bound = g(); bound.run() }.await }",
        "fn f() { unsafe { let bound = g(); bound.run() } }",
        "fn f() { let x = loop { let bound = g(); break bound.run() }; }",
        "fn f() { m!({ let bound = g(); bound.run() }) }",
        "fn f() { m!({ let mut bound: T = g(); bound.run() }) }",
        "fn f() { m!({ let (bound, _) = g(); bound.run() }) }",
        "fn f() { m!({ let E::V(bound) = g(); bound.run() }) }",
    ],
    plain: &[],
    default: &[],
    typed: &[
        "fn f(bound: T) { bound.run() }",
        "fn f(mut bound: &mut T) { bound.run() }",
        "fn f((other, bound): (A, B)) { bound.run() }",
        "fn f(S { bound, .. }: S) { bound.run() }",
        "fn f(&bound: &T) { bound.run() }",
        "fn f([bound, ..]: [T; 2]) { bound.run() }",
        "fn f<const bound: usize>() { bound.run() }",
        "impl A { fn f(&self, bound: T) { bound.run() } }",
        "trait A { fn f(&self, bound: T) { bound.run() } }",
    ],
    variadic: &[],
    closure: &[
        "fn f() { g(|bound| bound.run()) }",
        "fn f() { g(|other, &(_, bound)| bound.run()) }",
        "fn f() { g(move |mut bound: T| { bound.run() }) }",
        "fn f() { g(|S { bound, .. }| bound.run()) }",
        "fn f() { g(|[bound, _]| bound.run()) }",
        "fn f() { g(|bound @ Some(_)| bound.run()) }",
        "fn f() { g(|ref bound| bound.run()) }",
        "fn f() { g(|other: A, bound: T| bound.run()) }",
        "fn f() { g(async |bound| bound.run()) }",
        "fn f() { g(|&bound| bound.run()) }",
        "fn f() { g(|&mut bound| bound.run()) }",
        "fn f() { g(|(bound, other): (A, B)| bound.run()) }",
        "fn f() { g(|a::S(bound)| bound.run()) }",
        "const C: F = |bound| bound.run();",
        "fn f() { m!(|bound| bound.run()) }",
        "fn f() { m!(|bound: T, other| bound.run()) }",
        "fn f() { m!(|(bound, other)| bound.run()) }",
        "fn f() { m!(|other, S { bound, .. }| bound.run()) }",
    ],
    each: &[
        "fn f() { for bound in g() { bound.run() } }",
        "fn f() { for (_, bound) in g() { bound.run() } }",
        "fn f() { for &bound in g() { bound.run() } }",
        "fn f() { for mut bound in g() { bound.run() } }",
        "fn f() { while let Some(bound) = g() { bound.run() } }",
        "fn f() { m!(for bound in g() { bound.run() }) }",
        "fn f() { m!(for (_, &S { ref bound, .. }) in g() { bound.run() }) }",
    ],
    pattern: &[
        "fn f() { match g() { Some(bound) if bound.run() => bound.run(), _ => {} } }",
        "fn f() { match g() { bound @ 1..=9 => bound.run(), bound => bound.run() } }",
        "fn f() { match g() { A(bound) | B(_, bound) => bound.run(), E::S { bound } => bound.run() } }",
        "fn f() { match g() { A { x: Some(bound), .. } => bound.run() } }",
        "fn f() { match g() { &A(ref bound) => bound.run() } }",
        "fn f() { match g() { (A(bound), _) => bound.run() } }",
        "fn f() { match g() { bound @ (A | B) => bound.run() } }",
        "fn f() { match g() { (bound @ A | bound @ B) => bound.run() } }",
        "fn f() { match g() { (A(bound) | B(bound)) => bound.run() } }",
        "fn f() { match g() { [bound, .., _] => bound.run() } }",
        "fn f() { match g() { [.., bound] => bound.run() } }",
        "fn f() { match g() { A(bound) if let Some(x) = bound.run() => bound.run() } }",
        "fn f() { match g() { A(x) if let Some(bound) = x.y() => bound.run() } }",
        "fn f() { if let Ok(bound) = g() && bound.run() { bound.run() } }",
        "fn f() { if let Ok(x) | Err(x) = g() && let Some(bound) = x { bound.run() } }",
        "fn f() { m!(match g() { Some(bound) => bound.run() }) }",
        "fn f() { m!(match g() { A => { other } E::B { x: bound } if bound.run() => { bound.run() } }) }",
        "fn f() { m!(match g() { A | bound => bound.run() }) }",
        "fn f() { m!((A(x) => x.run2(), other, bound) => bound.run()) }",
        "fn f() { m!(match g() { A(x) => match x { B(bound) => bound.run(), other => {} } }) }",
        "fn f() { m!(if let Some(bound) = g() { bound.run() }) }",
    ],
};

const PYTHON: Ways = Ways {
    ending: "py",
    local: &[
        "def f():\n    bound = g(); bound.run()",
        "def f():\n    bound.run()\n    bound = g()",
        "def f():\n    bound: T = g(); bound.run()",
        "def f():\n    other, bound = g(); bound.run()",
        "def f():\n    other, (bound, *rest) = g(); bound.run()",
        "def f():\n    [other, *bound] = g(); bound.run()",
        "def f():\n    other = bound = g(); bound.run()",
        "def f():\n    if (bound := g()): bound.run()",
        "def f():\n    if g(): bound = 1\n    bound.run()",
        "def f():\n    def bound(): pass\n    bound.run()",
        "def f():\n    class bound: pass\n    bound.run()",
        "def f():\n    bound = g()\n    def h(): bound.run()",
        "def f():\n    bound = 1\n    def h():\n        nonlocal bound\n        bound = g()\n        bound.run()",
        "class A:\n    def f(self):\n        bound = g()\n        return f\"{bound.run()}\"",
    ],
    plain: &[
        "def f(bound): bound.run()",
        "def f(other, /, bound): bound.run()",
        "def f(*, bound): bound.run()",
        "class A:\n    def m(self, bound): bound.run()",
        "async def f(bound): await bound.run()",
    ],
    default: &["def f(bound=1): bound.run()", "def f(other, *, bound=None): bound.run()"],
    typed: &["def f(bound: T): bound.run()", "def f(bound: T = 1): bound.run()", "def f(bound: 'T'): bound.run()"],
    variadic: &[
        "def f(*bound): bound.run()",
        "def f(**bound): bound.run()",
        "def f(*bound: T): bound.run()",
        "def f(**bound: T): bound.run()",
    ],
    closure: &[
        "g(lambda bound: bound.run())",
        "g(lambda *bound, other=1: bound.run())",
        "x = lambda other, bound=1: bound.run()",
    ],
    each: &[
        "def f():\n    for bound in g(): bound.run()",
        "def f():\n    for i, (bound, other) in g(): bound.run()",
        "def f():\n    for bound in g(): pass\n    bound.run()",
        "x = [bound.run() for bound in g()]",
        "x = {bound.run(): other for other, bound in g() if bound.run()}",
        "x = (bound.run() for other in g() for bound in other)",
        "async def f():\n    async for bound in g(): bound.run()",
    ],
    pattern: &[
        "def f():\n    try: pass\n    except E as bound: bound.run()",
        "def f():\n    try: pass\n    except (E, F) as bound: bound.run()",
        "def f():\n    with g() as bound: bound.run()",
        "def f():\n    with g() as (other, bound): bound.run()",
        "def f():\n    with g() as other, h() as bound: bound.run()",
        "def f(x):\n    match x:\n        case bound: bound.run()",
        "def f(x):\n    match x:\n        case A(bound): bound.run()",
        "def f(x):\n    match x:\n        case A(b=bound): bound.run()",
        "def f(x):\n    match x:\n        case A() as bound: bound.run()",
        "def f(x):\n    match x:\n        case [other, *bound]: bound.run()",
        "def f(x):\n    match x:\n        case {'a': bound}: bound.run()",
        "def f(x):\n    match x:\n        case A() | B(bound): bound.run()",
    ],
};

const TYPESCRIPT: Ways = Ways {
    ending: "ts",
    local: &[
        "function f() { const bound = g(); bound.run() }",
        "function f() { bound.run(); if (g()) { var bound = 1 } }",
        "function f() { const { bound } = g(); bound.run() }",
        "function f() { const { other: bound } = g(); bound.run() }",
        "function f() { const { 'other': bound } = g(); bound.run() }",
        "function f() { const { 1: bound } = g(); bound.run() }",
        "function f() { const { other: bound = 1 } = g(); bound.run() }",
        "function f() { const { other: { bound = 1 } = {} } = g(); bound.run() }",
        "function f() { const { other, ...bound } = g(); bound.run() }",
        "function f() { const { [key]: bound } = g(); bound.run() }",
        "function f() { const [, bound] = g(); bound.run() }",
        "function f() { const [bound = 1] = g(); bound.run() }",
        "function f() { const [other, ...bound] = g(); bound.run() }",
        "function f() { const [[bound]] = g(); bound.run() }",
        "function f() { const [other, ...[bound]] = g(); bound.run() }",
        "function f() { let other, bound: T; bound.run() }",
        "function f() { function bound() {} bound.run() }",
        "function f() { class bound {} bound.run() }",
        "function f() { enum bound { A } bound.run() }",
    ],
    plain: &[
        "function f(bound) { bound.run() }",
        "function f({ bound }) { bound.run() }",
        "function f({ other: { bound } }) { bound.run() }",
        "function f([bound]) { bound.run() }",
        "function* f(bound) { bound.run() }",
        "class A { m(bound) { bound.run() } }",
        "class A { set m(bound) { bound.run() } }",
        "class A { constructor(private bound) { bound.run() } }",
        "const o = { m(bound) { bound.run() } }",
        "const o = { set m(bound) { bound.run() } }",
        "export default function (bound) { bound.run() }",
    ],
    default: &[
        "function f(bound = 1) { bound.run() }",
        "function f(bound: T = 1) { bound.run() }",
        "function f(bound, other = bound.run()) { bound.run() }",
        "function f({ bound = 1 }) { bound.run() }",
        "function f({ bound } = {}) { bound.run() }",
        "function f({ other: bound = 1 }: T = {}) { bound.run() }",
        "function f([bound = 1] = []) { bound.run() }",
        "class A { constructor(private readonly bound = 1) { bound.run() } }",
        "g((bound = 1) => bound.run())",
    ],
    typed: &[
        "function f(bound: T) { bound.run() }",
        "function f(bound?: T) { bound.run() }",
        "function f({ bound }: T) { bound.run() }",
        "class A { constructor(readonly bound: T) { bound.run() } }",
        "class A { m(@dec() bound: T) { bound.run() } }",
    ],
    variadic: &[
        "function f(...bound) { bound.run() }",
        "function f(...bound: T[]) { bound.run() }",
        "function f(...[bound]: T) { bound.run() }",
        "g((...bound) => bound.run())",
    ],
    closure: &[
        "g(bound => bound.run())",
        "g(async bound => bound.run())",
        "g((bound) => bound.run())",
        "g((bound: T): U => { bound.run() })",
        "g(({ bound }) => bound.run())",
        "g(([bound]) => bound.run())",
        "g(function (bound) { bound.run() })",
        "g(function bound() { bound.run() })",
        "g(function* (bound) { bound.run() })",
        "g(class bound { m() { bound.run() } })",
        "const c = (bound) => bound.run()",
        "const c = function (bound) { bound.run() }",
        "class A { c = (bound) => bound.run() }",
        "const o = { c: (bound) => bound.run() }",
        "export default (bound) => bound.run()",
    ],
    each: &[
        "for (const bound of g()) bound.run()",
        "for (const bound in g()) { bound.run() }",
        "for (const [, bound] of g()) bound.run()",
        "for (const { bound } of g()) bound.run()",
        "function f() { for (let bound = g(); bound.run(); bound.run()) bound.run() }",
        "function f() { for (var bound of g()) {} bound.run() }",
        "async function f() { for await (const bound of g()) bound.run() }",
        "function f() { for (let i = 0, bound = g(); i < 1; i++) { bound.run() } }",
    ],
    pattern: &[
        "try {} catch (bound) { bound.run() }",
        "try {} catch (bound: unknown) { bound.run() }",
        "try {} catch ({ bound }) { bound.run() }",
        "try {} catch { try {} catch (bound) { bound.run() } }",
    ],
};

#[test]
fn no_use_of_a_bound_name_stays_free() {
    let mut wrong = Vec::new();
    // Where names are not resolved, calls alone are read.
    for language in LANGUAGES.into_iter().filter(|language| language.level() == Level::Resolved) {
        let name = language.name;
        let ways = WAYS.iter().find(|(of, _)| *of == name);
        let (_, ways) = ways.unwrap_or_else(|| panic!("{name} has no snippets: add them to WAYS in grammars/bound_tests.rs"));
        let by_way = [ways.local, ways.plain, ways.default, ways.typed, ways.variadic, ways.closure, ways.each, ways.pattern];
        wrong.extend(by_way.iter().copied().flatten().filter_map(|snippet| wrong_of(language, ways.ending, snippet)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the uses of `bound` in a snippet.
fn wrong_of(language: &Language, ending: &str, snippet: &str) -> Option<String> {
    let source = if language.name == "go" { format!("package a\n{snippet}\n") } else { format!("{snippet}\n") };
    let facts = extract(language, &format!("a.{ending}"), source.as_bytes()).facts;
    if !facts.diagnostics.is_empty() {
        return Some(format!("{}: not valid: {snippet}", language.name));
    }
    let is_bound = |id| facts.names.get(id) == "bound";
    let free = facts.exprs.iter().filter(|expr| matches!(expr, Expr::Name(id) if is_bound(*id))).count();
    let uses = facts.sites.iter().filter(|site| match facts.exprs[site.expr.0 as usize] {
        Expr::Member(_, member) => facts.names.get(member) == "run",
        _ => false,
    });
    let (uses, expected) = (uses.count(), snippet.matches("bound.run()").count() + snippet.matches("bound.run(ok)").count());
    if free == 0 && uses == expected {
        None
    } else {
        Some(format!("{}: {free} free, {uses} of {expected} uses: {snippet}", language.name))
    }
}
