"""Frames that live on a cluster choose their engine, and give what the same rows give here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pytest

import plumbline
from tests.clusters.test_engines import METRICS, values
from tests.evaluation.engines.test_local import rows_of_system, write_gold

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # Ray and Spark warn of settings of their own
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
Cluster = tuple[str, Any]
Rows = list[tuple[Any, ...]]


def frame_of(engine: str, running: Any, rows: Rows, columns: list[str]) -> Any:
    """The rows as a frame of the library of an engine, in several portions."""
    frame = pd.DataFrame(rows, columns=columns)
    if engine == "spark":
        return running.createDataFrame(rows, columns).repartition(5)
    if engine == "dask":
        return pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=3)
    return pytest.importorskip("ray.data").from_pandas(frame).repartition(3)


def tagged(rows: Rows, name: str) -> Rows:
    return [(name, *row) for row in rows]


def by_system(rows: Rows) -> tuple[Any, Any]:
    return sorted(rows[0]), sorted(rows[1])


def test_a_frame_chooses_its_engine(tmp_path: Path, cluster: Cluster) -> None:
    gold, rows = write_gold(tmp_path), rows_of_system(2, scattered=True)
    frame = frame_of(*cluster, rows, ["case", "item", "score"])
    at_once = plumbline.evaluate(gold, {"mine": pl.DataFrame(rows, schema=["case", "item", "score"], orient="row")}, METRICS)
    assert values(plumbline.evaluate(gold, {"mine": frame}, METRICS)) == values(at_once)


def test_a_column_tells_systems_apart(tmp_path: Path, cluster: Cluster) -> None:
    gold = write_gold(tmp_path)
    rows = [row for at in range(3) for row in tagged(rows_of_system(at, scattered=True), f"s{at}")]
    names = ["system", "case", "item", "score"]
    expected = plumbline.evaluate(gold, pl.DataFrame(rows, schema=names, orient="row"), METRICS)
    spread = plumbline.evaluate(gold, frame_of(*cluster, rows, names), METRICS)
    assert spread.made["systems"] == ["s0", "s1", "s2"]
    assert values(spread) == values(expected)


def test_a_frame_beside_a_file(tmp_path: Path, cluster: Cluster) -> None:
    gold, rows = write_gold(tmp_path), rows_of_system(2)
    path = tmp_path / "other.run"
    path.write_text("".join(f"{case} Q0 {item} 1 {score!r} tag\n" for case, item, score in rows_of_system(1)))
    frame = frame_of(*cluster, rows, ["case", "item", "score"])
    at_once = plumbline.evaluate(gold, {"mine": pd.DataFrame(rows, columns=["case", "item", "score"]), "other": path}, METRICS)
    assert values(plumbline.evaluate(gold, {"mine": frame, "other": path}, METRICS)) == values(at_once)


def test_an_item_twice_is_named_with_its_frame(tmp_path: Path, cluster: Cluster) -> None:
    gold, rows = write_gold(tmp_path), rows_of_system(2)
    frame = frame_of(*cluster, [*rows, rows[0]], ["case", "item", "score"])
    with pytest.raises(plumbline.BadData, match=rf"mine.*E104 item {rows[0][1]} is listed twice in case {rows[0][0]}"):
        plumbline.evaluate(gold, {"mine": frame}, METRICS)


def test_the_order_of_rows_cannot_count(tmp_path: Path, cluster: Cluster) -> None:
    gold = write_gold(tmp_path)
    frame = frame_of(*cluster, rows_of_system(2), ["case", "item", "score"])
    with pytest.raises(plumbline.BadUsage, match="rows of a frame on a cluster have no order"):
        plumbline.evaluate(gold, {"mine": frame}, METRICS, order="file", engine=cluster[0])


def test_a_frame_is_collected_where_an_option_needs_all_rows(tmp_path: Path, dask: Any) -> None:
    gold, rows, names = write_gold(tmp_path), rows_of_system(2), ["case", "item", "score"]
    at_once = plumbline.evaluate(gold, {"mine": pd.DataFrame(rows, columns=names)}, METRICS, order="file")
    assert values(plumbline.evaluate(gold, {"mine": frame_of("dask", dask, rows, names)}, METRICS, order="file")) == values(
        at_once
    )


def test_a_frame_without_rows_is_an_error(tmp_path: Path, cluster: Cluster) -> None:
    gold, rows = write_gold(tmp_path), rows_of_system(2)
    frame = frame_of(*cluster, rows, ["case", "item", "score"])
    empty = frame.filter(expr="score > 99") if cluster[0] == "ray" else frame[frame["score"] > 99]
    with pytest.raises(plumbline.BadData, match="no data"):
        plumbline.evaluate(gold, {"mine": empty}, METRICS)
