"""Figures and pages of a result: `scores.plot.bars()`, `comparison.report(path)`.

People look for a figure on the object that they hold, and packages import only from those below them. So the functions that
draw and write are named here by their places, and imported when they are first used. The stub beside this file tells editors
and type checkers which figures there are; `python -m plumbline.figures.signatures` writes it.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

FIGURE_METHODS: Final = "plumbline.figures.signatures:figure_methods"
"""Makes the methods of `Plots`, by the names of the figures."""
REPORT: Final = "plumbline.reports.report:report"
SVG: Final = "plumbline.figures.saving:as_svg"
CONTENT: Final = "plumbline.figures.saving:content"


class Plots:
    """Every figure as a method that returns an Altair chart."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in (methods := self._methods()):
            message = f"there is no figure {name!r}"
            raise AttributeError(message, name=name, obj=self)
        return methods[name]

    def __dir__(self) -> list[str]:
        return list(self._methods())

    def __repr__(self) -> str:
        return "figures: " + ", ".join(f".plot.{name}()" for name in self._methods())

    def _methods(self) -> dict[str, Any]:
        return dict(_imported(FIGURE_METHODS)(self._source))


def write_report(result: Any, path: str | os.PathLike[str], **options: Any) -> Path:
    """Write a page about a result, and return its path."""
    written: Path = _imported(REPORT)(result, path, **options)
    return written


def svg_of(result: Any, figure: str) -> str:
    """One figure of a result as SVG, for the methods `to_svg` of earlier versions."""
    message = f"to_svg() will be removed; save the chart of .plot.{figure}() instead"
    warnings.warn(message, DeprecationWarning, stacklevel=3)
    drawn: str = _imported(SVG)(getattr(Plots(result), figure)())
    return drawn


def figure_file(result: Any, figure: str, path: str | os.PathLike[str]) -> bytes:
    """What a file with one figure of a result holds; the ending of the path tells the format."""
    written: bytes = _imported(CONTENT)(getattr(Plots(result), figure)(), Path(path).suffix.lower())
    return written


def _imported(place: str) -> Callable[..., Any]:
    """The function at a place such as `module:function`."""
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function
