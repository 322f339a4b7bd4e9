"""The sources of an evaluation as workers see them: what to read, and the reader that numbers rows and systems."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.align.items import with_numbers_as_labels
from plumbline.errors import BadData, BadUsage, engines, table
from plumbline.evaluation.engines.blocks import FileOrigin, blocks
from plumbline.evaluation.engines.item_part import BUCKET, bucket_of
from plumbline.evaluation.engines.job import SYSTEM_NUMBER, with_row_numbers
from plumbline.evaluation.evaluation import check_length
from plumbline.io.read import read
from plumbline.io.rows import check_apart
from plumbline.schema import CASE, FILLER, TAG, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from plumbline.errors import Diagnostic, PlumblineError
    from plumbline.evaluation.engines.item_part import ItemPart
    from plumbline.evaluation.engines.job import Job
    from plumbline.evaluation.engines.partition import Part
    from plumbline.evaluation.engines.span_part import SpanPart
    from plumbline.io.table import Origin, ReadOptions, Table

ROWS_OF_A_FILE: Final = 2**40
"""Rows of the files of one source are numbered from multiples of this."""


@dataclass(frozen=True)
class Shared:
    """What every worker needs: the job, the gold, and how many bytes to read at a time."""

    job: Job
    gold: pl.DataFrame
    size: int
    buckets: int = 1
    """In how many buckets items go, where items are counted."""

    @cached_property
    def cases(self) -> pl.Series:
        """The names of all cases of the gold."""
        return self.gold[CASE].unique()

    @cached_property
    def gold_by_bucket(self) -> dict[int, pl.DataFrame]:
        """The rows of the gold whose items are in each bucket."""
        if self.buckets == 1:
            return {0: self.gold}
        split = self.gold.with_columns(bucket_of(self.buckets).alias(BUCKET)).partition_by(
            BUCKET, as_dict=True, include_key=False
        )
        return {int(number): rows for (number,), rows in split.items()}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in {"cases", "gold_by_bucket"}}

    @property
    def reading(self) -> ReadOptions:
        """How outputs are read."""
        return replace(self.job.request.reading, several_systems=True, role="output")


@dataclass(frozen=True)
class Work:
    """A source, or one of its files."""

    name: str
    label: str
    paths: tuple[Path, ...] = ()
    first_file: int = 0
    """The place of the first of these files in the source."""
    data: Any = None
    """What is in memory, where there are no files."""
    share: tuple[int, int] = (0, 1)
    """Which buckets are wanted, where items are counted: those that leave this rest when they are divided by this."""


@dataclass(frozen=True)
class Output:
    """A system that turned up: a source, or those of its rows that have one run tag."""

    name: str
    tag: str | None
    label: str
    reader: str
    notices: tuple[Diagnostic, ...] = ()
    empty_cases: tuple[str, ...] = ()
    probabilities: int = 0


@dataclass(frozen=True)
class Scored:
    """What a worker hands back: its systems by number, its parts, and an error if a file cannot be read."""

    outputs: tuple[Output, ...]
    parts: tuple[Part | ItemPart | SpanPart, ...]
    named_columns: frozenset[str] = frozenset()
    error: PlumblineError | None = None
    name: str = ""
    """That of the source."""


def origin_of(work: Work, shared: Shared) -> Origin | None:
    """Where the rows of a source are, for messages that name one."""
    if not work.paths:
        return MemoryOrigin(work, shared) if shared.job.by_item or shared.job.by_document else None
    return FilesOrigin(tuple(FileOrigin(path, shared.reading, shared.size) for path in work.paths))


@dataclass(frozen=True)
class FilesOrigin:
    """Rows of several files."""

    files: tuple[FileOrigin, ...]

    def places(self, rows: list[int], column: str) -> list[Any]:
        """The place of each row in its file."""
        split = [divmod(row, ROWS_OF_A_FILE) for row in rows]
        return [place for file, row in split for place in self.files[file].places([row], column)]


@dataclass(frozen=True)
class MemoryOrigin:
    """Rows of what is in memory, which is read again when one of them is named."""

    work: Work
    shared: Shared

    def places(self, rows: list[int], column: str) -> list[Any]:
        """The place of each row."""
        return read(self.work.data, "output", self.shared.reading, self.work.name).origin.places(rows, column)


@dataclass
class Reader:
    """Reads the rows of a source and numbers the systems that turn up in it."""

    shared: Shared
    work: Work
    outputs: list[Output] = field(default_factory=list)
    named_columns: set[str] = field(default_factory=set)

    def rows(self) -> Iterator[pl.DataFrame]:
        """Block by block, with the numbers of systems."""
        if not self.work.paths:
            yield self._numbered(read(self.work.data, "output", self.shared.reading, self.work.name), 0)
        fields: list[Table] = []
        for at, path in enumerate(self.work.paths, self.work.first_file):
            for block in blocks(path, self.shared.reading, self.shared.size):
                if FILLER in block.table.frame.columns:  # of which a file is one block
                    fields.append(replace(block.table, frame=block.table.frame.select(pl.col(CASE).unique())))
                    check_apart(fields)
                yield self._numbered(block.table, at * ROWS_OF_A_FILE + block.first_row)

    def _numbered(self, block: Table, first: int) -> pl.DataFrame:
        self.named_columns |= block.named_columns
        if self.shared.job.by_item:
            if self.shared.job.gold.reader == "array":
                check_length(block, len(self.shared.gold))
            block = with_numbers_as_labels(block) if self.shared.job.request.task.name == "classification" else block
        if block.documents is not None:
            raise BadUsage(engines.listed_documents(self.work.label, block.reader))
        frame = with_row_numbers(block.frame, first)
        if self.shared.reading.order == "file" and self.shared.job.request.task.parts == "lists":
            frame = frame.with_columns(pl.col(VALUE) - float(first))
        in_column = TAG in frame.columns
        tags = frame[TAG].cast(pl.String).unique(maintain_order=True).to_list() if in_column else [block.tag]
        numbers = {output.tag: number for number, output in enumerate(self.outputs)}
        for tag in tags:
            if tag not in numbers:
                if numbers and block.reader == "trec":
                    several = table.several_tags if len(self.work.paths) == 1 else table.several_tags_of_files
                    raise BadData(several(self.work.label, [*map(str, numbers), str(tag)]))
                numbers[tag] = len(self.outputs)
                self.outputs.append(
                    Output(self.work.name, tag, self.work.label, block.reader, probabilities=block.probabilities)
                )
        first_output = self.outputs[0]
        remarks, empty = (*first_output.notices, *block.notices), (*first_output.empty_cases, *block.empty_cases)
        self.outputs[0] = replace(first_output, notices=remarks, empty_cases=empty)
        if not in_column:
            return frame.with_columns(pl.lit(numbers[tags[0]], pl.Int32).alias(SYSTEM_NUMBER))
        number = pl.col(TAG).cast(pl.String).replace_strict(list(numbers), list(numbers.values()), return_dtype=pl.Int32)
        return frame.with_columns(number.alias(SYSTEM_NUMBER)).drop(TAG)
