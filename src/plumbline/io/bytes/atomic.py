"""Files are written completely or not at all.

What is written goes into a file beside the target, which takes its place when everything is on disk. Where the system can
do that, it has no name until then, so that nothing is left behind even if the process is killed. Elsewhere it is called
`.NAME.XXXXXXXX.part`; the next writer of the same file removes those whose writer is gone.
"""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import contextmanager, suppress
from errno import ENOENT
from stat import S_IMODE
from typing import IO, TYPE_CHECKING, Final
from uuid import uuid4

from plumbline.errors import BadUsage, files
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NATIVE: Final = pattern(r"\(os error (\d+)\)")
_PRIVATE: Final = 0o600
"""Nobody else reads the file before it has the rights of the one that it replaces."""
_ANY_NEW_FILE: Final = 0o666
_BINARY: Final = getattr(os, "O_BINARY", 0)
JUST_BEGUN: Final = 60
"""Seconds within which a writer may not have its lock yet."""


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
    """Yield a file that replaces `path` only when everything is on disk; the rights of a file that is replaced are kept.

    A device or pipe such as /dev/stdout is never replaced, but written to.
    """
    with refusals_named(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        _refuse_existing(path, force=force)
        with _replacing(path.resolve()) as file:
            yield file


@contextmanager
def refusals_named(path: Path) -> Iterator[None]:
    """If the operating system refuses something, the error names the path."""
    try:
        yield
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
    _remove_abandoned(path)
    rights = _PRIVATE if path.exists() else _ANY_NEW_FILE
    part = path.with_name(f".{path.name}.{uuid4().hex[:8]}.part")
    unnamed = _unnamed(path.parent, rights)
    try:
        with unnamed or _named(part, rights) as file:
            with suppress(OSError):  # some network drives have no locks
                lock(file.fileno())
            _take_rights(file, path)
            yield file
            file.flush()
            os.fsync(file.fileno())
            if unnamed is not None:
                _give_name(file, part)
                part.replace(path)
        if unnamed is None:
            part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()


def _named(part: Path, rights: int) -> IO[bytes]:
    return open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BINARY, rights), "wb")  # noqa: PTH123 - rights


def _unnamed(folder: Path, rights: int) -> IO[bytes] | None:
    """A file without a name, if the system has such."""
    try:
        return open(os.open(folder, os.O_TMPFILE | os.O_WRONLY, rights), "wb")  # noqa: PTH123 - no name
    except (AttributeError, OSError):
        return None


def _give_name(file: IO[bytes], part: Path) -> None:
    folder = os.open(part.parent, os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{file.fileno()}", part.name, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _take_rights(file: IO[bytes], path: Path) -> None:
    """The owner and the rights of the file that is replaced, as far as we may set them."""
    if not path.exists() or not hasattr(os, "fchmod"):
        return
    old = path.stat()
    with suppress(OSError):
        os.fchown(file.fileno(), old.st_uid, old.st_gid)
    os.fchmod(file.fileno(), S_IMODE(old.st_mode))


def _remove_abandoned(path: Path) -> None:
    """Remove what killed writers of the same file left behind; a living one has a lock, or has just begun."""
    ours = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}\.part")
    with suppress(OSError):
        for left in path.parent.iterdir():
            with suppress(OSError):  # another process may hold or remove this one
                if ours.fullmatch(left.name) and time.time() - left.stat().st_mtime > JUST_BEGUN:
                    with left.open("rb") as file:
                        lock(file.fileno())
                        left.unlink()


def lock(file: int) -> None:
    """Lock a file, or fail if another process has; Windows removes no open file anyway."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
