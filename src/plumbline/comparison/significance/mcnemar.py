"""McNemar's test of pooled answers: each item is right or wrong, once, whichever fold tested it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.comparison.significance.registry import fold_test
from plumbline.comparison.significance.sign import sign

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from plumbline.comparison.significance.result import SignificanceResult


@fold_test(
    "mcnemar",
    title="McNemar's test (exact) of pooled answers",
    paper="mcnemar1947",
    of_answers=True,
    choose_if="every item is tested once and answers are right or wrong; it is about the learners as they are",
)
def mcnemar(values: NDArray[np.float64], _: float) -> SignificanceResult:
    """Items that only one system got right, as tosses of a fair coin.

    The statistic is the number of items that only a got right. Answers of one fold come from one training set, so p is about
    these learners on other items, and not about learners trained anew.
    """
    return sign.function(values)  # type: ignore[no-any-return]  # a function of the registry
