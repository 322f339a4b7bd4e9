"""Entries of references.bib by their keys."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

ENTRY: Final = re.compile(r"^@\w+\{(\w+),\n.*?^\}", re.MULTILINE | re.DOTALL)
NAME: Final = "references.bib"


def entries(keys: Iterable[str]) -> list[str]:
    """The entries of these keys, as they stand in the file."""
    known = _all()
    return [known[key] for key in keys if key in known]


@cache
def _all() -> dict[str, str]:
    return {match[1]: match[0] for match in ENTRY.finditer(_text())}


def _text() -> str:
    """An installed package holds the file; in a clone it stands at the root."""
    inside = files("plumbline").joinpath(NAME)
    return (inside if inside.is_file() else Path(__file__).parents[3] / NAME).read_text(encoding="utf-8")
