"""Metrics that weigh classes by how much they tell: a rare class tells more."""

from __future__ import annotations

from typing import Final, Literal

import polars as pl

from plumbline.metrics.classification.settings import PER_LIST
from plumbline.metrics.registry import NEVER, metric
from plumbline.views.classes import Classes, is_class
from plumbline.views.terms import ratio


def _information(v: Classes) -> pl.Expr:
    """-log2 of the share of a class in the class above it; a class that the gold lacks counts as if it had one item."""
    least = pl.lit(1.0)
    return -(pl.max_horizontal(v.wanted, least) / pl.max_horizontal(v.wanted_above, least)).log(2)


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
def information_contrast(v: Classes) -> pl.Expr:
    r"""Information Contrast Measure: what labels share with the gold less what they do not share, in bits per item.

    $$\frac{1}{n} \sum \big( 2 I(s) + 2 I(g) - 3 I(s \cup g) \big)$$

    I is the sum of -log2 of the share of each class in the gold of the case. With `--hierarchy` the classes above count
    as labels too, and the share is that in the class right above: I of a class alone is still -log2 of its share of all
    items, and two classes count what they have above them once.
    """
    return (_information(v) * (v.tp - v.fp - v.fn)).filter(is_class).sum() / v.n


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
def normalised_contrast(v: Classes) -> pl.Expr:
    r"""ICM between 0 and 1: 1 is the gold, 0.5 is no contrast, and what is below 0 is cut.

    $$\frac{1}{2} \Big( \frac{ICM}{ICM(gold)} + 1 \Big)$$
    """
    of_gold = (_information(v) * v.wanted).filter(is_class).sum() / v.n
    return ((ratio(information_contrast(v), of_gold) + 1.0) / 2.0).clip(0.0, 1.0)


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
def closeness(v: Classes, *, scale: Literal["ordinal", "nominal"] = "ordinal") -> pl.Expr:
    r"""Closeness Evaluation Measure: how near the given class is to the right one, measured by the items in between.

    $$\frac{\sum prox(s, g)}{\sum prox(g, g)}, \quad prox(s, g) = -\log_2 \frac{n_s / 2 + n_{after\,s..g}}{n}$$

    Classes are ordered as `--classes` says, by number, or by alphabet. On the `nominal` scale all other classes are
    equally far. An item without an answer is not near at all.
    """
    v.order_matters |= scale == "ordinal"
    return v.over_cells(f"near {scale}", _near(scale)) / v.over_cells("nearest", -(_HALF / pl.col("n")).log(2))


_HALF: Final = pl.col("gold_n") / 2.0


def _near(scale: str) -> pl.Expr:
    """How near the given class is to the right one: the fewer items lie between them, the nearer."""
    given, right = pl.col("system"), pl.col("gold")
    up = pl.col("upto_gold") - pl.col("upto_system")
    down = pl.col("upto_system") - pl.col("system_n") - pl.col("upto_gold") + pl.col("gold_n")
    ordinal = pl.col("system_n") / 2.0 + pl.when(given < right).then(up).otherwise(down)
    apart = ordinal if scale == "ordinal" else (pl.col("n") + pl.col("gold_n")) / 2.0
    between = pl.when(given == right).then(_HALF).otherwise(apart)
    return pl.when(given < 0).then(0.0).otherwise(-(between / pl.col("n")).log(2))
