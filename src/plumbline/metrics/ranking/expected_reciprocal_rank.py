"""Expected reciprocal rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from plumbline.errors import BadData, table
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Positive
from plumbline.views.cascade import Cascade
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms

if TYPE_CHECKING:
    from numpy.typing import NDArray


@metric(
    "ERR",
    range=(0, 1),
    paper="chapelle2009",
    at="k",
    undefined="the gold has no item with a gain there",
    elsewhere={"ir_measures": "ERR@k (top grade fixed at 4)"},
    claims=("priority", "deepness", "deepness threshold"),
    ideal_below_best="1 is reached only with an infinite top grade",
    across_cases=True,
    linear="cascade",
    samples={"gmax": (4.0,), "prob": ("grade",)},
)
def expected_reciprocal_rank(
    lists: Ranked,
    *,
    k: Cutoff | None = None,
    gmax: Annotated[float, Positive()] | None = None,
    mapping: Literal["graded", "binary"] = "graded",
    prob: Literal["grade", "given"] = "grade",
) -> Terms:
    r"""Expected 1/rank at which a user who reads from the top is satisfied.

    $$ERR = \sum_i \frac{1}{i} R_i \prod_{j < i} (1 - R_j), \quad R_i = \frac{2^{g_i} - 1}{2^{g_{max}}}$$

    The top grade comes from the whole gold (at least 1) unless `gmax` is given; ir_measures fixes it at 4. With
    `mapping=binary` the user is satisfied by every item with a gain, R = 1, so that the first one decides. With `prob=given`
    the grades are the probabilities R themselves, as a click model estimates them.
    """
    if prob == "given":
        if lists.top_grade > 1:
            raise BadData(table.not_a_probability("ERR(prob=given)", lists.top_grade))
        return _satisfied(lists, np.maximum(lists.grade, 0.0), k)
    top = lists.top_grade if gmax is None else gmax
    if lists.top_grade > top:
        raise BadData(table.grade_above_max("ERR", top, lists.top_grade))
    graded = np.exp2(np.maximum(lists.grade, 0.0) - top) - 2.0**-top
    stops = graded if mapping == "graded" else (lists.grade > 0).astype(np.float64)
    return _satisfied(lists, stops, k)


def _satisfied(lists: Ranked, stops: NDArray[np.float64], k: int | None) -> Terms:
    """The expected 1/rank at which a user stops who stops at each item with its own probability."""
    goes_on = lists.above(lists.running_product(1.0 - stops), first=1.0)
    term = stops * goes_on / lists.rank
    shown = term if k is None else np.where(lists.rank <= k, term, 0.0)
    return Terms(shown, given=lists.some_gain(), cascade=Cascade(stops, np.reciprocal, k))
