"""Attributes and relations of brat: both are about spans, whose places they take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, Place, spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_RELATION: Final = re.compile(r"R\d+\t(\S+) \S+:(\S+) \S+:(\S+)\s*")
_ATTRIBUTE: Final = re.compile(r"[AM]\d+\t(\S+) (\S+)(?: (\S.*?))?\s*")
_EVENT: Final = re.compile(r"(E\d+)\t\S+?:(T\d+)(?: .*)?")
Edges = tuple[int, int]


class Places:
    """Where spans stand, by their names; an event stands where the span stands that tells it."""

    def __init__(self, label: str, of_span: Mapping[str, Edges], lines: Iterable[tuple[int, str]]) -> None:
        """Of the spans and the events of a file."""
        self.label = label
        self.of = dict(of_span)
        for number, line in lines:
            if match := _EVENT.fullmatch(line):
                self.of[match[1]] = self.at(match[2], number)

    def at(self, name: str, line: int) -> Edges:
        """The start and the end of what is called so in a line."""
        if name not in self.of:
            raise BadData(spans.bad_annotation(Place(self.label, line), f"{name} is not a span or event of this file"))
        return self.of[name]

    def attributes(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str, int]]:
        """Start, end, the attribute with its value, if it has one, and the line."""
        for number, line in lines:
            match = _ATTRIBUTE.fullmatch(line)
            if match is None:
                raise BadData(spans.bad_annotation(Place(self.label, number), f"{line[:40]!r} is not an attribute of a span"))
            if not match[2].startswith("R"):
                yield *self.at(match[2], number), f"{match[1]}={match[3]}" if match[3] else match[1], number

    def relations(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str, str, int]]:
        """Head, relation, tail and the line; ends are offsets, START-END."""
        for number, line in lines:
            match = _RELATION.fullmatch(line)
            if match is None:
                raise BadData(spans.bad_annotation(Place(self.label, number), f"{line[:40]!r} is not a relation of two spans"))
            head, tail = (f"{start}-{end}" for start, end in (self.at(match[2], number), self.at(match[3], number)))
            yield head, match[1], tail, number
