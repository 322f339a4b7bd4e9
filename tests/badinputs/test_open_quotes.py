"""A quotation mark that nobody closes takes all further lines for its field, which must not go unnoticed."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.label_forms import file

GOLD = {"a": "x", "b": "y", "c": "x"}


@pytest.mark.parametrize("native", ["0", "1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", ""], ids=["line end", "windows", "none"])
@pytest.mark.parametrize(
    ("lines", "number"), [('a,x\nb,"y\nc,x', 3), ('\na,x\nb,y\nc,"x', 5), ('a,5"" x\nb,"y\n"\nc,"x"\nd,"z', 6)]
)
def test_a_quoted_field_that_does_not_end(
    lines: str, number: int, end: str, native: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLUMBLINE_NATIVE", native)
    text = f"item,label\n{lines}".replace("\n", end or "\n") + end
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate(GOLD, file(text), "Accuracy", task="classification")
    assert str(caught.value).startswith(f"labels.txt:{number}: E123 a quoted field does not end")


@pytest.mark.parametrize("label", ['5" x', '"5"" x"', '"5\n"" x"'])
def test_a_quotation_mark_within_a_label(label: str) -> None:
    gold = GOLD | {"c": '5\n" x' if "\n" in label else '5" x'}
    scores = plumbline.evaluate(gold, file(f"item,label\na,x\nb,y\nc,{label}\n"), "Accuracy", task="classification")
    assert scores.mean["value"][0] == 1
