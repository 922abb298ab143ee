//! Facts of Java sources, language feature by language feature.

use super::LANGUAGE;
use crate::extract;
use crate::facts::{FileFacts, ImportKind, SiteKind, Traits, Visibility};
use crate::shown::{container, show};

fn facts_of(path: &str, source: &str) -> FileFacts {
    LANGUAGE.check().expect("the query files load");
    let facts = extract(&LANGUAGE, path, source.as_bytes()).facts;
    assert_eq!(facts.diagnostics, [], "the snippet is valid: {source}");
    facts
}

/// Definitions as `lines kind container.name`, tests with a star; then fields.
fn definitions(facts: &FileFacts) -> Vec<String> {
    let symbols = facts.symbols.iter().map(|symbol| {
        let mark = if symbol.traits.has(Traits::TEST) { "*" } else { "" };
        let (first, last) = symbol.lines;
        let (kind, around) = (symbol.kind.word(), container(facts, symbol.container));
        format!("{first}-{last} {kind}{mark} {around}.{}", facts.names.get(symbol.name))
    });
    let fields = facts
        .fields
        .iter()
        .map(|field| format!("{} field {}.{}", field.line, container(facts, field.container), facts.names.get(field.name)));
    symbols.chain(fields).collect()
}

/// Calls and instances made, as `line what`.
fn calls(facts: &FileFacts) -> Vec<String> {
    let sites = facts.sites.iter().filter(|site| matches!(site.kind, SiteKind::Call | SiteKind::New));
    sites.map(|site| format!("{} {}", site.line, show(facts, site.expr))).collect()
}

const CART: &str = r"package org.shop.cart;

import java.util.List;
import static org.junit.jupiter.api.Assertions.*;

/** A cart. */
@Deprecated
public class Cart<T extends Item> extends Base implements Iterable<T> {
  private static final int MAX = 3, MIN = limit();
  List<T> items;

  public Cart(List<T> items) { this.items = items; }

  enum State { OPEN, CLOSED { void f() {} }; State next() { return OPEN; } }

  record Line(String name, int count) { Line { check(name); } }

  @Override
  public int total(int from) throws IOException {
    int sum = 0;
    for (T item : items) { sum += item.price().cents(); }
    Runnable run = () -> log(sum);
    return new Tax<String>(sum).apply(helper(sum));
  }

  interface Visitor { void visit(Cart<?> cart); int N = 1; }
}

class CartTest {
  @Test void empties() { new Cart(null).total(1); }
}
";

#[test]
fn types_have_their_members() {
    let facts = facts_of("src/org/shop/cart/Cart.java", CART);
    let expected = [
        "7-27 type file.Cart",
        "12-12 method Cart.Cart",
        "14-14 type Cart.State",
        "14-14 type State.CLOSED",
        "14-14 method CLOSED.f",
        "14-14 method State.next",
        "16-16 type Cart.Line",
        "16-16 method Line.Line",
        "18-24 method Cart.total",
        "26-26 interface Cart.Visitor",
        "26-26 method Visitor.visit",
        "29-31 type file.CartTest",
        "30-30 method* CartTest.empties",
        "9 field Cart.MAX",
        "9 field Cart.MIN",
        "10 field Cart.items",
        "14 field State.OPEN",
        "14 field State.CLOSED",
        "16 field Line.name",
        "16 field Line.count",
        "26 field Visitor.N",
    ];
    assert_eq!(definitions(&facts), expected);
    let expected = [
        "9 limit",
        "14 This(State)",
        "16 check",
        "21 <item: <T: Item> = items[*]>.price",
        "21 <item: <T: Item> = items[*]>.price().cents",
        "22 log",
        "23 Tax",
        "23 helper",
        "23 new Tax<String>.apply",
        "30 Cart",
        "30 new Cart.total",
    ];
    let mut found = calls(&facts);
    found.sort_by_key(|line| line.split(' ').next().and_then(|line| line.parse::<u32>().ok()));
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for call in expected {
        assert!(found.iter().any(|line| line == call), "{call} is not in {found:#?}");
    }
    let visible = |name: &str| {
        let symbol = facts.symbols.iter().find(|symbol| facts.names.get(symbol.name) == name).expect("a symbol");
        symbol.visibility
    };
    assert_eq!([visible("visit"), visible("State")], [Visibility::Public, Visibility::Package]);
    let imports: Vec<_> = facts.imports.iter().map(|import| (import.kind, import.path.len(), import.line)).collect();
    assert_eq!(imports, [(ImportKind::Item, 3, 3), (ImportKind::Glob, 5, 4)]);
    assert_eq!(facts.package.map(|name| facts.names.get(name)), Some("org.shop.cart"));
}

/// What the calls of a source are given, by what they call.
fn given(source: &str) -> Vec<String> {
    let facts = facts_of("A.java", source);
    let list = |callee| facts.arguments_of(callee).map(|given| given.iter().map(|each| show(&facts, *each)).collect::<Vec<_>>());
    let sites = facts.sites.iter().filter(|site| matches!(site.kind, SiteKind::Call | SiteKind::New));
    sites
        .map(|site| format!("{}({})", show(&facts, site.expr), list(site.expr).map_or("..".to_owned(), |of| of.join(", "))))
        .collect()
}

#[test]
fn calls_say_what_they_are_given() {
    let source = "class A extends B {\n  A() { this(1L, null); }\n  A(long a, B b) { super(a > 0, \"x\" + a); }\n  void f(int n) {\n    g();\n    h(n, () -> 1, A::f, C.class, (D) x, n - 1);\n    \
                  new E<F>('c', new G() { }).i(this.j(2.0f));\n  }\n}\n";
    let expected = [
        "this(A)('long, 'nil)",
        "super(A)('bool, 'string + <a: 'long>)",
        "g()",
        "h(<n: 'int>, () => 'int, {}, new Class<C>, new D, (<n: 'int> | 'int))",
        "A.f(..)",
        "E('char, new @$1)",
        "G()",
        "new E<F>.i(this(A).j())",
        "this(A).j('float)",
    ];
    let mut found = given(source);
    found.sort();
    let mut expected = expected.map(str::to_owned);
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn bare_names_know_the_type_in_whose_body_they_stand() {
    let source = "class A extends B<C> {\n  D d = new E(f) { int g = h; };\n  class I { void j(int k) { l = k; m(); } }\n  enum N { O(p) { int q() { return r; } } }\n}\n";
    let facts = facts_of("A.java", source);
    let around = |name: &str| {
        let at = facts.exprs.iter().position(|expr| matches!(expr, crate::facts::Expr::Name(id) if facts.names.get(*id) == name));
        let of = at.and_then(|at| facts.type_around(crate::facts::ExprId(at as u32)));
        of.map_or("file", |id| facts.names.get(facts.symbols[id.0 as usize].name))
    };
    let found: Vec<String> =
        ["B", "C", "D", "f", "h", "l", "m", "p", "r"].map(|name| format!("{name} {}", around(name))).to_vec();
    assert_eq!(found, ["B file", "C file", "D A", "f A", "h $1", "l I", "m I", "p N", "r O"]);
}

#[test]
fn tests_are_marked_or_named() {
    let source = "class T extends TestCase {\n  public void testA() {}\n  @Test void b() {}\n  @ParameterizedTest @ValueSource(ints = 1) void c(int n) {}\n  \
                  @Disabled @Test void d() {}\n  void helper() {}\n  @Nested class N { @RepeatedTest(2) void e() {} }\n}\n";
    let facts = facts_of("src/test/java/T.java", source);
    let tests = facts.symbols.iter().filter(|symbol| symbol.traits.has(Traits::TEST));
    let tests: Vec<(&str, bool, bool)> = tests
        .map(|symbol| (facts.names.get(symbol.name), symbol.traits.has(Traits::TEMPLATE), symbol.traits.has(Traits::SKIPPED)))
        .collect();
    let expected = [("testA", false, false), ("b", false, false), ("c", true, false), ("d", false, true), ("e", true, false)];
    assert_eq!(tests, expected);
}

#[test]
fn deep_and_broken_sources_stay_within_bounds() {
    let deep = format!("class A {{ int f() {{ return {}1{}; }} }}", "g(".repeat(3_000), ")".repeat(3_000));
    assert_eq!(extract(&LANGUAGE, "A.java", deep.as_bytes()).facts.limit, Some(crate::facts::Limit::Depth));
    let nested = format!("{}{}", "class A { ".repeat(2_000), "}".repeat(2_000));
    assert_eq!(extract(&LANGUAGE, "A.java", nested.as_bytes()).facts.limit, Some(crate::facts::Limit::Depth));
    let anonymous = format!("class A {{ Object a = {}null{}; }}", "new B(new B() {}, ".repeat(300), ")".repeat(300));
    assert!(extract(&LANGUAGE, "A.java", anonymous.as_bytes()).facts.symbols.len() > 300);
    let broken = extract(&LANGUAGE, "A.java", b"class A { void f( { g(; } int x = ; } class B { void h() {} }").facts;
    assert!(!broken.diagnostics.is_empty() && broken.symbols.iter().any(|symbol| broken.names.get(symbol.name) == "B"));
}
