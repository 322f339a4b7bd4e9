"""TREC files by the reader in C, where it is installed: the same rows as those of the readers in Python, without a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.io.bytes.blocks import whole_lines
from plumbline.io.columns.ranks import NO_DISORDER, Disorder
from plumbline.io.formats.trec.scanning import COLUMNS, Block, Rows, block_of, in_threads, lines, most_lines, room_for, scanned
from plumbline.io.listed import Listed, Texts, may_repeat
from plumbline.io.native import MOST_BYTES, native
from plumbline.io.table import LARGEST_GRADE
from plumbline.records import dataclass

if TYPE_CHECKING:
    from types import ModuleType

    from plumbline.io.bytes.content import Content
    from plumbline.io.bytes.on_disk import OnDisk
    from plumbline.io.table import ReadOptions, Role

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
    if core is None or not plain or len(layout) != COLUMNS[role][0] or not 0 < len(data) <= MOST_BYTES:
        return None
    cuts = list(whole_lines(data))
    read = None
    if role == "output" and options.sought is not None and len(cuts) > 1:
        from plumbline.io.formats.trec.ranking import ranked_rows

        read = ranked_rows(core, data, cuts, options.sought)
    read = read or _rows(core, data, cuts, role)
    if read is None:
        return None
    listed, blocks, disorder = read
    tags, seconds = {block.tag for block in blocks}, {block.second for block in blocks}
    odd = len(tags) > 1 if role == "output" else len(seconds) > 1 or not all(block.one_second for block in blocks)
    too_large = role == "gold" and np.abs(listed.values).max(initial=0.0) > LARGEST_GRADE
    if odd or too_large or not all(block.one_tag for block in blocks) or _repeated(listed):
        return None
    return QuickFile(listed, blocks[0].tag if role == "output" else None, disorder)


def _rows(core: ModuleType, data: bytes | OnDisk, cuts: list[slice], role: Role) -> tuple[Listed, list[Block], Disorder] | None:
    """All rows; a file that stays on the disk is read once, by threads into memory of their own."""

    def of_block(number: int) -> tuple[Block, Rows] | None:
        text, place = block_of(data, cuts[number])
        in_memory = isinstance(data, bytes)
        room = Rows.empty(lines(text, place)) if in_memory else room_for(most_lines(place, role))
        block = scanned(core, text, place, role, room)
        if block is None:
            return None
        rows = room.take(slice(0, block.rows))
        return block, rows if in_memory else rows.copied(cuts[number].start - place.start)

    parts = [part for part in in_threads(of_block, len(cuts)) if part is not None]
    blocks = [block for block, _ in parts if block.rows]
    if len(parts) < len(cuts) or not blocks:
        return None
    numbers: dict[str, int] = {}
    disorder = NO_DISORDER
    for block, rows in parts:
        code_of = np.array([numbers.setdefault(case, len(numbers)) for case in block.cases], dtype=np.int32)
        if block.pairs:
            disorder += Disorder(block.pairs, block.cases[int(rows.codes[block.first_pair])])
        if len(code_of) and (code_of != np.arange(len(code_of))).any():
            rows.codes[:] = code_of[rows.codes]
    plain = all(block.plain for block, _ in parts)
    codes, values, starts, hashes = Rows.joined([rows for _, rows in parts])
    return Listed(list(numbers), codes, values, Texts(data, starts, hashes, plain)), blocks, disorder


def _repeated(listed: Listed) -> bool:
    """Whether an item may be in a case twice; which of them counts is decided elsewhere."""
    cases = len(listed.cases) if listed.ranked is None else int(np.count_nonzero(np.bincount(listed.case)))
    return may_repeat(listed.case, listed.items.hashes, cases)
