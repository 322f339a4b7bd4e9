"""Frames whose columns have types that a table on disk never has: scored or refused in one sentence, and never a crash."""

from __future__ import annotations

import datetime as dt
import warnings
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import polars as pl
import pytest

import plumbline
from tests.helpers.fuzzing import LONGEST_MESSAGE, limited_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHOP: Final = pl.DataFrame(
    {"user": range(20), "variant": ["A", "B"] * 10, "day": ["2026-01-01", "2026-01-02"] * 10, "orders": range(20)}
)
COUNTS: Final = pl.DataFrame({"variant": ["A", "B"], "n": [100, 100], "bought_sum": [20, 30]})
IMPRESSIONS: Final = pl.DataFrame(
    {"session": np.arange(24) // 3, "case": "q", "item": ["a", "b", "c"] * 8, "position": [1, 2, 3] * 8, "clicked": [0, 1] * 12}
)
SHOWN: Final = IMPRESSIONS.with_columns(team=pl.Series(["A", "B", "A"] * 8), user=pl.Series(np.arange(24) // 3))
ACTIONS: Final = pl.DataFrame({"action": ["x", "y"] * 20, "propensity": 0.5, "reward": [0, 1, 1, 1] * 10})
ITEMS: Final = pl.DataFrame({"id": list("abcdefgh"), "label": [0, 1] * 4, "day": range(8), "text": list("abcdefgh")})
FOLDS: Final = pl.DataFrame({"item": list("abcdefgh"), "fold": [1, 2] * 4, "repeat": 1, "part": "test"})
VOTES: Final = pl.DataFrame(
    {"item": [1, 1, 1, 2, 2, 2], "worker": ["a", "b", "c"] * 2, "label": [1, 1, 0, 0, 0, 1], "seconds": 3.0}
)
SIZES: Final = pl.DataFrame({"system": "a", "size": [10, 20, 40, 80] * 2, "fold": [1] * 4 + [2] * 4, "F1": np.arange(8) / 10})
LONG: Final = pl.DataFrame({"system": ["a", "b"] * 6, "case": np.arange(12) // 2, "F1": np.arange(12) / 12})
GOLD: Final = pl.DataFrame({"case": ["q", "q"], "item": ["a", "b"], "grade": [1, 0]})
RUN: Final = pl.DataFrame({"case": ["q", "q"], "item": ["a", "b"], "score": [0.9, 0.1]})
ANSWERS: Final = pl.DataFrame({"item": list("abcdefgh"), "label": ["x", "y"] * 4})
LABELS: Final = pl.DataFrame({"item": ["a", "b"], "label": ["x", "y"]})
CLUSTERS: Final = pl.DataFrame({"item": ["a", "b"], "cluster": ["x", "y"]})
SPANS: Final = pl.DataFrame({"doc": ["a", "a"], "start": [0, 4], "end": [3, 9], "label": ["x", "y"]})

READERS: Final[dict[str, tuple[pl.DataFrame, Callable[[Any], object]]]] = {
    "experiment": (SHOP, lambda frame: plumbline.experiment(frame, ["orders"])),
    "sequence": (SHOP, lambda frame: plumbline.experiment(frame, ["orders"], peek=True, planned=40, when="day")),
    "counts": (COUNTS, plumbline.experiment),
    "plan": (SHOP, lambda frame: plumbline.plan_experiment(frame, "orders", detect="5%")),
    "clicks": (IMPRESSIONS, lambda frame: plumbline.clicks(frame, model="pbm", rounds=2)),
    "interleaving": (SHOWN, lambda frame: plumbline.analyse_interleaving(frame, resamples=10)),
    "policy": (ACTIONS, lambda frame: plumbline.policy_value(frame, policy="uniform", resamples=10)),
    "split": (ITEMS, lambda frame: plumbline.split(frame, folds=2, stratify="label")),
    "split by time": (ITEMS, lambda frame: plumbline.split(frame, folds=2, time="day")),
    "folds": (FOLDS, lambda frame: plumbline.check_folds(ITEMS, frame)),
    "folds of classifiers": (
        FOLDS,
        lambda frame: plumbline.evaluate(ANSWERS, ANSWERS, ["Accuracy"], task="classification", folds=frame),
    ),
    "texts": (ITEMS, lambda frame: plumbline.check_folds(frame, FOLDS, text="text")),
    "agreement": (VOTES, lambda frame: plumbline.agree(frame, resamples=10)),
    "votes": (VOTES, plumbline.aggregate),
    "learning": (SIZES, lambda frame: plumbline.learning(frame, sizes="size", runs="fold")),
    "scores": (LONG, lambda frame: plumbline.compare(frame, resamples=100)),
    "gold": (GOLD, lambda frame: plumbline.evaluate(frame, RUN, ["AP"])),
    "run": (RUN, lambda frame: plumbline.evaluate(GOLD, frame, ["AP"])),
    "pool": (RUN, lambda frame: plumbline.pool({"a": frame, "b": RUN}, depth=1)),
    "interleave": (RUN, lambda frame: plumbline.interleave({"a": frame, "b": RUN})),
    "labels": (LABELS, lambda frame: plumbline.evaluate(LABELS, frame, ["Accuracy", "Kappa"], task="classification")),
    "clusters": (CLUSTERS, lambda frame: plumbline.evaluate(CLUSTERS, frame, ["Purity", "ARI"], task="clustering")),
    "spans": (SPANS, lambda frame: plumbline.evaluate(SPANS, frame, ["P", "SER"], task="extraction")),
}


def odd_pandas(rows: int) -> Iterator[pd.Series[Any]]:
    """Columns of pandas."""
    some = range(rows)
    yield pd.Series([None] * rows, dtype=object)
    yield pd.Series([2**70, *some[1:]], dtype=object)
    yield pd.Series([complex(row, 1) for row in some])
    yield pd.Series([str(row).encode() for row in some])
    yield pd.Series([b"\xff"] * rows)
    yield pd.Series(["\ud800"] * rows, dtype=object)
    yield pd.Series([Decimal("NaN"), *map(Decimal, some[1:])])
    yield pd.Series([np.bool_(row % 2) for row in some], dtype=object)
    yield pd.Series([Path(f"{row}") for row in some])
    yield pd.Series([{row} for row in some])
    yield pd.Series([{"a": row} for row in some])
    yield pd.Series(pd.to_timedelta(list(some), unit="h"))
    yield pd.Series(pd.interval_range(0, rows, periods=rows))
    yield pd.Series(pd.period_range("2026-01", periods=rows, freq="M"))
    yield pd.Series(pd.date_range("2026-01-01", periods=rows, tz="Europe/Madrid"))
    yield pd.Series([str(row) for row in some]).astype("category")
    yield pd.Series([pd.NA, *some[1:]], dtype="Int64")
    yield pd.Series([1e308] * rows)


def odd_polars(rows: int) -> Iterator[pl.Series]:
    """Columns of polars."""
    some = range(rows)
    yield pl.Series([None] * rows)
    yield pl.Series([str(row) for row in some], dtype=pl.Categorical)
    yield pl.Series([str(row) for row in some], dtype=pl.Enum([str(row) for row in some]))
    yield pl.Series([str(row).encode() for row in some])
    yield pl.Series([[row] for row in some])
    yield pl.Series([[row, 1] for row in some], dtype=pl.Array(pl.Int64, 2))
    yield pl.Series([{"a": row} for row in some])
    yield pl.Series([dt.timedelta(hours=row) for row in some])
    yield pl.Series([dt.time(1, row) for row in some])
    yield pl.Series([object() for _ in some], dtype=pl.Object)
    yield pl.Series([2**100 + row for row in some], dtype=pl.Int128)
    yield pl.Series([float("nan"), *map(float, some[1:])])
    yield pl.Series([float("inf")] * rows)


def attempts(frame: pl.DataFrame) -> Iterator[tuple[str, Any]]:
    """The frame with each column in turn replaced by each odd one."""
    plain = frame.to_pandas()
    for name in frame.columns:
        for values in odd_pandas(len(frame)):
            yield f"{name} of {values.dtype}: {values[0]!r}", plain.assign(**{name: values})
        for series in odd_polars(len(frame)):
            yield f"{name} of {series.dtype}", frame.with_columns(series.alias(name))


@pytest.mark.parametrize("reader", READERS)
def test_odd_columns(reader: str) -> None:
    frame, read = READERS[reader]
    read(frame)
    for what, odd in attempts(frame):
        with warnings.catch_warnings(), limited_time():
            warnings.simplefilter("error")
            try:
                read(odd)
            except plumbline.PlumblineError as refused:
                first = str(refused).splitlines()[0]
                assert 10 < len(first) < LONGEST_MESSAGE // 4, what
            except BaseException as error:
                raise AssertionError(what) from error


@pytest.mark.parametrize("reader", READERS)
def test_frames_without_rows_or_with_levels_of_columns_are_refused(reader: str) -> None:
    frame, read = READERS[reader]
    levels = frame.to_pandas()
    levels.columns = pd.MultiIndex.from_product([["a"], levels.columns])
    for odd in (frame.head(0), pl.DataFrame(), levels):
        with pytest.raises(plumbline.PlumblineError):
            read(odd)


@pytest.mark.parametrize("source", [None, 3, float("nan"), object(), pd.DataFrame, b"a,b", bytearray(b"a,b")])
@pytest.mark.parametrize("reader", sorted(READERS.keys() - {"folds of classifiers"}))
def test_what_is_no_table_is_refused(reader: str, source: object) -> None:
    with pytest.raises(plumbline.PlumblineError):
        READERS[reader][1](source)


def test_a_table_of_judgements_may_be_a_dict_of_columns_or_rows() -> None:
    expected = plumbline.agree(VOTES, resamples=10).coefficients
    columns = VOTES.to_dict(as_series=False)
    for table in (
        columns,
        {name: np.array(values) for name, values in columns.items()},
        VOTES.to_dicts(),
        VOTES.to_pandas().to_dict(),
    ):
        assert plumbline.agree(table, resamples=10).coefficients.equals(expected)
    by_assessor = {"item": [1, 0, 1], "other": [1, 0, 0]}  # two people, one of them called item
    assert len(plumbline.aggregate(by_assessor).assessors) == len(by_assessor)


def test_columns_of_items_may_be_a_dict() -> None:
    columns = ITEMS.to_dict(as_series=False)
    assert plumbline.split(columns, folds=2, stratify="label").table.equals(
        plumbline.split(ITEMS, folds=2, stratify="label").table
    )


def test_names_of_systems_are_text() -> None:
    scores = plumbline.evaluate(GOLD, {1: RUN, None: RUN, ("a", 2): RUN}, ["AP"])
    assert scores.mean["system"].to_list() == ["1", "None", "('a', 2)"]
    assert "('a', 2)" in str(scores)
    with pytest.raises(plumbline.BadData, match="E116 two systems are called 1: a DataFrame and a DataFrame"):
        plumbline.evaluate(GOLD, {1: RUN, "1": RUN}, ["AP"])


def test_a_lazy_gold_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plumbline.evaluate(GOLD.lazy(), RUN.lazy(), ["AP"]).mean["value"].to_list() == [1.0]


def test_nan_is_no_arm_and_no_class() -> None:
    shop = SHOP.with_columns(variant=pl.Series([1.0, 2.0] * 9 + [float("nan")] * 2))
    assert "NaN" not in str(plumbline.experiment(shop, ["orders"]))
    judged = VOTES.with_columns(label=pl.Series([1.0, 1.0, 0.0, 0.0, 0.0, float("nan")]))
    assert "N316" in {notice.code for notice in plumbline.agree(judged, resamples=10).notices}


def test_folds_without_a_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("item,fold\na,1\nb,\nc,2\n")
    with pytest.raises(plumbline.BadData, match="E114 the fold id is missing in row 2"):
        plumbline.evaluate(ANSWERS, ANSWERS, ["Accuracy"], task="classification", folds=path)


def test_votes_with_hundreds_of_labels_fit_into_memory() -> None:
    drawn = np.random.default_rng(0)
    votes = pl.DataFrame({"item": np.repeat(np.arange(300), 3), "worker": np.tile(["a", "b", "c"], 300)})
    labels = [f"{label}" for label in drawn.integers(0, 120, 900)]
    assessors = plumbline.aggregate(votes.with_columns(label=pl.Series(labels))).assessors
    assert assessors["spammer_high"].is_between(0, 1).all()
