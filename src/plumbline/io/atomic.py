"""Outputs appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from plumbline.errors import BadUsage, files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def write_atomically(path: Path, *, force: bool) -> Iterator[IO[bytes]]:
    """A file to write to that takes the place of `path` only when everything is on disk."""
    if path.exists() and not force:
        raise BadUsage(files.exists(str(path)))
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise BadUsage(files.unreadable(str(path), error.strerror or str(error))) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except OSError as error:
        raise BadUsage(files.unreadable(str(path), error.strerror or str(error))) from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)
