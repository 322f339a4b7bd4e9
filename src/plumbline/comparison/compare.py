"""compare(): is one system better than another, and would the verdict survive another weighting or other cases?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plumbline.comparison.combining import HALF, TWO, combined
from plumbline.comparison.comparison import LEVEL, Comparison
from plumbline.comparison.reading import read_scores
from plumbline.comparison.significance.registry import find_correction, find_test
from plumbline.comparison.significance.result import at_least, share
from plumbline.comparison.unanimity.unanimity import THRESHOLD
from plumbline.errors import BadUsage, comparisons, usage
from plumbline.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Sequence


def compare(  # noqa: PLR0913 - every decision can be made here
    scores: Any,  # noqa: ANN401 - Scores, a table of scores in any form, or a path of one
    metrics: Sequence[str] | None = None,
    *,
    baseline: str | None = None,
    alpha: float = HALF,
    mean: str | None = None,
    threshold: float = THRESHOLD,
    test: str = "randomization",
    correction: str = "holm",
    level: float = LEVEL,
    lower: Sequence[str] | str = (),
    eps: float = 0.0,
    resamples: int | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare all systems: unanimity, weightings, significance, and a leaderboard that admits ties.

    `scores` are those of `evaluate`, a saved file of them, or any table of scores per case (`system, case, metric, value`, or
    wide). `baseline` limits the tests to the pairs with it. `alpha` and `mean` say how metrics are combined, `threshold` from
    which UIR on an improvement is robust, `level` which p is significant after the `correction`.
    """
    cube, said = read_scores(scores, lower=lower, metrics=metrics)
    if len(cube.systems) < TWO:
        raise BadUsage(comparisons.one_system(list(cube.systems)))
    if baseline is not None and baseline not in cube.systems:
        raise BadUsage(usage.not_there("baseline", baseline, list(cube.systems)[:3]))
    find_test(test)
    find_correction(correction)
    share("level", level)
    if not 0 <= threshold <= 1:
        raise BadUsage(usage.bad_option("threshold", str(threshold), ["a number between 0 and 1"]))
    for option, given, least in (("eps", eps, 0), ("seed", seed, 0), ("resamples", 1 if resamples is None else resamples, 1)):
        at_least(option, given, least)
    score = combined(cube, alpha, mean)
    if len(cube.metrics) != TWO and alpha != HALF:
        said = (*said, comparisons.no_alpha(len(cube.metrics)))
    made = scores.made if isinstance(scores, Scores) else {}
    found = Comparison(cube, score, test, correction, level, threshold, baseline, eps, seed, resamples, said, made)
    if found.needed_draws is None:
        return found
    warned = replace(found, notices=(*said, comparisons.too_few_draws(found.tested.resamples or 0, found.needed_draws, level)))
    vars(warned)["tested"] = found.tested  # which may have taken a while
    return warned
