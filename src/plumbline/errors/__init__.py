"""Every problem that plumbline can name: what is wrong, where, what was expected, and what to do.

A problem is a `Diagnostic`, made by a constructor that is declared in one of the modules of this package. The
docstring of the constructor is the long explanation that `plumbline explain CODE` prints.

Hardly any run meets more than one problem, so these modules are imported when one of their constructors is first asked for.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from plumbline.errors.base import (
    BadData,
    BadUsage,
    Diagnostic,
    Place,
    PlumblineError,
    visible,
)
from plumbline.errors.registry import explanations
from plumbline.lazily import Module

__all__ = [
    "BadData",
    "BadUsage",
    "Diagnostic",
    "Place",
    "PlumblineError",
    "explanations",
    "visible",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module
        """A module of this package, as `from plumbline.errors import usage` asks for it."""
        if name.startswith("_") or find_spec(f"{__name__}.{name}") is None:
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message)
        return globals().setdefault(name, Module(f"{__name__}.{name}"))
