//! Whatever the content and the ceiling, no section and no text has a token too many.

use super::fixture::{Fixture, Scene};
use super::{auth, full_state, git};
use crate::activation::{Reason, Role};
use proptest::prelude::*;
use std::sync::LazyLock;
use tokens::Tokenizer;

static FIXTURE: LazyLock<Fixture> = LazyLock::new(Fixture::auth_go);

/// Words that are hard to count: joints of punctuation, white space and scripts.
fn text() -> impl Strategy<Value = String> {
    let words = vec!["fix", " ", "  ", "//", ");", "été", "漢字", "12345", "it's", "\t", "\n", "a_b", "[X]", "=>", "\u{a0}", "/"];
    prop::collection::vec(prop::sample::select(words), 0..30).prop_map(|words| words.concat())
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop_oneof![prop::collection::vec(text(), 0..4), prop::collection::vec(text(), 0..120)]
}

/// The auth task with more or less of the code active.
fn scene(scores: &[i32]) -> Scene<'static> {
    let mut scene = auth(&FIXTURE);
    let others = (FIXTURE.base.n_files()..FIXTURE.base.n_files() + FIXTURE.base.n_symbols()).map(activate_rules::atoms::NodeId);
    for (node, score) in others.zip(scores.iter().cycle()).filter(|(_, score)| **score >= 15_000) {
        let id = FIXTURE.base.id(node);
        let role = if score % 2 == 0 { Role::Target } else { Role::Impacted };
        scene.add(&id, *score, role, Reason::Words(vec!["token".into()]));
    }
    scene
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn no_text_and_no_section_exceeds_its_budget(
        budget in prop_oneof![150_u32..1_500, 1_500_u32..12_000],
        scores in prop::collection::vec(0_i32..150_000, 1..9),
        lists in prop::collection::vec(texts(), 6),
        history in text(),
    ) {
        let mut scene = scene(&scores);
        (scene.state, scene.git) = (full_state(), git());
        scene.state.current_diagnostics.extend(lists[0].clone());
        scene.state.recent_findings.extend(lists[1].clone());
        scene.state.safety_warnings.extend(lists[2].clone());
        scene.state.recent_actions.extend(lists[3].clone());
        scene.state.failing_tests.extend(lists[4].clone());
        scene.state.code_dom_warnings.extend(lists[5].clone());
        scene.state.compressed_history = history.repeat(20);
        let Ok(context) = scene.try_context(budget) else { return Ok(()) };
        let count = Tokenizer::O200k.count(&context.text.text);
        prop_assert_eq!(count, context.tokens);
        prop_assert!(count.0 <= budget, "{} of {}", count, budget);
        for section in &context.sections {
            prop_assert!(section.tokens <= section.budget, "{:?}: {} of {}", section.section, section.tokens, section.budget);
        }
    }
}
