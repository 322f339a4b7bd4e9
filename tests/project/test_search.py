"""The search of the site finds the words that newcomers bring."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.helpers.docs_scripts import DOCS, script

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("word", "page"),
    [("p-value", "improvement.md"), ("pandas", "python.md"), ("F1", "labels.md"), ("interleaving", "interleaving.md")],
)
def test_search_finds_the_words_of_newcomers(word: str, page: str) -> None:
    """The search of the site looks for the beginnings of words, between spaces and hyphens."""
    words = re.split(r"[\s\-*_`.,:;()\[\]?!]+", (DOCS / page).read_text(encoding="utf-8").lower())
    for part in word.lower().split("-"):
        assert any(one.startswith(part) for one in words)


def test_a_p_value_is_no_precision() -> None:
    """The page about p-values counts more than those of metrics that are called P."""
    searching = script("searching")
    page = SimpleNamespace(file=SimpleNamespace(src_uri="improvement.md"), meta={})
    text = (DOCS / "improvement.md").read_text(encoding="utf-8")
    assert searching.on_page_markdown(text, page=page) == text
    assert page.meta == {"search": {"boost": 10}}
    assert re.search("^## .*p-values", text, re.MULTILINE)
    assert "docs/searching.py" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
