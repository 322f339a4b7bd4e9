"""How far items belong to clusters: weights between 0 and 1, what two items share, what clusters tell about classes.

The largest weight of an item is 1 on each side; without weights all of them are 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import polars as pl

from plumbline.schema import CASE, LIST, NUMBER, WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.clustering import AlignedClusters
    from plumbline.align.memberships import Members

    Numbers = NDArray[np.float64]

Side = Literal["cluster", "class"]
CODE: Final = "code"
MOST_TOGETHER: Final = 2_000_000
"""Pairs that are looked at together."""
TOLERANCE: Final = 1e-12
"""Entropies that differ by less are equal but for rounding."""


def weighted(members: Members, kept: NDArray[np.bool_] | None = None) -> pl.DataFrame:
    """`number, code, weight`: a row for each item in a cluster."""
    weight = members.rows[WEIGHT] if WEIGHT in members.rows.columns else pl.repeat(1.0, len(members.rows), eager=True)
    rows = pl.DataFrame({NUMBER: members.number.astype(np.int64), CODE: members.codes, WEIGHT: weight})
    if kept is not None:
        rows = rows.filter(pl.Series(kept).gather(rows[NUMBER]))
    return rows.with_columns(pl.col(WEIGHT) / pl.col(WEIGHT).max().over(NUMBER))


def _systems(aligned: AlignedClusters) -> Iterator[tuple[int, pl.DataFrame, dict[Side, pl.DataFrame]]]:
    """The first list of each system, `number, list` of its items, and the rows of both sides."""
    for system, members in enumerate(aligned.memberships):
        first = system * len(aligned.cases)
        items = aligned.gold.items_with(members).select(
            pl.col(NUMBER).cast(pl.Int64), (pl.col(CASE).cast(pl.Int64) + first).alias(LIST)
        )
        sides: dict[Side, pl.DataFrame] = {
            "cluster": weighted(members, members.kept),
            "class": weighted(aligned.gold.members, members.kept),
        }
        yield first, items, sides


def fuzzy_bcubed(aligned: AlignedClusters, side: Side) -> Numbers:
    """Of each list, the mean over items of how far those that share a cluster with them share as much on the other side."""
    sums = np.zeros(len(aligned.items))
    for _, items, sides in _systems(aligned):
        made = _neighbours(items, sides, side)
        sums[made[LIST].to_numpy()] = made["sum"].to_numpy()
    return sums / aligned.items


def _neighbours(items: pl.DataFrame, sides: dict[Side, pl.DataFrame], side: Side) -> pl.DataFrame:
    """`list, sum` over the items of one system: each counts the mean share of its neighbours, 0 if it has none."""
    groups, rows = _groups(items, sides)
    other_side: Side = "class" if side == "cluster" else "cluster"
    n = groups.select("group", pl.col("n"))
    means = []
    for block in _blocks(rows[side], len(groups)):
        some = pl.int_range(block.start, block.stop, eager=True, dtype=pl.Int64)
        left = rows[side].filter(pl.col("group").is_in(some.implode()))
        own = _agreement(left.join(_beside(rows[side]), on=CODE, how="inner", maintain_order="left"))
        again = own.select("group", "other").join(rows[other_side], on="group", how="inner", maintain_order="left")
        theirs = _agreement(again.join(_beside(rows[other_side]), on=["other", CODE], how="inner", maintain_order="left"))
        pairs = own.join(theirs, on=["group", "other"], how="left", suffix="_there", maintain_order="left")
        pairs = pairs.join(n.rename({"group": "other", "n": "times"}), on="other", how="left", maintain_order="left")
        share = pl.min_horizontal("agreement", pl.col("agreement_there").fill_null(0.0)) / pl.col("agreement")
        times = pl.col("times") - (pl.col("group") == pl.col("other")).cast(pl.Float64)
        sums = pairs.group_by("group", maintain_order=True).agg((share * times).sum().alias("right"), times.sum().alias("met"))
        means.append(sums.filter(pl.col("met") > 0).select("group", (pl.col("right") / pl.col("met")).alias("mean")))
    counted = groups.join(pl.concat(means), on="group", how="left", maintain_order="left")
    return counted.group_by(LIST, maintain_order=True).agg((pl.col("n") * pl.col("mean").fill_null(0.0)).sum().alias("sum"))


def _groups(items: pl.DataFrame, sides: dict[Side, pl.DataFrame]) -> tuple[pl.DataFrame, dict[Side, pl.DataFrame]]:
    """Items with the same weights on both sides together: `group, list, n`, and `group, code, weight` of each side."""
    both = pl.concat([rows.with_columns(pl.lit(side).alias("side")) for side, rows in sides.items()])
    kinds = both.with_columns(pl.struct("side", CODE, WEIGHT).rank("dense").cast(pl.String).alias("kind"))
    profiles = kinds.sort(NUMBER, "kind").group_by(NUMBER, maintain_order=True).agg(pl.col("kind").str.join(" "))
    numbered = profiles.with_columns((pl.col("kind").rank("dense") - 1).cast(pl.Int64).alias("group"))
    first = numbered.unique("group", keep="first", maintain_order=True).select(NUMBER, "group")
    sizes = numbered.group_by("group").agg(pl.len().cast(pl.Float64).alias("n"))
    groups = first.join(items, on=NUMBER, how="left").join(sizes, on="group", how="left").sort("group")
    rows = {
        side: first.join(one, on=NUMBER, how="inner").select("group", CODE, WEIGHT).sort("group", CODE)
        for side, one in sides.items()
    }
    return groups.select("group", LIST, "n"), rows


def _blocks(rows: pl.DataFrame, groups: int) -> Iterator[slice]:
    """Groups that meet so many others together that they fit into memory."""
    met = rows.select("group", pl.len().over(CODE).alias("met")).group_by("group").agg(pl.col("met").sum())
    counts = np.zeros(groups)
    counts[met["group"].to_numpy()] = met["met"].to_numpy()
    portion = (np.cumsum(counts) // MOST_TOGETHER).astype(np.int64)
    starts = np.flatnonzero(np.diff(portion, prepend=-1))
    yield from (slice(int(start), int(stop)) for start, stop in zip(starts, [*starts[1:], groups], strict=True))


def _beside(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows as those of the other one of two groups."""
    return rows.rename({"group": "other", WEIGHT: "beside"})


def _agreement(met: pl.DataFrame) -> pl.DataFrame:
    """`group, other, agreement`: the sum of 1 - |difference| over the clusters that two groups share."""
    close = (1.0 - (pl.col(WEIGHT) - pl.col("beside")).abs()).sum().alias("agreement")
    return met.group_by("group", "other", maintain_order=True).agg(close)


def fuzzy_information(aligned: AlignedClusters, bins: int) -> tuple[Numbers, Numbers]:
    """Of each list, the information that clusters and classes share, and the larger of their entropies, in bits."""
    shared, larger = np.zeros(len(aligned.items)), np.full(len(aligned.items), np.nan)
    for _, items, sides in _systems(aligned):
        lists = {side: rows.join(items, on=NUMBER, how="left", maintain_order="left") for side, rows in sides.items()}
        by_list = {side: dict(rows.group_by(LIST, maintain_order=True)) for side, rows in lists.items()}
        for key in by_list["cluster"].keys() & by_list["class"].keys():
            number = int(str(key[0]))
            x, y = (_Binned(by_list[side][key], bins, float(aligned.items[number])) for side in ("cluster", "class"))
            shared[number], larger[number] = _shared(x, y)
    return shared, larger


class _Binned:
    """The clusters of one side: how many items have a weight in each bin; the first bin holds the items outside too."""

    def __init__(self, rows: pl.DataFrame, bins: int, total: float) -> None:
        edges = np.arange(1, bins + 1) / bins
        self.total = total
        at = (pl.col(CODE).rank("dense") - 1).cast(pl.Int64).alias("at")
        number = pl.Series("bin", np.searchsorted(edges, rows[WEIGHT].to_numpy(), side="left"))
        self.rows = rows.select(NUMBER, at).with_columns(number)
        self.sizes = np.bincount(self.rows["at"].to_numpy()).astype(np.float64)
        self.counts = np.zeros((len(self.sizes), bins))
        np.add.at(self.counts, (self.rows["at"].to_numpy(), number.to_numpy()), 1.0)
        self.counts[:, 0] = 0.0
        self.apart = self.counts.sum(axis=1)
        """The items of each cluster that are not in the first bin."""
        self.bits_apart = self.h(self.counts).sum(axis=1)
        self.bits = self.bits_apart + self.h(total - self.apart)

    def h(self, count: Numbers) -> Numbers:
        """So many items times the information of being among them."""
        return np.asarray(-count * np.log2(np.where(count > 0, count, self.total) / self.total))


def _shared(x: _Binned, y: _Binned) -> tuple[float, float]:
    """Each cluster is described by the class that tells most about it, unless that is by being its opposite."""
    x_if_y, y_if_x = x.bits.copy(), y.bits.copy()
    together, joint = _common(x, y)
    portion = max(1, MOST_TOGETHER // len(y.bits))
    for start in range(0, len(x.bits), portion):
        some = slice(start, start + portion)
        rest = np.maximum(x.total - x.apart[some, None] - y.apart, 0.0)
        bits = x.bits_apart[some, None] + y.bits_apart + x.h(rest)
        d = np.zeros_like(bits)
        for values, target in ((joint, bits), (together, d)):
            at_x, at_y, value = values
            here = (at_x >= start) & (at_x < start + portion)
            target[at_x[here] - start, at_y[here]] = value[here]
        a, b = x.sizes[some, None], y.sizes[None, :]
        fits = x.h(d) + x.h(x.total - a - b + d) >= x.h(a - d) + x.h(b - d) - TOLERANCE * x.total
        x_if_y[some] = np.minimum(x_if_y[some], np.where(fits, bits - y.bits, np.inf).min(axis=1))
        y_if_x = np.minimum(y_if_x, np.where(fits, bits - x.bits[some, None], np.inf).min(axis=0))
    of_x, of_y = float(x.bits.sum()), float(y.bits.sum())
    return 0.5 * (of_x - float(x_if_y.sum()) + of_y - float(y_if_x.sum())), max(of_x, of_y)


Pairs = tuple["NDArray[np.int64]", "NDArray[np.int64]", "Numbers"]


def _common(x: _Binned, y: _Binned) -> tuple[Pairs, Pairs]:
    """Of clusters and classes with common items: how many, and the joint entropy where some are outside of the first bins."""
    met = x.rows.join(y.rows, on=NUMBER, how="inner", suffix="_y", maintain_order="left")
    counts = met.group_by("at", "at_y", maintain_order=True).len("n")
    apart = met.filter((pl.col("bin") > 0) & (pl.col("bin_y") > 0))
    cells = apart.group_by("at", "at_y", "bin", "bin_y", maintain_order=True).len("n")
    pair, at = np.unique(cells.select("at", "at_y").to_numpy(), axis=0, return_inverse=True)
    at, n = at.ravel(), cells["n"].to_numpy().astype(np.float64)
    at_x, at_y = pair[:, 0], pair[:, 1]
    left = {name: side.counts[places].copy() for name, side, places in (("x", x, at_x), ("y", y, at_y))}
    np.subtract.at(left["x"], (at, cells["bin"].to_numpy()), n)
    np.subtract.at(left["y"], (at, cells["bin_y"].to_numpy()), n)
    inside, shared = np.zeros(len(pair)), np.zeros(len(pair))
    np.add.at(inside, at, x.h(n))
    np.add.at(shared, at, n)
    rest = x.total - x.apart[at_x] - y.apart[at_y] + shared
    bits = inside + x.h(left["x"]).sum(axis=1) + x.h(left["y"]).sum(axis=1) + x.h(rest)
    together = (counts["at"].to_numpy(), counts["at_y"].to_numpy(), counts["n"].to_numpy().astype(np.float64))
    return together, (at_x, at_y, bits)
