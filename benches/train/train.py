#!/usr/bin/env python3
"""Learns the order of files from tables that `activate eval --features` wrote, and writes it as integers.

    activate eval --cases cases.jsonl --repos .. --features cases.table
    python3 -m venv venv && venv/bin/pip install -r benches/train/requirements.txt
    venv/bin/python benches/train/train.py cases.table [OTHER.table...] [--judge JUDGE.table...] [--out rules/weights --date DATE]

Cases of questions, answered by the definition whose doc comment says so, are made by questions.py, which tells how; they are measured beside the
cases of changes, and take part in a fit only where no other kind pays for it.

With `--next` for tables of `activate eval --next`, where one file of each case is edited already and the others are looked for. With `--likely` the
same tables teach no order but how likely each file is changed. With `--passages` for tables of `activate eval --passages`: see passages.py.

The fit is LambdaMART by LightGBM (Burges, "From RankNet to LambdaRank to LambdaMART", 2010), on one thread with one seed, so that the same
tables give the same bytes; `--likely` fits the log odds of each file by itself. Tables are judged by leaving repositories out: of five parts of the repositories each is asked of the fit on the
other four. Those behind `--judge` take no part in the fit. Figures are those of `activate eval`: how often all gold files are within the first
k source files, the share of them within ten, and the reciprocal rank of the best. `--out` writes the trees that the engine runs, `learnt.rs`,
`learnt_next.rs`, `learnt_likely.rs` or `learnt_passages.rs`, and beside them the card that says what they were learnt from.
"""

import argparse
import json
import pathlib

import lightgbm
import numpy
import passages
from scipy.stats import binomtest

# What stands first in a row: whether the file is gold, and its place in the answer, 0 where it has none. Then the columns of features.
GOLD, ANSWER, N_BEFORE = 0, 1, 2
# As in rules/features.rs and rules/passage_features.rs.
VERSIONS = {"files": "2", "next": "2", "likely": "2", "passages": "2"}
# The value of the feature `certain` of a file that the task spells out: what is learnt does not move it.
SPELLED_OUT = 2
N_TREES = 200
N_LEAVES = 7
N_PARTS = 5
# Trees on a line of the table that is written.
PER_LINE = 2
# Leaves are written in ten-thousandths.
UNIT = 10_000
# How likely a file is changed is learnt from so many files of a case, the first of its answer.
N_LIKELY = 100
# Parts of the scale of a reliability curve.
N_BINS = 10
# A case is certain from so great a chance that one of its first five files is right.
STRONG = 0.76
FIGURES = ["acc@1", "acc@5", "acc@10", "r@10", "mrr"]
FIT = {
    "objective": "lambdarank",
    "metric": "None",
    "num_leaves": N_LEAVES,
    "learning_rate": 0.06,
    # A leaf speaks for at least so many files.
    "min_data_in_leaf": 60,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    # Pairs count that one of the first twenty files takes part in.
    "lambdarank_truncation_level": 20,
    "max_bin": 127,
    "seed": 7,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbosity": -1,
}


LIKELY = {**{name: value for name, value in FIT.items() if "truncation" not in name}, "objective": "binary", "min_data_in_leaf": 100}
# What is learnt: how its files are named, and what they are about.
QUESTIONS = {
    "files": ("learnt", "order of files"),
    "next": ("learnt_next", "order of files that follow edits"),
    "likely": ("learnt_likely", "likelihood of files"),
    "passages": ("learnt_passages", "worth of passages"),
}


class Tables:
    """The cases of some tables, with the same columns."""

    # What stands before the columns of features, and what leaves are written in.
    n_before, unit, parameters = N_BEFORE, UNIT, FIT

    def __init__(self, paths, question="files"):
        self.columns, self.cases, self.n_failed, self.question = None, [], 0, question
        self.is_next, self.is_likely = question == "next", question == "likely"
        for path in paths:
            with open(path, "rb") as file:
                head = json.loads(file.readline())
                rows = numpy.frombuffer(file.read(), dtype="<i4").reshape(-1, len(head["columns"]))
            if sum(case["n_rows"] for case in head["cases"]) != len(rows):
                raise SystemExit(f"{path}: the head tells of other rows than there are")
            if self.columns not in (None, head["columns"]):
                raise SystemExit(f"{path} has other columns than {paths[0]}: write both by one build")
            self.columns, at = head["columns"], 0
            for case in head["cases"]:
                self.cases.append((case, rows[at : at + case["n_rows"]]))
                at += case["n_rows"]
        self.n_failed = sum("problem" in case for case, _ in self.cases)
        self.cases = [case for case in self.cases if "problem" not in case[0]]
        self.set_up()

    def set_up(self):
        """Finds the columns that are needed by name."""
        self.place, self.certain = (self.columns.index(name) for name in ("place", "certain"))
        self.parameters = LIKELY if self.is_likely else FIT

    def repos(self):
        return sorted({case["repo"] for case, _ in self.cases})

    def moving(self, rows):
        """The rows of a case that the learnt order moves."""
        if self.is_next:
            return rows
        return rows[(rows[:, self.certain] != SPELLED_OUT) & (rows[:, ANSWER] > 0)]

    def order(self, rows, model):
        """The rows of a case in their order: what is spelled out as rules order it, then what is in the answer, by `model` or by rule."""
        rows = rows[numpy.argsort(rows[:, self.place], kind="stable")]
        if model is None or not len(rows):
            return rows[rows[:, ANSWER] > 0]
        if self.is_next:
            return rows[numpy.argsort(-model.predict(rows[:, N_BEFORE:]), kind="stable")]
        fixed = rows[(rows[:, self.certain] == SPELLED_OUT) & (rows[:, ANSWER] > 0)]
        moving = self.moving(rows)
        if not len(moving):
            return fixed
        return numpy.vstack([fixed, moving[numpy.argsort(-model.predict(moving[:, N_BEFORE:]), kind="stable")]])

    def figures(self, cases, models):
        """The figures of each case."""
        result = []
        for (case, rows), model in zip(cases, models):
            found, n_gold = numpy.flatnonzero(self.order(rows, model)[:, GOLD]) + 1, case["n_gold"]
            within = [len(found) == n_gold and found.max() <= k for k in (1, 5, 10)]
            result.append([*within, (found <= 10).sum() / n_gold, 1 / found.min() if len(found) else 0])
        return numpy.array(result, float)

    def fit(self, cases, leave_out=None):
        """A model of the files of the cases that have a gold one among those that move, or of how likely each is; without the columns of a feature,
        if one is named."""
        if self.is_likely:
            kept = [rows[(rows[:, ANSWER] > 0) & (rows[:, ANSWER] <= N_LIKELY)] for _, rows in cases]
        else:
            kept = [self.moving(rows) for _, rows in cases]
            kept = [rows for rows in kept if 0 < rows[:, GOLD].sum() < len(rows)]
        rows = numpy.vstack(kept)
        data = lightgbm.Dataset(rows[:, N_BEFORE:], rows[:, GOLD], group=[len(part) for part in kept], params={"feature_pre_filter": False})
        penalty = self.penalty(leave_out)
        return lightgbm.train({**self.parameters, **penalty}, data, N_TREES)

    def penalty(self, leave_out):
        """The parameter that leaves out columns."""
        names = self.columns[self.n_before :]
        return {"feature_contri": [0.0 if leave_out(name) else 1.0 for name in names]} if leave_out else {}

    def left_out(self, n_most=None, leave_out=None):
        """For each case the model of the other parts of the repositories, fitted on at most so many cases, spread over all."""
        part_of = {repo: number % N_PARTS for number, repo in enumerate(self.repos())}
        models = []
        for part in range(N_PARTS):
            others = [case for case in self.cases if part_of[case[0]["repo"]] != part]
            if n_most and len(others) > n_most:
                others = [others[number * len(others) // n_most] for number in range(n_most)]
            models.append(self.fit(others, leave_out))
        return [models[part_of[case["repo"]]] for case, _ in self.cases]

    def tell(self, name, cases, models):
        """A table of what came out."""
        return (self.tell_likely if self.is_likely else self.tell_order)(name, cases, models)

    def tell_likely(self, name, cases, models):
        """A reliability curve: of the files said to be so likely, how many are gold; then, where the task points at no file, the same of the chance that one
        of the first five is."""
        files, firsts, seen = [], [], set()
        for (case, rows), model in zip(cases, models):
            rows = rows[(rows[:, ANSWER] > 0) & (rows[:, ANSWER] <= N_LIKELY)]
            if len(rows) and case["id"] not in seen:
                rows = rows[numpy.argsort(rows[:, ANSWER], kind="stable")]
                said = model.predict(rows[:, N_BEFORE:])
                files += zip(said, rows[:, GOLD])
                # Where the task points at a file, the engine asks for no chance.
                if not rows[:, self.certain].any():
                    firsts.append((1 - numpy.prod(1 - said[:5]), rows[:5, GOLD].any()))
            seen.add(case["id"])
        files, firsts = numpy.array(files, float).reshape(-1, 2), numpy.array(firsts, float).reshape(-1, 2)
        lines = [f"| {name}: said | files | said in the mean | gold |", "|---|---|---|---|"]
        error, n_likely, error_likely = 0, 0, 0
        for number, part in enumerate(files[(files[:, 0] * N_BINS).astype(int) == number] for number in range(N_BINS)):
            if len(part):
                said, gold = part.mean(axis=0)
                error += abs(said - gold) * len(part) / len(files)
                if number > 0:
                    n_likely, error_likely = n_likely + len(part), error_likely + abs(said - gold) * len(part)
                lines.append(f"| {number / N_BINS:.1f} | {len(part)} | {said:.3f} | {gold:.3f} |")
        strong = firsts[firsts[:, 0] >= STRONG]
        lines.append(f"\nExpected calibration error {error:.4f}; of the {n_likely} files said to be gold with .1 or more {error_likely / max(n_likely, 1):.4f}. Of the {len(firsts)} cases that point at no file, one of the first five is said to be gold with {STRONG} or more in {len(strong)}, and is in {strong[:, 1].mean():.3f} of these; in all of them, said {firsts[:, 0].mean():.3f}, is {firsts[:, 1].mean():.3f}.\n")
        return "\n".join(lines)

    def tell_order(self, name, cases, models):
        """A table: by rule, learnt, and the gain with its interval of 95 % by drawing cases; then the sign test of the best file's place. Of what is
        edited already only the file that stands first in the answer counts."""
        kept = {}
        for number, (case, _) in enumerate(cases):
            kept.setdefault(case["id"], number)
        cases, models = [cases[number] for number in kept.values()], [models[number] for number in kept.values()]
        before, after = self.figures(cases, [None] * len(cases)), self.figures(cases, models)
        draws = numpy.random.default_rng(1).integers(0, len(cases), (2_000, len(cases)))
        low, high = numpy.percentile((after - before)[draws].mean(axis=1), [2.5, 97.5], axis=0)
        gain = after[:, -1] - before[:, -1]
        wins, losses = int((gain > 1e-9).sum()), int((gain < -1e-9).sum())
        chance = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
        lines = [f"| {name}, {len(cases)} cases | " + " | ".join(FIGURES) + " |", "|---|" + "---|" * len(FIGURES)]
        lines.append("| by rule | " + " | ".join(f"{value:.3f}" for value in before.mean(axis=0)) + " |")
        lines.append("| learnt | " + " | ".join(f"{value:.3f}" for value in after.mean(axis=0)) + " |")
        lines.append("| gain, 95 % | " + " | ".join(f"{least:+.3f} to {most:+.3f}" for least, most in zip(low, high)) + " |")
        lines.append(f"\nThe best file stands higher in {wins} cases and lower in {losses} (exact sign test, p = {chance:.2g}).\n")
        return "\n".join(lines)

    def some(self, models, is_one):
        """The cases that are meant, and their models."""
        kept = [number for number, (case, _) in enumerate(self.cases) if is_one(case)]
        return [self.cases[number] for number in kept], [models[number] for number in kept]


def tree(node, base, unit):
    """Splits, leaves and the means of splits of one tree, split 0 at its root, above `base`, in parts of a `unit`."""
    splits, leaves, means = [], [], []

    def visit(node):
        if "leaf_value" in node:
            leaves.append(round(node["leaf_value"] * unit) - base)
            return -len(leaves)
        number = len(splits)
        splits.append(None)
        means.append(round(node["internal_value"] * unit) - base)
        if node["decision_type"] != "<=":
            raise SystemExit(f"a split by {node['decision_type']}")
        left, right = visit(node["left_child"]), visit(node["right_child"])
        # Values are integers: one is at most the threshold where it is at most its floor.
        most = max(min(int(numpy.floor(node["threshold"])), 2**31 - 1), -(2**31))
        splits[number] = (node["split_feature"], most, left, right)
        return number

    visit(node)
    # A tree with fewer leaves has splits and leaves that nothing leads to.
    splits += [(0, 0, -1, -1)] * (N_LEAVES - 1 - len(splits))
    means += [0] * (N_LEAVES - 1 - len(means))
    leaves += [0] * (N_LEAVES - len(leaves))
    return splits, leaves, means


def columns_hash(columns, version):
    """As `columns_hash` of rules/columns.rs."""
    result = 0xCBF29CE484222325
    for byte in "".join(f"{name}\n" for name in [version, *columns]).encode():
        result = (result ^ byte) * 0x100000001B3 % 2**64
    return result


def rust(model, columns, question, unit):
    """The trees as a table of Rust."""
    trees = [info["tree_structure"] for info in model.dump_model()["tree_info"]]
    if not trees or "split_feature" not in trees[0]:
        raise SystemExit("the tables tell too little: the first tree has no split")
    # The first tree brings what all files have in common, which may be more than a leaf can hold.
    base = round(trees[0]["internal_value"] * unit)
    trees = [tree(root, base if number == 0 else 0, unit) for number, root in enumerate(trees) if "split_feature" in root]
    most = max(abs(value) for _, leaves, means in trees for value in [*leaves, *means])
    if most > 2**15 - 1:
        raise SystemExit(f"{most} ten-thousandths do not fit into a leaf")
    name, what = QUESTIONS[question]
    text = [f"//! The trees of the learnt {what}. Written by `benches/train`: do not edit; `{name}.md` says what they were learnt from.\n"]
    text.append("#![allow(clippy::unreadable_literal)]\n")
    text.append("use crate::learnt::{N_LEAVES, N_SPLITS, Split};\n")
    text.append("/// The columns that the trees were fitted to: see [`columns_hash`](crate::columns::columns_hash).")
    text.append(f"#[cfg(test)]\npub(crate) const COLUMNS: u64 = {columns_hash(columns, VERSIONS[question])};\n")
    text.append(f"/// What all candidates score before any split, in ten-thousandths.\npub(crate) const BASE: i32 = {base};\n")
    texts = (
        ("The splits of each tree", "SPLITS: &[[Split; N_SPLITS]]", ["[" + ", ".join(str(split) for split in splits) + "]" for splits, _, _ in trees]),
        ("The leaves of each tree, in ten-thousandths", "LEAVES: &[[i16; N_LEAVES]]", [str(leaves) for _, leaves, _ in trees]),
        ("The mean below each split, in ten-thousandths", "MEANS: &[[i16; N_SPLITS]]", [str(means) for _, _, means in trees]),
    )
    for what, constant, values in texts:
        rows = ["    " + ", ".join(values[at : at + PER_LINE]) + "," for at in range(0, len(values), PER_LINE)]
        text.append("\n".join([f"/// {what}.", "#[rustfmt::skip]", f"pub(crate) const {constant} = &[", *rows, "];", ""]))
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", type=pathlib.Path)
    parser.add_argument("--judge", nargs="*", default=[], type=pathlib.Path, help="tables that take no part in the fit")
    parser.add_argument("--curve", nargs="*", default=[], type=int, help="numbers of cases to fit on, for the curve")
    parser.add_argument("--without", nargs="*", default=[], help="groups of features to leave out in turn: names joined by +")
    question = parser.add_mutually_exclusive_group()
    question.add_argument("--next", action="store_const", const="next", dest="question", help="the tables tell what is still to change where a file is edited")
    question.add_argument("--likely", action="store_const", const="likely", dest="question", help="learn how likely each file is changed")
    question.add_argument("--passages", action="store_const", const="passages", dest="question", help="the tables tell which lines of files are changed")
    parser.set_defaults(question="files")
    parser.add_argument("--out", type=pathlib.Path, help="folder for the trees and their card")
    parser.add_argument("--date", default="", help="the date in the card")
    options = parser.parse_args()

    kind = passages.of(Tables) if options.question == "passages" else Tables
    tables = kind(options.tables, options.question)
    models = tables.left_out()
    n_cases = len({case["id"] for case, _ in tables.cases})
    name, what = QUESTIONS[options.question]
    card = [f"# The learnt {what}\n\n{n_cases} cases of {len(tables.repos())} repositories; {tables.n_failed} could not be opened."]
    card.append(f"Fitted {options.date} by LightGBM {lightgbm.__version__}, {N_TREES} trees: `{json.dumps(tables.parameters)}`.\n")
    card.append("## By leaving repositories out\n")
    card.append(tables.tell("all", tables.cases, models))
    for language in sorted({case["language"] for case, _ in tables.cases}):
        card.append(tables.tell(language, *tables.some(models, lambda case: case["language"] == language)))
    for number in options.curve:
        card.append(tables.tell(f"fitted on {number}", tables.cases, tables.left_out(number)))
    for group in options.without:
        names = group.split("+")
        is_out = lambda column: any(column == name or column.startswith(name + " of") or column == name + " rank" for name in names)
        card.append(tables.tell(f"without {group}", tables.cases, tables.left_out(leave_out=is_out)))
    model = tables.fit(tables.cases)
    if options.judge:
        card.append("## By cases that take no part\n")
    for path in options.judge:
        judge = kind([path], options.question)
        if judge.columns != tables.columns:
            raise SystemExit(f"{path} has other columns than {options.tables[0]}: write both by one build")
        card.append(judge.tell(path.stem, judge.cases, [model] * len(judge.cases)))
    gain = model.feature_importance("gain")
    rows = sorted(zip(gain / gain.sum(), tables.columns[tables.n_before :]), key=lambda row: (-row[0], row[1]))
    card.append("## What trees split by\n\nShares of all gain: " + ", ".join(f"{name} {share:.3f}" for share, name in rows[:25]) + ".\n")
    card.append("## Repositories\n\n" + ", ".join(tables.repos()) + ".")
    text = "\n".join(card) + "\n"
    print(text)
    if options.out:
        (options.out / f"{name}.rs").write_text(rust(model, tables.columns[tables.n_before :], options.question, tables.unit))
        (options.out / f"{name}.md").write_text(text)


if __name__ == "__main__":
    main()
