"""Relevance strings by hand."""

from __future__ import annotations

import pytest

from tests.helpers.draw import draw, text_score


@pytest.mark.parametrize(
    ("name", "drawn", "expected"),
    [
        ("RelString", "R N - 2 x", "10-2."),
        ("RelString@3", "R N - 2 x", "10-"),
        ("RelString", "- - R", "--1"),
        ("RelString", "R - -", "1--"),
        ("RelString", "9 10 2.7", "9>2"),
        ("RelString@2", "- - R", "--"),
        ("RelString", " ".join("R" * 12), "1" * 10),
        ("RelString@12", " ".join("-" * 12), "-" * 12),
    ],
)
def test_by_hand(name: str, drawn: str, expected: str) -> None:
    assert text_score(name, draw(drawn, unseen="R")) == expected


def test_an_empty_list_is_an_empty_string() -> None:
    assert text_score("RelString", draw("", unseen="R")) == ""
