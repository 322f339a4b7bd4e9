"""F curves and their crossings against loops, dense grids, and exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import isnan, nan
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.comparison.cube import Cube
from plumbline.comparison.weighting import roots
from plumbline.comparison.weighting.blends import Mean
from plumbline.comparison.weighting.weighting import crossings, f_curves, leads, win_intervals
from plumbline.errors import BadUsage
from tests.helpers.exact_roots import crossings_and_touches
from tests.helpers.examples import some_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MEANS = get_args(Mean)
GRID = np.linspace(0, 1, 2003)[1:-1].tolist()


def cube_of(values: object, lower: Sequence[bool] | None = None) -> Cube:
    """A cube with names s0, s1 and c0, c1."""
    block = np.array(values, dtype=np.float64)
    metrics, systems, cases = (
        tuple(f"{letter}{number}" for number in range(count)) for letter, count in zip("msc", block.shape, strict=True)
    )
    return Cube(metrics, systems, cases, block, np.array(lower if lower is not None else [False] * len(metrics)))


def by_definition(first: float, second: float, alpha: float, mean: str) -> float:
    """One case, alpha strictly between 0 and 1, as definitions.md says it."""
    if mean == "arithmetic":
        return alpha * first + (1 - alpha) * second
    if first == 0 or second == 0:
        return 0.0
    if isnan(first) or isnan(second):
        return nan
    return 1 / (alpha / first + (1 - alpha) / second) if mean == "harmonic" else first**alpha * second ** (1 - alpha)


def slow_difference(cube: Cube, a: int, b: int, alpha: float, mean: str) -> float:
    """The mean of a minus b over the cases on which both are defined."""
    results = []
    for case in range(len(cube.cases)):
        x, y = (by_definition(cube.signed[0, s, case], cube.signed[1, s, case], alpha, mean) for s in (a, b))
        if not isnan(x) and not isnan(y):
            results.append(x - y)
    return sum(results) / len(results) if results else nan


def random_cube(seed: int, systems: int, cases: int, *, missing: float = 0.0, zeros: float = 0.0) -> Cube:
    rng = np.random.default_rng(seed)
    values = rng.uniform(0.02, 1, (2, systems, cases))
    values[rng.random(values.shape) < zeros] = 0
    values[rng.random(values.shape) < missing] = nan
    return cube_of(values)


def test_f_is_zero_or_undefined_as_the_definitions_say() -> None:
    cube = cube_of([[[0.5, 0.0, nan, nan, 0.4, nan]], [[0.25, 0.7, 0.0, 0.3, nan, nan]]])
    result = f_curves(cube, [0.5, 0.0, 1.0])
    assert result.values[0].tolist() == pytest.approx([(1 / 3 + 0 + 0) / 3, (0.25 + 0.7 + 0 + 0.3) / 4, 0.9 / 3])
    assert result.cases.tolist() == [[3, 4, 3]]
    assert result.left_out.tolist() == [[3, 2, 3]]
    assert result.table().columns == ["system", "alpha", "value", "cases", "left_out"]


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize(("missing", "zeros"), [(0.0, 0.0), (0.3, 0.2)])
def test_curves_are_means_over_cases(mean: Mean, missing: float, zeros: float) -> None:
    cube = random_cube(1, 4, 9, missing=missing, zeros=zeros)
    alphas = [0.01, 0.3, 0.5, 0.99]
    result = f_curves(cube, alphas, mean)
    for system in range(4):
        for column, alpha in enumerate(alphas):
            parts = [
                by_definition(cube.values[0, system, case], cube.values[1, system, case], alpha, mean) for case in range(9)
            ]
            known = [part for part in parts if not isnan(part)]
            assert result.values[system, column] == pytest.approx(sum(known) / len(known), rel=1e-13)
            assert result.cases[system, column] == len(known)


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize(("missing", "zeros"), [(0.0, 0.0), (0.0, 0.2), (0.25, 0.1)])
def test_intervals_agree_with_a_dense_grid(mean: Mean, missing: float, zeros: float) -> None:
    cube = random_cube(2, 6, 7, missing=missing, zeros=zeros)
    held = win_intervals(cube, mean)
    for a in range(6):
        for b in range(6):
            if a == b:
                continue
            rows = (held.a == a) & (held.b == b)
            stretches = list(zip(held.low[rows].tolist(), held.high[rows].tolist(), strict=True))
            for alpha in GRID[::23]:
                difference = slow_difference(cube, a, b, alpha, mean)
                assert any(low < alpha < high for low, high in stretches) == (difference > 0), (a, b, alpha, difference)
    assert not held.crossings.unsure.any()


@pytest.mark.parametrize("mean", MEANS)
def test_leaders_agree_with_a_dense_grid(mean: Mean) -> None:
    cube = random_cube(3, 8, 5)
    result = leads(cube, mean)
    curves = f_curves(cube, GRID, mean)
    best = np.bincount(curves.values.argmax(axis=0), minlength=8) / len(GRID)
    assert result.share.tolist() == pytest.approx(best.tolist(), abs=3e-3)
    assert result.share.sum() == pytest.approx(1)
    assert result.nobody == pytest.approx(0)
    table = result.table()
    assert table["low"].to_list() == pytest.approx([0, *table["high"].to_list()[:-1]])


def test_leaders_with_missing_cases_beat_all_others_on_the_cases_they_share() -> None:
    cube = random_cube(21, 5, 12, missing=0.1, zeros=0.05)
    result = leads(cube)
    assert result.left_out == ()
    for alpha in GRID[::101]:
        expected = [a for a in range(5) if all(slow_difference(cube, a, b, alpha, "harmonic") >= 0 for b in range(5))]
        assert result.system[(result.low < alpha) & (alpha < result.high)].tolist() == expected


STEPS = st.integers(1, 6).map(lambda number: Fraction(number, 6))
CASES = st.lists(st.tuples(STEPS, STEPS, STEPS, STEPS), min_size=1, max_size=4)


@pytest.mark.slow
@settings(max_examples=some_of(150))
@given(CASES)
def test_crossings_are_the_roots_in_exact_fractions(cases: list[tuple[Fraction, ...]]) -> None:
    check_exactly([case[:2] for case in cases], [case[2:] for case in cases])


@pytest.mark.parametrize("seed", range(3))
def test_crossings_of_small_parts_are_the_roots_in_exact_fractions(seed: int) -> None:
    """Small parts make curves steep at the ends, and curves that cross often."""
    rng = np.random.default_rng(seed)
    for _ in range(15):
        a, b = ([tuple(Fraction(1, 4 ** int(n)) for n in rng.integers(0, 7, 2)) for _ in range(4)] for _ in range(2))
        check_exactly(a, b)


@pytest.mark.parametrize("gap", [10**4, 10**8, 10**11])
def test_crossings_close_to_each_other_are_two(gap: int) -> None:
    a = [(Fraction(1, 2), Fraction(1, 4)), (Fraction(1, 4), Fraction(1, 2))]
    above = Fraction(1, 3) + Fraction(1, gap)
    assert check_exactly(a, [(above, above), (above, above)], within=1e-12 * gap) == 2


def test_a_crossing_with_equal_slopes_is_one() -> None:
    a = [(Fraction(2, 3), Fraction(1, 6)), (Fraction(2, 3), Fraction(1))]
    assert check_exactly(a, [part[::-1] for part in a]) == 1


def check_exactly(a: Sequence[tuple[Fraction, ...]], b: Sequence[tuple[Fraction, ...]], within: float = 1e-11) -> int:
    """Compare with exact fractions; the closer two crossings are, the more rounding moves them."""
    cube = cube_of([[[float(part[side]) for part in parts] for parts in (a, b)] for side in (0, 1)])
    result = crossings(cube)
    expected = crossings_and_touches([(x, y) for x, y in a], [(x, y) for x, y in b])
    assert bool(result.same[0, 1]) == (expected is None)
    if expected is None:
        assert not len(result.alpha)
        return 0
    assert result.of("s0", "s1") == pytest.approx(expected[0], abs=max(min(within, 1e-5), 1e-11))
    assert result.touch_alpha.tolist() == pytest.approx(expected[1], abs=1e-7)
    return len(expected[0])


@pytest.mark.parametrize(("mean", "first", "middle"), [("harmonic", 1 / 4, 1 / 3), ("geometric", 1 / 8, 1 / 4)])
def test_a_touch_is_no_crossing(mean: Mean, first: float, middle: float) -> None:
    cube = cube_of([[[1 / 2, first], [middle, middle]], [[first, 1 / 2], [middle, middle]]])
    result = crossings(cube, mean)
    assert not len(result.alpha)
    assert result.touch_alpha.tolist() == pytest.approx([0.5], abs=1e-9)
    assert result.table().rows() == [("s0", "s1", pytest.approx(0.5), "touch")]
    held = win_intervals(result)
    assert held.always.tolist() == [[False, True], [False, False]]
    assert held.share.tolist() == [[0, 1], [0, 0]]


def test_identical_curves_are_told_also_with_cases_in_another_order() -> None:
    first, second = [0.1, 0.7, 0.3], [0.9, 0.2, 0.6]
    cube = cube_of([[first, first[::-1], [0.05] * 3], [second, second[::-1], [0.05] * 3]])
    for mean in MEANS:
        result = crossings(cube, mean)
        assert result.same.tolist() == [[True, True, False], [True, True, False], [False, False, True]]
        assert not len(result.alpha)
        assert not win_intervals(result).always[0, 1]
        assert leads(result).share.tolist() == [1, 1, 0]
        assert leads(result).nobody == 0


@pytest.mark.parametrize("mean", MEANS)
def test_pairs_are_antisymmetric_and_exchange_of_metrics_turns_alpha(mean: Mean) -> None:
    cube = random_cube(5, 7, 6, missing=0.1, zeros=0.1)
    held, turned = win_intervals(cube, mean), win_intervals(cube.only(cube.metrics[::-1]), mean)
    off = ~np.eye(7, dtype=bool) & (held.crossings.cases > 0)
    assert (held.share + held.share.T)[off] == pytest.approx(1)
    assert turned.share == pytest.approx(held.share, nan_ok=True, abs=1e-12)
    assert (turned.always == held.always).all()
    for a in range(7):
        for b in range(a + 1, 7):
            names = f"s{a}", f"s{b}"
            there, back = held.crossings.of(*names), turned.crossings.of(*names)
            assert there == pytest.approx([1 - alpha for alpha in reversed(back)], abs=1e-10)


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e7])
def test_scale_does_not_matter(scale: float) -> None:
    cube = random_cube(6, 5, 6)
    larger = cube_of(cube.values * scale)
    for mean in MEANS:
        assert crossings(larger, mean).alpha == pytest.approx(crossings(cube, mean).alpha, abs=1e-10)


VALUES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])


@settings(max_examples=some_of(60))
@given(st.lists(st.tuples(VALUES, VALUES, VALUES, VALUES), min_size=1, max_size=5), st.sampled_from(MEANS))
def test_unanimous_on_every_case_is_better_for_every_alpha(cases: list[tuple[float, ...]], mean: Mean) -> None:
    parts = [(max(p, q), max(r, s), min(p, q), min(r, s)) for p, r, q, s in cases]
    cube = cube_of([[[case[side] for case in parts], [case[side + 2] for case in parts]] for side in (0, 1)])
    held = win_intervals(cube, mean)
    assert held.always[0, 1] or held.crossings.same[0, 1]
    assert held.crossings.ends[:, 0, 1].min() >= 0


def test_at_the_ends_a_part_of_weight_0_has_no_say() -> None:
    """For a, F is 0 inside since its first part is 0; by the second metric alone it is the better one."""
    held = win_intervals(cube_of([[[0.0], [0.1]], [[0.9], [0.2]]]))
    assert held.inside[1, 0]
    assert not held.always[1, 0]
    assert held.crossings.ends[:, 0, 1].tolist() == [1, -1]


def test_cases_are_left_out_by_pair_and_counted() -> None:
    cube = cube_of([[[0.5, nan, 0.2], [nan, 0.4, 0.3], [nan] * 3], [[0.5, 0.5, 0.2], [0.0, 0.4, 0.1], [nan, 0.3, nan]]])
    result = crossings(cube)
    assert result.cases.tolist() == [[2, 2, 0], [2, 3, 0], [0, 0, 0]]
    assert result.left_out.tolist() == [[1, 1, 3], [1, 0, 3], [3, 3, 3]]
    led = leads(result)
    assert led.left_out == ("s2",)
    assert isnan(led.share[2])
    assert isnan(win_intervals(result).share[0, 2])


def test_systems_without_a_common_case_do_not_lead() -> None:
    led = leads(cube_of([[[0.5, nan], [nan, 0.5]], [[0.5, nan], [nan, 0.5]]]))
    assert led.share.tolist() == [0, 0]
    assert led.nobody == 1


def test_one_system_one_case_and_no_case_are_fine() -> None:
    assert leads(cube_of([[[0.5]], [[0.2]]])).table().rows() == [("s0", 0.0, 1.0)]
    assert crossings(cube_of(np.empty((2, 2, 0)))).table().is_empty()
    assert leads(cube_of(np.empty((2, 2, 0)))).left_out == ("s0", "s1")
    assert f_curves(cube_of(np.empty((2, 1, 0))), [0.5]).table()["value"].to_list() == [None]
    assert win_intervals(cube_of(np.zeros((2, 3, 4)))).table().is_empty()


def test_curves_side_by_side_are_marked_when_the_budget_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "BUDGET", 8)
    values = random_cube(9, 1, 8).values
    result = crossings(cube_of(np.concatenate([values, values * (1 + 1e-9)], axis=1)))
    assert result.unsure.tolist() == [[False, True], [True, False]]
    assert win_intervals(result).inside[1, 0]


def test_the_arithmetic_mean_turns_what_is_better_when_lower() -> None:
    cube = cube_of([[[3.0], [1.0]], [[0.6], [0.5]]], lower=[True, False])
    assert crossings(cube, "arithmetic").alpha.tolist() == pytest.approx([0.1 / 2.1])
    assert f_curves(cube, [0.5], "arithmetic").values[:, 0].tolist() == pytest.approx([-1.2, -0.25])


def test_what_cannot_be_weighed_is_said() -> None:
    for mean in ("harmonic", "geometric"):
        with pytest.raises(BadUsage, match="m0 is better when lower") as caught:
            crossings(cube_of(np.ones((2, 1, 1)), lower=[True, False]), mean)
        assert caught.value.code == "E166"
        with pytest.raises(BadUsage, match=r"m1 is negative \(-0.5 for s0 on c0\)"):
            f_curves(cube_of([[[1.0]], [[-0.5]]]), [0.5], mean)
    with pytest.raises(BadUsage, match="needs two metrics, there are 3"):
        crossings(cube_of(np.ones((3, 1, 1))))
    with pytest.raises(BadUsage, match=r"alpha = 1\.5"):
        f_curves(cube_of(np.ones((2, 1, 1))), [0.5, 1.5])
    with pytest.raises(BadUsage, match="mean = 'median'"):
        crossings(cube_of(np.ones((2, 1, 1))), "median")  # type: ignore[arg-type]
