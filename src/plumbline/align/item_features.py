"""The rows of the gold's items in a matrix of features or distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, Place, clusterings
from plumbline.io.features.features import read_features
from plumbline.lazily import pl
from plumbline.schema import CASE, ITEM, NUMBER, ONLY_CASE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.memberships import GoldClasses
    from plumbline.io.features.features import Features, Matrix

_PLACE: Final = "place"
_TOLERANCE: Final = 1e-9
"""Distances that differ by this share of the largest are equal but for rounding."""


@dataclass(frozen=True, eq=False)
class Rows:
    """A matrix, and the row of each item of the gold in it."""

    numbers: Matrix
    place: NDArray[np.int64]

    def features(self, items: NDArray[np.int64]) -> Matrix:
        """The rows of some items."""
        chosen = self.place[items]
        everything = len(chosen) == self.numbers.shape[0] and bool((chosen == np.arange(len(chosen))).all())
        return self.numbers if everything else self.numbers[chosen]

    def distances(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """The distances among some items."""
        chosen = self.place[items]
        return np.asarray(self.numbers[np.ix_(chosen, chosen)])


@dataclass(frozen=True, eq=False)
class ItemFeatures:
    """The features of the gold's items, or the distances between them."""

    features: Rows | None = None
    distances: Rows | None = None


def read_item_features(gold: GoldClasses, features: object, distances: object, max_bytes: int | None) -> ItemFeatures:
    """Read what is given and find the row of every item; distances are checked case by case."""
    of_features = None if features is None else read_features(features, "features", max_bytes)
    between = None if distances is None else read_features(distances, "distances", max_bytes)
    rows = ItemFeatures(*(None if read is None else Rows(read.numbers, _places(gold, read)) for read in (of_features, between)))
    if between is not None and rows.distances is not None:
        for case in range(len(gold.cases)):
            items = np.flatnonzero(gold.case == case)
            _check(rows.distances.distances(items), gold.items[ITEM].gather(pl.Series(items)), between.label)
    return rows


def _places(gold: GoldClasses, given: Features) -> NDArray[np.int64]:
    """The row of each item: by its name and case, by its name alone where there are no cases, or in the gold's order."""
    rows = given.numbers.shape[0]
    if given.items is None:
        if rows != len(gold.items):
            raise BadData(clusterings.other_number_of_rows(Place(given.label), rows, len(gold.items)))
        return np.arange(rows)
    table = pl.DataFrame([given.items.alias(ITEM), pl.int_range(rows, eager=True).alias(_PLACE)])
    items = gold.items.select(NUMBER, ITEM, pl.Series(CASE, gold.cases).gather(gold.items[CASE]))
    keys = [ITEM]
    if given.cases is not None and (gold.cases != [ONLY_CASE] or given.cases.n_unique() > 1):
        table, keys = table.with_columns(given.cases.alias(CASE)), [CASE, ITEM]
    _refuse_repeated(table, keys, given)
    rows_of_items = items.join(table, on=keys, how="left", maintain_order="left")
    lacking = rows_of_items.filter(pl.col(_PLACE).is_null())
    if len(lacking):
        names = (_named(gold, lacking), len(lacking), len(items), given.items.head(3).to_list())
        raise BadData(clusterings.no_features(Place(given.label), *names))
    return rows_of_items[_PLACE].to_numpy()


def _named(gold: GoldClasses, lacking: pl.DataFrame) -> list[str]:
    some = lacking.head(6)
    return some[ITEM].to_list() if len(gold.cases) == 1 else [f"{case}/{item}" for case, item in some[[CASE, ITEM]].iter_rows()]


def _refuse_repeated(table: pl.DataFrame, keys: list[str], given: Features) -> None:
    again = table.filter(pl.struct(keys).is_duplicated())
    if len(again):
        first = again.row(0, named=True)
        same = again.filter(pl.all_horizontal(pl.col(key) == first[key] for key in keys))[_PLACE].head(2).to_list()
        earlier, later = given.origin.places(same, "item")
        raise BadData(clusterings.features_twice(later, first[ITEM], str(earlier)))


def _check(block: NDArray[np.float64], items: pl.Series, label: str) -> None:
    """Distances are known, not negative, 0 to the item itself, and the same in both directions."""
    most = float(np.max(block, initial=0.0))
    rounding = _TOLERANCE * most if np.isfinite(most) else 0.0
    faults = (
        ("is not a finite number", ~np.isfinite(block)),
        ("is negative", block < 0),
        ("is not 0, from an item to itself", np.diag(np.diag(block) > rounding)),
        ("is another one in the other direction", np.abs(block - block.T) > rounding),
    )
    for reason, wrong in faults:
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            shown = f"{block[row, column]:g}"
            raise BadData(clusterings.bad_distance(Place(label), items[int(row)], items[int(column)], shown, reason))
