"""The threshold where misses and false alarms are equally frequent, by hand."""

from __future__ import annotations

import pytest

import plumbline


@pytest.mark.parametrize(
    ("positives", "negatives", "expected"),
    [
        ([0.9, 0.8], [0.2, 0.1], 0.0),
        ([0.1], [0.9], 1.0),
        ([0.5, 0.5], [0.5], 0.5),  # one step from nothing to everything: half way
        ([0.9, 0.4], [0.6, 0.1], 0.5),  # after 0.6, one of two positives is missed and one of two negatives accepted
        ([0.25, -1.0, -1.0], [9.0, 9.0, 0.0], 2 / 3),  # the rates are equal at 0.25, where 1 - 1/3 is not quite 2/3 in binary
    ],
)
def test_equal_error_rate(positives: list[float], negatives: list[float], expected: float) -> None:
    gold = [1] * len(positives) + [0] * len(negatives)
    scores = plumbline.evaluate(gold, [*positives, *negatives], "EER", task="filtering", threshold=0.5)
    assert scores.mean["value"].to_list() == [pytest.approx(expected)]
