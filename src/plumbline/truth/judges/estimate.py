"""What few cases of the reference and many cases of a judge say together, about each system and each two systems."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.errors import BadData, judgements
from plumbline.truth.judges.prediction_powered import powered_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.truth.judges.board import Board

    Numbers = NDArray[np.float64]

TWO = 2


def estimates(reference: Board, judges: Sequence[Board], confidence: float) -> pl.DataFrame:
    """`judge, metric, system, minus`, the estimate with its interval, the plain mean with its own, and what it is worth.

    `minus` names the other system of a difference, case by case. The cases of the reference are taken as a random sample.
    """
    rows = [row for judge in judges for row in _of_judge(reference, judge, confidence)]
    if not rows:
        shared = max((len(set(reference.cube.cases) & set(judge.cube.cases)) for judge in judges), default=0)
        raise BadData(judgements.too_few_human_cases(shared))
    return pl.DataFrame(rows, infer_schema_length=None)


def _of_judge(reference: Board, judge: Board, confidence: float) -> list[dict[str, Any]]:
    ours = {case: place for place, case in enumerate(reference.cube.cases)}
    shared = [(ours[case], place) for place, case in enumerate(judge.cube.cases) if case in ours]
    alone = [place for place, case in enumerate(judge.cube.cases) if case not in ours]
    if len(shared) < TWO or not alone:
        return []
    rows = []
    for at, metric in enumerate(reference.cube.metrics):
        y = reference.cube.values[at][:, [one for one, _ in shared]]
        f = judge.cube.values[at][:, [other for _, other in shared]]
        others = judge.cube.values[at][:, alone]
        systems = reference.cube.systems
        facts = {"judge": judge.judge, "metric": metric}
        for place, system in enumerate(systems):
            rows.append(facts | {"system": system, "minus": None} | _row(y[place], f[place], others[place], confidence))
        for one, two in combinations(range(len(systems)), 2):
            names = {"system": systems[one], "minus": systems[two]}
            rows.append(facts | names | _row(y[one] - y[two], f[one] - f[two], others[one] - others[two], confidence))
    return rows


def _row(y: Numbers, f: Numbers, others: Numbers, confidence: float) -> dict[str, Any]:
    known = ~(np.isnan(y) | np.isnan(f))
    y, f, others = y[known], f[known], others[~np.isnan(others)]
    if len(y) < TWO:
        names = ("estimate", "low", "high", "weight", "mean", "mean_low", "mean_high", "worth")
        return {"cases": len(y), "judged_cases": len(others)} | dict.fromkeys(names)
    powered = powered_mean(y, f, others, confidence=confidence)
    plain = powered_mean(y, f, others, weight=0.0, confidence=confidence)
    return {
        "cases": len(y),
        "judged_cases": len(others),
        "estimate": powered.value,
        "low": powered.low,
        "high": powered.high,
        "weight": powered.weight,
        "mean": plain.value,
        "mean_low": plain.low,
        "mean_high": plain.high,
        "worth": powered.worth,
    }
