"""Read the next output while the current one is aligned; two files are then in memory, so only small ones are prefetched."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

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
    waiting = list(sources.items())
    coming = _Reading(read, *waiting[0])
    try:
        for number, (name, _) in enumerate(waiting):
            current = coming.result()
            if number + 1 < len(waiting):
                coming = _Reading(read, *waiting[number + 1])
            yield name, current
    finally:
        coming.join()


class _Reading(Thread, Generic[T]):
    """One source that is being read; an executor would do, but importing it takes longer than reading two small files."""

    def __init__(self, read: Callable[[str, Any], T], name: str, source: Any) -> None:  # noqa: ANN401 - a source in any form
        super().__init__()
        self._read: Callable[[], T] = partial(read, name, source)
        self._values: list[T] = []
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._values.append(self._read())
        except BaseException as error:  # noqa: BLE001 - raised again where the value is wanted
            self._error = error

    def result(self) -> T:
        self.join()
        if self._error is not None:
            raise self._error
        return self._values[0]


def _is_small(source: object) -> bool:
    if not isinstance(source, (str, Path)) or str(source) == "-":
        return False
    try:
        return Path(source).is_file() and 0 < Path(source).stat().st_size < SMALL
    except OSError:
        return False
