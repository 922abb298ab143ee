//! Checks of repositories made of a few manifests and paths.

use super::LANGUAGE;
use crate::check::{Check, lines};
use crate::project::Manifest;

const BOTH: &str = r#"{"devDependencies": {"typescript": "5", "vitest": "4"}}"#;
const ROOT: &str = r#"{"workspaces": ["web/*"], "devDependencies": {"typescript": "5", "vitest": "4", "eslint": "9"}}"#;

/// The checks, without the words that all have in common.
fn checks(manifests: &[(&str, &str)], others: &[&str]) -> Vec<String> {
    let short = |line: &str| {
        let line = line.replace("npx --no-install ", "").replace(" --pretty false", "").replace(" --reporter=default", "");
        line.replace(" -f json .", "").replace(" --json", "")
    };
    lines(&LANGUAGE, manifests, others).lines().map(short).collect()
}

#[test]
fn a_package_is_checked_by_the_tools_it_depends_on() {
    let manifest = r#"{
        "devDependencies": {"typescript": "5", "eslint": "9", "vitest": "4", "jest": "30"},
        "scripts": {"test": "npm run a && npm run b", "test:a": "vitest run", "test:b": "jest"}
    }"#;
    let others = ["eslint.config.mjs", "vitest.config.mts", "jest.config.js"];
    let all = "\
build: npx --no-install tsc --noEmit --pretty false
lint: npx --no-install eslint -f json .
test: npx --no-install jest --json
test: npx --no-install vitest run --reporter=default
";
    assert_eq!(lines(&LANGUAGE, &[("package.json", manifest), ("tsconfig.json", "{}")], &others), all);
    // Without a configuration there is nothing that the compiler and ESLint would take.
    assert_eq!(checks(&[("package.json", manifest)], &[]), ["test: jest", "test: vitest run"]);
    // Without the tool there is nothing to call.
    let none = r#"{"dependencies": {"left-pad": "1"}, "jest": {}, "eslintConfig": {}}"#;
    assert_eq!(checks(&[("package.json", none), ("tsconfig.json", "{}")], &others), [""; 0]);
    let inline = r#"{"devDependencies": {"eslint": "8"}, "eslintConfig": {}}"#;
    assert_eq!(checks(&[("a/package.json", inline)], &[]), ["lint: cd a && eslint"]);
}

#[test]
fn other_runners_are_called_by_the_script_and_the_program_of_the_lock_file() {
    let script = r#"{"scripts": {"test": "node --test"}}"#;
    let of = |locks: &[&str]| checks(&[("a/package.json", script)], locks);
    assert_eq!(of(&[]), ["test: cd a && npm test"]);
    assert_eq!(of(&["pnpm-lock.yaml"]), ["test: cd a && pnpm test"]);
    assert_eq!(of(&["pnpm-lock.yaml", "a/yarn.lock"]), ["test: cd a && yarn test"]);
    assert_eq!(of(&["a/bun.lock"]), ["test: cd a && bun run test"]);
    for nothing in
        ["{}", r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#, r#"{"scripts": []}"#, "[]", "{"]
    {
        assert_eq!(checks(&[("package.json", nothing)], &[]), [""; 0], "{nothing}");
    }
}

#[test]
fn what_a_package_depends_on_is_installed_by_the_program_of_the_nearest_lock_file() {
    let of = |manifests: &[(&str, &str)], locks: &[&str]| {
        let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
        let exists = |path: &str| locks.contains(&path);
        let checks = (LANGUAGE.project.load)(&manifests, &exists).checks(&exists);
        let install = |check: &Check| check.install.as_ref().map_or("nothing".to_owned(), |install| install.command.clone());
        checks.iter().map(install).collect::<Vec<_>>()
    };
    let vitest = r#"{"devDependencies": {"vitest": "4"}}"#;
    assert_eq!(of(&[("a/package.json", vitest)], &[]), ["cd a && npm install"]);
    assert_eq!(of(&[("a/package.json", vitest)], &["a/package-lock.json"]), ["cd a && npm ci"]);
    assert_eq!(of(&[("a/package.json", vitest)], &["pnpm-lock.yaml"]), ["pnpm install"]);
    assert_eq!(of(&[("a/package.json", vitest)], &["deno.lock"]), ["nothing"]);
    let member = r#"{"scripts": {"test": "vitest run"}}"#;
    assert_eq!(of(&[("package.json", ROOT), ("web/a/package.json", member)], &[]), ["npm install"]);
    let script = |more: &str| format!(r#"{{"scripts": {{"test": "node --test"}}{more}}}"#);
    assert_eq!(of(&[("package.json", &script(""))], &[]), ["nothing"]);
    assert_eq!(of(&[("package.json", &script(r#", "dependencies": {}"#))], &[]), ["nothing"]);
    assert_eq!(of(&[("package.json", &script(r#", "dependencies": {"x": "1"}"#))], &["yarn.lock"]), ["yarn install"]);
}

#[test]
fn the_test_script_decides_before_what_a_package_depends_on() {
    let of = |script: &str, others: &[&str]| {
        let manifest = format!(r#"{{"devDependencies": {{"vitest": "4"}}, "scripts": {{"test": "{script}"}}}}"#);
        checks(&[("package.json", &manifest)], others)
    };
    assert_eq!(of("bun test", &["bun.lock", "vite.config.ts"]), ["test: bun run test"]);
    assert_eq!(of("deno test -A", &["deno.lock"]), ["test: deno task test"]);
    assert_eq!(of("node --import tsx --test src/*.test.ts", &[]), ["test: npm test"]);
    assert_eq!(of("nyc ./node_modules/.bin/mocha", &["pnpm-lock.yaml"]), ["test: pnpm test"]);
    assert_eq!(of("playwright test", &["vitest.config.ts"]), ["test: npm test"]);
    // A linter runs no tests.
    let linted = |script: &str| {
        let depends = r#"{"vitest": "4", "jest": "30", "eslint": "9"}"#;
        let manifest = format!(r#"{{"devDependencies": {depends}, "scripts": {{"test": "{script}"}}}}"#);
        checks(&[("package.json", &manifest)], &["bun.lock"])
    };
    for script in ["eslint . && bun test", "eslint . && mocha"] {
        assert_eq!(linted(script), ["test: bun run test"], "{script}");
    }
    // Who is not known decides nothing, and neither does what stands beside a tool.
    for vitest in ["./run-tests.sh", "vitest run && playwright test", "bun run vitest", "bun --bun vitest test"] {
        assert_eq!(of(vitest, &["bun.lock"]), ["test: vitest run"], "{vitest}");
    }
    let both = r#"{"devDependencies": {"vitest": "4"}, "scripts": {"test": "bun test", "test:web": "vitest run"}}"#;
    assert_eq!(checks(&[("package.json", both)], &["bun.lock"]), ["test: bun run test", "test: vitest run"]);
    // Also where the workspace has another runner.
    let member = r#"{"scripts": {"test": "bun test"}}"#;
    let workspace = [("package.json", ROOT), ("web/a/package.json", member)];
    assert_eq!(checks(&workspace, &["bun.lock", "vitest.config.ts"]), ["test: vitest run", "test: cd web/a && bun run test"]);
}

#[test]
fn what_runs_at_the_root_of_a_workspace_is_not_repeated_in_its_packages() {
    let script = r#"{"scripts": {"test": "vitest run"}}"#;
    let manifests = [("package.json", ROOT), ("web/a/package.json", script), ("web/b/package.json", BOTH)];
    assert_eq!(checks(&manifests, &["vitest.config.ts"]), ["test: vitest run"]);
    // What has a configuration of its own is not run with that of the root.
    assert_eq!(
        checks(&manifests, &["vitest.config.ts", "web/b/vite.config.ts"]),
        ["test: vitest run", "test: cd web/b && vitest run"]
    );
    // The root has the runner for those that say they use it.
    assert_eq!(checks(&manifests, &[]), ["test: cd web/a && vitest run", "test: cd web/b && vitest run"]);
    assert_eq!(checks(&[("package.json", ROOT), ("web/b/package.json", BOTH)], &[]), ["test: vitest run"]);
    // One that the workspace does not list has nothing of the root.
    assert_eq!(
        checks(&[("package.json", ROOT), ("docs/package.json", script)], &[]),
        ["test: vitest run", "test: cd docs && npm test"]
    );
    let lint = |member: &str| {
        checks(&[("package.json", ROOT), ("web/a/package.json", "{}")], &["eslint.config.js", member, "vite.config.ts"])
    };
    assert_eq!(lint("web/a/.eslintrc.json"), ["lint: eslint", "test: vitest run"]);
    assert_eq!(lint("web/a/eslint.config.js"), ["lint: eslint", "lint: cd web/a && eslint", "test: vitest run"]);
}

#[test]
fn a_script_that_hands_over_to_packages_is_not_run_beside_them() {
    let root = |script: &str| format!(r#"{{"workspaces": ["web/*"], "scripts": {{"test": "{script}"}}}}"#);
    let member = r#"{"scripts": {"test": "node --test"}}"#;
    let of = |script: &str, member: &str| checks(&[("package.json", &root(script)), ("web/a/package.json", member)], &[]);
    assert_eq!(of("turbo run test", member), ["test: cd web/a && npm test"]);
    assert_eq!(of("turbo run test", "{}"), ["test: npm test"]);
    assert_eq!(of("node --test", member), ["test: npm test", "test: cd web/a && npm test"]);
}

#[test]
fn configurations_of_the_compiler_are_built_as_they_belong_together() {
    let builds = |configs: &[(&str, &str)]| {
        let packages = [("package.json", ROOT), ("web/a/package.json", "{}"), ("web/b/package.json", "{}")];
        let found = checks(&[&packages[..], configs].concat(), &[]);
        found.into_iter().filter_map(|line| line.strip_prefix("build: ").map(str::to_owned)).collect::<Vec<_>>()
    };
    let own = r#"{"include": ["src"]}"#;
    assert_eq!(builds(&[("web/a/tsconfig.json", own), ("tsconfig.json", own)]), ["tsc --noEmit", "cd web/a && tsc --noEmit"]);
    // One that refers to others and takes no file builds them, as far as its references lead.
    let solution = r#"{"files": [], "references": [{"path": "./web/a"}, {"path": "./tsconfig.node.json"}]}"#;
    let further = r#"{"include": ["src"], "references": [{"path": "../b/tsconfig.json"}]}"#;
    assert_eq!(
        builds(&[("tsconfig.json", solution), ("web/a/tsconfig.json", further), ("web/b/tsconfig.json", own)]),
        ["tsc -b"]
    );
    // One that only others take from would take all of their files.
    let taking = r#"{"extends": "../../tsconfig.json"}"#;
    assert_eq!(builds(&[("tsconfig.json", "{}"), ("web/a/tsconfig.json", taking)]), ["cd web/a && tsc --noEmit"]);
    assert_eq!(
        builds(&[("tsconfig.json", "{}"), ("web/a/tsconfig.json", r#"{"extends": "../../tsconfig"}"#)]),
        ["cd web/a && tsc --noEmit"]
    );
    let from_base = r#"{"extends": "../../tsconfig.base.json"}"#;
    assert_eq!(
        builds(&[("tsconfig.json", "{}"), ("web/a/tsconfig.json", from_base)]),
        ["tsc --noEmit", "cd web/a && tsc --noEmit"]
    );
    assert_eq!(
        builds(&[("tsconfig.json", "{}"), ("test/tsconfig.json", r#"{"extends": "../tsconfig.json"}"#)]),
        ["tsc --noEmit"]
    );
    let inner = r#"{"files": [], "references": [{"path": "src"}, {"path": "../b"}]}"#;
    let outer = r#"{"files": [], "references": [{"path": "./web/a"}, {"path": "gone"}]}"#;
    assert_eq!(builds(&[("tsconfig.json", outer), ("web/a/tsconfig.json", inner), ("web/b/tsconfig.json", own)]), ["tsc -b"]);
    // References that lead in a circle end.
    let circle = r#"{"files": [], "references": [{"path": "."}, {"path": "web/a"}, {"path": "../.."}]}"#;
    assert_eq!(builds(&[("tsconfig.json", circle)]), ["tsc -b"]);
}
