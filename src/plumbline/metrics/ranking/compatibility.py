"""Compatibility: how much a list has in common with an ideal list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from plumbline.lazily import pl
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Between
from plumbline.schema import CASE, GRADE, LIST, RANK
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

DEPTH: Final = 1000
"""How deep lists are compared, as in the authors' program."""


@metric(
    "Compat",
    range=(0, 1),
    paper="clarke2021",
    undefined="the gold has no item with a gain there",
    elsewhere={"ir_measures": "Compat"},
    claims=("priority", "deepness", "deepness threshold", "closeness threshold"),
)
def compatibility(lists: Ranked, *, p: Annotated[float, Between(0, 1, open_ended=True)] = 0.95) -> Terms:
    r"""Rank-biased overlap of the list with the ideal list that is most like it, as a share of the best overlap.

    $$\frac{RBO(list, ideal)}{RBO(ideal, ideal)}, \quad RBO = \sum_{d} p^{d-1} \frac{|list_{1..d} \cap ideal_{1..d}|}{d}$$

    The ideal list has all items with a gain, highest grade first; items of one grade are in the order of the list, and those
    that it does not show come after them. Lists are compared down to rank 1,000. No gain or discount has to be chosen.
    """
    worth = _overlap(lists.frame(), lists, p)
    return Terms(worth, over=lists.ideal_total(f"compatible {p!r}", np.ones_like, lambda places: _from(places, p), None))


def _from(place: Numbers, p: float) -> Numbers:
    """The sum of p^(d-1) / d over depths from a place on."""
    depths = np.arange(1, DEPTH + 1)
    weights = p ** (depths - 1.0) / depths
    left = np.append(np.cumsum(weights[::-1])[::-1], 0.0)
    return np.asarray(left[np.minimum(place, DEPTH + 1).astype(np.int64) - 1])


def _overlap(rows: pl.DataFrame, lists: Ranked, p: float) -> Numbers:
    """What each item shown adds: it is in both lists from the deeper one of its two places on."""
    counts = (
        lists.gold.judged.filter(pl.col(GRADE) > 0).group_by(CASE, GRADE).len("n").sort(CASE, GRADE, descending=[False, True])
    )
    higher = counts.with_columns((pl.col("n").cum_sum().over(CASE) - pl.col("n")).alias("higher")).drop("n")
    among = pl.col(RANK).rank("ordinal").over(LIST, GRADE)
    placed = rows.select(CASE, LIST, GRADE, RANK).with_columns(among.alias("among"))
    placed = placed.join(higher, on=[CASE, GRADE], how="left", maintain_order="left")
    place = pl.max_horizontal(pl.col("among") + pl.col("higher"), RANK)
    known = placed.select(pl.when(pl.col("higher").is_not_null()).then(place)).to_series().to_numpy().astype(np.float64)
    return np.where(np.isnan(known), 0.0, _from(np.nan_to_num(known, nan=1.0), p))
