"""The XML of BioC as the objects that its JSON has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NoReturn
from xml.parsers import expat

from plumbline.errors import BadData, Place, clusterings, spans

_LISTS: Final = {
    "document": "documents",
    "passage": "passages",
    "sentence": "sentences",
    "annotation": "annotations",
    "relation": "relations",
    "location": "locations",
    "node": "nodes",
}
"""Elements of the XML, and what JSON calls the lists of them."""
_LEAVES: Final = ("id", "offset", "text")
LINE: Final = "line of the XML"
"""Where an object has its line; no attribute has such a name."""


def documents_of_xml(label: str, data: bytes) -> list[dict[str, Any]]:
    """The documents, with their lines; a document type may name a file, which is not opened, and declare nothing."""
    reading = _Reading(label)
    parser = reading.parser
    parser.StartElementHandler, parser.EndElementHandler = reading.start, reading.end
    parser.CharacterDataHandler = reading.text.append
    parser.StartDoctypeDeclHandler, parser.SkippedEntityHandler = reading.document_type, reading.skipped
    try:
        parser.Parse(data, True)  # noqa: FBT003 - takes no keyword
    except expat.ExpatError as error:
        place = Place(label, error.lineno, error.offset + 1)
        raise BadData(clusterings.bad_xml(place, f"not well-formed: {expat.ErrorString(error.code)}")) from None
    documents: list[dict[str, Any]] = reading.root.get("documents", [])
    return documents


@dataclass
class _Reading:
    """What is open while the parser goes through a file."""

    label: str
    parser: expat.XMLParserType = field(default_factory=lambda: expat.ParserCreate("utf-8"))
    """Whatever encoding the file declares, its text was found to be UTF-8."""
    root: dict[str, Any] = field(default_factory=dict)
    opened: list[dict[str, Any]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An object for an element that JSON has a list of; others are parts of the object around them."""
        self.text.clear()
        if not self.opened:
            if tag != "collection":
                raise BadData(spans.bad_bioc(self._place(), f"the root is <{tag}>, not <collection>"))
            self.opened.append(self.root)
            return
        around = self.opened[-1]
        made = {**attributes, LINE: self.parser.CurrentLineNumber}
        if tag in _LISTS:
            around.setdefault(_LISTS[tag], []).append(made)
        self.opened.append(made if tag in _LISTS or tag == "infon" else around)

    def end(self, tag: str) -> None:
        """The text of an element that has no others within."""
        made = self.opened.pop()
        if tag == "infon" and self.opened:
            self.opened[-1].setdefault("infons", {})[made.get("key", "")] = "".join(self.text)
        elif tag in _LEAVES:
            made[tag] = "".join(self.text)
        self.text.clear()

    def document_type(self, *declared: object) -> None:
        """One that declares entities could fill the memory."""
        if declared[-1]:
            self._refuse("its document type has declarations")

    def skipped(self, name: str, _: object) -> None:
        """An entity that the file does not declare."""
        self._refuse(f"the entity {name} is declared elsewhere")

    def _refuse(self, reason: str) -> NoReturn:
        raise BadData(clusterings.bad_xml(self._place(), reason))

    def _place(self) -> Place:
        return Place(self.label, self.parser.CurrentLineNumber)
