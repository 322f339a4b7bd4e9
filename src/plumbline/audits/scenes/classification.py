"""Small outputs of classifiers: the labels of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.audits.constraints.classification import PATHS
from plumbline.audits.scenes.scene import Scene, by_evaluation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.audits.constraints.classification import Labelled
    from plumbline.audits.scenes.scene import Values
    from plumbline.metrics.measure import Measure

    Labels = list[str] | list[list[str]]
    Cases = dict[str, dict[str, Sequence[str]]]


def tables(worlds: Sequence[Labelled]) -> tuple[Cases, Cases]:
    """Labels of the items of each case."""
    sides = [arguments(world) for world in worlds]
    return _cases(gold for gold, _ in sides), _cases(answers for _, answers in sides)


def _cases(labels: Iterable[Labels]) -> Cases:
    return {str(case): {f"item{place}": one for place, one in enumerate(items)} for case, items in enumerate(labels)}


def arguments(world: Labelled) -> tuple[Labels, Labels]:
    """The labels of the gold and of the output: one for each item, or a list for each item."""
    if world.hierarchy:
        return [_deepest(labels) for labels in world.gold], [_deepest(labels) for labels in world.answers]
    if world.several:
        return [list(labels) for labels in world.gold], [list(labels) for labels in world.answers]
    return list(world.gold), list(world.answers)


def _deepest(labels: str) -> list[str]:
    """The paths of a class and those above it, without the latter."""
    paths = [PATHS[letter] for letter in labels]
    return [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]


def values(worlds: Sequence[Labelled], measures: list[Measure]) -> Values:
    """By one evaluation for worlds without a hierarchy, in which items have one label or several, and one for those with it."""
    made = {measure.name: np.full(len(worlds), np.nan) for measure in measures}
    for separator in (None, "/"):
        places = [place for place, world in enumerate(worlds) if world.hierarchy is (separator is not None)]
        some = [worlds[place] for place in places]
        if some:
            several = any(world.several for world in some)
            scored = by_evaluation("classification", tables, multilabel=several, hierarchy=separator)(some, measures)
            for name, scores in scored.items():
                made[name][places] = scores
    return made


def drawn(world: Labelled) -> str:
    """The right labels of each item, then those of the output; a hyphen for none."""
    if world.hierarchy:
        return " -> ".join(" ".join(",".join(_deepest(labels)) or "-" for labels in side) for side in world[:2])
    return " -> ".join(" ".join(labels or "-" for labels in side) for side in world[:2])


SCENE: Final = Scene("classification", values, drawn, lambda _: "", arguments, ("gold", "answers"))
