"""Metrics of diversity: items that say something new about the subtopics of a case."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np

from plumbline.lazily import pl
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Between, Cutoff, Level, Share
from plumbline.views.ranked import Ranked
from plumbline.views.subtopics import about, added, ideal_novelty, number_of_subtopics, seen, top
from plumbline.views.terms import Terms, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

Tolerance = Annotated[float, Between(0, 1, open_ended=True)]
DIVERSE: Final[dict[str, Any]] = {"range": (0, 1)}
TRUNCATED: Final = "no list is full of items about every subtopic"


def _cut(lists: Ranked, worth: Numbers, k: int | None) -> Numbers:
    return worth if k is None else np.where(lists.rank <= k, worth, 0.0)


def _novelty(lists: Ranked, alpha: float, rel: float) -> Numbers:
    """Each subtopic of an item counts 1 - alpha times as much for every item above that is about it."""
    return added(lists, f"novelty {alpha!r}", rel, (1.0 - alpha) ** seen())


@metric(
    "alpha_nDCG",
    paper="clarke2008",
    at="k",
    aliases={"alpha-nDCG": {}},
    elsewhere={"ndeval": "alpha-nDCG@k", "ir_measures": "alpha_nDCG@k"},
    claims=("priority", "deepness", "deepness threshold"),
    **DIVERSE,
)
def novelty_gain(lists: Ranked, *, k: Cutoff | None = None, alpha: Tolerance = 0.5, rel: Level = 1.0) -> Terms:
    r"""Discounted novelty as a share of the best that the case allows.

    $$\frac{1}{ideal} \sum_{i \le k} \frac{1}{\log_2(i + 1)} \sum_s J_{is} (1 - \alpha)^{r_{is}}$$

    J says whether item i is relevant to subtopic s, and r how many items above are. The ideal list takes the item that adds
    most, again and again, as ndeval does. A gold without subtopics has one.
    """
    worth = _novelty(lists, alpha, rel) / np.log2(lists.rank + 1.0)
    return Terms(_cut(lists, worth, k), over=ideal_novelty(lists, alpha, rel, k, lambda places: 1.0 / np.log2(places + 1.0)))


@metric(
    "ERR_IA",
    paper="chapelle2011",
    at="k",
    aliases={"ERR-IA": {}},
    elsewhere={"ndeval": "ERR-IA@k", "ir_measures": "ERR_IA@k"},
    ideal_below_best=TRUNCATED,
    claims=("priority", "deepness", "deepness threshold"),
    **DIVERSE,
)
def intent_aware_err(lists: Ranked, *, k: Cutoff | None = None, alpha: Tolerance = 0.5, rel: Level = 1.0) -> Terms:
    r"""Expected reciprocal rank, averaged over the subtopics.

    $$\frac{1}{M c} \sum_{i \le k} \frac{1}{i} \sum_s J_{is} (1 - \alpha)^{r_{is}}$$

    M is the number of subtopics. A relevant item satisfies a user with probability alpha. As in ndeval, c is the sum of
    (1 - alpha)^(i - 1) / i, so that a list whose items are all about every subtopic has the value 1.
    """
    stays = 1.0 - alpha
    if k is None:
        most = -log(alpha) / stays
    else:
        places = np.arange(1.0, min(k, 10_000) + 1.0)
        most = float((stays ** (places - 1.0) / places).sum())
    return Terms(_cut(lists, _novelty(lists, alpha, rel) / lists.rank, k), over=number_of_subtopics(lists, rel) * most)


@metric(
    "NRBP",
    paper="clarke2009",
    elsewhere={"ndeval": "NRBP", "ir_measures": "NRBP"},
    ideal_below_best=TRUNCATED,
    claims=("deepness threshold",),
    **DIVERSE,
)
def novelty_and_rank_biased_precision(
    lists: Ranked, *, alpha: Tolerance = 0.5, beta: Tolerance = 0.5, rel: Level = 1.0
) -> Terms:
    r"""Rate of novelty for a user who goes on from each item with probability beta.

    $$\frac{1 - (1 - \alpha) \beta}{M} \sum_i \beta^{i-1} \sum_s J_{is} (1 - \alpha)^{r_{is}}$$
    """
    worth = (1.0 - (1.0 - alpha) * beta) * _novelty(lists, alpha, rel) * beta ** (lists.rank - 1.0)
    return Terms(worth, over=number_of_subtopics(lists, rel))


@metric(
    "AP_IA",
    paper="agrawal2009",
    aliases={"MAP-IA": {}},
    elsewhere={"ndeval": "MAP-IA", "ir_measures": "AP_IA"},
    claims=("priority", "closeness threshold"),
    **DIVERSE,
)
def intent_aware_precision(lists: Ranked, *, rel: Level = 1.0) -> Terms:
    r"""Average precision, averaged over the subtopics.

    $$\frac{1}{M} \sum_s AP_s$$
    """
    worth = added(lists, "precision of subtopics", rel, (seen() + 1.0) / pl.col("rank") / about())
    return Terms(worth, over=number_of_subtopics(lists, rel))


@metric(
    "P_IA",
    paper="agrawal2009",
    at="k",
    aliases={"P-IA": {}},
    elsewhere={"ndeval": "P-IA@k", "ir_measures": "P_IA@k"},
    ideal_below_best="fewer than k items may be relevant to every subtopic",
    claims=("closeness threshold", "deepness threshold"),
    **DIVERSE,
)
def precision_of_subtopics(lists: Ranked, *, k: Cutoff, rel: Level = 1.0) -> Terms:
    r"""Precision at k, averaged over the subtopics.

    $$\frac{1}{M k} \sum_{i \le k} \sum_s J_{is}$$
    """
    return Terms(_cut(lists, added(lists, "subtopics of items", rel, pl.lit(1.0)), k), over=number_of_subtopics(lists, rel) * k)


@metric(
    "StRecall",
    paper="zhai2003",
    at="k",
    aliases={"strec": {}},
    elsewhere={"ndeval": "strec@k", "ir_measures": "StRecall@k"},
    ideal_below_best="the ideal list is ordered by grade, and need not cover every subtopic early",
    **DIVERSE,
)
def subtopic_recall(lists: Ranked, *, k: Cutoff | None = None, rel: Level = 1.0) -> Terms:
    r"""Share of the subtopics that the first k items are about.

    $$\frac{1}{M} \sum_s \max_{i \le k} J_{is}$$
    """
    first = added(lists, "first of subtopics", rel, (seen() == 0).cast(pl.Float64))
    return Terms(_cut(lists, first, k), over=number_of_subtopics(lists, rel))


@metric(
    "RBU",
    range=(-1, 1),
    paper="amigo2018",
    at="k",
    elsewhere={"EvALL": "RBU"},
    ideal_below_best="a finite list leaves out the tail of the geometric series, and showing an item costs e",
    ideal_can_be_beaten="showing an item costs e, and some items are not worth that",
    claims=("priority", "deepness", "deepness threshold", "confidence"),
)
def rank_biased_utility(
    lists: Ranked, *, k: Cutoff | None = None, p: Tolerance = 0.8, e: Share = 0.03, rel: Level = 1.0
) -> Value:
    r"""What a user gains about the subtopics, less the effort of looking at each item.

    $$(1 - p) \sum_{i \le k} p^{i-1} \Big( \frac{1}{M} \sum_s R_{is} \prod_{j < i} (1 - R_{js}) - e \Big)$$

    R = (2^g - 1) / 2^gmax is the probability that an item satisfies a user who wants a subtopic, and gmax the highest grade
    that the gold has for that subtopic; items below the grade `rel` satisfy nobody.
    """
    satisfied = (pl.lit(2.0).pow(pl.col("grade")) - 1.0) / pl.lit(2.0).pow(top())
    still = (1.0 - satisfied).cum_prod().shift(1, fill_value=1.0).over("list", "subtopic")
    useful = _cut(lists, added(lists, "utility", rel, satisfied * still) * p ** (lists.rank - 1.0), k)
    length = lists.shown if k is None else np.minimum(lists.shown, k)
    effort = e * (1.0 - p**length)
    value = (1.0 - p) * lists.sum(useful) / number_of_subtopics(lists, rel) - effort
    return Value(value, given=lists.some_relevant(rel))
