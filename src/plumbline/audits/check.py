"""Does a metric keep a constraint? Every world is a case, its two clusterings are the systems "better" and "worse"."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.evaluation import evaluate
from plumbline.audits.verdict import Counterexample, Verdict
from plumbline.metrics.names import parse
from plumbline.schema import CASE, ITEM, LABEL, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from plumbline.audits.constraints.constraint import Constraint, Pair, Words
    from plumbline.metrics.measure import Measure
    from plumbline.scores import Scores

TOLERANCE: Final = 1e-9
"""Scores that differ by less are equal but for rounding."""


def check(metric: str, constraint: Constraint, *, largest: int | None = None) -> Verdict:
    """Compare a metric's scores on all pairs of a constraint of at most `largest` items."""
    return check_all([metric], constraint, largest=largest)[0]


def check_all(metrics: Sequence[str], constraint: Constraint, *, largest: int | None = None) -> list[Verdict]:
    """The same for several metrics, in one evaluation."""
    asked = [_with_direction(name) for name in metrics]
    most = constraint.largest if largest is None else largest
    if most < constraint.smallest:
        raise BadUsage(usage.bad_option("largest", str(most), [f"{constraint.smallest} or more for {constraint.name}"]))
    pairs = list(constraint.pairs(most))
    scores = evaluate(
        _table(pair.gold for pair in pairs),
        {"better": _table(pair.better for pair in pairs), "worse": _table(pair.worse for pair in pairs)},
        [measure.name for measure in asked],
        task="clustering",
    )
    return [_verdict(measure, constraint, pairs, scores) for measure in asked]


def _with_direction(name: str) -> Measure:
    measure = parse(name, task="clustering")
    if measure.better == "neither":
        raise BadUsage(usage.bad_option("metric", name, ["one whose parts have the same better direction"]))
    return measure


def _table(clusterings: Iterable[Words]) -> pl.DataFrame:
    """A case for each clustering; the first item with the letter a is a0, the next a1."""
    rows: dict[str, list[Any]] = {CASE: [], ITEM: [], LABEL: []}
    for case, words in enumerate(clusterings):
        numbers = {letter: count() for letter in "".join(words)}
        for label, word in enumerate(words):
            rows[CASE] += [str(case)] * len(word)
            rows[ITEM] += [f"{letter}{next(numbers[letter])}" for letter in word]
            rows[LABEL] += [str(label)] * len(word)
    return pl.DataFrame(rows)


def _verdict(measure: Measure, constraint: Constraint, pairs: list[Pair], scores: Scores) -> Verdict:
    better, worse = (_values(scores, measure, system) for system in ("better", "worse"))
    gain = better - worse if measure.better == "higher" else worse - better
    broken = tuple(
        Counterexample(pairs[case], float(better[case]), float(worse[case]), equal=bool(abs(gain[case]) <= TOLERANCE))
        for case in np.flatnonzero(gain <= TOLERANCE)
    )
    undefined = int(np.isnan(gain).sum())
    items = max(pair.items for pair in pairs)
    return Verdict(measure.name, constraint.name, len(pairs) - undefined, undefined, items, broken)


def _values(scores: Scores, measure: Measure, system: str) -> NDArray[np.float64]:
    """A score for each case, in their order, NaN where it is undefined."""
    own = scores.per_case.filter((pl.col(METRIC) == measure.name) & (pl.col(SYSTEM) == system))
    return own.sort(pl.col(CASE).cast(pl.Int64))[VALUE].fill_null(np.nan).to_numpy()
