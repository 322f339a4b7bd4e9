"""The number of words of each item and the time that it takes to read, for discounts by time (Smucker and Clarke 2012)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, discounts
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import ITEM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

RELEVANT: Final = 0.64
NOT_RELEVANT: Final = 0.39
"""How probably an item is opened after its summary was read."""
_SUMMARY, _PER_WORD, _OPENED = 4.4, 0.018, 7.8
"""Seconds for a summary, for each word of an opened item, and for each opened item."""


@dataclass(frozen=True)
class Lengths:
    """`item, words`: a row for each item."""

    label: str
    rows: pl.DataFrame

    def of(self, items: pl.Series) -> Numbers:
        """The words of each of these items; an item that is not there is an error."""
        rows = items.alias(ITEM).to_frame().join(self.rows, on=ITEM, how="left", maintain_order="left")
        if rows["words"].null_count():
            missing = rows.filter(pl.col("words").is_null())[ITEM].unique(maintain_order=True)
            raise BadData(discounts.no_length(self.label, missing.head(3).to_list(), len(missing)))
        return rows["words"].to_numpy()


def read_item_lengths(source: object, max_bytes: int | None) -> Lengths | None:
    """The lengths of items from a file or an object, where one is given."""
    if source is None:
        return None
    from plumbline.io.features.features import read_lengths  # noqa: PLC0415 - lazy border: few requests have lengths

    return Lengths(*read_lengths(source, max_bytes))


def seconds(words: Numbers, opened: Numbers) -> Numbers:
    """How long items take to read: a summary each, and the item itself as often as it is opened."""
    return np.asarray(_SUMMARY + (_PER_WORD * words + _OPENED) * opened)
