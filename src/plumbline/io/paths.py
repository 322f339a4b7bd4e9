"""Paths: the name of a system, patterns, and folders whose files are one gold or output together."""

from __future__ import annotations

import glob
import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, clusterings, files
from plumbline.io.registry import readers

if TYPE_CHECKING:
    from plumbline.io.table import Readable

PACKED: Final = (".gz", ".bz2", ".xz", ".zst")
"""Endings of compressed files."""


def name_of(path: str | os.PathLike[str]) -> str:
    """The name of a system: that of its file, without endings that only stand for a format."""
    name = decoded(Path(path).name)
    while Path(name).suffix.lower() in _suffixes() and Path(name).stem:
        name = Path(name).stem
    return name


def decoded(name: str) -> str:
    """A name as text, also where the locale or the file system gave bytes that it could not decode."""
    return name.encode(errors="surrogateescape").decode(errors="replace")


def is_pattern(source: object) -> bool:
    """Whether it is a path with wildcards, not the name of a file."""
    if not isinstance(source, (str, os.PathLike)) or not glob.has_magic(os.fspath(source)):
        return False
    return not os.path.exists(source)  # noqa: PTH110 - any text may be a label, and is no error here


def matching(pattern: str) -> list[str]:
    """The files that match a pattern; at least one must."""
    names = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
    if not names:
        raise BadUsage(files.not_found(pattern, []))
    return names


def files_together(source: Readable) -> list[Path] | None:
    """The files of a folder or pattern, which are one gold or one output together; None for anything else."""
    if not isinstance(source, (str, os.PathLike)):
        return None
    path = Path(source)
    if path.is_dir():
        entries = sorted(
            entry for entry in path.iterdir() if _in_folders().search(entry.name) and not entry.name.startswith(".")
        )
        if not entries:
            raise BadUsage(clusterings.no_clusterings(str(path)))
        return entries
    return [Path(match) for match in matching(os.fspath(source))] if is_pattern(source) else None


@cache
def _suffixes() -> frozenset[str]:
    return frozenset(PACKED).union(*(reader.suffixes for reader in readers().values()))


@cache
def _in_folders() -> re.Pattern[str]:
    """Names of files that are read together, such as `a.xml`, `a.conll.gz` and `a.v4_gold_conll`."""
    endings = [suffix[1:] for reader in readers().values() if reader.folders for suffix in reader.suffixes]
    packed = "|".join(map(re.escape, PACKED))
    return re.compile(rf"[._]({'|'.join(map(re.escape, endings))})({packed})?$", re.IGNORECASE)
