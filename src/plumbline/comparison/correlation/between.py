"""How much rankings agree: of systems by several metrics or in several collections, and of documents.

| name | what it is | with ties |
|---|---|---|
| tau_a | Kendall: pairs in the same order minus pairs in opposite order, of all pairs | a tied pair counts 0 |
| tau_b | the same, of the pairs that each ranking tells apart | not a number if a ranking is all tied |
| tau_ap | Yilmaz, Aslam and Robertson 2008: disagreement at the top of the second ranking costs more | mean over all orders |
| tau_ap_symmetric | the mean of tau_ap in both directions | the same |
| tau_ap_b | Urbano and Marrero 2017: symmetric, of what each ranking tells apart | equal rankings have 1 |
| spearman | the correlation of ranks | tied items share their mean rank |
| weighted_tau | Vigna 2015: tau_b in which a pair weighs the sum of 1 / rank of both | as scipy.stats.weightedtau |
| rbo | Webber, Moffat and Zobel 2010, extrapolated | see `plumbline.comparison.correlation.rbo` |

All are 1 for the same order without ties. All but rbo are -1 for the opposite one and not a number for fewer than two items.
All take time in proportion to n log^2 n.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.average import SAME, levels
from plumbline.comparison.correlation import orders
from plumbline.comparison.correlation.orders import OF_BOTH, Both
from plumbline.comparison.correlation.rbo import P, Places, overlap, places
from plumbline.errors import BadUsage, usage
from plumbline.errors.base import plural
from plumbline.render.grid import Cell, Grid, number
from plumbline.render.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike

    from plumbline.comparison.correlation.rbo import Overlap, Ranking, Ties
    from plumbline.comparison.cube import Cube


def tau_a(x: ArrayLike, y: ArrayLike) -> float:
    """Kendall's tau of all pairs."""
    return orders.tau_a(Both.of(x, y))


def tau_b(x: ArrayLike, y: ArrayLike) -> float:
    """Kendall's tau of the pairs that are told apart."""
    return orders.tau_b(Both.of(x, y))


def tau_ap(truth: ArrayLike, estimate: ArrayLike) -> float:
    """How likely an item above another one in the estimate is above it in truth, from the top down, scaled to -1 to 1."""
    return orders.tau_ap(Both.of(truth, estimate))


def tau_ap_symmetric(x: ArrayLike, y: ArrayLike) -> float:
    """The mean of tau_ap with either ranking as the truth."""
    return orders.tau_ap_symmetric(Both.of(x, y))


def tau_ap_b(x: ArrayLike, y: ArrayLike) -> float:
    """Symmetric tau_ap in which each item is compared with those that are strictly above it."""
    return orders.tau_ap_b(Both.of(x, y))


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """The correlation of the ranks, where tied items share their mean rank."""
    return orders.spearman(Both.of(x, y))


def weighted_tau(x: ArrayLike, y: ArrayLike) -> float:
    """Vigna's weighted tau with additive hyperbolic weights; ranks by x (ties by y) and by y (ties by x), their mean."""
    return orders.weighted_tau(Both.of(x, y))


MEASURES: Final[Mapping[str, Callable[[ArrayLike, ArrayLike], float]]] = {
    measure.__name__: measure for measure in (tau_a, tau_b, tau_ap, tau_ap_symmetric, tau_ap_b, spearman, weighted_tau)
}
"""All correlations of two lists of scores of the same items, higher is better."""


@dataclass(frozen=True, repr=False)
class Agreement(Result):
    """How much two rankings agree; all coefficients but rbo are of the items that both have.

    Example:
        >>> import plumbline
        >>> agreement = plumbline.between(["a", "b", "c", "d"], ["a", "b", "d"])
        >>> agreement.items, agreement.only_first, agreement.only_second
        (3, 1, 0)
        >>> agreement.to_polars().columns
        ['coefficient', 'value']
    """

    tau_a: float
    tau_b: float
    tau_ap: float
    tau_ap_symmetric: float
    tau_ap_b: float
    spearman: float
    weighted_tau: float
    rbo: float
    overlap: Overlap
    items: int
    """Items that both have."""
    only_first: int
    only_second: int

    def to_polars(self) -> pl.DataFrame:
        """`coefficient, value`; null where a coefficient is not defined."""
        names = [*OF_BOTH, "rbo"]
        values = pl.Series("value", [getattr(self, name) for name in names], dtype=pl.Float64)
        return pl.DataFrame({"coefficient": names, "value": values.fill_nan(None)})

    def grid(self) -> Grid:
        """The coefficients for people."""
        rows = tuple((Cell(name), Cell(number(value))) for name, value in self.to_polars().iter_rows())
        counts = (
            f"{plural(self.items, 'item')} in both, {self.only_first} only in the first, {self.only_second} only in the second"
        )
        return Grid(("coefficient", "value"), rows, counts)


def between(first: Ranking, second: Ranking, p: float = P, ties: Ties = "w") -> Agreement:
    """Measure how much two rankings of items agree.

    Args:
        first: Items with scores, `{item: score}`, or items in order, where a group of tied items is a tuple, a list or a set.
            tau_ap takes this ranking as the truth.
        second: The other ranking. The items need not be the same; all measures but RBO use those that both have.
        p: The patience of the reader of rank-biased overlap, between 0 and 1.
        ties: How rank-biased overlap counts tied items: "w", "a" or "b".

    Returns:
        All coefficients, the numbers of shared items and of those that only one has.

    Raises:
        BadUsage: If a ranking lists an item twice, or `p` or `ties` does not fit.

    Example:
        >>> import plumbline
        >>> agreement = plumbline.between(["a", "b", "c"], ["b", "a", "c"])
        >>> round(agreement.tau_b, 3)
        0.333
    """
    return _agreement(places(first), places(second), p, ties)


def _agreement(one: Places, other: Places, p: float, ties: Ties) -> Agreement:
    ours, theirs = one.scores(), other.scores()
    shared = [item for item in one.items if item in theirs]
    both = Both.of([ours[item] for item in shared], [theirs[item] for item in shared])
    measured = {name: measure(both) for name, measure in OF_BOTH.items()}
    lists = overlap(one, other, p, ties)
    sizes = {"items": len(shared), "only_first": len(ours) - len(shared), "only_second": len(theirs) - len(shared)}
    return Agreement(**measured, rbo=lists.extrapolated, overlap=lists, **sizes)  # type: ignore[arg-type]


def correlations(rankings: Mapping[str, Mapping[str, float]], p: float = P, ties: Ties = "w") -> pl.DataFrame:
    """All ordered pairs of rankings of systems, each given as scores (higher is better, not a number = not ranked).

    A row has `a`, `b`, `systems` (that both rank), `left_out` (that only one ranks) and all measures; a is the truth of tau_ap.
    Scores that differ by rounding only are tied.
    """
    read = {name: _ranked(scores) for name, scores in rankings.items()}
    measured: dict[tuple[str, str], tuple[float, ...]] = {}
    for a, b in combinations(read, 2):
        shared = [name for name in read[a] if name in read[b]]
        left_out = len(read[a]) + len(read[b]) - 2 * len(shared)
        one, other = (places({name: read[of][name] for name in shared}) for of in (a, b))
        forward = _agreement(one, other, p, ties)
        backward = replace(forward, tau_ap=2.0 * forward.tau_ap_symmetric - forward.tau_ap)
        for pair, agreed in (((a, b), forward), ((b, a), backward)):
            measured[pair] = (len(shared), left_out, *(getattr(agreed, name) for name in _SHOWN))
    rows = [(*pair, *measured[pair]) for pair in permutations(read, 2)]
    schema = {"a": pl.String, "b": pl.String, "systems": pl.Int64, "left_out": pl.Int64} | dict.fromkeys(_SHOWN, pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(pl.Float64).fill_nan(None))


def by_metric(cube: Cube, p: float = P, ties: Ties = "w") -> pl.DataFrame:
    """How much the rankings of the systems by the mean of each metric agree; a mean is over all cases that a system has."""
    return correlations({metric: _means(cube, metric) for metric in cube.metrics}, p, ties)


def by_collection(cubes: Mapping[str, Cube], p: float = P, ties: Ties = "w") -> pl.DataFrame:
    """How much the rankings of the systems in several collections agree, for each metric that all have (first column)."""
    tables = []
    for metric in _shared_metrics(cubes):
        table = correlations({name: _means(cube, metric) for name, cube in cubes.items()}, p, ties)
        tables.append(table.select(pl.lit(metric).alias("metric"), pl.all()))
    return pl.concat(tables)


def _shared_metrics(cubes: Mapping[str, Cube]) -> list[str]:
    first = next(iter(cubes.values()), None)
    shared = [metric for metric in first.metrics if all(metric in cube.metrics for cube in cubes.values())] if first else []
    if not shared:
        raise BadUsage(usage.bad_object("collections without a common metric", "at least one metric that all have"))
    return shared


def _means(cube: Cube, metric: str) -> dict[str, float]:
    at = cube.metrics.index(metric)
    means = -cube.means[at] if cube.lower[at] else cube.means[at]
    return dict(zip(cube.systems, means.tolist(), strict=True))


def _ranked(scores: Mapping[str, float]) -> dict[str, float]:
    """The level of each system that has a score."""
    scored = {name: value for name, value in scores.items() if not np.isnan(value)}
    return dict(zip(scored, levels(list(scored.values()), SAME).astype(np.float64).tolist(), strict=True))


_SHOWN: Final = tuple(field.name for field in fields(Agreement))[:8]
