//! What the lists beside the code say of how complete they are, in both forms.

use super::fixture::{Fixture, Scene};
use super::under;
use crate::SessionContext;
use crate::activation::{Reason, Role};
use crate::packet::session::SessionPacket;
use activate_rules::atoms::NodeId;

const HEADINGS: [&str; 3] = ["IMPACTED FILES (may need updates):", "DEPENDENCY CONTEXT:", "TESTS TO RUN:"];

/// A scene in which these nodes are meant, the best first.
fn scene<'a>(fixture: &'a Fixture, targets: &[&str]) -> Scene<'a> {
    let mut scene = Scene::new(fixture, "fix it");
    for (id, score) in targets.iter().zip((0..=100_000).rev().step_by(1_000)) {
        scene.add(id, score, Role::Target, Reason::Named("named in the intent".into()));
    }
    scene
}

/// The last line of each list.
fn states(context: &SessionContext) -> [&str; 3] {
    HEADINGS.map(|heading| under(context, heading).last().copied().unwrap_or_default())
}

/// Kind, state, reasons and number of cut items of each list of the packet.
fn packed(fixture: &Fixture, scene: &Scene<'_>, context: &SessionContext) -> Vec<(String, String, Vec<String>, u32)> {
    let packet = SessionPacket::new(&redact::Masker::knowing_nothing(), &fixture.base, &scene.activation(), context);
    let lists = packet.sections.iter().flat_map(|section| &section.lists);
    let reasons = |list: &crate::packet::session::ListPacket| list.reasons.iter().map(ToString::to_string).collect();
    lists.map(|list| (list.kind.to_owned(), list.state.to_owned(), reasons(list), list.n_cut)).collect()
}

/// A list of which nothing was cut, as [`packed`] has it.
fn list(kind: &str, state: &str, reasons: &[&str]) -> (String, String, Vec<String>, u32) {
    (kind.to_owned(), state.to_owned(), reasons.iter().map(|reason| (*reason).to_owned()).collect(), 0)
}

/// The three lists, each with the same state and reason.
fn alike(state: &str, reason: &str) -> [(String, String, Vec<String>, u32); 3] {
    ["impacted_file", "dependency", "test_command"].map(|kind| list(kind, state, &[reason]))
}

const CART: (&str, &str) = ("src/cart.ts", "export class Cart {\n  close() {}\n}\n");

#[test]
fn namesakes_are_listed_by_name_without_their_counters() {
    let code = "export function a(x: number) {\n  return x;\n}\nexport namespace N {\n  export function a(x: number) {\n    return x;\n  }\n}\n";
    let code = format!("{code}export function a(x: string) {{\n  return x + 1;\n}}\n");
    let fixture = Fixture::new(&[("package.json", "{}"), ("a.ts", &code)]);
    let mut scene = Scene::new(&fixture, "fix a");
    scene.add("a.ts#~2.a", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    scene.add("a.ts", 100_000, Role::Target, Reason::Holds(fixture.node("a.ts#~2.a")));
    // Where the code is not shown, names stand for it.
    scene.unreadable = true;
    let text = scene.context(80_000).text.text;
    assert!(text.contains("  - a.ts (holds a: named in the intent)\n") && !text.contains("~2"), "{text}");
    assert!(text.contains("  - a.ts: a 1, N.a 5, a 9\n"), "{text}");
}

#[test]
fn a_list_without_entries_says_whether_there_is_nothing() {
    let fixture = Fixture::new(&[CART]);
    let alone = scene(&fixture, &["src/cart.ts#Cart.close"]);
    assert_eq!(states(&alone.context(80_000)), ["  none found (complete)"; 3]);
    let any = ("src/any.ts", "import { Cart } from \"./cart\";\nexport function any(x) { x.close(); }\n");
    let fixture = Fixture::new(&[CART, any]);
    let open = scene(&fixture, &["src/cart.ts#Cart.close"]);
    let context = open.context(80_000);
    let reason = "1 unresolved use of close in src/any.ts";
    assert_eq!(states(&context)[0], "  none found (incomplete)");
    assert_eq!(
        packed(&fixture, &open, &context),
        [
            list("impacted_file", "incomplete", &[reason]),
            list("dependency", "complete", &[]),
            list("test_command", "complete", &[])
        ]
    );
}

#[test]
fn what_is_not_understood_is_unknown_and_prose_has_no_lists() {
    let fixture = Fixture::new(&[CART, ("x.pl", "def a; end\n"), ("README.md", "A shop.\n")]);
    let reason = "x.pl is not in a language that is parsed";
    for (targets, state) in [(&["x.pl"][..], "unknown"), (&["src/cart.ts#Cart", "x.pl"], "incomplete")] {
        let scene = scene(&fixture, targets);
        let context = scene.context(80_000);
        assert_eq!(states(&context).map(str::to_owned), HEADINGS.map(|_| format!("  none found ({state})")));
        assert_eq!(packed(&fixture, &scene, &context), alike(state, reason));
    }
    let prose = scene(&fixture, &["README.md"]).context(80_000);
    assert_eq!(states(&prose), [""; 3]);
    assert!(!prose.text.text.contains("complete)"), "{}", prose.text.text);
}

#[test]
fn what_is_cut_or_not_listed_is_missing() {
    let file = |n: usize| (format!("src/user{n:02}.ts"), "import { Cart } from \"./cart\";\nnew Cart().close();\n".to_owned());
    let files: Vec<(String, String)> = (0..8).map(file).collect();
    let all = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain([CART]).collect::<Vec<_>>();
    let fixture = Fixture::new(&all);
    let mut scene = scene(&fixture, &["src/cart.ts#Cart.close"]);
    let via = fixture.node("src/cart.ts#Cart.close");
    let link = |via: NodeId| Reason::Link {
        kind: activate_rules::links::LinkKind::Calls,
        via,
        line: Some(2),
        confidence: activate_rules::links::Confidence::Exact,
    };
    let impacted = |scene: &Scene<'_>, budget| {
        let context = scene.context(budget);
        let lines: Vec<String> = under(&context, HEADINGS[0]).into_iter().map(str::to_owned).collect();
        (lines, packed(&fixture, scene, &context).swap_remove(0))
    };
    for (path, _) in &files[..7] {
        scene.add(path, 70_000, Role::Impacted, link(via));
    }
    assert_eq!(impacted(&scene, 80_000).1, list("impacted_file", "incomplete", &["1 more user is not listed"]));
    scene.add(&files[7].0, 70_000, Role::Impacted, link(via));
    let (lines, all) = impacted(&scene, 80_000);
    assert_eq!((lines.len(), lines.last().map(String::as_str)), (9, Some("  (complete)")));
    assert_eq!(all, list("impacted_file", "complete", &[]));
    // Where there is room for some or for none of a list, the packet still says what is missing.
    let budgets = (200..1_000).step_by(20);
    let cut =
        budgets.map(|budget| impacted(&scene, budget)).find(|(lines, _)| (2..9).contains(&lines.len())).expect("a cut list");
    assert_eq!(cut.0.last().map(String::as_str), Some("  (incomplete)"));
    assert_eq!((cut.1.2, cut.1.3 as usize), (vec!["cut for want of room".to_owned()], 9 - cut.0.len()));
    let (lines, (_, state, reasons, n_cut)) = impacted(&scene, 150);
    assert_eq!((lines.len(), state.as_str(), n_cut), (0, "incomplete", 8));
    assert_eq!(reasons, ["cut for want of room"]);
}

#[test]
fn what_is_more_than_a_list_holds_is_missing() {
    let user = |n: usize| (format!("src/user{n:02}.ts"), "import { Cart } from \"./cart\";\nnew Cart().close();\n".to_owned());
    let part = |n: usize| (format!("src/part{n:02}.ts"), format!("export const p{n} = {n};\n"));
    let imports = (0..12).map(|n| format!("import {{ p{n} }} from \"./part{n:02}\";\n")).collect::<Vec<_>>().concat();
    let cart = ("src/cart.ts".to_owned(), format!("{imports}{}", CART.1));
    let files: Vec<(String, String)> = (0..12).map(user).chain((0..12).map(part)).chain([cart]).collect();
    let fixture = Fixture::new(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    let mut scene = scene(&fixture, &["src/cart.ts#Cart.close", "src/cart.ts"]);
    let via = fixture.node("src/cart.ts#Cart.close");
    for (path, _) in &files[..12] {
        let (kind, confidence) = (activate_rules::links::LinkKind::Calls, activate_rules::links::Confidence::Exact);
        scene.add(path, 70_000, Role::Impacted, Reason::Link { kind, via, line: Some(14), confidence });
    }
    let context = scene.context(80_000);
    let n_entries = |heading| under(&context, heading).len().saturating_sub(1);
    assert_eq!([n_entries(HEADINGS[0]), n_entries(HEADINGS[1])], [8, 8], "{}", context.text.text);
    assert_eq!(states(&context)[..2], ["  (incomplete)"; 2], "{}", context.text.text);
}

#[test]
fn targets_that_were_not_looked_at_are_counted() {
    let texts: Vec<(String, String)> = (0..15).map(|n| (format!("f{n}.ts"), format!("export function f{n}() {{}}\n"))).collect();
    let fixture = Fixture::new(&texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    let ids: Vec<String> = (0..15).map(|n| format!("f{n}.ts#f{n}")).collect();
    let scene = scene(&fixture, &ids.iter().map(String::as_str).collect::<Vec<_>>());
    let context = scene.context(80_000);
    assert_eq!(states(&context), ["  none found (incomplete)"; 3]);
    assert_eq!(packed(&fixture, &scene, &context), alike("incomplete", "3 more targets were not looked at"));
}
