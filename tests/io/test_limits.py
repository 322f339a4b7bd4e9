"""Limits: what is just allowed is read, and one more is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline as pb
from plumbline.align.missing import MOST_NAMED
from plumbline.io.interleaved.read import read_log
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


LIMITS: dict[str, tuple[Callable[[int], object], int, str]] = {
    "parts of a key of TOML": (toml, DEEPEST, "more than 32 parts"),
    "positions of a page": (log, 10_000, "E566"),
    "characters of a tag in a file": (tagged, 256, "E600"),
    "characters of a tag in a list": (listed_tags, 256, "E600"),
    "grades": (graded, 2**31 - 1, "E106"),
    "digits of an offset": (bioc, 18, "E617"),
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
