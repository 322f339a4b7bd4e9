"""The files that one gold or one system consists of: a path, a pattern or a folder."""

from __future__ import annotations

import os
from pathlib import Path

from plumbline.errors import BadUsage, files
from plumbline.io.paths import is_pattern, matching


def files_of(source: object) -> list[Path] | None:
    """The files of a path, a pattern or a folder; None for data in memory, and for standard input."""
    if not isinstance(source, (str, os.PathLike)) or os.fspath(source) == "-":
        return None
    if is_pattern(source):
        return [Path(name) for name in matching(os.fspath(source))]
    path = Path(source)
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.rglob("*") if one.is_file() and not one.name.startswith((".", "_")))
    if not found:
        raise BadUsage(files.not_found(str(path), []))
    return found
