"""The pairs of filters are those that the words of each constraint demand."""

from __future__ import annotations

import pytest

from plumbline.audits.constraints.filtering import HALF, Matrix
from tests.helpers.audit_cache import constraint
from tests.helpers.audit_filtering_pairs import EXACTLY, same_gold, uninformative


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("name", EXACTLY)
def test_every_pair_is_there_once(name: str, size: int) -> None:
    actual = [(pair.better, pair.worse) for pair in constraint("filtering", name).pairs(size)]
    assert set(actual) == EXACTLY[name](size)
    assert len(set(actual)) == len(actual)


def test_growing_quality_orders_every_two_outputs_that_know_nothing() -> None:
    for size in range(1, 6):
        actual = [(pair.worse, pair.better) for pair in constraint("filtering", "growing quality").pairs(size)]
        alike = uninformative(size)
        expected = {
            (less, more) for less in alike for more in alike if same_gold(less, more) and less.tp + less.fp < more.tp + more.fp
        }
        assert closed(actual) == expected
        assert len(set(actual)) == len(actual)


def closed(steps: list[tuple[Matrix, Matrix]]) -> set[tuple[Matrix, Matrix]]:
    """What follows from these steps, one after the other."""
    actual = set(steps)
    while True:
        further = {(first, last) for first, middle in actual for other, last in actual if middle == other} - actual
        if not further:
            return actual
        actual |= further


def test_fixed_quality_compares_every_output_that_knows_nothing_with_the_same_one() -> None:
    """So that all scores are equal if those of each pair are, even where some outputs have no score."""
    largest = 6
    fixed = constraint("filtering", "fixed quality")
    pairs = [(pair.better, pair.worse) for size in range(1, largest + 1) for pair in fixed.pairs(size)]
    alike = {matrix for size in range(1, largest + 1) for matrix in uninformative(size)}
    assert {better for better, worse in pairs if worse == HALF} == alike - {HALF}
    assert {matrix for pair in pairs for matrix in pair} == alike
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize("name", [*EXACTLY, "fixed quality", "growing quality"])
def test_the_size_is_the_larger_class_and_the_order_always_the_same(name: str) -> None:
    one = constraint("filtering", name)
    for size in range(1, 5):
        pairs = list(one.pairs(size))
        assert {pair.size for pair in pairs} == {size}
        assert {max(tp + fn, fp + tn) for tp, fp, fn, tn in (pair.better for pair in pairs)} <= {1, 2, size}
        assert pairs == list(one.pairs(size))


def test_all_matrices_up_to_twelve_are_tried() -> None:
    """The number of outputs for r relevant and n other items is (r + 1)(n + 1)."""
    definite = constraint("filtering", "definiteness")
    actual = sum(1 for size in range(1, definite.largest + 1) for _ in definite.pairs(size))
    assert definite.largest == 12
    assert actual == sum((relevant + 1) * (others + 1) for relevant in range(1, 13) for others in range(1, 13))
