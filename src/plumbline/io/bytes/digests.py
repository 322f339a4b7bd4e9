"""SHA-256 digests of files, taken from the bytes as they are read, so that nothing is opened twice.

Hashing takes time, so digests are only taken inside `recording()`; reports do that, to say which files they are about.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from plumbline.io.bytes.on_disk import OnDisk

_RECORDS: list[dict[Path, Digest]] = []


@dataclass(frozen=True)
class Digest:
    """The size of a file in bytes, and the digest of its content."""

    size: int
    sha256: str


@contextmanager
def recording() -> Iterator[dict[Path, Digest]]:
    """Collect the digests of all files that are read inside the block."""
    record: dict[Path, Digest] = {}
    _RECORDS.append(record)
    try:
        yield record
    finally:
        _RECORDS[:] = [one for one in _RECORDS if one is not record]


def note(path: Path, data: bytes | OnDisk) -> None:
    """Record the digest of a file that was read, if anybody collects digests."""
    if _RECORDS:
        from hashlib import sha256

        summed = sha256()
        for portion in (data,) if isinstance(data, bytes) else data.portions():
            summed.update(portion)
        digest = Digest(len(data), summed.hexdigest())
        for record in _RECORDS:
            record[path] = digest


def digest_of(path: Path) -> Digest:
    """The digest of a file that is read for this alone."""
    from hashlib import file_digest

    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return Digest(path.stat().st_size, digest)
