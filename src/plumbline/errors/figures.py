"""Problems with figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.base import listing
from plumbline.errors.faces import either, option
from plumbline.errors.registry import Message, diagnostic

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALL_KINDS: Final = either("", " plumbline plot lists all")


@diagnostic("E340", "There is no such figure")
def unknown_kind(kind: str, near: list[str]) -> Message:
    """`plumbline plot` alone lists the kinds of figures."""
    return Message(f"there is no figure {kind!r}", None, f"did you mean {' or '.join(near)}?{_ALL_KINDS}")


@diagnostic("E341", "A figure cannot be drawn of this")
def cannot_draw(kind: str, reason: str, others: Sequence[str] = ()) -> Message:
    """Each figure shows something that only some tasks, metrics or inputs have; the reason says what is missing here."""
    return Message(f"{kind} cannot be drawn: {reason}", None, f"these can: {listing(list(others), 12)}" if others else None)


@diagnostic("E342", "The format of a figure is unknown")
def unknown_format(path: str, known: list[str]) -> Message:
    """The ending of the file name sets the format."""
    return Message(f"{path}: no figure is written in this format", None, f"end the name in {', '.join(known)}")


@diagnostic("E343", "A size cannot be read")
def bad_size(value: str) -> Message:
    """Sizes are pixels (`600`, `600px`) or lengths on paper (`3.3in`, `84mm`, `8.4cm`, `240pt`); an inch has 96 pixels."""
    return Message(f"{value!r} is not a size of a figure", None, "write pixels such as 600, or 3.3in, 84mm, 8.4cm, 240pt")


@diagnostic("E344", "An option is not for this figure")
def not_an_option(kind: str, given: str, known: list[str]) -> Message:
    """Figures take the options that change them, and refuse others, so that nobody relies on one without effect."""
    shown = either(repr(given), "-m") if given == "metrics" else repr(given)
    return Message(f"{kind} has no option {shown}", None, f"it has {', '.join(known)}")


@diagnostic("N257", "A figure has less room than it needs")
def little_room(requested: int, width: float) -> Message:
    """Where `--width` is small, legends move below and titles wrap; then long names are cut; the rest needs some room."""
    wider = f"the figure is {width:g} pixels wide, not {requested}: it cannot be drawn with less"
    text = wider if width > requested else f"long names are cut, so that the figure is {requested} pixels wide"
    return Message(
        text,
        None,
        f"ask for a larger {option('width')}, or show less with {either('show=', '--system')} and {option('metrics')}",
    )
