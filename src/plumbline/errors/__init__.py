"""Every problem plumbline can name: what is wrong, where, what was expected, what to do.

A problem is a `Diagnostic`, made by a named constructor in one of the modules of this package. The
constructor's docstring is the long explanation that `plumbline explain CODE` prints.
"""

from plumbline.errors.base import (
    BadData,
    BadUsage,
    Diagnostic,
    Place,
    PlumblineError,
    explanations,
    visible,
)

__all__ = [
    "BadData",
    "BadUsage",
    "Diagnostic",
    "Place",
    "PlumblineError",
    "explanations",
    "visible",
]
