"""Many blank lines before the data: every format is read, and messages count them."""

from __future__ import annotations

import pytest

import plumbline as pb
from tests.helpers.label_forms import file

BLANK = {"newlines": "\n" * 70_000, "windows": "\r\n" * 40_000, "spaces": " \t\n" * 30_000}
"""More than the part of a file that is looked at to recognise its format."""
GOLDS = {
    "trec": "q 0 d 1\nq 0 e 0\n",
    "csv": "case,item,grade\nq,d,1\nq,e,0\n",
    "tsv": "case\titem\tgrade\nq\td\t1\nq\te\t0\n",
    "json": '{"q": {"d": 1, "e": 0}}',
    "json lines": '{"case": "q", "item": "d", "grade": 1}\n{"case": "q", "item": "e", "grade": 0}\n',
}


@pytest.mark.parametrize("blank", BLANK)
@pytest.mark.parametrize("form", GOLDS)
def test_blank_lines_at_the_start_do_not_matter(form: str, blank: str) -> None:
    scores = pb.evaluate(file(BLANK[blank] + GOLDS[form]), {"mine": {"q": {"e": 2.0, "d": 1.0}}}, "AP")
    assert scores.mean["value"].to_list() == [0.5]


@pytest.mark.parametrize("blank", BLANK)
@pytest.mark.parametrize("text", ["q Q0 d 1 1 t\nq Q0 e 2 x t\n", "case,item,score\nq,d,x\n"])
def test_messages_count_them(text: str, blank: str) -> None:
    with pytest.raises(pb.BadData, match="E102") as caught:
        pb.evaluate({"q": {"d": 1}}, file(BLANK[blank] + text), "AP")
    assert caught.value.line == BLANK[blank].count("\n") + 2


@pytest.mark.parametrize("text", ["a yes\nb no\n", "item,label\na,yes\nb,no\n"])
def test_labels_too(text: str) -> None:
    assert pb.evaluate(file(BLANK["newlines"] + text), file(text), "Accuracy", task="filtering").mean["value"][0] == 1.0
