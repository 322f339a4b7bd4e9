"""The start of a file, split into lines and names once for all readers that look at it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from plumbline.io.columns.names import plain_name
from plumbline.lazily import pattern
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.schema import TableKind

_LINE: Final = pattern(rb"[^\r\n]+")


@dataclass(frozen=True)
class Sample:
    """The first bytes of a file, and the kind of table that is wanted from it."""

    label: str
    """The name of the file, for messages."""
    head: bytes
    kind: TableKind = "scores"
    columns: frozenset[str] = frozenset()
    """Columns that were named, in the form in which names are compared."""

    @cached_property
    def text(self) -> bytes:
        """The bytes without white space before them."""
        return self.head.lstrip()

    @cached_property
    def lines(self) -> list[str]:
        """The lines that hold data; the last one may have been cut."""
        lines = self.head.decode(errors="replace").replace("\r", "\n").split("\n")  # faster than one after the other
        return [line for line in lines if line.strip(" \t") and not line.startswith("#")]

    @cached_property
    def first_line(self) -> str:
        """The first line that holds data, empty if there is none."""
        return next(self.each_line(), "")

    @cached_property
    def names(self) -> list[str]:
        """The cells of the first line between commas, tabs or semicolons, in the form in which column names are compared."""
        return [plain_name(word) for word in re.split(r"[,\t;]", self.first_line)]

    def each_line(self) -> Iterator[str]:
        """The lines that hold data, where the first few are enough."""
        lines = (match.group() for match in _LINE.finditer(self.head))
        return (line.decode(errors="replace") for line in lines if line.strip(b" \t") and not line.startswith(b"#"))
