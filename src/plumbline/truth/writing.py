"""What votes and clicks say as a gold that `evaluate` reads, and simulated logs, as files."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.io.bytes.atomic import write_atomically
from plumbline.io.table import FrameOrigin, Table
from plumbline.io.write import write
from plumbline.schema import CASE, ITEM, LABEL, VALUE

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.truth.clicks.result import ClickModels
    from plumbline.truth.clicks.simulate_clicks import SimulatedClicks
    from plumbline.truth.crowd.result import AggregatedGold

SAVED: Final = ".parquet"
LOGS: Final = {".jsonl": "write_ndjson", ".csv": "write_csv", ".tsv": "write_csv"}


def write_labels(result: AggregatedGold, path: Path, *, expected: bool = False, force: bool = False) -> None:
    """Write case, item and grade or label of the gold that votes made; undecided items are left out."""
    column = "expected" if expected else "grade" if "grade" in result.gold.columns else LABEL
    _write_gold(result.gold, column, "judgements", path, force=force)


def write_relevance(result: ClickModels, path: Path, *, model: str | None = None, force: bool = False) -> None:
    """Write case, item and the probability that it is relevant; .parquet saves everything."""
    if path.suffix == SAVED:
        result.save(path, force=force)
        return
    _write_gold(result.relevance(model), "grade", "clicks", path, force=force)


def _write_gold(items: pl.DataFrame, column: str, origin: str, path: Path, *, force: bool) -> None:
    """Write a gold with the values of a column, in the format of the ending; items without a value are left out."""
    rows = items.select(pl.col(CASE).cast(pl.Categorical), ITEM, pl.col(column).alias(VALUE)).drop_nulls()
    write(Table(rows, str(path), origin, FrameOrigin(str(path))), path, "gold", force=force)


def write_clicks(drawn: SimulatedClicks, path: Path, *, force: bool = False) -> None:
    """Write the log as JSON Lines, CSV or TSV, by the ending; .parquet saves the parameters with it."""
    if path.suffix == SAVED:
        drawn.save(path, force=force)
        return
    if path.suffix not in LOGS:
        raise BadUsage(usage.bad_option("ending of the output", path.suffix, [*LOGS, SAVED]))
    buffer = io.BytesIO()
    extra = {"separator": "\t"} if path.suffix == ".tsv" else {}
    getattr(drawn.log, LOGS[path.suffix])(buffer, **extra)
    with write_atomically(path, force=force) as file:
        file.write(buffer.getvalue())
