"""The worlds are complete, and the pairs are what the constraints say."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from plumbline.audits.constraints.clustering import (
    completeness,
    homogeneity,
    overlapping_quantity,
    rag_bag,
    size_versus_quantity,
)
from plumbline.audits.constraints.registry import Pair, all_constraints
from plumbline.audits.constraints.worlds import worlds
from tests.helpers.audit_clustering_pairs import (
    changes,
    edges_of,
    golds,
    of_words,
    partitions,
    quantities,
    shapes,
    strays,
    world,
)

if TYPE_CHECKING:
    from plumbline.audits.constraints.registry import Constraint

PARTITIONS = [constraint for constraint in all_constraints()["clustering"] if not constraint.overlapping]


def every_pair(constraint: Constraint, largest: int | None = None) -> list[Pair]:
    return [pair for size in range(constraint.smallest, (largest or constraint.largest) + 1) for pair in constraint.pairs(size)]


def test_there_are_as_many_worlds_as_there_should_be() -> None:
    assert [len(worlds(items)) for items in range(8)] == [1, 1, 4, 10, 33, 91, 298, 910]  # A007716


def test_every_two_partitions_are_a_world() -> None:
    every = partitions(list(range(5)))
    assert {world(system, gold) for system in every for gold in every} == set(worlds(5))
    assert {world(system, gold) for system in partitions(list(range(6))) for gold in golds(6)} == set(worlds(6))


@pytest.mark.parametrize("items", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("constraint", [homogeneity, completeness], ids=["homogeneity", "completeness"])
def test_pairs_found_by_trying_every_change_of_every_partition(constraint: Constraint, items: int) -> None:
    actual = [(of_words(pair.better), of_words(pair.worse)) for pair in constraint.pairs(items)]
    assert set(actual) == changes(constraint.name, items)
    assert len(set(actual)) == len(actual)


@pytest.mark.parametrize("items", [4, 5, 6, 7])
def test_every_rag_bag_in_every_clustering(items: int) -> None:
    actual = [(of_words(pair.better), of_words(pair.worse)) for pair in rag_bag.pairs(items)]
    assert set(actual) == strays(items)
    assert len(set(actual)) == len(actual)


@pytest.mark.parametrize("items", [9, 10, 11, 12, 13])
def test_every_class_of_many_beside_many_classes_of_two(items: int) -> None:
    actual = [(of_words(pair.better), of_words(pair.worse)) for pair in size_versus_quantity.pairs(items)]
    assert set(actual) == quantities(items)
    assert len(set(actual)) == len(actual)


@pytest.mark.parametrize("items", [5, 6, 7, 8, 9, 10])
def test_classes_of_two_share_items_in_every_shape(items: int) -> None:
    actual = [(len(pair.better.classes) - 1, edges_of(pair.better)) for pair in overlapping_quantity.pairs(items)]
    expected = {(n, edges) for n in range(2, items - 2) for edges in shapes(items - n - 1, n)}
    assert set(actual) == expected
    assert len(set(actual)) == len(actual)


def test_overlapping_pairs_are_what_they_should_be() -> None:
    """The gold is the same, a large class loses one item, or every class of two is divided."""
    for better, worse, size in ((pair.better, pair.worse, pair.size) for pair in every_pair(overlapping_quantity)):
        large, *small = better.classes
        assert worse.classes == better.classes
        assert better.clusters == (large[:-1], large[-1], *small)
        assert worse.clusters == (large, *chain(*small))
        assert len(set("".join(better.classes))) == size
        assert len(large) == len(small) + 1
        assert not set(large) & set("".join(small))


@pytest.mark.parametrize("constraint", PARTITIONS, ids=lambda one: one.name)
def test_pairs_are_of_the_same_items_and_never_twice(constraint: Constraint) -> None:
    pairs = every_pair(constraint)
    assert [pair.size for pair in pairs] == [sum(map(len, pair.better)) for pair in pairs]
    assert (pairs[0].size, pairs[-1].size) == (constraint.smallest, constraint.largest)
    assert all(Counter("".join(pair.better)) == Counter("".join(pair.worse)) for pair in pairs)
    assert len({(of_words(pair.better), of_words(pair.worse)) for pair in pairs}) == len(pairs)
    assert pairs == every_pair(constraint)


def test_the_figures_of_the_paper_are_among_the_pairs() -> None:
    assert Pair(("aaaa", "bcdef"), ("aaaaf", "bcde"), 9) in list(rag_bag.pairs(9))
    pairs = Pair(("aaaa", "a", "bb", "cc", "dd", "ee"), ("aaaaa", *"bbccddee"), 13)
    assert pairs in list(size_versus_quantity.pairs(13))
