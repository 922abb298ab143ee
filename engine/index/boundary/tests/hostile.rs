//! What nobody writes by hand: many of everything. What it costs is a small number of facts.

use super::{check_only, listing};

fn repeat(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

/// How many facts begin with a word.
fn count(repository: &str, word: &str) -> usize {
    listing(repository).lines().filter(|line| line.split_once(' ').is_some_and(|(first, _)| first == word)).count()
}

#[test]
fn names_that_no_module_is_known_to_have_are_looked_for_so_many_times() {
    const N: usize = 1_500;
    let all = repeat(N, |n| format!("from a{n} import *\n"));
    let calls = repeat(N, |n| format!("    x{n}()\n"));
    let repository = format!("//- pyproject.toml\n[project]\nname = \"app\"\n//- app/__init__.py\n{all}\ndef main():\n{calls}");
    let n_calls = count(&repository, "call");
    assert!((N..4 * N).contains(&n_calls), "{n_calls} of the first names, each of four modules");
}

#[test]
fn of_long_tuples_the_first_parts_are_told_apart() {
    const N: usize = 500;
    let parts = repeat(N, |_| "A, ".to_owned());
    let functions = repeat(N, |n| format!("pub fn f{n}() -> B {{}}\n"));
    let repository = format!(
        "//- Cargo.toml\n[package]\nname = \"app\"\nversion = \"1.0.0\"\n//- src/lib.rs\npub struct A;\npub type B = ({parts});\n{functions}"
    );
    assert_eq!(count(&repository, "type"), 64 * N);
}

#[test]
fn wrappers_of_wrappers_end() {
    const N: usize = 3_000;
    let aliases = repeat(N, |n| format!("pub type A{} = Arc<A{n}>;\npub fn f{n}(a: A{n}) {{ a.get().end(); }}\n", n + 1));
    let repository = format!(
        "//- Cargo.toml\n[package]\nname = \"app\"\nversion = \"1.0.0\"\n[dependencies]\ntriomphe = \"1\"\n//- src/lib.rs\nuse triomphe::Arc;\npub struct A0;\n{aliases}"
    );
    assert!(count(&repository, "call") >= N, "each asks for a member of a wrapper");
}

#[test]
fn manifests_that_name_without_end_name_nothing() {
    let stars = "*".repeat(600);
    let long = "a".repeat(600);
    check_only(
        &["package", "module", "import"],
        &format!(
            "\
//- one/package.json
{{ \"name\": \"one\", \"exports\": {{ \"./{stars}\": \"./src/*.js\", \"./**\": \"./src/**.js\", \"./a/*\": \"./src/{stars}*.js\", \"./b/*\": \"./src/*.js\" }} }}
//- one/src/kit.js
export const one = 1
//- two/package.json
{{ \"name\": \"{long}\" }}
//- two/index.js
export const two = 2
//- go.mod
module example.org/{long}
//- a.go
package a
//- three/go.mod
module example.org/three

replace example.org/four => example.org/{long} v1.0.0
//- three/three.go
package three

import \"example.org/four\"
"
        ),
        "
package go example.org/three - in \"three\"
package npm one - in \"one\"
module npm one/b/kit is one/src/kit.js
module go example.org/three is three/three.go
import three/three.go:3 in \"\": <go example.org/four>
",
    );
}
