"""A gold that is a dict goes with outputs that are frames, open files or paths, for every task of labels."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline

if TYPE_CHECKING:
    from pathlib import Path

ROWS = {"case": ["q", "q", "r"], "item": ["a", "b", "c"], "label": ["x", "y", "x"]}
NESTED = {"q": {"a": "x", "b": "x"}, "r": {"c": "x"}}
FLAT = {"a": "x", "b": "x", "c": "x"}


@pytest.mark.parametrize("task", ["classification", "clustering"])
@pytest.mark.parametrize(("gold", "columns"), [(NESTED, ["case", "item", "label"]), (FLAT, ["item", "label"])])
@pytest.mark.parametrize("form", ["frame", "file", "path", "text of a path"])
def test_named_sources_are_systems(tmp_path: Path, task: str, gold: Any, columns: list[str], form: str) -> None:
    frame = pl.DataFrame(ROWS).select(columns)
    path = tmp_path / "one.csv"
    frame.write_csv(path)
    source = {"frame": frame, "file": io.BytesIO(path.read_bytes()), "path": path, "text of a path": str(path)}[form]
    metric = "Accuracy" if task == "classification" else "Purity"
    scores = plumbline.evaluate(gold, {"one": source}, metric, task=task)
    assert scores.mean["system"].to_list() == ["one"]
    right = plumbline.evaluate(
        gold,
        {"one": {"q": {"a": "x", "b": "y"}, "r": {"c": "x"}} if gold is NESTED else {"a": "x", "b": "y", "c": "x"}},
        metric,
        task=task,
    )
    assert scores.mean["value"].to_list() == right.mean["value"].to_list()


def test_labels_called_like_files_stay_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").mkdir()
    monkeypatch.chdir(tmp_path)
    assert plumbline.evaluate(FLAT, FLAT, "Accuracy", task="classification").mean["value"].to_list() == [1.0]


@pytest.mark.parametrize("native", ["0", "1"])
def test_ids_of_numpy_are_ids_of_python(monkeypatch: pytest.MonkeyPatch, native: str) -> None:
    monkeypatch.setenv("PLUMBLINE_NATIVE", native)
    gold = {"q": {"a": 1, 3: 0, "b": 1}}
    run = {"q": {"a": 0.5, 3: 0.7, "b": 0.1}}
    numpy_run = {np.str_("q"): {np.str_("a"): 0.5, np.int64(3): 0.7, np.str_("b"): 0.1}}
    for metrics in (["AP"], ["F(Rel,Sens)"]):
        plain, numpy = plumbline.evaluate(gold, run, metrics), plumbline.evaluate(gold, numpy_run, metrics)
        assert numpy.per_case.equals(plain.per_case)
    with pytest.raises(plumbline.BadData, match="E114 the item id True is a bool"):
        plumbline.evaluate(gold, {"q": {True: 1.0}}, "AP")


def test_items_of_numpy_in_clusters() -> None:
    system = [[np.int64(1), np.str_("b")], ["c"]]
    scores = plumbline.evaluate([[1, "b"], ["c"]], {"one": system}, "Purity", task="clustering")
    assert scores.mean["value"].to_list() == [1.0]
