"""What few cases of the reference and many cases of a judge say together, about each system and each two systems."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, judgements
from plumbline.truth.judges.prediction_powered import powered_mean, stratified_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from plumbline.truth.judges.board import Board
    from plumbline.truth.judges.prediction_powered import Powered, Stratum

    Numbers = NDArray[np.float64]

TWO: Final = 2
LEAST_IN_STRATUM: Final = 3
"""With fewer cases of the reference in a stratum, how they vary is a guess."""
ALL: Final = ""
"""The name of the one stratum where there are none."""


@dataclass(frozen=True, eq=False)
class Estimated:
    """The estimates of all systems and differences."""

    together: pl.DataFrame
    """`judge, metric, system, minus`, the estimate with its interval, the plain mean with its own, and what it is worth."""
    by_stratum: pl.DataFrame
    """The same of each stratum, with its share of the cases; empty without strata."""


@dataclass(frozen=True, eq=False)
class Cases:
    """Which cases of a judge the reference has judged too, stratum by stratum."""

    names: list[str]
    shared: list[list[tuple[int, int]]]
    """The places of a case among those of the reference and those of the judge."""
    alone: list[list[int]]

    def parts(self, reference: Numbers, judge: Numbers) -> list[Stratum]:
        """The values of one system or difference by both, stratum by stratum; cases without a value are left out."""
        made = []
        for shared, alone in zip(self.shared, self.alone, strict=True):
            y, f = reference[[one for one, _ in shared]], judge[[other for _, other in shared]]
            known = ~(np.isnan(y) | np.isnan(f))
            others = judge[alone]
            made.append((y[known], f[known], others[~np.isnan(others)]))
        return made


def estimates(
    reference: Board, judges: Sequence[Board], confidence: float, strata: Mapping[str, str] | None = None
) -> Estimated:
    """The estimates by each judge.

    `minus` names the other system of a difference, case by case. The cases of the reference are taken as a random sample or,
    with strata, as one of each stratum.
    """
    rows: list[dict[str, Any]] = []
    by_stratum: list[dict[str, Any]] = []
    for judge in judges:
        cases = _cases(reference, judge, strata)
        if cases is None:
            continue
        for facts, parts in _quantities(reference, judge, cases):
            rows.append(facts | _row(parts, confidence))
            if strata is not None:
                by_stratum += [facts | row for row in _of_strata(cases.names, parts, rows[-1]["weight"], confidence)]
    if not rows:
        shared = max((len(set(reference.cube.cases) & set(judge.cube.cases)) for judge in judges), default=0)
        raise BadData(judgements.too_few_human_cases(shared))
    return Estimated(pl.DataFrame(rows, infer_schema_length=None), pl.DataFrame(by_stratum, infer_schema_length=None))


def _cases(reference: Board, judge: Board, strata: Mapping[str, str] | None) -> Cases | None:
    """The cases of a judge by stratum; None if the reference has too few or all of them."""
    ours = {case: place for place, case in enumerate(reference.cube.cases)}
    theirs = list(judge.cube.cases)
    if sum(case in ours for case in theirs) < TWO or all(case in ours for case in theirs):
        return None
    missing = [] if strata is None else [case for case in theirs if case not in strata]
    if missing:
        raise BadData(judgements.no_stratum("strata", missing))
    of_case = {case: ALL if strata is None else strata[case] for case in theirs}
    names = sorted(set(of_case.values()))
    shared: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    alone: dict[str, list[int]] = {name: [] for name in names}
    for place, case in enumerate(theirs):
        if case in ours:
            shared[of_case[case]].append((ours[case], place))
        else:
            alone[of_case[case]].append(place)
    few = next((name for name in names if len(shared[name]) < LEAST_IN_STRATUM), None)
    if strata is not None and few is not None:
        raise BadData(judgements.too_few_in_stratum(few, len(shared[few]), LEAST_IN_STRATUM, judge.judge))
    return Cases(names, list(shared.values()), list(alone.values()))


def _quantities(reference: Board, judge: Board, cases: Cases) -> Iterator[tuple[dict[str, Any], list[Stratum]]]:
    """Every system and every difference of two, by each metric, with its values."""
    systems = reference.cube.systems
    for at, metric in enumerate(reference.cube.metrics):
        ours, theirs = reference.cube.values[at], judge.cube.values[at]
        facts = {"judge": judge.judge, "metric": metric}
        for place, system in enumerate(systems):
            yield facts | {"system": system, "minus": None}, cases.parts(ours[place], theirs[place])
        for one, two in combinations(range(len(systems)), 2):
            names = {"system": systems[one], "minus": systems[two]}
            yield facts | names, cases.parts(ours[one] - ours[two], theirs[one] - theirs[two])


def _row(parts: list[Stratum], confidence: float) -> dict[str, Any]:
    counts = {"cases": sum(len(y) for y, _, _ in parts), "judged_cases": sum(len(others) for _, _, others in parts)}
    if min(len(y) for y, _, _ in parts) < TWO:
        return counts | _described(None, None)
    powered = stratified_mean(parts, confidence=confidence)
    return counts | _described(powered, stratified_mean(parts, weight=0.0, confidence=confidence))


def _of_strata(names: Sequence[str], parts: list[Stratum], weight: float | None, confidence: float) -> Iterator[dict[str, Any]]:
    """Each stratum with its share of all cases, and its estimate with the weight of the whole."""
    total = sum(len(y) + len(others) for y, _, others in parts)
    for name, (y, f, others) in zip(names, parts, strict=True):
        facts = {
            "stratum": name,
            "share": (len(y) + len(others)) / total if total else None,
            "cases": len(y),
            "judged_cases": len(others),
        }
        if weight is None:
            yield facts | _described(None, None)
            continue
        powered = powered_mean(y, f, others, weight=weight if len(others) else 0.0, confidence=confidence)
        yield facts | _described(powered, powered_mean(y, f, others, weight=0.0, confidence=confidence))


def _described(powered: Powered | None, plain: Powered | None) -> dict[str, Any]:
    if powered is None or plain is None:
        return dict.fromkeys(("estimate", "low", "high", "weight", "mean", "mean_low", "mean_high", "worth"))
    return {
        "estimate": powered.value,
        "low": powered.low,
        "high": powered.high,
        "weight": powered.weight,
        "mean": plain.value,
        "mean_low": plain.low,
        "mean_high": plain.high,
        "worth": powered.worth,
    }
