"""Clusterings in every form give the same scores; broken ones are named with their line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import plumbline as pb
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.helpers.weps_files import weps

if TYPE_CHECKING:
    from pathlib import Path


OPTIONS = ReadOptions(kind="clusters")
METRICS = ["BCubedP", "BCubedR", "Purity", "ARI"]
GOLD = {"q1": {"x": ["a", "b"], "y": ["c"]}, "q2": {"x": ["a", "b", "c"]}}
SYSTEM = {"q1": {"1": ["a"], "2": ["b", "c"]}, "q2": {"1": ["a", "b"], "2": ["c"]}}
ROWS = [(case, item, cluster) for case, clusters in SYSTEM.items() for cluster, items in clusters.items() for item in items]


def scores(gold: Any, systems: Any, **options: Any) -> list[tuple[str, float | None]]:
    result = pb.evaluate(gold, systems, METRICS, task="clustering", **options)
    return list(result.per_case.select("metric", "value").iter_rows())


def lines(separator: str, *header: str) -> str:
    return "".join(separator.join(row) + "\n" for row in ([header, *ROWS] if header else ROWS))


FILES = {
    "plain.tsv": lines("\t"),
    "plain.txt": lines(" "),
    "topics.csv": lines(",", "topic", "item", "cluster"),
    "words.csv": lines(",", "word", "context_id", "sense_id"),
    "evall.tsv": lines("\t", "test_case", "id", "value"),
    "replab.dat": lines("\t", '"entity_id"', '"tweet_id"', '"topic"'),
    "lists.json": json.dumps(SYSTEM),
    "nested.json": json.dumps({case: list(clusters.values()) for case, clusters in SYSTEM.items()}),
    "labels.json": json.dumps({case: {item: c for c, items in of.items() for item in items} for case, of in SYSTEM.items()}),
    "records.json": json.dumps([dict(zip(("case", "item", "cluster"), row, strict=True)) for row in ROWS]),
    "records.jsonl": "".join(json.dumps({"case": case, "item": item, "cluster": [c]}) + "\n" for case, item, c in ROWS),
    "lists.jsonl": "".join(
        json.dumps({"case": case, "cluster": cluster, "items": items}) + "\n"
        for case, clusters in SYSTEM.items()
        for cluster, items in clusters.items()
    ),
}


@pytest.fixture(name="expected")
def _expected() -> list[tuple[str, float | None]]:
    result = scores(GOLD, SYSTEM)
    assert [value for name, value in result if name == "BCubedP"] == pytest.approx([2 / 3, 1])
    return result


@pytest.mark.parametrize("name", FILES)
def test_every_file_gives_the_same(name: str, tmp_path: Path, expected: list[tuple[str, float | None]]) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    assert scores(GOLD, path) == expected
    assert scores(GOLD, {"named": str(path)}) == expected


def test_every_object_gives_the_same(tmp_path: Path, expected: list[tuple[str, float | None]]) -> None:
    frame = pl.DataFrame(ROWS, schema=["case", "item", "cluster"], orient="row")
    forms: list[Any] = [
        {"named": SYSTEM},
        {case: list(map(set, clusters.values())) for case, clusters in SYSTEM.items()},
        {case: {name: np.array(items) for name, items in clusters.items()} for case, clusters in SYSTEM.items()},
        {case: {name: pl.Series(items) for name, items in clusters.items()} for case, clusters in SYSTEM.items()},
        {"polars": frame},
        {"pandas": pd.DataFrame(ROWS, columns=["query", "doc", "group"])},
        frame.rename({"case": "name", "item": "id", "cluster": "community"}),
        weps(tmp_path / "system", SYSTEM),
        f"{tmp_path / 'system'}/*.clust.xml",
        {"named": f"{tmp_path / 'system'}/*.xml"},
    ]
    assert [scores(GOLD, form) for form in forms] == [expected] * len(forms)
    golds: list[Any] = [{case: list(of.values()) for case, of in GOLD.items()}, weps(tmp_path / "gold", GOLD)]
    golds.append(f"{golds[-1]}/*.xml")
    assert [scores(gold, form) for gold in golds for form in (SYSTEM, forms[0])] == [expected] * 6


ONE: list[Any] = [
    [["a", "b"], ["c"]],
    (("a", "b"), ("c",)),
    frozenset({frozenset({"a", "b"}), frozenset({"c"})}),
    {"x": ["a", "b"], "y": ["c"]},
    {"a": 1, "b": 1, "c": 2},
    [np.array(["a", "b"]), np.array(["c"])],
]
OTHER: list[Any] = [
    [["a"], ["b", "c"]],
    {"x": ["a"], "y": ["b", "c"]},
    {"a": 0, "b": 1, "c": 1},
    {"name": [["a"], ["b", "c"]]},
    {"name": {"x": ["a"], "y": ["b", "c"]}},
    {"name": {"a": 0, "b": 1, "c": 1}},
]


@pytest.mark.parametrize("gold", ONE)
@pytest.mark.parametrize("system", OTHER)
def test_one_case_in_any_form(gold: Any, system: Any) -> None:
    assert scores(gold, system) == scores({"w": GOLD["q1"]}, {"w": SYSTEM["q1"]})


def test_label_arrays_are_not_lists_of_items() -> None:
    assert scores([0, 0, 1], {"a": [0, 1, 1], "b": np.array([0, 1, 1])}) == scores([0, 0, 1], [0, 1, 1]) * 2
    assert scores(np.array([0, 0, 1]), np.array([0, 1, 1])) == scores([[0, 1], [2]], [[0], [1, 2]])


@pytest.mark.parametrize(
    "system",
    [
        np.array([0, 1, 1], dtype=np.uint8),
        np.array([0, 1, 1], dtype=np.int16),
        pl.Series(["u", "v", "v"]),
        {"0": "u", "1": "v", "2": "v"},
        {"2": "v", "0": "u", "1": "v"},
        pl.DataFrame({"item": [0, 1, 2], "cluster": [5, 6, 6]}),
        [[0], [1, 2]],
    ],
)
def test_rows_of_an_array_are_items_by_their_number(system: Any) -> None:
    assert scores(np.array([0, 0, 1]), {"a": system}) == scores([[0, 1], [2]], [[0], [1, 2]])


def test_items_of_arrays_are_named_by_their_number() -> None:
    result = pb.evaluate(np.array([0, 0, 1, 1]), {"a": {"0": "u", "1": "v", "2": "v"}}, METRICS, task="clustering")
    assert "1 of 4 items" in result.notices[0].text
    assert result.notices[0].text.endswith(": 3")
    with pytest.raises(pb.BadData, match=r"has 0, 1, 2.*has a, b"):
        pb.evaluate(np.array([0, 0, 1]), {"s": {"a": "u", "b": "v"}}, METRICS, task="clustering")


def test_gold_and_output_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "senses.csv"
    path.write_text("context_id\tword\tgold_sense_id\tpredict_sense_id\n1\tw\t1\t1\n2\tw\t1\t2\n3\tw\t2\t2\n", encoding="utf-8")
    result = scores(path, path)
    assert result == scores([[0, 1], [2]], [[0], [1, 2]])
    words = tmp_path / "words.csv"
    words.write_text("word,cluster\nred,1\nblue,1\nseven,2\n", encoding="utf-8")
    assert read(words, "gold", OPTIONS).frame["item"].to_list() == ["red", "blue", "seven"]


def test_empty_clusters_are_ignored_with_a_notice() -> None:
    result = pb.evaluate({"x": ["a", "b"], "y": ["c"], "z": []}, [["a"], [], ["b", "c"]], METRICS, task="clustering")
    assert [notice.text for notice in result.notices] == [
        "1 empty cluster ignored: whole/z",
        "1 empty cluster ignored: whole/1",
    ]
    assert read({"q1": {"x": ["a"]}, "q2": [], "q3": {}}, "gold", OPTIONS).empty_cases == ("q2", "q3")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"x": ["a"], "b": "y"}, "E134 x has a list, like a cluster, and b has none"),
        ({"q1": {"x": ["a"]}, "q2": {"b": "y"}}, "E134 q1/x has a list, like a cluster, and q2/b has none"),
        ({"q1": [["a"]], "q2": 3}, "E134 q1/0 has a list"),
        ([["a"], "b"], "E134 0 has a list"),
        ([["a", 1.5]], "E114 the item id 1.5 is a float"),
        ([["a", ["b"]]], "is a list"),
        ([["a", "\udc80"]], "lone surrogate"),
    ],
)
def test_lists_that_are_no_clusters(data: Any, message: str) -> None:
    with pytest.raises(pb.BadData, match=message):
        scores(data, data)


def test_missing_cluster_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    path.write_text("entity_id,tweet_id,colour\nq1,a,red\n", encoding="utf-8")
    with pytest.raises(pb.BadData, match=r"gold\.csv:1: E109 no column for the cluster; the columns are entity_id, tweet_id"):
        read(path, "gold", OPTIONS)


def test_tables_that_are_not_utf8_keep_their_clusters(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    path.write_bytes("entity_id\ttweet_id\ttopic\n1\ta\tcafé\n1\tb\tcafè\n1\tc\tcafé\n".encode("latin-1"))
    result = read(path, "gold", OPTIONS)
    assert result.frame["value"].to_list() == ["café", "cafè", "café"]
    assert "N231" in {notice.code for notice in result.notices}
