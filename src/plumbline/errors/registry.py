"""Declaring diagnostics: a code, a title, and a function that writes the message."""

from __future__ import annotations

from functools import cache, wraps
from inspect import cleandoc
from typing import TYPE_CHECKING, NamedTuple, ParamSpec

from plumbline.declarations import import_all
from plumbline.errors.base import Diagnostic, Place
from plumbline.errors.faces import rendered, with_both_spellings
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")


class Message(NamedTuple):
    """What the constructor of a diagnostic returns: the sentence, the place and the way out."""

    text: str
    place: Place | None = None
    help: str | None = None


@dataclass(frozen=True)
class Declaration:
    """One kind of diagnostic: its stable code, its title and its constructor."""

    code: str
    title: str
    constructor: Callable[..., Message]

    @property
    def explanation(self) -> str:
        """What `plumbline explain` prints: the docstring of the constructor, with both spellings of every option."""
        return with_both_spellings(cleandoc(self.constructor.__doc__ or ""))


_DECLARED: dict[str, Declaration] = {}


def diagnostic(code: str, title: str) -> Callable[[Callable[P, Message]], Callable[P, Diagnostic]]:
    """Declare a diagnostic under its code; the docstring of the constructor is the long explanation.

    Args:
        code: `E` for an error or `N` for a notice, and three digits. Codes are stable and are never given away again.
        title: What is wrong, in a few words.
    """

    def declare(constructor: Callable[P, Message]) -> Callable[P, Diagnostic]:
        if code in _DECLARED:
            message = f"code {code} is taken by {_DECLARED[code].constructor.__qualname__}"
            raise ValueError(message)
        _DECLARED[code] = Declaration(code, title, constructor)

        @wraps(constructor)
        def construct(*args: P.args, **kwargs: P.kwargs) -> Diagnostic:
            return Diagnostic(code, *constructor(*args, **kwargs), facts=(args, kwargs))

        return construct

    return declare


@cache
def every_diagnostic() -> dict[str, Declaration]:
    """Every declared diagnostic by its code; the modules of this package are walked, so there is no list to edit."""
    import_all(__package__ or "plumbline.errors")
    return dict(sorted(_DECLARED.items()))


def explanations() -> dict[str, tuple[str, str]]:
    """Every code with its title and explanation, in which options are spelled for whoever reads it."""
    return {code: (declared.title, rendered(declared.explanation)) for code, declared in every_diagnostic().items()}
