"""What the reader is told or finds out: order, tag, kind of file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from plumbline.errors import BadData, BadUsage
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.helpers.command_line import MEAN_AP, QRELS, RUN, plumbline
from tests.io.test_readers import NESTED, RECORDS, ROWS, TREC, delimited, from_bytes, rows

if TYPE_CHECKING:
    from pathlib import Path

UNSORTED = "q1 Q0 a 2 1.0 t\nq1 Q0 b 1 2.0 t\nq1 Q0 c 3 3.0 t\n"


@pytest.mark.parametrize(
    "data",
    [UNSORTED, "case,item,rank,score\nq1,a,2,1.0\nq1,b,1,2.0\nq1,c,3,3.0\n"],
    ids=["trec", "csv"],
)
@pytest.mark.parametrize(("order", "wanted"), [("score", "cba"), ("rank", "bac"), ("file", "abc")])
def test_order(data: str, order: str, wanted: str) -> None:
    table = from_bytes(data, order=order)
    assert "".join(table.frame.sort("value", descending=True)["item"].to_list()) == wanted


def test_order_of_keys_is_the_file_order_of_a_dict() -> None:
    table = read({"q1": {"a": 1.0, "b": 3.0}}, "output", ReadOptions(order="file"))
    assert table.frame["value"].to_list() == [0.0, -1.0]


def test_rank_order_needs_ranks() -> None:
    with pytest.raises(BadData, match="E109 no column for the rank"):
        from_bytes("case,item,score\nq1,a,1\n", order="rank")
    with pytest.raises(BadData, match="E102 rank 'x'"):
        from_bytes("q1 Q0 a x 1.0 t\n", order="rank")


TWO = RUN + RUN.replace(" sys", " new")


def test_tag_chooses_one_system_of_a_file(tmp_path: Path) -> None:
    path, gold = tmp_path / "two.txt", tmp_path / "gold.txt"
    path.write_text(TWO, encoding="utf-8")
    gold.write_text(QRELS, encoding="utf-8")
    ended = plumbline("evaluate", gold, path, "--tag", "new", "-m", "AP", "--format", "csv", "--names", "tag")
    assert ended.means() == {("new", "AP"): pytest.approx(MEAN_AP)}
    missing = plumbline("evaluate", gold, path, "--tag", "old")
    assert missing.code == 2
    assert "E308 there is no run tag 'old'" in missing.err


def test_tag_of_a_table() -> None:
    text = "system,case,item,score\nA,q1,d1,1\nB,q1,d1,2\n"
    with pytest.raises(BadData, match=r"E107 2 run tags in one file \(A, B\)"):
        from_bytes(text)
    table = from_bytes(text, tag="B")
    assert rows(table) == [("q1", "d1", 2.0)]
    assert table.tag == "B"


def test_reader_overrules_the_look() -> None:
    line = json.dumps(RECORDS[0])
    assert rows(from_bytes(line, reader="jsonl")) == ROWS[:1]
    with pytest.raises(BadUsage, match="E306"):
        from_bytes(line, reader="xml")
    with pytest.raises(BadData):
        from_bytes(TREC, reader="json")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (TREC, "read as trec: its lines have columns separated by white space"),
        (delimited(",", ("case", "item", "score")), "read as csv: its first line names columns"),
        (delimited("\t", ("case", "item", "score")), "read as tsv: its first line names columns, with tabs"),
        (json.dumps(NESTED), "read as json: it starts with {"),
        (json.dumps(RECORDS), r"read as json: it starts with ["),
        ("".join(json.dumps(record) + "\n" for record in RECORDS), "read as jsonl: every line starts with {"),
        ("test_case\tid\tvalue\nq\td\t1\n", "read as evall: its columns are test_case, id, value"),
    ],
)
def test_the_look_says_why(data: str, why: str) -> None:
    (notice,) = from_bytes(data).notices
    assert (notice.code, notice.text) == ("N212", why)
