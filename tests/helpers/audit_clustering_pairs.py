"""The pairs of every constraint on clusterings a second time: sets of items, and every change that the words speak of."""

from __future__ import annotations

from itertools import chain, combinations, combinations_with_replacement, permutations
from string import ascii_letters
from typing import TYPE_CHECKING

from plumbline.audits.constraints.worlds import World, canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.audits.constraints.clustering import Overlapping, Words

    Sets = list[list[int]]
    Pairs = set[tuple[World, World]]
    Edges = tuple[tuple[str, str], ...]


def partitions(items: list[int]) -> list[Sets]:
    """Every way to divide items into sets."""
    if not items:
        return [[]]
    first, *rest = items
    actual = []
    for smaller in partitions(rest):
        actual += [[*smaller[:i], [first, *smaller[i]], *smaller[i + 1 :]] for i in range(len(smaller))]
        actual.append([[first], *smaller])
    return actual


def golds(items: int) -> list[Sets]:
    """Classes of every size, without regard to which item is in which."""
    by_sizes = {tuple(sorted(map(len, sets))): sets for sets in partitions(list(range(items)))}
    return list(by_sizes.values())


def world(system: Sets, gold: Sets) -> World:
    """Without the names of items, clusters and classes."""
    return canonical(tuple(tuple(len(set(cluster) & set(one)) for one in gold) for cluster in system))


def of_words(arguments: Words) -> World:
    """The same from words of letters that name classes."""
    letters = sorted(set("".join(arguments)))
    return canonical(tuple(tuple(word.count(letter) for letter in letters) for word in arguments))


def divided(system: Sets, gold: Sets) -> Iterator[Sets]:
    """Homogeneity: a cluster of two classes becomes two."""
    for number, cluster in enumerate(system):
        parts = [part for part in ([item for item in cluster if item in one] for one in gold) if part]
        if len(parts) == 2:
            yield [*system[:number], *parts, *system[number + 1 :]]


def joined(system: Sets, gold: Sets) -> Iterator[Sets]:
    """Completeness: two clusters of one class become one."""
    for one, other in combinations(system, 2):
        if any(set(one + other) <= set(label) for label in gold):
            yield [*(cluster for cluster in system if cluster not in (one, other)), one + other]


CHANGED = {"homogeneity": divided, "completeness": joined}


def changes(name: str, items: int) -> Pairs:
    """Every change of every clustering, for every gold."""
    every = partitions(list(range(items)))
    return {
        (world(better, gold), world(system, gold))
        for gold in golds(items)
        for system in every
        for better in CHANGED[name](system, gold)
    }


def strays(items: int) -> Pairs:
    """Rag bag: the only item of a class goes from a class that is a cluster to a bag of as many such items."""
    actual = set()
    for gold in golds(items):
        alone = [one[0] for one in gold if len(one) == 1]
        for system in partitions(list(range(items))):
            for cluster, bag in permutations(system, 2):
                for stray in (item for item in cluster if item in alone):
                    clean = [item for item in cluster if item != stray]
                    is_bag = len(bag) == len(clean) >= 2 and set(bag) <= set(alone)
                    if is_bag and sorted(clean) in map(sorted, gold):
                        rest = [other for other in system if other not in (cluster, bag)]
                        actual.add((world([clean, [*bag, stray], *rest], gold), world(system, gold)))
    return actual


def quantities(items: int) -> Pairs:
    """Size versus quantity: a class of n + 1 items loses one, or each of n classes of two is divided; the rest is any."""
    actual = set()
    for n in range(3, items):
        left = items - (n + 1) - 2 * n
        if left < 0:
            break
        large, last = list(range(n)), n
        small = [[n + 1 + 2 * number, n + 2 + 2 * number] for number in range(n)]
        others = list(range(items - left, items))
        for classes in partitions(others):
            gold = [[*large, last], *small, *classes]
            for clusters in partitions(others):
                parted = [large, [last], *small, *clusters]
                halves = [[*large, last], *([item] for pair in small for item in pair), *clusters]
                actual.add((world(parted, gold), world(halves, gold)))
    return actual


# --- classes of two that share items --------------------------------------------------------------------------------------


def shapes(items: int, n: int) -> set[Edges]:
    """N pairs of all these items that are all the same, a chain, a star, a ring or apart, without regard to names."""
    names = ascii_letters[:items]
    every = combinations_with_replacement(list(combinations(names, 2)), n)
    return {nameless(edges) for edges in every if set(chain(*edges)) == set(names) and is_shape(edges)}


def is_shape(edges: Edges) -> bool:
    """Whether the pairs make one of these figures."""
    degrees = sorted(list(chain(*edges)).count(name) for name in set(chain(*edges)))
    same = len(set(edges)) == 1
    apart = degrees[-1] == 1
    star = len(set(edges)) == len(edges) == degrees[-1]
    in_a_row = len(set(edges)) == len(edges) > 2 and degrees[-1] == 2 and is_connected(edges)
    return same or apart or star or in_a_row


def is_connected(edges: Edges) -> bool:
    """Whether each item is reached from each."""
    reached = set(edges[0])
    for _ in edges:
        reached |= {name for edge in edges if reached & set(edge) for name in edge}
    return reached == set(chain(*edges))


def nameless(edges: Edges) -> Edges:
    """The same for all pairs that differ in names only."""
    names = sorted(set(chain(*edges)))
    renamed = [dict(zip(names, order, strict=True)) for order in permutations(ascii_letters[: len(names)])]
    written = [sorted(tuple(sorted((other[a], other[b]))) for a, b in edges) for other in renamed]
    return tuple((a, b) for a, b in min(written))


def edges_of(parted: Overlapping) -> Edges:
    """The classes of two."""
    return nameless(tuple((word[0], word[1]) for word in parted.classes[1:]))
