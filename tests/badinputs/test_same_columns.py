"""Two columns of one name: which of them is meant is not guessed."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import plumbline
from tests.helpers.label_forms import file

GOLD = {"a": "x", "b": "y"}


def refusal(output: Any) -> str:
    with pytest.raises(plumbline.BadData, match="E159") as caught:
        plumbline.evaluate(GOLD, output, "Accuracy", task="classification")
    return str(caught.value)


@pytest.mark.parametrize("native", ["0", "1"])
@pytest.mark.parametrize("second", ["label", "Label", " label"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_two_columns_of_labels(separator: str, second: str, native: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_NATIVE", native)
    text = f"item,label,{second}\na,x,y\nb,y,x\n".replace(",", separator)
    assert refusal(file(text)).startswith(f"labels.txt:1: E159 columns of the same name: label, {second}\n")


def test_two_columns_of_a_frame() -> None:
    frame = pl.DataFrame({"item": ["a", "b"], "label": ["x", "y"], "Label": ["y", "x"]})
    assert "E159 columns of the same name: label, Label\n" in refusal(frame)
    scores = plumbline.evaluate(GOLD, frame, "Accuracy", task="classification", columns={"label": "Label"})
    assert scores.mean["value"][0] == 0


@pytest.mark.parametrize("native", ["0", "1"])
def test_columns_that_nobody_reads_may_have_one_name(native: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_NATIVE", native)
    text = "item,label,note,note,Note\na,x,1,2,3\nb,y,1,2,3\n"
    assert plumbline.evaluate(GOLD, file(text), "Accuracy", task="classification").mean["value"][0] == 1


def test_a_run_with_two_scores() -> None:
    with pytest.raises(plumbline.BadData, match=r"labels\.txt:2: E159 columns of the same name: score, score"):
        plumbline.evaluate({"q": {"d": 1}}, file("\ncase,item,score,score\nq,d,1,2\n"), "AP")
