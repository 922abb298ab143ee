//! Languages of which only definitions are known: calls by a name that one definition has, and no list that is called complete.

use super::*;

const SHOP: [(&str, &str); 7] = [
    ("a.c", "#include \"a.h\"\nint price_of(int x)\n{\n  return round_up(x);\n}\nint twice(int x) { return x; }\n"),
    ("a.h", "int price_of(int x);\nstruct Cart { int total(); int get(); };\n"),
    ("b.cc", "int Cart::total() { return price_of(1) + twice(2); }\nint Cart::get() { return 1; }\n"),
    ("c.cc", "static int twice(int x) { return 2 * x; }\nint all(Cart *cart) { return cart->total() + cart->get(); }\n"),
    ("a.rb", "def price_of(x)\n  other(x)\nend\n"),
    ("go.mod", "module example.com/m\n"),
    ("m.go", "package m\n\nfunc used() {}\n\nfunc lonely() {}\n\nfunc Main() { used() }\n"),
];

#[test]
fn a_call_means_the_one_definition_of_its_language_and_is_never_exact() {
    let (_scratch, engine) = with(&SHOP);
    let unknown = |path: &str| format!("(unknown: uses of names are not resolved in the language of {path})");
    let of = |name: &str| lines(&engine, &Question::Callers(named(name)));
    // C and C++ are one; what a header declares is what another file defines.
    assert_eq!(of("a.c#price_of"), ["b.cc:1 Cart.total (known by its name alone)", &unknown("a.c")]);
    assert_eq!(of("Cart::total"), ["c.cc:2 all (known by its name alone)", &unknown("b.cc")]);
    assert_eq!(of("a.h"), ["a.c:1 (imports)", &unknown("a.h")]);
    // Two definitions have the name, and so many types have a method of the other.
    assert_eq!(of("a.c#twice"), ["none found", &unknown("a.c")]);
    assert_eq!(of("Cart.get"), ["none found", &unknown("b.cc")]);
    assert_eq!(of("a.rb#price_of"), ["none found", &unknown("a.rb")]);
    for question in [Question::Callees, Question::Impact, Question::Tests] {
        let last = lines(&engine, &question(named("a.c#price_of"))).pop().unwrap_or_default();
        assert!(last.starts_with("(unknown: "), "{last}");
    }
}

#[test]
fn what_asks_for_links_leaves_these_languages_out_and_says_so() {
    let (_scratch, engine) = with(&SHOP);
    let open = "imports and uses of names are not resolved in c, cpp, ruby";
    let unused = lines(&engine, &Question::Unused { all: false });
    assert_eq!(unused.first().map(String::as_str), Some("m.go:5 lonely (function)"));
    assert!(unused.last().is_some_and(|last| last.starts_with("(incomplete: ") && last.contains(open)), "{unused:?}");
    assert_eq!(lines(&engine, &Question::Cycles), ["none found", &format!("(incomplete: {open})")]);
    let (_scratch, engine) = with(&SHOP[..5]);
    assert_eq!(lines(&engine, &Question::Cycles), ["none found", &format!("(unknown: {open})")]);
    // Elsewhere it is code that is not understood: a name of several words in it may be a use.
    let (_scratch, engine) =
        with(&[("m.go", "package m\n\nfunc helpOut() {}\n"), ("a.c", "int f(void) { return helpOut(); }\n"), SHOP[5]]);
    let last = lines(&engine, &Question::Callers(named("helpOut"))).pop().unwrap_or_default();
    assert_eq!(last, "(incomplete: helpOut stands in a.c, not understood)");
}
