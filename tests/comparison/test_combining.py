"""One number per system and case, against a loop over cases."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from plumbline import BadUsage, compare
from plumbline.comparison.combining import combined
from plumbline.comparison.weighting.weighting import f_curves
from tests.helpers.score_cubes import cube_of, drawn

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube

NAN = float("nan")


def higher(seed: int, metrics: int) -> Cube:
    return cube_of(drawn(seed, (metrics, 4, 12), missing=0.1).values)


def slow(parts: list[float], weights: list[float], mean: str) -> float:
    """A weighted mean of one case, as the definitions say it."""
    if mean != "arithmetic" and 0 in parts:
        return 0.0
    if any(np.isnan(parts)):
        return NAN
    if mean == "arithmetic":
        return sum(weight * part for weight, part in zip(weights, parts, strict=True))
    if mean == "geometric":
        return float(prod(part**weight for weight, part in zip(weights, parts, strict=True)))
    return 1 / sum(weight / part for weight, part in zip(weights, parts, strict=True))


@pytest.mark.parametrize("mean", ["harmonic", "geometric", "arithmetic"])
@pytest.mark.parametrize(("metrics", "alpha"), [(2, 0.5), (2, 0.2), (3, 0.5), (5, 0.5)])
def test_every_case_has_the_weighted_mean_of_its_parts(mean: str, metrics: int, alpha: float) -> None:
    cube = higher(metrics, metrics)
    weights = [alpha, 1 - alpha] if metrics == 2 else [1 / metrics] * metrics
    result = combined(cube, alpha, mean)
    expected = [[slow(cube.values[:, s, c].tolist(), weights, mean) for c in range(12)] for s in range(4)]
    assert np.allclose(result.values, expected, rtol=1e-12, atol=0, equal_nan=True)
    assert np.allclose(result.means, np.nanmean(expected, axis=1))


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
def test_two_metrics_have_the_means_of_their_curves_also_at_the_ends(alpha: float) -> None:
    cube = higher(3, 2)
    assert combined(cube, alpha).means.tolist() == pytest.approx(f_curves(cube, [alpha]).values[:, 0].tolist())


def test_at_the_ends_a_part_of_weight_0_has_no_say() -> None:
    cube = cube_of([[[0.0, NAN, 0.5]], [[0.4, 0.6, NAN]]])
    assert combined(cube, 0).values[0, :2].tolist() == [0.4, 0.6]
    assert combined(cube, 1).values[0].tolist()[::2] == [0.0, 0.5]
    assert combined(cube, 0.5).values[0, 0] == 0


@pytest.mark.parametrize(
    ("cube", "alpha", "name"),
    [
        (cube_of([[[0.1]], [[0.2]]]), 0.5, "F(m0,m1)"),
        (cube_of([[[0.1]], [[0.2]]]), 0.25, "F(m0,m1,alpha=0.25)"),
        (cube_of([[[0.1]], [[-0.2]]]), 0.5, "arithmetic mean(m0,m1)"),
        (cube_of([[[0.1]], [[0.2]]], [False, True]), 0.5, "arithmetic mean(m0,-m1)"),
        (cube_of([[[0.1]], [[0.2]], [[0.3]]]), 0.5, "harmonic mean of 3 metrics"),
        (cube_of([[[0.1]], [[-0.2]], [[0.3]]]), 0.5, "arithmetic mean of 3 metrics"),
        (cube_of([[[0.1]]]), 0.5, "m0"),
    ],
)
def test_the_name_tells_how_metrics_are_combined(cube: Cube, alpha: float, name: str) -> None:
    assert combined(cube, alpha).name == name


def test_values_are_turned_where_lower_is_better() -> None:
    assert combined(cube_of(np.array([[[0.1, 0.3]]]), [True])).values.tolist() == [[-0.1, -0.3]]
    assert combined(cube_of([[[0.5]], [[0.1]]], [False, True])).values[0, 0] == pytest.approx(0.2)


def test_without_any_case_there_is_no_mean_and_no_warning() -> None:
    assert np.isnan(combined(cube_of([[[NAN, NAN], [1.0, 2.0]]])).means).tolist() == [True, False]


@pytest.mark.parametrize("alpha", [-0.1, 1.1, NAN])
def test_alpha_is_a_share(alpha: float) -> None:
    with pytest.raises(BadUsage, match="alpha") as caught:
        combined(higher(1, 2), alpha)
    assert caught.value.code == "E306"


def test_a_mean_is_one_of_three() -> None:
    with pytest.raises(BadUsage, match=r"harmonic\|geometric\|arithmetic"):
        combined(higher(1, 2), mean="median")


@pytest.mark.parametrize("cube", [cube_of([[[0.1]], [[-0.2]]]), cube_of([[[0.1]], [[0.2]]], [False, True])])
def test_what_f_cannot_take_is_refused_if_f_was_asked_for(cube: Cube) -> None:
    with pytest.raises(BadUsage) as caught:
        combined(cube, mean="harmonic")
    assert caught.value.code == "E166"


def test_compare_says_that_it_cannot_take_f() -> None:
    table = {"system": ["a", "a", "b", "b"], "case": ["1", "2"] * 2, "P": [0.5, 0.4, 0.3, 0.2], "MCC": [-0.1, 0.2, 0.3, 0.4]}
    weighed, plain = compare(pl.DataFrame(table), alpha=0.5), compare(pl.DataFrame(table))
    assert ["N281" in {notice.code for notice in one.notices} for one in (weighed, plain)] == [True, False]
