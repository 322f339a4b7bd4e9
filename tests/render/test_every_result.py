"""Results are alike: every public result has the same methods, and what is saved is loaded as it was."""

from __future__ import annotations

import inspect
import json
import re
import sys
from dataclasses import fields, is_dataclass
from html import unescape
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import plumbline as pb
from plumbline.errors import visible
from plumbline.render.grid import Grid, Sentences, point
from plumbline.render.saving import from_json, saveable, to_json
from tests.helpers.results import MADE, example

if TYPE_CHECKING:
    from pathlib import Path

PUBLIC = {name: value for name in dir(pb) if inspect.isclass(value := getattr(pb, name)) and issubclass(value, pb.Result)}
METHODS = ("to_polars", "to_pandas", "to_dict", "to_json", "to_markdown", "to_latex", "to_html", "save", "load")


def test_every_public_result_has_an_example() -> None:
    assert set(PUBLIC) - {"Result"} == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_an_example_is_of_its_class(name: str) -> None:
    assert type(example(name)) is PUBLIC[name]
    assert is_dataclass(PUBLIC[name])


@pytest.mark.parametrize("name", MADE)
def test_a_result_has_every_method(name: str) -> None:
    result = example(name)
    assert all(callable(getattr(result, method)) for method in METHODS)
    assert isinstance(result.to_polars(), pl.DataFrame)
    assert not result.to_polars().is_empty()
    assert isinstance(result.to_dict(), dict)
    assert json.loads(result.to_json())
    assert result._repr_html_().startswith(result.to_html())
    assert all(isinstance(notice, pb.Diagnostic) for notice in result.notices)
    assert "object at 0x" not in repr(result)
    assert "\x1b" not in repr(result)


@pytest.mark.parametrize("name", MADE)
def test_pandas_has_the_same_values_without_pyarrow(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame, expected = example(name).to_pandas(), example(name).to_polars()
    assert list(frame.columns) == expected.columns
    assert len(frame) == len(expected)
    for column in expected.columns:
        if expected[column].dtype.is_numeric():
            assert frame[column].to_numpy(dtype=float) == pytest.approx(
                expected[column].cast(pl.Float64).fill_null(float("nan")).to_numpy(), nan_ok=True
            )


def test_without_pandas_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pb.BadUsage, match=r"(?s)E360 .*pip install pandas"):
        example("Weights").to_pandas()


def assert_same(one: Any, other: Any) -> None:
    """The same value, also where frames or arrays are within it."""
    assert type(one) is type(other)
    if isinstance(one, pl.DataFrame):
        assert_frame_equal(one, other)
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_same(a, b)
    elif is_dataclass(one):
        for field in fields(one):
            if field.compare:
                assert_same(getattr(one, field.name), getattr(other, field.name))
    else:
        assert one == other


@pytest.mark.parametrize("name", MADE)
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    path, result = tmp_path / "result.parquet", example(name)
    result.save(path)
    loaded = pb.load(path)
    assert_same(type(result).load(path), loaded)
    assert_same(loaded, result)
    assert_frame_equal(pl.read_parquet(path), result.to_polars())
    assert loaded.to_json() == result.to_json()
    with pytest.raises(pb.BadUsage, match="E011"):
        result.save(path)
    result.save(path, force=True)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.parquet"
    example("Weights").save(path)
    with pytest.raises(pb.BadData, match="E121 not a file of saved Scores, but of saved Weights"):
        pb.Scores.load(path)


@pytest.mark.parametrize("named", ["os:system", "plumbline.errors:BadData", "plumbline.io.table:Table", "plumbline.nowhere:X"])
def test_a_file_cannot_name_code_to_run(named: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.parquet"
    facts = json.dumps({"result": named, "fields": {}})
    pl.DataFrame({"a": [1]}).write_parquet(path, metadata={"plumbline": facts})
    with pytest.raises(pb.BadData, match="E121"):
        pb.load(path)


@pytest.mark.parametrize(
    "value",
    [
        None,
        1.5,
        float("inf"),
        "text",
        (1, [2, "3"], {"a": (None,)}),
        {1: {2.5: frozenset({3})}},
        np.arange(6.0).reshape(2, 3),
        np.array([True, False]),
        pl.DataFrame({"a": [1, None], "b": [["x"], []]}, schema={"a": pl.Int8, "b": pl.List(pl.String)}),
    ],
)
def test_values_keep_their_types(value: Any) -> None:
    assert_same(from_json(json.loads(json.dumps(to_json(value)))), value)


def test_what_is_not_declared_is_not_saved() -> None:
    with pytest.raises(TypeError, match="cannot be saved"):
        to_json(object())
    assert saveable(type("Anything", (), {})).__name__ == "Anything"


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("ConfusionMatrix", "confusion"),
        ("Losses", "losses"),
        ("Weights", "weights"),
        ("Sweep", "sweep"),
        ("Study", "strictness"),
    ],
)
def test_a_result_draws_itself(name: str, figure: str) -> None:
    result = example(name)
    assert figure in dir(result.plot)
    assert len(getattr(result.plot, figure)().to_dict()["description"]) > 30


@pytest.mark.parametrize("name", ["ConfusionMatrix", "Losses", "Weights"])
def test_a_result_without_scores_offers_its_own_figure_only(name: str) -> None:
    assert len(dir(example(name).plot)) == 1
    with pytest.raises(AttributeError, match="there is no figure 'bars'"):
        example(name).plot.bars()


def _without_marks(html: str) -> str:
    text = re.sub(r"<(sup|caption|ul|dl|/)?[^>]*>", " ", html)
    return " ".join(unescape(text).split())


@pytest.mark.parametrize("name", MADE)
def test_a_notebook_shows_what_a_terminal_does(name: str) -> None:
    """Every sentence and every cell that a terminal has; nobody reads a raw dataclass."""
    result = example(name)
    shown = _without_marks(result._repr_html_())
    for block in result.to_blocks():
        grids = [block] if isinstance(block, Grid) else []
        cells = [cell.text for grid in grids for row in grid.rows for cell in row]
        lines = [point(line) if line.startswith("  ") else line for line in block.lines] if isinstance(block, Sentences) else []
        for text in (*cells, *lines):
            assert " ".join(visible(text).split()) in shown, text
    assert f"{name}(" not in repr(result)
    assert "<script" not in shown


def test_a_verdict_and_a_gate_read_well_in_a_notebook() -> None:
    scores = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4, 0.3, 0.2], "<b>": [0.5, 0.6, 0.4, 0.5, 0.4, 0.6, 0.6, 0.4]}
    compared = pb.compare(scores, baseline="old")
    verdict, gate = compared.verdict("old", "<b>"), compared.gate()
    assert repr(verdict) == str(verdict)
    assert repr(gate) == str(gate)
    for html in (verdict._repr_html_(), gate._repr_html_()):
        assert "<table>" in html
        assert "+0.237" in html
        assert "0.197 to 0.369" in html
        assert "&lt;b&gt;" in html
        assert "<b>old" not in html
