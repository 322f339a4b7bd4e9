"""Functions of one's own, given as `module:function`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from plumbline.errors import BadUsage, audits

if TYPE_CHECKING:
    from collections.abc import Callable


def loaded(name: str, signature: str) -> Callable[..., Any]:
    """The function of this name; modules of the current folder are found."""
    module, _, path = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - anything can happen in a module of somebody else
        raise BadUsage(audits.cannot_load(name, f"{type(error).__name__}: {error}", signature)) from None
    if not callable(found):
        raise BadUsage(audits.cannot_load(name, "it is not a function", signature))
    return found  # type: ignore[no-any-return]  # whatever can be called
