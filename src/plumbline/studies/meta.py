"""meta(): what do the scores of real systems say about the metrics themselves?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.comparison.reading import read_scores, resolved
from plumbline.comparison.significance.pairs import Pairs
from plumbline.comparison.significance.registry import find_test, pairwise_test_names
from plumbline.comparison.significance.result import at_least, share
from plumbline.errors import BadData, BadUsage, comparisons, studies, usage
from plumbline.errors.base import listing
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.studies.facts import facts_of, lists_of
from plumbline.studies.strictness import TOP
from plumbline.studies.study import Study
from plumbline.studies.swaps import FEWEST, SPLITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plumbline.comparison.cube import Cube
    from plumbline.errors import Diagnostic

"""Cases up to which p counts signs, by the test."""


def meta(  # noqa: PLR0913 - every decision can be made here
    scores: Any = None,  # noqa: ANN401 - Scores, a table of scores in any form, or a path of one
    metrics: Sequence[str] | str | None = None,
    *,
    gold: Any = None,  # noqa: ANN401 - as evaluate
    systems: Any = None,  # noqa: ANN401 - as evaluate
    against: Sequence[str] | str | None = None,
    top: int = TOP,
    pairs: int | None = None,
    test: str = "randomization",
    level: float = 0.05,
    resamples: int | None = None,
    splits: int = SPLITS,
    lower: Sequence[str] | str = (),
    seed: int = 0,
    watch: Callable[..., Any] | None = None,
    **options: Any,  # noqa: ANN401 - those of evaluate, with a gold
) -> Study:
    """Study metrics on the scores of many systems and cases: strictness, robustness, discrimination, agreement.

    `scores` are those of `evaluate`, a saved file of them, or any table of scores per case. With `gold` and `systems` the
    outputs are at hand as well: disagreements show their counts or ranks, and filters can be smoothed. Then `scores` may be
    left out, and `options` are those of `evaluate`.

    `against` names the metrics that strictness looks at (all, by default), `top` the percentage of outputs that the floor is
    told of, `pairs` how many pairs of cases are drawn for robustness (all are taken by default), `test`, `level` and
    `resamples` what discriminative power goes by, and `splits` how often cases are split in halves for the swap rate.
    """
    _check(scores, gold, systems, top=top, pairs=pairs, test=test, level=level, resamples=resamples, splits=splits, seed=seed)
    if gold is None and options:
        raise BadUsage(usage.bad_option("option", min(options), ["gold and systems with it", "no such option"]))
    asked, facts = _names(metrics, against), None
    said: tuple[Diagnostic, ...] = ()
    if gold is not None:
        found = evaluation_of(gold, systems, asked if scores is None else None, watch=watch, **{**options, "seed": seed})
        facts, said = facts_of(found.alignment(), found.request.level), found.alignment().notices
        if scores is None:
            scores, asked = found.scores(), None
    cube, read = read_scores(scores, lower=lower, metrics=asked)
    if len(cube.systems) < FEWEST:
        raise BadUsage(comparisons.one_system(list(cube.systems)))
    chosen = cube.metrics if against is None else tuple(resolved(against, list(cube.metrics), {}))
    study = Study(cube, chosen, top, pairs, test, level, resamples, splits, seed, facts)
    _check_outputs(study)
    heard = [notice for notice in said if notice not in read]
    return replace(study, notices=(*heard, *read, *_notices(study)))


def _names(metrics: Sequence[str] | str | None, against: Sequence[str] | str | None) -> list[str] | None:
    """All metrics that take part; none if these are all that there are."""
    if metrics is None:
        return None
    both = [[names] if isinstance(names, str) else list(names or ()) for names in (metrics, against)]
    return list(dict.fromkeys(name for names in both for name in names)) or None


def _check(scores: object, gold: object, systems: object, *, test: str, level: float, **counts: int | None) -> None:
    if (gold is None) != (systems is None):
        raise BadUsage(studies.half_of_the_outputs(*(("gold", "systems") if systems is None else ("systems", "gold"))))
    if scores is None and gold is None:
        raise BadUsage(usage.bad_object("nothing", "scores, or gold and systems"))
    if test not in pairwise_test_names():  # a test of all pairs at once would not measure discriminative power
        raise BadUsage(usage.bad_option("test", test, pairwise_test_names()))
    share("level", level)
    least = {"seed": 0}
    for option, found in counts.items():
        if found is not None:
            at_least(option, found, least.get(option, 1))
    if (counts["top"] or 1) > 100:  # noqa: PLR2004 - percent
        raise BadUsage(usage.bad_option("top", str(counts["top"]), ["a whole percentage from 1 to 100"]))


def _check_outputs(study: Study) -> None:
    if not len(study.outputs):
        raise BadData(studies.no_common_output(_lacking(study.cube)))


def _lacking(cube: Cube) -> list[str]:
    """How many values each metric lacks."""
    counts = np.isnan(cube.values).sum(axis=(1, 2)).tolist()
    return [f"{name} {count:,}" for name, count in zip(cube.metrics, counts, strict=True) if count]


def _notices(study: Study) -> list[Diagnostic]:
    said = []
    if study.outputs.left_out:
        said.append(studies.outputs_left_out(study.outputs.left_out, study.cube.known.size, _lacking(study.cube)))
    strange = 0 if study.facts is None else int((lists_of(study.facts, study.outputs) < 0).sum())
    if strange:
        said.append(studies.unknown_outputs(strange, len(study.outputs)))
    told = [words for row in study.robustness.iter_rows(named=True) if (words := _cases_left_out(row))]
    if told:
        said.append(studies.cases_left_out(told))
    return [*said, *_too_few_cases(study)]


def _too_few_cases(study: Study) -> list[Diagnostic]:
    """Whether the least exact p of n cases, 2 of 2^n, is too great; by the cases that two systems share at most."""
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
