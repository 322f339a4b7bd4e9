"""meta(): what do the scores of real systems say about the metrics themselves?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Unpack, cast

import numpy as np

from plumbline.comparison.compare import are_metrics
from plumbline.comparison.reading import read_scores, resolved
from plumbline.comparison.significance.pairs import Pairs
from plumbline.comparison.significance.registry import find_test
from plumbline.comparison.significance.result import at_least, share
from plumbline.errors import BadData, BadUsage, comparisons, studies, usage
from plumbline.errors.base import listing
from plumbline.errors.faces import option
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.large import IN_MEMORY, free_space
from plumbline.metrics.names import listed
from plumbline.options.evaluation import EvaluateOptions, MetaOptions, StudyOptions
from plumbline.options.option import checked, declared, documented
from plumbline.studies.facts import facts_of, lists_of
from plumbline.studies.preferences import read_preferences, unknown
from plumbline.studies.study import Study
from plumbline.studies.swaps import FEWEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.comparison.cube import Cube
    from plumbline.errors import Diagnostic

_ONCE: Final = "give them in the order of evaluate(), or as gold= and systems="
_ALWAYS: Final = frozenset({"seed", "watch"})
"""Options of `evaluate` that may be given without a gold."""
_TABLES: Final = 9
"""As large as that of the values, which a study keeps beside it, at most."""
_OF_THE_STUDY: Final = ("top", "pairs", "test", "level", "resamples", "splits", "seed")


@documented(MetaOptions)
def meta(
    scores: Any = None,  # noqa: ANN401 - Scores, a table of scores in any form, or a path of one; or a gold as evaluate() takes it
    outputs: Any = None,  # noqa: ANN401 - as evaluate; or metrics, if scores are studied
    metrics: Sequence[str] | str | None = None,
    *,
    gold: Any = None,  # noqa: ANN401 - as evaluate
    systems: Any = None,  # noqa: ANN401 - as evaluate
    **options: Unpack[MetaOptions],
) -> Study:
    """Study metrics on the scores of many systems and cases: strictness, robustness, discrimination, agreement.

    Args:
        scores: What `evaluate` returned, a saved file of that, or any table of scores per case; or, before outputs, their gold.
        outputs: The outputs to evaluate with that gold, as in `evaluate`. With both, disagreements show counts or ranks of the
            outputs, and filters can be smoothed.
        metrics: The names of the metrics to study; all of the scores if there are none. With scores, they may be the second
            argument.
        gold: The gold, if it is not the first argument: scores may be given beside it, and are then not computed.
        systems: The outputs that go with `gold`.
        **options: See `plumbline.options.evaluation.MetaOptions`; those of `evaluate` need gold and systems.

    Returns:
        A study, whose tables are computed when they are first used.

    Raises:
        BadUsage: An option is unknown or does not fit, or there are fewer than two systems.
        BadData: The scores cannot be read, or no output has a value of every metric.

    Example:
        >>> import plumbline
        >>> table = {"AP": {"a": {"q1": 0.2, "q2": 0.5}, "b": {"q1": 0.4, "q2": 0.6}},
        ...          "RR": {"a": {"q1": 1.0, "q2": 0.5}, "b": {"q1": 0.5, "q2": 1.0}}}
        >>> study = plumbline.meta(table, splits=10)
        >>> study.strictness.select("metric", "fall").rows()
        [('AP', -0.375), ('RR', -0.625)]
    """
    if outputs is not None:
        if metrics is None and are_metrics(outputs):
            metrics = outputs
        elif gold is not None or systems is not None:
            raise BadUsage(usage.bad_keyword("meta", "the gold or the outputs are given twice", _ONCE))
        else:
            scores, gold, systems = None, scores, outputs
    given = checked(options, MetaOptions, "meta")
    _check(scores, gold, systems, given)
    requested, facts, evaluation = _names(metrics, given.get("against")), None, None
    notices: tuple[Diagnostic, ...] = ()
    if gold is not None:
        evaluated = {name: value for name, value in given.items() if name in declared(EvaluateOptions)}
        evaluation = evaluation_of(gold, systems, requested if scores is None else None, **cast("EvaluateOptions", evaluated))
        facts, notices = facts_of(evaluation.alignment(), evaluation.request.level), evaluation.alignment().notices
        if scores is None:
            scores, requested = evaluation.scores(), None
    cube, read = read_scores(scores, lower=given.get("lower", ()), metrics=requested)
    needed, space = cube.values.nbytes * _TABLES, free_space()
    if cube.values.nbytes > IN_MEMORY and needed > space:
        raise BadUsage(studies.large_study(needed, space))
    if len(cube.systems) < FEWEST:
        raise BadUsage(comparisons.one_system(list(cube.systems)))
    against = tuple(resolved(given["against"], list(cube.metrics), {})) if "against" in given else cube.metrics
    chosen = {name: value for name, value in given.items() if name in _OF_THE_STUDY}
    judged = read_preferences(given["preferences"]) if given.get("preferences") is not None else None
    study = Study(cube, against, judged=judged, facts=facts, evaluation=evaluation, **chosen)
    _check_outputs(study)
    new = [notice for notice in notices if notice not in read]
    lost = [] if judged is None else unknown(cube, judged)
    return replace(study, notices=(*new, *read, *_notices(study), *lost))


def _names(metrics: Sequence[str] | str | None, against: Sequence[str] | str | None) -> list[str] | None:
    """The metrics that are studied and those that strictness looks at; None if all are studied."""
    if metrics is None:
        return None
    return list(dict.fromkeys([*listed(metrics), *listed(against)])) or None


def _check(scores: object, gold: object, systems: object, given: dict[str, Any]) -> None:
    if (gold is None) != (systems is None):
        raise BadUsage(studies.half_of_the_outputs(*(("gold", "systems") if systems is None else ("systems", "gold"))))
    if scores is None and gold is None:
        raise BadUsage(usage.bad_object("nothing", "scores, or gold and systems"))
    share("level", given.get("level", Study.level))
    at_least("seed", given.get("seed", Study.seed), 0)
    idle = [name for name in given if name not in declared(StudyOptions) and name not in _ALWAYS]
    if gold is None and idle:
        raise BadUsage(usage.goes_with(option(min(idle)), "a gold and systems"))


def _check_outputs(study: Study) -> None:
    if not len(study.outputs):
        raise BadData(studies.no_common_output(_lacking(study.cube)))


def _lacking(cube: Cube) -> list[str]:
    """How many values each metric lacks."""
    counts = np.isnan(cube.values).sum(axis=(1, 2)).tolist()
    return [f"{name} {count:,}" for name, count in zip(cube.metrics, counts, strict=True) if count]


def _notices(study: Study) -> list[Diagnostic]:
    notices = []
    if study.outputs.left_out:
        notices.append(studies.outputs_left_out(study.outputs.left_out, study.cube.known.size, _lacking(study.cube)))
    unknown = 0 if study.facts is None else int((lists_of(study.facts, study.outputs) < 0).sum())
    if unknown:
        notices.append(studies.unknown_outputs(unknown, len(study.outputs)))
    reasons = [reason for row in study.robustness.iter_rows(named=True) if (reason := _cases_left_out(row))]
    if reasons:
        notices.append(studies.cases_left_out(reasons))
    return [*notices, *_too_few_cases(study)]


def _too_few_cases(study: Study) -> list[Diagnostic]:
    """A notice if even the smallest exact p of n cases, 2 of 2^n, is not significant; n is the most that two systems share."""
    most = [int(Pairs(values).cases.max()) for values in study.cube.values]
    few = {
        metric: cases
        for metric, cases in zip(study.metrics, most, strict=True)
        if 0 < cases <= find_test(study.test).exact_up_to and 2.0 ** (1 - cases) >= study.level
    }
    if not few:
        return []
    cases = max(few.values())
    some = list(few) if len(few) < len(study.metrics) else []
    return [studies.too_few_cases(cases, 2.0 ** (1 - cases), study.level, some)]


def _cases_left_out(row: dict[str, Any]) -> str:
    parts = [f"{row['cases_tied']:,} with all systems equal"] * (row["cases_tied"] > 0)
    parts += [f"{row['cases_lacking']:,} on which a system lacks a value"] * (row["cases_lacking"] > 0)
    parts += [f"{row['systems_lacking']:,} systems without any value"] * (row["systems_lacking"] > 0)
    return f"{row['metric']} {listing(parts)}" if parts else ""
