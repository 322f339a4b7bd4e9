"""The page of figures shows every kind, with the words that the figures have."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from plumbline.figures.registry import FIGURES

if TYPE_CHECKING:
    from types import ModuleType

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def gallery() -> Any:
    """The script that writes the page."""
    spec = importlib.util.spec_from_file_location("gallery", DOCS / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_every_kind(gallery: Any) -> None:
    assert gallery.PAGE.read_text(encoding="utf-8").endswith(gallery.section()), "run docs/gallery.py"


@pytest.mark.parametrize("kind", FIGURES)
def test_every_kind_has_its_picture(kind: str, gallery: Any) -> None:
    assert ET.parse(DOCS / "plots" / gallery.picture(kind)).getroot().tag.endswith("svg")  # noqa: S314 - our own
