#!/usr/bin/env python3
"""What an order of files that is learnt would reach, from tables that `activate eval --features` wrote.

    activate eval --cases cases.jsonl --repos .. --features cases.table
    python3 -m venv venv && venv/bin/pip install -r benches/train/requirements.txt
    venv/bin/python benches/train/train.py cases.table [OTHER.table...] [--judge JUDGE.table...]

The fit is LambdaMART by LightGBM (Burges, "From RankNet to LambdaRank to LambdaMART", 2010), on one thread with one seed, so that the same
tables give the same figures. Tables are judged by leaving repositories out: of five parts of the repositories each is asked of the fit on the
other four. Those behind `--judge` take no part in the fit. Figures are those of `activate eval`: how often all gold files are within the first
k source files, the share of them within ten, and the reciprocal rank of the best.
"""

import argparse
import json
import pathlib

import lightgbm
import numpy
from scipy.stats import binomtest

# What stands first in a row: whether the file is gold, and its place in the answer, 0 where it has none.
GOLD, PLACE = 0, 1
# The place of a file that has none.
LAST = 1_000
N_TREES = 200
N_PARTS = 5
FIGURES = ["acc@1", "acc@5", "acc@10", "r@10", "mrr"]
FIT = {
    "objective": "lambdarank",
    "metric": "None",
    "num_leaves": 7,
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


def load(path):
    """The names of the columns, and the cases with their rows."""
    with open(path, "rb") as file:
        head = json.loads(file.readline())
        rows = numpy.frombuffer(file.read(), dtype="<i4").reshape(-1, len(head["columns"])).copy()
    rows[rows[:, PLACE] == 0, PLACE] = LAST
    if sum(case["n_files"] for case in head["cases"]) != len(rows):
        raise SystemExit(f"{path}: the head tells of other rows than there are")
    cases, at = [], 0
    for case in head["cases"]:
        cases.append((case, rows[at : at + case["n_files"]]))
        at += case["n_files"]
    return head["columns"], [case for case in cases if "problem" not in case[0]]


def tables(paths):
    """The cases of several tables with the same columns."""
    columns, cases = load(paths[0])
    for path in paths[1:]:
        others, more = load(path)
        if others != columns:
            raise SystemExit(f"{path} has other columns than {paths[0]}: write both by one build")
        cases += more
    return columns, cases


def fit(cases):
    """A model of all files of the cases that have a gold one among them."""
    kept = [rows for _, rows in cases if 0 < rows[:, GOLD].sum() < len(rows)]
    rows = numpy.vstack(kept)
    data = lightgbm.Dataset(rows[:, PLACE:], rows[:, GOLD], group=[len(part) for part in kept])
    return lightgbm.train(FIT, data, N_TREES)


def left_out(cases):
    """For each case the model of the other parts of the repositories."""
    repos = sorted({case["repo"] for case, _ in cases})
    part_of = {repo: number % N_PARTS for number, repo in enumerate(repos)}
    models = [fit([case for case in cases if part_of[case[0]["repo"]] != part]) for part in range(N_PARTS)]
    return [models[part_of[case["repo"]]] for case, _ in cases]


def figures(cases, models):
    """The figures of each case: by place where there is no model."""
    result = []
    for (case, rows), model in zip(cases, models):
        key = rows[:, PLACE] if model is None or not len(rows) else -model.predict(rows[:, PLACE:])
        order = rows[numpy.argsort(key, kind="stable")]
        if model is None:
            order = order[order[:, PLACE] < LAST]
        found, n_gold = numpy.flatnonzero(order[:, GOLD]) + 1, case["n_gold"]
        within = [len(found) == n_gold and found.max() <= k for k in (1, 5, 10)]
        result.append([*within, (found <= 10).sum() / n_gold, 1 / found.min() if len(found) else 0])
    return numpy.array(result, float)


def tell(name, cases, models):
    """A table: by rule, learnt, and the gain with its interval of 95 % by drawing cases; then the sign test of the best file's place."""
    before, after = figures(cases, [None] * len(cases)), figures(cases, models)
    draws = numpy.random.default_rng(1).integers(0, len(cases), (2_000, len(cases)))
    low, high = numpy.percentile((after - before)[draws].mean(axis=1), [2.5, 97.5], axis=0)
    gain = after[:, -1] - before[:, -1]
    wins, losses = int((gain > 1e-9).sum()), int((gain < -1e-9).sum())
    chance = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    print(f"| {name}, {len(cases)} cases | " + " | ".join(FIGURES) + " |\n|---|" + "---|" * len(FIGURES))
    print("| by rule | " + " | ".join(f"{value:.3f}" for value in before.mean(axis=0)) + " |")
    print("| learnt | " + " | ".join(f"{value:.3f}" for value in after.mean(axis=0)) + " |")
    print("| gain, 95 % | " + " | ".join(f"{least:+.3f} to {most:+.3f}" for least, most in zip(low, high)) + " |")
    print(f"\nThe best file stands higher in {wins} cases and lower in {losses} (exact sign test, p = {chance:.2g}).\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", type=pathlib.Path)
    parser.add_argument("--judge", nargs="*", default=[], type=pathlib.Path, help="tables that take no part in the fit")
    options = parser.parse_args()

    columns, cases = tables(options.tables)
    models = left_out(cases)
    print(f"{len(cases)} cases of {len({case['repo'] for case, _ in cases})} repositories, by leaving repositories out:\n")
    tell("all", cases, models)
    for language in sorted({case["language"] for case, _ in cases}):
        some = [number for number, (case, _) in enumerate(cases) if case["language"] == language]
        tell(language, [cases[number] for number in some], [models[number] for number in some])
    model = fit(cases)
    for path in options.judge:
        others, judging = load(path)
        if others != columns:
            raise SystemExit(f"{path} has other columns than {options.tables[0]}: write both by one build")
        tell(path.stem, judging, [model] * len(judging))
    gain = model.feature_importance("gain")
    rows = sorted(zip(gain / gain.sum(), columns[PLACE:]), key=lambda row: (-row[0], row[1]))
    print("What the trees split by, as shares of all gain: " + ", ".join(f"{name} {share:.3f}" for share, name in rows[:20]))


if __name__ == "__main__":
    main()
