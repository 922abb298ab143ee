# An example of spreading activation that was first worked through by hand: somebody asks to mend `ValidateToken`, in whose file a build has failed.
# The facts that it rests on come first. Numbers are whole here: a confidence of 0.95 is 95 of 100.
Decl user_intent(Id, Category, Verb, Target, Constraint)
    descr [doc("what is asked")]
    bound [/name, /name, /name, /string, /string].
Decl file_state(File, State).

user_intent(/id1, /mutation, /fix, "ValidateToken", "").
focus_resolution("ValidateToken", "internal/auth/login.go", "ValidateToken", 95).
dependency_link("internal/auth/login.go", "internal/auth/middleware.go", /import).
dependency_link("internal/auth/login.go", "cmd/server/main.go", /import).
dependency_link("unrelated_file.go", "internal/auth/keys.go", /import).
calls("ValidateToken", "parseToken").
calls("ValidateToken", "getClaims").
diagnostic(/error, "internal/auth/login.go", 45, 9, "undefined: ValidateToken").
tests_file("internal/auth/login_test.go", "internal/auth/login.go").

active_goal(Target) :- user_intent(_, _, _, Target, _).
directly_relevant(File, Goal) :- focus_resolution(Goal, File, _, _).
directly_relevant(Symbol, Goal) :- focus_resolution(Goal, _, Symbol, _).

# Seeds, and what energy reaches from them.
activation(Fact, 100) :-
    active_goal(Goal),
    directly_relevant(Fact, Goal).

activation(FileB, Score * 0.6) :-
    activation(FileA, Score),
    Score > 20,
    dependency_link(FileA, FileB, _).

activation(FuncB, Score * 0.7) :-
    activation(FuncA, Score),
    Score > 20,
    calls(FuncA, FuncB).

# A rule that adds to what it reads would never end, so each has a relation of its own, after the one that it adds to.
with_errors(Fact, Score) ⟸ activation(Fact, Score).
with_errors(File, Score + 50) ⟸
    activation(File, Score),
    diagnostic(/error, File, _, _, _).

with_recency(Fact, Score) ⟸ with_errors(Fact, Score).
with_recency(File, Score + 30) ⟸
    with_errors(File, Score),
    file_state(File, /modified).

with_tests(Fact, Score) ⟸ with_recency(Fact, Score).
with_tests(TestFile, Score * 0.8) ⟸
    with_recency(SourceFile, Score),
    Score > 20,
    tests_file(TestFile, SourceFile).

# Of several ways to a score the best counts.
score(Fact, Best) ⟸ with_tests(Fact, Score) |> do fn:group_by(Fact), let Best = fn:max(Score).

context_atom(Fact) :-
    score(Fact, Score),
    Score > 30.

context_priority(Fact, Score) :-
    score(Fact, Score),
    :gt(Score, 30).
