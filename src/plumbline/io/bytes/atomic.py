"""Files are written completely or not at all."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from errno import ENOENT
from typing import IO, TYPE_CHECKING, Final
from uuid import uuid4

from plumbline.errors import BadUsage, files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NATIVE: Final = re.compile(r"\(os error (\d+)\)")


def check_writable(*paths: Path | None, force: bool) -> None:
    """Refuse paths that cannot be written, before any work is done; an existing file is kept unless forced."""
    wanted = [path for path in paths if path is not None]
    for path in wanted:
        if path.is_file() and not force:
            raise BadUsage(files.exists(str(path)))
        if not path.exists() and not path.resolve().parent.is_dir():
            raise BadUsage(files.unreadable(str(path), os.strerror(ENOENT)))
        if sum(path.resolve() == other.resolve() for other in wanted) > 1:
            raise BadUsage(files.unreadable(str(path), "two outputs cannot be one file"))


@contextmanager
def write_atomically(path: Path, *, force: bool) -> Iterator[IO[bytes]]:
    """Yield a file that replaces `path` only when everything is on disk.

    A device or pipe such as /dev/stdout is never replaced, but written to.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        _refuse_existing(path, force=force)
        with _replacing(path.resolve()) as file:
            yield file
    except Exception as error:
        reason = _refusal(error)
        if reason is None:
            raise
        raise BadUsage(files.unreadable(str(path), reason)) from None


def _refuse_existing(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise BadUsage(files.exists(str(path)))


def _refusal(error: Exception) -> str | None:
    """Why the operating system refused; native code has errors of its own, with the number in their text."""
    number = _NATIVE.search(str(error))
    if number is not None:
        return os.strerror(int(number[1]))
    return error.strerror or str(error) if isinstance(error, OSError) else None


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    part = path.with_name(f".{path.name}.{uuid4().hex[:8]}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()
