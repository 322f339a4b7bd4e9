"""Metrics of clusterings in which items belong to clusters to some degree."""

from __future__ import annotations

from typing import Annotated, Any, Final

import numpy as np

from plumbline.metrics.clustering.settings import OVERLAPS
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Count
from plumbline.views.contingency import Contingency, Numbers
from plumbline.views.fuzzy import fuzzy_bcubed, fuzzy_information
from plumbline.views.terms import ratio_values as ratio

WEIGHTED: Final[dict[str, Any]] = {**OVERLAPS, "paper": "jurgens2013", "needs": "memberships"}
"""A metric that looks at weights."""
ALONE: Final = "an item that is alone counts 0, even if it rightly is"


@metric(
    "FuzzyBCubedP",
    range=(0, 1),
    **WEIGHTED,
    ideal_below_best=ALONE,
    claims=("rag bag", "size versus quantity", "size versus quantity, overlapping"),
)
def fuzzy_precision(v: Contingency) -> Numbers:
    r"""Fuzzy BCubed precision: how far items that share a cluster with an item also belong with it in the gold, on average.

    $$Avg_i \, Avg_{j \ne i} \frac{\min(C_{ij}, L_{ij})}{C_{ij}}, \quad C_{ij} = \sum_k 1 - |w_{ik} - w_{jk}|$$

    j runs over the other items that share a cluster with i, k over the clusters that both are in; L is the same in the gold.
    The largest weight of an item is 1. An item that is alone counts 0, as in the program of SemEval 2013, task 13. That
    program prints this value as recall, and recall as precision.
    """
    return v.fact("fuzzy precision", lambda: fuzzy_bcubed(v.aligned, "cluster"))


@metric("FuzzyBCubedR", range=(0, 1), **WEIGHTED, ideal_below_best=ALONE, claims=("completeness", "size versus quantity"))
def fuzzy_recall(v: Contingency) -> Numbers:
    r"""Fuzzy BCubed recall: how far items that share a class with an item are also with it in the output, on average.

    $$Avg_i \, Avg_{j \ne i} \frac{\min(C_{ij}, L_{ij})}{L_{ij}}, \quad L_{ij} = \sum_k 1 - |w_{ik} - w_{jk}|$$

    j runs over the other items that share a class with i, k over the classes that both are in; C is the same in the output.
    """
    return v.fact("fuzzy recall", lambda: fuzzy_bcubed(v.aligned, "class"))


@metric(
    "FuzzyNMI",
    range=(0, 1),
    **{**WEIGHTED, "undefined": "no cluster and no class tells items apart"},
    claims=("homogeneity", "rag bag", "size versus quantity", "size versus quantity, overlapping"),
    symmetric=True,
    samples={"bins": (2, 5)},
)
def fuzzy_normalised_information(v: Contingency, *, bins: Annotated[int, Count(1000)] = 10) -> Numbers:
    r"""Fuzzy normalised mutual information: what weights in clusters tell about weights in classes.

    $$\frac{(H(C) - H(C|L) + H(L) - H(L|C)) / 2}{\max(H(C), H(L))}$$

    H(C) is the sum over clusters of the entropy of the weights of all items, in `bins` bins of equal width; an item outside
    of a cluster has the weight 0, so that it shares a bin with weights up to 0.1. In H(C|L) each cluster is described by the
    class that tells most about it, but not by one that is rather its opposite. Without weights this is `ONMI(match=any)`.
    """
    return np.clip(ratio(*fuzzy_information(v.aligned, bins)), 0.0, 1.0)
