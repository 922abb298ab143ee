//! All eight sections filled, one golden text a language: a broken project of the corpus, what its tools say, and a session of three shards.
//!
//! Text in, text out: `UPDATE_EXPECT=1` writes the texts again, to be read over as a diff. Must not need a tool or a network.

use crate::replay::{Replayed, corpus};
use context::budget::Budget;
use engine::blackboard::Blackboard;
use engine::{CacheChoice, Engine, Options};
use expect_test::expect_file;
use session::{KnowledgeAtom, ShardResult, SpecialistHint, Task, Tool};
use signals::{self, Report};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A project with its session.
struct Project {
    name: &'static str,
    /// Outputs of its tools.
    outputs: &'static [&'static str],
    intent: &'static str,
    /// A file of the last commit, and what the commit says.
    last_commit: (&'static str, &'static str),
    /// What a reviewer found; the second, where there is one, in a file that the task does not touch: nearly all of a small project is warm.
    findings: &'static [&'static str],
    /// A file that the session changed a turn ago.
    touched: &'static str,
    knowledge: (&'static str, &'static str),
    hint: (&'static str, &'static str, &'static str),
    /// A fact and its topic that are about something else.
    elsewhere: (&'static str, &'static str),
    /// What the text must have.
    says: &'static [&'static str],
}

const PROJECTS: [Project; 3] = [
    Project {
        name: "broken-go",
        outputs: &["go-build.txt", "go-vet.txt", "go-test.jsonl"],
        intent: "",
        last_commit: ("internal/ledger/ledger.go", "ledger: refuse what exceeds the credit, since two accounts went below it"),
        findings: &[
            "[CORRECTNESS] Ledger.Post compares with the wrong sign (reviewer)",
            "[STYLE] ./go.mod is too old (reviewer)",
        ],
        touched: "internal/stock/stock.go",
        knowledge: ("A customer may use the credit down to the last cent", "Ledger.Post"),
        hint: ("Write amounts with money.Text", "internal/receipt/receipt.go", "Never convert cents to a float"),
        elsewhere: ("Printers want two blank lines", "printer"),
        says: &[
            "error:internal/receipt/receipt.go:16:30: undefined: strings",
            "TestPost/down_to_the_last_cent",
            "internal/stock/stock.go:56",
            "HINT:",
            "make test-ledger",
        ],
    },
    Project {
        name: "broken-rust",
        outputs: &["cargo-check.jsonl", "cargo-test-backtrace.txt"],
        intent: "make the tests pass",
        last_commit: ("crates/fees/src/rates.rs", "fees: the cap is six euros again, since readers paid more than the book"),
        findings: &["[CORRECTNESS] late_fee charges a day of grace (reviewer)"],
        touched: "crates/shelf/src/label.rs",
        knowledge: ("The days of grace are not charged afterwards", "late_fee"),
        hint: ("Labels can hold anything, so parse without slices", "Label::parse", "Never index into a label"),
        elsewhere: ("Stamps are bought in rolls of a hundred", "stamps"),
        says: &["crates/notices/src/letter.rs", "grace::a_book_on_the_last_day_of_grace_is_free", "Label", "just rates"],
    },
    Project {
        name: "broken-ts",
        outputs: &["tsc.txt", "eslint.json", "vitest.json", "jest.json"],
        intent: "",
        last_commit: ("src/pricing/tariff.ts", "pricing: members ride the first half hour for free"),
        findings: &["[CORRECTNESS] priceOf ignores membership (reviewer)"],
        touched: "src/invoices/render.ts",
        knowledge: ("A started half hour counts as a whole one", "priceOf"),
        hint: ("The nearest free dock is found by nearestFree", "src/stations/route.ts", "Never round cents in the invoice"),
        elsewhere: ("The map of the city is drawn at night", "map"),
        says: &["error:src/invoices/render.ts:2:10:", "TS2305", "rides the first half hour for free", "npm run lint"],
    },
];

/// The history of a project: what is around the code, the code, then one file of it by a commit that says why.
fn history(project: &Project, folder: &Path) -> String {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() { folders.push(entry) } else { files.push(entry) }
        }
    }
    let mut names: Vec<String> =
        files.iter().map(|file| file.strip_prefix(folder).expect("below").display().to_string()).collect();
    names.sort();
    let (last, why) = project.last_commit;
    let source = last.split('/').next().unwrap_or_default();
    let (code, rest): (Vec<&String>, Vec<&String>) =
        names.iter().filter(|name| *name != last).partition(|name| name.split('/').next() == Some(source));
    let mut script = String::new();
    for (time, subject, names) in [(1_790_000_000, "How we work", rest), (1_790_050_000, "All of it, as it was on paper", code)] {
        let _ = writeln!(script, "commit {time} Ada <ada@example.com> | {subject}");
        for name in names {
            let _ = writeln!(script, "file {name}");
        }
    }
    let _ = writeln!(script, "commit 1790100000 Ben <ben@example.com> | {why}\nfile {last}");
    script
}

/// What three shards know, after two turns of work.
fn board(project: &Project, report: Report) -> Blackboard {
    let board = Blackboard::default();
    board.change(|session| {
        session.begin("show what is broken").expect("a turn");
        session.current().actions.push("/check all".to_owned());
        session.touch(project.touched.to_owned());
        session.begin(project.intent).expect("a turn");
        session.current().actions.push(format!("/read {}", project.touched));
        for finding in project.findings {
            session.add_finding(*finding).expect("a finding");
        }
        session.safety_warnings.push("Changes of published prices need explicit permission".to_owned());
        session.blocked_actions.push("git push --force is forbidden".to_owned());
        session.campaign.active = true;
        session.campaign.current_phase = Some("Phase 2: mend".to_owned());
        "Everything builds and every test passes".clone_into(&mut session.campaign.goal);
        session.campaign.requirements.push("REQ-012".to_owned());
        let task = |id: &str, name: &str, after: &[&str]| Task {
            id: id.to_owned(),
            name: name.to_owned(),
            after: after.iter().map(|id| (*id).to_owned()).collect(),
            ..Task::default()
        };
        session.campaign.tasks = vec![task("T1", "agree_on_prices", &[]), task("T2", "mend", &["T1"])];
        session.campaign.tasks[1].status = session::Status::Doing;
        let result = |shard: &str, success, task: &str, summary: &str| ShardResult {
            shard: shard.to_owned(),
            success,
            task: task.to_owned(),
            summary: summary.to_owned(),
        };
        session.current().results.push(result("tester", false, "run all checks", "build and tests fail"));
        session.current().results.push(result("reviewer", true, "review the last commit", "2 findings"));
        let atom = |(text, topic): (&str, &str)| KnowledgeAtom {
            text: text.to_owned(),
            topic: Some(topic.to_owned()),
            confidence: 900,
            ..KnowledgeAtom::default()
        };
        session.knowledge = vec![atom(project.knowledge), atom(project.elsewhere)];
        let (text, topic, mistake) = project.hint;
        session.hints.push(SpecialistHint {
            text: text.to_owned(),
            topic: Some(topic.to_owned()),
            anti_patterns: vec![mistake.to_owned()],
            ..SpecialistHint::default()
        });
        session.tools.push(Tool {
            name: "price_check".to_owned(),
            description: "Compares prices with the list on the wall".to_owned(),
            binary_path: "tools/price_check".to_owned(),
            ..Tool::default()
        });
    });
    board.report(report);
    board
}

fn packet(project: &Project) -> String {
    let replayed = Replayed::of(&history(project, &corpus().join(project.name)), &corpus().join(project.name));
    let mut report = Report::default();
    for output in project.outputs {
        let text = fs::read(corpus().join("signals").join(output)).expect("an output");
        signals::read(text.as_slice(), &format!("`{output}`"), None, &mut report).expect("what a tool says");
    }
    assert_eq!(report.problems(), [], "{}", project.name);
    let board = board(project, report);
    let engine =
        Engine::open_with(replayed.path(), Options { cache: CacheChoice::Off, ..Options::default() }).expect("a repository");
    let mut request = board.request("").expect("a request");
    if request.intent.is_empty() {
        "Fix what fails".clone_into(&mut request.intent);
    }
    let activation = engine.activate(&request).expect("an activation");
    let context = activation.session_context(&Budget { total: tokens::Tokens(12_000), ..Budget::default() }).expect("a context");
    let sections: Vec<&str> = context.sections.iter().map(|section| section.section.name()).collect();
    let all = ["blockers", "supervisor", "neighbourhood", "past", "campaign", "peers", "expert", "toolbox"];
    assert_eq!(sections, all, "{}", context.text.text);
    context.text.text
}

#[test]
fn all_eight_sections_are_filled_in_every_language() {
    for project in &PROJECTS {
        let text = packet(project);
        for wanted in project.says {
            assert!(text.contains(wanted), "{}: no `{wanted}` in\n{text}", project.name);
        }
        assert!(!text.contains(project.elsewhere.0) && !text.contains("[STYLE]"), "{}: irrelevant in\n{text}", project.name);
        expect_file![format!("sections/{}.txt", project.name)].assert_eq(&text);
    }
}

#[test]
fn the_guide_lists_every_section_with_its_share() {
    let guide = include_str!("../../docs/src/session.md");
    let rows = guide.lines().filter(|line| line.ends_with('|') && line.contains(" % | "));
    let listed: Vec<String> = rows.map(|row| row.split('|').take(3).collect::<Vec<_>>().join("|")).collect();
    let shares = activate_rules::weights::Mixture::PLAIN.shares;
    let expected = activate_rules::sections::Section::ALL.iter().enumerate().map(|(at, section)| {
        let share = shares.of(*section).get();
        let tenths = if share.is_multiple_of(10) { String::new() } else { format!(".{}", share % 10) };
        format!("| {} {} | {}{tenths} % ", at + 1, section.name(), share / 10)
    });
    assert_eq!(listed, expected.collect::<Vec<_>>());
}
