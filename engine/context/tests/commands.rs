//! By which commands tests are run: those of their language, and only such as exist.

use super::under;
use super::world::{Scene, World};
use crate::activation::{Reason, Role};
use activate_rules::atoms::NodeId;

/// The commands for all tests of a repository, without their reasons.
fn commands(files: &[(&str, &str)]) -> Vec<String> {
    let world = World::new(files);
    let mut scene = Scene::new(&world, "test all");
    let symbols = (world.base.n_files()..world.base.n_files() + world.base.n_symbols()).map(NodeId);
    for symbol in symbols {
        scene.add(&world.base.id(symbol), 80_000, Role::Test, Reason::Failure);
    }
    let context = scene.context(80_000);
    let commands = under(&context, "TESTS TO RUN:").into_iter();
    commands.map(|line| line.trim_start_matches("  - ").trim_end_matches(" (fails now)").to_owned()).collect()
}

#[test]
fn go_tests_are_run_by_package_and_name() {
    let test = "package a\n\nfunc TestX(t *testing.T) {\n\tt.Run(\"empty token\", func(t *testing.T) {})\n}\n";
    assert_eq!(commands(&[("svc/go.mod", "module a\n"), ("svc/a/a_test.go", test)]), ["cd svc && go test ./a -run '^TestX$'"]);
    assert_eq!(commands(&[("a/a_test.go", test)]), [""; 0]);
}

#[test]
fn rust_tests_are_run_by_the_target_that_they_belong_to() {
    let test = "#[test]\nfn works() {}\n";
    let package = ("Cargo.toml", "[package]\nname = \"a\"\n");
    let of = |manifest: &str, files: &[&str]| -> Vec<String> {
        let mut all = vec![("Cargo.toml", manifest)];
        all.extend(files.iter().map(|path| (*path, test)));
        commands(&all)
    };
    for (files, expected) in [
        (&["src/lib.rs"][..], &["cargo test -p a --lib works"][..]),
        (&["src/main.rs", "src/x.rs"], &["cargo test -p a --bin a works"]),
        (&["tests/api.rs"], &["cargo test -p a --test api works"]),
        (&["tests/all/main.rs", "tests/all/x.rs"], &["cargo test -p a --test all works"]),
        // A module that several tests may share, and code that no target is known to hold.
        (&["tests/common/mod.rs"], &["cargo test -p a --tests works"]),
        (&["old/x.rs"], &[]),
        (&["src/bin/tool.rs"], &["cargo test -p a --bin tool works"]),
    ] {
        assert_eq!(of(package.1, files), expected, "{files:?}");
    }
    let named = "[package]\nname = \"a\"\nautotests = false\n[lib]\npath = \"engine/lib.rs\"\n[[bin]]\nname = \"rg\"\npath = \
                 \"core/main.rs\"\n[[test]]\nname = \"integration\"\npath = \"tests/tests.rs\"\n";
    let files = ["core/main.rs", "core/x/y.rs", "engine/lib.rs", "engine/z.rs", "tests/feature.rs", "tests/tests.rs"];
    assert_eq!(
        of(named, &files),
        ["cargo test -p a --bin rg works", "cargo test -p a --lib works", "cargo test -p a --test integration works",]
    );
}

#[test]
fn a_rust_package_is_named_from_the_root_only_where_the_root_has_it_as_a_member() {
    let test = "#[test]\nfn works() {}\n";
    let of = |root: &str| {
        commands(&[("Cargo.toml", root), ("crates/b/Cargo.toml", "[package]\nname = \"b\"\n"), ("crates/b/src/lib.rs", test)])
    };
    assert_eq!(of("[workspace]\nmembers = [\"crates/*\"]\n"), ["cargo test -p b --lib works"]);
    let alone = ["cd crates/b && cargo test --lib works"];
    assert_eq!(of("[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/b\"]\n"), alone);
    assert_eq!(of("[package]\nname = \"a\"\n"), alone);
    assert_eq!(of("this is no manifest"), alone);
}

#[test]
fn script_tests_are_run_by_a_runner_or_script_that_a_manifest_has() {
    let test = "describe(\"login\", () => {\n  it(\"isn't (empty)\", () => {});\n});\n";
    let of = |root: &str, own: &str| commands(&[("package.json", root), ("web/package.json", own), ("web/src/x.test.ts", test)]);
    let vitest = r#"{"devDependencies": {"vitest": "3"}}"#;
    let titles = r"'login|login isn'\''t \(empty\)'";
    assert_eq!(of("{}", vitest), [format!("cd web && npx vitest run src/x.test.ts -t {titles}")]);
    assert_eq!(of(vitest, "{}"), [format!("npx vitest run web/src/x.test.ts -t {titles}")]);
    assert_eq!(of(r#"{"dependencies": {"mocha": "9"}}"#, "{}"), [format!("npx mocha web/src/x.test.ts -g {titles}")]);
    let node = r#"{"scripts": {"test": "node --test"}}"#;
    assert_eq!(of("{}", node), ["cd web && npm test"]);
    assert_eq!(of(vitest, node), ["cd web && npm test"]);
    assert_eq!(of(node, "{}"), ["npm test"]);
    assert_eq!(of(vitest, r#"{"scripts": {"test": "vitest run"}}"#), [format!("npx vitest run web/src/x.test.ts -t {titles}")]);
    // There is nothing to run: no script at all, another script, a script of no use, a script that is none, no readable manifest.
    let placeholder = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
    for own in [
        "{}",
        r#"{"scripts": {"lint": "eslint ."}}"#,
        placeholder,
        r#"{"scripts": {"test": 1}}"#,
        r#"{"scripts": []}"#,
        "[]",
        "{",
    ] {
        assert_eq!(of("{}", own), [""; 0], "{own}");
    }
    assert_eq!(commands(&[("x.test.ts", test)]), [""; 0]);
}
