"""Paths: the name of a system, patterns, and folders whose files are one gold or output together."""

from __future__ import annotations

import glob
import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, clusterings, files
from plumbline.errors.urls import is_url, without_secrets
from plumbline.io.bytes.remote import is_remote_folder, is_remote_pattern, listed
from plumbline.io.registry import readers

if TYPE_CHECKING:
    from plumbline.io.table import Readable

_TABLES: Final = {".parquet", ".pq", ".arrow", ".feather", ".csv", ".tsv", ".jsonl", ".ndjson"}
PACKED: Final = (".gz", ".bz2", ".xz", ".zst")
"""Endings of compressed files."""


def name_of(path: str | os.PathLike[str]) -> str:
    """The name of a system: that of its file, without endings that only stand for a format."""
    name = decoded(Path(_path_of(os.fspath(path))).name)
    while Path(name).suffix.lower() in _suffixes() and Path(name).stem:
        name = Path(name).stem
    return name


def decoded(name: str) -> str:
    """A name as text, also where the locale or the file system gave bytes that it could not decode."""
    return name.encode(errors="surrogateescape").decode(errors="replace")


def exists(name: str | os.PathLike[str]) -> bool:
    """Whether a file or a folder has this name; any text may be asked for, also one that is too long for a name."""
    return os.path.exists(name)  # noqa: PTH110 - unlike Path.exists, it raises nothing


def is_folder(name: str | os.PathLike[str]) -> bool:
    """Whether a folder has this name, which may be any text, too."""
    return os.path.isdir(name)  # noqa: PTH112 - as above


def is_file(name: str | os.PathLike[str]) -> bool:
    """Whether a file has this name, which may be any text, too."""
    return os.path.isfile(name)  # noqa: PTH113 - as above


def is_pattern(source: object) -> bool:
    """Whether it is a path with wildcards, not the name of a file."""
    if not isinstance(source, (str, os.PathLike)) or not glob.has_magic(os.fspath(source)):
        return False
    if is_url(os.fspath(source)):
        return is_remote_pattern(os.fspath(source))
    return not exists(source)


def names_files(text: str | os.PathLike[str]) -> bool:
    """Whether a text that may also be a label is the name of a file or a folder, a pattern or a URL."""
    return is_url(os.fspath(text)) or is_pattern(text) or exists(text)


def matching(pattern: str) -> list[str]:
    """The files that match a pattern; at least one must."""
    if is_url(pattern):
        return listed(pattern)
    names = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
    if not names:
        raise BadUsage(files.not_found(pattern, []))
    return names


def split_name(text: str) -> tuple[str, str]:
    """NAME=PATH as name and path; the name is empty if there is none, as in the name of a file or a URL with a = in it."""
    name, sign, path = text.partition("=")
    named = bool(sign and name) and not is_url(text) and not exists(text)
    return (name, path) if named else ("", text)


def files_of(source: object) -> list[Path] | None:
    """The files of a path, a pattern or a folder; None for data in memory, and for standard input."""
    if not isinstance(source, (str, os.PathLike)) or os.fspath(source) == "-":
        return None
    if is_url(os.fspath(source)) and is_remote_folder(os.fspath(source)):
        return [Path(name) for name in listed(os.fspath(source))]
    if is_pattern(source):
        return [Path(name) for name in matching(os.fspath(source))]
    path = Path(source)
    if not is_folder(path):
        return [path]
    inside = sorted(one for one in path.rglob("*") if one.is_file() and not one.name.startswith((".", "_")))
    if not inside:
        raise BadUsage(files.no_files(str(path)))
    return inside


def several_files(source: object) -> list[Path] | None:
    """The files of a folder or a pattern, whose rows are one gold or one output together; None for anything else."""
    if not isinstance(source, (str, os.PathLike)):
        return None
    several = is_pattern(source) or is_remote_folder(os.fspath(source)) or is_folder(source)
    return files_of(source) if several else None


def files_together(source: Readable, *, tables: bool = False) -> list[Path] | None:
    """The files of a folder or pattern, which are one gold or one output together; None for anything else.

    Of a folder these are the files of formats that come in many files; if it has none, its tables, where these will do.
    """
    if not isinstance(source, (str, os.PathLike)):
        return None
    path = Path(source)
    if is_folder(path):
        entries = sorted(
            entry for entry in path.iterdir() if _in_folders().search(entry.name) and not entry.name.startswith(".")
        )
        if tables and not entries:
            inside = (one for one in path.rglob("*") if one.is_file() and not one.name.startswith((".", "_")))
            entries = sorted(one for one in inside if is_table(one))
        if not entries:
            raise BadUsage(clusterings.no_clusterings(str(path)))
        return entries
    return [Path(match) for match in matching(os.fspath(source))] if is_pattern(source) else None


def is_table(path: Path) -> bool:
    """Whether a file is a table by its ending."""
    name = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return name.suffix.lower() in _TABLES


def _path_of(text: str) -> str:
    """The path of a URL, without what must not be shown; a path as it is."""
    return without_secrets(text).partition("?")[0].rstrip("/") if is_url(text) else text


@cache
def _suffixes() -> frozenset[str]:
    return frozenset(PACKED).union(*(reader.suffixes for reader in readers().values()))


@cache
def _in_folders() -> re.Pattern[str]:
    """Names of files that are read together, such as `a.xml`, `a.conll.gz` and `a.v4_gold_conll`."""
    endings = [suffix[1:] for reader in readers().values() if reader.folders for suffix in reader.suffixes]
    packed = "|".join(map(re.escape, PACKED))
    return re.compile(rf"[._]({'|'.join(map(re.escape, endings))})({packed})?$", re.IGNORECASE)
