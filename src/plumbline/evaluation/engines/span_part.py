"""span_part(): the spans of some documents counted, of all systems that have them; counts add up, so nothing else is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.slots import shape_of
from plumbline.compute.computed import singles
from plumbline.compute.extraction import Matching, matching_of, needs_verdicts
from plumbline.evaluation.engines.job import GOLD, ROW, SYSTEM_NUMBER, RowOrigin, in_order, token
from plumbline.io.documents import Documents
from plumbline.io.table import Table
from plumbline.schema import CASE, CLASS, LIST, VALUE
from plumbline.views.spans import COLUMNS, span_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plumbline.align.extraction import AlignedSpans
    from plumbline.errors import Diagnostic
    from plumbline.evaluation.engines.job import Job

WAY: Final = "way"
"""The column with the number of a way of matching."""
_REPEATED: Final = "N602"
_COUNTED: Final = {
    WAY: pl.Int32,
    SYSTEM_NUMBER: pl.Int32,
    CASE: pl.String,
    CLASS: pl.String,
    **dict.fromkeys(COLUMNS, pl.Float64),
}


@dataclass(frozen=True)
class SpanPart:
    """What a part hands over: tables of a few rows for each document, and what was found about repeated rows."""

    first: pl.DataFrame
    """`number, row` and the columns of spans: of each type in each document the first row of a system, known or not."""
    counts: pl.DataFrame
    """`way, number, case, class` and the counts, of the documents that the gold has, too."""
    repeats: tuple[tuple[int, int, int], ...] = ()
    """The number of a system, how many of its rows repeat an earlier one, and which is the first of these."""

    def renumbered(self, numbers: Mapping[int, int]) -> SpanPart:
        """The same with other numbers of systems."""
        number = pl.col(SYSTEM_NUMBER).replace_strict(dict(numbers), return_dtype=pl.Int32)
        repeats = tuple((numbers[system], count, row) for system, count, row in self.repeats)
        return SpanPart(self.first.with_columns(number), self.counts.with_columns(number), repeats)


def ways_of(job: Job) -> list[Matching]:
    """The ways in which the requested measures match spans."""
    return list(dict.fromkeys(map(matching_of, singles(job.request.measures))))


def span_part(job: Job, gold: pl.DataFrame, outputs: pl.DataFrame) -> SpanPart:
    """Count the spans of some documents.

    Args:
        job: The request and the systems.
        gold: `case, row` and the columns of spans, fields or relations: every row of some documents. A document without any
            is a row without a type.
        outputs: `number, case, row` and the same columns: every row that some systems have about some documents.
    """
    outputs = in_order(outputs)
    first = outputs.unique([SYSTEM_NUMBER, CASE, VALUE], keep="first", maintain_order=True)
    known = outputs.join(gold.select(CASE).unique(), on=CASE, how="semi", maintain_order="left")
    if known.is_empty() or shape_of(gold) != shape_of(outputs):  # which is refused where all parts are put together
        return SpanPart(first, pl.DataFrame(schema=_COUNTED))
    numbers = known[SYSTEM_NUMBER].unique().sort().to_list()
    options = replace(job.request.align_options(), pooled=False)
    tables = ((token(number), _table(known, number)) for number in numbers)
    aligned = job.request.task.hook("align")(_gold_table(in_order(gold)), tables, options)
    lists = known.select(SYSTEM_NUMBER, CASE).unique()
    counts = counted(job, aligned, numbers).join(lists, on=[SYSTEM_NUMBER, CASE], how="semi")
    return SpanPart(first, counts, tuple(_repeats(aligned.notices)))


def counted(job: Job, aligned: AlignedSpans, numbers: list[int]) -> pl.DataFrame:
    """`way, number, case, class` and the counts of these systems, document by document."""
    parts, names = singles(job.request.measures), aligned.gold.documents
    cases, classes = pl.Series(names, dtype=pl.String), pl.Series(aligned.classes, dtype=pl.String)
    made = [pl.DataFrame(schema=_COUNTED)]
    for at, way in enumerate(ways_of(job)):
        rows = span_counts(aligned, *way, muc=needs_verdicts(parts, way))
        system, case = (pl.Series(one) for one in np.divmod(rows[LIST].to_numpy(), len(names)))
        columns = [
            pl.lit(at, pl.Int32).alias(WAY),
            pl.Series(SYSTEM_NUMBER, numbers, dtype=pl.Int32).gather(system),
            cases.gather(case).alias(CASE),
            classes.gather(rows[CLASS]).alias(CLASS),
            *COLUMNS,
        ]
        made.append(rows.select(columns))
    return pl.concat(made)


def _gold_table(gold: pl.DataFrame) -> Table:
    """The gold as its reader would have made it, with all its documents."""
    spans = gold.drop_nulls(VALUE)
    documents = Documents(gold[CASE].unique(maintain_order=True).to_list())
    return Table(_frame(spans), GOLD, "", RowOrigin(GOLD, spans[ROW]), documents=documents)


def _table(known: pl.DataFrame, number: int) -> Table:
    """The rows of a system."""
    rows = known.filter(pl.col(SYSTEM_NUMBER) == number)
    return Table(_frame(rows.drop(SYSTEM_NUMBER)), token(number), "", RowOrigin(token(number), rows[ROW]))


def _frame(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.drop(ROW).with_columns(pl.col(CASE).cast(pl.Categorical))


def _repeats(notices: Iterable[Diagnostic]) -> Iterable[tuple[int, int, int]]:
    """What the alignment said about repeated rows of systems."""
    for notice in notices:
        if notice.code == _REPEATED and notice.facts is not None:
            (place, count), _ = notice.facts
            if place.path != GOLD:
                yield int(place.path[1:]), count, place.row
