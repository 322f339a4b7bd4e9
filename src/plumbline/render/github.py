"""Notices and problems as annotations of a GitHub workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.errors.base import READ_AS, without_controls
from plumbline.render.formats import output_format

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.render.document import Document


@output_format("github")
def github(document: Document) -> str:
    """Notices and problems as annotations of a GitHub workflow, without the result itself."""
    return "".join(f"{_annotation(one)}\n" for one in document.notices if one.code != READ_AS)


def _annotation(problem: Diagnostic) -> str:
    kind, place = "notice" if problem.is_notice else "error", problem.place
    where = [] if place is None else [f"file={_escaped(place.path, ':,')}"]
    if place is not None and place.line is not None:
        where += [f"line={place.line}", *([f"col={place.column}"] if place.column else [])]
    return f"::{kind} {','.join([*where, f'title={problem.code}'])}::{_escaped(problem.text)}"


def _escaped(text: str, more: str = "") -> str:
    """Text in which no character ends the annotation or one of its properties."""
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return without_controls(text)
