"""Folds as a result that can be printed, saved, and handed to a learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.errors.base import plural
from plumbline.render.grid import Cell, Grid, Sentences
from plumbline.render.result import Result
from plumbline.schema import ITEM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

Parts = tuple[int, int, "NDArray[np.int64]", "NDArray[np.bool_]"]
"""Repeat and fold from 0, how often each item is trained on, and whether it is tested."""


@dataclass(frozen=True, repr=False)
class Split(Result):
    """Which items each fold tests.

    Attributes:
        table: `repeat, fold, item, part`: the items that are tested, and those that are trained on where they are not simply
            all the others. `times` says how often a bootstrap drew an item, `inner` in which fold of a nested split it is
            tuned on.
        items: The names of all items, in the order of their table.
        way: How they were split, in words.
        seed: The seed of the draws.
        notices: What should be known about the folds.

    Example:
        >>> import plumbline
        >>> split = plumbline.split(["a", "b", "c", "d"], folds=2, seed=1)
        >>> sorted(split.table["item"].to_list())
        ['a', 'b', 'c', 'd']
    """

    table: pl.DataFrame
    items: list[str]
    way: str
    seed: int = 0
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """`repeat, fold, item, part`, and `times` or `inner` where they matter."""
        return self.table

    def indices(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """The rows to train on and the rows to test on, fold by fold: what scikit-learn takes as `cv`.

        Yields:
            Two arrays of places in the table of items, from 0; a place that a bootstrap drew twice is there twice.
        """
        places = {name: place for place, name in enumerate(self.items)}
        for _, rows in self.table.group_by("repeat", "fold", maintain_order=True):
            where = rows[ITEM].replace_strict(places, return_dtype=pl.Int64).to_numpy()
            tested = (rows["part"] == "test").to_numpy()
            test = np.sort(where[tested])
            if tested.all():
                yield np.setdiff1d(np.arange(len(self.items)), test), test
            else:
                times = rows["times"].to_numpy()[~tested] if "times" in rows.columns else 1
                yield np.sort(np.repeat(where[~tested], times)), test

    def grid(self) -> Grid:
        """How many items each fold trains on and tests."""
        keys = self.table.select("repeat", "fold").unique(maintain_order=True).rows()
        rows = tuple(
            (Cell(f"{repeat}"), Cell(f"{fold}"), Cell(f"{len(train):,}"), Cell(f"{len(test):,}"))
            for (repeat, fold), (train, test) in zip(keys, self.indices(), strict=True)
        )
        shown = rows if len(rows) <= _SHOWN else (*rows[: _SHOWN - 1], tuple(Cell("...") for _ in range(4)))
        return Grid(("repeat", "fold", "training", "test"), shown, f"seed {self.seed}")

    def to_blocks(self) -> Sequence[Block]:
        """A sentence, and the sizes."""
        tests = self.table.select("repeat", "fold").n_unique()
        return [Sentences((f"{plural(len(self.items), 'item')} in {plural(tests, 'test')}: {self.way}.",)), self.grid()]


_SHOWN = 30
"""More folds are not listed."""
