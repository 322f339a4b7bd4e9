"""Codes that are too large or too sparse for the short ways: the long ones count the same."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline.align import cluster_counts, slots
from plumbline.align.alignment import NO_ANSWER
from plumbline.align.classification import _no_answer_beside
from plumbline.align.cluster_counts import FEW_CELLS, counted
from plumbline.align.items import FEW

DRAWN = np.random.default_rng(24)


@pytest.mark.parametrize("times", [None, DRAWN.integers(1, 5, 50)])
def test_keys_are_counted_with_and_without_a_cell_for_each(times: np.ndarray | None) -> None:
    key = DRAWN.integers(0, 9, 50)
    few, many = (counted(key, possible, times) for possible in (9, 10 * FEW_CELLS))
    expected = {int(one): int(np.sum((key == one) * (1 if times is None else times))) for one in np.unique(key)}
    for distinct, counts in (few, many):
        assert dict(zip(distinct.tolist(), counts.tolist(), strict=True)) == expected


@pytest.mark.parametrize("code", [[5, 7 * FEW_CELLS, -1, 5], [5, 7 * FEW_CELLS, 6, 5]])
def test_codes_with_large_gaps_become_small(code: list[int]) -> None:
    compact = cluster_counts._compact(np.array(code))  # noqa: SLF001 - gaps so large take millions of clusters
    assert compact.min() == min(0, *code)
    assert compact.max() < len(code)
    assert [one == other for one in compact for other in compact] == [one == other for one in code for other in code]


@pytest.mark.parametrize("largest", [2**62, 20])
def test_columns_become_one_key_however_large_they_are(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_LARGEST", largest)
    columns = [DRAWN.integers(0, 4, 60) for _ in range(4)]
    key = slots._one_key(*columns).tolist()  # noqa: SLF001 - numbers so large take millions of rows
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    pairs = [(a, b) for a in range(60) for b in range(60)]
    assert [key[a] == key[b] for a, b in pairs] == [rows[a] == rows[b] for a, b in pairs]


def test_many_classes_may_be_positive() -> None:
    """More of them than are looked at one by one."""
    labels = [f"c{number}" for number in range(3 * FEW)]
    for positive in (labels[:-1], labels[:2]):
        scores = plumbline.evaluate(labels, labels[::-1], ["P", "R"], task="filtering", positive=positive)
        gold, output = (np.isin(side, positive) for side in (labels, labels[::-1]))
        both = float((gold & output).sum())
        assert scores.mean["value"].to_list() == pytest.approx([both / output.sum(), both / gold.sum()])


def test_a_class_may_be_called_as_no_answer_is() -> None:
    assert _no_answer_beside(("a",)) == NO_ANSWER
    assert _no_answer_beside(("a", NO_ANSWER)) == f"{NO_ANSWER} (2)"
    assert _no_answer_beside((NO_ANSWER, f"{NO_ANSWER} (2)")) == f"{NO_ANSWER} (3)"


def test_numbers_below_0_are_clusters() -> None:
    codes = [-3, -3, 0, 7, 7, 7]
    names = ["x", "x", "y", "z", "z", "z"]
    for gold, output in ((codes, names), (names, codes), (codes, codes)):
        scores = plumbline.evaluate(pl.Series(gold), pl.Series(output), ["Purity", "VI"], task="clustering")
        assert scores.mean["value"].to_list() == [1.0, 0.0]
