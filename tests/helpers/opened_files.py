"""Counts how often files are opened, to show that everything is read once."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_counters: list[tuple[Path, Counter[str]]] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _counters and isinstance(arguments[0], (str, os.PathLike)):
        path = Path(os.path.abspath(arguments[0]))  # noqa: PTH100 - resolve() would open links
        for folder, counter in _counters:
            if path.is_relative_to(folder):
                counter[path.name] += 1


sys.addaudithook(_hook)


@contextmanager
def counted_opens(folder: Path) -> Iterator[Counter[str]]:
    """How often each file in the folder is opened meanwhile, by its name; programs that are started do not count."""
    counter: Counter[str] = Counter()
    _counters.append((Path(os.path.abspath(folder)), counter))  # noqa: PTH100 - as above
    try:
        yield counter
    finally:
        _counters.pop()
