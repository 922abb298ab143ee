//! From an answer to its page, as text.

use super::collect::{DEFAULT_NODES, MAX_BYTES, collect, view};
use super::model::View;
use super::nodes::Bounds;
use super::packet::Packets;
use super::page::page;
use context::budget::Budget;
use engine::{CacheChoice, Engine, Options, Request};
use expect_test::expect_file;
use regex::Regex;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const TASK: &str = "fix ValidateToken in internal/auth";

fn open(root: &Path, n_threads: usize) -> Engine {
    Engine::open_with(root, Options { n_threads, cache: CacheChoice::Off, ..Options::default() }).expect("a repository")
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/auth-go")
}

/// What a page shows, a line each.
fn written(view: &View) -> String {
    let mut text = format!("task: {}\n", view.task);
    let lines = view.facts.iter().map(|fact| ("fact", fact)).chain(view.left_out.iter().map(|left| ("left out", left)));
    for (word, line) in lines {
        let _ = writeln!(text, "{word}: {line}");
    }
    for (at, node) in view.nodes.iter().enumerate() {
        let parent = node.parent.map_or_else(String::new, |parent| format!(" from {parent}"));
        let site = node.site.as_ref().map_or_else(String::new, |site| format!(" at {site}"));
        let drawn = if node.is_drawn { "" } else { " (listed)" };
        let _ = writeln!(
            text,
            "{at} {} {} {} {}: {}{parent}{site}{drawn}",
            node.score,
            node.tier.name(),
            node.kind,
            node.place,
            node.rule
        );
        if at < 6 {
            for line in &node.proof {
                let _ = writeln!(text, "    {}{}", if line.is_ground { "  " } else { "" }, line.text);
            }
            for link in &node.links {
                let _ = writeln!(text, "    {} {}", link.rule, link.to);
            }
        }
    }
    let _ = writeln!(text, "budget: {} of {}", view.budget.used, view.budget.total);
    for section in &view.budget.sections {
        let _ = writeln!(text, "section {}: {} of {}, {} more", section.name, section.tokens, section.budget, section.n_more);
        for item in section.items.iter().chain(&section.cut) {
            let limit = item.limit.map_or_else(String::new, |limit| format!(" cut by {limit}"));
            let enters = item.enters.map_or_else(String::new, |tokens| format!(", enters at {tokens}"));
            let _ = writeln!(text, "  {} {}: {}{limit}{enters}", item.tokens, item.kind, item.name);
        }
    }
    for (tokens, used, n_items) in &view.budget.larger {
        let _ = writeln!(text, "at {tokens}: {used} tokens, {n_items} entries");
    }
    for module in &view.modules {
        let _ = writeln!(
            text,
            "module {}: {} files, {} definitions, {} lines, {} active, best {}, uses {:?}",
            module.path, module.n_files, module.n_symbols, module.n_lines, module.n_active, module.best, module.uses
        );
    }
    text
}

/// What the page of a task shows.
fn shown(root: &Path, task: &str, budget: u32) -> View {
    let engine = open(root, 2);
    let activation = engine.activate(&Request::new(task)).expect("an answer");
    let packets = Packets::new(&activation, &Budget::of(budget)).expect("a packet");
    view(&activation, &packets, Bounds { n_nodes: DEFAULT_NODES, n_code: 100_000 })
}

fn made(root: &Path, request: &Request, n_threads: usize) -> String {
    let engine = open(root, n_threads);
    let activation = engine.activate(request).expect("an answer");
    collect(&activation, &Budget::default(), None).expect("a page")
}

#[test]
fn a_page_shows_what_is_active_what_was_cut_and_the_modules() {
    let view = shown(&corpus(), TASK, 3_000);
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/view/auth-go.txt")].assert_eq(&written(&view));
    // Whoever is reached comes behind what reached it, and proofs that go on from others begin in them.
    for node in view.nodes.iter().filter(|node| node.parent.is_none()) {
        assert!(node.rule == "seed" && node.proof[0].text.as_str().starts_with("seed: "), "{}", node.place);
    }
    assert!(view.nodes.iter().flat_map(|node| &node.links).all(|link| link.to < view.nodes.len()));
}

#[test]
fn the_same_answer_is_the_same_page_whatever_the_threads() {
    let request = Request::new(TASK);
    let [one, two, again] = [1, 2, 1].map(|n_threads| made(&corpus(), &request, n_threads));
    assert!(one == two && one == again);
    assert!(one.len() <= MAX_BYTES, "{} bytes", one.len());
}

/// A folder that is gone with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("activate-view-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let root = std::env::temp_dir().join(name);
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        Self(root)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn names_and_code_of_strangers_are_no_markup() {
    let code = "package evil\n\n// Steal </script><script>alert(1)</script><img src=x onerror=\"alert(1)\"> javascript:alert(1)\n\
                func Steal() string {\n\treturn `</pre></code><svg onload=alert(1)>`\n}\n\nfunc Call() { Steal() }\n";
    let scratch = Scratch::new(&[
        ("a\"><img src=x onerror=alert(1)>/steal.go", code),
        ("b'/</title><script>alert(2)</script>.go", "package evil\n\nfunc Other() { Steal() }\n"),
        ("go.mod", "module evil\n\ngo 1.21\n"),
    ]);
    let task = "fix Steal </title></script><script>alert(3)</script> \"><img src=x onerror=alert(4)>";
    let page = made(&scratch.0, &Request::new(task), 1);
    // Nothing but our own script, and whatever begins as an element does is one of ours.
    let head = page.split("</head>").next().expect("a head");
    let counts = [page.matches("<script").count(), page.matches("</script").count(), head.matches("</title").count()];
    assert_eq!(counts, [1, 1, 1]);
    let body = page.split("<body>").nth(1).expect("a body").split("<script>").next().expect("a body");
    let element = Regex::new(r#"^<(/?[a-z0-9]+)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)/?>"#).expect("a pattern");
    let attribute = Regex::new(r#" ([a-zA-Z-]+)(?:="([^"]*)")?"#).expect("a pattern");
    let mut n_links = 0;
    for (at, _) in body.match_indices('<') {
        let found = element.captures(&body[at..]).unwrap_or_else(|| panic!("no element: {}", &body[at..body.len().min(at + 80)]));
        assert!(!["img", "script", "iframe", "object", "style", "form", "base", "link"].contains(&&found[1]), "{}", &found[0]);
        for attribute in attribute.captures_iter(&found[2]) {
            let (name, value) = (&attribute[1], attribute.get(2).map_or("", |value| value.as_str()));
            assert!(!name.starts_with("on") && !["style", "src", "srcdoc", "xlink"].contains(&name), "{}", &found[0]);
            n_links += usize::from(name == "href");
            assert!(name != "href" || value.starts_with('#'), "{}", &found[0]);
        }
    }
    assert!(n_links > 5 && body.contains("&lt;/pre&gt;") && body.contains("&lt;img src=x onerror="));
}

#[test]
fn secrets_do_not_reach_a_page() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let code = format!("package a\n\nfunc Login() string {{\n\treturn \"{secret}\"\n}}\n");
    let scratch = Scratch::new(&[("a.go", &code), ("go.mod", "module a\n\ngo 1.21\n")]);
    let page = made(&scratch.0, &Request::new(format!("fix Login with {secret}")), 1);
    assert!(!page.contains(secret) && page.contains("[REDACTED:"));
}

#[test]
fn large_answers_stay_small_pages_and_say_what_is_left_out() {
    let mut files = vec![("go.mod".to_owned(), "module big\n\ngo 1.21\n".to_owned())];
    for at in 0..40 {
        let functions: Vec<String> = (0..25)
            .map(|nth| {
                format!(
                    "// Token{at}x{nth} checks a token.\nfunc Token{at}x{nth}() int {{\n\treturn Token{}x{nth}()\n}}\n",
                    (at + 1) % 40
                )
            })
            .collect();
        files.push((format!("internal/part{at}/token.go"), format!("package part\n\n{}", functions.join("\n"))));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let scratch = Scratch::new(&files);
    let page = made(&scratch.0, &Request::new("check the token"), 2);
    assert!(page.len() <= MAX_BYTES, "{} bytes", page.len());
    assert!(page.contains("more are active"), "it says what is left out");
    let engine = open(&scratch.0, 2);
    let activation = engine.activate(&Request::new("check the token")).expect("an answer");
    let all = collect(&activation, &Budget::default(), Some(5_000)).expect("a page");
    let n_active = activation.found.files.len() + activation.found.symbols.len();
    assert!(all.matches("<details id=\"n").count() >= n_active && n_active > 300, "{n_active}");
}

#[test]
fn a_page_without_anything_is_a_page() {
    let page = page(&View::default());
    assert!(page.contains("Nothing was found for the task.") && page.contains("default-src 'none'"));
}
