//! From code to its tests and from tests to their commands: repositories in, lines out.

use super::{FactBase, Reach, TestMap, Traits};
use crate::fixture::base;
use activate_rules::atoms::NodeId;

/// The tests that reach a node, a line each: how, through what, how sure.
fn reaching(base: &FactBase, id: &str) -> String {
    let node = base.node_at(id).unwrap_or_else(|| panic!("no node {id}"));
    let local = |node: NodeId| base.symbol(node).map_or_else(|| base.id(node), |row| row.local_id.to_owned());
    let lines = TestMap::new(base).reaching(node).into_iter().map(|reaching| {
        let through = reaching.through.iter().map(|node| format!(" > {}", local(*node))).collect::<Vec<_>>().concat();
        let calls = if reaching.reach == Reach::Transitive { format!(" {}", reaching.n_calls) } else { String::new() };
        format!("{}{through}: {}{calls}, {}", local(reaching.test), reaching.reach.word(), reaching.confidence.name())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The command of every test.
fn commands(base: &FactBase) -> Vec<String> {
    let tests = base.files().flat_map(|file| base.symbols_of(file).map(NodeId));
    let tests = tests.filter(|node| base.symbol(*node).is_some_and(|row| row.traits.has(Traits::TEST)));
    let command = |test: NodeId| base.test_command(&base.runner(base.file_of(test))?, &[test]);
    tests.map(|test| command(test).unwrap_or_else(|| "none".to_owned())).collect()
}

#[test]
fn a_test_reaches_what_it_calls_and_what_that_calls() {
    let base = base(
        "\
//- go.mod
module m
//- a.go
package m

func parse() {}
func check() { parse() }
func Validate() { check() }
func Login() { Validate() }
func Serve() { Login() }
func Main() { Serve() }
func unused() {}

type Store interface{ Get(); Put() }
type disk struct{}
func (d disk) Get() {}
func (d disk) Put() {}
func Read(s Store) { s.Get() }
//- a_test.go
package m

func helper() { parse() }
func TestParse(t *testing.T) { parse() }
func TestValidate(t *testing.T) {
	t.Run(\"empty\", func(t *testing.T) { Validate() })
}
func TestHelped(t *testing.T) { helper() }
func TestFar(t *testing.T) { Main() }
func TestNamed(t *testing.T) { run(check) }
func TestRead(t *testing.T) { Read(disk{}) }
func TestGet(t *testing.T) { disk{}.Get() }
//- b_test.go
package m

func TestOther(t *testing.T) {}
",
    );
    assert_eq!(
        reaching(&base, "a.go#parse"),
        "TestParse: direct, exact\nTestHelped > helper: transitive 2, exact\nTestNamed > check: transitive 2, exact\n\
         TestValidate.empty > Validate > check: transitive 3, exact"
    );
    assert_eq!(reaching(&base, "a.go#check"), "TestNamed: direct, exact\nTestValidate.empty > Validate: transitive 2, exact");
    // Through the interface as well as by itself.
    assert_eq!(reaching(&base, "a.go#disk.Get"), "TestGet: direct, qualified\nTestRead > Read > Store.Get: transitive 2, unique");
    assert_eq!(reaching(&base, "a.go#unused"), "a_test.go: same_package, exact\nb_test.go: same_package, exact");
    assert_eq!(reaching(&base, "a.go"), "a_test.go: named_after, exact");
}

#[test]
fn of_tests_that_only_stand_beside_it_those_that_share_most_with_it_come_first() {
    let base = base(
        "\
//- go.mod
module m
//- cart.go
package m

func Sell() {}
func priceOf() {}
//- a_test.go
package m

func TestA(t *testing.T) {}
//- b_price_test.go
package m

func TestB(t *testing.T) {}
//- c_test.go
package m

func TestC(t *testing.T) { Sell() }
",
    );
    let beside = |files: [&str; 3]| files.map(|file| format!("{file}: same_package, exact")).join("\n");
    assert_eq!(reaching(&base, "cart.go#priceOf"), beside(["c_test.go", "b_price_test.go", "a_test.go"]));
}

#[test]
fn what_a_test_defines_belongs_to_it_and_what_a_group_defines_to_none_of_its_tests() {
    let base = base(
        "\
//- package.json
{}
//- a.ts
export function parse() {}
export function sign() {}
export function open() {}
//- a.test.ts
import { parse, sign, open } from \"./a\";
describe(\"a\", () => {
  function shared() { parse(); }
  beforeEach(() => open());
  it(\"uses what is shared\", () => shared());
  it(\"defines\", () => { function own() { sign(); } own(); });
});
",
    );
    assert_eq!(reaching(&base, "a.ts#parse"), "a.uses what is shared > a.shared: transitive 2, exact");
    assert_eq!(reaching(&base, "a.ts#sign"), "a.defines: direct, exact");
    assert_eq!(reaching(&base, "a.ts#open"), "a: direct, exact");
}

#[test]
fn code_of_others_is_not_what_a_test_tests() {
    let base = base(
        "\
//- go.mod
module m
//- a_test.go
package m

import \"example.com/assert\"

func TestA(t *testing.T) { assert.Equal(1, 1) }
//- vendor/example.com/assert/assert.go
package assert

func Equal(a, b int) {}
",
    );
    let equal = base.node_at("vendor/example.com/assert/assert.go#Equal").expect("a node");
    assert_eq!(base.tests_of(equal), []);
}

#[test]
fn a_rust_test_is_named_by_the_modules_that_lead_to_it() {
    let base = base(
        "\
//- Cargo.toml
[package]
name = \"a\"
[workspace]
members = [\"crates/*\"]
//- src/lib.rs
mod auth;
#[path = \"other.rs\"]
mod renamed;
mod inline {
    mod deep;
    #[test]
    fn works() {}
}
#[test] fn works() {}
//- src/auth/mod.rs
mod login;
//- src/auth/login.rs
#[cfg(test)]
mod tests {
    #[test]
    #[ignore]
    fn works() {}
}
//- src/inline/deep.rs
#[test] fn works() {}
//- src/main.rs
#[test] fn works() {}
//- src/nowhere.rs
#[test] fn works() {}
//- src/other.rs
#[test] fn works() {}
//- tests/all/main.rs
mod part;
//- tests/all/part.rs
#[test] fn works() {}
//- crates/b/Cargo.toml
[package]
name = \"b\"
[[test]]
name = \"own\"
harness = false
[[bin]]
name = \"tool\"
path = \"tool.rs\"
required-features = [\"cli\"]
//- crates/b/tests/own.rs
#[test] fn works() {}
//- crates/b/tool.rs
#[test] fn works() {}
//- outside/Cargo.toml
[package]
name = \"c\"
//- outside/src/lib.rs
#[test] fn works() {}
",
    );
    assert_eq!(
        commands(&base),
        [
            "none",
            "cargo test -p b --bin tool --features cli -- --exact works",
            "cd outside && cargo test --lib -- --exact works",
            "cargo test -p a --lib -- --exact --include-ignored auth::login::tests::works",
            "cargo test -p a --lib -- --exact inline::deep::works",
            "cargo test -p a --lib -- --exact inline::works",
            "cargo test -p a --lib -- --exact works",
            "cargo test -p a --bin a -- --exact works",
            "none",
            "cargo test -p a --lib -- --exact renamed::works",
            "cargo test -p a --test all -- --exact part::works",
        ]
    );
}

#[test]
fn a_name_that_holds_a_secret_stands_in_no_command() {
    let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).split_at(36).0);
    let base = base(&format!(
        "//- go.mod\nmodule m\n//- a_test.go\npackage m\n\nfunc TestA(t *testing.T) {{\n\tt.Run(\"{secret}\", func(t *testing.T) {{}})\n}}\n"
    ));
    assert_eq!(commands(&base), ["go test . -run '^TestA$'", "none"]);
}

#[test]
fn overloads_of_all_methods_are_found_in_one_pass_over_their_files() {
    let n = 300;
    let each = |class: &str| {
        let methods = (0..n).map(|at| format!("void f(T{at} t) {{}} void g{at}() {{}}\n")).collect::<Vec<_>>().concat();
        format!("class {class} {{ {methods} }}\n")
    };
    let base = base(&format!("//- A.java\n{}{}//- a.py\nclass A:\n  def f(self): 0\n  def f(self): 0\n", each("A"), each("B")));
    let nodes: Vec<NodeId> = base.files().flat_map(|file| base.symbols_of(file).map(NodeId)).collect();
    let (all, n_steps) = work::done_by(|| base.all_overloads(nodes.iter().copied()));
    assert_eq!(n_steps, 4 * n);
    let sizes: Vec<usize> = all.values().map(Vec::len).filter(|n| *n > 1).collect();
    assert_eq!(sizes, [n as usize; 2]);
    assert!(all.iter().all(|(first, overloads)| base.overloads(*first) == *overloads));
}
