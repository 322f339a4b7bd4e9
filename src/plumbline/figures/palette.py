"""One colour for each system, the same in every figure of a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.parts import display_names
from plumbline.figures.theme import MOST_COLOURS

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

OTHERS: Final = MOST_COLOURS
"""The place of the colour that systems without one of their own share."""


def palette(subject: Subject) -> dict[str, int]:
    """The place of the colour of each system that has one, by the names that are drawn.

    If there are too many, those with the best mean of some metric come first, and then the best by the first metric. Outputs
    that ignore the gold come last.
    """
    means = subject.means
    orders = [means.best_first(metric) for metric in range(len(means.metrics))]
    wanted = [*(order[0] for order in orders), *orders[0]] if len(means.systems) > MOST_COLOURS else orders[0]
    ordered = sorted(dict.fromkeys(wanted), key=lambda at: means.systems[at] in subject.floor)
    names = display_names(means.systems)
    return {names[means.systems[at]]: place for place, at in enumerate(ordered[:MOST_COLOURS])}
