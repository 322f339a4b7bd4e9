"""Reading makes millions of objects, none of which is garbage: a collector that goes through them only takes time."""

from __future__ import annotations

import gc
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def uncollected(read: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """The same function, during which no collection begins; who turned them off before finds them off afterwards."""

    @wraps(read)
    def paused(*given: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        if not gc.isenabled():
            return read(*given, **named)
        gc.disable()
        try:
            return read(*given, **named)
        finally:
            gc.enable()

    return paused
