"""A long column of labels as few distinct words: what is asked about a label is asked once per word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl
    from numpy.typing import NDArray

FEW: Final = 8
"""Up to this many words, comparing the column with each of them is faster than looking each row up."""


@dataclass(frozen=True)
class Words:
    """A column of text or whole numbers with its distinct labels."""

    labels: pl.Series

    @cached_property
    def _distinct(self) -> list[str] | list[int]:
        return self.labels.unique(maintain_order=True).drop_nulls().to_list()

    @property
    def names(self) -> tuple[str, ...]:
        """The distinct labels as text, in order of appearance."""
        return tuple(map(str, self._distinct))

    def flags(self, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Whether the label of each row is wanted; no label is not."""
        chosen = [label for label in self._distinct if wanted(str(label))]
        if len(chosen) > FEW:
            return self.labels.is_in(chosen).fill_null(value=False).to_numpy()
        found = np.zeros(len(self.labels), dtype=bool)
        for label in chosen:
            found |= (self.labels == label).fill_null(value=False).to_numpy()
        return found
