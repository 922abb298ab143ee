//! What lists of users, tests and dependencies say of themselves: small repositories in, lines out.

use super::*;
use crate::fixture::base;
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashSet;

/// A shop of which every use is known. `close` is a name that an unknown value may have as well.
const SHOP: &str = "\
//- src/cart.ts
export class Cart {
  close() {}
  emptyAll() { return this; }
}
export function reprice(cart: Cart) { cart.close(); }
//- src/api.ts
import { Cart } from \"./cart\";
export function serve(cart: Cart) { cart.close(); }
";

/// A file of code in a language that is not understood and that nobody will teach us.
const FOREIGN: &str = "tools/x.coffee";

const CLOSE: &str = "src/cart.ts#Cart.close";
const EMPTY_ALL: &str = "src/cart.ts#Cart.emptyAll";

/// What is said of a node of the shop, with more files in it.
fn lines(more: &str, id: &str) -> Vec<String> {
    let base = base(&format!("{SHOP}{more}"));
    let node = base.node_at(id).unwrap_or_else(|| panic!("no node {id}"));
    Subject::new(&base, &[node], &[]).map(|subject| subject.summary("")).unwrap_or_default()
}

/// What is said of the users of a node.
fn users(more: &str, id: &str) -> String {
    lines(more, id).swap_remove(0)
}

/// What is missing of a list of users, in parentheses.
fn missing(more: &str, id: &str) -> String {
    let line = users(more, id);
    line[line.find('(').unwrap_or_default()..].to_owned()
}

#[test]
fn what_is_settled_is_complete_even_where_there_is_nothing() {
    assert_eq!(users("", CLOSE), "used by: 2 files (complete)");
    assert_eq!(users("", EMPTY_ALL), "used by: none found (complete)");
    assert_eq!(
        lines("", "src/api.ts"),
        [
            "used by: none found (complete)",
            "called by tests: none found (complete)",
            "its file uses: 1 file or package (complete)"
        ]
    );
}

#[test]
fn files_of_which_nothing_is_known_leave_every_list_open() {
    let base = base(SHOP);
    let unseen = ["2 tracked files are not checked out".to_owned(), "files are left out by --exclude".to_owned()];
    let node = base.node_at(CLOSE).expect("a node");
    let why = "(incomplete: 2 tracked files are not checked out; files are left out by --exclude)";
    assert_eq!(
        Subject::new(&base, &[node], &unseen).expect("code").summary(""),
        ["used by: 2 files", "called by tests: none found", "its file uses: none found"].map(|list| format!("{list} {why}"))
    );
}

#[test]
fn an_unresolved_use_of_the_name_counts_where_it_can_mean_the_subject() {
    let file =
        |path: &str, uses: &str| format!("//- {path}\nimport {{ serve }} from \"./api\";\nexport function any(x) {{ {uses} }}\n");
    let check = |more: &str, expected: &str| assert_eq!(missing(more, CLOSE), expected, "{more}");
    check(&file("src/a.ts", "x.close();"), "(incomplete: 1 unresolved use of close in src/a.ts)");
    // A use need not be a call.
    check(&file("src/a.ts", "x.close(); return x.close;"), "(incomplete: 2 unresolved uses of close in src/a.ts)");
    // The files with most uses are named first, and not all of them.
    let many: String = ["src/a.ts", "src/b.ts", "src/c.ts"].iter().map(|path| file(path, "x.close();")).collect();
    let many = many + &file("src/z.ts", "x.close(); x.close();");
    check(&many, "(incomplete: 5 unresolved uses of close in src/z.ts and 3 more)");
    // Neither another name, nor a file that no import leads from to the subject, nor another language, nor a file that uses it for sure.
    check(&file("src/a.ts", "x.closed();"), "(complete)");
    check("//- src/a.ts\nexport function any(x) { x.close(); }\n", "(complete)");
    check("//- a.go\npackage a\n\nfunc Any() { unknown().close() }\n", "(complete)");
    check(
        "//- src/a.ts\nimport { Cart } from \"./cart\";\nexport function any(x, cart: Cart) { x.close(); cart.close(); }\n",
        "(complete)",
    );
    // A whole type and a whole file go by the names of their parts.
    let more = file("src/a.ts", "x.close(); x.close(); x.emptyAll;");
    for whole in ["src/cart.ts#Cart", "src/cart.ts"] {
        assert_eq!(missing(&more, whole), "(incomplete: 3 unresolved uses of close, emptyAll in src/a.ts)");
    }
}

#[test]
fn what_code_from_outside_gives_back_may_be_the_subject() {
    let check = |uses: &str, is_complete: bool| {
        let more = format!(
            "//- src/a.ts\nimport {{ once }} from \"outside\";\nimport {{ Cart }} from \"./cart\";\nimport {{ B }} from \"./b\";\n{uses}\n"
        );
        let known = "//- src/b.ts\nexport class B { close() {} }\nexport function makes(): B { return new B(); }\n";
        assert_eq!(missing(&format!("{more}{known}"), CLOSE) == "(complete)", is_complete, "{uses}");
    };
    check("once(() => new Cart())().close();", false);
    check("const make = once(() => new Cart());\nexport function f() { make().close(); }", false);
    check("once(new Cart()).close();", false);
    check("once<Cart>().close();", false);
    check("once([new Cart()]).first().close();", false);
    check("once(1).map((one) => new Cart()).close();", false);
    check("export function f(x: any) { x.close(); }", false);
    check("export function f(x: unknown) { (x as any).close(); }", false);
    check("once(1).close();", true);
    check("once((n: number): number => n)().close();", true);
    check("export function f(x: string) { x.close(); }", true);

    let go = "//- go.mod\nmodule m\n//- p/p.go\npackage p\n\nimport \"sync\"\n\ntype T struct{}\n\nfunc (t *T) Handle() {}\n\n\
              type S struct{}\n\nfunc (s *S) Handle() {}\n\nvar engine = sync.OnceValue(func() *T { return nil })\n\n\
              func New() { (&T{}).Handle() }\n//- q/q.go\npackage q\n\nimport \"m/p\"\n\nfunc F() { p.New() }\n";
    let uses = "//- p/q.go\npackage p\n\nfunc Any() { engine().Handle() }\n";
    assert_eq!(missing(go, "p/p.go#T.Handle"), "(complete)");
    assert_eq!(missing(&format!("{go}{uses}"), "p/p.go#T.Handle"), "(incomplete: 1 unresolved use of Handle in p/q.go)");

    let python = "//- job.py\nclass Job:\n    def run(self):\n        pass\n    def stop(self):\n        pass\n";
    let uses = "//- go.py\ndef go(job):\n    job.run()\n";
    assert_eq!(missing(python, "job.py#Job.run"), "(complete)");
    assert_eq!(missing(&format!("{python}{uses}"), "job.py#Job.stop"), "(complete)");
    let said = missing(&format!("{python}{uses}"), "job.py#Job.run");
    assert_eq!(
        said, "(incomplete: 1 use of run in go.py on types from outside or unknown may mean it)",
        "whoever has a job need not import it"
    );
}

#[test]
fn an_import_that_leads_nobody_knows_where_may_lead_to_the_subject() {
    let program = "//- apps/tool/app.py\nclass App:\n    pass\ndef make(): return App()\n";
    let by_path = "//- test_a.py\nimport sys\nimport json\ndef test_a():\n    sys.path.append('apps')\n    from tool.app import make\n    make()\n";
    let said = "(incomplete: test_a.py has an import that leads nobody knows where, perhaps here)";
    for id in ["apps/tool/app.py", "apps/tool/app.py#make"] {
        assert_eq!(missing(&format!("{program}{by_path}"), id), said, "{id}");
    }
    assert_eq!(missing(program, "apps/tool/app.py"), "(complete)");
    assert_eq!(
        missing("//- a/json.py\ndef load(): pass\n//- test_a.py\nimport json\njson.load()\n", "a/json.py"),
        "(complete)",
        "the standard library is found first"
    );
}

#[test]
fn in_go_a_package_is_reached_as_a_whole() {
    let repository = |import: &str| {
        format!(
            "//- go.mod\nmodule m\n//- p/a.go\npackage p\n\ntype T struct{{}}\n\nfunc (t T) Stop() {{}}\n//- p/b.go\npackage p\n\nfunc B() {{}}\n\
             //- q/q.go\npackage q\n\nimport \"m/{import}\"\n\nfunc Any() {{ {import}.B(); unknown().Stop() }}\n"
        )
    };
    let other = "//- r/r.go\npackage r\n\nfunc B() {}\n";
    assert_eq!(missing(&repository("p"), "p/a.go#T.Stop"), "(incomplete: 1 unresolved use of Stop in q/q.go)");
    // Who does not reach it may have it behind an interface that is not known.
    let behind = "(incomplete: 1 use of Stop in q/q.go on types from outside or unknown may mean it)";
    assert_eq!(missing(&(repository("r") + other), "p/a.go#T.Stop"), behind);
}

#[test]
fn the_name_in_code_of_other_languages_counts() {
    let check = |more: &str, id: &str, expected: &str| assert_eq!(missing(more, id), expected, "{more}");
    let found = format!("(incomplete: emptyAll stands in {FOREIGN}, not understood)");
    check(&format!("//- {FOREIGN}\nshop.emptyAll()\n"), EMPTY_ALL, &found);
    check(&format!("//- {FOREIGN}\nshop.empty_all()\n"), EMPTY_ALL, &found);
    // So does that in languages of which only definitions are known.
    for path in ["tools/x.rb", "tools/x.tcc"] {
        let found = format!("(incomplete: emptyAll stands in {path}, not understood)");
        check(&format!("//- {path}\nshop.emptyAll()\n"), EMPTY_ALL, &found);
    }
    // A name of one word is any word, unless script imports its file.
    check("//- App.vue\nimport { serve } from './api'\nx.close()\n", CLOSE, "(complete)");
    check(
        "//- App.vue\nimport { Cart } from './cart'\nx.close()\n",
        CLOSE,
        "(incomplete: close stands in App.vue, not understood)",
    );
    check(&format!("//- {FOREIGN}\nclose = require('cart').close\n"), CLOSE, "(complete)");
    // Prose, data, code of others, and what runs programs.
    for path in ["notes.md", "data.csv", &format!("vendor/{FOREIGN}"), "build.sh"] {
        check(&format!("//- {path}\nshop.emptyAll()\n"), EMPTY_ALL, "(complete)");
    }
}

#[test]
fn the_name_in_code_that_was_not_parsed_whole_counts() {
    let check = |more: &str, expected: &str| assert_eq!(missing(more, EMPTY_ALL), expected);
    let found = "(incomplete: emptyAll stands in src/x.ts, not parsed whole)";
    let large = format!("//- src/x.ts\nx.emptyAll();\n{}", "// padding\n".repeat(activate_grammars::MAX_PARSE_BYTES / 10));
    check(&large, found);
    let deep = format!("//- src/x.ts\nx = {}y.emptyAll(){};\n", "[".repeat(2_000), "]".repeat(2_000));
    check(&deep, found);
    let both = "(incomplete: 1 unresolved use of emptyAll in src/x.ts; emptyAll stands in src/x.ts, not parsed whole)";
    check("//- src/x.ts\nimport { serve } from \"./api\";\nfunction ( { x.emptyAll(\n", both);
    check("//- src/x.ts\nimport { serve } from \"./api\";\nfunction ( { // emptyAll\n", "(complete)");
    check("//- src/x.go\npackage x\n\nfunc ( { x.emptyAll(\n", "(complete)");
}

#[test]
fn what_several_parts_lack_is_said_once() {
    let mut known = Completeness { state: State::Complete, reasons: Vec::new() };
    for reason in ["one", "two", "one"] {
        known.lacks(reason.to_owned());
    }
    assert_eq!(known.line(), "incomplete: one; two");
}

#[test]
fn an_ambiguous_link_is_no_settled_use() {
    let other = "//- src/b.ts\nimport { Cart } from \"./cart\";\nexport class B { emptyAll() {} }\nexport function any(x) { x.emptyAll(); }\n";
    assert_eq!(users(other, EMPTY_ALL), "used by: 1 file (incomplete: 1 file uses it only by ambiguous links)");
}

#[test]
fn tests_that_run_the_program_are_not_followed() {
    let crate_of = |folder: &str, main: &str, test: &str| {
        format!(
            "//- {folder}Cargo.toml\n[package]\nname = \"m\"\n//- {folder}src/main.rs\nmod parse;\nmod other;\n{main}\n//- {folder}src/parse.rs\n\
             pub fn parse() {{}}\n//- {folder}src/other.rs\npub fn other() {{}}\n//- {folder}tests/util.rs\n{test}\n\
             //- {folder}tests/all.rs\nmod util;\n#[test]\nfn runs() {{ util::run(); }}\n"
        )
    };
    let main = "fn main() { parse::parse(); other::other(); }";
    let check = |text: &str, id: &str, is_complete: bool| {
        let base = base(text);
        let node = |id: &str| base.node_at(id).unwrap_or_else(|| panic!("no node {id}"));
        let subject = Subject::new(&base, &[node(id)], &[]).expect("code");
        let listed = FxHashSet::default();
        let expected = if is_complete { "complete" } else { "incomplete: tests that run the program are not followed" };
        assert_eq!(subject.of_tests(&listed).line(), expected, "{text}");
        // A list that has the tests that run the program lacks nothing.
        if let Some(test) = base.node_at("tests/all.rs#runs") {
            let listed = std::iter::once(test).collect();
            assert_eq!(subject.of_tests(&listed).line(), "complete", "{text}");
        }
    };
    let runs = "pub fn run() { std::process::Command::new(env!(\"CARGO_BIN_EXE_m\")); }";
    check(&crate_of("", main, runs), "src/parse.rs#parse", false);
    check(&crate_of("", main, "pub fn run() { assert_cmd::Command::cargo_bin(\"m\"); }"), "src/other.rs#other", false);
    let beside = "pub fn run() { Command::new(std::env::current_exe().unwrap().with_file_name(\"m\")); }";
    check(&crate_of("", main, beside), "src/other.rs#other", false);
    check(&crate_of("", main, "pub fn run() { Command::new(\"target/debug/m\"); }"), "src/other.rs#other", false);
    check(&crate_of("", main, "pub fn run() { Command::new(\"git\"); }"), "src/other.rs#other", true);
    check(&crate_of("", main, "// CARGO_BIN_EXE_m\npub fn run() {}"), "src/parse.rs#parse", true);
    check(&crate_of("", "pub fn library() {}", runs), "src/parse.rs#parse", true);
    let by_macro = crate_of("", main, runs).replace("#[test]\nfn runs() { util::run(); }", "make_test!(runs, util::run());");
    check(&by_macro, "src/parse.rs#parse", false);
    // The program of another package.
    let two = crate_of("a/", main, runs) + &crate_of("b/", main, "pub fn run() {}");
    check(&two, "a/src/parse.rs#parse", false);
    check(&two, "b/src/parse.rs#parse", true);

    let go = |test: &str| {
        format!(
            "//- go.mod\nmodule m\n//- p/p.go\npackage p\n\nfunc Parse() {{}}\n//- q/q.go\npackage q\n\nfunc Other() {{}}\n\
             //- cmd/m/main.go\npackage main\n\nimport \"m/p\"\n\nfunc main() {{ p.Parse() }}\n\
             //- e2e/e_test.go\npackage e2e\n\nimport \"testing\"\n\nfunc TestRuns(t *testing.T) {{ {test} }}\n"
        )
    };
    check(&go("exec.Command(\"go\", \"build\", \"m/cmd/m\").Run()"), "p/p.go#Parse", false);
    check(&go("exec.Command(\"go\", \"build\", \"m/cmd/m\").Run()"), "q/q.go#Other", true);
    check(&go("exec.Command(\"git\", \"status\").Run()"), "p/p.go#Parse", true);

    let script = |test: &str| {
        format!(
            "//- package.json\n{{\"name\": \"m\"}}\n//- src/cli.ts\nimport {{ parse }} from \"./parse\";\nparse();\n\
             //- src/parse.ts\nexport function parse() {{}}\n//- test/cli.test.ts\n{test}\nit(\"runs\", () => {{ run([\"../src/cli.ts\"]); }});\n"
        )
    };
    check(&script("import { execFileSync as run } from \"node:child_process\";"), "src/parse.ts#parse", false);
    check(&script("import { run } from \"./run\";"), "src/parse.ts#parse", true);
}

#[test]
fn what_is_not_understood_is_unknown_and_prose_is_nothing_to_ask_about() {
    let large = format!("//- src/x.ts\n{}", "// padding\n".repeat(activate_grammars::MAX_PARSE_BYTES / 10));
    let foreign = format!("//- {FOREIGN}\na = -> 1\n");
    for (more, id, why) in [
        (&foreign, FOREIGN, format!("{FOREIGN} is not in a language that is parsed")),
        (&large, "src/x.ts", "src/x.ts is too large to be parsed".to_owned()),
    ] {
        assert_eq!(lines(more, id), [format!("who uses it and what it uses is unknown: {why}")]);
    }
    assert_eq!(lines("//- README.md\nA shop.\n", "README.md"), [""; 0]);
}

#[test]
fn who_calls_a_method_through_its_interface_uses_it() {
    let go = "//- p/p.go\npackage p\n\ntype Saver interface{ Save() }\n\ntype Disk struct{}\n\nfunc (d *Disk) Save() {}\n\n\
              //- p/q.go\npackage p\n\nfunc Store(s Saver) { s.Save() }\n//- p/q_test.go\npackage p\n\nimport \"testing\"\n\n\
              func TestStore(t *testing.T) { Store(nil) }\n";
    let lines = lines(go, "p/p.go#Disk.Save");
    assert_eq!(lines[0], "used by: 1 file (complete)");
    assert_eq!(lines[1], "called by tests: none found (incomplete: 1 more test reaches it through other code)");
}

#[test]
fn what_stands_in_a_test_counts_for_it() {
    let test = |body: &str| format!("//- x.test.ts\nimport {{ reprice }} from \"./src/cart\";\nit(\"a\", () => {{ {body} }});\n");
    let called = |body: &str, id: &str| lines(&test(body), id).swap_remove(1);
    for body in ["const o = { run() { reprice(); } };", "use({ run: () => { reprice(); } });", "class C { run() { reprice(); } }"]
    {
        assert_eq!(called(body, "src/cart.ts#reprice"), "called by tests: 1 test (complete)", "{body}");
        let more = "called by tests: none found (incomplete: 1 more test reaches it through other code)";
        assert_eq!(called(body, CLOSE), more, "{body}");
    }
}

#[test]
fn who_gives_it_on_uses_it() {
    let check =
        |code: &str, expected: &str| assert_eq!(users(&format!("//- src/index.ts\n{code}\n"), "src/cart.ts#reprice"), expected);
    check("export { reprice } from \"./cart\";", "used by: 1 file (complete)");
    check("export { reprice as price } from \"./cart\";", "used by: 1 file (complete)");
    check("export { Cart } from \"./cart\";", "used by: none found (complete)");
}

#[test]
fn dependencies_are_as_complete_as_the_calls_of_the_file() {
    let of = |code: &str| lines(&format!("//- src/x.ts\nimport {{ serve }} from \"./api\";\n{code}"), "src/x.ts").swap_remove(2);
    let uses = |state: &str| format!("its file uses: 1 file or package ({state})");
    assert_eq!(of("serve();\n"), uses("complete"));
    assert_eq!(
        of("serve();\nexport function f(x) { x.close(); }\n"),
        uses("incomplete: 1 of 2 calls in src/x.ts are unresolved")
    );
    assert_eq!(of("serve();\nfunction ( {\n"), uses("incomplete: src/x.ts could not be parsed whole"));
}

#[test]
fn a_list_lacks_what_it_does_not_name() {
    let tests = "//- src/cart.test.ts\nimport { reprice, Cart } from \"./cart\";\nit(\"a\", () => { reprice(new Cart()); });\nit(\"b\", () => { new Cart().close(); });\n";
    let base = base(&format!("{SHOP}{tests}"));
    let node = |id: &str| base.node_at(id).unwrap_or_else(|| panic!("no node {id}"));
    let close = Subject::new(&base, &[node(CLOSE)], &[]).expect("code");
    let set = |ids: &[&str]| -> FxHashSet<NodeId> { ids.iter().map(|id| node(id)).collect() };
    let users = |ids: &[&str]| close.of_users(Some(&set(ids))).line();
    assert_eq!(users(&["src/cart.ts", "src/api.ts", "src/cart.test.ts"]), "complete");
    assert_eq!(users(&["src/cart.ts", "src/api.ts"]), "incomplete: 1 more user is not listed");
    assert_eq!(users(&["src/cart.ts"]), "incomplete: 2 more users are not listed");
    let tested = |ids: &[&str]| close.of_tests(&set(ids)).line();
    let (a, b) = ("src/cart.test.ts#a", "src/cart.test.ts#b");
    assert_eq!(tested(&["src/cart.test.ts", a, b]), "complete");
    assert_eq!(tested(&["src/cart.test.ts", b]), "incomplete: 1 more test reaches it through other code");
    assert_eq!(tested(&["src/cart.test.ts", a]), "incomplete: 1 more test calls it");
    assert_eq!(tested(&[b]), "incomplete: 1 more test file is named after its file; 1 more test reaches it through other code");
    assert_eq!(tested(&[]), "incomplete: 1 more test calls it; 1 more test reaches it through other code");
}

#[test]
fn what_calls_without_writing_a_name_or_writes_it_where_nothing_is_known_is_said() {
    let shop = |text: &str, id: &str| {
        let base = base(text);
        let node = base.node_at(id).unwrap_or_else(|| panic!("no node {id}"));
        Subject::new(&base, &[node], &[]).map(|subject| subject.summary("")).unwrap_or_default().swap_remove(0)
    };
    let go = "//- go.mod\nmodule m\n//- disk/disk.go\npackage disk\ntype Disk struct{}\nfunc (d Disk) SaveAll() {}\nfunc (d Disk) String() string { return \"\" }\n\
              //- store/store.go\npackage store\ntype saver interface{ SaveAll() }\nfunc Run(s saver) { s.SaveAll() }\n";
    let rust = "//- Cargo.toml\n[package]\nname = \"m\"\n//- src/lib.rs\nmod util;\nmod twice;\n//- src/twice.rs\nmacro_rules! twice { ($e:expr) => { $crate::util::helper_fn($e) } }\n\
                //- src/util.rs\npub fn helper_fn(n: u32) -> u32 { n }\npub struct Sum;\nimpl std::ops::Add for Sum { type Output = Sum; fn add(self, _: Sum) -> Sum { self } }\n";
    let two = "//- Cargo.toml\n[package]\nname = \"m\"\n//- src/lib.rs\nmod util;\nmod twice;\n//- src/twice.rs\nmacro_rules! twice { ($e:expr) => { $crate::util::helper_fn($crate::util::other_fn($e)) } }\n\
               //- src/util.rs\npub fn helper_fn(n: u32) -> u32 { n }\npub fn other_fn(n: u32) -> u32 { n }\n";
    let cases = [
        (go, "disk/disk.go#Disk.SaveAll", "calls of store/store.go#saver.SaveAll may mean it"),
        (go, "disk/disk.go#Disk.String", "the language or its library may call String unwritten"),
        (rust, "src/util.rs#helper_fn", "helper_fn is also written in src/twice.rs, with no known meaning"),
        (two, "src/util.rs", "helper_fn, other_fn are also written in src/twice.rs, with no known meaning"),
        (rust, "src/util.rs#Sum.add", "the language or its library may call add unwritten"),
    ];
    for (text, id, reason) in cases {
        assert!(shop(text, id).contains(&format!("(incomplete: {reason}")), "{id}: {}", shop(text, id));
    }
}

#[test]
fn code_that_is_not_parsed_is_counted_by_its_endings() {
    assert_eq!(unparsed(&base(SHOP)), None);
    let more = "//- a.dart\nx = 1\n//- b.dart\nx = 1\n//- c.nim\nx = 1\n//- d.clj\nx = 1\n//- e.ml\nx = 1\n//- f.txt\ntext\n";
    assert_eq!(
        unparsed(&base(&format!("{SHOP}{more}"))).as_deref(),
        Some("not parsed: files of code in other languages (2 .dart, 1 .clj, 1 .ml, …); what they define is not known")
    );
}

/// A shop in Java of which every use is known.
const JAVA: &str = "\
//- src/main/java/org/shop/Cart.java
package org.shop;
public class Cart {
  public void emptyAll() {}
  public void addLine(String s) {}
  public void addLine(int n) {}
  public String toString() { return \"\"; }
}
//- src/main/java/org/shop/Api.java
package org.shop;
class Api { void serve(Cart cart) { cart.emptyAll(); cart.addLine(1); } }
";

#[test]
fn lists_of_java_are_complete_where_every_use_is_known() {
    let of = |more: &str, id: &str| {
        let base = base(&format!("{JAVA}{more}"));
        let node = base.node_at(&format!("src/main/java/org/shop/Cart.java#Cart.{id}")).unwrap_or_else(|| panic!("no node {id}"));
        Subject::new(&base, &[node], &[]).map(|subject| subject.summary("")).unwrap_or_default().swap_remove(0)
    };
    assert_eq!(of("", "emptyAll"), "used by: 1 file (complete)");
    assert_eq!(of("", "addLine"), "used by: none found (complete)", "the other of its name is called");
    assert_eq!(of("", "~2.addLine"), "used by: 1 file (complete)");
    let implicit = "used by: none found (incomplete: the language or its library may call toString unwritten)";
    assert_eq!(of("", "toString"), implicit);
    // A value of which nothing is known, in a file that neither imports the class nor stands in its package.
    let unknown = "//- web/Page.java\npackage web;\nclass Page extends lib.Base { void f(lib.Box box) { var it = box.of(this); it.emptyAll(); } }\n";
    assert!(of(unknown, "emptyAll").starts_with("used by: 1 file (incomplete: "), "{}", of(unknown, "emptyAll"));
    // Two that an argument of an unknown type may mean.
    let either = "//- src/main/java/org/shop/Page.java\npackage org.shop;\nclass Page { void f(Cart c, lib.Box box) { c.addLine(box.of(this)); } }\n";
    assert!(of(either, "addLine").ends_with("1 file uses it only by ambiguous links)"), "{}", of(either, "addLine"));
    // What a subclass has in its place may be called through the class.
    let sub = "//- src/main/java/org/shop/Own.java\npackage org.shop;\nclass Own extends Cart { public void emptyAll() {} }\n";
    let base = base(&format!("{JAVA}{sub}"));
    let node = base.node_at("src/main/java/org/shop/Own.java#Own.emptyAll").expect("the method");
    let line = Subject::new(&base, &[node], &[]).map(|subject| subject.summary("")).unwrap_or_default().swap_remove(0);
    assert_eq!(line, "used by: 1 file (complete)");
}

#[test]
fn vendored_code_that_imports_the_repository_may_use_it() {
    let go = "//- go.mod\nmodule example.com/tool/v2\n//- core/content/c.go\npackage content\n\nfunc ReadBlob() {}\n";
    let vendored = |import: &str, call: &str| {
        format!("{go}//- vendor/example.org/x/x.go\npackage x\n\nimport \"{import}\"\n\nfunc F() {{ content.{call}() }}\n")
    };
    let uses = vendored("example.com/tool/v2/core/content", "ReadBlob");
    assert_eq!(missing(go, "core/content/c.go#ReadBlob"), "(complete)");
    assert_eq!(
        missing(&uses, "core/content/c.go#ReadBlob"),
        "(incomplete: vendor/example.org/x/x.go is vendored and may use it)"
    );
    for other in [vendored("example.com/tool/v2/core/content", "Other"), vendored("example.org/other/content", "ReadBlob")] {
        assert_eq!(missing(&other, "core/content/c.go#ReadBlob"), "(complete)");
    }
}

#[test]
fn a_text_in_java_may_name_a_method_of_its_file() {
    let class = |annotation: &str| {
        format!("//- T.java\nclass T {{\n  static int rowsOf() {{ return 1; }}\n  {annotation}\n  void m() {{}}\n}}\n")
    };
    assert_eq!(missing(&class(""), "T.java#T.rowsOf"), "(complete)");
    let said = missing(&class("@MethodSource(\"rowsOf\")"), "T.java#T.rowsOf");
    assert_eq!(said, "(incomplete: rowsOf is also written in T.java, with no known meaning)");
}

#[test]
fn tests_of_what_serves_a_route_are_never_all_known() {
    let app = "//- app.py\nfrom flask import Flask\napp = Flask(__name__)\n@app.get(\"/login\")\ndef login():\n    return helper()\ndef helper():\n    return 1\n";
    let tests = |id: &str| lines(app, id).swap_remove(1);
    assert!(
        tests("app.py#login").contains("it serves a route, and whoever knows its path may ask for it"),
        "{}",
        tests("app.py#login")
    );
    assert_eq!(tests("app.py#helper"), "called by tests: none found (complete)");
}
