"""The score of a small output by the slow implementations of the tests, and what follows from two of them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import fsum
from typing import TYPE_CHECKING, Any

from plumbline.audits.constraints.classification import PATHS
from plumbline.audits.scenes.clustering import classes, clusters
from plumbline.audits.scenes.organization import organized
from plumbline.metrics.measure import Combined
from plumbline.metrics.names import parse
from tests.helpers.classification_oracles import CLASSIFICATION
from tests.helpers.clustering_oracles import CLUSTERING
from tests.helpers.filtering_oracles import FILTERING, Counts, harmonic
from tests.helpers.hierarchy_oracles import contrast
from tests.helpers.organization_oracles import from_levels, options_of, rel, sens
from tests.helpers.ranking_oracles import ORACLES, Listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.audits.constraints.registry import Pair
    from plumbline.audits.verdict import Verdict
    from plumbline.metrics.measure import Measure

Value = Fraction | float | None
ROUNDING = 1e-9
"""Of what has logarithms or roots, which no fraction holds."""


def of_matrix(name: str, matrix: Any, parameters: dict[str, Any]) -> Value:
    """Of a filter."""
    return FILTERING[name](Counts(*matrix), parameters.pop("smooth", "none"), parameters)


def of_list(name: str, world: Any, parameters: dict[str, Any]) -> Value:
    """Of a ranking: shown items have falling scores, hidden ones are relevant."""
    shown = tuple(float(letter == "R") for letter in world.shown)
    gold = (*shown, *([1.0] * world.hidden))
    scores = {f"i{place}": -float(place) for place in range(len(shown))}
    value = ORACLES[name](
        Listed(shown, gold, 1.0, scores, {f"i{place}": grade for place, grade in enumerate(gold)}), **parameters
    )
    assert not isinstance(value, str)
    return value


def of_clustering(name: str, world: Any, parameters: dict[str, Any]) -> Value:
    """Of clusters and classes as sets."""
    system, gold = ([frozenset(one) for one in sets] for sets in (clusters(world), classes(world)))
    return CLUSTERING[name](system, gold, **parameters)


def of_levels(name: str, world: Any, parameters: dict[str, Any]) -> Value:
    """Of levels of clusters."""
    levels, gold = organized(world)
    return {"Rel": rel, "Sens": sens}[name](from_levels(levels), from_levels(gold), **options_of(parameters))


def of_labels(name: str, world: Any, parameters: dict[str, Any]) -> Value:
    """Of labels as sets; in a hierarchy the classes above are among them, and ICM looks at paths."""
    if world.hierarchy and name == "ICM":
        paths = [[frozenset(PATHS[letter] for letter in labels) for labels in side] for side in world[:2]]
        return contrast(*paths)
    items = [(frozenset(right), frozenset(given)) for right, given in zip(world.gold, world.answers, strict=True)]
    known = {key: value for key, value in parameters.items() if key not in {"class", "of"}}
    return CLASSIFICATION[name](items, **known, **({"multi": world.several} if name == "HammingLoss" else {}))


BY_TASK: dict[str, Callable[[str, Any, dict[str, Any]], Value]] = {
    "filtering": of_matrix,
    "ranking": of_list,
    "classification": of_labels,
    "clustering": of_clustering,
    "organization": of_levels,
}


@cache
def parsed(metric: str, task: str) -> Measure:
    """The metric of this name."""
    return parse(metric, task=task)


@cache
def exact(metric: str, task: str, world: Any) -> Value:
    """A fraction wherever the formula has one; of a mean of two, the harmonic mean of the fractions."""
    measure = parsed(metric, task)
    values = [BY_TASK[task](part.metric.name, world, dict(part.arguments)) for part in measure.parts]
    return harmonic(values[0], values[1], 0.5) if isinstance(measure, Combined) else values[0]


def gain(metric: str, task: str, pair: Pair) -> Value:
    """By how much the better output is better."""
    better, worse = exact(metric, task, pair.better), exact(metric, task, pair.worse)
    if better is None or worse is None:
        return None
    sign = -1 if parsed(metric, task).better == "lower" else 1
    return sign * (better - worse) if isinstance(better, Fraction) else sign * fsum((better, -float(worse)))


def fails(verdict: Verdict, actual: Value) -> bool:
    """Whether the demand is not met; without a score that can be told of definiteness only."""
    demand = verdict.constraint.demand
    if demand == "defined" or actual is None:
        return demand == "defined" and actual is None
    margin = Fraction(0) if isinstance(actual, Fraction) else ROUNDING
    return not -margin <= actual <= margin if demand == "equal" else actual <= margin


def looped(verdict: Verdict) -> tuple[list[Pair], int]:
    """The pairs on which a metric fails, and the number of those without a score, by a loop over all pairs."""
    gains = [(pair, gain(verdict.metric, verdict.constraint.task, pair)) for pair in verdict.searched.pairs]
    broken = [pair for pair, actual in gains if fails(verdict, actual)]
    return broken, sum(actual is None for _, actual in gains) if verdict.constraint.demand != "defined" else 0
