"""Parquet and Arrow files, with the same columns as CSV."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from plumbline.io.bytes.refusals import refusals_kept
from plumbline.io.registry import Reader, declare, writer

if TYPE_CHECKING:
    from plumbline.io.registry import Rows
    from plumbline.io.sample import Sample


def sniff_parquet(sample: Sample) -> str | None:
    """The magic bytes of Parquet."""
    return "it starts with PAR1" if sample.head.startswith(b"PAR1") else None


def sniff_arrow(sample: Sample) -> str | None:
    """The magic bytes of Arrow and Feather."""
    return "it starts with ARROW1" if sample.head.startswith((b"ARROW1", b"FEA1")) else None


declare(
    Reader(
        "parquet",
        "the same columns as CSV, in a Parquet file",
        "plumbline.io.formats.columnar.reading:read_parquet",
        sniff_parquet,
        sign="magic",
        suffixes=(".parquet", ".pq"),
        text=False,
    ),
    Reader(
        "arrow",
        "the same columns as CSV, in an Arrow or Feather file",
        "plumbline.io.formats.columnar.reading:read_arrow",
        sniff_arrow,
        sign="magic",
        suffixes=(".arrow", ".feather", ".ipc"),
        text=False,
    ),
)


@writer("parquet", suffixes=(".parquet",))
def write_parquet(rows: Rows, file: IO[bytes]) -> None:
    """Write a Parquet file."""
    with refusals_kept(file) as target:
        rows.frame.write_parquet(target)


@writer("arrow", suffixes=(".arrow",))
def write_arrow(rows: Rows, file: IO[bytes]) -> None:
    """Write an Arrow file."""
    rows.frame.write_ipc(file)
