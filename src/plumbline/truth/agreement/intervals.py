"""How far coefficients would move with other cases or items: by bootstrap, or by what each case adds to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from plumbline.lazily import special

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.truth.agreement.registry import Coefficient
    from plumbline.truth.agreement.scales import Scale
    from plumbline.truth.agreement.tally import Tallied

    Numbers = NDArray[np.float64]

Method = Literal["bootstrap", "analytic", "none"]
Over = Literal["cases", "items"]
FEWEST_CASES: Final = 20
"""With so many cases, cases are drawn; with fewer, items."""
_STEP: Final = 1e-4
_FEWEST: Final = 2


@dataclass(frozen=True, eq=False)
class Interval:
    """The interval of each coefficient, its standard error, and what was drawn."""

    low: Numbers
    high: Numbers
    error: Numbers
    over: Over
    count: int
    undefined: int = 0
    """Draws in which a coefficient had no value."""


def drawn_over(cases: int, units: int, wanted: Over | None) -> tuple[Over, int]:
    """Whether cases or items vary, and how many there are."""
    over: Over = wanted or ("cases" if cases >= FEWEST_CASES else "items")
    return over, cases if over == "cases" else units


def interval_of(  # noqa: PLR0913 - what is computed, and how
    tallied: Tallied,
    scale: Scale,
    wanted: Sequence[Coefficient],
    *,
    method: Method,
    over: Over | None,
    confidence: float,
    resamples: int,
    seed: int,
) -> Interval:
    """The intervals of some coefficients by one set of draws."""
    ratings = tallied.ratings
    kind, count = drawn_over(len(ratings.cases), ratings.units, over)
    groups = ratings.case if kind == "cases" else None
    unknown = np.full(len(wanted), np.nan)
    if method == "none" or count < _FEWEST:
        return Interval(unknown, unknown, unknown, kind, count)
    if method == "analytic":
        return _analytic(tallied, scale, wanted, kind, confidence)
    tally = tallied.draws(resamples, seed, groups, count)
    values = np.array([one.compute(tally, scale) for one in wanted])
    tails = (1 - confidence) / 2
    defined = ~np.isnan(values)
    enough = defined.sum(axis=1) > resamples / 2
    low, high, error = np.full((3, len(wanted)), np.nan)
    for place in np.flatnonzero(enough):
        known = values[place, defined[place]]
        low[place], high[place] = np.quantile(known, [tails, 1 - tails])
        error[place] = known.std(ddof=1)
    return Interval(low, high, error, kind, count, int((~defined).sum(axis=1).max(initial=0)))


def _analytic(tallied: Tallied, scale: Scale, wanted: Sequence[Coefficient], kind: Over, confidence: float) -> Interval:
    """Gwet's linearised errors: how a coefficient moves when a unit, or a case, counts a little more."""
    ratings = tallied.ratings
    groups = ratings.case if kind == "cases" else None
    of_groups = len(ratings.cases)
    more, less = (tallied.nudged(step, groups, of_groups) for step in (_STEP, -_STEP))
    sizes = np.ones(of_groups) if groups is not None else tallied.patterns[2]
    count = int(sizes.sum())
    all_units = tallied.all_units()
    errors, values = [], []
    for one in wanted:
        moves = (one.compute(more, scale) - one.compute(less, scale)) / (2 * _STEP)
        errors.append(np.sqrt((sizes * moves**2).sum() * count / (count - 1)))
        values.append(one.compute(all_units, scale)[0])
    error, value = np.array(errors), np.array(values)
    half = float(special.stdtrit(count - 1, (1 + confidence) / 2)) * error
    return Interval(value - half, np.minimum(value + half, 1.0), error, kind, count)
