"""Robustness by hand, against loops, and of metrics that are planted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import plumbline
from plumbline.studies.robustness import robustness
from tests.helpers.examples import some_of
from tests.helpers.score_worlds import Block, blocks, nested
from tests.helpers.study_oracles import robustness as slow


def test_by_hand() -> None:
    """Cases 1 and 2 agree, 3 says the opposite, 4 says nothing: (1 - 1 - 1) / 3."""
    actual = robustness(np.array([[0.1, 0.2, 0.9, 0.5], [0.2, 0.3, 0.8, 0.5], [0.7, 0.4, 0.1, 0.5]]))
    assert actual.value == pytest.approx(-1 / 3, abs=1e-12)
    assert (actual.pairs, actual.cases, actual.tied) == (3, 3, 1)


@given(blocks())
@settings(max_examples=some_of(30), deadline=None)
def test_it_is_that_of_loops(block: Block) -> None:
    actual = plumbline.meta(nested(block), splits=1, resamples=1)
    for row, table in zip(actual.robustness.iter_rows(named=True), block, strict=True):
        value, tied = slow(table)
        assert row["cases_tied"] == tied
        if value is None:
            assert row["robustness"] is None
            assert row["reason"]
        else:
            assert row["robustness"] == pytest.approx(value, abs=1e-12)
            assert row["reason"] is None


def test_drawn_pairs_come_near_all_and_keep_their_seed() -> None:
    values = np.random.default_rng(2).random((6, 20)) + np.arange(6)[:, None] / 6
    full, drawn = robustness(values), robustness(values, pairs=150, seed=1)
    assert drawn.pairs == 150
    assert drawn.value != full.value
    assert drawn.value == pytest.approx(full.value, abs=0.1)
    assert robustness(values, pairs=150, seed=1) == drawn
    assert robustness(values, pairs=150, seed=2) != drawn
    assert robustness(values, pairs=190) == full


def test_drawn_pairs_are_of_different_cases() -> None:
    """Two cases that contradict each other: a pair of a case with itself would show."""
    assert robustness(np.array([[1.0, 2.0, 1.5], [2.0, 1.0, 1.5]]), pairs=None).value == -1.0
    values = np.array([[1.0, 2.0, 2.0], [2.0, 1.0, 1.0]])
    actual = [robustness(values, pairs=1, seed=seed).value for seed in range(60)]
    contradicting = sum(value is not None and value < 0 for value in actual)
    assert 30 <= contradicting <= 50  # of the three pairs two contradict each other; with replacement five of nine would agree


def test_a_random_metric_is_not_robust() -> None:
    rng = np.random.default_rng(7)
    steady = np.arange(10)[:, None] * 10 + rng.integers(0, 12, (10, 40))
    noise = rng.integers(0, 1000, (10, 40))
    actual = plumbline.meta(nested([steady.tolist(), noise.tolist()], ["steady", "noise"]), splits=50)
    values = dict(actual.table.select("metric", "robustness").iter_rows())
    assert values["steady"] > 0.9
    assert abs(values["noise"]) < 0.1
    assert "steady is most robust" in repr(actual)


def test_cases_without_all_systems_are_left_out_and_counted() -> None:
    table = nested([[[1, 2, 3, 1], [2, 3, 4, 5], [3, 1, 9, 7]], [[1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]]])
    del table["m0"]["s1"]["c1"]
    actual = plumbline.meta(table)
    row = actual.robustness.row(0, named=True)
    assert (row["cases"], row["cases_lacking"], row["systems"]) == (3, 1, 3)
    assert row["robustness"] == pytest.approx(slow([[1, 3, 1], [2, 4, 5], [3, 9, 7]])[0])
    assert actual.outputs.left_out == 1
    assert {"N250", "N251"} <= {notice.code for notice in actual.notices}
    assert "m0 1 on which a system lacks a value" in next(str(one) for one in actual.notices if one.code == "N251")
