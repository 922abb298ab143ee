//! Programs as Mangle writes them.

use super::{Given, LIMITS, run_as};
use crate::{Limits, Syntax};
use expect_test::{Expect, expect};

/// The rules of the policy's first description, with the facts of its example.
const TRACE: &str = include_str!("trace.mg");

fn gives(program: &str, expected: &Expect) {
    expected.assert_eq(&run_as(&[(program, Syntax::Mangle)], &Given::default(), LIMITS, 0));
}

#[test]
fn the_worked_trace_comes_out_as_it_was_worked_by_hand() {
    gives(
        &format!(
            "{TRACE}\n?- context_priority(Fact, Score), context_atom(Fact). ?- score(Fact, _), includes(Fact, \"unrelated\")."
        ),
        &expect![[r#"
            Fact Score
              "ValidateToken" 100
              "cmd/server/main.go" 60
              "getClaims" 70
              "internal/auth/login.go" 150
              "internal/auth/login_test.go" 120
              "internal/auth/middleware.go" 60
              "parseToken" 70
            Fact
        "#]],
    );
    // The rules as they were written feed themselves: nothing ends them but a limit.
    let literal = ["with_errors(", "with_recency(", "with_tests("]
        .iter()
        .fold(TRACE.to_owned(), |text, head| text.replace(head, "activation("));
    let small = Limits { bytes: 1 << 20, ..LIMITS };
    let stopped = run_as(&[(&format!("{literal}\n?- score(Fact, Score)."), Syntax::Mangle)], &Given::default(), small, 0);
    assert!(stopped.starts_with("stopped: Memory, derived [(\"activation\", "), "{stopped}");
}

#[test]
fn what_mangle_writes_in_its_own_way_is_read() {
    // Relations of the repository are there as well; what the text derives hides one of the same name.
    gives(
        r#"Decl calls(From, To, Line).
        far(X, Y) :- calls(X, _, L), :le(L, 4), :string:starts_with(X, 'a.'), !calls(X, "b.go#h") |> let Y = fn:plus(L, 10, 1), let Z = fn:mult(Y, 2).
        ?- far(X, Y).
        size("one", 1). size("one", 2). size("two", -2147483648).
        of(/a/b.c, 4) :- size("one", 1).
        ?- size(X, N). ?- of(Name, N)."#,
        &expect![[r#"
            X Y
              a.go#f 14
              a.go#f 15
            X N
              "one" 1
              "one" 2
              "two" -2147483648
            Name N
              /a/b.c 4
        "#]],
    );
    // Rows, values and sums of a group; `fn:count` counts choices of all variables.
    gives(
        "t(X, N, D, Most, 7) :- calls(X, Y, L) |> do fn:group_by(X), let N = fn:count(), let D = fn:count_distinct(Y), let Most = fn:max(L), let S = fn:sum(L).
        all(N) :- calls(X, Y) |> do fn:group_by(), let N = fn:count().
        ?- t(X, N, D, Most, Seven). ?- all(N).",
        &expect![[r"
            X N D Most Seven
              a.go#f 2 1 4 7
              a.go#g 1 1 9 7
              b.go#h 1 1 2 7
              b.go#i 1 1 8 7
              t_test.go#TestF 1 1 5 7
            N
              5
        "]],
    );
    // Of a relation alone its rows are added up, with what `_` stands for; of a join what its variables are.
    gives(
        "seen(/mia, -1, \"once\"). seen(/mia, -1, \"again\"). is(/mia).
        rows(X, N, S) :- seen(X, W, _) |> do fn:group_by(X), let N = fn:count(), let S = fn:sum(W).
        values(X, N, S) :- seen(X, W, _), is(X) |> do fn:group_by(X), let N = fn:count(), let S = fn:sum(W).
        ?- rows(X, N, S). ?- values(X, N, S).",
        &expect![[r"
            X N S
              /mia 2 -2
            X N S
              /mia 1 -1
        "]],
    );
    gives(
        "half(X, 0.5 * N) :- size(X, N). more(X, N * 1.25 * 2) :- size(X, N). ?- half(X, N), more(X, M).",
        &expect![[r"
            X N M
              a.go#f 5 24
              a.go#g 10 50
              b.go#h 5 24
              b.go#i 3 16
        "]],
    );
    // Both syntaxes may be read into one program.
    let own = ("far(X) :- reach(X, \"b.go#i\").\n?- far(X).", Syntax::Own);
    let mangle = ("reach(X, Y) ⟸ calls(X, Y).\nreach(X, Z) ⟸ calls(X, Y), reach(Y, Z)", Syntax::Mangle);
    expect![[r"
        X
          a.go#f
          a.go#g
          b.go#h
          b.go#i
          t_test.go#TestF
    "]]
    .assert_eq(&run_as(&[mangle, own], &Given::default(), LIMITS, 0));
}

#[test]
fn what_is_not_datalog_is_refused_by_its_name() {
    for (program, expected) in [
        ("p(X) :- X = [1, 2].", expect!["line 1, column 13: lists are not supported: values are texts, names and whole numbers"]),
        (
            "p(X) :- X = { /a: 1 }.",
            expect!["line 1, column 13: structures and maps are not supported: values are texts, names and whole numbers"],
        ),
        (
            "p(0.95).",
            expect!["line 1, column 3: numbers are whole; one with a decimal point can only be a factor, as in `X * 0.6`"],
        ),
        (
            "p(N / 0.5) :- size(_, N).",
            expect!["line 1, column 7: numbers are whole; one with a decimal point can only be a factor, as in `X * 0.6`"],
        ),
        (
            "p(N * 0.12345678) :- size(_, N).",
            expect!["line 1, column 7: a factor has at most 6 digits behind its point, and fits into 32 bits"],
        ),
        ("Package auth!", expect!["line 1, column 1: packages (`Package`) are not supported: give the files one by one"]),
        ("p(X) :- q.r(X).", expect!["line 1, column 10: expected `(` behind `q`, found `.`"]),
        ("p(`raw`).", expect![[r#"line 1, column 3: texts between backticks are not supported: write "..""#]]),
        ("p() :- size(_, 1).", expect!["line 1, column 3: `p` has no columns: a relation has at least one"]),
        (
            "p(X) :- size(X, N), :match_prefix(X, /a).",
            expect![
                "line 1, column 21: `:match_prefix` is not supported; there are `:lt`, `:le`, `:gt`, `:ge`, `:string:starts_with`, `:string:ends_with`, `:string:contains`"
            ],
        ),
        ("p(X) :- size(X, N), !:lt(N, 3).", expect!["line 1, column 22: `:lt` cannot be negated: compare the other way round"]),
        ("p(X) :- size(X, N), :lt(N).", expect!["line 1, column 21: `:lt` has two values and not 1"]),
        (
            "p(fn:count()) :- size(X, N).",
            expect![
                "line 1, column 3: `fn:count` is not supported here; a total stands behind `|> do fn:group_by(..), let N = `"
            ],
        ),
        (
            "p(X) :- size(_, N), X = fn:sqrt(N).",
            expect![
                "line 1, column 25: `fn:sqrt` is not supported here; there are `fn:plus`, `fn:minus`, `fn:mult`, `fn:div`, `fn:mod`"
            ],
        ),
        (
            "p(N) :- size(X, L) |> do fn:group_by(X), let N = fn:count().",
            expect!["line 1, column 26: `X` of `fn:group_by` must be a column of the head, which has one row for each group"],
        ),
        (
            "p(X, L) :- size(X, L) |> do fn:group_by(X), let N = fn:count().",
            expect!["line 1, column 6: `L` is neither a group of `fn:group_by` nor a total that `let` names"],
        ),
        (
            "p(X, N) :- size(X, L) |> do fn:group_by(X), let N = fn:avg(L).",
            expect![
                "line 1, column 53: `fn:avg` is no total that is supported; there are `fn:count`, `fn:count_distinct`, `fn:min`, `fn:max`, `fn:sum`"
            ],
        ),
        (
            "p(X, N) :- size(X, L) |> do fn:group_by(X), let N = fn:count(L).",
            expect!["line 1, column 53: `fn:count` counts rows and has no value; `fn:count_distinct(X)` counts values"],
        ),
        (
            "p(X, M) :- size(X, L) |> do fn:group_by(X), let N = fn:count() |> let M = fn:plus(N, 1).",
            expect!["line 1, column 64: what is made of totals needs a rule of its own"],
        ),
        (
            "p(X) :- size(X, L) |> do fn:pick(X).",
            expect!["line 1, column 26: expected `fn:group_by(..)` behind `do`, found `fn:pick`"],
        ),
        ("Decl calls(A, B, C, D, E).", expect!["line 1, column 6: `calls` has 4 columns and not 5"]),
        (
            "Decl p(A) :- size(A, _).",
            expect!["line 1, column 11: expected `descr [..]`, `bound [..]` or `.` behind a declaration, found `:-`"],
        ),
        ("Decl p(A) temporal bound [/string].", expect!["line 1, column 11: what holds at a time (`temporal`) is not supported"]),
        ("p(1, 2, 3). q(X, Y) :- p(X, Y).", expect!["line 1, column 24: `p` has 3 columns and not 2"]),
        ("Decl p(A). p(1, 2).", expect!["line 1, column 6: `p` has 2 columns in its rules and 1 here"]),
        ("p(X)@[2024-01-01] :- size(X, _).", expect!["line 1, column 5: expected `,` and more, or `.` at the end, found `@`"]),
    ] {
        gives(program, &expected);
    }
}
