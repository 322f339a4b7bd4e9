"""The page of figures shows every kind, with the words that the figures have."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from plumbline.figures.registry import FIGURES
from tests.helpers.docs_scripts import DOCS, script


@pytest.fixture(scope="module")
def gallery() -> Any:
    """The script that writes the page."""
    return script("gallery")


def test_the_page_has_every_kind(gallery: Any) -> None:
    assert gallery.PAGE.read_text(encoding="utf-8").endswith(gallery.section()), "run docs/gallery.py"


@pytest.mark.parametrize("kind", FIGURES)
def test_every_kind_has_its_picture(kind: str, gallery: Any) -> None:
    assert ET.parse(DOCS / "plots" / gallery.picture(kind)).getroot().tag.endswith("svg")  # noqa: S314 - our own
