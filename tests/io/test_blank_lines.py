"""Blank lines of CSV and TSV: no rows, wherever they stand, and messages count them."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.label_forms import file

GOLD = {"q1": {"d1": 1, "d2": 0}}
ROWS = ("q1,d1,1", "q1,d2,2")
BLANKS = {
    "second": "case,item,score\n\n{}\n{}\n",
    "between": "case,item,score\n{}\n\n\n{}\n",
    "last": "case,item,score\n{}\n{}\n\n\n",
}


def _value(text: str) -> float:
    return float(plumbline.evaluate(GOLD, file(text), "AP").mean["value"][0])


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["unix", "windows", "old mac"])
@pytest.mark.parametrize("separator", [",", "\t"], ids=["csv", "tsv"])
@pytest.mark.parametrize("quoted", [False, True], ids=["plain", "quoted"])
@pytest.mark.parametrize("layout", BLANKS.values(), ids=list(BLANKS))
def test_blank_lines_do_not_matter(layout: str, separator: str, ends: str, *, quoted: bool) -> None:
    rows = [row.replace("d1", '"d1"') if quoted else row for row in ROWS]
    assert _value(layout.format(*rows).replace(",", separator).replace("\n", ends)) == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("case,item,score\n\nq1,d1,x\n", "labels.txt:3: E102 score 'x'"),
        ("case,item,score\nq1,d1,1\n\n\nq1,d2,x\n", "labels.txt:5: E102 score 'x'"),
        ("case,item,score\n\nq1,d1,1,1\n", "labels.txt:3: E101 4 columns"),
        ("case,item,score\n\n,,\n", "labels.txt:3: E114 the case id is missing"),
        ('case,item,score\n\n"q1",d1,1\n,,\n', "labels.txt:4: E114 the case id is missing"),
        ("case,item,score\n  \nq1,d1,1\n", "labels.txt:2: E101 1 column"),
    ],
)
def test_lines_are_counted_with_those_that_are_blank(text: str, message: str) -> None:
    with pytest.raises(plumbline.BadData) as caught:
        _value(text)
    assert str(caught.value).startswith(message)


def test_blank_lines_within_quotes_are_part_of_the_id() -> None:
    gold = {"q1": {"d\n\n1": 1, "d2": 0}}
    output = file('case,item,score\n\nq1,"d\n\n1",1\nq1,d2,2\n')
    assert plumbline.evaluate(gold, output, "AP").mean["value"][0] == 0.5


@pytest.mark.parametrize("native", ["0", "1"])
def test_labels_with_a_blank_line(native: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_NATIVE", native)
    labels = "item,label\n\na,x\nb,y\n"
    scores = plumbline.evaluate(file(labels), file(labels), "Accuracy", task="classification")
    assert scores.mean["value"][0] == 1
