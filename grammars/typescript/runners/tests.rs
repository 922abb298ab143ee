//! Commands of tests of TypeScript, from the text of manifests.

use super::*;

/// The command for a file, in a repository of these manifests and other files, those of JSON with their text: `jest.json: {}`.
fn line(manifests: &[(&str, &str)], others: &[&str], file: &str, imports: &[&str]) -> String {
    let mut packages: Vec<Package> = manifests
        .iter()
        .map(|(folder, text)| {
            let manifest = serde_json::from_str(text).expect("a manifest");
            let jests = others.iter().filter_map(|other| other.split_once(": "));
            let jests = jests.map(|(path, text)| (path.to_owned(), serde_json::from_str(text).expect("JSON"))).collect();
            Package::new(&format!("{folder}/package.json"), &manifest, &[], &|path| others.contains(&path), &jests)
        })
        .collect();
    packages.sort_by_key(|package| std::cmp::Reverse(package.folder.len()));
    let around = packages.iter().filter(|package| crate::project::is_below(file, &package.folder));
    // What a test file defines is asked of a file of another name alone.
    let found = runner(around, &TestFile { path: file, root: None, imports, has_tests: !file.ends_with("helper.ts") });
    found.map_or_else(|| "none".to_owned(), |runner| format!("{} {:?}", runner.line(""), runner.naming))
}

#[test]
fn a_file_is_run_by_the_tool_that_a_manifest_depends_on() {
    let of = |manifest: &str, file: &str| line(&[("web", manifest)], &[], file, &[]);
    let vitest = r#"{"devDependencies": {"vitest": "3"}}"#;
    assert_eq!(of(vitest, "web/src/a.test.ts"), "cd web && npx vitest run src/a.test.ts Titles");
    assert_eq!(of(vitest, "web/src/it's.spec.ts"), r"cd web && npx vitest run 'src/it'\''s.spec.ts' Titles");
    // Vitest without a configuration runs no other files, and no tests of types.
    assert_eq!(of(vitest, "web/__tests__/a.ts"), "none");
    assert_eq!(of(vitest, "web/a.test-d.ts"), "none");
    let with_config = |file: &str| line(&[("", vitest)], &["vite.config.ts"], file, &[]);
    assert_eq!(with_config("__tests__/a.ts"), "npx vitest run __tests__/a.ts Titles");
    assert_eq!(with_config("test/helper.ts"), "none");
    assert_eq!(with_config("test/a.test.helper.ts"), "npx vitest run test/a.test.helper.ts Titles");
    let jest = r#"{"dependencies": {"jest": "30"}}"#;
    assert_eq!(of(jest, "web/__tests__/[a].js"), "cd web && npx jest --runTestsByPath '__tests__/[a].js' Titles");
    assert_eq!(of(r#"{"devDependencies": {"mocha": "11"}}"#, "web/test/-a.js"), "cd web && npx mocha test/-a.js GrepTitles");
    assert_eq!(of("{}", "web/a.test.ts"), "none");
    assert_eq!(of(vitest, "web/node_modules/a/a.test.ts"), "none");
}

#[test]
fn benchmarks_of_vitest_are_measured() {
    let of = |manifest: &str, file: &str, imports: &[&str]| line(&[("web", manifest)], &[], file, imports);
    let vitest = r#"{"devDependencies": {"vitest": "3"}, "scripts": {"test": "vitest run -c ci.config.ts src"}}"#;
    let measured = "cd web && npx vitest bench --run -c ci.config.ts perf/a.bench.ts BenchTitles";
    assert_eq!(of(vitest, "web/perf/a.bench.ts", &["vitest"]), measured);
    assert_eq!(of(vitest, "web/perf/a.bench.ts", &["./tokens"]), "none");
    let jest = r#"{"devDependencies": {"jest": "30"}, "scripts": {"test": "jest"}}"#;
    assert_eq!(of(jest, "web/perf/a.bench.ts", &["vitest"]), "none");
    assert_eq!(of(vitest, "web/src/a.test.ts", &["vitest"]), "cd web && npx vitest run -c ci.config.ts src/a.test.ts Titles");
}

#[test]
fn what_a_script_needs_for_every_file_is_kept() {
    let of = |tool: &str, script: &str| {
        let manifest = format!(r#"{{"devDependencies": {{"{tool}": "1"}}, "scripts": {{"test": {script:?}}}}}"#);
        line(&[("", &manifest)], &[], "a.test.ts", &[])
    };
    assert_eq!(
        of("mocha", "tsc && NODE_ENV=test mocha -r ts-node/register --recursive 'test/**/*.ts' && echo ok"),
        "NODE_ENV=test npx mocha -r ts-node/register a.test.ts GrepTitles"
    );
    assert_eq!(
        of("jest", "cross-env NODE_OPTIONS=\"--experimental-vm-modules -C a\" npx jest --config=jest.ci.js --coverage"),
        "NODE_OPTIONS='--experimental-vm-modules -C a' npx jest --runTestsByPath --config jest.ci.js a.test.ts Titles"
    );
    // Nothing of a script is taken as it is.
    assert_eq!(of("vitest", "vitest -c '$(rm -rf ~)'"), "npx vitest run -c '$(rm -rf ~)' a.test.ts Titles");
    assert_eq!(of("vitest", "a=b vitest -c"), "npx vitest run a.test.ts Titles");
}

#[test]
fn a_file_is_run_with_the_configuration_that_takes_it() {
    let nest = r#"{"devDependencies": {"jest": "30"}, "jest": {"rootDir": "src", "testRegex": "\\.spec\\.ts$"},
        "scripts": {"test": "jest", "test:cov": "jest --coverage", "test:e2e": "X=1 jest --config ./test/jest-e2e.json"}}"#;
    let e2e = r#"web/test/jest-e2e.json: {"testRegex": "e2e-spec.ts$", "testPathIgnorePatterns": ["<rootDir>/slow/"]}"#;
    let of = |file: &str| line(&[("web", nest)], &[e2e], file, &[]);
    assert_eq!(of("web/src/a.spec.ts"), "cd web && npx jest --runTestsByPath src/a.spec.ts Titles");
    let with_config = "cd web && X=1 npx jest --runTestsByPath --config ./test/jest-e2e.json test/a.e2e-spec.ts Titles";
    assert_eq!(of("web/test/a.e2e-spec.ts"), with_config);
    assert_eq!(of("web/test/slow/a.e2e-spec.ts"), "none");
    assert_eq!(of("web/test/a.spec.ts"), "none");
    // What a configuration in a language says nobody knows.
    let script = r#"{"devDependencies": {"jest": "30"}, "scripts": {"test": "jest -c jest.ci.js", "test:all": "jest"}}"#;
    let of = |file: &str| line(&[("", script)], &["jest.config.js"], file, &[]);
    assert_eq!(of("test/a.spec.ts"), "npx jest --runTestsByPath -c jest.ci.js test/a.spec.ts Titles");
}

#[test]
fn what_a_tool_leaves_out_is_run_by_the_script_that_does_not() {
    let of = |scripts: &str, file: &str, imports: &[&str]| {
        let manifest =
            format!(r#"{{"devDependencies": {{"mocha": "11", "vitest": "3", "karma": "6"}}, "scripts": {{{scripts}}}}}"#);
        line(&[("", &manifest)], &["vitest.config.ts"], file, imports)
    };
    let karma = r#""test": "npm run test:mocha && npm run test:karma", "test:karma": "run karma start karma.conf.cjs",
        "test:mocha": "node fix.js mocha test/unit/**/*.js --timeout 30000""#;
    assert_eq!(of(karma, "test/unit/a/b.js", &[]), "npx mocha --timeout 30000 test/unit/a/b.js GrepTitles");
    assert_eq!(of(karma, "test/specs/a.spec.js", &[]), "npm test Whole");
    // Which of the two runs it is not said where `npm test` runs but one.
    let apart = r#""test": "mocha test/unit/**/*.js", "test:e2e": "playwright test""#;
    assert_eq!(of(apart, "src/add.test.js", &[]), "none");
    // Where nothing says who runs the rest, the tool does that is there.
    let alone = r#""test": "mocha test/unit/**/*.js""#;
    assert_eq!(of(alone, "test/specs/a.spec.js", &[]), "npx mocha test/specs/a.spec.js GrepTitles");
    let bun = r#""test": "vitest --run", "test:bun": "bun test --jsx x ../y runs/bun/*", "test:deno": "deno test -c runs/deno/deno.json runs/deno && deno test runs/jsx""#;
    assert_eq!(of(bun, "runs/bun/index.test.tsx", &["vitest"]), "npm run test:bun Whole");
    assert_eq!(of(bun, "runs/jsx/a.test.tsx", &[]), "npm run test:deno Whole");
    assert_eq!(of(bun, "src/a.test.ts", &["vitest"]), "npx vitest run src/a.test.ts Titles");
    assert_eq!(of(r#""test:a b": "bun test runs""#, "runs/a.test.ts", &["vitest"]), "npx vitest run runs/a.test.ts Titles");
}

#[test]
fn the_import_of_a_runner_decides_and_else_the_script_is_left() {
    let both = r#"{"devDependencies": {"vitest": "3", "jest": "30"}, "scripts": {"test": "node --test"}}"#;
    let of = |imports: &[&str]| line(&[("", both)], &[], "a.test.ts", imports);
    assert_eq!(of(&["@jest/globals"]), "npx jest --runTestsByPath a.test.ts Titles");
    assert_eq!(of(&["./login", "vitest"]), "npx vitest run a.test.ts Titles");
    // Functions of vitest are not there without an import.
    assert_eq!(of(&["./login"]), "npx jest --runTestsByPath a.test.ts Titles");
    assert_eq!(of(&["node:test"]), "npm test Whole");
    assert_eq!(of(&["mocha"]), "npm test Whole");
}

#[test]
fn runner_and_script_may_stand_in_a_folder_above() {
    let vitest = r#"{"devDependencies": {"vitest": "3"}}"#;
    let script = |text: &str| format!(r#"{{"scripts": {{"test": {text:?}}}}}"#);
    let of = |root: &str, own: &str| line(&[("", root), ("web", own)], &[], "web/a.test.ts", &[]);
    assert_eq!(of(vitest, "{}"), "npx vitest run web/a.test.ts Titles");
    assert_eq!(of(vitest, &script("vitest run")), "npx vitest run web/a.test.ts Titles");
    assert_eq!(of(vitest, &script("node --test")), "cd web && npm test Whole");
    assert_eq!(of(&script("node --test"), "{}"), "npm test Whole");
    for none in ["{}", r#"{"scripts": {"lint": "eslint ."}}"#, r#"{"scripts": {"test": 1}}"#, r#"{"scripts": []}"#, "[]"] {
        assert_eq!(of("{}", none), "none", "{none}");
    }
    assert_eq!(of("{}", &script("echo \"Error: no test specified\" && exit 1")), "none");
}

#[test]
fn a_package_of_a_workspace_is_run_with_the_configuration_at_its_root() {
    let vitest = r#"{"devDependencies": {"vitest": "3"}}"#;
    let globs = [super::super::packages::Glob::of_package("package.json", &serde_json::json!({"workspaces": ["web"]}))];
    let package = |folder: &str, has_config: bool| {
        let manifest = serde_json::from_str(vitest).expect("a manifest");
        Package::new(&format!("{folder}/package.json"), &manifest, &globs[0], &|_| has_config, &Files::new())
    };
    let of = |own: bool, root: bool| {
        let packages = [package("web", own), package("", root)];
        let found = runner(packages.iter(), &TestFile { path: "web/a.test.ts", root: None, imports: &[], has_tests: true });
        found.map_or_else(String::new, |runner| runner.line(""))
    };
    assert_eq!(of(false, true), "npx vitest run web/a.test.ts");
    assert_eq!(of(true, true), "cd web && npx vitest run a.test.ts");
    assert_eq!(of(false, false), "cd web && npx vitest run a.test.ts");
}
