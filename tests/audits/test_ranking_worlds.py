"""The pairs of lists are those that the words of each constraint demand."""

from __future__ import annotations

import pytest

from plumbline.audits.constraints.ranking import Listed
from tests.helpers.audit_cache import constraint
from tests.helpers.audit_ranking_pairs import TRUE_OF, by_two_exchanges, pairs


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("name", TRUE_OF)
def test_every_pair_is_there_once(name: str, size: int) -> None:
    actual = [(pair.better, pair.worse) for pair in constraint("ranking", name).pairs(size)]
    assert set(actual) == pairs(name, size)
    assert len(set(actual)) == len(actual)


def test_deepness_is_two_exchanges_in_one_list() -> None:
    assert by_two_exchanges(7) == {(pair.better, pair.worse) for pair in constraint("ranking", "deepness").pairs(7)}


@pytest.mark.parametrize("name", TRUE_OF)
def test_sizes_and_order(name: str) -> None:
    one = constraint("ranking", name)
    for size in range(one.smallest, 8):
        actual = list(one.pairs(size))
        assert {len(pair.worse.shown) + pair.worse.hidden for pair in actual} == {size} == {pair.size for pair in actual}
        assert actual == list(one.pairs(size))
    assert not list(one.pairs(one.smallest - 1))


@pytest.mark.parametrize("n", [1, 2, 7])
def test_thresholds_are_the_two_lists_of_the_paper(n: int) -> None:
    """Of n + 1 relevant items one list of 2n has the first at its top, the other has n from n + 1 on."""
    top, below = Listed("R" + "N" * n + "N" * (n - 1), n), Listed("N" * n + "R" * n, 1)
    (deep,) = constraint("ranking", "deepness threshold").pairs(n)
    (close,) = constraint("ranking", "closeness threshold").pairs(n)
    assert (deep.better, deep.worse, deep.size) == (top, below, n)
    assert (close.better, close.worse, close.size) == (below, top, n)
