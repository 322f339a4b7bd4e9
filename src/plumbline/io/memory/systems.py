"""Which systems are meant: names and sources from dicts, lists, globs and bare outputs."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from plumbline.errors import BadData, BadUsage, files, table, usage
from plumbline.io.memory.arrays import is_array

_PACKED = {".gz", ".bz2", ".xz", ".zst"}
_LISTS = {
    ".txt",
    ".run",
    ".runs",
    ".res",
    ".results",
    ".out",
    ".trec",
    ".top",
    ".qrels",
    ".prels",
    ".conll",
    ".conllu",
    ".clust",
    ".xml",
}
_TABLES = {".csv", ".tsv", ".tab", ".dat", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather", ".ipc"}
SUFFIXES = frozenset(_PACKED | _LISTS | _TABLES)


def name_of(path: str | os.PathLike[str]) -> str:
    """A system is called after its file, without the endings that only tell the format."""
    name = _decoded(Path(path).name)
    while Path(name).suffix.lower() in SUFFIXES and Path(name).stem:
        name = Path(name).stem
    return name


def _decoded(name: str) -> str:
    """A name as text, also where the locale or the file system gave bytes that it could not decode."""
    return name.encode(errors="surrogateescape").decode(errors="replace")


def named_systems(systems: Any) -> dict[str, Any]:  # noqa: ANN401 - any form that evaluate accepts
    """One dict from name to source, whatever form the systems came in."""
    if isinstance(systems, Mapping):
        return dict(systems) if _is_dict_of_systems(systems) else {"system": systems}
    if isinstance(systems, (str, os.PathLike)):
        return unique(expanded(systems))
    if isinstance(systems, Iterable) and not hasattr(systems, "columns") and not hasattr(systems, "read"):
        return unique([pair for system in systems for pair in expanded(system)])
    return {name_of(getattr(systems, "name", "system")) if hasattr(systems, "read") else "system": systems}


def _is_dict_of_systems(systems: Mapping[Any, Any]) -> bool:
    """`{name: path, frame or {case: {...}}}`, not one bare `{case: {item: number}}`."""
    for value in systems.values():
        if isinstance(value, Mapping):
            return any(isinstance(inner, Mapping) for inner in value.values())
        return True
    return True


def expanded(system: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 - a path, a pattern or an open file
    """The name and source of each system that one word means."""
    if hasattr(system, "read"):
        return [(name_of(str(getattr(system, "name", "system"))), system)]
    if not isinstance(system, (str, os.PathLike)):
        raise BadUsage(usage.bad_object(f"a list with a {type(system).__name__}", "a list of paths or a dict {name: system}"))
    text = os.fspath(system)
    name, sign, path = text.partition("=")
    if sign and name and not Path(text).exists():
        return [(_decoded(name), path)]
    if text == "-":
        return [("stdin", text)]
    if glob.has_magic(text) and not Path(text).exists():
        found = sorted(glob.glob(text, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
        if not found:
            raise BadUsage(files.not_found(text, []))
        return [(name_of(path), path) for path in found]
    return [(name_of(text), text)]


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The systems by name; no two have the same."""
    named: dict[str, Any] = {}
    for name, source in pairs:
        if name in named:
            raise BadData(table.same_name(name, str(named[name]), str(source)))
        named[name] = source
    return named


def label_systems(gold: Any, systems: Any) -> dict[str, Any]:  # noqa: ANN401 - as evaluate
    """The same for labels, where an output may be an array or a dict as deep as the gold."""
    if is_array(gold) and not isinstance(systems, Mapping):
        return {"system": systems} if is_array(systems) else named_systems(systems)
    if not isinstance(systems, Mapping):
        return named_systems(systems)
    if isinstance(gold, Mapping):
        return dict(systems) if _depth(systems) > _depth(gold) or _depth(systems) == 0 else {"system": systems}
    if is_array(gold) and is_array(next(iter(systems.values()), None)):
        return dict(systems)
    return dict(systems) if _depth(systems) != 1 or _holds_sources(systems) else {"system": systems}


def _depth(data: Any) -> int:  # noqa: ANN401 - any value of a dict
    """How many dicts are nested; the values of the first of each decide."""
    return 1 + max(map(_depth, list(data.values())[:1]), default=0) if isinstance(data, Mapping) else 0


def _holds_sources(systems: Mapping[Any, Any]) -> bool:
    """Whether the values are frames, arrays, open files or paths of files, not labels."""
    value = next(iter(systems.values()), None)
    return not isinstance(value, (str, int, float, bool, list, tuple, set)) or (isinstance(value, str) and Path(value).exists())
