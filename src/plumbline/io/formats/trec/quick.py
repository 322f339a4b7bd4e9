"""TREC files by the reader in C, where it is installed: the same rows as those of the readers in Python, without a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.io.bytes.blocks import whole_lines
from plumbline.io.columns.ranks import NO_DISORDER, Disorder
from plumbline.io.formats.trec.scanning import COLUMNS, Block, Rows, block_of, in_threads, lines, scanned
from plumbline.io.listed import Listed, Texts, native
from plumbline.io.table import LARGEST_GRADE
from plumbline.records import dataclass

if TYPE_CHECKING:
    from types import ModuleType

    from plumbline.io.bytes.content import Content
    from plumbline.io.bytes.on_disk import OnDisk
    from plumbline.io.table import ReadOptions, Role

AT_MOST: Final = 2**32 - 1
"""Bytes of the longest file: places are numbers of 32 bits."""
KEPT: Final = 16 * 2**20
"""Bytes of the longest file that is kept in memory; ids of longer ones are read again where they decide something."""


@dataclass(frozen=True)
class QuickFile:
    """The rows of a file, its run tag, and whether ranks contradict scores."""

    listed: Listed
    tag: str | None
    disorder: Disorder


def read_quickly(content: Content, layout: tuple[str, ...], role: Role, options: ReadOptions) -> QuickFile | None:
    """The rows of a file about which there is nothing to tell; None for any other, and where there is no reader in C."""
    core = native()
    plain = options.kind == "scores" and (role == "gold" or (options.order == "score" and options.tag is None))
    data = content.data
    if core is None or not plain or len(layout) != COLUMNS[role][0] or not 0 < len(data) <= AT_MOST:
        return None
    cuts = list(whole_lines(data))
    read = None
    if role == "output" and options.sought is not None and len(cuts) > 1:
        from plumbline.io.formats.trec.ranking import ranked_rows  # noqa: PLC0415 - large files only

        read = ranked_rows(core, data, cuts, options.sought)
    read = read or _rows(core, data, cuts, role)
    if read is None:
        return None
    listed, blocks, disorder = read
    tags, seconds = {block.tag for block in blocks}, {block.second for block in blocks}
    odd = len(tags) > 1 if role == "output" else len(seconds) > 1 or not all(block.one_second for block in blocks)
    too_large = role == "gold" and np.abs(listed.values).max(initial=0.0) > LARGEST_GRADE
    if odd or too_large or not all(block.one_tag for block in blocks) or _repeated(core, listed):
        return None
    return QuickFile(listed, blocks[0].tag if role == "output" else None, disorder)


def _rows(core: ModuleType, data: bytes | OnDisk, cuts: list[slice], role: Role) -> tuple[Listed, list[Block], Disorder] | None:
    rooms = in_threads(lambda number: lines(*block_of(data, cuts[number], tell=False)), len(cuts))
    first = np.cumsum([0, *rooms]).tolist()
    rows = Rows.empty(first[-1])

    def scanned_block(number: int) -> Block | None:
        cut, into = cuts[number], rows.take(slice(first[number], first[number + 1]))
        text, place = block_of(data, cut)
        block = scanned(core, text, place, role, into)
        if block is not None and place.start < cut.start:
            into.starts[:] += np.uint32(cut.start)
        return block

    blocks = [block for block in in_threads(scanned_block, len(cuts)) if block is not None]
    if len(blocks) < len(cuts) or not any(block.rows for block in blocks):
        return None
    numbers: dict[str, int] = {}
    disorder = NO_DISORDER
    for block, begin in zip(blocks, first, strict=False):
        code_of = np.array([numbers.setdefault(case, len(numbers)) for case in block.cases], dtype=np.int32)
        if block.pairs:
            disorder += Disorder(block.pairs, block.cases[int(rows.codes[begin + block.first_pair])])
        if len(code_of) and (code_of != np.arange(len(code_of))).any():
            of_block = slice(begin, begin + block.rows)
            rows.codes[of_block] = code_of[rows.codes[of_block]]
    kept = [block for block in blocks if block.rows]
    if sum(block.rows for block in blocks) < len(rows.codes):  # blank lines left room
        used = np.concatenate([np.arange(start, start + block.rows) for start, block in zip(first, blocks, strict=False)])
        rows = rows.take(used)
    items = Texts(data, rows.starts, rows.hashes, all(block.plain for block in blocks))
    return Listed(list(numbers), rows.codes, rows.values, items), kept, disorder


def _repeated(core: ModuleType, listed: Listed) -> bool:
    """Whether an item may be in a case twice; which of them counts is decided elsewhere."""
    changes = np.flatnonzero(listed.case[1:] != listed.case[:-1]) + 1
    cases = len(listed.cases) if listed.ranked is None else int(np.count_nonzero(np.bincount(listed.case)))
    together = len(changes) < cases
    cuts = np.concatenate(([0], changes if together else [], [len(listed.case)])).astype(np.int64)
    return bool(core.repeats(listed.case, listed.items.hashes, cuts))
