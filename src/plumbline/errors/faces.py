"""Two spellings of one option: Python callers read `threshold=0.5`, the shell reads `--threshold 0.5`.

A message holds both spellings of every option and command that it mentions. Which one is shown is decided when the message is
shown: Python is the default, and the command line works inside `spelling("shell")`.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Face = Literal["python", "shell"]


class Placeholder(str):
    """A word that stands for a value which only the reader knows."""

    __slots__ = ()


COLUMN, FILE, NAME, NUMBER = map(Placeholder, ("COLUMN", "FILE", "NAME", "NUMBER"))

_FACE: ContextVar[Face] = ContextVar("face", default="python")
_OPEN, _BETWEEN, _CLOSE = "\ufdd0", "\ufdd1", "\ufdd2"
"""Unicode noncharacters, reserved for use inside a program: names in files do not hold them."""
_FLAG: Final = r"`--([a-z][a-z-]*(?:[ =][^`\s]+)?)`"
_FLAGS: Final = {"metrics": "-m", "as_": "--as"}
"""Flags that are not the name of the option with dashes."""


def either(python: str, shell: str) -> str:
    """Text that reads differently in Python and in the shell."""
    return f"{_OPEN}{python}{_BETWEEN}{shell}{_CLOSE}"


def option(name: str, *values: str | float, between: str = "|") -> str:
    """An option in both spellings, with the values to give, if any.

    Args:
        name: The name of the keyword in Python, such as `on_duplicate`.
        values: Words to choose from, numbers, or placeholders such as `NUMBER`.
        between: What stands between several values.
    """
    if not values:
        return either(f"{name}=", flag(name))
    return either(f"{name}={between.join(map(_quoted, values))}", f"{flag(name)} {between.join(map(str, values))}")


def switch(name: str) -> str:
    """An option that is turned on."""
    return either(f"{name}=True", flag(name))


def flag(name: str) -> str:
    """The spelling of an option in the shell."""
    return _FLAGS.get(name, f"--{name.replace('_', '-')}")


def with_both_spellings(text: str) -> str:
    """Prose in which flags stand between backquotes, such as `--ties average`, with both spellings of each."""
    return re.sub(_FLAG, _both, text)


def _both(match: re.Match[str]) -> str:
    name, _, value = match[1].replace("=", " ", 1).partition(" ")
    keyword = next((python for python, flag_of in _FLAGS.items() if flag_of == f"--{name}"), name.replace("-", "_"))
    values = "|".join(f'"{word}"' for word in value.split("|")) if value else ""
    return f"`{either(f'{keyword}={values}', f'--{match[1]}')}`"


@cache
def _both_spellings() -> re.Pattern[str]:
    """Text with two spellings; made at its first use, because excluding characters of so high a number takes time."""
    return re.compile(f"{_OPEN}([^{_OPEN}-{_CLOSE}]*){_BETWEEN}([^{_OPEN}-{_CLOSE}]*){_CLOSE}")


def rendered(text: str) -> str:
    """The text in the spelling of whoever reads it."""
    if _OPEN not in text:
        return text
    return _both_spellings().sub(r"\1" if _FACE.get() == "python" else r"\2", text)


@contextmanager
def spelling(face: Face) -> Iterator[None]:
    """Show messages in one spelling for as long as the block runs."""
    before = _FACE.set(face)
    try:
        yield
    finally:
        _FACE.reset(before)


def _quoted(value: str | float) -> str:
    """A value as Python code."""
    return f'"{value}"' if isinstance(value, str) and not isinstance(value, Placeholder) else str(value)
