"""Frames of several cluster libraries in one call are refused before anything is read."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import polars as pl
import pytest

import plumbline

GOLD = {"q": {"a": 1, "b": 0}}
ROWS = pl.DataFrame({"case": ["q", "q"], "item": ["a", "b"], "score": [2.0, 1.0]})


class OnACluster:
    """Stands for a frame of a library that need not be installed."""

    columns = ROWS.columns

    def to_pandas(self) -> Any:
        """The rows, as such libraries hand them over."""
        return ROWS.to_pandas()


def frame_of(library: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(sys.modules, library, ModuleType(library))
    return type("DataFrame", (OnACluster,), {"__module__": f"{library}.frames"})()


def test_frames_of_two_libraries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = {"one": frame_of("dask", monkeypatch), "two": frame_of("ray", monkeypatch)}
    with pytest.raises(plumbline.BadUsage, match="E707 there are frames of dask and ray: each library scores its own frames"):
        plumbline.evaluate(GOLD, systems, "AP")


@pytest.mark.parametrize("others", [{}, {"two": ROWS}])
def test_a_frame_of_another_library_than_the_engine_is_refused(monkeypatch: pytest.MonkeyPatch, others: dict[str, Any]) -> None:
    systems = {"one": frame_of("dask", monkeypatch), **others}
    with pytest.raises(plumbline.BadUsage, match="E707 there are frames of dask, and the engine is ray"):
        plumbline.evaluate(GOLD, systems, "AP", engine="ray")


def test_where_they_are_collected_libraries_may_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = {"one": frame_of("dask", monkeypatch), "two": frame_of("ray", monkeypatch)}
    rows = plumbline.evaluate(GOLD, systems, "AP", order="file").mean
    assert rows["value"].to_list() == [1.0, 1.0]
