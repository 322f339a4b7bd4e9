"""Extractors: an item is a stretch of text in which spans of the gold or of any system hang together.

Spans of different stretches do not overlap, so that none can answer another: the counts of a document are the sum over its
stretches, by every way of matching.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.units.outcomes import Outcomes
from plumbline.compute.computed import combined, singles
from plumbline.compute.extraction import Matching, matching_of, needs_verdicts, values_of
from plumbline.views.spans import COLUMNS, count_rows, count_system

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from plumbline.align.extraction import AlignedSpans
    from plumbline.align.span_side import Side
    from plumbline.comparison.units.outcomes import Lists
    from plumbline.metrics.measure import Measure

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]


def span_outcomes(aligned: AlignedSpans, measures: list[Measure]) -> list[Outcomes]:
    """One code for each way in which a stretch can count."""
    document, sides = _stretches(aligned)
    wanted, *given = sides
    parts = singles(measures)
    matchings = list(dict.fromkeys(map(matching_of, parts)))
    muc = {matching: needs_verdicts(parts, matching) for matching in matchings}
    counts = np.concatenate([_counts(aligned, wanted, one, len(document), matchings, muc) for one in given])
    marks = np.random.default_rng(0).integers(1, 2**64, size=counts.shape[1], dtype=np.uint64)
    keys = (2 * counts).astype(np.uint64) @ marks
    _, first, codes = np.unique(keys, return_index=True, return_inverse=True)
    distinct = counts[first]

    def score(lists: Sequence[Lists], measures: list[Measure]) -> pl.DataFrame:
        summed = np.concatenate([one.counts @ distinct[one.codes] for one in lists])
        tables = summed.reshape(len(summed), len(matchings), len(aligned.classes), len(COLUMNS))
        rows = {matching: count_rows(tables[:, at]) for at, matching in enumerate(matchings)}
        values, _ = values_of(rows, singles(measures), aligned.classes, len(summed))
        return combined(values, measures)

    stratum = np.zeros(len(document), dtype=np.int64)
    stratum[wanted.document] = wanted.kind + 1
    unit = document if aligned.pooled else None
    return [Outcomes(measures, aligned.case_of[document], stratum, codes.reshape(len(given), -1), score, unit)]


def _stretches(aligned: AlignedSpans) -> tuple[Integers, list[Side]]:
    """The document of each stretch, and the spans of the gold and of all systems with their stretch in place of it."""
    sides = [aligned.wanted, *aligned.given]
    document, start, end = (np.concatenate([getattr(side, name) for side in sides]) for name in ("document", "start", "end"))
    width = int(end.max(initial=0)) + 1
    order = np.lexsort((start, document))
    first, last = (document * width + start)[order], (document * width + end)[order]
    farthest = np.maximum.accumulate(last) if len(last) else last
    new = np.concatenate((np.ones(min(len(first), 1), dtype=np.bool_), first[1:] >= farthest[:-1]))
    stretch = np.empty(len(order), dtype=np.int64)
    stretch[order] = np.cumsum(new) - 1
    cuts = np.cumsum([len(side) for side in sides])[:-1]
    parts = np.split(stretch, cuts)
    return document[order][new], [replace(side, document=part) for side, part in zip(sides, parts, strict=True)]


def _counts(
    aligned: AlignedSpans, wanted: Side, given: Side, stretches: int, matchings: list[Matching], muc: dict[Matching, bool]
) -> Numbers:
    """`[stretch, matching * class * column]` of one system."""
    counts = np.zeros((stretches, len(matchings), len(aligned.classes), len(COLUMNS)))
    everywhere = np.arange(stretches)
    for at, matching in enumerate(matchings):
        one = np.zeros((stretches, len(aligned.classes), len(COLUMNS)))
        count_system(wanted, given, everywhere, one, *matching, muc=muc[matching])
        counts[:, at] = one
    return counts.reshape(stretches, -1)
