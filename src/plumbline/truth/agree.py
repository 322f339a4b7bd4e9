"""agree(): do assessors agree, and does a leaderboard survive another judge?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Unpack

import polars as pl

from plumbline.errors import BadUsage
from plumbline.errors import judgements as problems
from plumbline.errors.base import plural
from plumbline.io.judgements.judgements import Judgements
from plumbline.io.judgements.part import ASSESSOR
from plumbline.io.judgements.read import read_judgements
from plumbline.options.judgements import AgreeOptions
from plumbline.options.option import checked, documented
from plumbline.schema import CASE, ITEM
from plumbline.truth.agreement.labels import Labelled
from plumbline.truth.agreement.ratings import level_of, ratings_of
from plumbline.truth.agreement.reading import reading, scale_bounds
from plumbline.truth.agreement.result import AssessorAgreement
from plumbline.truth.agreement.wording import sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TWO: Final = 2


@documented(AgreeOptions)
def agree(
    judgements: Any,
    systems: Any = None,
    metrics: Sequence[str] | str | None = None,
    **options: Unpack[AgreeOptions],
) -> AssessorAgreement:
    """Measure how much assessors agree and, with systems, whether the leaderboard survives a change of judge.

    Args:
        judgements: A path or frame with a row for each judgement or a column for each assessor; a list of files, one for each
            assessor; or a dict `{assessor: labels}`, where labels are a list, `{item: label}` or `{case: {item: label}}`.
        systems: Outputs to evaluate with the judgements of each assessor as gold, as in `evaluate`.
        metrics: The metrics of the systems.
        **options: See `plumbline.options.judgements.AgreeOptions`.

    Returns:
        Coefficients with intervals, tables of pairs, cases and cuts, and what the systems say.

    Raises:
        BadData: If a file cannot be read or contradicts itself.
        BadUsage: If an option does not fit.

    Example:
        >>> import plumbline
        >>> labels = {"anna": ["spam", "ham", "spam", "ham"], "ben": ["spam", "ham", "ham", "ham"]}
        >>> agreement = plumbline.agree(labels)
        >>> round(agreement.value("kappa"), 3), round(agreement.value("agreement"), 3)
        (0.5, 0.75)
    """
    given = checked(options, AgreeOptions, "agree")
    for name, needed in (("made_by", "systems"), ("estimate", "systems")):
        if given.get(name) and systems is None:
            raise BadUsage(problems.goes_with(name, needed))
    if given.get("strata") is not None and not given.get("estimate"):
        raise BadUsage(problems.goes_with("strata", "estimate"))
    if given.get("estimate") and "reference" not in given:
        raise BadUsage(problems.goes_with("estimate", "reference"))
    if given.get("task") is not None:
        from plumbline.truth.agreement.outputs import agree_on_outputs  # noqa: PLC0415 - only where labels are not compared

        return agree_on_outputs(judgements, given)
    table = judgements if isinstance(judgements, Judgements) else read_judgements(judgements, reading(given))
    if given.get("repeats"):
        table = replace(table, frame=_apart(table.frame))
    _check_assessors(table, given.get("reference"))
    result = _of_labels(table, given)
    if systems is None:
        return result
    from plumbline.truth.judges.leaderboards import with_systems  # noqa: PLC0415 - evaluation, only with systems

    return with_systems(result, table, systems, metrics, given)


def _check_assessors(table: Judgements, reference: str | None) -> None:
    names = table.assessors
    if len(names) < TWO:
        raise BadUsage(problems.one_assessor(names))
    if reference is not None and reference not in names:
        raise BadUsage(problems.unknown_assessor(reference, names))


def _apart(frame: pl.DataFrame) -> pl.DataFrame:
    """Repeated readings as assessors of their own: o1, o1 (2), o1 (3)."""
    reading_number = pl.int_range(pl.len()).over(CASE, ITEM, ASSESSOR) + 1
    name = pl.when(reading_number > 1).then(pl.format("{} ({})", ASSESSOR, reading_number)).otherwise(pl.col(ASSESSOR))
    return frame.with_columns(name.alias(ASSESSOR))


def _of_labels(table: Judgements, given: Mapping[str, Any]) -> AssessorAgreement:
    level, notices = level_of(table, given.get("level"))
    scale = scale_bounds(given.get("scale"))
    ratings = ratings_of(table, scale)
    if "cut" in given:
        if not table.are_numbers:
            raise BadUsage(problems.needs_grades("a cut", list(ratings.categories)))
        ratings, level, notices = ratings.cut(given["cut"]), "nominal", ()
    named = given.get("coefficients", ())
    labelled = Labelled(
        ratings,
        level,
        given.get("weights"),
        given.get("distance", "masi"),
        [named] if isinstance(named, str) else list(named),
    )
    confidence = given.get("confidence", 0.95)
    method = given.get("interval", "bootstrap")
    coefficients, drawn = labelled.table(
        method=method,
        over=given.get("over"),
        confidence=confidence,
        resamples=given.get("resamples", 1000),
        seed=given.get("seed", 0),
    )
    without = labelled.without()
    reference = given.get("reference")
    judges, confusion = labelled.judges(reference) if reference is not None else (pl.DataFrame(), pl.DataFrame())
    how = {"bootstrap": "drawn at random", "analytic": "by linearisation"}.get(method, "")
    caption = (
        f"{plural(len(ratings.assessors), 'assessor')}, {plural(ratings.units, 'item')}, "
        f"{plural(int((ratings.judged >= TWO).sum()), 'item')} with two judgements or more, "
        f"{plural(len(ratings.unit), 'judgement')}; {level}"
        + (f"; intervals over {drawn['count']:,} {drawn['over']} {how}" if how else "")
    )
    return AssessorAgreement(
        tuple(sentences(ratings, level, coefficients, without, confidence)),
        coefficients,
        *labelled.why(),
        labelled.pairs,
        labelled.by_case(),
        without,
        labelled.cuts(),
        judges,
        confusion,
        made={
            "assessors": list(ratings.assessors),
            "items": ratings.units,
            "level": level,
            "categories": list(ratings.categories),
            "interval": f"{confidence:.0%} interval",
            "method": method,
            "caption": caption,
            **drawn,
        },
        notices=(*table.notices, *notices, *labelled.notices()),
    )
