"""Degrees of consistency and discriminancy against a loop over all pairs, and what Huang and Ling find of AUC and accuracy."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline

if TYPE_CHECKING:
    from collections.abc import Sequence

Table = dict[str, dict[str, dict[str, float]]]
values = st.sampled_from([0.0, 0.25, 0.5, 1.0, 0.1 + 0.2, 0.3])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    systems, cases = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    return {
        metric: {f"s{s}": {f"q{c}": draw(values) for c in range(cases)} for s in range(systems)}
        for metric in ("AP", "RR", "P@1")
    }


def sign(one: float, other: float) -> int:
    return 0 if abs(one - other) < 1e-9 else 1 if one > other else -1


def loop(table: Table, a: str, b: str) -> tuple[int, int, int, int]:
    """Pairs that both order alike, that they order in opposite ways, and that only one of them orders."""
    same = opposite = only_a = only_b = 0
    for case in table[a]["s0"]:
        for one, other in combinations(table[a], 2):
            first, second = (sign(table[metric][one][case], table[metric][other][case]) for metric in (a, b))
            same += first * second > 0
            opposite += first * second < 0
            only_a += first != 0 and second == 0
            only_b += first == 0 and second != 0
    return same, opposite, only_a, only_b


@given(tables())
def test_a_loop_agrees(table: Table) -> None:
    actual = plumbline.meta(table, splits=2, resamples=10).consistency
    assert actual.height == 3
    for row in actual.iter_rows(named=True):
        same, opposite, only_a, only_b = loop(table, row["a"], row["b"])
        assert (row["same"], row["opposite"], row["only_a"], row["only_b"]) == (same, opposite, only_a, only_b)
        assert row["consistency"] == (pytest.approx(same / (same + opposite)) if same + opposite else None)
        assert row["discriminancy"] == (pytest.approx(only_a / only_b) if only_b else None)


def auc(order: Sequence[int]) -> float:
    """Of a ranking of positive (1) and negative (0) items, the best first."""
    pairs = [(a, b) for a, b in combinations(order, 2) if a != b]
    return sum(a > b for a, b in pairs) / len(pairs)


def accuracy(order: Sequence[int]) -> float:
    """The first half is accepted."""
    half = len(order) // 2
    return (sum(order[:half]) + sum(1 - one for one in order[half:])) / len(order)


def test_auc_is_consistent_with_accuracy_and_more_discriminating() -> None:
    """Ling, Huang and Zhang (2003), table 3: for balanced rankings of 4, 6 and 8 items C is 1, .991 and .977."""
    published = {4: 1.0, 6: 0.991, 8: 0.977}
    for items, expected in published.items():
        rankings = sorted(set(permutations([1] * (items // 2) + [0] * (items // 2))))
        table = {
            name: {f"r{number}": {"q": metric(ranking)} for number, ranking in enumerate(rankings)}
            for name, metric in (("AUC", auc), ("Accuracy", accuracy))
        }
        (row,) = plumbline.meta(table, splits=1, resamples=1).consistency.to_dicts()
        assert row["consistency"] == pytest.approx(expected, abs=0.0006)
        assert row["discriminancy"] is None or row["discriminancy"] > 1


def test_systems_without_a_value_of_every_metric_take_no_part() -> None:
    table = {
        "AP": {"a": {"q": 0.1}, "b": {"q": 0.2}, "c": {"q": 0.3}},
        "RR": {"a": {"q": 1.0}, "b": {"q": 0.5}, "c": {"q": np.nan}},
    }
    (row,) = plumbline.meta(table, splits=1, resamples=1).consistency.to_dicts()
    assert (row["same"], row["opposite"], row["consistency"]) == (0, 1, 0.0)
