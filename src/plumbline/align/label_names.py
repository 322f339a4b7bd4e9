"""Labels of outputs beside those of the gold: numbers that are written in two ways, and numbers that are scores."""

from __future__ import annotations

import re
from math import isfinite, nan
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_NUMBER: Final = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_WHOLE: Final = re.compile(r"([-+]?\d+)\.0*", re.ASCII)


def plain_label(name: str) -> str:
    """The name without zeros after a decimal point: `1.0` is `1`."""
    match = _WHOLE.fullmatch(name)
    return match[1] if match else name


def are_numbers(names: Iterable[str]) -> bool:
    """Whether every name is a decimal number, and there is one."""
    listed = list(names)
    return bool(listed) and all(map(_NUMBER.fullmatch, listed))


def have_fractions(names: Iterable[str]) -> bool:
    """Whether one of these numbers is not whole."""
    return any(not float(name).is_integer() for name in names)


def are_foreign(given: Collection[str], known: Collection[str], *, numbers: bool) -> bool:
    """Whether labels that share none with the gold are of another vocabulary, instead of being wrong.

    A side with a single label shows too little of its vocabulary, unless numbers stand in the place of words.
    """
    return bool(given and known) and (numbers or min(len(given), len(known)) > 1)


def unfamiliar(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """The names that are not known."""
    familiar = frozenset(known)
    return [name for name in names if name not in familiar]


def respelled(names: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """The names that are known labels in another spelling, each with the spelling that is known."""
    by_plain = {plain_label(name): name for name in known}
    strange = unfamiliar(names, known)
    return {name: by_plain[plain_label(name)] for name in strange if plain_label(name) in by_plain}


def place_in_order(name: str) -> tuple[bool, float, str]:
    """Where a class stands: numbers by value, then words by alphabet, whatever other classes there are."""
    try:
        number = float(name)
    except ValueError:
        number = nan
    return (False, number, name) if isfinite(number) else (True, 0.0, name)
