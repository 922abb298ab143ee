//! Facts of Rust sources, language feature by language feature.

use super::LANGUAGE;
use crate::extract;
use crate::facts::{FileFacts, Limit, SiteKind, Traits};
use crate::project::Manifest;
use crate::shown::{container, show};

fn facts(source: &str) -> FileFacts {
    LANGUAGE.check().expect("the query files load");
    let facts = extract(&LANGUAGE, "src/a.rs", source.as_bytes()).facts;
    assert_eq!(facts.diagnostics, [], "the snippet is valid: {source}");
    facts
}

/// Symbols as `word container.name visibility: type`.
fn symbols(source: &str) -> Vec<String> {
    let facts = facts(source);
    let line = |symbol: &crate::facts::Symbol| {
        let (name, within) = (facts.names.get(symbol.name), container(&facts, symbol.container));
        format!("{} {within}.{name} {:?}: {}", symbol.kind.word(), symbol.visibility, show(&facts, symbol.declared))
    };
    facts.symbols.iter().map(line).collect()
}

/// Calls, macros and instances made; with `all`, other uses too.
fn sites(source: &str, all: bool) -> Vec<String> {
    let facts = facts(source);
    let sites = facts.sites.iter().filter(|site| all || !matches!(site.kind, SiteKind::Type | SiteKind::Mention));
    sites.map(|site| format!("{:?} {}", site.kind, show(&facts, site.expr))).collect()
}

fn calls(body: &str) -> Vec<String> {
    sites(&format!("fn f() {{ {body} }}"), false)
}

#[test]
fn definitions_have_kind_container_visibility_and_type() {
    let source = "pub struct P<T>(pub T, u8);\nenum E { A, B(u32, P<u8>), C { q: u8 } }\npub(crate) trait Tr: Base + Send { type Item: Clone; \
                  const K: usize; fn go(&self) -> Self::Item; }\nimpl<T> Tr for P<T> { type Item = E; fn go(&self) -> E { fn deep() {} } }\n\
                  mod m { pub static G: u8 = 1; }\nmacro_rules! mac { ($x:expr) => { hidden($x) }; }\nunion U { a: u8 }\nconst _: () = ();";
    let expected = [
        "type file.P Public: ?",
        "type file.E Private: ?",
        "interface file.Tr Package: ?",
        "alias Tr.Item Private: Clone",
        "constant Tr.K Private: usize",
        "method Tr.go Private: This(Tr)::Item",
        "alias P<<T>> as Tr.Item Private: E",
        "method P<<T>> as Tr.go Private: E",
        "function go.deep Private: ?",
        "module file.m Private: ?",
        "variable m.G Public: u8",
        "macro file.mac Private: ?",
        "type file.U Private: ?",
    ];
    assert_eq!(symbols(source), expected);
    let facts = facts(source);
    let fields = facts.fields.iter();
    let fields: Vec<String> =
        fields.map(|field| format!("{} {}", facts.names.get(field.name), show(&facts, field.declared))).collect();
    assert_eq!(fields, ["0 <T>", "1 u8", "A ?", "B (u32, P<u8>)", "q u8", "C ?", "a u8"]);
    let supers: Vec<String> = facts.supers.iter().map(|each| format!("{:?} {}", each.kind, show(&facts, each.of))).collect();
    assert_eq!(supers, ["Extends Base", "Extends Send", "Implements Tr"]);
}

#[test]
fn attributes_and_modifiers_become_traits() {
    let traits_of = |source: &str| facts(source).symbols.last().expect("a symbol").traits;
    let test = Traits(Traits::TEST.0 | Traits::TEST_CODE.0);
    for attribute in ["#[test]", "#[tokio::test(flavor = \"x\")]", "#[rstest]"] {
        assert_eq!(traits_of(&format!("/// Doc.\n{attribute}\nfn t() {{}}")), test, "{attribute}");
    }
    let with = |bit: Traits| Traits(test.0 | bit.0);
    assert_eq!(traits_of("/// Doc.\n#[bench]\nfn t() {}"), with(Traits::BENCH));
    assert_eq!(traits_of("#[test]\n#[ignore = \"slow\"]\nfn t() {}"), with(Traits::SKIPPED));
    for attributes in ["#[test_case(1)]", "#[rstest]\n#[case(1)]", "#[rstest]\n#[case::one(1)]"] {
        assert_eq!(traits_of(&format!("{attributes}\nfn t() {{}}")), with(Traits::TEMPLATE), "{attributes}");
    }
    for (condition, holds) in
        [("test", true), ("all(test, unix)", true), ("all(unix, test)", true), ("not(test)", false), ("any(test, unix)", false)]
    {
        let found = traits_of(&format!("#[cfg({condition})]\nmod m {{ fn f() {{}} }}"));
        assert_eq!(found.has(Traits::TEST_CODE), holds, "{condition}");
    }
    let words = Traits(Traits::ASYNC.0 | Traits::UNSAFE.0 | Traits::DEPRECATED.0);
    assert_eq!(traits_of("#[deprecated(note = \"x\")]\npub async unsafe fn f() {}"), words);
    assert_eq!(traits_of("impl A { fn f(self: Box<Self>) {} }"), Traits::INSTANCE);
}

#[test]
fn use_trees_cost_no_more_than_their_leaves() {
    // Every level has a leaf of its own, whose path repeats all names before it.
    let n_levels = 150;
    let source = format!("use {}b{};", "a::{b, ".repeat(n_levels), "}".repeat(n_levels));
    let facts = extract(&LANGUAGE, "src/a.rs", source.as_bytes()).facts;
    let lengths: Vec<usize> = facts.imports.iter().map(|import| import.path.len()).collect();
    assert_eq!(lengths, (2..=64).collect::<Vec<_>>(), "leaves behind 64 names are left out");
    assert_eq!(facts.limit, Some(Limit::Depth), "and that is said");
}

#[test]
fn use_trees_become_one_import_for_each_name() {
    let facts = facts(
        "use std::{fmt::{self, Display as D}, io::*};\npub(crate) use self::a::{b, c as _};\nuse crate::x;\npub use super::{y};\nuse ::z::w;\n\
         use lone;\nextern crate alloc as al;\n#[path = \"o.rs\"]\npub mod other;\nmod plain;\nfn f() { use q::r; }\nmod m { use super::*; }",
    );
    let lines: Vec<String> = facts
        .imports
        .iter()
        .map(|import| {
            let path: Vec<&str> = import.path.iter().map(|name| facts.names.get(*name)).collect();
            let local = import.local.map_or("-", |name| facts.names.get(name));
            let exported = match (import.exported, import.in_package) {
                (true, true) => " pub(crate)",
                (true, false) => " pub",
                (false, _) => "",
            };
            format!("{}: {:?} {} as {local}{exported}", container(&facts, import.container), import.kind, path.join("/"))
        })
        .collect();
    let expected = [
        "file: Item std/fmt as fmt",
        "file: Item std/fmt/Display as D",
        "file: Glob std/io as -",
        "file: Item self/a/b as b pub(crate)",
        "file: Item self/a/c as _ pub(crate)",
        "file: Item crate/x as x",
        "file: Item super/y as y pub",
        "file: Item z/w as w",
        "file: Item lone as lone",
        "file: Module alloc as al",
        "file: Child other/o.rs as other pub",
        "file: Child plain as plain",
        "file: Effect q/r as -",
        "m: Glob super as -",
    ];
    assert_eq!(lines, expected);
    assert_eq!(facts.sites, []);
}

#[test]
fn calls_are_read_in_all_their_forms() {
    let cases: &[(&str, &[&str])] = &[
        ("plain(); a::b::f();", &["Call plain", "Call a::b::f"]),
        ("T::f(); <S as Tr>::f(); self::near();", &["Call T::f", "Call S::f", "Call self::near"]),
        ("turbo::<u8>(1);", &["Call turbo"]),
        ("x().m()?.n::<Vec<_>>();", &["Call x", "Call x().m", "Call x().m()?.n"]),
        ("Lit { a, b: g() };", &["New Lit", "Call g"]),
        ("let v = E::V { a }; v.run();", &["New E::V", "Call <v = new E>.run"]),
        ("log::info!(\"x\");", &["Macro log::info"]),
        ("[made()][0].at(); (y as Foo).go();", &["Call made", "Call [made()][].at", "Call new Foo.go"]),
        ("fut().await.then(); (*p).q();", &["Call fut", "Call fut().await.then", "Call &p.q"]),
    ];
    for (body, expected) in cases {
        assert_eq!(calls(body), *expected, "{body}");
    }
}

#[test]
fn calls_inside_macros_are_read_from_their_tokens() {
    let cases: &[(&str, &[&str])] = &[
        ("a!(foo(&x), bar::baz(1).len())", &["Call foo", "Call bar::baz", "Call bar::baz().len"]),
        ("a!(p::<Vec<u8>>(1).b().await?.c())", &["Call p", "Call p().b", "Call p().b().await?.c"]),
        ("a!(Foo { k: h(2) }, x.0.go(), (y).zed())", &["New Foo", "Call h", "Call x.0.go", "Call ?.zed"]),
        ("a!(if in (3) { move |z| z.w() } else (4))", &["Call <z>.w"]),
        (
            "a!(|d: &mut Dir, n| { d.make(n); let mut c = d.cmd(1); c.run(); })",
            &["Call <d: Dir>.make", "Call <d: Dir>.cmd", "Call <c = <d: Dir>.cmd()>.run"],
        ),
        ("a!({ let c: C = d(1); c.run(); })", &["Call d", "Call <c: C = d()>.run"]),
        ("a!(b | c.d(), x || e.f())", &["Call c.d", "Call e.f"]),
        ("a!(#[cfg(no)] fn nope(a: B) { yes() })", &["Call yes"]),
        ("a!(n != (b), !(c), vec![f(1)], s..t.u())", &["Macro vec", "Call f", "Call t.u"]),
        ("a!(one // two.\n (three))", &["Call one"]),
        ("a!(one, // two.\n (three))", &[]),
        ("a!(T::default() * b.union(c))", &["Call T::default", "Call b.union"]),
        ("quote! { not_here(x) }", &[]),
        ("cfg!(all(test, not(unix)))", &[]),
    ];
    for (body, expected) in cases {
        let mut found = calls(body);
        found.remove(0);
        found.sort();
        let mut expected: Vec<&str> = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn references_are_named_and_keywords_are_not() {
    let source = "impl<'a> S<'a> { fn f(&'a mut self, r: &'a mut T) -> Box<dyn Tr + 'a> { 'l: loop { break 'l; } \
                  self.x = Self::K + crate::m::G; Unit } }";
    let expected = [
        "Type S",
        "Type T",
        "Type Box",
        "Type Tr",
        "Mention this(S<>).x",
        "Mention This(S<>)::K",
        "Mention crate::m",
        "Mention crate::m::G",
        "Mention Unit",
    ];
    assert_eq!(sites(source, true), expected);
}

/// The receiver of the call `NAME.probe()`, for each such call.
fn probes(source: &str) -> Vec<String> {
    let calls = sites(source, false).into_iter();
    calls.filter_map(|line| Some(line.strip_prefix("Call ")?.strip_suffix(".probe")?.to_owned())).collect()
}

#[test]
fn bindings_carry_type_and_value() {
    let cases: &[(&str, &[&str])] = &[
        ("let a: T = g(); a.probe();", &["<a: T = g()>"]),
        ("let a = g()?; a.probe();", &["<a = g()?>"]),
        ("let mut a = g(); let a = a.h(); a.probe();", &["<a = <a = g()>.h()>"]),
        ("let path = path::join(); path.probe();", &["<path = path::join()>"]),
        ("let Some(a) = g() else { a.probe(); return }; a.probe();", &["a", "<a = g()~Some#0>"]),
        ("if let E::V(_, b) = g() && b.ok() { b.probe() } else { b.probe() }", &["<b = g()~E::V#1>", "b"]),
        ("while let Some(a) = g() { a.probe() }", &["<a = g()~Some#0>"]),
        (
            "match g() { A(x) | B(x) if x.ok() => x.probe(), k @ C => k.probe(), N => N.probe() }",
            &["<x = g()~A#0>", "<k = g()>", "N"],
        ),
        ("let S { a, b: (c, ..), .. } = g(); a.probe(); c.probe();", &["<a: S/a = g()/a>", "<c: S/b#0 = g()/b#0>"]),
        ("let E::S { a } = g(); a.probe();", &["<a: E/a = g()/a>"]),
        ("let (_, a, .., z) = g(); a.probe(); z.probe();", &["<a = g()#1>", "<z>"]),
        ("let &(ref a, mut b) = g(); a.probe(); b.probe();", &["<a = g()#0>", "<b = g()#1>"]),
        ("for (i, a) in g() { a.probe() } a.probe();", &["<a = g()[*]#1>", "a"]),
        ("let c = |q: &Q, (r, _), s| { q.probe(); r.probe(); s.probe() };", &["<q: &Q>", "<r>", "<s>"]),
        ("let v = if c { A::new() } else { return }; v.probe();", &["<v = A::new()>"]),
        ("let v = match c { 1 => one(), _ => { let t = 1; two(t) } }; v.probe();", &["<v = (one() | two())>"]),
        ("let v = unsafe { raw() }; v.probe();", &["<v = raw()>"]),
        ("later().probe(); fn later() -> u8 { 0 }", &["@later()"]),
    ];
    for (body, expected) in cases {
        assert_eq!(probes(&format!("fn f() {{ {body} }}")), *expected, "{body}");
    }
}

#[test]
fn parameters_carry_types_and_bounds() {
    let cases = [
        ("fn f(a: &mut Vec<u8>) { a.probe() }", "<a: &Vec<u8>>"),
        ("fn f((_, b): (A, B)) { b.probe() }", "<b: (A, B)#1>"),
        ("fn f<T: A + B>(a: T) where T: C { a.probe() }", "<a: <T: ((A | B) | C)>>"),
        ("fn f(a: impl Iterator<Item = E>) { a.probe() }", "<a: Iterator<E>>"),
        ("fn f(a: Box<dyn Fn(u8) -> R>) { a.probe() }", "<a: Box<(u8) => R>>"),
        ("fn f(a: [A; 3]) { a.probe() }", "<a: [A]>"),
        ("impl A { fn f(&self) { self.probe() } }", "this(A)"),
        ("impl A { fn f(a: Self) { a.probe() } }", "<a: This(A)>"),
    ];
    for (source, expected) in cases {
        assert_eq!(probes(source), [expected], "{source}");
    }
}

#[test]
fn manifests_become_roots_crates_and_child_files() {
    let manifests = [
        (
            "Cargo.toml",
            "[package]\nname = \"the-app\"\n[workspace]\nmembers = [\"crates/*\"]\n[workspace.dependencies]\nshared-kit = { path = \"crates/kit\" }\nserde_json = \"1\"\n[dependencies]\nshared-kit.workspace = true\nserde_json.workspace = true\nother = { package = \"real-one\", version = \"1\" }\n[[bin]]\nname = \"tool\"\npath = \"tool.rs\"",
        ),
        ("crates/broken/Cargo.toml", "[package\nname = 3"),
        (
            "crates/kit/Cargo.toml",
            "[package]\nname = \"shared-kit\"\n[lib]\nname = \"kit\"\npath = \"lib.rs\"\n[dev-dependencies]\napp2 = { package = \"the-app\", path = \"../..\" }",
        ),
    ];
    let manifests = manifests.map(|(path, text)| Manifest { path, text });
    let files = ["src/lib.rs", "src/main.rs", "build.rs", "tool.rs", "crates/kit/lib.rs"];
    let project = (LANGUAGE.project.load)(&manifests, &|path| files.contains(&path));
    let roots: Vec<(&str, &str)> = project.roots().iter().map(|root| (root.file.as_str(), root.name.as_str())).collect();
    assert_eq!(
        roots,
        [("build.rs", ""), ("crates/kit/lib.rs", "kit"), ("src/lib.rs", "the_app"), ("src/main.rs", ""), ("tool.rs", "")]
    );
    for (from, name, file, external) in [
        ("src/main.rs", "the_app", Some("src/lib.rs"), None),
        ("src/a.rs", "kit", Some("crates/kit/lib.rs"), None),
        ("src/a.rs", "shared_kit", None, None),
        ("src/a.rs", "serde_json", None, Some("serde_json")),
        ("src/a.rs", "other", None, Some("real-one")),
        ("crates/kit/lib.rs", "app2", Some("src/lib.rs"), None),
        ("crates/kit/lib.rs", "serde_json", None, None),
        ("crates/kit/lib.rs", "std", None, Some("std")),
    ] {
        let found = project.candidates(from, name);
        assert_eq!((found.files.first().map(String::as_str), found.external.as_deref()), (file, external), "{name} from {from}");
    }
    assert_eq!(project.problems().len(), 1);
    assert!(project.discovers("tests/it.rs") && project.discovers("src/bin/x/main.rs") && !project.discovers("tests/it/util.rs"));
    for (from, is_root, inside, explicit, first) in [
        ("src/lib.rs", true, &[][..], None, "src/m.rs"),
        ("src/a.rs", false, &[], None, "src/a/m.rs"),
        ("src/a/mod.rs", false, &["in"], None, "src/a/in/m.rs"),
        ("tests/it.rs", false, &[], None, "tests/m.rs"),
        ("src/a.rs", false, &[], Some("x/y.rs"), "src/x/y.rs"),
        ("src/a.rs", false, &["in"], Some("y.rs"), "src/a/in/y.rs"),
    ] {
        assert_eq!(
            project.child(from, is_root, inside, "r#m", explicit).first().map(String::as_str),
            Some(first),
            "{from} {explicit:?}"
        );
    }
}

#[test]
fn items_that_macros_pass_on_are_read_as_if_they_stood_beside_them() {
    let opened = |source: &str| {
        let facts = facts(source);
        let lines = facts.symbols.iter().map(|symbol| format!("{}:{}", symbol.name_line, facts.names.get(symbol.name)));
        let macros = facts.sites.iter().filter(|site| site.kind == SiteKind::Macro);
        lines.chain(macros.map(|site| format!("{}!{}", site.line, show(&facts, site.expr)))).collect::<Vec<_>>().join(" ")
    };
    for (source, expected) in [
        ("cfg_rt! {\n  pub mod m { fn f() {} }\n  cfg_net! { pub use a::b; fn g() {} }\n}", "2:m 2:f 3:g 1!cfg_rt 3!cfg_net"),
        ("impl S {\n  cfg_io_util! {\n    pub fn f(&self) { g!(1) }\n  }\n}", "3:f 2!cfg_io_util 3!g"),
        (
            "cfg_if::cfg_if! {\n if #[cfg(unix)] { fn a() {} }\n else if #[cfg(windows)] { fn b() {} }\n else { fn c() {} } }",
            "2:a 3:b 4:c 1!cfg_if::cfg_if",
        ),
        ("thread_local! { static X: u8 = 1; }\npin_project!{\n #[derive(Debug)] struct P { a: u8 } }", "3:P 1!thread_local"),
        ("#[cfg(test)]\nm! { fn a() {} fn c() {} }\n/// Doc.\nm! { fn b() {} }", "4:b 2!m 4!m"),
        (
            "#[cfg(doc)]\ndoc! {macro_rules! select {() => {}}}\n#[cfg(not(doc))]\ndoc! { macro_rules! join {() => {}} }",
            "2:select 4:join",
        ),
        (
            "impl S {\n  delegate! {\n    #[through(T)]\n    to self.inner[0] {\n      pub fn len(&self) -> usize;\n      #[into] fn get(&self, at: usize) -> T;\n    }\n    to \
             self.f() { fn last(&self); }\n  }\n}",
            "5:len 6:get 8:last 2!delegate",
        ),
        ("impl S { delegate! { to self.a { 1 } } }", "1!delegate"),
        // What a macro without arguments gives to the place that it is called in.
        (
            "macro_rules! root {\n  () => {\n    mod lib { fn f() {} }\n    macro_rules! t { ($e:expr) => { $e } }\n  };\n}\nroot!();",
            "1:root 3:lib 3:f 4:t 7!root",
        ),
        ("//! All.\nmacro_rules! root {\n  () => { struct S; };\n}", "2:root 3:S"),
        (
            "macro_rules! twice {\n  () => {\n    fn f() {}\n  };\n}\nmod a { twice!(); }\nmod b { twice!(); }",
            "1:twice 6:a 7:b 6!twice 7!twice",
        ),
        ("macro_rules! m {\n  ($a:ident) => {\n    fn f() {}\n  };\n}\nm!(a);", "1:m 6!m"),
        ("macro_rules! nothing {}", "1:nothing"),
        // One that is alone in what another is given.
        ("cfg_x! { macro_rules! m { () => { fn f() {} } } }", "1:m 1!cfg_x"),
        // What is not items alone stays as it is.
        (
            "lazy_static! { static ref X: u8 = 1; }\nm!(a + b);\nm! { fn f() {} 1 }\nm!{}\nm!();",
            "1:X 1!lazy_static 2!m 3!m 4!m 5!m",
        ),
        ("cfg_if! { if #[cfg(unix)] { fn a() {} } else { 1 } }\nfn f() { m! { fn g() {} } }", "2:f 1!cfg_if 2!m"),
    ] {
        assert_eq!(opened(source), expected, "{source}");
    }
    for half in ["macro_rules! m { () => ( }", "macro_rules! m { () => [", "macro_rules! m { () => }\npub fn f() {}"] {
        let facts = extract(&LANGUAGE, "src/a.rs", half.as_bytes()).facts;
        assert!(facts.symbols.iter().all(|symbol| !symbol.traits.has(Traits::GIVES_FILE)), "{half}");
    }
    let other = facts("#[cfg(windows)]\nm! { fn a() {} }");
    assert!(other.symbols[0].traits.has(Traits::OTHER_BUILD), "what stands above the call holds for the item");
    let deep = format!("{}fn f() {{}}{}", "m! { ".repeat(40), " }".repeat(40));
    assert_eq!(facts(&deep).symbols.len(), 0, "macros are opened to some depth");
}

#[test]
fn a_line_declares_the_module_of_a_file_for_all_or_for_tests() {
    let declares = LANGUAGE.scope.declares_module.expect("modules are declared");
    assert_eq!(declares("src/page.rs", "    pub mod page;", ""), Some(false));
    assert_eq!(declares("src/page/mod.rs", "mod page; ", "#[cfg(test)]"), Some(true));
    assert_eq!(declares("src/page.rs", "#[cfg(test)] mod page;", ""), Some(true));
    for other in ["mod pages;", "mod homepage;", "use page;", "mod page {"] {
        assert_eq!(declares("src/page.rs", other, ""), None, "{other}");
    }
}

#[test]
fn a_macro_takes_out_what_its_argument_holds_by_its_rules() {
    for (rules, expected) in [
        ("($e:expr) => { match $e { Ok(v) => v, Err(e) => return Err(e) } };", true),
        ("($e:expr $(,)?) => (match $e { // taken\n $crate::Poll::Ready(t) => t, _ => return $crate::Poll::Pending, });", true),
        ("($e:expr) => {{ match $e { Some(v) => v, None => return None } }};", true),
        ("($e:expr) => { match $e { Ok(v) => v.count(), Err(e) => return Err(e) } };", false),
        ("($e:expr) => { match $e { Err(v) => v, Ok(e) => return Ok(e) } };", false),
        ("($a:expr, $e:expr) => { match $e { Ok(v) => v, Err(e) => return Err(e) } };", false),
        ("($e:expr) => { let x = match $e { Ok(v) => v, Err(e) => return Err(e) }; x.count() };", false),
        ("($e:expr) => { $e }; ($e:expr,) => { match $e { Ok(v) => v } };", false),
        ("($e:expr,) => { m!($e) }; ($e:expr) => { match $e { Ok(v) => v } };", true),
        ("() => {};", false),
    ] {
        let facts = facts(&format!("macro_rules! m {{ {rules} }}"));
        assert_eq!(facts.symbols.first().is_some_and(|symbol| symbol.traits.has(Traits::TAKES_OUT)), expected, "{rules}");
    }
}
