"""Shares of weightings against loops over weightings and against the closed form for straight lines."""

from __future__ import annotations

from math import exp, isnan, log, nan
from typing import get_args

import numpy as np
import pytest

from plumbline.comparison.weighting.blends import Mean
from plumbline.comparison.weighting.simplex import weightings
from plumbline.comparison.weighting.weighting import leads, win_intervals
from plumbline.errors import BadUsage
from tests.comparison.weighting.test_weighting import cube_of, random_cube

MEANS = get_args(Mean)


def one_case(parts: list[float], weights: list[float], mean: str) -> float:
    """The weighted mean of any number of metrics on one case, by definition."""
    if mean == "arithmetic":
        return sum(weight * part for weight, part in zip(weights, parts, strict=True))
    if 0 in parts:
        return 0.0
    if any(isnan(part) for part in parts):
        return nan
    if mean == "harmonic":
        return 1 / sum(weight / part for weight, part in zip(weights, parts, strict=True))
    return exp(sum(weight * log(part) for weight, part in zip(weights, parts, strict=True)))


def by_loops(values: np.ndarray, weights: np.ndarray, mean: str) -> tuple[list[float], list[list[float]]]:
    """The share of weightings by which each system is best, and by which a beats b, over pairwise shared cases."""
    _, systems, cases = values.shape
    best, wins = [0] * systems, [[0.0] * systems for _ in range(systems)]
    for weighting in weights.tolist():
        scores = [[one_case(values[:, s, c].tolist(), weighting, mean) for c in range(cases)] for s in range(systems)]
        for a in range(systems):
            beaten = False
            for b in range(systems):
                gaps = [x - y for x, y in zip(scores[a], scores[b], strict=True) if not isnan(x - y)]
                wins[a][b] += sum(gaps) > 0 if gaps else nan
                beaten |= sum(gaps) < 0 or not gaps
            best[a] += not beaten
    return [count / len(weights) for count in best], [[count / len(weights) for count in row] for row in wins]


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("missing", [0.0, 0.03, 0.15])
def test_shares_of_drawn_weightings(mean: Mean, missing: float) -> None:
    rng = np.random.default_rng(11)
    values = rng.uniform(0.05, 1, (3, 5, 6))
    values[rng.random(values.shape) < missing] = nan
    values[0, 2, 1] = 0.0
    result = weightings(cube_of(values), mean, samples=60, seed=5)
    best, pairs = by_loops(values, np.random.default_rng(5).dirichlet(np.ones(3), 60), mean)
    assert result.best.tolist() == pytest.approx(best)
    assert result.pairs == pytest.approx(np.array(pairs), nan_ok=True)
    assert result.alone == pytest.approx(result.best)
    assert (result.samples, result.seed) == (60, 5)
    assert result.error == pytest.approx(np.sqrt(result.best * (1 - result.best) / 60))
    assert result.table().columns == ["system", "best", "alone", "error"]


def test_the_same_seed_gives_the_same_shares_and_another_one_others() -> None:
    values = np.random.default_rng(3).uniform(0.1, 1, (4, 6, 5))
    shares = [weightings(cube_of(values), samples=200, seed=seed).best.tolist() for seed in (1, 1, 2)]
    assert shares[0] == shares[1]
    assert shares[0] != shares[2]


def test_straight_lines_agree_with_the_closed_form() -> None:
    """A hyperplane cuts the simplex into parts of known size: the sum of d_i**(k-1) / prod(d_i - d_j) over positive d_i."""
    values = np.random.default_rng(4).uniform(-1, 1, (4, 4, 3))
    result = weightings(cube_of(values, lower=[False, True, False, False]), "arithmetic", samples=20_000)
    means = values.mean(axis=2) * np.array([1, -1, 1, 1])[:, None]
    for a in range(4):
        for b in range(4):
            if a == b:
                continue
            gaps = (means[:, a] - means[:, b]).tolist()
            terms = [gap**3 / np.prod([gap - other for other in gaps if other != gap]) for gap in gaps if gap > 0]
            assert abs(result.pairs[a, b] - sum(terms)) <= 5 * result.pair_error[a, b] + 1e-12


@pytest.mark.parametrize("mean", MEANS)
def test_two_metrics_are_exact(mean: Mean) -> None:
    cube = random_cube(12, 5, 6)
    result = weightings(cube, mean)
    assert (result.samples, result.seed) == (0, None)
    assert result.best.tolist() == leads(cube, mean).share.tolist()
    assert result.pairs == pytest.approx(win_intervals(cube, mean).share)
    assert result.error.tolist() == [0] * 5
    doubled = cube_of(np.concatenate([cube.values, cube.values[:1] * 0 + 1]))
    drawn = weightings(doubled, mean, samples=500)
    assert drawn.best.sum() == pytest.approx(1)


def test_one_metric_knows_one_weighting() -> None:
    result = weightings(cube_of([[[0.5, 0.4], [0.2, 0.3]]]))
    assert result.best.tolist() == [1, 0]
    assert result.samples == 0


@pytest.mark.parametrize("metrics", [2, 3])
def test_equal_systems_share_the_top_and_empty_ones_are_left_out(metrics: int) -> None:
    row = [0.2, 0.9, 0.4]
    result = weightings(cube_of([[row, row[::-1], [0.01] * 3, [nan] * 3]] * metrics), samples=50)
    assert result.best.tolist() == pytest.approx([1, 1, 0, nan], nan_ok=True)
    assert result.alone.tolist() == pytest.approx([0, 0, 0, nan], nan_ok=True)
    assert result.pairs[:3, :3].tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert np.isnan(result.pairs[3]).all()
    assert result.left_out.tolist() == [[0, 0, 0, 3]] * 3 + [[3] * 4]
    assert result.table()["best"].to_list()[3] is None


def test_what_cannot_be_weighed_is_said() -> None:
    with pytest.raises(BadUsage, match="m1 is better when lower") as caught:
        weightings(cube_of(np.ones((3, 1, 1)), lower=[False, True, False]))
    assert caught.value.code == "E166"
    with pytest.raises(BadUsage, match="samples = 0"):
        weightings(cube_of(np.ones((3, 1, 1))), samples=0)
