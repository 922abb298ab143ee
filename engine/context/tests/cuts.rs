//! What goes first where there is little room, and what is said about it.

use super::world::{Scene, World, strings};
use super::{auth, full_state, git, under};
use crate::activation::{Reason, Role};
use crate::context::git_state::{CommitLine, GitState};
use crate::context::{Pin, SessionContext};
use crate::error::ErrorKind;

/// A history of so many turns.
fn lines(n_turns: usize, what: &str) -> String {
    (0..n_turns).map(|n| format!("turn {n} {what}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn code_goes_from_body_to_signature_to_one_line_and_the_target_goes_last() {
    let world = World::auth_go();
    let shown = |budget| {
        let context = auth(&world).context(budget);
        assert!(context.tokens.0 <= budget);
        context.text.text
    };
    let (target, callee) = ("\tif claims.Expired(time.Now()) {", "\tparts, err := jwt.Split(raw)");
    let signature = "func parseToken(raw string) (*jwt.Parts, error) {";
    let all = shown(80_000);
    assert!(all.contains(target) && all.contains(callee));
    // The tail shrinks while the target stays whole; its signature is the last of it.
    let (mut order, mut before) = (Vec::new(), [true; 4]);
    for budget in (200..1_500).rev().step_by(10) {
        let text = shown(budget);
        let now = [text.contains(callee), text.contains(signature), text.contains(target), text.contains("ValidateToken, 100")];
        for (place, name) in ["callee", "signature", "target", "line"].iter().enumerate() {
            if before[place] && !now[place] {
                order.push(*name);
            }
        }
        before = now;
    }
    let places: Vec<_> = ["callee", "target"].iter().map(|name| order.iter().position(|seen| seen == name)).collect();
    assert!(places[0].is_some() && places[0] < places[1], "{order:?}");
}

#[test]
fn a_long_body_is_cut_to_what_concerns_the_task() {
    let body: Vec<String> = (3..=302).map(|n| format!("\tstep{n}()")).collect();
    let code = format!("package a\nfunc Long() {{\n{}\n}}\n", body.join("\n"));
    let world = World::new(&[("go.mod", "module a\n"), ("long.go", &code)]);
    let mut scene = Scene::new(&world, "fix Long");
    scene.add("long.go#Long", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    scene.state.current_diagnostics = strings(&["error:long.go:200:undefined: step200"]);
    let text = scene.context(80_000).text.text;
    assert!(text.contains("long.go:2-303 (Long, 100, named in the intent)"));
    assert!(text.contains("\tstep200()\n") && text.contains("\tstep3()\n") && text.contains("]\n}\n[end "));
    assert!(text.contains("[... lines ") && !text.contains("step290()") && text.lines().count() < 150);
}

#[test]
fn nested_code_is_shown_once() {
    let code = "export class Book {\n  rows = 1;\n  read() {\n    return 2;\n  }\n  write() {\n    return 3;\n  }\n}\n";
    let world = World::new(&[("package.json", "{}"), ("book.ts", code)]);
    let text = |class: i32, member: i32| {
        let mut scene = Scene::new(&world, "fix Book");
        scene.add("book.ts#Book", class, Role::Target, Reason::Named("named in the intent".into()));
        scene.add("book.ts#Book.read", member, Role::Target, Reason::Named("named in the intent".into()));
        scene.context(80_000).text.text
    };
    let outer = text(100_000, 90_000);
    assert_eq!((outer.matches("return 2;").count(), outer.matches("return 3;").count()), (1, 1));
    let inner = text(90_000, 100_000);
    assert_eq!((inner.matches("return 2;").count(), inner.matches("return 3;").count()), (1, 0));
    assert!(inner.contains("export class Book {"));
}

#[test]
fn what_is_cut_is_said_in_its_place() {
    let world = World::auth_go();
    let mut scene = auth(&world);
    scene.state.safety_warnings = (0..500).map(|n| format!("warning number {n} about something")).collect();
    scene.state.compressed_history = lines(60, "did this and that");
    let context = scene.context(2_000);
    let safety = under(&context, "SAFETY CONSTRAINTS:");
    assert_eq!(safety[0], "  WARNING: warning number 0 about something");
    assert!(safety.last().unwrap().starts_with("  +4") && safety.last().unwrap().contains("more constraints"), "{safety:?}");
    let history = under(&context, "SESSION HISTORY (compressed):");
    assert!(history[0].ends_with("more earlier turns") && history.last().unwrap().starts_with("  turn 59"), "{history:?}");
}

#[test]
fn a_section_is_cut_in_its_stated_order() {
    let world = World::auth_go();
    let mut scene = auth(&world);
    let commit = |n| CommitLine { sha: format!("{n:08}"), subject: format!("Subject number {n}"), ..CommitLine::default() };
    scene.git = GitState { is_repository: true, commits: (0..30).map(commit).collect(), ..GitState::default() };
    scene.state.compressed_history = lines(20, "");
    scene.state.recent_findings =
        (0..40).map(|n| format!("[{}] finding number {n}", if n % 4 == 0 { "SECURITY" } else { "STYLE" })).collect();
    // Other code fills what is left, so that each section has its share alone.
    scene.state.safety_warnings = (0..900).map(|n| format!("warning {n}")).collect();
    scene.state.current_diagnostics = (0..900).map(|n| format!("error:a.go:{n}:bad")).collect();
    let all = scene.context(80_000);
    assert_eq!(all.text.text.matches("Subject number").count(), 20);
    let tight = scene.context(2_600);
    let n_turns = tight.text.text.matches("  turn ").count();
    let n_commits = tight.text.text.matches("Subject number").count();
    assert!(n_turns == 0 && (5..20).contains(&n_commits), "{n_turns} turns, {n_commits} commits");
    let findings = under(&tight, "RECENT FINDINGS TO ADDRESS:");
    assert_eq!(findings[0], "  - [SECURITY] 10 findings, the first: [SECURITY] finding number 0");
    assert_eq!(findings[1], "  - [STYLE] 30 findings, the first: [STYLE] finding number 1");
}

#[test]
fn the_most_likely_file_is_named_however_little_room_there_is() {
    let world = World::auth_go();
    let named = |context: &SessionContext| -> Vec<String> {
        let lines = under(context, "LIKELY FILES (most likely first):").into_iter();
        lines.filter_map(|line| line.strip_prefix("  - ")).map(str::to_owned).collect()
    };
    // The frame alone has about a hundred tokens.
    let tiny: Vec<Vec<String>> = (130..400).map(|budget| named(&auth(&world).context(budget))).collect();
    assert!(tiny.iter().all(|files| files.first().is_some_and(|file| file.starts_with("internal/auth/login.go (100"))));
    assert_eq!(tiny[0], ["internal/auth/login.go (100)"]);
    assert!(tiny.is_sorted_by_key(Vec::len) && tiny[300 - 130].len() == 3, "{tiny:?}");
    let mut busy = auth(&world);
    (busy.state, busy.git) = (full_state(), git());
    for budget in 300..400 {
        let context = busy.context(budget);
        assert!(
            named(&context).first().is_some_and(|file| file.starts_with("internal/auth/login.go (100")),
            "{}",
            context.text.text
        );
    }
}

#[test]
fn pins_come_first_at_full_text_and_alone_can_be_too_much() {
    let world = World::auth_go();
    let mut scene = auth(&world);
    scene.pins = vec![Pin { file: world.node("internal/auth/keys.go"), lines: Some((1, 20)) }];
    let context = scene.context(1_000);
    let text = &context.text.text;
    assert!(text.find("internal/auth/keys.go:1-20 (pinned)").unwrap() < text.find("LIKELY FILES").unwrap());
    assert_eq!(scene.try_context(200).unwrap_err().kind, ErrorKind::BudgetTooSmall);
}
