"""The spans of one side: the gold, or one system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline.schema import CASE, END, START, VALUE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Side:
    """The spans of the gold or of one system, in the order of document, start, end and type; none occurs twice."""

    document: Integers
    start: Integers
    end: Integers
    kind: Integers
    """The number of the type among the classes."""
    filler: Integers | None = None
    """Of fields and relations: the number of the value, or of the two ends, among all of them."""

    def __len__(self) -> int:
        return len(self.document)

    @property
    def columns(self) -> dict[str, Integers]:
        """The four columns by name."""
        return {CASE: self.document, START: self.start, END: self.end, VALUE: self.kind}

    def take(self, rows: Integers | NDArray[np.bool_]) -> Side:
        """Some of the spans."""
        filler = None if self.filler is None else self.filler[rows]
        return Side(self.document[rows], self.start[rows], self.end[rows], self.kind[rows], filler)
