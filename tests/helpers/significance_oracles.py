"""Every significance test and correction a second time, slowly and obviously: exact p-values of small tables.

The oracle of a test of single pairs gets the scores of two systems on the cases that both have; that of a familywise test gets
a complete table. Where a test draws, its oracle tries everything that can be drawn.
"""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import comb, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Callable

Numbers = NDArray[np.float64]

NEARLY = 1e-12
PAIR_ORACLES: dict[str, Callable[[Numbers, Numbers], float]] = {}
TABLE_ORACLES: dict[str, Callable[[Numbers], Numbers]] = {}
CORRECTION_ORACLES: dict[str, Callable[[list[float]], list[float]]] = {}


def oracle(name: str, kind: dict[str, Any]) -> Callable[[Any], Any]:
    """Register the oracle of a test or a correction."""

    def declare(function: Any) -> Any:
        kind[name] = function
        return function

    return declare


@oracle("t", PAIR_ORACLES)
def t(x: Numbers, y: Numbers) -> float:
    """By the formula."""
    difference = x - y
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    return 2 * float(stats.t.sf(abs(difference.mean()) / error, len(difference) - 1))


@oracle("sign", PAIR_ORACLES)
def sign(x: Numbers, y: Numbers) -> float:
    """Coins."""
    won, lost = int((x - y > NEARLY).sum()), int((y - x > NEARLY).sum())
    return float(min(1.0, 2 * sum(comb(won + lost, k) for k in range(min(won, lost) + 1)) / 2 ** (won + lost)))


@oracle("wilcoxon", PAIR_ORACLES)
def wilcoxon(x: Numbers, y: Numbers) -> float:
    """All signs of the ranks."""
    difference = np.round(x - y, 12)
    difference = difference[difference != 0]
    ranks = stats.rankdata(np.abs(difference))
    return _reached(ranks * np.sign(difference), ranks)


@oracle("randomization", PAIR_ORACLES)
def randomization(x: Numbers, y: Numbers) -> float:
    """All signs of the differences."""
    return _reached(x - y, np.abs(x - y))


def _reached(observed: Numbers, sizes: Numbers) -> float:
    """The share of all signs of the sizes whose sum is as far from 0 as that of the observed."""
    sums = [abs(np.dot(signs, sizes)) for signs in product((-1, 1), repeat=len(sizes))]
    return float(np.mean([one >= abs(observed.sum()) - NEARLY for one in sums]))


@oracle("bootstrap", PAIR_ORACLES)
def bootstrap(x: Numbers, y: Numbers) -> float:
    """All ways to draw with replacement."""
    centred = (x - y) - (x - y).mean()
    limit = abs((x - y).mean()) - NEARLY
    means = [abs(centred[list(drawn)].mean()) for drawn in product(range(len(x)), repeat=len(x))]
    never_zero = 1e-4  # as draws show it
    return widened_share(max(float(np.mean([one >= limit for one in means])), never_zero), len(x))


def widened_share(share: float, cases: int) -> float:
    """The quantile of a share in units of the error of the mean, in the t distribution instead of the normal one."""
    if cases < 2:
        return nan if share < 1 else 1.0
    return float(2 * stats.t.sf(stats.norm.isf(share / 2) * np.sqrt((cases - 1) / cases), cases - 1))


@oracle("tukey", TABLE_ORACLES)
def tukey(values: Numbers) -> Numbers:
    """Two-way analysis of variance, term by term."""
    systems, cases = values.shape
    grand = values.mean()
    places = product(range(systems), range(cases))
    rest = sum((values[s, c] - values[s].mean() - values[:, c].mean() + grand) ** 2 for s, c in places)
    freedom = (systems - 1) * (cases - 1)
    return _pairwise(
        values,
        lambda x, y: stats.studentized_range.sf(abs(x.mean() - y.mean()) / np.sqrt(rest / freedom / cases), systems, freedom),
    )


@oracle("randomised_tukey", TABLE_ORACLES)
def randomised_tukey(values: Numbers) -> Numbers:
    """All deals of the scores of all cases."""
    deals = product(*(list(permutations(case)) for case in values.T))
    largest = [np.ptp(np.mean(deal, axis=0)) for deal in deals]
    return _pairwise(values, lambda x, y: np.mean([one >= abs(x.mean() - y.mean()) - NEARLY for one in largest]))


@oracle("nemenyi", TABLE_ORACLES)
def nemenyi(values: Numbers) -> Numbers:
    """All deals of the ranks of all cases; of 50 cases or 10 systems the studentized range with endless degrees of freedom."""
    systems, cases = values.shape
    ranks = np.array([stats.rankdata(-case) for case in values.T]).T
    if systems < 10 and cases < 50:
        return np.asarray(randomised_tukey(ranks))
    unit = np.sqrt(systems * (systems + 1) / (12 * cases))
    return _pairwise(ranks, lambda x, y: stats.studentized_range.sf(abs(x.mean() - y.mean()) / unit, systems, np.inf))


def _pairwise(rows: Numbers, p: Callable[[Numbers, Numbers], float]) -> Numbers:
    table = np.eye(len(rows))
    for a, b in combinations(range(len(rows)), 2):
        table[a, b] = table[b, a] = p(rows[a], rows[b])
    return table


@oracle("none", CORRECTION_ORACLES)
def none(p: list[float]) -> list[float]:
    """Nothing."""
    return p


@oracle("bonferroni", CORRECTION_ORACLES)
def bonferroni(p: list[float]) -> list[float]:
    """Each times their number."""
    return [min(len(p) * one, 1.0) for one in p]


@oracle("holm", CORRECTION_ORACLES)
def holm(p: list[float]) -> list[float]:
    """The largest of those up to each, the smallest times their number, the next one times one less, and so on."""
    ordered = sorted(p)
    return [max(min((len(p) - place) * one, 1.0) for place, one in enumerate(ordered) if one <= given) for given in p]


@oracle("benjamini_hochberg", CORRECTION_ORACLES)
def benjamini_hochberg(p: list[float]) -> list[float]:
    """The smallest of those from each on, times their number through their place."""
    ordered = sorted(p)
    return [min(min(one * len(p) / (place + 1), 1.0) for place, one in enumerate(ordered) if one >= given) for given in p]
