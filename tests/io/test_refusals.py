"""What a reader refuses, and where it says the trouble is."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline as pb
from plumbline.errors import BadData, BadUsage
from plumbline.io.read import read
from tests.io.test_readers import FRAME, NESTED, from_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.io.table import Role
    from plumbline.options.evaluation import Duplicates


def test_scores_keep_64_bits() -> None:
    first, second = 0.9222621453752586, 0.9222621453752587
    texts = [
        f"q Q0 a 1 {first!r} t\nq Q0 b 2 {second!r} t\n",
        f"case,item,score\nq,a,{first!r}\nq,b,{second!r}\n",
        json.dumps({"q": {"a": first, "b": second}}),
    ]
    for text in texts:
        assert from_bytes(text).frame["value"].to_list() == [first, second]


@pytest.mark.parametrize("text", ["+1.5", ".5", "5.", "1e-3", "1E3", "-0", "1e-400"])
def test_decimal_numbers(text: str) -> None:
    assert from_bytes(f"q Q0 a 1 {text} t\n").frame["value"].to_list() == [float(text)]
    assert from_bytes(f"case,item,score\nq,a,{text}\n").frame["value"].to_list() == [float(text)]


@pytest.mark.parametrize("text", ["0x10", "1_0", "\u0661", "-", "1e", "1,5", "abc", "1d3", "--1", "1.2.3"])
def test_what_is_no_decimal_number(text: str) -> None:
    with pytest.raises(BadData, match="E102") as caught:
        from_bytes(f"q Q0 a 1 {text} t\n")
    assert (caught.value.line, caught.value.diagnostics[0].place.column) == (1, 10)  # type: ignore[union-attr]
    with pytest.raises(BadData, match="E102"):
        from_bytes(f'case,item,score\nq,a,"{text}"\n')


@pytest.mark.parametrize("text", ["nan", "NaN", "inf", "-inf", "Infinity", "1e999"])
def test_what_has_no_place_in_an_order(text: str) -> None:
    for data, line in ((f"q Q0 a 1 1 t\nq Q0 b 2 {text} t\n", 2), (f"case,item,score\nq,a,{text}\n", 2)):
        with pytest.raises(BadData, match="E103") as caught:
            from_bytes(data)
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("data", "role", "code", "line", "column"),
    [
        ("q 0 a 1\nq 0 b x\n", "gold", "E102", 2, 7),
        ("# c\n\nq 0 a 1\n  q  0  b  x\n", "gold", "E102", 4, 12),
        ("q 0 a 1\r\nq 0 b x\r\n", "gold", "E102", 2, 7),
        ("q 0 a 1\rq 0 b 1e99\r", "gold", "E106", 2, 7),
        ("q Q0 a 1 1 t\nq Q0 b 2 1\n", "output", "E101", 2, None),
        ("q Q0 a 1 1 t\nq Q0 b\x00 2 1 t\n", "output", "E005", 2, 7),
        (b"q Q0 a 1 1 t\nq Q0 \xff 2 1 t\n", "output", "E006", 2, 6),
        ('case,item,score\n"q\n1",a,1\nq,b,x\n', "output", "E102", 4, None),
        ("case,item,score\nq,a,1\n\nq,b\n", "output", "E101", 4, None),
        (b"case,item,score\nq,a,1\nq,\xff,1\n", "output", "E006", 3, None),
        ('{"case":"q","item":"a","score":1}\n\n{"case":"q","item":"b","score":"x"}\n', "output", "E102", 3, None),
        ('{"case":"q","item":"a","score":1}\n{"case":"q","item":"b","score":1e999}\n', "output", "E103", 2, None),
        ('{"q": {"a": 1,}}', "output", "E111", 1, 15),
        ('{"q":\n {"a" 1}}', "output", "E111", 2, 7),
        ('{"case":"q","item":"a","score":1}\n' + "[" * 100_000 + "\n{}\n", "output", "E111", 2, None),
    ],
)
def test_places(data: str | bytes, role: Role, code: str, line: int, column: int | None) -> None:
    with pytest.raises(BadData) as caught:
        from_bytes(data, role)
    place = caught.value.diagnostics[0].place
    assert place is not None
    assert (caught.value.code, place.line) == (code, line)
    if column is not None:
        assert place.column == column


def test_at_most_twenty_problems_are_shown() -> None:
    with pytest.raises(BadData) as caught:
        from_bytes(f"q Q0 {'a' * 160} 1 x t\n" * 332)
    shown = str(caught.value).splitlines()
    assert shown[-1] == "and 312 more"
    assert sum("E102" in line for line in shown) == 20
    assert sum(line.startswith("  help:") for line in shown) == 1, "the same advice is given once"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"q": {1.5: 1.0}}, "E114"),
        ({"q": {"a": "1"}}, "E113"),
        ({"q": {"a": True}}, "E113"),
        ({"q": {"a": None}}, "E113"),
        ({"q": {"a": 10**400}}, "E113 .*too large"),
        ({"q": {"a": float("nan")}}, "q/a: E103"),
        ({"q": {"\udc80": 1.0}}, "E114"),
        ({"q": ["a"]}, "E309"),
        (pl.DataFrame({"query_id": [1.5], "doc_id": ["a"], "score": [1.0]}), "E114"),
        (pl.DataFrame({"query_id": [None], "doc_id": ["a"], "score": [1.0]}), "E114 .*missing"),
        (pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [True]}), "E102"),
        (pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [None]}), "E102"),
        (pl.DataFrame({"query_id": ["q"], "doc_id": ["a"]}), "E109"),
        (pl.DataFrame({"query_id": [[1]], "doc_id": ["a"], "score": [1.0]}), "E309"),
        ({}, "E002"),
        (5, "E309"),
        (None, "E309"),
    ],
)
def test_objects_that_cannot_be_read(source: object, message: str) -> None:
    with pytest.raises(pb.PlumblineError, match=message):
        read(source, "output")


@pytest.mark.parametrize("systems", [{}, [], [NESTED], [FRAME], [5], 5, None])
def test_systems_that_cannot_be_read(systems: object) -> None:
    with pytest.raises(BadUsage, match="E309"):
        pb.evaluate({"q1": {"007": 1}}, systems)


def test_many_systems_as_a_dict() -> None:
    scores = pb.evaluate({"q1": {"007": 1}}, {"a": NESTED, "b": FRAME, "c": FRAME.to_pandas()}, "RR")
    assert dict(scores.mean.select("system", "value").iter_rows()) == {"a": 1.0, "b": 1.0, "c": 1.0}


REPEATED = "q1 Q0 a 1 1.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 a 3 3.0 t\nq1 Q0 a 4 0.5 t\n"


@pytest.mark.parametrize(("rule", "rank"), [("first", 2), ("last", 2), ("best", 1)])
def test_duplicates_are_settled_as_asked(rule: Duplicates, rank: int, tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text(REPEATED, encoding="utf-8")
    scores = pb.evaluate({"q1": {"a": 1}}, path, "RR", on_duplicate=rule)
    assert scores.mean["value"].to_list() == [1 / rank]
    (notice,) = [notice for notice in scores.notices if notice.code == "N208"]
    assert f"2 repeated items ignored (kept the {rule})" in notice.text


def test_duplicates_are_named_with_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("q0 Q0 x 1 1 t\n# c\n" + REPEATED, encoding="utf-8")
    with pytest.raises(BadData) as caught:
        pb.evaluate({"q1": {"a": 1}}, path, "RR")
    assert [str(problem.place).rpartition("run.txt:")[2] for problem in caught.value.diagnostics] == ["5:7", "6:7"]
    assert all("(first at line 3)" in problem.text for problem in caught.value.diagnostics)


@pytest.mark.parametrize(("rule", "grade"), [("first", 0.0), ("last", 1.0), ("best", 2.0)])
def test_judgements_that_differ(rule: Duplicates, grade: float) -> None:
    gold = "q a 0 0\n".replace("a 0", "0 a") + "q 0 a 2\nq 0 a 1\n"
    run = {"q": {"a": 1.0}}
    with pytest.raises(BadData, match="E105 item a has two different grades"):
        pb.evaluate(io.BytesIO(gold.encode()), run)
    result = pb.evaluate(io.BytesIO(gold.encode()), run, "DCG", on_duplicate=rule).mean["value"][0]
    assert (result or 0.0) == grade


def test_lists_of_ids_are_no_scores() -> None:
    """The error says how to number them, and what it says works."""
    gold = {"q": {"a": 1, "b": 0}}
    for run in ({"q": ["b", "a"]}, {"mine": {"q": ["b", "a"]}}):
        with pytest.raises(pb.PlumblineError, match=r"(?s)E(309|113) .*a list of ids, best first, becomes {item: -place for"):
            pb.evaluate(gold, run, "RR")
    with pytest.raises(BadUsage, match=r"(?s)E309 cannot read the gold: a dict of lists.*becomes dict.fromkeys\(ids, 1\)"):
        pb.evaluate({"q": ["a"]}, {"q": {"a": 1.0}}, "RR")
    numbered = {"q": {item: -place for place, item in enumerate(["b", "a"])}}
    assert pb.evaluate({"q": dict.fromkeys(["a"], 1)}, numbered, "RR")["RR"] == {"system": 0.5}
