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
    path.write_text("".join(f"{separator.join(row)}\n" for row in [("item", "label", "Speaker_ID"), *ROWS]), encoding="utf-8")
    for task in ({}, {"task": "classification", "positive": None}):
        assert clusters_of(_evaluation(path, **task), "speaker_id").tolist() == EXPECTED
    with pytest.raises(BadData, match="did you mean Speaker_ID"):
        clusters_of(_evaluation(path), "speaker_ids")


def test_a_column_that_could_be_the_case_is_the_unit_where_it_is_named_so() -> None:
    """A user is a case by its name; as a unit it is none, and outputs need not have it."""
    frame = pl.DataFrame(ROWS, schema=["item", "label", "user_id"], orient="row")
    evaluation = _evaluation(frame, columns={"unit": "user_id"})
    assert evaluation.alignment().cases == ["whole"]
    assert clusters_of(evaluation, "user_id").tolist() == EXPECTED
    output = frame.select("item", "label", "user_id")
    by_user = evaluation_of(frame, {"a": output}, ["Accuracy"], task="classification")
    assert len(set(clusters_of(by_user, "user_id").tolist())) == len(by_user.alignment().cases) == 3


def test_a_column_of_a_frame_or_of_json_lines(tmp_path: Path) -> None:
    frame = pl.DataFrame(ROWS, schema=["item", "label", "author"], orient="row")
    assert clusters_of(_evaluation(frame), "author").tolist() == EXPECTED
    path = tmp_path / "gold.jsonl"
    frame.write_ndjson(path)
    assert clusters_of(_evaluation(path), "author").tolist() == EXPECTED
    numbers = frame.with_columns(pl.Series("author", [20, 10, 20, 30]))
    assert len(set(clusters_of(_evaluation(numbers), "author").tolist())) == 3


def test_all_rows_of_an_item_are_in_one_cluster() -> None:
    frame = pl.DataFrame({"item": ["i1", "i1", "i2"], "label": ["a", "b", "a"], "author": ["x", "x", "y"]})
    evaluation = evaluation_of(frame, {"a": {"i1": ["a"], "i2": ["b"]}}, ["Accuracy"], task="classification", multilabel=True)
    assert clusters_of(evaluation, "author").tolist() == [0, 1]
    wrong = frame.with_columns(pl.Series("author", ["x", "z", "y"]))
    evaluation = evaluation_of(wrong, {"a": {"i1": ["a"], "i2": ["b"]}}, ["Accuracy"], task="classification", multilabel=True)
    with pytest.raises(BadData, match="i1 is in x, z"):
        clusters_of(evaluation, "author")


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
    text = "".join(",".join(row) + "\n" for row in [("item", "label", "author"), *ROWS])
    with pytest.raises(BadUsage, match="read once"):
        clusters_of(_evaluation(io.StringIO(text)), "author")


def test_rankings_have_no_items_as_units() -> None:
    evaluation = evaluation_of({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}}, ["AP"])
    with pytest.raises(BadUsage, match="one ranking is one observation"):
        clusters_of(evaluation, "user")
