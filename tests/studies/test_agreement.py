"""Correlations of metrics against loops, and metrics in groups."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings

import plumbline
from plumbline.studies.agreement import grouped
from tests.helpers.examples import some_of
from tests.helpers.score_worlds import Block, blocks, flat, nested
from tests.helpers.study_oracles import kendall, pearson, spearman


@given(blocks())
@settings(max_examples=some_of(30), deadline=None)
def test_correlations_are_those_of_loops(block: Block) -> None:
    actual = plumbline.meta(nested(block), splits=1, resamples=1)
    outputs = flat(block)
    means = {name: [float(sum(row)) for row in rows] for name, rows in zip(outputs, block, strict=True)}
    values = {"outputs": outputs, "systems": means}
    for row in actual.correlations.iter_rows(named=True):
        x, y = (values[row["over"]][row[side]] for side in "ab")
        assert row["count"] == len(x)
        for name, slow in (("pearson", pearson), ("spearman", spearman), ("kendall", kendall)):
            expected = slow(x, y)
            assert row[name] == (None if expected is None else pytest.approx(expected, abs=1e-9)), name


def test_similar_metrics_stand_together() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 5, 30))
    kinds = {"a1": first, "b1": second, "a2": first, "b2": second, "a3": first}
    block = [(kind + rng.random(kind.shape) / 20).tolist() for kind in kinds.values()]
    order = plumbline.meta(nested(block, list(kinds)), splits=1).order
    letters = [name[0] for name in order]
    assert letters in (["a"] * 3 + ["b"] * 2, ["b"] * 2 + ["a"] * 3)


def test_the_order_of_leaves_is_the_best_of_its_tree() -> None:
    """Four metrics on a line: neighbours are most alike, so that every other order has longer steps."""
    places = np.array([0.0, 3.0, 1.0, 2.0])
    table = 1 - np.abs(places[:, None] - places) / 3
    steps = {order: sum(1 - table[a, b] for a, b in pairwise(order)) for order in permutations(range(4))}
    assert steps[tuple(grouped(table))] == pytest.approx(min(steps.values()))


def test_a_constant_metric_has_no_correlation() -> None:
    actual = plumbline.meta(nested([[[1, 2], [3, 4]], [[5, 5], [5, 5]], [[1, 2], [3, 5]]]))
    rows = {(row["a"], row["b"], row["over"]): row for row in actual.correlations.iter_rows(named=True)}
    assert [rows["m0", "m1", "outputs"][name] for name in ("pearson", "spearman", "kendall")] == [None] * 3
    assert rows["m0", "m2", "outputs"]["spearman"] == pytest.approx(1.0)
    assert sorted(actual.order) == ["m0", "m1", "m2"]
    assert "m0 and m2" in repr(actual)
