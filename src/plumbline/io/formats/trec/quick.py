"""TREC files by the reader in C, where it is installed: the same rows as those of the readers in Python, without a table."""

from __future__ import annotations

import os
from threading import local
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from plumbline.io.bytes.blocks import whole_lines
from plumbline.io.columns.ranks import NO_DISORDER, Disorder
from plumbline.io.listed import Listed, Texts, native, native_function
from plumbline.io.table import LARGEST_GRADE
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from plumbline.io.bytes.content import Content
    from plumbline.io.bytes.on_disk import OnDisk
    from plumbline.io.table import ReadOptions, Role

AT_MOST: Final = 2**32 - 1
"""Bytes of the longest file: places are numbers of 32 bits."""
KEPT: Final = 16 * 2**20
"""Bytes of the longest file that is kept in memory; ids of longer ones are read again where they decide something."""
FIRST_LINES: Final = 2**16
"""Bytes at the start of each block whose ranks are always read."""
_COLUMNS: Final[dict[Role, tuple[int, int, int, int, int, int]]] = {"output": (6, 1, 2, 4, 3, 5), "gold": (4, 1, 2, 3, -1, -1)}
"""How many columns there are, and which one is the second, the item, the number, the rank and the tag."""


_OF_THREAD: Final = local()
T = TypeVar("T")


@dataclass(frozen=True)
class QuickFile:
    """The rows of a file, its run tag, and whether ranks contradict scores."""

    listed: Listed
    tag: str | None
    disorder: Disorder


class _Block(NamedTuple):
    """What is known about a block beside its rows."""

    rows: int
    cases: list[str]
    tag: str
    second: str
    one_tag: int
    one_second: int
    plain: int
    pairs: int
    first_pair: int


def read_quickly(content: Content, layout: tuple[str, ...], role: Role, options: ReadOptions) -> QuickFile | None:
    """The rows of a file about which there is nothing to tell; None for any other, and where there is no reader in C."""
    core = native()
    plain = options.kind == "scores" and (role == "gold" or (options.order == "score" and options.tag is None))
    data = content.data
    if core is None or not plain or len(layout) != _COLUMNS[role][0] or not 0 < len(data) <= AT_MOST:
        return None
    read = _rows(core, data, role)
    if read is None:
        return None
    listed, blocks, disorder = read
    tags, seconds = {block.tag for block in blocks}, {block.second for block in blocks}
    odd = len(tags) > 1 if role == "output" else len(seconds) > 1 or not all(block.one_second for block in blocks)
    too_large = role == "gold" and np.abs(listed.values).max(initial=0.0) > LARGEST_GRADE
    if odd or too_large or not all(block.one_tag for block in blocks) or not len(listed.case) or _repeated(core, listed):
        return None
    return QuickFile(listed, blocks[0].tag if role == "output" else None, disorder)


def _rows(core: ModuleType, data: bytes | OnDisk, role: Role) -> tuple[Listed, list[_Block], Disorder] | None:
    cuts = list(whole_lines(data))
    rooms = _in_threads(lambda number: _lines(data, cuts[number]), len(cuts))
    first = np.cumsum([0, *rooms]).tolist()
    codes, values = np.empty(first[-1], dtype=np.int32), np.empty(first[-1])
    starts, hashes = np.empty(first[-1], dtype=np.uint32), np.empty(first[-1], dtype=np.uint64)

    def scanned(number: int) -> _Block | None:
        cut, rows = cuts[number], slice(first[number], first[number + 1])
        text, start = _block(data, cut)
        stop = start + cut.stop - cut.start
        head = stop if stop - start <= FIRST_LINES else text.rfind(b"\n", start, start + FIRST_LINES) + 1
        into = (codes[rows], values[rows], starts[rows], hashes[rows])
        fields = core.scan(text, start, stop, head, _COLUMNS[role], rooms[number], *into)
        if fields is None or not (fields[6] or _is_utf8(text[start:stop])):
            return None
        if start < cut.start:
            into[2][:] += np.uint32(cut.start)
        return _Block(*fields)

    blocks = [block for block in _in_threads(scanned, len(cuts)) if block is not None]
    if len(blocks) < len(cuts) or not any(block.rows for block in blocks):
        return None
    numbers: dict[str, int] = {}
    disorder = NO_DISORDER
    for block, begin in zip(blocks, first, strict=False):
        code_of = np.array([numbers.setdefault(case, len(numbers)) for case in block.cases], dtype=np.int32)
        if block.pairs:
            disorder += Disorder(block.pairs, block.cases[int(codes[begin + block.first_pair])])
        if len(code_of) and (code_of != np.arange(len(code_of))).any():
            rows = slice(begin, begin + block.rows)
            codes[rows] = code_of[codes[rows]]
    kept = [block for block in blocks if block.rows]
    if sum(block.rows for block in blocks) < len(codes):  # blank lines left room
        used = np.concatenate([np.arange(start, start + block.rows) for start, block in zip(first, blocks, strict=False)])
        codes, values, starts, hashes = codes[used], values[used], starts[used], hashes[used]
    items = Texts(data, starts, hashes, all(block.plain for block in blocks))
    return Listed(list(numbers), codes, values, items), kept, disorder


def _lines(data: bytes | OnDisk, cut: slice) -> int:
    """How many lines a block has."""
    text, start = _block(data, cut, tell=False)
    stop: int = start + cut.stop - cut.start
    breaks = native_function("breaks")
    ended: int = text.count(b"\n", start, stop) if breaks is None else breaks(text, start, stop)
    return ended + (text[stop - 1] != ord("\n"))


def _block(data: bytes | OnDisk, cut: slice, *, tell: bool = True) -> tuple[bytes | bytearray, int]:
    """Some text that has the bytes of a block, and where; those of a file that stays on the disk are let go again."""
    return (data, cut.start) if isinstance(data, bytes) else (_from_disk(data, cut, tell=tell), 0)


def _from_disk(data: OnDisk, cut: slice, *, tell: bool) -> bytearray:
    """Some bytes, in memory that this thread used before: new pages take the system as long as reading them."""
    size = cut.stop - cut.start
    buffer: bytearray | None = getattr(_OF_THREAD, "buffer", None)
    if buffer is None or len(buffer) < size:
        buffer = _OF_THREAD.buffer = bytearray(size)
    data.read_into(memoryview(buffer)[:size], cut.start, tell=tell)
    return buffer


def _in_threads(work: Callable[[int], T], count: int) -> list[T]:
    """The result for each number; one block needs no threads."""
    workers = min(count, os.cpu_count() or 1)
    if workers < 2:  # noqa: PLR2004 - nothing is beside one
        return list(map(work, range(count)))
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - long files only

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, range(count)))


def _is_utf8(data: bytes | bytearray) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _repeated(core: ModuleType, listed: Listed) -> bool:
    """Whether an item may be in a case twice; which of them counts is decided elsewhere."""
    changes = np.flatnonzero(listed.case[1:] != listed.case[:-1]) + 1
    together = len(changes) < len(listed.cases)
    cuts = np.concatenate(([0], changes if together else [], [len(listed.case)])).astype(np.int64)
    return bool(core.repeats(listed.case, listed.items.hashes, cuts))
