"""Coefficients of agreement a second time: loops over items, answers and pairs of answers, straight from the papers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import fsum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Answers = dict[str, dict[str, float]]
"""The answer of each assessor to each item."""
Credit = "Callable[[float, float], float]"


def by_item(answers: Answers) -> list[list[float]]:
    """The answers to each item."""
    items = sorted({item for one in answers.values() for item in one})
    return [[one[item] for one in answers.values() if item in one] for item in items]


def same(a: float, b: float) -> float:
    """Full credit for the same answer."""
    return float(a == b)


def observed(answers: Answers, credit: Callable[[float, float], float] = same) -> float:
    """The mean over items of the credit of two different answers to it."""
    several = [given for given in by_item(answers) if len(given) > 1]
    each = [fsum(credit(a, b) for a, b in permutations(given, 2)) / (len(given) * (len(given) - 1)) for given in several]
    return fsum(each) / len(each)


def shares(answers: Answers) -> dict[float, float]:
    """The mean over items of the share of each answer."""
    items = by_item(answers)
    categories = sorted({answer for given in items for answer in given})
    return {c: fsum(given.count(c) / len(given) for given in items) / len(items) for c in categories}


def own_shares(given: Mapping[str, float]) -> dict[float, float]:
    """How often one assessor gave each answer."""
    return {answer: count / len(given) for answer, count in Counter(given.values()).items()}


def corrected(agreed: float, chance: float) -> float:
    """Agreement beyond chance."""
    return (agreed - chance) / (1 - chance)


def cohen(answers: Answers, credit: Callable[[float, float], float] = same) -> float:
    """Two assessors, on the items that both judged."""
    one, other = answers.values()
    both = [item for item in one if item in other]
    first, second = own_shares({i: one[i] for i in both}), own_shares({i: other[i] for i in both})
    chance = fsum(credit(a, b) * p * q for a, p in first.items() for b, q in second.items())
    return corrected(fsum(credit(one[i], other[i]) for i in both) / len(both), chance)


def fleiss(answers: Answers, credit: Callable[[float, float], float] = same) -> float:
    """Any number of assessors, all answers together."""
    pi = shares(answers)
    return corrected(observed(answers, credit), fsum(credit(a, b) * p * q for a, p in pi.items() for b, q in pi.items()))


def conger(answers: Answers, credit: Callable[[float, float], float] = same) -> float:
    """The chance of two different assessors, in the mean over all pairs of them."""
    pairs = list(combinations([own_shares(one) for one in answers.values()], 2))
    chances = [fsum(credit(a, b) * p * q for a, p in one.items() for b, q in other.items()) for one, other in pairs]
    return corrected(observed(answers, credit), fsum(chances) / len(chances))


def brennan_prediger(answers: Answers, credit: Callable[[float, float], float] = same) -> float:
    """All categories alike."""
    names = list(shares(answers))
    return corrected(observed(answers, credit), fsum(credit(a, b) for a in names for b in names) / len(names) ** 2)


def gwet(answers: Answers, credit: Callable[[float, float], float] = same) -> float:
    """AC1, and AC2 with credit."""
    pi = shares(answers)
    size = len(pi)
    total = fsum(credit(a, b) for a in pi for b in pi)
    return corrected(observed(answers, credit), total * fsum(p * (1 - p) for p in pi.values()) / (size * (size - 1)))


def alpha(answers: Answers, level: str) -> float:
    """Krippendorff: the distance of two answers to an item against that of any two answers."""
    several = [given for given in by_item(answers) if len(given) > 1]
    every = [answer for given in several for answer in given]
    counts = Counter(every)
    ordered = sorted(counts)

    def distance(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "ordinal":
            low, high = sorted((ordered.index(a), ordered.index(b)))
            return (fsum(counts[ordered[g]] for g in range(low, high + 1)) - (counts[a] + counts[b]) / 2) ** 2
        if level == "interval":
            return (a - b) ** 2
        return ((a - b) / (a + b)) ** 2 if a + b else 0.0

    n = len(every)
    within = fsum(fsum(distance(a, b) for a, b in permutations(given, 2)) / (len(given) - 1) for given in several) / n
    between = fsum(distance(a, b) for a, b in permutations(every, 2)) / (n * (n - 1))
    return 1 - within / between


def set_alpha(
    answers: Sequence[Sequence[frozenset[str]]], distance: Callable[[frozenset[str], frozenset[str]], float]
) -> float:
    """Alpha of sets, given the answers to each item."""
    several = [given for given in answers if len(given) > 1]
    every = [answer for given in several for answer in given]
    within = fsum(fsum(distance(a, b) for a, b in permutations(g, 2)) / (len(g) - 1) for g in several) / len(every)
    between = fsum(distance(a, b) for a, b in permutations(every, 2)) / (len(every) * (len(every) - 1))
    return 1 - within / between
