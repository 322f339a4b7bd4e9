"""Moments and shapes by matrix products are those of the differences themselves."""

from __future__ import annotations

import numpy as np
import pytest

from plumbline.comparison.significance import pairs as pairs_module
from plumbline.comparison.significance.pairs import Pairs
from plumbline.comparison.significance.shape import shape_of


def _scores(kind: str) -> np.ndarray:
    generator = np.random.default_rng(5)
    noise = generator.normal(size=(12, 40))
    match kind:
        case "skewed":
            return np.exp(noise)
        case "large":
            return noise * 1e200
        case "far from 0":
            return 1e6 + noise * 1e-3
        case "wide apart":
            return noise * np.logspace(-180, 0, 12)[:, None]
        case "successes":
            return (noise > 0).astype(float)
    copies = np.repeat(noise[:3], 4, axis=0)  # pairs that are equal, shifted, or nearly equal
    copies[1] += 0.25
    copies[2, 7] += 1e-9
    return copies


@pytest.mark.parametrize("kind", ["skewed", "large", "far from 0", "wide apart", "successes", "alike"])
def test_products_agree_with_sums_over_differences(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = Pairs(_scores(kind))
    plain = pairs.moments
    shape = shape_of(pairs, plain)
    monkeypatch.setattr(pairs_module, "MANY", 0)
    fast = pairs.moments
    assert np.array_equal(plain.zero, fast.zero)
    assert np.array_equal(plain.mean == 0, fast.mean == 0)
    assert np.array_equal(plain.deviation == 0, fast.deviation == 0)
    slack = 1e-13 * pairs.scale
    assert (np.abs(plain.mean - fast.mean) <= 1e-10 * np.abs(plain.mean) + slack).all()
    assert (np.abs(plain.deviation - fast.deviation) <= 1e-10 * plain.deviation + slack).all()
    again = shape_of(pairs, fast)
    assert np.allclose(shape.skewness, again.skewness, rtol=1e-9, atol=1e-9)
    assert np.array_equal(shape.even, again.even)
    for name in ("size", "wins", "losses"):
        assert np.array_equal(getattr(shape, name)[shape.even], getattr(again, name)[shape.even])
