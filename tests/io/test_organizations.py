"""Organizations in every form give the same levels and clusters."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import plumbline
from plumbline.errors import BadData
from tests.helpers.organization_forms import CLUSTERS, EXPECTED, LEVELS, drawn, notices, organization
from tests.helpers.weps_files import weps

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.io.table import Role


ROWS = [
    ("q1", "d1", 1, "a"),
    ("q1", "d2", 1, "b"),
    ("q1", "d3", 1, "b"),
    ("q1", "d4", 2, "c"),
    ("q2", "d1", 1, "a"),
    ("q2", "d4", 1, "a"),
]
NAMES = ("case", "item", "level", "cluster")
RECORDS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
OBJECTS = [{"case": case, "levels": levels} for case, levels in LEVELS.items()]


FILES = {
    "objects.json": json.dumps(OBJECTS),
    "pretty.json": json.dumps(OBJECTS, indent=2),
    "objects.jsonl": "".join(json.dumps(one) + "\n" for one in OBJECTS),
    "cases.json": json.dumps(LEVELS),
    "bare_ids.json": json.dumps({"q1": [["d1", ["d2", "d3"]], ["d4"]], "q2": [[["d1", "d4"]]]}),
    "table.csv": "".join(",".join(map(str, row)) + "\n" for row in [NAMES, *ROWS]),
    "table.tsv": "".join("\t".join(map(str, row)) + "\n" for row in [NAMES, *ROWS]),
    "priority.csv": "".join(",".join(map(str, row)) + "\n" for row in [("topic", "docno", "priority", "group"), *ROWS]),
    "score.csv": "case,item,score,cluster\n" + "".join(f"{case},{item},{-level},{name}\n" for case, item, level, name in ROWS),
    "records.json": json.dumps(RECORDS),
    "records.jsonl": "".join(json.dumps(one) + "\n" for one in RECORDS),
    "lists.jsonl": "".join(
        json.dumps({"case": case, "level": level, "cluster": f"{level}{index}", "items": items}) + "\n"
        for case, levels in LEVELS.items()
        for level, clusters in enumerate(levels, 1)
        for index, items in enumerate(clusters)
    ),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("role", ["gold", "output"])
def test_every_file_gives_the_same(name: str, role: Role, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    result = organization(path, role)
    assert drawn(result) == EXPECTED
    assert notices(result) == []
    assert result.frame.dtypes == [pl.Categorical, pl.String, pl.Float64, pl.String]
    assert result.frame.columns == ["case", "item", "value", "label"]
    with path.open("rb") as file:
        assert drawn(organization(file, role)) == EXPECTED


FORMS: list[Any] = [
    LEVELS,
    OBJECTS,
    {"q1": (({"d1"}, {"d2", "d3"}), (["d4"],)), "q2": [[frozenset({"d1", "d4"})]]},
    {"q1": [[["d1"], np.array(["d2", "d3"])], ["d4"]], "q2": [[np.array(["d1", "d4"])]]},
    pl.DataFrame(RECORDS),
    pl.DataFrame(RECORDS).lazy(),
    pd.DataFrame(RECORDS),
    pl.DataFrame(RECORDS).to_arrow(),
    io.BytesIO(json.dumps(LEVELS).encode()),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_every_object_gives_the_same(form: Any) -> None:
    assert drawn(organization(form)) == EXPECTED


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_columns_in_a_file(ending: str, tmp_path: Path) -> None:
    path, frame = tmp_path / f"table.{ending}", pl.DataFrame(RECORDS)
    _ = frame.write_parquet(path) if ending == "parquet" else frame.write_ipc(path)
    assert drawn(organization(path)) == EXPECTED


def test_levels_have_values_and_clusters_have_names() -> None:
    result = organization([[["d1"], ["d2", 3]], ["d4"]])
    assert result.frame.rows() == [
        ("whole", "d1", 0.0, "1.1"),
        ("whole", "d2", 0.0, "1.2"),
        ("whole", "3", 0.0, "1.2"),
        ("whole", "d4", -1.0, None),
    ]


def test_cases_with_nothing_prioritised() -> None:
    assert drawn(organization({"q1": [[["d1"]]], 2: []})) == {"q1": [["d1"]], "2": []}
    assert drawn(organization({"levels": []})) == {"whole": []}


def test_an_item_may_repeat_at_another_level_or_in_another_cluster() -> None:
    frame = pl.DataFrame({"item": ["a", "a", "a", "b"], "level": [1, 1, 2, 2], "cluster": ["x", "y", "x", None]})
    assert drawn(organization(frame)) == {"whole": [["a", "a+x"], ["a+x", "b"]]}
    assert drawn(organization([[["a", "b"], ["a"]], [["a"]]])) == {"whole": [["a", "a b"], ["a"]]}


TABLES = [
    ("item,level\na,2\nb,1\n", "output", [["b"], ["a"]]),
    ("item,rank\na,2\nb,1\n", "output", [["b"], ["a"]]),
    ("item,score\na,2\nb,1\n", "output", [["a"], ["b"]]),
    ("item,score,rank\na,2,2\nb,1,1\n", "output", [["a"], ["b"]]),
    ("item,relevance\na,2\nb,0.5\n", "output", [["a"], ["b"]]),
    ("item,relevance\na,2\nb,0\n", "output", [["a"], ["b"]]),
    ("item,relevance\na,2\nb,0\n", "gold", [["a"]]),
    ("item,score\na,2\nb,0\n", "gold", [["a"], ["b"]]),
    ("item,value,cluster\na,2,x\nb,0,x\n", "gold", [["a+x"], ["b+x"]]),
    ("item,score,cluster\na,2,x\nb,2,x\nc,2,\n", "output", [["a b", "c"]]),
    ("item,cluster\na,x\nb,x\nc,\n", "output", [["a b", "c"]]),
    ("item,label\na,x\nb,x\nc,y\n", "output", [["a b", "c"]]),
    ("item,topic\na,x\nb,x\nc,y\n", "output", [["a b", "c"]]),
    ("item,score,category\na,2,x\nb,2,x\n", "output", [["a b"]]),
    ("item,label\na,yes\nb,No\nc,yes\n", "output", [["a", "c"], ["b"]]),
    ("item,class\na,relevant\nb,irrelevant\n", "gold", [["a"], ["b"]]),
    ("item,y_true,y_pred\na,x,z\nb,x,y\n", "gold", [["a b"]]),
    ("item,y_true,y_pred\na,x,z\nb,x,y\n", "output", [["a", "b"]]),
    ("a\tx\nb\tx\nc\ty\n", "output", [["a b", "c"]]),
    ("a 3\nb 3\nc 7\n", "gold", [["a b", "c"]]),
    ("whole a spam\nwhole b ham\nwhole c spam\n", "gold", [["a c", "b"]]),
    ("a true\nb false\n", "output", [["a"], ["b"]]),
]


@pytest.mark.parametrize(("text", "role", "expected"), TABLES)
def test_what_columns_mean(text: str, role: Role, expected: list[list[str]], tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text(text, encoding="utf-8")
    result = organization(path, role)
    assert drawn(result) == {"whole": expected}
    assert notices(result) == []


@pytest.mark.parametrize(
    ("text", "role", "expected", "message"),
    [
        ("a 1\nb 0\n", "output", [["a"], ["b"]], "N232 labels 0 and 1 read as answers of a filter, 1 is positive"),
        ("a -1\nb -1\n", "output", [["a b"]], "N236 2 items in cluster -1, read as one cluster: noise?"),
        ("a -1\nb 0\nc 0\n", "output", [["a", "b c"]], "N236 1 item in cluster -1, read as one cluster: noise?"),
        ("item,label\na,1\nb,0\n", "gold", [["a"], ["b"]], "N232 labels 0 and 1 read as answers of a filter, 1 is positive"),
        ("item,label\na,1\nb,2\n", "gold", [["a", "b"]], "N232 numbers in column label read as clusters"),
        ("item,label,score\na,1,3\nb,0,4\n", "output", [["b"], ["a"]], "N234 column label not used: score gives the priority"),
        ("test_case,id,value\nwhole,a,1\nwhole,b,2\n", "output", [["a"], ["b"]], "N232 numbers read as ranks, 1 is best"),
        ("test_case,id,value\nwhole,a,1\nwhole,b,0\n", "gold", [["a"]], "N232 numbers read as grades, greater is better"),
    ],
)
def test_guesses_are_noticed(text: str, role: Role, expected: list[list[str]], message: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text(text, encoding="utf-8")
    result = organization(path, role)
    assert drawn(result) == {"whole": expected}
    assert notices(result) == [message]


def test_lists_without_clusters_are_levels() -> None:
    result = organization({"q1": [["a", "b"], ["c"]]})
    assert drawn(result) == {"q1": [["a", "b"], ["c"]]}
    assert notices(result) == [
        "N232 lists of items without clusters inside read as levels, best first, where every item is alone"
    ]


@pytest.mark.parametrize("role", ["gold", "output"])
def test_runs_and_judgements_are_organizations(role: Role, tmp_path: Path) -> None:
    run, qrels = tmp_path / "run.txt", tmp_path / "qrels.txt"
    run.write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 3 t\nq1 Q0 c 3 -1 t\n", encoding="utf-8")
    qrels.write_text("q2 0 a 0\nq1 0 a 1\nq1 0 b 2\nq1 0 c 0\nq1 0 b 2\nq1 0 d -1\n", encoding="utf-8")
    assert drawn(organization(run, role)) == {"q1": [["a", "b"], ["c"]]}
    result = organization(qrels, role)
    assert drawn(result) == {"q1": [["b"], ["a"]], "q2": []}
    assert notices(result) == [f"N208 1 repeated judgement ignored (same grade), such as {qrels}:5:6"]
    assert result.origin.places([1], "item")[0].line == 3


def test_the_order_of_an_output_can_be_chosen(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text("q1 Q0 a 2 3 t\nq1 Q0 b 1 2 t\nq1 Q0 c 3 9 u\n", encoding="utf-8")
    assert drawn(organization(run, order="rank", tag="t")) == {"q1": [["b"], ["a"]]}
    assert drawn(organization(run, order="file", tag="t")) == {"q1": [["a"], ["b"]]}
    table = pl.DataFrame({"item": ["a", "b"], "score": [2, 1], "rank": [2, 1]})
    assert drawn(organization(table, order="rank")) == {"whole": [["b"], ["a"]]}
    assert drawn(organization(table.select("item"), order="file")) == {"whole": [["a"], ["b"]]}


def test_rows_of_one_system_keep_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("system,item,level\nA,a,1\nB,a,1\nA,b,2\n", encoding="utf-8")
    result = organization(path, tag="A")
    assert (drawn(result), result.tag) == ({"whole": [["a"], ["b"]]}, "A")
    assert [place.line for place in result.origin.places([0, 1], "item")] == [2, 4]


@pytest.mark.parametrize("form", ["frame", "csv", "parquet", "answers"])
@pytest.mark.parametrize("engine", [None, "local"])
def test_a_column_tells_systems_apart(form: str, engine: str | None, tmp_path: Path) -> None:
    gold = pl.DataFrame({"case": ["q1", "q1", "q1", "q2", "q2"], "item": list("abcab"), "grade": [2, 1, 0, 0, 1]})
    levels = {"one": [1, 1, 2, 1, 2], "two": [3, 2, 1, 2, 1]}
    cells = {"one": ["yes", "no", "no", "yes", "no"], "two": ["no", "yes", "yes", "no", "yes"]}
    column, values = ("label", cells) if form == "answers" else ("level", levels)
    parts = {name: gold.select("case", "item").with_columns(pl.Series(column, values[name])) for name in levels}
    frame = pl.concat([one.with_columns(pl.lit(name).alias("system")) for name, one in parts.items()])
    both: Any = frame.sample(fraction=1.0, shuffle=True, seed=2)
    if form in {"csv", "parquet"}:
        both = tmp_path / f"both.{form}"
        frame.write_csv(both) if form == "csv" else frame.write_parquet(both)
    expected = plumbline.evaluate(gold, parts, task="organization")
    made = plumbline.evaluate(gold, both, task="organization", engine=engine)
    order = ["system", "case", "metric"]
    assert made.per_case.sort(order).equals(expected.per_case.sort(order))
    assert set(made.mean["system"]) == {"one", "two"}


def test_systems_of_a_table_keep_their_lines(tmp_path: Path) -> None:
    path, gold = tmp_path / "two.csv", {"q1": {"a": 1, "b": 0}}
    path.write_text("system,case,item,level\nA,q1,a,1\nB,q1,a,1\nB,q1,b,2\nB,q1,a,1\n", encoding="utf-8")
    with pytest.raises(BadData, match=r"two.csv:5: E146 item a occurs twice .* \(first at line 3\)"):
        plumbline.evaluate(gold, path, task="organization")
    both = plumbline.Composed(priority=path, clusters={"q1": {"a": "x", "b": "y"}})
    with pytest.raises(BadData, match=r"E107 2 run tags in one file \(A, B\)"):
        plumbline.evaluate(gold, both, task="organization")


def test_clusterings_are_one_level(tmp_path: Path) -> None:
    conll = tmp_path / "one.conll"
    conll.write_text("#begin document (d); part 0\n0\tx\t(1)\n1\ty\t(1)\n2\tz\t(2)\n#end document\n", encoding="utf-8")
    lists = tmp_path / "lists.json"
    lists.write_text(json.dumps(CLUSTERS), encoding="utf-8")
    expected = {"q1": [["a b", "c"]], "q2": [["a c"]]}
    folder = weps(tmp_path / "weps", CLUSTERS)
    forms: list[Any] = [CLUSTERS, lists, folder, f"{folder}/*.xml"]
    forms.append({"q1": {"a": "1", "b": "1", "c": "2"}, "q2": {"a": "z", "c": "z"}})
    assert [drawn(organization(form)) for form in forms] == [expected] * len(forms)
    result = organization(conll)
    assert result.frame["value"].to_list() == [0.0] * 3
    assert result.frame["label"].n_unique() == 2


@pytest.mark.parametrize(
    ("source", "role", "expected"),
    [
        ({"q1": {"a": 2, "b": 1, "c": 0}}, "output", {"q1": [["a"], ["b"], ["c"]]}),
        ({"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 0}}, "gold", {"q1": [["a"], ["b"]], "q2": []}),
        ({"q1": {"a": True, "b": False}}, "gold", {"q1": [["a"], ["b"]]}),
        ({"a": 2.5, "b": 1}, "output", {"whole": [["a"], ["b"]]}),
        ({"a": "x", "b": "x", "c": "y"}, "output", {"whole": [["a b", "c"]]}),
    ],
)
def test_dicts_of_items(source: Any, role: Role, expected: Any) -> None:
    assert drawn(organization(source, role)) == expected
