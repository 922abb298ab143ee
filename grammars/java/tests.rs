//! Facts of Java sources, language feature by language feature.

use super::LANGUAGE;
use crate::extract;
use crate::facts::{FileFacts, SiteKind, Traits};
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

const CART: &str = r#"package org.shop.cart;

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
"#;

#[test]
fn types_have_their_members() {
    let facts = facts_of("src/org/shop/cart/Cart.java", CART);
    let expected = [
        "7-27 type file.Cart",
        "12-12 method Cart.Cart",
        "14-14 type Cart.State",
        "14-14 method State.f",
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
        "26 field Visitor.N",
    ];
    assert_eq!(definitions(&facts), expected);
    let expected = [
        "9 limit",
        "16 check",
        "21 item.price",
        "21 item.price().cents",
        "22 log",
        "23 new Tax",
        "23 helper",
        "23 new Tax.apply",
        "30 Cart",
        "30 new Cart.total",
    ];
    assert_eq!(calls(&facts).len(), expected.len());
}
