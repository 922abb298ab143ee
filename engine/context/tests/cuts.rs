//! What goes first where there is little room, and what is said about it.

use super::fixture::{Fixture, Scene, strings};
use super::{auth, full_state, git, under};
use crate::activation::{Reason, Role};
use crate::git_state::{CommitLine, GitState};
use crate::state::Tool;
use crate::{Pin, SessionContext};
use error::ErrorKind;
use std::collections::BTreeSet;
use tokens::Tokenizer;

/// A history of so many turns.
fn lines(n_turns: usize, what: &str) -> String {
    (0..n_turns).map(|n| format!("turn {n} {what}")).collect::<Vec<_>>().join("\n")
}

/// Lines of code, each with its file.
type Lines = BTreeSet<(String, u32)>;

/// The lines of code that a text shows, and the number of fences around them. Each line must be what stands there in its file, have its
/// number where one is due, and be shown once.
fn code(fixture: &Fixture, context: &SessionContext) -> (Lines, usize) {
    let text = &context.text.text;
    let (mut shown, mut n_fences) = (Lines::new(), 0);
    let (mut is_open, mut path, mut last, mut next) = (false, "", 0, None);
    for line in text.lines().skip_while(|line| *line != "TARGET CODE:").skip(1) {
        match line {
            _ if line.starts_with("[data ") => (is_open, n_fences) = (true, n_fences + 1),
            _ if line.starts_with("[end ") => is_open = false,
            _ if !is_open => break,
            "..." => next = None,
            _ if !line.is_empty() && !line.starts_with(|c: char| c == ' ' || c.is_ascii_digit()) => {
                let (place, reason) = line.split_once(" (").unwrap_or_else(|| panic!("no header: {line}\n{text}"));
                assert!(reason.len() > 1 && reason.split(' ').count() <= 8, "{line}");
                let lines;
                (path, lines) = place.rsplit_once(':').expect("a place");
                last = lines.split_once('-').expect("lines").1.parse().expect("a number");
                next = None;
            }
            _ => {
                let (number, code) = line.split_at(line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len()));
                let number: Option<u32> = number.parse().ok();
                let at = number.or(next).unwrap_or_else(|| panic!("no number: {line}\n{text}"));
                // A single blank line between two passages stands for itself.
                assert!(number.is_some() || !at.is_multiple_of(5) || line.is_empty(), "{line}\n{text}");
                assert!(next.is_none_or(|next| at == next) && at <= last, "{path}:{at}\n{text}");
                let there = fixture.texts[path].lines().nth(at as usize - 1);
                assert_eq!(Some(code.strip_prefix(' ').unwrap_or(code)), there, "{path}:{at}\n{text}");
                assert!(shown.insert((path.to_owned(), at)), "{path}:{at} is shown twice\n{text}");
                next = Some(at + 1);
            }
        }
    }
    (shown, n_fences)
}

/// A shop of a dozen files with short and long functions that call each other.
fn shop() -> Fixture {
    let part = |n: usize| {
        let (to, name) = ((n * 5 + 1) % 12, ["order", "price", "stock", "letter"][n % 4]);
        let check = |k: usize| format!("\tif {name}.total{k} > {k} {{\n\t\treturn load{to}({name}, {k})\n\t}}\n\n");
        let checks = (0..4 + n * 2).map(check).collect::<Vec<_>>().concat();
        let text = format!(
            "// Package shop sells.\npackage shop\n\nimport \"fmt\"\n\n// Part{n} is a {name}.\ntype Part{n} struct {{\n\tname string\n}}\n\n\
             // run{n} checks the {name}.\nfunc run{n}({name} Part{n}) int {{\n{checks}\treturn 0\n}}\n\n\
             func load{n}({name} Part{n}, total int) int {{\n\tfmt.Println({name}, total)\n\n\treturn total\n}}\n"
        );
        (format!("shop/part{n:02}.go"), text)
    };
    let files: Vec<(String, String)> = (0..12).map(part).chain([("go.mod".to_owned(), "module shop\n".to_owned())]).collect();
    Fixture::new(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>())
}

#[test]
fn what_has_room_in_less_has_room_in_more() {
    let fixture = shop();
    for (intent, error, untracked) in [
        ("fix the order total in run8", None, None),
        ("fix load3 and the stock of run10", Some("error:shop/part07.go:30:undefined: load0"), None),
        ("prices and letters", None, Some("shop/part01.go")),
    ] {
        let mut scene = Scene::new(&fixture, intent);
        scene.git.is_repository = true;
        scene.git.untracked = untracked.into_iter().map(str::to_owned).collect();
        scene.state.current_diagnostics = error.into_iter().map(str::to_owned).collect();
        let (mut before, mut named_before, mut budget) = (Lines::new(), BTreeSet::new(), 200);
        while budget <= 20_000 {
            let context = scene.real_context_within(budget).unwrap();
            let text = &context.text.text;
            assert!(context.tokens.0 <= budget && context.tokens == Tokenizer::O200k.count(text), "{budget}: {}", context.tokens);
            let (shown, n_fences) = code(&fixture, &context);
            assert!(untracked.is_some() || n_fences <= 1, "{budget}: {text}");
            let items = || context.sections.iter().flat_map(|section| &section.items).map(|item| &item.about);
            for (about, (from, to)) in
                items().filter(|about| about.kind == "code").filter_map(|about| Some((about, about.lines?)))
            {
                let path = about.path.as_ref().expect("a path").to_string();
                let is_shown = |line: &u32| shown.contains(&(path.clone(), *line));
                assert!((from..=to).all(|line| is_shown(&line)), "{budget}: {path}:{from}-{to}\n{text}");
            }
            let named: BTreeSet<String> = items()
                .filter(|about| about.kind == "likely_file")
                .map(|about| about.path.clone().unwrap().to_string())
                .collect();
            assert!(before.is_subset(&shown), "{budget}: {:?}\n{text}", before.difference(&shown));
            assert!(named_before.is_subset(&named), "{budget}: {:?}\n{text}", named_before.difference(&named));
            (before, named_before, budget) = (shown, named, budget + budget / 6);
        }
        assert!(before.len() > 100 && named_before.len() > 2, "{} lines, {} files", before.len(), named_before.len());
    }
}

#[test]
fn without_line_numbers_each_file_has_fences_of_its_own() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    let numbered = scene.context(80_000);
    scene.line_numbers = 0;
    let plain = scene.context(80_000);
    let text = &plain.text.text;
    let (shown, n_fences) = code(&fixture, &numbered);
    let files: BTreeSet<&String> = shown.iter().map(|(path, _)| path).collect();
    // The first line of the text names fences too.
    assert_eq!((n_fences, text.matches("[data ").count() - 1), (1, files.len()), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let header = lines.iter().position(|line| line.starts_with("internal/auth/middleware.go:")).expect("a header");
    assert!(lines[header - 1].starts_with("[end ") && lines[header + 1].starts_with("[data "), "{text}");
    assert!(text.contains("\nfunc TestValidateToken(t *testing.T) {\n\tgood := mint("), "{text}");
}

#[test]
fn what_is_worth_less_goes_first_and_the_target_is_cut_where_a_statement_ends() {
    let fixture = Fixture::auth_go();
    let (mut ends, mut callee_before) = (BTreeSet::new(), false);
    for budget in (150..1_500).step_by(10) {
        let context = auth(&fixture).context(budget);
        let (shown, _) = code(&fixture, &context);
        let last = (30..=49).rev().find(|line| shown.contains(&(super::LOGIN.to_owned(), *line)));
        let has_callee = shown.contains(&(super::LOGIN.to_owned(), 53));
        assert!(last == Some(49) || !has_callee, "{budget}: {}", context.text.text);
        assert!(has_callee || !callee_before, "{budget}: {}", context.text.text);
        ends.extend(last);
        callee_before = has_callee;
    }
    // The lines before a statement of the body, and the last.
    let borders = [33, 36, 37, 40, 41, 44, 47, 49];
    assert!(callee_before && ends.len() > 2 && ends.iter().all(|end| borders.contains(end)), "{ends:?}");
}

#[test]
fn of_a_long_body_the_failing_run_is_shown_under_its_first_line() {
    let body: Vec<String> = (3..=302).map(|n| format!("\tstep{n}()")).collect();
    let text = format!("package a\nfunc Long() {{\n{}\n}}\n", body.join("\n"));
    let fixture = Fixture::new(&[("go.mod", "module a\n"), ("long.go", &text)]);
    let mut scene = Scene::new(&fixture, "fix Long");
    scene.add("long.go", 100_000, Role::Target, Reason::Holds(fixture.node("long.go#Long")));
    scene.add("long.go#Long", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    scene.state.current_diagnostics = strings(&["error:long.go:200:undefined: step200"]);
    let contexts = (150..1_000).step_by(10).map(|budget| scene.context(budget));
    let (shown, context) =
        contexts.map(|context| (code(&fixture, &context).0, context)).find(|(shown, _)| !shown.is_empty()).expect("code");
    let text = &context.text.text;
    assert!(text.contains("\n2 func Long() {\n...\n") && text.contains("\n200 \tstep200()\n"), "{text}");
    assert!(shown.len() <= 1 + 22 && shown.iter().all(|(_, line)| *line == 2 || line.abs_diff(200) < 22), "{text}");
}

#[test]
fn above_a_method_stands_what_opens_its_block() {
    let body = (0..30).map(|n| format!("        self.step{n}();\n")).collect::<Vec<_>>().concat();
    let method = |name: &str| format!("    /// Does {name}.\n    pub fn {name}(&self) {{\n{body}    }}\n\n");
    let text = format!("pub struct Book;\n\nimpl Store for Book {{\n{}{}}}\n", method("open"), method("close"));
    let fixture = Fixture::new(&[
        ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/lib.rs", &text),
    ]);
    let mut scene = Scene::new(&fixture, "fix Book.close");
    scene.add("src/lib.rs", 100_000, Role::Target, Reason::Holds(fixture.node("src/lib.rs#Book.close")));
    scene.add("src/lib.rs#Book.close", 100_000, Role::Target, Reason::Named("named in the intent".into()));
    let texts = (200..1_000).step_by(20).map(|budget| scene.context(budget).text.text);
    let text = texts.into_iter().find(|text| text.contains("pub fn close(&self) {")).expect("the method");
    assert!(text.contains("\n3 impl Store for Book {\n...\n") && !text.contains("pub fn open(&self)"), "{text}");
}

#[test]
fn nested_code_is_shown_once() {
    let methods = (2..=16).map(|n| format!("  m{n}() {{\n    return {n};\n  }}\n")).collect::<Vec<_>>().concat();
    let fixture = Fixture::new(&[("package.json", "{}"), ("book.ts", &format!("export class Book {{\n{methods}}}\n"))]);
    let shown = |class: i32, member: i32| {
        let mut scene = Scene::new(&fixture, "fix Book");
        scene.add("book.ts", 100_000, Role::Target, Reason::Holds(fixture.node("book.ts#Book")));
        scene.add("book.ts#Book", class, Role::Target, Reason::Named("named in the intent".into()));
        scene.add("book.ts#Book.m9", member, Role::Target, Reason::Named("named in the intent".into()));
        // That no line is shown twice is looked at there.
        [250, 80_000].map(|budget| code(&fixture, &scene.context(budget)).0)
    };
    for (class, member) in [(100_000, 90_000), (90_000, 100_000)] {
        let [few, all] = shown(class, member);
        assert!([1, 23, 24, 25].iter().all(|line| all.contains(&("book.ts".to_owned(), *line))), "{all:?}");
        assert!(few.is_subset(&all) && few.contains(&("book.ts".to_owned(), 1)), "{few:?}");
    }
}

#[test]
fn what_is_cut_is_said_in_its_place() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    let tool = |n| Tool { name: format!("tool{n}"), description: "does something".into(), ..Tool::default() };
    scene.state.available_tools = (0..500).map(tool).collect();
    scene.state.safety_warnings = (0..40).map(|n| format!("warning number {n} about something")).collect();
    scene.state.compressed_history = lines(60, "did this and that");
    let context = scene.context(2_000);
    assert_eq!(under(&context, "SAFETY CONSTRAINTS:").len(), 40, "what must not be done is said in any case");
    let tools = under(&context, "AVAILABLE TOOLS (use instead of creating new ones):");
    let note = tools[tools.len() - 2];
    assert!(tools[0].starts_with("  - tool0: ") && note.starts_with("  +4") && note.contains("more tools"), "{tools:?}");
    let history = under(&context, "SESSION HISTORY (compressed):");
    assert!(history[0].ends_with("more earlier turns") && history.last().unwrap().starts_with("  turn 59"), "{history:?}");
}

#[test]
fn a_section_is_cut_in_its_stated_order() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    let commit = |n: usize| CommitLine {
        sha: format!("{n:08}"),
        subject: format!("Subject number {n}"),
        touches_hot_lines: true,
        ..CommitLine::default()
    };
    scene.git = GitState { is_repository: true, commits: (0..30).map(commit).collect(), ..GitState::default() };
    assert_eq!(scene.context(80_000).text.text.matches("Subject number").count(), 5, "what nobody gave is less");
    scene.state.git_recent_commits = (0..30).map(|n| format!("{n:08}: Subject number {n}")).collect();
    scene.state.compressed_history = lines(20, "");
    scene.state.recent_findings =
        (0..40).map(|n| format!("[{}] finding number {n}", if n % 4 == 0 { "SECURITY" } else { "STYLE" })).collect();
    // Other code fills what is left, so that each section has its share alone.
    scene.state.current_diagnostics = (0..900).map(|n| format!("error:a.go:{n}:bad")).collect();
    let all = scene.context(80_000);
    assert_eq!(all.text.text.matches("Subject number").count(), 20);
    let cut: Vec<SessionContext> = (300..2_600).step_by(20).filter_map(|budget| scene.try_context(budget).ok()).collect();
    let n = |context: &SessionContext, what| context.text.text.matches(what).count();
    let past: Vec<(usize, usize)> = cut.iter().map(|context| (n(context, "  turn "), n(context, "Subject number"))).collect();
    assert!(past.iter().all(|(n_turns, n_commits)| *n_turns == 0 || *n_commits == 20), "{past:?}");
    assert!(past.iter().any(|(_, n_commits)| (5..20).contains(n_commits)), "{past:?}");
    let tight = cut.iter().find(|context| n(context, " findings, the first: ") == 2).expect("findings in two lines");
    let findings = under(tight, "RECENT FINDINGS TO ADDRESS:");
    assert_eq!(findings[0], "  - [SECURITY] 10 findings, the first: [SECURITY] finding number 0");
    assert_eq!(findings[1], "  - [STYLE] 30 findings, the first: [STYLE] finding number 1");
}

#[test]
fn what_blocks_gets_its_room_in_the_order_of_compression_over_all_sections() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    scene.state.current_diagnostics = (0..60).map(|n| format!("error:a.go:{n}:undefined: name{n}")).collect();
    scene.state.git_recent_commits = (0..20).map(|n| format!("{n:08}: Subject number {n}")).collect();
    scene.state.compressed_history = lines(20, "did this and that");
    scene.state.recent_findings = (0..20).map(|n| format!("[STYLE] finding number {n}")).collect();
    let (mut orders, mut n_whole) = (BTreeSet::new(), 0);
    for budget in (1_000..6_000).step_by(50) {
        let context = scene.context(budget);
        let n = |what| context.text.text.matches(what).count();
        let given = [n("error:a.go:") < 60, n("  turn ") < 20, n("Subject number") < 20, n(" findings, the first: ") > 0];
        let [errors, turns, commits, findings] = given;
        // What goes later goes only when what goes earlier is gone.
        assert!(!commits || n("  turn ") == 0, "{budget}: {given:?}");
        assert!(!errors || turns && n("  turn ") == 0 && n("Subject number") <= 5 && findings, "{budget}: {given:?}");
        orders.insert(given);
        n_whole += usize::from(given == [false; 4]);
    }
    assert!(orders.contains(&[false, true, false, false]) && orders.contains(&[true; 4]) && n_whole > 0, "{orders:?}");
}

#[test]
fn the_most_likely_file_is_named_however_little_room_there_is() {
    let fixture = Fixture::auth_go();
    let named = |context: &SessionContext| -> Vec<String> {
        let lines = under(context, "LIKELY FILES (most likely first):").into_iter();
        lines.filter_map(|line| line.strip_prefix("  - ")).map(str::to_owned).collect()
    };
    // The frame alone has about a hundred tokens.
    let tiny: Vec<Vec<String>> = (130..1_300).step_by(10).map(|budget| named(&auth(&fixture).context(budget))).collect();
    assert!(tiny.iter().all(|files| files.first().is_some_and(|file| file.starts_with("internal/auth/login.go"))));
    assert_eq!(tiny[0], ["internal/auth/login.go"]);
    assert!(tiny.is_sorted_by_key(Vec::len) && tiny.last().is_some_and(|files| files.len() == 3), "{tiny:?}");
    let mut busy = auth(&fixture);
    (busy.state, busy.git) = (full_state(), git());
    for budget in 400..500 {
        let context = busy.context(budget);
        assert!(named(&context).first().is_some_and(|file| file.starts_with("internal/auth/login.go")), "{}", context.text.text);
    }
}

#[test]
fn pins_come_first_at_full_text_and_alone_can_be_too_much() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    // Lines that are pinned stand in the packet once.
    scene.pins = vec![Pin { file: fixture.node(super::LOGIN), lines: Some((30, 40)) }];
    let text = scene.context(2_000).text.text;
    assert_eq!(text.matches("func ValidateToken(raw string").count(), 1, "{text}");
    let pinned: Vec<&str> = text.split("(pinned)").nth(1).expect("a pin").split("[end").next().expect("code").lines().collect();
    assert!(pinned.iter().any(|line| line.contains("func ValidateToken(")) && text.contains("\n41 "), "{text}");
    scene.pins = vec![Pin { file: fixture.node("internal/auth/keys.go"), lines: Some((1, 20)) }];
    let context = scene.context(1_000);
    let text = &context.text.text;
    assert!(text.find("internal/auth/keys.go:1-20 (pinned)").unwrap() < text.find("LIKELY FILES").unwrap());
    assert_eq!(scene.try_context(150).unwrap_err().kind, ErrorKind::BudgetTooSmall);
}
