"""Judgements: every form gives the same table, and what is odd is named with its line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline as pb
from plumbline.io.judgements.part import forms
from plumbline.io.judgements.read import JudgementOptions, read_judgements

if TYPE_CHECKING:
    from pathlib import Path

LONG = "item,{column},label\nx,ann,good\nx,ben,bad\ny,ann,bad\n"
EXPECTED = [("x", "ann", "good"), ("x", "ben", "bad"), ("y", "ann", "bad")]


def rows(sources: object, **options: object) -> list[tuple[str, ...]]:
    frame = read_judgements(sources, JudgementOptions(**options)).frame  # type: ignore[arg-type]
    label = pl.col("label").list.join("+") if frame["label"].dtype == pl.List else pl.col("label")
    return sorted(frame.select("item", "assessor", label).rows())


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "column", ["assessor", "worker", "annotator", "judge", "rater", "coder", "user", "worker_id", "labeler"]
)
def test_columns_of_assessors(tmp_path: Path, column: str) -> None:
    assert rows(write(tmp_path, "labels.csv", LONG.format(column=column))) == EXPECTED


def test_forms_of_annotation_tools(tmp_path: Path) -> None:
    assert rows(write(tmp_path, "matrix.csv", "item,ann,ben\nx,good,bad\ny,bad,\n")) == EXPECTED
    doccano = [
        {"id": "x", "text": "t", "annotations": [{"label": "good", "user": "ann"}, {"label": "bad", "user": "ben"}]},
        {"id": "y", "text": "t", "annotations": [{"label": "bad", "user": "ann"}]},
    ]
    assert rows(write(tmp_path, "doccano.jsonl", "\n".join(map(json.dumps, doccano)))) == EXPECTED
    ann = [{"id": "x", "text": "t", "label": ["good"]}, {"id": "y", "text": "t", "label": ["bad"]}]
    ben = [{"id": "x", "text": "t", "label": ["bad"]}, {"id": "y", "text": "t", "label": []}]
    files = [
        write(tmp_path, f"{who}.jsonl", "\n".join(map(json.dumps, records))) for who, records in (("ann", ann), ("ben", ben))
    ]
    assert rows(files) == EXPECTED
    studio = [
        {
            "id": 1,
            "data": {"item": item},
            "annotations": [
                {"completed_by": {"email": who}, "lead_time": 2.5, "result": [{"value": {"choices": [label]}}]}
                for one, who, label in EXPECTED
                if one == item
            ]
            + [{"completed_by": 9, "was_cancelled": True, "result": []}],
        }
        for item in "xy"
    ]
    path = write(tmp_path, "studio.json", json.dumps(studio))
    assert rows(path) == EXPECTED
    assert read_judgements(path).frame["seconds"].to_list() == [2.5] * 3
    book = {
        "query_doc_pairs": [
            {
                "query_text": "q",
                "doc_id": "x",
                "judgements": [{"rating": 2.0, "user": {"name": "ann"}}, {"rating": 0, "user_id": 7}],
            }
        ]
    }
    assert rows(write(tmp_path, "book.json", json.dumps(book))) == [("x", "7", "0"), ("x", "ann", "2")]
    quepid = write(tmp_path, "quepid.csv", "query,docid,ann,ben\nq,x,2,0\nq,y,1,\n")
    assert rows(quepid, reader="quepid") == [("x", "ann", "2"), ("x", "ben", "0"), ("y", "ann", "1")]


def test_files_of_assessors_and_objects(tmp_path: Path) -> None:
    files = [write(tmp_path, "ann.qrels", "q 0 x 2\nq 0 y -1\n"), write(tmp_path, "ben.csv", "case,item,grade\nq,x,0\nq,y,1\n")]
    table = read_judgements(files)
    assert sorted(table.frame.select("case", "item", "assessor", "number").rows()) == [
        ("q", "x", "ann", 2.0),
        ("q", "x", "ben", 0.0),
        ("q", "y", "ben", 1.0),
    ]
    assert ["N316" in str(notice) for notice in table.notices] == [True]
    assert rows({"ann": {"x": "good", "y": "bad"}, "ben": {"x": "bad", "y": None}}) == EXPECTED
    assert rows({"ann": {"q": {"x": 1.0}}, "ben": {"q": {"x": 0}}}) == [("x", "ann", "1"), ("x", "ben", "0")]
    assert rows(pl.DataFrame({"item": ["x"], "ann": ["good"], "ben": ["bad"]})) == EXPECTED[:2]
    assert rows({"ann": ["b", "a"], "ben": [None, "a"]}) == [("1", "ann", "b"), ("2", "ann", "a"), ("2", "ben", "a")]


def test_sets_from_a_separator() -> None:
    assert rows({"ann": {"x": "a|b"}, "ben": {"x": "a"}}, label_separator="|") == [("x", "ann", "a+b"), ("x", "ben", "a")]


def test_named_columns(tmp_path: Path) -> None:
    path = write(tmp_path, "odd.csv", "url,who,what\nx,ann,good\nx,ben,bad\ny,ann,bad\n")
    assert rows(path, columns="item=url,assessor=who,label=what") == EXPECTED
    assert rows(path, columns={"item": "url", "assessor": "who", "label": "what"}) == EXPECTED
    with pytest.raises(pb.BadUsage, match="colour"):
        rows(path, columns="colour=who")
    with pytest.raises(pb.BadData, match=r"odd.csv.*E410 no column for the label"):
        rows(write(tmp_path, "odd.csv", "item,worker\nx,ann\n"))


def test_the_same_judgement_twice(tmp_path: Path) -> None:
    path = write(tmp_path, "labels.csv", "case,item,assessor,grade\n855410,8651770,NIST,2\n1,1,b,0\n855410,8651770,NIST,2\n")
    table = read_judgements(path)
    assert len(table.frame) == 2
    [notice] = table.notices
    assert str(notice).startswith(
        f"{path}:4: N310 assessor NIST judged item 8651770 in case 855410 twice, alike (first at line 2); counted once"
    )


def test_two_judgements_by_one_assessor(tmp_path: Path) -> None:
    path = write(tmp_path, "labels.csv", "item,assessor,grade\nx,a,2\nx,b,1\nx,a,3\n")
    with pytest.raises(
        pb.BadData, match=r"labels.csv:4: E411 assessor a judged item x twice, differently: 2 \(first at line 2\), then 3"
    ):
        read_judgements(path)
    for rule, kept in {"first": "2", "last": "3", "mean": "2.5"}.items():
        assert ("x", "a", kept) in rows(path, on_duplicate=rule)
    assert len(rows(path, repeats=True)) == 3
    result = pb.agree(path, repeats=True, interval="none")
    assert result.made["assessors"] == ["a", "b", "a (2)"]
    with pytest.raises(pb.BadData, match="E418"):
        rows(write(tmp_path, "text.csv", "item,assessor,label\nx,a,no\nx,a,yes\n"), on_duplicate="mean")


def test_grades_outside_the_scale(tmp_path: Path) -> None:
    human = write(tmp_path, "human.qrels", "q 0 a 0\nq 0 b 3\nq 0 c 1\n")
    llama = write(tmp_path, "llama.txt", "q 0 a 5\nq 0 b 3\nq 0 c 10\n")
    options = {"reference": "human"}
    with pytest.raises(pb.BadData, match=r"llama.txt:1(:\d+)?: E412 grade 5 is not on the scale 0-3 of human; 2 such grades"):
        rows([human, llama], **options)
    assert ("a", "llama", "3") in rows([human, llama], out_of_scale="clip", **options)
    assert len(rows([human, llama], out_of_scale="drop", **options)) == 4
    assert ("c", "llama", "10") in rows([human, llama], out_of_scale="keep", **options)
    assert len(rows([human, llama], scale=(0, 10))) == 6
    with pytest.raises(pb.BadData, match="not on the scale 0-2"):
        pb.agree([human, llama], scale="0-2")
    with pytest.raises(pb.BadUsage, match="the scale '3'"):
        pb.agree([human, llama], scale="3")


def test_forms_are_declared_and_refused_by_name(tmp_path: Path) -> None:
    assert list(forms())[-2:] == ["matrix", "table"]
    assert all(form.about for form in forms().values())
    with pytest.raises(pb.BadUsage):
        pb.agree(write(tmp_path, "x.csv", LONG.format(column="worker")), reader="excel")  # type: ignore[arg-type]
    with pytest.raises(pb.BadData, match="E416"):
        rows(write(tmp_path, "x.json", "[1, 2]"))
    with pytest.raises(pb.BadUsage, match="a path, a list of paths"):
        rows(3)
    with pytest.raises(pb.BadData):
        rows(write(tmp_path, "empty.csv", ""))


@pytest.mark.parametrize(
    "text",
    [
        '{"id":1,"text":"t","annotations":[{"label":"g","user":1}]}\n{"text":"t","annotations":[]}\n',
        '{"id":1,"text":"t","odd":[{"label":"g"}]}\n',
        '[{"id": 1, "data": {}, "annotations": [3]}]',
        '{"query_doc_pairs": [{"judgements": [{"rating": 1, "user": 3}]}]}',
        '{"a": {"x": 1}, "b": 3}',
        '{"a": {"x": {"y": 1}}}',
        '{"a": ["x"], "b": "\\udc80"}',
        "[]",
        "item,worker,label\n",
    ],
)
def test_damaged_files_are_told_and_never_crash(tmp_path: Path, text: str) -> None:
    with pytest.raises(pb.PlumblineError):
        pb.agree(write(tmp_path, "odd.json", text), reader=None)


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    path = write(tmp_path, "labels.csv", 'item,worker,label\n"=1+1",\x1b[31mann,good\n"=1+1",ben,bad\n')
    text = str(pb.agree(path, interval="none"))
    assert "\x1b" not in text


def test_a_label_that_is_no_level_is_refused() -> None:
    judged = {"ann": ["low", "high", "low"], "ben": ["low", "middle", "high"]}
    with pytest.raises(pb.BadUsage, match="middle"):
        pb.agree(judged, levels=["low", "high"])
    assert pb.agree(judged, levels=["low", "middle", "high"]).made["level"] == "ordinal"


def test_the_line_of_damaged_json_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "judged.json", '[\n{"item": "x", "assessor": "ann", "label": "good"},\n{"item": }\n]')
    with pytest.raises(pb.BadData, match=r"judged\.json:3:10: E111"):
        read_judgements(path, JudgementOptions())
