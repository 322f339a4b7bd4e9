"""compare(): is one system better than another, and would the verdict survive another weighting or other cases?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from plumbline.comparison.combining import HALF, TWO, combined
from plumbline.comparison.comparison import Comparison
from plumbline.comparison.effort import announce
from plumbline.comparison.margins import Margin
from plumbline.comparison.reading import read_repeated, resolved
from plumbline.comparison.significance.result import share
from plumbline.comparison.units.choice import ITEMS, by_items
from plumbline.comparison.units.folds import answers_of, by_folds, fold_scores, refuse_without_folds
from plumbline.errors import BadUsage, comparisons, usage
from plumbline.evaluation.evaluate import evaluate
from plumbline.io.paths import exists
from plumbline.options.evaluation import CompareOptions, CompareSystemsOptions, EvaluateOptions
from plumbline.options.option import briefly, checked, documented
from plumbline.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.repeated import Repeated
    from plumbline.errors import Diagnostic

_PATTERN: Final = frozenset("*?[")


@documented(CompareSystemsOptions)
def compare(
    scores: Any,  # noqa: ANN401 - Scores, a table of scores in any form, or a path of one; or a gold as evaluate() takes it
    systems: Any = None,  # noqa: ANN401 - as evaluate(); or metrics, if scores are compared
    metrics: Sequence[str] | str | None = None,
    **options: Unpack[CompareSystemsOptions],
) -> Comparison:
    """Compare all systems: which is better, how certain that is, and for which weighting.

    Args:
        scores: What `evaluate` returns, a file of saved scores, or any table of scores per case: a path, a data frame or dicts,
            with the columns `system, case, metric, value`, with a column for each metric, or with a column for each system.
            If `systems` are given: the gold that they are evaluated with, as in `evaluate`.
        systems: The outputs to evaluate and compare, as in `evaluate`.
        metrics: The metrics to compare by; all of the table if none is given. With scores, they may be the second argument.
        **options: See `plumbline.options.evaluation.CompareSystemsOptions`; those of `evaluate` go with `systems`.

    Returns:
        The comparison of all pairs. Its tables are made when they are first used.

    Raises:
        BadData: If a file cannot be read or contradicts itself.
        BadUsage: If an option or a metric is unknown, or there are fewer than two systems.

    Example:
        >>> import plumbline
        >>> table = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4, 0.3, 0.2], "new": [0.5, 0.6, 0.4, 0.5, 0.4, 0.6, 0.6, 0.4]}
        >>> comparison = plumbline.compare(table)
        >>> print(comparison.verdict("old", "new").headline)
        new is better than old by score (+0.237 [0.197, 0.369] or +90.5 %, p = 0.0078).
    """
    if systems is not None and metrics is None and are_metrics(systems):
        systems, metrics = None, systems
    given = checked(options, CompareSystemsOptions if systems is not None else CompareOptions, "compare")
    if systems is not None:
        names = set(EvaluateOptions.__annotations__)
        of_evaluate = {name: given.pop(name) for name in list(given) if name in names and name != "seed"}
        of_evaluate |= unit_column(given.get("units"), of_evaluate.get("columns"))
        scores = evaluate(scores, systems, metrics, seed=given.get("seed", 0), **of_evaluate)
        metrics = None
    return compare_scores(scores, metrics, given)


def unit_column(units: object, columns: str | Mapping[str, str] | None) -> dict[str, Any]:
    """The option of `evaluate` by which the gold keeps the column that names the units, if one does."""
    if not isinstance(units, str) or units == ITEMS:
        return {}
    if isinstance(columns, str):
        return {"columns": f"{columns},unit={units}"}
    return {"columns": {**(columns or {}), "unit": units}}


def are_metrics(given: object) -> bool:
    """Whether names are those of metrics: texts of which none is a file or a pattern."""
    names = [given] if isinstance(given, str) else given
    if isinstance(names, Mapping) or not isinstance(names, (list, tuple)) or not names:
        return False
    return all(isinstance(name, str) and not _PATTERN & set(name.partition("(")[0]) and not exists(name) for name in names)


def _column_of_folds(folds: object) -> str | None:
    if folds is None or isinstance(folds, str):
        return folds
    advice = "name the column of the scores; folds in a file or a frame go with a gold and outputs"
    raise BadUsage(usage.bad_keyword("compare", f"folds = {briefly(folds)} is not a column", advice))


def compare_scores(
    scores: Any,  # noqa: ANN401 - as compare
    metrics: Sequence[str] | str | None,
    given: dict[str, Any],
    read: tuple[Cube, Repeated | None, tuple[Diagnostic, ...]] | None = None,
) -> Comparison:
    """Compare systems by scores that are there, by options that were checked; what was read of the scores is not read again."""
    given = dict(given)
    lower, alpha, mean = given.pop("lower", ()), given.pop("alpha", None), given.pop("mean", None)
    runs, folds = given.pop("runs", None), _column_of_folds(given.pop("folds", None))
    cube, repeated, notices = read or read_repeated(scores, lower=lower, metrics=metrics, runs=runs, folds=folds)
    cube, floor = _without_floor(cube, scores)
    if len(cube.systems) < TWO:
        raise BadUsage(comparisons.one_system(list(cube.systems)))
    baseline = given.get("baseline")
    if baseline is not None and baseline not in cube.systems:
        raise BadUsage(usage.unknown_name("baseline", baseline, list(cube.systems)[:3]))
    if "level" in given:
        share("level", given["level"])
    if given.get("margin") is not None:
        given["margin"] = Margin.parse(given["margin"])
    score = combined(cube, HALF if alpha is None else alpha, mean)
    weighed = alpha is not None or mean is not None or given.get("rule") == "unanimous"
    if weighed and mean is None and len(cube.metrics) > 1 and score.mean == "arithmetic":
        negative = [name for name, values in zip(cube.metrics, cube.values, strict=True) if (values < 0).any()]
        lower_ones = [name for name, is_lower in zip(cube.metrics, cube.lower, strict=True) if is_lower]
        notices = (*notices, comparisons.no_harmonic_mean(lower_ones, negative))
    if len(cube.metrics) != TWO and alpha is not None:
        notices = (*notices, comparisons.no_alpha(len(cube.metrics)))
    primary = given.pop("primary", None)
    if primary is not None:
        names = list(cube.metrics)
        primary = primary if weighed and primary == score.name else resolved(primary, names, _aliases(scores))[0]
    made, evaluation = (scores.made, scores.evaluation) if isinstance(scores, Scores) else ({}, None)
    of_folds = fold_scores(cube, repeated if folds is not None else None, made, given)
    if of_folds is not None:
        answers = answers_of(cube, repeated, evaluation) if given.get("test") == "mcnemar" else None
        cube, units = by_folds(cube, of_folds, given, answers)
        score = combined(cube, HALF if alpha is None else alpha, mean)
    else:
        refuse_without_folds(given)
        announce(cube, given)
        units = by_items(cube, evaluation, given)
    comparison = Comparison(
        cube,
        score,
        primary=primary,
        combined=weighed,
        floor=floor,
        unit=units.unit,
        unit_tests=units.tests,
        about_items=units.about_items,
        repeated=repeated,
        overlap=None if of_folds is None else of_folds.test_to_train,
        repeats=1 if of_folds is None else len(of_folds.repeats),
        notices=notices,
        made=made,
        evaluation=evaluation,
        **given,
    )
    if comparison.needed_draws is None:
        return comparison
    few = comparisons.too_few_draws(comparison.test_result.resamples or 0, comparison.needed_draws, comparison.level)
    warned = replace(comparison, notices=(*notices, few))
    vars(warned)["measures"] = comparison.measures  # whose tests may have taken a while
    return warned


def _aliases(scores: Any) -> dict[str, str]:  # noqa: ANN401 - as compare
    return {column.asked: column.name for column in scores.columns} if isinstance(scores, Scores) else {}


def _without_floor(cube: Cube, scores: Any) -> tuple[Cube, Cube | None]:  # noqa: ANN401 - as compare
    """The systems, and apart from them the outputs that ignore the gold."""
    floor = [name for name in scores.floor if name in cube.systems] if isinstance(scores, Scores) else []
    if not floor:
        return cube, None
    return cube.only(systems=[name for name in cube.systems if name not in floor]), cube.only(systems=floor)
