"""What people prefer against what metrics prefer: counted by hand, by a loop, and told where something is missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline import BadData, BadUsage
from tests.helpers.command_line import plumbline as shell

if TYPE_CHECKING:
    from pathlib import Path

TABLE = {
    "AP": {"a": {"q1": 0.5, "q2": 0.2}, "b": {"q1": 0.4, "q2": 0.2}, "c": {"q1": 0.1, "q2": 0.9}},
    "RR": {"a": {"q1": 0.5, "q2": 1.0}, "b": {"q1": 1.0, "q2": 0.5}, "c": {"q1": 0.5, "q2": 0.5}},
}
ROWS = [("q1", "a", "b"), ("q1", "b", "c"), ("q2", "a", "b"), ("q2", "c", "a")]
FEW: dict[str, Any] = {"splits": 2, "resamples": 10}


def frame(rows: list[tuple[Any, str, str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"case": pl.String, "better": pl.String, "worse": pl.String}, orient="row")


def study(rows: list[tuple[Any, str, str]], table: Any = TABLE) -> plumbline.Study:
    return plumbline.meta(table, preferences=frame(rows), **FEW)


def test_by_hand() -> None:
    ap, rr = study(ROWS).preferences.to_dicts()
    assert (ap["agreed"], ap["opposed"], ap["tied"], ap["preferences"]) == (3, 0, 1, 4)
    assert (ap["agreement"], ap["tau"]) == (3.5 / 4, 3 / 4)
    assert (rr["agreed"], rr["opposed"], rr["tied"]) == (2, 2, 0)
    assert (rr["agreement"], rr["tau"]) == (0.5, 0.0)
    assert "AP follows 88% of what people prefer, more than any other metric." in str(study(ROWS))


@given(st.lists(st.tuples(st.sampled_from(["q1", "q2"]), *[st.sampled_from("abc")] * 2), min_size=1, max_size=8))
def test_a_loop_agrees(rows: list[tuple[Any, str, str]]) -> None:
    for row in study(rows).preferences.iter_rows(named=True):
        gaps = [TABLE[row["metric"]][better][case] - TABLE[row["metric"]][worse][case] for case, better, worse in rows]
        counted = tuple(sum(test) for test in zip(*((gap > 0, gap < 0, gap == 0) for gap in gaps), strict=True))
        assert (row["agreed"], row["opposed"], row["tied"]) == counted


def test_without_cases_the_means_of_systems_are_compared() -> None:
    ap, rr = plumbline.meta(TABLE, preferences={"better": ["c", "a"], "worse": ["a", "b"]}, **FEW).preferences.to_dicts()
    assert (ap["agreed"], rr["agreed"], rr["opposed"], rr["tied"]) == (2, 0, 1, 1)


def test_lower_values_are_better_where_that_is_so() -> None:
    table = {"AP": TABLE["AP"], "loss": TABLE["RR"]}
    actual = plumbline.meta(table, preferences=frame(ROWS[:1]), lower="loss", **FEW).preferences.to_dicts()
    assert [row["agreed"] for row in actual] == [1, 1]


def test_what_is_unknown_is_left_out_with_a_notice() -> None:
    actual = study([*ROWS, ("q9", "a", "b"), ("q1", "a", "z"), (None, "a", "b")])
    assert actual.preferences["preferences"].to_list() == [5, 5]
    (notice,) = [one for one in actual.notices if one.code == "N254"]
    assert notice.text.startswith("2 of 7 preferences are about systems or cases without scores")
    assert "prefers a to b in q9" in notice.text


def test_undefined_values_are_no_preferences() -> None:
    table = {"AP": TABLE["AP"], "RR": {**TABLE["RR"], "a": {"q1": float("nan"), "q2": 1.0}}}
    ap, rr = study(ROWS, table).preferences.to_dicts()
    assert (ap["preferences"], rr["preferences"]) == (4, 3)
    nothing = study([("q1", "x", "y")])
    assert nothing.preferences["agreement"].to_list() == [None, None]
    assert "No metric has a value of the outputs that people compared." in str(nothing)


def test_from_a_file_on_the_command_line(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    rows = [
        f"{metric},{system},{case},{value}"
        for metric, table in TABLE.items()
        for system, row in table.items()
        for case, value in row.items()
    ]
    scores.write_text("\n".join(["metric,system,case,value", *rows]), encoding="utf-8")
    judged = tmp_path / "judged.csv"
    judged.write_text("case,better,worse\n" + "\n".join(map(",".join, ROWS)), encoding="utf-8")
    arguments = ("meta", str(scores), "--preferences", str(judged), "--splits", "2", "--resamples", "10")
    assert "AP follows 88% of what people prefer" in shell(*arguments).out
    assert "agreement" in shell(*arguments, "--show", "preferences", "--show", "consistency", "--show", "stability").out
    assert len(json.loads(shell(*arguments, "--format", "json").out)["preferences"]) == 2
    assert shell(*arguments[:2], "--show", "preferences").code == 2


@pytest.mark.parametrize("data", [{"better": ["a"]}, {"case": ["q1"], "worse": ["a"]}, {"better": [], "worse": []}])
def test_what_is_no_table_of_preferences(data: dict[str, list[str]]) -> None:
    with pytest.raises(BadData, match=r"E105|E177|column"):
        plumbline.meta(TABLE, preferences=data, **FEW)


def test_without_preferences_there_is_no_table() -> None:
    with pytest.raises(BadUsage, match="preferences"):
        _ = plumbline.meta(TABLE, **FEW).preferences


def test_saved_with_the_study(tmp_path: Path) -> None:
    made = study(ROWS)
    made.save(tmp_path / "study.parquet")
    loaded = plumbline.load(tmp_path / "study.parquet")
    assert isinstance(loaded, plumbline.Study)
    assert loaded.preferences.equals(made.preferences)
