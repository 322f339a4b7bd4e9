"""The mutual information that chance gives, against whole numbers."""

from __future__ import annotations

from collections import Counter
from math import comb, fsum, log

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline import evaluate
from plumbline.align.cluster_counts import Sizes
from plumbline.metrics.clustering.adjusted_information import expected_information
from plumbline.views.contingency import SizeRows
from tests.helpers.examples import some_of


def expected(clusters: list[int], classes: list[int]) -> float:
    """Over all pairs of clusters and classes and all that they can share; chances are ratios of whole numbers."""
    total = sum(clusters)
    return fsum(
        times_a * times_b * n / total * log(n * total / (a * b)) * (comb(a, n) * comb(total - a, b - n) / comb(total, b))
        for a, times_a in Counter(clusters).items()
        for b, times_b in Counter(classes).items()
        for n in range(max(1, a + b - total), min(a, b) + 1)
    )


def computed(clusters: list[int], classes: list[int]) -> float:
    return float(expected_information(sizes_of_one_list(clusters), sizes_of_one_list(classes))[0])


def sizes_of_one_list(sizes: list[int]) -> SizeRows:
    size = np.array(sizes, dtype=np.float64)
    return SizeRows(Sizes(np.zeros(len(size), dtype=np.int64), np.arange(len(size)), size, size), 1)


@st.composite
def both_sizes(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Two ways to cut up the same items, in sizes that may be very different."""
    clusters, classes = (
        draw(st.lists(st.one_of(st.integers(1, 4), st.integers(1, 400)), min_size=1, max_size=6)) for _ in range(2)
    )
    more = sum(clusters) - sum(classes)
    return (clusters, [*classes, more]) if more > 0 else ([*clusters, -more], classes) if more < 0 else (clusters, classes)


@settings(max_examples=some_of(60), deadline=None)
@given(both_sizes())
def test_it_is_the_sum_over_all_overlaps(sizes: tuple[list[int], list[int]]) -> None:
    assert computed(*sizes) == pytest.approx(expected(*sizes), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(
    ("clusters", "classes"),
    [
        ([100] * 100, [100] * 100),
        ([1_500, 1_500], [1_000, 2_000]),
        ([2_999, 1], [2_999, 1]),
        ([1, 10, 100, 2_889], [2, 20, 200, 2_778]),
    ],
)
def test_many_items_do_not_make_it_less_exact(clusters: list[int], classes: list[int]) -> None:
    assert computed(clusters, classes) == pytest.approx(expected(clusters, classes), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("items", [10, 1_000, 1_000_000])
def test_singletons_tell_all_that_there_is(items: int) -> None:
    assert computed([1] * items, [1] * items) == pytest.approx(log(items), rel=1e-14)


def test_a_case_without_classes_tells_nothing() -> None:
    items = pl.DataFrame({"case": ["a", "a", "b", "b"], "item": ["1", "2", "3", "4"]})
    gold = items.with_columns(cluster=pl.Series([None, None, "x", "y"]))
    system = items.with_columns(cluster=pl.Series(["p", "q", "x", "y"]))
    for name in ("AMI", "ARI"):
        assert evaluate(gold, {"s": system}, name, task="clustering").per_case["value"].to_list() == [None, 1.0], name
