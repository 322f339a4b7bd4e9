"""What the operating system refuses to native code, which would otherwise describe it in words of its own."""

from __future__ import annotations

from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def refusals_kept(file: IO[bytes]) -> Iterator[Any]:
    """Yield the file for a writer in native code; if writing is refused, the error of the system is raised, and not another."""
    watched = _Watched(file)
    try:
        yield watched
    except Exception:
        if watched.refusal is not None:
            raise watched.refusal from None
        raise


class _Watched:
    """A file that remembers the first error."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.refusal: OSError | None = None

    def write(self, data: bytes) -> int:
        try:
            written = self.file.write(data)
            self.file.flush()
        except OSError as error:
            self.refusal = self.refusal or error
            raise
        return written

    def flush(self) -> None:
        self.file.flush()

    def seek(self, place: int, origin: int = 0) -> int:
        return self.file.seek(place, origin)
