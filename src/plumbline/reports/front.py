"""Front matter of a report: what stands before the results, from the top of a plan."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NoReturn

from plumbline.errors import BadUsage, reports
from plumbline.options.option import briefly

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEYS: Final = ("introduction", "date", "logo", "links", "teams")
PICTURES: Final = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".svg": "image/svg+xml",
    ".gif": "image/gif",
}
SCHEMES: Final = ("https://", "http://", "mailto:")
LARGEST: Final = 500_000
"""Bytes of a logo: the page holds all of it."""


@dataclass(frozen=True)
class FrontMatter:
    """Who made the report, when and why; all of it may be missing."""

    introduction: tuple[str, ...] = ()
    """Paragraphs."""
    date: str = ""
    logo: str = ""
    """A picture as an address that holds all of it."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Addresses by the texts that are read."""
    teams: Mapping[str, str] = field(default_factory=dict)
    """Teams by their systems."""


def front_matter(path: Path, plan: dict[str, Any]) -> FrontMatter:
    """Take the keys of the front matter out of a plan."""
    given = {key: plan.pop(key) for key in KEYS if key in plan}
    for key in ("introduction", "logo"):
        if key in given and not isinstance(given[key], str):
            _refuse(path, f"{key} = {briefly(given[key])} is not text")
    when = given.get("date", "")
    if not isinstance(when, str | date):
        _refuse(path, f"date = {briefly(when)} is neither a date nor text")
    tables = {key: given.get(key, {}) for key in ("links", "teams")}
    for key, table in tables.items():
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            _refuse(path, f"{key} is not a table of texts, as in {key} = {{name = 'text'}}")
    for address in tables["links"].values():
        if not address.startswith(SCHEMES):
            _refuse(path, f"the link {briefly(address)} does not start with {', '.join(SCHEMES)}")
    paragraphs = tuple(text.strip() for text in given.get("introduction", "").split("\n\n") if text.strip())
    logo = _picture(path, given["logo"]) if given.get("logo") else ""
    return FrontMatter(paragraphs, str(when), logo, tables["links"], tables["teams"])


def _picture(path: Path, name: str) -> str:
    """A picture as an address that holds all of it."""
    file = path.parent / name
    if file.suffix.lower() not in PICTURES:
        _refuse(path, f"logo = {briefly(name)} is not a picture: it ends in none of {', '.join(PICTURES)}")
    try:
        content = file.read_bytes()
    except OSError as error:
        _refuse(path, f"logo = {briefly(name)}: {error.strerror or error}")
    if len(content) > LARGEST:
        _refuse(path, f"logo = {briefly(name)} has {len(content):,} bytes, and a page holds {LARGEST:,}")
    return f"data:{PICTURES[file.suffix.lower()]};base64,{b64encode(content).decode()}"


def _refuse(path: Path, reason: str) -> NoReturn:
    raise BadUsage(reports.bad_plan(str(path), reason))
