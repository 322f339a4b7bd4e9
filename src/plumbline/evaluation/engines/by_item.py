"""combined_by_item(): counted items of all parts become the scores that the whole would have had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import BadUsage, engines
from plumbline.errors.base import MOST_SHOWN
from plumbline.evaluation.engines.counting import FIRST, counted, stacked
from plumbline.evaluation.engines.item_part import ItemPart, Repeats, counted_part, counting_of
from plumbline.evaluation.engines.job import ROW
from plumbline.evaluation.evaluation import reference_of, tabulated
from plumbline.io.table import FrameOrigin, PickedOrigin, Settled, Table
from plumbline.schema import CASE, TIMES, WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from plumbline.errors import PlumblineError
    from plumbline.evaluation.engines.job import Job, Source
    from plumbline.evaluation.engines.sources import Shared
    from plumbline.io.table import Origin
    from plumbline.scores import Scores

LARGEST_COUNT: Final = 2 * 10**7
"""So many rows are kept of one system, where items are too different to be counted together."""


def combined_by_item(
    job: Job,
    gold: Table,
    shared: Shared,
    parts: Sequence[ItemPart],
    origins: Mapping[str, Origin],
    error: PlumblineError | None = None,
) -> Scores:
    """Put parts together.

    Args:
        job: The request and the systems.
        gold: The gold.
        shared: Its rows, with their numbers, and the buckets of its items.
        parts: All parts, in any order; a bucket of a system is in one part at most.
        origins: Where the rows of the systems are, by the label of the source.
        error: What went wrong after these systems were read.

    Returns:
        What `evaluate` returns for the whole.

    Raises:
        BadData: If the data is wrong somewhere, with the diagnostics that `evaluate` gives.
        BadUsage: If the request does not fit the data.
    """
    request = job.request
    by_system: dict[int, list[ItemPart]] = {}
    for part in parts:
        by_system.setdefault(part.system, []).append(part)

    def outputs() -> Iterator[tuple[str, Table]]:
        for number, (name, source) in enumerate(job.systems.items()):
            mine = by_system.get(number, [])
            every = [*mine, *_unanswered(job, shared, mine)]
            yield name, _output(job, gold, source, every, origins.get(source.label, FrameOrigin(source.label)))
        if error is not None:
            raise error

    aligned = request.task.hook("align")(gold, outputs(), request.align_options())
    return tabulated(aligned, request, job.options, reference_of(job.options)).scores()


def _unanswered(job: Job, shared: Shared, parts: Sequence[ItemPart]) -> list[ItemPart]:
    """The items of the gold in buckets of which no part was handed over, as the system has none of them."""
    absent = set(range(shared.buckets)).difference(*(part.buckets for part in parts))
    if not absent:
        return []
    left = pl.concat([shared.gold.clear(), *(rows for at, rows in shared.gold_by_bucket.items() if at in absent)])
    nothing = parts[0].output.clear().drop(FIRST, TIMES)
    return [counted_part(job, shared.cases, left, nothing, parts[0].system, tuple(absent))]


def _output(job: Job, gold: Table, source: Source, parts: Sequence[ItemPart], origin: Origin) -> Table:
    """One system as a table of few rows, with the gold beside it."""
    wanted, given = (stacked(tables).sort(ROW) for tables in zip(*((part.gold, part.output) for part in parts), strict=True))
    if len(wanted) > LARGEST_COUNT:
        raise BadUsage(engines.different_items(source.label, len(wanted), LARGEST_COUNT))
    if len(parts) > 1:
        known = given[CASE].is_in(wanted[CASE].unique().implode())
        wanted, more = counted(wanted, given.filter(known), counting_of(job))
        given = pl.concat([more, given.filter(~known)]).sort(ROW)
    repeats = Repeats(
        sum(part.repeats.left_out for part in parts),
        tuple(sorted(row for part in parts for row in part.repeats.examples)),
        sum(part.repeats.clashes for part in parts),
        _clash([part.repeats.clash for part in parts if part.repeats.clash is not None]),
    )
    cases = tuple(gold.frame[CASE].unique(maintain_order=True).cast(pl.String))
    of_gold = Settled(gold.origin, cases=cases)
    beside = Table(_frame(wanted), gold.label, gold.reader, gold.origin, classes=gold.classes, settled=of_gold)
    settled = Settled(origin, repeats.left_out, repeats.examples, repeats.clashes, repeats.clash, beside)
    frame = _frame(given)
    if any(part.is_weighted for part in parts):
        frame = frame.with_columns(pl.lit(1.0).alias(WEIGHT))
    return Table(
        frame,
        source.label,
        source.reader,
        PickedOrigin(origin, given[FIRST]),
        source.tag,
        source.notices,
        source.empty_cases,
        probabilities=source.probabilities,
        settled=settled,
    )


def _clash(tables: list[pl.DataFrame]) -> pl.DataFrame | None:
    return pl.concat(tables).sort(ROW).head(MOST_SHOWN) if tables else None


def _frame(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.drop(ROW, FIRST).with_columns(pl.col(CASE).cast(pl.Categorical))
