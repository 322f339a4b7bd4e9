"""Constraints on classification metrics; a world is the labels of some items, right and given.

Sebastiani (2015) for one label per item, Amigo and Delgado (2022) for several and for rare classes, Kiritchenko and others
(2006) for hierarchies.
The size of a world is its number of items, of two to three classes. Items of one label have one in the output too; items of
several may have none.
"""

from __future__ import annotations

from itertools import combinations, groupby, pairwise, product
from typing import TYPE_CHECKING, Final, NamedTuple

from plumbline.audits.constraints.registry import Pair, constraint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

AXIOMS: Final = "sebastiani2015"
SEVERAL: Final = "amigo2022"
HIERARCHIES: Final = "kiritchenko2006"
CLASSES: Final = "abc"
SETS: Final = ("", "a", "b", "ab")
"""What an item of several labels may have, of two classes."""
SINGLE: Final = {"classification": 5}
MULTIPLE: Final = {"classification": 3}
BELOW: Final = {"classification": 6}
PATHS: Final = {"a": "a", "b": "a/b", "c": "a/c", "d": "d", "e": "d/e"}
"""The classes of a hierarchy by their letters: b and c are below a, and e is below d."""
LEAVES: Final = ("ab", "ac", "de")
"""Classes at the bottom, each with the class above it."""


class Labelled(NamedTuple):
    """The labels of each item, one letter for each class: those of the gold, and those of the output."""

    gold: tuple[str, ...]
    answers: tuple[str, ...]
    several: bool = False
    """Whether an item may have any number of labels."""
    hierarchy: bool = False
    """Whether letters stand for classes of a hierarchy; then those above a class are there too."""


def golds(size: int, least: int = 2) -> Iterator[tuple[str, ...]]:
    """Every gold up to the names of its classes, the largest class first."""
    for counts in product(range(size, -1, -1), repeat=len(CLASSES)):
        used = [count for count in counts if count]
        falls = all(first >= second for first, second in pairwise(counts))
        if sum(counts) == size and falls and len(used) >= least:
            yield tuple("".join(letter * count for letter, count in zip(CLASSES, counts, strict=True)))


def worlds(size: int, least: int = 2) -> Iterator[Labelled]:
    """Every output for every gold, with the classes of the gold; items of a class are alike."""
    for gold in golds(size, least):
        classes = [list(items) for _, items in groupby(gold)]
        letters = sorted(set(gold))
        for parts in product(*(_multisets(letters, len(items)) for items in classes)):
            yield Labelled(gold, tuple(letter for part in parts for letter in part))


def _multisets(letters: list[str], count: int) -> list[tuple[str, ...]]:
    """What so many items of one class can get, without their order."""
    return [part for part in product(letters, repeat=count) if part == tuple(sorted(part))]


def corrected(world: Labelled) -> Iterator[Labelled]:
    """The output with one wrong item right, once for each kind of error."""
    seen = set()
    for place, (right, given) in enumerate(zip(world.gold, world.answers, strict=True)):
        if right != given and (right, given) not in seen:
            seen.add((right, given))
            yield world._replace(answers=(*world.answers[:place], right, *world.answers[place + 1 :]))


def _drawn(size: int, rng: Random) -> Pair | None:
    gold = tuple(rng.choice(CLASSES) for _ in range(size))
    world = Labelled(gold, tuple(rng.choice(sorted(set(gold))) for _ in gold))
    better = list(corrected(world))
    return Pair(rng.choice(better), world, size) if better and len(set(gold)) > 1 else None


@constraint("strict monotonicity", paper=AXIOMS, smallest=2, largest=SINGLE, draw=_drawn, cost=2)
def strict_monotonicity(size: int) -> Iterator[Pair]:
    """Labelling one more item as the gold does is better."""
    for world in worlds(size):
        yield from (Pair(better, world, size) for better in corrected(world))


@constraint("definiteness", paper=AXIOMS, smallest=2, largest=SINGLE, demand="defined", cost=2)
def definiteness(size: int) -> Iterator[Pair]:
    """There is a score wherever the gold has two classes or more."""
    yield from (Pair(world, world, size) for world in worlds(size))


@constraint("strong definiteness", paper=AXIOMS, smallest=1, largest=SINGLE, demand="defined", cost=2)
def strong_definiteness(size: int) -> Iterator[Pair]:
    """There is a score for every gold."""
    for gold in golds(size, least=1):
        letters = sorted({*gold, CLASSES[1]})
        for answers in _multisets(letters, size):
            yield Pair(Labelled(gold, answers), Labelled(gold, answers), size)


@constraint("robustness to imbalance", paper=AXIOMS, smallest=2, largest={"classification": 8}, demand="equal", cost=2)
def robustness_to_imbalance(size: int) -> Iterator[Pair]:
    """Giving all items the same class has one and the same score, whichever of two classes it is, and whatever its share."""
    least = Labelled(("a", "b"), ("a", "a"))
    for first in range(1, size):
        gold = ("a",) * first + ("b",) * (size - first)
        constant = (Labelled(gold, (letter,) * size) for letter in "ab")
        yield from (Pair(one, least, size) for one in constant if one != least)


@constraint("exchange of classes", paper=AXIOMS, smallest=2, largest=SINGLE, demand="equal", cost=2)
def exchange_of_classes(size: int) -> Iterator[Pair]:
    """The score is the same if two classes change their names, in the gold and in the output."""
    for world in worlds(size):
        for one, other in combinations(sorted(set(world.gold)), 2):
            names = str.maketrans(one + other, other + one)
            gold, answers = (tuple(label.translate(names) for label in labels) for labels in world[:2])
            if sorted(zip(gold, answers, strict=True)) != sorted(zip(*world[:2], strict=True)):
                yield Pair(Labelled(gold, answers), world, size)


# --- several labels -----------------------------------------------------------------------------------------------------


def sets_of(size: int) -> Iterator[Labelled]:
    """Every output for every gold of two classes in which both occur; items are in no order."""
    kinds = sorted(product(SETS, repeat=2))
    for items in product(kinds, repeat=size):
        gold, answers = zip(*items, strict=True)
        if items == tuple(sorted(items)) and set("".join(gold)) == {"a", "b"}:
            yield Labelled(gold, answers, several=True)


def _mended(world: Labelled) -> Iterator[Labelled]:
    """The output with one label more that is right, or one less that is wrong."""
    for place, (right, given) in enumerate(zip(world.gold, world.answers, strict=True)):
        for label in sorted(set(right) ^ set(given)):
            mended = "".join(sorted(set(given) ^ {label}))
            yield world._replace(answers=(*world.answers[:place], mended, *world.answers[place + 1 :]))


@constraint("strict monotonicity, several labels", paper=SEVERAL, smallest=1, largest=MULTIPLE, overlapping=True, cost=2)
def strict_monotonicity_of_sets(size: int) -> Iterator[Pair]:
    """Adding a label that the gold has, or leaving out one that it does not have, is better."""
    for world in sets_of(size):
        yield from (Pair(better, world, size) for better in dict.fromkeys(_mended(world)))


@constraint("rare classes, several labels", paper=SEVERAL, smallest=3, largest={"classification": 8}, overlapping=True, cost=2)
def rare_classes(size: int) -> Iterator[Pair]:
    """One label of a rare class that is found is better than one of a common class, if all other labels are right."""
    for rare in range(1, (size + 1) // 2):
        gold = ("a",) * (size - rare) + ("b",) * rare
        place_of = {letter: gold.index(letter) for letter in "ab"}
        without = {
            letter: tuple("" if place == at else one for place, one in enumerate(gold)) for letter, at in place_of.items()
        }
        yield Pair(Labelled(gold, without["a"], several=True), Labelled(gold, without["b"], several=True), size)


# --- a hierarchy --------------------------------------------------------------------------------------------------------


def _answered(gold: tuple[str, ...], place: int, answer: str) -> Labelled:
    """Every item as in the gold, but for one."""
    return Labelled(gold, (*gold[:place], answer, *gold[place + 1 :]), several=True, hierarchy=True)


def _leaves(size: int) -> Iterator[tuple[tuple[str, ...], int, str]]:
    """Every gold of classes at the bottom, the place of an item of each of its classes, and this class."""
    for counts in product(range(size + 1), repeat=len(LEAVES)):
        if sum(counts) == size:
            gold = tuple(leaf for leaf, count in zip(LEAVES, counts, strict=True) for _ in range(count))
            yield from ((gold, gold.index(leaf), leaf) for leaf in sorted(set(gold)))


@constraint("one step closer, hierarchy", paper=HIERARCHIES, smallest=1, largest=BELOW, overlapping=True, cost=2)
def one_step_closer(size: int) -> Iterator[Pair]:
    """The class above the right one is better than no class, and the right one is better still, if all else is right."""
    for gold, place, leaf in _leaves(size):
        none, above, right = (_answered(gold, place, answer) for answer in ("", leaf[0], leaf))
        yield from (Pair(above, none, size), Pair(right, above, size))


@constraint("one step too far, hierarchy", paper=HIERARCHIES, smallest=1, largest=BELOW, overlapping=True, cost=2)
def one_step_too_far(size: int) -> Iterator[Pair]:
    """The class above the right one is better than a wrong class below it, if all else is right."""
    for gold, place, leaf in _leaves(size):
        for wrong in (other for other in LEAVES if other != leaf and other[0] == leaf[0]):
            yield Pair(_answered(gold, place, leaf[0]), _answered(gold, place, wrong), size)


@constraint("nearness, hierarchy", paper=HIERARCHIES, smallest=3, largest={"classification": 9}, overlapping=True, cost=2)
def nearness(size: int) -> Iterator[Pair]:
    """Of two wrong classes that are equally common, the one below the same class as the right one is better."""
    for others in range(1, (size - 1) // 2 + 1):
        right, near, far = LEAVES
        gold = (right,) * (size - 2 * others) + (near,) * others + (far,) * others
        yield Pair(_answered(gold, 0, near), _answered(gold, 0, far), size)


@constraint("rare classes, hierarchy", paper=SEVERAL, smallest=3, largest={"classification": 9}, overlapping=True, cost=2)
def rare_classes_below(size: int) -> Iterator[Pair]:
    """One item of a rare class that is found is better than one of a common class as deep, if all else is right."""
    common, _, rare = LEAVES
    for few in range(1, (size + 1) // 2):
        gold = (common,) * (size - few) + (rare,) * few
        yield Pair(_answered(gold, 0, ""), _answered(gold, size - 1, ""), size)
