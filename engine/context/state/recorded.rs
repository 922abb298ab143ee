//! From the record of a session to the state of its current turn: what of earlier turns still counts, and how old it is.
//!
//! Must not read or change a session file, nor decide what is shown: ages go to the policy.

use super::{SessionState, ShardOutput, TestState, TouchedFile};
use error::Result;
use rustc_hash::FxHashSet;
use session::{MAX_ENTRIES, Session, Turn};

/// The most characters of a finding that stand before its number, so that a long one does not push it out of its line.
const MAX_FINDING: usize = 300;

impl SessionState {
    /// The state of the current turn of a session. What git knows is left to git.
    ///
    /// Of lists with more entries than a state may have, the newest are taken.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for a campaign whose tasks wait for each other, with their ids.
    pub fn of(session: &Session) -> Result<Self> {
        let tests = session.fresh_tests();
        let campaign = &session.campaign;
        let waiting_for = if campaign.active { campaign.waiting_for()? } else { Vec::new() };
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Ok(Self {
            current_diagnostics: session.fresh_diagnostics().unwrap_or_default().to_vec(),
            test_state: match tests {
                Some(run) if !run.failing.is_empty() => TestState::Failing,
                Some(run) if run.not_run.is_empty() => TestState::Passing,
                // Others pass, which says nothing of those that failed.
                _ => TestState::Unknown,
            },
            failing_tests: tests.map(|run| run.failing.iter().map(|test| test.name.clone()).collect()).unwrap_or_default(),
            tdd_retry_count: session.retry_count(),
            recent_findings: newest(findings(session)),
            safety_warnings: session.safety_warnings.clone(),
            blocked_actions: session.blocked_actions.clone(),
            files_touched: newest(files_touched(session)),
            compressed_history: session.history_lines().join("\n"),
            campaign_active: campaign.active,
            campaign_phase: campaign.current_phase.clone(),
            campaign_goal: text(campaign.current_goal()),
            task_dependencies: waiting_for.into_iter().map(|task| format!("{}:{}", task.id, task.name)).collect(),
            linked_requirements: campaign.requirements.clone(),
            prior_shard_outputs: newest(session.turns.iter().flat_map(|turn| shard_outputs(session, turn)).collect()),
            recent_actions: actions(session),
            knowledge_atoms: session.knowledge.clone(),
            specialist_hints: session.hints.clone(),
            available_tools: session.tools.clone(),
            ..Self::default()
        })
    }
}

/// The findings that are open, each with the number by which it is resolved.
fn findings(session: &Session) -> Vec<String> {
    let open = session.findings().filter(|finding| !finding.resolved);
    let line = |finding: &session::Finding| {
        let end = finding.text.char_indices().nth(MAX_FINDING).map_or(finding.text.len(), |(end, _)| end);
        let (shown, rest) = finding.text.split_at(end);
        let more = if rest.is_empty() { "" } else { "…" };
        format!("{shown}{more} (finding {})", finding.number)
    };
    open.map(line).collect()
}

/// Each file that the session changed, by its newest change; the newest last.
fn files_touched(session: &Session) -> Vec<TouchedFile> {
    let mut seen = FxHashSet::default();
    let mut files = Vec::new();
    for turn in session.turns.iter().rev() {
        let new = turn.touched.iter().rev().filter(|path| seen.insert(path.as_str()));
        files.extend(new.map(|path| TouchedFile { path: path.clone(), turns_ago: session.turns_ago(turn) }));
    }
    files.reverse();
    files
}

/// What other shards did in a turn.
fn shard_outputs<'s>(session: &'s Session, turn: &'s Turn) -> impl Iterator<Item = ShardOutput> + 's {
    turn.results.iter().map(|result| ShardOutput {
        shard: result.shard.clone(),
        success: result.success,
        task: result.task.clone(),
        summary: result.summary.clone(),
        turns_ago: session.turns_ago(turn),
    })
}

/// The actions of each turn as one text, up to those of the current turn: their age is their place from the end, so that a turn without
/// actions has an empty one.
fn actions(session: &Session) -> Vec<String> {
    let aged = session.turns.iter().map(|turn| (session.turns_ago(turn) as usize, turn));
    let aged: Vec<(usize, &Turn)> = aged.filter(|(age, turn)| *age < MAX_ENTRIES && !turn.actions.is_empty()).collect();
    let mut actions = vec![String::new(); aged.iter().map(|(age, _)| age + 1).max().unwrap_or_default()];
    for (age, turn) in aged {
        if let Some(place) = actions.iter_mut().rev().nth(age) {
            *place = turn.actions.join("; ");
        }
    }
    actions
}

/// The last entries, as many as a state may have.
fn newest<T>(mut entries: Vec<T>) -> Vec<T> {
    entries.drain(..entries.len().saturating_sub(MAX_ENTRIES));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use activate_rules::atoms::{Energy, Turns};
    use activate_rules::weights::Weights;
    use intent::failures::Failures;
    use session::{Campaign, KEPT_TURNS, MAX_TEXT, Phase, ShardResult, Status, Task, TestName, Tool};

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn result(shard: &str) -> ShardResult {
        ShardResult { shard: shard.to_owned(), success: true, task: "review".to_owned(), summary: String::new() }
    }

    #[test]
    fn a_turn_gets_what_still_counts_with_its_age() {
        let mut session = Session { safety_warnings: strings(&["careful"]), ..Session::default() };
        session.tools.push(Tool { name: "t".into(), ..Tool::default() });
        session.begin("fix ValidateToken").unwrap();
        session.current().actions = strings(&["/fix a.go", "/test ./..."]);
        session.record_tests(0, [], ["TestX", "TestY"].map(TestName::from));
        session.record_diagnostics(strings(&["error:a.go:1:x"]));
        session.touch("a.go".into());
        session.touch("b.go".into());
        session.current().results.push(result("reviewer"));
        session.add_finding("[SECURITY] one (reviewer)").unwrap();
        session.add_finding(format!("[LONG] {}", "ä".repeat(900))).unwrap();
        session.begin("fix it again").unwrap();
        session.record_tests(0, [], ["TestX".into()]);
        session.record_diagnostics([]);
        session.touch("a.go".into());
        session.resolve(1).unwrap();
        session.begin("and again").unwrap();
        session.current().actions = strings(&["/review"]);
        let state = SessionState::of(&session).unwrap();
        let touched = |path: &str, turns_ago| TouchedFile { path: path.to_owned(), turns_ago };
        let expected = SessionState {
            test_state: TestState::Failing,
            failing_tests: strings(&["TestX"]),
            tdd_retry_count: 1,
            recent_findings: vec![format!("[LONG] {}… (finding 2)", "ä".repeat(MAX_FINDING - 7))],
            safety_warnings: strings(&["careful"]),
            files_touched: vec![touched("b.go", 2), touched("a.go", 1)],
            compressed_history:
                "turn 1: fix ValidateToken; edited a.go, b.go; 1 error; 2 tests failed (TestX, TestY); reviewer ok; \
                                 found 1 [SECURITY], 1 [LONG]\nturn 2: fix it again; edited a.go; 1 test failed (TestX)"
                    .into(),
            prior_shard_outputs: vec![ShardOutput {
                shard: "reviewer".into(),
                success: true,
                task: "review".into(),
                summary: String::new(),
                turns_ago: 2,
            }],
            recent_actions: strings(&["/fix a.go; /test ./...", "", "/review"]),
            available_tools: session.tools.clone(),
            ..SessionState::default()
        };
        assert_eq!(state, expected);
        assert_eq!(SessionState::of(&Session::default()).unwrap(), SessionState::default());
    }

    #[test]
    fn tests_pass_only_where_those_that_failed_ran() {
        let mut session = Session::default();
        session.begin("fix it").unwrap();
        let test = |suite: &str, name: &str| TestName { suite: suite.to_owned(), ..TestName::from(name) };
        let mut state = |passed: TestName, failing: Option<TestName>| {
            session.record_tests(1, [passed], failing);
            SessionState::of(&session).unwrap().test_state
        };
        assert_eq!(state(test("x/b", ""), None), TestState::Passing);
        assert_eq!(state(test("x/b", ""), Some(test("x/a", "TestA"))), TestState::Failing);
        assert_eq!(state(test("x/b", ""), None), TestState::Unknown);
        assert_eq!(state(test("x/a", ""), None), TestState::Passing);
    }

    #[test]
    fn an_action_is_as_old_as_its_turn() {
        let mut session = Session::default();
        session.begin("fix it").unwrap();
        session.current().actions = strings(&["/fix a.go"]);
        for _ in 0..5 {
            session.begin("go on").unwrap();
        }
        let ages = |session: &Session| {
            let state = SessionState::of(session).unwrap();
            let items = state.items(&Failures::default());
            let ages: Vec<u32> = items.iter().map(|item| item.turns.0).collect();
            assert_eq!(state.actions().count(), ages.len());
            ages
        };
        assert_eq!(ages(&session), [5]);
        session.current().actions = strings(&["/test ./..."]);
        assert_eq!(ages(&session), [5, 0]);
        // A file that somebody else wrote.
        session.turn = u32::MAX;
        assert_eq!(SessionState::of(&session).unwrap().recent_actions, strings(&[]));
    }

    #[test]
    fn a_campaign_says_what_the_current_task_waits_for_while_it_is_active() {
        let task =
            |id: &str, status, after: &[&str]| Task { id: id.into(), name: format!("do_{id}"), status, after: strings(after) };
        let campaign = Campaign {
            active: true,
            goal: "all".into(),
            phases: vec![Phase { name: "II".into(), goal: "second".into() }],
            current_phase: Some("II".into()),
            tasks: vec![task("C", Status::Doing, &["B", "A"]), task("B", Status::Open, &["A"]), task("A", Status::Open, &[])],
            requirements: strings(&["REQ-1"]),
        };
        let mut session = Session { campaign, ..Session::default() };
        let state = SessionState::of(&session).unwrap();
        assert!(state.campaign_active);
        assert_eq!((state.campaign_phase.as_deref(), state.campaign_goal.as_deref()), (Some("II"), Some("second")));
        assert_eq!((state.task_dependencies, state.linked_requirements), (strings(&["A:do_A", "B:do_B"]), strings(&["REQ-1"])));
        session.campaign.tasks[2].after = strings(&["B"]);
        assert!(SessionState::of(&session).unwrap_err().message.contains("the tasks `B`, `A` wait for each other"));
        session.campaign.active = false;
        assert!(SessionState::of(&session).unwrap().task_dependencies.is_empty());
    }

    #[test]
    fn what_turns_forget_is_cold_by_then() {
        let weights = Weights::default();
        let age = Turns(KEPT_TURNS + 1);
        assert!(weights.touched.after(age) < weights.seed_threshold);
        assert!(weights.items.shard_result.after(age) < weights.warm && weights.items.action.after(age) < weights.warm);
        assert_eq!(weights.modified_boost.after(age), Energy::ZERO);
    }

    #[test]
    fn what_a_session_may_hold_a_state_may_hold() {
        const { assert!(MAX_ENTRIES <= super::super::MAX_ENTRIES && MAX_TEXT <= super::super::MAX_TEXT) };
        let mut session = Session::default();
        for turn in 0..3 {
            session.begin(format!("{turn}")).unwrap();
            session.current().touched = (0..MAX_ENTRIES).map(|file| format!("{turn}/{file}.go")).collect();
            session.current().results = vec![result("x"); MAX_ENTRIES];
        }
        let state = SessionState::of(&session).unwrap();
        assert_eq!((state.files_touched.len(), state.prior_shard_outputs.len()), (MAX_ENTRIES, MAX_ENTRIES));
        assert_eq!(state.files_touched.last().unwrap().path, "2/4999.go");
        assert!(SessionState::parse(&serde_json::to_string(&state).unwrap()).is_ok());
    }
}
