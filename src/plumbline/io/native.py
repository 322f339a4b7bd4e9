"""The module in C, where it is installed: it reads large files, and everything works without it."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

SWITCH: Final = "PLUMBLINE_NATIVE"
"""The variable that turns the reader in C off, if it is 0."""
MOST_BYTES: Final = 2**32 - 1
"""Bytes of the longest text that it reads: places are numbers of 32 bits."""


def native() -> ModuleType | None:
    """The reader in C, if it is installed and not turned off."""
    return None if os.environ.get(SWITCH) == "0" else _core()


def required() -> ModuleType:
    """The reader in C, without which nothing that it handed over is looked up."""
    core = native()
    if core is None:
        message = "what the reader in C has read is looked up by it, and it was turned off meanwhile"
        raise RuntimeError(message)
    return core


def native_function(name: str) -> Callable[..., Any] | None:
    """A function of the module in C; one that was installed earlier may lack it."""
    return getattr(native(), name, None)


@cache
def _core() -> ModuleType | None:
    try:
        return import_module("plumbline_core")
    except ImportError:
        return None
