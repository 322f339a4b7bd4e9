"""Which items belong together: a column of the gold, a dict, or an array."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from plumbline.comparison.units.clusters import clusters_of
from plumbline.errors import BadData, BadUsage
from plumbline.evaluation.evaluation import Evaluation, evaluation_of

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [("i1", "spam", "u2"), ("i2", "ham", "u1"), ("i3", "ham", "u2"), ("i4", "spam", "u3")]
OUTPUT = {"i1": "spam", "i2": "ham", "i3": "spam", "i4": "spam"}
EXPECTED = [1, 0, 1, 2]


def _evaluation(gold: Any, **options: Any) -> Evaluation:
    return evaluation_of(gold, {"a": OUTPUT}, ["Accuracy"], **({"task": "filtering", "positive": "spam"} | options))


@pytest.mark.parametrize(("ending", "separator"), [("tsv", "\t"), ("csv", ",")])
def test_a_column_of_the_gold(tmp_path: Path, ending: str, separator: str) -> None:
    path = tmp_path / f"gold.{ending}"
    path.write_text("".join(f"{separator.join(row)}\n" for row in [("item", "label", "User_ID"), *ROWS]), encoding="utf-8")
    for task in ({}, {"task": "classification", "positive": None}):
        assert clusters_of(_evaluation(path, **task), "user_id").tolist() == EXPECTED
    with pytest.raises(BadData, match="did you mean User_ID"):
        clusters_of(_evaluation(path), "user_ids")


def test_a_column_of_a_frame_or_of_json_lines(tmp_path: Path) -> None:
    frame = pl.DataFrame(ROWS, schema=["item", "label", "user"], orient="row")
    assert clusters_of(_evaluation(frame), "user").tolist() == EXPECTED
    path = tmp_path / "gold.jsonl"
    frame.write_ndjson(path)
    assert clusters_of(_evaluation(path), "user").tolist() == EXPECTED
    numbers = frame.with_columns(pl.Series("user", [20, 10, 20, 30]))
    assert len(set(clusters_of(_evaluation(numbers), "user").tolist())) == 3


def test_all_rows_of_an_item_are_in_one_cluster() -> None:
    frame = pl.DataFrame({"item": ["i1", "i1", "i2"], "label": ["a", "b", "a"], "user": ["x", "x", "y"]})
    evaluation = evaluation_of(frame, {"a": {"i1": ["a"], "i2": ["b"]}}, ["Accuracy"], task="classification", multilabel=True)
    assert clusters_of(evaluation, "user").tolist() == [0, 1]
    wrong = frame.with_columns(pl.Series("user", ["x", "z", "y"]))
    evaluation = evaluation_of(wrong, {"a": {"i1": ["a"], "i2": ["b"]}}, ["Accuracy"], task="classification", multilabel=True)
    with pytest.raises(BadData, match="i1 is in x, z"):
        clusters_of(evaluation, "user")


def test_a_dict_or_an_array() -> None:
    gold = {item: label for item, label, _ in ROWS}
    users = {item: user for item, _, user in ROWS}
    assert clusters_of(_evaluation(gold), users).tolist() == EXPECTED
    assert clusters_of(_evaluation(gold), list(users.values())).tolist() == EXPECTED
    nested = evaluation_of({"q": gold}, {"a": {"q": OUTPUT}}, ["Accuracy"], task="classification")
    assert clusters_of(nested, {"q": users}).tolist() == EXPECTED
    with pytest.raises(BadData, match="1 of 4 items have no cluster: i4"):
        clusters_of(_evaluation(gold), {item: user for item, user in users.items() if item != "i4"})
    with pytest.raises(BadUsage, match="one for each of the 4 items"):
        clusters_of(_evaluation(gold), ["u1", "u2"])


def test_files_without_a_header_have_no_such_column(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("".join(f"{item}\t{label}\n" for item, label, _ in ROWS), encoding="utf-8")
    with pytest.raises(BadUsage, match="header"):
        clusters_of(_evaluation(path), "user")


def test_a_pipe_cannot_be_read_for_another_column() -> None:
    text = "".join(",".join(row) + "\n" for row in [("item", "label", "user"), *ROWS])
    with pytest.raises(BadUsage, match="read once"):
        clusters_of(_evaluation(io.StringIO(text)), "user")


def test_rankings_have_no_items_as_units() -> None:
    evaluation = evaluation_of({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}}, ["AP"])
    with pytest.raises(BadUsage, match="one ranking is one observation"):
        clusters_of(evaluation, "user")
