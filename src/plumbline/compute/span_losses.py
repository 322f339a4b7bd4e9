"""What precision and recall of spans lose, by the kind of error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.compute.extraction import compute_extraction, matching_of
from plumbline.errors import BadUsage, usage
from plumbline.views.matching import credit_of
from plumbline.views.verdicts import (
    CORRECT,
    MISSED,
    SPURIOUS,
    explained_pairs,
    paired_verdicts,
    possible_verdicts,
    verdict_codes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.align.extraction import AlignedSpans
    from plumbline.metrics.measure import Single

    Numbers = NDArray[np.float64]
    ByCause = dict[str, Numbers]


def span_losses(
    align: Callable[[Iterable[str]], Alignment], wanted: list[Single], known: tuple[str, ...]
) -> tuple[Alignment, Iterator[tuple[Single, Numbers, ByCause]]]:
    """The alignment, and for each measure its values and what each kind of error took from them."""
    other = next((single for single in wanted if not _can_be_split(single)), None)
    if other is not None:
        raise BadUsage(usage.bad_option("metric", other.name, list(known)))
    aligned: AlignedSpans = align({"spans"})  # type: ignore[assignment]  # that of the task
    return aligned, ((single, *_lost(aligned, single)) for single in wanted)


def _can_be_split(single: Single) -> bool:
    """Precision or recall over all types, where a span is right or wrong as a whole."""
    arguments = dict(single.arguments)
    plain = arguments.get("average") == "micro" and arguments.get("class") is None
    return single.metric.name in {"P", "R"} and plain and arguments["match"] != "positions"


def _lost(aligned: AlignedSpans, single: Single) -> tuple[Numbers, ByCause]:
    value = compute_extraction(aligned, [single]).values[single.name].to_numpy().astype(np.float64)
    precision, (match, iou) = single.metric.name == "P", matching_of(single)
    cases = len(aligned.cases)
    lost = {cause: np.zeros(len(value)) for cause in (*possible_verdicts(aligned.shape), SPURIOUS if precision else MISSED)}
    for system, given in enumerate(aligned.given):
        of_system = slice(system * cases, (system + 1) * cases)
        pairs = explained_pairs(aligned.wanted, given, match, iou)
        missing = 1.0 - credit_of(pairs, match, iou)
        case = aligned.case_of[aligned.wanted.document[pairs.wanted]]
        codes = verdict_codes(pairs)
        for cause in possible_verdicts(aligned.shape):
            code = paired_verdicts(aligned.shape).index(cause)
            lost[cause][of_system] = np.bincount(case[codes == code], weights=missing[codes == code], minlength=cases)
        side = given if precision else aligned.wanted
        alone = np.bincount(aligned.case_of[side.document], minlength=cases) - np.bincount(case, minlength=cases)
        lost[SPURIOUS if precision else MISSED][of_system] = alone
        with np.errstate(invalid="ignore", divide="ignore"):
            total = np.bincount(aligned.case_of[side.document], minlength=cases)
            for amounts in lost.values():
                amounts[of_system] = amounts[of_system] / total
    absent = aligned.missing & ~np.isnan(value)
    by_cause = {cause: np.where(np.isnan(value), np.nan, np.where(absent, 0.0, amounts)) for cause, amounts in lost.items()}
    if absent.any():
        by_cause["no output"] = np.where(np.isnan(value), np.nan, np.where(absent, 1.0 - value, 0.0))
    return value, {cause: amounts for cause, amounts in by_cause.items() if cause != CORRECT}
