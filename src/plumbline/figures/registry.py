"""All figures by name, found by importing every module of `plumbline.figures.kinds`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.declarations import import_all
from plumbline.errors import BadUsage, figures
from plumbline.errors.base import nearest
from plumbline.figures import kinds
from plumbline.figures.figure import DECLARED

if TYPE_CHECKING:
    from plumbline.figures.figure import Figure


def _walk() -> dict[str, Figure]:
    """Figures in the order of a report; those that reports do not show follow by name."""
    import_all(kinds.__name__)
    return {one.name: one for one in sorted(DECLARED.values(), key=_place)}


def _place(one: Figure) -> tuple[bool, int, int, str]:
    if one.report is None:
        return True, 0, 0, one.name
    return False, one.report.section.order, one.report.order, one.name


FIGURES: Final[dict[str, Figure]] = _walk()


def find_figure(name: str) -> Figure:
    """The figure of this name.

    Raises:
        BadUsage: If there is none.
    """
    if name not in FIGURES:
        near = nearest(name, FIGURES, n=2, cutoff=0.4) or list(FIGURES)[:2]
        raise BadUsage(figures.unknown_kind(name, near))
    return FIGURES[name]
