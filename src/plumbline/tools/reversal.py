"""reversal(): a weighting of the metrics that turns the order of two systems round, or the reason why there is none.

An improvement by every metric is an improvement by every weighting, and nothing else is: where one metric falls, enough weight
on it makes the other system better (Amigo et al. 2011, section 5.2.1). Of each of the three means a monotone function is linear
in the weights, so that the weight from which the order turns is solved for and not searched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, fsum, inf, isfinite, log
from typing import TYPE_CHECKING, Any, Final

from plumbline.comparison.weighting.blends import MEANS, SPOKEN
from plumbline.errors import BadUsage, usage
from plumbline.errors.comparisons import unfit_metrics
from plumbline.lazily import pl
from plumbline.render.grid import Cell, Grid, Sentences, number
from plumbline.render.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.comparison.weighting.blends import Mean
    from plumbline.render.grid import Block

    Vector = tuple[float, ...]
    Scored = Mapping[str, float] | Sequence[float]

_EXPECTED: Final = "numbers, or a dict of metrics and numbers, the same metrics twice"


@dataclass(frozen=True, repr=False)
class Reversal(Result):
    """Whether some weighting reverses the order of two systems.

    Attributes:
        metrics: The names of the metrics.
        first: The scores of the first system.
        second: The scores of the second system.
        mean: The mean that is weighted: arithmetic, harmonic or geometric.
        leader: The system as good by every metric, or else better with equal weights, `first` or `second`; `neither` if both
            are equal.
        weights: Weights that add up to 1 and make the other one better; None if there are none.
        values: The two weighted means with these weights; None without them.
        metric: The metric that has to weigh more.
        threshold: The weight from which it reverses the order, if the other metrics share the rest equally.

    Example:
        >>> import plumbline
        >>> result = plumbline.reversal({"P": 0.8, "R": 0.3}, {"P": 0.5, "R": 0.4})
        >>> (result.leader, result.metric, round(result.threshold, 2))
        ('first', 'R', 0.75)
        >>> plumbline.reversal([0.8, 0.4], [0.5, 0.4]).weights is None
        True
    """

    metrics: tuple[str, ...]
    first: Vector
    second: Vector
    mean: Mean
    leader: str
    weights: Vector | None = None
    values: tuple[float, float] | None = None
    metric: str | None = None
    threshold: float | None = None

    @property
    def unanimous(self) -> bool:
        """Whether one system is at least as good by every metric, so that no weighting makes it worse."""
        return self.weights is None

    def sentence(self) -> str:
        """The answer in words."""
        if self.first == self.second:
            return "Both have the same scores, so both are equal by every weighting."
        leader = "first" if self.leader == "neither" else self.leader
        other = "second" if leader == "first" else "first"
        if self.weights is None or self.values is None or self.threshold is None:
            return f"The {leader} is at least as good by every metric, so no weighting makes the {other} better."
        even = f"{SPOKEN[self.mean]} with equal weights"
        start = f"Both are equal by {even}" if self.leader == "neither" else f"The {leader} is better by {even}"
        ahead, behind = self.values[other == "second"], self.values[other == "first"]
        without = [metric for metric, weight in zip(self.metrics, self.weights, strict=True) if not weight]
        when = f"where {self.metric} has more than {number(self.threshold)} of the weight"
        only = f"only if {', '.join(without)} has no weight, since 0 makes this mean 0"
        then = f"with the weights below it has {number(ahead)} against {number(behind)}"
        return f"{start}. The {other} is better {only if without else when}: {then}."

    def grid(self) -> Grid:
        """A row for each metric, and one for the weighted mean."""
        weights = self.weights or (None,) * len(self.metrics)
        rows = [
            (Cell(metric), Cell(number(one)), Cell(number(other)), *([Cell(number(weight))] if self.weights else []))
            for metric, one, other, weight in zip(self.metrics, self.first, self.second, weights, strict=True)
        ]
        if self.values is not None:
            rows.append((Cell(f"{self.mean} mean"), *(Cell(number(value)) for value in self.values), Cell("")))
        return Grid(("metric", "first", "second", *(["weight"] if self.weights else [])), tuple(rows), "")

    def to_blocks(self) -> Sequence[Block]:
        """The answer in words, and the scores with the weights."""
        return [Sentences((self.sentence(),)), self.grid()]

    def to_polars(self) -> pl.DataFrame:
        """`metric, first, second, weight`."""
        columns = {"metric": self.metrics, "first": self.first, "second": self.second}
        weights = self.weights or (None,) * len(self.metrics)
        return pl.DataFrame(columns | {"weight": weights}, schema_overrides={"metric": pl.String, "weight": pl.Float64})

    def to_dict(self) -> dict[str, Any]:
        """Everything, with full precision."""
        names = ("metrics", "first", "second", "mean", "leader", "unanimous", "weights", "values", "metric", "threshold")
        return {name: getattr(self, name) for name in names} | {"answer": self.sentence(), "notices": []}


def reversal(first: Scored, second: Scored, *, mean: Mean = "arithmetic", lower: Sequence[str] | str = ()) -> Reversal:
    """Find a weighting of the metrics that reverses the order of two systems.

    Args:
        first: The scores of one system: a dict of metrics and scores, or a list.
        second: The scores of the other one, by the same metrics.
        mean: The mean that is weighted: "arithmetic", "harmonic" (F) or "geometric". The last two need scores of 0 and more.
        lower: The metrics that are better when lower, for the arithmetic mean.

    Returns:
        The weights and both means, or that there are none because one system is as good by every metric.

    Raises:
        BadUsage: The scores do not fit each other or the mean.

    Example:
        >>> import plumbline
        >>> round(plumbline.reversal([0.5, 0.5], [0.6, 0.4], mean="harmonic").threshold, 3)
        0.6
    """
    if mean not in MEANS:
        raise BadUsage(usage.bad_option("mean", mean, list(MEANS)))
    metrics, vectors = _read(first, second)
    turned = {lower} if isinstance(lower, str) else set(lower)
    _check(metrics, vectors, mean, turned)
    signs = tuple(-1.0 if metric in turned else 1.0 for metric in metrics)
    one, other = (tuple(sign * value + 0.0 for sign, value in zip(signs, vector, strict=True)) for vector in vectors)
    leader = _leader(one, other, mean)
    result = Reversal(metrics, *vectors, mean, leader)
    ahead, behind = (other, one) if leader == "second" else (one, other)
    turns = [(_threshold(place, ahead, behind, mean), place) for place in range(len(metrics)) if behind[place] > ahead[place]]
    if not turns:
        return result
    threshold, place = min(turns)
    weights = _weights(place, (1 + threshold) / 2, behind, mean)
    values = (_mean(vectors[0], signs, weights, mean), _mean(vectors[1], signs, weights, mean))
    return replace(result, weights=weights, values=values, metric=metrics[place], threshold=threshold)


def _read(first: Scored, second: Scored) -> tuple[tuple[str, ...], tuple[Vector, Vector]]:
    """The names of the metrics, numbers if there are none, and both vectors."""
    rows: list[list[float]] = []
    metrics: tuple[str, ...] = ()
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        metrics = tuple(first)
        rows = [[one[name] for name in metrics] for one in (first, second)] if set(first) == set(second) else []
    elif not isinstance(first, (Mapping, str)) and not isinstance(second, (Mapping, str)):
        rows = [list(first), list(second)]
        metrics = tuple(str(place + 1) for place in range(len(rows[0])))
    try:
        vectors = [tuple(map(float, row)) for row in rows]
    except (TypeError, ValueError):
        vectors = []
    if not metrics or list(map(len, vectors)) != [len(metrics)] * 2 or not all(isfinite(one) for row in vectors for one in row):
        raise BadUsage(usage.bad_object("the two systems", _EXPECTED))
    return tuple(map(str, metrics)), (vectors[0], vectors[1])


def _check(metrics: tuple[str, ...], vectors: tuple[Vector, Vector], mean: Mean, lower: set[str]) -> None:
    """Harmonic and geometric means need scores of 0 and more that are better when higher."""
    if unknown := sorted(lower - set(metrics)):
        raise BadUsage(usage.bad_option("lower", unknown[0], list(metrics)))
    advice = "choose the arithmetic mean"
    if mean != "arithmetic" and lower:
        raise BadUsage(unfit_metrics(SPOKEN[mean], f"{min(lower)} is better when lower", advice))
    negative = [metric for metric, *scores in zip(metrics, *vectors, strict=True) if min(scores) < 0]
    if mean != "arithmetic" and negative:
        raise BadUsage(unfit_metrics(SPOKEN[mean], f"{negative[0]} is negative", advice))


def _leader(one: Vector, other: Vector, mean: Mean) -> str:
    """Who is as good by every metric, or else better with equal weights."""
    if one == other:
        return "neither"
    if all(left >= right for left, right in zip(one, other, strict=True)):
        return "first"
    if all(left <= right for left, right in zip(one, other, strict=True)):
        return "second"
    signs, even = (1.0,) * len(one), (1 / len(one),) * len(one)
    means = _mean(one, signs, even, mean), _mean(other, signs, even, mean)
    return "neither" if means[0] == means[1] else "first" if means[0] > means[1] else "second"


def _linear(value: float, mean: Mean) -> float:
    """What is averaged linearly; the mean grows with it."""
    if mean == "arithmetic":
        return value
    if value == 0:
        return -inf
    return -1 / value if mean == "harmonic" else log(value)


def _mean(vector: Vector, signs: Vector, weights: Vector, mean: Mean) -> float:
    """The weighted mean in the direction of the metrics; a metric without weight has no say."""
    parts = [
        (weight, sign * _linear(value, mean)) for weight, sign, value in zip(weights, signs, vector, strict=True) if weight
    ]
    total = fsum(weight * part for weight, part in parts)
    if mean == "arithmetic":
        return total
    return 0.0 if total == -inf else -1 / total if mean == "harmonic" else exp(total)


def _others(place: int, behind: Vector, mean: Mean) -> list[int]:
    """The other metrics that may weigh anything: one in which the system has 0 makes a harmonic or geometric mean 0."""
    return [number for number, value in enumerate(behind) if number != place and (mean == "arithmetic" or value > 0)]


def _threshold(place: int, ahead: Vector, behind: Vector, mean: Mean) -> float:
    """The weight of one metric from which the system behind is better, the others sharing the rest."""

    def gain(number: int) -> float:
        return _linear(behind[number], mean) - _linear(ahead[number], mean)

    free = _others(place, behind, mean)
    rest = sum(map(gain, free)) / len(free) if free else 0.0
    return 0.0 if rest >= 0 or gain(place) == inf else -rest / (gain(place) - rest)


def _weights(place: int, weight: float, behind: Vector, mean: Mean) -> Vector:
    """So much for one metric, and the rest for the others that may weigh anything."""
    free = _others(place, behind, mean)
    weights = dict.fromkeys(free, (1 - weight) / len(free)) | {place: weight} if free else {place: 1.0}
    return tuple(weights.get(number, 0.0) for number in range(len(behind)))
