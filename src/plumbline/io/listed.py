"""Rows as the reader in C hands them over: arrays, and ids that stay in the bytes of the file until somebody asks for one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from plumbline.io.native import native_function, required
from plumbline.lazily import pattern
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_NEAR: Final = 2**9
"""Bytes that are read from the disk for one id, which is hardly ever longer."""
_FAR: Final = 2**22
"""The same where ids are near each other."""
_TEXT: Final = pattern(rb"[^ \t\n]+")


class Slices(Protocol):
    """The bytes of a large file, which are read from the disk when some of them are asked for."""

    def fileno(self) -> int:
        """The number of the open file."""
        ...

    def __len__(self) -> int:
        """How many there are."""
        ...

    def __getitem__(self, key: slice, /) -> bytes:
        """Some of them."""
        ...


@dataclass(frozen=True, eq=False)
class Texts:
    """Ids in the bytes of a file, each up to the next blank; a large file stays on the disk."""

    data: bytes | Slices
    starts: NDArray[np.uint32]
    hashes: NDArray[np.uint64]
    plain: bool
    """Whether all bytes are ASCII."""

    def __len__(self) -> int:
        return len(self.starts)

    def some(self, rows: NDArray[np.int64] | None = None) -> list[str]:
        """The ids of some rows, or of all."""
        starts = self.starts if rows is None else self.starts[rows]
        return list(_texts(self.data, starts.tolist()))

    def take(self, rows: NDArray[np.int64]) -> Texts:
        """The ids of some rows, as bytes."""
        return Texts(self.data, self.starts[rows], self.hashes[rows], self.plain)


@dataclass(frozen=True, eq=False)
class Sought:
    """The judged items of a gold, which are looked up while a large run is read."""

    codes: dict[str, int]
    """The number of each case."""
    items: Texts
    case: NDArray[np.int32]
    """The case of each item."""

    @cached_property
    def _by_case(self) -> NDArray[np.int64]:
        return np.argsort(self.case, kind="stable")

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        """Where the items of each case begin among those in order, and where those of the last one end."""
        return np.concatenate(([0], np.cumsum(np.bincount(self.case, minlength=len(self.codes)))))

    def of_cases(self, codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows of the items of some cases, and which of these cases each is of."""
        first = self._first[codes]
        count = self._first[codes + 1] - first
        before = np.cumsum(count) - count
        return self._by_case[np.arange(count.sum()) + np.repeat(first - before, count)], np.repeat(np.arange(len(codes)), count)


@dataclass(frozen=True, eq=False)
class Ranked:
    """Lists that were ranked while they were read, and in which no two scores are equal."""

    of_gold: NDArray[np.int64]
    """The gold's row of each judged item."""
    rank: NDArray[np.float64]
    counts: NDArray[np.int64]
    """How long the list of each case of the gold is, if it is one of these."""

    @classmethod
    def nothing(cls, cases: int) -> Ranked:
        """No lists, of so many cases."""
        return cls(np.empty(0, dtype=np.int64), np.empty(0), np.zeros(cases, dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[Ranked]) -> Ranked:
        """Lists of different cases together."""
        rows = (np.concatenate([part.of_gold for part in parts]), np.concatenate([part.rank for part in parts]))
        return cls(*rows, np.sum([part.counts for part in parts], axis=0))


@dataclass(frozen=True, eq=False)
class Listed:
    """Rows of plain ids and finite numbers, no pair of case and item twice."""

    cases: list[str]
    """Every case once, in order of appearance."""
    case: NDArray[np.int32]
    """The number of each row's case."""
    values: NDArray[np.float64]
    items: Texts
    ranked: Ranked | None = None
    """What is known about further rows, which were not kept."""


def may_repeat(case: NDArray[np.int32], hashes: NDArray[np.uint64], cases: int) -> bool:
    """Whether two rows of a case have the same hash; `cases` is how many there are."""
    changes = np.flatnonzero(case[1:] != case[:-1]) + 1
    together = len(changes) < cases
    cuts = np.concatenate(([0], changes if together else [], [len(case)])).astype(np.int64)
    return bool(required().repeats(case, hashes, cuts))


def rows_in_gold(gold: tuple[Texts, NDArray[np.int32]], run: tuple[Texts, NDArray[np.int32]]) -> tuple[NDArray[np.int64], ...]:
    """The rows of a run that have the same case and item as one of the gold, and the gold's row of each."""
    room = min(len(gold[0]), len(run[0]))
    rows, of_gold = np.empty((2, room), dtype=np.int64)
    sides = [
        (texts.data if isinstance(texts.data, bytes) else None, texts.starts, texts.hashes, codes)
        for texts, codes in (gold, run)
    ]
    count = required().find(*sides, rows, of_gold)
    if count < 0:
        return _one_by_one(gold, run)
    rows, of_gold = rows[:count], of_gold[:count]
    if sides[0][0] is not None is not sides[1][0]:
        return rows, of_gold
    return (rows, of_gold) if _are_equal(run[0].take(rows), gold[0].take(of_gold)) else _one_by_one(gold, run)


def _are_equal(texts: Texts, others: Texts) -> bool:
    """Whether ids of a file on the disk are those of another one."""
    compare = native_function("equal_on_disk")
    if compare is not None and not isinstance(texts.data, bytes) and isinstance(others.data, bytes):
        outcome = compare(texts.data.fileno(), len(texts.data), texts.starts, others.data, others.starts)
        if outcome >= 0:
            return bool(outcome)
    return texts.some() == others.some()


def _one_by_one(gold: tuple[Texts, NDArray[np.int32]], run: tuple[Texts, NDArray[np.int32]]) -> tuple[NDArray[np.int64], ...]:
    """The same by texts alone: two of them share a hash of 64 bits, or many have the same place in the table of hashes."""
    row_of = {pair: row for row, pair in enumerate(zip(gold[1].tolist(), gold[0].some(), strict=True))}
    positions = np.array([row_of.get(pair, -1) for pair in zip(run[1].tolist(), run[0].some(), strict=True)], dtype=np.int64)
    rows = np.flatnonzero(positions >= 0)
    return rows, positions[rows]


def _texts(data: bytes | Slices, starts: list[int]) -> Iterator[str]:
    """The ids that start at these places."""
    match: Any = _TEXT.match
    if isinstance(data, bytes):
        yield from (match(data, start).group().decode() for start in starts)
        return
    near = starts and (max(starts) - min(starts)) // len(starts) < _NEAR
    first, window = 0, b""
    for start in starts:
        width = _FAR if near else _NEAR
        while not first <= start < first + len(window) or match(window, start - first).end() == len(window) < len(data) - first:
            first, window, width = start, data[start : start + width], width * 8
        yield match(window, start - first).group().decode()
