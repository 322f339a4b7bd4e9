"""Every clustering of a few items against every gold, once: how many items of each class each cluster holds."""

from __future__ import annotations

from functools import cache
from itertools import chain, groupby, permutations, product
from string import ascii_letters
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Cluster = tuple[int, ...]
"""How many items of each class it holds."""
World = tuple[Cluster, ...]
"""A row for each cluster, a column for each class."""


@cache
def worlds(items: int) -> tuple[World, ...]:
    """All worlds of so many items up to the names of clusters and classes, those with few classes and clusters first."""
    if items == 0:
        return ((),)
    grown_worlds = {canonical(grown) for world in worlds(items - 1) for grown in _with_one_more(world)}
    return tuple(sorted(grown_worlds, key=lambda world: (len(world[0]), len(world), tuple(map(_negative, world)))))


def _negative(cluster: Cluster) -> Cluster:
    return tuple(-count for count in cluster)


def _with_one_more(world: World) -> Iterator[World]:
    """The world with an item more, in any cluster and class or in new ones."""
    classes = len(world[0]) + 1 if world else 1
    padded = [*((*cluster, 0) for cluster in world), (0,) * classes]
    for row, column in product(range(len(padded)), range(classes)):
        yield tuple(
            tuple(count + (at == (row, column)) for at, count in zip(product([number], range(classes)), cluster, strict=True))
            for number, cluster in enumerate(padded)
        )


@cache
def canonical(world: World) -> World:
    """The same form for all worlds that differ in the names of clusters and classes only."""
    clusters = [cluster for cluster in world if any(cluster)]
    columns = sorted(((_kind(column, clusters), column) for column in zip(*clusters, strict=True) if any(column)), reverse=True)
    alike = [[column for _, column in group] for _, group in groupby(columns, key=lambda pair: pair[0])]
    orders = product(*(set(permutations(group)) for group in alike))
    return max(tuple(sorted(zip(*chain(*order), strict=True), reverse=True)) for order in orders)


def _kind(column: Cluster, clusters: list[Cluster]) -> tuple[int, list[tuple[int, list[int]]]]:
    """A description of a class without names: its size, and the cluster around each of its parts."""
    parts = [(count, sorted(cluster)) for count, cluster in zip(column, clusters, strict=True) if count]
    return sum(column), sorted(parts)


def drawn(clusters: Iterable[Cluster], first: int = 0) -> tuple[str, ...]:
    """Each cluster as a word, in which a letter stands for an item and names its class; `first` is that of the first class."""
    return tuple(
        "".join(letter * count for letter, count in zip(ascii_letters[first:], cluster, strict=False)) for cluster in clusters
    )
