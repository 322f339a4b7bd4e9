"""A long text in blocks of complete lines, processed in parallel; only a few blocks are in memory at a time."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from plumbline.lazily import pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plumbline.io.bytes.on_disk import OnDisk

T = TypeVar("T")

BLOCK: Final = 4 * 2**20
"""Bytes of a block: large enough that the overhead is small, and small compared with the memory of polars."""
MOST_WORKERS: Final = 8
"""More would hold more blocks in memory, and the parser uses threads itself."""


def whole_lines(data: bytes | OnDisk, start: int = 0, first: int | None = None) -> Iterator[slice]:
    r"""The positions of the blocks; each ends after a `\n` or with the text, so that no line is cut.

    The first block may have another size, for callers who often need a few lines only.
    """
    size = first or BLOCK
    while start < len(data):
        stop = len(data)
        if start + size < stop:
            last = data.rfind(b"\n", start, start + size)
            stop = (last if last >= 0 else data.find(b"\n", start + size)) + 1 or stop
        yield slice(start, stop)
        start, size = stop, BLOCK


def side_by_side(work: Callable[[slice], T], blocks: Iterator[slice]) -> Iterator[T]:
    """The result for each block, in order; a text of one block needs no threads."""
    first = list(islice(blocks, 2))
    if len(first) < 2:  # noqa: PLR2004 - nothing is beside one
        yield from map(work, first)
        return
    from concurrent.futures import ThreadPoolExecutor

    workers = min(MOST_WORKERS, pl.thread_pool_size() + 1)  # one is surveyed while the parser is busy with others
    with ThreadPoolExecutor(workers) as pool:
        coming = deque(pool.submit(work, block) for block in first)
        for block in blocks:
            coming.append(pool.submit(work, block))
            if len(coming) > workers:
                yield coming.popleft().result()
        while coming:
            yield coming.popleft().result()
