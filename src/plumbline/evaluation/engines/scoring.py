"""score(): the parts of one source or of one of its files, read block by block; what every engine runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import BadData, PlumblineError, engines
from plumbline.evaluation.engines.counting import stacked
from plumbline.evaluation.engines.item_part import BUCKET, bucket_of, counted_part
from plumbline.evaluation.engines.job import GOLD, SYSTEM_NUMBER, Source, starts_of_lists
from plumbline.evaluation.engines.partition import partition
from plumbline.evaluation.engines.sources import Reader, Scored
from plumbline.evaluation.engines.span_part import span_part
from plumbline.io.paths import is_file
from plumbline.schema import CASE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plumbline.evaluation.engines.item_part import ItemPart
    from plumbline.evaluation.engines.partition import Part
    from plumbline.evaluation.engines.sources import Shared, Work
    from plumbline.evaluation.engines.span_part import SpanPart

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


class _ScatteredError(Exception):
    """Rows of a list stand in several places of a source."""


def score(shared: Shared, work: Work) -> Scored:
    """Score the lists of a source; those that are scattered over it are put together on disk first."""
    try:
        reader = Reader(shared, work)
        if shared.job.by_item:
            counted = tuple(_counted(shared, reader))
            return Scored(tuple(reader.outputs), counted, frozenset(reader.named_columns), name=work.name)
        try:
            parts = [_part(shared, reader, rows) for rows in _whole_lists(reader.rows(), work.label)]
        except _ScatteredError:
            reader = Reader(shared, work)
            with TemporaryDirectory(prefix="plumbline-") as folder:
                count = buckets(work.paths, shared.size)
                portions = _bucketed(reader.rows(), Path(folder), pl.col(CASE).hash(seed=23) % count, range(count))
                parts = [_part(shared, reader, rows) for _, rows in portions]
    except PlumblineError as error:
        return Scored((), (), error=error, name=work.name)
    return Scored(tuple(reader.outputs), tuple(parts), frozenset(reader.named_columns), name=work.name)


def _counted(shared: Shared, reader: Reader) -> Iterator[ItemPart]:
    """The items of a source counted bucket by bucket; by way of files on disk, if there are several and it is in files."""
    share, of = reader.work.share
    if not reader.work.paths or shared.buckets == 1:
        rows = stacked(reader.rows())
        occupied = rows.select(bucket_of(shared.buckets)).to_series().unique().sort()
        yield from _parts_of_items(shared, reader, rows, tuple(occupied) if shared.buckets > 1 else (0,))
        return
    with TemporaryDirectory(prefix="plumbline-") as folder:
        wanted = range(share, shared.buckets, of)
        for number, rows in _bucketed(reader.rows(), Path(folder), bucket_of(shared.buckets), wanted):
            yield from _parts_of_items(shared, reader, rows, (number,))


def _parts_of_items(shared: Shared, reader: Reader, rows: pl.DataFrame, occupied: tuple[int, ...]) -> Iterator[ItemPart]:
    """The counted items of each system in these buckets."""
    gold = pl.concat([shared.gold.clear(), *(shared.gold_by_bucket[at] for at in occupied if at in shared.gold_by_bucket)])
    for (number,), some in rows.partition_by(SYSTEM_NUMBER, as_dict=True, include_key=False).items():
        exact = reader.outputs[number].probabilities > 0
        yield counted_part(shared.job, shared.cases, gold, some, int(number), occupied, exact=exact)


def size_of(path: Path) -> int:
    """How many bytes a file has; that of one behind a URL is not known before it is read."""
    return path.stat().st_size if is_file(path) else UNKNOWN_SIZE


def buckets(paths: Iterable[Path], size: int) -> int:
    """In how many buckets the rows of files go, so that each is about a block."""
    return max(1, min(MOST_BUCKETS, -(-sum(size_of(path) for path in paths) // size)))


def _part(shared: Shared, reader: Reader, rows: pl.DataFrame) -> Part | SpanPart:
    """The scores of these rows; what is known about the gold alone is found out once, elsewhere."""
    gold = shared.gold.join(starts_of_lists(rows).select(CASE).unique(), on=CASE, how="semi", maintain_order="left")
    if shared.job.by_document:
        return span_part(shared.job, gold, rows)
    systems = {str(at): Source(one.label, one.reader) for at, one in enumerate(reader.outputs)}
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
            complete, waiting = rows[: starts["start"][-1]], rows[starts["start"][-1] :]
        else:
            complete = rows.join(ready, on=[SYSTEM_NUMBER, CASE], how="semi", maintain_order="left")
            waiting = rows.join(last, on=[SYSTEM_NUMBER, CASE], how="semi", maintain_order="left")
        if len(complete):
            yield complete
        if len(waiting) > LARGEST_LIST:
            raise BadData(engines.large_list(label, str(waiting[CASE][-1]), len(waiting), LARGEST_LIST))
    if waiting is not None:
        yield waiting


def _bucketed(
    portions: Iterable[pl.DataFrame], folder: Path, bucket: pl.Expr, wanted: range
) -> Iterator[tuple[int, pl.DataFrame]]:
    """All rows of a case, or of an item, together, by way of files: it is always in the same bucket."""
    for at, rows in enumerate(portions):
        split = rows.with_columns(bucket.alias(BUCKET)).partition_by(BUCKET, as_dict=True, include_key=False)
        for (number,), some in split.items():
            if number in wanted:
                some.write_ipc(folder / f"{number}-{at}.arrow", compression="lz4")
    for number in wanted:
        files = sorted(folder.glob(f"{number}-*.arrow"))
        if files:
            yield number, stacked(pl.read_ipc(file.read_bytes()) for file in files)
