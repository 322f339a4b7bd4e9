"""The one door by which results offer what lies above them: `scores.plot.bars()`, `comparison.report(path)`.

Stages import only from those below. People, though, look for a picture on the object they hold, and an object cannot import
the stage that draws it without turning the direction round. So results name what they offer, and it is imported when it is
asked for, by the table below and nowhere else. Nothing here knows what a figure is, and no result needs one to exist.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

OFFERED: Final = {
    "plot": ("plumbline.figures.plot", "Plots"),
    "report": ("plumbline.reports.report", "report"),
}
"""What results offer, and where it is made."""


def above(name: str) -> Any:  # noqa: ANN401 - whatever the stage above offers
    """What is offered under this name."""
    module, attribute = OFFERED[name]
    return getattr(import_module(module), attribute)
