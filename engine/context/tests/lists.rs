//! What the lists beside the code say of how complete they are, in both forms.

use super::under;
use super::world::{Scene, World};
use crate::activation::{Reason, Role};
use crate::context::SessionContext;
use crate::packet::session::SessionPacket;
use activate_rules::atoms::NodeId;

const HEADINGS: [&str; 3] = ["IMPACTED FILES (may need updates):", "DEPENDENCY CONTEXT:", "TESTS TO RUN:"];

/// A scene in which these nodes are meant, the best first.
fn scene<'a>(world: &'a World, targets: &[&str]) -> Scene<'a> {
    let mut scene = Scene::new(world, "fix it");
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
fn packed(world: &World, scene: &Scene<'_>, context: &SessionContext) -> Vec<(String, String, Vec<String>, u32)> {
    let packet = SessionPacket::new(&world.base, &scene.activation(), context);
    let lists = packet.sections.iter().flat_map(|section| &section.lists);
    let reasons = |list: &crate::packet::session::ListPacket| list.reasons.iter().map(ToString::to_string).collect();
    lists.map(|list| (list.kind.to_owned(), list.state.to_owned(), reasons(list), list.n_cut)).collect()
}

const CART: (&str, &str) = ("src/cart.ts", "export class Cart {\n  close() {}\n}\n");

#[test]
fn namesakes_are_listed_by_name_without_their_counters() {
    let code = "export function a(x: number) {\n  return x;\n}\nexport namespace N {\n  export function a(x: number) {\n    return x;\n  }\n}\n";
    let code = format!("{code}export function a(x: string) {{\n  return x + 1;\n}}\n");
    let world = World::new(&[("package.json", "{}"), ("a.ts", &code)]);
    let mut scene = Scene::new(&world, "fix a");
    scene.add("a.ts#~2.a", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    let text = scene.context(80_000).text.text;
    assert!(text.contains("a.ts:9-11 (a, 100, named in the intent)") && !text.contains("~2"), "{text}");
}

#[test]
fn a_list_without_entries_says_whether_there_is_nothing() {
    let world = World::new(&[CART]);
    let alone = scene(&world, &["src/cart.ts#Cart.close"]);
    assert_eq!(states(&alone.context(80_000)), ["  none found (complete)"; 3]);
    let any = ("src/any.ts", "import { Cart } from \"./cart\";\nexport function any(x) { x.close(); }\n");
    let world = World::new(&[CART, any]);
    let open = scene(&world, &["src/cart.ts#Cart.close"]);
    let context = open.context(80_000);
    let reason = "1 unresolved use of close in src/any.ts";
    assert_eq!(states(&context)[0], format!("  none found (incomplete: {reason})"));
    let list = |kind: &str, state: &str, reasons: &[&str]| {
        (kind.to_owned(), state.to_owned(), reasons.iter().map(|reason| (*reason).to_owned()).collect::<Vec<_>>(), 0)
    };
    assert_eq!(
        packed(&world, &open, &context),
        [
            list("impacted_file", "incomplete", &[reason]),
            list("dependency", "complete", &[]),
            list("test_command", "complete", &[])
        ]
    );
}

#[test]
fn what_is_not_understood_is_unknown_and_prose_has_no_lists() {
    let world = World::new(&[CART, ("x.py", "def a(): pass\n"), ("README.md", "A shop.\n")]);
    let unknown = "  none found (unknown: x.py is of no language that is understood)";
    assert_eq!(states(&scene(&world, &["x.py"]).context(80_000)), [unknown; 3]);
    let both = scene(&world, &["src/cart.ts#Cart", "x.py"]).context(80_000);
    assert_eq!(states(&both), ["  none found (incomplete: x.py is of no language that is understood)"; 3]);
    let prose = scene(&world, &["README.md"]).context(80_000);
    assert_eq!(states(&prose), [""; 3]);
    assert!(!prose.text.text.contains("complete)"), "{}", prose.text.text);
}

#[test]
fn what_is_cut_or_not_listed_is_missing() {
    let file = |n: usize| (format!("src/user{n:02}.ts"), "import { Cart } from \"./cart\";\nnew Cart().close();\n".to_owned());
    let files: Vec<(String, String)> = (0..40).map(file).collect();
    let all = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain([CART]).collect::<Vec<_>>();
    let world = World::new(&all);
    let mut scene = scene(&world, &["src/cart.ts#Cart.close"]);
    let via = world.node("src/cart.ts#Cart.close");
    let link = |via: NodeId| Reason::Link {
        kind: activate_rules::links::LinkKind::Calls,
        via,
        line: Some(2),
        confidence: activate_rules::links::Confidence::Exact,
    };
    for (path, _) in &files[..39] {
        scene.add(path, 70_000, Role::Impacted, link(via));
    }
    let listed = "1 more user is not listed";
    assert_eq!(states(&scene.context(80_000))[0], format!("  (incomplete: {listed})"));
    scene.add(&files[39].0, 70_000, Role::Impacted, link(via));
    assert_eq!(states(&scene.context(80_000))[0], "  (complete)");
    let tight = scene.context(700);
    let lines = under(&tight, HEADINGS[0]);
    assert!(lines[lines.len() - 2].starts_with("  +") && lines.len() < 40, "{lines:?}");
    assert_eq!(lines.last(), Some(&"  (incomplete: cut for want of room)"));
    // Where there is no room for a list at all, the packet still says what is missing.
    let tiny = scene.context(200);
    assert!(!tiny.text.text.contains("IMPACTED FILES"), "{}", tiny.text.text);
    let (kind, state, reasons, n_cut) = packed(&world, &scene, &tiny).swap_remove(0);
    assert_eq!((kind.as_str(), state.as_str(), n_cut), ("impacted_file", "incomplete", 40));
    assert_eq!(reasons, ["cut for want of room"]);
}

#[test]
fn targets_that_were_not_looked_at_are_counted() {
    let texts: Vec<(String, String)> = (0..15).map(|n| (format!("f{n}.ts"), format!("export function f{n}() {{}}\n"))).collect();
    let world = World::new(&texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    let ids: Vec<String> = (0..15).map(|n| format!("f{n}.ts#f{n}")).collect();
    let context = scene(&world, &ids.iter().map(String::as_str).collect::<Vec<_>>()).context(80_000);
    assert_eq!(states(&context), ["  none found (incomplete: 3 more targets were not looked at)"; 3]);
}
