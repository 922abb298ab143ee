//! Relations that repeat a step: all pairs, however they are written and asked for, and the proof of each.

use super::{Given, LIMITS, run};
use crate::Words;
use crate::closure::Closure;
use crate::eval::{Evaluation, Stopped};
use crate::facts::Value;
use crate::lists::Pairs;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

type All = BTreeSet<(u32, u32)>;

/// All pairs of steps, in any number of them, with an end behind.
fn plainly(steps: &All, ends: &All) -> All {
    let mut all = ends.clone();
    loop {
        let more: All = steps
            .iter()
            .flat_map(|(from, by)| all.iter().filter(move |(way, _)| by == way).map(|(_, to)| (*from, *to)))
            .collect();
        let n_before = all.len();
        all.extend(more);
        if all.len() == n_before {
            return all;
        }
    }
}

fn words(pairs: &All) -> Vec<u64> {
    let mut made = Pairs::default();
    for (one, other) in pairs {
        made.add(*one, *other);
    }
    made.sorted()
}

fn rows(program: &str, facts: &Given) -> Vec<String> {
    let said = run(program, facts, LIMITS, 0);
    said.lines().skip(1).map(|row| row.trim().to_owned()).collect()
}

fn flipped(pairs: &All) -> All {
    pairs.iter().map(|(one, other)| (*other, *one)).collect()
}

/// What is asked of a relation `p`, and the rows that it gives.
fn questions(all: &All, value: u32, steps: &All) -> Vec<(String, Vec<String>)> {
    let of =
        |pairs: &mut dyn Iterator<Item = &(u32, u32)>| pairs.map(|(one, other)| format!("{one} {other}")).collect::<Vec<_>>();
    let one = |values: &mut dyn Iterator<Item = u32>| {
        values.collect::<BTreeSet<_>>().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    vec![
        ("p(X, Y)".to_owned(), of(&mut all.iter())),
        ("p(X, X)".to_owned(), one(&mut all.iter().filter(|(one, other)| one == other).map(|(one, _)| *one))),
        (format!("p({value}, Y)"), one(&mut all.iter().filter(|(one, _)| *one == value).map(|(_, other)| *other))),
        (format!("p(X, {value})"), one(&mut all.iter().filter(|(_, other)| *other == value).map(|(one, _)| *one))),
        ("p(X)".to_owned(), one(&mut all.iter().map(|(one, _)| *one))),
        ("p(X, Y), p(Y, X)".to_owned(), of(&mut all.intersection(&flipped(all)))),
        (
            "edge(X, Y), p(Y, X), not p(Y, Y)".to_owned(),
            of(&mut steps.iter().filter(|(one, other)| all.contains(&(*other, *one)) && !all.contains(&(*other, *other)))),
        ),
        (
            format!("X = {value}, p(X, Y), edge(_, Y)"),
            of(&mut all.iter().filter(|(one, other)| *one == value && steps.iter().any(|(_, to)| to == other))),
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn all_pairs_are_found_however_they_are_written_and_asked_for(
        steps in prop::collection::btree_set((0..24_u32, 0..24_u32), 0..40),
        limit in 0..30_u32,
        value in 0..24_u32,
    ) {
        let facts = Given { edges: steps.iter().copied().collect(), finds: true };
        let ends: All = steps.iter().copied().filter(|(_, to)| *to < limit).collect();
        let begins: All = steps.iter().copied().filter(|(from, _)| *from < limit).collect();
        let some = |pairs: &All| pairs.iter().copied().filter(|(_, to)| *to % 3 > 0).collect::<All>();
        let (front, behind, all) = (plainly(&steps, &ends), flipped(&plainly(&flipped(&steps), &flipped(&begins))), plainly(&steps, &steps));
        let (even, third) = (plainly(&some(&steps), &steps), 3);
        for (rules, expected) in [
            (format!("p(X, Y) :- edge(X, Y), Y < {limit}. p(X, Z) :- edge(X, Y), p(Y, Z)."), &front),
            (format!("p(X, Y) :- edge(X, Y), X < {limit}. p(X, Z) :- p(X, Y), edge(Y, Z)."), &behind),
            ("p(X, Y) :- edge(X, Y). p(A, B) :- p(C, B), p(A, C).".to_owned(), &all),
            ("p(X, Y) :- edge(X, Y). p(X, Z) :- edge(X, Y), p(Y, Z).".to_owned(), &all),
            (format!("p(X, Y) :- edge(X, Y). p(X, Z) :- edge(X, Y), Y % {third} > 0, p(Y, Z)."), &even),
        ] {
            for (question, wanted) in questions(expected, value, &steps) {
                let program = format!("{rules} ?- {question}.");
                prop_assert_eq!(rows(&program, &facts), wanted, "{}", program);
            }
            // Every row is proven, down to rows that are given, and none by itself.
            let proven = run(&format!("{rules} ?- p(X, Y)."), &facts, LIMITS, usize::MAX);
            let mut above: Vec<&str> = Vec::new();
            for line in proven.lines().filter(|line| line.starts_with("    ")) {
                let depth = line.len() - line.trim_start().len();
                above.truncate(depth / 2);
                let row = line.trim().split(" by line").next().unwrap_or_default();
                prop_assert!(line.contains("edge(") || line.contains("(above)") || line.contains(" by line "), "{}", proven);
                prop_assert!(!line.contains("p(") || !above.contains(&row), "{}", proven);
                above.resize(depth / 2, "");
                above.push(row);
            }
        }
    }

    #[test]
    fn pairs_are_the_same_with_a_matrix_and_without(
        steps in prop::collection::btree_set((0..20_u32, 0..20_u32), 0..30),
        others in prop::collection::btree_set((0..20_u32, 0..20_u32), 0..30),
        is_uniform in any::<bool>(),
        scale in prop::sample::select(vec![1_u32, 100_000_000]),
    ) {
        let scaled = |pairs: &All| pairs.iter().map(|(one, other)| (one * scale, other * scale)).collect::<All>();
        let (steps, ends) = (scaled(&steps), scaled(if is_uniform { &steps } else { &others }));
        let (facts, texts) = (Given::default(), Words::default());
        let known = Evaluation::new(&facts, &texts, &[], LIMITS);
        let in_time = || Ok(());
        for (is_flipped, room) in [(false, 0), (false, 1 << 20), (true, 0), (true, 1 << 20)] {
            let closure = Closure::of(&words(&steps), &words(&ends), is_flipped, room, &known).expect("within the limits");
            let all = plainly(&steps, &ends);
            let all = if is_flipped { flipped(&all) } else { all };
            let pairs = |first: Option<Value>, second: Option<Value>, is_same: bool| {
                let mut found = Vec::new();
                let flow: ControlFlow<Stopped> = closure.pairs(first, second, is_same, &in_time, &mut |[one, other]| {
                    found.push((one, other));
                    ControlFlow::Continue(())
                });
                assert!(flow.is_continue());
                let set: All = found.iter().copied().collect();
                assert_eq!(set.len(), found.len(), "each pair once");
                set
            };
            prop_assert_eq!(&pairs(None, None, false), &all);
            prop_assert_eq!(pairs(None, None, true), all.iter().copied().filter(|(one, other)| one == other).collect::<All>());
            for one in (0..20).map(|value| value * scale) {
                prop_assert_eq!(pairs(Some(one), None, false), all.iter().copied().filter(|pair| pair.0 == one).collect::<All>());
                prop_assert_eq!(pairs(None, Some(one), false), all.iter().copied().filter(|pair| pair.1 == one).collect::<All>());
                for other in (0..20).map(|value| value * scale) {
                    prop_assert_eq!(pairs(Some(one), Some(other), false).len() == 1, all.contains(&(one, other)));
                    prop_assert_eq!(closure.rank(one, other, &in_time).expect("in time").is_some(), all.contains(&(one, other)));
                }
            }
        }
    }
}
