"""The bytes of a file, unpacked: compression is recognised by content, never by name."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from plumbline.errors import BadData, BadUsage, Place, files
from plumbline.errors.base import nearest
from plumbline.errors.urls import is_url, without_secrets
from plumbline.io.bytes import digests
from plumbline.io.bytes.on_disk import OnDisk
from plumbline.io.bytes.remote import downloaded
from plumbline.lazily import pattern
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 2**20
SMALL = 2**20
"""Files up to so many bytes are read at once; larger ones stay on disk."""
FEW = 2**10
"""Bytes in which nearly every file has some that are not white space."""
_INK = pattern(rb"[^ \t\r\n]")
_CHECKSUM = pattern(r"data check|length check|checksum|CRC", re.IGNORECASE)


class Decompressor(Protocol):
    """The interface that the decompressors of the standard library share."""

    @property
    def eof(self) -> bool:
        """Whether the end of the compressed stream was reached."""
        ...

    @property
    def unused_data(self) -> bytes:
        """The bytes after the end of the stream."""
        ...

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Unpack at most so many bytes."""
        ...


@dataclass(frozen=True)
class Content:
    """Unpacked bytes with a label for messages, and the path of the file if it can be read in place."""

    label: str
    data: bytes | OnDisk
    path: Path | None = None
    one_of_many: bool = False
    """Whether it is one of several files that are one gold or output together."""
    max_bytes: int | None = None
    """How much it may unpack to, if not as much as its size allows."""

    @property
    def limit(self) -> int:
        """How many bytes of memory its rows may take."""
        return self.max_bytes or limit_of(len(self.data))

    def head(self, size: int = 2**16) -> bytes:
        """The first bytes, enough to recognise the format."""
        return bytes(self.data[:size])

    def head_of_data(self, size: int = 2**16) -> bytes:
        """The same, from the first line on that is not blank."""
        head = self.head(size)
        if head.strip() or len(self.data) <= size:
            return head
        start = self.first_ink() or 0
        return self.take(slice(start, start + size))

    def first_ink(self) -> int | None:
        """Where the first byte is that is not white space."""
        if ink := _INK.search(self.head(FEW)):
            return ink.start()
        for start in range(0, len(self.data), BLOCK):
            if ink := _INK.search(self.take(slice(start, start + BLOCK))):
                return start + ink.start()
        return None

    def take(self, block: slice) -> bytes:
        """A copy of some bytes."""
        return bytes(self.data[block])


class _Gzip:
    """zlib's decompressor with the interface of the others; it keeps the input that it has not consumed yet."""

    def __init__(self) -> None:
        import zlib

        self._inner = zlib.decompressobj(wbits=31)
        self._waiting = b""

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        unpacked = self._inner.decompress(self._waiting + data, max_length)
        self._waiting = self._inner.unconsumed_tail
        return unpacked


def _bzip2() -> Decompressor:
    import bz2

    return bz2.BZ2Decompressor()


def _xz() -> Decompressor:
    import lzma

    return lzma.LZMADecompressor()


def _zstd() -> Decompressor:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    decompressor: Decompressor = zstd.ZstdDecompressor()
    return decompressor


DEFAULT_RATIO = 100
SMALLEST_LIMIT = 64 * 2**20
"""Compressed files may grow so many times, or to so many bytes, unless more is allowed."""
LONGEST_STREAM = 4 * 2**30
"""Bytes of standard input, a pipe or a device that are read unless more are allowed."""
KINDS: dict[bytes, tuple[str, Callable[[], Decompressor]]] = {
    b"\x1f\x8b": ("gzip", _Gzip),
    b"BZh": ("bzip2", _bzip2),
    b"\xfd7zXZ\x00": ("xz", _xz),
    b"\x28\xb5\x2f\xfd": ("zstd", _zstd),
}


def load(source: str | os.PathLike[str] | IO[bytes] | IO[str] | Content, max_bytes: int | None = None) -> Content:
    """The content of a path, of standard input (`-`) or of an open file; a content that was loaded before stays as it is."""
    if isinstance(source, Content):
        return source
    if isinstance(source, (str, os.PathLike)):
        if is_url(os.fspath(source)):
            return _file(downloaded(os.fspath(source)), max_bytes, without_secrets(os.fspath(source)))
        return _stdin(max_bytes) if str(source) == "-" else _file(Path(source), max_bytes)
    label = str(getattr(source, "name", "<file object>"))
    return _content(label, _stream(source, label, max_bytes), None, max_bytes)


def _interruptible() -> None:
    """Let Ctrl-C end a blocked read: polars installs a handler that would make the system restart it."""
    if hasattr(signal, "siginterrupt"):
        signal.siginterrupt(signal.SIGINT, True)  # noqa: FBT003 - takes no keyword


def _stdin(max_bytes: int | None) -> Content:
    _interruptible()
    return _content("<stdin>", _stream(sys.stdin.buffer, "<stdin>", max_bytes), None, max_bytes)


def _stream(source: IO[bytes] | IO[str], label: str, max_bytes: int | None) -> bytes:
    """Everything that a stream has; one that does not end, such as /dev/zero, is given up before memory ends."""
    limit = max_bytes or LONGEST_STREAM
    read = bytearray()
    while piece := source.read(BLOCK):
        read += piece.encode() if isinstance(piece, str) else piece
        if read[0] == 0:
            raise BadData(files.binary(Place(label, 1, 1)))
        if len(read) > limit:
            raise BadData(files.endless(label, limit))
    return bytes(read)


def _file(path: Path, max_bytes: int | None, label: str = "") -> Content:
    label = label or str(path)
    if "\0" in str(path):
        raise BadUsage(files.not_found(label, []))
    _interruptible()
    try:
        with path.open("rb") as file:
            ends = path.is_file()
            large = ends and path.stat().st_size > SMALL
            data = OnDisk(file, label) if large else _stream(file, label, None if ends else max_bytes)
    except FileNotFoundError:
        raise BadUsage(files.not_found(label, _similar(path))) from None
    except IsADirectoryError:
        raise BadUsage(files.is_folder(label)) from None
    except OSError as error:
        raise BadUsage(files.unreadable(label, error.strerror or str(error))) from None
    digests.note(path, data)
    return _content(label, data, path, max_bytes)


def _similar(path: Path) -> list[str]:
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return []
    return [str(path.parent / name) for name in nearest(path.name, names, n=2)]


def _content(label: str, data: bytes | OnDisk, path: Path | None, max_bytes: int | None) -> Content:
    if len(data) == 0:
        raise BadData(files.empty_file(label))
    for magic, (kind, make) in KINDS.items():
        if data[: len(magic)] == magic:
            data, path = _unpacked(label, data, kind, make, max_bytes), None
            break
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise BadData(files.not_utf8(Place(label), "UTF-16"))
    if data[:3] == b"\xef\xbb\xbf":
        data, path = bytes(data[3:]), None
    if len(data) == 0:
        raise BadData(files.empty_file(label))
    return Content(label, data, path, max_bytes=max_bytes)


def limit_of(size: int) -> int:
    """How much a file of some size may unpack to."""
    return max(SMALLEST_LIMIT, DEFAULT_RATIO * size)


def _unpacked(label: str, data: bytes | OnDisk, kind: str, make: Callable[[], Decompressor], max_bytes: int | None) -> bytes:
    limit = max_bytes or limit_of(len(data))
    unpacked = io.BytesIO()
    decompressor, position = make(), 0
    while True:
        block = bytes(data[position : position + BLOCK])
        position += len(block)
        try:
            piece = decompressor.decompress(block, limit + 1 - unpacked.tell())
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - each decompressor has a class of its own, and that of zstd is rarely imported
            reason = "CRC mismatch" if _CHECKSUM.search(str(error)) else str(error)
            raise BadData(files.damaged(label, kind, reason)) from None
        unpacked.write(piece)
        if unpacked.tell() > limit:
            raise BadData(files.too_large(label, kind, limit))
        if decompressor.eof:
            position -= len(decompressor.unused_data)
            if data[position : position + 1] in {b"", b"\x00"} and not bytes(data[position:]).strip(b"\x00"):
                return unpacked.getvalue()
            decompressor = make()
        elif not block and not piece:
            raise BadData(files.damaged(label, kind, "compressed data ends early"))
