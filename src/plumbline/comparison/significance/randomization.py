"""Fisher's randomization test and the bootstrap test of all pairs of systems, by matrix products."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.significance.pairs import BLOCK, IN_CACHE, Pairs
from plumbline.comparison.significance.progress import done, part
from plumbline.comparison.significance.registry import significance_test, two_of_all_signs
from plumbline.comparison.significance.resampling import drawn_signs, drawn_weights, draws, enumerated, every_sign, units
from plumbline.comparison.significance.result import SignificanceResult
from plumbline.comparison.significance.tail_bound import SMALL_ENOUGH, at_most, at_most_by_squares
from plumbline.comparison.significance.widening import widened
from plumbline.large import made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

EXACT_UP_TO: Final = 16
"""Cases up to which all signs are tried instead of drawn."""
MOST_DRAWN: Final = 2**30
"""Mean differences, of pairs times draws, from which on draws are saved where they change little."""
FIRST_DRAWS: Final = 1_000
LARGE: Final = 0.1
"""A p that is larger after the first draws is not looked at more closely where there are very many pairs."""
FAR: Final = 3.0
"""Standard errors from which on a bound of p is tried before anything is drawn."""
SINGLE: Final = 8 * float(np.finfo(np.float32).eps)
"""By what share of the largest score a difference of two means may be off in single precision, and more."""
_FIRST_PART: Final = 0.2
"""The share of the time that the bounds and the first draws take."""
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

    If there are hundreds of systems, so that drawing would take long, pairs whose bound is smaller than any drawn p are not
    drawn, and p above 0.1 are estimated from the first 1,000 draws; all others are based on all draws.

    All pairs share one matrix of signs, so that a table of systems takes one matrix product per block of draws. Every
    single p is as good as with signs of its own, but the p-values of different pairs are dependent: they err by chance in
    the same direction. So do not average them or count them as independent evidence; corrections that hold under any
    dependence (Bonferroni, Holm) are not touched.
    """
    pairs = Pairs(scores)
    mean = pairs.moments.mean
    p = np.full(len(pairs), np.nan)
    cases = pairs.values.shape[1]
    few = (pairs.cases <= EXACT_UP_TO) & (pairs.cases > 0)
    few &= np.count_nonzero(few) * 2.0 ** min(cases - 1, EXACT_UP_TO - 1) <= _MOST_TRIED
    many = (pairs.cases > 0) & ~few
    if 0 < cases <= EXACT_UP_TO and not many.any():
        reached = _reached(pairs, mean, lambda: enumerated(cases), 2**cases, weighted=False)
        p[few] = reached[few] / 2 ** (cases - 1)
    elif few.any():
        p[few] = _all_signs(pairs, np.flatnonzero(few), mean)
    bounded = early = np.zeros(len(pairs), dtype=bool)
    if many.any():
        by_draws, bounded, early = _drawn(pairs, mean, many, resamples, seed)
        p[many] = by_draws[many]
    remarks = (
        pairs.remark(few, "exact p by all signs"),
        pairs.remark(many & ~early & ~(bounded & early.any()), f"p by {resamples:,} random signs (seed {seed})"),
        pairs.remark(early, f"p above {LARGE:g} by the first {FIRST_DRAWS} of the random signs"),
        pairs.remark(bounded, f"{'' if early.any() else 'no draw reached the difference, so '}p is an upper bound"),
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


def _drawn(
    pairs: Pairs, mean: NDArray[np.float64], many: NDArray[np.bool_], resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """P of the pairs with many cases; where it is a bound; and where it was clear after the first draws."""
    if np.count_nonzero(many) * resamples > MOST_DRAWN and resamples > 2 * FIRST_DRAWS:
        return _drawn_in_stages(pairs, many, resamples, seed)
    counts = _reached(pairs, mean, _signs(pairs, resamples, seed), resamples, weighted=False)
    p = (counts + 1) / (resamples + 1)
    bounded = many & (counts == 0)
    _lower_tails(pairs, np.flatnonzero(bounded), mean, p)
    return p, bounded, np.zeros(len(pairs), dtype=bool)


def _signs(pairs: Pairs, resamples: int, seed: int) -> Callable[[], Iterator[NDArray[np.float64]]]:
    systems, cases = pairs.values.shape
    return lambda: draws(drawn_signs, cases, systems, resamples, seed)


def _drawn_in_stages(
    given: Pairs, given_many: NDArray[np.bool_], resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """The same if there are so many pairs that drawing takes long.

    Pairs with a bound that is smaller than any drawn p are not drawn, and those of which a tenth of the first draws reach the
    difference are not drawn further. Neither makes a small p too small: the bound is one in any event, and every p below a
    tenth is a bound or based on all draws. Systems are sorted by their means, so that the pairs left are side by side.
    """
    order = np.argsort(given.filled.sum(axis=1) / np.maximum(given.known.sum(axis=1), 1), kind="stable")
    pairs = Pairs(made(given.values.shape, lambda rows: given.values[order[rows]]))
    a, b = order[pairs.a], order[pairs.b]
    many = given.symmetric(given_many, 0.0).astype(np.bool_)[a, b]
    mean = given.antisymmetric(given.moments.mean)[a, b]
    deviation = given.symmetric(given.moments.deviation)[a, b]
    p = np.ones(len(pairs))
    _lower_far_tails(pairs, np.flatnonzero(many & _far(pairs, mean, deviation)), mean, deviation, p)
    bounded = many & (p < 1.0 / (resamples + 1))
    drawn = many & ~bounded
    with part(0.0, _FIRST_PART):
        first = _reached(pairs, mean, _signs(pairs, FIRST_DRAWS, seed), FIRST_DRAWS, weighted=False, wanted=drawn)
    early = drawn & (first + 1 > LARGE * (FIRST_DRAWS + 1))
    p[early] = (first[early] + 1) / (FIRST_DRAWS + 1)
    drawn &= ~early
    with part(_FIRST_PART, 1.0):
        counts = _reached(pairs, mean, _signs(pairs, resamples, seed), resamples, weighted=False, wanted=drawn)
    p[drawn] = (counts[drawn] + 1) / (resamples + 1)
    none = drawn & (counts == 0)
    _lower_tails(pairs, np.flatnonzero(none), mean, p)
    back = np.argsort(order)
    a, b = back[given.a], back[given.b]
    bounds, large = (pairs.symmetric(flags)[a, b].astype(np.bool_) for flags in (bounded | none, early))
    return pairs.symmetric(p)[a, b], bounds, large


def _far(pairs: Pairs, mean: NDArray[np.float64], deviation: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether a difference is so many times its error that a bound of its p may be small."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(np.abs(mean) * np.sqrt(pairs.cases) > FAR * np.hypot(mean, deviation))


def _lower_far_tails(
    pairs: Pairs, these: NDArray[np.intp], mean: NDArray[np.float64], deviation: NDArray[np.float64], p: NDArray[np.float64]
) -> None:
    """The same where the sum of squares is known: for most pairs it tells enough, and their differences are not looked at."""
    cases = pairs.cases[these]
    lengths = np.hypot(deviation[these] * np.sqrt(cases - 1), mean[these] * np.sqrt(cases))
    bounds = at_most_by_squares(lengths, _limits(pairs, mean)[these] * cases)
    enough = bounds < SMALL_ENOUGH
    p[these[enough]] = bounds[enough]
    _lower_tails(pairs, these[~enough], mean, p)


def _lower_tails(pairs: Pairs, these: NDArray[np.intp], mean: NDArray[np.float64], p: NDArray[np.float64]) -> None:
    """Lower p of some pairs to Chernoff's bound where that is smaller."""
    limits = _limits(pairs, mean) * pairs.cases
    step = max(1, IN_CACHE // max(pairs.values.shape[1], 1))
    for start in range(0, len(these), step):
        some = these[start : start + step]
        differences = pairs.differences(some)
        differences[pairs.missing(differences)] = 0.0
        p[some] = np.minimum(p[some], at_most(differences, limits[some]))


@significance_test(
    "bootstrap",
    title="bootstrap test (shifted)",
    paper="sakai2006",
    drawn=True,
    widened=True,
    choose_if="the literature that you compare with reports it",
)
def bootstrap(scores: NDArray[np.float64], *, resamples: int, seed: int) -> SignificanceResult:
    """Whether the mean difference is larger than those of cases drawn with replacement, shifted to centre on 0.

    It is two-sided, and the statistic is the mean difference. As many cases are drawn as there are; the mean differences of
    the draws, shifted so that they centre on 0, show what to expect if the two systems were alike. The share of draws at least
    as far from 0 as the observed mean difference is (b + 1) / (B + 1). Draws of n cases vary too little, by the factor
    (n - 1) / n, and do not know that the variance is estimated. So p is the share widened as Hesterberg (2015) widens
    percentile intervals: the normal quantile of the share, times sqrt((n - 1) / n), is looked up in the t distribution with
    n - 1 degrees of freedom. The share itself is too small: of 20 cases, it claims a difference of equal systems in up to
    8.6 % of the data sets at 5 % (`reproductions/verdict_simulation.py`). If a pair lacks cases, the draw is
    made from all and the pair uses those that it has; a draw without any of them counts as far off. All pairs share their
    draws, so their p-values are dependent, as those of `randomization`.

    If all differences are equal the draws do not vary, and p is too small: a remark counts such pairs.
    """
    pairs = Pairs(scores)
    moment = pairs.moments
    systems, cases = pairs.values.shape
    drawing = partial(draws, drawn_weights, cases, systems, resamples, seed)
    reached = _reached(pairs, moment.mean, drawing, resamples, weighted=True)
    shares = widened((reached + 1) / (resamples + 1), pairs.cases)
    p = np.where((pairs.cases > 1) | moment.zero, np.where(moment.zero, 1.0, shares), np.nan)
    constant = (moment.deviation == 0) & (moment.mean != 0)
    remarks = (
        f"{resamples} draws (seed {seed}), the same for all pairs; p widened by the number of cases",
        pairs.remark(constant, "every case differs by the same amount, so that no draw differs and p is as small as can be"),
        pairs.remark((pairs.cases <= 1) & ~moment.zero, "fewer than two cases on which both have a score, no p"),
    )
    bounded = pairs.symmetric(reached == 0, 0.0).astype(np.bool_)
    return SignificanceResult(pairs.symmetric(p), pairs.antisymmetric(moment.mean), pairs.counts(), remarks, bounded=bounded)


def _limits(pairs: Pairs, mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """From which absolute mean difference on a draw counts as at least as far from 0 as the observed."""
    return np.asarray(np.abs(mean) - SAME * pairs.scale)


def _reached(
    pairs: Pairs,
    mean: NDArray[np.float64],
    drawing: Callable[[], Iterator[NDArray[np.float64]]],
    resamples: int,
    *,
    weighted: bool,
    wanted: NDArray[np.bool_] | None = None,
) -> NDArray[np.int64]:
    """In how many draws each pair's mean difference is at least as far from 0 as the observed; one that is undefined is.

    Only the `wanted` pairs are looked at, if they are given, and with single precision: what is that close to the observed
    difference counts as reaching it.
    """
    kind: type[np.float64 | np.float32] = np.float64 if wanted is None else np.float32
    limits: NDArray[np.floating] = pairs.symmetric(
        _limits(pairs, mean) - (0.0 if wanted is None else SINGLE * pairs.scale)
    ).astype(kind)
    chosen = None if wanted is None else pairs.symmetric(wanted, 0.0).astype(np.bool_)
    reached = np.zeros(limits.shape, dtype=np.int64)
    for unit in units(pairs, centred=weighted):
        counts, limit = np.zeros(len(unit.a), dtype=np.int64), limits[unit.a, unit.b]
        these = None if chosen is None else chosen[unit.a, unit.b]
        so_far = 0
        for drawn in drawing():
            counts += len(drawn) - unit.nearer(unit.project(drawn, weighted=weighted).astype(kind, copy=False), limit, these)
            so_far += len(drawn)
            done(min(so_far / resamples, 1.0))
        reached[unit.a, unit.b] = reached[unit.b, unit.a] = counts
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
