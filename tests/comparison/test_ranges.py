"""Intervals end where the differences of a metric do, if its range is known."""

from __future__ import annotations

import numpy as np
import pytest

import plumbline
from plumbline.comparison.ranges import largest_difference
from plumbline.comparison.significance.intervals import mean_intervals


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("AP", [0.1, 1.0], 1.0),
        ("AP", [-0.1, -1.0], 1.0),
        ("AP", [35.0, 41.0], np.inf),
        ("AP", [-0.5, 0.5], np.inf),
        ("AP", [np.nan], np.inf),
        ("nDCG@10", [0.0, 0.5], 1.0),
        ("F(P,R)", [0.0, 0.5], 1.0),
        ("Phi", [-0.5, 0.5], 2.0),
        ("LogLoss", [0.1, 0.5], np.inf),
        ("clicks", [0.1, 0.5], np.inf),
    ],
)
def test_the_largest_difference(name: str, values: list[float], expected: float) -> None:
    assert largest_difference(name, np.array(values)) == expected


def test_intervals_of_a_comparison_end_there() -> None:
    rows = [(0.95, 0.0), (0.05, 1.0), (1.0, 0.02), (0.9, 0.1), (1.0, 0.0), (0.97, 0.01)]
    values = np.array(rows).T
    assert mean_intervals(values).high[0, 1] > 1.0
    for name, end in (("AP", 1.0), ("clicks", np.inf)):
        table = {name: {system: {f"q{at}": row[number] for at, row in enumerate(rows)} for number, system in enumerate("ab")}}
        spread = plumbline.compare(table).measures[0].spread
        assert spread.high.max() == pytest.approx(min(end, mean_intervals(values).high.max()))
        assert spread.low.min() == -spread.high.max()
