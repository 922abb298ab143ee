//! What takes too long or too much memory ends, and says so.

use super::{Given, LIMITS, run};
use crate::Limits;
use expect_test::expect;
use std::cell::Cell;

#[test]
fn limits_end_what_does_not_end() {
    let endless = "n(0). n(N + 1) :- n(N). ?- n(N).";
    let small = Limits { bytes: 1 << 20, ..LIMITS };
    expect![[r#"
        stopped: Memory, derived [("n", 65537)]
    "#]]
    .assert_eq(&run(endless, &Given::default(), small, 0));
    let product = "e(X) :- edge(X, _). n(A, B, C, D, E, F, G, H, I, J, K) :- e(A), e(B), e(C), e(D), e(E), e(F), e(G), e(H), e(I), e(J), e(K). ?- n(A, B, C, D, E, F, G, H, I, J, K).";
    let edges = (0..40).map(|at| (at, at)).collect();
    let n_asked = Cell::new(0);
    let is_over = || n_asked.replace(n_asked.get() + 1) > 50;
    let soon = Limits { is_over: &is_over, bytes: usize::MAX };
    let stopped = run(product, &Given { edges, finds: true }, soon, 0);
    assert!(stopped.starts_with("stopped: Time, derived [(\"e\", 40)"), "{stopped}");
}

/// What a program gives when time is over at the moment that it is asked about for the last time.
fn just_too_long(program: &str, facts: &Given, n_proofs: usize) -> String {
    let n_asked = Cell::new(0_usize);
    let count = || {
        n_asked.set(n_asked.get() + 1);
        false
    };
    let complete = run(program, facts, Limits { is_over: &count, ..LIMITS }, n_proofs);
    assert!(!complete.contains("stopped") && !complete.contains("unproven"), "{complete}");
    let n_left = Cell::new(n_asked.get());
    let is_over = || {
        n_left.set(n_left.get() - 1);
        n_left.get() == 0
    };
    run(program, facts, Limits { is_over: &is_over, ..LIMITS }, n_proofs)
}

#[test]
fn rows_are_kept_when_a_proof_meets_a_limit() {
    let edges: Vec<(u32, u32)> = (0..9_000).map(|at| (at, 0)).collect();
    let facts = Given { edges, finds: true };
    let said = just_too_long("big(X, Y) :- edge(X, Y), X > 8998. ?- big(X, _).", &facts, 9);
    expect![[r"
        X
          8999
        unproven: Time
    "]]
    .assert_eq(&said);
    // A proof looks for rows of the second part by their values: they are copied for that.
    let program = "pair(X, Y) :- edge(X, _), edge(Y, _), X < 3, Y < 3. ?- pair(X, Y), X + Y < 2.";
    let (rows, small) = (run(program, &facts, LIMITS, 0), Limits { bytes: 1 << 15, ..LIMITS });
    assert_eq!(run(program, &facts, small, 1), format!("{rows}unproven: Memory\n"));
}

#[test]
fn groups_of_totals_are_within_the_limit() {
    let facts = Given { edges: (0..20_000).map(|at| (at, at % 7)).collect(), finds: true };
    let sizes: Vec<usize> = (0..256).map(|size| size << 14).collect();
    let smallest = |rule: &str| {
        let program = format!("{rule} ?- n(X, Y), X + Y < 3.");
        let is_enough = |bytes: usize| !run(&program, &facts, Limits { bytes, ..LIMITS }, 0).contains("stopped");
        sizes.partition_point(|bytes| !is_enough(*bytes))
    };
    let rows = smallest("n(X, Y) :- edge(X, Y).");
    // Each row is a group of its own, or nearly all of them are one.
    let (many, few) = (smallest("n(X, count(Y)) :- edge(X, Y)."), smallest("n(Y, count(X)) :- edge(X, Y)."));
    assert!(many > rows && few > rows, "{rows}, {many}, {few}");
}
