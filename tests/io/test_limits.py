"""Limits: what is just allowed is read, and one more is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline as pb
from plumbline.align.missing import MOST_NAMED
from plumbline.io.formats.tags import lines
from plumbline.io.interleaved.read import read_log
from plumbline.io.native import SWITCH
from plumbline.io.toml import DEEPEST, parsed_toml
from tests.helpers.label_forms import file

if TYPE_CHECKING:
    from collections.abc import Callable

RUN = {"q": {"d1": 1.0}}


def toml(depth: int) -> object:
    return parsed_toml(".".join("a" * depth) + " = 1\n")


def log(position: int) -> object:
    return read_log(pl.DataFrame({"session": ["s"], "clicked": [1], "position": [position], "team": ["A"]}))


def tagged(length: int) -> object:
    tags = file(f"word B-{'X' * (length - 2)}\n", "gold.iob")
    return pb.evaluate(tags, {"mine": [["O"]]}, ["P"], task="extraction")


def listed_tags(length: int) -> object:
    return pb.evaluate([[f"B-{'X' * (length - 2)}"]], {"mine": [["O"]]}, ["P"], task="extraction")


def graded(grade: int) -> object:
    return pb.evaluate(file(f"q 0 d1 {grade}\n"), RUN, ["nDCG(gain=linear)"])


def bioc(digits: int) -> object:
    place = {"offset": "0" * (digits - 1) + "1", "length": 2}
    passage = {"offset": 0, "text": "Ada left", "annotations": [{"id": "1", "infons": {"type": "X"}, "locations": [place]}]}
    text = json.dumps({"documents": [{"id": "a", "passages": [passage]}]})
    return pb.evaluate(file(text, "gold.json"), file(text, "output.json"), ["P"], task="extraction", reader="bioc")


def brat(digits: int) -> object:
    text = f"T1\tX {'0' * (digits - 1)}1 {'0' * (digits - 1)}3\tda\n"
    return pb.evaluate(file(text, "a/doc.ann"), file(text, "b/doc.ann"), ["P"], task="extraction", reader="brat")


def passage(offset: int) -> object:
    """A passage may begin 2**20 characters behind all that are written."""
    one = {"offset": 0, "text": "Ada left", "annotations": []}
    text = json.dumps({"documents": [{"id": "a", "passages": [one, {"offset": offset, "text": "x", "annotations": []}]}]})
    return pb.evaluate(file(text, "gold.json"), file(text, "output.json"), ["P"], task="extraction", reader="bioc")


LIMITS: dict[str, tuple[Callable[[int], object], int, str]] = {
    "parts of a key of TOML": (toml, DEEPEST, "more than 32 parts"),
    "positions of a page": (log, 10_000, "E566"),
    "characters of a tag in a file": (tagged, 256, "E600"),
    "characters of a tag in a list": (listed_tags, 256, "E600"),
    "grades": (graded, 2**31 - 1, "E106"),
    "digits of an offset": (bioc, 18, "E617"),
    "digits of an offset of brat": (brat, 18, "an offset is beyond every text"),
    "where a passage begins": (passage, 2**20 + 17, "far behind the one before"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_where_it_is(name: str) -> None:
    call, most, message = LIMITS[name]
    call(most)
    with pytest.raises((pb.PlumblineError, ValueError), match=message):
        call(most + 1)


@pytest.mark.parametrize("count", [MOST_NAMED - 1, MOST_NAMED, MOST_NAMED + 1])
def test_as_many_items_are_named_as_the_notice_counts(count: int) -> None:
    gold = {f"d{at}": "a" for at in range(count + 1)}
    (notice,) = pb.evaluate(gold, {"mine": {"d0": "a"}}, ["Accuracy"], task="classification").notices
    named = [name for name in gold if name in notice.text.replace(",", " ").split()]
    assert f"{count} " in notice.text
    assert len(named) + int(notice.text.partition(" and ")[2].split(" ")[0] or 0 if " more" in notice.text else 0) == count


@pytest.mark.parametrize(("tied", "noticed"), [(3, True), (2, False)])
def test_ties_are_noticed_from_a_half_on(tied: int, noticed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    scores = {f"d{at}": 1.0 if at < tied else -float(at) for at in range(6)}
    notices = pb.evaluate({"q": {"d0": 1}}, {"q": scores}, ["AP"]).notices
    assert any(notice.code == "N205" for notice in notices) == noticed


def test_the_place_of_a_wrong_tag_in_a_list() -> None:
    gold: Any = [["B-X", "O"], ["O", "B-X", "XX"], ["O"]]
    with pytest.raises(pb.BadData, match=r"gold, 2: E600.*XX"):
        pb.evaluate(gold, {"mine": gold}, ["P"], task="extraction")


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        ((-1, 2), "starts at -1, before its document"),
        ((0, 0), "starts at 0 and ends at 0: it is empty"),
        ((3, 2), "it is empty"),
    ],
)
def test_what_is_wrong_with_a_span(span: tuple[int, int], reason: str) -> None:
    with pytest.raises(pb.BadData, match=reason):
        pb.evaluate({"a": [(*span, "X")]}, {"mine": {"a": [(0, 1, "X")]}}, ["P"], task="extraction")


@pytest.mark.parametrize(("row", "column"), [(1, 2), (0, 3), (2, 2)])
def test_the_first_wrong_distance_is_named(row: int, column: int) -> None:
    distances = np.ones((4, 4)) - np.eye(4)
    distances[row, column] = distances[3, 3] = -2.0
    table = {name: dict(zip("abcd", values, strict=True)) for name, values in zip("abcd", distances.tolist(), strict=True)}
    with pytest.raises(pb.BadData, match=f"E145 the distance -2 from {'abcd'[row]} to {'abcd'[column]}"):
        pb.internal({"a": "1", "b": "1", "c": "2", "d": "2"}, distances=table)


def test_four_lines_make_a_file_of_tags() -> None:
    """The fifth line is no sign of the format, and is wrong in it."""
    with pytest.raises(pb.BadData, match=r"gold:5: E600 'end' is not a tag"):
        pb.evaluate(file("a O\nb B-X\nc I-X\nd O\ne end\n", "gold"), {"mine": [["O"]]}, ["P"], task="extraction")


def test_a_comment_in_the_first_line_may_be_a_row() -> None:
    labels = file("#d1\tspam\nd2\tspam\nd3\tham\n", "gold")
    scores = pb.evaluate(labels, {"mine": {"d2": "spam", "d3": "ham"}}, ["Accuracy"], task="classification")
    assert "N295" in {notice.code for notice in scores.notices}


@pytest.mark.parametrize("spread", [lines._SPREAD, np.uint64(0)])  # noqa: SLF001 - tags that share a number hardly ever occur
def test_tags_that_share_a_number_are_told_apart(spread: np.uint64, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "0")
    monkeypatch.setattr(lines, "_SPREAD", spread)
    kinds = [f"{letter}{'long' * 3}end" for letter in "CABBAC"]
    tagged = "".join(f"w B-{kind}\n" for kind in kinds)
    gold, output = file(tagged, "gold.iob"), file(tagged.replace("B-C", "B-D"), "output.iob")
    scores = pb.evaluate(gold, {"mine": output}, ["COR"], task="extraction", pooled=True)
    assert scores.mean["value"].to_list() == [4]
