"""Which files went in, with the digests by which they are known again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.io.memory.compose import Composed
from plumbline.io.memory.systems import expanded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.figures.subject import Subject


@dataclass(frozen=True)
class Source:
    """A file that was read."""

    name: str
    role: str
    size: int
    digest: str

    @property
    def size_told(self) -> str:
        """The size with separators, to be read."""
        return f"{self.size:,}"


def sources(subject: Subject, beside: Mapping[str, Any]) -> list[Source]:
    """The files of a subject, each once; what was in memory or came through a pipe has none."""
    own = [("gold", subject.gold), ("system", subject.systems), ("scores", subject.table)]
    found: dict[Path, str] = {}
    for role, given in (*beside.items(), *own, *subject.data.items()):
        for path in _paths(given):
            found.setdefault(path, role)
    return [_source(path, role) for path, role in found.items()]


def _paths(given: Any) -> Iterator[Path]:  # noqa: ANN401 - any form that evaluate takes
    """The files that are named somewhere in what was given."""
    if isinstance(given, Composed):
        yield from _paths(given.priority)
        yield from _paths(given.clusters)
    elif isinstance(given, (str, os.PathLike)):
        yield from _files(os.fspath(given))
    elif isinstance(given, Mapping):
        yield from (path for one in given.values() if isinstance(one, (str, os.PathLike, Composed)) for path in _paths(one))
    elif isinstance(given, Iterable) and not hasattr(given, "columns") and not hasattr(given, "read"):
        yield from (path for one in given if isinstance(one, (str, os.PathLike, Composed)) for path in _paths(one))


def _files(text: str) -> Iterator[Path]:
    """A file, `NAME=FILE`, or all that a pattern fits."""
    name, sign, rest = text.partition("=")
    if Path(text).is_file():
        yield Path(text)
    elif sign and name and Path(rest).is_file():
        yield Path(rest)
    elif any(character in text for character in "*?["):
        yield from (Path(path) for _, path in expanded(text) if Path(path).is_file())


def _source(path: Path, role: str) -> Source:
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return Source(str(path), role, path.stat().st_size, digest)
