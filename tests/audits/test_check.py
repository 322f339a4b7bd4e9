"""The worlds are complete, the pairs are what the constraints say, and a verdict is what exact arithmetic says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count

import pytest

import plumbline
from clustering_oracles import CLUSTERING as ORACLES
from filtering_oracles import harmonic
from audits.clustering_findings import METRICS
from plumbline.audits.check import check
from plumbline.audits.constraints.clustering import CLUSTERING, COMPLETENESS, HOMOGENEITY, RAG_BAG, SIZE_VERSUS_QUANTITY
from plumbline.audits.constraints.constraint import Constraint, Pair, Words
from plumbline.audits.constraints.worlds import World, canonical, worlds

every_constraint = pytest.mark.parametrize("constraint", CLUSTERING.values(), ids=list(CLUSTERING))


def partitions(items: list[int]) -> list[list[list[int]]]:
    """Every way to divide items into sets."""
    if not items:
        return [[]]
    first, *rest = items
    found = []
    for smaller in partitions(rest):
        found += [[*smaller[:i], [first, *smaller[i]], *smaller[i + 1 :]] for i in range(len(smaller))]
        found.append([[first], *smaller])
    return found


def world(system: list[list[int]], gold: list[list[int]]) -> World:
    return canonical(tuple(tuple(len(set(cluster) & set(one)) for one in gold) for cluster in system))


def of_words(words: Words) -> World:
    letters = sorted(set("".join(words)))
    return canonical(tuple(tuple(word.count(letter) for letter in letters) for word in words))


def test_there_are_as_many_worlds_as_there_should_be() -> None:
    assert [len(worlds(items)) for items in range(8)] == [1, 1, 4, 10, 33, 91, 298, 910]  # A007716


def test_every_two_partitions_are_a_world() -> None:
    every = partitions(list(range(5)))
    assert {world(system, gold) for system in every for gold in every} == set(worlds(5))


@pytest.mark.parametrize("constraint", [HOMOGENEITY, COMPLETENESS], ids=["homogeneity", "completeness"])
def test_pairs_found_by_trying_every_change_of_every_partition(constraint: Constraint) -> None:
    expected = set()
    every = partitions(list(range(5)))
    for gold in every:
        of = {item: number for number, one in enumerate(gold) for item in one}
        for system in every:
            expected |= {(world(better, gold), world(system, gold)) for better in changed(system, of, constraint.name)}
    found = [(of_words(pair.better), of_words(pair.worse)) for pair in constraint.pairs(5) if pair.items == 5]
    assert set(found) == expected
    assert len(found) == len(expected)


def changed(system: list[list[int]], of: dict[int, int], name: str) -> list[list[list[int]]]:
    """The partitions that are better by definition."""
    found = []
    for i, cluster in enumerate(system):
        own = sorted({of[item] for item in cluster})
        if name == "homogeneity" and len(own) == 2:
            found.append([*system[:i], *([item for item in cluster if of[item] == one] for one in own), *system[i + 1 :]])
        joinable = [j for j in range(i) if name == "completeness" and len({of[item] for item in cluster + system[j]}) == 1]
        found += [[*system[:j], *system[j + 1 : i], *system[i + 1 :], cluster + system[j]] for j in joinable]
    return found


@every_constraint
def test_pairs_are_of_the_same_items_from_small_to_large_and_never_twice(constraint: Constraint) -> None:
    pairs = list(constraint.pairs(constraint.largest))
    sizes = [pair.items for pair in pairs]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (constraint.smallest, constraint.largest)
    assert all(Counter("".join(pair.better)) == Counter("".join(pair.worse)) for pair in pairs)
    assert len({(of_words(pair.better), of_words(pair.worse)) for pair in pairs}) == len(pairs)
    assert pairs == list(constraint.pairs(constraint.largest))


def test_the_figures_of_the_paper_are_among_the_pairs() -> None:
    assert Pair(("aaaa", "bcdef"), ("aaaaf", "bcde")) in list(RAG_BAG.pairs(9))
    pairs = Pair(("aaaa", "a", "bb", "cc", "dd", "ee"), ("aaaaa", *"bbccddee"))
    assert pairs in list(SIZE_VERSUS_QUANTITY.pairs(13))


def sets(words: Words) -> list[frozenset[str]]:
    numbers = {letter: count() for letter in "".join(words)}
    return [frozenset(f"{letter}{next(numbers[letter])}" for letter in word) for word in words]


def exact(metric: str, words: Words, gold: Words) -> Fraction | None:
    parts = metric.removeprefix("F(").removesuffix(")").split(",")
    values = [ORACLES[part](sets(words), sets(gold)) for part in parts]
    value = harmonic(values[0], values[1], 0.5) if len(values) == 2 else values[0]
    assert value is None or isinstance(value, (int, Fraction))
    return None if value is None else Fraction(value)


@every_constraint
@pytest.mark.parametrize("metric", ["F(BCubedP,BCubedR)", "F(Purity,InvPurity)", "Rand", "Jaccard", "LEA", "CEAFe"])
def test_fractions_give_the_same_verdict(metric: str, constraint: Constraint) -> None:
    most = {"homogeneity": 5, "completeness": 6, "rag bag": 7, "size versus quantity": 10}[constraint.name]
    expected, undefined = [], 0
    for pair in constraint.pairs(most):
        better, worse = exact(metric, pair.better, pair.gold), exact(metric, pair.worse, pair.gold)
        if better is None or worse is None:
            undefined += 1
        elif better <= worse:
            expected.append(pair)
    verdict = check(metric, constraint, largest=most)
    assert [one.pair for one in verdict.broken] == expected
    assert verdict.undefined == undefined


def test_what_is_undefined_is_counted_and_no_failure() -> None:
    verdict = check("Jaccard", HOMOGENEITY, largest=2)
    assert (verdict.pairs, verdict.undefined, verdict.broken, verdict.holds) == (0, 1, (), False)
    assert str(verdict) == "Jaccard: homogeneity cannot be told (1 pair not comparable: a score is undefined)"


def test_lower_is_better_for_some() -> None:
    assert check("BCubedP", HOMOGENEITY, largest=4).holds
    assert check("Entropy", HOMOGENEITY, largest=4).holds
    assert {plumbline.parse(name, task="clustering").better for name in METRICS} == {"higher", "lower"}


def test_parameters_and_aliases_are_understood() -> None:
    assert check("F(B3P,B3R,alpha=0.2)", HOMOGENEITY, largest=3).metric == "F(BCubedP,BCubedR,alpha=0.2)"
    assert check("nmi(norm=joint)", HOMOGENEITY, largest=3).holds


@pytest.mark.parametrize(("metric", "largest"), [("F(Entropy,Purity)", 5), ("AP", 5), ("Rand", 1)])
def test_what_cannot_be_checked(metric: str, largest: int) -> None:
    with pytest.raises(plumbline.BadUsage):
        check(metric, HOMOGENEITY, largest=largest)
