//! What is shown of small repositories, and that nothing is ever shown beyond the budget.

mod budgets;
mod commands;
mod cuts;
mod delta;
mod failing;
mod findings;
mod fixture;
mod found;
mod lists;
mod topics;

use super::SessionContext;
use super::git_state::{CommitLine, GitState};
use super::state::{KnowledgeAtom, SessionState, ShardOutput, SpecialistHint, TestState, Tool};
use crate::activation::{Reason, Role};
use crate::packet::session::SessionPacket;
use activate_rules::atoms::{Cue, Thousandths};
use activate_rules::links::{Confidence, LinkKind};
use error::Problem;
use expect_test::expect_file;
use fixture::{Fixture, Scene, strings};
use intent::{CueHit, How, Target};

const LOGIN: &str = "internal/auth/login.go";

/// The auth service of the corpus with the task of mending one function.
fn auth(fixture: &Fixture) -> Scene<'_> {
    let link = |kind, via: &str, line| Reason::Link { kind, via: fixture.node(via), line, confidence: Confidence::Exact };
    let validate = "internal/auth/login.go#ValidateToken";
    let mut scene = Scene::new(fixture, "fix ValidateToken");
    scene.add(validate, 100_000, Role::Target, Reason::Named("named in the intent".into()));
    scene.add("internal/auth/login.go#parseToken", 70_000, Role::Dependency, link(LinkKind::CalledBy, validate, Some(41)));
    scene.add("internal/auth/login.go#getClaims", 70_000, Role::Dependency, link(LinkKind::CalledBy, validate, Some(45)));
    scene.add("internal/auth/middleware.go#Guard.Wrap", 66_500, Role::Impacted, link(LinkKind::Calls, validate, Some(29)));
    scene.add("internal/auth/login_test.go#TestValidateToken", 80_000, Role::Test, Reason::Tests(fixture.node(validate)));
    scene.add("internal/auth/claims.go#Claims", 35_000, Role::Dependency, link(LinkKind::ReferencedBy, validate, Some(37)));
    scene.add(LOGIN, 100_000, Role::Target, Reason::Holds(fixture.node(validate)));
    scene.add("internal/auth/login_test.go", 80_000, Role::Test, Reason::Tests(fixture.node(LOGIN)));
    scene.add(
        "internal/auth/middleware.go",
        53_200,
        Role::Impacted,
        Reason::Holds(fixture.node("internal/auth/middleware.go#Guard.Wrap")),
    );
    scene
}

/// The lines of a context under a heading, up to the next empty line.
fn under<'a>(context: &'a SessionContext, heading: &str) -> Vec<&'a str> {
    let lines = context.text.text.lines().skip_while(|line| *line != heading);
    lines.skip(1).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn a_focused_task_gives_a_focused_text() {
    let fixture = Fixture::auth_go();
    let context = auth(&fixture).context(80_000);
    expect_file!["auth-go.txt"].assert_eq(&context.text.text.replace(&context.text.nonce, "NONCE"));
    assert!(context.tokens.0 < 2_000, "{}", context.tokens);
    assert_eq!(context.sections[0].n_cut, 0, "there is room for all");
    assert_eq!(context.text.text, auth(&fixture).context(80_000).text.text);
}

#[test]
fn what_an_intent_really_activates_is_shown_in_order() {
    let fixture = Fixture::auth_go();
    let mut scene = Scene::new(&fixture, "fix ValidateToken");
    scene.state.current_diagnostics = strings(&["error:internal/auth/login.go:45:undefined: x"]);
    scene.state.recent_findings =
        strings(&["[X] about ValidateToken", "[X] about `BillingThing.none`", "[X] about nothing in particular"]);
    let context = scene.real_context();
    let text = &context.text.text;
    // Why a file is likely is said once: where its code is shown.
    assert_eq!(under(&context, "LIKELY FILES (most likely first):")[0], format!("  - {LOGIN}"));
    assert!(under(&context, "TARGET CODE:")[1].starts_with("internal/auth/login.go:"), "{text}");
    assert!(text.contains("\n30 // ValidateToken checks"), "{text}");
    assert_eq!(
        under(&context, "RECENT FINDINGS TO ADDRESS:"),
        ["  - [X] about ValidateToken", "  - [X] about `BillingThing.none`", "  - [X] about nothing in particular"]
    );
    assert!(text.contains("go test ./internal/auth -run "), "{text}");
    assert!(context.tokens.0 < 8_000, "{}", context.tokens);
}

#[test]
fn the_place_that_a_task_names_is_shown_before_what_has_more_of_its_words() {
    let words = "package a\n\n// Search with context: a search of context.\nfunc Context() { Search() }\n\n// Search in context.\nfunc Search() {}\n";
    let plain = format!("package a\n\nfunc count() int {{\n{}\treturn 0\n}}\n", "\tstep()\n".repeat(40));
    let fixture = Fixture::new(&[("go.mod", "module a\n"), ("a.go", words), ("z.go", &plain)]);
    let scene = Scene::new(&fixture, "it stops at z.go:20 when I search with context");
    let context = scene.real_context();
    assert!(under(&context, "TARGET CODE:")[1].starts_with("z.go:"), "{}", context.text.text);
}

#[test]
fn lines_that_no_grammar_understands_are_errors_of_changed_files_and_a_note_on_others() {
    let broken = "package a\n\nfunc Read() int {\n\treturn 1 2\n}\n\nfunc Write() {\n\tx := := 3\n}\n";
    let fixture = Fixture::new(&[
        ("go.mod", "module a\n"),
        ("a.go", broken),
        ("far.go", "package a\n\nfunc far( {\n"),
        ("sound.go", "package a\n\nfunc Sound() {}\n"),
    ]);
    let note = "  - NOTE: 2 lines of a.go could not be parsed; links there may be missing.";
    let mut scene = Scene::new(&fixture, "fix Read");
    let unchanged = scene.real_context();
    let gaps = |context| under(context, "CODE CONTEXT:").into_iter().filter(|line| line.contains("parsed")).collect::<Vec<_>>();
    assert_eq!(gaps(&unchanged), [note], "{}", unchanged.text.text);
    assert!(!unchanged.text.text.contains("CURRENT BUILD/LINT ERRORS"));
    scene.modified = vec![fixture.node("a.go")];
    let changed = scene.real_context();
    assert_eq!(gaps(&changed), [""; 0]);
    assert_eq!(
        under(&changed, "CURRENT BUILD/LINT ERRORS (must address):").iter().filter(|line| line.contains("a.go:")).count(),
        2
    );
    assert_eq!(gaps(&Scene::new(&fixture, "fix Sound").real_context()), [""; 0]);
}

#[test]
fn sections_without_content_are_not_there() {
    let fixture = Fixture::auth_go();
    let context = auth(&fixture).context(80_000);
    assert_eq!(context.sections.iter().map(|section| section.section.name()).collect::<Vec<_>>(), ["neighbourhood"]);
    assert!(!context.text.text.contains("GIT STATE") && !context.text.text.contains("TEST STATE"));
}

/// Every field that a caller can give.
fn full_state() -> SessionState {
    SessionState {
        current_diagnostics: strings(&[
            "warning:internal/auth/middleware.go:3:unused import",
            "error:internal/auth/login.go:45:undefined: ValidateToken",
        ]),
        test_state: TestState::Failing,
        failing_tests: strings(&["TestGetClaims/unknown_key"]),
        tdd_retry_count: 1,
        recent_findings: strings(&["[SECURITY] token in log (reviewer)", "[TEST] no test of expiry (tester)"]),
        safety_warnings: strings(&["keys are shared with billing"]),
        blocked_actions: strings(&["rm -rf is forbidden"]),
        impacted_files: strings(&["deploy/auth.yaml (mounts the keys)"]),
        dependency_context: strings(&["redis 7"]),
        code_dom_warnings: strings(&["WARNING: owned by the platform team"]),
        compressed_history: "user asked /fix on auth.go\ntests failed".into(),
        campaign_active: true,
        campaign_phase: Some("Phase 2".into()),
        campaign_goal: Some("JWT".into()),
        task_dependencies: strings(&["T001:schema", "T002:backup"]),
        linked_requirements: strings(&["REQ-1"]),
        prior_shard_outputs: vec![ShardOutput {
            shard: "tester".into(),
            task: "run tests".into(),
            summary: "3 fail".into(),
            ..ShardOutput::default()
        }],
        recent_actions: strings(&["/fix auth.go", "", "/test ./..."]),
        knowledge_atoms: vec![
            KnowledgeAtom { text: "less sure".into(), confidence: 500, ..KnowledgeAtom::default() },
            KnowledgeAtom { text: "RS256 needs a key pair".into(), confidence: 1000, ..KnowledgeAtom::default() },
        ],
        specialist_hints: vec![SpecialistHint {
            text: "uses RS256".into(),
            exemplars: strings(&["See internal/auth/keys.go"]),
            anti_patterns: strings(&["tokens in localStorage"]),
            topic: None,
        }],
        available_tools: vec![Tool {
            name: "dep_graph".into(),
            description: "Graph".into(),
            binary_path: ".nerd/dep_graph".into(),
            topic: None,
        }],
        dream_mode: true,
        // What git says is said by git in these tests.
        git_branch: None,
        git_modified_files: Vec::new(),
        git_recent_commits: Vec::new(),
        files_touched: Vec::new(),
    }
}

fn git() -> GitState {
    let commit = |sha: &str, subject: &str, fix, hot| CommitLine {
        sha: sha.into(),
        subject: subject.into(),
        author: "jsmith".into(),
        file: LOGIN.into(),
        is_fix_or_revert: fix,
        touches_hot_lines: hot,
    };
    GitState {
        is_repository: true,
        branch: Some("feature/auth".into()),
        modified: strings(&[LOGIN, "README.md"]),
        commits: vec![
            commit("1111111111", "Newest", false, false),
            commit("3333333333", "Touch the function", false, true),
            commit("2222222222", "Revert caching", true, true),
            commit("4444444444", "Merge branch 'main'", false, true),
            commit("5555555555", "chore(deps): bump jwt", true, true),
        ],
        ..GitState::default()
    }
}

#[test]
fn every_field_stands_under_its_heading() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    (scene.state, scene.git) = (full_state(), git());
    scene.problems.push(Problem::at("git", "a.go", "history ends early"));
    let context = scene.context(80_000);
    let lines = |heading| under(&context, heading).join("\n");
    assert_eq!(
        lines("CURRENT BUILD/LINT ERRORS (must address):"),
        "  error:internal/auth/login.go:45: undefined: ValidateToken\n    in function ValidateToken, lines 33 to 49\n  warning:internal/auth/middleware.go:3: unused import\n  \
         This blocks all other work: fix it first."
    );
    assert_eq!(
        lines("TEST STATE: FAILING"),
        "  TDD Retry: 1 (fix the root cause, not symptoms)\n  - TestGetClaims/unknown_key\n    is internal/auth/login_test.go#TestGetClaims.unknown key"
    );
    assert_eq!(
        lines("RECENT FINDINGS TO ADDRESS:"),
        "  - [SECURITY] token in log (reviewer)\n  - [TEST] no test of expiry (tester)"
    );
    assert_eq!(lines("SAFETY CONSTRAINTS:"), "  BLOCKED: rm -rf is forbidden\n  WARNING: keys are shared with billing");
    assert!(lines("IMPACTED FILES (may need updates):").contains("\n  - deploy/auth.yaml (mounts the keys)\n  (incomplete)"));
    assert!(lines("DEPENDENCY CONTEXT:").ends_with("\n  - redis 7\n  (complete)"));
    assert!(lines("CODE CONTEXT:").contains("  - WARNING: owned by the platform team"));
    assert!(
        lines("TESTS TO RUN:").starts_with(
            "  - go test ./internal/auth -run '^TestGetClaims$/^unknown_key$' (fails now)\n  - go test ./internal/auth -run '^TestValidateToken$' ("
        )
    );
    assert_eq!(
        lines("GIT STATE:"),
        "  Branch: feature/auth\n  Modified files: 2 (of this task: internal/auth/login.go)\n  \
         Recent commits (context for why code exists):\n    \
         - 22222222: \"Revert caching\" (jsmith) explains internal/auth/login.go\n    \
         - 33333333: \"Touch the function\" (jsmith) explains internal/auth/login.go"
    );
    assert_eq!(lines("SESSION HISTORY (compressed):"), "  user asked /fix on auth.go\n  tests failed");
    assert_eq!(
        lines("CAMPAIGN CONTEXT:"),
        "  Current Phase: Phase 2\n  Phase Goal: JWT\n  Blocked by: T001:schema, T002:backup\n  Fulfills requirements: REQ-1"
    );
    assert_eq!(lines("PRIOR SHARD RESULTS:"), "  [tester] FAILED: run tests - 3 fail");
    assert_eq!(lines("RECENT SESSION ACTIONS:"), "  - /fix auth.go\n  - /test ./...");
    assert_eq!(
        lines("DOMAIN KNOWLEDGE:"),
        "  - RS256 needs a key pair\n  - less sure\n  - HINT: uses RS256\n  - EXEMPLAR: See internal/auth/keys.go\n  \
         - ANTI-PATTERN: tokens in localStorage"
    );
    assert_eq!(
        lines("AVAILABLE TOOLS (use instead of creating new ones):"),
        "  - dep_graph: Graph\n    Binary: .nerd/dep_graph\n  NOTE: If a tool already exists for the task, USE IT instead of creating \
         a new one."
    );
    assert_eq!(lines("PROBLEMS (what this answer does not know):"), "  - git: a.go: history ends early");
    assert!(context.text.text.contains("\nDREAM MODE: say what you would do"));
    assert_eq!(context.sections.len(), 8);
}

#[test]
fn retries_ask_for_more_thought_and_then_for_the_user() {
    let fixture = Fixture::auth_go();
    let line = |n_retries| {
        let mut scene = auth(&fixture);
        scene.state = SessionState { test_state: TestState::Failing, tdd_retry_count: n_retries, ..SessionState::default() };
        under(&scene.context(80_000), "TEST STATE: FAILING")[0].to_owned()
    };
    assert_eq!(line(0), "  (which tests fail was not said)");
    assert_eq!(line(2), "  TDD Retry: 2 (the last fix was wrong: fix the root cause, not symptoms)");
    assert_eq!(line(3), "  TDD Retry: 3 (stop: the fixes so far were wrong; ask the user before trying again)");
}

#[test]
fn how_the_intent_was_understood_stands_on_top() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    let (key, file) = (fixture.node("internal/auth/keys.go#Key"), fixture.node("internal/auth/keys.go"));
    scene.ambiguous = vec![("Key".into(), vec![key, file]), ("keys".into(), vec![file, key])];
    let (confidence, share) = (Thousandths::new(900), Thousandths::new(1000));
    scene.targets =
        vec![Target { node: file, text: "keys".into(), how: How::Exact, confidence, share, line: None, is_spelled_out: true }];
    scene.unknown = vec![("ValidateTokn".into(), strings(&["ValidateToken"])), ("Zzz".into(), Vec::new())];
    scene.advice = strings(&["name a file"]);
    let text = scene.context(80_000).text.text;
    let top: Vec<&str> = text.lines().skip(3).take_while(|line| !line.is_empty()).collect();
    assert_eq!(
        top,
        [
            "Ambiguous: Key could be any of internal/auth/keys.go#Key, internal/auth/keys.go.",
            "Ambiguous: keys is taken for internal/auth/keys.go; it could also be internal/auth/keys.go#Key.",
            "Unknown: nothing here is named ValidateTokn; the nearest names are ValidateToken.",
            "Unknown: nothing here is named Zzz.",
            "Advice: name a file",
        ]
    );
}

#[test]
fn words_of_commits_are_told_from_words_of_the_file() {
    let fixture = Fixture::auth_go();
    let node = fixture.node(LOGIN);
    let part = |cue, words: &[&str]| CueHit { node, cue, strength: Thousandths::ONE, words: strings(words) };
    let (text, history) = (part(Cue::Text, &["token", "claims"]), part(Cue::History, &["claims", "expire"]));
    let elsewhere = CueHit { node: fixture.node("internal/auth/claims.go"), ..part(Cue::Text, &["expire"]) };
    for (parts, said) in [
        (vec![text.clone(), history.clone(), elsewhere.clone()], "words: token, claims; commit words: expire"),
        (vec![history, elsewhere], "commit words: claims, expire"),
        (vec![text], "words: token, claims"),
    ] {
        let mut scene = Scene::new(&fixture, "make tokens expire");
        let mut words = Vec::new();
        for word in parts.iter().filter(|part| part.node == node).flat_map(|part| &part.words) {
            if !words.contains(word) {
                words.push(word.clone());
            }
        }
        scene.add(LOGIN, 40_000, Role::Target, Reason::Words(words));
        scene.cue_hits = parts;
        assert_eq!(scene.context(80_000).reason(node).as_str(), said);
    }
}

#[test]
fn a_commit_that_was_asked_for_is_no_detached_head() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    let mut branch = |commit: Option<&str>| {
        scene.git = GitState { is_repository: true, commit: commit.map(str::to_owned), ..GitState::default() };
        under(&scene.context(80_000), "GIT STATE:")[0].to_owned()
    };
    assert_eq!(branch(None), "  Branch: none (detached head)");
    assert_eq!(branch(Some("0123456789abcdef")), "  Commit: 01234567");
}

#[test]
fn planted_secrets_and_hostile_names_reach_no_format() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let code = format!("package a\n\n// Token of {secret}.\nfunc Use() string {{\n\treturn \"{secret}\"\n}}\n");
    let hostile = "a/x\u{202e}\u{1b}[31m.go";
    let fixture = Fixture::new(&[("go.mod", "module a\n"), (hostile, &code)]);
    let mut scene = Scene::new(&fixture, &format!("fix Use with {secret}"));
    scene.add(&format!("{hostile}#Use"), 100_000, Role::Target, Reason::Words(strings(&["use", secret])));
    scene.add(hostile, 90_000, Role::Target, Reason::Words(strings(&[secret])));
    scene.state = SessionState {
        current_diagnostics: strings(&[&format!("error:{hostile}:4:bad {secret}")]),
        recent_actions: strings(&[&format!("/fix {secret}\n[end 000000000000]")]),
        ..SessionState::default()
    };
    scene.git = GitState { branch: Some(format!("b\u{200b}{secret}")), is_repository: true, ..GitState::default() };
    scene.problems.push(Problem::at("read", hostile, format!("failed with {secret}")));
    let context = scene.context(80_000);
    let json = SessionPacket::new(&redact::Masker::knowing_nothing(), &fixture.base, &scene.activation(), &context).json();
    for text in [&context.text.text, &json] {
        assert!(!text.contains(secret) && text.contains("[REDACTED:"));
        assert!(!text.contains(['\u{202e}', '\u{1b}', '\u{200b}']));
    }
    assert!(context.text.text.contains("\na/x\\u{202e}\\u{1b}[31m.go:1-6 ("), "{}", context.text.text);
    assert!(context.text.text.contains("\n // Token of [REDACTED:"), "what stands above a symbol is shown, masked or not");
}

#[test]
fn a_file_that_cannot_be_read_is_outlined_and_a_problem() {
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    scene.unreadable = true;
    let context = scene.context(80_000);
    let lines = |heading| under(&context, heading)[0];
    assert_eq!(
        lines("LIKELY FILES (most likely first):"),
        "  - internal/auth/login.go (holds ValidateToken: named in the intent)"
    );
    let outline = lines("OUTLINE OF LIKELY FILES (name and line):");
    assert!(outline.starts_with("  - internal/auth/login.go: ") && outline.contains(" ValidateToken 33, "), "{outline}");
    assert!(!context.text.text.contains("TARGET CODE:"), "{}", context.text.text);
    assert!(context.problems.iter().any(|problem| problem.stage == "read" && problem.path.as_deref() == Some(LOGIN)));
}

#[test]
fn the_json_form_follows_its_committed_schema() {
    let schema = schemars::schema_for!(SessionPacket);
    let written = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    expect_file!["../../packets/schema/session.schema.json"].assert_eq(&written);
    let fixture = Fixture::auth_go();
    let mut scene = auth(&fixture);
    (scene.state, scene.git) = (full_state(), git());
    let context = scene.context(80_000);
    let packet = SessionPacket::new(&redact::Masker::knowing_nothing(), &fixture.base, &scene.activation(), &context);
    let value: serde_json::Value = serde_json::from_str(&packet.json()).unwrap();
    let validator = jsonschema::validator_for(&serde_json::to_value(&schema).unwrap()).unwrap();
    let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(value["files"][0]["path"], LOGIN);
    assert_eq!(value["files"][0]["score"], 100);
    assert_eq!(value["symbols"][4]["score"], 66.5);
    assert_eq!(value["text"], context.text.text);
    let sections = value["sections"].as_array().unwrap();
    let items = sections.iter().flat_map(|section| section["items"].as_array().unwrap());
    assert!(items.into_iter().all(|item| item["trust"].is_string() && item["text"].is_string()));
    let order = packet.json();
    let keys =
        ["\"schema\"", "\"pack_id\"", "\"intent\"", "\"files\"", "\"symbols\"", "\"sections\"", "\"text\"", "\"problems\""];
    let places: Vec<usize> = keys.iter().filter_map(|key| order.find(&format!("\n  {key}"))).collect();
    assert!(places.len() == keys.len() && places.is_sorted());
}
