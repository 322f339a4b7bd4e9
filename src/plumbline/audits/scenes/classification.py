"""Small outputs of classifiers: the labels of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
    if world.several:
        return [list(labels) for labels in world.gold], [list(labels) for labels in world.answers]
    return list(world.gold), list(world.answers)


def values(worlds: Sequence[Labelled], measures: list[Measure]) -> Values:
    """By one evaluation, in which items have one label or several."""
    several = any(world.several for world in worlds)
    return by_evaluation("classification", tables, multilabel=several)(worlds, measures)


def drawn(world: Labelled) -> str:
    """The right labels of each item, then those of the output; a hyphen for none."""
    return " -> ".join(" ".join(labels or "-" for labels in side) for side in (world.gold, world.answers))


SCENE: Final = Scene("classification", values, drawn, lambda _: "", arguments, ("gold", "answers"))
