"""Ends of intervals that are remembered are those that are computed."""

from __future__ import annotations

import numpy as np
import pytest

from plumbline.comparison.significance import proportions


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_remembered_ends_are_the_computed_ones_and_nobody_can_change_them(
    level: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(3)
    cases = draw.integers(0, 30, (6, 7))
    wins = draw.integers(0, cases + 1)
    losses = draw.integers(0, cases - wins + 1)
    first = proportions.lower_end(wins, losses, cases, level)
    expected = first.copy()
    first[:] = 7
    assert np.array_equal(proportions.lower_end(wins, losses, cases, level), expected)
    assert not np.array_equal(proportions.lower_end(wins, losses, cases, level / 2), expected)
    monkeypatch.setattr(proportions, "_FEW", 0)
    monkeypatch.setattr(proportions, "_BLOCK", 5)
    assert np.array_equal(proportions.lower_end(wins, losses, cases, level), expected)
