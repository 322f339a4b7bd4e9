"""Marks of significance in a table of means: letters of the systems that one beats, or daggers against a baseline."""

from __future__ import annotations

from itertools import pairwise
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.result import pair_indices
from plumbline.errors.base import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.evidence import Evidence

BETTER, WORSE = "†", "‡"
"""Significantly better and significantly worse than the baseline."""
AROUND_ZERO, OPPOSITE = "the interval includes 0", "the test prefers the other system"
"""Why a small p has no mark."""
PAIR: Final = 2
MOST_LETTERS: Final = len(ascii_lowercase)


def row_names(count: int) -> list[str]:
    """What rows are called by marks: a, b, c and so on, or numbers if there are more rows than letters."""
    return list(ascii_lowercase[:count]) if count <= MOST_LETTERS else [str(row) for row in range(1, count + 1)]


def marks(evidence: Evidence, measure: int, order: Sequence[int]) -> list[str]:
    """The mark of each system by a measure, in the order in which the systems stand in the table."""
    wins = evidence.wins[measure]
    if evidence.baseline_at is not None:
        at = evidence.baseline_at
        return [BETTER if wins[system, at] else WORSE if wins[at, system] else "" for system in order]
    place = {system: row for row, system in enumerate(order)}
    return [_joined((place[other] for other in np.flatnonzero(wins[system]).tolist()), len(order)) for system in order]


def _joined(rows: Iterable[int], count: int) -> str:
    """The names of rows: `bcd`, or with numbers `2-4,7`."""
    ordered = sorted(rows)
    if count <= MOST_LETTERS:
        return "".join(ascii_lowercase[row] for row in ordered)
    return number_ranges(row + 1 for row in ordered)


def number_ranges(numbers: Iterable[int]) -> str:
    """`1-3,7`: numbers, with runs of them joined."""
    ordered = sorted(numbers)
    breaks = [0, *(at for at, (one, other) in enumerate(pairwise(ordered), 1) if other > one + 1), len(ordered)]
    runs = [ordered[start:stop] for start, stop in pairwise(breaks) if stop > start]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def explanation(evidence: Evidence, count: int) -> str:
    """What the marks mean."""
    if evidence.baseline is not None:
        return f"{BETTER} significantly better than {evidence.baseline}, {WORSE} significantly worse{_without(evidence)}"
    rows = "letters" if count <= MOST_LETTERS else "raised numbers"
    return f"{rows}: significantly better than the system of that row{_without(evidence)}"


def doubt(evidence: Evidence, measure: int, a: int, b: int) -> str:
    """What speaks against a significant difference; empty if nothing does, or if it is not significant."""
    if not evidence.corrected[measure, a, b] < evidence.level:
        return ""
    if evidence.opposite[measure, a, b]:
        return OPPOSITE
    return AROUND_ZERO if evidence.around_zero[measure, a, b] else ""


def only_before_correction(evidence: Evidence, a: NDArray[np.intp], b: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether it takes the correction for p not to be small, though the interval excludes 0: `[measure, pair]`.

    A test that accounts for all pairs has no p before that.
    """
    inside = evidence.test_result.familywise and len(evidence.systems) > PAIR
    apart = np.stack([(of.spread.low[a, b] > 0) | (of.spread.high[a, b] < 0) for of in evidence.measures])
    before = np.stack([(of.test.p[a, b] < evidence.level) | inside for of in evidence.measures])
    return np.asarray(apart & before & (evidence.corrected[:, a, b] >= evidence.level))


def about_correction(evidence: Evidence) -> str:
    """How an interval without 0 goes with a p that is not small."""
    return (
        f"p is corrected for several comparisons, intervals are not: one may exclude 0 where p is not below {evidence.level:g}"
    )


def _without(evidence: Evidence) -> str:
    """How many small p values have no mark, and why."""
    a, b = pair_indices(len(evidence.systems), evidence.baseline_at)
    small, opposite = (evidence.corrected < evidence.level)[:, a, b], evidence.opposite[:, a, b]
    reasons = {
        AROUND_ZERO: small & ~opposite & evidence.around_zero[:, a, b],
        OPPOSITE: small & opposite,
    }
    texts = [f"{plural(int(where.sum()), 'difference')}, as {why}" for why, where in reasons.items() if where.any()]
    return f"; no mark despite p below {evidence.level:g}: {'; '.join(texts)}" if texts else ""
