"""Large tables of scores are kept in temporary files, and systems compared as if they were in memory."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import plumbline
from plumbline import large
from plumbline.comparison.cube import Cube
from plumbline.comparison.significance import randomization
from plumbline.comparison.weighting import contenders as module
from plumbline.comparison.weighting.blends import MEANS, Mean
from plumbline.comparison.weighting.weighting import leads

if TYPE_CHECKING:
    from numpy.typing import NDArray

SYSTEMS, CASES = 12, 40
OPTIONS: list[dict[str, Any]] = [
    {},
    {"test": "t", "margin": 0.05},
    {"test": "bootstrap", "resamples": 200},
    {"test": "wilcoxon", "eps": 0.1, "rule": "unanimous"},
    {"lower": "second", "baseline": "s3"},
    {"alpha": 0.3},
    {"mean": "geometric", "correction": "bonferroni"},
]


def table(gaps: float, seed: int = 0) -> dict[str, dict[str, dict[str, float]]]:
    """Two metrics, some zeros and ties, one system that is the best but for one weight, and values that are not there."""
    draw = np.random.default_rng(seed)
    values = np.round(draw.random((2, SYSTEMS, CASES)) + np.linspace(0, 0.3, SYSTEMS)[:, None], 2)
    values[draw.random(values.shape) < gaps] = np.nan
    names = ("first", "second")
    return {
        name: {
            f"s{system}": {f"q{case}": float(value) for case, value in enumerate(row) if not np.isnan(value)}
            for system, row in enumerate(rows)
        }
        for name, rows in zip(names, values, strict=True)
    }


def compared(scores: Any, options: dict[str, Any]) -> tuple[str, str, str]:
    made = plumbline.compare(scores, **options)
    return made.to_markdown(), made.to_json(), made.significance.write_csv()


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_files_say_what_memory_says(gaps: float, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(randomization, "MOST_DRAWN", 0)
    scores = table(gaps)
    expected, made = compared(scores, options), []

    def counted(**options: Any) -> Any:
        made.append(options)
        return TemporaryFile(**options)

    monkeypatch.setattr(large, "IN_MEMORY", 0)
    monkeypatch.setattr("plumbline.large.tempfile.TemporaryFile", counted)
    assert compared(scores, options) == expected
    assert made


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_small_portions_say_what_large_ones_say(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    scores = table(0.0)
    expected = compared(scores, options)
    monkeypatch.setattr(large, "_AT_ONCE", 3 * CASES)
    assert compared(scores, options) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="open files are listed by /proc")
def test_files_are_gone_with_their_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    def kept() -> int:
        gc.collect()
        return Path("/proc/self/maps").read_text().count("plumbline-")

    before = kept()
    monkeypatch.setattr(large, "IN_MEMORY", 0)
    array = large.empty((3, 4))
    array[:] = 1.0
    assert type(array) is np.ndarray
    del array
    assert plumbline.compare(table(0.0)).leaderboard.height == SYSTEMS
    assert kept() == before


def test_a_full_disk_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(large, "IN_MEMORY", 0)
    monkeypatch.setattr("os.posix_fallocate", full, raising=False)
    assert plumbline.compare(table(0.0)).leaderboard.height == SYSTEMS  # some file systems cannot reserve space
    monkeypatch.setattr(large, "free_space", lambda: 100)
    with pytest.raises(plumbline.BadUsage, match=r"E010 there is no space for a temporary file of [0-9,]+ bytes"):
        plumbline.compare(table(0.0))


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("seed", range(30))
def test_contenders_are_all_that_lead(mean: Mean, seed: int) -> None:
    draw = np.random.default_rng(seed)
    values = draw.beta(1, 2, (2, SYSTEMS, CASES)) + 0.01 * draw.integers(0, 5, (2, SYSTEMS, 1))
    if seed % 3 == 0:
        values = np.round(values, 1)
    cube = cube_of(values)
    every, few = leads(cube, mean), module.leads_of_contenders(cube, mean)
    every_row, row = every.table(), few.table()
    assert row["system"].to_list() == every_row["system"].to_list()
    assert row.drop("system").to_numpy() == pytest.approx(every_row.drop("system").to_numpy())
    assert set(every.system.tolist()) <= set(module.contenders(cube, mean).tolist())


def cube_of(values: NDArray[np.float64]) -> Cube:
    systems, cases = (tuple(f"{what}{at}" for at in range(count)) for what, count in zip("sq", values.shape[1:], strict=True))
    return Cube(("first", "second"), systems, cases, values, np.zeros(2, dtype=np.bool_))
