"""Intervals of a mean difference of few cases: how often each of several methods holds the truth, and how wide it is.

python reproductions/interval_methods.py          10,000 data sets for each number, some minutes
python reproductions/interval_methods.py 500      fewer, for a look

From these tables the method of `compare` was chosen, with its numbers: how much the skewness and the width of few cases are
enlarged, and how near to the mean and how far from it an end may be. No method holds the truth in 95 % whatever
the distribution (Bahadur and Savage 1956).
"""

from __future__ import annotations

import sys
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from printed import sections, table
from scipy import stats
from verdict_simulation import COVERED, DIFFERENCES

from plumbline.comparison.significance.intervals import mean_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Ends = tuple[Numbers, Numbers]

DATA_SETS: Final = 10_000
SIZES: Final = (3, 4, 5, 6, 8, 10, 15, 20, 50)
DRAWS: Final = 299
MOST_FLIPPED: Final = 10
"""Cases of which all signs are looked at."""
TOGETHER: Final = 25
ROUNDING: Final = 1e-12


def by_t(x: Numbers, level: float = COVERED) -> Ends:
    """Student's."""
    n = x.shape[1]
    half = stats.t.ppf((1 + level) / 2, n - 1) * x.std(axis=1, ddof=1) / np.sqrt(n)
    return x.mean(axis=1) - half, x.mean(axis=1) + half


def by_careful_t(x: Numbers) -> Ends:
    """That of t for 98 %."""
    return by_t(x, 0.98)


def by_signs(x: Numbers) -> Ends:
    """Differences that the randomization test does not reject: ends are means of some of the cases (Hartigan 1969)."""
    n = x.shape[1]
    beyond = int(np.ceil((1 - COVERED) / 2 * 2**n)) - 1
    if n > MOST_FLIPPED or beyond == 0:
        return np.full(len(x), np.nan), np.full(len(x), np.nan)
    chosen = np.array([signs for signs in product((0.0, 1.0), repeat=n) if any(signs)])
    means = np.sort(x @ (chosen / chosen.sum(axis=1, keepdims=True)).T, axis=1)
    return means[:, beyond - 1], means[:, -beyond]


def by_johnson(x: Numbers) -> Ends:
    """That of t, moved by the skewness (Johnson 1978)."""
    low, high = by_t(x)
    variance = x.var(axis=1, ddof=1)
    third = ((x - x.mean(axis=1, keepdims=True)) ** 3).mean(axis=1)
    move = np.divide(third, 6 * x.shape[1] * variance, out=np.zeros(len(x)), where=variance > 0)
    return low + move, high + move


def by_hall(x: Numbers) -> Ends:
    """Hall's (1992) transformation of t, without limits."""
    n = x.shape[1]
    deviation = x.std(axis=1, ddof=1)
    variance, third = (((x - x.mean(axis=1, keepdims=True)) ** power).mean(axis=1) for power in (2, 3))
    skewness = np.divide(third, variance**1.5, out=np.zeros(len(x)), where=variance > ROUNDING)
    quantile = stats.t.ppf((1 + COVERED) / 2, n - 1) / np.sqrt(n)
    known = np.where(np.abs(skewness) < ROUNDING, ROUNDING, skewness)

    def inverted(y: float) -> Numbers:
        return np.asarray(3 / known * (np.cbrt(1 + known * (y - known / (6 * n))) - 1))

    return x.mean(axis=1) - deviation * inverted(quantile), x.mean(axis=1) - deviation * inverted(-quantile)


def by_bootstrap_t(x: Numbers) -> Ends:
    """The studentized bootstrap; draws without any variance are left out."""
    n, generator = x.shape[1], np.random.default_rng(len(x))
    mean, error = x.mean(axis=1), x.std(axis=1, ddof=1)
    drawn = x[:, generator.integers(n, size=(DRAWS, n))]
    spread = drawn.std(axis=2, ddof=1)
    t = np.divide(drawn.mean(axis=2) - mean[:, None], spread, out=np.full(spread.shape, np.nan), where=spread > ROUNDING)
    some = ~np.isnan(t).all(axis=1)
    upper, lower = np.zeros((2, len(x)))
    if some.any():
        upper[some], lower[some] = np.nanquantile(t[some], ((1 + COVERED) / 2, (1 - COVERED) / 2), axis=1)
    return mean - upper * error, mean - lower * error


def by_plumbline(x: Numbers) -> Ends:
    """The interval of `compare`."""
    ends = []
    for start in range(0, len(x), TOGETHER):
        some = x[start : start + TOGETHER]
        result = mean_intervals(np.concatenate((some, np.zeros((1, x.shape[1])))), COVERED)
        ends.append((result.low[:-1, -1], result.high[:-1, -1]))
    low, high = (np.concatenate(parts) for parts in zip(*ends, strict=True))
    return low, high


METHODS: Final[Mapping[str, Callable[[Numbers], Ends]]] = {
    "t": by_t,
    "t of 98 %": by_careful_t,
    "signs": by_signs,
    "Johnson": by_johnson,
    "Hall": by_hall,
    "bootstrap t": by_bootstrap_t,
    "plumbline": by_plumbline,
}


def rates(kind: str, cases: int, data_sets: int) -> dict[str, tuple[float, float]]:
    """How often each method holds the truth, where it has an interval, and its median width in widths of t."""
    draw, truth = DIFFERENCES[kind]
    x = draw(np.random.default_rng([cases, *f"methods {kind}".encode()]), (data_sets, cases))
    usual = np.subtract(*by_t(x)[::-1])
    varied = usual > 0
    made = {}
    for name, method in METHODS.items():
        low, high = (np.concatenate(parts) for parts in zip(*(method(some) for some in np.array_split(x, 20)), strict=True))
        known = ~np.isnan(low)
        held = ((low <= truth + ROUNDING) & (truth <= high + ROUNDING))[known]
        wide = ((high - low) / np.where(varied, usual, 1.0))[known & varied]
        made[name] = (float(held.mean()), float(np.median(wide))) if known.any() else (np.nan, np.nan)
    return made


def _cell(held: float, wide: float) -> str:
    return "-" if np.isnan(held) else f"{100 * held:.1f} % ({wide:.2f})"


def report(data_sets: int = DATA_SETS) -> str:
    """A table for each number of cases."""
    return sections(
        {
            f"{cases} cases: intervals of 95 % that hold the truth, and their median width in widths of t": table(
                ["differences", *METHODS, ""],
                [[kind, *(_cell(*one) for one in rates(kind, cases, data_sets).values()), ""] for kind in DIFFERENCES],
            )
            for cases in SIZES
        }
    )


if __name__ == "__main__":
    sys.stdout.write(report(int(sys.argv[1]) if len(sys.argv) > 1 else DATA_SETS))
