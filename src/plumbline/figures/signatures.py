"""Figures as methods with signatures, `scores.plot.bars(metrics=...)`, made from the declarations of the figures.

`python -m plumbline.figures.signatures` writes the stub from which editors and type checkers know them.
"""

from __future__ import annotations

import inspect
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import plumbline.render
from plumbline.figures.plot import plot
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import has_scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from altair import TopLevelMixin

    from plumbline.figures.figure import Figure

STUB: Final = Path(plumbline.render.__path__[0]) / "present.pyi"
HEAD: Final = '''\
# ruff: noqa: PYI021 - editors show the docstrings
"""Figures and pages of a result. Written by `python -m plumbline.figures.signatures`; do not edit."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Unpack

from altair import TopLevelMixin

from plumbline.options.evaluation import CompareOptions, EvaluateOptions

class Plots:
    """Every figure as a method that returns an Altair chart."""

    def __init__(self, source: Any) -> None: ...
'''
TAIL: Final = '''
def write_report(result: Any, path: str | os.PathLike[str], **options: Any) -> Path:
    """Write a page about a result, and return its path."""

def svg_of(result: Any, figure: str) -> str:
    """One figure of a result as SVG, for the methods `to_svg` of earlier versions."""

def figure_file(result: Any, figure: str, path: str | os.PathLike[str]) -> bytes:
    """What a file with one figure of a result holds; the ending of the path tells the format."""
'''
WIDTH: Final = 120


def signature_of(figure: Figure) -> inspect.Signature:
    """The signature of a figure as a method: that of `plot`, without options that the figure does not take."""
    left_out = {"kind", "source"}
    left_out |= set() if "metrics" in figure.options else {"metrics"}
    left_out |= set() if "systems" in figure.options else {"show"}
    left_out |= set() if figure.compare_options else {"comparing"}
    full = inspect.signature(plot, follow_wrapped=False)
    kept = [parameter for parameter in full.parameters.values() if parameter.name not in left_out]
    return full.replace(parameters=kept)


def figures_of(source: Any) -> list[Figure]:
    """The figures of a source: all, or those of a result that has no scores, such as a confusion matrix."""
    drawn = [one for one in FIGURES.values() if one.of is not None and isinstance(source, one.of)]
    return drawn if drawn and not has_scores(source) else list(FIGURES.values())


def figure_methods(source: Any) -> dict[str, Callable[..., TopLevelMixin]]:
    """A function for each figure that draws it of a source, with a signature and a docstring for `help()`."""
    methods: dict[str, Callable[..., TopLevelMixin]] = {}
    for figure in figures_of(source):
        method = partial(plot, figure.name, source)
        method.__name__ = figure.name  # type: ignore[attr-defined]  # what help() looks for
        method.__doc__ = f"{figure.title}. {figure.caption}"
        method.__signature__ = signature_of(figure)  # type: ignore[attr-defined]  # likewise
        methods[figure.name] = method
    return methods


def stub() -> str:
    """The text of the stub."""
    return HEAD + "".join(map(_method, FIGURES.values())) + TAIL


def _method(figure: Figure) -> str:
    signature = signature_of(figure)
    lines = [
        f"        {'**' if parameter.kind is parameter.VAR_KEYWORD else ''}{parameter.name}: {_quoted(parameter.annotation)}"
        + ("" if parameter.default is parameter.empty else f" = {_literal(parameter.default)}")
        for parameter in signature.parameters.values()
    ]
    caption = fill(figure.caption, WIDTH, initial_indent="        ", subsequent_indent="        ")
    text = f"{figure.title}.\n\n{caption}\n        "
    joined = ",\n".join(["        self", "        *", *lines])
    return f'    def {figure.name}(\n{joined},\n    ) -> {signature.return_annotation}:\n        """{text}"""\n'


def _quoted(annotation: str) -> str:
    """An annotation as the formatter writes it."""
    return annotation.replace("'", '"')


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
