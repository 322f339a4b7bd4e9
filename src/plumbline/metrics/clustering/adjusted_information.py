"""Mutual information beyond chance, and for overlapping clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
import polars as pl

from plumbline.metrics.clustering.information import INCOMPLETE
from plumbline.metrics.clustering.settings import OVERLAPS, PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.schema import LIST
from plumbline.views.contingency import Contingency
from plumbline.views.terms import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

Match = Literal["overlapping", "any"]
TOLERANCE: Final = 1e-12
"""Entropies that differ by less are equal but for rounding."""
REACH: Final = 10.0
"""Standard deviations around the mean overlap that are summed; the rest is below what 64 bits can show."""
FOLD: Final = 4
"""Sizes within so many doublings are worked on together: they overlap in about as many ways."""
MOST_PAIRS: Final = 2_000_000
"""Pairs of a cluster and a class that are looked at together."""


@metric(
    "AMI",
    range=(None, 1),
    paper="vinh2010",
    elsewhere={"sklearn": "adjusted_mutual_info_score"},
    **{**PARTITIONS, "undefined": INCOMPLETE},
    claims=("size versus quantity",),
    symmetric=True,
)
def adjusted_information(v: Contingency) -> pl.Expr:
    r"""Mutual information beyond that of random clusterings with the same sizes.

    $$\frac{MI - E[MI]}{(H(L) + H(C)) / 2 - E[MI]}$$

    1 where both sides are one cluster, or all singletons, as in scikit-learn.
    """
    expected = v.fact("expected MI", lambda: _expected(v))
    mean = (v.entropy_of_classes + v.entropy_of_clusters) / 2.0
    clusters, classes = v.number_of_clusters, v.number_of_classes
    trivial = (clusters == classes) & ((clusters == 1) | (clusters == v.items))
    tiny = float(np.finfo(np.float64).eps)
    room = mean - expected
    kept = pl.when(room < 0).then(pl.min_horizontal(room, pl.lit(-tiny))).otherwise(pl.max_horizontal(room, pl.lit(tiny)))
    return (
        pl.when(~v.complete | (v.items == 0))
        .then(None)
        .when(trivial)
        .then(1.0)
        .otherwise((v.mutual_information - expected) / kept)
    )


def _expected(v: Contingency) -> pl.DataFrame:
    """E[MI] under the hypergeometric model, list by list; none where no item has a class, or one of a class no cluster."""
    lists, values = [], []
    sizes = {
        side: {number: frame["size"].to_numpy() for (number,), frame in table.group_by(LIST, maintain_order=True)}
        for side, table in (("cluster", v.clusters), ("class", v.classes))
    }
    for number, clusters in sizes["cluster"].items():
        classes = sizes["class"].get(number, clusters[:0])
        if 0 < classes.sum() <= clusters.sum():
            lists.append(number)
            values.append(_expected_information(clusters, classes))
    return pl.DataFrame({LIST: lists, "expected MI": values}, schema={LIST: pl.Int64, "expected MI": pl.Float64})


def _expected_information(clusters: NDArray[np.float64], classes: NDArray[np.float64]) -> float:
    """Every size of a cluster with every size of a class, each pair of sizes once."""
    total = float(clusters.sum())
    b, times_b = np.unique(classes, return_counts=True)
    alike = np.floor(np.log2(b / b[0]) / FOLD)
    blocks = np.split(np.arange(len(b)), np.flatnonzero(np.diff(alike)) + 1)
    values = 0.0
    for a, times_a in zip(*np.unique(clusters, return_counts=True), strict=True):
        values += float(times_a) * sum(float(times_b[cells] @ _shared_information(a, b[cells], total)) for cells in blocks)
    return values


def _shared_information(a: float, b: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """For one cluster size and every class size, the expectation of n/N ln(n N / (a b)) over how many items they share.

    A column for each class size. Each chance follows from the one above it, and all from their sum being 1.
    """
    mean = a * b / total
    spread = REACH * np.sqrt(mean * (1 - a / total) * (1 - b / total)) + REACH
    low = np.maximum(np.maximum(0, a + b - total), np.floor(mean - spread))
    high = np.minimum(np.minimum(a, b), np.ceil(mean + spread))
    shared = low + np.arange((high - low).max() + 1)[:, None]
    chance, before, after = np.ones_like(shared), shared[:-1], shared[1:]
    np.cumprod((a - before) * (b - before) / (after * (after + (total - a - b))), axis=0, out=chance[1:])
    shared_information = shared * np.log(np.maximum(shared, 1) / mean)
    return np.asarray((shared_information * chance).sum(axis=0) / chance.sum(axis=0) / total)


@metric(
    "ONMI",
    range=(0, 1),
    paper="mcdaid2011",
    **{**OVERLAPS, "undefined": "both sides are one cluster of everything"},
    claims=("homogeneity", "rag bag", "size versus quantity", "size versus quantity, overlapping"),
    symmetric=True,
)
def overlapping_information(v: Contingency, *, match: Match = "overlapping") -> pl.Expr:
    r"""Normalised mutual information of overlapping clusters (NMI-max).

    $$\frac{I(C : L)}{\max(H(C), H(L))}$$

    Each cluster is described by the class that tells most about it. For partitions it is not NMI. As in the authors' program,
    only classes that share an item with the cluster are tried. `match=any` tries every class, as the formula of the paper
    does: being outside of a class tells something too. For clusters of 24 and 5 items, and classes of 27, 1 and 1 that mix
    them, the first gives .0304 and the second .0961.
    """
    shared_information = v.fact(f"shared information {match}", lambda: _overlapping(v, match))
    return ratio(shared_information, pl.col(f"larger entropy {match}")).clip(0.0, 1.0)


def _overlapping(v: Contingency, match: Match) -> pl.DataFrame:
    items = dict(v.lists.select(LIST, "items").iter_rows())
    sizes = {
        side: {number: frame.sort(side)[[side, "size"]] for (number,), frame in table.group_by(LIST, maintain_order=True)}
        for side, table in (("cluster", v.clusters), ("class", v.classes))
    }
    rows = []
    for (number,), cells in v.cells.group_by(LIST, maintain_order=True):
        clusters, classes = sizes["cluster"][number], sizes["class"][number]
        at_cluster, at_class = (
            np.searchsorted(frame[side].to_numpy(), cells[side].to_numpy())
            for side, frame in (("cluster", clusters), ("class", classes))
        )
        a, b = clusters["size"].to_numpy(), classes["size"].to_numpy()
        sharing = _Pairs(at_cluster, at_class, cells["n"].to_numpy())
        tried = iter([sharing]) if match == "overlapping" else sharing.with_all_others(len(a), len(b))
        rows.append((number, *_information(tried, a, b, items[number])))
    numbers = {f"{name} {match}": pl.Float64 for name in ("shared information", "larger entropy")}
    return pl.DataFrame(rows, schema={LIST: pl.Int64, **numbers}, orient="row")


class _Pairs(NamedTuple):
    """Pairs of a cluster and a class, and how many items they share."""

    cluster: NDArray[np.int64]
    class_: NDArray[np.int64]
    shared: NDArray[np.float64]

    def with_all_others(self, clusters: int, classes: int) -> Iterator[_Pairs]:
        """Every cluster with every class, also those that share nothing, in portions."""
        order = np.argsort(self.cluster, kind="stable")
        by_cluster = _Pairs(self.cluster[order], self.class_[order], self.shared[order])
        portion = max(1, MOST_PAIRS // classes)
        for start in range(0, clusters, portion):
            stop = min(start + portion, clusters)
            some = slice(*np.searchsorted(by_cluster.cluster, [start, stop]))
            shared = np.zeros((stop - start, classes))
            shared[by_cluster.cluster[some] - start, by_cluster.class_[some]] = by_cluster.shared[some]
            yield _Pairs(np.repeat(np.arange(start, stop), classes), np.tile(np.arange(classes), stop - start), shared.ravel())


def _information(tried: Iterator[_Pairs], a: NDArray[np.float64], b: NDArray[np.float64], total: float) -> tuple[float, float]:
    """The information that both sides share, and the larger of their entropies; only pairs that are tried count."""

    def h(count: NDArray[np.float64]) -> NDArray[np.float64]:
        return -count * np.log2(np.where(count > 0, count, total) / total)

    bits_a, bits_b = h(a) + h(total - a), h(b) + h(total - b)
    a_if_b, b_if_a = bits_a.copy(), bits_b.copy()
    for at_a, at_b, d in tried:
        c, e = a[at_a] - d, b[at_b] - d
        rest = total - a[at_a] - b[at_b] + d
        same, other = h(rest) + h(d), h(e) + h(c)
        fits = same >= other - TOLERANCE * total
        at_a, at_b, joint = at_a[fits], at_b[fits], (same + other)[fits]  # noqa: PLW2901 - only those
        np.minimum.at(a_if_b, at_a, joint - bits_b[at_b])
        np.minimum.at(b_if_a, at_b, joint - bits_a[at_a])
    entropy_a, entropy_b = bits_a.sum(), bits_b.sum()
    shared_information = 0.5 * (entropy_a - a_if_b.sum() + entropy_b - b_if_a.sum())
    return float(shared_information), float(max(entropy_a, entropy_b))
