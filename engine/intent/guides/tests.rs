//! Texts in, lines out: what files of each kind say, and what hostile ones may cost.

use super::places::Place;
use super::{Found, MAX_PER_FILE, Source, extract};

/// What a file says, a line each: `line call parameters: description <places>`.
fn said(path: &str, text: &str) -> String {
    let locks = ["pnpm-lock.yaml", "old/yarn.lock"];
    let found = extract(Source::of(path).expect("a source"), path, text, &|file| locks.contains(&file));
    let tool = |tool: &super::Tool| {
        let usage = [tool.command(), tool.parameters.clone()].join(" ");
        format!("{} {}: {}{}\n", tool.line, usage.trim_end(), tool.description, places(&tool.places))
    };
    let hint = |hint: &super::Hint| format!("{} {}{}\n", hint.line, hint.text, places(&hint.places));
    found.tools.iter().map(tool).chain(found.hints.iter().map(hint)).collect()
}

fn places(places: &[Place]) -> String {
    let place = |place: &Place| match place {
        Place::Path(path, None) => path.clone(),
        Place::Path(path, Some(line)) => format!("{path}:{line}"),
        Place::Dotted(name) => format!("{name}?"),
        Place::Name(name) => format!("#{name}"),
        Place::Word(word) => format!("'{word}"),
    };
    if places.is_empty() { String::new() } else { format!(" <{}>", places.iter().map(place).collect::<Vec<_>>().join(" ")) }
}

fn check(path: &str, text: &str, expected: &str) {
    let said = said(path, text);
    assert!(said == expected, "{path}\n--- said\n{said}--- expected\n{expected}");
}

#[test]
fn makefiles_give_the_targets_that_people_call() {
    check(
        "Makefile",
        "\
# Copyright of somebody.

GO ?= go
BIN := $(shell pwd)/bin
.PHONY: all lint

all: build ## build everything
# Check the style.
# Needs a network.
.PHONY: style
style: FLAGS += -v
lint: $(SOURCES)
\t@echo linting
\t-$(GO) vet ./src/algo \\
\t\t./cmd/...
##@ Deployment
deploy: build; kubectl apply -f deploy/prod.yaml
bin/tool: main.go
\t$(GO) build
%.o: %.c
\tcc
$(OBJECTS): %.o: %.c
report.txt:
\tmake it
v1.0: all
.PHONY: v1.0
FORCE:
define HELP
fake: this is text
endef
ifdef X
test unit: ; true
else
test:
\tgo test ./...
endif
two:: one
export PATH := a:b
url = http://x:80
",
        "\
7 make all: build everything
12 make lint: $(GO) vet ./src/algo ./cmd/... <./src/algo ./cmd/>
17 make deploy: kubectl apply -f deploy/prod.yaml <deploy/prod.yaml>
25 make v1.0: all
32 make test: go test ./...
37 make two: one
",
    );
    check(
        "sub dir/GNUmakefile",
        "# See `keys.go`.\r\nfmt:\r\n\tgofmt -w .\r\n",
        "2 cd 'sub dir' && make fmt: See `keys.go`. <keys.go?>\n",
    );
}

#[test]
fn tools_that_install_publish_or_delete_are_out_of_place_unless_the_task_names_them() {
    let is_out = |name: &str, intent: &str| super::Tool { name: name.to_owned(), ..Default::default() }.is_out_of_place(intent);
    for name in
        ["install", "uninstall", "docker-publish", "db:reset", "Release", "release_patch", "distclean", "clean", "deploy-prod"]
    {
        assert!(is_out(name, "fix the search of hidden files"), "{name}");
    }
    // Whatever else a name says, and however its words are joined.
    for name in [
        "build-and-push",
        "generate-release",
        "fix-and-deploy",
        "dbReset",
        "DBReset",
        "release2",
        "autoclean",
        "autopublish",
        "nuke",
        "rm-auth",
        "erase",
        "xtask-redeploy",
    ] {
        assert!(is_out(name, "fix ValidateToken"), "{name}");
    }
    for name in [
        "build",
        "lint",
        "test-install",
        "testRelease",
        "docs",
        "check:release",
        "verify-deployment",
        "preinstalled",
        "seed",
        "dropdown-demo",
        "preset",
        "wip",
        "format",
        "pushpin",
    ] {
        assert!(!is_out(name, ""), "{name}");
    }
    for (name, intent) in [
        ("install", "`make install` puts the manual into the wrong folder"),
        ("release:patch", "Releasing fails on tags"),
        ("deploy-prod", "fix deployment"),
        ("db:drop", "dropped tables come back"),
        ("dbReset", "dbReset leaves rows"),
        ("autoclean", "why does autoclean hang"),
        ("prune-cache", "pruning takes long"),
    ] {
        assert!(!is_out(name, intent), "{name}");
    }
    assert!(is_out("install", "why does uninstall fail"));
}

#[test]
fn justfiles_give_their_public_recipes() {
    check(
        "tools/Justfile",
        "\
set shell := [\"bash\", \"-c\"]
version := '1:2'
alias t := test
long := '''
fake: text
'''
# run the tests,
# one crate or all
test crate='a:b' *rest: build
    @echo testing
    cargo test -p {{crate}} -- src/lib.rs

[private]
[doc('not for people')]
secret:
    rm -rf x
_hidden:
    true
[group('x')]
[doc('Formats it')]
@fmt:
    cargo fmt
# far away

build:
    #!/bin/sh
    cargo build
mod inner
",
        "\
9 cd tools && just test crate='a:b' *rest: run the tests, one crate or all <src/lib.rs>
21 cd tools && just fmt: Formats it
25 cd tools && just build: cargo build
",
    );
}

#[test]
fn packages_give_their_scripts_with_what_runs_them() {
    let text = "{\n  \"name\": \"scripts\",\n  \"scripts\": {\n    \"lint\": \"eslint src --fix\",\n    \"prelint\": \"x\",\n    \"pretend\": \"tsx ./tools/pretend.ts\",\n    \
                \"postinstall\": \"x\",\n    \"a b\": \"x\", \"-f\": \"x\",\n    \"none\": \"\", \"odd\": 3,\n    \"test:unit\": \"vitest run\"\n  }\n}";
    let lines = |start: &str| {
        format!(
            "4 {start} lint: eslint src --fix\n6 {start} pretend: tsx ./tools/pretend.ts <./tools/pretend.ts>\n10 {start} test:unit: vitest run\n"
        )
    };
    check("package.json", text, &lines("pnpm run"));
    check("packages/a/package.json", text, &lines("cd packages/a && pnpm run"));
    check("old/package.json", text, &lines("cd old && yarn run"));
    let said = text.replace("{\n  \"name\"", "\u{feff}{\n  \"packageManager\": \"bun@1.2\", \"name\"");
    check("package.json", &said, &lines("bun run"));
    for broken in ["{\"scripts\": {\"a\": ", "[]", "{\"scripts\": [1]}", "", "{\"scripts\": null}"] {
        check("package.json", broken, "");
    }
}

#[test]
fn cargo_gives_aliases_and_the_program_of_tasks() {
    check(
        ".cargo/config.toml",
        "[build]\njobs = 1\n\n[alias]\n# All of clippy,\n# everywhere.\nlint = \"clippy --all-targets\"\nb = [\"build\", \"--manifest-path\", \"tools/Cargo.toml\"]\nodd = 3\n\"a b\" = \"x\"\n",
        "7 cargo lint: All of clippy, everywhere.\n8 cargo b: cargo build --manifest-path tools/Cargo.toml <tools/Cargo.toml>\n",
    );
    check("a/.cargo/config", "[alias]\nt = \"test\"\n", "2 cd a && cargo t: cargo test\n");
    check(".cargo/config.toml", "[alias\nt = 1", "");
    let manifest = "[package]\nname = \"xtask\"\ndescription = \"Chores\"\n";
    check("xtask/Cargo.toml", manifest, "1 cargo run --package xtask --: Chores\n");
    check("xtask/Cargo.toml", "[package]\nname = \"other\"\n", "");
}

#[test]
fn guides_give_the_paragraphs_that_name_a_place() {
    check(
        "AGENTS.md",
        "\
---
title: `front` matter
---
# The guide of `keep`
Nothing is named here.

## Tokens
Call `ValidateToken` first,
never `parse()` alone. See [the keys](src/keys.go#L3)
and <https://x.org/a/b.go>.

| what | where |
| --- | :-- |
| keys | `internal/**/*.go` |

Keys
----
These stay in step. Change both:

- [ ] `keys.go`
* src/db.rs:40 and **UserQuery**
  - nested `flush`
1. Run `make lint` on `main`.

```sh
make `Fenced`
```
    indented `Code`
<!-- `Hidden` -->
<!--
`HiddenToo`
-->
> [!NOTE]
> Quoted: `Quoted::name`

Setext `Title`
==============
Under it: `word`.
",
        "\
8 Tokens: Call `ValidateToken` first, never `parse()` alone. See the keys and <https://x.org/a/b.go>. <#ValidateToken #parse src/keys.go>
14 Tokens: keys | `internal/**/*.go` <internal/>
20 Keys: Change both: `keys.go` <keys.go?>
21 Keys: Change both: src/db.rs:40 and UserQuery <src/db.rs:40 #UserQuery>
22 Keys: Change both: nested `flush` <'flush>
34 Keys: Quoted: `Quoted::name` <#Quoted::name>
38 Under it: `word`. <'word>
",
    );
}

#[test]
fn long_paragraphs_are_cut_behind_a_sentence_and_name_what_is_left() {
    let first = format!("Use `First`, e.g. {}here.", "word ".repeat(20));
    let long = format!("{first} {}. Then `Last`.", "word ".repeat(70));
    check("CONTRIBUTING.md", &long, &format!("1 {first} <#First>\n"));
    let endless = format!("See `First` {}", "word ".repeat(200));
    let hint = said("CONTRIBUTING", &endless);
    assert!(hint.len() < 350 && hint.ends_with("word… <#First>\n"), "{hint}");
}

#[test]
fn records_give_hints_while_they_stand() {
    let record = |status: &str| {
        format!(
            "# 7. Sign with RS256\n\n## Status\n\n{status}\n\n## Decision\n\n`Sign` uses src/keys.go.\n\n## Consequences\n\n`Verify` is slow.\n"
        )
    };
    check(
        "pkg/docs/adr/0007-sign.md",
        &record("Accepted"),
        "9 7. Sign with RS256: `Sign` uses src/keys.go. <#Sign src/keys.go>\n13 7. Sign with RS256, Consequences: `Verify` is slow. <#Verify>\n",
    );
    check("docs/0007-sign.md", &record("Superseded by 0009"), "");
    check("adr/sign.md", &record("Accepted").replace("# 7.", "- **Status**: Deprecated\n\n# 7."), "");
}

#[test]
fn files_are_sources_by_their_names_and_speak_of_a_folder() {
    let of = |path: &str| Source::of(path).map(|source| format!("{source:?} of `{}`", source.scope(path))).unwrap_or_default();
    let expected = [
        ("Makefile", "Makefile of ``"),
        ("a/b/GNUmakefile", "Makefile of `a/b`"),
        ("Makefile.in", ""),
        ("makefile", "Makefile of ``"),
        ("web/CONTRIBUTING", "Guide of `web`"),
        ("CLAUDE.MD", "Guide of ``"),
        (".justfile", "Justfile of ``"),
        ("web/package.json", "Package of `web`"),
        ("a/.cargo/config.toml", "CargoConfig of `a`"),
        ("config.toml", ""),
        ("tools/xtask/Cargo.toml", "Xtask of `tools`"),
        ("AGENTS.md", "Guide of ``"),
        ("web/Agents.md", "Guide of `web`"),
        ("web/docs/CONTRIBUTING.md", "Guide of `web`"),
        (".github/contributing.md", "Guide of ``"),
        ("docs/decisions/use-jwt.md", "Decision of ``"),
        ("svc/adr/x.md", "Decision of `svc`"),
        ("docs/rfc/0012-x.md", "Decision of ``"),
        ("doc/ADR-x.md", "Decision of ``"),
        ("docs/012-x.md", ""),
        ("src/0012-x.md", ""),
        ("src/adr/x.go", ""),
        ("README.md", ""),
    ];
    for (path, source) in expected {
        assert_eq!(of(path), source, "{path}");
        assert!(source.is_empty() || Source::may_be(path.as_bytes()), "{path}");
    }
}

/// So many texts as one.
fn many(n_texts: usize, text: impl Fn(usize) -> String) -> String {
    (0..n_texts).map(text).collect::<Vec<_>>().concat()
}

#[test]
fn hostile_files_stay_bounded() {
    let found = |path: &str, text: &str| extract(Source::of(path).unwrap(), path, text, &|_| false);
    let count = |found: &Found| (found.tools.len(), found.hints.len(), found.n_left_out);
    let most = MAX_PER_FILE;
    let targets = many(100_000, |n| format!("t{n}: t{}\n\tx\n", n + 1));
    assert_eq!(count(&found("Makefile", &targets)), (most, 0, 100_000 - most));
    // One rule with all of them, and many commands for it.
    let one_rule = format!("{}:\n{}", many(100_000, |n| format!("t{n} ")), "\tcommand\n".repeat(100_000));
    assert!(found("Makefile", &one_rule).tools.len() <= most);
    let recipes = many(100_000, |n| format!("t{n}:\n  x\n"));
    assert_eq!(count(&found("justfile", &recipes)), (most, 0, 100_000 - most));
    let items = many(10_000, |n| format!("- `Name{n}`\n"));
    assert_eq!(count(&found("AGENTS.md", &items)), (0, most, 10_000 - most));
    for start in [
        "a: ",
        "- ",
        "`",
        "``` ",
        "[",
        "[`",
        "**",
        "| ",
        "\\\n",
        "é",
        "# ",
        "x = ",
        "\t",
        "$(",
        "{\"scripts\":",
        "[alias]\n",
        "\u{0}",
    ] {
        let line = start.repeat((1 << 18) / start.len());
        let names = format!("a:\n{line}");
        for path in
            ["Makefile", "justfile", "package.json", ".cargo/config.toml", "xtask/Cargo.toml", "AGENTS.md", "docs/adr/a.md"]
        {
            for text in [&line, &names] {
                let found = found(path, text);
                let bytes: usize = found.tools.iter().map(|tool| tool.description.len() + tool.name.len()).sum();
                let hints: usize = found.hints.iter().map(|hint| hint.text.len()).sum();
                assert!(bytes + hints < most * 2_000, "{path} {start}");
            }
        }
    }
}

#[test]
fn many_names_cost_no_more_than_their_text() {
    let check = |path: &str, text: &str, n_names: usize, n_times: usize| {
        let (found, n_bytes) = work::done_by(|| extract(Source::of(path).unwrap(), path, text, &|_| false));
        assert_eq!((found.tools.len(), found.n_left_out), (MAX_PER_FILE, n_names - MAX_PER_FILE), "{path}");
        assert!((1..=n_times * text.len()).contains(&(n_bytes as usize)), "{path}: {n_bytes}");
    };
    // All names of a rule have its comment.
    let comment = many(25_000, |n| format!("# word {n}\n"));
    check("Makefile", &format!("{comment}{}: x\n", many(800, |n| format!("t{n} ")).trim_end()), 800, 1);
    let scripts = |start: &str| many(15_000, |n| format!(",\n\"{start}{n}\": \"x\""));
    let manifest = |start: &str| format!("{{\"scripts\": {{\"a\": \"x\"{}}}}}", scripts(start));
    // None of these is a hook of another, and none of those is found as it is written.
    check("package.json", &manifest("pre"), 15_001, 1);
    // Each that is kept is looked for in the whole text.
    check("package.json", &manifest("\\u0061"), 15_001, MAX_PER_FILE + 2);
}
