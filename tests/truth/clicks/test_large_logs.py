"""Logs of many rows are divided by session on the disk: everything that comes out is the same, bit for bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline as pb
from plumbline.errors import Place
from plumbline.truth.clicks.reading import large
from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TABLES = ("scores", "ranks", "cases", "gold", "positions", "parameters")
GOLD = {f"q{case}": {f"d{item}": item % 3 for item in range(6)} for case in range(8)}
ORDERS = ([2, 5, 1, 4, 0, 3], [3, 0, 4, 1], [1, 2, 3, 5, 4])


def log() -> pl.DataFrame:
    """Lists of three lengths; a session in ten has two cases."""
    systems = {
        str(number): {case: {f"d{item}": -float(place) for place, item in enumerate(order)} for case in GOLD}
        for number, order in enumerate(ORDERS)
    }
    drawn = pb.simulate_clicks(GOLD, systems, model="dbn", sessions=900, seed=1).log
    session = pl.col("session").cast(pl.Int64)
    second = session % 10 == 1
    return drawn.with_columns(
        pl.when(second).then(session - 1).otherwise(session).alias("session"),
        pl.when(second).then(pl.format("{}'", "case")).otherwise("case").alias("case"),
    )


def timed(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns((pl.col("session") * 7919 % 1009).alias("when"))


def scattered(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.sample(fraction=1.0, shuffle=True, seed=3)


@pytest.fixture
def in_portions(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From now on, a log is divided into portions of about 300 rows."""

    def divide() -> None:
        monkeypatch.setattr(large, "ROWS", 300)
        monkeypatch.setattr(large, "LEAST", 0)

    return divide


def written(frame: pl.DataFrame, path: Path) -> Path:
    if path.suffix in {".csv", ".tsv"}:
        frame.write_csv(path, separator="," if path.suffix == ".csv" else "\t")
    elif path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_ipc(path)
    return path


def same(one: pb.ClickModels, other: pb.ClickModels) -> None:
    for name in TABLES:
        assert getattr(one, name).equals(getattr(other, name)), name
    assert one.summary == other.summary
    assert [str(notice) for notice in one.notices] == [str(notice) for notice in other.notices]


@pytest.mark.parametrize("change", [log, lambda: timed(log()), lambda: scattered(log()), lambda: scattered(timed(log()))])
@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow"])
def test_files(change: Callable[[], pl.DataFrame], kind: str, tmp_path: Path, in_portions: Callable[[], None]) -> None:
    path = written(change(), tmp_path / f"log.{kind}")
    models = ["item-ctr", "dcm", "ubm", "dbn"]
    at_once = pb.clicks(path, model=models, rounds=20)
    in_portions()
    same(pb.clicks(path, model=models, rounds=20), at_once)


@pytest.mark.parametrize("split", ["time", "session"])
def test_frames_and_queries(split: Any, in_portions: Callable[[], None]) -> None:
    frame = timed(log())
    at_once = pb.clicks(frame, model="pbm", split=split)
    in_portions()
    for source in (frame, frame.lazy(), frame.to_pandas()):
        same(pb.clicks(source, model="pbm", split=split), at_once)


def test_large_and_small_files_are_one_log(tmp_path: Path, in_portions: Callable[[], None]) -> None:
    frame = log()
    large_one, small, last = written(frame, tmp_path / "a.csv"), written(frame[:40], tmp_path / "b.csv"), frame.tail(900)
    others = [large_one, small, written(last, tmp_path / "c.parquet")]
    at_once, tested = pb.clicks(others, model="sdbn"), pb.clicks(others[:2], model="sdbn", test=others[2])
    assert at_once.scores["sessions"][0] > 0
    in_portions()
    same(pb.clicks(others, model="sdbn"), at_once)
    same(pb.clicks(others[:2], model="sdbn", test=others[2]), tested)


def test_gaps_are_counted_in_all_portions(tmp_path: Path, in_portions: Callable[[], None]) -> None:
    frame = log().filter((pl.col("position") != 2) | (pl.col("session") % 3 > 0))
    path = written(frame, tmp_path / "log.csv")
    at_once = pb.clicks(path, model="pbm", rounds=5)
    assert any(notice.code == "N801" for notice in at_once.notices)
    in_portions()
    same(pb.clicks(path, model="pbm", rounds=5), at_once)


@pytest.mark.parametrize(
    ("column", "wrong", "code"),
    [("clicked", "maybe", "E803"), ("position", "0", "E801"), ("position", "1.5", "E802"), ("item", None, "E114")],
)
def test_the_first_bad_line_is_named(
    column: str, wrong: str | None, code: str, tmp_path: Path, in_portions: Callable[[], None]
) -> None:
    texts = log().with_columns(pl.col("clicked").cast(pl.Int8)).select(pl.all().cast(pl.String))
    number = np.arange(len(texts))
    bad = pl.Series((number == 1234) | (number > 2000))
    path = written(texts.with_columns(pl.when(bad).then(pl.lit(wrong)).otherwise(column).alias(column)), tmp_path / "log.csv")
    in_portions()
    with pytest.raises(pb.PlumblineError) as raised:
        pb.clicks(path)
    assert (raised.value.code, raised.value.diagnostics[0].place) == (code, Place(str(path), 1236))


def test_a_table_without_a_column_or_with_a_torn_line_is_refused(tmp_path: Path, in_portions: Callable[[], None]) -> None:
    in_portions()
    path = written(log().drop("clicked"), tmp_path / "log.parquet")
    assert "E800" in plumbline("clicks", str(path)).err
    torn = written(log(), tmp_path / "log.csv")
    torn.write_text(torn.read_text().replace("\n5,", "\n5,9,9,9,9,9,", 1), encoding="utf-8")
    done = plumbline("clicks", str(torn))
    assert done.code == 1
    assert "Traceback" not in done.err
