"""Documents that occur several times, where one side has few levels, against all pairs of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.views.occurrences import Occurrences, Padded
from plumbline.views.repeated_levels import among_few_levels, has_few_levels


def drawn(generator: np.random.Generator, documents: int, levels: int, most: int) -> Padded:
    """Occurrences of each document, in the order of levels, with weights of their own."""
    times = generator.integers(1, most + 1, documents)
    of = np.repeat(np.arange(documents), times)
    level = generator.integers(0, levels, len(of))
    order = np.lexsort((level, of))
    w, shared = generator.random((2, len(of)))
    return Padded.of(Occurrences(of, level[order], w, shared), slice(0, documents))


def by_definition(size: np.ndarray, mine: Padded, other: Padded) -> float:
    """Every document above every document, itself included, each relation with its chance of being right."""

    def relations(side: Padded, one: int, two: int) -> list[tuple[int, int]]:
        pairs = [(i, j) for i in range(side.times[one]) for j in range(side.times[two])]
        return [(i, j) for i, j in pairs if side.level[i, one] < side.level[j, two]]

    total = 0.0
    for one in range(len(size)):
        for two in range(len(size)):
            above, there = relations(mine, one, two), len(relations(other, one, two))
            for i, j in above:
                worth = mine.shared[i, one] * mine.w[j, two] + mine.w[i, one] * mine.shared[j, two]
                total += size[one] * size[two] * worth * min(len(above), there) / len(above)
    return total


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 4), st.integers(1, 12), st.integers(1, 3), st.integers(1, 2))
def test_no_pair_is_missed(seed: int, documents: int, levels: int, many: int, most_few: int, most_many: int) -> None:
    """The sums of both sides, however often documents occur, with ties on both sides."""
    generator = np.random.default_rng(seed)
    few_side, many_side = drawn(generator, documents, levels, most_few), drawn(generator, documents, many, most_many)
    size = generator.integers(1, 4, documents).astype(np.float64)
    in_few, in_many = among_few_levels(size, few_side, many_side)
    assert in_few == pytest.approx(by_definition(size, few_side, many_side), abs=1e-12)
    assert in_many == pytest.approx(by_definition(size, many_side, few_side), abs=1e-12)


def test_the_way_is_chosen_where_it_is_shorter() -> None:
    """Two levels and a thousand documents are few; as many levels as documents are not, nor are three occurrences."""
    generator = np.random.default_rng(1)
    few, many, thrice = (drawn(generator, 1000, *sizes) for sizes in ((2, 2), (1000, 2), (1000, 3)))
    assert has_few_levels(few, many)
    assert not has_few_levels(many, few)
    assert not has_few_levels(few, thrice)
