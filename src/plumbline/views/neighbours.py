"""What an item's neighbours tell: BCubed and Reliability, by cells where nothing overlaps, else by meetings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import polars as pl

from plumbline.schema import LIST

if TYPE_CHECKING:
    from plumbline.views.contingency import Contingency

Side = Literal["cluster", "class"]
"""Whose relations are asked about: those of clusters (precision, reliability) or of classes (recall, sensitivity)."""


def bcubed(view: Contingency, side: Side) -> pl.Expr:
    """Mean over items of the share of right neighbours; an item without clusters asserts nothing, so nothing is wrong."""
    name = f"bcubed {side}"
    return view.either(_simple(view, side), name, lambda: _of_items(view, side).rename({"value": name}))


def relations(view: Contingency, side: Side) -> pl.Expr:
    """The same over occurrences: an item in two clusters occurs twice."""
    name = f"relations {side}"
    return view.either(_simple(view, side), name, lambda: _of_occurrences(view, side).rename({"value": name}))


def _simple(view: Contingency, side: Side) -> pl.Expr:
    """Where nothing overlaps, the right neighbours of all items of a cell are those of the cell."""
    right = view.over_cells(f"right in {side}", pl.col("n") ** 2 / pl.col(f"{side}_size"))
    sums = {"cluster": view.over_clusters, "class": view.over_classes}
    held = sums[side](f"sum of {side}{'es' if side == 'class' else 's'}", pl.col("size"))
    return (right + view.items - held) / view.items


def _sides(side: Side) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """Shared clusters or classes of the side that asserts, of the other, and the weight of the former."""
    own, other = ("x", "g") if side == "cluster" else ("g", "x")
    return pl.col(own), pl.col(other), pl.col(f"w_{own}")


def _of_items(view: Contingency, side: Side) -> pl.DataFrame:
    own, other, _ = _sides(side)
    met = view.meetings.filter(own > 0)
    right = (pl.col("n_b") * pl.min_horizontal(own, other) / own).sum()
    share = met.group_by(LIST, "a").agg((right / pl.col("n_b").sum()).alias("share"))
    groups = view.aligned.overlaps.groups.join(share, left_on=[LIST, "group"], right_on=[LIST, "a"], how="left")
    return groups.group_by(LIST).agg(((pl.col("share").fill_null(1.0) * pl.col("n")).sum() / pl.col("n").sum()).alias("value"))


def _of_occurrences(view: Contingency, side: Side) -> pl.DataFrame:
    own, other, weight = _sides(side)
    met = view.meetings.filter(own > 0)
    right = (pl.col("n_a") * pl.col("n_b") * weight * pl.min_horizontal(own, other) / own).sum().alias("right")
    members = view.aligned.overlaps.in_cluster if side == "cluster" else view.aligned.overlaps.in_class
    times = members.group_by(LIST, "group").len("times")
    groups = view.aligned.overlaps.groups.join(times, on=[LIST, "group"], how="left").with_columns(pl.col("times").fill_null(0))
    counts = groups.group_by(LIST).agg(
        (pl.col("n") * pl.col("times")).sum().alias("occurrences"),
        pl.col("n").filter(pl.col("times") == 0).sum().alias("nowhere"),
    )
    joined = counts.join(met.group_by(LIST).agg(right), on=LIST, how="left").with_columns(pl.col("right").fill_null(0.0))
    total = pl.col("occurrences") + pl.col("nowhere")
    return joined.select(LIST, ((pl.col("right") + pl.col("nowhere")) / total).alias("value"))
