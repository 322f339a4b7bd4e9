"""Interpolated precision at recall points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Level, Share
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

Points = Literal["exact", "round", "truncate"]


def _interpolated(lists: Ranked, recall: float, rel: float, points: Points) -> NDArray[np.float64]:
    wanted = lists.R(rel) * recall
    needed = {"exact": np.ceil(wanted - 1e-9), "round": np.floor(wanted + 0.5), "truncate": np.floor(wanted + 0.9)}[points]
    hits = lists.hits(rel)
    reached = lists.relevant(rel) & (hits >= lists.each(needed))
    return lists.max(np.where(reached, hits / lists.rank, 0.0), empty=0.0)


@metric(
    "IPrec",
    range=(0, 1),
    paper="manning2008",
    at="recall",
    aliases={"iprec_at_recall_{recall}": {"points": "round"}},
    elsewhere={"trec_eval": "iprec_at_recall_r (points=round)", "ir_measures": "IPrec@r (points=truncate)"},
    claims=("closeness threshold",),
)
def interpolated_precision(lists: Ranked, *, recall: Share, rel: Level = 1.0, points: Points = "exact") -> Value:
    r"""The best precision at this recall or any higher one, 0 if it is not reached.

    $$P(r) = \max_{i \,:\, hits_i / R \ge r} \frac{hits_i}{i}$$

    A recall of 0.3 with R = 4 needs 1.2 relevant items. `exact` takes 2, as the definition says; trec_eval 10 rounds (`round`,
    here 1); trec_eval 9 and pytrec_eval add 0.9 and cut (`truncate`, here 2, but 1 for 1.05).
    """
    return Value(_interpolated(lists, recall, rel, points), given=lists.some_relevant(rel))


@metric(
    "11pt",
    range=(0, 1),
    paper="manning2008",
    aliases={"11pt_avg": {"points": "round"}},
    elsewhere={"trec_eval": "11pt_avg (points=round)"},
    claims=("closeness threshold",),
)
def eleven_points(lists: Ranked, *, rel: Level = 1.0, points: Points = "exact") -> Value:
    r"""Mean of the interpolated precision at recall 0, 0.1, ... 1.

    $$\frac{1}{11} \sum_{j=0}^{10} P(j / 10)$$
    """
    at_points = [_interpolated(lists, tenth / 10, rel, points) for tenth in range(11)]
    return Value(np.sum(at_points, axis=0) / 11, given=lists.some_relevant(rel))
