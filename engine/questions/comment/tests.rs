//! Comments on changes of the corpus and of hostile repositories: a patch in, Markdown out.

use super::*;
use crate::tests::{corpus_of, with};
use expect_test::expect_file;
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::fmt::Write as _;

fn commented(engine: &Engine, patch: &str, budget: Tokens) -> String {
    comment(engine, &engine.snapshot().expect("facts"), &Diff::of(patch), budget).expect("a comment").markdown
}

const LEEWAY: &str = "\
--- a/internal/auth/login.go
+++ b/internal/auth/login.go
@@ -42,7 +42,7 @@
 \tif err != nil {
 \t\treturn nil, err
 \t}
-\tif claims.Expired(time.Now()) {
+\tif claims.Expired(time.Now().Add(-leeway)) {
 \t\treturn nil, ErrExpiredToken
 \t}
 \treturn claims, nil
";

#[test]
fn a_comment_says_what_is_reached_untested_and_to_be_run() {
    let engine = corpus_of("auth-go");
    let text = commented(&engine, LEEWAY, BUDGET);
    expect_file!["golden/go.md"].assert_eq(&text);
    assert_eq!(text, commented(&corpus_of("auth-go"), LEEWAY, BUDGET));
}

#[test]
fn removed_and_still_used_and_no_test_are_told() {
    let (_scratch, engine) = with(&[
        ("go.mod", "module example.com/shop\n\ngo 1.22\n"),
        ("cart/cart.go", "package cart\n\nfunc Total(n int) int { return twice(n) }\n\nfunc twice(n int) int { return n + n }\n"),
        ("cart/sale.go", "package cart\n\nfunc Sale(n int) int { return halfOf(Total(n)) }\n"),
        ("cart/cart_test.go", "package cart\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n"),
        ("main.go", "package main\n\nimport \"example.com/shop/cart\"\n\nfunc main() { println(cart.Sale(2)) }\n"),
    ]);
    let patch = "--- a/cart/cart.go\n+++ b/cart/cart.go\n@@ -1,7 +1,5 @@\n package cart\n \n-func Total(n int) int { return n }\n+func Total(n int) int { \
                 return twice(n) }\n \n func twice(n int) int { return n + n }\n-\n-func halfOf(n int) int { return n / 2 }\n";
    expect_file!["golden/removed.md"].assert_eq(&commented(&engine, patch, BUDGET));
}

#[test]
fn what_tests_run_by_a_macro_or_as_a_program_is_not_said_to_have_none() {
    let said = |files: &[(&str, &str)], path: &str| {
        let (_scratch, engine) = with(files);
        let patch = format!("--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,1 @@\n-// old\n+{}\n", files[0].1.lines().next().unwrap());
        let text = commented(&engine, &patch, BUDGET);
        if text.contains("**No test calls**") { "no test" } else { "unknown" }
    };
    let rust = |test: &str| {
        let text = format!(
            "fn twice(n: u32) -> u32 {{ n + n }}\nfn one(n: u32) -> u32 {{ twice(n) }}\nfn two(n: u32) -> u32 {{ one(n) }}\n\
             fn three(n: u32) -> u32 {{ two(n) }}\nfn four(n: u32) -> u32 {{ three(n) }}\n\
             fn price(n: u32) -> u32 {{ four(n) }}\n#[cfg(test)]\nmod tests {{\n    \
             fn shown(n: u32) -> String {{ super::price(n).to_string() }}\n    #[test]\n    fn prices() {{ {test} }}\n}}\n"
        );
        said(&[("src/lib.rs", &text), ("Cargo.toml", "[package]\nname = \"shop\"\n")], "src/lib.rs")
    };
    assert_eq!(rust("macro_rules! t { ($n:expr) => { assert_eq!(shown($n), \"2\") } } t!(1);"), "unknown");
    assert_eq!(rust("assert_eq!(1, 1)"), "no test");
    let script = |import: &str| {
        let test = format!("{import}\nit(\"shows help\", () => {{ run(\"tsx\", [\"../src/cli.ts\"]); }});\n");
        let files = [
            (
                "src/cli.ts",
                "function parseArgs(): string[] { return process.argv; }\nfunction main() { parseArgs(); }\nmain();\n",
            ),
            ("test/cli.test.ts", &test),
            ("package.json", "{\"devDependencies\": {\"vitest\": \"3\"}}"),
        ];
        said(&files, "src/cli.ts")
    };
    assert_eq!(script("import { execFileSync as run } from \"node:child_process\";"), "unknown");
    assert_eq!(script("const run = (..._: unknown[]) => {};"), "no test");
}

#[test]
fn nothing_reached_and_nothing_changed_are_two_lines() {
    let (_scratch, engine) = with(&[("a.go", "package a\n\nfunc A() {}\n"), ("notes.md", "one\ntwo\n")]);
    let notes = commented(&engine, "--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,2 @@\n one\n-to\n+two\n", BUDGET);
    assert_eq!(
        notes,
        "<!-- activate-review -->\n`patch`, 1 file (+1 −1). Nothing is known to use what changes. Nothing is followed from 1 changed file that is not \
         parsed.\n"
    );
    let empty = comment(&engine, &engine.snapshot().expect("facts"), &Diff::of("no patch\nat all\n"), BUDGET).expect("a comment");
    assert_eq!(empty.markdown, "<!-- activate-review -->\n`patch`: nothing changed.\n");
}

#[test]
fn a_test_file_that_nothing_runs_is_counted_and_a_helper_of_tests_is_not() {
    let said = |path: &str| {
        let (_scratch, engine) = with(&[
            ("src/cart.ts", "export function total() {\n  return 2;\n}\n"),
            ("src/page.ts", "import { total } from \"./cart\";\nexport const page = () => total();\n"),
            (path, "import { total } from \"../src/cart\";\ntotal();\n"),
        ]);
        let patch =
            "--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -1,3 +1,3 @@\n export function total() {\n-  return 1;\n+  return 2;\n }\n";
        commented(&engine, patch, BUDGET).contains("1 test has no command that is known.")
    };
    assert_eq!(["tests/cart.test.ts", "tests/helper.ts"].map(said), [true, false]);
}

/// A change of a function that hundreds use, in as many packages.
fn large() -> (repo::testing::Scratch, Engine, String) {
    let mut files = vec![("go.mod".to_owned(), "module example.com/large\n".to_owned())];
    let mut hub = "package hub\n".to_owned();
    let mut patch = "--- a/hub/hub.go\n+++ b/hub/hub.go\n".to_owned();
    for n in 0..40 {
        let _ = write!(hub, "\nfunc Hub{n}() int {{ return {n} }}\n");
        let line = 3 + 2 * n;
        let _ = write!(
            patch,
            "@@ -{line},1 +{line},1 @@\n-func Hub{n}() int {{ return 0 - 1 }}\n+func Hub{n}() int {{ return {n} }}\n"
        );
        let import = "import (\n\t\"example.com/large/hub\"\n\t\"testing\"\n)";
        files.push((
            format!("users/u{n}/user.go"),
            format!("package u{n}\n\nimport \"example.com/large/hub\"\n\nfunc Use() int {{ return hub.Hub{n}() }}\n\nfunc Far() int {{ return Use() }}\n"),
        ));
        files.push((
            format!("checks/c{n}/check_test.go"),
            format!("package c{n}\n\n{import}\n\nfunc TestHub(t *testing.T) {{ hub.Hub{n}() }}\n"),
        ));
    }
    files.push(("hub/hub.go".to_owned(), hub));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (scratch, engine) = with(&files);
    (scratch, engine, patch)
}

#[test]
fn a_large_change_has_sixty_lines_and_as_many_tokens_as_are_wanted() {
    let (_scratch, engine, patch) = large();
    let whole = commented(&engine, &patch, Tokens(100_000));
    assert!(whole.lines().count() <= MAX_LINES && whole.lines().count() > MAX_LINES / 2, "{whole}");
    for part in ["**Uses what changes**", "**Reached through others**", "**Tests to run**", "```mermaid"] {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    let mut last = usize::MAX;
    for budget in [4_000, 1_500, 900, MIN_BUDGET.0] {
        let text = commented(&engine, &patch, Tokens(budget));
        let n_tokens = tokens::Tokenizer::default().count(&text);
        assert!(n_tokens <= Tokens(budget) && text.len() <= last, "{budget}: {n_tokens}: {text}");
        assert!(text.starts_with(MARKER) && text.contains("nothing was run"), "{text}");
        last = text.len();
    }
    let smallest = commented(&engine, &patch, MIN_BUDGET);
    assert!(smallest.contains("Left out for want of room: the drawing"), "{smallest}");
}

/// What a comment says outside of code, and the kinds of things in it that do something.
fn acting(text: &str) -> (String, Vec<String>) {
    let (mut said, mut acts, mut in_code) = (String::new(), Vec::new(), false);
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock) => acts.push(format!("{event:?}")),
            Event::Html(html) | Event::InlineHtml(html) => acts.push(html.to_string()),
            Event::Text(text) if !in_code => said.push_str(&text),
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) | Event::TaskListMarker(_) => {
                acts.push(format!("{event:?}"));
            }
            _ => {}
        }
    }
    (said, acts)
}

#[test]
fn names_of_strangers_are_shown_and_do_nothing() {
    let names = [
        "@octocat",
        "![x](https://evil.example/x.png)",
        "[x](https://evil.example)",
        "<img src=x onerror=alert(1)>",
        "```",
        "`",
        "a`` @octocat ``b",
        "--> <b>",
        "https://evil.example #1 $`x`$",
        "\"]; click n0 \"javascript:alert(1)\"",
        "<!-- activate-review -->",
    ];
    let mut files = vec![("package.json".to_owned(), "{\"devDependencies\":{\"vitest\":\"1\"}}".to_owned())];
    for (n, name) in names.iter().enumerate() {
        // A slash would make folders.
        let path = name.replace('/', "\u{2215}");
        files.push((format!("{path}.ts"), format!("import {{ hub }} from \"./hub\";\nexport const use{n} = () => hub();\n")));
        files.push((
            format!("{path}.test.ts"),
            format!("import {{ hub }} from \"./hub\";\nimport {{ it }} from \"vitest\";\nit({name:?}, () => {{ hub(); }});\n"),
        ));
    }
    files.push(("hub.ts".to_owned(), "export function hub() {\n  return 2;\n}\n".to_owned()));
    let listed: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (_scratch, engine) = with(&listed);
    let patch = "--- a/hub.ts\n+++ b/hub.ts\n@@ -1,3 +1,3 @@\n export function hub() {\n-  return 1;\n+  return 2;\n }\n";
    let text = commented(&engine, patch, BUDGET);
    let (said, acts) = acting(&text);
    let ours = ["Start(HtmlBlock)", "<!-- activate-review -->\n", "<details><summary>Drawing</summary>\n", "</details>\n"];
    assert!(acts.iter().all(|act| ours.contains(&act.as_str())), "{acts:#?}\n{text}");
    assert_eq!(text.lines().filter(|line| line.trim_start().starts_with("<!--")).count(), 1, "{text}");
    for part in ["octocat", "evil", "onerror", "javascript", "<b>", "#1"] {
        assert!(!said.contains(part), "{part} is said: {said}");
    }
    assert!(text.contains("octocat"), "{text}");
    // Every fence is closed by its own, and what follows is still said.
    assert!(said.contains("nothing was run"), "{text}");
    let drawing: Vec<&str> =
        text.lines().skip_while(|line| !line.ends_with("mermaid")).take_while(|line| !line.is_empty()).collect();
    assert!(drawing.iter().all(|line| line.matches('"').count() % 2 == 0 && !line.contains("click n0 \"")), "{drawing:#?}");
}

#[test]
fn whatever_a_name_holds_its_span_holds_it_all() {
    for text in
        ["", " ", "`", "``", "a`", "`a", " a ", "a``b`c", "\n", "a\nb", "\\", "\\`", "$`", "`$", "<!--", "&lt;", "*", "_a_", "|"]
    {
        let span = markdown::code(text);
        let events: Vec<Event<'_>> = Parser::new_ext(&span, Options::all()).collect();
        let whole = text.replace('\n', " ");
        let shown = match &events[..] {
            [Event::Start(Tag::Paragraph), Event::Code(code), Event::End(_)] => code.to_string(),
            other => panic!("{text:?}: {other:?}"),
        };
        assert_eq!(shown.trim(), whole.trim(), "{span}");
    }
    assert_eq!(markdown::name("Cart.~2.fill"), "`Cart.fill`");
    assert!(markdown::path(&"é/".repeat(500)).chars().count() < 160 && markdown::name(&"é".repeat(500)).ends_with("…`"));
}
