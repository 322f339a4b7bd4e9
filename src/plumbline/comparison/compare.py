"""compare(): is one system better than another, and would the verdict survive another weighting or other cases?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from plumbline.comparison.combining import HALF, TWO, combined
from plumbline.comparison.comparison import Comparison
from plumbline.comparison.reading import read_scores
from plumbline.comparison.significance.result import share
from plumbline.errors import BadUsage, comparisons, usage
from plumbline.option import checked, documented
from plumbline.options import CompareOptions
from plumbline.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Sequence


@documented(CompareOptions)
def compare(
    scores: Any,  # noqa: ANN401 - Scores, a table of scores in any form, or a path of one
    metrics: Sequence[str] | str | None = None,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Compare all systems: unanimity, weightings, significance, and a leaderboard that admits ties.

    Args:
        scores: What `evaluate` returns, a file of saved scores, or any table of scores per case: a path, a data frame or dicts,
            with the columns `system, case, metric, value`, with a column for each metric, or with a column for each system.
        metrics: The metrics to compare by; all of the table if none is given.
        **options: See `plumbline.options.CompareOptions`.

    Returns:
        The comparison of all pairs. Its tables are made when they are first used.

    Raises:
        BadData: If a file cannot be read or contradicts itself.
        BadUsage: If an option or a metric is unknown, or there are fewer than two systems.

    Example:
        >>> import plumbline
        >>> table = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4], "new": [0.5, 0.6, 0.4, 0.5, 0.3, 0.7]}
        >>> comparison = plumbline.compare(table)
        >>> print(comparison.verdict("old", "new"))
        new beats old by score; better in 6 of 6 cases, worse in 0; p = 0.0312 after Holm (Fisher's randomization test).
    """
    given = checked(options, CompareOptions, "compare")
    lower = given.pop("lower", ())
    alpha, mean = given.pop("alpha", HALF), given.pop("mean", None)
    cube, notices = read_scores(scores, lower=lower, metrics=metrics)
    if len(cube.systems) < TWO:
        raise BadUsage(comparisons.one_system(list(cube.systems)))
    baseline = given.get("baseline")
    if baseline is not None and baseline not in cube.systems:
        raise BadUsage(usage.unknown_name("baseline", baseline, list(cube.systems)[:3]))
    if "level" in given:
        share("level", given["level"])
    score = combined(cube, alpha, mean)
    if len(cube.metrics) != TWO and alpha != HALF:
        notices = (*notices, comparisons.no_alpha(len(cube.metrics)))
    made, evaluation = (scores.made, scores.evaluation) if isinstance(scores, Scores) else ({}, None)
    comparison = Comparison(cube, score, notices=notices, made=made, evaluation=evaluation, **given)
    if comparison.needed_draws is None:
        return comparison
    few = comparisons.too_few_draws(comparison.test_result.resamples or 0, comparison.needed_draws, comparison.level)
    warned = replace(comparison, notices=(*notices, few))
    vars(warned)["test_result"] = comparison.test_result  # which may have taken a while
    return warned
