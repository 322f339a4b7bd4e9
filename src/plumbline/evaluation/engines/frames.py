"""Frames that live on a cluster: rows are shuffled by case or by item there, and each portion is scored where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, BadUsage, Place, engines, files
from plumbline.evaluation.engines.item_part import BUCKET, bucket_of
from plumbline.evaluation.engines.scoring import score
from plumbline.evaluation.engines.sources import Output, Scored
from plumbline.io.columns.slots import has_records
from plumbline.io.columns.tables import case_column, item_column
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.schema import ONLY_CASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.evaluation.engines.sources import Shared, Work

LIBRARIES: Final = {"pyspark": "spark", "ray": "ray", "dask": "dask", "dask_expr": "dask"}
"""The library of a frame, and the engine that scores it where it is."""


def home_of(source: object) -> str | None:
    """The engine of a frame that lives on a cluster; None for anything else."""
    return LIBRARIES.get(type(source).__module__.partition(".")[0]) if is_frame(source) else None


def home_of_all(systems: Any, engine: str | None = None) -> str | None:
    """The engine of those of these systems that live on a cluster.

    Raises:
        BadUsage: If they live on clusters of several libraries, or of another one than the engine that was asked for.
    """
    several = (
        systems.values() if isinstance(systems, Mapping) else systems if isinstance(systems, (list, tuple)) else (systems,)
    )
    homes = dict.fromkeys(home for home in map(home_of, several) if home is not None)
    if len(homes) > 1 or (engine is not None and homes.keys() - {engine}):
        raise BadUsage(engines.several_libraries(list(homes), engine))
    return next(iter(homes), None)


class Anywhere:
    """Rows without an order: a message can name the frame, but no row of it."""

    def __init__(self, label: str) -> None:
        self.label = label

    def places(self, rows: list[int], column: str) -> list[Place]:  # noqa: ARG002 - the same for every column
        """The frame, once for each row."""
        return [Place(self.label)] * len(rows)


def column_to_shuffle(work: Work, shared: Shared, engine: str) -> str | None:
    """The column of the case, whose equal values must come together; None if there is one case only.

    Raises:
        BadUsage: If the order of rows counts, because a frame on a cluster has none.
    """
    reading = shared.reading
    if reading.order == "file":
        raise BadUsage(engines.refused_option("order", engine, "rows of a frame on a cluster have no order"))
    if shared.job.by_document and has_records(_columns(work)):
        raise BadUsage(engines.numbered_records(work.label))
    return None if shared.job.by_item else case_column(_columns(work), reading)


@dataclass(frozen=True)
class Bucketing:
    """How rows get the bucket of their item, on whatever machine they are."""

    case: str | None
    item: str
    count: int

    def numbers(self, rows: Any) -> pl.Series:
        """The bucket of each row."""
        case = pl.lit(ONLY_CASE) if self.case is None else pl.col(self.case)
        return polars_frame(rows, "").select(bucket_of(self.count, case, pl.col(self.item))).to_series()


def bucketing(work: Work, shared: Shared) -> Bucketing | None:
    """How items go to buckets, where items are counted; None where lists are scored, or no column has items."""
    columns = _columns(work)
    item = item_column(columns, shared.reading) if shared.job.by_item else None
    return None if item is None else Bucketing(case_column(columns, shared.reading), item, shared.buckets)


def _columns(work: Work) -> list[str]:
    return list(work.data.columns() if callable(work.data.columns) else work.data.columns)


def without_data(work: Work) -> Work:
    """What a worker needs to know about a frame beside its rows."""
    return replace(work, data=None)


def score_portion(shared: Shared, work: Work, rows: Any) -> Scored | None:
    """The scores of a portion of a frame, in which lists are whole; nothing if it has no rows."""
    frame = polars_frame(rows, work.label)
    if frame.is_empty():
        return None
    frame = frame.drop(BUCKET, strict=False)
    return score(shared, replace(work, data=frame.sort(frame.columns, nulls_last=True)))


def put_together(work: Work, portions: Sequence[Scored | None]) -> list[Scored]:
    """The portions of a frame that have rows, after a list of its systems by name: portions come in any order.

    Raises:
        BadData: If no portion has rows.
    """
    scored = [portion for portion in portions if portion is not None]
    if not scored:
        raise BadData(files.no_data(work.label))
    systems = {output.tag: output for portion in scored for output in portion.outputs}
    ordered = sorted(systems.values(), key=lambda output: output.tag or "")
    return [Scored(tuple(Output(one.name, one.tag, one.label, one.reader) for one in ordered), ()), *scored]
