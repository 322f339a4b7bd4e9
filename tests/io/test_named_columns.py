"""Columns that are named for a meaning, several systems in one column, and run tags that do not matter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pytest

import plumbline as pb
from tests.helpers.command_line import plumbline
from tests.helpers.label_forms import file, refusal

if TYPE_CHECKING:
    from pathlib import Path

GOLD = "shopper,asin,stars\nu1,a,2\nu1,b,0\nu2,a,1\nu2,b,0\n"
ROWS = [("u1", "a", 0.9), ("u1", "b", 0.1), ("u2", "a", 0.3), ("u2", "b", 0.8)]
NAMES = ("shopper", "asin", "margin")
COLUMNS = {"case": "shopper", "item": "asin", "score": "margin", "grade": "stars"}
FORMS: dict[str, Any] = {
    "csv": lambda: file(",".join(NAMES) + "\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS)),
    "tsv": lambda: file("\t".join(NAMES) + "\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in ROWS)),
    "json": lambda: file(json.dumps([dict(zip(NAMES, row, strict=True)) for row in ROWS])),
    "json lines": lambda: file("\n".join(json.dumps(dict(zip(NAMES, row, strict=True))) for row in ROWS)),
    "polars": lambda: pl.DataFrame(ROWS, schema=list(NAMES), orient="row"),
    "pandas": lambda: pd.DataFrame(ROWS, columns=list(NAMES)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("columns", [COLUMNS, ",".join(f"{meaning} = {column}" for meaning, column in COLUMNS.items())])
def test_named_columns_are_read(form: str, columns: Any) -> None:
    scores = pb.evaluate(file(GOLD), {"mine": FORMS[form]()}, "AP", columns=columns)
    assert scores.per_case["value"].to_list() == [1.0, 0.5]
    assert scores.made["options"]["columns"].replace(" ", "") == "case=shopper,item=asin,score=margin,grade=stars"


def test_the_command_line_takes_them(tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "mine.csv").write_bytes(FORMS["csv"]().getvalue())
    paths = [str(tmp_path / "gold.csv"), str(tmp_path / "mine.csv")]
    wanted = "case=shopper,item=asin,score=margin,grade=stars"
    ended = plumbline("evaluate", *paths, "-m", "AP", "--columns", wanted, "--format", "csv")
    assert (ended.code, ended.out) == (0, "system,case,metric,value\nmine,all,AP,0.75\n")
    assert "--columns case=NAME" in plumbline("evaluate", *paths, "-m", "AP").err


def test_a_named_column_goes_before_usual_names() -> None:
    gold, output = "id,y_true,mark\na,1,0\nb,0,1\n", "id,prediction,guess,score,other\na,1,0,0.9,0.1\nb,0,1,0.1,0.9\n"
    both = pb.evaluate(file(gold), file(output), ["Accuracy", "AUC"], task="filtering")
    assert both.mean["value"].to_list() == [1.0, 1.0]
    labels = pb.evaluate(file(gold), file(output), ["Accuracy", "AUC"], task="filtering", columns={"label": "guess"})
    assert labels.mean["value"].to_list() == [0.0, 1.0]
    scores = pb.evaluate(file(gold), file(output), ["Accuracy", "AUC"], task="filtering", columns={"score": "other"})
    assert scores.mean["value"].to_list() == [1.0, 0.0]
    clusters = "id,cluster,mine\na,1,2\nb,1,1\n"
    named = pb.evaluate(file("id,cluster\na,1\nb,1\n"), file(clusters), "ARI", task="clustering", columns={"cluster": "mine"})
    assert named.mean["value"].to_list() == [0.0]


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ({"shopper": "case"}, "E183"),
        ("case=shopper,case=asin", "E183"),
        ("case=", "E183"),
        ("case", "E183"),
        ({**COLUMNS, "system": "nobody"}, "E184"),
        ({**COLUMNS, "score": "nothing"}, "E109"),
        ({"case": 1}, "E371"),
    ],
)
def test_columns_that_are_not_there_or_not_understood(columns: Any, code: str) -> None:
    refusal(code, file(GOLD), FORMS["csv"](), ["AP"], "ranking", columns=columns)


def test_files_without_a_heading_have_no_columns_to_name() -> None:
    refusal("E184", file("q 0 d 1\n"), file("q Q0 d 1 1 t\n"), ["AP"], "ranking", columns={"score": "rank"})


SEVERAL = "model,case,item,score\nm1,q,a,2\nm1,q,b,1\nm2,q,a,1\nm2,q,b,2\n"


@pytest.mark.parametrize("name", ["model", "system", "run_id", "tag"])
def test_a_column_may_hold_several_systems(name: str) -> None:
    text = SEVERAL.replace("model", name)
    scores = pb.evaluate({"q": {"a": 1, "b": 0}}, file(text), "AP")
    assert scores.mean.select("system", "value").rows() == [("m1", 1.0), ("m2", 0.5)]
    frame = pl.read_csv(text.encode())
    assert pb.evaluate({"q": {"a": 1, "b": 0}}, {"mine": frame}, "AP").mean.rows() == scores.mean.rows()
    one = pb.evaluate({"q": {"a": 1, "b": 0}}, file(text), "AP", tag="m2")
    assert one.mean["value"].to_list() == [0.5]


def test_several_systems_of_labels_and_places_of_their_rows() -> None:
    text = "system,item,label\nm1,a,x\nm1,b,y\nm2,a,y\nm2,b,y\n"
    gold = {"a": "x", "b": "y"}
    scores = pb.evaluate(gold, file(text, "all.csv"), "Accuracy", task="classification")
    assert scores.mean["value"].to_list() == [1.0, 0.5]
    twice = refusal("E133", gold, file(text + "m2,b,x\n", "all.csv"), ["Accuracy"], "classification")
    assert twice.startswith("all.csv:6: E133 item b is labelled twice")
    clusters = pb.evaluate(gold, file(text.replace("label", "cluster")), "ARI", task="clustering")
    assert clusters.mean["value"].to_list() == [1.0, 0.0]


def test_two_files_with_the_same_systems_are_an_error() -> None:
    refusal("E116", {"q": {"a": 1}}, {"x": file(SEVERAL), "y": file(SEVERAL)}, ["AP"], "ranking")


def test_tags_that_differ_by_topic_are_one_run_on_request() -> None:
    run, gold = "q1 Q0 d 1 1 t1\nq2 Q0 d 1 1 t2\n", {"q1": {"d": 1}, "q2": {"d": 1}}
    assert 'tag="any"' in refusal("E107", gold, file(run), ["AP"], "ranking")
    scores = pb.evaluate(gold, file(run, "mine.run"), "AP", tag="any")
    assert scores.mean.select("system", "value").rows() == [("mine", 1.0)]
    once = pb.evaluate(gold, file(SEVERAL.replace("q,b", "q1,d")), "P@1", tag="any", on_duplicate="first")
    assert once.mean["value"].to_list() == [0.5]
    assert pb.evaluate(gold, {"x": {"q1": {"d": 1.0}}}, "AP", tag="any").mean["value"].to_list() == [0.5]
