"""score(): the parts of one source or of one of its files, read block by block; what every engine runs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, Diagnostic, PlumblineError, engines, table
from plumbline.evaluation.engines.blocks import FileOrigin, blocks
from plumbline.evaluation.engines.job import GOLD, ROW, SYSTEM_NUMBER, Source, starts_of_lists
from plumbline.evaluation.engines.partition import Part, partition
from plumbline.io.read import read
from plumbline.schema import CASE, ITEM, TAG, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plumbline.evaluation.engines.job import Job
    from plumbline.io.table import Origin, ReadOptions, Table

ROWS_OF_A_FILE: Final = 2**40
"""Rows of the files of one source are numbered from multiples of this."""
LARGEST_LIST: Final = 10**8
"""So many rows of a list are tried: they take some 5 GB."""
UNKNOWN_SIZE: Final = 2**28
MOST_BUCKETS: Final = 512
"""So many files are written for each block at most."""


SHARE: Final = 48
"""A block is this part of the memory: its rows are read, joined and put in order, each of which takes a copy."""
LARGEST_BLOCK: Final = 64 * 2**20
SMALLEST_BLOCK: Final = 2**16


def block_size(memory: int) -> int:
    """How many bytes of a file are read at a time."""
    return max(SMALLEST_BLOCK, min(LARGEST_BLOCK, memory // SHARE))


@dataclass(frozen=True)
class Shared:
    """What every worker needs: the job, the gold, and how many bytes to read at a time."""

    job: Job
    gold: pl.DataFrame
    size: int

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


@dataclass(frozen=True)
class Output:
    """A system that turned up: a source, or those of its rows that have one run tag."""

    name: str
    tag: str | None
    label: str
    reader: str
    notices: tuple[Diagnostic, ...] = ()
    empty_cases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scored:
    """What a worker hands back: its systems by number, its parts, and an error if a file cannot be read."""

    outputs: tuple[Output, ...]
    parts: tuple[Part, ...]
    named_columns: frozenset[str] = frozenset()
    error: PlumblineError | None = None


class _ScatteredError(Exception):
    """Rows of a list stand in several places of a source."""


def score(shared: Shared, work: Work) -> Scored:
    """Score the lists of a source; those that are scattered over it are put together on disk first."""
    try:
        reader = _Reader(shared, work)
        try:
            parts = [_part(shared, reader, rows) for rows in _whole_lists(reader.rows(), work.label)]
        except _ScatteredError:
            reader = _Reader(shared, work)
            with TemporaryDirectory(prefix="plumbline-") as folder:
                portions = _bucketed(reader.rows(), Path(folder), buckets(work.paths, shared.size))
                parts = [_part(shared, reader, rows) for rows in portions]
    except PlumblineError as error:
        return Scored((), (), error=error)
    return Scored(tuple(reader.outputs), tuple(parts), frozenset(reader.named_columns))


def size_of(path: Path) -> int:
    """How many bytes a file has; that of one behind a URL is not known before it is read."""
    return path.stat().st_size if path.is_file() else UNKNOWN_SIZE


def buckets(paths: Iterable[Path], size: int) -> int:
    """In how many buckets the rows of files go, so that each is about a block."""
    return max(1, min(MOST_BUCKETS, -(-sum(size_of(path) for path in paths) // size)))


def origin_of(work: Work, shared: Shared) -> Origin | None:
    """Where the rows of a source are, for messages that name one."""
    if not work.paths:
        return None
    return FilesOrigin(tuple(FileOrigin(path, shared.reading, shared.size) for path in work.paths))


@dataclass(frozen=True)
class FilesOrigin:
    """Rows of several files."""

    files: tuple[FileOrigin, ...]

    def places(self, rows: list[int], column: str) -> list[Any]:
        """The place of each row in its file."""
        split = [divmod(row, ROWS_OF_A_FILE) for row in rows]
        return [place for file, row in split for place in self.files[file].places([row], column)]


@dataclass
class _Reader:
    """Reads the rows of a source and numbers the systems that turn up in it."""

    shared: Shared
    work: Work
    outputs: list[Output] = field(default_factory=list)
    named_columns: set[str] = field(default_factory=set)

    def rows(self) -> Iterator[pl.DataFrame]:
        """Block by block, with the numbers of systems."""
        if not self.work.paths:
            yield self._numbered(read(self.work.data, "output", self.shared.reading, self.work.name), 0)
        for at, path in enumerate(self.work.paths, self.work.first_file):
            for block in blocks(path, self.shared.reading, self.shared.size):
                yield self._numbered(block.table, at * ROWS_OF_A_FILE + block.first_row)

    def _numbered(self, block: Table, first: int) -> pl.DataFrame:
        self.named_columns |= block.named_columns
        frame = block.frame.with_row_index(ROW).cast({ROW: pl.Int64, ITEM: pl.String, CASE: pl.String})
        frame = frame.with_columns(pl.col(ROW) + first)
        if self.shared.reading.order == "file":
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
                self.outputs.append(Output(self.work.name, tag, self.work.label, block.reader))
        first_output = self.outputs[0]
        told, empty = (*first_output.notices, *block.notices), (*first_output.empty_cases, *block.empty_cases)
        self.outputs[0] = replace(first_output, notices=told, empty_cases=empty)
        if not in_column:
            return frame.with_columns(pl.lit(numbers[tags[0]], pl.Int32).alias(SYSTEM_NUMBER))
        number = pl.col(TAG).cast(pl.String).replace_strict(list(numbers), list(numbers.values()), return_dtype=pl.Int32)
        return frame.with_columns(number.alias(SYSTEM_NUMBER)).drop(TAG)


def _part(shared: Shared, reader: _Reader, rows: pl.DataFrame) -> Part:
    """The scores of these rows; what is known about the gold alone is found out once, elsewhere."""
    systems = {str(at): Source(one.label, one.reader) for at, one in enumerate(reader.outputs)}
    gold = shared.gold.join(starts_of_lists(rows).select(CASE).unique(), on=CASE, how="semi", maintain_order="left")
    part = partition(replace(shared.job, systems=systems), gold, rows)
    return replace(part, facts=tuple(fact for fact in part.facts if GOLD not in fact.args))


def _whole_lists(portions: Iterable[pl.DataFrame], label: str) -> Iterator[pl.DataFrame]:
    """Portions that end with whole lists: the last list of each system waits for the rows that follow."""
    waiting: pl.DataFrame | None = None
    done: set[tuple[int, str]] = set()
    for portion in portions:
        rows = portion if waiting is None else pl.concat([waiting, portion])
        starts = starts_of_lists(rows)
        lists = starts.select(SYSTEM_NUMBER, CASE).unique(maintain_order=True)
        if done and not done.isdisjoint(lists.iter_rows()):
            raise _ScatteredError
        last = lists.group_by(SYSTEM_NUMBER).last()
        ready = lists.join(last, on=[SYSTEM_NUMBER, CASE], how="anti")
        done.update(ready.iter_rows())
        if len(last) == 1 and len(lists) == len(starts):
            whole, waiting = rows[: starts["start"][-1]], rows[starts["start"][-1] :]
        else:
            whole = rows.join(ready, on=[SYSTEM_NUMBER, CASE], how="semi", maintain_order="left")
            waiting = rows.join(last, on=[SYSTEM_NUMBER, CASE], how="semi", maintain_order="left")
        if len(whole):
            yield whole
        if len(waiting) > LARGEST_LIST:
            raise BadData(engines.large_list(label, str(waiting[CASE][-1]), len(waiting), LARGEST_LIST))
    if waiting is not None:
        yield waiting


def _bucketed(portions: Iterable[pl.DataFrame], folder: Path, count: int) -> Iterator[pl.DataFrame]:
    """All rows of a case together, by way of files: a case is always in the same bucket."""
    for at, rows in enumerate(portions):
        bucket = (pl.col(CASE).hash(seed=23) % count).alias("bucket")
        for (number,), some in rows.with_columns(bucket).partition_by("bucket", as_dict=True, include_key=False).items():
            some.write_ipc(folder / f"{number}-{at}.arrow", compression="lz4")
    for number in range(count):
        files = sorted(folder.glob(f"{number}-*.arrow"))
        if files:
            yield pl.concat([pl.read_ipc(file.read_bytes()) for file in files])
