"""WePS clusterings: an XML file for each name, with its entities and their documents."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from plumbline.errors import BadData, Place, clusterings
from plumbline.io.formats.members import Member, member_table

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import Table

_ENDING: Final = re.compile(r"(\.clust)?\.xml(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
_PARENTS: Final = {
    "clustering": (None,),
    "entity": ("clustering",),
    "discarded": ("clustering",),
    "doc": ("entity", "discarded"),
}
"""Where each element stands; others are not looked at."""


def case_of(path: str | Path) -> str:
    """A name is called after its file."""
    return _ENDING.sub("", Path(path).name)


def read_weps(content: Content, case: str | None = None) -> Table:
    """The documents of each entity; those that are discarded are no items.

    The case is the one given, or that of the file name where it ends in `.clust.xml`, or the name in the file.
    """
    reading = _Reading(content.label)
    reading.parse(bytes(content.data))
    named = ".clust." in Path(content.label).name.lower() or not reading.name
    called = case or (case_of(content.label) if named else "_".join(reading.name.split()))
    return member_table([row._replace(case=called) for row in reading.found], [called], content.label, "weps")


@dataclass
class _Reading:
    """What is open while the parser goes through a file."""

    label: str
    name: str = ""
    entity: str = ""
    open: list[str] = field(default_factory=list)
    found: list[Member] = field(default_factory=list)

    def parse(self, data: bytes) -> None:
        parser = self._parser()
        try:
            parser.Parse(data, True)  # noqa: FBT003 - takes no keyword
        except expat.ExpatError as error:
            place = Place(self.label, error.lineno, error.offset + 1)
            raise BadData(clusterings.bad_xml(place, f"not well-formed: {expat.ErrorString(error.code)}")) from None

    def _parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda tag, attributes: self._start(tag, attributes, parser.CurrentLineNumber)
        parser.EndElementHandler = lambda _: self.open.pop()

        def refuse(*_: object) -> None:
            raise BadData(clusterings.bad_xml(Place(self.label, parser.CurrentLineNumber), "it declares a document type"))

        parser.StartDoctypeDeclHandler = refuse
        return parser

    def _start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        parent = self.open[-1] if self.open else None
        self.open.append(tag)
        place = Place(self.label, line)
        if parent is None and tag != "clustering":
            raise BadData(clusterings.not_weps(place, f"the root is <{tag}>"))
        if tag in _PARENTS and parent not in _PARENTS[tag]:
            raise BadData(clusterings.not_weps(place, f"<{tag}> inside of <{parent}>"))
        if tag == "clustering":
            self.name = attributes.get("name", "")
        elif tag == "entity":
            self.entity = self._attribute(attributes, "id", tag, place)
        elif tag == "doc" and parent == "entity":
            self.found.append(Member("", self._attribute(attributes, "rank", tag, place), self.entity, line))

    def _attribute(self, attributes: dict[str, str], name: str, tag: str, place: Place) -> str:
        if not attributes.get(name, "").strip():
            raise BadData(clusterings.not_weps(place, f"a <{tag}> without {name}"))
        return attributes[name].strip()
