"""Log loss by hand."""

from __future__ import annotations

from math import log

import pytest

import plumbline

CERTAIN = {"q": {"a": 1, "b": 0}}


@pytest.mark.parametrize(
    ("name", "scores", "expected"),
    [
        ("LogLoss", {"a": 1.0, "b": 0.0}, 0.0),
        ("LogLoss(clip=0.01)", {"a": 1.0, "b": 0.0}, -log(0.99)),
        ("LogLoss(clip=0.01)", {"a": 0.0, "b": 0.0}, -(log(0.01) + log(0.99)) / 2),
        ("LogLoss", {"a": 0.5, "b": 0.25}, -(log(0.5) + log(0.75)) / 2),
    ],
)
def test_log_loss_by_hand(name: str, scores: dict[str, float], expected: float) -> None:
    (value,) = plumbline.evaluate(CERTAIN, {"s": {"q": scores}}, name, task="filtering").per_case["value"]
    assert value == pytest.approx(expected, abs=1e-12)
