"""Comparisons of more systems than are weighed pair by pair say the same as those that are."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline.comparison import weighed
from plumbline.comparison.cube import Cube
from plumbline.comparison.weighting.contenders import contenders, leads_of_contenders
from plumbline.comparison.weighting.simplex import best_shares, means_by_weighting, weightings
from plumbline.comparison.weighting.weighting import leads


def _cube(metrics: int, seed: int = 0, systems: int = 40) -> Cube:
    generator = np.random.default_rng(seed)
    values = generator.beta(2, 2, (metrics, systems, 12)).round(2)
    values[:, -1] = values[:, 0]  # the same output twice
    names = tuple(f"s{at}" for at in range(systems))
    return Cube(
        tuple(f"m{at}" for at in range(metrics)), names, tuple(map(str, range(12))), values, np.zeros(metrics, dtype=np.bool_)
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("mean", ["harmonic", "geometric", "arithmetic"])
def test_leads_of_contenders_are_those_of_all(mean: str, seed: int) -> None:
    cube = _cube(2, seed)
    every, few = leads(cube, mean), leads_of_contenders(cube, mean)  # type: ignore[arg-type]
    assert every.table().equals(few.table())
    assert np.array_equal(every.share, few.share)
    assert every.nobody == pytest.approx(few.nobody)
    assert len(contenders(cube, mean)) < len(cube.systems) / 2  # type: ignore[arg-type]


@pytest.mark.parametrize("mean", ["harmonic", "geometric", "arithmetic"])
def test_shares_of_weightings_without_pairs(mean: str) -> None:
    cube = _cube(3)
    every, few = weightings(cube, mean), best_shares(cube, means_by_weighting(cube, mean), mean)  # type: ignore[arg-type]
    assert np.allclose(every.best, few.best)
    assert np.allclose(every.alone, few.alone)


@pytest.mark.parametrize("metrics", [1, 2, 3])
def test_the_text_is_the_same(metrics: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cube = _cube(metrics)
    columns = {name: values.ravel() for name, values in zip(cube.metrics, cube.values, strict=True)}
    frame = pl.DataFrame({"system": np.repeat(cube.systems, 12), "case": np.tile(cube.cases, 40), **columns})
    together = str(plumbline.compare(frame, test="t"))
    monkeypatch.setattr(weighed, "MOST_TOGETHER", 3)
    assert str(plumbline.compare(frame, test="t")) == together
