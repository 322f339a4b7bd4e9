"""A page read back: its tables, headings, names and data, as a reader without scripts gets them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

CELLS = ("td", "th")
ADDRESSES = ("src", "href", "action", "data", "poster", "srcset", "formaction")


@dataclass
class Cell:
    """Its text, without small print, and the number in full."""

    text: str = ""
    small: list[str] = field(default_factory=list)
    value: float | None = None


@dataclass
class Page(HTMLParser):
    """Everything that tests ask about."""

    tables: dict[str, list[list[Cell]]] = field(default_factory=dict)
    headings: list[tuple[int, str]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    scripts: list[tuple[dict[str, str | None], str]] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[str] = []
        self._table = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag, and begin what is collected of it."""
        facts = dict(attrs)
        self.tags.append((tag, facts))
        if facts.get("id"):
            self.ids.append(str(facts["id"]))
        if "table" in str(facts.get("class")).split():
            self._table = str(facts["id"])
            self.tables[self._table] = []
        if tag == "tr":
            self.tables[self._table].append([])
        if tag in CELLS:
            value = facts.get("data-value")
            self.tables[self._table][-1].append(Cell(value=None if value is None else float(value)))
        if tag in ("h1", "h2", "h3"):
            self.headings.append((int(tag[1]), ""))
        if tag == "script":
            self.scripts.append((facts, ""))
        if tag == "style":
            self.styles.append("")
        if tag not in ("meta", "link", "br", "wbr", "input", "img"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Every tag is closed in its turn."""
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text goes to the innermost thing that is collected."""
        inside = self._open[-1] if self._open else ""
        if inside == "script":
            facts, text = self.scripts[-1]
            self.scripts[-1] = (facts, text + data)
            return
        if inside == "style":
            self.styles[-1] += data
            return
        self.texts.append(data)
        if any(tag in CELLS for tag in self._open):
            cell = self.tables[self._table][-1][-1]
            if inside == "small":
                cell.small.append(data)
            else:
                cell.text += data.strip()
        if inside in ("h1", "h2", "h3"):
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)

    def data(self, name: str) -> Any:
        """The JSON of an element."""
        return json.loads(next(text for facts, text in self.scripts if facts.get("id") == name))

    def text(self) -> str:
        """All that is read."""
        return "".join(self.texts)

    def addresses(self) -> list[str]:
        """Wherever the page points to."""
        return [str(value) for _, facts in self.tags for name, value in facts.items() if name in ADDRESSES]


def read_page(html: str) -> Page:
    """The page as data."""
    page = Page()
    page.feed(html)
    page.close()
    return page
