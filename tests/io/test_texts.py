"""Texts of items and cases: the title of an item stands above its text, and nothing is said twice."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline
from plumbline.io.texts import read_texts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("record", "of", "expected"),
    [
        ({"item": "d1", "title": "Owls", "text": "They fly."}, "item", "Owls\n\nThey fly."),
        ({"item": "d1", "text": "They fly."}, "item", "They fly."),
        ({"item": "d1", "title": "They fly.", "text": "They fly."}, "item", "They fly."),
        ({"case": "q1", "title": "Owls", "text": "Do owls fly?"}, "case", "Do owls fly?"),
    ],
)
def test_titles_stand_above_the_texts_of_items(record: dict[str, str], of: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert list(read_texts(path, of).values()) == [expected]


def test_a_carriage_return_inside_a_line_ends_it() -> None:
    assert read_texts(BytesIO(b"d1\tone\rd2\ttwo\n"), "item") == {"d1": "one", "d2": "two"}


def test_a_field_without_an_end_is_an_error_with_its_line() -> None:
    with pytest.raises(plumbline.BadData, match="quote"):
        read_texts(BytesIO(b'item,text\nd1,"' + b"x" * 200_000), "item")


@pytest.mark.parametrize("separator", ["\t", ","])
def test_a_text_may_be_of_any_length(separator: str) -> None:
    text = "word " * 40_000
    data = f"item{separator}text\nd1{separator}{text}\nd2{separator}two\n".encode()
    assert read_texts(BytesIO(data), "item") == {"d1": text, "d2": "two"}


def test_the_line_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "texts.tsv"
    path.write_bytes(b"d1\tone\nd2\tcaf\xe9\n")
    with pytest.raises(plumbline.BadData, match=r"texts\.tsv:2: E006"):
        plumbline.judge(pl.DataFrame({"case": ["q"], "item": ["d1"]}), path)
