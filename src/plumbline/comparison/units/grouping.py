"""Units that count alike, recognised by sums of random 64-bit marks: equal sums of marks are equal counts, but for 2^-64."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.lazily import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Marks = NDArray[np.uint64]


def keys_of(unit: Integers, marks: Marks) -> tuple[Integers, Marks]:
    """Every unit, and the sum of the marks of its items."""
    order = np.argsort(unit, kind="stable")
    ordered = unit[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(unit) else order
    sums = np.add.reduceat(marks[order], starts) if len(unit) else marks
    return ordered[starts], sums


def grouped(keys: Marks) -> tuple[Integers, Integers, Integers]:
    """The group of each unit, the first unit of each group, and how many units each group has."""
    _, first, group, sizes = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return group.astype(np.int64), first.astype(np.int64), sizes.astype(np.int64)


def sparse_counts(unit: Integers, column: Integers, wanted: Integers, width: int) -> Any:  # noqa: ANN401 - scipy has no types
    """How often each column occurs in the items of the wanted units, as a sparse matrix."""
    order = np.argsort(wanted, kind="stable")
    place = np.searchsorted(wanted[order], unit)
    place = np.minimum(place, max(len(wanted) - 1, 0))
    inside = wanted[order][place] == unit if len(wanted) else np.zeros(len(unit), dtype=bool)
    rows = order[place[inside]] if len(wanted) else place[inside]
    return sparse.csr_array((np.ones(len(rows)), (rows, column[inside])), shape=(len(wanted), width))
