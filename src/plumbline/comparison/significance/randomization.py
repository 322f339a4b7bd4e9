"""Fisher's randomization test and the bootstrap test of all pairs of systems, by matrix products."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.pairs import BLOCK, IN_CACHE, Pairs, moments
from plumbline.comparison.significance.registry import significance_test, two_of_all_signs
from plumbline.comparison.significance.resampling import drawn_signs, drawn_weights, draws, enumerated, every_sign, units
from plumbline.comparison.significance.result import SignificanceResult
from plumbline.comparison.significance.tail_bound import at_most

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

EXACT_UP_TO: Final = 16
"""Cases up to which all signs are tried instead of drawn."""
_MOST_TRIED: Final = 2**32
"""Signs of all pairs that are tried; beyond, as of 1,000 systems on 16 cases, they are drawn."""


@significance_test(
    "randomization",
    title="Fisher's randomization test",
    paper="smucker2007",
    drawn=True,
    bounds_tails=True,
    exact_up_to=EXACT_UP_TO,
    smallest_p=two_of_all_signs,
    choose_if="nothing speaks against it; it is the default",
)
def randomization(scores: NDArray[np.float64], *, resamples: int, seed: int) -> SignificanceResult:
    """Whether the mean difference is larger than if the two systems were swapped at random on each case.

    It is also called the paired permutation test, and is two-sided; the statistic is the mean difference. If the two systems
    were alike, each case's difference could as well have the other sign. Up to 16 cases all 2^n signs are tried, and p is the
    share of those whose mean difference is at least as far from 0 as the observed. With more cases `resamples` signs are
    drawn, and p = (b + 1) / (B + 1), where b counts those draws: never 0, and valid for any number B of draws. Means that
    agree to 12 significant digits of the largest score are equal. `.exact` tells where all signs were tried.

    Where no draw reaches the observed difference, p is only known to be at most 1 / (B + 1). There Chernoff's bound is used
    if it is smaller, which holds for any differences and is 1 to 7 times the exact p. `.bounded` tells where: read these p as
    "at most". So even thousands of pairs can be corrected without millions of draws.

    All pairs share one matrix of signs, so that a table of systems takes one matrix product per block of draws. Every
    single p is as good as with signs of its own, but the p values of different pairs are dependent: they err by chance in
    the same direction. So do not average them or count them as independent evidence; corrections that hold under any
    dependence (Bonferroni, Holm) are not touched.
    """
    pairs = Pairs(scores)
    mean = moments(pairs).mean
    p = np.full(len(pairs), np.nan)
    systems, cases = pairs.values.shape
    few = (pairs.cases <= EXACT_UP_TO) & (pairs.cases > 0)
    few &= np.count_nonzero(few) * 2.0 ** min(cases - 1, EXACT_UP_TO - 1) <= _MOST_TRIED
    many = (pairs.cases > 0) & ~few
    if 0 < cases <= EXACT_UP_TO and not many.any():
        reached = _reached(pairs, mean, lambda: enumerated(cases), weighted=False)
        p[few] = reached[few] / 2 ** (cases - 1)
    elif few.any():
        p[few] = _all_signs(pairs, np.flatnonzero(few), mean)
    bounded = np.zeros(len(pairs), dtype=bool)
    if many.any():
        reached = _reached(pairs, mean, lambda: draws(drawn_signs, cases, systems, resamples, seed), weighted=False)
        p[many] = (reached[many] + 1) / (resamples + 1)
        bounded = many & (reached == 0)
        _lower_tails(pairs, np.flatnonzero(bounded), mean, p)
    remarks = (
        pairs.remark(few, "exact p by all signs"),
        pairs.remark(many, f"p by {resamples} random signs (seed {seed}), the same for all pairs"),
        pairs.remark(bounded, "no sign reached the difference, p is an upper bound"),
        pairs.remark(pairs.cases == 0, "no case on which both have a score, no p"),
    )
    return SignificanceResult(
        pairs.symmetric(p),
        pairs.antisymmetric(mean),
        pairs.counts(),
        remarks,
        exact=pairs.symmetric(few).astype(bool),
        bounded=pairs.symmetric(bounded, 0.0).astype(bool),
    )


def _lower_tails(pairs: Pairs, these: NDArray[np.intp], mean: NDArray[np.float64], p: NDArray[np.float64]) -> None:
    """Lower p of some pairs to Chernoff's bound where that is smaller."""
    limits = _limits(pairs, mean) * pairs.cases
    step = max(1, IN_CACHE // max(pairs.values.shape[1], 1))
    for start in range(0, len(these), step):
        some = these[start : start + step]
        differences = np.nan_to_num(pairs.values[pairs.a[some]] - pairs.values[pairs.b[some]])
        p[some] = np.minimum(p[some], at_most(differences, limits[some]))


@significance_test(
    "bootstrap",
    title="bootstrap test (shifted)",
    paper="sakai2006",
    drawn=True,
    choose_if="the literature that you compare with reports it",
)
def bootstrap(scores: NDArray[np.float64], *, resamples: int, seed: int) -> SignificanceResult:
    """Whether the mean difference is larger than those of cases drawn with replacement, shifted to centre on 0.

    It is two-sided, and the statistic is the mean difference. As many cases are drawn as there are; the mean differences of
    the draws, shifted so that they centre on 0, show what to expect if the two systems were alike. p = (b + 1) / (B + 1),
    where b is the number of draws at least as far from 0 as the observed mean difference. If a pair lacks cases, the draw is
    made from all and the pair uses those that it has; a draw without any of them counts as far off. All pairs share their
    draws, so their p values are dependent, as those of `randomization`.

    With few cases, or if all differences are equal, the draws vary too little and p is too small: a remark counts pairs whose
    differences do not vary.
    """
    pairs = Pairs(scores)
    moment = moments(pairs)
    systems, cases = pairs.values.shape
    reached = _reached(pairs, moment.mean, lambda: draws(drawn_weights, cases, systems, resamples, seed), weighted=True)
    p = np.where((pairs.cases > 1) | moment.zero, (reached + 1) / (resamples + 1), np.nan)
    constant = (moment.deviation == 0) & (moment.mean != 0)
    remarks = (
        f"{resamples} draws (seed {seed}), the same for all pairs",
        pairs.remark(constant, "every case differs by the same amount, so that no draw differs and p is as small as can be"),
        pairs.remark((pairs.cases <= 1) & ~moment.zero, "fewer than two cases on which both have a score, no p"),
    )
    return SignificanceResult(pairs.symmetric(p), pairs.antisymmetric(moment.mean), pairs.counts(), remarks)


def _limits(pairs: Pairs, mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """From which absolute mean difference on a draw counts as at least as far from 0 as the observed."""
    return np.asarray(np.abs(mean) - SAME * pairs.scale)


def _reached(
    pairs: Pairs, mean: NDArray[np.float64], drawing: Callable[[], Iterator[NDArray[np.float64]]], *, weighted: bool
) -> NDArray[np.int64]:
    """In how many draws each pair's mean difference is at least as far from 0 as the observed; one that is undefined is."""
    limits = pairs.symmetric(_limits(pairs, mean))
    reached = np.zeros(limits.shape, dtype=np.int64)
    for unit in units(pairs, centred=weighted):
        chosen, limit = np.zeros(len(unit.a), dtype=np.int64), limits[unit.a, unit.b]
        for drawn in drawing():
            chosen += len(drawn) - unit.nearer(unit.project(drawn, weighted=weighted), limit)
        reached[unit.a, unit.b] = reached[unit.b, unit.a] = chosen
    return np.asarray(reached[pairs.a, pairs.b])


def _all_signs(pairs: Pairs, these: NDArray[np.intp], mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of all signs that reach the observed mean difference, for pairs with few cases."""
    most = int(pairs.cases[these].max())
    signs = every_sign(most)
    step = max(1, BLOCK // max(len(signs), pairs.values.shape[1]))
    limits = _limits(pairs, mean)[these] * pairs.cases[these]
    out = np.empty(len(these))
    for start in range(0, len(these), step):
        chosen = these[start : start + step]
        differences = pairs.values[pairs.a[chosen]] - pairs.values[pairs.b[chosen]]
        first = np.argsort(np.isnan(differences), axis=1, kind="stable")[:, :most]  # those with a score; 0 fills up
        packed = np.nan_to_num(np.take_along_axis(differences, first, axis=1))
        sums = packed @ signs.T
        np.abs(sums, out=sums)
        out[start : start + step] = np.count_nonzero(sums >= limits[start : start + step, None], axis=1) / len(signs)
    return out
