"""A column of a text file as the reader in C hands it over: values stay in the bytes of the file until they are asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.io.listed import may_repeat
from plumbline.io.native import required
from plumbline.records import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int32]
    Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TextColumn:
    """Values that end with a separator or with the line."""

    data: bytes
    separator: str
    starts: NDArray[np.uint32]
    hashes: NDArray[np.uint64]
    """Equal values have equal hashes, and different ones almost never."""

    def texts(self, rows: Places) -> list[str]:
        """The values of some rows."""
        match: Any = re.compile(rb"[^\n%b]+" % self.separator.encode()).match
        return [match(self.data, start).group().decode() for start in self.starts[rows].tolist()]

    def are(self, other: TextColumn) -> bool:
        """Whether two columns have the same values, one by one."""
        if len(self.starts) != len(other.starts) or not bool((self.hashes == other.hashes).all()):
            return False
        return bool(required().equal_columns(*((one.data, one.starts, one.separator) for one in (self, other))))

    def may_repeat(self, case: Codes, cases: int) -> bool:
        """Whether two rows of a case have the same hash; `cases` is how many there are."""
        return may_repeat(case, self.hashes, cases)

    def rows_in(self, gold: tuple[TextColumn, Codes], case: Codes) -> Places | None:
        """The row of a gold without repeated values that has the same case and value, -1 for none; None if hashes mislead.

        Hashes of texts that were made to collide have one place in the table, and are not looked up at all.
        """
        column, of_gold = gold
        rows, wanted = np.empty((2, len(case)), dtype=np.int64)
        sides = ((None, one.starts, one.hashes, codes) for one, codes in ((column, of_gold), (self, case)))
        count = required().find(*sides, rows, wanted)
        rows, wanted = rows[: max(count, 0)], wanted[: max(count, 0)]
        if count < 0 or not self.take(rows).are(column.take(wanted)):
            return None
        places = np.full(len(case), -1, dtype=np.int64)
        places[rows] = wanted
        return places

    def take(self, rows: Places) -> TextColumn:
        """Some of the values."""
        return TextColumn(self.data, self.separator, self.starts[rows], self.hashes[rows])
