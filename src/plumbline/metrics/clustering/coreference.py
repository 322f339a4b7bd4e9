"""Metrics of the coreference community: links, optimal matches, and entities weighted by their size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from plumbline.lazily import optimize
from plumbline.metrics.clustering.settings import OVERLAPS, PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.views.contingency import Contingency, Numbers, pairs
from plumbline.views.terms import harmonic_values as harmonic
from plumbline.views.terms import ratio_values as ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.views.contingency import SizeRows

    Places = NDArray[np.int64]
    Likeness = Callable[[Numbers, Numbers, Numbers], Numbers]


Part = Literal["F", "P", "R"]


def _part(precision: Numbers, recall: Numbers, part: Part) -> Numbers:
    return {"P": precision, "R": recall}.get(part, harmonic(precision, recall, 0.5))


@metric(
    "MUC",
    range=(0, 1),
    paper="vilain1995",
    **{**PARTITIONS, "undefined": "one of the sides links no two items"},
    claims=("completeness", "size versus quantity"),
    symmetric=True,
)
def muc(v: Contingency, *, part: Part = "F") -> Numbers:
    r"""Links that need not be added to or taken from the output to make it the gold.

    $$R = \frac{\sum_i (|L_i| - parts(L_i))}{\sum_i (|L_i| - 1)}$$

    Precision exchanges the sides. Singletons do not count.
    """
    kept = v.cells.sum(v.cells.n - 1.0)
    recall = ratio(kept, v.classes.total - v.classes.number)
    precision = ratio(kept, v.clusters.total - v.clusters.number)
    return _part(precision, recall, part)


@metric(
    "LEA",
    range=(0, 1),
    paper="moosavi2016",
    **PARTITIONS,
    claims=("completeness", "rag bag", "size versus quantity"),
    symmetric=True,
)
def lea(v: Contingency, *, part: Part = "F") -> Numbers:
    r"""Share of the links of each entity that are found, weighted by the size of the entity.

    $$R = \frac{\sum_i |L_i| \sum_j \frac{link(C_j \cap L_i)}{link(L_i)}}{\sum_i |L_i|}$$

    An entity of one item has one link, to itself, which is found if the other side has that item alone too.
    """
    cells = v.cells
    links = cells.n * (cells.n - 1.0)
    both_alone = (cells.class_size == 1) & (cells.cluster_size == 1)

    def found_links(items: Numbers) -> Numbers:
        return cells.sum(np.where(items > 1, items * links / np.maximum(items * (items - 1.0), 1.0), both_alone))

    recall = found_links(cells.class_size) / v.classes.total
    precision = ratio(found_links(cells.cluster_size), v.clusters.total)
    return _part(precision, recall, part)


@metric(
    "BLANC",
    range=(0, 1),
    paper="luo2014",
    **{**PARTITIONS, "undefined": "there is no pair of items in the gold"},
    claims=("homogeneity", "completeness"),
)
def blanc(v: Contingency, *, part: Part = "F") -> Numbers:
    r"""Mean of the scores of links and of non-links.

    $$\frac{F_{together} + F_{apart}}{2}$$

    Where the gold has one of the two kinds only, that kind decides, as in the scorer of CoNLL: a gold of single items has no
    links, and one entity has no non-links.
    """
    ss, given, wanted = v.pairs("SS"), v.pairs("SS") + v.pairs("SD"), v.pairs("SS") + v.pairs("DS")
    clustered, classified = v.clusters.total, v.classes.total
    apart_given, apart_wanted = pairs(clustered) - given, pairs(classified) - wanted
    linked = _linked(v.clusters, v.cells.cluster, v.cells.n) + _linked(v.classes, v.cells.class_, v.cells.n)
    right_apart = pairs(v.cells.sum(v.cells.n)) - linked + ss
    together = _part(_zero(ss, given), _zero(ss, wanted), part)
    apart = _part(_zero(right_apart, apart_given), _zero(right_apart, apart_wanted), part)
    value = np.where(wanted == 0, apart, np.where(apart_wanted == 0, together, (together + apart) / 2.0))
    return np.where(classified > 1, value, np.nan)


def _linked(side: SizeRows, at: Places, n: Numbers) -> Numbers:
    """Pairs of items of one cluster that are both in some class, or of one class that are both in some cluster."""
    present = np.bincount(at, weights=n, minlength=len(side.size)).astype(np.float64)
    return side.sum(pairs(present))


def _zero(share: Numbers, total: Numbers) -> Numbers:
    """A share that is 0 where the whole is empty: a side without links finds none of the other side's."""
    return np.where(total != 0, ratio(share, total), 0.0)


@metric(
    "CEAFm",
    range=(0, 1),
    paper="luo2005",
    **OVERLAPS,
    claims=("size versus quantity", "size versus quantity, overlapping"),
    symmetric=True,
)
def ceaf_mentions(v: Contingency, *, part: Part = "F") -> Numbers:
    r"""Items that clusters share with the classes that they are matched to, one to one and as well as possible.

    $$P = \frac{\max \sum |C_j \cap L_i|}{\sum |C_j|}$$
    """
    matched = v.fact("ceaf m", lambda: _matched(v, lambda shared, _a, _b: shared))
    precision = ratio(matched, v.clusters.total)
    return _part(precision, matched / v.classes.total, part)


@metric(
    "CEAFe",
    range=(0, 1),
    paper="luo2005",
    **OVERLAPS,
    claims=("completeness", "rag bag", "size versus quantity", "size versus quantity, overlapping"),
    symmetric=True,
)
def ceaf_entities(v: Contingency, *, part: Part = "F") -> Numbers:
    r"""Similarity of clusters and the classes that they are matched to, one to one and as well as possible.

    $$P = \frac{\max \sum \frac{2 |C_j \cap L_i|}{|C_j| + |L_i|}}{m}$$

    m is the number of clusters, for recall that of classes.
    """
    matched = v.fact("ceaf e", lambda: _matched(v, lambda shared, a, b: 2.0 * shared / (a + b)))
    precision = ratio(matched, v.clusters.number)
    return _part(precision, matched / v.classes.number, part)


def _matched(v: Contingency, likeness: Likeness) -> Numbers:
    """The best sum of likeness over one-to-one matches, found by scipy's assignment solver, list by list."""
    cells, clusters, classes = v.cells, v.clusters, v.classes
    worth = likeness(cells.n, cells.cluster_size, cells.class_size)
    rows, columns = cells.cluster - clusters.start[cells.of], cells.class_ - classes.start[cells.of]
    totals = np.zeros(len(v.items))
    for number in np.flatnonzero(cells.length).tolist():
        some = slice(cells.start[number], cells.start[number] + cells.length[number])
        matrix = np.zeros((clusters.length[number], classes.length[number]))
        matrix[rows[some], columns[some]] = worth[some]
        totals[number] = matrix[optimize.linear_sum_assignment(matrix, maximize=True)].sum()
    return totals
