"""TREC files by the reader in C, where it is installed: the same rows as those of the readers in Python, without a table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from plumbline.io.bytes.blocks import whole_lines
from plumbline.io.columns.ranks import NO_DISORDER, Disorder
from plumbline.io.listed import Listed, Texts, native
from plumbline.io.table import LARGEST_GRADE
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from numpy.typing import NDArray

    from plumbline.io.bytes.content import Content
    from plumbline.io.bytes.on_disk import OnDisk
    from plumbline.io.table import ReadOptions, Role

AT_MOST: Final = 2**32 - 1
"""Bytes of the longest file: places are numbers of 32 bits."""
KEPT: Final = 64 * 2**20
"""Bytes of the longest file that is kept in memory; ids of longer ones are read again where they decide something."""
FIRST_LINES: Final = 2**16
"""Bytes at the start of each block whose ranks are always read."""
_COLUMNS: Final[dict[Role, tuple[int, int, int, int, int, int]]] = {"output": (6, 1, 2, 4, 3, 5), "gold": (4, 1, 2, 3, -1, -1)}
"""How many columns there are, and which one is the second, the item, the number, the rank and the tag."""


_KINDS: Final = {"codes": np.int32, "values": np.float64, "starts": np.uint32, "hashes": np.uint64}
"""The columns that are made, in the order in which they are handed over."""
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
    read = [
        pair for pair in _in_threads(lambda number: _scanned(core, data, cuts[number], role), len(cuts)) if pair is not None
    ]
    blocks = [block for block, _ in read]
    if len(blocks) < len(cuts) or not any(block.rows for block in blocks):
        return None
    numbers: dict[str, int] = {}
    disorder = NO_DISORDER
    for block, columns in read:
        code_of = np.array([numbers.setdefault(case, len(numbers)) for case in block.cases], dtype=np.int32)
        if block.pairs:
            disorder += Disorder(block.pairs, block.cases[int(columns["codes"][block.first_pair])])
        if len(code_of) and (code_of != np.arange(len(code_of))).any():
            columns["codes"] = code_of[columns["codes"]]
    codes, values, starts, hashes = (_joined([columns.pop(name) for _, columns in read]) for name in list(read[0][1]))
    items = Texts(data, starts, hashes, all(block.plain for block in blocks))
    return Listed(list(numbers), codes, values, items), [block for block in blocks if block.rows], disorder


def _scanned(core: ModuleType, data: bytes | OnDisk, cut: slice, role: Role) -> tuple[_Block, dict[str, NDArray[Any]]] | None:
    """One block and its columns; bytes of a file that stays on the disk are let go again."""
    text, start = (data, cut.start) if isinstance(data, bytes) else (data[cut], 0)
    stop = start + cut.stop - cut.start
    head = stop if stop - start <= FIRST_LINES else text.rfind(b"\n", start, start + FIRST_LINES) + 1
    room = text.count(b"\n", start, stop) + (text[stop - 1] != ord("\n"))
    into = {name: np.empty(room, dtype=kind) for name, kind in _KINDS.items()}
    found = core.scan(text, start, stop, head, _COLUMNS[role], room, *into.values())
    if found is None or not (found[6] or _is_utf8(text[start:stop])):
        return None
    block = _Block(*found)
    columns = {name: values[: block.rows] for name, values in into.items()}
    columns["starts"] += np.uint32(cut.start - start)
    return block, columns


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _in_threads(work: Callable[[int], T], count: int) -> list[T]:
    """The result for each number; one block needs no threads."""
    workers = min(count, os.cpu_count() or 1)
    if workers < 2:  # noqa: PLR2004 - nothing is beside one
        return list(map(work, range(count)))
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - long files only

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, range(count)))


def _is_utf8(data: bytes) -> bool:
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
