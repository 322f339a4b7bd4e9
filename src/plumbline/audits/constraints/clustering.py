"""The four constraints on metrics of partitions (Amigo et al. 2009), as Table 6 of Amigo et al. 2013 lists them.

Homogeneity and completeness take every clustering of every gold. The other two speak of certain clusters; beside these
there is every world of classes that have no item in them. Clean cluster and rag bag are of one size before the item comes, as
in figure 11 of 2009: the sketch of 2013 has a smaller bag, which entropies and pairs would find better as well.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from plumbline.audits.constraints.constraint import Constraint, Pair
from plumbline.audits.constraints.worlds import Cluster, World, canonical, drawn, worlds

if TYPE_CHECKING:
    from collections.abc import Iterator

PAPER: Final = "amigo2009"
TWO: Final = 2
_LEAST_BAG: Final = 2
"""With one item a clean cluster and a rag bag are alike."""
_LEAST_PAIRS: Final = 3


def _homogeneity(largest: int) -> Iterator[Pair]:
    for items in range(TWO, largest + 1):
        for world in worlds(items):
            yield from _changed(world, _divisions(world))


def _divisions(world: World) -> Iterator[World]:
    """Each cluster of two classes divided into its classes."""
    for number, cluster in enumerate(world):
        held = [column for column, count in enumerate(cluster) if count]
        if len(held) == TWO:
            parts = (tuple(count * (column == one) for column, count in enumerate(cluster)) for one in held)
            yield (*world[:number], *parts, *world[number + 1 :])


def _completeness(largest: int) -> Iterator[Pair]:
    for items in range(TWO, largest + 1):
        for world in worlds(items):
            yield from _changed(world, _unions(world))


def _unions(world: World) -> Iterator[World]:
    """Each two clusters of one class and no other joined."""
    pure = [number for number, cluster in enumerate(world) if sum(map(bool, cluster)) == 1]
    for first, second in combinations(pure, 2):
        joined: Cluster = tuple(map(sum, zip(world[first], world[second], strict=True)))
        if sum(map(bool, joined)) == 1:
            yield (*world[:first], joined, *world[first + 1 : second], *world[second + 1 :])


def _changed(world: World, better: Iterator[World]) -> Iterator[Pair]:
    """Each better world once, since those that differ in names only have the same scores."""
    for other in {canonical(other): other for other in better}.values():
        yield Pair(drawn(other), drawn(world))


def _rag_bag(largest: int) -> Iterator[Pair]:
    for items in range(2 * _LEAST_BAG + 1, largest + 1):
        for size in range((items - 1) // 2, _LEAST_BAG - 1, -1):
            clean, stray = _word(0, size), _word(size + 1)
            bag = "".join(_word(1 + number) for number in range(size))
            for rest in worlds(items - 2 * size - 1):
                others = drawn(rest, size + TWO)
                yield Pair((clean, bag + stray, *others), (clean + stray, bag, *others))


def _size_versus_quantity(largest: int) -> Iterator[Pair]:
    for items in range(3 * _LEAST_PAIRS + 1, largest + 1):
        for size in range((items - 1) // 3, _LEAST_PAIRS - 1, -1):
            small = [1 + number for number in range(size)]
            whole, halves = [_word(number, 2) for number in small], [_word(number) for number in small for _ in range(2)]
            for rest in worlds(items - 3 * size - 1):
                others = drawn(rest, size + 1)
                yield Pair((_word(0, size), _word(0), *whole, *others), (_word(0, size + 1), *halves, *others))


def _word(number: int, count: int = 1) -> str:
    """So many items of one class."""
    return drawn([(count,)], number)[0]


HOMOGENEITY: Final = Constraint(
    "homogeneity", PAPER, "dividing a cluster of two classes into these is better", _homogeneity, smallest=2, largest=7
)
COMPLETENESS: Final = Constraint(
    "completeness",
    PAPER,
    "joining two clusters that hold one class and no other is better",
    _completeness,
    smallest=2,
    largest=7,
)
RAG_BAG: Final = Constraint(
    "rag bag",
    PAPER,
    "an item that is alone in its class does less harm in a cluster of n such items than in a pure cluster of n (n >= 2)",
    _rag_bag,
    smallest=5,
    largest=10,
)
SIZE_VERSUS_QUANTITY: Final = Constraint(
    "size versus quantity",
    PAPER,
    "parting one item from a cluster of n + 1 is better than dividing n clusters of two (n >= 3)",
    _size_versus_quantity,
    smallest=10,
    largest=16,
)
CLUSTERING: Final = {one.name: one for one in (HOMOGENEITY, COMPLETENESS, RAG_BAG, SIZE_VERSUS_QUANTITY)}
