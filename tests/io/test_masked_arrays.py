"""Masked arrays: what is hidden has no label, whatever stands below the mask."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import plumbline

GOLD = [1, 0, 1, 1]
HIDDEN = [False, True, False, False]


def _accuracy(gold: Any, output: Any, task: str = "classification", **options: Any) -> float:
    return float(plumbline.evaluate(gold, output, ["Accuracy"], task=task, **options).mean["value"][0])


@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_a_hidden_answer_is_no_answer(task: str) -> None:
    masked: Any = np.ma.array(GOLD, mask=HIDDEN)
    listed = [1, None, 1, 1]
    assert _accuracy(GOLD, masked, task, missing_items="wrong") == _accuracy(GOLD, listed, task, missing_items="wrong") == 0.75
    scores = plumbline.evaluate(GOLD, masked, ["Accuracy"], task=task)
    assert "N220" in {notice.code for notice in scores.notices}


def test_a_hidden_label_of_the_gold_is_an_error() -> None:
    with pytest.raises(plumbline.BadData, match="gold:2: E124 the label is missing"):
        _accuracy(np.ma.array(GOLD, mask=HIDDEN), GOLD)


def test_where_nothing_is_hidden_the_mask_says_nothing() -> None:
    for mask in (np.ma.nomask, [False] * 4):
        assert _accuracy(GOLD, np.ma.array(GOLD, mask=mask)) == 1


@pytest.mark.parametrize("kind", [int, float])
def test_a_matrix_with_hidden_cells(kind: type) -> None:
    matrix: Any = np.ma.array([[1, 0], [0, 1]], mask=[[False, False], [True, True]], dtype=kind)
    with pytest.raises(plumbline.BadUsage, match="E309 cannot read the system: a matrix in which values are masked"):
        _accuracy(np.eye(2), matrix)


def test_features_with_hidden_cells() -> None:
    features = np.ma.array(np.arange(12.0).reshape(6, 2), mask=[[False, False]] * 5 + [[True, False]])
    with pytest.raises(plumbline.BadUsage, match="E309 cannot read features: a matrix in which values are masked"):
        plumbline.internal({"a": [0, 0, 1, 1, 2, 2]}, features=features)
