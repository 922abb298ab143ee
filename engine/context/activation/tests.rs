//! Repository and task in, ranked nodes with roles and reasons out.

use super::*;
use activate_rules::atoms::{Change, ItemId, PassageCue, Turns};
use activate_rules::columns::Named as _;
use activate_rules::features::{Feature, value};
use activate_rules::items::ItemKind;
use activate_rules::weights::Weights;
use index::base::FactBase;
use index::fixture::base;
use index::history::PastCommits;
use intent::failures::Failures;
use intent::{locate, read};
use redact::Masker;
use repo::{Commit, RepoPath, Touch};

const REPOSITORY: &str = "\
//- go.mod
module example.com/auth
//- auth/login.go
package auth

func ValidateToken(token string) error {
	parseToken(token)
	return nil
}

func parseToken(token string) {}

func unrelated() {}
//- auth/login_test.go
package auth

import \"testing\"

func TestValidateToken(t *testing.T) { ValidateToken(\"\") }
//- cmd/server/main.go
package main

import \"example.com/auth/auth\"

func serve() { auth.ValidateToken(\"\") }

func main() { serve() }
//- other/other.go
package other

func Nothing() {}
//- broken/broken.go
package broken

func Half( {
";

fn run(base: &FactBase, text: &str, task: &TaskFacts) -> Activated {
    let weights = Weights::default();
    activate(base, &PastCommits::default(), read(base, text, &weights, &PastCommits::default()), task, &weights, weights.depth)
}

/// `role id score` of each.
fn lines(base: &FactBase, active: &[Active]) -> Vec<String> {
    active.iter().map(|active| format!("{:?} {} {}", active.role, base.id(active.node), active.score)).collect()
}

#[test]
fn a_named_function_brings_its_callers_callees_and_tests() {
    let base = base(REPOSITORY);
    let activation = run(&base, "fix ValidateToken", &TaskFacts::default());
    let files = lines(&base, &activation.files);
    assert_eq!(files[0], "Target auth/login.go 100");
    assert_eq!(files[1], "Test auth/login_test.go 80");
    assert!(files[2].starts_with("Impacted cmd/server/main.go"), "{files:?}");
    assert!(!files.iter().any(|file| file.contains("other.go") || file.contains("broken")), "{files:?}");
    let symbols = lines(&base, &activation.symbols);
    assert_eq!(symbols[0], "Target auth/login.go#ValidateToken 100");
    for expected in [
        "Dependency auth/login.go#parseToken 70",
        "Impacted cmd/server/main.go#serve 70",
        "Test auth/login_test.go#TestValidateToken 80",
    ] {
        assert!(symbols.iter().any(|symbol| symbol == expected), "{expected}: {symbols:?}");
    }
    let of = |id: &str| activation.symbols.iter().find(|active| base.id(active.node) == id).map(|active| active.reason.clone());
    let target = base.node_at("auth/login.go#ValidateToken").unwrap();
    assert_eq!(of("auth/login.go#ValidateToken"), Some(Reason::Named("named in the intent".to_owned())));
    let Some(Reason::Link { kind: LinkKind::Calls, via, line: Some(5), .. }) = of("cmd/server/main.go#serve") else {
        panic!("{:?}", of("cmd/server/main.go#serve"));
    };
    assert_eq!(via, target);
    assert!(matches!(of("auth/login.go#parseToken"), Some(Reason::Link { kind: LinkKind::CalledBy, line: Some(4), .. })));
    assert_eq!(activation.files[0].reason, Reason::Holds(target));
}

#[test]
fn every_shown_node_explains_itself_and_every_absent_one_says_what_stopped_it() {
    let base = base(REPOSITORY);
    let activation = run(&base, "fix ValidateToken", &TaskFacts::default());
    for active in activation.files.iter().chain(&activation.symbols) {
        assert!(!why(&base, &activation, active.node).is_empty(), "{}", base.id(active.node));
    }
    let why = |text: &str| super::why(&base, &activation, locate(&base, text).unwrap()[0]);
    assert_eq!(
        why("serve"),
        [
            "seed: auth/login.go#ValidateToken: the intent names auth/login.go#ValidateToken = 100",
            "  the intent says: ValidateToken",
            "link: auth/login.go#ValidateToken -> cmd/server/main.go#serve: 100 x 0.7 called_by x 1.0 exact = 70 (hop 1)",
            "  at cmd/server/main.go:5",
            "rank: cmd/server/main.go#serve: score 70; 0.342 of cmd/server/main.go x noisy-or of 0.016 words, 0.2 x 0.847 links, 0.3 in file = 0.146",
        ]
    );
    assert_eq!(why("other/other.go"), [""; 0]);
    let not = why_not(&base, &activation, locate(&base, "other/other.go").unwrap()[0]);
    assert_eq!(not[1], "no chain of links leads from auth/login.go to it");
}

#[test]
fn the_verb_says_which_way_links_are_followed_and_why_says_so() {
    let base = base(REPOSITORY);
    let neighbours = |text: &str| {
        let activation = run(&base, text, &TaskFacts::default());
        let score = |name: &str| activation.derived.score(locate(&base, name).unwrap()[0]).unwrap().to_string();
        let why = why(&base, &activation, locate(&base, "serve").unwrap()[0]);
        (score("parseToken"), score("serve"), why[2].split(": ").last().unwrap().to_owned())
    };
    let plain = neighbours("fix ValidateToken");
    assert_eq!(plain, ("70".into(), "70".into(), "100 x 0.7 called_by x 1.0 exact = 70 (hop 1)".into()));
    let explained = neighbours("how does ValidateToken work?");
    assert_eq!(explained, ("91".into(), "49".into(), "100 x 0.49 called_by x 1.0 exact = 49 (hop 1)".into()));
    let removed = neighbours("remove ValidateToken");
    assert_eq!(removed, ("70".into(), "84".into(), "100 x 0.84 called_by x 1.0 exact = 84 (hop 1)".into()));
}

#[test]
fn words_alone_are_explained_with_their_words() {
    let base = base(REPOSITORY);
    let activation = run(&base, "the server should serve without waiting", &TaskFacts::default());
    let first = activation.files[0].node;
    let lines = why(&base, &activation, first);
    assert!(lines.iter().any(|line| line.starts_with("  ") && line.contains("serve")), "{lines:?}");
    assert!(activation.symbols.iter().any(|active| matches!(&active.reason, Reason::Words(words) if !words.is_empty())));
}

#[test]
fn syntax_errors_count_only_in_changed_files() {
    let base = base(REPOSITORY);
    let broken = base.file_at("broken/broken.go").unwrap();
    assert!(base.diagnostics().any(|error| error.file == broken));
    let items = |activation: &Activated| activation.derived.items.len();
    assert_eq!(items(&run(&base, "fix ValidateToken", &TaskFacts::default())), 0);
    let named = run(&base, "fix broken/broken.go", &TaskFacts::default());
    assert_eq!((items(&named), named.files[0].score.to_string()), (0, "100".to_owned()));
    let changed = TaskFacts { changes: vec![(broken, Change::Modified, Turns(0))], ..TaskFacts::default() };
    let changed = run(&base, "fix ValidateToken", &changed);
    let active = changed.files.iter().find(|active| active.node == broken).unwrap();
    assert_eq!((active.score.to_string(), active.reason.clone()), ("180".to_owned(), Reason::Failure(signals::Severity::Error)));
}

#[test]
fn items_enter_by_what_they_are_about() {
    let base = base(REPOSITORY);
    let node = |id: &str| base.node_at(id).unwrap();
    let task = TaskFacts {
        items: vec![(ItemId(0), ItemKind::Knowledge, Turns(0)), (ItemId(1), ItemKind::Knowledge, Turns(0))],
        about: vec![(ItemId(0), node("auth/login.go")), (ItemId(1), node("other/other.go"))],
        ..TaskFacts::default()
    };
    let activation = run(&base, "fix ValidateToken", &task);
    assert_eq!(activation.derived.items.iter().map(|(item, _)| item.0).collect::<Vec<_>>(), [0]);
}

#[test]
fn symbols_that_only_stand_in_a_hot_file_come_last_and_are_few() {
    let many = (0..40).map(|n| format!("func silent{n}() {{}}")).collect::<Vec<_>>().join("\n");
    let base = base(&format!("//- a/a.go\npackage a\n{many}\nfunc Loud() {{ silent39() }}\n"));
    let activation = run(&base, "fix Loud", &TaskFacts::default());
    let ids: Vec<_> = activation.symbols.iter().map(|active| base.id(active.node)).collect();
    assert_eq!(ids[..2], ["a/a.go#Loud", "a/a.go#silent39"]);
    let n_floor = activation.symbols.iter().filter(|active| matches!(active.reason, Reason::StandsIn(_))).count();
    assert_eq!((activation.symbols.len() as u32 + activation.n_left_out, n_floor), (41, 12), "{ids:?}");
}

#[test]
fn the_same_request_gives_the_same_activation() {
    let base = base(REPOSITORY);
    let once = run(&base, "fix(auth): parse tokens of the server", &TaskFacts::default());
    let again = run(&base, "fix(auth): parse tokens of the server", &TaskFacts::default());
    assert_eq!((once.files, once.symbols, once.derived), (again.files, again.symbols, again.derived));
}

#[test]
fn each_source_file_that_may_be_meant_has_its_features() {
    let base = base(REPOSITORY);
    let commit = |age: i64, subject: &str, files: &[&str]| Commit {
        id: String::new(),
        time: 1_700_000_000 - age * 86_400,
        author: String::new(),
        subject: subject.to_owned(),
        body: String::new(),
        touched: files.iter().map(|path| (RepoPath::new(path).expect("a path"), Touch::Modified)).collect(),
        n_touched: files.len() as u32,
        bulk: false,
    };
    let past = PastCommits::new(vec![
        commit(0, "Say nothing", &["other/other.go"]),
        commit(3, "Check the token before anything is parsed", &["auth/login.go", "cmd/server/main.go"]),
        commit(9, "Parse a token", &["auth/login.go"]),
    ]);
    let weights = Weights::default();
    let intent = read(&base, "parse the token later", &weights, &past);
    let activated = activate(&base, &past, intent, &TaskFacts::default(), &weights, weights.depth);
    let features = &compared(&base, &past, &activated);
    // Neither the test nor the manifest, nor what nothing leads to.
    let paths: Vec<&str> = features.iter().map(|(file, _)| base.path(*file)).collect();
    assert_eq!(paths, ["auth/login.go", "cmd/server/main.go"]);
    // What is compared and not listed has a place all the same.
    let cold = Weights { warm: Energy::points(1_000), hot: Energy::points(1_000), ..Weights::default() };
    let nothing =
        activate(&base, &past, read(&base, "parse the token later", &cold, &past), &TaskFacts::default(), &cold, cold.depth);
    let said = why_not(&base, &nothing, base.node_at("cmd/server/main.go").expect("a file"));
    assert!(said.contains(&"by what was learnt cmd/server/main.go would be number 2 of 4 source files".to_owned()), "{said:?}");
    let of = |feature: Feature| features.iter().map(|(_, features)| value(features, feature)).collect::<Vec<_>>();
    assert_eq!(of(Feature::Since), [1, 1]);
    assert_eq!(of(Feature::Touches), [2, 1]);
    assert_eq!(of(Feature::Days), [3, 3]);
    assert_eq!(of(Feature::LikeCount), [2, 1]);
    assert_eq!(of(Feature::Depth), [1, 2]);
    assert_eq!(of(Feature::Index), [0, 1]);
    assert_eq!(of(Feature::TaskWords), [4; 2]);
    assert_eq!(of(Feature::Candidates), [2; 2]);
    let is_first = |feature: Feature| of(feature)[0] > of(feature)[1..].iter().copied().max().unwrap_or_default();
    for feature in [Feature::Evidence, Feature::Bm25, Feature::Name, Feature::Coverage, Feature::BestDefinition, Feature::LikeSum]
    {
        assert!(is_first(feature), "{} {:?}", feature.name(), of(feature));
    }
}

/// The passages of a task over texts of [`REPOSITORY`], each as `path first` with the passage.
fn shown(base: &FactBase, text: &str, weights: &Weights, task: &TaskFacts) -> Vec<(String, Passage)> {
    let past = PastCommits::default();
    let activated = activate(base, &past, read(base, text, weights, &past), task, weights, weights.depth);
    let text_of = |path: &str| REPOSITORY.split("//- ").find_map(|part| part.strip_prefix(path)?.strip_prefix('\n'));
    let texts = |file: NodeId| Some(Masker::knowing_nothing().file(base.path(file), text_of(base.path(file))?.as_bytes()).into());
    let (no_diff, failures) = (|_: &str, _: &RepoPath| None, Failures::default());
    let passages = passages(base, &activated, &failures, &Reads { texts: &texts, diff: &no_diff, past: &past });
    passages.into_iter().map(|passage| (format!("{} {}", base.path(passage.file), passage.lines.0), passage)).collect()
}

#[test]
fn passages_are_compared_and_what_is_learnt_of_source_is_added() {
    use activate_rules::passage_features::{PassageFeature as Of, value};
    let (base, weights, task) = (base(REPOSITORY), Weights::default(), TaskFacts::default());
    let all = shown(&base, "parse the token later", &weights, &task);
    let of = |start: &str, feature: Of| {
        let (_, passage) = all.iter().find(|(name, _)| name == start).expect("a passage");
        value(passage.columns.as_deref().expect("columns"), feature)
    };
    let (parse, validate, test) = ("auth/login.go 7", "auth/login.go 1", "auth/login_test.go 1");
    assert_eq!(
        [Of::Kind, Of::Definitions, Of::Begins, Of::Lines, Of::Exported, Of::Test].map(|feature| of(parse, feature)),
        [1, 2, 1, 4, 0, 0]
    );
    assert_eq!([Of::FilePlace, Of::Kind, Of::Exported].map(|feature| of(validate, feature)), [1, 1, 1]);
    assert_eq!((of(test, Of::Test), of(validate, Of::TaskWords)), (1, 4));
    // Who is called has the points of who calls it, and the other way round.
    assert_eq!((of(parse, Of::UserPoints), of(validate, Of::UsedPoints)), (of(validate, Of::Points), of(parse, Of::Points)));
    assert!(of(parse, Of::Words) > 0 && of(parse, Of::Coverage) >= of(parse, Of::NameCoverage) && of(parse, Of::FileOdds) > 0);
    // A test gets no more than the best source, and no less than the least.
    let learnt =
        |is_test: bool| all.iter().filter(move |(name, _)| name.contains("_test") == is_test).map(|(_, passage)| passage.learnt);
    let (least, most) = (learnt(false).min().expect("one"), learnt(false).max().expect("one"));
    assert!(least != most && learnt(true).all(|of| (least..=most).contains(&of)));
    // What is named gets as much as what gets most.
    let named = shown(&base, "fix ValidateToken in auth/login.go", &weights, &task);
    let is_named = |passage: &Passage| passage.parts.contains(&(PassageCue::Named, Thousandths::ONE));
    let most = named.iter().map(|(_, passage)| passage.learnt).max().expect("one");
    assert!(named.iter().filter(|(_, passage)| is_named(passage)).all(|(_, passage)| passage.learnt == most));
    // Nothing is added where it is not wanted, and where something fails.
    let by_rule = Weights { learnt: 0, ..Weights::default() };
    let failing = TaskFacts {
        failing_tests: vec![(ItemId(0), base.node_at("auth/login_test.go#TestValidateToken").expect("a test"))],
        ..TaskFacts::default()
    };
    for passages in
        [shown(&base, "parse the token later", &by_rule, &task), shown(&base, "parse the token later", &weights, &failing)]
    {
        assert!(
            !passages.is_empty()
                && passages.iter().all(|(_, passage)| passage.learnt == Energy::ZERO && passage.columns.is_none())
        );
    }
}
