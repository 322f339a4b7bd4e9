"""Metrics that weigh classes by how much they tell: a rare class tells more."""

from __future__ import annotations

from typing import Literal

import numpy as np

from plumbline.metrics.classification.settings import PER_LIST
from plumbline.metrics.registry import NEVER, metric
from plumbline.views.classes import Cells, Classes, Numbers
from plumbline.views.terms import ratio_values as ratio


def _information(v: Classes) -> Numbers:
    """-log2 of the share of a class in the class above it; a class that the gold lacks counts as if it had one item."""
    return -np.log2(np.maximum(v.wanted, 1.0) / np.maximum(v.wanted_above, 1.0))


@metric(
    "ICM",
    linear=True,
    range=(None, None),
    paper="amigo2022",
    claims=(
        "strict monotonicity",
        "definiteness",
        "strong definiteness",
        "exchange of classes",
        "rare classes, several labels",
        "nearness, hierarchy",
        "rare classes, hierarchy",
    ),
    undefined=NEVER,
    elsewhere={"PyEvALL": "ICM"},
    **PER_LIST,
)
def information_contrast(v: Classes) -> Numbers:
    r"""Information Contrast Measure: what labels share with the gold minus what they do not share, in bits per item.

    $$\frac{1}{n} \sum \big( 2 I(s) + 2 I(g) - 3 I(s \cup g) \big)$$

    I is the sum of -log2 of the share of each class in the gold of the case. With `--hierarchy` the classes above count
    as labels too, and the share is that in the class right above: I of a class alone is still -log2 of its share of all
    items, and two classes count the ancestors that they share once.
    """
    return v.over_classes(_information(v) * (v.tp - v.fp - v.fn)) / v.n


@metric(
    "ICMNorm",
    range=(0, 1),
    paper="amigo2022",
    claims=(
        "definiteness",
        "exchange of classes",
        "rare classes, several labels",
        "nearness, hierarchy",
        "rare classes, hierarchy",
    ),
    undefined="the labels of the gold carry no information: one class only",
    elsewhere={"PyEvALL": "ICM-Norm"},
    **PER_LIST,
)
def normalised_contrast(v: Classes) -> Numbers:
    r"""ICM between 0 and 1: 1 is the gold, 0.5 is no contrast, and what is below 0 is cut.

    $$\frac{1}{2} \Big( \frac{ICM}{ICM(gold)} + 1 \Big)$$
    """
    of_gold = v.over_classes(_information(v) * v.wanted) / v.n
    return np.clip((ratio(information_contrast(v), of_gold) + 1.0) / 2.0, 0.0, 1.0)


@metric(
    "CEM",
    linear=True,
    range=(0, 1),
    paper="amigo2020",
    claims=("strict monotonicity", "definiteness", "strong definiteness"),
    undefined=NEVER,
    single_label=True,
    elsewhere={"PyEvALL": "CEM"},
    **PER_LIST,
)
def closeness(v: Classes, *, scale: Literal["ordinal", "nominal"] = "ordinal") -> Numbers:
    r"""Closeness Evaluation Measure: how near the given class is to the right one, measured by the items in between.

    $$\frac{\sum prox(s, g)}{\sum prox(g, g)}, \quad prox(s, g) = -\log_2 \frac{n_s / 2 + n_{after\,s..g}}{n}$$

    Classes are ordered as `--classes` says, by number, or by alphabet. On the `nominal` scale all other classes are
    equally far. An item without an answer is not near at all.
    """
    v.order_matters |= scale == "ordinal"
    cells = v.cells
    return cells.over_items(_near(cells, scale)) / cells.over_items(-np.log2(cells.gold_n / 2.0 / cells.n))


def _near(c: Cells, scale: str) -> Numbers:
    """How near the given class is to the right one: the fewer items lie between them, the nearer."""
    up = c.upto_gold - c.upto_system
    down = c.upto_system - c.system_n - c.upto_gold + c.gold_n
    ordinal = c.system_n / 2.0 + np.where(c.system < c.gold, up, down)
    apart = ordinal if scale == "ordinal" else (c.n + c.gold_n) / 2.0
    between = np.where(c.system == c.gold, c.gold_n / 2.0, apart)
    return np.where(c.is_answer, -np.log2(between / c.n), 0.0)
