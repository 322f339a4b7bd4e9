"""Items that meet: counted by subsets of clusters, by pairs of groups, and by looking at all pairs of items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.views.incidence import Incidence, Met
from plumbline.views.meeting_pairs import count_by_pairs
from plumbline.views.meeting_sets import count_by_sets
from plumbline.views.segments import Segments, crossed

SIDES = ("cluster", "class")
Sets = list[tuple[frozenset[int], frozenset[int]]]
SETS = st.frozensets(st.integers(0, 4), max_size=4)
GROUPS = st.lists(st.tuples(SETS, SETS), min_size=1, max_size=12, unique=True)


def incidence(groups: Sets, n: np.ndarray, place: int) -> Incidence:
    """One side of groups of one list."""
    pairs = [(row, column) for row, sets in enumerate(groups) for column in sorted(sets[place])]
    row, column = (np.array([pair[at] for pair in pairs], dtype=np.int64) for at in (0, 1))
    return Incidence(SIDES[place], len(groups), 5, row, column, n)


def by_definition(groups: Sets, n: np.ndarray, place: int) -> tuple[list[float], list[float], list[float]]:
    """Items met, rightly met, and these weighted by one over the size of each shared cluster."""
    sizes = {code: sum(count for sets, count in zip(groups, n, strict=True) if code in sets[place]) for code in range(5)}
    met: list[float] = []
    right: list[float] = []
    weighted: list[float] = []
    for one in groups:
        sums = [0.0, 0.0, 0.0]
        for other, count in zip(groups, n, strict=True):
            shared = one[place] & other[place]
            if shared:
                share = count * min(len(shared), len(one[1 - place] & other[1 - place])) / len(shared)
                sums[0] += count
                sums[1] += share
                sums[2] += share * sum(1 / sizes[code] for code in shared)
        for total, values in zip(sums, (met, right, weighted), strict=True):
            values.append(total)
    return met, right, weighted


def pairs_of(made: Met) -> dict[tuple[int, ...], float]:
    """Pairs of different items by list, shared clusters and shared classes."""
    lists, x, g, count = made.pairs
    return {key[:3]: key[3] for key in zip(lists.tolist(), x.tolist(), g.tolist(), count.tolist(), strict=True) if key[3]}


@given(GROUPS, st.integers(0, 3))
def test_both_ways_are_the_definition(groups: Sets, seed: int) -> None:
    """Sums over all groups that share a cluster, or a class."""
    n = np.random.default_rng(seed).integers(1, 4, len(groups)).astype(np.float64)
    sides, lists = (incidence(groups, n, 0), incidence(groups, n, 1)), np.zeros(len(groups), dtype=np.int64)
    by_sets, by_pairs = (count(sides, n, lists, weighted=True, paired=True) for count in (count_by_sets, count_by_pairs))
    for place, name in enumerate(SIDES):
        expected = by_definition(groups, n, place)
        for made in (by_sets, by_pairs):
            for values, known in zip((made.met, made.right, made.weighted), expected, strict=True):
                assert values[name] == pytest.approx(known, abs=1e-12)
    assert pairs_of(by_sets) == pytest.approx(pairs_of(by_pairs))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6), st.integers(1, 20))
def test_every_row_meets_every_row_of_its_segment(lengths: list[tuple[int, int]], most: int) -> None:
    """Whatever the size of portions is, each pair comes once, in order."""
    sides = [np.repeat(np.arange(len(lengths)), [pair[at] for pair in lengths]) for at in (0, 1)]
    x, y = (Segments(side, len(lengths)) for side in sides)
    made = [pair for rows, others in crossed(x, y, most) for pair in zip(rows.tolist(), others.tolist(), strict=True)]
    wanted = [(row, other) for row in range(len(x.of)) for other in range(len(y.of)) if x.of[row] == y.of[other]]
    assert made == wanted
