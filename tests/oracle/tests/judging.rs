//! What is said of links, and how much is found.

use super::{call, judged, link, links_of, record, records};
use crate::judge::{Judgement, Level, Relation, judge, word};
use crate::record::{Kind, Record};
use crate::truth::{Part, Truth};
use crate::verdict::Verdict;

const TRUTH: &str = "
    file a.go configured 30-39 made 50-59
    file b.go configured 70-79
    file c.go
    file test/a.go test
    file test/A.java test tests 9:sells around 5:setUp
    file main/B.java
    call test/A.java:12 test/A.java:3 open method
    call a.go:3 b.go:10 Run function in 1-9
    call a.go:4 b.go:20 Close imethod
    call a.go:5 b.go:40 Get method or b.go:41
    field a.go:6 size b.go:50
    unresolved a.go:7 mystery
    outside a.go:8 append
    outside a.go:9 Equal vendor/assert/equal.go:5
    made a.go:10 twin b.go:60
    module a.go:10 keys b.go:106
    call a.go:11 os/lock_linux.go:3 Lock function
    call a.go:12 b.go:60 constructor method
    call a.go:13 b.go:80 Same function
    reference a.go:14 b.go:10 Run function
    call a.go:15 b.go:90 Box class
    import a.go:1 b.go specifier over front.go
    import a.go:2 pkg package
    import a.go:2 inner.go segment
    file conftest.py
    implements c.go:20 Close b.go:20 Close
    implements c.go:2 File b.go:18 Closer
    call b.go:12 c.go:30 inner function in 10-15
    call c.go:31 c.go:40 innermost function in 30-35
    call test/a.go:4 b.go:10 Run function in 3-8 test
    call test/a.go:5 test/a.go:20 help function in 3-8 test
    call test/a.go:21 c.go:20 Close method in 20-25 test
";

/// Fails where a link gets another verdict than the one behind it.
fn check(truth: &str, part: &Part, expected: &str) {
    let truth = Truth::new(records(truth), part.clone());
    let mut found = Vec::new();
    for line in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (text, _) = line.split_once(" = ").expect("a verdict");
        let judgement = judge(&truth, [link(text)], 0);
        let verdicts =
            judgement.precision.iter().flat_map(|(relation, levels)| levels.values().map(move |tally| (relation, tally)));
        let verdicts: Vec<String> = verdicts
            .flat_map(|(relation, tally)| tally.keys().map(move |verdict| (relation, verdict)))
            .map(|(relation, verdict)| {
                let dispatch = if *relation == Relation::Dispatch { "dispatch " } else { "" };
                format!("{dispatch}{}", word(verdict))
            })
            .collect();
        found.push(format!("{text} = {}", verdicts.join(", ")));
    }
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_link_is_right_where_the_compiler_names_its_target() {
    check(
        TRUTH,
        &Part::default(),
        "
        calls exact a.go:3 b.go#Server.Run 10-19 = right
        references exact a.go:3 b.go#Server.Run 8-19 = right
        calls exact a.go:3 b.go#Server.Stop 10-19 = wrong
        calls exact a.go:3 b.go#Server.Run 11-19 = wrong
        calls exact a.go:3 c.go#Run 10-19 = wrong
        calls exact a.go:4 b.go#Closer.Close 20-20 = right
        calls exact a.go:5 b.go#Store::Get 41-41 = right
        calls exact a.go:8 c.go#append 1-9 = wrong
        calls exact a.go:9 vendor/assert/equal.go#Equal 5-9 = right
        calls exact a.go:9 vendor/assert/equal.go#Equal 7-9 = wrong
        references exact a.go:10 b.go#keys 106-160 = right
        references exact a.go:10 b.go#keys 107-160 = wrong
        references exact a.go:10 c.go#keys 106-160 = wrong
        calls exact a.go:12 b.go#Client 59-70 = right
        calls exact a.go:15 b.go#Box.constructor 92-95 = right
        calls exact a.go:15 c.go#Base.constructor 92-95 = no_oracle
        calls exact a.go:15 c.go#Base.run 92-95 = wrong
        calls exact test/A.java:3 main/B.java#B.B 5-6 = no_oracle
        calls exact test/A.java:3 main/B.java#B.open 5-6 = wrong
        calls exact a.go:99 b.go#Server.Run 10-19 = wrong
        ",
    );
}

#[test]
fn what_nobody_can_know_is_counted_apart() {
    check(
        TRUTH,
        &Part::default(),
        "
        calls exact a.go:4 c.go#File.Close 20-25 = dispatch, dispatch right
        calls exact a.go:4 c.go#Other.Close 30-35 = dispatch, dispatch wrong
        references exact a.go:6 b.go#Config.size 50-50 = field
        references exact a.go:6 c.go#Config.size 50-50 = wrong
        calls exact a.go:7 b.go#mystery 1-2 = unresolved
        calls exact a.go:7 b.go#other 1-2 = wrong
        calls exact a.go:10 b.go#twin 61-62 = made
        calls exact a.go:55 b.go#Run 10-19 = made
        calls exact a.go:33 b.go#Run 10-19 = configured
        calls exact a.go:13 b.go#Same 70-75 = configured
        calls exact a.go:13 b.go#Same 90-95 = wrong
        calls exact a.go:11 os/lock_windows.go#Lock 3-9 = other_build
        calls exact a.go:11 net/lock_windows.go#Lock 3-9 = wrong
        calls exact a.go:9 vendor/assert/equal_old.go#Equal 5-9 = other_build
        calls exact test/A.java#A.sells:9 test/A.java#A.setUp 5-6 = around
        calls exact test/A.java#A.sells:10 test/A.java#A.setUp 5-6 = wrong
        calls exact test/A.java#A.other:9 test/A.java#A.setUp 5-6 = wrong
        calls exact test/A.java#A.sells:9 test/A.java#A.help 7-8 = wrong
        calls exact test/A.java:12 test/A.java#A.setUp 5-6 = wrong
        calls exact main/B.java:9 test/A.java#A.setUp 5-6 = wrong
        calls exact unread.go:1 b.go#Run 10-19 = no_oracle
        calls exact a.go b.go#Run 10-19 = no_line
        ",
    );
}

#[test]
fn files_are_imported_by_path_by_package_and_by_use() {
    check(
        TRUTH,
        &Part::default(),
        "
        imports exact a.go:1 b.go = right
        imports exact a.go:1 front.go = right
        imports exact a.go:2 pkg/any.go = right
        imports exact a.go:2 inner.go = right
        imports exact a.go:2 os/lock_linux.go = right
        imports exact a.go:2 test/a.go = wrong
        imports exact a.go:7 test/a.go = unresolved
        imports exact a.go:2 conftest.py = no_oracle
        imports exact a.go:2 unread.go = no_oracle
        imports exact unread.go:2 b.go = no_oracle
        ",
    );
}

#[test]
fn a_test_tests_what_it_calls_and_reaches_what_that_calls() {
    check(
        TRUTH,
        &Part::default(),
        "
        tests exact test/a.go#TestRun 3-8 b.go#Run 10-19 = right
        tests exact test/a.go#TestRun 3-8 c.go#inner 30-35 = reached
        tests exact test/a.go#TestRun 3-8 c.go#innermost 40-45 = reached
        tests exact test/a.go#TestRun 3-8 c.go#File.Close 20-25 = reached
        tests exact test/a.go#TestRun 3-8 b.go#Closer.Close 20-20 = wrong
        tests exact test/a.go b.go = right
        tests exact test/a.go os/lock_linux.go = wrong
        ",
    );
}

#[test]
fn implementations_are_judged_by_both_ends() {
    check(
        TRUTH,
        &Part::default(),
        "
        implements qualified c.go#File 1-9 b.go#Closer 18-22 = right
        implements qualified c.go#File.Close 20-25 b.go#Closer.Close 20-20 = right
        implements qualified c.go#File.Open 20-25 b.go#Closer.Close 20-20 = wrong
        implements qualified c.go#File 1-9 b.go#Opener 28-32 = wrong
        implements qualified c.go#File 1-9 unread.go#Closer 18-22 = no_oracle
        ",
    );
    check("file a.ts\nfile b.ts", &Part::default(), "implements exact a.ts#A 1-2 b.ts#B 1-2 = no_oracle");
    check(
        "file a.python\nfile b.python\nimplements a.python:2 close b.python:2 close",
        &Part::default(),
        "
        implements exact a.python#A.open 3-4 b.python#B.open 3-4 = wrong
        implements exact a.python#A.__enter__ 3-4 b.python#B.__enter__ 3-4 = no_oracle
        ",
    );
}

#[test]
fn what_only_fits_an_interface_is_unknown_where_the_oracle_knows_declarations_only() {
    let truth = "file a.typescript\nfile b.typescript\ncall a.typescript:1 b.typescript:2 get imethod\n\
                 implements b.typescript:9 get b.typescript:2 get";
    check(
        truth,
        &Part::default(),
        "
        calls exact a.typescript:1 b.typescript#A.get 9-9 = dispatch, dispatch right
        calls exact a.typescript:1 b.typescript#B.get 19-19 = dispatch, dispatch no_oracle
        ",
    );
}

#[test]
fn a_part_of_a_repository_can_be_judged() {
    let part = Part { paths: "a".to_owned(), ignore_to: vec!["os/".to_owned()] };
    check(
        TRUTH,
        &part,
        "
        calls exact a.go:3 b.go#Run 10-19 = right
        calls exact a.go:11 os/lock_linux.go#Lock 3-9 = no_oracle
        ",
    );
    let judgement = judge(&Truth::new(records(TRUTH), part), [link("calls exact b.go:12 c.go#inner 30-35")], 0);
    assert!(judgement.precision.is_empty() && judgement.files == 1, "{judgement:?}");
}

/// Enough calls of enough kinds, no two to the same target.
fn many() -> Vec<Record> {
    let mut all: Vec<Record> = ["a.rs", "b.rs"].map(|path| record(&format!("file {path}"))).into();
    let kinds = [Kind::Function, Kind::Method, Kind::InterfaceMethod, Kind::NestedFunction];
    for line in 1..=40 {
        let name = format!("name{line}");
        all.push(call(("a.rs", line), ("b.rs", line * 10), &name, kinds[line as usize % kinds.len()]));
    }
    all.extend(records("reference a.rs:50 b.rs:10 name1 method\nimport a.rs:1 b.rs use\nimplements a.rs:60 f b.rs:30 f"));
    all
}

fn share(judgement: &Judgement, relation: Relation) -> (usize, usize) {
    let all = judgement.all(relation);
    let of = |verdict| all.get(&verdict).copied().unwrap_or_default();
    (of(Verdict::Right), of(Verdict::Wrong))
}

#[test]
fn links_that_say_what_the_compiler_says_are_all_right_and_find_all() {
    let records = many();
    let links = links_of(&records);
    let judgement = judge(&Truth::new(records, Part::default()), links, 9);
    let shares = [Relation::Calls, Relation::References, Relation::Imports, Relation::Implements].map(|of| share(&judgement, of));
    assert_eq!(shares, [(40, 0), (1, 0), (1, 0), (1, 0)]);
    assert!(judgement.recall.values().all(|recall| recall.exact == recall.of && recall.of > 0), "{:?}", judgement.recall);
    assert_eq!(judgement.recall["calls"].of, 30, "closures are counted apart");
    assert_eq!(judgement.recall["calls to nested definitions"].of, 10);
    assert!(judgement.wrong.is_empty() && judgement.missed.is_empty());
}

#[test]
fn links_to_other_targets_are_wrong() {
    let records = many();
    let mut links: Vec<_> = links_of(&records).into_iter().filter(|link| link.relation == "calls").collect();
    for at in (0..links.len()).step_by(4) {
        let next = links[(at + 1) % links.len()].clone();
        links[at].to = next.to;
        links[at].to_lines = next.to_lines;
    }
    let judgement = judge(&Truth::new(records, Part::default()), links, 3);
    assert_eq!(share(&judgement, Relation::Calls), (30, 10));
    assert_eq!((judgement.wrong.len(), judgement.wrong[0].times), (3, 1), "the worst only");
    let missed: usize = judgement.missed.iter().map(|mistake| mistake.times).sum();
    let calls = &judgement.recall["calls"];
    assert_eq!((calls.of, calls.ambiguous, missed), (30, 20, 3));
}

#[test]
fn recall_counts_what_each_confidence_adds() {
    let truth = "
        file a.go
        file half.go incomplete
        call a.go:1 b.go:10 Run function in 1-5
        call a.go:1 b.go:10 Run function in 1-5
        call a.go:2 b.go:10 Run function in 1-5
        call a.go:3 b.go:20 Stop method in 1-5 macro
        reference a.go:3 b.go:10 Run function
        call half.go:1 b.go:10 Run function
    ";
    let links =
        ["calls ambiguous a.go:1 b.go#Run 10-12", "calls qualified a.go:1 b.go#Run 9-12", "calls unique a.go:2 b.go#Run 10-12"];
    let judgement = judged(truth, links.map(link));
    let levels = |group: &str| {
        let recall = &judgement.recall[group];
        [recall.of, recall.exact, recall.qualified, recall.unique, recall.ambiguous]
    };
    assert_eq!(levels("calls"), [3, 0, 1, 2, 2], "a line counts once, an incomplete file not at all");
    assert_eq!(levels("calls to method"), [1, 0, 0, 0, 0]);
    assert_eq!(levels("calls in macro arguments"), [1, 0, 0, 0, 0]);
    assert_eq!(levels("symbol pairs"), [2, 0, 1, 1, 1]);
    assert_eq!(levels("references"), [1, 0, 0, 0, 0]);
    assert_eq!(judgement.missed[0].what, "method Stop");
}

#[test]
fn the_same_link_counts_once() {
    let line = "calls exact a.go:1 b.go#Run 10-12";
    let judgement = judged("file a.go\ncall a.go:1 b.go:10 Run function", [link(line), link(line)]);
    assert_eq!(judgement.precision[&Relation::Calls][&Level::Exact][&Verdict::Right], 1);
}
