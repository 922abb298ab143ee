//! One program a case: what the language has, and what each mistake is told as.

use super::{Given, LIMITS, run, run_as};
use crate::{Place, Program, Syntax, is_whole, read_into};
use expect_test::{Expect, expect};

fn gives(program: &str, expected: &Expect) {
    let given = run(program, &Given::default(), LIMITS, 0);
    // What is not found at once is copied first: the answer is the same.
    assert_eq!(given, run(program, &Given { finds: false, ..Given::default() }, LIMITS, 0), "{program}");
    expected.assert_eq(&given);
}

#[test]
fn a_question_gives_the_values_of_its_variables() {
    gives(
        "calls(X, \"a.go#g\")",
        &expect![[r"
        X
          a.go#f
    "]],
    );
    gives(
        "calls(X, Y, L, /exact), L > 3.",
        &expect![[r"
        X Y L
          a.go#f a.go#g 4
          b.go#i b.go#h 8
          t_test.go#TestF a.go#f 5
    "]],
    );
    gives(
        "calls(X, X)",
        &expect![[r"
        X
    "]],
    );
    gives(
        "calls(\"a.go#f\", \"a.go#g\")",
        &expect![[r"
            is it so?
              yes
        "]],
    );
    gives(
        "missing(F, N), N != \"lost\"",
        &expect![[r#"
        F N
          b.go "lo\"st"
    "#]],
    );
    gives(
        "calls(X, \"g\")",
        &expect![[r#"
        note: line 1, column 10: no file, symbol or package is called "g"; there is "a.go#g"
        X
    "#]],
    );
}

#[test]
fn rules_are_derived_from_one_another() {
    let reach = "reach(X, Y) :- calls(X, Y).\nreach(X, Z) :- calls(X, Y), reach(Y, Z).\n";
    gives(
        &format!("{reach}?- reach(X, \"b.go#i\").\n?- reach(\"t_test.go#TestF\", Y).\n?- reach(X, X)."),
        &expect![[r"
        X
          a.go#f
          a.go#g
          b.go#h
          b.go#i
          t_test.go#TestF
        Y
          a.go#f
          a.go#g
          b.go#h
          b.go#i
        X
          b.go#h
          b.go#i
    "]],
    );
    gives(
        "even(\"a.go#f\").\nodd(Y) :- even(X), calls(X, Y).\neven(Y) :- odd(X), calls(X, Y).\n?- even(X), not odd(X).",
        &expect![[r"
            X
              a.go#f
              b.go#h
        "]],
    );
    gives(
        "up(1). up(N + 1) :- up(N), N < 5. ?- up(N).",
        &expect![[r"
        N
          1
          2
          3
          4
          5
    "]],
    );
}

#[test]
fn what_is_not_so_is_known_when_all_is_derived() {
    gives(
        "contains(_, X), not calls(_, X)",
        &expect![[r"
        X
          t_test.go#TestF
    "]],
    );
    gives(
        "called(X) :- calls(_, X).\nfree(F) :- contains(F, X), not called(X).\n?- free(F).\n?- contains(F, X), !free(F).",
        &expect![[r"
            F
              t_test.go
            F X
              a.go a.go#f
              a.go a.go#g
              b.go b.go#h
              b.go b.go#i
        "]],
    );
}

#[test]
fn totals_are_over_what_the_other_columns_say() {
    gives(
        "callers(Y, count(X)) :- calls(X, Y). ?- callers(Y, N), N >= 1.",
        &expect![[r"
        Y N
          a.go#f 1
          a.go#g 1
          b.go#h 2
          b.go#i 1
    "]],
    );
    gives(
        "lines(F, sum(N), max(N), min(S)) :- contains(F, S), size(S, N). ?- lines(F, N, M, S).",
        &expect![[r"
        F N M S
          a.go 30 20 a.go#f
          b.go 17 10 b.go#h
    "]],
    );
    gives(
        "all(count(X)) :- size(X, _). ?- all(N).",
        &expect![[r"
        N
          4
    "]],
    );
    gives(
        "t(Y, count(X)) :- calls(X, Y). ?- t(\"b.go#h\", N).",
        &expect![[r"
        N
          2
    "]],
    );
}

#[test]
fn texts_and_numbers_are_tested_and_computed() {
    gives(
        "contains(F, S), starts_with(S, \"b\"), ends_with(S, \"i\")",
        &expect![[r"
        F S
          b.go b.go#i
    "]],
    );
    gives(
        "contains(F, S), glob(F, \"*_test.go\")",
        &expect![[r"
        F S
          t_test.go t_test.go#TestF
    "]],
    );
    gives(
        "contains(F, S), not includes(S, \"#\")",
        &expect![[r"
        F S
    "]],
    );
    gives(
        "size(S, N), M = N * 3 - (N + 1) / 2 % 4, M > 20",
        &expect![[r"
        S N M
          a.go#f 10 29
          a.go#g 20 58
          b.go#h 10 29
          b.go#i 7 21
    "]],
    );
    gives(
        "size(S, N), size(T, N + 10)",
        &expect![[r"
        S N T
          a.go#f 10 a.go#g
          b.go#h 10 a.go#g
    "]],
    );
    gives(
        "size(S, N), S < \"b\"",
        &expect![[r"
            S N
              a.go#f 10
              a.go#g 20
        "]],
    );
    gives(
        "size(S, N), M = N * 2000000000",
        &expect![[r"
            stopped: Number(Place { source: 0, line: 1, column: 17 }), derived []
        "]],
    );
    gives(
        "size(S, N), M = 1 / (N - 7)",
        &expect![[r"
            stopped: Number(Place { source: 0, line: 1, column: 17 }), derived []
        "]],
    );
}

#[test]
fn a_pattern_that_is_none_is_a_mistake_wherever_it_comes_from() {
    let deep = format!("{}a{}", "{".repeat(70_000), "}".repeat(70_000));
    for pattern in ["[ab", "{a,b", &deep, &"?".repeat(300_000)] {
        let said = run(&format!("contains(F, _), glob(F, \"{pattern}\")"), &Given::default(), LIMITS, 0);
        assert!(said.starts_with("line 1, column 25: this is no pattern: "), "{said}");
        let program = format!("p(\"{pattern}\"). ?- contains(F, _), p(P), not glob(F, P).");
        let said = run(&program, &Given::default(), LIMITS, 0);
        assert!(said.starts_with("stopped: Pattern"), "{said}");
    }
    gives(
        "p(\"{a,b}.go\"). ?- contains(F, \"a.go#f\"), p(P), glob(F, P).",
        &expect![[r#"
        F P
          a.go "{a,b}.go"
    "#]],
    );
}

#[test]
fn what_is_missing_is_equal_to_itself_alone_and_compared_by_what_is_written() {
    gives(
        "a(\"x.go\"). b(\"y.go\"). ?- a(X), b(X), not contains(X, _).",
        &expect![[r#"
        note: line 1, column 3: no file, symbol or package is called "x.go"
        note: line 1, column 14: no file, symbol or package is called "y.go"
        X
    "#]],
    );
    gives(
        "a(\"x.go\"). a(\"y.go\"). n(count(X)) :- a(X), not contains(X, _). ?- n(N).",
        &expect![[r#"
        note: line 1, column 3: no file, symbol or package is called "x.go"
        note: line 1, column 14: no file, symbol or package is called "y.go"
        N
          2
    "#]],
    );
    gives(
        "contains(F, _), F >= \"b\"",
        &expect![[r"
        F
          b.go
          t_test.go
    "]],
    );
    gives(
        "r(-2147483648). r(2147483647). r(7 * 0.3). ?- r(X).",
        &expect![[r"
            X
              -2147483648
              2
              2147483647
        "]],
    );
    gives(
        "\"b\" > F, contains(F, _)",
        &expect![[r"
        F
          a.go
    "]],
    );
}

#[test]
fn what_is_computed_waits_for_what_says_of_which_values_it_can_be() {
    let rules = "d(0). d(2). ok(2). h(X, 10 / N) :- d(N), X = N, N != 0.\n";
    gives(
        &format!("{rules}?- h(X, 5). ?- h(X, Y)."),
        &expect![[r"
        X
          2
        X Y
          2 5
    "]],
    );
    gives(
        &format!("{rules}?- d(N), X = 10 / N, ok(N)."),
        &expect![[r"
        N X
          2 5
    "]],
    );
    gives(
        &format!("{rules}?- d(N), 10 / N > 1, N > 1."),
        &expect![[r"
        N
          2
    "]],
    );
}

#[test]
fn a_mistake_says_where_it_is_and_what_was_expected() {
    for (program, expected) in [
        ("call(X, Y)", expect!["line 1, column 1: there is no relation `call`: is `calls` meant?"]),
        ("calls(X, Y, L, C, D)", expect!["line 1, column 1: `calls` has 4 columns and not 5: from, to, line, confidence"]),
        ("calls(X, Y", expect!["line 1, column 11: expected `,` or `)` behind a column, found the end"]),
        (
            "calls(x, Y)",
            expect![[
                r#"line 1, column 7: expected a value: a variable (`X`), a text (`"x"`), a name (`/x`) or a number, found `x`"#
            ]],
        ),
        ("calls(X Y)", expect!["line 1, column 9: expected `,` or `)` behind a column, found `Y`"]),
        ("calls(X, \"a.go)", expect![[r#"line 1, column 10: the text has no closing `"` on its line"#]]),
        (
            "r(X) :- calls(X, Y), not r(Y).",
            expect![
                "line 1, column 1: `r` needs all of `r`, by `not` or a total, and that is derived from it in turn (through `r`)"
            ],
        ),
        (
            "r(count(X)) :- r(X).",
            expect![
                "line 1, column 1: `r` needs all of `r`, by `not` or a total, and that is derived from it in turn (through `r`)"
            ],
        ),
        (
            "r(X, Y) :- calls(X, _).",
            expect![
                "line 1, column 1: `Y` has no value: some `relation(.., Y, ..)` that is not negated, or `Y = ..`, must give it one"
            ],
        ),
        (
            "r(X) :- not calls(X, _).",
            expect![
                "line 1, column 1: `X` has no value: some `relation(.., X, ..)` that is not negated, or `X = ..`, must give it one"
            ],
        ),
        (
            "calls(X, Y) :- contains(X, Y).",
            expect![
                "line 1, column 1: `calls` is a relation of the repository: give what you derive another name, or ask with `?- calls(..)`"
            ],
        ),
        ("r(1). r(X, Y) :- calls(X, Y).", expect!["line 1, column 7: `r` has 1 columns above and 2 here"]),
        (
            "calls(X, _, X)",
            expect![
                "line 1, column 13: a number (column `line` of `calls`) is never a file or symbol (column `from` of `calls`)"
            ],
        ),
        ("calls(_, _, _, \"exact\")", expect!["line 1, column 16: a text stands where a name belongs: write `/name`"]),
        ("calls(X, Y), X < 3", expect!["line 1, column 14: a file or symbol (column `from` of `calls`) is never a number (`3`)"]),
        ("calls(X, Y), starts_with(3, \"a\")", expect!["line 1, column 26: a test of a text cannot be asked of a number"]),
        (
            "X < 3",
            expect![
                "line 1, column 1: `X` has no value: some `relation(.., X, ..)` that is not negated, or `X = ..`, must give it one"
            ],
        ),
        ("size(X, 2147483648)", expect!["line 1, column 9: the number 2147483648 does not fit into 32 bits"]),
        ("size(X, -2147483649)", expect!["line 1, column 10: the number 2147483649 does not fit into 32 bits"]),
        (
            "size(X, 5 * 0.5), size(X, 1.5)",
            expect!["line 1, column 27: numbers are whole; one with a decimal point can only be a factor, as in `X * 0.6`"],
        ),
        ("size(X, 99999999999)", expect!["line 1, column 9: the number 99999999999 does not fit into 32 bits"]),
        (
            "calls(X, count(Y))",
            expect!["line 1, column 16: totals stand in the head of a rule: `callers(F, count(X)) :- calls(X, F).`"],
        ),
        ("calls(X, Y); size(X, N)", expect!["line 1, column 12: expected `,` and more, or `.` at the end, found `;`"]),
        (
            "size(S, _), not size(S, N + 1)",
            expect![
                "line 1, column 1: `N` has no value: some `relation(.., N, ..)` that is not negated, or `N = ..`, must give it one"
            ],
        ),
        ("not not calls(X, Y)", expect!["line 1, column 9: expected `(` behind `not`, found `calls`"]),
    ] {
        expected.assert_eq(&run(program, &Given::default(), LIMITS, 0));
    }
}

#[test]
fn texts_of_a_program_keep_their_own_lines_and_need_no_end() {
    let first = "p(X) :- calls(X, _).\nq(X) :- p(X)";
    let texts = |second| run_as(&[(first, Syntax::Own), (second, Syntax::Own)], &Given::default(), LIMITS, 0);
    expect![[r"
        is it so?
          yes
    "]]
    .assert_eq(&texts("q(\"a.go#f\")"));
    expect!["line 2, column 1: `q` has 1 columns and not 2"].assert_eq(&texts("\nq(X, Y)"));
    let mut program = Program::default();
    for (text, source) in [first, "\nq(X) ?"].into_iter().zip(0..) {
        if let Err(mistake) = read_into(&mut program, text, Place::first(source), Syntax::Own) {
            assert_eq!((mistake.place.source, mistake.place.line), (1, 2));
        }
    }
    assert_eq!(program.rules.iter().map(|rule| (rule.place.source, rule.place.line)).collect::<Vec<_>>(), [(0, 1), (0, 2)]);
    let whole = ["p(X).", "p(X) # no.", "p(X). # yes", "p(\"a.\"", "p(1.5", "p(\"x", ""].map(|text| is_whole(text, Syntax::Own));
    assert_eq!(whole, [true, false, true, false, false, true, true]);
}

#[test]
fn each_row_is_proven_from_rows_that_came_before() {
    let program = "reach(X, Y) :- calls(X, Y).\nreach(X, Z) :- reach(X, Y), calls(Y, Z).\nquiet(X) :- contains(X, _), not calls(X, _).\n?- reach(\"t_test.go#TestF\", \"b.go#i\").\n?- quiet(X).";
    expect![[r"
        is it so?
          yes
            () by line 4
              reach(t_test.go#TestF, b.go#i) by line 2
                reach(t_test.go#TestF, b.go#h) by line 2
                  reach(t_test.go#TestF, a.go#g) by line 2
                    reach(t_test.go#TestF, a.go#f) by line 1
                      calls(t_test.go#TestF, a.go#f)
                    calls(a.go#f, a.go#g)
                  calls(a.go#g, b.go#h)
                calls(b.go#h, b.go#i)
        X
          a.go
            (a.go) by line 5
              quiet(a.go) by line 3
                contains(a.go, a.go#f)
                not calls(a.go, _)
          b.go
          t_test.go
    "]]
    .assert_eq(&run(program, &Given::default(), LIMITS, 1));
    let two = "n(X, count(Y)) :- calls(Y, X).\nn(X, count(L)) :- calls(_, X, L), size(X, _), L > 3, L < 9.\n?- n(\"b.go#h\", N).";
    expect![[r"
        N
          1
            (1) by line 3
              n(b.go#h, 1) by line 2
                calls(b.go#i, b.go#h, 8)
                size(b.go#h, 10)
          2
            (2) by line 3
              n(b.go#h, 2) by line 1
                calls(a.go#g, b.go#h)
                calls(b.go#i, b.go#h)
    "]]
    .assert_eq(&run(two, &Given::default(), LIMITS, 9));
    let totals = "callers(Y, count(X)) :- calls(X, Y).\n?- callers(Y, N), N > 1.";
    expect![[r"
        Y N
          b.go#h 2
            (b.go#h, 2) by line 2
              callers(b.go#h, 2) by line 1
                calls(a.go#g, b.go#h)
                calls(b.go#i, b.go#h)
    "]]
    .assert_eq(&run(totals, &Given::default(), LIMITS, 9));
}
