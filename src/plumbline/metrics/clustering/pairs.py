"""Pairs of items: together or apart."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.clustering.settings import OVERLAPS, PARTITIONS
from plumbline.metrics.registry import metric
from plumbline.views.contingency import Contingency, Numbers
from plumbline.views.terms import ratio_values as ratio

NO_PAIR = "there is no pair of items"
NONE_TOGETHER = "no two items are together"


@metric(
    "Rand",
    range=(0, 1),
    paper="rand1971",
    elsewhere={"sklearn": "rand_score"},
    **{**OVERLAPS, "undefined": NO_PAIR},
    claims=("homogeneity", "completeness"),
    symmetric=True,
)
def rand(v: Contingency) -> Numbers:
    r"""Share of pairs that are together on both sides or on neither.

    $$\frac{SS + DD}{SS + SD + DS + DD}$$

    Items are together if they share at least one cluster (or class).
    """
    return ratio(v.pairs("SS") + v.pairs("DD"), v.items * (v.items - 1.0) / 2.0)


@metric(
    "Jaccard",
    range=(0, 1),
    paper="halkidi2001",
    **{**OVERLAPS, "undefined": NONE_TOGETHER},
    claims=("completeness",),
    symmetric=True,
)
def jaccard(v: Contingency) -> Numbers:
    r"""Pairs that are together on both sides, of those that are together on either.

    $$\frac{SS}{SS + SD + DS}$$
    """
    return ratio(v.pairs("SS"), v.pairs("SS") + v.pairs("SD") + v.pairs("DS"))


@metric(
    "FM",
    range=(0, 1),
    paper="fowlkes1983",
    elsewhere={"sklearn": "fowlkes_mallows_score"},
    **{**OVERLAPS, "undefined": "no two items are together on one of the sides"},
    claims=("completeness",),
    symmetric=True,
)
def fowlkes_mallows(v: Contingency) -> Numbers:
    r"""Geometric mean of pair precision and pair recall.

    $$\frac{SS}{\sqrt{(SS + SD)(SS + DS)}}$$

    scikit-learn returns 0 where no two items are together on one side; here that is undefined.
    """
    return ratio(v.pairs("SS"), np.sqrt((v.pairs("SS") + v.pairs("SD")) * (v.pairs("SS") + v.pairs("DS"))))


@metric("PairP", range=(0, 1), paper="manning2008", **{**OVERLAPS, "undefined": "no two items share a cluster"})
def pair_precision(v: Contingency) -> Numbers:
    r"""Share of pairs within clusters that are within a class too.

    $$\frac{SS}{SS + SD}$$
    """
    return ratio(v.pairs("SS"), v.pairs("SS") + v.pairs("SD"))


@metric(
    "PairR",
    range=(0, 1),
    paper="manning2008",
    **{**OVERLAPS, "undefined": "no two items share a class"},
    claims=("completeness",),
)
def pair_recall(v: Contingency) -> Numbers:
    r"""Share of pairs within classes that are within a cluster too.

    $$\frac{SS}{SS + DS}$$
    """
    return ratio(v.pairs("SS"), v.pairs("SS") + v.pairs("DS"))


@metric(
    "ARI",
    range=(-0.5, 1),
    paper="hubert1985",
    elsewhere={"sklearn": "adjusted_rand_score"},
    **{**PARTITIONS, "undefined": f"{NO_PAIR}, or no item is in any class"},
    symmetric=True,
)
def adjusted_rand(v: Contingency) -> Numbers:
    r"""Rand index beyond chance.

    $$\frac{2 (SS \cdot DD - SD \cdot DS)}{(SS + SD)(SD + DD) + (SS + DS)(DS + DD)}$$

    1 where both sides are the same trivial clustering. An item that is in no class is together with none; a case without any
    class has no value, as in `AMI`.
    """
    ss, sd, ds, dd = v.pairs("SS"), v.pairs("SD"), v.pairs("DS"), v.pairs("DD")
    value = 2.0 * (ss * dd - sd * ds) / ((ss + sd) * (sd + dd) + (ss + ds) * (ds + dd))
    nothing = (v.items <= 1) | (v.classes.number == 0) | (v.clusters.number == 0)
    return np.where(nothing, np.nan, np.where((sd == 0) & (ds == 0), 1.0, value))


@metric(
    "Omega",
    range=(None, 1),
    paper="collins1988",
    **{**OVERLAPS, "undefined": "every pair shares the same number of clusters on both sides"},
    symmetric=True,
)
def omega(v: Contingency) -> Numbers:
    r"""Agreement beyond chance on how many clusters each pair of items shares.

    $$\frac{observed - expected}{1 - expected}$$

    For partitions it is ARI, but undefined where every pair is together, or none is, on both sides.
    """
    every = v.items * (v.items - 1.0) / 2.0
    together_x, together_g = v.pairs("SS") + v.pairs("SD"), v.pairs("SS") + v.pairs("DS")
    agreed = v.either(v.pairs("SS"), "agreed", lambda: _agreed(v))
    chance = v.either(together_x * together_g, "chance", lambda: _chance(v))
    met = v.pairs("SS") + v.pairs("SD") + v.pairs("DS")
    expected = (chance + (every - together_x) * (every - together_g)) / (every * every)
    return ratio((agreed + every - met) / every - expected, 1.0 - expected)


def _agreed(v: Contingency) -> Numbers:
    """Pairs that share as many clusters as classes, and any."""
    met = v.meetings(paired=True).pairs
    return met.sum(met.x == met.g)


def _chance(v: Contingency) -> Numbers:
    """For each number of shared clusters above 0: pairs with that number on one side times those on the other, summed."""
    met = v.meetings(paired=True).pairs
    most = int(max(met.x.max(initial=0), met.g.max(initial=0)))
    return np.asarray(sum(met.sum(met.x == times) * met.sum(met.g == times) for times in range(1, most + 1)))
