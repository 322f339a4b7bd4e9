"""Large runs whose lists are ranked while they are read, so that only the rows of judged items are kept.

A list is a few thousand lines that stand together, and a block holds many. Of each block the first and the last list, which may
go on in another one, are kept with all their rows, and so is a block in which two scores of a list are equal: the tie rule
decides there. A run whose lists do not stand together is read by rows.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from operator import ne
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from plumbline.io.columns.ranks import NO_DISORDER, Disorder
from plumbline.io.formats.trec.scanning import FIRST_LINES, Block, Rows, block_of, in_threads, most_lines, room_for, scanned
from plumbline.io.listed import Listed, Ranked, Texts

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    from plumbline.io.bytes.on_disk import OnDisk
    from plumbline.io.listed import Sought


class _Part(NamedTuple):
    """What is kept of a block."""

    block: Block
    rows: Rows
    """Rows as they are."""
    inner: list[str]
    """The cases whose lists were ranked."""
    ranked: Ranked
    disorder: Disorder


def ranked_rows(
    core: ModuleType, data: bytes | OnDisk, cuts: list[slice], sought: Sought
) -> tuple[Listed, list[Block], Disorder] | None:
    """The judged items of a run with their ranks, beside the rows that are kept; None for a run that has to be read by rows."""
    if not _together(bytes(data[:FIRST_LINES])):
        return None
    failed: list[int] = []

    def part_of(number: int) -> _Part | None:
        part = None if failed else _part(core, data, cuts[number], sought)
        if part is None:
            failed.append(number)
        return part

    parts = [part for part in in_threads(part_of, len(cuts)) if part is not None]
    if len(parts) < len(cuts):
        return None
    times = Counter(chain.from_iterable(part.block.cases for part in parts))
    if any(times[case] > 1 for part in parts for case in part.inner):
        return None
    numbers = {case: number for number, case in enumerate(times)}
    for part in parts:
        code_of = np.array([numbers[case] for case in part.block.cases], dtype=np.int32)
        part.rows.codes[:] = code_of[part.rows.codes]
    rows = Rows.joined([part.rows for part in parts])
    items = Texts(data, rows.starts, rows.hashes, all(part.block.plain for part in parts))
    ranked = Ranked.joined([part.ranked for part in parts])
    blocks = [part.block for part in parts if part.block.rows]
    disorder = sum((part.disorder for part in parts), NO_DISORDER)
    return (Listed(list(numbers), rows.codes, rows.values, items, ranked), blocks, disorder) if blocks else None


def _together(head: bytes) -> bool:
    """Whether the lists in the first lines stand together; the last line may be cut."""
    cases = [line.split(None, 1)[0] for line in head.rpartition(b"\n")[0].split(b"\n") if line.strip()]
    return bool(sum(map(ne, cases[1:], cases)) <= len(set(cases)))


def _part(core: ModuleType, data: bytes | OnDisk, cut: slice, sought: Sought) -> _Part | None:
    text, place = block_of(data, cut)
    room = room_for(most_lines(place, "output"))
    block = scanned(core, text, place, "output", room)
    if block is None:
        return None
    rows = room.take(slice(0, block.rows))
    changes = np.flatnonzero(rows.codes[1:] != rows.codes[:-1]) + 1
    if len(changes) != max(len(block.cases) - 1, 0):
        return None
    disorder = Disorder(block.pairs, block.cases[int(rows.codes[block.first_pair])]) if block.pairs else NO_DISORDER
    kept, inner, ranked = rows.take(slice(None)), list[str](), Ranked.nothing(len(sought.codes))
    if len(changes) > 1:
        first, last = int(changes[0]), int(changes[-1])
        middle = rows.take(slice(first, last))
        if core.repeats(middle.codes, middle.hashes, changes - first):
            return None
        complete = _ranked(core, text, middle, block.cases[1:-1], np.diff(changes), sought)
        if complete is not None:
            kept = Rows.joined([rows.take(slice(0, first)), rows.take(slice(last, None))])
            inner, ranked = block.cases[1:-1], complete
    return _Part(block, kept.copied(cut.start - place.start), inner, ranked, disorder)


def _ranked(
    core: ModuleType,
    text: bytes | bytearray,
    rows: Rows,
    cases: list[str],
    lengths: NDArray[np.int64],
    sought: Sought,
) -> Ranked | None:
    """The judged rows of lists that are complete, cases numbered from 1.

    None if two scores of a list are equal, or too many judged items have nearly one place in the table of hashes.
    """
    codes = np.array([sought.codes.get(case, -1) for case in cases], dtype=np.int64)
    known = np.flatnonzero(codes >= 0)
    some, number = sought.of_cases(codes[known])
    gold = sought.items.take(some)
    judged, of_gold = np.empty((2, min(len(some), len(rows.codes))), dtype=np.int64)
    count = core.find(
        (gold.data, gold.starts, gold.hashes, (known[number] + 1).astype(np.int32)),
        (text, rows.starts, rows.hashes, rows.codes),
        judged,
        of_gold,
    )
    if count < 0:
        return None
    given, rank = np.empty(count, dtype=np.int64), np.empty(count)
    if core.rank(rows.codes, rows.values, judged[:count], given, rank) < 0:
        return None
    counts = np.zeros(len(sought.codes), dtype=np.int64)
    counts[codes[known]] = lengths[known]
    of_gold = some[of_gold[:count][given]]
    return Ranked(of_gold, rank, counts)
