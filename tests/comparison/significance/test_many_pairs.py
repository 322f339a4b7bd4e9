"""Where there are so many pairs that draws are saved, p is what all draws would show."""

from __future__ import annotations

import numpy as np
import pytest

from plumbline.comparison.significance import randomization as module
from plumbline.comparison.significance.randomization import FIRST_DRAWS, LARGE, randomization

DRAWS = 5_000


@pytest.mark.parametrize(("decimals", "gaps"), [(1, False), (9, False), (1, True)])
def test_draws_are_saved_where_they_change_little(decimals: int, *, gaps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    scores = (generator.normal(size=(30, 1)) * 0.5 + generator.normal(size=(30, 40))).round(decimals)
    if gaps:
        scores[::3, :5] = np.nan
        scores[1, 20] = np.nan
    plain = randomization(scores, resamples=DRAWS, seed=1)
    monkeypatch.setattr(module, "MOST_DRAWN", 0)
    staged = randomization(scores, resamples=DRAWS, seed=1)
    above = ~np.eye(30, dtype=bool)
    small = above & (plain.p <= LARGE / 2)
    assert plain.bounded is not None
    assert staged.bounded is not None
    bounds = staged.bounded & ~plain.bounded  # a bound instead of a few draws
    assert np.array_equal(staged.p[small & ~bounds], plain.p[small & ~bounds])
    assert (staged.p[above & bounds] <= plain.p[above & bounds]).all()
    assert (staged.p[bounds] < 1 / (DRAWS + 1)).all()
    error = 5 * np.sqrt(plain.p * (1 - plain.p) / FIRST_DRAWS)
    assert (np.abs(staged.p - plain.p) <= error)[above & ~small].all()
    assert np.array_equal(staged.p, staged.p.T)
    assert "by the first 1000 of the random signs" in staged.note


def test_a_bound_is_never_below_the_exact_p(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(4).normal(size=(12, 16)) + np.linspace(0, 6, 12)[:, None]
    exact = randomization(scores, resamples=DRAWS, seed=0)
    assert exact.exact is not None
    assert exact.exact.all()
    monkeypatch.setattr(module, "EXACT_UP_TO", 0)
    monkeypatch.setattr(module, "MOST_DRAWN", 0)
    staged = randomization(scores, resamples=DRAWS, seed=0)
    not_drawn = staged.p < 1 / (DRAWS + 1)
    assert not_drawn.any()
    assert (staged.p[not_drawn] >= exact.p[not_drawn] * (1 - 1e-9)).all()
