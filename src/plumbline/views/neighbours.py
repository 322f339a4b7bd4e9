"""Scores by the neighbours of items: BCubed and Reliability, by cells where nothing overlaps, else by meetings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import polars as pl

from plumbline.schema import LIST
from plumbline.views.terms import ratio

if TYPE_CHECKING:
    from plumbline.views.contingency import Contingency

Side = Literal["cluster", "class"]
"""Whose relations are asked about: those of clusters (precision, reliability) or of classes (recall, sensitivity)."""


def bcubed(view: Contingency, side: Side) -> pl.Expr:
    """Mean over items of the share of right neighbours; an item without clusters asserts nothing, so nothing is wrong.

    Where sides are scored over their items, such an item is left out.
    """
    name = f"bcubed {side}"
    return view.either(_simple(view, side), name, lambda: _of_items(view, side).rename({"value": name}))


def relations(view: Contingency, side: Side) -> pl.Expr:
    """The same over occurrences: an item in two clusters occurs twice."""
    name = f"relations {side}"
    return view.either(_simple(view, side), name, lambda: _of_occurrences(view, side).rename({"value": name}))


def occurrences(view: Contingency, side: Side) -> pl.Expr:
    """How often items occur in clusters or classes."""
    return {"cluster": view.over_clusters, "class": view.over_classes}[side](_held(side), pl.col("size"))


def as_often_as_gold(view: Contingency, side: Side) -> pl.Expr:
    """The share of occurrences that the other side has as well."""
    name = f"there {side}"
    simple = view.over_cells("in cells", pl.col("n")) / occurrences(view, side)
    return view.either(simple, name, lambda: _as_often(view, side).rename({"value": name}))


def _held(side: Side) -> str:
    return f"sum of {side}{'es' if side == 'class' else 's'}"


def _as_often(view: Contingency, side: Side) -> pl.DataFrame:
    least = pl.min_horizontal("times_x", "times_g")
    shared = (pl.col("n") * least).sum() / (pl.col("n") * pl.col(f"times_{_letter(side)}")).sum()
    return view.meetings(weighted=True).groups.group_by(LIST, maintain_order=True).agg(shared.alias("value"))


def _simple(view: Contingency, side: Side) -> pl.Expr:
    """Where nothing overlaps, the right neighbours of all items of a cell are those of the cell."""
    right = view.over_cells(f"right in {side}", pl.col("n") ** 2 / pl.col(f"{side}_size"))
    if view.aligned.one_sided:
        return ratio(right, occurrences(view, side))
    return (right + view.items - occurrences(view, side)) / view.items


def _letter(side: Side) -> str:
    return "x" if side == "cluster" else "g"


def _of_items(view: Contingency, side: Side) -> pl.DataFrame:
    """Of the items that an item meets, the share that it rightly meets; an item that meets none is not wrong."""
    letter, n = _letter(side), pl.col("n")
    share = pl.when(pl.col(f"met_{letter}") > 0).then(pl.col(f"right_{letter}") / pl.col(f"met_{letter}")).otherwise(1.0)
    groups = view.meetings().groups
    counted = groups.filter(pl.col(f"met_{letter}") > 0) if view.aligned.one_sided else groups
    return counted.group_by(LIST, maintain_order=True).agg(((share * n).sum() / n.sum()).alias("value"))


def _of_occurrences(view: Contingency, side: Side) -> pl.DataFrame:
    """The same over occurrences; an item that occurs nowhere counts as one that is not wrong."""
    letter, n = _letter(side), pl.col("n")
    times = pl.col(f"times_{letter}")
    nowhere = pl.lit(0.0) if view.aligned.one_sided else n.filter(times == 0).sum()
    right = (n * pl.col(f"weighted_{letter}")).sum()
    groups = view.meetings(weighted=True).groups
    return groups.group_by(LIST, maintain_order=True).agg(((right + nowhere) / ((n * times).sum() + nowhere)).alias("value"))
