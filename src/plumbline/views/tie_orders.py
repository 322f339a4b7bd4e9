"""Lists whose order equal scores leave open: every rank with its probability, or every order as a list of its own."""

from __future__ import annotations

from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.schema import GRADE, GROUP, LIST, OFFSET, RANK, SIZE, WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator

MOST_ORDERS: Final = 2_000
"""Lists with more orders than this are sampled, with this many samples."""


def spread(rows: pl.DataFrame) -> pl.DataFrame:
    """Every judged item once at each rank it may take, with the probability of that rank."""
    tied = rows.with_columns(pl.int_ranges(1, pl.col(SIZE) + 1).alias("step"), (1.0 / pl.col(SIZE)).alias(WEIGHT))
    return tied.explode("step").with_columns((pl.col(OFFSET) + pl.col("step")).cast(pl.Float64).alias(RANK)).drop("step")


def orders(rows: pl.DataFrame, seed: int) -> tuple[pl.DataFrame, list[int], int]:
    """One list for every order of equal scores: the rows, the list each came from, and how many lists were sampled."""
    generator = np.random.default_rng(seed)
    parts: list[pl.DataFrame] = []
    origin: list[int] = []
    sampled = 0
    for (number,), part in rows.group_by(LIST, maintain_order=True):
        groups = {key[0]: group for key, group in part.group_by(GROUP, maintain_order=True)}
        exact = _number_of_orders(groups) <= MOST_ORDERS
        sampled += not exact
        for ranks in _all_orders(groups) if exact else _some_orders(groups, generator):
            parts.append(part.with_columns(pl.Series(RANK, ranks), pl.lit(len(origin)).cast(pl.Int32).alias(LIST)))
            origin.append(int(str(number)))
    return (pl.concat(parts) if parts else rows), origin, sampled


def _number_of_orders(groups: dict[object, pl.DataFrame]) -> int:
    return prod(_arrangements(group) for group in groups.values())


def _arrangements(group: pl.DataFrame) -> int:
    """How many different arrangements of grades the places of a tie group allow."""
    places, ways = int(group[SIZE][0]), 1
    for _, same in group.group_by(GRADE):
        ways *= comb(places, len(same))
        places -= len(same)
    return ways


def _all_orders(groups: dict[object, pl.DataFrame]) -> Iterator[list[float]]:
    for choice in product(*(list(_placements(group)) for group in groups.values())):
        yield [rank for ranks in choice for rank in ranks]


def _placements(group: pl.DataFrame) -> Iterator[list[float]]:
    """Every way to place the grades of a group; items of one grade are interchangeable."""
    grades, offset, size = group[GRADE].to_list(), int(group[OFFSET][0]), int(group[SIZE][0])

    def place(index: int, taken: dict[int, float]) -> Iterator[list[float]]:
        if index == len(grades):
            yield [float(position) for position in taken.values()]
            return
        least = taken[index - 1] if index and grades[index] == grades[index - 1] else offset
        for position in range(int(least) + 1, offset + size + 1):
            if position not in taken.values():
                yield from place(index + 1, {**taken, index: position})

    return place(0, {})


def _some_orders(groups: dict[object, pl.DataFrame], generator: Generator) -> Iterator[list[float]]:
    for _ in range(MOST_ORDERS):
        ranks: list[float] = []
        for group in groups.values():
            places = generator.choice(int(group[SIZE][0]), len(group), replace=False) + int(group[OFFSET][0]) + 1
            ranks += places.astype(float).tolist()
        yield ranks


def by_grade(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with the items of one grade next to each other in their group, as the enumeration needs them."""
    return rows.sort(LIST, OFFSET, GROUP, GRADE)
