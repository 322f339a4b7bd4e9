"""Rank-biased precision and its residual."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import Between, Level
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms, Value

Persistence = Annotated[float, Between(0, 1, open_ended=True)]


@metric(
    "RBP",
    range=(0, 1),
    paper="moffat2008",
    linear=True,
    aliases={"rbp": {"p": 0.9, "gain": "case"}},
    elsewhere={"trec_eval": "rbp (p=0.9, gain=case)", "ir_measures": "RBP(rel=1)", "ranx": "rbp.p"},
    claims=("priority", "deepness", "deepness threshold", "closeness threshold"),
    ideal_below_best="a finite list leaves out the tail of the geometric series",
    across_cases=True,
)
def rank_biased_precision(
    lists: Ranked, *, p: Persistence = 0.8, rel: Level = 1.0, gain: Literal["binary", "linear", "case"] = "binary"
) -> Terms:
    r"""Rate of gain of a user who goes on from each item to the next with probability p.

    $$RBP = (1 - p) \sum_i g_i \, p^{i-1}$$

    `gain=binary` counts items of grade `rel` or better as 1; `linear` divides the grade by the top grade of the gold; `case`
    divides it by the top grade of its own case, as trec_eval does.
    """
    best, positive = lists.ideal, np.maximum(lists.grade, 0.0)
    if gain == "binary":
        worth = lists.relevant(rel).astype(np.float64)
    elif gain == "linear":
        worth = positive / lists.top_grade
    else:
        top = lists.case_fact("top grade", lambda: _top_of_case(best.case, best.grade, len(best.length)))
        worth = positive / lists.each(top)
    some = lists.some_relevant(rel) if gain == "binary" else lists.some_gain()
    return Terms((1.0 - p) * worth * p ** (lists.rank - 1.0), given=some)


def _top_of_case(
    case: np.ndarray[tuple[int], np.dtype[np.int32]], grades: np.ndarray[tuple[int], np.dtype[np.float64]], cases: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    top = np.ones(cases)
    np.maximum.at(top, case, grades)
    return top


@metric(
    "RBPResidual",
    range=(0, 1),
    paper="moffat2008",
    better="neither",
    undefined=NEVER,
    aliases={"rbp_resid": {"p": 0.9}},
    elsewhere={"trec_eval": "rbp_resid (p=0.9)"},
)
def rank_biased_residual(lists: Ranked, *, p: Persistence = 0.8) -> Value:
    r"""How much RBP could still grow if every unjudged item were relevant.

    $$p^{n} + (1 - p) \sum_{i \text{ unjudged}} p^{i-1}$$

    n is the length of the list; the sum of all places is 1, so this is 1 minus what the judged items take. As in trec_eval, a
    list whose items are all judged has residual 0, and so has an empty one.
    """
    known = lists.judged * (1.0 - p) * p ** (lists.rank - 1.0)
    unjudged = lists.total(lists.judged) < lists.shown - 0.5
    return Value(np.where(unjudged, 1.0 - lists.total(known), 0.0))
