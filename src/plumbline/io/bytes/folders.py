"""Folders are written completely or not at all, as files are.

Files are written into a folder beside the target, called `.NAME.XXXXXXXX.part`, which takes its place when all of them are on
disk. Linux exchanges the two in one step. Elsewhere the old folder is called `.NAME.XXXXXXXX.old` for a moment.
"""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import contextmanager, suppress
from shutil import rmtree
from stat import S_IMODE
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from plumbline.io.bytes.atomic import JUST_BEGUN, lock, refusals_named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HERE: Final = -100
"""Paths are meant as any other call means them (AT_FDCWD)."""
_EXCHANGE: Final = 2
"""RENAME_EXCHANGE."""


@contextmanager
def replaced_folder(path: Path) -> Iterator[Path]:
    """Yield a new folder that takes the place of `path`, with its rights, when the block is left without an error."""
    with refusals_named(path):
        path = path.resolve()
        _remove_abandoned(path)
        part = path.with_name(f".{path.name}.{uuid4().hex[:8]}.part")
        part.mkdir()
        try:
            with _locked(part):
                yield part
                if path.exists():
                    part.chmod(S_IMODE(path.stat().st_mode))
                    _exchange(part, path)
                else:
                    part.rename(path)
        finally:
            rmtree(part, ignore_errors=True)


def _exchange(part: Path, path: Path) -> None:
    """Give the two folders each other's name; the old one is removed where that takes two steps."""
    if _exchanged(part, path):
        return
    old = part.with_suffix(".old")
    path.rename(old)
    part.rename(path)
    rmtree(old, ignore_errors=True)


def _exchanged(part: Path, path: Path) -> bool:
    """Whether the system could do it in one step."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        rename = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):
        return False
    return bool(rename(_HERE, os.fsencode(part), _HERE, os.fsencode(path), _EXCHANGE) == 0)


@contextmanager
def _locked(folder: Path, *, surely: bool = False) -> Iterator[None]:
    """Others see that the writer of the folder is alive; some network drives, and Windows, have no such locks."""
    handle = None
    try:
        handle = os.open(folder, os.O_RDONLY)
        lock(handle)
    except OSError:
        if surely:
            raise
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _remove_abandoned(path: Path) -> None:
    """Remove what killed writers of the same folder left behind; a living one has a lock, or has just begun."""
    ours = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}\.part")
    for left in path.parent.iterdir():
        with suppress(OSError):
            if ours.fullmatch(left.name) and time.time() - left.stat().st_mtime > JUST_BEGUN:
                with _locked(left, surely=True):
                    rmtree(left, ignore_errors=True)
