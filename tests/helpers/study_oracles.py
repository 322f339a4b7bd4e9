"""Studies of metrics a second time: loops over outputs, pairs and cases, as the papers print them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Values = dict[str, list[float]]
"""The values of all outputs by metric, higher is better."""


def mean_rank(values: Sequence[float], output: int) -> Fraction:
    """1 for the worst; equal values share the mean of their places."""
    worse = sum(value < values[output] for value in values)
    equal = sum(value == values[output] for value in values)
    return worse + Fraction(equal + 1, 2)


def share(values: Sequence[float], output: int) -> Fraction:
    """P(m(o) >= m(o'))."""
    return Fraction(sum(values[output] >= value for value in values), len(values))


def falls(values: Values, metric: str, against: Sequence[str]) -> list[Fraction]:
    """All falls from a metric to another one, greatest first, as shares of the outputs."""
    count = len(values[metric])
    return sorted(
        (
            (mean_rank(values[metric], output) - mean_rank(values[other], output)) / count
            for other in against
            if other != metric
            for output in range(count)
        ),
        reverse=True,
    )


def floor(values: Values, metric: str, against: Sequence[str], percent: int) -> Fraction:
    """The lowest rank by another metric within top(m, th), th = 1 - percent / 100."""
    outputs = range(len(values[metric]))
    top = [output for output in outputs if share(values[metric], output) >= 1 - Fraction(percent, 100)]
    return min(share(values[other], output) for other in against if other != metric for output in top)


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """None if one does not vary."""
    dx, dy = [value - fmean(x) for value in x], [value - fmean(y) for value in y]
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    return sum(a * b for a, b in zip(dx, dy, strict=True)) / sqrt(sum(a * a for a in dx) * sum(b * b for b in dy))


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Pearson of mean ranks."""
    return pearson([float(mean_rank(x, at)) for at in range(len(x))], [float(mean_rank(y, at)) for at in range(len(y))])


def kendall(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Tau-b by looking at all pairs."""
    agreed, told_x, told_y = 0, 0, 0
    for a, b in combinations(range(len(x)), 2):
        left, right = (x[a] > x[b]) - (x[a] < x[b]), (y[a] > y[b]) - (y[a] < y[b])
        agreed += left * right
        told_x += left != 0
        told_y += right != 0
    return agreed / sqrt(told_x * told_y) if told_x and told_y else None


def robustness(table: Sequence[Sequence[float]]) -> tuple[float | None, int]:
    """`table[system][case]`: the mean over pairs of cases that tell systems apart, and how many cases do not."""
    cases = [[row[case] for row in table] for case in range(len(table[0]))]
    parameters = [case for case in cases if len(set(case)) > 1]
    actual = [spearman(a, b) for a, b in combinations(parameters, 2)]
    return (fmean(value for value in actual if value is not None) if actual else None), len(cases) - len(parameters)


def randomization_p(x: Sequence[int], y: Sequence[int]) -> Fraction:
    """All signs of the differences."""
    differences = [a - b for a, b in zip(x, y, strict=True)]
    seen = abs(sum(differences))
    signs = list(product((-1, 1), repeat=len(differences)))
    return Fraction(
        sum(abs(sum(sign * d for sign, d in zip(some, differences, strict=True))) >= seen for some in signs), len(signs)
    )


def swaps(table: Sequence[Sequence[int]], halves: Sequence[Sequence[bool]]) -> tuple[dict[int, tuple[int, int]], int]:
    """For each bin of a hundredth of the span the pairs and the swaps, and how many pairs are equal in a half."""
    every = [value for row in table for value in row]
    width = Fraction(max(every) - min(every), 100)
    bins: dict[int, tuple[int, int]] = {}
    tied = 0
    for half in halves:
        for one, other in combinations(table, 2):
            means = []
            for side in (True, False):
                some = [a - b for a, b, inside in zip(one, other, half, strict=True) if inside == side]
                means.append(Fraction(sum(some), len(some)))
            place = min(int(abs(means[0]) / width), 20) if width else 0
            pairs, swapped = bins.get(place, (0, 0))
            bins[place] = (pairs + 1, swapped + (means[0] * means[1] < 0))
            tied += means[0] * means[1] == 0
    return bins, tied
