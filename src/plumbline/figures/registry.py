"""All kinds of figures by their names."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, figures
from plumbline.figures.kinds import (
    alpha,
    bars,
    confusion,
    differences,
    graph,
    losses,
    precision_recall,
    ranks,
    scatter,
    strictness,
    tradeoff,
    unanimity,
    weights,
)

if TYPE_CHECKING:
    from plumbline.figures.figure import Figure

_KINDS: Final = (
    *(bars, ranks, graph, unanimity, alpha, differences),
    *(scatter, tradeoff, precision_recall, confusion, losses, weights, strictness),
)
FIGURES: Final[dict[str, Figure]] = {module.FIGURE.kind: module.FIGURE for module in _KINDS}


def figure(kind: str) -> Figure:
    """The figure of this name."""
    if kind not in FIGURES:
        near = get_close_matches(kind, FIGURES, n=2, cutoff=0.4) or list(FIGURES)[:2]
        raise BadUsage(figures.unknown_kind(kind, near))
    return FIGURES[kind]
