"""Small outputs of clusterings: words of items."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.audits.constraints.clustering import Overlapping, Words
from plumbline.audits.scenes.scene import Scene, by_evaluation
from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Sets = list[list[str]]

World = Words | Overlapping


def tables(worlds: Sequence[World]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Items with their classes, and with their clusters."""
    sides = [(classes(world), clusters(world)) for world in worlds]
    return _table(gold for gold, _ in sides), _table(system for _, system in sides)


def _table(clusterings: Iterable[Sets]) -> pl.DataFrame:
    rows = [
        (str(case), item, str(label))
        for case, clustering in enumerate(clusterings)
        for label, cluster in enumerate(clustering)
        for item in cluster
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys((CASE, ITEM, LABEL), pl.String), orient="row")


def clusters(world: World) -> Sets:
    """The items of each cluster; in a partition the first with the letter a is a0, the next a1."""
    if isinstance(world, Overlapping):
        return [list(word) for word in world.clusters]
    numbers = {letter: count() for letter in "".join(world)}
    return [[f"{letter}{next(numbers[letter])}" for letter in word] for word in world]


def classes(world: World) -> Sets:
    """The items of each class; in a partition those with the same letter."""
    if isinstance(world, Overlapping):
        return [list(word) for word in world.classes]
    letters = "".join(world)
    return [[f"{letter}{number}" for number in range(letters.count(letter))] for letter in sorted(set(letters))]


def drawn(world: World) -> str:
    """Clusters side by side: `aab | bb`."""
    return " | ".join(world.clusters if isinstance(world, Overlapping) else world)


def gold(world: World) -> str:
    """The classes in the same way."""
    if isinstance(world, Overlapping):
        return " | ".join(world.classes)
    return " | ".join(item[0][0] * len(item) for item in classes(world))


SCENE: Final = Scene(
    "clustering",
    by_evaluation("clustering", tables),
    drawn,
    gold,
    lambda world: (clusters(world), classes(world)),
    ("clusters", "classes"),
)
