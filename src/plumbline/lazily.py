"""What takes longer than scoring two small files, and is made when it is first used: large libraries, and patterns.

polars, Altair, the packages of scipy and what makes temporary files are used like modules, `pl.DataFrame`, and imported when
something of them is first asked for. A pattern is compiled when it is first asked for.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, AnyStr, Generic, cast

__all__ = [
    "Module",
    "alt",
    "hierarchy",
    "optimize",
    "pattern",
    "pl",
    "shutil",
    "sparse",
    "spatial",
    "special",
    "stats",
    "tempfile",
]


class Module:
    """Stands for a module; what was looked up is kept."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module has
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import shutil
    import tempfile

    import altair as alt
    import polars as pl
    from scipy import optimize, sparse, spatial, special, stats
    from scipy.cluster import hierarchy
else:
    pl, alt = Module("polars"), Module("altair")
    shutil, tempfile = Module("shutil"), Module("tempfile")
    optimize, sparse, spatial = Module("scipy.optimize"), Module("scipy.sparse"), Module("scipy.spatial")
    special, stats, hierarchy = Module("scipy.special"), Module("scipy.stats"), Module("scipy.cluster.hierarchy")


class _Pattern(Generic[AnyStr]):
    """Stands for a pattern; what was looked up is kept."""

    def __init__(self, text: AnyStr, flags: int) -> None:
        self._given: tuple[AnyStr, int] = (text, flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a pattern has
        value = getattr(re.compile(*self._given), name)
        setattr(self, name, value)
        return value


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but the pattern is compiled when it is first asked for something."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))
