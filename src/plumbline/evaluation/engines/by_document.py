"""combined_by_document(): counted spans of all parts become the scores that the whole would have had."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.errors import BadData, engines, table
from plumbline.evaluation.engines.job import ROW, SYSTEM_NUMBER
from plumbline.evaluation.engines.span_part import WAY, counted, ways_of
from plumbline.evaluation.evaluation import reference_of, tabulated
from plumbline.io.table import FrameOrigin, PickedOrigin, Settled, Table
from plumbline.schema import CASE, CLASS, LIST
from plumbline.views.spans import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from plumbline.align.extraction import AlignedSpans
    from plumbline.errors import PlumblineError
    from plumbline.evaluation.engines.job import Job, Source
    from plumbline.evaluation.engines.span_part import SpanPart
    from plumbline.io.table import Origin
    from plumbline.scores import Scores


def combined_by_document(
    job: Job, gold: Table, parts: Sequence[SpanPart], origins: Mapping[str, Origin], error: PlumblineError | None = None
) -> Scores:
    """Put parts together.

    Args:
        job: The request and the systems.
        gold: The gold.
        parts: All parts, in any order; a document of a system is in one part.
        origins: Where the rows of the systems are, by the label of the source.
        error: What went wrong after these systems were read.

    Returns:
        What `evaluate` returns for the whole.

    Raises:
        BadData: If the data is wrong somewhere, with the diagnostics that `evaluate` gives.
        BadUsage: If the request does not fit the data.
    """
    first: dict[int, list[pl.DataFrame]] = {}
    for part in parts:
        for (number,), rows in part.first.partition_by(SYSTEM_NUMBER, as_dict=True, include_key=False).items():
            first.setdefault(int(number), []).append(rows)

    def outputs() -> Iterator[tuple[str, Table]]:
        for number, (name, source) in enumerate(job.systems.items()):
            origin = origins.get(source.label, FrameOrigin(source.label))
            repeats = [(row, count) for part in parts for system, count, row in part.repeats if system == number]
            yield name, _table(source, first[number], repeats, origin)
        if error is not None:
            raise error

    aligned = job.request.task.hook("align")(gold, outputs(), job.request.align_options())
    every = pl.concat([part.counts for part in parts])
    _check_whole(job, parts)
    aligned = replace(aligned, counts=_counts(job, aligned, every))
    return tabulated(aligned, job.request, job.options, reference_of(job.options)).scores()


def _table(source: Source, parts: list[pl.DataFrame], repeats: list[tuple[int, int]], origin: Origin) -> Table:
    """One system as a table of a few rows for each document, with what was found about all."""
    if any(set(one.columns) != set(parts[0].columns) for one in parts):
        raise BadData(table.other_columns(source.label, source.label))
    rows = pl.concat(parts, how="diagonal").sort(ROW)
    settled = Settled(origin, sum(count for _, count in repeats), (min(repeats)[0],) if repeats else ())
    return Table(
        rows.drop(ROW).with_columns(pl.col(CASE).cast(pl.Categorical)),
        source.label,
        source.reader,
        PickedOrigin(origin, rows[ROW]),
        source.tag,
        source.notices,
        source.empty_cases,
        settled=settled,
    )


def _check_whole(job: Job, parts: Sequence[SpanPart]) -> None:
    """Refuse a document of a system that is in two parts: its spans were matched apart."""
    lists = pl.concat([part.counts.select(SYSTEM_NUMBER, CASE).unique() for part in parts])
    twice = lists.filter(lists.is_duplicated())
    if len(twice):
        number, case = twice.row(0)
        raise BadData(engines.cut_list(list(job.systems.values())[number].label, case, len(twice.unique())))


def _counts(job: Job, aligned: AlignedSpans, counts: pl.DataFrame) -> dict[Any, pl.DataFrame]:
    """The counts of all lists by the way of matching; of a document that a system does not have, those of no spans."""
    documents, systems = aligned.gold.documents, range(len(job.systems))
    nothing = replace(
        aligned,
        gold=replace(aligned.gold, cases=documents),
        systems=("",),
        given=(aligned.wanted.take(np.empty(0, dtype=np.int64)),),
        missing=np.zeros(len(documents), dtype=np.bool_),
        pooled=False,
    )
    unanswered = counted(job, nothing, [-1]).drop(SYSTEM_NUMBER)
    every = unanswered.join(pl.DataFrame({SYSTEM_NUMBER: pl.Series(systems, dtype=pl.Int32)}), how="cross")
    absent = every.join(counts.select(SYSTEM_NUMBER, CASE).unique(), on=[SYSTEM_NUMBER, CASE], how="anti")
    complete = pl.concat([counts, absent.select(counts.columns)])
    case = pl.lit(0) if aligned.pooled else _number(CASE, documents)
    numbered = complete.with_columns(
        (pl.col(SYSTEM_NUMBER).cast(pl.Int64) * len(aligned.cases) + case).alias(LIST), _number(CLASS, aligned.classes)
    )
    added = numbered.group_by(WAY, LIST, CLASS).agg(pl.col(COLUMNS).sum()).sort(WAY, LIST, CLASS)
    return {way: added.filter(pl.col(WAY) == at).drop(WAY) for at, way in enumerate(ways_of(job))}


def _number(column: str, names: Sequence[str]) -> pl.Expr:
    """The place of each text among all of them."""
    return pl.col(column).replace_strict(list(names), list(range(len(names))), return_dtype=pl.Int64).alias(column)
