"""Lists whose order equal scores leave open: every rank with its probability, or every order as a list of its own."""

from __future__ import annotations

from itertools import accumulate, combinations, groupby, pairwise, product
from math import comb, prod
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, GRADE, GROUP, LIST, OFFSET, RANK, SIZE, WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_KIND: Final = "kind"
MOST_ORDERS: Final = 2_000
"""Lists with more orders than this are sampled, with this many samples."""
TOGETHER: Final = 1_000_000
"""So many rows are scored at a time; more only if a single list has more."""
LONGEST: Final = 50_000_000
"""So many rows of a single list are tried; they need about 5 GB."""


@dataclass(frozen=True)
class Block:
    """Lists that are scored together: their rows, in which they are numbered from 0, and where each comes from."""

    rows: pl.DataFrame
    sources: NDArray[np.int64]


def merged(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for all items of a group that have the same grade: each of them is at any rank of the group equally often."""
    return rows.group_by(LIST, GROUP, GRADE, maintain_order=True).agg(
        pl.col(CASE, OFFSET, SIZE).first(), (pl.len() / pl.col(SIZE).first()).alias(WEIGHT)
    )


def longest_list(rows: pl.DataFrame) -> int:
    """The number of rows that the largest list of merged rows has once they are spread."""
    return int(rows.group_by(LIST, maintain_order=True).agg(pl.col(SIZE).sum())[SIZE].max() or 0)  # type: ignore[arg-type]  # a number


def spread(rows: pl.DataFrame, lists: int) -> Iterator[Block]:
    """Merged rows once at each rank that their items may take, with the probability of that rank, for all lists in order."""
    needed = np.bincount(rows[LIST].to_numpy(), weights=rows[SIZE].to_numpy(), minlength=lists)
    block = (np.cumsum(needed) - needed) // TOGETHER
    first = np.flatnonzero(np.diff(block, prepend=-1.0))
    for start, stop in pairwise([*first.tolist(), lists]):
        part = rows.filter(pl.col(LIST).is_between(start, stop - 1)).with_columns(pl.col(LIST) - pl.lit(start, pl.Int32))
        steps = part.with_columns(pl.int_ranges(1, pl.col(SIZE) + 1).alias("step")).explode("step")
        ranks = (pl.col(OFFSET) + pl.col("step")).cast(pl.Float64).alias(RANK)
        yield Block(steps.with_columns(ranks).drop("step"), np.arange(start, stop))


def orders(rows: pl.DataFrame, seed: int, cases: Sequence[str], *, by_item: bool = False) -> Iterator[tuple[Block, int]]:
    """One list for every order of equal scores, and how many of the lists behind them were sampled.

    Draws depend on the seed and on the case, so that a value does not change with the company that it is computed in. Items of
    one grade are interchangeable, unless metrics tell them apart `by_item`.
    """
    kind = pl.int_range(pl.len()).cast(pl.Float64) if by_item else pl.col(GRADE)
    rows = rows.with_columns(kind.alias(_KIND)).sort(LIST, OFFSET, GROUP, _KIND)  # as the enumeration needs them
    number = rows[LIST].to_numpy()
    first = np.flatnonzero(np.diff(number, prepend=-1))
    gathered, waiting, sampled = _Gathered(rows), 0, 0
    for start, stop in pairwise([*first.tolist(), len(rows)]):
        groups = _groups(rows[start:stop])
        exact = prod(group.arrangements for group in groups) <= MOST_ORDERS
        sampled += not exact
        source = int(number[start])
        for ranks in _all_orders(groups) if exact else _some_orders(groups, seed, cases[source % len(cases)]):
            gathered.add(ranks, start, stop, source)
            waiting += ranks.size
            if waiting > TOGETHER:
                yield gathered.block(), sampled
                gathered, waiting, sampled = _Gathered(rows), 0, 0
    if waiting:
        yield gathered.block(), sampled


class _Gathered:
    """Orders of lists, until there are enough to score them together."""

    def __init__(self, rows: pl.DataFrame) -> None:
        self._rows = rows
        self._ranks: list[Numbers] = []
        self._positions: list[NDArray[np.int64]] = []
        self._lengths: list[NDArray[np.int64]] = []
        self._sources: list[NDArray[np.int64]] = []

    def add(self, ranks: Numbers, start: int, stop: int, source: int) -> None:
        """Some orders of a list: a row of ranks for each."""
        self._ranks.append(ranks.ravel())
        self._positions.append(np.tile(np.arange(start, stop), len(ranks)))
        self._lengths.append(np.full(len(ranks), stop - start))
        self._sources.append(np.full(len(ranks), source))

    def block(self) -> Block:
        """All of them."""
        lengths, sources = np.concatenate(self._lengths), np.concatenate(self._sources)
        rows = self._rows.gather(pl.Series(np.concatenate(self._positions)))
        numbers = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        return Block(rows.with_columns(pl.Series(RANK, np.concatenate(self._ranks)), pl.Series(LIST, numbers)), sources)


@dataclass(frozen=True)
class _Group:
    """Equal scores: the grades of the judged items in order, the places above them and the number of their places."""

    grades: list[float]
    offset: int
    size: int

    @property
    def alike(self) -> list[int]:
        """How many items have each grade."""
        return [len(list(same)) for _, same in groupby(self.grades)]

    @property
    def arrangements(self) -> int:
        """How many different arrangements of grades the places allow."""
        taken = [0, *accumulate(self.alike)]
        return prod(comb(self.size - before, count) for before, count in zip(taken, self.alike, strict=False))

    def placements(self) -> list[tuple[int, ...]]:
        """Every way to place the grades; items of one grade are interchangeable."""
        every = range(self.offset + 1, self.offset + self.size + 1)
        placed: list[tuple[int, ...]] = [()]
        for count in self.alike:
            placed = [
                (*taken, *places)
                for taken in placed
                for places in combinations([place for place in every if place not in taken], count)
            ]
        return placed


def _groups(rows: pl.DataFrame) -> list[_Group]:
    """The groups of one list, from the top."""
    offset, size, grades = rows[OFFSET].to_numpy(), rows[SIZE].to_numpy(), rows[_KIND].to_list()
    first = np.flatnonzero(np.diff(offset, prepend=-1))
    parts = pairwise([*first.tolist(), len(rows)])
    return [_Group(grades[start:stop], int(offset[start]), int(size[start])) for start, stop in parts]


def _all_orders(groups: list[_Group]) -> Iterator[Numbers]:
    choices = product(*(group.placements() for group in groups))
    yield np.array([[rank for ranks in choice for rank in ranks] for choice in choices], dtype=np.float64)


def _some_orders(groups: list[_Group], seed: int, case: str) -> Iterator[Numbers]:
    """Samples, in portions that fit into memory."""
    from hashlib import blake2b  # noqa: PLC0415 - where orders are drawn

    key = int.from_bytes(blake2b(case.encode(), digest_size=8).digest())
    generator = np.random.default_rng([seed % 2**64, key])
    portion = max(1, TOGETHER // sum(group.size for group in groups))
    for start in range(0, MOST_ORDERS, portion):
        draws = min(portion, MOST_ORDERS - start)
        drawn = [generator.random((draws, group.size)).argsort(axis=1)[:, : len(group.grades)] for group in groups]
        yield np.concatenate(
            [places + group.offset + 1.0 for places, group in zip(drawn, groups, strict=True)], axis=1, dtype=np.float64
        )
