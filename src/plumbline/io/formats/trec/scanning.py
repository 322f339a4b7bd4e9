"""Blocks of a TREC file as the reader in C hands them over, side by side; those of a large file are read from the disk."""

from __future__ import annotations

import os
from threading import Thread, local
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from plumbline.io.bytes import blocks
from plumbline.io.bytes.lines import is_utf8
from plumbline.io.native import native_function

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from numpy.typing import NDArray

    from plumbline.io.bytes.on_disk import OnDisk
    from plumbline.io.table import Role

    AnyText = bytes | bytearray

FIRST_LINES: Final = 2**16
"""Bytes at the start of each block whose ranks are always read."""
COLUMNS: Final[dict[Role, tuple[int, int, int, int, int, int]]] = {"output": (6, 1, 2, 4, 3, 5), "gold": (4, 1, 2, 3, -1, -1)}
"""How many columns there are, and which one is the second, the item, the number, the rank and the tag."""

_OF_THREAD: Final = local()
T = TypeVar("T")


class Block(NamedTuple):
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


class Rows(NamedTuple):
    """The number of the case, the number, the place and the hash of the id in each row."""

    codes: NDArray[np.int32]
    values: NDArray[np.float64]
    starts: NDArray[np.uint32]
    hashes: NDArray[np.uint64]

    @classmethod
    def empty(cls, room: int) -> Rows:
        """Room for so many rows."""
        kinds = (np.int32, np.float64, np.uint32, np.uint64)
        return cls(*(np.empty(room, dtype=kind) for kind in kinds))  # type: ignore[arg-type]  # each of its kind

    def take(self, rows: slice | NDArray[np.int64]) -> Rows:
        """Some of these rows."""
        return Rows(self.codes[rows], self.values[rows], self.starts[rows], self.hashes[rows])

    def copied(self, shift: int) -> Rows:
        """The same rows in memory of their own, each id so many bytes further behind."""
        return Rows(self.codes.copy(), self.values.copy(), self.starts + np.uint32(shift), self.hashes.copy())

    @classmethod
    def joined(cls, parts: list[Rows]) -> Rows:
        """All of these rows."""
        return parts[0] if len(parts) == 1 else cls(*map(np.concatenate, zip(*parts, strict=True)))


def scanned(core: ModuleType, text: AnyText, place: slice, role: Role, into: Rows) -> Block | None:
    """Read some lines of a text into arrays with room for them; None if there is anything odd in them."""
    start, stop = place.start, place.stop
    head = stop if stop - start <= FIRST_LINES else text.rfind(b"\n", start, start + FIRST_LINES) + 1
    fields = core.scan(text, start, stop, head, COLUMNS[role], len(into.codes), *into)
    return None if fields is None or not (fields[6] or is_utf8(text[start:stop])) else Block(*fields)


def most_lines(place: slice, role: Role) -> int:
    """How many lines some text has at most, if each has all columns; a column and what follows it have two bytes or more."""
    return int(place.stop - place.start) // (2 * COLUMNS[role][0]) + 1


def lines(text: AnyText, place: slice) -> int:
    """How many lines some text has."""
    breaks = native_function("breaks")
    start: int = place.start
    stop: int = place.stop
    ended: int = text.count(b"\n", start, stop) if breaks is None else breaks(text, start, stop)
    return ended + int(text[stop - 1] != ord("\n"))


def block_of(data: bytes | OnDisk, cut: slice) -> tuple[AnyText, slice]:
    """Some text that has the bytes of a block, and where; those of a file that stays on the disk are let go again."""
    return (data, cut) if isinstance(data, bytes) else (_from_disk(data, cut), slice(0, cut.stop - cut.start))


def _from_disk(data: OnDisk, cut: slice) -> bytearray:
    """Some bytes, in memory that this thread used before: new pages take the system as long as reading them."""
    size = cut.stop - cut.start
    buffer: bytearray | None = getattr(_OF_THREAD, "buffer", None)
    if buffer is None or len(buffer) < size:
        buffer = _OF_THREAD.buffer = bytearray(max(size, blocks.BLOCK))  # blocks have nearly this size, each another one
    data.read_into(memoryview(buffer)[:size], cut.start)
    return buffer


def room_for(rows: int) -> Rows:
    """Room for so many rows, in memory that this thread used before."""
    kept: Rows | None = getattr(_OF_THREAD, "rows", None)
    if kept is None or len(kept.codes) < rows:
        kept = _OF_THREAD.rows = Rows.empty(rows + rows // 8)
    return kept.take(slice(0, rows))


def in_threads(work: Callable[[int], T], count: int) -> list[T]:
    """The result for each number; one block needs no threads, and importing an executor takes longer than many blocks."""
    workers = min(count, os.cpu_count() or 1)
    if workers < 2:  # noqa: PLR2004 - nothing is beside one
        return list(map(work, range(count)))
    results: dict[int, T] = {}
    errors: list[BaseException] = []
    waiting = iter(range(count))  # whose next number no two threads get

    def run() -> None:
        try:
            for number in waiting:
                if errors:
                    return
                results[number] = work(number)
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)

    threads = [Thread(target=run) for _ in range(workers - 1)]
    for thread in threads:
        thread.start()
    run()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[number] for number in range(count)]
