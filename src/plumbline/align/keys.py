"""Keys for pairs of case and item: 64-bit hashes find candidates quickly, text decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.io.bytes.blocks import side_by_side
from plumbline.lazily import pl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
"""A multiplier that spreads small numbers over 64 bits (2^64 divided by the golden ratio)."""
STRETCH: Final = 2**18
"""Rows worked on together: two MiB of keys."""
FIRST_BITS: Final = 20
"""So many bits of a key number the places of a table of one MiB."""
_OTHER_BITS: Final = np.uint64(64 - FIRST_BITS)
_SHORT: Final = 2**17
"""Numbers that become a list in the time of an import."""
_FEW: Final = 2**12
"""Up to so many rows a table of first bits takes longer than looking every key up."""


def keys(codes: NDArray[np.int32], items: pl.Series) -> NDArray[np.uint64]:
    """One number per pair; equal pairs have equal keys, and different pairs almost never."""
    mixed = codes.astype(np.uint64)
    mixed *= _ODD
    for rows in _stretches(len(mixed)):
        mixed[rows] ^= items[rows].hash().to_numpy()
    return mixed


def rows_with_keys(pair_keys: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The rows whose key is one of the wanted ones, which are in order; most others are out by their first bits already."""
    if len(wanted) == 0:
        return np.empty(0, dtype=np.int64)
    rows = np.arange(len(pair_keys)) if len(pair_keys) < _FEW else _likely_rows(pair_keys, wanted)
    place = np.searchsorted(wanted, pair_keys[rows])
    exact: NDArray[np.bool_] = wanted[np.minimum(place, len(wanted) - 1)] == pair_keys[rows]
    return rows[exact]


def _likely_rows(pair_keys: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The rows whose keys begin like one of the wanted ones."""
    likely = np.zeros(2**FIRST_BITS, dtype=np.bool_)
    likely[wanted >> _OTHER_BITS] = True
    some = [np.flatnonzero(likely[pair_keys[rows] >> _OTHER_BITS]) + rows.start for rows in _stretches(len(pair_keys))]
    return np.concatenate([np.empty(0, dtype=np.int64), *some])


def rows_of_cases(codes: NDArray[np.int32], cases: int) -> NDArray[np.int64]:
    """How many rows each case has."""
    counts = np.zeros(cases, dtype=np.int64)
    for rows in _stretches(len(codes)):
        counts += np.bincount(codes[rows], minlength=cases)
    return counts


def _stretches(rows: int) -> Iterator[slice]:
    """Rows worked on together: what is made in between stays small beside the table."""
    return (slice(start, min(start + STRETCH, rows)) for start in range(0, rows, STRETCH))


def may_repeat(pair_keys: NDArray[np.uint64], codes: NDArray[np.int32]) -> bool:
    """Whether two rows of a case have the same key."""
    return any(side_by_side(lambda rows: _repeats(np.sort(pair_keys[rows])), _whole_cases(codes)))


def _repeats(ordered: NDArray[np.uint64]) -> bool:
    return bool(np.any(ordered[1:] == ordered[:-1]))


def _whole_cases(codes: NDArray[np.int32]) -> Iterator[slice]:
    """Stretches of rows such that no case has rows in two of them: all rows, if a case comes back after others."""
    if not together(codes):
        yield slice(0, len(codes))
        return
    first = starts(codes)
    wanted = np.searchsorted(first, np.arange(0, len(codes), STRETCH))
    cuts = np.append(first, len(codes))[wanted]
    cuts = np.append(cuts[:1], cuts[1:][cuts[1:] > cuts[:-1]])  # they ascend; `np.unique` would import numpy.ma
    yield from map(slice, cuts, np.append(cuts[1:], len(codes)))


def together(codes: NDArray[np.int32]) -> bool:
    """Whether no case comes back after others; in shuffled rows there are more changes than there can be cases.

    Cases that the gold lacks share the code -1.
    """
    if len(codes) == 0:
        return True
    changes, lowest = np.count_nonzero(codes[1:] != codes[:-1]), min(int(codes.min()), 0)
    return bool(changes <= codes.max() - lowest and np.bincount(codes[starts(codes)] - lowest).max() == 1)


def starts(codes: NDArray[np.int32] | NDArray[np.uint32]) -> NDArray[np.int64]:
    """The rows at which the case is another one than before."""
    return np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1]))) if len(codes) else np.empty(0, dtype=np.int64)


def places(rows: NDArray[np.int64]) -> pl.Series:
    """Row numbers as polars takes them; from an array it makes them with `numpy.ma`, whose import takes longer than a list."""
    return pl.Series(rows.tolist(), dtype=pl.Int64) if len(rows) < _SHORT else pl.Series(rows)


def recode(case: pl.Series, known: dict[str, int]) -> tuple[NDArray[np.int32], list[str]]:
    """The gold's code of each case, -1 for a case that the gold does not have, and the names of those cases."""
    physical = case.to_physical().to_numpy()
    if len(physical) == 0:
        return np.empty(0, dtype=np.int32), []
    runs = starts(physical)
    first = np.full(int(physical.max()) + 1, -1, dtype=np.int64)
    first[physical[runs[::-1]]] = runs[::-1]  # of several runs of a case the first one is written last
    rows = np.sort(first[first >= 0])
    names = case.gather(places(rows)).cast(pl.String).to_list()
    codes, extra = [known.get(name, -1) for name in names], [name for name in names if name not in known]
    if len(names) == 1:
        return np.full(len(physical), codes[0], dtype=np.int32), extra
    lookup = np.full(len(first), -1, dtype=np.int32)
    lookup[physical[rows]] = codes
    return lookup[physical], extra
