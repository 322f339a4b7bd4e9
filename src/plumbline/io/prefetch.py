"""Read the next output while the current one is aligned; two files are then in memory, so only small ones are prefetched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

SMALL: Final = 32 * 2**20


def read_ahead(sources: dict[str, Any], read: Callable[[str, Any], T]) -> Iterator[tuple[str, T]]:
    """Read each source, in order, one step ahead if all are small files."""
    if len(sources) < 2 or not all(_is_small(source) for source in sources.values()):  # noqa: PLR2004 - nothing is ahead of one
        for name, source in sources.items():
            yield name, read(name, source)
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - where several files are read

    with ThreadPoolExecutor(1) as reader:
        waiting = list(sources.items())
        coming = reader.submit(read, *waiting[0])
        for number, (name, _) in enumerate(waiting):
            current = coming.result()
            if number + 1 < len(waiting):
                coming = reader.submit(read, *waiting[number + 1])
            yield name, current


def _is_small(source: object) -> bool:
    if not isinstance(source, (str, Path)) or str(source) == "-":
        return False
    try:
        return Path(source).is_file() and 0 < Path(source).stat().st_size < SMALL
    except OSError:
        return False
