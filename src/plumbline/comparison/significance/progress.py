"""How far a long comparison is: whoever listens is told the share that is done."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Listener = Callable[[float], None]

_LISTENER: Final[ContextVar[Listener | None]] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Whatever is done inside tells the listener which share is done, from 0 to 1."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@contextmanager
def part(start: float, stop: float) -> Iterator[None]:
    """What is done inside is only a part of the whole: its shares lie between `start` and `stop`."""
    outer = _LISTENER.get()
    if outer is None:
        yield
        return
    with heard_by(lambda share: outer(start + share * (stop - start))):
        yield
    outer(stop)


def done(share: float) -> None:
    """Tell that a share of the current part is done."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(share)
