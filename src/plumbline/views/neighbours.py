"""Scores by the neighbours of items: BCubed and Reliability, by cells where nothing overlaps, else by meetings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from plumbline.views.terms import ratio_values as ratio

if TYPE_CHECKING:
    from plumbline.views.contingency import Contingency, Numbers

Side = Literal["cluster", "class"]
"""Whose relations are asked about: those of clusters (precision, reliability) or of classes (recall, sensitivity)."""


def bcubed(view: Contingency, side: Side) -> Numbers:
    """Mean over items of the share of right neighbours; an item without clusters asserts nothing, so nothing is wrong.

    Where sides are scored over their items, such an item is left out.
    """
    return view.either(_simple(view, side), f"bcubed {side}", lambda: _of_items(view, side))


def relations(view: Contingency, side: Side) -> Numbers:
    """The same over occurrences: an item in two clusters occurs twice."""
    return view.either(_simple(view, side), f"relations {side}", lambda: _of_occurrences(view, side))


def as_often_as_gold(view: Contingency, side: Side) -> Numbers:
    """The share of occurrences that the other side has as well."""
    simple = view.cells.sum(view.cells.n) / view.side(side).total
    return view.either(simple, f"there {side}", lambda: _as_often(view, side))


def _as_often(view: Contingency, side: Side) -> Numbers:
    met = view.meetings(weighted=True)
    least = np.minimum(met.times["cluster"], met.times["class"])
    return met.sum(met.n * least) / met.sum(met.n * met.times[side])


def _simple(view: Contingency, side: Side) -> Numbers:
    """Where nothing overlaps, the right neighbours of all items of a cell are those of the cell."""
    cells, occurrences = view.cells, view.side(side).total
    right = view.fact(f"right in {side}", lambda: cells.sum(cells.n**2 / getattr(cells, f"{side}_size")))
    if view.aligned.one_sided:
        return ratio(right, occurrences)
    return (right + view.items - occurrences) / view.items


def _of_items(view: Contingency, side: Side) -> Numbers:
    """Of the items that an item meets, the share that it rightly meets; an item that meets none is not wrong."""
    met = view.meetings()
    counted, right = met.met[side], met.right[side]
    share = np.where(counted > 0, right / np.maximum(counted, 1.0), 1.0)
    n = met.n * (counted > 0) if view.aligned.one_sided else met.n
    return ratio(met.sum(share * n), met.sum(n))


def _of_occurrences(view: Contingency, side: Side) -> Numbers:
    """The same over occurrences; an item that occurs nowhere counts as one that is not wrong."""
    met = view.meetings(weighted=True)
    times = met.times[side]
    nowhere = 0.0 if view.aligned.one_sided else met.sum(met.n * (times == 0))
    return (met.sum(met.n * met.weighted[side]) + nowhere) / (met.sum(met.n * times) + nowhere)
