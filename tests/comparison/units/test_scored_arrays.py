"""Metrics of scores by arrays: the same values as by the rows of polars, for lists with ties, gaps and one class only."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

import plumbline
from plumbline.comparison.units.filtering import FilterScorer
from plumbline.comparison.units.outcomes import Lists
from plumbline.compute.filtering import array_values
from plumbline.errors import BadData
from plumbline.metrics.names import measures
from plumbline.views.scored_arrays import Cells, ScoredArrays, running_sums
from tests.helpers.examples import some_of
from tests.helpers.metric_settings import names_of

if TYPE_CHECKING:
    from plumbline.metrics.measure import Single

BY_ARRAYS = {"AUC", "AP", "BrierScore", "RMSE", "LogLoss", "EER"}
NAMES = [
    name for metric in plumbline.all_metrics("filtering").values() if metric.needs == "scores" for name in names_of(metric)
]
MEASURES = [cast("Single", one) for one in measures(list(dict.fromkeys(NAMES)), {}, "filtering")]


def _drawn(seed: int, codes: int, lists: int) -> tuple[FilterScorer, list[Lists]]:
    """Lists of two systems with some of the codes each; scores are tied, and one is missing."""
    generator = np.random.default_rng(seed)
    scores = np.sort(np.round(generator.random(codes), 1))[::-1].copy()
    scores[-1] = -np.inf
    cells = generator.integers(0, 4, codes)
    made = []
    for _ in range(2):
        some = np.sort(generator.choice(codes, size=max(1, codes * 2 // 3), replace=False))
        counts = generator.poisson(0.5, size=(lists, len(some))).astype(np.float64)
        counts[np.arange(lists), generator.integers(0, len(some), lists)] += 1.0
        made.append(Lists(counts, some))
    return FilterScorer(scores, cells), made


@settings(max_examples=some_of(30))
@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 40))
def test_the_values_are_those_of_rows(seed: int, codes: int, lists: int) -> None:
    scorer, drawn = _drawn(seed, codes, lists)
    result = scorer.by_arrays(drawn, MEASURES)
    expected = scorer.by_rows(drawn, MEASURES)
    assert {name.split("(")[0] for name in result} == BY_ARRAYS
    for name, values in result.items():
        known = np.where(np.isfinite(values), values, np.nan)
        assert known == pytest.approx(expected[name].fill_null(np.nan).to_numpy(), nan_ok=True, abs=1e-12), name


def test_both_ways_make_one_table() -> None:
    scorer, drawn = _drawn(3, 30, 33)
    wanted = measures(["WAUC", "AUC", "F(AUC,P)", "Accuracy"], {}, "filtering")
    frame = scorer(drawn, wanted)
    assert len(frame) == 66
    area, precision = frame["AUC"].to_numpy(), frame["P"].to_numpy()
    assert frame["F(AUC,P)"].to_numpy() == pytest.approx(2 * area * precision / (area + precision), nan_ok=True)
    assert frame["Accuracy"].null_count() == 0
    assert frame["WAUC"].null_count() == frame["AUC"].null_count()


def test_sklearn_agrees() -> None:
    generator = np.random.default_rng(0)
    gold, scores = generator.integers(0, 2, 200), np.round(generator.random(200), 2)
    values, number = np.unique(-scores, return_inverse=True)
    counts = np.stack([np.bincount(number[gold == side], minlength=len(values)) for side in (1, 0)]).astype(np.float64)
    view = ScoredArrays(-values, counts[0][:, None], counts[1][:, None])
    for name, peer in (("AUC", roc_auc_score), ("AP", average_precision_score)):
        (single,) = (one for one in MEASURES if one.name == name)
        assert array_values(view, single) == pytest.approx([peer(gold, scores)])


@settings(max_examples=some_of(30))
@given(st.integers(0, 600), st.integers(1, 3))
def test_running_sums(rows: int, lists: int) -> None:
    counts = np.random.default_rng(rows).integers(0, 9, size=(rows, lists)).astype(np.float64)
    assert np.array_equal(running_sums(counts), counts.cumsum(axis=0))


def test_what_arrays_cannot_do_is_left_to_polars() -> None:
    view = ScoredArrays(np.array([0.9, 0.1]), np.ones((2, 1)), np.ones((2, 1)))
    for wrong in (lambda: view.positives + "1", lambda: bool(view.P), view.P.sum, lambda: view.P * pl.col("x")):
        with pytest.raises(TypeError):
            wrong()
    (single,) = (one for one in MEASURES if one.name == "WAUC")
    assert array_values(view, single) is None


def test_a_sum_is_over_the_scores_of_the_list() -> None:
    view = ScoredArrays(np.array([0.75, 0.5, 0.25]), np.array([[0.0, 1.0], [2.0, 0.0], [1.0, 0.0]]), np.zeros((3, 2)))
    assert view.probability.sum().array.tolist() == [0.75, 0.75]
    assert (1.0 / view.accepted_positives).sum().array == pytest.approx([1 / 2 + 1 / 3, 1.0])
    assert isinstance(-view.positives, Cells)
    assert (2.0 * view.positives - view.positives + 0.0).sum().array.tolist() == [3.0, 1.0]
    assert ((view.positives > 0) | (view.probability <= 0.25)).sum().array.tolist() == [2.0, 1.0]


def test_scores_that_are_no_probabilities() -> None:
    view = ScoredArrays(np.array([3.0, 0.5]), np.ones((2, 1)), np.ones((2, 1)))
    (single,) = (one for one in MEASURES if one.name == "BrierScore")
    with pytest.raises(BadData, match="E129"):
        array_values(view, single)
