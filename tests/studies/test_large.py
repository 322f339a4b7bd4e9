"""A study keeps large tables in temporary files and works on portions of them, and shows the same."""

from __future__ import annotations

from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import plumbline
from plumbline import large

if TYPE_CHECKING:
    from numpy.typing import NDArray

SYSTEMS, CASES = 7, 60
WORLDS = [
    pytest.param(2, 0.0, 6, id="complete"),
    pytest.param(3, 0.1, 6, id="gaps"),
    pytest.param(3, 0.02, 1, id="ties"),
    pytest.param(1, 0.0, 2, id="one metric"),
]
OPTIONS: list[dict[str, Any]] = [{}, {"lower": "m0", "top": 5, "pairs": 30}]


def table(metrics: int, gaps: float, digits: int) -> dict[str, dict[str, dict[str, float]]]:
    draw = np.random.default_rng(metrics)
    values = np.round(draw.random((metrics, SYSTEMS, CASES)) + np.linspace(0, 0.3, SYSTEMS)[:, None], digits)
    values[draw.random(values.shape) < gaps] = np.nan
    return {f"m{number}": of_metric(rows) for number, rows in enumerate(values)}


def of_metric(values: NDArray[np.float64]) -> dict[str, dict[str, float]]:
    return {
        f"s{system}": {f"q{case}": float(value) for case, value in enumerate(row) if not np.isnan(value)}
        for system, row in enumerate(values)
    }


def shown(scores: Any, options: dict[str, Any]) -> tuple[str, str]:
    study = plumbline.meta(scores, splits=20, resamples=100, **options)
    disagree = ("m0", "m1") if len(scores) > 1 else None
    return study.to_markdown(), study.to_json(disagree=disagree, outputs=25)


@pytest.mark.parametrize(("metrics", "gaps", "digits"), WORLDS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_files_and_portions_show_what_memory_shows(
    metrics: int, gaps: float, digits: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = table(metrics, gaps, digits)
    expected, made = shown(scores, options), []

    def counted(**options: Any) -> Any:
        made.append(options)
        return TemporaryFile(**options)

    monkeypatch.setattr("plumbline.large.tempfile.TemporaryFile", counted)
    monkeypatch.setattr(large, "IN_MEMORY", 0)
    monkeypatch.setattr(large, "_AT_ONCE", 50)
    assert shown(scores, options) == expected
    assert made
