"""Average precision and its geometric mean."""

from __future__ import annotations

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Level
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms


@metric(
    "AP",
    range=(0, 1),
    paper="buckley2005",
    at="k",
    linear=True,
    aliases={"MAP": {}, "map_cut_{k}": {}, "mean_average_precision": {}},
    elsewhere={"trec_eval": "map, map_cut_k", "ir_measures": "AP, AP@k", "ranx": "map, map@k"},
    claims=("priority", "closeness threshold"),
    ideal_below_best="k may be below R",
)
def average_precision(lists: Ranked, *, k: Cutoff | None = None, rel: Level = 1.0) -> Terms:
    r"""Mean of the precision at each relevant item.

    $$AP = \frac{1}{R} \sum_i rel_i \cdot \frac{hits_i}{i}$$

    Relevant items that are not shown count with precision 0, even when a cutoff keeps them out.
    """
    shown = lists.relevant(rel) if k is None else lists.relevant(rel) & (lists.rank <= k)
    return Terms(shown * lists.hits(rel) / lists.rank, over=lists.R(rel))


@metric(
    "GMAP",
    range=(0, 1),
    paper="robertson2006",
    average="geometric",
    linear=True,
    aliases={"gm_map": {}},
    elsewhere={"trec_eval": "gm_map"},
    claims=("priority", "closeness threshold"),
)
def geometric_map(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Average precision, averaged over cases by the geometric mean.

    $$\exp \frac{1}{n} \sum_q \ln \max(AP_q, 0.00001)$$

    The value of a case is its AP; only the mean differs. It stresses the cases in which a system does badly.
    """
    return average_precision(lists, rel=rel)
