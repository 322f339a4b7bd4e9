"""Matrices of probabilities, as `predict_proba` of scikit-learn returns them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import plumbline as pb
from tests.helpers.label_forms import refusal, scored

TWO = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
THREE = np.array([[0.9, 0.05, 0.05], [0.2, 0.2, 0.6], [0.1, 0.7, 0.2]])


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_filter_gets_the_column_of_the_positive_class(kind: Any) -> None:
    given, alone = TWO.astype(kind), TWO[:, 1].astype(kind)
    for metrics in (["AUC", "BrierScore"], ["Accuracy", "AUC"]):
        by_matrix = scored([0, 1, 1], given, metrics, "filtering")
        assert by_matrix == pytest.approx(scored([0, 1, 1], alone, metrics, "filtering"))
    assert scored(["ham", "spam", "spam"], given, ["Accuracy"], "filtering", positive="spam") == {"Accuracy": 2 / 3}
    first = scored(["ham", "spam", "spam"], given, ["AUC"], "filtering", positive="ham")
    assert first == {"AUC": 1.0}, "the first column is that of the first label"


def test_a_classifier_gets_the_most_probable_class() -> None:
    assert scored(["a", "c", "b"], THREE, ["Accuracy"], "classification") == {"Accuracy": 1.0}
    assert scored([10, 9, 2], THREE[:, ::-1], ["Accuracy"], "classification") == {"Accuracy": 1 / 3}
    named = pb.evaluate(["a", "c", "a"], {"x": THREE, "y": THREE}, "Accuracy", task="classification", classes=["a", "b", "c"])
    assert named.mean["value"].to_list() == [2 / 3, 2 / 3]


@pytest.mark.parametrize(("gold", "task"), [(["a", "c", "a"], "classification"), ([0, 1, 1], "filtering")])
def test_other_columns_than_classes_are_an_error(gold: list[Any], task: str) -> None:
    assert "3 columns of probabilities for 2 classes" in refusal("E185", gold, THREE, ["Accuracy"], task)


def test_matrices_that_are_no_probabilities_stay_refused() -> None:
    refusal("E309", [0, 1, 1], TWO * 2, ["Accuracy"], "filtering")
    refusal("E309", TWO, [0, 1, 1], ["Accuracy"], "classification")
    certain = np.array([[1, 0], [0, 1]])
    assert scored(certain, certain, ["Accuracy"], "classification") == {"Accuracy": 1.0}
