"""How far items belong to clusters: weights between 0 and 1, what two items share, what clusters tell about classes.

The largest weight of an item is 1 on each side; without weights all of them are 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from plumbline.lazily import pl
from plumbline.schema import CASE, LIST, NUMBER, WEIGHT
from plumbline.views.segments import Segments, crossed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.clustering import AlignedClusters
    from plumbline.align.memberships import Members

    Integers = NDArray[np.int64]
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
        meetings = _agreement(left.join(_beside(rows[side]), on=CODE, how="inner", maintain_order="left"))
        again = meetings.select("group", "other").join(rows[other_side], on="group", how="inner", maintain_order="left")
        theirs = _agreement(again.join(_beside(rows[other_side]), on=["other", CODE], how="inner", maintain_order="left"))
        pairs = meetings.join(theirs, on=["group", "other"], how="left", suffix="_there", maintain_order="left")
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
    total = aligned.items.astype(np.float64)
    shared, larger = np.zeros(len(total)), np.full(len(total), np.nan)
    for _, items, sides in _systems(aligned):
        number = items[NUMBER].to_numpy()
        lists = np.zeros(int(number.max(initial=-1)) + 1, dtype=np.int64)
        lists[number] = items[LIST].to_numpy()
        x, y = (_Binned(sides[side], lists, bins, total) for side in ("cluster", "class"))
        common, entropy = _shared(x, y)
        both = (x.rows.length > 0) & (y.rows.length > 0)
        shared[both], larger[both] = common[both], entropy[both]
    return shared, larger


class _Binned:
    """The clusters of one side: how many items have a weight in each bin; the first bin holds the items outside too."""

    def __init__(self, members: pl.DataFrame, lists: Integers, bins: int, total: Numbers) -> None:
        """Of the memberships of all lists, the list of each item, and the number of items of each list."""
        self.number, code = members[NUMBER].to_numpy(), members[CODE].to_numpy()
        key = lists[self.number] * (code.max(initial=0) + 1) + code
        clusters, first, self.at = np.unique(key, return_index=True, return_inverse=True)
        self.rows = Segments(lists[self.number[first]], len(total))
        self.total = self.rows.each(total)
        self.bin = np.searchsorted(np.arange(1, bins + 1) / bins, members[WEIGHT].to_numpy(), side="left")
        self.sizes = np.bincount(self.at, minlength=len(clusters)).astype(np.float64)
        cells = np.bincount(self.at * bins + self.bin, minlength=len(clusters) * bins)
        self.counts = cells.reshape(len(clusters), bins).astype(np.float64)
        self.counts[:, 0] = 0.0
        self.apart = self.counts.sum(axis=1)
        """The items of each cluster that are not in the first bin."""
        self.bits_apart = _bits(self.counts, self.total[:, None]).sum(axis=1)
        self.bits = self.bits_apart + _bits(self.total - self.apart, self.total)


def _bits(count: Numbers, total: Numbers) -> Numbers:
    """So many items times the information of being among them."""
    return np.asarray(-count * np.log2(np.where(count > 0, count, total) / total))


def _shared(x: _Binned, y: _Binned) -> tuple[Numbers, Numbers]:
    """Each cluster is described by the class that tells most about it, unless that is by being its opposite."""
    x_if_y, y_if_x = x.bits.copy(), y.bits.copy()
    together, joint = _common(x, y)
    for at_x, at_y in crossed(x.rows, y.rows, MOST_TOGETHER):
        total, a, b = x.total[at_x], x.sizes[at_x], y.sizes[at_y]
        rest = np.maximum(total - x.apart[at_x] - y.apart[at_y], 0.0)
        pair = at_x * len(y.sizes) + at_y
        bits = joint.of(pair, x.bits_apart[at_x] + y.bits_apart[at_y] + _bits(rest, total))
        d = together.of(pair, np.zeros(len(pair)))
        same, other = _bits(d, total) + _bits(total - a - b + d, total), _bits(a - d, total) + _bits(b - d, total)
        fits = same >= other - TOLERANCE * total
        np.minimum.at(x_if_y, at_x[fits], (bits - y.bits[at_y])[fits])
        np.minimum.at(y_if_x, at_y[fits], (bits - x.bits[at_x])[fits])
    of_x, of_y = x.rows.sum(x.bits), y.rows.sum(y.bits)
    return 0.5 * (of_x - x.rows.sum(x_if_y) + of_y - y.rows.sum(y_if_x)), np.maximum(of_x, of_y)


class _OfPairs(NamedTuple):
    """A value for some pairs of a cluster and a class, which are in order."""

    pair: Integers
    value: Numbers

    def of(self, pair: Integers, otherwise: Numbers) -> Numbers:
        """The values of these pairs, or others where there is none."""
        place = np.searchsorted(self.pair, pair)
        known = np.append(self.pair, -1)[place] == pair
        return np.where(known, np.append(self.value, 0.0)[place], otherwise)


def _common(x: _Binned, y: _Binned) -> tuple[_OfPairs, _OfPairs]:
    """Of clusters and classes with common items: how many, and the joint entropy where some are outside of the first bins."""
    items = 1 + int(max(x.number.max(initial=-1), y.number.max(initial=-1)))
    order_x, order_y = (np.argsort(side.number, kind="stable") for side in (x, y))
    by_item_x, by_item_y = Segments(x.number[order_x], items), Segments(y.number[order_y], items)
    blocks = [np.stack((order_x[rows], order_y[others])) for rows, others in crossed(by_item_x, by_item_y, MOST_TOGETHER)]
    in_x, in_y = np.concatenate([np.empty((2, 0), dtype=np.int64), *blocks], axis=1)
    pair = x.at[in_x] * len(y.sizes) + y.at[in_y]
    counted, n = np.unique(pair, return_counts=True)
    together = _OfPairs(counted, n.astype(np.float64))
    apart = (x.bin[in_x] > 0) & (y.bin[in_y] > 0)
    bins = x.counts.shape[1]
    cell, n = np.unique((pair[apart] * bins + x.bin[in_x][apart]) * bins + y.bin[in_y][apart], return_counts=True)
    of_pair, bin_y = np.divmod(cell, bins)
    of_pair, bin_x = np.divmod(of_pair, bins)
    distinct, at = np.unique(of_pair, return_inverse=True)
    at_x, at_y = np.divmod(distinct, max(len(y.sizes), 1))
    left_x, left_y = x.counts[at_x], y.counts[at_y]
    np.subtract.at(left_x, (at, bin_x), n)
    np.subtract.at(left_y, (at, bin_y), n)
    total = x.total[at_x]
    inside = np.bincount(at, weights=_bits(n.astype(np.float64), total[at]), minlength=len(distinct))
    shared = np.bincount(at, weights=n, minlength=len(distinct))
    rest = _bits(total - x.apart[at_x] - y.apart[at_y] + shared, total)
    bits = inside + _bits(left_x, total[:, None]).sum(axis=1) + _bits(left_y, total[:, None]).sum(axis=1) + rest
    return together, _OfPairs(distinct, bits)
