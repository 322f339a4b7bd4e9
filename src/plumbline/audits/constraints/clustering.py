"""The four constraints on metrics of partitions (Amigo et al. 2009), as Table 6 of Amigo et al. 2013 lists them.

Homogeneity and completeness take every clustering of every gold. The other two speak of certain clusters; beside these
there is every world of classes that have no item in them. Clean cluster and rag bag are of one size before the item comes, as
in figure 11 of 2009: the sketch of 2013 has a smaller bag, which entropies and pairs would find better as well.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from string import ascii_letters
from typing import TYPE_CHECKING, Final, NamedTuple

from plumbline.audits.constraints.registry import Pair, constraint
from plumbline.audits.constraints.worlds import Cluster, World, canonical, drawn, worlds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

Words = tuple[str, ...]
"""A clustering: a word for each cluster, in which a letter stands for an item and names its class."""
PAPER: Final = "amigo2009"
TWO: Final = 2
COST: Final = 10
_LEAST_BAG: Final = 2
"""With one item a clean cluster and a rag bag are alike."""
_LEAST_PAIRS: Final = 3


class Overlapping(NamedTuple):
    """A clustering and its classes, in words of items: a letter is one item, wherever it stands."""

    clusters: Words
    classes: Words


def _some_homogeneity(items: int, rng: Random) -> Pair | None:
    world = _some_world(items, rng)
    return _one_of(world, list(_divisions(world)), rng)


@constraint(
    "homogeneity",
    paper=PAPER,
    smallest=2,
    largest={"clustering": 7, "organization": 7},
    cost=COST,
    draw=_some_homogeneity,
)
def homogeneity(items: int) -> Iterator[Pair]:
    """Dividing a cluster of two classes into these is better."""
    for world in worlds(items):
        yield from _changed(world, _divisions(world), items)


def _divisions(world: World) -> Iterator[World]:
    """Each cluster of two classes divided into its classes."""
    for number, cluster in enumerate(world):
        held = [column for column, count in enumerate(cluster) if count]
        if len(held) == TWO:
            parts = (tuple(count * (column == one) for column, count in enumerate(cluster)) for one in held)
            yield (*world[:number], *parts, *world[number + 1 :])


def _some_completeness(items: int, rng: Random) -> Pair | None:
    world = _some_world(items, rng)
    return _one_of(world, list(_unions(world)), rng)


@constraint(
    "completeness",
    paper=PAPER,
    smallest=2,
    largest={"clustering": 7, "organization": 7},
    cost=COST,
    draw=_some_completeness,
)
def completeness(items: int) -> Iterator[Pair]:
    """Joining two clusters that hold one class and no other is better."""
    for world in worlds(items):
        yield from _changed(world, _unions(world), items)


def _one_of(world: World, better: list[World], rng: Random) -> Pair | None:
    return Pair(drawn(rng.choice(better)), drawn(world), sum(map(sum, world))) if better else None


def _unions(world: World) -> Iterator[World]:
    """Each two clusters of one class and no other joined."""
    pure = [number for number, cluster in enumerate(world) if sum(map(bool, cluster)) == 1]
    for first, second in combinations(pure, 2):
        joined: Cluster = tuple(map(sum, zip(world[first], world[second], strict=True)))
        if sum(map(bool, joined)) == 1:
            yield (*world[:first], joined, *world[first + 1 : second], *world[second + 1 :])


def _changed(world: World, better: Iterator[World], items: int) -> Iterator[Pair]:
    """Each better world once, since those that differ in names only have the same scores."""
    for other in {canonical(other): other for other in better}.values():
        yield Pair(drawn(other), drawn(world), items)


def _some_world(items: int, rng: Random) -> World:
    """Every item in a cluster and a class at random, of few or many."""
    clusters, classes = rng.randint(1, items), rng.randint(1, items)
    counts = [[0] * classes for _ in range(clusters)]
    for _ in range(items):
        counts[rng.randrange(clusters)][rng.randrange(classes)] += 1
    return tuple(tuple(cluster) for cluster in counts if any(cluster))


@constraint(
    "rag bag",
    paper=PAPER,
    smallest=5,
    largest={"clustering": 10, "organization": 10},
    cost=COST,
)
def rag_bag(items: int) -> Iterator[Pair]:
    """An item that is alone in its class does less harm in a cluster of n such items than in a pure cluster of n (n >= 2)."""
    for size in range((items - 1) // 2, _LEAST_BAG - 1, -1):
        clean, stray = _word(0, size), _word(size + 1)
        bag = "".join(_word(1 + number) for number in range(size))
        for rest in worlds(items - 2 * size - 1):
            others = drawn(rest, size + TWO)
            yield Pair((clean, bag + stray, *others), (clean + stray, bag, *others), items)


@constraint(
    "size versus quantity",
    paper=PAPER,
    smallest=10,
    largest={"clustering": 16, "organization": 16},
    cost=COST,
)
def size_versus_quantity(items: int) -> Iterator[Pair]:
    """Parting one item from a cluster of n + 1 is better than dividing n clusters of two (n >= 3)."""
    for size in range((items - 1) // 3, _LEAST_PAIRS - 1, -1):
        small = [1 + number for number in range(size)]
        pairs, halves = [_word(number, 2) for number in small], [_word(number) for number in small for _ in range(2)]
        for rest in worlds(items - 3 * size - 1):
            others = drawn(rest, size + 1)
            yield Pair((_word(0, size), _word(0), *pairs, *others), (_word(0, size + 1), *halves, *others), items)


@constraint(
    "size versus quantity, overlapping",
    paper="amigo2013",
    smallest=5,
    largest={"clustering": 20, "organization": 20},
    overlapping=True,
    cost=COST,
)
def overlapping_quantity(items: int) -> Iterator[Pair]:
    """The same, where the n clusters of two may share items (n >= 2)."""
    # the n classes of two are all the same two, a chain, a star, a ring, or share no item
    for size in range(TWO, items - TWO):
        names = ascii_letters[:items]
        large, rest = names[: size + 1], names[size + 1 :]
        for small in _graphs(rest, size):
            halves = [name for pair in small for name in pair]
            parted = Overlapping((large[:-1], large[-1], *small), (large, *small))
            yield Pair(parted, Overlapping((large, *halves), (large, *small)), items)


def _graphs(names: str, count: int) -> Iterator[list[str]]:
    """So many pairs of these items, in shapes that take them all."""
    if len(names) == TWO:
        yield [names] * count
    if len(names) == count + 1 > TWO:
        yield ["".join(pair) for pair in pairwise(names)]
    if len(names) == count + 1 > TWO + 1:
        yield [names[0] + other for other in names[1:]]
    if len(names) == count > TWO:
        yield ["".join(pair) for pair in pairwise(names + names[0])]
    if len(names) == TWO * count:
        yield [names[at : at + TWO] for at in range(0, len(names), TWO)]


def _word(number: int, count: int = 1) -> str:
    """So many items of one class."""
    return drawn([(count,)], number)[0]
