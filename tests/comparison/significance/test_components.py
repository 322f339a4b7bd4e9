"""Variance components of runs and cases, against loops and known truth."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from plumbline.comparison.significance.components import components
from plumbline.errors import BadUsage


def drawn(case: float, run: float, rest: float, runs: int = 5, cases: int = 40, seed: int = 0) -> np.ndarray:
    """Scores `[run, case]` with known standard deviations."""
    generator = np.random.default_rng(seed)
    by_case, by_run = generator.normal(0, case, (1, cases)), generator.normal(0, run, (runs, 1))
    return np.asarray(0.5 + by_case + by_run + generator.normal(0, rest, (runs, cases)))


def test_by_definition() -> None:
    table = drawn(0.2, 0.05, 0.1)
    result = components([table])
    runs, cases = table.shape
    assert result.mean[0] == pytest.approx(table.mean())
    assert result.over_runs[0] == pytest.approx(table.mean(axis=1).std(ddof=1))
    assert result.over_cases[0] == pytest.approx(table.mean(axis=0).std(ddof=1))
    rest = sum(
        (table[r, c] - table[r].mean() - table[:, c].mean() + table.mean()) ** 2 for r in range(runs) for c in range(cases)
    )
    rest /= (runs - 1) * (cases - 1)
    assert result.rest[0] == pytest.approx(rest)
    assert result.case[0] == pytest.approx(table.mean(axis=0).var(ddof=1) - rest / runs)
    assert result.run[0] == pytest.approx(max(table.mean(axis=1).var(ddof=1) - rest / cases, 0))


def test_the_truth_comes_out_on_average() -> None:
    results = components([drawn(0.2, 0.1, 0.05, seed=seed) for seed in range(400)])
    assert results.case.mean() == pytest.approx(0.04, rel=0.05)
    assert results.run.mean() == pytest.approx(0.01, rel=0.1)
    assert results.rest.mean() == pytest.approx(0.0025, rel=0.02)


def test_each_system_has_runs_and_cases_of_its_own() -> None:
    full, part = drawn(0.2, 0.05, 0.1), np.full((5, 40), nan)
    part[:3, 2:] = drawn(0.2, 0.05, 0.1, runs=3, cases=38, seed=1)
    part[1, 7] = nan
    result = components([full, part])
    alone = components([np.delete(part[:3, 2:], 5, axis=1)])
    for name in ("mean", "over_runs", "over_cases", "case", "run", "rest"):
        assert getattr(result, name)[1] == pytest.approx(getattr(alone, name)[0]), name
    assert result.runs.tolist() == [5, 3]
    assert result.cases.tolist() == [40, 37]


def test_what_cannot_be_estimated_is_missing() -> None:
    one_run = components([drawn(0.2, 0.1, 0.1, runs=1)])
    assert np.isnan([one_run.over_runs[0], one_run.run[0], one_run.rest[0], one_run.case[0]]).all()
    assert one_run.over_cases[0] > 0
    one_case = components([drawn(0.2, 0.1, 0.1, cases=1)])
    assert np.isnan(one_case.over_cases[0])
    assert one_case.over_runs[0] > 0
    nothing = components(np.full((1, 2, 3), nan))
    assert np.isnan(nothing.mean[0])
    assert nothing.runs[0] == nothing.cases[0] == 0
    with pytest.raises(BadUsage):
        components(np.zeros((2, 3)))
