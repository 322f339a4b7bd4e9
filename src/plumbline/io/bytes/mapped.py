"""A large file as bytes that are read when they are needed; one that becomes shorter meanwhile is an error, not a crash.

The system ends a process that touches a mapped page behind the end of its file. So slices are read from the file, and only
code that needs one piece of memory uses the mapping.
"""

from __future__ import annotations

import mmap
import os
from typing import IO, TYPE_CHECKING, Any

from plumbline.errors import BadData, files

if TYPE_CHECKING:
    from typing import Self


class Mapped(mmap.mmap):
    """A mapped file whose slices are read."""

    _label: str
    _file: int

    def __new__(cls, file: IO[bytes], label: str) -> Self:
        """Map all of an open file."""
        self = super().__new__(cls, file.fileno(), 0, access=mmap.ACCESS_READ)
        self._label, self._file = label, os.dup(file.fileno())
        return self

    def __del__(self) -> None:
        """Close the file."""
        os.close(self._file)

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 - a position gives a number, a slice gives bytes
        """Some bytes as the file has them."""
        if not isinstance(key, slice) or key.step is not None or not hasattr(os, "pread"):
            return super().__getitem__(key)
        start, stop, _ = key.indices(len(self))
        return self._read(start, stop)

    def _read(self, start: int, stop: int) -> bytes:
        parts = []
        while start < stop:
            part = os.pread(self._file, stop - start, start)
            if not part:
                raise BadData(files.shrunk(self._label))
            parts.append(part)
            start += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def rfind(self, sub: Any, start: int = 0, stop: int | None = None) -> int:  # noqa: ANN401 - bytes
        """Where something occurs last; -1 if it does not."""
        index: int = self[start:stop].rfind(sub)
        return index if index < 0 else start + index
