"""The judged items that lists show, as arrays: where they stand, and which item of the gold each is."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, GRADE, ITEM, RANK, WEIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.judgements import Judgements

    Numbers = NDArray[np.float64]
    Places = NDArray[np.int64]

_NUMBERS: Final = frozenset({GRADE, RANK, WEIGHT})


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """A row for each judged item that a list shows; the names are those of the columns in `plumbline.schema`."""

    list: Places
    grade: Numbers
    rank: Numbers
    number: Places | None = None
    """The gold's row of each item, -1 if it has none; None where several items share a row."""
    weight: Numbers | None = None
    """None where every row has probability 1."""
    group: Places | None = None
    offset: Places | None = None
    size: Places | None = None

    @classmethod
    def of(cls, frame: pl.DataFrame) -> JudgedRows:
        """The rows of a table, as far as it has the columns."""
        known = {one.name: frame[one.name].to_numpy() for one in fields(cls) if one.name in frame.columns}
        numbers = {name: values.astype(np.float64, copy=False) for name, values in known.items() if name in _NUMBERS}
        places = {name: values.astype(np.int64, copy=False) for name, values in known.items() if name not in _NUMBERS}
        return cls(**places, **numbers)  # type: ignore[arg-type]  # each by its name

    @classmethod
    def concatenated(cls, parts: Sequence[JudgedRows]) -> JudgedRows:
        """All of these rows; they know the same about their items."""
        if len(parts) == 1:
            return parts[0]
        known = [one.name for one in fields(cls) if getattr(parts[0], one.name) is not None]
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in known})

    def take(self, rows: Places | NDArray[np.bool_]) -> JudgedRows:
        """Some of these rows."""
        known = {one.name: getattr(self, one.name) for one in fields(self) if getattr(self, one.name) is not None}
        return replace(self, **{name: values[rows] for name, values in known.items()})

    def in_order(self) -> JudgedRows:
        """The rows list by list and from the top; as they are if they stand so already."""
        new = self.list[1:] > self.list[:-1]
        if bool(np.all(new | ((self.list[1:] == self.list[:-1]) & (self.rank[1:] >= self.rank[:-1])))):
            return self
        return self.take(np.lexsort((self.rank, self.list)))

    def frame(self, gold: Judgements, cases: Places | None = None) -> pl.DataFrame:
        """The rows as a table, with the case and the item of each; the case follows from the list unless it is given."""
        known = {one.name: getattr(self, one.name) for one in fields(self) if getattr(self, one.name) is not None}
        cases = self.list % len(gold.cases) if cases is None else cases
        made = pl.DataFrame({CASE: cases.astype(np.int32), **known})
        if self.number is None:
            return made
        rows = pl.Series(np.where(self.number >= 0, self.number, np.nan), nan_to_null=True).cast(pl.Int64)
        return made.with_columns(gold.items.gather(rows).alias(ITEM))
