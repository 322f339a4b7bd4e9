"""WePS clusterings: an XML file for each name, with its entities and their documents."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from plumbline.errors import BadData, Place, clusterings
from plumbline.io.rows import Row, table_of_rows

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table

_ENDING: Final = re.compile(r"(\.clust)?\.xml(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
_PARENTS: Final = {
    "clustering": (None,),
    "entity": ("clustering",),
    "discarded": ("clustering",),
    "doc": ("entity", "discarded"),
}
"""Where each element stands; others are not looked at."""


def read_weps(content: Content, options: ReadOptions) -> Table:
    """XML files of WePS: the documents of each entity; those that are discarded are no items.

    The case is called after the file if its name ends in `.clust.xml`, if it is one of a folder, or if no name stands in it.
    """
    reading = _Reading(content.label)
    reading.parse(bytes(content.data))
    path = Path(content.label)
    by_file = content.one_of_many or ".clust." in path.name.lower() or not reading.name
    case = _ENDING.sub("", path.name) if by_file else "_".join(reading.name.split())
    return table_of_rows([row._replace(case=case) for row in reading.rows], content.label, "weps", [case])


@dataclass
class _Reading:
    """What is open while the parser goes through a file."""

    label: str
    name: str = ""
    entity: str = ""
    open: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def parse(self, data: bytes) -> None:
        parser = self._parser()
        try:
            parser.Parse(data, True)  # noqa: FBT003 - takes no keyword
        except expat.ExpatError as error:
            place = Place(self.label, error.lineno, error.offset + 1)
            raise BadData(clusterings.bad_xml(place, f"not well-formed: {expat.ErrorString(error.code)}")) from None
        except LookupError as error:
            raise BadData(clusterings.bad_xml(Place(self.label, 1), str(error))) from None

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
            self.rows.append(Row("", self._attribute(attributes, "rank", tag, place), self.entity, line))

    def _attribute(self, attributes: dict[str, str], name: str, tag: str, place: Place) -> str:
        if not attributes.get(name, "").strip():
            raise BadData(clusterings.not_weps(place, f"a <{tag}> without {name}"))
        return attributes[name].strip()
