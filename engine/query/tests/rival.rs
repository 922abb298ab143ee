//! Programs give what the same rules give in another Datalog, `ascent`, over random facts.

#![allow(clippy::pedantic, clippy::just_underscores_and_digits, reason = "about the code that the macro writes")]

use super::{Given, LIMITS, run};
use ascent::aggregators::{count, max, min, sum};
use ascent::ascent_run;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Display;

/// The rows of each question of a program, each question apart.
fn rows(program: &str, edges: &[(u32, u32)]) -> Vec<Vec<String>> {
    let facts = Given { edges: edges.to_vec(), finds: true };
    let said = run(program, &facts, LIMITS, 0);
    let mut answers: Vec<Vec<String>> = Vec::new();
    for line in said.lines() {
        match (line.strip_prefix("  "), answers.last_mut()) {
            (Some(row), Some(rows)) => rows.push(row.to_owned()),
            _ => answers.push(Vec::new()),
        }
    }
    answers
}

/// Rows of numbers as they are shown, in their order.
fn shown<const N: usize>(rows: impl IntoIterator<Item = [u32; N]>) -> Vec<String> {
    let rows: BTreeSet<[u32; N]> = rows.into_iter().collect();
    rows.iter()
        .map(|row| row.iter().map(|value| value as &dyn Display).map(ToString::to_string).collect::<Vec<_>>().join(" "))
        .collect()
}

fn ones(rows: &[(u32,)]) -> Vec<String> {
    shown(rows.iter().map(|(one,)| [*one]))
}

fn twos(rows: &[(u32, u32)]) -> Vec<String> {
    shown(rows.iter().map(|(one, other)| [*one, *other]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn programs_give_what_ascent_gives(edges in prop::collection::btree_set((0..16_u32, 0..16_u32), 0..40), start in 0..16_u32) {
        let edges: Vec<(u32, u32)> = edges.into_iter().collect();
        let given = || edges.iter().copied();

        let there = ascent_run! {
            relation edge(u32, u32) = given().collect();
            relation reach(u32, u32);
            relation twice(u32, u32);
            relation circle(u32);
            reach(x, y) <-- edge(x, y);
            reach(x, z) <-- edge(x, y), reach(y, z);
            twice(x, y) <-- edge(x, z), edge(z, y);
            twice(x, y) <-- twice(x, z), twice(z, y);
            circle(x) <-- reach(x, x);
        };
        let here = rows(
            "reach(X, Y) :- edge(X, Y).
             reach(X, Z) :- edge(X, Y), reach(Y, Z).
             twice(X, Y) :- edge(X, Z), edge(Z, Y).
             twice(X, Y) :- twice(X, Z), twice(Z, Y).
             circle(X) :- reach(X, X).
             ?- reach(X, Y). ?- twice(X, Y). ?- circle(X).",
            &edges,
        );
        prop_assert_eq!(here, [twos(&there.reach), twos(&there.twice), ones(&there.circle)]);

        let there = ascent_run! {
            relation edge(u32, u32) = given().collect();
            relation same(u32, u32);
            relation even(u32);
            relation odd(u32);
            same(x, y) <-- edge(p, x), edge(p, y);
            same(x, y) <-- edge(a, x), same(a, b), edge(b, y);
            even(start) <-- edge(start, _);
            odd(y) <-- even(x), edge(x, y), if x < y;
            even(y) <-- odd(x), edge(x, y), if x + 1 != *y;
        };
        let here = rows(
            "same(X, Y) :- edge(P, X), edge(P, Y).
             same(X, Y) :- edge(A, X), same(A, B), edge(B, Y).
             even(X) :- edge(X, _).
             odd(Y) :- even(X), edge(X, Y), X < Y.
             even(Y) :- odd(X), edge(X, Y), X + 1 != Y.
             ?- same(X, Y). ?- even(X). ?- odd(X).",
            &edges,
        );
        prop_assert_eq!(here, [twos(&there.same), ones(&there.even), ones(&there.odd)]);

        let there = ascent_run! {
            relation edge(u32, u32) = given().collect();
            relation node(u32);
            relation reach(u32);
            relation free(u32);
            relation apart(u32, u32);
            relation way(u32, u32);
            node(x) <-- edge(x, _);
            node(y) <-- edge(_, y);
            reach(start) <-- let start = start;
            reach(y) <-- reach(x), edge(x, y);
            free(x) <-- node(x), !reach(x);
            apart(x, y) <-- free(x), free(y), !edge(x, y), !edge(y, x), if x < y;
            way(x, y) <-- edge(x, y), !edge(y, x);
            way(x, z) <-- way(x, y), edge(y, z), !reach(z);
        };
        let here = rows(
            &format!(
                "node(X) :- edge(X, _). node(Y) :- edge(_, Y).
                 reach({start}). reach(Y) :- reach(X), edge(X, Y).
                 free(X) :- node(X), not reach(X).
                 apart(X, Y) :- free(X), free(Y), not edge(X, Y), not edge(Y, X), X < Y.
                 way(X, Y) :- edge(X, Y), not edge(Y, X).
                 way(X, Z) :- way(X, Y), edge(Y, Z), not reach(Z).
                 ?- free(X). ?- apart(X, Y). ?- way(X, Y). ?- way({start}, Y)."
            ),
            &edges,
        );
        let from_start: Vec<(u32,)> = there.way.iter().filter(|(x, _)| *x == start).map(|(_, y)| (*y,)).collect();
        prop_assert_eq!(here, [ones(&there.free), twos(&there.apart), twos(&there.way), ones(&from_start)]);

        let there = ascent_run! {
            relation edge(u32, u32) = given().collect();
            relation node(u32);
            relation degree(u32, u32);
            relation span(u32, u32, u32, u32);
            relation reach(u32, u32);
            relation most(u32);
            node(x) <-- edge(x, _);
            degree(x, n as u32) <-- node(x), agg n = count() in edge(x, _);
            span(x, low, high, all) <-- node(x), agg low = min(y) in edge(x, y), agg high = max(y) in edge(x, y), agg all = sum(y) in edge(x, y);
            reach(x, y) <-- edge(x, y);
            reach(x, z) <-- reach(x, y), edge(y, z);
            most(n) <-- agg n = max(d) in degree(_, d);
        };
        let here = rows(
            "degree(X, count(Y)) :- edge(X, Y).
             span(X, min(Y), max(Y), sum(Y)) :- edge(X, Y).
             most(max(N)) :- degree(_, N).
             ?- degree(X, N). ?- span(X, A, B, C). ?- most(N).",
            &edges,
        );
        prop_assert_eq!(here, [twos(&there.degree), shown(there.span.iter().map(|(x, a, b, c)| [*x, *a, *b, *c])), ones(&there.most)]);
    }
}
