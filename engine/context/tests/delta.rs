//! Packets since a packet: what is left out is what the reader has.

use super::fixture::{Fixture, Scene, strings};
use crate::SessionContext;
use crate::activation::{Reason, Role};
use session::Sent;

const PARSE: &str = "package auth\n\nfunc parse(raw string) string {\n\treturn raw\n}\n";
const LOGIN: &str = "package auth\n\nfunc Validate(raw string) bool {\n\treturn parse(raw) != \"\"\n}\n";
const OLD: &str = "package auth\n\nfunc unused() {}\n";

fn scene<'a>(fixture: &'a Fixture, since: Option<&Sent>) -> Scene<'a> {
    let mut scene = Scene::new(fixture, "fix Validate");
    scene.add("login.go", 100_000, Role::Target, Reason::Named("named in the intent".to_owned()));
    scene.add("login.go#Validate", 100_000, Role::Target, Reason::Named("named in the intent".to_owned()));
    scene.add("parse.go#parse", 70_000, Role::Dependency, Reason::Holds(fixture.node("login.go#Validate")));
    scene.add("parse.go", 70_000, Role::Dependency, Reason::Holds(fixture.node("parse.go#parse")));
    scene.since = since.cloned();
    scene
}

fn keys(context: &SessionContext) -> Vec<&str> {
    context.sent.entries.iter().map(|entry| entry.key.as_str()).collect()
}

#[test]
fn what_was_sent_and_holds_is_named_and_not_repeated() {
    let fixture = Fixture::new(&[("login.go", LOGIN), ("old.go", OLD), ("parse.go", PARSE)]);
    let first = scene(&fixture, None).context(20_000);
    assert!(first.delta.is_none() && first.text.text.contains("func Validate"));

    let same = scene(&fixture, Some(&first.sent)).context(20_000);
    let delta = same.delta.clone().expect("a delta");
    assert_eq!((delta.new.len(), delta.changed.len(), delta.stale.len()), (0, 0, 0), "{delta:?}");
    assert_eq!(delta.holds.len(), first.sent.entries.len());
    assert!(!same.text.text.contains("func Validate"), "{}", same.text.text);
    assert!(same.text.text.contains(&format!("SINCE PACKET {}: 0 new and 0 changed", first.pack_id)), "{}", same.text.text);
    assert!(same.text.text.contains("Still holds: code: login.go#Validate"), "{}", same.text.text);
    // Whoever asks since the second packet has what the first one sent.
    assert_eq!(keys(&same), keys(&first));
    let third = scene(&fixture, Some(&same.sent)).context(20_000).delta.expect("a delta");
    assert_eq!((third.new.len(), third.changed.len(), third.stale.len()), (0, 0, 0));
}

#[test]
fn what_changed_is_shown_and_what_is_gone_is_stale() {
    let fixture = Fixture::new(&[("login.go", LOGIN), ("old.go", OLD), ("parse.go", PARSE)]);
    let mut before = scene(&fixture, None);
    before.state.recent_findings = strings(&["[SECURITY] tokens are logged (reviewer)", "[TEST] no test of parse (tester)"]);
    before.add("old.go#unused", 60_000, Role::Neighbour, Reason::Named("named in the intent".to_owned()));
    before.add("old.go", 60_000, Role::Neighbour, Reason::Holds(fixture.node("old.go#unused")));
    let first = before.context(20_000);

    let edited = PARSE.replace("return raw", "return raw[7:]");
    let fixture = Fixture::new(&[("login.go", LOGIN), ("parse.go", edited.as_str())]);
    let mut after = scene(&fixture, Some(&first.sent));
    after.state.recent_findings = strings(&["[TEST] no test of parse (tester)", "[PERFORMANCE] parse copies (reviewer)"]);
    let second = after.context(20_000);
    let text = &second.text.text;
    assert!(text.contains("raw[7:]") && !text.contains("func Validate"), "{text}");
    assert!(text.contains("Changed: code: parse.go#parse"), "{text}");
    assert!(text.contains("[PERFORMANCE] parse copies") && text.contains("(1 more as sent before)"), "{text}");
    assert!(text.contains("Stale: code old.go#unused (the file is gone)"), "{text}");
    assert!(text.contains("Stale: finding [SECURITY] tokens are logged (reviewer) (it no longer holds)"), "{text}");
    // Nothing is lost: the reader has all that a whole packet would say.
    after.since = None;
    let whole = after.context(20_000);
    let mut reader = keys(&second);
    reader.sort_unstable();
    assert!(keys(&whole).iter().all(|key| reader.binary_search(key).is_ok()), "{reader:?} {:?}", keys(&whole));
}

#[test]
fn a_delta_keeps_to_every_budget() {
    let fixture = Fixture::new(&[("login.go", LOGIN), ("old.go", OLD), ("parse.go", PARSE)]);
    let mut before = scene(&fixture, None);
    before.state.recent_findings =
        (0..300).map(|n| format!("[TEST] letter {} is missing", char::from(b'a' + (n % 26) as u8))).collect();
    let first = before.context(20_000);
    for budget in (150..3_000).step_by(97) {
        let mut after = scene(&fixture, Some(&first.sent));
        after.state.recent_findings = strings(&["[TEST] all is new"]);
        let context = after.context(budget);
        assert!(context.tokens.0 <= budget, "{} of {budget}", context.tokens);
        assert!(context.sections.iter().all(|section| section.tokens <= section.budget));
    }
}
