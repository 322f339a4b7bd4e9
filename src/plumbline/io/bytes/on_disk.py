"""A large file as bytes that are read when they are needed; one that becomes shorter meanwhile is an error, not a crash.

It is not mapped into memory: the system ends a process that touches a mapped page behind the end of its file.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from threading import Lock
from typing import IO, TYPE_CHECKING, Final, overload

from plumbline.errors import BadData, files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Listener = Callable[[str, int, int], None]
    """Takes the label of a file, the bytes that are read, and the size."""

PORTION: Final = 8 * 2**20
"""Bytes that are searched at once, or read while somebody looks at the progress."""
_NEAR: Final = 2**12
"""Bytes in which something is searched from the end first: the end of a line is hardly ever far."""
LISTENERS: Final[list[Listener]] = []


@contextmanager
def progress_to(listener: Listener) -> Iterator[None]:
    """Tell how much of each large file is read, inside the block."""
    LISTENERS.append(listener)
    try:
        yield
    finally:
        LISTENERS.remove(listener)


class OnDisk:
    """The bytes of a file that stays open; slices, searches and `bytes()` read from it."""

    def __init__(self, file: IO[bytes], label: str) -> None:
        self._file = open(os.dup(file.fileno()), "rb", buffering=0)  # noqa: PTH123, SIM115 - a number, for as long as this lives
        self._size = os.fstat(self._file.fileno()).st_size
        self._label = label
        self._one_reader = Lock()

    def __del__(self) -> None:
        """Close the file."""
        self._file.close()

    def __len__(self) -> int:
        return self._size

    def fileno(self) -> int:
        """The number of the open file."""
        return self._file.fileno()

    @overload
    def __getitem__(self, key: int) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> bytes: ...
    def __getitem__(self, key: int | slice) -> int | bytes:
        """Some bytes as the file has them."""
        if isinstance(key, int):
            return self[key:][0] if key == -1 else self[key : key + 1][0]
        start, stop, step = key.indices(self._size)
        if step == 1:
            return b"".join(self._read(start, stop))
        return bytes(self)[key]

    def __bytes__(self) -> bytes:
        return b"".join(self._read(0, self._size))

    def __contains__(self, sought: bytes) -> bool:
        return self.find(sought) >= 0

    def portions(self) -> Iterator[bytes]:
        """All bytes, some at a time."""
        return (self[start : start + PORTION] for start in range(0, self._size, PORTION))

    def find(self, sought: bytes, start: int = 0) -> int:
        """Where something occurs first; -1 if it does not."""
        while start < self._size:
            index = self[start : start + PORTION].find(sought)
            if index >= 0:
                return start + index
            start += PORTION - len(sought) + 1
        return -1

    def rfind(self, sought: bytes, start: int, stop: int) -> int:
        """Where something occurs last in a slice; -1 if it does not."""
        window = _NEAR
        while True:
            first = max(start, stop - window)
            index = self[first:stop].rfind(sought)
            if index >= 0 or first == start:
                return index if index < 0 else first + index
            window *= 8

    def read_into(self, buffer: memoryview, start: int) -> None:
        """Fill a buffer with the bytes from here on."""
        done = 0
        while done < len(buffer):
            with self._one_reader:
                self._file.seek(start + done)
                count = self._file.readinto(buffer[done:])
            if not count:
                raise BadData(files.shrunk(self._label))
            done += count
            for listener in LISTENERS:
                listener(self._label, start + done, self._size)

    def _read(self, start: int, stop: int) -> Iterator[bytes]:
        while start < stop:
            with self._one_reader:
                self._file.seek(start)
                part = self._file.read(min(PORTION, stop - start) if LISTENERS else stop - start)
            if not part:
                raise BadData(files.shrunk(self._label))
            start += len(part)
            for listener in LISTENERS:
                listener(self._label, start, self._size)
            yield part
