"""Precision at R and at multiples of R."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Level, Positive
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms


@metric(
    "Rprec",
    range=(0, 1),
    paper="buckley2005",
    linear=True,
    elsewhere={"trec_eval": "Rprec", "ir_measures": "Rprec", "ranx": "r-precision"},
)
def r_precision(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Precision after as many items as there are relevant ones.

    $$Rprec = P@R$$
    """
    return Terms(lists.relevant(rel) & (lists.rank <= lists.each(lists.R(rel))), over=lists.R(rel))


@metric("BreakEven", range=(0, 1), paper="lewis1992", linear=True)
def break_even(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""The value at which precision and recall are equal.

    $$P@i = R@i \iff i = R$$

    After R items precision and recall have the same divisor, so this is Rprec to the last digit.
    """
    return r_precision(lists, rel=rel)


@metric(
    "RprecMult",
    range=(0, 1),
    paper="treceval",
    at="x",
    linear=True,
    aliases={"Rprec_mult_{x}": {}},
    elsewhere={"trec_eval": "Rprec_mult_x"},
    ideal_below_best="more than R items can be asked for",
)
def r_precision_multiple(lists: Ranked, *, x: Annotated[float, Positive()], rel: Level = 1.0) -> Terms:
    r"""Precision after x times as many items as there are relevant ones.

    $$P@\lfloor xR + 0.9 \rfloor$$

    The rounding is trec_eval's.
    """
    depth = np.floor(lists.R(rel) * x + 0.9)
    return Terms(lists.relevant(rel) & (lists.rank <= lists.each(depth)), over=depth)
