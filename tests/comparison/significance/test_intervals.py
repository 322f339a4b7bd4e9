"""Intervals of mean differences: by formulas pair by pair, by properties, and by how often they hold the truth."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import copysign, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.effects import sizes, t_intervals
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

    from numpy.typing import NDArray


def limits(n: int, different: int) -> tuple[float, float, float]:
    """By what t is multiplied, and between which multiples of it an end lies."""
    few = (6 / n) ** 2
    return 1 + 0.5 * few, 1 - 0.2 * few, 1.8 + 2.2 * few if different > 4 else 5.5


def by_formula(differences: list[float], level: float) -> tuple[float, float]:
    """Hall's (1992) interval with more skewness, a little wider, and between two multiples of t; a single one goes furthest."""
    n = len(differences)
    different = [one for one in differences if one != 0]
    mean = sum(differences) / n
    second, third = (sum((one - mean) ** power for one in differences) / n for power in (2, 3))
    deviation, skewness = sqrt(second * n / (n - 1)), third / second**1.5
    t = stats.t.ppf((1 + level) / 2, n - 1) / sqrt(n)
    skewness *= (1.7 if n < 15 else 1 + 10 / n) + 1.5 * (6 / n) ** 4
    wider, nearest, furthest = limits(n, len(different))

    def inverted(y: float) -> float:
        inner: float = 1 + skewness * (y - skewness / (6 * n))
        if skewness * y < 0 >= inner:
            return copysign(1e9, y)
        return float(3 / skewness * (copysign(abs(inner) ** (1 / 3), inner) - 1))

    ends = inverted(wider * t), -inverted(-wider * t)
    if len(different) == 1:
        ends = (0.0, 1e9) if different[0] > 0 else (1e9, 0.0)
    below, above = (min(max(nearest * t, end), furthest * t) for end in ends)
    return mean - deviation * below, mean + deviation * above


@pytest.mark.parametrize(("cases", "missing"), [(6, 0.0), (12, 0.2), (60, 0.1)])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_ends_by_formula(cases: int, missing: float, level: float) -> None:
    values = scores(4, cases, missing=missing, seed=4) ** 3
    result = mean_intervals(values, level)
    for a, b in permutations(range(4), 2):
        d = [x - y for x, y in zip(values[a], values[b], strict=True) if not np.isnan(x - y)]
        assert (result.low[a, b], result.high[a, b]) == pytest.approx(by_formula(d, level), abs=1e-9)
        assert result.cases[a, b] == len(d)


@pytest.mark.parametrize("cases", [6, 8, 15, 30, 200])
def test_no_end_is_much_nearer_or_further_than_that_of_t(cases: int) -> None:
    """The fewer cases, the more an end may differ from that of t; of differences without skewness it never lies nearer."""
    values = scores(5, cases) ** 3
    wide, plain = mean_intervals(values), t_intervals(values)
    _, nearest, furthest = limits(cases, cases)
    for ends, others in ((wide.low, plain.low), (wide.high, plain.high)):
        ratio = (ends - sizes(values).mean_difference) / np.where(np.eye(5), np.nan, others - sizes(values).mean_difference)
        assert np.nanmin(ratio) >= nearest - 1e-9
        assert np.nanmax(ratio) <= furthest + 1e-9
    half = np.random.default_rng(cases).normal(size=cases // 2)
    straight = np.stack((np.concatenate((half, -half)), np.zeros(cases // 2 * 2)))
    assert mean_intervals(straight).low[0, 1] <= t_intervals(straight).low[0, 1]
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
    _, nearest, furthest = limits(10, 10)
    assert d.mean() - result.low[0, 1] == pytest.approx(furthest * half)
    assert result.high[0, 1] - d.mean() == pytest.approx(nearest * half)
    moved = values + np.array([[-0.15], [0.0]])  # so that the lower end is the one that may leave the margin
    margin = 0.15 - d.mean() + (furthest - 0.1) * half, 0.15 - d.mean() + (furthest + 0.1) * half
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


def test_where_nothing_is_known_there_is_no_interval() -> None:
    """Fewer than six cases, or cases none of which differs: [0, 0] would be a promise that nothing keeps."""
    same = mean_intervals(np.tile(scores(1, 60), (2, 1)))
    assert np.isnan([same.low[0, 1], same.high[1, 0]]).all()
    assert same.note == "no case differs, no interval"
    few = mean_intervals(scores(2, 5))
    assert np.isnan([few.low[0, 1], few.high[1, 0]]).all()
    assert few.note == "fewer than 6 cases on which both have a score, no interval"
    assert not mean_intervals(scores(2, 6)).note


def test_cases_that_all_differ_by_the_same_amount_are_as_many_wins() -> None:
    """Twenty wins of 0.1: the interval ends there, and begins where the share of wins might."""
    base = scores(1, 20, digits=2)[0]
    result = mean_intervals(np.stack((base + 0.1, base, base + scores(1, 20, seed=1)[0])))
    (least,) = lower_end(np.array([20]), np.array([0]), np.array([20]), 0.95)
    assert (result.low[0, 1], result.high[0, 1]) == pytest.approx((0.1 * least, 0.1))
    assert 0 < result.low[0, 1] < result.high[0, 1]
    assert "1 of 3 pairs: all differences are of one size" in result.note


def test_where_nearly_all_cases_are_tied_the_others_tell_little() -> None:
    """Sixteen ties and four wins: the upper end goes further than where the sixteen are small wins, which do tell something."""
    few = np.append(np.zeros(16), [0.3, 0.1, 0.7, 0.4])
    tied, won = (mean_intervals(np.stack((few + shift, np.zeros(20)))) for shift in (0.0, 0.02))
    half = few.mean() - t_intervals(np.stack((few, np.zeros(20)))).low[0, 1]
    assert tied.high[0, 1] - few.mean() > 2.1 * half
    assert won.high[0, 1] - few.mean() - 0.02 < 2.1 * half


def test_wins_of_about_one_amount_are_shown_although_a_case_is_lost() -> None:
    """Of twenty cases one is lost, and all others are won: scores of few values differ like this."""
    steps = np.append(np.full(18, 0.1), [-0.1, 0.2])
    result = mean_intervals(np.stack((steps, np.zeros(20))))
    assert result.low[0, 1] > 0


def test_more_skewness_never_makes_the_longer_end_nearer() -> None:
    """Hall's alone turns round: of 10 cases with one outlier it is nearer than with a smaller one."""
    body = np.array([0.02, 0.069, 0.1, 0.104, 0.108, 0.127, 0.14, 0.144, 0.163])
    ratios = []
    for outlier in (0.0, -0.05, -0.1, -0.3, -1.0, -5.0):
        values = np.stack((np.append(body, outlier), np.zeros(10)))
        middle = values[0].mean()
        ratios.append((middle - mean_intervals(values).low[0, 1]) / (middle - t_intervals(values).low[0, 1]))
    assert all(one <= other + 1e-9 for one, other in pairwise(ratios))
    assert ratios[-1] == pytest.approx(limits(10, 10)[2])


def test_degenerate_tables_have_an_answer() -> None:
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


@pytest.mark.parametrize("cases", [6, 7, 8, 9, 12])
def test_intervals_of_few_cases_hold_the_truth_as_often_as_they_say(cases: int) -> None:
    """Of 4,000 pairs, where there is an interval; t covers 82 to 90 % of the skewed ones."""
    generator = np.random.default_rng(21)
    skewed: dict[str, tuple[Callable[[tuple[int, int]], NDArray[np.float64]], float]] = {
        "exponential": (lambda shape: generator.exponential(size=shape), 1.0),
        "lognormal": (lambda shape: generator.lognormal(size=shape), np.exp(0.5)),
        "mostly tied": (lambda shape: generator.exponential(size=shape) * (generator.random(shape) < 0.5), 0.5),
        "normal": (lambda shape: generator.normal(size=shape), 0.0),
        "heavy tails": (lambda shape: generator.standard_t(3, size=shape), 0.0),
    }
    for kind, (draw, truth) in skewed.items():
        held, known = 0, 0
        for _ in range(40):
            result = mean_intervals(np.concatenate((draw((100, cases)), np.zeros((1, cases)))))
            low, high = result.low[:-1, -1], result.high[:-1, -1]
            held, known = held + int(((low <= truth) & (truth <= high)).sum()), known + int((~np.isnan(low)).sum())
        assert 0.935 < held / known < 0.99, kind
        assert known > 0.97 * 4000


@pytest.mark.parametrize("cases", [6, 8, 30])
def test_a_single_difference_has_the_further_ends_of_shares_and_of_numbers(cases: int) -> None:
    d = np.append(np.zeros(cases - 1), 0.4)
    result = mean_intervals(np.stack((d, np.zeros(cases))))
    one, none = np.array([1]), np.array([0])
    count = np.array([cases])
    shares = 0.4 * lower_end(one, none, count, 0.95)[0], -0.4 * lower_end(none, one, count, 0.95)[0]
    numbers = by_formula(d.tolist(), 0.95)
    assert result.low[0, 1] == pytest.approx(min(shares[0], numbers[0]))
    assert result.high[0, 1] == pytest.approx(max(shares[1], numbers[1]))


def test_many_pairs_by_products_have_the_intervals_of_single_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also pairs in which few cases differ, one does, or none."""
    values = np.round(scores(8, 40, seed=3), 1)
    values[1] = values[0]
    values[1, 3] += 0.2
    values[2] = values[0]
    values[2, 20:23] += [0.1, 0.3, -0.2]
    values[3] = values[0]
    values[4] = values[0] + 0.25
    values[5] = values[0] - 0.5
    values[5, 30:33] += [0.1, 0.3, -0.2]
    monkeypatch.setattr("plumbline.comparison.significance.pairs.MANY", 1)
    together = mean_intervals(values)
    monkeypatch.undo()
    for a, b in permutations(range(8), 2):
        alone = mean_intervals(values[[a, b]])
        assert (together.low[a, b], together.high[a, b]) == pytest.approx((alone.low[0, 1], alone.high[0, 1]), nan_ok=True)
    for few in (2, 5):
        expected = by_formula(np.round(values[few] - values[0], 6).tolist(), 0.95)
        assert (together.low[few, 0], together.high[few, 0]) == pytest.approx(expected)
