"""Problems with figures that were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.errors.base import Diagnostic, diagnostic, listing, say

if TYPE_CHECKING:
    from collections.abc import Sequence


@diagnostic("E340", "There is no such figure")
def unknown_kind(kind: str, near: list[str]) -> Diagnostic:
    """`plumbline plot` alone lists the kinds of figures."""
    return say(f"there is no figure {kind!r}", None, f"did you mean {' or '.join(near)}? plumbline plot lists all")


@diagnostic("E341", "A figure cannot be drawn of this")
def cannot_draw(kind: str, reason: str, others: Sequence[str] = ()) -> Diagnostic:
    """Each figure shows something that only some tasks, metrics or inputs have; the reason says what is missing here."""
    return say(f"{kind} cannot be drawn: {reason}", None, f"these can: {listing(list(others), 12)}" if others else None)


@diagnostic("E342", "The format of a figure is unknown")
def unknown_format(path: str, known: list[str]) -> Diagnostic:
    """The ending of the file name says what is written."""
    return say(f"{path}: no figure is written in this format", None, f"end the name in {', '.join(known)}")


@diagnostic("E343", "A size cannot be read")
def bad_size(found: str) -> Diagnostic:
    """Sizes are pixels (`600`, `600px`) or lengths on paper (`3.3in`, `84mm`, `8.4cm`, `240pt`); an inch has 96 pixels."""
    return say(f"{found!r} is no size of a figure", None, "write pixels such as 600, or 3.3in, 84mm, 8.4cm, 240pt")


@diagnostic("E344", "An option is not for this figure")
def not_an_option(kind: str, option: str, known: list[str]) -> Diagnostic:
    """Figures take the options that change them, and refuse others, so that nobody trusts one without effect."""
    return say(f"{kind} has no option {option!r}", None, f"it has {', '.join(known)}")


@diagnostic("N257", "A figure has less room than it needs")
def little_room(asked: int, width: float) -> Diagnostic:
    """Where `--width` is small, legends go below and titles get lines; then long names are cut; the rest takes its room."""
    wider = f"the figure is {width:g} pixels wide, not {asked}: it cannot be drawn with less"
    text = wider if width > asked else f"long names are cut, so that the figure is {asked} pixels wide"
    return say(text, None, "ask for a larger --width, or show less with --system and -m")
