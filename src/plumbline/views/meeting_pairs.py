"""Meetings by pairs: only groups that share a cluster or a class are paired, block by block, and only sums are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.align.sides import summed
from plumbline.lazily import pl, sparse
from plumbline.schema import LIST
from plumbline.views.incidence import NO_PAIRS, Incidence, Met

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MOST_TOGETHER: Final = 1_000_000
"""Pairs of groups that are looked at together."""


def count_by_pairs(
    sides: tuple[Incidence, Incidence], n: NDArray[np.float64], lists: NDArray[np.int64], *, weighted: bool, paired: bool
) -> Met:
    """What each group meets; the cost grows with the pairs of groups that share a cluster or a class.

    A cluster or class of one item is shared with nobody else. Groups that differ in such ones alone meet others as one group,
    and only what an item shares with itself is counted group by group.
    """
    matrices = [_Side.of(side) for side in sides]
    common = [side.without(side.sizes > 1.0) for side in matrices]
    if all(side.members.nnz == rest.members.nnz for side, rest in zip(matrices, common, strict=True)):
        sums, pairs = _met(matrices, n, lists, weighted=weighted, paired=paired)
    else:
        first, merged = _alike(common, lists)
        rest = [side.rows(first) for side in common]
        sums, pairs = _met(rest, summed(merged, n), lists[first], weighted=weighted, paired=paired)
        alone, counted = _with_itself(matrices, weighted=weighted), _with_itself(common, weighted=weighted)
        sums = {name: values[merged] + (alone[name] - counted[name]) for name, values in sums.items()}
    by_name = {what: {"cluster": sums[f"{what}_x"], "class": sums[f"{what}_g"]} for what in ("met", "right", "weighted")}
    return Met(by_name["met"], by_name["right"], by_name["weighted"], _summed(pairs))


def _met(
    sides: list[_Side], n: NDArray[np.float64], lists: NDArray[np.int64], *, weighted: bool, paired: bool
) -> tuple[dict[str, NDArray[np.float64]], list[pl.DataFrame]]:
    """The sums of each group, and its pairs, block by block."""
    sums = {f"{what}_{side}": np.zeros(len(n)) for what in ("right", "met", "weighted") for side in "xg"}
    pairs = []
    for rows in _blocks(sides):
        row, other, shared = _shared(sides, rows)
        weights = [_weights(side, rows) if weighted else None for side in sides]
        low, beside = np.minimum(*shared), n[other]
        for side, times_shared, weight in zip("xg", shared, weights, strict=True):
            asserts = times_shared > 0
            share = beside[asserts] * low[asserts] / times_shared[asserts]
            terms_by_sum = {"right": share, "met": beside[asserts], **({} if weight is None else {"weighted": share * weight})}
            for what, terms in terms_by_sum.items():
                sums[f"{what}_{side}"][rows] = np.bincount(
                    row[asserts] - rows.start, weights=terms, minlength=rows.stop - rows.start
                )
        if paired:
            count = n[row] * np.where(row == other, beside - 1, beside) / 2
            pairs.append(_counted(lists[row], shared[0], shared[1], count))
    return sums, pairs


def _with_itself(sides: list[_Side], *, weighted: bool) -> dict[str, NDArray[np.float64]]:
    """What an item of each group adds to these sums by meeting itself."""
    times = [np.diff(side.members.indptr).astype(np.float64) for side in sides]
    low, sums = np.minimum(*times), {}
    for name, side, shared in zip("xg", sides, times, strict=True):
        right = low / np.maximum(shared, 1.0)
        sums[f"right_{name}"], sums[f"met_{name}"] = right, np.minimum(shared, 1.0)
        sums[f"weighted_{name}"] = right * side.weighted.sum(axis=1) if weighted else np.zeros(len(right))
    return sums


def _alike(sides: list[_Side], lists: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Groups of a list with the same clusters and classes: the first of each kind, and the kind of each group."""
    signed = pl.DataFrame({LIST: lists, "at": np.arange(len(lists))})
    for name, side in zip("xg", sides, strict=True):
        rows = np.repeat(np.arange(len(lists)), np.diff(side.members.indptr))
        members = pl.DataFrame({"at": rows, name: side.members.indices}).sort("at", name)
        sets = members.group_by("at", maintain_order=True).agg(pl.col(name).cast(pl.String).str.join(" "))
        signed = signed.join(sets, on="at", how="left", maintain_order="left")
    kinds = signed.select(pl.struct(LIST, "x", "g").rank("dense") - 1).to_series().to_numpy().astype(np.int64)
    _, first, kind = np.unique(kinds, return_index=True, return_inverse=True)
    return first, kind


@dataclass(frozen=True)
class _Side:
    """Which group is in which clusters, as a sparse matrix, and the same with one over the size of each cluster."""

    members: Any
    weighted: Any
    sizes: NDArray[np.float64]
    """How many items each cluster has."""

    def without(self, kept: NDArray[np.bool_]) -> _Side:
        """The clusters that are kept."""
        return _Side(self.members[:, kept], self.weighted[:, kept], self.sizes[kept])

    def rows(self, some: NDArray[np.int64]) -> _Side:
        """Some of the groups."""
        return _Side(self.members[some], self.weighted[some], self.sizes)

    @classmethod
    def of(cls, side: Incidence) -> _Side:
        matrix = sparse.csr_array((np.ones(len(side.row)), (side.row, side.column)), shape=(side.rows, side.columns))
        return cls(matrix, (matrix @ sparse.diags_array(1.0 / np.maximum(side.sizes, 1.0))).tocsr(), side.sizes)


def _blocks(sides: list[_Side]) -> Iterator[slice]:
    """Rows that meet so many groups together that they fit into memory."""
    met = sum(side.members @ (side.members.T @ np.ones(side.members.shape[0])) for side in sides)
    start, waiting = 0, 0.0
    for row, count in enumerate(np.asarray(met)):
        if waiting + count > MOST_TOGETHER and row > start:
            yield slice(start, row)
            start, waiting = row, 0.0
        waiting += count
    yield slice(start, len(np.asarray(met)))


Shared = tuple["NDArray[np.int64]", "NDArray[np.int64]", list["NDArray[np.float64]"]]


def _shared(sides: list[_Side], rows: slice) -> Shared:
    """Pairs of groups that meet, and how many clusters and classes they share."""
    products = [side.members[rows] @ side.members.T for side in sides]
    base = 1.0 + max((float(product.max()) if product.nnz else 0.0) for product in products)
    both = (products[0] * base + products[1]).tocsr()
    both.sort_indices()
    row = np.repeat(np.arange(rows.start, rows.stop), np.diff(both.indptr))
    x, g = np.divmod(both.data, base)
    return row, both.indices, [x, g]


def _weights(side: _Side, rows: slice) -> NDArray[np.float64]:
    """One over the size of each shared cluster, summed, for the pairs that share any, in the order of the pairs."""
    product = (side.weighted[rows] @ side.members.T).tocsr()
    product.sort_indices()
    weights: NDArray[np.float64] = product.data
    return weights


def _counted(
    lists: NDArray[np.int64], x: NDArray[np.float64], g: NDArray[np.float64], count: NDArray[np.float64]
) -> pl.DataFrame:
    rows = pl.DataFrame({LIST: lists, "x": x.astype(np.int32), "g": g.astype(np.int32), "pairs": count})
    return rows.group_by(LIST, "x", "g", maintain_order=True).agg(pl.col("pairs").sum())


def _summed(
    pairs: list[pl.DataFrame],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    if not pairs:
        return NO_PAIRS
    rows = pl.concat(pairs).group_by(LIST, "x", "g", maintain_order=True).agg(pl.col("pairs").sum())
    lists, x, g = (rows[name].to_numpy().astype(np.int64) for name in (LIST, "x", "g"))
    return lists, x, g, rows["pairs"].to_numpy()
