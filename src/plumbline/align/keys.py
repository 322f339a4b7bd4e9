"""Keys for pairs of case and item: 64-bit hashes find candidates quickly, text decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
"""A multiplier that spreads small numbers over 64 bits (2^64 divided by the golden ratio)."""


def keys(codes: NDArray[np.int32], items: pl.Series) -> NDArray[np.uint64]:
    """One number per pair; equal pairs have equal keys, and different pairs almost never."""
    mixed = codes.astype(np.uint64)
    mixed *= _ODD
    mixed ^= items.hash().to_numpy()
    return mixed


def may_repeat(found: NDArray[np.uint64]) -> bool:
    """Whether two pairs have the same key."""
    ordered = np.sort(found)
    return bool(np.any(ordered[1:] == ordered[:-1]))


def recode(case: pl.Series, known: dict[str, int]) -> tuple[NDArray[np.int32], list[str]]:
    """The gold's code of each case, -1 for a case that the gold does not have, and the names of those cases."""
    physical = case.to_physical().to_numpy()
    if len(physical) == 0:
        return np.empty(0, dtype=np.int32), []
    runs = np.concatenate(([0], np.flatnonzero(physical[1:] != physical[:-1]) + 1))
    first = np.full(int(physical.max()) + 1, -1, dtype=np.int64)
    first[physical[runs[::-1]]] = runs[::-1]  # of several runs of a case the first one is written last
    rows = np.sort(first[first >= 0])
    names = case.gather(pl.Series(rows)).cast(pl.String).to_list()
    lookup = np.full(len(first), -1, dtype=np.int32)
    lookup[physical[rows]] = [known.get(name, -1) for name in names]
    return lookup[physical], [name for name in names if name not in known]
