"""Data frames of any library give the same table, with and without pyarrow."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import plumbline
from plumbline.comparison.reading import read_scores
from plumbline.errors import BadUsage
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.io.read import read
from plumbline.io.table import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COLUMNS = {"case": ["q1", "q1", "q2"], "item": ["a", "b", "a"], "score": [2.5, 1.5, 0.5]}
EXPECTED = [("q1", "a", 2.5), ("q1", "b", 1.5), ("q2", "a", 0.5)]


class Stream:
    """A frame that only has the Arrow interface, as those of DuckDB and Ibis have."""

    columns = tuple(COLUMNS)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pl.DataFrame(COLUMNS).__arrow_c_stream__(requested_schema)


def lazy(method: str, compute: Callable[[object], object]) -> object:
    """A frame that is computed on request, as those of Dask, Spark and Modin are."""
    return type("Lazy", (), {"columns": list(COLUMNS), method: compute})()


FRAMES = {
    "polars": pl.DataFrame(COLUMNS),
    "lazy polars": pl.LazyFrame(COLUMNS),
    "pandas": pd.DataFrame(COLUMNS),
    "pandas categories": pd.DataFrame(COLUMNS).astype({"case": "category"}),
    "pandas objects": pd.DataFrame(COLUMNS).astype({"case": object, "item": object}),
    "pandas extension types": pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas with an index": pd.DataFrame(COLUMNS, index=[5, 6, 7]),
    "pyarrow": pa.table(COLUMNS),
    "pyarrow batch": pa.RecordBatch.from_pydict(COLUMNS),
    "arrow stream": Stream(),
    "compute": lazy("compute", lambda _: pd.DataFrame(COLUMNS)),
    "toArrow": lazy("toArrow", lambda _: pa.table(COLUMNS)),
    "_to_pandas": lazy("_to_pandas", lambda _: pd.DataFrame(COLUMNS)),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_every_frame_is_read(frame: object) -> None:
    table = read(frame, "output", ReadOptions())
    assert is_frame(frame)
    assert table.frame.with_columns(pl.col("case").cast(pl.String)).rows() == EXPECTED
    assert table.reader == "frame"


@pytest.mark.parametrize(
    "other", [[1, 2], np.ones((2, 2)), pl.Series([1]), pd.Series([1]), "a.csv", {"a": 1}, pd.DataFrame, None]
)
def test_other_objects_are_no_frames(other: object) -> None:
    assert not is_frame(other)


def test_columns_of_several_types_are_refused() -> None:
    with pytest.raises(BadUsage, match="columns of one type each"):
        read(pd.DataFrame({**COLUMNS, "item": ["a", 1, 2.5]}), "output")


def test_a_missing_package_is_named() -> None:
    def to_arrow(_: object) -> object:
        raise ModuleNotFoundError(name="pyarrow")

    with pytest.raises(BadUsage, match="needs the package pyarrow"):
        polars_frame(lazy("to_arrow", to_arrow), "gold")


WITHOUT_PYARROW = """
from importlib.machinery import PathFinder

find = PathFinder.find_spec
PathFinder.find_spec = classmethod(lambda _, name, *rest: None if name.split(".")[0] == "pyarrow" else find(name, *rest))
import pandas as pd
from plumbline.io.memory.frames import polars_frame

frame = pd.DataFrame(
    {
        "text": ["a", None],
        "number": [1.5, float("nan")],
        "whole": [1, 2],
        "truth": [True, False],
        "category": pd.Categorical(["x", "y"]),
        "nullable": pd.array([1, pd.NA], dtype="Int64"),
        "lists": [["a"], ["b", "c"]],
    }
)
print(polars_frame(frame, "gold").rows())
try:
    import pyarrow
except ImportError:
    print("no pyarrow")
"""


def test_pandas_is_read_without_pyarrow() -> None:
    ended = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    rows = [("a", 1.5, 1, True, "x", 1, ["a"]), (None, None, 2, False, "y", None, ["b", "c"])]
    assert ended.stdout.splitlines() == [str(rows), "no pyarrow"]


@pytest.mark.parametrize("missing", [None, "", " "])
@pytest.mark.parametrize("tags", [["x", "x"], ["x", "y"]])
def test_rows_without_a_tag_are_of_no_system(missing: str | None, tags: list[str], tmp_path: Path) -> None:
    """Neither of the others nor of one called None; all rows without one are one run."""
    run = pl.DataFrame({"case": "q", "item": list("abcd"), "score": [0.4, 0.3, 0.2, 0.1], "tag": [*tags, missing, missing]})
    run.write_csv(tmp_path / "run.csv")
    run.write_ndjson(tmp_path / "run.jsonl")
    gold = {"q": {"a": 1, "d": 1}}
    for source in (run, run.to_pandas(), tmp_path / "run.csv", tmp_path / "run.jsonl"):
        with pytest.raises(
            plumbline.BadData, match=rf":(3|4): E199 .* others have \({', '.join(dict.fromkeys(tags))}\)"
        ) as caught:
            plumbline.evaluate(gold, source, ["AP"])
        assert len(caught.value.diagnostics) == 2
        assert plumbline.evaluate(gold, source, ["AP"], tag="any").mean["value"].to_list() == [0.75]
    assert plumbline.evaluate(gold, run.with_columns(tag=pl.lit(missing)), ["AP"]).mean.select("system", "value").rows() == [
        ("system", 0.75)
    ]
    with pytest.raises(plumbline.BadData, match="E199"):
        plumbline.evaluate(gold, {"both": run}, ["AP"], engine="local")


def test_rows_without_a_tag_are_of_no_run() -> None:
    run = pl.DataFrame({"case": "q", "item": ["a", "b"], "score": [0.1, 0.2], "tag": ["x", None]})
    assert plumbline.evaluate({"q": {"a": 1}}, run, ["AP"], tag="x").mean["value"].to_list() == [1.0]


@pytest.mark.parametrize("index", [["x", "y"], pd.Index([10, 20], name="case"), pd.Index(["x", "y"], name="case")])
def test_the_index_of_a_frame_names_the_cases(index: pd.Index[int]) -> None:
    frame = pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.2]}, index=index)
    assert read_scores(frame)[0].cases == tuple(map(str, index))


@pytest.mark.parametrize("kind", [object, float, int])
@pytest.mark.parametrize("side", ["gold", "system"])
def test_frames_without_rows_have_no_data_lines(side: str, kind: type) -> None:
    judged = {"case": ["q1"], "item": ["a"], "grade": [1]}
    sides: dict[str, Any] = {"gold": judged, "system": COLUMNS} | {side: {name: [] for name in COLUMNS}}
    gold, output = (pd.DataFrame(columns, dtype=None if columns["case"] else kind) for columns in sides.values())
    with pytest.raises(plumbline.BadData, match=f"{side}: E002 "):
        plumbline.evaluate(gold, output, "AP")


def test_what_polars_says_about_a_column_is_one_line() -> None:
    mixed = pd.DataFrame({"item": ["a", "b"], "label": [1, "x"]})
    with pytest.raises(plumbline.BadUsage, match="E309 cannot read the gold: ") as caught:
        plumbline.evaluate(mixed, mixed, "Accuracy", task="classification")
    assert str(caught.value).count("\n") == 1
    assert "context" not in str(caught.value)
