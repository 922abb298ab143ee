//! Which tools and hints of a repository are shown for a task, in both forms.

use super::fixture::{Fixture, Scene};
use super::under;
use crate::SessionContext;
use crate::packet::session::SessionPacket;
use crate::state::{SessionState, SpecialistHint, Tool};

const HINTS: &str = "DOMAIN KNOWLEDGE:";
const TOOLS: &str = "AVAILABLE TOOLS (use instead of creating new ones):";

/// A shop with guides and tools.
const FILES: [(&str, &str); 17] = [
    ("shop/cart.go", "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) Close() { flush() }\n\nfunc flush() {}\n"),
    ("shop/price.go", "package shop\n\nfunc Price() int { return 1 }\n"),
    ("mail/send.go", "package mail\n\nfunc SendLetter() {}\n"),
    ("web/view.ts", "export function renderView() {}\n"),
    ("go.mod", "module example.com/shop\n"),
    (
        "AGENTS.md",
        "# Guide\n\n## Closing\n\n- Call `Cart.Close` once.\n- Never touch `SendLetter` here.\n- Be kind.\n- All of `shop/*.go` is small.\n",
    ),
    (
        "CLAUDE.md",
        "# Guide\n\n## Closing\n\n- Call `Cart.Close` once.\n- Never touch `SendLetter` here.\n- Be kind.\n- All of `shop/*.go` is small.\n",
    ),
    ("shop/AGENTS.md", "`Close` calls `flush`.\n\n`SendLetter` is not of this folder, and `Cart` is.\n"),
    ("web/AGENTS.md", "`renderView` and `Cart.Close` are far apart.\n"),
    ("web/lib/draw.ts", "export function draw() {}\n"),
    (".github/CONTRIBUTING.md", "Pixels go to lib/draw.ts alone.\n"),
    ("vendor/x/AGENTS.md", "`Cart.Close` of others.\n"),
    ("docs/adr/0001-carts.md", "# Carts are closed\n\n## Status\n\nAccepted\n\n## Decision\n\nOnly shop/cart.go closes.\n"),
    (
        "docs/adr/0002-old.md",
        "# Carts stay open\n\n## Status\n\nSuperseded by 0001\n\n## Decision\n\n`Cart.Close` does nothing.\n",
    ),
    (
        "Makefile",
        "lint: ## checks the style\n\tgolint\nstart:\n\t./run\ndeploy:\n\tkubectl apply -f web/view.ts\ncart:\n\tgo run shop/cart.go\n",
    ),
    ("shop/Makefile", "lint:\n\tgolint -shop .\n"),
    ("web/package.json", "{\"scripts\": {\"build\": \"tsc\"}}\n"),
];

fn scene<'a>(fixture: &'a Fixture, intent: &str) -> Scene<'a> {
    let mut scene = Scene::new(fixture, intent);
    scene.git.is_repository = true;
    scene.git.untracked = ["shop/AGENTS.md".to_owned()].into();
    scene
}

/// What a context says in sections 7 and 8.
fn shown(context: &SessionContext) -> String {
    [under(context, HINTS), under(context, TOOLS)].concat().join("\n")
}

#[test]
fn hints_and_tools_enter_when_the_task_touches_what_they_name() {
    let fixture = Fixture::new(&FILES);
    let context = scene(&fixture, "fix Cart.Close").real_context();
    let expected = "  \
  - HINT: `Close` calls `flush`. (shop/AGENTS.md:1)
  - HINT: `SendLetter` is not of this folder, and `Cart` is. (shop/AGENTS.md:3)
  - HINT: Closing: Call `Cart.Close` once. (AGENTS.md:5)
  - HINT: Carts are closed: Only shop/cart.go closes. (docs/adr/0001-carts.md:9)
  - HINT: Closing: All of `shop/*.go` is small. (AGENTS.md:8)
  - make lint: golint -shop .
    Binary: cd shop && make lint
  - make cart: go run shop/cart.go
  NOTE: If a tool already exists for the task, USE IT instead of creating a new one.";
    assert_eq!(shown(&context), expected, "\n{}", shown(&context));
    let context = scene(&fixture, "fix web/view.ts").real_context();
    let expected = "  \
  - HINT: `renderView` and `Cart.Close` are far apart. (web/AGENTS.md:1)
  - npm run build: tsc
    Binary: cd web && npm run build
  - make deploy: kubectl apply -f web/view.ts
  - make lint: checks the style
  NOTE: If a tool already exists for the task, USE IT instead of creating a new one.";
    assert_eq!(shown(&context), expected, "\n{}", shown(&context));
}

#[test]
fn a_path_may_be_written_without_its_beginning() {
    let fixture = Fixture::new(&FILES);
    let hint = "  - HINT: Pixels go to lib/draw.ts alone. (.github/CONTRIBUTING.md:1)";
    let hints = |intent: &str| under(&scene(&fixture, intent).real_context(), HINTS).concat();
    assert_eq!([hints("fix draw"), hints("fix web/lib/draw.ts")], [hint, hint]);
    // Where two files end so, none is meant.
    let two = [&FILES[..], &[("old/lib/draw.ts", "export function draw() {}\n")]].concat();
    let fixture = Fixture::new(&two);
    assert_eq!(under(&scene(&fixture, "fix web/lib/draw.ts").real_context(), HINTS), Vec::<&str>::new());
}

#[test]
fn what_the_caller_gives_comes_first() {
    let fixture = Fixture::new(&FILES);
    let mut scene = scene(&fixture, "fix SendLetter");
    let hint = SpecialistHint { text: "given".into(), ..SpecialistHint::default() };
    let tool = Tool { name: "graph".into(), description: "Graph".into(), binary_path: "bin/graph".into(), ..Tool::default() };
    scene.state = SessionState { specialist_hints: vec![hint], available_tools: vec![tool], ..SessionState::default() };
    let expected = "  \
  - HINT: given
  - HINT: Closing: Never touch `SendLetter` here. (AGENTS.md:6)
  - graph: Graph
    Binary: bin/graph
  - make lint: checks the style
  NOTE: If a tool already exists for the task, USE IT instead of creating a new one.";
    let context = scene.real_context();
    assert_eq!(shown(&context), expected, "\n{}", shown(&context));
}

#[test]
fn items_say_where_they_stand_and_whether_that_is_tracked() {
    let fixture = Fixture::new(&FILES);
    let scene = scene(&fixture, "fix Cart.Close");
    let context = scene.real_context();
    let packet = SessionPacket::new(&redact::Masker::knowing_nothing(), &fixture.base, &scene.activation(), &context);
    let items = packet.sections.iter().flat_map(|section| &section.items).filter(|item| matches!(item.kind, "hint" | "tool"));
    let said = items.map(|item| {
        let (path, (line, _)) = (item.path.as_ref().expect("a path"), item.lines.expect("a line"));
        format!("{} {path}:{line} {}", item.kind, item.trust.label())
    });
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            "hint shop/AGENTS.md:1 untracked",
            "hint shop/AGENTS.md:3 untracked",
            "hint AGENTS.md:5 tracked",
            "hint docs/adr/0001-carts.md:9 tracked",
            "hint AGENTS.md:8 tracked",
            "tool shop/Makefile:1 tracked",
            "tool Makefile:7 tracked",
        ]
    );
}

#[test]
fn what_is_too_much_is_left_out_and_said() {
    let line = format!("`Cart` {}\n", "word ".repeat(1 << 18));
    let targets = (0..100_000).map(|n| format!("t{n}:\n\tgo run shop/cart.go\n")).collect::<Vec<_>>().concat();
    let few = &targets[..200 << 10];
    let guides: Vec<(String, String)> = (0..100).map(|n| (format!("d{n:02}/AGENTS.md"), format!("{n}\n"))).collect();
    let broken = [
        ("package.json", "{\"scripts\": {\"lint\": "),
        (".cargo/config.toml", "[alias\nlint = "),
        ("justfile", "lint:\r\n\tx\r\n"),
    ];
    let mut files = vec![FILES[0], ("AGENTS.md", &line), ("Makefile", &targets), ("shop/Makefile", few)];
    files.extend(guides.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain(broken));
    let fixture = Fixture::new(&files);
    let context = scene(&fixture, "fix Cart.Close").real_context();
    let tools = under(&context, TOOLS);
    assert_eq!(tools.iter().filter(|line| line.contains("Binary: ")).count(), 12, "{tools:?}");
    assert!(tools.iter().any(|line| line.starts_with("  +") && line.contains("more tools")), "{tools:?}");
    let said: Vec<&str> = context.problems.iter().map(|problem| problem.message.as_str()).collect();
    // Of 106 files two are too large, and of the others 64 are read.
    let files = "files with tools or hints of the repository that are too large or too far from the task to be read: 42";
    assert!(said.len() == 1 && said[0].starts_with(files) && said[0].contains("too many to be looked at: "), "{said:?}");
}
