//! Where imports lead in repositories made of a few manifests and paths.

use super::LANGUAGE;
use crate::project::Manifest;

/// The first of the candidates that is among `existing`, and the package outside.
fn leads(manifests: &[(&str, &str)], existing: &[&str], from: &str, specifier: &str) -> String {
    let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
    let project = (LANGUAGE.project.load)(&manifests, &|path| existing.contains(&path));
    let candidates = project.candidates(from, specifier);
    let found = candidates.files.into_iter().find(|file| existing.contains(&file.as_str()));
    found.or(candidates.external).unwrap_or_default()
}

#[test]
fn relative_imports_find_sources_and_indexes() {
    let existing = ["src/a.ts", "src/b.tsx", "src/c/index.ts", "index.ts", "src/d.service.ts", "src/e.mts", "src/f.js"];
    for (specifier, expected) in [
        ("./a", "src/a.ts"),
        ("./a.js", "src/a.ts"),
        ("./b.jsx", "src/b.tsx"),
        ("./c", "src/c/index.ts"),
        ("./c/", "src/c/index.ts"),
        ("./d.service", "src/d.service.ts"),
        ("./e.mjs", "src/e.mts"),
        ("./f.js", "src/f.js"),
        ("..", "index.ts"),
        ("./a?raw", "src/a.ts"),
        ("../../outside", ""),
    ] {
        assert_eq!(leads(&[], &existing, "src/x.ts", specifier), expected, "{specifier}");
    }
}

#[test]
fn configurations_give_paths_and_base_through_extends() {
    let manifests = [
        (
            "tsconfig.base.json",
            "{ // all\n \"compilerOptions\": { \"baseUrl\": \"./src\", \"paths\": { \"@/*\": [\"./*\",], \"@/x/*\": [\"y/*\"] } } }",
        ),
        ("app/tsconfig.json", "{ \"extends\": [\"@pkg/config\", \"../tsconfig.base\"], /* c */ }"),
        ("loop/tsconfig.json", "{ \"extends\": \"./tsconfig.json\" }"),
        ("gone/tsconfig.json", "{ \"extends\": \"./none\" }"),
        ("bad/tsconfig.json", "{"),
    ];
    let existing = ["src/a.ts", "src/y/b.ts", "src/lib/c.ts"];
    for (specifier, expected) in [("@/a", "src/a.ts"), ("@/x/b", "src/y/b.ts"), ("lib/c", "src/lib/c.ts"), ("react/jsx", "react")]
    {
        assert_eq!(leads(&manifests, &existing, "app/x.ts", specifier), expected, "{specifier}");
    }
    assert_eq!(leads(&manifests, &existing, "loop/x.ts", "@/a"), "@/a");
    let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
    let project = (LANGUAGE.project.load)(&manifests, &|_| false);
    let problems: Vec<&str> = project.problems().iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(problems, ["bad/tsconfig.json", "gone/tsconfig.json"]);
}

#[test]
fn a_long_chain_of_configurations_is_followed_for_a_while() {
    let text = |at: usize| match at {
        70 => r#"{ "compilerOptions": { "baseUrl": "./src" } }"#.to_owned(),
        _ => format!(r#"{{ "extends": "../d{:02}/tsconfig.json" }}"#, at + 1),
    };
    let manifests: Vec<(String, String)> = (0..=70).map(|at| (format!("d{at:02}/tsconfig.json"), text(at))).collect();
    let manifests: Vec<(&str, &str)> = manifests.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(leads(&manifests, &["d70/src/a.ts"], "d10/x.ts", "a"), "d70/src/a.ts");
    assert_eq!(leads(&manifests, &["d70/src/a.ts"], "d00/x.ts", "a"), "a", "seventy steps away");
    let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
    let problems = (LANGUAGE.project.load)(&manifests, &|_| false).problems().len();
    assert_eq!(problems, 7, "those that take from more than sixty-four say so");
}

#[test]
fn workspace_packages_are_found_by_name_and_exports() {
    let manifests = [
        ("fixtures/core/package.json", r#"{ "name": "@s/core" }"#),
        ("package.json", r##"{ "name": "root", "imports": { "#in/*": "./internal/*.ts" } }"##),
        (
            "packages/core/package.json",
            r#"{ "name": "@s/core", "exports": { ".": { "import": "./dist/index.mjs", "types": "./dist/types/index.d.ts" }, "./sub/*": "./dist/sub/*.js" } }"#,
        ),
        ("packages/old/package.json", r#"{ "name": "old", "main": "lib/main", "dependencies": { "near": "file:../../near" } }"#),
        ("near/package.json", r#"{ "name": "near" }"#),
        ("named/package.json", r#"{ "name": "named", "dependencies": { "named": "workspace:*", "lodash": "^4.0.0" } }"#),
        ("test/lodash/package.json", r#"{ "name": "lodash", "main": "index.js" }"#),
        ("pnpm-workspace.yaml", "packages:\n  - 'packages/*' # all\n"),
    ];
    let existing = [
        "fixtures/core/index.ts",
        "internal/a.ts",
        "packages/core/src/index.ts",
        "packages/core/src/sub/x.ts",
        "packages/old/lib/main.js",
        "packages/old/src/util.ts",
        "near/index.ts",
        "named/index.ts",
        "test/lodash/index.js",
    ];
    assert_eq!(leads(&manifests, &existing, "test/lodash/x.js", "lodash"), "test/lodash/index.js");
    for (specifier, expected) in [
        ("near", "near/index.ts"),
        ("named", "named/index.ts"),
        ("lodash", "lodash"),
        ("@s/core", "packages/core/src/index.ts"),
        ("@s/core/sub/x", "packages/core/src/sub/x.ts"),
        ("@s/core/hidden", "@s/core"),
        ("old", "packages/old/lib/main.js"),
        ("old/util", "packages/old/src/util.ts"),
        ("#in/a", "internal/a.ts"),
        ("@t/other/deep", "@t/other"),
        ("node:fs", "node:fs"),
    ] {
        assert_eq!(leads(&manifests, &existing, "src/x.ts", specifier), expected, "{specifier}");
    }
}
