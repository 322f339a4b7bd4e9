"""Mutual information beyond chance, and for overlapping clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from plumbline.metrics.clustering.information import INCOMPLETE
from plumbline.metrics.clustering.settings import OVERLAPS, PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.views.contingency import Contingency, Numbers
from plumbline.views.segments import Segments, crossed
from plumbline.views.terms import ratio_values as ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.views.contingency import SizeRows

Match = Literal["overlapping", "any"]
TOLERANCE: Final = 1e-12
"""Entropies that differ by less are equal but for rounding."""
REACH: Final = 10.0
"""Standard deviations around the mean overlap that are summed; the rest is below what 64 bits can show."""
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
def adjusted_information(v: Contingency) -> Numbers:
    r"""Mutual information beyond that of random clusterings with the same sizes.

    $$\frac{MI - E[MI]}{(H(L) + H(C)) / 2 - E[MI]}$$

    1 where both sides are one cluster, or all singletons, as in scikit-learn.
    """
    expected = v.fact("expected MI", lambda: expected_information(v.clusters, v.classes))
    mean = (v.classes.entropy + v.clusters.entropy) / 2.0
    clusters, classes = v.clusters.number, v.classes.number
    trivial = (clusters == classes) & ((clusters == 1) | (clusters == v.items))
    tiny = float(np.finfo(np.float64).eps)
    room = mean - expected
    kept = np.where(room < 0, np.minimum(room, -tiny), np.maximum(room, tiny))
    value = np.where(trivial, 1.0, (v.mutual_information - expected) / kept)
    return np.where(~v.complete | (v.items == 0), np.nan, value)


def expected_information(of_clusters: SizeRows, of_classes: SizeRows) -> Numbers:
    """E[MI] under the hypergeometric model; 0 where no item has a class, or one of a class no cluster.

    Every size of a cluster is taken with every size of a class, each pair of sizes once.
    """
    values, total = np.zeros(of_clusters.count_of_segments), of_clusters.total
    usable = (of_classes.total > 0) & (of_classes.total <= total)
    clusters, classes = _DistinctSizes.of(of_clusters, usable), _DistinctSizes.of(of_classes, usable)
    for a, b in crossed(clusters.rows, classes.rows, MOST_PAIRS // 10):
        lists = clusters.rows.of[a]
        shared = _shared_information(clusters.size[a], classes.size[b], total[lists])
        values += np.bincount(lists, weights=clusters.times[a] * classes.times[b] * shared, minlength=len(values))
    return values


class _DistinctSizes(NamedTuple):
    """The different sizes of the clusters of each list, and how many have each."""

    rows: Segments
    size: Numbers
    times: NDArray[np.int64]

    @classmethod
    def of(cls, side: SizeRows, usable: NDArray[np.bool_]) -> _DistinctSizes:
        """Of some lists."""
        some = usable[side.of]
        largest = int(side.size.max(initial=0.0)) + 1
        key, times = np.unique(side.of[some] * largest + side.size[some].astype(np.int64), return_counts=True)
        lists, size = np.divmod(key, largest)
        return cls(Segments(lists, len(usable)), size.astype(np.float64), times)


def _shared_information(a: Numbers, b: Numbers, total: Numbers) -> Numbers:
    """For sizes of clusters and classes, the expectation of n/N ln(n N / (a b)) over how many items they share.

    Pairs of sizes that can share about as many different numbers of items are worked on together.
    """
    mean = a * b / total
    spread = REACH * np.sqrt(mean * (1 - a / total) * (1 - b / total)) + REACH
    low = np.maximum(np.maximum(0, a + b - total), np.floor(mean - spread))
    ways = np.minimum(np.minimum(a, b), np.ceil(mean + spread)) - low + 1
    values, doublings = np.empty(len(a)), np.frexp(ways - 0.5)[1]
    for doubling in np.unique(doublings).tolist():
        alike = np.flatnonzero(doublings == doubling)
        portion = max(1, MOST_PAIRS >> max(doubling, 0))
        for start in range(0, len(alike), portion):
            at = alike[start : start + portion]
            shared = low[at] + np.arange(ways[at].max())[:, None]
            values[at] = _expectation(shared, a[at], b[at], total[at])
    return values


def _expectation(shared: Numbers, a: Numbers, b: Numbers, total: Numbers) -> Numbers:
    """A column for each pair of sizes. Each chance follows from the one above it, and all from their sum being 1."""
    chance, before, after = np.ones_like(shared), shared[:-1], shared[1:]
    np.cumprod((a - before) * (b - before) / (after * (after + (total - a - b))), axis=0, out=chance[1:])
    shared_information = shared * np.log(np.maximum(shared, 1) / (a * b / total))
    return np.asarray((shared_information * chance).sum(axis=0) / chance.sum(axis=0) / total)


@metric(
    "ONMI",
    range=(0, 1),
    paper="mcdaid2011",
    **{**OVERLAPS, "undefined": "both sides are one cluster of everything"},
    claims=("homogeneity", "rag bag", "size versus quantity", "size versus quantity, overlapping"),
    symmetric=True,
)
def overlapping_information(v: Contingency, *, match: Match = "overlapping") -> Numbers:
    r"""Normalised mutual information of overlapping clusters (NMI-max).

    $$\frac{I(C : L)}{\max(H(C), H(L))}$$

    Each cluster is described by the class that tells most about it. For partitions it is not NMI. As in the authors' program,
    only classes that share an item with the cluster are tried. `match=any` tries every class, as the formula of the paper
    does: being outside of a class tells something too. For clusters of 24 and 5 items, and classes of 27, 1 and 1 that mix
    them, the first gives .0304 and the second .0961.
    """
    return np.clip(ratio(*_overlapping(v, match)), 0.0, 1.0)


def _overlapping(v: Contingency, match: Match) -> tuple[Numbers, Numbers]:
    """The information that both sides share, and the larger of their entropies; only pairs that are tried count."""
    clusters, classes = (_Outline.of(side, v.items) for side in (v.clusters, v.classes))
    sharing = _Pairs(v.cells.cluster, v.cells.class_, v.cells.n)
    for pairs in (sharing,) if match == "overlapping" else _all_pairs(v):
        total = v.items[v.clusters.of[pairs.cluster]]
        d = pairs.shared
        c, e = v.clusters.size[pairs.cluster] - d, v.classes.size[pairs.class_] - d
        same, other = _bits(total - c - e - d, total) + _bits(d, total), _bits(e, total) + _bits(c, total)
        fits = same >= other - TOLERANCE * total
        at_a, at_b, joint = pairs.cluster[fits], pairs.class_[fits], (same + other)[fits]
        np.minimum.at(clusters.rest, at_a, joint - classes.bits[at_b])
        np.minimum.at(classes.rest, at_b, joint - clusters.bits[at_a])
    entropies = v.clusters.sum(clusters.bits), v.classes.sum(classes.bits)
    unknown = v.clusters.sum(clusters.rest), v.classes.sum(classes.rest)
    shared = 0.5 * (entropies[0] - unknown[0] + entropies[1] - unknown[1])
    some = v.cells.length > 0
    return np.where(some, shared, 0.0), np.where(some, np.maximum(*entropies), np.nan)


def _bits(count: Numbers, total: Numbers) -> Numbers:
    """So many items times the information of being among them."""
    return -count * np.log2(np.where(count > 0, count, total) / total)


class _Outline(NamedTuple):
    """Of each cluster, or of each class: what being inside or outside of it tells, and what is left of that."""

    bits: Numbers
    rest: Numbers

    @classmethod
    def of(cls, side: SizeRows, items: Numbers) -> _Outline:
        total = side.each(items)
        bits = _bits(side.size, total) + _bits(total - side.size, total)
        return cls(bits, bits.copy())


class _Pairs(NamedTuple):
    """Pairs of a cluster and a class, and how many items they share."""

    cluster: NDArray[np.int64]
    class_: NDArray[np.int64]
    shared: Numbers


def _all_pairs(v: Contingency) -> Iterator[_Pairs]:
    """Every cluster with every class of its list, also those that share nothing, in portions."""
    key = v.cells.cluster * len(v.classes.size) + v.cells.class_
    order = np.argsort(key, kind="stable")
    key, n = np.append(key[order], -1), np.append(v.cells.n[order], 0.0)
    for cluster, class_ in crossed(v.clusters, v.classes, MOST_PAIRS):
        wanted = cluster * len(v.classes.size) + class_
        place = np.searchsorted(key[:-1], wanted)
        yield _Pairs(cluster, class_, np.where(key[place] == wanted, n[place], 0.0))
