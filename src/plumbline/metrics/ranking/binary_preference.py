"""Binary preference."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Level
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms


@metric(
    "Bpref",
    range=(0, 1),
    paper="buckley2004",
    elsewhere={"trec_eval": "bpref", "ir_measures": "Bpref", "ranx": "bpref"},
    claims=("deepness threshold",),
)
def binary_preference(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Share of judged irrelevant items that stand below each relevant one.

    $$Bpref = \frac{1}{R} \sum_r 1 - \frac{\min(n_{above}(r), R)}{\min(N, R)}$$

    Unjudged items are ignored. Where nothing irrelevant stands above, a relevant item counts fully.
    """
    R = lists.R(rel)
    above = lists.so_far(lists.nonrelevant(rel))
    most = lists.each(np.minimum(lists.N(rel), R))
    lost = np.where(above > 0, np.minimum(above, lists.each(R)) / most, 0.0)
    return Terms(np.where(lists.relevant(rel), 1.0 - lost, 0.0), over=R)


@metric(
    "GMBpref",
    range=(0, 1),
    paper="buckley2004",
    average="geometric",
    aliases={"gm_bpref": {}},
    elsewhere={"trec_eval": "gm_bpref"},
    claims=("deepness threshold",),
)
def geometric_preference(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Binary preference, averaged over cases by the geometric mean.

    $$\exp \frac{1}{n} \sum_q \ln \max(Bpref_q, 0.00001)$$
    """
    return binary_preference(lists, rel=rel)
