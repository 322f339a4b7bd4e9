"""Two metrics that belong together, the systems than which none is better at both, and room for their names."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.figures.kinds.tradeoff import NAME_HEIGHT, NAME_WIDTH, best_at_both, spread
from plumbline.figures.needs import pair_of
from tests.helpers.figure_subjects import named, table

FIVE = table(named(5))
VALUES: dict[tuple[str, str], list[float]] = {(system, metric): [] for system, metric in product(named(5), "PR")}


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=9))
def test_best_at_both(points: list[tuple[int, int]]) -> None:
    x, y = (np.array([point[side] for point in points], dtype=float) for side in (0, 1))
    wanted = {
        at for at, (a, b) in enumerate(points) if not any(c >= a and d >= b and (c, d) != (a, b) for c, d in points)
    }  # fmt: skip
    assert set(best_at_both(-x, -y)) == wanted


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (("AP", "RR"), ("AP", "RR")),
        (("Accuracy", "F(P,R)", "R", "P"), ("P", "R")),
        (("F(R,P,alpha=0.2)", "P", "R"), ("R", "P")),
        (("Lam", "Rel", "Sens"), ("Rel", "Sens")),
        (("AP", "RR", "P@10"), None),
        (("AP",), None),
    ],
)
def test_two_metrics_that_belong_together(metrics: tuple[str, ...], expected: tuple[str, str] | None) -> None:
    assert pair_of(metrics) == expected


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 20)), max_size=12))
def test_names_of_points_do_not_cover_each_other(points: list[tuple[int, int]]) -> None:
    places = [(x / 10, y / 20) for x, y in points]
    heights = spread(places)
    for (one, (x, y)), (other, (x2, _)) in combinations(zip(heights, places, strict=True), 2):
        assert abs(x - x2) >= NAME_WIDTH or abs(one - other) >= NAME_HEIGHT - 1e-9
        assert one <= y
