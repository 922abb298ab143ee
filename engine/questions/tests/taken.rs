//! Lists that would be called complete, were what takes a name unseen not looked for.

use super::*;

/// How complete the callers of a name are said to be.
fn state(engine: &Engine, name: &str) -> String {
    lines(engine, &Question::Callers(named(name))).pop().unwrap_or_default()
}

#[test]
fn patterns_templates_and_computed_names_leave_a_list_open() {
    let of = |uses: &str| {
        let (_scratch, engine) = with(&[
            ("rows.ts", "export class Rows {\n  find() {}\n}\n"),
            ("use.ts", &format!("import {{ Rows }} from \"./rows\";\nconst r = new Rows();\n{uses}\n")),
        ]);
        state(&engine, "Rows.find")
    };
    for uses in [
        "const [{ find }] = await Promise.all([r]);",
        "[r].map(({ find }): void => find());",
        "console.log(`${r[\"find\"]()}`);",
        "const key = \"find\"; r[key]();",
    ] {
        assert_eq!(of(uses), "(incomplete: find is also written in use.ts:3, with no known meaning)", "{uses}");
    }
    assert_eq!(of("r.find(); const all = [\"a\"]; const key = all[i]; r[key];"), "(complete)");
    let open = of("r.find(); const text = `never closed;");
    assert!(open.contains("a text without an end hides what use.ts takes"), "{open}");
}

#[test]
fn every_attribute_and_what_stands_around_may_hand_a_function_out() {
    let (_scratch, engine) = with(&[
        ("Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        (
            "src/main.rs",
            r#"#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
fn greet() {}
#[cfg_attr(all(unix, test), allow(dead_code), inline,)]
fn plain() {}
#[inline] #[no_mangle] extern "C" fn given() {}
#[must_use] #[get("/")] fn list() {}
#[
    route
]
fn split() {}
#[inline]
/// Not `#[get]`.
fn told() {}
struct Foo;
/// Methods.
#[pymethods]
impl Foo {
    fn first(&self) {
        if true {
        }
    }

    fn second(&self) {}
}
#[derive(Debug)]
struct Bar;
impl Bar {
    fn own(&self) {}
}
mod inner {
    fn within() {}
}
"#,
        ),
    ]);
    for (name, mark) in [
        ("greet", "#[wasm_bindgen]"),
        ("given", "#[no_mangle]"),
        ("list", "#[get]"),
        ("split", "#[route]"),
        ("Foo.first", "#[pymethods]"),
        ("Foo.second", "#[pymethods]"),
    ] {
        let last = name.rsplit('.').next().unwrap_or(name);
        assert_eq!(state(&engine, name), format!("(incomplete: `{mark}` may hand {last} to others)"), "{name}");
    }
    for name in ["plain", "told", "Bar.own", "within"] {
        assert_eq!(state(&engine, name), "(complete)", "{name}");
    }
    let (_scratch, engine) = with(&[(
        "a.ts",
        "@Component({ template: `<a (click)=\"go()\">` })\nclass Page {\n  go() {}\n}\nclass Other {\n  stay(@Inject() a: string) {}\n}\n",
    )]);
    assert_eq!(state(&engine, "Page.go"), "(incomplete: `@Component` may hand go to others)");
    assert_eq!(state(&engine, "Other.stay"), "(complete)");
}
