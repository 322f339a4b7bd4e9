"""Intervals of mean differences: by formulas pair by pair, by properties, and by how often they hold the truth."""

from __future__ import annotations

from itertools import permutations
from math import copysign, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.effects import t_intervals
from plumbline.comparison.significance.equivalence import equivalence
from plumbline.comparison.significance.intervals import mean_intervals
from plumbline.comparison.significance.proportions import lower_end
from plumbline.comparison.unanimity.interval import interval
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.errors import BadUsage
from tests.helpers.made_scores import scores
from tests.helpers.score_cubes import cube_of

if TYPE_CHECKING:
    from collections.abc import Callable


def by_formula(differences: list[float], level: float) -> tuple[float, float]:
    """The further end of t and of Hall's (1992) interval, but no further than 2.5 times that of t."""
    n = len(differences)
    mean = sum(differences) / n
    second, third = (sum((one - mean) ** power for one in differences) / n for power in (2, 3))
    deviation, skewness = sqrt(second * n / (n - 1)), third / second**1.5
    t = stats.t.ppf((1 + level) / 2, n - 1) / sqrt(n)
    skewness *= 2 if n < 5 else min(2, ((n - 1) / (n - 3)) ** 2)

    def inverted(y: float) -> float:
        inner: float = 1 + skewness * (y - skewness / (6 * n))
        return float(3 / skewness * (copysign(abs(inner) ** (1 / 3), inner) - 1))

    below, above = (min(max(t, end), 2.5 * t) for end in (inverted(t), -inverted(-t)))
    return mean - deviation * below, mean + deviation * above


@pytest.mark.parametrize(("cases", "missing"), [(3, 0.0), (12, 0.2), (60, 0.1)])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_ends_by_formula(cases: int, missing: float, level: float) -> None:
    values = scores(4, cases, missing=missing, seed=4) ** 3
    result = mean_intervals(values, level)
    for a, b in permutations(range(4), 2):
        d = [x - y for x, y in zip(values[a], values[b], strict=True) if not np.isnan(x - y)]
        assert (result.low[a, b], result.high[a, b]) == pytest.approx(by_formula(d, level), abs=1e-9)
        assert result.cases[a, b] == len(d)


def test_no_end_is_nearer_than_that_of_t() -> None:
    values = scores(5, 30, digits=1)
    wide, plain = mean_intervals(values), t_intervals(values)
    assert (wide.low <= plain.low + 1e-12).all()
    assert (wide.high >= plain.high - 1e-12).all()
    assert np.array_equal(wide.low, -wide.high.T)


def test_the_longer_tail_has_the_further_end() -> None:
    skewed = np.random.default_rng(1).exponential(size=40)
    result = mean_intervals(np.stack((skewed, np.zeros(40))))
    assert result.high[0, 1] - skewed.mean() > 1.1 * (skewed.mean() - result.low[0, 1])


def test_one_outlier_of_ten_does_not_make_an_end_absurd() -> None:
    """Two filters on ten streams of mail: Hall alone says -0.15, the studentized bootstrap -0.036."""
    d = np.array([-0.109, 0.02, 0.069, 0.1, 0.104, 0.108, 0.127, 0.14, 0.144, 0.163])
    values = np.stack((d, np.zeros(10)))
    result, plain = mean_intervals(values), t_intervals(values)
    half = d.mean() - plain.low[0, 1]
    assert d.mean() - result.low[0, 1] == pytest.approx(2.5 * half)
    assert result.high[0, 1] == pytest.approx(plain.high[0, 1])
    moved = values + np.array([[-0.15], [0.0]])  # so that the lower end is the one that may leave the margin
    margin = 0.15 - d.mean() + 2.4 * half, 0.15 - d.mean() + 2.6 * half
    inside = [equivalence(moved, float(one)).p[0, 1] < 0.025 for one in margin]
    assert inside == [False, True], "the test of a margin agrees with the end"


def test_differences_of_one_size_are_wins_and_losses() -> None:
    values = np.random.default_rng(3).integers(0, 2, (5, 20)) * 0.3
    values[0, :4] = nan
    result = mean_intervals(values)
    low, high = interval(unanimity(cube_of(values[None])))
    for a, b in permutations(range(5), 2):
        ends = 0.3 * low[a, b], 0.3 * high[a, b]
        assert result.low[a, b] <= ends[1]
        if low[a, b] not in {0.0, nan} and high[a, b] != 0.0:  # there the sign test decides about UIR
            assert (result.low[a, b], result.high[a, b]) == pytest.approx(ends)
    assert "of one size" in result.note


def test_degenerate_tables_have_an_answer() -> None:
    assert (mean_intervals(np.tile(scores(1, 6), (2, 1))).low == 0).all()
    assert "10 cases" in mean_intervals(scores(2, 9)).note
    assert not mean_intervals(scores(2, 10)).note
    same = mean_intervals([[0.3, 0.4, 0.5], [0.2, 0.3, 0.4]])
    assert same.low[0, 1] < 0 < same.high[0, 1] == pytest.approx(0.1), "three wins of three show little"
    for values in (np.full((2, 3), nan), np.zeros((2, 0)), np.zeros((1, 2)), np.array([[0.1], [0.2]]), np.zeros((0, 0))):
        result = mean_intervals(values)
        assert (np.diag(result.low) == 0).all()
        assert np.isnan(result.low[~np.eye(len(values), dtype=bool)]).all()
        assert len(values) < 2 or "no interval" in result.note
    with pytest.raises(BadUsage):
        mean_intervals(scores(2, 4), 95)


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    values = scores(9, 25, digits=1, missing=0.05)
    at_once = mean_intervals(values)
    monkeypatch.setattr("plumbline.comparison.significance.pairs.BLOCK", 64)
    for end in ("low", "high"):
        assert np.allclose(getattr(mean_intervals(values), end), getattr(at_once, end), equal_nan=True, rtol=1e-12)


DRAWN: dict[str, tuple[Callable[[np.random.Generator, tuple[int, int]], np.ndarray], float]] = {
    "skewed": (lambda generator, shape: generator.exponential(size=shape), 1.0),
    "mostly tied": (
        lambda generator, shape: np.where(generator.random(shape) < 0.5, 0.0, generator.exponential(size=shape)),
        0.5,
    ),
    "bounded": (lambda generator, shape: generator.choice([-1.0, 0.0, 1.0], p=[0.02, 0.78, 0.2], size=shape), 0.18),
    "all but one side": (lambda generator, shape: generator.choice([-1.0, 1.0], p=[0.05, 0.95], size=shape), 0.9),
    "heavy tails": (lambda generator, shape: generator.standard_t(3, size=shape), 0.0),
}


@pytest.mark.parametrize("kind", DRAWN)
def test_intervals_hold_the_truth_as_often_as_they_say(kind: str) -> None:
    """Of 1,500 pairs, 0.93 to 0.97 and four standard errors; shares of wins may cover more."""
    draw, truth = DRAWN[kind]
    generator = np.random.default_rng(9)
    held = []
    for _ in range(15):
        differences = draw(generator, (100, 20))
        result = mean_intervals(np.concatenate((differences, np.zeros((1, 20)))))
        held.append(((result.low[:-1, -1] <= truth) & (truth <= result.high[:-1, -1])).mean())
    assert 0.91 <= np.mean(held) <= 0.99


def test_two_cases_have_the_interval_of_t() -> None:
    values = scores(6, 2, seed=11)
    result, plain = mean_intervals(values), t_intervals(values)
    assert result.low == pytest.approx(plain.low)
    assert result.high == pytest.approx(plain.high)


@pytest.mark.parametrize(("cases", "least"), [(3, 0.92), (4, 0.92), (5, 0.935), (6, 0.935)])
def test_few_skewed_differences_are_covered_better_than_by_t(cases: int, least: float) -> None:
    """Of 4,000 pairs; t covers 88 to 89 %. Normal ones are not covered more often than 97 %."""
    generator = np.random.default_rng(21)
    for draw, truth, lowest in ((generator.exponential, 1.0, least), (generator.normal, 0.0, 0.955)):
        held = []
        for _ in range(40):
            result = mean_intervals(np.concatenate((draw(size=(100, cases)), np.zeros((1, cases)))))
            held.append(((result.low[:-1, -1] <= truth) & (truth <= result.high[:-1, -1])).mean())
        assert lowest < np.mean(held) < 0.977


@pytest.mark.parametrize("cases", [3, 8, 30])
def test_a_single_difference_has_the_further_ends_of_shares_and_of_numbers(cases: int) -> None:
    d = np.append(np.zeros(cases - 1), 0.4)
    result = mean_intervals(np.stack((d, np.zeros(cases))))
    one, none = np.array([1]), np.array([0])
    count = np.array([cases])
    shares = 0.4 * lower_end(one, none, count, 0.95)[0], -0.4 * lower_end(none, one, count, 0.95)[0]
    numbers = by_formula(d.tolist(), 0.95)
    assert result.low[0, 1] == pytest.approx(min(shares[0], numbers[0]))
    assert result.high[0, 1] == pytest.approx(max(shares[1], numbers[1]))
