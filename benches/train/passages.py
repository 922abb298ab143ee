"""Learns which lines of the likely files a task changes, from tables that `activate eval --passages` wrote.

The rules give each passage points, and so many of them (`packing.doubling`) say double what a line is worth. Of the changed lines of a case each stands
in a passage with a chance that is its part of all lines, each counted as often as it is worth: a conditional logit. The trees add to the logarithm of that
worth, fitted by gradient boosting, from the points by rule on; they are written in doublings. Cases tell of source alone: tests, documents, generated and foreign
files take no part, and get what source gets in the mean, each passage counted by its worth by rule, so that they stand to source as rules say. The odds of
files are those of the shipped trees, which the same cases taught: leaving repositories out leaves them out of this fit alone.

A case is figured by a packing that is like the engine's but simpler: passages by worth per token, a token for 3.3 bytes and twelve for each passage, no lists,
until 1,500, 3,500 and 7,500 tokens are full (what texts of 2,000, 4,000 and 8,000 leave); and by the order of definitions.
"""

import math

import lightgbm
import numpy

# What stands first in a row: changed lines, whether a changed definition begins in it or it is a part of one, its lines and bytes.
GOLD, SYMBOL, LINES, BYTES, N_BEFORE = 0, 1, 2, 3, 4
N_TREES = 200
# As `packing.doubling`, in thousandths of a point, `packing.again`, `packing.definition_lines` and the most lines that count.
DOUBLING, AGAIN, DEFINITION_LINES, MAX_LINES = 14_000, 0.03, 0.5, 40
ROOM = (1_500, 3_500, 7_500)
BYTES_A_TOKEN, TOKENS_A_PASSAGE = 3.3, 12
FIGURES = ["l2k", "l4k", "l8k", "any@1", "any@10"]
FIT = {
    "metric": "None",
    "num_leaves": 7,
    "learning_rate": 0.06,
    "min_data_in_leaf": 60,
    "min_sum_hessian_in_leaf": 0.5,
    "feature_fraction": 0.4,
    "lambda_l2": 5.0,
    "max_bin": 127,
    "seed": 7,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbosity": -1,
}


def of(tables):
    """The class of such tables, over the one of tables of files."""

    class Passages(tables):
        n_before, unit, parameters = N_BEFORE, 10_000 / math.log(2), {"objective": "conditional logit", **FIT}

        def set_up(self):
            names = ("points", "kind", "file place", "file lines", "test", "text", "role", "named")
            self.points, self.kind, self.place, self.length, self.test, self.text, self.role, self.named = map(self.columns.index, names)

        def is_source(self, rows):
            return (rows[:, self.test] == 0) & (rows[:, self.text] == 0) & (rows[:, self.role] == 1_000)

        def by_rule(self, rows):
            """The logarithm of what a line is worth."""
            return rows[:, self.points] / DOUBLING * math.log(2)

        def fit(self, cases, leave_out=None):
            kept = [rows[self.is_source(rows)] for _, rows in cases]
            kept = [rows for rows in kept if 0 < (rows[:, GOLD] > 0).sum() < len(rows)]
            rows, sizes = numpy.vstack(kept), [len(part) for part in kept]
            starts, number = numpy.cumsum([0, *sizes[:-1]]), numpy.repeat(numpy.arange(len(sizes)), sizes)
            n_lines = numpy.log(numpy.minimum(rows[:, LINES], MAX_LINES))
            gold = numpy.minimum(rows[:, GOLD], MAX_LINES).astype(float)
            wanted = gold / numpy.add.reduceat(gold, starts)[number]

            def objective(said, _):
                worth = said + n_lines
                worth = numpy.exp(worth - numpy.maximum.reduceat(worth, starts)[number])
                chance = worth / numpy.add.reduceat(worth, starts)[number]
                return chance - wanted, numpy.maximum(chance * (1 - chance), 1e-6)

            data = lightgbm.Dataset(rows[:, N_BEFORE:], numpy.zeros(len(rows)), init_score=self.by_rule(rows), params={"feature_pre_filter": False})
            return lightgbm.train({**FIT, "objective": objective, **self.penalty(leave_out)}, data, N_TREES)

        def figures_of(self, case, rows, model):
            said = self.by_rule(rows)
            n_lines = numpy.minimum(rows[:, LINES], MAX_LINES)
            if model is not None and len(rows):
                learnt, weights, is_source = model.predict(rows[:, N_BEFORE:]), n_lines * numpy.exp(said - said.max()), self.is_source(rows)
                if is_source.any():
                    learnt[~is_source] = numpy.average(learnt[is_source], weights=weights[is_source])
                # As surely as the task names a passage, it gets what gets most.
                learnt += (learnt.max() - learnt) * rows[:, self.named] / 1_000
                said = said + learnt
            tokens, worth = TOKENS_A_PASSAGE + rows[:, BYTES] / BYTES_A_TOKEN, n_lines * numpy.exp(said)
            n_of_file = {}
            for at in numpy.lexsort((numpy.arange(len(rows)), -said)):
                file = (rows[at, self.place], rows[at, self.length])
                worth[at] /= 1 + AGAIN * n_of_file.get(file, 0)
                n_of_file[file] = n_of_file.get(file, 0) + 1
            order = numpy.argsort(-worth / tokens, kind="stable")
            filled, shown = numpy.cumsum(tokens[order]), numpy.concatenate([[0], numpy.cumsum(rows[order, GOLD])])
            lines = [shown[numpy.searchsorted(filled, room, side="right")] / case["n_gold"] for room in ROOM]
            if not rows[:, SYMBOL].any():
                return [*lines, math.nan, math.nan]
            by_lines = said + DEFINITION_LINES * numpy.log(n_lines)
            order = [at for at in numpy.lexsort((numpy.arange(len(rows)), -by_lines)) if rows[at, self.kind] > 0]
            right = rows[order, SYMBOL] > 0
            return [*lines, right[:1].any(), right[:10].any()]

        def tell(self, name, cases, models):
            """A table: by rule, learnt, and the gain with its interval of 95 % by drawing cases. Definitions, of which a part each is counted, are told of cases with a
            right one among the passages."""
            pairs = [pair for pair in zip(cases, models) if pair[0][0]["n_gold"]]
            if not pairs:
                return f"{name}: no changed lines are known.\n"
            before = numpy.array([self.figures_of(*case, None) for case, _ in pairs], float)
            after = numpy.array([self.figures_of(*case, model) for case, model in pairs], float)
            draws = numpy.random.default_rng(1).integers(0, len(pairs), (2_000, len(pairs)))
            low, high = numpy.percentile(numpy.nanmean((after - before)[draws], axis=1), [2.5, 97.5], axis=0)
            lines = [f"| {name}, {len(pairs)} cases | " + " | ".join(FIGURES) + " |", "|---|" + "---|" * len(FIGURES)]
            lines.append("| by rule | " + " | ".join(f"{value:.3f}" for value in numpy.nanmean(before, axis=0)) + " |")
            lines.append("| learnt | " + " | ".join(f"{value:.3f}" for value in numpy.nanmean(after, axis=0)) + " |")
            lines.append("| gain, 95 % | " + " | ".join(f"{least:+.3f} to {most:+.3f}" for least, most in zip(low, high)) + " |\n")
            return "\n".join(lines)

    return Passages
