"""Every problem that plumbline can name: what is wrong, where, what was expected, and what to do.

A problem is a `Diagnostic`, made by a constructor that is declared in one of the modules of this package. The
docstring of the constructor is the long explanation that `plumbline explain CODE` prints.
"""

from plumbline.errors.base import (
    BadData,
    BadUsage,
    Diagnostic,
    Place,
    PlumblineError,
    visible,
)
from plumbline.errors.registry import explanations

__all__ = [
    "BadData",
    "BadUsage",
    "Diagnostic",
    "Place",
    "PlumblineError",
    "explanations",
    "visible",
]
