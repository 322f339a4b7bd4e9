"""Items as units, on simulated test sets: how often a difference is claimed where there is none, and how often intervals cover.

Two systems answer the same items. Each item has a difficulty that both share; each system has errors of its own, and where
items come in clusters (users, documents) a system is better or worse on all items of a cluster. If both have the same
strength, every claim of a difference is wrong: the share of such claims has to be at most the level. If one is stronger, the
true difference is that of very many items, and intervals have to contain it as often as they promise.

Run it with `python reproductions/units_simulation.py`; another number of data sets can be given.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from printed import table

from plumbline.comparison.units.item_evidence import item_evidence
from plumbline.evaluation.evaluation import evaluation_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

SETS: Final = 2000
RESAMPLES: Final = 499
LEVEL: Final = 0.05
MANY: Final = 400_000
"""Items from which the true difference is computed."""


@dataclass(frozen=True)
class World:
    """How test sets are made."""

    name: str
    metrics: tuple[str, ...]
    items: int
    positive: float = 0.5
    """The share of positive items."""
    strength: float = 1.0
    """How well both systems tell positive from negative items, in standard deviations of their errors."""
    size: int = 1
    """The items of each cluster."""
    together: float = 0.0
    """How much of a system's errors the items of a cluster share, in standard deviations."""
    cases: int = 1
    """The cases that the items are spread over."""

    @property
    def is_clustered(self) -> bool:
        """Whether items come in clusters that are no cases."""
        return self.size > 1 and self.cases == 1


class Share(NamedTuple):
    """How often a difference is claimed in how many data sets."""

    metric: str
    share: float
    """By p alone."""
    agreed: float
    """By p and the interval, as verdicts are."""
    sets: int


class Covered(NamedTuple):
    """How often intervals hold the true difference in how many data sets."""

    metric: str
    share: float
    sets: int
    width: float
    """The mean width of the intervals."""


WORLDS: Final = (
    World("100 items", ("Accuracy", "F(P,R)", "AUC", "AP"), 100),
    World("500 items, 10 % positive", ("Accuracy", "F(P,R)", "Phi"), 500, positive=0.1, strength=2.0),
    World("40 clusters of 5", ("Accuracy", "F(P,R)"), 200, size=5, together=0.8),
    World("12 cases of 40 items, all alike", ("Accuracy", "F(P,R)"), 480, cases=12),
    World("12 cases of 40 items that differ", ("Accuracy", "F(P,R)"), 480, size=40, together=0.6, cases=12),
    World("3 cases of 100 items, all alike", ("Accuracy", "F(P,R)"), 300, cases=3),
    World("3 cases of 100 items that differ", ("Accuracy", "F(P,R)"), 300, size=100, together=0.6, cases=3),
    World("2 cases of 100 items that differ", ("Accuracy", "F(P,R)"), 200, size=100, together=0.6, cases=2),
)


def answers(world: World, edge: float, generator: np.random.Generator, items: int | None = None) -> Any:  # noqa: ANN401 - arrays
    """Whether items are positive, and the scores of two systems, the second of which is stronger by `edge`."""
    count = items or world.items
    positive = generator.random(count) < world.positive
    cluster = np.arange(count) // world.size
    difficulty = generator.normal(size=count) * 0.7
    scores = []
    for strength in (world.strength, world.strength + edge):
        shared = generator.normal(size=cluster[-1] + 1)[cluster] * world.together
        signal = (strength + difficulty + shared) * np.where(positive, 0.5, -0.5)
        scores.append(1 / (1 + np.exp(-signal - generator.normal(size=count) * 0.7)))
    return positive, scores, cluster


def evidence(world: World, edge: float, seed: int, *, clustered: bool, metrics: Sequence[str] | None = None) -> list[Any]:
    """The test and the interval of each metric on one data set; b is the second system."""
    positive, scores, cluster = answers(world, edge, np.random.default_rng(seed))
    wanted = list(metrics or world.metrics)
    gold: Any = ["1" if one else "0" for one in positive]
    outputs: Any = dict(zip("ab", scores, strict=True))
    if world.cases > 1:
        gold, outputs["a"], outputs["b"] = (_in_cases(side, world.cases) for side in (gold, *scores))
    evaluation = evaluation_of(gold, outputs, wanted, task="filtering", threshold=0.5)
    chosen = cluster if clustered else None
    return item_evidence(evaluation, wanted, ["a", "b"], resamples=RESAMPLES, seed=seed, clusters=chosen)


def _in_cases(values: Sequence[Any] | NDArray[Any], cases: int) -> dict[str, dict[str, Any]]:
    parts = np.array_split(np.asarray(values, dtype=object), cases)
    return {f"c{number}": {str(item): value for item, value in enumerate(part)} for number, part in enumerate(parts)}


def claims(world: World, sets: int, *, clustered: bool | None = None, level: float = LEVEL) -> list[Share]:
    """How often a difference is claimed between systems of the same strength: by p alone, and by p and the interval."""
    grouped = world.is_clustered if clustered is None else clustered
    claimed = np.array([_claimed(evidence(world, 0.0, seed, clustered=grouped), level) for seed in range(sets)])
    shares = zip(world.metrics, claimed.mean(axis=0), strict=True)
    return [Share(name, float(by_p), float(agreed), sets) for name, (by_p, agreed) in shares]


def _claimed(tested: list[Any], level: float) -> list[tuple[bool, bool]]:
    """For each metric, whether p is small, and whether the interval also excludes 0."""
    small = [bool(test.p[0, 1] < level) for test, _ in tested]
    apart = [bool(interval.low[0, 1] > 0 or interval.high[0, 1] < 0) for _, interval in tested]
    return [(p, p and interval) for p, interval in zip(small, apart, strict=True)]


def coverage(world: World, sets: int, *, edge: float = 0.3, clustered: bool | None = None) -> list[Covered]:
    """How often intervals contain the true difference."""
    grouped = world.is_clustered if clustered is None else clustered
    truth = true_differences(world, edge)
    ends = np.array(
        [
            [(interval.low[1, 0], interval.high[1, 0]) for _, interval in evidence(world, edge, seed, clustered=grouped)]
            for seed in range(sets)
        ]
    )
    inside = (ends[:, :, 0] <= truth) & (truth <= ends[:, :, 1])
    width = (ends[:, :, 1] - ends[:, :, 0]).mean(axis=0)
    return [Covered(*one) for one in zip(world.metrics, inside.mean(axis=0), [sets] * len(width), width, strict=True)]


def true_differences(world: World, edge: float) -> NDArray[np.float64]:
    """The differences on very many items, b - a; those of a case are those of all, since cases are alike."""
    positive, scores, _ = answers(world, edge, np.random.default_rng(2**31), MANY)
    gold = ["1" if one else "0" for one in positive]
    outputs = dict(zip("ab", scores, strict=True))
    made = evaluation_of(gold, outputs, list(world.metrics), task="filtering", threshold=0.5).scores()
    means = {(row["system"], row["metric"]): row["value"] for row in made.mean.iter_rows(named=True)}
    return np.array([means["b", name] - means["a", name] for name in world.metrics])


def report(sets: int) -> Iterator[str]:
    """The table, row by row."""
    heading = ("test sets", "metric", "p below 5 %", "called better", "covered", "")
    yield from table(heading, [[""] * len(heading)])[:2]
    for world, clustered in [(world, None) for world in WORLDS] + [(world, False) for world in WORLDS if world.is_clustered]:
        name = f"{world.name}, taken as items" if clustered is False else world.name
        both = zip(claims(world, sets, clustered=clustered), coverage(world, sets, clustered=clustered), strict=True)
        rows = [
            (name, claimed.metric, *(f"{100 * share:.1f} %" for share in (claimed.share, claimed.agreed, covered.share)), "")
            for claimed, covered in both
        ]
        yield from table(heading, rows)[2:]


if __name__ == "__main__":
    for line in report(int(sys.argv[1]) if len(sys.argv) > 1 else SETS):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
